/** The parts of one alert that the board shows: its grade, its place in the order, its time. */
import { isPlanned, plannedStart } from '#contract/incidents/disruptions.ts';
import { EVENTS_PER_FEED, knownFeed } from '#contract/feeds/feeds.ts';
import { railStatusText } from '#contract/incidents/railStatus.ts';
import { knownSource } from '#contract/feeds/knownSources.ts';
import type { Alert } from '../../api/alerts/disruptions.ts';
import { type Grade, GRADE_WORDS, GRADES } from '../../ui/signs/Severity.tsx';
import { formatClock, formatDateTime, timeAgo } from '../../time/london.ts';
import { pageAddress, pageAddressOf } from '#contract/addresses.ts';
import { alertNumber } from '#contract/incidents/alertNumber.ts';

export function gradeOf(alert: Alert): Grade {
  return alert.metadata?.severity_unrated ? 'unrated' : (alert.severity ?? 'unrated');
}

/** Whether the alert counts in this feed: it has begun, and no other feed counts it. */
export const isCounted = (alert: Alert): boolean => !isPlanned(alert) && !alert.see;

/** Whether the alert is critical now. A planned incident can be critical too, but only from its beginning. */
export const isCritical = (alert: Alert): boolean => gradeOf(alert) === 'critical' && isCounted(alert);

/** The title. A rail operator's own title is only its name, so its status is added. */
export function titleOf(alert: Alert): string {
  const title = alert.title?.trim() || alert.summary_line?.trim() || 'Alert without a title';
  const status = railStatusText(alert.metadata?.nsi?.status ?? '');
  return status && !title.includes(status) ? `${title}: ${status}` : title;
}

/** The publisher's line, unless it only repeats the title. */
export function detailOf(alert: Alert): string {
  const line = alert.summary_line?.trim() ?? '';
  return line === titleOf(alert) ? '' : line;
}

/** The longest line, in characters. Our server sends less; another server must not fill the page. */
const LINE_LENGTH = 280;

/** The line under the title. For planned works the start comes first. */
export function lineOf(alert: Alert): string {
  const start = isPlanned(alert) ? startText(alert).replace(/^f/, 'F') : '';
  const line = [start, detailOf(alert)].filter(Boolean).join('. ');
  const shown = line.length > LINE_LENGTH ? `${line.slice(0, LINE_LENGTH)}…` : line;
  const sources = sourcesOf(alert);
  return sources ? [shown.replace(/\.$/, ''), sources].filter(Boolean).join('. ') : shown;
}

const ALSO_NAMED = 3;

/** "Reported by Knowledgebase incidents and National Rail service indicators (Southern)"; '' when only one source
 *  reports it. */
