import { render, screen, waitFor } from '@testing-library/react';
import { Suspense } from 'react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ErrorBoundary } from '../../../src/app/ErrorBoundary.tsx';
import { lazyPage } from '../../../src/app/lazyPage.tsx';

const gone = () => Promise.reject(new TypeError('Failed to fetch dynamically imported module'));
let reloads = 0;

function open(load: Parameters<typeof lazyPage<'BoardPage'>>[1]) {
  const Page = lazyPage('BoardPage', load);
  return render(
    <ErrorBoundary address="/">
      <Suspense fallback={<p>Loading...</p>}>
        <Page />
      </Suspense>
    </ErrorBoundary>,
  );
}

beforeEach(() => {
  sessionStorage.clear();
  reloads = 0;
  vi.spyOn(location, 'reload').mockImplementation(() => {
    reloads += 1;
  });
  vi.spyOn(console, 'error').mockImplementation(() => {});
});
afterEach(() => vi.restoreAllMocks());

it('loads the app again when a page’s file is gone, but only once', async () => {
  const { unmount } = open(gone);
  await waitFor(() => expect(reloads).toBe(1));
  expect(screen.getByText('Loading...')).toBeTruthy();
  unmount();

  open(gone);
  expect(await screen.findByRole('heading', { name: 'Unexpected Application Error!' })).toBeTruthy();
  expect(reloads).toBe(1);
});

it('may do so again once the page has loaded in between', async () => {
  open(gone).unmount();
  await waitFor(() => expect(reloads).toBe(1));
  const { unmount } = open(async () => ({ BoardPage: () => <p>The board</p> }));
  await screen.findByText('The board');
  unmount();
  open(gone);
  await waitFor(() => expect(reloads).toBe(2));
});

it('never loads the app again in a browser that cannot remember it', async () => {
  const forbid = () => {
    throw new DOMException('Access is denied for this document.', 'SecurityError');
  };
  vi.stubGlobal('sessionStorage', { getItem: forbid, setItem: forbid, removeItem: forbid });
  open(gone);
  expect(await screen.findByRole('heading', { name: 'Unexpected Application Error!' })).toBeTruthy();
  expect(reloads).toBe(0);
  vi.unstubAllGlobals();
});
