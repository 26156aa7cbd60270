import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { apiPath, pageAddress, pageAddressOf, pageAt, SERVER_ADDRESS } from '#contract/addresses.ts';
import type { EventRecord, ViewportEvents } from '#contract/places/events.ts';
import { events } from '../../server/geography/events/events.ts';
import { oddName, withOddNames } from '../support/oddNames.ts';
import { openTestApp, type TestApp } from './app/testApp.ts';
import { event } from './geography/events/import/oneEvent.ts';

const PAGE = '<!doctype html><title>Clearway</title>';
/** Headers that browsers send with an address that a person opens: by https, and by plain http. */
const NAVIGATIONS = [
  { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document', accept: 'text/html,*/*;q=0.8' },
  { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' },
];
const VIEW = 'north=61&south=49&east=3&west=-11';

let dist: string;
let test: TestApp;
let token: string;
const routes = new Set<string>();

beforeAll(async () => {
  dist = mkdtempSync(join(tmpdir(), 'clearway-dist-'));
  mkdirSync(join(dist, 'assets'));
  writeFileSync(join(dist, 'index.html'), PAGE);
  test = await openTestApp({
    dist,
    routes: (app) => app.addHook('onRoute', ({ url }) => void routes.add(url)),
  });
  token = (await test.signIn(await test.addUser())).access_token;
});
afterAll(async () => {
  await test.close();
  rmSync(dist, { recursive: true });
});

it('opens the page of an event and of its venue, and answers for the event, whatever its id holds', async () => {
  await fc.assert(
    fc.asyncProperty(oddName, async (id) => {
      for (const headers of NAVIGATIONS) {
        for (const url of [pageAddressOf('event', id), pageAddressOf('venue', id)]) {
          const page = await test.app.inject({ url, headers });
          expect([url, page.statusCode, page.body]).toEqual([url, 200, PAGE]);
        }
      }

      const arriving = [event({ id, place: null })];
      await events(test.db).store({ source: 'hall', arriving, now: test.now() });
      const answer = await test.get(`/api/v1/${apiPath`events/${id}`}`, token);
      expect(answer.json<EventRecord>().event_id).toBe(id);
    }),
    withOddNames(80),
  );
});

it('finds the events of a category, whatever its name holds', async () => {
  await fc.assert(
    fc.asyncProperty(oddName, async (category) => {
      const id = `of ${category}`;
      await events(test.db).store({ source: 'hall', arriving: [event({ id, category })], now: test.now() });
      const query = `${VIEW}&${new URLSearchParams({ category })}`;
      const found = (await test.get(`/api/v1/events/viewport?${query}`, token)).json<ViewportEvents>();
      expect(found.events.map(({ event_id }) => event_id)).toContain(id);
      expect(new Set(found.events.map((one) => one.category?.toLowerCase()))).toEqual(
        new Set([category.toLowerCase()]),
      );
    }),
    withOddNames(20),
  );
});

it('takes every address for a page, except those that the server answers itself', () => {
  const files = '/*'; // files of the built app, which are looked for first
  expect(routes).toContain('/api/v1/events/viewport');
  expect([...routes].filter((url) => url !== files && !SERVER_ADDRESS.test(url))).toEqual([]);

  for (const url of [
    pageAddress('keys'),
    pageAddress('open', { link: '/api' }),
    '/documents',
    '/apiary',
    '/healthzone',
  ]) {
    expect(SERVER_ADDRESS.test(url), url).toBe(false);
  }
});

it('opens a sent brief whether or not a mail program has decoded its address', () => {
  const id = 'morning/2026-11-24T06:00:00.000Z';
  for (const path of [pageAddressOf('brief', id), `/briefs/${id}`, `/briefs/${id}/`])
    expect(pageAt(path), path).toEqual({ page: 'brief', id });
  expect(pageAt('/briefs')).toEqual({ page: 'briefs', id: '' });
  expect(pageAt('/routes/one/other')).toBeNull();
});
