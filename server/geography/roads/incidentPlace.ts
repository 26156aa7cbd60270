/** The place of an incident, from its own data, ready for matching. It is made once for each incident, however many
 *  routes there are. */
import { isInNorthernIreland } from '../shapes/northernIreland.ts';
import type { Disruption, Geometry } from '#contract/incidents/disruptions.ts';
import type { Direction, Facts } from '#contract/incidents/facts.ts';
import { isOwn, knownSource } from '#contract/feeds/knownSources.ts';
import type { BoundingBox } from '../shapes/geometry.ts';
import { labelPosition } from './junctionLabels.ts';
import { boxOf, chunked, flat, type Chunked, type FlatPolygon, type Scale } from './flatLine.ts';
import {
  along,
  periodOf,
  rulerAt,
  senseOf,
  type Chain,
  type LonLat,
  type RoadTable,
  type Sense,
  type Sign,
} from './roadTable.ts';

export interface StoredIncident extends Pick<
  Disruption,
  'event_id' | 'source' | 'title' | 'summary_line' | 'latitude' | 'longitude' | 'facts'
> {
  /** Absent for a team's own report. */
  event_type?: string;
  metadata: Record<string, unknown>;
  /** GeoJSON as text, from the publisher; null when only words give the place. */
  geometry: string | null;
}

/** A part of a chain from one position to another. On an orbital road the end can be beyond the last waypoint. */
export interface Span {
  lo: number;
  hi: number;
}

export interface NamedRoad {
  /** "M62" */
  road: string;
  /** Null: the road is not in our table. */
  chain: Chain | null;
  /** The span by its position; null when it has none within 4 km of the road. */
  at: (Span & { offKm: number }) | null;
  /** The spans by the junctions that its words name. */
  said: readonly (Span & { label: string })[];
  /** The direction, as on the road's signs. */
  sense: Sense | null;
  /** True: words and position are more than two intervals apart. */
  disagrees: boolean;
}

export interface IncidentPlace {
  event_id: string;
  /** The roads that it is about. */
  roads: readonly NamedRoad[];
  /** Roads that are only mentioned: "between the A428 and the M69". */
  aside: readonly string[];
  sign: Sign | null;
  isSlip: boolean;
  /** Longitude, latitude, … */
  points: Float64Array;
  lines: readonly Chunked[];
  polygons: readonly (BoundingBox & { rings: FlatPolygon; edges: Chunked })[];
  /** The box around all of them; null without a position of its own. */
  box: BoundingBox | null;
  scale: Scale;
  /** The place if only words give it; null when it has a position of its own. */
  named: NamedPlace | null;
  /** The same place, if it is a town or another place that a road can pass. */
  town: NamedPlace | null;
  /** The kind of traffic, by its type. */
  mode: Mode;
  /** The stretches of the team's own routes where it put this report; empty for incidents of others. */
  told: ToldOf;
}

type ToldOf = NonNullable<Disruption['metadata']['told_of']>;

interface NamedPlace {
  /** "Leeds and Manchester"; '' when its words name a region or a line without a name of its own. */
  names: string;
  /** True: one station, and not a section or a line. */
  isStation: boolean;
  /** True: the team gave it in its own report, so it is certainly somewhere within the reach. */
  isGiven: boolean;
  x: number;
  y: number;
  reachKm: number;
}

/** `other`: weather, floods, the police. */
type Mode = 'road' | 'rail' | 'air' | 'bus' | 'other';

const MODES: Readonly<Record<string, Mode>> = {
  '': 'road',
  road: 'road',
  rail: 'rail',
  aviation: 'air',
  air: 'air',
  bus: 'bus',
};

/** "rail.incident", and "news.rail" or "social.bus" for sources that report on everything. */
function modeOf({ event_type = '' }: StoredIncident): Mode {
  const [subject = '', detail = ''] = event_type.split('.');
  return MODES[subject === 'news' || subject === 'social' ? detail : subject] ?? 'other';
}

/** A position that is further from the road than this is not on it. */
const ON_ROAD_KM = 4;
/** How many intervals apart words and position may be. A position beside a junction counts as at it. */
const APART_MAX = 2;
const BESIDE = 0.12;
/** The most points of a line that are placed on a road; the rest is between them. */
const PLACED_MAX = 60;

const NO_POINTS = new Float64Array();

/** Methods by which words place an incident in a town, and not at a station or on a line. */
const TOWN_METHODS: ReadonlySet<unknown> = new Set(['place_name', 'between_places']);

