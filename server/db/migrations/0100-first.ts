/**
 * The first schema, in one text for both databases. It changes freely until version 1.0.0 is released: no database of
 * before is upgraded. After that a change is a migration of its own.
 */
import { type Kysely, PostgresAdapter, sql } from 'kysely';
import type { Tables } from '../schema.ts';

/** One column a line: `$number` is a number that counts up by itself, and `text` is compared by its bytes. */
const TABLES = `
create table users (
  id text not null primary key,
  email text not null unique,
  display_name text not null,
  password_hash text not null,
  role text not null,
  is_active integer not null,
  is_verified integer not null,
  created_at text not null,
  last_login text
);

create table displays (
  id text not null primary key,
  name text not null,
  owner_id text references users (id) on delete set null,
  user_agent text not null,
  address text not null,
  paired_at text not null,
  last_seen_at text,
  build text,
  data_age_seconds integer,
  screen_width integer,
  screen_height integer,
  pixel_ratio double precision,
  wake_lock text,
  visibility text,
  heap_bytes double precision,
  blank_asked_at text,
  blank_told_at text,
  show_names integer not null default 0,
  approved_at text,
  layout_id text,
  tags text not null default '[]',
  rev integer not null default 0,
  asked_at text,
  taken_rev integer,
  taken_at text,
  page text,
  page_since text,
  problem text
);
create index displays_of_owner on displays (owner_id);

create table sessions (
  id text not null primary key,
  user_id text not null references users (id) on delete cascade,
  created_at text not null,
  last_used_at text not null,
  expires_at text not null,
  revoked_at text,
  revoked_reason text,
  display_id text references displays (id) on delete cascade,
  address text,
  user_agent text,
  confirmed_at text
);
create index sessions_of_user on sessions (user_id);
create index sessions_by_expiry on sessions (expires_at);
create index sessions_of_display on sessions (display_id);

create table refresh_tokens (
  token_hash text not null primary key,
  session_id text not null references sessions (id) on delete cascade,
  created_at text not null,
  expires_at text not null,
  spent_at text,
  successor_hash text
);
create index refresh_tokens_of_session on refresh_tokens (session_id);
create index refresh_tokens_by_expiry on refresh_tokens (expires_at);

create table made (
  id text not null primary key,
  kind text not null,
  owner text not null,
  content text not null,
  made_at text not null
);
create index made_by_time on made (made_at);

create table login_failures (
  id text not null primary key,
  subject text not null,
  failed_at text not null
);
create index login_failures_of_subject on login_failures (subject, failed_at);
create index login_failures_by_time on login_failures (failed_at);

-- There is far more history than current data: the board's queries read only the partial indexes.
create table disruptions (
  event_id text not null primary key,
  source text not null,
  severity text not null,
  severity_rank integer not null,
  event_type text not null,
  title text not null,
  summary_line text not null,
  search_text text not null,
  phase text not null,
  kind text not null,
  updated_at text not null,
  start_time text not null,
  end_time text,
  ends_on_time integer not null,
  latitude double precision,
  longitude double precision,
  metadata text not null,
  content_hash text not null,
  first_seen_at text not null,
  last_seen_at text not null,
  unseen integer not null,
  absent_polls integer not null,
  ended_at text,
  ended_reason text,
  version_seen_at text not null default '',
  details text not null default '{}',
  reach_km double precision not null default 0,
  roads text not null default '',
  geometry text,
  west double precision,
  south double precision,
  east double precision,
  north double precision
);
create index disruptions_of_source on disruptions (source, kind, phase, severity_rank, updated_at desc, event_id)
  where ended_at is null;
create index disruptions_worst_first on disruptions (severity_rank, updated_at desc, event_id) where ended_at is null;
-- All that a list of ended ones is counted and sorted by, over months.
create index disruptions_ended on disruptions (kind, severity_rank, ended_at desc, event_id, source)
  where ended_at is not null;
create index disruptions_between on disruptions (ended_at, version_seen_at, event_id);

create table collections (
  source text not null primary key,
  enabled integer not null,
  last_attempt text,
  last_success text,
  next_run text,
  consecutive_failures integer not null,
  last_error text,
  skipped integer not null,
  problems text not null,
  complete integer not null,
  suspect_polls integer not null,
  lease_owner text,
  lease_until text,
  off_at text,
  off_by text,
  asked_at text
);

create table summaries (
  feed text not null primary key,
  text text not null,
  model text not null,
  prompt_version text not null,
  generated_at text not null,
  expires_at text not null,
  event_ids text not null,
  event_count integer not null,
  last_event_at text,
  tokens_prompt integer not null,
  tokens_completion integer not null,
  metadata text not null,
  input_hash text not null
);

-- Without a reference to users: usage outlives the person, under a replaced name.
create table usage_events (
  id text not null primary key,
  user_id text not null,
  event_type text not null,
  event_category text not null,
  session_id text,
  occurred_at text not null
);
create index usage_events_by_time on usage_events (occurred_at);
create index usage_events_by_type on usage_events (event_category, event_type, occurred_at);

create table facts (
  key text not null primary key,
  value text not null,
  kept_at text not null
);

create table revisions (
  name text not null primary key,
  value integer not null
);

create table disruption_versions (
  event_id text not null,
  seen_at text not null,
  replaced_at text not null,
  severity text not null,
  title text not null,
  summary_line text not null,
  phase text not null,
  updated_at text not null,
  start_time text not null,
  end_time text,
  ended_at text,
  ended_reason text,
  details text not null default '{}',
  geometry text,
  west double precision,
  south double precision,
  east double precision,
  north double precision,
  kind text not null default 'alert',
  primary key (event_id, seen_at, replaced_at)
);
create index disruption_versions_between on disruption_versions (replaced_at, seen_at, ended_at, event_id);

create table summary_calls (
  feed text not null primary key,
  next_at text not null,
  failures integer not null,
  day text not null,
  tokens integer not null
);

create table pairings (
  device_code_hash text not null primary key,
  user_code_hash text not null unique,
  user_agent text not null,
  address text not null,
  network text not null,
  asked_at text not null,
  expires_at text not null,
  state text not null,
  interval_seconds integer not null,
  polled_at text
);
create index pairings_of_network on pairings (network, expires_at);
create index pairings_by_expiry on pairings (expires_at);

create table venues (
  venue_id text not null primary key,
  source text not null,
  record text not null,
  content_hash text not null
);
create index venues_of_source on venues (source);

create table events (
  event_id text not null primary key,
  source text not null,
  is_sample integer not null,
  venue_id text,
  record text not null,
  content_hash text not null,
  updated_at text not null
);
create index events_of_source on events (source);
create index events_of_venue on events (venue_id);

create table performances (
  -- A separate number, so that half a million can be held in memory and read by the hundred.
  id $number,
  performance_id text not null unique,
  event_id text not null,
  start_datetime text not null,
  over_at text not null,
  category text not null,
  category_key text not null,
  town text,
  town_key text,
  latitude double precision,
  longitude double precision,
  search_text text not null,
  shown text not null,
  content_hash text not null,
  venue_id text
);
create index performances_of_event on performances (event_id);
create index performances_by_start on performances (start_datetime, performance_id);
create index performances_of_town on performances (town_key, start_datetime, performance_id);
create index performances_of_venue on performances (venue_id, id);

create table api_keys (
  id text not null primary key,
  user_id text not null references users (id) on delete cascade,
  name text not null,
  key_hash text not null unique,
  key_prefix text not null,
  sealed text,
  rate_limit_tier text not null,
  scope text not null,
  created_at text not null
);
create index api_keys_of_user on api_keys (user_id);

create table api_key_usage (
  key_id text not null,
  day text not null,
  used integer not null,
  last_used_at text not null,
  primary key (key_id, day)
);

create table api_calls (
  id text not null primary key,
  occurred_at text not null,
  method text not null,
  endpoint text not null,
  status_code integer not null,
  response_ms double precision not null,
  auth_type text not null,
  user_id text,
  caller_id text
);
create index api_calls_by_time on api_calls (occurred_at, id);

create table api_calls_hourly (
  hour text not null,
  method text not null,
  endpoint text not null,
  count integer not null,
  failed integer not null,
  total_ms double precision not null,
  primary key (hour, method, endpoint)
);

create table active_hours (
  hour text not null,
  user_id text not null,
  primary key (hour, user_id)
);

create table audit_trail (
  id text not null primary key,
  at text not null,
  actor_id text,
  actor text not null,
  action text not null,
  subject_id text,
  subject text not null,
  detail text not null
);
create index audit_trail_by_time on audit_trail (at, id);

create table api_quota_usage (
  user_id text not null,
  tier text not null,
  day text not null,
  used integer not null,
  primary key (user_id, tier, day)
);

create table merge_splits (
  one text not null,
  other text not null,
  at text not null,
  primary key (one, other)
);

create table merged_reports (
  event_id text not null,
  incident_id text not null,
  why text,
  since text not null,
  until text,
  primary key (event_id, since)
);
create index merged_reports_now on merged_reports (event_id) where until is null;
create index merged_reports_of_incident on merged_reports (incident_id);

create table changes (
  batch integer not null,
  n integer not null,
  at text not null,
  event_id text not null,
  source text not null,
  kind text not null,
  severity_from text,
  severity_to text not null,
  phase_to text not null,
  other_id text,
  primary key (batch, n)
);
create index changes_of_incident on changes (event_id, batch);
create index changes_by_time on changes (at);

create table polls (
  source text not null,
  at text not null,
  ok integer not null,
  ms integer not null,
  records integer not null,
  changed integer not null,
  error_kind text,
  primary key (source, at)
);

create table polls_hourly (
  source text not null,
  hour text not null,
  polls integer not null,
  failed integer not null,
  fresh_s integer not null,
  ms_p50 integer not null,
  ms_p95 integer not null,
  primary key (source, hour)
);

create table summary_versions (
  feed text not null,
  generated_at text not null,
  text text not null,
  model text not null,
  event_ids text not null,
  prompt_version text,
  expires_at text,
  metadata text,
  last_event_at text,
  event_count integer,
  tokens_prompt integer,
  tokens_completion integer,
  primary key (feed, generated_at)
);

create table teams (
  id text not null primary key,
  name text not null,
  shift_starts text not null,
  frame_hosts text not null default '[]',
  created_at text not null
);

create table team_members (
  user_id text not null primary key references users (id) on delete cascade,
  team_id text not null references teams (id) on delete cascade,
  role text not null,
  joined_at text not null
);
create index team_members_of_team on team_members (team_id);

create table watches (
  id text not null primary key,
  team_id text not null references teams (id) on delete cascade,
  kind text not null,
  name text not null,
  made_name text not null default '',
  named_by_hand integer not null default 1,
  place text,
  which text not null default '{}',
  "when" text,
  made_by text not null,
  legs text not null,
  geometry text not null,
  length_km double precision not null,
  reach_m integer,
  sources text not null,
  notify text not null,
  created_by text references users (id) on delete set null,
  created_at text not null,
  updated_by text references users (id) on delete set null,
  updated_at text not null,
  rev integer not null,
  matched_rev integer not null,
  list_place integer,
  archived_at text
);
create index watches_of_team on watches (team_id, created_at);

create table addresses (
  hash text not null primary key,
  id text not null unique,
  team_id text not null references teams (id) on delete cascade,
  watch_id text references watches (id) on delete cascade,
  event_id text,
  form text not null,
  made_by text references users (id) on delete set null,
  made_at text not null,
  expires_at text,
  last_used_at text,
  ended_at text
);
create index addresses_of_team on addresses (team_id, made_at);
create index addresses_of_watch on addresses (watch_id);

create table demotions (
  id text not null primary key,
  team_id text references teams (id) on delete cascade,
  source text not null,
  at text not null,
  why text not null,
  restored_at text
);
create unique index demotions_in_force on demotions (source, coalesce(team_id, '')) where restored_at is null;

create table departures (
  id text not null primary key,
  watch_id text not null references watches (id) on delete cascade,
  name text,
  at_local text not null,
  days integer not null,
  from_date text,
  to_date text,
  "except" text not null,
  duration_min integer
);
create index departures_of_watch on departures (watch_id);

create table matches (
  watch_id text not null references watches (id) on delete cascade,
  subject text not null,
  subject_id text not null,
  began_at text not null,
  level text not null,
  why text not null,
  from_km double precision,
  to_km double precision,
  off_m integer,
  batch integer not null,
  ended_at text,
  end_kind text,
  primary key (watch_id, subject, subject_id, began_at)
);
create index matches_of_subject on matches (subject_id);
create index matches_in_force on matches (watch_id, subject, level) where ended_at is null;

create table match_feedback (
  id text not null primary key,
  watch_id text not null references watches (id) on delete cascade,
  subject_id text not null,
  level text not null,
  why text not null,
  user_id text references users (id) on delete set null,
  at text not null,
  verdict text not null,
  text text
);
create index match_feedback_of_watch on match_feedback (watch_id);
create index match_feedback_of_subject on match_feedback (subject_id);
create index match_feedback_at on match_feedback (at);
create index match_feedback_of_user on match_feedback (user_id, at);

create table reading_faults (
  id text not null primary key,
  event_id text not null,
  title text not null,
  text text not null,
  was_read text not null,
  note text,
  user_id text references users (id) on delete set null,
  at text not null
);
create index reading_faults_of_user on reading_faults (user_id, at);

create table cursors (
  name text not null primary key,
  batch integer not null,
  lease_owner text,
  lease_until text
);

create table layouts (
  id text not null primary key,
  team_id text not null references teams (id) on delete cascade,
  name text not null,
  pages text not null,
  pin_criticals integer not null,
  rev integer not null
);
create index layouts_of_team on layouts (team_id);

create table display_messages (
  id text not null primary key,
  team_id text not null references teams (id) on delete cascade,
  target text not null,
  text text not null,
  look text not null,
  cover text not null,
  until text not null,
  by_user text references users (id) on delete set null,
  at text not null,
  ended_at text
);
create index display_messages_of_team on display_messages (team_id);

create table display_routes (
  display_id text not null references displays (id) on delete cascade,
  watch_id text not null references watches (id) on delete cascade,
  primary key (display_id, watch_id)
);
create index display_routes_of_watch on display_routes (watch_id);

create table content_versions (
  event_id text not null,
  replaced_at text not null,
  event_type text not null,
  updated_at text not null,
  latitude double precision,
  longitude double precision,
  metadata text not null,
  details text not null,
  primary key (event_id, replaced_at)
);
create index content_versions_by_time on content_versions (replaced_at);

create table absences (
  event_id text not null,
  back_at text not null,
  seen_at text not null,
  primary key (event_id, back_at)
);
create index absences_by_time on absences (back_at);

create table responses (
  team_id text not null references teams (id) on delete cascade,
  event_id text not null,
  disposition text,
  by_user text references users (id) on delete set null,
  at text not null,
  severity_rank integer not null,
  version_seen_at text,
  lapsed text,
  lapsed_at text,
  snooze_until text,
  snooze_change integer not null,
  snoozed_by text references users (id) on delete set null,
  snoozed_at text,
  changed_by text references users (id) on delete set null,
  changed_at text not null,
  change text not null,
  rev integer not null,
  primary key (team_id, event_id)
);
create index responses_of_incident on responses (event_id);

create table response_log (
  id text not null primary key,
  team_id text not null references teams (id) on delete cascade,
  event_id text,
  at text not null,
  received_at text not null,
  user_id text references users (id) on delete set null,
  action text not null,
  text text not null,
  detail text not null
);
create index response_log_of_incident on response_log (event_id, team_id, at);
create index response_log_of_team on response_log (team_id, at);

create table own_reports (
  event_id text not null primary key,
  team_id text not null references teams (id) on delete cascade,
  by_user text references users (id) on delete set null,
  severity text not null,
  severity_rank integer not null,
  title text not null,
  note text not null,
  latitude double precision,
  longitude double precision,
  geometry text,
  metadata text not null,
  facts text not null,
  start_time text not null,
  ask_again_at text not null,
  created_at text not null,
  updated_at text not null,
  ended_at text,
  rev integer not null
);
create index own_reports_in_force on own_reports (team_id) where ended_at is null;

create table alert_instances (
  watch_id text not null references watches (id) on delete cascade,
  event_id text not null,
  state text not null,
  since text not null,
  recover_since text,
  no_data_since text,
  severity text not null,
  urgent_at text,
  rev integer not null,
  primary key (watch_id, event_id)
);

create table channels (
  id text not null primary key,
  team_id text not null references teams (id) on delete cascade,
  user_id text references users (id) on delete cascade,
  session_id text references sessions (id) on delete cascade,
  kind text not null,
  name text not null,
  address text not null,
  address_hash text not null unique,
  secret text,
  old_secret text,
  old_secret_until text,
  what text not null,
  watch_ids text,
  changes_from integer not null,
  quiet text not null,
  digest text not null,
  hide_details integer not null,
  threshold text,
  paused_until text,
  state text not null,
  since text not null,
  why text,
  wait_until text,
  last_ok text,
  created_at text not null
);
create index channels_of_team on channels (team_id, created_at);
create index channels_of_user on channels (user_id);
create index channels_of_session on channels (session_id);

create table notification_log (
  watch_id text not null,
  channel_id text not null references channels (id) on delete cascade,
  firing text not null,
  severities text not null,
  sent_at text not null,
  repeats integer not null,
  primary key (watch_id, channel_id)
);
create index notification_log_of_channel on notification_log (channel_id);

create table messages (
  id text not null primary key,
  channel_id text references channels (id) on delete cascade,
  watch_id text references watches (id) on delete cascade,
  bundle text not null,
  created_at text not null,
  body text not null,
  reason text not null,
  state text not null,
  attempts integer not null,
  next_at text,
  last_status integer,
  valid_until text not null,
  sent_at text,
  seen_at text,
  about text,
  place text,
  team_id text references teams (id) on delete cascade
);
create index messages_of_channel on messages (channel_id, created_at, bundle);
create index messages_unseen on messages (channel_id, seen_at);
create index messages_of_bundle on messages (bundle);
create index messages_held on messages (team_id, created_at, bundle) where team_id is not null;
create index messages_of_watch on messages (watch_id, created_at);
create index messages_waiting on messages (next_at) where next_at is not null;
create index messages_by_age on messages (created_at);
create index messages_in_order on messages (channel_id, about, place) where place is not null;

create table account_security (
  user_id text not null primary key references users (id) on delete cascade,
  password_until text,
  factor_sealed text,
  factor_since text,
  factor_step integer not null default 0
);

create table recovery_codes (
  code_hash text not null primary key,
  user_id text not null references users (id) on delete cascade
);
create index recovery_codes_of_user on recovery_codes (user_id);

create table docs_tickets (
  ticket_hash text not null primary key,
  session_id text not null references sessions (id) on delete cascade,
  expires_at text not null
);
create index docs_tickets_of_session on docs_tickets (session_id);

create table jobs (
  id text not null primary key,
  team_id text not null references teams (id) on delete cascade,
  day text not null,
  ref text,
  leaves_local text not null,
  leaves_at text not null,
  duration_min integer,
  watch_id text references watches (id) on delete set null,
  trip text not null,
  vehicle text,
  driver text,
  people integer,
  deadline_local text,
  deadline_at text,
  deadline_what text,
  note text,
  left_at text,
  left_by text references users (id) on delete set null,
  told_from text,
  told_to text,
  arrived_at text,
  arrived_by text references users (id) on delete set null,
  cancelled_at text,
  cancelled_by text references users (id) on delete set null,
  created_at text not null,
  updated_by text references users (id) on delete set null,
  updated_at text not null,
  rev integer not null
);
create index jobs_of_day on jobs (team_id, day, leaves_at);
create index jobs_by_leaving on jobs (team_id, leaves_at);
create index jobs_of_route on jobs (watch_id, leaves_at);
create index jobs_by_day on jobs (day);

create table trips (
  team_id text not null references teams (id) on delete cascade,
  words text not null,
  watch_id text references watches (id) on delete cascade,
  sheet_day text not null,
  primary key (team_id, words)
);

create table sheets (
  team_id text not null primary key references teams (id) on delete cascade,
  columns text not null,
  last_day text not null,
  undo text,
  undo_until text
);

create table briefs (
  id text not null primary key,
  team_id text not null references teams (id) on delete cascade,
  name text not null,
  days integer not null,
  times text not null,
  about text not null,
  watch_ids text,
  horizon text not null,
  channel_ids text not null,
  created_by text references users (id) on delete set null,
  created_at text not null,
  updated_by text references users (id) on delete set null,
  updated_at text not null,
  rev integer not null
);
create index briefs_of_team on briefs (team_id);

create table brief_runs (
  brief_id text not null references briefs (id) on delete cascade,
  at text not null,
  made_at text not null,
  subject text,
  sheet text,
  by_hand integer not null,
  primary key (brief_id, at)
);
create index brief_runs_by_age on brief_runs (made_at);

create table looks (
  user_id text not null references users (id) on delete cascade,
  screen text not null,
  batch integer not null,
  at text not null,
  primary key (user_id, screen)
);

create table followed_watches (
  watch_id text not null primary key references watches (id) on delete cascade,
  rev integer not null
);

create table followed_incidents (
  watch_id text not null references followed_watches (watch_id) on delete cascade,
  event_id text not null,
  primary key (watch_id, event_id)
);
create index followed_incidents_by_id on followed_incidents (event_id);

create table pruned_versions (
  event_id text not null primary key,
  numbers integer not null,
  last_at text not null
);
`;

