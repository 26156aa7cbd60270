/** A record of every answered request, from both paths. The log, the usage and the figures are made from it. */
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import type { Caller } from '../../accounts/guard.ts';

export interface Answered {
  method: string;
  url: string;
  /** The route's pattern; undefined for an address that has none. */
  route: string | undefined;
  status: number;
  /** From the request's arrival until the answer was sent. */
  ms: number;
  address: string;
  caller: Caller | null;
  log: FastifyBaseLogger;
  /** Only when `log` does not hold the id itself. */
  reqId?: string;
}

type Listener = (one: Answered) => void;

declare module 'fastify' {
  interface FastifyInstance {
    /** Calls the listener after each answer. */
    onAnswered(listener: Listener): void;
    /** Called by code that answers in front of the framework. */
    noteAnswered: Listener;
  }
}

/** Prepares this app, and everything registered in it. */
export function noteAnswers(app: FastifyInstance): void {
  const listeners: Listener[] = [];
  const note: Listener = (one) => {
    for (const listener of listeners) listener(one);
  };
  app.decorate('onAnswered', (listener) => void listeners.push(listener));
  app.decorate('noteAnswered', note);
  app.addHook('onResponse', async ({ method, url, routeOptions, ip, caller, log }, reply) => {
    const { statusCode: status, elapsedTime: ms } = reply;
    note({ method, url, route: routeOptions.url, status, ms, address: ip, caller, log });
  });
}
