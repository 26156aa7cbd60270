import { describe, expect, it } from 'vitest';
import { conditionWords, draftOf, queryOf } from '../../../src/filters/conditions.ts';
import { filterQuery, NO_FILTERS } from '../../../src/list/filters.ts';

describe('the conditions of a filter', () => {
  it.each([
    '',
    'feed=roads-uk&min_severity=high&hide_unrated=true',
    'phase=planned&q=signal&road=M62&near=Leeds&radius_km=50',
    'watch=w1&level=certain&changes_only=true',
    'severity=critical%2Chigh&position=none&north=1&south=0&east=1&west=0',
    'severity=critical&north=53.9&south=53.6&west=-1.8&east=-1.4',
    'severity=high&min_severity=medium',
    'feed=no-such-feed',
  ])('survive their form: %s', (query) => {
    const again = new URLSearchParams(queryOf(draftOf(query)));
    expect([...again].toSorted()).toEqual([...new URLSearchParams(query)].toSorted());
  });

  it('are said in words', () => {
    const words = (query: string) => conditionWords(query, (id) => (id === 'w1' ? 'Leeds ring' : undefined));
    expect(words('')).toBe('All alerts');
    expect(words('feed=roads-uk&min_severity=high&near=Leeds&radius_km=25')).toBe(
      'UK Roads, High or worse, within 25 km of Leeds',
    );
    expect(words('watch=w1&level=certain')).toBe('touches Leeds ring, certain only');
    expect(words('watch=gone')).toBe('touches a route that is not here');
    expect(words('severity=critical,high')).toBe('only Critical, High');
    expect(words('severity=high&north=53.9&south=53.6&west=-1.8&east=-1.4')).toBe(
      'only High, between 53.6 and 53.9 north, -1.8 and -1.4 east',
    );
  });

  it('begin as the list has them', () => {
    const filters = { ...NO_FILTERS, feed: 'roads-uk', road: 'M62', near: 'Leeds' };
    expect(filterQuery(filters)).toBe('phase=active&feed=roads-uk&road=M62&near=Leeds&radius_km=25');
    expect(filterQuery({ ...NO_FILTERS, when: 'ended' })).toBe('');
  });
});
