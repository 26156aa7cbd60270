import { FEEDS, feedOf } from '#contract/feeds/feeds.ts';
import { type ComponentProps, type CSSProperties, type ReactNode, useLayoutEffect, useMemo } from 'react';
import { NO_OUTLOOK, type Outlook, type Row } from '../../api/alerts/feeds.ts';
import { isCritical } from '../../feeds/alerts/alerts.ts';
import { useUnsnoozed } from '../../shift/inHand/inHandStore.ts';
import { useClock } from '../../time/tickingClock.ts';
import { useBoardNews } from '../../feeds/refresh/boardNews.ts';
import { categoryOf, titleOf, withOurs } from '../../feeds/alerts/counts.ts';
import { NewCriticals } from '../../feeds/rows/NewCriticals.tsx';
import { allSilentSince } from '../../feeds/alerts/sourceStatus.ts';
import { type Board, Unanswered, useBoard, useShown, useUnanswered } from '../../feeds/refresh/useBoard.ts';
import { silentFeedOf } from '../../feeds/alerts/leadAlerts.ts';
import { counted } from '#contract/numbers.ts';
import { serverNow } from '../../time/freshness.ts';
import { feedPages, lacking, PAGE_MS, pageAt, rowHeights, rowTracks } from './rows/feedPages.ts';
import { type Hold, isHeld, releaseFeed, useHeldFeed } from './kiosk/remoteControl.ts';
import styles from './WallBoard.module.css';
import {
  CALM_ROW,
  LargeType,
  lowerSide,
  measureSheet,
  ROUTES_HEIGHT,
  sheetOf,
  SIDE_YIELDS,
  useForm,
} from './words/wallMeasures.ts';
import { useFacesLoaded } from './words/textFit.ts';
import { litAlerts } from './rows/litRows.ts';
import { useLead } from './band/useLead.ts';
import { isWithoutAlerts, WallCalm } from './side/WallCalm.tsx';
import { WallHeader } from './frame/WallHeader.tsx';
import { useOurs, useSeen } from './words/seenByTeam.ts';
import { EmptyWallRow, WallRow } from './rows/WallRow.tsx';
import { WallSide } from './side/WallSide.tsx';
import type { SignedOut } from './frame/WallSign.tsx';
import { LoadingBand, WallWorst } from './band/WallWorst.tsx';

/** The worst alert, five feeds and a map on one screen, which people read from across a room without any input. It
 *  never shows samples: see demoMode.ts. */
export function WallBoard(props: Omit<ComponentProps<typeof FeedsPage>, 'board'>) {
  const board = useBoard(true, 'unattended');
  return (
    <Unanswered value={useUnanswered(board)}>
      <FeedsPage board={board} {...props} />
    </Unanswered>
  );
}

