import { WHICH } from '#contract/watches/whichIncidents.ts';
import { describe, expect, it } from 'vitest';
import type { Alert, SourceEntry } from '../../../src/api/alerts/disruptions.ts';
import type { Brief, ListedWatch } from '../../../src/api/watches/watches.ts';
import {
  countOf,
  affectedNow,
  awake,
  inOrder,
  type Known,
  stateOf,
} from '../../../src/watches/watchState.ts';
import { countWords, rowWindow, stateWords } from '../../../src/watches/stateWords.ts';
import { NEXT_DEPARTURE, type Window, windowName } from '../../../src/watches/timeWindow.ts';

const NOW = new Date('2026-11-22T06:14:30Z');
const at = (clock: string) => `2026-11-22T${clock}:00Z`;

const source = (slug: string, fields: Partial<SourceEntry> = {}): SourceEntry => ({
  source: slug,
  state: 'ok',
  freshness: 'fresh',
  last_collected: at('06:14'),
  ...fields,
});

const alert = (id: string, fields: Partial<Alert> = {}): Alert => ({
  event_id: id,
  source: 'national-highways',
  severity: 'high',
  title: `Incident ${id}`,
  start_time: at('05:31'),
  end_time: null,
  metadata: { phase: 'active' },
  ...fields,
});

const match = (id: string, level: Brief['level'] = 'certain', fields: Partial<Brief> = {}): Brief => ({
  subject: 'disruption',
  subject_id: id,
  level,
  why: 'names the M62, J26 to J27',
  from_km: 20,
  to_km: 28,
  ...fields,
});

const departure = (at_local: string): ListedWatch['departures'][number] => ({
  id: at_local,
  name: null,
  at_local,
  days: 127,
  from_date: null,
  to_date: null,
  except: [],
  duration_min: 240,
});

const watch = (fields: Partial<ListedWatch> = {}): ListedWatch => ({
  id: 'w1',
  kind: 'route',
  name: 'Leeds to Heathrow',
  length_km: 320,
  sources: ['national-highways', 'met-office'],
  departures: [],
  checking: false,
  matches: [],
  named_by_hand: false,
  which: WHICH,
  when: null,
  beyond: {},
  left_out: { grade: 0, others: 0 },
  ...fields,
});

const known = (fields: Partial<Known> & { list?: Alert[]; heard?: SourceEntry[] } = {}): Known => ({
  alerts: new Map((fields.list ?? []).map((one) => [one.event_id, one])),
  events: new Map(),
  sources: new Map(
    (fields.heard ?? [source('national-highways'), source('met-office')]).map((one) => [one.source, one]),
  ),
  at: NOW,
  behindSince: null,
  ...fields,
});

const words = (one: ListedWatch, from: Known, window: Window = { kind: 'now' }, now = NOW) =>
  stateWords(stateOf(one, from, window, now), now);

