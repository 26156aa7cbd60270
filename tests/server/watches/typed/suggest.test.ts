import { expect, it } from 'vitest';
import { WatchSuggestions } from '#contract/watches/watches.ts';
import { findRoutePlaces } from '../../../../server/geography/names/routePlaces.ts';
import { suggest } from '../../../../server/watches/typed/suggest.ts';

const suggested = async (query: string) => {
  const { results } = WatchSuggestions.parse(await suggest(query, findRoutePlaces));
  return results.map(({ text, detail }) => (detail ? `${text} (${detail})` : text));
};

it.each([
  [
    'M1 J4',
    'M1 J4 (Elstree), M1 J40 (Wakefield), M1 J41 (Carr Gate), M1 J42 (Lofthouse), M1 J43 (Stourton), M1 J44 (Rothwell), M1 J45 (Temple Newsam), M1 J46 (Austhorpe)',
  ],
  ['m4 8', 'M4 J8/9 (Maidenhead)'],
  ['M62 chain', 'M62 J26 (Chain Bar)'],
  ['M6 Toll T4', 'M6 Toll T4 (Weeford)'],
  ['M1 J99', ''],
  ['M', ''],
])('suggests for %j: %s', async (query, expected) => {
  expect((await suggested(query)).join(', ')).toBe(expected);
});

it('suggests a road, those that begin like it, and its junctions', async () => {
  expect((await suggested('m1')).map((words) => words.replace(/ \(.*/, ''))).toEqual(
    expect.arrayContaining(['M1', 'M11', 'M18', 'M1 J1', 'M1 J2']),
  );
});

it('suggests places, with what tells namesakes apart', async () => {
  expect((await suggested('lee'))[0]).toMatch(/^Lee/);
  expect(await suggested('newport')).toEqual(
    expect.arrayContaining(['Newport Wales (Wales)', 'Newport Shropshire (Shropshire)']),
  );
});
