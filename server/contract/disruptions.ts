/** Disruptions: one live incident, the sources they come from, and how old what we know of them is. */
import { z } from 'zod/mini';

/** Worst first; every list sorts so. */
export const Severity = z.enum(['critical', 'high', 'medium', 'low']);
export type Severity = z.infer<typeof Severity>;

/** `planned`: known, but not begun. Planned incidents are listed and never counted as alerts. */
export const Phase = z.enum(['active', 'planned']);
export type Phase = z.infer<typeof Phase>;

/** A rail operator's entry in the National Service Indicator, as the board shows it. */
export const RailOperatorStatus = z.object({
  toc_code: z.string(),
  toc_name: z.string(),
  status: z.string(),
  status_description: z.nullish(z.string()),
  additional_info: z.nullish(z.string()),
  service_groups: z.array(
    z.object({
      group_name: z.nullish(z.string()),
      current_disruption: z.nullish(z.string()),
      detail: z.nullish(z.string()),
      url: z.nullish(z.string()),
    }),
  ),
});
export type RailOperatorStatus = z.infer<typeof RailOperatorStatus>;

/** What a source says beyond the common fields. Keys that are not listed here pass through. */
export const DisruptionMetadata = z.looseObject({
  phase: Phase,
  /** True when the publisher gave no severity that we know: shown as "Unrated". */
  severity_unrated: z.optional(z.boolean()),
  /** The publisher's own severity or status word. */
  upstream_severity: z.optional(z.string()),
  nsi: z.optional(RailOperatorStatus),
  /** Incidents of other sources that this record points to. */
  related_event_ids: z.optional(z.array(z.string())),
  /** In feeds and lists: the same incident by another route, which therefore is no alert of its own there. */
  also_reported_by: z.optional(
    z.array(z.object({ source: z.string(), event_id: z.string(), title: z.string() })),
  ),
  links: z.optional(z.array(z.object({ url: z.string(), label: z.nullish(z.string()) }))),
  /** How latitude and longitude were found, when the publisher gave an area and not a point. */
  location_method: z.optional(z.string()),
  /** True when the time of its last change, or of its start though it is active, lay ahead of our clock when it came. */
  clock_skew: z.optional(z.boolean()),
});
export type DisruptionMetadata = z.infer<typeof DisruptionMetadata>;

/** One live incident. All times are ISO 8601, UTC. */
export const Disruption = z.object({
  /** `<source>:<the source's own id>`, stable between collections. */
  event_id: z.string(),
  source: z.string(),
  severity: Severity,
  /** Dotted, e.g. `rail.operator_status`, `road.closure`, `flood.warning`. */
  event_type: z.string(),
  title: z.string(),
  /** Plain text, about 200 characters at most. */
  summary_line: z.string(),
  /** The newest good collection that still had this incident. */
  collected_at: z.iso.datetime(),
  /** The publisher's last change; never merely the time of a poll. */
  updated_at: z.nullable(z.iso.datetime()),
  start_time: z.nullable(z.iso.datetime()),
  end_time: z.nullable(z.iso.datetime()),
  /** WGS84 degrees, only when the source gives a position. */
  latitude: z.nullable(z.number()),
  longitude: z.nullable(z.number()),
  metadata: DisruptionMetadata,
});
export type Disruption = z.infer<typeof Disruption>;

/** `publisher`: its record said so; `end_time`: that had passed; `absent`: no longer listed; `expired`: its source grew too old. */
export const EndedReason = z.enum(['publisher', 'end_time', 'absent', 'expired']);
export type EndedReason = z.infer<typeof EndedReason>;

/** What an incident said from one poll to the next change. */
const DisruptionVersion = z.object({
  /** The poll that first had it so. */
  seen_at: z.iso.datetime(),
  ...z.pick(Disruption, {
    severity: true,
    title: true,
    summary_line: true,
    updated_at: true,
    start_time: true,
    end_time: true,
  }).shape,
  phase: Phase,
  /** Which of these fields differ from the version before; none for the first. */
  changed: z.array(z.enum(['severity', 'title', 'summary_line', 'phase', 'start_time', 'end_time'])),
  /** When it ended as this version, and why; null where it did not. It may have begun again since. */
  ended_at: z.nullable(z.iso.datetime()),
  ended_reason: z.nullable(EndedReason),
});
export type DisruptionVersion = z.infer<typeof DisruptionVersion>;

