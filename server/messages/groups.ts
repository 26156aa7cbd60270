/**
 * When the alerts of a route are sent to a receiver, as in Alertmanager: they wait for each other, what was sent is not
 * sent again, what only goes on is repeated seldom. Pure: data and a time.
 */
import { type Severity, severityRank } from '#contract/disruptions.ts';
import { LONDON_CLOCK, londonDay } from '#contract/london.ts';
import { dayAfter, londonInstant } from '#contract/departures.ts';
import type { DigestTimes, QuietHours } from '#contract/messages.ts';

const MINUTE_MS = 60_000;
export const GROUP_WAIT_MS = 30_000;
export const GROUP_INTERVAL_MS = 5 * MINUTE_MS;
export const REPEAT_MS = 4 * 60 * MINUTE_MS;
export const REPEATS_MOST = 3;

/** What was last sent to a receiver about a route. Times in ms since 1970. */
export interface LastSent {
  firing: readonly string[];
  severities: Readonly<Record<string, Severity>>;
  sent_at: number;
  repeats: number;
}

/** One that fires, or is over for less than ten minutes. */
export interface Firing {
  id: string;
  severity: Severity;
  since: number;
  urgent_at: number | null;
  isBlind: boolean;
  isAcknowledged: boolean;
  /** It has ended, a moment ago. */
  isOver: boolean;
  /** Why it is held back: snoozed, or inside a closure; null: it is not. */
  held: string | null;
}

export type Step =
  | { kind: 'wait'; dueAt: number | null }
  /** Nothing is sent, but what was last sent no longer holds. */
  | { kind: 'forget'; lastSent: LastSent }
  | {
      kind: 'send';
      /** `ids`: what it is about. */
      why: 'new' | 'repeat' | 'cleared';
      ids: readonly string[];
      isLast: boolean;
      lastSent: LastSent;
    };

/** `cleared`: which of those that were sent are over, as their publishers say. */
export function nextStep(
  before: LastSent | null,
  firing: readonly Firing[],
  cleared: readonly string[],
  now: number,
): Step {
  const lastSent = before ?? { firing: [], severities: {}, sent_at: -Infinity, repeats: 0 };
  // Of a clock that was set back nothing can be said.
  const sentAt = lastSent.sent_at > now ? -Infinity : lastSent.sent_at;
  const wasSent = new Set(lastSent.firing);
  const active = firing.filter(({ held, isOver }) => held === null && !isOver);
  const news = active.filter(
    ({ id, severity, since, isBlind }) =>
      !isBlind &&
      (!wasSent.has(id) ||
        (since > sentAt && sentAt > -Infinity) ||
        severityRank(severity) < severityRank(lastSent.severities[id] ?? 'low')),
  );
  if (news.length > 0) {
    const isUrgent = news.some(({ urgent_at }) => urgent_at !== null && urgent_at > sentAt);
    const dueAt = isUrgent
      ? now
      : Math.max(Math.min(...news.map(({ since }) => since)) + GROUP_WAIT_MS, sentAt + GROUP_INTERVAL_MS);
    // A clock that was set back must not hold it for long.
    if (dueAt > now && dueAt - now <= GROUP_INTERVAL_MS) return { kind: 'wait', dueAt };
    const ids = active.map(({ id }) => id);
    const stillSent = firing.filter((one) => wasSent.has(one.id) && !active.includes(one));
    return {
      kind: 'send',
      why: 'new',
      ids,
      isLast: false,
      lastSent: lastSentOf([...active, ...stillSent], now, 0),
    };
  }

  const still = firing.filter(({ id }) => wasSent.has(id));
  if (still.length === 0) {
    if (lastSent.firing.length === 0) return { kind: 'wait', dueAt: null };
    const empty = lastSentOf([], now, 0);
    const over = lastSent.firing.filter((id) => cleared.includes(id));
    if (over.length === 0) return { kind: 'forget', lastSent: empty };
    const dueAt = sentAt + GROUP_INTERVAL_MS;
    return dueAt > now
      ? { kind: 'wait', dueAt }
      : { kind: 'send', why: 'cleared', ids: over, isLast: false, lastSent: empty };
  }

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

const lastSentOf = (all: readonly Firing[], now: number, repeats: number): LastSent => ({
  firing: all.map(({ id }) => id),
  severities: Object.fromEntries(all.map(({ id, severity }) => [id, severity])),
  sent_at: now,
  repeats,
});

/** Where an incident lies on the route, and what it does. */
export interface Placed {
  id: string;
  from_km: number | null;
  to_km: number | null;
  /** As its facts have it: "closed", "2 of 3 lanes closed", "queues of 3 miles". */
  effect: string | null;
  event_type: string;
}

const CLOSED =
  /^(?!.*\b(?:lanes?|slip|exit|entry|partly|partially|re-?opened)\b).*\b(?:closed|closure|blocked|shut)\b/i;
const QUEUE_OR_LANE =
  /\b(?:queu|congestion|tailback|slow|delay|traffic held|stationary|lanes?\b|contraflow|restriction)/i;

const isClosure = ({ effect, event_type }: Placed) =>
  effect ? CLOSED.test(effect) : event_type === 'road.closure';
const isPartOfIt = (one: Placed) =>
  !isClosure(one) && (one.effect ? QUEUE_OR_LANE.test(one.effect) : one.event_type === 'road.congestion');

/** The queues and lane closures that lie inside a closed stretch: from each to its closure. */
export function inhibited(all: readonly Placed[]): Map<string, string> {
  const closures = all.filter((one) => isClosure(one) && one.from_km !== null && one.to_km !== null);
  return new Map(
    all.flatMap((one): [string, string][] => {
      if (one.from_km === null || one.to_km === null || !isPartOfIt(one)) return [];
      const [low, high] = [Math.min(one.from_km, one.to_km), Math.max(one.from_km, one.to_km)];
      const around = closures.find(
        ({ id, from_km, to_km }) =>
          id !== one.id && Math.min(from_km!, to_km!) <= low && Math.max(from_km!, to_km!) >= high,
      );
      return around ? [[one.id, around.id]] : [];
    }),
  );
}

/** On London's clock; hours that come twice are quiet twice. */
export function isQuiet(quiet: QuietHours | null, now: Date): boolean {
  if (!quiet || quiet.from === quiet.to) return false;
  const clock = LONDON_CLOCK.format(now);
  return quiet.from < quiet.to
    ? clock >= quiet.from && clock < quiet.to
    : clock >= quiet.from || clock < quiet.to;
}

/** A digest that is later than this is not made: the next one has it. */
const DIGEST_LATE_MS = 2 * 60 * MINUTE_MS;

/** The time for which a digest is due; null: none is. */
export function digestDue(times: DigestTimes, last: number | null, now: Date): Date | null {
  if (times === 'off') return null;
  const clocks = times === '06:00' ? ['06:00'] : ['06:00', '14:00'];
  const day = londonDay(now);
  const passed = [dayAfter(day, -1), day]
    .flatMap((one) => clocks.map((clock) => londonInstant(one, clock)))
    .filter((at) => at.getTime() <= now.getTime())
    .at(-1);
  if (!passed || now.getTime() - passed.getTime() > DIGEST_LATE_MS) return null;
  return last !== null && last >= passed.getTime() ? null : passed;
}

/** A source that is silent so long beyond what it declares gets a message of its own. */
export const BLIND_AFTER_MS = 10 * MINUTE_MS;
