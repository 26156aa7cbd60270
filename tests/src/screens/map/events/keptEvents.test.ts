import { beforeEach, expect, it } from 'vitest';
import type { MapEvent } from '../../../../../src/api/places/events.ts';
import {
  eventOf,
  type KeptArea,
  keptEvents,
  viewOf,
} from '../../../../../src/screens/map/events/keptEvents.ts';
import { clearSnapshots } from '../../../../../src/offline/snapshot.ts';
import { everythingKept, forgetEverything } from '../../../offline/fakeStorage.ts';

const NOW = new Date('2026-11-21T12:00:00Z');
const at = (minutesAgo: number) => new Date(NOW.getTime() - minutesAgo * 60_000);
const LEEDS = { north: 54, south: 53.6, east: -1.3, west: -1.8 };
const YORKSHIRE = { north: 54.5, south: 53.2, east: 0, west: -2.5 };
const CORNWALL = { north: 50.8, south: 49.9, east: -4, west: -6 };

const event = (id: string, over: Partial<MapEvent> = {}): MapEvent => ({
  event_id: id,
  performance_id: id,
  latitude: 53.8,
  longitude: -1.55,
  category: 'Music',
  start_datetime: '2026-11-25T19:00:00.000Z',
  ...over,
});
const area = (over: Partial<KeptArea> = {}): KeptArea => {
  const events = over.events ?? [event('a')];
  return {
    bounds: YORKSHIRE,
    category: null,
    dates: null,
    total: events.length,
    at: at(10),
    ...over,
    events,
  };
};
const ids = (areas: KeptArea[], query: Parameters<typeof viewOf>[1]) =>
  viewOf(areas, query, NOW)
    ?.events.map(({ performance_id }) => performance_id)
    .sort() ?? null;
const inLeeds = { bounds: LEEDS, category: null, dates: null };

beforeEach(() => {
  localStorage.clear();
  localStorage.setItem('clearway_scope', 'anna');
  forgetEverything();
});

it('filters the stored events by place, category and day', () => {
  const events = [
    event('a'),
    event('film', { category: 'Film' }),
    event('york', { latitude: 53.96, longitude: -1.08 }),
    event('later', { start_datetime: '2026-12-24T19:00:00.000Z' }),
    event('running', {
      start_datetime: '2026-11-01T10:00:00.000Z',
      end_datetime: '2026-12-01T10:00:00.000Z',
    }),
    event('nowhere', { latitude: null }),
  ];
  const kept = [area({ events })];
  expect(ids(kept, inLeeds)).toEqual(['a', 'film', 'later', 'nowhere', 'running']);
  expect(ids(kept, { ...inLeeds, category: 'Film' })).toEqual(['film']);
  const week = { start: '2026-11-21', end: '2026-11-28' };
  expect(ids(kept, { ...inLeeds, dates: week })).toEqual(['a', 'film', 'nowhere', 'running']);
});

it('keeps how many events an answer counted, beyond those that it listed', () => {
  const whole = area({ at: at(30), total: 3183 });
  const around = { ...inLeeds, bounds: YORKSHIRE };
  expect(viewOf([whole], around, NOW)?.total).toBe(3183);
  expect(viewOf([area({ bounds: LEEDS, total: 700 }), whole], around, NOW)?.total).toBe(700);
  expect(viewOf([whole], inLeeds, NOW)?.total).toBe(1); // how many of them are in Leeds is not known
});

it('combines areas, with each event’s latest record, and gives the age of the oldest area', () => {
  const found = viewOf(
    [
      area({ at: at(60), total: 900, events: [event('a', { name: 'Old name' }), event('b')] }),
      area({ at: at(5), bounds: LEEDS, total: 700, events: [event('a', { name: 'New name' })] }),
    ],
    inLeeds,
    NOW,
  );
  expect(found?.events.map(({ performance_id, name }) => [performance_id, name])).toEqual([
    ['a', 'New name'],
    ['b', undefined],
  ]);
  expect(found?.at).toEqual(at(60));
});

it('drops an event that is missing from a newer, complete answer for its place', () => {
  const older = area({ at: at(60), events: [event('a'), event('cancelled')] });
  expect(ids([older, area({ at: at(5), bounds: LEEDS })], inLeeds)).toEqual(['a']);
  expect(ids([older, area({ at: at(5), bounds: LEEDS, total: 600 })], inLeeds)).toEqual(['a', 'cancelled']);
  const film = area({ at: at(5), bounds: LEEDS, category: 'Film', events: [] });
  expect(ids([older, film], inLeeds)).toEqual(['a', 'cancelled']);
});

it('finds the performances of one event in every area, each in its latest record', () => {
  const on = (performance: string, over: Partial<MapEvent> = {}) =>
    event('tour', { performance_id: performance, ...over });
  const cornwall = area({
    at: at(60),
    bounds: CORNWALL,
    events: [on('truro', { latitude: 50.26, longitude: -5.05 })],
  });
  const older = area({ at: at(30), events: [on('leeds'), on('cancelled'), event('another')] });
  const newer = area({ at: at(5), bounds: LEEDS, events: [on('leeds', { name: 'New name' })] });
  const found = eventOf([cornwall, older, newer], 'tour', NOW);
  expect(found?.events.map(({ performance_id, name }) => [performance_id, name])).toEqual([
    ['leeds', 'New name'],
    ['truro', undefined],
  ]);
  expect(found?.at).toEqual(at(60));
  expect(eventOf([older], 'nobody', NOW)).toBeNull();
  expect(eventOf([], 'tour', NOW)).toBeNull();
});

it('never calls an area quiet that was not viewed', () => {
  expect(ids([], inLeeds)).toBeNull();
  expect(ids([area({ bounds: CORNWALL })], inLeeds)).toBeNull();
  expect(ids([area({ category: 'Film', events: [] })], inLeeds)).toBeNull();
  expect(ids([area({ bounds: LEEDS, events: [] })], { ...inLeeds, bounds: YORKSHIRE })).toBeNull();
  expect(ids([area({ events: [], total: 40 })], inLeeds)).toBeNull();
  const week = { start: '2026-11-21', end: '2026-11-27' };
  const during = (dates: typeof week) => ids([area({ events: [], dates })], { ...inLeeds, dates: week });
  expect(during(week)).toEqual([]);
  expect(during({ ...week, start: '2026-11-22' })).toBeNull();
  expect(during({ ...week, end: '2026-11-26' })).toBeNull();
  expect(ids([area({ events: [] })], inLeeds)).toEqual([]);
  expect(ids([area({ at: at(8 * 24 * 60) })], inLeeds)).toBeNull();
});

it('keeps areas over a reload, at most twenty, for one session only', async () => {
  const kept = keptEvents();
  await kept.add(area());
  for (let number = 0; number < 25; number += 1) {
    const north = 50 + number / 10;
    await kept.add(
      area({
        at: at(9 - number / 10),
        bounds: { ...CORNWALL, north, south: north - 0.05 },
        events: [event(`n${number}`)],
      }),
    );
  }
  expect(everythingKept().match(/"scope"/g)).toHaveLength(20);
  expect(await keptEvents().find(inLeeds, NOW)).toBeNull(); // the oldest made room

  await kept.add(area({ at: at(0) }));
  expect((await keptEvents().find(inLeeds, NOW))?.at).toEqual(at(0));
  localStorage.setItem('clearway_scope', 'ben');
  expect(await keptEvents().find(inLeeds, NOW)).toBeNull();

  localStorage.setItem('clearway_scope', 'anna');
  await clearSnapshots();
  expect(await keptEvents().find(inLeeds, NOW)).toBeNull();
});
