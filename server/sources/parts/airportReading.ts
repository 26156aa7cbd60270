/** The two services about airports. Each is read into the latest report on each airport. */
import { z } from 'zod';
import { fields, readJson } from '../../http/documents/json.ts';
import { toUtc } from '../../http/documents/londonTime.ts';
import { plainText } from '../../http/documents/plainText.ts';
import { readRecords, type Problems } from '../../http/documents/records.ts';
import type { Tools } from '../../incidents/collector.ts';
import {
  categoryOf,
  type Conditions,
  DELAY_INDEX_MAX,
  delaySeverity,
  type Graded,
  riskOf,
} from './airportGrading.ts';

export const METAR_URL = 'https://aviationweather.gov/api/data/metar';

export const DELAYS_URL = 'https://aerodatabox.p.rapidapi.com/airports/delays';

/** How old an observation may be to describe the present. */
const VALID_HOURS = 2;

const VALID_MS = VALID_HOURS * 60 * 60_000;

export const validUntil = ({ time }: { time: string }) => new Date(Date.parse(time) + VALID_MS).toISOString();

/** The reports of one service. */
export interface Latest<T> {
  /** By airport. */
  newest: ReadonlyMap<string, T>;
  complete: boolean;
}

/** The latest report on each airport. Reports that are too old to describe the present are left out. */
function current<T extends { icao: string; time: string }>(items: readonly T[], now: Date): Map<string, T> {
  const newest = new Map<string, T>();
  for (const item of items) {
    const isCurrent = Math.abs(Date.parse(item.time) - now.getTime()) < VALID_MS;
    const kept = newest.get(item.icao);
    if (isCurrent && (!kept || item.time > kept.time)) newest.set(item.icao, item);
  }
  return newest;
}

function addressIn(setting: string, text: string): URL {
  const url = URL.parse(text);
  if (!url) throw new Error(`${setting} is not an address.`);
  return url;
}

export function codeOf(field: unknown): string | null {
  const code = typeof field === 'string' ? field.trim().toUpperCase() : '';
  return /^[A-Z]{4}$/.test(code) ? code : null;
}

/** The items for the airports that we asked about, and the items that name no airport. */
function ofAirports(items: unknown, field: string, airports: readonly string[]): unknown {
  if (!Array.isArray(items)) return items;
  return items.filter((item: unknown) => {
    const code = codeOf(fields(item)[field]);
    return code === null || airports.includes(code);
  });
}

const Text = z.string().nullish().catch(null);

const Code = z
  .string()
  .trim()
  .toUpperCase()
  .regex(/^[A-Z]{4}$/, 'no ICAO code');

// Weather

/** A number. Its type varies with the service's version; a value that is not a number counts as absent. */
const Quantity = z
  .unknown()
  .optional()
  .transform((value) => {
    // "6+" and "10+" mean that far or further.
    const number = typeof value === 'string' ? Number(value.replace(/\+$/, '') || Number.NaN) : value;
    return typeof number === 'number' && Number.isFinite(number) && number >= 0 ? number : null;
  });

const Observation = z.object({
  icaoId: Code,
  name: Text,
  lat: z.unknown().optional(),
  lon: z.unknown().optional(),
  /** Seconds since 1970. */
  obsTime: Quantity,
  /** UTC, with or without a zone. */
  reportTime: Text,
  /** Statute miles. */
  visib: Quantity,
  wspd: Quantity,
  wgst: Quantity,
  wxString: Text,
  clouds: z
    .array(z.object({ cover: Text, base: Quantity }))
    .nullish()
    .catch(null),
  fltCat: Text,
  rawOb: Text,
});

type Observation = z.infer<typeof Observation>;

export interface Weather extends Conditions {
  icao: string;
  time: string;
  said: Observation;
  visibilityM: number | null;
  ceilingFt: number | null;
}

export const weatherId = (icao: string) => `airport-status:${icao}:wx`;

export async function readWeather(
  airports: readonly string[],
  { get, settings, now }: Tools,
  found: Problems,
): Promise<Latest<Weather>> {
  const url = addressIn('AIRPORT_METAR_URL', settings.AIRPORT_METAR_URL || METAR_URL);
  url.searchParams.set('ids', airports.join(','));
  url.searchParams.set('format', 'json');
  // If the last observation of an airport cannot be read, the one before it still counts.
  url.searchParams.set('hours', String(VALID_HOURS));
  const { body } = await get(url.href, { accept: 'application/json' });

  const observations = readRecords(
    Observation,
    ofAirports(readJson(body), 'icaoId', airports),
    found,
    (item, index) => `Observation ${codeOf(fields(item).icaoId) ?? index + 1}`,
    (item) => {
      const code = codeOf(fields(item).icaoId);
      return code && weatherId(code);
    },
  );
  const readable = observations.flatMap((said) => toWeather(said, found) ?? []);
  const newest = current(readable, now);
  if (newest.size === 0)
    throw new Error(`No readable weather observation is less than ${VALID_HOURS} hours old.`);

  const silent = airports.filter((icao) => !newest.has(icao));
  if (silent.length > 0)
    found.note(`Weather unknown, no readable observation within ${VALID_HOURS} hours: ${silent.join(', ')}`);
  return { newest, complete: found.skipped <= readable.length };
}

