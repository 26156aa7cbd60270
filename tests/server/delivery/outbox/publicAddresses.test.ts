import dns from 'node:dns';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { NotAllowed, outgoing, retryAfter } from '../../../../server/delivery/outbox/publicAddresses.ts';

const tls = (name: string) => readFileSync(new URL(`../../../fixtures/tls/${name}`, import.meta.url), 'utf8');

let server: Server;
let host: string;
const asked: string[] = [];

beforeAll(async () => {
  server = createServer({ cert: tls('localhost.crt'), key: tls('localhost.key') }, (request, reply) => {
    asked.push(`${request.method} ${request.url}`);
    if (request.url === '/moved') reply.writeHead(302, { location: `https://${host}/inside` }).end();
    else if (request.url === '/long') reply.end('x'.repeat(5_000_000));
    else if (request.url === '/endless') reply.writeHead(201).write('so far');
    else if (request.url === '/torn') reply.writeHead(201).write('so far', () => request.destroy());
    else if (request.url !== '/silence') reply.writeHead(429, { 'retry-after': '7' }).end('later');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  host = `localhost:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const body = { headers: {}, body: '{}' };

describe('the client for addresses that users give', () => {
  it('reaches no address inside a network, by any name or number', async () => {
    const client = outgoing({ ca: tls('localhost.crt'), timeoutMs: 2000 });
    for (const name of [
      host,
      host.replace('localhost', '127.0.0.1'),
      host.replace('localhost', '2130706433'),
      host.replace('localhost', '0x7f.1'),
      host.replace('localhost', '0.0.0.0'),
      host.replace('localhost', '[::1]'),
      host.replace('localhost', '[::ffff:127.0.0.1]'),
      '10.0.0.1',
      '169.254.169.254',
      '192.168.1.1',
      '172.16.0.1',
      '100.64.0.1',
      '224.0.0.1',
      '[fd00::1]',
      '[fe80::1]',
    ])
      await expect(client.post(`https://${name}/hook`, body), name).rejects.toThrow(NotAllowed);
    expect(asked).toEqual([]);
    client.close();
  });

  it('calls https alone', async () => {
    const client = outgoing({ allow: [host] });
    for (const url of [`http://${host}/`, 'file:///etc/passwd', `https://user:word@${host}/`, 'no address'])
      await expect(client.post(url, body), url).rejects.toThrow(NotAllowed);
    client.close();
  });

  it('calls the hosts that the operator allows, and follows no redirect', async () => {
    const client = outgoing({ allow: [host], ca: tls('localhost.crt') });
    expect(await client.post(`https://${host}/hook`, body)).toEqual({
      status: 429,
      retryAfterMs: 7000,
      text: 'later',
    });
    expect((await client.post(`https://${host}/moved`, body)).status).toBe(302);
    expect(asked).not.toContain('POST /inside');
    expect((await client.post(`https://${host}/long`, body)).text).toHaveLength(16 * 1024);
    client.close();
  });

  it('calls what lies in the ranges that the operator allows, and nothing else inside', async () => {
    const ca = tls('localhost.crt');
    const client = outgoing({ allow: ['127.0.0.0/8', '::1/128'], ca, timeoutMs: 5000 });
    expect((await client.post(`https://${host}/hook`, body)).status).toBe(429);
    // One of its addresses is not in the ranges.
    const half = outgoing({ allow: ['::2/128', '10.0.0.0/8'], ca, timeoutMs: 5000 });
    for (const [asking, name] of [
      [client, '10.0.0.1'],
      [client, '169.254.169.254'],
      [client, '[fd00::1]'],
      [half, host],
      [half, host.replace('localhost', '127.0.0.1')],
    ] as const)
      await expect(asking.post(`https://${name}/hook`, body), name).rejects.toThrow(NotAllowed);
    client.close();
    half.close();
  });

  it('looks again when it connects: a name of an allowed range may lead elsewhere by then', async () => {
    const client = outgoing({ allow: ['10.0.0.0/8'], ca: tls('localhost.crt'), timeoutMs: 5000 });
    const first = vi
      .spyOn(dns.promises, 'lookup')
      .mockResolvedValue([{ address: '10.0.0.1', family: 4 }] as never);
    await expect(client.post(`https://${host}/hook`, body)).rejects.toThrow(NotAllowed);
    expect(first).toHaveBeenCalledOnce();
    first.mockRestore();
    client.close();
  });

  it('waits for nobody for ever, and trusts no certificate that it does not know', async () => {
    const client = outgoing({ allow: [host], ca: tls('localhost.crt'), timeoutMs: 50 });
    await expect(client.post(`https://${host}/silence`, body)).rejects.toThrow('aborted');
    client.close();
    const stranger = outgoing({ allow: [host] });
    await expect(stranger.post(`https://${host}/hook`, body)).rejects.toThrow('self-signed');
    stranger.close();
  });

  it('takes the status of an answer that never ends, or is torn', async () => {
    const client = outgoing({ allow: [host], ca: tls('localhost.crt'), timeoutMs: 2000 });
    for (const path of ['/endless', '/torn'])
      expect(await client.post(`https://${host}${path}`, body), path).toMatchObject({ status: 201 });
    client.close();
  });

  it('reads Retry-After as seconds or as a date', () => {
    const now = Date.parse('2026-11-21T08:12:00Z');
    expect(retryAfter('120', now)).toBe(120_000);
    expect(retryAfter('Sat, 21 Nov 2026 08:14:00 GMT', now)).toBe(120_000);
    expect(retryAfter('Sat, 21 Nov 2026 08:00:00 GMT', now)).toBe(0);
    expect([retryAfter('soon', now), retryAfter(undefined, now)]).toEqual([null, null]);
  });
});
