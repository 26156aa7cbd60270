/** The user's API keys. They are never stored on the device: no call here asks for an offline copy. */
import { apiPath } from '#contract/addresses.ts';
import { ApiKey as WireKey, KeyRateLimit as WireRateLimit } from '#contract/accounts/keys.ts';
import { CHOSEN_TIER } from '#contract/accounts/keyTiers.ts';
import { z } from 'zod/mini';
import { read, remove } from '../http.ts';
import { makeOnce } from '../makeOnce.ts';
import { list, maybe, tolerant } from '../tolerant.ts';

const Count = z.pipe(
  maybe(z.number()),
  z.transform((count) => count ?? 0),
);

// An unknown tier is passed through unchanged.
const ApiKey = tolerant(WireKey, 'id', {
  rate_limit_tier: maybe(z.string()),
  requests_today: Count,
  requests_month: Count,
});
/** A key as read. A key without `key` and `key_hidden` is old, and its full value can no longer be shown. */
export type ApiKey = z.output<typeof ApiKey>;

const RateLimit = tolerant(WireRateLimit);
/** A key's quota for today; `remaining` is null if there is no limit. */
export type RateLimit = z.output<typeof RateLimit>;

/** The keys, in the server's order. */
export async function listKeys(signal?: AbortSignal): Promise<ApiKey[]> {
  return (await read(list(ApiKey, 'keys'), 'keys/', { signal })).data.items;
}

/** Promises the full value of the new key. */
export async function createKey(name: string): Promise<string> {
  const made = z.looseObject({ key: z.string().check(z.minLength(1)) });
  return (await makeOnce(made, 'keys/', { name, tier: CHOSEN_TIER })).data.key;
}

export const deleteKey = (id: string) => remove(apiPath`keys/${id}`);

export async function keyRateLimit(id: string, signal?: AbortSignal): Promise<RateLimit> {
  return (await read(RateLimit, apiPath`keys/${id}/rate-limit`, { signal })).data;
}
