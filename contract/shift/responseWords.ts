/** The words for a response, and when it counts. Without schemas, for screens that only show it. */
import type { Lapse } from './lapses.ts';
import type { Disposition, TeamResponse } from './responses.ts';
import type { SnoozeFor } from './snoozes.ts';

export const DISPOSITION_WORDS: Readonly<Record<Disposition, string>> = {
  dealing_with_it: 'Dealing with it',
  diverted: 'Diverted',
  no_effect_on_us: 'No effect on us',
  watching: 'Watching',
  incorrect_report: 'Incorrect report',
};

export const SNOOZE_WORDS: Readonly<Record<SnoozeFor, string>> = {
  '30_min': '30 min',
  '1_h': '1 h',
  '2_h': '2 h',
  end_of_shift: 'End of shift',
  until_it_changes: 'Until it changes',
};

export const LAPSE_WORDS: Readonly<Record<Lapse, string>> = {
  worse: 'Worse since.',
  started: 'Started since.',
  began: 'Began again since.',
};

/** "Rosa" for "Rosa Jones". */
export const firstName = (name: string): string => name.trim().split(/\s+/, 1)[0] ?? '';

export const isAcknowledged = (state: Pick<TeamResponse, 'disposition' | 'lapsed'> | undefined): boolean =>
  state !== undefined && state.disposition !== null && state.lapsed === null;

export const isSnoozed = (
  state: { snooze: { until: string } | null } | undefined,
  now: { getTime(): number },
): boolean => state?.snooze != null && Date.parse(state.snooze.until) > now.getTime();
