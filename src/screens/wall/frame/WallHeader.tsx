import { type CSSProperties, type ReactNode, useState } from 'react';
import type { Alert } from '../../../api/alerts/disruptions.ts';
import type { Row } from '../../../api/alerts/feeds.ts';
import { useClock } from '../../../time/tickingClock.ts';
import { ConnectionShape } from '../../../feeds/refresh/PageState.tsx';
import {
  type AlertRow,
  countsText,
  feedCounts,
  totalCounts,
  totalGrades,
  withOurs,
} from '../../../feeds/alerts/counts.ts';
import { REFRESH_MS } from '../../../feeds/refresh/refreshSchedule.ts';
import { silentNames } from '../../../feeds/alerts/sourceStatus.ts';
import type { Board } from '../../../feeds/refresh/useBoard.ts';
import { useConnection } from '../../../feeds/refresh/connectionWords.ts';
import { useWorker } from '../../../offline/serviceWorker.ts';
import { FlapClock } from '../../../ui/signs/Flap.tsx';
import { Mark } from '../../../ui/page/Brand.tsx';
import { Tally } from '../../../ui/signs/Tally.tsx';
import { formatClock } from '../../../time/london.ts';
import { useSheet } from '../words/wallMeasures.ts';
import { namesWithin, wordlessLevels } from '../words/textFit.ts';
import styles from './WallHeader.module.css';
import { type SignedOut, useWallSign, WallSign } from './WallSign.tsx';

/** The width for the tally of all feeds, which is beside the title, the connection and the clock, or on a line of
 *  its own. In units of the size at which the tally is measured. */
const TOTALS_WIDTH = { usual: 850, wide: 850, upright: 850, large: (620 * 37) / 27, tall: (820 * 37) / 35 };

/** The width for the names of silent sources, above the last refresh. */
const STATE_WIDTH = 340;

/** The title and totals, or the sign instead of them; the connection, the time, and the time until the next refresh. */
export function WallHeader({
  board,
  at,
  rows,
  ours,
  pageText,
  next,
  signedOut,
  title = 'Live Disruptions Board',
  what = 'Board',
  tally,
  namesSilent = false,
  isPublic = false,
}: {
  board: Board;
  /** When the server sent the data on screen; null when there is none. */
  at: Date | null;
  rows: readonly (Row & { snoozed?: number })[];
  /** The team's own reports, which are counted too. */
  ours: readonly Alert[];
  /** The page of feeds on screen, in words; null when there is only one. */
  pageText: string | null;
  /** The next departure, if another page shows it. */
  next?: string | undefined;
  signedOut: SignedOut | null;
  title?: string;
  /** The name of the data on screen, for the sign. */
  what?: string;
  /** A tally that replaces the tally of all feeds. */
  tally?: ReactNode;
  /** True: nothing else on the page names the silent sources. */
  namesSilent?: boolean;
  /** Large, for people who pass by: without a sign about this display itself, and with fewer words beside the tally. */
  isPublic?: boolean;
}) {
  // A board without feeds shows nothing that could be old.
  const found = useWallSign({ at: rows.length > 0 ? at : null, board, signedOut, what });
  const sign = isPublic && found?.key === 'clock' ? null : found;
  const { problem, refreshing, askedAt, view } = board;
  const silent = silentNames(rows);
  const { connection, words, refreshed } = useConnection(at, problem, {
    silent: silent.length,
    isWall: true,
  });
  const time = useClock((now) => formatClock(now));
  const { supported } = useWorker();
  const { active, planned } = totalCounts(withOurs(rows, ours));
  const counts = rows.some(isKnown) ? countsText({ active, planned: isPublic ? 0 : planned }) : null;
  const asleep = rows.reduce((sum, { snoozed = 0 }) => sum + snoozed, 0);
  const about = pageText ?? (supported || isPublic ? counts : 'No offline copy: open this address by https');
  const note = [about, asleep > 0 && `${asleep} snoozed`].filter(Boolean).join(', ');

  return (
    <>
      <header className={styles.header} data-line>
        <Mark />
        {/* The sign covers it, but it is still the page's heading for screen readers. */}
        <div className={styles.name} data-nowrap data-hidden={sign ? true : undefined}>
          <h1 className={styles.title}>
            {isPublic ? (
              <>
                Live Disruptions<span data-hidden> Board</span>
              </>
            ) : (
              title
            )}
          </h1>
          {note && (
            <p className={styles.note} data-tone="2">
              {note}
              {next && (
                <>
                  ,{' '}
                  <b className={styles.next} data-nowrap>
                    {next}
                  </b>
                </>
              )}
            </p>
          )}
        </div>
        <div className={styles.middle} role="status">
          {sign && <WallSign key={sign.key} sign={sign} board={board} />}
        </div>
        {!sign &&
          (tally ? <div className={styles.totals}>{tally}</div> : <Totals rows={withOurs(rows, ours)} />)}
        <p className={styles.state} data-push data-tone="2" data-nowrap>
          <b data-line>
            <ConnectionShape
              of={signedOut ? 'No answer' : connection}
              partly={silent.length > 0}
              refreshing={refreshing}
            />
            {signedOut ? 'Signed out' : words}
          </b>
          {namesSilent && connection === 'Live' && silent.length > 0 && (
            <span>{namesWithin(silent, STATE_WIDTH, 'silentNames')}</span>
          )}
          Last refresh {refreshed}
        </p>
        <div className={styles.clock}>
          <FlapClock time={time} />
        </div>
      </header>
      <div className={styles.sweep}>
        <Sweep
          key={askedAt}
          since={view.state === 'ready' && problem === null && !sign?.old ? askedAt : null}
          ms={REFRESH_MS}
        />
      </div>
    </>
  );
}

/** Whether the number of its alerts is known, so that 0 would be true. */
const isKnown = (row: Row) => feedCounts(row).active > 0 || row.feed.freshness != null;

function Totals({ rows }: { rows: readonly AlertRow[] }) {
  const width = TOTALS_WIDTH[useSheet()];
  const grades = totalGrades(rows);
  const unlisted = totalCounts(rows).active - grades.reduce((sum, { count }) => sum + count, 0);
  if (grades.length === 0) return null;

  return (
    <div className={styles.totals}>
      <Tally
        label="Active alerts of all feeds by severity"
        counts={grades}
        unlisted={unlisted}
        wordless={wordlessLevels({ counts: grades, unlisted }, { width, face: 'totals' })}
      />
    </div>
  );
}

/** A bar that fills once, from `since` (by the page's clock) over this many milliseconds. Empty when `since` is
 *  null. The browser's compositor draws it, so no script runs meanwhile. */
function Sweep({ since, ms }: { since: number | null; ms: number }) {
  return (
    <div className={styles.sweepBar} role="presentation">
      {since !== null && <Line since={since} ms={ms} />}
    </div>
  );
}

function Line({ since, ms }: { since: number; ms: number }) {
  const [passed] = useState(() => Math.max(0, Date.now() - since));
  const style = { '--sweep': `${ms}ms`, '--passed': `${-passed}ms` } as CSSProperties;
  return <i data-forced="ink" style={style} />;
}
