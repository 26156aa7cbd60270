import { act, render, screen } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { Refused, Unreachable } from '../../../src/api/http.ts';
import { useAnswer, useAnswers } from '../../../src/api/useAnswer.ts';
import { useLoad } from '../../../src/api/useLoad.ts';

function Screen({ load, until }: { load: (signal: AbortSignal) => Promise<string>; until?: 'answered' }) {
  const loaded = useLoad(load, 'Failed to load API keys', until && { until });
  return (
    <>
      <p>
        {loaded.state} {loaded.state === 'ready' && loaded.data} {loaded.state === 'failed' && loaded.message}
      </p>
      <p>{loaded.state === 'failed' && `still: ${'data' in loaded ? loaded.data : 'nothing'}`}</p>
      <button type="button" onClick={() => void loaded.reload()}>
        Again
      </button>
    </>
  );
}

it('is loading, then ready', async () => {
  render(<Screen load={async () => 'three keys'} />);
  expect(screen.getByText('loading')).toBeTruthy();
  expect(await screen.findByText('ready three keys')).toBeTruthy();
});

it.each([
  [new Refused(403, 'Not for you.'), 'failed Not for you.'],
  [new TypeError('x is undefined'), 'failed Failed to load API keys'],
])('fails with %s', async (error, shown) => {
  const load = async () => {
    throw error;
  };
  render(<Screen load={load} />);
  expect(await screen.findByText(shown)).toBeTruthy();
});

it('keeps what it shows while it loads again, and takes only the newest answer', async () => {
  const answers: ((text: string) => void)[] = [];
  render(<Screen load={() => new Promise<string>((resolve) => answers.push(resolve))} />);
  await act(async () => answers[0]!('one'));
  const again = screen.getByRole('button', { name: 'Again' });
  await act(async () => again.click());
  await act(async () => again.click());
  expect(screen.getByText('ready one')).toBeTruthy();
  await act(async () => answers[2]!('three'));
  await act(async () => answers[1]!('two'));
  expect(screen.getByText('ready three')).toBeTruthy();
});

it('shows no failure of an earlier request', async () => {
  const asked: { answer: (text: string) => void; fail: (why: Error) => void }[] = [];
  render(<Screen load={() => new Promise<string>((answer, fail) => asked.push({ answer, fail }))} />);
  await act(async () => screen.getByRole('button', { name: 'Again' }).click());
  await act(async () => asked[0]!.fail(new Refused(403, 'Not for you.')));
  expect(screen.getByText('loading')).toBeTruthy();
  await act(async () => asked[1]!.answer('two'));
  expect(screen.getByText('ready two')).toBeTruthy();
});

it('loads again as it was last drawn, and keeps the old data beside a failure', async () => {
  const failing = async () => Promise.reject(new Refused(403, 'Not for you.'));
  const { rerender } = render(<Screen load={failing} />);
  expect(await screen.findByText('still: nothing')).toBeTruthy();
  const again = async (load: () => Promise<string>) => {
    rerender(<Screen load={load} />);
    await act(async () => screen.getByRole('button', { name: 'Again' }).click());
  };
  await again(async () => 'three keys');
  expect(screen.getByText('ready three keys')).toBeTruthy();
  await again(failing);
  expect(screen.getByText('failed Not for you.')).toBeTruthy();
  expect(screen.getByText('still: three keys')).toBeTruthy();
});

it('aborts its call when the screen goes', () => {
  let signal: AbortSignal | undefined;
  const { unmount } = render(
    <Screen
      load={(given) => {
        signal = given;
        return new Promise(() => {});
      }}
    />,
  );
  unmount();
  expect(signal?.aborted).toBe(true);
});

describe('a page that stands open', () => {
  afterEach(() => vi.useRealTimers());

  const opened = (error: Error, until?: 'answered') => {
    vi.useFakeTimers();
    let asked = 0;
    const load = async () => {
      asked += 1;
      if (asked < 3) throw error;
      return 'three messages';
    };
    render(<Screen load={load} {...(until && { until })} />);
    return () => asked;
  };

  it('asks again while there is no answer, and no more after it', async () => {
    const asked = opened(new Unreachable('No answer'), 'answered');
    for (let time = 0; time < 3; time++) await act(() => vi.advanceTimersByTimeAsync(30_000));
    expect(screen.getByText('ready three messages')).toBeTruthy();
    await act(() => vi.advanceTimersByTimeAsync(120_000));
    expect(asked()).toBe(3);
  });

  it('asks when the network is back', async () => {
    const asked = opened(new Unreachable('No answer'), 'answered');
    await act(() => vi.advanceTimersByTimeAsync(10));
    await act(async () => void window.dispatchEvent(new Event('online')));
    expect(asked()).toBe(2);
  });

  it('does not ask again after a refusal, nor if nobody wants it', async () => {
    const refused = opened(new Refused(403, 'Not for you.'), 'answered');
    const once = opened(new Unreachable('No answer'));
    for (let time = 0; time < 3; time++) await act(() => vi.advanceTimersByTimeAsync(30_000));
    expect([refused(), once()]).toEqual([1, 1]);
  });
});

