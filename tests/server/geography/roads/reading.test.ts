/** The least shares of the labelled texts and typed routes that must be read right, so that reading never gets
 *  worse. `npm run bench -- reading` lists misses. */
import { describe, expect, it } from 'vitest';
import '../../../../server/geography/names/placeNames.ts'; // gives the names of towns
import { readRoadWords } from '../../../../server/geography/roads/roadWords.ts';
import { TRUNK_ROAD_IDS } from '../../../../server/geography/roads/coveredRoads.ts';
import { signOf } from '../../../../server/geography/roads/directionWords.ts';
import { labelOf, roadTable } from '../../../../server/geography/roads/roadTable.ts';
import { labelledTexts, measured, MEASURES, type Measure } from '../../../support/roadLabels.ts';
import { measuredRoutes } from '../../../support/routeLabels.ts';

/** Shares in per cent, as measured when the rules were frozen. */
const FLOORS: Readonly<Record<string, Readonly<Record<Measure, number>>>> = {
  'roads.txt': { roads: 100, direction: 97.9, stretch: 99, slip: 100, closed: 99 },
  'roads-third.txt': { roads: 100, direction: 98.6, stretch: 100, slip: 100, closed: 100 },
  'roads-fourth.txt': { roads: 100, direction: 99, stretch: 98, slip: 100, closed: 99 },
  'roads-fifth.txt': { roads: 100, direction: 100, stretch: 98, slip: 100, closed: 100 },
  'roads-sixth.txt': { roads: 100, direction: 100, stretch: 100, slip: 100, closed: 100 },
  'roads-seventh.txt': { roads: 100, direction: 100, stretch: 100, slip: 100, closed: 100 },
  'roads-eighth.txt': { roads: 100, direction: 100, stretch: 100, slip: 100, closed: 100 },
  'roads-ninth.txt': { roads: 100, direction: 98, stretch: 100, slip: 100, closed: 100 },
  'roads-tenth.txt': { roads: 100, direction: 100, stretch: 100, slip: 100, closed: 100 },
  'roads-eleventh.txt': { roads: 100, direction: 100, stretch: 98, slip: 100, closed: 96 },
  'roads-twelfth.txt': { roads: 100, direction: 100, stretch: 100, slip: 100, closed: 100 },
  'roads-second.txt': { roads: 98.8, direction: 96.4, stretch: 97.6, slip: 98.8, closed: 98.7 },
};

it.each(Object.keys(FLOORS))('reads the roads of the labelled texts: %s', (file) => {
  const { counts, misses } = measured(labelledTexts(file));
  for (const measure of MEASURES) {
    const { right, of } = counts[measure];
    const missed = misses.filter((miss) => miss.measure === measure);
    expect((right / of) * 100, JSON.stringify(missed, null, 1)).toBeGreaterThanOrEqual(
      FLOORS[file]![measure],
    );
  }
});

it.each([
  ['routes.txt', 83, 0.97],
  ['routes-second.txt', 50, 1],
  ['routes-third.txt', 50, 0.98],
  ['routes-fourth.txt', 50, 0.92],
  ['routes-fifth.txt', 50, 1],
  ['routes-sixth.txt', 50, 0.98],
  ['routes-seventh.txt', 50, 1],
  ['routes-eighth.txt', 25, 1],
  ['routes-ninth.txt', 25, 1],
  ['routes-tenth.txt', 60, 0.98],
  ['routes-eleventh.txt', 60, 1],
  ['routes-twelfth.txt', 60, 1],
] as const)('reads the labelled typed routes, or asks: %s', async (file, of, floor) => {
  const { counts, misses } = await measuredRoutes(file);

  expect(counts.of).toBe(of);
  expect(misses.filter(({ isSilent }) => isSilent)).toEqual([]);
  expect(counts.right / counts.of, JSON.stringify(misses, null, 1)).toBeGreaterThanOrEqual(floor);
});

