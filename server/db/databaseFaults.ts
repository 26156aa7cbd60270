/** Faults of our database, in words for the caller. All of them pass by themselves, or when the disk has room again. */

interface DatabaseFault {
  words: string;
  retryAfterSeconds: number;
}

/** Faults by the beginning of SQLite's or PostgreSQL's error code. */
const FAULTS: readonly (readonly [RegExp, DatabaseFault])[] = [
  [
    /^(?:SQLITE_FULL|SQLITE_IOERR_WRITE|ENOSPC|53100)/,
    {
      words: 'The disk of the server is full: it shows what it has, and can keep nothing new.',
      retryAfterSeconds: 60,
    },
  ],
  [
    /^(?:SQLITE_BUSY|SQLITE_LOCKED|55P03|40P01|40001)/,
    { words: 'The database is busy. Try again in a moment.', retryAfterSeconds: 5 },
  ],
  [
    /^(?:08|57P|53|55000|ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|SQLITE_CANTOPEN|SQLITE_IOERR)/,
    { words: 'The database does not answer. Try again in a moment.', retryAfterSeconds: 10 },
  ],
];

/** Messages of the PostgreSQL driver that come without a code. */
const LOST =
  /^(?:Connection terminated|timeout exceeded when trying to connect|Query read timeout|Client has encountered a connection error)/;

/** Null: the fault is not the database's but ours. */
export function databaseFault(error: unknown): DatabaseFault | null {
  if (!(error instanceof Error)) return null;
  if (LOST.test(error.message)) return FAULTS[2]![1];
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  const found = FAULTS.find(([codes]) => codes.test(code))?.[1];
  // When several connections are refused together, the codes are one level below.
  if (!found && error instanceof AggregateError) return databaseFault(error.errors[0]);
  return found ?? null;
}
