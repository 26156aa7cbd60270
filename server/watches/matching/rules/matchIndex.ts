/** The routes that an incident can touch, and the incidents that can touch a route: by the roads that both name, and
 *  by boxes. Only these pairs are compared. A pair that is left out here never matches; a test compares this with
 *  trying all pairs. */
import Flatbush from 'flatbush';
import type { BoundingBox } from '../../../geography/shapes/geometry.ts';
import type { Chunked } from '../../../geography/roads/flatLine.ts';
import { AIRPORT_KM } from './matchAtStops.ts';
import { furthestReach } from './reach.ts';
import { LEG_WIDENING, overlapOf } from './matchStretches.ts';
import type { IncidentPlace, Span } from '../../../geography/roads/incidentPlace.ts';
import { boxAround, kmPerDegree, type Piece, type WatchLine } from './watchLine.ts';

/** Indices into the list that was indexed, each once. */
type Candidates = readonly number[];

export interface WatchIndex {
  near(incident: IncidentPlace): Candidates;
}

export interface IncidentIndex {
  near(watch: WatchLine): Candidates;
}

export function watchIndex(watches: readonly WatchLine[]): WatchIndex {
  /** By chain: its pieces, and the watches to which they belong. */
  const pieces = new Map<string, { piece: Piece; watch: number }[]>();
  /** By the road's name, for incidents that name the road without a place. */
  const roads = new Map<string, Set<number>>();
  const boxes = new Boxes(
    watches.reduce((sum, { line, stops }) => sum + Math.max(1, line.chunks.length / 2) + stops.length, 0),
  );
  for (const [at, watch] of watches.entries()) {
    for (const piece of watch.pieces) listIn(pieces, piece.chain.id).push({ piece, watch: at });
    for (const road of roadsOf(watch)) {
      const users = roads.get(road) ?? new Set();
      roads.set(road, users.add(at));
    }
    for (const box of reachedBoxes(watch)) boxes.add(box, at);
    for (const box of stopBoxes(watch)) boxes.add(box, at);
  }
  boxes.finish();

  return {
    near(incident) {
      const found = new Set<number>();
      for (const { chain, at, said } of incident.roads) {
        const spans = at ? [at, ...said] : said;
        for (const { piece, watch } of (chain && pieces.get(chain.id)) ?? []) {
          if (meets(spans, piece)) found.add(watch);
        }
      }
      for (const road of namesOf(incident)) for (const watch of roads.get(road) ?? []) found.add(watch);
      for (const box of placesOf(incident)) boxes.search(box, found);
      return [...found];
    },
  };
}

export function incidentIndex(incidents: readonly IncidentPlace[]): IncidentIndex {
  const byChain = new Map<string, { incident: number; spans: readonly Span[] }[]>();
  const byRoad = new Map<string, number[]>();
  const places = incidents.map(placesOf);
  const boxes = new Boxes(places.reduce((sum, { length }) => sum + length, 0));
  for (const [at, incident] of incidents.entries()) {
    for (const { chain, at: on, said } of incident.roads) {
      if (chain) listIn(byChain, chain.id).push({ incident: at, spans: on ? [on, ...said] : said });
    }
    for (const road of namesOf(incident)) listIn(byRoad, road).push(at);
    for (const box of places[at]!) boxes.add(box, at);
  }
  boxes.finish();

  return {
    near(watch) {
      const found = new Set<number>();
      for (const piece of watch.pieces) {
        for (const { incident, spans } of byChain.get(piece.chain.id) ?? [])
          if (meets(spans, piece)) found.add(incident);
      }
      for (const road of roadsOf(watch)) for (const at of byRoad.get(road) ?? []) found.add(at);
      for (const box of reachedBoxes(watch)) boxes.search(box, found);
      for (const box of stopBoxes(watch)) boxes.search(box, found);
      return [...found];
    },
  };
}

/** The roads that decide by their names alone. For other roads a place on them is needed as well. */
const namesOf = ({ box, roads, aside }: IncidentPlace): string[] =>
  box ? [] : [...roads.filter(({ said }) => said.length === 0).map(({ road }) => road), ...aside];