describe('the words in a route’s row', () => {
  it('is the worst certain match, and how many there are', () => {
    const one = watch({ matches: [match('low'), match('worst'), match('maybe', 'possible')] });
    const state = stateOf(
      one,
      known({
        list: [alert('low', { severity: 'low' }), alert('worst', { severity: 'critical' }), alert('maybe')],
      }),
      { kind: 'now' },
      NOW,
    );

    expect(stateWords(state, NOW)).toEqual(['Critical: Incident worst']);
    expect(countWords(state)).toBe('2 certain, 1 possible');
  });

  it('is "Clear, as far as we know" only while all its sources are heard', () => {
    expect(words(watch(), known())).toEqual(['Clear now, as far as we know']);
  });

  it('is "Checking…" until it was matched, with no time at which it was checked', () => {
    const unmatched = stateOf(watch({ checking: true }), known(), { kind: 'now' }, NOW);
    expect(stateWords(unmatched, NOW)).toEqual(['Checking…']);
    expect(unmatched).toMatchObject({ standing: 'checking', checked: null });
    const possible = watch({ checking: true, matches: [match('a', 'possible')] });
    expect(words(possible, known({ list: [alert('a')] }))).toEqual(['Checking…']);
    const certain = watch({ checking: true, matches: [match('a')] });
    expect(words(certain, known({ list: [alert('a')] }))).toEqual(['High: Incident a', 'Checking…']);
  });

  it('is clear for an area only with the number of incidents without a place', () => {
    const from = known({ unplaced: 4 });
    expect(words(watch({ kind: 'area' }), from)).toEqual([
      'Clear now, as far as we know',
      '4 incidents have no place, and may be here',
    ]);
    expect(words(watch(), from)).toEqual(['Clear now, as far as we know']);
  });

  it('are "Do not rely on this" if a source is stale, with the time of the older one', () => {
    const heard = [
      source('national-highways', { freshness: 'stale', last_collected: at('05:41') }),
      source('met-office', { freshness: 'stale', last_collected: at('05:50') }),
    ];

    expect(words(watch(), known({ heard }))).toEqual([
      'Do not rely on this: no information from National Highways, Met Office warnings since 05:41',
    ]);
    const never = [{ ...heard[0]!, last_collected: null }, heard[1]!];
    for (const some of [never, never.toReversed()])
      expect(words(watch(), known({ heard: some }))[0]).toMatch(/Met Office warnings$/);
  });

  it('keeps a certain match above "Do not rely on this"', () => {
    const heard = [
      source('national-highways', { freshness: 'stale', last_collected: at('05:41') }),
      source('met-office'),
    ];

    expect(words(watch({ matches: [match('a')] }), known({ heard, list: [alert('a')] }))).toEqual([
      'High: Incident a',
      'Do not rely on this: no information from National Highways since 05:41',
    ]);
  });

  it('are "Possible trouble" if all matches are possible', () => {
    const one = watch({ matches: [match('a', 'possible')] });

    expect(words(one, known({ list: [alert('a')] }))).toEqual(['Possible trouble now']);
  });

  it.each([
    ['is not set up', { state: 'not_configured', freshness: null }],
    ['was never collected', { state: 'idle', freshness: null }],
  ] as const)('names a source that %s', (_, fields) => {
    const heard = [source('national-highways'), source('met-office', fields)];

    expect(words(watch(), known({ heard }))).toEqual([
      'No trouble reported now. We cannot see: Met Office warnings',
    ]);
  });

  it('names a source that is missing from the answer', () => {
    expect(words(watch(), known({ heard: [source('national-highways')] }))).toEqual([
      'No trouble reported now. We cannot see: Met Office warnings',
    ]);
  });

  it.each([
    ['all', ['uncovered-roads', 'met-office'], [], 'No source covers this road'],
    [
      'part',
      ['national-highways', 'uncovered-roads', 'met-office'],
      [],
      'No source covers this road for part of the way',
    ],
    [
      'all, with weather that is not set up',
      ['uncovered-roads', 'met-office'],
      [source('met-office', { state: 'not_configured', freshness: null })],
      'We cannot see: Met Office warnings. No source covers this road',
    ],
    [
      'part, with a late source',
      ['national-highways', 'uncovered-roads'],
      [source('national-highways', { freshness: 'late' })],
      'No source covers this road for part of the way. Late: National Highways',
    ],
    [
      'all of which no road is known',
      ['unknown-roads', 'met-office'],
      [],
      'No known road, so no source can be named',
    ],
    [
      'part, of which no road is known',
      ['national-highways', 'unknown-roads', 'met-office'],
      [],
      'No known road, so no source can be named for part of the way',
    ],
    [
      'all, of which no road is known in part',
      ['uncovered-roads', 'unknown-roads', 'met-office'],
      [],
      'No source covers this road for part of the way. No known road, so no source can be named for part of the way',
    ],
  ] as const)('says that no source covers %s of its way, and never clear', (_, sources, others, expected) => {
    const never = { state: 'not_configured', freshness: null } as const;
    const uncovered = [source('uncovered-roads', never), source('unknown-roads', never)];
    const heard = [source('national-highways'), source('met-office'), ...uncovered, ...others];

    expect(words(watch({ sources: [...sources] }), known({ heard }))).toEqual([
      `No trouble reported now. ${expected}`,
    ]);
  });

  it('is clear only with a word about roads in town for which no source can be named', () => {
    const inTown = (others: string[] = []) =>
      watch({ sources: ['national-highways', 'town-roads', 'met-office', ...others] });
    expect(words(inTown(), known())).toEqual(['Clear now, as far as we know, but for roads in town']);
    expect(words(inTown(['unknown-roads']), known())).toEqual([
      'No trouble reported now. No known road, so no source can be named for part of the way',
    ]);
  });

  it('are never "clear" if no source is named at all', () => {
    expect(words(watch({ sources: [] }), known())).toEqual([
      'No trouble reported now. We cannot see: any source',
    ]);
  });

  it('is never clear for an answer that is three minutes old', () => {
    expect(words(watch(), known({ at: new Date('2026-11-22T06:11:31Z') }))).toEqual([
      'Clear now, as far as we know',
    ]);
    expect(words(watch(), known({ at: new Date('2026-11-22T06:11:30Z') }))).toEqual([
      'Do not rely on this: no information from any source since 06:11',
    ]);
  });

  it('is never clear when matching is two minutes behind', () => {
    expect(words(watch(), known({ behindSince: new Date('2026-11-22T06:12:30Z') }))).toEqual([
      'Do not rely on this: no information from any source since 06:12',
    ]);
  });

  it('are never "clear" if the matches could not be read', () => {
    expect(words(watch({ matches: null }), known())).toEqual([
      'Do not rely on this: no information from any source',
    ]);
  });

  it('name the known facts of a certain match first, whatever order the answer has', () => {
    const list = known({ list: [alert('a', { severity: 'low' })] });
    for (const matches of [
      [match('gone'), match('a')],
      [match('a'), match('gone')],
    ])
      expect(words(watch({ matches }), list)).toEqual(['Low: Incident a']);
  });

  it('takes an event for no alert of the same id', () => {
    const events = new Map([['a', { event_id: 'e', performance_id: 'a' }]]) as never;
    const one = watch({ matches: [match('a', 'near', { subject: 'event' })] });
    const { near } = stateOf(one, known({ list: [alert('a')], events }), { kind: 'now' }, NOW);
    expect(near.map((touch) => [touch.alert, touch.event?.event_id])).toEqual([[null, 'e']]);
  });

  it('counts a match whose incident is missing from the answer', () => {
    const gone = watch({ matches: [match('gone')] });
    expect(words(gone, known())).toEqual(['Alert without a title']);
    const state = (one: ListedWatch) => stateOf(one, known({ list: [alert('a')] }), { kind: 'now' }, NOW);
    const rows = [watch(), gone, watch({ matches: [match('a')] })].map((one) => ({
      watch: one,
      state: state(one),
    }));
    expect(inOrder(rows).map(({ state: { certain } }) => certain[0]?.match.subject_id)).toEqual([
      'a',
      'gone',
      undefined,
    ]);
  });
});

