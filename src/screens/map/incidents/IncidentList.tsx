import { lazy, Suspense, useMemo, useState } from 'react';
import { knownSource } from '#contract/feeds/knownSources.ts';
import { isConnected, isSilent, notRecentText } from '../../../feeds/alerts/sourceStatus.ts';
import type { SourceEntry } from '../../../api/alerts/disruptions.ts';
import { serverNow } from '../../../time/freshness.ts';
import { Button } from '../../../ui/controls/Button.tsx';
import { counted, grouped } from '#contract/numbers.ts';
import { DataState } from './DataState.tsx';
import styles from './IncidentList.module.css';
import { IncidentRow } from './IncidentRow.tsx';
import { Unplaced } from './Unplaced.tsx';
import type { Incident, IncidentsInView } from './useIncidents.ts';
import { countsText, feedCounts } from '../../../feeds/alerts/counts.ts';
import page from '../MapPage.module.css';

/** The incidents of an area, with everything that their marks show, and the gaps in what is known about the area. */
export function IncidentList({
  found,
  selected = null,
  onSelect,
  worst = Infinity,
}: {
  found: Exclude<IncidentsInView, { state: 'off' }>;
  selected?: string | null;
  /** Absent when there is no map to select on. */
  onSelect?: (id: string) => void;
  /** How many are listed until the reader asks for all. The selected one is always listed. */
  worst?: number;
}) {
  const [isWhole, setWhole] = useState(false);
  const state = (
    <div className={styles.state}>
      <DataState
        at={found.state === 'ready' ? found.at : null}
        line={found}
        failure="Unable to load disruptions for this area"
      />
    </div>
  );
  if (found.state !== 'ready') {
    return (
      <>
        {state}
        {found.state === 'loading' && (
          <p className={styles.note} data-text="small" data-tone="2">
            Loading disruptions…
          </p>
        )}
      </>
    );
  }

  const { incidents, total, withoutPosition, sources, covers } = found;
  const listed = incidents.filter(
    ({ alert }, place) => isWhole || place < worst || alert.event_id === selected,
  );
  const nothing = incidents.length === 0 && covers === 'all' ? nothingText(found) : '';
  return (
    <>
      {state}
      {covers === 'partYet' && (
        <p className={styles.note} data-text="small" data-tone="2">
          Loading disruptions…
        </p>
      )}
      {covers === 'part' && (
        <p className={styles.note} data-text="small" data-tone="2">
          Part of this area could not be loaded.
        </p>
      )}
      <div className={styles.note} data-text="small" data-tone="2">
        {nothing}
        {nothing && withoutPosition ? ', ' : ''}
        <Unplaced count={withoutPosition ?? 0} sources={sources} />
        {withoutPosition === null &&
          incidents.length > 0 &&
          'Disruptions without a known place are not shown'}
      </div>
      <Sources say="No recent information from" of={sources.filter(isSilent)} />
      <Sources say="Not connected:" of={sources.filter((source) => !isConnected(source))} />
      <ul aria-label="Disruptions">
        {listed.map((incident) => (
          <IncidentRow
            key={incident.alert.event_id}
            incident={incident}
            isSelected={incident.alert.event_id === selected}
            onSelect={onSelect}
          />
        ))}
      </ul>
      {listed.length < incidents.length && (
        <p className={styles.note} data-text="small" data-tone="2">
          <Button small onClick={() => setWhole(true)}>
            Show all {grouped(incidents.length)}
          </Button>
        </p>
      )}
      {total > incidents.length && (
        <p className={styles.note} data-text="small" data-tone="2">
          {counted(incidents.length, 'disruption')} of {grouped(total)} shown
        </p>
      )}
    </>
  );
}

/** The meaning of an empty list; '' when no source has reported lately, because then it means nothing. */
function nothingText({
  old,
  at,
  sources,
  withoutPosition,
  snoozed = 0,
}: Extract<IncidentsInView, { state: 'ready' }>): string {
  if (snoozed > 0) return 'No other disruptions reported here';
  if (old) return notRecentText(at, serverNow());
  if (sources.length > 0 && sources.every((source) => isSilent(source) || !isConnected(source))) return '';
  return withoutPosition === null ? 'No disruptions with a known place here' : 'No disruptions reported here';
}

/** More sources than this are shown as a number, which opens to their names. */
const NAMED_MAX = 3;

function Sources({ say, of: sources }: { say: string; of: readonly SourceEntry[] }) {
  if (sources.length === 0) return null;
  const names = sources.map(({ source }) => knownSource(source).displayName).join(', ');
  if (sources.length <= NAMED_MAX) {
    return (
      <p className={styles.note} data-text="small" data-tone="2">
        {say} {names}
      </p>
    );
  }
  return (
    <details className={styles.note} data-text="small" data-tone="2">
      <summary>
        {say} {counted(sources.length, 'source')}
      </summary>
      <p>{names}</p>
    </details>
  );
}

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
    <div className={page.incidents}>
      <div className={page.inHand}>
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
        <div className={page.unplaced} data-text="small" data-tone="2">
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
