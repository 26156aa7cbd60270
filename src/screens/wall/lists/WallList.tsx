import { londonDay } from '#contract/london.ts';
import type { ComponentType, ReactNode } from 'react';
import type { Watches } from '../../../api/watches/watches.ts';
import type { Board } from '../../../feeds/refresh/useBoard.ts';
import { useIsOld, useShown } from '../../../feeds/refresh/useBoard.ts';
import { formatClock } from '../../../time/london.ts';
import { GRADE_WORDS } from '../../../ui/signs/Severity.tsx';
import { durationWords } from '../../../watches/routeWords.ts';
import { countStates, EntryMark, type EntryState } from './EntryMark.tsx';
import { fits, textWidth } from '../words/textFit.ts';
import { isFolded, type linesNow } from '../rows/feedPages.ts';
import { measureSheet, useForm } from '../words/wallMeasures.ts';
import { WallHeader } from '../frame/WallHeader.tsx';
import frame from '../WallBoard.module.css';
import styles from './WallList.module.css';

export interface ListPageProps {
  board: Board;
  /** A message above the page's own content, with its height in units. */
  band: { height: number; message: ReactNode } | null;
  /** How often all pages have been shown, which decides the visible part of a long list. */
  turn: number;
}

/** The team's routes with what touches them, as far as a display knows them. */
export interface Known {
  data: Watches;
  at: Date;
}

/** A page of the playlist other than the board: its header, the worst alert, and the rest of the screen. */
export function ListFrame({
  board,
  band,
  title,
  note,
  next,
  what,
  at,
  states,
  worst,
  children,
}: Pick<ListPageProps, 'board' | 'band'> & {
  title: string;
  note: string;
  /** After the note, on a plate. */
  next?: string | undefined;
  /** The name of the data on screen, for the sign: "Routes". */
  what: string;
  /** When the server gave it; null: the same time as the board. */
  at?: Date | null;
  /** The states of the entries; absent: the tally of all feeds is shown. */
  states?: readonly EntryState[];
  worst: ReactNode;
  children: ReactNode;
}) {
  const { rows, at: boardAt, freshness } = useShown(board.view);
  const shownAt = at ?? boardAt;
  const isOld = useIsOld(shownAt);
  const form = useForm();
  return (
    <div
      className={frame.wall}
      style={{ ...measureSheet(form), '--taken': band?.height ?? 0 } as React.CSSProperties}
      data-form={form}
    >
      <main
        className={frame.page}
        data-band={band ? true : undefined}
        data-fresh={isOld ? 'stale' : freshness === 'fresh' || freshness === 'late' ? freshness : 'stale'}
      >
        <WallHeader
          board={board}
          at={shownAt}
          rows={rows}
          ours={[]}
          pageText={note}
          next={next}
          signedOut={null}
          title={title}
          what={what}
          tally={states && <Tally states={states} />}
          namesSilent
        />
        <div className={frame.message}>{band?.message}</div>
        {worst && <div className={frame.worst}>{worst}</div>}
        <div className={frame.body}>{children}</div>
        <div className={frame.shade} />
      </main>
    </div>
  );
}

/** A page of which nothing is known yet, or that has nothing to show, in one sentence. */
export const EmptyPage = ({
  children,
  ...page
}: Pick<Parameters<typeof ListFrame>[0], 'board' | 'band' | 'title' | 'what'> & { children: string }) => (
  <ListFrame {...page} note="" states={[]} worst={null}>
    <p className={styles.none}>{children}</p>
  </ListFrame>
);

/** As small as a name is on one line, and on two lines of the size that a row has room for; as shares of its size. */
const LEAST_ALONE = 0.66;
const LEAST_OF_TWO = 0.36;

/** Both ends on one line, smaller where needed, or on two. They are never cut, because a part could name another place.
 *  `size`: as drawn where it fits, in units. */
export function EntryName({ name, room, size }: { name: string; room: number; size: number }) {
  const share = room / textWidth(name, 'listName');
  const long = fits(name, room, 'listName')
    ? undefined
    : share >= LEAST_ALONE
      ? 'alone'
      : share >= LEAST_OF_TWO
        ? 'two'
        : 'true';
  return (
    <h3 data-long={long} style={{ '--size': 0.99 * share * size } as React.CSSProperties}>
      <bdi>{name}</bdi>
    </h3>
  );
}

const WORDS: Readonly<Record<EntryState, string>> = {
  ...GRADE_WORDS,
  late: 'Late',
  possible: 'Possible',
  unknown: 'Cannot say',
  clear: 'Clear',
};
/** The room for the tally beside the title and the state of the connection, in units, and a symbol with its gaps. */
const TALLY_WIDTH = { usual: 850, wide: 1300, upright: 1000 };
const TALLY_SYMBOL = 72;

