import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { placesFile } from '../../../../build/places/places.ts';

it('is what "npm run places" makes of the installed packages', () => {
  const kept = readFileSync(
    new URL('../../../../server/geography/names/places.json', import.meta.url),
    'utf8',
  );
  expect(placesFile() === kept, 'run "npm run places" and look at what changed').toBe(true);
});
