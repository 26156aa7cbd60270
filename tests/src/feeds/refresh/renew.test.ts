import { act, renderHook } from '@testing-library/react';
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { Refused, Unreachable, type Reply } from '../../../../src/api/http.ts';
import { SOON_MS } from '../../../../src/feeds/refresh/refreshSchedule.ts';
import { saveSnapshot } from '../../../../src/offline/snapshot.ts';
import { useWatches } from '../../../../src/watches/useWatches.ts';
import { json, startFakeServer } from '../../api/fakeServer.ts';
import { useKept, useRefreshed } from '../../../../src/feeds/refresh/useRefreshed.ts';

interface Asked {
  signal: AbortSignal;
  answer: (
    data: string,
    copyBecause?: Reply<string>['copyBecause'],
    fetchedAt?: Date,
    late?: Reply<string>['late'],
  ) => void;
  fail: (error?: Error) => void;
}

let asked: Asked[];
let hook: { current: ReturnType<typeof useRefreshed<string>> };

beforeEach(() => {
  asked = [];
  const load = (signal: AbortSignal) =>
    new Promise<Reply<string>>((resolve, reject) => {
      asked.push({
        signal,
        answer: (data, copyBecause = null, fetchedAt = new Date(), late) =>
          resolve({ data, copyBecause, fetchedAt, ...(late && { late }) }),
        fail: (error = new Unreachable('No answer')) => reject(error),
      });
    });
  hook = renderHook(() => useRefreshed('a', load)).result;
});

it('shows after a change no answer that was requested before it', async () => {
  await act(async () => asked[0]!.answer('open'));
  act(() => hook.current.refresh());
  let isRenewed = false;
  // The change was sent while that refresh was under way.
  await act(async () => void hook.current.renew().then(() => (isRenewed = true)));
  expect(asked).toHaveLength(3);
  expect(asked[1]!.signal.aborted).toBe(true);
  await act(async () => asked[1]!.answer('open, before the change'));
  expect(hook.current.data).toBe('open');
  expect(isRenewed).toBe(false);
  // A call made after it is still under way.
  expect(hook.current.refreshing).toBe(true);
  act(() => hook.current.refresh());
  expect(asked).toHaveLength(3);
  await act(async () => asked[2]!.answer('ended'));
  expect(hook.current.data).toBe('ended');
  expect(isRenewed).toBe(true);
  expect(hook.current.refreshing).toBe(false);
});

it('shows no copy that comes after it was cancelled', async () => {
  await act(async () => void hook.current.renew());
  await act(async () => asked[0]!.answer('before the change', 'slow'));
  expect(hook.current.data).toBeNull();
});

it('shows no copy that is older than what it shows', async () => {
  const at = new Date('2026-11-23T08:00:00Z');
  await act(async () => asked[0]!.answer('of 08:00', null, at));
  act(() => hook.current.refresh());
  await act(async () => asked[1]!.answer('of 07:59', 'down', new Date(at.getTime() - 60_000)));
  expect([hook.current.data, hook.current.at, hook.current.problem]).toEqual(['of 08:00', at, 'offline']);
  act(() => hook.current.refresh());
  await act(async () => asked[2]!.answer('of 08:01', 'down', new Date(at.getTime() + 60_000)));
  expect(hook.current.data).toBe('of 08:01');
});

it('shows a copy as old as the one on screen, and any copy if nothing is on screen', async () => {
  const at = new Date('2026-11-23T08:00:00Z');
  await act(async () => asked[0]!.answer('first', 'down', at));
  expect(hook.current.data).toBe('first');
  act(() => hook.current.refresh());
  await act(async () => asked[1]!.answer('second', 'down', at));
  expect(hook.current.data).toBe('second');
});

