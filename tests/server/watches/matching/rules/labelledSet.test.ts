import { expect, it } from 'vitest';
import { WatchRequest } from '#contract/watches/watches.ts';
import { labelOf, roadTable } from '../../../../../server/geography/roads/roadTable.ts';
import { labelledIncidents, labelledRoutes, labels } from './labelledSet.ts';

const routes = labelledRoutes();

it('labels each incident that the collectors read, and no other', async () => {
  const { records, problems } = await labelledIncidents();

  // The set has the weather of two airports.
  expect(problems.filter((problem) => !problem.includes('Weather unknown'))).toEqual([]);
  expect(records.map(({ event_id }) => event_id).sort()).toEqual(
    labels()
      .map(({ incident }) => incident)
      .sort(),
  );
});

it('has sixty incidents by fifteen routes at least, and a reason for each label', () => {
  const known = new Set(routes.map(({ id }) => id));
  const given = labels().flatMap(({ incident, labels: own }) =>
    Object.entries(own).map(([route, label]) => ({ incident, route, ...label })),
  );

  expect(labels().length).toBeGreaterThanOrEqual(60);
  expect(routes.filter(({ kind }) => kind === 'route')).toHaveLength(15);
  expect(given.filter(({ route, reason }) => !known.has(route) || !reason)).toEqual([]);
  expect(new Set(given.map(({ level }) => level))).toEqual(new Set(['certain', 'possible', 'none']));
});

it.each(routes.map((route) => [route.id, route] as const))(
  'has a route that can be saved, of roads and places in the table: %s',
  (_, { id: _id, ...route }) => {
    expect(WatchRequest.safeParse(route).error).toBeUndefined();
    const unknown = route.legs.flatMap((leg) => {
      if (leg.type !== 'road') return [];
      const names = roadTable().chain(leg.road)?.waypoints.map(labelOf) ?? [];
      const [from, to] = [names.indexOf(leg.from), names.indexOf(leg.to)];
      return from >= 0 && to >= 0 && Math.sign(to - from) === leg.sense ? [] : [leg];
    });
    expect(unknown).toEqual([]);
  },
);
