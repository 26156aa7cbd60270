/** The team's knowledge beyond the publishers: who has seen an alert, and the team's own reports. */
import { MINUTE_MS } from '#contract/durations.ts';
import { create } from 'zustand';
import type { Alert } from '../../../api/alerts/disruptions.ts';
import { isKnownAt } from '#contract/shift/responses.ts';
import { isSnoozed } from '#contract/shift/responseWords.ts';
import { useEffect } from 'react';
import { listResponses } from '../../../api/shift/inHand.ts';
import { reportsOf, responsesOf } from '../../../api/shift/responses.ts';
import { inOrder } from '../../../feeds/alerts/alerts.ts';
import { useRefreshed } from '../../../feeds/refresh/useRefreshed.ts';
import { NOTHING_IN_HAND, useInHand } from '../../../shift/inHand/inHandStore.ts';
import { seenWords } from '../../../shift/inHand/inHandStates.ts';
import { useClock } from '../../../time/tickingClock.ts';

/** "Seen by Rosa, 06:12", or "Seen 06:12" if names are not shown, by `event_id`. Alerts that nobody has acknowledged
 *  have no entry. */
export const useSeen = create<Record<string, string>>(() => ({}));

/** Drivers' reports that nobody has snoozed, worst first. */
export const useOurs = create<{ ours: readonly Alert[] }>(() => ({ ours: [] }));

/** Keeps three things current on a wall: who has seen an alert, the snoozed alerts, and the team's own reports. A
 *  paired display gets first names if its setting allows that. A wall on which a user is signed in shows no names,
 *  because nobody knows who passes that screen. */
export function useSeenByTeam(of: 'team' | 'display'): void {
  const { data } = useRefreshed('responses', listResponses, 'unattended');
  const minute = useClock((now) => Math.floor(now.getTime() / MINUTE_MS));

  useEffect(() => {
    const now = new Date(minute * MINUTE_MS);
    const seen = (data ? responsesOf(data) : []).flatMap((state) => {
      const words = seenWords(state, now, { names: of === 'display' });
      return words ? [[state.event_id, words] as const] : [];
    });
    useSeen.setState(Object.fromEntries(seen), true);
    const snoozes = (data ? responsesOf(data) : []).filter((state) => isSnoozed(state, now));
    const asleep = new Set(snoozes.map(({ event_id }) => event_id));
    const milder = snoozes.filter(({ snooze }) => !snooze?.critical).map(({ event_id }) => event_id);
    useInHand.setState({ snoozed: asleep, milder: new Set(milder) });
    // A wall without a network gives up old reports too.
    const ours = (data ? reportsOf(data) : [])
      // Notes are for the team, and not for people who pass the screen.
      .map(({ disruption }) => ({ ...disruption, summary_line: '' }))
      .filter((one) => !asleep.has(one.event_id) && isKnownAt(one, now));
    useOurs.setState({ ours: inOrder(ours) });
  }, [data, minute, of]);
  useEffect(
    () => () => {
      useOurs.setState({ ours: [] });
      useInHand.setState(NOTHING_IN_HAND);
    },
    [],
  );
}
