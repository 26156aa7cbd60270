import { isRunning } from '#contract/watches/jobs.ts';
import { describe, expect, it } from 'vitest';
import { inForce, liesAhead } from '#contract/watches/departures.ts';
import { isPlanned } from '#contract/incidents/disruptions.ts';
import { tripOfJob } from '#contract/watches/jobs.ts';
import { WHICH } from '#contract/watches/whichIncidents.ts';
import type { Alert, SourceEntry } from '../../../src/api/alerts/disruptions.ts';
import type { Job } from '../../../src/api/watches/jobs.ts';
import type { Brief, ListedWatch } from '../../../src/api/watches/watches.ts';
import {
  arrivalLine,
  awakeJob,
  dayJob,
  isAffected,
  isFound,
  jobsInOrder,
  jobWords,
  leavesWords,
  refWords,
  slotWords,
  touchWords,
  tripName,
} from '../../../src/watches/jobState.ts';
import { DRIVER_MAX } from '../../../src/screens/alert/copyTexts.ts';
import { driverWords } from '../../../src/screens/today/jobDriverText.ts';
import { withMarks } from '../../../src/screens/today/marks.ts';
import { type Known, stateOf } from '../../../src/watches/watchState.ts';

const NOW = new Date('2026-11-24T06:05:00Z');
const at = (clock: string, day = '2026-11-24') => `${day}T${clock}:00.000Z`;

const source = (slug: string, fields: Partial<SourceEntry> = {}): SourceEntry => ({
  source: slug,
  state: 'ok',
  freshness: 'fresh',
  last_collected: at('06:04'),
  ...fields,
});
const alert = (id: string, fields: Partial<Alert> = {}): Alert => ({
  event_id: id,
  source: 'national-highways',
  severity: 'critical',
  title: 'M62 eastbound closed, J26 to J27',
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
  from_km: 23,
  to_km: 30,
  ...fields,
});
const route = (matches: Brief[], fields: Partial<ListedWatch> = {}): ListedWatch => ({
  id: 'w1',
  kind: 'route',
  name: 'Leeds to Heathrow',
  named_by_hand: true,
  length_km: 330,
  sources: ['national-highways'],
  departures: [],
  which: WHICH,
  when: null,
  matches,
  checking: false,
  beyond: {},
  left_out: { grade: 0, others: 0 },
  rev: 1,
  ...fields,
});
const job = (fields: Partial<Job> = {}): Job => ({
  id: 'j1',
  day: '2026-11-24',
  ref: 'PC-2411',
  leaves_local: '06:10',
  leaves_at: at('06:10'),
  duration_min: 260,
  watch_id: 'w1',
  trip: 'Leeds → Heathrow T5',
  vehicle: 'YN21 ABC',
  driver: 'M. Hussain',
  people: 38,
  deadline_local: null,
  deadline_at: null,
  deadline_what: null,
  note: null,
  left_at: null,
  left_by: null,
  arrived_at: null,
  arrived_by: null,
  cancelled_at: null,
  cancelled_by: null,
  rev: 1,
  ...fields,
});
const known = (alerts: Alert[], sources = [source('national-highways')]): Known => ({
  alerts: new Map(alerts.map((one) => [one.event_id, one])),
  events: new Map(),
  sources: new Map(sources.map((one) => [one.source, one])),
  at: NOW,
  behindSince: null,
});
const of = (
  one: Job,
  { watch = route([]), alerts = [], now = NOW }: { watch?: ListedWatch; alerts?: Alert[]; now?: Date } = {},
) => dayJob(one, { watches: new Map([[watch.id, watch]]), known: known(alerts) }, now);
const said = (one: ReturnType<typeof of>, now = NOW) =>
  jobWords(one, now).map(({ bold, words }) => [bold, words].filter(Boolean).join(' '));

const M62 = alert('nh:1', {
  facts: {
    roads: ['M62'],
    stretch: [{ road: 'M62', from: 'J26', to: 'J27' }],
    direction: 'E',
    place: 'M62 eastbound, J26 to J27',
    effect: 'queues',
    cause: 'overturned lorry',
    advice: [],
    expected_clear: at('18:32'),
    delay_minutes: 40,
    delay_least: 0,
    closed: 'none',
  },
});

