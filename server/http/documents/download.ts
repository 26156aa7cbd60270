/** Requests to other people's servers: polite, within limits, and without revealing our keys. */
import { TextDecoder } from 'node:util';
import { DEFAULT_RUNTIME_CONFIG } from '#contract/runtimeConfig.ts';
import packageJson from '../../../package.json' with { type: 'json' };
import type { Get } from './upstream.ts';

const TIMEOUT_MS = 20_000;
/** More than twice the largest source. While a body is read, it takes several times its size in memory. */
const MAX_BYTES = 16 * 1024 * 1024;
const MAX_REDIRECTS = 3;
/** The limit for all bodies that are kept for a 304; the one that was used longest ago is dropped first. */
const KEPT_BYTES_MAX = 96 * 1024 * 1024;

/** A request that got no data. The message names host and path, but never the query, keys or credentials. */
export class DownloadFailed extends Error {
  /** The HTTP status; null when there was no proper answer. */
  status: number | null;
  /** How long the upstream asks us to stay away; null when it does not say. */
  retryAfterMs: number | null;

  constructor(
    message: string,
    {
      status = null,
      retryAfterMs = null,
      cause,
    }: { status?: number | null; retryAfterMs?: number | null; cause?: unknown } = {},
  ) {
    super(message, { cause });
    this.name = 'DownloadFailed';
    this.status = status;
    this.retryAfterMs = retryAfterMs;
  }
}

/** An upstream's answer, before it is read. */
export interface Answered {
  bytes: Uint8Array<ArrayBuffer>;
  headers: Readonly<Record<string, string>>;
  /** True when the bytes are kept for a 304: then they must be copied and not transferred. */
  isKept: boolean;
  /** Drops the kept copy, so that an answer that cannot be read is not used again. */
  forget(): void;
}

type GetBytes = (url: string, headers?: Record<string, string>) => Promise<Answered>;

export interface Download {
  get: Get;
  /** Like `get`, for callers that decode the bytes in another thread and report problems of the text themselves. */
  getBytes: GetBytes;
  /** True when at least one request was made and every answer was a 304: nothing has changed since the last poll. */
  allNotModified(): boolean;
  /** Problems of answers that could still be used. */
  problems(): string[];
}

export interface Downloader {
  /** A new downloader for one poll of one collector. `signal` stops requests that are under way. */
  newGet(signal?: AbortSignal): Download;
}

interface DownloaderOptions {
  userAgent?: string;
  /** For one request with its redirects, from the start to the last byte. */
  timeoutMs?: number;
  /** The limit for the body after decompression. */
  maxBytes?: number;
  fetch?: typeof fetch;
}

/** Our name and the operator's address, so that a publisher can complain instead of blocking us. */
export function userAgent(contact: string = DEFAULT_RUNTIME_CONFIG.contact_email): string {
  return `Clearway/${packageJson.version} (+${contact})`;
}

/** Keeps the last body of every address that sends an ETag or a Last-Modified time, from poll to poll. */
export function downloader(options: DownloaderOptions = {}): Downloader {
  const limits: Limits = {
    // `Headers` ignores the case of names; with plain objects the same header could be sent twice.
    defaults: new Headers({ 'user-agent': options.userAgent ?? userAgent(), accept: '*/*' }),
    timeoutMs: options.timeoutMs ?? TIMEOUT_MS,
    maxBytes: options.maxBytes ?? MAX_BYTES,
    fetch: options.fetch ?? fetch,
  };
  const kept = keptBodies();

  return {
    newGet(signal) {
      let asked = 0;
      let notModified = 0;

      const getBytes: GetBytes = async (address, headers = {}) => {
        asked++;
        const url = readUrl(address);
        const key = JSON.stringify([url.href, Object.entries(headers).sort()]);
        const last = kept.of(key);
        const validators = last && {
          ...(last.etag && { 'if-none-match': last.etag }),
          ...(last.modified && { 'if-modified-since': last.modified }),
        };

        const answer = await ask(url, { ...headers, ...validators }, limits, signal);
        const forget = () => kept.drop(key);
        if (answer.status === 304) {
          if (!last)
            throw new DownloadFailed(`${nameOf(url)}: answered 304 (not modified) to a first request`, {
              status: 304,
            });
          notModified++;
          return { bytes: last.bytes, headers: last.headers, isKept: true, forget };
        }

        const isKept = kept.keep(key, answer);
        return { bytes: answer.bytes, headers: answer.headers, isKept, forget };
      };

      const { get, problems } = readingGet(getBytes);
      return { get, getBytes, allNotModified: () => asked > 0 && notModified === asked, problems };
    },
  };
}

