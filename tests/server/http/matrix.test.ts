import { randomUUID } from 'node:crypto';
import { alertNumber } from '#contract/alertNumber.ts';
import { generate } from 'otplib';
import type { OwnReport } from '#contract/responses.ts';
import { format } from 'prettier';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { NewWebhook } from '#contract/webhooks.ts';
import { DEVICE_CODE_GRANT } from '#contract/displays.ts';
import { secondFactors } from '../../../server/auth/secondFactor.ts';
import type { Who } from '../../../server/auth/guard.ts';
import { accountSecurity } from '../../../server/db/accountSecurity.ts';
import { events } from '../../../server/db/events.ts';
import { split } from '../../../server/db/merges.ts';
import { teams } from '../../../server/db/teams.ts';
import { users } from '../../../server/db/users.ts';
import { deriveSecrets } from '../../../server/secrets.ts';
import type { OpenApi, Operation } from '../../../server/docs/openapi.ts';
import { CALLERS, openWorld, type Caller, type World } from '../callers.ts';
import { event } from '../events/oneEvent.ts';
import { poll, record } from '../feedsWorld.ts';
import * as example from '../../../server/docs/examples.ts';
import { links, type Purpose } from '../../../server/messages/links.ts';
import { addDeliveries } from '../../../server/messages/webhooks.ts';
import { PASSWORD, SECRET } from '../app/testApp.ts';

/** By who may make a call: what each caller is answered, in the order of CALLERS. */
const ANSWERS: Readonly<Record<Who, readonly string[]>> = {
  anyone: ['yes', 'yes', 'yes', 'yes', 'yes', 'yes'],
  user: ['401', 'yes', 'yes', '403', '401', '403'],
  lead: ['401', 'lead', 'yes', '403', '401', '403'],
  admin: ['401', '403', 'yes', '403', '401', '403'],
  data: ['401', 'yes', 'yes', 'yes', '401', '403'],
  board: ['401', 'yes', 'yes', 'yes', '401', 'yes'],
  display: ['401', '403', '403', '403', '401', 'yes'],
};

const INTRODUCTION = `# Who may call what

Made by \`npm run calls\` from what the routes say of themselves; the test command fails while it differs.

\`yes\`, or the status of the refusal: 401 for callers who must sign in, 403 for callers without the right.
\`tests/server/http/matrix.test.ts\` makes every call as every caller. \`/docs\` describes the parameters and answers.

"Display" is a paired display. "Disabled" applies from the moment an administrator disables the account. Registration is
open only if the operator has set \`REGISTRATION=open\`; otherwise the answer is 403 for everyone. "lead": leads of a team,
and 403 for its other members.
`;

/** What each caller is answered, by call as the routes declare it. */
const table = new Map<string, readonly string[]>();
let world: World;

beforeAll(async () => {
  world = await openWorld({
    routes: (app) => {
      app.addHook('onRoute', ({ method, url, config }) => {
        if (method !== 'HEAD' && config?.who)
          table.set(`${String(method)} ${documented(url)}`, ANSWERS[config.who]);
      });
    },
  });
  await events(world.db).store({ source: 'hall', arriving: [event()], now: world.now() });
  await poll(world.db, 'tfl', [record('tfl:central')], world.now());
  await poll(world.db, 'met-police', [record('met-police:one')], world.now());
});
afterAll(() => world.close());

const documented = (url: string) =>
  url
    .replace(/:(\w+)/g, '{$1}')
    .replace('*', '{event_id}')
    .replace(/(?<=.)\/$/, '');

it('docs/calls.md is what the routes declare', async () => {
  const { tags } = (await world.get('/openapi.json')).json<OpenApi>();
  const columns = [
    'call',
    ...CALLERS.map((caller) => caller.replace(/^[A-Z](?!P)/, (first) => first.toLowerCase())),
  ];
  const rows = (tag: string) =>
    world.operations
      .filter(([, operation]) => operation.tags.includes(tag))
      .map(([call]) => [`\`${call}\``, ...table.get(call)!]);
  const tables = tags.map(({ name }) =>
    [
      `## ${name}\n`,
      ...[columns, columns.map(() => '---'), ...rows(name)].map((row) => `| ${row.join(' | ')} |`),
    ].join('\n'),
  );
  const text = await format([INTRODUCTION, ...tables].join('\n\n'), { parser: 'markdown' });
  await expect(text).toMatchFileSnapshot('../../../docs/calls.md');
});

