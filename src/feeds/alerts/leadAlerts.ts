/** The worst alerts now, on the whole board and in one feed, and the words beside them. */
import { isPlanned, plannedStart } from '#contract/incidents/disruptions.ts';
import { worstFirst } from '#contract/incidents/worstFirst.ts';
import { feedOf } from '#contract/feeds/feeds.ts';
import { isOwn } from '#contract/feeds/knownSources.ts';
import type { Alert } from '../../api/alerts/disruptions.ts';
import type { Row } from '../../api/alerts/feeds.ts';
import { GRADE_WORDS } from '../../ui/signs/Severity.tsx';
import { dateOf, gradeOf, isCounted, isCritical, shownOf } from './alerts.ts';
import type { AlertRow } from './counts.ts';
import { isSilent } from './sourceStatus.ts';
import { shortTime } from './alertTimes.ts';

/** Every critical alert or, when there is none, every high one. The worst come first; alerts of silent feeds come
 *  last. */
export function candidatesOf(rows: readonly AlertRow[]): Alert[] {
  const active = unique(rows.flatMap(({ events }) => events).filter(isCounted));
  const critical = active.filter((alert) => gradeOf(alert) === 'critical');
  const worst = critical.length > 0 ? critical : active.filter((alert) => gradeOf(alert) === 'high');
  const old = new Set(worst.filter((alert) => silentFeedOf(alert, rows)));
  return worst.toSorted((a, b) => Number(old.has(a)) - Number(old.has(b)) || worstFirst(a, b));
}

/** The feed that counts this alert, if that feed is silent: the alert was true at the feed's last report. Otherwise
 *  null. */
export const silentFeedOf = ({ event_id }: Alert, rows: readonly AlertRow[]): Row['feed'] | null =>
  rows.find(
    ({ feed, events }) =>
      feed && isSilent(feed) && events.some((alert) => alert.event_id === event_id && !alert.see),
  )?.feed ?? null;

/** "Critical, 1 of 3": its place among all alerts of its grade. */
export function gradeLabel(alert: Alert, candidates: readonly Alert[]): string {
  const word = GRADE_WORDS[gradeOf(alert)];
  return candidates.length > 1 ? `${word}, ${candidates.indexOf(alert) + 1} of ${candidates.length}` : word;
}

export interface Order {
  /**
   * Every critical alert, otherwise the worst one; empty when nothing is active. They take turns and stay at the top.
   */
  leads: Alert[];
  /** The other active alerts, and alerts that another feed counts, worst first. */
  queue: Alert[];
  /** Alerts that have not begun, the next one first. */
  planned: Alert[];
}

/** The order in which one feed shows its alerts. */
export function orderOf(events: readonly Alert[]): Order {
  const shown = shownOf(events);
  const active = shown.filter((alert) => !isPlanned(alert)).toSorted(worstFirst);
  const own = active.filter((alert) => !alert.see);
  const critical = own.filter(isCritical);
  const leads = critical.length > 0 ? critical : own.slice(0, 1);
  return {
    leads,
    queue: active.filter((alert) => !leads.includes(alert)),
    planned: shown.filter(isPlanned).toSorted((a, b) => startOf(a) - startOf(b)),
  };
}

const startOf = (alert: Alert) => dateOf(plannedStart(alert))?.getTime() ?? Infinity;

/** "worse since 06:10", "easing"; '' for a steady alert. */
export function trendText({ trend }: Alert, now: Date): string {
  if (trend?.direction === 'easing') return 'easing';
  if (trend?.direction !== 'worse') return '';
  const since = dateOf(trend.since);
  return since ? `worse since ${shortTime(since, now)}` : 'worse';
}

/**
 * "Ours" for the team's own report, which stands among those of publishers. Otherwise the other feeds that report it.
 */
export const whoseText = (alert: Alert): string => (isOwn(alert) ? 'Ours' : alsoText(alert));

/** "also Public Safety": the other feeds that report it; '' when there are none. */
export function alsoText({ source, metadata }: Alert): string {
  const own = source ? feedOf(source)?.slug : undefined;
  const others = (metadata?.also_reported_by ?? []).flatMap(({ source: other }) => {
    const feed = other ? feedOf(other) : undefined;
    return feed && feed.slug !== own ? feed.title : [];
  });
  return others.length > 0 ? `also ${[...new Set(others)].join(', ')}` : '';
}

function unique(alerts: readonly Alert[]): Alert[] {
  return [...new Map(alerts.map((alert) => [alert.event_id, alert])).values()];
}
