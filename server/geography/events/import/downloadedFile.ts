/** An events file from an address, kept in the system's temporary folder while it is read. */
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { RequestFilteringHttpAgent, RequestFilteringHttpsAgent } from 'request-filtering-agent';
import { userAgent } from '../../../http/documents/download.ts';
import { UnusableFile } from './eventFile.ts';

/** The longest wait without any data. A server that generates its export on request can be slow to begin. */
const PATIENCE_MS = 60_000;
/** The largest file. Half a million events are about 500 MB. */
const BYTES_MAX = 4e9;
const REDIRECTS_MAX = 5;

export interface DownloadedFile {
  path: string;
  remove(): Promise<void>;
}

/** The operator stopped it before anything was changed. */
export class Stopped extends Error {}

/** The file is saved, because it is read twice and can be larger than memory. `onBegin` gets the address in a form
 *  that can be shown. Throws UnusableFile when the download is incomplete, and Stopped when `signal` aborts. Leaves
 *  no file behind. */
export async function downloadedFile(
  address: string,
  {
    signal,
    onBegin,
    patienceMs = PATIENCE_MS,
    maxBytes = BYTES_MAX,
  }: {
    signal: AbortSignal;
    onBegin?: (where: string) => void;
    patienceMs?: number;
    maxBytes?: number;
  },
): Promise<DownloadedFile> {
  const url = URL.parse(address);
  if (!url) throw new UnusableFile('That is not an address.');
  // A password would appear in the shell history and the list of processes.
  if (url.username || url.password)
    throw new UnusableFile('An address with a password in it is not accepted.');
  // The query is left out, because it can hold a key.
  const where = `${url.host}${url.pathname}`;
  onBegin?.(where);

  const folder = await mkdtemp(join(tmpdir(), 'clearway-import-'));
  const remove = () => rm(folder, { recursive: true, force: true });
  const impatient = new AbortController();
  const patience = setTimeout(() => impatient.abort(), patienceMs);
  const ended = AbortSignal.any([signal, impatient.signal]);
  try {
    const response = await opened(url, ended);
    if (response.statusCode !== 200) {
      response.destroy();
      throw new UnusableFile(`${where} answered ${response.statusCode}.`);
    }
    const path = join(folder, basename(url.pathname) || 'events');
    let bytes = 0;
    // Also fails when less arrives than Content-Length promised.
    await pipeline(
      response,
      async function* (chunks: AsyncIterable<Buffer>) {
        for await (const chunk of chunks) {
          patience.refresh();
          bytes += chunk.length;
          if (bytes > maxBytes) {
            const most = `${Math.floor(maxBytes / 1e6).toLocaleString('en-GB')} MB`;
            throw new UnusableFile(`${where} sends more than ${most}; nothing was changed.`);
          }
          yield chunk;
        }
      },
      createWriteStream(path),
      { signal: ended },
    );
    return { path, remove };
  } catch (error) {
    await remove();
    if (signal.aborted) {
      throw new Stopped(`Stopped during the download from ${where}; nothing was changed.`, {
        cause: error,
      });
    }
    if (error instanceof UnusableFile) throw error;
    throw new UnusableFile(
      impatient.signal.aborted
        ? `${where} sent nothing for ${patienceMs / 1000} seconds: the download was stopped, and nothing was changed.`
        : `${where} could not be downloaded whole; nothing was changed.`,
      { cause: error },
    );
  } finally {
    clearTimeout(patience);
  }
}

/** The answer, after redirects. The operator's own address can be anywhere. If a redirect names another host, that
 *  must be public, which is checked when the connection is made: a stranger's server must not lead us into the
 *  operator's network. */
async function opened(url: URL, signal: AbortSignal): Promise<IncomingMessage> {
  let next = url;
  for (let redirects = 0; ; redirects += 1) {
    const response = await get(next, { signal, mustBePublic: next.host !== url.host });
    const { location } = response.headers;
    if (!location || !(response.statusCode! >= 300 && response.statusCode! < 400)) return response;
    response.destroy();
    const to = URL.parse(location, next.href);
    if (!to || !/^https?:$/.test(to.protocol) || redirects >= REDIRECTS_MAX)
      throw new UnusableFile(`${url.host} leads on to an address that is not followed.`);
    next = to;
  }
}

function get(
  url: URL,
  { signal, mustBePublic }: { signal: AbortSignal; mustBePublic: boolean },
): Promise<IncomingMessage> {
  const isSecure = url.protocol === 'https:';
  const agent = isSecure ? new RequestFilteringHttpsAgent() : new RequestFilteringHttpAgent();
  const options = {
    headers: { 'user-agent': userAgent(), 'accept-encoding': 'identity' },
    signal,
    ...(mustBePublic && { agent }),
  };
  return new Promise((resolve, reject) => {
    const call = (isSecure ? requestHttps : requestHttp)(url, options, resolve);
    call.on('error', reject).end();
  });
}
