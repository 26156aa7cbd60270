/** Distances between flat shapes: longitude, latitude, longitude, latitude, … WGS84 degrees, in one array. */
import type CheapRuler from 'cheap-ruler';
import type { BoundingBox } from '../shapes/geometry.ts';

export type Flat = Float64Array | Float32Array;

/** Kilometres per degree at one latitude. */
export type Scale = Pick<CheapRuler, 'kx' | 'ky'>;

/** A part of a line, from vertex `first` to vertex `last`. Its box is tested before its segments. */
export interface Chunked {
  xy: Flat;
  /** Pairs of first and last vertex. */
  chunks: Int32Array;
  /** West, south, east and north of each chunk; the last four are those of the whole line. */
  boxes: Float32Array;
}

const SEGMENTS_PER_CHUNK = 8;
/** The size of a chunk in degrees of latitude and longitude together: about 6 km. */
const CHUNK_DEGREES = 0.08;

/** A search stops at this distance, because no rule needs a smaller one. */
const NEAR_ENOUGH_KM = 0.06;

/** The nearest place of a line: the vertex before it, and how far on towards the next one (0 to 1). */
export interface Nearest {
  km: number;
  vertex: number;
  t: number;
}

/** Numbers are stored as 32 bits, and a box must not be smaller than its content. */
const SLACK_DEGREES = 1e-5;

export function flat(points: readonly (readonly [number, number])[]): Float64Array {
  const xy = new Float64Array(points.length * 2);
  for (const [at, [longitude, latitude]] of points.entries()) {
    xy[at * 2] = longitude;
    xy[at * 2 + 1] = latitude;
  }
  return xy;
}

/** Chunks of runs of vertices. Nothing joins the end of one run to the beginning of the next. */
export function chunked(xy: Flat, runs: readonly (readonly [first: number, last: number])[]): Chunked {
  const chunks: number[] = [];
  for (const [first, last] of runs) {
    // A single point is a chunk too.
    for (let at = first; at === first || at < last;) {
      const end = endOfChunk(xy, at, last);
      chunks.push(at, end);
      if (end === at) break;
      at = end;
    }
  }
  const count = chunks.length / 2;
  const boxes = new Float32Array(count * 4 + 4);
  for (let chunk = 0; chunk <= count; chunk++) {
    const box = chunk < count ? boxOf(xy, chunks[chunk * 2]!, chunks[chunk * 2 + 1]!) : boxOf(xy);
    boxes[chunk * 4] = box.west - SLACK_DEGREES;
    boxes[chunk * 4 + 1] = box.south - SLACK_DEGREES;
    boxes[chunk * 4 + 2] = box.east + SLACK_DEGREES;
    boxes[chunk * 4 + 3] = box.north + SLACK_DEGREES;
  }
  return { xy, chunks: Int32Array.from(chunks), boxes };
}

/** The end of a chunk: after eight segments, or sooner if they are long, because the box of a long part says little. */
function endOfChunk(xy: Flat, first: number, last: number): number {
  let long = 0;
  for (let at = first; at < last; at++) {
    if (at - first === SEGMENTS_PER_CHUNK || long > CHUNK_DEGREES) return at;
    long += Math.abs(xy[at * 2 + 2]! - xy[at * 2]!) + Math.abs(xy[at * 2 + 3]! - xy[at * 2 + 1]!);
  }
  return last;
}

export function boxOf(xy: Flat, first = 0, last = xy.length / 2 - 1): BoundingBox {
  const box = { west: Infinity, south: Infinity, east: -Infinity, north: -Infinity };
  for (let at = first; at <= last; at++) {
    const [x, y] = [xy[at * 2]!, xy[at * 2 + 1]!];
    if (x < box.west) box.west = x;
    if (x > box.east) box.east = x;
    if (y < box.south) box.south = y;
    if (y > box.north) box.north = y;
  }
  return box;
}

// The functions below are called a million times in a run, so they make no lists and no objects.

/** The square of the distance in km between a box and a point; 0 inside. */
function squareToBox(boxes: Float32Array, chunk: number, x: number, y: number, kx: number, ky: number) {
  const at = chunk * 4;
  const west = boxes[at]! - x;
  const south = boxes[at + 1]! - y;
  const east = x - boxes[at + 2]!;
  const north = y - boxes[at + 3]!;
  const dx = (west > 0 ? west : east > 0 ? east : 0) * kx;
  const dy = (south > 0 ? south : north > 0 ? north : 0) * ky;
  return dx * dx + dy * dy;
}

/** The place of these chunks that is nearest to a point. If it is nearer than `found.km`, `found` is changed. The
 *  first place that is near enough ends the search. */
