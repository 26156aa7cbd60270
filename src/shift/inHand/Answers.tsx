import { DISPOSITION_WORDS, isAcknowledged } from '#contract/shift/responseWords.ts';
import { CaretDownIcon } from '@phosphor-icons/react/dist/csr/CaretDown';
import { CheckIcon } from '@phosphor-icons/react/dist/csr/Check';
import { type ReactNode, useEffect, useRef } from 'react';
import type { Alert } from '../../api/alerts/disruptions.ts';
import { useClock } from '../../time/tickingClock.ts';
import { Button } from '../../ui/controls/Button.tsx';
import { useKeptFocus } from '../../ui/useKeptFocus.ts';
import {
  act,
  ask,
  lapseWords,
  snoozeWords,
  undo,
  useStateOf,
  useStates,
  useUndo,
  whoWords,
} from './inHandStates.ts';
import styles from './inHand.module.css';
import { dropAction, useQueue, type WaitingAction } from './sendActions.ts';

/** How long a press on "Acknowledge" must last to open the other answers. */
const LONG_PRESS_MS = 500;
/** How long the page says who was first. */
const TOLD_MS = 10_000;

/** Who has this alert in hand, and the buttons to take it. `children`: other buttons, on the same line. */
export function Answers({
  alert,
  large = false,
  children,
}: {
  alert: Alert;
  large?: boolean;
  children?: ReactNode;
}) {
  const state = useStateOf(alert);
  const who = useClock((now) => whoWords(state, now));
  const lapsed = useClock((now) => lapseWords(state, now));
  const snoozed = useClock((now) => snoozeWords(state, now));
  const small = !large;
  const name = { 'aria-haspopup': 'dialog' as const };
  const isLoaded = useStates((known) => known.isLoaded);
  // The focus never goes to "Undo": a second press of the same key must not undo the first.
  const place = useKeptFocus<HTMLSpanElement>('[aria-haspopup]');
  // Before the first answer nobody knows who has it.
  if (!isLoaded && !children) return null;

  return (
    <span className={styles.answers} data-split="3" data-answers data-large={large || undefined}>
      <span className={styles.said} data-tone="2" data-break data-row="3" data-tight role="status">
        {isLoaded && (
          <>
            <Refused eventId={state.event_id} alert={alert} />
            {who && (
              <b data-tone="1">
                <CheckIcon weight="bold" aria-hidden /> {who}
              </b>
            )}
            {lapsed && <span>{lapsed}</span>}
            {snoozed && <span>{snoozed}</span>}
          </>
        )}
      </span>
      <span className={styles.buttons} data-row data-only="screen" {...place}>
        {isLoaded && (
          <>
            <Undo alert={alert} eventId={state.event_id} small={small} />
            {isAcknowledged(state) ? (
              <Button small={small} {...name} onClick={() => ask(alert)}>
                Change
              </Button>
            ) : (
              <span className={styles.split}>
                <Acknowledge alert={alert} large={large} />
                <Button
                  small={small}
                  kind={large ? 'primary' : 'default'}
                  {...name}
                  aria-label="Other answers"
                  onClick={() => ask(alert)}
                >
                  <CaretDownIcon weight="bold" aria-hidden />
                </Button>
              </span>
            )}
            {large && !snoozed && (
              <Button {...name} onClick={() => ask(alert, 'snooze')}>
                Snooze
              </Button>
            )}
          </>
        )}
        {children}
      </span>
    </span>
  );
}

/** A tap acknowledges; a long press opens the other answers. */
function Acknowledge({ alert, large }: { alert: Alert; large: boolean }) {
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const wasLong = useRef(false);
  const stop = () => clearTimeout(timer.current);
  useEffect(() => () => clearTimeout(timer.current), []);

  return (
    <Button
      small={!large}
      kind={large ? 'primary' : 'default'}
      onPointerDown={() => {
        wasLong.current = false;
        stop();
        timer.current = setTimeout(() => {
          wasLong.current = true;
          ask(alert);
        }, LONG_PRESS_MS);
      }}
      onPointerUp={stop}
      onPointerLeave={stop}
      onPointerCancel={stop}
      onContextMenu={(event) => event.preventDefault()}
      onClick={(event) => {
        event.stopPropagation();
        if (wasLong.current) return;
        void act(alert, { kind: 'acknowledge', disposition: 'dealing_with_it' });
      }}
    >
      Acknowledge
    </Button>
  );
}

function Undo({ alert, eventId, small }: { alert: Alert; eventId: string; small: boolean }) {
  const { action, until } = useUndo();
  const left = useClock(() => Math.max(0, Math.ceil((until - Date.now()) / 1000)));
  if (action?.event_id !== eventId || left === 0) return null;
  const late = action.doing.kind === 'note' || action.doing.kind === 'strike';
  return late ? null : (
    <Button small={small} onClick={() => void undo(alert)}>
      Undo, {left} s
    </Button>
  );
}

/** The last action about an incident or a job, if the server refused it. Shown for a while. */
export function useRefused(subjectId: string): WaitingAction | undefined {
  const refused = useQueue(({ items }) =>
    items.findLast((item) => item.event_id === subjectId && item.refused !== null),
  );
  const id = refused?.id;
  // Actions that were done without a network wait in the list until somebody has read them.
  const goes = refused !== undefined && !refused.isLate;
  useEffect(() => {
    if (!id || !goes) return undefined;
    const timer = setTimeout(() => void dropAction(id), TOLD_MS);
    return () => clearTimeout(timer);
  }, [id, goes]);
  return refused;
}

/** Why the server refused an action: who was first, and when. The person's own choice stays one tap away. */
function Refused({ eventId, alert }: { eventId: string; alert: Alert }) {
  const refused = useRefused(eventId);
  if (!refused) return null;
  const { doing } = refused;

  return (
    <>
      <b>{refused.refused}</b>
      {doing.kind === 'acknowledge' && (
        <Button
          small
          kind="quiet"
          onClick={() => {
            void dropAction(refused.id);
            void act(alert, doing);
          }}
        >
          {DISPOSITION_WORDS[doing.disposition]} all the same
        </Button>
      )}
    </>
  );
}