it('the API description has every call that a route declares, and no other', () => {
  expect(world.operations.map(([call]) => call).toSorted()).toEqual([...table.keys()].toSorted());
});

it('the API description gives the same credentials for every call as the table', () => {
  const SCHEMES = { session: 'User', apiKey: 'API key', display: 'Display' } as const;
  for (const [call, { security }] of world.operations) {
    const answers = table.get(call)!;
    const given = (caller: Caller) => answers[CALLERS.indexOf(caller)];
    const anybody = given('Anonymous') === 'yes';
    expect(security.length === 0, call).toBe(anybody);
    if (anybody) continue;
    for (const [scheme, caller] of Object.entries(SCHEMES)) {
      // For people it says only that they must be signed in; its text says where they must be administrators.
      const takes = given(caller) === 'yes' || (caller === 'User' && given('Administrator') === 'yes');
      expect(
        security.some((one) => scheme in one),
        `${call} by ${scheme}`,
      ).toBe(takes);
    }
  }
});

it('every caller gets the answer from every call that the table says', async () => {
  for (const [call, operation] of world.operations) {
    const answers = table.get(call)!;
    expect(answers, call).toHaveLength(CALLERS.length);
    for (const [at, caller] of CALLERS.entries()) {
      const answer = answers[at]!;
      if (answer === 'lead') {
        await expectAnswer(call, operation, caller, '403');
        await expectAnswer(call, operation, caller, 'yes', true);
      } else await expectAnswer(call, operation, caller, answer);
    }
  }
}, 120_000); // several hash a password

async function expectAnswer(
  call: string,
  operation: Operation,
  caller: Caller,
  answer: string,
  isLead = false,
) {
  // What the call is about was made by a lead.
  await world.setLead(true);
  const token = await world.credential(caller);
  const [method, path] = call.split(' ', 2) as ['GET', string];
  const { ids = {}, query = '', body, headers } = (await INPUTS[call]?.(caller)) ?? {};
  await world.setLead(isLead);
  const example = operation.requestBody?.content['application/json']?.example;
  const payload = body ?? example;
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(ids[name] ?? 'unknown'));
  const reply = await world.app.inject({
    method,
    url: filled + query,
    headers: { ...headers, ...(token && { authorization: `Bearer ${token}` }) },
    ...(payload !== undefined && { payload: payload as object }),
  });

  const what = `${call} by ${caller}: ${reply.statusCode} ${reply.body.slice(0, 200)}`;
  if (answer === 'yes') expect(reply.statusCode, what).toBeLessThan(300);
  else expect(String(reply.statusCode), what).toBe(answer);
}

interface Input {
  ids?: Record<string, string>;
  query?: string;
  body?: object;
  headers?: Record<string, string>;
}

