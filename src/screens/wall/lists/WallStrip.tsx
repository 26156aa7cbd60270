import {
  dayAfter,
  isUnderWay,
  mayBeBehind,
  metAt,
  reachedAt,
  runsOn,
  type Trip,
  tripOn,
} from '#contract/watches/departures.ts';
import { capital } from '#contract/incidents/titleForms.ts';
import { londonDay } from '#contract/london.ts';
import type { CSSProperties } from 'react';
import { gradeOf, sinceText } from '../../../feeds/alerts/alerts.ts';
import type { Alert } from '../../../api/alerts/disruptions.ts';
import { formatClock } from '../../../time/london.ts';
import type { RouteState } from '../../../watches/watchState.ts';
import {
  dayAndClock,
  endUnknownWords,
  isMetBy,
  MAY_BE_BEHIND,
  timesOf,
  type Touch,
} from '../../../watches/timeWindow.ts';
import type { ListedWatch } from '../../../api/watches/watches.ts';
import { EntryMark, type EntryState } from './EntryMark.tsx';
import { fitting } from '../words/textFit.ts';
import { useForm } from '../words/wallMeasures.ts';
import { ListBand } from './ListBand.tsx';
import { leavesOnWall, touchingOf } from './routeEntries.ts';
import { timeOnWall } from '../words/shownTime.ts';
import { placeAndEffects, wallForms } from '../words/shownTitle.ts';
import { checkedWords, CLEAR, type Known, ListFrame, type ListPageProps, soonWords } from './WallList.tsx';
import { useStates } from './WallRoutes.tsx';
import styles from './WallStrip.module.css';

/** The length of the line from its first stop to its last, in units (a wide screen draws it longer), and the least
 *  length of a part with an alert. */
const LENGTH = { usual: 1780, upright: 1000, short: 920 };
const LEAST = 190;
const LABEL_GAP = 90;
/** The room for text beside an upright line. */
const UPRIGHT_TEXT = 550;

/** One route from end to end: the chosen one, or the worst. */
export function RoutePage({ known: { data, at }, ...page }: Omit<ListPageProps, 'turn'> & { known: Known }) {
  const { routes, isOld, now } = useStates(data, at);
  const { watch, state } = routes[0]!; // there is one
  const touches = [...state.certain, ...state.possible];
  return (
    <ListFrame
      {...page}
      title={watch.name}
      note={`${Math.round(watch.length_km)} km${isOld ? `, as of ${sinceText(at, now)}` : ''}`}
      what="Route"
      at={at}
      states={touches.map((touch) => stateOfTouch(touch, state))}
      worst={
        <ListBand
          touching={touchingOf([{ state }]).map((one) => ({ ...one, touches: 0 }))}
          of=""
          ours="this route"
          asOf={isOld ? at : null}
        />
      }
    >
      <div className={styles.strip}>
        <Line watch={watch} state={state} now={now} isOld={isOld} banded={page.band !== null} />
        <Departures watch={watch} state={state} now={now} isOld={isOld} />
      </div>
    </ListFrame>
  );
}

const stateOfTouch = ({ alert }: Touch, { possible }: RouteState): EntryState =>
  possible.some((touch) => touch.alert === alert) ? 'possible' : alert ? gradeOf(alert) : 'unrated';

interface Said {
  watch: ListedWatch;
  state: RouteState;
  now: Date;
  isOld: boolean;
}

