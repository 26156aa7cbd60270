/** API keys as values: how one is made, how it is recognised, and how it is kept so that its owner can see it again. */
import { createCipheriv, createDecipheriv, createHash, randomBytes, randomInt } from 'node:crypto';
import type { Secrets } from '../secrets.ts';

/** What every key begins with, and no access token: those are JWTs. */
const MARK = 'cw_';
const OPENING = `${MARK}live_`;
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
/** 190 bits: nobody guesses one, so its hash needs neither salt nor slowness. */
const RANDOM_LETTERS = 32;
/** Enough to tell one's own keys apart, and too little to be of use to anybody else. */
const SHOWN_LETTERS = 4;

/** `cw_live_` and 32 random letters and digits. */
export function newKey(): string {
  const letters = Array.from({ length: RANDOM_LETTERS }, () => LETTERS[randomInt(LETTERS.length)]);
  return OPENING + letters.join('');
}

export const prefixOf = (key: string) => key.slice(0, OPENING.length + SHOWN_LETTERS);

export const looksLikeKey = (token: string) => token.startsWith(MARK);

/** SHA-256, hex: what a key is found by. */
export const keyHash = (key: string) => createHash('sha256').update(key).digest('hex');

/** The row that a sealed value belongs to: put into another key's or owner's row, it cannot be opened. */
interface Belonging {
  keyId: string;
  ownerId: string;
}

export interface KeySeal {
  seal(key: string, belonging: Belonging): string;
  /** Null when it was sealed under another secret, for another row, or is damaged. */
  open(sealed: string, belonging: Belonging): string | null;
}

const CIPHER = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** AES-256-GCM. Sealed: base64url of the IV, the tag and the cipher text. */
export function keySeal({ sealingKey }: Pick<Secrets, 'sealingKey'>): KeySeal {
  // Ids are made by us and hold no such character.
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
        // Whatever is wrong with it: the key still works, it only cannot be shown.
        return null;
      }
    },
  };
}
