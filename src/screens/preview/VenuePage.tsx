import { pageAddress } from '#contract/addresses.ts';
import { CloudRainIcon } from '@phosphor-icons/react/dist/csr/CloudRain';
import { ShieldWarningIcon } from '@phosphor-icons/react/dist/csr/ShieldWarning';
import { TrainIcon } from '@phosphor-icons/react/dist/csr/Train';
import { UsersThreeIcon } from '@phosphor-icons/react/dist/csr/UsersThree';
import { type ReactNode, useState } from 'react';
import { Link } from 'wouter';
import { serverNow } from '../../time/freshness.ts';
import { buttonLook } from '../../ui/controls/Button.tsx';
import { grouped } from '#contract/numbers.ts';
import { Panel } from '../../ui/page/Page.tsx';
import { Tabs } from '../../ui/page/Tabs.tsx';
import { AlertRows, endOf, IMPACTS, RiskRing, SamplePage, startOf, WATCHED } from './SamplePage.tsx';
import styles from './VenuePage.module.css';

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
      <div className={styles.columns} data-columns="60" data-align="start">
        <Panel heading="Overall risk">
          <div className={styles.overall} data-row="6">
            <RiskRing score={event.risk} large />
            <dl className={styles.facts} data-facts>
              <dt>Date</dt>
              <dd>{startOf(event, today)}</dd>
              <dt>Ends</dt>
              <dd>{endOf(event, today)}</dd>
              <dt>Attendees</dt>
              <dd>{grouped(event.attendees)}</dd>
              <dt>Status</dt>
              <dd>{event.status}</dd>
              <dt>Nearest rail</dt>
              <dd>{event.nearestRail}</dd>
            </dl>
          </div>
        </Panel>
        <Panel heading="Impact">
          <Tabs label="Impact" tabs={PARTS} value={part} onChange={setPart}>
            {part === 'transport' || part === 'weather' ? (
              <AlertRows
                rows={IMPACTS[part].map((impact) => ({ ...impact, key: impact.title, small: impact.scope }))}
              />
            ) : (
              <p className={styles.nothing}>
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