describe('a road with another role', () => {
  it.each([
    ['M621 between M62 J27 and J1: closed', 'M621 affected, M62 limit'],
    ['A43 northbound at M40 J10: closed', 'A43 affected, M40 limit'],
    ['M62 closed, diversion via the A58', 'M62 affected, A58 diversion'],
    ['M6 closed, queues back to the M55', 'M6 affected, M55 destination'],
    ['M4 closed. Exit at J17, follow the A350 and rejoin at J18.', 'M4 affected, A350 diversion'],
    ['M606 closed: bus M2 does not run', 'M606 affected, M2 name'],
    ['A720 A7 (Sheriffhall Rbt) - A68 (Millerhill Jct) - Queue', 'A720 affected, A7 limit, A68 limit'],
    ['Much-loved cafe beside the A66 put up for sale', 'A66 name'],
    ['M18 northbound: crash at J5. Congestion now reaching the M62', 'M18 affected, M62 destination'],
    ['Lanes blocked on both the M1 J39 to J40 and the M62 J29 to J30', 'M1 affected, M62 affected'],
    ['Bus lane works. The A61 itself is not affected, the A65 is closed', 'A65 affected, A61 name'],
    ['A14 closed. Going round by the A428', 'A14 affected, A428 diversion'],
    ['Bishopthorpe Road, York, is closed near the A64', 'A64 limit'],
    ['Smoke from a fire next to the M60 in Stockport. The M60 remains open.', 'M60 name'],
    ['Motorists travelling from the M62 to Hull face delays on the A15', 'A15 affected, M62 limit'],
    ['A303 closed. It has pushed traffic on to the A36', 'A303 affected, A36 diversion'],
    ['Plans for a new junction on the A14 have been approved', 'A14 name'],
    ['M25 J10: closure of the A3. The M25 itself stays open but will be busy', 'A3 affected, M25 name'],
    ['The Queensway Tunnel will be closed. The Kingsway Tunnel, A59, will stay open.', 'A59 name'],
    ['Our runway is closed by fog. Ask your airline before travelling up the A38.', 'A38 name'],
    ['The station is shut. Check before using the M621.', 'M621 name'],
    ['The station is shut. Check before travelling on the A658, closed at Yeadon.', 'A658 affected'],
  ])('%s', (text, roles) => {
    expect(
      readRoadWords(text)
        .map(({ road, role }) => `${road} ${role}`)
        .join(', '),
    ).toBe(roles);
  });
});

it('counts the publisher’s field as the affected road, whatever the words name', () => {
  const uses = readRoadWords('M1 northbound exit for the A50 closed', { roads: ['A50'] });

  expect(uses.map(({ road, role }) => `${road} ${role}`)).toEqual(['A50 affected', 'M1 limit']);
});

it('reads the first road of a text that only says where', () => {
  expect(readRoadWords('Long queues back to the M25')).toMatchObject([{ road: 'M25', role: 'affected' }]);
});

it.each([
  ['A66 crash: queues towards Teesside at Elton', 'E'],
  ['A316 outbound at Hospital Bridge roundabout', 'W'],
  ['A316 inbound at Chertsey Road', 'E'],
  ['A13 outbound at Beckton', 'E'],
  ['A34 inbound in Manchester closed at Kingsway', 'N'],
  ['A23 outbound, Brighton: closed at Preston Park', 'N'],
  ['A417 Cirencester-bound closed near Birdlip', 'S'],
  ['A40 Western Avenue Uxbridge-bound at Hanger Lane', 'W'],
  ['A46 Bingham-bound near Cropwell Bishop', 'N'],
  ['A590 Barrow-bound at Ulverston', 'W'],
  ['A1 Newcastle-bound at Washington', 'N'],
  ['A38 outbound in Bristol', null],
])('resolves a place that traffic is bound for along the road: %s', (text, direction) => {
  expect(readRoadWords(text)[0]!.direction).toBe(direction);
});

it('reads every two neighbours of England’s trunk roads, in both directions', () => {
  const words = {
    N: 'northbound',
    S: 'southbound',
    E: 'eastbound',
    W: 'westbound',
    CW: 'clockwise',
    AC: 'anti-clockwise',
  };
  let count = 0;
  const wrong: string[] = [];
  for (const chain of roadTable().chains.filter(({ id }) => TRUNK_ROAD_IDS.includes(id)))
    for (const [at, one] of chain.waypoints.slice(0, -1).entries())
      for (const sense of [1, -1] as const) {
        const other = chain.waypoints[at + 1]!;
        const [from, to] = (sense === 1 ? [one, other] : [other, one]).map(labelOf);
        const sign = signOf(chain, sense, at + 0.5);
        const isEnglish = one.nation === 'england' && other.nation === 'england';
        if (!isEnglish || !sign || !from || !to || from === to) continue;
        const text = `${chain.road} ${words[sign]} between ${from} and ${to}: one lane closed`;
        const [use] = readRoadWords(text);
        const [part] = use?.stretch ?? [];
        const isStretch = [part?.from, part?.to].sort().join() === [from, to].sort().join();
        count++;
        if (use?.road !== chain.road || use.direction !== sign || !isStretch) wrong.push(text);
      }

  expect(count).toBeGreaterThan(2400);
  expect(wrong).toEqual([]);
});
