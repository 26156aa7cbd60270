/** Documentation of each call beyond its schemas: who may call it, examples and refusals. */
import { DEVICE_CODE_GRANT, DISPLAY_CLIENT_ID, HEARTBEAT_MINUTES } from '#contract/displays.ts';
import { FEEDS } from '#contract/feeds.ts';
import { Severity } from '#contract/disruptions.ts';
import { KNOWN_SOURCES } from '#contract/sources.ts';
import * as example from './examples.ts';

/** Who may call. `data`: users and API keys; `board`: displays as well. */
export type Who = 'anyone' | 'user' | 'admin' | 'data' | 'board' | 'display';

export interface Call {
  /** The operation's id, which tools use as the name of the call. */
  id: string;
  tag: string;
  who: Who;
  /** Used when the route's schema has no description. */
  about?: string;
  /** The name of the parameter that the router reads as the rest of the path. */
  rest?: string;
  /** Parameters with a meaning specific to this call; the others are in PARAMETERS. */
  parameters?: Readonly<Record<string, Told>>;
  /** An example of the body. */
  body?: unknown;
  /** True when the body can be left out. */
  mayBeEmpty?: boolean;
  /** An example of the answer; absent when the answer is empty. */
  answer?: unknown;
  /** The meaning of a status, where "Done." is not enough. */
  answers?: Readonly<Record<number, string>>;
  /** Examples, by status, of answers that are neither a success nor a common refusal. */
  otherAnswers?: Readonly<Record<number, unknown>>;
  /** Refusals specific to this call, by status, in the words sent to the caller. */
  refusals?: Readonly<Record<number, string>>;
}

/** The meaning of a parameter. */
export interface Told {
  about: string;
  example?: unknown;
  oneOf?: readonly string[];
}

export const TAGS = [
  { name: 'Disruptions', about: 'Live incidents, and the sources they come from.' },
  { name: 'Feeds', about: "The board's five feeds: alerts of several sources, with a summary." },
  { name: 'Events', about: 'What takes place where and when.' },
  { name: 'Places', about: 'Finding a place by its name or postcode.' },
  { name: 'API keys', about: 'The caller’s own keys.' },
  { name: 'Sessions', about: 'Signing in and out.' },
  { name: 'Displays', about: 'Wall displays that show the board without anybody signed in.' },
  { name: 'Usage', about: 'How much the service is used.' },
  { name: 'Administration', about: 'Users, and the trail of what administrators did.' },
  { name: 'Service', about: 'For operators: settings of the app, and whether the service is well.' },
] as const;

/** Parameters that mean the same in every call. */
export const PARAMETERS: Readonly<Record<string, Told>> = {
  limit: { about: 'How many at most.', example: 10 },
  cursor: { about: 'The `next_cursor` of the answer before, for the rows after it.' },
  north: { about: 'Upper bound, degrees of latitude.', example: 51.7 },
  south: { about: 'Lower bound, degrees of latitude.', example: 51.3 },
  east: { about: 'Right bound, degrees of longitude.', example: -2.9 },
  west: { about: 'Left bound, degrees of longitude.', example: -3.4 },
  q: { about: 'Words that must occur.', example: 'signal' },
  slug: { about: 'The feed.', example: 'rail-network', oneOf: FEEDS.map(({ slug }) => slug) },
  source: { about: `The source, such as ${Object.keys(KNOWN_SOURCES).join(', ')}.`, example: 'tfl' },
  include_events: { about: 'Whether the alerts come with it.', example: 'true' },
  start_date: { about: 'First day (London), YYYY-MM-DD.', example: '2026-11-21' },
  end_date: { about: 'Last day (London), YYYY-MM-DD.', example: '2026-11-28' },
};

const WRONG_PASSWORD = 'Incorrect email or password';
const UNKNOWN_USER = 'There is no such user. The list may be out of date.';
const LAST_ADMIN = 'This is the last active administrator. Make somebody else one first.';
const UNKNOWN_FEED = "Feed 'trams' not found";
const UNKNOWN_KEY = 'API key not found';
const UNKNOWN_DISPLAY = 'Display not found';
const DISPLAY_ID = { about: 'The display’s id.', example: example.display.id };
const CODE = { about: 'The code that the display shows.', example: example.askingDisplay.user_code };
const PAIRING_REFUSALS = {
  404: 'No display shows this code. Look at the screen again: the code may have changed.',
  409: 'This code was used already. The screen will show a new one if it still needs one.',
  410: 'This code has run out. Look at the screen again: it shows a new one.',
  429: 'Too many wrong codes. Try again in 60 seconds.',
};