/** Random numbers, the same in every run. */
function* random(seed: number): Generator<number, never> {
  let state = seed;
  for (;;) {
    state = (state * 1664525 + 1013904223) % 4294967296;
    yield state / 4294967296;
  }
}

describe('the state of a job', () => {
  it('is that of a departure of its route at the same time, in 10,000 random cases', () => {
    const numbers = random(25);
    const next = (below: number) => Math.floor(numbers.next().value * below);
    const levels = ['certain', 'possible', 'near'] as const;
    const wrong: string[] = [];
    for (let tried = 0; tried < 10_000; tried++) {
      const alerts = Array.from({ length: next(4) }, (_, index) => {
        const phase = next(3) === 0 ? 'planned' : 'active';
        return alert(`nh:${index}`, {
          severity: (['critical', 'high', 'medium', 'low'] as const)[next(4)]!,
          start_time: new Date(NOW.getTime() + (next(1200) - 600) * 60_000).toISOString(),
          end_time: next(2) ? null : new Date(NOW.getTime() + (next(1200) - 300) * 60_000).toISOString(),
          metadata: { phase },
        });
      });
      const matches = alerts.map(({ event_id }) => {
        const from_km = next(5) === 0 ? null : next(300);
        return match(event_id, levels[next(3)]!, {
          from_km,
          to_km: from_km === null ? null : from_km + next(30),
        });
      });
      const leaves = new Date(NOW.getTime() - (NOW.getTime() % 60_000) + (next(900) - 60) * 60_000);
      const clock = leaves.toISOString().slice(11, 16);
      const duration_min = 30 + next(400);
      const departure = {
        id: 'd1',
        name: null,
        at_local: clock, // London's clock is UTC in November
        days: 127,
        from_date: leaves.toISOString().slice(0, 10),
        to_date: leaves.toISOString().slice(0, 10),
        except: [],
        duration_min,
      };
      const asDeparture = stateOf(
        route(matches, { departures: [departure] }),
        known(alerts),
        { kind: 'departure', id: 'd1' },
        NOW,
      );
      const { state } = of(job({ leaves_at: leaves.toISOString(), duration_min }), {
        watch: route(matches),
        alerts,
      });
      // A vehicle that has arrived is no departure any more.
      if (leaves.getTime() + duration_min * 60_000 <= NOW.getTime()) continue;
      const ids = (touches: readonly { match: Brief }[]) => touches.map((touch) => touch.match.subject_id);
      const shown = (as: NonNullable<typeof state>) =>
        JSON.stringify([as.standing, ids(as.certain), ids(as.possible)]);
      if (!state || shown(state) !== shown(asDeparture)) wrong.push(JSON.stringify(matches));
    }
    expect(wrong).toEqual([]);
  });

  it('equals a plain computation for each minute of a shift of eight hours with 41 jobs', () => {
    const numbers = random(41);
    const next = (below: number) => Math.floor(numbers.next().value * below);
    const alerts = Array.from({ length: 12 }, (_, index) =>
      alert(`nh:${index}`, { end_time: new Date(NOW.getTime() + next(600) * 60_000).toISOString() }),
    );
    const watch = route(
      alerts.map(({ event_id }) => {
        const from_km = next(300);
        return match(event_id, next(3) ? 'certain' : 'possible', { from_km, to_km: from_km + next(20) });
      }),
    );
    const jobs = Array.from({ length: 41 }, (_, index) =>
      job({
        id: `j${index}`,
        leaves_at: new Date(NOW.getTime() + next(600) * 60_000).toISOString(),
        left_at: null,
        duration_min: 60 + next(200),
      }),
    );
    for (let minute = 0; minute < 8 * 60; minute++) {
      const now = new Date(NOW.getTime() + minute * 60_000);
      const live = { ...known(alerts), at: now };
      live.sources = new Map([
        ['national-highways', source('national-highways', { last_collected: now.toISOString() })],
      ]);
      const found: unknown[] = [];
      const plain: unknown[] = [];
      for (const one of jobs) {
        const { state, group } = dayJob(one, { watches: new Map([[watch.id, watch]]), known: live }, now);
        const ahead = (Date.parse(one.leaves_at) - now.getTime()) / 60_000;
        const trip = tripOfJob(one, watch.length_km);
        const met = (level: string) =>
          watch
            .matches!.filter((one) => one.level === level)
            .filter((touch) => {
              const incident = live.alerts.get(touch.subject_id)!;
              return liesAhead(trip, touch, inForce(incident, isPlanned(incident), now), now);
            })
            .map(({ subject_id }) => subject_id)
            .toSorted();
        const ids = (touches: readonly { match: Brief }[]) =>
          touches.map((touch) => touch.match.subject_id).toSorted();
        found.push([one.id, group, ids(state!.certain), ids(state!.possible)]);
        const due = ahead <= -30 ? 'way' : ahead <= 120 ? 'soon' : 'later';
        plain.push([one.id, due, met('certain'), met('possible')]);
      }
      expect(found, now.toISOString()).toEqual(plain);
    }
  });

  it('names first the incident that touches it, when it is there and until when', () => {
    const one = of(job(), { watch: route([match('nh:1')]), alerts: [M62] });
    expect(said(one)).toEqual([
      'Critical: M62 J26–J27 eastbound queues, reached about 06:28, until about 18:32',
    ]);
    expect(arrivalLine(one)).toEqual({ plate: null, bold: '', words: 'arrives 10:30 to 11:10' });
    expect(isAffected(one)).toBe(true);
  });

  it('is neither clear nor affected without a route', () => {
    const one = of(job({ watch_id: 'gone' }));
    expect(said(one)).toEqual(['No route: we cannot say']);
    expect(isAffected(one)).toBe(false);
    expect(one.arrival).toBeNull();
  });

  it('says that it is clear, or which source cannot be relied on', () => {
    expect(said(of(job()))).toEqual(['Clear as far as we know']);
    const silent = dayJob(
      job(),
      {
        watches: new Map([['w1', route([])]]),
        known: known([], [source('national-highways', { freshness: 'stale', last_collected: at('05:12') })]),
      },
      NOW,
    );
    expect(said(silent)).toEqual(['Do not rely on this: no information from National Highways since 05:12']);
    expect(jobWords(silent, NOW)).toEqual([{ bold: said(silent)[0], words: '' }]);
    expect(isAffected(silent)).toBe(true);
    // Nothing is known about its arrival either.
    for (const unknown of [{ checking: true }, { matches: null }])
      expect(arrivalLine(of(job(), { watch: route([], unknown) }))).toBeNull();
  });

  it('is never clear beside an unknown delay, which it has met before', () => {
    const now = new Date(at('08:00'));
    const past = (facts: object) => {
      const alerts = [{ ...M62, facts: { ...M62.facts, ...facts } } as Alert];
      const all = {
        ...known(alerts, [source('national-highways', { last_collected: at('07:59') })]),
        at: now,
      };
      const watches = new Map([['w1', route([match('nh:1')])]]);
      const one = dayJob(job({ left_at: at('06:10') }), { watches, known: all }, now);
      expect(said(one, now)).toEqual(['Past its trouble. Clear as far as we know']);
      return arrivalLine(one)?.words;
    };
    expect(past({ delay_minutes: null, delay_least: null })).toBe('Delay not told');
    expect(past({ closed: 'full' })).toBe('No arrival can be said: M62 closed');
  });

  it('ignores incidents that began behind the vehicle', () => {
    const now = new Date(at('09:00'));
    const line = (start_time: string) => {
      const all = {
        ...known(
          [{ ...M62, start_time } as Alert],
          [source('national-highways', { last_collected: at('08:59') })],
        ),
        at: now,
      };
      const watches = new Map([['w1', route([match('nh:1')])]]);
      return arrivalLine(dayJob(job({ left_at: at('06:10') }), { watches, known: all }, now))?.words;
    };
    expect(line(at('06:20'))).toBe('arrives 10:30 to 11:10');
    expect(line(at('08:30'))).toBeUndefined(); // it passed J27 at 06:34
  });

  it('names a region and the number of others, if a warning has many', () => {
    const place = 'North East England, North West England, Yorkshire & Humber and East Midlands';
    const wind = alert('met:1', {
      source: 'met-office',
      event_type: 'weather.wind',
      title: 'Amber wind warning',
      facts: { place, effect: 'amber wind warning', cause: null, roads: [], stretch: [] } as never,
    });
    const [line] = said(of(job(), { watch: route([match('met:1')]), alerts: [wind] }));
    expect(line).toBe(
      'Critical: North East England and 3 more: amber wind warning, reached about 06:28, no end told',
    );
  });

  it('says when an incident begins, if the vehicle is on that stretch earlier', () => {
    const wind = alert('met:1', {
      source: 'met-office',
      title: 'Wind warning',
      start_time: at('06:40'),
      metadata: { phase: 'planned' } as never,
    });
    const [line] = said(of(job(), { watch: route([match('met:1')]), alerts: [wind] }));
    expect(line).toContain(', from 06:40, ');
    expect(line).not.toContain('reached');
  });

  it('has no arrival if there is none to give, and compares the deadline with the given one', () => {
    expect(arrivalLine(of(job({ deadline_at: at('11:20') })))).toBeNull();
    const untold = { ...M62, facts: { ...M62.facts, delay_minutes: null, delay_least: null } };
    const watch = route([match('nh:1')]);
    expect(arrivalLine(of(job(), { watch, alerts: [untold as Alert] }))?.words).toBe('Delay not told');
    const line = (deadline: string) =>
      arrivalLine(of(job({ deadline_at: at(deadline) }), { watch, alerts: [M62] }));
    expect(line('10:20')).toMatchObject({ plate: 'will', bold: 'Will miss it' });
    expect(line('10:50')).toMatchObject({ plate: 'may', bold: 'May miss it' });
    expect(line('11:20')).toMatchObject({ plate: null, bold: '10 min left' });
  });

  it('gives no arrival while its route is checked, or its matches are not known', () => {
    const matches = [match('nh:1')];
    for (const watch of [route(matches, { checking: true }), route([], { matches: null })])
      expect(of(job({ left_at: at('06:00') }), { watch, alerts: [M62] }).arrival).toBeNull();
    const checking = of(job(), { watch: route([], { checking: true }) });
    expect(jobWords(checking, NOW)).toEqual([{ bold: 'Checking…', words: '' }]);
    expect(isAffected(checking)).toBe(true);
  });

  it('counts only certain and known delays for the arrival', () => {
    const possible = of(job(), { watch: route([match('nh:1', 'possible')]), alerts: [M62] });
    expect(arrivalLine(possible)).toBeNull();
    expect(said(possible)).toEqual([
      'Possible trouble: M62 J26–J27 eastbound queues, reached about 06:28, until about 18:32',
    ]);
    const unknown = of(job(), { watch: route([match('nh:1')]) });
    expect(arrivalLine(unknown)).toBeNull();
    expect(said(unknown)).toEqual(['Unrated: an alert without a title, reached about 06:28, no end told']);
    expect(arrivalLine(of(job({ watch_id: 'gone' })))).toBeNull();
  });

  it('leaves out unknown facts: the place where it is reached, or its effect', () => {
    const somewhere = of(job(), {
      watch: route([match('nh:1', 'certain', { from_km: null, to_km: null })]),
      alerts: [M62],
    });
    expect(said(somewhere)).toEqual(['Critical: M62 J26–J27 eastbound queues, until about 18:32']);
    const noEffect = { ...M62, facts: { ...M62.facts, effect: null } } as Alert;
    const [line] = said(of(job(), { watch: route([match('nh:1')]), alerts: [noEffect] }));
    expect(line).toMatch(/^Critical: M62 eastbound\b[^,]*, J26 to J27/);
  });

  it('says only that alerts are snoozed if the team has snoozed them', () => {
    const one = of(job(), { watch: route([match('nh:1')]), alerts: [M62] });
    const asleep = awakeJob(one, new Set(['nh:1']), NOW);
    expect(jobWords(asleep, NOW)).toEqual([{ bold: '', words: '1 snoozed' }]);
    expect(isAffected(asleep)).toBe(false);
    const maybe = of(job(), { watch: route([match('nh:1', 'possible')]), alerts: [M62] });
    expect(said(awakeJob(maybe, new Set(['nh:1']), NOW))).toEqual(['1 snoozed']);
    const both = of(job(), {
      watch: route([match('nh:1'), match('nh:2', 'possible')]),
      alerts: [M62, alert('nh:2')],
    });
    expect(said(awakeJob(both, new Set(['nh:1']), NOW))).toEqual(['1 snoozed']);
    const none = of(job({ watch_id: 'gone' }));
    expect(awakeJob(none, new Set(['nh:1']), NOW)).toBe(none);
  });

  it('says nothing more once it is done', () => {
    const watch = route([match('nh:1')]);
    for (const done of [{ arrived_at: at('06:04') }, { cancelled_at: at('06:04') }]) {
      const one = of(job({ deadline_at: at('10:20'), ...done }), { watch, alerts: [M62] });
      expect([one.group, said(one), arrivalLine(one), isAffected(one)]).toEqual(['done', [], null, false]);
    }
  });

  it('gives no verdict on a deadline if the sources cannot be relied on', () => {
    const stale = source('national-highways', { freshness: 'stale', last_collected: at('05:12') });
    const watches = new Map([['w1', route([])]]);
    const late = job({ leaves_at: at('05:00'), left_at: at('06:00'), deadline_at: at('10:00') });
    const [relied, silent] = [undefined, [stale]].map((sources) =>
      arrivalLine(dayJob(late, { watches, known: known([], sources) }, NOW)),
    );
    expect(relied).toMatchObject({ plate: 'will', bold: 'Will miss it' });
    expect(silent).toEqual({ plate: null, bold: '', words: relied!.words });
  });

  it('counts as affected while it may miss its deadline by a delay that is behind it', () => {
    const now = new Date(at('08:00'));
    const sources = [source('national-highways', { last_collected: at('07:59') })];
    const watches = new Map([['w1', route([match('nh:1')])]]);
    const one = (deadline: string) =>
      dayJob(
        job({ left_at: at('06:10'), deadline_at: at(deadline) }),
        { watches, known: { ...known([M62], sources), at: now } },
        now,
      );
    expect([isAffected(one('10:50')), isAffected(one('11:20'))]).toEqual([true, false]);
  });

  it('counts as affected while it misses its deadline, even with nothing ahead of it', () => {
    const late = (deadline: string) =>
      isAffected(of(job({ leaves_at: at('05:00'), left_at: at('06:00'), deadline_at: at(deadline) })));
    expect(late('10:00')).toBe(true);
    expect(late('11:00')).toBe(false);
  });
});