const owned = (caller: Caller) => world.newKey(caller === 'Administrator' ? caller : 'User');
const ownKey = async (caller: Caller): Promise<Input> => ({ ids: { id: (await owned(caller)).id } });
const somebody = async (): Promise<Input> => ({ ids: { id: (await world.newUser()).id } });
const someDisplay = async (): Promise<Input> => ({ ids: { id: (await world.newDisplay()).id } });
const ownDisplay = async (caller: Caller): Promise<Input> => {
  const owner = caller === 'Administrator' ? caller : 'User';
  const { id } = await world.newDisplay(owner);
  return { ids: { id }, body: { watch_ids: [(await world.newWatch(owner)).id] } };
};
const onScreen = async (): Promise<Input> => ({
  body: { user_code: (await world.newCode()).user_code, name: 'Hall' },
});
const someTeam = async (): Promise<Input> => ({
  ids: { id: (await teams(world.db, 'many').create('Airport coaches', world.now())).id },
});
const ownWatch = async (caller: Caller): Promise<Input> => ({
  ids: {
    id: (await world.newWatch(caller === 'Administrator' ? caller : 'User')).id,
    event_id: 'tfl:central',
  },
  headers: { 'if-match': '1' },
});
const someReceiver = async (caller: Caller): Promise<Input> => {
  const owner = (await world.credential(caller === 'Administrator' ? caller : 'User'))!;
  const reply = await world.post('/api/v1/receivers', thisDevice(), owner);
  return { ids: { id: reply.json<{ receiver: { id: string } }>().receiver.id } };
};
const linked = (purpose: Purpose) => async (): Promise<Input> => ({
  ids: { token: links(deriveSecrets(SECRET)).token(purpose, (await someReceiver('User')).ids!.id!) },
});
/** The account that makes the call, with its password as it was and without a second factor. */
const freshAccount = async (caller: Caller) => {
  const { password_hash } = (await users(world.db).byId((await world.newUser()).id))!;
  const email = caller === 'Administrator' ? 'boss@coaches.example' : 'rosa@coaches.example';
  const account = (await users(world.db).byEmail(email))!;
  await users(world.db).setPasswordHash(account.id, password_hash);
  await accountSecurity(world.db).removeFactor(account.id);
  return account;
};
/** With a second factor, confirmed or not; the code that it takes now. */
const withFactor = async (account: { id: string; email: string }, confirmed: boolean) => {
  const { sealed, secret } = secondFactors(deriveSecrets(SECRET)).prepare(account);
  await accountSecurity(world.db).prepareFactor(account.id, sealed);
  if (confirmed) await accountSecurity(world.db).confirmFactor(account.id, world.now());
  return generate({ secret, epoch: Math.floor(world.now().getTime() / 1000) });
};
const ownAccount = async (caller: Caller): Promise<Input> => {
  await freshAccount(caller);
  return {};
};
const ownFactor =
  (confirmed: boolean) =>
  async (caller: Caller): Promise<Input> => {
    const code = await withFactor(await freshAccount(caller), confirmed);
    return { body: { code, ...(confirmed && { current_password: PASSWORD }) } };
  };
const newFilter = (caller: Caller) => world.newFilter(caller === 'Administrator' ? caller : 'User');
const bareFilter = async (caller: Caller): Promise<Input> => ({ ids: { id: (await newFilter(caller)).id } });
/** With a secret address: leads alone change what it answers for, and delete it. */
const ownFilter = async (caller: Caller): Promise<Input> => {
  const { id } = await newFilter(caller);
  await world.newSecret(caller === 'Administrator' ? caller : 'User', id);
  return { ids: { id, ext: 'ics', event_id: 'tfl:central' } };
};
const thisDevice = () => ({
  kind: 'push',
  name: 'Phone',
  subscription: {
    endpoint: `https://push.example/${randomUUID()}`,
    keys: { p256dh: 'B'.repeat(87), auth: 'A'.repeat(22) },
  },
});
/** A webhook of theirs, with a delivery that failed. */
const ownWebhook = async (caller: Caller): Promise<Input> => {
  // A team may have 30.
  await world.db.deleteFrom('receivers').where('user_id', 'is', null).execute();
  const { id } = await newFilter(caller);
  const token = await world.credential(caller === 'Administrator' ? caller : 'User');
  const path = `/api/v1/filters/${id}/webhooks`;
  const made = await world.post(path, example.webhookRequest, token);
  const { webhook } = made.json<NewWebhook>();
  const body = {
    type: 'test.ping' as const,
    timestamp: world.now().toISOString(),
    data: { filter: { id, name: '' } },
  };
  await world.db
    .transaction()
    .execute((trx) => addDeliveries(trx, webhook.id, [{ body, about: 'test', what: 'test' }], world.now()));
  const failed = await world.db
    .updateTable('messages')
    .set({ state: 'failed', next_at: null })
    .where('receiver_id', '=', webhook.id)
    .returning('id')
    .executeTakeFirstOrThrow();
  return { ids: { id, webhook_id: webhook.id, delivery_id: failed.id } };
};
const secretAddress = async (): Promise<Input> => {
  const { id } = await world.newFilter('User');
  const random = (await world.newSecret('User', id)).path.slice('/f/'.length);
  return { ids: { random, ext: 'ics', event_id: 'tfl:central' } };
};
let addresses = 0;
const newAddress = () => `somebody-${addresses++}@coaches.example`;