describe('the window', () => {
  const planned = (start: string, end: string) =>
    known({
      list: [alert('p', { metadata: { phase: 'planned' }, start_time: at(start), end_time: at(end) })],
    });
  const one = watch({ matches: [match('p')], departures: [departure('06:40')] });
  const standing = (from: Known, window: Window) => stateOf(one, from, window, NOW).standing;

  it.each([
    // A vehicle counts: so "Now" is about this vehicle.
    ['now', { kind: 'now' }, '07:45', '09:00', 'certain'],
    ['now', { kind: 'now' }, '07:46', '09:00', 'clear'],
    ['in 12 hours', { kind: 'hours' }, '18:00', '19:00', 'certain'],
    ['in 12 hours', { kind: 'hours' }, '18:15', '19:00', 'clear'],
    ['on a date', { kind: 'date', day: '2026-11-22', clock: null }, '23:00', '23:30', 'certain'],
    ['on another date', { kind: 'date', day: '2026-11-23', clock: null }, '23:00', '23:30', 'clear'],
    // The 06:40 is at km 20 at 06:55 and at km 28 at 07:01.
    ['for the departure', NEXT_DEPARTURE, '07:45', '09:00', 'certain'],
    ['for the departure', NEXT_DEPARTURE, '07:46', '09:00', 'clear'],
    ['for the departure', NEXT_DEPARTURE, '06:00', '06:40', 'clear'],
  ] as const)('%s', (_, window, start, end, expected) => {
    expect(standing(planned(start, end), window)).toBe(expected);
  });

  it('says for a time in the past that it is over, whatever is there now', () => {
    const list = known({ list: [alert('p', { severity: 'critical' })] });
    const past = (day: string, clock: string | null): Window => ({ kind: 'date', day, clock });
    for (const window of [past('2026-11-22', '04:14'), past('2026-11-21', null), past('2020-01-01', null)]) {
      const state = stateOf(one, list, window, NOW);
      expect([...state.certain, state.standing]).toEqual(['off']);
      expect(stateWords(state, NOW)).toEqual(['This time is over']);
    }
    // A part of the time is still to come.
    expect(stateOf(one, list, past('2026-11-22', '04:15'), NOW).standing).toBe('certain');
  });

  it('says from when an incident on the trip is in force, until it is', () => {
    const none = { ...one, departures: [] };
    const said = (from: Known) => stateWords(stateOf(none, from, NEXT_DEPARTURE, NOW), NOW)[0];
    expect(said(planned('06:20', '09:00'))).toMatch(/: Incident p, from 06:20$/);
    expect(said(planned('06:00', '09:00'))).toMatch(/: Incident p$/);
  });

  it('names the year of a day of another year', () => {
    const name = (day: string) => windowName({ kind: 'date', day, clock: null }, null, NOW);
    expect(name('2026-11-30')).toBe('Mon 30 Nov');
    expect(name('2028-03-01')).toBe('Wed 1 Mar 2028');
  });

  it('is "now" for a route without departures', () => {
    const none = { ...one, departures: [] };

    for (const window of [NEXT_DEPARTURE, { kind: 'now' } as const])
      expect(
        ['08:14', '08:15'].map((start) => stateOf(none, planned(start, '09:00'), window, NOW).standing),
      ).toEqual(['certain', 'clear']);
  });
});

