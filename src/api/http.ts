/**
 * The app's only way to its server. It tells two failures apart, because everything above depends on it (decision 4):
 * the server answered and refused, or nothing that can be trusted came back.
 */
import { RefreshResponse } from '#contract/auth.ts';
import ky from 'ky';
import type { z } from 'zod/mini';
import { COPY_REASON_HEADER, type CopyReason, SOURCE_HEADER, CACHED_AT_HEADER } from '../../sw/messages.ts';
import { lateAnswers } from './lateAnswers.ts';
import { browserStore } from '../device/browserStorage.ts';
import { type KnownAnswer, knownAnswer, rememberAnswer } from './knownAnswers.ts';
import { clockOffsetMs, noteServerDate } from '../time/serverClock.ts';
import { accessToken, cacheScope, clearTokens, refreshToken, saveTokens } from './tokens.ts';

export const REQUEST_TIMEOUT_MS = 15_000;

/**
 * The server may have made a new pair although its answer was lost. It repeats that answer for 10 s, so the question
 * is put again well within them; put later, it would be taken for a stolen token.
 */
const ASK_AGAIN_AFTER_MS = 4000;

/** The server said no, in our own JSON: a status from 400 to 499 and a `detail`. */
export class Refused extends Error {
  override name = 'Refused';
  readonly status: number;
  readonly detail: string;
  /** The whole answer, unread: a refusal may say more than its sentence. */
  readonly body: unknown;

  constructor(status: number, detail: string, body?: unknown) {
    super(`${status}: ${detail}`);
    this.status = status;
    this.detail = detail;
    this.body = body;
  }
}

/**
 * No answer, or none that is ours: a dropped line, a time-out, a 5xx, half a document, or a page that some portal,
 * firewall or proxy put in its place. It never ends a session. `detail` only when a 5xx carried one.
 */
export class Unreachable extends Error {
  override name = 'Unreachable';
  readonly detail: string | undefined;

  constructor(message: string, options?: { cause?: unknown; detail?: string | undefined }) {
    super(message, { cause: options?.cause });
    this.detail = options?.detail;
  }
}

export interface Options {
  method?: 'get' | 'post' | 'patch' | 'delete';
  json?: unknown;
  searchParams?: Record<string, string | number | boolean | undefined>;
  signal?: AbortSignal | undefined;
  /** Let the worker keep the answer for when the network is away, and load it again only when it has changed. */
  offlineCopy?: boolean;
  /** Let the call outlive the page. */
  keepalive?: boolean;
}

export interface Reply<T> {
  data: T;
  /** When the server gave this answer, by the server's clock; for a kept copy, when it was fetched. */
  fetchedAt: Date;
  /** Set when this is an old copy: why there was no new answer. */
  copyBecause: CopyReason | null;
  /** The answer after all, where the worker only lost patience with it; null when none comes in time. */
  late?: Promise<Reply<T> | null>;
}

/** The server that this build was made for; without a setting, the one that served the page. */
export const API_ORIGIN = (import.meta.env.VITE_API_BASE_URL || location.origin).replace(/(?<!\/)\/+$/, '');

const http = ky.create({
  prefix: `${API_ORIGIN}/api/v1/`,
  retry: 0,
  timeout: REQUEST_TIMEOUT_MS,
  totalTimeout: REQUEST_TIMEOUT_MS,
  throwHttpErrors: false,
  cache: 'no-store',
  headers: { accept: 'application/json' },
});

/** What calls are made with. */
export interface Credential {
  accessToken(): string | null;
  /** The key of the offline copies of what it may see. */
  scope(): string | null;
  /** Promises the access token that follows `expired`. Rejects with Refused once the credential is over. */
  renew(expired: string | null): Promise<string>;
  /** Promises the token to call with, renewed first where the server would not take it: a credential that can tell. */
  fresh?(): Promise<string | null>;
}

let standIn: Credential | null = null;

/** Calls carry this while nobody is signed in in this browser: the credential of a paired display. */
export function standInWith(credential: Credential) {
  standIn = credential;
}

const credential = (): Credential => (standIn && accessToken() === null ? standIn : session);

/** The key under which what is shown now may be kept for later. */
export const offlineScope = () => credential().scope();