export function incidentPlace(incident: StoredIncident, table: RoadTable): IncidentPlace {
  const { event_id, metadata, facts } = incident;
  const shape = shapeOf(incident.geometry);
  const named = shape ? null : namedPlace(incident);
  const town = TOWN_METHODS.has(metadata.location_method) && named?.names ? named : null;
  const sign = facts?.direction ?? null;
  const about = facts?.roads ?? [];
  const isIrish = isIrishPlace(incident, shape?.box ?? null, town);

  const roads = about.flatMap((road, index): NamedRoad[] => {
    const namesakes = table.named(road);
    const chains = namesakes.filter(({ id, road }) => isIrish === (id !== road));
    // The road is in the table, but in the other part of the kingdom.
    if (chains.length === 0 && namesakes.length > 0) return [];
    return (chains.length > 0 ? chains : [null]).map((chain) => ({
      road: chain?.road ?? road,
      chain,
      at: chain && shape && spanOf(chain, positionsOf(shape)),
      said: chain ? saidOf(chain, road, facts, table) : [],
      sense: chain && sign && index === 0 ? senseOf(chain, sign) : null,
      disagrees: false,
    }));
  });
  const isOnOne = roads.some(({ at }) => at !== null);
  for (const named of roads) {
    const { chain, at, said } = named;
    if (!chain || !shape || said.length === 0) continue;
    named.disagrees = at ? said.every((one) => gapBetween(one, at, chain) > APART_MAX - BESIDE) : !isOnOne;
  }

  return {
    event_id,
    roads,
    aside: facts?.aside ?? [],
    sign,
    isSlip: typeof metadata.slip_road === 'boolean' ? metadata.slip_road : (facts?.slip ?? null) !== null,
    points: shape?.points ?? NO_POINTS,
    lines: shape?.lines ?? [],
    polygons: shape?.polygons ?? [],
    box: shape?.box ?? null,
    scale: rulerAt(shape ? (shape.box.south + shape.box.north) / 2 : (named?.y ?? 53)),
    named,
    town,
    mode: modeOf(incident),
    // These are our own words, written by `reportPlace`. A publisher's metadata is passed on, and may say anything.
    told: isOwn(incident) ? ((metadata.told_of as ToldOf | undefined) ?? []) : [],
  };
}

function isIrishPlace(
  { source }: StoredIncident,
  box: BoundingBox | null,
  town: IncidentPlace['town'],
): boolean {
  if (box) return isInNorthernIreland((box.west + box.east) / 2, (box.south + box.north) / 2);
  const { subject, where } = knownSource(source);
  if (subject === 'roads' && where !== 'uk') return where === 'northern-ireland';
  return town !== null && isInNorthernIreland(town.x, town.y);
}

function namedPlace({ source, metadata, latitude, longitude }: StoredIncident): NamedPlace | null {
  const { location_method, location_names, location_reach_km } = metadata;
  if (latitude === null || longitude === null) return null;
  const names = Array.isArray(location_names) ? location_names.filter((one) => typeof one === 'string') : [];
  const reachKm = typeof location_reach_km === 'number' ? location_reach_km : 0;
  const isStation = location_method === 'station';
  return {
    names: names.join(' and '),
    isStation,
    isGiven: isOwn({ source }),
    x: longitude,
    y: latitude,
    reachKm,
  };
}

type Shape = Pick<IncidentPlace, 'points' | 'lines' | 'polygons'> & { box: BoundingBox };

/** Null also for a geometry that cannot be a place in the islands: it is empty, or so wide that it crosses the 180th
 *  meridian. */
export function shapeOf(geometry: string | null): Shape | null {
  if (geometry === null) return null;
  const { type, coordinates } = JSON.parse(geometry) as Geometry;
  const many = type.startsWith('Multi') ? coordinates : [coordinates];
  const kind = type.replace('Multi', '');
  const shape: Omit<Shape, 'box'> = { points: NO_POINTS, lines: [], polygons: [] };
  if (kind === 'Point') shape.points = flat(many as LonLat[]);
  else if (kind === 'LineString') {
    shape.lines = (many as LonLat[][])
      .filter((line) => line.length > 1)
      .map((line) => chunked(flat(line), [[0, line.length - 1]]));
  } else {
    shape.polygons = (many as LonLat[][][]).filter(([outer]) => outer && outer.length > 3).map(polygonOf);
  }
  const boxes = [
    ...(shape.points.length > 0 ? [boxOf(shape.points)] : []),
    ...shape.lines.map(({ xy }) => boxOf(xy)),
    ...shape.polygons,
  ];
  if (boxes.length === 0) return null;
  const box = {
    west: Math.min(...boxes.map(({ west }) => west)),
    south: Math.min(...boxes.map(({ south }) => south)),
    east: Math.max(...boxes.map(({ east }) => east)),
    north: Math.max(...boxes.map(({ north }) => north)),
  };
  return box.east - box.west > 180 ? null : { ...shape, box };
}

