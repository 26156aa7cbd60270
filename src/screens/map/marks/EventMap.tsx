/** Events and disruptions on a map: the marks, their keys and the one popup. */
import 'mapbox-gl/dist/maplibre-gl.css'; // first, so that our own sheets override it
import type { EventsElsewhere } from '#contract/places/events.ts';
import { MinusIcon } from '@phosphor-icons/react/dist/csr/Minus';
import { PlusIcon } from '@phosphor-icons/react/dist/csr/Plus';
import type { Map as LibraryMap } from 'mapbox-gl';
import { type ReactNode, useCallback, useMemo, useRef, useState, memo } from 'react';
import { createPortal } from 'react-dom';
import type { Point } from '../../../api/alerts/bounds.ts';
import type { MapEvent } from '../../../api/places/events.ts';
import { TOWNS_ATTRIBUTION } from '../../../maps/land/ownDrawing.ts';
import { MIN_ZOOM, type MapView } from '../../../maps/basemap.ts';
import { clusters, inReadingOrder, type Mark, offNumerals } from '../clusters.ts';
import styles from './EventMap.module.css';
import { type Frame, widened, zoomInto } from '../../../maps/libraryMap.ts';
import { useRovingFocus, type MarkKeys } from './markKeys.ts';
import { Placed, sideOf } from './Placed.tsx';
import { shapesOf } from '../../../maps/shapes.ts';
import { isDrawnBySoftware } from '../../../maps/softwareDrawing.ts';
import type { Incident } from '../incidents/useIncidents.ts';
import { useMap } from '../../../maps/useMap.ts';
import { gradeOf } from '../../../feeds/alerts/alerts.ts';
import { serverNow } from '../../../time/freshness.ts';
import { grouped } from '../../../ui/numbers.ts';
import { Severity } from '../../../ui/signs/Severity.tsx';
import { eventInWords } from '../events/eventWords.ts';
import { incidentInWords } from '../incidents/incidentWords.ts';

/** Marks are made this share of the view beyond it on each side, so that a pan finds them in place. */
const MARGIN = 1 / 4;

interface MapProps {
  /** The map flies there when this changes to a view that it does not show already. */
  view: MapView;
  tileUrl: string;
  events: readonly MapEvent[];
  /** More events, of which only the number and the rough place are known. */
  others?: readonly EventsElsewhere[];
  incidents: readonly Incident[];
  /** The id of a performance or of an incident. */
  selected: string | null;
  popup: { at: Point; label: string; content: ReactNode } | null;
  onMoved: (frame: Frame) => void;
  onSelectEvent: (performance: string) => void;
  onSelectIncident: (id: string) => void;
  /** A cluster was opened that no zoom can split: its events are all in one place. */
  onOpenPlace: (performances: string[]) => void;
  /** This browser cannot draw a map. */
  onUnavailable: () => void;
}

/** A map, replaced by a new one when the browser stops drawing it and does not resume. */
export function EventMap(props: MapProps) {
  const [generation, setGeneration] = useState(0);
  return <DrawnMap key={generation} {...props} onGone={() => setGeneration(generation + 1)} />;
}

function DrawnMap({
  view,
  tileUrl,
  events,
  others,
  incidents,
  selected,
  popup,
  onMoved,
  onSelectEvent,
  onSelectIncident,
  onOpenPlace,
  onUnavailable,
  onGone,
}: MapProps & { onGone: () => void }) {
  const container = useRef<HTMLDivElement>(null);
  const { map, frame, isLost, hasNoTiles } = useMap(container, {
    view,
    tileUrl,
    shapes: useMemo(() => shapesOf(incidents, selected), [incidents, selected]),
    onMoved,
    onUnavailable,
    onGone,
  });
  const index = useMemo(() => clusters(events, others), [events, others]);
  const marks = useMemo(
    () => (frame ? inReadingOrder(index.within(widened(frame.bounds, MARGIN), frame.zoom)) : []),
    [index, frame],
  );
  const shifts = useMemo(
    () =>
      new Map(
        incidents.map(({ alert, at }) => [alert.event_id, offNumerals(at, marks, frame?.zoom ?? MIN_ZOOM)]),
      ),
    [incidents, marks, frame],
  );
  const { current, keys } = useRovingFocus(container, map, marks.length + incidents.length);

  // Kept the same function for as long as possible: a new one renders hundreds of marks again.
  const open = useCallback(
    (mark: Mark) => {
      if (mark.kind === 'event') return onSelectEvent(mark.id);
      const zoom = mark.partsAt();
      if (zoom === null) return onOpenPlace(mark.members());
      if (map) zoomInto(map, mark, zoom);
    },
    [map, onSelectEvent, onOpenPlace],
  );

  return (
    <>
      <div ref={container} className={styles.map} data-software={isDrawnBySoftware() || undefined} />
      {map &&
        createPortal(
          <>
            {marks.map((mark, order) => (
              <EventMark
                key={mark.id}
                map={map}
                mark={mark}
                order={order}
                isCurrent={order === current}
                isSelected={
                  selected !== null &&
                  (mark.kind === 'cluster' ? mark.members().includes(selected) : mark.id === selected)
                }
                keys={keys}
                onOpen={open}
              />
            ))}
            {incidents.map((incident, order) => (
              <IncidentMark
                key={incident.alert.event_id}
                map={map}
                incident={incident}
                shift={shifts.get(incident.alert.event_id)}
                order={marks.length + order}
                isCurrent={marks.length + order === current}
                isSelected={selected === incident.alert.event_id}
                keys={keys}
                onSelect={onSelectIncident}
              />
            ))}
            {popup && (
              <Placed
                map={map}
                at={popup.at}
                shift={shifts.get(selected ?? '')}
                level={LEVELS.popup}
                beside={sideOf(map, popup.at)}
              >
                <div
                  className={styles.popup}
                  data-side={sideOf(map, popup.at)}
                  role="dialog"
                  aria-label={popup.label}
                >
                  {popup.content}
                </div>
              </Placed>
            )}
          </>,
          map.getCanvasContainer(),
        )}
      {isLost && (
        <p className={styles.lost} role="status">
          The browser stopped drawing the map. It is being drawn again.
        </p>
      )}
      {hasNoTiles && (
        <p className={styles.noTiles} role="status">
          Street map unavailable <span>{TOWNS_ATTRIBUTION}</span>
        </p>
      )}
      <ZoomButtons map={map} />
    </>
  );
}

function ZoomButtons({ map }: { map: LibraryMap | null }) {
  return (
    <div className={styles.zoom}>
      <button type="button" aria-label="Zoom in" onClick={() => map?.zoomIn()}>
        <PlusIcon weight="bold" aria-hidden />
      </button>
      <button type="button" aria-label="Zoom out" onClick={() => map?.zoomOut()}>
        <MinusIcon weight="bold" aria-hidden />
      </button>
    </div>
  );
}

/** The worst severity is on top. */
const LEVELS = {
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
const EventMark = memo(function EventMark({
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

function IncidentMark({
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
