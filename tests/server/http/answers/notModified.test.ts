import type { AddressInfo } from 'node:net';
import { connect } from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openTestApp, type TestApp } from '../../app/testApp.ts';
import { COLLECTORS, poll, record } from '../../feedsWorld.ts';

let test: TestApp;
let token: string;

beforeEach(async () => {
  test = await openTestApp({ collectors: COLLECTORS });
  await test.addUser();
  token = (await test.signIn()).access_token;
  await poll(test.db, 'tfl', [record('tfl:1')], test.now());
});
afterEach(() => test.close());

/** Every answer that the worker keeps: sw/cachePolicy.ts. */
const KEPT = [
  'feeds/?include_events=true',
  'feeds/rail-network',
  'feeds/rail-network/summary',
  'feeds/rail-network/events',
  'disruptions/',
  'disruptions/?north=54&south=53&east=-1&west=-2&limit=200',
  'disruptions/sources',
  'disruptions/sources/tfl?limit=12',
  'events/viewport?north=54&south=53&east=-1&west=-2',
  'events/categories',
  'geocode/search?query=leeds&limit=5',
];

const ask = (path: string, etag?: string) =>
  test.app.inject({
    url: `/api/v1/${path}`,
    headers: { authorization: `Bearer ${token}`, ...(etag && { 'if-none-match': etag }) },
  });

it('answers with an ETag, and 304 to a caller that has it', async () => {
  for (const path of KEPT) {
    const first = await ask(path);
    expect(first.statusCode, first.body).toBe(200);
    const etag = String(first.headers['etag']);
    expect(etag, path).toMatch(/^"[\w-]+"$/);

    const again = await ask(path, etag);
    expect([again.statusCode, again.body, again.headers['etag']], path).toEqual([304, '', etag]);
    expect(again.headers['cache-control'], path).toBe('no-store');
    expect((await ask(path, '"another"')).statusCode, path).toBe(200);
  }
});

it('sends the whole answer again when something has changed', async () => {
  const etag = String((await ask('disruptions/')).headers['etag']);
  await poll(test.db, 'tfl', [record('tfl:1'), record('tfl:2')], test.now());
  const after = await ask('disruptions/', etag);
  expect([after.statusCode, after.json().total]).toEqual([200, 2]);
});

it('never answers 304 to somebody who may not read it', async () => {
  const etag = String((await ask('disruptions/')).headers['etag']);
  token = 'none';
  expect((await ask('disruptions/', etag)).statusCode).toBe(401);
});

it('sends at most 300 bytes for an answer that has not changed, headers included', async () => {
  await test.app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = test.app.server.address() as AddressInfo;
  for (const path of KEPT) {
    const etag = String((await ask(path)).headers['etag']);
    const sent = await bytesOf(port, path, etag);
    expect(sent, path).toMatch(/^HTTP\/1.1 304 /);
    expect(sent.length, sent).toBeLessThanOrEqual(300);
  }
});

/** Everything that comes back on a connection that stays open, as a browser's does. */
function bytesOf(port: number, path: string, etag: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () =>
      socket.write(
        [
          `GET /api/v1/${path} HTTP/1.1`,
          'Host: 127.0.0.1',
          'Connection: keep-alive',
          `Authorization: Bearer ${token}`,
          `If-None-Match: ${etag}`,
          '\r\n',
        ].join('\r\n'),
      ),
    );
    let came = '';
    socket.setEncoding('latin1').on('data', (text: string) => {
      came += text;
      if (!came.includes('\r\n\r\n')) return;
      socket.destroy();
      resolve(came);
    });
    socket.once('error', reject);
  });
}
