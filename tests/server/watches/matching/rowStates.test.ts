/** The rows of fourteen routes and of 41 jobs, minute by minute over a shift of the replay. They are compared with a
 *  plain computation that shares no rule with them: it knows departures, kilometres, the times of incidents and
 *  London's clock. */
import { WHICH } from '#contract/watches/whichIncidents.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Departure, Watch, WatchList, WatchMatches } from '#contract/watches/watches.ts';
import type { Watches } from '../../../../src/api/watches/watches.ts';
import type { HistoryBoard } from '#contract/history/history.ts';
import type { Imported, JobList } from '#contract/watches/jobs.ts';
import { londonDay } from '#contract/london.ts';
import type { Job } from '../../../../src/api/watches/jobs.ts';
import { dayJob } from '../../../../src/watches/jobState.ts';
import { knownOf, type RouteState, stateOf } from '../../../../src/watches/watchState.ts';
import { stateWords } from '../../../../src/watches/stateWords.ts';
import { NEXT_DEPARTURE } from '../../../../src/watches/timeWindow.ts';
import { example } from '../../../../server/calls/reference/examples.ts';
import { matches } from '../../../../server/watches/matching/matchStore.ts';
import { amount } from '../../../support/long.ts';
import { openTestApp, type TestApp } from '../../app/testApp.ts';
import { poll, record } from '../../feedsWorld.ts';
import { openShiftReplay, POLLED_EVERY, SHIFT_LEGS, type ShiftReplay } from '../../shiftReplay.ts';

const { watchRequest } = example;

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

interface Row {
  standing: string;
  certain: string[];
  possible: string[];
  trip: string | null;
  /** "for 06:10", "on the way, left 15:30" */
  when: string;
}

const READING = new Intl.DateTimeFormat('sv-SE', {
  timeZone: 'Europe/London',
  dateStyle: 'short',
  timeStyle: 'short',
});
/** Answers are kept for each input: the same minutes are asked about for every row, and formatting one is slow. */
function asked<Input, Output>(answer: (input: Input) => Output): (input: Input) => Output {
  const known = new Map<Input, Output>();
  return (input) => {
    if (!known.has(input)) known.set(input, answer(input));
    return known.get(input)!;
  };
}

const readingOfMinute = asked((minute: number) => READING.format(minute * MINUTE));
/** "2026-11-22 06:10" on London's clock. */
const reading = (at: number) => readingOfMinute(Math.floor(at / MINUTE));

/** The first instant at which London's clock shows this time; a time that is left out counts as if the clock had not
 *  changed. */
function instantOf(day: string, clock: string): number {
  const utc = Date.parse(`${day}T${clock}:00Z`);
  return [utc - HOUR, utc].find((at) => reading(at) === `${day} ${clock}`) ?? utc;
}

const dayAfter = asked((dayAndMore: string) => {
  const [day, more] = dayAndMore.split(' ');
  return new Date(Date.parse(`${day}T12:00:00Z`) + Number(more) * 24 * HOUR).toISOString().slice(0, 10);
});
const dayOf = (at: number, more = 0) => dayAfter(`${reading(at).slice(0, 10)} ${more}`);

/** Monday is 0. */
const weekday = asked((day: string) => {
  const names = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];
  return names.indexOf(new Date(`${day}T12:00:00Z`).toUTCString().slice(0, 3));
});

function runs(departure: Departure, day: string): boolean {
  if (!(departure.days & (2 ** weekday(day)))) return false;
  if (departure.from_date !== null && departure.from_date > day) return false;
  return departure.to_date === null || departure.to_date >= day;
}

interface PlainTrip {
  leaves: number;
  arrives: number;
}

const GRADES = ['critical', 'high', 'medium', 'low', 'unrated'];

/** When a vehicle is at these kilometres, a little early or late. */
function plainSpan(
  { leaves, arrives }: PlainTrip,
  length_km: number,
  from_km: number | null,
  to_km: number | null,
) {
  const when = (km: number) => leaves + Math.min(1, Math.max(0, km / length_km)) * (arrives - leaves);
  const end = to_km === null ? arrives : when(to_km);
  return { first: (from_km === null ? leaves : when(from_km)) - 15 * MINUTE, end, last: end + 45 * MINUTE };
}

