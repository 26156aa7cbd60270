/** Limits for strangers: how many connections a network may hold open, and how long a request may take to arrive. */
import type { Server, ServerOptions, IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { networkOf } from '../../accounts/passwords/loginLimits.ts';
import { tooMany } from '../../refusals.ts';
import type { Socket } from 'node:net';
import type { Refusal } from '#contract/errors.ts';

/** Enough for an office of 60 boards and 100 desks, where each browser keeps six connections. */
export const PER_NETWORK = 1000;

/** Connections that the system holds until they are accepted: room for others beside one network that opens all of its own
 *  at once. A connection beyond these is not answered, and its client tries again after a second. */
export const BACKLOG = 4 * PER_NETWORK;

export const CONNECTION_OPTIONS: ServerOptions = {
  /** How often Node looks for requests that took too long to arrive. */
  connectionsCheckingInterval: 5000,
  /** Our own check answers in words, see requestOrigin.ts. */
  requireHostHeader: false,
};

/** Closes a connection of a network that has `max` already, before anything is read from it. */
export function boundConnections(server: Pick<Server, 'on'>, max = PER_NETWORK): void {
  const enter = places(max);
  server.on('connection', (socket) => {
    const leave = enter(socket.remoteAddress);
    if (leave) socket.once('close', leave);
    else socket.destroy();
  });
}

/** The same limit for a service behind a proxy, whose connections carry everybody's requests: at most `max` requests
 *  of one network are under way at once. The network is known from the address that the proxy names. A further
 *  request is refused before its body is read. */
export function boundRequests(app: FastifyInstance, max = PER_NETWORK): void {
  const enter = places(max);
  app.addHook('onRequest', async (request, reply) => {
    const leave = enter(request.ip);
    if (!leave) throw tooMany(TOO_MANY, 5);
    reply.raw.once('close', leave);
  });
}

const TOO_MANY = 'Too many requests of your network are under way. Try again in a moment.';

/** Gives each address one of `max` places. Returns the function that frees the place; null when all are taken. */
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

// One request of each connection at a time. A client may send hundreds of requests without waiting for an answer.
// Node would start them all in one step, which delays everybody else, and would keep all their answers in memory.

/** How many requests of a connection may wait. Browsers send none before the last is answered. */
export const WAITING_MAX = 32;

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

const REFUSAL: Refusal = {
  detail: `More than ${WAITING_MAX} requests wait on this connection. Wait for answers before you send more.`,
};

/** When more requests wait than allowed, the connection is refused: the requests after that are not answered. */
export function oneAtATime(handle: Handler): Handler {
  const waiting = new WeakMap<Socket, number>();

  return (request, response) => {
    // Node gives a response its connection only when all responses before it were sent.
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
      // Without this break, all waiting requests would still run in one step.
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
