import type { SourceStats } from '#contract/history/history.ts';
import { MARKED_MOST } from '#contract/feeds/sourceReports.ts';
import { knownSource } from '#contract/feeds/sources.ts';
import { loadSourceStats } from '../../api/alerts/history.ts';
import { useLoad } from '../../api/useLoad.ts';
import { Notice } from '../../ui/signs/Notice.tsx';
import { grouped } from '../../ui/numbers.ts';
import { Panel } from '../../ui/page/Panel.tsx';
import { Table } from '../../ui/page/Table.tsx';

/** How reliable each source was in a week, and what was marked of the messages sent about it. */
export function Reliability() {
  const { reload: _, ...stats } = useLoad(loadSourceStats, 'Unable to load the reliability of sources');
  const sources = 'data' in stats ? (stats.data ?? []) : [];
  const sent = sources.filter((one) => one.sent > 0 || one.not_ours > 0);

  return (
    <>
      <Panel heading="Source reliability (7 days)">
        {stats.state === 'loading' && <p role="status">Loading...</p>}
        {stats.state === 'failed' && <Notice>{stats.message}</Notice>}
        {stats.state === 'ready' && sources.length === 0 && <p>No source was asked yet</p>}
        {sources.length > 0 && (
          <Table
            label="Source reliability (7 days)"
            head={
              <>
                <th>Source</th>
                <th data-number>Available</th>
                <th data-number>Notice</th>
                <th data-number>Late closures</th>
                <th data-number>Lost</th>
                <th data-number>Changes each</th>
                <th data-number>Flaps</th>
              </>
            }
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
    head={
      <>
        <th>Source</th>
        <th data-number>Sent</th>
        <th data-number>Marked not ours</th>
        <th data-number>Share</th>
      </>
    }
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
