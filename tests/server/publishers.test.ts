import { expect, it } from 'vitest';
import { publisherOf } from '../../server/sources/allSources.ts';
import { KNOWN_SOURCES } from '../../contract/feeds/knownSources.ts';

it.each(Object.keys(KNOWN_SOURCES))('%s has a publisher, a licence and an attribution', (source) => {
  const found = publisherOf(source);
  expect(found?.publisher).toBeTruthy();
  expect(found?.licence.name).toBeTruthy();
  expect(found?.attribution).toMatch(/\.$/);
});

it('knows no publisher of an unknown source', () => {
  expect(publisherOf('smoke-signals')).toBeNull();
  expect(publisherOf('constructor')).toBeNull();
});
