/**
 * Where another program writes to the same SQLite file, a write waits for it. SQLite's own waiting stops the thread, and all
 * of the service with it; here the others go on, and read.
 */
import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import Sqlite from 'better-sqlite3';
import type { DatabaseConnection } from 'kysely';
import { setImmediate as afterwards } from 'node:timers';

/** A command's write takes less. */
export const PATIENCE_MS = 5000;
const LOOK_AGAIN_MS = 20;

export const isBusy = (error: unknown) =>
  error instanceof Sqlite.SqliteError && error.code.startsWith('SQLITE_BUSY');

/** The only connection is used by one after the other. */
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

/** `use` is given up while it waits. */
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
          // Within a transaction, which has the write lock, it is not another's write that is in the way.
          if (!isBusy(error) || file.inTransaction || performance.now() >= until) throw error;
        }
        // Others must not commit with less than they ask for, see inQuickTransaction.
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

// SQLite works in the service's own thread and its promises settle at once, so a chain of queries would be one piece of
// work, which everybody else waits for. Here a query that comes late in a piece of work waits for the next one.

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
