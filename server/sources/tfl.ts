/** Transport for London, status of every line. Powered by TfL Open Data; contains OS data © Crown copyright and
 *  database rights. Works without a key; `app_key` raises the limits. https://api.tfl.gov.uk/swagger/ui/#!/Line */
import { z } from 'zod';
import type { Phase } from '#contract/incidents/disruptions.ts';
import { Severity, severityRank } from '#contract/incidents/severity.ts';
import type { Collector, DisruptionRecord } from '../incidents/collector.ts';
import { fields, readJson } from '../http/documents/json.ts';
import { toUtc } from '../http/documents/londonTime.ts';
import { plainText, summaryLine, summarised } from '../http/documents/plainText.ts';
import { isMostlyRead, leftOut, problems, readRecords, type Problems } from '../http/documents/records.ts';
import { withoutDuplicates } from '../incidents/listedTwice.ts';
import { byPlace, byStation, found, listOf, textOf } from '../incidents/place/placeByWords.ts';
import { LONDON } from '../geography/names/placeNames.ts';
import { londonNames, tflLine } from '../geography/names/stationNames.ts';
import { afterTheFirst, type Read, type Reported } from '../incidents/facts/reported.ts';
import { readStatement } from '../incidents/facts/titleStatement.ts';
import {
  capital,
  lower,
  quiet,
  sentencesOf,
  splitOnce,
  textsIn,
  tidy,
} from '../incidents/facts/publisherWords.ts';

const STATUS_URL = 'https://api.tfl.gov.uk/Line/Mode/tube,overground,dlr,elizabeth-line,tram/Status';

/** The publisher's numbers are not in order of severity, so the order of these rows decides which of several equally
 *  severe statuses of a line is the worst. For works that have not begun, `planned` is the severity where it
 *  differs. `null`: nothing to report. */
const STATUSES: readonly { code: number; words: string; severity: Severity | null; planned?: Severity }[] = [
  { code: 2, words: 'Suspended', severity: 'critical' },
  { code: 1, words: 'Closed', severity: 'critical' },
  { code: 16, words: 'Not Running', severity: 'critical' },
  { code: 3, words: 'Part Suspended', severity: 'high' },
  { code: 11, words: 'Part Closed', severity: 'high' },
  { code: 6, words: 'Severe Delays', severity: 'high' },
  { code: 4, words: 'Planned Closure', severity: 'medium', planned: 'low' },
  { code: 5, words: 'Part Closure', severity: 'medium', planned: 'low' },
  { code: 8, words: 'Bus Service', severity: 'medium' },
  { code: 7, words: 'Reduced Service', severity: 'medium' },
  { code: 15, words: 'Diverted', severity: 'medium' },
  { code: 17, words: 'Issues Reported', severity: 'medium' },
  { code: 9, words: 'Minor Delays', severity: 'low' },
  { code: 14, words: 'Change of frequency', severity: 'low' },
  { code: 12, words: 'Exit Only', severity: 'low' },
  { code: 13, words: 'No Step Free Access', severity: 'low' },
  { code: 0, words: 'Special Service', severity: 'low' },
  { code: 19, words: 'Information', severity: 'low' },
  { code: 10, words: 'Good Service', severity: null },
  { code: 18, words: 'No Issues', severity: null },
  // The normal state of a line at night; codes 1 and 16 mean something else.
  { code: 20, words: 'Service Closed', severity: null },
];

const ValidityPeriod = z.object({
  fromDate: z.string().nullish(),
  toDate: z.string().nullish(),
  isNow: z.boolean().nullish(),
});

const LineStatus = z.object({
  statusSeverity: z.number().int(),
  statusSeverityDescription: z.string().nullish(),
  reason: z.string().nullish(),
  validityPeriods: z.array(ValidityPeriod).nullish(),
  disruption: z.object({ category: z.string().nullish(), closureText: z.string().nullish() }).nullish(),
});

const Line = z.object({
  id: z.string().min(1),
  name: z.string().nullish(),
  modeName: z.string().nullish(),
  lineStatuses: z.array(LineStatus).min(1),
});

/** One status of a line. Identical statuses become one. */
interface Status {
  code: number;
  /** The publisher's own words. */
  words: string;
  /** Null: nothing to report. */
  severity: Severity | null;
  isRated: boolean;
  /** Its row in STATUSES: lower is worse. */
  order: number;
  phase: Phase;
  reason: string | null;
  category: string | null;
  /** UTC; null when the publisher gives no start. */
  from: string | null;
  /** Only for works: for a real-time disruption the publisher gives the end of the traffic day. */
  to: string | null;
}

