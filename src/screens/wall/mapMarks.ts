/** The marks on the wall's map: the band's alert, the other worst alerts, and where the name of the band's alert has
 *  room. */
import { worstFirst } from '#contract/incidents/worstFirst.ts';
import { towns } from 'virtual:silhouette';
import type { Alert } from '../../api/alerts/disruptions.ts';
import { gradeOf, isCounted } from '../../feeds/alerts/alerts.ts';
import { shortPlaces } from '../../feeds/alerts/titles.ts';
import type { Grade } from '../../ui/signs/Severity.tsx';
import { PICTURE, type Spot, spotOf, UNITS_PER_KM } from './projection.ts';

/** The most marks on the map, beside the feeds and on a page of its own. */
export const MOST_MARKS = 12;
export const MOST_MARKS_ALONE = 24;
/** The radius of the ring, in units of the picture. */
export const RING = 48;
const SIZES: Readonly<Record<Grade, number>> = { critical: 54, high: 46, medium: 34, low: 34, unrated: 34 };
/** No other mark may be closer to the ring than this. */
const RING_GAP = 10;

export interface MapMark extends Spot {
  id: string;
  grade: Grade;
  size: number;
}

export interface Label extends Spot {
  width: number;
  height: number;
}

interface MapMarks {
  /** Null when the band's alert has no place. */
  lead: MapMark | null;
  others: MapMark[];
  /** How many other alerts are under the ring. */
  near: number;
}

/** The marks in the order in which they are placed: the worst first. */
const ownMarks = (alerts: readonly Alert[]): MapMark[] =>
  alerts.filter(isCounted).toSorted(worstFirst).flatMap(markOf);

/** The band's alert, and how many others its ring covers. */
export function underRing(alerts: readonly Alert[], leadId: string | null): Pick<MapMarks, 'lead' | 'near'> {
  const marks = ownMarks(alerts);
  const lead = marks.find(({ id }) => id === leadId) ?? null;
  return { lead, near: lead ? marks.filter((mark) => mark !== lead && isUnder(mark, lead)).length : 0 };
}

const isUnder = (mark: MapMark, lead: Spot) => distance(mark, lead) < RING + mark.size / 2 + RING_GAP;

/** The marks. Low alerts are drawn only when nothing worse is active. No place is guessed, no mark lies on another,
 *  and none is so close to the label that it could be taken for the label's place. If a worse alert finds no room,
 *  no milder one takes its place. */
export function mapMarks(
  alerts: readonly Alert[],
  leadId: string | null,
  { label = null, most = MOST_MARKS }: { label?: Label | null; most?: number } = {},
): MapMarks {
  const { lead, near } = underRing(alerts, leadId);
  const isWorse = ({ grade }: Pick<MapMark, 'grade'>) => grade !== 'low' && grade !== 'unrated';
  const someWorse = alerts.some((alert) => isCounted(alert) && isWorse({ grade: gradeOf(alert) }));
  const others: MapMark[] = [];
  const withoutRoom: MapMark[] = [];
  for (const mark of ownMarks(alerts)) {
    if (mark.id === leadId || (someWorse && !isWorse(mark)) || (lead && isUnder(mark, lead))) continue;
    if (others.length === most - (lead ? 1 : 0)) break;
    const taken = withoutRoom.some((worse) => worse.grade !== mark.grade && overlap(worse, mark));
    const free = MOVES.map(({ x, y }) => ({ ...mark, x: mark.x + x, y: mark.y + y })).find(
      (moved) =>
        !(lead && isUnder(moved, lead)) &&
        !(label && isIn(moved, label)) &&
        !others.some((other) => overlap(moved, other)),
    );
    if (free && !taken) others.push(free);
    else withoutRoom.push(mark);
  }
  return { lead, others, near };
}

/** A symbol that would lie on a worse one is moved by at most its own radius; otherwise it is left out. */
const MOST_MOVE = 24;
const MOVES: readonly Spot[] = [
  { x: 0, y: 0 },
  ...[8, 16, MOST_MOVE].flatMap((by) =>
    Array.from({ length: 8 }, (_, place) => ({
      x: by * Math.cos((place * Math.PI) / 4),
      y: by * Math.sin((place * Math.PI) / 4),
    })),
  ),
];

