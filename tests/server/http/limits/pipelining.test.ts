import { once } from 'node:events';
import { connect, type AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { WAITING_MAX } from '../../../../server/http/limits/connections.ts';
import { openTestApp, type TestApp } from '../../app/testApp.ts';

let test: TestApp;
let token: string;
let open = 0;
let mostOpen = 0;
let begun: number[] = [];

beforeAll(async () => {
  test = await openTestApp({
    routes: (app) => {
      app.addHook('onRequest', async ({ query }) => {
        mostOpen = Math.max(mostOpen, ++open);
        begun.push(Number((query as { limit?: string }).limit));
      });
      app.addHook('onResponse', async () => void open--);
    },
  });
  await test.app.listen({ port: 0, host: '127.0.0.1' });
  await test.addUser();
  token = (await test.signIn()).access_token;
});
afterAll(() => test.close());
beforeEach(() => {
  open = mostOpen = 0;
  begun = [];
});

/** Sends them in one piece, and `then` once all of these are answered. Returns everything that is answered until
 *  `isEnough`, or until the connection ends. */
async function answersTo(
  requests: string[],
  isEnough: (text: string) => boolean,
  then: string[] = [],
): Promise<string> {
  const { port } = test.app.server.address() as AddressInfo;
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  socket.write(requests.join(''));
  let text = '';
  let next = then;
  socket.on('error', () => {}); // it ends with requests unread
  socket.on('data', (bytes) => {
    text += String(bytes);
    if (isEnough(text)) socket.destroy();
    else if (statusesOf(text).length === requests.length) {
      socket.write(next.join(''));
      next = [];
    }
  });
  await new Promise((resolve) => socket.on('close', resolve));
  return text;
}

/** `of` differs for each test, because the same request would get the ready answer. */
const list = (of: string) => (limit: number) =>
  `GET /api/v1/disruptions?q=${of}&limit=${limit} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n\r\n`;
const numbers = (count: number) => Array.from({ length: count }, (_, at) => at + 1);
const statusesOf = (text: string) =>
  [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status));

describe('requests on one connection that wait for no answer', () => {
  it('are answered in their order, one at a time', async () => {
    const some = WAITING_MAX + 1;
    const text = await answersTo(
      numbers(some).map(list('order')),
      (text) => statusesOf(text).length === some,
    );
    expect(statusesOf(text)).toEqual(numbers(some).map(() => 200));
    expect(begun).toEqual(numbers(some));
    expect(mostOpen).toBe(1);
  });

  it('are refused, with their connection, beyond a number', async () => {
    const text = await answersTo(numbers(100).map(list('many')), () => false);
    expect(statusesOf(text)).toEqual([...numbers(WAITING_MAX + 1).map(() => 200), 503]);
    expect(text).toContain(
      '{"detail":"More than 32 requests wait on this connection. Wait for answers before you send more."}',
    );
    expect(begun).toEqual(numbers(WAITING_MAX + 1));
    expect(mostOpen).toBe(1);
  });

  it('no longer count once they are answered', async () => {
    const text = await answersTo(
      numbers(WAITING_MAX).map(list('first')),
      (text) => statusesOf(text).length === 2 * WAITING_MAX,
      numbers(WAITING_MAX).map(list('then')),
    );
    expect(statusesOf(text)).toEqual(numbers(2 * WAITING_MAX).map(() => 200));
  });

  it('are not begun once their connection has ended', async () => {
    await answersTo(numbers(20).map(list('ended')), (text) => statusesOf(text).length > 0);
    await expect.poll(() => open).toBe(0);
    expect(begun.length).toBeLessThan(20);
  });

  it('do not wait for those of other connections', async () => {
    const slow = answersTo(numbers(30).map(list('slow')), (text) => statusesOf(text).length === 30);
    const quick = answersTo([list('quick')(40)], (text) => statusesOf(text).length === 1);
    await Promise.all([slow, quick]);
    expect(begun.indexOf(40)).toBeLessThan(29);
  });
});
