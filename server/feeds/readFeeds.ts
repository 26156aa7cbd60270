/** The current content of a feed: its sources' condition, its alerts with their counts, and a hash of it all. */
import { createHash } from 'node:crypto';
import { TZDate } from '@date-fns/tz';
import { format } from 'date-fns/format';
import { isSameDay } from 'date-fns/isSameDay';
import type { Disruption } from '#contract/incidents/disruptions.ts';
import type { Severity } from '#contract/incidents/severity.ts';
import { EVENTS_PER_FEED, type Feed, type FeedDefinition, FEEDS } from '#contract/feeds/feeds.ts';
import { LONDON } from '#contract/london.ts';
import { knownSource } from '#contract/feeds/knownSources.ts';
import { collections } from '../incidents/collectionState.ts';
import { disruptions } from '../incidents/list/disruptions.ts';
import { countedOnce, type Duplicates } from '../incidents/list/duplicates.ts';
import { filtered } from '../incidents/list/filteredDisruptions.ts';
import type { Db } from '../db/open.ts';
import {
  type Condition,
  conditionsAt,
  type Declared,
  feedCondition,
  soonest,
  toSource,
} from './sourceCondition.ts';
import { withTrends } from './trendStore.ts';

type SeverityCounts = Readonly<Record<Severity, number>>;

/** The standing of a source: `current` (fresh or late), `stale`, `waiting` (never collected), `not_connected`. */
export interface SourceInput {
  source: string;
  displayName: string;
  standing: 'current' | 'stale' | 'waiting' | 'not_connected';
  /** ISO 8601, UTC; only for a stale source, so that an ordinary poll changes nothing here. */
  last_collected: string | null;
  /** The same time in London: "11:48", or "11:48 on 20 Nov" when that was another day. Null: not known. */
  since: string | null;
}

/** Everything that a summary can be based on. Values that change with every poll, or with time alone, are not part
 *  of the hash. */
export interface SummaryInput {
  slug: string;
  title: string;
  sources: readonly SourceInput[];
  /** The number of active alerts; `events` can hold fewer. */
  alert_count: number;
  by_severity: SeverityCounts;
  /** At most 20: active ones first, then planned ones; each group worst first. */
  events: readonly Disruption[];
}

export interface FeedReading {
  feed: Feed;
  events: Disruption[];
  input: SummaryInput;
  /** The hash of the input: equal as long as a summary of the input would be the same. */
  inputHash: string;
  /** The next time, in ms since 1970, when this reading changes without a write; null: never. */
  nextChangeAt: number | null;
}

/** Reads these feeds, in the order given. The default is all feeds in the fixed order of the board. `all`: the feeds
 *  of the board. */
export async function readFeeds(
  parts: { db: Db; collectors: readonly Declared[] },
  now: Date,
  definitions?: readonly FeedDefinition[],
  all: readonly FeedDefinition[] = FEEDS,
): Promise<FeedReading[]> {
  const conditionOf = conditionsAt(await collections(parts.db).all(), parts.collectors, now);
  const counts = await disruptions(parts.db).counts();

  const isOfConnected = (source: string) => isConnected(conditionOf(source));
  const known = await disruptions(parts.db).duplicates(
    all.flatMap(({ sources }) => sources).filter(isOfConnected),
  );

  const readings: FeedReading[] = [];
  for (const definition of definitions ?? all) {
    const sources = definition.sources.map(conditionOf);
    // Records of a source that is no longer connected are not kept up to date.
    const connected = sources.filter(isConnected).map(({ source }) => source);
    const { own: twice, elsewhere } = duplicatesIn(connected, known);
    const { events: reports } = connected.length
      ? await disruptions(parts.db).alertsOf(connected, EVENTS_PER_FEED, asGrave(twice, elsewhere))
      : { events: [] };
    const mains = await filtered(parts.db).some([...elsewhere.values()].map(({ into }) => into));
    const shown = reports.map((report) => asOne(report, elsewhere.get(report.event_id), mains, all));
    const events = [...new Map(shown.map((event) => [event.event_id, event])).values()];
    const trended = await withTrends(parts.db, events, now);
    const own = counts.filter(({ source }) => connected.includes(source));
    const counted = {
      ofSources: own,
      once: countedOnce(own, {
        merged: new Map([...twice.merged, ...elsewhere]),
        mains: twice.mains,
      }),
    };
    const planned = await disruptions(parts.db).plannedCount(connected);
    readings.push(toReading(definition, sources, trended, { ...counted, planned }, now));
  }
  return readings;
}

type Elsewhere = ReadonlyMap<string, { source: string; severity: Severity; into: string; main: Main }>;
type Main = { source: string; worst: Severity };

/** Two groups of duplicates: `own` are left out of this feed, because it lists their main alert. `elsewhere` are
 *  listed, because their main alert is in another feed. */
