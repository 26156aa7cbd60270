/** Actions on alerts and marks on jobs. They are kept in this browser, in order, until the server has them, and the
 *  page sends them. Each action has an id of its own, so that it counts once even if its answer was lost. A refusal
 *  is kept and shown. */
import { type Disposition, noResponse, type TeamResponse } from '#contract/shift/responses.ts';
import { type SnoozeFor, snoozeUntil } from '#contract/shift/snoozes.ts';
import type { JobMark } from '#contract/watches/jobs.ts';
import { useMemo } from 'react';
import { create } from 'zustand';
import { offlineScope, oneTabAtATime, Refused } from '../../api/http.ts';
import { markJob } from '../../api/watches/jobs.ts';
import { addNote, addReport, putResponse, reopenResponse, strikeNote } from '../../api/shift/responses.ts';
import { changeActions, noteAhead, storeAhead, waitingActions } from '../../offline/actionStore.ts';
import { useSession } from '../../session/session.ts';
import { serverNow } from '../../time/freshness.ts';
import { uuid7 } from '#contract/uuid7.ts';

export type Doing =
  | { kind: 'acknowledge'; disposition: Disposition }
  | { kind: 'snooze'; snooze: SnoozeFor | null }
  | { kind: 'reopen' }
  | { kind: 'note'; text: string }
  | { kind: 'strike'; note: string }
  | { kind: 'report'; report: ReportDraft }
  | { kind: 'job'; mark: JobMark; undo: boolean };

/** A driver's report to the team, as it was typed. */
export type ReportDraft = Omit<Parameters<typeof addReport>[0], 'id' | 'at'>;

export interface WaitingAction {
  id: string;
  /** The id of the alert or the job. */
  event_id: string;
  /** The name of the alert or job, for the list of waiting actions. */
  title: string;
  severity: string | undefined;
  doing: Doing;
  /** The revision of the state that the person saw. */
  rev: number;
  at: string;
  /** Sending it has failed before, or there was no network. */
  isLate: boolean;
  /** The server may have it, although it has not answered. */
  wasSent: boolean;
  /** Why the server refuses it. */
  refused: string | null;
}

/** An action that the server has taken, but that no answer of the server shows yet. */
interface TakenAction extends WaitingAction {
  /** By the server's clock. */
  takenAt: Date;
  /** The session in which it was done. */
  scope: string | null;
}

/** Actions that wait, and actions that the server has lately taken from this page. */
export const useQueue = create<{ items: WaitingAction[]; taken: TakenAction[] }>(() => ({
  items: [],
  taken: [],
}));

/** Actions that the server's answer of `at` does not contain, in order. Without them an action would seem undone on
 *  the screen until the next answer. `at` is null before the first answer. */
export function useUnknownAt(at: Date | null): { waiting: WaitingAction[]; taken: WaitingAction[] } {
  const { items, taken } = useQueue();
  return useMemo(
    () => ({
      // An action that the server is taking is in both lists.
      waiting: items.filter(({ id }) => !taken.some((one) => one.id === id)),
      // Times of answers are whole seconds, so an action of the same second may be missing from the answer.
      taken: taken.filter(({ takenAt, scope }) => (!at || takenAt >= at) && scope === offlineScope()),
    }),
    [items, taken, at],
  );
}

const listeners = new Set<() => void>();

/** Calls `listener` after the server has taken or refused something, until the returned function is called. */
export function whenSent(listener: () => void): () => void {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}

const show = (items: WaitingAction[]) => useQueue.setState({ items });

/** Far more actions than are done between two answers. */
const MOST_TAKEN = 100;

const keepTaken = (action: WaitingAction, takenAt: Date, scope: string | null) =>
  useQueue.setState(({ taken }) => ({ taken: [...taken, { ...action, takenAt, scope }].slice(-MOST_TAKEN) }));

/** Reads the actions that other tabs and earlier visits left, and sends them. */
export async function resumeQueue(): Promise<void> {
  show(await storeAhead<WaitingAction>());
  await sendQueue();
}

type Asked = Pick<WaitingAction, 'event_id' | 'title' | 'severity' | 'doing' | 'rev'>;

/** Keeps a report that did not reach the server. It is sent once, under its id, when the connection is back.
 *  `wasSent`: the server may have it, although it has not answered. */
export async function keepReport(
  { id, at, ...report }: ReportDraft & { id: string; at: string },
  wasSent: boolean,
): Promise<void> {
  const { title, severity } = report;
  const doing = { kind: 'report' as const, report };
  const action: WaitingAction = {
    id,
    at,
    event_id: id,
    title,
    severity,
    doing,
    rev: 0,
    isLate: true,
    wasSent,
    refused: null,
  };
  show([...useQueue.getState().items, action]);
  show(await changeActions<WaitingAction>((items) => [...items, action]));
  void sendQueue();
}

/** Whether the server has not refused: the same action can be sent again later. */
export const isForLater = (error: unknown): boolean =>
  !(error instanceof Refused) || error.status === 401 || error.status === 429;

