import { shortNameOf } from '#contract/sources.ts';
import type { Alert } from '../api/disruptions.ts';
import type { NextUp, Row } from '../api/feeds.ts';
import { silentSources } from '../feeds/sources.ts';
import { serverNow } from '../time/freshness.ts';
import { counted } from '../ui/numbers.ts';
import { NextHours } from './NextHours.tsx';
import { UkMap } from './UkMap.tsx';
import { useOursRoom, WallOurs } from './WallOurs.tsx';
import styles from './WallSide.module.css';
import { silentSince } from './WallSlot.tsx';

/** Where, and what comes next. */
export function WallSide({
  rows,
  lead,
  nextUp,
  loading,
  tied,
  staleAt,
  faint,
}: {
  rows: readonly Row[];
  lead: Alert | null;
  nextUp: readonly NextUp[] | null;
  loading: boolean;
  /** The alert of the band is current: a line joins it and its place. */
  tied: boolean;
  /** The time of an old board; null while it is current. */
  staleAt: Date | null;
  faint: boolean;
}) {
  const fewer = useOursRoom();
  return (
    <aside className={styles.side} aria-label="Where, and next">
      <UkMap rows={rows} lead={lead} tied={tied} />
      <div className={styles.list}>
        <WallOurs />
        {!loading && <NextHours nextUp={nextUp} asOf={staleAt} faint={faint} fewer={fewer} />}
        <Silent rows={rows} />
      </div>
    </aside>
  );
}

/** Only where the screen is wide: elsewhere each row names its own. */
function Silent({ rows }: { rows: readonly Row[] }) {
  const silent = rows.flatMap(({ feed }) => silentSources(feed));
  if (silent.length === 0) return null;
  return (
    <section className={styles.silent} aria-labelledby="silent-sources">
      <h2 id="silent-sources">Silent, {counted(silent.length, 'source')}</h2>
      <ul>
        {silent.slice(0, SHOWN).map(({ source, last_collected }) => (
          <li key={source}>
            <b>{shortNameOf(source)}</b> {silentSince(last_collected, serverNow())}
          </li>
        ))}
        {silent.length > SHOWN && <li>and {silent.length - SHOWN} more</li>}
      </ul>
    </section>
  );
}

const SHOWN = 4;
