/** The news about a route's alerts for a channel, and when it is sent, as in Alertmanager: alerts wait for each other;
 *  an alert that was sent is news again only with a worse grade; an alert that only goes on is seldom repeated. How
 *  long an alert is held before it is one, `alertStates.ts` decides. Pure: depends only on data and a time. */
import { MINUTE_MS } from '#contract/durations.ts';
import { type Severity, severityRank } from '#contract/incidents/severity.ts';
import type { RowOf } from '../../db/schema.ts';
import { RECOVER_MS } from './alertStates.ts';

const GROUP_WAIT_MS = 30_000;
const GROUP_INTERVAL_MS = 5 * MINUTE_MS;
const REPEAT_MS = 4 * 60 * MINUTE_MS;
const REPEATS_MOST = 3;

/** Alerts sent to a channel about a route. Times in ms since 1970. */
export interface LastSent {
  /** Incidents whose beginning was sent and whose end was not. */
  firing: readonly string[];
  /** The grade that was sent for each incident, as long as the incident still has that grade. `low`: it was sent that
   *  it eased; an alert never fires with that grade. */
  severities: Readonly<Record<string, Severity>>;
  /** When the last alert was sent; ends do not count. */
  sent_at: number;
  repeats: number;
}

/** An alert that fires, or has been over for less than ten minutes. */
export interface Firing {
  id: string;
  severity: Severity;
  since: number;
  urgent_at: number | null;
  isBlind: boolean;
  isAcknowledged: boolean;
  /** It ended a moment ago. */
  isOver: boolean;
  /** It goes on, but no longer fires. */
  isEased?: boolean;
  /** Why it is held back: snoozed, or inside a closure. Null: it is not held back. */
  held: string | null;
}

/** How an incident stopped counting after it was sent. `eased`: it goes on, but below the threshold, or the road is
 *  open again. */
export type End = 'cleared' | 'eased' | 'lost';

export type Step =
  | { kind: 'wait'; dueAt: number | null }
  /** Nothing is sent, and the record of the last sending is reduced, because it is no longer true. */
  | { kind: 'forget'; lastSent: LastSent }
  | {
      kind: 'send';
      /** `ids`: the incidents that the message is about. */
      why: 'new' | 'repeat' | End;
      ids: readonly string[];
      isLast: boolean;
      lastSent: LastSent;
    };

const NOTHING: LastSent = { firing: [], severities: {}, sent_at: -Infinity, repeats: 0 };

/** A message has only news. */
export function nextStep(before: LastSent | null, firing: readonly Firing[], now: number): Step {
  const lastSent = before ?? NOTHING;
  // If the time is from a clock that was set back, it is ignored.
  const sentAt = lastSent.sent_at > now ? -Infinity : lastSent.sent_at;
  const active = firing.filter(({ held, isOver }) => held === null && !isOver);
  const standing = new Set(firing.map(({ id }) => id));
  const severities = Object.fromEntries(
    Object.entries(lastSent.severities).filter(([id, grade]) => standing.has(id) || grade === 'low'),
  );
  const news = active.filter(
    ({ id, severity, isBlind }) =>
      !isBlind && (severities[id] === undefined || severityRank(severity) < severityRank(severities[id])),
  );
  if (news.length > 0) {
    const isUrgent = news.some(({ urgent_at }) => urgent_at !== null && urgent_at > sentAt);
    const dueAt = isUrgent
      ? now
      : Math.max(Math.min(...news.map(({ since }) => since)) + GROUP_WAIT_MS, sentAt + GROUP_INTERVAL_MS);
    // If the clock was set back, the alert must not wait long.
    if (dueAt > now && dueAt - now <= GROUP_INTERVAL_MS) return { kind: 'wait', dueAt };
    return {
      kind: 'send',
      why: 'new',
      ids: news.map(({ id }) => id),
      isLast: false,
      lastSent: {
        firing: [...new Set([...lastSent.firing, ...news.map(({ id }) => id)])],
        severities: {
          ...severities,
          ...Object.fromEntries(news.map(({ id, severity }) => [id, severity])),
        },
        sent_at: now,
        repeats: 0,
      },
    };
  }
  // If the clock was set back, the reminder must not be delayed for hours.
  if (lastSent.sent_at > now) return { kind: 'forget', lastSent: { ...lastSent, severities, sent_at: now } };
  // The incident may come back, and is news then.
  if (Object.keys(severities).length < Object.keys(lastSent.severities).length)
    return { kind: 'forget', lastSent: { ...lastSent, severities } };

  // An alert that was never sent is news, see above.
  const waiting = active.filter(
    ({ severity, isAcknowledged, isBlind }) => severity === 'critical' && !isAcknowledged && !isBlind,
  );
  if (waiting.length === 0 || lastSent.repeats >= REPEATS_MOST) return { kind: 'wait', dueAt: null };
  const dueAt = lastSent.sent_at + REPEAT_MS;
  if (dueAt > now) return { kind: 'wait', dueAt };
  const repeats = lastSent.repeats + 1;
  return {
    kind: 'send',
    why: 'repeat',
    ids: waiting.map(({ id }) => id),
    isLast: repeats === REPEATS_MOST,
    lastSent: { ...lastSent, sent_at: now, repeats },
  };
}

