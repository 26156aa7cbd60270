import { expect, it } from 'vitest';
import { everyNamed, named } from '../../../../server/incidents/facts/namedMatches.ts';

it('gives each match with the names that were found, and keeps references to a group', () => {
  const date = named(
    String.raw`(?<day>\d+)(?<sign>[/.])(?<month>\d+)\k<sign>(?<year>\d+)|(?<word>today)`,
    'g',
  );

  expect(everyNamed('1/2/26, 3/4.26 and today', date)).toEqual([
    { text: '1/2/26', at: 0, groups: { day: '1', sign: '/', month: '2', year: '26' } },
    { text: 'today', at: 19, groups: { word: 'today' } },
  ]);
  expect(everyNamed('today or today', date, 1)).toHaveLength(1);
});
