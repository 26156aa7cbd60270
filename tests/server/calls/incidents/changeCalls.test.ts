import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ChangeList } from '#contract/incidents/changes.ts';
import { openWorld, type World } from '../../callers.ts';
import { poll, record } from '../../feedsWorld.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

it('a reader goes on from the last batch that it knows', async () => {
  const token = await world.credential('API key');
  const read = async (query: string) =>
    (await world.get(`/api/v1/changes${query}`, token)).json<ChangeList>();
  const { batch } = await read('');
  await poll(world.db, 'tfl', [record('tfl:central')], world.now());

  const { changes, ...rest } = await read(`?since=${batch}`);
  expect(changes).toMatchObject([
    { event_id: 'tfl:central', kind: 'began', source: 'tfl', batch: batch + 1 },
  ]);
  expect(rest).toEqual({ batch: batch + 1, complete: true });
  expect(await read(`?since=${batch + 1}`)).toEqual({ changes: [], batch: batch + 1, complete: true });
});

it('a batch is a whole number', async () => {
  const token = await world.credential('User');
  const { statusCode, body } = await world.get('/api/v1/changes?since=-1', token);
  expect([statusCode, JSON.parse(body).detail]).toEqual([422, expect.stringContaining('since')]);
});
