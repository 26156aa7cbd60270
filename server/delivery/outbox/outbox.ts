/** The outbox: all messages are stored through it. It decides how long each is worth sending, and how many held back
 *  ones a team may have. */
import { DAY_MS, MINUTE_MS } from '#contract/durations.ts';
import { createHash, randomUUID } from 'node:crypto';
import { HELD_A_DAY, type MessageBody } from '#contract/messages/messages.ts';
import { isPosted } from './channelState.ts';
import { iso } from '../../db/instant.ts';
import { messages, type StoredBody } from './outboxStore.ts';
import type { Db } from '../../db/open.ts';
import { raiseRevision } from '../../db/revisions.ts';
import type { RowOf } from '../../db/schema.ts';
import type { Look } from './notifierRun.ts';
import { POSTED_VALID_MS } from './retries.ts';

/** The app's page of messages. */
export const MESSAGES_PAGE = '/messages';

/** Old news is not sent to people. */
export const VALID_MS = 30 * MINUTE_MS;
const DIGEST_VALID_MS = 120 * MINUTE_MS;
/** A link waits longer than news. */
const LINK_VALID_MS = 24 * 60 * MINUTE_MS;
/** Messages about the same incident are ordered by this revision. */
const PLACES = 'places';

const WAITING = 'Waiting to be sent';

interface ToSend {
  /** Null: it is held back from everybody. */
  channel: RowOf<'channels'> | null;
  watch: { id: string; team_id: string } | null;
  body: StoredBody;
  /** The id is made from this and from the channel: the same message is never made twice. */
  what: string;
  /** It is held back from this channel while another channel gets it: the text of the other's message, so that both
   *  are one row of the list. */
  beside?: string;
  /** The incident: messages to this channel about the same incident are sent in order. */
  about?: string;
  /** Earliest time to send it. */
  from?: Date;
}

/** The list in the app has it at once; for every other channel it waits to be sent. Without `what`, the id is made
 *  from its words. */
export function waitingRow(at: Date, message: Omit<ToSend, 'what'> & { what?: string }): RowOf<'messages'> {
  const { channel, body, what = message.beside ?? '' } = message;
  const row = rowFor(at, { ...message, what });
  if (message.what === undefined) row.id = idOf(body.title, body.text, channel?.id ?? '');
  return channel?.kind === 'app'
    ? { ...row, reason: 'Sent', state: 'sent', sent_at: iso(at) }
    : { ...row, reason: WAITING, state: 'waiting', next_at: iso(message.from ?? at) };
}

/** A notification replaces another only if both are about the same, so that a new one never hides one that is still
 *  true. */
export const tagOf = (watchId: string, ids: readonly string[]): string =>
  `route:${watchId}:${ids.length > 1 ? hashOf(...ids) : ids[0]}`;

export const heldRow = (at: Date, message: ToSend & { reason: string }): RowOf<'messages'> => ({
  ...rowFor(at, message),
  reason: message.reason,
  state: 'held',
  team_id: message.watch?.team_id ?? message.channel?.team_id ?? null,
});

/** A message that is not about an incident: a person asked for it, or it is about a channel itself. */
export function noticeRow(
  channel: RowOf<'channels'>,
  said: Pick<MessageBody, 'kind' | 'title' | 'text'> & Partial<StoredBody>,
  at: Date,
): RowOf<'messages'> {
  const body: StoredBody = {
    severity: null,
    hidden: said.title,
    event_ids: [],
    tag: said.kind,
    is_news: true,
    address: MESSAGES_PAGE,
    ...said,
  };
  return waitingRow(at, { channel, watch: null, body, what: randomUUID() });
}

function rowFor(
  at: Date,
  { channel, watch, body, what, beside = what, about, from = at }: ToSend,
): Omit<RowOf<'messages'>, 'reason' | 'state'> {
  const bundleOf = (said: string) => hashOf(watch?.id ?? '', said);
  return {
    id: idOf(bundleOf(what), channel?.id ?? ''),
    channel_id: channel?.id ?? null,
    watch_id: watch?.id ?? null,
    bundle: bundleOf(beside),
    created_at: iso(at),
    body: JSON.stringify(body),
    attempts: 0,
    next_at: null,
    last_status: null,
    valid_until: iso(new Date(from.getTime() + validMs(channel, body))),
    sent_at: null,
    seen_at: null,
    about: about ?? null,
    place: null,
    team_id: null,
  };
}

