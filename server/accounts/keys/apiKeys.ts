/** API keys: how one is made, recognised, and stored so that its owner can see it again. */
import { createCipheriv, createDecipheriv, createHash, randomBytes, randomInt } from 'node:crypto';
import type { Secrets } from '../secrets.ts';

/** Every key begins with this; access tokens, which are JWTs, do not. */
const MARK = 'cw_';
const OPENING = `${MARK}live_`;
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
/** 190 bits cannot be guessed, so the hash needs neither a salt nor a slow function. */
const RANDOM_LETTERS = 32;
/** Enough to distinguish one's own keys, too little to be useful to anyone else. */
const SHOWN_LETTERS = 4;

/** `cw_live_` and 32 random letters and digits. */
export function newKey(): string {
  const letters = Array.from({ length: RANDOM_LETTERS }, () => LETTERS[randomInt(LETTERS.length)]);
  return OPENING + letters.join('');
}

export const prefixOf = (key: string) => key.slice(0, OPENING.length + SHOWN_LETTERS);

export const looksLikeKey = (token: string) => token.startsWith(MARK);

/** SHA-256, hex. Keys are looked up by it. */
export const keyHash = (key: string) => createHash('sha256').update(key).digest('hex');

/** The row that an encrypted value belongs to. In another key's or owner's row it cannot be decrypted. */
interface Belonging {
  keyId: string;
  ownerId: string;
}

export interface KeySeal {
  seal(key: string, belonging: Belonging): string;
  /** Null when it is damaged, or was encrypted with another secret or for another row. */
  open(sealed: string, belonging: Belonging): string | null;
}

const CIPHER = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** AES-256-GCM. The encrypted value is base64url of the IV, the tag and the ciphertext. */
export function keySeal({ sealingKey }: Pick<Secrets, 'sealingKey'>): KeySeal {
  // Our ids hold no line break.
  const bound = ({ keyId, ownerId }: Belonging) => Buffer.from(`${keyId}\n${ownerId}`);

  return {
    seal(key, belonging) {
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv(CIPHER, sealingKey, iv).setAAD(bound(belonging));
      const text = Buffer.concat([cipher.update(key, 'utf8'), cipher.final()]);
      return Buffer.concat([iv, cipher.getAuthTag(), text]).toString('base64url');
    },

    open(sealed, belonging) {
      const bytes = Buffer.from(sealed, 'base64url');
      const iv = bytes.subarray(0, IV_BYTES);
      const tag = bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES);
      try {
        const decipher = createDecipheriv(CIPHER, sealingKey, iv, { authTagLength: TAG_BYTES })
          .setAAD(bound(belonging))
          .setAuthTag(tag);
        const text = decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES));
        return Buffer.concat([text, decipher.final()]).toString('utf8');
      } catch {
        // The key itself still works; it only cannot be shown.
        return null;
      }
    },
  };
}