describe('the list', () => {
  it('keeps a job that nobody marked in "Leaves soon" for 30 minutes, then on the way', () => {
    const words = (clock: string) => {
      const now = new Date(at(clock));
      const one = of(job(), { now });
      return [one.group, slotWords(one, now), refWords(one, now)];
    };
    expect(words('04:09')).toEqual(['later', 'in 2 h 01', 'PC-2411 · YN21 ABC · M. Hussain']);
    expect(words('06:05')).toEqual(['soon', 'in 5 min', 'PC-2411 · YN21 ABC · M. Hussain']);
    expect(words('06:20')).toEqual([
      'soon',
      '10 min ago',
      'PC-2411 · YN21 ABC · M. Hussain · not marked as left',
    ]);
    expect(words('06:40')).toEqual([
      'way',
      '30 min ago',
      'PC-2411 · YN21 ABC · M. Hussain · leaving not told',
    ]);
  });

  it('has the worst first: certain, silent, possible, without a route, clear', () => {
    const watches = new Map(
      [
        route([match('nh:1')], { id: 'certain' }),
        route([], { id: 'silent', sources: ['traffic-wales'] }),
        route([match('nh:1', 'possible')], { id: 'possible' }),
        route([], { id: 'clear' }),
      ].map((watch) => [watch.id, watch] as const),
    );
    const all = known(
      [M62],
      [
        source('national-highways'),
        source('traffic-wales', { freshness: 'stale', last_collected: at('05:12') }),
      ],
    );
    const jobs = ['clear', 'none', 'possible', 'silent', 'certain'].map((id) =>
      dayJob(job({ id, watch_id: id }), { watches, known: all }, NOW),
    );
    expect(jobsInOrder(jobs).map((one) => one.job.id)).toEqual([
      'certain',
      'silent',
      'possible',
      'none',
      'clear',
    ]);
  });

  it('has those that are done by their time alone', () => {
    const watch = route([match('nh:1')]);
    const done = [job({ id: 'later', leaves_at: at('06:20') }), job({ id: 'sooner', watch_id: null })];
    const jobs = done.map((one) => of({ ...one, arrived_at: at('06:04') }, { watch, alerts: [M62] }));
    expect(jobsInOrder(jobs).map((one) => one.job.id)).toEqual(['sooner', 'later']);
  });

  it('has, within a rank, those first that leave first, in a fixed order', () => {
    const jobs = [
      job({ id: 'b' }),
      job({ id: 'c', leaves_at: at('06:20') }),
      job({ id: 'd', leaves_at: at('06:06') }),
      job({ id: 'a' }),
    ].map((one) => of(one));
    for (const order of [jobs, jobs.toReversed()])
      expect(jobsInOrder(order).map((one) => one.job.id)).toEqual(['d', 'a', 'b', 'c']);
  });

  it('shows marks, and asks for no mark then', () => {
    const words = (fields: Partial<Job>, clock = '06:30') => {
      const now = new Date(at(clock));
      const one = of(job({ ref: null, vehicle: null, ...fields }), { now });
      return [one.group, slotWords(one, now), refWords(one, now)];
    };
    const left = { left_at: at('06:05') };
    expect(words(left)).toEqual(['way', 'left 06:05', 'M. Hussain']);
    expect(words(left, '06:06')).toEqual(['way', 'left 06:05', 'M. Hussain']);
    expect(words({ ...left, arrived_at: at('10:41') })).toEqual(['done', 'arrived 10:41', 'M. Hussain']);
    expect(words({ ...left, cancelled_at: at('06:20') })).toEqual(['done', 'cancelled', 'M. Hussain']);
    expect(words({ arrived_at: at('10:41') }, '11:00')[2]).toBe('M. Hussain');
    expect(words({}, '06:10')).toEqual(['soon', 'now', 'M. Hussain']);
    expect(words({}, '05:11')[1]).toBe('in 59 min');
    expect(words({}, '05:10')[1]).toBe('in 1 h');
    expect(words({}, '04:10').slice(0, 2)).toEqual(['soon', 'in 2 h']);
  });

  it('keeps jobs of the day before that are on their way, but not those that ended before midnight', () => {
    const yesterday = '2026-11-23';
    const running = (fields: Partial<Job>) => isRunning(job(fields), NOW);
    const unknown = { duration_min: null };
    expect(running({ ...unknown, leaves_at: at('18:05', yesterday) })).toBe(false); // 12 hours ago
    expect(running({ ...unknown, leaves_at: at('18:06', yesterday) })).toBe(true);
    // Nobody marked it, and by its plan or the length of its route it arrived more than four hours ago.
    const short = { leaves_at: at('23:35', yesterday), duration_min: 150 };
    expect(running(short)).toBe(false);
    expect(running({ ...short, leaves_at: at('23:36', yesterday) })).toBe(true);
    expect(running({ ...short, left_at: at('18:06', yesterday) })).toBe(true);
    expect(isRunning(job({ ...short, ...unknown }), NOW, 200)).toBe(false);
    expect(isRunning(job({ ...short, ...unknown }), NOW, 207)).toBe(true);
    expect(running({ leaves_at: at('17:00', yesterday), left_at: at('18:30', yesterday) })).toBe(true);
    expect(running({ leaves_at: at('18:30', yesterday), left_at: at('18:00', yesterday) })).toBe(false);
    const days = { leaves_at: at('09:06', yesterday), duration_min: 17 * 60 };
    expect(running(days)).toBe(true); // for four hours after its time it may be late
    expect(running({ ...days, leaves_at: at('09:05', yesterday) })).toBe(false);
    const night = { leaves_at: at('23:00', yesterday) };
    for (const mark of ['arrived_at', 'cancelled_at'] as const) {
      expect(running({ ...night, [mark]: at('23:59', yesterday) })).toBe(false);
      expect(running({ ...night, [mark]: at('00:01') })).toBe(true);
    }
    expect(running({ ...night, arrived_at: at('23:58', yesterday), cancelled_at: at('00:01') })).toBe(true);
  });

  it('finds a job by every word of its row', () => {
    const found = (search: string, one = of(job())) => isFound(one, search);
    for (const search of ['06:10 leeds to heathrow t5', ' HUSSAIN ', 'yn21', 'pc-2411'])
      expect(found(search), search).toBe(true);
    expect(found('coventry')).toBe(false);
    const named = of(job(), { watch: route([], { name: 'Coventry by the M1' }) });
    expect(found('coventry', named)).toBe(true);
    expect(found('06:10', of(job({ watch_id: null })))).toBe(true);
  });

  it('names a trip in words, also if the sheet has none', () => {
    expect(tripName({ trip: 'Leeds → Heathrow T5' })).toBe('Leeds to Heathrow T5');
    expect(tripName({ trip: '  ' })).toBe('Job without a trip');
  });

  it('names the weekday of a job that leaves after midnight', () => {
    expect(leavesWords(job({ leaves_at: at('01:15', '2026-11-25') }))).toEqual({
      clock: '01:15',
      weekday: 'Wed',
    });
    expect(leavesWords(job())).toEqual({ clock: '06:10', weekday: null });
  });

  it('shows a mark before the server has it, and takes it back', () => {
    const action = (doing: object, refused: string | null = null) =>
      ({ id: 'a', event_id: 'j1', title: '', rev: 0, at: at('06:06'), doing, refused }) as never;
    const left = { kind: 'job', mark: 'left', undo: false };
    expect(withMarks([job()], [action(left)])[0]!.left_at).toBe(at('06:06'));
    expect(withMarks([job()], [action(left), action({ ...left, undo: true })])[0]!.left_at).toBeNull();
    expect(
      withMarks([job()], [action(left, 'Sam Lee marked this as left at 06:07.')])[0]!.left_at,
    ).toBeNull();
  });
});

