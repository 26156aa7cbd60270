/** The server's one secret, and the separate keys derived from it. */
import { hkdfSync, randomBytes } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';

/** The file's name in the data folder. */
export const SECRET_FILE = 'secret';

/** A shorter secret could be found by brute force from one token. */
export const SECRET_MIN_BYTES = 32;

/** The keys, 32 bytes each. Knowing one reveals nothing about another. */
export interface Secrets {
  /** Signs access tokens. */
  accessKey: Uint8Array;
  /** Derives a refresh token's successor from the token. */
  refreshKey: Uint8Array;
  /** Hashes pairing codes. The codes are short: without a key, anyone with a copy of the database could try them
   *  all. */
  pairingKey: Uint8Array;
  /** Encrypts the full value of API keys. */
  sealingKey: Uint8Array;
  /** Encrypts the addresses that messages go to, and signs the links in e-mails. */
  messageKey: Uint8Array;
  /** Our private key for push services. Browsers subscribe to its public half. */
  pushKey: Uint8Array;
  /** Encrypts the secrets of second factors, and hashes recovery codes. */
  factorKey: Uint8Array;
  /** Names accounts in the log, which must not hold e-mail addresses. */
  accountKey: Uint8Array;
}

/** Derives the keys (HKDF, SHA-256). Never change a label: it would invalidate everything made with that key. */
export function deriveSecrets(secret: string): Secrets {
  const key = (label: string) => new Uint8Array(hkdfSync('sha256', secret, 'clearway', label, 32));
  return {
    accessKey: key('clearway access tokens'),
    refreshKey: key('clearway refresh tokens'),
    pairingKey: key('clearway pairing codes'),
    sealingKey: key('clearway key sealing'),
    messageKey: key('clearway messages'),
    pushKey: key('clearway web push'),
    factorKey: key('clearway second factors'),
    accountKey: key('clearway account names'),
  };
}

/** The secret in the data folder (file `secret`, mode 600), made at the first call. Only one process at a time may
 *  call it: open the database first, which locks the folder. Throws when the file is damaged, and the message says
 *  how to mend it. */
export function keptSecret(dataDir: string): string {
  const path = join(dataDir, SECRET_FILE);
  const kept = readIfThere(path);
  if (kept === null) return makeSecret(dataDir, path);

  const secret = kept.trim();
  if (Buffer.byteLength(secret) < SECRET_MIN_BYTES) {
    throw new Error(
      `The secret in ${path} is damaged: it has fewer than ${SECRET_MIN_BYTES} bytes. ` +
        'Put the right file back, or delete it: a new secret signs everybody out and hides the full value of older API keys.',
    );
  }
  chmodSync(path, 0o600);
  return secret;
}

function readIfThere(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw new Error(`The secret in ${path} cannot be read. Give the server's user the right to read it.`, {
      cause: error,
    });
  }
}

/** The file is written under another name first, so that a crash never leaves half a secret. */
function makeSecret(dataDir: string, path: string): string {
  const secret = randomBytes(48).toString('base64url');
  mkdirSync(dataDir, { recursive: true });
  const draft = `${path}.new`;
  const file = openSync(draft, 'w', 0o600);
  writeSync(file, `${secret}\n`);
  fsyncSync(file);
  closeSync(file);
  chmodSync(draft, 0o600);
  renameSync(draft, path);
  return secret;
}