function Line({ watch, state, now, isOld, banded }: Said & { banded: boolean }) {
  const upright = useForm() === 'upright';
  const { parts, more } = stripOf(watch, state);
  const lengths = partLengths(parts, LENGTH[!upright ? 'usual' : banded ? 'short' : 'upright'], LEAST);
  const starts = lengths.map((_, place) => lengths.slice(0, place).reduce((sum, one) => sum + one, 0));
  const total = lengths.reduce((sum, one) => sum + one, 0);
  const [worst] = state.certain;
  const marks = parts.flatMap((part, place) => (part.touch ? [{ part, place }] : []));
  const last = parts.at(-1)!; // a route has a length
  const isClearAfter = last.touch === null && more === 0 && !state.snoozed && entryIsHeard(state);
  const clearAfter = `${isOld ? 'Was clear' : 'Clear'}${marks.length > 0 ? ` after ${last.from.name || `km ${Math.round(last.from.km)}`}` : ''}`;
  const clock = (km: number) => (state.trip ? formatClock(reachedAt(state.trip, km)) : '');
  // Nobody knows when a vehicle gets past an alert.
  const isByPlan = (km: number) =>
    state.trip !== null &&
    marks.some(({ part }) => part.from.km < km && part.touch?.match.level === 'certain');
  const room = (place: number) => {
    if (upright) return UPRIGHT_TEXT;
    const next = marks.find((mark) => mark.place > place);
    const end = next ? starts[next.place]! : isClearAfter && last !== parts[place] ? starts.at(-1)! : total;
    return end - starts[place]! - LABEL_GAP;
  };

  return (
    <div className={styles.line} data-nowrap style={{ '--total': total } as CSSProperties}>
      {parts.map((part, place) => (
        <Part key={part.from.km} part={part} state={state} at={starts[place]!} length={lengths[place]!} />
      ))}
      {marks.map(({ part: { touch }, place }) => (
        <p
          key={starts[place]}
          className={styles.mark}
          data-worst={touch === worst || undefined}
          style={{ '--at': starts[place], '--length': lengths[place] } as CSSProperties}
        >
          <EntryMark state={stateOfTouch(touch!, state)} />
          <b>
            {upright
              ? placeOf(touch!, touch === worst)
              : titleOf(touch!, touch === worst ? 1100 : room(place), touch === worst)}
          </b>
          {upright && touch!.alert && <span>{effectOf(touch!.alert)}</span>}
          <span>
            {[
              ...new Set([
                touch!.alert && timeOnWall(touch!.alert, now),
                state.trip && reachedWords(state.trip, touch!, now),
              ]),
            ]
              .filter(Boolean)
              .join(', ')}
          </span>
        </p>
      ))}
      {isClearAfter && (
        <p
          className={styles.mark}
          style={{ '--at': starts.at(-1), '--length': lengths.at(-1) } as CSSProperties}
        >
          <EntryMark state="clear" />
          <b>
            {fitting(
              [
                `${clearAfter} as far as ${isOld ? 'was known' : 'we know'}`,
                clearAfter,
                isOld ? 'Was clear' : 'Clear',
              ],
              upright ? UPRIGHT_TEXT : lengths.at(-1)! - LABEL_GAP + 30,
              'stripTitle',
            )}
          </b>
          <span>{checkedWords(state.checked)}</span>
        </p>
      )}
      {[...parts.map(({ from }) => from), last.to].map((stop, place) => (
        <p
          key={stop.km}
          className={styles.stop}
          data-last={place === parts.length || undefined}
          style={{ '--at': starts[place] ?? total } as CSSProperties}
        >
          <i />
          <time>{clock(stop.km)}</time>
          <b>
            {fitting(
              [stop.name || `km ${Math.round(stop.km)}`],
              upright ? 400 : (lengths[place] ?? lengths[place - 1]!) - 16,
              'stripStop',
            )}
          </b>
          {(stop.name || isByPlan(stop.km)) && (
            <span>
              {[stop.name && `km ${Math.round(stop.km)}`, isByPlan(stop.km) && 'by plan']
                .filter(Boolean)
                .join(', ')}
            </span>
          )}
        </p>
      ))}
      {more > 0 && (
        <p className={styles.more} data-tone="2">
          and {more} more
        </p>
      )}
    </div>
  );
}

/** Whether all sources that report on the route are current, so that no news is good news. */
const entryIsHeard = ({ standing, silence, unseen, late, checked }: RouteState) =>
  standing !== 'off' && silence === null && unseen.length === 0 && late.length === 0 && checked !== null;

