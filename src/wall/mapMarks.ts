/** What the map of the wall shows: the alert in the band, the other worst ones, and where its name has room. */
import type { Alert } from '../api/disruptions.ts';
import { gradeOf, isCounted } from '../feeds/alerts.ts';
import { worstFirst } from '#contract/disruptions.ts';
import type { Grade } from '../ui/Severity.tsx';
import { shortPlaces } from '../feeds/shortTitles.ts';
import { PICTURE, type Spot, spotOf } from './projection.ts';

const MOST_MARKS = 12;
/** In units of the picture. */
export const RING = 54;
const SIZES: Readonly<Record<Grade, number>> = { critical: 60, high: 54, medium: 40, low: 40, unrated: 40 };

export interface MapMark extends Spot {
  id: string;
  grade: Grade;
  size: number;
}

export interface MapMarks {
  /** Null where the alert in the band has no place. */
  lead: MapMark | null;
  others: MapMark[];
  /** How many others lie under the ring. */
  near: number;
}

/** Low ones only where nothing worse has a place. Nothing is guessed, and none lies on another. */
export function mapMarks(alerts: readonly Alert[], leadId: string | null): MapMarks {
  const marks = alerts.filter(isCounted).toSorted(worstFirst).flatMap(markOf);
  const lead = marks.find(({ id }) => id === leadId) ?? null;
  const rest = marks.filter((mark) => mark !== lead);
  const isUnder = (mark: MapMark) => lead !== null && distance(mark, lead) < RING + mark.size / 2;
  const away = rest.filter((mark) => !isUnder(mark));
  const isWorse = ({ grade }: MapMark) => grade !== 'low' && grade !== 'unrated';
  const others: MapMark[] = [];
  for (const mark of marks.some(isWorse) ? away.filter(isWorse) : away) {
    if (others.length === MOST_MARKS - (lead ? 1 : 0)) break;
    const free = MOVES.map(({ x, y }) => ({ ...mark, x: mark.x + x, y: mark.y + y })).find(
      (moved) => !isUnder(moved) && !others.some((other) => overlap(moved, other)),
    );
    if (free) others.push(free);
  }
  return { lead, others, near: rest.filter(isUnder).length };
}

/** A symbol that would lie on a worse one is moved by at most its own radius, or else left out. */
const MOST_MOVE = 30;
const MOVES: readonly Spot[] = [
  { x: 0, y: 0 },
  ...[10, 20, MOST_MOVE].flatMap((by) =>
    Array.from({ length: 8 }, (_, place) => ({
      x: by * Math.cos((place * Math.PI) / 4),
      y: by * Math.sin((place * Math.PI) / 4),
    })),
  ),
];

const distance = (a: Spot, b: Spot) => Math.hypot(a.x - b.x, a.y - b.y);

/** By the squares around them; what only touches does not. */
const overlap = (a: MapMark, b: MapMark) =>
  Math.max(Math.abs(a.x - b.x), Math.abs(a.y - b.y)) < (a.size + b.size) / 2 - 0.01;

function markOf(alert: Alert): MapMark[] {
  const spot = spotOf(alert);
  const grade = gradeOf(alert);
  return spot ? [{ id: alert.event_id, grade, size: SIZES[grade], ...spot }] : [];
}

/** The road or town of the alert in the band, in a word or two, as the band calls it; '' where that would be too long. */
export function nameOnMap({ facts, metadata }: Alert): string {
  const place = facts?.place ?? '';
  const names = [
    facts?.roads?.find((road) => place.startsWith(road) && !/^[\w(]/.test(place.slice(road.length))),
    / (?:at|in|near) ([^,]+)$/.exec(place)?.[1],
    metadata?.location_names?.find((name) => !place || place.includes(name)),
    place.split(/,| to |: /)[0],
    ...shortPlaces(place),
  ];
  return names.find((name) => name && name.length <= LONGEST_NAME) ?? '';
}

const LONGEST_NAME = 16;

const GAP = 14;
export const LABEL_LINE = 42;

/** Where the lines of this width beside the ring begin: right of it, else above, below or left; never over a symbol. */
export function labelSpot(
  lead: Spot,
  { width, lines, others }: { width: number; lines: number; others: readonly MapMark[] },
): Spot {
  const height = lines * LABEL_LINE;
  const beside = lead.y - height / 2;
  // At the left edge the line comes down from the band.
  const centred = Math.min(Math.max(GAP, lead.x - width / 2), PICTURE.width - width);
  const above = lead.y - RING - GAP / 2 - height;
  const below = lead.y + RING + GAP / 2;
  const atRight = Math.max(0, Math.min(lead.x, PICTURE.width - width));
  const atLeft = Math.max(GAP, lead.x - width);
  // Left of the ring is the line from the band.
  const places: Spot[] = [
    { x: lead.x + RING + GAP, y: beside },
    ...[centred, atRight, atLeft].map((x) => ({ x, y: above })),
    ...[centred, atRight, atLeft].map((x) => ({ x, y: below })),
    { x: lead.x - RING - GAP - width, y: beside },
  ];
  const isFree = ({ x, y }: Spot) =>
    x >= 0 &&
    y >= 0 &&
    x + width <= PICTURE.width &&
    y + height <= PICTURE.height &&
    others.every(
      (mark) =>
        mark.x + mark.size / 2 < x ||
        mark.x - mark.size / 2 > x + width ||
        mark.y + mark.size / 2 < y ||
        mark.y - mark.size / 2 > y + height,
    );
  return places.find(isFree) ?? places[1]!;
}
