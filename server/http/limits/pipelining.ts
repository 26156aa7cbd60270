/**
 * One request of each connection at a time. A client may send hundreds without waiting for an answer; Node would begin
 * them all in one piece of work, for which everybody else waits, and keep all their answers in memory.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Refusal } from '#contract/errors.ts';

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
      setImmediate(() => {
        if (!socket.destroyed) handle(request, response);
      });
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
