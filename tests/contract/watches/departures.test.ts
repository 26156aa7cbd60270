import { describe, expect, it } from 'vitest';
import {
  concerned,
  countingTrips,
  crowdTimes,
  hoursFrom,
  inForce,
  isUnderWay,
  judgedTrips,
  liesAhead,
  mayBeBehind,
  londonInstant,
  meets,
  metAt,
  nextTrip,
  reachedAt,
  runsOn,
  spanAhead,
  tripOn,
  tripSpan,
  wholeDay,
} from '#contract/watches/departures.ts';
import type { Departure } from '#contract/watches/watches.ts';
import type { Span } from '#contract/incidents/windows.ts';

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
    ['its first day', { from_date: '2026-11-22' }, '2026-11-22', true],
    ['its last day', { to_date: '2026-11-22' }, '2026-11-22', true],
    ['after its last day', { to_date: '2026-11-22' }, '2026-11-23', false],
    [
      'the last day of a holiday',
      { except: [{ from: '2026-12-19', to: '2027-01-04' }] },
      '2027-01-04',
      false,
    ],
    ['the day after it', { except: [{ from: '2026-12-19', to: '2027-01-04' }] }, '2027-01-05', true],
    ['the day before it', { except: [{ from: '2026-12-19', to: '2027-01-04' }] }, '2026-12-18', true],
    ['the first day of it', { except: [{ from: '2026-12-19', to: '2027-01-04' }] }, '2026-12-19', false],
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

  it('takes a guessed time if nobody gives one', () => {
    const arrives = (duration_min: number | null) =>
      tripOn(departure({ duration_min }), '2026-11-22', 320).arrives.toISOString();

    expect(arrives(null)).toBe('2026-11-22T10:10:00.000Z');
    expect(arrives(300)).toBe('2026-11-22T11:10:00.000Z');
  });

  it('is looked for over 400 days', () => {
    const once = (day: string) => departure({ from_date: day, to_date: day });
    const next = (day: string) => nextTrip([once(day)], 320, new Date('2026-11-22T05:00:00Z'));

    expect(next('2027-12-26')?.leaves.toISOString()).toBe('2027-12-26T06:10:00.000Z');
    expect(next('2027-12-27')).toBeNull();
  });

  it('reaches a kilometre in proportion, and never before it leaves or after it arrives', () => {
    const trip = tripOn(departure(), '2026-11-22', 320);
    const clock = (km: number) => reachedAt(trip, km).toISOString().slice(11, 16);

    expect([-1, 0, 20, 320, 400].map(clock)).toEqual(['06:10', '06:10', '06:25', '10:10', '10:10']);
    expect(reachedAt({ ...trip, length_km: 0 }, 0)).toEqual(trip.leaves);
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

  it('is anything on its way if the place is not known', () => {
    expect(tripSpan(trip, null, null)).toEqual({
      from: Date.parse('2026-11-22T05:55Z'),
      to: Date.parse('2026-11-22T10:55Z'),
    });
  });
});

describe('when an incident is in force', () => {
  const now = new Date('2026-11-22T06:00:00Z');
  const times = { start_time: '2026-11-22T08:00:00Z', end_time: '2026-11-22T09:00:00Z' };

  it('is from now on for an active one that has no end, or is past its end and still listed', () => {
    const onlySpan = [{ from: -Infinity, to: Infinity }];
    expect(inForce({ start_time: null, end_time: null }, false, now)).toEqual(onlySpan);
    expect(inForce({ ...times, end_time: '2026-11-22T05:00:00Z' }, false, now)).toEqual(onlySpan);
    expect(inForce({ ...times, end_time: now.toISOString() }, false, now)).toEqual(onlySpan);
  });

  it('is until its end for an active one', () => {
    const span = inForce(times, false, now)[0]!;

    expect(meets(span, hoursFrom(now, 2))).toBe(true);
    expect(meets(span, hoursFrom(new Date('2026-11-22T09:00:00Z'), 2))).toBe(false);
  });

  it('is its own time for a planned one: now, if it begins within two hours', () => {
    const span = inForce(times, true, now)[0]!;

    expect(meets(span, hoursFrom(now, 2))).toBe(false);
    expect(meets(span, hoursFrom(new Date('2026-11-22T06:01:00Z'), 2))).toBe(true);
  });

  it('is only in its windows, if it has any, until they are over', () => {
    const nightly = {
      start: '2026-11-20T20:00:00Z',
      end: '2026-11-25T06:00:00Z',
      from: '20:00',
      to: '06:00',
    };
    const incident = { start_time: nightly.start, end_time: null, windows: [nightly] };
    const isMet = (at: string, when = now) =>
      inForce(incident, false, when).some((span) => meets(span, hoursFrom(new Date(at), 2)));

    expect(isMet('2026-11-22T21:00:00Z')).toBe(true);
    expect(isMet('2026-11-22T07:00:00Z')).toBe(false);
    // The last one no longer counts at the very moment when it is over.
    const { end } = nightly;
    expect(inForce(incident, false, new Date(Date.parse(end) - 1)).at(-1)?.to).toBe(Date.parse(end));
    expect(inForce(incident, false, new Date(end))).toEqual([{ from: -Infinity, to: Infinity }]);
    // It is still listed when all its nights are over: its publisher knows more than its words said.
    expect(isMet('2026-11-25T09:00:00Z', new Date('2026-11-25T08:00:00Z'))).toBe(true);
  });
});

