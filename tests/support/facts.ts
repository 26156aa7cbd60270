import type { Facts } from '#contract/incidents/facts.ts';

/** Facts read from an incident: these, and no others. */
export const factsOf = (read: Partial<Facts> = {}): Facts => ({
  place: null,
  effect: null,
  cause: null,
  advice: [],
  expected_clear: null,
  expected_clear_from: null,
  lanes: null,
  delay_minutes: null,
  roads: [],
  aside: [],
  stretch: [],
  direction: null,
  slip: null,
  closed: 'unknown',
  ...read,
});