it('is not clear while a source that covers it is late', () => {
  const late = known({
    heard: [source('national-highways', { freshness: 'late' }), source('met-office')],
  });
  const state = stateOf(watch({ matches: [] }), late, { kind: 'now' }, NOW);

  expect(state.standing).toBe('late');
  expect(stateWords(state, NOW)).toEqual(['No trouble reported now. Late: National Highways']);
  // The time of a job stands beside it already.
  const leaves = new Date(at('07:00'));
  const trip = { departure_id: 'job', leaves, arrives: new Date(at('09:00')), length_km: 320 };
  expect(words(watch(), late, { kind: 'trip', trip })).toEqual([
    'No trouble reported. Late: National Highways',
  ]);
  expect(words(watch({ sources: [] }), late, { kind: 'trip', trip })).toEqual([
    'No trouble reported. We cannot see: any source',
  ]);
});

it('lists certain trouble by grade, then silent, possible, unseen and clear; next to leave first', () => {
  const list = known({
    list: [alert('c', { severity: 'critical' }), alert('m', { severity: 'medium' })],
    heard: [
      source('national-highways'),
      source('met-office'),
      source('nrw-flood', { freshness: 'stale' }),
      source('sepa-flood', { freshness: 'late' }),
    ],
  });
  const routes = [
    watch({ name: 'clear, later B', departures: [departure('09:00')] }),
    watch({ name: 'clear, later A', departures: [departure('09:00')] }),
    watch({ name: 'clear, sooner', departures: [departure('07:00')] }),
    watch({ name: 'clear, never' }),
    watch({ name: 'unseen', sources: ['traffic-wales'] }),
    watch({ name: 'late', sources: ['sepa-flood'] }),
    watch({ name: 'possible', matches: [match('m', 'possible')] }),
    watch({ name: 'silent', sources: ['nrw-flood'] }),
    watch({ name: 'medium', matches: [match('m')] }),
    watch({ name: 'critical', matches: [match('c')] }),
  ].map((one) => ({ watch: one, state: stateOf(one, list, { kind: 'now' }, NOW) }));

  expect(inOrder(routes).map(({ watch: { name } }) => name)).toEqual([
    'critical',
    'medium',
    'silent',
    'possible',
    'unseen',
    'late',
    'clear, sooner',
    'clear, later A',
    'clear, later B',
    'clear, never',
  ]);
});

