/** Parameters in the address of a call. If an unknown one were accepted, a filter would be left out in silence. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { z } from 'zod';
import type { Refusal } from '#contract/errors.ts';
import { openWorld, type Caller, type World } from '../../callers.ts';

/** The body of each call that changes something, by its address. */
const changes = new Map<string, z.ZodType>();
let world: World;
beforeAll(async () => {
  world = await openWorld({
    routes: (app) => {
      app.addHook('onRoute', ({ method, url, schema }) => {
        if (method === 'PATCH') changes.set(url, schema!.body as z.ZodType); // every change has a body
      });
    },
  });
});
afterAll(() => world.close());

const WHO: Readonly<Record<string, Caller>> = {
  'For administrators only.': 'Administrator',
  'For paired displays only.': 'Display',
};

/** Values for parameters that ask for a certain form; every other one takes any value. */
const LOOKS: Readonly<Record<string, string>> = {
  number: '12345',
  ext: 'csv',
  screen: 'board',
  at: '2026-11-27T06:00:00Z',
};

it('fills in no field that a change leaves out', () => {
  expect(changes.size).toBeGreaterThan(10);
  for (const [call, body] of changes) expect([call, body.safeParse({}).data ?? {}]).toEqual([call, {}]);
});

describe('a parameter that a call does not know', () => {
  it('is 422 on every call of the API, and named', async () => {
    const calls = (await world.operations()).filter(([call]) => call.includes('/api/'));
    expect(calls.length).toBeGreaterThan(30);
    for (const [call, { description, parameters = [], requestBody, responses }] of calls) {
      const [method, path] = call.split(' ', 2) as ['GET', string];
      const who = Object.entries(WHO).find(([text]) => description.includes(text))?.[1] ?? 'User';
      const reply = await world.app.inject({
        method,
        url: `${path.replace(/\{(\w+)\}/g, (_, name: string) => LOOKS[name] ?? 'unknown')}?radius=30`,
        headers: { authorization: `Bearer ${await world.credential(who)}` },
        ...(requestBody && { payload: requestBody.content['application/json']!.example as object }),
      });
      const known = parameters.filter((one) => one.in === 'query').map(({ name }) => name);
      const takes = known.length > 0 ? known.join(', ') : 'no parameters';
      expect([call, reply.statusCode], reply.body).toEqual([call, 422]);
      const { detail, errors } = reply.json<Refusal>();
      expect([call, detail]).toEqual([
        call,
        `There is no parameter "radius" in this call, which takes ${takes}.`,
      ]);
      expect(errors).toContainEqual({ path: 'radius', message: detail });
      expect(responses, call).toHaveProperty('422');
    }
  });

  it('is refused beside known ones, together with their faults, whatever its name', async () => {
    const token = await world.credential('User');
    const answer = async (query: string) => {
      const reply = await world.get(`/api/v1/disruptions/${query}`, token);
      return [reply.statusCode, reply.json<Refusal>().errors?.map(({ path }) => path)];
    };
    expect(await answer('?limit=5&radius=30')).toEqual([422, ['radius']]);
    expect(await answer('?limit=many&radius=30&miles=3')).toEqual([422, ['radius', 'miles', 'limit']]);
    expect(await answer('?Limit=5')).toEqual([422, ['Limit']]);
    expect(await answer('?__proto__=5')).toEqual([422, ['__proto__']]);
    expect(await answer('?constructor=5')).toEqual([422, ['constructor']]);
    expect(await answer('?=5')).toEqual([422, ['']]);
    expect(await answer('?limit[]=5')).toEqual([422, ['limit[]']]);
    expect(await answer('?token=secret')).toEqual([422, ['token']]);
    expect(await answer(`?${'x'.repeat(900)}=5`)).toEqual([422, ['x'.repeat(50)]]);
    expect(await answer('?')).toEqual([200, undefined]);
  });

  it('does not matter to a caller who must sign in first, nor to a page', async () => {
    expect((await world.get('/api/v1/feeds/?radius=30')).statusCode).toBe(401);
    for (const path of ['/healthz', '/config.json', '/openapi.json']) {
      expect([path, (await world.get(`${path}?v=7`)).statusCode]).toEqual([path, 200]);
    }
    expect((await world.get('/docs?token=secret')).statusCode).toBe(200);
  });
});

it.each([
  ['/api/v1/events?limit=1&limit=2', 'limit'],
  ['/api/v1/events?venue_town=Leeds&venue_town=York', 'venue_town'],
  ['/api/v1/feeds/?include_events=true&include_events=true', 'include_events'],
  ['/api/v1/geocode/search?query=Leeds&query=York', 'query'],
  ['/api/v1/displays/pairing?user_code=BCDF-GHJK&user_code=BCDF-GHJK', 'user_code'],
  ['/api/v1/disruptions/?severity=high&source=tfl&source=met-office', 'source'],
])('a parameter that is given twice is refused in words: %s', async (url, name) => {
  const reply = await world.get(url, await world.credential('User'));
  const detail = `${name} must be given only once`;
  expect([reply.statusCode, reply.json()]).toMatchObject([
    422,
    { detail, errors: [{ path: name, message: detail }] },
  ]);
});

it('control characters are refused in words, in every parameter of every call', async () => {
  const calls = (await world.operations()).filter(([call]) => call.startsWith('GET /api/'));
  let parametersSeen = 0;
  for (const [call, { description, parameters = [] }] of calls) {
    const path = call
      .slice('GET '.length)
      .replace(/\{(\w+)\}/g, (_, name: string) => LOOKS[name] ?? 'unknown');
    const who = Object.entries(WHO).find(([text]) => description.includes(text))?.[1] ?? 'User';
    for (const { name } of parameters.filter((one) => one.in === 'query')) {
      parametersSeen++;
      for (const character of ['%00', 'M62%00', '%0a', '%7f', '%c2%85']) {
        const reply = await world.get(`${path}?${name}=${character}`, await world.credential(who));
        expect([call, reply.statusCode], reply.body).toEqual([call, 422]);
        const message = `${name} must not contain control characters`;
        expect([call, reply.json<Refusal>().errors]).toEqual([
          call,
          expect.arrayContaining([{ path: name, message }]),
        ]);
      }
    }
  }
  expect(parametersSeen).toBeGreaterThan(50);
});

it('a road that is only spaces is refused: it would let every alert through', async () => {
  const reply = await world.get('/api/v1/disruptions?road=%20', await world.credential('User'));
  expect([reply.statusCode, reply.json<Refusal>().detail]).toEqual([422, 'road must name a road']);
});

it('the API description says which parameters are lists, and of which words', async () => {
  const [, list] = (await world.operations()).find(([call]) => call === 'GET /api/v1/disruptions')!;
  expect(list.parameters?.find(({ name }) => name === 'severity')).toMatchObject({
    required: false,
    description: expect.stringContaining('separated by commas, or a parameter for each'),
    schema: { type: 'array', items: { type: 'string', enum: ['critical', 'high', 'medium', 'low'] } },
  });
  expect(list.description).toContain('`severity=critical&severity=high`');
});

it.each([
  '/api/v1/admin/audit?limit=&cursor=',
  '/api/v1/analytics/api-usage?limit=',
  '/api/v1/feeds/aviation/events?limit=',
  '/api/v1/disruptions/?limit=&north=',
  '/api/v1/events?limit=',
])('an empty parameter counts as none: %s', async (url) => {
  const reply = await world.get(url, await world.credential('Administrator'));
  expect(reply.statusCode, reply.body).toBe(200);
});
