/** How incidents begin, change and end in the database. `server/incidents/lifecycle/planPoll.ts` plans what a poll
 *  changes; queries are in `disruptions.ts`. */
import { type Expression, type ExpressionBuilder, sql, type SqlBool } from 'kysely';
import { EndedReason } from '#contract/incidents/disruptions.ts';
import { severityRank } from '#contract/incidents/severity.ts';
import { chunks } from '../../db/batches.ts';
import { endOf, type Logged, pruneChanges } from '../../db/changeLog.ts';
import { freshCollection } from '../collectionState.ts';
import { COLUMNS, type Content, pick, toColumns, toContent } from '../incidentFields.ts';
import { logIncidents, pruneMembers } from '../merging/mergedIdentity.ts';
import { iso, minutesBefore, type Instant } from '../../db/instant.ts';
import type { Shape } from '../../geography/shapes/shape.ts';
import type { Db } from '../../db/open.ts';
import { insertNew, rowsWith } from '../../db/statements.ts';
import { raiseRevision } from '../../db/revisions.ts';
import type { RowOf, Tables } from '../../db/schema.ts';
import { keepVersions, pruneEnded, pruneVersions, SHAPE_COLUMNS } from './versions.ts';

/** Each row has about 30 columns: this is far below SQLite's 32,766 parameters per statement, and quick. */
const ROWS_PER_STATEMENT = 25;
const CONTENTS_PER_STATEMENT = 500;

const IN_FORCE = [
  'event_id',
  'content_hash',
  'kind',
  'severity',
  'phase',
  'start_time',
  'end_time',
  'ends_on_time',
  'updated_at',
  'first_seen_at',
  'absent_polls',
  'unseen',
  'last_seen_at',
] as const;
export interface InForce extends Pick<RowOf<'disruptions'>, (typeof IN_FORCE)[number]> {
  /** These columns are read only when the incident is listed with another hash. */
  content?: Content;
  geometry?: string | null;
}

/** The state of a source before a poll is stored. */
export interface Standing {
  inForce: readonly InForce[];
  /** Polls in a row that were unexpectedly empty. */
  suspectPolls: number;
}

/** An incident as it is after a poll. */
export interface Incident extends Content {
  event_id: string;
  updated_at: string;
  start_time: string;
  /** False when the publisher's status counts even after its end time. */
  ends_on_time: boolean;
  content_hash: string;
  first_seen_at: string;
  shape?: Shape | null;
}

/** The changes that a poll makes to the incidents of its source. */
export interface Plan {
  begins: Incident[];
  changes: Incident[];
  /** `incident`: set if the publisher still lists it, in this form. */
  ends: { event_id: string; why: EndedReason; incident?: Incident }[];
  /** Ids of incidents that are listed again. */
  returns: string[];
  /** Ids of incidents that are missing in a poll that counts towards their end. */
  missing: string[];
  /** Ids of incidents that are missing in a poll that does not count. */
  unseen: string[];
  /** The entries of the change log. */
  log: Logged[];
  /** How many stay as they are. */
  unchanged: number;
  /** True: the poll was unexpectedly empty, so nothing is ended. */
  isSuspect: boolean;
  suspectPolls: number;
}

export interface Stored {
  inserted: number;
  updated: number;
  ended: number;
  /** The number of incidents that were in force and did not change. */
  kept: number;
  /** True: the poll was unexpectedly empty, so nothing was ended. */
  suspect: boolean;
}