/** Null when the time or the weather is missing, because such an observation must not count as calm. */
function toWeather(said: Observation, found: Problems): Weather | null {
  const icao = said.icaoId;
  const time = observedAt(said);
  if (!time) {
    found.skip(`Observation ${icao} left out: it has no time`, weatherId(icao));
    return null;
  }

  const bases = (said.clouds ?? [])
    .filter(({ cover }) => /^(?:BKN|OVC|OVX|VV)/i.test(cover ?? ''))
    .flatMap(({ base }) => base ?? []);
  const ceilingFt = bases.length > 0 ? Math.min(...bases) : null;
  const codes = (said.wxString ?? '')
    .toUpperCase()
    .split(/\s+/)
    .filter((code) => !/^(?:VC|RE)/.test(code))
    .join(' ');
  const weather = {
    icao,
    time,
    said,
    category: plainText(said.fltCat ?? '').toUpperCase() || categoryOf(said.visib, ceilingFt),
    visibilityM: said.visib === null ? null : metres(said.visib),
    ceilingFt,
    windKt: Math.max(said.wspd ?? 0, said.wgst ?? 0),
    codes,
  };
  if (weather.category === null && !riskOf(weather)) {
    found.skip(`Observation ${icao} left out: neither category nor visibility`, weatherId(icao));
    return null;
  }
  return weather;
}

/** The largest number of seconds that is a valid date. */
const SECONDS_MAX = 8.64e12;

function observedAt({ obsTime, reportTime }: Observation): string | null {
  if (obsTime && obsTime < SECONDS_MAX) return toUtc(new Date(obsTime * 1000).toISOString());
  const time = reportTime?.trim() ?? '';
  return toUtc(/Z$/i.test(time) ? time : `${time}Z`);
}

/** To the nearest 100 metres, as airports report it. */
const metres = (miles: number) => Math.round((miles * 1609.344) / 100) * 100;

// Delays

const Direction = z
  .object({
    numTotal: Quantity,
    numQualifiedTotal: Quantity,
    numCancelled: Quantity,
    /** `[-]hh:mm:ss`; negative is early. */
    medianDelay: Text,
    delayIndex: z.unknown().optional(),
  })
  .nullish();

type Direction = z.infer<typeof Direction>;

const AirportDelay = z.object({
  airportIcao: Code,
  from: z.object({ utc: Text }).nullish().catch(null),
  to: z.object({ utc: z.string() }),
  departuresDelayInformation: Direction,
  arrivalsDelayInformation: Direction,
});

type AirportDelay = z.infer<typeof AirportDelay>;

export interface Delay {
  icao: string;
  time: string;
  said: AirportDelay;
}

export const delayId = (icao: string) => `airport-status:${icao}:delay`;

export async function readDelays(
  airports: readonly string[],
  { get, settings, now }: Tools,
  found: Problems,
): Promise<Latest<Delay>> {
  const url = addressIn('AERODATABOX_URL', settings.AERODATABOX_URL || DELAYS_URL);
  const { body } = await get(url.href, {
    accept: 'application/json',
    'x-rapidapi-key': settings.AERODATABOX_API_KEY ?? '',
    'x-rapidapi-host': url.host,
  });
  const items = readJson(body);
  if (Array.isArray(items) && items.length === 0)
    throw new Error('AeroDataBox lists no airports; some in the world are always late, so this is a fault.');

  const before = found.skipped;
  const delays = readRecords(
    AirportDelay,
    ofAirports(items, 'airportIcao', airports),
    found,
    (item, index) => `Delays ${codeOf(fields(item).airportIcao) ?? index + 1}`,
    (item) => {
      const code = codeOf(fields(item).airportIcao);
      return code && delayId(code);
    },
  );
  const dated = delays.flatMap((said) => {
    const [icao, time] = [said.airportIcao, toUtc(said.to.utc)];
    if (!time) found.skip(`Delays ${icao} left out: unreadable time "${said.to.utc}"`, delayId(icao));
    return time ? [{ icao, time, said }] : [];
  });
  const newest = current(dated, now);
  if (dated.length > 0 && newest.size === 0)
    throw new Error(`AeroDataBox says nothing that is less than ${VALID_HOURS} hours old.`);

  const skipped = found.skipped - before;
  if (skipped > 0 && dated.length === 0) throw new Error(`None of the ${skipped} airports can be read.`);
  return { newest, complete: skipped <= dated.length };
}

export function graded(name: Graded['name'], direction: Direction): Graded {
  const { delayIndex } = direction ?? {};
  const isIndex = typeof delayIndex === 'number' && delayIndex >= 0 && delayIndex <= DELAY_INDEX_MAX;
  const index = isIndex ? delayIndex : null;
  const isGiven = delayIndex !== undefined && delayIndex !== null;
  return {
    name,
    severity: delaySeverity(delayIndex, index, direction?.numQualifiedTotal ?? 0),
    index,
    indexSaid: isGiven ? plainText(String(delayIndex)).slice(0, 40) : '',
    medianMinutes: minutesOf(direction?.medianDelay),
    flights: direction?.numTotal ?? null,
    cancelled: direction?.numCancelled ?? null,
  };
}

function minutesOf(median: string | null | undefined): number | null {
  const [, sign, hours, minutes] = /^(-?)(\d{1,3}):(\d\d):\d\d$/.exec(median?.trim() ?? '') ?? [];
  if (hours === undefined) return null;
  const size = Number(hours) * 60 + Number(minutes);
  return sign && size > 0 ? -size : size;
}
