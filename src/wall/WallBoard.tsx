import { FEEDS } from '#contract/feeds.ts';
import type { CSSProperties, ReactNode } from 'react';
import type { Row } from '../api/feeds.ts';
import { isCritical } from '../feeds/alerts.ts';
import { useClock } from '../time/clock.ts';
import { NewCriticals } from '../feeds/NewCriticals.tsx';
import { useBoard } from '../feeds/useBoard.ts';
import { useShown } from '../feeds/useShown.ts';
import { serverNow } from '../time/freshness.ts';
import { feedPages, PAGE_MS, pageAt, rowHeights, rowTracks } from './feedPages.ts';
import { type Hold, isHeld, useHeldFeed } from '../kiosk/heldFeed.ts';
import styles from './WallBoard.module.css';
import { EmptyFeedRow } from '../feeds/FeedHead.tsx';
import { measureSheet } from './measures.ts';
import { WallHeader } from './WallHeader.tsx';
import { WallRow } from './WallRow.tsx';
import rowStyles from './WallRow.module.css';

/** Five feeds on one screen, read from across a room without any input. Never sample data: see demoMode.ts. */
export function WallBoard({
  corner,
  signedOutAt,
}: {
  /** A small plate at the bottom right: the code that pairs the display again. */
  corner?: ReactNode;
  /** Since when the server has refused this display. */
  signedOutAt?: Date;
}) {
  const board = useBoard(true, 'unattended');
  const { view } = board;
  const { rows, at, freshness, boardStale } = useShown(view);
  const { pages, page, held } = usePages(rows);
  const shown = pages[page]!;
  const heights = rowHeights(
    shown.map((row) => (row === held ? 'held' : row.events.length === 0 ? 'quiet' : 'busy')),
  );

  return (
    <div className={styles.wall} style={measureSheet}>
      <main
        className={styles.board}
        data-fresh={boardStale ? 'stale' : freshness}
        data-corner={corner ? true : undefined}
        aria-busy={view.state === 'loading'}
      >
        <WallHeader
          board={board}
          at={at}
          rows={rows}
          pageText={pages.length > 1 ? `Feeds: page ${page + 1} of ${pages.length}` : null}
          signedOutAt={signedOutAt ?? null}
        />
        <NewCriticals view={view} />

        {view.state === 'loading' && (
          <div className={styles.rows} style={tracksOf(rowHeights(FEEDS.map(() => 'busy')))}>
            {FEEDS.map(({ slug, title, category }) => (
              <EmptyFeedRow key={slug} styles={rowStyles} title={title} category={category} />
            ))}
          </div>
        )}
        {view.state === 'empty' && (
          <div className={styles.empty}>
            <h2>No feeds available</h2>
            <p>Unable to load disruption data. Please try refreshing.</p>
            <p>This display tries again by itself.</p>
          </div>
        )}
        {view.state === 'ready' && (
          <div className={styles.rows} style={tracksOf(heights)}>
            {rows.map((row, place) => (
              <WallRow
                key={row.feed.slug}
                row={row}
                place={place}
                height={heights[shown.indexOf(row)] ?? null}
                held={row === held}
                at={view.at}
                freshness={freshness}
                change={view.changes.get(row.feed.slug)}
              />
            ))}
          </div>
        )}
        {corner && <aside className={styles.corner}>{corner}</aside>}
      </main>
    </div>
  );
}

const tracksOf = (heights: readonly number[]): CSSProperties => ({ gridTemplateRows: rowTracks(heights) });

/** The feeds in pages, which page is on screen now, and which of its rows somebody holds. A page with a held feed
 *  stays. */
function usePages(rows: readonly Row[]): { pages: Row[][]; page: number; held: Row | null } {
  const pages = feedPages(rows, hasCritical);
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

const hasCritical = ({ events }: Row) => events.some(isCritical);