export const lifecycle = (db: Db) => ({
  /** Applies a source's plan atomically. Raises the revision `feeds` if anything changed, and logs the changes. */
  async apply(
    {
      source,
      at,
      listed,
    }: { source: string; at: string; listed: ReadonlyMap<string, { content_hash: string }> },
    planFor: (standing: Standing) => Plan,
  ): Promise<Stored> {
    return db.transaction().execute(async (trx) => {
      const collection = await lockSource(trx, source);
      const inForce = await standingOf(trx, source, listed);
      const plan = planFor({ inForce, suspectPolls: collection.suspect_polls });
      const { begins, changes, ends, returns, missing, unseen, suspectPolls } = plan;
      const beginning = begins.map(({ event_id }) => event_id);
      const changing = changes.length;

      if (suspectPolls !== collection.suspect_polls) {
        await rowsWith(trx, 'collections', { source }).set({ suspect_polls: suspectPolls });
      }
      const begun = await upsert(trx, begins, { source, at });
      await upsert(trx, changes, { source, at });
      const seen = new Map(inForce.map(({ event_id, last_seen_at }) => [event_id, last_seen_at]));
      await markSeen(trx, returns, at, seen);
      const absent = { at, lastSuccess: collection.last_success };
      for (const why of EndedReason.options) {
        const over = ends.filter((one) => one.why === why);
        const listed = over.flatMap(({ incident }) => incident ?? []);
        const gone = over.flatMap(({ event_id, incident }) => (incident ? [] : event_id));
        await upsert(trx, listed, { source, at, why });
        await markAbsent(trx, gone, { ...absent, counts: true, why });
      }
      await markAbsent(trx, missing, { ...absent, counts: true });
      await markAbsent(trx, unseen, { ...absent, counts: false });

      const kept = plan.unchanged + returns.length + missing.length + unseen.length;
      // These were not stored, because their ids belong to another source.
      const foreign = new Set(beginning.filter((id) => !begun.has(id)));
      const log = plan.log.filter(({ event_id }) => !foreign.has(event_id));
      if (begun.size + changing + ends.length > 0) await logIncidents(trx, { source, at }, log);
      else if (kept > plan.unchanged) await raiseRevision(trx, 'feeds');
      return {
        inserted: begun.size,
        updated: changing,
        ended: ends.length,
        kept,
        suspect: plan.isSuspect,
      };
    });
  },

  /** Ends incidents past their end time, unless the publisher's status counts beyond it. Ends all, as `expired`,
   *  when the last successful collection is more than `maxAgeMinutes` old. Returns how many ended. */
  async expire({
    source,
    now,
    maxAgeMinutes,
  }: {
    source: string;
    now: Instant;
    maxAgeMinutes?: number;
  }): Promise<number> {
    const at = iso(now);
    const endsNow = (eb: ExpressionBuilder<Tables, 'disruptions'>) =>
      eb.and([
        eb('source', '=', source),
        eb('ended_at', 'is', null),
        eb('ends_on_time', '=', 1),
        eb('end_time', '<=', at),
      ]);
    const isTooOld = async () => {
      if (maxAgeMinutes === undefined) return false;
      const row = await rowsWith(db, 'collections', { source }).first('last_success');
      return row?.last_success != null && row.last_success < minutesBefore(at, maxAgeMinutes);
    };

    // Checked every minute and rarely true: a read is cheap, a write transaction is not.
    const tooOld = await isTooOld();
    const due = await db
      .selectFrom('disruptions')
      .select('event_id')
      .where((eb) => (tooOld ? isInForce(eb, source) : endsNow(eb)))
      .limit(1)
      .executeTakeFirst();
    if (!due) return 0;

    return db.transaction().execute(async (trx) => {
      const { last_success } = await lockSource(trx, source);
      const lastSeen = lastSeenBefore(last_success);
      const end = (
        why: EndedReason,
        isDue: (eb: ExpressionBuilder<Tables, 'disruptions'>) => Expression<SqlBool>,
      ) =>
        trx
          .updateTable('disruptions')
          .set({ ended_at: at, ended_reason: why, last_seen_at: lastSeen })
          .where(isDue)
          .returning(['event_id', 'kind', 'severity', 'phase'])
          .execute();
      const passed = await end('end_time', endsNow);
      const expired = tooOld ? await end('expired', (eb) => isInForce(eb, source)) : [];
      const ended = passed.length + expired.length;
      if (ended === 0) return 0;
      await logIncidents(trx, { source, at }, [
        ...passed.flatMap((row) => endOf(row, 'end_time')),
        ...expired.flatMap((row) => endOf(row, 'expired')),
      ]);
      return ended;
    });
  },

  /** Makes planned incidents active from the minute of their announced start, whenever their source is next polled.
   *  Returns how many. Leaves out incidents that the publisher has since called planned again, and those without a
   *  start of their own. */
  async begin({ source, now }: { source: string; now: Instant }): Promise<number> {
    const at = iso(now);
    const isDue = (eb: ExpressionBuilder<Tables, 'disruptions'>) =>
      eb.and([
        isInForce(eb, source),
        eb('kind', '=', 'alert'),
        eb('phase', '=', 'planned'),
        eb('start_time', '<=', at),
        eb('start_time', '>', eb.ref('version_seen_at')),
      ]);
    const due = await db
      .selectFrom('disruptions')
      .select('event_id')
      .where(isDue)
      .limit(1)
      .executeTakeFirst();
    if (!due) return 0;

    return db.transaction().execute(async (trx) => {
      await lockSource(trx, source);
      const rows = await trx.selectFrom('disruptions').selectAll().where(isDue).execute();
      for (const chunk of chunks(rows, ROWS_PER_STATEMENT)) {
        const begun = chunk.map((row) => ({ ...row, phase: 'active' as const, version_seen_at: at }));
        await keepVersions(trx, begun, at);
        await rowsWith(trx, 'disruptions', { event_id: begun.map(({ event_id }) => event_id) }).set({
          phase: 'active',
          version_seen_at: at,
        });
      }
      if (rows.length === 0) return 0;
      const started = rows.map(({ event_id, severity }) => ({
        event_id,
        kind: 'started' as const,
        severity_from: severity,
        severity_to: severity,
        phase_to: 'active' as const,
      }));
      await logIncidents(trx, { source, at }, started);
      return rows.length;
    });
  },

  /** Deletes incidents that ended, versions that were replaced and changes that were logged before that time. */
  async prune(before: Instant): Promise<void> {
    await pruneChanges(db, before);
    await pruneVersions(db, before);
    await pruneEnded(db, before);
    await pruneMembers(db, before);
  },
});

