import { describe, expect, it } from 'vitest';
import type { MapEvent } from '../../../src/api/places/events.ts';
import type { ListedWatch } from '../../../src/api/watches/watches.ts';
import {
  beginsWords,
  endUnknownWords,
  isInWindow,
  isMetBy,
  isNotMet,
  isOver,
  judgedIn,
  namedTrip,
  NEXT_DEPARTURE,
  NOW,
  reachWords,
  type Touch,
  tripTo,
  type Window,
  windowWords,
} from '../../../src/watches/timeWindow.ts';

const AT = new Date('2026-11-22T06:14:30Z');
const ROUTE: Pick<ListedWatch, 'departures' | 'length_km'> = {
  length_km: 320,
  departures: [
    {
      id: 'early',
      name: null,
      at_local: '06:30',
      days: 127,
      from_date: null,
      to_date: null,
      except: [],
      duration_min: 240,
    },
  ],
};
const WINDOWS: Record<string, Window> = {
  now: NOW,
  'the next hours': { kind: 'hours' },
  'the next departure': NEXT_DEPARTURE,
  'a day': { kind: 'date', day: '2026-11-22', clock: null },
  'a time of a day': { kind: 'date', day: '2026-11-24', clock: '06:00' },
};

const touching = (times: Pick<MapEvent, 'start_datetime' | 'end_datetime'>): Touch => ({
  match: { subject: 'event', subject_id: 'p1', level: 'near', why: 'near it', from_km: 20, to_km: 20 },
  alert: null,
  event: { event_id: 'e1', performance_id: 'p1', ...times },
});

describe('an event without times', () => {
  it.each(Object.entries(WINDOWS))('does not vanish from %s', (_, window) => {
    const judged = judgedIn(ROUTE, window, AT);
    expect(isInWindow(touching({}), judged, AT)).toBe(true);
    expect(isInWindow(touching({ start_datetime: null, end_datetime: null }), judged, AT)).toBe(true);
    // An event on another day is not in the window.
    const later = touching({ start_datetime: '2026-12-06T15:00:00Z' });
    expect(isInWindow(later, judged, AT)).toBe(false);
  });

  it('is met by every vehicle on its way', () => {
    const { trips } = judgedIn(ROUTE, NEXT_DEPARTURE, AT);
    expect(trips).toHaveLength(1);
    expect(isMetBy(trips[0]!, touching({}), AT)).toBe(true);
    expect(isMetBy(trips[0]!, touching({ start_datetime: '2026-12-06T15:00:00Z' }), AT)).toBe(false);
  });
});

