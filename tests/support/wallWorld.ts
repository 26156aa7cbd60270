/** One morning of an invented coach company, as the mocks of the wall have it: the server's answers at 06:05. */
import type { Page } from '@playwright/test';

export const NOW = new Date('2026-11-24T06:05:00.000Z');
const at = (clock: string, day = '2026-11-24') => `${day}T${clock}:00.000Z`;

interface Told {
  severity?: string;
  place?: string;
  effect?: string;
  cause?: string;
  since?: string;
  until?: string;
  spot?: [latitude: number, longitude: number];
  [more: string]: unknown;
}

function incident(source: string, id: string, told: Told = {}) {
  const { severity = 'medium', place, effect = 'delays', cause, since, until, spot, facts, ...more } = told;
  const begun = since ? at(since) : '2026-11-24T04:30:00.000Z';
  return {
    event_id: `${source}:${id}`,
    source,
    severity,
    event_type: 'incident',
    title: place ? `${place}: ${effect}` : `Report ${id}: ${effect}`,
    summary_line: '',
    collected_at: at('06:04'),
    updated_at: begun,
    start_time: begun,
    end_time: null,
    latitude: spot?.[0] ?? null,
    longitude: spot?.[1] ?? null,
    metadata: { phase: 'active' },
    facts: {
      place: place ?? `Report ${id}`,
      effect,
      cause: cause ?? null,
      advice: [],
      expected_clear: until ? at(until) : null,
      expected_clear_from: until ? 'words' : null,
      lanes: null,
      delay_minutes: null,
      roads: [],
      stretch: [],
      direction: null,
      ...(facts as object),
    },
    ...more,
  };
}

/** Places and words for further incidents of each source. */
const MORE: Readonly<Record<string, readonly [place: string, effect: string, spot: [number, number]][]>> = {
  tfl: [
    ['Crewe to Stoke', '5 minutes late', [53.09, -2.43]],
    ['Exeter to Truro', '7 minutes late', [50.73, -3.54]],
    ['York to Hull', '9 minutes late', [53.96, -1.09]],
  ],
  'national-highways': [
    ['A50, Uttoxeter', 'lane closed', [52.9, -1.86]],
    ['M5 northbound, J4 to J3', '20 minutes late', [52.4, -2.03]],
    ['A38, Alfreton', 'queues', [53.1, -1.38]],
    ['M25 clockwise, J9 to J10', '40 minutes late', [51.32, -0.38]],
    ['A14, Kettering', 'lane closed', [52.4, -0.73]],
  ],
  'airport-status': [
    ['Newcastle Airport', 'departures 22 min late', [55.04, -1.69]],
    ['Cardiff Airport', 'departures 18 min late', [51.4, -3.34]],
    ['Exeter Airport', 'departures 16 min late', [50.73, -3.41]],
  ],
  'ea-flood': [
    ['River Ouse at York', 'flood warning', [53.96, -1.08]],
    ['River Severn at Bewdley', 'flood warning', [52.38, -2.32]],
    ['River Trent at Newark', 'flood alert', [53.08, -0.81]],
    ['River Wye at Hereford', 'flood alert', [52.05, -2.72]],
    ['River Derwent at Derby', 'flood alert', [52.92, -1.48]],
    ['River Exe at Tiverton', 'flood alert', [50.9, -3.49]],
    ['River Thames at Oxford', 'flood alert', [51.75, -1.26]],
    ['River Tees at Yarm', 'flood alert', [54.51, -1.36]],
  ],
  'news-rss': [
    ['Preston, Fishergate', 'cordon', [53.76, -2.7]],
    ['Lincoln, High Street', 'closed', [53.23, -0.54]],
    ['Ipswich, Star Lane', 'closed', [52.05, 1.16]],
  ],
};

/** Further alerts of a grade, spread over the country. */
const others = (source: string, severity: string, count: number) =>
  Array.from({ length: count }, (_, index) => {
    const [place, effect, spot] = MORE[source]![index % MORE[source]!.length]!;
    return incident(source, `${severity}-${index}`, { severity, place, effect, spot });
  });

const planned = (source: string, id: string, place: string, effect: string, start: string) => ({
  ...incident(source, id, { place, effect, severity: 'low' }),
  start_time: start,
  metadata: { phase: 'planned' },
});

export const M62 = incident('national-highways', 'm62', {
  severity: 'critical',
  place: 'M62 eastbound, J26 to J27',
  effect: 'closed',
  cause: 'overturned lorry',
  since: '05:31',
  until: '11:00',
  spot: [53.745, -1.7],
  trend: { direction: 'worse', since: at('05:38'), change: 'High to Critical' },
  facts: { roads: ['M62'], closed: 'full' },
});

