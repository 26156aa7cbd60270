/** Hostile collectors, and one harmless one, for a reading thread. */
import type { Collected, Collector } from '../../server/incidents/collector.ts';
import { NOBODY } from './publisher.ts';

const collector = (source: string, collect: Collector['collect']): Collector => ({
  source,
  publisher: NOBODY,
  everyMinutes: 1,
  maxAgeMinutes: 10,
  settings: [],
  absentPolls: 1,
  neverEmpty: false,
  collect,
});

const found = (source: string, titles: readonly string[]): Collected => ({
  records: titles.map((title, at) => ({
    event_id: `${source}:${at}`,
    severity: 'low',
    event_type: 'any.thing',
    title,
    summary_line: '',
    updated_at: null,
    start_time: null,
    end_time: null,
    phase: 'active',
    kind: 'alert',
    latitude: null,
    longitude: null,
    metadata: {},
  })),
  skipped: 0,
  problems: [],
  complete: true,
});

export const COLLECTORS: readonly Collector[] = [
  collector('innocent', async ({ get, facts, settings }) => {
    const first = (await get('https://one.example/')).body;
    await facts.set('known', first);
    const second = (await get('https://two.example/')).body;
    return found('innocent', [first, second, (await facts.get('known')) ?? '', settings['KEY'] ?? '']);
  }),
  collector('many', async ({ get }) => {
    await get('https://one.example/');
    return found(
      'many',
      Array.from({ length: 1001 }, (_, at) => `Title ${at}`),
    );
  }),
  collector('unsound', async () => ({
    ...found('unsound', []),
    records: Array.from({ length: 10_000 }, () => null as never),
  })),
  collector('endless', async ({ get }) => {
    await get('https://one.example/');
    for (;;);
  }),
  collector('greedy', async ({ get }) => {
    await get('https://one.example/');
    const kept: string[][] = [];
    for (;;) kept.push(Array.from({ length: 1000 }, (_, at) => `${kept.length} ${at}`));
  }),
  collector('page', async ({ get }) => found('page', [(await get('https://page.example/')).body])),
  collector('failing', async ({ get }) => found('failing', [(await get('https://refuses.example/')).body])),
];
