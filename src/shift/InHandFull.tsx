import { useEffect, useEffectEvent, useMemo } from 'react';
import type { Alert } from '../api/alerts/disruptions.ts';
import type { InHandList } from '../api/shift/inHand.ts';
import { reportsOf, responsesOf } from '../api/shift/responses.ts';
import { AnswerDialog } from './inHand/AnswerDialog.tsx';
import { Answers } from './inHand/Answers.tsx';
import { SnoozedButton, UnsentSign } from './inHand/InHandBar.tsx';
import styles from './inHand/inHand.module.css';
import { act, ask, useStates } from './inHand/inHandStates.ts';
import { useInHand } from './inHand/inHandStore.ts';
import { Ours, OursButton, useOursInForce } from './reports/Ours.tsx';
import { resumeQueue, sendQueue, useUnknownAt, whenSent, withWaiting } from './inHand/sendActions.ts';
import { StillHappening } from './reports/StillHappening.tsx';
import { useMarks } from './inHand/useMarks.ts';

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
