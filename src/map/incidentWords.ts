/** What an incident says on the map and beside it. */
import { knownSource } from '#contract/sources.ts';
import { gradeOf, isPlanned, sinceText, startText, titleOf } from '../disruptions/alerts.ts';
import { serverNow } from '../offline/freshness.ts';
import { GRADE_WORDS } from '../ui/Severity.tsx';
import type { Incident } from './useIncidents.ts';

/** "Active", "Planned from 22 Nov 2026, 23:00". */
export const phaseText = ({ alert }: Incident) =>
  isPlanned(alert) ? `Planned ${startText(alert)}`.trim() : 'Active';

export const sourceText = ({ alert }: Incident) =>
  alert.source ? knownSource(alert.source).displayName : '';

/** Empty while its source can be believed. */
export function staleText({ staleSince }: Incident): string {
  if (staleSince === null) return '';
  if (staleSince === 'unknown') return 'No recent information';
  return `No recent information since ${sinceText(staleSince, serverNow())}`;
}

/** All of it, for a reader who sees no map: "High: M62 closed. Active. No recent information since 11:48". */
export const incidentInWords = (incident: Incident) =>
  [
    `${GRADE_WORDS[gradeOf(incident.alert)]}: ${titleOf(incident.alert)}`,
    phaseText(incident),
    staleText(incident),
  ]
    .filter(Boolean)
    .join('. ');
