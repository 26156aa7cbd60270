/** The route of each different trip of a sheet: the chosen one, that of last time, or one with its name or its ends. */
import { type AskedJob, type Imported, tripKey } from '#contract/watches/jobs.ts';

type Trips = Imported['trips'];

/** The trips, those with the most jobs first. `chosen` and `remembered`: routes by the trip's key. Any other trip gets
 *  the team's first route with its name, otherwise the first with its two ends (`made_name`). */
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
  // The last entry of a key replaces the others, so ends come before names, and later routes before earlier ones.
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
      const same = (key && named.get(key)) || null; // a trip without a word has no route
      return { ...of, watch_id: same, found: same === null ? 'none' : 'same words' };
    })
    .toSorted((one, other) => other.jobs - one.jobs || (one.words < other.words ? -1 : 1));
}