/** The most statuses of a line that are read for facts; a line has only a few. */
const STATUSES_MAX = 10;

export const tfl: Collector = {
  source: 'tfl',
  publisher: {
    publisher: 'Transport for London',
    licence: {
      name: 'TfL open data terms',
      url: 'https://tfl.gov.uk/corporate/terms-and-conditions/transport-data-service',
    },
    attribution:
      'Powered by TfL Open Data. Contains OS data © Crown copyright and database rights 2016 and Geomni UK Map data © ' +
      'and database rights 2019.',
  },
  everyMinutes: 2,
  maxAgeMinutes: 15,
  settings: [
    { name: 'TFL_URL', about: `address of the line status call (default ${STATUS_URL})` },
    {
      name: 'TFL_APP_KEY',
      secret: true,
      about: 'key of the TfL Unified API; raises its limits',
    },
  ],
  absentPolls: 1,
  // A document without lines is a fault, and is refused below. A night without disruption is normal.
  neverEmpty: false,

  read: readLine,
  texts({ metadata }) {
    const said = listOf(metadata.statuses)
      .slice(0, STATUSES_MAX)
      .flatMap(({ reason }) => textsIn(reason));
    return said.length > 0 ? { said, advice: afterTheFirst(said) } : {};
  },
  locate(record) {
    const { title, summary_line, metadata } = record;
    const reasons = listOf(metadata.statuses).map(({ reason }) => textOf(reason));
    const texts = reasons.length > 0 ? reasons : [title, summary_line];
    const line = textOf(metadata.line) || (/\bgood service\b/i.test(title) ? '' : lineIdIn(title));
    const whole = tflLine(line);
    const said = texts.map((text) =>
      text
        // "Victoria: Severe Delays" is about the line, and not the station.
        .replace(/^[^:]{3,40}: /, (start) => (whole && lineIdIn(start) === line ? '' : start))
        // "GREAT CAMBRIDGE ROAD (N18) (Enfield)": the postcode says more than the borough.
        .replace(/\([A-Z]{1,2}\d[^()]*\) \([^()]+\)/, ''),
    );
    const at = byStation(said, londonNames()) ?? found(whole, 'line');
    // A record without a line is about a road, bridge or tunnel.
    return at ?? (line === '' ? byPlace(record, LONDON) : null);
  },

  async collect({ get, now, settings }) {
    const found = problems();
    const { body } = await get(statusUrl(settings));
    const lines = readJson(body);
    if (Array.isArray(lines) && lines.length === 0) {
      throw new Error('TfL lists no lines; it always lists every line, so this is a fault.');
    }

    const read = readRecords(Line, lines, found, nameOfLine, idOfLine);
    if (read.length === 0)
      throw new Error(`TfL: none of the ${found.skipped} lines can be read: ${found.list[0]}`);
    const ended: string[] = [];
    const records = read.flatMap((line) => {
      const ofLine = toRecord(line, now, found);
      // Good service, or works that are over: the line itself says so.
      if (ofLine.length === 0) ended.push(`tfl:${line.id}`);
      return ofLine;
    });
    return {
      records: withoutDuplicates(records, found),
      ...leftOut(found),
      complete: isMostlyRead(found, read.length),
      ...(ended.length > 0 && { ended }),
    };
  },
};

function statusUrl({ TFL_URL, TFL_APP_KEY }: Readonly<Record<string, string | undefined>>): string {
  const url = URL.parse(TFL_URL || STATUS_URL);
  if (!url) throw new Error('TFL_URL is not an address.');
  if (TFL_APP_KEY) url.searchParams.set('app_key', TFL_APP_KEY);
  return url.href;
}

function nameOfLine(item: unknown, index: number): string {
  const { id, name } = fields(item);
  return `Line ${typeof id === 'string' && id ? id : typeof name === 'string' && name ? name : index + 1}`;
}

function idOfLine(item: unknown): string | null {
  const { id } = fields(item);
  return typeof id === 'string' && id ? `tfl:${id}` : null;
}

