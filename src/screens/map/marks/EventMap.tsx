/** Events and disruptions on a map: the marks, their keys and the one popup. */
import 'mapbox-gl/dist/maplibre-gl.css'; // first, so that our own sheets override it
import type { EventsElsewhere } from '#contract/places/events.ts';
import { MinusIcon } from '@phosphor-icons/react/dist/csr/Minus';
import { PlusIcon } from '@phosphor-icons/react/dist/csr/Plus';
import type { Map as LibraryMap } from 'mapbox-gl';
import {
  type ReactNode,
  useCallback,
  useMemo,
  useRef,
  useState,
  memo,
  useLayoutEffect,
  type FocusEvent,
  type KeyboardEvent,
  type MouseEvent,
  useEffect,
} from 'react';
import { createPortal } from 'react-dom';
import type { Point } from '../../../api/alerts/geometry.ts';
import type { MapEvent } from '../../../api/places/events.ts';
import { TOWNS_ATTRIBUTION } from '../../../maps/land/ownDrawing.ts';
import { MIN_ZOOM, type MapView } from '../../../maps/basemap.ts';
import { clusters, inReadingOrder, type Mark, offNumerals } from '../clusters.ts';
import styles from './EventMap.module.css';
import { type Frame, widened, zoomInto } from '../../../maps/libraryMap.ts';
import { shapesOf } from '../../../maps/shapes.ts';
import { isDrawnBySoftware } from '../../../maps/softwareDrawing.ts';
import type { Incident } from '../incidents/useIncidents.ts';
import { useMap } from '../../../maps/useMap.ts';
import { gradeOf } from '../../../feeds/alerts/alerts.ts';
import { serverNow } from '../../../time/freshness.ts';
import { grouped } from '#contract/numbers.ts';
import { Severity } from '../../../ui/signs/Severity.tsx';
import { eventInWords } from '../events/eventWords.ts';
import { incidentInWords } from '../incidents/incidentWords.ts';

/** Marks are also made in a border of this share of the view on each side, so that a pan finds them in place. */
const MARGIN = 1 / 4;

interface MapProps {
  /** The map flies to this view when it changes, unless it shows that view already. */
  view: MapView;
  tileUrl: string;
  events: readonly MapEvent[];
  /** Further events, of which only the number and the rough place are known. */
  others?: readonly EventsElsewhere[];
  incidents: readonly Incident[];
  /** The id of a performance or of an incident. */
  selected: string | null;
  popup: { at: Point; label: string; content: ReactNode } | null;
  onMoved: (frame: Frame) => void;
  onSelectEvent: (performance: string) => void;
  onSelectIncident: (id: string) => void;
  /** Called when a cluster was opened that no zoom can split, because all its events are in one place. */
  onOpenPlace: (performances: string[]) => void;
  /** Called when this browser cannot draw a map. */
  onUnavailable: () => void;
}

/** A map. It is replaced by a new one when the browser stops drawing it and does not resume. */
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

  // This stays the same function for as long as possible, because a new one renders hundreds of marks again.
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
            {hasNoTiles && (
              <p
                className={styles.noTiles}
                style={{ zIndex: LEVELS.note }}
                data-text="small"
                data-tone="2"
                role="status"
              >
                Street map unavailable{' '}
                <span data-tone="3" data-block data-size="caption">
                  {TOWNS_ATTRIBUTION}
                </span>
              </p>
            )}
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
      <ZoomButtons map={map} />
    </>
  );
}

