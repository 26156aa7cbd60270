import { afterAll, assert, beforeAll, describe, expect, it } from 'vitest';
import type { FeedBundle } from '#contract/feeds/feeds.ts';
import type { HistoryBoard } from '#contract/history/history.ts';
import { COLLECTORS } from '../../../../server/sources/allSources.ts';
import { feedAnswers } from '../../../../server/feeds/feedAnswers.ts';
import { expire, type Schedule, startSchedule } from '../../../../server/sources/polling/pollRunners.ts';
import { downloader } from '../../../../server/http/documents/download.ts';
import { type Replay, startReplay } from '../../../../server/operate/replay.ts';
import { startSummaries, type Summaries } from '../../../../server/feeds/summaries/summarise.ts';
import { amount } from '../../../support/long.ts';
import { openTestApp, type TestApp } from '../../app/testApp.ts';

const SECOND = 1000;
const LOOKS = amount('LOOKS', { whole: 100, part: 10 });

let state = 11;
const random = () => {
  state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
  return state / 4_294_967_296;
};

describe('the board of the replay, looked at again and again in a random day', () => {
  let test: TestApp;
  let replay: Replay;
  let schedule: Schedule;
  let summaries: Summaries;
  const looks: { at: string; feeds: FeedBundle[]; cleared: string | null; past?: HistoryBoard }[] = [];

  beforeAll(async () => {
    const settings: Record<string, string> = {};
    test = await openTestApp({ config: { settings } });
    replay = await startReplay({ stepSeconds: 0, now: test.now });
    Object.assign(settings, replay.settings);
    await test.addUser();
    const dead = new Set<string>();
    const log = { info() {}, warn() {}, error() {} };
    const parts = {
      db: test.db,
      collectors: COLLECTORS,
      settings,
      download: downloader({
        fetch: (...request) => {
          const source = new URL(String(request[0])).pathname.split('/')[1]!;
          return dead.has(source) ? Promise.reject(new TypeError('fetch failed')) : fetch(...request);
        },
      }),
      now: test.now,
      random: () => 1,
      log,
      owner: 'the only node',
    };
    schedule = startSchedule(parts);
    summaries = startSummaries({ db: test.db, collectors: COLLECTORS, now: test.now, log });
    await Promise.all(COLLECTORS.map(({ source }) => schedule.collectNow(source)));

    const live = feedAnswers(parts);
    for (let count = 0; count < LOOKS; count++) {
      // Mostly a minute or two passes; now and then a silence that makes some sources too old.
      test.pass(Math.round((random() < 0.1 ? 3000 * random() : 150 * random()) * SECOND) + 1);
      if (random() < 0.4) replay.step();
      if (random() < 0.1) dead.add(COLLECTORS[Math.floor(random() * COLLECTORS.length)]!.source);
      if (random() < 0.1) dead.clear();
      for (const collector of COLLECTORS) {
        if (random() < 0.35) await schedule.collectNow(collector.source);
        await expire(parts, collector.source, collector);
      }
      await summaries.remake();
      test.pass(Math.round(20 * random() * SECOND));
      const { feeds, last_critical_cleared } = JSON.parse(
        String(await (await live.current()).list(true).bytes('identity')),
      ) as { feeds: FeedBundle[]; last_critical_cleared: string | null };
      looks.push({ at: test.now().toISOString(), feeds, cleared: last_critical_cleared });
    }
    const token = (await test.signIn()).access_token;
    for (const look of looks) {
      const answer = await test.get(`/api/v1/history/board?at=${look.at}`, token);
      expect(answer.statusCode, answer.body).toBe(200);
      look.past = answer.json<HistoryBoard>();
    }
  }, 240_000);

  afterAll(async () => {
    await schedule.stop();
    await summaries.stop();
    await test.close();
    await replay.close();
  });

  it('answers the same list of events, byte for byte, for each of them', async () => {
    let events = 0;
    for (const { at, feeds, past } of looks) {
      assert(past);
      for (const [place, { feed, events: then }] of feeds.entries()) {
        // The part that differs is compared first, because the whole text is long.
        for (const [index, event] of then.entries())
          expect(past.feeds[place]!.events[index], at).toEqual(event);
        const same = JSON.stringify(past.feeds[place]!.events) === JSON.stringify(then);
        expect(same, `${feed.slug} at ${at}`).toBe(true);
        events += then.length;
      }
    }
    expect(events).toBeGreaterThan(LOOKS * 10);
  });

  it('answers the same counts and freshness, and what the summaries said', async () => {
    for (const { at, feeds, cleared, past } of looks) {
      assert(past);
      expect(past.at).toBe(at);
      expect(past.last_critical_cleared, at).toBe(cleared);
      for (const [place, { feed, summary }] of feeds.entries()) {
        const { feed: then, summary: said } = past.feeds[place]!;
        const counts = ({
          alert_count,
          planned_count,
          by_severity,
          freshness,
          last_updated,
        }: typeof feed) => ({
          alert_count,
          planned_count,
          by_severity,
          freshness,
          last_updated,
        });
        expect(counts(then), at).toEqual(counts(feed));
        const ages = ({ sources }: typeof feed) =>
          sources.map(({ source, freshness, last_collected, event_count }) => ({
            source,
            freshness,
            last_collected,
            event_count,
          }));
        expect(ages(then), at).toEqual(ages(feed));
        expect(said?.text, at).toBe(summary?.text);
        expect(said?.metadata.parts, at).toEqual(summary?.metadata.parts);
      }
    }
  });
});
