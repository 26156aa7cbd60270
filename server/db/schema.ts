/** The tables as types. Portable column types only: text, integer, real; times are UTC ISO 8601 text; JSON is text.
 *  */
import type { Change, Look, LookedAt } from '#contract/incidents/changes.ts';
import type { Visibility, WakeLock } from '#contract/displays/displays.ts';
import type { MessageCover } from '#contract/displays/layouts.ts';
import type { Disposition, Lapse, ResponseAction } from '#contract/shift/responses.ts';
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
import type { Generated } from 'kysely';
import type { EndedReason, Phase, Severity } from '#contract/incidents/disruptions.ts';

/** 0 or 1: SQLite has no boolean. */
type Flag = number;

export interface UsersTable {
  id: string;
  /** Lower case. */
  email: string;
  display_name: string;
  password_hash: string;
  role: 'user' | 'admin';
  is_active: Flag;
  is_verified: Flag;
  created_at: string;
  last_login: string | null;
}

export interface TeamsTable {
  id: string;
  name: string;
  /** A JSON array of times on London's clock, in order. */
  shift_starts: string;
  /** A JSON array of the hosts that may frame the team's public pages. */
  frame_hosts: Generated<string>;
  created_at: string;
}

interface TeamMembersTable {
  user_id: string;
  team_id: string;
  role: TeamRole;
  joined_at: string;
}

/** One sign-in on one device, with all refresh tokens that descend from it. */
export interface SessionsTable {
  id: string;
  user_id: string;
  created_at: string;
  last_used_at: string;
  expires_at: string;
  revoked_at: string | null;
  revoked_reason: string | null;
  /** Set when a paired display holds it, and not the user. */
  display_id: string | null;
  /** Where it was last used from, and in what browser. */
  address?: string | null;
  user_agent?: string | null;
  /** When the password was confirmed again; not since the sign-in where it is null. */
  confirmed_at?: string | null;
}

/** Protection of an account beside its password. No row: none. */
export interface AccountSecurityTable {
  user_id: string;
  /** Set by somebody else: it must be changed at the first sign-in, before then. */
  password_until: string | null;
  /** The secret of the second factor, encrypted for this account only. */
  factor_sealed: string | null;
  /** Null: not yet confirmed with a code. */
  factor_since: string | null;
  /** The time step of the last code that was used. */
  factor_step: Generated<number>;
}

interface RecoveryCodesTable {
  code_hash: string;
  user_id: string;
}

/** Each opens the reference once, as the holder of the session. */
interface DocsTicketsTable {
  ticket_hash: string;
  session_id: string;
  expires_at: string;
}

/** Only hashes. A successor is derived from its parent and the secret, so that it can be answered again. */
interface RefreshTokensTable {
  token_hash: string;
  session_id: string;
  created_at: string;
  expires_at: string;
  /** When it was exchanged for its successor. */
  spent_at: string | null;
  successor_hash: string | null;
}

/** Things made under an id of their client's. */
export interface MadeTable {
  id: string;
  /** The table that it is in. */
  kind: 'watches' | 'jobs' | 'briefs' | 'channels' | 'api_keys' | 'users' | 'addresses';
  /** Who made it: a person, and a team where it is a team's. */
  owner: string;
  /** SHA-256, hex. */
  content: string;
  made_at: string;
}

/** Wrong guesses, by `account:<email hash> <network>` and `address:<ip>`. */
interface LoginFailuresTable {
  id: string;
  subject: string;
  failed_at: string;
}

/** A display that asks to be paired. Both codes are stored only as hashes. */
export interface PairingsTable {
  device_code_hash: string;
  user_code_hash: string;
  user_agent: string;
  address: string;
  /** The limit on open pairings counts by this. */
  network: string;
  asked_at: string;
  expires_at: string;
  state: 'waiting' | 'approved' | 'denied';
  /** The allowed polling interval; grows when the display polls too often. */
  interval_seconds: number;
  polled_at: string | null;
}

