import { expect, it } from 'vitest';
import { TELL_ME } from '#contract/watches/tellMe.ts';
import { type Told, tellSentence } from '../../../../../src/screens/watches/detail/Tell.tsx';

const told = (name: string, more: Partial<Told> = {}): Told => ({
  name,
  threshold: null,
  alerts: true,
  digest: true,
  ...more,
});
const WEEKDAYS = { days: 0b0011111, from: '06:00', to: '20:00' };
const HIGH = { ...TELL_ME, threshold: 'high' as const };

it.each([
  [
    [told('Rosa'), told('#ops'), told('Sam', { threshold: 'critical' })],
    HIGH,
    WEEKDAYS,
    'Rosa and #ops are told at once of certain high and critical, Sam of critical, Mon to Fri 06:00–20:00; the rest at 06:00.',
  ],
  [[told('Rosa')], TELL_ME, null, 'Rosa is told at once of certain critical; the rest at 06:00.'],
  // An own setting can only be stricter.
  [
    [told('Sam', { threshold: 'low' })],
    TELL_ME,
    null,
    'Sam is told at once of certain critical; the rest at 06:00.',
  ],
  [
    [told('Rosa', { digest: false })],
    HIGH,
    null,
    'Rosa is told at once of certain high and critical; the rest is only shown here.',
  ],
  [
    [told('Rosa')],
    { ...HIGH, possible: 'no' as const },
    null,
    'Rosa is told at once of certain high and critical; the rest at 06:00, possible ones not at all.',
  ],
  [
    [told('Rosa'), told('Yard', { alerts: false })],
    { ...HIGH, threshold: 'nothing' as const },
    null,
    'Nobody is told: it is only shown here.',
  ],
  [
    [told('Rosa', { alerts: false }), told('Yard', { alerts: false })],
    HIGH,
    null,
    'Rosa and Yard are told everything at 06:00, and nothing at once.',
  ],
  [[], HIGH, null, 'Nobody is told: it is only shown here.'],
  [
    ['A', 'B', 'C', 'D', 'E'].map((name) => told(name)),
    HIGH,
    null,
    'A, B, C and 2 more are told at once of certain high and critical; the rest at 06:00.',
  ],
])('says who gets what, and when (%#)', (people, notify, when, words) => {
  expect(tellSentence(people, notify, when)).toBe(words);
});

it('says the time of the chosen digest', () => {
  expect(tellSentence([told('Rosa')], HIGH, null, '06:00 and 14:00')).toContain(
    'the rest at 06:00 and 14:00.',
  );
});
