/** Whether a display shows the layout that it was asked for, in words, and whether somebody should look at it. */
import { MINUTE_MS } from '#contract/durations.ts';
import { standingOfDisplay } from '#contract/displays/displays.ts';
import type { teamDisplays } from '../../api/accounts/teams.ts';
import { dateOf } from '../../feeds/alerts/alerts.ts';
import { counted } from '../../ui/numbers.ts';
import { wallClock } from '../wall/words/shownTime.ts';

export type ListedDisplay = Awaited<ReturnType<typeof teamDisplays>>[number];

export interface Proof {
  /** `look`: somebody should look at it. `asked`: it was asked a moment ago. `taken`: it shows the layout. */
  sign: 'look' | 'asked' | 'taken';
  words: string;
  more: string;
}

export function proofOf(display: ListedDisplay, now: Date): Proof {
  const { rev = 0, taken_rev, problem } = display;
  const seen = dateOf(display.last_seen_at);
  const asked = dateOf(display.asked_at);
  const shows = taken_rev == null ? '' : `rev ${taken_rev}${sinceWords(display.taken_at, now)}`;
  const is = standingOfDisplay(display, now);
  switch (is) {
    case 'unseen':
      return {
        sign: 'look',
        words: `Not seen for ${forWords(now.getTime() - (seen?.getTime() ?? 0))}`,
        more: shows && `Showed ${shows}`,
      };
    case 'new':
      return { sign: 'asked', words: seen ? 'Has not said yet what it shows' : 'Not seen yet', more: '' };
    case 'not_all':
      return { sign: 'look', words: `Shows not all of rev ${rev}`, more: problem ?? '' };
    case 'taken':
      return { sign: 'taken', words: `Shows ${shows}`, more: '' };
    default: {
      const isAskedAgain = asked !== null && (rev ?? 0) - (taken_rev ?? 0) > 1;
      const at = asked && wallClock(asked, now);
      return {
        sign: is === 'asked' ? 'asked' : 'look',
        words: isAskedAgain
          ? `Asked since ${at}, rev ${rev} not taken yet`
          : `Asked for rev ${rev}${at ? ` at ${at}` : ''}, not taken yet`,
        more: shows && `Shows ${shows}`,
      };
    }
  }
}

/** Displays that somebody should look at come first, then those that were asked a moment ago; within each by name. */
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
