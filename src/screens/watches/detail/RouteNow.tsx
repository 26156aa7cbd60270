import type { Geometry } from '#contract/incidents/disruptions.ts';
import { pageAddress, matchAt } from '#contract/addresses.ts';
import { unplacedWords, type NotOurs } from '#contract/watches/watches.ts';
import { lazy, type ReactNode, Suspense, useId, useState, useEffect } from 'react';
import { Link } from 'wouter';
import { type WatchRecord, sendFeedback } from '../../../api/watches/oneWatch.ts';
import { sinceText } from '../../../feeds/alerts/alerts.ts';
import { useInHand } from '../../../shift/inHand/inHandStore.ts';
import { useClock } from '../../../time/tickingClock.ts';
import { serverNow } from '../../../time/freshness.ts';
import { daysWords, takesWords, kmWords } from '../../../watches/routeWords.ts';
import { awake, type Known, outdatedSince } from '../../../watches/watchState.ts';
import { CHECKING, silenceWords, snoozedWords, stateWords } from '../../../watches/stateWords.ts';
import { silentParts, stripOf, unheard } from '../../../watches/routeStrip.ts';
import { leftOutWords, placeWords } from '../../../watches/whichWords.ts';
import type { Touch, Window } from '../../../watches/timeWindow.ts';
import type { LonLat } from '../../../maps/frame.ts';
import type { Listed } from '../../../watches/RouteRow.tsx';
import { Strip } from '../Strip.tsx';
import { TouchItem } from '../TouchItem.tsx';
import styles from './RouteDetail.module.css';
import { crowdTimes } from '#contract/watches/departures.ts';
import { formatClock } from '../../../time/london.ts';
import { grouped } from '#contract/numbers.ts';
import { useAction } from '../../../api/useAction.ts';
import { Button } from '../../../ui/controls/Button.tsx';
import { bound, ToolField, optionsOf } from '../../../ui/controls/Field.tsx';
import { Notice } from '../../../ui/signs/Notice.tsx';
import { Loading } from '../../../ui/page/Page.tsx';

const RouteMap = lazy(() => import('./RouteMap.tsx'));

/** The alerts that touch the watch now: for a route in the order of the road, for an area or a whole feed the worst
 *  first. */