/** Incidents that these vehicles have ahead, and how each meets them. */
function plainlyMet(
  list: Watches,
  watch: Watches['watches'][number],
  trips: readonly PlainTrip[],
  at: number,
) {
  return (watch.matches ?? []).flatMap((match) => {
    const incident = list.incidents.find(({ event_id }) => event_id === match.subject_id);
    if (!incident || match.level === 'near') return [];
    const starts = incident.start_time ? Date.parse(incident.start_time) : -Infinity;
    const ends = incident.end_time ? Date.parse(incident.end_time) : Infinity;
    const isPlanned = incident.metadata?.phase === 'planned';
    const from = isPlanned ? starts : -Infinity;
    const to = !isPlanned && ends <= at ? Infinity : ends;
    const metBy = trips.map((trip) => {
      const { leaves } = trip;
      const { first, end, last } = plainSpan(trip, watch.length_km, match.from_km, match.to_km);
      const next = Math.max(at, first);
      // By plan the vehicle is a quarter of an hour beyond it, so it has passed: decision 44 counts only incidents
      // ahead.
      if (at >= leaves && at >= end + 15 * MINUTE) return null;
      if (next >= last || from >= last || next >= to) return null;
      return at >= leaves && at > end ? 'late' : 'ahead';
    });
    if (metBy.every((how) => how === null)) return [];
    const grade = incident.metadata?.severity_unrated ? 'unrated' : (incident.severity ?? 'unrated');
    return [
      {
        id: match.subject_id,
        level: match.level,
        rank: (match.level === 'certain' ? 0 : 5) + GRADES.indexOf(grade),
        metBy,
      },
    ];
  });
}

function plainRow(list: Watches, at: number, index: number): Row {
  const watch = list.watches[index]!;
  const all: { leaves: number; arrives: number }[] = [];
  for (let more = -3; more <= 8; more++)
    for (const departure of watch.departures) {
      const day = dayOf(at, more);
      if (!runs(departure, day)) continue;
      const leaves = instantOf(day, departure.at_local);
      const minutes =
        departure.duration_min ?? Math.max(5, Math.round(((watch.length_km / 80) * 60) / 5) * 5);
      all.push({ leaves, arrives: leaves + minutes * MINUTE });
    }
  all.sort((one, other) => one.leaves - other.leaves);
  let trips = all.filter(({ leaves, arrives }) => at >= leaves - 2 * HOUR && at < arrives);
  if (trips.length === 0) trips = all.filter(({ leaves }) => leaves > at).slice(0, 1);

  const found = plainlyMet(list, watch, trips, at);
  const ids = (level: string) =>
    found
      .filter((one) => one.level === level)
      .map(({ id }) => id)
      .sort();
  const [certain, possible] = [ids('certain'), ids('possible')];

  const sources = watch.sources.map((slug) => list.sources.find(({ source }) => source === slug));
  const isUnseen = (one: (typeof sources)[number]) =>
    !one || one.state === 'not_configured' || one.freshness == null;
  const standing =
    certain.length > 0
      ? 'certain'
      : sources.some((one) => one?.freshness === 'stale')
        ? 'silent'
        : possible.length > 0
          ? 'possible'
          : sources.some(isUnseen)
            ? 'unseen'
            : sources.some((one) => one?.freshness === 'late')
              ? 'late'
              : 'clear';

  const ranks = trips.map((_, which) =>
    Math.min(
      99,
      ...found.flatMap(({ metBy, rank }) =>
        metBy[which] ? [rank + (metBy[which] === 'late' ? 0.5 : 0)] : [],
      ),
    ),
  );
  const worst = Math.min(...ranks);
  const trip =
    worst < 99 ? trips[ranks.indexOf(worst)]! : (trips.find(({ leaves }) => leaves > at) ?? trips.at(-1)!);
  const clock = reading(trip.leaves).slice(11);
  const days = { [dayOf(at, -1)]: ' yesterday', [dayOf(at)]: '', [dayOf(at, 1)]: ' tomorrow' };
  const day = days[reading(trip.leaves).slice(0, 10)] ?? ' (another day)';
  const more = trips.length > 1 ? ` and ${trips.length - 1} more` : '';
  const when =
    trip.leaves <= at ? `on the way, left ${clock}${day}${more && `,${more}`}` : `for ${clock}${day}${more}`;
  return { standing, certain, possible, trip: new Date(trip.leaves).toISOString(), when };
}

