import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SERVER_ADDRESS } from '#contract/addresses.ts';
import { openTestApp, type TestApp } from '../../app/testApp.ts';

const PAGE =
  '<!doctype html><title>Clearway</title><script type="module" src="/assets/app-1a2b3c.js"></script>';
const SCRIPT = `console.log('${'clear '.repeat(300)}');`;
const PAGE_FOREVER = 'public, max-age=31536000, immutable';

let dist: string;
let test: TestApp;

beforeAll(() => {
  dist = mkdtempSync(join(tmpdir(), 'clearway-dist-'));
  mkdirSync(join(dist, 'assets'));
  const files: Record<string, string | Buffer> = {
    'index.html': PAGE,
    'sw.js': '/* worker */',
    'manifest.webmanifest': '{}',
    'icon.svg': '<svg/>',
    '.secret': 'hidden',
    'assets/app-1a2b3c.js': SCRIPT,
    'assets/app-1a2b3c.js.br': brotliCompressSync(SCRIPT),
    'assets/app-1a2b3c.js.gz': gzipSync(SCRIPT),
  };
  for (const [name, content] of Object.entries(files)) writeFileSync(join(dist, name), content);
});
afterAll(() => rmSync(dist, { recursive: true }));

const open = (url: string, headers: Record<string, string> = {}) => test.app.inject({ url, headers });

