import { memo, useId } from 'react';
import type { Row } from '../api/feeds.ts';
import { dateOf } from '../feeds/alerts.ts';
import { FeedHead } from '../feeds/FeedHead.tsx';
import { categoryOf } from '../feeds/feedNames.ts';
import { type Change, newText } from '../feeds/newItems.ts';
import { isDrawnAlike, readRow } from '../feeds/readRow.ts';
import { NoAlerts, QuietLine } from '../feeds/QuietLine.tsx';
import type { DataFreshness } from '../time/freshness.ts';
import { Tally } from '../ui/Tally.tsx';
import { LOW_ROOM } from './feedPages.ts';
import { useFacesLoaded } from './fit.ts';
import { HELD_SUMMARY_TEXT, META_WIDTH, ROW_PADDING, SUMMARY_TEXT } from './measures.ts';
import { wordlessLevels } from './tallyFit.ts';
import { WallHeldAlerts } from './WallHeldAlerts.tsx';
import { WallLiveFeed } from './WallLiveFeed.tsx';
import styles from './WallRow.module.css';
import { WallSources } from './WallSources.tsx';
import { WallSummary } from './WallSummary.tsx';

/** In units: beside the smaller numeral. */
const LOW_TALLY_WIDTH = 420;
/** A row without alerts, or beside a held one, has the smaller numeral. */
const SMALL_NUMERAL = 140;

/** One feed on the wall: its name and count, its AI summary, and its alerts in turn. */
export const WallRow = memo(function WallRow({
  row: { feed, summary, events },
  place,
  height,
  held,
  at,
  freshness,
  change,
}: {
  row: Row;
  /** From 0, in the order of the board. */
  place: number;
  /** In units; null while the feed is on another page. */
  height: number | null;
  /** Somebody holds this feed to read it. */
  held: boolean;
  /** When the server sent this row. */
  at: Date;
  /** Of the board's data as a whole. */
  freshness: DataFreshness;
  change: Change | undefined;
}) {
  useFacesLoaded();
  const id = useId();
  const { title, boardStale, stale, isNew, counts, uncounted, unlisted, count, caption, total, silent } =
    readRow({ feed, events }, { at, freshness, change });
  const asked = { feed, at, boardStale };
  const room = (height ?? 0) - ROW_PADDING;

  return (
    <article
      className={styles.row}
      aria-labelledby={id}
      hidden={height === null}
      data-fresh={stale ? 'stale' : undefined}
      data-new={isNew || undefined}
      data-low={room < LOW_ROOM || undefined}
      data-small={room < SMALL_NUMERAL || undefined}
      data-hundreds={(count ?? 0) > 99 || undefined}
      data-held={held || undefined}
    >
      <FeedHead
        styles={styles}
        id={id}
        title={title}
        category={categoryOf(feed)}
        updated={dateOf(feed.last_updated)}
        count={count}
        unknown="Unknown number of"
        caption={caption}
        news={isNew && newText(change)}
      >
        {silent !== null && (
          <p className={styles.silent}>
            <QuietLine {...asked} note={silent > 1 ? `${silent} sources` : undefined} />
          </p>
        )}
        {counts.length > 0 && (
          <div className={styles.tally}>
            <Tally
              label="Active alerts by severity"
              counts={counts}
              unlisted={uncounted}
              wordless={wordlessLevels(counts, uncounted, {
                width: room < LOW_ROOM ? LOW_TALLY_WIDTH : META_WIDTH,
                face: 'tally',
              })}
            />
          </div>
        )}
        {held && <WallSources feed={feed} boardStale={boardStale} />}
      </FeedHead>

      <WallSummary
        feedTitle={title}
        summary={summary}
        boardStale={boardStale}
        faint={freshness === 'veryOld'}
        width={held ? HELD_SUMMARY_TEXT : SUMMARY_TEXT}
        room={room}
        place={place}
      />

      {events.length === 0 ? (
        <NoAlerts styles={styles} feedTitle={title} total={total} {...asked} />
      ) : held ? (
        <WallHeldAlerts events={events} unlisted={unlisted} stale={stale} feedTitle={title} room={room} />
      ) : (
        <WallLiveFeed
          events={events}
          row={place}
          running={height !== null && !stale}
          stale={stale}
          feedTitle={title}
          room={room}
        />
      )}
    </article>
  );
}, isDrawnAlike);
