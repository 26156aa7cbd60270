/** A line or outline that is drawn point by point. */
import { KM_PER_DEGREE } from '#contract/places/distance.ts';
import { normalRoad } from '#contract/incidents/roadName.ts';
import type { Leg, Position } from '#contract/watches/watches.ts';

export interface Drawn {
  points: readonly Position[];
  /** The road number that the user gave each stretch, from its point to the next; '' for none. */
  roads: readonly string[];
}

export const NOTHING_DRAWN: Drawn = { points: [], roads: [] };

/** To about a metre. */
export const rounded = ([longitude, latitude]: Position): Position => [
  Math.round(longitude * 1e5) / 1e5,
  Math.round(latitude * 1e5) / 1e5,
];

/** How far one press moves a point with the focus. */
const STEP_M = 100;
const DEGREE_M = KM_PER_DEGREE * 1000;

/** The place to which an arrow key moves a point; null for other keys. */
export function moved([longitude, latitude]: Position, key: string): Position | null {
  const up = STEP_M / DEGREE_M;
  const across = up / Math.cos((latitude * Math.PI) / 180);
  const steps: Partial<Record<string, Position>> = {
    ArrowUp: [0, up],
    ArrowDown: [0, -up],
    ArrowLeft: [-across, 0],
    ArrowRight: [across, 0],
  };
  const step = steps[key];
  return step ? rounded([longitude + step[0], latitude + step[1]]) : null;
}

/** The line with other points. A stretch keeps its road as long as the points before it stay. */
export function withPoints({ points, roads }: Drawn, next: readonly Position[]): Drawn {
  const isRemoved = next.length < points.length;
  const at = isRemoved ? points.findIndex((point, index) => point !== next[index]) : -1;
  const kept = isRemoved && at < roads.length ? roads.toSpliced(at, 1) : roads;
  return {
    points: next,
    roads: Array.from({ length: Math.max(0, next.length - 1) }, (_, index) => kept[index] ?? ''),
  };
}

/** The legs of the line. Stretches of one road that follow each other are one leg. */
export function legsOf({ points, roads }: Drawn): Leg[] {
  const legs: { type: 'line'; points: Position[]; road?: string }[] = [];
  for (const [index, to] of points.slice(1).entries()) {
    const road = normalRoad(roads[index] ?? '') || undefined;
    const last = legs.at(-1);
    if (last && last.road === road) last.points.push(to);
    else legs.push({ type: 'line', points: [points[index]!, to], ...(road && { road }) }); // `index` is before `to`
  }
  return legs;
}

/** The line of a drawn route; null when the route was made in another way. */
export function drawnOf(legs: readonly Leg[]): Drawn | null {
  const points: Position[] = [];
  const roads: string[] = [];
  for (const leg of legs) {
    if (leg.type !== 'line') return null;
    const isNext = points.at(-1)?.join() === leg.points[0]?.join();
    if (points.length > 0 && !isNext) return null;
    points.push(...leg.points.slice(points.length > 0 ? 1 : 0));
    roads.push(...leg.points.slice(1).map(() => leg.road ?? ''));
  }
  return points.length > 1 ? { points, roads } : null;
}

/** In kilometres. */
export function distance([fromX, fromY]: Position, [toX, toY]: Position): number {
  const wide = Math.cos((((fromY + toY) / 2) * Math.PI) / 180);
  return Math.hypot((toX - fromX) * wide, toY - fromY) * (DEGREE_M / 1000);
}
