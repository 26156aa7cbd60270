import { beforeEach, describe, expect, it } from 'vitest';
import { FAILURES_KEPT_MS, loginLimits } from '../../../server/accounts/passwords/loginLimits.ts';
import { displays } from '../../../server/accounts/displays/displays.ts';
import { pairings } from '../../../server/accounts/displays/pairings.ts';
import { users } from '../../../server/accounts/users.ts';
import { collections } from '../../../server/incidents/collectionState.ts';
import { events } from '../../../server/geography/events/events.ts';
import { EVENTS_KEPT_MS, runHousekeeping } from '../../../server/operate/housekeeping.ts';
import type { DisruptionRecord } from '../../../server/incidents/collector.ts';
import { DATABASES, useDatabase } from '../../support/databases.ts';
import { person } from '../accounts/people.ts';
import { event, storeRealEvent } from '../geography/events/import/oneEvent.ts';
import { storePoll } from '../../../server/sources/polling/poll.ts';

const HOUR = 60 * 60 * 1000;
const DAY = 24 * HOUR;
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
  beforeEach(() => storeRealEvent(database.db, START));

  it('deletes incidents that ended before the history begins, and keeps those in force, however old', async () => {
    const { db } = database;
    await collections(db).ensure('tfl', true);
    const poll = (records: DisruptionRecord[], now: Date) =>
      storePoll(db, {
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
    await runHousekeeping({
      db,
      historyDays: 7,
      usageDays: 90,
      jobDays: 7,
      collectors: [],
      now: () => new Date(START.getTime() + 10 * DAY),
      log: { error: (_fields, message) => errors.push(message) },
    });

    const kept = await db.selectFrom('disruptions').select('event_id').orderBy('event_id').execute();
    expect(kept.map(({ event_id }) => event_id)).toEqual(['tfl:in-force', 'tfl:just-over']);
    expect(errors).toEqual([]);
  });

  it('deletes performances long over, and an event with its last one', async () => {
    const { db } = database;
    const on = (day: Date) => ({
      performance_id: day.toISOString(),
      start_datetime: day.toISOString(),
      end_datetime: null,
      booking_url: null,
    });
    const [old, recent] = [new Date(START.getTime() - EVENTS_KEPT_MS), START];
    const arriving = [
      event({ event_id: 'tour', performances: [on(old), on(recent)] }),
      event({ event_id: 'over', performances: [{ ...on(old), performance_id: 'over' }] }),
      // It began long ago, and ended a moment ago.
      event({
        event_id: 'exhibition',
        performances: [{ ...on(old), performance_id: 'exhibition', end_datetime: START.toISOString() }],
      }),
    ];
    await events(db).store({ source: 'hall', arriving, now: START });

    await runHousekeeping({
      db,
      historyDays: 7,
      usageDays: 90,
      jobDays: 7,
      collectors: [],
      now: () => new Date(START.getTime() + DAY),
      log: { error: (fields) => expect.fail(String(fields)) },
    });

    const performancesOf = async (id: string) =>
      (await events(db).byId(id, START))?.performances.map(({ performance_id }) => performance_id);
    expect(await performancesOf('tour')).toEqual([recent.toISOString()]);
    expect(await performancesOf('over')).toBeUndefined();
    expect(await performancesOf('exhibition')).toEqual(['exhibition']);
  });

  it('deletes a venue that no event or performance uses any more', async () => {
    const { db } = database;
    const performance = (performance_id: string, at: Date) => ({
      performance_id,
      start_datetime: at.toISOString(),
      end_datetime: null,
      booking_url: null,
    });
    const [old, recent] = [new Date(START.getTime() - EVENTS_KEPT_MS), START];
    const at = (venue_id: string) => ({ place: { venue_id } });
    const arriving = [
      event({ id: 'over', ...at('closed'), performances: [performance('over', old)] }),
      event({ id: 'on', ...at('open'), performances: [performance('on', recent)] }),
      event({ id: 'tour', ...at('first stop'), performances: [performance('first', old)] }),
      event({ id: 'tour', ...at('last stop'), performances: [performance('last', recent)] }),
      event({ id: 'moving', ...at('before'), performances: [performance('moving', recent)] }),
    ];
    await events(db).store({ source: 'hall', arriving, now: START });
    await events(db).store({
      source: 'hall',
      arriving: [event({ id: 'moving', ...at('now'), performances: [performance('moving', recent)] })],
      now: START,
    });
    // More than are deleted at a time.
    const empty = Array.from({ length: 4500 }, (_, n) => ({ venue_id: `empty ${n}`, source: 'hall' }));
    for (let start = 0; start < empty.length; start += 500) {
      const some = empty.slice(start, start + 500).map((one) => ({ ...one, record: '{}', content_hash: '' }));
      await db.insertInto('venues').values(some).execute();
    }

    await runHousekeeping({
      db,
      historyDays: 7,
      usageDays: 90,
      jobDays: 7,
      collectors: [],
      now: () => new Date(START.getTime() + DAY),
      log: { error: (fields) => expect.fail(String(fields)) },
    });

    const kept = await db
      .selectFrom('venues')
      .select('venue_id')
      .where('source', '=', 'hall')
      .orderBy('venue_id')
      .execute();
    expect(kept.map(({ venue_id }) => venue_id)).toEqual(['first stop', 'last stop', 'now', 'open']);
  });

  it('keeps each wrong password while it counts, then deletes it', async () => {
    const { db } = database;
    let time = START.getTime();
    const now = () => new Date(time);
    const log = { error: (fields: object) => expect.fail(String(fields)) };
    const limits = loginLimits(db, now);
    // There are so many that the wait is as long as they count.
    for (let n = 0; n < 16; n++) await limits.noteFailure('rosa@coaches.example', '192.0.2.7');
    const check = () => limits.check('rosa@coaches.example', '192.0.2.7');

    time += 15 * 60_000 - 1000;
    await runHousekeeping({ db, historyDays: 7, usageDays: 90, jobDays: 7, collectors: [], now, log });
    await expect(check()).rejects.toMatchObject({ status: 429, headers: { 'retry-after': '1' } });
    time += 2000;
    await check();

    // Failures of all networks together count for longer.
    const kept = () => db.selectFrom('login_failures').selectAll().execute();
    const all = (await kept()).length;
    time = START.getTime() + FAILURES_KEPT_MS - 1000;
    await runHousekeeping({ db, historyDays: 7, usageDays: 90, jobDays: 7, collectors: [], now, log });
    expect(await kept()).toHaveLength(all);
    time += 2000;
    await runHousekeeping({ db, historyDays: 7, usageDays: 90, jobDays: 7, collectors: [], now, log });
    expect(await kept()).toEqual([]);
  });

  it('deletes what screens once said a month after it ended, and keeps what stands', async () => {
    const { db } = database;
    const now = new Date(START.getTime() + 40 * DAY);
    const until = (days: number) => new Date(now.getTime() + days * DAY).toISOString();
    for (const [id, days] of [
      ['old', -31],
      ['over', -29],
      ['stands', 0.1],
    ] as const)
      await db
        .insertInto('display_messages')
        .values({
          id,
          team_id: 'everyone',
          target: '{"all":true}',
          text: id,
          look: 'low',
          cover: 'band',
          until: until(days),
          by_user: null,
          at: START.toISOString(),
          ended_at: null,
        })
        .execute();
    await runHousekeeping({
      db,
      historyDays: 7,
      usageDays: 90,
      jobDays: 7,
      collectors: [],
      now: () => now,
      log: { error: (_, message) => expect.fail(message) },
    });
    const left = await db.selectFrom('display_messages').select('id').orderBy('id').execute();
    expect(left.map(({ id }) => id)).toEqual(['over', 'stands']);
  });

  it('keeps what clients, people and administrators did for its time, and no longer', async () => {
    const { db } = database;
    await users(db).insert(person('ann'));
    const now = new Date(START.getTime() + 1000 * DAY);
    /** The moment from which a record is kept, and the one before it. */
    const pair = (ms: number) =>
      ['kept', 'old'].map((id, older) => ({ id, at: new Date(now.getTime() - ms - older).toISOString() }));
    const thing = { kind: 'watches' as const, owner: '', content: '' };
    const made = pair(30 * DAY).map(({ id, at }) => ({ id, ...thing, made_at: at }));
    await db.insertInto('made').values(made).execute();
    const act = { actor_id: null, actor: '', action: '', subject_id: null, subject: '', detail: '' };
    const acts = pair(2 * 365 * DAY).map((one) => ({ ...one, ...act }));
    await db.insertInto('audit_trail').values(acts).execute();
    const view = { user_id: 'ann', event_type: '', event_category: '', session_id: null };
    const seen = pair(60 * DAY).map(({ id, at }) => ({ id, ...view, occurred_at: at }));
    await db.insertInto('usage_events').values(seen).execute();
    const begun = { user_id: 'ann', created_at: START.toISOString(), last_used_at: START.toISOString() };
    const open = { ...begun, revoked_at: null, revoked_reason: null, display_id: null };
    const signIns = pair(30 * DAY).map(({ id, at }) => ({ id, ...open, expires_at: at }));
    await db.insertInto('sessions').values(signIns).execute();
    for (const { id, at } of pair(HOUR))
      await pairings(db).ask({
        device_code_hash: id,
        user_code_hash: id,
        user_agent: '',
        address: '',
        network: '',
        asked_at: at,
        expires_at: at,
        interval_seconds: 5,
      });
    await runHousekeeping({
      db,
      historyDays: 7,
      usageDays: 60,
      jobDays: 7,
      collectors: [],
      now: () => now,
      log: { error: (fields) => expect.fail(String(fields)) },
    });
    for (const table of ['made', 'audit_trail', 'usage_events', 'sessions'] as const)
      expect([table, await db.selectFrom(table).select('id').execute()]).toEqual([table, [{ id: 'kept' }]]);
    const codes = await db.selectFrom('pairings').select('user_code_hash').execute();
    expect(codes).toEqual([{ user_code_hash: 'kept' }]);
  });

  it('deletes a display that nobody claimed within an hour, and no other', async () => {
    const { db } = database;
    await users(db).insert(person('ann'));
    const at = (ms: number) => new Date(START.getTime() + ms);
    const ids = [];
    for (const code of ['claimed', 'unclaimed']) {
      await pairings(db).ask({
        device_code_hash: `device ${code}`,
        user_code_hash: code,
        user_agent: 'A television',
        address: '192.0.2.1',
        network: 'address:192.0.2.1',
        asked_at: START.toISOString(),
        expires_at: at(10 * 60_000).toISOString(),
        interval_seconds: 5,
      });
      const approval = { name: code, ownerId: 'ann', pickUpBefore: at(10 * 60_000), now: START };
      ids.push(`display ${code}`);
      await displays(db).approve({ id: ids.at(-1)!, userCodeHash: code, ...approval });
    }
    await displays(db).noteSeen(ids[0]!, at(1000));
    const left = async (ms: number) => {
      const log = { error: (fields: object) => expect.fail(String(fields)) };
      await runHousekeeping({
        db,
        historyDays: 7,
        usageDays: 90,
        jobDays: 7,
        collectors: [],
        now: () => at(ms),
        log,
      });
      return (await displays(db).all(at(ms))).map(({ name }) => name).sort();
    };

    expect(await left(HOUR)).toEqual(['claimed', 'unclaimed']);
    expect(await left(HOUR + 1)).toEqual(['claimed']);
    expect(await left(DAY)).toEqual(['claimed']);
  });

  it.each([
    ['login_failures', 'login failures'],
    ['api_key_usage', 'use of API keys'],
    ['disruptions', 'history of disruptions'],
  ] as const)(
    'names a step that fails, here without the table %s, and does all the others',
    async (table, failing) => {
      const { db } = database;
      const old = new Date(START.getTime() - 3 * 365 * DAY).toISOString();
      await db.insertInto('login_failures').values({ id: 'f', subject: 's', failed_at: old }).execute();
      const act = { id: 'a', at: old, actor_id: null, actor: 'operator', action: 'user.created' };
      await db
        .insertInto('audit_trail')
        .values({ ...act, subject_id: null, subject: 's', detail: '' })
        .execute();
      const use = { key_id: 'deleted', day: old.slice(0, 10), used: 1, last_used_at: old };
      await db.insertInto('api_key_usage').values(use).execute();
      await collections(db).ensure('tfl', true);
      const collected = { skipped: 0, problems: [], complete: true };
      for (const records of [[record('over')], []]) {
        await storePoll(db, {
          source: 'tfl',
          collected: { ...collected, records },
          now: new Date(old),
          absentPolls: 1,
          neverEmpty: false,
        });
      }
      await events(db).store({ source: 'hall', arriving: [event({ start: old })], now: START });
      await events(db).keepOnly('theatre', new Set());

      const said: { step?: string; message: string }[] = [];
      await db.schema.alterTable(table).renameTo('away').execute();
      try {
        await runHousekeeping({
          db,
          historyDays: 7,
          usageDays: 90,
          jobDays: 7,
          collectors: [],
          now: () => START,
          log: { error: ({ step }: { step?: string }, message) => said.push({ step, message }) },
        });
      } finally {
        await db.schema.alterTable('away').renameTo(table).execute();
      }

      expect(said).toEqual([{ step: failing, message: `Housekeeping failed: ${failing}` }]);
      const left = [];
      for (const name of ['login_failures', 'audit_trail', 'api_key_usage', 'disruptions'] as const) {
        if (await db.selectFrom(name).selectAll().executeTakeFirst()) left.push(name);
      }
      expect(left).toEqual([table]);
      expect(await events(db).byId('e1', START)).toBeUndefined();
      expect(await events(db).countOf('sample')).toBeGreaterThan(0);
    },
  );
});
