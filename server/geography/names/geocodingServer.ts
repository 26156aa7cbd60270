/** Place search with the operator's Nominatim or Photon server. */
import { z } from 'zod';
import type { LocationSuggestion, PlaceType } from '#contract/places/geocode.ts';
import { downloader, DownloadFailed, userAgent } from '../../http/documents/download.ts';
import { plainText } from '../../http/documents/plainText.ts';

export const GEOCODER_KINDS = ['nominatim', 'photon'] as const;
export type GeocoderKind = (typeof GEOCODER_KINDS)[number];

export const OSM_ATTRIBUTION = 'Place data © OpenStreetMap contributors, ODbL 1.0';

/** Short, because a user is typing. */
const TIMEOUT_MS = 3000;
/** The largest answer. A genuine one has a tenth of it, and reading it blocks all others. */
const MAX_BYTES = 256 * 1024;
/** The most places of an answer. */
const PLACES_MAX = 50;
const TEXT_MAX = 200;

const COUNTRIES = ['gb', 'ie', 'im', 'je', 'gg'];
/** The area that is searched, in WGS84 degrees. */
const BOUNDS = { west: -11, south: 49, east: 2.2, north: 61.2 };

export interface Upstream {
  /** Best first. Throws with a message for the operator when the server does not answer with places. */
  search(query: string, limit: number): Promise<LocationSuggestion[]>;
}

/** Without `kind`, an address that ends in /search or /api decides, otherwise the first answer. */
export function upstreamGeocoder({
  url,
  kind,
  contactEmail,
  log,
}: {
  url: string;
  kind?: GeocoderKind;
  contactEmail: string;
  log: { warn(facts: object, message: string): void };
}): Upstream {
  let known = kind ?? kindOf(url);

  async function ask(as: GeocoderKind, query: string, limit: number): Promise<LocationSuggestion[]> {
    // A new one each time, because it caches bodies, and our callers already cache answers.
    const { get } = downloader({
      userAgent: userAgent(contactEmail),
      timeoutMs: TIMEOUT_MS,
      maxBytes: MAX_BYTES,
    }).newGet();
    const { body } = await get(addressFor(as, url, query, limit), {
      accept: 'application/json',
      'accept-language': 'en-GB,en;q=0.8',
    });
    const { found, skipped } = READERS[as](parseJson(body));
    if (skipped > 0) log.warn({ skipped }, `Some places of GEOCODER_URL could not be read and are left out`);
    return found.slice(0, limit);
  }

  return {
    async search(query, limit) {
      if (known) return ask(known, query, limit);
      try {
        const found = await ask('nominatim', query, limit);
        known = 'nominatim';
        return found;
      } catch (error) {
        // It answered, but not like Nominatim: the other kind has another path.
        const isOther =
          error instanceof OtherKind || (error instanceof DownloadFailed && error.status === 404);
        if (!isOther) throw error;
        const found = await ask('photon', query, limit);
        known = 'photon';
        return found;
      }
    },
  };
}

/** The answer is JSON, but not a list of places of this kind. */
class OtherKind extends Error {}

const kindOf = (url: string): GeocoderKind | undefined => {
  const path = new URL(url).pathname.replace(/\/$/, '');
  if (/\/search(\.php)?$/.test(path)) return 'nominatim';
  return path.endsWith('/api') ? 'photon' : undefined;
};

function addressFor(kind: GeocoderKind, base: string, query: string, limit: number): string {
  const url = new URL(base);
  const path = url.pathname.replace(/\/$/, '');
  if (kindOf(base) !== kind) url.pathname = `${path}/${kind === 'nominatim' ? 'search' : 'api'}`;
  const { west, south, east, north } = BOUNDS;
  const asked =
    kind === 'nominatim'
      ? { format: 'jsonv2', addressdetails: '1', countrycodes: COUNTRIES.join(',') }
      : { lang: 'en', bbox: [west, south, east, north].join(',') };
  for (const [name, value] of Object.entries({ q: query, limit: String(limit), ...asked })) {
    url.searchParams.set(name, value);
  }
  return url.href;
}

function parseJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    throw new Error('the answer of GEOCODER_URL is not JSON');
  }
}

interface Reading {
  found: LocationSuggestion[];
  skipped: number;
}

const READERS: Record<GeocoderKind, (answer: unknown) => Reading> = {
  nominatim(answer) {
    if (!Array.isArray(answer)) throw new OtherKind('GEOCODER_URL does not answer as Nominatim does');
    return readEach(answer, NominatimPlace, fromNominatim);
  },
  photon(answer) {
    const collection = z.object({ features: z.array(z.unknown()) }).safeParse(answer);
    if (!collection.success) throw new OtherKind('GEOCODER_URL does not answer as Photon does');
    return readEach(collection.data.features, PhotonPlace, fromPhoton);
  },
};

