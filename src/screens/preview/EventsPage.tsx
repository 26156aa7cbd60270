import { pageAddress, pageAddressOf } from '#contract/addresses.ts';
import { PlusIcon } from '@phosphor-icons/react/dist/csr/Plus';
import { type ReactNode, useState } from 'react';
import { Link } from 'wouter';
import { serverNow } from '../../time/freshness.ts';
import { isAdmin, useSession } from '../../session/session.ts';
import { Badge } from '../../ui/signs/StatusLine.tsx';
import { buttonLook } from '../../ui/controls/Button.tsx';
import { grouped } from '#contract/numbers.ts';
import { Facts } from '../../ui/page/Facts.tsx';
import { Figures, Panel } from '../../ui/page/Page.tsx';
import { GRADE_WORDS, GRADES, Severity } from '../../ui/signs/Severity.tsx';
import { Tally } from '../../ui/signs/Tally.tsx';
import styles from './EventsPage.module.css';
import {
  AlertRows,
  ALERTS,
  alertsOf,
  endOf,
  eventOf,
  IMPACTS,
  RiskRing,
  SamplePage,
  startOf,
  timeOf,
  WATCHED,
  type WatchedEvent,
} from './SamplePage.tsx';
import { CloudRainIcon } from '@phosphor-icons/react/dist/csr/CloudRain';
import { ShieldWarningIcon } from '@phosphor-icons/react/dist/csr/ShieldWarning';
import { TrainIcon } from '@phosphor-icons/react/dist/csr/Train';
import { UsersThreeIcon } from '@phosphor-icons/react/dist/csr/UsersThree';
import { Tabs } from '../../ui/page/Tabs.tsx';
import venue from './VenuePage.module.css';
import { Severity as Level } from '#contract/incidents/severity.ts';
import { SegmentedSwitch } from '../../ui/controls/SegmentedSwitch.tsx';
import { TimeAgo } from '../../time/TimeAgo.tsx';
import told from './NotificationsPage.module.css';

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

type Part = 'transport' | 'weather' | 'security' | 'crowds';
const PARTS: readonly { value: Part; label: ReactNode }[] = [
  { value: 'transport', label: withIcon(<TrainIcon weight="fill" aria-hidden />, 'Transport') },
  { value: 'weather', label: withIcon(<CloudRainIcon weight="fill" aria-hidden />, 'Weather') },
  { value: 'security', label: withIcon(<ShieldWarningIcon weight="fill" aria-hidden />, 'Security') },
  { value: 'crowds', label: withIcon(<UsersThreeIcon weight="fill" aria-hidden />, 'Crowds') },
];

/** A watched venue's day: one sample, the same for every event. */
export function VenuePage() {
  const [part, setPart] = useState<Part>('transport');
  const [today] = useState(serverNow);
  const event = WATCHED[0]!;

  return (
    <SamplePage
      heading={event.name}
      about={`${event.venue}, ${event.town} ${event.postcode}`}
      aside={
        <Link href={pageAddress('events')} {...buttonLook()}>
          Back to events
        </Link>
      }
    >
      <div className={venue.columns} data-columns="60" data-align="start">
        <Panel heading="Overall risk">
          <div className={venue.overall} data-row="6">
            <RiskRing score={event.risk} large />
            <Facts
              data-top="4"
              facts={[
                ['Date', startOf(event, today)],
                ['Ends', endOf(event, today)],
                ['Attendees', grouped(event.attendees)],
                ['Status', event.status],
                ['Nearest rail', event.nearestRail],
              ]}
            />
          </div>
        </Panel>
        <Panel heading="Impact">
          <Tabs label="Impact" tabs={PARTS} value={part} onChange={setPart}>
            {part === 'transport' || part === 'weather' ? (
              <AlertRows
                rows={IMPACTS[part].map((impact) => ({ ...impact, key: impact.title, small: impact.scope }))}
              />
            ) : (
              <p data-pad="5" data-tone="2">
                The sample has nothing on {part === 'security' ? 'security' : 'crowds'}.
              </p>
            )}
          </Tabs>
        </Panel>
      </div>
    </SamplePage>
  );
}

function withIcon(icon: ReactNode, word: string) {
  return (
    <>
      {icon} {word}
    </>
  );
}

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
      <div className={told.counts}>
        <Figures
          figures={Level.options.map((level) => ({
            key: level,
            name: <Severity grade={level} word={WORDS[level]} plate />,
            value: ALERTS.filter(({ severity }) => severity === level).length,
          }))}
        />
      </div>
      <div className={told.filter}>
        <SegmentedSwitch label="Filter by severity" options={FILTERS} value={filter} onChange={setFilter} />
      </div>
      <div data-top="5">
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