/** The row that the screen makes of the same answer. Its words have the window wherever they do not name an
 *  incident. */
function shownRow(list: Watches, at: number, index: number, plain: Row): Row {
  const now = new Date(at);
  const state = stateOf(list.watches[index]!, knownOf(list, now), NEXT_DEPARTURE, now);
  const [words = ''] = stateWords(state, now);
  const ids = (touches: typeof state.certain) => touches.map(({ match }) => match.subject_id).sort();
  return {
    standing: state.standing,
    certain: ids(state.certain),
    possible: ids(state.possible),
    trip: state.trip?.leaves.toISOString() ?? null,
    when:
      ['certain', 'silent'].includes(state.standing) || words.includes(` ${plain.when}`) ? plain.when : words,
  };
}

interface JobRow {
  group: string;
  standing: string;
  certain: string[];
  possible: string[];
  /** "06:10 to 06:50"; null if none is given. */
  arrives: string | null;
}

/** The greatest sum of minutes of stretches that do not overlap, found by trying all. */
function plainSum(all: readonly { from: number; to: number; minutes: number }[]): number {
  const [first, ...others] = all;
  if (!first) return 0;
  const apart = others.filter(({ from, to }) => to < first.from || from > first.to);
  return Math.max(plainSum(others), first.minutes + plainSum(apart));
}

function plainJob(list: Watches, job: Job, at: number): JobRow {
  const watch = list.watches.find(({ id }) => id === job.watch_id)!;
  const planned = Date.parse(job.leaves_at);
  const leaves = job.left_at === null ? planned : Date.parse(job.left_at);
  const trip = { leaves, arrives: leaves + job.duration_min! * MINUTE };
  const found = plainlyMet(list, watch, [trip], at);
  const ids = (level: string) =>
    found
      .filter((one) => one.level === level)
      .map(({ id }) => id)
      .sort();
  const [certain, possible] = [ids('certain'), ids('possible')];
  const sources = watch.sources.map((slug) => list.sources.find(({ source }) => source === slug));
  const met = (watch.matches ?? []).flatMap((match) => {
    const incident = list.incidents.find(({ event_id }) => event_id === match.subject_id);
    if (!incident || match.level !== 'certain') return [];
    if (/^(rail|aviation|news)[.]/.test(incident.event_type ?? '')) return [];
    const starts = incident.start_time ? Date.parse(incident.start_time) : -Infinity;
    const ends = incident.end_time ? Date.parse(incident.end_time) : Infinity;
    const isPlanned = incident.metadata?.phase === 'planned';
    const { first, last } = plainSpan(trip, watch.length_km, match.from_km, match.to_km);
    const from = isPlanned || starts <= at ? starts : -Infinity;
    const to = !isPlanned && ends <= at ? Infinity : ends;
    return from < last && first < to ? [{ match, incident }] : [];
  });
  const isRoad = (type: string | null | undefined) => !/^(bus|weather|flood)[.]/.test(type ?? '');
  const told = new Map<string, { from: number; to: number; least: number; most: number }>();
  for (const { match, incident } of met) {
    const { delay_minutes: most, delay_least: least } = incident.facts ?? {};
    if (!most || !isRoad(incident.event_type)) continue;
    const before = told.get(incident.event_id);
    told.set(incident.event_id, {
      from: Math.min(before?.from ?? Infinity, match.from_km ?? -Infinity),
      to: Math.max(before?.to ?? -Infinity, match.to_km ?? Infinity),
      least: least ?? most,
      most,
    });
  }
  const isShut = met.some(({ incident }) => incident.facts?.closed === 'full' && !incident.facts.slip);
  const sum = (which: 'least' | 'most') =>
    plainSum([...told.values()].map((one) => ({ ...one, minutes: one[which] })));
  const clock = (minutes: number) => reading(trip.arrives + minutes * MINUTE).slice(11);
  const isLate = Math.round((leaves - planned) / MINUTE) !== 0 && met.length === 0;
  return {
    group:
      job.left_at !== null || at >= planned + 30 * MINUTE
        ? 'way'
        : planned - at <= 2 * HOUR
          ? 'soon'
          : 'later',
    standing:
      certain.length > 0
        ? 'certain'
        : sources.some((one) => one?.freshness === 'stale')
          ? 'silent'
          : possible.length > 0
            ? 'possible'
            : 'none',
    certain,
    possible,
    arrives: !isShut && (told.size > 0 || isLate) ? `${clock(sum('least'))} to ${clock(sum('most'))}` : null,
  };
}