function ZoomButtons({ map }: { map: LibraryMap | null }) {
  return (
    <div className={styles.zoom} data-only="desk">
      <button type="button" data-press aria-label="Zoom in" onClick={() => map?.zoomIn()}>
        <PlusIcon weight="bold" aria-hidden />
      </button>
      <button type="button" data-press aria-label="Zoom out" onClick={() => map?.zoomOut()}>
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
  note: 7,
  popup: 8,
};

/** Props of all marks. */
interface MarkProps {
  map: LibraryMap;
  /** In the reading order of all marks. */
  order: number;
  /** True: the Tab key reaches this mark. */
  isCurrent: boolean;
  isSelected: boolean;
  keys: MarkKeys;
}

/** An event, or a cluster of events. Memoised, because most of them do not change when the rest of the map does. */
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
  /** How far it is moved away from the number that it would cover. */
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

/** Keeps a popup clear of the ring of its mark. */
const POPUP_OFFSET_PX = 44;
const POPUP_HALF_HEIGHT_PX = 110;

type Side = 'left' | 'right' | 'top' | 'bottom';

/** The side with more room, unless the popup would cross an edge there. */
function sideOf(map: LibraryMap, { latitude, longitude }: Point): Side {
  const { x, y } = map.project([longitude, latitude]);
  const { clientWidth, clientHeight } = map.getContainer();
  if (y < POPUP_HALF_HEIGHT_PX) return 'bottom';
  if (y > clientHeight - POPUP_HALF_HEIGHT_PX) return 'top';
  return x > clientWidth / 2 ? 'left' : 'right';
}

/** How an element beside a point is moved: by a share of its own size, and by pixels. */
const PLACEMENT: Record<Side, { anchor: string; offset: [x: number, y: number] }> = {
  left: { anchor: '-100%, -50%', offset: [-POPUP_OFFSET_PX, 0] },
  right: { anchor: '0, -50%', offset: [POPUP_OFFSET_PX, 0] },
  top: { anchor: '-50%, -100%', offset: [0, -POPUP_OFFSET_PX] },
  bottom: { anchor: '-50%, 0', offset: [0, POPUP_OFFSET_PX] },
};

const ON_PLACE: (typeof PLACEMENT)[Side] = { anchor: '-50%, -50%', offset: [0, 0] };
const NO_SHIFT: [x: number, y: number] = [0, 0];

/** Its children at a geographical point. The library's marker is not used: each one needs a portal, and React adds
 *  listeners for about eighty kinds of events to every portal, which was most of the work of a zoom. */
function Placed({
  map,
  at: { latitude, longitude },
  shift: [right, down] = NO_SHIFT,
  level,
  beside,
  children,
}: {
  map: LibraryMap;
  at: Point;
  /** Pixels, right and down. */
  shift?: [x: number, y: number] | undefined;
  /** The mark with the higher level is on top of another. */
  level: number;
  /** Next to the point, not on it. */
  beside?: Side;
  children: ReactNode;
}) {
  const element = useRef<HTMLDivElement>(null);

  useLayoutEffect(() => {
    const { anchor, offset } = beside ? PLACEMENT[beside] : ON_PLACE;
    const place = (event?: { type: string }) => {
      const { x, y } = map.project([longitude, latitude]);
      // A moving element can be between two pixels. At rest it is on a whole one, so that it is sharp.
      const on = event?.type === 'move' ? (value: number) => value : Math.round;
      element.current!.style.transform = `translate(${on(x + offset[0] + right)}px, ${on(y + offset[1] + down)}px) translate(${anchor})`;
    };
    place();
    map.on('move', place);
    map.on('moveend', place);
    return () => {
      map.off('move', place);
      map.off('moveend', place);
    };
  }, [map, latitude, longitude, right, down, beside]);

  return (
    <div ref={element} className={styles.placed} style={{ zIndex: level }}>
      {children}
    </div>
  );
}

/** The handlers of all marks, which stay the same while the map exists. */
interface MarkKeys {
  onFocus: (event: FocusEvent<HTMLButtonElement>) => void;
  onKeyDown: (event: KeyboardEvent<HTMLButtonElement>) => void;
  onMouseDown: (event: MouseEvent) => void;
  onDoubleClick: (event: MouseEvent) => void;
}

const orderOf = (button: HTMLButtonElement) => Number(button.dataset['order']);

/** Makes all marks together one tab stop. The arrow keys, Home and End move between them in reading order. When the
 *  mark with the focus is removed, the map gets the focus. */
function useRovingFocus(
  container: React.RefObject<HTMLDivElement | null>,
  map: LibraryMap | null,
  count: number,
): {
  /** The place in the order of the mark that the Tab key reaches. */
  current: number;
  keys: MarkKeys;
} {
  const [current, setCurrent] = useState(0);

  useEffect(() => {
    const element = container.current;
    if (!map || !element) return;
    const keepFocus = new MutationObserver(() => {
      if (document.activeElement === document.body && hadFocus)
        map.getCanvas().focus({ preventScroll: true });
      hadFocus = element.contains(document.activeElement);
    });
    let hadFocus = false;
    const note = () => {
      hadFocus = element.contains(document.activeElement);
    };
    keepFocus.observe(map.getCanvasContainer(), { childList: true });
    document.addEventListener('focusin', note);
    return () => {
      keepFocus.disconnect();
      document.removeEventListener('focusin', note);
    };
  }, [container, map]);

  const keys = useMemo(
    (): MarkKeys => ({
      onFocus: (event) => setCurrent(orderOf(event.currentTarget)),
      onKeyDown: go,
      onMouseDown: (event) => event.preventDefault(), // a click does not move the focus
      onDoubleClick: (event) => event.stopPropagation(),
    }),
    [],
  );
  return { current: Math.min(current, count - 1), keys }; // there can be fewer marks than before
}

function go(event: KeyboardEvent<HTMLButtonElement>) {
  const marks = event.currentTarget.parentElement?.parentElement; // each has its own positioned parent
  const buttons = [...(marks?.querySelectorAll<HTMLButtonElement>('button[data-order]') ?? [])].sort(
    (a, b) => orderOf(a) - orderOf(b),
  );
  const order = orderOf(event.currentTarget);
  const to = {
    ArrowRight: order + 1,
    ArrowDown: order + 1,
    ArrowLeft: order - 1,
    ArrowUp: order - 1,
    Home: 0,
    End: buttons.length - 1,
  }[event.key];
  if (to === undefined) return;
  event.preventDefault();
  event.stopPropagation(); // otherwise the map would pan too
  buttons[Math.max(0, Math.min(buttons.length - 1, to))]?.focus();
}
