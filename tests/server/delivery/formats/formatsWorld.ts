/** The app that tests of formats share, with incidents of all kinds, and one silent source. */
import { COLLECTORS } from '../../../../server/sources/allSources.ts';
import { EVERYONE, teams } from '../../../../server/accounts/teams.ts';
import { lineShape } from '../../../../server/geography/shapes/shape.ts';
import { openTestApp, type TestApp } from '../../app/testApp.ts';
import { poll, record } from '../../feedsWorld.ts';
import { factsOf } from '../../../support/facts.ts';

export const MINUTE_MS = 60_000;
const USED = ['national-highways', 'tfl', 'news-rss'];

export interface FormatsWorld extends TestApp {
  token: string;
  /** This key does not end with time, as a session does. */
  key: string;
  /** Reads with the key. */
  ask(path: string): ReturnType<TestApp['get']>;
}

/** Roads, rail and news, all fresh. */
export async function openFormatsWorld(
  options: Parameters<typeof openTestApp>[0] = {},
): Promise<FormatsWorld> {
  const test = await openTestApp({
    config: { publicUrl: 'https://clearway.example' },
    collectors: COLLECTORS.filter(({ source }) => USED.includes(source)),
    ...options,
  });
  const { id } = await test.addUser();
  if (options.config?.teams !== 'many') await teams(test.db, 'one').put(id, EVERYONE, 'lead', test.now());
  const { access_token: token } = await test.signIn();
  const made = await test.post('/api/v1/keys', { name: 'Formats' }, token);
  const { key } = made.json<{ key: string }>();
  const world = { ...test, token, key, ask: (path: string) => test.get(`/api/v1${path}`, key) };
  await fill(world);
  return world;
}

export const roads = () => [
  record('national-highways:m62', {
    severity: 'critical',
    event_type: 'road.closure',
    title: 'M62 closed',
    summary_line: 'An overturned lorry.',
    latitude: 53.7,
    longitude: -1.6,
    facts: factsOf({ roads: ['M62'], place: 'M62 eastbound, J26 to J27', advice: ['Leave at J25.'] }),
    shape: lineShape([
      [
        { latitude: 53.7, longitude: -1.6 },
        { latitude: 53.71, longitude: -1.5 },
      ],
    ]),
  }),
  record('national-highways:works', {
    severity: 'low',
    phase: 'planned',
    title: 'Roadworks on the A1(M)',
    start_time: '2026-11-23T20:00:00.000Z',
    end_time: '2026-11-24T05:00:00.000Z',
    latitude: 54.5,
    longitude: -1.5,
  }),
  record('national-highways:odd', {
    severity: 'medium',
    title: 'Something on the road',
    metadata: { severity_unrated: true },
  }),
];

export async function fill({ db, now }: Pick<TestApp, 'db' | 'now'>): Promise<void> {
  await poll(db, 'national-highways', roads(), now());
  await poll(
    db,
    'tfl',
    [record('tfl:victoria', { severity: 'high', title: 'Victoria line: severe delays' })],
    now(),
  );
  await poll(db, 'news-rss', [record('news-rss:one', { severity: 'low', title: 'A headline' })], now());
}
