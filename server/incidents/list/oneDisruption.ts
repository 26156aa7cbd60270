/** Questions about incidents that are known by id or number. */
import { sql } from 'kysely';
import { alertNumber } from '#contract/incidents/alertNumber.ts';
import {
  type DisruptionHistory,
  type DisruptionVersion,
  VersionedField,
  VERSIONS_SHOWN,
} from '#contract/incidents/disruptionHistory.ts';
import type { Disruption, ListedDisruption } from '#contract/incidents/disruptions.ts';
import { rowsFor } from '../../db/batches.ts';
import { pick } from '../incidentFields.ts';
import {
  inForce,
  type OneDisruption,
  type ShapedDisruption,
  stored,
  toDisruption,
  toListed,
  toShaped,
  withDuplicates,
} from './disruptionRows.ts';
import { findDuplicates, incidentOf, incidentsOf, NO_DUPLICATES } from './duplicates.ts';
import { iso, type Instant } from '../../db/instant.ts';
import type { Db } from '../../db/open.ts';
import { type Version, versionsOf } from '../lifecycle/versions.ts';

export const oneDisruption = (db: Db) => ({
  /** One incident in force; undefined when it has ended or never existed. */
  async byId(eventId: string): Promise<Disruption | undefined> {
    const row = await inForce(db).where('event_id', '=', eventId).executeTakeFirst();
    return row && toDisruption(row);
  },

  /** All with this number, in force or ended since then; those in force first, then the last that ended. */
  async ofNumber(number: string, endedSince: Instant): Promise<ListedDisruption[]> {
    const isWithin = (eb: OneDisruption) =>
      eb.and([
        eb('kind', '=', 'alert'),
        eb.or([eb('ended_at', 'is', null), eb('ended_at', '>=', iso(endedSince))]),
      ]);
    const all = await db.selectFrom('disruptions').select('event_id').where(isWithin).execute();
    const ids = all.map(({ event_id }) => event_id).filter((id) => alertNumber(id) === number);
    if (ids.length === 0) return [];
    const known = await incidentsOf(db, ids);
    const duplicates = await findDuplicates(db);
    const rows = await stored(db)
      .where('event_id', 'in', [...new Set(ids.map((id) => known.get(id) ?? id))])
      .orderBy((eb) => sql`coalesce(${eb.ref('ended_at')}, '~')`, 'desc')
      .orderBy('event_id')
      .execute();
    return rows.map((row) => toListed(withDuplicates(row, duplicates)));
  },

  /** Incidents of these ids that are in force, as their other reports grade them. */
  async standing(eventIds: readonly string[]): Promise<Disruption[]> {
    const duplicates = await findDuplicates(db);
    const rows = await rowsFor(eventIds, (ids) => inForce(db).where('event_id', 'in', ids));
    return rows.map((row) => toDisruption(withDuplicates(row, duplicates)));
  },

  /** The same, each with its shape. */
  async withShapes(eventIds: readonly string[]): Promise<ShapedDisruption[]> {
    const duplicates = await findDuplicates(db);
    const rows = await rowsFor(eventIds, (ids) =>
      inForce(db).select('geometry').where('event_id', 'in', ids),
    );
    return rows.map(({ geometry, ...row }) => toShaped({ ...withDuplicates(row, duplicates), geometry }));
  },

  /** One incident, in force or ended and not yet deleted, with its earlier versions; also by the id of a report that
   *  is part of it. */
  async history(asked: string): Promise<Omit<DisruptionHistory, 'published' | 'nearby'> | undefined> {
    const eventId = await incidentOf(db, asked);
    const row = await stored(db)
      .select(['first_seen_at', 'version_seen_at', 'geometry'])
      .where('event_id', '=', eventId)
      .executeTakeFirst();
    if (!row) return undefined;

    // One more than is shown, so that the changes of the first shown are known.
    const { versions, total } = await versionsOf(db, eventId, VERSIONS_SHOWN);
    const all = [...versions, { ...row, seen_at: row.version_seen_at }];
    const { first_seen_at, ended_at, ended_reason } = row;
    const duplicates = ended_at ? NO_DUPLICATES : await findDuplicates(db);
    return {
      ...toDisruption(withDuplicates(row, duplicates)),
      ...(asked !== eventId && { asked_for: asked }),
      geometry: row.geometry === null ? null : JSON.parse(row.geometry),
      first_seen_at,
      ended_at,
      ended_reason,
      history: all.map((version, at) => toVersion(version, all[at - 1])).slice(-VERSIONS_SHOWN),
      versions: total + 1,
    };
  },
});

type Shown = Omit<Version, 'event_id' | 'replaced_at' | 'details'>;

function toVersion(version: Shown, before: Shown | undefined): DisruptionVersion {
  const { seen_at, updated_at, ended_at, ended_reason } = version;
  return {
    seen_at,
    ...pick(version, VersionedField.options),
    updated_at,
    changed: before ? VersionedField.options.filter((field) => version[field] !== before[field]) : [],
    ended_at,
    ended_reason,
  };
}
