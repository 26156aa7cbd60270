import Fastify from 'fastify';
import { expect, it } from 'vitest';
import { boundCalls, hasMore } from '../../../../server/http/calls/costs.ts';

const list = (length: number) => Array.from({ length }, (_, at) => at);

it.each([
  ['nothing', undefined, 0],
  ['one word', 'M62', 0],
  ['a list', list(200), 200],
  ['an object', Object.fromEntries(list(200).map((at) => [`a${at}`, at])), 200],
  ['lists in a list', [list(98), list(100)], 200],
  ['lists in objects in a list', [{ a: list(97) }, { b: list(99) }], 200],
  ['nulls', list(200).map(() => null), 200],
])('counts %s: as many as there are may be there, and no fewer', (_, body, values) => {
  expect(hasMore(body, values)).toBe(false);
  if (values > 0) expect(hasMore(body, values - 1)).toBe(true);
});

it('refuses a body that holds more values than its call may cost, before its own checks', async () => {
  const app = Fastify();
  boundCalls(app);
  const checked: number[] = [];
  const config = { who: 'anyone' } as const; // without `costs`: it may cost little
  const preValidation = async ({ body }: { body?: unknown }) => void checked.push((body as number[]).length);
  app.post('/api/v1/list', { config, preValidation }, async () => 'well');
  const post = async (length: number) => {
    const reply = await app.inject({ method: 'POST', url: '/api/v1/list', payload: list(length) });
    return reply.body.replace(/.*"message":"(.*?)".*/, '$1');
  };
  expect([await post(200), await post(201)]).toEqual(['well', 'This body holds more than 200 values.']);
  expect(checked).toEqual([200]);
  await app.close();
});
