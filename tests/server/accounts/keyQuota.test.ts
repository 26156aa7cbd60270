/** The quota of an owner's keys over real HTTP is exact: when everybody calls at once, on two nodes, and over a
 *  restart. */
import { mkdtemp, rm } from 'node:fs/promises';
import { Agent, get, type RequestOptions } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ApiKey } from '#contract/accounts/keys.ts';
import { apiKeys } from '../../../server/accounts/keys/apiKeys.ts';
import { openDatabase } from '../../../server/db/open.ts';
import { createPostgresDatabase } from '../../support/databases.ts';
import { openTestApp, type TestApp } from '../app/testApp.ts';

/** Calls of the free tier, by the specification. */
const LIMIT = 1000;
/** Calls at a time: if all came at once, the system's queue of connections would overflow. */
const CONNECTIONS = 200;
/** Calls of the other key, which lives through a restart. Fewer calls prove as much there. */
const SMALL_LIMIT = 50;

interface Place {
  dataDir: string;
  databaseUrl?: string;
  leave(): Promise<void>;
}

async function folder(): Promise<Place> {
  const dataDir = await mkdtemp(join(tmpdir(), 'clearway-quota-'));
  return { dataDir, leave: () => rm(dataDir, { recursive: true }) };
}

async function postgres(): Promise<Place> {
  const { url, drop } = await createPostgresDatabase();
  return { dataDir: '', databaseUrl: url, leave: drop };
}

describe.each([
  { engine: 'sqlite', find: folder, nodes: 1 },
  { engine: 'postgres', find: postgres, nodes: 2 },
])('1,200 calls at once with two keys of 1,000 a day, on $engine with $nodes node(s)', ({ find, nodes }) => {
  let place: Place;
  let running: TestApp[] = [];
  beforeAll(async () => {
    place = await find();
  });
  afterAll(async () => {
    await stop();
    await place.leave();
  });

  async function start(): Promise<string[]> {
    for (let node = 0; node < nodes; node++) {
      running.push(
        await openTestApp({
          open: () => openDatabase(place),
          config: { keyLimits: { free: LIMIT, pro: SMALL_LIMIT, enterprise: null } },
        }),
      );
      await running[node]!.app.listen({ port: 0, host: '127.0.0.1' });
    }
    return running.map(({ app }) => `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`);
  }
  async function stop() {
    for (const { close } of running) await close();
    running = [];
  }

  /** The number of calls with each status, when this many are made at once, spread over the nodes and the keys. */
  async function call(origins: string[], times: number, ...keys: string[]) {
    const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS / nodes });
    const replies = await Promise.all(
      Array.from({ length: times }, (_, n) => {
        const url = `${origins[n % origins.length]}/api/v1/feeds/`;
        const key = keys[Math.floor(n / origins.length) % keys.length];
        return answer(url, { agent, headers: { authorization: `Bearer ${key}` } });
      }),
    );
    agent.destroy();
    const counts: Record<number, number> = {};
    for (const { status } of replies) counts[status] = (counts[status] ?? 0) + 1;
    return { counts, left: replies.flatMap(({ left }) => left ?? []) };
  }

  it(
    'succeed exactly 1,000 times, also when the server restarts meanwhile',
    { timeout: 120_000 },
    async () => {
      const before = await start();
      const [first] = running;
      await first!.addUser();
      const { access_token } = await first!.signIn();
      const make = async (name: string) =>
        (await first!.post('/api/v1/keys/', { name, tier: 'free' }, access_token)).json<{
          id: string;
          key: string;
        }>();
      const [steady, second] = [await make('Steady'), await make('Second')];
      const interrupted = await make('Interrupted');

      const { counts, left } = await call(before, 1200, steady.key, second.key);
      expect(counts).toEqual({ 200: LIMIT, 429: 200 });
      expect(left.sort((a, b) => a - b)).toEqual(Array.from({ length: LIMIT }, (_, n) => n));
      // A key that replaces a deleted one goes on with the owner's count.
      await first!.app.inject({
        method: 'DELETE',
        url: `/api/v1/keys/${second.id}`,
        headers: { authorization: `Bearer ${access_token}` },
      });
      expect((await call(before, 10, (await make('Third')).key)).counts).toEqual({ 429: 10 });

      await apiKeys(first!.db).setTier(interrupted.id, 'pro');
      expect((await call(before, 30, interrupted.key)).counts).toEqual({ 200: 30 });
      await stop();
      const after = await start();
      expect((await call(after, 40, interrupted.key)).counts).toEqual({ 200: 20, 429: 20 });

      const listed = (await running[0]!.get('/api/v1/keys/', access_token)).json<ApiKey[]>();
      const used = Object.fromEntries(listed.map(({ name, requests_today }) => [name, requests_today]));
      expect(used).toEqual({ Steady: expect.any(Number), Third: 0, Interrupted: SMALL_LIMIT });
      const limit = await running[0]!.get(`/api/v1/keys/${steady.id}/rate-limit`, access_token);
      expect(limit.json()).toMatchObject({ used_today: LIMIT, remaining: 0 });
    },
  );
});

/** `left` is the rest of the day, from the answer to a granted call. `fetch` gives up if a busy machine is slow to
 *  connect. */
function answer(url: string, options: RequestOptions): Promise<{ status: number; left?: number }> {
  return new Promise((resolve, reject) => {
    const asked = get(url, options, (reply) => {
      const left = /^"day";r=(\d+);t=\d+$/.exec(String(reply.headers['ratelimit']))?.[1];
      const status = reply.statusCode ?? 0;
      reply.resume().on('end', () => resolve({ status, ...(status === 200 && { left: Number(left) }) }));
    });
    asked.on('error', reject);
  });
}
