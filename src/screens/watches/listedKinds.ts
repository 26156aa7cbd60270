/** Routes, areas and whole feeds of a team that are listed, and how: from the address, or as chosen. */
import type { WatchKind } from '#contract/watches/watches.ts';
import type { ListedWatch } from '../../api/watches/watches.ts';

export type View = 'list' | 'columns';

/** As the address has it: `?kind=feeds`. */
export type Kind = 'all' | 'routes' | 'areas' | 'feeds';

const KIND_OF: Readonly<Record<WatchKind, Kind>> = { route: 'routes', area: 'areas', feeds: 'feeds' };

const LABELS: Readonly<Record<Kind, { label: string; short?: string }>> = {
  all: { label: 'All' },
  routes: { label: 'Routes' },
  areas: { label: 'Areas' },
  feeds: { label: 'Whole feeds', short: 'Feeds' },
};
const BOTH = { label: 'Both' };

const ORDER: Readonly<Record<View, readonly Kind[]>> = {
  list: ['all', 'routes', 'areas', 'feeds'],
  columns: ['areas', 'feeds', 'all'],
};

export const kindAt = (asked: string | undefined): Kind | null =>
  ORDER.list.find((kind) => kind === asked) ?? null;

/** Columns have no routes: a route's way is read from its start to its end. */
export const shownIn = (view: View, kind: Kind, { kind: of }: Pick<ListedWatch, 'kind'>): boolean =>
  (view === 'list' || of !== 'route') && (kind === 'all' || KIND_OF[of] === kind);

/** The kinds to choose from, with how many there are of each. */
export const kindsIn = (view: View, watches: readonly Pick<ListedWatch, 'kind'>[]) =>
  ORDER[view].map((value) => ({
    value,
    ...(view === 'columns' && value === 'all' ? BOTH : LABELS[value]),
    count: watches.filter((watch) => shownIn(view, value, watch)).length,
  }));

/** The chosen kind, where the view has it; columns begin with areas, where there are any. */
export function kindShown(
  view: View,
  chosen: Kind | null,
  watches: readonly Pick<ListedWatch, 'kind'>[],
): Kind {
  if (chosen && ORDER[view].includes(chosen)) return chosen;
  return view === 'columns' && watches.some(({ kind }) => kind === 'area') ? 'areas' : 'all';
}