const parts = (event_id: string, affected: string, advice: string) => ({
  metadata: { parts: { event_id, affected, advice, until: null } },
});

const source = (name: string, more: object = {}) => ({
  source: name,
  event_count: 5,
  last_collected: at('06:03'),
  state: 'ok',
  freshness: 'fresh',
  ...more,
});

const feed = (
  slug: string,
  title: string,
  category: string,
  sources: object[],
  events: ReturnType<typeof incident>[],
  summary: object,
) => {
  const active = events.filter(({ metadata, ...rest }) => metadata.phase === 'active' && !('see' in rest));
  return {
    feed: {
      slug,
      title,
      category,
      description: '',
      alert_count: active.length,
      planned_count: events.filter(({ metadata }) => metadata.phase === 'planned').length,
      last_updated: at('06:03'),
      oldest_collected: at('06:03'),
      freshness: 'fresh',
      sources,
    },
    summary: {
      text: `${active.length} alerts.`,
      model: 'clearway-extract-1',
      generated_at: at('06:03'),
      event_count: active.length,
      tokens_completion: 0,
      metadata: {},
      stale: false,
      ...summary,
    },
    events: events.slice(0, 20),
  };
};

const aviation = incident('airport-status', 'lba', {
  severity: 'high',
  place: 'Leeds Bradford Airport',
  effect: 'departures 58 min late',
  since: '06:02',
  spot: [53.87, -1.66],
});

export const FEEDS = [
  feed(
    'rail-network',
    'Rail Network',
    'Rail',
    [source('nsi-service'), source('kb-incidents'), source('tfl')],
    [
      incident('kb-incidents', 'hud', {
        severity: 'high',
        place: 'Leeds to Huddersfield',
        effect: 'no trains',
        since: '05:10',
        until: '10:00',
        spot: [53.7, -1.7],
        trend: { direction: 'worse', since: at('06:01'), change: 'Medium to High' },
      }),
      incident('kb-incidents', 'car', {
        severity: 'high',
        place: 'Carlisle to Dumfries',
        effect: 'buses',
        since: '04:58',
        spot: [55.0, -3.2],
      }),
      ...others('tfl', 'medium', 3),
      ...others('tfl', 'low', 2),
      planned('tfl', 'vic', 'Victoria line', 'part closed', at('23:00', '2026-11-28')),
      planned('tfl', 'cen', 'Central line', 'part closed', at('23:00', '2026-11-29')),
    ],
    parts('kb-incidents:hud', 'TransPennine, Northern', 'Use buses from stop K'),
  ),
  feed(
    'roads-uk',
    'UK Roads',
    'Roads',
    [
      source('national-highways'),
      source('traffic-scotland'),
      source('traffic-wales', { freshness: 'stale', last_collected: at('05:41') }),
    ],
    [
      M62,
      incident('traffic-scotland', 'a9', {
        severity: 'critical',
        place: 'A9 at Dalnacardoch',
        effect: 'closed',
        cause: 'snow',
        since: '04:50',
        spot: [56.83, -4.12],
        facts: { roads: ['A9'], closed: 'full' },
      }),
      ...others('national-highways', 'high', 3),
      ...others('national-highways', 'medium', 5),
      ...others('national-highways', 'low', 4),
      ...['a', 'b', 'c', 'd'].map((id) =>
        planned('national-highways', `p${id}`, 'A1, Catterick', 'roadworks', at('21:00', '2026-11-27')),
      ),
    ],
    parts(M62.event_id, 'Leeds and Hull traffic', 'Leave at J26, take the A58'),
  ),
  feed(
    'aviation',
    'Aviation',
    'Aviation',
    [source('airport-status')],
    [
      aviation,
      incident('airport-status', 'man', {
        place: 'Manchester Airport',
        effect: 'departures 34 min late',
        since: '04:48',
        spot: [53.36, -2.27],
      }),
      ...others('airport-status', 'low', 3),
    ],
    parts(aviation.event_id, '9 departures, 2 cancelled', 'Check in as normal'),
  ),
  feed(
    'weather-flood',
    'Weather & Flood',
    'Weather',
    [source('met-office'), source('ea-flood'), source('sepa-flood')],
    [
      incident('sepa-flood', 'nith', {
        severity: 'critical',
        place: 'River Nith at Dumfries',
        effect: 'severe flood warning',
        since: '04:32',
        spot: [55.07, -3.61],
      }),
      incident('sepa-flood', 'tev', {
        severity: 'high',
        place: 'River Teviot at Hawick',
        effect: 'flood warning',
        since: '04:26',
        spot: [55.43, -2.79],
      }),
      ...others('ea-flood', 'high', 3),
      ...others('ea-flood', 'medium', 8),
      planned('met-office', 'wind', 'Wales', 'amber wind warning', at('09:00')),
    ],
    parts('sepa-flood:nith', 'Whitesands, Buccleuch Street bridge', 'Stay away'),
  ),
  feed(
    'public-safety',
    'Public Safety',
    'Safety',
    [source('news-rss')],
    [
      incident('news-rss', 'hull', {
        severity: 'high',
        place: 'Hull, Hessle Road',
        effect: 'closed',
        cause: 'building fire',
        since: '05:12',
        spot: [53.74, -0.37],
      }),
      ...others('news-rss', 'medium', 3),
      ...others('news-rss', 'low', 2),
      incident('news-rss', 'm62', {
        severity: 'critical',
        place: 'M62 eastbound',
        effect: 'closed',
        since: '05:31',
        see: { event_id: M62.event_id, feed: 'roads-uk' },
      }),
      planned('news-rss', 'march', 'Whitehall', 'march', at('11:00', '2026-11-28')),
    ],
    parts('news-rss:hull', 'Anlaby Road, Boulevard', 'Keep windows shut'),
  ),
];

