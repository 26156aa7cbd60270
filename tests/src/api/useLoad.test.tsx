import { act, render, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { Refused } from '../../../src/api/http.ts';
import { useLoad } from '../../../src/api/useLoad.ts';

function Screen({ load }: { load: (signal: AbortSignal) => Promise<string> }) {
  const loaded = useLoad(load, 'Failed to load API keys');
  return (
    <>
      <p>
        {loaded.state} {loaded.state === 'ready' && loaded.data} {loaded.state === 'failed' && loaded.message}
      </p>
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
