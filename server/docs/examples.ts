/** One example of each answer. All belong to one story: a Saturday morning at Cardiff. */
import type { AnalyticsOverview, ApiUsageRow } from '#contract/analytics.ts';
import type { AuditEntry } from '#contract/admin.ts';
import type { AccountSession, SecondFactor } from '#contract/account.ts';
import type { RefreshResponse, User } from '#contract/auth.ts';
import type { z } from 'zod';
import type {
  AskingDisplay,
  DeviceAuthorization,
  Display,
  DisplayToken,
  Heartbeat,
  TeamDisplay,
} from '#contract/displays.ts';
import type { DisruptionHistory } from '#contract/disruptionHistory.ts';
import type { CollectorStatus, Disruption, Source } from '#contract/disruptions.ts';
import type { EventRecord, MapEvent, NearbyStation } from '#contract/events.ts';
import type { FeedBundle, Summary } from '#contract/feeds.ts';
import type { Filter, FilteredPage, FilterList, FilterPreview, NewSecretAddress } from '#contract/filters.ts';
import type { LocationSuggestion } from '#contract/geocode.ts';
import type { KeyRateLimit, NewApiKey } from '#contract/keys.ts';
import type { Handover } from '#contract/handover.ts';
import type {
  LoggedAction,
  OwnReport,
  ResponseList,
  ResponseRecord,
  TeamResponse,
} from '#contract/responses.ts';
import type { SourceReport } from '#contract/sourceReports.ts';
import type {
  Message,
  MessageExplanation,
  MessagePage,
  Receiver,
  ReceiverList,
  ReceiverRequest,
} from '#contract/messages.ts';
import type { OwnTeam, Team } from '#contract/teams.ts';
import type {
  Delivery,
  DeliveryList,
  NewWebhook,
  Webhook,
  WebhookList,
  WebhookRequest,
} from '#contract/webhooks.ts';
import type {
  BriefMatch,
  Explanation,
  Match,
  Resolved,
  Watch,
  WatchList,
  WatchMatches,
  WatchPreview,
  WatchRecord,
  WatchRequest,
  WatchSuggestions,
} from '#contract/watches.ts';

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
  event_id: 'kb-incidents:7F3A21',
  source: 'kb-incidents',
  severity: 'high',
  event_type: 'rail.incident',
  title: 'Signalling fault between Newport and Cardiff Central',
  summary_line: 'Trains may be cancelled or delayed by up to 40 minutes until 11:00.',
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

export const filteredPage: FilteredPage = {
  events: [disruption],
  total: 1,
  next_cursor: null,
  complete: true,
  data_time: '2026-11-21T08:30:00.000Z',
  silent: [],
  attribution: [{ source: 'kb-incidents', text: 'National Rail Enquiries, by the Rail Data Marketplace.' }],
};

export const filterRequest = { name: 'Roads in the north', query: 'feed=roads-uk&min_severity=high' };

const address = {
  created_at: '2026-11-02T10:20:00.000Z',
  last_used_at: '2026-11-21T08:00:00.000Z',
  dies_at: '2027-02-19T08:00:00.000Z',
};

export const filter: Filter = {
  id: '3c0d9b1e-7a44-4e0b-8a6e-1f5a9c2d7e31',
  ...filterRequest,
  version: 1,
  created_by: { id: user.id, display_name: user.display_name },
  created_at: '2026-11-02T10:15:00.000Z',
  address,
  goes_out: true,
};

export const filterList: FilterList = { filters: [filter], total: 1 };

export const filterPreview: FilterPreview = { matching: 18, hidden: 12, complete: true, silent: [] };

/** Shortened, so that nobody takes it for a real one. */
export const newSecretAddress: NewSecretAddress = { ...address, last_used_at: null, path: '/f/w9J…' };

