/** The last answers for the areas that were viewed. Without a network the map moves and filters over them. They are
 *  stored as snapshots, so they belong to the session that made them and are deleted with it. */
import { londonDay } from '#contract/london.ts';
import { contains, isWithin, overlap } from '../../../api/alerts/geometry.ts';
import type { EventQuery, MapEvent } from '../../../api/places/events.ts';
import { loadSnapshot, saveSnapshot } from '../../../offline/snapshot.ts';
import { pointOf } from '../clusters.ts';

/** One answer of the server: the query, the events, their total number, and the time. */
export interface KeptArea extends EventQuery {
  events: MapEvent[];
  total: number;
  at: Date;
}

export interface KeptView {
  events: MapEvent[];
  /** The least number of events: an answer may have counted more than it listed. */
  total: number;
  /** When the server sent the oldest of the answers used here. */
  at: Date;
}

/** The number of stored areas. Each takes at most about 300 kB. */
const MOST_AREAS = 20;
const LONGEST_KEPT_MS = 7 * 24 * 60 * 60_000;

/** The name includes the version of the shape, so a copy in another shape is not found. */
const slotName = (slot: number) => `map-area-1-${slot}`;

/** Opened once for each visit. It reads the disk when it is first used. */
export function keptEvents() {
  let slots: Promise<(KeptArea | null)[]> | undefined;
  const opened = () =>
    (slots ??= Promise.all(
      Array.from({ length: MOST_AREAS }, async (_, slot) => areaOf(await loadSnapshot(slotName(slot)))),
    ));

  return {
    /** Adds an answer. It replaces the answers that it makes redundant, otherwise the oldest. */
    async add(area: KeptArea): Promise<void> {
      const areas = await opened();
      const useless = areas.findIndex((kept) => kept !== null && replaces(area, kept));
      const free = useless >= 0 ? useless : areas.indexOf(null);
      const slot = free >= 0 ? free : oldest(areas);
      areas[slot] = area;
      const { at, ...data } = area;
      await saveSnapshot(slotName(slot), data, at);
    },

    async find(query: EventQuery, now: Date): Promise<KeptView | null> {
      const areas = (await opened()).filter((area) => area !== null);
      return viewOf(areas, query, now);
    },

    /** The stored performances of one event. Null when there are none. */
    async event(id: string, now: Date): Promise<KeptView | null> {
      const areas = (await opened()).filter((area) => area !== null);
      return eventOf(areas, id, now);
    },
  };
}

/** The stored events that are in a view and pass its filters, each in its latest version. An event that is missing
 *  from a newer answer for its place is left out. Null when too little is known, because the view must not look
 *  quiet: no part of it was seen, or no event is known and it was not seen whole. */
export function viewOf(areas: readonly KeptArea[], query: EventQuery, now: Date): KeptView | null {
  const near = newestFirst(areas, now).filter(({ bounds }) => overlap(bounds, query.bounds));
  if (near.length === 0) return null;

  const known = lastHeardOf(near, (event) => passes(event, query));
  const seenWhole = near.some((area) => isWhole(area) && asksNoLess(area, query));
  if (known.events.length === 0 && !seenWhole) return null;
  const counted = near.find((area) => asksNoLess(query, area))?.total ?? 0;
  return { ...known, total: Math.max(known.total, counted) };
}

/** The stored performances of one event, by the same rules. */
export function eventOf(areas: readonly KeptArea[], id: string, now: Date): KeptView | null {
  const recent = newestFirst(areas, now);
  if (recent.length === 0) return null;

  const known = lastHeardOf(recent, ({ event_id }) => event_id === id);
  return known.events.length > 0 ? known : null;
}

/** The stored areas of the last days, newest first. */
const newestFirst = (areas: readonly KeptArea[], now: Date) =>
  areas
    .filter(({ at }) => now.getTime() - at.getTime() < LONGEST_KEPT_MS)
    .sort((a, b) => b.at.getTime() - a.at.getTime());

/** The events of these answers, of which there is at least one, newest first. */
function lastHeardOf(areas: readonly KeptArea[], isWanted: (event: MapEvent) => boolean): KeptView {
  const found = new Map<string, MapEvent>();
  let at = areas[0]!.at;
  for (const [index, area] of areas.entries()) {
    const newer = areas.slice(0, index).filter(isWhole);
    for (const event of area.events) {
      if (found.has(event.performance_id) || !isWanted(event)) continue;
      if (newer.some((answer) => passes(event, answer))) continue;
      found.set(event.performance_id, event);
      at = area.at;
    }
  }
  return { events: [...found.values()], total: found.size, at };
}

/** Whether an event would be in the answer to a query, as far as the device can know. An event without a place
 *  belongs to every view. */
function passes(event: MapEvent, { bounds, category, dates }: EventQuery): boolean {
  const point = pointOf(event);
  if (point && !contains(bounds, point)) return false;
  if (category !== null && event.category !== category) return false;
  if (!dates) return true;
  const start = dayOf(event.start_datetime);
  const end = dayOf(event.end_datetime) ?? start;
  return start !== null && start <= dates.end && (end ?? start) >= dates.start;
}

function dayOf(time: string | null | undefined): string | null {
  return time ? londonDay(new Date(time)) : null;
}

/** True when nothing was left out of the answer. */
const isWhole = ({ events, total }: KeptArea) => total <= events.length;

const replaces = (area: KeptArea, kept: KeptArea) => isWhole(area) && asksNoLess(area, kept);

/** Whether every event that belongs to `narrow` also belongs to `wide`. */
function asksNoLess(wide: EventQuery, narrow: EventQuery): boolean {
  return (
    isWithin(narrow.bounds, wide.bounds) &&
    (wide.category === null || wide.category === narrow.category) &&
    (wide.dates === null ||
      (narrow.dates !== null && wide.dates.start <= narrow.dates.start && wide.dates.end >= narrow.dates.end))
  );
}

function oldest(areas: readonly (KeptArea | null)[]): number {
  const times = areas.map((area) => area?.at.getTime() ?? 0);
  return times.indexOf(Math.min(...times));
}

/** The stored area. It is checked first, because an older version of the app may have stored it. */
function areaOf(snapshot: { data: unknown; at: Date } | null): KeptArea | null {
  const data = snapshot?.data as Partial<KeptArea> | undefined;
  if (!snapshot || !data?.bounds || !Array.isArray(data.events)) return null;
  return { ...(data as KeptArea), at: snapshot.at };
}
