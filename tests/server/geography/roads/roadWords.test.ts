import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { normalRoad } from '#contract/incidents/roadName.ts';
import { readRoadWords } from '../../../../server/geography/roads/roadWords.ts';

/** "M62 W: M62 J26-J27; slip", of the affected roads. */
function brief(text: string): string {
  const affected = readRoadWords(text).filter(({ role }) => role === 'affected');
  const stretches = affected.flatMap(({ road, stretch }) =>
    stretch.map(({ from, to }) => `${road} ${from}${to === from ? '' : `-${to}`}`),
  );
  const roads = affected.map(({ road }) => road).join('+');
  const way = affected[0]?.direction;
  return [
    [roads, way].filter(Boolean).join(' ') + (stretches.length ? `: ${stretches.join(', ')}` : ''),
    ...(affected[0]?.slip ? ['slip'] : []),
  ].join('; ');
}

describe('the roads that words name', () => {
  it.each([
    ['M62 closed', 'M62'],
    ['The M6 Toll and the M6', 'M6 Toll+M6'],
    ['A1M, A1(M) and A1 (M) are one road', 'A1(M)'],
    ['The A1 and the A1(M) are closed', 'A1+A1(M)'],
    ['a66 closed at Bowes', 'A66'],
    ['A40/M40 at Denham', 'A40+M40'],
    ['B6265 between Grassington and Pateley Bridge', 'B6265: B6265 Grassington-Pateley Bridge'],
    ['Flooding in B1 and B22', ''],
    ['Car stopped on the M6 near Keele, driver arrested', ''],
    ['Traffic stopped on the M6 near Keele after arrest', 'M6'],
    ['An earlier crash on the M40 has been cleared. A43 closed', 'A43'],
    ['Lorry stopped on the M6 near Keele, 40 mph limit, lane 1 closed', 'M6'],
    ['Drivers were stopped on the M6 after a crash. A man was arrested', 'M6'],
    ['Vehicle stopped on the M62, drugs found, queues for two miles', 'M62'],
    ['Long delays remain, an earlier collision on the M40 at Bicester has been cleared', 'M40'],
    ['An earlier incident on the M6 was cleared but queues remain', 'M6'],
    ['An earlier crash on the M40 has been cleared, with no delays', ''],
    ['An earlier crash on the M40 has been cleared, delays on the A43', 'A43'],
    ['M62A closed', ''],
    ['Manchester, M1 2AB', ''],
    ['Leeds to York', ''],
    ['Delays of 5M and 20 m', ''],
  ])('%s', (text, roads) => {
    expect(brief(text)).toBe(roads);
  });

  it.each([
    ['M62 between J26 and J27', 'M62: M62 J26-J27'],
    ['M62 junctions 26 and 27', 'M62: M62 J26-J27'],
    ['A19 between Sunderland and Jarrow', 'A19: A19 Sunderland-Jarrow'],
    ['M62 at J26 and J27', 'M62: M62 J26, M62 J27'],
    ['M62 J26-27', 'M62 E: M62 J26-J27'],
    ['M62 J26 to J27 and J29 to J30', 'M62: M62 J26-J27, M62 J29-J30'],
    ['M62 jct 26 to jct 27', 'M62 E: M62 J26-J27'],
    ['A13 E/B btw A126 Lakeside & A1089 Marshfoot; slow', 'A13 E: A13 A126-A1089'],
    ['A13 E/B btwn A126 Lakeside and A1089 Marshfoot lane closed', 'A13 E: A13 A126-A1089'],
    ['M25 c/way closed bet. J9 and J10 clockwise', 'M25 CW: M25 J9-J10'],
    ['A50 e/bnd blkd at Uttoxeter r/bout due to RTC', 'A50 E'],
    ['M4 w/bound entry slip clsd jctn 12', 'M4 W: M4 J12; slip'],
    ['M60 a/clockwise J18-J14 queues', 'M60 AC: M60 J18-J14'],
    ['A12 b/w J15 & J16 both dirs closed', 'A12 both: A12 J15-J16'],
    ['btw, the A64 is closed at York', 'A64'],
    ['A14 wb J31-32 ln 1 closed, b/d lorry', 'A14 W: A14 J31-J32'],
    ['M1/M45. Police incident, M45 both ways, closed between M1 J17 and A45', 'M45 both: M45 M1 J17-A45'],
    ['M62 Junction 26 (Chain Bar) to Junction 27 (Gildersome)', 'M62 E: M62 J26-J27'],
    ['M4 : Westbound : J26 Malpas to J24 Coldra', 'M4 W: M4 J26-J24'],
    ['J26 to J27 of the M62 westbound', 'M62 W: M62 J26-J27'],
    ['M4 J8/9', 'M4: M4 J8/9'],
    ['M4 J8/9 to J10', 'M4 W: M4 J8/9-J10'],
    ['M6 J21a', 'M6: M6 J21A'],
    ['M62 J10 westbound to M6 J21A', 'M62 W: M62 J10-M6 J21A'],
    ['M62 J26 - 60 minute delays', 'M62: M62 J26'],
    ['M62 J26 - 2 lanes closed', 'M62: M62 J26'],
    // The end of a queue, and where traffic is sent off, are on no stretch of their own.
    ['M62 J26: queues to J27', 'M62: M62 J26'],
    ['M6 closed J10 to J11. Traffic is being taken off at J9.', 'M6 N: M6 J10-J11'],
    ['M5 entry slip at J29 shut; traffic for the A30 should exit at J30', 'M5: M5 J29; slip'],
    ['M5 crash southbound at J30, delays of 40 minutes from J29', 'M5 S: M5 J30'],
    ['M5 southbound: queues from J29', 'M5 S: M5 J29'],
    ['A96 Huntly to Keith CLOSED by snow', 'A96: A96 Huntly-Keith'],
    ['Delays on the M1 from J24 to J25', 'M1 N: M1 J24-J25'],
    ['Delays on the M25 clockwise from J8 (Reigate) to J10 (A3)', 'M25 CW: M25 J8-J10'],
    ['Delays on the M62 eastbound from J20 - J22', 'M62 E: M62 J20-J22'],
    ['Queues on the M5 from J16 southbound to J15', 'M5 S: M5 J16-J15'],
    ['Severe delays on the M62 approaching from J20, up to J22', 'M62 E: M62 J20-J22'],
    ['Delays on the M3 from junction 4 (Frimley) to junction 3', 'M3 E: M3 J4-J3'],
    ['M60 J12 to J11, queues', 'M60 AC: M60 J12-J11'],
    ['Roadworks on the M60 J12 to J11', 'M60: M60 J12-J11'],
    ['Junction 26 to junction 27', ''],
    ['M62 J26 closed. Traffic is being asked to carry on to J28', 'M62: M62 J26'],
    ['Link road from the #M5 southbound to the M4 at J15 closed', 'M5 S'],
    ['M62 closed between junctions 26 (Bradford) and 27 (Gildersome)', 'M62: M62 J26-J27'],
  ])('%s', (text, read) => {
    expect(brief(text)).toBe(read);
  });

  it.each([
    ['M62 eastbound', 'M62 E'],
    ['M62 East Bound', 'M62 E'],
    ['M62 N/B', 'M62 N'],
    ['M62 EB J26-J27 closed', 'M62 E: M62 J26-J27'],
    ['A1(M) NB closed', 'A1(M) N'],
    ['A1: closed. NB: the A64 is open', 'A1'],
    ['M25 clockwise', 'M25 CW'],
    ['M25 anti-clockwise', 'M25 AC'],
    ['M25 anticlockwise', 'M25 AC'],
    ['M20 coastbound', 'M20 E'],
    ['M20 Londonbound', 'M20 W'],
    ['M62 in both directions', 'M62 both'],
    ['The A628 and A57 are closed in both directions', 'A628+A57 both'],
    ['Delays on the M1 and the M62 is closed in both directions', 'M1+M62'],
    ['M62 northbound and southbound', 'M62 both'],
    ['Northbound on the A1, diversion by the A66 westbound', 'A1 N'],
    ['M62 closed, diversion by the M6 southbound', 'M62'],
    ['Service A1 is diverted by the closed A4 at Bath', 'A4'],
    ['Service 4 is diverted because of the closure of the A4 at Bath', 'A4'],
    ['A1 Northallerton to Eastbourne', 'A1: A1 Northallerton-Eastbourne'],
    ['Traffic heading west on the M4 is queueing', 'M4 W'],
    ['M1, travelling north between J5 and J6, closed', 'M1 N: M1 J5-J6'],
    ['M4 closed for traffic heading west J26', 'M4 W: M4 J26'],
    ['M62 closed for traffic heading east.', 'M62 E'],
    ['M4 heading west London, closed', 'M4'],
    ['A55 closed for traffic heading North Wales', 'A55'],
    ['A19 closed for people travelling East Midlands Airport', 'A19'],
    ['M6 closed, motorists travelling north west', 'M6'],
    ['M62 J26 westbound entry slip road', 'M62 W: M62 J26; slip'],
    ['Many slipped on the A1', 'A1'],
  ])('%s', (text, read) => {
    expect(brief(text)).toBe(read);
  });
});

