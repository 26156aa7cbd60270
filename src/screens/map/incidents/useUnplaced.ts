/** The disruptions without a known place: stored for use without a network, refreshed while their list is open. */
import { useEffect, useState } from 'react';
import { type Alert, disruptionsWithoutPosition } from '../../../api/alerts/disruptions.ts';
import { useClock } from '../../../time/tickingClock.ts';
import { refreshOnce } from '../../../feeds/refresh/refreshOnce.ts';
import { startRefreshing } from '../../../feeds/refresh/refreshSchedule.ts';
import { isStale } from '../../../time/freshness.ts';
import { loadSnapshot, saveSnapshot } from '../../../offline/snapshot.ts';
import { pointOf } from '../clusters.ts';
import { type Line, NO_LINE } from './useIncidents.ts';

/** The name carries the shape's version: a copy of another shape is not found. */
const SNAPSHOT = 'unplaced-1';

export interface Unplaced extends Line {
  /** Null while none are known. `at`: when the server sent them. */
  list: { alerts: Alert[]; total: number; at: Date } | null;
  old: boolean;
}

/** `count`: how many there are by the newest answer about an area. When it changes, the list is loaded once. */
export function useUnplaced({ count, open }: { count: number; open: boolean }): Unplaced {
  const [list, setList] = useState<Unplaced['list']>(null);
  const [line, setLine] = useState(NO_LINE);

  useEffect(() => {
    if (count === 0 && !open) return;
    let stopped = false;
    const stopping = new AbortController();
    const show = (change: Partial<Line>) => {
      if (!stopped) setLine((now) => ({ ...now, ...change }));
    };
    const note = (next: NonNullable<Unplaced['list']>) => {
      if (!stopped) setList((now) => (now && now.at > next.at ? now : next));
    };
    const recall = async () => {
      const kept = await loadSnapshot(SNAPSHOT);
      if (kept && isList(kept.data)) note({ ...kept.data, at: kept.at });
    };
    const recalled = recall();
    const ask = (signal: AbortSignal) =>
      refreshOnce(disruptionsWithoutPosition, signal, {
        copied: (answer, at) => note({ ...listOf(answer), at }),
        slow: (problem) => show({ problem }),
        async failed(problem) {
          await recalled;
          show({ problem });
        },
        answered(answer, at) {
          const next = listOf(answer);
          note({ ...next, at });
          show({ problem: null });
          void saveSnapshot(SNAPSHOT, next, at);
          return true;
        },
      });

    const { stop } = open
      ? startRefreshing(ask, show, 'attended', { whileHidden: false })
      : { stop: () => stopping.abort() };
    if (!open) void ask(stopping.signal);
    return () => {
      stopped = true;
      stop();
    };
  }, [open, open ? 0 : count]); // oxlint-disable-line react-hooks/exhaustive-deps -- an open list refreshes anyway

  const old = useClock((now) => list !== null && isStale(list.at, now));
  return { ...line, list, old };
}

/** A server that does not support this query answers with all disruptions. */
function listOf({ items, total }: { items: Alert[]; total: number }): { alerts: Alert[]; total: number } {
  const alerts = items.filter((alert) => pointOf(alert) === null);
  return { alerts, total: alerts.length < items.length ? alerts.length : total };
}

const isList = (data: unknown): data is { alerts: Alert[]; total: number } =>
  typeof data === 'object' &&
  data !== null &&
  'alerts' in data &&
  Array.isArray(data.alerts) &&
  'total' in data;
