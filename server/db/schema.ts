/** All tables. Only portable column types are used: times are UTC ISO 8601 text; JSON is text. */
import type { ChangeKind, LookedAt } from '#contract/incidents/changes.ts';
import type { Visibility, WakeLock } from '#contract/displays/displays.ts';
import type { MessageCover } from '#contract/displays/layouts.ts';
import type { Lapse } from '#contract/shift/lapses.ts';
import type { Disposition, ResponseAction } from '#contract/shift/responses.ts';
import type { ChannelKind, ChannelState } from '#contract/messages/channels.ts';
import type { MessageState } from '#contract/messages/messages.ts';
import type { TeamRole } from '#contract/accounts/teams.ts';
import type { SharedForm } from '#contract/watches/sharing.ts';
import type {
  MadeBy,
  MatchEnd,
  MatchLevel,
  MatchSubject,
  Verdict,
  WatchKind,
} from '#contract/watches/watches.ts';
import type { EndedReason, Phase } from '#contract/incidents/disruptions.ts';
import type { Severity } from '#contract/incidents/severity.ts';
import type { Insertable, Selectable } from 'kysely';
import { counted, flag, integer, real, table, text } from './columns.ts';

/** The position of an incident. All columns are null when no source gives one. */
const WHERE = {
  /** GeoJSON, at most 64 KB. */
  geometry: text.orNull,
  /** The box around the geometry, in degrees. */
  west: real.orNull,
  south: real.orNull,
  east: real.orNull,
  north: real.orNull,
};

