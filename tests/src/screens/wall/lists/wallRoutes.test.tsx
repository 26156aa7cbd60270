import { act, cleanup, render, screen, within } from '@testing-library/react';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { noResponse } from '#contract/shift/responses.ts';
import { saveTokens } from '../../../../../src/api/tokens.ts';
import { adopt } from '../../../../../src/screens/wall/pairing/displayCredential.ts';
import { useSession } from '../../../../../src/session/session.ts';
import { loadPlaylist } from '../../../../../src/screens/wall/playlist/playlistCode.ts';
import { WallPage } from '../../../../../src/screens/wall/WallPage.tsx';
import { alert, minutesBefore, row, source, START, startBoardServer } from '../../board/boardServer.ts';
import { ANNA, json } from '../../../api/fakeServer.ts';
import { forgetEverything } from '../../../offline/fakeStorage.ts';

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

beforeAll(async () => void (await loadPlaylist()));
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
const line = () => screen.queryByRole('region', { name: /^Our routes/ });
/** Routes as drawn, and as read out: every one with its state. */
const drawn = () => [...line()!.querySelectorAll('ul[aria-hidden] > li')].map(textOf);
const entries = () => within(line()!).getAllByRole('listitem').map(textOf);
const textOf = ({ textContent }: Element) => textContent?.replaceAll(/\s+/g, ' ').trim();

describe('our routes on a wall', () => {
  it('shows a signed-in user those of the team, worst first, and asks again with the board', async () => {
    await openWall();
    expect(drawn()).toEqual(['CriticalLeeds to Hull', '2 clear clear']);
    expect(entries()).toEqual([
      'Leeds to Hull: critical, 1 disruption now.',
      'Cardiff: clear now.',
      'York to Bristol: clear now.',
    ]);
    expect(within(line()!).queryByRole('link')).toBeNull();
  });

  it('leaves out whole feeds, because nothing touches them', async () => {
    watches = [watch('Everything', { kind: 'feeds', matches: [TOUCH] }), watch('Cardiff')];
    await openWall();
    expect(entries()).toEqual(['Cardiff: clear now.']);

    watches = [watch('Cardiff')];
    await pass(MINUTE + 5000);
    expect(entries()).toEqual(['Cardiff: clear now.']);
    expect(new Set(asked)).toEqual(new Set(['watches/']));
  });

  it('shows a paired display its own routes', async () => {
    const { access_token, refresh_token } = server.server.signedIn();
    useSession.setState({ status: 'signedOut', user: null, offline: false });
    adopt({ access_token, refresh_token });
    render(<WallPage />);
    await pass(100);
    expect(entries()[0]).toContain('Leeds to Hull');
    expect(new Set(asked)).toEqual(new Set(['displays/me/routes']));
  });

  it('leaves its place to the feeds if there are no routes', async () => {
    watches = [];
    await openWall();
    expect(asked).not.toEqual([]);
    expect(line()).toBeNull();
  });

  it('says how much is snoozed on a route, and does not call it clear because of that', async () => {
    const state = {
      ...noResponse('a'),
      snooze: { until: '2026-11-21T13:00:00.000Z', change: false, by: null, at: null, critical: true },
    };
    server.server.answers.set('responses/', () =>
      json(200, { responses: [state], reports: [] }, { date: new Date().toUTCString() }),
    );
    await openWall();
    expect(entries()[0]).toBe('Leeds to Hull: 1 snoozed.');
    expect(drawn()).toEqual(['1 cannot be said cannot say', '2 clear clear']);
  });

  it('calls nothing clear if its source is not heard', async () => {
    watches = watches.slice(1);
    sources = [source('national-highways', { freshness: 'stale', last_collected: minutesBefore(40) })];
    await openWall();
    expect(drawn()).toEqual(['CriticalLeeds to Hull', '1 cannot be said cannot say']);
    expect(entries()).toEqual([
      'Leeds to Hull: critical, 1 disruption now.',
      'Cardiff: do not rely on this.',
    ]);
  });

  it('gives the time of an old answer, and says that routes were clear then', async () => {
    await openWall();
    server.server.line = 'cut';
    await pass(4 * MINUTE);
    expect(screen.getByRole('heading', { name: 'Our routes, 11:59' })).toBeTruthy();
    expect(line()!.dataset['fresh']).toBe('stale');
    expect(drawn()).toEqual(['CriticalLeeds to Hull', '2 clear were clear']);
  });
});

describe('more than fit', () => {
  it('give up their third name for the words of the counts, which need more than a symbol', async () => {
    const slow = { ...TOUCH, level: 'possible' };
    watches = [
      ...['Bath', 'Hull to Leeds', 'Perth to Inverness and Wick'].map((name) =>
        watch(name, { matches: [TOUCH] }),
      ),
      watch('Sheffield', { matches: [slow] }),
      watch('Truro', { sources: ['traffic-wales'] }),
      watch('Cardiff'),
    ];
    sources = [source('national-highways'), source('traffic-wales', { freshness: 'stale' })];
    await openWall();
    expect(drawn()).toEqual([
      'CriticalBath',
      'CriticalHull to Leeds',
      '1 Critical more',
      '1 possible trouble possible',
      '1 cannot be said cannot say',
      '1 clear clear',
    ]);
  });

  it('are a number, so that the sum is all of them', async () => {
    watches = Array.from({ length: 12 }, (_, index) =>
      watch(`Leeds to Newcastle upon Tyne, ${index}`, { matches: [TOUCH] }),
    );
    await openWall();
    const named = drawn().filter((text) => text?.includes('Leeds')).length;
    expect(named).toBeGreaterThan(1);
    expect(drawn().at(-1)).toBe(`${12 - named} Critical more`);
    expect(entries()).toHaveLength(12);
  });
});
