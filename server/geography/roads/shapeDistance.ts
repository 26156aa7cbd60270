/** How far what a publisher outlines is from a point: a stretch of road, a flood area, the stops of a bus. */
import { isInside, nearestTo, type Nearest } from './flatLine.ts';
import { shapeOf } from './incidentPlace.ts';
import { rulerAt } from './roadTable.ts';

/** In kilometres; 0 inside. Null for what has no shape. `geometry`: GeoJSON as text. */
export function kmToShape(
  geometry: string,
  { latitude, longitude }: { latitude: number; longitude: number },
): number | null {
  const shape = shapeOf(geometry);
  if (!shape) return null;
  const scale = rulerAt(latitude);
  const { points, lines, polygons } = shape;
  if (polygons.some(({ rings }) => isInside(rings, longitude, latitude))) return 0;
  const found: Nearest = { km: Infinity, vertex: -1, t: 0 };
  for (const line of [...lines, ...polygons.map(({ edges }) => edges)])
    nearestTo(line, [0, line.chunks.length / 2], longitude, latitude, scale, found);
  for (let at = 0; at < points.length; at += 2) {
    const [east, north] = [points[at]! - longitude, points[at + 1]! - latitude];
    found.km = Math.min(found.km, Math.hypot(east * scale.kx, north * scale.ky));
  }
  return found.km;
}
