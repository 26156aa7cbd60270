/**
 * Actions that were tapped on a notification. They join the queue of actions, as if they had been tapped on the page.
 */
import { Severity } from '#contract/incidents/severity.ts';
import { noResponse, TeamResponse } from '#contract/shift/responses.ts';
import { del, get, update } from 'idb-keyval';
import { DEVICE_RECEIVER, TAPPED, type Tapped, tapsIn } from '../../../sw/workerMessages.ts';
import { listResponses } from '../../api/shift/inHand.ts';
import { oneTabAtATime } from '../../api/http.ts';
import { useSession } from '../../session/session.ts';
import { type Doing, doAction } from './sendActions.ts';

/** An action that no page took for so long says nothing about what the person wants now. */
const KEPT_MS = 60 * 60_000;

const DOINGS: Readonly<Record<Tapped['action'], Doing>> = {
  acknowledge: { kind: 'acknowledge', disposition: 'dealing_with_it' },
  snooze: { kind: 'snooze', snooze: '1_h' },
};

/** Takes the waiting actions, once, in one tab. Never rejects: if they could not be read, the next page takes them. */
export async function takeTapped(): Promise<void> {
  try {
    await oneTabAtATime('clearway-tapped', takeAll);
  } catch {
    /* By design: there is no storage, or no answer yet. */
  }
}

async function takeAll(): Promise<void> {
  const stored = await get<unknown>(TAPPED);
  const { user } = useSession.getState();
  if (stored === undefined || !user) return;
  const all = tapsIn(stored);
  const here = await get<string>(DEVICE_RECEIVER);
  const fresh = all.filter(({ receiver, at }) => receiver === here && Date.now() - at < KEPT_MS);
  const states = fresh.length > 0 ? await statesNow() : new Map<string, TeamResponse>();
  for (const { action, title, severity, event_ids } of fresh) {
    for (const event_id of event_ids) {
      const state = states.get(event_id) ?? noResponse(event_id);
      const isTaken = action === 'acknowledge' && state.disposition !== null && state.lapsed === null;
      if (isTaken && state.by?.id === user.id) continue;
      const grade = Severity.safeParse(severity);
      await doAction({
        event_id,
        title,
        severity: grade.success ? grade.data : undefined,
        doing: DOINGS[action],
        // The notification is older than this page's data, so the server must say who was first.
        rev: isTaken ? 0 : state.rev,
      });
    }
  }
  const taken = new Set(all.map(({ id }) => id));
  await update<Tapped[]>(TAPPED, (now) => tapsIn(now).filter(({ id }) => !taken.has(id)));
  if (tapsIn(await get(TAPPED)).length === 0) await del(TAPPED);
}

/** Without a network this is empty: the server compares when it gets the action. */
async function statesNow(): Promise<Map<string, TeamResponse>> {
  try {
    const { data } = await listResponses();
    const read = data.responses.flatMap((one) => TeamResponse.safeParse(one).data ?? []);
    return new Map(read.map((state) => [state.event_id, state]));
  } catch {
    return new Map();
  }
}
