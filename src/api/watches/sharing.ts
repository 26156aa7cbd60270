/** Secret addresses and public pages of a route, an area, feeds or one alert. They need no key. */
import { apiPath } from '#contract/addresses.ts';
import {
  type NewAddressRequest,
  NewSharedAddress,
  SharedAddress as WireAddress,
  SharedForm,
} from '#contract/watches/sharing.ts';
import { z } from 'zod/mini';
import { API_ORIGIN, call, read, remove } from '../http.ts';
import { makeOnce } from '../makeOnce.ts';
import { items, tolerant } from '../tolerant.ts';

const parts = { form: z.catch(SharedForm, 'json') };
const Address = tolerant(WireAddress, 'id', parts);
export type SharedAddress = z.output<typeof Address>;

const Addresses = z.looseObject({
  addresses: items(Address),
  frame_hosts: z.catch(z.array(z.string()), []),
});
/** The open addresses, the newest first. */
export type SharedAddresses = z.output<typeof Addresses>;

export const listAddresses = async (watchId: string, signal?: AbortSignal): Promise<SharedAddresses> =>
  (await read(Addresses, 'addresses/', { searchParams: { watch_id: watchId }, signal })).data;

const Made = tolerant(NewSharedAddress, 'id', { ...parts, path: z.string().check(z.startsWith('/')) });

/** Promises the whole address, which is shown only this once. */
export async function makeAddress({ expires_at, ...asked }: NewAddressRequest): Promise<string> {
  return API_ORIGIN + (await makeOnce(Made, 'addresses/', asked, { expires_at })).data.path;
}

/** Null: no end. */
export const changeAddressEnd = (id: string, expires_at: string | null) =>
  call(apiPath`addresses/${id}`, { method: 'patch', json: { expires_at } });

export const endAddress = (id: string) => remove(apiPath`addresses/${id}`);

/** The hosts on whose pages the team's public pages may be framed. */
export const setFrameHosts = (frame_hosts: readonly string[]) =>
  call('addresses/frame-hosts', { method: 'put', json: { frame_hosts } });

/** The address where programs read it with a key. The ending of a format follows. */
export const keyedAddress = (watchId: string): string =>
  `${API_ORIGIN}/api/v1/${apiPath`watches/${watchId}`}`;