/** By method and route. */
export const CALLS: Readonly<Record<string, Call>> = {
  'GET /api/v1/disruptions': {
    id: 'listDisruptions',
    tag: 'Disruptions',
    who: 'board',
    parameters: {
      category: { about: 'Of a feed (`Rail`) or of a source (`transport`).', example: 'rail' },
      feed: { about: 'One feed only.', example: 'rail-network', oneOf: FEEDS.map(({ slug }) => slug) },
      severity: {
        about: 'These severities only: separated by commas, or a parameter for each.',
        example: 'critical,high',
        oneOf: Severity.options,
      },
      event_type: { about: 'This type only.', example: 'rail.incident' },
      since: { about: 'Changed at or after this time.', example: '2026-11-21T08:00:00Z' },
      position: { about: 'With a position only, or without one only.', oneOf: ['known', 'none'] },
    },
    answer: {
      events: [example.disruption],
      total: 1,
      next_cursor: null,
      total_without_position: 0,
      sources: [example.source],
    },
  },
  'GET /api/v1/disruptions/sources': {
    id: 'listSources',
    tag: 'Disruptions',
    who: 'board',
    about: 'Each with its own age: what a source has not confirmed for too long must not be believed.',
    answer: {
      sources: [example.source],
      total: 1,
      last_updated: example.source.last_collected,
      oldest_collected: example.source.last_collected,
      freshness: 'fresh',
    },
  },
  'GET /api/v1/disruptions/sources/{source}': {
    id: 'readSource',
    tag: 'Disruptions',
    who: 'board',
    about:
      'A known source that is not connected answers with no events, `last_collected: null` and its state.',
    answer: {
      ...example.source,
      last_updated: example.source.last_collected,
      events: [example.disruption],
      total: 1,
    },
    refusals: { 404: "Source 'carrier-pigeon' not found or has no events" },
  },
  'GET /api/v1/disruptions/stats': {
    id: 'countDisruptions',
    tag: 'Disruptions',
    who: 'board',
    about: 'An incident that two sources report counts once, but in `by_source` for each of them.',
    answer: {
      total_active: 1,
      by_severity: { critical: 0, high: 1, medium: 0, low: 0 },
      by_source: [{ source: 'kb-incidents', count: 1 }],
      by_feed: [{ feed: 'rail-network', count: 1 }],
      generated_at: '2026-11-21T08:31:00.000Z',
    },
  },
  'GET /api/v1/disruptions/collectors/status': {
    id: 'readCollectors',
    tag: 'Disruptions',
    who: 'board',
    about: 'Errors and missing settings are told to administrators alone.',
    answer: { collectors: [example.collector], total: 1 },
  },
  'GET /api/v1/disruptions/{*}': {
    id: 'readDisruption',
    tag: 'Disruptions',
    who: 'board',
    rest: 'event_id',
    parameters: {
      event_id: { about: 'The `event_id`, percent-encoded.', example: example.disruption.event_id },
    },
    answer: example.disruptionHistory,
    refusals: { 404: "Disruption 'tfl:gone' not found" },
  },

  'GET /api/v1/feeds': {
    id: 'listFeeds',
    tag: 'Feeds',
    who: 'board',
    about:
      'Everything that the board shows. At most 20 alerts a feed. With `If-None-Match` 304 while nothing has changed.',
    answer: { feeds: [example.feedBundle], total: 1 },
  },
  'GET /api/v1/feeds/{slug}': {
    id: 'readFeed',
    tag: 'Feeds',
    who: 'board',
    about: 'As in the list of feeds.',
    answer: example.feedBundle,
    refusals: { 404: UNKNOWN_FEED },
  },
  'GET /api/v1/feeds/{slug}/summary': {
    id: 'readFeedSummary',
    tag: 'Feeds',
    who: 'board',
    about: '`stale`: the alerts have changed since, and a new one is being made.',
    answer: example.summary,
    refusals: { 404: UNKNOWN_FEED },
  },
  'GET /api/v1/feeds/{slug}/events': {
    id: 'listFeedEvents',
    tag: 'Feeds',
    who: 'board',
    answer: { events: [example.disruption], total: 1 },
    refusals: { 404: UNKNOWN_FEED },
  },

  'GET /api/v1/events': {
    id: 'listEvents',
    tag: 'Events',
    who: 'data',
    parameters: {
      venue_town: { about: 'The town of the venue, however it is cased.', example: 'Cardiff' },
      category: {
        about: 'This category only; `GET /api/v1/events/categories` lists them.',
        example: 'Music',
      },
      q: { about: 'Words that must occur in the name, the venue or the town.', example: 'rugby' },
    },
    answer: { events: [example.mapEvent], total: 1, next_cursor: null },
  },
  'GET /api/v1/events/viewport': {
    id: 'listEventsInView',
    tag: 'Events',
    who: 'data',
    parameters: {
      category: { about: 'This category only.', example: 'Music' },
      max_results: { about: 'How many at most; `total` counts all.', example: 500 },
      include_nearby_stations: {
        about: 'Whether the stations near each venue come with it.',
        example: 'true',
      },
    },
    answer: { events: [{ ...example.mapEvent, nearby_stations: [example.station] }], total: 1 },
  },
  'GET /api/v1/events/categories': {
    id: 'listCategories',
    tag: 'Events',
    who: 'data',
    about: 'A plain list of names.',
    answer: ['Comedy', 'Music', 'Sport'],
  },
  'GET /api/v1/events/venues/towns': {
    id: 'listTowns',
    tag: 'Events',
    who: 'data',
    about: 'Each with the number of its events.',
    answer: [{ town: 'Cardiff', event_count: 41 }],
  },
  'GET /api/v1/events/{*}': {
    id: 'readEvent',
    tag: 'Events',
    who: 'data',
    about: 'With its venue, every performance, prices, links, and the stations near it.',
    rest: 'event_id',
    parameters: {
      event_id: { about: 'The `event_id`, percent-encoded.', example: example.mapEvent.event_id },
    },
    answer: example.eventRecord,
    refusals: { 404: "Event 'gone' not found" },
  },

  'GET /api/v1/keys': {
    id: 'listKeys',
    tag: 'API keys',
    who: 'user',
    answer: [example.apiKey],
  },
  'POST /api/v1/keys': {
    id: 'createKey',
    tag: 'API keys',
    who: 'user',
    body: { name: 'Production', tier: 'free' },
    answer: { ...example.apiKey, last_used_at: null, requests_today: 0, requests_month: 0 },
    answers: { 201: 'The key exists now; `key` is its full value.' },
    refusals: {
      403: 'Only free keys can be made here. Ask the team for a key of the pro tier.',
      409: 'You have 20 API keys, which is the most. Delete one that is not used.',
    },
  },
  'GET /api/v1/keys/{id}': {
    id: 'readKey',
    tag: 'API keys',
    who: 'user',
    about: 'As in the list of keys.',
    parameters: { id: { about: 'The key’s id.', example: example.apiKey.id } },
    answer: example.apiKey,
    refusals: { 404: UNKNOWN_KEY },
  },
  'DELETE /api/v1/keys/{id}': {
    id: 'deleteKey',
    tag: 'API keys',
    who: 'user',
    about: 'Whatever still calls with it is answered with 401.',
    parameters: { id: { about: 'The key’s id.', example: example.apiKey.id } },
    answers: { 204: 'The key is gone.' },
    refusals: { 404: UNKNOWN_KEY },
  },
  'GET /api/v1/keys/{id}/rate-limit': {
    id: 'readKeyRateLimit',
    tag: 'API keys',
    who: 'user',
    parameters: { id: { about: 'The key’s id.', example: example.apiKey.id } },
    answer: example.keyRateLimit,
    refusals: { 404: UNKNOWN_KEY },
  },

  'GET /api/v1/geocode/search': {
    id: 'findPlaces',
    tag: 'Places',
    who: 'data',
    parameters: { query: { about: 'A name or a postcode, as typed.', example: 'Cardiff' } },
    answer: { results: [example.place], attribution: 'Place data © GeoNames, CC BY 4.0' },
  },

  'POST /api/v1/auth/login': {
    id: 'signIn',
    tag: 'Sessions',
    who: 'anyone',
    about: 'Only wrong passwords count against the limit of attempts.',
    body: { email: 'rosa@coaches.example', password: 'four-lorries-in-Carlisle' },
    answer: { ...example.tokens, session_id: example.SESSION_ID, user: example.user },
    refusals: {
      401: WRONG_PASSWORD,
      429: 'Too many wrong passwords. Try again in 60 seconds.',
      503: 'Too many people are signing in at this moment. Try again in a few seconds.',
    },
  },
  'POST /api/v1/auth/refresh': {
    id: 'refreshSession',
    tag: 'Sessions',
    who: 'anyone',
    body: { refresh_token: example.tokens.refresh_token },
    answer: example.tokens,
    refusals: { 401: 'Your session has ended. Sign in again.' },
  },
  'POST /api/v1/auth/logout': {
    id: 'signOut',
    tag: 'Sessions',
    who: 'anyone',
    body: { session_id: example.SESSION_ID },
    mayBeEmpty: true,
    answers: { 204: 'The session has ended.' },
  },
  'POST /api/v1/auth/register': {
    id: 'register',
    tag: 'Sessions',
    who: 'anyone',
    about: 'Closed unless the operator has opened it.',
    body: { email: 'rosa@coaches.example', password: 'four-lorries-in-Carlisle', display_name: 'Rosa Jones' },
    answer: example.user,
    refusals: {
      403: 'Registration is by invitation only.',
      409: 'An account with this email address exists already.',
    },
  },
  'GET /api/v1/auth/me': {
    id: 'readMe',
    tag: 'Sessions',
    who: 'user',
    about: 'The user of the access token.',
    answer: example.user,
  },

  'POST /api/v1/displays/device_authorization': {
    id: 'askForDisplay',
    tag: 'Displays',
    who: 'anyone',
    body: { client_id: DISPLAY_CLIENT_ID },
    mayBeEmpty: true,
    answer: example.deviceAuthorization,
    refusals: { 429: 'Too many displays wait for approval at this address. Try again in a minute.' },
  },
  'POST /api/v1/displays/token': {
    id: 'fetchDisplayToken',
    tag: 'Displays',
    who: 'anyone',
    body: { grant_type: DEVICE_CODE_GRANT, device_code: example.deviceAuthorization.device_code },
    answer: example.displayToken,
    answers: { 400: 'Not yet, not so often, or not any more: `error` says which, as RFC 8628 names it.' },
    otherAnswers: {
      400: { error: 'authorization_pending', detail: 'Nobody has approved this display yet.' },
    },
  },
  'GET /api/v1/displays/pairing': {
    id: 'readPairing',
    tag: 'Displays',
    who: 'user',
    parameters: { user_code: CODE },
    answer: example.askingDisplay,
    refusals: PAIRING_REFUSALS,
  },
  'POST /api/v1/displays/pairing/approve': {
    id: 'approveDisplay',
    tag: 'Displays',
    who: 'user',
    about: 'The display lives by the account of whoever approves it.',
    body: { user_code: example.askingDisplay.user_code, name: example.display.name },
    answer: { id: example.display.id, name: example.display.name },
    answers: { 201: 'The display may fetch its credential now.' },
    refusals: PAIRING_REFUSALS,
  },
  'POST /api/v1/displays/pairing/deny': {
    id: 'denyDisplay',
    tag: 'Displays',
    who: 'user',
    about: 'The display is told so, and may show a new code.',
    body: { user_code: example.askingDisplay.user_code },
    answers: { 204: 'The display is turned away.' },
    refusals: PAIRING_REFUSALS,
  },
  'POST /api/v1/displays/heartbeat': {
    id: 'reportDisplay',
    tag: 'Displays',
    who: 'display',
    about: `Every ${HEARTBEAT_MINUTES} minutes: what it shows, how old that is, and whether its screen stays awake.`,
    body: example.heartbeat,
    answers: { 204: 'Noted.' },
  },
  'GET /api/v1/admin/displays': {
    id: 'listDisplays',
    tag: 'Displays',
    who: 'admin',
    about: 'With its state, and what it reported last.',
    answer: { displays: [example.display], total: 1 },
  },
  'PATCH /api/v1/admin/displays/{id}': {
    id: 'changeDisplay',
    tag: 'Displays',
    who: 'admin',
    about: 'What is left out stays as it is.',
    parameters: { id: DISPLAY_ID },
    body: { name: 'Dispatch room' },
    answer: example.display,
    refusals: { 404: UNKNOWN_DISPLAY },
  },
  'POST /api/v1/admin/displays/{id}/revoke': {
    id: 'revokeDisplay',
    tag: 'Displays',
    who: 'admin',
    parameters: { id: DISPLAY_ID },
    body: { blank: false },
    mayBeEmpty: true,
    answer: { ...example.display, state: 'revoked' },
    refusals: { 404: UNKNOWN_DISPLAY },
  },

  'POST /api/v1/analytics/events': {
    id: 'reportUse',
    tag: 'Usage',
    who: 'user',
    about: 'The app tells which of its pages was opened. Its loss never matters.',
    body: { event_type: 'map_viewed', event_category: 'navigation', session_id: example.SESSION_ID },
  },
  'GET /api/v1/analytics/overview': {
    id: 'readOverview',
    tag: 'Usage',
    who: 'admin',
    about: 'Sign-ins of seven days, users, calls and the busiest endpoints of 24 hours.',
    answer: example.overview,
  },
  'GET /api/v1/analytics/api-usage': {
    id: 'listApiUsage',
    tag: 'Usage',
    who: 'admin',
    about: 'Newest first. `endpoint` is the route: ids and queries are not kept.',
    answer: { usage: [example.apiCall], total: 1 },
  },

  'GET /api/v1/admin/users': {
    id: 'listUsers',
    tag: 'Administration',
    who: 'admin',
    about: 'By address.',
    answer: { users: [example.user], total: 1 },
  },
  'POST /api/v1/admin/users': {
    id: 'createUser',
    tag: 'Administration',
    who: 'admin',
    about: 'Passwords have 8 to 128 characters and are not among the common ones.',
    body: {
      email: 'rosa@coaches.example',
      display_name: 'Rosa Jones',
      password: 'four-lorries-in-Carlisle',
      role: 'user',
      is_active: true,
      is_verified: true,
    },
    answer: example.user,
    answers: { 201: 'The user exists now.' },
    refusals: { 409: 'A user with this email address exists already.' },
  },
  'PATCH /api/v1/admin/users/{id}': {
    id: 'changeUser',
    tag: 'Administration',
    who: 'admin',
    parameters: { id: { about: 'The user’s id.', example: example.user.id } },
    body: { role: 'admin' },
    answer: { ...example.user, role: 'admin', is_admin: true },
    refusals: { 404: UNKNOWN_USER, 409: LAST_ADMIN },
  },
  'DELETE /api/v1/admin/users/{id}': {
    id: 'deleteUser',
    tag: 'Administration',
    who: 'admin',
    parameters: { id: { about: 'The user’s id.', example: example.user.id } },
    answers: { 204: 'The user is gone.' },
    refusals: { 404: UNKNOWN_USER, 409: LAST_ADMIN },
  },
  'GET /api/v1/admin/audit': {
    id: 'listAudit',
    tag: 'Administration',
    who: 'admin',
    about: 'Deleted people are named no more.',
    answer: { entries: [example.auditEntry], next_cursor: null },
  },

  'GET /healthz': {
    id: 'isAlive',
    tag: 'Service',
    who: 'anyone',
    about: 'The process answers.',
    answer: { status: 'ok' },
  },
  'GET /readyz': {
    id: 'isReady',
    tag: 'Service',
    who: 'anyone',
    about: 'It can serve, too.',
    answer: { status: 'ready' },
    refusals: { 503: 'The database does not answer.' },
  },
  'GET /config.json': {
    id: 'readConfig',
    tag: 'Service',
    who: 'anyone',
    about: 'What an operator may change without building the app again.',
    answer: example.runtimeConfig,
  },
};
