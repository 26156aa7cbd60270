/** One incident with its versions and surroundings. It is in a file of its own, because the board loads the other
 *  schemas first. */
import { z } from 'zod/mini';
import { Disruption, EndedReason, Geometry, ListedDisruption, Phase } from './disruptions.ts';
import { NearbyEvent, NearbyStation } from '../places/events.ts';
import { WhatWasRead } from './whatWasRead.ts';

/** A change of one of these begins a new version. */
const Versioned = z.object({
  ...z.pick(Disruption, { severity: true, title: true, summary_line: true }).shape,
  phase: Phase,
  ...z.pick(Disruption, { start_time: true, end_time: true }).shape,
});
export const VersionedField = z.keyof(Versioned);

/** The content of an incident from one change to the next. */
const DisruptionVersion = z.object({
  /** The first poll with this version. */
  seen_at: z.iso.datetime(),
  ...Versioned.shape,
  updated_at: Disruption.shape.updated_at,
  /** Which of these fields differ from the previous version; none for the first. */
  changed: z.array(VersionedField),
  /** When and why the incident ended in this version; null if it did not. It can have begun again since. */
  ended_at: z.nullable(z.iso.datetime()),
  ended_reason: z.nullable(EndedReason),
});
export type DisruptionVersion = z.infer<typeof DisruptionVersion>;

/** Answer of `GET /disruptions/{event_id}`: the incident in its present state, or in its state when it ended. */
export const DisruptionHistory = z.extend(Disruption, {
  /** The publisher's line, area, stops or point; null if only words give the place. */
  geometry: z.nullish(Geometry),
  /** The requested id, if it belongs to a report that is part of this incident. */
  asked_for: z.optional(z.string()),
  first_seen_at: z.iso.datetime(),
  ended_at: z.nullable(z.iso.datetime()),
  ended_reason: z.nullable(EndedReason),
  /** Its newest versions, oldest first; the last is the present one. */
  history: z.array(DisruptionVersion),
  /** How many versions are known. */
  versions: z.int(),
  published: z.object({
    /** The name of the source. */
    name: z.string(),
    /** The feed that it is part of. */
    feed: z.nullable(z.object({ slug: z.string(), title: z.string() })),
    /** These are null for a source that is not in the directory. */
    publisher: z.nullable(z.string()),
    licence: z.nullable(z.object({ name: z.string(), url: z.nullable(z.string()) })),
    /** Must be shown with it. */
    attribution: z.nullable(z.string()),
  }),
  /** How its words about roads were read; empty if it never names a road, as for a train. */
  what_was_read: z.optional(WhatWasRead),
  /** The worst, soonest and nearest first; null if its place is not known. */
  nearby: z.nullable(
    z.object({
      alerts: z.array(ListedDisruption),
      events: z.array(NearbyEvent),
      stations: z.array(NearbyStation),
    }),
  ),
});
export type DisruptionHistory = z.infer<typeof DisruptionHistory>;

/** Answer of `GET /disruptions/numbers/{number}`: usually one alert. */
export const DisruptionsOfNumber = z.object({ events: z.array(ListedDisruption) });

/** The most versions shown of one incident. */
export const VERSIONS_SHOWN = 200;
