/**
 * Alerts that touch a route that is not stored, or the reason why an incident touches or does not touch a stored one.
 */
import { setImmediate } from 'node:timers/promises';
import {
  type Geometry,
  isPlanned,
  type ListedDisruption,
  statedStart,
} from '#contract/incidents/disruptions.ts';
import { severityRank } from '#contract/incidents/severity.ts';
import { knownSource } from '#contract/feeds/knownSources.ts';
import type { Explanation, Match, Trial, TrialRequest } from '#contract/watches/watches.ts';
import { letsThrough } from '#contract/watches/whichIncidents.ts';
import { isWatchedWithin } from '#contract/watches/whenWatched.ts';
import { demotions } from './matching/demotionStore.ts';
import type { ShapedDisruption } from '../incidents/list/disruptionRows.ts';
import { disruptions } from '../incidents/list/disruptions.ts';
import { mergedInto } from './matching/matchInput.ts';
import type { Db } from '../db/open.ts';
import { standingAlerts } from '../incidents/list/standingAlerts.ts';
import type { KeptWatch, WatchDraft, BriefWatch } from './watchStore.ts';
import { ownReports } from '../shift/ownReports.ts';
import { trusted } from './matching/demotedMatch.ts';
import { incidentPlace } from '../geography/roads/incidentPlace.ts';
import { explain, match } from './matching/rules/matcher.ts';
import { roadTable } from '../geography/roads/roadTable.ts';
import { whatWasRead } from '../geography/roads/whatWasRead.ts';
import { watchLine, type StoredWatch } from './matching/rules/watchLine.ts';
import { letThrough, type Through } from './alertsLetThrough.ts';
import { dayAfter, londonInstant } from '#contract/watches/departures.ts';
import { londonDay } from '#contract/london.ts';
import { TELL_ME } from '#contract/watches/tellMe.ts';
import { filtered } from '../incidents/list/filteredDisruptions.ts';

/** Beyond this distance no town that the words name can match. */
const FAR = { latitude: 0.6, longitude: 1 } as const;
/** After this many, other requests have their turn. */
const INCIDENTS_PER_TURN = 50;

/** Alerts in force that it would let through, whatever its hours: by kilometre, and alerts without a kilometre last. */
export async function previewOf(
  db: Db,
  teamId: string,
  draft: WatchDraft,
  { at, disconnected }: { at: Date; disconnected: ReadonlySet<string> },
): Promise<Pick<Through<Match>, 'matches' | 'beyond' | 'left_out'>> {
  const standing = await standingAlerts(db);
  const touching =
    draft.kind === 'feeds' ? [] : await touchingNow(db, teamId, { ...draft, id: 'preview' }, at);
  // As lists show them, with the content of their other reports.
  const incidents = new Map(
    touching.map(({ subject_id, disruption }) => [subject_id, standing.get(subject_id) ?? disruption]),
  );
  const known = { touching, incidents, happenings: new Map(), standing, disconnected };
  const through = letThrough(draft, known);
  const shapes = new Map(touching.map(({ subject_id, disruption }) => [subject_id, disruption]));
  return {
    ...through,
    matches: through.matches
      .map((match): Match => {
        const { subject_id } = match;
        return { ...match, disruption: { ...shapes.get(subject_id), ...standing.get(subject_id)! } }; // one of the two
      })
      .sort((one, other) => (one.from_km ?? Infinity) - (other.from_km ?? Infinity)),
  };
}

async function touchingNow(
  db: Db,
  teamId: string,
  watch: StoredWatch,
  now: Date,
): Promise<(Omit<Match, 'disruption'> & { disruption: ShapedDisruption })[]> {
  const table = roadTable();
  const line = watchLine(watch, table);
  const { west, south, east, north } = line.box;
  const around = {
    west: west - FAR.longitude,
    south: south - FAR.latitude,
    east: east + FAR.longitude,
    north: north + FAR.latitude,
  };
  const roads = [
    ...line.pieces.map(({ chain }) => chain.road),
    ...line.legs.flatMap(({ road }) => road ?? []),
  ];
  const candidates = await disruptions(db).candidates(around, [...new Set(roads)]);
  const demoted = await demotions(db).all();
  const found = [];
  for (const [count, incident] of candidates.entries()) {
    if (count % INCIDENTS_PER_TURN === 0) await setImmediate();
    const one = match(incidentPlace(incident, table), line);
    if (!one) continue;
    const { level, why, from_km, to_km, off_m } = trusted(one, incident.event_id, teamId, demoted);
    const geometry = incident.geometry === null ? null : (JSON.parse(incident.geometry) as Geometry);
    found.push({
      subject: 'disruption' as const,
      subject_id: incident.event_id,
      level,
      why,
      from_km,
      to_km,
      off_m,
      began_at: now.toISOString(),
      disruption: { ...incident, geometry } as ShapedDisruption,
    });
  }
  return found;
}