export const delivery: Delivery = {
  id: 'msg_5b1e7d0c9a2f4e6b8c3d1f0a7e9b2c4d',
  type: 'disruption.worse',
  title: 'Worse. Critical: M62 eastbound, J26 to J27: closed',
  created_at: '2026-11-21T08:12:00.000Z',
  state: 'sent',
  reason: 'Sent',
  attempts: 1,
  next_at: null,
  last_status: 200,
  sent_at: '2026-11-21T08:12:01.000Z',
};

export const webhookRequest: z.input<typeof WebhookRequest> = {
  name: 'Control room',
  url: 'https://control.coaches.example/clearway',
  format: 'standard',
};

export const webhook: Webhook = {
  id: '9d2c4f5e-6b7a-4c8d-9e0f-1a2b3c4d5e6f',
  name: 'Control room',
  host: 'control.coaches.example',
  format: 'standard',
  state: 'ok',
  last_ok: '2026-11-21T08:12:01.000Z',
  last_error: null,
  off_at: null,
  both_sign_until: null,
  created_at: '2026-11-20T09:00:00.000Z',
  last_delivery: delivery,
};

export const webhookList: WebhookList = { webhooks: [webhook], total: 1 };

/** Shortened, so that nobody takes it for a real one. */
export const newWebhook: NewWebhook = { webhook: { ...webhook, last_delivery: null }, secret: 'whsec_…' };

export const deliveryList: DeliveryList = { deliveries: [delivery], total: 1 };

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
  id: '6a0f3f0c-5f0d-4a52-9c1e-2d6a7f4f8b11',
  kind: 'route' as const,
  name: watchRequest.name,
  made_by: watchRequest.made_by,
  length_km: way.length_km,
  reach_m: null,
  sources: ['national-highways'],
  created_by: { id: user.id, display_name: user.display_name },
  created_at: '2026-11-02T10:15:00.000Z',
  updated_at: '2026-11-02T10:15:00.000Z',
  rev: 1,
  departures: [{ id: '0f9d5a5e-2b1c-4a8a-8f3e-6b7c8d9e0f12', ...departure }],
};

export const watch: Watch = { ...listed, ...way, legs: [leg] };

const closure: Disruption = {
  ...disruption,
  event_id: 'national-highways:9921',
  source: 'national-highways',
  severity: 'critical',
  event_type: 'road.closure',
  title: 'M62 eastbound between J27 and J28',
  summary_line: 'The carriageway is closed: an overturned lorry.',
  latitude: 53.745,
  longitude: -1.58,
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

const roadSource: Source = { ...source, source: 'national-highways' };

export const watchList: WatchList = {
  watches: [{ ...listed, matches: [briefMatch] }],
  total: 1,
  incidents: [closure],
  events: [],
  sources: [roadSource],
  behind_since: null,
};

export const watchRecord: WatchRecord = {
  watch,
  matches: [fullMatch],
  sources: [roadSource],
  behind_since: null,
};

export const watchMatches: WatchMatches = {
  matches: [{ ...fullMatch, reached: '2026-11-21T06:10:00.000Z' }],
  sources: [roadSource],
  checked_at: '2026-11-21T08:30:00.000Z',
};

export const watchPreview: WatchPreview = { ...way, ...watchMatches, matches: [fullMatch] };

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
  level: 'certain',
  why: briefMatch.why,
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
  asked_at: null,
};

