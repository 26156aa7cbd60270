/** Routes, areas and feeds whose changes are sent to a channel, and the incidents that each is known to let through. */
import { rowsFor } from '../../db/batches.ts';
import type { Db } from '../../db/open.ts';
import { insertNew, putRow, rowsWith } from '../../db/statements.ts';
import type { RowOf } from '../../db/schema.ts';

/** How an incident touches a route or an area. */
export type Level = Pick<RowOf<'matches'>, 'level' | 'why' | 'from_km' | 'to_km'>;

export const followed = (db: Db) => ({
  /** Forgets all watches but these. */
  async only(watchIds: readonly string[]): Promise<void> {
    const rows = await db.selectFrom('followed_watches').select('watch_id').execute();
    const gone = rows.map(({ watch_id }) => watch_id).filter((id) => !watchIds.includes(id));
    await rowsWith(db, 'followed_incidents', { watch_id: gone }).remove();
    await rowsWith(db, 'followed_watches', { watch_id: gone }).remove();
  },

  /** The `rev` of each at its last comparison with all incidents. */
  async revs(): Promise<Map<string, number>> {
    const rows = await db.selectFrom('followed_watches').selectAll().execute();
    return new Map(rows.map(({ watch_id, rev }) => [watch_id, rev]));
  },

  async compared(watch_id: string, rev: number): Promise<void> {
    await putRow(db, 'followed_watches', { watch_id, rev }, ['watch_id']);
  },

  async known(watchId: string): Promise<Set<string>> {
    const rows = await rowsWith(db, 'followed_incidents', { watch_id: watchId }).all('event_id');
    return new Set(rows.map(({ event_id }) => event_id));
  },

  /** The incidents among these that any watch is known to let through, as `watch incident`. */
  async knownAmong(eventIds: readonly string[]): Promise<Set<string>> {
    const rows = await rowsWith(db, 'followed_incidents', { event_id: eventIds }).all();
    return new Set(rows.map(({ watch_id, event_id }) => `${watch_id}\n${event_id}`));
  },

  async know(watch_id: string, eventIds: readonly string[]): Promise<void> {
    await insertNew(
      db,
      'followed_incidents',
      eventIds.map((event_id) => ({ watch_id, event_id })),
    );
  },

  async forget(watch_id: string, eventIds: readonly string[]): Promise<void> {
    await rowsWith(db, 'followed_incidents', { watch_id, event_id: eventIds }).remove();
  },

  /** All incidents in force that touch it, each with its match; for feeds all that are in force. */
  async inForce({ id, kind }: Pick<RowOf<'watches'>, 'id' | 'kind'>): Promise<Map<string, Level | null>> {
    if (kind === 'feeds') {
      const rows = await rowsWith(db, 'disruptions', { kind: 'alert', ended_at: null }).all('event_id');
      return new Map(rows.map(({ event_id }) => [event_id, null]));
    }
    const rows = await touching(db)
      .where('watch_id', '=', id)
      .where('matches.ended_at', 'is', null)
      .execute();
    return new Map(rows.map(({ watch_id: _, event_id, ...level }) => [event_id, level]));
  },

  /**
   * The ids among these that are alerts, in force or ended. A record that only says that all is well is not an alert.
   */
  async alerts(eventIds: readonly string[]): Promise<{ event_id: string; source: string }[]> {
    return rowsWith(db, 'disruptions', { kind: 'alert', event_id: eventIds }).all('event_id', 'source');
  },

  /** How these incidents touch these watches, or touched them until they ended, by `watch incident`. */
  async levels(watchIds: readonly string[], eventIds: readonly string[]): Promise<Map<string, Level>> {
    const found = new Map<string, Level>();
    if (watchIds.length === 0) return found;
    const rows = await rowsFor(eventIds, (ids) =>
      touching(db)
        .where('subject_id', 'in', ids)
        .where('watch_id', 'in', watchIds)
        .where((eb) => eb.or([eb('matches.ended_at', 'is', null), eb('end_kind', '=', 'ended')]))
        .orderBy('began_at'),
    );
    for (const { watch_id, event_id, ...level } of rows) found.set(`${watch_id}\n${event_id}`, level);
    return found;
  },
});

const touching = (db: Db) =>
  db
    .selectFrom('matches')
    .select(['watch_id', 'subject_id as event_id', 'level', 'why', 'from_km', 'to_km'])
    .where('subject', '=', 'disruption')
    .where('level', '<>', 'near');
