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

/** `since`: `shift`, `looked`, `day` or a batch. */
export const changesSince = (
  since: string,
  screen: LookedAt,
  signal?: AbortSignal,
): Promise<Reply<ChangesSummary>> =>
  read(Summary, 'changes/summary', { searchParams: { since, screen }, offlineCopy: true, signal });

const OnDisplay = tolerant(WireOnDisplay, null, { changes: items(WireChange) });

/** The changes of the last 24 hours that this paired display may show. */
export const changesOnDisplay = (
  screen: LookedAt,
  signal?: AbortSignal,
): Promise<Reply<Pick<ChangesSummary, 'changes'>>> =>
  read(OnDisplay, 'displays/me/changes', { searchParams: { screen }, offlineCopy: true, signal });

export async function noteLook(screen: LookedAt, batch: number): Promise<void> {
  await call(apiPath`changes/looks/${screen}`, { method: 'put', json: { batch } });
}