const next = (clock: string, place: string, what: string, kind: string, severity: string) => ({
  at: at(clock),
  kind,
  place,
  what,
  severity,
  event_id: `${place} ${clock}`,
});
export const NEXT_UP = [
  next('08:00', 'M6, J16 to J17', 'expected clear', 'clears', 'medium'),
  next('09:00', 'Wales', 'amber wind warning begins', 'begins', 'medium'),
  next('09:30', 'A64, Copmanthorpe', 'expected clear', 'clears', 'medium'),
  next('10:00', 'Huddersfield line', 'expected open', 'opens', 'high'),
  next('11:00', 'M62 eastbound, J26 to J27', 'expected clear', 'clears', 'critical'),
];

const departure = (clock: string) => ({
  id: clock,
  name: null,
  at_local: clock,
  days: 127,
  from_date: null,
  to_date: null,
  except: [],
  duration_min: 240,
});
const touch = (subject_id: string, level = 'certain', from_km = 30) => ({
  subject: 'disruption',
  subject_id,
  level,
  why: '',
  from_km,
  to_km: from_km + 8,
});
const watch = (name: string, clock: string, matches: object[], more: object = {}) => ({
  id: name,
  kind: 'route',
  name,
  length_km: 320,
  sources: ['national-highways'],
  departures: [departure(clock)],
  checking: false,
  matches,
  ...more,
});
const medium = 'national-highways:medium-1';
export const WATCHES = {
  watches: [
    watch('Leeds to Heathrow', '06:10', [touch(M62.event_id)]),
    watch('Bradford to Hull', '06:30', [touch(M62.event_id)]),
    watch('Perth to Inverness', '06:15', [touch('traffic-scotland:a9', 'certain', 150)]),
    watch('York to Bristol', '06:20', [touch(medium, 'certain', 200)]),
    watch('Preston to Glasgow', '06:40', [touch(medium)]),
    watch('Derby to Luton', '06:50', [touch(medium)]),
    watch('Cardiff to Swansea', '07:00', [], { sources: ['traffic-wales'] }),
    watch('Sheffield to Hull', '07:10', [touch(medium, 'possible')]),
    watch('Exeter to Truro', '07:20', []),
    watch('London to Dover', '07:30', []),
  ],
  incidents: FEEDS.flatMap(({ events }) => events),
  events: [],
  sources: FEEDS.flatMap(({ feed }) => feed.sources),
  total: 10,
  unplaced: 0,
  behind_since: null,
};