/**
 * Sends one call as the signed-in user, or as the display that this browser is. A 401 earns one retry with a fresh token, never two. The reply's data is the
 * unread JSON, undefined when the body is empty. Throws Refused or Unreachable, or the signal's reason when aborted.
 */
export async function call(path: string, options: Options = {}): Promise<Reply<unknown>> {
  const { accessToken, fresh, renew } = credential();
  const token = fresh ? await fresh() : accessToken();
  try {
    return await send(path, options, token);
  } catch (error) {
    if (!(error instanceof Refused) || error.status !== 401) throw error;
    return send(path, options, await renew(token));
  }
}

/** As `call`, and checks the answer: one that the schema cannot read counts as not coming from our server. */
export async function read<S extends z.ZodMiniType>(
  schema: S,
  path: string,
  options?: Options,
): Promise<Reply<z.output<S>>> {
  return checked(schema, path, await call(path, options));
}

/** One call without the credential's token and without the 401 rule: signing in, refreshing, signing out. */
export async function readAs<S extends z.ZodMiniType>(
  token: string | null,
  schema: S,
  path: string,
  options: Options = {},
): Promise<Reply<z.output<S>>> {
  return checked(schema, path, await send(path, options, token));
}

/** Called after the server refused to renew the session and the tokens were cleared; `scope` is the one that ended. */
export function whenSessionRefused(listener: (scope: string | null) => void) {
  sessionRefused = listener;
}

/** Called after each answer that came from the server itself, a refusal as well: the line works. */
export function whenServerAnswers(listener: () => void) {
  serverAnswered = listener;
}

/** Called after each refusal by 403: what the user may do may have changed. */
export function whenForbidden(listener: () => void) {
  forbidden = listener;
}

let sessionRefused: (scope: string | null) => void = () => {};
let serverAnswered = () => {};
let forbidden = () => {};

export interface TokenPair {
  access_token: string;
  refresh_token: string;
  /** For how many seconds the server takes the access token; a foreign one need not say. */
  expires_in?: number | undefined;
}

/** A pair of tokens that this browser keeps: where they lie, and who trades them. */
export interface Tradable {
  /** Of all tabs one trades at a time. */
  lock: string;
  accessToken(): string | null;
  refreshToken(): string | null;
  save(pair: TokenPair): void;
  trade(refreshToken: string): Promise<TokenPair>;
  /** The server refused to go on, or there is nothing to trade. */
  end(refusal: Refused): void;
}

/**
 * How a pair is renewed: trades the refresh token for a new pair and promises the new access token. Ten calls that
 * expire together share one trade, and so do several tabs: whoever waited finds the newer token and spends nothing.
 * `expired` is the token that the server would not take. Refused: it is over. Unreachable: everything stays as it was.
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
      // Signed out, or somebody else signed in, while the answer travelled: it belongs to nobody now.
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

/** Asks once more when no answer comes in time: for what the server repeats within 10 s, and no longer. */
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

/** 429 is not among them: a server that asks for patience has not refused the session. */
const REFRESH_REFUSALS = [400, 401, 403, 404, 422];

/** The signed-in user's: once the server has refused it, it is cleared. */
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

async function send(path: string, options: Options, token: string | null): Promise<Reply<unknown>> {
  const headers: Record<string, string> = {};
  if (token) headers['authorization'] = `Bearer ${token}`;
  const { method = 'get', json, searchParams, signal, keepalive } = options;
  const owner = options.offlineCopy ? offlineScope() : null;
  const scope = navigator.serviceWorker?.controller ? owner : null;
  const asked = JSON.stringify([path, searchParams]);
  const known = owner ? knownAnswer(owner, asked) : undefined;
  if (scope) headers['x-clearway-scope'] = scope;
  else if (known) headers['if-none-match'] = known.etag; // a worker asks by the copy that it has itself

  const sentAt = Date.now();
  const late = scope ? lateAnswers() : null;
  let response: Response;
  let text: string;
  try {
    const pending = http(path, { method, json, searchParams, signal, keepalive, headers });
    response = await pending;
    text = await pending.text(); // by ky, so that a body that stops half-way runs into the time-out as well
  } catch (error) {
    late?.stop();
    signal?.throwIfAborted();
    throw new Unreachable(`No answer to ${path}`, { cause: error });
  }

  const stillStands = response.status === 304 && known !== undefined;
  if (!response.ok && !stillStands) {
    late?.stop();
    const failed = failure(path, response.status, parsed(text));
    if (failed instanceof Refused) {
      // To a display that was signed out while it had no power nothing else tells the time.
      noteServerDate(response.headers.get('date'), sentAt, Date.now());
      serverAnswered();
      if (failed.status === 403) forbidden();
    }
    throw failed;
  }

  const read = (headers: Headers, body: string) => {
    const etag = headers.get('etag');
    const isKnown = known !== undefined && (stillStands || etag === known.etag);
    const reply = replyOf(path, headers, isKnown ? known : body, sentAt);
    // Whoever was signed in may have left meanwhile.
    if (owner && etag && !isKnown && owner === offlineScope()) {
      rememberAnswer(owner, asked, { etag, data: reply.data });
    }
    return reply;
  };

  const reply = read(response.headers, text);
  if (reply.copyBecause !== 'slow') late?.stop();
  else if (late) {
    reply.late = late
      .of(response.url, { patienceMs: sentAt + REQUEST_TIMEOUT_MS - Date.now(), signal })
      .then((answer) => answer && read(new Headers(answer.headers), answer.body))
      .catch(() => null);
  }
  return reply;
}