it('reads the beginning of a long text, and cuts it at a whole word', () => {
  const long = (length: number) => `M1 ${'x'.repeat(length - 4)} M62`;
  for (let length = 1990; length < 2010; length++) expect(['M1', 'M1+M62']).toContain(brief(long(length)));
  expect(brief('M1'.repeat(2000))).toBe('');
});

const ROADS = ['M62', 'M6 Toll', 'A1(M)', 'A66', 'B6265', 'M1', 'A1'];
const WAYS = [
  ['northbound', 'N'],
  ['eastbound', 'E'],
  ['southbound', 'S'],
  ['westbound', 'W'],
  ['clockwise', 'CW'],
  ['anti-clockwise', 'AC'],
] as const;
const junction = fc
  .tuple(fc.integer({ min: 1, max: 51 }), fc.constantFrom('', 'A', 'B'))
  .map((j) => j.join(''));

it('reads back every form that publishers use as what it was written from', () => {
  const forms: readonly ((road: string, from: string, to: string, way: string) => string)[] = [
    (road, from, to, way) => `${road} ${way} between J${from} and J${to}`,
    (road, from, to, way) => `${road} ${way}, J${from} to J${to}, closed due to a collision`,
    (road, from, to, way) => `${road} ${way} J${from}-J${to}: 20 minute delays`,
    (road, from, to, way) => `Closed: junctions ${from} to ${to} of the ${road} ${way}`,
    (road, from, to, way) => `${road} : ${way.toUpperCase()} : JCT ${from} Malpas to JCT ${to} Coldra`,
  ];
  fc.assert(
    fc.property(
      fc.constantFrom(...ROADS),
      junction,
      junction,
      fc.constantFrom(...WAYS),
      fc.constantFrom(...forms),
      (road, from, to, [way, direction], form) => {
        const text = form(road, from, to, way);
        expect(readRoadWords(text), text).toMatchObject([
          {
            road,
            role: 'affected',
            stretch: [{ from: `J${from}`, to: `J${to}` }],
            direction,
            slip: null,
          },
        ]);
      },
    ),
  );
});

