import { expect, it } from 'vitest';
import type { Trip } from '#contract/watches/departures.ts';
import type { LeftOut } from '#contract/watches/whichIncidents.ts';
import type { AlertWatch, Touch } from '../../../../server/delivery/alerts/alertStore.ts';
import { nextReached, sightOf, tripsAround } from '../../../../server/delivery/alerts/alertSight.ts';
import type { Look } from '../../../../server/delivery/outbox/notifierRun.ts';

const AT = new Date('2026-11-21T08:00:00.000Z');
const TOUCH = {
  event_id: 'tfl:1',
  level: 'certain',
  source: 'tfl',
  severity: 'high',
  phase: 'active',
  ended_at: null,
} as Touch;

const sight = (
  touch: Partial<Touch> = {},
  {
    team = 'north',
    demoted = [],
    stale = false,
    threshold = 'high',
    trips = null,
    leftOut = null,
  }: {
    team?: string;
    demoted?: (string | null)[];
    stale?: boolean;
    threshold?: string;
    trips?: Trip[] | null;
    leftOut?: LeftOut | null;
  } = {},
) =>
  sightOf(
    { ...TOUCH, ...touch },
    { team_id: team, tellMe: { threshold } } as AlertWatch,
    { trips, leftOut },
    {
      at: AT,
      urgent: new Set<string>(),
      demoted: new Map(demoted.map((one) => [one, new Set(['tfl'])])),
      conditionOf: () => ({ freshness: stale ? 'stale' : 'fresh' }),
    } as unknown as Look, // it reads nothing else
  );

it('an alert of the chosen grade is sent, and a milder one is held back', () => {
  expect(sight().sight).toMatchObject({ seen: 'there', severity: 'high' });
  expect(sight({ severity: 'medium' })).toMatchObject({ held: 'Held: below your threshold', isBelow: true });
});

it('a source that one team marked is demoted for that team alone, or for all by an administrator', () => {
  expect(sight({}, { demoted: ['north'] }).held).toMatch(/is demoted to possible$/);
  expect(sight({}, { team: 'south', demoted: ['north'] }).sight.seen).toBe('there');
  expect(sight({}, { team: 'south', demoted: [null] }).held).toMatch(/is demoted to possible$/);
});

it('only an incident that is there, certain and in force is sent, and only if something was chosen', () => {
  const out = { sight: { seen: 'out' } };
  for (const gone of [{ source: null }, { severity: null }]) expect(sight(gone)).toEqual(out);
  expect(sight({}, { threshold: 'nothing' })).toEqual(out);
  expect(sight({}, { leftOut: 'words' })).toMatchObject({ ...out, isBelow: false });
  expect(sight({}, { leftOut: 'grade' })).toMatchObject({ ...out, isBelow: true });
  expect(sight({ level: 'possible' })).toEqual(out);
  expect(sight({ phase: 'planned' })).toMatchObject({ ...out, held: 'Held: planned, not yet in force' });
});

/** A trip that leaves this many minutes after `AT`, and takes an hour for 60 km. */
const trip = (minutes: number): Trip => ({
  departure_id: String(minutes),
  leaves: minutesFrom(minutes),
  arrives: minutesFrom(minutes + 60),
  length_km: 60,
});
const minutesFrom = (minutes: number) => new Date(AT.getTime() + minutes * 60_000);
const AT_30_KM = { ...TOUCH, from_km: 30, to_km: 30 } as Touch;

it('one departure with the incident ahead is enough to send it; without any it is held back', () => {
  expect(sight(AT_30_KM, { trips: [trip(-59), trip(10)] }).sight.seen).toBe('there');
  expect(sight(AT_30_KM, { trips: [trip(-59)] })).toMatchObject({ held: 'Held: no departure is near' });
});

it('the first vehicle that will be there gives the time; a late one may be past it', () => {
  const reached = (...trips: Trip[]) => nextReached(trips, AT_30_KM, AT);
  expect(reached(trip(20), trip(-10), trip(-35))).toMatchObject({ at: minutesFrom(20), isOtherDay: false });
  expect(reached(trip(24 * 60))).toMatchObject({ isOtherDay: true });
  expect(reached(trip(-30))).toMatchObject({ at: AT });
  expect(reached(trip(-35))).toBe('behind');
  expect(reached(trip(-59))).toBeNull();
  expect(reached()).toBeNull();
  expect(nextReached(null, AT_30_KM, AT)).toBeNull();
  expect(nextReached([trip(0)], undefined, AT)).toBeNull();
  expect(nextReached([trip(0)], { ...AT_30_KM, from_km: null }, AT)).toBeNull();
  // On a long stretch it is neither before nor behind it.
  const long = { ...AT_30_KM, to_km: 50 } as Touch;
  expect(nextReached([trip(-35)], long, AT)).toBeNull();
  expect(nextReached([trip(-35), trip(-52)], long, AT)).toBeNull();
  const planned = { ...AT_30_KM, phase: 'planned', start_time: minutesFrom(200).toISOString() } as Touch;
  expect(nextReached([trip(0)], planned, AT)).toBeNull();
});

it('the incidents of a silent source are unknown, touching or not; an ended one has ended', () => {
  expect(sight({}, { stale: true }).sight.seen).toBe('unknown');
  expect(sight({ level: null }, { stale: true }).sight.seen).toBe('unknown');
  expect(sight({ level: null }, { demoted: ['north'] })).toEqual({ sight: { seen: 'out' } });
  expect(sight({ ended_at: AT.toISOString() }, { stale: true }).sight.seen).toBe('ended');
});

it('jobs alone restrict nothing: a route without departures matters at all times', () => {
  const job = { departure_id: '1', leaves: AT, arrives: new Date(AT.getTime() + 3_600_000), length_km: 50 };
  const route = (departures: AlertWatch['departures'], around: boolean | null) =>
    ({ departures, length_km: 50, tellMe: { around_departures: around } }) as AlertWatch;
  expect(tripsAround(route([], null), AT, [job])).toBeNull();
  const departure = { id: 'd', name: null, at_local: '20:00', days: 127, from_date: null, to_date: null };
  const daily = { ...departure, except: [], duration_min: 60 };
  const arrived = { ...job, leaves: minutesFrom(-60), arrives: AT };
  expect(tripsAround(route([daily], null), AT, [job, arrived])).toEqual([job]);
  expect(tripsAround(route([daily], false), AT, [job])).toBeNull();
});
