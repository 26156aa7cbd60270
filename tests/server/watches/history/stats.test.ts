import { describe, expect, it } from 'vitest';
import type { Departure } from '#contract/watches/watches.ts';
import { collections } from '../../../../server/incidents/collectionState.ts';
import { matches } from '../../../../server/watches/matching/matchStore.ts';
import type { Db } from '../../../../server/db/open.ts';
import { EVERYONE } from '../../../../server/accounts/teams.ts';
import { watches } from '../../../../server/watches/watchStore.ts';
import { sourceStats } from '../../../../server/watches/history/sourceStats.ts';
import { watchStats } from '../../../../server/watches/history/watchStats.ts';
import { factsOf } from '../../../support/facts.ts';
import { DATABASES, useDatabase } from '../../../support/databases.ts';
import { COLLECTORS, poll, record } from '../../feedsWorld.ts';
import { LETS_ALL } from '../../../support/watchDraft.ts';

const at = (time: string) => new Date(`2026-11-${time}:00Z`);
const FROM = at('14T09:00');
const NOW = at('21T09:00');
const NH = 'national-highways';
const closed = { facts: { ...factsOf(), effect: 'closed both ways' } };

async function noted(db: Db, records: Parameters<typeof poll>[2], now: Date) {
  await poll(db, NH, records, now);
  const figures = { ms: 1, records: records.length, changed: 0 };
  await collections(db).noteSuccess(NH, {
    now,
    nextRun: null,
    skipped: 0,
    problems: [],
    complete: true,
    figures,
  });
}

