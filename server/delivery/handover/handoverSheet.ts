/** The handover sheet of a shift, made from stored data: its sections, in their order on the page. */
import { setImmediate } from 'node:timers/promises';
import {
  concerned,
  endWhenReached,
  inForce,
  judgedTrips,
  mayBeBehind,
  type Trip,
} from '#contract/watches/departures.ts';
import { isPlanned, plannedStart } from '#contract/incidents/disruptions.ts';
import { severityRank } from '#contract/incidents/severity.ts';
import type { MapEvent } from '#contract/places/events.ts';
import { type Handover, SHEET, type SheetIncident, type SheetJob } from '#contract/shift/handover.ts';
import type { Person } from '#contract/shift/responses.ts';
import { isSnoozed } from '#contract/shift/responseWords.ts';
import type { Shift } from '#contract/shift/shifts.ts';
import type { OwnTeam, TeamMode } from '#contract/accounts/teams.ts';
import { layouts } from '../../accounts/displays/layouts.ts';
import { teams } from '../../accounts/teams.ts';
import { collections } from '../../incidents/collectionState.ts';
import { statedEnd } from '../../incidents/facts/expectedClear.ts';
import { toDisruption } from '../../incidents/list/disruptionRows.ts';
import { events } from '../../geography/events/events.ts';
import { handover, type SheetMatch } from './handoverStore.ts';
import type { Db } from '../../db/open.ts';
import { ownReports } from '../../shift/ownReports.ts';
import { responses } from '../../shift/responses.ts';
import { departuresOf, toDeparture } from '../../watches/watchStore.ts';
import { dayClock, doneBy, jobWords, risksOfJobs, stoodWords } from '../briefs/briefSheet.ts';
import type { Collector } from '../../incidents/collector.ts';
import { jobs } from '../../watches/jobs/jobStore.ts';
import { silencesBetween } from '../../feeds/past/pastStore.ts';
import { unplacedCount, watchList } from '../../watches/watchAnswers.ts';

const OVERLAP_MS = 60 * 60_000;

interface Parts {
  db: Db;
  collectors: readonly Collector[];
  mode: TeamMode;
}

interface Asked {
  team: OwnTeam;
  by: Person;
  shift: Shift;
  now: Date;
}

