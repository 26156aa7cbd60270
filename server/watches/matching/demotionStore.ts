/** Sources that are possible at best: for a team that marked them too often, or, by an administrator, for all.
 *  `demoteSources.ts` decides when. */
import { randomUUID } from 'node:crypto';
import type { Demoted } from './demotedMatch.ts';
import { iso, type Instant } from '../../db/instant.ts';
import type { Db } from '../../db/open.ts';
import { rowsWith, insertNew } from '../../db/statements.ts';
import { raiseRevision, WATCHES_REVISION } from '../../db/revisions.ts';
import type { RowOf } from '../../db/schema.ts';

export const demotions = (db: Db) => ({
  /** The demotions in force, the oldest first. */
  async inForce(): Promise<RowOf<'demotions'>[]> {
    return rowsWith(db, 'demotions', { restored_at: null }, ['at', 'id']).all();
  },

  async all(): Promise<Demoted> {
    return byTeam(await demotions(db).inForce());
  },

  /** Demotes the source for a team; `teamId` null: for all teams. False when it is demoted already. Raises the
   *  revision `watches`. */
  async demote(teamId: string | null, source: string, why: string, now: Instant): Promise<boolean> {
    const row = { id: randomUUID(), team_id: teamId, source, at: iso(now), why, restored_at: null };
    const isNew = await insertNew(db, 'demotions', row);
    if (isNew) await raiseRevision(db, WATCHES_REVISION);
    return isNew;
  },

  /** Restores the source for every team. False when it is demoted for no team. Raises the revision `watches`. */
  async restore(source: string, now: Instant): Promise<boolean> {
    const rows = await rowsWith(db, 'demotions', { source, restored_at: null }).set({
      restored_at: iso(now),
    });
    if (rows === 0) return false;
    await raiseRevision(db, WATCHES_REVISION);
    return true;
  },

  /** When each source was last restored for this team. */
  async restored(teamId: string): Promise<Map<string, string>> {
    const rows = await db
      .selectFrom('demotions')
      .select((eb) => ['source', eb.fn.max('restored_at').as('at')])
      .where('restored_at', 'is not', null)
      .where((eb) => eb.or([eb('team_id', 'is', null), eb('team_id', '=', teamId)]))
      .groupBy('source')
      .execute();
    return new Map(rows.map(({ source, at }) => [source, at!])); // asked for above
  },
});

function byTeam(rows: readonly RowOf<'demotions'>[]): Demoted {
  const teams = new Map<string | null, Set<string>>();
  for (const { team_id, source } of rows) teams.set(team_id, (teams.get(team_id) ?? new Set()).add(source));
  return teams;
}
