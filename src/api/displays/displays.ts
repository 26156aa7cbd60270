/** Displays: pairing (RFC 8628), approval, reports, and the fleet for administrators. */
import { apiPath } from '#contract/addresses.ts';
import {
  AskingDisplay,
  DEVICE_CODE_GRANT,
  DeviceAuthorization,
  Display as DisplaySchema,
  DISPLAY_CLIENT_ID,
  DisplayToken,
  DisplayTokenRefusal,
  type Heartbeat,
} from '#contract/displays/displays.ts';
import { z } from 'zod/mini';
import { askedAgain, call, read, readAs, Refused } from '../http.ts';
import { sendOnce } from '../makeOnce.ts';
import { items, list, tolerant } from '../tolerant.ts';

const client_id = DISPLAY_CLIENT_ID;
const Refusal = tolerant(DisplayTokenRefusal);

/** Asks for a code that a person can approve. */
export async function askForCode(signal?: AbortSignal): Promise<DeviceAuthorization> {
  const options = { method: 'post' as const, json: { client_id }, signal };
  return (await readAs(null, DeviceAuthorization, 'displays/device_authorization', options)).data;
}

/** The credential, once a person has approved the display. Until then the call is refused, see `refusalOf`. */
export function fetchCredential(device_code: string, signal?: AbortSignal): Promise<DisplayToken> {
  return askedAgain(() => token({ grant_type: DEVICE_CODE_GRANT, device_code }, signal));
}

export const renewCredential = (refresh_token: string) =>
  token({ grant_type: 'refresh_token', refresh_token });

async function token(grant: object, signal?: AbortSignal): Promise<DisplayToken> {
  const options = { method: 'post' as const, json: { ...grant, client_id }, signal };
  return (await readAs(null, DisplayToken, 'displays/token', options)).data;
}

/** The further fields of a refused call for a credential. */
export function refusalOf(error: unknown): z.output<typeof Refusal> {
  return Refusal.safeParse(error instanceof Refused ? error.body : {}).data ?? {};
}

export const reportHeartbeat = (json: Heartbeat) => call('displays/heartbeat', { method: 'post', json });

/** The display that shows this code and waits to be paired. */
export async function findAskingDisplay(user_code: string, signal?: AbortSignal): Promise<AskingDisplay> {
  return (await read(AskingDisplay, 'displays/pairing', { searchParams: { user_code }, signal })).data;
}

export const approveDisplay = (user_code: string, name: string) =>
  sendOnce('displays/pairing/approve', { user_code, name });

export const denyDisplay = (user_code: string) =>
  call('displays/pairing/deny', { method: 'post', json: { user_code } });

const Display = tolerant(DisplaySchema, 'id');
/** A display as read: only `id` is guaranteed. */
export type Display = z.output<typeof Display>;

const Displays = list(Display, 'displays');

export async function listDisplays(signal?: AbortSignal): Promise<Display[]> {
  return (await read(Displays, 'admin/displays', { signal })).data.items;
}

export const changeDisplay = (
  id: string,
  change: { name?: string; owner_id?: string; show_names?: boolean },
) => call(apiPath`admin/displays/${id}`, { method: 'patch', json: change });

/** Renews the display for another year from now. */
export const renewDisplay = (id: string) =>
  call(apiPath`admin/displays/${id}/renew`, { method: 'post', json: {} });

/** Ends the display's session. With `blank` it also clears its board at its next request. */
export const revokeDisplay = (id: string, { blank }: { blank: boolean }) =>
  call(apiPath`admin/displays/${id}/revoke`, { method: 'post', json: { blank } });

const Given = z.looseObject({ watch_ids: items(z.string()) });

/** The ids of the routes and areas that a display of the user's own team was given to show. */
export const routesOfDisplay = async (id: string, signal?: AbortSignal): Promise<string[]> =>
  (await read(Given, apiPath`displays/${id}/routes`, { signal })).data.watch_ids;

/** Gives the display exactly these routes. */
export const giveRoutes = (id: string, watch_ids: readonly string[]) =>
  call(apiPath`displays/${id}/routes`, { method: 'put', json: { watch_ids } });