it('shows a refusal, but none that comes after it was cancelled', async () => {
  await act(async () => void hook.current.renew());
  await act(async () => asked[0]!.fail(new Refused(404, 'Gone before the change')));
  expect(hook.current.refused).toBeNull();
  await act(async () => asked[1]!.fail(new Refused(404, 'Gone')));
  expect(hook.current.refused).toBe('Gone');
  act(() => hook.current.refresh());
  await act(async () => asked[2]!.fail());
  expect(hook.current.refused).toBe('Gone');
});

it('shows no answer to a request under another key, during the request or after it', async () => {
  const load = (key: string) => (signal: AbortSignal) =>
    new Promise<Reply<string>>((resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason as Error));
      if (key === 'a') resolve({ data: 'of a', copyBecause: null, fetchedAt: new Date() });
      if (key === 'b') reject(new Unreachable('No answer'));
    });
  const { result, rerender } = renderHook(({ key }) => useRefreshed(key, load(key)), {
    initialProps: { key: 'a' },
  });
  await act(async () => {});
  expect(result.current).toMatchObject({ data: 'of a', problem: null });
  await act(async () => rerender({ key: 'b' }));
  expect(result.current).toMatchObject({ data: null, at: null, problem: 'noAnswer' });
  await act(async () => rerender({ key: 'c' }));
  expect(result.current).toMatchObject({ data: null, problem: null, refreshing: true });
});

it('sends no request if there is nothing to request', () => {
  const load = vi.fn();
  renderHook(() => useRefreshed<string>(null, load));
  expect(load).not.toHaveBeenCalled();
});

it('shows a copy and why, then the late answer, unless something changed meanwhile', async () => {
  let come = (_: Reply<string>) => {};
  const late = () => new Promise<Reply<string>>((resolve) => (come = resolve));
  const whole = (data: string): Reply<string> => ({ data, copyBecause: null, fetchedAt: new Date() });
  await act(async () => asked[0]!.answer('copy', 'slow', new Date(0), late()));
  expect([hook.current.data, hook.current.problem]).toEqual(['copy', 'noAnswer']);
  await act(async () => come(whole('late')));
  expect([hook.current.data, hook.current.problem]).toEqual(['late', null]);

  act(() => hook.current.refresh());
  await act(async () => asked[1]!.answer('copy', 'slow', new Date(0), late()));
  await act(async () => void hook.current.renew());
  await act(async () => come(whole('before the change')));
  expect(hook.current.data).toBe('late');
});

it('promises an end also when there is no answer', async () => {
  let isRenewed = false;
  await act(async () => void hook.current.renew().then(() => (isRenewed = true)));
  await act(async () => asked[1]!.fail());
  expect(isRenewed).toBe(true);
  expect(hook.current.problem).toBe('noAnswer');
});

it('loads what it needs once until there is an answer, then only by hand', async () => {
  const MINUTE = 60_000;
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const load = vi.fn<() => Promise<Reply<string>>>().mockRejectedValueOnce(new Unreachable('No answer'));
  load.mockResolvedValue({ data: 'open', copyBecause: null, fetchedAt: new Date() });
  const { result } = renderHook(() => useRefreshed('a', load, 'once'));
  await act(() => vi.advanceTimersByTimeAsync(MINUTE));
  expect([result.current.data, load.mock.calls.length]).toEqual(['open', 2]);
  await act(() => vi.advanceTimersByTimeAsync(10 * MINUTE));
  act(() => void window.dispatchEvent(new Event('online')));
  expect(load).toHaveBeenCalledTimes(2);
  await act(async () => result.current.refresh());
  expect(load).toHaveBeenCalledTimes(3);
  // That it is gone is an answer; that there are too many requests is none.
  const asking = (status: number) => vi.fn(() => Promise.reject(new Refused(status, 'No')));
  const [gone, busy] = [asking(404), asking(429)];
  for (const refused of [gone, busy]) renderHook(() => useRefreshed('a', refused, 'once'));
  const shown = asking(404);
  renderHook(() => useRefreshed('a', shown));
  await act(() => vi.advanceTimersByTimeAsync(MINUTE));
  expect(gone).toHaveBeenCalledOnce();
  for (const again of [busy, shown]) expect(again.mock.calls.length).toBeGreaterThan(1);
});

