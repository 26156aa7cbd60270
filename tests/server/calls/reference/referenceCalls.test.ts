import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import type { RouteOptions } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod/mini';
import * as messages from '#contract/messages/messages.ts';
import * as channels from '#contract/messages/channels.ts';
import { exampleOf } from '../../../../server/calls/reference/examples.ts';
import { guidePage } from '../../../../server/calls/reference/referenceCalls.ts';
import type { OpenApi } from '../../../../server/calls/reference/openapi.ts';
import { openTestApp, type TestApp } from '../../app/testApp.ts';

let test: TestApp;
let document: OpenApi;
/** Routes by method and address, as fastify knows them. */
const routes = new Map<string, RouteOptions>();

beforeAll(async () => {
  test = await openTestApp({
    routes: (app) => {
      app.addHook('onRoute', (route) => {
        if (route.config?.who && route.method !== 'HEAD')
          routes.set(`${String(route.method)} ${route.url}`, route);
      });
    },
  });
  const reply = await test.get('/openapi.json');
  expect(reply.statusCode, test.logged()).toBe(200);
  document = reply.json<OpenApi>();
});
afterAll(() => test.close());

const operations = () =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(
      ([method, operation]) => [`${method.toUpperCase()} ${path}`, operation] as const,
    ),
  );

