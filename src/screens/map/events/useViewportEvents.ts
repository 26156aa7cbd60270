/**
 * The events of the view and its filters. They are loaded when either changes, and stored for use without a network.
 */
import { useEffect, useState } from 'react';
import type { EventsElsewhere } from '#contract/places/events.ts';
import {
  type EventQuery,
  type EventsOfView,
  type MapEvent,
  viewportEvents,
} from '../../../api/places/events.ts';
import { useRefreshed } from '../../../feeds/refresh/useRefreshed.ts';
import { serverNow } from '../../../time/freshness.ts';
import { useSettled } from '../incidents/useIncidents.ts';
import { keptEvents } from './keptEvents.ts';

export type EventsInView =
  | { state: 'loading' }
  | { state: 'failed'; message: string }
  | {
      state: 'ready';
      /** Soonest first. */
      events: MapEvent[];
      total: number;
      /** The rough places of events that are not in `events`. */
      others: readonly EventsElsewhere[];
      /** Set when these are stored answers: the time of the oldest. Null when they are new. */
      savedAt: Date | null;
    };

/** `loading` while the answer to `query` has not arrived; until then the last view stays. */
export function useViewportEvents(query: EventQuery | null): { view: EventsInView; loading: boolean } {
  const [{ of, view }, setShown] = useState<{ of: string | null; view: EventsInView }>({
    of: null,
    view: { state: 'loading' },
  });
  const [kept] = useState(keptEvents);
  const key = query && JSON.stringify(query);
  const asked = useSettled(key);
  const { data, at, problem, refused } = useRefreshed(
    asked,
    (signal) => viewportEvents(JSON.parse(asked!) as EventQuery, signal), // it asks only with a query
    'once',
  );

  useEffect(() => {
    if (!asked) return undefined;
    const of = JSON.parse(asked) as EventQuery;
    let isGone = false;
    const show = (next: EventsInView) => isGone || setShown({ of: asked, view: next });
    const failed = (message = 'Unable to load events for this area') => show({ state: 'failed', message });
    const showStored = async () => {
      const stored = await kept.find(of, serverNow());
      if (!stored) return failed();
      return show(ready({ items: stored.events, total: stored.total, others: [] }, stored.at));
    };
    if (refused) failed(refused);
    else if (data && at) {
      show(ready(data, problem && at));
      if (!problem) void kept.add({ ...of, events: data.items, total: data.total, at });
    } else if (problem) void showStored();
    return () => {
      isGone = true;
    };
  }, [asked, kept, data, at, problem, refused]);

  return { view, loading: key !== null && of !== key };
}

const ready = ({ items, total, others }: EventsOfView, savedAt: Date | null): EventsInView => ({
  state: 'ready',
  events: soonestFirst(items),
  total: Math.max(total, items.length),
  others,
  savedAt,
});

/** Soonest first. Events without a time come last. ISO 8601 in UTC sorts as text. */
const soonestFirst = (events: MapEvent[]) =>
  [...events].sort(
    (a, b) =>
      (a.start_datetime ?? '~').localeCompare(b.start_datetime ?? '~') ||
      (a.name ?? '').localeCompare(b.name ?? ''),
  );
