import { MINUTE_MS } from '#contract/durations.ts';
import type { TeamResponse } from '#contract/shift/responses.ts';
import { isSnoozed } from '#contract/shift/responseWords.ts';
import { useEffect } from 'react';
import type { Alert } from '../../api/alerts/disruptions.ts';
import { useClock } from '../../time/tickingClock.ts';
import { hasWoken, useInHand } from './inHandStore.ts';
import { seenWords, whoWords } from './inHandWords.ts';

type States = ReadonlyMap<string, TeamResponse>;

/** The state of an alert: its own, else that of another report of the same incident. */
export function knownState(states: States, { event_id, metadata }: Alert): TeamResponse | undefined {
  const ids = [event_id, ...(metadata?.also_reported_by ?? []).flatMap((other) => other.event_id ?? [])];
  return ids.map((id) => states.get(id)).find((state) => state !== undefined);
}

export const isAsleep = (state: TeamResponse | undefined, alert: Alert | undefined, now: Date): boolean =>
  isSnoozed(state, now) && !(alert && hasWoken(alert, state?.snooze));

/** Writes what rows show of these alerts. Times and snoozes pass by themselves. */
export function useMarks(alerts: ReadonlyMap<string, Alert>, states: States): void {
  const minute = useClock((now) => Math.floor(now.getTime() / MINUTE_MS));
  const snoozed = useClock((now) =>
    [...alerts.values()]
      .filter((alert) => isAsleep(knownState(states, alert), alert, now))
      .map(({ event_id }) => event_id)
      .join('\n'),
  );

  useEffect(() => {
    const now = new Date(minute * MINUTE_MS);
    const marks = [...alerts.values()].flatMap((alert) => {
      const state = knownState(states, alert);
      const text = whoWords(state, now);
      return text ? [[alert.event_id, { text, seen: seenWords(state, now) }] as const] : [];
    });
    useInHand.setState({ marks: Object.fromEntries(marks) });
  }, [alerts, states, minute]);

  useEffect(() => {
    useInHand.setState({ snoozed: new Set(snoozed.split('\n').filter(Boolean)) });
  }, [snoozed]);
}
