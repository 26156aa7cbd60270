import { matchAddress } from '#contract/addresses.ts';
import { isUnderWay, type Trip } from '#contract/watches/departures.ts';
import { useState } from 'react';
import { Link } from 'wouter';
import type { AlertRecord } from '../../api/alerts/alerts.ts';
import type { ListedWatch } from '../../api/watches/watches.ts';
import { useOnline } from '../../device/useOnline.ts';
import { useClock } from '../../time/tickingClock.ts';
import { Panel } from '../../ui/page/Page.tsx';
import {
  dayAndClock,
  endUnknownWords,
  isMetBy,
  judgedIn,
  NEXT_DEPARTURE,
  reachWords,
  type Touch,
} from '../../watches/timeWindow.ts';
import { NotOursMark } from '../../watches/NotOursMark.tsx';
import { kmWords } from '../../watches/routeWords.ts';
import { knownOf, outdatedSince, touchesOf } from '../../watches/watchState.ts';
import { CHECKING } from '../../watches/stateWords.ts';
import { useWatches } from '../../watches/useWatches.ts';
import styles from './AlertPage.module.css';

const LEVELS = { certain: 'Certain', possible: 'Possible' } as const;

/** The team's routes and areas that the alert touches, the certain ones apart from the possible ones, each with the
 *  departures that meet it. Nothing if the team has none. */
export default function OnRoutes({ alert }: { alert: AlertRecord }) {
  const { data, at, problem, renew } = useWatches();
  const offline = !useOnline() || problem === 'offline';
  /** Routes that were marked here as not touched. They stay in their place, so that the mark can be undone there. */
  const [marked, setMarked] = useState<readonly TouchedWatch[]>([]);
  const outdated = useClock((now) => (data && at ? outdatedSince(knownOf(data, at), now) !== null : false));
  if (!data || !at || data.watches.length === 0) return null;
  const known = knownOf(data, at);
  const ids = new Set([
    alert.event_id,
    ...(alert.metadata?.also_reported_by ?? []).map(({ event_id }) => event_id),
  ]);
  const touched = data.watches.flatMap((watch): TouchedWatch[] => {
    const touch = touchesOf(watch, known).find(({ match }) => ids.has(match.subject_id));
    return touch ? [{ watch, touch }] : marked.filter((one) => one.watch.id === watch.id);
  });
  const noteMarked = async (one: TouchedWatch, isMarked: boolean) => {
    if (isMarked) setMarked((before) => [...before, one]);
    await renew();
    if (!isMarked) setMarked((before) => before.filter(({ watch }) => watch.id !== one.watch.id));
  };
  const checking = data.watches.filter((watch) => watch.checking);

  return (
    <Panel heading="On our routes">
      {outdated && (
        <p data-text="small" data-tone="2">
          No recent information: as it was when last loaded.
        </p>
      )}
      {(['certain', 'possible'] as const).map((level) => {
        const some = touched.filter(({ touch }) => touch.match.level === level);
        return (
          some.length > 0 && (
            <section key={level} aria-label={LEVELS[level]}>
              <p>
                <b>{LEVELS[level]}</b>
              </p>
              <ul className={styles.near} data-ruled data-text="note">
                {some.map((one) => (
                  <Touched
                    key={one.watch.id}
                    {...one}
                    offline={offline}
                    onMarked={(isMarked) => void noteMarked(one, isMarked)}
                  />
                ))}
              </ul>
            </section>
          )
        );
      })}
      {touched.length === 0 && <p>{outdated ? 'Not known now' : 'None of our routes that we know of'}</p>}
      {checking.length > 0 && (
        <p data-text="small" data-tone="2">
          {CHECKING} {checking.map(({ name }) => name).join(', ')}
        </p>
      )}
    </Panel>
  );
}

interface TouchedWatch {
  watch: ListedWatch;
  touch: Touch;
}

function Touched({
  watch,
  touch,
  offline,
  onMarked,
}: TouchedWatch & { offline: boolean; onMarked: (isMarked: boolean) => void }) {
  const when = useClock((now) => meetingWords(watch, touch, now));
  const { match } = touch;
  return (
    <li>
      <div>
        <b data-tone="1" data-text="strong">
          <Link data-tone="1" href={matchAddress(watch.id, match.subject_id)}>
            {watch.name}
          </Link>
        </b>
        <span>{[kmWords(match), match.why, when].filter(Boolean).join(' · ')}</span>
        <span>
          <NotOursMark
            watchId={watch.id}
            subjectIds={[match.subject_id]}
            about={watch.name}
            kind={watch.kind}
            offline={offline}
            onChanged={onMarked}
          />
        </span>
      </div>
    </li>
  );
}

/** "left 15:30, reached about 16:10; 16:45, reached about 16:58; and 3 more" */
function meetingWords(watch: ListedWatch, touch: Touch, now: Date): string {
  if (watch.departures.length === 0) return '';
  const trips = judgedIn(watch, NEXT_DEPARTURE, now).trips.filter((trip) => isMetBy(trip, touch, now));
  if (trips.length === 0) return 'no departure meets it now, nor the next';
  const said = trips.slice(0, 3).map((trip) => tripWords(trip, touch, now));
  const end = endUnknownWords(touch, { window: NEXT_DEPARTURE, trip: trips[0]!, trips }, now); // there is one
  return [...said, trips.length > 3 && `and ${trips.length - 3} more`, end].filter(Boolean).join('; ');
}

function tripWords(trip: Trip, touch: Touch, now: Date): string {
  const leaves = `${isUnderWay(trip, now) ? 'left ' : ''}${dayAndClock(trip.leaves, now)}`;
  return [leaves, reachWords(trip, touch, now)].filter(Boolean).join(', ');
}