/** A loop and not `some`, because it is called for every piece of every route on the road. */
function meets(spans: readonly Span[], piece: Piece): boolean {
  for (const span of spans) if (overlapOf(span, piece, LEG_WIDENING) >= 0) return true;
  return false;
}

function listIn<T>(lists: Map<string, T[]>, key: string): T[] {
  const list = lists.get(key) ?? [];
  lists.set(key, list);
  return list;
}

const roadsOf = ({ pieces, legs }: WatchLine): ReadonlySet<string> =>
  new Set([...pieces.map(({ chain }) => chain.road), ...legs.flatMap(({ road }) => road ?? [])]);

/** The boxes of a route's chunks, each enlarged by the reach of its leg or by `km`; an area has its own box. */
export function* reachedBoxes(watch: WatchLine, km?: number): Generator<BoundingBox> {
  if (watch.area) yield watch.box;
  for (const leg of watch.legs) {
    const reachKm = km ?? furthestReach(leg);
    for (let chunk = leg.chunks[0]; chunk < leg.chunks[1]; chunk++) {
      yield grown(boxAt(watch.line, chunk), reachKm);
    }
  }
}

const stopBoxes = ({ stops }: WatchLine): BoundingBox[] =>
  stops.map(({ x, y }) => boxAround(x, y, AIRPORT_KM));

/** The places of the incident, in enough boxes to leave out the space between them; a town with its reach. */
function placesOf({ points, lines, polygons, named }: IncidentPlace): BoundingBox[] {
  const boxes: BoundingBox[] = polygons.map(({ west, south, east, north }) => ({ west, south, east, north }));
  for (let at = 0; at < points.length; at += 2) {
    const [x, y] = [points[at]!, points[at + 1]!];
    boxes.push({ west: x, south: y, east: x, north: y });
  }
  for (const line of lines) {
    for (let chunk = 0; chunk < line.chunks.length / 2; chunk++) {
      boxes.push(boxAt(line, chunk));
    }
  }
  if (named) boxes.push(boxAround(named.x, named.y, named.reachKm));
  return boxes;
}

function boxAt({ boxes }: Chunked, chunk: number): BoundingBox {
  const at = chunk * 4;
  return { west: boxes[at]!, south: boxes[at + 1]!, east: boxes[at + 2]!, north: boxes[at + 3]! };
}

function grown({ west, south, east, north }: BoundingBox, km: number): BoundingBox {
  const { high, wide } = kmPerDegree(Math.max(Math.abs(south), Math.abs(north)));
  const [up, aside] = [km / high, km / wide];
  return { west: west - aside, south: south - up, east: east + aside, north: north + up };
}

/** Boxes, each with one owner. They are stored with 32 bits, and enlarged by more than the rounding. */
class Boxes {
  readonly #owners: Uint32Array;
  readonly #boxes: Flatbush | null;
  readonly #count: number;
  #added = 0;

  constructor(count: number) {
    this.#count = count;
    this.#owners = new Uint32Array(count);
    this.#boxes = count > 0 ? new Flatbush(count, 16, Float32Array) : null;
  }

  add({ west, south, east, north }: BoundingBox, owner: number): void {
    this.#owners[this.#added++] = owner;
    this.#boxes!.add(west - SLACK, south - SLACK, east + SLACK, north + SLACK); // there is room for it
  }

  finish(): void {
    // The room of a watch without a chunk is left over.
    for (; this.#added < this.#count; this.#added++) this.#boxes!.add(NOWHERE, NOWHERE, NOWHERE, NOWHERE);
    this.#boxes?.finish();
  }

  search({ west, south, east, north }: BoundingBox, found: Set<number>): void {
    this.#boxes?.search(west, south, east, north, (index) => {
      found.add(this.#owners[index]!);
      return false;
    });
  }
}

const SLACK = 1e-4;
const NOWHERE = 999;
