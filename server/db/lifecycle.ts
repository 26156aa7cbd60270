/** How incidents begin, change and end in the database. Queries are in `disruptions.ts`. */
import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { type ExpressionBuilder, sql } from 'kysely';
import type { EndedReason, Severity } from '#contract/disruptions.ts';
// oxlint-disable-next-line folders/order -- until the plan of an incident's life is separated from its storage
import type { Collected, DisruptionRecord } from '../incidents/collector.ts';
import { freshCollection } from './collections.ts';
import { iso, isoOrNull, minutesBefore, type Instant } from './instant.ts';
import type { Db } from './open.ts';
import { raiseRevision } from './revisions.ts';
import type { DisruptionsTable, Tables } from './schema.ts';
import { keepVersions, pruneVersions } from './versions.ts';

export const SEVERITY_RANK: Readonly<Record<Severity, number>> = { critical: 0, high: 1, medium: 2, low: 3 };

/** A source that is never empty must be empty in this many polls in a row before we believe it. */
const SUSPECT_POLLS_TO_CONFIRM = 3;

/** With 24 columns each: far below SQLite's 32,766 parameters per statement, and quick. */
const ROWS_PER_STATEMENT = 100;
const IDS_PER_STATEMENT = 2000;
const RECORDS_PER_TURN = 200;

export interface Stored {
  inserted: number;
  updated: number;
  ended: number;
  /** In force before, and unchanged. */
  kept: number;
  /** The poll was unexpectedly empty, so nothing was ended. */
  suspect: boolean;
}