function shownJob(list: Watches, job: Job, at: number): JobRow {
  const now = new Date(at);
  const watches = new Map(list.watches.map((watch) => [watch.id, watch]));
  const { state, group, arrival } = dayJob(job, { watches, known: knownOf(list, now) }, now);
  const ids = (touches: RouteState['certain']) => touches.map(({ match }) => match.subject_id).sort();
  const { standing, certain, possible } = state!; // each of them has a route
  const clock = (time: Date) => reading(time.getTime()).slice(11);
  const isShut = arrival!.kind === 'closed' || arrival!.counted.length + arrival!.untold.length === 0;
  return {
    group,
    standing: ['certain', 'silent', 'possible'].includes(standing) ? standing : 'none',
    certain: ids(certain),
    possible: ids(possible),
    arrives:
      arrival!.kind === 'told' && (!isShut || arrival!.leftLate !== 0)
        ? `${clock(arrival!.earliest)} to ${clock(arrival!.latest)}`
        : null,
  };
}

/** 41 jobs of the day, on all fourteen routes, from an hour before the shift until its end. */
const SHEET = Array.from({ length: 41 }, (_, index) => ({
  ref: `PC-${index}`,
  trip: `Trip ${index} → ${SHIFT_LEGS[index % SHIFT_LEGS.length]!}`,
  leaves_at: -60 + index * 13,
  duration_min: 30 + ((index * 37) % 240),
}));

/** Compares all rows; returns how many, and adds their states to `seen`. */
function compare(list: Watches, at: number, seen: Map<string, number>): number {
  list.watches.forEach((watch, index) => {
    const plain = plainRow(list, at, index);
    expect(shownRow(list, at, index, plain), `${watch.name} at ${reading(at)}`).toEqual(plain);
    const kind =
      plain.standing === 'certain' && plain.when.startsWith('on the way')
        ? 'certain, on the way'
        : plain.standing;
    seen.set(kind, (seen.get(kind) ?? 0) + 1);
  });
  return list.watches.length;
}

const departure = (at_local: string, fields: Partial<Departure> = {}): Departure => ({
  id: at_local,
  name: null,
  at_local,
  days: 127,
  from_date: null,
  to_date: null,
  except: [],
  duration_min: null,
  ...fields,
});