/** A job of that morning on one of these routes; null: on none. */
export const wallJob = (leaves: string, trip: string, watch_id: string | null, more: object = {}) => ({
  id: `${leaves} ${trip}`,
  day: '2026-11-24',
  leaves_at: at(leaves),
  duration_min: 140,
  watch_id,
  trip,
  deadline_at: null,
  left_at: null,
  arrived_at: null,
  cancelled_at: null,
  rev: 1,
  ...more,
});
const JOBS = [
  wallJob('05:15', 'Perth → Inverness', 'Perth to Inverness', { left_at: at('05:15') }),
  ...['06:10', '07:40', '09:10', '10:40'].map((leaves) =>
    wallJob(leaves, 'Leeds Stn → Heathrow T5', 'Leeds to Heathrow', { duration_min: 245 }),
  ),
  wallJob('06:30', 'Bradford → Hull Paragon', 'Bradford to Hull'),
  wallJob('04:50', 'Newcastle → Manchester Apt', 'London to Dover', {
    left_at: at('05:20'),
    deadline_at: at('07:30'),
  }),
  wallJob('05:30', 'Bristol → Gatwick North', 'York to Bristol', { left_at: at('05:30') }),
  wallJob('06:45', 'York → Leeds Bradford', 'Derby to Luton'),
  wallJob('05:40', 'Cardiff → Bristol Airport', 'Cardiff to Swansea', { left_at: at('05:40') }),
  wallJob('07:00', 'Birmingham → Heathrow T2', 'Sheffield to Hull'),
  wallJob('06:20', 'Sheffield → East Midlands', null),
  wallJob('06:15', 'Nottingham → Stansted', 'Exeter to Truro'),
  wallJob('07:20', 'Norwich → Stansted', 'London to Dover'),
];

const change = (clock: string, kind: string, alert: { event_id: string }, worse?: string) => {
  const { source, title, severity } = alert as ReturnType<typeof incident>;
  return {
    event_id: alert.event_id,
    source,
    kind,
    at: at(clock),
    title,
    severity,
    severity_from: null,
    worse_at: worse ? at(worse) : null,
    phase: 'active',
    ended_reason: kind === 'cleared' ? 'publisher' : null,
    fields: [],
    end_time_from: null,
    end_time: null,
  };
};
const CHANGES = [
  change('05:31', 'new', M62, '05:38'),
  // Reports that are over are in no feed.
  change(
    '05:50',
    'cleared',
    incident('national-highways', 'over', { place: 'A1, Wetherby', effect: 'closed' }),
  ),
  change('05:20', 'lost', incident('traffic-wales', 'lost', { place: 'A55, Conwy', effect: 'lane closed' })),
  ...FEEDS.flatMap(({ events }) => events.slice(0, 3))
    .filter((alert) => alert.event_id !== M62.event_id && !('see' in alert))
    .map((alert, index) =>
      change(`0${4 + (index % 2)}:${10 + index * 3}`, ['new', 'worse', 'better'][index % 3]!, alert),
    ),
];

export interface World {
  feeds: object;
  watches: object;
  jobs: object;
  changes: object;
  responses: object;
  /** Answer of `displays/me`. */
  me: { rev: number; layout: object | null; message: object | null; tags: string[]; name: string };
}

export const world = (): World => ({
  feeds: { feeds: FEEDS, total: 5, next_up: NEXT_UP, last_critical_cleared: null },
  watches: WATCHES,
  jobs: { day: '2026-11-24', jobs: JOBS, total: JOBS.length },
  changes: { complete: true, changes: CHANGES, total: CHANGES.length },
  responses: { responses: [], reports: [] },
  me: { rev: 0, layout: null, message: null, tags: [], name: 'Control room' },
});

/** The page is a paired display. */
export const holdCredential = (page: Page) =>
  page.addInitScript(() => {
    const credential = { access: 'a', refresh: 'r', scope: 's', pairing: 'p' };
    localStorage.setItem(
      'clearway_display',
      JSON.stringify({ ...credential, renewedAt: Date.now(), lastsMs: 9e9 }),
    );
  });

/** The page is a paired display whose server answers with this world, at the time of the page's own clock. */
export async function showWorld(page: Page, answers: World): Promise<{ cut: boolean }> {
  const line = { cut: false };
  await holdCredential(page);
  await page.route('**/api/v1/**', async (route) => {
    if (line.cut) return route.abort();
    const date = new Date(await page.evaluate(() => Date.now())).toUTCString();
    const { pathname } = new URL(route.request().url());
    const body = pathname.endsWith('/feeds/')
      ? answers.feeds
      : pathname.endsWith('/displays/me/routes')
        ? answers.watches
        : pathname.endsWith('/displays/me/jobs')
          ? answers.jobs
          : pathname.endsWith('/displays/me/changes')
            ? answers.changes
            : pathname.endsWith('/displays/me')
              ? answers.me
              : pathname.includes('/responses')
                ? answers.responses
                : {};
    return route.fulfill({
      json: body,
      headers: { date, 'x-clearway-display': String(answers.me.rev), 'cache-control': 'no-store' },
    });
  });
  return line;
}
