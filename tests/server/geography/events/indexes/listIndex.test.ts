import { expect, it } from 'vitest';
import { listIndex, type Listed } from '../../../../../server/geography/events/indexes/listIndex.ts';

const HOUR = 3_600_000;
const BEGIN = Date.parse('2026-12-01T12:00:00.000Z');
const row = (id: number, hour: number, over: Partial<Listed> = {}): Listed => ({
  id,
  startMs: BEGIN + hour * HOUR,
  overMs: BEGIN + (hour + 2) * HOUR,
  category: 'music',
  town: 'leeds',
  text: `event ${id}`,
  ...over,
});
const FROM = new Date(BEGIN);
const at = (hour: number) => new Date(BEGIN + hour * HOUR);
const cursorAt = (start: string) => Buffer.from(JSON.stringify([start, 'x'])).toString('base64url');

async function made(...pages: Listed[][]) {
  const index = listIndex();
  for (const page of pages) index.add(page);
  return index.finished();
}

it('counts all, and never splits events that begin together between two pages', async () => {
  const index = await made([row(1, 5), row(2, 3), row(3, 3), row(4, 3)], [row(5, 1), row(6, 9)]);

  expect(await index.near({ from: FROM, limit: 1 })).toEqual({ ids: [5, 2, 3, 4], more: true, total: 6 });
  expect(await index.near({ from: FROM, limit: 1, cursor: cursorAt(at(3).toISOString()) })).toEqual({
    ids: [2, 3, 4, 1, 6],
    more: true,
    total: 6,
  });
  expect(await index.near({ from: FROM, limit: 6 })).toMatchObject({ more: false, total: 6 });
  // No page gave such a cursor: it must not bring the whole list.
  const many = await made(Array.from({ length: 50 }, (_, id) => row(id, id)));
  expect((await many.near({ from: FROM, limit: 3, cursor: cursorAt('soon') })).ids).toHaveLength(4);
});

it('filters by time, category and town', async () => {
  const index = await made([
    row(1, 1, { category: 'film' }),
    row(2, 2, { town: null }),
    row(3, -3),
    row(4, 4, { town: 'york' }),
  ]);
  const ids = async (query: object) => (await index.near({ from: FROM, ...query })).ids;
  expect(await ids({})).toEqual([1, 2, 4]);
  expect(await ids({ until: at(2) })).toEqual([1]);
  expect(await ids({ from: at(-2) })).toEqual([3, 1, 2, 4]);
  expect(await ids({ category: ' FILM ' })).toEqual([1]);
  expect(await ids({ venue_town: 'York' })).toEqual([4]);
  expect(await ids({ venue_town: 'nowhere' })).toEqual([]);
});

it('finds words within one row, never across two', async () => {
  const text = (id: number, text: string) => row(id, id, { text });
  const index = await made([text(1, 'brass in été'), text(2, 'étéété'), text(3, 'jazz')], [text(4, 'band')]);
  const ids = async (q: string) => (await index.near({ from: FROM, q })).ids;
  expect(await ids('ÉTÉ')).toEqual([1, 2]);
  expect(await ids('z')).toEqual([3]);
  expect(await ids('an')).toEqual([4]);
  expect(await ids('éb')).toEqual([]);
  expect(await ids('é\0é')).toEqual([]);
  expect(await ids('%')).toEqual([]);
});