describe('a shift of eight hours in the replay', () => {
  const SHIFT_MINUTES = 8 * 60;
  /** All scenes are in the shift, so that incidents begin, change and end in the middle of it. */
  const SCENE_MINUTES = 60;

  /** A number that shares no factor with 60 and POLLED_EVERY moves through the minutes between two polls and two
   *  scenes. */
  const LOOKED_EVERY = amount('LOOKED_EVERY', { whole: 1, part: 11 });

  let world: ShiftReplay;
  beforeAll(async () => {
    world = await openShiftReplay();
  });
  afterAll(() => world.close());

  it('every row is at every minute as trips and incidents say', { timeout: 300_000 }, async () => {
    const seen = new Map<string, number>();
    let compared = 0;
    const { test } = world;
    let token = (await test.signIn()).access_token;
    const day = londonDay(test.now());
    const rows = SHEET.map(({ leaves_at, ...row }) => ({
      ...row,
      leaves_local: reading(test.now().getTime() + leaves_at * MINUTE).slice(11),
    }));
    const routes = (await test.get('/api/v1/watches/?summary=true', token)).json<WatchList>().watches;
    const trips = SHEET.map(({ trip }) => ({
      words: trip,
      watch_id: routes.find(({ name }) => trip.endsWith(`→ ${name}`))!.id,
    }));
    const added = await test.post('/api/v1/jobs/import', { day, rows, trips }, token);
    expect(added.json<Imported>(), added.body).toMatchObject({ added: SHEET.length, problems: [] });
    const jobsNow = async () =>
      (await test.get(`/api/v1/jobs?day=${day}`, token)).json<JobList>().jobs as Job[];
    const past = async (at: number) =>
      (await test.get(`/api/v1/history/board?at=${new Date(at).toISOString()}`, token)).json<HistoryBoard>();
    const sheet = await jobsNow();
    /** Jobs with something certain ahead, by the time of the look. */
    const stood = new Map<number, string[]>();
    for (let minute = 0; minute < SHIFT_MINUTES; minute++) {
      if (minute > 0 && minute % SCENE_MINUTES === 0) world.replay.step();
      if (minute % POLLED_EVERY === 0) {
        await world.collect();
        token = (await test.signIn()).access_token;
      }
      if (minute % LOOKED_EVERY === 0) {
        const reply = await test.get('/api/v1/watches/?summary=true', token);
        expect(reply.statusCode, reply.body).toBe(200);
        const list = reply.json<WatchList>() as Watches;
        expect(list.behind_since).toBeNull();
        const at = test.now().getTime();
        compared += compare(list, at, seen);
        const day = await jobsNow();
        expect(day).toHaveLength(SHEET.length);
        const touched: string[] = [];
        for (const job of day) {
          const plain = plainJob(list, job, at);
          expect(shownJob(list, job, at), `${job.trip} at ${reading(at)}`).toEqual(plain);
          for (const kind of [
            `job ${plain.standing}`,
            plain.possible.length > 0 ? 'job with possible' : 'job without',
            `job ${plain.group}`,
            plain.arrives ? 'job told' : 'job untold',
          ])
            seen.set(kind, (seen.get(kind) ?? 0) + 1);
          if (plain.certain.length > 0) touched.push(job.id);
        }
        stood.set(at, touched.sort());
      }
      // Every third leaves some minutes late, and says so.
      for (const { id, leaves_at } of sheet)
        if (Date.parse(leaves_at) + 4 * MINUTE === test.now().getTime() && Date.parse(leaves_at) % 3 === 0)
          await test.post(`/api/v1/jobs/${id}/left`, {}, token);
      test.pass(MINUTE);
    }

    expect(compared).toBe(Math.ceil(SHIFT_MINUTES / LOOKED_EVERY) * SHIFT_LEGS.length);
    // The past gives the same words for each minute.
    const minutes = [...stood].filter((_, index) => index % Math.ceil(stood.size / 8) === 1);
    for (const [at, touched] of minutes) {
      const { jobs = [] } = await past(at);
      expect(jobs).toHaveLength(SHEET.length);
      const then = jobs.filter(({ touched_by }) => touched_by !== '').map(({ id }) => id);
      expect(then.sort(), `jobs at ${reading(at)}`).toEqual(touched);
    }
    for (const kind of ['job certain', 'job with possible', 'job told', 'job soon', 'job way', 'job later'])
      expect(seen.get(kind) ?? 0, kind).toBeGreaterThan(20 / LOOKED_EVERY);
    expect(world.faults).toEqual([]);
    // A shift in which nothing happens would prove nothing.
    for (const kind of ['certain', 'certain, on the way', 'possible'])
      expect(seen.get(kind) ?? 0, kind).toBeGreaterThan(20 / LOOKED_EVERY);
    expect([...seen].reduce((sum, [kind, count]) => sum + (kind.startsWith('job') ? 0 : count), 0)).toBe(
      compared,
    );
  });
});

