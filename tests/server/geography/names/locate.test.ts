import { expect, it } from 'vitest';
import { locate, type Names, type Spot } from '../../../../server/geography/names/locate.ts';

const spot = (name: string, latitude: number, longitude: number): Spot => ({
  name,
  latitude,
  longitude,
  reachKm: 3,
});
const LEEDS = spot('Leeds', 53.797, -1.543);
const NEWPORTS = [spot('Newport', 51.588, -2.998), spot('Newport', 52.769, -2.379)];

/** Leeds, and two Newports that nothing decides between. */
const NAMES: Names = {
  find: (name) => (name === 'leeds' ? [LEEDS] : name === 'newport' ? NEWPORTS : []),
  choose: (namesakes) => (namesakes.length === 1 ? namesakes[0]! : null),
};

it('if two places have one name, another place beside it does not decide which is meant', () => {
  expect(locate(['Collision at Leeds'], NAMES)).toMatchObject({ names: ['Leeds'] });
  expect(locate(['Collision at Newport'], NAMES)).toBeNull();
  // This Newport may be the one that is meant, and it is far from Leeds.
  expect(locate(['Collisions at Leeds and Newport'], NAMES)).toBeNull();
});

it('does not take the name of a street as the place', () => {
  expect(locate(['A58 Leeds, closed'], NAMES)).toMatchObject({ names: ['Leeds'] });
  expect(locate(['A58 Leeds Rd, closed'], NAMES)).toBeNull();
  expect(locate(['A58 Leeds Road, closed'], NAMES)).toBeNull();
});
