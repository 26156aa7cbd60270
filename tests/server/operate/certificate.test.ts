import { X509Certificate } from 'node:crypto';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { readFileSync } from 'node:fs';
import { keepCertificate } from '../../../server/operate/certificate.ts';

const FIXTURES = new URL('../../fixtures/tls/', import.meta.url).pathname;
const serialOf = (name: string) => new X509Certificate(readFileSync(`${FIXTURES}${name}.crt`)).serialNumber;

let folder: string;
let files: { cert: string; key: string };
let server: Server;
let kept: ReturnType<typeof keepCertificate>;
let logged: string[];

const put = (file: 'cert' | 'key', fixture: string) => copyFileSync(`${FIXTURES}${fixture}`, files[file]);
/** The serial number of the certificate that a new connection gets. */
const served = () =>
  new Promise<string>((resolve, reject) => {
    const { port } = server.address() as AddressInfo;
    const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false }, () => {
      resolve(socket.getPeerX509Certificate()!.serialNumber);
      socket.destroy();
    });
    socket.once('error', reject);
  });

beforeEach(async () => {
  logged = [];
  folder = mkdtempSync(join(tmpdir(), 'clearway-tls-'));
  files = { cert: join(folder, 'cert.pem'), key: join(folder, 'key.pem') };
  put('cert', 'localhost.crt');
  put('key', 'localhost.key');
  const inUse = { cert: readFileSync(files.cert, 'utf8'), key: readFileSync(files.key, 'utf8') };
  server = createServer(inUse);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const note = (_: unknown, message?: string) => void logged.push(message ?? '');
  kept = keepCertificate({ server, files, inUse, log: { info: note, error: note }, lookMs: 20 });
});
afterEach(() => {
  kept.stop();
  server.close();
  rmSync(folder, { recursive: true });
});

it('is served to new connections as soon as its files have changed', async () => {
  expect(await served()).toBe(serialOf('localhost'));
  put('cert', 'renewed.crt');
  put('key', 'renewed.key');
  await vi.waitFor(async () => expect(await served()).toBe(serialOf('renewed')), { timeout: 10_000 });
});

it('is served at once if somebody asks for it', async () => {
  put('cert', 'renewed.crt');
  put('key', 'renewed.key');
  expect(kept.renew()).toBe(true);
  expect(await served()).toBe(serialOf('renewed'));
});

it('leaves the old one in use if its key does not fit, and says so', async () => {
  put('cert', 'renewed.crt');
  expect(kept.renew()).toBe(false);
  expect(await served()).toBe(serialOf('localhost'));
  expect(logged).toContain('The new certificate cannot be used; the old one stays');
  put('key', 'renewed.key');
  expect(kept.renew()).toBe(true);
  expect(await served()).toBe(serialOf('renewed'));
});

it('notices every change since it was read for the server, and reports missing files once', async () => {
  kept.stop();
  const inUse = { cert: readFileSync(files.cert, 'utf8'), key: readFileSync(files.key, 'utf8') };
  put('cert', 'renewed.crt');
  put('key', 'renewed.key');
  const note = (_: unknown, message?: string) => void logged.push(message ?? '');
  kept = keepCertificate({ server, files, inUse, log: { info: note, error: note }, lookMs: 20 });
  await vi.waitFor(async () => expect(await served()).toBe(serialOf('renewed')), { timeout: 10_000 });

  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  kept.stop();
  kept = keepCertificate({ server, files, inUse, log: { info: note, error: note }, lookMs: 20 });
  rmSync(files.key);
  logged = [];
  vi.advanceTimersByTime(100);
  vi.useRealTimers();
  expect(logged).toEqual(['The new certificate cannot be used; the old one stays']);
  expect(await served()).toBe(serialOf('renewed'));
});