describe('a job and the matches of its departure', () => {
  let test: TestApp;
  beforeAll(async () => {
    test = await openTestApp();
  });
  afterAll(() => test.close());

  /** Vehicles that leave at random times, with other random incidents before each twenty of them. */
  const CASES = amount('STATE_CASES', { whole: 10_000, part: 100 });

  it(`a job is as its departure is, in ${CASES} random cases`, { timeout: 30_000 + CASES * 60 }, async () => {
    let state = 25;
    const next = (below: number) => {
      state = (state * 1664525 + 1013904223) % 4294967296;
      return Math.floor((state / 4294967296) * below);
    };
    const minutesFrom = (at: number) => new Date(test.now().getTime() + at * MINUTE).toISOString();
    const user = await test.addUser();
    const token = (await test.signIn(user)).access_token;
    const read = async <T>(path: string) => (await test.get(`/api/v1/watches${path}`, token)).json<T>();
    let watch = (
      await test.post('/api/v1/watches', { ...watchRequest, departures: [] }, token)
    ).json<Watch>();
    let compared = 0;
    let touched = 0;
    while (compared < CASES) {
      const records = Array.from({ length: 12 }, (_, index) =>
        record(`national-highways:${compared} ${index}`, {
          phase: next(3) === 0 ? 'planned' : 'active',
          start_time: minutesFrom(next(900) - 300),
          end_time: next(2) ? null : minutesFrom(next(900) - 100),
        }),
      );
      await poll(test.db, 'national-highways', records, test.now());
      const found = records.map(({ event_id }) => {
        const from_km = next(5) === 0 ? null : (next(100) / 100) * watch.length_km;
        return {
          watch_id: watch.id,
          subject: 'disruption' as const,
          subject_id: event_id,
          level: (['certain', 'possible', 'near'] as const)[next(3)]!,
          why: '',
          from_km,
          to_km: from_km === null ? null : from_km + next(3),
          off_m: 10,
        };
      });
      const about = { at: test.now(), batch: 1, endKind: () => 'ended' as const };
      await test.db
        .transaction()
        .execute((trx) => matches(trx).settle({ subject: 'disruption', watchIds: [watch.id] }, found, about));
      const departures = Array.from({ length: 20 }, () => {
        const leaves = minutesFrom(next(600));
        const day = leaves.slice(0, 10); // London's clock is UTC in November
        const { id: _, ...of } = departure(leaves.slice(11, 16), { from_date: day, to_date: day });
        return { ...of, duration_min: 10 + next(400) };
      });
      const changed = await test.app.inject({
        method: 'PATCH',
        url: `/api/v1/watches/${watch.id}`,
        headers: { authorization: `Bearer ${token}`, 'if-match': String(watch.rev) },
        payload: { departures },
      });
      expect(changed.statusCode, changed.body).toBe(200);
      watch = changed.json<Watch>();
      const list = await read<Watches>('/');
      const known = {
        watches: new Map(list.watches.map((one) => [one.id, one])),
        known: knownOf(list, test.now()),
      };
      for (const { id, at_local, from_date, duration_min } of watch.departures) {
        const { matches: met } = await read<WatchMatches>(`/${watch.id}/matches?departure=${id}`);
        const leaves_at = `${from_date}T${at_local}:00.000Z`;
        const job = {
          id,
          leaves_at,
          duration_min,
          watch_id: watch.id,
          left_at: null,
          arrived_at: null,
          cancelled_at: null,
          deadline_at: null,
        } as unknown as Job;
        const { state: stands } = dayJob(job, known, test.now());
        const shown = (['certain', 'possible'] as const).map((level) => [
          met
            .filter((match) => match.level === level)
            .map(({ subject_id }) => subject_id)
            .toSorted(),
          stands![level].map(({ match }) => match.subject_id).toSorted(),
        ]);
        for (const [asDeparture, asJob] of shown)
          expect(asJob, `${leaves_at} of ${compared}`).toEqual(asDeparture);
        touched += shown.filter(([asDeparture]) => asDeparture!.length > 0).length;
        compared++;
      }
    }
    expect(touched).toBeGreaterThan(CASES);
  });
});