export function sourcesOf(alert: Alert): string {
  const also = alert.metadata?.also_reported_by ?? [];
  if (also.length === 0) return '';
  const own = alert.source ? [knownSource(alert.source).displayName] : [];
  const others = [...new Set(also.flatMap(({ source }) => source ?? []))].map((source) => {
    const titles = also.flatMap((one) => (one.source === source ? (one.title ?? []) : []));
    const more = titles.length - ALSO_NAMED;
    const named = `${titles.slice(0, ALSO_NAMED).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
    return [knownSource(source).displayName, named && `(${named})`].filter(Boolean).join(' ');
  });
  return `Reported by ${[...own, ...others].join(' and ')}`;
}

/** `from 22 Nov 2026, 23:00`; '' when a planned incident gives no start. A start before its last collection is left
 *  out, because it is the time of the announcement. */
export function startText(alert: Alert): string {
  const start = dateOf(plannedStart(alert));
  const collected = dateOf(alert.collected_at);
  return start && !(collected && start < collected) ? `from ${formatDateTime(start)}` : '';
}

/** When it was last updated, otherwise when it started, otherwise when it was collected; null if it has no time. */
export function alertTime(alert: Alert): Date | null {
  return dateOf(alert.updated_at) ?? dateOf(alert.start_time) ?? dateOf(alert.collected_at);
}

/** Current alerts before planned ones; in each group the worst first, then the newest. An unrated alert has the
 *  place of its source's default severity. */
export function inOrder(events: readonly Alert[]): Alert[] {
  return [...events].sort(
    (a, b) =>
      Number(isPlanned(a)) - Number(isPlanned(b)) ||
      rank(a) - rank(b) ||
      (alertTime(b)?.getTime() ?? 0) - (alertTime(a)?.getTime() ?? 0),
  );
}

/** The alerts that a feed shows, in order: the worst 20 at most, however many a server sends. */
export const shownOf = (events: readonly Alert[]) => inOrder(events).slice(0, EVENTS_PER_FEED);

const rank = (alert: Alert) => GRADES.indexOf(alert.severity ?? 'unrated');

/** The number of active alerts that are critical. */
export const criticalsOf = (events: readonly Alert[]) => events.filter(isCritical).length;

/** The number of active alerts of each grade that occurs, worst first. */
export function countsByGrade(events: readonly Alert[]): { grade: Grade; count: number }[] {
  const active = events.filter(isCounted);
  return GRADES.map((grade) => ({
    grade,
    count: active.filter((alert) => gradeOf(alert) === grade).length,
  })).filter(({ count }) => count > 0);
}

/**
 * One alert as a sentence. It gives the time and not the age, because a list must not change while it is read aloud.
 */
export function spoken(alert: Alert): string {
  const at = alertTime(alert);
  return [
    `${GRADE_WORDS[gradeOf(alert)]}: ${titleOf(alert)}`,
    detailOf(alert),
    sourcesOf(alert),
    alert.see?.feed && `See ${knownFeed(alert.see.feed)?.title ?? alert.see.feed}`,
    isPlanned(alert) ? `Planned ${startText(alert)}`.trim() : at && `Updated ${formatDateTime(at)}`,
  ]
    .flatMap((part) => part?.replace(/(?<![.\s])[.\s]+$/, '') || [])
    .join('. ');
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** The server gives its time in whole seconds, so a time less than this ahead of it counts as now. */
const CLOCK_STEP_MS = 2000;

export const isAhead = (at: Date, now: Date) => at.getTime() - now.getTime() > CLOCK_STEP_MS;

/** "Just now", "2 minutes ago". For a time in the future it gives that time, never "Just now", because some
 *  publishers' clocks are ahead. */
export function ageText(at: Date, now: Date): string {
  return isAhead(at, now) ? timeText(at, now) : timeAgo(at, now);
}

/** The same words after another word: "Updated just now". */
export const inSentence = (age: string) => age.replace(/^Just/, 'just');

/** "at 12:00", with its date when that is half a day away or more. */
const timeText = (at: Date, now: Date) =>
  Math.abs(at.getTime() - now.getTime()) < 12 * HOUR ? `at ${formatClock(at)}` : formatDateTime(at);

/** The age of `alertTime`; null if there is none. If the publisher's clock was ahead, it gives the time itself: an
 *  alert that was dated in the future when it arrived is not new when that time comes. */
export function alertAge(alert: Alert, now: Date): string | null {
  const at = alertTime(alert);
  return at && (alert.metadata?.clock_skew ? timeText(at, now) : ageText(at, now));
}

/** `11:48` for a time in the last twelve hours, `20 Nov 2026, 11:48` for an older one, which could otherwise be
 *  taken for today's. */
export function sinceText(at: Date, now: Date, options?: { seconds: boolean }): string {
  return now.getTime() - at.getTime() < 12 * HOUR ? formatClock(at, options) : formatDateTime(at);
}

/** A time that the server sent; null if it is missing or invalid. */
export function dateOf(value: string | null | undefined): Date | null {
  if (!value) return null;
  const date = new Date(value);
  return Number.isNaN(date.getTime()) ? null : date;
}

export const alertAddress = ({ event_id }: Pick<Alert, 'event_id'>): string =>
  pageAddressOf('alert', event_id);

/** A short address that can be read from a wall and typed: "/a/48213". */
export const numberAddress = ({ event_id }: Pick<Alert, 'event_id'>): string =>
  pageAddressOf('alertNumber', alertNumber(event_id));

/** The address of the map around the alert, with the alert selected; null when its place is not known. */
export function mapAddress({
  event_id,
  latitude,
  longitude,
}: Pick<Alert, 'event_id' | 'latitude' | 'longitude'>): string | null {
  if (latitude == null || longitude == null || (latitude === 0 && longitude === 0)) return null;
  return pageAddress('map', {
    disruptions: 'on',
    alert: event_id,
    lat: String(latitude),
    lng: String(longitude),
    zoom: '11',
  });
}