describe('a vehicle on the way', () => {
  // An example from a trial: York to Leeds Bradford Airport at 16:45, a tree at km 14 to 17, reached at 16:55.
  const coach = watch({
    name: 'York to Leeds Bradford Airport',
    length_km: 60,
    matches: [match('tree', 'certain', { from_km: 14, to_km: 17 })],
    departures: [
      { ...departure('16:45'), duration_min: 45 },
      { ...departure('06:10'), duration_min: 45 },
    ],
  });
  const fallen = known({ list: [alert('tree', { severity: 'critical', start_time: at('15:49') })] });
  const on = (clock: string, one = coach, from = fallen) => {
    const now = new Date(at(clock));
    const state = stateOf(one, { ...from, at: now }, NEXT_DEPARTURE, now);
    return `${stateWords(state, now)[0]} | ${rowWindow(state, now, true)}`;
  };

  it('is judged by what lies ahead of it until it arrives', () => {
    expect(on('16:44')).toBe('Critical: Incident tree | 16:45, in 1 min');
    expect(on('16:46')).toBe('Critical: Incident tree | left 16:45');
    // It is past the tree at 16:57 by plan.
    expect(on('17:12')).toBe(
      'Critical: Incident tree, may be behind it: reached about 16:55 by plan | left 16:45',
    );
    expect(on('17:13')).toBe('Clear on the way, left 16:45, as far as we know | left 16:45');
    expect(on('17:30')).toBe('Critical: Incident tree, its end is not known | 06:10 tomorrow');
  });

  it('says that incidents may be behind it, or that no vehicle meets them, only if that is true of all', () => {
    const long = watch({ departures: [departure('12:00')] });
    const possible = (...ids: [string, number][]) => ({
      ...long,
      matches: ids.map(([id, km]) => match(id, 'possible', { from_km: km, to_km: km + 4 })),
    });
    const both = known({ list: [alert('near'), alert('far')] });
    expect(on('12:32', possible(['near', 20]), both)).toMatch(/, may be behind it \|/);
    expect(on('12:32', possible(['near', 20], ['far', 200]), both)).not.toMatch(/may be behind it/);
    const now = new Date(at('12:40'));
    const ending = known({ at: now, list: [alert('near', { end_time: at('14:00') }), alert('far')] });
    const said = (...ids: [string, number][]) =>
      words({ ...possible(...ids), departures: [departure('08:00')] }, ending, { kind: 'now' }, now)[0];
    expect(said(['near', 20])).toBe('Possible trouble now, no departure meets it');
    expect(said(['near', 20], ['far', 200])).toBe('Possible trouble now');
  });

  it('is no longer judged by incidents that it has passed by more than a quarter of an hour', () => {
    const long = { ...coach, length_km: 320, departures: [departure('12:00')] };
    const early = { ...long, matches: [match('tree', 'certain', { from_km: 20, to_km: 24 })] }; // 12:15 to 12:18

    expect(on('12:18', early)).toBe('Critical: Incident tree | left 12:00');
    expect(on('12:32', early)).toBe(
      'Critical: Incident tree, may be behind it: reached about 12:15 by plan | left 12:00',
    );
    expect(on('12:33', early)).toBe('Clear on the way, left 12:00, as far as we know | left 12:00');
  });

  it('says even for possible incidents that all of them may be behind', () => {
    const maybe = { ...coach, matches: [match('tree', 'possible', { from_km: 14, to_km: 17 })] };

    expect(on('16:57', maybe)).toMatch(/^Possible trouble on the way, left 16:45 \|/);
    expect(on('17:12', maybe)).toMatch(/^Possible trouble on the way, left 16:45, may be behind it \|/);
  });

  it('is not judged alone: all that count are judged, and the row names the worst', () => {
    const all = ['12:00', '12:15', '13:30', '14:45'];
    const busy = watch({
      departures: all.map(departure),
      matches: [
        match('tree', 'certain', { from_km: 20, to_km: 24 }),
        match('small', 'certain', { from_km: 300, to_km: 301 }),
      ],
    });
    const list = known({
      list: [
        alert('tree', { severity: 'critical', end_time: at('13:10') }),
        alert('small', { severity: 'low' }),
      ],
    });
    // The 12:00 is at the tree at 12:18; then it may be past it, and the 12:15 has it ahead until 12:33.
    expect(on('12:18', busy, list)).toBe('Critical: Incident tree | left 12:00');
    expect(on('12:20', busy, list)).toBe('Critical: Incident tree | left 12:15');
    expect(on('12:47', busy, list)).toBe(
      'Critical: Incident tree, may be behind it: reached about 12:30 by plan | left 12:15',
    );
    expect(on('12:48', busy, list)).toBe('Low: Incident small | left 12:00');
    const over = known({ list: [alert('small', { severity: 'low' })] });
    expect(on('13:11', busy, over)).toBe('Low: Incident small | left 12:00');
    // The words are about the vehicle that the row names: the newer tree is behind it, or may be.
    const far = match('far', 'certain', { from_km: 300, to_km: 301 });
    const two = { ...busy, matches: [busy.matches![0]!, far] };
    const newer = alert('tree', { severity: 'critical', start_time: at('05:50') });
    const both = known({ list: [newer, alert('far', { severity: 'critical' })] });
    expect(on('12:18', two, both)).toBe('Critical: Incident tree | left 12:00');
    expect(on('12:20', two, both)).toBe('Critical: Incident far | left 12:00');
    expect(on('12:40', two, both)).toBe('Critical: Incident far | left 12:00');
    const none = known({ list: [] });
    const clear = { ...busy, matches: [] };
    expect(on('13:11', clear, none)).toBe('Clear for 13:30 and 3 more, as far as we know | 13:30, in 19 min');
  });

  it('is what "Now" means as well, with what lies ahead of it alone', () => {
    const later = known({
      list: [
        alert('tree', { metadata: { phase: 'planned' }, start_time: at('19:00'), end_time: at('23:00') }),
      ],
    });
    const far = { ...coach, length_km: 320, departures: [departure('16:00')] };
    const near = { ...far, matches: [match('tree', 'certain', { from_km: 240, to_km: 250 })] }; // 19:00
    const now = new Date(at('16:30'));
    const standing = (one: ListedWatch) => stateOf(one, { ...later, at: now }, { kind: 'now' }, now).standing;

    expect(standing(near)).toBe('certain');
    expect(rowWindow(stateOf(near, { ...later, at: now }, { kind: 'now' }, now), now, true)).toBe(
      'left 16:00',
    );
    expect(standing({ ...near, departures: [] })).toBe('clear');
    expect(standing({ ...near, matches: [match('tree', 'certain', { from_km: 20, to_km: 30 })] })).toBe(
      'clear',
    );
  });

  it('is left out if its trouble is snoozed, and then another one is named', () => {
    const busy = watch({
      departures: ['12:00', '14:00'].map(departure),
      matches: [match('tree', 'certain', { from_km: 20, to_km: 24 })],
    });
    const now = new Date(at('12:10'));
    const state = stateOf(busy, { ...fallen, at: now }, NEXT_DEPARTURE, now);

    expect(rowWindow(state, now, false)).toBe('left 12:00');
    expect(rowWindow(awake(state, new Set(['tree']), now), now, false)).toBe('14:00');
  });
});

