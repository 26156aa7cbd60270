/** Ways to read a revision beside a database's own connection, which can be busy with a long transaction. */
const readers = new WeakMap<object, (revision: string) => number>();

export const readBeside = (db: object, read: (revision: string) => number) => void readers.set(db, read);

/** Undefined when this database has none: PostgreSQL has several connections anyway. */
export const besideReader = (db: object) => readers.get(db);
