import { gzipSync } from 'node:zlib';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { events } from '../../../../server/geography/events/events.ts';
import { chooseEncoding, isKnownTo } from '../../../../server/http/answers/negotiation.ts';
import { openTestApp, type TestApp } from '../../app/testApp.ts';
import { event } from '../../geography/events/import/oneEvent.ts';

it.each([
  [undefined, 'identity'],
  ['', 'identity'],
  ['gzip, deflate, br, zstd', 'br'],
  ['gzip, deflate', 'gzip'],
  ['GZIP', 'gzip'],
  ['x-gzip', 'gzip'],
  ['br;q=0.5, gzip', 'gzip'],
  ['br;q=0.5, gzip;q=0.8, *;q=0.1', 'gzip'],
  ['br ; q=0.2 , gzip ; q=0.3', 'gzip'],
  ['br;q=0, gzip;q=0', 'identity'],
  ['gzip;q=0, *', 'br'],
  ['br;q=0, *', 'gzip'],
  ['br;q=0, x-gzip;q=0, *', 'identity'],
  ['*', 'br'],
  ['*;q=0', 'identity'],
  ['identity;q=0', 'identity'],
  ['identity', 'identity'],
  ['identity;q=1, gzip;q=0.5', 'identity'],
  ['br;q=nonsense, gzip', 'gzip'],
  ['deflate', 'identity'],
] as const)('a caller that accepts %j is sent %s', (accepted, encoding) => {
  expect(chooseEncoding(accepted)).toBe(encoding);
});

it.each([
  ['gzip, br', 'gzip'],
  ['br, gzip;q=0', 'identity'],
  ['br', 'identity'],
  ['*', 'gzip'],
] as const)('a caller that accepts %j is sent %s where there is no Brotli', (accepted, encoding) => {
  expect(chooseEncoding(accepted, ['gzip'])).toBe(encoding);
});

it.each([
  [undefined, false],
  ['"a"', true],
  ['W/"a"', true],
  ['"b", "a"', true],
  ['*', true],
  ['"b"', false],
  ['a', false],
  ['', false],
])('If-None-Match %j knows "a": %s', (header, known) => {
  expect(isKnownTo(header, '"a"')).toBe(known);
});

/** The length of a head that Node takes. */
const LONG = 15_000;
const HOSTILE: Readonly<Record<string, string>> = {
  tabs: `a${'\t'.repeat(LONG)}b`,
  spaces: `a${' '.repeat(LONG)};q=1`,
  semicolons: `a${';'.repeat(LONG)}`,
  'spaces and semicolons': `gzip${' ;'.repeat(LONG / 2)}x`,
  commas: ','.repeat(LONG),
  'commas and tabs': ',\t'.repeat(LONG / 2),
  stars: '*,'.repeat(LONG / 2),
  encodings: 'a;q=0.1,'.repeat(LONG / 8),
  'open quotes': `a;q="${'\\"'.repeat(LONG / 2)}`,
  'weak tags': 'W/"a",'.repeat(LONG / 6),
  'beginnings of weak tags': 'W/'.repeat(LONG / 2),
  'a tag that does not end': `"${'a'.repeat(LONG)}`,
};

/** Milliseconds of processor time, which no neighbour takes away. */
async function processorMs(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

// Twelve of the first kind took 5,000 ms.
it.each(Object.entries(HOSTILE))(
  'a head of %s is read in no time, twelve of them at once',
  async (_, head) => {
    const read = () => {
      for (let time = 0; time < 12; time++) {
        chooseEncoding(head);
        isKnownTo(head, '"b"');
      }
    };
    read();
    expect(await processorMs(read)).toBeLessThan(100);
  },
);

describe('every part of the service that negotiates', () => {
  let test: TestApp;
  let token: string;
  let dist: string;

  beforeAll(async () => {
    dist = mkdtempSync(join(tmpdir(), 'clearway-dist-'));
    mkdirSync(join(dist, 'assets'));
    const script = 'clear '.repeat(1000);
    writeFileSync(join(dist, 'index.html'), '<!doctype html><title>Clearway</title>');
    writeFileSync(join(dist, 'assets/app.js'), script);
    writeFileSync(join(dist, 'assets/app.js.gz'), gzipSync(script));
    test = await openTestApp({ dist });
    const arriving = Array.from({ length: 30 }, (_, at) => event({ id: `e${at}` }));
    await events(test.db).store({ source: 'hall', arriving, now: test.now() });
    await test.addUser();
    token = (await test.signIn()).access_token;
  });
  afterAll(async () => {
    await test.close();
    rmSync(dist, { recursive: true });
  });

  const ADDRESSES = {
    'a feed': '/api/v1/feeds/',
    'a view of the map': '/api/v1/events/viewport?north=61&south=49&east=2&west=-11',
    'a file of the app': '/assets/app.js',
    'a page of the app': '/login',
    'the documentation': '/openapi.json',
  };
  const ask = (url: string, headers: Record<string, string>) =>
    test.app.inject({ url, headers: { authorization: `Bearer ${token}`, accept: 'text/html', ...headers } });

  it('a view of the map is not sent by gzip to a caller that takes Brotli and refuses gzip', async () => {
    const reply = await ask(ADDRESSES['a view of the map'], { 'accept-encoding': 'br, gzip;q=0' });
    expect(reply.headers['content-encoding']).toBeUndefined();
  });

  describe.each(Object.entries(ADDRESSES))('%s', (_, url) => {
    it.each(['gzip;q=0', 'br;q=0, gzip;q=0, *;q=0.5', 'gzip;q=0, br;q=0, *', 'x-gzip;q=0.0, br;q=0'])(
      'is not compressed for a caller that refuses it by %j',
      async (accepted) => {
        const reply = await ask(url, { 'accept-encoding': accepted });
        expect(reply.statusCode).toBe(200);
        expect(reply.headers['content-encoding']).toBeUndefined();
      },
    );

    it('is answered quickly whatever the headers hold', async () => {
      await ask(url, {}); // parts that the first call builds do not count
      const spent = await processorMs(() =>
        Promise.all(
          Object.values(HOSTILE).map((head) => ask(url, { 'accept-encoding': head, 'if-none-match': head })),
        ),
      );
      expect(spent).toBeLessThan(300);
    });
  });
});
