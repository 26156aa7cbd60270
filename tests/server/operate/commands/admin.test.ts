import { execFile } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { LoginResponse } from '#contract/accounts/auth.ts';
import type { NewApiKey } from '#contract/accounts/keys.ts';
import { admin } from '../../../../server/operate/commands/admin.ts';
import { readDatabasePlace } from '../../../../server/config.ts';
import { accountSecurity } from '../../../../server/accounts/passwords/secondFactor.ts';
import { auditTrail } from '../../../../server/accounts/auditTrail.ts';
import { DATABASE_FILE, openBeside, openDatabase } from '../../../../server/db/open.ts';
import { users } from '../../../../server/accounts/users.ts';
import { createPostgresDatabase } from '../../../support/databases.ts';
import { COMPILED, startServer, type RunningServer } from '../../../support/server.ts';
import { openTestApp, PASSWORD, type TestApp } from '../../app/testApp.ts';

const root = new URL('../../../..', import.meta.url).pathname;
/** Time for a server and a command to start on a busy machine. */
const LIMIT_MS = 180_000;
const rosa = 'rosa@coaches.example';

describe.each(['sqlite', 'postgres'] as const)(
  'npm run admin, beside a running server on %s',
  { timeout: LIMIT_MS },
  (engine) => {
    let server: RunningServer;
    let env: Record<string, string>;
    let drop = async () => {};
    beforeAll(async () => {
      if (engine === 'postgres') {
        const made = await createPostgresDatabase();
        env = { DATABASE_URL: made.url };
        drop = made.drop;
        server = await startServer({ env: { ...env, SECRET: 's'.repeat(32) } });
      } else {
        server = await startServer();
        env = { DATA_DIR: server.dataDir };
      }
    });
    afterAll(async () => {
      await server.dispose();
      await drop();
    });

    const run = (...args: string[]) => admin(args, { env, stdin: Readable.from([]) });
    /** Runs the command as the README says it. Other commands begin in this process, which takes a tenth of the
     *  time. */
    async function runByNpm(...args: string[]): Promise<string> {
      const { PATH = '', HOME = '' } = process.env;
      const options = { cwd: root, env: { PATH, HOME, ...COMPILED, ...env } };
      const { stdout } = await promisify(execFile)(
        'npm',
        ['run', '--silent', 'admin', '--', ...args],
        options,
      );
      return stdout.trimEnd();
    }
    async function call(path: string, token?: string, body?: object) {
      const reply = await fetch(`${server.origin}/api/v1/${path}`, {
        method: body ? 'POST' : 'GET',
        headers: {
          'content-type': 'application/json',
          ...(token !== undefined && { authorization: `Bearer ${token}` }),
        },
        body: body && JSON.stringify(body),
      });
      return { status: reply.status, body: await reply.json() };
    }

    it('makes a user, raises the tier of a key, resets the password and ends the sessions', async () => {
      const made = await runByNpm('create-user', rosa, '--name', 'Rosa');
      const password =
        /^rosa@coaches\.example was created\.\nPassword: (\S{23})\nIt is shown only this once\.$/.exec(
          made,
        )?.[1];
      const signIn = await call('auth/login', undefined, { email: rosa, password });
      const { access_token, refresh_token, user } = signIn.body as LoginResponse;
      expect(user).toMatchObject({ email: rosa, display_name: 'Rosa', role: 'user', is_active: true });

      const key = (await call('keys/', access_token, { name: 'Production', tier: 'free' })).body as NewApiKey;
      expect(await run('set-tier', key.key_prefix, 'pro')).toBe(
        `${key.key_prefix}, "Production" of ${rosa}, is pro now; it was free.`,
      );
      expect((await call(`keys/${key.id}/rate-limit`, access_token)).body).toMatchObject({
        tier: 'pro',
        limit_per_day: 50_000,
      });

      expect(await run('reset-password', rosa)).toMatch(
        /^The password of rosa@coaches\.example was changed, and 1 session ended\.\nPassword: \S{23}\n/,
      );
      expect((await call('auth/me', access_token)).status).toBe(401);
      expect((await call('auth/refresh', undefined, { refresh_token })).status).toBe(401);
      expect((await call('auth/login', undefined, { email: rosa, password })).status).toBe(401);
      expect((await call('feeds/', key.key)).status).toBe(200);
    });

    it('changes nothing that it cannot write to the audit trail', async () => {
      const there = { env, stdin: Readable.from([]) };
      const anna = 'anna@coaches.example';
      await admin(['create-user', anna, '--name', 'Anna'], there);
      const { db, close } = await openBeside(readDatabasePlace(env));
      try {
        await db.schema.alterTable('audit_trail').renameTo('audit_trail_away').execute();
        const before = await users(db).byEmail(anna);
        for (const args of [
          ['create-user', 'ben@coaches.example'],
          ['reset-password', anna],
        ])
          await expect(admin(args, there)).rejects.toThrow(/audit_trail/);
        expect(await users(db).byEmail('ben@coaches.example')).toBeUndefined();
        expect(await users(db).byEmail(anna)).toEqual(before);
      } finally {
        await db.schema.alterTable('audit_trail_away').renameTo('audit_trail').execute();
        await close();
      }
    });
  },
);