describe.each(DATABASES)('reliability on $engine', ({ open }) => {
  const database = useDatabase(open);
  const parts = () => ({ db: database.db, collectors: COLLECTORS });
  const ofHighways = async () => (await sourceStats(parts(), FROM, NOW)).find(({ source }) => source === NH);

  it('gives a source’s availability, notice, late closures, losses, churn and flaps', async () => {
    const { db } = database;
    const first = { updated_at: '2026-11-20T08:50:00.000Z', start_time: '2026-11-20T08:58:00.000Z' };
    const second = { updated_at: '2026-11-20T08:54:00.000Z', start_time: '2026-11-20T08:00:00.000Z' };
    const one = record(`${NH}:1`, { ...closed, ...first });
    const two = record(`${NH}:2`, { ...closed, ...second });
    await noted(db, [one, two], at('20T09:00')); // 10 and 6 minutes after the publisher; the second 60 minutes late
    await noted(db, [{ ...one, severity: 'high' }, two], at('20T09:02'));
    await noted(db, [two], at('20T09:04')); // the first ends
    await noted(db, [one, two], at('20T09:14')); // and begins again
    await db
      .updateTable('collections')
      .set({ last_attempt: NOW.toISOString() })
      .where('source', '=', NH)
      .execute();

    const stats = await ofHighways();
    expect(stats).toMatchObject({
      closures: 2,
      late_closures: 0.5,
      lost: 0,
      ended: 1,
      flaps: 1,
      churn: 2.5, // began, began, worse, ended, began of two incidents
      precision: null,
      sent: 0,
    });
    // The first incident began again later, which does not count as late notice.
    expect(stats!.notice_seconds).toBe((10 * 60 + 6 * 60) / 2);
    // The source is fresh for two of its intervals after the last poll of each run. The whole is the day since the
    // first poll.
    const { everyMinutes } = COLLECTORS.find(({ source }) => source === NH)!;
    const fresh = Math.max(2 * everyMinutes, 3) + everyMinutes / 10;
    const minutes = Math.min(4 + fresh, 14) + fresh;
    expect(stats!.availability).toBeCloseTo(minutes / (24 * 60), 3);
  });

  it('counts the incidents of a source that fell silent as lost, not as ended', async () => {
    const { db } = database;
    await noted(db, [record(`${NH}:1`)], at('20T09:00'));
    await db
      .insertInto('changes')
      .values({
        batch: 900,
        n: 1,
        at: '2026-11-20T12:00:00.000Z',
        event_id: `${NH}:1`,
        source: NH,
        kind: 'lost',
        severity_from: 'medium',
        severity_to: 'medium',
        phase_to: 'active',
      })
      .execute();
    expect(await ofHighways()).toMatchObject({ lost: 1, ended: 0, closures: 0, late_closures: null });
  });

  it('counts a message once for all channels, and how many were marked as not ours', async () => {
    const { db } = database;
    await noted(db, [record(`${NH}:1`)], at('20T09:00'));
    const watch_id = await aWatch(db, []);
    const message = (id: string, bundle: string, event: string) => ({
      id,
      channel_id: null,
      watch_id,
      bundle,
      created_at: '2026-11-20T09:01:00.000Z',
      body: JSON.stringify({ event_ids: [event] }),
      reason: 'Sent',
      state: 'sent' as const,
      attempts: 1,
      next_at: null,
      last_status: 201,
      valid_until: '2026-11-20T09:31:00.000Z',
      sent_at: '2026-11-20T09:01:00.000Z',
      seen_at: null,
    });
    await db
      .insertInto('messages')
      .values([
        message('msg_1', 'a', `${NH}:1`),
        message('msg_2', 'a', `${NH}:1`),
        message('msg_3', 'b', `${NH}:2`),
        message('msg_4', 'c', 'tfl:1'),
        { ...message('msg_5', 'd', `${NH}:3`), state: 'held' },
      ])
      .execute();
    await db
      .insertInto('match_feedback')
      .values({
        id: 'f',
        watch_id,
        subject_id: `${NH}:1`,
        level: 'certain',
        why: '',
        user_id: null,
        at: '2026-11-20T09:05:00.000Z',
        verdict: 'not_ours',
        text: null,
      })
      .execute();
    expect(await ofHighways()).toMatchObject({ sent: 2, not_ours: 1, precision: 0.5 });
  });

  const daily: Omit<Departure, 'id'> = {
    name: null,
    at_local: '06:00',
    days: 127,
    from_date: null,
    to_date: null,
    except: [],
    duration_min: 60,
  };
  async function aWatch(db: Db, departures: readonly Omit<Departure, 'id'>[]): Promise<string> {
    const draft = {
      kind: 'route' as const,
      ...LETS_ALL,
      name: 'Leeds ring',
      made_by: 'junctions' as const,
      legs: [],
      geometry: { type: 'LineString' as const, coordinates: [] },
      length_km: 60,
      reach_m: null,
      sources: [NH],
      departures,
    };
    await db
      .insertInto('users')
      .values({
        id: 'rosa',
        email: 'rosa@coaches.example',
        display_name: 'Rosa',
        password_hash: '',
        role: 'user',
        is_active: 1,
        is_verified: 1,
        created_at: '2026-01-01T00:00:00.000Z',
        last_login: null,
      })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    return (await watches(db).add(EVERYONE, 'rosa', draft, '2026-10-01T00:00:00.000Z')).id;
  }

  it('gives the departures of a route that met no certain critical or high incident on their way', async () => {
    const { db } = database;
    const id = await aWatch(db, [daily]);
    const grave = record(`${NH}:1`, { severity: 'critical' });
    await noted(db, [], at('01T00:00'));
    await noted(db, [grave], at('01T00:01'));
    const settle = (found: object[], time: Date) =>
      db.transaction().execute((trx) =>
        matches(trx).settle(
          { subject: 'disruption', watchIds: [id] },
          found.map((one) => ({
            watch_id: id,
            subject: 'disruption' as const,
            subject_id: `${NH}:1`,
            level: 'certain' as const,
            why: '',
            from_km: 30,
            to_km: 40,
            off_m: 0,
            ...one,
          })),
          { at: time, batch: 1, endKind: () => 'ended' },
        ),
      );
    // The vehicle reaches it from 06:30 to 06:40: on the 10th it is there, on the 11th it is over before.
    await settle([{}], at('10T06:35'));
    await settle([], at('11T06:10'));
    // A possible match, or a medium one, is no trouble.
    await settle([{ level: 'possible' }], at('12T06:00'));
    await settle([], at('12T08:00'));

    const own = await watches(db).ofTeam(EVERYONE);
    const [month] = await watchStats(db, own, at('01T01:00'), at('21T09:00'));
    expect(month).toMatchObject({ departures: 21, undisturbed: 20, reliability: 0.9524 });
    expect(month!.by_hour).toEqual([{ hour: 6, departures: 21, undisturbed: 20, reliability: 0.9524 }]);
    // 10 November 2026 is a Tuesday; three Tuesdays are too few for a share.
    expect(month!.by_weekday[1]).toEqual({ weekday: 1, departures: 3, undisturbed: 2, reliability: null });

    const [week] = await watchStats(db, own, at('14T09:00'), at('21T09:00'));
    expect(week).toMatchObject({ departures: 7, undisturbed: 7, reliability: null });
  });
});
