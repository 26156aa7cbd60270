import { CheckIcon } from '@phosphor-icons/react/dist/csr/Check';
import { MinusIcon } from '@phosphor-icons/react/dist/csr/Minus';
import { XIcon } from '@phosphor-icons/react/dist/csr/X';
import { matchAddress, pageAddressOf } from '#contract/addresses.ts';
import { type ReactNode, useState } from 'react';
import { Link } from 'wouter';
import { useAction } from '../../api/useAction.ts';
import type { Message, Outcome } from '../../api/watches/messages.ts';
import { serverNow } from '../../time/freshness.ts';
import { formatClock, formatDay } from '../../time/london.ts';
import { Button } from '../../ui/controls/Button.tsx';
import { counted, grouped } from '#contract/numbers.ts';
import { Notice } from '../../ui/signs/Notice.tsx';
import { SegmentedSwitch } from '../../ui/controls/SegmentedSwitch.tsx';
import { Severity } from '../../ui/signs/Severity.tsx';
import { NotOursMark } from '../../watches/NotOursMark.tsx';
import styles from './MessageLog.module.css';
import { type MessageState, UNSEEN_COUNTED } from '#contract/messages/messages.ts';

/** Symbols of the reason for a message; they are not severity symbols. */
const REASONS = {
  sent: CheckIcon,
  waiting: MinusIcon,
  held: MinusIcon,
  failed: XIcon,
  dropped: XIcon,
} as const;

/** Messages in the server's order: unseen first, then newest first. */
export function MessageLog({
  messages,
  unseen,
  possible,
  failed,
  here,
  isLoaded,
  failure,
  onRetry,
  onOlder,
  onAgain,
}: {
  messages: readonly Message[];
  unseen: number;
  /** The number of alerts that possibly touch the team's routes now, for which no message is sent. */
  possible: number;
  /** The number of messages that failed and could be sent again. */
  failed: number;
  /** The channel of this device. */
  here: string | undefined;
  isLoaded: boolean;
  failure: string | null;
  onRetry: () => void;
  onOlder: (() => void) | null;
  /** Promises that the list shows the message's new state. */
  onAgain: (ids: readonly string[]) => Promise<void>;
}) {
  const [shown, setShown] = useState<Shown>('all');
  const listed = messages.filter((message) => isShown(message, shown));

  return (
    <section aria-labelledby="message-log">
      <div className={styles.head} data-split="4">
        <h2 data-size="h3" id="message-log">
          {isLoaded ? unseenWords(unseen) : 'Not loaded'}
        </h2>
        <SegmentedSwitch
          label="Show"
          value={shown}
          onChange={setShown}
          options={[
            { value: 'all', label: 'All' },
            { value: 'sent', label: 'Sent' },
            { value: 'held', label: 'Held back' },
            { value: 'failed', label: 'Failed', count: failed || undefined },
          ]}
        />
      </div>
      {failure && (
        <div className={styles.apart}>
          <Notice>{failure}</Notice>
          <Button small onClick={onRetry}>
            Try again
          </Button>
        </div>
      )}
      {(shown === 'all' || shown === 'held') && possible > 0 && (
        <p className={styles.empty} data-tone="2">
          {counted(possible, 'possible alert')} on <Link href="/routes">your routes</Link>: alerts that are
          only possible send no message.
        </p>
      )}
      {isLoaded && listed.length === 0 && (
        <p className={styles.empty} data-tone="2">
          {messages.length === 0 ? 'No messages yet' : 'None of the messages shown'}
        </p>
      )}
      <ol>
        {byHeadline(listed).map((same) => (
          <Row key={same[0].id} same={same} here={here} onAgain={onAgain} />
        ))}
      </ol>
      {onOlder && (
        <p className={styles.apart}>
          <Button onClick={onOlder}>Older messages</Button>
        </p>
      )}
    </section>
  );
}

type Same = [Message, ...Message[]];

/** "2 new: 2 critical" of "2 new on Leeds to Hull: 2 critical" */
const withoutRoute = (title: string): string => title.replace(/ on .*(?=: \d+ \w+$)/, '');

