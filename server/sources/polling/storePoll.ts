/** Stores what a poll found: each record reduced to what both databases can hold, and given a hash. */
import { setImmediate } from 'node:timers/promises';
import { severityRank } from '#contract/incidents/disruptions.ts';
import { CONTENT, type Content, type FieldKind, FIELDS } from '../../incidents/incidentFields.ts';
import { iso, isoOrNull, type Instant } from '../../db/instant.ts';
import { lifecycle, type Stored } from '../../incidents/lifecycle/lifecycleStore.ts';
import type { Db } from '../../db/open.ts';
import type { Collected, DisruptionRecord } from '../../incidents/collector.ts';
import { hashOf } from '../../incidents/lifecycle/contentHash.ts';
import { planPoll, type Listed } from '../../incidents/lifecycle/planPoll.ts';

const RECORDS_PER_TURN = 200;

/** Stores one successful poll atomically; call before `collections.noteSuccess`. An id that another source already
 *  uses is left to that source. An incident not seen for `maxAgeMinutes` expires, even if no poll was complete enough
 *  to end it. */
export async function storePoll(
  db: Db,
  {
    source,
    collected: { records, complete, listedSince, ...ids },
    now,
    ...rules
  }: {
    source: string;
    collected: Collected;
    now: Instant;
    absentPolls: number;
    neverEmpty: boolean;
    maxAgeMinutes?: number;
  },
): Promise<Stored> {
  const at = iso(now);
  const listed = await oneOfEach(records);
  const over = new Set(ids.ended?.map(wellFormed));
  const unreadable = new Set(ids.unreadable?.map(wellFormed));
  const poll = { ...rules, listed, over, unreadable, complete, listedSince, at };
  return lifecycle(db).apply({ source, at, listed }, (standing) => planPoll(poll, standing));
}

/** By id. If several records have the same id, the worst is kept. */
async function oneOfEach(records: readonly DisruptionRecord[]): Promise<Map<string, Listed>> {
  const listed = new Map<string, Listed>();
  let count = 0;
  for (const foreign of records) {
    const record = cleaned(foreign);
    const other = listed.get(record.event_id)?.record;
    if (!other || severityRank(record.severity) < severityRank(other.severity)) {
      listed.set(record.event_id, { record, content_hash: hashOf(record) });
    }
    count += 1;
    // A source with very many incidents must not delay the others, or a request.
    if (count % RECORDS_PER_TURN === 0) await setImmediate();
  }
  return listed;
}

/** Without U+0000, which PostgreSQL cannot hold, and lone surrogates. */
const wellFormed = (text: string) => text.replaceAll('\u0000', '').toWellFormed();

const asItIs = (value: unknown) => value;

const CLEANING: Record<FieldKind, (value: never) => unknown> = {
  word: asItIs,
  text: wellFormed,
  time: isoOrNull,
  number: (value: number | null) => (Number.isFinite(value) ? value : null),
  json: asItIs,
  said: asItIs,
  derived: asItIs,
};

/** Only what belongs to a record: whole characters, times in one format, numeric positions. */
function cleaned(record: DisruptionRecord): DisruptionRecord {
  const content = FIELDS.map((field) => [field, CLEANING[CONTENT[field]](record[field] as never)]);
  return {
    event_id: wellFormed(record.event_id),
    ...(Object.fromEntries(content) as Content),
    shape: record.shape ?? null,
  };
}
