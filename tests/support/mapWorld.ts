/** Servers that the map needs, on loopback: one for tiles, and one that answers for events and places by the
 *  contract, from a test's own list. It forwards everything else to the product's server. */
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { crc32, deflateSync } from 'node:zlib';
import { EventRecord, MapEvent, ViewportEvents } from '../../contract/places/events.ts';
import { LocationSuggestions } from '../../contract/places/geocode.ts';
import { freePort } from './server.ts';

/** A server that can be switched off: its connections then break before any answer. */
interface Switched {
  readonly origin: string;
  /** The path and query of each request, in order. */
  readonly asked: string[];
  off(): void;
  on(): void;
  close(): Promise<void>;
}

/** Tiles for `{origin}/{z}/{x}/{y}.png`, all alike, for pages of any origin. */
export function startTiles(): Promise<Switched> {
  const tile = greyTile(256);
  return startSwitched((_from, to) => {
    to.writeHead(200, {
      'content-type': 'image/png',
      'access-control-allow-origin': '*',
      'cache-control': 'no-store', // tells a tile that the worker shows without a network
    });
    to.end(tile);
  });
}

export interface EventsApi extends Switched {
  events: MapEvent[];
  categories: string[];
  /** The results for each text. */
  places: Record<string, LocationSuggestions['results']>;
  /** Answers to `viewport` wait for this. */
  gate: Promise<void>;
}

