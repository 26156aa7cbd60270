import { render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { AnalyticsPage } from '../../../../src/screens/admin/AnalyticsPage.tsx';
import { saveTokens } from '../../../../src/api/tokens.ts';
import { formatDateTime } from '../../../../src/time/london.ts';
import { BEN, json, startFakeServer } from '../../api/fakeServer.ts';

let server: ReturnType<typeof startFakeServer>;
let overview: Record<string, unknown>;
let viewedAt: string;
let calledAt: string;
const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();

beforeEach(() => {
  localStorage.clear();
  server = startFakeServer();
  saveTokens(server.signedIn(BEN));
  viewedAt = minutesAgo(4);
  calledAt = minutesAgo(12);
  overview = {
    logins_last_7_days: 1204,
    active_users_last_24_hours: 187,
    api_requests_last_24_hours: 48_392,
    top_endpoints_last_24_hours: [
      { method: 'GET', endpoint: '/api/v1/feeds', count: 21_480, avg_response_ms: 141.6 },
    ],
    recent_events: [
      {
        id: 'e-1',
        display_name: 'Priya Nair',
        event_type: 'map_viewed',
        event_category: 'navigation',
        occurred_at: viewedAt,
      },
      { id: 'e-2', display_name: null, event_type: 'login', event_category: 'session' },
    ],
    requests_by_hour: [
      { hour: '2026-11-21T10:00:00.000Z', count: 5, failed: 0 },
      { hour: '2026-11-21T11:00:00.000Z', count: 10, failed: 1 },
    ],
    logins_by_day: [{ day: '2026-11-21', count: 7 }],
  };
  server.answers.set('analytics/overview', () => json(200, overview));
  server.answers.set('analytics/api-usage', () =>
    json(200, {
      usage: [
        {
          id: 'u-1',
          endpoint: '/api/v1/keys',
          method: 'POST',
          status_code: 422,
          user_email: 'moira@example.co.uk',
          auth_type: 'session',
          response_time_ms: 24.4,
          created_at: calledAt,
        },
      ],
      total: 1,
    }),
  );
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

const cells = (table: string) =>
  within(screen.getByRole('table', { name: table }))
    .getAllByRole('row')
    .map((row) => [...row.children].map((cell) => cell.textContent).join(' | '));

it('shows the figures, and how they are counted', async () => {
  render(<AnalyticsPage />);
  const card = async (name: string) => (await screen.findByText(name)).closest('div')!.textContent;
  expect(await card('Logins (7 days)')).toBe('Logins (7 days)1,204');
  expect(await card('Active Users (24h)')).toBe('Active Users (24h)187');
  expect(await card('API Requests (24h)')).toBe('API Requests (24h)48,392');

  expect(cells('Top Endpoints (24h)')).toEqual([
    'Method | Endpoint | Share | Count | Average ms',
    'GET | /api/v1/feeds |  | 21,480 | 142',
  ]);
  expect(cells('Recent User Activity')).toEqual([
    'User | Event | Category | When',
    `Priya Nair | map_viewed | navigation | ${formatDateTime(viewedAt)} 4 minutes ago`,
    'A deleted person | login | session | ',
  ]);
  expect(cells('Recent API Usage')).toEqual([
    'Endpoint | Method | Status | User | Auth | Latency | When',
    `/api/v1/keys | POST | 422 | moira@example.co.uk | session | 24 ms | ${formatDateTime(calledAt)} 12 minutes ago`,
  ]);
  expect(server.callsTo('analytics/api-usage')[0]!.query.get('limit')).toBe('50');
});

it('gives the date and time of every row, and beside it how long ago that was', async () => {
  const at = '2026-07-21T14:10:32.000Z';
  overview['recent_events'] = [
    { id: 'e-1', display_name: 'Priya Nair', event_type: 'login', occurred_at: at },
  ];
  server.answers.set('analytics/api-usage', () =>
    json(200, { usage: [{ id: 'u-1', created_at: at }], total: 1 }),
  );
  vi.useFakeTimers({ now: new Date('2029-04-08T15:00:00.000Z'), toFake: ['Date'] });
  render(<AnalyticsPage />);
  await screen.findByText('1,204');
  for (const table of ['Recent User Activity', 'Recent API Usage'])
    expect(cells(table)[1]!.split(' | ').at(-1)).toBe('21 Jul 2026, 15:10 992 days ago');
});

it('draws requests by hour and logins by day, and gives them as text', async () => {
  render(<AnalyticsPage />);
  await screen.findByText('Requests by hour');
  const said = screen.getAllByRole('listitem').map(({ title }) => title);
  expect(said).toEqual(['21 Nov 2026, 10:00: 5', '21 Nov 2026, 11:00: 10', '21 Nov 2026: 7']);
  expect(screen.getByText('Highest 10')).toBeTruthy();
});

it('works with a server that sends only what is specified', async () => {
  overview = { logins_last_7_days: 3 };
  server.answers.set('analytics/api-usage', () => json(200, []));
  render(<AnalyticsPage />);
  expect((await screen.findByText('Logins (7 days)')).closest('div')!.textContent).toBe('Logins (7 days)3');
  expect(screen.getByText('No requests yet')).toBeTruthy();
  expect(screen.queryByText('Requests by hour')).toBeNull();
});

it('says when nothing could be loaded, and tries again', async () => {
  server.lines.set('analytics/api-usage', 'cut');
  render(<AnalyticsPage />);
  expect((await screen.findByRole('alert')).textContent).toBe('Unable to load analytics data');
  server.lines.clear();
  await userEvent.setup().click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByText('1,204')).toBeTruthy();
});

it('shows how reliable each source was, and what was marked of the messages about it', async () => {
  const stats = (source: string, changes: object) => ({
    source,
    availability: 0.9981,
    notice_seconds: 140,
    late_closures: null,
    closures: 0,
    lost: 0,
    ended: 3,
    churn: 2.6,
    flaps: 1,
    precision: null,
    sent: 0,
    not_ours: 0,
    ...changes,
  });
  const sources = [
    stats('national-highways', { sent: 50, not_ours: 3, precision: 0.94, closures: 4, late_closures: 0.25 }),
    stats('tfl', {}),
  ];
  server.answers.set('stats/sources', ({ query }) => {
    expect(query.get('days')).toBe('7');
    return json(200, {
      days: 7,
      from: minutesAgo(7 * 24 * 60),
      to: minutesAgo(0),
      sources,
      total: sources.length,
      demoted_above: 0.05,
    });
  });
  render(<AnalyticsPage />);
  await screen.findByRole('table', { name: 'Source reliability (7 days)' });
  expect(cells('Source reliability (7 days)').slice(1)).toEqual([
    'National Highways | 99.8 % | 2 min | 25 % of 4 | 0 % | 2.6 | 1',
    'Transport for London | 99.8 % | 2 min | – | 0 % | 2.6 | 1',
  ]);
  expect(cells('Messages sent (7 days), marked not ours, by source').slice(1)).toEqual([
    'National Highways | 50 | 3 | 6 %, above 5 %',
  ]);
});
