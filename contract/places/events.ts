/** Events: one row for each performance, with time and place, and the whole record of one event. */
import { z } from 'zod/mini';

/** The top-level categories of our own data. Imports can add others, which are kept unchanged. */
export const CATEGORIES = [
  'Music',
  'Sport',
  'Film',
  'Theatre',
  'Comedy',
  'Family',
  'Food and drink',
  'Festivals',
  'Exhibitions',
  'Conferences',
  'Community',
  'Public and seasonal',
] as const;

/** The most events for one view of the map. */
export const EVENTS_PER_VIEWPORT = 500;

/** Must be shown wherever nearby stations are shown: their licence requires it. */
export const STATIONS_ATTRIBUTION =
  'Station data: uk-railway-stations (D. Wheatley), Trainline EU and its sources, ODbL 1.0';

/** A railway station near a venue. */
export const NearbyStation = z.object({
  name: z.string(),
  /** National Rail's three-letter code; null in Northern Ireland, whose stations have none. */
  crs: z.nullable(z.string()),
  latitude: z.number(),
  longitude: z.number(),
  distance_km: z.number(),
});
export type NearbyStation = z.infer<typeof NearbyStation>;

/** One performance of an event, as lists and the map show it. Times are ISO 8601, UTC. */
export const MapEvent = z.object({
  performance_id: z.string(),
  event_id: z.string(),
  name: z.string(),
  category: z.string(),
  start_datetime: z.iso.datetime(),
  end_datetime: z.nullable(z.iso.datetime()),
  venue_name: z.nullable(z.string()),
  venue_town: z.nullable(z.string()),
  postcode: z.nullable(z.string()),
  capacity: z.nullable(z.int()),
  booking_url: z.nullable(z.string()),
  description: z.nullable(z.string()),
  /** WGS84 degrees; null when the place is not known. */
  latitude: z.nullable(z.number()),
  longitude: z.nullable(z.number()),
  /** Nearest first; only with `include_nearby_stations`. */
  nearby_stations: z.optional(z.array(NearbyStation)),
  /** True for the sample events of a new installation, which do not really take place. */
  is_sample: z.boolean(),
});
export type MapEvent = z.infer<typeof MapEvent>;

/** An event of the next day, near an alert. */
export const NearbyEvent = z.object({
  event_id: z.string(),
  name: z.string(),
  venue_name: z.nullable(z.string()),
  start_datetime: z.iso.datetime(),
  capacity: z.nullable(z.int()),
  is_sample: z.boolean(),
  distance_km: z.number(),
});
export type NearbyEvent = z.infer<typeof NearbyEvent>;

export const Venue = z.object({
  venue_id: z.string(),
  name: z.string(),
  venue_type: z.nullable(z.string()),
  address: z.nullable(z.string()),
  town: z.nullable(z.string()),
  postcode: z.nullable(z.string()),
  region: z.nullable(z.string()),
  country: z.nullable(z.string()),
  latitude: z.nullable(z.number()),
  longitude: z.nullable(z.number()),
  capacity: z.nullable(z.int()),
  phone: z.nullable(z.string()),
  email: z.nullable(z.string()),
  website: z.nullable(z.string()),
});
export type Venue = z.infer<typeof Venue>;

export const Performance = z.object({
  performance_id: z.string(),
  start_datetime: z.iso.datetime(),
  end_datetime: z.nullable(z.iso.datetime()),
  booking_url: z.nullable(z.string()),
});
export type Performance = z.infer<typeof Performance>;

/** Everything known about one event. */
export const EventRecord = z.object({
  event_id: z.string(),
  name: z.string(),
  category: z.string(),
  sub_categories: z.array(z.string()),
  tags: z.array(z.string()),
  description: z.nullable(z.string()),
  is_sample: z.boolean(),
  /** Origin of the record: `sample`, `ticketmaster`, or the name given at import. */
  source: z.string(),
  updated_at: z.iso.datetime(),
  /** Amounts in whole units of the currency (ISO 4217), e.g. 24.5 GBP. */
  prices: z.array(
    z.object({
      label: z.nullable(z.string()),
      min: z.nullable(z.number()),
      max: z.nullable(z.number()),
      currency: z.string(),
    }),
  ),
  images: z.array(z.object({ url: z.string(), alt: z.nullable(z.string()) })),
  trailers: z.array(z.object({ url: z.string(), title: z.nullable(z.string()) })),
  links: z.array(z.object({ url: z.string(), label: z.nullable(z.string()) })),
  venue: z.nullable(Venue),
  /** By start: future performances first, then past ones. */
  performances: z.array(Performance),
  nearby_stations: z.array(NearbyStation),
});
export type EventRecord = z.infer<typeof EventRecord>;

export const EventList = z.object({
  events: z.array(MapEvent),
  total: z.int(),
  next_cursor: z.nullable(z.string()),
});
export type EventList = z.infer<typeof EventList>;

/** Matching events that are not in the answer: the number around this point (WGS84 degrees). */
export const EventsElsewhere = z.object({ latitude: z.number(), longitude: z.number(), count: z.int() });
export type EventsElsewhere = z.infer<typeof EventsElsewhere>;

/** The events in a view of the map. `total` counts all that match; `events` holds at most `max_results` of them. */
export const ViewportEvents = z.object({
  events: z.array(MapEvent),
  total: z.int(),
  /** With `include_others`: the places of all the others, so that together with `events` they add up to `total`. */
  others: z.optional(z.array(EventsElsewhere)),
});
export type ViewportEvents = z.infer<typeof ViewportEvents>;

export const TownCount = z.object({ town: z.string(), event_count: z.int() });
export type TownCount = z.infer<typeof TownCount>;
