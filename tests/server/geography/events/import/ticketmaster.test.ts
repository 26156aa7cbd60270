import { describe, expect, it, vi } from 'vitest';
import type { Downloader } from '../../../../../server/http/documents/download.ts';
import { facts } from '../../../../../server/http/documents/fetchedFacts.ts';
import { openMemoryDatabase } from '../../../../../server/db/open.ts';
import {
  type Ask,
  LAST_READ,
  readTicketmaster,
  type Reading,
  startTicketmaster,
} from '../../../../../server/geography/events/import/ticketmaster.ts';
import { fixture } from '../../../../support/upstream.ts';

const NOW = new Date('2026-11-21T09:00:00.123Z');
const NOTHING = { page: { size: 200, totalElements: 0, totalPages: 0, number: 0 } };

async function readAll(ask: Ask): Promise<Reading> {
  const all: Reading = { events: [], problems: [] };
  for await (const { events, problems } of readTicketmaster(ask, NOW)) {
    all.events.push(...events);
    all.problems.push(...problems);
  }
  return all;
}

describe('Ticketmaster', () => {
  it('is read as its documentation describes', async () => {
    let answered = false;
    const { events, problems } = await readAll(async () => {
      const answer = answered ? NOTHING : JSON.parse(fixture('ticketmaster/events.synthetic.json'));
      answered = true;
      return answer;
    });

    expect(events).toHaveLength(2);
    expect(events[0]).toMatchObject({
      event_id: 'ticketmaster:Z698xZC2Z17synth',
      name: 'The Slate Lanes',
      category: 'Music',
      sub_categories: ['Rock'],
      prices: [{ label: 'standard', min: 28.5, max: 45, currency: 'GBP' }],
      images: [{ url: 'https://s1.ticketm.net/dam/a/synth_large.jpg' }],
      venue: { name: 'A Hall', town: 'Leeds', postcode: 'LS1 1AA', latitude: 53.8008, longitude: -1.5491 },
      performances: [
        {
          start_datetime: '2027-06-05T18:00:00.000Z',
          booking_url: 'https://www.ticketmaster.co.uk/the-slate-lanes/event/synthetic1',
        },
      ],
    });
    expect(events[1]).toMatchObject({
      category: 'Sport',
      venue: null,
      performances: [{ start_datetime: '2027-08-13T23:00:00.000Z', booking_url: null }],
    });
    expect(problems).toEqual(['nameless: name is required']);
  });

  it('asks for each second of the year once, and never for more than the first thousand results', async () => {
    const spans: [from: number, until: number][] = [];
    const record = (at: number) => ({
      id: `e${at}`,
      name: 'x',
      dates: { start: { dateTime: new Date(at).toISOString() } },
    });
    // One event every five minutes everywhere: more than may be asked for in a week.
    const ask: Ask = async ({ startDateTime, endDateTime, page, size }) => {
      const [from, until] = [Date.parse(startDateTime!), Date.parse(endDateTime!)];
      const every = 600_000;
      const first = Math.ceil(from / every) * every;
      const totalElements = Math.max(0, Math.floor((until - first) / every) + 1);
      expect(Number(page) * Number(size)).toBeLessThan(1000);
      expect(startDateTime).toMatch(/:\d\dZ$/);
      if (Number(page) === 0 && totalElements <= 1000) spans.push([from, until]);
      const skipped = Number(page) * Number(size);
      const count = Math.min(Number(size), totalElements - skipped);
      return {
        _embedded: {
          events: Array.from({ length: Math.max(0, count) }, (_, at) =>
            record(first + (skipped + at) * every),
          ),
        },
        page: { totalElements, totalPages: Math.ceil(totalElements / Number(size)) },
      };
    };
    const { events, problems } = await readAll(ask);

    expect(problems).toEqual([]);
    expect(new Set(events.map(({ event_id }) => event_id)).size).toBe(events.length);
    expect(events.length).toBeGreaterThanOrEqual(365 * 144);
    for (const [at, [from]] of spans.entries()) if (at > 0) expect(from).toBe(spans[at - 1]![1] + 1000);
  });

  it('says when a single hour holds more than may be asked for, and reads what it may', async () => {
    let isFirst = true;
    const { problems } = await readAll(async ({ startDateTime, endDateTime, page }) => {
      const isHour = Date.parse(endDateTime!) - Date.parse(startDateTime!) <= 3_600_000;
      if (page === '0' && startDateTime === '2026-11-21T09:00:00Z' && isFirst) {
        isFirst = !isHour;
        return { page: { totalElements: 1200, totalPages: 6 } };
      }
      return NOTHING;
    });
    expect(problems).toEqual(['1200 events from 2026-11-21T09:00:00Z: only 1000 can be asked for']);
  });

  it('lets other work run while a page is read', async () => {
    const events = Array.from({ length: 200 }, (_, at) => ({
      id: `e${at}`,
      name: `Event ${at}`,
      dates: { start: { dateTime: '2027-06-05T18:00:00Z' } },
    }));
    const page = { page: { totalElements: 200, totalPages: 1 }, _embedded: { events } };
    let turns = 0;
    let isReading = true;
    const other = () => {
      turns++;
      if (isReading) setImmediate(other);
    };
    other();
    const { value } = await readTicketmaster(async () => page, NOW).next();
    isReading = false;

    expect((value as Reading).events).toHaveLength(200);
    expect(turns).toBeGreaterThanOrEqual(20);
  });

  it('does not read an unknown form of answer as an empty calendar', async () => {
    await expect(readAll(async () => ({ fault: { faultstring: 'Invalid ApiKey' } }))).rejects.toThrow(
      'does not say how many',
    );
  });
});

describe('the reading at intervals', () => {
  it('tries again half an hour to an hour after an immediate failure', async () => {
    const { db, close } = await openMemoryDatabase();
    const start = (at: Date) => {
      const error = vi.fn();
      const reader = startTicketmaster({
        db,
        settings: { TICKETMASTER_API_KEY: 'key' },
        download: {
          newGet: () => ({ get: () => Promise.reject(new Error('no answer')) }),
        } as unknown as Downloader,
        now: () => at,
        log: { info: vi.fn(), error },
      });
      return { error, stop: () => reader.stop() };
    };
    const after = (minutes: number) => new Date(NOW.getTime() + minutes * 60_000);

    const first = start(NOW);
    await vi.waitFor(() => expect(first.error).toHaveBeenCalledOnce(), { timeout: 10_000 });
    await first.stop();
    const noted = await facts(db).get(LAST_READ);

    await start(after(29)).stop();
    expect(await facts(db).get(LAST_READ)).toBe(noted);

    // The end of the server broke it off: it begins again as well.
    await start(after(31)).stop();
    expect(Date.parse((await facts(db).get(LAST_READ))!)).toBe(Date.parse(noted!) + 31 * 60_000);
    await close();
  });
});