function Answered({ of, load }: { of: string | null; load: (signal: AbortSignal) => Promise<string> }) {
  const { data, failure, isLoading, last } = useAnswer(of, load, 'Unable to fetch it', { settleMs: 500 });
  return <p>{JSON.stringify({ data, failure, isLoading, last })}</p>;
}

describe('the answer for a key', () => {
  afterEach(() => vi.useRealTimers());

  it('is asked for once the key has settled, and only for the newest key', async () => {
    vi.useFakeTimers();
    const asked: string[] = [];
    const of = (key: string | null) => (
      <Answered
        of={key}
        load={async () => {
          asked.push(key!);
          return `about ${key}`;
        }}
      />
    );
    const { rerender, container } = render(of('Le'));
    await act(() => vi.advanceTimersByTimeAsync(400));
    rerender(of('Leeds'));
    await act(() => vi.advanceTimersByTimeAsync(499));
    expect([asked, container.textContent]).toEqual([[], '{"failure":null,"isLoading":true}']);
    await act(() => vi.advanceTimersByTimeAsync(1));
    expect(asked).toEqual(['Leeds']);
    expect(container.textContent).toBe(
      '{"data":"about Leeds","failure":null,"isLoading":false,"last":"about Leeds"}',
    );
    rerender(of('York'));
    expect(container.textContent).toBe('{"failure":null,"isLoading":true,"last":"about Leeds"}');
    rerender(of(null));
    await act(() => vi.advanceTimersByTimeAsync(1000));
    expect([asked, container.textContent]).toEqual([
      ['Leeds'],
      '{"failure":null,"isLoading":false,"last":"about Leeds"}',
    ]);
  });

  it('says why there is none, and takes nothing of an earlier key', async () => {
    vi.useFakeTimers();
    const asked: { answer: (text: string) => void; fail: (why: Error) => void }[] = [];
    const load = () => new Promise<string>((answer, fail) => asked.push({ answer, fail }));
    const { rerender, container } = render(<Answered of="Leeds" load={load} />);
    await act(() => vi.advanceTimersByTimeAsync(500));
    rerender(<Answered of="York" load={load} />);
    await act(() => vi.advanceTimersByTimeAsync(500));
    await act(async () => asked[0]!.answer('about Leeds'));
    expect(container.textContent).toBe('{"failure":null,"isLoading":true}');
    await act(async () => asked[1]!.fail(new Refused(404, 'Nothing is there.')));
    expect(container.textContent).toBe('{"failure":"Nothing is there.","isLoading":false}');
  });
});

describe('the answers for several keys', () => {
  afterEach(() => vi.useRealTimers());

  it('are asked for once each, one after another, when the keys have settled', async () => {
    vi.useFakeTimers();
    const asked: { key: string; signal: AbortSignal; answer: (words: string) => void }[] = [];
    const load = (key: string, signal: AbortSignal) =>
      new Promise<string>((answer) => void asked.push({ key, signal, answer }));
    function Several({ of }: { of: string[] }) {
      return <p>{JSON.stringify(Object.fromEntries(useAnswers(of, load, 500)))}</p>;
    }
    const next = async (words: string) => {
      await act(async () => asked.at(-1)!.answer(words));
    };
    const keys = () => asked.map(({ key }) => key).join();
    const page = render(<Several of={['Le', 'Hull']} />);
    await act(() => vi.advanceTimersByTimeAsync(499));
    page.rerender(<Several of={['Leeds', 'Hull', 'Leeds']} />);
    await act(() => vi.advanceTimersByTimeAsync(499));
    expect(keys()).toBe('');
    await act(() => vi.advanceTimersByTimeAsync(1));
    expect(keys()).toBe('Leeds');
    await next('M1');
    expect(keys()).toBe('Leeds,Hull'); // without another pause
    await next('M62');
    expect(page.container.textContent).toBe('{"Leeds":"M1","Hull":"M62"}');

    page.rerender(<Several of={['Leeds', 'York', 'Hull']} />);
    await act(() => vi.advanceTimersByTimeAsync(500));
    expect(keys()).toBe('Leeds,Hull,York'); // only what is new
    page.unmount();
    expect(asked.map(({ signal }) => signal.aborted).at(-1)).toBe(true);
  });
});
