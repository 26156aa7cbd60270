/** `npm run admin -- COMMAND`: an operator's tasks by hand, beside the running server or without it. */
import { randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { counted } from '#contract/numbers.ts';
import { RegisterRequest } from '#contract/accounts/auth.ts';
import { Tier } from '#contract/accounts/keyTiers.ts';
import { NamedTeam, type TeamMode } from '#contract/accounts/teams.ts';
import {
  generatePassword,
  passwordProblem,
  passwords,
  temporaryUntil,
} from '../../accounts/passwords/passwords.ts';
import { loginLimits } from '../../accounts/passwords/loginLimits.ts';
import { readDatabasePlace } from '../../config.ts';
import { check } from './check.ts';
import { accountSecurity } from '../../accounts/passwords/secondFactor.ts';
import { apiKeys } from '../../accounts/keys/apiKeys.ts';
import { auditTrail, OPERATOR, type Subject } from '../../accounts/auditTrail.ts';
import { type Db, openBeside } from '../../db/open.ts';
import type { RowOf } from '../../db/schema.ts';
import { sessions } from '../../accounts/sessions.ts';
import { layouts } from '../../accounts/displays/layouts.ts';
import { teams } from '../../accounts/teams.ts';
import { users } from '../../accounts/users.ts';

const HELP = `Usage: npm run admin -- COMMAND

  create-user EMAIL [--name NAME] [--admin] [--temporary] [--password-stdin]
                   creates an account and prints its password
  reset-password EMAIL [--temporary] [--password-stdin]
                   sets and prints a new password, and ends all the account's sessions
  remove-second-factor EMAIL
                   for somebody who has lost it; ends all the account's sessions
  revoke-sessions EMAIL
                   signs the person out everywhere; API keys and displays keep working
  list-keys EMAIL  the person's API keys, with their ids, tiers and use
  set-tier KEY TIER
                   KEY is a key's id, or its prefix such as cw_live_7Kq2; TIER is ${Tier.options.join(', ')}

  check            settings, free disk, database, clock, certificate's days, backups and each source; ends with 1
                   when something is bad
  list-teams       the teams, with their ids and members
  create-team NAME creates a team (TEAMS=many only)
  move-member EMAIL TEAM [--lead]
                   TEAM is a team's id; without --lead they are an ordinary member of it

  --temporary      the password is good for a week, and only for choosing another
  --password-stdin reads the password from standard input instead of making one up
  --help           this text

Works while the server runs and takes effect at once. The environment names the database: DATABASE_URL, or the folder
DATA_DIR (data/ when unset; the replay's is data/replay). It must exist: the server creates it at its first start. TEAMS
must be as the server has it.
`;

interface Task {
  db: Db;
  now: Date;
  /** The arguments, already checked: as many as the command takes. */
  args: readonly string[];
  flags: Flags;
  mode: TeamMode;
  /** A password can be read from here. */
  stdin: Readable;
}
type Flags = ReturnType<typeof readArguments>['values'];

const NewUser = z.object({
  email: RegisterRequest.shape.email,
  display_name: RegisterRequest.shape.display_name,
});

/** The commands, each with its arguments and its output. */
const COMMANDS: Readonly<
  Record<string, { takes: readonly string[]; flags?: readonly string[]; run(task: Task): Promise<string> }>
> = {
  'create-user': {
    takes: ['EMAIL'],
    flags: ['name', 'admin', 'password-stdin', 'temporary'],
    async run(task) {
      const { db, now, flags } = task;
      const [address = ''] = task.args;
      const name = flags.name ?? address.split('@', 1)[0];
      const read = NewUser.safeParse({
        email: address,
        display_name: name,
      });
      if (!read.success) throw new Error(read.error.issues[0]!.message);

      const { email, display_name } = read.data;
      const { password, passwordLine } = await chosenPassword(task);
      const row = {
        id: randomUUID(),
        email,
        display_name,
        password_hash: await passwords().hash(password),
        role: flags.admin ? ('admin' as const) : ('user' as const),
        is_active: 1,
        is_verified: 1,
        created_at: now.toISOString(),
        last_login: null,
      };
      await db.transaction().execute(async (trx) => {
        const added = await users(trx).insert(row);
        if (!added) throw new Error(`There is already an account with the address ${email}.`);
        if (flags.temporary) await accountSecurity(trx).notePasswordUntil(row.id, temporaryUntil(now));
        await note(trx, now, 'user.created', row, row.role);
      });
      return `${email} was created${flags.admin ? ' as an administrator' : ''}.${passwordLine}`;
    },
  },

  'reset-password': {
    takes: ['EMAIL'],
    flags: ['password-stdin', 'temporary'],
    async run(task) {
      const { db, now, flags } = task;
      const [address = ''] = task.args;
      const person = await personAt(db, address);
      const { id, email } = person;
      const { password, passwordLine } = await chosenPassword(task);
      const hash = await passwords().hash(password);
      const ended = await db.transaction().execute(async (trx) => {
        await users(trx).setPasswordHash(id, hash);
        await accountSecurity(trx).notePasswordUntil(id, flags.temporary ? temporaryUntil(now) : null);
        // A person who has forgotten their password has often tried too many.
        await loginLimits(trx, () => now).forgive(email);
        await note(trx, now, 'user.password_reset', person);
        return sessions(trx).revokeAllOf(id, 'password reset', now);
      });
      return `The password of ${email} was changed, and ${counted(ended, 'session')} ended.${passwordLine}`;
    },
  },

  'remove-second-factor': {
    takes: ['EMAIL'],
    async run({ db, now, args: [address = ''] }) {
      const person = await personAt(db, address);
      const { id, email } = person;
      if (!(await accountSecurity(db).of(id))?.factor_since)
        throw new Error(`${email} has no second factor.`);
      const ended = await db.transaction().execute(async (trx) => {
        await accountSecurity(trx).removeFactor(id);
        await note(trx, now, 'second_factor.reset', person);
        return sessions(trx).revokeAllOf(id, 'second factor removed', now);
      });
      return `The second factor of ${email} was removed, and ${counted(ended, 'session')} ended.`;
    },
  },

  'revoke-sessions': {
    takes: ['EMAIL'],
    async run({ db, now, args: [address = ''] }) {
      const person = await personAt(db, address);
      const { id, email } = person;
      const ended = await db.transaction().execute(async (trx) => {
        await note(trx, now, 'user.signed_out', person);
        return sessions(trx).revokeAllOf(id, 'operator', now);
      });
      return `${counted(ended, 'session')} of ${email} ended.`;
    },
  },

  'list-keys': {
    takes: ['EMAIL'],
    async run({ db, now, args: [address = ''] }) {
      const { id, email } = await personAt(db, address);
      const keys = await apiKeys(db).ofUser(id, now);
      if (keys.length === 0) return `${email} has no API keys.`;
      return keys
        .map((key) =>
          [
            key.id,
            key.key_prefix,
            key.rate_limit_tier.padEnd(longest(Tier.options)),
            `${key.requests_today} today, ${key.requests_month} this month`,
            oneLine(key.name),
          ].join('  '),
        )
        .join('\n');
    },
  },

  'set-tier': {
    takes: ['KEY', 'TIER'],
    async run({ db, now, args: [name = '', tier = ''] }) {
      const wanted = Tier.safeParse(tier);
      if (!wanted.success)
        throw new Error(`TIER must be ${Tier.options.join(', ')}, not "${oneLine(tier)}".`);
      const [key, ...others] = await apiKeys(db).named(name, now);
      if (!key) throw new Error('There is no such API key. "list-keys EMAIL" lists the keys of a person.');
      if (others.length > 0) {
        throw new Error(`${others.length + 1} API keys begin like that. Give the id of the one you mean.`);
      }
      const owner = await users(db).byId(key.user_id);
      const change = `${key.key_prefix} from ${key.rate_limit_tier} to ${wanted.data}`;
      await db.transaction().execute(async (trx) => {
        await apiKeys(trx).setTier(key.id, wanted.data);
        if (owner) await note(trx, now, 'key.tier_changed', owner, change);
      });
      return `${key.key_prefix}, "${oneLine(key.name)}" of ${owner?.email}, is ${wanted.data} now; it was ${key.rate_limit_tier}.`;
    },
  },

  'list-teams': {
    takes: [],
    async run({ db, now, mode }) {
      const all = await teams(db, mode).all(now);
      return all
        .flatMap(({ id, name, members }) => [
          `${id}  ${oneLine(name)}`,
          ...members.map(({ email, role }) => `  ${email}  ${role}`),
        ])
        .join('\n');
    },
  },

  'create-team': {
    takes: ['NAME'],
    async run({ db, now, mode, args: [wanted] }) {
      onlyWithMany(mode);
      const read = NamedTeam.safeParse({ name: wanted });
      if (!read.success) throw new Error(read.error.issues[0]!.message);
      return db.transaction().execute(async (trx) => {
        const { id, name } = await teams(trx, mode).create(read.data.name, now);
        await note(trx, now, 'team.created', { id, name });
        return `${oneLine(name)} was created. Its id is ${id}`;
      });
    },
  },

  'move-member': {
    takes: ['EMAIL', 'TEAM'],
    flags: ['lead'],
    async run({ db, now, mode, flags, args: [address = '', id = ''] }) {
      onlyWithMany(mode);
      const person = await personAt(db, address);
      const team = await teams(db, mode).byId(id);
      if (!team) throw new Error('There is no such team. "list-teams" lists them.');
      const role = flags.lead ? 'lead' : 'member';
      await db.transaction().execute(async (trx) => {
        const moved = await teams(trx, mode).put(person.id, id, role, now);
        if (moved) await layouts(trx).leaveTeam([person.id], now);
        await note(trx, now, 'team.member_put', person, `${role} of ${team.name}`);
      });
      return `${person.email} is a ${role} of ${oneLine(team.name)} now.`;
    },
  },
};

/** Runs one command and resolves with its output. Throws with one line for the operator. */
export async function admin(
  argv: readonly string[],
  { env, stdin }: { env: Readonly<Record<string, string | undefined>>; stdin: Readable },
): Promise<string> {
  const { values: flags, positionals } = readArguments(argv);
  if (flags.help) return HELP;

  const [name = '', ...args] = positionals;
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  const known = `The commands are ${Object.keys(COMMANDS).join(', ')}, check (see --help).`;
  if (!command) throw new Error(name ? `Unknown command "${oneLine(name)}". ${known}` : known);
  if (args.length !== command.takes.length) {
    throw new Error(`${name} takes ${command.takes.join(' and ') || 'nothing else'} (see --help).`);
  }
  const stray = Object.keys(flags).find((flag) => !command.flags?.includes(flag));
  if (stray) throw new Error(`${name} does not know --${stray} (see --help).`);

  const place = readDatabasePlace(env);
  const { db, close } = await openBeside(place);
  try {
    return await command.run({ db, now: new Date(), args, flags, mode: place.teams, stdin });
  } finally {
    await close();
  }
}

function readArguments(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        name: { type: 'string' },
        admin: { type: 'boolean' },
        lead: { type: 'boolean' },
        'password-stdin': { type: 'boolean' },
        temporary: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    });
  } catch (error) {
    throw new Error(`${oneLine((error as Error).message)} (see --help)`, { cause: error });
  }
}

