/** The queries of a handover sheet. Every query names the team. */
import type { Person } from '#contract/shift/responses.ts';
import { rowsFor, rowCount } from '../../db/batches.ts';
import { type Row, stored } from '../../incidents/list/disruptionRows.ts';
import { type Instant, iso } from '../../db/instant.ts';
import type { Db } from '../../db/open.ts';
import { addToLog, type Actor, loggedBefore, toPerson } from '../../shift/responses.ts';
import { raiseRevision, RESPONSES_REVISION, takeTurn } from '../../db/revisions.ts';
import type { RowOf } from '../../db/schema.ts';

export type SheetMatch = Pick<
  RowOf<'matches'>,
  'subject' | 'subject_id' | 'level' | 'watch_id' | 'began_at' | 'ended_at' | 'from_km' | 'to_km'
> & {
  name: string;
  length_km: number;
};

export type Taken = { by: Person; at: string };

export const handover = (db: Db) => ({
  /** Incidents that touch the team's routes and areas now, or have touched them after that time. */
  async matchesSince(teamId: string, since: Instant): Promise<SheetMatch[]> {
    return db
      .selectFrom('matches')
      .innerJoin('watches', 'watches.id', 'matches.watch_id')
      .select([
        'matches.subject',
        'matches.subject_id',
        'matches.level',
        'matches.watch_id',
        'matches.began_at',
        'matches.ended_at',
        'matches.from_km',
        'matches.to_km',
        'watches.name',
        'watches.length_km',
      ])
      .where('watches.team_id', '=', teamId)
      .where('watches.archived_at', 'is', null)
      .where((eb) => eb.or([eb('matches.ended_at', 'is', null), eb('matches.ended_at', '>=', iso(since))]))
      .orderBy('watches.name')
      .orderBy('matches.subject_id')
      .execute();
  },

  /** Routes and areas that were changed and are not matched again yet, by name. */
  checking: (teamId: string): Promise<{ id: string; name: string }[]> =>
    db
      .selectFrom('watches')
      .select(['id', 'name'])
      .where('team_id', '=', teamId)
      .where('archived_at', 'is', null)
      .whereRef('matched_rev', '<', 'rev')
      .orderBy('name')
      .execute(),

  routeCount: (teamId: string): Promise<number> =>
    rowCount(db.selectFrom('watches').where('team_id', '=', teamId).where('archived_at', 'is', null)),

  async hasAreas(teamId: string): Promise<boolean> {
    const one = await db
      .selectFrom('watches')
      .select('id')
      .where('team_id', '=', teamId)
      .where('archived_at', 'is', null)
      .where('kind', '=', 'area')
      .limit(1)
      .executeTakeFirst();
    return one !== undefined;
  },

  /** The stored incidents with these ids, in force or not. */
  async incidents(ids: readonly string[]): Promise<Row[]> {
    return rowsFor(ids, (some) => stored(db).where('event_id', 'in', some));
  },

  /** The last note about each incident; notes that were struck out are left out. */
  async lastNotes(teamId: string, eventIds: readonly string[]): Promise<Map<string, string>> {
    const notes = new Map<string, string>();
    const rows = await rowsFor(eventIds, (some) =>
      db
        .selectFrom('response_log')
        .select(['id', 'event_id', 'action', 'text', 'detail'])
        .where('team_id', '=', teamId)
        .where('event_id', 'in', some)
        .where('action', 'in', ['note', 'struck'])
        .orderBy('at')
        .orderBy('id'),
    );
    const struck = new Set(
      rows
        .filter(({ action }) => action === 'struck')
        .map(({ detail }) => (JSON.parse(detail) as { note?: string }).note),
    );
    for (const { id, event_id, action, text } of rows)
      if (action === 'note' && event_id !== null && !struck.has(id)) notes.set(event_id, text);
    return notes;
  },

  async taken(teamId: string, from: Instant, to: Instant): Promise<Taken | null> {
    return takenIn(db, teamId, detailOf(from, to));
  },

  /** The person who has taken over the shift: the actor, unless somebody else was first. */
  async take(
    { teamId, userId }: Actor,
    { id, from, to, at }: { id: string; from: Instant; to: Instant; at: string },
    now: Instant,
  ): Promise<{ outcome: 'done' | 'taken'; taken: Taken } | { outcome: 'used' }> {
    return db.transaction().execute(async (trx) => {
      await takeTurn(trx, RESPONSES_REVISION);
      const detail = detailOf(from, to);
      const before = await loggedBefore(trx, id);
      const taken = await takenIn(trx, teamId, detail);
      if (before) {
        const isSame =
          before.team_id === teamId && before.action === 'shift.taken' && before.detail === detail;
        return isSame && taken ? { outcome: 'done', taken } : { outcome: 'used' };
      }
      if (taken) return { outcome: 'taken', taken };
      await addToLog(trx, {
        id,
        team_id: teamId,
        event_id: null,
        at,
        received: now,
        user_id: userId,
        action: 'shift.taken',
        detail: { from: iso(from), to: iso(to) },
      });
      await raiseRevision(trx, RESPONSES_REVISION);
      return { outcome: 'done', taken: (await takenIn(trx, teamId, detail))! }; // it was just added
    });
  },
});

const detailOf = (from: Instant, to: Instant) => JSON.stringify({ from: iso(from), to: iso(to) });

/** The person who took it first. */
async function takenIn(db: Db, teamId: string, detail: string): Promise<Taken | null> {
  const row = await db
    .selectFrom('response_log')
    .leftJoin('users', 'users.id', 'response_log.user_id')
    .select(['response_log.at', 'response_log.user_id', 'users.display_name'])
    .where('response_log.team_id', '=', teamId)
    .where('response_log.action', '=', 'shift.taken')
    .where('response_log.detail', '=', detail)
    .orderBy('response_log.received_at')
    .orderBy('response_log.id')
    .executeTakeFirst();
  return row ? { by: toPerson(row.user_id, row.display_name), at: row.at } : null;
}