/** A paired display, with its latest report. */
export interface DisplaysTable {
  id: string;
  name: string;
  owner_id: string | null;
  user_agent: string;
  address: string;
  paired_at: string;
  /** When its pairing was last renewed. */
  approved_at?: string | null;
  /** Null until it has fetched its credential. */
  last_seen_at: string | null;
  build: string | null;
  data_age_seconds: number | null;
  screen_width: number | null;
  screen_height: number | null;
  pixel_ratio: number | null;
  wake_lock: WakeLock | null;
  visibility: Visibility | null;
  heap_bytes: number | null;
  blank_asked_at: string | null;
  /** When the display was instructed to blank. */
  blank_told_at: string | null;
  /** 1: it may show the first names of those who have something in hand. */
  show_names: Generated<Flag>;
  /** Team's or ready-made layout; null: default. */
  layout_id?: string | null;
  /** JSON */
  tags: Generated<string>;
  /** Rises with each change of what it shows. */
  rev: Generated<number>;
  asked_at?: string | null;
  /** Last report by it. */
  taken_rev?: number | null;
  taken_at?: string | null;
  page?: string | null;
  page_since?: string | null;
  problem?: string | null;
}

/** Pages in turn, for displays of a team. */
export interface LayoutsTable {
  id: string;
  team_id: string;
  name: string;
  /** JSON */
  pages: string;
  pin_criticals: Flag;
  rev: number;
}

/** Interruptions of some displays' pages. */
export interface DisplayMessagesTable {
  id: string;
  team_id: string;
  /** JSON */
  target: string;
  text: string;
  look: Severity;
  cover: MessageCover;
  until: string;
  by_user: string | null;
  at: string;
  /** Set when it was withdrawn. */
  ended_at: string | null;
}

/** Where an incident is. All null when no source says. */
interface ShapeColumns {
  /** GeoJSON, at most 64 KB. */
  geometry: string | null;
  /** The box around it, degrees. */
  west: number | null;
  south: number | null;
  east: number | null;
  north: number | null;
}

export interface DisruptionsTable extends ShapeColumns {
  event_id: string;
  source: string;
  severity: Severity;
  /** 0 critical to 3 low, so that the database can sort. */
  severity_rank: number;
  event_type: string;
  title: string;
  summary_line: string;
  /** Title and summary in lower case, so that both databases find É by é. */
  search_text: string;
  /** The normal names of the roads that it is about, each between bars: `|M62||A58|`; '' without a road. */
  roads: string;
  phase: Phase;
  kind: 'alert' | 'status';
  updated_at: string;
  start_time: string;
  end_time: string | null;
  /** 0 when the publisher's status is trusted beyond its end time (`metadata.trust_status`). */
  ends_on_time: Flag;
  latitude: number | null;
  longitude: number | null;
  /** `metadata.location_reach_km`; 0 where it has none. */
  reach_km: number;
  metadata: string;
  /** Fields that no query filters or sorts by: one JSON object. */
  details: string;
  /** By which an unchanged poll is known, and writes nothing. */
  content_hash: string;
  first_seen_at: string;
  /** `collected_at`, unless the incident is in force and seen: then the source's last successful collection if newer.
   *  */
  last_seen_at: string;
  /** 1 when the latest successful poll, complete or not, no longer contained it. */
  unseen: Flag;
  /** Complete polls in a row that no longer contained it. */
  absent_polls: number;
  ended_at: string | null;
  ended_reason: EndedReason | null;
  /** When its present content was first seen. */
  version_seen_at: string;
}

/** The content of an incident before it changed, or before it ended and began again. */
export interface DisruptionVersionsTable extends ShapeColumns {
  event_id: string;
  seen_at: string;
  replaced_at: string;
  severity: DisruptionsTable['severity'];
  title: string;
  summary_line: string;
  phase: DisruptionsTable['phase'];
  kind: DisruptionsTable['kind'];
  updated_at: string;
  start_time: string;
  end_time: string | null;
  ended_at: string | null;
  ended_reason: EndedReason | null;
  /** As in the incident. */
  details: string;
}

/** The versions of an incident that were deleted for their age. No row: none. */
export interface PrunedVersionsTable {
  event_id: string;
  /** How many numbers they had: one each, and one for each end. */
  numbers: number;
  /** When the last of these was given. */
  last_at: string;
}

