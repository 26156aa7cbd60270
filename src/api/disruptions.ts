/** Disruptions by source: the directory of sources, and what one source reports. */
import {
  Disruption,
  EVENTS_PER_SOURCE,
  Source,
  SourceEvents as SourceEventsSchema,
} from '#contract/disruptions.ts';
import { z } from 'zod/mini';
import { type Bounds, boundsQuery } from './bounds.ts';
import { read, type Reply } from './http.ts';
import { items, list, tolerant } from './tolerant.ts';

export const Alert = tolerant(Disruption, 'event_id');
/** A disruption as read: only `event_id` is sure. */
export type Alert = z.output<typeof Alert>;

export const SourceEntry = tolerant(Source, 'source');
/** A source as read: only `source` is sure. A server of another make sends no `state` and no `freshness`. */
export type SourceEntry = z.output<typeof SourceEntry>;

const SourceEvents = tolerant(SourceEventsSchema, null, { events: items(Alert) });
/** A source's answer as read: `events` is sure, worst first. */
export type SourceEvents = z.output<typeof SourceEvents>;

/** The newest of what one source reports. An unknown source is refused with 404. */
export function sourceEvents(
  source: string,
  { limit = EVENTS_PER_SOURCE }: { limit?: number } = {},
  signal?: AbortSignal,
): Promise<Reply<SourceEvents>> {
  return read(SourceEvents, `disruptions/sources/${encodeURIComponent(source)}`, {
    searchParams: { limit },
    offlineCopy: true,
    signal,
  });
}

/** At most so many incidents in one view of the map. */
const DISRUPTIONS_PER_VIEW = 200;

/** What is in force within `bounds`, active and planned, worst first; only incidents that have a position. */
export function disruptionsWithin(
  bounds: Bounds,
  signal?: AbortSignal,
): Promise<Reply<{ items: Alert[]; total: number }>> {
  return read(list(Alert, 'events'), 'disruptions/', {
    searchParams: { ...boundsQuery(bounds), limit: DISRUPTIONS_PER_VIEW },
    offlineCopy: true,
    signal,
  });
}

/** The directory of sources, with when each was last collected. */
export async function listSources(signal?: AbortSignal): Promise<SourceEntry[]> {
  const { data } = await read(list(SourceEntry, 'sources'), 'disruptions/sources', {
    offlineCopy: true,
    signal,
  });
  return data.items;
}
