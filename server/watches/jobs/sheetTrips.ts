/** The route of each different trip of a sheet: as chosen, as last time, or the route with its words or its ends. */
import { type AskedJob, type Imported, tripKey } from '#contract/watches/jobs.ts';

type Trips = Imported['trips'];

/** The trips with the most jobs first. `chosen` and `remembered`: routes by the trip's key. For any other trip the
 *  route is found by its name, or by its two ends (`made_name`), the team's first one. */
export function sheetTrips(
  asked: readonly Pick<AskedJob, 'trip'>[],
  {
    chosen,
    remembered,
    routes,
  }: {
    chosen: ReadonlyMap<string, string | null>;
    remembered: ReadonlyMap<string, string | null>;
    routes: readonly { id: string; name: string; made_name: string }[];
  },
): Trips {
  // The last entry of a key stands: a name goes before the ends, and an earlier route before a later one.
  const named = new Map(
    (['made_name', 'name'] as const).flatMap((words) =>
      routes.toReversed().map((route) => [tripKey(route[words]), route.id]),
    ),
  );
  return [...Map.groupBy(asked, ({ trip }) => tripKey(trip))]
    .map(([key, jobs]): Trips[number] => {
      const of = { words: jobs[0]!.trip, jobs: jobs.length }; // a group has a member
      if (chosen.has(key)) return { ...of, watch_id: chosen.get(key)!, found: 'chosen' };
      if (remembered.has(key)) return { ...of, watch_id: remembered.get(key)!, found: 'as last time' };
      const same = named.get(key) ?? null;
      return { ...of, watch_id: same, found: same === null ? 'none' : 'same words' };
    })
    .toSorted((one, other) => other.jobs - one.jobs || (one.words < other.words ? -1 : 1));
}