const distance = (a: Spot, b: Spot) => Math.hypot(a.x - b.x, a.y - b.y);

/** Whether the squares around two marks overlap. Touching is not overlapping. */
const overlap = (a: MapMark, b: MapMark) =>
  Math.max(Math.abs(a.x - b.x), Math.abs(a.y - b.y)) < (a.size + b.size) / 2 - 0.01;

/** How much room around a label must be free of other marks. */
const LABEL_MARGIN = 30;

const isIn = ({ x, y, size }: MapMark, label: Label) =>
  x + size / 2 > label.x - LABEL_MARGIN &&
  x - size / 2 < label.x + label.width + LABEL_MARGIN &&
  y + size / 2 > label.y &&
  y - size / 2 < label.y + label.height;

function markOf(alert: Alert): MapMark[] {
  const spot = spotOf(alert);
  const grade = gradeOf(alert);
  return spot ? [{ id: alert.event_id, grade, size: SIZES[grade], ...spot }] : [];
}

const TOWN_KM = 15;

/** The largest town within 15 km of the alert; '' when there is none. */
export function townOf(alert: Alert): string {
  const spot = spotOf(alert);
  return (spot && townsNear(spot, TOWN_KM * UNITS_PER_KM)[0]?.name) ?? '';
}

/** The name on the map: the town near the alert. Without one, the place in its words; if the words name only a road
 *  or a river, the nearest town. '' when nobody gives a place. */
export function nameOnMap(alert: Alert): string {
  const town = townOf(alert);
  if (town) return town;
  const spot = spotOf(alert);
  const { facts, metadata } = alert;
  const place = facts?.place ?? '';
  const names = [
    / (?:at|in|near) ([^,]+)$/.exec(place)?.[1],
    metadata?.location_names?.find((name) => !place || place.includes(name)),
    place.split(/,| to |: /)[0],
    ...shortPlaces(place),
  ];
  const named = names.find((name) => name && name.length <= LONGEST_NAME);
  return spot && named && LONG.test(named) ? nearestTown(spot) : (named ?? '');
}

/** Names of things that are longer than a place. */
const LONG = /^(?:[AMB]\d|M6 Toll|Rivers? |Coast\b)|\b(?:line|Sea)$/;

const nearestTown = (spot: Spot): string =>
  townsNear(spot, Infinity).reduce((best, town) =>
    distance(town, spot) < distance(best, spot) ? town : best,
  ).name;

/** Towns near a spot, the largest first. `within`: in units of the picture. */
export const townsNear = (spot: Spot, within: number): (Spot & { name: string })[] =>
  towns.map(([name, x, y]) => ({ name, x, y })).filter((town) => distance(town, spot) <= within);

const LONGEST_NAME = 16;

const GAP = 14;
export const LABEL_LINE = 42;

/** The place of a label with lines of this width: right of the ring, otherwise above it. At the edge of the picture,
 *  below or left. */
export function labelSpot(lead: Spot, { width, lines }: { width: number; lines: number }): Label {
  const height = lines * LABEL_LINE;
  const beside = lead.y - height / 2;
  // At the left edge, the line comes down from the band.
  const centred = Math.max(GAP, Math.min(lead.x - width / 2, PICTURE.width - width));
  const places: Spot[] = [
    { x: lead.x + RING + GAP, y: beside },
    { x: centred, y: lead.y - RING - GAP / 2 - height },
    { x: centred, y: lead.y + RING + GAP / 2 },
  ];
  const isInside = ({ x, y }: Spot) =>
    x >= 0 && y >= COUNT_HEIGHT && x + width <= PICTURE.width && y + height <= PICTURE.height;
  return { ...(places.find(isInside) ?? places[1]!), width, height };
}

/** The height of the words at the top left that say how many alerts are drawn. */
const COUNT_HEIGHT = 90;
