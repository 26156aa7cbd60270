/** Groups events that are close together on the screen into one mark that shows their number. */
import type { EventsElsewhere } from '#contract/places/events.ts';
import Supercluster from 'supercluster';
import type { Bounds, Point } from '../../api/alerts/geometry.ts';
import type { MapEvent } from '../../api/places/events.ts';
import { MAX_ZOOM, mercator, TILE_SIZE_PX } from '../../maps/basemap.ts';

const CLUSTER_RADIUS_PX = 80;

type ClusterClass = 'small' | 'medium' | 'large';

export function clusterClass(count: number): ClusterClass {
  if (count < 10) return 'small';
  return count < 100 ? 'medium' : 'large';
}

/** One mark on the map: an event, or a cluster of them. */
export type Mark = Point & { id: string } & (
    | { kind: 'event'; event: MapEvent }
    | {
        kind: 'cluster';
        count: number;
        size: ClusterClass;
        /** The known performances in it; fewer than `count` when the answer was cut. */
        members: () => string[];
        /** The zoom at which it splits; null when all its events are in one place. */
        partsAt: () => number | null;
      }
  );

/**
 * The point at which an event is drawn; null when its place is not known. A record at 0,0 has no known place either.
 */
export function pointOf({ latitude, longitude }: Pick<MapEvent, 'latitude' | 'longitude'>): Point | null {
  if (latitude == null || longitude == null || (latitude === 0 && longitude === 0)) return null;
  if (!(Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180)) return null;
  return { latitude, longitude };
}

/** One event, or several of which only the number and the rough place are known. */
interface Counted {
  event: MapEvent | null;
  count: number;
}

/** Returns the marks of any view. `others` are events that the answer only counts. Zooms are the specification's: at
 *  zoom 0 the world is 256 px wide. */
export function clusters(
  events: readonly MapEvent[],
  others: readonly EventsElsewhere[] = [],
): { within(bounds: Bounds, zoom: number): Mark[] } {
  // `extent` is the size of a tile in the unit of the radius.
  const index = new Supercluster<Counted, { count: number }>({
    radius: CLUSTER_RADIUS_PX,
    extent: TILE_SIZE_PX,
    maxZoom: MAX_ZOOM,
    map: ({ count }) => ({ count }),
    reduce: (sum, { count }) => {
      sum.count += count;
    },
  });
  const feature = ({ latitude, longitude }: Point, properties: Counted) => ({
    type: 'Feature' as const,
    geometry: { type: 'Point' as const, coordinates: [longitude, latitude] },
    properties,
  });
  index.load([
    ...events.flatMap((event) => {
      const point = pointOf(event);
      return point ? [feature(point, { event, count: 1 })] : [];
    }),
    ...others.map((place) => feature(place, { event: null, count: place.count })),
  ]);

  const markOf = ({ geometry: { coordinates }, properties }: Found, drawnAt: number): Mark => {
    const [longitude, latitude] = coordinates as [number, number];
    const at = { longitude, latitude };
    const { count } = properties;
    if (!('cluster_id' in properties)) {
      const { event } = properties;
      if (event) return { ...at, id: event.performance_id, kind: 'event', event };
      const id = `others ${latitude} ${longitude}`;
      // The answer for a closer view holds more of the events themselves.
      const partsAt = () => Math.min(MAX_ZOOM, drawnAt + 2);
      return { ...at, id, kind: 'cluster', count, size: clusterClass(count), members: () => [], partsAt };
    }
    const { cluster_id: cluster } = properties;
    return {
      ...at,
      id: `cluster ${cluster}`,
      kind: 'cluster',
      count,
      size: clusterClass(count),
      members: () =>
        index.getLeaves(cluster, Infinity).flatMap((leaf) => leaf.properties.event?.performance_id ?? []),
      partsAt: () => {
        const zoomIn = index.getClusterExpansionZoom(cluster);
        return zoomIn > MAX_ZOOM ? null : zoomIn;
      },
    };
  };

  // A mark that was already in the view stays the same object, so it is not drawn again.
  const made = new Map<number | Counted, Mark>();
  return {
    within({ north, south, east, west }, zoom) {
      const drawnAt = Math.max(0, Math.min(MAX_ZOOM, Math.floor(zoom)));
      return index.getClusters([west, south, east, north], drawnAt).map((found) => {
        const { properties } = found;
        const key = 'cluster_id' in properties ? properties.cluster_id : properties;
        const mark = made.get(key) ?? markOf(found, drawnAt);
        made.set(key, mark);
        return mark;
      });
    },
  };
}

type Found = ReturnType<Supercluster<Counted, { count: number }>['getClusters']>[number];

/** From north to south, then from west to east, like reading: the order of the arrow keys. */
export const inReadingOrder = (marks: readonly Mark[]): Mark[] =>
  [...marks].sort((a, b) => b.latitude - a.latitude || a.longitude - b.longitude);

/** The radius of the discs that EventMap.module.css draws, without their rings. */
export const DISC_RADIUS_PX: Record<ClusterClass, number> = { small: 17, medium: 24, large: 33 };
/** The radius of a disruption's symbol. */
export const SYMBOL_RADIUS_PX = 12;

/** How many pixels right and down a symbol is moved so that it covers no cluster's number: out of the disc that it
 *  lies on, towards its own side. */
export function offNumerals(at: Point, marks: readonly Mark[], zoom: number): [x: number, y: number] {
  const worldPx = TILE_SIZE_PX * 2 ** zoom;
  const shift: [number, number] = [0, 0];
  for (const mark of marks) {
    if (mark.kind !== 'cluster') continue;
    const x = ((at.longitude - mark.longitude) / 360) * worldPx + shift[0];
    const y = (mercator(at.latitude) - mercator(mark.latitude)) * worldPx + shift[1];
    const distance = Math.hypot(x, y);
    const clear = DISC_RADIUS_PX[mark.size] + SYMBOL_RADIUS_PX;
    if (distance >= clear) continue;
    // A symbol in the very middle has no side, and moves to the upper right.
    const [right, down] = distance < 1 ? [Math.SQRT1_2, -Math.SQRT1_2] : [x / distance, y / distance];
    shift[0] += right * clear - x;
    shift[1] += down * clear - y;
  }
  return shift;
}
