/** The words of a handover sheet. */
import { london } from '#contract/london.ts';
import { DISPOSITION_WORDS, LAPSE_WORDS } from '#contract/shift/responseWords.ts';
import { titleForms } from '#contract/incidents/titleForms.ts';
import type { Incident, Sheet } from '../../api/shift/handover.ts';
import { dateOf } from '../../feeds/alerts/alerts.ts';
import { shortTime } from '../../feeds/alerts/alertTimes.ts';
import { formatClock } from '../../time/london.ts';
import type { Grade } from '../../ui/signs/Severity.tsx';
import { dayAndClock } from '../../watches/timeWindow.ts';

/** "Handover 06:00–14:00" */
export const spanName = ({ from, to }: Sheet): string => `Handover ${formatClock(from)}–${formatClock(to)}`;

const ZONED = london({ hour: '2-digit', minute: '2-digit', timeZoneName: 'short' });

/** "Made 14:02 GMT by Rosa Jones. Data up to 14:01." */
export function footWords({ made_at, made_by, data_to }: Sheet): string {
  const made = `Made ${ZONED.format(new Date(made_at))}${made_by?.name ? ` by ${made_by.name}` : ''}.`;
  const data = dateOf(data_to);
  return data ? `${made} Data up to ${shortTime(data, new Date(made_at))}.` : `${made} No data.`;
}

/** The time of its beginning: "05:42", "from 15:00". */
export const sinceIn = (time: string | null | undefined, sheet: Sheet): string =>
  `${(dateOf(time) ?? 0) > new Date(sheet.made_at) ? 'from ' : ''}${timeIn(time, sheet)}`;

/** A time beside the time at which the sheet was made: "05:42", "21:04 yesterday". */
export function timeIn(time: string | null | undefined, { made_at }: Sheet): string {
  const at = dateOf(time);
  return at ? shortTime(at, new Date(made_at)) : '–';
}

/** The place and the effect, otherwise the publisher's title. */
export const titleOf = ({ facts, title }: Incident): string =>
  titleForms(facts, title ?? '')[0] ?? 'Alert without a title';

export const gradeOf = ({ severity }: Incident): Grade => severity ?? 'unrated';

/** "Leeds to Hull (left 15:30), York to Bristol (06:10 tomorrow); possible: Hull to Goole"; "all 14 routes". */
export function routeNames(
  { route, routes }: Sheet['on_routes'][number],
  { routes_total, made_at }: Pick<Sheet, 'routes_total' | 'made_at'>,
): string {
  const all = routes ?? [{ ...route, level: 'certain' as const, leaves: null, end_unknown: false }];
  const words = (level: 'certain' | 'possible') => {
    const names = all.flatMap((one) =>
      one?.name && (one.level ?? 'certain') === level ? `${one.name}${leavesWords(one, made_at)}` : [],
    );
    return names.length > 1 && names.length === routes_total
      ? `all ${routes_total} routes`
      : names.join(', ');
  };
  const possible = words('possible');
  return [words('certain'), possible && `possible: ${possible}`].filter(Boolean).join('; ');
}

/** " (left 15:30)", " (16:40)", " (06:10 tomorrow, its end is not known)" */
function leavesWords(
  { leaves, end_unknown }: { leaves?: string | null | undefined; end_unknown?: boolean | null | undefined },
  made_at: string,
): string {
  const at = dateOf(leaves);
  if (!at) return '';
  const made = new Date(made_at);
  return ` (${at <= made ? 'left ' : ''}${dayAndClock(at, made)}${end_unknown ? ', its end is not known' : ''})`;
}

/** "Rosa Jones · Diverted"; "nobody"; "Open again. Acknowledged by Rosa Jones at 08:12. Worse since." */
export function inHandWords({ by, disposition, lapsed }: Sheet['on_routes'][number], sheet: Sheet): string {
  if (!disposition)
    return lapsed?.kind
      ? `Open again. Acknowledged by ${lapsed.by?.name ?? 'somebody'} at ${timeIn(lapsed.at, sheet)}. ${LAPSE_WORDS[lapsed.kind]}`
      : 'nobody';
  return [by?.name, DISPOSITION_WORDS[disposition]].filter(Boolean).join(' · ');
}

/** "16:00"; "it changes" for a snooze that ends with a change. */
export const untilWords = ({ until, change }: Sheet['snoozed'][number], sheet: Sheet): string =>
  change ? 'it changes' : timeIn(until, sheet);
