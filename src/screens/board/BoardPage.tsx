import { pageAddress, pageAddressOf } from '#contract/addresses.ts';
import { FEEDS } from '#contract/feeds/feeds.ts';
import {
  type ComponentType,
  lazy,
  Suspense,
  useCallback,
  useEffect,
  useEffectEvent,
  useMemo,
  useRef,
  useState,
} from 'react';
import { useNavigate, usePageQuery } from '../../device/address/useAddress.ts';
import type { Alert } from '../../api/alerts/disruptions.ts';
import { showBadge } from '../../offline/serviceWorker.ts';
import { useAlertsById, useInHand, useOurs, useUnsnoozed } from '../../shift/inHand/inHandStore.ts';
import { useChanges } from '../../shift/changes/changeStore.ts';
import { useTrackView } from '../../api/accounts/analytics.ts';
import { Button } from '../../ui/controls/Button.tsx';
import { Empty } from '../../ui/page/Empty.tsx';
import { criticalsOf, dateOf, sinceText } from '../../feeds/alerts/alerts.ts';
import { BoardHeader } from './frame/BoardHeader.tsx';
import styles from './BoardPage.module.css';
import { setAskedDemo, setDemo, useDemoMode, useSamples } from './demoMode.ts';
import { titleOf } from '../../feeds/alerts/counts.ts';
import { FeedRow } from './rows/FeedRow.tsx';
import rowStyles from './rows/FeedRow.module.css';
import { NewCriticals } from '../../feeds/rows/NewCriticals.tsx';
import { EmptyRowMeta } from './rows/RowMeta.tsx';
import { WorstNow } from './WorstNow.tsx';
import type { SourceListProps } from './SourceList.tsx';
import { useBoard, useShown, type Board } from '../../feeds/refresh/useBoard.ts';
import { allSilentSince, silentSources } from '../../feeds/alerts/sourceStatus.ts';
import { useSources } from './useSources.ts';
import { create } from 'zustand';
import { browserStore } from '../../device/browserStorage.ts';
import { Link } from 'wouter';
import type { NextUp } from '../../api/alerts/feeds.ts';
import { NEXT_HOURS, endOfHours, nextHours } from '../../feeds/rows/nextHours.ts';
import { useClock } from '../../time/tickingClock.ts';
import { formatClock } from '../../time/london.ts';
import { AppSign } from '../../session/OfflineNotice.tsx';
import { DemoSign } from '../../ui/signs/ProductSign.tsx';
import { OldSign } from '../../feeds/refresh/PageState.tsx';
import { useDataSign } from '../../feeds/refresh/dataSign.tsx';
import { useScrollPadding } from '../../ui/useScrollPadding.ts';

/** Loaded after the rows, which do not wait for it. */
const InHand = lazy<ComponentType<{ alerts: ReadonlyMap<string, Alert>; asked: number; onBoard: true }>>(() =>
  import('../../shift/InHand.tsx').catch(() => ({ default: () => null })),
);
const ChangesStrip = lazy(async () => {
  await whenIdle();
  return import('../../shift/changes/ChangesStrip.tsx').catch(() => ({
    default: () => <span hidden data-none />,
  }));
});
/** Loaded when a feed is first opened. */
const SourceList = lazy<ComponentType<SourceListProps>>(() =>
  import('./SourceList.tsx').catch(() => ({ default: () => <p>Unable to load source details</p> })),
);
const MyRoutes = lazy<ComponentType<{ asked: number }>>(async () => {
  await whenIdle();
  return import('./MyRoutes.tsx').catch(() => ({ default: () => null }));
});

const NONE: readonly Alert[] = [];