export function RouteNow({
  watch,
  state,
  known,
  record,
  mapShown,
  offline,
  window,
  onWindow,
  onChanged,
  sheet = null,
}: Listed & {
  known: Known;
  /** Null: not yet loaded. */
  record: WatchRecord | null;
  /** Whether a route's map is shown. An area's map is always shown. */
  mapShown: boolean;
  offline: boolean;
  window: Window;
  onWindow: (window: Window) => void;
  /** Call it after a change to the watch. */
  onChanged: () => void;
  /** For a job: shown below the strip instead of the route's departures. */
  sheet?: ReactNode;
}) {
  const id = useId();
  const [why, setWhy] = useState<string | null>(null);
  const [selected, setSelected] = useState<string | null>(null);
  const { trip, near, silence } = state;
  const all = [...state.certain, ...state.possible];
  useOpened(all, setWhy);
  const snoozed = useInHand((inHand) => inHand.snoozed);
  // An opened alert stays in the list, also when a link in a message opened it.
  const asleep = new Set([...snoozed].filter((one) => one !== why));
  const { certain, possible, snoozed: left = 0 } = awake(state, asleep, serverNow());
  const way = record?.watch;
  const isLoading = !record && !offline;
  const outdated = useClock((now) => outdatedSince(known, now)?.getTime() ?? null);
  const unknown =
    state.standing === 'off'
      ? (stateWords(state, serverNow())[0] ?? null)
      : outdated !== null
        ? `No information since ${sinceText(new Date(outdated), serverNow())}`
        : watch.checking
          ? CHECKING
          : null;
  const silent = unknown
    ? []
    : silentParts(unheard(watch.sources, known, serverNow()), way?.coverage ?? [], watch.length_km);
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
    // While something is snoozed the strip does not say "nothing known". Until the way is loaded it has only the
    // alerts: the places, and the parts that no source covers, are not known yet.
  }).filter((row) => (row.kind === 'touch' ? !asleep.has(row.touch.match.subject_id) : !isLoading));
  const silenceText = useClock((now) => (silence ? silenceWords(silence, now) : ''));
  const isRoute = watch.kind === 'route';
  const hasMap = isRoute ? mapShown : watch.kind === 'area';
  const item = (touch: Touch) => ({
    touch,
    onChanged,
    state,
    watchId: watch.id,
    kind: watch.kind,
    middle: middleOf(way?.geometry),
    course: way?.course ?? [],
    offline,
    isOpen: why === touch.match.subject_id,
    isSelected: selected === touch.match.subject_id,
    onWhy: (open: boolean) => setWhy(open ? touch.match.subject_id : null),
    onSelect: hasMap ? () => setSelected(touch.match.subject_id) : null,
  });

  const loading = <Loading data-pad="3" />;
  const map =
    hasMap && isLoading
      ? loading
      : hasMap && (
          <Suspense fallback={loading}>
            <RouteMap
              geometry={way?.geometry ?? null}
              radiusKm={isRoute ? 0 : (watch.reach_m ?? 0) / 1000}
              touches={[...certain, ...possible]}
              shapes={shapesOf(record)}
              name={watch.name}
              look={isRoute ? 'wide' : 'small'}
              selected={selected}
              onSelect={setSelected}
            />
          </Suspense>
        );

  const beside = [near, unplaced, watch.departures, record?.not_ours ?? []];
  const hasNothingBeside = isRoute && !sheet && beside.every((list) => list.length === 0);

  return (
    <>
      {state.unplaced !== undefined && (
        <p data-pad="3" data-text="label">
          {unplacedWords(state.unplaced)}.
        </p>
      )}
      {(silenceText || watch.checking) && (
        <p data-pad="3" data-text="strong">
          {silenceText || CHECKING}
        </p>
      )}
      {isRoute && map}
      <div data-split="3" data-only="screen">
        <nav className={styles.groups} data-row="4" aria-label="Groups">
          <a data-tap data-text="strong" href={`#${id}-on`}>
            <i data-level="certain" aria-hidden="true" />
            {watch.kind === 'area' ? 'In the area' : isRoute ? 'On the route' : 'In these feeds'}{' '}
            <b>{certain.length}</b>
          </a>
          {watch.kind !== 'feeds' && (
            <>
              <a
                data-tap
                data-text="strong"
                href={`#${id}-${unplaced.length > 0 && isRoute ? 'possible' : 'on'}`}
              >
                <i data-level="possible" aria-hidden="true" />
                Possible <b>{possible.length}</b>
              </a>
              <a data-tap data-text="strong" href={`#${id}-near`}>
                <i data-level="near" aria-hidden="true" />
                Events near it <b>{near.length}</b>
              </a>
            </>
          )}
        </nav>
        {window.kind === 'departure' && watch.departures.length > 1 && (
          <ToolField label="Departure" className={styles.trip}>
            <select
              {...bound(
                watch.departures.some((one) => one.id === window.id) ? (window.id ?? '') : '',
                (value) => onWindow({ kind: 'departure', id: value || null }),
              )}
            >
              <option value="">Next, and on the way</option>
              {optionsOf(
                watch.departures.map((departure) => [
                  departure.id,
                  `${departure.at_local} ${departure.name ?? daysWords(departure.days)}`,
                ]),
              )}
            </select>
          </ToolField>
        )}
      </div>
      <div className={styles.columns} data-flat={window.kind === 'trip' || hasNothingBeside || undefined}>
        <div id={`${id}-on`}>
          {isRoute ? (
            <>
              {rows.length > 0 && <Strip rows={rows} item={item} />}
              {isLoading && loading}
            </>
          ) : (
            <ol className={styles.area} aria-label={`${watch.name}, worst first`}>
              {[...certain, ...possible].map((touch) => (
                <li key={touch.match.subject_id}>
                  <TouchItem {...item(touch)} />
                </li>
              ))}
              {certain.length + possible.length === 0 && (
                <li data-pad="3" data-text="line" data-tone="2">
                  {unknown ?? (left > 0 ? snoozedWords(left) : (stateWords(state, serverNow())[0] ?? ''))}
                </li>
              )}
            </ol>
          )}
          <LeftOut watch={watch} />
        </div>
        <div className={styles.rail} data-text="sign">
          {map && !isRoute && (
            <section>
              <h3 data-text="lead">Where</h3>
              {map}
              <p>{placeWords(watch)}</p>
            </section>
          )}
          {isRoute && unplaced.length > 0 && (
            <section id={`${id}-possible`}>
              <h3 data-text="lead">Possible, place not known</h3>
              <ul data-ruled>
                {unplaced.map((touch) => (
                  <li key={touch.match.subject_id}>
                    <TouchItem {...item(touch)} narrow />
                  </li>
                ))}
              </ul>
            </section>
          )}
          <NotOnRoute
            watchId={watch.id}
            notOurs={record?.not_ours ?? []}
            isArea={watch.kind === 'area'}
            offline={offline}
            onChanged={onChanged}
          />
          {watch.kind !== 'feeds' && <EventsNear id={`${id}-near`} near={near} />}
          {sheet}
          {window.kind !== 'trip' && watch.departures.length > 0 && (
            <section>
              <h3 data-text="lead">Departures</h3>
              <ul data-ruled>
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
    </>
  );
}

/** The middle of a circle. */
const middleOf = (geometry: Geometry | null | undefined): LonLat | null =>
  geometry?.type === 'Point' ? (geometry.coordinates as unknown as LonLat) : null;

/** The lines and areas of the alerts, by the incident's id. */
const shapesOf = (record: WatchRecord | null) =>
  new Map(
    (record?.matches ?? []).flatMap(({ subject_id, disruption }) =>
      disruption?.geometry ? [[subject_id, disruption.geometry] as const] : [],
    ),
  );

/** Says how many alerts the grade and the words leave out. */
function LeftOut({ watch }: Pick<Listed, 'watch'>) {
  const words = leftOutWords(watch);
  if (!words) return null;
  return (
    <p data-pad="3" data-text="line" data-tone="2">
      {`${words} ${words.startsWith('1 ') && !words.includes(' and ') ? 'is' : 'are'} left out.`}{' '}
      <Link href={pageAddress('list')} data-tap="line">
        Show them on All alerts
      </Link>
    </p>
  );
}

/** Opens the match that a link in a message names, and scrolls to it, as soon as it is known. */
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

/** Events near the route, with the times when people come and leave. */
function EventsNear({ id, near }: { id: string; near: readonly Touch[] }) {
  return (
    <section id={id}>
      <h3 data-text="lead">Events near it</h3>
      {near.length === 0 ? (
        <p>None known in this time.</p>
      ) : (
        <ul data-ruled>
          {near.map(({ match, event }) => {
            const [before, after] = event ? crowdTimes(event) : [];
            return (
              <li key={match.subject_id}>
                <b>{event?.name ?? 'Event'}</b>
                {[event?.venue_name, match.why, kmWords(match)].filter(Boolean).join(', ')}
                <br />
                {[
                  event?.capacity ? `${grouped(event.capacity)} expected` : '',
                  before && after
                    ? `crowds ${formatClock(before.from)} to ${formatClock(before.to)} and ${formatClock(after.from)} to ${formatClock(after.to)}`
                    : '',
                  event?.is_sample ? 'sample event' : '',
                ]
                  .filter(Boolean)
                  .join(', ')}
              </li>
            );
          })}
        </ul>
      )}
    </section>
  );
}

/** Alerts that the team has marked as not on this route or in this area, with a button to undo each. */
function NotOnRoute({
  watchId,
  notOurs,
  isArea = false,
  offline,
  onChanged,
}: {
  watchId: string;
  notOurs: readonly NotOurs[];
  isArea?: boolean;
  offline: boolean;
  onChanged: () => void;
}) {
  const { run, isBusy, failure } = useAction();
  if (notOurs.length === 0) return null;
  const putBack = (subject_id: string) =>
    run(async () => {
      await sendFeedback(watchId, { subject_id, verdict: 'ours' });
      onChanged();
    }, 'Unable to save this');
  return (
    <section>
      <h3 data-text="lead">{`Said to be not ${isArea ? 'in our area' : 'on our route'}`}</h3>
      <ul data-ruled>
        {notOurs.map(({ subject_id, title, at, by }) => (
          <li key={subject_id}>
            <b>{title}</b>
            {[by, formatClock(at)].filter(Boolean).join(', ')}{' '}
            <Button
              small
              busy={isBusy}
              disabled={offline}
              aria-label={`Put back: ${title}`}
              onClick={() => void putBack(subject_id)}
            >
              Put back
            </Button>
          </li>
        ))}
      </ul>
      {failure && <Notice>{failure}</Notice>}
    </section>
  );
}
