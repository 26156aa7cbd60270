import { PLACE_QUERY_MAX } from '#contract/places/geocode.ts';
import { act, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Place } from '../../../../src/api/places/geocode.ts';
import { LocationSearch } from '../../../../src/screens/map/LocationSearch.tsx';
import { json, startFakeServer } from '../../api/fakeServer.ts';

const place = (label: string) => ({ label, latitude: 53.8, longitude: -1.55, type: 'city' });
const PLACES: Record<string, ReturnType<typeof place>[]> = {
  le: [place('Leeds'), place('Leicester'), place('Lewes')],
  leeds: [place('Leeds')],
  zzz: [],
};

let server: ReturnType<typeof startFakeServer>;
let picked: string[];

beforeEach(() => {
  vi.useFakeTimers();
  localStorage.clear();
  server = startFakeServer();
  localStorage.setItem('access_token', server.signedIn().access_token);
  server.answers.set('geocode/search', ({ query }) =>
    json(200, { results: PLACES[query.get('query')!.toLowerCase()] ?? [], attribution: 'Places by us' }),
  );
  picked = [];
  render(
    <LocationSearch
      onPick={({ label }: Place) => picked.push(label)}
      onAttribution={(words) => picked.push(`by ${words}`)}
    />,
  );
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const box = () => screen.getByRole<HTMLInputElement>('combobox', { name: 'Location' });
const type = (value: string) => fireEvent.change(box(), { target: { value } });
const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
const options = () => screen.queryAllByRole('option').map(({ textContent }) => textContent?.split(' ')[0]);
const press = (key: string) => fireEvent.keyDown(box(), { key });
const chosen = () => document.getElementById(box().getAttribute('aria-activedescendant') ?? '')?.textContent;
const search = async () => {
  fireEvent.submit(box().form!);
  await pass(0);
};

it('asks only after a pause of 400 ms, and for two letters or more', async () => {
  expect(box().placeholder).toBe('Enter town or postcode');
  type('l');
  await pass(1000);
  type('le');
  await pass(399);
  expect(server.calls).toEqual([]);
  type('lee');
  type('le');
  await pass(399);
  expect(server.calls).toEqual([]);
  await pass(1);
  expect(server.callsTo('geocode/search').map(({ query }) => query.get('query'))).toEqual(['le']);
  expect(options()).toEqual(['Leeds', 'Leicester', 'Lewes']);
  expect(box().getAttribute('aria-expanded')).toBe('true');
  expect(screen.getByText('Places by us')).toBeTruthy();
  expect(picked).toEqual(['by Places by us']);
});

it('accepts no longer text than the server does', () => {
  expect(box().maxLength).toBe(PLACE_QUERY_MAX);
});

it('works by keyboard: down, up, round, Enter and Escape', async () => {
  type('le');
  await pass(400);
  expect(chosen()).toBeUndefined();
  press('ArrowDown');
  expect(chosen()).toMatch(/^Leeds/);
  press('ArrowUp');
  expect(chosen()).toBeUndefined();
  press('ArrowUp');
  expect(chosen()).toMatch(/^Lewes/);
  press('Escape');
  expect(box().getAttribute('aria-expanded')).toBe('false');
  press('ArrowDown');
  press('ArrowDown');
  press('Enter');
  expect(picked.at(-1)).toBe('Leicester');
  expect(box().value).toBe('Leicester');
  expect(box().getAttribute('aria-expanded')).toBe('false');
  await pass(1000);
  expect(server.calls).toHaveLength(1); // its own words are no question
  press('Escape');
  expect(box().value).toBe('');
});

it('picks by a click', async () => {
  type('le');
  await pass(400);
  fireEvent.click(screen.getByRole('option', { name: /Lewes/ }));
  expect(picked.at(-1)).toBe('Lewes');
});

it('Search picks the only suggestion, at once, and shows several', async () => {
  type('leeds');
  await search();
  expect(picked.at(-1)).toBe('Leeds');

  type('le');
  await search();
  expect(picked.at(-1)).not.toBe('Leicester');
  expect(options()).toHaveLength(3);

  type('zzz');
  await search();
  expect(screen.getByText('No place found for “zzz”')).toBeTruthy();

  const before = server.calls.length;
  type('l');
  await search();
  expect(server.calls).toHaveLength(before);
});

it('is cleared by its button', async () => {
  type('le');
  await pass(400);
  fireEvent.click(screen.getByRole('button', { name: 'Clear' }));
  expect(box().value).toBe('');
  expect(options()).toEqual([]);
  expect(document.activeElement).toBe(box());
});

it('says when places cannot be fetched, and drops outdated answers', async () => {
  server.line = 'cut';
  type('le');
  await pass(400);
  expect(screen.getByText('Unable to fetch locations')).toBeTruthy();

  server.line = 'good';
  await search();
  expect(screen.queryByText('Unable to fetch locations')).toBeNull();
  expect(options()).toHaveLength(3);

  let answerLe = () => {};
  server.answers.set('geocode/search', ({ query }) =>
    query.get('query') === 'le'
      ? new Promise((resolve) => {
          answerLe = () => resolve(json(200, { results: PLACES['le'] }));
        })
      : json(200, { results: PLACES['leeds'] }),
  );
  type('lee');
  type('le');
  await pass(400);
  type('leeds');
  await pass(400);
  answerLe();
  await pass(0);
  expect(options()).toEqual(['Leeds']);
});