/** Reads records one by one. An invalid record is skipped; the others are kept. */
function readEach<T>(
  records: readonly unknown[],
  schema: z.ZodType<T>,
  toSuggestion: (record: T) => LocationSuggestion | null,
): Reading {
  const found = new Map<string, LocationSuggestion>();
  let skipped = 0;
  for (const record of records.slice(0, PLACES_MAX)) {
    const read = schema.safeParse(record);
    const suggestion = read.success ? toSuggestion(read.data) : null;
    if (!suggestion) skipped++;
    // A city and its council area are two records with one name.
    else if (!found.has(suggestion.label)) found.set(suggestion.label, suggestion);
  }
  return { found: [...found.values()], skipped };
}

const Latitude = z.coerce.number().min(BOUNDS.south).max(BOUNDS.north);
const Longitude = z.coerce.number().min(BOUNDS.west).max(BOUNDS.east);
/** Foreign text as plain text: one line of limited length. */
const Text = z
  .string()
  .transform((text) => plainText(text).replace(/\s+/g, ' ').trim().slice(0, TEXT_MAX))
  .refine((text) => text !== '');
const word = Text.nullish().catch(null);
const Address = z
  .record(z.string().max(50), z.unknown())
  .transform((all) =>
    Object.fromEntries(
      Object.entries(all).flatMap(([name, value]) => {
        const text = Text.safeParse(value);
        return text.success ? [[name, text.data] as const] : [];
      }),
    ),
  )
  .catch({});

const NominatimPlace = z.object({
  lat: Latitude,
  lon: Longitude,
  display_name: Text,
  addresstype: word,
  category: word,
  type: word,
  /** South, north, west, east. */
  boundingbox: z.tuple([Latitude, Latitude, Longitude, Longitude]).nullish().catch(null),
  address: Address,
});

function fromNominatim(place: z.output<typeof NominatimPlace>): LocationSuggestion | null {
  const { lat, lon, display_name, addresstype, category, type, boundingbox, address } = place;
  if (!isOurs(address['country_code'])) return null;
  const [south, north, west, east] = boundingbox ?? [];
  return {
    // Our users know the country at the end.
    label: display_name.replace(/, United Kingdom$/, ''),
    latitude: lat,
    longitude: lon,
    type: typeOf(category, type, addresstype),
    bounding_box: boxOf(north, south, east, west),
    raw: { address },
  };
}

const PhotonPlace = z.object({
  geometry: z.object({ coordinates: z.tuple([Longitude, Latitude]).rest(z.unknown()) }),
  properties: z.object({
    name: word,
    street: word,
    housenumber: word,
    postcode: word,
    district: word,
    city: word,
    county: word,
    state: word,
    country: word,
    countrycode: word,
    osm_key: word,
    osm_value: word,
    type: word,
    /** West, north, east, south. */
    extent: z.tuple([Longitude, Latitude, Longitude, Latitude]).nullish().catch(null),
  }),
});

function fromPhoton({ geometry, properties }: z.output<typeof PhotonPlace>): LocationSuggestion | null {
  const { osm_key, osm_value, type, extent, countrycode, ...address } = properties;
  const street = [address.housenumber, address.street].filter(Boolean).join(' ');
  const parts = [address.name, street, address.city, address.county, address.state].filter(Boolean);
  if (parts.length === 0 || !isOurs(countrycode)) return null;
  const [longitude, latitude] = geometry.coordinates;
  const [west, north, east, south] = extent ?? [];
  return {
    label: [...new Set(parts)].join(', ').slice(0, TEXT_MAX),
    latitude,
    longitude,
    type: typeOf(osm_key, osm_value, type),
    bounding_box: boxOf(north, south, east, west),
    raw: {
      address: Object.fromEntries(
        Object.entries({ ...address, country_code: countrycode?.toLowerCase() }).filter(
          (entry): entry is [string, string] => typeof entry[1] === 'string',
        ),
      ),
    },
  };
}

const isOurs = (code: string | null | undefined) => !code || COUNTRIES.includes(code.toLowerCase());

/** A type that the map can show, otherwise OpenStreetMap's own word. */
function typeOf(
  key: string | null | undefined,
  value: string | null | undefined,
  kind: string | null | undefined,
) {
  if (key === 'railway') return 'station' satisfies PlaceType;
  if (key === 'aeroway') return 'airport' satisfies PlaceType;
  if (key === 'boundary' && (!kind || value === 'administrative')) {
    // The boundary of a city stands for the city.
    return kind && SETTLEMENTS.has(kind) ? kind : ('administrative' satisfies PlaceType);
  }
  return (kind && SETTLEMENTS.has(kind) ? kind : value) ?? kind ?? 'place';
}

const SETTLEMENTS: ReadonlySet<string> = new Set<PlaceType>([
  'city',
  'town',
  'village',
  'hamlet',
  'suburb',
  'postcode',
]);

function boxOf(
  north?: number,
  south?: number,
  east?: number,
  west?: number,
): LocationSuggestion['bounding_box'] {
  if (north === undefined || south === undefined || east === undefined || west === undefined) return null;
  return north >= south && east >= west ? { north, south, east, west } : null;
}
