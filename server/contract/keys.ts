/** API keys: the tiers, their daily limits, and the schemas of the calls about keys. */
import { z } from 'zod/mini';
import { hasAtMost, isOneLine, keepsItsDirection, VISIBLE } from './names.ts';

export const Tier = z.enum(['free', 'pro', 'enterprise']);
export type Tier = z.infer<typeof Tier>;

/** Requests per day (UTC) for all keys of an owner; null: no limit. */
export type TierLimits = Readonly<Record<Tier, number | null>>;

/** The default limits; the operator can set others. */
export const TIER_LIMITS: TierLimits = { free: 1000, pro: 50_000, enterprise: null };

/** The only tier that users can choose; the operator assigns the others. */
export const CHOSEN_TIER = 'free' satisfies Tier;

/** In code points, close enough to characters as people count them. */
export const KEY_NAME_MAX = 100;
/** Keys that one user can have at a time. */
export const KEYS_PER_USER_MAX = 20;

export const ApiKey = z.object({
  id: z.string(),
  name: z.string(),
  /** The full value; absent when this server can no longer decrypt it. */
  key: z.optional(z.string()),
  /** The first characters of the key. */
  key_prefix: z.string(),
  rate_limit_tier: Tier,
  created_at: z.iso.datetime(),
  last_used_at: z.nullable(z.iso.datetime()),
  /** Today and this calendar month, UTC. */
  requests_today: z.int(),
  requests_month: z.int(),
});
export type ApiKey = z.infer<typeof ApiKey>;

export const NewApiKey = z.required(ApiKey, { key: true });
export type NewApiKey = z.infer<typeof NewApiKey>;

const KeyName = z
  .string({ error: ({ input }) => `Name ${input === undefined ? 'is required' : 'must be a string'}` })
  .check(
    z.trim(),
    z.normalize(),
    z.regex(VISIBLE, { error: 'Name is required', abort: true }),
    z.refine(hasAtMost(KEY_NAME_MAX), `Name must have at most ${KEY_NAME_MAX} characters`),
    z.refine(isOneLine, 'Name must be one line of text'),
    z.refine(keepsItsDirection, 'Name must not contain characters that change the text direction'),
  );

export const CreateKeyRequest = z.object({ name: KeyName, tier: z._default(Tier, CHOSEN_TIER) });

/** What is left today for a key, shared with all others of its owner and tier. */
export const KeyRateLimit = z.object({
  tier: Tier,
  /** Null: unlimited. */
  limit_per_day: z.nullable(z.int()),
  used_today: z.int(),
  remaining: z.nullable(z.int()),
  /** The next midnight, UTC. */
  resets_at: z.iso.datetime(),
});
export type KeyRateLimit = z.infer<typeof KeyRateLimit>;