it('keeps its newest answer on this device, and gives the kept one under its own name alone', async () => {
  localStorage.setItem('clearway_scope', 'anna');
  onTestFinished(() => localStorage.clear());
  const at = new Date('2026-11-28T08:00:00Z');
  const read = (stored: unknown) => (typeof stored === 'string' ? stored : null);
  const use = (name: string | null, data: string | null) =>
    renderHook(
      (props) => useKept(props.name, { data: props.data, at: props.data === null ? null : at }, read),
      {
        initialProps: { name, data },
      },
    );
  await act(async () => void use('routes', 'three routes'));
  await saveSnapshot('torn', 7, at);
  const { result, rerender } = use('routes', null);
  await act(async () => {});
  expect(result.current).toEqual({ data: 'three routes', at });
  for (const name of ['torn', 'unknown', null]) {
    await act(async () => rerender({ name, data: null }));
    expect(result.current).toBeNull();
  }
  // Its name changes while the storage is read: what is found is of another page.
  await act(async () => {
    rerender({ name: 'routes', data: null });
    rerender({ name: 'unknown', data: null });
  });
  expect(result.current).toBeNull();
});

it('asks soon while one of the routes is being checked, and shows the kept ones if there is no answer', async () => {
  const server = startFakeServer();
  onTestFinished(() => void vi.unstubAllGlobals());
  onTestFinished(() => localStorage.clear());
  for (const [name, value] of Object.entries({ ...server.signedIn(), clearway_scope: 'anna' }))
    if (typeof value === 'string') localStorage.setItem(name, value);
  const listed = (id: string, checking: boolean) => ({ id, kind: 'route', name: id, checking, matches: [] });
  const watches = [listed('leeds', false), listed('bath', true)];
  const list = { watches, incidents: [], events: [], sources: [], behind_since: null };
  server.answers.set('watches/', () => json(200, list));
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const names = (of: { data: { watches: readonly { name: string }[] } | null }) =>
    of.data?.watches.map(({ name }) => name);
  const first = renderHook(() => useWatches());
  await act(() => vi.advanceTimersByTimeAsync(SOON_MS[0]));
  expect(names(first.result.current)).toEqual(['leeds', 'bath']);
  expect(server.callsTo('watches/')).toHaveLength(2);
  first.unmount();

  server.line = 'cut';
  const second = renderHook(() => useWatches());
  await act(() => vi.advanceTimersByTimeAsync(0));
  expect(names(second.result.current)).toEqual(['leeds', 'bath']);
  expect(second.result.current.problem).toBe('offline');
});

it('asks again soon while its answer is not complete', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const answers = ['checking', 'checking', 'matched'];
  const load = vi.fn(async () => ({ data: answers.shift()!, copyBecause: null, fetchedAt: new Date() }));
  const { result } = renderHook(() => useRefreshed('a', load, 'attended', (data) => data === 'checking'));
  await act(() => vi.advanceTimersByTimeAsync(SOON_MS[0] + SOON_MS[1]));
  expect([result.current.data, load.mock.calls.length]).toEqual(['matched', 3]);
  await act(() => vi.advanceTimersByTimeAsync(30_000));
  expect(load).toHaveBeenCalledTimes(3);
});

it('asks once, however often it is asked for by hand', async () => {
  act(() => hook.current.refresh());
  act(() => hook.current.refresh());
  expect(asked).toHaveLength(1);
});

it('asks again at once when the network is back during a failed refresh, and not after a good one', async () => {
  window.dispatchEvent(new Event('online'));
  await act(async () => asked[0]!.answer('open'));
  expect(asked).toHaveLength(1);
  act(() => hook.current.refresh());
  window.dispatchEvent(new Event('online'));
  await act(async () => asked[1]!.fail());
  expect(asked).toHaveLength(3);
});
