import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { EventRecord, MapEvent } from '#contract/places/events.ts';
import { events } from '../../../../../server/geography/events/events.ts';
import { EVENTS_REVISION, revision } from '../../../../../server/db/revisions.ts';
import { formatOf } from '../../../../../server/geography/events/import/eventFile.ts';
import { entriesOf, rowsOf, seriesOf } from '../../../../../server/geography/events/import/icalendar.ts';
import { importEvents } from '../../../../../server/geography/events/import/importEvents.ts';
import { viewIndex } from '../../../../../server/geography/events/indexes/viewIndex.ts';
import { DATABASES, useDatabase } from '../../../../support/databases.ts';

const NOW = new Date('2026-11-21T09:00:00.000Z');
const DAYS = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'];

/** Whole numbers below `many`, the same in each run. */
function random(seed: number): (many: number) => number {
  let state = seed;
  return (many) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * many);
  };
}
const HEADER = 'event_id,name,category,start_datetime,venue_name,venue_town,latitude,longitude,booking_url';
const row = (id: number | string, name = `Event ${id}`) =>
  `${id},${name},Music,2027-01-0${1 + (Number(id) % 9 || 0)}T19:30,Hall ${Number(id) % 50 || 0},Leeds,53.8,-1.5,https://tickets.example/${id}`;

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'clearway-import-test-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function write(name: string, content: string | Uint8Array): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, content);
  return path;
}

