import { beforeEach, expect, it } from 'vitest';
import {
  alarmIsNew,
  criticalIsNew,
  isQuiet,
  noteRows,
  useBoardNews,
} from '../../../../src/feeds/refresh/boardNews.ts';
import { alert, minutesBefore, planned, row, START } from '../../screens/board/boardServer.ts';

const NOW = START.getTime();
const MINUTE = 60_000;
const news = () => useBoardNews.getState();
const rows = (...alerts: ReturnType<typeof alert>[]) => [row('rail-network', alerts)];
const critical = (minutesOld: number) =>
  alert('c', { severity: 'critical', updated_at: minutesBefore(minutesOld) });

beforeEach(() => useBoardNews.setState(useBoardNews.getInitialState(), true));

it('is quiet while nothing is critical and nothing has changed for a minute', () => {
  noteRows(rows(alert('a')), false, NOW);
  expect(isQuiet(news(), NOW)).toBe(true);
  noteRows(rows(alert('b')), true, NOW);
  expect(isQuiet(news(), NOW + MINUTE - 1)).toBe(false);
  expect(isQuiet(news(), NOW + MINUTE)).toBe(true);
});

it('counts a critical alert as new for 10 minutes after it came to this board', () => {
  noteRows(rows(), false, NOW);
  noteRows(rows(critical(300)), true, NOW + MINUTE);
  expect(criticalIsNew(news(), NOW + 11 * MINUTE - 1)).toBe(true);
  expect(criticalIsNew(news(), NOW + 11 * MINUTE)).toBe(false);
});

it('uses the publisher’s time for its age when the page has only just been opened', () => {
  noteRows(rows(critical(9)), false, NOW);
  expect(criticalIsNew(news(), NOW)).toBe(true);
  expect(criticalIsNew(news(), NOW + MINUTE)).toBe(false);
});

it('does not treat a changed time as a new alert', () => {
  noteRows(rows(critical(30)), false, NOW);
  noteRows(rows(critical(-5)), true, NOW + 5 * MINUTE);
  expect(criticalIsNew(news(), NOW + 5 * MINUTE)).toBe(false);
});

it('is not held up for ever by a clock that was set back, nor by planned or ended alerts', () => {
  noteRows(rows(alert('a')), true, NOW);
  expect(isQuiet(news(), NOW - 60 * MINUTE)).toBe(true);
  noteRows(rows(critical(1)), true, NOW);
  noteRows(rows(planned('p', { severity: 'critical' })), false, NOW);
  expect(criticalIsNew(news(), NOW)).toBe(false);
});

it('keeps the time at which each alert came, whatever its publisher says of it later', () => {
  const came = () => [...news().came].map(([id, at]) => [id, (at - NOW) / MINUTE]);
  const old = (id: string, minutes: number) => alert(id, { start_time: minutesBefore(minutes) });
  noteRows(rows(old('a', 30), old('b', -5), planned('p')), false, NOW);
  expect(came()).toEqual([
    ['a', -30],
    ['b', 0],
  ]);
  noteRows(rows(old('a', 3), old('c', 30)), true, NOW + MINUTE);
  expect(came()).toEqual([
    ['a', -30],
    ['c', 1],
  ]);
});

it('takes a time ahead of the clock for now, and is alarmed once by one alert', () => {
  noteRows(rows(critical(-5)), false, NOW);
  expect(criticalIsNew(news(), NOW + 10 * MINUTE - 1)).toBe(true);
  noteRows(rows(critical(-10)), true, NOW + 10 * MINUTE);
  expect([criticalIsNew, alarmIsNew].map((isNew) => isNew(news(), NOW + 10 * MINUTE))).toEqual([
    false,
    false,
  ]);
  const high = { severity: 'high' as const };
  noteRows(rows(alert('h', high), planned('p', high)), true, NOW + 20 * MINUTE);
  expect([...news().alarms.keys()]).toEqual(['h']);
  expect(criticalIsNew(news(), NOW + 20 * MINUTE)).toBe(false);
});

it('is alarmed by a new or worse alert only if it is high or critical', () => {
  const since = (minutes: number) => ({
    direction: 'worse' as const,
    since: minutesBefore(minutes),
    change: '',
  });
  const high = (minutesOld: number, trend?: ReturnType<typeof since>) =>
    rows(alert('h', { severity: 'high', updated_at: minutesBefore(minutesOld), trend }));
  noteRows(high(30), false, NOW);
  expect(alarmIsNew(news(), NOW)).toBe(false);
  noteRows(high(30, since(9)), false, NOW);
  expect(alarmIsNew(news(), NOW)).toBe(true);
  expect(alarmIsNew(news(), NOW + MINUTE)).toBe(false);
  noteRows(rows(alert('m')), true, NOW);
  expect(alarmIsNew(news(), NOW)).toBe(false);
});
