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

/** From this many clear routes on, they are folded into one line. */
const FOLD_FROM = 3;

/** A row of the list, with its state now if that is worse than for its departures. */
interface GroupRow extends Listed {
  besides: RouteState | null;
  /** Whether the heading counts it. */
  isAffected: boolean;
}

/** The team's routes, areas and whole feeds, each group worst first. Three or more clear routes are folded into one
 *  line. Areas and feeds are never folded, because each stands for a place of its own. */
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
  /** False while somebody searches: then nothing is folded. */
  folds: boolean;
  /** True: the headings count what is affected now. False: they count what is in the window. */
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
  // Until the user folds or unfolds the line, the route of the pane is visible in the list.
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
