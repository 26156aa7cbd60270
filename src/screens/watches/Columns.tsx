import { feedOf } from '#contract/feeds/feeds.ts';
import { isOwn, knownSource } from '#contract/feeds/knownSources.ts';
import { DotsThreeIcon } from '@phosphor-icons/react/dist/csr/DotsThree';
import { CheckIcon } from '@phosphor-icons/react/dist/csr/Check';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { Link } from 'wouter';
import { pageAddressOf } from '#contract/addresses.ts';
import type { Alert } from '../../api/alerts/disruptions.ts';
import { alertAddress, alertTime, gradeOf } from '../../feeds/alerts/alerts.ts';
import { shortTime, untilWords } from '../../feeds/alerts/alertTimes.ts';
import { useChanges } from '../../shift/changes/changeStore.ts';
import { useInHand } from '../../shift/inHand/inHandStore.ts';
import { useClock } from '../../time/tickingClock.ts';
import { formatClock } from '../../time/london.ts';
import { GRADES } from '../../ui/signs/Severity.tsx';
import { Menu } from '../../ui/controls/Menu.tsx';
import { useMedia } from '../../ui/useMedia.ts';
import { StatusLine } from '../../ui/signs/StatusLine.tsx';
import { Tally } from '../../ui/signs/Tally.tsx';
import type { Listed } from '../../watches/RouteRow.tsx';
import { countOf, isTouched } from '../../watches/watchState.ts';
import { silenceWords, stateWords, touchTitle } from '../../watches/stateWords.ts';
import { StateShape, TouchShape } from '../../watches/StateShape.tsx';
import { columnName, columnWords, leftOutWords } from '../../watches/whichWords.ts';
import type { Touch } from '../../watches/timeWindow.ts';
import styles from './Columns.module.css';

/** Areas and whole feeds side by side, each with its worst alerts first. A column keeps its place, because people
 *  remember where it is. The left and right keys go from column to column, up and down within one. */
export function Columns({
  label,
  columns,
  counting,
  onMove,
}: {
  label: string;
  columns: readonly Listed[];
  /** False: the data is not current, so no countdown is shown. */
  counting: boolean;
  /** Moves a column to the place of the one beside it; null: nothing can be changed now. */
  onMove: ((id: string, to: string) => void) | null;
}) {
  const id = useId();
  /** One column is shown at a time, and the strip of names is tabs. */
  const isOne = useMedia('(max-width: 40rem)');
  const place = useRef<HTMLDivElement>(null);
  const seen = useSeenColumns(place, columns.length);
  const columnOf = (at: number) => place.current?.children[at];
  const show = (at: number) => columnOf(at)?.scrollIntoView({ block: 'nearest', inline: 'start' });

  const turn = ({ key, currentTarget, target }: KeyboardEvent) => {
    const tabs = [...currentTarget.children];
    const at = tabs.indexOf(target as Element) + (key === 'ArrowRight' ? 1 : key === 'ArrowLeft' ? -1 : 0);
    const tab = tabs[at];
    if (!(tab instanceof HTMLElement) || tab === target) return;
    tab.focus();
    show(at);
  };

  const move = (event: KeyboardEvent) => {
    const { target, key } = event;
    if (!(target instanceof HTMLElement)) return;
    const links = linksOf(target.closest('section'));
    const row = links.indexOf(target);
    const at = [...(place.current?.children ?? [])].findIndex((column) => column.contains(target));
    if (row === -1 || at === -1) return;
    const next =
      key === 'ArrowDown'
        ? links[row + 1]
        : key === 'ArrowUp'
          ? links[row - 1]
          : key === 'ArrowRight' || key === 'ArrowLeft'
            ? nearest(linksOf(columnOf(at + (key === 'ArrowRight' ? 1 : -1))), row)
            : undefined;
    if (!next) return;
    event.preventDefault();
    next.focus();
  };

  return (
    <>
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- the arrow keys move among its tabs */}
      <div
        className={styles.strip}
        role={isOne ? 'tablist' : 'group'}
        aria-label="Columns"
        data-count={columns.length}
        onKeyDown={isOne ? turn : undefined}
      >
        {columns.map(({ watch, state }, at) => (
          <button
            key={watch.id}
            type="button"
            data-press
            data-line
            data-text="strong"
            {...(isOne
              ? { role: 'tab', 'aria-selected': seen.has(at), 'aria-controls': `${id}-${watch.id}-column` }
              : { 'aria-current': seen.has(at) ? 'true' : undefined })}
            onClick={() => show(at)}
          >
            <span data-line="1">
              <StateShape state={state} />
              <b>{countIn(state)}</b>
            </span>
            <span>{columnName(watch)}</span>
          </button>
        ))}
      </div>
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions,
          jsx-a11y/no-noninteractive-element-interactions -- the arrow keys move among its links */}
      <div
        ref={place}
        className={styles.columns}
        role="region"
        aria-label={label}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls sideways
        tabIndex={0}
        onKeyDown={move}
      >
        {columns.map((one, at) => (
          <Column
            key={one.watch.id}
            id={`${id}-${one.watch.id}`}
            {...one}
            counting={counting}
            isPanel={isOne}
            moves={
              onMove === null
                ? []
                : [
                    { label: 'Move left', to: columns[at - 1] },
                    { label: 'Move right', to: columns[at + 1] },
                  ].flatMap(({ label: words, to }) =>
                    to ? { label: words, act: () => onMove(one.watch.id, to.watch.id) } : [],
                  )
            }
          />
        ))}
      </div>
    </>
  );
}

const countIn = (state: Listed['state']) => (state.standing === 'off' ? '–' : countOf(state));

