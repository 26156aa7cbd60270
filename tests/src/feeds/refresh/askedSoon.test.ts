/** Times at which it is asked: after a change, after failures, and on a clock that is set back. On a simulated
 *  clock. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import {
  type Manner,
  type Progress,
  SOON_MS,
  startRefreshing,
} from '../../../../src/feeds/refresh/refreshSchedule.ts';

type Answer = 'whole' | 'partial' | 'lost';

let stop: () => void;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  stop();
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** `gaps`: seconds from the start of each ask to the next. `takes`: how long an answer takes, in seconds. */
function ask(
  answerOf: (count: number) => Answer,
  {
    manner = 'attended',
    whileHidden = true,
    takes = 0,
  }: { manner?: Manner; whileHidden?: boolean; takes?: number } = {},
) {
  const at: number[] = [];
  const told: Partial<Progress>[] = [];
  let last: Answer = 'whole';
  const run = startRefreshing(
    async () => {
      last = answerOf(at.push(Date.now()));
      const answer = last;
      if (takes > 0) await new Promise((resolve) => setTimeout(resolve, takes * 1000));
      return answer !== 'lost';
    },
    (progress) => told.push(progress),
    manner,
    { whileHidden, isPartial: () => last === 'partial' },
  );
  stop = run.stop;
  const gaps = () => at.slice(1).map((time, index) => Math.round((time - at[index]!) / 1000));
  return { gaps, told, count: () => at.length, ...run };
}

const backOnline = () => window.dispatchEvent(new Event('online'));
const shown = (state: DocumentVisibilityState) => {
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue(state);
  document.dispatchEvent(new Event('visibilitychange'));
};

const SOON = SOON_MS.map((ms) => ms / 1000);

it('asks again soon for an incomplete answer, less and less often, and then as usual', async () => {
  const { gaps } = ask(() => 'partial');
  await vi.advanceTimersByTimeAsync(200_000);
  expect(gaps().slice(0, 7)).toEqual([...SOON, 60, 60]);
});

it('asks as usual once the answer is whole', async () => {
  const { gaps } = ask((count) => (count <= 2 ? 'partial' : 'whole'));
  await vi.advanceTimersByTimeAsync(130_000);
  expect(gaps()).toEqual([SOON[0], SOON[1], 60, 60]);
});

it('asks again soon when the answer after a change was lost', async () => {
  const { gaps, renew } = ask((count) => (count === 1 ? 'whole' : count <= 4 ? 'lost' : 'whole'));
  await vi.advanceTimersByTimeAsync(10_000);
  await renew();
  await vi.advanceTimersByTimeAsync(80_000);
  expect(gaps()).toEqual([10, SOON[0], SOON[1], SOON[2], 60]);
});

it('hurries again after the next change', async () => {
  const { gaps, renew } = ask(() => 'partial');
  await vi.advanceTimersByTimeAsync(100_000);
  const before = gaps().length;
  await renew();
  await vi.advanceTimersByTimeAsync(4000);
  expect(gaps().slice(before + 1)).toEqual([SOON[0], SOON[1]]);
});

it('does not hurry after a failure that has nothing to do with the last change', async () => {
  vi.spyOn(Math, 'random').mockReturnValue(0);
  const { gaps, renew } = ask((count) => (count === 3 ? 'lost' : 'whole'));
  await renew();
  await vi.advanceTimersByTimeAsync(150_000);
  expect(gaps()).toEqual([0, 60, 20, 60]);
});

it('hurries as at first if an answer was whole in between', async () => {
  const { gaps } = ask((count) => (count === 3 ? 'whole' : 'partial'));
  await vi.advanceTimersByTimeAsync(65_000);
  expect(gaps()).toEqual([SOON[0], SOON[1], 60, SOON[0]]);
});

it('asks at once when the clock was set back, and each minute from then on', async () => {
  const { gaps, count } = ask(() => 'whole');
  await vi.advanceTimersByTimeAsync(30_000);
  vi.setSystemTime(Date.now() - 3_600_000);
  await vi.advanceTimersByTimeAsync(1000);
  expect(count()).toBe(2);
  await vi.advanceTimersByTimeAsync(120_000);
  expect(gaps().slice(1)).toEqual([60, 60]);
});

