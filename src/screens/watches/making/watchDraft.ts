/** A route or area that is being made. */
import { type Geometry, Phase } from '#contract/incidents/disruptions.ts';
import { Severity, severityRank } from '#contract/incidents/severity.ts';
import { TELL_ME, type TellMe } from '#contract/watches/tellMe.ts';
import { madeName } from '#contract/watches/watchName.ts';
import {
  Departure,
  type DepartureInput,
  type Leg,
  type Position,
  type WatchKind,
} from '#contract/watches/watches.ts';
import { type Which, WHICH } from '#contract/watches/whichIncidents.ts';
import { type When } from '#contract/watches/whenWatched.ts';
import type { Watch } from '../../../api/watches/oneWatch.ts';
import { junctionsText, placeName } from '../../../watches/routeStrip.ts';
import { queryPairs } from '#contract/addresses.ts';
import { knownFeed } from '#contract/feeds/feeds.ts';

export interface Draft {
  name: string;
  /** A name from a file, or one made from the places. It is replaced when another is offered; a typed name is not. */
  offered: string;
  which: Which;
  when: When;
  departures: DepartureInput[];
  /** The departure that is being typed; null: none is. */
  typed: TypedDeparture | null;
  tellMe: TellMe;
  /** Null: the reach that the rules give for the legs. */
  reach_m: number | null;
  /** The middle of an area's circle. */
  area: { latitude: number; longitude: number } | null;
  /** The place in the middle of an area: "Leeds". */
  place: string | null;
  /** Words for another place, of which none is chosen yet; null: nothing is typed. */
  search: string | null;
  /** How an area is bounded. */
  shape: 'circle' | 'polygon';
  /** The corners of an area; the first is not repeated at the end. */
  outline: readonly Position[];
  /** Save the way back as a second route. */
  wayBack: boolean;
  /** True: the way, or the area's place, differs from the saved one. */
  remade: boolean;
}

/** A departure in the form's fields. */
export interface TypedDeparture {
  /** Its place in the list; the list's length for a new one. */
  index: number;
  one: DepartureInput;
  /** How long it takes, as hours and minutes. */
  hours: string;
  /** The next period in which it does not run. */
  pause: { from: string; to: string };
}

const NEW_DEPARTURE: DepartureInput = {
  name: null,
  at_local: '',
  days: 0b1111111,
  from_date: null,
  to_date: null,
  except: [],
  duration_min: null,
};

/** The form of a departure of the list, or of a new one. */
export function typedDeparture(departures: readonly DepartureInput[], index: number): TypedDeparture {
  const one = departures[index] ?? NEW_DEPARTURE;
  const { duration_min: minutes } = one;
  return {
    index,
    one,
    hours: minutes === null ? '' : `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}`,
    pause: { from: '', to: '' },
  };
}

/** The typed fields as a departure; null while they are not complete, or when the next period has no end. */
export function readDeparture({ one, hours, pause }: TypedDeparture): DepartureInput | null {
  const said = /^(\d{1,2})(?::([0-5]\d))?$/.exec(hours.trim());
  if (hours.trim() !== '' && !said) return null;
  if ((pause.from !== '' || pause.to !== '') && !isPeriod(pause)) return null;
  const read = {
    ...one,
    except: isPeriod(pause) ? [...one.except, pause] : one.except,
    duration_min: said ? Number(said[1]) * 60 + Number(said[2] ?? 0) : null,
  };
  return Departure.safeParse({ ...read, id: 'new' }).success ? read : null;
}

export const isPeriod = ({ from, to }: TypedDeparture['pause']): boolean =>
  from !== '' && to !== '' && to >= from;

/** All departures with the one that is being typed; null if that one is not complete. */
export function allDepartures({
  departures,
  typed,
}: Pick<Draft, 'departures' | 'typed'>): DepartureInput[] | null {
  if (!typed) return departures;
  const read = readDeparture(typed);
  if (read)
    return typed.index < departures.length ? departures.with(typed.index, read) : [...departures, read];
  // A form that was opened and left empty counts as nothing.
  return isUntouched(typed) ? departures : null;
}

const isUntouched = ({ one, hours, pause }: TypedDeparture): boolean =>
  one === NEW_DEPARTURE && hours === '' && pause.from === '' && pause.to === '';

export const EMPTY_DRAFT: Draft = {
  name: '',
  offered: '',
  which: WHICH,
  when: null,
  departures: [],
  typed: null,
  tellMe: TELL_ME,
  reach_m: null,
  area: null,
  place: null,
  search: null,
  shape: 'circle',
  outline: [],
  wayBack: false,
  remade: false,
};

/** The reach of a new area. */
export const USUAL_REACH_M = 30_000;

/** The name that is made from the fields of an area or a feed; '' for an area without a known place. */
function madeOf({ place, shape, reach_m, which }: Draft, kind: WatchKind): string {
  if (kind === 'area' && place === null) return '';
  const reach = shape === 'circle' ? (reach_m ?? USUAL_REACH_M) : null;
  return madeName({ kind, ends: [null, null], place, reach_m: reach, which });
}

