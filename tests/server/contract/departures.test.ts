import { describe, expect, it } from 'vitest';
import {
  crowdTimes,
  hoursFrom,
  inForce,
  londonInstant,
  meets,
  nextTrip,
  reachedAt,
  runsOn,
  tripOn,
  tripSpan,
  wholeDay,
} from '#contract/departures.ts';
import type { Departure } from '#contract/watches.ts';

const departure = (fields: Partial<Departure> = {}): Departure => ({
  id: 'd1',
  name: null,
  at_local: '06:10',
  days: 0b1111111,
  from_date: null,
  to_date: null,
  except: [],
  duration_min: 240,
  ...fields,
});

describe('a time on London’s clock', () => {
  it.each([
    ['2026-11-22', '06:10', '2026-11-22T06:10:00.000Z'],
    ['2026-07-01', '06:10', '2026-07-01T05:10:00.000Z'],
    ['2026-07-01', '00:10', '2026-06-30T23:10:00.000Z'],
    // The clocks go back: 01:30 comes twice, and the first is meant.
    ['2026-10-25', '01:30', '2026-10-25T00:30:00.000Z'],
    ['2026-10-25', '02:30', '2026-10-25T02:30:00.000Z'],
    // The clocks go forward: there is no 01:30, and the coach leaves at 02:30.
    ['2026-03-29', '01:30', '2026-03-29T01:30:00.000Z'],
    ['2026-03-29', '02:30', '2026-03-29T01:30:00.000Z'],
  ])('on %s at %s is %s', (day, clock, instant) => {
    expect(londonInstant(day, clock).toISOString()).toBe(instant);
  });

  it.each([
    ['2026-03-29', 23],
    ['2026-11-22', 24],
    ['2026-10-25', 25],
  ])('makes the day %s %i hours long', (day, hours) => {
    const { from, to } = wholeDay(day);
    expect((to - from) / 3_600_000).toBe(hours);
  });
});

describe('a departure', () => {
  it.each([
    ['its weekday', { days: 0b0000001 }, '2026-11-23', true],
    ['another weekday', { days: 0b0000001 }, '2026-11-22', false],
    ['Sunday', { days: 0b1000000 }, '2026-11-22', true],
    ['before its first day', { from_date: '2026-11-23' }, '2026-11-22', false],
    ['its last day', { to_date: '2026-11-22' }, '2026-11-22', true],
    ['after its last day', { to_date: '2026-11-22' }, '2026-11-23', false],
    [
      'the last day of a holiday',
      { except: [{ from: '2026-12-19', to: '2027-01-04' }] },
      '2027-01-04',
      false,
    ],
    ['the day after it', { except: [{ from: '2026-12-19', to: '2027-01-04' }] }, '2027-01-05', true],
  ])('on %s', (_, fields, day, runs) => {
    expect(runsOn(departure(fields), day)).toBe(runs);
  });

  it('is the next until its minute has passed, then it is tomorrow’s', () => {
    const next = (now: string) => nextTrip([departure()], 320, new Date(now))?.leaves.toISOString();

    expect(next('2026-11-22T06:10:59Z')).toBe('2026-11-22T06:10:00.000Z');
    expect(next('2026-11-22T06:11:00Z')).toBe('2026-11-23T06:10:00.000Z');
  });

  it('is the earliest of several, and found after the holidays', () => {
    const holidays = { except: [{ from: '2026-11-01', to: '2027-01-04' }] };
    const trip = nextTrip(
      [departure({ id: 'late', at_local: '09:00', ...holidays }), departure({ id: 'early', ...holidays })],
      320,
      new Date('2026-11-22T05:00:00Z'),
    );

    expect(trip).toMatchObject({ departure_id: 'early', leaves: new Date('2027-01-05T06:10:00Z') });
  });

  it('is none when its last day has passed', () => {
    const past = departure({ to_date: '2026-01-01' });

    expect(nextTrip([past], 320, new Date('2026-11-22T05:00:00Z'))).toBeNull();
  });

  it('takes as long as guessed where nobody says', () => {
    const trip = tripOn(departure({ duration_min: null }), '2026-11-22', 320);

    expect(trip.arrives.toISOString()).toBe('2026-11-22T10:10:00.000Z');
  });

  it('reaches a kilometre in proportion, and never before it leaves or after it arrives', () => {
    const trip = tripOn(departure(), '2026-11-22', 320);
    const clock = (km: number) => reachedAt(trip, km).toISOString().slice(11, 16);

    expect([-1, 0, 20, 320, 400].map(clock)).toEqual(['06:10', '06:10', '06:25', '10:10', '10:10']);
  });
});

describe('what a departure meets', () => {
  const trip = tripOn(departure(), '2026-11-22', 320); // km 160 at 08:10
  const touched = (from: string, to: string) =>
    meets(tripSpan(trip, 160, 160), {
      from: Date.parse(`2026-11-22T${from}Z`),
      to: Date.parse(`2026-11-22T${to}Z`),
    });

  it.each([
    ['05:00', '07:54', false],
    ['05:00', '07:55', false], // over at the very minute
    ['05:00', '07:56', true],
    ['08:54', '12:00', true],
    ['08:55', '12:00', false],
  ])('in force %s to %s', (from, to, expected) => {
    expect(touched(from, to)).toBe(expected);
  });

  it('is anything on its way where the place is not known', () => {
    expect(tripSpan(trip, null, null)).toEqual({
      from: Date.parse('2026-11-22T05:55Z'),
      to: Date.parse('2026-11-22T10:55Z'),
    });
  });
});

describe('when an incident is in force', () => {
  const now = new Date('2026-11-22T06:00:00Z');
  const times = { start_time: '2026-11-22T08:00:00Z', end_time: '2026-11-22T09:00:00Z' };

  it('is from now on for an active one without an end, or past its end and still listed', () => {
    expect(inForce({ start_time: null, end_time: null }, false, now).to).toBe(Infinity);
    expect(inForce({ ...times, end_time: '2026-11-22T05:00:00Z' }, false, now).to).toBe(Infinity);
  });

  it('is until its end for an active one', () => {
    const span = inForce(times, false, now);

    expect(meets(span, hoursFrom(now, 2))).toBe(true);
    expect(meets(span, hoursFrom(new Date('2026-11-22T09:00:00Z'), 2))).toBe(false);
  });

  it('is its own time for a planned one: now, if it begins within two hours', () => {
    const span = inForce(times, true, now);

    expect(meets(span, hoursFrom(now, 2))).toBe(false);
    expect(meets(span, hoursFrom(new Date('2026-11-22T06:01:00Z'), 2))).toBe(true);
  });
});

it('has crowds before and after an event, three hours after its start where its end is not known', () => {
  const spans = crowdTimes({ start_datetime: '2026-11-22T15:00:00Z', end_datetime: null });
  const clock = (ms: number) => new Date(ms).toISOString().slice(11, 16);

  expect(spans.map(({ from, to }) => `${clock(from)} to ${clock(to)}`)).toEqual([
    '13:00 to 15:30',
    '17:30 to 19:30',
  ]);
});
