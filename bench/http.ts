/**
 * `npm run bench -- http`: the cost of a call in processor time, compared with node:http sending the same bytes. With
 * authentication, usage and log; the API key has a quota. Then 5,000 boards, sign-ins beside others, and the effect
 * of alerts in hand. `--rounds 7`, `--calls 3000`, `--only 'feeds, 304'` (or `boards`, `in hand`, `sign-ins`).
 */
import { fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { Agent } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parseArgs } from 'node:util';
import { tokens } from '../server/accounts/tokens.ts';
import { openBeside } from '../server/db/open.ts';
import { startReplay } from '../server/operate/replay.ts';
import { deriveSecrets } from '../server/accounts/secrets.ts';
import { ADMIN, startServer } from '../tests/support/server.ts';
import { atRate } from './http/atRate.ts';
import { callsBy, median, processorMs, type Reply } from './http/processor.ts';
import type { Bytes } from './http/plain.ts';
import type { SigningIn } from './http/signingIn.ts';

const { values } = parseArgs({
  args: process.argv.slice(3),
  options: {
    rounds: { type: 'string', default: '7' },
    calls: { type: 'string', default: '3000' },
    only: { type: 'string' },
  },
});
const ROUNDS = Number(values.rounds);
const CALLS = Number(values.calls);
const CONNECTIONS = 4;

const UK = 'south=49.5&west=-8.7&north=61&east=2';
const FEEDS = '/api/v1/feeds?include_events=true';
interface Measured {
  path: string;
  encoding?: string;
  isKnown?: boolean;
  withKey?: boolean;
  target: number;
}
const CALLED: Record<string, Measured> = {
  'feeds with alerts, identity': { path: FEEDS, target: 0.45 },
  'feeds with alerts, gzip': { path: FEEDS, encoding: 'gzip', target: 0.45 },
  'feeds with alerts, gzip, API key': { path: FEEDS, encoding: 'gzip', withKey: true, target: 0.45 },
  'feeds, 304': { path: FEEDS, encoding: 'gzip', isKnown: true, target: 0.3 },
  'view of 500 events': { path: `/api/v1/events/viewport?${UK}&max_results=500`, target: 0.4 },
  'list of 50 disruptions': { path: '/api/v1/disruptions?limit=50', target: 0.35 },
};
const BOARDS = 5000;
const MINUTE_MS = 60_000;
/** How many calls a board makes with one access token: one a minute. */
const TOKEN_CALLS = 15;
const SIGN_INS_A_SECOND = 20;
const OTHERS_A_SECOND = 100;
const BESIDE_SECONDS = 4;
const IN_HAND = 100;
const HEADERS_KEPT = new Set(['content-type', 'content-length', 'content-encoding', 'etag']);
const SECRET = 'of the bench alone, at least 32 bytes long';

class AnotherAnswer extends Error {}

const replay = await startReplay({ stepSeconds: 0 });
const server = await startServer({
  settings: replay.settings,
  env: {
    SECRET,
    LOG_LEVEL: 'info',
    FREE_DAILY_REQUESTS: '1000000000',
    // The limit is counted, but never reached.
    SESSION_REQUESTS_A_MINUTE: '1000000000',
    ADDRESS_REQUESTS_A_MINUTE: '1000000000',
  },
});
const plain = fork(new URL('http/plain.ts', import.meta.url));
const [{ port }] = (await once(plain, 'message')) as [AddressInfo];
const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
const call = callsBy(agent);

const token = await signIn();
const key = await newKey();
await collected();

try {
  await tableOfCalls();
  for (const [name, part] of Object.entries({ boards, 'in hand': inHand, 'sign-ins': signIns }))
    if (!values.only || name === values.only) await part();
} finally {
  plain.disconnect();
  agent.destroy();
  await server.dispose();
  await replay.close();
}