/** Other content of an incident until then: a version is made only of changes that are worth showing. */
export interface ContentVersionsTable extends Pick<
  DisruptionsTable,
  'event_id' | 'event_type' | 'updated_at' | 'latitude' | 'longitude' | 'metadata' | 'details'
> {
  replaced_at: string;
}

/** An incident that polls did not contain, and then did again, or that ended and began again. */
export interface AbsencesTable {
  event_id: string;
  /** The last poll before that contained it. */
  seen_at: string;
  back_at: string;
}

/** Two incidents that an administrator says are not the same; `one` sorts before `other`. */
export interface MergeSplitsTable {
  one: string;
  other: string;
  at: string;
}

/** That a report is part of an incident that has the id of another: who reports it can change, and so several in time. */
export interface MergedReportsTable {
  /** The report's. */
  event_id: string;
  incident_id: string;
  /** The evidence, in words. */
  why: string | null;
  since: string;
  /** Null: still. It stays so when the report ends, so that its address leads to the incident. */
  until: string | null;
}

/** One row per source: the state of its collection, and which node may run it. */
export interface CollectionsTable {
  source: string;
  enabled: Flag;
  last_attempt: string | null;
  last_success: string | null;
  next_run: string | null;
  consecutive_failures: number;
  last_error: string | null;
  skipped: number;
  problems: string;
  /** 0 when the last successful poll could be read only in part. */
  complete: Flag;
  /** Polls in a row that were unexpectedly empty, not yet confirmed. */
  suspect_polls: number;
  lease_owner: string | null;
  lease_until: string | null;
  /** An administrator, by id, turned it off then. Null: it is on. */
  off_at: string | null;
  off_by: string | null;
  /** Somebody wants it polled out of turn; null again when that poll begins. */
  asked_at: string | null;
}

/** A source that is never certain for a team, or with null for all. */
export interface DemotionsTable {
  id: string;
  team_id: string | null;
  source: string;
  at: string;
  /** In words. */
  why: string;
  /** An administrator trusts it again since then: what was marked before no longer counts. */
  restored_at: string | null;
}

/** One poll of a source; `at`: its beginning. `ok` 0: not a good collection, for the reason `error_kind`. */
export interface PollsTable {
  source: string;
  at: string;
  ok: Flag;
  ms: number;
  /** Incidents that it listed, and how many of them began, changed or ended. */
  records: number;
  changed: number;
  error_kind: string | null;
}

/** All polls of an hour (UTC). `fresh_s`: the seconds of it in which the source was fresh. Times are nearest ranks. */
export interface PollsHourlyTable {
  source: string;
  hour: string;
  polls: number;
  failed: number;
  fresh_s: number;
  ms_p50: number;
  ms_p95: number;
}

export interface SummariesTable {
  feed: string;
  text: string;
  model: string;
  prompt_version: string;
  generated_at: string;
  expires_at: string;
  event_ids: string;
  event_count: number;
  last_event_at: string | null;
  tokens_prompt: number;
  tokens_completion: number;
  metadata: string;
  /** Hash of its input; differs from the feed's present input when stale. */
  input_hash: string;
}

/** Summary as said from then on. Of very old ones only the words are known. */
export type SummaryVersionsTable = Pick<
  SummariesTable,
  'feed' | 'generated_at' | 'text' | 'model' | 'event_ids'
> & {
  [
    Column in
      | 'prompt_version'
      | 'expires_at'
      | 'metadata'
      | 'last_event_at'
      | 'event_count'
      | 'tokens_prompt'
      | 'tokens_completion'
  ]: SummariesTable[Column] | null;
};

/** One row per feed, and one (`*`) for all together: the timing and cost of calls to the hosted model. */
interface SummaryCallsTable {
  feed: string;
  /** No call before this time; empty: none yet. For `*`: the provider must not be called until then. */
  next_at: string;
  /** Calls in a row without a reply. */
  failures: number;
  /** Only for `*`: tokens used or reserved on this day, UTC. */
  day: string;
  tokens: number;
}

