/** Limits of what strangers hold open: how many connections a network has, and how long a request may take to arrive. */
import type { Server, ServerOptions, IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { networkOf } from '../../accounts/passwords/loginLimits.ts';
import { tooMany } from '../../refusals.ts';
import type { Socket } from 'node:net';
import type { Refusal } from '#contract/errors.ts';

/** An office of 60 boards and 100 desks, where each browser keeps six. */
export const PER_NETWORK = 1000;

/** Connections that the system holds until they are accepted: room for others beside one network that opens all of its own
 *  at once. Another waits a second before it knocks again. */
export const BACKLOG = 4 * PER_NETWORK;

export const CONNECTION_OPTIONS: ServerOptions = {
  /** How often Node looks for requests that took too long to arrive. */
  connectionsCheckingInterval: 5000,
  /** Ours is answered in words, see requestOrigin.ts. */
  requireHostHeader: false,
};

/** Closes a connection beyond `max` from one network before anything of it is read. */
export function boundConnections(server: Pick<Server, 'on'>, max = PER_NETWORK): void {
  const enter = places(max);
  server.on('connection', (socket) => {
    const leave = enter(socket.remoteAddress);
    if (leave) socket.once('close', leave);
    else socket.destroy();
  });
}

/** The same behind a proxy, whose connections are everybody's: of one network so many requests are in hand, by the address
 *  that the proxy names. The next is refused before its body is read. */
export function boundRequests(app: FastifyInstance, max = PER_NETWORK): void {
  const enter = places(max);
  app.addHook('onRequest', async (request, reply) => {
    const leave = enter(request.ip);
    if (!leave) throw tooMany(TOO_MANY, 5);
    reply.raw.once('close', leave);
  });
}

const TOO_MANY = 'Too many requests of your network are under way. Try again in a moment.';

/** A place of `max` for whoever has this address, and how it is left; null: all are taken. */
function places(max: number): (address: string | undefined) => (() => void) | null {
  const open = new Map<string, number>();
  return (address = '') => {
    const network = networkOf(address);
    const count = (open.get(network) ?? 0) + 1;
    if (count > max) return null;
    open.set(network, count);
    return () => {
      const left = open.get(network)! - 1;
      if (left > 0) open.set(network, left);
      else open.delete(network);
    };
  };
}

// One request of each connection at a time. A client may send hundreds without waiting for an answer; Node would begin
// them all in one piece of work, for which everybody else waits, and keep all their answers in memory.

/** Browsers send none ahead. */
export const WAITING_MAX = 32;

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

const REFUSAL: Refusal = {
  detail: `More than ${WAITING_MAX} requests wait on this connection. Wait for answers before you send more.`,
};

/** Further requests than may wait are refused with the connection: what follows them on it is not answered. */
export function oneAtATime(handle: Handler): Handler {
  const waiting = new WeakMap<Socket, number>();

  return (request, response) => {
    // Node gives a response its connection once those before it were sent.
    if (response.socket) return handle(request, response);

    const { socket } = request;
    const ahead = waiting.get(socket) ?? 0;
    if (ahead > WAITING_MAX) return;
    if (ahead === WAITING_MAX) {
      waiting.set(socket, Number.POSITIVE_INFINITY);
      return refuse(response);
    }
    waiting.set(socket, ahead + 1);
    response.once('socket', () => {
      waiting.set(socket, waiting.get(socket)! - 1);
      // At once, all that wait would still be one piece of work.
      setImmediate(() => handle(request, response));
    });
  };
}

function refuse(response: ServerResponse): void {
  const body = JSON.stringify(REFUSAL);
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'content-length': body.length,
    'retry-after': '1',
    connection: 'close',
  };
  response.writeHead(503, headers).end(body);
}