describe('npm run admin', () => {
  let empty: string;
  let dataDir: string;
  let test: TestApp;
  // Migrated once, and copied for each test.
  beforeAll(async () => {
    empty = mkdtempSync(join(tmpdir(), 'clearway-admin-empty-'));
    await (await openDatabase({ dataDir: empty })).close();
  });
  afterAll(() => rmSync(empty, { recursive: true }));
  beforeEach(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'clearway-admin-'));
    copyFileSync(join(empty, DATABASE_FILE), join(dataDir, DATABASE_FILE));
    test = await openTestApp({ open: () => openDatabase({ dataDir }) });
  });
  afterEach(async () => {
    await test.close();
    rmSync(dataDir, { recursive: true });
  });

  const run = (args: string[], typed = '', settings: Record<string, string> = {}) =>
    admin(args, { env: { DATA_DIR: dataDir, ...settings }, stdin: Readable.from([typed]) });
  const signInStatus = async (email: string, password: string) =>
    (await test.post('/api/v1/auth/login', { email, password })).statusCode;

  it('writes what it did to the audit trail', async () => {
    await run(['create-user', rosa, '--password-stdin'], PASSWORD);
    await run(['reset-password', rosa, '--password-stdin'], 'three-buses-in-Leith');
    await run(['revoke-sessions', rosa]);
    const { entries } = await auditTrail(test.db).page({ limit: 10 });
    expect(entries.map(({ actor, action, subject }) => [actor, action, subject]).sort()).toEqual([
      ['The operator', 'user.created', rosa],
      ['The operator', 'user.password_reset', rosa],
      ['The operator', 'user.signed_out', rosa],
    ]);
  });

  it('makes an administrator, with a password that is on no command line', async () => {
    const said = await run(
      ['create-user', 'Boss@Coaches.example', '--admin', '--password-stdin'],
      `${PASSWORD}\n`,
    );
    expect(said).toBe('Boss@Coaches.example was created as an administrator.');
    const boss = await users(test.db).byEmail('boss@coaches.example');
    expect(boss).toMatchObject({ display_name: 'Boss', role: 'admin', is_active: 1 });
    expect(await signInStatus('boss@coaches.example', PASSWORD)).toBe(200);
  });

  it('lets a user in again after a forgotten password and too many tries', async () => {
    await test.addUser();
    for (let guess = 0; guess < 10; guess++) await signInStatus(rosa, 'wrong');
    expect(await signInStatus(rosa, PASSWORD)).toBe(429);
    await run(['reset-password', rosa, '--password-stdin'], 'three-buses-in-Leith');
    expect(await signInStatus(rosa, 'three-buses-in-Leith')).toBe(200);
  });

  it('makes a password that is only for choosing another, and removes a lost second factor', async () => {
    const user = await test.addUser();
    await accountSecurity(test.db).prepareFactor(user.id, 'sealed');
    await accountSecurity(test.db).confirmFactor(user.id, test.now());
    expect(await signInStatus(rosa, PASSWORD)).toBe(401);
    expect(await run(['remove-second-factor', rosa])).toBe(
      `The second factor of ${rosa} was removed, and 0 sessions ended.`,
    );
    await expect(run(['remove-second-factor', rosa])).rejects.toThrow('has no second factor.');
    expect((await test.signIn()).user.must).toBeUndefined();

    await run(['reset-password', rosa, '--temporary', '--password-stdin'], PASSWORD);
    expect((await test.signIn()).user.must).toBe('change_password');
  });

  it('signs a person out everywhere, and nobody else', async () => {
    await test.addUser();
    await test.addUser({ email: 'ben@coaches.example' });
    const ended = [await test.signIn(), await test.signIn()];
    const ben = await test.signIn({ email: 'ben@coaches.example' });

    expect(await run(['revoke-sessions', rosa])).toBe(`2 sessions of ${rosa} ended.`);
    for (const { access_token } of ended)
      expect((await test.get('/api/v1/auth/me', access_token)).statusCode).toBe(401);
    expect((await test.get('/api/v1/auth/me', ben.access_token)).statusCode).toBe(200);
  });

  it('lists the keys of a person, on one line each whatever their names hold', async () => {
    await test.addUser();
    const { access_token } = await test.signIn();
    expect(await run(['list-keys', rosa])).toBe(`${rosa} has no API keys.`);
    const key = (await test.post('/api/v1/keys/', { name: 'Up' }, access_token)).json<NewApiKey>();
    const name = 'up\u202edown'; // taken once, and refused since
    await test.db.updateTable('api_keys').set({ name }).execute();
    await test.get('/api/v1/feeds/', key.key);

    const said = await run(['list-keys', rosa]);
    expect(said).toMatch(
      new RegExp(`^${key.id}  ${key.key_prefix}  free        \\d today, \\d this month  up down$`),
    );
    expect(said).not.toContain(key.key);
  });

  it('makes a team and moves a person to it, with many teams only', async () => {
    await test.addUser();
    const many = (...args: string[]) => run(args, '', { TEAMS: 'many' });
    await expect(run(['create-team', 'Leeds'])).rejects.toThrow('Set TEAMS=many to have more.');
    const [, id = ''] =
      /^Leeds was created\. Its id is (\S+)$/.exec(await many('create-team', ' Leeds ')) ?? [];
    expect(await many('move-member', rosa, id, '--lead')).toBe(`${rosa} is a lead of Leeds now.`);
    expect(await many('list-teams')).toContain(`${id}  Leeds\n  ${rosa}  lead`);
    expect(await run(['list-teams'])).toBe(`everyone  Everyone\n  ${rosa}  lead`);
    await expect(many('move-member', rosa, 'x')).rejects.toThrow('There is no such team.');
  });

  it('changes no tier when two keys share the prefix', async () => {
    await test.addUser();
    const { access_token } = await test.signIn();
    for (const name of ['One', 'Two']) await test.post('/api/v1/keys/', { name }, access_token);
    await test.db.updateTable('api_keys').set({ key_prefix: 'cw_live_7Kq2' }).execute();

    await expect(run(['set-tier', 'cw_live_7Kq2', 'pro'])).rejects.toThrow(
      '2 API keys begin like that. Give the id of the one you mean.',
    );
    const tiers = await test.db.selectFrom('api_keys').select('rate_limit_tier').execute();
    expect(tiers).toEqual([{ rate_limit_tier: 'free' }, { rate_limit_tier: 'free' }]);
  });

  it.each([
    [
      [],
      /^The commands are create-user, reset-password, remove-second-factor, revoke-sessions, list-keys, set-tier/,
    ],
    [['drop'], /^Unknown command "drop"\. The commands are/],
    [['toString'], /^Unknown command "toString"\./],
    [['create-user'], /^create-user takes EMAIL \(see --help\)/],
    [['set-tier', 'x'], /^set-tier takes KEY and TIER/],
    [['list-keys', rosa, '--admin'], /^list-keys does not know --admin/],
    [['list-keys', rosa, '--fast'], /^Unknown option '--fast'.*\(see --help\)$/],
    [['create-user', 'rosa'], /^Email must be an email address$/],
    [['create-user', rosa, '--name', ' '], /^Display name is required$/],
    [['create-user', rosa, '--password-stdin'], /^Password must have at least 8 characters\.$/],
    [['reset-password', rosa], /^There is no account with the address rosa@coaches\.example\.$/],
    [['revoke-sessions', rosa], /^There is no account with the address/],
    [['set-tier', 'cw_live_7Kq2', 'pro'], /^There is no such API key\. "list-keys EMAIL" lists/],
    [['set-tier', 'cw_live_7Kq2', 'gold'], /^TIER must be free, pro, enterprise, not "gold"\.$/],
  ])('refuses %j in one line, and changes nothing', async (args, message) => {
    await expect(run(args)).rejects.toThrow(message);
    expect(await users(test.db).byEmail(rosa)).toBeUndefined();
  });

  it('does not make an account twice', async () => {
    await test.addUser();
    await expect(run(['create-user', rosa])).rejects.toThrow(
      `There is already an account with the address ${rosa}.`,
    );
  });

  it('explains itself, without a database', async () => {
    const help = await admin(['--help'], { env: { DATA_DIR: '/nowhere' }, stdin: Readable.from([]) });
    expect(help).toContain('npm run admin -- COMMAND');
    await expect(
      admin(['list-keys', rosa], { env: { DATA_DIR: '/nowhere' }, stdin: Readable.from([]) }),
    ).rejects.toThrow('There is no database in /nowhere. Start the server first');
    await expect(
      admin(['list-keys', rosa], { env: { DATABASE_URL: 'mysql://db' }, stdin: Readable.from([]) }),
    ).rejects.toThrow('DATABASE_URL must be a PostgreSQL address');
  });
});
