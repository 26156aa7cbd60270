/** The team's own reports beside the feeds, which they are no part of. */
import type { OwnReport } from '#contract/responses.ts';
import { useEffect, useMemo } from 'react';
import { Link } from 'wouter';
import type { Alert } from '../api/disruptions.ts';
import { alertAddress } from '../feeds/alertAddress.ts';
import { dateOf, gradeOf, inOrder, titleOf } from '../feeds/alerts.ts';
import { endOrStartWords } from '../feeds/times.ts';
import { useClock } from '../time/clock.ts';
import { Severity } from '../ui/Severity.tsx';
import { stretchWords } from '../watches/routeWords.ts';
import { useStates } from './inHandStates.ts';
import { useInHand, useInHandMark } from './inHandStore.ts';
import styles from './inHand.module.css';

/** Those whose time has not passed, worst first: a device without a network ends them too. */
export function useOursInForce(reports: readonly OwnReport[]): readonly Alert[] {
  const ids = useClock((now) =>
    reports
      .filter(({ disruption }) => (dateOf(disruption.end_time) ?? now) > now)
      .map(({ disruption }) => disruption.event_id)
      .join('\n'),
  );
  const ours = useMemo(() => {
    const inForce = new Set(ids.split('\n'));
    return inOrder(reports.map(({ disruption }) => disruption)).filter(({ event_id }) =>
      inForce.has(event_id),
    );
  }, [reports, ids]);
  useEffect(() => useInHand.setState({ ours }), [ours]);
  return ours;
}

const useAwake = () => {
  const { ours, snoozed } = useInHand();
  return ours.filter(({ event_id }) => !snoozed.has(event_id));
};

/** "2 ours", with the worst of them; leads to where they are listed. Nothing where they are not. */
export function OursButton() {
  const [worst, ...rest] = useAwake();
  if (!worst) return null;

  return (
    <a href={`#${ID}`} className={styles.snoozed}>
      <Severity grade={gradeOf(worst)} wordless />
      <span>
        <b>{rest.length + 1}</b> ours
      </span>
    </a>
  );
}

const ID = 'ours';

/** "Ours": what drivers reported to the team. */
export function Ours() {
  const ours = useAwake();
  if (ours.length === 0) return null;

  return (
    <section className={styles.ours} id={ID} aria-labelledby={`${ID}-head`} tabIndex={-1}>
      <h2 id={`${ID}-head`}>Ours</h2>
      <ul>
        {ours.map((alert) => (
          <Own key={alert.event_id} alert={alert} />
        ))}
      </ul>
    </section>
  );
}

function Own({ alert }: { alert: Alert }) {
  const report = useStates(({ reports }) =>
    reports.find(({ disruption }) => disruption.event_id === alert.event_id),
  );
  const inHand = useInHandMark(alert);
  const when = useClock((now) => endOrStartWords(alert, now));
  return (
    <li data-event={alert.event_id}>
      <Severity grade={gradeOf(alert)} />
      <Link href={alertAddress(alert)}>{titleOf(alert)}</Link>
      <span>
        {[stretchWords(alert) || alert.metadata?.location_names?.[0], report?.by?.name]
          .filter(Boolean)
          .join(', ')}
      </span>
      <span>{inHand && `✓ ${inHand}`}</span>
      <b>{when}</b>
    </li>
  );
}
