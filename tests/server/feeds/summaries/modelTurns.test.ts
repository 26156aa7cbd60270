import { describe, expect, it } from 'vitest';
import { LONGEST_WAIT_MS, summaryCalls } from '../../../../server/feeds/summaries/modelTurns.ts';
import { DATABASES, useDatabase } from '../../../support/databases.ts';
import { clock } from '../../incidents/incidents.ts';

describe.each(DATABASES)('permits to ask the model on $engine', ({ open }) => {
  const database = useDatabase(open);

  const take = (at: string, changes: object = {}, db = database.db) =>
    summaryCalls(db)
      .take({
        feed: 'roads-uk',
        now: clock(at),
        nextAt: new Date(clock(at).getTime() + 60_000),
        tokens: 100,
        dailyTokens: 1000,
        ...changes,
      })
      .then(({ turn }) => turn);

  it('are given once a minute to each feed', async () => {
    expect(await take('12:00')).toBe('taken');
    expect(await take('12:00')).toBe('too_soon');
    expect(await take('12:00', { feed: 'aviation' })).toBe('taken');
    expect(await take('12:01')).toBe('taken');
  });

  it('go to one of many nodes that ask together', async () => {
    const nodes = await Promise.all(Array.from({ length: 4 }, () => database.node()));
    const turns = await Promise.all(nodes.map((db) => take('12:00', {}, db)));
    expect(turns.toSorted()).toEqual(['taken', 'too_soon', 'too_soon', 'too_soon']);
    expect((await summaryCalls(database.db).spent()).tokens).toBe(100);
  });

  it('stay within the day’s tokens over all nodes, and are given again the next day', async () => {
    expect(await take('12:00', { tokens: 600 })).toBe('taken');
    expect(await take('12:00', { tokens: 600, feed: 'aviation' })).toBe('budget');
    // A turn that nobody took delays nobody.
    expect(await take('12:00', { tokens: 400, feed: 'aviation' })).toBe('taken');
    expect(await take('12:01', { tokens: 1 })).toBe('budget');
    const tomorrow = new Date(clock('12:00').getTime() + 24 * 60 * 60_000);
    expect(await take('12:00', { now: tomorrow, nextAt: tomorrow, tokens: 1000 })).toBe('taken');
    expect(await summaryCalls(database.db).spent()).toEqual({
      day: tomorrow.toISOString().slice(0, 10),
      tokens: 1000,
    });
  });

  it('are never given for more tokens than a whole day has', async () => {
    expect(await take('12:00', { tokens: 1001 })).toBe('budget');
  });

  it('give back what was reserved and not used', async () => {
    await take('12:00', { tokens: 900 });
    await summaryCalls(database.db).settle('roads-uk', {
      takenAt: clock('12:00'),
      tokens: -850,
      failures: 0,
    });
    expect((await summaryCalls(database.db).spent()).tokens).toBe(50);
    expect(await take('12:01', { tokens: 950 })).toBe('taken');
  });

  it('give back nothing to a day on which it was not reserved', async () => {
    const midnight = new Date('2026-11-22T00:00:00.000Z');
    await take('23:59', { tokens: 900 });
    await take('12:00', { now: midnight, nextAt: midnight, feed: 'aviation' });
    await summaryCalls(database.db).settle('roads-uk', { takenAt: clock('23:59'), tokens: -90, failures: 0 });
    expect(await summaryCalls(database.db).spent()).toEqual({ day: '2026-11-22', tokens: 100 });
  });

  it('are given to no feed during the provider’s Retry-After', async () => {
    await take('12:00');
    await summaryCalls(database.db).rest(clock('12:05'));
    expect(await take('12:04', { feed: 'aviation' })).toBe('resting');
    expect(await take('12:05', { feed: 'aviation' })).toBe('taken');
  });

  it('count how often no summary resulted', async () => {
    await take('12:00');
    await summaryCalls(database.db).settle('roads-uk', {
      takenAt: clock('12:00'),
      tokens: 0,
      failures: 2,
      nextAt: clock('12:04'),
    });
    expect(await take('12:03')).toBe('too_soon');
    const again = {
      feed: 'roads-uk',
      now: clock('12:04'),
      nextAt: clock('12:05'),
      tokens: 1,
      dailyTokens: 1000,
    };
    expect(await summaryCalls(database.db).take(again)).toEqual({ turn: 'taken', failures: 2 });
  });

  it('are not held up by a clock that was wrong', async () => {
    const wrong = new Date(clock('12:00').getTime() + 2 * LONGEST_WAIT_MS);
    await take('12:00', { nextAt: wrong });
    expect(await take('12:01')).toBe('taken');
  });
});