export interface ApiKeysTable {
  id: string;
  user_id: string;
  name: string;
  /** SHA-256 of the key, hex. */
  key_hash: string;
  key_prefix: string;
  /** The whole key, encrypted with the server's secret for this row only. Null: it was never stored. */
  sealed: string | null;
  rate_limit_tier: 'free' | 'pro' | 'enterprise';
  scope: 'read' | 'manage' | 'jobs:read';
  created_at: string;
}

/** The calls of one key on one day. */
interface ApiKeyUsageTable {
  key_id: string;
  /** UTC, as `2026-11-21`. */
  day: string;
  used: number;
  last_used_at: string;
}

/** The calls that count towards the quota of an owner's keys of one tier. Kept when keys are deleted. */
interface ApiQuotaUsageTable {
  user_id: string;
  tier: ApiKeysTable['rate_limit_tier'];
  /** UTC, as `2026-11-21`. */
  day: string;
  used: number;
}

export interface UsageEventsTable {
  id: string;
  user_id: string;
  event_type: string;
  event_category: string;
  session_id: string | null;
  occurred_at: string;
}

/** One answered call of the API. `caller_id`: the session, the API key or the display. */
export interface ApiCallsTable {
  id: string;
  occurred_at: string;
  method: string;
  endpoint: string;
  status_code: number;
  response_ms: number;
  auth_type: 'session' | 'api_key' | 'display' | 'none';
  user_id: string | null;
  caller_id: string | null;
}

/** All calls of an hour (UTC, `2026-11-21T09:00:00.000Z`) to one endpoint. `failed`: answered with 500 or above. */
export interface ApiCallsHourlyTable {
  hour: string;
  method: string;
  endpoint: string;
  count: number;
  failed: number;
  total_ms: number;
}

/** Users who were active in an hour. */
interface ActiveHoursTable {
  hour: string;
  user_id: string;
}

/** Administrative actions. `actor_id` null: the operator, with a command. */
export interface AuditTrailTable {
  id: string;
  at: string;
  actor_id: string | null;
  actor: string;
  action: string;
  subject_id: string | null;
  subject: string;
  detail: string;
}

/** Facts that rarely change, such as the position of a flood area. */
interface FactsTable {
  key: string;
  value: string;
  kept_at: string;
}

/** Raised in the transaction that changes the feeds' answers, so that every node knows to rebuild them. */
interface RevisionsTable {
  name: string;
  value: number;
}

/** Where events take place. */
export interface VenuesTable {
  venue_id: string;
  source: string;
  /** A Venue of the contract. */
  record: string;
  content_hash: string;
}

export interface EventsTable {
  event_id: string;
  source: string;
  is_sample: Flag;
  venue_id: string | null;
  /** The contract's EventRecord, without the other columns, venue, performances and stations. */
  record: string;
  content_hash: string;
  updated_at: string;
}

/** An event on one date, as shown in lists and on the map. */
export interface PerformancesTable {
  id: Generated<number>;
  performance_id: string;
  event_id: string;
  /** Its venue: in a tour, each performance can have another. */
  venue_id: string | null;
  start_datetime: string;
  /** When it is over; without an end time, some hours after its start. */
  over_at: string;
  category: string;
  /** In lower case, like `town_key`, for comparison. */
  category_key: string;
  town: string | null;
  town_key: string | null;
  latitude: number | null;
  longitude: number | null;
  /** Name, venue and town in lower case. */
  search_text: string;
  /** The contract's MapEvent, as sent. */
  shown: string;
  content_hash: string;
}

/** A route or an area. */
export interface WatchesTable {
  id: string;
  team_id: string;
  kind: WatchKind;
  name: string;
  /** Made of what it is; the same as `name` unless somebody typed that. */
  made_name: Generated<string>;
  named_by_hand: Generated<Flag>;
  /** Place that an area is round. */
  place: string | null;
  /** The contract's condition. */
  which: Generated<string>;
  /** The contract's hours; null: always. */
  when: string | null;
  made_by: MadeBy;
  /** The contract's legs; `[]` for an area and for feeds. */
  legs: string;
  /** GeoJSON. */
  geometry: string;
  length_km: number;
  reach_m: number | null;
  /** The sources that report on it. */
  sources: string;
  /** Messages about it, and to whom. */
  notify: string;
  created_by: string | null;
  created_at: string;
  /** Who changed it last. */
  updated_by: string | null;
  updated_at: string;
  rev: number;
  /** The `rev` that the matcher has seen. */
  matched_rev: number;
  /** Its place in the team's list; null: after all that have one. */
  list_place: number | null;
  /** Deleted by its team; kept a while for the history of its matches. */
  archived_at: string | null;
}

