/** What an incident says on the map and beside it. */
import { isPlanned } from '#contract/disruptions.ts';
import { feedOf } from '#contract/feeds.ts';
import { knownSource } from '#contract/sources.ts';
import { gradeOf, startText, titleOf } from '../feeds/alerts.ts';
import { notRecentText } from '../feeds/sources.ts';
import { serverNow } from '../time/freshness.ts';
import { GRADE_WORDS } from '../ui/Severity.tsx';
import type { Reported } from './useIncidents.ts';

/** "Active", "Planned from 22 Nov 2026, 23:00". */
export const phaseText = ({ alert }: Reported) =>
  isPlanned(alert) ? `Planned ${startText(alert)}`.trim() : 'Active';

export const sourceText = ({ alert }: Reported) =>
  alert.source ? knownSource(alert.source).displayName : '';

/** Empty while its source is recent enough to be believed. */
export function staleText({ staleSince }: Reported): string {
  if (staleSince === null) return '';
  return notRecentText(staleSince === 'unknown' ? null : staleSince, serverNow());
}

/** All of it, for a reader who sees no map: "High: M62 closed. Active. No recent information since 11:48". */
export const incidentInWords = (incident: Reported) =>
  [
    `${GRADE_WORDS[gradeOf(incident.alert)]}: ${titleOf(incident.alert)}`,
    phaseText(incident),
    staleText(incident),
  ]
    .filter(Boolean)
    .join('. ');

/** "Rail Network": the feed of the board that includes it. */
export const feedText = ({ alert }: Reported) => feedOf(alert.source ?? '')?.title ?? '';
