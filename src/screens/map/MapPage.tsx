import { pageAddressOf } from '#contract/addresses.ts';
import { useDeferredValue, useEffect, useMemo, useRef, useState, useEffectEvent, useId } from 'react';
import { Link } from 'wouter';
import type { MapEvent } from '../../api/places/events.ts';
import type { Place } from '../../api/places/geocode.ts';
import { useRuntimeConfig, runtimeConfig } from '../../api/runtimeConfig.ts';
import { useAnswer } from '../../api/useAnswer.ts';
import { useTrackView } from '../../api/accounts/analytics.ts';
import { useClock } from '../../time/tickingClock.ts';
import { serverNow } from '../../time/freshness.ts';
import { Button } from '../../ui/controls/Button.tsx';
import { counted, grouped } from '#contract/numbers.ts';
import { ProductSign } from '../../ui/signs/ProductSign.tsx';
import { boundsAround } from '../../maps/basemap.ts';
import { pointOf } from './clusters.ts';
import { EventList } from './events/EventList.tsx';
import { eventName, startText } from './events/eventWords.ts';
import { IncidentPanel } from './incidents/IncidentList.tsx';
import { AlertLink } from './incidents/IncidentRow.tsx';
import { headOf } from '../../feeds/alerts/titles.ts';
import { approximateText, phaseText } from './incidents/incidentWords.ts';
import type { Frame } from '../../maps/libraryMap.ts';
import { datesOf, setView, useMapFilters, useMapAddress, type Selected, setSelected } from './mapFilters.ts';
import styles from './MapPage.module.css';
import { MapTools } from './MapTools.tsx';
import { placeZoom } from './marks/placeZoom.ts';
import { type Incident, useAwake, useIncidents } from './incidents/useIncidents.ts';
import { useViewportEvents, type EventsInView } from './events/useViewportEvents.ts';
import type { EventMap as EventMapComponent } from './marks/EventMap.tsx';
import { Severity } from '../../ui/signs/Severity.tsx';
import { sinceText } from '../../feeds/alerts/alerts.ts';
import { Empty } from '../../ui/page/Empty.tsx';
import { Notice } from '../../ui/signs/Notice.tsx';
import { InfoIcon } from '@phosphor-icons/react/dist/csr/Info';

/** The height assumed before the map has been drawn. */
const USUAL_HEIGHT_PX = 700;

