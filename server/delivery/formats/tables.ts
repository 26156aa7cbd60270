/** JSON, GeoJSON (RFC 7946) and CSV (RFC 4180): the same rows. */
import { setImmediate } from 'node:timers/promises';
import { stringify } from 'csv-stringify/sync';
import { z } from 'zod/mini';
import { type Geometry, ListedDisruption, stateSince, statedStart } from '#contract/incidents/disruptions.ts';
import { FilteredPage } from '#contract/watches/formats.ts';
import { chunks } from '../../db/batches.ts';
import type { Found } from './formatIncidents.ts';
import { attributionOf } from './formatScope.ts';
import { alertPage, line, nameOf, standingOf, TEXT_MAX, TITLE_MAX } from './formatWords.ts';

/** Rows that are checked or written before other calls get a turn. */
const ROWS_AT_ONCE = 200;
const Rows = z.array(ListedDisruption);

/** Computes the results of all rows in order, in groups of this size. */
export async function inTurns<Row, Made>(
  rows: readonly Row[],
  make: (some: readonly Row[], isFirst: boolean) => Made,
  atOnce = ROWS_AT_ONCE,
): Promise<Made[]> {
  const all: Made[] = [];
  for (const some of chunks(rows, atOnce)) {
    all.push(make(some, all.length === 0));
    await setImmediate();
  }
  return all;
}

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
  page.events = (await inTurns(rows, (some) => Rows.parse(some))).flat();
  return page;
}

const hasPlace = ({ latitude, longitude }: ListedDisruption) =>
  latitude !== null && longitude !== null && !(latitude === 0 && longitude === 0);

/** Its line or area, otherwise its point; null if its position is unknown. */
const shapeOf = (incident: ListedDisruption): Geometry | null =>
  incident.geometry ??
  (hasPlace(incident) ? { type: 'Point', coordinates: [incident.longitude, incident.latitude] } : null);

export async function geojsonOf({ rows, total, next_cursor, state }: Found): Promise<object> {
  const featureOf = (incident: ListedDisruption) => {
    const { event_id, geometry: _, ...properties } = incident;
    return {
      type: 'Feature',
      id: event_id,
      geometry: shapeOf(incident),
      properties: { event_id, ...properties, standing: standingOf(incident, state.silent) },
    };
  };
  return {
    type: 'FeatureCollection',
    features: (await inTurns(rows, (some) => some.map(featureOf))).flat(),
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
    start_time: statedStart,
    since: stateSince,
    end_time: ({ end_time }) => end_time,
    expected_clear: ({ facts }) => facts?.expected_clear ?? null,
    updated_at: ({ updated_at }) => updated_at,
    collected_at: ({ collected_at }) => collected_at,
    ended_at: ({ ended_at }) => ended_at ?? null,
    latitude: ({ latitude }) => latitude,
    longitude: ({ longitude }) => longitude,
    distance_km: ({ distance_km }) => distance_km ?? null,
    distance_to: ({ distance_to }) => distance_to ?? null,
    source: ({ source }) => source,
    source_name: ({ source }) => nameOf(source),
    also_reported_by: ({ metadata }) =>
      (metadata.also_reported_by ?? []).map(({ source }) => source).join(' ') || null,
    link: ({ event_id }, _found, origin) => alertPage(origin, event_id),
    attribution: ({ source }) => attributionOf(source),
  };

/** Comma-separated values, always with a header, and with a byte order mark, without which spreadsheets guess the
 *  encoding. Text that a spreadsheet would take for a formula becomes plain text. */
export async function csvOf(found: Found, origin: string): Promise<string> {
  const write = (rows: readonly ListedDisruption[], isFirst = true) =>
    stringify(
      rows.map((incident) => Object.values(COLUMNS).map((cell) => cell(incident, found, origin))),
      {
        bom: isFirst,
        header: isFirst,
        columns: Object.keys(COLUMNS),
        escape_formulas: true,
        record_delimiter: 'windows',
      },
    );
  return found.rows.length === 0 ? write([]) : (await inTurns(found.rows, write)).join('');
}
