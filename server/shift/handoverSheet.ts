/** The handover sheet of a shift, from what is stored. */
import { isPlanned, severityRank } from '#contract/disruptions.ts';
import type { MapEvent } from '#contract/events.ts';
import { type Handover, SHEET, type SheetIncident } from '#contract/handover.ts';
import type { Person } from '#contract/responses.ts';
import { isSnoozed } from '#contract/responseWords.ts';
import type { Shift } from '#contract/shifts.ts';
import type { OwnTeam, TeamMode } from '#contract/teams.ts';
import { collections } from '../db/collections.ts';
import { type Row, toDisruption } from '../db/disruptionRows.ts';
import { events } from '../db/events.ts';
import { handover, type SheetMatch } from '../db/handover.ts';
import type { Db } from '../db/open.ts';
import { ownReports } from '../db/ownReports.ts';
import { responses } from '../db/responses.ts';
import type { Declared } from '../feeds/freshness.ts';
import { silencesBetween } from '../feeds/silences.ts';

const OVERLAP_MS = 60 * 60_000;

interface Parts {
  db: Db;
  collectors: readonly Declared[];
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
  const matched = await handover(db).matchesSince(team.id, from);
  // Lines for the next shift are often written after it has begun.
  const log = await responses(db).log(team.id, { from, until: new Date(to.getTime() + OVERLAP_MS) });
  const { responses: states } = await responses(db).ofTeam(team.id, { changedAfter: from });
  const stateOf = new Map(states.map((state) => [state.event_id, state]));
  const own = (await ownReports(db).inForce(team.id)).map(({ disruption }) => disruption);

  const rows = await handover(db).incidents([
    ...new Set([
      ...matched.filter(({ subject }) => subject === 'disruption').map(({ subject_id }) => subject_id),
      ...stateOf.keys(),
      ...log.flatMap(({ event_id }) => event_id ?? []),
    ]),
  ]);
  const incidents = new Map<string, SheetIncident>(
    [...own, ...rows.map(toDisruption)].map((incident) => [incident.event_id, toSheet(incident)]),
  );
  const standing = new Set([
    ...own.map(({ event_id }) => event_id),
    ...rows.filter(({ ended_at }) => ended_at === null).map(({ event_id }) => event_id),
  ]);
  const planned = new Set(rows.filter((row) => isPlanned(toDisruption(row))).map(({ event_id }) => event_id));
  const asleep = states.filter((state) => standing.has(state.event_id) && isSnoozed(state, now));
  const isAsleep = new Set(asleep.map(({ event_id }) => event_id));

  const active = matched.filter(
    ({ ended_at, level, subject_id }) =>
      ended_at === null &&
      level !== 'near' &&
      standing.has(subject_id) &&
      !planned.has(subject_id) &&
      !isAsleep.has(subject_id),
  );
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
        const routes = ofIt.map(({ watch_id, name }) => ({ id: watch_id, name }));
        return {
          route: routes[0]!, // there is a match
          routes,
          level: LEVELS.find((level) => ofIt.some((match) => match.level === level)) ?? 'possible',
          incident,
          since: incident.start_time ?? ofIt.map(({ began_at }) => began_at).toSorted()[0]!, // as above
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
    cleared: rows
      .filter((row): row is Row & { ended_at: string } => row.ended_at !== null)
      .filter(({ ended_at }) => ended_at >= from.toISOString() && ended_at < to.toISOString())
      .map(({ event_id, ended_at, ended_reason }) => ({
        incident: incidents.get(event_id)!, // made from the same rows
        at: ended_at,
        reason: ended_reason,
      }))
      .sort((one, other) => (one.at < other.at ? -1 : 1)),
    planned: [
      ...plannedIncidents(matched, planned, incidents, now),
      ...crowdsAhead(matched, await events(db).performances(eventIds(matched)), now),
    ].sort((one, other) => (one.at < other.at ? -1 : 1)),
    unseen_sources: await silencesBetween({ db, collectors }, { from, to: to < now ? to : now, now }),
    unseen_displays: await handover(db).displaysUnseen(
      mode === 'one' ? null : team.id,
      new Date(now.getTime() - SHEET.unseenMs),
    ),
    next_shift: notes.filter(({ event_id }) => event_id === null),
  };
}

const LEVELS = ['certain', 'possible'] as const;

const toSheet = ({ event_id, source, severity, title, facts, start_time }: SheetIncident): SheetIncident => ({
  event_id,
  source,
  severity,
  title,
  start_time,
  ...(facts && { facts }),
});

const isAhead = (at: number, now: Date) => at >= now.getTime() && at < now.getTime() + SHEET.plannedMs;

/** Each once, however many routes it is on. */
function plannedIncidents(
  matched: readonly SheetMatch[],
  planned: ReadonlySet<string>,
  incidents: ReadonlyMap<string, SheetIncident>,
  now: Date,
): Handover['planned'] {
  const ofIncident = Map.groupBy(
    matched.filter(({ ended_at, subject_id }) => ended_at === null && planned.has(subject_id)),
    ({ subject_id }) => subject_id,
  );
  return [...ofIncident].flatMap(([id, ofIt]) => {
    const incident = incidents.get(id);
    const start = incident?.start_time ?? null;
    if (!incident || start === null || !isAhead(Date.parse(start), now)) return [];
    return [{ title: incident.title, at: start, route: routesOf(ofIt) }];
  });
}

const eventIds = (matched: readonly SheetMatch[]) => [
  ...new Set(matched.filter(({ subject }) => subject === 'event').map(({ subject_id }) => subject_id)),
];

/** When the people of an event near a route come, and, where its end is known, when they leave. */
function crowdsAhead(
  matched: readonly SheetMatch[],
  happenings: readonly MapEvent[],
  now: Date,
): Handover['planned'] {
  return happenings.flatMap(
    ({ performance_id, name, venue_name, start_datetime, end_datetime, is_sample }) => {
      const route = routesOf(matched.filter(({ subject_id }) => subject_id === performance_id));
      const title = [venue_name, is_sample ? `${name} (sample)` : name].filter(Boolean).join(': ');
      const times = [
        { at: start_datetime, what: 'begins' },
        { at: end_datetime, what: 'ends' },
      ];
      return times.flatMap(({ at, what }) =>
        at !== null && isAhead(Date.parse(at), now) ? [{ title: `${title} ${what}`, at, route }] : [],
      );
    },
  );
}

const routesOf = (matched: readonly SheetMatch[]) => [...new Set(matched.map(({ name }) => name))].join(', ');
