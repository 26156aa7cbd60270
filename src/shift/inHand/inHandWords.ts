/** The words for a response on screen. */
import { type TeamResponse } from '#contract/shift/responses.ts';
import {
  DISPOSITION_WORDS,
  firstName,
  isAcknowledged,
  isSnoozed,
  LAPSE_WORDS,
} from '#contract/shift/responseWords.ts';
import { shortTime } from '../../feeds/alerts/alertTimes.ts';
import { dateOf } from '../../feeds/alerts/alerts.ts';

/** "Rosa Jones · Diverted · 08:12"; '' when nobody has it. */
export function whoWords(state: TeamResponse | undefined, now: Date): string {
  const at = dateOf(state?.at);
  if (!state || !at || !isAcknowledged(state)) return '';
  return [state.by?.name, DISPOSITION_WORDS[state.disposition!] ?? state.disposition, shortTime(at, now)]
    .filter(Boolean)
    .join(' · ');
}

/** "Seen by Rosa, 06:12"; "Seen 06:12" if names are not shown; '' when nobody has it. */
export function seenWords(
  state: TeamResponse | undefined,
  now: Date,
  { names = true }: { names?: boolean } = {},
): string {
  const at = dateOf(state?.at);
  if (!state || !at || !isAcknowledged(state)) return '';
  const time = shortTime(at, now);
  return names && state.by ? `Seen by ${firstName(state.by.name)}, ${time}` : `Seen ${time}`;
}

/** "Acknowledged by Rosa Jones at 08:12. Worse since."; '' when the acknowledgement counts, or there was none. */
export function lapseWords(state: TeamResponse | undefined, now: Date): string {
  const at = dateOf(state?.at);
  if (!state?.lapsed || !at) return '';
  return `Acknowledged by ${state.by?.name ?? 'somebody'} at ${shortTime(at, now)}. ${LAPSE_WORDS[state.lapsed]}`;
}

/** "Snoozed until 09:30", "Snoozed until it changes"; '' when it is not snoozed. */
export function snoozeWords(state: TeamResponse | undefined, now: Date): string {
  if (!state?.snooze || !isSnoozed(state, now)) return '';
  if (state.snooze.change) return 'Snoozed until it changes';
  return `Snoozed until ${shortTime(new Date(state.snooze.until), now)}`;
}
