/** The app's only way to its server. It distinguishes two failures, and all other code depends on that (decision 4):
 *  either the server answered and refused, or nothing that can be trusted came back. */
import { RefreshResponse } from '#contract/accounts/auth.ts';
import { DISPLAY_REV_HEADER } from '#contract/displays/displayRev.ts';
import type { z } from 'zod/mini';
import {
  ASKED_HEADER,
  CACHED_AT_HEADER,
  COPY_REASON_HEADER,
  type CopyReason,
  type LateAnswer,
  SOURCE_HEADER,
} from '../../sw/workerMessages.ts';
import { browserStore } from '../device/browserStorage.ts';
import { knownAnswer, type KnownAnswer, rememberAnswer } from './knownAnswers.ts';
import { clockOffsetMs, noteServerDate } from '../time/serverClock.ts';
import { accessToken, cacheScope, clearTokens, refreshToken, saveTokens } from './tokens.ts';

export const REQUEST_TIMEOUT_MS = 15_000;

/** How long the app waits before it asks again. The server may have made a new pair of tokens although its answer
 *  was lost. It repeats that answer for a minute, so the app asks again well within that time. A later repeat would
 *  look like a stolen token. */
const ASK_AGAIN_AFTER_MS = 4000;

/** The server refused, in our own JSON: a status from 400 to 499 and a `detail`. */
export class Refused extends Error {
  override name = 'Refused';
  readonly status: number;
  readonly detail: string;
  /** The whole body, unchecked: a refusal can hold more than `detail`. */
  readonly body: unknown;

  constructor(status: number, detail: string, body?: unknown) {
    super(`${status}: ${detail}`);
    this.status = status;
    this.detail = detail;
    this.body = body;
  }
}

/** There was no answer, or it is not from our server: a dropped connection, a time-out, a 5xx, a document that was
 *  cut off, or a page of a portal, firewall or proxy. It never ends a session. `detail` is set only when a 5xx
 *  carried one. */
export class Unreachable extends Error {
  override name = 'Unreachable';
  readonly detail: string | undefined;

  constructor(message: string, options?: { cause?: unknown; detail?: string | undefined }) {
    super(message, { cause: options?.cause });
    this.detail = options?.detail;
  }
}

/** Something that the user gave cannot be used, such as a file. The message is a sentence for the user. */
export class Unusable extends Error {
  override name = 'Unusable';
}

export interface Options {
  method?: 'get' | 'post' | 'put' | 'patch' | 'delete';
  json?: unknown;
  searchParams?: Record<string, string | number | boolean | undefined>;
  signal?: AbortSignal | undefined;
  /** The worker stores the answer for offline use. It is downloaded again only when it has changed. */
  offlineCopy?: boolean;
  /** The call continues after the page is closed. */
  keepalive?: boolean;
  /** The change is refused if the record has another revision. */
  ifMatch?: number;
}

export interface Reply<T> {
  data: T;
  /** When the server gave this answer, by the server's clock; for a stored copy, when it was fetched. */
  fetchedAt: Date;
  /** Set when this is a stored copy: the reason why there was no new answer. */
  copyBecause: CopyReason | null;
  /** Set when the worker stopped waiting: promises the answer if it still comes in time, otherwise null. Rejects
   *  with Refused. */
  late?: Promise<Reply<T> | null>;
}

/** The server that this build was made for. If not set, the server of this page. */
export const API_ORIGIN = (import.meta.env.VITE_API_BASE_URL || location.origin).replace(/(?<!\/)\/+$/, '');

/** The cause of an `Unreachable` when nothing answered at all, not even late. */
export class NoConnection extends Error {
  override name = 'NoConnection';
}

