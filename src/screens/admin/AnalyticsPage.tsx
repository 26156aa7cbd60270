import { Fragment, type CSSProperties } from 'react';
import { loadAnalytics, type Overview, type UsageRow } from '../../api/accounts/usage.ts';
import { useLoad } from '../../api/useLoad.ts';
import { grouped } from '#contract/numbers.ts';
import { Figures, Page, Panel, LoadState } from '../../ui/page/Page.tsx';
import { type Status, StatusLine } from '../../ui/signs/StatusLine.tsx';
import { Table } from '../../ui/page/Table.tsx';
import { formatClock, formatDate, formatDateTime } from '../../time/london.ts';
import { TimeAgo } from '../../time/TimeAgo.tsx';
import styles from './AnalyticsPage.module.css';
import type { SourceStats } from '#contract/history/history.ts';
import { MARKED_MOST } from '#contract/feeds/sourceReports.ts';
import { knownSource } from '#contract/feeds/knownSources.ts';
import { loadSourceStats } from '../../api/alerts/history.ts';

/** How the service is used: totals, then their details. */
export function AnalyticsPage() {
  const { reload, ...analytics } = useLoad(loadAnalytics, 'Unable to load analytics data');

  return (
    <Page heading="Admin Analytics" about="Figures refresh when the page opens.">
      <LoadState load={analytics} again={reload} />
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
        <div className={styles.charts} data-bottom="6">
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
      columns={['Method', 'Endpoint', { hidden: 'Share' }, { number: 'Count' }, { number: 'Average ms' }]}
    >
      {rows.map(({ method, endpoint, count, avg_response_ms }) => (
        <tr key={`${method} ${endpoint}`}>
          <td data-th="Method">
            <span className={styles.method} data-nowrap>
              {method}
            </span>
          </td>
          <td data-th="Endpoint">
            <span className={styles.code} data-break>
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
    <Table label="Recent User Activity" columns={['User', 'Event', 'Category', 'When']}>
      {rows.map(({ id, display_name, event_type, event_category, occurred_at }) => (
        <tr key={id}>
          <td data-th="User" className={styles.who} data-break>
            <bdi>{display_name ?? 'A deleted person'}</bdi>
          </td>
          <td data-th="Event">
            <span className={styles.code} data-break>
              {event_type}
            </span>
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
      columns={['Endpoint', 'Method', 'Status', 'User', 'Auth', { number: 'Latency' }, 'When']}
    >
      {rows.map((row) => (
        <tr key={row.id}>
          <td data-th="Endpoint">
            <span className={styles.code} data-break>
              <Breakable text={row.endpoint} />
            </span>
          </td>
          <td data-th="Method">
            <span className={styles.method} data-nowrap>
              {row.method}
            </span>
          </td>
          <td data-th="Status" data-nowrap>
            <StatusLine status={gradeOf(row.status_code)}>{row.status_code ?? '–'}</StatusLine>
          </td>
          <td data-th="User" className={styles.who} data-break>
            <Breakable text={row.user_email ?? '–'} />
          </td>
          <td data-th="Auth" data-nowrap>
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

/** How reliable each source was in a week, and the marks that messages about it got. */
function Reliability() {
  const { reload: _, ...stats } = useLoad(loadSourceStats, 'Unable to load the reliability of sources');
  const sources = stats.data ?? [];
  const sent = sources.filter((one) => one.sent > 0 || one.not_ours > 0);

  return (
    <>
      <Panel heading="Source reliability (7 days)">
        <LoadState load={stats} />
        {stats.state === 'ready' && sources.length === 0 && <p>No source was asked yet</p>}
        {sources.length > 0 && (
          <Table
            label="Source reliability (7 days)"
            columns={[
              'Source',
              { number: 'Available' },
              { number: 'Notice' },
              { number: 'Late closures' },
              { number: 'Lost' },
              { number: 'Changes each' },
              { number: 'Flaps' },
            ]}
          >
            {sources.map((one) => (
              <tr key={one.source}>
                <td data-th="Source">{knownSource(one.source).displayName}</td>
                <td data-th="Available" data-number>
                  {percent(one.availability)}
                </td>
                <td data-th="Notice" data-number>
                  {minutes(one.notice_seconds)}
                </td>
                <td data-th="Late closures" data-number>
                  {one.closures > 0 ? `${percent(one.late_closures)} of ${grouped(one.closures)}` : '–'}
                </td>
                <td data-th="Lost" data-number>
                  {percent(one.lost)}
                </td>
                <td data-th="Changes each" data-number>
                  {one.churn === null ? '–' : one.churn.toFixed(1)}
                </td>
                <td data-th="Flaps" data-number>
                  {grouped(one.flaps)}
                </td>
              </tr>
            ))}
          </Table>
        )}
      </Panel>
      <Panel heading={MARKED}>
        {stats.state === 'ready' && sent.length === 0 && <p>No messages in the last 7 days</p>}
        {sent.length > 0 && <Marked sources={sent} />}
      </Panel>
    </>
  );
}

const MARKED = 'Messages sent (7 days), marked not ours, by source';

const Marked = ({ sources }: { sources: readonly SourceStats[] }) => (
  <Table
    label={MARKED}
    columns={['Source', { number: 'Sent' }, { number: 'Marked not ours' }, { number: 'Share' }]}
  >
    {sources.map(({ source, sent, not_ours, precision }) => (
      <tr key={source}>
        <td data-th="Source">{knownSource(source).displayName}</td>
        <td data-th="Sent" data-number>
          {grouped(sent)}
        </td>
        <td data-th="Marked not ours" data-number>
          {grouped(not_ours)}
        </td>
        <td data-th="Share" data-number>
          {precision === null ? '–' : percent(1 - precision)}
          {precision !== null && 1 - precision > MARKED_MOST && ', above 5 %'}
        </td>
      </tr>
    ))}
  </Table>
);

const percent = (share: number | null) =>
  share === null ? '–' : `${(share * 100).toLocaleString('en-GB', { maximumFractionDigits: 1 })} %`;

const minutes = (seconds: number | null) =>
  seconds === null ? '–' : seconds < 90 ? `${seconds} s` : `${grouped(Math.round(seconds / 60))} min`;

/** Counts as bars side by side, with the highest written out. To a screen reader it is a list. */
function BarChart({
  label,
  bars,
}: {
  label: string;
  /** `name` is read out and shown on hover; `tick` stands under the bar. */
  bars: readonly { key: string; name: string; tick?: string; count: number }[];
}) {
  const most = Math.max(...bars.map(({ count }) => count), 0);

  return (
    <figure className={styles.chart}>
      <figcaption>
        <span>{label}</span>
        <span data-tone="3">{most > 0 ? `Highest ${grouped(most)}` : 'None'}</span>
      </figcaption>
      <ol>
        {bars.map(({ key, name, tick, count }) => (
          <li key={key} title={`${name}: ${grouped(count)}`}>
            <span
              className={styles.bar}
              data-forced="ink"
              style={{ '--share': most > 0 ? count / most : 0 } as CSSProperties}
              data-none={count === 0 || undefined}
            />
            <span className={styles.tick} data-text="small" data-tone="3" aria-hidden="true">
              {tick}
            </span>
            <span data-hidden>
              {name}: {grouped(count)}
            </span>
          </li>
        ))}
      </ol>
    </figure>
  );
}