/** `answer`: the body as it came, or the known answer that stands for it. */
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

/** A kept copy says so in headers that the worker sets; its time is the one at which it was fetched. */
function replyTime(headers: Headers, sentAt: number): Pick<Reply<unknown>, 'fetchedAt' | 'copyBecause'> {
  const receivedAt = Date.now();
  const date = headers.get('date');
  const kept = headers.get(SOURCE_HEADER) === 'cache';
  // Something on the way may keep answers too, whatever it was told: `Age` says so, or the repeated date does.
  const isOld = !kept && (Number(headers.get('age')) > 0 || !noteServerDate(date, sentAt, receivedAt));

  // Without a readable Date header (a foreign host need not expose it) the device's clock was used; correct it.
  const byDevice = kept ? Date.parse(headers.get(CACHED_AT_HEADER) ?? '') : receivedAt;
  const byServer = Date.parse(date ?? '');
  const at = Number.isNaN(byServer) ? byDevice + clockOffsetMs() : byServer;
  return {
    // A copy that cannot say when it was fetched is older than anything that can.
    fetchedAt: new Date(Number.isNaN(at) ? 0 : at),
    copyBecause: kept ? copyReason(headers.get(COPY_REASON_HEADER)) : isOld ? 'unusable' : null,
  };
}

/** A worker of an older version gives no reason. */
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
  const detail =
    typeof body === 'object' && body !== null && 'detail' in body && typeof body.detail === 'string'
      ? body.detail
      : undefined;
  if (status >= 400 && status < 500 && detail !== undefined) return new Refused(status, detail, body);
  return new Unreachable(`Status ${status} for ${path}`, { detail });
}

function checked<S extends z.ZodMiniType>(
  schema: S,
  path: string,
  reply: Reply<unknown>,
): Reply<z.output<S>> {
  const data = readBy(schema, path, reply.data);
  const late = reply.late?.then((answer) => answer && checked(schema, path, answer)).catch(() => null);
  return { ...reply, data, late };
}

/** What was read of answers that are still known: the same answer gives the very same value. */
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

function oneTabAtATime<T>(lock: string, work: () => Promise<T>): Promise<T> {
  if (!browserStore.keeps()) return work(); // nor can another tab know what this one trades
  // Browsers offer locks on https and localhost only.
  if (navigator.locks) return navigator.locks.request(lock, work);
  return withLease(lock, work);
}

/** A little longer than a trade can take. */
const LEASE_MS = ASK_AGAIN_AFTER_MS + REQUEST_TIMEOUT_MS + 2000;
const LEASE_LOOK_MS = 40;

/** The lock of a page on plain http: a note in the storage that tabs share, which runs out if its tab dies. */
async function withLease<T>(lock: string, work: () => Promise<T>): Promise<T> {
  const mine = `${Math.random().toString(36).slice(2)}`;
  for (;;) {
    const [, until] = (browserStore.get(lock) ?? '').split(' ');
    if (!(Number(until) > Date.now())) {
      const note = `${mine} ${Date.now() + LEASE_MS}`;
      browserStore.set(lock, note);
      await pause(LEASE_LOOK_MS); // two tabs may have written at once: the later note stands
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
