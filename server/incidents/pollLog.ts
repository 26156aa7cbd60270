/** The poll log: the outcome of each poll of a source. Old ones are folded into sums of an hour (UTC). */
import { insertNew } from '../db/statements.ts';
import { HOUR_MS } from '#contract/durations.ts';
import { iso, type Instant } from '../db/instant.ts';
import type { Db } from '../db/open.ts';
import type { RowOf } from '../db/schema.ts';

/** The figures of a poll. `source`, `at` and whether it was good are noted with the collection. */
export type PollFigures = Pick<RowOf<'polls'>, 'ms' | 'records' | 'changed'>;

/** Call it in the transaction that notes the outcome of the collection. */
export async function notePoll(trx: Db, poll: RowOf<'polls'>): Promise<void> {
  // If a clock was set back, two polls can have one time; the first is kept.
  await insertNew(trx, 'polls', poll);
}

/** The last polls of a source, the newest last. */
export async function lastPolls(db: Db, source: string, limit: number): Promise<RowOf<'polls'>[]> {
  const polls = await db
    .selectFrom('polls')
    .selectAll()
    .where('source', '=', source)
    .orderBy('at', 'desc')
    .limit(limit)
    .execute();
  return polls.toReversed();
}

/** Folds the full hours before that time, and deletes their rows. `freshMsOf`: how long a source is fresh after a
 *  good poll. The last good poll of each source stays, because it decides how fresh the next hour was. */
export async function foldPolls(
  db: Db,
  before: Instant,
  freshMsOf: (source: string) => number,
): Promise<void> {
  const end = hourOf(iso(before));
  const sources = await db.selectFrom('polls').select('source').where('at', '<', end).distinct().execute();
  for (const { source } of sources) {
    await db.transaction().execute(async (trx) => {
      const polls = await trx
        .selectFrom('polls')
        .selectAll()
        .where('source', '=', source)
        .where('at', '<', end)
        .orderBy('at')
        .execute();
      const lastGood = polls.findLast(({ ok }) => ok === 1);
      const hours = foldedHours(source, polls, freshMsOf(source));
      // If the hour has a row already, that is from the good poll that was kept.
      await insertNew(trx, 'polls_hourly', hours);
      await trx
        .deleteFrom('polls')
        .where('source', '=', source)
        .where('at', '<', end)
        .$if(lastGood !== undefined, (query) => query.where('at', '<>', lastGood!.at))
        .execute();
    });
  }
}

/** The hours of these polls, in order; hours without polls have no row. */
export function foldedHours(
  source: string,
  polls: readonly RowOf<'polls'>[],
  freshMs: number,
): RowOf<'polls_hourly'>[] {
  const good = polls.flatMap(({ ok, at }) => (ok ? Date.parse(at) : []));
  return [...Map.groupBy(polls, ({ at }) => hourOf(at))].map(([hour, ofHour]) => {
    const ms = ofHour.map((poll) => poll.ms).sort((one, other) => one - other);
    const rank = (share: number) => ms[Math.ceil(share * ms.length) - 1]!; // an hour in the list has a poll
    return {
      source,
      hour,
      polls: ofHour.length,
      failed: ofHour.filter(({ ok }) => !ok).length,
      fresh_s: Math.round(freshMsIn(Date.parse(hour), good, freshMs) / 1000),
      ms_p50: rank(0.5),
      ms_p95: rank(0.95),
    };
  });
}

/** How much of an hour is within `freshMs` after a good poll. `good`: in order. */
function freshMsIn(hour: number, good: readonly number[], freshMs: number): number {
  let fresh = 0;
  let until = hour;
  for (const at of good) {
    const from = Math.max(at, until);
    const to = Math.min(at + freshMs, hour + HOUR_MS);
    if (to <= from) continue;
    fresh += to - from;
    until = to;
  }
  return fresh;
}

/** The hour (UTC) of a time. */
export const hourOf = (at: string) => `${at.slice(0, 13)}:00:00.000Z`;
