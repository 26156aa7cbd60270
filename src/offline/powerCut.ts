/**
 * Keeps what a display must still have after a power cut. Chromium writes localStorage to the disk five seconds later, and where much is
 * written up to a minute: a display would start with the layout of before, or with a token that is spent, which signs it
 * out. So the newest is in IndexedDB as well, which is written at once, and is put back at the start.
 */
import { createStore, del, get, set, type UseStore } from 'idb-keyval';
import { browserStore } from '../device/browserStorage.ts';

/** A database that does not answer must not keep a wall dark. */
const PATIENCE_MS = 1000;

let opened: UseStore | undefined;
const store = () => (opened ??= createStore('clearway-power-cut', 'records'));

/** The page has it at once. Settles when the database has it too, or cannot take it. Null: it is gone from both. */
export async function keepOnDisk(key: string, record: object | null): Promise<void> {
  const text = record && JSON.stringify({ ...record, turn: (turnOf(browserStore.get(key)) ?? 0) + 1 });
  if (text) browserStore.set(key, text);
  else browserStore.remove(key);
  try {
    await (text ? set(key, text, store()) : del(key, store()));
  } catch {
    /* forbidden or full: as much is lost by a power cut as without it */
  }
}

/** Call before it is read: the browser may have lost the newest. */
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

/** One without a turn is of a build from before this, and newer than what this one wrote. */
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
