import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LocationSuggestions } from '#contract/places/geocode.ts';
import { openTestApp, type TestApp } from '../../app/testApp.ts';

let test: TestApp;
let token: string;

beforeAll(async () => {
  test = await openTestApp();
  await test.addUser();
  token = (await test.signIn()).access_token;
});
afterAll(() => test.close());

const search = (query: string) => test.get(`/api/v1/geocode/search?${query}`, token);

describe('GET /api/v1/geocode/search', () => {
  it('finds places, five of them by default, with the owner of the data', async () => {
    const reply = await search('query=new');
    expect(reply.statusCode).toBe(200);
    expect(reply.headers['cache-control']).toBe('no-store');
    const { results, attribution } = LocationSuggestions.parse(reply.json());
    expect(results).toHaveLength(5);
    expect(attribution).toContain('GeoNames');
    expect((await search('query=new&limit=10')).json<LocationSuggestions>().results).toHaveLength(10);
    expect((await search('query=new&limit=')).json<LocationSuggestions>().results).toHaveLength(5);
  });

  it.each(['x', 'zzzz', '%20x%20', 'z'.repeat(200)])('answers %j with an empty list', async (query) => {
    const reply = await search(`query=${query}`);
    expect(reply.statusCode).toBe(200);
    expect(reply.json()).toMatchObject({ results: [] });
  });

  it.each([
    ['', 'query is required'],
    ['query=', 'query must not be empty'],
    ['query=%20%20', 'query must not be empty'],
    [`query=${'a'.repeat(201)}`, 'query must be at most 200 characters'],
    ['query=a&query=b', 'query must be given only once'],
    ['query=leeds&limit=0', 'limit must be at least 1'],
    ['query=leeds&limit=11', 'limit must be at most 10'],
    ['query=leeds&limit=2.5', 'limit must be a whole number'],
    ['query=leeds&limit=many', 'limit must be a whole number'],
  ])('refuses ?%s in words', async (query, detail) => {
    const reply = await search(query);
    expect(reply.statusCode).toBe(422);
    expect(reply.json()).toMatchObject({ detail });
  });

  it('is for signed-in callers only', async () => {
    expect((await test.get('/api/v1/geocode/search?query=leeds')).statusCode).toBe(401);
  });
});
