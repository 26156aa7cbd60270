/** What is no longer expected: it says so for ten minutes, in its place. */
import { useState } from 'react';
import type { NextUp } from '../../../api/alerts/feeds.ts';
import { dateOf } from '../../../feeds/alerts/alerts.ts';
import { useClock } from '../../../time/tickingClock.ts';
import { serverNow } from '../../../time/freshness.ts';

export const WITHDRAWN_MS = 10 * 60_000;

export interface Withdrawn {
  entry: NextUp;
  /** In milliseconds, by the server's clock. */
  at: number;
}

/** An entry whose incident is expected at another time has moved, and one whose minute has come has gone by itself. */
export function withdrawnBetween(
  before: readonly NextUp[],
  after: readonly NextUp[],
  now: Date,
): Withdrawn[] {
  const keyOf = ({ event_id, kind }: NextUp) => `${event_id} ${kind}`;
  const known = new Set(after.map(keyOf));
  return before
    .filter((entry) => !known.has(keyOf(entry)) && (dateOf(entry.at) ?? now) > now)
    .map((entry) => ({ entry, at: now.getTime() }));
}

/** Those of the last ten minutes. Null as an answer withdraws nothing: the server does not say. */
export function useWithdrawn(nextUp: readonly NextUp[] | null): readonly Withdrawn[] {
  const [known, setKnown] = useState<{ nextUp: readonly NextUp[] | null; gone: readonly Withdrawn[] }>({
    nextUp,
    gone: [],
  });
  const isRecent = ({ at }: Withdrawn, now: Date) => {
    const age = now.getTime() - at;
    return age >= 0 && age < WITHDRAWN_MS;
  };
  if (nextUp && nextUp !== known.nextUp) {
    const now = serverNow();
    const back = new Set(nextUp.map(({ event_id }) => event_id));
    setKnown({
      nextUp,
      gone: [
        ...known.gone.filter((one) => isRecent(one, now) && !back.has(one.entry.event_id)),
        ...withdrawnBetween(known.nextUp ?? [], nextUp, now),
      ],
    });
  }
  const count = useClock((now) => known.gone.filter((one) => isRecent(one, now)).length);
  // The oldest come first, and go first.
  return known.gone.slice(known.gone.length - count);
}