/** An incident that nobody has in hand. Each action has an id of its own. */
const inHand = (body: object) => async (): Promise<Input> => {
  const event_id = `tfl:${randomUUID()}`;
  await poll(world.db, 'tfl', [record('tfl:central'), record(event_id)], world.now());
  return { ids: { event_id }, headers: { 'if-match': '0' }, body: { id: randomUUID(), ...body } };
};
const ownNote = async (caller: Caller): Promise<Input> => {
  const note_id = randomUUID();
  const token = await world.credential(caller);
  await world.post('/api/v1/responses/tfl:central/notes', { id: note_id, text: 'Told the driver.' }, token);
  return { ids: { event_id: 'tfl:central', note_id }, body: { id: randomUUID() } };
};
/** A line for the next shift, of the caller's own. */
const nextShiftLine = async (caller: Caller): Promise<Input> => {
  const note_id = randomUUID();
  await world.post(
    '/api/v1/handover/notes',
    { id: note_id, text: 'Call Hull.' },
    await world.credential(caller),
  );
  return { ids: { note_id }, body: { id: randomUUID() } };
};
let minutes = 0;
/** Each a shift of its own: one is taken over once. */
const untaken = async (): Promise<Input> => ({
  body: {
    id: randomUUID(),
    from: new Date(world.now().getTime() - ++minutes * 60_000).toISOString(),
    to: world.now().toISOString(),
  },
});
const ownReport = async (caller: Caller): Promise<Input> => {
  const token = await world.credential(caller === 'Administrator' ? caller : 'User');
  const made = await world.post('/api/v1/reports', { ...example.reportRequest, id: randomUUID() }, token);
  const { disruption } = made.json<OwnReport>();
  return {
    ids: { event_id: disruption.event_id },
    headers: { 'if-match': '1' },
    body: { title: 'Car on fire' },
  };
};
/** What a call needs, besides the examples of the document, to succeed for callers who may make it. */
const APART = { one: 'tfl:central', other: 'met-police:one' };

