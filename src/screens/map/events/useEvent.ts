/** One event for its page: its record or, without a network, the stored copy until the record can be loaded. */
import { useEffect, useState } from 'react';
import { type EventRecord, eventRecord, type MapEvent } from '../../../api/places/events.ts';
import { failureText, Refused, type Reply } from '../../../api/http.ts';
import { serverNow } from '../../../time/freshness.ts';
import { keptEvents } from './keptEvents.ts';

export type EventOnPage =
  | { state: 'loading' }
  | { state: 'failed'; message: string }
  | {
      state: 'ready';
      event: EventRecord;
      /** When it was stored, and in which form: the full record, or the map's events. Null when it is new. */
      saved: { at: Date; as: 'record' | 'mapEvent' } | null;
    };

export function useEvent(id: string): EventOnPage {
  const [answer, setAnswer] = useState<{ id: string } & EventOnPage>({ id, state: 'loading' });

  useEffect(
    () =>
      keepTrying(async (signal, shown) => {
        const show = (next: EventOnPage, mayBringMore: boolean) => {
          if (signal.aborted) return;
          setAnswer({ id, ...next });
          shown(mayBringMore);
        };
        try {
          const reply = await eventRecord(id, signal);
          show(ready(reply), reply.copyBecause !== null);
          const late = await reply.late;
          if (late) show(ready(late), late.copyBecause !== null);
        } catch (error) {
          const failed = {
            state: 'failed' as const,
            message: failureText(error, 'Unable to load this event'),
          };
          if (error instanceof Refused) return show(failed, false);
          const kept = await keptEvents().event(id, serverNow());
          show(kept ? { ...shownBy(kept.events), saved: { at: kept.at, as: 'mapEvent' } } : failed, true);
        }
      }),
    [id],
  );

  return answer.id === id ? answer : { state: 'loading' };
}

const ready = ({ data: event, copyBecause, fetchedAt }: Reply<EventRecord>): EventOnPage => ({
  state: 'ready',
  event,
  saved: copyBecause ? { at: fetchedAt, as: 'record' } : null,
});

/** The event as the map knows it from its performances, of which there is at least one. */
function shownBy(performances: readonly MapEvent[]): { state: 'ready'; event: EventRecord } {
  const { event_id, name, category, description, is_sample, nearby_stations, ...one } = performances[0]!;
  return {
    state: 'ready',
    event: {
      event_id,
      name,
      category,
      description,
      is_sample,
      nearby_stations,
      venue: {
        name: one.venue_name,
        town: one.venue_town,
        postcode: one.postcode,
        capacity: one.capacity,
        latitude: one.latitude,
        longitude: one.longitude,
      },
      performances: [...performances]
        .sort((a, b) => (a.start_datetime ?? '~').localeCompare(b.start_datetime ?? '~'))
        .map(({ performance_id, start_datetime, end_datetime, booking_url }) => ({
          performance_id,
          start_datetime,
          end_datetime,
          booking_url,
        })),
    },
  };
}

/** The wait after no answer, unless the network comes back earlier. */
const RETRY_MS = 30_000;

/** Loads at once or after `afterMs`, and again every 30 s and when the network comes back, as long as `load` returns
 *  that another attempt can bring more. A network that comes back just when the load fails is not missed. Returns a
 *  function that ends it. */
export function keepTrying(
  load: (signal: AbortSignal, shown: (mayBringMore: boolean) => void) => Promise<void>,
  afterMs = 0,
): () => void {
  const stop = new AbortController();
  let state: 'loading' | 'mayBringMore' | 'done' = 'loading';
  let cameBack = false;

  const start = () => {
    state = 'loading';
    cameBack = false;
    void load(stop.signal, (mayBringMore) => {
      state = mayBringMore ? 'mayBringMore' : 'done';
      if (cameBack) again();
    });
  };
  const again = () => {
    if (state === 'mayBringMore' && !stop.signal.aborted) start();
  };
  const whenOnline = () => {
    cameBack = state === 'loading';
    again();
  };

  const waiting = afterMs > 0 ? setTimeout(start, afterMs) : void start();
  const retrying = setInterval(again, RETRY_MS);
  window.addEventListener('online', whenOnline);
  return () => {
    clearTimeout(waiting);
    clearInterval(retrying);
    window.removeEventListener('online', whenOnline);
    stop.abort();
  };
}
