import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AuditTrail } from '#contract/accounts/admin.ts';
import type { SourceReports } from '#contract/feeds/sourceReports.ts';
import { ownSource } from '#contract/shift/responses.ts';
import type { Explanation, Watch, WatchList, WatchPreview } from '#contract/watches/watches.ts';
import type { CursorWorker } from '../../../../server/db/cursorWorker.ts';
import { example } from '../../../../server/calls/reference/examples.ts';
import { readFacts } from '../../../../server/incidents/facts/readFacts.ts';
import { EVERYONE } from '../../../../server/accounts/teams.ts';
import { revision, WATCHES_REVISION } from '../../../../server/db/revisions.ts';
import { demotions } from '../../../../server/watches/matching/demotionStore.ts';
import { demoteSources } from '../../../../server/watches/demoteSources.ts';
import { startMatching } from '../../../../server/watches/matching/matching.ts';
import { matchingState } from '../../../../server/watches/matching/matchingState.ts';
import { DATABASES, useDatabase } from '../../../support/databases.ts';
import { openTestApp, type TestApp } from '../../app/testApp.ts';
import { poll, record } from '../../feedsWorld.ts';
import { roadLeg } from './rules/matchingWorld.ts';

const { watchRequest } = example;

const WATCHES = '/api/v1/watches';
const SOURCES = '/api/v1/admin/sources';
const SOURCE = 'national-highways';
const IDS = [1, 2, 3].map((n) => `${SOURCE}:${n}`);
const NAMES = ['rosa', 'sam', 'cat'] as const;
type Name = (typeof NAMES)[number];

describe.each(DATABASES)('demotions on $engine', ({ open }) => {
  const database = useDatabase(open);

  it('are of all sources that a team has demoted, each once, and each change is news', async () => {
    const { db } = database;
    const news: [boolean, number][] = [];
    const noting = async (change: () => Promise<boolean>) => {
      const before = await revision(db, WATCHES_REVISION);
      const isDone = await change();
      news.push([isDone, (await revision(db, WATCHES_REVISION)) - before]);
    };
    const at = new Date('2026-11-28T08:00:00Z');
    await noting(() => demotions(db).demote(EVERYONE, SOURCE, 'Marked', at));
    await noting(() => demotions(db).demote(EVERYONE, SOURCE, 'Marked', at));
    await noting(() => demotions(db).demote(EVERYONE, 'tfl', 'Marked', at));
    expect((await demotions(db).all()).get(EVERYONE)).toEqual(new Set([SOURCE, 'tfl']));
    await noting(() => demotions(db).restore(SOURCE, at));
    await noting(() => demotions(db).restore(SOURCE, at));
    expect(await demotions(db).all()).toEqual(new Map([[EVERYONE, new Set(['tfl'])]]));
    expect(news).toEqual([
      [true, 1],
      [false, 0],
      [true, 1],
      [true, 1],
      [false, 0],
    ]);
  });
});

