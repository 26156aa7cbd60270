import { londonDay } from '#contract/london.ts';
import { type ReactNode, useId, useState } from 'react';
import { dayWords } from '../../time/london.ts';
import { serverNow } from '../../time/freshness.ts';
import { Button } from '../../ui/controls/Button.tsx';
import { SegmentedSwitch } from '../../ui/controls/SegmentedSwitch.tsx';
import { bound, ToolField, optionsOf } from '../../ui/controls/Field.tsx';
import { NEXT_DEPARTURE, type Window } from '../../watches/timeWindow.ts';
import styles from './Tools.module.css';
import type { WatchKind } from '#contract/watches/watches.ts';
import type { ListedWatch } from '../../api/watches/watches.ts';

type Show = 'all' | 'mine' | 'affected';

export interface Filters {
  view: View;
  /** Null until one is chosen. */
  kind: Kind | null;
  show: Show;
  window: Window;
  search: string;
}

const VIEWS = [
  { value: 'list', label: 'List' },
  { value: 'columns', label: 'Columns' },
] as const;

const SHOW = [
  { value: 'all', label: 'All' },
  { value: 'mine', label: 'Mine' },
  { value: 'affected', label: 'Affected now' },
] as const;

const WINDOWS = [
  { value: 'now', label: 'Now' },
  { value: 'hours', label: 'Next 12 hours' },
  { value: 'departure', label: 'A departure' },
  { value: 'date', label: 'Date' },
] as const;

/** The tools of the list: which routes, areas and feeds it shows, in which form, and for which time they are judged. */
export function Tools({
  filters: { view, kind, show, window, search },
  set,
  kinds,
  chosen,
  children,
}: {
  filters: Filters & { kind: Kind };
  set: (changed: Partial<Filters>) => void;
  kinds: readonly { value: Kind; label: string; count: number }[];
  /** True: a watch is open. When it has the page to itself, there is no list to filter. */
  chosen: boolean;
  /** The menu for making a new one, when there is no room for the buttons. */
  children: ReactNode;
}) {
  const today = londonDay(serverNow());
  const dayId = useId();
  /** On a phone the fields are behind "Filters". */
  const [open, setOpen] = useState(false);
  const choose = (kind: (typeof WINDOWS)[number]['value']) => {
    if (kind === 'departure') set({ window: NEXT_DEPARTURE });
    else if (kind === 'date') set({ window: { kind, day: today, clock: null } });
    else set({ window: { kind } });
  };

  return (
    <search
      className={styles.tools}
      data-tight="2"
      data-across
      data-row="4"
      aria-label="Filters"
      data-chosen={chosen || undefined}
      data-open={open || undefined}
    >
      <div className={styles.view}>
        <SegmentedSwitch label="View" options={VIEWS} value={view} onChange={(view) => set({ view })} />
      </div>
      <div className={styles.kind}>
        <SegmentedSwitch label="Kind" options={kinds} value={kind} onChange={(kind) => set({ kind })} />
      </div>
      <div className={styles.more} data-only="phone">
        <Button aria-expanded={open} onClick={() => setOpen(!open)}>
          Filters
        </Button>
        {children}
      </div>
      <ToolField label="Show" className={styles.field}>
        <select {...bound(show, (value) => set({ show: optionOf(SHOW, value) }))}>
          {optionsOf(SHOW.map(({ value, label }) => [value, label]))}
        </select>
      </ToolField>
      <ToolField label="Window" className={styles.field}>
        <select {...bound(window.kind, (value) => choose(optionOf(WINDOWS, value)))}>
          {optionsOf(WINDOWS.map(({ value, label }) => [value, label]))}
        </select>
      </ToolField>
      {window.kind === 'date' && (
        <>
          <ToolField label="Date" className={styles.date}>
            <input
              type="date"
              aria-describedby={dayId}
              {...bound(window.day, (value) => value && set({ window: { ...window, day: value } }))}
              min={today}
            />
          </ToolField>
          <ToolField label="From" className={styles.date}>
            <input
              type="time"
              {...bound(window.clock ?? '', (value) => set({ window: { ...window, clock: value || null } }))}
            />
          </ToolField>
          <span id={dayId} className={styles.day} data-nowrap data-text="note">
            {dayWords(window.day)}
          </span>
        </>
      )}
      <ToolField label="Search" letter="/" className={styles.search}>
        <input type="search" data-search {...bound(search, (search) => set({ search }))} />
      </ToolField>
    </search>
  );
}

type Options<Value extends string> = readonly { value: Value; label: string }[];

const optionOf = <Value extends string>(options: Options<Value>, said: string): Value =>
  options.find(({ value }) => value === said)!.value; // it is one of the options

export type View = 'list' | 'columns';

/** As in the address: `?kind=feeds`. */
export type Kind = 'all' | 'routes' | 'areas' | 'feeds';

const KIND_OF: Readonly<Record<WatchKind, Kind>> = { route: 'routes', area: 'areas', feeds: 'feeds' };

const LABELS: Readonly<Record<Kind, { label: string }>> = {
  all: { label: 'All' },
  routes: { label: 'Routes' },
  areas: { label: 'Areas' },
  feeds: { label: 'Feeds' },
};
const BOTH = { label: 'Both' };

const ORDER: Readonly<Record<View, readonly Kind[]>> = {
  list: ['all', 'routes', 'areas', 'feeds'],
  columns: ['areas', 'feeds', 'all'],
};

export const kindAt = (asked: string | undefined): Kind | null =>
  ORDER.list.find((kind) => kind === asked) ?? null;

/** Whether a view shows this kind. Columns show no routes, because a route is read from its start to its end. */
export const shownIn = (view: View, kind: Kind, { kind: of }: Pick<ListedWatch, 'kind'>): boolean =>
  (view === 'list' || of !== 'route') && (kind === 'all' || KIND_OF[of] === kind);

/** The kinds to choose from, with the number of each. */
export const kindsIn = (view: View, watches: readonly Pick<ListedWatch, 'kind'>[]) =>
  ORDER[view].map((value) => ({
    value,
    ...(view === 'columns' && value === 'all' ? BOTH : LABELS[value]),
    count: watches.filter((watch) => shownIn(view, value, watch)).length,
  }));

/** The chosen kind, if the view has it. Columns begin with areas, if there are any. */
export function kindShown(
  view: View,
  chosen: Kind | null,
  watches: readonly Pick<ListedWatch, 'kind'>[],
): Kind {
  if (chosen && ORDER[view].includes(chosen)) return chosen;
  return view === 'columns' && watches.some(({ kind }) => kind === 'area') ? 'areas' : 'all';
}
