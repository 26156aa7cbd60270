/** A bad network between a tablet and its server: a loopback proxy whose faults can be switched while it runs. */
import {
  Agent,
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request,
  type ServerResponse,
} from 'node:http';
import type { Socket } from 'node:net';
import { freePort } from './server.ts';

export type Fault =
  | 'pass'
  /** The proxy accepts and never answers; the end of the fault breaks the connection. */
  | 'hang'
  /** The same as `hang`, but open connections stay silent for ever, even after the fault has ended, as when an
   *  access point forgets its connections. */
  | 'silent'
  /** A proxy whose server is down. */
  | 'status503'
  /** A captive portal's page, with status 200. */
  | 'html200'
  /** Half of the answer, then a proper end. */
  | 'cutJson'
  /** Half of the answer, then the connection breaks. */
  | 'cutReset'
  /** The connection breaks before any answer. */
  | 'refused'
  /** The whole answer after SLOW_MS, longer than the worker waits. */
  | 'slow';

/** The worker gives up after 3 s, the page after 15 s. */
export const SLOW_MS = 4500;

const PORTAL = '<!doctype html><title>Hotel Wi-Fi</title><h1>Welcome. Accept the terms to go on.</h1>';

export interface FaultProxy {
  readonly origin: string;
  /** The fault from now on, also for requests that hang. `reach`: the API only, or everything. */
  set(fault: Fault, reach?: 'api' | 'everything'): void;
  /** Changes the text that the server has at `path`, for example to a later build of the app. */
  replace(path: string, change: (text: string) => string): void;
  /** Ends all replacements. */
  replaceNothing(): void;
  /** Resolves when every request that has arrived is answered or aborted. The browser's own look for a worker is
   *  left out: on a forgotten connection it has no end. */
  settled(): Promise<void>;
  /** The paths of all requests that have arrived on living connections. */
  readonly heard: string[];
  /** Requests that arrived on forgotten connections, and when the browser gave each up; null: it has not. */
  readonly forgotten: { path: string; at: number; endedAt: number | null }[];
  close(): Promise<void>;
}

/** Files whose name says their content. */
const HASHED = /^\/assets\//;

/** A proxy before the server at `target`, an origin. At first it forwards everything. While the server `isUp`, it
 *  asks only once for a file named after its content, because each browser context asks for all of the app again. */
