import { memo, useId, useMemo } from 'react';
import type { Row } from '../api/feeds.ts';
import { countsText, feedCounts, feedGrades } from '../feeds/counts.ts';
import { categoryOf } from '../feeds/feedNames.ts';
import { type Change, newText } from '../feeds/newItems.ts';
import { NoAlerts } from '../feeds/QuietLine.tsx';
import { isDrawnAlike, readRow } from '../feeds/readRow.ts';
import { isLate, silentSources } from '../feeds/sources.ts';
import { orderOf } from '../feeds/worst.ts';
import type { DataFreshness } from '../time/freshness.ts';
import { serverNow } from '../time/freshness.ts';
import { Flap } from '../ui/Flap.tsx';
import { ModePlate } from '../ui/ModePlate.tsx';
import { counted } from '../ui/numbers.ts';
import { StatusLine } from '../ui/StatusLine.tsx';
import { Tally } from '../ui/Tally.tsx';
import { VisuallyHidden } from '../ui/VisuallyHidden.tsx';
import type { FeedCategory } from '#contract/feeds.ts';
import { shortNameOf } from '#contract/sources.ts';
import { LOW_ROOM } from './feedPages.ts';
import { fitting, textWidth, useFacesLoaded } from './fit.ts';
import { META_WIDTH, ROW_PADDING } from './measures.ts';
import { tallyWidth, wordlessLevels } from './tallyFit.ts';
import { WallHeldAlerts } from './WallHeldAlerts.tsx';
import { WallLive } from './WallLive.tsx';
import styles from './WallRow.module.css';
import { slotsOf, WallSlot } from './WallSlot.tsx';
import { WallSources } from './WallSources.tsx';

/** As the style sheet has them, in units: the plate and both gaps, a digit of the numeral in its three sizes, and the gap
 *  before it. */
const BESIDE_NAME = 50 + 14 + 14;
const DIGIT = 40;
const TALL_DIGIT = 32;
const SMALL_DIGIT = 18;
const NUMERAL_GAP = 14;
/** For the names of silent sources beside the line that says since when, where each feed has one line. */
const NOTE_ROOM = 400;