const linksOf = (column: Element | null | undefined) => [
  ...(column?.querySelectorAll<HTMLElement>('a[data-item]') ?? []),
];
const nearest = (links: readonly HTMLElement[], row: number) => links[Math.min(row, links.length - 1)];

/** Which columns are visible, by their places. */
function useSeenColumns(place: React.RefObject<HTMLElement | null>, count: number): ReadonlySet<number> {
  const [seen, setSeen] = useState<ReadonlySet<number>>(new Set([0]));
  useEffect(() => {
    const root = place.current;
    if (!root || !('IntersectionObserver' in globalThis)) return undefined;
    const columns = [...root.children];
    const inSight = new Set<number>();
    const watcher = new IntersectionObserver(
      (entries) => {
        for (const { target, isIntersecting } of entries) {
          const at = columns.indexOf(target);
          if (isIntersecting) inSight.add(at);
          else inSight.delete(at);
        }
        setSeen(new Set(inSight));
      },
      { root, threshold: 0.6 },
    );
    for (const column of columns) watcher.observe(column);
    return () => watcher.disconnect();
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- another number of columns must be watched anew
  }, [place, count]);
  return seen;
}

function Column({
  id,
  watch,
  state,
  counting,
  isPanel,
  moves,
}: Listed & {
  id: string;
  counting: boolean;
  isPanel: boolean;
  moves: readonly { label: string; act: () => void }[];
}) {
  const about = useClock((now) => columnWords(watch, now, counting));
  const warning = useClock((now) => (state.silence ? silenceWords(state.silence, now) : ''));
  const words = useClock((now) => stateWords(state, now)[0] ?? '');
  const leftOut = leftOutWords(watch);
  const touches = [...state.certain, ...state.possible];
  const counts = countsOf(touches, state.beyond);
  const [head = '', ...rest] = warning.split(': ');

  return (
    <section
      id={`${id}-column`}
      className={styles.column}
      role={isPanel ? 'tabpanel' : undefined}
      aria-labelledby={id}
    >
      <header>
        <h2 data-size="h3" id={id}>
          <Link href={pageAddressOf('route', watch.id)} data-tap="line" data-tone="1" data-item>
            {columnName(watch)}
          </Link>
        </h2>
        {moves.length > 0 && (
          <Menu
            label={<DotsThreeIcon weight="bold" aria-hidden />}
            about={`Place of ${columnName(watch)}`}
            actions={moves}
          />
        )}
        <p data-text="note">{about}</p>
        {isTouched(state) ? (
          <Tally
            label={`In ${columnName(watch)}`}
            counts={counts}
            wordless={counts.length > 2 ? counts.length - 1 : 0} // one line, so that all columns begin at one height
          />
        ) : (
          <p data-text="strong">
            <StatusLine status={state.standing === 'clear' ? 'good' : 'none'}>
              {warning ? 'Nothing known' : words}
            </StatusLine>
          </p>
        )}
      </header>
      {warning && (
        <p className={styles.warning}>
          <StatusLine status="none">
            <b>{head}:</b> {rest.join(': ')}
          </StatusLine>
        </p>
      )}
      <ol>
        {touches.map((touch) => (
          <li key={touch.match.subject_id}>
            <Item touch={touch} />
          </li>
        ))}
      </ol>
      {state.standing !== 'off' && (
        <p className={styles.foot} data-split data-tight data-text="note">
          <span>{leftOut && `${leftOut}, left out`}</span>
          {state.checked && <span>checked {formatClock(state.checked)}</span>}
        </p>
      )}
    </section>
  );
}

const countsOf = (touches: readonly Touch[], beyond: Listed['state']['beyond']) =>
  GRADES.map((grade) => ({
    grade,
    count:
      touches.filter(({ alert }) => (alert ? gradeOf(alert) : 'unrated') === grade).length +
      (grade === 'unrated' ? 0 : (beyond[grade] ?? 0)),
  })).filter(({ count }) => count > 0);

function Item({ touch }: { touch: Touch }) {
  const { match, alert } = touch;
  const isPossible = match.level === 'possible';
  const about = useClock((now) => (alert ? modeAndEnd(alert, now) : ''));
  const source = useClock((now) => (alert ? sourceWords(alert, now) : ''));
  const who = useInHand(({ marks }) => marks[match.subject_id]?.text);
  const change = useChanges(({ marks }) => marks[match.subject_id]);
  const inner = (
    <>
      <span className={styles.shape}>
        <TouchShape touch={touch} />
      </span>
      <b>
        {isPossible && <span data-hidden>Possible, </span>}
        {touchTitle(touch)}
      </b>
      <span>{isPossible ? `Possible: ${match.why}` : about}</span>
      <span>{source}</span>
      {who ? (
        <i data-line="1">
          <CheckIcon weight="bold" size="0.9em" aria-hidden /> {who}
        </i>
      ) : (
        change?.newAt && (
          <i>
            <em>{change.text}</em>
          </i>
        )
      )}
    </>
  );

  return alert ? (
    <Link href={alertAddress(alert)} className={styles.item} data-item>
      {inner}
    </Link>
  ) : (
    <span className={styles.item}>{inner}</span>
  );
}

/** "Roads · until about 18:32", "Rail · no end told" */
function modeAndEnd(alert: Alert, now: Date): string {
  const mode = isOwn(alert) ? 'Ours' : alert.source && feedOf(alert.source)?.category;
  return [mode, untilWords(alert, now).replace(/^until /, 'until about ') || 'no end told']
    .filter(Boolean)
    .join(' · ');
}

/** "National Highways, 05:58" */
function sourceWords(alert: Alert, now: Date): string {
  if (!alert.source || isOwn(alert)) return '';
  const at = alertTime(alert);
  return `${knownSource(alert.source).displayName}${at ? `, ${shortTime(at, now)}` : ''}`;
}