const isInForce = (eb: ExpressionBuilder<Tables, 'disruptions'>, source: string) =>
  eb.and([eb('disruptions.source', '=', source), eb('disruptions.ended_at', 'is', null)]);

async function standingOf(
  trx: Db,
  source: string,
  listed: ReadonlyMap<string, { content_hash: string }>,
): Promise<InForce[]> {
  const rows: InForce[] = await trx
    .selectFrom('disruptions')
    .select(IN_FORCE)
    .where((eb) => isInForce(eb, source))
    .execute();
  const byId = new Map(rows.map((row) => [row.event_id, row]));
  const isOther = ({ event_id, content_hash }: InForce) =>
    listed.has(event_id) && listed.get(event_id)?.content_hash !== content_hash;
  const ids = rows.filter(isOther).map(({ event_id }) => event_id);
  for (const chunk of chunks(ids, CONTENTS_PER_STATEMENT)) {
    const contents = await rowsWith(trx, 'disruptions', { event_id: chunk }).all(
      'event_id',
      'geometry',
      ...COLUMNS,
    );
    for (const { event_id, geometry, ...columns } of contents)
      Object.assign(byId.get(event_id)!, { content: toContent(columns), geometry });
  }
  return rows;
}

/** A road in the form of the column `roads`. */
export const asRoad = (road: string) => `|${road}|`;

/** A text in the form that is searched. */
export const searchable = (text: string) => text.normalize('NFC').toLowerCase();

/** The source's row, locked until the transaction ends, so that two writers for one source take turns. */
function lockSource(trx: Db, source: string) {
  return trx
    .insertInto('collections')
    .values(freshCollection(source, true))
    .onConflict((conflict) =>
      conflict.column('source').doUpdateSet((eb) => ({ source: eb.ref('excluded.source') })),
    )
    .returning(['suspect_polls', 'last_success'])
    .executeTakeFirstOrThrow();
}