describe('/openapi.json', () => {
  it('has what checking programs ask for beyond that: a contact, and the items of every list', () => {
    expect(document).toMatchObject({ info: { contact: { name: expect.any(String) } } });
    const lists: unknown[] = [];
    JSON.stringify(document, (_key, value: { type?: unknown; items?: unknown } | null) => {
      if (value?.type === 'array') lists.push(value.items);
      return value;
    });
    expect(lists.length).toBeGreaterThan(50);
    for (const items of lists) expect(items).toBeTypeOf('object');
  });

  it('is a valid OpenAPI 3.1 document', async () => {
    expect(document.openapi).toMatch(/^3\.1\./);
    const problems = await lintFromString({
      source: JSON.stringify(document),
      config: await createConfig({
        extends: ['recommended-strict'],
        rules: {
          'info-license': 'off', // the product has none to offer
          'operation-4xx-response': 'off', // our own rule below knows which calls cannot be refused
          'no-server-example.com': 'off',
          'no-ambiguous-paths': 'off', // `/{event_id}` beside `/stats` is fixed before variable, as OpenAPI has it
          'operation-description': 'error',
          'parameter-description': 'error',
          'no-invalid-media-type-examples': 'error',
          'no-invalid-parameter-examples': 'error',
          'tag-description': 'error',
          'operation-tag-defined': 'error',
          'no-unused-components': 'error',
          'path-not-include-query': 'error',
        },
      }),
    });
    expect(problems.map(({ message, location }) => `${location[0]?.pointer}: ${message}`)).toEqual([]);
  });

  it('says of every call what it does, who may make it, and how it is refused', () => {
    expect(operations().length).toBeGreaterThan(20);
    for (const [call, operation] of operations()) {
      expect(operation.operationId, call).toMatch(/^[a-z][A-Za-z]+$/);
      expect(operation.summary, call).toMatch(/^\S.{3,}/);
      expect(operation.description, call).toMatch(/\w.*\n\nFor /s);
      const refusals = Object.keys(operation.responses).filter((status) => status >= '400');
      if (operation.security.length > 0) expect(refusals, call).toContain('401');
      if (operation.parameters || operation.requestBody) expect(refusals, call).toContain('422');
    }
    const ids = operations().map(([, { operationId }]) => operationId);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('describes every call that exists, and no other', () => {
    const described = operations().map(([call]) => call);
    expect(described.toSorted()).toEqual([...routes.keys()].map(documented).toSorted());
  });

  it('shows an example of every body, answer and parameter, which the schemas of the calls accept', () => {
    for (const [key, { schema, config }] of routes) {
      const call = config!;
      const {
        operationId,
        body,
        response = {},
      } = schema as {
        operationId: string;
        body?: z.ZodMiniType;
        response?: Record<string, z.ZodMiniType>;
      };
      const shown = exampleOf(operationId);
      if (body) expect(body.safeParse(shown.sent).error, `the body of ${key}`).toBeUndefined();
      for (const [status, answer] of Object.entries(response)) {
        const example = status.startsWith('2') ? (shown.answer ?? null) : call.refusals?.[Number(status)];
        // The check is strict: an example must not have a field that the answer never has.
        const strict = answer.type === 'object' ? z.strictObject((answer as z.ZodMiniObject).shape) : answer;
        expect(strict.safeParse(example).error, `${status} of ${key}`).toBeUndefined();
      }
    }
    for (const [call, { parameters = [] }] of operations()) {
      for (const { name, description, schema, example } of parameters) {
        const isShown = example !== undefined || !!schema.enum || description.includes('For example');
        if (name !== 'cursor') expect(isShown, `an example of ${name} in ${call}`).toBe(true);
      }
    }
  });

  it('is 304 for a client that has it', async () => {
    const first = await test.get('/openapi.json');
    const again = await test.app.inject({
      url: '/openapi.json',
      headers: { 'if-none-match': String(first.headers.etag) },
    });
    expect(again.statusCode).toBe(304);
  });
});

/** Calls in the form of the table: `GET /api/v1/feeds/{slug}`. */
const documented = (route: string) =>
  route
    .replace(/:(\w+)/g, '{$1}')
    .replace('*', '{event_id}')
    .replace(/\/$/, '');

describe('/docs', () => {
  it('runs only its own script, sends no referrer, and is never cached', async () => {
    const page = await test.get('/docs?token=a-secret-of-somebody');
    expect(page.statusCode).toBe(200);
    expect(page.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex, nofollow',
    });
    const policy = String(page.headers['content-security-policy']);
    expect(policy).toMatch(/script-src 'self' 'sha256-[\w+/]+='/);
    expect(policy).not.toContain('unsafe');
    const [, script] = /<script>([\s\S]*)<\/script>/.exec(page.body)!;
    expect(policy).toContain(createHash('sha256').update(script!).digest('base64'));
    expect(page.body + test.logged()).not.toContain('a-secret-of-somebody');
  });

  it('is the one page without trusted types, and runs scripts of this server alone', async () => {
    const policyOf = async (url: string) =>
      Object.fromEntries(
        String((await test.get(url)).headers['content-security-policy'])
          .split(/;\s*/)
          .map((rule) => [rule.split(' ', 1)[0], rule.split(' ').slice(1)]),
      ) as Record<string, string[]>;
    const [page, app] = [await policyOf('/docs'), await policyOf('/healthz')];
    expect(app['require-trusted-types-for']).toEqual(["'script'"]);
    // Swagger UI writes HTML. The policy forbids inline scripts and handlers, and any traffic with other hosts.
    expect(page).not.toHaveProperty('require-trusted-types-for');
    expect(page['default-src']).toEqual(["'none'"]);
    expect(page['script-src']).toEqual(["'self'", expect.stringMatching(/^'sha256-/)]);
    for (const rule of ['style-src', 'font-src', 'connect-src']) expect(page[rule]).toEqual(["'self'"]);
    for (const rule of ['base-uri', 'form-action', 'frame-ancestors']) expect(page[rule]).toEqual(["'none'"]);
  });

  it('requests nothing before its script has removed the token from the address', async () => {
    const { body } = await test.get('/docs');
    expect(body).not.toMatch(/<(link|img|iframe|script src|style)|@import|url\(/);
  });

  it('finds every file that its script and style sheets ask for', async () => {
    const { body } = await test.get('/docs');
    const sheets = [...body.matchAll(/'([\w-]+\.css)'/g)].map(([, name]) => `/docs/${name}`);
    const scripts = [...body.matchAll(/'(\/docs\/[\w-]+\.js)'/g)].map(([, path]) => path!);
    expect([...sheets, ...scripts]).toHaveLength(4);
    for (const path of [...sheets, ...scripts]) {
      const file = await test.get(path);
      expect(file.statusCode, path).toBe(200);
      for (const [, inner] of file.body.matchAll(/url\(['"]?([@\w./-]+\.woff2)/g)) {
        expect((await test.get(`/docs/${inner}`)).statusCode, inner).toBe(200);
      }
    }
  });
});

describe('/docs/guide', () => {
  it('has examples that are sent to the server that was asked', async () => {
    const page = async (host: string) =>
      (await test.app.inject({ url: '/docs/guide', headers: { host } })).body;
    expect(await page('clearway.example:8443')).toMatch(
      /<pre class="command"><code>curl [^<]*http:\/\/clearway\.example:8443\/api\/v1\/events/,
    );
    const other = await page('other.example');
    expect(other).toContain('http://other.example/api/v1/events');
    expect(other).not.toMatch(/localhost|clearway\.example/);
  });

  it('is docs/api.md as a page that runs nothing', async () => {
    const page = await test.get('/docs/guide');
    expect(page.statusCode).toBe(200);
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
    const policy = String(page.headers['content-security-policy']);
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toMatch(/script-src|unsafe/);
    expect(page.body).not.toMatch(/<script|<style|\son\w+=|\sstyle=|javascript:/i);

    const source = readFileSync(new URL('../../../../docs/api.md', import.meta.url), 'utf8');
    const headings = [...source.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading!);
    expect(headings.length).toBeGreaterThan(3);
    for (const heading of headings)
      expect(page.body).toMatch(new RegExp(`<h2 id="[a-z0-9-]+">${heading}</h2>`));
    const ids = new Set([...page.body.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id));
    for (const [, link] of page.body.matchAll(/href="#([^"]*)"/g)) expect(ids).toContain(link);
    // A file that the server does not serve is no link.
    for (const [, path] of page.body.matchAll(/(?:href|src)="(\/[^"]*|[\w-]+\.md)"/g)) {
      if (path === '/dashboard' || path === '/favicon.svg') continue;
      expect((await test.get(path!)).statusCode, path).toBe(200);
    }
    expect((await test.get('/docs')).body).toContain('href="/docs/guide"');
  });

  it('shows a tag in the text as text, and follows no link but https and its own', () => {
    const page = guidePage(
      '# A\n\n<script>alert(1)</script>\n\n<img src=x onerror=alert(1)> [x](javascript:alert(1)) [y](other.md) ' +
        '[z](https://a.example/"onclick=) ![i](http://a.example/i.png) `<b>`\n\n## {body} $& <i>\n',
    );
    const [, body] = /<main id="guide">([\s\S]*)<\/main>/.exec(page)!;
    expect(body).not.toMatch(/<(script|img|i|b)\b/);
    expect([...body!.matchAll(/<a href="([^"]*)"/g)].map(([, href]) => href)).toEqual([
      '#body-i',
      'https://a.example/&quot;onclick=',
    ]);
    expect(body).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
    expect(body).toContain('<code>&lt;b&gt;</code>');
  });
});

describe('webhooks of /openapi.json', () => {
  const posts = () => Object.values(document.webhooks).map(({ post }) => post);
  const SCHEMAS = { ...channels, ...messages } as unknown as Record<string, z.ZodMiniType>;

  it('have an example that the contract’s own schema accepts, and every type that is sent', () => {
    const types: string[] = [];
    for (const { requestBody, operationId } of posts()) {
      const { schema, example } = requestBody!.content['application/json']!;
      const name = schema.$ref!.split('/').at(-1)!;
      expect(SCHEMAS[name]!.safeParse(example).error, operationId).toBeUndefined();
      expect(document.components.schemas).toHaveProperty(name);
      types.push(JSON.stringify(document.components.schemas[name]!.properties!.type));
    }
    for (const part of [
      'disruption\\\\.',
      'match\\\\.',
      'source.stale',
      'source.fresh',
      'test.ping',
      'clearway\\\\.',
    ])
      expect(types.join(), part).toContain(part);
  });
});