/** The requests of browsers: by https, and by plain http, on which they do not say the purpose. */
const PERSON = { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document', accept: 'text/html,*/*;q=0.8' };
const PERSON_HTTP = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };
const SCRIPT_TAG = { 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'script', accept: '*/*' };
const MODULE = { 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'script', accept: '*/*' };
const CALL = { 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty', accept: 'application/json' };
const PICTURE = { 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image', accept: 'image/avif,*/*;q=0.8' };
const PICTURE_HTTP = { accept: 'image/avif,image/webp,*/*;q=0.8' };
const STYLE_HTTP = { accept: 'text/css,*/*;q=0.1' };
const ANYTHING = { accept: '*/*' };

describe('the built app', () => {
  beforeAll(async () => (test = await openTestApp({ dist })));
  afterAll(() => test.close());

  it.each([
    '/',
    '/index.html',
    '/login',
    '/disruptions?display=wall',
    '/events/42/venue',
    '/events/x%40example.com',
    '/events/..%2Fsecret.js',
    '/events/100%',
    '/events/%E0%A4%A/venue?from=map',
    '//login',
    '/admin/users',
    '/apiary',
    '/api-keys',
    '/no/such/page',
    '/no/such/page.html',
  ])('is the page at %s, asked for each time', async (url) => {
    const reply = await open(url, PERSON);
    expect((await open(url, PERSON_HTTP)).body).toBe(PAGE);

    expect(reply.statusCode).toBe(200);
    expect(reply.body).toBe(PAGE);
    expect(reply.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(reply.headers['cache-control']).toBe('no-cache');
    expect(reply.headers['content-security-policy']).toContain("script-src 'self';");
  });

  it('is served as hashed assets that are kept for a year', async () => {
    const reply = await open('/assets/app-1a2b3c.js');

    expect(reply.statusCode).toBe(200);
    expect(reply.body).toBe(SCRIPT);
    expect(reply.headers['content-type']).toMatch(/^(text|application)\/javascript/);
    expect(reply.headers['cache-control']).toBe(PAGE_FOREVER);
  });

  it.each(['/sw.js', '/manifest.webmanifest', '/icon.svg'])('asks for %s each time', async (url) => {
    const reply = await open(url);

    expect(reply.statusCode).toBe(200);
    expect(reply.headers['cache-control']).toBe('no-cache');
    expect((await open(url, { 'if-none-match': String(reply.headers['etag']) })).statusCode).toBe(304);
  });

  it.each([
    ['br', brotliDecompressSync],
    ['gzip', gunzipSync],
  ] as const)('is sent compressed by %s to a client that accepts it', async (encoding, decompress) => {
    const reply = await open('/assets/app-1a2b3c.js', { 'accept-encoding': encoding });

    expect(reply.headers['content-encoding']).toBe(encoding);
    expect(reply.headers['content-type']).toMatch(/^(text|application)\/javascript/);
    expect(reply.headers['cache-control']).toBe(PAGE_FOREVER);
    expect(reply.headers['vary']).toMatch(/accept-encoding/i);
    expect(decompress(reply.rawPayload).toString()).toBe(SCRIPT);
  });

  it.each([
    '/assets/app-older.js',
    '/assets/app-1a2b3c.js.br',
    '/assets/',
    '/assets',
    '/assets/nothing',
    '/favicon.ico',
    '/workbox-123.js',
    '/.secret',
    '/.env',
    '/..%2fpackage.json',
    '/api',
    '/api/v1/nothing',
    '/api/v1/100%',
    '//api/v1/nothing',
    '/docs/static/x',
  ])('never answers %s with the page', async (url) => {
    const reply = await open(url, SERVER_ADDRESS.test(url) ? PERSON : MODULE);

    expect(reply.statusCode).toBeGreaterThanOrEqual(400);
    expect(reply.statusCode).toBeLessThan(500);
    expect(reply.json()).toMatchObject({ detail: expect.any(String) });
    expect(reply.headers['cache-control']).not.toBe(PAGE_FOREVER);
  });

  it.each(Object.entries({ SCRIPT_TAG, MODULE, CALL, PICTURE, PICTURE_HTTP, STYLE_HTTP }))(
    'answers 404 to a %s that asks for a missing file, wherever it is',
    async (_, headers) => {
      for (const url of ['/workbox-123.js', '/logo.png', '/events/x%40example.com', '/events/42', '/login']) {
        const reply = await open(url, headers);
        expect([url, reply.statusCode, reply.json()]).toMatchObject([
          url,
          404,
          { detail: expect.any(String) },
        ]);
      }
    },
  );

  it('answers a doubled slash with 404, to anyone, and never as the call without it', async () => {
    const { access_token } = await test.signIn(await test.addUser());
    const bearer = { authorization: `Bearer ${access_token}` };
    for (const url of [
      '//api/v1/feeds',
      '///api/v1/nothing',
      '/api//v1/feeds',
      '/%2fapi/v1/feeds',
      '//f/secret.ics',
    ])
      for (const headers of [ANYTHING, PERSON, CALL, bearer]) {
        const reply = await open(url, { ...headers });
        expect([url, reply.statusCode, reply.json()]).toMatchObject([
          url,
          404,
          { detail: `GET ${url} does not exist` },
        ]);
      }
  });

  it('gives a program that accepts anything the existing pages, and no others', async () => {
    for (const url of ['/login', '/events/x%40example.com', '/disruptions?display=wall']) {
      expect((await open(url, ANYTHING)).body).toBe(PAGE);
      expect((await open(url)).body).toBe(PAGE);
    }
    for (const url of ['/workbox-123.js', '/no/such/page']) {
      expect((await open(url, ANYTHING)).statusCode).toBe(404);
    }
  });

  it('tells caches what the answer depends on', async () => {
    const { vary } = (await open('/login', { ...PERSON, 'accept-encoding': 'br' })).headers;
    expect(String(vary).toLowerCase()).toContain('sec-fetch-mode');
    expect(String(vary).toLowerCase()).toContain('accept,');
    expect(String((await open('/login', SCRIPT_TAG)).headers['vary']).toLowerCase()).toContain(
      'sec-fetch-mode',
    );
  });

  it('answers a HEAD like a GET, and nothing else', async () => {
    const head = await test.app.inject({ method: 'HEAD', url: '/login' });

    expect(head.statusCode).toBe(200);
    expect(head.body).toBe('');
    expect((await test.app.inject({ method: 'POST', url: '/login' })).statusCode).toBe(404);
  });
});

describe('an app that was never built', () => {
  beforeAll(async () => (test = await openTestApp({ dist: join(dist, 'nothing') })));
  afterAll(() => test.close());

  it('says so, with the way out, while the API works', async () => {
    const reply = await open('/disruptions', PERSON);

    expect(reply.statusCode).toBe(503);
    expect(reply.json().detail).toContain('npm run build');
    expect((await open('/readyz')).statusCode).toBe(200);
    expect(test.logged()).toContain('The app is not built');
  });
});
