/** The displays that a message or a layout is for, as values of a list: "all", "tag:Gate", "display:1". */
import { tagKey, type Target } from '#contract/displays/layouts.ts';
import { counted } from '../../ui/numbers.ts';
import type { ListedDisplay } from './proof.ts';

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