it('has crowds before and after an event, three hours after its start if its end is not known', () => {
  const spans = crowdTimes({ start_datetime: '2026-11-22T15:00:00Z', end_datetime: null });
  const clock = (ms: number) => new Date(ms).toISOString().slice(11, 16);

  expect(spans.map(({ from, to }) => `${clock(from)} to ${clock(to)}`)).toEqual([
    '13:00 to 15:30',
    '17:30 to 19:30',
  ]);
  expect(crowdTimes({ start_datetime: null, end_datetime: '2026-11-22T18:00:00Z' })).toEqual([]);
});

describe('the vehicles that count', () => {
  const leaving = (departures: Departure[], now: string, rule = countingTrips) =>
    rule(departures, 320, new Date(now)).map(({ leaves }) => leaves.toISOString().slice(5, 16));

  it.each([
    ['04:09:59', false], // more than two hours before
    ['04:10:00', true],
    ['06:11:00', true], // on the way
    ['10:09:59', true],
    ['10:10:00', false], // it has arrived
  ])('at %s: %s', (clock, counts) => {
    expect(leaving([departure()], `2026-11-22T${clock}Z`)).toEqual(counts ? ['11-22T06:10'] : []);
  });

  it('are all on the way, by the time at which they left, and those that leave soon', () => {
    const clocks = ['09:00', '06:10', '12:01', '07:30', '11:59', '05:00'];
    const all = clocks.map((at_local) => departure({ id: at_local, at_local }));

    expect(leaving(all, '2026-11-22T10:00:00Z')).toEqual([
      '11-22T06:10',
      '11-22T07:30',
      '11-22T09:00',
      '11-22T11:59',
    ]);
  });

  it('are on the way past midnight, and for two days', () => {
    const night = departure({ at_local: '23:30', days: 0b1000000 }); // Sundays, 22 November
    const long = departure({ at_local: '06:10', days: 0b1000000, duration_min: 2880 });

    expect(leaving([night], '2026-11-23T03:29:00Z')).toEqual(['11-22T23:30']);
    expect(leaving([night], '2026-11-23T03:30:00Z')).toEqual([]);
    expect(leaving([long], '2026-11-24T06:09:00Z')).toEqual(['11-22T06:10']);
    expect(leaving([long], '2026-11-24T06:10:00Z')).toEqual([]);
    const guessed = { ...night, duration_min: null };
    expect(leaving([guessed], '2026-11-23T03:29:00Z')).toEqual(['11-22T23:30']);
  });

  it('count from the evening before if they leave soon after midnight', () => {
    const early = departure({ at_local: '00:30', days: 0b0000001 }); // Mondays

    expect(leaving([early], '2026-11-22T22:29:00Z')).toEqual([]);
    expect(leaving([early], '2026-11-22T22:30:00Z')).toEqual(['11-23T00:30']);
  });

  it.each([
    // 00:30 to 03:30 by the clock is four hours.
    ['2026-10-24T23:30:00Z', ['10-24T23:30']],
    ['2026-10-25T03:29:00Z', ['10-24T23:30']],
    ['2026-10-25T03:30:00Z', []],
    // In spring 00:30 plus four hours is 05:30.
    ['2026-03-29T04:29:00Z', ['03-29T00:30']],
    ['2026-03-29T04:30:00Z', []],
  ])('arrive after as many hours as they take, in nights that have 23 or 25: %s', (now, expected) => {
    const days = now < '2026-06' ? '2026-03-29' : '2026-10-25';
    const night = departure({ at_local: '00:30', from_date: days, to_date: days });

    expect(leaving([night], now)).toEqual(expected);
  });

  it('are the same again when the clock was set back', () => {
    const all = [departure(), departure({ id: 'd2', at_local: '09:00' })];
    const before = leaving(all, '2026-11-22T07:30:00Z');
    leaving(all, '2026-11-22T11:30:00Z');

    expect(leaving(all, '2026-11-22T07:30:00Z')).toEqual(before);
  });

  it('give way to the next one only if none of them counts', () => {
    const all = [departure(), departure({ id: 'd2', at_local: '16:45' })];

    expect(leaving(all, '2026-11-22T10:09:00Z', judgedTrips)).toEqual(['11-22T06:10']);
    expect(leaving(all, '2026-11-22T10:10:00Z', judgedTrips)).toEqual(['11-22T16:45']);
    expect(leaving(all, '2026-11-22T20:46:00Z', judgedTrips)).toEqual(['11-23T06:10']);
    expect(leaving([], '2026-11-22T20:46:00Z', judgedTrips)).toEqual([]);
  });

  it('are on the way from the instant at which they leave until they arrive', () => {
    const trip = tripOn(departure(), '2026-11-22', 320);
    const clocks = ['06:09:59', '06:10:00', '10:09:59', '10:10:00'];

    expect(clocks.map((clock) => isUnderWay(trip, new Date(`2026-11-22T${clock}Z`)))).toEqual([
      false,
      true,
      true,
      false,
    ]);
  });
});

