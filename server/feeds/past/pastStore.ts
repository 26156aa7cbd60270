/**
 * The past as it was known: the incidents in force at a time, how fresh each source was, and when something changed.
 */
import { HOUR_MS } from '#contract/durations.ts';
import { severityRank } from '#contract/incidents/severity.ts';
import { type Instant, iso } from '../../db/instant.ts';
import { type SelectQueryBuilder, sql } from 'kysely';
import { chunks, IDS_PER_STATEMENT, rowsFor } from '../../db/batches.ts';
import { COLUMNS } from '../../incidents/incidentFields.ts';
import type { Db } from '../../db/open.ts';
import { hourOf } from '../../incidents/pollLog.ts';
import type { RowOf, Tables } from '../../db/schema.ts';
import { freshCollection } from '../../incidents/collectionState.ts';
import type { HistoryTimeline } from '#contract/history/history.ts';
import { type Declared, spans } from '../sourceCondition.ts';

/** A source was not set up at a time when it had not been polled for so long and others had. */
const ASKED_WITHIN_MS = 24 * HOUR_MS;

/** An incident in force at a time, with the columns that the board's queries read. */
export type PastIncident = Pick<
  RowOf<'disruptions'>,
  'event_id' | 'source' | 'first_seen_at' | 'last_seen_at' | 'unseen' | (typeof COLUMNS)[number]
>;