/** A `get` that decodes the bytes in this thread. `problems` lists the problems of the text. */
export function readingGet(getBytes: GetBytes): { get: Get; problems: () => string[] } {
  const problems: string[] = [];
  return {
    async get(address, headers) {
      const { bytes, headers: answered, isKept, forget } = await getBytes(address, headers);
      const url = readUrl(address);
      try {
        const { body, problem } = labelled(url, () => readBody(bytes, answered['content-type']));
        if (problem) problems.push(`${nameOf(url)}: ${problem}`);
        return { body, headers: answered };
      } catch (error) {
        forget();
        throw error;
      } finally {
        // The memory is given back at once: the garbage collector would leave it beside the data that was read from
        // it.
        if (!isKept) bytes.buffer.resize(0);
      }
    },
    problems: () => [...problems],
  };
}

/** Bytes to text, by byte order mark, XML declaration, content type or UTF-8, in this order. Throws with a message
 *  when there is no text, or a web page instead of data. Bytes that are invalid in the encoding become U+FFFD and
 *  are noted as a problem. */
export function readBody(bytes: Uint8Array, contentType?: string): { body: string; problem: string | null } {
  const charset = charsetOf(bytes, contentType);
  let decoder: TextDecoder;
  let problem: string | null = null;
  try {
    decoder = new TextDecoder(charset);
  } catch {
    problem = `unknown encoding "${charset}", read as UTF-8`;
    decoder = new TextDecoder();
  }

  const body = decoder.decode(bytes);
  if (body.trim() === '') throw new Error('the answer is empty');
  if (/^\s*(?:<!--[\s\S]{0,2000}?-->\s*)?(?:<!doctype\s+html|<html[\s>])/i.test(body)) {
    throw new Error('the answer is an HTML page where data was expected');
  }

  // U+FFFD may be in the document itself. The exact check decodes everything again, so it runs only in this case.
  if (body.includes('\uFFFD') && !isAll(bytes, decoder.encoding)) {
    problem ??= `some bytes are not ${decoder.encoding}; they are shown as "\uFFFD"`;
  }
  return { body, problem };
}

