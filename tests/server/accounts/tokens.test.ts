import { createHmac } from 'node:crypto';
import { SignJWT, UnsecuredJWT } from 'jose';
import { describe, expect, it } from 'vitest';
import { tokenHash, tokens } from '../../../server/accounts/tokens.ts';
import { deriveSecrets } from '../../../server/accounts/secrets.ts';

const NOW = new Date('2026-11-21T09:00:00.000Z');
const ISSUED = NOW.getTime() / 1000;
const CLAIMS = { userId: 'u1', sessionId: 's1' };
/** As read back. */
const READ = { ...CLAIMS, expiresAt: (ISSUED + 900) * 1000 };

const secrets = deriveSecrets('a secret of the tests, longer than 32 bytes');
const other = deriveSecrets('another secret of the tests, also long enough');
const ours = tokens(secrets);

/** A token like ours, except for the changes. */
function forged(
  changes: { header?: object; payload?: object; key?: Uint8Array; alg?: string } = {},
): Promise<string> {
  const payload = { iss: 'clearway', aud: 'clearway', sub: 'u1', sid: 's1', iat: ISSUED, exp: ISSUED + 900 };
  return new SignJWT({ ...payload, ...changes.payload })
    .setProtectedHeader({ alg: changes.alg ?? 'HS256', typ: 'at+jwt', ...changes.header })
    .sign(changes.key ?? secrets.accessKey);
}

const without = (name: string) => ({ payload: { [name]: undefined } });

describe('access tokens', () => {
  it('name the user and the session', async () => {
    expect(await ours.readAccess(await ours.access(CLAIMS, NOW), NOW)).toEqual(READ);
    expect(await ours.readAccess(await forged(), NOW)).toEqual(READ);
  });

  it('are valid for 15 minutes', async () => {
    const token = await ours.access(CLAIMS, NOW);
    const after = (seconds: number) => new Date(NOW.getTime() + seconds * 1000);

    expect(await ours.readAccess(token, after(15 * 60 - 1))).toEqual(READ);
    expect(await ours.readAccess(token, after(15 * 60))).toBeNull();
    expect(await ours.readAccess(token, after(15 * 60), 'allowed')).toEqual(READ);
  });

  it.each<[string, () => string | Promise<string>]>([
    ['signed under another secret', () => forged({ key: other.accessKey })],
    ['signed with the refresh key', () => forged({ key: secrets.refreshKey })],
    ['signed with the sealing key', () => forged({ key: secrets.sealingKey })],
    [
      'of another algorithm',
      () => forged({ alg: 'HS512', key: Buffer.concat([secrets.accessKey, secrets.accessKey]) }),
    ],
    [
      'of another algorithm under our key',
      () => forged({ alg: 'HS384', key: Buffer.concat([secrets.accessKey, secrets.accessKey]) }),
    ],
    [
      'without a signature',
      () =>
        new UnsecuredJWT({ sub: 'u1', sid: 's1' })
          .setIssuer('clearway')
          .setAudience('clearway')
          .setIssuedAt(ISSUED)
          .setExpirationTime(ISSUED + 900)
          .encode(),
    ],
    ['that claims to need no signature', unsigned],
    ['of another type', () => forged({ header: { typ: 'JWT' } })],
    ['of no type', () => forged({ header: { typ: undefined } })],
    ['for another audience', () => forged({ payload: { aud: 'elsewhere' } })],
    ['for no audience', () => forged(without('aud'))],
    ['of another issuer', () => forged({ payload: { iss: 'elsewhere' } })],
    ['of no issuer', () => forged(without('iss'))],
    ['that is expired', () => forged({ payload: { exp: ISSUED - 1 } })],
    ['that never expires', () => forged(without('exp'))],
    ['that is not yet good', () => forged({ payload: { nbf: ISSUED + 60 } })],
    ['without a user', () => forged(without('sub'))],
    ['without a session', () => forged(without('sid'))],
    ['whose session is no text', () => forged({ payload: { sid: { $ne: null } } })],
    ['that was changed', async () => changed(await forged())],
    ['that is cut', async () => (await forged()).slice(0, -4)],
    ['that is nonsense', () => 'nonsense'],
    ['that is empty', () => ''],
  ])('%s are refused', async (_name, make) => {
    expect(await ours.readAccess(await make(), NOW)).toBeNull();
  });
});

describe('refresh tokens', () => {
  it('are random, and each has one successor that only the server can compute', () => {
    const token = ours.newRefresh();
    const successor = ours.successorOf(token);

    expect(Buffer.from(token, 'base64url')).toHaveLength(32);
    expect(ours.newRefresh()).not.toBe(token);
    expect(ours.successorOf(token)).toBe(successor);
    expect(Buffer.from(successor, 'base64url')).toHaveLength(32);
    expect(ours.successorOf(successor)).not.toBe(token);
    expect(tokens(other).successorOf(token)).not.toBe(successor);
  });

  it('are kept as SHA-256', () => {
    expect(tokenHash('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  });
});

/** A token with `alg: none` in its header and yet a signature, for servers that only check whether there is one. */
function unsigned(): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const head = part({ alg: 'none', typ: 'at+jwt' });
  const body = part({
    iss: 'clearway',
    aud: 'clearway',
    sub: 'u1',
    sid: 's1',
    iat: ISSUED,
    exp: ISSUED + 900,
  });
  const signature = createHmac('sha256', secrets.accessKey).update(`${head}.${body}`).digest('base64url');
  return `${head}.${body}.${signature}`;
}

/** The same token for another user. */
function changed(token: string): string {
  const [head, body, signature] = token.split('.') as [string, string, string];
  const claims = JSON.parse(Buffer.from(body, 'base64url').toString());
  return `${head}.${Buffer.from(JSON.stringify({ ...claims, sub: 'u2' })).toString('base64url')}.${signature}`;
}