/** "reached 06:32"; "from 09:00" if it only begins while the vehicle is on that stretch; "may be behind it". */
function reachedWords(trip: Trip, touch: Touch, now: Date): string {
  const { from_km } = touch.match;
  if (from_km === null) return '';
  if (mayBeBehind(trip, touch.match, now)) return MAY_BE_BEHIND;
  const { at, begins } = metAt(trip, from_km, timesOf(touch, now) ?? []);
  return begins ? `from ${dayAndClock(at, trip.leaves)}` : `reached ${formatClock(at)}`;
}

/** The worst is larger: the same words need more room. */
const LARGER = { upright: 44 / 40, usual: 66 / 40 };

function titleOf({ alert }: Touch, room: number, isWorst: boolean): string {
  if (!alert) return 'Alert without a title';
  return fitting(wallForms(alert), isWorst ? room / LARGER.usual : room, 'stripTitle');
}

/** Upright what happens stands below the place. */
function placeOf({ alert }: Touch, isWorst: boolean): string {
  if (!alert) return 'Alert without a title';
  const room = isWorst ? UPRIGHT_TEXT / LARGER.upright : UPRIGHT_TEXT;
  return placeAndEffects(alert, room, 'stripTitle').place;
}

const effectOf = (alert: Alert): string =>
  fitting(placeAndEffects(alert, UPRIGHT_TEXT, 'stripTitle').effects, UPRIGHT_TEXT, 'stripTitle');

function Part({
  part: { touch },
  state,
  at,
  length,
}: {
  part: StripPart;
  state: RouteState;
  at: number;
  length: number;
}) {
  return (
    <span
      className={styles.part}
      data-state={touch ? stateOfTouch(touch, state) : undefined}
      data-severity={touch ? stateOfTouch(touch, state) : undefined}
      style={{ '--at': at, '--length': length } as CSSProperties}
    />
  );
}

const DEPARTURES = 4;

/** The words of a departure for an alert that it meets: "Reached 06:32". On a later day nothing can be said of it: the alert is
 *  expected to be over by then, or its end is not known. */
function meeting(
  touch: Touch,
  trip: Trip,
  state: RouteState,
  now: Date,
): { entry: EntryState; words: string } {
  const end = endUnknownWords(touch, { window: { kind: 'trip', trip }, trip, trips: [trip] }, now);
  if (end)
    return {
      entry: 'unknown',
      words: end.startsWith('expected') ? 'Expected clear by then' : 'End not known',
    };
  return {
    entry: stateOfTouch(touch, state),
    words: capital(reachedWords(trip, touch, now)) || 'Somewhere on it',
  };
}

/** The words of a departure that meets nothing for certain. */
function freeOf(state: RouteState, isOld: boolean, mayMeet: boolean): { entry: EntryState; words: string } {
  if (mayMeet) return { entry: 'possible', words: 'Possible trouble' };
  return entryIsHeard(state)
    ? { entry: 'clear', words: isOld ? 'Was clear' : CLEAR }
    : { entry: 'unknown', words: 'Do not rely on this' };
}

/** The next departures, each with the worst alert that it meets. */
function Departures({ watch, state, now, isOld }: Said) {
  const today = londonDay(now);
  // A vehicle that left before midnight can still be on the way, for two days at most.
  const trips = [-2, -1, 0, 1]
    .map((days) => dayAfter(today, days))
    .flatMap((day) =>
      watch.departures.filter((one) => runsOn(one, day)).map((one) => tripOn(one, day, watch.length_km)),
    )
    .filter((trip) => trip.arrives > now)
    .toSorted((a, b) => a.leaves.getTime() - b.leaves.getTime())
    .slice(0, DEPARTURES);
  if (trips.length === 0) return null;
  return (
    <ol className={styles.departures} data-nowrap>
      {trips.map((trip) => {
        const met = state.certain.find((touch) => isMetBy(trip, touch, now));
        const mayMeet = state.possible.some((touch) => isMetBy(trip, touch, now));
        const { entry, words } = met ? meeting(met, trip, state, now) : freeOf(state, isOld, mayMeet);
        const soon = isOld ? '' : isUnderWay(trip, now) ? 'on the way' : soonWords(trip.leaves, now);
        return (
          <li key={`${trip.departure_id} ${trip.leaves.toISOString()}`}>
            <time>{leavesOnWall(trip, now)}</time> <small>{soon}</small>
            <p data-line>
              <EntryMark state={entry} />
              {words}
            </p>
          </li>
        );
      })}
    </ol>
  );
}

