import { useEffect, useEffectEvent, useMemo, useState } from 'react';
import type { Alert } from '../api/alerts/disruptions.ts';
import { changeReport, reportsOf, responsesOf } from '../api/shift/responses.ts';
import type { InHandList } from '../api/shift/inHand.ts';
import { Answers } from './inHand/Answers.tsx';
import styles from './inHand/inHand.module.css';
import {
  act,
  ask,
  isAsleep,
  snoozeWords,
  useAsked,
  useMarks,
  useStateOf,
  useStates,
} from './inHand/inHandStates.ts';
import { useInHand } from './inHand/inHandStore.ts';
import { Ours, OursButton, useOursInForce } from './reports/Ours.tsx';
import { sendQueue, useUnknownAt, whenSent, withWaiting, type Doing } from './inHand/sendActions.ts';
import { Unsent } from './Unsent.tsx';
import {
  isKnownAt,
  type OwnReport,
  REPORT_LIMITS,
  type ReportChange,
  Disposition,
} from '#contract/shift/responses.ts';
import { SnoozeFor } from '#contract/shift/snoozes.ts';
import { useAction } from '../api/useAction.ts';
import { useSession } from '../session/session.ts';
import { useClock } from '../time/tickingClock.ts';
import { serverNow } from '../time/freshness.ts';
import { Button } from '../ui/controls/Button.tsx';
import { ProductSign } from '../ui/signs/ProductSign.tsx';
import { DISPOSITION_WORDS, isSnoozed, SNOOZE_WORDS } from '#contract/shift/responseWords.ts';
import { titleOf } from '../feeds/alerts/alerts.ts';
import { Dialog } from '../ui/dialogs/Dialog.tsx';
import { usePressed } from '../ui/page/useKeys.ts';
import { Link } from 'wouter';
import { pageAddressOf } from '#contract/addresses.ts';

/**
 * Everything that can be done about alerts: the buttons, the dialogs, the keys, and the actions that wait to be sent.
 */
export default function InHandFull({
  alerts,
  data,
  at,
  refresh,
  onBoard,
}: {
  /** The alerts that the page shows, by `event_id`. */
  alerts: ReadonlyMap<string, Alert>;
  /** The server's answer; null before the first. */
  data: InHandList | null;
  at: Date | null;
  refresh: () => void;
  /** True: the page lists the team's own reports itself. */
  onBoard: boolean;
}) {
  const unknown = useUnknownAt(at);
  const states = useMemo(
    () => withWaiting(data ? responsesOf(data) : [], [...unknown.taken, ...unknown.waiting]),
    [data, unknown],
  );
  const again = useEffectEvent(refresh);

  useEffect(() => whenSent(again), []);
  // The server has answered, so waiting actions can be sent.
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
    <div data-tight="1" data-row="3" data-only="screen">
      {onBoard && <OursButton />}
      <SnoozedButton alerts={all} />
      <Unsent />
      <StillHappening onAnswered={refresh} />
      <AnswerDialog />
    </div>
  );
}

/** `a` acknowledges and `s` snoozes the alert with the focus, or the only one on the page. */
function useAnswerKeys(alerts: ReadonlyMap<string, Alert>): void {
  usePressed((event) => {
    const { key, target } = event;
    if (key !== 'a' && key !== 's') return;
    if (!(target instanceof Element) || !useStates.getState().isLoaded) return;
    if (document.querySelector('[data-letters="off"]')) return;
    const all = document.querySelectorAll<HTMLElement>('[data-event]');
    const row = target.closest<HTMLElement>('[data-event]') ?? (all.length === 1 ? all[0] : undefined);
    const alert = alerts.get(row?.dataset['event'] ?? '');
    if (!alert) return;
    event.preventDefault();
    if (key === 's') ask(alert, 'snooze');
    else void act(alert, { kind: 'acknowledge', disposition: 'dealing_with_it' });
  });
}

/** Asks the author of a report whether it still holds, at the time that the report gave. Without an answer the
 *  report is given up. */
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
  // The list without this question is still on its way.
  if (isAnswered) return null;
  const later = () => new Date(serverNow().getTime() + REPORT_LIMITS.defaultMs).toISOString();

  return (
    <ProductSign>
      <b>Still happening?</b> {report.disruption.title}{' '}
      <Button small aria-disabled={isBusy} onClick={() => void answer({ ask_again_at: later() })}>
        Yes, 2 h more
      </Button>{' '}
      <Button small aria-disabled={isBusy} onClick={() => void answer({ ended: true })}>
        It is over
      </Button>{' '}
      {failure}
    </ProductSign>
  );
}

