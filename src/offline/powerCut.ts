/**
 * Keeps the records that a display needs after a power cut. Chromium writes localStorage to the disk five seconds
 * later, or up to a minute later when much is written. A display would then start with an earlier layout, or with a
 * used token, which signs it out. So the newest record is also in IndexedDB, which is written at once, and is put
 * back at the start.
 */
import { createStore, del, get, set, type UseStore } from 'idb-keyval';
import { browserStore } from '../device/browserStorage.ts';

/** How long a database may take: one that does not answer must not keep a wall dark. */
const PATIENCE_MS = 1000;

let opened: UseStore | undefined;
const store = () => (opened ??= createStore('clearway-power-cut', 'records'));

/** Stores a record. The page has it at once. Settles when the database has it too, or cannot take it. Null deletes
 *  it from both. */
export async function keepOnDisk(key: string, record: object | null): Promise<void> {
  const text = record && JSON.stringify({ ...record, turn: (turnOf(browserStore.get(key)) ?? 0) + 1 });
  if (text) browserStore.set(key, text);
  else browserStore.remove(key);
  try {
    await (text ? set(key, text, store()) : del(key, store()));
  } catch {
    /* By design: the database is forbidden or full, so a power cut loses as much as without it. */
  }
}

/** Puts the newest record back. Call it before the record is read, because the browser may have lost it. */
export async function putBack(key: string): Promise<void> {
  let isLate = false;
  const put = async () => {
    const written = await get<string>(key, store());
    if (written && !isLate && isOlder(browserStore.get(key), written)) browserStore.set(key, written);
  };
  let timer: ReturnType<typeof setTimeout> | undefined;
  const patience = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, PATIENCE_MS);
  });
  await Promise.race([put().catch(() => {}), patience]);
  isLate = true;
  clearTimeout(timer);
}

/** Whether the browser's record is older than the database's. A record without a turn was written by an earlier
 *  build, and is newer than any that this build wrote. */
function isOlder(held: string | null, written: string): boolean {
  const turn = turnOf(held);
  return held === null || (turn !== null && turn < (turnOf(written) ?? 0));
}

function turnOf(text: string | null): number | null {
  try {
    const { turn } = JSON.parse(text ?? '{}') as { turn?: unknown };
    return typeof turn === 'number' ? turn : null;
  } catch {
    return null;
  }
}
