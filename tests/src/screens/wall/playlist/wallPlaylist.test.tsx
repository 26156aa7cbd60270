import { act, cleanup, render, screen } from '@testing-library/react';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { adopt } from '../../../../../src/screens/wall/pairing/displayCredential.ts';
import { useSession } from '../../../../../src/session/session.ts';
import { holdFeed } from '../../../../../src/screens/wall/kiosk/remoteControl.ts';
import { useShowing } from '../../../../../src/screens/wall/kiosk/takenLayout.ts';
import { loadPlaylist } from '../../../../../src/screens/wall/playlist/playlistCode.ts';
import { keepOnDisk, putBack } from '../../../../../src/offline/powerCut.ts';
import { watchDeviceClock } from '../../../../../src/time/serverClock.ts';
import { answerAfter } from '../../../offline/fakeStorage.ts';
import { DrawnAs } from '../../../../../src/screens/wall/words/wallMeasures.ts';
import { WallPage } from '../../../../../src/screens/wall/WallPage.tsx';
import { alert, row, source, START, startBoardServer } from '../../board/boardServer.ts';
import { noResponse } from '#contract/shift/responses.ts';
import { json } from '../../../api/fakeServer.ts';
import { forgetEverything } from '../../../offline/fakeStorage.ts';

const MINUTE = 60_000;
let server: ReturnType<typeof startBoardServer>;
let self: {
  rev: number;
  layout: object;
  message: object | null;
  next_messages?: object[];
  tags: string[];
  name: string;
};
const until = (minutes: number) => new Date(Date.now() + minutes * MINUTE).toISOString();

