/** API keys: how a key is made, recognised, and stored so that its owner can see it again. */
import { createCipheriv, createDecipheriv, createHash, randomBytes, randomInt } from 'node:crypto';
import type { Secrets } from '../secrets.ts';
import type { Tier } from '#contract/accounts/keyTiers.ts';
import { iso, type Instant } from '../../db/instant.ts';
import type { Db } from '../../db/open.ts';
import { addRows, inTransaction, rowsWith } from '../../db/statements.ts';
import type { RowOf } from '../../db/schema.ts';

/** Every key begins with these letters; access tokens, which are JWTs, do not. */
const MARK = 'cw_';
const OPENING = `${MARK}live_`;
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
/** These letters hold 190 bits, which nobody can guess, so the hash needs neither a salt nor a slow function. */
const RANDOM_LETTERS = 32;
/** Enough letters for an owner to tell their keys apart, too few to be useful to anyone else. */
const SHOWN_LETTERS = 4;

/** `cw_live_` and 32 random letters and digits. */
export function newKey(): string {
  const letters = Array.from({ length: RANDOM_LETTERS }, () => LETTERS[randomInt(LETTERS.length)]);
  return OPENING + letters.join('');
}

export const prefixOf = (key: string) => key.slice(0, OPENING.length + SHOWN_LETTERS);

export const looksLikeKey = (token: string) => token.startsWith(MARK);

/** SHA-256, hex. Keys are looked up by this hash. */
export const keyHash = (key: string) => createHash('sha256').update(key).digest('hex');

/** The row that an encrypted value belongs to. In another row it cannot be decrypted. */
interface Belonging {
  keyId: string;
  ownerId: string;
}

export interface KeySeal {
  seal(key: string, belonging: Belonging): string;
  /** Null when the value is damaged, or was encrypted with another secret or for another row. */
  open(sealed: string, belonging: Belonging): string | null;
}

const CIPHER = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** AES-256-GCM. The encrypted value is base64url of the IV, the tag and the ciphertext. */
export function keySeal({ sealingKey }: Pick<Secrets, 'sealingKey'>): KeySeal {
  // The separator is safe, because ids hold no line break.
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
        // The key still works; it only cannot be shown.
        return null;
      }
    },
  };
}

// API keys and their use. The value of a key is stored only as a hash and in encrypted form.

export const LAST_USED_WITHIN_MS = 5 * 60 * 1000;

/** A key with its use. Days and months are in UTC. */
export interface KeyWithUse extends RowOf<'api_keys'> {
  last_used_at: string | null;
  requests_today: number;
  requests_month: number;
}

/** The columns of a key that a call needs. */
type KeyInUse = Pick<RowOf<'api_keys'>, 'id' | 'user_id' | 'rate_limit_tier' | 'scope'>;

/** Requests of one key on one day. */
export interface KeyUse {
  keyId: string;
  used: number;
  /** The last of them. */
  at: string;
}

async function noteUses(trx: Db, uses: readonly KeyUse[]): Promise<void> {
  for (const { keyId, used, at } of uses) {
    await trx
      .insertInto('api_key_usage')
      .values({ key_id: keyId, day: dayOf(at), used, last_used_at: at })
      .onConflict((conflict) =>
        conflict.columns(['key_id', 'day']).doUpdateSet((eb) => ({
          used: eb('api_key_usage.used', '+', used),
          last_used_at: eb.ref('excluded.last_used_at'),
        })),
      )
      .execute();
  }
}

