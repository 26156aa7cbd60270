import { expect, it } from 'vitest';
import primitives from '../../../src/ui/primitives.css?raw';

const scripts: Record<string, string> = import.meta.glob('/src/**/*.tsx', {
  query: '?raw',
  import: 'default',
  eager: true,
});

const VALUED = [
  'stack',
  'row',
  'line',
  'split',
  'align',
  'justify',
  'text',
  'tone',
  'size',
  'tight',
  'top',
  'bottom',
  'pad',
  'columns',
  'grid',
  'only',
  'tap',
  'forced',
];

it('draws every layout and text that a screen names', () => {
  const drawn = new Set(
    [...primitives.matchAll(/\[data-(\w+)='(\w+)'\]/g)].map(([, name, value]) => `${name} ${value}`),
  );
  for (const layout of ['stack', 'row', 'line', 'split']) drawn.add(`${layout} 2`);
  const asked = Object.entries(scripts).flatMap(([file, text]) =>
    [...text.matchAll(/ data-(\w+)="([^"]*)"/g)]
      .filter(([, name]) => VALUED.includes(name!))
      .map(([, name, value]) => ({ file, asked: `${name} ${value}` })),
  );
  expect(asked.length).toBeGreaterThan(0);
  expect(asked.filter((one) => !drawn.has(one.asked))).toEqual([]);
});
