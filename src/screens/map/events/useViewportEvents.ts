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
import { failureText, Refused } from '../../../api/http.ts';
import { serverNow } from '../../../time/freshness.ts';
import { keepTrying } from './useEvent.ts';
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

/** How long the map must rest before events are loaded, because a pan stops many times. */
const SETTLE_MS = 150;

/** `loading` while the answer to `query` has not arrived; until then the last view stays. */
export function useViewportEvents(query: EventQuery | null): { view: EventsInView; loading: boolean } {
  const [{ of, view }, setShown] = useState<{ of: string | null; view: EventsInView }>({
    of: null,
    view: { state: 'loading' },
  });
  const [kept] = useState(keptEvents);
  const key = query && JSON.stringify(query);

  useEffect(() => {
    if (!key) return undefined;
    const asked = JSON.parse(key) as EventQuery;
    return keepTrying(
      (signal, shown) =>
        ask(asked, kept, signal, ({ view: next, mayBringMore }) => {
          if (signal.aborted) return;
          setShown({ of: key, view: next });
          shown(mayBringMore);
        }),
      SETTLE_MS,
    );
  }, [key, kept]);

  return { view, loading: key !== null && of !== key };
}

interface Shown {
  view: EventsInView;
  /** Whether another attempt can bring more. */
  mayBringMore: boolean;
}

async function ask(
  query: EventQuery,
  kept: ReturnType<typeof keptEvents>,
  signal: AbortSignal,
  show: (shown: Shown) => void,
): Promise<void> {
  try {
    let reply = await viewportEvents(query, signal);
    if (reply.copyBecause) {
      show({ view: ready(reply.data, reply.fetchedAt), mayBringMore: true });
      const late = await reply.late;
      if (!late || late.copyBecause) return;
      reply = late;
    }
    const { items: events, total } = reply.data;
    show({ view: ready(reply.data, null), mayBringMore: false });
    if (!signal.aborted) await kept.add({ ...query, events, total, at: reply.fetchedAt });
  } catch (error) {
    if (signal.aborted) return;
    const refused = error instanceof Refused;
    const stored = refused ? null : await kept.find(query, serverNow());
    show({
      view: stored
        ? ready({ items: stored.events, total: stored.total, others: [] }, stored.at)
        : { state: 'failed', message: failureText(error, 'Unable to load events for this area') },
      mayBringMore: !refused,
    });
  }
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
