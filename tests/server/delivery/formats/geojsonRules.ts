/** Rules of RFC 7946 for a FeatureCollection, and which of them a document does not keep. */
type Position = [number, number];

export function geojsonFaults(document: unknown): string[] {
  const faults: string[] = [];
  const must = (holds: boolean, what: string) => void (holds || faults.push(what));
  const collection = document as { type?: unknown; features?: unknown[]; crs?: unknown };
  must(collection.type === 'FeatureCollection', 'type is FeatureCollection');
  must(Array.isArray(collection.features), 'features is an array');
  must(!('crs' in collection), 'no crs');
  for (const one of collection.features ?? []) {
    const { type, id, geometry, properties } = one as Record<string, unknown>;
    must(type === 'Feature', 'a feature is a Feature');
    must(typeof id === 'string' || typeof id === 'number', 'an id is a string or a number');
    must('properties' in (one as object) && typeof properties === 'object', 'a feature has properties');
    must('geometry' in (one as object), 'a feature has a geometry, or null');
    if (geometry !== null) checkGeometry(geometry as { type: string; coordinates: unknown }, must);
  }
  return faults;
}

function checkGeometry(
  { type, coordinates }: { type: string; coordinates: unknown },
  must: (holds: boolean, what: string) => void,
): void {
  const position = (one: unknown) => {
    const [longitude, latitude] = one as Position;
    must(Array.isArray(one) && one.length >= 2 && one.length <= 3, 'a position has two or three numbers');
    must(Math.abs(longitude) <= 180 && Math.abs(latitude) <= 90, 'longitude comes first, in degrees');
  };
  const line = (one: unknown, least: number) => {
    const points = one as Position[];
    must(Array.isArray(points) && points.length >= least, `a line has ${least} positions or more`);
    points.forEach(position);
  };
  const area = (one: unknown) => {
    for (const ring of one as Position[][]) {
      line(ring, 4);
      must(String(ring[0]) === String(ring.at(-1)), 'a ring is closed');
    }
  };
  switch (type) {
    case 'Point':
      return position(coordinates);
    case 'MultiPoint':
      return (coordinates as unknown[]).forEach(position);
    case 'LineString':
      return line(coordinates, 2);
    case 'MultiLineString':
      return (coordinates as unknown[]).forEach((one) => line(one, 2));
    case 'Polygon':
      return area(coordinates);
    case 'MultiPolygon':
      return (coordinates as unknown[]).forEach(area);
    default:
      must(false, `${type} is no geometry`);
  }
}
