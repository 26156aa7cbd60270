/** The filters and hours of a route, an area or feeds, in words. Times are London's. */
import { capital } from '#contract/incidents/titleForms.ts';
import { DAY_MS } from '#contract/durations.ts';
import { FEEDS } from '#contract/feeds/feeds.ts';
import { knownSource } from '#contract/feeds/knownSources.ts';
import { gradeWords, type Which } from '#contract/watches/whichIncidents.ts';
import { type Hours, isWatching, type When } from '#contract/watches/whenWatched.ts';
import type { ListedWatch } from '../api/watches/watches.ts';
import { formatClock } from '../time/london.ts';
import { counted, grouped } from '#contract/numbers.ts';
import { daysWords } from './routeWords.ts';
import type { RouteState } from './watchState.ts';
import { countOf } from './watchState.ts';
import { isOver, windowName } from './timeWindow.ts';

type Watched = Pick<ListedWatch, 'kind' | 'which' | 'when'>;

/** "Mon to Fri 06:00–20:00", "always" */
export const hoursWords = (when: When): string =>
  when === null ? 'always' : `${daysWords(when.days, ' to ')} ${when.from}–${when.to}`;

/** "all modes", "rail", "rail and roads", "TfL" */
export function modesWords({ feeds, sources }: Pick<Which, 'feeds' | 'sources'>): string {
  const names = [
    ...FEEDS.filter(({ slug }) => feeds.includes(slug)).map(({ category }) => category.toLowerCase()),
    ...sources.map((source) => knownSource(source).displayName),
  ];
  return names.length === 0 ? 'all modes' : new Intl.ListFormat('en-GB').format(names);
}

/** "High and worse, all modes · Mon to Fri 06:00–20:00" */
export function whichWords({ kind, which, when }: Watched): string {
  const said = [
    capital(gradeWords(which)),
    which.min_severity !== 'low' && !which.unrated && 'rated only',
    modesWords(which),
    which.phase && (which.phase === 'planned' ? 'planned' : 'begun'),
    which.words && `“${which.words}”`,
    kind !== 'feeds' && which.level === 'certain' && 'certain only',
  ];
  return `${said.filter(Boolean).join(', ')} · ${hoursWords(when)}`;
}

const untilWords = ({ to }: Hours) => `to ${to}`;

/** The last line of its row: "High and worse, to 20:00", "High and worse, always". For feeds, whose name already
 *  says what they are, "always". Outside its hours "Mon to Fri 07:00–19:00". */
export function rowWords({ kind, which, when, named_by_hand }: ListedWatch, now: Date): string {
  const hours = when === null ? 'always' : isWatching(when, now) ? untilWords(when) : hoursWords(when);
  const isNamed = kind === 'feeds' && !named_by_hand;
  if (isNamed || (when !== null && !isWatching(when, now))) return hours;
  return `${capital(gradeWords(which))}, ${hours}`;
}

/** The right end of its row: "4 now", "4, next 12 hours", "from 07:00", "from Mon 07:00". */
export function rowCount(state: RouteState, now: Date): string {
  const name = windowName(state.window, state.trip, now);
  if (isOver(state.window, now)) return name;
  if (state.standing === 'off')
    return state.from ? `from ${dayAhead(state.from, now)}${formatClock(state.from)}` : '';
  return `${grouped(countOf(state))}${name === 'now' ? '' : ','} ${name}`;
}

const WEEKDAY = new Intl.DateTimeFormat('en-GB', { weekday: 'short', timeZone: 'Europe/London' });

/** "Mon " when that is a day or more away. */
const dayAhead = (at: Date, now: Date) =>
  at.getTime() - now.getTime() >= DAY_MS ? `${WEEKDAY.format(at)} ` : '';

/** The heading of its column: "Leeds" for a name that we made, otherwise the typed name. */
export const columnName = ({ kind, name, named_by_hand, place }: ListedWatch): string =>
  kind === 'area' && !named_by_hand && place ? place : name;

/** The line under the heading: "within 30 km · until 20:00", "always". The time is left out when the data is not
 *  current. */
export function columnWords({ kind, reach_m, when }: ListedWatch, now: Date, counting: boolean): string {
  const hours =
    when === null
      ? 'always'
      : !counting
        ? hoursWords(when)
        : isWatching(when, now)
          ? `until ${when.to}`
          : hoursWords(when);
  return [kind === 'area' && reach_m ? `within ${kilometresOf(reach_m)} km` : '', hours]
    .filter(Boolean)
    .join(' · ');
}

const kilometresOf = (metres: number) => String(Math.round(metres / 100) / 10);

/** The place of an area: "30 km round Leeds". */
export const placeWords = ({ reach_m, place }: ListedWatch): string =>
  [reach_m ? `${kilometresOf(reach_m)} km` : 'The area', place && `round ${place}`].filter(Boolean).join(' ');

/** The number of alerts that are left out: "9 below high", "2 others", "9 below high and 2 others"; '' when there
 *  are none. */
export function leftOutWords({ kind, which, left_out }: ListedWatch): string {
  const { grade } = left_out;
  // For feeds, reports of other feeds are not counted as left out: nobody looks for them here.
  const others = kind === 'feeds' ? 0 : left_out.others;
  return [
    grade > 0 && `${grouped(grade)} below ${which.min_severity}`,
    others > 0 && (grade > 0 ? counted(others, 'other') : `${grouped(others)} by what it lets through`),
  ]
    .filter(Boolean)
    .join(' and ');
}
