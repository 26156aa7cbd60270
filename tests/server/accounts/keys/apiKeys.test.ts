import { expect, it } from 'vitest';
import { keySeal, looksLikeKey, newKey, prefixOf } from '../../../../server/accounts/keys/apiKeys.ts';
import { deriveSecrets } from '../../../../server/accounts/secrets.ts';

const SECRET = 'a secret of the tests, longer than 32 bytes';
const mine = { keyId: 'key-1', ownerId: 'rosa' };

it('a key is long, random, and known by how it begins', () => {
  const keys = Array.from({ length: 200 }, newKey);

  for (const key of keys) expect(key).toMatch(/^cw_live_[A-Za-z0-9]{32}$/);
  expect(new Set(keys).size).toBe(200);
  // All 62 letters are equally likely: 6,400 of them have each letter at least once.
  expect(new Set(keys.map((key) => key.slice(8)).join('')).size).toBe(62);
  expect(looksLikeKey(keys[0]!)).toBe(true);
  expect(looksLikeKey('eyJhbGciOiJIUzI1NiJ9.e30.x')).toBe(false);
  expect(prefixOf('cw_live_7Kq2VnX9bT4mHs8RzY1pLd6WfJ3cGa5E')).toBe('cw_live_7Kq2');
});

it('a sealed key reveals nothing, differs each time, and opens to the same key', () => {
  const { seal, open } = keySeal(deriveSecrets(SECRET));
  const key = newKey();
  const [first, second] = [seal(key, mine), seal(key, mine)];

  expect(first).not.toBe(second);
  expect(Buffer.from(first, 'base64url').toString('latin1')).not.toContain(key.slice(8));
  expect([open(first, mine), open(second, mine)]).toEqual([key, key]);
});

it('a sealed key opens only whole, in its own row and under its own secret', () => {
  const { seal, open } = keySeal(deriveSecrets(SECRET));
  const sealed = seal(newKey(), mine);
  const damaged = sealed.slice(0, -2) + (sealed.endsWith('AA') ? 'BB' : 'AA');

  expect(open(sealed, { ...mine, keyId: 'key-2' })).toBeNull();
  expect(open(sealed, { ...mine, ownerId: 'ben' })).toBeNull();
  expect(keySeal(deriveSecrets(`${SECRET}!`)).open(sealed, mine)).toBeNull();
  for (const text of [damaged, '', 'AAAA', sealed.slice(0, 20)]) expect(open(text, mine)).toBeNull();
});
