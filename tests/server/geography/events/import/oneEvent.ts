import type { Venue } from '#contract/places/events.ts';
import type { Db } from '../../../../../server/db/open.ts';
import type { EventInput } from '../../../../../server/geography/events/eventInput.ts';
import { events } from '../../../../../server/geography/events/events.ts';

/** Stores a real event. Without one, each day's housekeeping stores the sample of 3,183 events. */
export const storeRealEvent = (db: Db, now: Date) =>
  events(db).store({ source: 'theatre', arriving: [event({ id: 'real' })], now });

/** An evening in Leeds. */
export function event(
  changes: Partial<EventInput> & { id?: string; start?: string; place?: Partial<Venue> | null } = {},
): EventInput {
  const { id = 'e1', start = '2026-12-01T19:30:00.000Z', place = {}, ...rest } = changes;
  return {
    event_id: id,
    name: 'An evening',
    category: 'Music',
    sub_categories: ['Jazz'],
    tags: ['seated'],
    description: 'Doors open at seven.',
    prices: [{ label: null, min: 10, max: 20, currency: 'GBP' }],
    images: [],
    trailers: [],
    links: [],
    venue: place && {
      venue_id: 'v1',
      name: 'Town Hall',
      venue_type: null,
      address: null,
      town: 'Leeds',
      postcode: 'LS1 3AD',
      region: null,
      country: null,
      latitude: 53.8,
      longitude: -1.55,
      capacity: 1200,
      phone: null,
      email: null,
      website: null,
      ...place,
    },
    performances: [
      {
        performance_id: id,
        start_datetime: start,
        end_datetime: null,
        booking_url: 'https://tickets.example/1',
      },
    ],
    ...rest,
  };
}
