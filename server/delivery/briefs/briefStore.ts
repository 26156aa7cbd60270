/** The briefs of a team, and the record of their sending. Every query names the team. */
import { randomUUID } from 'node:crypto';
import {
  BRIEF_LIMITS,
  type Brief,
  type BriefAsked,
  type BriefPage,
  type BriefSheet,
} from '#contract/messages/briefs.ts';
import { iso, type Instant } from '../../db/instant.ts';
import type { Db } from '../../db/open.ts';
import { addRows, insertNew, inTransaction, rowsWith } from '../../db/statements.ts';
import type { RowOf } from '../../db/schema.ts';
import type { Who } from '../../watches/jobs/jobStore.ts';
import { rowCount } from '../../db/batches.ts';

/** The number of sendings that are listed with a brief. */
const SENT_SHOWN = 10;

export const briefs = (db: Db) => ({
  async ofTeam(teamId: string): Promise<Brief[]> {
    const rows = await rowsWith(db, 'briefs', { team_id: teamId }, ['created_at', 'id']).all();
    return Promise.all(rows.map((row) => withSent(db, row)));
  },

  async byId(teamId: string, id: string): Promise<Brief | undefined> {
    const row = await briefs(db).row(teamId, id);
    return row && withSent(db, row);
  },

  /** As it is stored. */
  row: (teamId: string, id: string): Promise<RowOf<'briefs'> | undefined> =>
    db.selectFrom('briefs').selectAll().where('team_id', '=', teamId).where('id', '=', id).executeTakeFirst(),

  /** Briefs of all teams. */
  all: (): Promise<RowOf<'briefs'>[]> => db.selectFrom('briefs').selectAll().orderBy('id').execute(),

  /** False: the team has as many briefs as it may. */
  async add({ teamId, userId }: Who, asked: BriefAsked, now: Instant, id: string = randomUUID()) {
    return inTransaction(db, async (trx) => {
      const own = trx.selectFrom('briefs').where('team_id', '=', teamId);
      if ((await rowCount(own)) >= BRIEF_LIMITS.perTeam) return false;
      const at = iso(now);
      await addRows(trx, 'briefs', {
        id,
        team_id: teamId,
        ...columnsOf(asked),
        created_by: userId,
        created_at: at,
        updated_by: userId,
        updated_at: at,
        rev: 1,
      });
      return true;
    });
  },

  /** False: it was changed since `rev`, or no longer exists. */
  async change(
    { teamId, userId }: Who,
    { id, rev }: { id: string; rev: number },
    asked: BriefAsked,
    now: Instant,
  ) {
    return (
      (await rowsWith(db, 'briefs', { id, team_id: teamId, rev }).set({
        ...columnsOf(asked),
        updated_by: userId,
        updated_at: iso(now),
        rev: rev + 1,
      })) > 0
    );
  },

  async remove(teamId: string, id: string): Promise<boolean> {
    return (await rowsWith(db, 'briefs', { id, team_id: teamId }).remove()) > 0;
  },

  /** As it was sent. */
  async page(team: { id: string; name: string }, id: string, at: string): Promise<BriefPage | undefined> {
    const brief = await briefs(db).row(team.id, id);
    const run = await rowsWith(db, 'brief_runs', { brief_id: id, at }).first();
    return (
      brief &&
      run && {
        id,
        name: brief.name,
        at: run.at,
        made_at: run.made_at,
        subject: run.subject,
        team: team.name,
        sheet: run.sheet === null ? null : (JSON.parse(run.sheet) as BriefSheet),
      }
    );
  },

  /** The last sheet that was sent at a planned time; undefined: none was. */
  async lastSheet(id: string): Promise<BriefSheet | undefined> {
    const row = await db
      .selectFrom('brief_runs')
      .select('sheet')
      .where('brief_id', '=', id)
      .where('by_hand', '=', 0)
      .where('sheet', 'is not', null)
      .orderBy('at', 'desc')
      .limit(1)
      .executeTakeFirst();
    return row ? (JSON.parse(row.sheet!) as BriefSheet) : undefined; // asked for
  },

  async lastRunAt(id: string): Promise<string | undefined> {
    const row = await db
      .selectFrom('brief_runs')
      .select('at')
      .where('brief_id', '=', id)
      .where('by_hand', '=', 0)
      .orderBy('at', 'desc')
      .limit(1)
      .executeTakeFirst();
    return row?.at;
  },

  /** False: another server has made it, or this server made it before it was killed. */
  async note(
    id: string,
    {
      at,
      made,
      subject,
      sheet,
      byHand = false,
    }: { at: Date; made: Date; subject: string | null; sheet: BriefSheet | null; byHand?: boolean },
  ): Promise<boolean> {
    return insertNew(
      db,
      'brief_runs',
      {
        brief_id: id,
        at: iso(at),
        made_at: iso(made),
        subject,
        sheet: sheet && JSON.stringify(sheet),
        by_hand: byHand ? 1 : 0,
      },
      ['brief_id', 'at'],
    );
  },
});

async function withSent(db: Db, row: RowOf<'briefs'>): Promise<Brief> {
  const sent = await db
    .selectFrom('brief_runs')
    .select(['at', 'made_at', 'subject'])
    .where('brief_id', '=', row.id)
    .orderBy('at', 'desc')
    .limit(SENT_SHOWN)
    .execute();
  return { id: row.id, ...askedOf(row), created_at: row.created_at, rev: row.rev, sent };
}

export const askedOf = (row: RowOf<'briefs'>): BriefAsked => ({
  name: row.name,
  days: row.days,
  times: JSON.parse(row.times) as string[],
  about: row.about,
  watch_ids: row.watch_ids === null ? null : (JSON.parse(row.watch_ids) as string[]),
  horizon: row.horizon,
  user_ids: row.user_ids === null ? null : (JSON.parse(row.user_ids) as string[]),
  channel_ids: JSON.parse(row.channel_ids) as string[],
});

const columnsOf = ({ name, days, times, about, watch_ids, horizon, user_ids, channel_ids }: BriefAsked) => ({
  name,
  days,
  times: JSON.stringify([...new Set(times)].toSorted()),
  about,
  watch_ids: watch_ids && JSON.stringify(watch_ids),
  horizon,
  user_ids: user_ids && JSON.stringify([...new Set(user_ids)]),
  channel_ids: JSON.stringify([...new Set(channel_ids)]),
});
