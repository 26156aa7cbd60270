/** One event for its page: its record or, without a network, the stored copy until the record can be loaded. */
import { type EventRecord, eventRecord, type MapEvent } from '../../../api/places/events.ts';
import { useAnswer } from '../../../api/useAnswer.ts';
import { useRefreshed } from '../../../feeds/refresh/useRefreshed.ts';
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
  const { data, at, problem, refused } = useRefreshed(id, (signal) => eventRecord(id, signal), 'once');
  /** The event as the map stored it; undefined until that is known. */
  const { data: found } = useAnswer(
    problem && !data ? id : null,
    () => keptEvents().event(id, serverNow()),
    '',
  );
  if (refused) return { state: 'failed', message: refused };
  if (data) return { state: 'ready', event: data, saved: problem && at && { at, as: 'record' } };
  if (!problem || found === undefined) return { state: 'loading' };
  if (!found) return { state: 'failed', message: 'Unable to load this event' };
  return { ...shownBy(found.events), saved: { at: found.at, as: 'mapEvent' } };
}

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