function onlyWithMany(mode: TeamMode): void {
  if (mode === 'one') throw new Error('Everybody on this server is one team. Set TEAMS=many to have more.');
}

/** Adds an entry to the audit trail that administrators read. */
const note = (db: Db, now: Date, action: string, subject: Subject, detail?: string) =>
  auditTrail(db).note(OPERATOR, action, subject, now, detail);

async function personAt(db: Db, email: string): Promise<RowOf<'users'>> {
  const person = await users(db).byEmail(email);
  if (!person) throw new Error(`There is no account with the address ${oneLine(email)}.`);
  return person;
}

/** The password is never read from the command line, because other users of the machine can see that, and the shell
 *  history keeps it. */
async function chosenPassword({ flags, stdin }: Task): Promise<{ password: string; passwordLine: string }> {
  if (!flags['password-stdin']) {
    const password = generatePassword();
    return { password, passwordLine: `\nPassword: ${password}\nIt is shown only this once.` };
  }
  const password = (await text(stdin)).replace(/\r?\n$/, '');
  const problem = passwordProblem(password);
  if (problem) throw new Error(`${problem}.`);
  return { password, passwordLine: '' };
}

const longest = (words: readonly string[]) => Math.max(...words.map(({ length }) => length));

/** The text on one line without control characters: a name chosen by a user must not control the terminal or reverse
 *  the line. */
const oneLine = (words: string) => words.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ').trim();

if (import.meta.main && process.argv[2] === 'check' && process.argv.length === 3) {
  const { text: findings, isGood } = await check(process.env, new Date());
  process.stdout.write(`${findings}\n`);
  process.exitCode = isGood ? 0 : 1;
} else if (import.meta.main) {
  try {
    const said = await admin(process.argv.slice(2), { env: process.env, stdin: process.stdin });
    process.stdout.write(said.endsWith('\n') ? said : `${said}\n`);
  } catch (error) {
    console.error(`admin: ${(error as Error).message}`);
    process.exitCode = 1;
  }
}
