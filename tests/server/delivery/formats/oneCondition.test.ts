/** One condition decides on every way out, for random routes, areas and feeds, incidents and moments. The plain
 *  words of the condition here must give the same as the page, the list, the counts, the preview, every format, the
 *  stream, the public page and the messages. `npm test` compares 20 watches in one world, `npm run test:long` a
 *  thousand in 25. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Severity } from '#contract/incidents/severity.ts';
import { FORMAT_LIMITS } from '#contract/watches/formats.ts';
import type { Watch, WatchList, WatchRecord } from '#contract/watches/watches.ts';
import type { Which } from '#contract/watches/whichIncidents.ts';
import type { DisruptionRecord } from '../../../../server/incidents/collector.ts';
import { COLLECTORS, mayBeRelayed } from '../../../../server/sources/allSources.ts';
import { addresses } from '../../../../server/watches/sharedAddresses.ts';
import { cursors } from '../../../../server/db/cursors.ts';
import { MATCHER, matches } from '../../../../server/watches/matching/matchStore.ts';
import { revision } from '../../../../server/db/revisions.ts';
import { EVERYONE } from '../../../../server/accounts/teams.ts';
import { watches } from '../../../../server/watches/watchStore.ts';
import { previewOf } from '../../../../server/watches/watchPreview.ts';
import { conditionsOf } from '../../../../server/delivery/formats/formatConditions.ts';
import { formatAnswers } from '../../../../server/delivery/formats/formatAnswers.ts';
import { streams } from '../../../../server/delivery/formats/streams.ts';
import { startNotifier } from '../../../../server/delivery/alerts/notifier.ts';
import { secretHash } from '../../../../server/calls/waysOut/sharingCalls.ts';
import { openTestApp, type TestApp } from '../../app/testApp.ts';
import { amount, isLong } from '../../../support/long.ts';
import { poll, record } from '../../feedsWorld.ts';

/** A thousand in the long one, and a few of each kind in the command. */
const WATCHES = isLong ? 40 : 20;
const WORLDS = amount('WORLDS', { whole: 25, part: 1 });
const ROUNDS = 4;
const SEED = 20_261_127;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

const SOURCES = {
  'national-highways': 'roads-uk',
  'bods-bus': 'roads-uk',
  tfl: 'rail-network',
  'kb-incidents': 'rail-network',
  'met-office': 'weather-flood',
} as const;
type Source = keyof typeof SOURCES;
const FEEDS = ['roads-uk', 'rail-network', 'weather-flood', 'aviation'];
const GRADES: readonly Severity[] = ['critical', 'high', 'medium', 'low'];
const WORDS = ['snow', 'signal fault', 'LORRY', 'burst main', 'Ćwik'];

/** Mulberry32: the same numbers each time. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}
let next = random(SEED);
const one = <T>(of: readonly T[]): T => of[Math.floor(next() * of.length)]!;
const may = (share: number) => next() < share;

let test: TestApp;
let token: string;

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  test = await openTestApp({
    config: { requestLimits: { perSession: 1_000_000, perAddress: 1_000_000 } },
    collectors: COLLECTORS.filter(({ source }) => Object.hasOwn(SOURCES, source)),
  });
  await test.addUser();
});
afterEach(async () => {
  vi.useRealTimers();
  await test.close();
});

interface Known extends DisruptionRecord {
  source: Source;
}

const incident = (source: Source, at: number): Known => ({
  source,
  ...record(`${source}:${at}`, {
    severity: one(GRADES),
    phase: may(0.3) ? 'planned' : 'active',
    title: `${one(WORDS)} ${at}`,
    summary_line: may(0.3) ? one(WORDS).toUpperCase() : '',
    start_time: new Date(Date.parse('2026-11-21T09:00:00Z') + (next() - 0.5) * 200 * HOUR_MS).toISOString(),
    end_time: null,
    metadata: may(0.2) ? { severity_unrated: true } : {},
  }),
});

const which = (): Which => ({
  min_severity: one(GRADES),
  unrated: may(0.6),
  phase: may(0.6) ? null : one(['active', 'planned'] as const),
  words: may(0.7) ? '' : one(WORDS),
  level: one(['certain', 'possible'] as const),
  feeds: may(0.5) ? [] : [one(FEEDS)],
  sources: may(0.7) ? [] : [one(Object.keys(SOURCES))],
});
const when = (): Watch['when'] =>
  may(0.4)
    ? null
    : {
        days: 1 + Math.floor(next() * 127),
        from: one(['00:30', '06:00', '22:00']),
        to: one(['01:30', '20:00', '05:00']),
      };

/** The condition, once more and in other words. */
function isIn(
  known: Known,
  { kind, which: w, when: hours }: Watch,
  level: string | undefined,
  at: Date,
): boolean {
  if (kind !== 'feeds' && (level === undefined || (w.level === 'certain' && level === 'possible')))
    return false;
  const chosen = [
    ...w.sources,
    ...Object.keys(SOURCES).filter((source) => w.feeds.includes(SOURCES[source as Source])),
  ];
  if (w.feeds.length + w.sources.length > 0 && !chosen.includes(known.source)) return false;
  if (w.phase !== null && w.phase !== known.phase) return false;
  const text = `${known.title}\n${known.summary_line}`.toLowerCase();
  if (w.words !== '' && !text.includes(w.words.toLowerCase())) return false;
  const isUnrated = known.metadata.severity_unrated === true;
  if (isUnrated ? !w.unrated : GRADES.indexOf(known.severity) > GRADES.indexOf(w.min_severity)) return false;
  if (hours === null) return true;
  const clock = new Intl.DateTimeFormat('en-GB', { timeZone: 'Europe/London', timeStyle: 'short' }).format(
    at,
  );
  const day = (shift: number) => {
    const name = new Intl.DateTimeFormat('en-GB', { timeZone: 'Europe/London', weekday: 'short' }).format(at);
    const index = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'].indexOf(name);
    return (hours.days >> ((index + shift + 7) % 7)) & 1;
  };
  if (hours.from < hours.to) return day(0) === 1 && hours.from <= clock && clock < hours.to;
  return (day(0) === 1 && clock >= hours.from) || (day(-1) === 1 && clock < hours.to);
}

