/** Actions and reports that this browser has not sent yet: their names, and how to correct them, give them up or
 *  send them again. */
import type { JobMark } from '#contract/watches/jobs.ts';
import { lazy, Suspense, useEffect, useState } from 'react';
import { formatDateTime } from '../time/london.ts';
import { Button } from '../ui/controls/Button.tsx';
import { Confirm, Dialog } from '../ui/dialogs/Dialog.tsx';
import { DISPOSITION_WORDS, SNOOZE_WORDS } from '#contract/shift/responseWords.ts';
import styles from './inHand/inHand.module.css';
import { type Doing, dropAction, resumeQueue, sendQueue, useQueue } from './inHand/sendActions.ts';

const CorrectReport = lazy(async () => ({
  default: (await import('./reports/DriverTells.tsx')).CorrectReport,
}));

/** "Not sent yet (2)"; opens the list of them. Nothing when all is sent. While this is on the page, waiting actions
 *  are sent. */
export function Unsent() {
  const items = useQueue((queue) => queue.items);
  const [open, setOpen] = useState(false);
  // An action that is on its way needs no sign.
  const waiting = items.filter(({ isLate, refused }) => isLate || refused !== null);
  const count = waiting.length;
  // The last one is gone: the next one must not open the list by itself.
  if (count === 0 && open) setOpen(false);
  const [correcting, setCorrecting] = useState<string | null>(null);
  const wrong = waiting.find(({ id }) => id === correcting);
  const [dropping, setDropping] = useState<string | null>(null);
  const lost = waiting.find(({ id }) => id === dropping);
  const isRefused = waiting.some(({ refused }) => refused !== null);

  useEffect(() => {
    void resumeQueue();
    const send = () => void sendQueue();
    addEventListener('online', send);
    return () => removeEventListener('online', send);
  }, []);

  return (
    <span role="status" data-waiting={count > 0 || undefined}>
      {count > 0 && (
        <button
          type="button"
          className={styles.unsent}
          data-forced="frame"
          data-stripes
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
      {wrong?.doing.kind === 'report' && (
        <Suspense fallback={null}>
          <CorrectReport
            before={{ ...wrong.doing.report, at: wrong.at }}
            onClose={() => setCorrecting(null)}
            onMade={() => dropAction(wrong.id)}
          />
        </Suspense>
      )}
      {lost && (
        <Confirm
          heading={lost.refused ? 'Dismiss' : 'Delete'}
          act={lost.refused ? 'Dismiss it' : 'Delete it'}
          onAct={() => {
            setDropping(null);
            void dropAction(lost.id);
          }}
          onCancel={() => setDropping(null)}
        >
          <p>
            “{lost.title}” ({doingWords(lost.doing)}) is deleted from this device. This cannot be undone.
          </p>
        </Confirm>
      )}
      {open && !lost && (
        <Dialog heading={`Not sent yet (${count})`} onClose={() => setOpen(false)}>
          <ul className={styles.list}>
            {waiting.map(({ id, at, title, doing, refused }) => (
              <li key={id}>
                <span>
                  {title}
                  <small data-block>
                    {doingWords(doing)}, {formatDateTime(at)}
                  </small>
                  {refused && <b data-block>{refused}</b>}
                </span>
                {refused && doing.kind === 'report' && (
                  <Button
                    small
                    onClick={() => {
                      setOpen(false);
                      setCorrecting(id);
                    }}
                  >
                    Correct
                  </Button>
                )}
                <Button small onClick={() => (isTyped(doing) ? setDropping(id) : void dropAction(id))}>
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

/** Whether it holds words that somebody would have to type again. */
const isTyped = ({ kind }: Doing) => kind === 'report' || kind === 'note';

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