/** The headlines of several incidents, which messages about several routes begin with alike. */
function headlines([first, ...others]: readonly string[]): string {
  let length = first!.length;
  for (const text of others) while (!text.startsWith(first!.slice(0, length))) length -= 1;
  const alike = first!.slice(0, length);
  return alike.slice(0, Math.max(alike.lastIndexOf('.'), alike.lastIndexOf(';')) + 1);
}

/** Groups messages with one headline about several routes into one row, at the place of the first. A second message
 *  about the same route begins another row. */
export function byHeadline(messages: readonly Message[]): Same[] {
  const rows: Same[] = [];
  const last = new Map<string, Same>();
  for (const message of messages) {
    const { kind, title, severity, state, reason, event_ids, watch_id } = message;
    // The title is left out for one incident, because it is shorter beside the name of a longer route.
    const headline = event_ids.length === 1 ? severity : withoutRoute(title);
    const key = JSON.stringify([kind, headline, event_ids.toSorted(), state, state === 'sent' || reason]);
    const before = last.get(key);
    if (before && watch_id !== null && before.every((one) => one.watch_id && one.watch_id !== watch_id))
      before.push(message);
    else {
      const row: Same = [message];
      rows.push(row);
      last.set(key, row);
    }
  }
  return rows;
}

function Row({
  same,
  here,
  onAgain,
}: { same: Same } & Pick<Parameters<typeof MessageLog>[0], 'here' | 'onAgain'>) {
  const { run, isBusy, failure } = useAction();
  const [isOpen, setIsOpen] = useState(false);
  const [message] = same;
  const { title, text, severity, created_at } = message;
  const state = worstOutcome(message);
  const Symbol = REASONS[state];
  const lines = outcomeLines(message, here);
  const again = (ids: readonly string[]) => void run(() => onAgain(ids), 'Unable to send it again');
  const at = created_at ?? '';
  const today = formatDay(at, serverNow()) === formatDay(serverNow(), serverNow());
  const isUnseen = same.some(({ is_seen }) => !is_seen);
  const shared = message.event_ids.length > 1 ? headlines(same.map((one) => one.text)) : '';
  return (
    <li className={styles.row} data-unseen={isUnseen || undefined} data-state={state}>
      <time dateTime={at} className={styles.time} data-text="line" data-figures>
        {formatClock(at)}
        {!today && (
          <span data-tone="2" data-block data-size="caption">
            {formatDay(at, serverNow())}
          </span>
        )}
      </time>
      <span className={styles.grade}>{severity && <Severity grade={severity} wordless />}</span>
      <div className={styles.words}>
        <h3 data-links="quiet">
          {isUnseen && <span className={styles.plate}>Unseen</span>}{' '}
          <ToMatch message={message}>{same.length > 1 ? withoutRoute(title) : title}</ToMatch>
        </h3>
        {same.length === 1 ? (
          text && <p data-tone="2">{text}</p>
        ) : (
          <>
            {shared && <p data-tone="2">{shared}</p>}
            <button
              type="button"
              data-tap="line"
              aria-expanded={isOpen}
              aria-label={`${same.length} routes: ${withoutRoute(title)}`}
              onClick={() => setIsOpen(!isOpen)}
            >
              {same.length} routes
            </button>
            {isOpen && (
              <ul className={styles.opened}>
                {same.map((one) => (
                  <li key={one.id}>
                    <p data-tone="2">
                      <ToMatch message={one}>
                        {one.event_ids.length > 1 && `${one.title}. `}
                        {one.text.slice(shared.length).trim()}
                      </ToMatch>
                    </p>
                    <NotOurs message={one} />
                  </li>
                ))}
              </ul>
            )}
          </>
        )}
      </div>
      <div className={styles.reason} data-line data-align="baseline" data-text="note">
        <Symbol weight="bold" aria-hidden />
        <ul>
          {lines.map(({ words, isBad, again: ids }) => (
            <li key={words} data-bad={isBad || undefined}>
              {words}
              {ids.length > 0 && (
                <button
                  type="button"
                  data-tap="line"
                  aria-disabled={isBusy}
                  aria-label={`Send again: ${title}`}
                  onClick={() => again(ids)}
                >
                  Send again
                </button>
              )}
            </li>
          ))}
        </ul>
        {failure && <Notice>{failure}</Notice>}
      </div>
      {same.length === 1 && <NotOurs message={message} />}
    </li>
  );
}

