import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { deriveSecrets, keptSecret } from '../../../server/accounts/secrets.ts';

const mode = (path: string) => statSync(path).mode & 0o777;

describe('the secret of an installation', () => {
  let dataDir: string;
  beforeEach(() => (dataDir = mkdtempSync(join(tmpdir(), 'clearway-secret-'))));
  afterEach(() => rmSync(dataDir, { recursive: true }));

  it('is made once, for the owner alone, and stays', () => {
    const folder = join(dataDir, 'not', 'yet', 'there');
    const secret = keptSecret(folder);

    expect(Buffer.byteLength(secret)).toBeGreaterThanOrEqual(32);
    expect(mode(join(folder, 'secret'))).toBe(0o600);
    expect(keptSecret(folder)).toBe(secret);
  });

  it('differs in every installation', () => {
    expect(keptSecret(join(dataDir, 'a'))).not.toBe(keptSecret(join(dataDir, 'b')));
  });

  it('is made private again when its file became readable to others', () => {
    keptSecret(dataDir);
    chmodSync(join(dataDir, 'secret'), 0o644);
    keptSecret(dataDir);

    expect(mode(join(dataDir, 'secret'))).toBe(0o600);
  });

  it('is never replaced silently when its file is damaged', () => {
    writeFileSync(join(dataDir, 'secret'), 'half');

    expect(() => keptSecret(dataDir)).toThrow(/secret is damaged|is damaged: it has fewer than 32 bytes/);
    expect(readFileSync(join(dataDir, 'secret'), 'utf8')).toBe('half');
  });

  it('yields keys that differ from each other, and are the same after every start', () => {
    const keys = Object.values(deriveSecrets('a secret of 32 bytes or even more')).map((key) =>
      Buffer.from(key).toString('hex'),
    );

    expect(new Set(keys.map((key) => key.length))).toEqual(new Set([64]));
    expect(new Set(keys).size).toBe(8);
    expect(deriveSecrets('a secret of 32 bytes or even more')).toEqual(
      deriveSecrets('a secret of 32 bytes or even more'),
    );
    expect(deriveSecrets('another secret of 32 bytes or more')).not.toEqual(
      deriveSecrets('a secret of 32 bytes or even more'),
    );
  });
});
