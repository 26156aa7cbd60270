/** Hostile input to every call of the OpenAPI document is refused in words or understood. No answer is a 5xx, and a
 *  refused call writes nothing. Every run has the same input. */
import type { InjectOptions, LightMyRequestResponse } from 'fastify';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonSchema, Operation } from '../../server/calls/reference/openapi.ts';
import { DATABASES } from '../support/databases.ts';
import { amount } from '../support/long.ts';
import { openWorld, type Caller, type World } from './callers.ts';

/** Texts with a meaning for somebody: a database, a page, a file system, a log, an object, a font. */
const TEXTS: Readonly<Record<string, string>> = {
  empty: '',
  blank: ' \t\u00a0\u3000',
  quote: `'`,
  sql: `x' OR 1=1; DROP TABLE users; --`,
  'sql union': `1 UNION SELECT password_hash FROM users`,
  like: '%_%\\',
  script: '<script>alert(1)</script><img src=x onerror=alert(1)>',
  template: '{{7*7}}${7*7}#{7*7}',
  path: '../../../../etc/passwd',
  'windows path': '..\\..\\boot.ini',
  prototype: '__proto__',
  constructor: 'constructor',
  'own property': 'toString',
  crlf: 'a\r\nSet-Cookie: x=1\r\n\r\n<html>',
  nul: 'a\u0000b',
  controls: '\u0001\u001b[2J\u007f\u0085\u2028',
  emoji: '🚍👩‍👩‍👧‍👦🏴󠁧󠁢󠁷󠁬󠁳󠁿',
  'right to left': '\u202eمرحبا\u202c שלום',
  combining: `e${'\u0301'.repeat(200)}`,
  'not a character': '\uffff\ufdd0\ufeff',
  'lone surrogate': '\ud800x\udfff',
  long: 'x'.repeat(5000),
  'long emoji': '🚍'.repeat(600),
  number: '-1',
  zero: '0',
  huge: '1e309',
  exact: '99999999999999999999',
  fraction: '1.5',
  nan: 'NaN',
  hex: '0x1F',
  word: 'null',
  json: '{"$ne":null}',
  time: '9999-12-31T23:59:60Z',
  day: '2026-02-30',
  'early day': '-000001-01-01',
  base64: Buffer.from('["2026","x",null]').toString('base64url'),
  'bad base64': Buffer.from('{"a":[[[[').toString('base64url'),
};

/** Texts that may disturb only the other kind of database. */
const STORED = ['nul', 'lone surrogate', 'exact', 'early day'];

/** Values that are not a text, for a field that expects one, and the other way round. */
const VALUES: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1.5,
  1e300,
  [],
  ['x'],
  [[[]]],
  {},
  { toString: 'x' },
  { length: 1e9 },
  'x',
];

/** Whole bodies, byte by byte. */
const BODIES: Readonly<Record<string, string | Buffer>> = {
  'cut off': '{"a":',
  'not JSON': 'a=1&b=2',
  'two values': '{}{}',
  comment: '{/* */}',
  'single quotes': "{'a':1}",
  infinite: '{"a":Infinity}',
  null: 'null',
  text: '"text"',
  number: '1e999',
  list: '[]',
  'list of many': `[${'0,'.repeat(20_000)}0]`,
  'deep lists': '['.repeat(30_000) + ']'.repeat(30_000),
  'deep objects': '{"a":'.repeat(10_000) + '1' + '}'.repeat(10_000),
  prototype: '{"__proto__":{"role":"admin","is_admin":true},"constructor":{"prototype":{"x":1}}}',
  'too large': JSON.stringify({ a: 'x'.repeat(70_000) }),
  'many keys': `{${Array.from({ length: 4000 }, (_, at) => `"k${at}":0`).join(',')}}`,
  'twice the same key': '{"email":"a","email":["b"],"name":1,"name":{}}',
  'not UTF-8': Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]),
  'byte order mark': '\ufeff{}',
  nul: '\u0000',
};

const CONTENT_TYPES = [
  'text/plain',
  'text/xml',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'application/json; charset=utf-16',
  'application/jsonx',
  'application/*',
  '',
  ';;;',
  `application/json; ${'x'.repeat(3000)}`,
];

/** One of this many attempts is made, another one for each call. */
const ONE_OF = amount('FUZZ_ONE_OF', { whole: 1, part: 20 });

/** Addresses that are no text at all. */
const RAW = [
  '%',
  '%zz',
  '%00',
  '%ff%fe',
  '%c0%ae%c0%ae',
  '%ed%a0%80',
  '%0d%0aX-Injected:%201',
  '..%2f..%2fetc',
];

interface Attempt {
  what: string;
  url: string;
  payload?: string | Buffer;
  headers?: Record<string, string>;
}

