/** The change log: how incidents begin, change and end, in the order in which we learnt of it. */
import { z } from 'zod/mini';
import { EndedReason, Phase } from './disruptions.ts';
import { Severity, severityRank } from './severity.ts';

/**
 * - `began`: new, or listed again after it ended.
 * - `worse`, `better`: its severity, while phase and kind stayed.
 * - `started`: it was planned and is active now, whatever else changed.
 * - `changed`: another field of its versions, its place, or whether its grade is given.
 * - `ended`: its publisher said so, its end time passed, or it is no longer listed.
 * - `lost`: its source was silent for too long. It is no longer known, which is not the same as over.
 * - `merged`: it is part of the incident `other_id` from now on, which was there before or goes on in its place.
 * - `split`: it was part of `other_id`, and is an incident of its own from now on.
 */
export const ChangeKind = z.enum([
  'began',
  'worse',
  'better',
  'started',
  'changed',
  'ended',
  'lost',
  'merged',
  'split',
]);
export type ChangeKind = z.infer<typeof ChangeKind>;

/** The kind of a change, by the grades before and after alone. */
export function gradeChange(from: Severity, to: Severity): 'worse' | 'better' | 'changed' {
  const worseBy = severityRank(from) - severityRank(to);
  return worseBy > 0 ? 'worse' : worseBy < 0 ? 'better' : 'changed';
}

/** The log's name for the end of an incident. */
export const END_KIND: Readonly<Record<EndedReason, ChangeKind>> = {
  publisher: 'ended',
  end_time: 'ended',
  absent: 'ended',
  expired: 'lost',
};

export const Change = z.object({
  /** Changes that one poll made have the same batch. Batches are numbered without gaps, in the order of time. */
  batch: z.int(),
  /** Its place within the batch, from 1. */
  n: z.int(),
  at: z.iso.datetime(),
  event_id: z.string(),
  source: z.string(),
  kind: ChangeKind,
  /** The grade of all its reports before; null if it begins. */
  severity_from: z.nullable(Severity),
  /** The severity after the change; for an incident that is over, its last severity; for `merged`, the severity of
   *  the incident of which it is now a part. */
  severity_to: Severity,
  phase_to: Phase,
  /** The other incident, for `merged` and `split`. */
  other_id: z._default(z.nullable(z.string()), null),
});
export type Change = z.infer<typeof Change>;

export const ChangeList = z.object({
  /** Whole batches only, in order. */
  changes: z.array(Change),
  /** The last batch that this answer covers: the next `since`. */
  batch: z.int(),
  /** False if batches after `since` are no longer kept: read everything again, then go on from `batch`. */
  complete: z.boolean(),
});
export type ChangeList = z.infer<typeof ChangeList>;

/** The sum of several changes of one incident. An incident that began and ended within the span has no sum. -
 *  `lost`: no longer known, which is not the same as cleared. */
export const NetKind = z.enum(['new', 'worse', 'better', 'started', 'changed', 'cleared', 'lost']);
export type NetKind = z.infer<typeof NetKind>;

/** The kinds that are counted and can be filtered by, in their order. */
export const COUNTED_KINDS = ['new', 'worse', 'cleared', 'lost'] as const satisfies readonly NetKind[];
export type CountedKind = (typeof COUNTED_KINDS)[number];

export const NetChange = z.object({
  event_id: z.string(),
  source: z.string(),
  kind: NetKind,
  /** When it became so; for a lost incident, when its source last answered. */
  at: z.iso.datetime(),
  title: z.string(),
  severity: Severity,
  /** At the beginning of the span; null if it was not known then. */
  severity_from: z.nullable(Severity),
  /** When it last got worse in the span, by its grade, delay or lanes, even if it is new. Null: it did not get worse,
   *  or is over. */
  worse_at: z._default(z.nullable(z.iso.datetime()), null),
  phase: Phase,
  /** Why it is over; null while it is not over. */
  ended_reason: z.nullable(EndedReason),
  /** The fields of `changed`, with the end times before and after. */
  fields: z.array(z.string()),
  end_time_from: z.nullable(z.iso.datetime()),
  end_time: z.nullable(z.iso.datetime()),
  /** The team's routes and areas that it touches, or touched in the span; with `screen=routes`. */
  watch_ids: z.optional(z.array(z.string())),
});
export type NetChange = z.infer<typeof NetChange>;

/** Whether this count includes the change. A new incident that has got worse since counts as both; a planned one
 *  counts in neither. */
export const countsAs = ({ kind, phase, worse_at }: NetChange, counted: CountedKind): boolean =>
  phase === 'active' && (kind === counted || (counted === 'worse' && worse_at !== null));

/** The screen on which the team reads the changes: on the board all of them, beside its routes only changes that
 *  touch these. */
export const LookedAt = z.enum(['board', 'routes']);
export type LookedAt = z.infer<typeof LookedAt>;

/** A user's look at a screen: everything up to this batch has been seen, in an answer that was given at this time. */
export const Look = z.object({ batch: z.int(), at: z.iso.datetime() });
export type Look = z.infer<typeof Look>;

/** Body of `PUT /changes/looks/{screen}`: the `batch` of the summary that was on screen, and when the server gave it
 *  (by its `Date`; now, if it is left out). */
export const LookRequest = z.object({ batch: z.int().check(z.minimum(0)), at: z.optional(z.iso.datetime()) });

/** Answer of `GET /changes/summary`. */
export const ChangesSummary = z.object({
  /** The beginning of the span. */
  since: z.iso.datetime(),
  /** The last batch of the span. */
  batch: z.int(),
  /**
   * False if the log does not reach back that far, or the span would be longer than 7 days: some changes are missing.
   */
  complete: z.boolean(),
  /** If changes are missing: the time from which they are known. */
  kept_from: z.optional(z.iso.datetime()),
  /** When the team's present shift began. */
  shift_start: z.iso.datetime(),
  /** The caller's last look at this screen; null: there was none. */
  looked: z.nullable(Look),
  /** For each kind, how many active incidents it applies to. */
  counts: z.object({ new: z.int(), worse: z.int(), cleared: z.int(), lost: z.int() }),
  /** The worst first; at most 500 of `total`. */
  changes: z.array(NetChange),
  total: z.int(),
  /** The number of certain critical incidents on the team's routes that the caller has not seen; null if the team
   *  has no routes. */
  unseen: z.nullable(z.int()),
  /** Messages that the caller has not seen, UNSEEN_COUNTED at most; null for a key, which has none. */
  unseen_messages: z.nullable(z.int()),
});
export type ChangesSummary = z.infer<typeof ChangesSummary>;

/** Answer of `GET /displays/me/changes`: the changes of the last 24 hours, whether or not somebody has seen them. */
export const DisplayChanges = z.pick(ChangesSummary, { complete: true, changes: true, total: true });
export type DisplayChanges = z.infer<typeof DisplayChanges>;