export function polygonOf(rings: readonly LonLat[][]): IncidentPlace['polygons'][number] {
  const own = rings.map(flat);
  const all = flat(rings.flat());
  let first = 0;
  const runs = rings.map((ring): [number, number] => {
    first += ring.length;
    return [first - ring.length, first - 1];
  });
  return { ...boxOf(own[0]!), rings: own, edges: chunked(all, runs) }; // a polygon has an outer ring
}

function positionsOf({ points, lines }: Shape): LonLat[] {
  const all: LonLat[] = [];
  for (const xy of [points, ...lines.map((line) => line.xy)]) {
    const count = xy.length / 2;
    const step = Math.max(1, Math.ceil(count / PLACED_MAX));
    for (let at = 0; at < count; at++) {
      if (at % step === 0 || at === count - 1) all.push([xy[at * 2]!, xy[at * 2 + 1]!]);
    }
  }
  return all;
}

/** The span of the positions that are on the road. */
function spanOf(chain: Chain, positions: readonly LonLat[]): NamedRoad['at'] {
  const placed = positions
    .flatMap((position) => along(chain, position) ?? [])
    .filter(({ off }) => off <= ON_ROAD_KM);
  if (placed.length === 0) return null;
  const offKm = Math.min(...placed.map(({ off }) => off));
  const sorted = placed.map(({ at }) => at).sort((one, other) => one - other);
  let [lo, hi] = [sorted[0]!, sorted.at(-1)!]; // there is one
  if (chain.isOrbital) {
    // A ring is entered after the widest gap between two positions.
    let widest = lo + periodOf(chain) - hi;
    for (let at = 1; at < sorted.length; at++) {
      const gap = sorted[at]! - sorted[at - 1]!;
      if (gap <= widest) continue;
      widest = gap;
      [lo, hi] = [sorted[at]!, sorted[at - 1]! + periodOf(chain)];
    }
  }
  return { lo, hi, offKm };
}

/** The spans that words name. Junctions, roads and places that the table does not have there are left out. */
function saidOf(chain: Chain, road: string, facts: Facts | undefined, table: RoadTable): NamedRoad['said'] {
  return (facts?.stretch ?? [])
    .filter((stretch) => stretch.road === road)
    .flatMap(({ from, to }) => {
      const known = [...new Set([from, to])].flatMap((label) => {
        const at = labelPosition(chain, label, table);
        return at === null ? [] : [{ label, at }];
      });
      if (known.length === 0) return [];
      const ends = known.map(({ at }) => at);
      let [lo, hi] = [Math.min(...ends), Math.max(...ends)];
      // On a ring the shorter way is meant.
      if (chain.isOrbital && hi - lo > periodOf(chain) / 2) [lo, hi] = [hi, lo + periodOf(chain)];
      return [{ lo, hi, label: known.map(({ label }) => label).join(' to ') }];
    });
}

/** How many intervals apart they are; 0 when they meet. */
function gapBetween(one: Span, other: Span, chain: Chain): number {
  const period = periodOf(chain);
  const turns = period ? [-period, 0, period] : [0];
  return Math.min(...turns.map((turn) => Math.max(0, one.lo - other.hi - turn, other.lo + turn - one.hi)));
}

export const DIRECTION_WORDS: Readonly<Record<Sign, string>> = {
  N: 'northbound',
  E: 'eastbound',
  S: 'southbound',
  W: 'westbound',
  CW: 'clockwise',
  AC: 'anti-clockwise',
  coast: 'coastbound',
  London: 'Londonbound',
};

/** Degrees clockwise from north. Signs that are not a point of the compass have none. */
export const COMPASS: Readonly<Partial<Record<Sign, number>>> = {
  N: 0,
  E: 90,
  S: 180,
  W: 270,
} satisfies Partial<Record<Direction, number>>;
