/** How many wrong passwords and pairing codes are allowed. Right ones do not count. */
import { MINUTE_MS } from '#contract/durations.ts';
import { createHash, randomUUID } from 'node:crypto';
import { isIPv6 } from 'node:net';
import { backOff } from '#contract/backOff.ts';
import { CLOCK_SKEW_MS, iso, type Instant } from '../../db/instant.ts';
import type { Db } from '../../db/open.ts';
import { addRows } from '../../db/statements.ts';
import { sessions } from '../sessions.ts';
import { tooMany } from '../../refusals.ts';

/** The wait after the wrong guess that reaches the limit. Each further wrong guess doubles it. */
const FIRST_WAIT_MS = MINUTE_MS;

interface Limit {
  failures: number;
  windowMs: number;
}
/** Wrong passwords for an account from one network. Other networks can still sign in, so that a stranger cannot lock
 *  the owner out. */
const ACCOUNT_LIMIT: Limit = { failures: 10, windowMs: 15 * MINUTE_MS };
/** Wrong passwords for an account from all networks together. Networks from which the account was lately signed in
 *  are exempt. */
const STRANGERS_LIMIT: Limit = { failures: 100, windowMs: 15 * MINUTE_MS };
const ADDRESS_LIMIT: Limit = { failures: 200, windowMs: 10 * MINUTE_MS };

/** Wrong guesses by a person who is signed in, or whose password was right. No stranger can use these up. */
const GUESSES_OF_USER: Limit = { failures: 10, windowMs: 15 * MINUTE_MS };

/** New accounts per network, while registration is open: each costs a hash and a row. */
const REGISTRATIONS: Limit = { failures: 20, windowMs: 60 * MINUTE_MS };

/** Wrong pairing codes per signed-in user. There are 11 billion codes. */
const CODES_OF_USER: Limit = { failures: 10, windowMs: 15 * MINUTE_MS };
const CODES_OF_ADDRESS: Limit = { failures: 50, windowMs: 10 * MINUTE_MS };

/** Older failures do not count. */
export const FAILURES_KEPT_MS = Math.max(
  ...[
    ACCOUNT_LIMIT,
    STRANGERS_LIMIT,
    ADDRESS_LIMIT,
    GUESSES_OF_USER,
    REGISTRATIONS,
    CODES_OF_USER,
    CODES_OF_ADDRESS,
  ].map(({ windowMs }) => windowMs),
);

export interface LoginLimits {
  /**
   * Runs a guess after all earlier guesses at the same account or from the same address have ended and been counted.
   */
  inTurn<T>(email: string, address: string, guess: () => Promise<T>): Promise<T>;
  /** Refuses with 429 and Retry-After after too many wrong passwords: for this account from this network, from this
   *  network, or for this account from all networks where it was not lately signed in. */
  check(email: string, address: string): Promise<void>;
  noteFailure(email: string, address: string): Promise<void>;
  /** After a successful sign-in, forgets the account's earlier wrong passwords from this network, or from all
   *  networks without `address`. The count of the network itself stays: otherwise anybody with an account could go
   *  on guessing at others. */
  forgive(email: string, address?: string): Promise<void>;
}

export function loginLimits(db: Db, now: () => Date): LoginLimits {
  const limits = guessLimits(db, now, 'wrong passwords');
  const of = (email: string, address: string): Limits => [
    [pairSubject(email, address), ACCOUNT_LIMIT],
    [networkOf(address), ADDRESS_LIMIT],
  ];

  return {
    inTurn: (email, address, guess) => limits.inTurn(of(email, address), guess),
    async check(email, address) {
      await limits.check(of(email, address));
      const account = accountSubject(email);
      if ((await limits.waitMs(account, STRANGERS_LIMIT, 'and below')) <= 0) return;
      const network = networkOf(address);
      const known = await sessions(db).addressesOf(email);
      if (!known.some((one) => networkOf(one) === network))
        await limits.check([[account, STRANGERS_LIMIT]], 'and below');
    },
    noteFailure: (email, address) => limits.noteFailure(of(email, address)),
    forgive: (email, address) =>
      address === undefined
        ? loginFailures(db).clearBelow(accountSubject(email))
        : loginFailures(db).clear(pairSubject(email, address)),
  };
}

/** Guesses by a known person: at their current password, or at the code of their second factor. */
export function userLimits(db: Db, now: () => Date, at: 'password' | 'code') {
  const limits = guessLimits(db, now, at === 'password' ? 'wrong passwords' : 'wrong codes');

  return {
    /** `guess` promises whether it was right. Only wrong guesses count. */
    async guess(userId: string, guess: () => Promise<boolean>): Promise<boolean> {
      const one: Limits = [[`${at}-user:${userId}`, GUESSES_OF_USER]];
      await limits.check(one);
      return limits.inTurn(one, async () => {
        await limits.check(one);
        const isRight = await guess();
        if (!isRight) await limits.noteFailure(one);
        return isRight;
      });
    },
  };
}

/** While registration is open, each attempt counts against its network. */
export function registrationLimits(db: Db, now: () => Date) {
  const limits = guessLimits(db, now, 'new accounts from this network');
  return async (address: string): Promise<void> => {
    const one: Limits = [[`registration-${networkOf(address)}`, REGISTRATIONS]];
    await limits.check(one);
    await limits.noteFailure(one);
  };
}