export const history = (db: Db) => ({
  /** All incidents in force at that time, each with the content that it had then. */
  async inForceAt(then: Instant): Promise<PastIncident[]> {
    const at = iso(then);
    const incidents = new Map((await standingAt(db, at)).map((row) => [row.event_id, row]));
    for (const ids of chunks([...incidents.keys()], IDS_PER_STATEMENT)) {
      for (const { replaced_at: _, ...content } of await contentAfter(db, ids, at))
        Object.assign(incidents.get(content.event_id)!, content);
      for (const { event_id, seen_at } of await absencesAt(db, ids, at))
        Object.assign(incidents.get(event_id)!, { unseen: 1, last_seen_at: seen_at });
    }
    return [...incidents.values()];
  },

  /** Versions of these incidents that were replaced between these times. */
  async replacedBetween(
    eventIds: readonly string[],
    from: Instant,
    to: Instant,
  ): Promise<RowOf<'disruption_versions'>[]> {
    return rowsFor(eventIds, (ids) =>
      db
        .selectFrom('disruption_versions')
        .selectAll()
        .where('event_id', 'in', ids)
        .where('replaced_at', '>', iso(from))
        .where('replaced_at', '<=', iso(to)),
    );
  },

  /** The state of each source's collection at that time, from its polls. Old polls are folded into hours, so for
   *  them only the hour is known. */
  async collectionsAt(sources: readonly string[], then: Instant): Promise<RowOf<'collections'>[]> {
    const at = iso(then);
    const states = await Promise.all(sources.map((source) => collectionAt(db, source, at)));
    const known = states.filter((state) => state !== null);
    const asked = known.map(({ last_attempt }) => Date.parse(last_attempt ?? ''));
    const newest = Math.max(...asked);
    return known.map((state, index) => ({
      ...state,
      enabled: newest - asked[index]! < ASKED_WITHIN_MS ? 1 : 0,
    }));
  },

  /** The minutes between its polls in the day before; null when that is not known. */
  async rhythmAt(source: string, then: Instant): Promise<number | null> {
    const polls = await db
      .selectFrom('polls')
      .select('at')
      .where('source', '=', source)
      .where('at', '<=', iso(then))
      .orderBy('at', 'desc')
      .limit(50)
      .execute();
    const gaps = polls
      .slice(1)
      .map(({ at }, index) => Date.parse(polls[index]!.at) - Date.parse(at))
      .sort((one, other) => one - other);
    const median = gaps[Math.floor(gaps.length / 2)];
    return median === undefined ? null : Math.max(1, Math.round(median / 60_000));
  },

  /** The summary that each feed had at that time. */
  async summariesAt(then: Instant): Promise<RowOf<'summaries'>[]> {
    const at = iso(then);
    const rows = await db
      .selectFrom('summary_versions')
      .selectAll()
      .where((eb) =>
        eb(
          eb.refTuple('feed', 'generated_at'),
          'in',
          eb
            .selectFrom('summary_versions')
            .select((of) => ['feed', of.fn.max('generated_at').as('generated_at')])
            .where('generated_at', '<=', at)
            .groupBy('feed')
            .$asTuple('feed', 'generated_at'),
        ),
      )
      .execute();
    return rows.map((row) => ({
      ...row,
      prompt_version: row.prompt_version ?? '',
      expires_at: row.expires_at ?? row.generated_at,
      metadata: row.metadata ?? '{}',
      event_count: row.event_count ?? (JSON.parse(row.event_ids) as string[]).length,
      tokens_prompt: row.tokens_prompt ?? 0,
      tokens_completion: row.tokens_completion ?? 0,
      input_hash: '',
    }));
  },

  /** The minutes in which something changed: the number of changes, and the time of the last one. */
  async changesBetween(from: Instant, to: Instant): Promise<{ at: string; count: number }[]> {
    const minute = sql<string>`substr(${sql.ref('at')}, 1, 16)`;
    const rows = await db
      .selectFrom('changes')
      .select((eb) => [eb.fn.max('at').as('at'), eb.fn.countAll().as('count')])
      .where('at', '>=', iso(from))
      .where('at', '<=', iso(to))
      .groupBy(minute)
      .orderBy('at')
      .execute();
    return rows.map(({ at, count }) => ({ at, count: Number(count) }));
  },

  /** The good polls of a source in this span, with the last poll before it and the first one after it, oldest first.
   *  An hour of folded polls gives the beginning and the end of the time in which the source was fresh. */
  async goodPolls(source: string, from: Instant, to: Instant): Promise<string[]> {
    const folded = await db
      .selectFrom('polls_hourly')
      .select(['hour', 'fresh_s'])
      .where('source', '=', source)
      .where('hour', '>=', hourOf(iso(new Date(Date.parse(iso(from)) - 24 * HOUR_MS))))
      .where('hour', '<=', iso(to))
      .whereRef('failed', '<', 'polls')
      .execute();
    const ends = folded.flatMap(({ hour, fresh_s }) => [
      hour,
      iso(new Date(Date.parse(hour) + fresh_s * 1000)),
    ]);
    return [...(await this.singlePolls(source, from, to)), ...ends].sort();
  },

  /** The good polls without the hours of folded polls. */
  async singlePolls(source: string, from: Instant, to: Instant): Promise<string[]> {
    const good = db.selectFrom('polls').select('at').where('source', '=', source).where('ok', '=', 1);
    const within = await good.where('at', '>=', iso(from)).where('at', '<=', iso(to)).orderBy('at').execute();
    const before = await good.where('at', '<', iso(from)).orderBy('at', 'desc').limit(1).executeTakeFirst();
    const after = await good.where('at', '>', iso(to)).orderBy('at').limit(1).executeTakeFirst();
    return [before, ...within, after].flatMap((poll) => poll?.at ?? []);
  },

  /** The reports that were merged into one incident at that time. */
  async mergedAt(then: Instant): Promise<RowOf<'merged_reports'>[]> {
    const at = iso(then);
    const rows = await db
      .selectFrom('merged_reports')
      .selectAll()
      .where('since', '<=', at)
      .where((eb) => eb.or([eb('until', 'is', null), eb('until', '>', at)]))
      .orderBy('since')
      .execute();
    return rows.map((row) => ({ ...row, until: null }));
  },

  /** When the last critical alert before that time ended. An alert that has begun again since then counts as ended
   *  too. */
  async lastCriticalEnded(then: Instant): Promise<string | null> {
    const at = iso(then);
    const of = <Table extends 'disruptions' | 'disruption_versions'>(table: Table) =>
      (db.selectFrom(table) as SelectQueryBuilder<Tables, 'disruptions' | 'disruption_versions', object>)
        .select((eb) => eb.fn.max('ended_at').as('ended_at'))
        .where('kind', '=', 'alert')
        .where('ended_at', '<=', at);
    // Incidents that have ended are indexed by rank, and a year of them is kept.
    const last = await of('disruptions')
      .where('severity_rank', '=', severityRank('critical'))
      .executeTakeFirst();
    const again = await of('disruption_versions')
      .where('severity', '=', 'critical')
      .where('replaced_at', '>', at)
      .executeTakeFirst();
    return (
      [last?.ended_at, again?.ended_at]
        .flatMap((time) => time ?? [])
        .sort()
        .at(-1) ?? null
    );
  },

  /** Every source that was ever polled. */
  async sources(): Promise<string[]> {
    const rows = await db.selectFrom('collections').select('source').orderBy('source').execute();
    return rows.map(({ source }) => source);
  },

  /** The first and the last time about which something is known. */
  async recorded(): Promise<{ recorded_from: string | null; recorded_to: string | null }> {
    const { first } = await db
      .selectFrom('changes')
      .select((eb) => eb.fn.min('at').as('first'))
      .executeTakeFirstOrThrow();
    const poll = first
      ? null
      : await db
          .selectFrom('polls')
          .select((eb) => eb.fn.min('at').as('first'))
          .executeTakeFirstOrThrow();
    const { last } = await db
      .selectFrom('collections')
      .select((eb) => eb.fn.max('last_attempt').as('last'))
      .executeTakeFirstOrThrow();
    return { recorded_from: first ?? poll?.first ?? null, recorded_to: last };
  },
});

