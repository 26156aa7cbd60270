/** How many calls the API keys of an owner and tier have left today. Days are in UTC. */
import type { KeyRateLimit, Tier, TierLimits } from '#contract/accounts/keys.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** The next midnight, UTC. */
const nextDay = (now: Date) => new Date((Math.floor(now.getTime() / DAY_MS) + 1) * DAY_MS);

export function quotaOf(tier: Tier, used: number, limits: TierLimits, now: Date): KeyRateLimit {
  const limit = limits[tier];
  return {
    tier,
    limit_per_day: limit,
    used_today: used,
    // The limit can have been lowered after more was used.
    remaining: limit === null ? null : Math.max(0, limit - used),
    resets_at: nextDay(now).toISOString(),
  };
}

/** Seconds until the next day, rounded up. */
export const secondsToReset = (now: Date) => Math.ceil((DAY_MS - (now.getTime() % DAY_MS)) / 1000);

/**
 * `RateLimit-Policy: "day";q=1000;w=86400` and `RateLimit: "day";r=988;t=3600`, after
 * https://datatracker.ietf.org/doc/draft-ietf-httpapi-ratelimit-headers (fields as of draft 10); none without a limit.
 */
export function quotaHeaders(limit: number | null, used: number, now: Date): Record<string, string> {
  if (limit === null) return {};
  return {
    'ratelimit-policy': `"day";q=${limit};w=${DAY_MS / 1000}`,
    ratelimit: `"day";r=${Math.max(0, limit - used)};t=${secondsToReset(now)}`,
  };
}
