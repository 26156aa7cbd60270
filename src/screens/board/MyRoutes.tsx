import { pageAddress, pageAddressOf } from '#contract/addresses.ts';
import { useEffect, useEffectEvent } from 'react';
import { Link } from 'wouter';
import { useInHand } from '../../shift/inHand/inHandStore.ts';
import { useJudgedAgain } from '../../time/tickingClock.ts';
import { serverNow } from '../../time/freshness.ts';
import { Severity } from '../../ui/signs/Severity.tsx';
import { clearWords, placesOf, routeLines } from '../../watches/myRoutes.ts';
import { awake, inOrder, knownOf, stateOf } from '../../watches/watchState.ts';
import { useWatches } from '../../watches/useWatches.ts';
import { NEXT_DEPARTURE } from '../../watches/timeWindow.ts';
import styles from './MyRoutes.module.css';

/** The states of the team's routes and areas, worst first; nothing if the team has none. */
export default function MyRoutes({
  asked,
}: {
  /** How often somebody has asked for a refresh by hand. */
  asked: number;
}) {
  const { data, at, refresh } = useWatches();
  const again = useEffectEvent(refresh);
  useEffect(() => {
    if (asked > 0) again();
  }, [asked]);
  useJudgedAgain();
  const asleep = useInHand(({ snoozed }) => snoozed);
  const places = placesOf(data?.watches ?? []);
  if (!data || !at || places.length === 0) return null;

  const now = serverNow();
  const known = knownOf(data, at);
  const lines = routeLines(
    inOrder(
      places.map((watch) => ({
        watch,
        state: awake(stateOf(watch, known, NEXT_DEPARTURE, now), asleep, now),
      })),
    ),
    now,
  );
  const clear = clearWords(lines);

  return (
    <section className={styles.routes} data-text="line" aria-labelledby="my-routes">
      <h2 id="my-routes" data-text="in">
        <Link href={pageAddress('routes')} data-tap data-text="strong" data-tone="2">
          My routes
        </Link>
      </h2>
      <ul data-row="5" data-tight>
        {lines
          .filter(({ isClear }) => !isClear)
          .map(({ id, name, grades, words }) => (
            <li key={id} data-line data-links>
              <Link href={pageAddressOf('route', id)}>{name}</Link>
              {grades.map((grade) => (
                <Severity key={grade} grade={grade} wordless />
              ))}
              <span>{words}</span>
            </li>
          ))}
        {clear && <li data-line>{clear}</li>}
      </ul>
    </section>
  );
}
