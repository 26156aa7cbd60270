/** The events near a route or in an area. They are never evidence of trouble, but people come to them and leave. */
import Flatbush from 'flatbush';
import { nearestTo, type Nearest } from '../../../geography/roads/flatLine.ts';
import { isInArea } from './matchByArea.ts';
import { reachedBoxes } from './matchIndex.ts';
import { rulerAt } from '../../../geography/roads/roadTable.ts';
import type { WatchLine } from './watchLine.ts';

interface NearEvent {
  /** Lower case, without a full stop. */
  why: string;
  /** The kilometre of the route; null for areas. */
  km: number | null;
  off_m: number | null;
}

const NEAR_KM = 1;
/** Near its ends a coach stops, and people cross the road. */
const END_NEAR_KM = 3;
const END_KM = 10;

/** No event further away from a route than this is listed. */
const EVENT_REACH_KM = END_NEAR_KM;

/** Null: too far away. */
export function eventNear(watch: WatchLine, x: number, y: number): NearEvent | null {
  const scale = rulerAt(y);
  if (watch.area) {
    return isInArea(watch, x, y, scale) ? { why: 'inside the area', km: null, off_m: null } : null;
  }
  const { line, km } = watch;
  const length = km.at(-1) ?? 0;
  const nearest: Nearest = { km: NEAR_KM, vertex: -1, t: 0 };
  const chunks = line.chunks.length / 2;
  nearestTo(line, [0, chunks], x, y, scale, nearest);
  const found = nearest.vertex < 0 ? nearEnds() : nearest;
  if (!found) return null;
  const off = found.km.toFixed(1);
  return { why: `${off} km from the route`, km: kmOf(found), off_m: Math.round(found.km * 1000) };

  function kmOf({ vertex, t }: Nearest): number {
    return km[vertex]! + t * ((km[vertex + 1] ?? km[vertex]!) - km[vertex]!);
  }

  function nearEnds(): Nearest | null {
    let best: Nearest | null = null;
    for (let chunk = 0; chunk < chunks; chunk++) {
      if (km[line.chunks[chunk * 2]!]! > END_KM && km[line.chunks[chunk * 2 + 1]!]! < length - END_KM)
        continue;
      const near: Nearest = { km: best?.km ?? END_NEAR_KM, vertex: -1, t: 0 };
      nearestTo(line, [chunk, chunk + 1], x, y, scale, near);
      if (near.vertex < 0) continue;
      const at = kmOf(near);
      if (at <= END_KM || at >= length - END_KM) best = near;
    }
    return best;
  }
}

export interface EventsIndex {
  /** Indices into the list of the events that can be near the route, each once. */
  near(watch: WatchLine): readonly number[];
}

export function eventsIndex(events: readonly { longitude: number; latitude: number }[]): EventsIndex {
  const boxes = events.length > 0 ? new Flatbush(events.length) : null;
  for (const { longitude, latitude } of events) boxes?.add(longitude, latitude, longitude, latitude);
  boxes?.finish();
  return {
    near(watch) {
      const found = new Set<number>();
      for (const { west, south, east, north } of reachedBoxes(watch, EVENT_REACH_KM)) {
        for (const at of boxes?.search(west, south, east, north) ?? []) found.add(at);
      }
      return [...found];
    },
  };
}