it('names only what the words contain, and reads a road that it wrote as itself', () => {
  const piece = fc.constantFrom(
    ...ROADS,
    'J26',
    ' to ',
    ' and ',
    'J8/9',
    ' ',
    '-',
    'M',
    'A',
    '1',
    '(',
    'between ',
    'slip',
  );
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string({ unit: 'grapheme' }),
        fc.array(piece).map((all) => all.join('')),
      ),
      (text) => {
        const bare = (words: string) => words.toUpperCase().replaceAll(/[\s()]/g, '');
        for (const { road, at, stretch } of readRoadWords(text)) {
          expect(bare(text)).toContain(bare(road));
          expect(bare(text.slice(at!.from, at!.to))).toBe(bare(road).replace('(M)', 'M'));
          expect(normalRoad(road)).toBe(road);
          for (const { from, to } of stretch)
            for (const end of [from, to])
              expect(bare(text)).toContain(bare(end.replace(/^J/, '').split(' J').at(-1)!));
        }
      },
    ),
  );
});

it.each([
  ['M25 J16: two lanes of five closed.', 'lanes'],
  ['M25 J16 closed: two of five lanes.', 'lanes'],
  ['M25 J16: two lanes out of four are closed.', 'lanes'],
  ['M25 J16: two lanes of two closed.', 'full'],
  ['A66 at Scotch Corner expected to reopen by 18:00', 'full'],
  ['One lane of the A6 at Ashford-in-the-Water is closed for tree works.', 'lanes'],
  ['M1 northbound J24 entry slip. Lanes Closed : The entry slip will be closed.', 'full'],
])('reads how many lanes are closed: %s', (text, closed) => {
  expect(readRoadWords(text)[0]?.closed).toBe(closed);
});

it.each([
  ['M5 exit slip at J25 closed, entry slip open.', 'exit'],
  ['M5 J25: exit slip road is open, entry slip road closed.', 'entry'],
  ['M5 J25: exit slip and entry slip closed.', 'both'],
  ['The link road from the M4 to the M25 is closed. Traffic on the M4 itself is passing.', 'slip'],
])('reads the closed slip road: %s', (text, slip) => {
  expect(readRoadWords(text)[0]?.slip).toBe(slip);
});
