/**
 * The last good copy of a screen's data with its time, for when not even a worker can answer (plain http, a first
 * visit). It belongs to the session that made it and is never given to another.
 */
import { clear, createStore, get, set, type UseStore } from 'idb-keyval';
import { offlineScope } from '../api/http.ts';

export interface Snapshot {
  /** As it was saved; the reader checks it, since an older version of the app may have written it. */
  data: unknown;
  /** When the server gave it, by the server's clock. */
  at: Date;
}

let opened: UseStore | undefined;
const store = () => (opened ??= createStore('clearway-snapshots', 'snapshots'));

/** Never fails: a full or forbidden storage costs the copy, not the screen. */
export async function saveSnapshot(name: string, data: unknown, at: Date): Promise<void> {
  const scope = offlineScope();
  if (!scope) return;
  try {
    await set(name, { scope, data, at }, store());
  } catch {
    /* by design */
  }
}

/** Null when there is none, or none of this session's. */
export async function loadSnapshot(name: string): Promise<Snapshot | null> {
  try {
    const kept = await get<{ scope: string; data: unknown; at: Date }>(name, store());
    if (!kept || kept.scope !== offlineScope() || !(kept.at instanceof Date)) return null;
    return { data: kept.data, at: kept.at };
  } catch {
    return null;
  }
}

export async function clearSnapshots(): Promise<void> {
  await clear(store());
}
