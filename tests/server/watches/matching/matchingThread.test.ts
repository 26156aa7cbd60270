import { afterEach, expect, it } from 'vitest';
import type { MatchedIncident } from '../../../../server/watches/matching/matchInput.ts';
import type { MatchedWatch } from '../../../../server/watches/matching/matchStore.ts';
import { matchingThread, type MatchingThread } from '../../../../server/watches/matching/matchingThread.ts';
import { roadLeg } from './rules/matchingWorld.ts';

const opened: MatchingThread[] = [];
afterEach(() => Promise.all(opened.splice(0).map((thread) => thread.close())));

function open(): MatchingThread {
  const thread = matchingThread();
  opened.push(thread);
  return thread;
}

const ROUTE: MatchedWatch = {
  id: 'leeds',
  team_id: 'everyone',
  kind: 'route',
  made_by: 'junctions',
  legs: JSON.stringify([roadLeg('M62 J18 to J27')]),
  geometry: 'null',
  reach_m: null,
  rev: 1,
};

const delays = (id: number): MatchedIncident => ({
  event_id: `test:${id}`,
  source: 'test',
  title: 'Delays',
  summary_line: '',
  latitude: null,
  longitude: null,
  metadata: '{}',
  details: JSON.stringify({ facts: { roads: ['M62'], stretch: [], direction: null } }),
  geometry: null,
});

it('answers with everything that it found, however much that is', async () => {
  const thread = open();
  const put = Array.from({ length: 1234 }, (_, id) => delays(id));
  await thread.ask({ kind: 'watches', put: [ROUTE], drop: [] });
  await thread.ask({ kind: 'incidents', put, drop: ['test:0'] });

  const { found } = await thread.ask({ kind: 'matchWatches', ids: ['leeds'] });
  expect(new Set(found.map(({ subject_id }) => subject_id)).size).toBe(1234);
});

it('fails everything that waits for it, and everything later, when it ends', async () => {
  const thread = open();
  const waiting = thread.ask({ kind: 'watches', put: [ROUTE], drop: [] });
  const failed = expect(waiting).rejects.toThrow('The matching thread has ended.');
  await thread.close();

  await failed;
  await expect(thread.ask({ kind: 'matchWatches', ids: [] })).rejects.toThrow('has ended');
});

it('fails a step that it cannot take', async () => {
  const torn = { ...ROUTE, legs: '[' };
  const { faults } = await open().ask({ kind: 'watches', put: [torn], drop: [] });
  expect(faults).toMatchObject([{ id: 'leeds' }]);

  const broken = { ...delays(1), details: '{' };
  await expect(open().ask({ kind: 'incidents', put: [broken], drop: [] })).rejects.toThrow('JSON');
});
