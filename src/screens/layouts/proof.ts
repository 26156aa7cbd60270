/** Whether a display shows what it was asked for, in words, and whether somebody should look at it. */
import { MINUTE_MS } from '#contract/durations.ts';
import { NOT_SEEN_MINUTES, NOT_TAKEN_MINUTES } from '#contract/displays/displays.ts';
import type { teamDisplays } from '../../api/accounts/teams.ts';
import { dateOf } from '../../feeds/alerts/alerts.ts';
import { counted } from '../../ui/numbers.ts';
import { wallClock } from '../wall/words/shownTime.ts';

export type ListedDisplay = Awaited<ReturnType<typeof teamDisplays>>[number];

export interface Proof {
  /** `look`: somebody should; `asked`: a moment ago; `taken`: it shows what it was asked for. */
  sign: 'look' | 'asked' | 'taken';
  words: string;
  more: string;
}

export function proofOf(display: ListedDisplay, now: Date): Proof {
  const { rev = 0, taken_rev, problem } = display;
  const seen = dateOf(display.last_seen_at);
  const asked = dateOf(display.asked_at);
  const shows = taken_rev == null ? '' : `rev ${taken_rev}${sinceWords(display.taken_at, now)}`;
  if (!isSeen(display, now))
    return {
      sign: 'look',
      words: seen ? `Not seen for ${forWords(now.getTime() - seen.getTime())}` : 'Not seen yet',
      more: shows && `Showed ${shows}`,
    };
  if (taken_rev == null && !rev) return { sign: 'asked', words: 'Has not said yet what it shows', more: '' };
  if (taken_rev !== rev) {
    const isAskedAgain = asked !== null && (rev ?? 0) - (taken_rev ?? 0) > 1;
    const at = asked && wallClock(asked, now);
    return {
      sign: asked && now.getTime() - asked.getTime() < NOT_TAKEN_MINUTES * MINUTE_MS ? 'asked' : 'look',
      words: isAskedAgain
        ? `Asked since ${at}, rev ${rev} not taken yet`
        : `Asked for rev ${rev}${at ? ` at ${at}` : ''}, not taken yet`,
      more: shows && `Shows ${shows}`,
    };
  }
  if (problem) return { sign: 'look', words: `Shows not all of rev ${rev}`, more: problem };
  return { sign: 'taken', words: `Shows ${shows}`, more: '' };
}

/** A message reaches it within 65 seconds. */
export const isSeen = ({ last_seen_at }: ListedDisplay, now: Date): boolean => {
  const seen = dateOf(last_seen_at);
  return seen !== null && now.getTime() - seen.getTime() <= NOT_SEEN_MINUTES * MINUTE_MS;
};

/** Displays that need a look first, then those that were asked a moment ago, each by name. */
export function byNeed(displays: readonly ListedDisplay[], now: Date): [ListedDisplay, Proof][] {
  const order = ['look', 'asked', 'taken'];
  return displays
    .map((display): [ListedDisplay, Proof] => [display, proofOf(display, now)])
    .toSorted(
      ([a, { sign: ofA }], [b, { sign: ofB }]) =>
        order.indexOf(ofA) - order.indexOf(ofB) ||
        (a.name ?? '').localeCompare(b.name ?? '', 'en-GB', { numeric: true }),
    );
}

const sinceWords = (at: string | null | undefined, now: Date): string => {
  const since = dateOf(at);
  return since ? ` since ${wallClock(since, now)}` : '';
};

function forWords(ms: number): string {
  const minutes = Math.floor(ms / MINUTE_MS);
  if (minutes < 120) return counted(minutes, 'minute');
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? counted(hours, 'hour') : counted(Math.floor(hours / 24), 'day');
}
