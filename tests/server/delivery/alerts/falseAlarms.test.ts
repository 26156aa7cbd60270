/** From the publishers' words to the message: only an incident that is in force on their road notifies anybody at
 *  once. */
import { array, assert, asyncProperty, nat, record, subarray } from 'fast-check';
import { expect, it } from 'vitest';
import type { Leg } from '#contract/watches/watches.ts';
import { COLLECTORS } from '../../../../server/sources/allSources.ts';
import { bodyOf } from '../../../../server/delivery/outbox/outboxStore.ts';
import { openMemoryDatabase } from '../../../../server/db/open.ts';
import { channels as channelsIn, STANDARD } from '../../../../server/delivery/outbox/channelStore.ts';
import { EVERYONE } from '../../../../server/accounts/teams.ts';
import { users } from '../../../../server/accounts/users.ts';
import { startMatching } from '../../../../server/watches/matching/matching.ts';
import { startNotifier } from '../../../../server/delivery/alerts/notifier.ts';
import { roadsOfLine } from '../../../../server/watches/roadsAlongLine.ts';
import type { LonLat } from '../../../../server/geography/roads/roadTable.ts';
import { person } from '../../accounts/people.ts';
import { poll } from '../../feedsWorld.ts';
import { fixture } from '../../../support/upstream.ts';
import { labelledIncidents, labelledRoutes, labels } from '../../watches/matching/rules/labelledSet.ts';
import { TABLE } from '../../watches/matching/rules/matchingWorld.ts';
import { amount } from '../../../support/long.ts';

const MINUTE = 60_000;
const { records } = await labelledIncidents();
const SOURCES = [...new Set(records.map(({ event_id }) => event_id.split(':')[0]!))];
const START = Date.parse((JSON.parse(fixture('matching/incidents.json')) as { now: string }).now);

/** The real matcher and the real notifier over the labelled routes. */
async function labelledWorld() {
  const { db, close } = await openMemoryDatabase();
  let time = START;
  const now = () => new Date(time);
  const log = {
    error(fields: object) {
      throw new Error(JSON.stringify(fields));
    },
  };
  await users(db).insert(person('rosa'));
  const at = now().toISOString();
  await channelsIn(db).add(
    {
      id: 'hook',
      team_id: EVERYONE,
      user_id: null,
      kind: 'webhook',
      name: 'hook',
      address: 'sealed',
      address_hash: 'hook',
      state: 'working',
      what: { alerts: true, changes: false, digest: true, brief: false },
    },
    { ...STANDARD, quiet: null },
    at,
  );
  for (const { id, kind, name, made_by, legs, geometry, reach_m } of labelledRoutes()) {
    const whole = await Promise.all(
      legs.map(async (leg): Promise<Leg> =>
        leg.type === 'exact' && leg.roads.length === 0
          ? { ...leg, roads: await roadsOfLine(leg.points as LonLat[], TABLE) }
          : leg,
      ),
    );
    await db
      .insertInto('watches')
      .values({
        id,
        team_id: EVERYONE,
        kind,
        name: name ?? id,
        made_by,
        legs: JSON.stringify(whole),
        geometry: JSON.stringify(geometry ?? { type: 'LineString', coordinates: [] }),
        length_km: 100,
        reach_m,
        sources: JSON.stringify(SOURCES),
        notify: JSON.stringify({ threshold: 'medium', possible: 'digest', around_departures: null }),
        created_by: null,
        created_at: at,
        updated_by: null,
        updated_at: at,
        rev: 1,
        matched_rev: 0,
        archived_at: null,
      })
      .execute();
  }
  const owner = 'the only node';
  const matching = startMatching({ db, now, log, owner });
  const notifier = startNotifier({ db, mode: 'one', collectors: COLLECTORS, now, log, owner });
  return {
    db,
    pass: (ms: number) => (time += ms),
    now,
    async look() {
      await matching.changed();
      await notifier.changed();
    },
    async sent() {
      const rows = await db
        .selectFrom('messages')
        .selectAll()
        .where('channel_id', '=', 'hook')
        .orderBy('created_at')
        .execute();
      return rows.map((row) => ({ ...bodyOf(row), watch: row.watch_id, created_at: row.created_at }));
    },
    async close() {
      await notifier.stop();
      await matching.stop();
      await close();
    },
  };
}

