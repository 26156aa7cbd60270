/** The team's own reports. They stand beside the feeds and belong to none. */
import { isKnownAt, type OwnReport } from '#contract/shift/responses.ts';
import { useEffect, useMemo } from 'react';
import { Link } from 'wouter';
import type { Alert } from '../../api/alerts/disruptions.ts';
import { alertAddress, gradeOf, inOrder, titleOf } from '../../feeds/alerts/alerts.ts';
import { askWords } from '../../feeds/alerts/alertTimes.ts';
import { useClock } from '../../time/tickingClock.ts';
import { Severity } from '../../ui/signs/Severity.tsx';
import { stretchWords } from '../../watches/routeWords.ts';
import { ChangedMark } from '../changes/ChangedMark.tsx';
import { useStates } from '../inHand/inHandStates.ts';
import { useInHand, useInHandMark, useOurs } from '../inHand/inHandStore.ts';
import styles from '../inHand/inHand.module.css';

/** The reports in force, worst first. A device without a network also gives them up when their time has come. */
export function useOursInForce(reports: readonly OwnReport[]): readonly Alert[] {
  const ids = useClock((now) =>
    reports
      .filter(({ disruption }) => isKnownAt(disruption, now))
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

/** "2 ours", with the worst grade; leads to their list. Nothing when there are none. */
export function OursButton() {
  const [worst, ...rest] = useOurs();
  if (!worst) return null;

  return (
    <a href={`#${ID}`} data-tap="plain">
      <Severity grade={gradeOf(worst)} wordless />
      <span>
        <b>{rest.length + 1}</b> ours
      </span>
    </a>
  );
}

const ID = 'ours';

/** "Ours": reports of the team's drivers. */
export function Ours() {
  return <OursList ours={useOurs()} />;
}

/** The list at any time; nothing when it is empty. */
export function OursList({ ours }: { ours: readonly Alert[] }) {
  if (ours.length === 0) return null;

  return (
    <section className={styles.ours} id={ID} aria-labelledby={`${ID}-head`} tabIndex={-1}>
      <h2 id={`${ID}-head`} data-text="strong">
        Ours
      </h2>
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
  const when = useClock((now) => askWords(alert, now));
  return (
    <li data-links data-event={alert.event_id}>
      <Severity grade={gradeOf(alert)} />
      <Link href={alertAddress(alert)}>{titleOf(alert)}</Link>
      <span>
        {[
          alert.facts?.place ? '' : stretchWords(alert) || alert.metadata?.location_names?.[0],
          report?.by?.name,
        ]
          .filter(Boolean)
          .join(', ')}
      </span>
      <span>{inHand ? `✓ ${inHand}` : <ChangedMark of={alert} />}</span>
      <b>{when}</b>
    </li>
  );
}
