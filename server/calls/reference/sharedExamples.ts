/**
 * Examples that several calls and tests show. All other examples stand beside their call. All belong to one story and
 * name the incidents, sources and events of a fresh replay, so that a call that is tried out in the reference finds
 * them.
 */
import type { RefreshResponse, User } from '#contract/accounts/auth.ts';
import type { z } from 'zod';
import type { AskingDisplay, DeviceAuthorization, Display, Heartbeat } from '#contract/displays/displays.ts';
import type { Layout, LayoutRequest } from '#contract/displays/layouts.ts';
import type { NetChange } from '#contract/incidents/changes.ts';
import type { Disruption, Source } from '#contract/incidents/disruptions.ts';
import type { FeedBundle, Summary } from '#contract/feeds/feeds.ts';
import type { FilteredPage } from '#contract/watches/formats.ts';
import { WHICH } from '#contract/watches/which.ts';
import type { NewApiKey } from '#contract/accounts/keys.ts';
import type { NewBrief } from '#contract/messages/briefs.ts';
import { type ImportRequest, type Job, type NewJob } from '#contract/watches/jobs.ts';
import type { LoggedAction, OwnReport } from '#contract/shift/responses.ts';
import type { Message } from '#contract/messages/messages.ts';
import type { OwnTeam } from '#contract/accounts/teams.ts';
import type { Channel, NewChannel } from '#contract/messages/channels.ts';
import type {
  BriefMatch,
  Match,
  Watch,
  WatchList,
  WatchMatches,
  WatchRequest,
} from '#contract/watches/watches.ts';

export const SESSION_ID = '5b6f2c1e-8a54-4c0f-9d6e-2f9f1c7f3a10';

export const user: User = {
  id: 'c0a8012e-7d0b-4a58-9a1c-0c1f6b0f2d11',
  email: 'rosa@coaches.example',
  display_name: 'Rosa Jones',
  role: 'user',
  is_admin: false,
  is_verified: true,
  is_active: true,
  created_at: '2026-09-01T09:00:00.000Z',
  last_login: '2026-11-21T07:58:12.000Z',
};

export const ownTeam: OwnTeam = {
  id: '2f1d7c54-96a7-4d0e-8f53-0d9c1f3a7b20',
  name: 'Leeds coaches',
  role: 'lead',
  shift_starts: ['06:00', '14:00', '22:00'],
};

/** Shortened, so that nobody takes them for real tokens. */
export const tokens: z.infer<typeof RefreshResponse> = {
  access_token: 'eyJhbGciOiJIUzI1NiJ9.…',
  refresh_token: 'pZ3v…',
};

export const disruption: Disruption = {
  event_id: 'kb-incidents:71A9D24C0B8E4F3695DE8C7A16B3F042',
  source: 'kb-incidents',
  severity: 'high',
  event_type: 'rail.incident',
  title: 'Delays between Reading and London Paddington',
  summary_line:
    'A points failure at Slough means that fewer trains can run between Reading and London Paddington. Trains are delayed by up to 20 minutes.',
  collected_at: '2026-11-21T08:30:00.000Z',
  updated_at: '2026-11-21T08:12:00.000Z',
  start_time: '2026-11-21T07:40:00.000Z',
  end_time: null,
  latitude: null,
  longitude: null,
  metadata: { phase: 'active', links: [{ url: 'https://www.nationalrail.co.uk/', label: 'National Rail' }] },
};

export const source: Source = {
  source: 'kb-incidents',
  event_count: 1,
  last_collected: '2026-11-21T08:30:00.000Z',
  state: 'ok',
  freshness: 'fresh',
};

export const way = {
  geometry: {
    type: 'LineString' as const,
    coordinates: [
      [-1.6, 53.746],
      [-1.506, 53.743],
    ],
  },
  length_km: 6.2,
  course: [
    {
      from_km: 0,
      to_km: 6.2,
      road: 'M62',
      from: 'J27',
      to: 'J29',
      direction: 'E' as const,
      line: 'chain' as const,
    },
  ],
  places: [
    {
      km: 0,
      latitude: 53.746,
      longitude: -1.6,
      name: 'Gildersome',
      junctions: [{ road: 'M62', junction: 'J27' }],
      minor: false,
    },
  ],
  coverage: [{ source: 'national-highways', from_km: 0, to_km: 6.2 }],
};

