/**
 * SQLite works in the service's own thread and its promises settle at once, so a chain of queries would be one piece of
 * work, which everybody else waits for. Here a query that comes late in a piece of work waits for the next one.
 */
import { setImmediate as afterwards } from 'node:timers';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { DatabaseConnection } from 'kysely';

/** After this a piece of work begins no other query. */
const TURN_MS = 20;

/** When the thread's current piece of work sent its first query. */
let began: number | null = null;

/** The connection, its queries in turns with all other work of the thread. */
export function inTurns(connection: DatabaseConnection): DatabaseConnection {
  return {
    async executeQuery(query) {
      if (began !== null && performance.now() - began > TURN_MS) {
        await nextTurn();
        began = null;
      }
      if (began === null) {
        began = performance.now();
        afterwards(() => (began = null));
      }
      return connection.executeQuery(query);
    },
    streamQuery: (query, size) => connection.streamQuery(query, size),
  };
}
