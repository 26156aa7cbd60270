import { Fragment, type CSSProperties } from 'react';
import { loadAnalytics, type Overview, type UsageRow } from '../../api/accounts/analytics.ts';
import { useLoad } from '../../api/useLoad.ts';
import { Button } from '../../ui/controls/Button.tsx';
import { Figures } from '../../ui/page/Figures.tsx';
import { Notice } from '../../ui/signs/Notice.tsx';
import { grouped } from '../../ui/numbers.ts';
import { Page } from '../../ui/page/Page.tsx';
import { Panel } from '../../ui/page/Panel.tsx';
import { type Status, StatusLine } from '../../ui/signs/StatusLine.tsx';
import { Table } from '../../ui/page/Table.tsx';
import { formatClock, formatDate, formatDateTime } from '../../time/london.ts';
import { TimeAgo } from '../../time/TimeAgo.tsx';
import { VisuallyHidden } from '../../ui/VisuallyHidden.tsx';
import styles from './AnalyticsPage.module.css';
import { BarChart } from './BarChart.tsx';
import { Reliability } from './Reliability.tsx';

/** How the service is used: totals, then their details. */
export function AnalyticsPage() {
  const { reload, ...analytics } = useLoad(loadAnalytics, 'Unable to load analytics data');

  return (
    <Page heading="Admin Analytics" about="Figures refresh when the page opens.">
      {analytics.state === 'loading' && <p role="status">Loading...</p>}
      {analytics.state === 'failed' && (
        <div data-stack="4" data-align="start">
          <Notice>{analytics.message}</Notice>
          <Button onClick={() => void reload()}>Try again</Button>
        </div>
      )}
      {analytics.state === 'ready' && <Analytics {...analytics.data} />}
    </Page>
  );
}

function Analytics({ overview, calls }: { overview: Overview; calls: UsageRow[] }) {
  const hours = overview.requests_by_hour ?? [];
  const days = overview.logins_by_day ?? [];

  return (
    <>
      <Figures
        figures={[
          { key: 'logins', name: 'Logins (7 days)', value: figure(overview.logins_last_7_days) },
          { key: 'users', name: 'Active Users (24h)', value: figure(overview.active_users_last_24_hours) },
          { key: 'calls', name: 'API Requests (24h)', value: figure(overview.api_requests_last_24_hours) },
        ]}
      />
      {(hours.length > 0 || days.length > 0) && (
        <div className={styles.charts}>
          <BarChart
            label="Requests by hour"
            bars={hours.map(({ hour, count }, index) => ({
              key: hour ?? String(index),
              name: hour ? `${formatDateTime(hour)}` : '',
              tick: hour && index % 6 === 0 ? formatClock(hour) : undefined,
              count: count ?? 0,
            }))}
          />
          <BarChart
            label="Logins by day"
            bars={days.map(({ day, count }, index) => ({
              key: day ?? String(index),
              name: day ? formatDate(noon(day)) : '',
              tick: day ? WEEKDAY.format(noon(day)) : undefined,
              count: count ?? 0,
            }))}
          />
        </div>
      )}
      <div className={styles.panels} data-stack="6">
        <Panel heading="Top Endpoints (24h)">
          <TopEndpoints rows={overview.top_endpoints_last_24_hours} />
        </Panel>
        <Panel heading="Recent User Activity">
          <Activity rows={overview.recent_events} />
        </Panel>
        <Panel heading="Recent API Usage">
          <Calls rows={calls} />
        </Panel>
        <Reliability />
      </div>
    </>
  );
}