/** A secret address or a public page; of its random part only the hash is stored. */
export interface AddressesTable {
  /** SHA-256, hex. */
  hash: string;
  id: string;
  team_id: string;
  /** Target: one of the two. */
  watch_id: string | null;
  event_id: string | null;
  form: SharedForm;
  made_by: string | null;
  made_at: string;
  /** Null: no end. */
  expires_at: string | null;
  last_used_at: string | null;
  ended_at: string | null;
}

export interface DeparturesTable {
  id: string;
  watch_id: string;
  name: string | null;
  at_local: string;
  days: number;
  from_date: string | null;
  to_date: string | null;
  except: string;
  duration_min: number | null;
}

export interface MatchesTable {
  watch_id: string;
  subject: MatchSubject;
  subject_id: string;
  began_at: string;
  level: MatchLevel;
  why: string;
  from_km: number | null;
  to_km: number | null;
  off_m: number | null;
  /** Batch of the log with which the row was last written. */
  batch: number;
  ended_at: string | null;
  end_kind: MatchEnd | null;
}

/** A person's verdict on a match; `level` and `why` as they were then. */
export interface MatchFeedbackTable {
  id: string;
  watch_id: string;
  subject_id: string;
  level: string;
  why: string;
  user_id: string | null;
  at: string;
  /** `replaced`: by a later mark of the same person. */
  verdict: Verdict | 'replaced';
  text: string | null;
}

/** Readings of an incident's words that a person calls wrong, kept with them for those who mend the rules. */
interface ReadingFaultsTable {
  id: string;
  event_id: string;
  title: string;
  text: string;
  /** The sentence that was shown. */
  was_read: string;
  note: string | null;
  user_id: string | null;
  at: string;
}

/** Routes for a display to show. */
interface DisplayRoutesTable {
  display_id: string;
  watch_id: string;
}

/** How an incident stands on a route, for messages. */
export interface AlertInstancesTable {
  watch_id: string;
  event_id: string;
  state: 'normal' | 'pending' | 'firing' | 'recovering';
  since: string;
  recover_since: string | null;
  /** While its source is silent. */
  no_data_since: string | null;
  severity: Severity;
  /** When it became critical, or began while critical. */
  urgent_at: string | null;
  rev: number;
}

/** Where messages go. Of a person, or of the whole team (`user_id` null). */
export interface ChannelsTable {
  id: string;
  team_id: string;
  user_id: string | null;
  /** Sign-in of a device, with which it ends. */
  session_id: string | null;
  /** `app`: the person's list in the app, and their settings. */
  kind: ChannelKind | 'app';
  name: string;
  /** Address or subscription, encrypted with the server's secret for this row only. */
  address: string;
  /** By which the same address is known again. */
  address_hash: string;
  /** With which webhooks are signed, encrypted. */
  secret: string | null;
  /** Until then it signs beside the new one. */
  old_secret: string | null;
  old_secret_until: string | null;
  /** JSON: which of alerts, changes, digest and brief it gets. */
  what: string;
  /** A JSON list: the routes, areas and feeds that it gets them from; null: all of its team. */
  watch_ids: string | null;
  /** Changes after this batch of the change log are sent there. */
  changes_from: number;
  quiet: string;
  digest: string;
  hide_details: Flag;
  /** The mildest that is sent at once; null: as each route says. */
  threshold: 'critical' | 'high' | 'medium' | null;
  paused_until: string | null;
  state: ChannelState;
  /** In this state. */
  since: string;
  /** Why it is not working, in words. */
  why: string | null;
  /** The other side asked for a rest until then. */
  wait_until: string | null;
  last_ok: string | null;
  created_at: string;
}

