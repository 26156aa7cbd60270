/** `npm run bench -- walls`: what 200 paired displays cost a server: an ordinary minute, and one in which all take
 *  another layout. Needs a build. Like a wall, each display asks for the board, the alerts in hand and its routes
 *  once a minute, and reports every five minutes; when it takes a layout, it reports at once. */
import { randomUUID } from 'node:crypto';
import { Agent } from 'node:http';
import { HEARTBEAT_MINUTES } from '#contract/displays/displays.ts';
import { deriveSecrets } from '../server/accounts/secrets.ts';
import { tokens } from '../server/accounts/tokens.ts';
import { openBeside } from '../server/db/open.ts';
import { startReplay } from '../server/operate/replay.ts';
import { ADMIN, startServer } from '../tests/support/server.ts';
import { callsBy, median, processorMs } from './http/processor.ts';

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
const call = callsBy(agent);
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
const changes = await measured(async (round) => {
  await send(
    'POST',
    'displays/assignments',
    { to: { all: true }, layout_id: round % 2 ? 'lobby' : 'our-routes' },
    lead,
  );
});
console.log('| minute of 200 displays | processor, ms | of a core | bytes received by a display |');
console.log('| ---------------------- | ------------- | --------- | --------------------------- |');
for (const [name, { ms, received }] of Object.entries({ steady, 'all take another layout': changes }))
  console.log(
    `| ${name} | ${ms.toFixed(0)} | ${((100 * ms) / MINUTE_MS).toFixed(2)} % | ${Math.round(received / DISPLAYS)} |`,
  );
console.log(`\nTaking costs ${(changes.ms / steady.ms).toFixed(2)} times a steady minute (at most 2).`);
agent.destroy();
await server.dispose();
await replay.close();

async function measured(before: (round: number) => Promise<void>) {
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
    while (next < DISPLAYS) {
      const place = next++;
      const rev = await get(place, FEEDS);
      await get(place, RESPONSES);
      await get(place, ROUTES);
      const isNew = rev !== undefined && rev !== taken.get(held[place]!);
      if (isNew) {
        taken.set(held[place]!, rev);
        await get(place, '/api/v1/displays/me', false);
      }
      if (isNew || (place + round) % HEARTBEAT_MINUTES === 0) await beat(place, Number(rev ?? 0));
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, client));
}

async function get(place: number, path: string, isKept = true): Promise<string | undefined> {
  const key = `${place} ${path}`;
  const known = isKept ? etags.get(key) : undefined;
  const { status, headers, body } = await call(server.origin + path, {
    authorization: `Bearer ${held[place]}`,
    'accept-encoding': 'gzip',
    ...(known && { 'if-none-match': known }),
  });
  if (status !== 200 && status !== 304) throw new Error(`${path} was answered ${status}`);
  if (headers['etag']) etags.set(key, headers['etag']);
  bytes +=
    body.length +
    Object.entries(headers).reduce((sum, [name, value]) => sum + name.length + value.length + 4, 17);
  return headers['x-clearway-display'];
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