function duplicatesIn(sources: readonly string[], { merged, mains }: Duplicates) {
  const isOwn = (source: string) => sources.includes(source);
  const here = [...merged].filter(([, { source }]) => isOwn(source));
  const mainOf = (into: string) => mains.get(into)!; // every duplicate is merged into one of them
  const elsewhere: Elsewhere = new Map(
    here
      .filter(([, { into }]) => !isOwn(mainOf(into).source))
      .map(([id, one]) => [id, { ...one, main: mainOf(one.into) }]),
  );
  const own: Duplicates = {
    merged: new Map(here.filter(([id]) => !elsewhere.has(id))),
    mains: new Map([...mains].filter(([, { source }]) => isOwn(source))),
  };
  return { own, elsewhere };
}

/** Reports whose incident is in another feed are ranked like that incident. */
const asGrave = ({ merged, mains }: Duplicates, elsewhere: Elsewhere): Duplicates => ({
  merged,
  mains: new Map([
    ...mains,
    ...[...elsewhere].map(([id, { source, severity, main }]): [string, Mains] => [
      id,
      { source, severity, title: '', worst: main.worst, also: [] },
    ]),
  ]),
});
type Mains = Duplicates['mains'] extends ReadonlyMap<string, infer One> ? One : never;

/** The incident of another feed that this report belongs to, under that incident's id. */
function asOne(
  report: Disruption,
  there: Elsewhere extends ReadonlyMap<string, infer One> ? One | undefined : never,
  mains: ReadonlyMap<string, Disruption>,
  all: readonly FeedDefinition[],
): Disruption {
  const incident = there && mains.get(there.into);
  if (!incident) return report;
  const feed = all.find(({ sources }) => sources.includes(there.main.source))?.slug;
  return { ...incident, ...(feed && { see: { event_id: there.into, feed } }) };
}

type Counts = Awaited<ReturnType<ReturnType<typeof disruptions>['counts']>>;

function toReading(
  { slug, title, category, description }: FeedDefinition,
  sources: readonly Condition[],
  { events, nextChangeAt: trendEnds }: { events: Disruption[]; nextChangeAt: number | null },
  /** Counts of the connected sources: per source, and with each incident counted once. */
  { ofSources, once: counted, planned }: { ofSources: Counts; once: Counts; planned: number },
  now: Date,
): FeedReading {
  const { freshness, last_updated, oldest_collected, nextChangeAt } = feedCondition(sources);

  const alert_count = sum(counted);
  const by_severity = bySeverity(counted);
  const feed: Feed = {
    slug,
    title,
    category,
    description,
    alert_count,
    planned_count: planned,
    by_severity,
    last_updated,
    oldest_collected,
    freshness,
    sources: sources.map((condition) =>
      toSource(condition, sum(ofSources.filter(({ source }) => source === condition.source))),
    ),
  };
  const isOwn = ({ see }: Disruption) => see === undefined;
  const input: SummaryInput = {
    slug,
    title,
    sources: sources.map((condition) => toInput(condition, now)),
    alert_count,
    by_severity,
    events: events.filter(isOwn),
  };
  const changes = soonest([nextChangeAt, trendEnds]);
  return { feed, events, input, inputHash: hashOf(input), nextChangeAt: changes };
}

function bySeverity(counts: Counts): SeverityCounts {
  const of = (level: Severity) => sum(counts.filter(({ severity }) => severity === level));
  return { critical: of('critical'), high: of('high'), medium: of('medium'), low: of('low') };
}

const isConnected = ({ state }: Condition) => state !== 'not_configured';

const sum = (counts: Counts) => counts.reduce((total, { count }) => total + count, 0);

function toInput(condition: Condition, now: Date): SourceInput {
  const { source, state, freshness, last_collected } = condition;
  const common = { source, displayName: knownSource(source).displayName, last_collected: null, since: null };
  if (state === 'not_configured') return { ...common, standing: 'not_connected' };
  if (freshness === null) return { ...common, standing: 'waiting' };
  if (freshness !== 'stale') return { ...common, standing: 'current' };
  // The time in the row is in the future, so the real time is not known.
  if (last_collected === null) return { ...common, standing: 'stale' };
  return { ...common, standing: 'stale', last_collected, since: londonTime(last_collected, now) };
}

function londonTime(time: string, now: Date): string {
  const then = new TZDate(time, LONDON);
  return format(then, isSameDay(then, new TZDate(now, LONDON)) ? 'HH:mm' : "HH:mm 'on' d MMM");
}

function hashOf(input: SummaryInput): string {
  const lasting = {
    ...input,
    events: input.events.map((event) => ({
      ...event,
      collected_at: undefined,
      trend: undefined,
    })),
  };
  return createHash('sha256').update(JSON.stringify(lasting)).digest('hex');
}
