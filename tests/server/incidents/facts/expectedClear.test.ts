import { describe, expect, it } from 'vitest';
import { expectedClear } from '../../../../server/incidents/facts/expectedClear.ts';

const read = (words: string, written = '2026-11-20T09:00:00.000Z', source = 'traffic-scotland') =>
  expectedClear(source, { end_time: null, updated_at: written, start_time: null }, [words])?.at ?? null;

describe('until when, in the publisher’s words', () => {
  it.each([
    ['Disruption is expected until 13:00', '2026-11-20T13:00:00.000Z'],
    ['Expected to clear by 11:00.', '2026-11-20T11:00:00.000Z'],
    ['The road is closed until about 15.30', '2026-11-20T15:30:00.000Z'],
    ['Closed until 3pm', '2026-11-20T15:00:00.000Z'],
    [
      'It was closed from 9pm on Monday to 5am on Tuesday. It is closed now until 10:30.',
      '2026-11-20T10:30:00.000Z',
    ],
    ['The road reopened at 08:30. Long queues', '2026-11-20T08:30:00.000Z'],
    ['The lorry was recovered at 08:30 and both lanes are running', '2026-11-20T08:30:00.000Z'],
    ['Closed until 12:15am', '2026-11-21T00:15:00.000Z'],
    ['Closed until midnight', '2026-11-21T00:00:00.000Z'],
    ['Closed until noon', '2026-11-20T12:00:00.000Z'],
    ['Closed until 1530hrs', '2026-11-20T15:30:00.000Z'],
    [
      'The event is expected to clear between 11:00 and 11:15 on 20 November 2026',
      '2026-11-20T11:15:00.000Z',
    ],
    ['Normal traffic conditions are expected between 11:00 and 11:15', '2026-11-20T11:15:00.000Z'],
    ['The lines will reopen at 16:00', '2026-11-20T16:00:00.000Z'],
    ['Closed until 06:00 tomorrow', '2026-11-21T06:00:00.000Z'],
    ['Closed until 06:00 on Monday', '2026-11-23T06:00:00.000Z'],
    ['Closed until 06:00 on Monday 23 November', '2026-11-23T06:00:00.000Z'],
    ['Closed until 09:00 on 2 January', '2027-01-02T09:00:00.000Z'],
  ])('%s', (words, at) => {
    expect(read(words)).toBe(at);
  });

  it('means the day in London, also in the hour after its midnight in summer', () => {
    const halfPastMidnight = '2026-07-14T23:30:00.000Z'; // the 15th in London
    expect(read('Closed until 06:00', halfPastMidnight)).toBe('2026-07-15T05:00:00.000Z');
    expect(read('Closed until 06:00 tomorrow', halfPastMidnight)).toBe('2026-07-16T05:00:00.000Z');
    expect(read('Closed until 06:00 on Wednesday', halfPastMidnight)).toBe('2026-07-15T05:00:00.000Z');
  });

  it.each([
    'Closed until further notice',
    'The fire was put out at 08:30',
    'Debris cleared at 08:30. Long queues',
    'Normal working resumed at 08:30 on the up line. No trains on the down line.',
    'A person was released from the car at 08:10. The road is closed.',
    'The cordon was lifted at 08:30. The A1 is shut southbound.',
    'Disruption is expected until the end of the day',
    'Buses replace trains until Friday 27 November',
    'Tickets are accepted on buses until 13:00',
    'Closed until at least 13:00',
    'The road will not reopen before 13:00',
    'Collision at 13:00',
    'Closed until 27:00',
    'Closed until 31 November 10:00',
    'Closed until 10:00 on 31 February',
    'Closed until 10:00 on 3 February 9999',
    'Closed until 13:0',
    'Delays of 20 minutes',
  ])('says nothing of %s', (words) => {
    expect(read(words)).toBeNull();
  });

  it('takes the day of the writing, and the next one if the time was long past', () => {
    expect(read('Closed until 13:00', '2026-11-20T14:00:00.000Z')).toBe('2026-11-20T13:00:00.000Z');
    expect(read('Closed until 06:00', '2026-11-20T20:00:00.000Z')).toBe('2026-11-21T06:00:00.000Z');
    expect(read('Closed until 09:00 on 28 December', '2027-01-02T09:00:00.000Z')).toBe(
      '2026-12-28T09:00:00.000Z',
    );
  });

  it('reads London’s clock, also on the nights of its changes', () => {
    expect(read('Closed until 13:00', '2026-07-20T09:00:00.000Z')).toBe('2026-07-20T12:00:00.000Z');
    // Written at half past midnight in London, half an hour before midnight in UTC.
    expect(read('Closed until 06:00', '2026-07-20T23:30:00.000Z')).toBe('2026-07-21T05:00:00.000Z');
    // Forward: 29 March 2026, 01:00 to 02:00.
    expect(read('Closed until 06:00', '2026-03-28T22:00:00.000Z')).toBe('2026-03-29T05:00:00.000Z');
    expect(read('Closed until 01:30', '2026-03-28T22:00:00.000Z')).toBe('2026-03-29T01:30:00.000Z');
    // Back: 25 October 2026, 02:00 to 01:00.
    expect(read('Closed until 06:00', '2026-10-24T22:00:00.000Z')).toBe('2026-10-25T06:00:00.000Z');
    expect(read('Closed until 01:30', '2026-10-24T22:00:00.000Z')).toBe('2026-10-25T00:30:00.000Z');
    expect(read('Closed until 06:00', '2026-10-25T00:30:00.000Z')).toBe('2026-10-25T06:00:00.000Z');
  });

  it('prefers the record’s own end, unless it is our own limit for a story', () => {
    const record = {
      end_time: '2026-11-20T20:00:00.000Z',
      updated_at: '2026-11-20T09:00:00.000Z',
      start_time: null,
    };
    expect(expectedClear('national-highways', record, ['until 13:00'])).toEqual({
      at: record.end_time,
      from: 'end_time',
    });
    expect(expectedClear('news-rss', record, ['until 13:00'])).toEqual({
      at: '2026-11-20T13:00:00.000Z',
      from: 'words',
    });
    expect(expectedClear('met-police', record, ['M62 closed'])).toBeNull();
  });

  it('cannot tell the day without the time of writing, and leaves high water alone', () => {
    expect(
      expectedClear('tfl', { end_time: null, updated_at: null, start_time: null }, ['until 13:00']),
    ).toBeNull();
    expect(read('Flooding is expected until 13:00', '2026-11-20T09:00:00.000Z', 'ea-flood')).toBeNull();
  });
});
