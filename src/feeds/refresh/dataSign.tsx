/** The message about data that is old or could not be refreshed, the same on a tablet and on a wall. */
import { dataAge, dataFreshness, isStale } from '../../time/freshness.ts';
import { sinceText } from '../alerts/alerts.ts';
import { ageText } from './connectionWords.ts';
import { useClock } from '../../time/tickingClock.ts';
import type { Problem, Progress } from './refreshSchedule.ts';
import { useOnline } from '../../device/useOnline.ts';

/** The sign is read out again at these ages, in minutes. Between them only its number changes. */
const BANDS = [1, 3, 5, 10, 15, 30, 60];

export interface DataSign {
  /** The last refresh failed. */
  failed: boolean;
  /** "Not updating since 05:56", "Not updating for 2 hours"; null when no data is on screen. */
  head: string | null;
  /** Whether the data is too old to describe the present. */
  old: boolean;
  /** Meaning of that. */
  advice: string;
  /** The sign is read out again when this changes. */
  key: string;
}

/** Null while all is well. `at`: when the server gave the data on screen; null if there is none. `what`: the name of
 *  that data. */
export function useDataSign(
  at: Date | null,
  problem: Problem | null,
  what: 'board' | 'list' | 'page' = 'board',
): DataSign | null {
  const online = useOnline();
  const minutes = useClock((now) => (at ? Math.floor(dataAge(at, now) / 60_000) : null));
  const old = useClock((now) => at !== null && isStale(at, now));
  const veryOld = useClock((now) => at !== null && dataFreshness(at, now) === 'veryOld');
  const asOf = useClock((now) => (at ? sinceText(at, now) : null));
  if (!old && problem === null && online) return null;

  const isOffline = !online || problem === 'offline';
  return {
    failed: problem !== null,
    head: asOf && (veryOld ? `Not updating for ${ageText(minutes ?? 0)}` : `Not updating since ${asOf}`),
    old,
    advice: advice(),
    key: `${problem} ${isOffline} ${bandOf(minutes)}`,
  };

  function advice() {
    if (veryOld) return `Do not plan from this ${what}.`;
    if (old) return `Showing the ${what} as it was.`;
    // Old data has this word beside the title of the page.
    const why = isOffline ? 'Offline' : 'No answer';
    return at ? `${why}: showing the ${what} as it was.` : `${why}.`;
  }
}

/** "Next try in 20 seconds.", or that a try is in progress. */
export function NextTry({ refreshing, nextTryAt }: Pick<Progress, 'refreshing' | 'nextTryAt'>) {
  const seconds = useClock(() =>
    nextTryAt === null ? null : Math.max(1, Math.ceil((nextTryAt - Date.now()) / 1000)),
  );
  if (refreshing) return 'Trying now.';
  return seconds !== null && `Next try in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}.`;
}

function bandOf(minutes: number | null): number {
  return BANDS.findLast((band) => (minutes ?? 0) >= band) ?? 0;
}