/** One record for the whole line: the worst status in force, otherwise the worst planned one; none for good service. */
function toRecord(line: z.infer<typeof Line>, now: Date, problems: Problems): DisruptionRecord[] {
  const name = plainText(line.name ?? '') || line.id;
  const statuses = merged(
    line.lineStatuses.flatMap((status) => readStatus(status, now, name, problems)),
  ).filter(({ severity }) => severity !== null);
  const phase: Phase = statuses.some((status) => status.phase === 'active') ? 'active' : 'planned';
  const counted = statuses.filter((status) => status.phase === phase);
  const worst = counted[0];
  if (!worst?.severity) return [];

  return [
    {
      event_id: `tfl:${line.id}`,
      severity: worst.severity,
      event_type: 'rail.line_status',
      title: summaryLine(`${name}: ${worst.words}`),
      ...summarised(withoutLineName(worst.reason ?? '', name) || `${name}: ${worst.words}`),
      // `created` and `modified` are the times when the publisher loaded its data.
      updated_at: null,
      start_time: earliest(counted.map(({ from }) => from)),
      end_time: endOf(counted, now),
      phase,
      kind: 'alert',
      latitude: null,
      longitude: null,
      metadata: {
        upstream_severity: worst.words,
        ...(!worst.isRated && { severity_unrated: true }),
        line: line.id,
        ...(line.modeName && { mode: plainText(line.modeName) }),
        statuses: statuses.map(({ code, words, phase, reason, category, from, to }) => ({
          code,
          status: words,
          phase,
          reason,
          category,
          from,
          to,
        })),
      },
    },
  ];
}

/** Null when the status is over. */
function readStatus(
  status: z.infer<typeof LineStatus>,
  now: Date,
  line: string,
  problems: Problems,
): Status[] {
  const row = STATUSES.findIndex(({ code }) => code === status.statusSeverity);
  const known = STATUSES[row];
  const words =
    plainText(status.statusSeverityDescription ?? '') || known?.words || `Status ${status.statusSeverity}`;
  if (!known)
    problems.note(`${line}: unknown status ${status.statusSeverity} "${words}", counted as medium, unrated`);

  const periods = (status.validityPeriods ?? []).map(({ fromDate, toDate, isNow }) => {
    const [from, to] = [toUtc(fromDate), toUtc(toDate)];
    for (const time of [fromDate, toDate])
      if (time && !toUtc(time)) problems.note(`${line}: unreadable time "${time}"`);
    return { from, to, when: whenIs(from, to, isNow ?? null, now) };
  });
  const inForce = periods.filter(({ when }) => when === 'now');
  const ahead = periods.filter(({ when }) => when === 'later');
  if (periods.length > 0 && inForce.length === 0 && ahead.length === 0) return [];

  const phase: Phase = periods.length > 0 && inForce.length === 0 ? 'planned' : 'active';
  const counted = phase === 'active' ? inForce : ahead;
  const severity = known ? known.severity : 'medium';
  const category = plainText(status.disruption?.category ?? '') || null;
  return [
    {
      code: status.statusSeverity,
      words,
      severity: phase === 'planned' && severity !== null ? (known?.planned ?? severity) : severity,
      isRated: known !== undefined,
      // An unknown status is ordered by its severity: before the first status below medium.
      order: known ? row : STATUSES.findIndex((other) => other.severity === 'low'),
      phase,
      reason: plainText(status.reason ?? '') || null,
      category,
      from: earliest(counted.map(({ from }) => from)),
      to: phase === 'planned' || category === 'PlannedWork' ? latest(counted.map(({ to }) => to)) : null,
    },
  ];
}

/** Whether a status is in force, planned or over. The publisher's own word comes first, because its end times are
 *  often placeholders. */
function whenIs(
  from: string | null,
  to: string | null,
  isNow: boolean | null,
  now: Date,
): 'now' | 'later' | 'over' {
  if (isNow === true) return 'now';
  const time = now.toISOString();
  if (to !== null && to <= time) return 'over';
  if (isNow === false) return 'later';
  return from !== null && from > time ? 'later' : 'now';
}

/** The statuses, worst first. The same words with the same reason appear once, for their whole period. */
function merged(statuses: readonly Status[]): Status[] {
  const byContent = new Map<string, Status>();
  for (const status of statuses) {
    const key = JSON.stringify([status.code, status.words, status.phase, status.reason, status.category]);
    const same = byContent.get(key);
    byContent.set(
      key,
      same ? { ...same, from: earliest([same.from, status.from]), to: latest([same.to, status.to]) } : status,
    );
  }
  return [...byContent.values()].sort(
    (a, b) =>
      badness(a) - badness(b) ||
      a.order - b.order ||
      (a.from ?? '').localeCompare(b.from ?? '') ||
      (a.reason ?? '').localeCompare(b.reason ?? ''),
  );
}