function isAll(bytes: Uint8Array, encoding: string): boolean {
  try {
    new TextDecoder(encoding, { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

/** `GET host/path`: the part of an address that is safe to show. */
export function nameOf(url: URL): string {
  return `GET ${url.host}${url.pathname}`;
}

interface Limits {
  defaults: Headers;
  timeoutMs: number;
  maxBytes: number;
  fetch: typeof fetch;
}

interface Answer {
  status: number;
  headers: Readonly<Record<string, string>>;
  bytes: Uint8Array<ArrayBuffer>;
}

/** Returns a 2xx answer that has a body, or a 304. Throws DownloadFailed for everything else. */
async function ask(
  first: URL,
  headers: Record<string, string>,
  limits: Limits,
  stop: AbortSignal | undefined,
): Promise<Answer> {
  const control = new AbortController();
  const onStop = () => control.abort(new DownloadFailed(`${nameOf(first)}: stopped`));
  const timeout = setTimeout(
    () =>
      control.abort(
        new DownloadFailed(`${nameOf(first)}: no complete answer within ${limits.timeoutMs / 1000} s`),
      ),
    limits.timeoutMs,
  );
  if (stop?.aborted) onStop();
  stop?.addEventListener('abort', onStop);

  try {
    let url = first;
    for (let hop = 0; hop <= MAX_REDIRECTS; hop++) {
      const response = await limits.fetch(url, {
        headers: withDefaults(headers, limits.defaults),
        redirect: 'manual',
        signal: control.signal,
      });
      const location = response.headers.get('location');
      if (response.status < 300 || response.status >= 400 || response.status === 304 || !location) {
        return await readAnswer(url, response, limits.maxBytes);
      }

      await response.body?.cancel();
      url = redirected(url, location);
    }
    throw new DownloadFailed(`${nameOf(first)}: more than ${MAX_REDIRECTS} redirects`);
  } catch (error) {
    if (control.signal.aborted) throw control.signal.reason;
    if (error instanceof DownloadFailed) throw error;
    throw new DownloadFailed(`${nameOf(first)}: ${connectionFault(error)}`, { cause: error });
  } finally {
    clearTimeout(timeout);
    stop?.removeEventListener('abort', onStop);
  }
}

function withDefaults(headers: Record<string, string>, defaults: Headers): Headers {
  const all = new Headers(defaults);
  for (const [name, value] of Object.entries(headers)) all.set(name, value);
  return all;
}

async function readAnswer(url: URL, response: Response, maxBytes: number): Promise<Answer> {
  const { status } = response;
  const headers = Object.fromEntries(response.headers);
  if (status === 304) {
    await response.body?.cancel();
    return { status, headers, bytes: new Uint8Array() };
  }
  if (!response.ok || status === 206) {
    await response.body?.cancel();
    const retryAfterMs = readRetryAfter(headers['retry-after'], headers['date']);
    const patience = retryAfterMs === null ? '' : `, asks to wait ${Math.ceil(retryAfterMs / 1000)} s`;
    throw new DownloadFailed(`${nameOf(url)}: answered ${status}${reasonOf(status)}${patience}`, {
      status,
      retryAfterMs,
    });
  }
  if (!response.body || status === 204) {
    throw new DownloadFailed(`${nameOf(url)}: the answer is empty (${status})`, { status });
  }

  // The buffer grows in place: separate pieces and then the whole would take twice the memory. It is not from the
  // pool of small buffers, so it can be transferred to another thread, and its memory returns at once.
  const buffer = new ArrayBuffer(0, { maxByteLength: maxBytes });
  const bytes = new Uint8Array(buffer);
  let length = 0;
  for await (const part of response.body) {
    const needed = length + part.byteLength;
    if (needed > maxBytes) {
      // The throw leaves the loop, which cancels the stream, so the rest is not sent.
      throw new DownloadFailed(`${nameOf(url)}: the answer is larger than ${maxBytes} bytes`, { status });
    }
    buffer.resize(needed);
    bytes.set(part, length);
    length = needed;
  }
  return { status, headers, bytes };
}

/** The target of a redirect. It must not take our keys to another host, or from https to http. Loopback is allowed
 *  for tests and replay. */
function redirected(from: URL, location: string): URL {
  const to = URL.parse(location, from.href);
  const isSameHost = to?.protocol === 'https:' && to.hostname === from.hostname;
  const isLoopback =
    to?.protocol === from.protocol && isLoopbackHost(from.hostname) && isLoopbackHost(to.hostname);
  if (!to || !(isSameHost || isLoopback)) {
    throw new DownloadFailed(
      `${nameOf(from)}: redirects to ${to ? `${to.protocol}//${to.host}` : 'an unreadable address'}, which is not followed`,
    );
  }
  return to;
}

function isLoopbackHost(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(hostname);
}

function readUrl(address: string): URL {
  const url = URL.parse(address);
  if (!url || !/^https?:$/.test(url.protocol)) {
    // The address itself can contain a key.
    throw new DownloadFailed('The address is not an http or https URL.');
  }
  if (url.username || url.password) {
    throw new DownloadFailed(`${nameOf(url)}: an address may not contain a user name or password.`);
  }
  return url;
}

function connectionFault(error: unknown): string {
  const codes: string[] = [];
  for (let at = error; at instanceof Error; at = at.cause) {
    if ('code' in at && typeof at.code === 'string') codes.push(at.code);
  }
  const code = codes.at(-1) ?? 'no answer';
  return NAME_FAULTS.has(code)
    ? `its name could not be looked up (${code}: does the name server answer?)`
    : `the connection failed (${code})`;
}

const NAME_FAULTS: ReadonlySet<string> = new Set(['ENOTFOUND', 'EAI_AGAIN']);

const REASONS: Readonly<Record<number, string>> = {
  401: ' (unauthorised: is the key right?)',
  403: ' (forbidden: is the key right?)',
  404: ' (not found)',
  429: ' (too many requests)',
  500: ' (server error)',
  502: ' (bad gateway)',
  503: ' (service unavailable)',
  504: ' (gateway time-out)',
};

const reasonOf = (status: number) => REASONS[status] ?? '';

/** Seconds or an HTTP date, in milliseconds from the upstream's own clock, or from ours when it sends no date. */
function readRetryAfter(value: string | undefined, date: string | undefined): number | null {
  if (!value) return null;
  if (/^\d{1,9}$/.test(value.trim())) return Number(value) * 1000;

  const until = Date.parse(value);
  const upstreamNow = Date.parse(date ?? '');
  const wait = until - (Number.isNaN(upstreamNow) ? Date.now() : upstreamNow);
  return Number.isNaN(wait) ? null : Math.max(0, wait);
}

function charsetOf(bytes: Uint8Array, contentType: string | undefined): string {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8';
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';

  const head = Buffer.from(bytes.subarray(0, 200)).toString('latin1').replaceAll('\0', '');
  const declared = /^\s*<\?xml[^>]*?\sencoding\s*=\s*["']([\w.:-]+)["']/i.exec(head)?.[1];
  const named = [declared, /charset\s*=\s*"?([\w.:-]+)/i.exec(contentType ?? '')?.[1]];
  // In UTF-16 every character of markup has a zero byte. .NET also writes "utf-16" into documents that are UTF-8.
  const isWide = bytes[0] === 0 || bytes[1] === 0;
  const charset = named.find((name) => name !== undefined && UTF_16.test(name) === isWide);
  return charset && isWide && bytes[0] === 0 ? 'utf-16be' : (charset ?? 'utf-8');
}

const UTF_16 = /^(?:utf-?16|ucs-?2|unicode$)/i;

function labelled<T>(url: URL, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw new DownloadFailed(`${nameOf(url)}: ${error instanceof Error ? error.message : 'cannot be read'}`, {
      cause: error,
    });
  }
}

interface Kept {
  bytes: Uint8Array<ArrayBuffer>;
  headers: Readonly<Record<string, string>>;
  etag: string | undefined;
  modified: string | undefined;
}

function keptBodies() {
  const byKey = new Map<string, Kept>();
  let length = 0;

  const drop = (key: string) => {
    length -= byKey.get(key)?.bytes.length ?? 0;
    byKey.delete(key);
  };

  return {
    drop,

    of(key: string): Kept | undefined {
      const found = byKey.get(key);
      if (found) {
        // A map keeps the order of insertion, so the first entry is the one that was used longest ago.
        byKey.delete(key);
        byKey.set(key, found);
      }
      return found;
    },

    /** Returns whether the answer was kept. Without an ETag or a Last-Modified time it is not kept. */
    keep(key: string, { bytes, headers }: Answer): boolean {
      drop(key);
      const { etag, 'last-modified': modified } = headers;
      if (!etag && !modified) return false;

      byKey.set(key, { bytes, headers, etag, modified });
      length += bytes.length;
      for (const oldest of byKey.keys()) {
        if (length <= KEPT_BYTES_MAX) break;
        drop(oldest);
      }
      return true;
    },
  };
}
