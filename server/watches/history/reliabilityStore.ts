/** Data for the figures about sources and routes. */
import { setImmediate } from 'node:timers/promises';
import type { MessageBody } from '#contract/messages/messages.ts';
import type { ExpressionBuilder } from 'kysely';
import { rowsFor } from '../../db/batches.ts';
import { type Instant, iso } from '../../db/instant.ts';
import type { Db } from '../../db/open.ts';
import type { RowOf, Tables } from '../../db/schema.ts';
import { type Graveness, gravenessOf } from './watchHistory.ts';

/**
 * How many incidents, or how much time, are read at once: about 20 ms on a busy day, so that other work has its turn.
 */
const SLICE = 2000;
const SPAN_MS = 2 * 24 * 60 * 60_000;

interface FirstSight {
  event_id: string;
  source: string;
  first_seen_at: string;
  /** The time that its publisher gave first; if the publisher gave none, the time at which we first read it. */
  updated_at: string;
}

export interface Closure {
  source: string;
  first_seen_at: string;
  start_time: string;
}

export const reliability = (db: Db) => ({
  /** All that were first seen since then, and how many of them were closures without notice. */
  async firstSights(since: Instant): Promise<{ sights: FirstSight[]; closures: Closure[] }> {
    const sights: FirstSight[] = [];
    const closures: Closure[] = [];
    for (let after = ''; ;) {
      const seen = db
        .selectFrom('disruptions')
        .where('event_id', '>', after)
        .where('first_seen_at', '>=', iso(since))
        .where('kind', '=', 'alert');
      const rows = await seen
        .select((eb) => ['event_id', 'source', 'updated_at', firstSeen(eb)])
        .orderBy('event_id')
        .limit(SLICE)
        .execute();
      const last = rows.at(-1)?.event_id;
      if (last === undefined) return { sights, closures };
      const first = await firstUpdates(
        db,
        rows.map(({ event_id }) => event_id),
      );
      sights.push(...rows.map((row) => ({ ...row, updated_at: first.get(row.event_id) ?? row.updated_at })));
      closures.push(
        ...(await seen
          .select((eb) => ['source', 'start_time', firstSeen(eb)])
          .where('event_id', '<=', last)
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
          .execute()),
      );
      after = last;
      await setImmediate();
    }
  },

  /** The changes in this time, as counts by source and kind. Several rows of one source and kind add up. */
  async changes(from: Date, to: Date): Promise<{ source: string; kind: string; count: number }[]> {
    return inSpans(from, to, async (span) => {
      const rows = await within(db, span)
        .select((eb) => ['source', 'kind', eb.fn.countAll().as('count')])
        .groupBy(['source', 'kind'])
        .execute();
      return rows.map((row) => ({ ...row, count: Number(row.count) }));
    });
  },

  /** The number of incidents that these changes belong to, counted in the same way. */
  async changedIncidents(from: Date, to: Date): Promise<{ source: string; count: number }[]> {
    return inSpans(from, to, async (span) => {
      const rows = await within(db, span)
        .select((eb) => ['source', eb.fn.countAll().as('count')])
        // Each incident counts with its first change.
        .where((eb) =>
          eb.not(
            eb.exists(
              eb
                .selectFrom('changes as before')
                .select('before.batch')
                .whereRef('before.event_id', '=', 'changes.event_id')
                .where('before.at', '>=', iso(from))
                .where((one) =>
                  one.or([
                    one('before.batch', '<', one.ref('changes.batch')),
                    one.and([
                      one('before.batch', '=', one.ref('changes.batch')),
                      one('before.n', '<', one.ref('changes.n')),
                    ]),
                  ]),
                ),
            ),
          ),
        )
        .groupBy('source')
        .execute();
      return rows.map((row) => ({ ...row, count: Number(row.count) }));
    });
  },

  /** Incidents that began again in this time: when, and when they had ended before. */
  async beganAgain(from: Date, to: Date): Promise<{ source: string; began: string; ended: string }[]> {
    return inSpans(from, to, (span) =>
      db
        .selectFrom('changes as began')
        .innerJoin('changes as ended', 'ended.event_id', 'began.event_id')
        .select((eb) => ['began.source', 'began.at as began', eb.fn.max('ended.at').as('ended')])
        .where('began.kind', '=', 'began')
        .where('began.at', '>=', span.from)
        .where('began.at', '<', span.to)
        .where('ended.kind', '=', 'ended')
        .whereRef('ended.batch', '<', 'began.batch')
        .groupBy(['began.source', 'began.at', 'began.batch', 'began.n'])
        .execute(),
    );
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

  /** The incidents of each message sent since then, and its team: once for all channels of the message. `teamId`:
   *  only that team's. */
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

  /** The certain incidents that somebody marked as not on their route since then, and the team of that person.
   *  `teamId`: only that team. */
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

  /** The certain matches of incidents since then, by watch, with each incident's gravity during the match. */
  async certainMatches(
    watchIds: readonly string[],
    since: Instant,
  ): Promise<{ byWatch: Map<string, RowOf<'matches'>[]>; grave: Map<string, Graveness[]> }> {
    const rows: RowOf<'matches'>[] = [];
    for (const watchId of watchIds) {
      rows.push(
        ...(await db
          .selectFrom('matches')
          .selectAll()
          .where('watch_id', '=', watchId)
          .where('subject', '=', 'disruption')
          .where('level', '=', 'certain')
          .where((eb) => eb.or([eb('ended_at', 'is', null), eb('ended_at', '>=', iso(since))]))
          .execute()),
      );
      await setImmediate();
    }
    return {
      byWatch: Map.groupBy(rows, ({ watch_id }) => watch_id),
      grave: await gravenessOf(db, [...new Set(rows.map(({ subject_id }) => subject_id))]),
    };
  },
});

interface TimeSpan {
  from: string;
  to: string;
}

const within = (db: Db, { from, to }: TimeSpan) =>
  db.selectFrom('changes').where('at', '>=', from).where('at', '<', to);

/** Reads a long time in parts, one after the other. */
async function inSpans<One>(
  from: Date,
  to: Date,
  read: (span: TimeSpan) => Promise<readonly One[]>,
): Promise<One[]> {
  const found: One[] = [];
  for (let start = from.getTime(); start <= to.getTime(); start += SPAN_MS) {
    const end = Math.min(start + SPAN_MS, to.getTime() + 1);
    found.push(...(await read({ from: iso(new Date(start)), to: iso(new Date(end)) })));
    await setImmediate();
  }
  return found;
}

/** A resumed alert began earlier than its row. */
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

/** The first time that each of these incidents gave, if it has given another time since. */
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
