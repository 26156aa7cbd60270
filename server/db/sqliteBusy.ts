/**
 * Where another program writes to the same SQLite file, a write waits for it. SQLite's own waiting stops the thread, and all
 * of the service with it; here the others go on, and read.
 */
import { setTimeout as delay } from 'node:timers/promises';
import Sqlite from 'better-sqlite3';
import type { DatabaseConnection } from 'kysely';

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
