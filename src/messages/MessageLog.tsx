import { CheckIcon } from '@phosphor-icons/react/dist/csr/Check';
import { MinusIcon } from '@phosphor-icons/react/dist/csr/Minus';
import { XIcon } from '@phosphor-icons/react/dist/csr/X';
import { matchAddress, pageAddressOf } from '#contract/addresses.ts';
import { useState } from 'react';
import { Link } from 'wouter';
import type { Message } from '../api/messages.ts';
import { serverNow } from '../time/freshness.ts';
import { formatClock, formatDay } from '../time/london.ts';
import { Button } from '../ui/Button.tsx';
import { Notice } from '../ui/Notice.tsx';
import { SegmentedSwitch } from '../ui/SegmentedSwitch.tsx';
import { Severity } from '../ui/Severity.tsx';
import { VisuallyHidden } from '../ui/VisuallyHidden.tsx';
import { NotOurs } from './NotOurs.tsx';
import styles from './MessageLog.module.css';

type Shown = 'all' | 'sent' | 'held';

const SHOWN: Readonly<Record<Shown, (message: Message) => boolean>> = {
  all: () => true,
  sent: ({ state }) => state === 'sent' || state === 'waiting',
  held: ({ state }) => state === 'held' || state === 'failed' || state === 'dropped',
};

/** Symbols of the reason, never of severity. */
const REASONS = {
  sent: CheckIcon,
  waiting: MinusIcon,
  held: MinusIcon,
  failed: XIcon,
  dropped: XIcon,
} as const;

/** In the server's order: unseen first, then newest first. */
export function MessageLog({
  messages,
  unseen,
  isLoaded,
  failure,
  onRetry,
  onOlder,
}: {
  messages: readonly Message[];
  unseen: number;
  isLoaded: boolean;
  failure: string | null;
  onRetry: () => void;
  onOlder: (() => void) | null;
}) {
  const [shown, setShown] = useState<Shown>('all');
  const listed = messages.filter(SHOWN[shown]);

  return (
    <section className={styles.log} aria-labelledby="message-log">
      <div className={styles.head}>
        <h2 id="message-log">{!isLoaded ? 'Not loaded' : unseen > 0 ? `${unseen} unseen` : 'All seen'}</h2>
        <SegmentedSwitch
          label="Show"
          value={shown}
          onChange={setShown}
          options={[
            { value: 'all', label: 'All' },
            { value: 'sent', label: 'Sent' },
            { value: 'held', label: 'Held back' },
          ]}
        />
      </div>
      {failure && (
        <div className={styles.failed}>
          <Notice>{failure}</Notice>
          <Button small onClick={onRetry}>
            Try again
          </Button>
        </div>
      )}
      {isLoaded && listed.length === 0 && (
        <p className={styles.empty}>
          {messages.length === 0 ? 'No messages yet' : 'None of the messages shown'}
        </p>
      )}
      <ol className={styles.list}>
        {listed.map((message) => (
          <Row key={message.id} message={message} />
        ))}
      </ol>
      {onOlder && <Button onClick={onOlder}>Older messages</Button>}
    </section>
  );
}

function Row({ message }: { message: Message }) {
  const { title, text, severity, reason, state, is_seen, watch_id, created_at, event_ids } = message;
  const [worst] = event_ids;
  const Symbol = REASONS[state];
  const at = created_at ?? '';
  const today = formatDay(at, serverNow()) === formatDay(serverNow(), serverNow());
  return (
    <li className={styles.row} data-unseen={!is_seen || undefined} data-state={state}>
      <time dateTime={at} className={styles.time}>
        {formatClock(at)}
        {!today && <span>{formatDay(at, serverNow())}</span>}
      </time>
      <span className={styles.grade}>{severity && <Severity grade={severity} wordless />}</span>
      <div className={styles.words}>
        <h3>
          {!is_seen && <span className={styles.plate}>Unseen</span>}{' '}
          {watch_id ? (
            <Link href={worst ? matchAddress(watch_id, worst) : pageAddressOf('route', watch_id)}>
              {title}
            </Link>
          ) : (
            title
          )}
        </h3>
        {text && <p>{text}</p>}
      </div>
      <p className={styles.reason}>
        <Symbol weight="bold" aria-hidden />
        <VisuallyHidden>{state === 'sent' ? '' : 'Not sent: '}</VisuallyHidden>
        <span>{reason}</span>
      </p>
      <NotOurs message={message} />
    </li>
  );
}
