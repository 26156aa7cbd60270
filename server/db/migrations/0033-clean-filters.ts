/** Filters saved before control characters were refused, without them: they could no longer be read. */
import type { Kysely } from 'kysely';
import type { Tables } from '../schema.ts';

export async function up(db: Kysely<Tables>): Promise<void> {
  const saved = await db.selectFrom('filters').select(['id', 'query']).execute();
  for (const { id, query } of saved) {
    const cleaned = clean(query);
    if (cleaned !== null)
      await db.updateTable('filters').set({ query: cleaned }).where('id', '=', id).execute();
  }
}

/** Null: it can stay. A condition of nothing else did not limit anything, and is left out. */
function clean(query: string): string | null {
  const pairs = [...new URLSearchParams(query)];
  if (!pairs.some(([, value]) => /\p{Cc}/u.test(value))) return null;
  const readable = pairs
    .map(([name, value]): [string, string] => [name, value.replaceAll(/\p{Cc}+/gu, ' ').trim()])
    .filter(([, value]) => value !== '');
  return String(new URLSearchParams(readable));
}
