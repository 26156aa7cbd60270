/** After a change, and while an answer is not yet whole, on a simulated clock. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { SOON_MS, startRefreshing } from '../../../../src/feeds/refresh/refreshSchedule.ts';

type Answer = 'whole' | 'partial' | 'lost';

let stop: () => void;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  stop();
  vi.useRealTimers();
});

/** Seconds from the start of each ask to the next. */
function ask(answerOf: (count: number) => Answer) {
  const at: number[] = [];
  let last: Answer = 'whole';
  const run = startRefreshing(
    async () => {
      last = answerOf(at.push(Date.now()));
      return last !== 'lost';
    },
    () => {},
    'attended',
    { isPartial: () => last === 'partial' },
  );
  stop = run.stop;
  const gaps = () => at.slice(1).map((time, index) => Math.round((time - at[index]!) / 1000));
  return { gaps, renew: run.renew };
}

const SOON = SOON_MS.map((ms) => ms / 1000);

it('asks again soon for what is not yet whole, less and less often, and then as usual', async () => {
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
