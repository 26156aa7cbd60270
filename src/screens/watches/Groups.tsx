import type { WatchKind } from '#contract/watches/watches.ts';
import { useState } from 'react';
import type { RouteState } from '../../watches/watchState.ts';
import { type Listed, RouteRow } from '../../watches/RouteRow.tsx';
import { Disclosure } from '../../ui/controls/Disclosure.tsx';
import { ListGroup } from '../../ui/page/ListAndPane.tsx';

const GROUPS: readonly { kind: WatchKind; name: string }[] = [
  { kind: 'route', name: 'Routes' },
  { kind: 'area', name: 'Areas' },
  { kind: 'feeds', name: 'Whole feeds' },
];

/** So many clear routes become one line. */
const FOLD_FROM = 3;

/** A row of the list, with how it stands now where that is worse than for its departures. */
interface GroupRow extends Listed {
  besides: RouteState | null;
  /** Whether the heading counts it. */
  isAffected: boolean;
}

/** The team's routes, areas and whole feeds, each group worst first. Three or more clear routes are one line; areas and
 *  feeds stay, as each answers for a place. */
export function Groups({
  rows,
  openId,
  counting,
  folds,
  countsNow,
}: {
  /** In order. */
  rows: readonly GroupRow[];
  openId: string | undefined;
  counting: boolean;
  /** Nothing is folded while somebody searches. */
  folds: boolean;
  /** The headings count what is affected now, else what is in the window. */
  countsNow: boolean;
}) {
  return GROUPS.map(({ kind, name }) => {
    const own = rows.filter(({ watch }) => watch.kind === kind);
    return (
      own.length > 0 && (
        <Group
          key={kind}
          name={name}
          rows={own}
          {...{ openId, counting, countsNow }}
          folds={folds && kind === 'route'}
        />
      )
    );
  });
}

function Group({
  name,
  rows,
  openId,
  counting,
  folds,
  countsNow,
}: Parameters<typeof Groups>[0] & {
  name: string;
}) {
  const [unfolded, setUnfolded] = useState<boolean | null>(null);
  const clear = rows.filter(({ state }) => state.standing === 'clear' && !state.unplaced);
  const isFolding = folds && clear.length >= FOLD_FROM;
  // Until somebody says otherwise, the route of the pane is seen in the list.
  const isOpen = unfolded ?? clear.some(({ watch }) => watch.id === openId);
  const first = isFolding ? rows.filter((one) => !clear.includes(one)) : rows;
  const row = (one: GroupRow) => (
    <RouteRow key={one.watch.id} {...one} counting={counting} isOpen={one.watch.id === openId} />
  );

  return (
    <ListGroup
      heading={name}
      count={rows.length}
      aside={`${rows.filter(({ isAffected }) => isAffected).length} affected${countsNow ? ' now' : ''}`}
    >
      <ol aria-label={`${name}, worst first`}>{first.map(row)}</ol>
      {isFolding && (
        <>
          <Disclosure inList open={isOpen} onOpen={setUnfolded}>
            Clear <span>{clear.length} as far as we know</span>
          </Disclosure>
          {isOpen && <ol aria-label="Clear routes">{clear.map(row)}</ol>}
        </>
      )}
    </ListGroup>
  );
}
