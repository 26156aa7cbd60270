/** The alert that the band shows now, out of the worst ones. */
import { isOwn } from '#contract/feeds/knownSources.ts';
import { useEffect, useMemo } from 'react';
import type { Alert } from '../../../api/alerts/disruptions.ts';
import { dateOf, isCritical } from '../../../feeds/alerts/alerts.ts';
import { useBoardNews } from '../../../feeds/refresh/boardNews.ts';
import type { AlertRow } from '../../../feeds/alerts/counts.ts';
import { candidatesOf } from '../../../feeds/alerts/leadAlerts.ts';
import { useClock } from '../../../time/tickingClock.ts';
import { BAND_MS, NEWCOMER_MS, noteBand } from './rowTurns.ts';

/** How many of the worst alerts take turns. The others are only counted. */
const LEADS_AT_MOST = 3;

export interface Lead {
  /** All alerts that are equally bad, worst first. */
  candidates: readonly Alert[];
  /** Null when nothing is critical or high. */
  alert: Alert | null;
}

/** The worst alerts take turns by the clock. An old board stays at the first. */
export function useLead(rows: readonly AlertRow[], stale: boolean): Lead {
  const candidates = useMemo(() => candidatesOf(rows), [rows]);
  const criticals = useBoardNews((news) => news.criticals);
  const id = useClock(
    (now) => (stale ? candidates[0]?.event_id : leadAt(now, candidates, criticals)) ?? null,
  );
  const alternates = candidates.length > 1 && !stale;
  useEffect(() => {
    noteBand(alternates);
    return () => noteBand(false);
  }, [alternates]);
  return { candidates, alert: candidates.find(({ event_id }) => event_id === id) ?? null };
}

/** A new critical alert is shown at once, and twice as long. */
export function leadAt(
  now: Date,
  candidates: readonly Alert[],
  /** When each critical alert became critical. */
  criticals: ReadonlyMap<string, number>,
): string | undefined {
  // The team's own report is in no feed, so the time when it was made counts.
  const cameAt = (alert: Alert) =>
    criticals.get(alert.event_id) ?? ((isOwn(alert) && dateOf(alert.start_time)?.getTime()) || -Infinity);
  const [newest] = candidates.filter(isCritical).toSorted((a, b) => cameAt(b) - cameAt(a));
  const age = newest ? now.getTime() - cameAt(newest) : Infinity;
  if (newest && age >= 0 && age < NEWCOMER_MS) return newest.event_id;
  const turns = Math.max(1, Math.min(LEADS_AT_MOST, candidates.length));
  return candidates[Math.floor(now.getTime() / BAND_MS) % turns]?.event_id;
}