export const summary: Summary = {
  text: 'A signalling fault between Newport and Cardiff Central delays trains by up to 40 minutes.',
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

export const mapEvent: MapEvent = {
  performance_id: 'sample-1042-1',
  event_id: 'sample-1042',
  name: 'Wales v Fiji',
  category: 'Sport',
  start_datetime: '2026-11-21T17:40:00.000Z',
  end_datetime: '2026-11-21T19:40:00.000Z',
  venue_name: 'Taff Stadium',
  venue_town: 'Cardiff',
  postcode: 'CF10 1NS',
  capacity: 73_000,
  booking_url: 'https://tickets.example/wales-fiji',
  description: 'Autumn international.',
  latitude: 51.478,
  longitude: -3.183,
  is_sample: true,
};

export const eventRecord: EventRecord = {
  event_id: mapEvent.event_id,
  name: mapEvent.name,
  category: mapEvent.category,
  sub_categories: ['Rugby union'],
  tags: ['international'],
  description: mapEvent.description,
  is_sample: true,
  source: 'sample',
  updated_at: '2026-11-01T00:00:00.000Z',
  prices: [{ label: 'Adult', min: 40, max: 95, currency: 'GBP' }],
  images: [],
  trailers: [],
  links: [],
  venue: {
    venue_id: 'sample-venue-7',
    name: 'Taff Stadium',
    venue_type: 'Stadium',
    address: 'Westgate Street',
    town: 'Cardiff',
    postcode: 'CF10 1NS',
    region: 'South Wales',
    country: 'Wales',
    latitude: 51.478,
    longitude: -3.183,
    capacity: 73_000,
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

export const teamDisplay: TeamDisplay = { id: display.id, name: display.name, state: display.state };

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
  on_routes: [
    {
      route: { id: watch.id, name: watch.name },
      routes: [{ id: watch.id, name: watch.name }],
      level: 'certain',
      incident: onSheet,
      since: '2026-11-21T07:40:00.000Z',
      by: rosa,
      disposition: 'diverted',
      lapsed: null,
      last_note: note.text,
    },
  ],
  snoozed: [],
  notes: [{ note, incident: onSheet }],
  cleared: [{ incident: onSheet, at: '2026-11-21T11:02:00.000Z', reason: 'publisher' }],
  planned: [{ title: 'Elland Road: Leeds v Hull ends', at: '2026-11-21T16:50:00.000Z', route: watch.name }],
  unseen_sources: [{ source: 'heathrow', from: '2026-11-21T05:06:00.000Z', to: '2026-11-21T09:20:00.000Z' }],
  unseen_displays: [{ name: 'Depot canteen, Stourton', last_seen_at: '2026-11-21T12:37:00.000Z' }],
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
    end_time: '2026-11-21T10:20:00.000Z',
    latitude: null,
    longitude: null,
    metadata: { phase: 'active', roads: ['M62'] },
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

export const receiver: Receiver = {
  id: '0b5c1b7e-4b1a-4f0e-a6a1-2f0c5d9e7a44',
  kind: 'webhook',
  name: 'Control room',
  is_own: false,
  state: 'ok',
  is_confirmed: true,
  paused_until: null,
  last_ok: '2026-11-21T08:12:04.000Z',
  last_error: null,
  created_at: '2026-11-20T09:00:00.000Z',
};

export const receiverRequest: ReceiverRequest = {
  kind: 'webhook',
  name: 'Control room',
  url: 'https://control.coaches.example/clearway',
};

export const receiverList: ReceiverList = {
  receivers: [receiver],
  total: 1,
  settings: { quiet: { from: '22:00', to: '06:00', critical: false }, digest: 'off', hide_details: false },
  paused_until: null,
  has_email: false,
};

export const message: Message = {
  id: 'msg_7d0c2f1b6a4e4a0f9f0f5b7e8a1c2d3e',
  created_at: '2026-11-21T08:12:00.000Z',
  kind: 'alert',
  severity: 'critical',
  title: 'Critical: M62 eastbound, J26 to J27: closed, overturned lorry',
  text: 'Leeds–Heathrow, M62 J26 to J27, reached about 09:05. National Highways, 08:10.',
  watch_id: watch.id,
  event_ids: ['national-highways:4711'],
  state: 'sent',
  reason: 'Sent 08:12 to this device',
  is_seen: false,
  is_not_ours: false,
};

export const messagePage: MessagePage = { messages: [message], unseen: 1, next_cursor: null };

export const messageExplanation: MessageExplanation = {
  watch_id: watch.id,
  messages: [message],
  total: 1,
};
