import { expect, it } from 'vitest';
import { endText, startText } from '../../../../../src/screens/map/events/eventWords.ts';

it.each([
  [
    'a time',
    '2027-06-05T18:30:00.000Z',
    '2027-06-05T20:30:00.000Z',
    '5 Jun 2027, 19:30',
    '5 Jun 2027, 21:30',
  ],
  ['a time without an end', '2027-06-05T18:30:00.000Z', null, '5 Jun 2027, 19:30', ''],
  ['a whole day', '2027-06-04T23:00:00.000Z', '2027-06-05T22:59:00.000Z', '5 Jun 2027', ''],
  ['two whole days', '2026-12-05T00:00:00.000Z', '2026-12-06T23:59:00.000Z', '5 Dec 2026', '6 Dec 2026'],
  ['no time', null, null, '', ''],
])('words %s', (_, start_datetime, end_datetime, start, end) => {
  const times = { start_datetime, end_datetime };
  expect([startText(times), endText(times)]).toEqual([start, end]);
});