/** Answer of `GET /disruptions/{event_id}`: the incident as it is, or was at its end. */
export const DisruptionHistory = z.extend(Disruption, {
  first_seen_at: z.iso.datetime(),
  ended_at: z.nullable(z.iso.datetime()),
  ended_reason: z.nullable(EndedReason),
  /** Its versions, oldest first, the present one last; of very many the newest. */
  history: z.array(DisruptionVersion),
  /** How many versions are known. */
  versions: z.int(),
});
export type DisruptionHistory = z.infer<typeof DisruptionHistory>;

/** At most this many versions of one incident. */
export const VERSIONS_SHOWN = 200;

/** How far a source may be believed, by its own declared rhythm and maximum age. */
export const Freshness = z.enum(['fresh', 'late', 'stale']);
export type Freshness = z.infer<typeof Freshness>;

/** `idle`: configured and waiting for its first collection. */
export const SourceState = z.enum(['ok', 'degraded', 'failing', 'not_configured', 'idle']);
export type SourceState = z.infer<typeof SourceState>;

export const Source = z.object({
  source: z.string(),
  /** Active alerts: without planned ones and without operators that run normally. */
  event_count: z.int(),
  /** The last good collection; null when there never was one, or (then `stale`) when its time cannot be known. */
  last_collected: z.nullable(z.iso.datetime()),
  state: SourceState,
  /** Null when the source was never collected. */
  freshness: z.nullable(Freshness),
});
export type Source = z.infer<typeof Source>;

export const SourceList = z.object({
  sources: z.array(Source),
  total: z.int(),
  /** The newest and the oldest good collection of the connected sources: what there is is at most as old as the latter. */
  last_updated: z.nullable(z.iso.datetime()),
  oldest_collected: z.nullable(z.iso.datetime()),
  /** Of all connected sources together, as of a feed. */
  freshness: z.nullable(Freshness),
});

/** Answer of `GET /disruptions/sources/{source}`. */
export const SourceEvents = z.extend(Source, {
  /** The same as `last_collected`, by the name that it has in a feed. */
  last_updated: z.nullable(z.iso.datetime()),
  events: z.array(Disruption),
  /** All that `events` was cut from: active alerts, planned ones and normal rail operators. */
  total: z.int(),
  /** Rail operators only: how many there are and how many are not running normally. */
  operators_total: z.optional(z.int()),
  operators_disrupted: z.optional(z.int()),
});
export type SourceEvents = z.infer<typeof SourceEvents>;

export const DisruptionPage = z.object({
  events: z.array(Disruption),
  total: z.int(),
  next_cursor: z.nullable(z.string()),
  /** Where bounds were asked for: how many more the same question finds that have no position, and so are in no area. */
  total_without_position: z.optional(z.int()),
  /** Where bounds were asked for: every source, so that an empty area is never taken for a quiet one. */
  sources: z.optional(z.array(Source)),
});

export const DisruptionStats = z.object({
  /** An incident that two sources report counts once, but in `by_source` for each of them. */
  total_active: z.int(),
  by_severity: z.record(Severity, z.int()),
  by_source: z.array(z.object({ source: z.string(), count: z.int() })),
  by_feed: z.array(z.object({ feed: z.string(), count: z.int() })),
  generated_at: z.iso.datetime(),
});

/** One collector's health. `last_error`, `missing_settings`, `skipped` and `problems` are for administrators only. */
export const CollectorStatus = z.object({
  source: z.string(),
  enabled: z.boolean(),
  state: SourceState,
  /** How often it is expected to be collected. */
  interval_seconds: z.int(),
  /** After this long without a good collection what it said must not be believed. */
  max_age_seconds: z.int(),
  last_attempt: z.nullable(z.iso.datetime()),
  last_success: z.nullable(z.iso.datetime()),
  next_run: z.nullable(z.iso.datetime()),
  consecutive_failures: z.int(),
  last_error: z.nullish(z.string()),
  event_count: z.int(),
  missing_settings: z.optional(z.array(z.string())),
  /** Of the last good collection: records that could not be read, and what was odd, at most 20 lines. */
  skipped: z.optional(z.int()),
  problems: z.optional(z.array(z.string())),
});
export type CollectorStatus = z.infer<typeof CollectorStatus>;

/** At most this many alerts per source on the board. */
export const EVENTS_PER_SOURCE = 12;
