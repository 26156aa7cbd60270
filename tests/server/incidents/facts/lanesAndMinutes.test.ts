import { expect, it } from 'vitest';
import { delayIn, lanesIn } from '../../../../server/incidents/facts/lanesAndMinutes.ts';

it.each([
  ['Delays of up to 20 minutes', 20],
  ['Delays; a 10 minute walk to the next stop', null],
  ['Delays; the replacement bus has a 15 minute frequency', null],
  ['Delays of 25 minutes; the bus stop is a 10 minute walk away', 25],
  ['Journeys take an hour longer', 60],
  ['Delays until 10:30 min fare applies', null],
])('the delay in “%s” is %s minutes', (words, minutes) => {
  expect(delayIn(words)?.most ?? null).toBe(minutes);
});

it.each([
  ['Delays of 25 minutes.', 25, 25],
  ['Expect delays of up to 40 minutes.', 0, 40],
  ['Delays of 20 to 30 minutes.', 20, 30],
  ['Delays of 20-30 mins on the A1.', 20, 30],
  ['Delays of between 45 and 60 minutes.', 45, 60],
  ['Trains may be delayed by up to an hour.', 0, 60],
  ['Delays of at least 30 minutes.', 30, 30],
  ['Delays of up to two hours.', 0, 120],
])('%s: %i to %i minutes', (words, least, most) => {
  expect(delayIn(words)).toEqual({ least, most });
});

it.each([
  ['two lanes of five closed', 2, 5],
  ['closed: two of five lanes', 2, 5],
  ['two out of five lanes are closed', 2, 5],
  ['lanes 1 to 3 of 5 shut', 3, 5],
  ['lanes 1-3 (of 5) closed', 3, 5],
  ['lanes 1 and 2 of 4 closed', 2, 4],
  ['two lanes shut', 2, null],
])('%s: %i of %s lanes', (words, closed, of) => {
  expect(lanesIn(words)).toEqual({ closed, of });
});
