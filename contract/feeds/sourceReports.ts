/** Reports on each source for administrators: its state, its faults, and their effect. */
import { z } from 'zod/mini';
import { Freshness } from '../incidents/disruptions.ts';

/** In the order of the page. `silent`: it answers, but with nothing that can be relied on. `faltering`: its last
 *  poll failed, but its earlier data is still recent. `waiting`: not asked yet. */
export const Standing = z.enum(['failing', 'silent', 'faltering', 'not_set_up', 'off', 'waiting', 'working']);
export type Standing = z.infer<typeof Standing>;

export const POLLS_SHOWN = 30;

export const SourceReport = z.object({
  source: z.string(),
  name: z.string(),
  /** The title of its feed. */
  feed: z.nullable(z.string()),
  covers: z.string(),
  standing: Standing,
  /** The fault, in words; null while there is none. */
  why: z.nullable(z.string()),
  interval_seconds: z.int(),
  max_age_seconds: z.int(),
  freshness: z.nullable(Freshness),
  last_attempt: z.nullable(z.iso.datetime()),
  last_success: z.nullable(z.iso.datetime()),
  next_run: z.nullable(z.iso.datetime()),
  consecutive_failures: z.int(),
  /** The duration of the last poll. */
  last_ms: z.nullable(z.int()),
  /** Its active alerts. */
  alerts: z.int(),
  /** How many routes and areas of the caller's team rely on it. */
  routes: z.int(),
  /** The last polls, the newest at the end. `records`: how many incidents it listed. */
  polls: z.array(z.object({ at: z.iso.datetime(), ok: z.boolean(), records: z.int() })),
  settings: z.array(
    z.object({ name: z.string(), about: z.string(), required: z.boolean(), is_set: z.boolean() }),
  ),
  missing_settings: z.array(z.string()),
  /** From the last good poll: records that could not be read, and up to 20 problems. */
  skipped: z.int(),
  problems: z.array(z.string()),
  /** Null while it is on. `by`: the administrator's name; null when the account is deleted. */
  off: z.nullable(z.object({ at: z.iso.datetime(), by: z.nullable(z.string()) })),
  /** Since when no report of it is certain for any team, and why; null while it is trusted. */
  demoted: z.nullable(z.object({ at: z.iso.datetime(), why: z.string() })),
  /** If there are several teams, how many of them have demoted it for themselves. */
  demoted_by: z.int(),
  /** Somebody asked for a poll that has not begun. */
  asked_at: z.nullable(z.iso.datetime()),
});
export type SourceReport = z.infer<typeof SourceReport>;

/** Sources in trouble come first. */
export const SourceReports = z.object({
  sources: z.array(SourceReport),
  total: z.int(),
  generated_at: z.iso.datetime(),
});
export type SourceReports = z.infer<typeof SourceReports>;

export const SourceSwitch = z.object({ off: z.boolean() });
