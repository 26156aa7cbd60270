/**
 * A source whose messages are too often marked as not ours is demoted: what it reports is possible at best, so that no
 * message is sent about it at once, until an administrator restores it.
 */
import { MARKED_MOST, MARKS_LEAST } from '#contract/sourceReports.ts';
import { knownSource } from '#contract/sources.ts';
import { auditTrail, BY_SERVER, on } from '../db/auditTrail.ts';
import { collections } from '../db/collections.ts';
import type { Db } from '../db/open.ts';
import { reliability } from '../db/reliability.ts';
import { markedSince } from './sourceStats.ts';

const WEEK_MS = 7 * 24 * 60 * 60_000;

/** Looks at all sources. Returns those that it demoted. */
export async function demoteSources(db: Db, now: Date): Promise<string[]> {
  const weekAgo = new Date(now.getTime() - WEEK_MS);
  // Reading all messages of a week is not for every mark.
  if ((await reliability(db).notOurs(weekAgo)).length < MARKS_LEAST) return [];
  const week = await markedSince(db, weekAgo);
  const demoted: string[] = [];
  for (const { source, demoted_at, restored_at } of await collections(db).all()) {
    if (demoted_at !== null || !isTooMuch(source, week)) continue;
    const restored = restored_at === null ? weekAgo : new Date(restored_at);
    const counted = restored > weekAgo ? await markedSince(db, restored) : week;
    if (!isTooMuch(source, counted)) continue;
    const [marked, sent] = [counted.marked.get(source) ?? 0, counted.sent.get(source) ?? 0];
    const why = `${marked} of ${sent} messages in 7 days were marked as not ours`;
    await db.transaction().execute(async (trx) => {
      if (!(await collections(trx).demote(source, why, now))) return;
      const subject = on({ id: source, name: knownSource(source).displayName });
      const act = { ...BY_SERVER, ...subject, action: 'source.demoted', detail: why };
      await auditTrail(trx).note(act, now);
      demoted.push(source);
    });
  }
  return demoted;
}

function isTooMuch(
  source: string,
  { sent, marked, teamsSent, teamsMarking }: Awaited<ReturnType<typeof markedSince>>,
): boolean {
  const count = marked.get(source) ?? 0;
  // One team decides nothing for the others: where several rely on a source, two of them must say so.
  if ((teamsSent.get(source) ?? 0) > 1 && (teamsMarking.get(source) ?? 0) < 2) return false;
  return count >= MARKS_LEAST && count > MARKED_MOST * (sent.get(source) ?? 0);
}
