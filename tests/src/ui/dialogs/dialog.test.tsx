import { act, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Dialog } from '../../../../src/ui/dialogs/Dialog.tsx';

/** The history as a browser keeps it: the states of its entries, and the present one. */
let entries: unknown[];
let at: number;
/** Moves that the browser has not reported yet. */
let moves: number[];
const go = (steps = 0) => void moves.push(steps);
const back = () => go(-1);
async function settled(): Promise<void> {
  await act(async () => new Promise<void>((done) => requestAnimationFrame(() => done())));
  const steps = moves.shift();
  if (steps === undefined) return;
  at += steps;
  act(() => void dispatchEvent(new PopStateEvent('popstate')));
  await settled();
}

beforeEach(() => {
  [entries, at, moves] = [[null], 0, []];
  vi.spyOn(history, 'state', 'get').mockImplementation(() => entries[at]);
  vi.spyOn(history, 'go').mockImplementation(go);
  vi.spyOn(history, 'pushState').mockImplementation((state) => {
    entries = [...entries.slice(0, ++at), state];
  });
});
afterEach(() => {
  vi.restoreAllMocks();
});

/** Dialogs with these names, each of which is reported when it wants to close. */
const shown = (names: readonly string[], onClose: (name: string) => void = () => {}) =>
  names.map((name) => (
    <Dialog key={name} heading={name} onClose={() => onClose(name)}>
      <input type="file" aria-label={`File of ${name}`} />
    </Dialog>
  ));

it('Back closes only the topmost dialog, and the next Back the one below', async () => {
  const closed: string[] = [];
  const close = (name: string) => {
    closed.push(name);
    rerender(<>{shown(['One', 'Two'].slice(0, 2 - closed.length), close)}</>);
  };
  const { rerender } = render(<>{shown(['One', 'Two'], close)}</>);
  await settled();
  expect(at).toBe(2);
  back();
  await settled();
  expect([closed, at]).toEqual([['Two'], 1]);
  back();
  await settled();
  expect([closed, at]).toEqual([['Two', 'One'], 0]);
});

it('a dialog that is being saved stays, and a second Back asks it again and leaves no page', async () => {
  const asked: string[] = [];
  const { unmount } = render(<>{shown(['One'], (name) => asked.push(name))}</>);
  await settled();
  for (const times of [1, 2]) {
    back();
    await settled();
    expect([asked.length, at]).toEqual([times, 1]);
  }
  unmount();
  await settled();
  expect(at).toBe(0);
});

it('a dialog that is closed by its button takes its own entry away, and closes no other dialog', async () => {
  const asked: string[] = [];
  const close = (name: string) => void asked.push(name);
  const { rerender, unmount } = render(<>{shown(['One', 'Two'], close)}</>);
  await settled();
  rerender(<>{shown(['One'], close)}</>);
  await settled();
  expect([at, asked]).toEqual([1, []]);
  // One that replaces another needs no entry more.
  rerender(<>{shown(['Three'], close)}</>);
  await settled();
  expect([at, asked]).toEqual([1, []]);
  expect(history.go).toHaveBeenCalledTimes(1);
  unmount();
  await settled();
  expect(at).toBe(0);
});

it('two dialogs that close before the browser has gone back take their two entries away', async () => {
  const { rerender, unmount } = render(<>{shown(['One', 'Two'])}</>);
  await settled();
  rerender(<>{shown(['One'])}</>);
  await act(async () => {});
  unmount();
  await settled();
  expect(at).toBe(0);
});

it('a step between two places of the page closes no dialog', async () => {
  const asked: string[] = [];
  const { unmount } = render(<>{shown(['One'], (name) => asked.push(name))}</>);
  await settled();
  go(0);
  await settled();
  expect([at, asked]).toEqual([1, []]);
  unmount();
  await settled();
});

it('a click beside it closes it, and neither a click inside nor a file chooser that was given up', async () => {
  const asked: string[] = [];
  const { unmount } = render(<>{shown(['One'], (name) => asked.push(name))}</>);
  const file = screen.getByLabelText('File of One');
  fireEvent.click(file);
  fireEvent(file, new Event('cancel', { bubbles: true }));
  expect(asked).toEqual([]);
  fireEvent.click(screen.getByRole('dialog'));
  fireEvent(screen.getByRole('dialog'), new Event('cancel', { cancelable: true }));
  expect(asked).toEqual(['One', 'One']);
  unmount();
  await settled();
});