export function nearestTo(
  line: Chunked,
  range: readonly [from: number, to: number],
  x: number,
  y: number,
  scale: Scale,
  found: Nearest,
): void {
  for (let chunk = range[0]; chunk < range[1]; chunk++) {
    nearestInChunk(line, chunk, x, y, scale.kx, scale.ky, found);
    if (found.km <= NEAR_ENOUGH_KM) return;
  }
}

function nearestInChunk(
  line: Chunked,
  chunk: number,
  x: number,
  y: number,
  kx: number,
  ky: number,
  found: Nearest,
): void {
  let best = found.km * found.km;
  if (squareToBox(line.boxes, chunk, x, y, kx, ky) >= best) return;
  const xy = line.xy;
  const first = line.chunks[chunk * 2]!;
  const last = line.chunks[chunk * 2 + 1]!;
  let bx = (xy[first * 2]! - x) * kx;
  let by = (xy[first * 2 + 1]! - y) * ky;
  for (let vertex = first; vertex <= last; vertex++) {
    const ax = bx;
    const ay = by;
    if (vertex < last) {
      bx = (xy[vertex * 2 + 2]! - x) * kx;
      by = (xy[vertex * 2 + 3]! - y) * ky;
    } else if (last > first) return;
    const dx = bx - ax;
    const dy = by - ay;
    const long = dx * dx + dy * dy;
    const on = long === 0 ? 0 : -(ax * dx + ay * dy) / long;
    const t = on < 0 ? 0 : on > 1 ? 1 : on;
    const px = ax + t * dx;
    const py = ay + t * dy;
    const square = px * px + py * py;
    if (square >= best) continue;
    best = square;
    found.km = Math.sqrt(square);
    found.vertex = vertex;
    found.t = t;
    if (found.km <= NEAR_ENOUGH_KM) return;
  }
}

/** Like `nearestTo`, for a whole line: the place on `line` where the two are nearest. 0 where they cross. */
export function nearestToLine(
  line: Chunked,
  range: readonly [from: number, to: number],
  other: Chunked,
  scale: Scale,
  found: Nearest,
): void {
  const count = other.chunks.length / 2;
  if (!isAround(line, range, other.boxes, count, scale, found.km)) return;
  for (let theirs = 0; theirs < count; theirs++) {
    if (count > 1 && !isAround(line, range, other.boxes, theirs, scale, found.km)) continue;
    for (let chunk = range[0]; chunk < range[1]; chunk++) {
      const square = squareBetween(line.boxes, chunk, other.boxes, theirs, scale.kx, scale.ky);
      if (square >= found.km * found.km) continue;
      nearestOfChunks(line, chunk, other, theirs, scale.kx, scale.ky, found);
      if (found.km <= NEAR_ENOUGH_KM) return;
    }
  }
}

/** Whether the line comes within this distance of the circle around a box. For most lines whose boxes meet, it does
 *  not. */
function isAround(
  line: Chunked,
  range: readonly [from: number, to: number],
  boxes: Float32Array,
  chunk: number,
  scale: Scale,
  km: number,
): boolean {
  const at = chunk * 4;
  const wide = (boxes[at + 2]! - boxes[at]!) / 2;
  const high = (boxes[at + 3]! - boxes[at + 1]!) / 2;
  const radius = Math.hypot(wide * scale.kx, high * scale.ky);
  const probe: Nearest = { km: km + radius, vertex: -1, t: 0 };
  const x = boxes[at]! + wide;
  const y = boxes[at + 1]! + high;
  for (let own = range[0]; own < range[1] && probe.vertex < 0; own++) {
    nearestInChunk(line, own, x, y, scale.kx, scale.ky, probe);
  }
  return probe.vertex >= 0;
}

/** If two lines do not cross, one of their nearest places is a vertex. */
function nearestOfChunks(
  line: Chunked,
  chunk: number,
  other: Chunked,
  theirs: number,
  kx: number,
  ky: number,
  found: Nearest,
): void {
  if (findCrossing(line, chunk, other, theirs, found)) return;
  const end = other.chunks[theirs * 2 + 1]!;
  for (let at = other.chunks[theirs * 2]!; at <= end; at++) {
    nearestInChunk(line, chunk, other.xy[at * 2]!, other.xy[at * 2 + 1]!, kx, ky, found);
    if (found.km <= NEAR_ENOUGH_KM) return;
  }
  const last = line.chunks[chunk * 2 + 1]!;
  const back: Nearest = { km: found.km, vertex: -1, t: 0 };
  for (let vertex = line.chunks[chunk * 2]!; vertex <= last; vertex++) {
    nearestInChunk(other, theirs, line.xy[vertex * 2]!, line.xy[vertex * 2 + 1]!, kx, ky, back);
    if (back.km >= found.km) continue;
    found.km = back.km;
    found.vertex = vertex;
    found.t = 0;
    if (found.km <= NEAR_ENOUGH_KM) return;
  }
}

