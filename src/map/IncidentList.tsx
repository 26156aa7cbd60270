import { knownSource } from '#contract/sources.ts';
import { useEffect, useRef } from 'react';
import { detailOf, gradeOf, sinceText, titleOf } from '../disruptions/alerts.ts';
import { serverNow } from '../offline/freshness.ts';
import { Notice } from '../ui/Notice.tsx';
import { OutsideLink } from '../ui/OutsideLink.tsx';
import { Severity } from '../ui/Severity.tsx';
import { TimeAgo } from '../ui/TimeAgo.tsx';
import { counted, grouped } from '../ui/numbers.ts';
import { phaseText, sourceText, staleText } from './incidentWords.ts';
import styles from './IncidentList.module.css';
import type { Incident, IncidentsInView } from './useIncidents.ts';

/** The incidents of an area, with everything that their marks say. */
export function IncidentList({
  found,
  selected = null,
  onSelect,
}: {
  found: Exclude<IncidentsInView, { state: 'off' }>;
  selected?: string | null;
  /** Without it there is nothing beside the list to select on. */
  onSelect?: (id: string) => void;
}) {
  if (found.state === 'loading') return <p className={styles.note}>Loading disruptions…</p>;
  if (found.state === 'failed') {
    return (
      <div className={styles.note}>
        <Notice>Unable to load disruptions for this area</Notice>
      </div>
    );
  }

  const { incidents, total, silent, unconnected, heard, savedAt } = found;
  return (
    <>
      {savedAt && (
        <p className={styles.note}>Showing disruptions saved at {sinceText(savedAt, serverNow())}</p>
      )}
      {incidents.length === 0 && heard && <p className={styles.note}>No disruptions reported here</p>}
      <Sources say="No recent information from" of={silent} />
      <Sources say="Not connected:" of={unconnected} />
      <ul aria-label="Disruptions">
        {incidents.map((incident) => (
          <Row
            key={incident.alert.event_id}
            incident={incident}
            isOld={savedAt !== null}
            isSelected={incident.alert.event_id === selected}
            onSelect={onSelect}
          />
        ))}
      </ul>
      {total > incidents.length && (
        <p className={styles.note}>
          {counted(incidents.length, 'disruption')} of {grouped(total)} shown
        </p>
      )}
    </>
  );
}

/** More sources than these are counted, and named when that is opened. */
const NAMED_MAX = 3;

function Sources({ say, of: sources }: { say: string; of: readonly string[] }) {
  if (sources.length === 0) return null;
  const names = sources.map((source) => knownSource(source).displayName).join(', ');
  if (sources.length <= NAMED_MAX) {
    return (
      <p className={styles.note}>
        {say} {names}
      </p>
    );
  }
  return (
    <details className={styles.note}>
      <summary>
        {say} {counted(sources.length, 'source')}
      </summary>
      <p>{names}</p>
    </details>
  );
}

function Row({
  incident,
  isOld,
  isSelected,
  onSelect,
}: {
  incident: Incident;
  isOld: boolean;
  isSelected: boolean;
  onSelect: ((id: string) => void) | undefined;
}) {
  const { alert } = incident;
  const row = useRef<HTMLLIElement>(null);
  const stale = staleText(incident);

  useEffect(() => {
    if (isSelected) row.current?.scrollIntoView({ block: 'nearest' });
  }, [isSelected]);

  return (
    <li
      ref={row}
      className={styles.row}
      data-fresh={stale || isOld ? 'stale' : undefined}
      data-selected={isSelected || undefined}
    >
      <p className={styles.grade}>
        <Severity grade={gradeOf(alert)} /> <span>{phaseText(incident)}</span>
      </p>
      {onSelect ? (
        <button
          type="button"
          className={styles.title}
          aria-pressed={isSelected}
          onClick={() => onSelect(alert.event_id)}
        >
          {titleOf(alert)}
        </button>
      ) : (
        <p className={styles.title}>{titleOf(alert)}</p>
      )}
      <p className={styles.words}>{detailOf(alert)}</p>
      <p className={styles.source}>
        {[sourceText(incident), stale].filter(Boolean).join(' · ')}
        {!stale && !isOld && alert.updated_at && (
          <>
            {' · '}
            <TimeAgo at={alert.updated_at} />
          </>
        )}
      </p>
      {(alert.metadata?.links ?? []).map(({ url, label }) => (
        <p className={styles.words} key={url}>
          <OutsideLink url={url}>{label?.trim() || 'More about it'}</OutsideLink>
        </p>
      ))}
    </li>
  );
}