describe('several vehicles', () => {
  const leaving = (at_local: string) => ({ ...ROUTE.departures[0]!, id: at_local, at_local });
  const two = { ...ROUTE, departures: [leaving('06:30'), leaving('07:30')] };
  const clock = (time: Date | undefined) => time?.toISOString().slice(11, 16);

  it('the chosen departure alone is judged, and all vehicles if it is gone', () => {
    const judged = (id: string) =>
      judgedIn(two, { kind: 'departure', id }, AT).trips.map(({ leaves }) => clock(leaves));
    expect(judged('07:30')).toEqual(['07:30']);
    expect(judged('gone')).toEqual(['06:30', '07:30']);
  });

  it('a day has the departures before it ends', () => {
    const midnight = { ...ROUTE, departures: [leaving('00:00')] };
    const onDay = (day: string, route = midnight) =>
      judgedIn(route, { kind: 'date', day, clock: null }, AT).trips.length;
    // Today's has left: the next leaves in the very instant at which today ends.
    expect([onDay('2026-11-22'), onDay('2026-11-23')]).toEqual([0, 1]);
    expect(onDay('2026-11-23', { ...ROUTE, departures: [] })).toBe(0);
    // The 06:30 counts already, and is today's: the day after tomorrow has its own.
    const { trips } = judgedIn(ROUTE, { kind: 'date', day: '2026-11-24', clock: null }, AT);
    expect(trips.map(({ leaves }) => leaves.toISOString())).toEqual(['2026-11-24T06:30:00.000Z']);
  });

  it('a time is over in the instant at which it ends', () => {
    const window: Window = { kind: 'date', day: '2026-11-22', clock: '06:00' };
    const end = Date.parse('2026-11-22T08:00:00Z');
    expect([isOver(window, new Date(end - 1)), isOver(window, new Date(end))]).toEqual([false, true]);
    expect(isOver(NOW, new Date(end))).toBe(false);
  });

  it('an event is in a window by one of the two times at which its people are on the road', () => {
    const judged = judgedIn({ ...ROUTE, departures: [] }, NOW, AT);
    const coming = { start_datetime: '2026-11-22T07:00:00Z', end_datetime: '2026-11-22T20:00:00Z' };
    const going = { start_datetime: '2026-11-21T20:00:00Z', end_datetime: '2026-11-22T06:30:00Z' };
    expect([coming, going].map((times) => isInWindow(touching(times), judged, AT))).toEqual([true, true]);
  });

  it('none is named if there is none, and otherwise the last one under way', () => {
    const trips = judgedIn(two, NEXT_DEPARTURE, AT).trips;
    const at = (time: string) => clock(namedTrip(trips, [], new Date(time))?.leaves);
    expect(namedTrip([], [], AT)).toBeNull();
    expect([at('2026-11-22T06:20:00Z'), at('2026-11-22T06:31:00Z'), at('2026-11-22T07:31:00Z')]).toEqual([
      '06:30',
      '07:30',
      '07:30',
    ]);
  });

  it('the one that still has it ahead reaches it, and one that may be past it only if there is no other', () => {
    const { trips } = judgedIn(two, NEXT_DEPARTURE, AT);
    const at = new Date('2026-11-22T07:35:00Z'); // by plan the first was there at 07:30
    const place = touching({});
    const there = { ...place, match: { ...place.match, from_km: 80, to_km: 80 } };
    const reaching = (some: typeof trips) => clock(tripTo(there, { trip: null, trips: some }, at)?.leaves);
    expect([reaching(trips), reaching(trips.slice(0, 1))]).toEqual(['07:30', '06:30']);
    // Both have it ahead: the one that the row names.
    const named = tripTo(there, { trip: trips[1]!, trips }, AT);
    expect([clock(named?.leaves), clock(tripTo(there, { trip: null, trips }, AT)?.leaves)]).toEqual([
      '07:30',
      '06:30',
    ]);
    expect(reachWords(trips[0]!, there, at)).toBe('may be behind it: reached about 07:30 by plan');
    expect(reachWords(trips[0]!, { ...place, match: { ...place.match, from_km: null } }, at)).toBe('');
  });

  it('if one vehicle meets it, the words never say that none does', () => {
    const trips = judgedIn(two, NEXT_DEPARTURE, AT).trips;
    const soon = touching({ start_datetime: '2026-11-22T09:10:00Z', end_datetime: '2026-11-22T20:00:00Z' });
    // People come from 07:10 to 09:40, and the first vehicle is past kilometre 0 by 07:00.
    const start = { ...soon, match: { ...soon.match, from_km: 0, to_km: 0 } };
    const later = new Date('2026-11-22T07:01:00Z');
    expect(trips.map((trip) => isMetBy(trip, start, later))).toEqual([false, true]);
    expect(isNotMet(start, { window: NOW, trips }, later)).toBe(false);
    expect(isNotMet(start, { window: NOW, trips: trips.slice(0, 1) }, later)).toBe(true);
    expect(isNotMet(start, { window: NOW, trips: [] }, later)).toBe(false);
    expect(isNotMet(start, { window: { kind: 'hours' }, trips: trips.slice(0, 1) }, later)).toBe(false);
  });
});

