import { expect, it } from 'vitest';
import { readLine } from '../../../../server/operate/commands/read.ts';

const read = (line: unknown) => readLine(typeof line === 'string' ? line : JSON.stringify(line));

it('answers a report with its roads, and a line for each', async () => {
  const answer = await read({
    source: 'national-highways',
    title: 'M621 clockwise between M62 J27 and J1',
    text: 'Carriageway closed. Traffic is diverted via the A58.',
    published_at: '2026-11-20T08:00:00Z',
    now: '2026-11-20T08:10:00Z',
  });

  expect(answer).toMatchObject({
    roads: [
      {
        road: 'M621',
        role: 'affected',
        sense: 'CW',
        stretch: { from: 'M62 J27', to: 'J1' },
        slip: null,
        closed: 'full',
      },
      { road: 'M62', role: 'limit', stretch: null },
      { road: 'A58', role: 'diversion' },
    ],
    phase: 'active',
    left_out: null,
  });
});

it('answers a typed route with its legs, and with what it has to ask', async () => {
  const answer = await read({ route: 'leeds m62 m6 m5 bristol' });
  const asked = await read({ route: 'Leeds A64 M5 Bristol' });

  expect(answer).toMatchObject({ name: 'Leeds to Bristol', asked: [] });
  expect((answer.legs as { road?: string }[]).flatMap(({ road }) => road ?? [])).toEqual(['M62', 'M6', 'M5']);
  expect(asked.asked).toMatchObject([{ text: expect.stringContaining('The A64 and the M5 do not meet') }]);
});

it('says whether two reports are one, and why', async () => {
  const closed = { source: 'national-highways', title: 'M1 northbound J16 to J17 closed' };
  expect(await read({ a: closed, b: { source: 'news-rss', title: 'Fire at Leeds station' } })).toMatchObject({
    same: false,
    why: expect.any(String),
  });
});

it.each([
  // The M1 and the M2 of Northern Ireland have junctions of these numbers too.
  ['news', 'M1 closed between J15 and J14 southbound, Northamptonshire Police said', 'M1 J15'],
  ['news', 'Crash on M1 southbound at J15', 'M1 J15'],
  ['news', 'Crash on M2 coastbound at J5', 'M2 J5'],
  ['news', 'M1 closed at J15 after crash', undefined],
  ['news', 'A1231 at Washington closed after crash', 'Washington'],
  ['news', 'Translink: trains cancelled at Bangor', 'Bangor'],
  ['news', 'A87 dùinte aig Caol Loch Aillse', 'Kyle of Lochalsh'],
  ['news', 'Crash on M62 at J18. M60 anti-clockwise J18 to J14 queues', 'M62 J18'],
  ['news', 'M4 closed at J30. M1 closed at J40', undefined],
])('decides between places of one name: %s, %s', async (source, title, name) => {
  const { place } = await read({ source, title, published_at: '2026-11-23T10:00:00Z' });
  expect((place as { names: string[] } | null)?.names[0]).toBe(name);
});

it('reads the roads of a publisher in Northern Ireland as those there', async () => {
  const { roads } = await read({ source: 'trafficwatchni', title: 'M1 J14 to J15 closed' });
  expect(roads).toMatchObject([{ road: 'M1', sense: 'W' }]);
});

it.each([
  ['', 'The line is empty.'],
  ['{', 'The line is not JSON.'],
  ['[1]', 'The line is JSON, but not an object.'],
  ['{}', 'A report needs a "title" or a "text", a route a "route", a pair "a" and "b".'],
  ['{"title":"M1 closed","now":"yesterday"}', 'now: is no time'],
  ['{"title":"M1 closed","published_at":"2026-02-31"}', 'published_at: is no time'],
  ['{"title":"M1 closed","latitude":999}', 'latitude: is no place'],
  ['{"title":"M1 closed","longitude":-181}', 'longitude: is no place'],
  [
    '{"title":"M1 closed","start_time":"2026-02-03","end_time":"2026-02-02"}',
    'end_time: is before start_time',
  ],
])('says in words why it cannot read: %s', async (line, error) => {
  expect(await read(line)).toEqual({ error });
});
