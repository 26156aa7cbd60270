import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createServer, type Server } from 'node:http';
import fastify, { type FastifyInstance } from 'fastify';
import { boundConnections, boundRequests } from '../../../../server/http/limits/connections.ts';
import { openTestApp, type TestApp } from '../../app/testApp.ts';

const portOf = (server: { address(): unknown }) => (server.address() as AddressInfo).port;

describe('connections of one network', () => {
  let server: Server;
  let sockets: Socket[];
  beforeEach(async () => {
    sockets = [];
    server = createServer((_request, response) => response.end('well'));
    boundConnections(server, 2);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterEach(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  /** Whether the connection is answered. */
  const ask = (localAddress: string) =>
    new Promise<boolean>((resolve) => {
      const socket = connect({ port: portOf(server), host: '127.0.0.1', localAddress });
      sockets.push(socket);
      socket.on('data', () => resolve(true)).on('error', () => resolve(false));
      socket.on('close', () => resolve(false));
      socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    });

  it('are bounded; another network has its own bound, and a closed one frees its place', async () => {
    expect([await ask('127.0.0.1'), await ask('127.0.0.1'), await ask('127.0.0.1')]).toEqual([
      true,
      true,
      false,
    ]);
    expect(await ask('127.0.0.2')).toBe(true);
    sockets[0]!.destroy();
    await expect.poll(() => ask('127.0.0.1')).toBe(true);
    // It takes one place of its own network only.
    expect(await ask('127.0.0.1')).toBe(false);
  });
});

describe('requests of one network behind a proxy', () => {
  let app: FastifyInstance;
  const sockets: Socket[] = [];
  beforeEach(async () => {
    app = fastify({ trustProxy: '127.0.0.1' });
    boundRequests(app, 2);
    app.post('/', async () => 'well');
    await app.listen({ host: '127.0.0.1', port: 0 });
  });
  afterEach(async () => {
    for (const socket of sockets) socket.destroy();
    await app.close();
  });
  /** The status of an answer; null while there is no answer because the body has not arrived. */
  const post = async (forwarded: string, { isWhole }: { isWhole: boolean }) => {
    const socket = connect({ port: portOf(app.server), host: '127.0.0.1' });
    sockets.push(socket);
    const began = once(app.server, 'request');
    let answer = '';
    socket.setEncoding('utf8').on('data', (part: string) => (answer += part));
    socket.write(
      `POST / HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: ${forwarded}\r\nContent-Type: text/plain\r\nContent-Length: 4\r\n\r\n${isWhole ? 'four' : 'f'}`,
    );
    await began;
    if (isWhole) await expect.poll(() => answer).not.toBe('');
    return { socket, status: () => answer.split(' ')[1] ?? null };
  };

  it('are bounded by the address that the proxy names', async () => {
    const first = await post('203.0.113.1', { isWhole: false });
    await post('203.0.113.1', { isWhole: false });
    expect((await post('203.0.113.1', { isWhole: true })).status()).toBe('429');
    expect((await post('203.0.113.2', { isWhole: true })).status()).toBe('200');
    // A refused call does not wait for its body.
    const refused = await post('203.0.113.1', { isWhole: false });
    await expect.poll(() => refused.status()).toBe('429');
    first.socket.destroy();
    await expect.poll(async () => (await post('203.0.113.1', { isWhole: true })).status()).toBe('200');
    // A request that has been answered has freed its place.
    expect((await post('203.0.113.1', { isWhole: true })).status()).toBe('200');
  });
});

describe('a body that never ends', () => {
  let test: TestApp;
  let socket: Socket | undefined;
  beforeEach(async () => {
    test = await openTestApp();
    await test.app.listen({ host: '127.0.0.1', port: 0 });
  });
  afterEach(async () => {
    socket?.destroy();
    await test.close();
  });

  it('is dropped within seconds with its connection, even if its sender keeps the other end open', async () => {
    const { server } = test.app;
    expect([server.requestTimeout, server.headersTimeout]).toEqual([30_000, 30_000]);
    Object.assign(server, { requestTimeout: 1, headersTimeout: 1 });
    socket = connect({ port: portOf(test.app.server), host: '127.0.0.1', allowHalfOpen: true });
    let answer = '';
    socket.setEncoding('utf8').on('data', (part: string) => (answer += part));
    socket.on('error', () => {});
    socket.write(
      'POST /api/v1/auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 4000\r\n\r\n{',
    );
    const connections = () =>
      new Promise<number>((resolve) => test.app.server.getConnections((_error, count) => resolve(count)));
    await expect.poll(connections).toBe(1);
    await expect.poll(connections, { timeout: 14_000 }).toBe(0);
    expect(answer).toMatch(/^HTTP\/1.1 408 /);
  }, 20_000);
});
