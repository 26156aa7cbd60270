/** Whether a display shows the layout that it was asked for, in words, and whether somebody should look at it. */
import { MINUTE_MS } from '#contract/durations.ts';
import { standingOfDisplay } from '#contract/displays/displayStanding.ts';
import type { teamDisplays } from '../../api/accounts/teams.ts';
import { dateOf } from '../../feeds/alerts/alerts.ts';
import { counted } from '#contract/numbers.ts';
import { wallClock } from '../wall/words/shownTime.ts';
import { tagKey, type Target } from '#contract/displays/layouts.ts';

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

// The displays that a message or a layout is for, as values of a list: "all", "tag:Gate", "display:1".

/** Each tag in the spelling of one of its displays, with the ids of its displays. */
export function tagsOf(displays: readonly ListedDisplay[]): [tag: string, ids: string[]][] {
  const found = new Map<string, [tag: string, ids: string[]]>();
  for (const { id, tags } of displays)
    for (const tag of tags ?? []) {
      const [spelt, ids] = found.get(tagKey(tag)) ?? [tag, []];
      found.set(tagKey(tag), [spelt, [...ids, id]]);
    }
  return [...found.values()].toSorted(([a], [b]) => a.localeCompare(b, 'en-GB'));
}

/** "All", then each tag, then each display. */
export const targetChoices = (displays: readonly ListedDisplay[]): { value: string; label: string }[] => [
  {
    value: 'all',
    label: displays.length === 1 ? 'The only display' : `All ${counted(displays.length, 'display')}`,
  },
  ...tagsOf(displays).map(([tag, ids]) => ({ value: `tag:${tag}`, label: `Tag: ${tag} (${ids.length})` })),
  ...displays.map(({ id, name }) => ({ value: `display:${id}`, label: name || 'Unnamed display' })),
];

export function targetOf(value: string): Target {
  const at = value.indexOf(':');
  if (at === -1) return { all: true };
  const of = value.slice(at + 1);
  return value.startsWith('tag:') ? { tags: [of] } : { displays: [of] };
}

export const reachedBy = (displays: readonly ListedDisplay[], to: Target): ListedDisplay[] =>
  displays.filter(
    ({ id, tags }) =>
      to.all ||
      to.displays?.includes(id) ||
      tags?.some((tag) => to.tags?.some((other) => tagKey(other) === tagKey(tag))),
  );
