/** One example of each answer. All belong to one story, and name the incidents, sources and events of a fresh replay, so that
 *  a call of the reference that is tried out answers. */
import type { AnalyticsOverview, ApiUsageRow } from '#contract/accounts/analytics.ts';
import type { AuditEntry } from '#contract/accounts/admin.ts';
import type { AccountSession, SecondFactor } from '#contract/accounts/account.ts';
import type { RefreshResponse, User } from '#contract/accounts/auth.ts';
import type { z } from 'zod';
import type {
  AskingDisplay,
  DeviceAuthorization,
  Display,
  DisplayToken,
  Heartbeat,
  TeamDisplay,
} from '#contract/displays/displays.ts';
import type { DisplaySelf, Layout, LayoutRequest, SentMessage } from '#contract/displays/layouts.ts';
import type { NetChange } from '#contract/incidents/changes.ts';
import type { DisruptionHistory } from '#contract/incidents/disruptionHistory.ts';
import type { CollectorStatus, Disruption, Source } from '#contract/incidents/disruptions.ts';
import type { EventRecord, MapEvent, NearbyStation } from '#contract/places/events.ts';
import type { FeedBundle, Summary } from '#contract/feeds/feeds.ts';
import type { FilteredPage } from '#contract/watches/formats.ts';
import type { LocationSuggestion } from '#contract/places/geocode.ts';
import type {
  FrameHosts,
  NewSharedAddress,
  SharedAddress,
  SharedAddressList,
} from '#contract/watches/sharing.ts';
import { WHICH } from '#contract/watches/which.ts';
import type { KeyRateLimit, NewApiKey } from '#contract/accounts/keys.ts';
import type { Handover } from '#contract/shift/handover.ts';
import type { Brief, BriefPage, NewBrief } from '#contract/messages/briefs.ts';
import {
  DisplayJob,
  type DisplayJobList,
  type Imported,
  type ImportRequest,
  type Job,
  type JobList,
  type NewJob,
  type SheetMemory,
} from '#contract/watches/jobs.ts';
import type {
  LoggedAction,
  OwnReport,
  ResponseList,
  ResponseRecord,
  TeamResponse,
} from '#contract/shift/responses.ts';
import type { SourceReport } from '#contract/feeds/sourceReports.ts';
import type {
  Message,
  MessageExplanation,
  MessagePage,
  MessageSettings,
} from '#contract/messages/messages.ts';
import type { OwnTeam, Team } from '#contract/accounts/teams.ts';
import type {
  ChangeDelivery,
  Channel,
  ChannelChange,
  ChannelList,
  MadeChannel,
  MessageDelivery,
  NewChannel,
  SourceDelivery,
  TestDelivery,
  ToldMember,
} from '#contract/messages/channels.ts';
import type {
  BriefMatch,
  Explanation,
  Match,
  Resolved,
  Trial,
  Watch,
  WatchList,
  WatchMatches,
  WatchPreview,
  WatchRecord,
  WatchRequest,
  WatchSuggestions,
} from '#contract/watches/watches.ts';
import { londonDay } from '#contract/london.ts';
import { daysAfter } from '../../http/documents/londonTime.ts';
import { nextDate } from '../../geography/events/sample/sampleCalendar.ts';

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

export const accountSession: AccountSession = {
  id: SESSION_ID,
  kind: 'browser',
  name: null,
  current: true,
  created_at: '2026-11-21T07:58:12.000Z',
  last_used_at: '2026-11-21T08:28:12.000Z',
  ends_at: '2027-02-19T07:58:12.000Z',
  network: '198.51.100.7',
  browser: 'Firefox on Windows',
};

export const secondFactor: SecondFactor = {
  state: 'on',
  since: '2026-10-01T09:12:00.000Z',
  recovery_codes_left: 9,
  required: false,
};

export const ownTeam: OwnTeam = {
  id: '2f1d7c54-96a7-4d0e-8f53-0d9c1f3a7b20',
  name: 'Leeds coaches',
  role: 'lead',
  shift_starts: ['06:00', '14:00', '22:00'],
};

export const team: Team = {
  id: ownTeam.id,
  name: ownTeam.name,
  created_at: '2026-09-01T09:00:00.000Z',
  members: [{ user_id: user.id, display_name: user.display_name, email: user.email, role: 'lead' }],
};

/** Shortened, so that nobody takes them for real ones. */
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

