/** Everybody who may call: the real app with one of each kind of caller, and a document to call it by. */
import type { InjectOptions, LightMyRequestResponse } from 'fastify';
import { DEVICE_CODE_GRANT } from '#contract/displays/displays.ts';
import type { NewSharedAddress, SharedForm } from '#contract/watches/sharing.ts';
import type { KeyScope, NewApiKey } from '#contract/accounts/keys.ts';
import type { Watch } from '#contract/watches/watches.ts';
import { example } from '../../server/calls/reference/examples.ts';
import { tokens } from '../../server/accounts/tokens.ts';
import { addresses } from '../../server/watches/sharedAddresses.ts';
import { sessions } from '../../server/accounts/sessions.ts';
import { teams } from '../../server/accounts/teams.ts';
import { users } from '../../server/accounts/users.ts';
import type { OpenApi, Operation } from '../../server/calls/reference/openapi.ts';
import { secretHash } from '../../server/calls/waysOut/sharingCalls.ts';
import { deriveSecrets } from '../../server/accounts/secrets.ts';
import { openTestApp, SECRET, type TestApp } from './app/testApp.ts';

/** Callers in the order of the columns of docs/calls.md. */
export const CALLERS = [
  'Anonymous',
  'User',
  'Administrator',
  'API key',
  'Managing key',
  'Disabled user',
  'Display',
] as const;
export type Caller = (typeof CALLERS)[number];

export interface World extends TestApp {
  /** The calls of the OpenAPI document: `GET /api/v1/feeds/{slug}`, with its description. Reading them takes half a
   *  second, and few tests need it. */
  operations(): Promise<[call: string, Operation][]>;
  /** A credential that is valid now; undefined for nobody. Each person gets a new session, because a call may end
   *  it. */
  credential(caller: Caller): Promise<string | undefined>;
  /** Whether the caller User is a lead of their team. */
  setLead(isLead: boolean): Promise<void>;
  /** Makes a route of that caller's team. */
  newWatch(owner: 'User' | 'Administrator'): Promise<Watch>;
  /** Makes an address of a route of that team. */
  newAddress(owner: 'User' | 'Administrator', form?: SharedForm): Promise<NewSharedAddress>;
  /** Makes an account for a call that changes one. */
  newUser(): Promise<{ id: string; email: string }>;
  newKey(owner: 'User' | 'Administrator'): Promise<NewApiKey>;
  /** The code on a display's screen, and the code that fetches the credential after the approval. */
  newCode(): Promise<{ user_code: string; device_code: string }>;
  newDisplay(owner?: 'User' | 'Administrator'): Promise<{ id: string; access_token: string }>;
}

