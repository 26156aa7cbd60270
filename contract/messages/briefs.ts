/** Briefs: one page before the day begins, at the times that a team chose. There is a brief on quiet days too, and
 *  if the sources are silent the brief says so. */
import { z } from 'zod/mini';
import { Severity } from '../incidents/severity.ts';
import { MadeId } from '../madeId.ts';
import { Name } from './messages.ts';

export const BRIEF_LIMITS = {
  perTeam: 20,
  times: 6,
  channels: 50,
  people: 500,
  watches: 500,
  /** The number of lines for which a page has room: jobs or routes at risk, changes, and planned incidents. */
  atRisk: 12,
  listed: 5,
  ages: 15,
} as const;

const Clock = z
  .string()
  .check(z.regex(/^([01]\d|2[0-3]):[0-5]\d$/, { error: 'must be a time of day such as 06:00' }));

export const BriefAbout = z.enum(['jobs', 'routes', 'feeds']);
export const BriefHorizon = z.enum(['today', 'tomorrow', 'week']);
export type BriefHorizon = z.infer<typeof BriefHorizon>;

/** Without defaults: a change is made of these fields, and would fill them in for the fields that it leaves out. */
const shape = {
  name: Name,
  /** Bit 0 is Monday. */
  days: z.int().check(z.minimum(1), z.maximum(127)),
  /** London's. */
  times: z.array(Clock).check(z.minLength(1), z.maxLength(BRIEF_LIMITS.times)),
  about: BriefAbout,
  /** The routes, areas and feeds of the brief; null: all. */
  watch_ids: z.nullable(
    z
      .array(z.string().check(z.maxLength(64)))
      .check(z.minLength(1, 'must name a route or an area'), z.maxLength(BRIEF_LIMITS.watches)),
  ),
  horizon: BriefHorizon,
  /** The members who get it in the app; null: everybody in the team. */
  user_ids: z.nullable(z.array(z.string().check(z.maxLength(64))).check(z.maxLength(BRIEF_LIMITS.people))),
  /** The channels to which it goes, beside its page. */
  channel_ids: z.array(z.string().check(z.maxLength(64))).check(z.maxLength(BRIEF_LIMITS.channels)),
};

export const BriefAsked = z.object(shape);
export type BriefAsked = z.infer<typeof BriefAsked>;
/** Body of `POST /briefs`. */
export const NewBrief = z.extend(BriefAsked, {
  id: z.optional(MadeId),
  watch_ids: z._default(shape.watch_ids, null),
  user_ids: z._default(shape.user_ids, null),
  channel_ids: z._default(shape.channel_ids, []),
});
/** Body of `PATCH /briefs/{id}`, with `If-Match: rev`. */
export const BriefChange = z.partial(BriefAsked);
export type BriefChange = z.infer<typeof BriefChange>;

/** A time at which it was sent, or the reason why it was not. */
export const BriefSent = z.object({
  /** The time for which it was sent; together with the brief's id it is the id of the page. */
  at: z.iso.datetime(),
  made_at: z.iso.datetime(),
  /** "3 of 41 jobs at risk, worst M62 J26 to J27 · 06:00"; null: it was skipped. */
  subject: z.nullable(z.string()),
});
export type BriefSent = z.infer<typeof BriefSent>;

export const Brief = z.object({
  id: z.string(),
  ...shape,
  watch_ids: z.nullable(z.array(z.string())),
  user_ids: z.nullable(z.array(z.string())),
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

/** A sentence, with the incident that it is about. */
const Sentence = z.object({ text: z.string(), event_id: z.string(), severity: z.nullable(Severity) });

/** The content of a brief, without vehicles, drivers, references, notes and names of colleagues. */
export const BriefSheet = z.object({
  about: BriefAbout,
  /** The span that the brief is about. */
  from: z.iso.datetime(),
  to: z.iso.datetime(),
  /** True if all sources for the team's roads are silent: then nothing is said to be at risk or to be clear. */
  blind: z.boolean(),
  /** How many jobs, routes or feeds there are. */
  of: z.int(),
  /** How many are at risk, including those that are not listed. */
  risk: z.int(),
  /** How many are neither known to be at risk nor seen: jobs without a route, and those whose route was deleted, is
   *  still being checked, or has a silent source or no source at all. */
  cannot_see: z.int(),
  worst: z.array(Sentence),
  at_risk: z.array(
    z.object({
      /** "06:10", "23 Nov 23:30" on another day; null for a route or feed. */
      time: z.nullable(z.string()),
      what: z.string(),
      touched_by: z.string(),
      /** The incident that is the reason; null: there is none, for example for a job that left late and misses its
       *  deadline. */
      event_id: z.nullable(z.string()),
      severity: z.nullable(Severity),
      /** "10:55 to 11:35, may miss it"; '' if no arrival is known. */
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

/** Its first sentence if there is no incident. */
export function withoutWorst({ about, of, risk, cannot_see }: BriefSheet): string {
  if (risk > 0) return 'Nothing is known on the way of those at risk.';
  if (of === 0) return `There are no ${about} to look at.`;
  if (cannot_see === of) return 'We cannot say.';
  if (cannot_see > 0)
    return `We cannot say for ${cannot_see} of ${of}. Nothing is known to be at risk among the others.`;
  return 'Nothing is known to be at risk.';
}

/** Whether all that the brief is about was seen, and nothing is at risk. */
export const isClear = ({ of, risk, cannot_see }: BriefSheet): boolean =>
  of > 0 && risk === 0 && cannot_see === 0;

/** Answer of `GET /briefs/{id}/{at}`: the brief as it was sent. */
export const BriefPage = z.object({
  id: z.string(),
  name: z.string(),
  ...BriefSent.shape,
  team: z.string(),
  sheet: z.nullable(BriefSheet),
});
export type BriefPage = z.infer<typeof BriefPage>;

/** From this delay in minutes on, the brief says "due 06:00, sent 06:24". */
export const isSentLate = ({ at, made_at }: Pick<BriefSent, 'at' | 'made_at'>): boolean =>
  Date.parse(made_at) - Date.parse(at) >= 2 * 60_000;
