import { render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { SourcesPage } from '../../../../src/screens/admin/SourcesPage.tsx';
import { useSession } from '../../../../src/session/session.ts';
import { json, startFakeServer } from '../../api/fakeServer.ts';

const SOURCES = 'admin/sources';
const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();

const WORKING = {
  source: 'national-highways',
  name: 'National Highways',
  feed: 'UK Roads',
  covers: 'Closures on England’s motorways',
  standing: 'working',
  why: null,
  interval_seconds: 60,
  last_attempt: ago(1),
  last_success: ago(1),
  next_run: ago(0),
  last_ms: 800,
  freshness: 'fresh',
  alerts: 214,
  routes: 2,
  polls: [
    { at: ago(2), ok: true, records: 300 },
    { at: ago(1), ok: true, records: 214 },
  ],
  settings: [],
  missing_settings: [],
  skipped: 0,
  problems: [],
  off: null,
};
const FAILING = {
  ...WORKING,
  source: 'airport-status',
  name: 'Airport status',
  standing: 'failing',
  why: '503 Service Unavailable, 62 times',
  freshness: 'stale',
  alerts: 5,
  routes: 1,
  polls: [
    { at: ago(2), ok: true, records: 6 },
    { at: ago(1), ok: false, records: 0 },
  ],
};
const SILENT = {
  ...FAILING,
  source: 'nrw',
  name: 'Rivers, Wales',
  standing: 'silent',
  why: null,
  alerts: 0,
  routes: 3,
};
const NOT_SET_UP = {
  ...WORKING,
  source: 'kb-incidents',
  name: 'Knowledgebase incidents',
  standing: 'not_set_up',
  why: 'Needs KB_USER and KB_PASSWORD',
  last_success: null,
  routes: 1,
  polls: [],
  missing_settings: ['KB_USER', 'KB_PASSWORD'],
  settings: [{ name: 'KB_USER', about: 'user of the Knowledgebase', required: true, is_set: false }],
};
const OFF = {
  ...WORKING,
  source: 'twitter.metpoliceuk',
  name: '@metpoliceuk',
  standing: 'off',
  routes: 0,
  off: { at: '2026-11-12T09:14:00.000Z', by: 'Dana Shah' },
};

let server: ReturnType<typeof startFakeServer>;
let sources: object[];

const rowOf = (name: string) => screen.getByRole('row', { name: new RegExp(`^${name}`) });
const press = (name: string | RegExp) => userEvent.click(screen.getByRole('button', { name }));

beforeEach(async () => {
  server = startFakeServer();
  localStorage.setItem('access_token', server.signedIn().access_token);
  useSession.setState({
    status: 'signedIn',
    user: { id: '2', email: 'ben@example.co.uk', displayName: 'Ben', role: 'admin' },
    offline: false,
  });
  sources = [FAILING, SILENT, NOT_SET_UP, OFF, WORKING];
  server.answers.set(SOURCES, () => json(200, { sources, total: sources.length }));
  render(<SourcesPage />);
  await screen.findByRole('table');
});
afterEach(() => {
  localStorage.clear();
  vi.unstubAllGlobals();
});

describe('a demoted source', () => {
  it('says why it is only possible, and is restored', async () => {
    const why = '3 of 40 messages in 7 days were marked as not ours';
    sources = [{ ...WORKING, demoted: { at: ago(60), why } }];
    await press('Refresh');
    await waitFor(() => expect(rowOf('National Highways').textContent).toContain(`Possible only: ${why}`));
    server.answers.set('admin/sources/national-highways/restore', () => {
      sources = [WORKING];
      return json(204, null);
    });
    await press('Restore: National Highways');
    await waitFor(() => expect(screen.queryByText(/Possible only/)).toBeNull());
    expect(screen.queryByRole('button', { name: /Restore/ })).toBeNull();
  });
});

describe('a source that teams have demoted for themselves', () => {
  const suggest = async (demoted_by: number) => {
    sources = [{ ...WORKING, demoted_by }];
    await press('Refresh');
  };

  it('is demoted for all by an administrator', async () => {
    await suggest(1);
    await screen.findByText('1 team has demoted it: demote it for all?');
    await suggest(2);
    await screen.findByText('2 teams have demoted it: demote it for all?');
    server.answers.set('admin/sources/national-highways/demote', () => {
      sources = [{ ...WORKING, demoted: { at: ago(0), why: '2 teams have demoted it' }, demoted_by: 2 }];
      return json(204, null);
    });
    await press('Demote for all: National Highways');
    await screen.findByText('Possible only: 2 teams have demoted it');
    expect(screen.queryByText(/demote it for all/)).toBeNull();
    expect(screen.queryByRole('button', { name: /Demote for all/ })).toBeNull();
    expect(screen.getByRole('button', { name: 'Restore: National Highways' })).toBeTruthy();
  });

  it('is restored', async () => {
    await suggest(2);
    server.answers.set('admin/sources/national-highways/restore', () => {
      sources = [WORKING];
      return json(204, null);
    });
    await press('Restore: National Highways');
    await waitFor(() => expect(screen.queryByText(/demote it for all/)).toBeNull());
  });
});

describe('the sources', () => {
  it('count none as working whose last poll failed', async () => {
    const why = 'The last poll failed: no answer';
    sources = [
      { ...WORKING, standing: 'faltering', why },
      { ...WORKING, source: 'tfl', name: 'London' },
    ];
    await press('Refresh');
    await screen.findByText('1 last poll failed');
    expect(screen.getByText('1 working')).toBeTruthy();
    const row = within(rowOf('National Highways'));
    expect(row.getByText('Last poll failed').closest('[data-status]')).toHaveProperty(
      'dataset.status',
      'moderate',
    );
    expect(row.getByText(why)).toBeTruthy();
    expect(row.getByRole('button', { name: 'Try now: National Highways' })).toBeTruthy();
  });

  it('call no alert hollow whose source was recent enough', async () => {
    sources = [{ ...FAILING, freshness: 'late' }];
    await press('Refresh');
    await waitFor(() => expect(screen.queryByText('National Highways')).toBeNull());
    expect(rowOf('Airport status').textContent).toContain('1 of your routes depends on it');
    expect(rowOf('Airport status').textContent).not.toContain('hollow');
  });

  it('tell failing, silent, not set up and off apart, and count them', () => {
    expect(screen.getByText('1 failing')).toBeTruthy();
    expect(screen.getByText('1 not set up')).toBeTruthy();
    const text = (name: string) => rowOf(name).textContent;
    expect(text('Airport status')).toContain('503 Service Unavailable, 62 times');
    expect(text('Airport status')).toContain(
      '5 alerts are hollow on the board, 1 of your routes depends on it',
    );
    expect(text('Rivers, Wales')).toMatch(/Silent.*Answers, nothing newer than \d\d:\d\d/);
    expect(text('Rivers, Wales')).toContain('3 of your routes depend on it');
    expect(text('Knowledgebase incidents')).toMatch(/Not set up.*Needs KB_USER and KB_PASSWORD.*never/);
    expect(text('Knowledgebase incidents')).toContain('1 route says “Not connected”');
    expect(text('@metpoliceuk')).toContain('Turned off by Dana Shah, 12 Nov');
    expect(text('National Highways')).toMatch(/Working.*every 60\ss, 0\.8\ss/);
    expect(text('National Highways')).not.toContain('routes');
  });

  it('name what the bars show', () => {
    expect(rowOf('Airport status').textContent).toContain('2 polls, 1 failed, up to 6 records');
    expect(rowOf('National Highways').textContent).toContain('2 polls, up to 300 records');
    expect(within(rowOf('@metpoliceuk')).getByText('no polls')).toBeTruthy();
  });

  it('that are not set up say how to', async () => {
    await press('How to: Knowledgebase incidents');
    const dialog = screen.getByRole('dialog');
    expect(dialog.textContent).toContain('Set KB_USER and KB_PASSWORD in the environment of the server');
    expect(dialog.textContent).toContain('user of the Knowledgebase');
    expect(within(dialog).queryByRole('button', { name: 'Turn off' })).toBeNull();
  });
});

describe('the actions of an administrator', () => {
  it('Try now says how the poll went', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true, advanceTimeDelta: 50 });
    const asked: string[] = [];
    server.answers.set('admin/sources/airport-status/try', ({ method }) => {
      asked.push(method);
      const at = ago(0);
      sources = [{ ...FAILING, last_attempt: at, polls: [{ at, ok: true, records: 7 }] }, WORKING];
      return json(202, { asked_at: at });
    });
    await userEvent
      .setup({ advanceTimers: vi.advanceTimersByTime })
      .click(screen.getByRole('button', { name: 'Try now: Airport status' }));
    await waitFor(() => expect(screen.getByText('Airport status: it answered with 7 records')).toBeTruthy());
    expect(asked).toEqual(['POST']);
    vi.useRealTimers();
  });

  it('a refusal stays with its words', async () => {
    server.answers.set('admin/sources/airport-status/try', () =>
      json(429, { detail: 'It was asked a moment ago. Try again in 10 seconds.' }),
    );
    await press('Try now: Airport status');
    await screen.findByText(/Airport status: It was asked a moment ago/);
  });

  it('turns one off and on', async () => {
    const sent: unknown[] = [];
    server.answers.set('admin/sources/national-highways', ({ body }) => {
      sent.push(body);
      return new Response(null, { status: 204 });
    });
    server.answers.set('admin/sources/twitter.metpoliceuk', ({ body }) => {
      sent.push(body);
      return new Response(null, { status: 204 });
    });
    await press('More: National Highways');
    await press('Turn off');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await press('Turn on: @metpoliceuk');
    await screen.findByText('Asking @metpoliceuk ...');
    expect(sent).toEqual([{ off: true }, { off: false }]);
  });
});
