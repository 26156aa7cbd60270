import { shortNameOf } from '#contract/feeds/knownSources.ts';
import type { Alert } from '../../../api/alerts/disruptions.ts';
import type { NextUp, Row } from '../../../api/alerts/feeds.ts';
import type { AlertRow } from '../../../feeds/alerts/counts.ts';
import { silentSources } from '../../../feeds/alerts/sourceStatus.ts';
import { serverNow } from '../../../time/freshness.ts';
import { counted } from '#contract/numbers.ts';
import { fitting, textWidth, useFacesLoaded } from '../words/textFit.ts';
import { useForm, WIDE_LIST } from '../words/wallMeasures.ts';
import { NextHours, useNextEntries, useOursRoom, WallOurs } from './NextHours.tsx';
import { UkMap } from '../UkMap.tsx';
import styles from './WallSide.module.css';
import { silentSince } from '../rows/WallSlot.tsx';

/** The side of the wall: the map, and the next hours. */
export function WallSide({
  rows,
  all,
  lead,
  nextUp,
  loading,
  tied,
  staleAt,
  faint,
  yielded,
}: {
  rows: readonly Row[];
  /** All rows, including the team's own reports. */
  all: readonly AlertRow[];
  lead: Alert | null;
  nextUp: readonly NextUp[] | null;
  loading: boolean;
  /** True: the band's alert is current, so a line joins it and its place. */
  tied: boolean;
  /** The time of an old board; null while it is current. */
  staleAt: Date | null;
  faint: boolean;
  /** By how many units the side is lower under a message. */
  yielded: number;
}) {
  const form = useForm();
  const upright = form === 'upright';
  const taken = useOursRoom() + yielded;
  const next = useNextEntries(nextUp, { asOf: staleAt, taken });
  return (
    <aside className={styles.side} aria-label="Where, and next">
      <UkMap
        key={String(useFacesLoaded())}
        rows={all}
        lead={lead}
        tied={tied && !upright}
        detailed={form === 'usual' && !loading && next?.areFew === true && taken === 0}
      />
      <div className={styles.list}>
        <WallOurs />
        {!loading && next && <NextHours next={next} asOf={staleAt} faint={faint} taken={taken} />}
        <Silent rows={rows} />
      </div>
    </aside>
  );
}

/** The silent sources, only on a wide screen: on others each row names its own. */
function Silent({ rows }: { rows: readonly Row[] }) {
  const silent = rows.flatMap(({ feed }) => silentSources(feed));
  if (silent.length === 0) return null;
  return (
    <section className={styles.silent} aria-labelledby="silent-sources">
      <h2 id="silent-sources">Silent, {counted(silent.length, 'source')}</h2>
      <ul>
        {silent.slice(0, SHOWN).map(({ source, last_collected }) => (
          <SilentSource key={source} name={shortNameOf(source)} last={last_collected} />
        ))}
        {silent.length > SHOWN && <li>and {silent.length - SHOWN} more</li>}
      </ul>
    </section>
  );
}

const SHOWN = 4;

function SilentSource({ name, last }: { name: string; last: string | null | undefined }) {
  const room = WIDE_LIST - textWidth(name, 'silentName') - textWidth(' ', 'silentSince');
  return (
    <li>
      <b>{name}</b> {fitting(silentSince(last, serverNow()), room, 'silentSince')}
    </li>
  );
}