function validMs(channel: RowOf<'channels'> | null, { kind, address }: MessageBody): number {
  if (channel && isPosted(channel)) return POSTED_VALID_MS;
  if (kind === 'digest' || kind === 'brief') return DIGEST_VALID_MS;
  if (kind === 'change') return POSTED_VALID_MS;
  return kind === 'notice' && address !== MESSAGES_PAGE ? LINK_VALID_MS : VALID_MS;
}

const hashOf = (...parts: string[]) =>
  createHash('sha256').update(parts.join('\n')).digest('hex').slice(0, 32);
const idOf = (...parts: string[]) => `msg_${hashOf(...parts)}`;

/** Stores the rows in the order in which they are sent, and returns how many. Beyond a team's daily limit, held back
 *  messages are counted in one row, so that many areas with many incidents cannot fill the disk. Call it in a
 *  transaction. */
export async function putIn(
  trx: Db,
  rows: readonly RowOf<'messages'>[],
  { at, noted }: Pick<Look, 'at' | 'noted'>,
): Promise<number> {
  const kept = await withinBound(trx, rows, at, noted);
  const turn = kept.some(({ about }) => about !== null) ? await raiseRevision(trx, PLACES) : 0;
  await messages(trx).add(
    kept.map((row, index) => (row.about === null ? row : { ...row, place: placeOf(turn, index) })),
  );
  return kept.length;
}

const placeOf = (turn: number, index: number) =>
  `${String(turn).padStart(12, '0')}.${String(index).padStart(6, '0')}`;

/** `noted`: messages that were counted before are not counted again. */
async function withinBound(
  trx: Db,
  rows: readonly RowOf<'messages'>[],
  at: Date,
  noted: Set<string>,
): Promise<RowOf<'messages'>[]> {
  const since = new Date(at.getTime() - DAY_MS);
  const store = messages(trx);
  const left = new Set<RowOf<'messages'>>();
  const byTeam = Map.groupBy(
    rows.filter(({ team_id }) => team_id != null),
    ({ team_id }) => team_id!, // filtered
  );
  const more: RowOf<'messages'>[] = [];
  for (const [teamId, own] of byTeam) {
    const room = Math.max(0, HELD_A_DAY - (await store.heldOf(teamId, since)));
    if (own.length <= room) continue;
    // Rows that are already stored take no room.
    const known = await store.known(own.map(({ id }) => id));
    const beyond = own.filter(({ id }) => !known.has(id)).slice(room);
    for (const row of beyond) left.add(row);
    const uncounted = beyond.filter(({ id }) => !noted.has(id));
    for (const { id } of uncounted) noted.add(id);
    if (uncounted.length > 0) more.push(await countedRow(trx, teamId, uncounted.length, at));
  }
  return left.size === 0 ? [...rows] : [...rows.filter((row) => !left.has(row)), ...more];
}

/** The row of a team's day that says how many more were held back. */
async function countedRow(trx: Db, teamId: string, count: number, at: Date): Promise<RowOf<'messages'>> {
  const what = `beyond ${teamId} ${iso(at).slice(0, '2026-11-21'.length)}`;
  const before = await messages(trx).one(idOf(hashOf('', what), ''));
  const all = count + (before ? ((JSON.parse(before.body) as { beyond?: number }).beyond ?? 0) : 0);
  const body = {
    kind: 'notice' as const,
    title: `About ${all.toLocaleString('en-GB')} more were held back`,
    text: `A day’s list has ${HELD_A_DAY.toLocaleString('en-GB')} that are held back; the others are counted here.`,
    hidden: 'More was held back',
    severity: null,
    event_ids: [],
    tag: 'beyond',
    is_news: false,
    address: MESSAGES_PAGE,
    beyond: all,
  };
  if (before) await messages(trx).reword(before.id, JSON.stringify(body));
  const row = heldRow(at, { channel: null, watch: null, body, reason: 'Held: too many', what });
  return { ...row, team_id: teamId };
}