describe.each(DATABASES)('Demoted by two of three teams, on $engine', ({ open, once }) => {
  let test: TestApp;
  let matching: CursorWorker;
  let admin: string;
  let steps: string[];
  const token = {} as Record<Name, string>;
  const route = {} as Record<Name, string>;

  const post = (url: string, by: string, payload?: object) => test.post(url, payload, by);

  beforeEach(async () => {
    test = await openTestApp({ open, config: { teams: 'many' } });
    steps = [];
    matching = startMatching({
      db: test.db,
      now: test.now,
      log: { error: (fields) => expect.unreachable(JSON.stringify(fields)) },
      owner: 'this node',
      open() {
        const state = matchingState();
        steps.push('open');
        return {
          async ask(step) {
            if ('ids' in step) steps.push(...step.ids.map((id) => `${step.kind} ${id}`));
            return state.take(step);
          },
          close: async () => {},
        };
      },
    });
    const ada = await test.addUser({ email: 'ada@example.org', role: 'admin' });
    admin = (await test.signIn(ada)).access_token;
    for (const name of NAMES) {
      const email = `${name}@example.org`;
      token[name] = (await test.signIn(await test.addUser({ email, display_name: name }))).access_token;
      const made = await post(WATCHES, token[name], { ...watchRequest, legs: [roadLeg('M62 J18 to J27')] });
      route[name] = made.json<Watch>().id;
    }
    const closures = IDS.map((id) => record(id, { title: 'M62 J26 to J27: closed', severity: 'medium' }));
    await poll(
      test.db,
      SOURCE,
      closures.map((one) => ({ ...one, facts: readFacts(one) })),
      test.now(),
    );
    await matching.changed();
  });
  afterEach(async () => {
    await matching.stop();
    await test.close();
  });

  /** That team is sent a message about each of these. */
  const sent = async (name: Name, ids = IDS) => {
    const at = test.now().toISOString();
    for (const id of ids)
      await test.db
        .insertInto('messages')
        .values({
          id: `${name} ${id} ${at}`,
          channel_id: null,
          watch_id: route[name],
          // The message has the same channels and words as for other teams.
          bundle: `${id} ${at}`,
          created_at: at,
          body: JSON.stringify({ event_ids: [id] }),
          reason: 'Sent',
          state: 'sent',
          attempts: 1,
          next_at: null,
          last_status: 201,
          valid_until: at,
          sent_at: at,
          seen_at: null,
          about: null,
          place: null,
        })
        .execute();
  };
  const mark = async (name: Name, verdict: 'not_ours' | 'ours', ...ids: string[]) => {
    for (const subject_id of ids) {
      test.pass(1000);
      const said = await post(`${WATCHES}/${route[name]}/feedback`, token[name], { subject_id, verdict });
      expect(said.statusCode, said.body).toBe(204);
    }
    await matching.changed();
  };
  /** Marks as they are stored, by a call that demoted nothing yet. */
  const noted = (name: Name, ids: readonly string[]) =>
    test.db
      .insertInto('match_feedback')
      .values(
        ids.map((id) => ({
          id,
          watch_id: route[name],
          subject_id: id,
          level: 'certain',
          why: 'as drawn',
          user_id: null,
          at: test.now().toISOString(),
          verdict: 'not_ours' as const,
          text: null,
        })),
      )
      .execute();
  /** The levels of the last closure, which nobody marks, in the list, the preview and the explanation for that team. */
  const levels = async (name: Name) => {
    const { watches } = (await test.get(WATCHES, token[name])).json<WatchList>();
    const asked = { ...watchRequest, legs: [roadLeg('M62 J18 to J27')] };
    const preview = (await post(`${WATCHES}/preview`, token[name], asked)).json<WatchPreview>();
    const explained = await test.get(`${WATCHES}/${route[name]}/explain/${IDS[2]}`, token[name]);
    return [
      watches[0]!.matches.find(({ subject_id }) => subject_id === IDS[2])?.level,
      preview.matches.find(({ subject_id }) => subject_id === IDS[2])?.level,
      explained.json<Explanation>().level,
    ];
  };
  const all = (level: string) => [level, level, level];
  const report = async () => {
    const { sources } = (await test.get(SOURCES, admin)).json<SourceReports>();
    const { demoted, demoted_by } = sources.find(({ source }) => source === SOURCE)!;
    return { demoted, demoted_by };
  };

  it('is only possible for those teams, and as certain as before for the third', async () => {
    await sent('rosa');
    await sent('sam');
    await sent('cat');
    await mark('rosa', 'not_ours', IDS[0]!, IDS[1]!);
    expect(await levels('rosa')).toEqual(all('possible'));
    expect(await levels('sam')).toEqual(all('certain'));
    await mark('sam', 'not_ours', IDS[0]!, IDS[1]!);
    expect(await levels('sam')).toEqual(all('possible'));
    expect(await levels('cat')).toEqual(all('certain'));
    expect(await report()).toEqual({ demoted: null, demoted_by: 2 });
    const trail = (await test.get('/api/v1/admin/audit', admin)).json<AuditTrail>();
    expect(trail.entries).toMatchObject(
      ['Team of one', 'Team of one'].map((team) => ({
        action: 'source.demoted',
        detail: `2 of 3 messages in 7 days were marked as not ours (${team})`,
      })),
    );
  });

  once('is matched again for the team that demoted it, and for no other', async () => {
    await sent('rosa');
    await mark('rosa', 'not_ours', IDS[0]!);
    steps.length = 0;
    await mark('rosa', 'not_ours', IDS[1]!);
    expect(steps).not.toContain('open');
    expect(steps.filter((step) => step.startsWith('matchWatches'))).toEqual([`matchWatches ${route.rosa}`]);
  });

  once('is demoted for all by an administrator alone, and restored for all', async () => {
    await sent('rosa');
    await mark('rosa', 'not_ours', IDS[0]!, IDS[1]!);
    expect((await post(`${SOURCES}/${SOURCE}/demote`, token.rosa)).statusCode).toBe(403);
    expect((await post(`${SOURCES}/nowhere/demote`, admin)).statusCode).toBe(404);
    expect(await levels('cat')).toEqual(all('certain'));

    test.pass(1000);
    expect((await post(`${SOURCES}/${SOURCE}/demote`, admin)).statusCode).toBe(204);
    expect((await post(`${SOURCES}/${SOURCE}/demote`, admin)).statusCode).toBe(204);
    await matching.changed();
    for (const name of NAMES) expect(await levels(name)).toEqual(all('possible'));
    expect(await report()).toEqual({
      demoted: { at: test.now().toISOString(), why: '1 team has demoted it' },
      demoted_by: 1,
    });

    test.pass(1000);
    expect((await post(`${SOURCES}/${SOURCE}/restore`, admin)).statusCode).toBe(204);
    await matching.changed();
    for (const name of NAMES) expect(await levels(name)).toEqual(all('certain'));
    expect(await report()).toEqual({ demoted: null, demoted_by: 0 });
    const trail = (await test.get('/api/v1/admin/audit', admin)).json<AuditTrail>();
    expect(trail.entries.map(({ action, actor }) => `${action} ${actor}`)).toEqual([
      'source.restored ada@example.org',
      'source.demoted ada@example.org',
      'source.demoted The server',
    ]);
  });

  once('is not demoted again by the same answers once it is restored, but by new ones', async () => {
    await sent('rosa');
    await mark('rosa', 'not_ours', IDS[0]!, IDS[1]!);
    test.pass(1000);
    await post(`${SOURCES}/${SOURCE}/restore`, admin);
    expect(await demoteSources(test.db, test.now())).toEqual([]);
    await mark('rosa', 'ours', ...IDS);
    expect(await report()).toEqual({ demoted: null, demoted_by: 0 });
    await sent('rosa');
    await mark('rosa', 'not_ours', IDS[0]!);
    expect(await report()).toEqual({ demoted: null, demoted_by: 0 });
    await mark('rosa', 'not_ours', IDS[1]!);
    expect(await report()).toEqual({ demoted: null, demoted_by: 1 });
  });

  it('is demoted by each team’s own marks, whatever was restored for another', async () => {
    for (const name of ['rosa', 'sam'] as const) await sent(name);
    await mark('rosa', 'not_ours', IDS[0]!);
    await mark('sam', 'not_ours', IDS[0]!, IDS[1]!);
    test.pass(1000);
    await post(`${SOURCES}/${SOURCE}/restore`, admin);
    expect(await report()).toEqual({ demoted: null, demoted_by: 0 });
    await mark('rosa', 'not_ours', IDS[1]!);
    expect(await levels('rosa')).toEqual(all('possible'));
    expect(await levels('sam')).toEqual(all('certain'));
  });

  once('is demoted by the messages and marks of seven days, and by no earlier ones', async () => {
    await sent('rosa');
    await noted('rosa', IDS.slice(0, 2));
    const inAWeek = test.now().getTime() + 7 * 24 * 60 * 60_000;
    expect(await demoteSources(test.db, new Date(inAWeek + 1))).toEqual([]);
    expect(await demoteSources(test.db, new Date(inAWeek))).toEqual([SOURCE]);
    expect(await demoteSources(test.db, new Date(inAWeek))).toEqual([]);
  });

  once('is demoted by two marks at least, and by more than one in twenty messages', async () => {
    const many = Array.from({ length: 40 }, (_, n) => `${SOURCE}:${n}`);
    const one = [many[0]!, 'tfl:1']; // two marks, but of two sources
    await sent('rosa', one);
    await noted('rosa', one);
    expect(await demoteSources(test.db, test.now())).toEqual([]);
    await sent('rosa', many.slice(1));
    await noted('rosa', many.slice(1, 2));
    expect(await demoteSources(test.db, test.now())).toEqual([]); // two of forty
    await noted('rosa', many.slice(2, 3));
    expect(await demoteSources(test.db, test.now())).toEqual([SOURCE]);
  });

  it('is never the team’s own reports, however many of them it marks', async () => {
    const { team_id } = await test.db
      .selectFrom('watches')
      .select('team_id')
      .where('id', '=', route.rosa)
      .executeTakeFirstOrThrow();
    const own = [1, 2, 3].map((n) => `${ownSource(team_id)}:${n}`);
    await sent('rosa', own);
    await noted('rosa', own);
    expect(await demoteSources(test.db, test.now())).toEqual([]);
  });

  it('leaves nothing of a deleted team', async () => {
    await sent('rosa');
    await mark('rosa', 'not_ours', IDS[0]!, IDS[1]!);
    expect((await report()).demoted_by).toBe(1);
    await test.db.deleteFrom('teams').where('name', '=', 'Team of one').execute();
    expect((await report()).demoted_by).toBe(0);
  });
});
