/** A route or area that is being made. */
import type { Geometry } from '#contract/disruptions.ts';
import { TELL_ME, type TellMe } from '#contract/tellMe.ts';
import type { DepartureInput, Leg, Position } from '#contract/watches.ts';
import type { Watch } from '../api/watches.ts';
import { junctionsText, placeName } from '../watches/strip.ts';

export interface Draft {
  name: string;
  /** The name that a file or a place brought: another's replaces it, but no name that was typed. */
  offered: string;
  departures: DepartureInput[];
  tellMe: TellMe;
  /** Null: as the rules have it for the legs. */
  reach_m: number | null;
  /** The middle of an area's circle. */
  area: { label: string; latitude: number; longitude: number } | null;
  /** How an area is bounded. */
  shape: 'circle' | 'polygon';
  /** The corners of an area, without the first again at the end. */
  outline: readonly Position[];
  /** Save the way back as a second route. */
  wayBack: boolean;
  /** The way, or the area's place, is another than the saved one. */
  remade: boolean;
}

export const EMPTY_DRAFT: Draft = {
  name: '',
  offered: '',
  departures: [],
  tellMe: TELL_ME,
  reach_m: null,
  area: null,
  shape: 'circle',
  outline: [],
  wayBack: false,
  remade: false,
};

export function draftOf({ name, departures, notify, reach_m, geometry }: Watch): Draft {
  const [ring = []] = geometry?.type === 'Polygon' ? (geometry.coordinates as unknown as Position[][]) : [];
  return {
    ...EMPTY_DRAFT,
    name,
    departures,
    tellMe: notify,
    reach_m: reach_m ?? null,
    ...(ring.length > 0 && { shape: 'polygon', outline: ring.slice(0, -1) }),
  };
}

/** What bounds an area; null while nothing does. */
export function boundsOf({ shape, area, outline }: Draft): Geometry | null {
  if (shape === 'circle') return area && { type: 'Point', coordinates: [area.longitude, area.latitude] };
  return outline.length > 2 ? { type: 'Polygon', coordinates: [[...outline, outline[0]!]] } : null; // it has one
}

/** The text that makes such a route: its places and junctions, without those that it only passes. */
export const textOf = ({ places }: Pick<Watch, 'places'>): string =>
  places
    .filter(({ minor }) => !minor)
    .map((place) => junctionsText(place) || place.name || '')
    .filter(Boolean)
    .join(', ');

/** "Denham to Bicester", a name for a route between two junctions. */
export function endsOf(places: Watch['places']): string {
  const [first, last] = [places[0], places.at(-1)];
  return first && last ? `${first.name ?? placeName(first)} to ${last.name ?? placeName(last)}` : '';
}

/** "Leeds to Heathrow" becomes "Heathrow to Leeds". */
export function reversedName(name: string): string {
  const [from, to, ...more] = name.split(/ to | - | – /);
  return from && to && more.length === 0 ? `${to} to ${from}` : `${name}, way back`;
}

/** The same way from its end to its start. */
export const reversedLegs = (legs: readonly Leg[]): Leg[] => legs.toReversed().map(reversed);

function reversed(leg: Leg): Leg {
  if (leg.type === 'road') return { ...leg, from: leg.to, to: leg.from, sense: opposite(leg.sense) };
  const points = leg.points.toReversed();
  if (leg.type !== 'exact') return { ...leg, points };
  const length = Math.max(0, ...leg.roads.map(({ to_km }) => to_km));
  return {
    ...leg,
    points,
    roads: leg.roads.toReversed().map((road) => ({
      ...road,
      sense: opposite(road.sense),
      from_km: length - road.to_km,
      to_km: length - road.from_km,
    })),
  };
}

const opposite = (sense: 1 | -1): 1 | -1 => (sense === 1 ? -1 : 1);

/** What is typed where the cursor is, between commas, lines and dashes. */
export function partAt(text: string, cursor: number): { from: number; to: number; words: string } {
  const before = Math.max(...[',', ';', '\n'].map((mark) => text.lastIndexOf(mark, cursor - 1))) + 1;
  const rest = text.slice(cursor).search(/[,\n;]/);
  const to = rest === -1 ? text.length : cursor + rest;
  const lead = text.slice(before, to).search(/\S|$/);
  return { from: before + lead, to, words: text.slice(before + lead, to).trim() };
}
