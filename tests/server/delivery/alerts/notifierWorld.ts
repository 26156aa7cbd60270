/** A route with its incidents, and people who are notified: real tables, and a clock that stands still until a test
 *  moves it. */
import { randomUUID } from 'node:crypto';
import type { MessageSettings } from '#contract/messages/messages.ts';
import type { TeamMode } from '#contract/accounts/teams.ts';
import type { TellMe } from '#contract/watches/tellMe.ts';
import type { WatchKind } from '#contract/watches/watches.ts';
import type { CursorWorker } from '../../../../server/db/cursorWorker.ts';
import type { DisruptionRecord } from '../../../../server/incidents/collector.ts';
import { type FoundMatch, matches } from '../../../../server/watches/matching/matchStore.ts';
import { bodyOf } from '../../../../server/delivery/outbox/outboxStore.ts';
import type { Db } from '../../../../server/db/open.ts';
import { channels as channelsIn, STANDARD } from '../../../../server/delivery/outbox/channelStore.ts';
import type { RowOf } from '../../../../server/db/schema.ts';
import { EVERYONE, teams } from '../../../../server/accounts/teams.ts';
import { users } from '../../../../server/accounts/users.ts';
import { startNotifier } from '../../../../server/delivery/alerts/notifier.ts';
import { cursors } from '../../../../server/db/cursors.ts';
import { MATCHER } from '../../../../server/watches/matching/matchStore.ts';
import { revision } from '../../../../server/db/revisions.ts';
import { person } from '../../accounts/people.ts';
import { COLLECTORS, poll, record } from '../../feedsWorld.ts';

export const SOURCE = 'national-highways';
export const START = Date.parse('2026-11-21T08:00:00.000Z');

export interface NotifierWorld {
  now(): Date;
  pass(ms: number): void;
  set(at: string): void;
  notifier: CursorWorker;
  /** Another process on the same tables, or the same process after a crash. */
  begin(db?: Db, owner?: string): CursorWorker;
  restart(): Promise<void>;
  /** The source lists exactly these, and each touches the route. */
  listed(records: readonly DisruptionRecord[], matches?: Partial<FoundMatch>): Promise<void>;
  /** Exactly these touch the routes, from any source. */
  touch(...ids: string[]): Promise<void>;
  watch(
    id: string,
    changes?: {
      tellMe?: Partial<TellMe>;
      departures?: readonly Partial<RowOf<'departures'>>[];
      team_id?: string;
      name?: string;
      kind?: WatchKind;
    },
  ): Promise<void>;
  channel(
    kind: RowOf<'channels'>['kind'],
    settings?: Partial<MessageSettings>,
    changes?: Partial<Parameters<ReturnType<typeof channelsIn>['add']>[0]>,
  ): Promise<string>;
  /** All messages for that channel, oldest first: state, title and text. */
  messages(channelId: string | null): Promise<string[]>;
  stop(): Promise<void>;
}

