/** A page on which the clock is the test's. */
import { act, render } from '@testing-library/react';
import { vi } from 'vitest';

export const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

/** Renders the page at its address, with all that it loads later. */
export async function open(address: string, Page: () => React.ReactNode) {
  history.replaceState(null, '', address);
  const view = render(<Page />);
  await pass(500);
  await act(() => vi.dynamicImportSettled());
  await pass(500);
  return view;
}