/** The incidents in force at that time. Three range queries find their ids, each from an index alone; then their
 *  content is read. One condition for all would be slow: an engine that treats the two ends of a range as
 *  independent reads every row. */
async function standingAt(db: Db, at: string): Promise<PastIncident[]> {
  const present = db.selectFrom('disruptions').select('event_id').where('version_seen_at', '<=', at);
  const inForce = await present.where('ended_at', 'is', null).execute();
  const endedSince = await present.where('ended_at', '>', at).execute();
  const replaced = await db
    .selectFrom('disruption_versions')
    .select(['event_id', 'seen_at', 'replaced_at'])
    .where('replaced_at', '>', at)
    .where('seen_at', '<=', at)
    .where((eb) => eb.or([eb('ended_at', 'is', null), eb('ended_at', '>', at)]))
    .execute();

  const incidents = await rowsFor([...inForce, ...endedSince], (rows) =>
    db
      .selectFrom('disruptions')
      .select(['event_id', 'source', 'first_seen_at', 'last_seen_at', 'unseen', 'ended_at', ...COLUMNS])
      .where(
        'event_id',
        'in',
        rows.map(({ event_id }) => event_id),
      ),
  );
  // An incident that has ended was last seen some time before its end.
  const found: PastIncident[] = incidents.map(({ ended_at, unseen, ...row }) => ({
    ...row,
    unseen: ended_at === null ? unseen : 1,
  }));
  const isThen = new Set(replaced.map(keyOf));
  const versions = await rowsFor(replaced, (rows) =>
    db
      .selectFrom('disruption_versions as v')
      .innerJoin('disruptions as d', 'd.event_id', 'v.event_id')
      .select([
        'v.seen_at',
        'v.replaced_at',
        'v.event_id',
        'v.severity',
        'v.title',
        'v.summary_line',
        'v.phase',
      ])
      .select(['v.kind', 'v.start_time', 'v.end_time', 'v.updated_at', 'v.details'])
      .select(['d.source', 'd.event_type', 'd.latitude', 'd.longitude', 'd.metadata'])
      .select(['d.first_seen_at', 'd.last_seen_at'])
      .where(
        'v.event_id',
        'in',
        rows.map(({ event_id }) => event_id),
      ),
  );
  for (const { seen_at, replaced_at, ...row } of versions)
    if (isThen.has(keyOf({ event_id: row.event_id, seen_at, replaced_at })))
      found.push({ ...row, unseen: 0 });
  return found;
}

