/** `npm run bench -- walls`: what 200 paired displays cost a server: an ordinary minute, and one in which all take
 *  another layout; then in real time, how long until each of them has been handed it. Needs a build. Like a wall,
 *  each display asks for the board, the alerts in hand and its routes once a minute, and reports every five minutes;
 *  when it takes a layout, it reports at once. */
import { randomUUID } from 'node:crypto';
import { Agent } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { HEARTBEAT_MINUTES } from '#contract/displays/displays.ts';
import { deriveSecrets } from '../server/accounts/secrets.ts';
import { tokens } from '../server/accounts/tokens.ts';
import { openBeside } from '../server/db/open.ts';
import { startReplay } from '../server/operate/replay.ts';
import { ADMIN, startServer } from '../tests/support/server.ts';
import { callsBy, median, processorMs, type Reply } from './http/processor.ts';

const DISPLAYS = 200;
const ROUNDS = 7;
const CONNECTIONS = 4;
const MINUTE_MS = 60_000;
const SECRET = 'of the bench alone, at least 32 bytes long';
const FEEDS = '/api/v1/feeds/?include_events=true';
const RESPONSES = '/api/v1/responses/';
const ROUTES = '/api/v1/displays/me/routes';

const replay = await startReplay({ stepSeconds: 0 });
const server = await startServer({
  settings: replay.settings,
  env: {
    SECRET,
    LOG_LEVEL: 'info',
    // The limit is counted, but never reached.
    SESSION_REQUESTS_A_MINUTE: '1000000000',
    ADDRESS_REQUESTS_A_MINUTE: '1000000000',
  },
});
const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
const ownLines = new Agent({ keepAlive: true, maxSockets: DISPLAYS });
let call = callsBy(agent);
const send = async (method: string, path: string, body: object, token?: string) => {
  const answer = await fetch(`${server.origin}/api/v1/${path}`, {
    method,
    headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return (answer.status === 204 ? {} : await answer.json()) as Record<string, string>;
};
const { access_token: lead } = await send('POST', 'auth/login', ADMIN);
const held = await pair();

/** The ETags of a display's last answers, and the revisions that it has taken. */
const etags = new Map<string, string>();
const taken = new Map<string, string>();
let bytes = 0;

const steady = await measured(async () => {});
const give = (layout_id: string) =>
  send('POST', 'displays/assignments', { to: { all: true }, layout_id }, lead);
const changes = await measured((round) => give(round % 2 ? 'lobby' : 'our-routes'));
console.log('| minute of 200 displays | processor, ms | of a core | bytes received by a display |');
console.log('| ---------------------- | ------------- | --------- | --------------------------- |');
for (const [name, { ms, received }] of Object.entries({ steady, 'all take another layout': changes }))
  console.log(
    `| ${name} | ${ms.toFixed(0)} | ${((100 * ms) / MINUTE_MS).toFixed(2)} % | ${Math.round(received / DISPLAYS)} |`,
  );
console.log(`\nTaking costs ${(changes.ms / steady.ms).toFixed(2)} times a steady minute (at most 2).`);

call = callsBy(ownLines);
console.log('\n| 200 displays ask | median, s | worst, s |');
console.log('| ---------------- | --------- | -------- |');
for (const [name, layout, askAfterMs] of [
  ['at times of their own', 'drivers-gate', (place: number) => ((place + 1) / DISPLAYS) * MINUTE_MS],
  ['all at once, a minute after the change', 'routes-and-roads', () => MINUTE_MS],
] as const) {
  const seconds = await handedOut(layout, askAfterMs);
  console.log(`| ${name} | ${median(seconds).toFixed(1)} | ${Math.max(...seconds).toFixed(1)} |`);
}
agent.destroy();
ownLines.destroy();
await server.dispose();
await replay.close();

/** The seconds from the assignment until each display has been given the layout. `askAfterMs`: when it asks next. */
async function handedOut(layout: string, askAfterMs: (place: number) => number): Promise<number[]> {
  const from = performance.now();
  await give(layout);
  return Promise.all(
    held.map(async (_, place) => {
      await pause(from + askAfterMs(place) - performance.now());
      const given = await ask(place, 1);
      if (given?.layout !== layout) throw new Error(`${place} was given ${given?.layout}, not ${layout}`);
      return (given.at - from) / 1000;
    }),
  );
}

async function measured(before: (round: number) => Promise<unknown>) {
  await before(0);
  await minute(0);
  const all: { ms: number; received: number }[] = [];
  for (let round = 1; round <= ROUNDS; round += 1) {
    await before(round);
    bytes = 0;
    const [ms] = await processorMs([server.pid()!], () => minute(round));
    all.push({ ms: ms!, received: bytes });
  }
  return { ms: median(all.map(({ ms }) => ms)), received: median(all.map(({ received }) => received)) };
}

async function minute(round: number) {
  let next = 0;
  const client = async () => {
    while (next < DISPLAYS) await ask(next++, round);
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, client));
}

/** The calls of a display's minute. Promises the layout that it was given, and when; null: none. */
async function ask(place: number, round: number): Promise<{ layout: string; at: number } | null> {
  const rev = (await get(place, FEEDS)).headers['x-clearway-display'];
  const isNew = rev !== undefined && rev !== taken.get(held[place]!);
  let given = null;
  if (isNew) {
    taken.set(held[place]!, rev);
    const { headers, body } = await get(place, '/api/v1/displays/me', false);
    const text = headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body;
    given = { layout: JSON.parse(text.toString()).layout.id as string, at: performance.now() };
  }
  await get(place, RESPONSES);
  await get(place, ROUTES);
  if (isNew || (place + round) % HEARTBEAT_MINUTES === 0) await beat(place, Number(rev ?? 0));
  return given;
}

async function get(place: number, path: string, isKept = true): Promise<Reply> {
  const key = `${place} ${path}`;
  const known = isKept ? etags.get(key) : undefined;
  const reply = await call(server.origin + path, {
    authorization: `Bearer ${held[place]}`,
    'accept-encoding': 'gzip',
    ...(known && { 'if-none-match': known }),
  });
  const { status, headers, body } = reply;
  if (status !== 200 && status !== 304) throw new Error(`${path} was answered ${status}`);
  if (headers['etag']) etags.set(key, headers['etag']);
  bytes +=
    body.length +
    Object.entries(headers).reduce((sum, [name, value]) => sum + name.length + value.length + 4, 17);
  return reply;
}

async function beat(place: number, rev: number): Promise<void> {
  await send(
    'POST',
    'displays/heartbeat',
    {
      build: 'bench',
      data_age_seconds: 20,
      screen: { width: 1920, height: 1080, pixel_ratio: 1 },
      wake_lock: 'held',
      visibility: 'visible',
      heap_bytes: 20_000_000,
      showing: { rev, page: 'board', since: new Date().toISOString(), problem: null },
    },
    held[place],
  );
}

/** The access tokens of displays that were paired in the database. */
async function pair(): Promise<string[]> {
  const { db, close } = await openBeside({ dataDir: server.dataDir });
  const { id: user_id } = await db.selectFrom('users').select('id').executeTakeFirstOrThrow();
  const at = new Date();
  const ids = Array.from({ length: DISPLAYS }, () => ({ session: randomUUID(), display: randomUUID() }));
  for (const { session, display } of ids) {
    await db
      .insertInto('displays')
      .values({
        id: display,
        name: display.slice(0, 8),
        owner_id: user_id,
        user_agent: 'bench',
        address: '127.0.0.1',
        paired_at: at.toISOString(),
      })
      .execute();
    await db
      .insertInto('sessions')
      .values({
        id: session,
        user_id,
        created_at: at.toISOString(),
        last_used_at: at.toISOString(),
        expires_at: new Date(at.getTime() + 24 * 60 * MINUTE_MS).toISOString(),
        revoked_at: null,
        revoked_reason: null,
        display_id: display,
      })
      .execute();
  }
  await close();
  const { displayAccess } = tokens(deriveSecrets(SECRET));
  return Promise.all(
    ids.map(({ session, display }) => displayAccess({ sessionId: session, displayId: display }, at)),
  );
}
