/** A route as a list from its start to its end: its places, the alerts between them, and stretches without any. */
import { reachedAt, type Trip } from '#contract/watches/departures.ts';
import { feedOf } from '#contract/feeds/feeds.ts';
import { knownSource, UNCOVERED_WORDS } from '#contract/feeds/knownSources.ts';
import type { Coverage, CoursePart, RoutePlace } from '#contract/watches/watches.ts';
import { dateOf, sinceText } from '../feeds/alerts/alerts.ts';
import { isSilent } from '../feeds/alerts/sourceStatus.ts';
import type { Known } from './watchState.ts';
import type { Touch } from './timeWindow.ts';

/** A silent source, with the kilometres that it reports on. */
interface SilentPart {
  from_km: number;
  to_km: number;
  /** "No information from Traffic Wales since 05:41" */
  words: string;
}

export type StripRow =
  | { kind: 'place'; place: RoutePlace; at: Date | null; end: 'first' | 'last' | null; silent: boolean }
  | { kind: 'touch'; touch: Touch; at: Date | null }
  | { kind: 'silent'; words: string }
  /** A long stretch without alerts. `hidden`: the places on it. */
  | { kind: 'run'; label: string; hidden: { place: RoutePlace; at: Date | null }[]; silent: boolean };

/** A stretch without a place between its ends is shown only from this length on. */
const LONG_KM = 12;

export interface StripInput {
  length_km: number;
  places: readonly RoutePlace[];
  course: readonly CoursePart[];
  /** Only alerts at a known kilometre of the route. */
  touches: readonly Touch[];
  silent: readonly SilentPart[];
  /** Why a stretch without alerts cannot be called clear; null when all its sources are current. */
  unknown: string | null;
  trip: Trip | null;
}

export function stripOf({
  places,
  course,
  touches,
  silent,
  unknown,
  trip,
  length_km,
}: StripInput): StripRow[] {
  const stops = withEnds(places, length_km);
  const at = (km: number) => (trip ? reachedAt(trip, km) : null);
  const isSilent = (from: number, to: number) =>
    unknown !== null || silent.some((part) => part.from_km < to && from < part.to_km);
  // An alert at the very end, or beyond it, is listed before the last place.
  const lastKm = stops.at(-1)!.km - 0.001; // there are at least two
  const placed = touches
    .flatMap((touch) => {
      const { from_km, to_km } = touch.match;
      if (from_km === null) return [];
      const from = Math.max(0, Math.min(from_km, lastKm));
      return { touch, from, to: Math.max(from, to_km ?? from) };
    })
    .toSorted((a, b) => a.from - b.from || a.to - b.to);
  const rows: StripRow[] = [];
  const unsaid = [...silent].toSorted((a, b) => a.from_km - b.from_km);
  let shown = 0;

  const placeRow = (index: number) => {
    const place = stops[index]!; // within the list
    const end = index === 0 ? 'first' : index === stops.length - 1 ? 'last' : null;
    const next = stops[index + 1]?.km ?? place.km;
    const say = () => {
      while (unsaid[0] && unsaid[0].from_km <= place.km) {
        rows.push({ kind: 'silent', words: unsaid.shift()!.words });
      }
    };
    // Nothing comes after the last place, not even a silent source.
    if (end === 'last') say();
    rows.push({ kind: 'place', place, at: at(place.km), end, silent: isSilent(place.km, next) });
    if (end !== 'last') say();
  };

  let index = 0;
  placeRow(0);
  while (index < stops.length - 1) {
    const from = stops[index]!.km;
    const here = placed.slice(shown).filter((one) => one.from < stops[index + 1]!.km);
    shown += here.length;
    rows.push(...here.map((one) => ({ kind: 'touch' as const, touch: one.touch, at: at(one.from) })));

    const last = calmUntil(index);
    if (here.length === 0 && last > index) {
      const to = stops[last]!;
      const isQuiet = isSilent(from, to.km);
      if (last - index > 1 || to.km - from >= LONG_KM) {
        const why = unknown ?? silent.find((part) => part.from_km < to.km && from < part.to_km)?.words;
        rows.push({
          kind: 'run',
          label: `${runName(stops[index]!, to, course)}, ${Math.round(to.km - from)} km: ${
            why ? why.replace(/^[CN]/, (first) => first.toLowerCase()) : 'nothing known'
          }`,
          hidden: stops.slice(index + 1, last).map((place) => ({ place, at: at(place.km) })),
          silent: isQuiet,
        });
      }
      index = last;
    } else {
      index += 1;
    }
    placeRow(index);
  }
  return rows;

  /** The last place of a stretch without alerts on which the silent sources stay the same. */
  function calmUntil(start: number): number {
    let end = start;
    while (end < stops.length - 1 && isCalm(stops[end]!.km, stops[end + 1]!.km)) {
      end += 1;
      if (!stops[end]!.minor || changesSilence(stops[end]!.km)) break;
    }
    return end;
  }

  function isCalm(from: number, to: number) {
    return !placed.some((one) => one.from < to && (one.to > from || one.from >= from));
  }

  function changesSilence(km: number) {
    return silent.some(({ from_km, to_km }) => Math.abs(from_km - km) < 0.5 || Math.abs(to_km - km) < 0.5);
  }
}