/** Changes that decide about a call. Not when somebody last signed in, or the last code: each sign-in changes these. */
const ACCESS_CHANGES = [
  ['users', 'update of email, display_name, role, is_active, is_verified'],
  ['users', 'delete'],
  ['sessions', 'update of user_id, display_id, revoked_at'],
  ['sessions', 'delete'],
  ['api_keys', 'update of key_hash, user_id, rate_limit_tier, scope'],
  ['api_keys', 'delete'],
  ['account_security', 'insert'],
  ['account_security', 'update of password_until, factor_since'],
  ['account_security', 'delete'],
] as const;

const RAISE_ACCESS = `insert into revisions (name, value) values ('access', 1)
  on conflict (name) do update set value = revisions.value + 1`;

export async function up(db: Kysely<Tables>): Promise<void> {
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter;
  for (const statement of TABLES.split(';\n').filter((one) => one.trim() !== ''))
    await sql.raw(isPostgres ? forPostgres(statement) : forSqlite(statement)).execute(db);

  // Also what an operator's command or a statement by hand changes raises the revision.
  if (isPostgres)
    await sql
      .raw(
        `create function raise_access() returns trigger language plpgsql as $$ begin ${RAISE_ACCESS}; return null; end $$`,
      )
      .execute(db);
  for (const [table, change] of ACCESS_CHANGES) {
    const name = `${table}_${change.split(' ')[0]}_raises_access`;
    const does = isPostgres
      ? 'for each statement execute function raise_access()'
      : `begin ${RAISE_ACCESS}; end`;
    await sql.raw(`create trigger ${name} after ${change} on ${table} ${does}`).execute(db);
  }

  // Everybody is in it, unless a provider serves several teams.
  await db
    .insertInto('teams')
    .values({
      id: 'everyone',
      name: 'Everyone',
      shift_starts: '["06:00","14:00","22:00"]',
      created_at: new Date().toISOString(),
    })
    .execute();
}

/** A linguistic collation would sort ids and cursors differently from SQLite. */
const forPostgres = (statement: string) =>
  statement
    .replaceAll(/^( +"?\w+"?) text\b/gm, '$1 text collate "C"')
    .replace('$number', 'serial primary key');

const forSqlite = (statement: string) =>
  statement.replace('$number', 'integer not null primary key autoincrement');
