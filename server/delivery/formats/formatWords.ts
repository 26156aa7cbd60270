/** Words for an incident and for a silent source in formats that people read. Feed text is hostile: each text
 *  becomes one line of limited length, without characters that XML cannot hold or that reverse the text beside them. */
import { capital } from '#contract/incidents/titleForms.ts';
import { pageAddressOf } from '#contract/addresses.ts';
import type { ListedDisruption } from '#contract/incidents/disruptions.ts';
import type { SilentSource } from '#contract/watches/formats.ts';
import { LONDON_CLOCK, london } from '#contract/london.ts';
import { knownSource } from '#contract/feeds/knownSources.ts';
import { summaryLine } from '../../http/documents/plainText.ts';
import { attributionOf } from './formatScope.ts';

export const TITLE_MAX = 300;
export const TEXT_MAX = 1000;
/** Text that is cut later is read only up to here. */
const READ_MAX = 20_000;

export const line = (text: string, most = TEXT_MAX): string =>
  summaryLine(
    text
      .slice(0, READ_MAX)
      .toWellFormed()
      .replace(/[\s\u0085]+/g, ' ')
      .replace(/[\p{Cc}\p{Cf}\uFFFE\uFFFF]/gu, '')
      .trim(),
    most,
  );

/** `lost`: its source is silent, or was silent when the incident was given up. This is not the same as over. */
export type Standing = 'active' | 'planned' | 'ended' | 'lost';

export function standingOf(
  { source, ended_at, ended_reason, metadata }: ListedDisruption,
  silent: readonly SilentSource[],
): Standing {
  if (ended_at) return ended_reason === 'expired' ? 'lost' : 'ended';
  if (silent.some((one) => one.source === source)) return 'lost';
  return metadata.phase;
}

const STANDING_WORDS: Readonly<Record<Standing, string>> = {
  active: 'Active',
  planned: 'Planned',
  ended: 'Ended',
  lost: 'No longer known',
};

export const gradeOf = ({ severity, metadata }: Pick<ListedDisruption, 'severity' | 'metadata'>): string =>
  metadata.severity_unrated ? 'Unrated' : capital(severity);

export const titleOf = ({
  title,
  summary_line,
  event_id,
}: Pick<ListedDisruption, 'title' | 'summary_line' | 'event_id'>): string =>
  line(title, TITLE_MAX) || line(summary_line, TITLE_MAX) || line(event_id, TITLE_MAX);

/** "High: M62 closed", "No longer known: M62 closed". */
export function headline(incident: ListedDisruption, standing: Standing): string {
  const grade = gradeOf(incident);
  const first =
    standing === 'active' ? grade : standing === 'planned' ? `Planned, ${grade}` : STANDING_WORDS[standing];
  return `${first}: ${titleOf(incident)}`;
}

export const nameOf = (source: string): string => line(knownSource(source).displayName, TITLE_MAX);

/** The source of the words, and the credit that must be shown with them. */
const sourceLine = ({ source }: Pick<ListedDisruption, 'source'>): string =>
  `Source: ${nameOf(source)}. ${attributionOf(source)}`;

export function bodyOf(incident: ListedDisruption): string {
  const { summary_line, facts, metadata } = incident;
  const also = (metadata.also_reported_by ?? []).map(({ source }) => nameOf(source));
  return [
    line(summary_line),
    ...(facts?.advice ?? []).slice(0, 5).map((one) => line(one)),
    also.length > 0 && `Also reported by ${[...new Set(also)].join(', ')}.`,
    sourceLine(incident),
  ]
    .filter(Boolean)
    .join('\n');
}

const WHEN = london({ day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit', hour12: false });
const DAY = london({ dateStyle: 'short' });

/** "08:10", or with its day if that is not today. London's clock. */
export function clock(at: string, now: Date): string {
  const time = new Date(at);
  return DAY.format(time) === DAY.format(now) ? LONDON_CLOCK.format(time) : WHEN.format(time);
}

/** "No information from National Highways since 08:10" */
export const silence = ({ name, since }: SilentSource, now: Date): string =>
  since
    ? `No information from ${line(name, TITLE_MAX)} since ${clock(since, now)}`
    : `No information from ${line(name, TITLE_MAX)} since this service started`;

export const SILENCE_MEANS =
  'Reports of this source are not known at present. A short or empty list is no all-clear.';

export const alertPage = (origin: string, eventId: string): string =>
  origin + pageAddressOf('alert', eventId);