function TopEndpoints({ rows }: { rows: Overview['top_endpoints_last_24_hours'] }) {
  if (rows.length === 0) return <p data-tone="3">No requests in the last 24 hours</p>;
  const most = Math.max(...rows.map(({ count }) => count ?? 0), 1);

  return (
    <Table
      label="Top Endpoints (24h)"
      head={
        <>
          <th>Method</th>
          <th>Endpoint</th>
          <th>
            <VisuallyHidden>Share</VisuallyHidden>
          </th>
          <th data-number>Count</th>
          <th data-number>Average ms</th>
        </>
      }
    >
      {rows.map(({ method, endpoint, count, avg_response_ms }) => (
        <tr key={`${method} ${endpoint}`}>
          <td data-th="Method">
            <span className={styles.method}>{method}</span>
          </td>
          <td data-th="Endpoint">
            <span className={styles.code}>
              <Breakable text={endpoint} />
            </span>
          </td>
          <td data-th="" className={styles.share} aria-hidden="true">
            <span style={{ '--share': (count ?? 0) / most } as CSSProperties} />
          </td>
          <td data-th="Count" data-number>
            {figure(count)}
          </td>
          <td data-th="Average ms" data-number>
            {avg_response_ms == null ? '–' : grouped(Math.round(avg_response_ms))}
          </td>
        </tr>
      ))}
    </Table>
  );
}

function Activity({ rows }: { rows: Overview['recent_events'] }) {
  if (rows.length === 0) return <p data-tone="3">No activity yet</p>;

  return (
    <Table
      label="Recent User Activity"
      head={
        <>
          <th>User</th>
          <th>Event</th>
          <th>Category</th>
          <th>When</th>
        </>
      }
    >
      {rows.map(({ id, display_name, event_type, event_category, occurred_at }) => (
        <tr key={id}>
          <td data-th="User" className={styles.who}>
            <bdi>{display_name ?? 'A deleted person'}</bdi>
          </td>
          <td data-th="Event">
            <span className={styles.code}>{event_type}</span>
          </td>
          <td data-th="Category">{event_category}</td>
          <td data-th="When">
            <TimeAgo at={occurred_at} dated />
          </td>
        </tr>
      ))}
    </Table>
  );
}

function Calls({ rows }: { rows: UsageRow[] }) {
  if (rows.length === 0) return <p data-tone="3">No requests yet</p>;

  return (
    <Table
      label="Recent API Usage"
      head={
        <>
          <th>Endpoint</th>
          <th>Method</th>
          <th>Status</th>
          <th>User</th>
          <th>Auth</th>
          <th data-number>Latency</th>
          <th>When</th>
        </>
      }
    >
      {rows.map((row) => (
        <tr key={row.id}>
          <td data-th="Endpoint">
            <span className={styles.code}>
              <Breakable text={row.endpoint} />
            </span>
          </td>
          <td data-th="Method">
            <span className={styles.method}>{row.method}</span>
          </td>
          <td data-th="Status" className={styles.short}>
            <StatusLine status={gradeOf(row.status_code)}>{row.status_code ?? '–'}</StatusLine>
          </td>
          <td data-th="User" className={styles.who}>
            <Breakable text={row.user_email ?? '–'} />
          </td>
          <td data-th="Auth" className={styles.short}>
            {row.auth_type ?? '–'}
          </td>
          <td data-th="Latency" data-number>
            {row.response_time_ms == null ? '–' : `${grouped(Math.round(row.response_time_ms))} ms`}
          </td>
          <td data-th="When">
            <TimeAgo at={row.created_at} dated />
          </td>
        </tr>
      ))}
    </Table>
  );
}

/** A path or email address, which breaks at its punctuation rather than within a word. */
function Breakable({ text }: { text: string | null | undefined }) {
  return text?.split(/(?<=.[/@])/).map((part, index) => (
    <Fragment key={index}>
      {index > 0 && <wbr />}
      {part}
    </Fragment>
  ));
}

/** A status below 400 is good, a refusal is moderate, and a failure of the server is severe. */
function gradeOf(status: number | null | undefined): Status {
  if (status == null) return 'none';
  if (status >= 500) return 'severe';
  return status >= 400 ? 'moderate' : 'good';
}

const figure = (count: number | null | undefined) => (count == null ? '–' : grouped(count));

const noon = (day: string) => new Date(`${day}T12:00:00Z`);
const WEEKDAY = new Intl.DateTimeFormat('en-GB', { weekday: 'short', timeZone: 'UTC' });
