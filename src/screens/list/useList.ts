/** The alerts of the list. All alerts of one state are loaded, so that every filter works without a network. If one
 *  answer cannot hold them all, the server filters. */
import { londonDay } from '#contract/london.ts';
import { useState } from 'react';
import { ALERTS_PER_ANSWER, listAlerts, type ListedAlert } from '../../api/alerts/alerts.ts';
import { useAnswer } from '../../api/useAnswer.ts';
import { searchPlaces } from '../../api/places/geocode.ts';
import { useRefreshed } from '../../feeds/refresh/useRefreshed.ts';
import { useClock } from '../../time/tickingClock.ts';
import {
  callOf,
  type Filters,
  isFiltered,
  type Shown,
  shownBy,
  type Spot,
  whenOf,
  withoutPlaceOf,
} from './listFilters.ts';

/** `ours`: the team's own reports, which are not in the answers about all alerts. */
export function useList(filters: Filters, ours: readonly ListedAlert[]) {
  const today = useClock(midnight);
  const whole = whenOf(filters, today);
  const all = useRefreshed(JSON.stringify(whole), (signal) => listAlerts(whole, signal));
  const isCut = (all.data?.total ?? 0) > (all.data?.events.length ?? 0);
  const narrow = callOf(filters, today);
  const narrowed = useRefreshed(isCut && isFiltered(filters) ? JSON.stringify(narrow) : null, (signal) =>
    listAlerts(narrow, signal),
  );
  const { spot, isUnknown, failure, isLooking, attribution, lookAgain } = useSpot(filters.near);

  const known = all.data?.events ?? [];
  const own = all.data && filters.when === 'active' ? ours : [];
  const found = [...own, ...(narrowed.data?.events ?? known)];
  const shown: Shown[] = (isUnknown || failure) && !filters.withoutPlace ? [] : shownBy(found, filters, spot);
  const ownShown = shown.filter(({ alert }) => own.includes(alert)).length;
  return {
    line: all,
    shown,
    /** How many alerts the filters let through; more than `shown` if one answer cannot hold them. */
    matching: Math.max(
      shown.length,
      ownShown + ((narrowed.data ?? (isFiltered(filters) ? null : all.data))?.total ?? 0),
    ),
    /** All alerts of this state, without filters. */
    total: own.length + (all.data?.total ?? known.length),
    withoutPlace:
      withoutPlaceOf(own, filters) +
      (narrowed.data?.total_without_position ?? withoutPlaceOf(known, filters)),
    /** Only the worst alerts were searched: there are more, but the server did not answer. */
    isPartial: isCut && isFiltered(filters) && !narrowed.data && narrowed.problem !== null,
    searched: Math.min(known.length, ALERTS_PER_ANSWER),
    spot,
    isUnknown,
    failure,
    isLooking,
    lookAgain,
    attribution,
  };
}

/** The beginning of the day in London. */
function midnight(now: Date): string {
  const day = londonDay(now);
  const utc = new Date(`${day}T00:00:00.000Z`);
  // In summer, midnight in London is an hour before midnight UTC.
  const before = new Date(utc.getTime() - 60 * 60_000);
  return (londonDay(before) === day ? before : utc).toISOString();
}

const COORDINATES = /^(-?\d{1,2}(?:\.\d+)?)\s*,\s*(-?\d{1,3}(?:\.\d+)?)$/;
const SETTLE_MS = 400;

/** The position of these words. Without a network it is taken from places that were searched before. */
function useSpot(near: string) {
  const words = near.trim();
  /** Asked for by hand. */
  const [again, setAgain] = useState({ words: '', times: 0 });
  const times = again.words === words ? again.times : 0;
  const [, latitude, longitude] = COORDINATES.exec(words) ?? [];
  const spot = latitude ? { label: words, latitude: Number(latitude), longitude: Number(longitude) } : null;
  const { data, failure, isLoading } = useAnswer(
    words === '' ? null : `${times} ${words}`,
    async (signal): Promise<{ places: readonly Spot[]; attribution: string | null }> =>
      spot ? { places: [spot], attribution: null } : searchPlaces(words, signal),
    `“${words}” cannot be looked up now.`,
    { settleMs: spot || times > 0 ? 0 : SETTLE_MS },
  );
  return {
    spot: data?.places[0] ?? null,
    /** True: the place is unknown. */
    isUnknown: data?.places.length === 0,
    /** Why it is not known whether there is such a place. */
    failure,
    attribution: data?.attribution ?? null,
    isLooking: isLoading,
    lookAgain: () => setAgain({ words, times: times + 1 }),
  };
}