export const lifecycle = (db: Db) => ({
  /** Stores one successful poll atomically; call before `collections.noteSuccess`. Raises the revision `feeds` if
   *  anything changed. An id that another source already uses is left to that source. An incident not seen for
   *  `maxAgeMinutes` expires, even if no poll was complete enough to end it. */
  async store({
    source,
    collected,
    now,
    absentPolls,
    neverEmpty,
    maxAgeMinutes,
  }: {
    source: string;
    collected: Collected;
    now: Instant;
    absentPolls: number;
    neverEmpty: boolean;
    maxAgeMinutes?: number;
  }): Promise<Stored> {
    const at = iso(now);
    const found = await oneOfEach(collected.records);

    return db.transaction().execute(async (trx) => {
      const collection = await lockSource(trx, source);
      const present = await trx
        .selectFrom('disruptions')
        .select([
          'event_id',
          'content_hash',
          'kind',
          'start_time',
          'end_time',
          'ends_on_time',
          'updated_at',
          'first_seen_at',
          'absent_polls',
          'unseen',
          'last_seen_at',
        ])
        .where('source', '=', source)
        .where('ended_at', 'is', null)
        .execute();
      const presentById = new Map(present.map((row) => [row.event_id, row]));

      // Listed but unreadable: these are not known to be over.
      const unreadable = new Set(collected.unreadable?.map(wellFormed));
      // An incomplete poll ends nothing.
      const said = collected.complete ? collected.ended : [];
      const over = new Set(said?.map(wellFormed).filter((id) => !unreadable.has(id)));
      const absent = present.filter(({ event_id }) => !found.has(event_id));
      const finishedByWord = absent.filter(({ event_id }) => over.has(event_id));
      const silent = absent.filter(({ event_id }) => !over.has(event_id));

      const isCollapse = neverEmpty && found.size === 0 && silent.length > 0;
      const suspectPolls = isCollapse ? collection.suspect_polls + (collected.complete ? 1 : 0) : 0;
      const isConfirmed = suspectPolls >= SUSPECT_POLLS_TO_CONFIRM;
      // A confirmed result is no longer suspect.
      const suspectAfter = isConfirmed ? 0 : suspectPolls;
      if (suspectAfter !== collection.suspect_polls) {
        await trx
          .updateTable('collections')
          .set({ suspect_polls: suspectAfter })
          .where('source', '=', source)
          .execute();
      }

      const begun: RowMaker[] = [];
      const changed: RowMaker[] = [];
      const finished: RowMaker[] = [];
      const reappeared: string[] = [];
      let same = 0;
      for (const [id, { record, content_hash }] of found) {
        const before = presentById.get(id);
        // An operator that is disrupted again is a new disruption, although it was always listed.
        const isSame = before?.kind === record.kind;
        const row = () => toRow(source, record, content_hash, isSame ? before : undefined, at);
        if (hasPassed(record, at)) {
          // Publishers keep listing incidents that are over; only those in force can end.
          if (before) finished.push(() => ({ ...row(), ended_at: at, ended_reason: 'end_time' }));
        } else if (!before) {
          begun.push(row);
        } else if (before.content_hash !== content_hash || before.last_seen_at > at) {
          // In the latter case the row was written by a clock that was ahead: its times are corrected.
          changed.push(row);
        } else {
          same += 1;
          if (before.unseen || before.absent_polls) reappeared.push(id);
        }
      }

      const isConclusive = collected.complete && (!isCollapse || isConfirmed);
      const listedSince = collected.listedSince ?? '';
      const mayEnd = ({ event_id, updated_at }: (typeof absent)[number]) =>
        isConclusive && !unreadable.has(event_id) && updated_at >= listedSince;
      // A confirmed empty result was seen in more polls than any source requires.
      const isGone = (row: (typeof absent)[number]) =>
        mayEnd(row) && (isConfirmed || row.absent_polls + 1 >= absentPolls);
      // If it were listed it would have been read. A list of only the newest leaves out older ones.
      const oldest = maxAgeMinutes === undefined ? '' : minutesBefore(at, maxAgeMinutes);
      const isTooOld = (row: (typeof absent)[number]) =>
        !collected.complete &&
        row.unseen === 1 &&
        row.last_seen_at < oldest &&
        row.updated_at >= listedSince &&
        !unreadable.has(row.event_id);
      const gone = silent.filter(isGone);
      const tooOld = silent.filter((row) => !mayEnd(row) && isTooOld(row));
      const missed = silent.filter((row) => mayEnd(row) && !isGone(row));
      const unseen = silent.filter((row) => !mayEnd(row) && !row.unseen);
      // If it is no longer listed after its end time, the end time is the reason.
      const isPast = (row: (typeof absent)[number]) =>
        row.ends_on_time === 1 && row.end_time !== null && row.end_time <= at;

      const inserted = await upsert(trx, begun, at);
      await upsert(trx, [...changed, ...finished], at);
      await markSeen(trx, reappeared, at);
      const lastSeen = collection.last_success;
      const end = (rows: typeof absent, ended_reason: EndedReason) =>
        markAbsent(trx, idsOf(rows), lastSeen, { counts: true, ended_at: at, ended_reason });
      await end([...gone, ...finishedByWord].filter(isPast), 'end_time');
      await end(
        finishedByWord.filter((row) => !isPast(row)),
        'publisher',
      );
      await end(
        gone.filter((row) => !isPast(row)),
        'absent',
      );
      await end(tooOld, 'expired');
      await markAbsent(trx, idsOf(missed), lastSeen, { counts: true });
      await markAbsent(trx, idsOf(unseen), lastSeen, { counts: false });

      const ended = gone.length + tooOld.length + finishedByWord.length + finished.length;
      const updated = changed.length;
      const touched = inserted + updated + ended + reappeared.length + missed.length + unseen.length;
      if (touched > 0) await raiseRevision(trx, 'feeds');
      const kept = same + silent.length - gone.length - tooOld.length;
      return { inserted, updated, ended, kept, suspect: isCollapse && !isConfirmed };
    });
  },

  /** Ends incidents past their end time, unless the publisher's status is trusted beyond it; and all, as `expired`,
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
      const row = await db
        .selectFrom('collections')
        .select('last_success')
        .where('source', '=', source)
        .executeTakeFirst();
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
      const passed = await trx
        .updateTable('disruptions')
        .set({ ended_at: at, ended_reason: 'end_time', last_seen_at: lastSeen })
        .where(endsNow)
        .executeTakeFirst();
      let ended = Number(passed.numUpdatedRows);
      if (tooOld) {
        const expired = await trx
          .updateTable('disruptions')
          .set({ ended_at: at, ended_reason: 'expired', last_seen_at: lastSeen })
          .where((eb) => isInForce(eb, source))
          .executeTakeFirst();
        ended += Number(expired.numUpdatedRows);
      }
      if (ended > 0) await raiseRevision(trx, 'feeds');
      return ended;
    });
  },

  /** Deletes incidents that ended and versions that were replaced before then. */
  async prune(before: Instant): Promise<void> {
    await pruneVersions(db, before);
    await db.deleteFrom('disruptions').where('ended_at', '<', iso(before)).execute();
  },
});

