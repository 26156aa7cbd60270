/** The routes that an incident can touch, and the incidents that can touch a route: by the roads that both name, and
 *  by boxes. Only these pairs are compared. A pair that is left out here never matches; a test compares this with
 *  trying all pairs. */
import Flatbush from 'flatbush';
import type { BoundingBox } from '../../../geography/shapes/geometry.ts';
import type { Chunked } from '../../../geography/roads/flatLine.ts';
import { AIRPORT_KM } from './matchAtStops.ts';
import { furthestReach } from './reach.ts';
import { lacksTown } from './matchByWords.ts';
import { LEG_WIDENING, overlap } from './matchStretches.ts';
import type { IncidentPlace, Span } from '../../../geography/roads/incidentPlace.ts';
import { periodOf, type Chain } from '../../../geography/roads/roadTable.ts';
import { boxAround, kmPerDegree, type Piece, type WatchLine } from './watchLine.ts';

/** Called once for each candidate. `at`: its index in the list that was indexed. `isOnRoad`: a piece of a road that
 *  the route uses meets a stretch of the incident on that road; false: it was found by a road's name or by position
 *  alone. */
type Visit = (at: number, isOnRoad: boolean) => void;

export interface WatchIndex {
  near(incident: IncidentPlace, visit: Visit): void;
}

export interface IncidentIndex {
  near(watch: WatchLine, visit: Visit): void;
}

export function watchIndex(watches: readonly WatchLine[]): WatchIndex {
  const chains = new Stretches();
  /** By the road's name, for incidents that name the road without a place. */
  const roads = new Map<string, number[]>();
  const areas = new Set<number>();
  const boxes = new Boxes(
    watches.reduce((sum, { line, stops }) => sum + Math.max(1, line.chunks.length / 2) + stops.length, 0),
  );
  for (const [at, watch] of watches.entries()) {
    for (const piece of watch.pieces) chains.add(piece.chain, widened(piece), at);
    for (const road of roadsOf(watch)) listIn(roads, road).push(at);
    if (watch.area) areas.add(at);
    for (const box of reachedBoxes(watch)) boxes.add(box, at);
    for (const box of stopBoxes(watch)) boxes.add(box, at);
  }
  boxes.finish();
  const once = distinct(watches.length);

  return {
    near(incident, visit) {
      const found = once(visit);
      for (const { chain, at, said } of incident.roads) {
        if (chain) chains.search(chain, at ? [at, ...said] : said, (watch) => found(watch, true));
      }
      for (const road of namesOf(incident)) for (const watch of roads.get(road) ?? []) found(watch, false);
      const isOnlyForAreas = isForAreas(incident);
      for (const box of placesOf(incident)) {
        boxes.search(box, (watch) => {
          if (!isOnlyForAreas || areas.has(watch)) found(watch, false);
        });
      }
    },
  };
}

export function incidentIndex(incidents: readonly IncidentPlace[]): IncidentIndex {
  const chains = new Stretches();
  const byRoad = new Map<string, number[]>();
  const places = incidents.map(placesOf);
  const boxes = new Boxes(places.reduce((sum, { length }) => sum + length, 0));
  for (const [at, incident] of incidents.entries()) {
    for (const { chain, at: on, said } of incident.roads) {
      if (chain) for (const span of on ? [on, ...said] : said) chains.add(chain, span, at);
    }
    for (const road of namesOf(incident)) listIn(byRoad, road).push(at);
    for (const box of places[at]!) boxes.add(box, at);
  }
  boxes.finish();
  const once = distinct(incidents.length);

  return {
    near(watch, visit) {
      const found = once(visit);
      for (const piece of watch.pieces) {
        chains.search(piece.chain, [widened(piece)], (incident) => found(incident, true));
      }
      for (const road of roadsOf(watch)) for (const at of byRoad.get(road) ?? []) found(at, false);
      const isHere = (at: number) => {
        if (watch.area || !isForAreas(incidents[at]!)) found(at, false);
      };
      for (const box of reachedBoxes(watch)) boxes.search(box, isHere);
      for (const box of stopBoxes(watch)) boxes.search(box, isHere);
    },
  };
}

/** Passes on each number below the limit once. */
function distinct(limit: number): (visit: Visit) => Visit {
  const foundIn = new Uint32Array(limit);
  let round = 0;
  return (visit) => {
    const own = ++round;
    return (at, isOnRoad) => {
      if (foundIn[at] === own) return;
      foundIn[at] = own;
      visit(at, isOnRoad);
    };
  };
}

const widened = ({ lo, hi }: Piece): Span => ({ lo: lo - LEG_WIDENING, hi: hi + LEG_WIDENING });

/** The roads that decide by their names alone. For other roads a place on them is needed as well. */
const namesOf = ({ box, roads, aside }: IncidentPlace): string[] =>
  box ? [] : [...roads.filter(({ said }) => said.length === 0).map(({ road }) => road), ...aside];

/** Its place is from words, and too vague for a route. */
const isForAreas = (incident: IncidentPlace): boolean =>
  incident.named !== null && !incident.named.isStation && lacksTown(incident) !== null;

function listIn<K, T>(lists: Map<K, T[]>, key: K): T[] {
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

/** Stretches of roads by chain, each with one owner. Their ends are together in one list, because a search looks at
 *  every stretch of the chain. */
class Stretches {
  readonly #byChain = new Map<Chain, { ends: number[]; owners: number[] }>();

  add(chain: Chain, { lo, hi }: Span, owner: number): void {
    const known = this.#byChain.get(chain) ?? { ends: [], owners: [] };
    this.#byChain.set(chain, known);
    known.ends.push(lo, hi);
    known.owners.push(owner);
  }

  search(chain: Chain, spans: readonly Span[], found: (owner: number) => void): void {
    const known = this.#byChain.get(chain);
    if (!known) return;
    const { ends, owners } = known;
    const period = periodOf(chain);
    for (let at = 0; at < owners.length; at++) {
      const [first, last] = [ends[at * 2]!, ends[at * 2 + 1]!];
      for (const span of spans) {
        if (overlap(span, first, last, period) > -ROUNDING) found(owners[at]!);
      }
    }
  }
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

  search({ west, south, east, north }: BoundingBox, found: (owner: number) => void): void {
    this.#boxes?.search(west, south, east, north, (index) => {
      found(this.#owners[index]!);
      return false;
    });
  }
}

const ROUNDING = 1e-9;
const SLACK = 1e-4;
const NOWHERE = 999;
