/** Every place that the embedded search knows: settlements, counties and airports, postcode districts, stations. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LocationSuggestion, PlaceType } from '#contract/places/geocode.ts';
import { stations, type Station } from './stations.ts';

export const PLACES_ATTRIBUTION = 'Place data © GeoNames, CC BY 4.0';

export const NATIONS = ['England', 'Scotland', 'Wales', 'Northern Ireland'] as const;
export type Country = (typeof NATIONS)[number] | 'Ireland' | 'Isle of Man' | 'Jersey' | 'Guernsey';

export interface Place {
  /** For a postcode district it is the outward code: `EH1`. */
  name: string;
  type: PlaceType;
  /** The centre, in WGS84 degrees. */
  latitude: number;
  longitude: number;
  /** 0 when unknown. */
  population: number;
  /** The county; for a suburb its town; for a postcode district its place. Absent when it adds nothing. */
  area?: string;
  country: Country;
  boundingBox?: NonNullable<LocationSuggestion['bounding_box']>;
  /** A station's three-letter code. */
  crs?: string;
  otherNames: readonly string[];
}

/** A row of server/geography/names/places.json, made by build/places/places.ts. The box is north, south, east, west. */
export type PlaceRow = [
  name: string,
  type: PlaceType,
  latitude: number,
  longitude: number,
  population: number,
  area: string,
  country: Country,
  otherNames: string[],
  box?: [number, number, number, number],
];

const dataFile = (name: string): unknown => JSON.parse(readFileSync(join(import.meta.dirname, name), 'utf8'));

export function readGazetteer(): Place[] {
  const places = readPlaces();
  const known = new Set(places.flatMap(({ name, otherNames }) => [name, ...otherNames]));
  return [...places, ...postcodeDistricts(known), ...stations().map(stationPlace)];
}

/** Settlements, counties and airports. */
function readPlaces(): Place[] {
  const { places: rows } = dataFile('places.json') as { places: PlaceRow[] };
  return rows.map(fromRow);
}

/** The same places, but each is read from its line of the file when it is needed: as objects they would take 10 MB. */
export function placesByNumber(): { count: number; place(number: number): Place } {
  const file = readFileSync(join(import.meta.dirname, 'places.json'));
  const starts: number[] = [];
  // The file has one row a line, as build/places/places.ts writes it; the line before the rows is `"places":[`.
  for (let at = file.indexOf('\n[') + 1; at > 0; at = file.indexOf('\n[', at) + 1) starts.push(at);
  const offsets = Uint32Array.from(starts);
  return {
    count: offsets.length,
    place(number) {
      const line = file.toString('utf8', offsets[number], file.indexOf('\n', offsets[number]));
      return fromRow(JSON.parse(line.replace(/,$/, '')) as PlaceRow);
    },
  };
}

const readOf = new Map<string, readonly Place[]>();

/** Places of these types, found in the file without reading its other lines. */
function ofTypes(types: string): readonly Place[] {
  const known = readOf.get(types);
  if (known) return known;
  const lines = readFileSync(join(import.meta.dirname, 'places.json'), 'utf8').match(
    new RegExp(`^\\["[^"]*","(?:${types})",.*$`, 'gm'),
  );
  const places = (lines ?? []).map((line) => fromRow(JSON.parse(line.replace(/,$/, '')) as PlaceRow));
  readOf.set(types, places);
  return places;
}

/** There are about thirty. */
export const airports = () => ofTypes('airport');

const TOWN_MIN = 20_000;

/** Towns and cities that everybody knows; there are about 570. */
export const towns = (): readonly Place[] =>
  ofTypes('town|city').filter(({ population }) => population >= TOWN_MIN);

function fromRow([
  name,
  type,
  latitude,
  longitude,
  population,
  area,
  country,
  otherNames,
  box,
]: PlaceRow): Place {
  const place: Place = { name, type, latitude, longitude, population, country, otherNames };
  if (area) place.area = area;
  if (box) place.boundingBox = { north: box[0], south: box[1], east: box[2], west: box[3] };
  return place;
}

function stationPlace({ name, crs, country, latitude, longitude }: Station): Place {
  return {
    name,
    type: 'station',
    latitude,
    longitude,
    population: 0,
    country,
    ...(crs && { crs }),
    otherNames: crs ? [crs] : [],
  };
}

type OutcodeRow = [outcode: string, place: string, latitude: number, longitude: number, region: string];

/** The postcode districts. For inner London's with an extra letter, such as SW1A, also the whole district: SW1. */
function postcodeDistricts(known: ReadonlySet<string>): Place[] {
  const { outcodes } = dataFile('outcodes.json') as { outcodes: OutcodeRow[] };
  const wholes = Map.groupBy(
    outcodes.filter(([outcode]) => /\d[A-Z]$/.test(outcode)),
    ([outcode]) => outcode.slice(0, -1),
  );
  const isDistrict = new Set(outcodes.map(([outcode]) => outcode));
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const added = [...wholes]
    .filter(([whole]) => !isDistrict.has(whole))
    .map(([whole, rows]): OutcodeRow => [
      whole,
      'London',
      mean(rows.map(([, , latitude]) => latitude)),
      mean(rows.map(([, , , longitude]) => longitude)),
      'London',
    ]);

  return [...outcodes, ...added].map(([name, place, latitude, longitude, region]) => ({
    name,
    type: 'postcode',
    latitude,
    longitude,
    population: 0,
    area: place,
    country: countryOfRegion(region, latitude),
    // For some places we know only the postcode.
    otherNames: known.has(place) ? [] : [place],
  }));
}

function countryOfRegion(region: string, latitude: number): Country {
  if (region === 'Crown Dependencies') return dependencyAt(latitude);
  return NATIONS.find((nation) => nation === region) ?? 'England';
}

/** The dependency by its latitude, because the three are far from each other. */
export const dependencyAt = (latitude: number): Country =>
  latitude > 52 ? 'Isle of Man' : latitude > 49.35 ? 'Guernsey' : 'Jersey';
