/** One reading of one source: its collector reads the documents, and only records that satisfy the contract remain. */
import { hash } from 'node:crypto';
import { z } from 'zod';
import { Disruption } from '#contract/incidents/disruptions.ts';
import type { Collected, Collector, DisruptionRecord, Tools } from '../../incidents/collector.ts';
import { ownPoint, place } from '../../incidents/place/placeByWords.ts';
import { phaseByWindows } from '../../incidents/phase.ts';
import { windows } from '../../incidents/timesInForce.ts';
import { factsInSteps } from '../../incidents/facts/readFacts.ts';
import { inStep, type Steps } from '../../incidents/facts/inStep.ts';
import type { Download } from '../../http/documents/download.ts';
import { isMostlyRead, problems } from '../../http/documents/records.ts';
import type { Facts } from '../../http/documents/upstream.ts';
import { chunks } from '../../db/batches.ts';
import { CLOCK_SKEW_MS } from '../../db/instant.ts';

/** The tools of a reading. Its settings are only the ones that the collector declares. */
export interface ReadingTools extends Pick<Tools, 'now' | 'settings'> {
  facts: Facts;
  download: Download;
  /** Stops the reading. */
  signal?: AbortSignal;
}

/** Throws when the source could not be read. */
export type Read = (collector: Collector, tools: ReadingTools) => Promise<Collected>;

/** Reads in the caller's thread, which can do nothing else meanwhile. */
export const readHere: Read = (collector, { download: { get }, now, settings, facts }) =>
  readSource(collector, { get, now, settings, facts });

export async function readSource(collector: Collector, tools: Tools): Promise<Collected> {
  const collected = withWords(withoutUnsound(await collector.collect(tools), collector.source), collector);
  for (const record of collected.records) phaseByWindows(record, tools.now);
  collected.records = collected.records.filter(isOurs);
  return flagAhead(collected, tools.now);
}

/** The readings of the records of the last poll, as JSON, by a hash of the record. Most records are listed again
 *  unchanged, and reading their words is the slowest part of a poll. A thread keeps them for as long as it lives. */
const lastReadings = new WeakMap<Collector, ReadonlyMap<string, string>>();

/** Records whose words are read in step. More of them gain nothing. */
const IN_STEP = 100;

/** Adds what the words of each record say. A record that cannot be read is left out, and its stored data stays. If
 *  none can be read, the poll has failed. */
function withWords(collected: Collected, collector: Collector): Collected {
  const before = lastReadings.get(collector);
  const readings = new Map<string, string>();
  const left = problems();
  // The records are changed in place, because copies of 10,000 would take too much memory.
  const isRead = function* (record: DisruptionRecord): Steps<boolean> {
    const key = hash('sha1', JSON.stringify(record), 'base64');
    const { text = record.summary_line } = record;
    delete record.text;
    try {
      const reading = before?.get(key) ?? JSON.stringify(yield* readWords(record, text, collector));
      readings.set(key, reading);
      addReading(record, JSON.parse(reading) as Reading);
      return true;
    } catch (error) {
      left.skip(`${record.event_id}: its words cannot be read (${String(error)})`, record.event_id);
      return false;
    }
  };
  const records: DisruptionRecord[] = [];
  for (const batch of chunks(collected.records, IN_STEP)) {
    const read = inStep(batch.map(isRead));
    records.push(...batch.filter((_, at) => read[at]));
  }
  lastReadings.set(collector, readings);
  if (left.skipped === 0) return collected;

  return {
    ...collected,
    records,
    skipped: collected.skipped + left.skipped,
    problems: [...left.list, ...collected.problems],
    complete: collected.complete && isMostlyRead(left, records.length),
    unreadable: [...(collected.unreadable ?? []), ...left.unreadable],
  };
}

/** The fields of a record that its words give. They depend on the record alone, not on the time of the poll. */
interface Reading extends Pick<DisruptionRecord, 'facts' | 'latitude' | 'longitude' | 'windows' | 'since'> {
  located: Pick<DisruptionRecord['metadata'], 'location_method' | 'location_names' | 'location_reach_km'>;
}

