import { useMemo, type ReactNode } from 'react';
import type { Watches } from '../../../api/watches/watches.ts';
import { gradeOf, sinceText } from '../../../feeds/alerts/alerts.ts';
import { useAsleep } from '../../../shift/inHand/inHandStore.ts';
import { useClock, useJudgedAgain } from '../../../time/tickingClock.ts';
import { useIsOld } from '../../../feeds/refresh/useBoard.ts';
import { placesOf, routeLines } from '../../../watches/myRoutes.ts';
import { awake, inOrder, knownOf, type RouteState, stateOf } from '../../../watches/watchState.ts';
import { useWallWatches } from '../../../watches/useWatches.ts';
import { NEXT_DEPARTURE } from '../../../watches/timeWindow.ts';
import { GRADE_WORDS } from '../../../ui/signs/Severity.tsx';
import { countStates, EntryMark, type EntryState, wordsThatFit } from './EntryMark.tsx';
import { textWidth } from '../words/textFit.ts';
import { ROUTES_GAP, ROUTES_HEADING, ROUTES_SYMBOL, routesLine, useForm } from '../words/wallMeasures.ts';
import styles from './WallRoutes.module.css';

/** The line of Our routes; null when there are none to show. */
export function useWallRoutes(of: 'team' | 'display'): ReactNode {
  const { data, at } = useWallWatches(of);
  return data && at && placesOf(data.watches).length > 0 ? <WallRoutes data={data} at={at} /> : null;
}

/** The state of a route as one symbol. A route whose rest is not known is not clear. */
export function entryStateOf({ standing, certain, possible, snoozed, unplaced }: RouteState): EntryState {
  const [worst] = certain;
  if (worst) return worst.alert ? gradeOf(worst.alert) : 'unrated';
  if (possible.length > 0) return 'possible';
  return standing === 'clear' && !snoozed && !unplaced ? 'clear' : 'unknown';
}

/** The routes and areas with their states now, the worst first. For an old answer, the states at its time. */
export function useStates(data: Watches, at: Date) {
  const judged = useJudgedAgain();
  const isOld = useIsOld(at);
  const asleep = useAsleep(data.incidents);
  const routes = useMemo(() => {
    const now = isOld ? at : new Date(judged);
    const known = knownOf(data, at);
    return inOrder(
      placesOf(data.watches).map((watch) => ({
        watch,
        state: awake(stateOf(watch, known, NEXT_DEPARTURE, now), asleep, now),
      })),
    );
  }, [data, at, isOld, judged, asleep]);
  return { routes, isOld, now: isOld ? at : new Date(judged) };
}

/** The critical routes by name, the number of routes in each other state, and at the right the clear ones. Together
 *  they are all routes. */
export function WallRoutes({ data, at }: { data: Watches; at: Date }) {
  const { routes, isOld, now } = useStates(data, at);
  const asOf = useClock((time) => sinceText(at, time));
  const heading = isOld ? `Our routes, ${asOf}` : 'Our routes';
  const states = countStates(routes.map(({ state }) => entryStateOf(state)));
  const critical = routes.filter(({ state }) => entryStateOf(state) === 'critical');
  const clear = states.find(({ state }) => state === 'clear')?.count ?? 0;
  const clearWords = isOld ? (clear === 1 ? 'was clear' : 'were clear') : 'clear';
  const others = states.filter(({ state }) => state !== 'critical' && state !== 'clear');
  const line = routesLine(useForm()) + ROUTES_GAP; // there is none after the last entry
  const taken = [...others.map(({ count }) => `${count}`), ...(clear > 0 ? [`${clear} ${clearWords}`] : [])]
    .map((words) => ROUTES_SYMBOL + textWidth(words, 'routeWords') + ROUTES_GAP)
    .reduce(
      (sum, width) => sum + width,
      Math.max(ROUTES_HEADING, textWidth(heading, 'routeWords') + ROUTES_GAP),
    );
  const names = critical.map(({ watch }) => watch.name);
  // From the third name on, words have priority over names: first the words of all counts, otherwise those of states
  // that are not grades, because nothing else explains them.
  const noGrades = others.filter(({ state }) => !(state in GRADE_WORDS));
  const tries = [others, noGrades, []].map((worded) =>
    namesThatFit(
      names,
      line - taken - worded.reduce((sum, { state }) => sum + textWidth(` ${WORDS[state]}`, 'routeWords'), 0),
    ),
  );
  const named = tries.find(({ length }) => length >= Math.min(FIRST_NAMES, names.length)) ?? tries.at(-1)!;
  const unnamed = critical.length - named.length;
  const left =
    line -
    taken -
    named.reduce((sum, name) => sum + widthOfName(name), 0) -
    widthOfRest(named.length, unnamed);
  const worded = wordsThatFit(
    // States that are not grades come first, because the rows above have no such symbols.
    (Object.keys(WORDS) as EntryState[]).filter((state) => others.some((other) => other.state === state)),
    left,
    (state) => textWidth(` ${WORDS[state]}`, 'routeWords'),
  );

  return (
    <section className={styles.routes} aria-labelledby="our-routes" data-fresh={isOld ? 'stale' : undefined}>
      <h2 id="our-routes">{heading}</h2>
      <ul aria-hidden="true">
        {named.map((name, place) => (
          <li key={critical[place]!.watch.id}>
            <EntryMark state="critical" />
            <b>
              <bdi>{name}</bdi>
            </b>
          </li>
        ))}
        {unnamed > 0 && (
          <li>
            <EntryMark state="critical" count={unnamed} />
            <span>&nbsp;{restWord(named.length)}</span>
          </li>
        )}
        {others.map(({ state, count }) => (
          <li key={state}>
            <EntryMark state={state} count={count} />
            {worded.has(state) && <span>&nbsp;{WORDS[state]}</span>}
          </li>
        ))}
        {clear > 0 && (
          <li data-push>
            <EntryMark state="clear" count={clear} />
            <span>&nbsp;{clearWords}</span>
          </li>
        )}
      </ul>
      <span data-hidden>
        <ul>
          {routeLines(routes, now).map(({ id, name, grades, words }) => (
            <li key={id}>
              {name}: {[...grades, words].join(', ')}.
            </li>
          ))}
        </ul>
      </span>
    </section>
  );
}

const widthOfName = (name: string): number => ROUTES_SYMBOL + textWidth(name, 'route') + ROUTES_GAP;

const WORDS: Readonly<Record<EntryState, string>> = {
  critical: 'critical',
  late: 'late',
  possible: 'possible',
  unknown: 'cannot say',
  high: 'high',
  medium: 'medium',
  low: 'low',
  unrated: 'unrated',
  clear: 'clear',
};

const FIRST_NAMES = 2;

/** "2 more" */
const restWord = (named: number): string => (named > 0 ? 'more' : WORDS.critical);

const widthOfRest = (named: number, unnamed: number): number =>
  unnamed > 0 ? ROUTES_SYMBOL + textWidth(`${unnamed} ${restWord(named)}`, 'routeWords') + ROUTES_GAP : 0;

/** As many names as fit, from the first. The line says how many are left out. */
function namesThatFit(names: readonly string[], width: number): string[] {
  const widths = names.map(widthOfName);
  const taken = (named: number) =>
    widths.slice(0, named).reduce((sum, one) => sum + one, 0) + widthOfRest(named, names.length - named);
  let named = names.length;
  while (named > 0 && taken(named) > width) named -= 1;
  return names.slice(0, named);
}
