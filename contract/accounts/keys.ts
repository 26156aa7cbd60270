/** API keys: the schemas of the calls about them. */
import { z } from 'zod/mini';
import { CHOSEN_TIER, Tier } from './keyTiers.ts';
import { MadeId } from '../madeId.ts';
import { hasAtMost, isOneLine, keepsItsDirection, VISIBLE } from '../names.ts';

/** `read`: the data calls; `manage`: also changes of the routes, areas, feeds and channels that its owner may
 *  change; `jobs:read`: the data calls and the team's jobs, which name people and vehicles. */
export const KeyScope = z.enum(['read', 'manage', 'jobs:read']);
export type KeyScope = z.infer<typeof KeyScope>;

/** In code points, close enough to characters as people count them. */
const KEY_NAME_MAX = 100;
/** Keys that one user can have at a time. */
export const KEYS_PER_USER_MAX = 20;

export const ApiKey = z.object({
  id: z.string(),
  name: z.string(),
  /** The full value; absent when `key_hidden`, or when this server can no longer decrypt it. */
  key: z.optional(z.string()),
  /** True: the full value is there, for a session whose password was given in the last 15 minutes. */
  key_hidden: z.optional(z.literal(true)),
  /** The first characters of the key. */
  key_prefix: z.string(),
  rate_limit_tier: Tier,
  scope: KeyScope,
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

export const CreateKeyRequest = z.object({
  /** If it is sent again with the same id and content, it is made once. */
  id: z.optional(MadeId),
  name: KeyName,
  tier: z._default(Tier, CHOSEN_TIER),
  scope: z._default(KeyScope, 'read'),
});

/** Calls that a key has left today, shared with all other keys of its owner and tier. */
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
