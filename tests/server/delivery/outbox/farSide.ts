/** Receivers of messages, on loopback by https: a push service that decrypts, and ordinary addresses. */
import { createECDH, createPublicKey, randomBytes, verify } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import ece from 'http_ece';
import type { PushPayload } from '#contract/messages/messages.ts';

const tls = (name: string) => readFileSync(new URL(`../../../fixtures/tls/${name}`, import.meta.url), 'utf8');
export const CA = tls('localhost.crt');

export interface Arrived {
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
  /** Payload of a push, decrypted. */
  payload: PushPayload | null;
}

/** The answer to the next call; 'silence': none. */
export async function farSide() {
  const device = createECDH('prime256v1');
  device.generateKeys();
  const auth = randomBytes(16);
  const arrived: Arrived[] = [];
  const side = {
    answer: 201 as number | 'silence',
    retryAfter: null as string | null,
    location: null as string | null,
    /** A message that has this in it is refused with 503. */
    refused: null as string | null,
    /** Answers wait until `release`. */
    slow: null as string | null,
  };
  const held: (() => void)[] = [];
  let host = '';

  const server = createServer({ cert: CA, key: tls('localhost.key') }, (request, reply) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const bytes = Buffer.concat(parts);
      const isPush = request.url?.startsWith('/push') ?? false;
      if (isPush) checkVapid(request.headers.authorization ?? '', `https://${host}`);
      const plain = isPush
        ? ece.decrypt(bytes, {
            version: 'aes128gcm',
            privateKey: device,
            authSecret: auth.toString('base64url'),
          })
        : bytes;
      const body = plain.toString();
      arrived.push({
        path: request.url ?? '',
        headers: request.headers,
        body,
        payload: isPush ? (JSON.parse(body) as PushPayload) : null,
      });
      if (side.answer === 'silence') return;
      if (side.slow === request.url) return void held.push(() => reply.writeHead(201).end());
      if (side.location !== null) reply.setHeader('location', side.location);
      if (side.retryAfter !== null) reply.setHeader('retry-after', side.retryAfter);
      reply.writeHead(side.refused !== null && body.includes(side.refused) ? 503 : side.answer).end();
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  host = `localhost:${(server.address() as AddressInfo).port}`;

  return Object.assign(side, {
    host,
    arrived,
    subscription: {
      endpoint: `https://${host}/push/1`,
      keys: { p256dh: device.getPublicKey('base64url'), auth: auth.toString('base64url') },
    },
    release() {
      side.slow = null;
      for (const answer of held) answer();
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  });
}

/** Checks what a push service checks (RFC 8292): the token is signed by the key that it names, is for this service,
 *  and is valid for only a short time. */
function checkVapid(authorization: string, audience: string): void {
  const [, token = '', key = ''] = /^vapid t=([\w.-]+), k=([\w-]+)$/.exec(authorization) ?? [];
  const [head = '', claims = '', signature = ''] = token.split('.');
  const point = Buffer.from(key, 'base64url');
  const publicKey = createPublicKey({
    format: 'jwk',
    key: {
      kty: 'EC',
      crv: 'P-256',
      x: point.subarray(1, 33).toString('base64url'),
      y: point.subarray(33).toString('base64url'),
    },
  });
  const isSigned = verify(
    'sha256',
    Buffer.from(`${head}.${claims}`),
    { key: publicKey, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  );
  const said = JSON.parse(Buffer.from(claims, 'base64url').toString()) as {
    aud: string;
    exp: number;
    sub: string;
  };
  const hours = (said.exp - Date.now() / 1000) / 3600;
  if (!isSigned || said.aud !== audience || hours > 24 || hours < 0 || !said.sub.startsWith('mailto:'))
    throw new Error(`Not a VAPID token for ${audience}: ${authorization}`);
}
