/**
 * Events in Great Britain on sale at Ticketmaster: Discovery API v2, when TICKETMASTER_API_KEY is set. Written from
 * https://developer.ticketmaster.com/products-and-docs/apis/discovery-api/v2/ and not tested against it yet.
 *
 * A query returns at most the first thousand results, so the calendar is read in spans of days, which are halved
 * until one has fewer. At most 5 requests a second and 5,000 a day are allowed.
 */
import { everyHour } from '../../../everyHour.ts';
import { DAY_MS } from '#contract/durations.ts';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { fields, readJson } from '../../../http/documents/json.ts';
import { plainText, webAddress } from '../../../http/documents/plainText.ts';
import type { Downloader } from '../../../http/documents/download.ts';
import { events } from '../events.ts';
import { facts } from '../../../http/documents/fetchedFacts.ts';
import type { Db } from '../../../db/open.ts';
import { redacted } from '../../../http/documents/redaction.ts';
import type { EventInput } from '../eventInput.ts';
import { readRow } from './importRow.ts';
import { keepSample } from '../sample/sampleEvents.ts';

export const TICKETMASTER_SOURCE = 'ticketmaster';

const ADDRESS = 'https://app.ticketmaster.com/discovery/v2/events.json';
const PAGE_SIZE = 200;
/** The largest page, with events of 20 kB each. It is parsed in the main thread. */
export const TICKETMASTER_BYTES_MAX = 4 * 1024 * 1024;
/** How many rows are read before other work gets its turn. */
const ROWS_AT_ONCE = 10;
/** `size * page` must stay below this. */
const DEEPEST = 1000;
const AHEAD_DAYS = 365;
/** The shortest span. A span with a thousand results is halved down to this. Further results are left out and
 *  reported. */
const SPAN_MIN_MS = 60 * 60 * 1000;
/** The pause between requests, to stay below 5 a second. */
const PAUSE_MS = 250;
/** The most requests of one reading, out of 5,000 a day: there are four readings a day. */
const QUESTIONS_MAX = 1000;
const READ_EVERY_MS = 6 * 60 * 60 * 1000;
/** A failed reading starts again after this time, */
const AGAIN_AFTER_MS = 30 * 60 * 1000;
/** unless it made more requests than this: 48 such attempts a day stay below the 5,000. */
const QUESTIONS_LOST_MAX = 100;

/** Categories by segment, or by genre if a segment covers several of our categories. */
const CATEGORY: ReadonlyMap<string, string> = new Map(
  Object.entries({
    music: 'Music',
    sports: 'Sport',
    film: 'Film',
    'arts & theatre': 'Theatre',
    'arts & theatre/comedy': 'Comedy',
    "arts & theatre/children's theatre": 'Family',
    'miscellaneous/family': 'Family',
    'miscellaneous/food & drink': 'Food and drink',
    'miscellaneous/fairs & festivals': 'Festivals',
    miscellaneous: 'Community',
  }),
);

/** Requests one page, after the pause. */
export type Ask = (parameters: Readonly<Record<string, string>>) => Promise<unknown>;

export interface Reading {
  events: EventInput[];
  /** Messages about unreadable records, and about spans with more results than can be read. */
  problems: string[];
}

/** All events from now to a year ahead, span by span, so that each span can be stored and its memory freed. */
export async function* readTicketmaster(ask: Ask, now: Date): AsyncGenerator<Reading> {
  const start = Math.floor(now.getTime() / 1000) * 1000;
  const spans = Array.from({ length: Math.ceil(AHEAD_DAYS / 7) }, (_, week) => ({
    from: start + week * 7 * DAY_MS,
    until: start + (week + 1) * 7 * DAY_MS,
  }));
  for (let asked = 0; spans.length > 0;) {
    const span = spans.shift()!;
    const found: Reading = { events: [], problems: [] };
    for (let page = 0; page * PAGE_SIZE < DEEPEST; page++) {
      if (++asked > QUESTIONS_MAX)
        throw new Error(`More than ${QUESTIONS_MAX} requests; the rest follows next time.`);
      const answer = fields(
        await ask({
          countryCode: 'GB',
          locale: '*',
          sort: 'date,asc',
          size: String(PAGE_SIZE),
          page: String(page),
          startDateTime: secondsOf(span.from),
          // The API includes both ends of a span.
          endDateTime: secondsOf(span.until - 1000),
        }),
      );
      const { totalElements, totalPages } = fields(answer['page']);
      if (typeof totalElements !== 'number')
        throw new Error('The answer does not say how many events there are.');
      if (totalElements > DEEPEST && page === 0) {
        if (span.until - span.from > SPAN_MIN_MS) {
          const middle = Math.floor((span.from + span.until) / 2000) * 1000;
          spans.unshift({ from: span.from, until: middle }, { from: middle, until: span.until });
          break;
        }
        found.problems.push(
          `${totalElements} events from ${secondsOf(span.from)}: only ${DEEPEST} can be asked for`,
        );
      }
      const listed = fields(answer['_embedded'])['events'];
      for (const [index, record] of (Array.isArray(listed) ? listed : []).entries()) {
        if (index % ROWS_AT_ONCE === ROWS_AT_ONCE - 1) await setImmediate();
        if (fields(fields(fields(record)['dates'])['status'])['code'] === 'cancelled') continue;
        const read = readRow(rowOf(fields(record)), TICKETMASTER_SOURCE);
        if ('problem' in read) found.problems.push(`${String(fields(record)['id'])}: ${read.problem}`);
        else found.events.push(read);
      }
      if (page + 1 >= Number(totalPages)) break;
    }
    yield found;
  }
}