describe('in a span of hours', () => {
  const works = (start: string, end: string, fields: Partial<Touch['match']> = {}): Touch => ({
    match: {
      subject: 'disruption',
      subject_id: 'a',
      level: 'certain',
      why: '',
      from_km: 20,
      to_km: 28,
      ...fields,
    },
    alert: {
      event_id: 'a',
      source: 'tfl',
      severity: 'low',
      title: 'A',
      metadata: { phase: 'planned' },
      start_time: `${start}:00Z`,
      end_time: `${end}:00Z`,
    },
    event: null,
  });

  it('leaves out incidents that only a departure after it meets', () => {
    const noon = new Date('2026-11-22T12:00:00Z');
    const tomorrow = works('2026-11-23T06:30', '2026-11-23T09:00');
    const isIn = (window: Window) => isInWindow(tomorrow, judgedIn(ROUTE, window, noon), noon);
    expect([isIn({ kind: 'hours' }), isIn(NEXT_DEPARTURE)]).toEqual([false, true]);
  });

  it('names the vehicle that certainly meets something before one that may meet worse', () => {
    const leaving = (at_local: string) => ({ ...ROUTE.departures[0]!, id: at_local, at_local });
    const { trips } = judgedIn(
      { ...ROUTE, departures: [leaving('06:30'), leaving('07:30')] },
      NEXT_DEPARTURE,
      AT,
    );
    const first = works('2026-11-22T05:00', '2026-11-22T06:50', { level: 'possible', to_km: 21 });
    const maybe: Touch = { ...first, alert: { ...first.alert!, severity: 'critical' } };
    // The 06:30 passes it at 06:51, the 07:30 at 07:51; each may be 45 minutes late.
    const certain = works('2026-11-22T08:30', '2026-11-22T09:30', { from_km: 20, to_km: 28 });
    expect(trips.map((trip) => [isMetBy(trip, maybe, AT), isMetBy(trip, certain, AT)])).toEqual([
      [true, false],
      [false, true],
    ]);
    expect(namedTrip(trips, [maybe, certain], AT)?.departure_id).toBe('07:30');
    expect(namedTrip(trips, [maybe], AT)?.departure_id).toBe('06:30');
  });
});

describe('the time at which an alert begins', () => {
  const begins = (alert: Partial<NonNullable<Touch['alert']>>) =>
    beginsWords(
      {
        match: { subject: 'disruption', subject_id: 'a', level: 'certain', why: '', from_km: 1, to_km: 2 },
        alert: { event_id: 'a', source: 'tfl', severity: 'high', title: 'A', ...alert },
        event: null,
      },
      AT,
    );
  const period = (start: string, end: string) => ({
    start: `2026-11-22T${start}:00Z`,
    end: `2026-11-22T${end}:00Z`,
  });

  it('is that of the first of its periods that is not over', () => {
    const windows = [period('12:00', '13:00'), period('09:00', '10:00')];
    expect(begins({ windows })).toBe('from 09:00');
    expect(begins({ windows: [...windows, period('04:00', '05:00')] })).toBe('from 09:00');
    expect(begins({ windows: [...windows, { start: null, end: AT.toISOString() }] })).toBe('from 09:00');
    expect(begins({ windows: [...windows, period('06:00', '07:00')] })).toBe('');
    expect(begins({})).toBe('');
    expect(begins({ windows: [{ start: AT.toISOString(), end: '2026-11-22T07:00:00Z' }] })).toBe('');
  });
});

