/** A file of events from an address: kept in the system's temporary folder while it is read. */
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { userAgent } from '../reading/download.ts';
import { UnusableFile } from './eventFile.ts';

/** Without a byte. A server that makes its export while it is asked for may take long to begin. */
const PATIENCE_MS = 60_000;

export interface DownloadedFile {
  path: string;
  remove(): Promise<void>;
}

/** The operator ended it before anything was changed. */
export class Stopped extends Error {}

/**
 * To a file of our own: it is read twice, and may be longer than memory. `onBegin` is told the address as it may be
 * shown. Throws UnusableFile when it cannot be had whole, Stopped when `signal` ended it, and leaves nothing behind.
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
  if (!url) throw new UnusableFile('That is no address.');
  // It would be in the history of the shell, and in the list of processes.
  if (url.username || url.password) throw new UnusableFile('An address with a password in it is not taken.');
  // The name without its query: it may hold a key.
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
    // Fails also when less comes than Content-Length promised.
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
      throw new Stopped(`Stopped while ${where} was being downloaded; nothing was changed.`, {
        cause: error,
      });
    }
    if (error instanceof UnusableFile) throw error;
    throw new UnusableFile(
      impatient.signal.aborted
        ? `${where} sent nothing for ${patienceMs / 1000} seconds, and was given up; nothing was changed.`
        : `${where} could not be downloaded whole; nothing was changed.`,
      { cause: error },
    );
  } finally {
    clearTimeout(patience);
  }
}
