import { useEffect, useEffectEvent, useMemo, useState } from 'react';
import type { Alert } from '../api/alerts/disruptions.ts';
import type { InHandList } from '../api/shift/inHand.ts';
import { reportsOf, responsesOf, changeReport } from '../api/shift/responses.ts';
import { AnswerDialog } from './inHand/AnswerDialog.tsx';
import { Answers } from './inHand/Answers.tsx';
import { SnoozedButton, UnsentSign } from './inHand/InHandBar.tsx';
import styles from './inHand/inHand.module.css';
import { act, ask, useStates } from './inHand/inHandStates.ts';
import { useInHand } from './inHand/inHandStore.ts';
import { Ours, OursButton, useOursInForce } from './reports/Ours.tsx';
import { resumeQueue, sendQueue, useUnknownAt, whenSent, withWaiting } from './inHand/sendActions.ts';
import { useMarks } from './inHand/useMarks.ts';
import { isKnownAt, type OwnReport, REPORT_LIMITS, type ReportChange } from '#contract/shift/responses.ts';
import { useAction } from '../api/useAction.ts';
import { useSession } from '../session/session.ts';
import { useClock } from '../time/tickingClock.ts';
import { serverNow } from '../time/freshness.ts';
import { Button } from '../ui/controls/Button.tsx';
import { TempSign } from '../ui/signs/TempSign.tsx';

/** All that can be done about alerts: the buttons, the dialogs, the keys, and what waits to be sent. */
export default function InHandFull({
  alerts,
  data,
  at,
  refresh,
  onBoard,
}: {
  /** The alerts that the page shows, by `event_id`. */
  alerts: ReadonlyMap<string, Alert>;
  /** The server's word; null before its first answer. */
  data: InHandList | null;
  at: Date | null;
  refresh: () => void;
  /** The page lists the team's own reports by themselves. */
  onBoard: boolean;
}) {
  const unknown = useUnknownAt(at);
  const states = useMemo(
    () => withWaiting(data ? responsesOf(data) : [], [...unknown.taken, ...unknown.waiting]),
    [data, unknown],
  );
  const again = useEffectEvent(refresh);

  useEffect(() => {
    const stop = whenSent(again);
    void resumeQueue();
    const send = () => void sendQueue();
    addEventListener('online', send);
    return () => {
      stop();
      removeEventListener('online', send);
    };
  }, []);
  // The server has answered: what waits can be sent.
  useEffect(() => {
    if (at) void sendQueue();
  }, [at]);
  const reports = useMemo(() => (data ? reportsOf(data) : []), [data]);
  useEffect(() => {
    useStates.setState({ states, reports, isLoaded: data !== null });
  }, [states, reports, data]);
  useEffect(() => useInHand.setState({ Answers, listed: <Ours /> }), []);
  const ours = useOursInForce(reports);
  const all = useMemo(
    () => new Map([...alerts, ...ours.map((alert) => [alert.event_id, alert] as const)]),
    [alerts, ours],
  );
  useMarks(all, states);
  useAnswerKeys(all);

  return (
    <div className={styles.bar} data-row="3">
      {onBoard && <OursButton />}
      <SnoozedButton alerts={all} />
      <UnsentSign />
      <StillHappening onAnswered={refresh} />
      <AnswerDialog />
    </div>
  );
}

/** `a` acknowledges and `s` snoozes the alert in the focus, or the only one on the page. */
function useAnswerKeys(alerts: ReadonlyMap<string, Alert>): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    const { key, target } = event;
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (key !== 'a' && key !== 's') return;
    if (document.querySelector('dialog[open]') || !useStates.getState().isLoaded) return;
    if (!(target instanceof Element) || target.closest(TYPED)) return;
    if (document.querySelector('[data-letters="off"]')) return;
    const all = document.querySelectorAll<HTMLElement>('[data-event]');
    const row = target.closest<HTMLElement>('[data-event]') ?? (all.length === 1 ? all[0] : undefined);
    const alert = alerts.get(row?.dataset['event'] ?? '');
    if (!alert) return;
    event.preventDefault();
    if (key === 's') ask(alert, 'snooze');
    else void act(alert, { kind: 'acknowledge', disposition: 'dealing_with_it' });
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => press(event);
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, []);
}

/** Nothing is typed into a switch. */
const TYPED = 'input:not([type="radio"], [type="checkbox"]), select, textarea, [contenteditable]';

/** Asks the author of a report whether it still holds, when it said that it would; without an answer it is given up. */
function StillHappening({ onAnswered }: { onAnswered: () => void }) {
  const reports = useStates((known) => known.reports);
  const me = useSession(({ user }) => user?.id);
  const due = useClock(
    (now) =>
      reports.find(({ by, disruption }) => by?.id === me && isAskedAbout(disruption, now))?.disruption
        .event_id ?? null,
  );
  const report = reports.find(({ disruption }) => disruption.event_id === due);
  return report ? <Question key={due} report={report} onAnswered={onAnswered} /> : null;
}

function isAskedAbout(report: OwnReport['disruption'], now: Date): boolean {
  const at = report.metadata.ask_again_at;
  return at !== undefined && Date.parse(at) <= now.getTime() && isKnownAt(report, now);
}

function Question({ report, onAnswered }: { report: OwnReport; onAnswered: () => void }) {
  const { run, isBusy, failure } = useAction();
  const [isAnswered, setAnswered] = useState(false);
  const answer = (change: ReportChange) =>
    run(async () => {
      await changeReport(report.disruption.event_id, report.rev, change);
      setAnswered(true);
      onAnswered();
    }, 'Unable to save this');
  // The list that says so too is still on its way.
  if (isAnswered) return null;
  const later = () => new Date(serverNow().getTime() + REPORT_LIMITS.defaultMs).toISOString();

  return (
    <TempSign>
      <b>Still happening?</b> {report.disruption.title}{' '}
      <Button small aria-disabled={isBusy} onClick={() => void answer({ ask_again_at: later() })}>
        Yes, 2 h more
      </Button>{' '}
      <Button small aria-disabled={isBusy} onClick={() => void answer({ ended: true })}>
        It is over
      </Button>{' '}
      {failure}
    </TempSign>
  );
}
