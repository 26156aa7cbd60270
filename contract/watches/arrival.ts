/** When a job arrives: computed from stated delays only. Nothing is estimated. A delay that nobody states is
 *  unknown, and never counts as 0. */
import { MINUTE_MS } from '../durations.ts';
import { inForce, meets, type Trip, tripSpan } from './departures.ts';
import { isPlanned } from '../incidents/disruptions.ts';
import type { Facts } from '../incidents/facts.ts';
import { LONDON_CLOCK } from '../london.ts';
import type { Span, WindowRead } from '../incidents/windows.ts';
import { type Job, tripOfJob } from './jobs.ts';

/** In minutes, as the publisher says: exactly 25, or from 0 to 40 for "up to 40". */
export interface Delay {
  least: number;
  most: number;
}

/** An incident that certainly touches the job's way, with the delay that its publisher states. */
export interface Told {
  event_id: string;
  /** The kilometres of the way; null: unknown; then it counts as overlapping all others. */
  from_km: number | null;
  to_km: number | null;
  times: readonly Span[];
  /** Null: not told. */
  delay: Delay | null;
  /** The road that is closed without a known diversion: "M62"; null: none. */
  closed: string | null;
}

type FactName = 'delay_minutes' | 'delay_least' | 'closed' | 'slip' | 'advice' | 'roads';
type ReadFacts = { [Name in FactName]?: Facts[Name] | null };

/** The fields of an incident, and of its match, that the app and the server both have. */
interface Touching {
  match: { from_km: number | null; to_km: number | null };
  incident: {
    event_id: string;
    event_type?: string | null;
    start_time?: string | null;
    end_time?: string | null;
    windows?: readonly WindowRead[] | null;
    metadata?: { phase?: string | null } | null;
    facts?: ReadFacts | null;
  };
}

/** The stated delays of these incidents, which certainly touch the way: a queue on the road delays a coach, late
 *  trains and flights do not. */
export const toldBy = (touching: readonly Touching[], now: Date): Told[] =>
  touching
    .filter(({ incident }) => !/^(?:rail|aviation|news)\./.test(incident.event_type ?? ''))
    .map((one) => toldByOne(one, now));

function toldByOne({ match, incident }: Touching, now: Date): Told {
  const { delay_minutes: most, delay_least: least } = incident.facts ?? {};
  const { from_km, to_km } = match;
  const isReversed = from_km !== null && to_km !== null && from_km > to_km;
  return {
    event_id: incident.event_id,
    from_km: isReversed ? to_km : from_km,
    to_km: isReversed ? from_km : to_km,
    times: timesOf(incident, now),
    // Late buses and bad weather say nothing about the delay of other traffic.
    delay: most && isOfRoad(incident) ? { least: least ?? most, most } : null,
    closed: closedRoad(incident.facts ?? {}),
  };
}

/** The times without the time before the incident began: a vehicle that had passed its place by then has not met it. */
function timesOf(incident: Touching['incident'], now: Date): Span[] {
  const began = incident.start_time ? Date.parse(incident.start_time) : Number.NaN;
  const times = inForce(incident, isPlanned(incident), now);
  // An active incident has begun, even if its stated time is later.
  return began <= now.getTime() ? times.map(({ from, to }) => ({ from: Math.max(from, began), to })) : times;
}

const isOfRoad = ({ event_type }: Touching['incident']) => !/^(?:bus|weather|flood)\./.test(event_type ?? '');

/** The road that is closed without a known diversion: a delay there would be a guess. A closed slip road leaves the
 *  road open. */
function closedRoad({ closed, slip, advice, roads }: NonNullable<Touching['incident']['facts']>) {
  const isRoundTold = advice?.some((words) =>
    /\bdiver(?:t|sion)|\bway round|\balternative route|\bfollow\b/i.test(words),
  );
  return closed === 'full' && !slip && !isRoundTold ? (roads?.[0] ?? 'the road') : null;
}

