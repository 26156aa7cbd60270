/** The handover sheet of a shift: everything that the next people must know, in one answer. Clocks are London's. */
import { z } from 'zod/mini';
import { Disruption, EndedReason } from '../incidents/disruptions.ts';
import { Lapse } from './lapses.ts';
import { Disposition, LoggedAction, NoteRequest, Person } from './responses.ts';

/** The part of an incident that a sheet shows. */
export const SheetIncident = z.pick(Disruption, {
  event_id: true,
  source: true,
  severity: true,
  title: true,
  facts: true,
  start_time: true,
  since: true,
});
export type SheetIncident = z.infer<typeof SheetIncident>;

export const SHEET = {
  /** Planned incidents are on the sheet if they begin within this time. */
  plannedMs: 8 * 60 * 60_000,
  /** The longest span of a sheet. */
  longestMs: 24 * 60 * 60_000,
} as const;

export const SheetRoute = z.object({ id: z.string(), name: z.string() });

/** One incident with all routes that it touches. */
export const SheetMatch = z.object({
  /** The first of `routes`. */
  route: SheetRoute,
  /** The routes that it certainly touches, then the ones that it possibly touches; each group by name. `leaves`: the
   *  first departure that has it ahead, preferred to one that may have passed it; null on a route without departures,
   *  or in an area. `end_unknown`: that
   *  departure does not count yet, and nobody says that the incident will be over by then. */
  routes: z.array(
    z.extend(SheetRoute, {
      level: z.enum(['certain', 'possible']),
      leaves: z.nullable(z.iso.datetime()),
      end_unknown: z.optional(z.boolean()),
    }),
  ),
  /** The highest level of them. */
  level: z.enum(['certain', 'possible']),
  incident: SheetIncident,
  since: z.iso.datetime(),
  /** Null: nobody has it in hand. */
  by: z.nullable(Person),
  disposition: z.nullable(Disposition),
  /** The person who had it until it got worse, started or began again; null: none of this happened, or somebody has
   *  it. */
  lapsed: z.nullable(z.object({ by: z.nullable(Person), at: z.iso.datetime(), kind: Lapse })),
  last_note: z.nullable(z.string()),
});

/** With the end of the snooze; `change`: the snooze also ends with the next change. */
export const SheetSnooze = z.object({
  incident: SheetIncident,
  until: z.iso.datetime(),
  change: z.boolean(),
  by: z.nullable(Person),
});

export const SheetNote = z.object({ note: LoggedAction, incident: z.nullable(SheetIncident) });

/** `expired`: no longer known, which is not the same as over. */
export const SheetEnd = z.object({
  incident: SheetIncident,
  at: z.iso.datetime(),
  reason: z.nullable(EndedReason),
});

/** A job that is on its way, or has a certain incident ahead. No vehicle, driver or reference is on a sheet. */
export const SheetJob = z.object({
  /** "06:10"; "23 Nov 23:30" on another day. */
  time: z.string(),
  what: z.string(),
  /** "left 06:12"; '' if it has not left. */
  left: z.string(),
  /** '' if nothing is known to touch it. */
  touched_by: z.string(),
  arrives: z.string(),
  done: z.string(),
});
export type SheetJob = z.infer<typeof SheetJob>;

export const SheetPlan = z.object({ title: z.string(), at: z.iso.datetime(), route: z.string() });

/** `to` null: it is still silent. */
export const SheetSilence = z.object({
  source: z.string(),
  from: z.iso.datetime(),
  to: z.nullable(z.iso.datetime()),
});

export const SheetDisplay = z.object({
  name: z.string(),
  last_seen_at: z.iso.datetime(),
  /** It was seen, but does not show all that it was asked to show. */
  not_taken: z._default(z.boolean(), false),
});

/** Answer of `GET /handover?from=&to=`. Sections 1, 2, 5 and 7 give the state at `made_at`, the others the course of
 *  the shift. */
export const Handover = z.object({
  from: z.iso.datetime(),
  to: z.iso.datetime(),
  made_at: z.iso.datetime(),
  made_by: Person,
  team: z.string(),
  /** When the newest data was collected; null: there is none. */
  data_to: z.nullable(z.iso.datetime()),
  /** The person who took the shift over; null: nobody yet. */
  taken: z.nullable(z.object({ by: Person, at: z.iso.datetime() })),
  /** Section 1: incidents ahead of the vehicles that count, or of the next one; certain ones first, the worst first;
   *  without snoozed ones. On a route without departures: in force within the next two hours. */
  on_routes: z.array(SheetMatch),
  /** In force on the team's routes, but ahead of none of these vehicles; the worst first. */
  beside: z.array(SheetIncident),
  /** How many routes and areas the team has. */
  routes_total: z.int(),
  /** Routes and areas that are not yet matched since they were changed: incidents that touch them are missing from
   *  section 1. */
  checking: z.array(SheetRoute),
  /** The number of incidents in force without any place, which may be in the team's areas; 0 if the team has none. */
  unplaced: z.int(),
  /** Jobs on the way and at risk, in the order in which they leave; absent if the team has none. */
  jobs: z.optional(z.array(SheetJob)),
  /** 2 */
  snoozed: z.array(SheetSnooze),
  /** Section 3: notes about incidents, the oldest first. Struck out ones stay. */
  notes: z.array(SheetNote),
  /** Section 4: incidents on the routes or in hand that ended since the shift began. */
  cleared: z.array(SheetEnd),
  /** Section 5: incidents that begin on or near the routes in the next eight hours. */
  planned: z.array(SheetPlan),
  /** 6 */
  unseen_sources: z.array(SheetSilence),
  /** 7 */
  unseen_displays: z.array(SheetDisplay),
  /** "For the next shift:", oldest first. */
  next_shift: z.array(LoggedAction),
});
export type Handover = z.infer<typeof Handover>;

/** Body of `POST /handover/notes`: a line for the next shift. */
export const NextShiftNote = NoteRequest;

/** Body of `POST /handover/taken`. `id`: made by the client; the same action has the same id. */
export const TakeOver = z.object({
  id: NoteRequest.shape.id,
  from: z.iso.datetime({ offset: true }),
  to: z.iso.datetime({ offset: true }),
  at: NoteRequest.shape.at,
});
export type TakeOver = z.infer<typeof TakeOver>;
