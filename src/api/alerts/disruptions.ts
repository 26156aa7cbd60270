/** Disruptions by source: the directory of sources, and the reports of one source. */
import { apiPath } from '#contract/addresses.ts';
import {
  Disruption,
  DisruptionPage,
  EVENTS_PER_SOURCE,
  Source,
  SourceEvents as SourceEventsSchema,
} from '#contract/incidents/disruptions.ts';
import { z } from 'zod/mini';
import { type Bounds, boundsQuery } from './geometry.ts';
import { read, type Reply } from '../http.ts';
import { items, list, maybe, tolerant } from '../tolerant.ts';

export const Alert = tolerant(Disruption, 'event_id');
/** A disruption as read: only `event_id` is guaranteed. */
export type Alert = z.output<typeof Alert>;

export const SourceEntry = tolerant(Source, 'source');
/** A source as read: only `source` is guaranteed. Other implementations of the API send no `state` or `freshness`. */
export type SourceEntry = z.output<typeof SourceEntry>;

const SourceEvents = tolerant(SourceEventsSchema, null, { events: items(Alert) });
/** A source's answer as read: only `events` is guaranteed, worst first. */
export type SourceEvents = z.output<typeof SourceEvents>;

/** The newest incidents of one source. An unknown source is refused with 404. */
export function sourceEvents(
  source: string,
  { limit = EVENTS_PER_SOURCE }: { limit?: number } = {},
  signal?: AbortSignal,
): Promise<Reply<SourceEvents>> {
  return read(SourceEvents, apiPath`disruptions/sources/${source}`, {
    searchParams: { limit },
    offlineCopy: true,
    signal,
  });
}

const DISRUPTIONS_PER_ANSWER = 200;

/** The incidents of an area, and facts about incidents that are not in the list. */
export interface DisruptionsOfArea {
  /** Active and planned incidents, worst first. Only incidents with a position. */
  events: Alert[];
  total: number;
  /** How many further incidents, anywhere, have no position; null if the server does not say. */
  withoutPosition: number | null;
  /** Every source; empty if the server sends none. */
  sources: SourceEntry[];
}

const Area = z.union([
  z.pipe(
    items(Alert),
    z.transform((events) => ({ events, total: undefined, total_without_position: undefined, sources: null })),
  ),
  tolerant(DisruptionPage, null, { events: items(Alert), sources: maybe(items(SourceEntry)) }),
]);

/** Disruptions in force within `bounds`, with lines and areas (`geometryOf`). */
export async function disruptionsWithin(
  bounds: Bounds,
  signal?: AbortSignal,
): Promise<Reply<DisruptionsOfArea>> {
  const reply = await read(Area, 'disruptions/', {
    searchParams: { ...boundsQuery(bounds), limit: DISRUPTIONS_PER_ANSWER, geometry: 'true' },
    offlineCopy: true,
    signal,
  });
  return withSources(reply, signal);
}

/** Other implementations of the API list their sources elsewhere, or not at all. */
async function withSources(
  { late, ...reply }: Reply<z.output<typeof Area>>,
  signal: AbortSignal | undefined,
): Promise<Reply<DisruptionsOfArea>> {
  const { events, total, total_without_position, sources } = reply.data;
  return {
    ...reply,
    data: {
      events,
      total: total ?? events.length,
      withoutPosition: total_without_position ?? null,
      sources: sources ?? (await listSources(signal).catch(() => [])),
    },
    late: late?.then((answer) => answer && withSources(answer, signal)),
  };
}

/** All incidents in force without a position, worst first. */
export function disruptionsWithoutPosition(
  signal?: AbortSignal,
): Promise<Reply<{ items: Alert[]; total: number }>> {
  return read(list(Alert, 'events'), 'disruptions/', {
    searchParams: { position: 'none', limit: DISRUPTIONS_PER_ANSWER },
    offlineCopy: true,
    signal,
  });
}

const Sources = list(SourceEntry, 'sources');

/** The directory of sources, with the last collection of each. */
export async function listSources(signal?: AbortSignal): Promise<SourceEntry[]> {
  const { data } = await read(Sources, 'disruptions/sources', {
    offlineCopy: true,
    signal,
  });
  return data.items;
}
