/** The last good copy of a screen's data with its time, for times when even the worker cannot answer (plain http, a
 *  first visit). It belongs to the session that made it and is never given to another. It has no age
 *  limit: src/time/freshness.ts decides how its age is said. */
import { clear, createStore, get, set, type UseStore } from 'idb-keyval';
import { offlineScope } from '../api/http.ts';

interface Snapshot {
  /** The data as it was saved. The reader checks it, because an older version of the app may have written it. */
  data: unknown;
  /** When the server gave it, by the server's clock. */
  at: Date;
}

let opened: UseStore | undefined;
const store = () => (opened ??= createStore('clearway-snapshots', 'snapshots'));

/** The copies that this page wrote. */
const written = new Map<string, { scope: string; data: unknown; at: Date }>();

/** Identical data is not written again: a stamp says that its copy was still current at `at`. False when it
 *  was not saved: a full or forbidden storage costs the copy, not the screen. */
export async function saveSnapshot(name: string, data: unknown, at: Date): Promise<boolean> {
  const scope = offlineScope();
  const copy = written.get(name);
  if (copy && copy.data === data && copy.scope === scope) return put(stampOf(name), { of: copy.at, at });
  written.delete(name);
  const isSaved = await put(name, { data, at });
  if (scope && isSaved) written.set(name, { scope, data, at });
  return isSaved;
}

/** Null when this session has no copy. */
export async function loadSnapshot(name: string): Promise<Snapshot | null> {
  const kept = await find<{ data: unknown; at: Date }>(name);
  if (!kept) return null;
  const stamp = await find<{ of: Date; at: Date }>(stampOf(name));
  const isOfIt = stamp?.of instanceof Date && stamp.of.getTime() === kept.at.getTime();
  return { data: kept.data, at: isOfIt ? stamp.at : kept.at };
}

const stampOf = (name: string) => `${name} stamp`;

async function put(name: string, record: { at: Date; data?: unknown; of?: Date }): Promise<boolean> {
  const scope = offlineScope();
  if (!scope) return false;
  try {
    await set(name, { scope, ...record }, store());
    return true;
  } catch {
    return false;
  }
}

async function find<T extends { at: Date }>(name: string): Promise<T | null> {
  try {
    const kept = await get<T & { scope: string }>(name, store());
    return kept?.scope === offlineScope() && kept?.at instanceof Date ? kept : null;
  } catch {
    return null;
  }
}

export async function clearSnapshots(): Promise<void> {
  written.clear();
  await clear(store());
}