const departure = {
  name: null,
  at_local: '06:10',
  days: 31,
  from_date: null,
  to_date: null,
  except: [{ from: '2026-12-21', to: '2027-01-03' }],
  duration_min: 15,
};

export const leg = { type: 'road' as const, road: 'M62', from: 'J27', to: 'J29', sense: 1 as const };

export const listedId = '6a0f3f0c-5f0d-4a52-9c1e-2d6a7f4f8b11';

export const filteredPage: FilteredPage = {
  events: [disruption],
  total: 1,
  next_cursor: null,
  complete: true,
  data_time: '2026-11-21T08:30:00.000Z',
  silent: [],
  attribution: [{ source: 'kb-incidents', text: 'National Rail Enquiries, by the Rail Data Marketplace.' }],
};

export const watchRequest: WatchRequest = {
  kind: 'route',
  name: 'Leeds ring',
  made_by: 'junctions',
  legs: [leg],
  geometry: null,
  reach_m: null,
  departures: [departure],
};

export const listed = {
  id: listedId,
  kind: 'route' as const,
  name: 'Leeds ring',
  made_name: 'Gildersome to Lofthouse',
  named_by_hand: true,
  place: null,
  which: WHICH,
  when: null,
  made_by: watchRequest.made_by,
  length_km: way.length_km,
  reach_m: null,
  sources: ['national-highways'],
  created_by: { id: user.id, display_name: user.display_name },
  created_at: '2026-11-02T10:15:00.000Z',
  updated_at: '2026-11-02T10:15:00.000Z',
  rev: 1,
  checking: false,
  departures: [{ id: '0f9d5a5e-2b1c-4a8a-8f3e-6b7c8d9e0f12', ...departure }],
};

export const watch: Watch = { ...listed, ...way, legs: [leg] };

export const closure: Disruption = {
  ...disruption,
  event_id: 'national-highways:replay-500214',
  source: 'national-highways',
  severity: 'critical',
  event_type: 'road.closure',
  title: 'M62 eastbound J26 to J27 closed, collision',
  summary_line:
    'M62 eastbound between J26 (Chain Bar) and J27 (Gildersome). Carriageway closed. Cause: collision.',
  latitude: 53.745,
  longitude: -1.58,
};

export const briefMatch: BriefMatch = {
  subject: 'disruption',
  subject_id: closure.event_id,
  level: 'certain',
  why: 'names the M62, J27 to J28, eastbound',
  from_km: 0,
  to_km: 3.1,
};

export const fullMatch: Match = {
  ...briefMatch,
  began_at: '2026-11-21T08:05:00.000Z',
  off_m: 40,
  disruption: { ...closure, geometry: null },
};

/** A list from which nothing was left out. */
export const ALL_LISTED = {
  beyond: { critical: 0, high: 0, medium: 0, low: 0 },
  left_out: { grade: 0, others: 0 },
};

export const roadSource: Source = { ...source, source: 'national-highways' };

export const watchList: WatchList = {
  watches: [{ ...listed, matches: [briefMatch], ...ALL_LISTED }],
  total: 1,
  incidents: [closure],
  events: [],
  sources: [roadSource],
  behind_since: null,
  unplaced: 0,
};

export const watchMatches: WatchMatches = {
  watching: true,
  watching_changes_at: null,
  matches: [{ ...fullMatch, reached: '2026-11-21T06:10:00.000Z' }],
  checking: false,
  sources: [roadSource],
  checked_at: '2026-11-21T08:30:00.000Z',
};

export const summary: Summary = {
  text: 'A points failure at Slough delays trains between Reading and London Paddington by up to 20 minutes.',
  model: 'clearway-extract-1',
  prompt_version: '1',
  generated_at: '2026-11-21T08:30:04.000Z',
  expires_at: '2026-11-21T08:45:04.000Z',
  event_ids: [disruption.event_id],
  event_count: 1,
  last_event_at: '2026-11-21T08:12:00.000Z',
  tokens_prompt: 0,
  tokens_completion: 0,
  tokens: { prompt: 0, completion: 0 },
  metadata: {},
  stale: false,
};

export const feedBundle: FeedBundle = {
  feed: {
    slug: 'rail-network',
    title: 'Rail Network',
    category: 'Rail',
    description: 'National Rail operators and incidents, and Transport for London lines.',
    alert_count: 1,
    last_updated: '2026-11-21T08:30:00.000Z',
    oldest_collected: '2026-11-21T08:30:00.000Z',
    freshness: 'fresh',
    sources: [source],
  },
  summary,
  events: [disruption],
};

