/** The words for a channel: its state, its messages and its kind. */
import { capital } from '#contract/incidents/titleForms.ts';
import type { ChannelKind, What } from '#contract/messages/channels.ts';
import { london, londonDay } from '#contract/london.ts';
import type { Channel } from '../../api/watches/channels.ts';
import { formatClock, formatDay } from '../../time/london.ts';
import type { Status } from '../../ui/signs/StatusLine.tsx';

export const KIND_WORDS: Readonly<Record<ChannelKind, string>> = {
  device: 'this device',
  email: 'e-mail',
  webhook: 'Webhook',
  slack: 'Slack',
  teams: 'Teams',
};

const WHAT_WORDS: Readonly<Record<keyof What, string>> = {
  alerts: 'alerts',
  changes: 'changes',
  digest: 'digest',
  brief: 'brief',
};

/** "Alerts, digest"; "nothing" */
export function whatWords(what: What): string {
  const said = Object.entries(WHAT_WORDS).flatMap(([name, words]) => (what[name as keyof What] ? words : []));
  const words = said.join(', ') || 'nothing';
  return capital(words);
}

const WEEKDAY = london({ weekday: 'short' });
const WEEK_MS = 6 * 24 * 60 * 60_000;

/** "06:03" today, "Mon 16:40" within a week, otherwise "19 Nov". */
function shortAt(at: string | null | undefined, now: Date): string {
  if (!at) return '';
  const time = new Date(at);
  if (londonDay(time) === londonDay(now)) return formatClock(time);
  return now.getTime() - time.getTime() < WEEK_MS
    ? `${WEEKDAY.format(time)} ${formatClock(time)}`
    : formatDay(time, now);
}

const since = (channel: Channel, now: Date) => {
  const at = shortAt(channel.since, now);
  return at ? ` since ${at}` : '';
};

/** The channel's state: "Sent 06:03", "Failing since 06:01", "Not confirmed, asked Mon 16:40", "Lost 19 Nov: turn on
 *  again". */
export function standsWords(channel: Channel, now: Date): string {
  const { state, kind } = channel;
  const at = shortAt(channel.since, now);
  switch (state) {
    case 'working': {
      const last = shortAt(channel.last_ok, now);
      return last ? `Sent ${last}` : 'On';
    }
    case 'failing':
      return `Failing${since(channel, now)}`;
    case 'unconfirmed':
      return kind === 'email' ? `Not confirmed${at && `, asked ${at}`}` : 'Its test was not taken';
    case 'off':
      return kind === 'device' ? `Lost${at && ` ${at}`}: turn on again` : `Off${since(channel, now)}`;
  }
}

/** The words after the name of a channel that does not work: "cannot be told since 06:01"; '' when it works. */
export function cannotWords(channel: Channel, now: Date): string {
  switch (channel.state) {
    case 'working':
      return '';
    case 'failing':
      return `cannot be told${since(channel, now)}`;
    case 'unconfirmed':
      return channel.kind === 'email' ? 'gets nothing before it is confirmed' : 'has not taken its test';
    case 'off':
      return `is off${since(channel, now)}`;
  }
}

const STATUS = { working: 'good', failing: 'severe', unconfirmed: 'minor', off: 'none' } as const;

export const channelStatus = ({ state }: Channel): Status | 'off' => STATUS[state];

/** Channels that cannot be relied on come first. */
const ORDER = ['failing', 'unconfirmed', 'working', 'off'];
export const brokenFirst = (channels: readonly Channel[]): Channel[] =>
  channels.toSorted((one, other) => ORDER.indexOf(one.state) - ORDER.indexOf(other.state));
