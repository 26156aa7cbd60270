/** The board at a time in the past. No board is recorded: it is made again for any minute, as long as housekeeping
 *  keeps the versions and polls of that time. These are put into a small database in memory, and the board's own
 *  queries read it. So the rules about counts, order, merging and freshness are written only once. */
import { addRows } from '../../db/statements.ts';
import type { Disruption } from '#contract/incidents/disruptions.ts';
import { kilometres } from '#contract/places/distance.ts';
import { type FeedDefinition, FEEDS, type FeedBundle } from '#contract/feeds/feeds.ts';
import { severityRank } from '#contract/incidents/severity.ts';
import { disruptions } from '../../incidents/list/disruptions.ts';
import { history, type PastIncident } from './pastStore.ts';
import { type Db, openMemoryDatabase } from '../../db/open.ts';
import type { RowOf } from '../../db/schema.ts';
import { summaries } from '../summaries/summaryStore.ts';
import { TREND_MS } from '../../incidents/trend.ts';
import { toSummary } from '../feedAnswers.ts';
import type { Declared } from '../sourceCondition.ts';
import { readFeeds } from '../readFeeds.ts';

/** The feed that shows incidents of sources that this version no longer knows, by the first word of their type. */
const FEED_OF_TYPE: Readonly<Record<string, string>> = {
  rail: 'rail-network',
  road: 'roads-uk',
  bus: 'roads-uk',
  aviation: 'aviation',
  weather: 'weather-flood',
  flood: 'weather-flood',
};
const FEED_OF_OTHERS = 'public-safety';
/** A source without a collector is stale after it has missed this many polls. */
const POLLS_MISSED = 4;

interface Circle {
  latitude: number;
  longitude: number;
  radius_km: number;
}

/** All feeds as they were answered at that time, and the incidents whose ids are given. `near`: only incidents
 *  inside the circle; `withoutPosition` counts the alerts that could not be tested. */
export async function boardAt(
  {
    db,
    collectors,
    near,
    ids = [],
  }: { db: Db; collectors: readonly Declared[]; near?: Circle | null; ids?: readonly string[] },
  then: Date,
): Promise<{ feeds: FeedBundle[]; withoutPosition: number; named: Disruption[] }> {
  const past = history(db);
  const all = await past.inForceAt(then);
  const incidents = near ? all.filter((incident) => isWithin(incident, near)) : all;
  const withoutPosition = all.filter(({ latitude, kind }) => latitude === null && kind === 'alert').length;
  const sources = [...new Set([...(await past.sources()), ...incidents.map(({ source }) => source)])];
  const feeds = feedsWith(incidents);
  const declared = [...collectors];
  for (const source of sources)
    if (!collectors.some((collector) => collector.source === source))
      declared.push(declaredBy(source, await past.rhythmAt(source, then)));

  const scratch = await openMemoryDatabase();
  try {
    await fill(scratch.db, db, then, incidents, sources);
    const readings = await readFeeds({ db: scratch.db, collectors: declared }, then, undefined, feeds);
    const said = new Map((await past.summariesAt(then)).map((row) => [row.feed, row]));
    const bundles = await Promise.all(
      readings.map(async ({ feed, events, inputHash }) => {
        const row = said.get(feed.slug);
        const ended = new Set(row ? await summaries(scratch.db).endedOf(JSON.parse(row.event_ids)) : []);
        // A summary of the past is never about to be replaced.
        const summary = row ? { ...toSummary(row, inputHash, ended), stale: false } : null;
        // A summary covers the whole country, so it cannot stand for a circle.
        return { feed, events, summary: near ? null : summary };
      }),
    );
    const named = ids.length > 0 ? await disruptions(scratch.db).standing(ids) : [];
    return { feeds: bundles, withoutPosition, named };
  } finally {
    await scratch.close();
  }
}

export const isWithin = (
  { latitude, longitude }: { latitude: number | null; longitude: number | null },
  near: Circle,
) =>
  latitude !== null &&
  longitude !== null &&
  kilometres(near.latitude, near.longitude, latitude, longitude) <= near.radius_km;

async function fill(
  into: Db,
  db: Db,
  then: Date,
  incidents: readonly PastIncident[],
  sources: readonly string[],
): Promise<void> {
  const past = history(db);
  const collections = await past.collectionsAt(sources, then);
  await addRows(into, 'collections', collections);
  const lastGood = new Map(collections.map(({ source, last_success }) => [source, last_success]));
  const now = incidents.map((incident) => toRow(incident, lastGood.get(incident.source) ?? null));
  await addRows(into, 'disruptions', now);
  const ids = incidents.map(({ event_id }) => event_id);
  const replaced = await past.replacedBetween(ids, new Date(then.getTime() - TREND_MS), then);
  await addRows(into, 'disruption_versions', replaced);
  const merged = await past.mergedAt(then);
  await addRows(into, 'merged_reports', merged);
}

/** A row as if the incident were in force now. Columns that the board does not read stay empty. */
const toRow = (incident: PastIncident, lastGood: string | null): RowOf<'disruptions'> => ({
  ...incident,
  // An incident that every poll contained until then is as old as its source's last good poll.
  ...(lastGood !== null &&
    !(incident.unseen && incident.last_seen_at < lastGood) && { unseen: 0, last_seen_at: '' }),
  severity_rank: severityRank(incident.severity),
  search_text: '',
  roads: '',
  ends_on_time: 0,
  reach_km: 0,
  content_hash: '',
  absent_polls: 0,
  ended_at: null,
  ended_reason: null,
  version_seen_at: incident.first_seen_at,
  geometry: null,
  west: null,
  south: null,
  east: null,
  north: null,
});

/** The board's feeds. Each also has the sources that were part of it and are no longer. */
function feedsWith(incidents: readonly PastIncident[]): FeedDefinition[] {
  const known = new Set(FEEDS.flatMap(({ sources }) => sources));
  const others = new Map<string, string>();
  for (const { source, event_type } of incidents)
    if (!known.has(source)) others.set(source, slugOf(event_type));
  return FEEDS.map((feed) => ({
    ...feed,
    sources: [
      ...feed.sources,
      ...[...others].flatMap(([source, slug]) => (slug === feed.slug ? source : [])).sort(),
    ],
  }));
}

const slugOf = (type: Disruption['event_type']) =>
  FEED_OF_TYPE[type.split('.', 1)[0] ?? ''] ?? FEED_OF_OTHERS;

function declaredBy(source: string, everyMinutes: number | null): Declared {
  const every = everyMinutes ?? 15;
  return { source, everyMinutes: every, maxAgeMinutes: POLLS_MISSED * every };
}
