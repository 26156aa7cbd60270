import { CheckCircleIcon } from '@phosphor-icons/react/dist/csr/CheckCircle';
import { useMemo, type ReactNode } from 'react';
import type { Watches } from '../api/watches.ts';
import { sinceText } from '../feeds/alerts.ts';
import { useAsleep } from '../shift/inHandStore.ts';
import { useClock } from '../time/clock.ts';
import { isStale } from '../time/freshness.ts';
import { Severity } from '../ui/Severity.tsx';
import { VisuallyHidden } from '../ui/VisuallyHidden.tsx';
import { routeLines } from '../watches/myRoutes.ts';
import { awake, inOrder, knownOf, stateOf } from '../watches/state.ts';
import { useWallWatches } from '../watches/useWatches.ts';
import { NEXT_DEPARTURE } from '../watches/window.ts';
import { pageAt } from './feedPages.ts';
import { textWidth, useFacesLoaded } from './fit.ts';
import { ROUTES_GAP, ROUTES_HEADING, ROUTES_LINE } from './measures.ts';
import { type RouteEntry, routePages, ROUTES_PAGE_MS } from './routePages.ts';
import styles from './WallRoutes.module.css';

/** States depend on the time; so often they are judged again. */
const JUDGE_MS = 5000;

/** The line of My routes; null where there are none to show. */
export function useWallRoutes(of: 'team' | 'display' | null): ReactNode {
  const { data, at } = useWallWatches(of);
  return data && at && data.watches.length > 0 ? <WallRoutes data={data} at={at} /> : null;
}

/** Worst first. An old answer is shown as of its time, and nothing in it reads as clear now. */
export function WallRoutes({ data, at }: { data: Watches; at: Date }) {
  const judged = useClock((now) => Math.floor(now.getTime() / JUDGE_MS) * JUDGE_MS);
  const isOld = useClock((now) => isStale(at, now));
  const asOf = useClock((now) => (isStale(at, now) ? sinceText(at, now) : ''));
  const asleep = useAsleep(data.incidents);
  const loaded = useFacesLoaded();
  const heading = asOf ? `My routes, ${asOf}` : 'My routes';
  const pages = useMemo(
    () => pagesOf(data, { at, now: isOld ? at : new Date(judged), asleep, were: isOld, heading, loaded }),
    [data, at, isOld, judged, asleep, heading, loaded],
  );
  const page = useClock((now) => pageAt(now, pages.length, ROUTES_PAGE_MS));
  const others = pages.filter((_, index) => index !== page).flat();

  return (
    <section className={styles.routes} aria-labelledby="my-routes" data-fresh={isOld ? 'stale' : undefined}>
      <h2 id="my-routes">
        {heading}
        {pages.length > 1 && (
          <span className={styles.page}>
            <VisuallyHidden>, page </VisuallyHidden> {page + 1} of {pages.length}
          </span>
        )}
      </h2>
      <ul>
        {pages[page]?.map((entry) => (
          <Entry key={entry.key} entry={entry} />
        ))}
      </ul>
      {others.length > 0 && (
        <VisuallyHidden>
          {others.map(({ key, name, grades, words }) => (
            <span key={key}>
              {name} {grades.join(', ')} {words}.{' '}
            </span>
          ))}
        </VisuallyHidden>
      )}
    </section>
  );
}

function Entry({ entry: { name, grades, words, isClear } }: { entry: RouteEntry }) {
  return (
    <li data-clear={isClear || undefined}>
      {isClear && <CheckCircleIcon weight="fill" aria-hidden />}
      {name && (
        <b>
          <bdi>{name}</bdi>
        </b>
      )}
      {grades.map((grade) => (
        <Severity key={grade} grade={grade} wordless />
      ))}
      <span className={styles.words}>{words}</span>
    </li>
  );
}

/** `loaded` is not read: it says that texts are measured again. */
function pagesOf(
  data: Watches,
  {
    at,
    now,
    asleep,
    were,
    heading,
  }: { at: Date; now: Date; asleep: ReadonlySet<string>; were: boolean; heading: string; loaded: boolean },
): RouteEntry[][] {
  const known = knownOf(data, at);
  const states = data.watches.map((watch) => ({
    watch,
    state: awake(stateOf(watch, known, NEXT_DEPARTURE, now), asleep),
  }));
  const lines = routeLines(inOrder(states));
  const pagesBeside = (text: string) => {
    const beside = Math.max(ROUTES_HEADING, textWidth(text, 'routeWords') + ROUTES_GAP);
    return routePages(lines, { width: ROUTES_LINE - beside, were });
  };
  const pages = pagesBeside(heading);
  return pages.length > 1 ? pagesBeside(`${heading} 10 of 10`) : pages;
}
