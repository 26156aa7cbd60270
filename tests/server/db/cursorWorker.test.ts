import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  cursorLease,
  type CursorWorker,
  startCursorWorker,
  type WorkerParts,
} from '../../../server/db/cursorWorker.ts';
import { DATABASES, useDatabase } from '../../support/databases.ts';

const LEASE_MS = 20_000;
const RETRY_MS = 30_000;
const DAY_MS = 24 * 60 * 60_000;

describe.each(DATABASES)('work of one node for all, on $engine', ({ open }) => {
  const database = useDatabase(open);
  let time: number;
  let logged: string[];
  let workers: CursorWorker[];
  beforeEach(() => {
    time = Date.parse('2026-11-21T08:00:00.000Z');
    logged = [];
    workers = [];
  });
  afterEach(() => Promise.all(workers.map((worker) => worker.stop())));

  const partsOf = (owner: string): WorkerParts => ({
    db: database.db,
    now: () => new Date(time),
    log: { error: (_, message) => void logged.push(message) },
    owner,
  });
  const leaseOf = (owner: string) => cursorLease(partsOf(owner), 'work', LEASE_MS);

  /** A worker that does only what the test asks for. */
  function start(
    look: () => Promise<void>,
    {
      owner = 'one',
      onBroken,
      onStop,
    }: { owner?: string; onBroken?: () => void; onStop?: () => Promise<void> } = {},
  ) {
    const lease = leaseOf(owner);
    const worker = startCursorWorker(partsOf(owner), {
      lease,
      everyMs: DAY_MS,
      retryMs: RETRY_MS,
      look,
      failure: 'Could not work',
      ...(onBroken && { onBroken }),
      ...(onStop && { onStop }),
    });
    workers.push(worker);
    return { worker, lease };
  }

  it('has one owner, until it gives the lease back or fails to renew it', async () => {
    const [one, other] = [leaseOf('one'), leaseOf('other')];
    expect([await one.take(), await other.take(), await other.keep()]).toEqual([true, false, false]);
    await expect(other.store(async () => 'written')).rejects.toThrow();
    expect(await one.store(async () => 'written')).toBe('written');
    // A node without the lease cannot give it back.
    await other.drop();
    expect(await other.take()).toBe(false);
    await one.drop();
    expect([await other.take(), await one.take()]).toEqual([true, false]);
    time += LEASE_MS;
    expect(await one.take()).toBe(true);
  });

  it('renews the lease in the second half of its time, or if the clock was set back', async () => {
    const [one, other] = [leaseOf('one'), leaseOf('other')];
    const until = async () =>
      (await database.db.selectFrom('cursors').select('lease_until').executeTakeFirst())?.lease_until;
    await one.take();
    const first = await until();
    time += LEASE_MS / 2 - 1;
    expect([await one.keep(), await until()]).toEqual([true, first]);
    time += 1;
    expect([await one.keep(), await until()]).toEqual([true, new Date(time + LEASE_MS).toISOString()]);
    time -= DAY_MS;
    expect([await one.keep(), await until()]).toEqual([true, new Date(time + LEASE_MS).toISOString()]);
    expect(await other.take()).toBe(false);
  });

  it('looks again, once, for everything that comes while it looks', async () => {
    let looks = 0;
    const under = Promise.withResolvers<void>();
    const { worker } = start(async () => {
      looks++;
      await under.promise;
    });
    const settled = [worker.changed(), worker.changed(), worker.changed()];
    expect(looks).toBe(1);
    under.resolve();
    await Promise.all(settled);
    expect(looks).toBe(2);
  });

  it('logs a failure, rests, and works again, even when the clock is set back meanwhile', async () => {
    let looks = 0;
    let broken = 0;
    const { worker } = start(
      async () => {
        looks++;
        if (looks === 1 || looks === 3) throw new Error('the database is locked');
      },
      { onBroken: () => void broken++ },
    );
    await worker.changed();
    expect([looks, broken, logged]).toEqual([1, 1, ['Could not work']]);
    time += RETRY_MS - 1;
    await worker.changed();
    expect(looks).toBe(1);
    time += 1;
    await worker.changed();
    await worker.changed();
    expect([looks, broken, logged.length]).toEqual([3, 2, 2]);
    time -= DAY_MS;
    await worker.changed();
    expect(looks).toBe(4);
  });

  it('ends a look in silence if another node has taken over, and does not rest', async () => {
    let looks = 0;
    let broken = 0;
    const one = start(
      async () => {
        looks++;
        // The first look begins before there is a worker.
        await Promise.resolve();
        await one.lease.store(async () => {});
      },
      { onBroken: () => void broken++ },
    );
    await one.worker.changed();
    time += LEASE_MS;
    await leaseOf('other').take();
    await one.worker.changed();
    await one.worker.changed();
    expect([looks, broken, logged]).toEqual([4, 2, []]);
  });

  it('trusts no lease that was taken in a failed transaction', async () => {
    const one = start(async () => {
      await Promise.resolve();
      await one.lease.store(() => Promise.reject(new Error('the disk is full')));
    });
    await one.worker.changed();
    expect(logged).toEqual(['Could not work']);
    expect(await leaseOf('other').take()).toBe(true);
    expect(await one.lease.keep()).toBe(false);
  });

  it('writes nothing once stopped, and gives the lease back when the work under way has ended', async () => {
    const ended: string[] = [];
    let looks = 0;
    const under = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    const { worker, lease } = start(
      async () => {
        looks++;
        await Promise.resolve();
        await lease.take();
        begun.resolve();
        await under.promise;
        await lease.store(async () => void ended.push('written'));
      },
      {
        async onStop() {
          ended.push(`under way, ${await leaseOf('other').take()}`);
        },
      },
    );
    await begun.promise;
    const stopping = worker.stop();
    under.resolve();
    await stopping;
    expect(ended).toEqual(['under way, false']);
    expect([await lease.take(), await lease.keep()]).toEqual([false, false]);
    expect(await leaseOf('other').take()).toBe(true);
    await worker.changed();
    expect([looks, ended.length, logged]).toEqual([1, 1, []]);
  });
});