export const apiKey: NewApiKey = {
  id: '8f14e45f-ceea-467f-a9d0-2f1d3c1b7a55',
  name: 'Production',
  // Shortened, so that nobody takes it for a real key.
  key: 'cw_live_7Kq2…',
  key_prefix: 'cw_live_7Kq2',
  rate_limit_tier: 'free',
  scope: 'read',
  created_at: '2026-11-01T10:00:00.000Z',
  last_used_at: '2026-11-21T08:30:12.000Z',
  requests_today: 120,
  requests_month: 8210,
};

export const deviceAuthorization: DeviceAuthorization = {
  device_code: 'GmRh…',
  user_code: 'BCDF-GHJK',
  verification_uri: 'https://clearway.example/pair',
  verification_uri_complete: 'https://clearway.example/pair?user_code=BCDF-GHJK',
  expires_in: 600,
  interval: 5,
};

export const askingDisplay: AskingDisplay = {
  user_code: deviceAuthorization.user_code,
  user_agent: 'Mozilla/5.0 (X11; CrOS x86_64)',
  address: '192.0.2.17',
  asked_at: '2026-11-21T08:00:00.000Z',
  expires_at: '2026-11-21T08:10:00.000Z',
};

export const heartbeat: Heartbeat = {
  build: '4f1c2d9',
  data_age_seconds: 34,
  screen: { width: 1920, height: 1080, pixel_ratio: 1 },
  wake_lock: 'held',
  visibility: 'visible',
  heap_bytes: 41_000_000,
};

export const display: Display = {
  id: '2c5ea4c0-4067-41e9-8bad-9b1deb4d3b7d',
  name: 'Dispatch room',
  state: 'paired',
  owner: { id: user.id, display_name: user.display_name },
  user_agent: askingDisplay.user_agent,
  address: askingDisplay.address,
  paired_at: '2026-11-21T08:01:00.000Z',
  ends_at: '2027-11-21T08:01:00.000Z',
  last_seen_at: '2026-11-21T08:31:00.000Z',
  show_names: false,
  report: heartbeat,
};

export const layoutRequest: LayoutRequest = {
  name: 'Control room',
  pages: [
    { type: 'routes', dwell_s: 30 },
    { type: 'board', dwell_s: 60, feeds: ['roads-uk', 'rail-network'] },
  ],
  pin_criticals: true,
};

export const layout: Layout = { ...layoutRequest, id: '7d0c6a2e-5b0e-4f53-9d6a-3c1f0b8e2a11', rev: 2 };

export const messageRequest = {
  to: { tags: ['Control room'] },
  text: 'Diesel pump 2 is out of order. Fill up at Stourton.',
  look: 'medium' as const,
  cover: 'band' as const,
  until: '2026-11-21T12:00:00.000Z',
};

export const rosa = { id: user.id, name: 'Rosa Jones' };

export const note: LoggedAction = {
  id: '019ab2c3-1c00-7f3e-9b1d-3f0d5a1e2b3c',
  event_id: disruption.event_id,
  at: '2026-11-21T08:13:00.000Z',
  received_at: '2026-11-21T08:13:00.000Z',
  by: rosa,
  action: 'note',
  text: 'Told the 06:10 driver to leave at J25.',
  detail: {},
  struck_at: null,
};

export const reportRequest = {
  id: '019ab2c3-1e00-7b4e-8c1f-6f0d5a1e2b3d',
  title: 'Car on fire, both lanes blocked',
  severity: 'high',
  road: 'M62',
  from: 'J26',
  to: 'J27',
  direction: 'E',
  note: 'The 06:10 driver passed it.',
};

export const ownReport: OwnReport = {
  disruption: {
    event_id: `own:${ownTeam.id}:${reportRequest.id}`,
    source: `own:${ownTeam.id}`,
    severity: 'high',
    event_type: 'own.report',
    title: reportRequest.title,
    summary_line: reportRequest.note,
    collected_at: '2026-11-21T08:20:00.000Z',
    updated_at: '2026-11-21T08:20:00.000Z',
    start_time: '2026-11-21T08:20:00.000Z',
    end_time: null,
    latitude: null,
    longitude: null,
    metadata: { phase: 'active', roads: ['M62'], ask_again_at: '2026-11-21T10:20:00.000Z' },
  },
  by: rosa,
  note: reportRequest.note,
  rev: 1,
  ended_at: null,
};