const LEVELS: readonly Explanation['level'][] = ['certain', 'possible', 'none'];

/** The explanation of the report of an incident that says most, as in the stored match. Undefined: no report is in
 *  force. */
export async function explanationOf(
  db: Db,
  teamId: string,
  watch: KeptWatch,
  eventId: string,
): Promise<Omit<Explanation, 'not_ours'> | undefined> {
  const others = [...(await mergedInto(db))].flatMap(([id, into]) => (into === eventId ? [id] : []));
  const own = await ownReports(db).shaped(teamId, eventId);
  const reports = own ? [own] : await disruptions(db).withShapes([eventId, ...others]);
  const asked = reports.find(({ event_id }) => event_id === eventId);
  if (!asked) return undefined;
  // The place of an own report was typed, and understood when it was made.
  const readOf = ({ metadata, ...report }: (typeof reports)[number]) =>
    own?.facts?.place
      ? `Your team says where it is: ${own.facts.place}.`
      : whatWasRead({ ...report, metadata: { ...metadata } }).sentence;
  if (watch.kind === 'feeds') {
    const known = (await standingAlerts(db)).get(eventId);
    const isThrough = known !== undefined && letsThrough(watch.which, known);
    const why = isThrough ? `is reported by ${knownSource(known.source).displayName}` : null;
    const level = isThrough ? 'certain' : 'none';
    return { watch_id: watch.id, subject_id: eventId, level, why, read: readOf(asked), rules: [] };
  }
  const table = roadTable();
  const line = watchLine(watch, table);
  const demoted = await demotions(db).all();
  const [best] = reports
    .toSorted((one, other) => Number(other.event_id === eventId) - Number(one.event_id === eventId))
    .map((report) => {
      const geometry = report.geometry && JSON.stringify(report.geometry);
      const explained = explain(incidentPlace({ ...report, geometry }, table), line);
      return { ...trusted(explained, report.event_id, teamId, demoted), read: readOf(report) };
    })
    .toSorted((one, other) => LEVELS.indexOf(one.level) - LEVELS.indexOf(other.level));
  return { watch_id: watch.id, subject_id: eventId, ...best! }; // it has a report
}

// Trial of a route, an area or feeds since yesterday morning, with the settings that are being edited.

/** More than anybody reads, but enough to give a number. */
const COUNTED = 1000;

/** Incidents that began since then. Each is judged by its present state, or by its state when it ended. */
export async function trialOf(db: Db, watch: BriefWatch, edited: TrialRequest, now: Date): Promise<Trial> {
  const { id, kind } = watch;
  const { which = watch.which, when = watch.when, notify: tellMe = watch.notify ?? TELL_ME } = edited;
  const since = londonInstant(dayAfter(londonDay(now), -1), '06:00');
  const began = async (level: 'certain' | 'possible'): Promise<Map<string, ListedDisruption>> => {
    const watched = { id, kind, which: { ...which, level } };
    const found = await filtered(db).newest({ watched }, since, COUNTED);
    const isNew = ({ incident, seen_at }: (typeof found)[number]) => {
      const from = statedStart(incident) ?? seen_at;
      const to = incident.ended_at ? new Date(incident.ended_at) : now;
      return (
        from >= since.toISOString() && (isPlanned(incident) || isWatchedWithin(when, new Date(from), to))
      );
    };
    return new Map(found.filter(isNew).map(({ incident }) => [incident.event_id, incident]));
  };
  const certain = await began('certain');
  const possible = which.level === 'certain' ? certain : await began('possible');
  const { threshold } = tellMe;
  const isAtOnce = (incident: ListedDisruption) =>
    threshold !== 'nothing' &&
    !isPlanned(incident) &&
    severityRank(incident.severity) <= severityRank(threshold);
  const atOnce = [...certain.values()].filter(isAtOnce).length;
  const later = certain.size - atOnce; // planned, or below the threshold
  const others = [...possible.keys()].filter((one) => !certain.has(one)).length;
  const digested = threshold === 'nothing' ? 0 : later + (tellMe.possible === 'digest' ? others : 0);
  return { since: since.toISOString(), at_once: atOnce, in_digest: digested };
}