/** The end of an incident that was sent is always sent, whatever other incidents stand. `over`: the incidents that
 *  ended in the way of `why`. */
export function nextEnds(lastSent: LastSent | null, why: End, over: readonly string[]): Step {
  const ids = lastSent?.firing.filter((id) => over.includes(id)) ?? [];
  return lastSent === null || ids.length === 0
    ? { kind: 'wait', dueAt: null }
    : { kind: 'send', why, ids, isLast: false, lastSent: without(lastSent, ids) };
}

/** A closure that was sent and is open again, but still stands with a lower severity: one message says that it is
 *  open, and a later one that it is over. The first waits as an end does, so that a closure that comes and goes is
 *  not sent each time. */
export function nextOpened(lastSent: LastSent | null, opened: readonly Firing[], now: number): Step {
  const lower = opened.filter(({ id, severity, isOver, isEased, isBlind, held }) => {
    // The grade of an alert that no longer fires is forgotten.
    const isForgotten = isEased && lastSent?.firing.includes(id);
    const told = lastSent?.severities[id] ?? (isForgotten ? 'critical' : undefined);
    return (
      told !== undefined &&
      severityRank(severity) > severityRank(told) &&
      !isOver &&
      !isBlind &&
      held === null
    );
  });
  if (lastSent === null || lower.length === 0) return { kind: 'wait', dueAt: null };
  // If the clock was set back, the message must not wait long.
  const due = lower.filter(({ since }) => since > now || now - since >= RECOVER_MS);
  if (due.length === 0)
    return { kind: 'wait', dueAt: Math.min(...lower.map(({ since }) => since)) + RECOVER_MS };
  const ids = due.map(({ id }) => id);
  const grades = Object.fromEntries(due.map(({ id, severity }) => [id, severity]));
  const severities = { ...lastSent.severities, ...grades };
  return { kind: 'send', why: 'eased', ids, isLast: false, lastSent: { ...lastSent, severities } };
}

/** Incidents that are no longer stored will have no end. */
export const without = (lastSent: LastSent, gone: readonly string[]): LastSent => ({
  ...lastSent,
  firing: lastSent.firing.filter((id) => !gone.includes(id)),
  severities: Object.fromEntries(Object.entries(lastSent.severities).filter(([id]) => !gone.includes(id))),
});

export const lastSentOf = ({
  firing,
  severities,
  sent_at,
  repeats,
}: RowOf<'notification_log'>): LastSent => ({
  firing: JSON.parse(firing) as string[],
  severities: JSON.parse(severities) as Record<string, Severity>,
  sent_at: Date.parse(sent_at),
  repeats,
});

export const logRow = (
  watch_id: string,
  channel_id: string,
  lastSent: LastSent,
): RowOf<'notification_log'> => ({
  watch_id,
  channel_id,
  firing: JSON.stringify(lastSent.firing),
  severities: JSON.stringify(lastSent.severities),
  sent_at: new Date(lastSent.sent_at).toISOString(),
  repeats: lastSent.repeats,
});
