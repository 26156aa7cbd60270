/** The tools of code that reads an upstream: a way to ask it, and facts that were learned from it before. */
import type { Db } from '../../db/open.ts';

export interface Reply {
  /** Decoded by the document's own declaration, the content type, or UTF-8. */
  body: string;
  headers: Readonly<Record<string, string>>;
}

/** Asks an upstream. Throws on anything but a 2xx; a 304 returns the last body. */
export type Get = (url: string, headers?: Record<string, string>) => Promise<Reply>;

/** Facts about the world that do not change, kept in the database, such as where a flood area is. */
export interface Facts {
  get(key: string): Promise<string | null>;
  set(key: string, value: string): Promise<void>;
}

/** Facts that collectors have fetched and need not request again. */
export const facts = (db: Db, now: () => Date = () => new Date()): Facts => ({
  async get(key) {
    const row = await db.selectFrom('facts').select('value').where('key', '=', key).executeTakeFirst();
    return row?.value ?? null;
  },

  async set(key, value) {
    await db
      .insertInto('facts')
      .values({ key, value, kept_at: now().toISOString() })
      .onConflict((conflict) =>
        conflict
          .column('key')
          .doUpdateSet((eb) => ({ value: eb.ref('excluded.value'), kept_at: eb.ref('excluded.kept_at') }))
          .whereRef('facts.value', '<>', 'excluded.value'),
      )
      .execute();
  },
});
