/**
 * Briefs: one page before the day begins, at the times that a team chose. A quiet day has one too, and when nothing
 * can be seen the brief says so.
 */
import { z } from 'zod/mini';
import { Severity } from '../incidents/disruptions.ts';
import { MadeId } from '../madeId.ts';
import { Name } from './messages.ts';

export const BRIEF_LIMITS = {
  perTeam: 20,
  times: 6,
  channels: 50,
  watches: 500,
  /** For so many minutes a missed brief is sent late; after that it is left out, and the next one says so. */
  lateMinutes: 60,
  /** How many lines a page has room for: of jobs or routes at risk, of changes, and of planned incidents. */
  atRisk: 12,
  listed: 5,
  ages: 15,
  /** Kept as they were sent, in days. */
  keptDays: 90,
} as const;

const Clock = z
  .string()
  .check(z.regex(/^([01]\d|2[0-3]):[0-5]\d$/, { error: 'must be a time of day such as 06:00' }));

export const BriefAbout = z.enum(['jobs', 'routes', 'feeds']);
export const BriefHorizon = z.enum(['today', 'tomorrow', 'week']);
export type BriefHorizon = z.infer<typeof BriefHorizon>;

const asked = {
  name: Name,
  /** Bit 0 is Monday. */
  days: z.int().check(z.minimum(1), z.maximum(127)),
  /** London's. */
  times: z.array(Clock).check(z.minLength(1), z.maxLength(BRIEF_LIMITS.times)),
  about: BriefAbout,
  /** Routes, areas and feeds it is about; null: all. */
  watch_ids: z._default(
    z.nullable(z.array(z.string().check(z.maxLength(64))).check(z.maxLength(BRIEF_LIMITS.watches))),
    null,
  ),
  horizon: BriefHorizon,
  /** Channels that it goes to, beside the page that keeps it. */
  channel_ids: z._default(
    z.array(z.string().check(z.maxLength(64))).check(z.maxLength(BRIEF_LIMITS.channels)),
    [],
  ),
};

/** Body of `POST /briefs`. */
export const NewBrief = z.object({ id: z.optional(MadeId), ...asked });
export const BriefAsked = z.object(asked);
export type BriefAsked = z.infer<typeof BriefAsked>;
/** Body of `PATCH /briefs/{id}`, with `If-Match: rev`. */
export const BriefChange = z.partial(BriefAsked);
export type BriefChange = z.infer<typeof BriefChange>;

/** A time at which it was sent, or why it was not. */
export const BriefSent = z.object({
  /** For which time; the id of its page together with the brief's. */
  at: z.iso.datetime(),
  made_at: z.iso.datetime(),
  /** "3 of 41 jobs at risk, worst M62 J26 to J27 · 06:00"; null: it was skipped. */
  subject: z.nullable(z.string()),
});
export type BriefSent = z.infer<typeof BriefSent>;

export const Brief = z.object({
  id: z.string(),
  ...asked,
  watch_ids: z.nullable(z.array(z.string())),
  channel_ids: z.array(z.string()),
  created_at: z.iso.datetime(),
  rev: z.int(),
  /** The last ones, newest first. */
  sent: z.array(BriefSent),
});
export type Brief = z.infer<typeof Brief>;

/** Answer of `GET /briefs`. */
export const BriefList = z.object({ briefs: z.array(Brief), total: z.int() });
export type BriefList = z.infer<typeof BriefList>;

/** A sentence, with the incident of which it speaks. */
const Sentence = z.object({ text: z.string(), event_id: z.string(), severity: z.nullable(Severity) });

/** Content of a brief. Without vehicles, drivers, references, notes and names of colleagues. */
export const BriefSheet = z.object({
  about: BriefAbout,
  /** The span that it speaks of. */
  from: z.iso.datetime(),
  to: z.iso.datetime(),
  /** All sources of the team's roads are silent: then nothing is said to be at risk, and nothing to be clear. */
  blind: z.boolean(),
  /** How many jobs, routes or feeds there are. */
  of: z.int(),
  /** How many are at risk, those that are not listed among them. */
  risk: z.int(),
  worst: z.array(Sentence),
  at_risk: z.array(
    z.object({
      /** "06:10"; null of a route or feed. */
      time: z.nullable(z.string()),
      what: z.string(),
      touched_by: z.string(),
      /**
       * The incident that is the reason; null: nothing on its way is, as of a job that left late and misses its
       * deadline.
       */
      event_id: z.nullable(z.string()),
      severity: z.nullable(Severity),
      /** "10:55 to 11:35, may miss it"; '' where no arrival is known. */
      arrives: z.string(),
      /** "Watching, 06:02", "nobody yet" */
      done: z.string(),
    }),
  ),
  /** "and 9 more, first 13:40"; null: all are listed. */
  more: z.nullable(z.string()),
  changed: z.array(Sentence),
  more_changed: z.int(),
  planned: z.array(Sentence),
  more_planned: z.int(),
  /** Sources that could not be seen: "National Highways has not answered since 05:12." */
  unseen: z.array(z.string()),
  ages: z.array(z.object({ name: z.string(), at: z.nullable(z.iso.datetime()), silent: z.boolean() })),
});
export type BriefSheet = z.infer<typeof BriefSheet>;

/** Its first sentence where no incident is. */
export const withoutWorst = ({ risk }: Pick<BriefSheet, 'risk'>): string =>
  risk === 0 ? 'Nothing is known to be at risk.' : 'Nothing is known on the way of those at risk.';

/** Answer of `GET /briefs/{id}/{at}`: as it was. */
export const BriefPage = z.object({
  id: z.string(),
  name: z.string(),
  ...BriefSent.shape,
  team: z.string(),
  sheet: z.nullable(BriefSheet),
});
export type BriefPage = z.infer<typeof BriefPage>;

/** "due 06:00, sent 06:24" is said from so many minutes on. */
export const isSentLate = ({ at, made_at }: Pick<BriefSent, 'at' | 'made_at'>): boolean =>
  Date.parse(made_at) - Date.parse(at) >= 2 * 60_000;
