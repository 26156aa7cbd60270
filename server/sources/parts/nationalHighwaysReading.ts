/** National Highways' closures as published: DATEX II v3 as JSON, converted mechanically from XML. */
import { z } from 'zod';
import { toPoint, type Point } from '../../geography/shapes/geometry.ts';
import { fields } from '../../http/documents/json.ts';
import { plainText } from '../../http/documents/plainText.ts';
import { readRecords, type Problems } from '../../http/documents/records.ts';

const Text = z.string().nullish().catch(null);

export const Situation = z.object({
  idG: z.union([z.string().trim().min(1), z.number()]).transform(String),
  situationVersionTime: Text,
  situationRecord: z.unknown().optional(),
});
export type Situation = z.infer<typeof Situation>;

export const Closure = z.object({
  situationRecordCreationTime: Text,
  situationRecordVersionTime: Text,
  validity: z
    .object({
      validityStatus: Text,
      validityTimeSpecification: z
        .object({ overallStartTime: Text, overallEndTime: Text })
        .nullish()
        .catch(null),
    })
    .refine(
      ({ validityStatus, validityTimeSpecification: window }) =>
        validityStatus || window?.overallStartTime || window?.overallEndTime,
      'says neither a status nor a time',
    ),
  source: z.object({ sourceIdentification: Text }).nullish().catch(null),
  cause: z.object({ causeType: Text, detailedCauseType: z.unknown().optional() }).nullish().catch(null),
  generalPublicComment: z.unknown().optional(),
  roadOrCarriagewayOrLaneManagementType: z.unknown().optional(),
  locationReference: z.unknown().optional(),
});
export type Closure = z.infer<typeof Closure>;

export function situationsOf(document: unknown): unknown[] {
  const { D2Payload } = fields(document);
  const { feedType, publicationTime, situation } = fields(D2Payload);
  if (feedType === undefined && publicationTime === undefined) {
    throw new Error('The document is not a DATEX II publication: it has no D2Payload with a feedType.');
  }
  return asList(situation);
}

export function readSituations(situations: readonly unknown[], found: Problems): Situation[] {
  const idOf = (item: unknown) => {
    const { idG } = fields(item);
    return typeof idG === 'string' || typeof idG === 'number' ? plainText(String(idG)) : '';
  };
  const read = readRecords(
    Situation,
    situations,
    found,
    (item, index) => `Situation ${idOf(item) || index + 1}`,
    (item) => (idOf(item) ? `national-highways:${idOf(item)}` : null),
  );
  if (read.length === 0 && situations.length > 0) {
    throw new Error(`None of the ${situations.length} situations can be read: ${found.list.at(-1)}`);
  }
  return read;
}

/** The records of a situation. Each is about one carriageway, or one day of it. */
export function closuresOf({ idG, situationRecord }: Situation, found: Problems): Closure[] {
  const id = plainText(idG);
  const wrapped = asList(situationRecord);
  const eventId = `national-highways:${id}`;
  if (wrapped.length === 0) found.skip(`Situation ${id} left out: it has no record`, eventId);
  return readRecords(
    Closure,
    wrapped.map(unwrapped),
    found,
    (_, index) => (wrapped.length > 1 ? `Record ${index + 1} of situation ${id}` : `Situation ${id}`),
    () => eventId,
  );
}

/** The record inside an object that is named after its kind: `{ sitRoadOrCarriagewayOrLaneManagement: { ... } }`. */
function unwrapped(wrapper: unknown): unknown {
  const parts = fields(wrapper);
  if ('validity' in parts) return parts;
  return (
    Object.values(parts).find((part) => 'validity' in fields(part)) ?? Object.values(parts)[0] ?? wrapper
  );
}

export interface Carriageway {
  isSlipRoad: boolean;
  /** Numbers of lanes; null when not given. */
  restricted: number | null;
  operational: number | null;
}

/** At least one carriageway: a closure without any description of its carriageway counts as unknown. */
export function carriagewaysOf(closure: Closure): Carriageway[] {
  const found = under(closure.locationReference, 'supplementaryPositionalDescription')
    .flatMap((description) => asList(fields(description).carriageway))
    .map((carriageway) => {
      const { carriageway: kind, carriagewayExtensionG } = fields(carriageway);
      const impact = fields(fields(carriagewayExtensionG).impactOnCarriageway);
      return {
        isSlipRoad: /slip/i.test(codeOf(kind)),
        restricted: count(impact.numberOfLanesRestricted),
        operational: count(impact.numberOfOperationalLanes),
      };
    });
  if (found.length > 0) return found;

  const elements = under(closure.locationReference, 'linearElementType').map(codeOf);
  const isSlipRoad = elements.length > 0 && elements.every((element) => /slip/i.test(element));
  return [{ isSlipRoad, restricted: null, operational: null }];
}

