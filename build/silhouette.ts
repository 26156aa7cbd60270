/** The UK as a small picture without tiles: cut, projected and simplified at build time from the world map. */
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';
import names from '../src/maps/land/names.json' with { type: 'json' };
import { inPicture, PICTURE, SHETLAND_FROM, type Spot } from '../src/screens/wall/projection.ts';

const NAME = 'virtual:silhouette';

/** ISO 3166-1 numeric, as the atlas names its countries. */
const LAND: ReadonlySet<string> = new Set(['826', '833']); // United Kingdom, Isle of Man
const NEIGHBOUR = '372'; // Ireland

/** In units of the picture: smaller islands and bends are not drawn. */
const LEAST_ISLAND = 3;
const LEAST_BEND = 0.7;

/** Provides `virtual:silhouette` (src/maps/land/drawings.d.ts has its exports): three SVG paths, and the towns. */
export function silhouette(): Plugin {
  return {
    name: 'clearway:silhouette',
    resolveId: (id) => (id === NAME ? `\0${NAME}` : undefined),
    async load(id) {
      if (id !== `\0${NAME}`) return undefined;
      const atlas = fileURLToPath(import.meta.resolve('world-atlas/countries-10m.json'));
      const paths = draw(JSON.parse(await readFile(atlas, 'utf8')) as Topology);
      return `export const { land, shetland, neighbour } = ${JSON.stringify(paths)};
export const towns = ${JSON.stringify(towns())};`;
    },
  };
}

/** The largest first. */
const towns = () =>
  (names.towns as [string, number, number, number][])
    .toSorted((a, b) => a[3] - b[3])
    .map(([name, longitude, latitude]) => {
      const { x, y } = inPicture({ longitude, latitude });
      return [name, Math.round(x), Math.round(y)];
    });

/** TopoJSON: a ring is a list of arc numbers, and a reversed arc has the complement of its number. An arc is a list
 *  of steps. */
interface Topology {
  transform: { scale: [number, number]; translate: [number, number] };
  objects: { countries: { geometries: { type: 'Polygon' | 'MultiPolygon'; id: string; arcs: unknown }[] } };
  arcs: [number, number][][];
}

interface Place {
  longitude: number;
  latitude: number;
}

function draw({ transform, objects, arcs }: Topology) {
  const { scale, translate } = transform;
  const decoded = arcs.map((arc) => {
    let [x, y] = [0, 0];
    return arc.map(([dx, dy]): Place => {
      [x, y] = [x + dx, y + dy];
      return { longitude: x * scale[0] + translate[0], latitude: y * scale[1] + translate[1] };
    });
  });
  const ring = (numbers: readonly number[]): Place[] =>
    numbers.flatMap((number, place) => {
      const arc = number < 0 ? decoded[~number]!.toReversed() : decoded[number]!;
      return place === 0 ? arc : arc.slice(1); // it begins where the arc before it ends
    });
  const ringsOf = (ids: ReadonlySet<string>) =>
    objects.countries.geometries
      .filter(({ id }) => ids.has(id))
      .flatMap(({ type, arcs: of }) =>
        (type === 'Polygon' ? [of as number[][]] : (of as number[][][])).map(([outer = []]) => ring(outer)),
      );

  const home = ringsOf(LAND);
  const isShetland = (places: Place[]) => places.every(({ latitude }) => latitude > SHETLAND_FROM);
  return {
    land: pathOf(home.filter((places) => !isShetland(places))),
    shetland: pathOf(home.filter(isShetland)),
    neighbour: pathOf(ringsOf(new Set([NEIGHBOUR]))),
  };
}

/** Closed lines in steps of a whole unit, which is about one pixel on every screen. */
function pathOf(rings: readonly Place[][]): string {
  return rings
    .map((places) => places.map(inPicture))
    .filter((ring) => isInside(ring) && extent(ring) >= LEAST_ISLAND)
    .map((ring) => {
      const [first, ...rest] = simplified(ring).map(({ x, y }) => ({ x: Math.round(x), y: Math.round(y) }));
      let at = first!; // a ring has points
      const steps = rest.flatMap((point) => {
        const step = `${point.x - at.x} ${point.y - at.y}`;
        at = point;
        return step === '0 0' ? [] : step;
      });
      return `M${first!.x} ${first!.y}l${steps.join(' ')}z`;
    })
    .join('');
}

const isInside = (ring: readonly Spot[]) =>
  ring.some(({ x, y }) => x > 0 && x < PICTURE.width && y < PICTURE.height);

function extent(ring: readonly Spot[]): number {
  const spread = (values: number[]) => Math.max(...values) - Math.min(...values);
  return Math.max(spread(ring.map(({ x }) => x)), spread(ring.map(({ y }) => y)));
}

/** By the method of Ramer, Douglas and Peucker. The two ends of a ring are the same point, so it is first cut in the
 *  middle. */
function simplified(ring: readonly Spot[]): Spot[] {
  const middle = Math.floor(ring.length / 2);
  return [...reduced(ring.slice(0, middle + 1)), ...reduced(ring.slice(middle)).slice(1)];
}

function reduced(line: readonly Spot[]): Spot[] {
  const [first, last] = [line[0], line.at(-1)];
  if (!first || !last || line.length < 3) return [...line];
  const away = line.map((point) => distance(point, first, last));
  const furthest = away.indexOf(Math.max(...away));
  if (away[furthest]! < LEAST_BEND) return [first, last];
  return [...reduced(line.slice(0, furthest + 1)), ...reduced(line.slice(furthest)).slice(1)];
}

/** The distance of a point from a line; from its first end when the line has no length. */
function distance(point: Spot, from: Spot, to: Spot): number {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const length = Math.hypot(dx, dy);
  if (length === 0) return Math.hypot(point.x - from.x, point.y - from.y);
  return Math.abs(dx * (from.y - point.y) - dy * (from.x - point.x)) / length;
}