beforeAll(async () => void (await loadPlaylist()));
beforeEach(() => {
  localStorage.clear();
  dispatchEvent(new StorageEvent('storage', { key: null }));
  forgetEverything();
  vi.useFakeTimers();
  vi.setSystemTime(START);
  server = startBoardServer();
  server.rows = [row('roads-uk', [alert('a', { severity: 'critical' })]), row('rail-network', [alert('b')])];
  self = {
    rev: 0,
    layout: {
      id: 'all-feeds',
      name: 'All feeds',
      pin_criticals: true,
      rev: 0,
      pages: [{ type: 'board', dwell_s: 30 }],
    },
    message: null,
    tags: [],
    name: 'Gate',
  };
  const headers = () => ({ date: new Date().toUTCString(), 'x-clearway-display': String(self.rev) });
  server.server.answers.set('feeds/', () =>
    json(200, { feeds: server.rows, total: 2, next_up: [] }, headers()),
  );
  server.server.answers.set('displays/me', () => json(200, self, headers()));
  server.server.answers.set('displays/me/routes', () =>
    json(
      200,
      { watches: [], incidents: [], events: [], sources: [], total: 0, behind_since: null },
      headers(),
    ),
  );
  const { access_token, refresh_token } = server.server.signedIn();
  useSession.setState({ status: 'signedOut', user: null, offline: false });
  adopt({ access_token, refresh_token });
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const lockOf = async () => Object.assign(new EventTarget(), { release: async () => {} });
const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
const shown = () => screen.getByRole('main').textContent;
async function open() {
  const view = render(<WallPage />);
  await pass(200);
  return view;
}
const tally = () =>
  screen.getByRole('list', { name: 'Entries by state' }).textContent.replaceAll('\u00a0', ' ').trim();
const onlyRail = {
  id: 'x',
  name: 'Rail',
  pin_criticals: true,
  rev: 1,
  pages: [{ type: 'board', dwell_s: 30, feeds: ['rail-network'] }],
};

describe('a paired display', () => {
  it('takes a layout with the next answer, and keeps it over a restart without a server', async () => {
    const { unmount } = await open();
    expect(shown()).toContain('UK Roads');
    self = { ...self, rev: 1, layout: onlyRail };
    await pass(MINUTE + 5000);
    expect(shown()).not.toContain('UK Roads');
    expect(shown()).toContain('Rail Network');
    unmount();
    server.cut();
    await open();
    expect(shown()).not.toContain('UK Roads');
  });

  it('has the newest layout after a power cut that the browser’s storage did not survive', async () => {
    const { unmount } = await open();
    const before = localStorage.getItem('clearway_taken');
    self = { ...self, rev: 1, layout: onlyRail };
    await pass(MINUTE + 5000);
    unmount();
    server.cut();
    for (const left of [before, null]) {
      if (left === null) localStorage.removeItem('clearway_taken');
      else localStorage.setItem('clearway_taken', left);
      await putBack('clearway_taken');
      const again = await open();
      expect(shown()).not.toContain('UK Roads');
      again.unmount();
    }
  });

  it('ignores a late answer of the database when the wall has long begun without it', async () => {
    await keepOnDisk('clearway_taken', { scope: 's' });
    localStorage.removeItem('clearway_taken');
    let answer = () => {};
    answerAfter(new Promise<void>((resolve) => (answer = resolve)));
    const putting = putBack('clearway_taken');
    await pass(1000);
    await putting;
    answer();
    answerAfter(undefined);
    await pass(1000);
    expect(localStorage.getItem('clearway_taken')).toBeNull();
  });

  it('asks for its layout once, however many answers name it, and again only for another one', async () => {
    self = { ...self, rev: 1, layout: onlyRail };
    const held = server.server.hold('displays/me', 'GET');
    await open();
    await pass(2000);
    expect(server.callsTo('displays/me')).toHaveLength(1);
    await act(async () => held.shift()!());
    await pass(2 * MINUTE);
    expect(server.callsTo('displays/me')).toHaveLength(1);
  });

  it('keeps no layout that arrives after its wall was left', async () => {
    self = { ...self, rev: 1, layout: onlyRail };
    const held = server.server.hold('displays/me', 'GET');
    const { unmount } = await open();
    await vi.waitFor(() => expect(held).toHaveLength(1));
    unmount();
    held[0]!();
    await pass(1000);
    expect(localStorage.getItem('clearway_taken')).toBeNull();
  });

  it('shows nothing of a layout that this browser took as another display', async () => {
    const other = { scope: 'of another', build: 'dev', self: { ...self, rev: 3, layout: onlyRail } };
    localStorage.setItem('clearway_taken', JSON.stringify(other));
    server.server.hold('displays/me', 'GET');
    await open();
    expect(shown()).toContain('UK Roads');
  });

  it('says since when it shows a page, even when its wall was opened again', async () => {
    const { unmount } = await open();
    const { since } = useShowing.getState().showing!;
    unmount();
    await pass(10_000);
    await open();
    expect(useShowing.getState().showing).toMatchObject({ page: 'board', since });
  });

  it('shows all feeds if its kept layout is damaged, or from another build', async () => {
    localStorage.setItem('clearway_taken', '{"scope":"s","self":{"rev":3,"layout":{"pa');
    await open();
    expect(shown()).toContain('UK Roads');
    self = { ...self, rev: 2, layout: { ...onlyRail, pages: [{ type: 'hologram', dwell_s: 30 }] } };
    await pass(MINUTE + 5000);
    expect(shown()).toContain('UK Roads');
  });

  it('shows a message over the whole screen until its time, without a server too, and then goes back', async () => {
    await open();
    const message = {
      id: 'm',
      text: 'Use gate 2.',
      look: 'critical',
      cover: 'screen',
      at: until(0),
      from: 'Rosa Jones',
      until: until(20),
    };
    const gate = { ...message, id: 'g', text: 'Gate 4 is closed.', cover: 'band', until: until(40) };
    self = { ...self, rev: 1, message, next_messages: [gate] };
    await pass(MINUTE + 5000);
    expect(screen.getByRole('alert').textContent).toContain('Message from Rosa Jones, 11:59');
    expect(screen.getByText('Rosa Jones').tagName).toBe('BDI'); // a name in Arabic leaves the time after it
    expect(screen.getByText(message.text).getAttribute('dir')).toBe('auto'); // Arabic begins at the right
    expect(shown()).toMatch(/Live, last\srefresh\s12:0\d:\d\d/);
    expect(shown()).not.toContain('Rail Network');
    // This layout pins new alerts of its feeds. The board shows criticals that have stood for half an hour.
    expect(shown()).not.toContain('Critical in');
    const isNew = { severity: 'critical', start_time: until(-28) } as const;
    server.rows[0] = row('roads-uk', [alert('a', { severity: 'critical' }), alert('c', isNew)]);
    await pass(MINUTE);
    expect(shown()).toMatch(/Critical in UK RoadsTitle of c/);
    server.cut();
    await pass(MINUTE);
    expect(shown()).toContain('Offline');
    await pass(9 * MINUTE);
    expect(shown()).toContain('Use gate');
    expect(shown()).toMatch(/Offline, 10 minutes, last\srefresh\s12:0\d/);
    expect(shown()).not.toContain('Critical in'); // not new any more
    await pass(10 * MINUTE);
    expect(shown()).not.toContain('Use gate');
    expect(shown()).toMatch(/Gate\s4 is closed/);
    expect(shown()).toContain('UK Roads');
    await pass(20 * MINUTE);
    expect(shown()).not.toMatch(/Gate\s4/);
    expect(shown()).toContain('UK Roads');
  });

  it('keeps a message until its time if the clock of an awake screen is set forward', async () => {
    vi.stubGlobal('navigator', Object.assign(Object.create(navigator), { wakeLock: { request: lockOf } }));
    const stop = watchDeviceClock();
    await open();
    const message = { id: 'm', text: 'Use gate 2.', look: 'high', cover: 'screen', at: until(0) };
    self = { ...self, rev: 1, message: { ...message, from: 'Rosa Jones', until: until(20) } };
    await pass(MINUTE + 5000);
    server.cut();
    vi.setSystemTime(Date.now() + 60 * MINUTE);
    await pass(10 * MINUTE);
    expect(shown()).toContain('Use gate');
    expect(shown()).toMatch(/Offline, 10 minutes/);
    await pass(10 * MINUTE);
    expect(shown()).not.toContain('Use gate');
    stop();
  });

  it('keeps a held feed for its minute, and holds none from another page', async () => {
    const pages = [
      { type: 'board', dwell_s: 30 },
      { type: 'message', dwell_s: 30, text: 'Wait at gate 2.' },
    ];
    self = { ...self, layout: { ...onlyRail, pages, pin_criticals: false } };
    await open(); // in the second half of a minute
    const isHeldNow = () => screen.queryByRole('list', { name: 'Sources' }) !== null;
    const isBoard = () => shown().includes('UK Roads');
    expect(isBoard()).toBe(false);
    expect(screen.queryByText('Medium')).toBeNull(); // nobody graded it
    holdFeed(1);
    await pass(30_000);
    expect([isBoard(), isHeldNow()]).toEqual([true, false]);
    holdFeed(1);
    await pass(45_000);
    expect([isBoard(), isHeldNow()]).toEqual([true, true]);
    await pass(16_000);
    expect([isBoard(), isHeldNow()]).toEqual([true, false]);
    await pass(30_000);
    expect(isBoard()).toBe(false);
  });

  it('shows its pages in turn after a message that covered a held feed', async () => {
    const pages = [
      { type: 'board', dwell_s: 30 },
      { type: 'message', dwell_s: 30, text: 'Wait at gate 2.' },
    ];
    self = { ...self, layout: { ...onlyRail, pages, pin_criticals: false } };
    const message = { id: 'm', text: 'Use gate 3.', look: 'high', cover: 'screen', at: until(0) };
    self = { ...self, message: { ...message, from: 'Rosa Jones', until: until(2 / 3) } };
    await open(); // in the second half of a minute
    await pass(30_000);
    expect(shown()).toContain('Use gate');
    holdFeed(1);
    await pass(12_000);
    expect(shown()).toContain('UK Roads');
    await pass(18_000);
    expect(shown()).not.toContain('UK Roads');
  });

  it('loads what changed by the call that a display may make', async () => {
    const change = {
      event_id: 'kb-incidents:hud',
      source: 'kb-incidents',
      kind: 'worse',
      at: until(-5),
      worse_at: until(-5),
      title: 'Leeds to Huddersfield: no trains',
      severity: 'high',
      severity_from: 'medium',
      phase: 'active',
      ended_reason: null,
      fields: [],
      end_time_from: null,
      end_time: null,
    };
    server.server.answers.set('displays/me/changes', () =>
      json(200, { complete: true, changes: [change], total: 1 }, { date: new Date().toUTCString() }),
    );
    self = { ...self, rev: 1, layout: { ...onlyRail, pages: [{ type: 'changes', dwell_s: 30 }] } };
    await open();
    await pass(MINUTE + 5000);
    expect(shown()).toContain('Worse');
    expect(shown()).toContain('Leeds to Huddersfield');
    expect(tally()).toBe('1 High High');

    const facts = { place: 'Kirkstall', effect: 'flooded', cause: null, advice: [] };
    server.rows = [row('rail-network', [alert('b', { facts })])];
    server.server.answers.set('displays/me/changes', () =>
      json(
        200,
        {
          complete: true,
          changes: [
            change,
            { ...change, event_id: 'kb-incidents:over', kind: 'cleared' },
            { ...change, event_id: 'b', title: 'A65 flooded due to floods in the Kirkstall area' },
          ],
          total: 3,
        },
        { date: new Date().toUTCString() },
      ),
    );
    await pass(MINUTE + 5000);
    expect(shown()).toContain('Cleared');
    expect(shown()).toContain('Kirkstall: flooded'); // as the board says what is still on it
    expect(tally()).toBe('2 High High1 clear Clear'); // an alert that is over is in force nowhere
    expect(shown()).toContain('3 changes in 24 hours');
  });

  it('names the chosen feeds of a board, and lists only what they expect', async () => {
    const next = { kind: 'clears', severity: 'high', what: 'expected clear' };
    const nextUp = [
      { ...next, at: until(60), place: 'M62, J26 to J27', event_id: 'national-highways:1' },
      { ...next, at: until(90), place: 'Leeds to Hull', event_id: 'kb-incidents:1' },
    ];
    const date = () => ({ date: new Date().toUTCString(), 'x-clearway-display': String(self.rev) });
    const outlook = { next_up: nextUp, last_critical_cleared: until(-60) };
    server.rows = [row('roads-uk', [alert('a', { severity: 'high' })]), row('rail-network', [alert('b')])];
    server.server.answers.set('feeds/', () =>
      json(200, { feeds: server.rows, total: 2, ...outlook }, date()),
    );
    await open();
    expect(shown()).toContain('M62, J26');
    self = { ...self, rev: 1, layout: onlyRail };
    await pass(MINUTE + 5000);
    expect(shown()).toContain('Nothing critical or high in Rail.');
    expect(shown()).toContain('Leeds to Hull');
    expect(shown()).not.toMatch(/M62|withdrawn|Last critical/);
    server.rows = [row('roads-uk', [alert('a', { severity: 'high' })]), row('rail-network', [])];
    await pass(MINUTE);
    expect(shown()).toMatch(/No active alerts (reported )?in Rail/);
  });

  it('is large for people who pass by, with no map, no next hours and no third line', async () => {
    self = { ...self, rev: 1, layout: { ...onlyRail, pages: [{ type: 'board', dwell_s: 30, large: true }] } };
    server.rows[0]!.feed.sources = [source('traffic-wales', { freshness: 'stale' })];
    for (const form of ['usual', 'upright'] as const) {
      const { unmount } = render(
        <DrawnAs value={form}>
          <WallPage />
        </DrawnAs>,
      );
      await pass(MINUTE + 5000);
      expect(screen.getByRole('main').dataset['large']).toBe('true');
      expect(screen.queryByRole('img', { name: /^Map/ })).toBeNull();
      expect(shown()).toContain('UK Roads');
      expect(screen.getByRole('list', { name: /all feeds/ }).textContent).toMatch(/Critical.*Medium/);
      expect(shown()).toMatch(/1 source silentTraffic WalesLast refresh/);
      const message = {
        id: 'm',
        text: 'Welcome.',
        look: 'low',
        cover: 'screen',
        at: until(0),
        until: until(60),
      };
      self = { ...self, rev: 2, message };
      await pass(MINUTE + 5000);
      expect(shown()).toContain('Welcome.');
      expect(shown()).not.toContain('Critical in');
      self = { ...self, rev: 3, message: null };
      unmount();
    }
  });

  it.each([
    [
      'the board of all feeds, not a list of other routes',
      [
        { type: 'routes', dwell_s: 30, watch_ids: ['B'] },
        { type: 'map', dwell_s: 30 },
        { type: 'board', dwell_s: 30 },
      ],
    ],
    [
      'the board of its feed',
      [
        { type: 'board', dwell_s: 30, feeds: ['rail-network'] },
        { type: 'board', dwell_s: 30, feeds: ['roads-uk'] },
      ],
    ],
  ])(
    'stands on the page that shows the critical, and turns again once it is in hand: %s',
    async (_, pages) => {
      const critical = alert('a', {
        severity: 'critical',
        source: 'national-highways',
        start_time: until(-1),
      });
      const touch = {
        subject: 'disruption',
        subject_id: 'a',
        level: 'certain',
        why: '',
        from_km: 1,
        to_km: 2,
      };
      const watch = (id: string, matches: object[]) => ({
        id,
        kind: 'route',
        name: `Route ${id}`,
        length_km: 100,
        sources: ['national-highways'],
        departures: [],
        matches,
      });
      const watches = [watch('A', [touch]), watch('B', [])];
      server.rows[0] = row('roads-uk', [critical]);
      server.server.answers.set('displays/me/routes', () =>
        json(
          200,
          {
            watches,
            incidents: [critical],
            events: [],
            sources: [source('national-highways')],
            total: 2,
            behind_since: null,
          },
          { date: new Date().toUTCString() },
        ),
      );
      self = { ...self, rev: 1, layout: { ...onlyRail, pages } };
      await open();
      await pass(MINUTE + 5000);
      for (let left = 0; left < 9; left += 1) {
        expect(shown()).toContain('UK Roads');
        await pass(10_000);
      }

      const taken = {
        ...noResponse('a'),
        disposition: 'diverted',
        by: { id: '7', name: 'Rosa Jones' },
        at: until(0),
      };
      server.server.answers.set('responses/', () => json(200, { responses: [taken], reports: [] }));
      await pass(MINUTE + 5000);
      const seen: (string | null)[] = [];
      for (let turn = 0; turn < 9; turn += 1) {
        seen.push(shown());
        await pass(15_000);
      }
      const onCritical = seen.filter((text) => text?.includes('UK Roads')).length;
      expect(onCritical).toBeGreaterThan(0);
      expect(onCritical).toBeLessThan(seen.length);
    },
  );

  it.each(['message', 'board'])(
    'stands still under a band, which a page of type message has too: %s',
    async (first) => {
      const words = { type: 'message', dwell_s: 30, text: 'Wash bay closed.' };
      const board = { type: 'board', dwell_s: 30 };
      const pages = first === 'message' ? [words, board] : [board, words];
      const at = new Date('2026-11-21T11:59:00.000Z').toISOString(); // the first page is on
      const message = {
        id: 'm',
        text: 'Pump out of order.',
        look: 'medium',
        cover: 'band',
        at,
        until: until(20),
      };
      self = { ...self, rev: 1, message, layout: { ...onlyRail, pin_criticals: false, pages } };
      await open();
      await pass(MINUTE + 5000);
      for (let left = 0; left < 9; left += 1) {
        expect(shown()).toContain('Pump out of order.');
        expect(shown()?.includes('Wash bay closed.')).toBe(first === 'message');
        await pass(10_000);
      }
    },
  );

  it('has a band above the worst for a message that is not over the whole screen, until it is withdrawn', async () => {
    await open();
    const message = {
      id: 'm',
      text: 'Pump out of order.',
      look: 'medium',
      cover: 'band',
      at: until(0),
      from: 'Rosa Jones',
      until: until(20),
    };
    self = { ...self, rev: 1, message };
    await pass(MINUTE + 5000);
    expect(screen.getByRole('region', { name: 'Message' }).textContent).toContain('Pump out of order.');
    expect(screen.getByText('Pump out of order.').getAttribute('dir')).toBe('auto');
    expect(shown()).toContain('UK Roads');
    self = { ...self, rev: 2, message: null };
    await pass(MINUTE + 5000);
    expect(screen.queryByRole('region', { name: 'Message' })).toBeNull();
  });
});
