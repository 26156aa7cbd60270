/** The railway stations of Great Britain and Northern Ireland, and those near a place. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { KM_PER_DEGREE, kilometres } from '#contract/places/distance.ts';
import type { NearbyStation } from '#contract/places/events.ts';

const NEAR_KM = 3;
const NEAREST_MAX = 3;

const RADIANS = Math.PI / 180;

export interface Station {
  name: string;
  /** Three letters; null in Northern Ireland. */
  crs: string | null;
  country: 'England' | 'Scotland' | 'Wales' | 'Northern Ireland';
  /** WGS84 degrees. */
  latitude: number;
  longitude: number;
}

let southToNorth: Station[] | undefined;

/** All stations, the southernmost first. Loaded at first use, in a few milliseconds. */
export function stations(): readonly Station[] {
  return (southToNorth ??= [...ofGreatBritain(), ...ofNorthernIreland()].sort(
    (a, b) => a.latitude - b.latitude,
  ));
}

/** The nearest stations within 3 km, at most three, nearest first; distances are in a straight line. */
export function nearbyStations(latitude: number, longitude: number): NearbyStation[] {
  const all = stations();
  const margin = NEAR_KM / KM_PER_DEGREE;
  const widest = margin / Math.cos(latitude * RADIANS);

  const near: NearbyStation[] = [];
  for (let at = firstNorthOf(all, latitude - margin); at < all.length; at++) {
    const { name, crs, ...point } = all[at]!;
    if (point.latitude > latitude + margin) break;
    if (Math.abs(point.longitude - longitude) > widest) continue;
    const km = kilometres(latitude, longitude, point.latitude, point.longitude);
    if (!(km <= NEAR_KM)) continue; // also skips NaN
    const { latitude: north, longitude: east } = point;
    near.push({ name, crs, latitude: north, longitude: east, distance_km: Math.round(km * 100) / 100 });
  }
  return near.sort((a, b) => a.distance_km - b.distance_km).slice(0, NEAREST_MAX);
}

function firstNorthOf(all: readonly Station[], latitude: number): number {
  let low = 0;
  let high = all.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (all[middle]!.latitude < latitude) low = middle + 1;
    else high = middle;
  }
  return low;
}

const COUNTRIES = { england: 'England', scotland: 'Scotland', wales: 'Wales' } as const;

/** The package is used unchanged, because a modified copy would have to be published under its licence. */
function ofGreatBritain(): Station[] {
  const file = createRequire(import.meta.url).resolve('uk-railway-stations/stations.json');
  const rows = JSON.parse(readFileSync(file, 'utf8')) as {
    stationName: string;
    lat: number;
    long: number;
    crsCode: string;
    constituentCountry: keyof typeof COUNTRIES;
  }[];
  return rows.map(({ stationName, lat, long, crsCode, constituentCountry }) => ({
    name: stationName,
    crs: crsCode,
    country: COUNTRIES[constituentCountry],
    latitude: lat,
    longitude: long,
  }));
}

function ofNorthernIreland(): Station[] {
  const file = join(import.meta.dirname, 'stations-ni.json');
  const { stations } = JSON.parse(readFileSync(file, 'utf8')) as {
    stations: Pick<Station, 'name' | 'latitude' | 'longitude'>[];
  };
  return stations.map(({ name, latitude, longitude }) => ({
    name,
    crs: null,
    country: 'Northern Ireland',
    latitude,
    longitude,
  }));
}