function squareBetween(
  one: Float32Array,
  chunk: number,
  other: Float32Array,
  theirs: number,
  kx: number,
  ky: number,
): number {
  const a = chunk * 4;
  const b = theirs * 4;
  const west = one[a]! - other[b + 2]!;
  const east = other[b]! - one[a + 2]!;
  const south = one[a + 1]! - other[b + 3]!;
  const north = other[b + 1]! - one[a + 3]!;
  const dx = (west > 0 ? west : east > 0 ? east : 0) * kx;
  const dy = (south > 0 ? south : north > 0 ? north : 0) * ky;
  return dx * dx + dy * dy;
}

/** The first place where a chunk of `line` crosses a chunk of `other`. */
function findCrossing(line: Chunked, chunk: number, other: Chunked, theirs: number, found: Nearest): boolean {
  const last = line.chunks[chunk * 2 + 1]!;
  const end = other.chunks[theirs * 2 + 1]!;
  for (let vertex = line.chunks[chunk * 2]!; vertex < last; vertex++) {
    if (!segmentMeets(line.xy, vertex, other.boxes, theirs)) continue;
    for (let at = other.chunks[theirs * 2]!; at < end; at++) {
      const t = crossing(line.xy, vertex, other.xy, at);
      if (t === null) continue;
      found.km = 0;
      found.vertex = vertex;
      found.t = t;
      return true;
    }
  }
  return false;
}

/** Whether the box of the segment after this vertex meets the box of a chunk. */
export function segmentMeets(xy: Flat, vertex: number, boxes: Float32Array, chunk: number): boolean {
  const ax = xy[vertex * 2]!;
  const ay = xy[vertex * 2 + 1]!;
  const bx = xy[vertex * 2 + 2]!;
  const by = xy[vertex * 2 + 3]!;
  const at = chunk * 4;
  return (
    (ax < bx ? ax : bx) <= boxes[at + 2]! &&
    (ax < bx ? bx : ax) >= boxes[at]! &&
    (ay < by ? ay : by) <= boxes[at + 3]! &&
    (ay < by ? by : ay) >= boxes[at + 1]!
  );
}

/** Whether the boxes of two chunks meet. */
export function chunksMeet(one: Float32Array, chunk: number, other: Float32Array, theirs: number): boolean {
  const a = chunk * 4;
  const b = theirs * 4;
  return (
    one[a]! <= other[b + 2]! &&
    one[a + 2]! >= other[b]! &&
    one[a + 1]! <= other[b + 3]! &&
    one[a + 3]! >= other[b + 1]!
  );
}

/** How far along the segment after vertex `one` of the first line it is crossed by the segment after vertex `two` of
 *  the second. */
export function crossing(first: Flat, one: number, second: Flat, two: number): number | null {
  const ax = first[one * 2]!;
  const ay = first[one * 2 + 1]!;
  const bx = first[one * 2 + 2]! - ax;
  const by = first[one * 2 + 3]! - ay;
  const cx = second[two * 2]! - ax;
  const cy = second[two * 2 + 1]! - ay;
  const dx = second[two * 2 + 2]! - ax - cx;
  const dy = second[two * 2 + 3]! - ay - cy;
  const across = bx * dy - by * dx;
  if (across === 0) return null;
  const t = (cx * dy - cy * dx) / across;
  const u = (cx * by - cy * bx) / across;
  return t >= 0 && t <= 1 && u >= 0 && u <= 1 ? t : null;
}

/** The bearing of the segment after a vertex (for the last vertex: before it), in degrees clockwise from north, 0 to
 *  360. */
export function bearingAt(xy: Flat, vertex: number, { kx, ky }: Scale): number {
  const at = vertex * 2 + 3 < xy.length ? vertex : vertex - 1;
  const east = (xy[at * 2 + 2]! - xy[at * 2]!) * kx;
  const north = (xy[at * 2 + 3]! - xy[at * 2 + 1]!) * ky;
  return ((Math.atan2(east, north) * 180) / Math.PI + 360) % 360;
}

/** The angle between two bearings, 0 to 180 degrees. */
export function angleBetween(one: number, other: number): number {
  const apart = Math.abs(one - other) % 360;
  return apart > 180 ? 360 - apart : apart;
}

/** The rings of one polygon: the outer one, then its holes. All are closed. */
export type FlatPolygon = readonly Flat[];

export function isInside(polygon: FlatPolygon, x: number, y: number): boolean {
  let inside = false;
  for (const ring of polygon) {
    for (let at = 0; at + 3 < ring.length; at += 2) {
      const ay = ring[at + 1]!;
      const by = ring[at + 3]!;
      if (ay > y === by > y) continue;
      const ax = ring[at]!;
      const bx = ring[at + 2]!;
      if (ax + ((y - ay) / (by - ay)) * (bx - ax) > x) inside = !inside;
    }
  }
  return inside;
}
