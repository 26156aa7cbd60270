/** The marks on the map: events, clusters of events, disruptions. */
import type { Map as LibraryMap } from 'mapbox-gl';
import { memo } from 'react';
import { gradeOf } from '../../../feeds/alerts/alerts.ts';
import { serverNow } from '../../../time/freshness.ts';
import { grouped } from '../../../ui/numbers.ts';
import { Severity } from '../../../ui/signs/Severity.tsx';
import type { Mark } from '../clusters.ts';
import styles from './EventMap.module.css';
import { eventInWords } from '../events/eventWords.ts';
import { incidentInWords } from '../incidents/incidentWords.ts';
import type { MarkKeys } from './markKeys.ts';
import { Placed } from './Placed.tsx';
import type { Incident } from '../incidents/useIncidents.ts';

/** The worst severity is on top. */
export const LEVELS = {
  events: 1,
  unrated: 2,
  low: 2,
  medium: 3,
  high: 4,
  critical: 5,
  selected: 6,
  popup: 7,
};

/** Props that all marks have in common. */
interface MarkProps {
  map: LibraryMap;
  /** In the reading order of all marks. */
  order: number;
  /** The Tab key reaches it. */
  isCurrent: boolean;
  isSelected: boolean;
  keys: MarkKeys;
}

/** An event, or a cluster of events. Memoised, because most do not change when the rest of the map does. */
export const EventMark = memo(function EventMark({
  map,
  mark,
  order,
  isCurrent,
  isSelected,
  keys,
  onOpen,
}: MarkProps & { mark: Mark; onOpen: (mark: Mark) => void }) {
  return (
    <Placed map={map} at={mark} level={isSelected ? LEVELS.selected : LEVELS.events}>
      <button
        type="button"
        className={mark.kind === 'cluster' ? styles.cluster : styles.event}
        data-size={mark.kind === 'cluster' ? mark.size : undefined}
        data-selected={isSelected || undefined}
        aria-pressed={mark.kind === 'event' ? isSelected : undefined}
        aria-label={labelOf(mark)}
        data-order={order}
        tabIndex={isCurrent ? 0 : -1}
        {...keys}
        onClick={() => onOpen(mark)}
      >
        {mark.kind === 'cluster' && <span>{grouped(mark.count)}</span>}
      </button>
    </Placed>
  );
});

function labelOf(mark: Mark): string {
  if (mark.kind === 'event') return eventInWords(mark.event);
  return `${grouped(mark.count)} events, ${mark.partsAt() === null ? 'list them' : 'zoom in'}`;
}

export function IncidentMark({
  map,
  incident,
  shift,
  order,
  isCurrent,
  isSelected,
  keys,
  onSelect,
}: MarkProps & {
  incident: Incident;
  /** Away from the numeral that it would cover. */
  shift: [x: number, y: number] | undefined;
  onSelect: (id: string) => void;
}) {
  const { alert, at, staleSince } = incident;
  const grade = gradeOf(alert);

  return (
    <Placed map={map} at={at} shift={shift} level={isSelected ? LEVELS.selected : LEVELS[grade]}>
      <button
        type="button"
        className={styles.incident}
        data-fresh={staleSince ? 'stale' : undefined}
        data-selected={isSelected || undefined}
        aria-pressed={isSelected}
        aria-label={incidentInWords(incident, serverNow())}
        data-order={order}
        tabIndex={isCurrent ? 0 : -1}
        {...keys}
        onClick={() => onSelect(alert.event_id)}
      >
        <Severity grade={grade} wordless />
      </button>
    </Placed>
  );
}
