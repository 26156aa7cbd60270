/**
 * Reads the words and fields of one report for `npm run read`: where, when, and whether two reports are one incident.
 */
import type { Disruption } from '#contract/incidents/disruptions.ts';
import type { TimeWindow } from '#contract/incidents/windows.ts';
import { collectorFor } from '../../sources/allSources.ts';
import { noticeOf } from '../../sources/met-police.ts';
import { rateStory } from '../../sources/parts/travelNews.ts';
import { readFacts } from '../../incidents/facts/readFacts.ts';
import { isOff, isOverByWords } from '../../incidents/facts/overInWords.ts';
import { phaseAt, phaseByWindows } from '../../incidents/phase.ts';
import { periodsIn, timesOf } from '../../incidents/timesInForce.ts';
import type { Collector, DisruptionRecord } from '../../incidents/collector.ts';
import { byNewsroom, place } from '../../incidents/place/placeByWords.ts';
import { isOurs } from '../../sources/polling/readSource.ts';
import { reportOf } from '../../incidents/merging/comparedReport.ts';
import { merge } from '../../incidents/merging/merge.ts';

/** One line of the input: words, and any field that a collector of the source returns. */
export interface ReportInput extends Partial<Omit<Disruption, 'metadata'>> {
  text?: string;
  published_at?: string;
  now?: string;
  metadata?: Record<string, unknown>;
  [field: string]: unknown;
}

interface ReportRead {
  place: { latitude: number; longitude: number; radius_km: number; names: string[]; method: string } | null;
  start: string | null;
  end: string | null;
  since: string | null;
  windows: TimeWindow[];
  phase: 'active' | 'planned' | 'ended';
  left_out: string | null;
}

/** Sources without a collector of ours. Their names say which area they write about. */
const PUBLISHERS: Readonly<Record<string, string>> = { trafficwatchni: 'TrafficwatchNI' };
/** Sources that write in their own words. */
const NEWSROOMS: Readonly<Record<string, string>> = {
  news: 'news-rss',
  social: 'twitter.metpoliceuk',
  police: 'twitter.metpoliceuk',
  trafficwatch: 'twitter.metpoliceuk',
};
const KNOWN_FIELDS: ReadonlySet<string> = new Set([
  'event_id',
  'source',
  'severity',
  'event_type',
  'title',
  'summary_line',
  'text',
  'published_at',
  'now',
  'updated_at',
  'start_time',
  'end_time',
  'phase',
  'kind',
  'latitude',
  'longitude',
  'metadata',
  'since',
  'windows',
  'shape',
  'facts',
]);

export function readIncident(input: ReportInput): ReportRead {
  const { record, left_out } = recordOf(input);
  const { latitude, longitude, metadata } = record;
  const radius = metadata.location_reach_km;
  const end = record.end_time ?? record.facts?.expected_clear ?? null;
  const now = input.now ?? record.updated_at;
  const words = `${record.title}. ${record.summary_line}`;
  const isOver =
    end && !isOff(words)
      ? now && Date.parse(end) <= Date.parse(now)
      : (record.phase === 'active' || isOff(words)) &&
        isOverByWords(words, record.facts?.direction ?? undefined);
  return {
    place:
      latitude === null || longitude === null
        ? null
        : {
            latitude,
            longitude,
            radius_km: typeof radius === 'number' ? radius : 1,
            names: metadata.location_names ?? [],
            method: metadata.location_method ?? 'publisher',
          },
    start: record.start_time,
    end,
    since: record.since ?? record.start_time,
    windows: record.windows ?? [],
    phase: isOver ? 'ended' : record.phase,
    left_out,
  };
}

export function compareReports(a: ReportInput, b: ReportInput): { same: boolean; why: string } {
  const [one, other] = [a, b].map((input, at) => {
    const { record } = recordOf(input);
    const event_id = input.event_id ?? `${record.event_id.split(':')[0]}:${at + 1}`;
    const source = typeof input.source === 'string' ? input.source : 'news-rss';
    const start_time = record.start_time ?? input.published_at ?? input.now ?? new Date().toISOString();
    return reportOf({ ...record, event_id, source, start_time });
  });
  const [merged] = one && other ? merge([one, other]) : [];
  const evidence = merged?.others[0]?.evidence;
  return { same: Boolean(evidence), why: evidence?.words ?? 'Nothing shows that they are one.' };
}