const INPUTS: Readonly<Record<string, (caller: Caller) => Promise<Input>>> = {
  'PUT /api/v1/changes/looks/{screen}': async () => ({ ids: { screen: 'board' } }),
  'GET /api/v1/disruptions.{ext}': async () => ({ ids: { ext: 'csv' } }),
  'GET /api/v1/disruptions.cap/{event_id}': async () => ({ ids: { event_id: 'tfl:central' } }),
  'GET /api/v1/filters/{id}': ownFilter,
  'PATCH /api/v1/filters/{id}': ownFilter,
  'DELETE /api/v1/filters/{id}': bareFilter,
  'POST /api/v1/filters/{id}/address': bareFilter,
  'DELETE /api/v1/filters/{id}/address': ownFilter,
  'GET /api/v1/filters/{id}/webhooks': ownFilter,
  'POST /api/v1/filters/{id}/webhooks': ownFilter,
  'DELETE /api/v1/filters/{id}/webhooks/{webhook_id}': ownWebhook,
  'POST /api/v1/filters/{id}/webhooks/{webhook_id}/rotate': ownWebhook,
  'POST /api/v1/filters/{id}/webhooks/{webhook_id}/test': ownWebhook,
  'POST /api/v1/filters/{id}/webhooks/{webhook_id}/turn_on': ownWebhook,
  'GET /api/v1/filters/{id}/webhooks/{webhook_id}/deliveries': ownWebhook,
  'POST /api/v1/filters/{id}/webhooks/{webhook_id}/deliveries/{delivery_id}/send': ownWebhook,
  'GET /api/v1/filters/{id}.json': ownFilter,
  'GET /api/v1/filters/{id}.sse': ownFilter,
  'GET /api/v1/filters/{id}.{ext}': ownFilter,
  'GET /api/v1/filters/{id}.cap/{event_id}': ownFilter,
  'GET /f/{random}.{ext}': secretAddress,
  'GET /f/{random}.sse': secretAddress,
  'GET /f/{random}.cap/{event_id}': secretAddress,
  'GET /api/v1/disruptions/{event_id}': async () => ({ ids: { event_id: 'tfl:central' } }),
  'GET /api/v1/disruptions/numbers/{number}': async () => ({ ids: { number: alertNumber('tfl:central') } }),
  'PATCH /api/v1/admin/sources/{source}': async () => ({ ids: { source: 'ea-flood' } }),
  'POST /api/v1/admin/sources/{source}/try': async () => ({ ids: { source: 'sepa-flood' } }),
  'POST /api/v1/admin/sources/{source}/restore': async () => ({ ids: { source: 'sepa-flood' } }),
  'GET /api/v1/disruptions/sources/{source}': async () => ({ ids: { source: 'tfl' } }),
  'GET /api/v1/feeds/{slug}': async () => ({ ids: { slug: 'aviation' } }),
  'GET /api/v1/feeds/{slug}/summary': async () => ({ ids: { slug: 'aviation' } }),
  'GET /api/v1/feeds/{slug}/events': async () => ({ ids: { slug: 'aviation' } }),
  'GET /api/v1/geocode/search': async () => ({ query: '?query=Cardiff&limit=5' }),
  'GET /api/v1/events/{event_id}': async () => ({ ids: { event_id: 'e1' } }),
  'GET /api/v1/events/viewport': async () => ({ query: '?north=55&south=50&east=1&west=-5' }),
  'GET /api/v1/watches/suggest': async () => ({ query: '?q=M1+J4' }),
  'GET /api/v1/watches/{id}': ownWatch,
  'PATCH /api/v1/watches/{id}': ownWatch,
  'DELETE /api/v1/watches/{id}': ownWatch,
  'GET /api/v1/history/board': async () => ({ query: `?at=${world.now().toISOString()}` }),
  'GET /api/v1/history/watches/{id}': ownWatch,
  'GET /api/v1/watches/{id}/matches': ownWatch,
  'GET /api/v1/watches/{id}/explain/{event_id}': ownWatch,
  'POST /api/v1/watches/{id}/feedback': ownWatch,
  'GET /api/v1/responses/{event_id}': async () => ({ ids: { event_id: 'tfl:central' } }),
  'PUT /api/v1/responses/{event_id}': inHand({ disposition: 'diverted' }),
  'DELETE /api/v1/responses/{event_id}': inHand({}),
  'POST /api/v1/responses/{event_id}/notes': inHand({ text: 'Told the driver.' }),
  'POST /api/v1/responses/{event_id}/notes/{note_id}/strike': ownNote,
  'POST /api/v1/handover/notes': async () => ({ body: { id: randomUUID(), text: 'Call Hull.' } }),
  'POST /api/v1/handover/notes/{note_id}/strike': nextShiftLine,
  'POST /api/v1/handover/taken': untaken,
  'GET /api/v1/watches/{id}/explain-messages': ownWatch,
  // Its own: those of the team are for its leads.
  'POST /api/v1/receivers': async () => ({ body: thisDevice() }),
  'DELETE /api/v1/receivers/{id}': someReceiver,
  'POST /api/v1/receivers/{id}/test': someReceiver,
  'GET /api/v1/receivers/confirm/{token}': linked('confirm'),
  'POST /api/v1/receivers/confirm/{token}': linked('confirm'),
  'GET /api/v1/receivers/unsubscribe/{token}': linked('unsubscribe'),
  'POST /api/v1/receivers/unsubscribe/{token}': linked('unsubscribe'),
  'POST /api/v1/reports': async () => ({ body: { ...example.reportRequest, id: randomUUID() } }),
  'GET /api/v1/reports/{event_id}': ownReport,
  'PATCH /api/v1/reports/{event_id}': ownReport,
  'GET /api/v1/keys/{id}': ownKey,
  'DELETE /api/v1/keys/{id}': ownKey,
  'GET /api/v1/keys/{id}/rate-limit': ownKey,
  'POST /api/v1/auth/login': async (caller) => {
    await freshAccount(caller === 'Administrator' ? 'User' : caller);
    return { body: { email: 'rosa@coaches.example', password: PASSWORD } };
  },
  'POST /api/v1/auth/refresh': async () => ({
    body: { refresh_token: (await world.signIn()).refresh_token },
  }),
  'POST /api/v1/auth/register': async () => ({
    body: { email: newAddress(), password: PASSWORD, display_name: 'Somebody' },
  }),
  'POST /api/v1/admin/users': async () => ({
    body: { email: newAddress(), password: PASSWORD, display_name: 'Somebody' },
  }),
  'POST /api/v1/admin/merges/splits': async () => ({ body: APART }),
  'POST /api/v1/admin/merges/splits/undo': async () => {
    await split(world.db, [APART.one, APART.other], world.now());
    return { body: APART };
  },
  'PATCH /api/v1/admin/teams/{id}': someTeam,
  'DELETE /api/v1/admin/teams/{id}': someTeam,
  'PUT /api/v1/admin/teams/{id}/members/{user_id}': async () => ({
    ids: { ...(await someTeam()).ids, user_id: (await world.newUser()).id },
  }),
  'POST /api/v1/auth/password': ownAccount,
  'DELETE /api/v1/auth/sessions/{id}': async (caller) => ({
    ids: { id: (await world.signIn(await freshAccount(caller))).session_id },
  }),
  'POST /api/v1/auth/second-factor': ownAccount,
  'POST /api/v1/auth/second-factor/confirm': ownFactor(false),
  'POST /api/v1/auth/second-factor/recovery-codes': ownFactor(true),
  'POST /api/v1/auth/second-factor/remove': ownFactor(true),
  'POST /api/v1/auth/docs-ticket/redeem': async () => {
    const made = await world.post('/api/v1/auth/docs-ticket', undefined, await world.credential('User'));
    return { body: { ticket: made.json<{ ticket: string }>().ticket } };
  },
  'POST /api/v1/admin/users/{id}/password': somebody,
  'DELETE /api/v1/admin/users/{id}/second-factor': async () => {
    const user = await world.newUser();
    await withFactor(user, true);
    return { ids: { id: user.id } };
  },
  'GET /api/v1/admin/users/{id}/keys': somebody,
  'PATCH /api/v1/admin/users/{id}/keys/{key_id}': async () => {
    const { id } = (await users(world.db).byEmail('boss@coaches.example'))!;
    return { ids: { id, key_id: (await world.newKey('Administrator')).id } };
  },
  'POST /api/v1/admin/displays/{id}/renew': someDisplay,
  'PATCH /api/v1/admin/users/{id}': somebody,
  'DELETE /api/v1/admin/users/{id}': somebody,
  'PATCH /api/v1/admin/displays/{id}': someDisplay,
  'POST /api/v1/admin/displays/{id}/revoke': someDisplay,
  'GET /api/v1/displays/{id}/routes': ownDisplay,
  'PUT /api/v1/displays/{id}/routes': ownDisplay,
  'GET /api/v1/displays/pairing': async () => ({
    query: `?user_code=${(await world.newCode()).user_code}`,
  }),
  'POST /api/v1/displays/pairing/approve': onScreen,
  'POST /api/v1/displays/pairing/deny': onScreen,
  'POST /api/v1/displays/token': async () => {
    const { user_code, device_code } = await world.newCode();
    const approver = await world.credential('User');
    await world.post('/api/v1/displays/pairing/approve', { user_code, name: 'Hall' }, approver);
    return { body: { grant_type: DEVICE_CODE_GRANT, device_code } };
  },
};
