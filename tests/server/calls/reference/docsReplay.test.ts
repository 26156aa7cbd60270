/** The reference, tried out over the first scene of a fresh replay: everything that its examples name is there. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { COLLECTORS } from '../../../../server/sources/allSources.ts';
import type { OpenApi, Operation } from '../../../../server/calls/reference/openapi.ts';
import { startSchedule } from '../../../../server/sources/polling/pollRunners.ts';
import { downloader } from '../../../../server/http/documents/download.ts';
import { startReplay, type Replay } from '../../../../server/operate/replay.ts';
import { keepSample } from '../../../../server/geography/events/sample/sampleEvents.ts';
import { openTestApp, type TestApp } from '../../app/testApp.ts';

let test: TestApp;
let replay: Replay;
let token: string;
let document: OpenApi;

beforeAll(async () => {
  const settings: Record<string, string> = {};
  test = await openTestApp({ config: { settings } });
  replay = await startReplay({ stepSeconds: 0, now: test.now });
  Object.assign(settings, replay.settings);
  const schedule = startSchedule({
    db: test.db,
    collectors: COLLECTORS,
    settings,
    download: downloader(),
    now: test.now,
    random: () => 1,
    log: { info() {}, warn() {}, error() {} },
    owner: 'the only node',
  });
  await Promise.all(COLLECTORS.map(({ source }) => schedule.collectNow(source)));
  await schedule.stop();
  // The examples name the event by the date that it has for a server that starts today.
  await keepSample(test.db, new Date());
  token = (await test.signIn(await test.addUser())).access_token;
  document = (await test.get('/openapi.json')).json<OpenApi>();
}, 60_000);
afterAll(async () => {
  await replay.close();
  await test.close();
});

/** Calls whose examples name things that a fresh replay does not have. */
const MADE =
  /^\/api\/v1\/(watches|addresses|keys|history\/watches|jobs|channels|reports|responses|handover)\b/;

it('answers every call for data whose path the examples fill', async () => {
  const calls = Object.entries(document.paths).filter(
    ([path, { get }]) => get?.security.some((one) => 'apiKey' in one) && !MADE.test(path),
  );
  const filled = calls.flatMap(([path, { get }]) => {
    const inPath = (get!.parameters ?? []).filter((one) => one.in === 'path');
    if (inPath.length === 0) return [];
    return inPath.reduce(
      (made, { name, example }) => made.replace(`{${name}}`, encodeURIComponent(String(example))),
      path,
    );
  });
  expect(filled.length).toBeGreaterThan(3);
  const answered = await Promise.all(
    filled.map(async (path) => [path, (await test.get(path, token)).statusCode]),
  );
  expect(answered.filter(([, status]) => status !== 200)).toEqual([]);
});

it('names no incident, source, feed or event that is not there, in any body or answer', async () => {
  const named = (key: string) => namedIn(document, key);
  const rows = await test.db.selectFrom('disruptions').select('event_id').execute();
  const events = await test.db.selectFrom('events').select('event_id').execute();
  const { feeds } = (await test.get('/api/v1/feeds/', token)).json<{
    feeds: { feed: { slug: string; sources: { source: string }[] } }[];
  }>();
  const known = new Set([...rows, ...events].map(({ event_id }) => event_id));
  const ids = [...named('event_id'), ...named('subject_id'), ...named('event_ids')].filter(
    (id) => !id.startsWith('own:') && !/^[\da-f]{8}-/.test(id),
  );
  expect(new Set(ids).size).toBeGreaterThan(2);
  expect(ids.filter((id) => !known.has(id))).toEqual([]);

  const sources = new Set([
    ...feeds.flatMap(({ feed }) => feed.sources.map(({ source }) => source)),
    ...COLLECTORS.map(({ source }) => source),
    'sample',
  ]);
  expect(named('source').filter((one) => !sources.has(one) && !one.startsWith('own:'))).toEqual([]);
  const slugs = new Set(feeds.map(({ feed }) => feed.slug));
  expect(named('slug').filter((one) => !slugs.has(one))).toEqual([]);
});

/** The values of that key in all examples, of calls and webhooks, and of the parameters of that name. */
function namedIn({ paths, webhooks }: OpenApi, key: string): string[] {
  const operations: Operation[] = [...Object.values(paths), ...Object.values(webhooks)].flatMap((one) =>
    Object.values(one),
  );
  const found: string[] = [];
  const follow = (part: unknown) => {
    if (Array.isArray(part)) part.forEach(follow);
    else if (typeof part === 'object' && part !== null) {
      for (const [name, value] of Object.entries(part)) {
        if (name === key) found.push(...[value].flat().filter((one) => typeof one === 'string'));
        follow(value);
      }
    }
  };
  for (const { parameters = [], requestBody, responses } of operations) {
    for (const one of parameters)
      if (one.name === key && one.example !== undefined) found.push(String(one.example));
    const contents = [requestBody, ...Object.values(responses)].map((one) =>
      one && 'content' in one ? one.content : undefined,
    );
    for (const content of contents) for (const { example } of Object.values(content ?? {})) follow(example);
  }
  return found;
}
