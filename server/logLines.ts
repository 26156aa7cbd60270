/**
 * Writes lines of the log, and what waits when the process ends. Where they cannot be written (a full disk, a pipe that
 * nobody reads any more), the service goes on without them and tries again. The log library's own writer would keep all
 * lines in memory then, and never let the process end.
 */
import { write, writeSync } from 'node:fs';
import type { DestinationStream } from 'pino';

/** Lines are written together, a quarter of a second late at most: one by one they would cost as much as a request. */
const WRITE_AFTER_MS = 250;
const WRITE_FROM_BYTES = 32 * 1024;
/** Lines that wait. Any that come then are lost, and counted. */
const WAITING_MAX_BYTES = 1024 * 1024;

/**
 * Each line is made bytes at once: waiting texts would be measured and joined again with every line, the most of what a
 * request left for the garbage collection.
 */
export function linesTo(file: number): DestinationStream {
  const waiting: Buffer[] = [];
  let bytes = 0;
  let lost = 0;
  let isWriting = false;
  let isFailing = false;

  function add(line: string): void {
    const added = Buffer.from(line);
    waiting.push(added);
    bytes += added.byteLength;
  }

  function noteLost(): void {
    if (lost === 0) return;
    const [level, time] = ['warn', new Date().toISOString()];
    add(`${JSON.stringify({ level, time, lines: lost, msg: 'lines of the log could not be written' })}\n`);
    lost = 0;
  }

  /** The first part alone while it fails: it is copied once. */
  const next = () => (isFailing ? waiting.shift()! : Buffer.concat(waiting.splice(0)));

  function writeWaiting(): void {
    if (isWriting || bytes === 0) return;
    isWriting = true;
    const part = next();
    write(file, part, (error, written) => {
      isWriting = false;
      isFailing = error !== null;
      const done = isFailing ? 0 : written;
      bytes -= done;
      if (done < part.byteLength) waiting.unshift(part.subarray(done));
      if (isFailing) return;
      noteLost();
      if (done < part.byteLength || bytes >= WRITE_FROM_BYTES) writeWaiting();
    });
  }

  setInterval(writeWaiting, WRITE_AFTER_MS).unref();
  process.on('exit', () => {
    try {
      noteLost();
      let rest = Buffer.concat(waiting.splice(0));
      while (rest.byteLength > 0) rest = rest.subarray(writeSync(file, rest));
    } catch {
      // There is nobody to tell.
    }
  });

  return {
    write(line) {
      if (bytes + line.length > WAITING_MAX_BYTES) lost += 1;
      else add(line);
      if (bytes >= WRITE_FROM_BYTES && !isFailing) writeWaiting();
    },
  };
}
