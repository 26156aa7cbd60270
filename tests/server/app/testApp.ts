/** The real app over an empty database (in memory by default), with a clock that stands still until a test moves it. */
import { randomUUID } from 'node:crypto';
import { hash, verify } from '@node-rs/argon2';
import type { FastifyInstance, LightMyRequestResponse } from 'fastify';
import { expect } from 'vitest';
import type { LoginResponse } from '#contract/accounts/auth.ts';
import type { z } from 'zod';
import { buildApp } from '../../../server/app.ts';
import { passwords } from '../../../server/accounts/passwords/passwords.ts';
import { COLLECTORS } from '../../../server/sources/allSources.ts';
import type { Collector } from '../../../server/incidents/collector.ts';
import { readConfig, type Config } from '../../../server/config.ts';
import { type Db, openMemoryDatabase } from '../../../server/db/open.ts';
import { users } from '../../../server/accounts/users.ts';
import type { RowOf } from '../../../server/db/schema.ts';
import { feedAnswers } from '../../../server/feeds/feedAnswers.ts';
import { makeLog } from '../../../server/log.ts';
import { deriveSecrets } from '../../../server/accounts/secrets.ts';

export const SECRET = 'a secret of the tests, longer than 32 bytes';
export const PASSWORD = 'four-lorries-in-Carlisle';

type Login = z.infer<typeof LoginResponse>;

export interface TestApp {
  app: FastifyInstance;
  db: Db;
  /** Moves the clock on. */
  pass(ms: number): void;
  now(): Date;
  /** The number of passwords that were verified. */
  verifications(): number;
  /** Everything that was logged. */
  logged(): string;
  addUser(changes?: Partial<RowOf<'users'>>): Promise<RowOf<'users'>>;
  /** Posts JSON. */
  post(url: string, body?: unknown, token?: string): Promise<LightMyRequestResponse>;
  get(url: string, token?: string): Promise<LightMyRequestResponse>;
  /** Signs in as that user, who has PASSWORD. */
  signIn(user?: Pick<RowOf<'users'>, 'email'>): Promise<Login>;
  close(): Promise<void>;
}

export async function openTestApp({
  config = {},
  dist = '/nowhere',
  routes = () => {},
  open = openMemoryDatabase,
  collectors = COLLECTORS,
  onSourceAsked,
}: {
  config?: Partial<Config>;
  dist?: string;
  /** Adds routes of the test's own. */
  routes?: (app: FastifyInstance) => void;
  open?: () => Promise<{ db: Db; close(): Promise<void> }>;
  collectors?: readonly Collector[];
  onSourceAsked?: () => void;
} = {}): Promise<TestApp> {
  const { db, close } = await open();
  let time = Date.parse('2026-11-21T09:00:00.000Z');
  const now = () => new Date(time);
  let verifications = 0;
  let logged = '';

  const counted = passwords((kept, password) => {
    verifications++;
    return verify(kept, password);
  });
  const app = buildApp({
    config: { ...readConfig({}, []), ...config },
    db,
    secrets: deriveSecrets(SECRET),
    now,
    log: makeLog('trace', { write: (line) => (logged += line) }),
    feedAnswers: feedAnswers({ db, collectors, now }),
    collectors,
    passwords: counted,
    ...(onSourceAsked && { onSourceAsked }),
    dist,
  });
  routes(app);
  await app.ready();
  const password_hash = await (cheapHash ??= hash(PASSWORD, { memoryCost: 8, timeCost: 1, parallelism: 1 }));

  const test: TestApp = {
    app,
    db,
    now,
    pass: (ms) => (time += ms),
    verifications: () => verifications,
    logged: () => logged,

    async addUser(changes) {
      const user: RowOf<'users'> = {
        id: randomUUID(),
        email: 'rosa@coaches.example',
        display_name: 'Rosa',
        password_hash,
        role: 'user',
        is_active: 1,
        is_verified: 1,
        created_at: now().toISOString(),
        last_login: null,
        ...changes,
      };
      expect(await users(db).insert(user)).toBe(true);
      return user;
    },

    async post(url, body, token) {
      return app.inject({
        method: 'POST',
        url,
        headers: authorization(token),
        ...(body !== undefined && { payload: body as object }),
      });
    },

    async get(url, token) {
      return app.inject({ method: 'GET', url, headers: authorization(token) });
    },

    async signIn(user = { email: 'rosa@coaches.example' }) {
      const reply = await test.post('/api/v1/auth/login', { email: user.email, password: PASSWORD });
      expect(reply.statusCode, reply.body).toBe(200);
      return reply.json<Login>();
    },

    async close() {
      await app.close();
      await close();
    },
  };
  return test;
}

const authorization = (token: string | undefined) => (token ? { authorization: `Bearer ${token}` } : {});

/** The hash itself contains its cost, which is almost nothing here: hundreds of tests sign in. */
let cheapHash: Promise<string> | undefined;
