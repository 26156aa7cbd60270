/** How reliable each source was, by fixed formulas over what is recorded. */
import { setImmediate } from 'node:timers/promises';
import { HOUR_MS } from '#contract/durations.ts';
import { isOwn } from '#contract/feeds/knownSources.ts';
import type { SourceStats } from '#contract/history/history.ts';
import { collections } from '../../incidents/collectionState.ts';
import { history } from '../../feeds/past/pastStore.ts';
import { iso } from '../../db/instant.ts';
import type { Db } from '../../db/open.ts';
import { reliability } from './reliabilityStore.ts';
import type { RowOf } from '../../db/schema.ts';
import { type Declared, spans } from '../../feeds/sourceCondition.ts';

/** A closure counts as late if we read it later than this after it began. */
const LATE_MS = 15 * 60_000;
/** An end and a new beginning within this time are a flap. */
const FLAP_MS = 30 * 60_000;
/** A source that was not asked for as long as this is no longer set up. */
const ASKED_WITHIN_MS = 24 * HOUR_MS;

interface Parts {
  db: Db;
  collectors: readonly Declared[];
}

/** The figures of every source that was ever set up, by name. */
export async function sourceStats({ db, collectors }: Parts, from: Date, now: Date): Promise<SourceStats[]> {
  const known = reliability(db);
  const seen = await known.firstSights(from);
  const notices = Map.groupBy(
    seen.sights.map((sight) => ({
      source: sight.source,
      ms: Date.parse(sight.first_seen_at) - Date.parse(sight.updated_at),
    })),
    ({ source }) => source,
  );
  const closures = Map.groupBy(
    // If the publisher gives no start, the stored start is the time at which we first read the incident.
    seen.closures.filter((one) => one.start_time !== one.first_seen_at),
    ({ source }) => source,
  );
  const changes = Map.groupBy(await known.changes(from, now), ({ source }) => source);
  const changed = Map.groupBy(await known.changedIncidents(from, now), ({ source }) => source);
  const flaps = countBy(
    (await known.beganAgain(from, now))
      .filter(({ began, ended }) => Date.parse(began) - Date.parse(ended) <= FLAP_MS)
      .map(({ source }) => source),
  );
  const { sent, marked } = await markedSince(db, from);

  const rows = (await collections(db).all()).filter(({ last_attempt }) => last_attempt !== null);
  const stats: SourceStats[] = [];
  for (const row of rows) {
    await setImmediate();
    const { source } = row;
    const said = changes.get(source) ?? [];
    const of = (kind: string) => sumOf(said.filter((one) => one.kind === kind));
    const own = closures.get(source) ?? [];
    const late = own.filter(
      (one) => Date.parse(one.first_seen_at) - Date.parse(one.start_time) > LATE_MS,
    ).length;
    const [lost, ended] = [of('lost'), of('ended')];
    const incidents = sumOf(changed.get(source) ?? []);
    const [sentBy, notOurs] = [sent.get(source) ?? 0, marked.get(source) ?? 0];
    stats.push({
      source,
      availability: await availabilityOf({ db, collectors }, row, from, now),
      // If the publisher gives no time, or its clock is ahead, the notice is unknown.
      notice_seconds: median((notices.get(source) ?? []).flatMap(({ ms }) => (ms > 0 ? ms : []))),
      late_closures: share(late, own.length),
      closures: own.length,
      lost: share(lost, ended + lost),
      ended,
      churn: share(sumOf(said), incidents),
      flaps: flaps.get(source) ?? 0,
      precision: sentBy > 0 ? Math.max(0, 1 - notOurs / sentBy) : null,
      sent: sentBy,
      not_ours: notOurs,
    });
  }
  return stats;
}

/** By source: the messages sent since then, and how many of their incidents were marked as not ours. `teamId`: only
 *  what this team was sent and marked. */
export async function markedSince(db: Db, from: Date, teamId?: string) {
  const messages = await reliability(db).sent(from, teamId);
  const notified = new Set(
    messages.flatMap(({ team_id, event_ids }) => event_ids.map((id) => keyOf(team_id, id))),
  );
  // Only an incident that a publisher reported and that was sent to the team can be its false alarm. The team's own
  // reports, whose ids begin with their source, are left out.
  const marks = (await reliability(db).notOurs(from, teamId)).filter(
    ({ team_id, event_id }) => notified.has(keyOf(team_id, event_id)) && !isOwn({ source: event_id }),
  );
  return {
    sent: countBy(messages.flatMap(({ event_ids }) => [...new Set(event_ids.map(sourceOf))])),
    marked: countBy(marks.map(({ event_id }) => sourceOf(event_id))),
  };
}

const keyOf = (team: string | null, eventId: string) => `${team ?? ''} ${eventId}`;

/** The seconds when it was fresh divided by the seconds when it was set up; null before anything was asked. */
async function availabilityOf(
  { db, collectors }: Parts,
  { source, last_attempt }: RowOf<'collections'>,
  from: Date,
  now: Date,
): Promise<number | null> {
  const collector = collectors.find((one) => one.source === source);
  const { freshMs } = spans(collector ?? { source, everyMinutes: 15, maxAgeMinutes: 60 });
  const hours = await reliability(db).hours(source, from);
  const folded = hours.at(-1);
  const single = folded ? new Date(Date.parse(folded.hour) + HOUR_MS) : from;
  const good = await history(db).singlePolls(source, single, now);

  const first = [hours[0]?.hour, good.find((at) => at >= iso(single))].flatMap((at) => at ?? []).sort()[0];
  const isSetUp = now.getTime() - Date.parse(last_attempt ?? '') < ASKED_WITHIN_MS;
  const begin = good.some((at) => at < iso(from)) ? from.getTime() : Date.parse(first ?? '');
  const end = isSetUp ? now.getTime() : Date.parse(last_attempt ?? '');
  if (Number.isNaN(begin) || end <= begin) return isSetUp && Number.isNaN(begin) ? 0 : null;

  let fresh = hours.reduce((sum, { fresh_s }) => sum + fresh_s * 1000, 0);
  let until = Math.max(begin, single.getTime());
  for (const at of good) {
    const to = Math.min(Date.parse(at) + freshMs, end);
    const start = Math.max(Date.parse(at), until);
    if (to <= start) continue;
    fresh += to - start;
    until = to;
  }
  return Math.min(1, rounded(fresh / (end - begin)));
}

const sourceOf = (eventId: string) => eventId.split(':', 1)[0]!; // a split gives at least one

function countBy(names: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}

const sumOf = (counts: readonly { count: number }[]) => counts.reduce((sum, { count }) => sum + count, 0);

const rounded = (value: number) => Math.round(value * 10_000) / 10_000;
const share = (part: number, of: number) => (of > 0 ? rounded(part / of) : null);

/** In seconds. */
function median(all: readonly number[]): number | null {
  if (all.length === 0) return null;
  const sorted = all.toSorted((one, other) => one - other);
  const [low, high] = [Math.floor((sorted.length - 1) / 2), Math.ceil((sorted.length - 1) / 2)];
  return Math.round((sorted[low]! + sorted[high]!) / 2000); // there is at least one
}
