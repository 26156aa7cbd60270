/** What is delivered to a webhook: its body as it is stored, and as Slack and Teams read it. A publisher's text is
 *  hostile in all of them. */
import { createHash } from 'node:crypto';
import type { Change, ChangeKind } from '#contract/changes.ts';
import type { ListedDisruption } from '#contract/disruptions.ts';
import type { SilentSource } from '#contract/filters.ts';
import { type ChangeData, type Delivery, type DeliveryBody, WEBHOOK_LIMITS } from '#contract/webhooks.ts';
import { iso } from '../db/instant.ts';
import type { NewMessage } from '../db/messages.ts';
import type { DeliveryRow } from '../db/webhooks.ts';
import { attributionOf } from '../formats/asked.ts';
import { alertPage, clock, line, nameOf, silence, titleOf } from '../formats/words.ts';
import type { Said } from './words.ts';

/** Longer than all its tries. */
export const DELIVERY_VALID_MS = 6 * 60 * 60_000;
export const WAITING = 'Waiting to be sent';
const TITLE_MAX = 200;

export interface OfFilter {
  id: string;
  name: string;
}

export function changeBody(
  change: Change,
  disruption: ListedDisruption | null,
  {
    filter,
    standing,
    matches,
    publicUrl,
  }: Pick<ChangeData, 'filter' | 'standing' | 'matches'> & { publicUrl: string | undefined },
): DeliveryBody {
  const { event_id, source, kind, at } = change;
  const body: DeliveryBody = {
    type: `${matches ? 'match' : 'disruption'}.${kind}`,
    timestamp: at,
    data: {
      ...change,
      filter,
      standing,
      source_name: nameOf(source),
      attribution: attributionOf(source),
      title: disruption ? titleOf(disruption) : line(event_id, TITLE_MAX),
      severity_unrated: disruption?.metadata.severity_unrated === true,
      url: publicUrl === undefined ? null : alertPage(publicUrl, event_id),
      ...(matches && { matches: matches.slice(0, 20) }),
      disruption,
    },
  };
  return bytesOf(body) <= WEBHOOK_LIMITS.bodyBytes || !disruption
    ? body
    : { ...body, data: { ...body.data, disruption: null } };
}

export const bytesOf = (body: DeliveryBody) => Buffer.byteLength(JSON.stringify(body));

export const sourceBody = (
  type: 'source.stale' | 'source.fresh',
  { source, name, since }: SilentSource,
  filter: OfFilter,
  at: Date,
): DeliveryBody => ({ type, timestamp: iso(at), data: { filter, source, name, since } });

/** `what`: its id follows from it, so that the same delivery is never made twice. `place`: among those about the same. */
export function deliveryOf(
  receiverId: string,
  body: DeliveryBody,
  { about, place, what, at }: { about: string; place: string; what: string; at: Date },
): NewMessage & { about: string; place: string } {
  const id = `msg_${createHash('sha256').update(`${receiverId}\n${what}`).digest('hex').slice(0, 32)}`;
  return {
    id,
    receiver_id: receiverId,
    watch_id: null,
    bundle: id,
    created_at: iso(at),
    body: JSON.stringify(body),
    reason: WAITING,
    state: 'waiting',
    attempts: 0,
    next_at: iso(at),
    last_status: null,
    valid_until: iso(new Date(at.getTime() + DELIVERY_VALID_MS)),
    sent_at: null,
    seen_at: null,
    about,
    place,
  };
}

export const placeOf = (turn: number, index: number) =>
  `${String(turn).padStart(12, '0')}.${String(index).padStart(6, '0')}`;

export const deliveryBody = ({ body }: Pick<DeliveryRow, 'body'>) => JSON.parse(body) as DeliveryBody;

/** What is kept of one that has arrived. */
export function keptOf({ type, timestamp, data }: DeliveryBody): DeliveryBody {
  return {
    type,
    timestamp,
    data: 'disruption' in data ? { ...data, disruption: null } : data,
  } as DeliveryBody;
}

const WORDS: Readonly<Record<ChangeKind, string>> = {
  began: 'New',
  worse: 'Worse',
  better: 'Better',
  started: 'Started',
  changed: 'Changed',
  ended: 'Cleared',
  lost: 'No longer known',
};

/** For people: a title, and a line under it. */
export function deliveryWords(body: DeliveryBody): Said & { page: string | null } {
  if (body.type === 'test.ping')
    return {
      title: 'Test from Clearway',
      text: `Changes of the filter ${line(body.data.filter.name)} arrive here. Nothing has happened.`,
      page: null,
    };
  if (body.type === 'source.stale' || body.type === 'source.fresh') {
    const { type, data } = body;
    const at = new Date(body.timestamp);
    return type === 'source.stale'
      ? {
          title: `${silence(data, at)}.`,
          text: 'That nothing comes from there does not mean that nothing happens.',
          page: null,
        }
      : {
          title: `${line(data.name, TITLE_MAX)} answers again.`,
          text: data.since ? `Its information is from ${clock(data.since, at)}.` : '',
          page: null,
        };
  }
  const { kind, disruption, standing, title, source_name, attribution, url, filter } = body.data;
  const { severity_to, severity_unrated } = body.data;
  const grade = severity_unrated ? 'Unrated' : severity_to.charAt(0).toUpperCase() + severity_to.slice(1);
  const isOver = kind === 'ended' || kind === 'lost';
  const leaves = standing === 'leaves' && !isOver ? `No longer in ${line(filter.name)}. ` : '';
  const summary = disruption ? line(disruption.summary_line, TITLE_MAX) : '';
  return {
    title: `${WORDS[kind]}. ${isOver ? '' : `${grade}: `}${title}`,
    text: `${leaves}${summary && `${summary} `}${source_name}. ${attribution}`,
    page: url,
  };
}

export function toDelivery(row: DeliveryRow): Delivery {
  const { id, created_at, state, reason, attempts, next_at, last_status, sent_at } = row;
  const body = deliveryBody(row);
  const { title } = body.type.startsWith('test') ? { title: 'Test' } : deliveryWords(body);
  return { id, type: body.type, title, created_at, state, reason, attempts, next_at, last_status, sent_at };
}
