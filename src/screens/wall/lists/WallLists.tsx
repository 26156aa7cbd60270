import { type CSSProperties, useMemo } from 'react';
import type { Alert } from '../../../api/alerts/disruptions.ts';
import { sinceText } from '../../../feeds/alerts/alerts.ts';
import { useShown } from '../../../feeds/refresh/useBoard.ts';
import { orderOf } from '../../../feeds/alerts/leadAlerts.ts';
import { useClock } from '../../../time/tickingClock.ts';
import { EntryMark } from './EntryMark.tsx';
import { ListBand } from './ListBand.tsx';
import { MOST_MARKS_ALONE } from '../mapMarks.ts';
import { linesNow, rowsThatFit } from '../rows/feedPages.ts';
import { entryOf, type ListEntry, touchingOf } from './routeEntries.ts';
import { fitting, textWidth, useFacesLoaded } from '../words/textFit.ts';
import { LIST_HEIGHT, UPRIGHT_LIST_HEIGHT, useForm } from '../words/wallMeasures.ts';
import { timeOnWall } from '../words/shownTime.ts';
import { placeAndEffects } from '../words/shownTitle.ts';
import { UkMap } from '../UkMap.tsx';
import { useLead } from '../band/useLead.ts';
import {
  EntryName,
  type Known,
  Leaves,
  ListFrame,
  type ListPageProps,
  noteOf,
  WallList,
} from './WallList.tsx';
import styles from './WallList.module.css';
import { entryStateOf, useStates } from './WallRoutes.tsx';
import { counted } from '#contract/numbers.ts';

const HEADS = ['Route', 'What touches it', 'Until or since'];
const LEAVES = 'On the way or next';

/** The routes, worst first, each with what touches it and until when. */
export function RoutesPage({
  known: { data, at },
  turn,
  pinned,
  ...page
}: ListPageProps & { known: Known; pinned: boolean }) {
  const { routes, isOld, now } = useStates(data, at);
  const states = routes.map(({ state }) => entryStateOf(state));
  const touched = routes.filter(({ state }) => state.certain.length > 0).length;
  const of = counted(routes.length, 'route');
  const upright = useForm() === 'upright';
  const entries = routes.map((route) => entryOf(route, { now, isOld }));
  const most = rowsThatFit(ROWS[upright ? 'upright' : 'usual'], page.band);
  const { elsewhere, ...shown } = linesNow(entries, most, turn);
  return (
    <ListFrame
      {...page}
      title="Our routes"
      {...noteOf(of, elsewhere, isOld ? `as of ${sinceText(at, now)}` : `${touched} touched`)}
      what="Routes"
      at={at}
      states={states}
      worst={
        <ListBand
          touching={touchingOf(routes)}
          of={of}
          ours="our routes"
          asOf={isOld ? at : null}
          pinned={pinned}
        />
      }
    >
      <WallList
        kind="routes"
        {...shown}
        most={most}
        heads={entries.some(({ leaves }) => leaves) ? [...HEADS, LEAVES] : HEADS}
        isOld={isOld}
        Row={Route}
      />
    </ListFrame>
  );
}

const ROWS = {
  usual: { most: 10, height: LIST_HEIGHT, least: 54 },
  upright: { most: 14, height: UPRIGHT_LIST_HEIGHT, least: 84 },
};

const GAP = 22;
/** The room for a name and for what touches it, at the size at which they are measured. Upright, the time is beside
 *  the name, otherwise beside what touches it. */
const ROOM = {
  usual: { size: 45, name: () => 544, what: (time: number) => 909 - time },
  upright: {
    size: 42,
    name: (time: number) => ((841 - (time * 31) / 35) * 45) / 42,
    what: () => (787 * 36) / 31,
  },
};

function Route({ entry, isNext }: { entry: ListEntry; isNext: boolean }) {
  const { state, name, what, time } = entry;
  const room = ROOM[useForm() === 'upright' ? 'upright' : 'usual'];
  const timeWidth = time ? textWidth(time, 'listTime') + GAP : 0;
  return (
    <>
      <EntryMark state={state} />
      <EntryName name={name} room={room.name(timeWidth)} size={room.size} />
      <span className={styles.what}>{fitting(what, room.what(timeWidth), 'listWhat')}</span>
      <span className={styles.until}>{time}</span>
      <Leaves entry={entry} isNext={isNext} />
    </>
  );
}

const WORST = { most: 8, height: 930, least: 94 };

/** The map at full height, with the worst alerts beside it. */
export function MapPage(page: Omit<ListPageProps, 'turn'>) {
  const { rows, boardStale } = useShown(page.board.view);
  const lead = useLead(rows, boardStale);
  const upright = useForm() === 'upright';
  const most = rowsThatFit(WORST, upright ? null : page.band);
  const worst = useMemo(() => {
    const { leads, queue } = orderOf(rows.flatMap(({ events }) => events));
    return [...leads, ...queue].filter(({ see }) => !see).slice(0, most);
  }, [rows, most]);
  return (
    <ListFrame
      {...page}
      title="Map"
      note={worst.length > 0 ? `The worst ${worst.length}` : 'No active alerts'}
      what="Board"
      worst={null}
    >
      <div className={styles.mapPage}>
        <div className={styles.map}>
          <UkMap
            key={String(useFacesLoaded())}
            rows={rows}
            lead={lead.alert}
            tied={false}
            most={MOST_MARKS_ALONE}
          />
        </div>
        <ol className={`${styles.rows} ${styles.worst}`} style={{ '--most': most } as CSSProperties}>
          {worst.map((alert) => (
            <Worst key={alert.event_id} alert={alert} />
          ))}
        </ol>
      </div>
    </ListFrame>
  );
}

function Worst({ alert }: { alert: Alert }) {
  const time = useClock((now) => timeOnWall(alert, now));
  const upright = useForm() === 'upright';
  const room = upright ? UPRIGHT_MAP_TEXT - textWidth(time, 'listTime') : MAP_TEXT;
  const { place, effects } = placeAndEffects(alert, room, 'lead');
  return (
    <li>
      <EntryMark state={alert.severity ?? 'unrated'} />
      <p>
        <b>{place}</b>
        <span>{fitting(effects, room, 'listWhat')}</span>
      </p>
      <span className={styles.until}>{time}</span>
    </li>
  );
}

/** The room beside the map, in units; and below it, less the symbol, beside a time of any length. */
const MAP_TEXT = 800;
const UPRIGHT_MAP_TEXT = 1000 - 118;