const close = () => useAsked.setState({ alert: null, only: null });

/** The dialog with all answers to one alert. */
function AnswerDialog() {
  const { alert, only } = useAsked();
  return alert && <Choices alert={alert} only={only} />;
}

function Choices({ alert, only }: { alert: Alert; only: 'snooze' | null }) {
  const state = useStateOf(alert);
  const choose = (doing: Doing) => {
    close();
    void act(alert, doing);
  };

  return (
    <Dialog heading={only ? 'Snooze' : 'Acknowledge'} onClose={close}>
      <p>{titleOf(alert)}</p>
      {!only && (
        <ul className={styles.choices} data-row aria-label="Acknowledge">
          {Disposition.options.map((disposition) => (
            <li key={disposition}>
              <Button
                data-toggle
                aria-pressed={state.disposition === disposition && state.lapsed === null}
                onClick={() => choose({ kind: 'acknowledge', disposition })}
              >
                {DISPOSITION_WORDS[disposition]}
              </Button>
            </li>
          ))}
        </ul>
      )}
      {!only && <h3>Snooze</h3>}
      <ul className={styles.choices} data-row aria-label="Snooze">
        {isSnoozed(state, serverNow()) && (
          <li>
            <Button onClick={() => choose({ kind: 'snooze', snooze: null })}>End the snooze</Button>
          </li>
        )}
        {SnoozeFor.options.map((snooze) => (
          <li key={snooze}>
            <Button onClick={() => choose({ kind: 'snooze', snooze })}>{SNOOZE_WORDS[snooze]}</Button>
          </li>
        ))}
      </ul>
      <div className={styles.last} data-row>
        {!only && state.disposition !== null && (
          <Button onClick={() => choose({ kind: 'reopen' })}>Reopen</Button>
        )}
        <Button onClick={close}>Cancel</Button>
      </div>
    </Dialog>
  );
}

/** "5 snoozed"; opens the list of them. Nothing while there are none. */
function SnoozedButton({ alerts }: { alerts: ReadonlyMap<string, Alert> }) {
  const states = useStates((known) => known.states);
  const [open, setOpen] = useState(false);
  const asleep = (now: Date) =>
    [...states.values()].filter((state) => isAsleep(state, alerts.get(state.event_id), now));
  const count = useClock((now) => asleep(now).length);
  // The last one was brought back: the next snooze must not open the list by itself.
  if (count === 0 && open) setOpen(false);
  if (count === 0) return null;
  const now = serverNow();

  return (
    <>
      <SnoozedCount count={count} onOpen={() => setOpen(true)} />
      {open && (
        <Dialog heading={`${count} snoozed`} onClose={() => setOpen(false)}>
          <ul className={styles.list}>
            {asleep(now).map((state) => {
              const alert = alerts.get(state.event_id) ?? { event_id: state.event_id };
              return (
                <li key={state.event_id}>
                  <span>
                    <Link href={pageAddressOf('alert', state.event_id)}>
                      {alerts.has(state.event_id) ? titleOf(alert) : 'An alert that is not on this page'}
                    </Link>
                    <small data-text="note">
                      {[snoozeWords(state, now), state.snooze?.by?.name].filter(Boolean).join(', ')}
                    </small>
                  </span>
                  <Button small onClick={() => void act(alert, { kind: 'snooze', snooze: null })}>
                    Bring back
                  </Button>
                </li>
              );
            })}
          </ul>
          <div className={styles.last} data-row>
            <Button onClick={() => setOpen(false)}>Close</Button>
          </div>
        </Dialog>
      )}
    </>
  );
}

/** "5 snoozed"; nothing while there are none. */
function SnoozedCount({ count, onOpen }: { count: number; onOpen: () => void }) {
  if (count === 0) return null;

  return (
    <button type="button" data-tap="plain" aria-haspopup="dialog" onClick={onOpen}>
      <svg viewBox="0 0 24 24" width="1em" height="1em" fill="currentColor" aria-hidden="true">
        <path d="M12 1a11 11 0 1 1 0 22 11 11 0 0 1 0-22zm0 3a8 8 0 1 0 0 16 8 8 0 0 0 0-16zm-1.4 2.500h2.800v5.200l3.600 2.100-1.400 2.400-5-2.900z" />
      </svg>
      <span>
        <b>{count}</b> snoozed
      </span>
    </button>
  );
}