/** The Live Disruptions Board: one row for each feed, live or with sample data. */
export function BoardPage() {
  useTrackView('disruptions_board_viewed');
  const { demo: asked } = usePageQuery('board');
  useState(() => setAskedDemo(asked));
  const demo = useDemoMode((mode) => mode.demo);

  const compact = useDensity((density) => density.compact);

  const live = useBoard(!demo);
  const samples = useSamples(demo);
  const view = demo ? samples.view : live.view;
  const { rows: all, at, freshness, boardStale } = useShown(view, { samples: demo });
  const rows = useUnsnoozed(all);
  const alerts = useAlertsById(all);
  const oldAt = boardStale ? at : allSilentSince(rows, at);
  const quiet = { problem: null, refreshing: false, nextTryAt: null };

  const listed = useInHand((state) => state.listed);
  const known = useOurs();
  const ours = demo ? NONE : known;
  const choose = useChanges((changes) => changes.choose);
  const chosen = useMemo(() => choose && rows.map(choose), [choose, rows]);
  const unseen = useChanges((changes) => changes.unseen);
  const criticals =
    live.view.state === 'ready'
      ? criticalsOf([...live.view.rows.flatMap((row) => row.events), ...known])
      : null;
  useEffect(() => {
    if (criticals !== null) void showBadge(unseen ?? criticals);
  }, [criticals, unseen]);

  const sources = useSources();
  const [open, setOpen] = useState<string | null>(null);
  const header = useRef<HTMLElement>(null);
  useScrollPadding(header);

  const loadSheet = useEffectEvent((slug: string | null, since: Date | null) => {
    const row = rows.find(({ feed }) => feed.slug === slug);
    if (row && since && !demo) sources.open(row.feed, since);
  });
  useEffect(() => loadSheet(open, at), [open, at]);

  const navigate = useNavigate();
  const switchTo = useCallback(
    (toDemo: boolean) => {
      // Otherwise a reload of ?demo=true would undo the choice made here.
      if (asked !== undefined) navigate(pageAddress('board'), { replace: true });
      setOpen(null);
      setDemo(toDemo);
    },
    [asked, navigate],
  );

  const switchDensity = useCallback((toCompact: boolean) => {
    setOpen(null);
    setCompact(toCompact);
  }, []);

  /** How often a refresh of the routes was asked for by hand. */
  const [askedRoutes, setAskedRoutes] = useState(0);
  const refresh = () => {
    if (demo) {
      samples.again();
      return;
    }
    live.refresh();
    setAskedRoutes((times) => times + 1);
    sources.refresh(rows.find(({ feed }) => feed.slug === open)?.feed);
  };

  const toggle = useCallback((slug: string) => setOpen((now) => (now === slug ? null : slug)), []);

  return (
    <div
      className={styles.board}
      data-fresh={boardStale ? 'stale' : freshness}
      data-density={compact ? 'compact' : undefined}
      data-strip={!demo || undefined}
      aria-busy={view.state === 'loading'}
    >
      <BoardHeader
        ref={header}
        rows={rows}
        ours={ours}
        demo={demo}
        onDemo={switchTo}
        compact={compact}
        onCompact={switchDensity}
        at={view.state === 'empty' ? null : at}
        silent={demo ? 0 : rows.flatMap(({ feed }) => silentSources(feed)).length}
        problem={live.problem ?? (view.state === 'empty' ? 'noAnswer' : null)}
        refreshing={!demo && live.refreshing}
        onRefresh={refresh}
      >
        <BoardSign demo={demo} at={at} board={demo ? quiet : live} />
      </BoardHeader>
      <NewCriticals view={view} />
      {!demo && (
        <div className={styles.strip} data-row="0" data-only="screen">
          {view.state === 'ready' && (
            <Suspense fallback={null}>
              <ChangesStrip screen="board" rowsAt={at} asked={askedRoutes} />
            </Suspense>
          )}
          {view.state === 'ready' && (
            <Suspense fallback={null}>
              <InHand alerts={alerts} asked={askedRoutes} onBoard />
            </Suspense>
          )}
        </div>
      )}

      {view.state === 'ready' && at && (
        <WorstNow rows={rows} ours={ours} at={oldAt ?? at} outlook={view.outlook} stale={oldAt !== null} />
      )}

      {view.state === 'loading' &&
        FEEDS.map(({ slug, title, category }) => (
          <article
            key={slug}
            className={rowStyles.row}
            data-stack="1"
            aria-label={title}
            data-compact={compact || undefined}
            data-loading
          >
            <EmptyRowMeta title={title} category={category} compact={compact} />
          </article>
        ))}
      {view.state === 'empty' && <EmptyBoard onRefresh={refresh} />}
      {rows.map((row, place) => (
        <FeedRow
          key={row.feed.slug}
          row={row}
          chosen={chosen?.[place]}
          place={place}
          at={at!}
          freshness={freshness}
          change={view.state === 'ready' ? view.changes.get(row.feed.slug) : undefined}
          compact={compact}
          expanded={open === row.feed.slug}
          onToggle={toggle}
        >
          {open === row.feed.slug && (
            <Suspense
              fallback={<section aria-label={`Sources for ${titleOf(row.feed)}`}>Loading sources...</section>}
            >
              <SourceList
                feedTitle={titleOf(row.feed)}
                sheet={demo ? 'demo' : (sources.sheets[row.feed.slug] ?? { state: 'loading' })}
                newest={row.feed.sources ?? []}
                boardStale={boardStale}
              />
            </Suspense>
          )}
        </FeedRow>
      ))}
      {view.state === 'ready' && !demo && (
        <>
          {listed}
          <Suspense fallback={null}>
            <MyRoutes asked={askedRoutes} />
          </Suspense>
          <BoardFoot nextUp={view.outlook.nextUp} asOf={oldAt} />
        </>
      )}
    </div>
  );
}

function EmptyBoard({ onRefresh }: { onRefresh: () => void }) {
  return (
    <Empty heading="No feeds available">
      <p>Unable to load disruption data. Please try refreshing.</p>
      <Button kind="primary" onClick={onRefresh}>
        Try again
      </Button>
    </Empty>
  );
}

