/** Sentences about a route and the alerts that touch it. */
import { kilometres } from '#contract/places/distance.ts';
import { london } from '#contract/london.ts';
import { guessedDuration, GUESSED_KMH, type CoursePart, type Departure } from '#contract/watches/watches.ts';
import { knownSource } from '#contract/feeds/knownSources.ts';
import type { Direction } from '#contract/incidents/facts.ts';
import type { Alert } from '../api/alerts/disruptions.ts';
import type { Instant } from '../time/london.ts';
import { grouped } from '#contract/numbers.ts';
import type { Touch } from './timeWindow.ts';

export const DIRECTION_WORDS: Readonly<Record<Direction, string>> = {
  N: 'northbound',
  E: 'eastbound',
  S: 'southbound',
  W: 'westbound',
  CW: 'clockwise',
  AC: 'anti-clockwise',
};

const sourceName = (alert: Alert | null) =>
  alert?.source
    ? alert.source.startsWith('own:')
      ? 'Our team'
      : knownSource(alert.source).displayName
    : 'Its publisher';

/** "Certain: National Highways names the M62, J26 to J27, eastbound." */
export function whyWords({ match, alert }: Touch): string {
  const { why, level } = match;
  const subject = why.startsWith('names ')
    ? `${sourceName(alert)} `
    : why.startsWith('runs ')
      ? 'this route '
      : why.startsWith('lies ')
        ? 'it '
        : '';
  return `${level === 'certain' ? 'Certain' : 'Possible'}: ${subject}${why || 'no reason was given'}.`;
}

/** "This route uses the M62 from J26 to J29 eastbound."; '' when no road of the route has a name. */
export function usesWords({ match, alert }: Touch, course: readonly CoursePart[]): string {
  const roads = alert?.facts?.roads ?? [];
  const named = course.filter(({ road }) => road && roads.includes(road));
  const km = match.from_km;
  const part =
    km === null ? named[0] : (named.find(({ from_km, to_km }) => from_km <= km && km <= to_km) ?? named[0]);
  if (!part?.road) return '';
  return `This route uses the ${[
    part.road,
    part.from && part.to && `from ${part.from} to ${part.to}`,
    part.direction && DIRECTION_WORDS[part.direction],
  ]
    .filter(Boolean)
    .join(' ')}.`;
}

/** "M62 J26–J27 eastbound", "M1"; '' when the publisher names no road. */
export function stretchWords(alert: Alert | null): string {
  const { stretch, roads, direction } = alert?.facts ?? {};
  const [first] = stretch ?? [];
  const road = first?.road ?? roads?.[0];
  if (!road) return '';
  const between =
    first?.from && (first.to && first.to !== first.from ? `${first.from}–${first.to}` : first.from);
  return [road, between, direction && DIRECTION_WORDS[direction]].filter(Boolean).join(' ');
}

const COMPASS = ['north', 'north-east', 'east', 'south-east', 'south', 'south-west', 'west', 'north-west'];

/** "11 km south-west", "0.4 km north": the distance and direction from an area's middle; '' when one of the two
 *  places is not known. */
export function fromMiddleWords(
  middle: readonly [longitude: number, latitude: number] | null,
  alert: Alert | null,
): string {
  const { latitude, longitude } = alert ?? {};
  if (!middle || latitude == null || longitude == null) return '';
  const [fromLongitude, fromLatitude] = middle;
  const km = kilometres(fromLatitude, fromLongitude, latitude, longitude);
  if (km < 0.5) return 'in the middle';
  const east = (longitude - fromLongitude) * Math.cos((latitude * Math.PI) / 180);
  const eighth = Math.round((Math.atan2(east, latitude - fromLatitude) / (2 * Math.PI)) * 8);
  return `${km < 10 ? km.toFixed(1).replace('.0', '') : Math.round(km)} km ${COMPASS[(eighth + 8) % 8]}`;
}

/** "km 21–28", "km 289" */
export function kmWords({ from_km, to_km }: Touch['match']): string {
  if (from_km === null) return '';
  const from = Math.round(from_km);
  const to = Math.round(to_km ?? from_km);
  return to > from ? `km ${from}–${to}` : `km ${from}`;
}

/** "4 h 05", "4 h", "45 min", "5 days" */
export function durationWords(minutes: number): string {
  if (minutes >= 2 * 24 * 60) return `${Math.round(minutes / (24 * 60))} days`;
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  if (hours === 0) return `${minutes} min`;
  return rest > 0 ? `${hours} h ${String(rest).padStart(2, '0')}` : `${hours} h`;
}

/** "takes 4 h 05 (we guessed from 324 km at 80 km/h)" */
export const takesWords = ({ duration_min }: Pick<Departure, 'duration_min'>, lengthKm: number): string =>
  duration_min === null
    ? `takes ${durationWords(guessedDuration(lengthKm))} (we guessed from ${grouped(Math.round(lengthKm))} km at ${GUESSED_KMH} km/h)`
    : `takes ${durationWords(duration_min)}`;

export const DAY_NAMES = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] as const;

/** "every day", "Mon–Fri", "Sat, Sun", "Mon, Wed–Fri". `to` replaces the dash. */
export function daysWords(days: number, to = '–'): string {
  if ((days & 0b1111111) === 0b1111111) return 'every day';
  const runs: [number, number][] = [];
  DAY_NAMES.forEach((_, day) => {
    if ((days & (1 << day)) === 0) return;
    const last = runs.at(-1);
    if (last && last[1] === day - 1) last[1] = day;
    else runs.push([day, day]);
  });
  return runs
    .flatMap(([first, last]) =>
      last - first >= 2
        ? [`${DAY_NAMES[first]}${to}${DAY_NAMES[last]}`]
        : DAY_NAMES.slice(first, last + 1).map((name) => name as string),
    )
    .join(', ');
}

const MONTH = london({ month: 'long' });
const YEAR = london({ year: 'numeric' });
const DAY = london({ day: 'numeric' });

/** "1–30 November", "25 October to 23 November"; with the year when it is not this year. */
export function betweenWords(from: Instant, to: Instant, now: Instant): string {
  const [one, other] = [new Date(from), new Date(to)];
  const years = [one, other].map((at) => YEAR.format(at));
  const withYear = years.some((year) => year !== YEAR.format(new Date(now)));
  const words = (at: Date, year = withYear) =>
    [DAY.format(at), MONTH.format(at), year && YEAR.format(at)].filter(Boolean).join(' ');
  if (years[0] !== years[1] || MONTH.format(one) !== MONTH.format(other))
    return `${words(one)} to ${words(other)}`;
  return DAY.format(one) === DAY.format(other) ? words(one) : `${DAY.format(one)}–${words(other)}`;
}
