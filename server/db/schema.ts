/** The tables as they are now. Portable column types only: times are UTC ISO 8601 text; JSON is text. */
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
import type { EndedReason, Phase, Severity } from '#contract/incidents/disruptions.ts';
import type { Insertable, Selectable } from 'kysely';
import { counted, flag, integer, real, table, text } from './columns.ts';

/** Where an incident is. All null when no source says. */
const WHERE = {
  /** GeoJSON, at most 64 KB. */
  geometry: text.orNull,
  /** The box around it, degrees. */
  west: real.orNull,
  south: real.orNull,
  east: real.orNull,
  north: real.orNull,
};

/** In an order in which they can be made. */
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

  /** A paired display, with its latest report. */
  displays: table({
    id: text.key,
    name: text,
    owner_id: text.orNull.references('users (id)', 'set null'),
    user_agent: text,
    address: text,
    paired_at: text,
    /** Null until it has fetched its credential. */
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
    /** When the display was instructed to blank. */
    blank_told_at: text.orNull,
    /** 1: it may show the first names of those who have something in hand. */
    show_names: flag.default(0),
    /** When its pairing was last renewed. */
    approved_at: text.orNull,
    /** Team's or ready-made layout; null: default. */
    layout_id: text.orNull,
    /** JSON */
    tags: text.default('[]'),
    /** Rises with each change of what it shows. */
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
    /** Set when a paired display holds it, and not the user. */
    display_id: text.orNull.references('displays (id)', 'cascade'),
    /** Address and browser of its last use. */
    address: text.orNull,
    user_agent: text.orNull,
    /** When the password was confirmed again; not since the sign-in where it is null. */
    confirmed_at: text.orNull,
  }).with(
    'index sessions_of_user (user_id)',
    'index sessions_by_expiry (expires_at)',
    'index sessions_of_display (display_id)',
  ),

  /** Only hashes. A successor is derived from its parent and the secret, so that it can be answered again. */
  refresh_tokens: table({
    token_hash: text.key,
    session_id: text.references('sessions (id)', 'cascade'),
    created_at: text,
    expires_at: text,
    /** When it was exchanged for its successor. */
    spent_at: text.orNull,
    successor_hash: text.orNull,
  }).with('index refresh_tokens_of_session (session_id)', 'index refresh_tokens_by_expiry (expires_at)'),

  /** Things made under an id of their client's. */
  made: table({
    id: text.key,
    /** The table that it is in. */
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
    /** Who made it: a person, and a team where it is a team's. */
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

  /** There is far more history than current data: the board's queries read only the partial indexes. */
  disruptions: table({
    event_id: text.key,
    source: text,
    severity: text.of<Severity>(),
    /** 0 critical to 3 low, so that the database can sort. */
    severity_rank: integer,
    event_type: text,
    title: text,
    summary_line: text,
    /** Title and summary in lower case, so that both databases find É by é. */
    search_text: text,
    phase: text.of<Phase>(),
    kind: text.of<'alert' | 'status'>(),
    updated_at: text,
    start_time: text,
    end_time: text.orNull,
    /** 0 when the publisher's status is trusted beyond its end time (`metadata.trust_status`). */
    ends_on_time: flag,
    latitude: real.orNull,
    longitude: real.orNull,
    metadata: text,
    /** By which an unchanged poll is known, and writes nothing. */
    content_hash: text,
    first_seen_at: text,
    /** `collected_at`, unless the incident is in force and seen: then the source's last successful collection if newer.
     *  */
    last_seen_at: text,
    /** 1 when the latest successful poll, complete or not, no longer contained it. */
    unseen: flag,
    /** Complete polls in a row that no longer contained it. */
    absent_polls: integer,
    ended_at: text.orNull,
    ended_reason: text.of<EndedReason>().orNull,
    /** When its present content was first seen. */
    version_seen_at: text.default(''),
    /** Fields that no query filters or sorts by: one JSON object. */
    details: text.default('{}'),
    /** `metadata.location_reach_km`; 0 where it has none. */
    reach_km: real.default(0),
    /** The normal names of the roads that it is about, each between bars: `|M62||A58|`; '' without a road. */
    roads: text.default(''),
    ...WHERE,
  }).with(
    'index disruptions_of_source (source, kind, phase, severity_rank, updated_at desc, event_id) where ended_at is null',
    'index disruptions_worst_first (severity_rank, updated_at desc, event_id) where ended_at is null',
    // All that a list of ended ones is counted and sorted by, over months.
    'index disruptions_ended (kind, severity_rank, ended_at desc, event_id, source) where ended_at is not null',
    'index disruptions_between (ended_at, version_seen_at, event_id)',
  ),

  /** One row per source: the state of its collection, and which node may run it. */
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
    /** 0 when the last successful poll could be read only in part. */
    complete: flag,
    /** Polls in a row that were unexpectedly empty, not yet confirmed. */
    suspect_polls: integer,
    lease_owner: text.orNull,
    lease_until: text.orNull,
    /** An administrator, by id, turned it off then. Null: it is on. */
    off_at: text.orNull,
    off_by: text.orNull,
    /** Somebody wants it polled out of turn; null again when that poll begins. */
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
    /** Hash of its input; differs from the feed's present input when stale. */
    input_hash: text,
  }),

  /** Without a reference to users: usage outlives the person, under a replaced name. */
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

  /** Raised in the transaction that changes the feeds' answers, so that every node knows to rebuild them. */
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
    /** As in the incident. */
    details: text.default('{}'),
    ...WHERE,
    kind: text.of<'alert' | 'status'>().default('alert'),
  }).with(
    'primary key (event_id, seen_at, replaced_at)',
    'index disruption_versions_between (replaced_at, seen_at, ended_at, event_id)',
  ),

  /** One row per feed, and one (`*`) for all together: the timing and cost of calls to the hosted model. */
  summary_calls: table({
    feed: text.key,
    /** No call before this time; empty: none yet. For `*`: the provider must not be called until then. */
    next_at: text,
    /** Calls in a row without a reply. */
    failures: integer,
    /** Only for `*`: tokens used or reserved on this day, UTC. */
    day: text,
    tokens: integer,
  }),

  /** A display that asks to be paired. Both codes are stored only as hashes. */
  pairings: table({
    device_code_hash: text.key,
    user_code_hash: text.unique,
    user_agent: text,
    address: text,
    /** The limit on open pairings counts by this. */
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
    /** A separate number, so that half a million can be held in memory and read by the hundred. */
    id: counted,
    performance_id: text.unique,
    event_id: text,
    start_datetime: text,
    /** When it is over; without an end time, some hours after its start. */
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
    /** Its venue: in a tour, each performance can have another. */
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
    /** The whole key, encrypted with the server's secret for this row only. Null: it was never stored. */
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

  /** Two incidents that an administrator says are not the same; `one` sorts before `other`. */
  merge_splits: table({
    one: text,
    other: text,
    at: text,
  }).with('primary key (one, other)'),

  /** That a report is part of an incident that has the id of another: who reports it can change, and so several in time. */
  merged_reports: table({
    /** The report's. */
    event_id: text,
    incident_id: text,
    /** The evidence, in words. */
    why: text.orNull,
    since: text,
    /** Null: still. It stays so when the report ends, so that its address leads to the incident. */
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

  /** One poll of a source; `at`: its beginning. `ok` 0: not a good collection, for the reason `error_kind`. */
  polls: table({
    source: text,
    at: text,
    ok: flag,
    ms: integer,
    /** Incidents that it listed, and how many of them began, changed or ended. */
    records: integer,
    changed: integer,
    error_kind: text.orNull,
  }).with('primary key (source, at)'),

  /** All polls of an hour (UTC). `fresh_s`: the seconds of it in which the source was fresh. Times are nearest ranks. */
  polls_hourly: table({
    source: text,
    hour: text,
    polls: integer,
    failed: integer,
    fresh_s: integer,
    ms_p50: integer,
    ms_p95: integer,
  }).with('primary key (source, hour)'),

  /** Summary as said from then on. Of very old ones only the words are known. */
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
    /** A JSON array of times on London's clock, in order. */
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

  /** A route or an area. */
  watches: table({
    id: text.key,
    team_id: text.references('teams (id)', 'cascade'),
    kind: text.of<WatchKind>(),
    name: text,
    /** Made of what it is; the same as `name` unless somebody typed that. */
    made_name: text.default(''),
    named_by_hand: flag.default(1),
    /** Place that an area is round. */
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
    /** Messages about it, and to whom. */
    notify: text,
    created_by: text.orNull.references('users (id)', 'set null'),
    created_at: text,
    /** Who changed it last. */
    updated_by: text.orNull.references('users (id)', 'set null'),
    updated_at: text,
    rev: integer,
    /** The `rev` that the matcher has seen. */
    matched_rev: integer,
    /** Its place in the team's list; null: after all that have one. */
    list_place: integer.orNull,
    /** Deleted by its team; kept a while for the history of its matches. */
    archived_at: text.orNull,
  }).with('index watches_of_team (team_id, created_at)'),

  /** A secret address or a public page; of its random part only the hash is stored. */
  addresses: table({
    /** SHA-256, hex. */
    hash: text.key,
    id: text.unique,
    team_id: text.references('teams (id)', 'cascade'),
    /** Target: one of the two. */
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

  /** A source that is never certain for a team, or with null for all. */
  demotions: table({
    id: text.key,
    team_id: text.orNull.references('teams (id)', 'cascade'),
    source: text,
    at: text,
    /** In words. */
    why: text,
    /** An administrator trusts it again since then: what was marked before no longer counts. */
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
    /** Batch of the log with which the row was last written. */
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
    /** `replaced`: by a later mark of the same person. */
    verdict: text.of<Verdict | 'replaced'>(),
    text: text.orNull,
  }).with(
    'index match_feedback_of_watch (watch_id)',
    'index match_feedback_of_subject (subject_id)',
    'index match_feedback_at (at)',
    'index match_feedback_of_user (user_id, at)',
  ),

  /** Readings of an incident's words that a person calls wrong, kept with them for those who mend the rules. */
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

  /** How far a reader of the change log is. */
  cursors: table({
    name: text.key,
    batch: integer,
    lease_owner: text.orNull,
    lease_until: text.orNull,
  }),

  /** Pages in turn, for displays of a team. */
  layouts: table({
    id: text.key,
    team_id: text.references('teams (id)', 'cascade'),
    name: text,
    /** JSON */
    pages: text,
    pin_criticals: flag,
    rev: integer,
  }).with('index layouts_of_team (team_id)'),

  /** Interruptions of some displays' pages. */
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
    /** Set when it was withdrawn. */
    ended_at: text.orNull,
  }).with('index display_messages_of_team (team_id)'),

  /** Routes for a display to show. */
  display_routes: table({
    display_id: text.references('displays (id)', 'cascade'),
    watch_id: text.references('watches (id)', 'cascade'),
  }).with('primary key (display_id, watch_id)', 'index display_routes_of_watch (watch_id)'),

  /** Other content of an incident until then: a version is made only of changes that are worth showing. */
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

  /** An incident that polls did not contain, and then did again, or that ended and began again. */
  absences: table({
    event_id: text,
    back_at: text,
    /** The last poll before that contained it. */
    seen_at: text,
  }).with('primary key (event_id, back_at)', 'index absences_by_time (back_at)'),

  /** Response of a team to an incident: its state now. */
  responses: table({
    team_id: text.references('teams (id)', 'cascade'),
    event_id: text,
    /** Null: not acknowledged. */
    disposition: text.of<Disposition>().orNull,
    /** Who acknowledged it, and when they did. */
    by_user: text.orNull.references('users (id)', 'set null'),
    at: text,
    /** Incident as the person who acted last saw it. */
    severity_rank: integer,
    version_seen_at: text.orNull,
    /** Why the acknowledgement counts no more. */
    lapsed: text.of<Lapse>().orNull,
    lapsed_at: text.orNull,
    snooze_until: text.orNull,
    /** 1: any change ends the snooze. */
    snooze_change: flag,
    snoozed_by: text.orNull.references('users (id)', 'set null'),
    snoozed_at: text.orNull,
    /** The last action, which may be nobody's. */
    changed_by: text.orNull.references('users (id)', 'set null'),
    changed_at: text,
    change: text.of<ResponseAction>(),
    rev: integer,
  }).with('primary key (team_id, event_id)', 'index responses_of_incident (event_id)'),

  /** Only added to, but for the names of deleted persons. */
  response_log: table({
    /** Made by the client. */
    id: text.key,
    team_id: text.references('teams (id)', 'cascade'),
    event_id: text.orNull,
    /** When it was done, by the device; `received_at`: by us. */
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

  /** A team's own report: an incident that only the team has. */
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

  /** How an incident stands on a route, for messages. */
  alert_instances: table({
    watch_id: text.references('watches (id)', 'cascade'),
    event_id: text,
    state: text.of<'normal' | 'pending' | 'firing' | 'recovering'>(),
    since: text,
    recover_since: text.orNull,
    /** While its source is silent. */
    no_data_since: text.orNull,
    severity: text.of<Severity>(),
    /** When it became critical, or began while critical. */
    urgent_at: text.orNull,
    rev: integer,
  }).with('primary key (watch_id, event_id)'),

  /** Channels for messages, of a person or of the whole team (`user_id` null). */
  channels: table({
    id: text.key,
    team_id: text.references('teams (id)', 'cascade'),
    user_id: text.orNull.references('users (id)', 'cascade'),
    /** Sign-in of a device, with which it ends. */
    session_id: text.orNull.references('sessions (id)', 'cascade'),
    /** `app`: the person's list in the app, and their settings. */
    kind: text.of<ChannelKind | 'app'>(),
    name: text,
    /** Address or subscription, encrypted with the server's secret for this row only. */
    address: text,
    /** By which the same address is known again. */
    address_hash: text.unique,
    /** With which webhooks are signed, encrypted. */
    secret: text.orNull,
    /** Until then it signs beside the new one. */
    old_secret: text.orNull,
    old_secret_until: text.orNull,
    /** JSON: which of alerts, changes, digest and brief it gets. */
    what: text,
    /** A JSON list: the routes, areas and feeds that it gets them from; null: all of its team. */
    watch_ids: text.orNull,
    /** Changes after this batch of the change log are sent there. */
    changes_from: integer,
    quiet: text,
    digest: text,
    hide_details: flag,
    /** The mildest that is sent at once; null: as each route says. */
    threshold: text.of<'critical' | 'high' | 'medium'>().orNull,
    paused_until: text.orNull,
    state: text.of<ChannelState>(),
    /** In this state. */
    since: text,
    /** Why it is not working, in words. */
    why: text.orNull,
    /** The other side asked for a rest until then. */
    wait_until: text.orNull,
    last_ok: text.orNull,
    created_at: text,
  }).with(
    'index channels_of_team (team_id, created_at)',
    'index channels_of_user (user_id)',
    'index channels_of_session (session_id)',
  ),

  /** Last message to a channel about a route, or about a source (`source:<name>`). */
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

  /** The outbox, and what was held back. */
  messages: table({
    id: text.key,
    /** Null: held back from everybody. */
    channel_id: text.orNull.references('channels (id)', 'cascade'),
    watch_id: text.orNull.references('watches (id)', 'cascade'),
    /** The same for all channels of one message. */
    bundle: text,
    created_at: text,
    body: text,
    reason: text,
    state: text.of<MessageState>(),
    attempts: integer,
    /** When it is tried next; null: no more. */
    next_at: text.orNull,
    last_status: integer.orNull,
    valid_until: text,
    sent_at: text.orNull,
    seen_at: text.orNull,
    /** Messages about the same go to a channel in the order of `place`: an incident, a source, or a route's alerts. */
    about: text.orNull,
    place: text.orNull,
    /** Team whose route a held-back one is about, or whose channel did not get it. */
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

  /** Protection of an account beside its password. No row: none. */
  account_security: table({
    user_id: text.key.references('users (id)', 'cascade'),
    /** Set by somebody else: it must be changed at the first sign-in, before then. */
    password_until: text.orNull,
    /** The secret of the second factor, encrypted for this account only. */
    factor_sealed: text.orNull,
    /** Null: not yet confirmed with a code. */
    factor_since: text.orNull,
    /** The time step of the last code that was used. */
    factor_step: integer.default(0),
  }),

  recovery_codes: table({
    code_hash: text.key,
    user_id: text.references('users (id)', 'cascade'),
  }).with('index recovery_codes_of_user (user_id)'),

  /** Each opens the reference once, as the holder of the session. */
  docs_tickets: table({
    ticket_hash: text.key,
    session_id: text.references('sessions (id)', 'cascade'),
    expires_at: text,
  }).with('index docs_tickets_of_session (session_id)'),

  /** A job of a team and day. Vehicle, driver, note and reference are personal or secret: they go after `JOB_DAYS`. */
  jobs: table({
    id: text.key,
    team_id: text.references('teams (id)', 'cascade'),
    day: text,
    ref: text.orNull,
    leaves_local: text,
    leaves_at: text,
    duration_min: integer.orNull,
    /** Route, which may be deleted since. */
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
    /** The arrival that could be told when it was marked as left; null: none could, or its time was changed since. */
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

  /** Which route a trip of a team's sheets takes, by its words in one form; null: none. */
  trips: table({
    team_id: text.references('teams (id)', 'cascade'),
    words: text,
    watch_id: text.orNull.references('watches (id)', 'cascade'),
    /** Day of the last sheet that had it. */
    sheet_day: text,
  }).with('primary key (team_id, words)'),

  /** Meaning of columns in a team's last sheet. */
  sheets: table({
    team_id: text.key.references('teams (id)', 'cascade'),
    columns: text,
    last_day: text,
    /** The last sheet's changes, for taking them back; JSON. Null: that is no longer possible. */
    undo: text.orNull,
    undo_until: text.orNull,
  }),

  /** A page that a team gets at times. */
  briefs: table({
    id: text.key,
    team_id: text.references('teams (id)', 'cascade'),
    name: text,
    days: integer,
    /** JSON: London's clocks. */
    times: text,
    about: text.of<'jobs' | 'routes' | 'feeds'>(),
    /** JSON; null: all of the team. */
    watch_ids: text.orNull,
    horizon: text.of<'today' | 'tomorrow' | 'week'>(),
    /** JSON. */
    channel_ids: text,
    created_by: text.orNull.references('users (id)', 'set null'),
    created_at: text,
    updated_by: text.orNull.references('users (id)', 'set null'),
    updated_at: text,
    rev: integer,
  }).with('index briefs_of_team (team_id)'),

  /** Brief sent at a time, as it was; without a subject it was skipped. */
  brief_runs: table({
    brief_id: text.references('briefs (id)', 'cascade'),
    at: text,
    made_at: text,
    subject: text.orNull,
    /** JSON. */
    sheet: text.orNull,
    /** 1: somebody asked for it between its times, and got it alone. */
    by_hand: integer,
  }).with('primary key (brief_id, at)', 'index brief_runs_by_age (made_at)'),

  /** All changes up to this batch were on screen. */
  looks: table({
    user_id: text.references('users (id)', 'cascade'),
    screen: text.of<LookedAt>(),
    batch: integer,
    at: text,
  }).with('primary key (user_id, screen)'),

  /** A route, an area or a feed whose changes are sent somewhere, and its `rev` when it was last compared with everything. */
  followed_watches: table({
    watch_id: text.key.references('watches (id)', 'cascade'),
    rev: integer,
  }),

  /** The incidents that it lets through, as far as those who get its changes know. */
  followed_incidents: table({
    watch_id: text.references('followed_watches (watch_id)', 'cascade'),
    event_id: text,
  }).with('primary key (watch_id, event_id)', 'index followed_incidents_by_id (event_id)'),

  /** The versions of an incident that were deleted for their age. No row: none. */
  pruned_versions: table({
    event_id: text.key,
    /** How many numbers they had: one each, and one for each end. */
    numbers: integer,
    /** When the last of these was given. */
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

/** A row of a table as it is read. */
export type RowOf<T extends keyof Tables> = Selectable<Tables[T]>;

/** A row to add: what the database fills in may be left out. */
export type NewRow<T extends keyof Tables> = Insertable<Tables[T]>;
