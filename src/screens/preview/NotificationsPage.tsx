import { useState } from 'react';
import { pageAddress } from '#contract/addresses.ts';
import { Severity as Level } from '#contract/incidents/disruptions.ts';
import { Link } from 'wouter';
import { serverNow } from '../../time/freshness.ts';
import { Figures } from '../../ui/page/Page.tsx';
import { GRADE_WORDS, Severity } from '../../ui/signs/Severity.tsx';
import { SegmentedSwitch } from '../../ui/controls/SegmentedSwitch.tsx';
import { TimeAgo } from '../../time/TimeAgo.tsx';
import { AlertRows, ALERTS, eventOf, SamplePage, timeOf } from './SamplePage.tsx';
import styles from './NotificationsPage.module.css';

/** The words of the switch. */
const WORDS = { ...GRADE_WORDS, medium: 'Moderate' };

type Filter = 'all' | 'critical' | 'medium';
const FILTERS: readonly { value: Filter; label: string }[] = [
  { value: 'all', label: 'All' },
  { value: 'critical', label: 'Critical Only' },
  { value: 'medium', label: 'Moderate Only' },
];

/** Samples of alerts for watched events, counted and filtered by severity. */
export function NotificationsPage() {
  const [filter, setFilter] = useState<Filter>('all');
  const [now] = useState(serverNow);
  const shown = ALERTS.filter(({ severity }) => filter === 'all' || severity === filter);

  return (
    <SamplePage heading="Notifications" about="Alerts for the events you watch.">
      <p>
        <Link href={pageAddress('list')}>All alerts in force now</Link>
      </p>
      <div className={styles.counts}>
        <Figures
          figures={Level.options.map((level) => ({
            key: level,
            name: <Severity grade={level} word={WORDS[level]} plate />,
            value: ALERTS.filter(({ severity }) => severity === level).length,
          }))}
        />
      </div>
      <div className={styles.filter}>
        <SegmentedSwitch label="Filter by severity" options={FILTERS} value={filter} onChange={setFilter} />
      </div>
      <div className={styles.alerts}>
        <h2>
          <span data-hidden>Alerts</span>
        </h2>
        <AlertRows
          words={WORDS}
          rows={shown.map((alert) => ({
            key: alert.id,
            severity: alert.severity,
            title: alert.title,
            line: alert.line,
            small: (
              <>
                {eventOf(alert).name} · <TimeAgo at={timeOf(alert, now)} />
              </>
            ),
          }))}
        />
      </div>
    </SamplePage>
  );
}
