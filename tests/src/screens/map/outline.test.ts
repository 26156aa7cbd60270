import { expect, it } from 'vitest';
import outline from 'virtual:outline';

const named = (name: string) => {
  const { type, coordinates } = outline.features.find(({ properties }) => properties.name === name)!.geometry;
  return type === 'Polygon' ? [coordinates] : coordinates;
};

/** The number of edges that a line from the point to the east crosses. */
function covers(polygons: number[][][][], [longitude, latitude]: [number, number]): boolean {
  let crossings = 0;
  for (const ring of polygons.flat()) {
    for (const [index, [x1, y1]] of ring.slice(0, -1).entries()) {
      const [x2, y2] = ring[index + 1]!;
      if (y1! > latitude === y2! > latitude) continue;
      if (longitude < x1! + ((latitude - y1!) / (y2! - y1!)) * (x2! - x1!)) crossings += 1;
    }
  }
  return crossings % 2 === 1;
}

it.each([
  ['United Kingdom', [-1.55, 53.8], 'Leeds'],
  ['United Kingdom', [-5.93, 54.6], 'Belfast'],
  ['United Kingdom', [-1.14, 60.3], 'Shetland'],
  ['Ireland', [-7.6, 53.3], 'the midlands of Ireland'],
  ['Isle of Man', [-4.55, 54.2], 'the Isle of Man'],
  ['Guernsey', [-2.58, 49.455], 'Guernsey'],
  ['Jersey', [-2.13, 49.21], 'Jersey'],
] satisfies [string, [number, number], string][])('draws %s around %s (%s)', (country, point, _where) => {
  expect(covers(named(country), point)).toBe(true);
});

it('leaves the sea empty', () => {
  for (const sea of [
    [-5, 53.5],
    [2, 54],
    [0, 0],
  ] as [number, number][]) {
    expect(outline.features.some(({ properties }) => covers(named(properties.name), sea))).toBe(false);
  }
});

it('has five countries and nothing else, every ring closed', () => {
  expect(outline.features.map(({ properties }) => properties.name).toSorted()).toEqual([
    'Guernsey',
    'Ireland',
    'Isle of Man',
    'Jersey',
    'United Kingdom',
  ]);
  for (const ring of outline.features.flatMap(({ properties }) => named(properties.name).flat())) {
    expect(ring.length).toBeGreaterThan(3);
    expect(ring.at(-1)).toEqual(ring[0]);
  }
});
