import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { DEFAULT_RUNTIME_CONFIG, RuntimeConfig } from '#contract/runtimeConfig.ts';
import { openTestApp, type TestApp } from '../../app/testApp.ts';

/** A point of the curve P-256, as browsers take it. */
const PUSH_KEY = expect.stringMatching(/^B[\w-]{86}$/);

let test: TestApp;
afterEach(() => test.close());

describe('/config.json', () => {
  it('has the defaults if the operator set nothing', async () => {
    test = await openTestApp();
    const reply = await test.get('/config.json');

    expect(reply.statusCode).toBe(200);
    expect(reply.json()).toEqual({ ...DEFAULT_RUNTIME_CONFIG, push_key: PUSH_KEY });
    expect(reply.headers['cache-control']).toBe('no-cache');
  });

  it('gives what the operator set, and nothing that is not meant for the page', async () => {
    test = await openTestApp({
      config: {
        contactEmail: 'desk@coaches.example',
        tileUrl: 'https://tiles.example/{z}/{x}/{y}.png',
        tileAttribution: 'Tiles by us',
        routerUrl: 'http://osrm.inside:5000',
        adminPassword: 'four-lorries-in-Carlisle',
        settings: { RDM_NSI_KEY: 'key' },
      },
    });
    const reply = await test.get('/config.json');

    expect(z.strictObject(RuntimeConfig.shape).parse(reply.json())).toEqual({
      contact_email: 'desk@coaches.example',
      tile_url: 'https://tiles.example/{z}/{x}/{y}.png',
      tile_attribution: 'Tiles by us',
      push_key: PUSH_KEY,
      router: true,
    });
  });
});
