import { readdirSync, readFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import { parseOptions } from '@node-rs/argon2';
import { describe, expect, it } from 'vitest';
import { fairQueue } from '../../../../server/accounts/fairQueue.ts';
import {
  COMMON_PASSWORDS,
  NOBODYS_HASH,
  passwordProblem,
  passwords,
} from '../../../../server/accounts/passwords/passwords.ts';

const TOO_COMMON = 'Password is too common: choose one that nobody would guess';

describe('a new password', () => {
  it.each([
    ['1234567', 'Password must have at least 8 characters'],
    ['💥💥💥💥', 'Password must have at least 8 characters'],
    ['x1y2z3w4'.repeat(17), 'Password must have at most 128 characters'],
    ['password', TOO_COMMON],
    ['PassWord123', TOO_COMMON],
    ['Liverpool1', TOO_COMMON],
    ['ｐａｓｓｗｏｒｄ', TOO_COMMON],
    ['aaaaaaaaaaaa', TOO_COMMON],
    ['abababababab', TOO_COMMON],
    ['Manchester2024', TOO_COMMON],
    ['2019penrith!', TOO_COMMON],
    ['King’s Lynn 1999', TOO_COMMON],
    ['L33ds-2026', TOO_COMMON],
    ['Manchester-to-Penrith-2024', null],
    ['four-lorries', null],
    ['x1y2z3w4'.repeat(16), null],
    ['пароль-из-слов', null],
  ])('%s: %s', (password, problem) => {
    expect(passwordProblem(password)).toBe(problem);
  });

  it('is compared with a list that holds only passwords which would otherwise be allowed', () => {
    expect(COMMON_PASSWORDS.size).toBeGreaterThanOrEqual(200);
    expect([...COMMON_PASSWORDS].filter((word) => word.length < 8 || word !== word.toLowerCase())).toEqual(
      [],
    );
  });
});

describe('a kept password', () => {
  it('is an argon2id hash that only the password matches', async () => {
    const { hash, matches } = passwords();
    const kept = await hash('café au lait');

    expect(kept).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(await hash('café au lait')).not.toBe(kept);
    expect(await matches('café au lait', kept)).toBe(true);
    // The same letters, as another keyboard composes them.
    expect(await matches('cafe\u0301 au lait', kept)).toBe(true);
    expect(await matches('Café au lait', kept)).toBe(false);
  });

  it.runIf(process.platform === 'linux')('is made by a thread that gives way to the others', async () => {
    await passwords().hash('café au lait');
    const niceness = readdirSync('/proc/self/task').map((thread) => {
      const [, fields] = readFileSync(`/proc/self/task/${thread}/stat`, 'utf8').split(/\) (?!.*\))/s);
      return Number(fields!.split(' ')[16]);
    });
    expect(niceness.filter((one) => one === Math.min(19, getPriority() + 5))).toHaveLength(1);
  });

  it('takes as long to check for an unknown account as for a user, and matches nothing', async () => {
    let verified = '';
    const { hash, matches } = passwords(async (kept) => {
      verified = kept;
      return true;
    });

    expect(await matches('anything', undefined)).toBe(false);
    const { algorithm, memoryCost, timeCost, parallelism, outputLen, saltLen } = parseOptions(verified);
    expect(verified).toBe(NOBODYS_HASH);
    expect(parseOptions(await hash('anything'))).toMatchObject({
      algorithm,
      memoryCost,
      timeCost,
      parallelism,
      outputLen,
      saltLen,
    });
  });
});

