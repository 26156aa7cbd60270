/** Two nodes on one PostgreSQL: who polls, who takes over, and who is refused. Quotas: tests/server/accounts/keyQuota.test.ts. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Client } from 'pg';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { openDatabase } from '../../server/db/open.ts';
import { createPostgresDatabase } from '../support/databases.ts';
import { COMPILED } from '../support/server.ts';
import { openTestApp } from './app/testApp.ts';

const INTERVAL_MS = 1000;
const ROUNDS = 5;
const SOURCES = ['tfl', 'ea-flood'];
const TIMEOUT = { timeout: 60_000, interval: 50 };

let postgres: Awaited<ReturnType<typeof createPostgresDatabase>>;
beforeEach(async () => {
  postgres = await createPostgresDatabase();
});
afterEach(() => postgres.drop());

it('each source is polled by one of two nodes at a time, and by the other when one is killed', async () => {
  const asked: { owner: string; source: string; at: number }[] = [];
  const underWay = new Set<string>();
  const together: string[] = [];
  const upstream = createServer((request, reply) => {
    const [, owner = '', source = ''] = request.url!.split('/');
    asked.push({ owner, source, at: performance.now() });
    if (underWay.has(source)) together.push(source);
    underWay.add(source);
    // The answer comes a little later, so that two requests at once would be seen.
    setTimeout(() => {
      underWay.delete(source);
      reply.end('{}');
    }, 100);
  }).listen(0, '127.0.0.1');
  await once(upstream, 'listening');
  const { port } = upstream.address() as AddressInfo;

  const child = new URL('incidents/nodeChild.ts', import.meta.url).pathname;
  const nodes = new Map<string, ChildProcess>();
  for (const owner of ['one', 'two']) {
    const args = [child, postgres.url, `http://127.0.0.1:${port}`, owner];
    nodes.set(
      owner,
      spawn(process.execPath, args, { env: { ...process.env, ...COMPILED }, stdio: 'ignore' }),
    );
  }
  try {
    const owners = () => new Set(asked.map(({ owner }) => owner));
    // Each polls at its own start: from then on both are there.
    await vi.waitFor(() => expect(owners().size).toBe(2), TIMEOUT);
    const from = asked.length;
    await vi.waitFor(() => expect(asked.length).toBeGreaterThan(from + SOURCES.length * ROUNDS), TIMEOUT);
    const since = asked.slice(from);
    expect(together).toEqual([]);
    const rounds = (since.at(-1)!.at - since[0]!.at) / INTERVAL_MS;
    for (const source of SOURCES) {
      const times = since.filter((one) => one.source === source).length;
      expect(times, source).toBeGreaterThan(0);
      // If both polled, there would be twice as many. The shortest rhythm is a tenth below the interval; each node
      // polls at its own start.
      expect(times, source).toBeLessThanOrEqual(rounds / 0.9 + 2);
    }

    // This is between two polls. A lease taken in a poll lasts 20 seconds more:
    // tests/server/sources/polling/pollRunners.test.ts.
    const client = new Client({ connectionString: postgres.url });
    await client.connect();
    const leases = "select 1 from cursors where name like 'poll %' and lease_until is not null";
    await vi.waitFor(async () => expect((await client.query(leases)).rowCount).toBe(0), TIMEOUT);
    await client.end();
    const killed = asked.at(-1)!.owner;
    nodes.get(killed)!.kill('SIGKILL');
    await once(nodes.get(killed)!, 'exit');
    const last = asked.length;
    await vi.waitFor(() => {
      const by = asked.slice(last).filter(({ owner }) => owner !== killed);
      expect(new Set(by.map(({ source }) => source)).size).toBe(SOURCES.length);
    }, TIMEOUT);
  } finally {
    for (const node of nodes.values()) node.kill('SIGKILL');
    upstream.closeAllConnections();
    upstream.close();
  }
}, 120_000);

it('a session that ends on one node is refused by both at the next call', async () => {
  const open = () => openDatabase({ dataDir: '', databaseUrl: postgres.url });
  const [one, two] = [await openTestApp({ open }), await openTestApp({ open })];
  try {
    const rosa = await one.addUser();
    const { access_token, session_id } = await one.signIn(rosa);
    const other = await two.signIn(rosa);
    const statuses = async (token: string) =>
      [await one.get('/api/v1/auth/me', token), await two.get('/api/v1/auth/me', token)].map(
        ({ statusCode }) => statusCode,
      );
    expect(await statuses(access_token)).toEqual([200, 200]);
    expect(await statuses(other.access_token)).toEqual([200, 200]);

    expect((await one.post('/api/v1/auth/logout', { session_id }, access_token)).statusCode).toBe(204);
    expect(await statuses(access_token)).toEqual([401, 401]);
    expect(await statuses(other.access_token)).toEqual([200, 200]);
  } finally {
    await two.close();
    await one.close();
  }
});
