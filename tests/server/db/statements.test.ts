import { describe, expect, it } from 'vitest';
import { addRows, insertNew, putRow, removeBefore, rowsWith } from '../../../server/db/statements.ts';
import { DATABASES, useDatabase } from '../../support/databases.ts';

const AT = '2026-11-21T09:00:00.000Z';
const fact = (at: number, value = 'first') => ({
  key: `fact ${String(at).padStart(4, '0')}`,
  value,
  kept_at: AT,
});

describe.each(DATABASES)('the rows of a table, on $engine', ({ open }) => {
  const database = useDatabase(open);
  const named = (keys: string[]) => rowsWith(database.db, 'facts', { key: keys });

  it('are found by a list that is too long for one statement; an empty list finds none', async () => {
    const all = Array.from({ length: 2500 }, (_, at) => fact(at));
    expect(await addRows(database.db, 'facts', all)).toBe(true);
    expect(await addRows(database.db, 'facts', [])).toBe(false);
    const keys = all.map(({ key }) => key);
    expect([await named(keys).count(), (await named(keys).all('key')).length]).toEqual([2500, 2500]);
    expect([await named([]).count(), await named([]).all(), await named([]).first()]).toEqual([
      0,
      [],
      undefined,
    ]);
    expect([await named([]).set({ value: 'other' }), await named([]).remove()]).toEqual([0, 0]);
    expect(await named(keys).set((eb) => ({ value: eb.ref('key') }))).toBe(2500);
    expect(await named(keys.slice(2400)).first('value')).toEqual({ value: keys[2400] });
    expect(await named(keys).remove()).toBe(2500);
    expect(() => rowsWith(database.db, 'facts', {})).toThrow('No value names');
  });

  it('are sorted; when added again they stay as they are, or replace the chosen columns', async () => {
    const { db } = database;
    await addRows(db, 'facts', [fact(2), fact(1)]);
    expect(await rowsWith(db, 'facts', { kept_at: AT }, ['key']).all('key')).toEqual([
      { key: fact(1).key },
      { key: fact(2).key },
    ]);
    expect(await insertNew(db, 'facts', [fact(1, 'later'), fact(2, 'later')])).toBe(false);
    expect(await insertNew(db, 'facts', [fact(1, 'later'), fact(3)], ['key'])).toBe(true);
    await putRow(
      db,
      'facts',
      [{ ...fact(1, 'put'), kept_at: '2027-01-01T00:00:00.000Z' }],
      ['key'],
      ['value'],
    );
    expect(await rowsWith(db, 'facts', { kept_at: AT }, ['key']).all('value')).toEqual([
      { value: 'put' },
      { value: 'first' },
      { value: 'first' },
    ]);
    await removeBefore(db, 'facts', 'kept_at', AT);
    expect(await rowsWith(db, 'facts', { kept_at: AT }).count()).toBe(3);
    await removeBefore(db, 'facts', 'kept_at', '2026-11-21T09:00:00.001Z');
    expect(await rowsWith(db, 'facts', { kept_at: AT }).count()).toBe(0);
  });
});