/** Promises the waiting action; sending goes on meanwhile. */
export async function doAction(asked: Asked): Promise<WaitingAction> {
  const at = serverNow();
  const action: WaitingAction = {
    ...asked,
    id: uuid7(at),
    at: at.toISOString(),
    isLate: !navigator.onLine,
    wasSent: false,
    refused: null,
  };
  // Shown before it is stored, so that a slow disk does not delay a tap.
  show([...useQueue.getState().items, action]);
  noteAhead(action);
  show(await storeAhead<WaitingAction>());
  void sendQueue();
  return action;
}

/** Removes an action from the list, whether it was refused or not sent yet. */
export async function dropAction(id: string): Promise<void> {
  show(await changeActions<WaitingAction>((items) => items.filter((one) => one.id !== id)));
}

let sending: Promise<void> | null = null;
let isAskedAgain = false;

/** Sends the waiting actions, in order, from one tab at a time, until one has no answer. Never rejects. */
export function sendQueue(): Promise<void> {
  if (sending) isAskedAgain = true;
  sending ??= (async () => {
    do {
      isAskedAgain = false;
      try {
        await oneTabAtATime('clearway-actions', sendAll);
      } catch {
        /* By design: the next answer of the server, or the network's return, tries again. */
      }
    } while (isAskedAgain);
  })().finally(() => (sending = null));
  return sending;
}

async function sendAll(): Promise<void> {
  for (;;) {
    const items = await waitingActions<WaitingAction>();
    show(items);
    const next = items.find(({ refused }) => refused === null);
    if (!next) return;
    try {
      if (next.isLate && !next.wasSent && navigator.onLine) {
        await change(
          ({ id }) => id === next.id,
          (item) => ({ ...item, wasSent: true }),
        );
      }
      const scope = offlineScope();
      keepTaken(next, await send(next), scope);
      await dropAction(next.id);
    } catch (error) {
      if (isForLater(error) || !(error instanceof Refused)) {
        const wasOnline = navigator.onLine;
        await change(
          (item) => item.refused === null,
          (item) => ({ ...item, isLate: true, wasSent: item.wasSent || (wasOnline && item.id === next.id) }),
        );
        return;
      }
      const { detail } = error;
      // Later actions on the same alert depend on the refused one. Their revisions alone would let them overwrite the
      // change of somebody else.
      const restsOnIt = ({ event_id, rev, refused, doing }: WaitingAction) =>
        changesState(next.doing) &&
        changesState(doing) &&
        event_id === next.event_id &&
        rev > next.rev &&
        refused === null;
      await change(
        (item) => item.id === next.id || restsOnIt(item),
        (item) => ({ ...item, refused: detail }),
      );
    }
    for (const listener of listeners) listener();
  }
}

const changesState = ({ kind }: Doing) => kind === 'acknowledge' || kind === 'snooze' || kind === 'reopen';

const change = async (
  which: (item: WaitingAction) => boolean,
  to: (item: WaitingAction) => WaitingAction,
): Promise<void> =>
  show(await changeActions<WaitingAction>((items) => items.map((item) => (which(item) ? to(item) : item))));

/** Promises the time when the server had it. */
async function send({ event_id, doing, rev, id, at, severity }: WaitingAction): Promise<Date> {
  const done = { id, at };
  switch (doing.kind) {
    case 'acknowledge':
      return putResponse(event_id, rev, { ...done, disposition: doing.disposition, severity });
    case 'snooze':
      return putResponse(event_id, rev, { ...done, snooze: doing.snooze, severity });
    case 'reopen':
      return reopenResponse(event_id, rev, done);
    case 'note':
      return addNote(event_id, { ...done, text: doing.text });
    case 'strike':
      return strikeNote(event_id, doing.note, done);
    case 'report':
      return addReport({ ...doing.report, ...done });
    case 'job':
      return markJob(event_id, doing.mark, { at, undo: doing.undo });
  }
}

/** The state after the server has taken this action. */
export function after(state: TeamResponse, { doing, at, severity }: WaitingAction): TeamResponse {
  const { user } = useSession.getState();
  const by = user && { id: user.id, name: user.displayName ?? '' };
  const next = { ...state, rev: state.rev + 1 };
  switch (doing.kind) {
    case 'acknowledge':
      return { ...next, disposition: doing.disposition, by, at, lapsed: null, lapsed_at: null };
    case 'snooze': {
      if (doing.snooze === null) return { ...next, snooze: null };
      // Only the server knows when the shift ends.
      const until = snoozeUntil(doing.snooze, new Date(at), []).toISOString();
      const change = doing.snooze === 'until_it_changes';
      return { ...next, snooze: { until, change, by, at, critical: severity === 'critical' } };
    }
    case 'reopen':
      return { ...noResponse(state.event_id), rev: state.rev + 1 };
    case 'note':
    case 'strike':
    case 'report':
    case 'job':
      return state;
  }
}

/** The server's states, changed by actions that it does not know yet. Refused actions do not count. */
export function withWaiting(
  responses: readonly TeamResponse[],
  items: readonly WaitingAction[],
): ReadonlyMap<string, TeamResponse> {
  const states = new Map(responses.map((state) => [state.event_id, state]));
  for (const item of items) {
    if (item.refused !== null || !changesState(item.doing)) continue;
    const state = states.get(item.event_id) ?? noResponse(item.event_id);
    // The server may have known the action already, although its answer was lost.
    if (state.rev <= item.rev) states.set(item.event_id, after(state, item));
  }
  return states;
}
