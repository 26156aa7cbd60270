/** Events: those in a view of the map, the full record of one, and the list of categories. */
import { apiPath } from '#contract/addresses.ts';
import {
  EventRecord as EventRecordSchema,
  EventsElsewhere as EventsElsewhereSchema,
  EVENTS_PER_VIEWPORT,
  MapEvent as MapEventSchema,
  ViewportEvents,
} from '#contract/places/events.ts';
import { z } from 'zod/mini';
import { type Bounds, boundsQuery } from '../alerts/geometry.ts';
import { read, type Reply } from '../http.ts';
import { Identifier, items, list, maybe, tolerant } from '../tolerant.ts';

// A server without performances sends one row per event.
export const MapEvent = z.pipe(
  tolerant(MapEventSchema, 'event_id', { performance_id: maybe(Identifier) }),
  z.transform((event) => ({ ...event, performance_id: event.performance_id ?? event.event_id })),
);
/** One performance as read: only `performance_id` and `event_id` are guaranteed. */
export type MapEvent = z.output<typeof MapEvent>;

const InView = z.pipe(
  z.union([
    z.pipe(
      items(MapEvent),
      z.transform((events) => ({ events, total: undefined, others: undefined })),
    ),
    tolerant(ViewportEvents, null, {
      events: items(MapEvent),
      others: maybe(items(EventsElsewhereSchema)),
    }),
  ]),
  z.transform(({ events, total, others }) => ({
    items: events,
    total: total ?? events.length,
    others: others ?? [],
  })),
);
/** The answer for a view of the map: some events, how many match, and roughly where the others are. */
export type EventsOfView = z.output<typeof InView>;

const EventRecord = tolerant(EventRecordSchema, 'event_id');
/** An event's record as read: only `event_id` is guaranteed. */
export type EventRecord = z.output<typeof EventRecord>;

const VENUES = 5;

/** The query for a view of the map. Days are YYYY-MM-DD, inclusive; null: no limit. */
export interface EventQuery {
  bounds: Bounds;
  category: string | null;
  dates: { start: string; end: string } | null;
}

/** At most 500 events, spread over the view; `total` is the number of all that match. */
export async function viewportEvents(
  { bounds, category, dates }: EventQuery,
  signal?: AbortSignal,
): Promise<Reply<EventsOfView>> {
  return read(InView, 'events/viewport', {
    searchParams: {
      ...boundsQuery(bounds),
      category: category ?? undefined,
      start_date: dates?.start,
      end_date: dates?.end,
      max_results: EVENTS_PER_VIEWPORT,
      include_nearby_stations: true,
      include_others: true,
    },
    offlineCopy: true,
    signal,
  });
}

const OfVenues = z.looseObject({ events: items(MapEvent) });

/** Venues of future events with these words in their name or town; at most five. */
export async function searchVenues(text: string, signal?: AbortSignal) {
  const { data } = await read(OfVenues, 'events/', { searchParams: { q: text, limit: 100 }, signal });
  const words = text.toLowerCase().split(/\s+/);
  const venues = data.events.flatMap(
    ({ venue_name: name, venue_town: town, latitude, longitude, is_sample }) => {
      if (!name || typeof latitude !== 'number' || typeof longitude !== 'number') return [];
      const label = [name, town].filter(Boolean).join(', ');
      const isMeant = words.every((word) => label.toLowerCase().includes(word));
      return isMeant ? [{ label, latitude, longitude, type: is_sample ? 'sample venue' : 'venue' }] : [];
    },
  );
  return [...new Map(venues.map((venue) => [venue.label, venue])).values()].slice(0, VENUES);
}

/** Refused with 404 when there is no such event. */
export function eventRecord(id: string, signal?: AbortSignal): Promise<Reply<EventRecord>> {
  return read(EventRecord, apiPath`events/${id}`, { offlineCopy: true, signal });
}

export async function listCategories(signal?: AbortSignal): Promise<string[]> {
  const { data } = await read(list(z.string().check(z.minLength(1)), 'categories'), 'events/categories', {
    offlineCopy: true,
    signal,
  });
  return data.items;
}