export async function handoverSheet(
  { db, collectors, mode }: Parts,
  { team, by, shift, now }: Asked,
): Promise<Handover> {
  const { from, to } = shift;
  const running = await runningJobs({ db, collectors }, team.id, now);
  const matched = await handover(db).matchesSince(team.id, from);
  // Lines for the next shift are often written after it has begun.
  const log = await responses(db).log(team.id, { from, until: new Date(to.getTime() + OVERLAP_MS) });
  const { responses: states } = await responses(db).ofTeam(team.id, { changedAfter: from });
  const stateOf = new Map(states.map((state) => [state.event_id, state]));
  const own = (await ownReports(db).inForce(team.id)).map(({ disruption }) => disruption);

  const ids = [
    ...new Set([
      ...matched.filter(({ subject }) => subject === 'disruption').map(({ subject_id }) => subject_id),
      ...stateOf.keys(),
      ...log.flatMap(({ event_id }) => event_id ?? []),
    ]),
  ];
  const rows = await handover(db).incidents(ids);
  const ownEnded = (await ownReports(db).withEnded(ids)).filter(({ ended_at }) => ended_at);
  const known = new Map(
    [...own, ...ownEnded, ...rows.map(toDisruption)].map((incident) => [incident.event_id, incident]),
  );
  const incidents = new Map<string, SheetIncident>(
    [...known].map(([id, incident]) => [id, toSheet(incident)]),
  );
  const standing = new Set([
    ...own.map(({ event_id }) => event_id),
    ...rows.filter(({ ended_at }) => ended_at === null).map(({ event_id }) => event_id),
  ]);
  const planned = new Map(
    rows
      .map(toDisruption)
      .filter(isPlanned)
      .map((one) => [one.event_id, plannedStart(one)] as const),
  );
  const asleep = states.filter((state) => standing.has(state.event_id) && isSnoozed(state, now));
  const isAsleep = new Set(asleep.map(({ event_id }) => event_id));

  const standingMatches = matched.filter(
    ({ ended_at, level, subject_id }) =>
      ended_at === null && level !== 'near' && standing.has(subject_id) && !isAsleep.has(subject_id),
  );
  const tripsOf = await judgedTripsOf(db, standingMatches, now);
  const active: (SheetMatch & { leaves: string | null; end_unknown: boolean })[] = [];
  // 200 areas and 95 incidents make 19,000 matches, so other calls get a turn after each incident.
  for (const [subject_id, ofIt] of Map.groupBy(standingMatches, (match) => match.subject_id)) {
    const incident = known.get(subject_id)!; // it is standing
    const times = inForce(incident, planned.has(subject_id), now);
    const clear = Date.parse(statedEnd(incident) ?? '');
    for (const match of ofIt) {
      const trips = concerned(tripsOf.get(match.watch_id) ?? [], match, times, now);
      if (!trips) continue;
      const first = trips.find((trip) => !mayBeBehind(trip, match, now)) ?? trips[0];
      const end_unknown =
        first !== undefined && endWhenReached(first, match, { times, clear }, now) === 'unknown';
      active.push({ ...match, leaves: first?.leaves.toISOString() ?? null, end_unknown });
    }
    await setImmediate();
  }
  const isOnRoutes = new Set(active.map(({ subject_id }) => subject_id));
  const lastNotes = await handover(db).lastNotes(team.id, [
    ...new Set(active.map(({ subject_id }) => subject_id)),
  ]);
  const notes = log.filter(({ action }) => action === 'note');
  const sums = await collections(db).all();
  const newest = sums.reduce<string | null>(
    (last, { last_success }) => (last_success !== null && last_success > (last ?? '') ? last_success : last),
    null,
  );

  return {
    from: from.toISOString(),
    to: to.toISOString(),
    made_at: now.toISOString(),
    made_by: by,
    team: team.name,
    data_to: newest,
    taken: await handover(db).taken(team.id, from, to),
    on_routes: [...Map.groupBy(active, ({ subject_id }) => subject_id)]
      .map(([subject_id, ofIt]) => {
        const incident = incidents.get(subject_id)!; // it is standing
        const state = stateOf.get(subject_id);
        const inHand = state?.disposition && !state.lapsed ? state : null;
        const routes = LEVELS.flatMap((level) =>
          ofIt
            .filter((match) => match.level === level)
            .map(({ watch_id, name, leaves, end_unknown }) => ({
              id: watch_id,
              name,
              level,
              leaves,
              end_unknown,
            })),
        );
        const { id, name, level } = routes[0]!; // there is a match
        return {
          route: { id, name },
          routes,
          level,
          incident,
          since: incident.since ?? incident.start_time ?? ofIt.map(({ began_at }) => began_at).toSorted()[0]!, // as above
          by: inHand?.by ?? null,
          disposition: inHand?.disposition ?? null,
          lapsed: state?.lapsed && state.at ? { by: state.by, at: state.at, kind: state.lapsed } : null,
          last_note: lastNotes.get(subject_id) ?? null,
        };
      })
      .sort(
        (one, other) =>
          LEVELS.indexOf(one.level) - LEVELS.indexOf(other.level) ||
          severityRank(one.incident.severity) - severityRank(other.incident.severity) ||
          (one.since < other.since ? -1 : 1),
      ),
    beside: [
      ...new Set(
        standingMatches
          .map(({ subject_id }) => subject_id)
          .filter((id) => !isOnRoutes.has(id) && !planned.has(id)),
      ),
    ]
      .map((id) => incidents.get(id)!) // it is standing
      .sort((one, other) => severityRank(one.severity) - severityRank(other.severity)),
    routes_total: await handover(db).routeCount(team.id),
    checking: await handover(db).checking(team.id),
    unplaced: (await handover(db).hasAreas(team.id)) ? await unplacedCount(db) : 0,
    ...(running.length > 0 && { jobs: running }),
    snoozed: asleep
      .map(({ event_id, snooze }) => ({
        incident: incidents.get(event_id)!, // it is standing
        until: snooze!.until, // it is snoozed
        change: snooze!.change,
        by: snooze!.by,
      }))
      .sort((one, other) => (one.until < other.until ? -1 : 1)),
    notes: notes
      .filter(({ event_id, at }) => event_id !== null && at < to.toISOString())
      .map((note) => ({ note, incident: incidents.get(note.event_id!) ?? null })),
    cleared: [...rows, ...ownEnded]
      .flatMap(({ event_id, ended_at, ended_reason }) =>
        ended_at && ended_at >= from.toISOString() && ended_at < to.toISOString()
          ? { incident: incidents.get(event_id)!, at: ended_at, reason: ended_reason ?? null } // made from the same
          : [],
      )
      .sort((one, other) => (one.at < other.at ? -1 : 1)),
    planned: [
      ...plannedIncidents(matched, planned, incidents, now),
      ...crowdsAhead(matched, await events(db).performances(eventIds(matched)), now),
    ].sort((one, other) => (one.at < other.at ? -1 : 1)),
    unseen_sources: await silencesBetween({ db, collectors }, { from, to, now }),
    unseen_displays: (await layouts(db).troubled(await teams(db, mode).memberIds(team.id), now)).map(
      ({ name, last_seen_at, is }) => ({ name, last_seen_at: last_seen_at!, not_taken: is !== 'unseen' }), // it is not new
    ),
    next_shift: notes.filter(({ event_id }) => event_id === null),
  };
}