describe('an end that nobody states', () => {
  const trip = (leaves: string, id = leaves) => ({
    departure_id: id,
    leaves: new Date(`2026-11-${leaves}:00Z`),
    arrives: new Date(Date.parse(`2026-11-${leaves}:00Z`) + 240 * 60_000),
    length_km: 320,
  });
  const touch = (fields: Partial<NonNullable<Touch['alert']>> = {}, from_km: number | null = 20): Touch => ({
    match: { subject: 'disruption', subject_id: 'a', level: 'certain', why: '', from_km, to_km: from_km },
    alert: { event_id: 'a', source: 'tfl', severity: 'high', title: 'A', end_time: null, ...fields },
    event: null,
  });
  const words = (one: Touch, window: Window, trips: ReturnType<typeof trip>[] = [], now = AT) =>
    endUnknownWords(one, { window, trip: trips[0] ?? null, trips }, now);
  const date: Window = { kind: 'date', day: '2026-11-24', clock: '06:00' };
  const NOT_KNOWN = 'its end is not known';

  it('says so for a later day, unless each of its periods has an end', () => {
    expect([words(touch(), date), words(touch(), NOW)]).toEqual([NOT_KNOWN, '']);
    expect(words(touch({ end_time: '2026-11-25T12:00:00Z' }), date)).toBe('');
    const ends = { start: '2026-11-22T12:00:00Z', end: '2026-11-22T13:00:00Z' };
    expect(words(touch({ windows: [ends, { start: '2026-11-23T12:00:00Z', end: null }] }), date)).toBe(
      NOT_KNOWN,
    );
  });

  it('says so for more than two hours ahead, and for tomorrow even an hour before', () => {
    const evening = (at: string) => words(touch(), date, [], new Date(`2026-11-${at}:00Z`));
    expect([evening('24T04:00'), evening('24T03:59')]).toEqual(['', NOT_KNOWN]);
    const tomorrow: Window = { kind: 'date', day: '2026-11-23', clock: null };
    expect(words(touch(), tomorrow, [], new Date('2026-11-22T23:00:00Z'))).toBe(NOT_KNOWN);
  });

  it('depends on whether the vehicle counts, and on its arrival if the place is unknown', () => {
    const late = trip('22T22:00');
    const of = (...leave: string[]) => leave.map((at) => words(touch(), NEXT_DEPARTURE, [trip(at)]));
    expect(of('22T08:14', '22T08:15', '22T06:00')).toEqual(['', NOT_KNOWN, '']);
    const clear = { expected_clear: '2026-11-22T23:00:00Z' } as NonNullable<Touch['alert']>['facts'];
    expect([20, null].map((km) => words(touch({ facts: clear }, km), NEXT_DEPARTURE, [late]))).toEqual([
      NOT_KNOWN,
      'expected clear before then',
    ]);
    // A vehicle on its way that is there in four hours meets the present state; one that is there later may not.
    const hours = (many: number) => ({
      ...trip('22T06:00'),
      arrives: new Date(AT.getTime() + many * 3_600_000),
    });
    expect([3.9, 12].map((many) => words(touch({}, null), NEXT_DEPARTURE, [hours(many)]))).toEqual([
      '',
      NOT_KNOWN,
    ]);
    expect(tripTo(touch({}, null), { trip: late, trips: [late] }, AT)).toBeNull();
    const tomorrow = trip('23T08:00');
    expect(words(touch(), { kind: 'trip', trip: tomorrow }, [tomorrow])).toBe(NOT_KNOWN);
    expect(words(touch(), { kind: 'hours' }, [tomorrow])).toBe('');
    expect(words(touch(), NEXT_DEPARTURE)).toBe('');
  });

  it('follows the vehicle that meets it, not another that the row names', () => {
    const [today, tomorrow] = [trip('22T08:00'), trip('23T08:00')];
    const next = touch({ metadata: { phase: 'planned' }, start_time: '2026-11-23T07:00:00Z' });
    expect(words(next, NEXT_DEPARTURE, [today, tomorrow])).toBe(NOT_KNOWN);
  });

  it('says if it is expected to be clear before the vehicle is there', () => {
    const clear = (expected_clear: string) =>
      words(touch({ facts: { expected_clear } as NonNullable<Touch['alert']>['facts'] }), date);
    expect(clear('2026-11-24T05:59:00Z')).toBe('expected clear before then');
    expect(clear('2026-11-24T06:00:00Z')).toBe(NOT_KNOWN);
    expect(clear(AT.toISOString())).toBe(NOT_KNOWN);
  });

  it('names how many more vehicles there are', () => {
    const said = (...trips: ReturnType<typeof trip>[]) =>
      windowWords({ window: NEXT_DEPARTURE, trip: trips[0]!, trips }, AT);
    expect(said(trip('22T05:00'), trip('22T08:00'))).toBe('on the way, left 05:00, and 1 more');
    expect(said(trip('22T08:00'), trip('22T09:00'), trip('22T10:00'))).toBe('for 08:00 and 2 more');
    expect(said(trip('22T05:00'))).toBe('on the way, left 05:00');
  });
});
