/**
 * "Not on our route": verdicts of a team that an incident does not touch one of its routes. A verdict counts for the
 * whole team as long as the incident stands, until somebody of the team takes it back, or until the publisher makes a
 * match certain that was only possible at the time of the verdict. It is about a place: an incident that gets worse
 * stays away; an incident that ends and begins again comes back.
 */
import { DAY_MS } from '#contract/durations.ts';
import type { MatchLevel } from '#contract/watches/watches.ts';
import { rowsFor } from '../../db/batches.ts';
import { type Instant, iso } from '../../db/instant.ts';
import type { Db } from '../../db/open.ts';

export interface Mark {
  watch_id: string;
  subject_id: string;
  /** The level of the match at the time of the verdict; `none`: there was no match. */
  level: string;
  at: string;
  user_id: string | null;
}

const keyOf = ({ watch_id, subject_id }: Pick<Mark, 'watch_id' | 'subject_id'>) =>
  `${watch_id}\n${subject_id}`;

/** The marks that count now, for these watches or incidents: the last verdict on each. */
export async function marksOf(
  db: Db,
  column: 'watch_id' | 'subject_id',
  ids: readonly string[],
): Promise<Mark[]> {
  const last = new Map<string, Mark & { verdict: string }>();
  const rows = await rowsFor(ids, (some) =>
    db
      .selectFrom('match_feedback')
      .select(['watch_id', 'subject_id', 'level', 'at', 'user_id', 'verdict'])
      .where('verdict', 'in', ['not_ours', 'ours'])
      .where(column, 'in', some)
      .orderBy('at')
      .orderBy('id'),
  );
  for (const row of rows) last.set(keyOf(row), row);
  const said = [...last.values()].filter(({ verdict }) => verdict === 'not_ours');
  const begun = await begunSince(db, said);
  return said.filter(({ subject_id, at }) => (begun.get(subject_id) ?? '') <= at);
}

/** The times at which these incidents last began. */
async function begunSince(db: Db, said: readonly Pick<Mark, 'subject_id'>[]): Promise<Map<string, string>> {
  const rows = await rowsFor([...new Set(said.map(({ subject_id }) => subject_id))], (ids) =>
    db
      .selectFrom('changes')
      .select('event_id')
      .select((eb) => eb.fn.max('at').as('at'))
      .where('event_id', 'in', ids)
      .where('kind', '=', 'began')
      .groupBy('event_id'),
  );
  return new Map(rows.map(({ event_id, at }) => [event_id, at]));
}

/** The time to store for a verdict on this incident: after all earlier verdicts and after the incident began, also
 *  if the clock has been set back since then, by a day at most. */
export async function saidAt(db: Db, subject_id: string, now: Instant): Promise<string> {
  const last = await db
    .selectFrom('match_feedback')
    .select('at')
    .where('at', '>=', iso(now))
    .where('at', '<', iso(new Date(Date.parse(iso(now)) + DAY_MS)))
    .orderBy('at', 'desc')
    .limit(1)
    .executeTakeFirst();
  const next = last ? new Date(Date.parse(last.at) + 1).toISOString() : iso(now);
  const begun = (await begunSince(db, [{ subject_id }])).get(subject_id) ?? '';
  return begun > next ? begun : next;
}

/** Whether a match is kept away, by watch and incident. */
export function keptAway(marks: readonly Mark[]) {
  const byKey = new Map(marks.map((mark) => [keyOf(mark), mark]));
  return (match: Pick<Mark, 'watch_id' | 'subject_id'> & { level: MatchLevel }): boolean => {
    const mark = byKey.get(keyOf(match));
    return mark !== undefined && !(match.level === 'certain' && mark.level === 'possible');
  };
}

/** How far the verdicts were read: verdicts of the same instant are counted. */
export interface Said {
  at: string;
  count: number;
}

/** The incidents with a verdict, or with one taken back, since then. */
export async function saidSince(db: Db, since: Said): Promise<{ subjectIds: string[]; last: Said }> {
  const rows = await db
    .selectFrom('match_feedback')
    .select(['subject_id', 'at'])
    .where('at', '>=', since.at)
    .where('verdict', 'in', ['not_ours', 'ours'])
    .execute();
  const at = rows.reduce((last, row) => (row.at > last ? row.at : last), since.at);
  const last = { at, count: rows.filter((row) => row.at === at).length };
  const isNew = last.at !== since.at || last.count !== since.count;
  return { subjectIds: isNew ? [...new Set(rows.map(({ subject_id }) => subject_id))] : [], last };
}
