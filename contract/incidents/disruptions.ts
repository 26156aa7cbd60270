/** Disruptions: live incidents, their sources, and how old the data is. */
import { KM_PER_DEGREE } from '../places/distance.ts';
import { z } from 'zod/mini';
import { Facts } from './facts.ts';
import { Severity } from './severity.ts';
import { nextOf, TimeWindow, type WindowRead } from './windows.ts';

/** `planned`: known, but not begun. Planned incidents are listed but never counted as alerts. */
export const Phase = z.enum(['active', 'planned']);
export type Phase = z.infer<typeof Phase>;

/** An incident is active unless its server says that it is planned. */
export const isPlanned = ({ metadata }: { metadata?: { phase?: string | null } | null }): boolean =>
  metadata?.phase === 'planned';

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

/**
 * How latitude and longitude were found. Only `publisher` is exact; all others are shown as "approximate".
 * - `publisher`: its own point for the incident.
 * - `stretch`: a point of the stretch of road that the publisher gives.
 * - `area`: a point of the area that the publisher gives or names, such as a flood or a warning area.
 * - `stop`: one of the stops that the publisher lists.
 * - `airport`: the airport that it is about.
 * - `station`: the station that the words name.
 * - `line_section`: the middle between the stations that the words name.
 * - `line`: the middle of the line, where it is about the whole of it.
 * - `junction`: the motorway's junction that the words name, or the middle between two.
 * - `place_name`: the town, district or landmark that the words name.
 * - `between_places`: the middle between two of those.
 */
export const LocationMethod = z.enum([
  'publisher',
  'stretch',
  'area',
  'stop',
  'airport',
  'station',
  'line_section',
  'line',
  'junction',
  'place_name',
  'between_places',
]);
export type LocationMethod = z.infer<typeof LocationMethod>;

/** For a reach in kilometres: the length of a degree of latitude, and of one of longitude in the middle of the UK. */
export const DEGREE_KM = { latitude: KM_PER_DEGREE, longitude: 66 } as const;

/** A source's details beyond the common fields. Keys that are not listed here pass through. */
export const DisruptionMetadata = z.looseObject({
  phase: Phase,
  /** True when the publisher gave no severity that we recognise: shown as "Unrated". */
  severity_unrated: z.optional(z.boolean()),
  /** The publisher's own severity or status word. */
  upstream_severity: z.optional(z.string()),
  nsi: z.optional(RailOperatorStatus),
  /** Incidents of other sources that this record points to. */
  related_event_ids: z.optional(z.array(z.string())),
  /** Other reports of the same incident. They have no identity of their own: `severity` is the highest of all. */
  also_reported_by: z.optional(
    z.array(
      z.object({
        source: z.string(),
        event_id: z.string(),
        title: z.string(),
        /** The title of this report. */
        severity: z.optional(Severity),
        /** The evidence, in words. */
        why: z.optional(z.string()),
      }),
    ),
  ),
  links: z.optional(z.array(z.object({ url: z.string(), label: z.nullish(z.string()) }))),
  /** A LocationMethod. Incidents stored by older versions have other words, which also mean "approximate". */
  location_method: z.optional(z.string()),
  /** If words gave the place: the names that were read. */
  location_names: z.optional(z.array(z.string())),
  /** If words gave the place: everything that they name is within this many kilometres of the point. */
  location_reach_km: z.optional(z.number()),
  /** True when its last change, or the start of an active incident, was in the future when we received it. */
  clock_skew: z.optional(z.boolean()),
  /** When the team is asked whether the trouble of its own report still exists. The report may go on after that. */
  ask_again_at: z.optional(z.iso.datetime()),
  /** Routes on which the team itself put its own report, with their kilometres. */
  told_of: z.optional(z.array(z.object({ watch_id: z.string(), from_km: z.number(), to_km: z.number() }))),
  /** True if its publisher gives no start: `start_time` is when we first read it. */
  start_seen: z.optional(z.boolean()),
});
export type DisruptionMetadata = z.infer<typeof DisruptionMetadata>;