interface Writing {
  source: string;
  at: string;
  /** Set when the incidents end. */
  why?: EndedReason;
}

/** Writes incidents and takes them out of the list, so that 10,000 do not stay in memory until the transaction ends.
 *  Returns the ids of the rows. */
async function upsert(trx: Db, incidents: Incident[], writing: Writing): Promise<Set<string>> {
  const written = new Set<string>();
  while (incidents.length > 0) {
    const rows = incidents.splice(0, ROWS_PER_STATEMENT).map((incident) => toRow(incident, writing));
    await keepVersions(trx, rows, writing.at);
    const columns = Object.keys(rows[0]!) as (keyof RowOf<'disruptions'>)[];
    const rowsWritten = await trx
      .insertInto('disruptions')
      .values(rows)
      .onConflict((conflict) =>
        conflict
          .column('event_id')
          .doUpdateSet((eb) =>
            Object.fromEntries(columns.map((column) => [column, eb.ref(`excluded.${column}`)])),
          )
          .whereRef('disruptions.source', '=', 'excluded.source')
          .where((eb) =>
            eb.or([
              eb('disruptions.content_hash', '<>', eb.ref('excluded.content_hash')),
              eb('disruptions.ended_at', 'is distinct from', eb.ref('excluded.ended_at')),
              eb('disruptions.last_seen_at', '>', eb.ref('excluded.last_seen_at')),
            ]),
          ),
      )
      .returning('event_id')
      .execute();
    for (const { event_id } of rowsWritten) written.add(event_id);
  }
  return written;
}

const NO_SHAPE = { geometry: null, west: null, south: null, east: null, north: null };

function toRow(incident: Incident, { source, at, why }: Writing): RowOf<'disruptions'> {
  const { event_id, content_hash, first_seen_at } = incident;
  return {
    event_id,
    source,
    ...toColumns(incident),
    content_hash,
    first_seen_at,
    severity_rank: severityRank(incident.severity),
    search_text: searchable(`${incident.title}\n${incident.summary_line}`),
    roads: (incident.facts?.roads ?? []).map(asRoad).join(''),
    ends_on_time: incident.ends_on_time ? 1 : 0,
    reach_km: incident.metadata.location_reach_km ?? 0,
    ...pick(incident.shape ?? NO_SHAPE, SHAPE_COLUMNS),
    last_seen_at: at,
    unseen: 0,
    absent_polls: 0,
    ended_at: why ? at : null,
    ended_reason: why ?? null,
    version_seen_at: at,
  };
}

/** `seen`: when each was last listed before. */
async function markSeen(
  trx: Db,
  ids: readonly string[],
  at: string,
  seen: ReadonlyMap<string, string>,
): Promise<void> {
  await insertNew(
    trx,
    'absences',
    ids.map((event_id) => ({ event_id, seen_at: seen.get(event_id)!, back_at: at })), // they are in force
  );
  await rowsWith(trx, 'disruptions', { event_id: ids }).set({ absent_polls: 0, unseen: 0, last_seen_at: at });
}

/** Notes that the latest poll did not contain them, whether that counts towards their end, and whether they end. */
async function markAbsent(
  trx: Db,
  ids: readonly string[],
  {
    at,
    lastSuccess,
    counts,
    why,
  }: { at: string; lastSuccess: string | null; counts: boolean; why?: EndedReason },
): Promise<void> {
  await rowsWith(trx, 'disruptions', { event_id: ids }).set((eb) => ({
    absent_polls: eb('absent_polls', '+', counts ? 1 : 0),
    last_seen_at: lastSeenBefore(lastSuccess),
    unseen: 1,
    ...(why && { ended_at: at, ended_reason: why }),
  }));
}

/** The time when an incident was last seen: for one that was seen until now the previous collection, otherwise its
 *  own. */
const lastSeenBefore = (lastSuccess: string | null) =>
  sql<string>`case when unseen = 0 and last_seen_at < ${lastSuccess ?? ''} then ${lastSuccess ?? ''} else last_seen_at end`;
