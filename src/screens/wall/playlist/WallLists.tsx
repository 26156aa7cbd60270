import type { ReactNode } from 'react';
import type { Watches } from '../../../api/watches/watches.ts';
import { type Board, useShown } from '../../../feeds/refresh/useBoard.ts';
import { useClock } from '../../../time/tickingClock.ts';
import { dayAndClock } from '../../../watches/dayAndClock.ts';
import { touchTitle } from '../../../watches/watchState.ts';
import { MOST_MARKS_ALONE } from '../mapMarks.ts';
import { EntryMark } from './EntryMark.tsx';
import { measureSheet } from '../words/wallMeasures.ts';
import { timeOnWall } from '../words/shownTime.ts';
import { placeAndEffects } from '../words/shownTitle.ts';
import { UkMap } from '../UkMap.tsx';
import { useLead } from '../band/useLead.ts';
import { WallHeader } from '../frame/WallHeader.tsx';
import styles from './WallLists.module.css';
import { entryStateOf, useStates } from './WallRoutes.tsx';

interface PageProps {
  board: Board;
  band: { message: ReactNode } | null;
}

const ROUTES_MOST = 10;

function Frame({ board, band, name, children }: PageProps & { name: string; children: ReactNode }) {
  const { rows, at, freshness } = useShown(board.view);
  return (
    <div className={styles.wall} style={measureSheet}>
      <main
        className={styles.page}
        data-fresh={freshness === 'fresh' || freshness === 'late' ? freshness : 'stale'}
      >
        <WallHeader board={board} at={at} rows={rows} ours={[]} pageText={name} signedOut={null} />
        <div>{band?.message}</div>
        <div className={styles.body}>{children}</div>
        <div className={styles.shade} />
      </main>
    </div>
  );
}

/** The routes, worst first, each with what touches it and until when. */
export function RoutesPage({ routes, ...page }: PageProps & { routes: { data: Watches; at: Date } | null }) {
  return (
    <Frame name="Our routes" {...page}>
      {routes ? <Routes {...routes} /> : <p className={styles.none}>This display was given no routes.</p>}
    </Frame>
  );
}

function Routes({ data, at }: { data: Watches; at: Date }) {
  const { routes, isOld, now } = useStates(data, at);
  return (
    <ul className={styles.routes} data-fresh={isOld ? 'stale' : undefined}>
      {routes.slice(0, ROUTES_MOST).map(({ watch, state }) => {
        const [worst] = [...state.certain, ...state.possible];
        const entry = entryStateOf(state);
        return (
          <li key={watch.id}>
            <EntryMark state={entry} />
            <h3>
              <bdi>{watch.name}</bdi>
            </h3>
            <span className={styles.what}>
              {worst
                ? touchTitle(worst)
                : entry === 'clear'
                  ? isOld
                    ? 'Was clear'
                    : 'Clear'
                  : 'Do not rely on this'}
            </span>
            <span className={styles.until}>{worst?.alert ? timeOnWall(worst.alert, now) : ''}</span>
            <time>{state.trip ? dayAndClock(state.trip.leaves, now) : ''}</time>
          </li>
        );
      })}
      {routes.length > ROUTES_MOST && <li className={styles.none}>and {routes.length - ROUTES_MOST} more</li>}
    </ul>
  );
}

const WORST_SHOWN = 8;

/** The country at full height, and the worst beside it. */
export function MapPage(page: PageProps) {
  const { rows, boardStale } = useShown(page.board.view);
  const lead = useLead(rows, boardStale);
  return (
    <Frame name="Map" {...page}>
      <div className={styles.mapPage}>
        <div className={styles.map}>
          <UkMap rows={rows} lead={lead.alert} tied={false} most={MOST_MARKS_ALONE} />
        </div>
        <ol className={styles.worst}>
          {lead.candidates.slice(0, WORST_SHOWN).map((alert) => (
            <Worst key={alert.event_id} alert={alert} />
          ))}
        </ol>
      </div>
    </Frame>
  );
}

function Worst({ alert }: { alert: Parameters<typeof placeAndEffects>[0] }) {
  const time = useClock((now) => timeOnWall(alert, now));
  const { place, effects } = placeAndEffects(alert, MAP_TEXT, 'lead');
  return (
    <li>
      <EntryMark state={alert.severity ?? 'unrated'} />
      <p>
        <b>{place}</b>
        <span>{effects.at(-1)}</span>
      </p>
      <span className={styles.until}>{time}</span>
    </li>
  );
}

/** Beside the map, in units. */
const MAP_TEXT = 800;