/** The publisher's time of its beginning; null if nobody gives one. */
export const statedStart = ({
  start_time,
  metadata,
}: {
  start_time?: string | null | undefined;
  metadata?: { start_seen?: boolean | null | undefined } | null | undefined;
}): string | null => (metadata?.start_seen ? null : (start_time ?? null));

/** The start of a planned incident, to be shown: if its own was over when last collected, the next of its windows. It
 *  is not stored, because the passing of a night is no change. Null if nobody gives one. */
export function plannedStart({
  windows,
  collected_at,
  ...incident
}: Parameters<typeof statedStart>[0] & {
  windows?: readonly WindowRead[] | null | undefined;
  collected_at?: string | null | undefined;
}): string | null {
  const start = statedStart(incident);
  const seen = Date.parse(collected_at ?? '');
  if (Date.parse(start ?? '') > seen) return start;
  const next = nextOf(windows ?? [], new Date(seen));
  return next && next.from > seen ? new Date(next.from).toISOString() : start;
}

/** When its present state began, to be shown beside its grade and effect; null if nobody says. */
export const stateSince = ({
  since,
  ...incident
}: Parameters<typeof statedStart>[0] & { since?: string | null | undefined }): string | null =>
  since ?? statedStart(incident);

/** Whether an incident gets worse or better, by the change between two of its stored versions; never by the tone of
 *  its text. */
export const Trend = z.object({
  direction: z.enum(['worse', 'easing']),
  /** When that change was first seen. */
  since: z.iso.datetime(),
  /** In words: "Medium to High", "delay 20 to 45 minutes", "1 lane to 2 lanes closed". */
  change: z.string(),
});
export type Trend = z.infer<typeof Trend>;

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
  /** The latest successful collection that contained this incident. */
  collected_at: z.iso.datetime(),
  /** The publisher's last change; never the time of a poll. */
  updated_at: z.nullable(z.iso.datetime()),
  start_time: z.nullable(z.iso.datetime()),
  end_time: z.nullable(z.iso.datetime()),
  /** WGS84 degrees; null if neither the publisher nor its words give the place. `location_method` says how it was
   *  found. */
  latitude: z.nullable(z.number()),
  longitude: z.nullable(z.number()),
  metadata: DisruptionMetadata,
  facts: z.optional(Facts),
  /** When its present state (grade and effect) began, if that is later than its start. */
  since: z.optional(z.nullable(z.iso.datetime())),
  /** The times when it is in force, if that is not a single stretch of time. */
  windows: z.optional(z.array(TimeWindow)),
  /** Only while it applies: for 30 minutes after the change. */
  trend: z.optional(Trend),
  /** In a feed or list: the alert of another feed that stands for this one, which is not counted here. */
  see: z.optional(z.object({ event_id: z.string(), feed: z.string() })),
});
export type Disruption = z.infer<typeof Disruption>;

/** `publisher`: its record said so; `end_time`: that time passed; `absent`: its source no longer lists it;
 *  `expired`: its source was silent for too long. */
export const EndedReason = z.enum(['publisher', 'end_time', 'absent', 'expired']);
export type EndedReason = z.infer<typeof EndedReason>;

/** GeoJSON (RFC 7946): longitude first, WGS84 degrees. */
export const Geometry = z.object({
  type: z.enum(['Point', 'MultiPoint', 'LineString', 'MultiLineString', 'Polygon', 'MultiPolygon']),
  coordinates: z.array(z.unknown()),
});
export type Geometry = z.infer<typeof Geometry>;