const LABELS = new Map(labels().map(({ incident, labels: of }) => [incident, of]));
/** Whether it is in force, and certainly on this route, by a person's judgement. */
function isTrue(watch: string, id: string): boolean {
  const label = LABELS.get(id)?.[watch];
  return label?.level === 'certain' || label?.or === 'certain';
}

it('has no false alarm in the labelled set, and sends what it should', async () => {
  const world = await labelledWorld();
  for (let minute = 0; minute < 20; minute++) {
    for (const source of SOURCES)
      await poll(
        world.db,
        source,
        records.filter(({ event_id }) => event_id.startsWith(`${source}:`)),
        world.now(),
      );
    await world.look();
    world.pass(MINUTE);
  }
  const sent = (await world.sent()).filter(({ kind }) => kind === 'alert');
  await world.close();
  const alarms = sent.flatMap(({ watch, event_ids }) => event_ids.map((id) => [watch!, id] as const));
  const phases = new Map(records.map(({ event_id, phase }) => [event_id, phase]));
  const wrong = alarms.filter(([watch, id]) => !isTrue(watch, id) || phases.get(id) === 'planned');
  expect(wrong.map(([watch, id]) => `${id} on ${watch}`)).toEqual([]);
  expect(new Set(alarms.map(([watch, id]) => `${watch} ${id}`)).size).toBeGreaterThan(20);
}, 60_000);

/** Random days: as many as `npm test` has time for. `RANDOM_DAYS=200` runs all of them. */
const DAYS = amount('RANDOM_DAYS', { whole: 200, part: 2 });

/** Days of half hours, with the state of each source in each. */
const day = array(
  record({
    listed: array(nat(records.length - 1), { maxLength: 12 }),
    silent: subarray(SOURCES),
  }),
  { minLength: 8, maxLength: 16 },
);

it(
  'has no false alarm over random days with faults, and clears only what its publisher cleared',
  async () => {
    await assert(
      asyncProperty(day, async (spells) => {
        const world = await labelledWorld();
        try {
          /** For each incident, when it was last listed, and when its source was next read without it. */
          const gone = new Map<string, string>();
          const ever = new Set<string>();
          for (const { listed, silent } of spells) {
            const now = new Set(listed.map((index) => records[index]!.event_id));
            for (const source of SOURCES) {
              if (silent.includes(source)) continue;
              const own = records.filter(({ event_id }) => event_id.startsWith(`${source}:`));
              await poll(
                world.db,
                source,
                own.filter(({ event_id }) => now.has(event_id)),
                world.now(),
              );
              for (const { event_id } of own) {
                if (now.has(event_id)) {
                  ever.add(event_id);
                  gone.delete(event_id);
                } else if (ever.has(event_id) && !gone.has(event_id))
                  gone.set(event_id, world.now().toISOString());
              }
            }
            const before = (await world.sent()).length;
            for (const minutes of [0, 1, 5, 12, 12]) {
              world.pass(minutes * MINUTE);
              await world.look();
            }
            for (const { kind, watch, event_ids, title } of (await world.sent()).slice(before)) {
              if (kind === 'alert')
                for (const id of event_ids)
                  expect(
                    isTrue(watch!, id) && ever.has(id) && !gone.has(id),
                    `${title}: ${id} on ${watch}`,
                  ).toBe(true);
              if (kind === 'cleared')
                for (const id of event_ids) expect(gone.has(id), `${title}: ${id}`).toBe(true);
            }
          }
        } finally {
          await world.close();
        }
      }),
      { numRuns: DAYS },
    );
  },
  DAYS * 30_000,
);