async function tableOfCalls() {
  if (values.only && !Object.keys(CALLED).some((name) => name.includes(values.only!))) return;
  console.log(
    `| call | bytes | ours, µs | node:http, µs | node:http : ours, median (least to most) | target |`,
  );
  console.log(
    `| ---- | ----: | -------: | ------------: | ---------------------------------------- | -----: |`,
  );
  for (const [name, { path, encoding, isKnown, withKey, target }] of Object.entries(CALLED)) {
    if (values.only && !name.includes(values.only)) continue;
    const headers: Record<string, string> = {
      authorization: `Bearer ${withKey ? key : token}`,
      'accept-encoding': encoding ?? 'identity',
    };
    const first = await call(server.origin + path, headers);
    if (isKnown) headers['if-none-match'] = first.headers.etag!;
    const sample = await call(server.origin + path, headers);
    if (sample.status !== (isKnown ? 304 : 200)) throw new Error(`${name}: ${sample.status} ${sample.body}`);
    const called = [ourProcess(path), await plainProcess(name, sample)];
    const both = async () => {
      const [us, them] = await spent(called, headers, sample);
      return { ours: us!, theirs: them! };
    };
    await both();
    const rounds: { ours: number; theirs: number }[] = [];
    for (let round = 0; round < ROUNDS; round++) rounds.push(await both());
    const figures = [
      sample.body.byteLength.toLocaleString('en-GB'),
      median(rounds.map((round) => round.ours)).toFixed(0),
      median(rounds.map((round) => round.theirs)).toFixed(0),
      spread(rounds.map((round) => round.theirs / round.ours)),
      target.toFixed(2),
    ];
    console.log(`| ${name} | ${figures.join(' | ')} |`);
  }
}

interface Process {
  pid: number;
  url: string;
}

function ourProcess(path: string): Process {
  return { pid: server.pid()!, url: server.origin + path };
}

/** A node:http server that sends the same answer. */
async function plainProcess(name: string, { status, headers, body }: Reply): Promise<Process> {
  const id = encodeURIComponent(name);
  const kept = Object.entries(headers).filter(([header]) => HEADERS_KEPT.has(header));
  plain.send({
    name: id,
    status,
    headers: Object.fromEntries(kept),
    body: body.toString('base64'),
  } satisfies Bytes);
  await once(plain, 'message');
  return { pid: plain.pid!, url: `http://127.0.0.1:${port}/${id}` };
}

/** A minute of boards, each with a session of its own and the answer that it has; a fifteenth of them have a new
 *  token. */
async function boards() {
  const { db, close } = await openBeside({ dataDir: server.dataDir });
  const { id: user_id } = await db.selectFrom('users').select('id').executeTakeFirstOrThrow();
  const at = new Date();
  const session = {
    user_id,
    created_at: at.toISOString(),
    last_used_at: at.toISOString(),
    expires_at: new Date(at.getTime() + 24 * 60 * 60_000).toISOString(),
    revoked_at: null,
    revoked_reason: null,
    display_id: null,
  };
  const ids = Array.from({ length: BOARDS }, () => randomUUID());
  for (let from = 0; from < BOARDS; from += 100)
    await db
      .insertInto('sessions')
      .values(ids.slice(from, from + 100).map((id) => ({ id, ...session })))
      .execute();
  await close();
  const { access } = tokens(deriveSecrets(SECRET));
  const held = await Promise.all(ids.map((sessionId) => access({ userId: user_id, sessionId }, at)));

  const headersOf = (board: number) => ({
    authorization: `Bearer ${held[board]}`,
    'accept-encoding': 'gzip',
  });
  const { headers } = await call(server.origin + FEEDS, headersOf(0));
  const minute = () => {
    let next = 0;
    const client = async () => {
      while (next < BOARDS) {
        const board = next++;
        const known = { ...headersOf(board), 'if-none-match': headers.etag! };
        const { status } = await call(server.origin + FEEDS, known);
        if (status !== 304) throw new Error(`A board was answered ${status}`);
      }
    };
    return Promise.all(Array.from({ length: CONNECTIONS }, client));
  };
  await minute();
  const shares: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    for (let board = round; board < BOARDS; board += TOKEN_CALLS) {
      const signed = new Date(at.getTime() + 1000 * (round + 1));
      held[board] = await access({ userId: user_id, sessionId: ids[board]! }, signed);
    }
    const [ms] = await processorMs([server.pid()!], minute);
    shares.push((100 * ms!) / MINUTE_MS);
  }
  console.log(`\n5,000 boards a minute with ETags: ${spread(shares)} % of a core (target 2)`);
}