export const apiKeys = (db: Db) => ({
  /** Newest first. */
  async ofUser(userId: string, now: Instant): Promise<KeyWithUse[]> {
    const rows = await withUse(db, now).where('api_keys.user_id', '=', userId).execute();
    return rows.map(counted);
  },

  async one(id: string, userId: string, now: Instant): Promise<KeyWithUse | undefined> {
    const row = await withUse(db, now)
      .where('api_keys.id', '=', id)
      .where('api_keys.user_id', '=', userId)
      .executeTakeFirst();
    return row && counted(row);
  },

  /** Adds a key. False when the user already has `max` keys. */
  async insert(row: RowOf<'api_keys'>, max: number): Promise<boolean> {
    return inTransaction(db, async (trx) => {
      // This locks the owner: of two simultaneous calls, the second sees the key that the first added.
      await rowsWith(trx, 'users', { id: row.user_id }).set((eb) => ({ id: eb.ref('id') }));
      const count = await rowsWith(trx, 'api_keys', { user_id: row.user_id }).count();
      if (count >= max) return false;
      await addRows(trx, 'api_keys', { ...row, created_at: iso(row.created_at) });
      return true;
    });
  },

  /** Removes a key. False when this user has no such key. */
  async remove(id: string, userId: string): Promise<boolean> {
    return inTransaction(db, async (trx) => {
      const rows = await rowsWith(trx, 'api_keys', { id, user_id: userId }).remove();
      if (rows === 0) return false;
      await trx.deleteFrom('api_key_usage').where('key_id', '=', id).execute();
      return true;
    });
  },

  /** The key with this hash; only while its owner is active. */
  async inUse(keyHash: string): Promise<KeyInUse | undefined> {
    return db
      .selectFrom('api_keys')
      .innerJoin('users', 'users.id', 'api_keys.user_id')
      .select(['api_keys.id', 'api_keys.user_id', 'api_keys.rate_limit_tier', 'api_keys.scope'])
      .where('api_keys.key_hash', '=', keyHash)
      .where('users.is_active', '=', 1)
      .executeTakeFirst();
  },

  /** Counts `count` requests against the day's `limit` (null: none) for all keys of this owner and tier. If fewer
   *  are left, it counts none. Returns the number of their requests today, including these, or null: refused. One
   *  atomic statement decides, so the count is exact with any number of simultaneous calls, keys and nodes. */
  async spend(
    {
      userId,
      tier,
      count = 1,
      uses,
    }: { userId: string; tier: Tier; count?: number; uses: readonly KeyUse[] },
    limit: number | null,
    now: Instant,
  ): Promise<number | null> {
    if (limit !== null && count > limit) return null;
    const day = dayOf(iso(now));
    return db.transaction().execute(async (trx) => {
      const row = await trx
        .insertInto('api_quota_usage')
        .values({ user_id: userId, tier, day, used: count })
        .onConflict((conflict) =>
          conflict
            .columns(['user_id', 'tier', 'day'])
            .doUpdateSet((eb) => ({ used: eb('api_quota_usage.used', '+', count) }))
            .where((eb) => (limit === null ? eb.lit(true) : eb('api_quota_usage.used', '<=', limit - count))),
        )
        .returning('used')
        .executeTakeFirst();
      if (!row) return null;
      await noteUses(trx, uses);
      return row.used;
    });
  },

  /** Takes back `count` requests that were counted on this day but not made, and records the use of the keys. */
  async giveBack(
    { userId, tier, day, count }: { userId: string; tier: Tier; day: string; count: number },
    uses: readonly KeyUse[],
  ): Promise<void> {
    await inTransaction(db, async (trx) => {
      await rowsWith(trx, 'api_quota_usage', { user_id: userId, tier, day }).set((eb) => ({
        used: eb('used', '-', count),
      }));
      await noteUses(trx, uses);
    });
  },

  /** How many requests the keys of this owner and tier have made today. */
  async usedToday(userId: string, tier: Tier, now: Instant): Promise<number> {
    const row = await rowsWith(db, 'api_quota_usage', { user_id: userId, tier, day: dayOf(iso(now)) }).first(
      'used',
    );
    return row?.used ?? 0;
  },

  /** Records the use of a key by a call that does not count. The time is exact to a few minutes, so that such calls
   *  seldom write. */
  async noteUse(id: string, now: Instant): Promise<void> {
    const at = iso(now);
    const recently = iso(new Date(Date.parse(at) - LAST_USED_WITHIN_MS));
    await db
      .insertInto('api_key_usage')
      .values({ key_id: id, day: dayOf(at), used: 0, last_used_at: at })
      .onConflict((conflict) =>
        conflict
          .columns(['key_id', 'day'])
          .doUpdateSet((eb) => ({ last_used_at: eb.ref('excluded.last_used_at') }))
          .where('api_key_usage.last_used_at', '<', recently),
      )
      .execute();
  },

  /** For the operator: the keys with this id or prefix, of any user. */
  async named(idOrPrefix: string, now: Instant): Promise<KeyWithUse[]> {
    const rows = await withUse(db, now)
      .where((eb) => eb.or([eb('api_keys.id', '=', idOrPrefix), eb('api_keys.key_prefix', '=', idOrPrefix)]))
      .execute();
    return rows.map(counted);
  },

  /** Sets a key's tier. False when there is no such key. */
  async setTier(id: string, rate_limit_tier: Tier): Promise<boolean> {
    return (await rowsWith(db, 'api_keys', { id }).set({ rate_limit_tier })) > 0;
  },

  /** Deletes the daily use before that time. The last day of each key is kept, because it shows when the key was
   *  last used. All use of deleted keys is deleted. */
  async pruneUsage(before: Instant): Promise<void> {
    await db
      .deleteFrom('api_quota_usage')
      .where('day', '<', dayOf(iso(before)))
      .execute();
    await db
      .deleteFrom('api_key_usage')
      .where((eb) =>
        eb.or([
          eb.not(
            eb.exists(
              eb.selectFrom('api_keys').select('id').whereRef('api_keys.id', '=', 'api_key_usage.key_id'),
            ),
          ),
          eb.and([
            eb('day', '<', dayOf(iso(before))),
            eb.exists(
              eb
                .selectFrom('api_key_usage as later')
                .select('later.day')
                .whereRef('later.key_id', '=', 'api_key_usage.key_id')
                .whereRef('later.day', '>', 'api_key_usage.day'),
            ),
          ]),
        ]),
      )
      .execute();
  },
});

/** The day in UTC. */
export const dayOf = (at: string) => at.slice(0, '2026-11-21'.length);

function withUse(db: Db, now: Instant) {
  const day = dayOf(iso(now));
  const month = day.slice(0, '2026-11'.length);
  return db
    .selectFrom('api_keys')
    .leftJoin('api_key_usage', 'api_key_usage.key_id', 'api_keys.id')
    .selectAll('api_keys')
    .select((eb) => [
      eb.fn.max('api_key_usage.last_used_at').as('last_used_at'),
      eb.fn
        .sum(
          eb
            .case()
            .when('api_key_usage.day', '=', day)
            .then(eb.ref('api_key_usage.used'))
            .else(eb.lit(0))
            .end(),
        )
        .as('requests_today'),
      eb.fn
        .sum(
          eb
            .case()
            .when('api_key_usage.day', 'like', `${month}%`)
            .then(eb.ref('api_key_usage.used'))
            .else(eb.lit(0))
            .end(),
        )
        .as('requests_month'),
    ])
    .groupBy('api_keys.id')
    .orderBy('api_keys.created_at', 'desc')
    .orderBy('api_keys.id');
}

/** PostgreSQL returns sums as text. */
const counted = <T extends { requests_today: unknown; requests_month: unknown }>(row: T) => ({
  ...row,
  requests_today: Number(row.requests_today),
  requests_month: Number(row.requests_month),
});
