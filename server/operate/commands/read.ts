/** `npm run read -- FILE`: what the product understands of a text, for anybody who wants to try one. JSON lines in
 *  and out. */
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { z } from 'zod/mini';
import { findRoutePlaces } from '../../geography/names/routePlaces.ts';
import { resolveText } from '../../watches/typed/typedLegs.ts';
import { roadsOfReport } from '../../geography/roads/roadsOfReport.ts';
import type { RoadUse } from '../../geography/roads/roadWords.ts';
import { compareReports, readIncident, type ReportInput } from './readIncident.ts';

const HELP = `Usage: npm run read -- FILE

Reads JSON lines from FILE ("-": from standard input) and prints one JSON line for each, in the same order. docs/reading.md
describes both. A line that cannot be read gives {"error": "…"} in words.

  {"source": "national-highways", "title": "…", "text": "…", "published_at": "…", "now": "…"}
  {"route": "leeds m62 m6 m5 bristol"}
  {"a": {…}, "b": {…}}   two reports: are they one incident?
`;

/** The most characters of a line. Documents of a publisher are read by other code. */
const LINE_MAX = 200_000;
const ROUTE_MAX = 20_000;

const Words = z.optional(z.nullable(z.string()));
/** "2026-02-31" is no day, although Date.parse accepts it. */
const isTime = (text: string) => {
  const [year, month, day] = (/^(\d{4})-(\d{2})-(\d{2})/.exec(text) ?? []).slice(1).map(Number);
  const isDay = day === undefined || new Date(Date.UTC(year!, month! - 1, day)).getUTCDate() === day; // all or none
  return isDay && !Number.isNaN(Date.parse(text));
};
const Time = z.optional(z.nullable(z.string().check(z.refine(isTime, 'is no time'))));
const degrees = (most: number) =>
  z.optional(z.nullable(z.number().check(z.minimum(-most, 'is no place'), z.maximum(most, 'is no place'))));
const Report = z.looseObject({
  source: Words,
  title: Words,
  text: Words,
  summary_line: Words,
  published_at: Time,
  updated_at: Time,
  start_time: Time,
  end_time: Time,
  now: Time,
  latitude: degrees(90),
  longitude: degrees(180),
  metadata: z.optional(z.nullable(z.looseObject({}))),
});
const Route = z.object({ route: z.string() });
const Pair = z.object({ a: Report, b: Report });

/** An input that cannot be read, explained in words. */
class Unreadable extends Error {}

/** The answer to one line of the input; never throws. */
export async function readLine(line: string): Promise<Record<string, unknown>> {
  try {
    return await answerTo(line);
  } catch (error) {
    if (error instanceof Unreadable) return { error: error.message };
    return {
      error: `This line could not be read: ${error instanceof Error ? error.message : String(error)}`,
    };
  }
}

async function answerTo(line: string): Promise<Record<string, unknown>> {
  if (line.trim() === '') throw new Unreadable('The line is empty.');
  if (line.length > LINE_MAX)
    throw new Unreadable(`The line is longer than ${LINE_MAX.toLocaleString('en-GB')} characters.`);
  const asked = objectIn(line);
  if ('route' in asked) return routeOf(checked(Route, asked).route);
  if ('a' in asked || 'b' in asked) {
    const { a, b } = checked(Pair, asked);
    return { ...compareReports(given(a), given(b)) };
  }
  return incidentOf(given(checked(Report, asked)));
}

function objectIn(line: string): Record<string, unknown> {
  let found: unknown;
  try {
    found = JSON.parse(line);
  } catch {
    throw new Unreadable('The line is not JSON.');
  }
  if (typeof found !== 'object' || found === null || Array.isArray(found))
    throw new Unreadable('The line is JSON, but not an object.');
  return found as Record<string, unknown>; // it is one
}

function checked<Shape>(schema: z.ZodMiniType<Shape>, value: unknown): Shape {
  const { data, error } = schema.safeParse(value);
  if (!error) return data;
  const [problem] = error.issues;
  throw new Unreadable(`${problem!.path.join('.') || 'the line'}: ${problem!.message}`); // an error has at least one problem
}

/** Leaves out fields that are null. */
const given = (report: z.infer<typeof Report>): ReportInput => {
  const { start_time, end_time } = report;
  if (start_time && end_time && Date.parse(end_time) < Date.parse(start_time))
    throw new Unreadable('end_time: is before start_time');
  const told = Object.fromEntries(Object.entries(report).filter(([, value]) => value !== null));
  if (!told.title && !told.text && !told.summary_line)
    throw new Unreadable('A report needs a "title" or a "text", a route a "route", a pair "a" and "b".');
  return told as ReportInput; // the schema has checked its fields
};

function incidentOf(input: ReportInput): Record<string, unknown> {
  const { title = '', text = '', summary_line, source = '', metadata = {}, ...fields } = input;
  const report = { source, title, summary_line: summary_line ?? text, metadata: { ...fields, ...metadata } };
  return { roads: roadsOfReport(report).map(wordsOf), ...readIncident(input) };
}

/** A road with the labels of a marked text: its first stretch, and the further ones. */
function wordsOf({ road, role, direction, stretch, slip, closed }: RoadUse) {
  const [first = null, ...more] = stretch;
  return {
    road,
    role,
    sense: direction,
    stretch: first,
    slip,
    closed,
    ...(more.length > 0 && { more_stretches: more }),
  };
}

async function routeOf(text: string): Promise<Record<string, unknown>> {
  if (text.length > ROUTE_MAX)
    throw new Unreadable(`The route is longer than ${ROUTE_MAX.toLocaleString('en-GB')} characters.`);
  const { legs, problems, name, length_km } = await resolveText(text, findRoutePlaces);
  const isAsked = (level: string) => level === 'stop' || level === 'proposal';
  return {
    name,
    length_km,
    // The name as on signs: our table's "NI M1" is the M1.
    legs: legs.map((leg) =>
      'road' in leg && leg.road ? { ...leg, road: leg.road.replace(/^NI /, '') } : leg,
    ),
    told: problems.filter(({ level }) => !isAsked(level)).map(({ text }) => text),
    asked: problems
      .filter(({ level }) => isAsked(level))
      .map(({ text, repairs }) => ({ text, repairs: repairs.map(({ label, text }) => ({ label, text })) })),
  };
}

async function main([file]: string[]): Promise<void> {
  if (!file || file === '--help') {
    process.stdout.write(HELP);
    process.exitCode = file ? 0 : 1;
    return;
  }
  // By design: "| head" closes the pipe after it has read enough.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit(0);
  });
  const input = file === '-' ? process.stdin : createReadStream(file, 'utf8');
  for await (const line of createInterface({ input, crlfDelay: Infinity }))
    process.stdout.write(`${JSON.stringify(await readLine(line))}\n`);
}

if (import.meta.main) {
  try {
    await main(process.argv.slice(2));
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}
