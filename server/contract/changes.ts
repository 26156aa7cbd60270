/** The change log: how incidents begin, change and end, in the order in which it became known. */
import { z } from 'zod/mini';
import { type EndedReason, Phase, Severity } from './disruptions.ts';

/**
 * - `began`: new, or listed again after it ended.
 * - `worse`, `better`: its severity, while phase and kind stayed.
 * - `started`: it was planned and is active now, whatever else changed.
 * - `changed`: another field of its versions, or its place.
 * - `ended`: its publisher said so, its end time passed, or it is no longer listed.
 * - `lost`: its source was silent for too long. It is no longer known, which is not the same as over.
 */
export const ChangeKind = z.enum(['began', 'worse', 'better', 'started', 'changed', 'ended', 'lost']);
export type ChangeKind = z.infer<typeof ChangeKind>;

/** How the log names the end of an incident. */
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
  /** Before; null where it began. */
  severity_from: z.nullable(Severity),
  /** After; of one that is over, the last. */
  severity_to: Severity,
  phase_to: Phase,
});
export type Change = z.infer<typeof Change>;

export const ChangeList = z.object({
  /** Whole batches only, in order. */
  changes: z.array(Change),
  /** The last batch that this answer covers: the next `since`. */
  batch: z.int(),
  /** False where batches after `since` are no longer kept: read everything again, then go on from `batch`. */
  complete: z.boolean(),
});
export type ChangeList = z.infer<typeof ChangeList>;
