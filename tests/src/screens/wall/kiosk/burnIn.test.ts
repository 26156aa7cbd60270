import { expect, it } from 'vitest';
import type { BoardNews } from '../../../../../src/feeds/refresh/boardNews.ts';
import { panelAt } from '../../../../../src/screens/wall/kiosk/screenCare.ts';

const CALM: BoardNews = { changedAt: null, criticals: new Map(), alarms: new Map(), came: new Map() };
const MINUTE = 60_000;
const at = (time: string) => new Date(time);
const critical = (time: string, minutesAgo: number): BoardNews => ({
  ...CALM,
  criticals: new Map([['c', at(time).getTime() - minutesAgo * MINUTE]]),
});

it('drifts through twelve points on a circle of 6 units, one every three minutes', () => {
  const start = at('2026-11-21T12:00:00Z').getTime();
  const points = Array.from({ length: 12 }, (_, step) => panelAt(new Date(start + step * 3 * MINUTE), CALM));
  expect(new Set(points.map(({ ox, oy }) => `${ox} ${oy}`)).size).toBe(12);
  for (const { ox, oy } of points) expect(Math.hypot(ox, oy)).toBeCloseTo(6, 1);

  const [first, second] = points;
  expect(panelAt(new Date(start + 3 * MINUTE - 1), CALM)).toMatchObject({ ox: first!.ox, oy: first!.oy });
  expect(Math.hypot(first!.ox - second!.ox, first!.oy - second!.oy)).toBeLessThan(3.2);
});

it('reverses the polarity of the plates each hour', () => {
  const plates = [11, 12, 13].map((hour) => panelAt(at(`2026-11-21T${hour}:30:00Z`), CALM).plates);
  expect(plates[0]).not.toBe(plates[1]);
  expect(plates[2]).toBe(plates[0]);
});

it.each([
  ['2026-11-21T21:59:59Z', false],
  ['2026-11-21T22:00:00Z', true],
  ['2026-11-22T05:59:59Z', true],
  ['2026-11-22T06:00:00Z', false],
  // London's summer: an hour ahead of UTC.
  ['2026-07-01T20:59:59Z', false],
  ['2026-07-01T21:00:00Z', true],
  ['2026-07-02T04:59:59Z', true],
  ['2026-07-02T05:00:00Z', false],
])('at %s the wall is dimmed: %s', (time, dimmed) => {
  expect(panelAt(at(time), CALM).night).toBe(dimmed);
});

it('is as bright as by day while a critical alert is newer than 10 minutes', () => {
  const time = '2026-11-22T01:00:00Z';
  expect(panelAt(at(time), critical(time, 9)).night).toBe(false);
  expect(panelAt(at(time), critical(time, 10)).night).toBe(true);
});

it('is as bright as by day for 10 minutes after a high alert came or got worse', () => {
  const time = '2026-11-22T01:00:00Z';
  const alarm = (minutesAgo: number): BoardNews => ({
    ...CALM,
    alarms: critical(time, minutesAgo).criticals,
  });
  expect(panelAt(at(time), alarm(9)).night).toBe(false);
  expect(panelAt(at(time), alarm(10)).night).toBe(true);
});

it('exercises the panel for a minute at 04:00 in London, unless something is critical', () => {
  const shape = (time: string, news = CALM) => {
    const { inverted, flapsTurn, night } = panelAt(at(time), news);
    return { inverted, flapsTurn, night };
  };
  expect(shape('2026-11-22T03:59:59Z')).toEqual({ inverted: false, flapsTurn: false, night: true });
  expect(shape('2026-11-22T04:00:00Z')).toEqual({ inverted: true, flapsTurn: true, night: false });
  expect(shape('2026-11-22T04:00:59Z')).toEqual({ inverted: true, flapsTurn: false, night: false });
  expect(shape('2026-11-22T04:01:00Z')).toEqual({ inverted: false, flapsTurn: false, night: true });
  expect(shape('2026-07-02T03:00:30Z').inverted).toBe(true);

  const old = critical('2026-11-22T04:00:00Z', 300);
  expect(shape('2026-11-22T04:00:00Z', old)).toEqual({ inverted: false, flapsTurn: false, night: true });
});
