/** The line or area of an alert, as maps draw it. Points are drawn as marks, not as geometry. */

type Position = [longitude: number, latitude: number];

export type Drawn =
  | { type: 'MultiLineString'; coordinates: Position[][] }
  | { type: 'MultiPolygon'; coordinates: Position[][][] };

/** For each form, the depth of its lists of coordinates, and the form with one more list. */
const FORMS: Readonly<Record<string, { drawn: Drawn['type']; depth: number }>> = {
  LineString: { drawn: 'MultiLineString', depth: 1 },
  MultiLineString: { drawn: 'MultiLineString', depth: 2 },
  Polygon: { drawn: 'MultiPolygon', depth: 2 },
  MultiPolygon: { drawn: 'MultiPolygon', depth: 3 },
};

/** The line or area; null if the alert has none, or one that cannot be drawn. */
export function geometryOf(alert: object): Drawn | null {
  const given = 'geometry' in alert ? alert.geometry : null;
  const { type = '', coordinates } = (given ?? {}) as { type?: string; coordinates?: unknown };
  const form = Object.hasOwn(FORMS, type) ? FORMS[type]! : null;
  if (!form || !isOf(coordinates, form.depth)) return null;
  const { drawn, depth } = form;
  const isMany = depth === (drawn === 'MultiPolygon' ? 3 : 2);
  return { type: drawn, coordinates: isMany ? coordinates : [coordinates] } as Drawn; // its depth was checked
}

const isOf = (value: unknown, depth: number): boolean =>
  Array.isArray(value) &&
  (depth === 0
    ? value.length >= 2 && Number.isFinite(value[0]) && Number.isFinite(value[1])
    : value.length > 0 && value.every((part) => isOf(part, depth - 1)));

/** All its positions. */
export const positionsOf = (drawn: Drawn): Position[] =>
  drawn.type === 'MultiLineString' ? drawn.coordinates.flat() : drawn.coordinates.flat(2);
