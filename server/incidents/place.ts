/**
 * A place for incidents whose publisher gives none: the station, section, line or town that its words name. What is
 * not certain is left without a place, because a wrong one is worse.
 */
import type { LocationMethod } from '#contract/disruptions.ts';
import { atJunctions } from '../places/junctions.ts';
import type { NATIONS } from '../places/gazetteer.ts';
import { locate, type Located, type Names } from '../places/locate.ts';
import { floodRegion, LONDON, placeNames, regionOfPublisher, type Region } from '../places/placeNames.ts';
import { londonNames, namedLine, railNames, tflLine } from '../places/stationNames.ts';
import { pointsShape, type Shape } from '../reading/shape.ts';
import type { DisruptionRecord } from './collector.ts';

interface Found {
  at: Located;
  method: LocationMethod;
}

/** By source: where its words say it is. */
const BY_SOURCE: Readonly<Record<string, (record: DisruptionRecord) => Found | null>> = {
  tfl: ({ metadata }) => {
    const reasons = listOf(metadata.statuses).map(({ reason }) => textOf(reason));
    const line = textOf(metadata.line);
    return byRail(reasons, londonNames()) ?? found(tflLine(line), 'line');
  },
  'kb-incidents': ({ title, summary_line, metadata }) => {
    const operators = listOf(metadata.operators).map(({ code }) => textOf(code));
    const routes = textOf(metadata.routes);
    return railOf([title, summary_line], railNames(operators), isOneRoute(routes) ? [routes] : []);
  },
  // The title is the operator's name, which can have a town in it.
  'nsi-service': ({ metadata: { nsi } }) => {
    const groups = (nsi?.service_groups ?? []).flatMap(({ group_name }) => group_name ?? []);
    // Where it names several parts of its network, it is about none of them alone.
    const parts = groups.length === 1 ? groups : [];
    return railOf(
      [nsi?.status_description ?? '', nsi?.status ?? ''],
      railNames([nsi?.toc_code ?? '']),
      parts,
    );
  },
  'met-police': (record) => byPlace(record, LONDON),
  'news-rss': byNewsroom,
  'twitter.metpoliceuk': byNewsroom,
  'sepa-flood': (record) => found(floodRegion(areaOf(record)), 'area') ?? byFloodArea(record, 'Scotland'),
  // These two have points of their own, unless the page that has them fails.
  'ea-flood': (record) => byFloodArea(record, 'England'),
  'nrw-flood': (record) => byFloodArea(record, 'Wales'),
  'national-highways': (record) => byPlace(record, { nation: 'England' }),
  'traffic-scotland': (record) => byPlace(record, { nation: 'Scotland' }),
  'traffic-wales': (record) => byPlace(record, { nation: 'Wales' }),
  'bods-bus': (record) => byPlace(record, { nation: 'England' }),
};

/** Adds to a record without a position the one that its words and facts name, and to each how it was found. */
export function place(record: DisruptionRecord): void {
  const { metadata } = record;
  if (record.latitude !== null && record.longitude !== null) {
    metadata.location_method ??= 'publisher';
    return;
  }
  if (record.kind === 'status') return;
  const [source = ''] = record.event_id.split(':');
  const { at, method } = (Object.hasOwn(BY_SOURCE, source) && BY_SOURCE[source]?.(record)) || {};
  if (!at || !method) return;
  record.latitude = at.latitude;
  record.longitude = at.longitude;
  metadata.location_method = method;
  metadata.location_names = at.names;
  metadata.location_reach_km = at.reachKm;
}

/** How a point was found that is the publisher's, or that of what it names by a code. */
const OWN: ReadonlySet<unknown> = new Set<LocationMethod>([
  'publisher',
  'stretch',
  'area',
  'stop',
  'airport',
]);

/** The shape of a record that has but a point. Null where only words place it. */
export function ownPoint({ latitude, longitude, metadata }: DisruptionRecord): Shape | null {
  const isOwn = OWN.has(metadata.location_method) && !metadata.location_names;
  return isOwn && latitude !== null && longitude !== null ? pointsShape([{ latitude, longitude }]) : null;
}

const found = (at: Located | null, method: LocationMethod): Found | null => at && { at, method };

function byRail(texts: readonly string[], names: Names): Found | null {
  const at = locate(texts, names);
  return at && { at, method: at.isBetween ? 'line_section' : 'station' };
}

/** `further` is read last: it tells where the trains run, not where they are held up. */
function railOf(texts: readonly string[], names: Names, further: readonly string[]): Found | null {
  return byRail(texts, names) ?? found(namedLine(texts.join('. ')), 'line') ?? byRail(further, names);
}

/** A junction is nearer than the town that is named beside it. */
function byPlace(
  { title, summary_line, facts }: DisruptionRecord,
  region: Region,
  isRail = false,
): Found | null {
  const atJunction = isRail ? null : atJunctions(facts?.stretch ?? [], region);
  if (atJunction) return { at: atJunction, method: 'junction' };
  const at = locate([title, summary_line], placeNames(region, isRail));
  return at && { at, method: at.isBetween ? 'between_places' : 'place_name' };
}

/** "Flood warning: River Nith at Whitesands, Dumfries" */
const areaOf = ({ title }: DisruptionRecord) => title.replace(/^[^:]*:\s*/, '');

/** Also "Perth - North Muirton". */
function byFloodArea(record: DisruptionRecord, nation: (typeof NATIONS)[number]): Found | null {
  const area = areaOf(record);
  const parts = area.split(/,| [-–] /).map((part) => `in ${part.trim()}`);
  const at = locate([area, ...parts], placeNames({ nation }));
  return found(at, at?.isBetween ? 'between_places' : 'place_name');
}

function byNewsroom(record: DisruptionRecord): Found | null {
  const isRail = record.event_type.endsWith('.rail');
  return byPlace(record, regionOfPublisher(textOf(record.metadata.publisher)), isRail);
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

const listOf = (value: unknown): Record<string, unknown>[] =>
  Array.isArray(value) ? value.filter((item) => typeof item === 'object' && item !== null) : [];

/** "Northern between Leeds and York", without a second operator or route. */
const isOneRoute = (routes: string) => (routes.match(/\bbetween\b|\bfrom\b/gi) ?? []).length === 1;
