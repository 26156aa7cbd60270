import { describe, expect, it } from 'vitest';
import { disruptions } from '../../server/db/disruptions.ts';
import { collections } from '../../server/db/collections.ts';
import { keepHouse } from '../../server/housekeeping.ts';
import type { DisruptionRecord } from '../../server/collectors/collector.ts';
import { DATABASES, useDatabase } from '../support/databases.ts';

const DAY = 24 * 60 * 60 * 1000;
const START = new Date('2026-11-01T06:00:00.000Z');

const record = (id: string): DisruptionRecord => ({
  event_id: `tfl:${id}`,
  severity: 'high',
  event_type: 'rail.line_status',
  title: id,
  summary_line: '',
  updated_at: null,
  start_time: null,
  end_time: null,
  phase: 'active',
  kind: 'alert',
  latitude: null,
  longitude: null,
  metadata: {},
});

describe.each(DATABASES)('housekeeping on $engine', ({ open }) => {
  const database = useDatabase(open);

  it('forgets what ended before the history began, and keeps what is in force however old', async () => {
    const { db } = database;
    await collections(db).ensure('tfl', true);
    const poll = (records: DisruptionRecord[], now: Date) =>
      disruptions(db).store({
        source: 'tfl',
        collected: { records, skipped: 0, problems: [], complete: true },
        now,
        absentPolls: 1,
        neverEmpty: false,
      });
    await poll([record('long-over'), record('just-over'), record('in-force')], START);
    await poll([record('just-over'), record('in-force')], new Date(START.getTime() + DAY));
    await poll([record('in-force')], new Date(START.getTime() + 9 * DAY));

    const errors: string[] = [];
    await keepHouse({
      db,
      historyDays: 7,
      usageDays: 90,
      now: () => new Date(START.getTime() + 10 * DAY),
      log: { error: (_fields, message) => errors.push(message) },
    });

    const kept = await db.selectFrom('disruptions').select('event_id').orderBy('event_id').execute();
    expect(kept.map(({ event_id }) => event_id)).toEqual(['tfl:in-force', 'tfl:just-over']);
    expect(errors).toEqual([]);
  });
});
