import { matchAt } from '#contract/addresses.ts';
import { feedOf } from '#contract/feeds.ts';
import { knownSource } from '#contract/sources.ts';
import { lazy, Suspense, useEffect, useId, useState } from 'react';
import { watchRecord, type WatchRecord } from '../api/watches.ts';
import { dateOf, sinceText } from '../feeds/alerts.ts';
import { isSilent } from '../feeds/sources.ts';
import { useRefreshed } from '../feeds/useRefreshed.ts';
import { useInHand } from '../shift/inHandStore.ts';
import { useClock } from '../time/clock.ts';
import { serverNow } from '../time/freshness.ts';
import { formatClock } from '../time/london.ts';
import { Button } from '../ui/Button.tsx';
import { grouped } from '../ui/numbers.ts';
import { daysWords, takesWords } from '../watches/routeWords.ts';
import { awake, type Known, outdatedSince, silenceWords, snoozedWords } from '../watches/state.ts';
import { type SilentPart, silentParts, stripOf } from '../watches/strip.ts';
import type { Touch, Window } from '../watches/window.ts';
import { EventsNear } from './EventsNear.tsx';
import type { Listed } from './RouteRow.tsx';
import { Strip } from './Strip.tsx';
import { TouchItem } from './TouchItem.tsx';
import styles from './RouteDetail.module.css';

const RouteMap = lazy(() => import('./RouteMap.tsx'));
const ShareRoute = lazy(() => import('./ShareRoute.tsx'));
const RouteHistory = lazy(() => import('./RouteHistory.tsx'));

/** The chosen route: what touches it, in its order. */
export function RouteDetail({
  watch,
  state,
  known,
  offline,
  window,
  onWindow,
  onEdit,
}: Listed & {
  known: Known;
  offline: boolean;
  window: Window;
  onWindow: (window: Window) => void;
  onEdit: () => void;
}) {
  const id = useId();
  // The way itself changes only with the route; what touches it comes with the list.
  const { data: record } = useRefreshed(`${watch.id} ${watch.rev}`, (signal) =>
    watchRecord(watch.id, signal),
  );
  const [why, setWhy] = useState<string | null>(null);
  const [mapShown, setMapShown] = useState(false);
  const [sharing, setSharing] = useState(false);
  const [pastShown, setPastShown] = useState(false);
  const [selected, setSelected] = useState<string | null>(null);
  const { trip, near, silence } = state;
  const all = [...state.certain, ...state.possible];
  useOpened(all, setWhy);
  const snoozed = useInHand((inHand) => inHand.snoozed);
  // What is opened, as by a link in a message, stays.
  const asleep = new Set([...snoozed].filter((one) => one !== why));
  const { certain, possible, snoozed: left = 0 } = awake(state, asleep);
  const way = record?.watch;
  const outdated = useClock((now) => outdatedSince(known, now)?.getTime() ?? null);
  const unknown =
    outdated === null ? null : `No information since ${sinceText(new Date(outdated), serverNow())}`;
  const silent = unknown ? [] : silentOf(watch.sources, known, way?.coverage ?? [], watch.length_km);
  const isPlaced = ({ match }: Touch) => match.from_km !== null;
  const onStrip = all.filter(isPlaced);
  const unplaced = [...certain, ...possible].filter((touch) => !isPlaced(touch));
  const rows = stripOf({
    length_km: watch.length_km,
    places: way?.places ?? [],
    course: way?.course ?? [],
    touches: onStrip,
    silent,
    unknown,
    trip,
    // Where something is snoozed, the strip does not say "nothing known".
  }).filter((row) => row.kind !== 'touch' || !asleep.has(row.touch.match.subject_id));
  const silenceText = useClock((now) => (silence ? silenceWords(silence, now) : ''));
  const isArea = watch.kind === 'area';
  const item = (touch: Touch) => ({
    touch,
    trip,
    watchId: watch.id,
    course: way?.course ?? [],
    offline,
    isOpen: why === touch.match.subject_id,
    isSelected: selected === touch.match.subject_id,
    onWhy: (open: boolean) => setWhy(open ? touch.match.subject_id : null),
    onSelect: mapShown ? () => setSelected(touch.match.subject_id) : null,
  });

  return (
    <section className={styles.detail} aria-labelledby={id} data-detail>
      <div className={styles.head}>
        <h2 id={id}>{watch.name}</h2>
        <p>
          {isArea ? 'Area' : `${grouped(Math.round(watch.length_km))} km`}
          {trip && ` · leaves ${formatClock(trip.leaves)}, arrives about ${formatClock(trip.arrives)}`}
        </p>
        <p className={styles.buttons}>
          <Button small aria-pressed={mapShown} onClick={() => setMapShown(!mapShown)}>
            {mapShown ? 'Hide map' : 'Show map'}
          </Button>
          <Button small aria-expanded={pastShown} onClick={() => setPastShown(!pastShown)}>
            {pastShown ? 'Hide history' : 'History'}
          </Button>
          <Button small onClick={() => globalThis.print()}>
            Print
          </Button>
          <Button small disabled={offline} onClick={() => setSharing(true)}>
            Share by filter
          </Button>
          <Button small disabled={offline || !way} onClick={onEdit}>
            Edit
          </Button>
        </p>
      </div>
      {sharing && (
        <Suspense fallback={null}>
          <ShareRoute watchId={watch.id} name={watch.name} onClose={() => setSharing(false)} />
        </Suspense>
      )}
      {silenceText && <p className={styles.warning}>{silenceText}</p>}
      {window.kind === 'departure' && watch.departures.length > 1 && (
        <p className={styles.departure}>
          <label htmlFor={`${id}-departure`}>Departure</label>
          <select
            id={`${id}-departure`}
            value={trip?.departure_id ?? ''}
            onChange={({ target }) => onWindow({ kind: 'departure', id: target.value })}
          >
            {watch.departures.map((departure) => (
              <option key={departure.id} value={departure.id}>
                {departure.at_local} {departure.name ?? daysWords(departure.days)}
              </option>
            ))}
          </select>
        </p>
      )}
      <nav className={styles.groups} aria-label="Groups">
        <a href={`#${id}-on`}>
          <i data-level="certain" aria-hidden="true" />
          {isArea ? 'In the area' : 'On the route'} <b>{certain.length}</b>
        </a>
        <a href={`#${id}-${unplaced.length > 0 ? 'possible' : 'on'}`}>
          <i data-level="possible" aria-hidden="true" />
          Possible <b>{possible.length}</b>
        </a>
        <a href={`#${id}-near`}>
          <i data-level="near" aria-hidden="true" />
          Events near it <b>{near.length}</b>
        </a>
      </nav>
      {mapShown && (
        <Suspense fallback={<p className={styles.loading}>Loading...</p>}>
          <RouteMap
            geometry={way?.geometry ?? null}
            radiusKm={isArea ? (watch.reach_m ?? 0) / 1000 : 0}
            touches={[...certain, ...possible]}
            shapes={shapesOf(record)}
            name={watch.name}
            selected={selected}
            onSelect={setSelected}
          />
        </Suspense>
      )}
      {pastShown && (
        <Suspense fallback={<p className={styles.loading}>Loading...</p>}>
          <RouteHistory key={watch.id} id={watch.id} name={watch.name} />
        </Suspense>
      )}
      <div className={styles.columns}>
        <div id={`${id}-on`}>
          {isArea ? (
            <ol className={styles.area} aria-label="What touches the area, worst first">
              {[...certain, ...possible].map((touch) => (
                <li key={touch.match.subject_id}>
                  <TouchItem {...item(touch)} />
                </li>
              ))}
              {certain.length + possible.length === 0 && (
                <li className={styles.nothing}>
                  {unknown ?? (left > 0 ? snoozedWords(left) : 'nothing known')}
                </li>
              )}
            </ol>
          ) : (
            <Strip rows={rows} item={item} />
          )}
        </div>
        <div className={styles.rail}>
          {!isArea && unplaced.length > 0 && (
            <section id={`${id}-possible`}>
              <h3>Possible, place not known</h3>
              <ul>
                {unplaced.map((touch) => (
                  <li key={touch.match.subject_id}>
                    <TouchItem {...item(touch)} narrow />
                  </li>
                ))}
              </ul>
            </section>
          )}
          <EventsNear id={`${id}-near`} near={near} />
          {watch.departures.length > 0 && (
            <section>
              <h3>Departures</h3>
              <ul>
                {watch.departures.map((departure) => (
                  <li key={departure.id}>
                    <b>
                      {departure.at_local} {daysWords(departure.days)}
                    </b>
                    {departure.name && <>{departure.name}, </>}
                    {takesWords(departure, watch.length_km)}
                  </li>
                ))}
              </ul>
            </section>
          )}
        </div>
      </div>
    </section>
  );
}