/** `many`: Rosa and Sam are in teams of their own, `rosa` and `sam`. */
export async function notifierWorld(db: Db, mode: TeamMode = 'one'): Promise<NotifierWorld> {
  let time = START;
  const now = () => new Date(time);
  const errors: unknown[] = [];
  const started: CursorWorker[] = [];
  const begin = (on = db, owner = 'the only node') => {
    const notifier = startNotifier({
      db: on,
      mode,
      collectors: COLLECTORS,
      now,
      owner,
      log: { error: (fields) => void errors.push(fields) },
    });
    started.push(notifier);
    return notifier;
  };
  for (const name of mode === 'one' ? ['rosa'] : ['rosa', 'sam']) {
    await users(db).insert(person(name));
    await teams(db, mode).place(name, now());
  }
  let batch = 0;
  const watched: string[] = [];

  async function touch(ids: readonly string[], changes: Partial<FoundMatch> = {}): Promise<void> {
    const found = watched.flatMap((watch_id) =>
      ids.map((subject_id): FoundMatch => ({
        watch_id,
        subject: 'disruption',
        subject_id,
        level: 'certain',
        why: 'names the M62, J26 to J27',
        from_km: 10,
        to_km: 14,
        off_m: 5,
        ...changes,
      })),
    );
    const endKind = (): NonNullable<RowOf<'matches'>['end_kind']> => 'ended';
    const at = now();
    await db
      .transaction()
      .execute((trx) =>
        matches(trx).settle({ subject: 'disruption', all: true }, found, { at, batch: ++batch, endKind }),
      );
    await cursors(db).move(MATCHER, await revision(db, 'changes'));
    await world.notifier.changed();
  }

  const world: NotifierWorld = {
    now,
    pass: (ms) => (time += ms),
    set: (at) => (time = Date.parse(at)),
    notifier: begin(),
    begin,
    async restart() {
      await world.notifier.stop();
      world.notifier = begin();
      await world.notifier.changed();
    },
    async listed(records, changes = {}) {
      await poll(db, SOURCE, [...records], now());
      await touch(
        records.map(({ event_id }) => event_id),
        changes,
      );
    },
    touch: (...ids) => touch(ids),
    async watch(
      id,
      { tellMe = {}, departures = [], team_id = EVERYONE, name = 'Leeds–Heathrow', kind = 'route' } = {},
    ) {
      const at = now().toISOString();
      await db
        .insertInto('watches')
        .values({
          id,
          team_id,
          kind,
          name,
          made_by: 'junctions',
          legs: '[]',
          geometry: '{"type":"LineString","coordinates":[]}',
          length_km: 320,
          reach_m: null,
          sources: JSON.stringify([SOURCE]),
          notify: JSON.stringify(tellMe),
          created_by: null,
          created_at: at,
          updated_by: null,
          updated_at: at,
          rev: 1,
          matched_rev: 1,
          archived_at: null,
        })
        .execute();
      for (const departure of departures) {
        await db
          .insertInto('departures')
          .values({
            id: randomUUID(),
            watch_id: id,
            name: null,
            at_local: '09:00',
            days: 127,
            from_date: null,
            to_date: null,
            except: '[]',
            duration_min: 240,
            ...departure,
          })
          .execute();
      }
      // Feeds let it through without a match.
      if (kind !== 'feeds') watched.push(id);
    },
    async channel(kind, settings = {}, changes = {}) {
      const id = kind === 'app' ? (await channelsIn(db).appOf('rosa', EVERYONE, now())).id : randomUUID();
      if (kind !== 'app') {
        await channelsIn(db).add(
          {
            id,
            team_id: EVERYONE,
            user_id: 'rosa',
            kind,
            name: kind,
            address: 'sealed',
            address_hash: id,
            state: 'working',
            what: { alerts: true, changes: false, digest: true, brief: false },
            ...changes,
          },
          { ...STANDARD, quiet: null, ...settings },
          now(),
        );
      }
      return id;
    },
    async messages(channelId) {
      const rows = await db
        .selectFrom('messages')
        .selectAll()
        .where('channel_id', channelId === null ? 'is' : '=', channelId)
        .orderBy('created_at')
        .orderBy('id')
        .execute();
      return rows.map((row) => {
        const { title, text } = bodyOf(row);
        return `${row.state === 'held' ? row.reason : row.state} | ${title} | ${text}`;
      });
    },
    async stop() {
      await Promise.all(started.map((notifier) => notifier.stop()));
      if (errors.length > 0) throw errors[0];
    },
  };
  // A test that sets the clock back must do so after the first look.
  await world.notifier.changed();
  return world;
}

/** A closure of the M62 as its publisher has it. */
export const closure = (id = 'a', changes: Partial<DisruptionRecord> = {}): DisruptionRecord =>
  record(`${SOURCE}:${id}`, {
    severity: 'critical',
    event_type: 'road.closure',
    title: 'M62 eastbound between J26 and J27 closed due to an overturned lorry',
    updated_at: '2026-11-21T07:58:00.000Z',
    ...changes,
  });