describe('rare nights', () => {
  const incident = (event_id: string, fields: object) => ({
    event_id,
    source: 'national-highways',
    severity: 'high',
    title: event_id,
    start_time: null,
    end_time: null,
    metadata: { phase: 'active' },
    ...fields,
  });
  const world = (departures: Departure[], around: number): Watches =>
    ({
      watches: [40, 200, 320].map((length_km, index) => ({
        id: `w${index}`,
        kind: 'route',
        name: `${length_km} km`,
        length_km,
        sources: ['national-highways'],
        departures,
        checking: false,
        which: WHICH,
        when: null,
        matches: ['open', 'ends', 'planned', 'somewhere'].map((subject_id, place) => ({
          subject: 'disruption',
          subject_id,
          level: place === 1 ? 'possible' : 'certain',
          why: 'names the M62',
          from_km: place === 3 ? null : (length_km * (place + 1)) / 5,
          to_km: place === 3 ? null : (length_km * (place + 2)) / 5,
        })),
      })),
      incidents: [
        incident('open', { severity: 'low' }),
        incident('ends', { end_time: new Date(around).toISOString(), severity: 'critical' }),
        incident('planned', {
          metadata: { phase: 'planned' },
          severity: 'medium',
          start_time: new Date(around - 90 * MINUTE).toISOString(),
          end_time: new Date(around + 45 * MINUTE).toISOString(),
        }),
        incident('somewhere', {
          metadata: { phase: 'planned' },
          severity: 'critical',
          start_time: new Date(around + 30 * MINUTE).toISOString(),
          end_time: new Date(around + 40 * MINUTE).toISOString(),
        }),
      ],
      events: [],
      total: 3,
      sources: [{ source: 'national-highways', state: 'ok', freshness: 'fresh' }],
      behind_since: null,
    }) as unknown as Watches; // as the answer is read
  const CLOCKS = ['22:30', '23:45', '00:15', '00:45', '01:15', '01:30', '01:45', '02:15', '03:30', '06:10'];

  /** Everything here begins and ends in a minute that five divides. */
  const LOOKED_EVERY = amount('NIGHT_LOOKED_EVERY', { whole: 1, part: 5 });

  it.each([
    ['the clock goes back', '2026-10-25T01:00:00Z'],
    ['the clock goes forward', '2027-03-28T01:00:00Z'],
    ['an ordinary midnight', '2026-11-23T00:00:00Z'],
    ['a midnight in summer', '2026-07-01T23:00:00Z'],
  ])('%s', (_, middle) => {
    const around = Date.parse(middle);
    const seen = new Map<string, number>();
    let compared = 0;
    for (const hours of [null, 26]) {
      const all = CLOCKS.map((clock) => departure(clock, { duration_min: hours && hours * 60 }));
      for (let at = around - 4 * HOUR; at < around + 4 * HOUR; at += LOOKED_EVERY * MINUTE)
        compared += compare(world(all, around), at, seen);
    }
    expect(compared).toBe((2 * 3 * 8 * 60) / LOOKED_EVERY);
    expect(seen.get('certain, on the way')).toBeGreaterThan(100 / LOOKED_EVERY);
  });

  it('a coach of one night only, over midnight and both clock changes', () => {
    for (const day of ['2026-10-24', '2027-03-27', '2026-11-22']) {
      const only = { from_date: day, to_date: day, duration_min: 300 };
      const more = departure('06:10', { from_date: dayOf(Date.parse(`${day}T12:00:00Z`), 3) });
      const around = instantOf(day, '23:30');
      const list = world([departure('23:30', only), more], around + 3 * HOUR);
      for (let at = around - 3 * HOUR; at < around + 6 * HOUR; at += LOOKED_EVERY * MINUTE)
        compare(list, at, new Map());
    }
  });

  it('a clock that is set back: the rows are those of that time again', () => {
    const around = Date.parse('2026-11-23T00:00:00Z');
    const list = world(
      CLOCKS.map((clock) => departure(clock)),
      around,
    );
    const rows = (at: number) =>
      list.watches.map((_, index) => shownRow(list, at, index, plainRow(list, at, index)));
    const before = rows(around - 20 * MINUTE);
    for (const minutes of [0, 45, -20, 300, -180, -20]) compare(list, around + minutes * MINUTE, new Map());
    expect(rows(around - 20 * MINUTE)).toEqual(before);
  });
});
