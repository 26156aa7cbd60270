/**
 * `npm run bench -- http`: what a call costs, in processor time, against node:http sending the same bytes. With
 * authentication, usage and log; the API key has a quota. `--rounds 7`, `--calls 2000`.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { Agent, get } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parseArgs } from 'node:util';
import { startReplay } from '../server/replay.ts';
import { ADMIN, startServer } from '../tests/support/server.ts';
import type { Bytes } from './http/plain.ts';

const { values } = parseArgs({
  args: process.argv.slice(3),
  options: {
    rounds: { type: 'string', default: '7' },
    calls: { type: 'string', default: '2000' },
    only: { type: 'string' },
  },
});
const ROUNDS = Number(values.rounds);
const CALLS = Number(values.calls);
const CONNECTIONS = 4;

interface Reply {
  status: number;
  headers: Record<string, string>;
  body: Buffer;
}

const UK = 'south=49.5&west=-8.7&north=61&east=2';
const PATHS: Record<string, { path: string; encoding?: string; isKnown?: boolean; withKey?: boolean }> = {
  'feeds with alerts, identity': { path: '/api/v1/feeds?include_events=true' },
  'feeds with alerts, gzip': { path: '/api/v1/feeds?include_events=true', encoding: 'gzip' },
  'feeds with alerts, gzip, API key': {
    path: '/api/v1/feeds?include_events=true',
    encoding: 'gzip',
    withKey: true,
  },
  'feeds, 304': { path: '/api/v1/feeds?include_events=true', encoding: 'gzip', isKnown: true },
  'view of 500 events': { path: `/api/v1/events/viewport?${UK}&max_results=500` },
  'list of 50 disruptions': { path: '/api/v1/disruptions?limit=50' },
};

const replay = await startReplay({ stepSeconds: 0 });
const server = await startServer({
  settings: replay.settings,
  env: {
    LOG_LEVEL: 'info',
    FREE_DAILY_REQUESTS: '1000000000',
    // Counted as in use, and never reached.
    SESSION_REQUESTS_A_MINUTE: '1000000000',
    ADDRESS_REQUESTS_A_MINUTE: '1000000000',
  },
});
const plain = fork(new URL('http/plain.ts', import.meta.url));
const [{ port }] = (await once(plain, 'message')) as [AddressInfo];
const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });

const token = await signIn();
const key = await newKey();
await collected();

console.log(`| call | bytes | ours, µs | node:http, µs | node:http : ours, median (least to most) |`);
console.log(`| ---- | ----: | -------: | ------------: | ---------------------------------------- |`);
for (const [name, { path, encoding, isKnown, withKey }] of Object.entries(PATHS)) {
  if (values.only && !name.includes(values.only)) continue;
  const headers: Record<string, string> = {
    authorization: `Bearer ${withKey ? key : token}`,
    'accept-encoding': encoding ?? 'identity',
  };
  const first = await call(server.origin + path, headers);
  if (isKnown) headers['if-none-match'] = first.headers.etag!;
  const sample = await call(server.origin + path, headers);
  if (sample.status !== (isKnown ? 304 : 200)) throw new Error(`${name}: ${sample.status} ${sample.body}`);
  const kept = ['content-type', 'content-length', 'content-encoding', 'etag'];
  plain.send({
    name: encodeURIComponent(name),
    status: sample.status,
    headers: Object.fromEntries(Object.entries(sample.headers).filter(([header]) => kept.includes(header))),
    body: sample.body.toString('base64'),
  } satisfies Bytes);
  await once(plain, 'message');

  const ours = () => spent(server.pid()!, server.origin + path, headers, sample);
  const theirs = () =>
    spent(plain.pid!, `http://127.0.0.1:${port}/${encodeURIComponent(name)}`, headers, sample);
  await ours();
  await theirs();
  const rounds: { ours: number; theirs: number }[] = [];
  for (let round = 0; round < ROUNDS; round++) rounds.push({ theirs: await theirs(), ours: await ours() });
  const ratios = rounds.map((round) => round.theirs / round.ours).toSorted((a, b) => a - b);
  const figures = [
    sample.body.byteLength.toLocaleString('en-GB'),
    median(rounds.map((round) => round.ours)).toFixed(0),
    median(rounds.map((round) => round.theirs)).toFixed(0),
    `${median(ratios).toFixed(2)} (${ratios[0]!.toFixed(2)} to ${ratios.at(-1)!.toFixed(2)})`,
  ];
  console.log(`| ${name} | ${figures.join(' | ')} |`);
}
plain.disconnect();
agent.destroy();
await server.dispose();
await replay.close();

/** Processor time of the process for a call, in µs. */
async function spent(pid: number, url: string, headers: Record<string, string>, expected: Reply) {
  const before = processorMs(pid);
  let begun = 0;
  const client = async () => {
    while (begun < CALLS) {
      begun++;
      const { status, body } = await call(url, headers);
      if (status !== expected.status || body.byteLength !== expected.body.byteLength)
        throw new Error(`Another answer: ${status}, ${body.byteLength} bytes`);
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, client));
  return ((processorMs(pid) - before) * 1000) / CALLS;
}

/** Of all its threads, by the system's scheduler, to the nanosecond. */
function processorMs(pid: number): number {
  const threads = readdirSync(`/proc/${pid}/task`);
  const spentNs = threads.map((thread) =>
    Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]),
  );
  return spentNs.reduce((sum, ns) => sum + ns, 0) / 1e6;
}

function call(url: string, headers: Record<string, string>): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const request = get(url, { agent, headers }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('end', () =>
        resolve({
          status: response.statusCode!,
          headers: response.headers as Record<string, string>,
          body: Buffer.concat(parts),
        }),
      );
    });
    request.on('error', reject);
  });
}

async function signIn(): Promise<string> {
  const answer = await fetch(`${server.origin}/api/v1/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(ADMIN),
  });
  return ((await answer.json()) as { access_token: string }).access_token;
}

async function newKey(): Promise<string> {
  const answer = await fetch(`${server.origin}/api/v1/keys`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify({ name: 'Bench', rate_limit_tier: 'enterprise' }),
  });
  return ((await answer.json()) as { key: string }).key;
}

/** Until every source of the replay has been collected, and its first summary made. */
async function collected() {
  for (;;) {
    const { body } = await call(`${server.origin}/api/v1/feeds`, { authorization: `Bearer ${token}` });
    const { feeds } = JSON.parse(String(body)) as {
      feeds: { feed: { freshness: string }; summary: { stale: boolean } | null }[];
    };
    if (feeds.every(({ feed, summary }) => feed.freshness === 'fresh' && summary && !summary.stale)) return;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}

function median(list: readonly number[]): number {
  return list.toSorted((a, b) => a - b)[list.length >> 1]!;
}
