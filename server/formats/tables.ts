/** JSON, GeoJSON (RFC 7946) and CSV (RFC 4180): the same rows. */
import { setImmediate } from 'node:timers/promises';
import { stringify } from 'csv-stringify/sync';
import { z } from 'zod/mini';
import { type Geometry, ListedDisruption } from '#contract/disruptions.ts';
import { FilteredPage } from '#contract/filters.ts';
import { chunks } from '../db/batches.ts';
import type { Found } from './found.ts';
import { attributionOf } from './asked.ts';
import { alertPage, line, nameOf, standingOf, TEXT_MAX, TITLE_MAX } from './words.ts';

/** Rows that are checked before other calls get a turn. */
const ROWS_AT_ONCE = 200;
const Rows = z.array(ListedDisruption);

export async function jsonOf(found: Found): Promise<FilteredPage> {
  const { rows, total, next_cursor, near, total_without_position, sources, state } = found;
  const page = FilteredPage.parse({
    events: [],
    total,
    next_cursor,
    ...(near && { near }),
    ...(total_without_position !== null && { total_without_position, sources }),
    ...state,
  });
  for (const some of chunks(rows, ROWS_AT_ONCE)) {
    page.events.push(...Rows.parse(some));
    await setImmediate();
  }
  return page;
}

const hasPlace = ({ latitude, longitude }: ListedDisruption) =>
  latitude !== null && longitude !== null && !(latitude === 0 && longitude === 0);

/** Its line or area, else its point; null where nobody says where it is. */
const shapeOf = (incident: ListedDisruption): Geometry | null =>
  incident.geometry ??
  (hasPlace(incident) ? { type: 'Point', coordinates: [incident.longitude, incident.latitude] } : null);

export function geojsonOf({ rows, total, next_cursor, state }: Found): object {
  return {
    type: 'FeatureCollection',
    features: rows.map((incident) => {
      const { event_id, geometry: _, ...properties } = incident;
      return {
        type: 'Feature',
        id: event_id,
        geometry: shapeOf(incident),
        properties: { event_id, ...properties, standing: standingOf(incident, state.silent) },
      };
    }),
    total,
    next_cursor,
    ...state,
  };
}

type Cell = string | number | null;

const COLUMNS: Readonly<Record<string, (incident: ListedDisruption, found: Found, origin: string) => Cell>> =
  {
    event_id: ({ event_id }) => event_id,
    standing: (incident, { state }) => standingOf(incident, state.silent),
    severity: ({ severity }) => severity,
    unrated: ({ metadata }) => (metadata.severity_unrated ? 'yes' : 'no'),
    event_type: ({ event_type }) => event_type,
    title: ({ title }) => line(title, TITLE_MAX),
    summary: ({ summary_line }) => line(summary_line, TEXT_MAX),
    place: ({ facts }) => (facts?.place ? line(facts.place, TITLE_MAX) : null),
    effect: ({ facts }) => (facts?.effect ? line(facts.effect, TITLE_MAX) : null),
    roads: ({ facts }) => facts?.roads.join(' ') ?? null,
    start_time: ({ start_time }) => start_time,
    end_time: ({ end_time }) => end_time,
    expected_clear: ({ facts }) => facts?.expected_clear ?? null,
    updated_at: ({ updated_at }) => updated_at,
    collected_at: ({ collected_at }) => collected_at,
    ended_at: ({ ended_at }) => ended_at ?? null,
    latitude: ({ latitude }) => latitude,
    longitude: ({ longitude }) => longitude,
    distance_km: ({ distance_km }) => distance_km ?? null,
    source: ({ source }) => source,
    source_name: ({ source }) => nameOf(source),
    also_reported_by: ({ metadata }) =>
      (metadata.also_reported_by ?? []).map(({ source }) => source).join(' ') || null,
    link: ({ event_id }, _found, origin) => alertPage(origin, event_id),
    attribution: ({ source }) => attributionOf(source),
  };

/** Comma-separated, with a header always; text that a spreadsheet would take for a formula is made text. */
export const csvOf = (found: Found, origin: string): string =>
  stringify(
    found.rows.map((incident) => Object.values(COLUMNS).map((cell) => cell(incident, found, origin))),
    { header: true, columns: Object.keys(COLUMNS), escape_formulas: true, record_delimiter: 'windows' },
  );