const isInForce = (eb: ExpressionBuilder<Tables, 'disruptions'>, source: string) =>
  eb.and([eb('disruptions.source', '=', source), eb('disruptions.ended_at', 'is', null)]);

interface Found {
  record: DisruptionRecord;
  content_hash: string;
}

/** By id. If several records have the same id, the worst is kept. */
async function oneOfEach(records: readonly DisruptionRecord[]): Promise<Map<string, Found>> {
  const found = new Map<string, Found>();
  let count = 0;
  for (const foreign of records) {
    const record = cleaned(foreign);
    const other = found.get(record.event_id)?.record;
    if (!other || SEVERITY_RANK[record.severity] < SEVERITY_RANK[other.severity]) {
      found.set(record.event_id, { record, content_hash: hashOf(record) });
    }
    count += 1;
    // A source with a hundred thousand incidents must not delay the others, or a request.
    if (count % RECORDS_PER_TURN === 0) await setImmediate();
  }
  return found;
}

/** Reduced to what both databases can hold: whole characters, times in one format, numeric positions. */
function cleaned(record: DisruptionRecord): DisruptionRecord {
  return {
    ...record,
    event_id: wellFormed(record.event_id),
    event_type: wellFormed(record.event_type),
    title: wellFormed(record.title),
    summary_line: wellFormed(record.summary_line),
    updated_at: isoOrNull(record.updated_at),
    start_time: isoOrNull(record.start_time),
    end_time: isoOrNull(record.end_time),
    latitude: numberOrNull(record.latitude),
    longitude: numberOrNull(record.longitude),
  };
}

/** Without U+0000, which PostgreSQL cannot hold, and lone surrogates. */
const wellFormed = (text: string) => text.replaceAll('\u0000', '').toWellFormed();

const numberOrNull = (value: number | null) => (Number.isFinite(value) ? value : null);

function hashOf(record: DisruptionRecord): string {
  const said = [
    record.severity,
    record.event_type,
    record.title,
    record.summary_line,
    record.updated_at,
    record.start_time,
    record.end_time,
    record.phase,
    record.kind,
    record.latitude,
    record.longitude,
    // `clock_skew` is ours, not published content: it stays as it was when the content arrived.
    { ...record.metadata, clock_skew: undefined },
  ];
  return createHash('sha256').update(JSON.stringify(said)).digest('base64url');
}

const trustsStatus = (record: DisruptionRecord) => record.metadata['trust_status'] === true;

const hasPassed = (record: DisruptionRecord, at: string) =>
  record.end_time !== null && record.end_time <= at && !trustsStatus(record);

type Before = Pick<DisruptionsTable, 'content_hash' | 'updated_at' | 'start_time' | 'first_seen_at'>;

