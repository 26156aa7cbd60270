/** Which sights of an incident are worth an alert. Two teams, the grade that was chosen, sources that are silent. */
import { expect, it } from 'vitest';
import type { AlertWatch, Touch } from '../../../../server/delivery/alerts/alertStore.ts';
import { sightOf, tripsAround } from '../../../../server/delivery/alerts/alertSight.ts';
import type { Look } from '../../../../server/delivery/outbox/notifierLook.ts';

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
  }: { team?: string; demoted?: (string | null)[]; stale?: boolean } = {},
) =>
  sightOf(
    { ...TOUCH, ...touch },
    { team_id: team, tellMe: { threshold: 'high' } } as AlertWatch,
    { trips: null, leftOut: null },
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

it('a source that one team marked is demoted for that team alone, and for all where an administrator said so', () => {
  expect(sight({}, { demoted: ['north'] }).held).toMatch(/is demoted to possible$/);
  expect(sight({}, { team: 'south', demoted: ['north'] }).sight.seen).toBe('there');
  expect(sight({}, { team: 'south', demoted: [null] }).held).toMatch(/is demoted to possible$/);
});

it('of a silent source nothing is known, whether it still touches the route or not; an end is an end', () => {
  expect(sight({}, { stale: true }).sight.seen).toBe('unknown');
  expect(sight({ level: null }, { stale: true }).sight.seen).toBe('unknown');
  expect(sight({ level: null }).sight.seen).toBe('out');
  expect(sight({ ended_at: AT.toISOString() }, { stale: true }).sight.seen).toBe('ended');
});

it('jobs alone restrict nothing: a route without departures matters at all times', () => {
  const job = { departure_id: '1', leaves: AT, arrives: new Date(AT.getTime() + 3_600_000), length_km: 50 };
  const route = (departures: AlertWatch['departures'], around: boolean | null) =>
    ({ departures, length_km: 50, tellMe: { around_departures: around } }) as AlertWatch;
  expect(tripsAround(route([], null), AT, [job])).toBeNull();
  const departure = { id: 'd', name: null, at_local: '20:00', days: 127, from_date: null, to_date: null };
  const daily = { ...departure, except: [], duration_min: 60 };
  expect(tripsAround(route([daily], null), AT, [job])).toEqual([job]);
  expect(tripsAround(route([daily], false), AT, [job])).toBeNull();
});
