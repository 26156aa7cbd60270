import { describe, expect, it } from 'vitest';
import {
  arrivalOf,
  arrivalWords,
  marginWords,
  type Told,
  toldBy,
  verdictWords,
} from '#contract/watches/arrival.ts';
import type { Trip } from '#contract/watches/departures.ts';

const at = (clock: string) => new Date(`2026-11-24T${clock}:00Z`);
const planned: Trip = { departure_id: 'job', leaves: at('06:10'), arrives: at('10:30'), length_km: 330 };
const ALWAYS = [{ from: -Infinity, to: Infinity }];

const told = (
  id: string,
  from_km: number | null,
  to_km: number | null,
  least: number,
  most = least,
): Told => ({
  event_id: id,
  from_km,
  to_km,
  times: ALWAYS,
  delay: { least, most },
  closed: null,
});
const untold = (id: string): Told => ({ ...told(id, 100, 120, 1), delay: null });
const arrival = (all: readonly Told[], deadline: Date | null = null, trip = planned) =>
  arrivalOf({ planned, trip, deadline }, all);

describe('the arrival of a job', () => {
  it('is exact where the delay is, and a range where it is "up to"', () => {
    expect(arrivalWords(arrival([told('m62', 23, 30, 25)]))).toBe('Arrives 10:55');
    expect(arrivalWords(arrival([told('m62', 23, 30, 0, 40)]))).toBe('Arrives 10:30 to 11:10');
    expect(arrivalWords(arrival([told('m62', 23, 30, 0, 40), told('m25', 304, 311, 25)]))).toBe(
      'Arrives 10:55 to 11:35',
    );
  });

  it('takes the longer delay if stretches overlap, and counts each incident once', () => {
    const both = arrival([told('a', 23, 30, 25), told('b', 28, 40, 10)]);
    expect(arrivalWords(both)).toBe('Arrives 10:55');
    expect(both.counted).toEqual([
      { event_id: 'a', delay: { least: 25, most: 25 }, within: false },
      { event_id: 'b', delay: { least: 10, most: 10 }, within: true },
    ]);
    // The first on the way counts if two are equal; both are named, in the order of their ids.
    const equal = arrival([told('b', 23, 30, 25), told('a', 28, 40, 25)]);
    expect(equal.counted.map(({ event_id, within }) => [event_id, within])).toEqual([
      ['a', true],
      ['b', false],
    ]);
    expect(arrivalWords(arrival([told('a', 23, 30, 25), told('a', 40, 50, 25)]))).toBe('Arrives 10:55');
    expect(arrivalWords(arrival([told('a', 23, 30, 25), told('b', null, null, 10)]))).toBe('Arrives 10:55');
  });

  it('counts one that touches the way twice on all between, and an unknown place on the whole way', () => {
    const within = (...all: Told[]) => arrival(all).counted.find(({ event_id }) => event_id === 'b')!.within;
    const [first, second] = [told('a', 23, 30, 25), told('a', 40, 50, 25)];
    for (const both of [
      [first, second],
      [second, first],
    ])
      for (const [from, to, isWithin] of [
        [10, 22, false],
        [22, 23, true],
        [33, 36, true],
        [50, 51, true],
        [51, 60, false],
      ] as const)
        expect(within(...both, told('b', from, to, 10)), `${from} to ${to}`).toBe(isWithin);
    const nowhere = told('a', null, null, 25);
    for (const far of [told('b', 1, 2, 10), told('b', 300, 310, 10)]) {
      expect(within(first, nowhere, far)).toBe(true);
      expect(within(nowhere, first, far)).toBe(true);
    }
  });

  it('is shifted by a late start, even if nothing touches the way', () => {
    const trip = { ...planned, leaves: at('06:22'), arrives: at('10:42') };
    expect(arrivalWords(arrival([], null, trip))).toBe('Arrives 10:42');
    expect(arrivalWords(arrival([told('m62', 23, 30, 25)], null, trip))).toBe('Arrives 11:07');
    expect(arrival([], null, trip).leftLate).toBe(12);
  });

  it('never counts an unknown delay as no delay', () => {
    expect(arrivalWords(arrival([untold('a404')]))).toBe('Delay not told');
    expect(arrival([untold('a404')], at('11:20')).verdict).toBeNull();
    expect(arrival([untold('a404'), told('m62', 23, 30, 25)]).untold).toEqual(['a404']);
    expect(arrival([untold('m6'), untold('a404')]).untold).toEqual(['a404', 'm6']);
    expect(arrivalWords(arrival([]))).toBe('Due 10:30');
  });

  it('cannot be said if a road is closed without a diversion', () => {
    const closed = { ...untold('a66'), closed: 'A66' };
    expect(arrivalWords(arrival([closed, told('m62', 23, 30, 25)]))).toBe(
      'No arrival can be said: A66 closed',
    );
    expect(arrival([closed], at('11:20')).verdict).toBeNull();
  });

  it('counts what is in force while the vehicle is there', () => {
    const over = { ...told('m62', 23, 30, 25), times: [{ from: -Infinity, to: at('05:30').getTime() }] };
    expect(arrivalWords(arrival([over]))).toBe('Due 10:30');
    expect(arrivalWords(arrival([{ ...over, times: [...over.times, ...ALWAYS] }]))).toBe('Arrives 10:55');
  });

  it.each([
    [0, 0, '11:20', '50 min left', '50 min left'],
    [25, 65, '11:20', 'May miss it', '25 min left, or 15 min late'],
    [50, 50, '11:20', '0 min left', '0 min left'],
    [66, 66, '11:20', 'Will miss it', '16 min late'],
  ])('%i to %i minutes late for %s: %s', (least, most, clock, words, sentence) => {
    const { verdict } = arrival(most ? [told('m62', 23, 30, least, most)] : [], at(clock));
    expect(verdictWords(verdict)).toBe(words);
    expect(marginWords(verdict!)).toBe(sentence);
  });
});

