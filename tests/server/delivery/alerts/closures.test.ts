import { expect, it } from 'vitest';
import { type LastSent, nextStep, without } from '../../../../server/delivery/alerts/alertNews.ts';
import { inhibited, isOpened } from '../../../../server/delivery/alerts/watchAlerts.ts';

const placed = (id: string, from_km: number | null, to_km: number | null, effect: string) => ({
  id,
  from_km,
  to_km,
  effect,
  event_type: 'road.incident',
});

it('holds a queue back only if both its ends are inside the closure', () => {
  const inside = (from: number, to: number, effect = 'queues of 3 miles') =>
    inhibited([placed('closure', 10, 20, 'closed'), placed('other', from, to, effect)]).has('other');
  expect([inside(10, 20), inside(20, 10), inside(14, 15)]).toEqual([true, true, true]);
  expect([inside(9, 15), inside(15, 21), inside(25, 15), inside(21, 22)]).toEqual([
    false,
    false,
    false,
    false,
  ]);
  expect(inside(14, 15, 'closed, queues of 3 miles')).toBe(false);
});

it('calls a closure open once its publisher says so, and never while it is closed', () => {
  const opened = (effect: string | null, title = 'M62 J26 to J27', event_type = 'road.closure') =>
    isOpened({ effect, title, event_type });
  expect([opened('reopened'), opened('queues of 3 miles'), opened('lane 1 closed')]).toEqual([
    true,
    true,
    true,
  ]);
  expect([opened('closed'), opened(null), opened('closed', 'M62: reopened one way, still closed')]).toEqual([
    false,
    false,
    false,
  ]);
  expect(opened('queues', 'Queues', 'road.congestion')).toBe(false);
  expect(opened('queues', 'M62 reopened', 'road.incident')).toBe(true);
  const own = (title: string) => opened(null, title, 'own.report');
  expect([own('A64 at Tadcaster bar: lanes reopened'), own('A64: one lane open again')]).toEqual([
    true,
    true,
  ]);
  expect([
    own('A64 closed until reopened by police'),
    own('A64 not reopened'),
    own('A64: tree down'),
  ]).toEqual([false, false, false]);
});

it('forgets that an incident was sent, and its grade, when it is no longer stored', () => {
  const sent: LastSent = { firing: ['a', 'b'], severities: { a: 'high', b: 'low' }, sent_at: 1, repeats: 2 };
  expect(without(sent, ['a'])).toEqual({ firing: ['b'], severities: { b: 'low' }, sent_at: 1, repeats: 2 });
});

it('an alert that began by a clock that is hours ahead does not wait for it', () => {
  const one = { id: 'a', severity: 'high', urgent_at: null, isBlind: false, isAcknowledged: false } as const;
  const step = (since: number) => nextStep(null, [{ ...one, since, isOver: false, held: null }], 1000).kind;
  expect([step(1000), step(1000 + 5 * 3_600_000)]).toEqual(['wait', 'send']);
});
