/** How a message went, by every channel: "Sent 06:03 to #ops, this device", "Held back: quiet hours". */
import type { MessageState } from '#contract/messages/messages.ts';
import type { Message, Outcome } from '../../api/watches/messages.ts';
import { formatClock } from '../../time/london.ts';

export type Shown = 'all' | 'sent' | 'held' | 'failed';

/** As the switch has it: what waits was not refused. */
const SHOWN: Readonly<Record<MessageState, Exclude<Shown, 'all'>>> = {
  sent: 'sent',
  waiting: 'sent',
  held: 'held',
  failed: 'failed',
  dropped: 'failed',
};

const outcomesOf = ({ state, outcomes }: Message): readonly Pick<Outcome, 'state'>[] =>
  outcomes.length > 0 ? outcomes : [{ state }];

export const isShown = (message: Message, shown: Shown): boolean =>
  shown === 'all' || outcomesOf(message).some(({ state }) => SHOWN[state] === shown);

/** Outcome its symbol says: the worst of them. */
const WORST: readonly MessageState[] = ['failed', 'dropped', 'held', 'waiting', 'sent'];
export const worstOutcome = (message: Message): MessageState =>
  WORST.find((state) => outcomesOf(message).some((one) => one.state === state)) ?? message.state;

export interface OutcomeLine {
  words: string;
  isBad: boolean;
  /** The messages that can be sent again by it. */
  again: string[];
}

/** One line for what failed, what was held back, what was sent and what waits; `here`: the channel of this device. */
export function outcomeLines({ outcomes, reason }: Message, here: string | undefined): OutcomeLine[] {
  if (outcomes.length === 0) return reason ? [{ words: reason, isBad: false, again: [] }] : [];
  const nameOf = ({ channel_id, kind, name }: Outcome) =>
    channel_id && channel_id === here ? 'this device' : (name ?? (kind === 'app' ? 'the app' : 'a channel'));
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

/** "The address answered 410" as "it answered 410"; "Held: quiet hours" as "quiet hours". */
const inSentence = (reason: string): string => {
  const words = reason.replace(/^(Held|Not sent|Failed)( back)?: /, '').replace(/^The address\b/, 'it');
  return words.charAt(0).toLowerCase() + words.slice(1);
};
