import { lazy, Suspense, useMemo, useState } from 'react';
import { countsText, feedCounts } from '../../../feeds/alerts/counts.ts';
import { IncidentList } from './IncidentList.tsx';
import styles from '../MapPage.module.css';
import { Unplaced } from './Unplaced.tsx';
import type { Incident, IncidentsInView } from './useIncidents.ts';

const InHand = lazy(() => import('../../../shift/InHand.tsx').catch(() => ({ default: () => null })));

/** The disruptions in view, above the events. The reader can fold them away. Nothing while their layer is off. */
export function IncidentPanel({
  found,
  all,
  selected,
  onSelect,
}: {
  found: IncidentsInView;
  /** The incidents including snoozed ones. */
  all: readonly Incident[];
  selected: string | undefined;
  onSelect: (id: string) => void;
}) {
  const [folded, setFolded] = useState(false);
  const alerts = useMemo(() => new Map(all.map(({ alert }) => [alert.event_id, alert])), [all]);
  if (found.state === 'off') return null;

  return (
    <div className={styles.incidents}>
      <div className={styles.inHand}>
        <Suspense fallback={null}>
          <InHand alerts={alerts} />
        </Suspense>
      </div>
      <details open={!folded} onToggle={({ currentTarget }) => setFolded(!currentTarget.open)}>
        <summary data-split="3" data-tight>
          <span>Disruptions in view</span>
          <span data-text="small" data-tone="2">
            {found.state === 'ready' && found.covers === 'all' && `${countOf(found.incidents)}, `}worst first
          </span>
        </summary>
        {!folded && <IncidentList found={found} selected={selected} onSelect={onSelect} worst={WORST} />}
      </details>
      {folded && found.state === 'ready' && (
        <div className={styles.unplaced} data-text="small" data-tone="2">
          <Unplaced count={found.withoutPosition ?? 0} sources={found.sources} />
        </div>
      )}
    </div>
  );
}

/** As on the board: "47 active, 11 planned". */
const countOf = (incidents: readonly Incident[]) =>
  countsText(feedCounts({ events: incidents.map(({ alert }) => alert) }));

/** How many are listed at first, so that the events are not far below. */
const WORST = 4;