export interface Counted {
  event_id: string;
  delay: Delay;
  /** Its stretch is within the stretch of a longer delay, and only the longer one is counted. */
  within: boolean;
}

export type Verdict =
  /** The whole range is after the deadline. */
  | { kind: 'will'; late: number }
  /** A part of the range is after the deadline. Both in minutes. */
  | { kind: 'may'; left: number; late: number }
  | { kind: 'left'; left: number };

export interface Arrival {
  /** `told`: there are stated delays, or it left at another time than planned. `due`: nothing touches it. */
  kind: 'told' | 'due' | 'not_told' | 'closed';
  /** The planned arrival. */
  due: Date;
  /** Both are the same if the arrival is exact. In `due` the planned time; not used in `not_told` and `closed`. */
  earliest: Date;
  latest: Date;
  /** How many minutes after the planned time it left; below 0 if it left earlier. */
  leftLate: number;
  counted: Counted[];
  /** Incidents on the way without a stated delay. */
  untold: string[];
  /** The road that is closed, in `closed`. */
  closed: string | null;
  /** The incident that closes it. */
  closedBy: string | null;
  /** Null without a deadline, or if no arrival can be said. */
  verdict: Verdict | null;
}

/** `planned`: the trip by the sheet. `trip`: the trip by the real departure; before the departure it is the same. */
export function arrivalOf(
  { planned, trip, deadline }: { planned: Trip; trip: Trip; deadline: Date | null },
  told: readonly Told[],
): Arrival {
  const met = eachOnce(told).filter(({ from_km, to_km, times }) =>
    times.some((time) => meets(time, tripSpan(trip, from_km, to_km))),
  );
  const delayed = met.flatMap((one) => (one.delay ? [{ ...one, delay: one.delay }] : []));
  const untold = met.filter(({ delay }) => delay === null).map(({ event_id }) => event_id);
  const least = longest(delayed, ({ delay }) => delay.least);
  const most = longest(delayed, ({ delay }) => delay.most);
  const { closed = null, event_id: closedBy = null } = met.find((one) => one.closed !== null) ?? {};
  const leftLate = Math.round((trip.leaves.getTime() - planned.leaves.getTime()) / MINUTE_MS);
  const kind =
    closed !== null
      ? 'closed'
      : delayed.length > 0
        ? 'told'
        : untold.length > 0
          ? 'not_told'
          : leftLate !== 0
            ? 'told'
            : 'due';
  const earliest = after(trip.arrives, least.minutes);
  const latest = after(trip.arrives, most.minutes);
  const isSaid = kind === 'told' || kind === 'due';
  return {
    kind,
    due: planned.arrives,
    earliest,
    latest,
    leftLate,
    counted: delayed
      .map(({ event_id, delay }) => ({ event_id, delay, within: !most.counted.has(event_id) }))
      .toSorted((one, other) => (one.event_id < other.event_id ? -1 : 1)),
    untold: untold.toSorted(),
    closed,
    closedBy,
    verdict: deadline && isSaid ? verdictOf(earliest, latest, deadline) : null,
  };
}

/** The arrival of a job by all incidents that certainly touch its way. The part behind the vehicle counts too: the
 *  vehicle met those incidents. */
export function arrivalOfJob(
  job: Pick<Job, 'id' | 'leaves_at' | 'left_at' | 'duration_min' | 'deadline_at'>,
  { lengthKm, certain }: { lengthKm: number; certain: readonly Touching[] },
  now: Date,
): Arrival {
  return arrivalOf(
    {
      planned: tripOfJob({ ...job, left_at: null }, lengthKm),
      trip: tripOfJob(job, lengthKm),
      deadline: job.deadline_at === null ? null : new Date(job.deadline_at),
    },
    toldBy(certain, now),
  );
}