/** Each state with its number and its word, which stands below the number where not all fit on one line. */
function Tally({ states }: { states: readonly EntryState[] }) {
  const width = TALLY_WIDTH[useForm()];
  const counts = countStates(states);
  const wanted = counts
    .map(({ state, count }) => textWidth(`${count} ${WORDS[state]}`, 'totals') + TALLY_SYMBOL)
    .reduce((sum, one) => sum + one, 0);
  return (
    <ul
      className={styles.tally}
      data-line
      data-below={wanted > width || undefined}
      aria-label="Entries by state"
    >
      {counts.map(({ state, count }) => (
        <li key={state} data-line="0" data-filled={state === 'critical' || undefined}>
          <EntryMark state={state} count={count} />
          <span aria-hidden>&nbsp;{WORDS[state]}</span>
        </li>
      ))}
    </ul>
  );
}

/** When an entry leaves, and how soon. The next of all to leave is marked, because the rows are ordered by severity. */
export const Leaves = ({
  entry: { leaves, soon, isOnWay },
  isNext,
}: {
  entry: Departing;
  isNext: boolean;
}) => (
  <span className={styles.leaves} data-next={isNext || undefined}>
    <time>{leaves}</time>
    {soon && (
      <small data-way={isOnWay || undefined}>
        {isNext && <b>Next </b>}
        {soon.startsWith('in ') ? (
          <>
            <span>in </span>
            {soon.slice(3)}
          </>
        ) : (
          soon
        )}
      </small>
    )}
  </span>
);

/** A departure in the words of a wall. */
export interface Departing {
  /** "06:10" */
  leaves: string;
  /** "in 5 min", "on the way" */
  soon: string;
  /** True: it is on the way now, as far as is known. */
  isOnWay: boolean;
  /** See `departureAhead`. */
  departsAt: number | null;
}

/** The departure in milliseconds, if that is to come and the minutes until then are said; otherwise null. */
export const departureAhead = (leaves: Date, minutes: string, now: Date): number | null =>
  minutes && leaves >= now ? leaves.getTime() : null;

/** "30 jobs, next leaves 06:10" if the page on screen does not show that departure, otherwise `usual`. */
export const noteOf = (of: string, elsewhere: number | null, usual: string) =>
  elsewhere === null
    ? { note: `${of}, ${usual}` }
    : { note: of, next: `next leaves ${formatClock(new Date(elsewhere))}` };

/** The entries in rows, worst first, with a heavier rule after critical ones and before clear ones. */
export function WallList<Entry extends { id: string; state: EntryState; departsAt: number | null }>({
  kind,
  lines,
  next,
  most,
  heads,
  isOld,
  Row,
}: Omit<ReturnType<typeof linesNow<Entry>>, 'elsewhere'> & {
  kind: 'routes' | 'jobs';
  /** The most rows of a page. */
  most: number;
  heads: readonly string[];
  isOld: boolean;
  Row: ComponentType<{ entry: Entry; isNext: boolean }>;
}) {
  const group = (entry: (typeof lines)[number] | undefined) =>
    entry &&
    (isFolded(entry) || entry.state === 'clear' ? 'clear' : entry.state === 'critical' ? 'critical' : '');
  return (
    <div className={styles.list} data-kind={kind}>
      <p className={styles.heads} data-tone="2" aria-hidden="true">
        {heads.map((head) => (
          <span key={head}>{head}</span>
        ))}
      </p>
      <ul className={styles.rows} style={{ '--most': most } as React.CSSProperties}>
        {lines.map((entry, place) => {
          const below = lines[place + 1];
          const ends = below !== undefined && group(entry) !== group(below);
          if (isFolded(entry))
            return (
              <li key="clear" data-state="clear" data-folded data-ends={ends || undefined}>
                {kind === 'routes' && <EntryMark state="clear" />}
                <h3>and {entry.clear} more</h3>
                {kind === 'jobs' && <EntryMark state="clear" />}
                <span className={styles.what}>{isOld ? 'Was clear' : CLEAR}</span>
              </li>
            );
          return (
            <li key={entry.id} data-state={entry.state} data-ends={ends || undefined}>
              <Row entry={entry} isNext={next !== null && entry.departsAt === next} />
            </li>
          );
        })}
      </ul>
    </div>
  );
}

export const CLEAR = 'Clear as far as we know';

/** "in 5 min", "in 1 h 15"; '' for a time half a day or more away, or on another day, whose name is beside the time. */
export function soonWords(at: Date, now: Date): string {
  if (londonDay(at) !== londonDay(now)) return '';
  const minutes = Math.ceil((at.getTime() - now.getTime()) / 60_000);
  return minutes < 0 || minutes >= 12 * 60 ? '' : `in ${durationWords(minutes)}`;
}

export const checkedWords = (at: Date | null): string => (at ? `checked ${formatClock(at)}` : '');
