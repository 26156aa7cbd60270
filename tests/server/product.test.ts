/** The built product, in a folder with only the files that the container file copies. Files, threads and commands
 *  whose addresses are relative to their source file are found there too. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer as createPlain, type RequestListener } from 'node:http';
import { createServer as createSealed } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { bundleServer } from '../../build/server.ts';
import type { CollectorStatus } from '../../contract/incidents/disruptions.ts';
import { startReplay } from '../../server/operate/replay.ts';
import { withSourceLines } from '../../server/log.ts';
import { ADMIN, prepareServer } from '../support/server.ts';
import { openTestApp } from './app/testApp.ts';

const root = new URL('../..', import.meta.url).pathname;
const LIMIT_MS = 180_000;

const container = readFileSync(join(root, 'deploy/Containerfile'), 'utf8');
const [, health] = /^HEALTHCHECK(?:.|\n)*?CMD (\[.*\])$/m.exec(container)!;

let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'clearway-product-'));
  for (const [, path] of container.matchAll(/^COPY --from=build \/app\/(\S+)/gm)) {
    if (path === 'node_modules') symlinkSync(join(root, path), join(folder, path));
    else if (path === 'dist-server') await bundleServer(join(folder, path));
    else if (path === 'dist') {
      mkdirSync(join(folder, path));
      writeFileSync(join(folder, path, 'index.html'), '<title>Clearway</title>');
    } else cpSync(join(root, path!), join(folder, path!), { recursive: true });
  }
}, LIMIT_MS);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The exit code of the container's own command. */
async function checkHealth(env: Record<string, string>): Promise<number> {
  const [, ...args] = JSON.parse(health!) as string[];
  const child = spawn(process.execPath, args, { cwd: folder, env, stdio: 'ignore' });
  const [code] = (await once(child, 'exit')) as [number];
  return code;
}

it('serves everything, with its threads, data files and commands', { timeout: LIMIT_MS }, async () => {
  const replay = await startReplay({ stepSeconds: 0 });
  const server = await prepareServer({
    product: folder,
    settings: replay.settings,
    env: { BACKUP_DIR: join(folder, 'backups'), METRICS_TOKEN: 'a-token-for-prometheus' },
  });
  try {
    await server.start();
    expect(await checkHealth({ PORT: new URL(server.origin).port })).toBe(0);

    const ask = (path: string, { token = '', body }: { token?: string; body?: object } = {}) =>
      fetch(server.origin + path, {
        method: body ? 'POST' : 'GET',
        headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
        body: JSON.stringify(body),
      });
    const signIn = await ask('/api/v1/auth/login', { body: ADMIN });
    const { access_token: token } = (await signIn.json()) as { access_token: string };

    for (const path of ['/', '/docs', '/docs/guide', '/docs/docs.css', '/docs/swagger-ui.css'])
      expect([path, (await ask(path)).status]).toEqual([path, 200]);
    const sources = await openTestApp();
    expect(await (await ask('/openapi.json')).json()).toEqual((await sources.get('/openapi.json')).json());
    await sources.close();
    expect((await ask('/metrics', { token: 'a-token-for-prometheus' })).status).toBe(200);
    const found = await ask('/api/v1/geocode/search?query=leeds', { token });
    expect(await found.text()).toContain('Leeds');
    const weak = { email: 'rosa@coaches.example', name: 'Rosa', password: 'p@ssw0rd1234' };
    expect((await ask('/api/v1/admin/users', { token, body: weak })).status).toBe(422);

    await vi.waitFor(
      async () => {
        const answer = await ask('/api/v1/disruptions/collectors/status', { token });
        const { collectors } = (await answer.json()) as { collectors: CollectorStatus[] };
        expect(collectors.filter(({ last_success }) => last_success)).toHaveLength(
          Object.keys(replay.scenes()).length,
        );
        expect(readdirSync(join(folder, 'backups'))).toEqual([expect.stringMatching(/\.tar\.gz$/)]);
      },
      { timeout: 60_000, interval: 100 },
    );
    await server.stop();
    expect(server.output()).not.toMatch(/"level":"(?:error|fatal)"/);
    expect(await checkHealth({ PORT: new URL(server.origin).port })).toBe(1);
  } finally {
    await server.dispose();
    await replay.close();
  }
});

it('says in its log the line of the source at which something failed', () => {
  const file = join(folder, 'dist-server/service.js');
  const lines = readFileSync(file, 'utf8').split('\n');
  const line = lines.findIndex((text) => text.includes('Could not stop cleanly'));
  const column = lines[line]!.indexOf('log.error');
  const stack = `Error: lost\n    at stop (file://${file}:${line + 1}:${column + 1})\n    at node:internal/timers:1:2`;

  const source = readFileSync(join(root, 'server/service.ts'), 'utf8').split('\n');
  const wanted = source.findIndex((text) => text.includes('Could not stop cleanly')) + 1;
  expect(withSourceLines(stack)).toMatch(
    new RegExp(
      `^Error: lost\n    at stop \\(file://${root}server/service.ts:${wanted}:\\d+\\)\n    at node:`,
    ),
  );
});

describe('the health check of the container', () => {
  const tls = (name: string) => join(root, 'tests/fixtures/tls', name);
  const certificate = { cert: readFileSync(tls('localhost.crt')), key: readFileSync(tls('localhost.key')) };

  it.each([
    ['http', 200, 0],
    ['http', 503, 1],
    ['https', 200, 0],
    ['https', 503, 1],
  ])('asks over %s, on the port that is set: after %i it ends with %i', async (protocol, answered, code) => {
    const listener: RequestListener = ({ url }, response) =>
      void response.writeHead(url === '/readyz' ? answered : 404).end();
    const server = protocol === 'https' ? createSealed(certificate, listener) : createPlain(listener);
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    const env = { PORT: ` ${port} `, ...(protocol === 'https' && { TLS_CERT: tls('localhost.crt') }) };
    expect(await checkHealth(env)).toBe(code);
    server.close();
  });
});
