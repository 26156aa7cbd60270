import { expect, it } from 'vitest';
import { beyondTitle, clausesOf, namesOf } from '../../../../src/feeds/alerts/titles.ts';
import { alert } from './boardServer.ts';

it('shortens by whole sentences and clauses', () => {
  expect(clausesOf('Use the A58; tickets are valid. Recovery began at 06:02.')).toEqual([
    'Use the A58; tickets are valid. Recovery began at 06:02.',
    'Use the A58; tickets are valid.',
    'Use the A58.',
  ]);
});

it('says that a list of names goes on', () => {
  expect(namesOf('Northern, TransPennine Express, LNER')).toEqual([
    'Northern, TransPennine Express, LNER',
    'Northern, TransPennine Express and more',
    'Northern and more',
  ]);
  expect(namesOf('M62 eastbound, J26 Chain Bar to J27 Gildersome').at(-1)).toBe('M62 eastbound');
  expect(namesOf('Danger to life, stay away. Move now.')).toEqual([
    'Danger to life, stay away. Move now.',
    'Danger to life, stay away.',
  ]);
});

it('leaves out a sentence that only repeats the title', () => {
  const title = 'M4 westbound, J25 Caerleon to J26 Malpas: two lanes closed, broken down vehicle';
  const line = 'M4, Westbound, J25 Caerleon to J26 Malpas, Broken down vehicle, Two lanes closed.';
  expect(beyondTitle(alert('a', { title, summary_line: line }))).toBe('');
  expect(
    beyondTitle(alert('a', { title, summary_line: `${line} Recovery began at 06:02. #M4 #London` })),
  ).toBe('Recovery began at 06:02.');
});