describe.each(DATABASES)('an import on $engine', ({ engine, open }) => {
  const database = useDatabase(open);
  const take = async (
    path: string,
    more: { signal?: AbortSignal; onProgress?: (step?: string, rows?: number) => void } = {},
  ) =>
    importEvents({ db: database.db, path, format: await formatOf(path), source: 'hall', now: NOW, ...more });
  const csv = async (...lines: string[]) => take(await write('events.csv', `${lines.join('\n')}\n`));
  const all = async () =>
    (await viewIndex(database.db).page({ from: NOW, limit: 500 })).shown.map(
      (text) => JSON.parse(text) as MapEvent,
    );

  it('stores rows, and the same file again changes nothing', async () => {
    const lines = [HEADER, row(1), row(2, '"Quoted, with comma"'), row(3)];
    expect(await csv(...lines)).toMatchObject({ rows: 3, imported: 3, rejected: 0, problems: [] });
    const before = await revision(database.db, EVENTS_REVISION);

    expect(await csv(...lines)).toMatchObject({ rows: 3, imported: 0, updated: 0, unchanged: 3 });
    expect(await revision(database.db, EVENTS_REVISION)).toBe(before);
    // Events that a file does not name stay.
    expect(await csv(HEADER, row(3, 'Renamed'))).toMatchObject({ updated: 1 });
    expect((await all()).map(({ name }) => name).sort()).toEqual([
      'Event 1',
      'Quoted, with comma',
      'Renamed',
    ]);
    expect((await all()).find(({ event_id }) => event_id === '3')).toMatchObject({
      start_datetime: '2027-01-04T19:30:00.000Z',
      venue_town: 'Leeds',
      is_sample: false,
    });
  });

  it('changes nothing for a file that is cut in the middle, and says so', async () => {
    const rows = Array.from({ length: 2000 }, (_, id) => row(id));
    const path = await write('cut.csv', [HEADER, ...rows].join('\n'));
    await truncate(path, (await readFile(path)).length - 40);
    await expect(take(path)).rejects.toThrow('The file is truncated in the middle of line 2001.');

    const quote = await write('quote.csv', [HEADER, ...rows, row(3000, '"never closed')].join('\n'));
    await expect(take(quote)).rejects.toThrow(
      'or a quote is never closed, in the row that begins on line 2002',
    );
    const json = await write('cut.ndjson', `{"event_id":"1"}\n{"event_id":"2","na`);
    await expect(take(json)).rejects.toThrow('The file is truncated in the middle of line 2.');
    const ics = await write('cut.ics', 'BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:1\r\n');
    await expect(take(ics)).rejects.toThrow('The file is truncated: it does not end with END:VCALENDAR.');
    const ld = await write('cut.jsonld', '[{"@type":"MusicEvent","name":"x"},');
    await expect(take(ld)).rejects.toThrow('The file is truncated, or is not JSON');
    expect(await all()).toEqual([]);
  });

  it('warns that the last row may be cut if no line break follows, and repairs it from the whole file', async () => {
    const whole = [HEADER, row(1), row(2)].join('\n');
    expect(await take(await write('a.csv', whole.slice(0, -6)))).toMatchObject({
      imported: 2,
      unendedLine: 3,
    });
    expect(await take(await write('a.csv', `${whole}\r\n`))).toMatchObject({ updated: 1, unendedLine: null });
    // The end of these files shows by itself.
    const event = { event_id: 'n', name: 'N', category: 'Film', start_datetime: '2027-01-01T19:00:00Z' };
    const ndjson = await write('a.ndjson', JSON.stringify({ ...event, venue_name: 'Odeon' }));
    expect(await take(ndjson)).toMatchObject({ rows: 1, unendedLine: null });
  });

  it('stores whole rows when it is stopped, and the rest the next time', async () => {
    const path = await write(
      'long.csv',
      [HEADER, ...Array.from({ length: 1700 }, (_, id) => row(id))].join('\n'),
    );
    const stop = new AbortController();
    let stored = 0;
    const onProgress = (step?: string) => {
      if (step === 'storing' && ++stored === 2) stop.abort();
    };
    expect(await take(path, { signal: stop.signal, onProgress })).toMatchObject({
      imported: 1000,
      stopped: true,
    });
    expect((await viewIndex(database.db).page({ from: NOW })).total).toBe(1000);

    expect(await take(path)).toMatchObject({ imported: 700, unchanged: 1000, stopped: false });
  });

  it('reads several rows of one event as its performances, and a repeated performance as a fault', async () => {
    const header = 'event_id,performance_id,name,category,start_datetime,description';
    const report = await csv(
      header,
      'e,p1,Play,Theatre,2027-01-01T19:30,First',
      'e,p2,Play,Theatre,2027-01-02T19:30,Second',
      'e,p1,Play,Theatre,2027-01-03T19:30,Again',
    );
    expect(report).toMatchObject({
      imported: 2,
      problems: [{ line: 4, reason: 'performance_id "p1" is also on an earlier line' }],
    });
    const record = await events(database.db).byId('e', NOW);
    expect(record?.performances).toHaveLength(2);
    expect(record?.description).toBe('First');
  });

  it('names the line of an id that belongs to another source', async () => {
    const path = await write('other.csv', `${[HEADER, row(2), row(4), row(9000)].join('\n')}\n`);
    await importEvents({ db: database.db, path, format: 'csv', source: 'other', now: NOW });

    // The last one is stored in a batch after the first.
    const many = Array.from({ length: 600 }, (_, at) => row(1000 + at));
    const report = await csv(HEADER, row(1), '', row(2), row(3, '"two\nlines"'), row(4), ...many, row(9000));
    const reason = 'event_id or performance_id belongs to another source or event';
    expect(report.problems).toEqual([4, 7, 608].map((line) => ({ line, reason })));
    expect(report).toMatchObject({ rows: 605, imported: 602, rejected: 3 });
  });

  if (engine === 'postgres') return;

  // bench/viewport.ts takes in 100,000.
  it('stores a long file some hundred rows at a time', async () => {
    const rows = Array.from({ length: 5000 }, (_, id) => row(id));
    const path = await write('many.csv', `${[HEADER, ...rows].join('\n')}\n`);
    const stored: number[] = [];
    const onProgress = (step?: string, done?: number) => {
      if (step === 'storing') stored.push(done!);
    };
    expect(await take(path, { onProgress })).toMatchObject({ rows: 5000, imported: 5000, rejected: 0 });
    expect(Math.max(...stored.map((done, at) => done - (stored[at - 1] ?? 0)))).toBeLessThanOrEqual(500);
    expect((await viewIndex(database.db).page({ from: NOW, limit: 1 })).total).toBe(5000);
  });

  it.each([
    ['event_id is required', 'event_id', ''],
    ['event_id must not be ".", "..", "categories" or "viewport"', 'event_id', '..'],
    ['event_id must not be ".", "..", "categories" or "viewport"', 'event_id', 'viewport'],
    ['name is required', 'name', ''],
    ['category is required', 'category', ''],
    ['start_datetime is required', 'start_datetime', ''],
    ['start_datetime must be a time such as 2026-12-04T19:30', 'start_datetime', 'tomorrow'],
    ['start_datetime must be a time such as 2026-12-04T19:30', 'start_datetime', '2027-02-30T19:30'],
    ['name must be at most 300 characters', 'name', 'x'.repeat(301)],
    ['latitude must be a number', 'latitude', 'north'],
    ['latitude must be a number', 'latitude', '1e2'],
    ['latitude must be between -90 and 90', 'latitude', '91'],
    ['latitude and longitude belong together', 'longitude', ''],
    ['booking_url must be an http or https address', 'booking_url', 'javascript:alert(1)'],
    ['booking_url must be an http or https address', 'booking_url', 'data:text/html;x'],
    ['venue_name is required', 'venue_name', ''],
  ])('leaves out a row when “%s”, and stores the others', async (reason, column, value) => {
    const columns = HEADER.split(',');
    const bad = row(1).split(',');
    bad[columns.indexOf(column)] = value;

    const report = await csv(HEADER, bad.join(','), row(2));
    expect(report).toMatchObject({ imported: 1, rejected: 1, problems: [{ line: 2 }] });
    expect(report.problems[0]!.reason).toContain(reason);
  });

  it('names the line of a row of the wrong length, also after a cell of several lines', async () => {
    const report = await csv(HEADER, row(1, '"two\nlines"'), '2,short', row(3), `${row(4)},more`);

    expect(report).toMatchObject({ imported: 2, rejected: 2 });
    expect(report.problems).toEqual([
      { line: 4, reason: 'has 2 cells where the header has 9' },
      { line: 6, reason: 'has 10 cells where the header has 9' },
    ]);
  });

  it('leaves out a row with an unclosed quote, names its line, and keeps those that follow', async () => {
    const report = await csv(
      HEADER,
      row(1),
      '',
      // The text up to the quote before a word.
      row(2, '"never closed'),
      row(3, '"Quoted"'),
      '4,"never closed,Music',
      row(5),
      row(6, '"Quoted"'),
      // The text up to a quotation mark that could close it.
      row(7, '"never closed'),
      row(8),
      row(9, 'Of 12"'),
      // These are as they should be.
      row(10, '"two\r\nlines, ""and"" more"'),
      row(11, '"""Two""\nlines, as, many, cells, as, one, of, all"'),
      row(12, 'The "Best" of it'),
      row(13, '13'),
    );
    expect(report.problems).toEqual(
      [4, 6, 9].map((line) => ({ line, reason: 'has a quote that is not closed' })),
    );
    expect(report).toMatchObject({ rows: 13, imported: 10, rejected: 3 });
    expect((await all()).map(({ name }) => name).sort()).toEqual([
      '"Two"\nlines, as, many, cells, as, one, of, all',
      '13',
      'Event 1',
      'Event 5',
      'Event 8',
      'Of 12"',
      'Quoted',
      'Quoted',
      'The "Best" of it',
      'two\nlines, "and" more',
    ]);
  });

  it('names the line of a wrong row after an unclosed quote', async () => {
    const report = await csv(HEADER, row(1, '"never closed'), row(2, ' '), row(3, '"Quoted"'), row(4, ' '));
    expect(report.problems).toEqual([
      { line: 2, reason: 'has a quote that is not closed' },
      { line: 3, reason: 'name is required' },
      { line: 5, reason: 'name is required' },
    ]);
    expect(report).toMatchObject({ rows: 4, imported: 1 });
  });

  it('keeps hostile cells as plain text, or leaves them out', async () => {
    const report = await csv(
      HEADER,
      row(1, '"=HYPERLINK(""https://evil.example"",""x"")"'),
      row(2, '"<script>alert(1)</script>"'),
      row(3, 'nul\u0000 and \u202egnp.exe'),
      row(4, 'x'.repeat(1_000_000)),
      row(5, "Robert'); drop table events;--"),
      row(6, '__proto__'),
    );
    expect(report.problems).toEqual([{ line: 5, reason: 'name must be at most 300 characters' }]);
    expect((await all()).map(({ name }) => name)).toEqual([
      '=HYPERLINK("https://evil.example","x")',
      '<script>alert(1)</script>',
      'nul and gnp.exe',
      "Robert'); drop table events;--",
      '__proto__',
    ]);
  });

  it('refuses a header that lacks columns or has unknown ones, and text that is not UTF-8', async () => {
    await expect(csv('name,category', 'x,y')).rejects.toThrow('it lacks event_id, start_datetime');
    await expect(csv(`${HEADER},prise`, row(1))).rejects.toThrow('The columns "prise" are unknown');
    await expect(csv(HEADER.replaceAll(',', ';'))).rejects.toThrow(
      'The columns are separated by semicolons; they must be separated by commas.',
    );
    await expect(csv(HEADER.replaceAll(',', '\t'))).rejects.toThrow('The columns are separated by tabs;');
    await expect(csv(HEADER)).rejects.toThrow('The file contains no event.');
    const latin = Buffer.from(`\ufeff${HEADER}\n`, 'utf8');
    const path = await write(
      'l.csv',
      Buffer.concat([latin, Buffer.from(`${row(1, 'Caf\u00e9')}\n${row(2)}\n`, 'latin1')]),
    );
    expect(await take(path)).toMatchObject({
      imported: 1,
      problems: [{ line: 2, reason: 'name contains bytes that are not UTF-8' }],
    });
  });

  it.each(['le', 'be'])('reads a CSV file in UTF-16%s, and knows its last line break', async (order) => {
    const bytes = Buffer.from(`\ufeff${[HEADER, row(1, 'Caf\u00e9'), row(2)].join('\r\n')}\r\n`, 'utf16le');
    const path = await write('utf16.csv', order === 'le' ? bytes : bytes.swap16());
    expect(await take(path)).toMatchObject({ imported: 2, rejected: 0, unendedLine: null });
    expect((await all()).map(({ name }) => name)).toContain('Caf\u00e9');
    expect(await take(await write('utf16.csv', bytes.subarray(0, -4)))).toMatchObject({ unendedLine: 3 });
  });

  it('reads 0,0 as no position, and keeps a position at sea', async () => {
    await csv(HEADER, row(1).replace('53.8,-1.5', '0,0'), row(2).replace('53.8,-1.5', '50.1,-7.9'));
    expect((await all()).map(({ latitude, longitude }) => [latitude, longitude])).toEqual([
      [null, null],
      [50.1, -7.9],
    ]);
  });

  it('reads the API’s own answers back, as NDJSON', async () => {
    const record = {
      event_id: 'n1',
      name: 'Full',
      category: 'Film',
      sub_categories: ['Late'],
      tags: [],
      prices: [{ label: 'Front', min: 5, max: 7.5, currency: 'gbp' }],
      images: [{ url: 'https://hall.example/a.jpg', alt: 'A' }],
      trailers: [{ url: 'https://hall.example/t', title: null }],
      links: [],
      venue: { name: 'Odeon', town: 'York', latitude: 53.9, longitude: -1.1, capacity: 90, phone: '01904 1' },
      performances: [
        { performance_id: 'n1a', start_datetime: '2027-01-01T19:00:00Z' },
        { performance_id: 'n1b', start_datetime: '2027-07-01T19:00' },
      ],
    };
    const report = await take(await write('a.ndjson', `${JSON.stringify(record)}\n\n[]\nno json\n`));
    expect(report).toMatchObject({
      imported: 1,
      problems: [
        { line: 3, reason: 'is not an object with the fields of an event' },
        { line: 4, reason: 'is not JSON' },
      ],
    });
    const kept = (await events(database.db).byId('n1', NOW)) as EventRecord;
    expect(kept).toMatchObject({ prices: [{ ...record.prices[0], currency: 'GBP' }], images: record.images });
    expect(kept.venue).toMatchObject(record.venue);
    // A clock without a zone is London's.
    expect(kept.performances.map((one) => one.start_datetime)).toEqual([
      '2027-01-01T19:00:00.000Z',
      '2027-07-01T18:00:00.000Z',
    ]);
    expect(await take(await write('b.ndjson', JSON.stringify(kept)))).toMatchObject({ unchanged: 1 });
  });

  it('reads events of schema.org', async () => {
    const place = {
      '@type': 'Place',
      name: 'St George&#39;s Hall',
      address: {
        streetAddress: 'Bridge St',
        addressLocality: 'Bradford',
        postalCode: 'BD1 1JT',
        addressCountry: 'GB',
      },
      geo: { latitude: '53.792', longitude: '-1.752' },
    };
    const document = {
      '@context': 'https://schema.org',
      '@graph': [
        { '@type': 'Organization', name: 'x' },
        {
          '@type': ['Event', 'MusicEvent'],
          '@id': 'https://hall.example/e/1',
          name: 'Choral <b>Evening</b>',
          startDate: '2027-06-05T19:30:00+01:00',
          endDate: '2027-06-05T21:30:00+01:00',
          url: 'javascript:alert(1)',
          image: ['https://hall.example/1.jpg'],
          offers: {
            '@type': 'AggregateOffer',
            lowPrice: '12',
            highPrice: 30,
            priceCurrency: 'GBP',
            url: 'https://hall.example/buy',
          },
          location: place,
        },
        {
          '@type': 'SportsEvent',
          name: 'Off',
          startDate: '2027-06-05',
          eventStatus: 'https://schema.org/EventCancelled',
        },
        { '@type': 'FoodEvent', name: 'No time' },
      ],
    };
    const report = await take(await write('a.json', JSON.stringify(document, null, 2)));
    expect(report).toMatchObject({
      imported: 1,
      problems: [{ reason: 'is cancelled' }, { reason: 'start_datetime is required' }],
    });
    expect((await all())[0]).toMatchObject({
      name: 'Choral Evening',
      category: 'Music',
      start_datetime: '2027-06-05T18:30:00.000Z',
      booking_url: 'https://hall.example/buy',
      venue_name: "St George's Hall",
      venue_town: 'Bradford',
      latitude: 53.792,
    });
    expect(await take(await write('a.json', JSON.stringify(document)))).toMatchObject({ unchanged: 1 });
  });

  it('follows references in a graph of schema.org, and reads values with a language', async () => {
    const event = (id: string, more: object) => ({
      '@type': 'Event',
      '@id': id,
      name: id,
      startDate: '2027-06-05T19:30:00+01:00',
      ...more,
    });
    const document = {
      '@graph': [
        event('refers', { location: { '@id': '#hall' }, organizer: { '@id': 'refers' } }),
        event('welsh', {
          name: { '@value': 'Eisteddfod', '@language': 'cy' },
          startDate: { '@value': '2027-06-06T19:30', '@type': 'xsd:dateTime' },
          location: [{ '@id': '#online' }, { '@type': 'Place', '@id': '#tent', name: 'Tent' }],
        }),
        // The event is inside another event.
        event('nested', { location: { '@id': '#tent' } }),
        event('nowhere', { location: { '@id': '#gone' } }),
        event('off', { eventStatus: { '@id': 'schema:EventCancelled' } }),
        { '@id': '#hall', '@type': 'Place', name: 'Ref Hall', geo: { '@id': '#point' } },
        { '@id': '#point', '@type': 'GeoCoordinates', latitude: '53.8', longitude: '-1.5' },
        { '@id': '#online', '@type': 'VirtualLocation', url: 'https://hall.example' },
      ],
    };
    expect(await take(await write('a.jsonld', JSON.stringify(document)))).toMatchObject({
      imported: 4,
      problems: [{ line: 5, reason: 'is cancelled' }],
    });
    const found = (await all()).map(({ name, venue_name, latitude }) => [name, venue_name, latitude]);
    expect(found.sort()).toEqual([
      ['Eisteddfod', 'Tent', null],
      ['nested', 'Tent', null],
      ['nowhere', null, null],
      ['refers', 'Ref Hall', 53.8],
    ]);
  });

  it('reads calendars: series with their exceptions, time zones, and London time without one', async () => {
    const calendar = [
      'BEGIN:VCALENDAR',
      'VERSION:2.0',
      'BEGIN:VEVENT',
      'UID:series@hall.example',
      'DTSTART;TZID=Europe/London:20270320T193000',
      'DTEND;TZID=Europe/London:20270320T213000',
      'RRULE:FREQ=WEEKLY;COUNT=4',
      'EXDATE;TZID=Europe/London:20270327T193000',
      'SUMMARY:Folk club\\, upstairs',
      'LOCATION:The Grapes\\, Peter Lane\\, York YO1 8SW',
      'CATEGORIES:Music,Folk',
      'GEO:53.959;-1.083',
      'END:VEVENT',
      'BEGIN:VEVENT',
      'UID:series@hall.example',
      'RECURRENCE-ID;TZID=Europe/London:20270403T193000',
      'DTSTART;TZID=Europe/London:20270403T200000',
      'SUMMARY:Folk club\\, late',
      'END:VEVENT',
      'BEGIN:VEVENT',
      'UID:paris',
      'DTSTART;TZID=Europe/Paris:20270701T200000',
      'SUMMARY:By Paris time',
      'END:VEVENT',
      'BEGIN:VEVENT',
      'UID:floating',
      'DTSTART:20270701T200000',
      'SUMMARY:By the clock on the wall',
      'END:VEVENT',
      'BEGIN:VEVENT',
      'SUMMARY:Nameless',
      'END:VEVENT',
      'BEGIN:VEVENT',
      'UID:off',
      'DTSTART:20270701T200000Z',
      'STATUS:CANCELLED',
      'SUMMARY:Off',
      'END:VEVENT',
      'END:VCALENDAR',
      '',
    ].join('\r\n');
    const path = await write('a.ics', calendar);
    const report = await take(path);
    expect(report).toMatchObject({ imported: 3, rejected: 2 });
    expect(report.problems).toEqual([
      { line: 30, reason: expect.stringMatching(/^cannot be read: /) },
      { line: 33, reason: 'is cancelled' },
    ]);
    const starts = Object.groupBy(await all(), ({ name }) => name);
    expect(starts['Folk club, upstairs']!.map((one) => one.start_datetime)).toEqual([
      '2027-03-20T19:30:00.000Z',
      '2027-04-03T19:00:00.000Z',
      '2027-04-10T18:30:00.000Z',
    ]);
    expect(starts['Folk club, upstairs']![0]).toMatchObject({
      category: 'Music',
      venue_name: 'The Grapes',
      venue_town: 'York',
      postcode: 'YO1 8SW',
      latitude: 53.959,
      end_datetime: '2027-03-20T21:30:00.000Z',
    });
    expect(starts['By Paris time']![0]!.start_datetime).toBe('2027-07-01T18:00:00.000Z');
    expect(starts['By the clock on the wall']![0]!.start_datetime).toBe('2027-07-01T19:00:00.000Z');
    expect(await take(path)).toMatchObject({ unchanged: 3 });
  });

  it('counts an entry’s own date once among those of RDATE and RRULE, unless EXDATE removes it', async () => {
    const entry = (uid: string, ...lines: string[]) =>
      ['BEGIN:VEVENT', `UID:${uid}`, `SUMMARY:${uid}`, ...lines, 'END:VEVENT'].join('\r\n');
    const entries = [
      entry('added', 'DTSTART:20261205T193000Z', 'RDATE:20261210T193000Z'),
      entry('earlier', 'DTSTART:20261205T193000Z', 'RDATE:20261201T193000Z,20261205T193000Z'),
      entry('mondays', 'DTSTART:20261205T193000Z', 'RRULE:FREQ=WEEKLY;BYDAY=MO;COUNT=1'),
      entry('out', 'DTSTART:20261205T193000Z', 'RDATE:20261210T193000Z', 'EXDATE:20261205T193000Z'),
      entry(
        'utc out',
        'DTSTART;TZID=Europe/London:20270605T193000',
        'RRULE:FREQ=DAILY;COUNT=3',
        'EXDATE:20270606T183000Z',
      ),
    ];
    await take(await write('a.ics', `BEGIN:VCALENDAR\r\n${entries.join('\r\n')}\r\nEND:VCALENDAR\r\n`));
    const days = Object.groupBy(await all(), ({ name }) => name);
    expect(
      Object.entries(days)
        .map(([name, found]) => [name, ...found!.map((one) => one.start_datetime!.slice(5, 10)).sort()])
        .sort(),
    ).toEqual([
      ['added', '12-05', '12-10'],
      ['earlier', '12-01', '12-05'],
      ['mondays', '12-05', '12-07'],
      ['out', '12-10'],
      ['utc out', '06-05', '06-07'],
    ]);
  });

  it('knows the zones of Outlook and Thunderbird, and leaves out an entry with an unknown zone', async () => {
    const zones = [
      'GMT Standard Time',
      'W. Europe Standard Time',
      '/mozilla.org/20050126_1/Europe/Paris',
      'Mars/Phobos',
    ];
    const entries = zones.map((zone, at) =>
      [
        'BEGIN:VEVENT',
        `UID:${at}`,
        `SUMMARY:${at}`,
        `DTSTART;TZID=${zone}:20270605T193000`,
        'END:VEVENT',
      ].join('\n'),
    );
    const report = await take(
      await write('a.ics', `BEGIN:VCALENDAR\n${entries.join('\n')}\nEND:VCALENDAR\n`),
    );
    expect(report.problems).toEqual([
      { line: 17, reason: 'cannot be read: its time zone "Mars/Phobos" is not known' },
    ]);
    expect((await all()).map((one) => [one.name, one.start_datetime!.slice(11, 16)]).sort()).toEqual([
      ['0', '18:30'],
      ['1', '17:30'],
      ['2', '17:30'],
    ]);
  });

  const series = (rules: readonly string[], start = '20250201T193000Z') =>
    rules
      .map((rule, at) =>
        [
          'BEGIN:VEVENT',
          `UID:${at}`,
          `SUMMARY:${rule}`,
          `DTSTART:${start}`,
          `RRULE:${rule}`,
          'END:VEVENT',
        ].join('\n'),
      )
      .join('\n');

  it('leaves out a series whose rule yields no dates, and names it', async () => {
    const rules = [
      'FREQ=WEEKLY;BYMONTH=2;BYWEEKNO=50',
      'FREQ=MONTHLY;INTERVAL=48;BYDAY=5MO',
      'FREQ=DAILY;INTERVAL=999999999999',
      'FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=30',
      'FREQ=DAILY',
      // Months out of order sent the library round for ever.
      'FREQ=YEARLY;BYMONTH=2,3,4,5,6,7,1;BYWEEKNO=50',
    ];
    const report = await take(await write('a.ics', `BEGIN:VCALENDAR\n${series(rules)}\nEND:VCALENDAR\n`));
    expect(report.problems).toEqual(
      rules.slice(0, 4).map((rule, at) => ({
        line: 2 + at * 6,
        reason: `cannot be read: its rule "${rule}" is too long or has no dates: 30000 were tried`,
      })),
    );
    expect(new Set((await all()).map(({ name }) => name))).toEqual(new Set(rules.slice(4)));
  });

  it('ends with any rule', async () => {
    const any = random(20261122);
    const some = <T>(one: () => T, most = 6) => Array.from({ length: 1 + any(most) }, one).join(',');
    const either = <T>(...values: readonly T[]) => values[any(values.length)]!;
    const day = () => `${either('', '', '1', '-1', '5', '-5', '+2', '53', '-53')}${either(...DAYS)}`;
    const parts: Readonly<Record<string, () => string | number>> = {
      INTERVAL: () => either('1', '2', '4', '12', '48', '1000', '999999999', '1e9', '-3', '0'),
      COUNT: () => any(40),
      UNTIL: () => either('20270101T000000Z', '99991231T000000Z', '20200101'),
      BYSECOND: () => some(() => any(61)),
      BYMINUTE: () => some(() => any(60)),
      BYHOUR: () => some(() => any(24)),
      BYDAY: () => some(day),
      BYMONTHDAY: () => some(() => any(63) - 31),
      BYYEARDAY: () => some(() => any(733) - 366),
      BYWEEKNO: () => some(() => any(107) - 53),
      BYMONTH: () => some(() => 1 + any(12), 12),
      BYSETPOS: () => some(() => any(20) - 10),
      WKST: () => either(...DAYS),
    };
    const rules = Array.from({ length: 30 }, () => {
      const chosen = Object.entries(parts).filter(() => any(5) === 0);
      const values = chosen.map(([name, value]) => `;${name}=${value()}`);
      return `FREQ=${either('SECONDLY', 'MINUTELY', 'HOURLY', 'DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY')}${values.join('')}`;
    });
    const calendar = `BEGIN:VCALENDAR\n${series(rules)}\nEND:VCALENDAR\n`;
    const rows = await Array.fromAsync(rowsOf(await seriesOf(entriesOf(calendar)!), 'hall', NOW));
    expect(rows).toHaveLength(rules.length);
    // The counted work stops it: the time limit is for patterns that nobody thought of.
    expect(rows.filter(({ value }) => JSON.stringify(value).includes('took longer'))).toEqual([]);
  });

  it('reads a calendar once', async () => {
    const path = join(folder, 'a.ics');
    execFileSync('mkfifo', [path]); // a second reading would wait for ever
    const calendar = `BEGIN:VCALENDAR\n${series(['FREQ=DAILY;COUNT=2'], '20270201T193000Z')}\nEND:VCALENDAR\n`;
    const [report] = await Promise.all([take(path), writeFile(path, calendar)]);
    expect(report).toMatchObject({ rows: 1, imported: 1 });
  });

  it('can be stopped while it computes dates', async () => {
    const stop = new AbortController();
    const rules = Array.from({ length: 2000 }, () => 'FREQ=WEEKLY;BYMONTH=2;BYWEEKNO=50');
    setTimeout(() => stop.abort(), 1);
    const report = await take(await write('a.ics', `BEGIN:VCALENDAR\n${series(rules)}\nEND:VCALENDAR\n`), {
      signal: stop.signal,
    });
    expect(report.stopped).toBe(true);
    expect(report.rejected).toBe(0);
    expect(await all()).toEqual([]);
  });

  it('treats a date without a time as lasting to the end of that day in London', async () => {
    const header = 'event_id,name,category,start_datetime,end_datetime';
    await csv(
      header,
      'c1,c1,Fairs,2027-06-05,',
      'c2,c2,Fairs,2027-06-05,2027-06-06',
      'c3,c3,Fairs,2027-06-05T10:00,',
    );
    const entry = (uid: string, ...lines: string[]) =>
      ['BEGIN:VEVENT', `UID:${uid}`, `SUMMARY:${uid}`, ...lines, 'END:VEVENT'].join('\n');
    const entries = [
      entry('i1', 'DTSTART;VALUE=DATE:20270605'),
      // The 7th has no event.
      entry('i2', 'DTSTART;VALUE=DATE:20270605', 'DTEND;VALUE=DATE:20270607'),
    ];
    await take(await write('a.ics', `BEGIN:VCALENDAR\n${entries.join('\n')}\nEND:VCALENDAR\n`));
    const [start, sixth] = ['2027-06-04T23:00:00.000Z', '2027-06-06T22:59:00.000Z'];
    const fifth = '2027-06-05T22:59:00.000Z';
    const times = (await all()).map((one) => [one.name, one.start_datetime, one.end_datetime]);
    expect(times.sort()).toEqual([
      ['c1', start, fifth],
      ['c2', start, sixth],
      ['c3', '2027-06-05T09:00:00.000Z', null],
      ['i1', start, fifth],
      ['i2', start, sixth],
    ]);
  });

  it('follows an endless series for 400 days, a daily show too', async () => {
    const series = (uid: string, every: string) =>
      [
        'BEGIN:VEVENT',
        `UID:${uid}`,
        'DTSTART:20261201T193000Z',
        `RRULE:FREQ=${every}`,
        `SUMMARY:${uid}`,
        'END:VEVENT',
      ].join('\n');
    const calendar = `BEGIN:VCALENDAR\n${series('quiz', 'WEEKLY')}\n${series('show', 'DAILY')}\nEND:VCALENDAR\n`;
    expect(await take(await write('b.ics', calendar))).toMatchObject({ imported: 2, rejected: 0 });
    const found = Object.groupBy(await all(), ({ name }) => name);
    expect([found['quiz']!.length, found['show']!.length]).toEqual([56, 390]);
  });
});
