import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { labelPosition } from '../../../../server/geography/roads/junctionLabels.ts';
import { roadTable } from '../../../../server/geography/roads/roadTable.ts';

const files = ['numbered.json', 'crossings.json'].flatMap((file) => {
  const { about, ...roads } = JSON.parse(
    readFileSync(join(import.meta.dirname, '../../../../server/geography/roads', file), 'utf8'),
  ) as { about: string } & Record<string, Record<string, [number, number]>>;
  return Object.entries(roads).map(([road, labels]) => ({ file, road, about, labels: Object.keys(labels) }));
});

it.each(files)('$file has those of the $road in the order of the road', ({ road, about, labels }) => {
  const chain = roadTable().chain(road)!;
  const positions = labels.map((label) => labelPosition(chain, label, roadTable()));
  const placed = positions.filter((at) => at !== null);
  const isRising = placed.at(-1)! > placed[0]!;

  expect(about).toMatch(/general knowledge/);
  expect(labels.filter((_, index) => positions[index] === null)).toEqual([]);
  for (let at = 1; at < placed.length; at++)
    expect((placed[at]! - placed[at - 1]!) * (isRising ? 1 : -1), labels[at]).toBeGreaterThanOrEqual(0);
});
