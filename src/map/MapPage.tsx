import { pageAddressOf } from '#contract/addresses.ts';
import { TrafficConeIcon } from '@phosphor-icons/react/dist/csr/TrafficCone';
import {
  type ReactNode,
  useCallback,
  useDeferredValue,
  useEffect,
  useEffectEvent,
  useMemo,
  useRef,
  useState,
} from 'react';
import { Link } from 'wouter';
import { useNavigate, usePath, useSearch } from '../addresses/useAddress.ts';
import { listCategories, type MapEvent } from '../api/events.ts';
import type { Place } from '../api/geocode.ts';
import { runtimeConfig, useRuntimeConfig } from '../api/runtimeConfig.ts';
import { sinceText, titleOf } from '../feeds/alerts.ts';
import { serverNow } from '../time/freshness.ts';
import { useTrackView } from '../session/useTrackView.ts';
import { Button } from '../ui/Button.tsx';
import { counted, grouped } from '../ui/numbers.ts';
import { Notice } from '../ui/Notice.tsx';
import { Severity } from '../ui/Severity.tsx';
import { TempSign } from '../ui/TempSign.tsx';
import { Attribution } from './Attribution.tsx';
import { boundsAround } from './basemap.ts';
import { pointOf } from './clusters.ts';
import { EventList } from './EventList.tsx';
import type { EventMap as EventMapComponent, Frame } from './EventMap.tsx';
import { eventName, startText } from './eventWords.ts';
import { IncidentList } from './IncidentList.tsx';
import { phaseText } from './incidentWords.ts';
import { LocationSearch } from './LocationSearch.tsx';
import {
  addressOf,
  DATE_RANGES,
  type DateRange,
  datesOf,
  filtersOf,
  resetMapFilters,
  setCategory,
  setDateRange,
  setDisruptions,
  setView,
  useMapFilters,
} from './mapFilters.ts';
import styles from './MapPage.module.css';
import { placeZoom } from './placeZoom.ts';
import { Unplaced } from './Unplaced.tsx';
import { useIncidents } from './useIncidents.ts';
import { type EventsInView, useViewportEvents } from './useViewportEvents.ts';

type Selected = { kind: 'event' | 'incident'; id: string } | null;

/** The height assumed before the map has been drawn. */
const USUAL_HEIGHT_PX = 700;