const LEVELS = ['certain', 'possible'] as const;

/** Today's jobs that are on the way, or have a certain incident ahead, for a sheet that somebody reads now. */
async function runningJobs(
  { db, collectors }: Omit<Parts, 'mode'>,
  teamId: string,
  now: Date,
): Promise<SheetJob[]> {
  const open = (await jobs(db).live(teamId, now)).filter(
    ({ arrived_at, cancelled_at }) => arrived_at === null && cancelled_at === null,
  );
  if (open.length === 0) return [];
  const { list } = await watchList({ db, collectors }, teamId, undefined, now);
  const { watches, incidents: all } = list;
  const { responses: states } = await responses(db).ofTeam(teamId, { changedAfter: now });
  const incidents = new Map(all.map((one) => [one.event_id, one]));
  const risks = new Map(
    risksOfJobs({ jobs: open, watches, incidents, doneOf: doneBy(states) }, now).map(({ id, risk }) => [
      id,
      risk,
    ]),
  );
  return open.flatMap((job): SheetJob[] => {
    const risk = risks.get(job.id);
    if (!risk && job.left_at === null) return [];
    return [
      {
        time: dayClock(job.leaves_at, now),
        what: jobWords(job),
        left: stoodWords(job),
        touched_by: risk?.touched_by ?? '',
        arrives: risk?.arrives ?? '',
        done: risk?.done ?? '',
      },
    ];
  });
}

/** The departures that each of these routes is judged by. */
async function judgedTripsOf(
  db: Db,
  matched: readonly SheetMatch[],
  now: Date,
): Promise<Map<string, Trip[]>> {
  const lengths = new Map(matched.map(({ watch_id, length_km }) => [watch_id, length_km]));
  const departures = Map.groupBy(await departuresOf(db, [...lengths.keys()]), ({ watch_id }) => watch_id);
  return new Map(
    [...departures].map(([id, ofIt]) => [
      id,
      judgedTrips(ofIt.map(toDeparture), lengths.get(id)!, now), // it was asked for
    ]),
  );
}

const toSheet = ({
  event_id,
  source,
  severity,
  title,
  facts,
  start_time,
  since,
}: SheetIncident): SheetIncident => ({
  event_id,
  source,
  severity,
  title,
  start_time,
  ...(facts && { facts }),
  ...(since && { since }),
});

const isAhead = (at: number, now: Date) => at >= now.getTime() && at < now.getTime() + SHEET.plannedMs;

/** Each planned incident once, however many routes it touches. */
function plannedIncidents(
  matched: readonly SheetMatch[],
  planned: ReadonlyMap<string, string | null>,
  incidents: ReadonlyMap<string, SheetIncident>,
  now: Date,
): Handover['planned'] {
  const ofIncident = Map.groupBy(
    matched.filter(({ ended_at, subject_id }) => ended_at === null && planned.has(subject_id)),
    ({ subject_id }) => subject_id,
  );
  return [...ofIncident].flatMap(([id, ofIt]) => {
    const incident = incidents.get(id);
    const start = planned.get(id);
    if (!incident || !start || !isAhead(Date.parse(start), now)) return [];
    return [{ title: incident.title, at: start, route: routesOf(ofIt) }];
  });
}

const eventIds = (matched: readonly SheetMatch[]) => [
  ...new Set(matched.filter(({ subject }) => subject === 'event').map(({ subject_id }) => subject_id)),
];

/** The events near a route: when each begins and, if its end is known, when it ends and its people leave. */
function crowdsAhead(
  matched: readonly SheetMatch[],
  happenings: readonly MapEvent[],
  now: Date,
): Handover['planned'] {
  return happenings.flatMap(({ performance_id, name, venue_name, start_datetime, end_datetime }) => {
    const route = routesOf(matched.filter(({ subject_id }) => subject_id === performance_id));
    const title = [venue_name, name].filter(Boolean).join(': ');
    const times = [
      { at: start_datetime, what: 'begins' },
      { at: end_datetime, what: 'ends' },
    ];
    return times.flatMap(({ at, what }) =>
      at !== null && isAhead(Date.parse(at), now) ? [{ title: `${title} ${what}`, at, route }] : [],
    );
  });
}

const routesOf = (matched: readonly SheetMatch[]) => [...new Set(matched.map(({ name }) => name))].join(', ');