export async function openWorld(options: Parameters<typeof openTestApp>[0] = {}): Promise<World> {
  const mode = 'many';
  const test = await openTestApp({
    ...options,
    config: { registration: 'open', teams: mode, keyLimits: { free: null, pro: null, enterprise: null } },
  });
  endStreams(test.app);
  const people = {
    User: await test.addUser(),
    Administrator: await test.addUser({ email: 'boss@coaches.example', role: 'admin' }),
    'Disabled user': await test.addUser({ email: 'gone@coaches.example' }),
  };
  let made = 0;

  /** Signs somebody in without the time that a password takes. */
  const enter = async ({ id }: { id: string }): Promise<string> => {
    const [at, ahead] = [test.now().toISOString(), '2027-11-21T09:00:00.000Z'];
    const session = {
      id: `session ${made++}`,
      user_id: id,
      created_at: at,
      last_used_at: at,
      expires_at: ahead,
      revoked_at: null,
      revoked_reason: null,
      display_id: null,
    };
    await sessions(test.db).start({ session, tokenHash: `token ${made}`, tokenExpiresAt: ahead });
    return tokens(deriveSecrets(SECRET)).access({ userId: id, sessionId: session.id }, test.now());
  };
  const must = async <T>(reply: Promise<{ statusCode: number; body: string }>): Promise<T> => {
    const { statusCode, body } = await reply;
    if (statusCode >= 300) throw new Error(`${statusCode}: ${body}`);
    return JSON.parse(body) as T;
  };

  const newKey = async (owner: 'User' | 'Administrator', scope: KeyScope = 'read') =>
    must<NewApiKey>(test.post('/api/v1/keys', { name: `Key ${made++}`, scope }, await enter(people[owner])));
  const newCode = () =>
    must<{ user_code: string; device_code: string }>(test.post('/api/v1/displays/device_authorization'));
  const newDisplay = async (owner: 'User' | 'Administrator' = 'User') => {
    const { user_code, device_code } = await newCode();
    const body = { user_code, name: `Screen ${made++}` };
    const { id } = await must<{ id: string }>(
      test.post('/api/v1/displays/pairing/approve', body, await enter(people[owner])),
    );
    const token = await must<{ access_token: string }>(
      test.post('/api/v1/displays/token', { grant_type: DEVICE_CODE_GRANT, device_code }),
    );
    return { id, access_token: token.access_token };
  };

  const key = await newKey('User');
  const managing = await newKey('User', 'manage');
  const display = await newDisplay();
  const disabled = await enter(people['Disabled user']);
  await users(test.db).change(people['Disabled user'].id, { is_active: 0 });

  return {
    ...test,
    async operations() {
      const { paths } = (await test.get('/openapi.json')).json<OpenApi>();
      return Object.entries(paths).flatMap(([path, methods]) =>
        Object.entries(methods).map(([method, operation]): [string, Operation] => [
          `${method.toUpperCase()} ${path}`,
          operation,
        ]),
      );
    },
    newUser: () => test.addUser({ id: `user ${made}`, email: `user-${made++}@coaches.example` }),
    newWatch: async (owner) =>
      must<Watch>(test.post('/api/v1/watches', example.watchRequest, await enter(people[owner]))),
    async newAddress(owner, form = 'ics') {
      // A team may have 200 addresses, so those of much earlier calls are deleted.
      await test.db.deleteFrom('addresses').where('made_at', '<', test.now().toISOString()).execute();
      const made = await must<Watch>(
        test.post('/api/v1/watches', example.watchRequest, await enter(people[owner])),
      );
      const expires_at = new Date(test.now().getTime() + 24 * 60 * 60_000).toISOString();
      // Only leads may make addresses, so they make those of members too.
      const { team_id } = await test.db
        .selectFrom('watches')
        .select('team_id')
        .where('id', '=', made.id)
        .executeTakeFirstOrThrow();
      const random = `${form}-${made.id}`;
      const about = { watch_id: made.id };
      const address = { id: made.id, hash: secretHash(random), about, form, expires_at };
      await addresses(test.db).add({ teamId: team_id, userId: people[owner].id }, address, test.now());
      const [open] = await addresses(test.db).open(team_id, about, test.now());
      return { ...open!, path: form === 'page' ? `/p/${random}` : `/f/${random}.${form}` };
    },
    async setLead(isLead) {
      const of = teams(test.db, mode);
      const { id } = await of.of(people.User.id, test.now());
      await of.put(people.User.id, id, isLead ? 'lead' : 'member', test.now());
    },
    newKey,
    newCode,
    newDisplay,
    async credential(caller) {
      switch (caller) {
        case 'Anonymous':
          return undefined;
        case 'API key':
          return key.key;
        case 'Managing key':
          return managing.key;
        case 'Display':
          return display.access_token;
        case 'Disabled user':
          return disabled;
        case 'User':
        case 'Administrator':
          return enter(people[caller]);
      }
    },
  };
}

/** A stream has no end: its headers count as its answer. */
function endStreams(app: TestApp['app']): void {
  const inject = app.inject.bind(app) as (options: InjectOptions) => Promise<LightMyRequestResponse>;
  const injectAll = async (options: InjectOptions) => {
    if (!/\.sse(?:\?|$)/.test(String(options.url))) return inject(options);
    const reply = await inject({ ...options, payloadAsStream: true });
    const stream = reply.stream();
    if (reply.statusCode === 200) {
      stream.destroy();
      return Object.assign(reply, { body: '' });
    }
    const parts: Buffer[] = [];
    for await (const part of stream) parts.push(part as Buffer);
    const body = String(Buffer.concat(parts));
    return Object.assign(reply, { body, json: () => JSON.parse(body) as unknown });
  };
  app.inject = injectAll as unknown as typeof app.inject;
}