function recordOf(input: ReportInput): { record: DisruptionRecord; left_out: string | null } {
  const source = NEWSROOMS[input.source ?? ''] ?? input.source ?? 'news-rss';
  const [title, text] = wordsOf(input);
  // Transport for London also reports roads, in the words of other publishers.
  const isOfRoad = source === 'tfl' && /^\[?[AM]\d/.test(title);
  const ofSource = collectorFor(source);
  const collector: Pick<Collector, 'locate' | 'read' | 'texts'> = {
    locate: byNewsroom,
    ...(isOfRoad ? ofSource?.locate && { locate: ofSource.locate } : ofSource),
  };
  const own = Object.fromEntries(Object.entries(input).filter(([field]) => !KNOWN_FIELDS.has(field)));
  const published = input.published_at ?? input.updated_at ?? null;
  const now = new Date(input.now ?? published ?? Date.now());
  const isStory = source === 'news-rss' || source.startsWith('twitter.');
  const rating = isStory ? rateStory({ title, text }) : null;
  const start = input.start_time ?? published;
  const record: DisruptionRecord = {
    // TfL's roads are read in the same way, whatever lines the source also reports.
    event_id: input.event_id ?? `${isOfRoad ? 'tfl-roads' : source}:1`,
    severity: input.severity ?? 'medium',
    event_type:
      input.event_type ??
      (isStory ? `news.${rating?.mode ?? 'other'}` : isOfRoad ? 'road.incident' : eventTypeOf(source)),
    title,
    summary_line: input.summary_line ?? text,
    updated_at: published,
    start_time: start,
    end_time: input.end_time ?? null,
    phase: (input.phase as DisruptionRecord['phase']) ?? phaseAt(start, now),
    kind: 'alert',
    latitude: input.latitude ?? null,
    longitude: input.longitude ?? null,
    metadata: {
      publisher: PUBLISHERS[source] ?? /^@\w+(?=:)/.exec(title)?.[0] ?? null,
      ...own,
      ...input.metadata,
      ...(rating?.needsPlace && { needs_place: true }),
    },
    ...(input.since && { since: input.since }),
  };
  record.facts = readFacts(record, collector);
  withTimes(record, input, now);
  place(record, collector);
  const isLeftOut =
    !isOurs(record) ||
    (isStory && !rating) ||
    (source === 'met-police' && !noticeOf({ title, description: text }));
  return { record, left_out: isLeftOut ? 'No disruption of transport here.' : null };
}

/** Adds the times in the words when no field gives them. */
function withTimes(record: DisruptionRecord, input: ReportInput, now: Date): void {
  const written = record.updated_at ?? record.start_time ?? now.toISOString();
  const words = timesOf(record, written);
  const periods = periodsIn(record.metadata.validity_periods);
  record.windows = periods.length > 1 ? periods : words.windows;
  record.start_time = input.start_time ?? periods[0]?.start ?? words.start ?? record.start_time;
  const ends = periods.map(({ end }) => end).sort();
  const last = ends.includes(null) ? null : (ends.at(-1) ?? null);
  if (words.since && !input.since) record.since = words.since;
  record.end_time = input.end_time ?? (periods.length > 0 ? last : words.end);
  if (input.phase) return;
  record.phase = phaseAt(record.start_time, now);
  phaseByWindows(record, now);
}

/** Kinds of reports by the words of a source's name, so that a source without a collector of ours is read like
 *  similar ones. */
const EVENT_TYPES: readonly (readonly [RegExp, string])[] = [
  [/^kb-incidents$|^(?:national|network)-rail$/, 'rail.incident'],
  [/^nsi-service$|^(?:train|tram|rail)-operator$/, 'rail.operator_status'],
  [/^tfl$/, 'rail.line_status'],
  [/^met-police$/, 'police.incident'],
  // No collector reads councils. What they write is like news.
  [/^council$/, 'news.road'],
  [/flood|^environment-agency$/, 'flood.warning'],
  [/^met-office$/, 'weather.warning'],
  [/^bods-bus$|^bus-operator$/, 'bus.disruption'],
  [/^airport(?:-status)?$/, 'aviation.status'],
  [/^ferry-operator$/, 'ferry.status'],
];

const eventTypeOf = (source: string) =>
  EVENT_TYPES.find(([name]) => name.test(source))?.[1] ?? 'road.incident';

/** Title and text. If there is only one text, its first line or sentence is the title. */
function wordsOf({ title = '', text = '' }: ReportInput): [string, string] {
  if (title && text && title !== text) return [title, text];
  const only = title || text;
  const end = /\n|(?<=[^ .][.!?])(?<!\b(?:St|Jct|Rd|nr)\.) /.exec(only)?.index ?? only.length;
  return [only.slice(0, end).replace(/\.$/, ''), only.slice(end).trim()];
}