/** Search and filters, the events of the view in a list, and the map beside it. */
export function MapPage() {
  useTrackView('map_viewed');
  useAddress();
  const filters = useMapFilters();
  const { tile_url, tile_attribution } = useRuntimeConfig();
  const categories = useCategories(filters.category);
  const map = useEventMap();
  const [frame, setFrame] = useState<Frame | null>(null);
  const [selected, setSelected] = useState<Selected>(null);
  /** The events of one place, when a cluster there was opened. */
  const [onlyThese, setOnlyThese] = useState<readonly string[] | null>(null);
  const [placeAttribution, setPlaceAttribution] = useState<string | null>(null);
  const [resets, setResets] = useState(0);
  const [folded, setFolded] = useState(false);

  const bounds = map.state === 'failed' ? boundsAround(filters.view) : (frame?.bounds ?? null);
  const { category, dateRange } = filters;
  const { view, loading } = useViewportEvents(
    bounds && { bounds, category, dates: datesOf(dateRange, serverNow()) },
  );
  const incidents = useIncidents(filters.disruptions ? bounds : null);
  const scroll = useRef<HTMLDivElement>(null);
  const events = view.state === 'ready' ? view.events : NO_EVENTS;
  const shownIncidents = incidents.state === 'ready' ? incidents.incidents : NO_INCIDENTS;

  const selectedEvent =
    selected?.kind === 'event' ? events.find((one) => one.performance_id === selected.id) : undefined;
  const selectedIncident =
    selected?.kind === 'incident'
      ? shownIncidents.find(({ alert }) => alert.event_id === selected.id)
      : undefined;
  // An item that is no longer in a refreshed result is deselected.
  const isAnswered =
    selected?.kind === 'event'
      ? view.state !== 'loading' && !loading
      : incidents.state === 'ready' && incidents.covers !== 'partYet';
  if (selected && isAnswered && !selectedEvent && !selectedIncident) setSelected(null);

  useEscape(selected ? () => setSelected(null) : null);

  const here = useMemo(
    () => onlyThese && events.filter(({ performance_id }) => onlyThese.includes(performance_id)),
    [onlyThese, events],
  );
  if (onlyThese && here?.length === 0 && !loading) setOnlyThese(null);
  // Hundreds of rows are rendered between frames, after the marks.
  const listed = useDeferredValue(here ?? events);

  // A new list starts at its top, unless it contains the open row.
  const read = useRef(events);
  const hasOpenRow = selectedEvent !== undefined;
  useEffect(() => {
    if (read.current === events) return;
    read.current = events;
    if (!hasOpenRow) scroll.current?.scrollTo(0, 0);
  }, [events, hasOpenRow]);

  const select = useCallback(
    (kind: 'event' | 'incident', id: string) =>
      setSelected((now) => (now?.kind === kind && now.id === id ? null : { kind, id })),
    [],
  );
  const selectEvent = useCallback((id: string) => select('event', id), [select]);

  function goTo({ latitude, longitude, ...place }: Place) {
    setView({ latitude, longitude, zoom: placeZoom(place, frame?.height ?? USUAL_HEIGHT_PX) });
  }

  function reset() {
    resetMapFilters();
    setSelected(null);
    setOnlyThese(null);
    setResets(resets + 1); // empties the search
  }

  const popup = selectedEvent
    ? at(pointOf(selectedEvent), <EventPopup event={selectedEvent} />)
    : selectedIncident
      ? at(
          selectedIncident.at,
          <>
            <h2>{titleOf(selectedIncident.alert)}</h2>
            <p>{phaseText(selectedIncident)}</p>
          </>,
        )
      : null;

  const status = <MapStatus view={view} loading={loading} />;

  return (
    <div className={styles.page}>
      <div className={styles.tools} role="search">
        <LocationSearch key={resets} onPick={goTo} onAttribution={setPlaceAttribution} />
        <select
          aria-label="Category"
          className={styles.select}
          value={category ?? ''}
          onChange={({ target }) => setCategory(target.value || null)}
        >
          <option value="">All categories</option>
          {categories.map((name) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </select>
        <select
          aria-label="Dates"
          className={styles.select}
          value={dateRange}
          onChange={({ target }) => setDateRange(target.value as DateRange)} // its options are the ranges
        >
          {DATE_RANGES.map(([range, words]) => (
            <option key={range} value={range}>
              {words}
            </option>
          ))}
        </select>
        <Button
          className={styles.layer}
          aria-pressed={filters.disruptions}
          onClick={() => setDisruptions(!filters.disruptions)}
        >
          <TrafficConeIcon weight="bold" aria-hidden />
          <span>Disruptions</span>
        </Button>
        <Button onClick={reset}>Reset</Button>
      </div>

      <div className={styles.split} data-map={map.state === 'failed' ? 'none' : undefined}>
        <section className={styles.list} aria-labelledby="events-in-view">
          <header>
            <h1 id="events-in-view">Events in view</h1>
            <p>Soonest first</p>
          </header>
          <div className={styles.scroll} ref={scroll}>
            {map.state === 'failed' && (
              <div className={styles.note}>
                <TempSign>{map.reason} The list works without it.</TempSign>
                {status}
              </div>
            )}
            <Notes view={view} />
            {here && (
              <p className={styles.here}>
                {counted(here.length, 'event')} in one place{' '}
                <Button small onClick={() => setOnlyThese(null)}>
                  Show all
                </Button>
              </p>
            )}
            {incidents.state !== 'off' && (
              <div className={styles.incidents}>
                <details open={!folded} onToggle={({ currentTarget }) => setFolded(!currentTarget.open)}>
                  <summary>
                    Disruptions in view
                    {incidents.state === 'ready' &&
                      incidents.covers === 'all' &&
                      `: ${incidents.incidents.length}`}
                  </summary>
                  {!folded && (
                    <IncidentList
                      found={incidents}
                      selected={selectedIncident?.alert.event_id}
                      onSelect={(id) => select('incident', id)}
                    />
                  )}
                </details>
                {folded && incidents.state === 'ready' && (
                  <div className={styles.unplaced}>
                    <Unplaced count={incidents.withoutPosition ?? 0} sources={incidents.sources} />
                  </div>
                )}
              </div>
            )}
            {view.state === 'ready' && events.length === 0 && !loading && (
              <div className={styles.empty}>
                <h2>No events in view</h2>
                <p>Try adjusting the map or updating your filters.</p>
              </div>
            )}
            <EventList
              events={listed}
              selected={selectedEvent?.performance_id ?? null}
              onSelect={selectEvent}
            />
          </div>
        </section>

        {map.state !== 'failed' && (
          <section className={styles.map} aria-label="Map">
            <div className={styles.bar}>{status}</div>
            <div className={styles.canvas}>
              {map.state === 'ready' && (
                <map.EventMap
                  view={filters.view}
                  tileUrl={tile_url}
                  events={events}
                  incidents={shownIncidents}
                  selected={selectedEvent?.performance_id ?? selectedIncident?.alert.event_id ?? null}
                  popup={popup}
                  onMoved={(next) => {
                    setFrame(next);
                    setView(next.view);
                  }}
                  onSelectEvent={selectEvent}
                  onSelectIncident={(id) => select('incident', id)}
                  onOpenPlace={setOnlyThese}
                  onUnavailable={map.giveUp}
                />
              )}
            </div>
            <div className={styles.foot}>
              <Attribution texts={[tile_attribution, placeAttribution]} />
              <MapKey severities={filters.disruptions} />
            </div>
          </section>
        )}
      </div>
    </div>
  );
}

const NO_EVENTS: MapEvent[] = [];
const NO_INCIDENTS: never[] = [];

const at = (point: ReturnType<typeof pointOf>, content: ReactNode) => point && { at: point, content };

/** The counts, or why there are none: in one place, beside a map that does not change. */
function MapStatus({ view, loading }: { view: EventsInView; loading: boolean }) {
  if (loading || view.state === 'loading') {
    return (
      <p className={styles.plate} role="status">
        Loading events…
      </p>
    );
  }
  if (view.state === 'failed') {
    return (
      <div className={styles.plate} data-failed>
        <Notice>{view.message}</Notice>
        <p>Try moving the map or adjusting filters.</p>
      </div>
    );
  }
  const results = view.events.length;
  return (
    <p className={styles.plate} role="status">
      <span>{counted(view.total, 'event')}</span>
      <span>
        {counted(results, 'result')} {view.total > results ? 'shown' : 'on the map'}
      </span>
    </p>
  );
}

function Notes({ view }: { view: EventsInView }) {
  if (view.state !== 'ready') return null;
  const { events, total, savedAt } = view;

  return (
    <>
      {savedAt && (
        <div className={styles.note} role="status">
          <TempSign>Showing events saved at {sinceText(savedAt, serverNow())}</TempSign>
        </div>
      )}
      {total > events.length && (
        <p className={styles.remark}>
          {grouped(events.length)} of {grouped(total)} events, spread over the view. Zoom in or choose filters
          to see more.
        </p>
      )}
      {events.some(({ is_sample }) => is_sample) && (
        <p className={styles.remark}>
          {events.every(({ is_sample }) => is_sample)
            ? 'Sample data: these events do not take place.'
            : 'Some of these events are sample data and do not take place.'}
        </p>
      )}
    </>
  );
}

function EventPopup({ event }: { event: MapEvent }) {
  return (
    <>
      <h2>{eventName(event)}</h2>
      <p>{event.venue_name}</p>
      <p>{startText(event)}</p>
      <Link href={pageAddressOf('event', event.event_id)}>View details</Link>
    </>
  );
}

function MapKey({ severities }: { severities: boolean }) {
  return (
    <div className={styles.key}>
      {severities && (
        <p>
          <Severity grade="critical" /> <Severity grade="high" /> <Severity grade="medium" />{' '}
          <Severity grade="low" />
        </p>
      )}
      <p>
        {CLUSTER_KEY.map(({ words, rings }) => (
          <span key={words}>
            <svg viewBox="0 0 34 34" aria-hidden="true" data-rings={rings.length}>
              <circle cx="17" cy="17" r="9" />
              {rings.map((radius) => (
                <circle key={radius} cx="17" cy="17" r={radius} className={styles.ring} />
              ))}
            </svg>{' '}
            {words}
          </span>
        ))}
      </p>
    </div>
  );
}

const CLUSTER_KEY = [
  { words: 'under 10', rings: [] },
  { words: 'under 100', rings: [12] },
  { words: '100 and over', rings: [12, 15.5] },
];

type MapState =
  | { state: 'loading' }
  | { state: 'ready'; EventMap: typeof EventMapComponent }
  | { state: 'failed'; reason: string };

/** The map with its library. The library loads while the rest of the page already shows. The map also waits for the
 *  runtime configuration, which has the address of the tiles. */
function useEventMap(): MapState & { giveUp: () => void } {
  const [map, setMap] = useState<MapState>({ state: 'loading' });

  useEffect(() => {
    let gone = false;
    Promise.all([import('./EventMap.tsx'), runtimeConfig()]).then(
      ([{ EventMap }]) => gone || setMap({ state: 'ready', EventMap }),
      () => gone || setMap({ state: 'failed', reason: 'The map could not be loaded.' }),
    );
    return () => {
      gone = true;
    };
  }, []);

  return {
    ...map,
    giveUp: () => setMap({ state: 'failed', reason: 'This browser cannot draw the map: it has no WebGL2.' }),
  };
}

/** Calls `act` on Escape, unless a component has handled the key itself and prevented its default. */
function useEscape(act: (() => void) | null) {
  const escape = useEffectEvent((event: KeyboardEvent) => {
    if (event.key === 'Escape' && !event.defaultPrevented) act?.();
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => escape(event);
    window.addEventListener('keydown', listener);
    return () => window.removeEventListener('keydown', listener);
  }, []);
}

/** The filters are in the address too. Filters in an address take precedence over remembered ones. */
function useAddress() {
  const navigate = useNavigate();
  const path = usePath();
  const search = useSearch();
  const open = search ? `${path}?${search}` : path;
  const written = useRef<string | null>(null);
  const address = useMapFilters(addressOf);

  useEffect(() => {
    const asked = open === written.current ? null : filtersOf(search);
    written.current = open;
    if (asked) {
      useMapFilters.setState(asked, true);
      return;
    }
    if (address === open) return;
    written.current = address;
    navigate(address, { replace: true });
  }, [open, search, address, navigate]);
}

/** The server's categories. The chosen one is always included, even when the server cannot be reached. */
function useCategories(chosen: string | null): string[] {
  const [names, setNames] = useState<string[]>([]);
  useEffect(() => {
    const stop = new AbortController();
    listCategories(stop.signal).then(setNames, () => {
      /* without them there is one choice: all */
    });
    return () => stop.abort();
  }, []);
  return useMemo(
    () => [...new Set(chosen === null ? names : [...names, chosen])].sort((a, b) => a.localeCompare(b)),
    [names, chosen],
  );
}
