/** The past: the board as it was, the marks of a day, the incidents that touched a route, and how reliable sources
 *  and routes were. */
import { z } from 'zod/mini';
import { DAY_MS, HOUR_MS } from '../durations.ts';
import { Disruption } from '../incidents/disruptions.ts';
import { Severity } from '../incidents/severity.ts';
import { FeedBundle } from '../feeds/feeds.ts';
import { MatchEnd, MatchLevel } from '../watches/watches.ts';

/** How much of the past one call may ask for. */
export const HISTORY_LIMITS = {
  /** The time that marks are asked for. A week has at most 10,080 minutes with a mark, and one hour more when the clocks go back. */
  timelineMs: 7 * DAY_MS + HOUR_MS,
  /** Incidents of one route: enough for a route through London in a bad month. */
  matches: 5000,
  /** Days of statistics. */
  days: 90,
} as const;

/** The times between which there is a record; null while there is none. */
const Recorded = {
  recorded_from: z.nullable(z.iso.datetime()),
  recorded_to: z.nullable(z.iso.datetime()),
};

/** A job in its state at a time, in words. It has no vehicle, driver, reference or note. */
export const PastJob = z.object({
  id: z.string(),
  /** "06:10"; "23 Nov 23:30" on another day. */
  time: z.string(),
  /** "Leeds to Heathrow T5" */
  what: z.string(),
  /** "left 06:12", "arrived 10:40", "cancelled"; '' before the job leaves. */
  stood: z.string(),
  /** '' if no certain incident was ahead of it. */
  touched_by: z.string(),
  /** Null: nothing was. */
  severity: z.nullable(Severity),
  arrives: z.string(),
});
export type PastJob = z.infer<typeof PastJob>;

/** Answer of `GET /history/board`: the feeds as they were answered at that time. */
export const HistoryBoard = z.object({
  at: z.iso.datetime(),
  feeds: z.array(FeedBundle),
  /** The team's own reports in force then. */
  reports: z.array(Disruption),
  total: z.int(),
  last_critical_cleared: z.nullable(z.iso.datetime()),
  /** The team's jobs of that day, for its people only. Absent if there were none, or if a place was asked for. */
  jobs: z.optional(z.array(PastJob)),
  /** The requested place, and the number of incidents in force at that time that had no position and may have been
   *  there. */
  near: z.optional(z.object({ label: z.string(), radius_km: z.number(), without_position: z.int() })),
  ...Recorded,
});
export type HistoryBoard = z.infer<typeof HistoryBoard>;

/** Answer of `GET /history/timeline`. */
export const HistoryTimeline = z.object({
  from: z.iso.datetime(),
  to: z.iso.datetime(),
  ...Recorded,
  /** One entry for each minute with changes; `at` is the time of the last change. */
  changes: z.array(z.object({ at: z.iso.datetime(), count: z.int() })),
  /** A time in which a source was silent for longer than its data may be relied on: from its last answer to its
   *  next; null: it has not answered since. Clipped to the span. */
  silent: z.array(z.object({ source: z.string(), from: z.iso.datetime(), to: z.nullable(z.iso.datetime()) })),
});
export type HistoryTimeline = z.infer<typeof HistoryTimeline>;

/** An incident that touched a route, with the times. */
export const PastMatch = z.object({
  event_id: z.string(),
  source: z.string(),
  title: z.string(),
  /** The highest severity while it touched the route. */
  severity: Severity,
  level: MatchLevel,
  why: z.string(),
  from_km: z.nullable(z.number()),
  to_km: z.nullable(z.number()),
  began_at: z.iso.datetime(),
  /** Null: it still touches the route. */
  ended_at: z.nullable(z.iso.datetime()),
  end_kind: z.nullable(MatchEnd),
});
export type PastMatch = z.infer<typeof PastMatch>;

/** Answer of `GET /history/watches/{id}`. Each list has the oldest first. */
export const WatchHistory = z.object({
  /** `checking`: not yet matched since it was changed, so incidents that touch it now can be missing. */
  watch: z.object({ id: z.string(), name: z.string(), checking: z.optional(z.boolean()) }),
  from: z.iso.datetime(),
  to: z.iso.datetime(),
  recorded_from: Recorded.recorded_from,
  certain: z.array(PastMatch),
  possible: z.array(PastMatch),
  total: z.int(),
  /** False if the answer does not have all of them. */
  complete: z.boolean(),
});
export type WatchHistory = z.infer<typeof WatchHistory>;

/** A share from 0 to 1; null if the divisor is 0. */
const Share = z.nullable(z.number());

/** The reliability of one source. */
export const SourceStats = z.object({
  source: z.string(),
  /** The seconds in which it was fresh, divided by the seconds in which it was set up. */
  availability: Share,
  /** Seconds from the publisher's time to the time at which we first read it: the median of its incidents. */
  notice_seconds: z.nullable(z.int()),
  /** The share of its unplanned closures that we first read more than 15 minutes after their start. */
  late_closures: Share,
  closures: z.int(),
  /** Incidents that are no longer known, divided by incidents that are no longer known or ended. */
  lost: Share,
  ended: z.int(),
  /** Changes for each incident that changed in any way. */
  churn: z.nullable(z.number()),
  /** How often an incident ended and began again within 30 minutes. */
  flaps: z.int(),
  /** 1 − messages marked "not ours", divided by messages sent. */
  precision: Share,
  sent: z.int(),
  not_ours: z.int(),
});
export type SourceStats = z.infer<typeof SourceStats>;

/** Answer of `GET /stats/sources`. */
export const SourceStatsList = z.object({
  days: z.int(),
  from: z.iso.datetime(),
  to: z.iso.datetime(),
  sources: z.array(SourceStats),
  total: z.int(),
  /** A source of whose messages a larger share is marked "not ours" by a team is demoted for that team. */
  demoted_above: z.number(),
});
export type SourceStatsList = z.infer<typeof SourceStatsList>;

/** A share is shown from this number of departures on. */
export const DEPARTURES_FOR_A_SHARE = 20;

/** How many departures met no certain critical or high incident; `reliability` is null below 20 departures. */
const Reliability = z.object({
  departures: z.int(),
  undisturbed: z.int(),
  reliability: Share,
});

/** The told arrival counts as right if the vehicle arrives within this many minutes of it. */
export const HELD_MINUTES = 5;

/** Answer of `GET /stats/jobs`: how often the arrival that was told at departure was right. */
export const JobStats = z.object({
  days: z.int(),
  from: z.iso.datetime(),
  to: z.iso.datetime(),
  /** Jobs that have arrived and whose arrival was told when they left. */
  jobs: z.int(),
  held: z.int(),
  early: z.int(),
  late: z.int(),
  /** Null below 20 jobs. */
  share: Share,
});
export type JobStats = z.infer<typeof JobStats>;

/** Answer of `GET /stats/watches`. */
export const WatchStatsList = z.object({
  days: z.int(),
  from: z.iso.datetime(),
  to: z.iso.datetime(),
  watches: z.array(
    z.extend(Reliability, {
      watch_id: z.string(),
      name: z.string(),
      /** Monday is 0. */
      by_weekday: z.array(z.extend(Reliability, { weekday: z.int() })),
      /** The hour of London's clock in which the vehicle leaves. */
      by_hour: z.array(z.extend(Reliability, { hour: z.int() })),
    }),
  ),
  total: z.int(),
});
export type WatchStatsList = z.infer<typeof WatchStatsList>;
