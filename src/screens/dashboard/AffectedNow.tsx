import { pageAddress } from '#contract/addresses.ts';
import { Link } from 'wouter';
import { useOnline } from '../../device/useOnline.ts';
import { PageState } from '../../feeds/refresh/PageState.tsx';
import { isSilent } from '../../feeds/alerts/sourceStatus.ts';
import { useInHand } from '../../shift/inHand/inHandStore.ts';
import { useClock, useJudgedAgain } from '../../time/tickingClock.ts';
import { isStale, serverNow } from '../../time/freshness.ts';
import { Notice } from '../../ui/signs/Notice.tsx';
import { counted } from '#contract/numbers.ts';
import { Panel } from '../../ui/page/Page.tsx';
import { clearWords, placesOf, routeLines } from '../../watches/myRoutes.ts';
import { RouteRow } from '../../watches/RouteRow.tsx';
import { affectedNow, awake, inOrder, knownOf, type RouteState, stateOf } from '../../watches/watchState.ts';
import { stateWords } from '../../watches/stateWords.ts';
import { useWatches } from '../../watches/useWatches.ts';
import { NEXT_DEPARTURE } from '../../watches/timeWindow.ts';
import styles from './AffectedNow.module.css';

/** More would push everything else off the first screen. */
const LISTED_MOST = 5;

/** The team's routes and areas that are affected now, by the rule and in the words of the routes' page; nothing if
 *  it has none. Routes about which nothing is known are listed too. */
export default function AffectedNow() {
  const line = useWatches();
  const offline = !useOnline() || line.problem === 'offline';
  const stale = useClock((now) => line.at !== null && isStale(line.at, now));
  useJudgedAgain();
  const asleep = useInHand(({ snoozed }) => snoozed);
  const { data, at } = line;
  if (!data || !at) return line.problem ? <Notice>Unable to load routes</Notice> : null;
  const places = placesOf(data.watches);
  if (places.length === 0) return null;

  const now = serverNow();
  const known = knownOf(data, at);
  const judged = places.map((watch) => {
    const affected = affectedNow(watch, known, now);
    const state = affected ?? stateOf(watch, known, NEXT_DEPARTURE, now);
    return { watch, state: awake(state, asleep, now), isListed: affected !== null };
  });
  const listed = inOrder(judged.filter(({ isListed }) => isListed));
  const others = judged.filter(({ isListed }) => !isListed);

  return (
    <div data-fresh={stale || offline ? 'stale' : undefined} data-bottom="6">
      <Panel
        heading="Affected now"
        aside={<PageState {...line} silent={data.sources.filter(isSilent).length} />}
      >
        {listed.length > 0 && (
          <ol className={styles.rows} aria-label="Routes and areas that are affected now, worst first">
            {listed.slice(0, LISTED_MOST).map(({ watch, state }, at) => (
              <RouteRow
                key={watch.id}
                watch={watch}
                state={state}
                counting={!stale && !offline}
                isOpen={false}
                isSame={at > 0 && isOneAlert(state, listed[at - 1]!.state, now)}
              />
            ))}
          </ol>
        )}
        <p className={styles.rest} data-text="line" data-tone="2">
          {listed.length > LISTED_MOST && (
            <>
              <Link href={pageAddress('routes')} data-tap="line">
                and {listed.length - LISTED_MOST} more
              </Link>
              .{' '}
            </>
          )}
          {restWords(others, now)}{' '}
          <Link href={pageAddress('routes')} data-tap="line">
            {places.length === 1 ? 'Routes' : `All ${counted(places.length, 'route')}`}
          </Link>
        </p>
      </Panel>
    </div>
  );
}

/** Whether both are certainly touched by the same alert first, in the same words. */
const isOneAlert = (state: RouteState, above: RouteState, now: Date): boolean =>
  state.certain[0] !== undefined &&
  state.certain[0].match.subject_id === above.certain[0]?.match.subject_id &&
  stateWords(state, now).join() === stateWords(above, now).join();

/** "York to Bristol and 2 more clear for 06:10. Leeds to Hull: no trouble reported now, no source covers part of it." */
function restWords(
  others: Parameters<typeof inOrder>[0] & Parameters<typeof routeLines>[0],
  now: Date,
): string {
  const lines = routeLines(inOrder(others), now);
  const clear = clearWords(lines);
  return [
    ...lines.filter(({ isClear }) => !isClear).map(({ name, words }) => `${name}: ${words}`),
    ...(clear ? [clear] : []),
  ]
    .map((words) => `${words}.`)
    .join(' ');
}
