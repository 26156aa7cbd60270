import type { JobMark } from '#contract/watches/jobs.ts';
import { DISPOSITION_WORDS, SNOOZE_WORDS } from '#contract/shift/responseWords.ts';
import { useState } from 'react';
import { Link } from 'wouter';
import { pageAddressOf } from '#contract/addresses.ts';
import type { Alert } from '../../api/alerts/disruptions.ts';
import { titleOf } from '../../feeds/alerts/alerts.ts';
import { useClock } from '../../time/tickingClock.ts';
import { serverNow } from '../../time/freshness.ts';
import { formatDateTime } from '../../time/london.ts';
import { Button } from '../../ui/controls/Button.tsx';
import { Dialog } from '../../ui/dialogs/Dialog.tsx';
import { act, useStates } from './inHandStates.ts';
import { snoozeWords } from './inHandWords.ts';
import styles from './inHand.module.css';
import { type Doing, dropAction, sendQueue, useQueue } from './sendActions.ts';
import { isAsleep } from './useMarks.ts';

/** "5 snoozed"; opens what they are. Nothing while there are none. */
export function SnoozedButton({ alerts }: { alerts: ReadonlyMap<string, Alert> }) {
  const states = useStates((known) => known.states);
  const [open, setOpen] = useState(false);
  const asleep = (now: Date) =>
    [...states.values()].filter((state) => isAsleep(state, alerts.get(state.event_id), now));
  const count = useClock((now) => asleep(now).length);
  // The last was brought back: the next snooze must not open it by itself.
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

/** "Not sent yet (2)"; opens what waits. Nothing while all is sent. */
export function UnsentSign() {
  const items = useQueue((queue) => queue.items);
  const [open, setOpen] = useState(false);
  // An action on its way is not worth a sign.
  const waiting = items.filter(({ isLate, refused }) => isLate || refused !== null);
  const count = waiting.length;
  const isRefused = waiting.some(({ refused }) => refused !== null);

  return (
    <span role="status" data-waiting={count > 0 || undefined}>
      {count > 0 && (
        <button
          type="button"
          className={styles.unsent}
          data-tap
          data-text="note"
          aria-haspopup="dialog"
          onClick={() => setOpen(true)}
        >
          <span>
            <b>Not sent yet ({count}).</b>{' '}
            {isRefused ? 'The server did not take it.' : 'They go when the connection is back.'}
          </span>
        </button>
      )}
      {open && (
        <Dialog heading={`Not sent yet (${count})`} onClose={() => setOpen(false)}>
          <ul className={styles.list}>
            {waiting.map(({ id, at, title, doing, refused }) => (
              <li key={id}>
                <span>
                  {title}
                  <small>
                    {doingWords(doing)}, {formatDateTime(at)}
                  </small>
                  {refused && <b>{refused}</b>}
                </span>
                <Button small onClick={() => void dropAction(id)}>
                  {refused ? 'Dismiss' : 'Delete'}
                </Button>
              </li>
            ))}
          </ul>
          <div className={styles.last} data-row>
            <Button onClick={() => setOpen(false)}>Close</Button>
            <Button kind="primary" onClick={() => void sendQueue()}>
              Try again
            </Button>
          </div>
        </Dialog>
      )}
    </span>
  );
}

const MARK_WORDS: Readonly<Record<JobMark, string>> = {
  left: 'Left',
  arrived: 'Arrived',
  cancelled: 'Cancelled',
};

function doingWords(doing: Doing): string {
  switch (doing.kind) {
    case 'acknowledge':
      return DISPOSITION_WORDS[doing.disposition];
    case 'snooze':
      return doing.snooze === null ? 'End the snooze' : `Snooze: ${SNOOZE_WORDS[doing.snooze]}`;
    case 'reopen':
      return 'Reopen';
    case 'note':
      return `Note: “${doing.text}”`;
    case 'strike':
      return 'Strike out a note';
    case 'report':
      return ['A driver tells us', doing.report.road ?? doing.report.place].filter(Boolean).join(': ');
    case 'job':
      return doing.undo ? `Not ${MARK_WORDS[doing.mark].toLowerCase()}` : MARK_WORDS[doing.mark];
  }
}

/** "5 snoozed"; nothing while there are none. */
function SnoozedCount({ count, onOpen }: { count: number; onOpen: () => void }) {
  if (count === 0) return null;

  return (
    <button type="button" data-tap="plain" aria-haspopup="dialog" onClick={onOpen}>
      <svg viewBox="0 0 24 24" aria-hidden="true">
        <path d="M12 1a11 11 0 1 1 0 22 11 11 0 0 1 0-22zm0 3a8 8 0 1 0 0 16 8 8 0 0 0 0-16zm-1.4 2.500h2.800v5.200l3.600 2.100-1.400 2.400-5-2.900z" />
      </svg>
      <span>
        <b>{count}</b> snoozed
      </span>
    </button>
  );
}