/** One feed on the wall: its name and counts, and what is live. */
export const WallRow = memo(function WallRow({
  row: { feed, summary, events, snoozed },
  place,
  height,
  held,
  calm,
  at,
  freshness,
  change,
}: {
  row: Row & { snoozed?: number };
  /** From 0, in the order of the board. */
  place: number;
  /** In units; null while the feed is on another page. */
  height: number | null;
  /** Somebody holds this feed to read it. */
  held: boolean;
  /** No feed has an alert: the row is one line. */
  calm: boolean;
  /** When the server sent this row. */
  at: Date;
  /** Of the board's data as a whole. */
  freshness: DataFreshness;
  change: Change | undefined;
}) {
  useFacesLoaded();
  const id = useId();
  const { title, boardStale, stale, isNew, unlisted, count, total } = readRow(
    { feed, events },
    { at, freshness, change },
  );
  const counts = useMemo(() => feedCounts({ feed, events }), [feed, events]);
  const grades = useMemo(() => feedGrades({ feed, events }), [feed, events]);
  const uncounted = counts.active - grades.reduce((sum, grade) => sum + grade.count, 0);
  const room = (height ?? 0) - ROW_PADDING;
  const digits = String(count ?? '–').length;
  const isTight = textWidth(title, 'name') + digits * DIGIT > META_WIDTH - BESIDE_NAME;
  const tally = { counts: grades, unlisted: uncounted };
  const besideTall = META_WIDTH - digits * TALL_DIGIT - NUMERAL_GAP;
  const isTall = isTight && tallyWidth(tally, grades.length, 'tally') <= besideTall;
  const isQuiet = events.length === 0 || calm;

  return (
    <article
      className={styles.row}
      aria-labelledby={id}
      hidden={height === null}
      data-fresh={stale ? 'stale' : undefined}
      data-new={isNew || undefined}
      data-low={(room < LOW_ROOM && !calm) || undefined}
      data-held={held || undefined}
      data-calm={calm || undefined}
      data-unknown={count === null || undefined}
      data-tight={isTight ? (isTall ? 'tall' : 'small') : undefined}
    >
      <header className={styles.meta}>
        <ModePlate category={categoryOf(feed)} />
        <h2 className={styles.title} id={id}>
          {title}
        </h2>
        <p className={styles.count}>
          <Flap value={count} unknown="Unknown number of" /> <VisuallyHidden>active alerts</VisuallyHidden>
        </p>
        <p className={styles.counts}>
          {isNew && change?.items ? (
            <span className={styles.newPlate}>{newText(change)}</span>
          ) : (
            count !== null && countsText(counts)
          )}
        </p>
        {grades.length > 0 && (
          <div className={styles.tally}>
            <Tally
              label="Active alerts by severity"
              counts={grades}
              unlisted={uncounted}
              wordless={wordlessLevels(tally, {
                width: isTall ? besideTall : META_WIDTH - (isTight ? digits * SMALL_DIGIT + NUMERAL_GAP : 0),
                face: 'tally',
              })}
            />
          </div>
        )}
        {held && <WallSources feed={feed} boardStale={boardStale} />}
      </header>

      {events.length === 0 && snoozed ? (
        <div className={styles.none}>
          <StatusLine status="none">{snoozed} snoozed</StatusLine>
        </div>
      ) : isQuiet ? (
        <Quiet
          row={{ feed, events }}
          title={title}
          total={total}
          at={at}
          boardStale={boardStale}
          calm={calm}
        />
      ) : held ? (
        <WallHeldAlerts events={events} unlisted={unlisted} feedTitle={title} room={room} />
      ) : (
        <WallLive
          feed={feed}
          feedTitle={title}
          events={events}
          summary={summary}
          counts={counts}
          place={place}
          running={height !== null && !stale}
          stale={stale}
          boardStale={boardStale}
          faint={freshness === 'veryOld'}
          low={room < LOW_ROOM}
        />
      )}
    </article>
  );
}, isDrawnAlike);

function Quiet({
  row: { feed, events },
  title,
  total,
  at,
  boardStale,
  calm,
}: {
  row: Pick<Row, 'feed' | 'events'>;
  title: string;
  total: number;
  at: Date;
  boardStale: boolean;
  calm: boolean;
}) {
  // In one line the names of silent sources stand beside what is said of them.
  const [slot] = slotsOf(feed, orderOf(events).planned, serverNow()).filter(
    ({ kind }) => !calm || kind === 'planned',
  );
  const names = silentSources(feed).map(({ source }) => shortNameOf(source));
  const silent = calm ? fitting([names.join('; '), counted(names.length, 'source')], NOTE_ROOM, 'slot') : '';
  const late = (feed.sources ?? []).filter(isLate).map(({ source }) => shortNameOf(source));
  const lateWords = fitting(
    [`Late: ${late.join('; ')}`, `Late: ${counted(late.length, 'source')}`],
    NOTE_ROOM,
    'slot',
  );
  return (
    <div className={styles.none}>
      <NoAlerts
        styles={styles}
        feedTitle={title}
        total={total}
        feed={feed}
        at={at}
        boardStale={boardStale}
        note={names.length > 0 ? silent : late.length > 0 ? lateWords : undefined}
      />
      {slot && <WallSlot slot={slot} />}
    </div>
  );
}

/** The row of a feed before its data has arrived. */
export function EmptyWallRow({ title, category }: { title: string; category: FeedCategory }) {
  return (
    <article className={styles.row} aria-label={title} data-unknown>
      <header className={styles.meta}>
        <ModePlate category={category} />
        <h2 className={styles.title}>{title}</h2>
        <p className={styles.count}>
          <Flap value={null} />
        </p>
      </header>
    </article>
  );
}
