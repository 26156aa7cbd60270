import { expect, it } from 'vitest';
import { venueIdOf } from '../../../../server/geography/events/eventInput.ts';

const HALL = { name: 'First Direct Arena', town: 'Leeds', postcode: 'LS2 8BY' };
const id = (venue: Partial<typeof HALL>) => venueIdOf('import', { ...HALL, ...venue });

it.each([
  ['case', { name: 'FIRST DIRECT ARENA', town: 'leeds', postcode: 'ls2 8by' }],
  ['spaces around and within', { name: ' First  Direct\u00A0Arena', town: 'Leeds ' }],
  ['a postcode without its space', { postcode: 'LS28BY' }],
])('a venue without an id is the same whatever its %s', (_, venue) => {
  expect(id(venue)).toBe(id({}));
});

it.each([{ name: 'Arena' }, { town: 'York' }, { postcode: 'LS2 8BX' }])(
  'is another with another %o',
  (venue) => {
    expect(id(venue)).not.toBe(id({}));
  },
);

it('keeps the id that it had for a name, a town and a postcode as they are usually written', () => {
  expect(id({})).toBe('import:wq68ES7AFtpMUXho');
});