/** A route, an area or a feed whose changes are sent somewhere, and its `rev` when it was last compared with everything. */
interface FollowedWatchesTable {
  watch_id: string;
  rev: number;
}

/** The incidents that it lets through, as far as those who get its changes know. */
interface FollowedIncidentsTable {
  watch_id: string;
  event_id: string;
}

/** Last message to a channel about a route, or about a source (`source:<name>`). */
export interface NotificationLogTable {
  watch_id: string;
  channel_id: string;
  /** A JSON list of incidents. */
  firing: string;
  /** A JSON object: the severity of each as it was sent. */
  severities: string;
  sent_at: string;
  repeats: number;
}

/** The outbox, and what was held back. */
export interface MessagesTable {
  id: string;
  /** Null: held back from everybody. */
  channel_id: string | null;
  watch_id: string | null;
  /** The same for all channels of one message. */
  bundle: string;
  created_at: string;
  body: string;
  reason: string;
  state: MessageState;
  attempts: number;
  /** When it is tried next; null: no more. */
  next_at: string | null;
  last_status: number | null;
  valid_until: string;
  sent_at: string | null;
  seen_at: string | null;
  /** Messages about the same go to a channel in the order of `place`: an incident, a source, or a route's alerts. */
  about: string | null;
  place: string | null;
  /** Team whose route a held-back one is about, or whose channel did not get it. */
  team_id?: string | null;
}

/** How far a reader of the change log is. */
interface CursorsTable {
  name: string;
  batch: number;
  lease_owner: string | null;
  lease_until: string | null;
}

/** Response of a team to an incident: its state now. */
export interface ResponsesTable {
  team_id: string;
  event_id: string;
  /** Null: not acknowledged. */
  disposition: Disposition | null;
  /** Who acknowledged it, and when they did. */
  by_user: string | null;
  at: string;
  /** Incident as the person who acted last saw it. */
  severity_rank: number;
  version_seen_at: string | null;
  /** Why the acknowledgement counts no more. */
  lapsed: Lapse | null;
  lapsed_at: string | null;
  snooze_until: string | null;
  /** 1: any change ends the snooze. */
  snooze_change: Flag;
  snoozed_by: string | null;
  snoozed_at: string | null;
  /** The last action, which may be nobody's. */
  changed_by: string | null;
  changed_at: string;
  change: ResponseAction;
  rev: number;
}

/** Only added to, but for the names of deleted persons. */
export interface ResponseLogTable {
  /** Made by the client. */
  id: string;
  team_id: string;
  event_id: string | null;
  /** When it was done, by the device; `received_at`: by us. */
  at: string;
  received_at: string;
  user_id: string | null;
  action: ResponseAction;
  text: string;
  /** JSON. */
  detail: string;
}

/** A team's own report: an incident that only the team has. */
export interface OwnReportsTable {
  event_id: string;
  team_id: string;
  by_user: string | null;
  severity: Severity;
  severity_rank: number;
  title: string;
  note: string;
  latitude: number | null;
  longitude: number | null;
  geometry: string | null;
  metadata: string;
  facts: string;
  start_time: string;
  ask_again_at: string;
  created_at: string;
  updated_at: string;
  ended_at: string | null;
  rev: number;
}

/** All changes up to this batch were on screen. */
export interface LooksTable extends Look {
  user_id: string;
  screen: LookedAt;
}

/** A job of a team and day. Vehicle, driver, note and reference are personal or secret: they go after `JOB_DAYS`. */
export interface JobsTable {
  id: string;
  team_id: string;
  day: string;
  ref: string | null;
  leaves_local: string;
  leaves_at: string;
  duration_min: number | null;
  /** Route, which may be deleted since. */
  watch_id: string | null;
  trip: string;
  vehicle: string | null;
  driver: string | null;
  people: number | null;
  deadline_local: string | null;
  deadline_at: string | null;
  deadline_what: string | null;
  note: string | null;
  left_at: string | null;
  left_by: string | null;
  /** The arrival that could be told when it was marked as left; null: none could, or its time was changed since. */
  told_from: string | null;
  told_to: string | null;
  arrived_at: string | null;
  arrived_by: string | null;
  cancelled_at: string | null;
  cancelled_by: string | null;
  created_at: string;
  updated_by: string | null;
  updated_at: string;
  rev: number;
}