it('waits longer with each failure while somebody watches, a quarter of a minute at least', async () => {
  vi.spyOn(Math, 'random').mockReturnValue(0);
  const quick = ask((count) => (count === 1 || count === 6 ? 'whole' : 'lost'));
  await vi.advanceTimersByTimeAsync(350_000);
  expect(quick.gaps()).toEqual([60, 20, 40, 60, 60, 60, 20]);
  stop();
  const slow = ask(() => 'lost', { takes: 15 });
  await vi.advanceTimersByTimeAsync(15_000);
  expect(slow.told.at(-1)).toEqual({ refreshing: false, nextTryAt: Date.now() + 15_000 });
});

it('takes a second of its own at its first failure if nobody is watching, and keeps it', async () => {
  const random = vi.spyOn(Math, 'random').mockReturnValue(0.5);
  const { gaps } = ask((count) => (count === 1 ? 'whole' : 'lost'), { manner: 'unattended' });
  await vi.advanceTimersByTimeAsync(60_000);
  random.mockReturnValue(0.9);
  await vi.advanceTimersByTimeAsync(160_000);
  expect(gaps()).toEqual([60, 33, 60, 60]);
  stop();
  // The page waits for an answer that took longer than a minute, and five seconds more.
  const slow = ask(() => 'lost', { manner: 'unattended', takes: 70 });
  await vi.advanceTimersByTimeAsync(70_000 + 5000 + 0.9 * 55_000 + 70_000);
  expect(slow.told.at(-1)).toEqual({ refreshing: false, nextTryAt: Date.now() + 5000 });
});

it('asks at once when the network is back, if somebody is watching', async () => {
  const wall = ask(() => 'whole', { manner: 'unattended' });
  await vi.advanceTimersByTimeAsync(10_000);
  backOnline();
  await vi.advanceTimersByTimeAsync(0);
  expect(wall.count()).toBe(1);
  stop();
  const { count } = ask(() => 'whole');
  await vi.advanceTimersByTimeAsync(10_000);
  backOnline();
  await vi.advanceTimersByTimeAsync(0);
  expect(count()).toBe(2);
});

it('does not ask again for a network that was back before an answer that came', async () => {
  vi.spyOn(Math, 'random').mockReturnValue(0);
  const { gaps } = ask((count) => (count === 2 ? 'lost' : 'whole'), { takes: 1 });
  backOnline();
  await vi.advanceTimersByTimeAsync(85_000);
  expect(gaps()).toEqual([60, 20]);
});

it('waits until its page is seen', async () => {
  const { count } = ask(() => 'whole', { whileHidden: false });
  shown('hidden');
  await vi.advanceTimersByTimeAsync(180_000);
  expect(count()).toBe(1);
  shown('visible');
  expect(count()).toBe(2);
  stop();
  shown('hidden');
  const wall = ask(() => 'whole', { manner: 'unattended' });
  await vi.advanceTimersByTimeAsync(60_000);
  expect(wall.count()).toBe(2);
});

it('is silent once it was stopped', async () => {
  for (const ms of [500, 2000]) {
    const { count, told, refresh } = ask(() => 'whole', { takes: 1 });
    await vi.advanceTimersByTimeAsync(ms);
    stop();
    const before = told.length;
    await vi.advanceTimersByTimeAsync(180_000);
    backOnline();
    shown('visible');
    refresh();
    expect([count(), told.length]).toEqual([1, before]);
  }
});

it('tries once before its time when another request was answered, and keeps its times', async () => {
  vi.spyOn(Math, 'random').mockReturnValue(5 / 11); // 30 s after the failure
  const { gaps, count, tryEarly } = ask((at) => (at === 4 ? 'whole' : 'lost'), { manner: 'unattended' });
  await vi.advanceTimersByTimeAsync(40_000);
  for (let answer = 0; answer < 3; answer += 1) {
    tryEarly();
    await vi.advanceTimersByTimeAsync(1000);
  }
  expect(count()).toBe(3);
  await vi.advanceTimersByTimeAsync(77_000);
  tryEarly();
  await vi.advanceTimersByTimeAsync(43_000);
  expect(gaps()).toEqual([30, 10, 50, 60]);
  stop();
  vi.spyOn(Math, 'random').mockReturnValue(0);
  // Somebody who is watching has retries of their own.
  const page = ask(() => 'lost');
  await vi.advanceTimersByTimeAsync(1000);
  page.tryEarly();
  expect(page.count()).toBe(1);
});