/** An incident in a list. */
export const ListedDisruption = z.extend(Disruption, {
  /** Only for incidents that have ended. */
  ended_at: z.optional(z.iso.datetime()),
  ended_reason: z.optional(EndedReason),
  /** With `near`: the distance from that place, as the crow flies. */
  distance_km: z.optional(z.number()),
  /** The part to which `distance_km` was measured: its position; if that is further away than the requested radius,
   *  the publisher's stretch or area, part of which is within the radius. */
  distance_to: z.optional(z.enum(['position', 'outline'])),
  /** Only if it was asked for, and only lines and areas: simplified; in large answers only for the worst. */
  geometry: z.optional(Geometry),
});
export type ListedDisruption = z.infer<typeof ListedDisruption>;

/** How current a source is, by its declared interval and maximum age. */
export const Freshness = z.enum(['fresh', 'late', 'stale']);
export type Freshness = z.infer<typeof Freshness>;

/** `idle`: configured, not yet collected. */
export const SourceState = z.enum(['ok', 'degraded', 'failing', 'not_configured', 'idle']);
export type SourceState = z.infer<typeof SourceState>;

export const Source = z.object({
  source: z.string(),
  /** Active alerts, without planned ones and operators that run normally. */
  event_count: z.int(),
  /** The last successful collection; null if there was none, or if its time is unknown (then `stale`). */
  last_collected: z.nullable(z.iso.datetime()),
  state: SourceState,
  /** Null when the source was never collected. */
  freshness: z.nullable(Freshness),
});
export type Source = z.infer<typeof Source>;

export const SourceList = z.object({
  sources: z.array(Source),
  total: z.int(),
  /** The newest and the oldest successful collection of the connected sources. No data is older than the oldest. */
  last_updated: z.nullable(z.iso.datetime()),
  oldest_collected: z.nullable(z.iso.datetime()),
  /** The freshness of all connected sources together, as in a feed. */
  freshness: z.nullable(Freshness),
});

/** Answer of `GET /disruptions/sources/{source}`. */
export const SourceEvents = z.extend(Source, {
  /** The same as `last_collected`, under its name in a feed. */
  last_updated: z.nullable(z.iso.datetime()),
  events: z.array(Disruption),
  /** The number before `events` was cut: active alerts, planned ones and normal rail operators. */
  total: z.int(),
  /** Rail operators only: all of them, and those not running normally. */
  operators_total: z.optional(z.int()),
  operators_disrupted: z.optional(z.int()),
});
export type SourceEvents = z.infer<typeof SourceEvents>;

export const DisruptionPage = z.object({
  events: z.array(ListedDisruption),
  total: z.int(),
  next_cursor: z.nullable(z.string()),
  /** With bounds or `near`: the number of further matching incidents that have no position, and so are in no area. */
  total_without_position: z.optional(z.int()),
  /** With `near`: the place that was found. */
  near: z.optional(
    z.object({
      label: z.string(),
      latitude: z.number(),
      longitude: z.number(),
      radius_km: z.number(),
      /** Must be shown with the place; null for coordinates. */
      attribution: z.nullable(z.string()),
    }),
  ),
  /** With bounds or `near`: every source, so that missing data does not look like a quiet area. */
  sources: z.optional(z.array(Source)),
});

export const DisruptionStats = z.object({
  /** If two sources report an incident, it counts once here and in `by_feed`, but for each of them in `by_source`. */
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
  /** After this long without a successful collection, its data must no longer be relied on. */
  max_age_seconds: z.int(),
  last_attempt: z.nullable(z.iso.datetime()),
  last_success: z.nullable(z.iso.datetime()),
  next_run: z.nullable(z.iso.datetime()),
  consecutive_failures: z.int(),
  last_error: z.nullish(z.string()),
  event_count: z.int(),
  missing_settings: z.optional(z.array(z.string())),
  /** From the last successful collection: the number of unreadable records, and up to 20 problems. */
  skipped: z.optional(z.int()),
  problems: z.optional(z.array(z.string())),
});
export type CollectorStatus = z.infer<typeof CollectorStatus>;

/** The most alerts per source on the board. */
export const EVENTS_PER_SOURCE = 12;
