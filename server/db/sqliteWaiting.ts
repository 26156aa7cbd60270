/** A write waits while another program writes to the same SQLite file. SQLite's own waiting would stop the thread,
 *  and the whole service with it. Here only the write waits, and everything else goes on. */
import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import Sqlite from 'better-sqlite3';
import type { DatabaseConnection } from 'kysely';
import { setImmediate as afterwards } from 'node:timers';

/** How long a write waits. The write of a command takes less. */
export const PATIENCE_MS = 5000;
const LOOK_AGAIN_MS = 20;

export const isBusy = (error: unknown) =>
  error instanceof Sqlite.SqliteError && error.code.startsWith('SQLITE_BUSY');

/** Gives the only connection to one user after the other. */
export function oneAtATime() {
  const waiting: (() => void)[] = [];
  let isUsed = false;
  return {
    async begin(): Promise<void> {
      if (isUsed) await new Promise<void>((resolve) => waiting.push(resolve));
      isUsed = true;
    },
    end(): void {
      const next = waiting.shift();
      if (next) next();
      else isUsed = false;
    },
  };
}

/** Waits for the file. `use`: the connection, which is given to others while this waits. */
export function patiently(
  connection: DatabaseConnection,
  {
    file,
    use,
    patienceMs,
  }: { file: Sqlite.Database; use: ReturnType<typeof oneAtATime>; patienceMs: number },
): DatabaseConnection {
  return {
    async executeQuery(query) {
      const until = performance.now() + patienceMs;
      for (;;) {
        try {
          return await connection.executeQuery(query);
        } catch (error) {
          // Inside a transaction we hold the write lock, so no other program is in the way.
          if (!isBusy(error) || file.inTransaction || performance.now() >= until) throw error;
        }
        // Others must not commit with less durability than they ask for, see inQuickTransaction.
        const durability = file.pragma('synchronous', { simple: true });
        file.pragma('synchronous = FULL');
        use.end();
        await delay(LOOK_AGAIN_MS);
        await use.begin();
        file.pragma(`synchronous = ${durability}`);
      }
    },
    streamQuery: (query, size) => connection.streamQuery(query, size),
  };
}

// SQLite works in the service's own thread, and its promises settle at once. So a chain of queries would run as one
// step and block everybody. Here a query waits for the next step when the current one has already taken long.

/** After this time a step begins no other query, in ms. */
const TURN_MS = 20;

/** When the current step of the thread sent its first query. */
let began: number | null = null;

/** The connection. Its queries take turns with all other work of the thread. */
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