/** 0 is the worst. */
const badness = ({ severity }: Status) =>
  severity === null ? Severity.options.length : severityRank(severity);

const earliest = (times: (string | null)[]) => times.filter((time) => time !== null).sort()[0] ?? null;
const latest = (times: (string | null)[]) =>
  times
    .filter((time) => time !== null)
    .sort()
    .at(-1) ?? null;

/** The end of the works. Null when a disruption counts too, because its end is not known. */
function endOf(statuses: readonly Status[], now: Date): string | null {
  if (statuses.some(({ to }) => to === null)) return null;

  const end = latest(statuses.map(({ to }) => to));
  // An incident that the publisher calls in force is in force, even after its end time.
  return end !== null && end > now.toISOString() ? end : null;
}

/** "DISTRICT LINE: No service …": the title already names the line. */
function withoutLineName(reason: string, name: string): string {
  const colon = reason.indexOf(':');
  const head = reason
    .slice(0, Math.max(0, colon))
    .trim()
    .toLowerCase()
    .replace(/ line$/, '');
  return head !== '' && head === name.toLowerCase().replace(/ line$/, '')
    ? reason.slice(colon + 1).trim()
    : reason;
}

/** A line of Transport for London: the status is its grade, and the reason says where and why. */
function readLine({ title, metadata }: Reported): Read | null {
  const [name = '', status = ''] = splitOnce(title, ': ');
  const own = lineName(name);
  const grade = lower(tidy(status)).toLowerCase();
  if (!own || !grade) return null;
  const [first] = (Array.isArray(metadata.statuses) ? metadata.statuses : []) as { reason?: unknown }[];
  const reason = typeof first?.reason === 'string' ? first.reason : '';
  const sentences = sentencesOf(reason.replace(/^[^:.]{1,60}:\s*/, '').replace(DAYS_FIRST, '')).map(
    (sentence) => quiet(capital(sentence)),
  );
  const read = sentences.map((sentence) => readStatement(sentence, { isRail: true }));
  const [said] = read;
  const rest = sentences
    .slice(1)
    .map((sentence) =>
      /^((?:severe|minor) delays) on the rest of the line/i.exec(sentence)?.[1]?.toLowerCase(),
    )
    .find(Boolean);
  const isPart =
    grade.startsWith('part ') && said?.place && said.effect && /^no (?:service|trains)/.test(said.effect);
  // "severe delays northbound only"
  const whole = said?.effect?.startsWith(grade) ? said.effect : worded(grade, own);
  // "Severe delays between Acton Town and Cockfosters, eastbound only."
  const elsewhere = read
    .slice(1)
    .find(
      (one) => one?.place && one.place !== said?.place && /^(?:severe|minor) delays$/.test(one.effect ?? ''),
    );
  const effect = [
    isPart ? said.effect : whole,
    rest && `${rest} on the rest`,
    elsewhere && `${elsewhere.effect} ${elsewhere.place}`,
  ]
    .filter(Boolean)
    .join(', ');
  return { place: [own, said?.place].filter(Boolean).join(', '), effect, cause: said?.cause ?? null };
}

/** "Sunday 22 November and Monday 23 November, no service …" */
const DAYS_FIRST =
  /^(?:from |on |until )?(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?,? ?(?:\d{1,2} ?)?(?:[a-z]{3,9} ?)?(?:and |to |until |, )?){1,6},\s*/i;

/** "Hammersmith & City: Severe Delays" is about the line with the id `hammersmith-city`. */
const lineIdIn = (title: string) =>
  (/^(?:london )?([a-z]+(?: (?:&|and) city)?)s?(?: line)?:/i.exec(title)?.[1] ?? '')
    .toLowerCase()
    .replace(/ (?:&|and) /, '-')
    .replace(/^trams$/, 'tram');

/** "part closure" is "part closed". */
const worded = (grade: string, line: string) =>
  grade
    .replace(/\bclosure\b/, 'closed')
    .replace(/^planned (?=closed)/, '')
    .replace(/^bus service$/, line === TRAMS ? 'buses replace trams' : 'buses replace trains');

const TRAMS = 'London Trams';

function lineName(name: string): string {
  const said = name.trim();
  if (said === '' || said.length > 60) return '';
  return /\bline$|^dlr$|^tram|^london|^thames|cable car$/i.test(said)
    ? said.replace(/^Tram$/, TRAMS)
    : `${said} line`;
}