export const disruptionHistory: DisruptionHistory = {
  ...disruption,
  geometry: null,
  first_seen_at: '2026-11-21T07:45:00.000Z',
  ended_at: null,
  ended_reason: null,
  history: [
    {
      seen_at: '2026-11-21T07:45:00.000Z',
      severity: 'high',
      title: disruption.title,
      summary_line: disruption.summary_line,
      updated_at: disruption.updated_at,
      start_time: disruption.start_time,
      end_time: null,
      phase: 'active',
      changed: [],
      ended_at: null,
      ended_reason: null,
    },
  ],
  versions: 1,
  published: {
    name: 'Knowledgebase incidents',
    feed: { slug: 'rail-network', title: 'Rail Network' },
    publisher: 'National Rail Enquiries',
    licence: { name: 'Terms of the Rail Data Marketplace', url: 'https://raildata.org.uk' },
    attribution: 'National Rail Enquiries, by the Rail Data Marketplace.',
  },
  nearby: null,
};

export const source: Source = {
  source: 'kb-incidents',
  event_count: 1,
  last_collected: '2026-11-21T08:30:00.000Z',
  state: 'ok',
  freshness: 'fresh',
};

const way = {
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

const leg = { type: 'road' as const, road: 'M62', from: 'J27', to: 'J29', sense: 1 as const };

const listedId = '6a0f3f0c-5f0d-4a52-9c1e-2d6a7f4f8b11';

export const filteredPage: FilteredPage = {
  events: [disruption],
  total: 1,
  next_cursor: null,
  complete: true,
  data_time: '2026-11-21T08:30:00.000Z',
  silent: [],
  attribution: [{ source: 'kb-incidents', text: 'National Rail Enquiries, by the Rail Data Marketplace.' }],
};

export const sharedAddress: SharedAddress = {
  id: '0192f0c4-7d7a-7c3e-9a55-3d1f5b7e9a01',
  watch_id: listedId,
  event_id: null,
  form: 'ics',
  made_by: { id: user.id, display_name: user.display_name },
  made_at: '2026-11-03T10:20:00.000Z',
  last_used_at: '2026-11-21T05:58:00.000Z',
  expires_at: null,
  dies_at: '2027-02-19T05:58:00.000Z',
};

export const sharedAddressList: SharedAddressList = {
  addresses: [sharedAddress],
  total: 1,
  frame_hosts: ['intranet.example.com'],
};

export const newAddressRequest = { watch_id: listedId, form: 'ics' };

/** Shortened, so that nobody takes it for a real one. */
export const newSharedAddress: NewSharedAddress = {
  ...sharedAddress,
  last_used_at: null,
  dies_at: '2027-02-01T10:20:00.000Z',
  path: '/f/w9J….ics',
};

export const frameHosts: FrameHosts = { frame_hosts: sharedAddressList.frame_hosts };

export const watchRequest: WatchRequest = {
  kind: 'route',
  name: 'Leeds ring',
  made_by: 'junctions',
  legs: [leg],
  geometry: null,
  reach_m: null,
  departures: [departure],
};

const listed = {
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

const closure: Disruption = {
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

const ofWatch = { id: watch.id, name: watch.name };

export const changeDelivery: z.infer<typeof ChangeDelivery> = {
  type: 'match.worse',
  timestamp: '2026-11-21T08:12:00.000Z',
  data: {
    batch: 4180,
    n: 1,
    at: '2026-11-21T08:12:00.000Z',
    event_id: closure.event_id,
    source: closure.source,
    kind: 'worse',
    severity_from: 'high',
    severity_to: 'critical',
    phase_to: 'active',
    other_id: null,
    standing: 'stays',
    watches: [
      { ...ofWatch, level: 'certain', why: 'names the M62, J26 to J27, eastbound', from_km: 0, to_km: 3.1 },
    ],
    source_name: 'National Highways',
    attribution: 'National Highways, Open Government Licence v3.0.',
    title: closure.title,
    severity_unrated: false,
    url: `https://clearway.example/disruptions/${encodeURIComponent(closure.event_id)}`,
    disruption: closure,
  },
};

export const sourceDelivery: z.infer<typeof SourceDelivery> = {
  type: 'source.stale',
  timestamp: '2026-11-21T08:40:00.000Z',
  data: {
    source: 'national-highways',
    name: 'National Highways',
    since: '2026-11-21T08:30:00.000Z',
    watches: [ofWatch],
  },
};

export const testDelivery: z.infer<typeof TestDelivery> = {
  type: 'test.ping',
  timestamp: '2026-11-21T08:12:00.000Z',
  data: { channel: { id: '0b5c1b7e-4b1a-4f0e-a6a1-2f0c5d9e7a44', name: 'Control room' } },
};

const briefMatch: BriefMatch = {
  subject: 'disruption',
  subject_id: closure.event_id,
  level: 'certain',
  why: 'names the M62, J27 to J28, eastbound',
  from_km: 0,
  to_km: 3.1,
};

const fullMatch: Match = {
  ...briefMatch,
  began_at: '2026-11-21T08:05:00.000Z',
  off_m: 40,
  disruption: { ...closure, geometry: null },
};

/** Nothing is left out. */
const ALL_LISTED = {
  beyond: { critical: 0, high: 0, medium: 0, low: 0 },
  left_out: { grade: 0, others: 0 },
};

const roadSource: Source = { ...source, source: 'national-highways' };

export const watchList: WatchList = {
  watches: [{ ...listed, matches: [briefMatch], ...ALL_LISTED }],
  total: 1,
  incidents: [closure],
  events: [],
  sources: [roadSource],
  behind_since: null,
  unplaced: 0,
};

export const watchRecord: WatchRecord = {
  not_ours: [],
  watch,
  matches: [fullMatch],
  ...ALL_LISTED,
  sources: [roadSource],
  behind_since: null,
  unplaced: 0,
};

export const trial: Trial = { since: '2026-11-20T06:00:00.000Z', at_once: 6, in_digest: 3 };

export const watchMatches: WatchMatches = {
  watching: true,
  watching_changes_at: null,
  matches: [{ ...fullMatch, reached: '2026-11-21T06:10:00.000Z' }],
  checking: false,
  sources: [roadSource],
  checked_at: '2026-11-21T08:30:00.000Z',
};

export const watchPreview: WatchPreview = {
  ...way,
  made_name: listed.made_name,
  matches: [fullMatch],
  ...ALL_LISTED,
  sources: [roadSource],
  checked_at: watchMatches.checked_at,
};

export const resolved: Resolved = {
  ...way,
  legs: [leg],
  problems: [
    {
      level: 'understood',
      text: 'M62 J27 to J29, eastbound (6 km).',
      at: null,
      repairs: [],
    },
  ],
  name: null,
};

export const watchSuggestions: WatchSuggestions = {
  results: [{ text: 'M1 J43', detail: 'Stourton', kind: 'junction', latitude: 53.764, longitude: -1.507 }],
};

export const explanation: Explanation = {
  watch_id: watch.id,
  subject_id: closure.event_id,
  not_ours: null,
  level: 'certain',
  why: briefMatch.why,
  read: 'Read as M62 eastbound, J27 to J28, closed.',
  rules: [
    {
      rule: 'R1',
      outcome: 'certain',
      words: 'the M62, J27 to J28, is on the way',
      numbers: { off_km: 0.04 },
    },
  ],
};

export const collector: CollectorStatus = {
  source: 'kb-incidents',
  enabled: true,
  state: 'ok',
  interval_seconds: 300,
  max_age_seconds: 1800,
  last_attempt: '2026-11-21T08:30:00.000Z',
  last_success: '2026-11-21T08:30:00.000Z',
  next_run: '2026-11-21T08:35:00.000Z',
  consecutive_failures: 0,
  event_count: 1,
};

export const sourceReport: SourceReport = {
  source: 'airport-status',
  name: 'Airport status',
  feed: 'Aviation',
  covers: 'Weather risk and delays at UK airports',
  standing: 'failing',
  why: '503 Service Unavailable, 62 times',
  interval_seconds: 900,
  max_age_seconds: 3600,
  freshness: 'stale',
  last_attempt: '2026-11-21T08:30:00.000Z',
  last_success: '2026-11-21T05:06:00.000Z',
  next_run: '2026-11-21T08:45:00.000Z',
  consecutive_failures: 62,
  last_ms: 820,
  alerts: 5,
  routes: 1,
  polls: [
    { at: '2026-11-21T05:06:00.000Z', ok: true, records: 5 },
    { at: '2026-11-21T08:30:00.000Z', ok: false, records: 0 },
  ],
  settings: [
    {
      name: 'AIRPORT_CODES',
      about: 'ICAO codes of the airports, separated by commas',
      required: false,
      is_set: false,
    },
  ],
  missing_settings: [],
  skipped: 0,
  problems: [],
  off: null,
  demoted: null,
  demoted_by: 0,
  asked_at: null,
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

export const station: NearbyStation = {
  name: 'Cardiff Central',
  crs: 'CDF',
  latitude: 51.476,
  longitude: -3.179,
  distance_km: 0.4,
};

/** The sample is of the coming year: which date it has depends on when the server starts. */
const matchDay = nextDate(40, daysAfter(londonDay(new Date()), 1));
const matchId = `sample-cardiff-city-stadium-7-${matchDay}`;

export const mapEvent: MapEvent = {
  performance_id: matchId,
  event_id: matchId,
  name: 'Home match at Cardiff City Stadium',
  category: 'Sport',
  start_datetime: `${matchDay}T15:00:00.000Z`,
  end_datetime: `${matchDay}T16:55:00.000Z`,
  venue_name: 'Cardiff City Stadium',
  venue_town: 'Cardiff',
  postcode: 'CF11 8AZ',
  capacity: 33_280,
  booking_url: null,
  description: 'Turnstiles open ninety minutes before. This is a sample: no such event takes place.',
  latitude: 51.4728,
  longitude: -3.203,
  is_sample: true,
};

export const eventRecord: EventRecord = {
  event_id: mapEvent.event_id,
  name: mapEvent.name,
  category: mapEvent.category,
  sub_categories: ['League match'],
  tags: ['home match'],
  description: mapEvent.description,
  is_sample: true,
  source: 'sample',
  updated_at: '2026-11-01T00:00:00.000Z',
  prices: [{ label: 'Standard', min: 22.5, max: 38.5, currency: 'GBP' }],
  images: [],
  trailers: [],
  links: [],
  venue: {
    venue_id: 'sample:cardiff-city-stadium',
    name: 'Cardiff City Stadium',
    venue_type: 'stadium',
    address: null,
    town: 'Cardiff',
    postcode: 'CF11 8AZ',
    region: 'Wales',
    country: 'Wales',
    latitude: 51.4728,
    longitude: -3.203,
    capacity: 33_280,
    phone: null,
    email: null,
    website: null,
  },
  performances: [
    {
      performance_id: mapEvent.performance_id,
      start_datetime: mapEvent.start_datetime,
      end_datetime: mapEvent.end_datetime,
      booking_url: mapEvent.booking_url,
    },
  ],
  nearby_stations: [station],
};

export const apiKey: NewApiKey = {
  id: '8f14e45f-ceea-467f-a9d0-2f1d3c1b7a55',
  name: 'Production',
  // Shortened, as above.
  key: 'cw_live_7Kq2…',
  key_prefix: 'cw_live_7Kq2',
  rate_limit_tier: 'free',
  scope: 'read',
  created_at: '2026-11-01T10:00:00.000Z',
  last_used_at: '2026-11-21T08:30:12.000Z',
  requests_today: 120,
  requests_month: 8210,
};

export const keyRateLimit: KeyRateLimit = {
  tier: 'free',
  limit_per_day: 1000,
  used_today: 120,
  remaining: 880,
  resets_at: '2026-11-22T00:00:00.000Z',
};

export const place: LocationSuggestion = {
  label: 'Cardiff, Wales',
  latitude: 51.48,
  longitude: -3.18,
  type: 'city',
  bounding_box: { north: 51.56, south: 51.43, east: -3.07, west: -3.34 },
  raw: { address: { city: 'Cardiff', country: 'Wales' } },
};

export const deviceAuthorization: DeviceAuthorization = {
  device_code: 'GmRh…',
  user_code: 'BCDF-GHJK',
  verification_uri: 'https://clearway.example/pair',
  verification_uri_complete: 'https://clearway.example/pair?user_code=BCDF-GHJK',
  expires_in: 600,
  interval: 5,
};

export const displayToken: DisplayToken = { ...tokens, token_type: 'Bearer', expires_in: 3600 };

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

export const sentMessage: SentMessage = {
  ...messageRequest,
  id: '5b8f6c62-6a3b-4c0a-8f39-1b6d2f0c9a77',
  at: '2026-11-21T08:12:00.000Z',
  from: 'Rosa Jones',
  displays: 2,
};

const { to: _to, displays: _displays, ...ownMessage } = sentMessage;
export const displaySelf: DisplaySelf = {
  rev: 7,
  layout,
  message: ownMessage,
  tags: ['Control room'],
  name: display.name,
};

export const teamDisplay: TeamDisplay = {
  id: display.id,
  name: display.name,
  state: display.state,
  last_seen_at: display.last_seen_at,
  layout_id: layout.id,
  tags: ['Control room'],
  rev: 7,
  asked_at: '2026-11-21T08:12:00.000Z',
  taken_rev: 7,
  taken_at: '2026-11-21T08:12:20.000Z',
  page: 'routes',
  page_since: '2026-11-21T08:30:00.000Z',
  problem: null,
  build: heartbeat.build,
  screen: { width: 1920, height: 1080 },
};

const rosa = { id: user.id, name: 'Rosa Jones' };

export const response: TeamResponse = {
  event_id: disruption.event_id,
  rev: 4,
  disposition: 'diverted',
  by: rosa,
  at: '2026-11-21T08:12:00.000Z',
  lapsed: null,
  lapsed_at: null,
  snooze: null,
};

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

export const nextShiftNote: LoggedAction = {
  ...note,
  id: '019ab2c3-1c00-7f3e-9b1d-3f0d5a1e2b40',
  event_id: null,
  text: 'Call Hull before the 15:15.',
};

const onSheet = {
  event_id: closure.event_id,
  source: closure.source,
  severity: closure.severity,
  title: closure.title,
  start_time: closure.start_time,
};

export const handover: Handover = {
  from: '2026-11-21T06:00:00.000Z',
  to: '2026-11-21T14:00:00.000Z',
  made_at: '2026-11-21T14:02:00.000Z',
  made_by: rosa,
  team: 'Operations room',
  data_to: '2026-11-21T14:01:00.000Z',
  taken: null,
  routes_total: 1,
  on_routes: [
    {
      route: { id: watch.id, name: watch.name },
      routes: [{ id: watch.id, name: watch.name, level: 'certain', leaves: '2026-11-21T14:30:00.000Z' }],
      level: 'certain',
      incident: onSheet,
      since: '2026-11-21T07:40:00.000Z',
      by: rosa,
      disposition: 'diverted',
      lapsed: null,
      last_note: note.text,
    },
  ],
  beside: [],
  checking: [],
  unplaced: 0,
  snoozed: [],
  notes: [{ note, incident: onSheet }],
  cleared: [{ incident: onSheet, at: '2026-11-21T11:02:00.000Z', reason: 'publisher' }],
  planned: [{ title: 'Elland Road: Leeds v Hull ends', at: '2026-11-21T16:50:00.000Z', route: watch.name }],
  unseen_sources: [
    { source: 'airport-status', from: '2026-11-21T05:06:00.000Z', to: '2026-11-21T09:20:00.000Z' },
  ],
  unseen_displays: [
    { name: 'Depot canteen, Stourton', last_seen_at: '2026-11-21T12:37:00.000Z', not_taken: false },
  ],
  next_shift: [nextShiftNote],
};

export const responseRecord: ResponseRecord = { response, log: [note] };

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

export const responseList: ResponseList = {
  responses: [response],
  total: 1,
  reports: [],
  latest: '2026-11-21T08:12:00.000Z',
};

export const overview: AnalyticsOverview = {
  logins_last_7_days: 12,
  active_users_last_24_hours: 4,
  api_requests_last_24_hours: 5230,
  top_endpoints_last_24_hours: [
    { method: 'GET', endpoint: '/api/v1/feeds', count: 4100, avg_response_ms: 1.8 },
  ],
  recent_events: [
    {
      id: '1042',
      display_name: user.display_name,
      event_type: 'login',
      event_category: 'session',
      occurred_at: '2026-11-21T07:58:12.000Z',
    },
  ],
  requests_by_hour: [{ hour: '2026-11-21T08:00:00.000Z', count: 218, failed: 0 }],
  logins_by_day: [{ day: '2026-11-21', count: 3 }],
};

export const apiCall: ApiUsageRow = {
  id: '88214',
  endpoint: '/api/v1/feeds',
  method: 'GET',
  status_code: 200,
  user_email: user.email,
  auth_type: 'session',
  response_time_ms: 1.7,
  created_at: '2026-11-21T08:31:00.000Z',
};

export const auditEntry: AuditEntry = {
  id: '17',
  at: '2026-11-21T08:20:00.000Z',
  actor_id: '0d9e4c7b-51c3-4b7e-8f3f-6f7a5f0f9b42',
  actor: 'admin@clearway.example',
  action: 'user.role_changed',
  subject_id: user.id,
  subject: user.email,
  detail: 'user to admin',
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

/** `whsec_` and 24 random bytes in base64. */
export const madeChannel: MadeChannel = {
  channel: {
    ...channel,
    state: 'unconfirmed',
    last_ok: null,
    waiting: 1,
    next_at: '2026-11-20T09:00:00.000Z',
  },
  secret: 'whsec_…',
};

export const channelChange: ChannelChange = { name: 'Control room, night' };

export const messageSettings: MessageSettings = {
  quiet: { from: '22:00', to: '06:00', critical: false },
  digest: 'off',
  hide_details: false,
  threshold: null,
};

export const toldMember: ToldMember = {
  user_id: user.id,
  display_name: user.display_name,
  is_you: true,
  kinds: ['device', 'email'],
  threshold: null,
};

export const channelList: ChannelList = {
  channels: [channel],
  total: 1,
  settings: messageSettings,
  paused_until: null,
  has_email: false,
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

export const messageDelivery: z.infer<typeof MessageDelivery> = {
  type: `clearway.${message.kind}`,
  timestamp: message.created_at,
  data: {
    id: message.id,
    title: message.title,
    text: message.text,
    severity: message.severity,
    event_ids: message.event_ids,
    watch_id: message.watch_id,
    url: `https://clearway.example/routes/${watch.id}`,
  },
};

export const messagePage: MessagePage = {
  messages: [message],
  unseen: 1,
  failed: 0,
  behind: null,
  possible: 3,
  next_cursor: null,
};

export const messageExplanation: MessageExplanation = {
  watch_id: watch.id,
  messages: [message],
  total: 1,
  possible: 3,
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

const briefSent = {
  at: '2026-11-24T06:00:00.000Z',
  made_at: '2026-11-24T06:00:04.000Z',
  subject: '1 of 41 jobs at risk, worst M62 J26 to J27 · 06:00',
};

export const brief: Brief = {
  id: '0193a5b2-7c11-7d40-8c3a-5f2e90b7a4d1',
  ...briefRequest,
  watch_ids: null,
  channel_ids: [],
  created_at: '2026-11-20T09:12:00.000Z',
  rev: 1,
  sent: [briefSent],
};

const briefSaid = {
  text: 'M62 eastbound, J26 to J27: closed, overturned lorry, until about 18:32. National Highways, 05:58.',
  event_id: 'national-highways:replay-500214',
  severity: 'critical' as const,
};

export const briefPage: BriefPage = {
  id: brief.id,
  name: brief.name,
  ...briefSent,
  team: 'Pennine Coaches',
  sheet: {
    about: 'jobs',
    from: '2026-11-24T06:00:04.000Z',
    to: '2026-11-25T00:00:00.000Z',
    blind: false,
    of: 41,
    risk: 1,
    worst: [briefSaid],
    at_risk: [
      {
        time: '06:10',
        what: 'Leeds Stn to Heathrow T5',
        touched_by: 'M62 eastbound, J26 to J27: closed, reached about 06:28',
        event_id: briefSaid.event_id,
        severity: 'critical',
        arrives: '10:55 to 11:35, may miss it',
        done: 'nobody yet',
      },
    ],
    more: null,
    changed: [],
    more_changed: 0,
    planned: [],
    more_planned: 0,
    unseen: ['Traffic Wales has not answered since 05:12.'],
    ages: [{ name: 'National Highways', at: '2026-11-24T05:59:00.000Z', silent: false }],
  },
};

export const displayJobList: DisplayJobList = {
  day: job.day,
  jobs: [DisplayJob.parse(job)],
  total: 1,
};

export const jobList: JobList = { day: job.day, jobs: [job], total: 1 };

export const sheetMemory: SheetMemory = { columns: { dep: 'time', ref: 'ref' }, last_day: '2026-11-23' };

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

export const imported: Imported = {
  added: 1,
  updated: 0,
  cancelled: 0,
  problems: [
    { row: 2, text: 'Row 2: leaves_local must be a time such as 06:10; 25:15 is 01:15 of the next day.' },
  ],
  trips: [{ words: job.trip, jobs: 1, watch_id: null, found: 'none' }],
  missing: [],
  ids: [],
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
