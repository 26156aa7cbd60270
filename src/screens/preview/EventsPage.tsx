import { pageAddress, pageAddressOf } from '#contract/addresses.ts';
import { PlusIcon } from '@phosphor-icons/react/dist/csr/Plus';
import { useState } from 'react';
import { Link } from 'wouter';
import { serverNow } from '../../time/freshness.ts';
import { isAdmin, useSession } from '../../session/session.ts';
import { Badge } from '../../ui/signs/StatusLine.tsx';
import { buttonLook } from '../../ui/controls/Button.tsx';
import { grouped } from '#contract/numbers.ts';
import { Figures, Panel } from '../../ui/page/Page.tsx';
import { GRADES } from '../../ui/signs/Severity.tsx';
import { Tally } from '../../ui/signs/Tally.tsx';
import styles from './EventsPage.module.css';
import {
  ALERTS,
  alertsOf,
  RiskRing,
  SamplePage,
  startOf,
  WATCHED,
  type WatchedEvent,
} from './SamplePage.tsx';

/** The events dashboard, with sample watched events. */
export function EventsPage() {
  const admin = useSession(isAdmin);
  const attendees = WATCHED.reduce((total, event) => total + event.attendees, 0);

  return (
    <SamplePage
      heading="Events dashboard"
      about="Events you are watching, worst first."
      aside={
        <div className={styles.acts} data-row="3">
          {admin && (
            <Link href={pageAddress('analytics')} {...buttonLook()}>
              Admin
            </Link>
          )}
          <Link href={pageAddress('eventSetup')} {...buttonLook({ kind: 'primary' })}>
            <PlusIcon weight="bold" aria-hidden /> Add New Event
          </Link>
        </div>
      }
    >
      <Figures
        figures={[
          {
            key: 'events',
            name: 'Active events',
            value: WATCHED.filter(({ status }) => status === 'Active').length,
          },
          { key: 'alerts', name: 'Active alerts', value: ALERTS.length },
          { key: 'attendees', name: 'Total attendees', value: `${Math.round(attendees / 1000)}K` },
        ]}
      />
      <Panel heading="Watched events">
        <ul className={styles.events} data-ruled>
          {WATCHED.map((event) => (
            <Watched key={event.id} event={event} />
          ))}
        </ul>
      </Panel>
    </SamplePage>
  );
}

function Watched({ event }: { event: WatchedEvent }) {
  const { id, name, venue, town, attendees, status, risk } = event;
  const [today] = useState(serverNow);
  const alerts = alertsOf(event);
  const counts = GRADES.map((grade) => ({
    grade,
    count: alerts.filter(({ severity }) => severity === grade).length,
  })).filter(({ count }) => count > 0);

  return (
    <li>
      <RiskRing score={risk} />
      <div>
        <h3>{name}</h3>
        <p>
          {venue}, {town}
        </p>
        <p data-tone="3">
          {startOf(event, today)} · {grouped(attendees)} attendees
        </p>
        <div className={styles.alerts} data-row="4">
          <Badge state={status === 'Active' ? 'on' : undefined}>{status}</Badge>
          {counts.length > 0 ? (
            <Tally label={`Alerts, ${name}`} counts={counts} />
          ) : (
            <span data-tone="3">No active alerts</span>
          )}
        </div>
      </div>
      <div className={styles.acts} data-row="3">
        <Link href={pageAddressOf('venue', id)} {...buttonLook()} aria-label={`View Venue Impact, ${name}`}>
          View Venue Impact
        </Link>
        <Link
          href={pageAddress('notifications')}
          {...buttonLook({ kind: 'quiet' })}
          aria-label={`View Alerts, ${name}`}
        >
          View Alerts
        </Link>
      </div>
    </li>
  );
}
