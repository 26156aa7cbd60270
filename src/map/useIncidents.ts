/** The disruptions of an area: incidents that have a point, each with whether its source may still be believed. */
import { useEffect, useState } from 'react';
import type { Bounds, Point } from '../api/bounds.ts';
import { type Alert, disruptionsWithin, listSources, type SourceEntry } from '../api/disruptions.ts';
import { pointOf } from './clusters.ts';

export interface Incident {
  alert: Alert;
  at: Point;
  /** When its source was last heard of, if that is longer ago than the source may be believed; null when it is. */
  staleSince: Date | null | 'unknown';
}

export type IncidentsInView =
  | { state: 'off' }
  | { state: 'loading' }
  | { state: 'failed' }
  | {
      state: 'ready';
      /** As the server orders them: worst first. */
      incidents: Incident[];
      total: number;
      /** Sources that were not heard of for so long that their silence means nothing. */
      silent: string[];
      /** Sources that were never heard of: not set up, or not yet collected. */
      unconnected: string[];
      /** Whether any source can be believed at all: else that there is nothing means nothing. */
      heard: boolean;
      /** When the server gave this answer, where it is a kept one; else null. */
      savedAt: Date | null;
    };

const SETTLE_MS = 150;

/** Null: the layer is off. What was there stays until the next answer. */
export function useIncidents(bounds: Bounds | null): IncidentsInView {
  const [shown, setShown] = useState<IncidentsInView>({ state: 'loading' });
  const key = bounds && JSON.stringify(bounds);

  useEffect(() => {
    if (!key) return;
    const area = JSON.parse(key) as Bounds;
    const stop = new AbortController();
    const { signal } = stop;
    const load = async () => {
      const next = await incidentsWithin(area, signal).catch((): IncidentsInView => ({ state: 'failed' }));
      if (!signal.aborted) setShown(next);
    };
    const timer = setTimeout(() => void load(), SETTLE_MS);
    const again = () => void load();
    window.addEventListener('online', again);
    return () => {
      clearTimeout(timer);
      stop.abort();
      window.removeEventListener('online', again);
    };
  }, [key]);

  return key ? shown : { state: 'off' };
}

export async function incidentsWithin(bounds: Bounds, signal: AbortSignal): Promise<IncidentsInView> {
  const [reply, sources] = await Promise.all([
    disruptionsWithin(bounds, signal),
    // A server that lists no sources declares nothing about them either.
    listSources(signal).catch(() => []),
  ]);
  const { items, total } = reply.data;
  const incidents = items.flatMap((alert): Incident[] => {
    const at = pointOf(alert);
    if (!at) return [];
    const source = sources.find((one) => one.source === alert.source);
    const heard = source?.last_collected ? new Date(source.last_collected) : null;
    return [{ alert, at, staleSince: source?.freshness === 'stale' ? (heard ?? 'unknown') : null }];
  });
  const silent = sources.filter(({ freshness }) => freshness === 'stale').map(({ source }) => source);
  const unconnected = sources.filter(isUnconnected).map(({ source }) => source);
  const heard = sources.length === 0 || silent.length + unconnected.length < sources.length;
  const savedAt = reply.copyBecause ? reply.fetchedAt : null;
  return { state: 'ready', incidents, total, silent, unconnected, heard, savedAt };
}

/** A server that declares no state says nothing about it. */
const isUnconnected = ({ state, last_collected, freshness }: SourceEntry) =>
  state != null && !last_collected && freshness == null;
