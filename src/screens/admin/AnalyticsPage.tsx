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
        <div data-grid="22" data-bottom="6">
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
  const most = Math.max(...rows.map(({ count }) => count ?? 0), 1);

  return (
    <Table
      label="Top Endpoints (24h)"
      empty="No requests in the last 24 hours"
      rows={rows}
      keyOf={({ method, endpoint }) => `${method} ${endpoint}`}
      columns={{
        Method: ({ method }) => (
          <span className={styles.method} data-nowrap>
            {method}
          </span>
        ),
        Endpoint: ({ endpoint }) => <Path text={endpoint} />,
        Share: {
          as: 'hidden',
          className: styles.share,
          'aria-hidden': true,
          cell: ({ count }) => <span style={{ '--share': (count ?? 0) / most } as CSSProperties} />,
        },
        Count: { as: 'number', cell: ({ count }) => figure(count) },
        'Average ms': { as: 'number', cell: ({ avg_response_ms }) => rounded(avg_response_ms) },
      }}
    />
  );
}

function Activity({ rows }: { rows: Overview['recent_events'] }) {
  return (
    <Table
      label="Recent User Activity"
      empty="No activity yet"
      rows={rows}
      keyOf={({ id }) => id}
      columns={{
        User: {
          className: styles.who,
          cell: ({ display_name }) => <bdi>{display_name ?? 'A deleted person'}</bdi>,
        },
        Event: ({ event_type }) => (
          <span className={styles.code} data-break>
            {event_type}
          </span>
        ),
        Category: ({ event_category }) => event_category,
        When: ({ occurred_at }) => <TimeAgo at={occurred_at} dated />,
      }}
    />
  );
}

function Calls({ rows }: { rows: UsageRow[] }) {
  return (
    <Table
      label="Recent API Usage"
      empty="No requests yet"
      rows={rows}
      keyOf={({ id }) => id}
      columns={{
        Endpoint: ({ endpoint }) => <Path text={endpoint} />,
        Method: ({ method }) => (
          <span className={styles.method} data-nowrap>
            {method}
          </span>
        ),
        Status: {
          as: 'line',
          cell: ({ status_code }) => (
            <StatusLine status={gradeOf(status_code)}>{status_code ?? '–'}</StatusLine>
          ),
        },
        User: { className: styles.who, cell: ({ user_email }) => <Breakable text={user_email ?? '–'} /> },
        Auth: { as: 'line', cell: ({ auth_type }) => auth_type ?? '–' },
        Latency: {
          as: 'number',
          cell: ({ response_time_ms: ms }) => (ms == null ? '–' : `${rounded(ms)} ms`),
        },
        When: ({ created_at }) => <TimeAgo at={created_at} dated />,
      }}
    />
  );
}

const Path = ({ text }: { text: string | null | undefined }) => (
  <span className={styles.code} data-break>
    <Breakable text={text} />
  </span>
);

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
const rounded = (amount: number | null | undefined) => figure(amount && Math.round(amount));

const noon = (day: string) => new Date(`${day}T12:00:00Z`);
const WEEKDAY = new Intl.DateTimeFormat('en-GB', { weekday: 'short', timeZone: 'UTC' });

/** How reliable each source was in a week, and the marks that messages about it got. */
function Reliability() {
  const { reload: _, ...stats } = useLoad(loadSourceStats, 'Unable to load the reliability of sources');
  const { sources = [], demoted_above = 1 } = stats.data ?? {};
  const sent = sources.filter((one) => one.sent > 0 || one.not_ours > 0);

  return (
    <>
      <Panel heading="Source reliability (7 days)">
        <LoadState load={stats} />
        {stats.data && (
          <Table
            label="Source reliability (7 days)"
            empty="No source was asked yet"
            rows={sources}
            keyOf={({ source }) => source}
            columns={{
              Source: nameOf,
              Available: { as: 'number', cell: ({ availability }) => percent(availability) },
              Notice: { as: 'number', cell: ({ notice_seconds }) => minutes(notice_seconds) },
              'Late closures': {
                as: 'number',
                cell: ({ closures, late_closures }) =>
                  closures > 0 ? `${percent(late_closures)} of ${grouped(closures)}` : '–',
              },
              Lost: { as: 'number', cell: ({ lost }) => percent(lost) },
              'Changes each': { as: 'number', cell: ({ churn }) => churn?.toFixed(1) ?? '–' },
              Flaps: { as: 'number', cell: ({ flaps }) => grouped(flaps) },
            }}
          />
        )}
      </Panel>
      <Panel heading={MARKED}>{stats.data && <Marked sources={sent} most={demoted_above} />}</Panel>
    </>
  );
}

const MARKED = 'Messages sent (7 days), marked not ours, by source';

const Marked = ({ sources, most }: { sources: readonly SourceStats[]; most: number }) => (
  <Table
    label={MARKED}
    empty="No messages in the last 7 days"
    rows={sources}
    keyOf={({ source }) => source}
    columns={{
      Source: nameOf,
      Sent: { as: 'number', cell: ({ sent }) => grouped(sent) },
      'Marked not ours': { as: 'number', cell: ({ not_ours }) => grouped(not_ours) },
      Share: {
        as: 'number',
        cell: ({ precision }) =>
          precision === null
            ? '–'
            : `${percent(1 - precision)}${1 - precision > most ? `, above ${percent(most)}` : ''}`,
      },
    }}
  />
);

const nameOf = ({ source }: SourceStats) => knownSource(source).displayName;

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
      <figcaption data-split data-bottom="3" data-text="strong" data-tone="2">
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
