/** The alerts that the team has in hand, as this page knows them: the server's answer, changed by actions that still
 *  wait to be sent. */
import { noResponse, type OwnReport, type TeamResponse, UNDO_MS } from '#contract/shift/responses.ts';
import { create } from 'zustand';
import type { Alert } from '../../api/alerts/disruptions.ts';
import { dateOf, titleOf } from '../../feeds/alerts/alerts.ts';
import { doAction, type Doing, dropAction, useQueue, type WaitingAction } from './sendActions.ts';
import { MINUTE_MS } from '#contract/durations.ts';
import {
  DISPOSITION_WORDS,
  firstName,
  isAcknowledged,
  isSnoozed,
  LAPSE_WORDS,
} from '#contract/shift/responseWords.ts';
import { useEffect } from 'react';
import { useClock } from '../../time/tickingClock.ts';
import { hasWoken, useInHand } from './inHandStore.ts';
import { shortTime } from '../../feeds/alerts/alertTimes.ts';

interface Known {
  states: ReadonlyMap<string, TeamResponse>;
  reports: OwnReport[];
  /** False before the first answer: then nothing is known about any alert. */
  isLoaded: boolean;
}

export const useStates = create<Known>(() => ({ states: new Map(), reports: [], isLoaded: false }));

/** The state of an alert. If there is none, the state of an alert about which nothing was done. */
export const stateOf = (states: Known['states'], alert: Alert): TeamResponse =>
  knownState(states, alert) ?? noResponse(alert.event_id);

export const useStateOf = (alert: Alert): TeamResponse => {
  const states = useStates((known) => known.states);
  return stateOf(states, alert);
};

const NOTHING_TO_UNDO = { action: null, before: null, until: 0 };

/** The action that can be undone. */
export const useUndo = create<{ action: WaitingAction | null; before: TeamResponse | null; until: number }>(
  () => NOTHING_TO_UNDO,
);

/** Does something about an alert. It can be undone for 10 seconds. */
export async function act(alert: Alert, doing: Doing): Promise<void> {
  const before = stateOf(useStates.getState().states, alert);
  const action = await doAction({
    event_id: before.event_id,
    title: titleOf(alert),
    severity: alert.severity ?? undefined,
    doing,
    rev: before.rev,
  });
  const canUndo = action.isLate || oppositeOf(doing, before) !== null;
  useUndo.setState(canUndo ? { action, before, until: Date.now() + UNDO_MS } : NOTHING_TO_UNDO);
}

/** Undoes the last action. If it was not sent yet, it is dropped; otherwise the opposite action is sent. */
export async function undo(alert: Alert): Promise<void> {
  const { action, before } = useUndo.getState();
  useUndo.setState(NOTHING_TO_UNDO);
  if (!action || !before) return;
  const waiting = useQueue.getState().items.find(({ id }) => id === action.id);
  // An action that is not late, or was sent before, may be on its way.
  if (waiting?.isLate && !waiting.wasSent) return dropAction(action.id);
  const opposite = oppositeOf(action.doing, before);
  if (!opposite) return;
  const { event_id, title, severity } = action;
  const { rev } = stateOf(useStates.getState().states, alert);
  await doAction({ event_id, title, severity, rev, doing: opposite });
}

function oppositeOf(doing: Doing, before: TeamResponse): Doing | null {
  // An acknowledgement that had lapsed did not count, so nobody had the alert.
  const acknowledged: Doing | null =
    before.disposition === null || before.lapsed !== null
      ? null
      : { kind: 'acknowledge', disposition: before.disposition };
  switch (doing.kind) {
    case 'acknowledge':
      return acknowledged ?? { kind: 'reopen' };
    case 'snooze':
      // The length of an ended snooze is no longer known.
      return doing.snooze === null ? null : { kind: 'snooze', snooze: null };
    case 'reopen':
      return acknowledged;
    default:
      return null;
  }
}

/** Opens the dialog with the answers to an alert. */
export const useAsked = create<{ alert: Alert | null; only: 'snooze' | null }>(() => ({
  alert: null,
  only: null,
}));

export const ask = (alert: Alert, only: 'snooze' | null = null) => useAsked.setState({ alert, only });

type States = ReadonlyMap<string, TeamResponse>;

/** The state of an alert: its own, otherwise that of another report of the same incident. */
function knownState(states: States, { event_id, metadata }: Alert): TeamResponse | undefined {
  const ids = [event_id, ...(metadata?.also_reported_by ?? []).flatMap((other) => other.event_id ?? [])];
  return ids.map((id) => states.get(id)).find((state) => state !== undefined);
}

export const isAsleep = (state: TeamResponse | undefined, alert: Alert | undefined, now: Date): boolean =>
  isSnoozed(state, now) && !(alert && hasWoken(alert, state?.snooze));

/** Stores the marks that the rows show of these alerts. Times and snoozes also end without an action. */
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

// The words for a response on screen.

/** "Rosa Jones · Diverted · 08:12"; '' when nobody has it. */
export function whoWords(state: TeamResponse | undefined, now: Date): string {
  const at = dateOf(state?.at);
  if (!state || !at || !isAcknowledged(state)) return '';
  return [state.by?.name, DISPOSITION_WORDS[state.disposition!] ?? state.disposition, shortTime(at, now)]
    .filter(Boolean)
    .join(' · ');
}

/** "Seen by Rosa, 06:12"; "Seen 06:12" if names are not shown; '' when nobody has it. */
export function seenWords(
  state: TeamResponse | undefined,
  now: Date,
  { names = true }: { names?: boolean } = {},
): string {
  const at = dateOf(state?.at);
  if (!state || !at || !isAcknowledged(state)) return '';
  const time = shortTime(at, now);
  return names && state.by ? `Seen by ${firstName(state.by.name)}, ${time}` : `Seen ${time}`;
}

/** "Acknowledged by Rosa Jones at 08:12. Worse since."; '' when the acknowledgement counts, or there was none. */
export function lapseWords(state: TeamResponse | undefined, now: Date): string {
  const at = dateOf(state?.at);
  if (!state?.lapsed || !at) return '';
  return `Acknowledged by ${state.by?.name ?? 'somebody'} at ${shortTime(at, now)}. ${LAPSE_WORDS[state.lapsed]}`;
}

/** "Snoozed until 09:30", "Snoozed until it changes"; '' when it is not snoozed. */
export function snoozeWords(state: TeamResponse | undefined, now: Date): string {
  if (!state?.snooze || !isSnoozed(state, now)) return '';
  if (state.snooze.change) return 'Snoozed until it changes';
  return `Snoozed until ${shortTime(new Date(state.snooze.until), now)}`;
}
