/** The coast of the UK and Ireland, cut from a world map at build time, so that a map without tiles is not blank. */
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

/** ISO 3166-1 numeric, as the atlas names its countries. */
const COUNTRIES: ReadonlySet<string> = new Set([
  '826', // United Kingdom
  '372', // Ireland
  '833', // Isle of Man
  '831', // Guernsey
  '832', // Jersey
]);

const NAME = 'virtual:outline';

/** Provides the module `virtual:outline` (src/maps/land/drawings.d.ts has its exports). It contains the atlas's arcs
 *  unchanged, in whole grid steps, and decodes them when it is loaded. That takes a third of the bytes of full
 *  coordinates, and a border of two countries is stored once. */
export function outline(): Plugin {
  return {
    name: 'clearway:outline',
    resolveId: (id) => (id === NAME ? `\0${NAME}` : undefined),
    async load(id) {
      if (id !== `\0${NAME}`) return undefined;
      const atlas = fileURLToPath(import.meta.resolve('world-atlas/countries-10m.json'));
      const topology = cut(JSON.parse(await readFile(atlas, 'utf8')) as Topology);
      return [
        `import { feature } from 'topojson-client';`,
        `const topology = JSON.parse(${JSON.stringify(JSON.stringify(topology))});`,
        `export default feature(topology, topology.objects.countries);`,
      ].join('\n');
    },
  };
}

/** TopoJSON: a country is a list of rings, and a ring a list of arc numbers. A reversed arc has the complement of
 *  its number. */
interface Topology {
  type: 'Topology';
  transform: unknown;
  objects: { countries: { type: 'GeometryCollection'; geometries: Country[] } };
  arcs: unknown[];
}
interface Country {
  type: 'Polygon' | 'MultiPolygon';
  id: string;
  properties: { name: string };
  arcs: Arcs[];
}
type Arcs = number | Arcs[];

/** The countries that we show, with only their own arcs. */
function cut({ type, transform, objects, arcs }: Topology): Topology {
  const kept: unknown[] = [];
  const places = new Map<number, number>();
  const place = (arc: number) => {
    if (!places.has(arc)) places.set(arc, kept.push(arcs[arc]) - 1);
    return places.get(arc)!;
  };
  const renumber = (ring: Arcs): Arcs => {
    if (Array.isArray(ring)) return ring.map(renumber);
    return ring < 0 ? ~place(~ring) : place(ring);
  };

  const geometries = objects.countries.geometries
    .filter(({ id }) => COUNTRIES.has(id))
    .map((country) => ({ ...country, arcs: country.arcs.map(renumber) }));
  if (geometries.length !== COUNTRIES.size) {
    throw new Error(`The atlas has ${geometries.length} of the ${COUNTRIES.size} countries of the outline`);
  }
  return { type, transform, objects: { countries: { type: 'GeometryCollection', geometries } }, arcs: kept };
}
