/** The number of alerts, in the one sentence that all screens share: "13 active, 4 planned". */
import { isPlanned } from '#contract/incidents/disruptions.ts';
import type { Alert } from '../../api/alerts/disruptions.ts';
import type { Row, FeedEntry } from '../../api/alerts/feeds.ts';
import { type Grade, GRADES } from '../../ui/signs/Severity.tsx';
import { grouped } from '#contract/numbers.ts';
import { gradeOf, isCounted } from './alerts.ts';
import { type FeedCategory, knownFeed } from '#contract/feeds/feeds.ts';
import { knownSource } from '#contract/feeds/knownSources.ts';

/** "13 active, 4 planned"; "5 active" when none is planned. */
export const countsText = ({ active, planned }: { active: number; planned: number }): string =>
  `${grouped(active)} active${planned > 0 ? `, ${grouped(planned)} planned` : ''}`;

/** A feed with its alerts. The team's own reports are a row without a feed. */
export interface AlertRow {
  feed?: Row['feed'];
  events: readonly Alert[];
}

/** Everything that is counted: the feeds, and the team's own reports. */
export const withOurs = (rows: readonly AlertRow[], ours: readonly Alert[]): readonly AlertRow[] =>
  ours.length === 0 ? rows : [...rows, { events: ours }];

/** The number of a feed's active alerts, which may be more than it lists, and of its planned ones. */
export function feedCounts({ feed, events }: AlertRow): {
  active: number;
  planned: number;
} {
  return {
    active: Math.max(feed?.alert_count ?? 0, events.filter(isCounted).length),
    planned: Math.max(
      feed?.planned_count ?? 0,
      events.filter((alert) => isPlanned(alert) && !alert.see).length,
    ),
  };
}

/** The counts of several feeds together. An incident that two of them list counts once, in its own feed. */
export function totalCounts(rows: readonly AlertRow[]) {
  const counts = rows.map(feedCounts);
  return {
    active: counts.reduce((sum, { active }) => sum + active, 0),
    planned: counts.reduce((sum, { planned }) => sum + planned, 0),
  };
}

interface GradeCount {
  grade: Grade;
  count: number;
}

/** A feed's active alerts by grade, worst first, without empty grades. The server's own counts are used when it
 *  sends them. Alerts that it could not rate are counted as unrated. */
export function feedGrades({ feed, events }: AlertRow): GradeCount[] {
  const listed = events.filter(isCounted);
  const isWhole = listed.length >= (feed?.alert_count ?? 0);
  return GRADES.map((grade) => {
    const here = listed.filter((alert) => gradeOf(alert) === grade).length;
    const counted = grade === 'unrated' || isWhole ? 0 : (feed?.by_severity?.[grade] ?? 0);
    const unrated = listed.filter((alert) => gradeOf(alert) === 'unrated' && alert.severity === grade).length;
    return { grade, count: Math.max(here, counted - unrated) };
  }).filter(({ count }) => count > 0);
}

/** The same counts for several feeds together. */
export function totalGrades(rows: readonly AlertRow[]): GradeCount[] {
  const all = rows.flatMap(feedGrades);
  return GRADES.map((grade) => ({
    grade,
    count: all.reduce((sum, one) => sum + (one.grade === grade ? one.count : 0), 0),
  })).filter(({ count }) => count > 0);
}

// The name of a feed, even if the server does not send one.

export function titleOf(feed: FeedEntry): string {
  return feed.title?.trim() || knownFeed(feed.slug)?.title || knownSource(feed.slug).displayName;
}

export function categoryOf(feed: FeedEntry): FeedCategory | null {
  return feed.category ?? knownFeed(feed.slug)?.category ?? null;
}