export function FeedsPage({
  board,
  signedOut = null,
  routes = null,
  feeds = null,
  band = null,
  large = false,
}: {
  board: Board;
  /** Set when the server has refused this display. */
  signedOut?: SignedOut | null;
  /** The line of My routes below the feeds. Without it the rows are higher. */
  routes?: ReactNode;
  /** The slugs of the feeds to show; null: all. */
  feeds?: readonly string[] | null;
  /** A message above the worst alert, with its height in units. */
  band?: { height: number; message: ReactNode } | null;
  /** For people who pass by: larger type, without the side, the rows' third line and the words for the person who
   *  looks after the display. */
  large?: boolean;
}) {
  const { view } = board;
  const { rows: fromServer, at, freshness, boardStale } = useShown(view);
  const listed = useMemo(
    () => (feeds ? fromServer.filter(({ feed }) => feeds.includes(feed.slug)) : fromServer),
    [fromServer, feeds],
  );
  const rows = useUnsnoozed(listed);
  const known = view.state === 'ready' ? view.outlook : NO_OUTLOOK;
  const isOfAll = listed.length === fromServer.length;
  const outlook = useMemo(
    () => (isOfAll || !feeds ? known : outlookOf(known, feeds)),
    [known, feeds, isOfAll],
  );
  const where = isOfAll ? [''] : whereForms(listed, fromServer.length);
  const ours = useOurs(({ ours }) => ours);
  const all = useMemo(() => withOurs(rows, ours), [rows, ours]);
  const lead = useLead(all, boardStale);
  const lit = useLit(rows);
  const { pages, page, held } = usePages(rows);
  const shown = pages[page]!;
  const calm = isWithoutAlerts(rows) && ours.length === 0 && held === null;
  const loaded = useFacesLoaded();
  const form = useForm();
  const sheet = sheetOf(form, large);
  const below = (routes ? ROUTES_HEIGHT : 0) + (band?.height ?? 0);
  // Under a message the map and the next hours become smaller before the rows lose their second lines.
  const yielded = band && sheet === 'upright' ? Math.min(lacking(shown.length, below), SIDE_YIELDS) : 0;
  const foot = below - yielded;
  const tracksOf = (heights: readonly number[]): CSSProperties => ({
    gridTemplateRows: rowTracks(heights, foot, sheet),
  });
  const heights = calm
    ? shown.map(() => CALM_ROW)
    : rowHeights(shown.length, { held: held ? shown.indexOf(held) : null, foot, form: sheet });
  const staleAt = boardStale ? at : allSilentSince(rows, at);

  return (
    <LargeType value={large}>
      <div
        className={styles.wall}
        style={yielded > 0 ? { ...measureSheet(sheet), ...lowerSide(yielded) } : measureSheet(sheet)}
        data-form={form}
      >
        <main
          className={`${styles.page} ${styles.board}`}
          data-fresh={staleAt ? 'stale' : freshness}
          data-calm={calm || undefined}
          data-band={band || large ? true : undefined}
          data-large={large || undefined}
          aria-busy={view.state === 'loading'}
        >
          <WallHeader
            board={board}
            at={at}
            rows={rows}
            ours={ours}
            pageText={pages.length > 1 ? `Feeds: page ${page + 1} of ${pages.length}` : null}
            signedOut={signedOut}
            namesSilent={large || band !== null} // the rows have no third line
            isPublic={large}
          />
          <NewCriticals view={view} />
          {band && <div className={styles.message}>{band.message}</div>}

          {view.state === 'empty' && (
            <div className={styles.empty} data-tone="2" data-stack>
              <h2>No feeds available</h2>
              <p>Unable to load disruption data. Please try refreshing.</p>
              <p>This display tries again by itself.</p>
            </div>
          )}
          {view.state === 'loading' && (
            <>
              <div className={styles.worst}>
                <LoadingBand />
              </div>
              <div className={styles.rows} style={tracksOf(rowHeights(FEEDS.length, { foot, form: sheet }))}>
                {FEEDS.map(({ slug, title, category }) => (
                  <EmptyWallRow key={slug} title={title} category={category} />
                ))}
              </div>
            </>
          )}
          {view.state === 'ready' && (
            <>
              <div className={styles.worst}>
                {calm ? (
                  <WallCalm
                    rows={rows}
                    where={where}
                    nextUp={outlook.nextUp}
                    at={view.at}
                    boardStale={boardStale}
                  />
                ) : (
                  <WallWorst
                    rows={rows}
                    where={where}
                    ours={ours}
                    lead={lead}
                    staleAt={staleAt}
                    lastCriticalCleared={outlook.lastCriticalCleared}
                  />
                )}
              </div>
              <div key={String(loaded)} className={styles.rows} style={calm ? undefined : tracksOf(heights)}>
                {rows.map((row, place) => (
                  <WallRow
                    key={row.feed.slug}
                    row={row}
                    place={place}
                    height={heights[shown.indexOf(row)] ?? null}
                    lit={
                      lit.find((id) => row.events.some(({ event_id, see }) => event_id === id && !see)) ??
                      null
                    }
                    held={row === held}
                    calm={calm}
                    banded={band !== null || large}
                    at={view.at}
                    freshness={freshness}
                  />
                ))}
              </div>
            </>
          )}
          {routes && view.state !== 'empty' && <div className={styles.routes}>{routes}</div>}
          {view.state !== 'empty' && !large && (
            <WallSide
              key={feeds?.join()} // entries of another page were not withdrawn
              rows={rows}
              all={all}
              lead={lead.alert}
              nextUp={outlook.nextUp}
              loading={view.state === 'loading'}
              tied={staleAt === null && !(lead.alert && silentFeedOf(lead.alert, rows))}
              staleAt={staleAt}
              faint={freshness === 'veryOld'}
              yielded={sheet === 'upright' ? yielded : (band?.height ?? 0)}
            />
          )}
          <div className={styles.shade} />
        </main>
      </div>
    </LargeType>
  );
}

/** The feeds in pages, the page on screen, and the row that somebody holds. A page with a held feed stays on screen.
 *  A key that was pressed on another page or under a message holds nothing, and a hold ends with its board. */
function usePages(rows: readonly Row[]): { pages: Row[][]; page: number; held: Row | null } {
  const pages = feedPages(rows, hasCritical);
  useLayoutEffect(() => {
    releaseFeed();
    return releaseFeed;
  }, []);
  const hold = useHeldFeed((state) => state.hold);
  const holding = useClock((now) => heldRow(hold, now) !== null);
  const turn = useClock((now) => pageAt(now, pages.length, PAGE_MS));
  const page = holding ? pageAt(hold!.at, pages.length, PAGE_MS) : turn;
  return { pages, page, held: heldRow(hold, serverNow()) };

  function heldRow(of: Hold | null, now: Date): Row | null {
    if (!of || !isHeld(of, now)) return null;
    return pages[pageAt(of.at, pages.length, PAGE_MS)]?.[of.place - 1] ?? null;
  }
}

/** The alerts whose rows are highlighted. */
function useLit(rows: readonly Row[]): string[] {
  const news = useBoardNews();
  const seen = useSeen();
  const ids = useClock((now) =>
    litAlerts(rows, news, seen, now)
      .map(({ event_id }) => event_id)
      .join('\n'),
  );
  return ids ? ids.split('\n') : [];
}

/** The outlook for these feeds only. The id of an alert begins with its source; crowds belong to no feed. */
const outlookOf = ({ nextUp }: Outlook, feeds: readonly string[]): Outlook => ({
  nextUp:
    nextUp?.filter(({ event_id }) => feeds.includes(feedOf(event_id?.split(':')[0] ?? '')?.slug ?? '')) ??
    null,
  lastCriticalCleared: null, // known only for all feeds together
});

/** " in Rail and Weather", or " in 4 of 5 feeds", " in 4 feeds". */
function whereForms(rows: readonly Row[], of: number): string[] {
  const names = rows.map(({ feed }) => categoryOf(feed) ?? titleOf(feed));
  const named = [names.slice(0, -1).join(', '), ...names.slice(-1)].filter(Boolean).join(' and ');
  return [` in ${named}`, ` in ${names.length} of ${of} feeds`, ` in ${counted(names.length, 'feed')}`];
}

const hasCritical = ({ events }: Row) => events.some(isCritical);