const sorted = (ids: Iterable<string>) => [...ids].toSorted();

const worlds = Array.from({ length: WORLDS }, (_, world) => world);
it.each(worlds)(
  `${WATCHES} watches let the same through at ${ROUNDS} moments by every way out: world %i`,
  async (world) => {
    next = random(SEED + world);
    const { db, now } = test;
    const all: Watch[] = [];
    const levels = new Map<string, Map<string, 'certain' | 'possible'>>();
    let incidents = new Map<string, Known>();
    for (const source of Object.keys(SOURCES) as Source[])
      for (let at = 0; at < 12; at++) incidents.set(`${source}:${at}`, incident(source, at));
    const pollAll = async () => {
      for (const source of Object.keys(SOURCES) as Source[])
        await poll(
          db,
          source,
          [...incidents.values()].filter((known) => known.source === source),
          now(),
        );
      const batch = await revision(db, 'changes');
      await db.transaction().execute((trx) => cursors(trx).move(MATCHER, batch));
    };
    await pollAll();

    for (let at = 0; at < WATCHES; at++) {
      const kind = one(['route', 'area', 'feeds'] as const);
      const id = `watch-${at}`;
      const moment = now().toISOString();
      await db
        .insertInto('watches')
        .values({
          id,
          team_id: EVERYONE,
          kind,
          name: id,
          made_name: id,
          place: null,
          which: JSON.stringify(which()),
          when: JSON.stringify(when()),
          made_by: 'circle',
          legs: '[]',
          geometry: '{"type":"Point","coordinates":[-1.5,53.8]}',
          length_km: 0,
          reach_m: 30_000,
          sources: JSON.stringify(Object.keys(SOURCES)),
          notify: JSON.stringify({ threshold: 'medium', possible: 'digest', around_departures: null }),
          created_by: null,
          created_at: moment,
          updated_by: null,
          updated_at: moment,
          rev: 1,
          matched_rev: 1,
          list_place: null,
          archived_at: null,
        })
        .execute();
      await addresses(db).add(
        {
          teamId: EVERYONE,
          userId: (await db.selectFrom('users').select('id').executeTakeFirstOrThrow()).id,
        },
        {
          id,
          hash: secretHash(id),
          about: { watch_id: id },
          form: 'page',
          expires_at: new Date(now().getTime() + 80 * 24 * HOUR_MS).toISOString(),
        },
        // They are made one after the other, because a team may have only a limited number at a time.
        now(),
      );
      const own = new Map<string, 'certain' | 'possible'>();
      if (kind !== 'feeds')
        for (const event_id of incidents.keys())
          if (may(0.4)) own.set(event_id, one(['certain', 'possible'] as const));
      levels.set(id, own);
    }
    const touch = async () => {
      const found = [...levels].flatMap(([watch_id, own]) =>
        [...own]
          .filter(([id]) => incidents.has(id))
          .map(([subject_id, level]) => ({
            watch_id,
            subject: 'disruption' as const,
            subject_id,
            level,
            why: '',
            from_km: null,
            to_km: null,
            off_m: null,
          })),
      );
      await db.transaction().execute((trx) =>
        matches(trx).settle({ subject: 'disruption', all: true }, found, {
          at: now(),
          batch: 1,
          endKind: () => 'ended',
        }),
      );
    };
    await touch();
    all.push(...((await watches(db).ofTeam(EVERYONE)) as Watch[]));
    expect(all).toHaveLength(WATCHES);

    // A program that reads a stream has the list from its beginning, and the changes since.
    const parts = { db, collectors: COLLECTORS.filter(({ source }) => Object.hasOwn(SOURCES, source)), now };
    const open = streams({ ...parts, config: { teams: 'one' } });
    const answers = formatAnswers({ ...parts, geocoder: null as never });
    const lists = new Map<string, { ids: Set<string>; isToRead: boolean }>();
    const streamed = all.slice(0, 400); // as many as one node has
    for (const watch of streamed) {
      const list = { ids: new Set<string>(), isToRead: true };
      lists.set(watch.id, list);
      const send = async ({ event, data }: { event: string; data: string }) => {
        const said = JSON.parse(data) as {
          event_id: string;
          disruption: { event_id: string } | null;
          in_filter: boolean;
        };
        if (event === 'resync') list.isToRead = true;
        if (!event.startsWith('disruption.')) return;
        list.ids.delete(said.event_id);
        if (said.disruption) list.ids.delete(said.disruption.event_id);
        if (said.in_filter) list.ids.add(said.disruption!.event_id);
      };
      const sse = { isConnected: true, lastEventId: null, keepAlive() {}, onClose() {}, send, close() {} };
      await open.open({ sse, raw: { destroy() {} } } as never, {
        caller: watch.id,
        teamId: EVERYONE,
        mayStill: async () => true,
        conditions: conditionsOf(watch),
        asked: await answers.asked(conditionsOf(watch), EVERYONE),
      });
    }

    const differences: string[] = [];
    let compared = 0;
    let listed = 0;
    for (let round = 0; round < ROUNDS; round++) {
      if (round > 0) {
        test.pass(Math.floor(next() * 40 * 60) * MINUTE_MS);
        incidents = new Map(
          [...incidents].flatMap(([id, known]): [string, Known][] => {
            if (may(0.1)) return [];
            const { severity, title, summary_line, metadata } = incident(
              known.source,
              Number(id.split(':')[1]),
            );
            return [[id, may(0.3) ? { ...known, severity, title, summary_line, metadata } : known]];
          }),
        );
        await pollAll();
        await touch();
        await vi.advanceTimersByTimeAsync(1000);
      }
      ({ access_token: token } = await test.signIn());
      const at = now();
      const get = async (path: string) => {
        const reply = await test.get(path, path.startsWith('/api') ? token : undefined);
        expect(reply.statusCode, `${path} ${reply.body.slice(0, 300)}`).toBe(200);
        return reply.body;
      };
      const summary = JSON.parse(await get('/api/v1/watches?summary=true')) as WatchList;

      // The messages of this moment alone.
      for (const table of ['alert_instances', 'notification_log', 'messages'] as const)
        await db.deleteFrom(table).execute();
      const notifier = startNotifier({
        ...parts,
        mode: 'one',
        owner: `round ${round}`,
        log: { error: (fields) => void differences.push(JSON.stringify(fields)) },
      });
      await notifier.changed();
      await notifier.stop();
      const told = Map.groupBy(
        await db.selectFrom('alert_instances').selectAll().execute(),
        ({ watch_id }) => watch_id,
      );

      for (const watch of all) {
        const own = levels.get(watch.id)!;
        const inside = [...incidents.values()].filter((known) =>
          isIn(known, watch, own.get(known.event_id), at),
        );
        const through = sorted(inside.map(({ event_id }) => event_id));
        // Incidents that are let through at any hour, as lists have them.
        const whenever = sorted(
          [...incidents.values()]
            .filter((known) => isIn(known, { ...watch, when: null }, own.get(known.event_id), at))
            .map(({ event_id }) => event_id),
        );
        listed += through.length;
        const check = (way: string, found: Iterable<string>, expected = through) => {
          compared++;
          if (JSON.stringify(sorted(found)) === JSON.stringify(expected)) return;
          differences.push(`${round} ${watch.id} ${way}: ${sorted(found).join()} is not ${expected.join()}`);
        };
        const base = `/api/v1/watches/${watch.id}`;

        const page = JSON.parse(await get(base)) as WatchRecord;
        check(
          'page',
          page.matches.map(({ subject_id }) => subject_id),
          whenever,
        );
        const row = summary.watches.find(({ id }) => id === watch.id)!;
        check(
          'list',
          row.matches.map(({ subject_id }) => subject_id),
          whenever,
        );
        const around = JSON.parse(await get(`${base}/matches?at=${at.toISOString()}&hours=336`)) as {
          watching: boolean;
          matches: { subject_id: string; disruption: { metadata: { phase: string } } }[];
        };
        const soon = (known: Known) =>
          known.phase === 'active' || Date.parse(known.start_time!) < at.getTime() + 336 * HOUR_MS;
        check(
          'window',
          around.matches.map(({ subject_id }) => subject_id),
          sorted(inside.filter(soon).map(({ event_id }) => event_id)),
        );

        const json = JSON.parse(await get(`${base}.json`)) as {
          total: number;
          events: { event_id: string }[];
        };
        check(
          'json',
          json.events.map(({ event_id }) => event_id),
        );
        check('total', [String(json.total)], [String(through.length)]);
        const geojson = JSON.parse(await get(`${base}.geojson`)) as { features: { id: string }[] };
        check(
          'geojson',
          geojson.features.map(({ id }) => id),
        );
        const csv = (await get(`${base}.csv`)).split('\r\n').slice(1).filter(Boolean);
        check(
          'csv',
          csv.map((line) => line.split(',', 1)[0]!),
        );
        // Ended incidents are listed for seven days: only those in force count here.
        const inForce = (ids: Iterable<string>) => [...new Set(ids)].filter((id) => incidents.has(id));
        // A full list of the newest leaves older ones out, and lists no others.
        const checkNewest = (way: string, ids: readonly string[], expected: string[]) =>
          ids.length < FORMAT_LIMITS.newest
            ? check(way, inForce(ids), expected)
            : check(
                way,
                inForce(ids).filter((id) => !expected.includes(id)),
                [],
              );
        const rss = await get(`${base}.rss`);
        const guids = [...rss.matchAll(/<guid[^>]*>([\w-]+:\d+):\d+<\/guid>/g)].map(([, id]) => id!);
        checkNewest('rss', guids, through);
        const atom = await get(`${base}.atom`);
        const ids = [...atom.matchAll(/<id>([\w-]+:\d+)<\/id>/g)].map(([, id]) => id!);
        checkNewest('atom', ids, through);
        const cap = await get(`${base}.cap`);
        const relayed = (id: string) => mayBeRelayed(id.split(':', 1)[0]!);
        const capped = [...cap.matchAll(/\.cap\/([\w%-]+)"/g)].map(([, id]) => decodeURIComponent(id!));
        // Incidents that may not be relayed take up places in the list.
        if (ids.length < FORMAT_LIMITS.newest)
          check('cap', inForce(capped).filter(relayed), through.filter(relayed));
        if (lists.has(watch.id)) {
          const list = lists.get(watch.id)!;
          if (list.isToRead) list.ids = new Set(json.events.map(({ event_id }) => event_id));
          list.isToRead = false;
          check('stream', list.ids);
        }
        if (watch.kind === 'feeds') {
          const preview = await previewOf(db, EVERYONE, watch, { at, disconnected: new Set() });
          check(
            'preview',
            preview.matches.map(({ subject_id }) => subject_id),
            whenever,
          );
        }
        const standingNow = inside.filter(
          (known) => known.phase === 'active' || Date.parse(known.start_time!) < at.getTime() + 2 * HOUR_MS,
        );
        const shown = await get(`/p/${watch.id}`);
        const counted = /<span>(\d+) now<\/span>/.exec(shown)?.[1] ?? 'none';
        check('public page', [counted], [around.watching ? String(standingNow.length) : 'none']);

        const tellable = inside.filter(
          ({ event_id, phase, severity }) =>
            phase === 'active' &&
            severity !== 'low' &&
            (watch.kind === 'feeds' || own.get(event_id) === 'certain'),
        );
        check(
          'messages',
          (told.get(watch.id) ?? []).map(({ event_id }) => event_id),
          sorted(tellable.map(({ event_id }) => event_id)),
        );
      }
    }
    open.stop();
    expect(differences.slice(0, 20)).toEqual([]);
    expect(compared).toBeGreaterThan(WATCHES * ROUNDS * 12);
    // This shows that something was let through.
    expect(listed).toBeGreaterThan(WATCHES * ROUNDS);
  },
  900_000,
);
