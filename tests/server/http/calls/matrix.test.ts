import { format } from 'oxfmt';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Who } from '../../../../server/accounts/guard.ts';
import { events } from '../../../../server/geography/events/events.ts';
import type { OpenApi, Operation } from '../../../../server/calls/reference/openapi.ts';
import { CALLERS, openWorld, type Caller, type World } from '../../callers.ts';
import { event } from '../../geography/events/import/oneEvent.ts';
import { poll, record } from '../../feedsWorld.ts';
import { callInputs, type Inputs } from './callInputs.ts';

/** The answer to each caller for each kind of permission, in the order of CALLERS. */
const ANSWERS: Readonly<Record<Who, readonly string[]>> = {
  anyone: ['yes', 'yes', 'yes', 'yes', 'yes', 'yes', 'yes'],
  user: ['401', 'yes', 'yes', '403', '403', '401', '403'],
  lead: ['401', 'lead', 'yes', '403', '403', '401', '403'],
  admin: ['401', '403', 'yes', '403', '403', '401', '403'],
  manage: ['401', 'yes', 'yes', '403', 'yes', '401', '403'],
  manageLead: ['401', 'lead', 'yes', '403', 'lead', '401', '403'],
  jobs: ['401', 'yes', 'yes', '403', '403', '401', '403'],
  data: ['401', 'yes', 'yes', 'yes', 'yes', '401', '403'],
  board: ['401', 'yes', 'yes', 'yes', 'yes', '401', 'yes'],
  display: ['401', '403', '403', '403', '403', '401', 'yes'],
};

const INTRODUCTION = `# Who may call what

Made by \`npm run calls\` from what each call declares in the code; \`npm test\` fails while the two differ.

\`yes\`, or the status of the refusal: 401 for callers who must sign in, 403 for callers without the right.
\`tests/server/http/calls/matrix.test.ts\` makes every call as every caller. \`/docs\` describes the parameters and answers.

- "lead": leads of a team are answered, its other members get 403.
- "managing key": an API key of the scope \`manage\`. A key of the scope \`jobs:read\` reads jobs as well.
- "disabled user": from the moment an administrator disables the account.
- "display": a paired display.

Registration is open only if the operator has set \`REGISTRATION=open\`; otherwise everyone gets 403.
`;

/** Answers to each caller, by call as it is declared. */
const table = new Map<string, readonly string[]>();
let world: World;
let inputs: Inputs;

beforeAll(async () => {
  world = await openWorld({
    routes: (app) => {
      app.addHook('onRoute', ({ method, url, config }) => {
        if (method !== 'HEAD' && config?.who)
          table.set(`${String(method)} ${documented(url)}`, ANSWERS[config.who]);
      });
    },
  });
  inputs = callInputs(world);
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

it('docs/calls.md is what the calls declare', async () => {
  const { tags } = (await world.get('/openapi.json')).json<OpenApi>();
  const columns = [
    'call',
    ...CALLERS.map((caller) => caller.replace(/^[A-Z](?!P)/, (first) => first.toLowerCase())),
  ];
  const calls = await world.operations();
  const rows = (tag: string) =>
    calls
      .filter(([, operation]) => operation.tags.includes(tag))
      .map(([call]) => [`\`${call}\``, ...table.get(call)!]);
  const tables = tags.map(({ name }) =>
    [
      `## ${name}\n`,
      ...[columns, columns.map(() => '---'), ...rows(name)].map((row) => `| ${row.join(' | ')} |`),
    ].join('\n'),
  );
  const { code: text } = await format('calls.md', [INTRODUCTION, ...tables].join('\n\n'));
  await expect(text).toMatchFileSnapshot('../../../../docs/calls.md');
});

it('the API description has exactly the calls that are declared', async () => {
  expect((await world.operations()).map(([call]) => call).toSorted()).toEqual([...table.keys()].toSorted());
});

it('the API description and the table give the same credentials for every call', async () => {
  const SCHEMES = { session: 'User', apiKey: 'Managing key', display: 'Display' } as const;
  for (const [call, { security }] of await world.operations()) {
    const answers = table.get(call)!;
    const given = (caller: Caller) => answers[CALLERS.indexOf(caller)];
    const anybody = given('Anonymous') === 'yes';
    expect(security.length === 0, call).toBe(anybody);
    if (anybody) continue;
    for (const [scheme, caller] of Object.entries(SCHEMES)) {
      // The description says only that people must be signed in; its text says if they must be administrators.
      const takes =
        given(caller) !== '403' ||
        // Keys of the scope `jobs:read` have their test in tests/server/calls/watches/jobCalls.test.ts.
        (scheme === 'apiKey' &&
          / \/api\/v1\/(?:stats\/)?jobs(?:\/\{id\})?$/.test(call) &&
          call.startsWith('GET ')) ||
        (caller === 'User' && given('Administrator') === 'yes');
      expect(
        security.some((one) => scheme in one),
        `${call} by ${scheme}`,
      ).toBe(takes);
    }
  }
});

it('every caller gets the answer of the table from every call', async () => {
  for (const [call, operation] of await world.operations()) {
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
}, 300_000); // several hash a password

async function expectAnswer(
  call: string,
  operation: Operation,
  caller: Caller,
  answer: string,
  isLead = false,
) {
  // The subject of the call was made by a lead.
  await world.setLead(true);
  const token = await world.credential(caller);
  const [method, path] = call.split(' ', 2) as ['GET', string];
  const { ids = {}, query = '', body, headers } = (await inputs[call]?.(caller)) ?? {};
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