function ToMatch({ message, children }: { message: Message; children: ReactNode }) {
  const { watch_id, event_ids } = message;
  const [worst] = event_ids;
  return watch_id ? (
    <Link href={worst ? matchAddress(watch_id, worst) : pageAddressOf('route', watch_id)}>{children}</Link>
  ) : (
    children
  );
}

/** The button on the message itself. */
function NotOurs({ message: { kind, title, watch_id, event_ids, is_not_ours } }: { message: Message }) {
  if (kind !== 'alert' || !watch_id || event_ids.length === 0) return null;
  return (
    <div className={styles.act} data-text="note">
      <NotOursMark watchId={watch_id} subjectIds={event_ids} about={title} isMarked={is_not_ours} />
    </div>
  );
}

/** The outcome of a message on every channel: "Sent 06:03 to #ops, this device", "Held back: quiet hours". */
type Shown = 'all' | 'sent' | 'held' | 'failed';

/** The states as the switch groups them. A waiting message counts as sent. */
const SHOWN: Readonly<Record<MessageState, Exclude<Shown, 'all'>>> = {
  sent: 'sent',
  waiting: 'sent',
  held: 'held',
  failed: 'failed',
  dropped: 'failed',
};

const outcomesOf = ({ state, outcomes }: Message): readonly Pick<Outcome, 'state'>[] =>
  outcomes.length > 0 ? outcomes : [{ state }];

const isShown = (message: Message, shown: Shown): boolean =>
  shown === 'all' || outcomesOf(message).some(({ state }) => SHOWN[state] === shown);

/** The states, worst first. A message's symbol shows its worst outcome. */
const WORST: readonly MessageState[] = ['failed', 'dropped', 'held', 'waiting', 'sent'];
const worstOutcome = (message: Message): MessageState =>
  WORST.find((state) => outcomesOf(message).some((one) => one.state === state)) ?? message.state;

interface OutcomeLine {
  words: string;
  isBad: boolean;
  /** The messages that its button sends again. */
  again: string[];
}

/** One line each for failed, held back, sent and waiting. `here`: the channel of this device. */
function outcomeLines({ outcomes, reason }: Message, here: string | undefined): OutcomeLine[] {
  if (outcomes.length === 0) return reason ? [{ words: reason, isBad: false, again: [] }] : [];
  const nameOf = ({ channel_id, kind, name }: Outcome) =>
    channel_id && channel_id === here ? 'this device' : kind === 'app' ? 'the app' : (name ?? 'a channel');
  const bad = outcomes.filter(({ state }) => state === 'failed' || state === 'dropped');
  const held = outcomes.filter(({ state }) => state === 'held');
  const sent = outcomes.filter(({ state }) => state === 'sent');
  const waiting = outcomes.filter(({ state }) => state === 'waiting');
  const names = (some: readonly Outcome[]) => [...new Set(some.map(nameOf))].join(', ');
  const [first] = sent;
  return [
    ...bad.map((one) => ({
      words: `Failed to ${nameOf(one)}${one.reason ? `: ${inSentence(one.reason)}` : ''}`,
      isBad: true,
      again: one.can_send_again ? [one.message_id] : [],
    })),
    ...[...new Set(held.map((one) => one.reason))].map((why) => ({
      words: `Held back${why ? `: ${inSentence(why)}` : ''}`,
      isBad: false,
      again: [],
    })),
    ...(first
      ? [
          {
            words: `Sent ${first.at ? `${formatClock(first.at)} ` : ''}to ${names(sent)}`,
            isBad: false,
            again: [],
          },
        ]
      : []),
    ...(waiting.length > 0 ? [{ words: `Waits for ${names(waiting)}`, isBad: false, again: [] }] : []),
  ];
}

/** "The address answered 410" becomes "it answered 410"; "Held: quiet hours" becomes "quiet hours". */
const inSentence = (reason: string): string => {
  const words = reason.replace(/^(Held|Not sent|Failed)( back)?: /, '').replace(/^The address\b/, 'it');
  return words.charAt(0).toLowerCase() + words.slice(1);
};

const unseenWords = (unseen: number) =>
  unseen === 0 ? 'All seen' : `${grouped(unseen)} unseen${unseen < UNSEEN_COUNTED ? '' : ' or more'}`;