function attempts(call: string, operation: Operation): Attempt[] {
  const path = call.split(' ', 2)[1]!;
  const { parameters = [], requestBody } = operation;
  const texts = Object.entries(TEXTS);
  const found: Attempt[] = [];

  const address = (values: Record<string, string>) =>
    path.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? 'unknown');
  const required = parameters.filter((one) => one.in === 'query' && one.required);
  const search = (changed: string, form: string) => {
    const others = required.filter(({ name }) => name !== changed);
    return [...others.map(({ name, example }) => `${name}=${encoded(String(example))}`), form].join('&');
  };

  for (const { name, in: place } of parameters) {
    if (place === 'path') {
      const all = [
        ...texts.map(([what, text]) => [what, encoded(text)] as const),
        ...RAW.map((r) => [r, r] as const),
      ];
      for (const [what, text] of all)
        found.push({ what: `${name}: ${what}`, url: address({ [name]: text }) });
      continue;
    }
    const forms: (readonly [string, string])[] = [
      ...texts.map(([what, text]) => [what, `${name}=${encoded(text)}`] as const),
      ...RAW.map((raw) => [raw, `${name}=${raw}`] as const),
      ['twice', `${name}=1&${name}=2`],
      ['as a list', `${name}[]=1`],
      ['as an object', `${name}[$gt]=1`],
      ['without a value', name],
    ];
    for (const [what, form] of forms) {
      found.push({ what: `${name}: ${what}`, url: `${address({})}?${search(name, form)}` });
    }
  }
  for (const extra of ['__proto__[admin]=1', 'constructor=x', '&&&===', `${'x'.repeat(4000)}=1`, '%=%']) {
    found.push({ what: `a query of ${extra.slice(0, 20)}`, url: `${address({})}?${extra}` });
  }
  if (!requestBody) return found;

  const { schema, example } = requestBody.content['application/json']!;
  const json = { 'content-type': 'application/json' };
  for (const [what, payload] of Object.entries(BODIES)) {
    found.push({ what: `a body: ${what}`, url: address({}), payload, headers: json });
  }
  for (const type of CONTENT_TYPES) {
    found.push({
      what: `a content type of "${type.slice(0, 40)}"`,
      url: address({}),
      payload: JSON.stringify(example),
      headers: { 'content-type': type },
    });
  }
  const whole = example as Record<string, unknown>;
  for (const field of fieldsOf(schema, whole)) {
    const changed = [
      ...(field === UNKNOWN ? [] : texts).map(([what, text]) => [what, text] as const),
      ...VALUES.map((value) => [JSON.stringify(value), value] as const),
    ];
    for (const [what, value] of changed) {
      found.push({
        what: `${field}: ${what}`,
        url: address({}),
        payload: JSON.stringify({ ...whole, [field]: value }),
        headers: json,
      });
    }
    const { [field]: _, ...rest } = whole;
    found.push({ what: `no ${field}`, url: address({}), payload: JSON.stringify(rest), headers: json });
  }
  return found;
}

/** Percent-encodes a value; one that is not text becomes the bytes that a careless program would send. */
const encoded = (text: string) =>
  encodeURIComponent(text.toWellFormed()).replaceAll('%EF%BF%BD', '%ED%A0%80');

const UNKNOWN = 'unknown_field';

/** The fields of the schema and the example, and an unknown one. */
const fieldsOf = (schema: JsonSchema, example: Record<string, unknown>) => [
  ...new Set([...Object.keys(schema.properties ?? {}), ...Object.keys(example), UNKNOWN]),
];

/** The caller who may do most with it. */
const callerOf = ({ security, description }: Operation): Caller => {
  if (security.some((one) => 'display' in one) && security.length === 1) return 'Display';
  return description.includes('administrators only') ? 'Administrator' : 'User';
};