function count(value: unknown): number | null {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isInteger(number) && number >= 0 ? number : null;
}

export function roadsOf(closure: Closure): string[] {
  return distinct(under(closure.locationReference, 'roadName').map(wordsOf));
}

/** "northbound", also for the publisher's own "souththbound"; '' when there are several directions or none. */
export function directionOf(closure: Closure): string {
  const codes = [
    ...under(closure.locationReference, 'directionOnLinearSection'),
    ...under(closure.locationReference, 'directionAtPoint'),
  ].map(codeOf);
  const directions = distinct(
    codes.map((code) => {
      const compass = /^(north|south|east|west)(?!east|west)/i.exec(code)?.[1];
      if (compass) return `${compass.toLowerCase()}bound`;
      return (
        /^(anti-?)?clockwise$/i
          .exec(code)?.[0]
          .replace(/^anti-?/i, 'anti-')
          .toLowerCase() ?? ''
      );
    }),
  );
  return directions.length === 1 ? directions[0]! : '';
}

/** The point and line of a closure, wherever they occur: alone, or in a group of locations. */
export function positionOf(closure: Closure): { point: Point | null; lines: Point[][]; isOwnPoint: boolean } {
  const own = under(closure.locationReference, 'pointCoordinates')
    .map((coordinates) => toPoint(fields(coordinates).latitude, fields(coordinates).longitude))
    .find((point) => point !== null);
  const lines = under(closure.locationReference, 'locGmlLineString').map(lineOf);
  const longest = lines.toSorted((a, b) => b.length - a.length)[0] ?? [];
  // The middle vertex lies on the road; the midpoint between the ends may not.
  const point = own ?? longest[Math.floor(longest.length / 2)] ?? null;
  return { point, lines, isOwnPoint: own !== undefined };
}

/** The points of a `posList`: numbers in the order latitude, longitude (and height when the dimension is 3). */
function lineOf(lineString: unknown): Point[] {
  const { posList, srsDimension } = fields(lineString);
  const numbers = Array.isArray(posList) ? posList : wordsOf(posList).split(' ');
  const dimension = count(srsDimension) === 3 ? 3 : 2;
  const points: Point[] = [];
  for (let at = 0; at + 1 < numbers.length; at += dimension) {
    const point = toPoint(numbers[at], numbers[at + 1]);
    if (point) points.push(point);
  }
  return points;
}

export function distinct(texts: readonly string[]): string[] {
  return [...new Set(texts.filter(Boolean))];
}

/** A list. In JSON converted from XML, a list of one can be the item itself, and an empty list can be missing. */
export function asList(value: unknown): unknown[] {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? value : [value];
}

/** DATEX codes: `"x"`, `{ value: "x" }`, or `{ value: "extendedG", extendedValueG: "x" }`. */
export function codeOf(value: unknown): string {
  if (typeof value === 'string') return value.trim();
  const { value: code, extendedValueG } = fields(value);
  const chosen = code === 'extendedG' ? extendedValueG : code;
  return typeof chosen === 'string' ? chosen.trim() : '';
}

/** DATEX texts: `"x"`, or `{ values: [{ lang, value: "x" }] }`. Plain. */
export function wordsOf(value: unknown): string {
  if (typeof value === 'string') return plainText(value);
  const { values, value: inner } = fields(value);
  const first = inner ?? fields(asList(fields(values).value ?? values)[0]).value ?? asList(values)[0];
  return typeof first === 'string' ? plainText(first) : '';
}

/** The payload is about a dozen levels deep; anything deeper than this is not a real one. */
const DEPTH_MAX = 40;

/** All values of a field at any depth below, in document order. */
export function under(value: unknown, name: string, depth = 0): unknown[] {
  if (depth > DEPTH_MAX || typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, part]) =>
    key === name && !Array.isArray(value) ? asList(part) : under(part, name, depth + 1),
  );
}