describe('another day', () => {
  const tree = (fields: Partial<Alert> = {}) =>
    known({ list: [alert('tree', { start_time: at('15:49'), ...fields })], at: new Date(at('17:30')) });
  const now = new Date(at('17:30'));
  const one = watch({ matches: [match('tree')], departures: [departure('06:30')] });
  const said = (from: Known, window: Window = NEXT_DEPARTURE) =>
    stateWords(stateOf(one, from, window, now), now)[0];

  it('is judged by incidents without an end, and says that their end is not known', () => {
    expect(said(tree())).toBe('High: Incident tree, its end is not known');
    expect(said(tree(), { kind: 'date', day: '2026-11-24', clock: '06:00' })).toBe(
      'High: Incident tree, its end is not known',
    );
    expect(said(tree({ end_time: at('16:00') }))).toBe('High: Incident tree, its end is not known'); // still listed
    expect(said(tree(), { kind: 'now' })).toBe('High: Incident tree');
    expect(said(tree({ end_time: '2026-11-23T12:00:00Z' }))).toBe('High: Incident tree');
  });

  it('says so by the time, not the day, for a vehicle that does not count yet', () => {
    const early = new Date(at('02:04'));
    const from = known({ at: early, list: [alert('tree', { start_time: at('02:04') })] });
    const of = (clock: string, window: Window = NEXT_DEPARTURE) => {
      const departures = [{ ...departure(clock), duration_min: 60 }];
      const state = stateOf({ ...one, departures }, from, window, early);
      return stateWords(state, early)[0];
    };
    const today = (clock: string | null): Window => ({ kind: 'date', day: '2026-11-22', clock });

    for (const clock of ['23:00', '08:00', '04:05'])
      expect(of(clock), clock).toBe('High: Incident tree, its end is not known');
    for (const clock of ['04:04', '02:10', '02:00']) expect(of(clock), clock).toBe('High: Incident tree');
    expect(of('23:00', today(null))).toBe('High: Incident tree, its end is not known');
    expect(of('04:00', today('22:00'))).toBe('High: Incident tree, its end is not known');
    expect(of('04:00', today('03:00'))).toBe('High: Incident tree');
    expect(of('23:00', { kind: 'now' })).toBe('High: Incident tree');
  });

  it('leaves out departures of today that have left, and names no vehicle if none leaves any more', () => {
    const day: Window = { kind: 'date', day: '2026-11-22', clock: null };
    const trip = (...clocks: string[]) =>
      stateOf({ ...one, departures: clocks.map(departure) }, tree(), day, now).trip?.departure_id;

    expect(trip('06:30', '19:00')).toBe('19:00');
    expect(trip('06:30')).toBeUndefined();
    // The 15:00 is on the road until 19:00, and past the tree.
    expect([trip('15:00', '06:30'), trip('15:00', '19:00')]).toEqual(['15:00', '19:00']);
    expect(trip('17:25', '19:00')).toBe('17:25'); // it has the tree ahead
    expect(trip('13:30')).toBeUndefined(); // it arrives in this very minute
  });

  it('is a day from its time on', () => {
    const planned = tree({
      metadata: { phase: 'planned' },
      start_time: '2026-11-24T08:30:00Z',
      end_time: '2026-11-24T09:00:00Z',
    });
    const from = (clock: string | null) => said(planned, { kind: 'date', day: '2026-11-24', clock });

    expect(from(null)).toBe('High: Incident tree, from 24 Nov 08:30');
    expect(from('07:00')).toBe('High: Incident tree, from 24 Nov 08:30');
    expect(from('06:30')).toBe('Clear on Tue 24 Nov, 06:30 to 08:30, as far as we know');
    expect(from('09:00')).toBe('Clear on Tue 24 Nov, 09:00 to 11:00, as far as we know');
  });
});

it.each([
  ['06:40', true, '06:40, in 26 min'],
  ['08:00', true, '08:00, in 1 h 46'],
  ['06:14', true, 'left 06:14'],
  ['05:30', true, 'left 05:30'],
  ['06:40', false, '06:40'],
  ['02:00', true, '02:00 tomorrow'], // it arrived at 06:00
])('names the window of the departure at %s', (clock, counting, expected) => {
  const state = stateOf(watch({ departures: [departure(clock)] }), known(), NEXT_DEPARTURE, NOW);

  expect(rowWindow(state, NOW, counting)).toBe(expected);
});

it('is as old as the oldest of the sources that it rests on', () => {
  const heard = [source('national-highways'), source('met-office', { last_collected: at('06:02') })];

  expect(stateOf(watch(), known({ heard }), NEXT_DEPARTURE, NOW).checked).toEqual(new Date(at('06:02')));
});