// A route as a line of stops: its start and end, and the ends of each stretch with an alert.

export interface Stop {
  km: number;
  /** "M62 J26"; '' when only the kilometre is known. */
  name: string;
}

export interface StripPart {
  from: Stop;
  to: Stop;
  /** The alert on this part; null: none is known. */
  touch: Touch | null;
}

export interface Strip {
  parts: StripPart[];
  /** How many alerts touch the route but are not drawn, because there are too many or their place is not known. */
  more: number;
}

/** So many are drawn. */
const MARKS = 3;
/** Stops that are closer together than this are one place. */
const SAME_KM = 0.5;

/** The worst alerts whose place is known, in the order of the road. An alert that overlaps a worse one is only
 *  counted. */
export function stripOf(
  { name, length_km }: Pick<ListedWatch, 'name' | 'length_km'>,
  state: RouteState,
): Strip {
  const all = [...state.certain, ...state.possible];
  const drawn: Touch[] = [];
  for (const touch of all) {
    const [from, to] = stretchOf(touch);
    const overlaps = drawn.some((other) => {
      const [start, end] = stretchOf(other);
      return from < end + SAME_KM && start < to + SAME_KM;
    });
    if (drawn.length < MARKS && touch.match.from_km !== null && !overlaps) drawn.push(touch);
  }
  const [begins, ends] = endsOf(name);
  const parts: StripPart[] = [];
  let at: Stop = { km: 0, name: begins };
  const goTo = (stop: Stop, touch: Touch | null) => {
    if (stop.km - at.km > (touch ? 0 : SAME_KM)) parts.push({ from: at, to: stop, touch });
    at = parts.length > 0 || stop.km - at.km > SAME_KM ? stop : at;
  };
  for (const touch of drawn.toSorted((a, b) => stretchOf(a)[0] - stretchOf(b)[0])) {
    const [from, to] = stretchOf(touch);
    const [first, last] = junctionsOf(touch);
    if (from > SAME_KM) goTo({ km: from, name: first }, null);
    goTo(to >= length_km - SAME_KM ? { km: length_km, name: ends } : { km: to, name: last }, touch);
  }
  goTo({ km: length_km, name: ends }, null);
  return { parts, more: all.length - drawn.length };
}

/** The stretch of an alert: at least a kilometre, so that a point can be drawn. */
function stretchOf({ match: { from_km, to_km } }: Touch): [from: number, to: number] {
  const from = from_km ?? 0;
  return [from, Math.max(to_km ?? from, from + 1)];
}

/** The two junctions that its words name. */
function junctionsOf({ alert }: Touch): [string, string] {
  const stretch = alert?.facts?.stretch?.find(
    ({ from, to }) => /^J\d/.test(from ?? '') && /^J\d/.test(to ?? ''),
  );
  return stretch ? [`${stretch.road} ${stretch.from}`, `${stretch.road} ${stretch.to}`] : ['', ''];
}

function endsOf(name: string): [string, string] {
  const [, begins, ends] = /^(.+?) (?:to|–|-) (.+)$/.exec(name) ?? [];
  return begins && ends ? [begins, ends] : ['Start', 'End'];
}

/** The drawn length of each part: equal steps, but at least `least` for a part with an alert. */
export function partLengths(parts: readonly StripPart[], length: number, least: number): number[] {
  const equal = length / parts.length;
  const touched = parts.filter(({ touch }) => touch).length;
  const wanted = Math.min(Math.max(equal, least), length / Math.max(1, touched));
  const rest = parts.length > touched ? (length - touched * wanted) / (parts.length - touched) : 0;
  return parts.map(({ touch }) => (touch ? wanted : rest));
}
