/** Changes since a time, and how far the user has seen them. */
import { apiPath } from '#contract/addresses.ts';
import {
  ChangesSummary as WireSummary,
  DisplayChanges as WireOnDisplay,
  Look,
  type LookedAt,
  NetChange as WireChange,
} from '#contract/incidents/changes.ts';
import { z } from 'zod/mini';
import { call, read, type Reply } from '../http.ts';
import { items, maybe, tolerant } from '../tolerant.ts';

const Count = z.catch(z.number(), 0);

const Summary = tolerant(WireSummary, null, {
  since: z.string(),
  batch: z.number(),
  counts: z.object({ new: Count, worse: Count, cleared: Count, lost: Count }),
  changes: items(WireChange),
  looked: z.catch(z.nullable(Look), null),
  unseen: maybe(z.number()),
  unseen_messages: maybe(z.number()),
});
export type ChangesSummary = z.output<typeof Summary>;

/** Checks a stored copy, which an older version of the app may have made. */
export const readSummary = (data: unknown): ChangesSummary | null => Summary.safeParse(data).data ?? null;

/** `since`: an earlier look, or the beginning of a span. */
export const changesSince = (
  since: 'shift' | 'looked' | 'day' | Look,
  screen: LookedAt,
  signal?: AbortSignal,
): Promise<Reply<ChangesSummary>> => {
  const from = typeof since === 'string' ? { since } : { since: String(since.batch), seen_at: since.at };
  return read(Summary, 'changes/summary', { searchParams: { ...from, screen }, offlineCopy: true, signal });
};

const OnDisplay = tolerant(WireOnDisplay, null, { changes: items(WireChange) });

/** The changes of the last 24 hours that this paired display may show. */
export const changesOnDisplay = (
  screen: LookedAt,
  signal?: AbortSignal,
): Promise<Reply<Pick<ChangesSummary, 'changes'>>> =>
  read(OnDisplay, 'displays/me/changes', { searchParams: { screen }, offlineCopy: true, signal });

export const noteLook = (screen: LookedAt, look: Look) =>
  call(apiPath`changes/looks/${screen}`, { method: 'put', json: look });
