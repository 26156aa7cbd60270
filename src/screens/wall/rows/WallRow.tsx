import { memo, useId, useMemo } from 'react';
import type { Row } from '../../../api/alerts/feeds.ts';
import { countsText, feedCounts, feedGrades, categoryOf } from '../../../feeds/alerts/counts.ts';
import { NoAlerts } from '../../../feeds/rows/QuietLine.tsx';
import { isDrawnAlike, readRow } from '../../../feeds/rows/readRow.ts';
import { isLate, silentSources } from '../../../feeds/alerts/sourceStatus.ts';
import { orderOf } from '../../../feeds/alerts/leadAlerts.ts';
import { type DataFreshness, serverNow } from '../../../time/freshness.ts';
import { Flap } from '../../../ui/signs/Flap.tsx';
import { ModePlate } from '../../../ui/signs/ModePlate.tsx';
import { counted } from '#contract/numbers.ts';
import { StatusLine } from '../../../ui/signs/StatusLine.tsx';
import { Tally } from '../../../ui/signs/Tally.tsx';
import type { FeedCategory } from '#contract/feeds/feeds.ts';
import { shortNameOf } from '#contract/feeds/knownSources.ts';
import { liveRoom, LOW_ROOM, TALL_LINES, TWO_LINES } from './feedPages.ts';
import { fitting, wordlessLevels } from '../words/textFit.ts';
import { META_WIDTH, useForm, useSheet } from '../words/wallMeasures.ts';
import { sourcesHeight, WallHeldAlerts, WallSources } from './WallHeldAlerts.tsx';
import { WallLive } from './WallLive.tsx';
import styles from './WallRow.module.css';
import { slotsOf, WallSlot } from './WallSlot.tsx';

/** The room for the names of silent sources, when each feed has one line. */
const NOTE_ROOM = 260;

/** One feed on the wall: its name and counts, and its live part. */
export const WallRow = memo(function WallRow({
  row: { feed, summary, events, snoozed },
  place,
  height,
  lit,
  held,
  calm,
  banded,
  at,
  freshness,
}: {
  row: Row & { snoozed?: number };
  /** From 0, in the order of the board. */
  place: number;
  /** In units; null while the feed is on another page. */
  height: number | null;
  /** The `event_id` of the lead that lights the row; null when it is not lit. */
  lit: string | null;
  /** True: somebody holds this feed to read it. */
  held: boolean;
  /** True: no feed has an alert, so the row is one line. */
  calm: boolean;
  /** True: the row is under a message and has no third line. */
  banded: boolean;
  /** When the server sent this row. */
  at: Date;
  /** The freshness of the board's data as a whole. */
  freshness: DataFreshness;
}) {
  const id = useId();
  const { title, boardStale, stale, unlisted, count, total } = readRow({ feed, events }, { at, freshness });
  const counts = useMemo(() => feedCounts({ feed, events }), [feed, events]);
  const grades = useMemo(() => feedGrades({ feed, events }), [feed, events]);
  const uncounted = counts.active - grades.reduce((sum, grade) => sum + grade.count, 0);
  const form = useForm();
  // Upright the sources of a held feed stand above its alerts.
  const above = held && form === 'upright' ? sourcesHeight((feed.sources ?? []).length) : 0;
  const room = liveRoom((height ?? 0) - above, form);
  const isTall = useSheet() === 'tall';
  const isLow = room < (isTall ? TALL_LINES : banded ? TWO_LINES : LOW_ROOM);
  const isQuiet = events.length === 0 || calm;

  return (
    <article
      className={styles.row}
      aria-labelledby={id}
      hidden={height === null}
      data-fresh={stale ? 'stale' : undefined}
      data-low={(isLow && !calm) || undefined}
      data-held={held || undefined}
      data-calm={calm || undefined}
      data-unknown={count === null || undefined}
    >
      <header className={styles.meta} data-nowrap>
        <ModePlate category={categoryOf(feed)} />
        <h2 className={styles.title} id={id}>
          {title}
        </h2>
        <p className={styles.count} data-long={(count ?? 0) > 99 || undefined}>
          <Flap value={count} unknown="Unknown number of" /> <span data-hidden>active alerts</span>
        </p>
        <p className={styles.counts} data-tone="2">
          {count !== null && countsText(counts)}
        </p>
        {grades.length > 0 && (
          <div className={styles.tally}>
            <Tally
              label="Active alerts by severity"
              counts={grades}
              unlisted={uncounted}
              wordless={wordlessLevels(
                { counts: grades, unlisted: uncounted },
                { width: META_WIDTH, face: 'tally' },
              )}
            />
          </div>
        )}
        {held && <WallSources feed={feed} boardStale={boardStale} />}
      </header>

      {events.length === 0 && snoozed ? (
        <div className={styles.none} data-nowrap>
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
          place={place}
          lit={stale ? null : lit}
          running={height !== null && !stale}
          stale={stale}
          faint={freshness === 'veryOld'}
          low={isLow}
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
  // In a row of one line the names of silent sources are beside the words about them.
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
    <div className={styles.none} data-nowrap>
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
      <header className={styles.meta} data-nowrap>
        <ModePlate category={category} />
        <h2 className={styles.title}>{title}</h2>
        <p className={styles.count}>
          <Flap value={null} />
        </p>
      </header>
    </article>
  );
}