describe('the text for the driver', () => {
  it('gives the effect, the end and when it is reached, in 160 characters', () => {
    const one = of(job(), { watch: route([match('nh:1')]), alerts: [M62] });
    expect(driverWords(one.state!, one.arrival, NOW)).toBe(
      'M62 eastbound, J26 to J27: queues, overturned lorry until about 18:32. You reach it about 06:28. Up to 40 min.',
    );
    const advice = ['Follow the signed diversion by the A58 and the A650. '.repeat(3).trim()];
    const long = { ...M62, facts: { ...M62.facts, advice } } as Alert;
    const other = of(job(), { watch: route([match('nh:1')]), alerts: [long] });
    const text = driverWords(other.state!, other.arrival, NOW);
    expect(text.length).toBeLessThanOrEqual(DRIVER_MAX);
    expect(text).toContain('Up to 40 min.');
    expect(text).not.toContain('Follow');
  });

  it('says when an incident begins if the vehicle is there earlier; for nightly works, this night’s times', () => {
    const nightly = { start: at('22:00', '2026-11-20'), end: null, from: '06:40', to: '09:00' };
    const works = { ...M62, metadata: { phase: 'active' }, windows: [nightly] } as Alert;
    const one = of(job(), { watch: route([match('nh:1')]), alerts: [works] });
    expect(driverWords(one.state!, one.arrival, NOW)).toContain(
      'You reach it about 06:28. It begins at 06:40.',
    );
    expect(touchWords(one.state!.certain[0]!, one.state!, NOW)).toContain(', from 06:40,');
  });

  it('leaves out when it is reached if that has passed, and is empty if nothing is certain', () => {
    const now = new Date(at('06:30'));
    const one = of(job(), { watch: route([match('nh:1')]), alerts: [M62], now });
    expect(driverWords(one.state!, one.arrival, now)).not.toContain('You reach it');
    const clear = of(job());
    expect(driverWords(clear.state!, clear.arrival, NOW)).toBe('');
  });
});