/** A pairing code that is not found counts as a wrong guess. After too many, guesses are refused with 429. */
export function codeLimits(db: Db, now: () => Date) {
  const limits = guessLimits(db, now, 'wrong codes');

  return {
    guess<T>(userId: string, address: string, find: () => Promise<T | undefined>): Promise<T | undefined> {
      const both: Limits = [
        [`pairing-user:${userId}`, CODES_OF_USER],
        [`pairing-${networkOf(address)}`, CODES_OF_ADDRESS],
      ];
      return limits.inTurn(both, async () => {
        await limits.check(both);
        const found = await find();
        if (found === undefined) await limits.noteFailure(both);
        return found;
      });
    },
  };
}

type Limits = readonly (readonly [subject: string, limit: Limit])[];

/** `what` names the wrong guesses in the refusal, such as "wrong passwords". */
function guessLimits(db: Db, now: () => Date, what: string) {
  const failures = loginFailures(db);
  const oneByOne = turnstile();

  const waitMs = async (
    subject: string,
    { failures: allowed, windowMs }: Limit,
    reach?: 'and below',
  ): Promise<number> => {
    const at = now().getTime();
    const since = new Date(at - windowMs).toISOString();
    // A clock that was set back leaves failures with a time in the future: nobody waits because of those.
    const newest = new Date(at + CLOCK_SKEW_MS).toISOString();
    const times = (await failures.since(subject, since, reach)).filter((time) => time <= newest);
    const last = times.at(-1);
    if (times.length < allowed || last === undefined) return 0;

    const wait = backOff(times.length - allowed, FIRST_WAIT_MS, windowMs);
    return Date.parse(last) + wait - at;
  };

  return {
    waitMs,

    inTurn: <T>(limits: Limits, guess: () => Promise<T>): Promise<T> =>
      limits.reduceRight<() => Promise<T>>(
        (task, [subject]) =>
          () =>
            oneByOne(subject, task),
        guess,
      )(),

    async check(limits: Limits, reach?: 'and below'): Promise<void> {
      const waits = await Promise.all(limits.map(([subject, limit]) => waitMs(subject, limit, reach)));
      const wait = Math.max(...waits);
      if (wait <= 0) return;

      const seconds = Math.ceil(wait / 1000);
      const time = seconds <= 60 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`;
      throw tooMany(`Too many ${what}. Try again in ${time}.`, seconds);
    },

    async noteFailure(limits: Limits): Promise<void> {
      const at = now().toISOString();
      for (const [subject] of limits) await failures.note(subject, at);
    },
  };
}

/** Runs the tasks that share a key one at a time, in order of arrival. */
function turnstile() {
  const lastOf = new Map<string, Promise<unknown>>();

  return async <T>(key: string, task: () => Promise<T>): Promise<T> => {
    const turn = Promise.allSettled([lastOf.get(key)]).then(task);
    lastOf.set(key, turn);
    try {
      return await turn;
    } finally {
      if (lastOf.get(key) === turn) lastOf.delete(key);
    }
  };
}

/** The subject of an account. Its address is hashed, so that the table holds no addresses of people without an
 *  account: unknown addresses count too. */
function accountSubject(email: string): string {
  return `account:${createHash('sha256').update(email.toLowerCase()).digest('hex')}`;
}

const pairSubject = (email: string, address: string) => `${accountSubject(email)} ${networkOf(address)}`;

/** A network, as limits count it: `address:192.0.2.1`. For IPv6 it is the /64 network, because one line owns all of
 *  that. */
export function networkOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped || !isIPv6(address)) return `address:${mapped ?? address}`;

  const [front = '', back = ''] = address.split('%')[0]!.split('::');
  const groups = front.split(':').filter(Boolean);
  const last = back.split(':').filter(Boolean);
  const zeros = Array.from({ length: Math.max(0, 8 - groups.length - last.length) }, () => '0');
  const network = [...groups, ...zeros, ...last]
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16));
  return `address:${network.join(':')}::/64`;
}

// Wrong guesses, by subject: `account:<email hash> <network>` or `address:<ip>`.

export const loginFailures = (db: Db) => ({
  async note(subject: string, at: Instant): Promise<void> {
    await addRows(db, 'login_failures', { id: randomUUID(), subject, failed_at: iso(at) });
  },

  /** The times after `since`, oldest first. `and below`: also of all subjects that begin with this one and a space. */
  async since(subject: string, since: Instant, reach?: 'and below'): Promise<string[]> {
    const rows = await db
      .selectFrom('login_failures')
      .select('failed_at')
      // A space sorts directly before an exclamation mark, so this range holds exactly these subjects.
      .$call((query) =>
        reach
          ? query.where('subject', '>=', `${subject} `).where('subject', '<', `${subject}!`)
          : query.where('subject', '=', subject),
      )
      .where('failed_at', '>=', iso(since))
      .orderBy('failed_at')
      .execute();
    return rows.map(({ failed_at }) => failed_at);
  },

  async clear(subject: string): Promise<void> {
    await db.deleteFrom('login_failures').where('subject', '=', subject).execute();
  },

  /** Deletes the failures of subjects that begin with this one and a space. */
  async clearBelow(subject: string): Promise<void> {
    await db
      .deleteFrom('login_failures')
      .where('subject', '>=', `${subject} `)
      .where('subject', '<', `${subject}!`)
      .execute();
  },
});