/** Search and filters, the events of the view in a list, and the map beside it. */
export function MapPage() {
  useTrackView('map_viewed');
  useMapAddress();
  const filters = useMapFilters();
  const { tile_url, tile_attribution } = useRuntimeConfig();
  const map = useEventMap();
  const [frame, setFrame] = useState<Frame | null>(null);
  /** The events of one place, when a cluster there was opened. */
  const [onlyThese, setOnlyThese] = useState<readonly string[] | null>(null);
  const [placeAttribution, setPlaceAttribution] = useState<string | null>(null);

  const bounds = map.state === 'failed' ? boundsAround(filters.view) : (frame?.bounds ?? null);
  const { category, dateRange } = filters;
  const { view, loading } = useViewportEvents(
    filters.events && bounds ? { bounds, category, dates: datesOf(dateRange, serverNow()) } : null,
  );
  const incidents = useIncidents(filters.disruptions ? bounds : null);
  const scroll = useRef<HTMLDivElement>(null);
  const events = filters.events && view.state === 'ready' ? view.events : NO_EVENTS;
  const shownIncidents = incidents.state === 'ready' ? incidents.incidents : NO_INCIDENTS;

  const selected = useSelection({
    events,
    eventsAnswered: view.state !== 'loading' && !loading,
    incidents: shownIncidents,
    incidentsAnswered: incidents.state === 'ready' && incidents.covers !== 'partYet',
  });

  const awake = useAwake(incidents, selected.incident?.alert.event_id);

  const here = useMemo(
    () => onlyThese && events.filter(({ performance_id }) => onlyThese.includes(performance_id)),
    [onlyThese, events],
  );
  if (onlyThese && here?.length === 0 && !loading) setOnlyThese(null);
  // Hundreds of rows are rendered between frames, after the marks.
  const listed = useDeferredValue(here ?? events);

  // A new list starts at its top, unless it contains the open row.
  const read = useRef(events);
  const hasOpenRow = selected.event !== undefined;
  useEffect(() => {
    if (read.current === events) return;
    read.current = events;
    if (!hasOpenRow) scroll.current?.scrollTo(0, 0);
  }, [events, hasOpenRow]);

  function goTo({ latitude, longitude, ...place }: Place) {
    setView({ latitude, longitude, zoom: placeZoom(place, frame?.height ?? USUAL_HEIGHT_PX) });
  }

  const status = <MapStatus view={filters.events ? view : { state: 'off' }} loading={loading} />;

  return (
    <div className={styles.page}>
      <MapTools onPick={goTo} onAttribution={setPlaceAttribution} onReset={() => setOnlyThese(null)} />

      <div className={styles.split} data-map={map.state === 'failed' ? 'none' : undefined}>
        <section className={styles.list} aria-labelledby="events-in-view">
          <div className={styles.scroll} ref={scroll}>
            {map.state === 'failed' && (
              <div className={styles.note}>
                <ProductSign>{map.reason} The list works without it.</ProductSign>
                {status}
              </div>
            )}
            <IncidentPanel
              found={awake}
              all={shownIncidents}
              selected={selected.incident?.alert.event_id}
              onSelect={selectIncident}
            />
            <header className={styles.head} data-split>
              <h1 data-size="h3" id="events-in-view">
                Events in view
              </h1>
              <p data-text="small" data-tone="2">
                {filters.events ? 'Soonest first' : 'Switched off'}
              </p>
            </header>
            {filters.events && <Notes view={view} />}
            {here && (
              <p className={styles.here} data-split data-text="strong">
                {counted(here.length, 'event')} in one place{' '}
                <Button small onClick={() => setOnlyThese(null)}>
                  Show all
                </Button>
              </p>
            )}
            {filters.events && view.state === 'ready' && events.length === 0 && !loading && (
              <div className={styles.empty}>
                <Empty heading="No events in view">
                  <p>Try adjusting the map or updating your filters.</p>
                </Empty>
              </div>
            )}
            <EventList
              events={listed}
              selected={selected.event?.performance_id ?? null}
              onSelect={selectEvent}
            />
          </div>
        </section>

        {map.state !== 'failed' && (
          <section className={styles.map} aria-label="Map">
            <div className={styles.bar} data-line="0">
              {status}
            </div>
            <div className={styles.canvas}>
              {map.state === 'ready' && (
                <map.EventMap
                  view={filters.view}
                  tileUrl={tile_url}
                  events={events}
                  others={filters.events && view.state === 'ready' ? view.others : NONE}
                  incidents={awake.state === 'ready' ? awake.incidents : NO_INCIDENTS}
                  selected={selected.id}
                  popup={popupOf(selected)}
                  onMoved={(next) => {
                    setFrame(next);
                    setView(next.view);
                  }}
                  onSelectEvent={selectEvent}
                  onSelectIncident={selectIncident}
                  onOpenPlace={setOnlyThese}
                  onUnavailable={map.giveUp}
                />
              )}
            </div>
            <div className={styles.foot} data-split="0">
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
const NONE: never[] = [];

/** The popup beside the mark of the selected thing; null when it has no place. */
function popupOf({ event, incident }: Pick<ReturnType<typeof useSelection>, 'event' | 'incident'>) {
  const at = event ? pointOf(event) : incident?.at;
  if (!at) return null;
  return {
    at,
    label: event ? 'Selected event' : 'Selected disruption',
    content: event ? <EventPopup event={event} /> : incident && <IncidentPopup {...incident} />,
  };
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

function IncidentPopup(incident: Incident) {
  const { alert } = incident;
  const { place, effect } = headOf(alert);
  const when = useClock((now) => phaseText(incident, now));
  const approximate = approximateText(alert);
  return (
    <>
      <h2>{place}</h2>
      {effect && <p>{effect}</p>}
      <p>{when}</p>
      {approximate && <p>{approximate}</p>}
      <AlertLink alert={alert} />
    </>
  );
}

type MapState =
  | { state: 'loading' }
  | { state: 'ready'; EventMap: typeof EventMapComponent }
  | { state: 'failed'; reason: string };

/** The map with its library. The library loads while the rest of the page already shows. The map also waits for the
 *  runtime configuration, which has the address of the tiles. */
function useEventMap(): MapState & { giveUp: () => void } {
  const [isGivenUp, setGivenUp] = useState(false);
  const { data: EventMap, failure } = useAnswer(
    'map',
    async () => (await Promise.all([import('./marks/EventMap.tsx'), runtimeConfig()]))[0].EventMap,
    'The map could not be loaded.',
  );
  const giveUp = () => setGivenUp(true);
  const reason = isGivenUp ? 'This browser cannot draw the map: it has no WebGL2.' : failure;
  if (reason !== null) return { state: 'failed', reason, giveUp };
  return EventMap ? { state: 'ready', EventMap, giveUp } : { state: 'loading', giveUp };
}

/** The one event or disruption that is selected on the map and in the list, and named in the address. It is
 *  deselected by selecting it again, by Escape, and by an answer without it. */
function useSelection({
  events,
  eventsAnswered,
  incidents,
  incidentsAnswered,
}: {
  events: readonly MapEvent[];
  /** True: these are the whole answer for the view. */
  eventsAnswered: boolean;
  incidents: readonly Incident[];
  incidentsAnswered: boolean;
}) {
  const selected = useMapFilters((filters) => filters.selected);
  const event =
    selected?.kind === 'event' ? events.find((one) => one.performance_id === selected.id) : undefined;
  const incident =
    selected?.kind === 'alert' ? incidents.find(({ alert }) => alert.event_id === selected.id) : undefined;

  const isAnswered = selected?.kind === 'event' ? eventsAnswered : incidentsAnswered;
  const isGone = selected !== null && isAnswered && !event && !incident;
  useEffect(() => {
    if (isGone) clear();
  }, [isGone]);
  useEscape(selected ? clear : null);

  return {
    event,
    incident,
    id: event?.performance_id ?? incident?.alert.event_id ?? null,
  };
}

const select = (kind: NonNullable<Selected>['kind'], id: string) => {
  const { selected } = useMapFilters.getState();
  setSelected(selected?.kind === kind && selected.id === id ? null : { kind, id });
};
const selectEvent = (id: string) => select('event', id);
const selectIncident = (id: string) => select('alert', id);
const clear = () => setSelected(null);

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

/** Meanings of the marks on the map. */
function MapKey({ severities }: { severities: boolean }) {
  return (
    <div className={styles.key} data-only="wide" data-justify="end" data-row="4" data-tight data-text="small">
      {severities && (
        <p data-line="3">
          <Severity grade="critical" /> <Severity grade="high" /> <Severity grade="medium" />{' '}
          <Severity grade="low" />
        </p>
      )}
      <p data-line="3">
        {CLUSTER_KEY.map(({ words, rings }) => (
          <span key={words} data-line="1">
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

/** The counts, or why there are none. They have one place beside the map, which does not move. */
function MapStatus({ view, loading }: { view: EventsInView | { state: 'off' }; loading: boolean }) {
  if (view.state === 'off') return <p data-text="strong">Events are switched off</p>;
  if (loading || view.state === 'loading') {
    return (
      <p data-text="strong" role="status">
        Loading events…
      </p>
    );
  }
  if (view.state === 'failed') {
    return (
      <div className={styles.plate} data-text="strong" data-failed>
        <Notice>{view.message}</Notice>
        <p>Try moving the map or adjusting filters.</p>
      </div>
    );
  }
  const results = view.events.length;
  return (
    <p className={styles.plate} data-row="4" data-text="strong" role="status">
      <span>{counted(view.total, 'event')}</span>
      <span>
        {counted(results, 'result')} {view.total > results ? 'shown' : 'on the map'}
      </span>
    </p>
  );
}

/** Facts about the list that a reader must know: its age, that it is cut, that it is invented. */
function Notes({ view }: { view: EventsInView }) {
  if (view.state !== 'ready') return null;
  const { events, total, savedAt } = view;

  return (
    <>
      {savedAt && (
        <div className={styles.note} role="status">
          <ProductSign>Showing events saved at {sinceText(savedAt, serverNow())}</ProductSign>
        </div>
      )}
      {total > events.length && (
        <p className={styles.remark} data-text="small" data-tone="2">
          {grouped(events.length)} of {grouped(total)} events, spread over the view. Zoom in or choose filters
          to see more.
        </p>
      )}
      {events.some(({ is_sample }) => is_sample) && (
        <p className={styles.remark} data-text="small" data-tone="2">
          {events.every(({ is_sample }) => is_sample)
            ? 'Sample data: these events do not take place.'
            : 'Some of these events are sample data and do not take place.'}
        </p>
      )}
    </>
  );
}

/**
 * The publishers of the map and the place names, always shown. If only one line fits, a button opens the whole text.
 */
export function Attribution({ texts }: { texts: readonly (string | null)[] }) {
  const id = useId();
  const [isOpen, setOpen] = useState(false);

  return (
    <div className={styles.attribution} data-line="0" data-open={isOpen || undefined}>
      <p id={id}>{texts.filter(Boolean).join(' · ')}</p>
      <button
        type="button"
        aria-label="Map licences"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        <InfoIcon weight={isOpen ? 'fill' : 'bold'} aria-hidden />
      </button>
    </div>
  );
}
