import { act, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { saveTokens } from '../../../../src/api/tokens.ts';
import { ListPage } from '../../../../src/screens/list/ListPage.tsx';
import { json, startFakeServer } from '../../api/fakeServer.ts';
import { alert } from '../board/boardServer.ts';

let server: ReturnType<typeof startFakeServer>;

beforeEach(() => {
  localStorage.clear();
  server = startFakeServer();
  saveTokens(server.signedIn());
  server.answers.set('responses/', () => json(200, { responses: [], reports: [], total: 0, latest: null }));
  server.answers.set('disruptions/', () => json(200, { events: [alert('a')], total: 1, next_cursor: null }));
  server.answers.set('geocode/search', () => json(200, { results: [], attribution: '' }));
  history.replaceState(null, '', '/disruptions/list?near=Leeds');
});
afterEach(() => vi.unstubAllGlobals());

it('is counted only once the place is known; no answer is no unknown place', async () => {
  const places = server.hold('geocode/search', 'GET');
  render(<ListPage />);
  expect(await screen.findByText('Looking for “Leeds”...')).toBeTruthy();
  expect(screen.queryByText(/of 1 shown/)).toBeNull();
  await vi.waitFor(() => expect(places).toHaveLength(1));
  server.answers.set('geocode/search', () => json(200, { results: [], attribution: '' }));
  server.lines.set('geocode/search', 'cut');
  fireEvent.change(screen.getByDisplayValue('Leeds'), { target: { value: 'York' } });
  expect(await screen.findByText('“York” cannot be looked up now.')).toBeTruthy();
  expect(screen.queryByText(/No place is known/)).toBeNull();

  server.lines.clear();
  await act(async () => screen.getByRole('button', { name: 'Try again' }).click());
  expect(await screen.findByText('No place is known as “York”.')).toBeTruthy();
});

it('counts nothing before there is an answer about what ended', async () => {
  history.replaceState(null, '', '/disruptions/list');
  render(<ListPage />);
  expect(await screen.findByText('1 of 1 shown')).toBeTruthy();
  const lists = server.hold('disruptions/', 'GET');
  fireEvent.click(screen.getByRole('radio', { name: 'Ended today' }));
  await vi.waitFor(() => expect(lists).toHaveLength(1));
  expect(screen.queryByText(/shown/)).toBeNull();
  await act(async () => lists[0]!());
  expect(await screen.findByText('1 of 1 shown')).toBeTruthy();
});

it('says that only kept alerts were searched, while the server has not answered about all', async () => {
  history.replaceState(null, '', '/disruptions/list?severity=high');
  const found = alert('h', { severity: 'high' });
  let isDown = true;
  server.answers.set('disruptions/', ({ query }) => {
    if (!query.has('severity')) return json(200, { events: [alert('a')], total: 3000, next_cursor: null });
    return isDown ? json(503, {}) : json(200, { events: [found], total: 1, next_cursor: null });
  });
  render(<ListPage />);
  expect(await screen.findByText(/^Only the .* were searched\.$/)).toBeTruthy();
  isDown = false;
  await act(async () => void window.dispatchEvent(new Event('online')));
  expect(await screen.findByText(/Title of h/)).toBeTruthy();
  expect(screen.queryByText(/were searched/)).toBeNull();
  // An answer about all alerts still counts when it is a refresh old.
  isDown = true;
  const narrow = () => server.calls.filter(({ query }) => query.has('severity')).length;
  const before = narrow();
  await act(async () => void window.dispatchEvent(new Event('online')));
  await vi.waitFor(() => expect(narrow()).toBeGreaterThan(before));
  await act(async () => new Promise((resolve) => setTimeout(resolve)));
  expect(screen.queryByText(/were searched/)).toBeNull();
});