/** The longest wait for a browser that is never idle. */
const PATIENCE_MS = 2000;

/** Settles when the browser has finished drawing the screen. Safari does not report that, so it gets a short wait. */
const whenIdle = () =>
  new Promise<void>((resolve) => {
    if ('requestIdleCallback' in globalThis) requestIdleCallback(() => resolve(), { timeout: PATIENCE_MS });
    else setTimeout(resolve, 200);
  });

/** How much of each feed the board shows: whole rows, or Compact rows that fit on one screen. Stored on this device. */
const STORED_AS = 'board_density';

const useDensity = create(() => ({ compact: browserStore.get(STORED_AS) === 'compact' }));

export function setCompact(compact: boolean): void {
  useDensity.setState({ compact });
  if (compact) browserStore.set(STORED_AS, 'compact');
  else browserStore.remove(STORED_AS);
}

const MOST = 5;

/** The foot below the rows: the times that sources state for the next hours, and the link to all alerts. */
function BoardFoot({
  nextUp,
  asOf,
}: {
  /** Null: the server does not send it. */
  nextUp: readonly NextUp[] | null;
  /** The time of an old board, from which the hours count; null while it is current. */
  asOf: Date | null;
}) {
  const minute = useClock((now) => (asOf ?? now).getTime() - ((asOf ?? now).getTime() % 60_000));
  const from = useMemo(() => new Date(minute), [minute]);
  const entries = nextHours(nextUp ?? [], from, MOST);

  return (
    <footer className={styles.foot} data-stack="1" data-text="line">
      {nextUp && (
        <section aria-labelledby="next-hours">
          <h2 data-text="in" data-tone="2" id="next-hours">
            {NEXT_HOURS}
            {asOf && `, as of ${sinceText(asOf, from)}`}
          </h2>
          {entries.length === 0 ? (
            <p>Nothing expected before {formatClock(endOfHours(from))}</p>
          ) : (
            <ol className={styles.entries} data-links data-row="5" data-tight>
              {entries.map((entry, index) => (
                <li key={`${entry.event_id} ${index}`} data-kind={entry.kind}>
                  <Entry entry={entry} />
                </li>
              ))}
            </ol>
          )}
        </section>
      )}
      <p data-row data-only="screen">
        <Link href={pageAddress('list')} data-tap data-text="strong" data-only="phone">
          All alerts
        </Link>
        <Link href={pageAddress('handover')} data-tap data-text="strong">
          Handover
        </Link>
        <Link href={pageAddress('history')} data-tap data-text="strong">
          History
        </Link>
      </p>
    </footer>
  );
}

/** One entry. The end of an event has no link, because it is not an alert. */
function Entry({ entry: { at, kind, place, what, event_id } }: { entry: NextUp }) {
  const time = dateOf(at);
  return (
    <>
      <time>{time && formatClock(time)}</time>{' '}
      {kind === 'leaves' || !event_id ? place : <Link href={pageAddressOf('alert', event_id)}>{place}</Link>},{' '}
      {what}
    </>
  );
}

/**
 * The notice below the header about the board's own data: it is old, could not be refreshed, or is not real. There is
 * one sign at a time. Its container is always there, because otherwise a screen reader would miss the first sign.
 */
function BoardSign({
  demo,
  at,
  board,
}: {
  demo: boolean;
  /** When the server sent the data on screen; null when there is none. */
  at: Date | null;
  board: Pick<Board, 'problem' | 'refreshing' | 'nextTryAt'>;
}) {
  const sign = useDataSign(demo ? null : at, board.problem);
  const place = useRef<HTMLDivElement>(null);
  useHoldRows(place);

  return (
    <div className={styles.place} ref={place} role="status">
      {demo ? (
        <DemoSign />
      ) : sign ? (
        <OldSign key={sign.key} sign={sign} line={board} failure="Unable to load AI feed summaries" />
      ) : (
        <AppSign offlineSaid />
      )}
    </div>
  );
}

/** Keeps the rows in place when the sign appears or grows. A scrolled page keeps its position by itself. A page at
 *  the very top is scrolled, which hides as much of the navigation as the sign needs. An observer runs before the
 *  paint, and only when the size has changed. */
function useHoldRows(place: { current: HTMLDivElement | null }) {
  useEffect(() => {
    let before: number | null = null;
    const observer = new ResizeObserver(() => {
      const height = place.current?.offsetHeight ?? 0;
      const grown = height - (before ?? height);
      before = height;
      const header = place.current?.closest('header');
      if (grown <= 0 || !header || window.scrollY > 0) return;
      window.scrollBy(0, Math.min(grown, header.getBoundingClientRect().top));
    });
    if (place.current) observer.observe(place.current);
    return () => observer.disconnect();
  }, [place]);
}
