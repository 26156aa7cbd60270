/** Reports by people that an incident's words were read wrongly. They are kept with the words, for the next release. */
import { insertNew } from '../../db/statements.ts';
import { DAY_MS } from '#contract/durations.ts';
import type { ReadingFault } from '#contract/incidents/whatWasRead.ts';
import { iso, type Instant } from '../../db/instant.ts';
import type { Db } from '../../db/open.ts';
import { rowCount } from '../../db/batches.ts';

/** The most reports of one person in a day. */
const A_DAY = 50;

interface Fault {
  userId: string;
  title: string;
  text: string;
  wasRead: string;
}

export const readingFaults = (db: Db) => ({
  /** Adds a report. A report that arrives twice counts once. `full`: this person has reported enough today. */
  async add(
    { id, event_id, note }: ReadingFault,
    { userId, title, text, wasRead }: Fault,
    now: Instant,
  ): Promise<'kept' | 'full'> {
    const since = iso(new Date(new Date(now).getTime() - DAY_MS));
    const today = db.selectFrom('reading_faults').where('user_id', '=', userId).where('at', '>', since);
    if ((await rowCount(today)) >= A_DAY) return 'full';
    await insertNew(db, 'reading_faults', {
      id,
      event_id,
      title,
      text,
      was_read: wasRead,
      note,
      user_id: userId,
      at: iso(now),
    });
    return 'kept';
  },
});