describe('affected now', () => {
  const NIGHT = new Date(at('19:17'));
  const rain = (fields: Partial<Alert> = {}) =>
    known({ at: NIGHT, list: [alert('rain', { severity: 'medium', ...fields })] });
  const route = (departures: string[], level: Brief['level'] = 'certain') =>
    watch({
      matches: [match('rain', level)],
      departures: departures.map(departure),
    });
  const words = (one: ListedWatch, from: Known) => {
    const state = affectedNow(one, from, NIGHT);
    return state && `${rowWindow(state, NIGHT, true)} | ${stateWords(state, NIGHT)[0]}`;
  };

  it('are incidents ahead of the coach on the road and not behind it, for "Now" as for its departure', () => {
    const night = new Date('2026-11-22T01:45:00Z');
    const coach = watch({
      length_km: 400,
      departures: [{ ...departure('23:00'), duration_min: 300 }],
      matches: [match('tree', 'certain', { from_km: 20, to_km: 22 })],
    });
    const fallen = known({ at: night, list: [alert('tree', { severity: 'critical' })] });
    const said = (window: Window) => {
      const state = stateOf(coach, fallen, window, night);
      return `${rowWindow(state, night, true)} | ${stateWords(state, night)[0]}`;
    };

    expect(affectedNow(coach, fallen, night)).toBeNull();
    expect(affectedNow(route(['17:08'], 'possible'), rain(), NIGHT)).toBeNull();
    for (const window of [NEXT_DEPARTURE, { kind: 'now' } as const])
      expect(said(window)).toBe(
        'left 23:00 yesterday | Clear on the way, left 23:00 yesterday, as far as we know',
      );
  });

  it('says that no departure meets an incident if no coach counts', () => {
    const over = rain({ end_time: at('22:00') });
    expect(words(route(['07:20']), over)).toBe('now | Medium: Incident rain, no departure meets it');
    expect(words(route(['07:20'], 'possible'), over)).toBe(
      'now | Possible trouble now, no departure meets it',
    );
  });

  it('says which departure meets it, and when', () => {
    expect(words(route(['17:08', '19:30']), rain())).toBe('19:30, in 13 min | Medium: Incident rain');
    expect(words(route(['07:20']), rain())).toBe(
      '07:20 tomorrow | Medium: Incident rain, its end is not known',
    );
  });

  it('are the incidents of now, even if the next departure is later and meets fewer', () => {
    const one = route(['07:20']);
    const both = { ...one, matches: [...one.matches!, match('small')] };
    const list = [
      alert('rain', { severity: 'critical', end_time: at('21:00') }),
      alert('small', { severity: 'low' }),
    ];

    expect(words(both, known({ at: NIGHT, list }))).toBe(
      'now | Critical: Incident rain, no departure meets it',
    );
  });

  it('has routes about which nothing can be said, and none that is known to be clear', () => {
    expect(words({ ...route([]), matches: [] }, known({ at: NIGHT }))).toBeNull();
    expect(words({ ...route([]), matches: null }, known({ at: NIGHT }))).toMatch(/Do not rely on this/);
    const stale = source('national-highways', { freshness: 'stale', last_collected: at('18:41') });
    const silent = { ...rain({ end_time: at('22:00') }), sources: new Map([[stale.source, stale]]) };
    // The vehicle of tomorrow meets nothing: what may be there now is counted, not dropped.
    expect(affectedNow(route(['07:20'], 'possible'), silent, NIGHT)).toMatchObject({
      standing: 'silent',
      possible: [{ match: { subject_id: 'rain' } }],
    });
    expect(affectedNow({ ...route(['07:20']), matches: [] }, silent, NIGHT)).toMatchObject({
      window: NEXT_DEPARTURE,
    });
    expect(words({ ...route([]), matches: [], checking: true }, known({ at: NIGHT }))).toBe(
      'now | Checking…',
    );
  });
});

it('counts nothing outside its hours, and says when they begin', () => {
  const now = new Date(at('06:15'));
  const hours = { days: 127, from: '07:00', to: '20:00' };
  const off = stateOf(
    watch({ kind: 'area', when: hours, matches: [match('a')] }),
    known({ list: [alert('a')] }),
    { kind: 'now' },
    now,
  );
  expect([off.standing, countOf(off), stateWords(off, now)]).toEqual(['off', 0, ['Not watching now']]);
  expect(off.from).toEqual(new Date(at('07:00')));
  // Neither what is beyond its list nor a silent source counts at that time.
  const stale = source('national-highways', { freshness: 'stale' });
  const feeds = watch({ kind: 'feeds', when: hours, beyond: { high: 2 } });
  const asleep = stateOf(feeds, known({ heard: [stale] }), { kind: 'now' }, now);
  expect([asleep.standing, countOf(asleep), asleep.silence]).toEqual(['off', 0, null]);
  const awakeAt = new Date(at('07:00'));
  expect(stateOf(feeds, known({ at: awakeAt }), { kind: 'now' }, awakeAt).from).toBeNull();
  // A time that is over begins only once.
  const over: Window = { kind: 'date', day: '2026-11-21', clock: null };
  expect(stateOf(watch({ kind: 'area', when: hours }), known(), over, now).from).toBeNull();
  const on = (clock: string) =>
    stateOf(
      watch({ kind: 'area', when: hours, matches: [match('a')] }),
      known({ list: [alert('a')] }),
      { kind: 'date', day: '2026-11-23', clock },
      now,
    ).standing;
  expect([on('06:00'), on('03:00')]).toEqual(['certain', 'off']);
  // The next twelve hours are watched in part.
  const ahead = stateOf(
    watch({ kind: 'area', when: hours, matches: [match('a')] }),
    known({ list: [alert('a')] }),
    { kind: 'hours' },
    now,
  );
  expect(countOf(ahead)).toBe(1);
});