/** A row in force. `before` is the previous state of the same occurrence; without it a new one begins now. */
function toRow(
  source: string,
  record: DisruptionRecord,
  content_hash: string,
  before: Before | undefined,
  at: string,
): DisruptionsTable {
  // We cannot have seen anything later than now.
  const seen = (time: string | null | undefined) => (time && time <= at ? time : at);
  const isSame = before?.content_hash === content_hash;
  const hasBegun = record.start_time !== null && record.start_time <= at;
  return {
    event_id: record.event_id,
    source,
    severity: record.severity,
    severity_rank: SEVERITY_RANK[record.severity],
    event_type: record.event_type,
    title: record.title,
    summary_line: record.summary_line,
    search_text: searchable(`${record.title}\n${record.summary_line}`),
    phase: record.phase,
    kind: record.kind,
    // If the publisher gives no time, a change is dated when we saw it, and a new incident by its start, unless that
    // is in the future.
    updated_at:
      record.updated_at ??
      (!before && hasBegun ? record.start_time : null) ??
      (isSame ? seen(before.updated_at) : at),
    start_time: record.start_time ?? seen(before?.start_time),
    end_time: record.end_time,
    ends_on_time: trustsStatus(record) ? 0 : 1,
    latitude: record.latitude,
    longitude: record.longitude,
    metadata: JSON.stringify(record.metadata),
    content_hash,
    first_seen_at: seen(before?.first_seen_at),
    last_seen_at: at,
    unseen: 0,
    absent_polls: 0,
    ended_at: null,
    ended_reason: null,
    version_seen_at: at,
  };
}

/** The form used for search. */
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

/** Makes a row only when it is written: a hundred thousand at once would take too much memory. */
type RowMaker = () => DisruptionsTable;

/** Returns the number of rows written. */
async function upsert(trx: Db, makers: readonly RowMaker[], at: string): Promise<number> {
  let written = 0;
  for await (const chunk of chunks(makers, ROWS_PER_STATEMENT)) {
    const rows = chunk.map((row) => row());
    await keepVersions(trx, rows, at);
    const columns = Object.keys(rows[0]!) as (keyof DisruptionsTable)[];
    const { numInsertedOrUpdatedRows } = await trx
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
      .executeTakeFirst();
    written += Number(numInsertedOrUpdatedRows ?? 0);
  }
  return written;
}

async function markSeen(trx: Db, ids: readonly string[], at: string): Promise<void> {
  for await (const chunk of chunks(ids, IDS_PER_STATEMENT)) {
    await trx
      .updateTable('disruptions')
      .set({ absent_polls: 0, unseen: 0, last_seen_at: at })
      .where('event_id', 'in', chunk)
      .execute();
  }
}

/** Records that the latest poll did not contain them, whether this counts towards their end, and whether they end. */
async function markAbsent(
  trx: Db,
  ids: readonly string[],
  lastSuccess: string | null,
  { counts, ...end }: { counts: boolean } & Partial<{ ended_at: string; ended_reason: EndedReason }>,
): Promise<void> {
  for await (const chunk of chunks(ids, IDS_PER_STATEMENT)) {
    await trx
      .updateTable('disruptions')
      .set((eb) => ({
        absent_polls: eb('absent_polls', '+', counts ? 1 : 0),
        last_seen_at: lastSeenBefore(lastSuccess),
        unseen: 1,
        ...end,
      }))
      .where('event_id', 'in', chunk)
      .execute();
  }
}

/** Incidents seen until now were in the previous collection; unseen ones keep the time when they were last seen. */
const lastSeenBefore = (lastSuccess: string | null) =>
  sql<string>`case when unseen = 0 and last_seen_at < ${lastSuccess ?? ''} then ${lastSuccess ?? ''} else last_seen_at end`;

const idsOf = (rows: readonly { event_id: string }[]) => rows.map(({ event_id }) => event_id);

/** Lets other work run between chunks, because SQLite runs in our thread. */
async function* chunks<T>(list: readonly T[], size: number): AsyncGenerator<readonly T[]> {
  for (let start = 0; start < list.length; start += size) {
    if (start > 0) await setImmediate();
    yield list.slice(start, start + size);
  }
}