/** The answer with its text, in time. A body that stops half-way counts as no answer. */
export async function answerTo(
  url: string,
  { signal, ...init }: RequestInit = {},
): Promise<{ response: Response; text: string }> {
  const ending = new AbortController();
  const ended = new Promise<never>((_, reject) => {
    ending.signal.addEventListener('abort', () => reject(ending.signal.reason as Error));
  });
  const stop = () => ending.abort(signal?.reason);
  const timer = setTimeout(() => ending.abort(new Error('It took too long')), REQUEST_TIMEOUT_MS);
  signal?.addEventListener('abort', stop);
  const answer = async () => {
    signal?.throwIfAborted();
    const request = new Request(url, { ...init, cache: 'no-store', signal: ending.signal });
    const response = await fetch(request).catch((cause: unknown) => {
      throw new NoConnection('No connection to the server', { cause });
    });
    return { response, text: await response.text() };
  };
  try {
    return await Promise.race([ended, answer()]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', stop);
  }
}

function addressOf(path: string, searchParams: Options['searchParams'] = {}): string {
  const url = new URL(`${API_ORIGIN}/api/v1/${path}`, location.origin);
  for (const [name, value] of Object.entries(searchParams))
    if (value !== undefined) url.searchParams.set(name, String(value));
  return url.href;
}

/** The credential that calls are made with. */
export interface Credential {
  accessToken(): string | null;
  /** The key under which its offline copies are stored. */
  scope(): string | null;
  /** Promises the access token that replaces `expired`. Rejects with Refused when the credential has ended. */
  renew(expired: string | null): Promise<string>;
  /** Promises the token to call with, renewed first if it has expired. Only for a credential that knows its expiry. */
  fresh?(): Promise<string | null>;
}

let standIn: Credential | null = null;

/** Makes calls use this credential, which is that of a paired display, while nobody is signed in to this browser. */
export function standInWith(credential: Credential) {
  standIn = credential;
}

const credential = (): Credential => (standIn && accessToken() === null ? standIn : session);

/** The key under which the data on screen can be stored. */
export const offlineScope = () => credential().scope();

/** Sends one call as the signed-in user, or as the paired display. After a 401 it tries once more with a fresh
 *  token, never twice. The reply's data is unchecked JSON; undefined when the body is empty. Throws Refused or
 *  Unreachable, or the signal's reason when aborted. */
export async function call(path: string, options: Options = {}): Promise<Reply<unknown>> {
  const { accessToken, fresh, renew } = credential();
  const token = fresh ? await fresh() : accessToken();
  const renewed = async (error: unknown) => {
    if (!(error instanceof Refused) || error.status !== 401) throw error;
    return send(path, options, await renew(token));
  };
  const reply = await send(path, options, token).catch(renewed);
  if (!reply.late) return reply;
  const late = reply.late.catch(async (error) => {
    const again = await renewed(error);
    return again.copyBecause ? ((await again.late) ?? null) : again;
  });
  return { ...reply, late: lateOrRefused(late) };
}

/** A refusal counts as an answer. The page that asked may be closed by then, so nobody needs to handle it. */
function lateOrRefused<T>(late: Promise<T | null>): Promise<T | null> {
  const told = late.catch((error) => {
    if (error instanceof Refused) throw error;
    return null;
  });
  told.catch(() => {});
  return told;
}

/** Like `call`, with the answer checked. An answer that does not match the schema counts as not from our server. */
export async function read<S extends z.ZodMiniType>(
  schema: S,
  path: string,
  options?: Options,
): Promise<Reply<z.output<S>>> {
  return checked(schema, path, await call(path, options));
}

/**
 * One call without the credential's token and without the rule for a 401: for signing in, refreshing and signing out.
 */
export async function readAs<S extends z.ZodMiniType>(
  token: string | null,
  schema: S,
  path: string,
  options: Options = {},
): Promise<Reply<z.output<S>>> {
  return checked(schema, path, await send(path, options, token));
}

/** Called when the server has refused to renew the session and the tokens are cleared. `scope`: of the session that
 *  ended. */
export function whenSessionRefused(listener: (scope: string | null) => void) {
  sessionRefused = listener;
}

/** The listener is called after each answer from the server itself, including refusals, because the connection works;
 *  until the returned function is called. */
export function whenServerAnswers(listener: () => void): () => void {
  answerListeners.add(listener);
  return () => answerListeners.delete(listener);
}

/** Called after each 403: the user's permissions may have changed. */
export function whenForbidden(listener: () => void) {
  forbidden = listener;
}

/** Called with the revision that this display must show, which each answer carries. */
export function whenDisplayAsked(listener: (rev: number) => void) {
  displayAsked = listener;
}

let displayAsked: (rev: number) => void = () => {};
let sessionRefused: (scope: string | null) => void = () => {};
const answerListeners = new Set<() => void>();
const serverAnswered = () => answerListeners.forEach((listener) => listener());
let forbidden = () => {};

export interface TokenPair {
  access_token: string;
  refresh_token: string;
  /** For how many seconds the server accepts the access token. Other implementations need not send it. */
  expires_in?: number | undefined;
}

/** A pair of tokens in this browser: where it is stored, and how it is exchanged for a new pair. */
interface Tradable {
  /** The name of the lock: only one tab exchanges at a time. */
  lock: string;
  accessToken(): string | null;
  refreshToken(): string | null;
  save(pair: TokenPair): void;
  trade(refreshToken: string): Promise<TokenPair>;
  /** Called when the server refused to renew, or when there is nothing to exchange. */
  end(refusal: Refused): void;
}

/**
 * Renews a pair: exchanges the refresh token for a new pair and promises the new access token. Calls that expire
 * together share one exchange. Tabs do so too: a tab that waited finds the newer token and does not exchange.
 * `expired`: the token that the server rejected. Rejects with Refused when the session has ended, and with
 * Unreachable when everything stays as it was.
 */
export function renewal(pair: Tradable): (expired: string | null) => Promise<string> {
  let renewing: Promise<string> | undefined;

  const newer = (): string => {
    const token = pair.accessToken();
    if (!token) throw new Refused(401, 'Signed out');
    return token;
  };

  const trade = async (expired: string | null): Promise<string> => {
    const stored = pair.accessToken();
    if (stored && stored !== expired) return stored;

    const spent = pair.refreshToken();
    if (!spent) {
      const refusal = new Refused(401, 'Not signed in');
      pair.end(refusal);
      throw refusal;
    }

    try {
      const next = await askedAgain(() => pair.trade(spent));
      // During the request the user signed out, or another user signed in: the answer is discarded.
      if (pair.refreshToken() !== spent) return newer();
      pair.save(next);
      return next.access_token;
    } catch (error) {
      if (!(error instanceof Refused) || !REFRESH_REFUSALS.includes(error.status)) throw error;
      if (pair.refreshToken() !== spent) return newer();
      pair.end(error);
      throw new Refused(401, error.detail, error.body);
    }
  };

  return (expired) => {
    const stored = pair.accessToken();
    if (stored && stored !== expired) return Promise.resolve(stored);
    renewing ??= oneTabAtATime(pair.lock, () => trade(expired)).finally(() => {
      renewing = undefined;
    });
    return renewing;
  };
}

/** Asks once more when no answer comes in time. Only for calls whose answer the server repeats for a while. */
export async function askedAgain<T>(ask: () => Promise<T>): Promise<T> {
  const first = ask();
  const answered = first.then(
    () => true,
    (error) => error instanceof Refused,
  );
  if (await Promise.race([answered, pause(ASK_AGAIN_AFTER_MS)])) return first;

  return Promise.any([first, ask()]).catch(({ errors }: AggregateError) => {
    throw errors.find((error) => error instanceof Refused) ?? errors[0];
  });
}

/** Statuses that end the session. 429 is none of them: a server that asks the client to slow down has not refused
 *  the session. */
const REFRESH_REFUSALS = [400, 401, 403, 404, 422];

/** Renews the signed-in user's tokens. They are cleared when the server has refused them. */
export const refreshSession = renewal({
  lock: 'clearway-refresh',
  accessToken,
  refreshToken,
  save: saveTokens,
  async trade(refresh_token) {
    const json = { refresh_token };
    return (await readAs(null, RefreshResponse, 'auth/refresh', { method: 'post', json })).data;
  },
  end: () => sessionRefused(clearTokens()),
});

const session: Credential = { accessToken, scope: cacheScope, renew: refreshSession };

/** Calls that the server has asked us not to repeat before a time, which is by the device's uptime, in ms. */
const heldBack = new Map<string, { until: number; refusal: Refused }>();
const LONGEST_HOLD_S = 15 * 60;

function holdBack(call: string, headers: Headers, refusal: Refused) {
  const seconds = Math.min(Number(headers.get('retry-after')), LONGEST_HOLD_S);
  if (seconds > 0) heldBack.set(call, { until: performance.now() + seconds * 1000, refusal });
}

async function send(path: string, options: Options, token: string | null): Promise<Reply<unknown>> {
  const headers: Record<string, string> = { accept: 'application/json' };
  if (token) headers['authorization'] = `Bearer ${token}`;
  if (options.ifMatch !== undefined) headers['if-match'] = String(options.ifMatch);
  const { method = 'get', json, searchParams, signal, keepalive = false } = options;
  if (json !== undefined) headers['content-type'] = 'application/json';
  const held = heldBack.get(`${method} ${path}`);
  if (held && performance.now() < held.until) throw held.refusal;
  const owner = options.offlineCopy ? offlineScope() : null;
  const scope = navigator.serviceWorker?.controller ? owner : null;
  const asked = JSON.stringify([path, searchParams]);
  const known = owner ? knownAnswer(owner, asked) : undefined;
  if (scope) headers['x-clearway-scope'] = scope;
  else if (known) headers['if-none-match'] = known.etag; // a worker sends the ETag of its own copy

  const sentAt = Date.now();
  const late = scope ? lateAnswers() : null;
  if (late) headers[ASKED_HEADER] = late.asked;
  let response: Response;
  let text: string;
  try {
    ({ response, text } = await answerTo(addressOf(path, searchParams), {
      method: method.toUpperCase(),
      headers,
      keepalive,
      ...(json !== undefined && { body: JSON.stringify(json) }),
      ...(signal && { signal }),
    }));
  } catch (error) {
    late?.stop();
    signal?.throwIfAborted();
    throw new Unreachable(`No answer to ${path}`, { cause: error });
  }

  const stillStands = response.status === 304 && known !== undefined;
  const failed = (status: number, headers: Headers, body: string): Error => {
    const error = failure(path, status, parsed(body));
    if (error instanceof Refused) {
      // A display that was signed out while it had no power cannot learn the time in another way.
      noteServerDate(headers.get('date'), sentAt, Date.now());
      serverAnswered();
      if (status === 403) forbidden();
      // Only for a signed-in person: a wrong password at the sign-in concerns that one account.
      if (status === 429 && token) holdBack(`${method} ${path}`, headers, error);
    }
    return error;
  };
  if (!response.ok && !stillStands) {
    late?.stop();
    throw failed(response.status, response.headers, text);
  }

  const read = (headers: Headers, body: string) => {
    const etag = headers.get('etag');
    const isKnown = known !== undefined && (stillStands || etag === known.etag);
    const reply = replyOf(path, headers, isKnown ? known : body, sentAt);
    const rev = headers.get(DISPLAY_REV_HEADER);
    // A stored copy may carry an old revision.
    if (rev !== null && !reply.copyBecause) displayAsked(Number(rev));
    // The user may have signed out during the request.
    if (owner && etag && !isKnown && owner === offlineScope()) {
      rememberAnswer(owner, asked, { etag, data: reply.data });
    }
    return reply;
  };

  const reply = read(response.headers, text);
  if (reply.copyBecause !== 'slow') late?.stop();
  else if (late) {
    const heard = late.of(response.url, { patienceMs: sentAt + REQUEST_TIMEOUT_MS - Date.now(), signal });
    reply.late = lateOrRefused(
      heard.then((answer) => {
        if (!answer) return null;
        const { status = 200, body } = answer;
        const headers = new Headers(answer.headers);
        if (status >= 400) throw failed(status, headers, body);
        return read(headers, body);
      }),
    );
  }
  return reply;
}

/** `answer`: the body as received, or the known answer that is still current. */
function replyOf(
  path: string,
  headers: Headers,
  answer: string | KnownAnswer,
  sentAt: number,
): Reply<unknown> {
  const data = typeof answer === 'string' ? parsed(answer) : answer.data;
  if (data === NOT_JSON) throw new Unreachable(`The answer to ${path} is not JSON`);

  const time = replyTime(headers, sentAt);
  if (!time.copyBecause) serverAnswered();
  return { data, ...time };
}

/** The time of a reply. The worker marks a stored copy in its headers; the time of a copy is when it was fetched. */
function replyTime(headers: Headers, sentAt: number): Pick<Reply<unknown>, 'fetchedAt' | 'copyBecause'> {
  const receivedAt = Date.now();
  const date = headers.get('date');
  const kept = headers.get(SOURCE_HEADER) === 'cache';
  // A proxy may cache answers too, even against our headers. `Age` or a repeated date shows it.
  const isOld = !kept && (Number(headers.get('age')) > 0 || !noteServerDate(date, sentAt, receivedAt));

  // Without a readable Date header (another host need not expose it) the device's clock was used, so it is corrected
  // here.
  const byDevice = kept ? Date.parse(headers.get(CACHED_AT_HEADER) ?? '') : receivedAt;
  const byServer = Date.parse(date ?? '');
  const at = Number.isNaN(byServer) ? byDevice + clockOffsetMs() : byServer;
  return {
    // A copy without a time counts as older than all others.
    fetchedAt: new Date(Number.isNaN(at) ? 0 : at),
    copyBecause: kept ? copyReason(headers.get(COPY_REASON_HEADER)) : isOld ? 'unusable' : null,
  };
}

/** Why a copy was given. A worker of an older version gives no reason. */
function copyReason(text: string | null): CopyReason {
  return text === 'slow' || text === 'unusable' ? text : 'down';
}

const NOT_JSON = Symbol('not JSON');

function parsed(text: string): unknown {
  if (text === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return NOT_JSON;
  }
}

function failure(path: string, status: number, body: unknown): Refused | Unreachable {
  const detail = textIn(body, 'detail');
  if (status >= 400 && status < 500 && detail !== undefined) return new Refused(status, detail, body);
  // With this id the operator finds a fault of the server in the log.
  const id = status === 500 && detail !== undefined ? textIn(body, 'request_id') : undefined;
  return new Unreachable(`Status ${status} for ${path}`, { detail: id ? `${detail} (${id})` : detail });
}

function textIn(body: unknown, name: string): string | undefined {
  const value =
    typeof body === 'object' && body !== null ? (body as Record<string, unknown>)[name] : undefined;
  return typeof value === 'string' ? value : undefined;
}

function checked<S extends z.ZodMiniType>(
  schema: S,
  path: string,
  reply: Reply<unknown>,
): Reply<z.output<S>> {
  const data = readBy(schema, path, reply.data);
  const late = reply.late?.then((answer) => answer && checked(schema, path, answer));
  return { ...reply, data, late: late && lateOrRefused(late) };
}

/** The checked values of the known answers: the same answer gives the identical value. */
const readings = new WeakMap<object, { schema: z.ZodMiniType; data: unknown }>();

function readBy<S extends z.ZodMiniType>(schema: S, path: string, raw: unknown): z.output<S> {
  const before = typeof raw === 'object' && raw !== null ? readings.get(raw) : undefined;
  if (before?.schema === schema) return before.data as z.output<S>;

  const { success, data, error } = schema.safeParse(raw);
  if (!success) {
    throw new Unreachable(`The answer to ${path} is not what our server sends`, { cause: error });
  }
  if (typeof raw === 'object' && raw !== null) readings.set(raw, { schema, data });
  return data;
}

/** Runs the work in only one tab at a time. */
export function oneTabAtATime<T>(lock: string, work: () => Promise<T>): Promise<T> {
  if (!browserStore.keeps()) return work(); // without storage another tab cannot see this tab's tokens either
  // Browsers offer locks only on https and localhost.
  if (navigator.locks) return navigator.locks.request(lock, work);
  return withLease(lock, work);
}

/** A little longer than an exchange can take. */
const LEASE_MS = ASK_AGAIN_AFTER_MS + REQUEST_TIMEOUT_MS + 2000;
const LEASE_LOOK_MS = 40;

/** The lock of a page on plain http: a note in the storage that tabs share. It expires if its tab dies. */
async function withLease<T>(lock: string, work: () => Promise<T>): Promise<T> {
  const mine = `${Math.random().toString(36).slice(2)}`;
  for (;;) {
    const [, until] = (browserStore.get(lock) ?? '').split(' ');
    const left = Number(until) - Date.now();
    // More time than a lease has: the clock was set back meanwhile.
    if (!(left > 0 && left <= LEASE_MS)) {
      const note = `${mine} ${Date.now() + LEASE_MS}`;
      browserStore.set(lock, note);
      await pause(LEASE_LOOK_MS); // two tabs may have written at once: the later note wins
      if (browserStore.get(lock) === note) break;
    }
    await pause(LEASE_LOOK_MS);
  }
  try {
    return await work();
  } finally {
    if (browserStore.get(lock)?.startsWith(mine)) browserStore.remove(lock);
  }
}

const pause = (ms: number) =>
  new Promise<void>((resolve) => {
    setTimeout(resolve, ms);
  });

/** Deletes. A thing that is already gone counts as deleted, because the answer to a first try may have been lost. */
export async function remove(path: string, options: Options = {}): Promise<void> {
  try {
    await call(path, { ...options, method: 'delete' });
  } catch (error) {
    if (!(error instanceof Refused && error.status === 404)) throw error;
  }
}

/** The text for the user: the server's own words if it gave any, otherwise ours. */
export function failureText(error: unknown, otherwise: string): string {
  if (error instanceof Unusable) return error.message;
  const detail = error instanceof Refused || error instanceof Unreachable ? error.detail : undefined;
  return detail?.trim() || otherwise;
}

// Answers that arrive after the worker stopped waiting and gave its stored copy. The worker passes them on as messages.

let lastAsked = 0;

/** Listens for the late answer to one request from now on. Start it before the request, which carries `asked`,
 *  because a late answer can overtake the copy. `of` promises the late answer for `url`, or null when none comes
 *  within `patienceMs` or the signal aborts. */
function lateAnswers() {
  const asked = String((lastAsked += 1));
  const heard: LateAnswer[] = [];
  let tell = () => {};
  const hear = ({ data }: MessageEvent) => {
    // A worker of an older version gives no number.
    if (data?.type !== 'LATE_ANSWER' || (data.asked ?? asked) !== asked) return;
    heard.push(data as LateAnswer);
    tell();
  };
  navigator.serviceWorker.addEventListener('message', hear);
  const stop = () => navigator.serviceWorker.removeEventListener('message', hear);

  return {
    asked,
    stop,
    of: (url: string, { patienceMs, signal }: { patienceMs: number; signal?: AbortSignal | undefined }) =>
      new Promise<LateAnswer | null>((resolve) => {
        const end = (answer: LateAnswer | null) => {
          clearTimeout(timer);
          stop();
          resolve(answer);
        };
        const timer = setTimeout(() => end(null), Math.max(0, patienceMs));
        signal?.addEventListener('abort', () => end(null), { once: true });
        tell = () => {
          const answer = heard.find((candidate) => candidate.url === url);
          if (answer) end(answer);
        };
        tell();
      }),
  };
}
