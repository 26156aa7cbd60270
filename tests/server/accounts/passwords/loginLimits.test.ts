import { addRows, removeBefore } from '../../../../server/db/statements.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  codeLimits,
  loginLimits,
  type LoginLimits,
  userLimits,
} from '../../../../server/accounts/passwords/loginLimits.ts';
import { openMemoryDatabase, type OpenDatabase } from '../../../../server/db/open.ts';
import { Refused } from '../../../../server/refusals.ts';
import { sessions } from '../../../../server/accounts/sessions.ts';
import { users } from '../../../../server/accounts/users.ts';
import { person } from '../people.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const ROSA = 'rosa@coaches.example';

let database: OpenDatabase;
let limits: LoginLimits;
let time: number;

beforeEach(async () => {
  database = await openMemoryDatabase();
  time = Date.parse('2026-11-21T09:00:00.000Z');
  limits = loginLimits(database.db, () => new Date(time));
});
afterEach(() => database.close());

async function fail(times: number, email = ROSA, address = '198.51.100.1') {
  for (let done = 0; done < times; done++) await limits.noteFailure(email, address);
}

/** Seconds to wait; 0 when a try is allowed. */
async function wait(email = ROSA, address = '198.51.100.1'): Promise<number> {
  try {
    await limits.check(email, address);
    return 0;
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    expect(error.status).toBe(429);
    return Number(error.headers['retry-after']);
  }
}

describe('wrong passwords of one account', () => {
  it('are forgiven nine times; the tenth makes everybody on that network wait, a minute at most', async () => {
    await fail(9);
    expect(await wait()).toBe(0);

    await fail(1);
    expect(await wait()).toBe(60);
    expect(await wait(ROSA, '203.0.113.9')).toBe(0);
    expect(await wait('ROSA@Coaches.Example')).toBe(60);
    expect(await wait('someone.else@coaches.example')).toBe(0);

    time += 45 * SECOND;
    expect(await wait()).toBe(15);
    time += 15 * SECOND;
    expect(await wait()).toBe(0);
  });

  it('keep nobody out for as long as the clock was set back', async () => {
    time += 365 * 24 * 60 * MINUTE;
    await fail(12);
    time -= 365 * 24 * 60 * MINUTE;
    expect(await wait()).toBe(0);
    await fail(10);
    expect(await wait()).toBe(60);
  });

  it('double the wait each further time, up to the window', async () => {
    await fail(10);
    const waits: number[] = [];
    for (let further = 0; further < 6; further++) {
      waits.push(await wait());
      await fail(1);
    }

    expect(waits).toEqual([60, 120, 240, 480, 900, 900]);
  });

  it('count for 15 minutes', async () => {
    await fail(9);
    time += 15 * MINUTE + 1;
    await fail(1);

    expect(await wait()).toBe(0);
  });

  it('count to the end of the 15 minutes', async () => {
    await fail(9);
    time += 15 * MINUTE;
    await fail(1);

    expect(await wait()).toBe(60);
  });

  it('are forgotten for one network and one account when the owner signs in there', async () => {
    await fail(10);
    await fail(10, ROSA, '203.0.113.9');
    await fail(10, 'sam@coaches.example', '198.51.100.1');
    await limits.forgive(ROSA, '198.51.100.1');

    expect(await wait()).toBe(0);
    expect(await wait(ROSA, '203.0.113.9')).toBe(60);
    expect(await wait('sam@coaches.example')).toBe(60);
    await limits.forgive('sam@coaches.example');
    expect(await wait(ROSA, '203.0.113.9')).toBe(60);
  });

  it.each([
    [ROSA, 'sam@coaches.example'],
    ['sam@coaches.example', ROSA],
  ])('are forgotten for %s alone, not for %s, on all networks', async (forgiven, other) => {
    await fail(10, forgiven);
    await fail(10, other, '203.0.113.9');
    await limits.forgive(forgiven);

    expect(await wait(forgiven)).toBe(0);
    expect(await wait(other, '203.0.113.9')).toBe(60);
  });

  it('are deleted when they are older than the given time, and not at that very time', async () => {
    await fail(1);
    const count = async () => (await database.db.selectFrom('login_failures').select('id').execute()).length;
    await removeBefore(database.db, 'login_failures', 'failed_at', new Date(time));
    expect(await count()).toBe(2); // one failure of the account, one of the network
    await removeBefore(database.db, 'login_failures', 'failed_at', new Date(time + 1));
    expect(await count()).toBe(0);
  });

  it('are forgotten for the account when its owner has signed in, and kept for the address', async () => {
    await fail(200);
    await limits.forgive(ROSA);

    expect(await wait(ROSA, '203.0.113.9')).toBe(0);
    expect(await wait()).toBe(60);
  });

  it('are counted under a hash, never under a person’s address', async () => {
    await fail(1);
    const rows = await database.db.selectFrom('login_failures').selectAll().execute();

    expect(JSON.stringify(rows)).not.toMatch(/rosa|coaches/);
  });
});

