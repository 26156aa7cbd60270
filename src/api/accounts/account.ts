/** One's own account: password, sessions, second factor, and the ticket that opens the reference. */
import {
  AccountSession as WireSession,
  DocsTicket,
  EndedSessions,
  RecoveryCodes,
  SecondFactor as WireSecondFactor,
  SecondFactorSecret,
} from '#contract/accounts/account.ts';
import { apiPath } from '#contract/addresses.ts';
import { z } from 'zod/mini';
import { call, read, Refused, remove } from '../http.ts';
import { list, tolerant } from '../tolerant.ts';

const post = (json: object) => ({ method: 'post' as const, json });

/** `code`: a code of the second factor, if the server asks for it. */
export const changePassword = (current_password: string, new_password: string, code: string) =>
  call('auth/password', post({ current_password, new_password, ...(code && { code }) }));

/** For some minutes the server then shows data that only the owner may see. `code`: of the second factor, if the
 *  server asks for it. */
export const confirmPassword = (current_password: string, code: string) =>
  call('auth/confirm', post({ current_password, ...(code && { code }) }));

const Session = tolerant(WireSession, 'id');
/** A signed-in browser, or a display. Only `id` is guaranteed. */
export type AccountSession = z.output<typeof Session>;

/** The sessions; the one used last comes first. */
export const listSessions = async (signal?: AbortSignal): Promise<AccountSession[]> =>
  (await read(list(Session, 'sessions'), 'auth/sessions', { signal })).data.items;

export const endSession = (id: string) => remove(apiPath`auth/sessions/${id}`);

/** Promises how many sessions were ended. */
export const endOtherSessions = async (): Promise<number> =>
  (await read(EndedSessions, 'auth/sessions/end-others', post({}))).data.ended;

const SecondFactor = tolerant(WireSecondFactor, null, { state: WireSecondFactor.shape.state });
export type SecondFactor = z.output<typeof SecondFactor>;

export const readSecondFactor = async (signal?: AbortSignal): Promise<SecondFactor> =>
  (await read(SecondFactor, 'auth/second-factor', { signal })).data;

export const prepareSecondFactor = async (current_password: string) =>
  (await read(SecondFactorSecret, 'auth/second-factor', post({ current_password }))).data;

/** Promises the recovery codes, like `renewRecoveryCodes`. */
export const confirmSecondFactor = async (code: string): Promise<string[]> =>
  (await read(RecoveryCodes, 'auth/second-factor/confirm', post({ code }))).data.recovery_codes;

export const renewRecoveryCodes = async (current_password: string, code: string): Promise<string[]> =>
  (await read(RecoveryCodes, 'auth/second-factor/recovery-codes', post({ current_password, code }))).data
    .recovery_codes;

export const removeSecondFactor = (current_password: string, code: string) =>
  call('auth/second-factor/remove', post({ current_password, code }));

/** A ticket that opens the reference once; null from a server that has no tickets and takes the access token. */
export async function docsTicket(): Promise<string | null> {
  try {
    return (await read(DocsTicket, 'auth/docs-ticket', { method: 'post' })).data.ticket;
  } catch (error) {
    if (error instanceof Refused && (error.status === 404 || error.status === 405)) return null;
    throw error;
  }
}
