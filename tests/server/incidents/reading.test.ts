import { expect, it } from 'vitest';
import type { Collector } from '../../../server/incidents/collector.ts';
import { readSource } from '../../../server/incidents/reading.ts';
import { memoryFacts } from '../../support/upstream.ts';
import { collected, record } from '../feedsWorld.ts';

it('a reading says where, what and why of each record, and where that is', async () => {
  const title = 'M62 eastbound between J26 and J27 closed due to an overturned lorry';
  const collector: Collector = {
    source: 'traffic-wales',
    everyMinutes: 5,
    maxAgeMinutes: 60,
    settings: [],
    absentPolls: 1,
    neverEmpty: false,
    collect: async () => collected([record('traffic-wales:a', { title })]),
  };
  const get = async () => {
    throw new Error('Nothing is downloaded here.');
  };
  const now = new Date('2026-11-21T09:00:00.000Z');
  const { records, skipped } = await readSource(collector, { get, now, settings: {}, facts: memoryFacts() });
  expect(skipped).toBe(0);
  expect(records[0]!.facts).toMatchObject({
    place: 'M62 eastbound, J26 to J27',
    effect: 'closed',
    cause: 'overturned lorry',
    roads: ['M62'],
    stretch: [{ road: 'M62', from: 'J26', to: 'J27' }],
    direction: 'E',
  });
});
