import { describe, expect, it } from 'vitest';
import {
  guessedDuration,
  isOnTheIslands,
  type Leg,
  type Position,
  tooLong,
  WatchChange,
  WatchRequest,
} from '#contract/watches/watches.ts';

const leg: Leg = { type: 'road', road: 'M62', from: 'J26', to: 'J27', sense: 1 };
const line = (points: number, at: Position = [-1.5, 53.8]): Leg => ({
  type: 'line',
  points: Array.from({ length: points }, () => at),
});
const along = (roads: number): Leg => ({
  type: 'exact',
  points: [
    [-1.5, 53.8],
    [-1.4, 53.7],
  ],
  roads: Array.from({ length: roads }, () => ({
    road: 'M1',
    lo: 3,
    hi: 4.5,
    sense: 1 as const,
    from_km: 0,
    to_km: 1,
  })),
});
const request = (fields: object) =>
  WatchRequest.safeParse({
    kind: 'route',
    name: 'Leeds to Heathrow',
    made_by: 'junctions',
    legs: [leg],
    ...fields,
  });
const wordsOf = (answer: ReturnType<typeof request>) => answer.error?.issues.map(({ message }) => message);

describe('a route that is sent', () => {
  it('takes the four kinds of leg, and leaves out reach and departures if none are given', () => {
    const legs: Leg[] = [
      leg,
      line(2),
      {
        type: 'exact',
        points: [
          [-1.5, 53.8],
          [-1.4, 53.7],
        ],
        roads: [{ road: 'M1', lo: 3, hi: 4.5, sense: -1, from_km: 0, to_km: 12 }],
      },
      {
        type: 'link',
        points: [
          [-1.5, 53.8],
          [-1.4, 53.7],
        ],
      },
    ];

    expect(request({ legs }).data).toMatchObject({ legs, reach_m: null, departures: [], geometry: null });
  });

  it.each([
    [Array.from({ length: 61 }, () => leg), 'A route may have 60 legs and 4,000 points. This has 61 legs.'],
    [[line(4001)], 'A route may have 60 legs and 4,000 points. This has 4,001 points.'],
    [[line(2, [2.6, 48.8])], 'This line lies outside the United Kingdom and Ireland.'],
    [[line(2, [179.9, 53])], 'This line lies outside the United Kingdom and Ireland.'],
    [[line(2), line(2, [2.6, 48.8])], 'This line lies outside the United Kingdom and Ireland.'],
    [
      Array.from({ length: 2 }, () => along(151)),
      'The lines of a route may run along 300 roads. These run along 302.',
    ],
  ])('is refused in words when it is too long or elsewhere', (legs, words) => {
    expect(wordsOf(request({ legs }))).toEqual([words]);
  });

  it('may have as many legs and points as the limits say', () => {
    expect(tooLong(Array.from({ length: 60 }, () => leg))).toBeNull();
    expect(tooLong([line(4000)])).toBeNull();
    expect(tooLong([along(150), along(150)])).toBeNull();
  });

  it('may go to the coasts of the islands, and no further', () => {
    const corners: Position[] = [
      [-11, 49],
      [2.5, 61.5],
    ];
    expect(corners.map(isOnTheIslands)).toEqual([true, true]);
    for (const [longitude, latitude] of [
      [-11.01, 53],
      [2.51, 53],
      [-1.5, 48.99],
      [-1.5, 61.51],
    ] as const)
      expect(isOnTheIslands([longitude, latitude])).toBe(false);
  });

  it.each([
    ['  ', 'Give the route a name.'],
    ['x'.repeat(81), 'The name may have at most 80 characters.'],
    ['Leeds\nHull', 'The name must be one line of text.'],
  ])('has a name that can be read', (name, words) => {
    expect(wordsOf(request({ name }))).toEqual([words]);
  });

  it.each(['6:10', '24:00', '06:60', '0610'])('does not leave at %s', (at_local) => {
    const departure = {
      name: null,
      days: 31,
      from_date: null,
      to_date: null,
      except: [],
      duration_min: null,
    };

    expect(request({ departures: [{ ...departure, at_local }] }).success).toBe(false);
    expect(request({ departures: [{ ...departure, at_local: '06:10' }] }).success).toBe(true);
  });

  it('keeps what a change does not name', () => {
    expect(WatchChange.parse({ name: 'Hull' })).toEqual({ name: 'Hull' });
  });
});

it.each([
  [300, 225],
  [324, 245],
  [2, 5],
])('guesses for %i km that it takes %i minutes', (km, minutes) => {
  expect(guessedDuration(km)).toBe(minutes);
});
