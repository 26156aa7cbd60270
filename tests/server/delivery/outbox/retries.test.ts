/** When what did not arrive is tried again, and how long an address rests. */
import { expect, it } from 'vitest';
import { nextTry, restUntil } from '../../../../server/delivery/outbox/retries.ts';

const NOW = new Date('2026-11-21T09:00:00.000Z');
const HOOK = { kind: 'webhook' } as const;
const DEVICE = { kind: 'device' } as const;
const seconds = (time: Date | null) => (time === null ? null : (time.getTime() - NOW.getTime()) / 1000);
const answered = (status: number | null, afterMs: number | null = null) => ({ status, afterMs });
const middle = () => 0.5;

it('posts again after 5 seconds, 5 and 30 minutes and 2 hours, each a fifth more or less, then no more', () => {
  const after = (tries: number, random = middle) => seconds(nextTry(HOOK, tries, answered(500), NOW, random));
  expect([1, 2, 3, 4, 5].map((tries) => after(tries))).toEqual([5, 300, 1800, 7200, null]);
  expect([after(1, () => 0), after(1, () => 1)]).toEqual([4, 6]);
});

it('tries a device after half a minute, 2 and 8 minutes, and every 8 from then on', () => {
  const after = (tries: number) => seconds(nextTry(DEVICE, tries, answered(503), NOW, middle));
  expect([1, 2, 3, 4, 9].map(after)).toEqual([30, 120, 480, 480, 480]);
});

it('waits as long as it is asked to, and never less than it would', () => {
  const after = (afterMs: number) => seconds(nextTry(HOOK, 2, answered(429, afterMs), NOW, middle));
  expect([after(0), after(299_000), after(900_000)]).toEqual([300, 300, 900]);
});

it('an address rests only where it asks for that, for 5 seconds at least and six hours at most', () => {
  const rest = (
    status: number | null,
    afterMs: number | null = null,
    channel: typeof HOOK | typeof DEVICE = HOOK,
  ) => seconds(restUntil(channel, answered(status, afterMs), NOW));
  expect([rest(429), rest(502), rest(504)]).toEqual([5, 5, 5]);
  expect([rest(500, 60_000), rest(503, 60_000), rest(400), rest(null, 60_000)]).toEqual([
    null,
    null,
    null,
    null,
  ]);
  expect(rest(429, 60_000, DEVICE)).toBeNull();
  expect([rest(429, 0), rest(429, 60_000), rest(429, 7 * 24 * 3_600_000)]).toEqual([5, 60, 6 * 3600]);
});