describe('any incidents on the way', () => {
  /** A small generator with a seed, so that a failure can be repeated. */
  function* random(seed: number): Generator<number, never> {
    for (let state = seed; ;) {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      yield state / 2 ** 32;
    }
  }
  const some = (next: () => number): Told[] =>
    Array.from({ length: 1 + Math.floor(next() * 7) }, (_, n) => {
      const from = Math.floor(next() * 300);
      const most = Math.floor(next() * 60) + 1;
      const isSomewhere = next() > 0.1;
      return told(
        `event ${n}`,
        isSomewhere ? from : null,
        isSomewhere ? from + Math.floor(next() * 40) : null,
        next() > 0.5 ? most : 0,
        most,
      );
    });

  it('give the same words in any order, and never an earlier arrival for a longer delay', () => {
    const generator = random(7);
    const next = () => generator.next().value;
    for (let round = 0; round < 2000; round++) {
      const all = some(next);
      const before = arrival(all);
      const turned = all.toSorted(() => next() - 0.5);
      expect(arrival(turned)).toEqual(before);

      const index = Math.floor(next() * all.length);
      const more = 1 + Math.floor(next() * 30);
      const longer = all.map((one, at) =>
        at === index && one.delay
          ? { ...one, delay: { least: one.delay.least + more, most: one.delay.most + more } }
          : one,
      );
      const after = arrival(longer);
      expect(after.earliest >= before.earliest && after.latest >= before.latest).toBe(true);
      const added = arrival([...all, told('another', 50, 90, 5)]);
      expect(added.earliest >= before.earliest && added.latest >= before.latest).toBe(true);
    }
  });
});

describe('what an incident says about a delay', () => {
  const now = at('06:05');
  const match = { from_km: 23, to_km: 30 };
  const of = (facts: object) => toldBy([{ match, incident: { event_id: 'nh:1', facts } }], now)[0]!;

  it('has its stretch in order, whichever end the match gives first', () => {
    const facts = { delay_minutes: 25 };
    const touching = [{ match: { from_km: 30, to_km: 23 }, incident: { event_id: 'nh:1', facts } }];
    expect(toldBy(touching, now)[0]).toMatchObject({ from_km: 23, to_km: 30 });
    expect(arrivalWords(arrival(toldBy(touching, now)))).toBe('Arrives 10:55');
  });

  it('is exact, a range or nothing', () => {
    expect(of({ delay_minutes: 25 }).delay).toEqual({ least: 25, most: 25 });
    expect(of({ delay_minutes: 40, delay_least: 0 }).delay).toEqual({ least: 0, most: 40 });
    expect(of({ delay_minutes: null }).delay).toBeNull();
    expect(toldBy([{ match, incident: { event_id: 'nh:1' } }], now)[0]!.delay).toBeNull();
  });

  it('is of the time since it began, because an active one has begun, whatever it says', () => {
    const times = (clock: string) =>
      toldBy([{ match, incident: { event_id: 'nh:1', start_time: at(clock).toISOString() } }], now)[0]!.times;
    expect(times('06:00')).toEqual([{ from: at('06:00').getTime(), to: Infinity }]);
    expect(times('06:05')).toEqual([{ from: now.getTime(), to: Infinity }]);
    expect(times('06:30')).toEqual(ALWAYS);
  });

  it('is about the road: late flights and late buses do not delay other coaches', () => {
    const facts = { delay_minutes: 45 };
    const told = (event_type: string) =>
      toldBy([{ match, incident: { event_id: 'one', event_type, facts } }], now).map(({ delay }) => delay);
    expect(told('road.congestion')).toEqual([{ least: 45, most: 45 }]);
    for (const other of ['bus.disruption', 'weather.warning', 'flood.warning'])
      expect(told(other), other).toEqual([null]);
    expect(told('aviation.delay')).toEqual([]);
    expect(told('rail.incident')).toEqual([]);
  });

  it('is a closed road only if no diversion is named', () => {
    expect(of({ closed: 'full', roads: ['A66'] }).closed).toBe('A66');
    expect(
      of({ closed: 'full', roads: ['A66'], advice: ['Follow the signed diversion.'] }).closed,
    ).toBeNull();
    expect(of({ closed: 'full' }).closed).toBe('the road');
    expect(of({ closed: 'full', slip: 'exit', roads: ['A27'] }).closed).toBeNull();
    expect(of({ closed: 'lanes', roads: ['M62'] }).closed).toBeNull();
    expect(of({ closed: 'unknown', roads: ['M62'] }).closed).toBeNull();
  });
});