/** `target` is the origin of the product's server. */
export async function startEventsApi(target: string): Promise<EventsApi> {
  const server = await startSwitched(async (from, to) => {
    const { pathname, searchParams } = new URL(from.url!, 'http://127.0.0.1');
    const path = pathname.replace(/^\/api\/v1\//, '').replace(/\/$/, '');
    const send = (status: number, body: unknown) => {
      to.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' });
      to.end(JSON.stringify(body));
    };

    if (path === 'events/viewport') {
      const answer = viewport(api.events, searchParams);
      await api.gate;
      send(200, answer);
    } else if (path === 'events/categories') send(200, api.categories);
    else if (path === 'geocode/search') {
      const results = api.places[searchParams.get('query') ?? ''] ?? [];
      send(200, LocationSuggestions.parse({ results, attribution: 'Places by the test' }));
    } else if (path.startsWith('events/')) {
      const event = api.events.find(({ event_id }) => event_id === decodeURIComponent(path.slice(7)));
      send(event ? 200 : 404, event ? recordOf(event) : { detail: 'There is no such event' });
    } else await pass(target, from, to);
  });
  const api: EventsApi = Object.assign(server, {
    events: [],
    categories: [],
    places: {},
    gate: Promise.resolve(),
  });
  return api;
}

/** A test's event, with plain values for the fields left out. */
export const anEvent = (event: Partial<MapEvent> & Pick<MapEvent, 'performance_id' | 'name'>): MapEvent =>
  MapEvent.parse({
    event_id: `event-${event.performance_id}`,
    category: 'Music',
    start_datetime: new Date(Date.now() + 24 * 60 * 60_000).toISOString(),
    end_datetime: null,
    venue_name: 'Town Hall',
    venue_town: 'Leeds',
    postcode: 'LS1 1UR',
    capacity: 1200,
    booking_url: null,
    description: null,
    latitude: 53.8,
    longitude: -1.55,
    is_sample: false,
    ...event,
  } satisfies MapEvent);

function viewport(events: readonly MapEvent[], query: URLSearchParams): ViewportEvents {
  const bound = (name: string) => Number(query.get(name));
  const found = events.filter(
    ({ latitude, longitude, category, start_datetime }) =>
      // Events without a place are in every answer, as another server might send them.
      (latitude === null ||
        longitude === null ||
        latitude === 0 ||
        (latitude <= bound('north') &&
          latitude >= bound('south') &&
          longitude <= bound('east') &&
          longitude >= bound('west'))) &&
      (!query.has('category') || category === query.get('category')) &&
      (!query.has('start_date') || start_datetime.slice(0, 10) >= query.get('start_date')!) &&
      (!query.has('end_date') || start_datetime.slice(0, 10) <= query.get('end_date')!),
  );
  return ViewportEvents.parse({
    events: found.slice(0, Number(query.get('max_results') ?? 500)),
    total: found.length,
  });
}

function recordOf(event: MapEvent): EventRecord {
  const { event_id, name, category, description, is_sample, venue_name, venue_town, postcode, capacity } =
    event;
  return EventRecord.parse({
    event_id,
    name,
    category,
    sub_categories: ['Rock & pop'],
    tags: ['indoors'],
    description,
    is_sample,
    source: 'test',
    updated_at: new Date().toISOString(),
    prices: [{ label: 'Standing', min: 24.5, max: 32, currency: 'GBP' }],
    images: [],
    trailers: [],
    links: [
      { url: 'https://www.example.org/about', label: 'About the tour' },
      { url: 'javascript:alert(1)', label: 'Not a link' },
    ],
    venue: {
      venue_id: 'venue',
      name: venue_name ?? 'Venue',
      venue_type: 'Concert hall',
      address: '1 The Street',
      town: venue_town,
      postcode,
      region: null,
      country: 'England',
      latitude: event.latitude,
      longitude: event.longitude,
      capacity,
      phone: '0113 496 0000',
      email: 'box@venue.example',
      website: 'https://venue.example/',
    },
    performances: [
      {
        performance_id: event.performance_id,
        start_datetime: event.start_datetime,
        end_datetime: event.end_datetime,
        booking_url: event.booking_url,
      },
    ],
    nearby_stations: [{ name: 'Leeds', crs: 'LDS', latitude: 53.79, longitude: -1.55, distance_km: 0.6 }],
  } satisfies EventRecord);
}

async function startSwitched(
  answer: (from: IncomingMessage, to: ServerResponse) => void | Promise<void>,
): Promise<Switched> {
  const port = await freePort();
  const sockets = new Set<Socket>();
  const asked: string[] = [];
  let isOff = false;
  const server: Server = createServer((from, to) => {
    if (isOff) return void from.socket.destroy();
    asked.push(from.url!);
    void answer(from, to);
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    if (isOff) socket.destroy();
  });
  const cut = () => sockets.forEach((socket) => socket.destroy());
  await new Promise<void>((resolve) => {
    server.listen(port, '127.0.0.1', resolve);
  });
  return {
    origin: `http://127.0.0.1:${port}`,
    asked,
    off() {
      isOff = true;
      cut();
    },
    on() {
      isOff = false;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        cut();
      }),
  };
}

function pass(target: string, from: IncomingMessage, to: ServerResponse): Promise<void> {
  const { hostname, port } = new URL(target);
  return new Promise((resolve) => {
    const onward = request(
      { hostname, port, method: from.method, path: from.url, headers: from.headers, agent: false },
      (answer) => {
        to.writeHead(answer.statusCode!, answer.headers);
        answer.pipe(to);
        to.once('close', resolve);
      },
    );
    onward.once('error', () => {
      to.destroy();
      resolve();
    });
    from.pipe(onward);
  });
}

/** A PNG of one colour with a line at two edges. */
function greyTile(size: number): Buffer {
  const rows = Buffer.alloc(size * (size + 1), 0xe4);
  for (let y = 0; y < size; y += 1) {
    rows[y * (size + 1)] = 0; // no filter
    rows[y * (size + 1) + 1] = 0xa0;
  }
  rows.fill(0xa0, 1, size + 1);
  const header = Buffer.alloc(13);
  header.writeUInt32BE(size, 0);
  header.writeUInt32BE(size, 4);
  header[8] = 8; // bits of grey per pixel
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const check = Buffer.alloc(4);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, check]);
}
