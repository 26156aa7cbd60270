/** The tiers of API keys and their daily limits. */
import { z } from 'zod/mini';

export const Tier = z.enum(['free', 'pro', 'enterprise']);
export type Tier = z.infer<typeof Tier>;

/** Requests per day (UTC) for all keys of an owner; null: no limit. */
export type TierLimits = Readonly<Record<Tier, number | null>>;

/** The default limits; the operator can set others. */
export const TIER_LIMITS: TierLimits = { free: 1000, pro: 50_000, enterprise: null };

/** The only tier that users can choose; the operator assigns the others. */
export const CHOSEN_TIER = 'free' satisfies Tier;