const keyOf = ({
  event_id,
  seen_at,
  replaced_at,
}: Pick<RowOf<'disruption_versions'>, 'event_id' | 'seen_at' | 'replaced_at'>) =>
  `${event_id}\n${seen_at}\n${replaced_at}`;

/** The content that these incidents had at that time, if they have said something else since. Versions hold the rest
 *  of an incident. */
async function contentAfter(db: Db, ids: readonly string[], at: string) {
  return db
    .selectFrom('content_versions')
    .selectAll()
    .where((eb) =>
      eb(
        eb.refTuple('event_id', 'replaced_at'),
        'in',
        eb
          .selectFrom('content_versions')
          .select((of) => ['event_id', of.fn.min('replaced_at').as('replaced_at')])
          .where('event_id', 'in', ids)
          .where('replaced_at', '>', at)
          .groupBy('event_id')
          .$asTuple('event_id', 'replaced_at'),
      ),
    )
    .execute();
}

const absencesAt = (db: Db, ids: readonly string[], at: string) =>
  db
    .selectFrom('absences')
    .select((eb) => ['event_id', eb.fn.min('seen_at').as('seen_at')])
    .where('event_id', 'in', ids)
    .where('back_at', '>', at)
    .where('seen_at', '<', at)
    .groupBy('event_id')
    .execute();

async function collectionAt(db: Db, source: string, at: string): Promise<RowOf<'collections'> | null> {
  const polls = db.selectFrom('polls').where('source', '=', source).where('at', '<=', at);
  const good = await polls.where('ok', '=', 1).select('at').orderBy('at', 'desc').limit(1).executeTakeFirst();
  const success = good?.at ?? (await foldedSuccess(db, source, at));
  const { failures, last } = await polls
    .where('at', '>', success ?? '')
    .select((eb) => [eb.fn.countAll().as('failures'), eb.fn.max('at').as('last')])
    .executeTakeFirstOrThrow();
  const attempt = last ?? success;
  if (attempt === null) return null;
  return {
    ...freshCollection(source, true),
    last_attempt: attempt,
    last_success: success,
    consecutive_failures: Number(failures),
  };
}

/** The end of the fresh time in the last hour that had a good poll, at the latest `at`. */
async function foldedSuccess(db: Db, source: string, at: string): Promise<string | null> {
  const row = await db
    .selectFrom('polls_hourly')
    .select(['hour', 'fresh_s'])
    .where('source', '=', source)
    .where('hour', '<=', hourOf(at))
    .whereRef('failed', '<', 'polls')
    .orderBy('hour', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (!row) return null;
  return [iso(new Date(Date.parse(row.hour) + row.fresh_s * 1000)), at].sort()[0]!;
}

type Silence = HistoryTimeline['silent'][number];

/** In order of time. */
export async function silencesBetween(
  { db, collectors }: { db: Db; collectors: readonly Declared[] },
  { from, to, now }: { from: Date; to: Date; now: Date },
): Promise<Silence[]> {
  const asked = new Set(await history(db).sources());
  const found: Silence[] = [];
  for (const collector of collectors.filter(({ source }) => asked.has(source))) {
    const good = await history(db).goodPolls(collector.source, from, to);
    found.push(...silencesOf(collector.source, good, { ...spans(collector), from, to, now }));
  }
  return found.sort((one, other) => (one.from < other.from ? -1 : 1));
}

/** `good`: in order. */
function silencesOf(
  source: string,
  good: readonly string[],
  { maxAgeMs, from, to, now }: { maxAgeMs: number; from: Date; to: Date; now: Date },
): Silence[] {
  return good.flatMap((last, index): Silence[] => {
    const next = good[index + 1];
    const until = next === undefined ? now : new Date(next);
    if (until.getTime() - Date.parse(last) <= maxAgeMs) return [];
    if (until <= from || Date.parse(last) >= to.getTime()) return [];
    return [
      {
        source,
        from: iso(new Date(Math.max(Date.parse(last), from.getTime()))),
        to: next === undefined ? null : iso(new Date(Math.min(until.getTime(), to.getTime()))),
      },
    ];
  });
}
