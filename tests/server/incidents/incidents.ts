/** Incidents and polls for the tests of the store. */
import type { Collected, DisruptionRecord } from '../../../server/incidents/collector.ts';
import { collections } from '../../../server/incidents/collectionState.ts';
import type { Db } from '../../../server/db/open.ts';
import { storePoll } from '../../../server/sources/polling/poll.ts';

/** An active alert of high severity, for which the publisher gives no times. */
export function incident(changes: Partial<DisruptionRecord> & { event_id: string }): DisruptionRecord {
  return {
    severity: 'high',
    event_type: 'road.closure',
    title: `Title of ${changes.event_id}`,
    summary_line: 'A lane is closed.',
    updated_at: null,
    start_time: null,
    end_time: null,
    phase: 'active',
    kind: 'alert',
    latitude: null,
    longitude: null,
    metadata: {},
    ...changes,
  };
}

export const poll = (records: DisruptionRecord[], complete = true): Collected => ({
  records,
  skipped: 0,
  problems: [],
  complete,
});

/** `12:05` of the day on which all these tests take place. */
export const clock = (time: string) => new Date(`2026-11-21T${time}:00.000Z`);

export interface PollOptions {
  source?: string;
  complete?: boolean;
  unreadable?: string[];
  /** Incidents that the publisher lists as over. */
  ended?: string[];
  /** `12:05` */
  listedSince?: string;
  absentPolls?: number;
  neverEmpty?: boolean;
  maxAgeMinutes?: number;
}

/** A good poll as the schedule handles it: stored, then noted as a success. */
export async function collect(
  db: Db,
  time: string,
  records: DisruptionRecord[],
  {
    source = 'tfl',
    complete = true,
    unreadable = [],
    ended = [],
    listedSince,
    absentPolls = 1,
    neverEmpty = false,
    maxAgeMinutes,
  }: PollOptions = {},
) {
  const now = clock(time);
  const stored = await storePoll(db, {
    source,
    collected: {
      ...poll(records, complete),
      unreadable,
      ended,
      ...(listedSince && { listedSince: clock(listedSince).toISOString() }),
    },
    now,
    absentPolls,
    neverEmpty,
    maxAgeMinutes,
  });
  await collections(db).noteSuccess(source, { now, nextRun: null, skipped: 0, problems: [], complete });
  return stored;
}

/** All rows of a source by id, whether in force or ended. */
export async function rowsOf(db: Db, source = 'tfl') {
  return db.selectFrom('disruptions').selectAll().where('source', '=', source).orderBy('event_id').execute();
}
