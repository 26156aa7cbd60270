/** Questions about incidents that are known by id or number. */
import { sql } from 'kysely';
import { alertNumber } from '#contract/alertNumber.ts';
import {
  type DisruptionHistory,
  type DisruptionVersion,
  VersionedField,
  VERSIONS_SHOWN,
} from '#contract/disruptionHistory.ts';
import type { Disruption, ListedDisruption } from '#contract/disruptions.ts';
import { chunks, IDS_PER_STATEMENT } from './batches.ts';
import { pick } from './content.ts';
import {
  inForce,
  type OneDisruption,
  type Row,
  type ShapedDisruption,
  stored,
  toDisruption,
  toListed,
  toShaped,
  withDuplicates,
} from './disruptionRows.ts';
import { type Duplicates, findDuplicates, NO_DUPLICATES } from './duplicates.ts';
import { iso, type Instant } from './instant.ts';
import type { Db } from './open.ts';
import { type Version, versionsOf } from './versions.ts';

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
    const rows = await stored(db)
      .where('event_id', 'in', ids)
      .orderBy((eb) => sql`coalesce(${eb.ref('ended_at')}, '~')`, 'desc')
      .orderBy('event_id')
      .execute();
    return rows.map(toListed);
  },

  /** Those of these ids that are in force, each with its shape. */
  async withShapes(eventIds: readonly string[]): Promise<ShapedDisruption[]> {
    const found: ShapedDisruption[] = [];
    for (const ids of chunks(eventIds, IDS_PER_STATEMENT)) {
      const rows = await inForce(db).select('geometry').where('event_id', 'in', ids).execute();
      found.push(...rows.map(toShaped));
    }
    return found;
  },

  /** One incident, in force or ended and not yet deleted, with its earlier versions. */
  async history(eventId: string): Promise<Omit<DisruptionHistory, 'published' | 'nearby'> | undefined> {
    const row = await stored(db)
      .select(['first_seen_at', 'version_seen_at', 'geometry'])
      .where('event_id', '=', eventId)
      .executeTakeFirst();
    if (!row) return undefined;

    // One more than is shown, so that the changes of the first shown are known.
    const { versions, total } = await versionsOf(db, eventId, VERSIONS_SHOWN);
    const all = [...versions, { ...row, seen_at: row.version_seen_at }];
    const { first_seen_at, ended_at, ended_reason } = row;
    const duplicates = ended_at ? NO_DUPLICATES : await findDuplicates(db, (eb) => eb.lit(true));
    return {
      ...toDisruption(withOthers(row, duplicates)),
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

/** As `withDuplicates`; one that is merged into another names that one and its other duplicates, as its own page does. */
function withOthers(row: Row, duplicates: Duplicates): Row {
  const into = duplicates.merged.get(row.event_id)?.into;
  const main = into === undefined ? undefined : duplicates.mains.get(into);
  if (into === undefined || !main) return withDuplicates(row, duplicates);

  const own = main.also.find(({ event_id }) => event_id === row.event_id);
  const first = { source: main.source, event_id: into, title: main.title, ...(own?.why && { why: own.why }) };
  const also = [first, ...main.also.filter((one) => one !== own)];
  const metadata = JSON.parse(row.metadata) as Disruption['metadata'];
  return { ...row, metadata: JSON.stringify({ ...metadata, also_reported_by: also }) };
}