export const channel: Channel = {
  id: '0b5c1b7e-4b1a-4f0e-a6a1-2f0c5d9e7a44',
  kind: 'webhook',
  name: 'Control room',
  is_team: true,
  address: null,
  host: 'control.coaches.example',
  state: 'working',
  since: '2026-11-20T09:00:02.000Z',
  why: null,
  last_ok: '2026-11-21T08:12:04.000Z',
  what: { alerts: false, changes: true, digest: false, brief: false },
  watch_ids: null,
  has_secret: true,
  both_sign_until: null,
  waiting: 0,
  next_at: null,
  failed: 0,
  can_change: true,
  created_at: '2026-11-20T09:00:00.000Z',
};

export const newChannel: z.input<typeof NewChannel> = {
  kind: 'webhook',
  name: 'Control room',
  address: 'https://control.coaches.example/clearway',
  what: { alerts: false, changes: true, digest: false, brief: false },
};

export const message: Message = {
  id: 'msg_7d0c2f1b6a4e4a0f9f0f5b7e8a1c2d3e',
  created_at: '2026-11-21T08:12:00.000Z',
  kind: 'alert',
  severity: 'critical',
  title: 'Critical: M62 eastbound, J26 to J27: closed, collision',
  text: 'Leeds–Heathrow, M62 J26 to J27, reached about 09:05. National Highways, 08:10.',
  watch_id: watch.id,
  event_ids: ['national-highways:replay-500214'],
  state: 'sent',
  reason: 'Sent 08:12 to this device',
  outcomes: [
    {
      message_id: 'msg_1b5c1b7e4b1a4f0ea6a12f0c5d9e7a44',
      channel_id: '4e1d5c0a-7a3f-4c1b-9a53-0f6f6a1d2c3b',
      name: 'Chrome on Windows',
      kind: 'device',
      state: 'sent',
      reason: 'Sent',
      at: '2026-11-21T08:12:01.000Z',
      can_send_again: false,
    },
  ],
  is_seen: false,
  is_not_ours: false,
};

export const jobRequest: z.infer<typeof NewJob> = {
  day: '2026-11-24',
  ref: 'PC-2411',
  leaves_local: '06:10',
  duration_min: 260,
  watch_id: null,
  trip: 'Leeds Stn → Heathrow T5',
  vehicle: 'YN21 ABC',
  driver: 'M. Hussain',
  people: 38,
  deadline_local: '11:20',
  deadline_what: 'Check-in closes',
  note: null,
};

export const job: Job = {
  ...jobRequest,
  id: '0199f1c2-7a30-7c11-8a0b-3f5d2c9e4b10',
  leaves_at: '2026-11-24T06:10:00.000Z',
  deadline_at: '2026-11-24T11:20:00.000Z',
  left_at: null,
  left_by: null,
  arrived_at: null,
  arrived_by: null,
  cancelled_at: null,
  cancelled_by: null,
  created_at: '2026-11-23T17:20:00.000Z',
  rev: 1,
};

export const briefRequest: z.infer<typeof NewBrief> = {
  name: 'Morning brief',
  days: 127,
  times: ['06:00'],
  about: 'jobs',
  watch_ids: null,
  horizon: 'today',
  channel_ids: [],
};

export const importRequest: z.infer<typeof ImportRequest> = {
  day: job.day,
  dry_run: true,
  rows: [
    { ref: 'PC-2411', leaves_local: '06:10', trip: 'Leeds Stn → Heathrow T5' },
    { ref: 'PC-2448', leaves_local: 'TBC', trip: 'Leeds → York' },
  ],
  trips: [],
  columns: { dep: 'time', ref: 'ref' },
  cancel: [],
};

export const netChange: NetChange = {
  event_id: 'kb-incidents:71A9D24C0B8E4F3695DE8C7A16B3F042',
  source: 'kb-incidents',
  kind: 'worse',
  at: '2026-11-21T08:12:00.000Z',
  title: 'Delays between Reading and London Paddington',
  severity: 'high',
  severity_from: 'medium',
  worse_at: '2026-11-21T08:10:00.000Z',
  phase: 'active',
  ended_reason: null,
  fields: [],
  end_time_from: null,
  end_time: null,
};
