import { expect, it } from 'vitest';
import type { MapEvent } from '../../../../src/api/places/events.ts';
import {
  clusterClass,
  clusters,
  inReadingOrder,
  offNumerals,
  pointOf,
} from '../../../../src/screens/map/clusters.ts';

const UK = { north: 61, south: 49, east: 3, west: -11 };
const event = (id: string, latitude?: number | null, longitude?: number | null): MapEvent => ({
  event_id: id,
  performance_id: id,
  latitude,
  longitude,
});

it.each([
  [2, 'small'],
  [9, 'small'],
  [10, 'medium'],
  [99, 'medium'],
  [100, 'large'],
  [500, 'large'],
])('%i events make a %s cluster', (count, size) => expect(clusterClass(count)).toBe(size));

it('draws an event at sea, but none at 0,0, without a position or outside the world', () => {
  const marks = clusters([
    event('at sea', 56.2, 2.4),
    event('null island', 0, 0),
    event('nowhere'),
    event('half', 53, null),
    event('beyond', 91, 0),
  ]).within({ north: 90, south: -90, east: 180, west: -180 }, 6);
  expect(marks.map(({ id }) => id)).toEqual(['at sea']);
  expect(pointOf({ latitude: 51.48, longitude: 0 })).not.toBeNull(); // Greenwich
});

it('joins marks that are nearer than 80 px, and separates them when zoomed in', () => {
  // At zoom 6 a pixel is 360 / (256 * 64) degrees of longitude.
  const degreesPerPixel = 360 / (256 * 2 ** 6);
  const index = clusters([event('a', 53, -1), event('b', 53, -1 + 79 * degreesPerPixel)]);
  const [cluster] = index.within(UK, 6);
  expect(cluster).toMatchObject({ kind: 'cluster', count: 2, size: 'small' });
  expect(cluster?.kind === 'cluster' && cluster.partsAt()).toBe(7);
  expect(cluster?.kind === 'cluster' && cluster.members().sort()).toEqual(['a', 'b']);
  expect(index.within(UK, 7)).toHaveLength(2);

  const apart = clusters([event('a', 53, -1), event('b', 53, -1 + 82 * degreesPerPixel)]);
  expect(apart.within(UK, 6)).toHaveLength(2);
});

it('recognises a cluster that no zoom can separate, because it is all in one place', () => {
  const index = clusters([event('a', 53, -1), event('b', 53, -1)]);
  for (const zoom of [6, 19, 22]) {
    const [cluster] = index.within(UK, zoom);
    expect(cluster?.kind === 'cluster' && cluster.partsAt()).toBeNull();
  }
});

it('keeps the same mark for what two views have in common', () => {
  const index = clusters([event('a', 53, -1), event('b', 53, -1), event('c', 55, -1), event('d', 52, -5)]);
  const before = index.within(UK, 9);
  expect(before).toHaveLength(3);
  const after = index.within({ ...UK, west: -3 }, 9);
  expect(after).toHaveLength(2);
  for (const mark of after) expect(before.some((one) => one === mark)).toBe(true);
});

it('counts in its clusters the events that an answer leaves out', () => {
  const others = [
    { latitude: 53.01, longitude: -1.01, count: 120 },
    { latitude: 57, longitude: -4, count: 7 },
  ];
  const index = clusters([event('a', 53, -1), event('b', 53.02, -1), event('c', 50, 1)], others);
  const marks = index.within(UK, 6);
  expect(marks.map((mark) => (mark.kind === 'cluster' ? mark.count : 1)).sort((a, b) => a - b)).toEqual([
    1, 7, 122,
  ]);
  const members = marks.map((mark) => (mark.kind === 'cluster' ? mark.members() : []));
  expect(members.flat().sort()).toEqual(['a', 'b']); // the selected one is found in its cluster
  // A closer view brings the events themselves.
  for (const mark of marks) if (mark.kind === 'cluster') expect(mark.partsAt()).toBeGreaterThan(6);
});

it('reads from north to south, then from west to east', () => {
  const marks = clusters([event('south', 50.5, -4), event('east', 55, 1), event('west', 55, -6)]).within(
    UK,
    8,
  );
  expect(inReadingOrder(marks).map(({ id }) => id)).toEqual(['west', 'east', 'south']);
});

it('draws a disruption that a cluster would cover at its rim, on its own side', () => {
  const zoom = 6;
  const degreesPerPixel = 360 / (256 * 2 ** zoom);
  const events = Array.from({ length: 100 }, (_, at) => event(`e${at}`, 53, -1));
  const marks = clusters([...events, event('alone', 50, 1)]).within(UK, zoom);
  const shiftAt = (pixelsEast: number, longitude = -1, latitude = 53) =>
    offNumerals({ latitude, longitude: longitude + pixelsEast * degreesPerPixel }, marks, zoom).map(
      (pixels) => Math.round(pixels) + 0,
    );

  expect(shiftAt(10)).toEqual([35, 0]); // a large disc has 33 px, the symbol 12
  expect(shiftAt(-40)).toEqual([-5, 0]);
  expect(shiftAt(0)).toEqual([32, -32]);
  expect(shiftAt(46)).toEqual([0, 0]);
  expect(shiftAt(0, 1, 50)).toEqual([0, 0]); // a single event has no numeral
});