/** The draft with the name that follows from it, unless one was typed. */
export function named(draft: Draft, kind: WatchKind): Draft {
  if (kind === 'route') return draft;
  const offered = madeOf(draft, kind);
  return { ...draft, offered, name: draft.name === draft.offered ? offered : draft.name };
}

/** Which alerts of a new watch are sent at once: all that it lets through or, if it lets everything through, only
 *  critical ones. */
export const firstTelling = ({ which: { min_severity } }: Draft): TellMe => ({
  ...TELL_ME,
  ...(min_severity !== 'low' && { threshold: min_severity }),
});

export function draftOf(watch: Watch): Draft {
  const { name, named_by_hand, departures, notify, reach_m, geometry, which, when, place } = watch;
  const [ring = []] = geometry?.type === 'Polygon' ? (geometry.coordinates as unknown as Position[][]) : [];
  const [longitude, latitude] =
    geometry?.type === 'Point' ? (geometry.coordinates as unknown as Position) : [];
  return {
    ...EMPTY_DRAFT,
    name,
    // A name that nobody typed follows the changes.
    offered: named_by_hand ? '' : name,
    which,
    when,
    place: place ?? null,
    departures,
    tellMe: notify,
    reach_m: reach_m ?? null,
    ...(longitude !== undefined && latitude !== undefined && { area: { latitude, longitude } }),
    ...(ring.length > 0 && { shape: 'polygon', outline: ring.slice(0, -1) }),
  };
}

/** The bounds of an area; null while it has none. */
export function boundsOf({ shape, area, outline }: Draft): Geometry | null {
  if (shape === 'circle') return area && { type: 'Point', coordinates: [area.longitude, area.latitude] };
  return outline.length > 2 ? { type: 'Polygon', coordinates: [[...outline, outline[0]!]] } : null; // it has one
}

/** A text that makes this route: its places and junctions, without those that it only passes. */
export const textOf = ({ places }: Pick<Watch, 'places'>): string =>
  places
    .filter(({ minor }) => !minor)
    .map((place) => junctionsText(place) || place.name || '')
    .filter(Boolean)
    .join(', ');

/** "Denham to Bicester": a name for a route between two junctions. */
export function endsOf(places: Watch['places']): string {
  const [first, last] = [places[0], places.at(-1)];
  return first && last ? `${first.name ?? placeName(first)} to ${last.name ?? placeName(last)}` : '';
}

/** "Leeds to Heathrow" becomes "Heathrow to Leeds". */
export function reversedName(name: string): string {
  const [from, to, ...more] = name.split(/ to | - | – /);
  return from && to && more.length === 0 ? `${to} to ${from}` : `${name}, way back`;
}

/** The legs in reverse order, each reversed. */
export const reversedLegs = (legs: readonly Leg[]): Leg[] => legs.toReversed().map(reversed);

function reversed(leg: Leg): Leg {
  if (leg.type === 'road') return { ...leg, from: leg.to, to: leg.from, sense: opposite(leg.sense) };
  const points = leg.points.toReversed();
  if (leg.type !== 'exact') return { ...leg, points };
  const length = Math.max(0, ...leg.roads.map(({ to_km }) => to_km));
  return {
    ...leg,
    points,
    roads: leg.roads.toReversed().map((road) => ({
      ...road,
      sense: opposite(road.sense),
      from_km: length - road.to_km,
      to_km: length - road.from_km,
    })),
  };
}

const opposite = (sense: 1 | -1): 1 | -1 => (sense === 1 ? -1 : 1);

/** The words at the cursor, between commas, lines and dashes. */
export function partAt(text: string, cursor: number): { from: number; to: number; words: string } {
  const before = Math.max(...[',', ';', '\n'].map((mark) => text.lastIndexOf(mark, cursor - 1))) + 1;
  const rest = text.slice(cursor).search(/[,\n;]/);
  const to = rest === -1 ? text.length : cursor + rest;
  const lead = text.slice(before, to).search(/\S|$/);
  return { from: before + lead, to, words: text.slice(before + lead, to).trim() };
}

// The first values of a new area or filter, from conditions that were set on All alerts, as a query string.

export function begunWith(conditions: string, kind: 'area' | 'feeds'): Draft {
  const said = new Map(queryPairs(conditions));
  const feed = said.get('feed') ?? '';
  const phase = Phase.safeParse(said.get('phase'));
  const grades = (said.get('severity') ?? said.get('min_severity') ?? '')
    .split(',')
    .flatMap((grade) => Severity.options.find((one) => one === grade) ?? []);
  const mildest = grades.toSorted((one, other) => severityRank(other) - severityRank(one))[0];
  const km = Number(said.get('radius_km'));
  return named(
    {
      ...EMPTY_DRAFT,
      which: {
        ...WHICH,
        ...(mildest && { min_severity: mildest }),
        ...(phase.success && { phase: phase.data }),
        ...(knownFeed(feed) && { feeds: [feed] }),
        // A road is searched by its number.
        words: [said.get('road'), said.get('q')].filter(Boolean).join(' '),
      },
      ...(kind === 'area' && {
        place: said.get('near') ?? null,
        ...(km >= 1 && km <= 50 && { reach_m: km * 1000 }),
      }),
    },
    kind,
  );
}
