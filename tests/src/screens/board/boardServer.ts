/** The board's calls on the fake server, and the rows that they answer with. */
import type { Alert, SourceEntry } from '../../../../src/api/alerts/disruptions.ts';
import type { FeedEntry, NextUp, Row } from '../../../../src/api/alerts/feeds.ts';
import { json, startFakeServer } from '../../api/fakeServer.ts';

export const START = new Date('2026-11-21T11:59:32.000Z');

export const minutesBefore = (minutes: number, now = START) =>
  new Date(now.getTime() - minutes * 60_000).toISOString();

export function alert(event_id: string, over: Partial<Alert> = {}): Alert {
  return {
    event_id,
    source: 'tfl',
    severity: 'medium',
    event_type: 'rail.line_status',
    title: `Title of ${event_id}`,
    summary_line: `Line of ${event_id}`,
    collected_at: minutesBefore(1),
    updated_at: minutesBefore(6),
    start_time: minutesBefore(30),
    metadata: { phase: 'active' },
    ...over,
  };
}

export const planned = (event_id: string, over: Partial<Alert> = {}) =>
  alert(event_id, { metadata: { phase: 'planned' }, start_time: '2026-11-22T23:00:00.000Z', ...over });

export function source(name: string, over: Partial<SourceEntry> = {}): SourceEntry {
  return {
    source: name,
    event_count: 0,
    last_collected: minutesBefore(1),
    state: 'ok',
    freshness: 'fresh',
    ...over,
  };
}

export function row(slug: string, events: Alert[] = [], feed: Partial<FeedEntry> = {}): Row {
  return {
    feed: {
      slug,
      title: TITLES[slug] ?? slug,
      category: 'Rail',
      alert_count: events.filter(({ metadata }) => metadata?.phase !== 'planned').length,
      last_updated: minutesBefore(2),
      freshness: 'fresh',
      sources: undefined,
      ...feed,
    },
    summary: {
      text: `Summary of ${slug}`,
      model: 'extractive-1',
      generated_at: minutesBefore(1),
      event_count: events.length,
      tokens_completion: 214,
      stale: false,
    },
    events,
  };
}

const TITLES: Record<string, string> = {
  'rail-network': 'Rail Network',
  'roads-uk': 'UK Roads',
  aviation: 'Aviation',
  'weather-flood': 'Weather & Flood',
  'public-safety': 'Public Safety',
};

/** A fake server with somebody signed in, and rows that a test may change at any time. */
export function startBoardServer(rows: Row[] = [row('rail-network', [alert('a')]), row('roads-uk')]) {
  const server = startFakeServer();
  const { access_token, refresh_token } = server.signedIn();
  localStorage.setItem('access_token', access_token);
  localStorage.setItem('refresh_token', refresh_token);
  localStorage.setItem('clearway_scope', 'scope-of-anna');

  const board = {
    rows,
    /** Words of the answer beyond its rows. */
    outlook: {} as { next_up?: NextUp[]; last_critical_cleared?: string },
    /** If set, the worker answers with its copy of that time, in place of the network. */
    cachedAt: null as Date | null,
    /** State of the network that it names then. */
    copyReason: undefined as string | undefined,
    sources: new Map<string, object | Response>(),
    directory: { sources: [] } as object,
    loads: () => server.callsTo('feeds/').length,
    callsTo: server.callsTo,
    cut: () => {
      server.line = 'cut';
    },
    server,
  };
  const headers = (): Record<string, string> => ({
    date: (board.cachedAt ?? new Date()).toUTCString(),
    ...(board.cachedAt && { 'x-sw-source': 'cache', 'x-sw-cached-at': board.cachedAt.toISOString() }),
    ...(board.copyReason && { 'x-sw-copy-reason': board.copyReason }),
  });

  server.answers.set('analytics/events', () => json(200, {}));
  server.answers.set('feeds/', () =>
    json(200, { feeds: board.rows, total: board.rows.length, ...board.outlook }, headers()),
  );
  server.answers.set('disruptions/sources', () => json(200, board.directory, headers()));
  for (const name of SOURCES) {
    server.answers.set(`disruptions/sources/${name}`, () => {
      const answer = board.sources.get(name);
      if (answer instanceof Response) return answer.clone();
      return answer
        ? json(200, answer, headers())
        : json(404, { detail: `Source '${name}' not found or has no events` });
    });
  }
  return board;
}

const SOURCES = [
  'nsi-service',
  'kb-incidents',
  'tfl',
  'national-highways',
  'traffic-scotland',
  'traffic-wales',
  'bods-bus',
];
