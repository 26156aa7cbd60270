import { act, cleanup, render, screen, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { noResponse } from '#contract/responses.ts';
import { saveTokens } from '../../../src/api/tokens.ts';
import { adopt } from '../../../src/pairing/displayCredential.ts';
import { useSession } from '../../../src/session/session.ts';
import { routePages } from '../../../src/wall/routePages.ts';
import { WallPage } from '../../../src/wall/WallPage.tsx';
import type { RouteLine } from '../../../src/watches/myRoutes.ts';
import { alert, minutesBefore, row, source, START, startBoardServer } from '../board/boardServer.ts';
import { ANNA, json } from '../api/fakeServer.ts';
import { forgetEverything } from '../offline/fakeStorage.ts';

const MINUTE = 60_000;
const TOUCH = { subject: 'disruption', subject_id: 'a', level: 'certain', why: '', from_km: 1, to_km: 2 };
const watch = (name: string, fields = {}) => ({
  id: name,
  kind: 'route',
  name,
  length_km: 100,
  sources: ['national-highways'],
  departures: [],
  matches: [],
  ...fields,
});

let server: ReturnType<typeof startBoardServer>;
let watches: object[];
let sources: object[];
let asked: string[];

beforeEach(() => {
  localStorage.clear();
  dispatchEvent(new StorageEvent('storage', { key: null }));
  forgetEverything();
  vi.useFakeTimers();
  vi.setSystemTime(START);
  server = startBoardServer();
  server.rows = [row('roads-uk', [alert('a', { severity: 'critical' })])];
  watches = [watch('York to Bristol'), watch('Leeds to Hull', { matches: [TOUCH] }), watch('Cardiff')];
  sources = [source('national-highways')];
  asked = [];
  for (const path of ['watches/', 'displays/me/routes']) {
    server.server.answers.set(path, () => {
      asked.push(path);
      const date = { date: new Date().toUTCString() };
      const incidents = [alert('a', { severity: 'critical' })];
      return json(200, { watches, incidents, events: [], sources, total: 3, behind_since: null }, date);
    });
  }
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

async function openWall() {
  const tokens = server.server.signedIn();
  saveTokens(tokens);
  useSession.setState({ status: 'signedIn', user: { ...ANNA, is_active: true } as never, offline: false });
  render(<WallPage />);
  await pass(100);
}
const line = () => screen.queryByRole('region', { name: /^My routes/ });
const entries = () =>
  within(line()!)
    .getAllByRole('listitem')
    .map(({ textContent }) => textContent?.replaceAll(/\s+/g, ' '));

describe('my routes on a wall', () => {
  it('shows a signed-in user those of the team, worst first, and asks again with the board', async () => {
    await openWall();
    expect(entries()).toEqual(['Leeds to Hull Critical1 disruption', 'Cardiffand 1 more clear']);
    expect(within(line()!).queryByRole('link')).toBeNull();

    watches = [watch('Cardiff')];
    await pass(MINUTE + 5000);
    expect(entries()).toEqual(['Cardiffclear']);
    expect(new Set(asked)).toEqual(new Set(['watches/']));
  });

  it('shows a paired display those that it was given', async () => {
    const { access_token, refresh_token } = server.server.signedIn();
    useSession.setState({ status: 'signedOut', user: null, offline: false });
    adopt({ access_token, refresh_token });
    render(<WallPage />);
    await pass(100);
    expect(entries()[0]).toContain('Leeds to Hull');
    expect(new Set(asked)).toEqual(new Set(['displays/me/routes']));
  });

  it('leaves its place to the feeds where there are none', async () => {
    watches = [];
    await openWall();
    expect(asked).not.toEqual([]);
    expect(line()).toBeNull();
  });

  it('says of a route how much is snoozed there, and does not call it clear by that', async () => {
    const state = {
      ...noResponse('a'),
      snooze: { until: '2026-11-21T13:00:00.000Z', change: false, by: null, at: null, critical: true },
    };
    server.server.answers.set('responses/', () =>
      json(200, { responses: [state], reports: [] }, { date: new Date().toUTCString() }),
    );
    await openWall();
    expect(entries()[0]).toBe('Leeds to Hull1 snoozed');
  });

  it('calls nothing clear whose source is not heard', async () => {
    watches = watches.slice(1);
    sources = [source('national-highways', { freshness: 'stale', last_collected: minutesBefore(40) })];
    await openWall();
    expect(entries()).toEqual(['Leeds to Hull Critical1 disruption', 'Cardiffdo not rely on this']);
  });

  it('says as of when an old answer was, and that routes were clear then', async () => {
    await openWall();
    server.server.line = 'cut';
    await pass(4 * MINUTE);
    expect(screen.getByRole('heading', { name: 'My routes, 11:59' })).toBeTruthy();
    expect(line()!.dataset['fresh']).toBe('stale');
    expect(entries()).toEqual(['Leeds to Hull Critical1 disruption', 'Cardiffand 1 more were clear']);
  });
});

describe('the line', () => {
  const route = (name: string, isClear = false): RouteLine => ({
    id: name,
    name,
    grades: [],
    words: isClear ? 'clear' : '1 disruption',
    isClear,
  });
  const shown = (lines: RouteLine[], width = 1336) =>
    routePages(lines, { width, were: false }).map((page) =>
      page.map(({ name, words }) => `${name} ${words}`.trim()),
    );

  it('turns pages where those that are not clear do not fit', () => {
    const many = Array.from({ length: 7 }, (_, index) => route(`Leeds to Newcastle, ${index + 1}`));
    const pages = shown(many);
    expect(pages.length).toBeGreaterThan(1);
    expect(pages.flat()).toEqual(many.map(({ name }) => `${name} 1 disruption`));
  });

  it('counts clear routes alone where their name does not fit', () => {
    const lines = [route('Leeds to Hull'), route('York to Bristol', true), route('Cardiff', true)];
    expect(shown(lines, 1000)).toEqual([['Leeds to Hull 1 disruption', 'York to Bristol and 1 more clear']]);
    expect(shown(lines, 600)).toEqual([['Leeds to Hull 1 disruption', '2 clear']]);
  });

  it('shortens a long name by whole words, and one word by letters', () => {
    const [[long]] = shown([route('Coach 4711 London Victoria coach station to Brighton seafront')]) as [
      [string],
    ];
    expect(long).toMatch(/^Coach 4711 London Victoria coach( station)?… 1 disruption$/);
    expect(shown([route('x'.repeat(90))])[0]![0]).toMatch(/^x{10,40}… 1 disruption$/);
  });
});
