/** Digests: possible ones, planned ones that are near, and what was held back, in one message at a person's time. */
import type { MessageBody } from '#contract/messages.ts';
import type { AlertWatch, Touch } from '../db/alerts.ts';
import { messages } from '../db/messages.ts';
import type { Db } from '../db/open.ts';
import { digestOf, receivers as receiversIn } from '../db/receivers.ts';
import type { MessagesTable } from '../db/schema.ts';
import { digestDue } from './groups.ts';
import { isPaused } from './heldBack.ts';
import type { Look } from './look.ts';
import { MESSAGES_PAGE } from './notices.ts';
import { waitingRow } from './outbox.ts';
import { type Digested, digestWords } from './words.ts';

/** Digests name so many; the page has all. */
const DIGESTED_MOST = 20;
/** Planned ones are named so long before they begin. */
const SOON_MS = 24 * 60 * 60_000;

/** Possible ones, where the route wants them, and planned ones that are near. */
export function addToDigests(
  watch: AlertWatch,
  touches: readonly Touch[],
  { byTeam, at, conditionOf }: Look,
  digests: Map<string, Digested[]>,
): void {
  if (watch.tellMe.threshold === 'nothing') return;
  const soon = new Date(at.getTime() + SOON_MS).toISOString();
  const listed = touches.flatMap(({ level, phase, title, ended_at, start_time, source }): Digested[] => {
    if (level === null || title === null || ended_at !== null || !source) return [];
    if (conditionOf(source).freshness === 'stale') return [];
    const isPlanned = phase === 'planned';
    if (isPlanned && (start_time ?? '') > soon) return [];
    if (level === 'possible' && watch.tellMe.possible === 'no') return [];
    if (level === 'certain' && !isPlanned) return [];
    return [{ route: watch.name, kind: level === 'possible' ? 'possible' : 'planned', title }];
  });
  if (listed.length === 0) return;
  for (const { id, kind } of byTeam.get(watch.team_id) ?? [])
    if (kind !== 'app') addDigested(digests, id, listed);
}

export function addDigested(
  digests: Map<string, Digested[]>,
  receiverId: string,
  more: readonly Digested[],
): void {
  const known = digests.get(receiverId) ?? [];
  if (known.length < DIGESTED_MOST) digests.set(receiverId, [...known, ...more].slice(0, DIGESTED_MOST));
}

export async function makeDigests(
  trx: Db,
  look: Look,
  digests: ReadonlyMap<string, readonly Digested[]>,
): Promise<number> {
  const rows: MessagesTable[] = [];
  for (const receiver of [...look.byTeam.values()].flat()) {
    if (receiver.user_id === null || receiver.kind === 'app') continue;
    const { times, last } = digestOf(receiver);
    const due = digestDue(times, last === null ? null : Date.parse(last), look.at);
    // In a pause it waits.
    if (!due || isPaused(receiver, look.at)) continue;
    await receiversIn(trx).noteDigest(receiver.id, { times, last: due.toISOString() });
    const listed = digests.get(receiver.id) ?? [];
    if (listed.length === 0) continue;
    const body: MessageBody = {
      kind: 'digest',
      ...digestWords(due, listed),
      hidden: 'Digest of your routes',
      severity: null,
      event_ids: [],
      tag: 'digest',
      is_news: false,
      address: MESSAGES_PAGE,
    };
    const what = `digest ${due.toISOString()}`;
    rows.push(waitingRow(look, { receiver, watch: null, body, what }));
  }
  await messages(trx).add(rows);
  return rows.length;
}
