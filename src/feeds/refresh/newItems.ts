/** Finds the feeds that changed visibly between two replies. */
import { isPlanned } from '#contract/incidents/disruptions.ts';
import type { Alert } from '../../api/alerts/disruptions.ts';
import type { Row } from '../../api/alerts/feeds.ts';
import { gradeOf, isCritical } from '../alerts/alerts.ts';

/** A changed feed is marked until the next refresh, and at most this long. */
export const NEW_FOR_MS = 60_000;

export interface Change {
  /** The number of alerts that are new or have changed. 0: only the summary changed, or an alert ended. */
  items: number;
  /** The alerts that have become critical. */
  criticals: Alert[];
}

/** The text of its mark. */
export const newText = (change: Change | undefined) => (change?.items ? `${change.items} new` : 'Updated');

/** Changed feeds by slug. A feed that was not there before does not count, so the first load marks nothing. */
export function changesBetween(before: readonly Row[], after: readonly Row[]): ReadonlyMap<string, Change> {
  const changes = new Map<string, Change>();
  for (const row of after) {
    const old = before.find(({ feed }) => feed.slug === row.feed.slug);
    const change = old && changeOf(old, row);
    if (change) changes.set(row.feed.slug, change);
  }
  return changes;
}

function changeOf(before: Row, after: Row): Change | null {
  const known = new Map(before.events.map((event) => [event.event_id, event]));
  const changed = after.events.filter((event) => {
    const old = known.get(event.event_id);
    return !old || reading(old) !== reading(event);
  });
  const criticals = changed.filter((event) => {
    const old = known.get(event.event_id);
    return isCritical(event) && !(old && isCritical(old));
  });

  const present = new Set(after.events.map((event) => event.event_id));
  const ended =
    before.events.some((event) => !present.has(event.event_id)) ||
    (before.feed.alert_count ?? null) !== (after.feed.alert_count ?? null);
  const summary = after.summary?.text?.trim() ?? '';
  const rewritten = summary !== '' && summary !== (before.summary?.text?.trim() ?? '');

  return changed.length > 0 || ended || rewritten ? { items: changed.length, criticals } : null;
}

/** The text of an alert that a reader sees. Of its times it holds only the start of a planned alert, because some
 *  publishers change the others at every poll. */
function reading(alert: Alert): string {
  const { title, summary_line, start_time } = alert;
  return JSON.stringify([
    gradeOf(alert),
    title,
    summary_line,
    isPlanned(alert) ? ['planned', start_time] : null,
  ]);
}
