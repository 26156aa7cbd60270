/** Whether an incident has become worse or better: a difference between two of its versions, and never the tone of
 *  its words. */
import { capital } from '#contract/incidents/titleForms.ts';
import type { Trend } from '#contract/incidents/disruptions.ts';
import { type Severity, severityRank } from '#contract/incidents/severity.ts';
import type { Facts } from '#contract/incidents/facts.ts';

/** How long a change counts. */
export const TREND_MS = 30 * 60_000;

/** The content of one version. */
export interface Said {
  /** When it was first seen: ISO 8601, UTC. */
  seen_at: string;
  severity: Severity;
  facts?: Facts | undefined;
}

/** The trend of an incident, from its versions of the last half hour. `before`: the versions replaced in that time,
 *  oldest first. Null when it is the same as half an hour ago, whatever happened in between. */
export function trendOf(before: readonly Said[], present: Said): Trend | null {
  const [first] = before;
  const net = first && change(first, present);
  if (!net) return null;

  const versions = [...before, present];
  const last = versions.findLast((version, at) => {
    const step = at > 0 && change(versions[at - 1]!, version);
    return step && step.direction === net.direction;
  });
  // Single steps can go the other way than the whole when one version says less than its neighbours.
  return last ? { ...net, since: last.seen_at } : null;
}

type Change = Omit<Trend, 'since'>;

/**
 * The first of these differences decides: severity, delay, lanes. A value that only one version has is no difference.
 */
function change(before: Said, after: Said): Change | null {
  return bySeverity(before, after) ?? byDelay(before, after) ?? byLanes(before, after);
}

const directed = (worseBy: number, words: string): Change | null =>
  worseBy === 0 ? null : { direction: worseBy > 0 ? 'worse' : 'easing', change: words };

const bySeverity = (before: Said, after: Said) =>
  directed(
    severityRank(before.severity) - severityRank(after.severity),
    `${capital(before.severity)} to ${capital(after.severity)}`,
  );

function byDelay(before: Said, after: Said): Change | null {
  const [then, now] = [before.facts?.delay_minutes ?? null, after.facts?.delay_minutes ?? null];
  return then === null || now === null
    ? null
    : directed(now - then, `Delay ${then} to ${now} ${now === 1 ? 'minute' : 'minutes'}`);
}

/** The trend by lanes. A closed road has no lane left. */
function byLanes(before: Said, after: Said): Change | null {
  const [then, now] = [closedLanes(before), closedLanes(after)];
  if (then === now || now === null) return null;
  // If the earlier version does not mention lanes, they were open. A closure that it does not deny has not begun.
  return directed(now > (then ?? 0) ? 1 : -1, `${lanes(then ?? 0)} to ${lanes(now)}`);
}

const closedLanes = ({ facts }: Said) =>
  facts?.effect === 'closed' ? Number.POSITIVE_INFINITY : (facts?.lanes?.closed ?? null);

const lanes = (count: number) =>
  count === Number.POSITIVE_INFINITY
    ? 'closed'
    : count === 0
      ? 'all lanes open'
      : `${count} ${count === 1 ? 'lane' : 'lanes'} closed`;