/** Which route a trip of a team's sheets takes, by its words in one form; null: none. */
export interface TripsTable {
  team_id: string;
  words: string;
  watch_id: string | null;
  /** Day of the last sheet that had it. */
  sheet_day: string;
}

/** A page that a team gets at times. */
export interface BriefsTable {
  id: string;
  team_id: string;
  name: string;
  days: number;
  /** JSON: London's clocks. */
  times: string;
  about: 'jobs' | 'routes' | 'feeds';
  /** JSON; null: all of the team. */
  watch_ids: string | null;
  horizon: 'today' | 'tomorrow' | 'week';
  /** JSON. */
  channel_ids: string;
  created_by: string | null;
  created_at: string;
  updated_by: string | null;
  updated_at: string;
  rev: number;
}

/** Brief sent at a time, as it was; without a subject it was skipped. */
export interface BriefRunsTable {
  brief_id: string;
  at: string;
  made_at: string;
  subject: string | null;
  /** JSON. */
  sheet: string | null;
  /** 1: somebody asked for it between its times, and got it alone. */
  by_hand: number;
}

/** Meaning of columns in a team's last sheet. */
export interface SheetsTable {
  team_id: string;
  columns: string;
  last_day: string;
  /** The last sheet's changes, for taking them back; JSON. Null: that is no longer possible. */
  undo: string | null;
  undo_until: string | null;
}

export interface Tables {
  users: UsersTable;
  teams: TeamsTable;
  team_members: TeamMembersTable;
  sessions: SessionsTable;
  refresh_tokens: RefreshTokensTable;
  account_security: AccountSecurityTable;
  recovery_codes: RecoveryCodesTable;
  docs_tickets: DocsTicketsTable;
  made: MadeTable;
  login_failures: LoginFailuresTable;
  pairings: PairingsTable;
  displays: DisplaysTable;
  disruptions: DisruptionsTable;
  disruption_versions: DisruptionVersionsTable;
  content_versions: ContentVersionsTable;
  absences: AbsencesTable;
  pruned_versions: PrunedVersionsTable;
  changes: Change;
  merge_splits: MergeSplitsTable;
  merged_reports: MergedReportsTable;
  collections: CollectionsTable;
  polls: PollsTable;
  polls_hourly: PollsHourlyTable;
  summaries: SummariesTable;
  summary_versions: SummaryVersionsTable;
  summary_calls: SummaryCallsTable;
  api_keys: ApiKeysTable;
  api_key_usage: ApiKeyUsageTable;
  api_quota_usage: ApiQuotaUsageTable;
  usage_events: UsageEventsTable;
  api_calls: ApiCallsTable;
  api_calls_hourly: ApiCallsHourlyTable;
  active_hours: ActiveHoursTable;
  audit_trail: AuditTrailTable;
  facts: FactsTable;
  revisions: RevisionsTable;
  venues: VenuesTable;
  events: EventsTable;
  performances: PerformancesTable;
  watches: WatchesTable;
  addresses: AddressesTable;
  departures: DeparturesTable;
  demotions: DemotionsTable;
  matches: MatchesTable;
  match_feedback: MatchFeedbackTable;
  reading_faults: ReadingFaultsTable;
  display_routes: DisplayRoutesTable;
  layouts: LayoutsTable;
  display_messages: DisplayMessagesTable;
  alert_instances: AlertInstancesTable;
  channels: ChannelsTable;
  notification_log: NotificationLogTable;
  messages: MessagesTable;
  followed_watches: FollowedWatchesTable;
  followed_incidents: FollowedIncidentsTable;
  cursors: CursorsTable;
  responses: ResponsesTable;
  response_log: ResponseLogTable;
  own_reports: OwnReportsTable;
  looks: LooksTable;
  jobs: JobsTable;
  trips: TripsTable;
  sheets: SheetsTable;
  briefs: BriefsTable;
  brief_runs: BriefRunsTable;
}
