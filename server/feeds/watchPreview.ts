/** What touches a route that is not stored, or why an incident does or does not touch one that is. */
import { setImmediate } from 'node:timers/promises';
import type { Explanation, Match } from '#contract/watches.ts';
import { collections } from '../db/collections.ts';
import { disruptions } from '../db/disruptions.ts';
import { mergedInto } from '../db/matched.ts';
import type { Db } from '../db/open.ts';
import { trusted } from '../roads/demotion.ts';
import { incidentPlace } from '../roads/incidentPlace.ts';
import { explain, match } from '../roads/matcher.ts';
import { roadTable } from '../roads/roadTable.ts';
import { watchLine, type StoredWatch } from '../roads/watchLine.ts';

/** Beyond this no town that words name can match. */
const FAR = { latitude: 0.6, longitude: 1 } as const;
/** Then other requests have their turn. */
const INCIDENTS_PER_TURN = 50;

/** All in force, by kilometre, those without one last. */
export async function previewOf(db: Db, watch: StoredWatch, now: Date): Promise<Match[]> {
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
  const demoted = await collections(db).demoted();
  const found: Match[] = [];
  for (const [count, incident] of candidates.entries()) {
    if (count % INCIDENTS_PER_TURN === 0) await setImmediate();
    const one = match(incidentPlace(incident, table), line);
    if (!one) continue;
    const { level, why, from_km, to_km, off_m } = trusted(one, incident.event_id, demoted);
    const geometry =
      incident.geometry === null ? null : (JSON.parse(incident.geometry) as Match['disruption']);
    found.push({
      subject: 'disruption',
      subject_id: incident.event_id,
      level,
      why,
      from_km,
      to_km,
      off_m,
      began_at: now.toISOString(),
      disruption: { ...incident, geometry } as Match['disruption'],
    });
  }
  return found.sort((one, other) => (one.from_km ?? Infinity) - (other.from_km ?? Infinity));
}

const LEVELS: readonly Explanation['level'][] = ['certain', 'possible', 'none'];

/** Of several reports of one incident the one that says most, as in the stored match. Undefined: it is not in force. */
export async function explanationOf(
  db: Db,
  watch: StoredWatch,
  eventId: string,
): Promise<Explanation | undefined> {
  const others = [...(await mergedInto(db))].flatMap(([id, into]) => (into === eventId ? [id] : []));
  const reports = await disruptions(db).withShapes([eventId, ...others]);
  if (!reports.some(({ event_id }) => event_id === eventId)) return undefined;
  const table = roadTable();
  const line = watchLine(watch, table);
  const demoted = await collections(db).demoted();
  const [best] = reports
    .toSorted((one, other) => Number(other.event_id === eventId) - Number(one.event_id === eventId))
    .map((report) => {
      const geometry = report.geometry && JSON.stringify(report.geometry);
      return trusted(explain(incidentPlace({ ...report, geometry }, table), line), report.event_id, demoted);
    })
    .toSorted((one, other) => LEVELS.indexOf(one.level) - LEVELS.indexOf(other.level));
  return { watch_id: watch.id, subject_id: eventId, ...best! }; // it has a report
}
