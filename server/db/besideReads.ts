/** Ways to read a revision on another connection, because a database's own connection can be busy with a long
 *  transaction. */
interface Reader {
  one(name: string): number;
  /** All revisions that were ever raised, by one statement. */
  all(): ReadonlyMap<string, number>;
}
const readers = new WeakMap<object, Reader>();

export const readBeside = (db: object, reader: Reader) => void readers.set(db, reader);

/** Undefined when this database has no such reader: PostgreSQL has several connections anyway. */
export const besideReader = (db: object) => readers.get(db);