/** The places with a start and an end. A route of which only the length is known gets both. */
function withEnds(places: readonly RoutePlace[], lengthKm: number): RoutePlace[] {
  if (places.length >= 2) return places.toSorted((a, b) => a.km - b.km);
  const end = (name: string, km: number): RoutePlace => ({
    km,
    latitude: 0,
    longitude: 0,
    name,
    junctions: [],
    minor: false,
  });
  return [end('Start', 0), end('End', lengthKm)];
}

/** "M1 J41 to J24A" if both ends are on one road, otherwise the names of both places. */
function runName(from: RoutePlace, to: RoutePlace, course: readonly CoursePart[]): string {
  const middle = (from.km + to.km) / 2;
  const road = course.find((part) => part.from_km <= middle && middle <= part.to_km)?.road;
  const [first, last] = [from, to].map(({ junctions }) => junctions.find((one) => one.road === road));
  return road && first && last
    ? `${road} ${first.junction} to ${last.junction}`
    : `${placeName(from)} to ${placeName(to)}`;
}

/** "M62 J29, M1 J42", or the name if there is no junction. */
export const junctionsText = ({ junctions }: RoutePlace): string =>
  junctions.map(({ road, junction }) => `${road} ${junction}`).join(', ');

export const placeName = (place: RoutePlace): string =>
  junctionsText(place) || place.name || `km ${Math.round(place.km)}`;

/** The strip's words about a route's silent sources. */
export function unheard(
  sources: readonly string[],
  known: Pick<Known, 'sources'>,
  now: Date,
): { source: string; words: string }[] {
  return sources.flatMap((source) => {
    const uncovered = UNCOVERED_WORDS.get(source);
    if (uncovered) return [{ source, words: uncovered }];
    const entry = known.sources.get(source);
    const words = `No information from ${knownSource(source).displayName}`;
    if (!entry || entry.state === 'not_configured' || entry.freshness == null) {
      // Weather and floods are left out here, because the route's state names them. Roads that none of our sources
      // reports on have no feed.
      const feed = feedOf(source);
      return !feed || feed.category === 'Roads' ? [{ source, words }] : [];
    }
    const since = dateOf(entry.last_collected);
    return isSilent(entry)
      ? [{ source, words: `${words}${since ? ` since ${sinceText(since, now)}` : ''}` }]
      : [];
  });
}

/** The silent parts of a route. A source without parts of its own covers the whole route. */
export function silentParts(
  sources: readonly { source: string; words: string }[],
  coverage: readonly Coverage[],
  lengthKm: number,
): SilentPart[] {
  return sources.flatMap(({ source, words }) => {
    const own = coverage.filter((part) => part.source === source);
    return own.length > 0
      ? own.map(({ from_km, to_km }) => ({ from_km, to_km, words }))
      : [{ from_km: 0, to_km: lengthKm, words }];
  });
}

/** "Between M62 J26 and Hull"; '' when the kilometres are not known yet. */
export function betweenWords(
  places: readonly RoutePlace[],
  from_km: number | null,
  to_km: number | null,
): string {
  if (from_km === null) return '';
  const [low, high] = [Math.min(from_km, to_km ?? from_km), Math.max(from_km, to_km ?? from_km)];
  const before = places.findLast(({ km }) => km <= low + HERE_KM);
  const after = places.find(({ km }) => km >= high - HERE_KM);
  if (!before || !after) return '';
  return before === after
    ? `At ${placeName(before)}`
    : `Between ${placeName(before)} and ${placeName(after)}`;
}

/** Places are given to a tenth of a kilometre, so this much difference counts as the same place. */
const HERE_KM = 0.051;