/** `2026-11-21T09:00:00Z`: the API accepts no fractions. */
const secondsOf = (ms: number) => new Date(ms).toISOString().replace('.000Z', 'Z');

function rowOf(record: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const start = fields(fields(record['dates'])['start']);
  const end = fields(fields(record['dates'])['end']);
  const venue = fields(first(fields(record['_embedded'])['venues']));
  const kind = fields(first(record['classifications']));
  const [segment, genre, subGenre] = ['segment', 'genre', 'subGenre'].map((name) =>
    words(fields(kind[name])['name']),
  );
  const place = fields(venue['location']);
  const group = segment?.toLowerCase() ?? '';
  return {
    event_id: `${TICKETMASTER_SOURCE}:${String(record['id'])}`,
    name: words(record['name']),
    category: CATEGORY.get(`${group}/${genre?.toLowerCase()}`) ?? CATEGORY.get(group) ?? 'Community',
    sub_categories: [genre, subGenre].filter((name) => name && !/^(?:undefined|other)$/i.test(name)),
    description: words(record['info']) ?? words(record['description']),
    // Without a time of day only the date is known.
    start_datetime: start['dateTime'] ?? [start['localDate'], start['localTime']].filter(Boolean).join('T'),
    end_datetime: end['dateTime'],
    booking_url: link(record['url']),
    venue_id: venue['id'] && `${TICKETMASTER_SOURCE}:${String(venue['id'])}`,
    venue_name: words(venue['name']),
    address: words(fields(venue['address'])['line1']),
    venue_town: words(fields(venue['city'])['name']),
    postcode: words(venue['postalCode']),
    country: words(fields(venue['country'])['name']),
    latitude: place['latitude'],
    longitude: place['longitude'],
    phone: words(fields(venue['boxOfficeInfo'])['phoneNumberDetail'])?.slice(0, 100),
    website: link(venue['url']),
    prices: listOf(record['priceRanges']).map((price) => {
      const { type, min, max, currency } = fields(price);
      return { label: words(type), min, max, currency };
    }),
    images: listOf(record['images'])
      .map(fields)
      .filter((image) => image['ratio'] === '16_9')
      .toSorted((a, b) => Number(b['width']) - Number(a['width']))
      .slice(0, 1)
      .flatMap((image) => link(image['url']) ?? [])
      .map((url) => ({ url, alt: null })),
  };
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
const first = (value: unknown): unknown => listOf(value)[0];
const words = (value: unknown) => (typeof value === 'string' && value.trim() ? plainText(value) : undefined);
/** A wrong link is dropped; the event stays. */
const link = (value: unknown) => (typeof value === 'string' ? webAddress(value) : undefined);

interface Parts {
  db: Db;
  settings: Readonly<Record<string, string | undefined>>;
  download: Downloader;
  now: () => Date;
  log: { info(fields: object, message: string): void; error(fields: object, message: string): void };
}

/** Reads at once, unless a node on this database has read a short time ago, and then every six hours. Retries within
 *  the hour when a reading failed early. */
export function startTicketmaster(parts: Parts): { stop(): Promise<void> } {
  const { db, settings, download, now, log } = parts;
  const key = settings['TICKETMASTER_API_KEY'];
  if (!key) return { stop: async () => {} };

  const stopped = new AbortController();
  const { get } = download.newGet(stopped.signal);
  const address = settings['TICKETMASTER_URL'] ?? ADDRESS;
  let asked = 0;
  const ask: Ask = async (parameters) => {
    asked++;
    await setTimeout(PAUSE_MS, undefined, { signal: stopped.signal });
    const { body } = await get(
      `${address}?${new URLSearchParams({ ...parameters, apikey: key }).toString()}`,
    );
    return readJson(body);
  };
  const round = async () => {
    const last = await facts(db).get(LAST_READ);
    if (last && now().getTime() - Date.parse(last) < READ_EVERY_MS) return;
    // The time is noted first: another node must not begin too, and repeated failures must not use up the day's
    // quota.
    await facts(db, now).set(LAST_READ, now().toISOString());
    const began = now().getTime();
    let stored = 0;
    asked = 0;
    const described = new Set<string>();
    try {
      for await (const { events: arriving, problems } of readTicketmaster(ask, now())) {
        if (problems.length > 0)
          log.info({ source: TICKETMASTER_SOURCE, problems: problems.slice(0, 20) }, 'left out');
        await events(db).store({ source: TICKETMASTER_SOURCE, arriving, now: now(), described });
        stored += arriving.length;
      }
    } catch (error) {
      if (asked <= QUESTIONS_LOST_MAX) {
        await facts(db, now).set(LAST_READ, new Date(began - READ_EVERY_MS + AGAIN_AFTER_MS).toISOString());
      }
      throw error;
    }
    if (stored > 0) await keepSample(db, now());
    log.info({ source: TICKETMASTER_SOURCE, events: stored }, 'events were read');
  };
  const hourly = everyHour(() =>
    round().catch((error: unknown) => {
      if (stopped.signal.aborted) return;
      log.error({ reason: redacted(String(error), [key]) }, 'Ticketmaster could not be read');
    }),
  );
  return {
    stop() {
      stopped.abort();
      return hourly.stop();
    },
  };
}

/** The name of the fact with the time of the last reading. The next is due READ_EVERY_MS later. */
export const LAST_READ = 'events.ticketmaster.read';
