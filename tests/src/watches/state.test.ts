import { describe, expect, it } from 'vitest';
import type { Alert, SourceEntry } from '../../../src/api/disruptions.ts';
import type { Brief, ListedWatch } from '../../../src/api/watches.ts';
import {
  countWords,
  inOrder,
  type Known,
  stateOf,
  stateWords,
  tripWords,
} from '../../../src/watches/state.ts';
import { NEXT_DEPARTURE, type Window } from '../../../src/watches/window.ts';

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
  matches: [],
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

describe('what a route’s row says', () => {
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

  it('is "Clear as far as we know" only while all that report on it are heard', () => {
    expect(words(watch(), known())).toEqual(['Clear as far as we know']);
  });

  it('is "Do not rely on this" where a source is stale, with the time of the older', () => {
    const heard = [
      source('national-highways', { freshness: 'stale', last_collected: at('05:41') }),
      source('met-office', { freshness: 'stale', last_collected: at('05:50') }),
    ];

    expect(words(watch(), known({ heard }))).toEqual([
      'Do not rely on this: no information from National Highways, Met Office warnings since 05:41',
    ]);
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

  it('is "Possible trouble" where only possible matches are', () => {
    const one = watch({ matches: [match('a', 'possible')] });

    expect(words(one, known({ list: [alert('a')] }))).toEqual(['Possible trouble']);
  });

  it.each([
    ['is not set up', { state: 'not_configured', freshness: null }],
    ['was never collected', { state: 'idle', freshness: null }],
  ] as const)('names a source that %s', (_, fields) => {
    const heard = [source('national-highways'), source('met-office', fields)];

    expect(words(watch(), known({ heard }))).toEqual([
      'No trouble reported. We cannot see: Met Office warnings',
    ]);
  });

  it('names a source of which the answer says nothing', () => {
    expect(words(watch(), known({ heard: [source('national-highways')] }))).toEqual([
      'No trouble reported. We cannot see: Met Office warnings',
    ]);
  });

  it('never says clear where no source is named at all', () => {
    expect(words(watch({ sources: [] }), known())[0]).not.toMatch(/clear/i);
  });

  it('never says clear of an answer that is three minutes old', () => {
    expect(words(watch(), known({ at: new Date('2026-11-22T06:11:31Z') }))).toEqual([
      'Clear as far as we know',
    ]);
    expect(words(watch(), known({ at: new Date('2026-11-22T06:11:30Z') }))).toEqual([
      'Do not rely on this: no information from any source since 06:11',
    ]);
  });

  it('never says clear when matching is two minutes behind', () => {
    expect(words(watch(), known({ behindSince: new Date('2026-11-22T06:12:30Z') }))).toEqual([
      'Do not rely on this: no information from any source since 06:12',
    ]);
  });

  it('never says clear where the matches could not be read', () => {
    expect(words(watch({ matches: null }), known())).toEqual([
      'Do not rely on this: no information from any source',
    ]);
  });

  it('counts a match whose incident the answer does not have', () => {
    expect(words(watch({ matches: [match('gone')] }), known())).toEqual(['Alert without a title']);
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
    ['now', { kind: 'now' }, '08:14', '09:00', 'certain'],
    ['now', { kind: 'now' }, '08:15', '09:00', 'clear'],
    ['in 12 hours', { kind: 'hours' }, '18:00', '19:00', 'certain'],
    ['in 12 hours', { kind: 'hours' }, '18:15', '19:00', 'clear'],
    ['on a date', { kind: 'date', day: '2026-11-22' }, '23:00', '23:30', 'certain'],
    ['on another date', { kind: 'date', day: '2026-11-23' }, '23:00', '23:30', 'clear'],
    // The 06:40 is at km 20 at 06:55 and at km 28 at 07:01.
    ['for the departure', NEXT_DEPARTURE, '07:45', '09:00', 'certain'],
    ['for the departure', NEXT_DEPARTURE, '07:46', '09:00', 'clear'],
    ['for the departure', NEXT_DEPARTURE, '06:00', '06:40', 'clear'],
  ] as const)('%s', (_, window, start, end, expected) => {
    expect(standing(planned(start, end), window)).toBe(expected);
  });

  it('is "now" for a route without departures', () => {
    const none = { ...one, departures: [] };

    expect(stateOf(none, planned('08:14', '09:00'), NEXT_DEPARTURE, NOW).standing).toBe('certain');
  });
});

it('is not clear while a source that covers it is late', () => {
  const late = known({
    heard: [source('national-highways', { freshness: 'late' }), source('met-office')],
  });
  const state = stateOf(watch({ matches: [] }), late, { kind: 'now' }, NOW);

  expect(state.standing).toBe('late');
  expect(stateWords(state, NOW)).toEqual(['No trouble reported. Late: National Highways']);
});

it('lists certain trouble by grade, then what cannot be relied on, possible, unseen and clear; the next to leave first', () => {
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
    watch({ name: 'clear, later', departures: [departure('09:00')] }),
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
    'clear, later',
    'clear, never',
  ]);
});

it.each([
  ['06:40', true, '06:40, in 26 min'],
  ['08:00', true, '08:00, in 1 h 46'],
  ['06:14', true, '06:14, now'],
  ['06:40', false, '06:40'],
  ['06:00', true, 'tomorrow 06:00'],
])('says that the next departure is at %s', (clock, counting, expected) => {
  const { trip } = stateOf(watch({ departures: [departure(clock)] }), known(), NEXT_DEPARTURE, NOW);

  expect(tripWords(trip!, NOW, counting)).toBe(expected);
});

it('is as old as the oldest of the sources that it rests on', () => {
  const heard = [source('national-highways'), source('met-office', { last_collected: at('06:02') })];

  expect(stateOf(watch(), known({ heard }), NEXT_DEPARTURE, NOW).checked).toEqual(new Date(at('06:02')));
});