describe.each(DATABASES)('hostile input, kept in $engine', ({ engine, open }) => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld({ open });
  });
  afterAll(() => world.close());

  /** Everything that calls may change, except the counts of calls and of wrong passwords. */
  const kept = async () => {
    const { db } = world;
    const tables = await Promise.all([
      db.selectFrom('users').selectAll().orderBy('id').execute(),
      db.selectFrom('sessions').select(['id', 'revoked_at']).orderBy('id').execute(),
      db.selectFrom('refresh_tokens').selectAll().orderBy('token_hash').execute(),
      db.selectFrom('api_keys').selectAll().orderBy('id').execute(),
      db.selectFrom('displays').selectAll().orderBy('id').execute(),
      db.selectFrom('pairings').selectAll().orderBy('device_code_hash').execute(),
      db.selectFrom('audit_trail').selectAll().orderBy('id').execute(),
      db.selectFrom('usage_events').selectAll().orderBy('id').execute(),
      db
        .selectFrom('events')
        .select(({ fn }) => fn.countAll().as('count'))
        .execute(),
      db
        .selectFrom('disruptions')
        .select(({ fn }) => fn.countAll().as('count'))
        .execute(),
    ]);
    return JSON.stringify(tables);
  };

  /** How many rows were ever written, which is quickly asked; unknown for PostgreSQL. */
  const writes = async () => {
    if (engine !== 'sqlite') return null;
    return (await sql<{ n: number }>`select total_changes() as n`.execute(world.db)).rows[0]!.n;
  };

  it('is either understood, or refused in words without a trace', async () => {
    const faults: string[] = [];
    let made = 0;
    for (const [place, [call, operation]] of (await world.operations()).entries()) {
      const method = call.split(' ', 1)[0] as 'GET';
      const caller = callerOf(operation);
      const isWriting = method !== 'GET';
      let token = await world.credential(caller);
      let [before, written]: [string | null, number | null] = [await kept(), await writes()];
      /** Whether a refused call has written. Stored data is compared only if rows were written at all. */
      const hasWritten = async () => {
        const now = await writes();
        if (now !== null && now === written) return false;
        const last = before;
        [before, written] = [await kept(), now];
        return last !== null && last !== before;
      };
      const mayHaveWritten = async () => {
        written = await writes();
        before = written === null ? await kept() : null;
      };
      for (const { what, url, payload, headers } of tried(call, operation, place)) {
        // Signing out ends the session that made the call.
        const isSignOut = operation.operationId === 'signOut';
        if (isSignOut) token = await world.credential(caller);
        const reply = await send({
          method,
          url,
          headers: { ...headers, authorization: `Bearer ${token}` },
          ...(payload !== undefined && { payload }),
        });
        made++;
        // Without its secret the address is none of ours, and shows no page.
        const isNoPage = what.endsWith(': empty') && url.endsWith('/');
        const fault = faultOf(reply, !isNoPage && isRefusingPage(operation, reply.statusCode));
        if (fault) faults.push(`${call}, ${what}: ${fault}`);
        // The router refuses a path that is too long or is no text before it looks for a call.
        const isOfRouter = payload === undefined && [400, 414].includes(reply.statusCode);
        // Without its id it is the address of the list, which takes other methods.
        const isOfList = what.endsWith(': empty') && reply.statusCode === 405;
        if (!isOfRouter && !isOfList && !(reply.statusCode in operation.responses))
          faults.push(`${call}, ${what}: ${reply.statusCode}, which the API description does not name`);
        if (!isWriting) continue;
        if (reply.statusCode < 300 || isSignOut) await mayHaveWritten();
        else if (await hasWritten()) {
          faults.push(`${call}, ${what}: ${reply.statusCode}, and yet something was written`);
        }
      }
      if (!isWriting && (await hasWritten())) faults.push(`${call}: something was written`);
    }
    expect(faults).toEqual([]);
    expect(made).toBeGreaterThan((engine === 'sqlite' ? 10_000 : 500) / ONE_OF);
    expect(world.logged()).not.toContain('a request failed');
  }, 300_000);

  const tried = (call: string, operation: Operation, place: number) =>
    attempts(call, operation)
      .filter(({ what }) => engine === 'sqlite' || STORED.some((name) => what.endsWith(`: ${name}`)))
      .filter((_, index) => (index + place) % ONE_OF === 0);

  const send = (options: InjectOptions) => world.app.inject(options);
});

/** The fault of an answer; null if there is none. */
function faultOf({ statusCode, body, headers }: LightMyRequestResponse, isPage: boolean): string | null {
  if (statusCode >= 200 && statusCode < 400) return null;
  const answer = `${statusCode} ${body.slice(0, 300)}`;
  if (statusCode >= 500) return answer;
  const type = isPage ? 'text/html' : 'application/json';
  if (!String(headers['content-type']).startsWith(type)) return `not ${type}: ${answer}`;
  const detail = type === 'text/html' ? wordsOf(body) : (JSON.parse(body) as { detail?: unknown }).detail;
  if (typeof detail !== 'string' || !/\w+ \w+/.test(detail)) return `no words: ${answer}`;
  if (detail.length > 2000 || /\bat \/|node_modules|SQLITE|syntax error|undefined/.test(detail)) {
    return `not for people: ${answer}`;
  }
  return null;
}

/** Whether the API description says that this refusal is a page for people. */
function isRefusingPage({ responses }: Operation, statusCode: number): boolean {
  const response = responses[statusCode];
  return response !== undefined && 'content' in response && 'text/html' in (response.content ?? {});
}

/** The words that a page shows to its reader. */
const wordsOf = (page: string) => page.replace(/<(style|script)\b[^]*?<\/\1>/g, ' ').replace(/<[^>]*>/g, ' ');
