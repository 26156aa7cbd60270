/** An event, its performances and its venue as rows of the tables. */
import { hash } from 'node:crypto';
import type { MapEvent, Performance, Venue } from '#contract/places/events.ts';
import type { EventInput } from './eventInput.ts';
import type { RowOf } from '../../db/schema.ts';

/** A performance without an end time counts as over after this long. */
const ASSUMED_LENGTH_MS = 3 * 60 * 60 * 1000;

/** Lists show only the beginning of a long description; the record has the whole text. */
const SHOWN_DESCRIPTION_MAX = 600;

/** A text for comparison: in lower case, with one form of é. */
export const keyOf = (text: string) => text.normalize('NFC').toLowerCase();

export type EventContent = Omit<EventInput, 'event_id' | 'venue' | 'performances'>;
export type NewPerformance = Omit<RowOf<'performances'>, 'id'> & { id?: never };

const hashOf = (text: string) => hash('sha256', text, 'base64url').slice(0, 22);

export function toVenueRow(source: string, venue: Venue): RowOf<'venues'> {
  const record = JSON.stringify(venue);
  return { venue_id: venue.venue_id, source, record, content_hash: hashOf(record) };
}

export function toEventRow({
  source,
  isSample,
  input,
  at,
}: {
  source: string;
  isSample: boolean;
  input: EventInput;
  at: string;
}): RowOf<'events'> {
  const { event_id, venue, performances: _, ...content } = input;
  const record = JSON.stringify(content satisfies EventContent);
  const venue_id = venue?.venue_id ?? null;
  const is_sample = isSample ? 1 : 0;
  const content_hash = hashOf(JSON.stringify([record, venue_id, is_sample]));
  return { event_id, source, is_sample, venue_id, record, content_hash, updated_at: at };
}

export function toPerformanceRow({
  isSample,
  input,
  venue,
  performance,
}: {
  isSample: boolean;
  input: EventInput;
  venue: Venue | null;
  performance: Performance;
}): NewPerformance {
  const { event_id, name, category } = input;
  const { performance_id, start_datetime, end_datetime, booking_url } = performance;
  const { latitude, longitude, ...place } = placeOf(venue);
  const shown: MapEvent = {
    performance_id,
    event_id,
    name,
    category,
    start_datetime,
    end_datetime,
    ...place,
    booking_url,
    description: shortened(input.description),
    latitude,
    longitude,
    is_sample: isSample,
  };
  return rowOf(shown, venue?.venue_id ?? null);
}

export const placeOf = (venue: Venue | null) => ({
  venue_name: venue?.name ?? null,
  venue_town: venue?.town ?? null,
  postcode: venue?.postcode ?? null,
  capacity: venue?.capacity ?? null,
  latitude: venue?.latitude ?? null,
  longitude: venue?.longitude ?? null,
});

export function rowOf(event: MapEvent, venue_id: string | null): NewPerformance {
  const { performance_id, event_id, name, category, start_datetime, end_datetime } = event;
  const { venue_name, venue_town: town, latitude, longitude } = event;
  const shown = JSON.stringify(event);
  return {
    performance_id,
    event_id,
    venue_id,
    start_datetime,
    over_at: end_datetime ?? new Date(Date.parse(start_datetime) + ASSUMED_LENGTH_MS).toISOString(),
    category,
    category_key: keyOf(category),
    town,
    town_key: town ? keyOf(town) : null,
    latitude,
    longitude,
    search_text: keyOf([name, venue_name, town].filter(Boolean).join('\n')),
    shown,
    content_hash: hashOf(shown),
  };
}

export function shortened(text: string | null): string | null {
  if (text === null || text.length <= SHOWN_DESCRIPTION_MAX) return text;
  const cut = text.slice(0, SHOWN_DESCRIPTION_MAX).replace(/(?<!\s)\s+\S*$/, '');
  return `${cut.toWellFormed()} …`;
}
