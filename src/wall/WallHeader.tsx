import type { Row } from '../api/feeds.ts';
import { countsByGrade } from '../feeds/alerts.ts';
import { useClock } from '../time/clock.ts';
import { ConnectionShape } from '../feeds/ConnectionShape.tsx';
import { REFRESH_MS } from '../feeds/refreshSchedule.ts';
import type { Board } from '../feeds/useBoard.ts';
import { useConnection } from '../feeds/useConnection.ts';
import { useWorker } from '../offline/serviceWorker.ts';
import { FlapClock } from '../ui/Flap.tsx';
import { Mark } from '../ui/Mark.tsx';
import { Tally } from '../ui/Tally.tsx';
import { formatClock } from '../time/london.ts';
import { useFacesLoaded } from './fit.ts';
import { Sweep } from './Sweep.tsx';
import { wordlessLevels } from './tallyFit.ts';
import styles from './WallHeader.module.css';
import { useWallSign, WallSign } from './WallSign.tsx';

/** The width left for the tally of all feeds beside the title, the connection and the clock, in units. */
const TOTALS_WIDTH = 860;

/** Title and totals, or the sign instead; the connection, the time, and how long until the next refresh. */
export function WallHeader({
  board,
  at,
  rows,
  pageText,
  signedOutAt,
}: {
  board: Board;
  /** When the server sent what is shown; null when nothing is shown. */
  at: Date | null;
  rows: readonly Row[];
  /** Which page of feeds this is; null when there is only one. */
  pageText: string | null;
  signedOutAt: Date | null;
}) {
  // A board without feeds shows nothing that could be old.
  const sign = useWallSign({ at: rows.length > 0 ? at : null, board, signedOutAt });
  const { problem, refreshing, askedAt, view } = board;
  const { connection, refreshed } = useConnection(at, problem);
  const time = useClock((now) => formatClock(now));
  const { supported } = useWorker();
  const note = pageText ?? (supported ? null : 'No offline copy: open this address by https');

  return (
    <>
      <header className={styles.header}>
        <Mark />
        <div className={styles.name} data-covered={sign ? true : undefined}>
          <h1 className={styles.title}>Live Disruptions Board</h1>
          {note && <p className={styles.note}>{note}</p>}
        </div>
        <div className={styles.middle} role="status">
          {sign && <WallSign key={sign.key} sign={sign} board={board} />}
        </div>
        {!sign && <Totals rows={rows} />}
        <p className={styles.state}>
          <b>
            <ConnectionShape of={signedOutAt ? 'No answer' : connection} refreshing={refreshing} />
            {signedOutAt ? 'Signed out' : connection}
          </b>
          Last refresh {refreshed}
        </p>
        <div className={styles.clock}>
          <FlapClock time={time} />
        </div>
      </header>
      <Sweep
        key={askedAt}
        since={view.state === 'ready' && problem === null && !sign?.old ? askedAt : null}
        ms={REFRESH_MS}
      />
    </>
  );
}

function Totals({ rows }: { rows: readonly Row[] }) {
  useFacesLoaded();
  const counts = countsByGrade(rows.flatMap(({ events }) => events));
  const unlisted = rows.reduce((sum, { feed, events }) => {
    const listed = countsByGrade(events).reduce((all, { count }) => all + count, 0);
    return sum + Math.max(0, (feed.alert_count ?? 0) - listed);
  }, 0);
  if (counts.length === 0) return null;

  return (
    <div className={styles.totals}>
      <Tally
        label="Active alerts of all feeds by severity"
        counts={counts}
        unlisted={unlisted}
        wordless={wordlessLevels(counts, unlisted, { width: TOTALS_WIDTH, face: 'totals' })}
      />
    </div>
  );
}