describe('what lies ahead of a vehicle on the way', () => {
  const trip = tripOn(departure(), '2026-11-22', 320); // km 160 at 08:10
  const place = { from_km: 160, to_km: 168 }; // until 08:16
  const always: Span = { from: -Infinity, to: Infinity };
  const on = (clock: string) => new Date(`2026-11-22T${clock}:00Z`);

  it.each([
    ['05:00', true], // before it leaves
    ['08:12', true], // it is there
    ['08:30', true], // late by less than a quarter of an hour
    ['08:31', false], // passed
  ])('is at %s: %s', (clock, expected) => {
    expect(liesAhead(trip, place, [always], on(clock))).toBe(expected);
  });

  it.each([
    ['06:00', false], // it has not left
    ['08:16', false], // it is there
    ['08:17', true],
    ['08:30', true],
    ['08:31', false], // it is behind
  ])('may be behind it at %s: %s', (clock, expected) => {
    expect(mayBeBehind(trip, place, on(clock))).toBe(expected);
  });

  it('is what begins within 45 minutes after it is reached, while it is ahead', () => {
    const times = { from: on('08:50').getTime(), to: on('10:00').getTime() };

    expect(liesAhead(trip, place, [times], on('06:00'))).toBe(true);
    expect(liesAhead(trip, place, [times], on('08:20'))).toBe(true);
    expect(liesAhead(trip, place, [times], on('08:40'))).toBe(false);
  });

  it('is an incident with one time ahead, even if another is over', () => {
    const over = { from: on('04:00').getTime(), to: on('05:00').getTime() };

    expect(liesAhead(trip, place, [over, always], on('06:00'))).toBe(true);
    expect(liesAhead(trip, place, [over], on('06:00'))).toBe(false);
  });

  it('concerns the vehicles that have it ahead, and without any the next two hours', () => {
    const later = { ...trip, departure_id: 'd2', leaves: on('07:10'), arrives: on('11:10') };
    const soon: Span[] = [
      { from: 0, to: 1 },
      { from: on('09:59').getTime(), to: on('12:00').getTime() },
    ];

    expect(concerned([trip, later], place, [always], on('08:31'))).toEqual([later]);
    expect(concerned([trip], place, [always], on('08:31'))).toBeNull();
    expect(concerned([], place, soon, on('08:00'))).toEqual([]);
    expect(concerned([], place, soon, on('07:59'))).toBeNull();
  });

  it('is no longer an incident that was over before now', () => {
    const times = { from: on('07:00').getTime(), to: on('08:05').getTime() };

    expect(liesAhead(trip, place, [times], on('08:00'))).toBe(true);
    expect(liesAhead(trip, place, [times], on('08:05'))).toBe(false);
  });

  it('is met when the vehicle is there, or when it begins while the vehicle is', () => {
    const reached = reachedAt(trip, 20);
    const met = (...times: [number, number][]) =>
      metAt(
        trip,
        20,
        times.map(([from, to]) => ({ from: reached.getTime() + from, to: reached.getTime() + to })),
      );
    const there = { at: reached, begins: false };
    expect([met(), met([-1, 1]), met([0, 1]), met([-2, 0])]).toEqual([there, there, there, there]);
    const later = { at: new Date(reached.getTime() + 5), begins: true };
    expect([met([5, 9]), met([7, 9], [5, 6]), met([-2, 0], [5, 9])]).toEqual([later, later, later]);
    expect(met([-1, 1], [5, 9])).toEqual(there);
  });

  it('is anywhere until it arrives if the kilometres are not known', () => {
    expect(spanAhead(trip, { from_km: null, to_km: null }, on('09:00'))).toEqual({
      from: on('09:00').getTime(),
      to: on('10:55').getTime(),
    });
  });
});