it('counts incidents of a whole feed that it does not name, and names the grade that none has', () => {
  const now = new Date(at('06:15'));
  const feeds = watch({ kind: 'feeds', matches: [match('a')], beyond: { high: 7, low: 2 } });
  expect(countOf(stateOf(feeds, known({ list: [alert('a')] }), { kind: 'now' }, now))).toBe(10);
  const quiet = stateOf(
    watch({ kind: 'area', which: { ...WHICH, min_severity: 'high' } }),
    known(),
    { kind: 'now' },
    now,
  );
  expect(stateWords(quiet, now)[0]).toBe('Nothing high or worse');
  const calm = watch({ kind: 'area', which: { ...WHICH, min_severity: 'critical' } });
  expect(stateWords(stateOf(calm, known(), { kind: 'now' }, now), now)[0]).toBe('Nothing critical');
});

describe('the counts at its edges', () => {
  it('name only counts above 0', () => {
    const of = (certain: number, possible: number, snoozed?: number) =>
      countWords({
        certain: Array.from({ length: certain }),
        possible: Array.from({ length: possible }),
        ...(snoozed !== undefined && { snoozed }),
      } as Parameters<typeof countWords>[0]);
    expect([of(1, 0), of(0, 2), of(0, 0), of(0, 0, 0), of(1, 1, 3)]).toEqual([
      '1 certain',
      '2 possible',
      '',
      '',
      '1 certain, 1 possible, 3 snoozed',
    ]);
  });

  it('take snoozed incidents out of both counts, and leave the rest unchanged', () => {
    const one = watch({ matches: [match('a'), match('b', 'possible'), match('c', 'possible')] });
    const state = stateOf(one, known({ list: [alert('a'), alert('b'), alert('c')] }), { kind: 'now' }, NOW);
    const left = awake(state, new Set(['a', 'b']), NOW);
    expect([left.certain, left.possible.map(({ match: { subject_id } }) => subject_id)]).toEqual([[], ['c']]);
    expect([left.snoozed, left.standing]).toEqual([2, 'certain']);
    expect(awake(state, new Set(['elsewhere']), NOW)).toBe(state);
  });

  it('counts down by the minute below an hour, and gives the clock alone from twelve hours on', () => {
    const one = watch({ departures: [departure('18:30')] });
    const shown = (time: string) => {
      const now = new Date(time);
      return rowWindow(stateOf(one, known({ at: now }), NEXT_DEPARTURE, now), now, true);
    };
    expect(shown('2026-11-22T06:30:00Z')).toBe('18:30');
    expect(shown('2026-11-22T06:30:01Z')).toBe('18:30, in 12 h');
    expect(shown('2026-11-22T17:30:00Z')).toBe('18:30, in 1 h');
    expect(shown('2026-11-22T17:31:00Z')).toBe('18:30, in 59 min');
  });

  it('is as old as the oldest source that is heard and not silent', () => {
    const checked = (...heard: SourceEntry[]) =>
      stateOf(watch(), known({ heard }), { kind: 'now' }, NOW).checked?.toISOString() ?? null;
    const [roads, weather] = [
      source('national-highways', { last_collected: at('06:10') }),
      source('met-office'),
    ];
    expect(checked(roads, weather)).toBe('2026-11-22T06:10:00.000Z');
    expect(checked({ ...roads, freshness: 'stale' }, weather)).toBe('2026-11-22T06:14:00.000Z');
    expect(checked({ ...roads, state: 'not_configured' }, weather)).toBe('2026-11-22T06:14:00.000Z');
    expect(checked(weather)).toBe('2026-11-22T06:14:00.000Z');
  });

  it('lies behind from the age on at which it counts as behind', () => {
    const behind = (ms: number) =>
      stateOf(watch(), known({ behindSince: new Date(NOW.getTime() - ms) }), { kind: 'now' }, NOW).standing;
    expect([behind(0), behind(24 * 3_600_000)]).toEqual(['clear', 'silent']);
  });
});