/** The tables in an order in which they can be made. */
export const TABLES = {
  users: table({
    id: text.key,
    /** Lower case. */
    email: text.unique,
    display_name: text,
    password_hash: text,
    role: text.of<'user' | 'admin'>(),
    is_active: flag,
    is_verified: flag,
    created_at: text,
    last_login: text.orNull,
  }),

  /** A paired display with its latest report. */
  displays: table({
    id: text.key,
    name: text,
    owner_id: text.orNull.references('users (id)', 'set null'),
    user_agent: text,
    address: text,
    paired_at: text,
    /** Null until the display has fetched its session. */
    last_seen_at: text.orNull,
    build: text.orNull,
    data_age_seconds: integer.orNull,
    screen_width: integer.orNull,
    screen_height: integer.orNull,
    pixel_ratio: real.orNull,
    wake_lock: text.of<WakeLock>().orNull,
    visibility: text.of<Visibility>().orNull,
    heap_bytes: real.orNull,
    blank_asked_at: text.orNull,
    /** When the display was told to clear its board. */
    blank_told_at: text.orNull,
    /** 1: the display may show the first names of people who deal with an incident. */
    show_names: flag.default(0),
    /** When the pairing was last renewed. */
    approved_at: text.orNull,
    /** A layout of the team, or a ready-made one; null: the default. */
    layout_id: text.orNull,
    /** JSON */
    tags: text.default('[]'),
    /** Rises with each change to what the display shows. */
    rev: integer.default(0),
    asked_at: text.orNull,
    /** Last report by it. */
    taken_rev: integer.orNull,
    taken_at: text.orNull,
    page: text.orNull,
    page_since: text.orNull,
    problem: text.orNull,
  }).with('index displays_of_owner (owner_id)'),

  /** One sign-in on one device, with all refresh tokens that descend from it. */
  sessions: table({
    id: text.key,
    user_id: text.references('users (id)', 'cascade'),
    created_at: text,
    last_used_at: text,
    expires_at: text,
    revoked_at: text.orNull,
    revoked_reason: text.orNull,
    /** Set when a paired display holds the session, and not the user. */
    display_id: text.orNull.references('displays (id)', 'cascade'),
    /** The address and browser of its last use. */
    address: text.orNull,
    user_agent: text.orNull,
    /** When the password was last confirmed; null: not since the sign-in. */
    confirmed_at: text.orNull,
  }).with(
    'index sessions_of_user (user_id)',
    'index sessions_by_expiry (expires_at)',
    'index sessions_of_display (display_id)',
  ),

  /** Refresh tokens as hashes. A successor is derived from its parent and the secret, so that it can be sent again. */
  refresh_tokens: table({
    token_hash: text.key,
    session_id: text.references('sessions (id)', 'cascade'),
    created_at: text,
    expires_at: text,
    /** When it was exchanged for its successor. */
    spent_at: text.orNull,
    successor_hash: text.orNull,
  }).with('index refresh_tokens_of_session (session_id)', 'index refresh_tokens_by_expiry (expires_at)'),

  /** Things that were made under an id that the client chose. */
  made: table({
    id: text.key,
    /** The table that holds the thing. */
    kind: text.of<
      | 'watches'
      | 'jobs'
      | 'briefs'
      | 'channels'
      | 'api_keys'
      | 'users'
      | 'addresses'
      | 'layouts'
      | 'display_messages'
      | 'teams'
      | 'displays'
    >(),
    /** The person who made it, and the team if the thing belongs to a team. */
    owner: text,
    /** SHA-256, hex. */
    content: text,
    made_at: text,
  }).with('index made_by_time (made_at)'),

  /** Wrong guesses, by `account:<email hash> <network>` and `address:<ip>`. */
  login_failures: table({
    id: text.key,
    subject: text,
    failed_at: text,
  }).with('index login_failures_of_subject (subject, failed_at)', 'index login_failures_by_time (failed_at)'),

  /** Incidents, in force and ended. There is far more history than current data, so the board's queries read only
   *  the partial indexes. */
  disruptions: table({
    event_id: text.key,
    source: text,
    severity: text.of<Severity>(),
    /** 0 critical to 3 low, so that the database can sort. */
    severity_rank: integer,
    event_type: text,
    title: text,
    summary_line: text,
    /** Title and summary in lower case, so that both databases find "É" when somebody searches for "é". */
    search_text: text,
    phase: text.of<Phase>(),
    kind: text.of<'alert' | 'status'>(),
    updated_at: text,
    start_time: text,
    end_time: text.orNull,
    /** 0 when the publisher's status counts even after its end time (`metadata.trust_status`). */
    ends_on_time: flag,
    latitude: real.orNull,
    longitude: real.orNull,
    metadata: text,
    /** Shows that a poll has changed nothing, so that nothing is written. */
    content_hash: text,
    first_seen_at: text,
    /** `collected_at`. For an incident that is in force and seen, the source's last successful collection counts if
     *  it is newer. */
    last_seen_at: text,
    /** 1 when the latest successful poll, complete or not, did not contain it. */
    unseen: flag,
    /** Complete polls in a row that did not contain it. */
    absent_polls: integer,
    ended_at: text.orNull,
    ended_reason: text.of<EndedReason>().orNull,
    /** When its current content was first seen. */
    version_seen_at: text.default(''),
    /** Fields that no query filters or sorts by: one JSON object. */
    details: text.default('{}'),
    /** `metadata.location_reach_km`; 0 when there is none. */
    reach_km: real.default(0),
    /** The normal names of the incident's roads, each between bars: `|M62||A58|`; '' without a road. */
    roads: text.default(''),
    ...WHERE,
  }).with(
    'index disruptions_of_source (source, kind, phase, severity_rank, updated_at desc, event_id) where ended_at is null',
    'index disruptions_worst_first (severity_rank, updated_at desc, event_id) where ended_at is null',
    // All columns by which lists of ended incidents are counted and sorted, over months.
    'index disruptions_ended (kind, severity_rank, ended_at desc, event_id, source) where ended_at is not null',
    'index disruptions_between (ended_at, version_seen_at, event_id)',
  ),

  /** One row per source: the state of its collection. */
  collections: table({
    source: text.key,
    enabled: flag,
    last_attempt: text.orNull,
    last_success: text.orNull,
    next_run: text.orNull,
    consecutive_failures: integer,
    last_error: text.orNull,
    skipped: integer,
    problems: text,
    /** 0 when only a part could be read at the last successful poll. */
    complete: flag,
    /** Polls in a row that were unexpectedly empty, not yet confirmed. */
    suspect_polls: integer,
    /** When an administrator turned it off, with their id. Null: it is on. */
    off_at: text.orNull,
    off_by: text.orNull,
    /** When somebody asked for a poll out of turn; null again when that poll begins. */
    asked_at: text.orNull,
  }),

  summaries: table({
    feed: text.key,
    text: text,
    model: text,
    prompt_version: text,
    generated_at: text,
    expires_at: text,
    event_ids: text,
    event_count: integer,
    last_event_at: text.orNull,
    tokens_prompt: integer,
    tokens_completion: integer,
    metadata: text,
    /** The hash of its input. It differs from the hash of the feed's current input when the summary is stale. */
    input_hash: text,
  }),

  /** Usage events. They have no reference to users, because they outlive the person, under a replaced name. */
  usage_events: table({
    id: text.key,
    user_id: text,
    event_type: text,
    event_category: text,
    session_id: text.orNull,
    occurred_at: text,
  }).with(
    'index usage_events_by_time (occurred_at)',
    'index usage_events_by_type (event_category, event_type, occurred_at)',
  ),

  /** Facts that rarely change, such as the position of a flood area. */
  facts: table({
    key: text.key,
    value: text,
    kept_at: text,
  }),

  /** Raised in the transaction of a change, so that every node knows that it must rebuild its answers. */
  revisions: table({
    name: text.key,
    value: integer,
  }),

  /** The content of an incident before it changed, or before it ended and began again. */
  disruption_versions: table({
    event_id: text,
    seen_at: text,
    replaced_at: text,
    severity: text.of<Severity>(),
    title: text,
    summary_line: text,
    phase: text.of<Phase>(),
    updated_at: text,
    start_time: text,
    end_time: text.orNull,
    ended_at: text.orNull,
    ended_reason: text.of<EndedReason>().orNull,
    /** The same form as in the incident. */
    details: text.default('{}'),
    ...WHERE,
    kind: text.of<'alert' | 'status'>().default('alert'),
  }).with(
    'primary key (event_id, seen_at, replaced_at)',
    'index disruption_versions_between (replaced_at, seen_at, ended_at, event_id)',
  ),

  /** The times and costs of calls to the hosted model: one row per feed, and one (`*`) for all together. */
  summary_calls: table({
    feed: text.key,
    /** No call before this time; empty: there was none yet. For `*`: the provider must not be called before it. */
    next_at: text,
    /** Calls in a row without a reply. */
    failures: integer,
    /** Only for `*`: the tokens that were used or reserved on this day, UTC. */
    day: text,
    tokens: integer,
  }),

  /** A display that asks to be paired. Both codes are stored only as hashes. */
  pairings: table({
    device_code_hash: text.key,
    user_code_hash: text.unique,
    user_agent: text,
    address: text,
    /** The network by which open pairings are counted and limited. */
    network: text,
    asked_at: text,
    expires_at: text,
    state: text.of<'waiting' | 'approved' | 'denied'>(),
    /** The allowed polling interval; grows when the display polls too often. */
    interval_seconds: integer,
    polled_at: text.orNull,
  }).with('index pairings_of_network (network, expires_at)', 'index pairings_by_expiry (expires_at)'),

  /** Venues of events. */
  venues: table({
    venue_id: text.key,
    source: text,
    /** A Venue of the contract. */
    record: text,
    content_hash: text,
  }).with('index venues_of_source (source)'),

  events: table({
    event_id: text.key,
    source: text,
    is_sample: flag,
    venue_id: text.orNull,
    /** The contract's EventRecord, without the other columns, venue, performances and stations. */
    record: text,
    content_hash: text,
    updated_at: text,
  }).with('index events_of_source (source)', 'index events_of_venue (venue_id)'),

  /** An event on one date, as shown in lists and on the map. */
  performances: table({
    /** A number of its own, so that half a million can be held in memory and read by the hundred. */
    id: counted,
    performance_id: text.unique,
    event_id: text,
    start_datetime: text,
    /** When it is over. Without an end time, some hours after its start. */
    over_at: text,
    category: text,
    /** In lower case, like `town_key`, for comparison. */
    category_key: text,
    town: text.orNull,
    town_key: text.orNull,
    latitude: real.orNull,
    longitude: real.orNull,
    /** Name, venue and town in lower case. */
    search_text: text,
    /** The contract's MapEvent, as sent. */
    shown: text,
    content_hash: text,
    /** The venue of this performance: in a tour, each can have another. */
    venue_id: text.orNull,
  }).with(
    'index performances_of_event (event_id)',
    'index performances_by_start (start_datetime, performance_id)',
    'index performances_of_town (town_key, start_datetime, performance_id)',
    'index performances_of_venue (venue_id, id)',
  ),

  api_keys: table({
    id: text.key,
    user_id: text.references('users (id)', 'cascade'),
    name: text,
    /** SHA-256 of the key, hex. */
    key_hash: text.unique,
    key_prefix: text,
    /** The whole key, encrypted with the server's secret only for this row. Null: it was never stored. */
    sealed: text.orNull,
    rate_limit_tier: text.of<'free' | 'pro' | 'enterprise'>(),
    scope: text.of<'read' | 'manage' | 'jobs:read'>(),
    created_at: text,
  }).with('index api_keys_of_user (user_id)'),

  /** The calls of one key on one day. */
  api_key_usage: table({
    key_id: text,
    /** UTC, as `2026-11-21`. */
    day: text,
    used: integer,
    last_used_at: text,
  }).with('primary key (key_id, day)'),

  /** One answered call of the API. `caller_id`: the session, the API key or the display. */
  api_calls: table({
    id: text.key,
    occurred_at: text,
    method: text,
    endpoint: text,
    status_code: integer,
    response_ms: real,
    auth_type: text.of<'session' | 'api_key' | 'display' | 'none'>(),
    user_id: text.orNull,
    caller_id: text.orNull,
  }).with('index api_calls_by_time (occurred_at, id)'),

  /** All calls of an hour (UTC, `2026-11-21T09:00:00.000Z`) to one endpoint. `failed`: answered with 500 or above. */
  api_calls_hourly: table({
    hour: text,
    method: text,
    endpoint: text,
    count: integer,
    failed: integer,
    total_ms: real,
  }).with('primary key (hour, method, endpoint)'),

  /** Users who were active in an hour. */
  active_hours: table({
    hour: text,
    user_id: text,
  }).with('primary key (hour, user_id)'),

  /** Administrative actions. `actor_id` null: the operator, with a command. */
  audit_trail: table({
    id: text.key,
    at: text,
    actor_id: text.orNull,
    actor: text,
    action: text,
    subject_id: text.orNull,
    subject: text,
    detail: text,
  }).with('index audit_trail_by_time (at, id)'),

  /** The calls that count towards the quota of an owner's keys of one tier. Kept when keys are deleted. */
  api_quota_usage: table({
    user_id: text,
    tier: text.of<'free' | 'pro' | 'enterprise'>(),
    /** UTC, as `2026-11-21`. */
    day: text,
    used: integer,
  }).with('primary key (user_id, tier, day)'),

  /** Two incidents that are different by the word of an administrator; `one` sorts before `other`. */
  merge_splits: table({
    one: text,
    other: text,
    at: text,
  }).with('primary key (one, other)'),

  /** A report that is part of an incident with another id. The main report of an incident can change, so there can
   *  be several rows over time. */
  merged_reports: table({
    /** The report's. */
    event_id: text,
    incident_id: text,
    /** The evidence, in words. */
    why: text.orNull,
    since: text,
    /** Null: it still is. It stays null when the report ends, so that its address leads to the incident. */
    until: text.orNull,
  }).with(
    'primary key (event_id, since)',
    'index merged_reports_now (event_id) where until is null',
    'index merged_reports_of_incident (incident_id)',
  ),

  changes: table({
    batch: integer,
    n: integer,
    at: text,
    event_id: text,
    source: text,
    kind: text.of<ChangeKind>(),
    severity_from: text.of<Severity>().orNull,
    severity_to: text.of<Severity>(),
    phase_to: text.of<Phase>(),
    other_id: text.orNull,
  }).with(
    'primary key (batch, n)',
    'index changes_of_incident (event_id, batch)',
    'index changes_by_time (at)',
  ),

  /** One poll of a source. `at`: its beginning. `ok` is 0 for a poll that was not good, for the reason `error_kind`. */
  polls: table({
    source: text,
    at: text,
    ok: flag,
    ms: integer,
    /** The number of incidents that it listed, and how many of them began, changed or ended. */
    records: integer,
    changed: integer,
    error_kind: text.orNull,
  }).with('primary key (source, at)'),

  /**
   * All polls of an hour (UTC). `fresh_s`: the seconds of it in which the source was fresh. Times are nearest ranks.
   */
  polls_hourly: table({
    source: text,
    hour: text,
    polls: integer,
    failed: integer,
    fresh_s: integer,
    ms_p50: integer,
    ms_p95: integer,
  }).with('primary key (source, hour)'),

  /** The summary from this time on. For very old ones only the words are known. */
  summary_versions: table({
    feed: text,
    generated_at: text,
    text: text,
    model: text,
    event_ids: text,
    prompt_version: text.orNull,
    expires_at: text.orNull,
    metadata: text.orNull,
    last_event_at: text.orNull,
    event_count: integer.orNull,
    tokens_prompt: integer.orNull,
    tokens_completion: integer.orNull,
  }).with('primary key (feed, generated_at)'),

  teams: table({
    id: text.key,
    name: text,
    /** A JSON array of times in London, in order. */
    shift_starts: text,
    /** A JSON array of the hosts that may frame the team's public pages. */
    frame_hosts: text.default('[]'),
    created_at: text,
  }),

  team_members: table({
    user_id: text.key.references('users (id)', 'cascade'),
    team_id: text.references('teams (id)', 'cascade'),
    role: text.of<TeamRole>(),
    joined_at: text,
  }).with('index team_members_of_team (team_id)'),

  /** A route, an area or feeds. */
  watches: table({
    id: text.key,
    team_id: text.references('teams (id)', 'cascade'),
    kind: text.of<WatchKind>(),
    name: text,
    /** The name that is made from its places; the same as `name` unless somebody typed that. */
    made_name: text.default(''),
    named_by_hand: flag.default(1),
    /** The place in the middle of an area. */
    place: text.orNull,
    /** The contract's condition. */
    which: text.default('{}'),
    /** The contract's hours; null: always. */
    when: text.orNull,
    made_by: text.of<MadeBy>(),
    /** The contract's legs; `[]` for an area and for feeds. */
    legs: text,
    /** GeoJSON. */
    geometry: text,
    length_km: real,
    reach_m: integer.orNull,
    /** The sources that report on it. */
    sources: text,
    /** Which messages are sent about it, and to whom. */
    notify: text,
    created_by: text.orNull.references('users (id)', 'set null'),
    created_at: text,
    /** Who changed it last. */
    updated_by: text.orNull.references('users (id)', 'set null'),
    updated_at: text,
    rev: integer,
    /** The `rev` that the matcher has matched. */
    matched_rev: integer,
    /** Its place in the team's list; null: after all that have a place. */
    list_place: integer.orNull,
    /** When its team deleted it. It is kept for a while for the history of its matches. */
    archived_at: text.orNull,
  }).with('index watches_of_team (team_id, created_at)'),

  /** A secret address or a public page. Its random part is stored only as a hash. */
  addresses: table({
    /** SHA-256, hex. */
    hash: text.key,
    id: text.unique,
    team_id: text.references('teams (id)', 'cascade'),
    /** The target: one of these two is set. */
    watch_id: text.orNull.references('watches (id)', 'cascade'),
    event_id: text.orNull,
    form: text.of<SharedForm>(),
    made_by: text.orNull.references('users (id)', 'set null'),
    made_at: text,
    /** Null: no end. */
    expires_at: text.orNull,
    last_used_at: text.orNull,
    ended_at: text.orNull,
  }).with('index addresses_of_team (team_id, made_at)', 'index addresses_of_watch (watch_id)'),

  /** A source whose matches are never certain for a team, or for all teams when the team is null. */
  demotions: table({
    id: text.key,
    team_id: text.orNull.references('teams (id)', 'cascade'),
    source: text,
    at: text,
    /** In words. */
    why: text,
    /** When an administrator trusted it again: earlier marks no longer count. */
    restored_at: text.orNull,
  }).with("unique index demotions_in_force (source, coalesce(team_id, '')) where restored_at is null"),

  departures: table({
    id: text.key,
    watch_id: text.references('watches (id)', 'cascade'),
    name: text.orNull,
    at_local: text,
    days: integer,
    from_date: text.orNull,
    to_date: text.orNull,
    except: text,
    duration_min: integer.orNull,
  }).with('index departures_of_watch (watch_id)'),

  matches: table({
    watch_id: text.references('watches (id)', 'cascade'),
    subject: text.of<MatchSubject>(),
    subject_id: text,
    began_at: text,
    level: text.of<MatchLevel>(),
    why: text,
    from_km: real.orNull,
    to_km: real.orNull,
    off_m: integer.orNull,
    /** The batch of the log that wrote this row last. */
    batch: integer,
    ended_at: text.orNull,
    end_kind: text.of<MatchEnd>().orNull,
  }).with(
    'primary key (watch_id, subject, subject_id, began_at)',
    'index matches_of_subject (subject_id)',
    'index matches_in_force (watch_id, subject, level) where ended_at is null',
  ),

  /** A person's verdict on a match; `level` and `why` as they were then. */
  match_feedback: table({
    id: text.key,
    watch_id: text.references('watches (id)', 'cascade'),
    subject_id: text,
    level: text,
    why: text,
    user_id: text.orNull.references('users (id)', 'set null'),
    at: text,
    /** `replaced`: the same person has given a later verdict. */
    verdict: text.of<Verdict | 'replaced'>(),
    text: text.orNull,
  }).with(
    'index match_feedback_of_watch (watch_id)',
    'index match_feedback_of_subject (subject_id)',
    'index match_feedback_at (at)',
    'index match_feedback_of_user (user_id, at)',
  ),

  /** Words of an incident that a person says were read wrongly, kept for the people who mend the rules. */
  reading_faults: table({
    id: text.key,
    event_id: text,
    title: text,
    text: text,
    /** The sentence that was shown. */
    was_read: text,
    note: text.orNull,
    user_id: text.orNull.references('users (id)', 'set null'),
    at: text,
  }).with('index reading_faults_of_user (user_id, at)'),

  /** Work that one node does for all: how far it has read the change log, and which node does it until when. */
  cursors: table({
    name: text.key,
    batch: integer,
    lease_owner: text.orNull,
    lease_until: text.orNull,
  }),

  /** A layout: pages that a team's displays show in turn. */
  layouts: table({
    id: text.key,
    team_id: text.references('teams (id)', 'cascade'),
    name: text,
    /** JSON */
    pages: text,
    pin_criticals: flag,
    rev: integer,
  }).with('index layouts_of_team (team_id)'),

  /** Messages that interrupt the pages of some displays. */
  display_messages: table({
    id: text.key,
    team_id: text.references('teams (id)', 'cascade'),
    /** JSON */
    target: text,
    text: text,
    look: text.of<Severity>(),
    cover: text.of<MessageCover>(),
    until: text,
    by_user: text.orNull.references('users (id)', 'set null'),
    at: text,
    /** Set when the message was withdrawn. */
    ended_at: text.orNull,
  }).with('index display_messages_of_team (team_id)'),

  /** The routes that a display must show. */
  display_routes: table({
    display_id: text.references('displays (id)', 'cascade'),
    watch_id: text.references('watches (id)', 'cascade'),
  }).with('primary key (display_id, watch_id)', 'index display_routes_of_watch (watch_id)'),

  /** Earlier content of an incident, until that time. A version is made only of changes that are worth showing; this
   *  holds the others. */
  content_versions: table({
    event_id: text,
    replaced_at: text,
    event_type: text,
    updated_at: text,
    latitude: real.orNull,
    longitude: real.orNull,
    metadata: text,
    details: text,
  }).with('primary key (event_id, replaced_at)', 'index content_versions_by_time (replaced_at)'),

  /** A gap in which polls did not contain an incident, or between its end and its new beginning. */
  absences: table({
    event_id: text,
    back_at: text,
    /** The last poll that contained it before the gap. */
    seen_at: text,
  }).with('primary key (event_id, back_at)', 'index absences_by_time (back_at)'),

  /** The current state of a team's response to an incident. */
  responses: table({
    team_id: text.references('teams (id)', 'cascade'),
    event_id: text,
    /** Null: not acknowledged. */
    disposition: text.of<Disposition>().orNull,
    /** The person who acknowledged it, and when. */
    by_user: text.orNull.references('users (id)', 'set null'),
    at: text,
    /** The incident as the person who acted last saw it. */
    severity_rank: integer,
    version_seen_at: text.orNull,
    /** Why the acknowledgement no longer counts. */
    lapsed: text.of<Lapse>().orNull,
    lapsed_at: text.orNull,
    snooze_until: text.orNull,
    /** 1: any change to the incident ends the snooze. */
    snooze_change: flag,
    snoozed_by: text.orNull.references('users (id)', 'set null'),
    snoozed_at: text.orNull,
    /** The person of the last action; null when the server did it. */
    changed_by: text.orNull.references('users (id)', 'set null'),
    changed_at: text,
    change: text.of<ResponseAction>(),
    rev: integer,
  }).with('primary key (team_id, event_id)', 'index responses_of_incident (event_id)'),

  /** Every action. Rows are only added; only the names of deleted persons are changed. */
  response_log: table({
    /** The client makes this id. */
    id: text.key,
    team_id: text.references('teams (id)', 'cascade'),
    event_id: text.orNull,
    /** When it was done, by the device's clock; `received_at`: when we received it. */
    at: text,
    received_at: text,
    user_id: text.orNull.references('users (id)', 'set null'),
    action: text.of<ResponseAction>(),
    text: text,
    /** JSON. */
    detail: text,
  }).with(
    'index response_log_of_incident (event_id, team_id, at)',
    'index response_log_of_team (team_id, at)',
  ),

  /** A team's own report: an incident that only this team can see. */
  own_reports: table({
    event_id: text.key,
    team_id: text.references('teams (id)', 'cascade'),
    by_user: text.orNull.references('users (id)', 'set null'),
    severity: text.of<Severity>(),
    severity_rank: integer,
    title: text,
    note: text,
    latitude: real.orNull,
    longitude: real.orNull,
    geometry: text.orNull,
    metadata: text,
    facts: text,
    start_time: text,
    ask_again_at: text,
    created_at: text,
    updated_at: text,
    ended_at: text.orNull,
    rev: integer,
  }).with('index own_reports_in_force (team_id) where ended_at is null'),

  /** The state of an incident on a route, for messages. */
  alert_instances: table({
    watch_id: text.references('watches (id)', 'cascade'),
    event_id: text,
    state: text.of<'normal' | 'pending' | 'firing' | 'recovering'>(),
    since: text,
    recover_since: text.orNull,
    /** Since when its source is silent. */
    no_data_since: text.orNull,
    severity: text.of<Severity>(),
    /** When it became critical, or when it began as critical. */
    urgent_at: text.orNull,
    rev: integer,
  }).with('primary key (watch_id, event_id)'),

  /** Channels for messages, of a person or of the whole team (`user_id` is null). */
  channels: table({
    id: text.key,
    team_id: text.references('teams (id)', 'cascade'),
    user_id: text.orNull.references('users (id)', 'cascade'),
    /** The sign-in of a device. The channel ends with it. */
    session_id: text.orNull.references('sessions (id)', 'cascade'),
    /** `app`: the person's list in the app, and their settings. */
    kind: text.of<ChannelKind | 'app'>(),
    name: text,
    /** The address or subscription, encrypted with the server's secret only for this row. */
    address: text,
    /** A hash, to recognise the same address. */
    address_hash: text.unique,
    /** The key that webhooks are signed with, encrypted. */
    secret: text.orNull,
    /** The earlier key. It signs beside the new one until then. */
    old_secret: text.orNull,
    old_secret_until: text.orNull,
    /** JSON: which messages it gets of alerts, changes, digest and brief. */
    what: text,
    /** A JSON list of routes, areas and feeds whose messages it gets; null: all of its team. */
    watch_ids: text.orNull,
    /** Changes after this batch of the change log are sent to it. */
    changes_from: integer,
    quiet: text,
    digest: text,
    hide_details: flag,
    /** The lowest severity that is sent at once; null: each route has its own. */
    threshold: text.of<'critical' | 'high' | 'medium'>().orNull,
    paused_until: text.orNull,
    state: text.of<ChannelState>(),
    /** In this state. */
    since: text,
    /** Why the channel is not working, in words. */
    why: text.orNull,
    /** The receiver asked us to wait until then. */
    wait_until: text.orNull,
    last_ok: text.orNull,
    created_at: text,
  }).with(
    'index channels_of_team (team_id, created_at)',
    'index channels_of_user (user_id)',
    'index channels_of_session (session_id)',
  ),

  /** The last message to a channel about a route, or about a source (`source:<name>`). */
  notification_log: table({
    watch_id: text,
    channel_id: text.references('channels (id)', 'cascade'),
    /** A JSON list of incidents. */
    firing: text,
    /** A JSON object: the severity of each as it was sent. */
    severities: text,
    sent_at: text,
    repeats: integer,
  }).with('primary key (watch_id, channel_id)', 'index notification_log_of_channel (channel_id)'),

  /** The outbox, and messages that were held back. */
  messages: table({
    id: text.key,
    /** Null: held back from everybody. */
    channel_id: text.orNull.references('channels (id)', 'cascade'),
    watch_id: text.orNull.references('watches (id)', 'cascade'),
    /** The same for all channels that get this message. */
    bundle: text,
    created_at: text,
    body: text,
    reason: text,
    state: text.of<MessageState>(),
    attempts: integer,
    /** When it is tried next; null: it is not tried again. */
    next_at: text.orNull,
    last_status: integer.orNull,
    valid_until: text,
    sent_at: text.orNull,
    seen_at: text.orNull,
    /** The incident, source or route that it is about. Messages about the same one go to a channel in the order of
     *  `place`. */
    about: text.orNull,
    place: text.orNull,
    /** The team of the route that a held-back message is about, or of the channel that did not get it. */
    team_id: text.orNull.references('teams (id)', 'cascade'),
  }).with(
    'index messages_of_channel (channel_id, created_at, bundle)',
    'index messages_of_state (channel_id, state, created_at, bundle)',
    'index messages_unseen (channel_id, seen_at, created_at, bundle)',
    'index messages_of_bundle (bundle, channel_id, seen_at)',
    'index messages_held (team_id, created_at, bundle) where team_id is not null',
    'index messages_of_watch (watch_id, created_at)',
    'index messages_waiting (next_at) where next_at is not null',
    'index messages_by_age (created_at)',
    'index messages_in_order (channel_id, about, place) where place is not null',
  ),

  /** The protection of an account beside its password. No row: none. */
  account_security: table({
    user_id: text.key.references('users (id)', 'cascade'),
    /** Until then the password, which somebody else set, must be changed at the first sign-in. */
    password_until: text.orNull,
    /** The secret of the second factor, encrypted for this account only. */
    factor_sealed: text.orNull,
    /** When it was confirmed with a code; null: not yet. */
    factor_since: text.orNull,
    /** The time step of the last code that was used. */
    factor_step: integer.default(0),
  }),

  recovery_codes: table({
    code_hash: text.key,
    user_id: text.references('users (id)', 'cascade'),
  }).with('index recovery_codes_of_user (user_id)'),

  /** Tickets for the reference. Each opens it once, for the holder of the session. */
  docs_tickets: table({
    ticket_hash: text.key,
    session_id: text.references('sessions (id)', 'cascade'),
    expires_at: text,
  }).with('index docs_tickets_of_session (session_id)'),

  /** A job of a team on a day. Vehicle, driver, note and reference are personal or secret, so they are deleted after
   *  `JOB_DAYS`. */
  jobs: table({
    id: text.key,
    team_id: text.references('teams (id)', 'cascade'),
    day: text,
    ref: text.orNull,
    leaves_local: text,
    leaves_at: text,
    duration_min: integer.orNull,
    /** The route, which may have been deleted since. */
    watch_id: text.orNull.references('watches (id)', 'set null'),
    trip: text,
    vehicle: text.orNull,
    driver: text.orNull,
    people: integer.orNull,
    deadline_local: text.orNull,
    deadline_at: text.orNull,
    deadline_what: text.orNull,
    note: text.orNull,
    left_at: text.orNull,
    left_by: text.orNull.references('users (id)', 'set null'),
    /** The arrival that was expected when the job was marked as left; null: none was known, or its time was changed
     *  since. */
    told_from: text.orNull,
    told_to: text.orNull,
    arrived_at: text.orNull,
    arrived_by: text.orNull.references('users (id)', 'set null'),
    cancelled_at: text.orNull,
    cancelled_by: text.orNull.references('users (id)', 'set null'),
    created_at: text,
    updated_by: text.orNull.references('users (id)', 'set null'),
    updated_at: text,
    rev: integer,
  }).with(
    'index jobs_of_day (team_id, day, leaves_at)',
    'index jobs_by_leaving (team_id, leaves_at)',
    'index jobs_of_route (watch_id, leaves_at)',
    'index jobs_by_day (day)',
  ),

  /** The route of a trip in a team's sheets, by the trip's words in one spelling; null: none. */
  trips: table({
    team_id: text.references('teams (id)', 'cascade'),
    words: text,
    watch_id: text.orNull.references('watches (id)', 'cascade'),
    /** The day of the last sheet that held it. */
    sheet_day: text,
  }).with('primary key (team_id, words)'),

  /** The meaning of the columns in a team's last sheet. */
  sheets: table({
    team_id: text.key.references('teams (id)', 'cascade'),
    columns: text,
    last_day: text,
    /** The changes of the last sheets as a JSON list, so that each can be undone. Null: none can. */
    undo: text.orNull,
    undo_until: text.orNull,
  }),

  /** A brief: a page that a team gets at its chosen times. */
  briefs: table({
    id: text.key,
    team_id: text.references('teams (id)', 'cascade'),
    name: text,
    days: integer,
    /** JSON: times in London. */
    times: text,
    about: text.of<'jobs' | 'routes' | 'feeds'>(),
    /** JSON; null: all routes, areas and feeds of the team. */
    watch_ids: text.orNull,
    horizon: text.of<'today' | 'tomorrow' | 'week'>(),
    /** JSON; null: everybody in the team. */
    user_ids: text.orNull,
    /** JSON. */
    channel_ids: text,
    created_by: text.orNull.references('users (id)', 'set null'),
    created_at: text,
    updated_by: text.orNull.references('users (id)', 'set null'),
    updated_at: text,
    rev: integer,
  }).with('index briefs_of_team (team_id)'),

  /** A brief as it was sent at a time. Without a subject it was skipped. */
  brief_runs: table({
    brief_id: text.references('briefs (id)', 'cascade'),
    at: text,
    made_at: text,
    subject: text.orNull,
    /** JSON. */
    sheet: text.orNull,
    /** 1: somebody asked for it at another time, and only they got it. */
    by_hand: integer,
  }).with('primary key (brief_id, at)', 'index brief_runs_by_age (made_at)'),

  /** The last batch whose changes a person had on screen. */
  looks: table({
    user_id: text.references('users (id)', 'cascade'),
    screen: text.of<LookedAt>(),
    batch: integer,
    at: text,
  }).with('primary key (user_id, screen)'),

  /** A route, an area or a feed whose changes are sent to a channel, and its `rev` when it was last compared with
   *  all incidents. */
  followed_watches: table({
    watch_id: text.key.references('watches (id)', 'cascade'),
    rev: integer,
  }),

  /** The incidents that it lets through, as its receivers know them. */
  followed_incidents: table({
    watch_id: text.references('followed_watches (watch_id)', 'cascade'),
    event_id: text,
  }).with('primary key (watch_id, event_id)', 'index followed_incidents_by_id (event_id)'),

  /** How many versions of an incident were deleted because of their age. No row: none. */
  pruned_versions: table({
    event_id: text.key,
    /** How many numbers they had: one for each version, and one for each end. */
    numbers: integer,
    /** When the last of these numbers was given. */
    last_at: text,
  }),
};

/** The same as types. */
export type Tables = {
  [T in keyof typeof TABLES]: {
    [C in keyof (typeof TABLES)[T]['columns']]: (typeof TABLES)[T]['columns'][C] extends {
      holds: infer Value;
    }
      ? Value
      : never;
  };
};

/** A row of a table as the database returns it. */
export type RowOf<T extends keyof Tables> = Selectable<Tables[T]>;

/** A row to add. Columns that the database fills in may be left out. */
export type NewRow<T extends keyof Tables> = Insertable<Tables[T]>;