describe('wrong passwords of one account from many networks', () => {
  it('make networks wait, from the hundredth on, if the owner was not lately signed in there', async () => {
    const at = new Date(time).toISOString();
    await users(database.db).insert(person('rosa', { email: ROSA }));
    await users(database.db).insert(person('sam', { email: 'sam@coaches.example' }));
    await addRows(database.db, 'displays', {
      id: 'wall',
      name: 'Gate',
      owner_id: 'rosa',
      user_agent: '',
      address: '',
      paired_at: at,
    });
    const signedIn = (user_id: string, address: string, display_id: string | null = null) =>
      sessions(database.db).start({
        session: {
          id: address,
          user_id,
          created_at: at,
          last_used_at: at,
          expires_at: new Date(time + 60 * MINUTE).toISOString(),
          revoked_at: null,
          revoked_reason: null,
          display_id,
          address,
        },
        tokenHash: address,
        tokenExpiresAt: new Date(time + 60 * MINUTE),
      });
    await signedIn('rosa', '198.51.100.1');
    await signedIn('rosa', '198.51.100.2');
    await signedIn('rosa', '198.51.100.3', 'wall');
    await signedIn('sam', '192.0.2.7');
    for (let network = 1; network < 100; network++) await fail(1, ROSA, `203.0.113.${network}`);
    expect(await wait(ROSA, '192.0.2.1')).toBe(0);

    await fail(1, ROSA, '203.0.113.100');
    expect(await wait(ROSA, '192.0.2.1')).toBe(60);
    expect(await wait(ROSA, '192.0.2.7')).toBe(60);
    // Anybody may be in the network of a display.
    expect(await wait(ROSA, '198.51.100.3')).toBe(60);
    expect(await wait(ROSA, '198.51.100.1')).toBe(0);
    expect(await wait('someone.else@coaches.example', '192.0.2.1')).toBe(0);

    time += MINUTE;
    expect(await wait(ROSA, '192.0.2.1')).toBe(0);
  });
});

describe('wrong passwords from one address', () => {
  const guess = async (times: number, address: string) => {
    for (let done = 0; done < times; done++) await limits.noteFailure(`user${done}@coaches.example`, address);
  };

  it('are allowed 199 times in 10 minutes', async () => {
    await guess(199, '198.51.100.1');
    expect(await wait()).toBe(0);

    await guess(1, '198.51.100.1');
    expect(await wait()).toBe(60);
    expect(await wait(ROSA, '198.51.100.2')).toBe(0);

    time += 10 * MINUTE + 1;
    expect(await wait()).toBe(0);
  });

  it.each([
    ['2001:db8:1:2::1', '2001:db8:1:2:ffff:ffff:ffff:ffff'],
    ['2001:db8:1:2::1', '2001:0DB8:0001:0002::9'],
    ['2001:db8::1', '2001:db8:0:0:5::'],
    ['fe80::1%eth0', 'fe80::2%eth1'],
    ['::1', '::2'],
    ['::1', '0:0:0:0:0:0:0:1'],
    ['::ffff:198.51.100.1', '198.51.100.1'],
  ])('count together for %s and %s, which can belong to one connection', async (one, other) => {
    await guess(200, one);

    expect(await wait(ROSA, other)).toBe(60);
  });

  it.each([
    ['2001:db8:1:2::1', '2001:db8:1:3::1'],
    ['::ffff:198.51.100.1', '198.51.100.2'],
  ])('count separately for %s and %s', async (one, other) => {
    await guess(200, one);

    expect(await wait(ROSA, other)).toBe(0);
  });
});

describe('guesses that are sent together', () => {
  /** How many of 20 tries were made, and how many refused. */
  async function together(
    guess: (wrong: () => Promise<void>) => Promise<unknown>,
  ): Promise<[number, number]> {
    let made = 0;
    const wrong = async () => {
      made += 1;
      await Promise.resolve();
    };
    const ends = await Promise.allSettled(Array.from({ length: 20 }, () => guess(wrong)));
    const refused = ends.filter((end) => end.status === 'rejected' && (end.reason as Refused).status === 429);
    return [made, refused.length];
  }

  it.each(['password', 'code'] as const)(
    'at one’s own %s pass the limit no more than one by one',
    async (at) => {
      const { guess } = userLimits(database.db, () => new Date(time), at);
      expect(await together((wrong) => guess('rosa', async () => (await wrong(), false)))).toEqual([10, 10]);
    },
  );

  it('of which one arrives while another waits its turn, begin after that one has been counted', async () => {
    const { guess } = userLimits(database.db, () => new Date(time), 'password');
    const send = (isRight: Promise<boolean>) => guess('rosa', () => isRight);
    for (let done = 0; done < 8; done++) await send(Promise.resolve(false));
    const [ninth, tenth] = [Promise.withResolvers<boolean>(), Promise.withResolvers<boolean>()];
    const first = send(ninth.promise);
    const second = send(tenth.promise);
    ninth.resolve(false);
    await first;
    const third = send(Promise.resolve(true));
    for (let query = 0; query < 5; query++) await wait(); // long enough for a guess that does not wait
    tenth.resolve(false);

    await expect(second).resolves.toBe(false);
    await expect(third).rejects.toMatchObject({ status: 429 });
  });

  it('never count while they are right', async () => {
    const { guess } = userLimits(database.db, () => new Date(time), 'code');
    for (let done = 0; done < 11; done++) await guess('rosa', () => Promise.resolve(true));
    await expect(guess('rosa', () => Promise.resolve(true))).resolves.toBe(true);
  });

  it('at pairing codes neither', async () => {
    const { guess } = codeLimits(database.db, () => new Date(time));
    const one = (wrong: () => Promise<void>) =>
      guess('rosa', '198.51.100.1', async () => (await wrong(), undefined));
    expect(await together(one)).toEqual([10, 10]);
  });
});