/** `text`: the whole text, whose beginning is the record's `summary_line`. */
function* readWords(record: DisruptionRecord, text: string, collector: Collector): Steps<Reading> {
  record.facts = yield* factsInSteps({ ...record, summary_line: text }, collector);
  windows(record);
  yield;
  place(record, collector);
  const { facts, latitude, longitude, since, metadata } = record;
  const { location_method, location_names, location_reach_km } = metadata;
  return {
    facts,
    latitude,
    longitude,
    since,
    windows: record.windows,
    located: { location_method, location_names, location_reach_km },
  };
}

function addReading(record: DisruptionRecord, { located, ...fields }: Reading): void {
  Object.assign(record, fields);
  Object.assign(record.metadata, located);
  record.shape ??= ownPoint(record);
}

/** Whether a record belongs on the board. A text that is only perhaps about travel must name a UK place or road.
 *  Decided last, because it needs the facts. */
export function isOurs({ metadata, latitude, facts }: DisruptionRecord): boolean {
  const isDoubtful = metadata['needs_place'] === true;
  delete metadata['needs_place'];
  return !isDoubtful || latitude !== null || (facts?.roads.length ?? 0) > 0;
}

const { phase, ...details } = Disruption.shape.metadata.shape;

/** A record as the contract requires it; the store corrects its times. */
const Sound = z
  .object(Disruption.shape)
  .omit({ source: true, collected_at: true, updated_at: true, start_time: true, end_time: true })
  .extend({ phase, kind: z.enum(['alert', 'status']), metadata: z.looseObject(details) });

/** Leaves out and counts records that break the contract: one of them would make the answer of a whole feed fail.
 *  The poll then is not complete, so that it ends nothing. */
function withoutUnsound(collected: Collected, source: string): Collected {
  const records: DisruptionRecord[] = [];
  const found: string[] = [];
  for (const [index, record] of collected.records.entries()) {
    const problem = problemOf(record, source);
    if (problem === null) records.push(record);
    else found.push(`${record?.event_id ?? `Record ${index + 1}`}: ${problem}`);
  }
  if (found.length === 0) return collected;

  return {
    ...collected,
    records,
    skipped: collected.skipped + found.length,
    problems: [...found, ...collected.problems],
    complete: false,
  };
}

function problemOf(record: DisruptionRecord, source: string): string | null {
  const [issue] = Sound.safeParse(record).error?.issues ?? [];
  if (issue) return `${issue.path.join('.')}: ${issue.message}`;
  return record.event_id.startsWith(`${source}:`) ? null : 'the id is not one of this source';
}

// Records with a time in the future: the publisher's clock, its time zone or our own clock is wrong.

/** Marks such records, so that they are not shown as new, and adds one line to the problems. No record is left out,
 *  and times stay as published. */
export function flagAhead(collected: Collected, now: Date): Collected {
  const latest = now.getTime() + CLOCK_SKEW_MS;
  let count = 0;
  let first: string | undefined;
  const records = collected.records.map((record) => {
    const ahead = timeAhead(record, latest);
    if (!ahead) return record;
    count += 1;
    first ??= `${record.event_id}: ${ahead}`;
    return { ...record, metadata: { ...record.metadata, clock_skew: true } };
  });
  if (count === 0) return collected;

  const problem = `${count} of ${records.length} records are dated ahead of our clock, among them ${first}`;
  return { ...collected, records, problems: [problem, ...collected.problems] };
}

/** The time of a record that lies in the future, although a change or a start that has happened cannot be later than
 *  now. */
function timeAhead({ updated_at, start_time, phase }: DisruptionRecord, latest: number): string | null {
  const isAhead = (time: string | null) => time !== null && Date.parse(time) > latest;
  if (isAhead(updated_at)) return `updated_at ${updated_at}`;
  return phase === 'active' && isAhead(start_time) ? `active, start_time ${start_time}` : null;
}
