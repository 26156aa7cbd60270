/** Data for the figures about sources and routes. */
import { setImmediate } from 'node:timers/promises';
import type { MessageBody } from '#contract/messages/messages.ts';
import type { ExpressionBuilder } from 'kysely';
import { rowsFor } from '../../db/batches.ts';
import { type Instant, iso } from '../../db/instant.ts';
import type { Db } from '../../db/open.ts';
import type { RowOf, Tables } from '../../db/schema.ts';
import { type Graveness, gravenessOf } from './watchHistory.ts';

/** Read at a time, so that other work has its turn. */
const SLICE = 5000;

interface FirstSight {
  event_id: string;
  source: string;
  first_seen_at: string;
  /** As its publisher gave it then; the time of the first sight where it gave none. */
  updated_at: string;
}

export interface Closure {
  source: string;
  first_seen_at: string;
  start_time: string;
}

export const reliability = (db: Db) => ({
  /** All that were first seen since then. */
  async firstSights(since: Instant): Promise<FirstSight[]> {
    const found: FirstSight[] = [];
    for (let after = ''; ;) {
      const rows = await db
        .selectFrom('disruptions')
        .select((eb) => ['event_id', 'source', 'updated_at', firstSeen(eb)])
        .where('event_id', '>', after)
        .where('first_seen_at', '>=', iso(since))
        .where('kind', '=', 'alert')
        .orderBy('event_id')
        .limit(SLICE)
        .execute();
      const first = await firstUpdates(
        db,
        rows.map(({ event_id }) => event_id),
      );
      found.push(...rows.map((row) => ({ ...row, updated_at: first.get(row.event_id) ?? row.updated_at })));
      if (rows.length < SLICE) return found;
      after = rows.at(-1)!.event_id;
      await setImmediate();
    }
  },

  /** The closures that were first seen since then, and never announced. */
  async closures(since: Instant): Promise<Closure[]> {
    return db
      .selectFrom('disruptions')
      .select((eb) => ['source', 'start_time', firstSeen(eb)])
      .where('first_seen_at', '>=', iso(since))
      .where('kind', '=', 'alert')
      .where('phase', '=', 'active')
      .where('details', 'like', '%"effect":"closed%')
      .where('event_type', 'not like', '%works')
      .where((eb) =>
        eb.not(
          eb.exists(
            eb
              .selectFrom('disruption_versions')
              .select('disruption_versions.event_id')
              .whereRef('disruption_versions.event_id', '=', 'disruptions.event_id')
              .where('disruption_versions.phase', '=', 'planned'),
          ),
        ),
      )
      .execute();
  },

  /** By source and kind: the changes since then, and how many incidents they were of. */
  async changes(since: Instant): Promise<{ source: string; kind: string; count: number }[]> {
    const rows = await db
      .selectFrom('changes')
      .select((eb) => ['source', 'kind', eb.fn.countAll().as('count')])
      .where('at', '>=', iso(since))
      .groupBy(['source', 'kind'])
      .execute();
    return rows.map((row) => ({ ...row, count: Number(row.count) }));
  },

  async changedIncidents(since: Instant): Promise<{ source: string; count: number }[]> {
    const rows = await db
      .selectFrom('changes')
      .select((eb) => ['source', eb.fn.count('event_id').distinct().as('count')])
      .where('at', '>=', iso(since))
      .groupBy('source')
      .execute();
    return rows.map((row) => ({ ...row, count: Number(row.count) }));
  },

  /** Incidents that began again since then: when, and when they had ended before. */
  async beganAgain(since: Instant): Promise<{ source: string; began: string; ended: string }[]> {
    const rows = await db
      .selectFrom('changes as began')
      .innerJoin('changes as ended', 'ended.event_id', 'began.event_id')
      .select((eb) => ['began.source', 'began.at as began', eb.fn.max('ended.at').as('ended')])
      .where('began.kind', '=', 'began')
      .where('began.at', '>=', iso(since))
      .where('ended.kind', '=', 'ended')
      .whereRef('ended.batch', '<', 'began.batch')
      .groupBy(['began.source', 'began.at', 'began.batch', 'began.n'])
      .execute();
    return rows;
  },

  /** The hourly sums of a source since then, in order. */
  async hours(source: string, since: Instant): Promise<RowOf<'polls_hourly'>[]> {
    return db
      .selectFrom('polls_hourly')
      .selectAll()
      .where('source', '=', source)
      .where('hour', '>=', iso(since))
      .orderBy('hour')
      .execute();
  },

  /** The incidents of each message sent since then, and to which team; one for all channels by which it went.
   *  `teamId`: only to that team. */
  async sent(since: Instant, teamId?: string): Promise<{ team_id: string | null; event_ids: string[] }[]> {
    const toTeam = (eb: ExpressionBuilder<Tables, 'watches' | 'channels'>) =>
      eb.fn.coalesce('watches.team_id', 'channels.team_id');
    const rows = await db
      .selectFrom('messages')
      .leftJoin('watches', 'watches.id', 'messages.watch_id')
      .leftJoin('channels', 'channels.id', 'messages.channel_id')
      .select((eb) => ['bundle', eb.fn.max('body').as('body'), toTeam(eb).as('team_id')])
      .where('messages.state', '=', 'sent')
      .where('messages.watch_id', 'is not', null)
      .where('messages.created_at', '>=', iso(since))
      .$if(teamId !== undefined, (query) => query.where(toTeam, '=', teamId!))
      .groupBy((eb) => ['bundle', toTeam(eb)])
      .execute();
    return rows.map(({ body, team_id }) => ({
      team_id,
      event_ids: (JSON.parse(body) as Partial<MessageBody>).event_ids ?? [],
    }));
  },

  /** The certain incidents that somebody marked as not on their route since then, and in which team. `teamId`: only
   *  in that one. */
  async notOurs(since: Instant, teamId?: string): Promise<{ team_id: string; event_id: string }[]> {
    const rows = await db
      .selectFrom('match_feedback')
      .innerJoin('watches', 'watches.id', 'match_feedback.watch_id')
      .select(['watch_id', 'subject_id', 'team_id'])
      .where('verdict', '=', 'not_ours')
      // A match that is only possible had no message at once.
      .where('level', '=', 'certain')
      .where('at', '>=', iso(since))
      .$if(teamId !== undefined, (query) => query.where('team_id', '=', teamId!))
      .groupBy(['watch_id', 'subject_id', 'team_id'])
      .execute();
    return rows.map(({ subject_id, team_id }) => ({ event_id: subject_id, team_id }));
  },

  /** The certain matches of incidents since then, by watch, and how grave each incident was meanwhile. */
  async certainMatches(
    watchIds: readonly string[],
    since: Instant,
  ): Promise<{ byWatch: Map<string, RowOf<'matches'>[]>; grave: Map<string, Graveness[]> }> {
    const rows = await rowsFor(watchIds, (ids) =>
      db
        .selectFrom('matches')
        .selectAll()
        .where('watch_id', 'in', ids)
        .where('subject', '=', 'disruption')
        .where('level', '=', 'certain')
        .where((eb) => eb.or([eb('ended_at', 'is', null), eb('ended_at', '>=', iso(since))])),
    );
    return {
      byWatch: Map.groupBy(rows, ({ watch_id }) => watch_id),
      grave: await gravenessOf(db, [...new Set(rows.map(({ subject_id }) => subject_id))]),
    };
  },
});

/** A resumed alert is older than its row. */
const firstSeen = (eb: ExpressionBuilder<Tables, 'disruptions'>) =>
  eb.fn
    .coalesce(
      eb
        .selectFrom('disruption_versions')
        .select((of) => of.fn.min('disruption_versions.seen_at').as('seen_at'))
        .whereRef('disruption_versions.event_id', '=', 'disruptions.event_id'),
      'disruptions.first_seen_at',
    )
    .as('first_seen_at');

/** First time that each of these gave, of those that have said something else since. */
async function firstUpdates(db: Db, ids: readonly string[]): Promise<Map<string, string>> {
  const rows = await rowsFor(ids, (some) =>
    db
      .selectFrom('content_versions')
      .select(['event_id', 'updated_at', 'replaced_at'])
      .where('event_id', 'in', some)
      .orderBy('replaced_at', 'desc'),
  );
  return new Map(rows.map(({ event_id, updated_at }) => [event_id, updated_at]));
}
