/** What touches one route, for those who have no account: a filter of the team with a secret address. */
import { apiPath } from '#contract/addresses.ts';
import { Filter, NewSecretAddress } from '#contract/filters.ts';
import { z } from 'zod/mini';
import { read } from './http.ts';
import { tolerant } from './tolerant.ts';

const Made = tolerant(Filter, 'id');
const Address = tolerant(NewSecretAddress, null, { path: z.string() });

/** Saves the filter, and promises its secret address without the ending of a format. It is said only this once. */
export async function shareWatch(
  watchId: string,
  { name, certain }: { name: string; certain: boolean },
): Promise<string> {
  const query = { watch: watchId, ...(certain && { level: 'certain' }) };
  const { id } = (await read(Made, 'filters/', { method: 'post', json: { name, query } })).data;
  const { path } = (await read(Address, apiPath`filters/${id}/address`, { method: 'post' })).data;
  return new URL(path, location.origin).href;
}