export async function startFaultProxy(target: string, isUp: () => boolean): Promise<FaultProxy> {
  const { hostname, port: targetPort } = new URL(target);
  const agent = new Agent({ keepAlive: true }); // a worker that installs the app asks for 150 files
  const files = new Map<string, { headers: IncomingHttpHeaders; body: Buffer }>();
  const sockets = new Set<Socket>();
  const hanging = new Set<Socket>();
  /** Connections that were forgotten. */
  const dead = new WeakSet<Socket>();
  const heard: string[] = [];
  const forgotten: FaultProxy['forgotten'] = [];
  const replaced = new Map<string, (text: string) => string>();
  const underWay = new Map<Promise<void>, IncomingMessage>();
  const isEndless = ({ url, socket }: IncomingMessage) => url === '/sw.js' && dead.has(socket);
  let fault: Fault = 'pass';
  let reach: 'api' | 'everything' = 'everything';

  /** Asks the server. `whole` requests the complete answer, uncompressed and never a 304. */
  const ask = (from: IncomingMessage, whole: boolean) =>
    new Promise<IncomingMessage>((resolve, reject) => {
      const headers = { ...from.headers };
      if (whole) {
        headers['accept-encoding'] = 'identity';
        delete headers['if-none-match'];
        delete headers['if-modified-since'];
      }
      const { method, url: path } = from;
      const onward = request({ hostname, port: targetPort, method, path, headers, agent }, resolve);
      onward.once('error', reject);
      from.pipe(onward);
    });

  const pass = async (from: IncomingMessage, to: ServerResponse) => {
    const file = `${from.headers['accept-encoding']} ${from.url}`;
    const had = isUp() ? files.get(file) : undefined;
    if (had) return void to.writeHead(200, had.headers).end(had.body);

    const answer = await ask(from, false);
    to.writeHead(answer.statusCode!, answer.headers);
    answer.once('error', () => to.destroy()).pipe(to);
    if (answer.statusCode !== 200 || !HASHED.test(from.url!)) return;
    const parts: Buffer[] = [];
    answer.on('data', (part: Buffer) => parts.push(part));
    answer.once('end', () => files.set(file, { headers: answer.headers, body: Buffer.concat(parts) }));
  };

  const changed = async (from: IncomingMessage, to: ServerResponse, change: (text: string) => string) => {
    const answer = await ask(from, true);
    const body = change(Buffer.concat(await answer.toArray()).toString());
    const {
      'transfer-encoding': _chunks,
      etag: _etag,
      'last-modified': _modified,
      ...headers
    } = answer.headers;
    to.writeHead(answer.statusCode!, { ...headers, 'content-length': Buffer.byteLength(body) }).end(body);
  };

  const half = async (from: IncomingMessage, to: ServerResponse, end: 'properly' | 'broken') => {
    const answer = await ask(from, true);
    const body = Buffer.concat(await answer.toArray());
    const {
      'content-length': _whole,
      'transfer-encoding': _chunks,
      etag: _etag,
      ...headers
    } = answer.headers;
    const firstHalf = body.subarray(0, Math.floor(body.length / 2));
    to.writeHead(
      answer.statusCode!,
      end === 'properly' ? headers : { ...headers, 'content-length': body.length },
    );
    if (end === 'properly') to.end(firstHalf);
    else to.write(firstHalf, () => to.destroy());
  };

  const forget = (from: IncomingMessage) => {
    const one: FaultProxy['forgotten'][number] = { path: from.url!, at: Date.now(), endedAt: null };
    forgotten.push(one);
    from.socket.once('close', () => (one.endedAt = Date.now()));
  };

  const answer = async (from: IncomingMessage, to: ServerResponse) => {
    if (dead.has(from.socket)) return forget(from);
    heard.push(from.url!);
    const hit = reach === 'everything' || from.url!.startsWith('/api/');
    switch (hit ? fault : 'pass') {
      case 'pass': {
        const change = replaced.get(from.url!.split('?')[0]!);
        return change ? changed(from, to, change) : pass(from, to);
      }
      case 'hang':
        hanging.add(from.socket);
        return;
      case 'silent':
        dead.add(from.socket);
        return forget(from);
      case 'status503':
        to.writeHead(503, { 'content-type': 'text/plain' }).end('Service Unavailable');
        return;
      case 'html200':
        to.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(PORTAL);
        return;
      case 'cutJson':
        return half(from, to, 'properly');
      case 'cutReset':
        return half(from, to, 'broken');
      case 'refused':
        from.socket.destroy();
        return;
      case 'slow':
        await new Promise((resolve) => setTimeout(resolve, SLOW_MS));
        return pass(from, to);
    }
  };

  const proxy = createServer((from, to) => {
    const closed = new Promise<void>((resolve) => to.once('close', resolve));
    underWay.set(closed, from);
    void closed.then(() => underWay.delete(closed));
    // The server itself is down: the browser sees a broken connection.
    answer(from, to).catch(() => from.socket.destroy());
  });
  // A forgotten connection never breaks, even when nothing is asked on it.
  proxy.keepAliveTimeout = 0;
  proxy.headersTimeout = 0;
  proxy.requestTimeout = 0;
  proxy.on('connection', (socket) => {
    sockets.add(socket);
    if (fault === 'silent') dead.add(socket);
    socket.once('close', () => {
      sockets.delete(socket);
      hanging.delete(socket);
    });
  });
  const port = await freePort();
  await new Promise<void>((resolve) => proxy.listen(port, '127.0.0.1', resolve));

  return {
    origin: `http://127.0.0.1:${port}`,
    set(next, nextReach = 'everything') {
      fault = next;
      reach = nextReach;
      if (fault === 'silent') for (const socket of sockets) dead.add(socket);
      if (fault !== 'hang') for (const socket of hanging) socket.destroy();
    },
    replace: (path, change) => void replaced.set(path, change),
    replaceNothing: () => replaced.clear(),
    heard,
    forgotten,
    async settled() {
      for (;;) {
        const waiting = [...underWay].filter(([, from]) => !isEndless(from));
        if (waiting.length === 0) return;
        await Promise.all(waiting.map(([closed]) => closed));
      }
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => proxy.close(resolve));
    },
  };
}
