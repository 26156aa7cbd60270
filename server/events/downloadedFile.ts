/** An events file from an address, kept in the system's temporary folder while it is read. */
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { userAgent } from '../reading/download.ts';
import { UnusableFile } from './eventFile.ts';

/** The longest wait without any data. A server that generates its export on request can be slow to begin. */
const PATIENCE_MS = 60_000;

export interface DownloadedFile {
  path: string;
  remove(): Promise<void>;
}

/** The operator stopped it before anything was changed. */
export class Stopped extends Error {}

/**
 * Saved to a file, because it is read twice and can be larger than memory. `onBegin` gets the address in a form that
 * can be shown. Throws UnusableFile when the download is incomplete, Stopped when `signal` aborts. Leaves no file
 * behind.
 */
export async function downloadedFile(
  address: string,
  {
    signal,
    onBegin,
    patienceMs = PATIENCE_MS,
  }: { signal: AbortSignal; onBegin?: (where: string) => void; patienceMs?: number },
): Promise<DownloadedFile> {
  const url = URL.parse(address);
  if (!url) throw new UnusableFile('That is not an address.');
  // It would appear in the shell history and the process list.
  if (url.username || url.password)
    throw new UnusableFile('An address with a password in it is not accepted.');
  // Without the query, which can hold a key.
  const where = `${url.host}${url.pathname}`;
  onBegin?.(where);

  const folder = await mkdtemp(join(tmpdir(), 'clearway-import-'));
  const remove = () => rm(folder, { recursive: true, force: true });
  const impatient = new AbortController();
  const patience = setTimeout(() => impatient.abort(), patienceMs);
  const ended = AbortSignal.any([signal, impatient.signal]);
  try {
    const response = await fetch(url, { headers: { 'user-agent': userAgent() }, signal: ended });
    if (!response.ok || !response.body) throw new UnusableFile(`${where} answered ${response.status}.`);
    const path = join(folder, basename(url.pathname) || 'events');
    // Also fails when less arrives than Content-Length promised.
    await pipeline(
      Readable.fromWeb(response.body),
      async function* (chunks: AsyncIterable<Buffer>) {
        for await (const chunk of chunks) {
          patience.refresh();
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
