/** A program that reads a stream of the app, which listens on loopback for it. */
import { once } from 'node:events';
import { type ClientRequest, get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createParser, type EventSourceMessage } from 'eventsource-parser';
import type { FastifyInstance } from 'fastify';
import { vi } from 'vitest';

export interface Reading {
  status: number;
  headers: IncomingMessage['headers'];
  events: (EventSourceMessage & { json: Record<string, unknown> })[];
  /** Waits until this many events of that name have arrived. */
  until(name: string, times?: number): Promise<Reading['events'][number]>;
  /** Takes nothing more, without closing. */
  pause(): void;
  isOver(): boolean;
  close(): void;
}

export async function listen(app: FastifyInstance): Promise<string> {
  await app.listen({ host: '127.0.0.1', port: 0 });
  return `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
}

export async function readStream(
  url: string,
  { token, last }: { token?: string | undefined; last?: string | number } = {},
): Promise<Reading> {
  const request: ClientRequest = get(url, {
    agent: false,
    headers: {
      accept: 'text/event-stream',
      ...(token && { authorization: `Bearer ${token}` }),
      ...(last !== undefined && { 'last-event-id': String(last) }),
    },
  });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  let over = false;
  const events: Reading['events'] = [];
  const parser = createParser({
    onEvent: (event) => events.push({ ...event, json: JSON.parse(event.data) as Record<string, unknown> }),
  });
  response.setEncoding('utf8');
  response.on('data', (text: string) => parser.feed(text));
  response.on('close', () => (over = true));
  response.on('error', () => (over = true));
  return {
    status: response.statusCode!,
    headers: response.headers,
    events,
    async until(name, times = 1) {
      const found = () => events.filter(({ event }) => event === name);
      await vi.waitUntil(() => found().length >= times, { timeout: 10_000, interval: 10 });
      return found()[times - 1]!;
    },
    pause: () => void response.pause(),
    isOver: () => over,
    close: () => void request.destroy(),
  };
}