describe('a flood of sign-ins', () => {
  it('is handled two at a time, in order, and refused when too many wait', async () => {
    const { inTurn } = passwords();
    let running = 0;
    let most = 0;
    const order: number[] = [];
    const task = (id: number) => () =>
      new Promise<void>((resolve) => {
        running++;
        most = Math.max(most, running);
        order.push(id);
        setImmediate(() => {
          running--;
          resolve();
        });
      });

    const ids = Array.from({ length: 250 }, (_, id) => id);
    const results = await Promise.allSettled(ids.map((id) => inTurn(task(id))));

    expect(most).toBe(2);
    expect(order).toEqual(ids.slice(0, 202));
    expect(results.slice(202)).toHaveLength(48);
    for (const result of results.slice(202)) {
      expect(result).toMatchObject({
        status: 'rejected',
        reason: { status: 503, headers: { 'retry-after': '5' } },
      });
    }
    // The queue is free again.
    await expect(inTurn(async () => 'done')).resolves.toBe('done');
  });

  it('from one network keeps nobody of another waiting, and takes no place from them', async () => {
    const { inTurn } = passwords();
    const order: string[] = [];
    const sign = (who: string) => inTurn(async () => void order.push(who), who);

    const flood = Array.from({ length: 250 }, () => sign('stranger'));
    const owners = [sign('owner'), sign('other')];
    const results = await Promise.allSettled(flood);
    await Promise.all(owners);

    expect(order.indexOf('owner')).toBeLessThan(5);
    expect(order.indexOf('other')).toBeLessThan(6);
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(200);
    expect(results.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { status: 503 } });
  });

  it('goes on after a task that fails', async () => {
    const { inTurn } = passwords();
    const failing = Array.from({ length: 5 }, () => inTurn(() => Promise.reject(new Error('no'))));

    expect((await Promise.allSettled(failing)).every(({ status }) => status === 'rejected')).toBe(true);
    await expect(inTurn(async () => 'done')).resolves.toBe('done');
  });
});

describe('a queue for costly tasks', () => {
  /** Tasks by caller and number, each ended by its name. */
  function begin(atOnce: number, maxWaiting: number) {
    const inTurn = fairQueue({ atOnce, maxWaiting, full: () => new Error('full') });
    const begun: string[] = [];
    const ended: string[] = [];
    const refused: string[] = [];
    const ends = new Map<string, PromiseWithResolvers<void>>();
    return {
      begun,
      ended,
      refused,
      add(...names: string[]) {
        for (const name of names) {
          ends.set(name, Promise.withResolvers());
          inTurn(name[0]!, () => {
            begun.push(name);
            return ends.get(name)!.promise;
          }).then(
            () => ended.push(name),
            ({ message }: Error) => refused.push(`${name} ${message}`),
          );
        }
      },
      end: (name: string) => ends.get(name)!.resolve(),
      fail: (name: string) => ends.get(name)!.reject(new Error('failed')),
    };
  }

  it('takes one of each caller in turn, and runs no more at a time than allowed', async () => {
    const { begun, ended, add, end } = begin(2, 10);
    add('a1', 'a2', 'a3', 'a4', 'b1', 'a5');
    for (const name of ['a1', 'a2', 'a3', 'b1', 'a4', 'a5']) {
      const before = begun.length;
      end(name);
      if (before < 6) await expect.poll(() => begun.length).toBe(before + 1);
    }
    expect(begun).toEqual(['a1', 'a2', 'a3', 'b1', 'a4', 'a5']);
    await expect.poll(() => ended.length).toBe(6);
    // All places are free again, and there are no more than before.
    add('c1', 'c2', 'c3');
    await expect.poll(() => begun.slice(6)).toEqual(['c1', 'c2']);
    end('c2');
    await expect.poll(() => begun.slice(6)).toEqual(['c1', 'c2', 'c3']);
  });

  it('goes on after a task that failed', async () => {
    const { begun, refused, add, fail } = begin(1, 10);
    add('a1', 'b1');
    fail('a1');
    await expect.poll(() => begun).toEqual(['a1', 'b1']);
    expect(refused).toEqual(['a1 failed']);
  });

  it('when full, gives up a place of the caller who holds most, if that is at least two more', async () => {
    const { begun, refused, add, end } = begin(1, 3);
    add('a0', 'a1', 'a2', 'a3', 'a4');
    await expect.poll(() => refused).toEqual(['a4 full']);
    add('b1');
    await expect.poll(() => refused).toEqual(['a4 full', 'a3 full']);
    add('b2');
    await expect.poll(() => refused).toEqual(['a4 full', 'a3 full', 'b2 full']);
    add('c1');
    await expect.poll(() => refused.slice(3)).toEqual(['a2 full']);
    add('d1');
    await expect.poll(() => refused.slice(4)).toEqual(['d1 full']);
    for (const name of ['a0', 'a1', 'b1', 'c1']) {
      await expect.poll(() => begun.at(-1)).toBe(name);
      end(name);
    }
    // There is room for as many again.
    add('e0');
    await expect.poll(() => begun.at(-1)).toBe('e0');
    add('e1', 'e2', 'e3', 'e4');
    await expect.poll(() => refused.slice(5)).toEqual(['e4 full']);
  });
});
