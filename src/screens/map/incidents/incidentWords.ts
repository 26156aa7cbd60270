/** The words for an incident on the map and beside it. */
import { capital } from '#contract/incidents/titleForms.ts';
import { feedOf } from '#contract/feeds/feeds.ts';
import { knownSource } from '#contract/feeds/knownSources.ts';
import type { Alert } from '../../../api/alerts/disruptions.ts';
import { gradeOf } from '../../../feeds/alerts/alerts.ts';
import { headOf } from '../../../feeds/alerts/titles.ts';
import { notRecentText } from '../../../feeds/alerts/sourceStatus.ts';
import { spanWords } from '../../../feeds/alerts/alertTimes.ts';
import { serverNow } from '../../../time/freshness.ts';
import { GRADE_WORDS } from '../../../ui/signs/Severity.tsx';
import type { Reported } from './useIncidents.ts';

/** "05:31 to about 11:00", "since 16 Nov", "From 23:00 today"; "Active" when nobody gives a start. */
export const phaseText = ({ alert }: Reported, now: Date) => spanWords(alert, now) || 'Active';

/** "Approximate: between Hammersmith and Heathrow Terminals 2 & 3"; '' when the publisher gave the point. */
export function approximateText({ metadata }: Alert): string {
  const { location_method: method, location_names: names = [] } = metadata ?? {};
  if (!method || method === 'publisher') return '';
  const [first, second] = names ?? [];
  if (!first) return 'Approximate place';
  return second ? `Approximate: between ${first} and ${second}` : `Approximate: ${first}`;
}

export const sourceText = ({ alert }: Reported) =>
  alert.source ? knownSource(alert.source).displayName : '';

/** The words about a silent source; empty while the source is recent enough to be believed. */
export function staleText({ staleSince }: Reported): string {
  if (staleSince === null) return '';
  return notRecentText(staleSince === 'unknown' ? null : staleSince, serverNow());
}

/** The whole alert for screen readers: "High: M62, J26: closed. Since 05:42. No recent information since 11:48". */
export function incidentInWords(incident: Reported, now: Date): string {
  const { alert } = incident;
  const { place, effect } = headOf(alert);
  return [
    [`${GRADE_WORDS[gradeOf(alert)]}: ${place}`, effect].filter(Boolean).join('. '),
    capital(phaseText(incident, now)),
    approximateText(alert),
    staleText(incident),
  ]
    .filter(Boolean)
    .join('. ');
}

/** "Rail Network": the feed of the board that includes it. */
export const feedText = ({ alert }: Reported) => feedOf(alert.source ?? '')?.title ?? '';