/** The lines and areas of what touches it, by the incident's id. */
const shapesOf = (record: WatchRecord | null) =>
  new Map(
    (record?.matches ?? []).flatMap(({ subject_id, disruption }) =>
      disruption?.geometry ? [[subject_id, disruption.geometry] as const] : [],
    ),
  );

function silentOf(
  sources: readonly string[],
  known: Known,
  coverage: Parameters<typeof silentParts>[1],
  lengthKm: number,
): SilentPart[] {
  const now = serverNow();
  const said = sources.flatMap((source) => {
    const entry = known.sources.get(source);
    const name = knownSource(source).displayName;
    if (!entry || entry.state === 'not_configured' || entry.freshness == null) {
      // Weather and floods are not part of a road's list of what is known; the state names them.
      return feedOf(source)?.category === 'Roads' ? [{ source, words: `No information from ${name}` }] : [];
    }
    const since = dateOf(entry.last_collected);
    return isSilent(entry)
      ? [{ source, words: `No information from ${name}${since ? ` since ${sinceText(since, now)}` : ''}` }]
      : [];
  });
  return silentParts(said, coverage, lengthKm);
}

/** A message leads here with the match that it is about: open, and in sight, once it is known. */
function useOpened(touches: readonly Touch[], open: (id: string) => void): void {
  const [wanted, setWanted] = useState(() => matchAt(location.hash));
  const isThere = touches.some(({ match }) => match.subject_id === wanted);
  useEffect(() => {
    const read = () => setWanted(matchAt(location.hash));
    addEventListener('hashchange', read);
    return () => removeEventListener('hashchange', read);
  }, []);
  useEffect(() => {
    if (!isThere) return;
    open(wanted);
    document.querySelector(`[data-match="${CSS.escape(wanted)}"]`)?.scrollIntoView({ block: 'center' });
  }, [wanted, isThere, open]);
}
