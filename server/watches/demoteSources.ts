/**
 * A source whose messages to a team are too often marked as not ours is demoted for that team: what it reports is
 * possible at best, so that no message is sent about it at once, until an administrator restores it. No team decides
 * for another: that several have demoted a source is a suggestion to administrators, who may demote it for all.
 */
import { knownSource } from '#contract/feeds/knownSources.ts';
import { auditTrail, SERVER } from '../accounts/auditTrail.ts';
import { demotions } from './matching/demotionStore.ts';
import type { Db } from '../db/open.ts';
import { reliability } from './history/reliabilityStore.ts';
import { EVERYONE, teams } from '../accounts/teams.ts';
import { isDemoted } from './matching/demotedMatch.ts';
import { markedSince } from './history/sourceStats.ts';

const WEEK_MS = 7 * 24 * 60 * 60_000;

/** A source is demoted for a team that marks a larger share of its messages in a week as not ours than this. */
export const MARKED_MOST = 0.05;
/** A single mark may be a slip of the finger, so that two are needed. */
const MARKS_LEAST = 2;

/** Checks everything that was sent to this team; without a team, checks what was sent to each team. Returns the
 *  sources that it demoted. */
export async function demoteSources(db: Db, now: Date, teamId?: string): Promise<string[]> {
  const weekAgo = new Date(now.getTime() - WEEK_MS);
  const marks = Map.groupBy(await reliability(db).notOurs(weekAgo, teamId), ({ team_id }) => team_id);
  const demoted: string[] = [];
  // Reading all messages of a week is too much to do for every mark.
  for (const [team, { length }] of marks)
    if (length >= MARKS_LEAST) demoted.push(...(await demoteFor(db, team, weekAgo, now)));
  return demoted;
}

async function demoteFor(db: Db, teamId: string, weekAgo: Date, now: Date): Promise<string[]> {
  const week = await markedSince(db, weekAgo, teamId);
  const known = await demotions(db).all();
  const restored = await demotions(db).restored(teamId);
  const demoted: string[] = [];
  for (const source of week.marked.keys()) {
    if (isDemoted(known, teamId, source) || !isTooMuch(source, week)) continue;
    const since = new Date(restored.get(source) ?? weekAgo);
    const counted = since > weekAgo ? await markedSince(db, since, teamId) : week;
    if (!isTooMuch(source, counted)) continue;
    const [marked, sent] = [counted.marked.get(source) ?? 0, counted.sent.get(source) ?? 0];
    const why = `${marked} of ${sent} messages in 7 days were marked as not ours`;
    await db.transaction().execute(async (trx) => {
      if (!(await demotions(trx).demote(teamId, source, why, now))) return;
      const subject = { id: source, name: knownSource(source).displayName };
      await auditTrail(trx).note(SERVER, 'source.demoted', subject, now, await byTeam(trx, teamId, why));
      demoted.push(source);
    });
  }
  return demoted;
}

/** If there are several teams, administrators read which one it was. */
async function byTeam(db: Db, teamId: string, why: string): Promise<string> {
  const team = teamId === EVERYONE ? undefined : await teams(db, 'many').byId(teamId);
  return team ? `${why} (${team.name})` : why;
}

type Counted = Awaited<ReturnType<typeof markedSince>>;

function isTooMuch(source: string, { sent, marked }: Counted): boolean {
  const count = marked.get(source) ?? 0;
  return count >= MARKS_LEAST && count > MARKED_MOST * (sent.get(source) ?? 0);
}