/** Whether alerts in hand make the feeds' answer more expensive. */
async function inHand() {
  const headers = { authorization: `Bearer ${token}`, 'accept-encoding': 'gzip' };
  /** The cost in calls of node:http with the same bytes. Both are called in turn, so that a slower moment of the
   *  machine changes both. It is measured after all work that follows an action, and again when a source or a
   *  summary changes the feeds meanwhile. */
  const cost = async (): Promise<number> => {
    await collected();
    const sample = await call(server.origin + FEEDS, headers);
    const both = [ourProcess(FEEDS), await plainProcess('in hand', sample)];
    try {
      await spent(both, headers, sample);
      const [ours, theirs] = await spent(both, headers, sample);
      return ours! / theirs!;
    } catch (error) {
      if (!(error instanceof AnotherAnswer)) throw error;
      return cost();
    }
  };
  const { body } = await call(`${server.origin}/api/v1/disruptions?limit=${IN_HAND}`, {
    authorization: headers.authorization,
  });
  const { events } = JSON.parse(String(body)) as { events: { event_id: string }[] };
  const revs: Record<string, number> = {};
  const act = async (method: string, more: object) => {
    for (const { event_id } of events) {
      const answer = await fetch(`${server.origin}/api/v1/responses/${encodeURIComponent(event_id)}`, {
        method,
        headers: {
          ...headers,
          'content-type': 'application/json',
          'if-match': `"${revs[event_id] ?? 0}"`,
        },
        body: JSON.stringify({ id: newActionId(), ...more }),
      });
      if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
      revs[event_id] = ((await answer.json()) as { rev: number }).rev;
    }
  };
  const ratios: number[] = [];
  await cost();
  await act('PUT', { disposition: 'diverted' });
  let held = await cost();
  for (let round = 0; round < ROUNDS; round++) {
    await act('DELETE', {});
    const without = await cost();
    await act('PUT', { disposition: 'diverted' });
    // Measured between two runs with alerts in hand, so that a machine that becomes slower or faster favours neither.
    const after = await cost();
    ratios.push(without / ((held + after) / 2));
    held = after;
  }
  console.log(`\nFeeds without alerts in hand : with ${events.length}: ${spread(ratios)} (target 0.98)`);
}

/** A UUIDv7. */
function newActionId(): string {
  const time = Date.now().toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`;
}

/** By the clock: how long others wait for a board's answer, without and with people who sign in. */
async function signIns() {
  const headers = { authorization: `Bearer ${token}`, 'accept-encoding': 'gzip' };
  const waited = async () => {
    const times: number[] = [];
    await atRate(OTHERS_A_SECOND, BESIDE_SECONDS, async () => {
      const began = performance.now();
      await call(server.origin + FEEDS, headers);
      times.push(performance.now() - began);
    });
    return times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)]!;
  };
  const people = fork(new URL('http/signingIn.ts', import.meta.url));
  await once(people, 'message');
  const signingIn = async () => {
    const url = `${server.origin}/api/v1/auth/login`;
    const asked = { url, body: JSON.stringify(ADMIN), aSecond: SIGN_INS_A_SECOND, seconds: BESIDE_SECONDS };
    people.send(asked satisfies SigningIn);
    await once(people, 'message');
  };
  await waited();
  const rounds: { alone: number; beside: number }[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const alone = await waited();
    const [beside] = await Promise.all([waited(), signingIn()]);
    rounds.push({ alone, beside });
  }
  people.disconnect();
  console.log(
    `\np99 of others with ${SIGN_INS_A_SECOND} sign-ins a second : without: ` +
      `${spread(rounds.map(({ alone, beside }) => beside / alone))} (target 1.2); without them ` +
      `${median(rounds.map(({ alone }) => alone)).toFixed(1)} ms`,
  );
}

/** `0.45 (0.40 to 0.47)`: the median, the least and the most. */
function spread(list: readonly number[]): string {
  const sorted = list.toSorted((a, b) => a - b);
  return `${median(sorted).toFixed(2)} (${sorted[0]!.toFixed(2)} to ${sorted.at(-1)!.toFixed(2)})`;
}

/**
 * The processor time of each process for one call, in µs. Each connection calls them in turn, so that all are
 * measured in the same conditions: a process that waits less wakes its client less often, which is not its own merit.
 */
async function spent(
  called: readonly Process[],
  headers: Record<string, string>,
  expected: Reply,
): Promise<number[]> {
  let begun = 0;
  const client = async () => {
    while (begun < CALLS) {
      begun++;
      for (const { url } of called) {
        const { status, body } = await call(url, headers);
        if (status !== expected.status || body.byteLength !== expected.body.byteLength)
          throw new AnotherAnswer(`Another answer: ${status}, ${body.byteLength} bytes`);
      }
    }
  };
  const spentMs = await processorMs(
    called.map(({ pid }) => pid),
    () => {
      begun = 0;
      return Promise.all(Array.from({ length: CONNECTIONS }, client));
    },
  );
  return spentMs.map((ms) => (ms * 1000) / CALLS);
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

/** Waits until every source of the replay has been collected, and its first summary made. */
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