/** If an incident touches the way twice, it counts once, with the stretch from its first to its last kilometre. */
function eachOnce(told: readonly Told[]): Told[] {
  const once = new Map<string, Told>();
  for (const one of told) {
    const known = once.get(one.event_id);
    const span = known && {
      from_km: known.from_km === null || one.from_km === null ? null : Math.min(known.from_km, one.from_km),
      to_km: known.to_km === null || one.to_km === null ? null : Math.max(known.to_km, one.to_km),
    };
    once.set(one.event_id, { ...one, ...span });
  }
  return [...once.values()];
}

const after = (time: Date, minutes: number) => new Date(time.getTime() + minutes * MINUTE_MS);

const minutesBetween = (from: Date, to: Date) => Math.floor((to.getTime() - from.getTime()) / MINUTE_MS);

function verdictOf(earliest: Date, latest: Date, deadline: Date): Verdict {
  if (earliest > deadline) return { kind: 'will', late: minutesBetween(deadline, earliest) };
  if (latest > deadline)
    return {
      kind: 'may',
      left: minutesBetween(earliest, deadline),
      late: minutesBetween(deadline, latest),
    };
  return { kind: 'left', left: minutesBetween(latest, deadline) };
}

type Delayed = Told & { delay: Delay };

/** The greatest sum of delays of which no two stretches overlap: of overlapping delays only one counts. The result
 *  does not depend on their order, and a longer delay never makes it smaller. */
function longest(
  told: readonly Delayed[],
  minutesOf: (one: Delayed) => number,
): { minutes: number; counted: ReadonlySet<string> } {
  const along = told
    .map((one) => ({
      one,
      from: one.from_km ?? -Infinity,
      to: one.to_km ?? Infinity,
      minutes: minutesOf(one),
    }))
    .toSorted((a, b) => a.to - b.to || a.from - b.from || (a.one.event_id < b.one.event_id ? -1 : 1));
  /** At each index: the best sum of that number of first delays. */
  const best: { minutes: number; counted: readonly string[] }[] = [{ minutes: 0, counted: [] }];
  for (const [at, { one, from, minutes }] of along.entries()) {
    const before = along.findLastIndex((other) => other.to < from) + 1; // earlier ones: they end before it begins
    const taken = best[before]!.minutes + minutes; // there is one for each count up to `at`
    const left = best[at]!;
    best.push(
      taken > left.minutes ? { minutes: taken, counted: [...best[before]!.counted, one.event_id] } : left,
    );
  }
  const { minutes, counted } = best.at(-1)!;
  return { minutes, counted: new Set(counted) };
}

/** "10:55", "10:55 to 11:35" */
export const arrivesWords = ({ earliest, latest }: Pick<Arrival, 'earliest' | 'latest'>): string => {
  const [from, to] = [LONDON_CLOCK.format(earliest), LONDON_CLOCK.format(latest)];
  return from === to ? from : `${from} to ${to}`;
};

/** "Arrives 10:55 to 11:35", "No arrival can be said: M62 closed", "Delay not told", "Due 10:30" */
export function arrivalWords(arrival: Arrival): string {
  switch (arrival.kind) {
    case 'told':
      return `Arrives ${arrivesWords(arrival)}`;
    case 'closed':
      return `No arrival can be said: ${arrival.closed} closed`;
    case 'not_told':
      return 'Delay not told';
    case 'due':
      return `Due ${LONDON_CLOCK.format(arrival.due)}`;
  }
}

/** "Will miss it", "May miss it", "20 min left"; '' if nothing can be said. */
export function verdictWords(verdict: Verdict | null): string {
  switch (verdict?.kind) {
    case 'will':
      return 'Will miss it';
    case 'may':
      return 'May miss it';
    case 'left':
      return `${verdict.left} min left`;
    case undefined:
      return '';
  }
}

/** The same in a sentence: "16 min late", "25 min left, or 15 min late". */
export function marginWords(verdict: Verdict): string {
  switch (verdict.kind) {
    case 'will':
      return `${verdict.late} min late`;
    case 'may':
      return `${verdict.left} min left, or ${verdict.late} min late`;
    case 'left':
      return `${verdict.left} min left`;
  }
}
