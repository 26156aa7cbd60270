/**
 * A team's response to incidents: who has an incident in hand, which are snoozed, notes, and the team's own reports.
 * There is one state for each team and incident, and a log to which lines are only added. Other teams see none of it.
 */
import { z } from 'zod/mini';
import { Disruption } from '../incidents/disruptions.ts';
import { Severity } from '../incidents/severity.ts';
import { Direction } from '../incidents/facts.ts';
import { MadeId } from '../madeId.ts';
import { Lapse } from './lapses.ts';
import { SnoozeFor } from './snoozes.ts';
import { hasAtMost, isOneLine, keepsItsDirection, VISIBLE } from '../names.ts';

/** The team's action on it. "Acknowledge" alone means the first. */
export const Disposition = z.enum([
  'dealing_with_it',
  'diverted',
  'no_effect_on_us',
  'watching',
  'incorrect_report',
]);
export type Disposition = z.infer<typeof Disposition>;

/** How long an action can be taken back with one tap. */
export const UNDO_MS = 10_000;

/** A note can be struck out for this long. */
export const STRIKE_MS = 10 * 60_000;

/** How many times a minute a team may act on one incident, or write a line for the next shift. */
export const ACTIONS_A_MINUTE = 30;
/** The most lines of one incident in a team's log, and the most lines for the next shift in a day. */
export const LOG_MAX = 500;

export const NOTE_MAX = 1000;

/**
 * Entries of the log.
 * - `acknowledged`: `detail.disposition`.
 * - `snoozed`: `detail.snooze`, `detail.until`. `woken`: somebody ended the snooze early.
 * - `reopened`: an acknowledgement or a snooze was taken back.
 * - `lapsed`: by nobody; `detail.kind`, a Lapse. `returned`: by nobody, a snooze that a change ended; `detail.kind`.
 * - `note`: `text`. Without an incident it is for the next shift. `struck`: `detail.note`, the id of the note.
 * - `report.made`, `report.changed`, `report.ended`: of the team's own report; ended by its time: by nobody.
 * - `shift.taken`: the shift was taken over.
 */
export const ResponseAction = z.enum([
  'acknowledged',
  'snoozed',
  'woken',
  'reopened',
  'lapsed',
  'returned',
  'note',
  'struck',
  'report.made',
  'report.changed',
  'report.ended',
  'shift.taken',
]);
export type ResponseAction = z.infer<typeof ResponseAction>;

/** Stands for the name of somebody whose account is deleted. */
export const DELETED_PERSON = 'A deleted person';

/** `id` null: the account is deleted, or the caller is a display. */
export const Person = z.object({ id: z.nullable(z.string()), name: z.string() });
export type Person = z.infer<typeof Person>;

/** The state of one incident for one team. */
export const TeamResponse = z.object({
  event_id: z.string(),
  /** For `If-Match`; 0 for an incident without a response. */
  rev: z.int(),
  /** Null: not acknowledged. */
  disposition: z.nullable(Disposition),
  /** The person who acknowledged it, and when. Null for a display that may not show names. */
  by: z.nullable(Person),
  at: z.nullable(z.iso.datetime()),
  /** Why the acknowledgement no longer counts; null: it counts. */
  lapsed: z.nullable(Lapse),
  lapsed_at: z.nullable(z.iso.datetime()),
  /** Null: not snoozed. The snooze is over at `until`, or, with `change`, at any earlier change. */
  snooze: z.nullable(
    z.object({
      until: z.iso.datetime(),
      change: z.boolean(),
      by: z.nullable(Person),
      at: z.nullable(z.iso.datetime()),
      /**
       * Whether it was critical at that time: becoming critical ends the snooze only of an incident that was milder.
       */
      critical: z._default(z.boolean(), false),
    }),
  ),
});
export type TeamResponse = z.infer<typeof TeamResponse>;

/** The state of an incident without a response. */
export const noResponse = (event_id: string): TeamResponse => ({
  event_id,
  rev: 0,
  disposition: null,
  by: null,
  at: null,
  lapsed: null,
  lapsed_at: null,
  snooze: null,
});

/** When it was done, on a device that may have been offline since; absent: now. */
const DoneAt = z.optional(z.iso.datetime({ offset: true }));

/** Body of `PUT /responses/{event_id}`, with `If-Match: rev`: one of the two. */
export const ResponseRequest = z
  .object({
    id: MadeId,
    disposition: z.optional(Disposition),
    /** Null: ends the snooze. */
    snooze: z.optional(z.nullable(SnoozeFor)),
    at: DoneAt,
    /** The severity that the caller saw: if it is worse now, the acknowledgement is stored as lapsed. */
    severity: z.optional(Severity),
  })
  .check(
    z.refine(
      ({ disposition, snooze }) => (disposition === undefined) !== (snooze === undefined),
      'Send a disposition or a snooze.',
    ),
  );
export type ResponseRequest = z.infer<typeof ResponseRequest>;

/** Body of `DELETE /responses/{event_id}`, with `If-Match: rev`; it may be left out. */
export const ReopenRequest = z.nullish(z.object({ id: z.optional(MadeId), at: DoneAt }));

const Text = z.string().check(
  z.trim(),
  z.regex(VISIBLE, { error: 'Write something.', abort: true }),
  z.refine(hasAtMost(NOTE_MAX), `A note may have at most ${NOTE_MAX} characters.`),
  z.refine(
    // Line breaks are allowed.
    (text) => isOneLine(text.replaceAll(/[\n\r\t]/g, ' ')),
    'The note must not contain control characters.',
  ),
  z.refine(keepsItsDirection, 'The note must not contain characters that change the text direction.'),
);

export const NoteRequest = z.object({ id: MadeId, text: Text, at: DoneAt });
export type NoteRequest = z.infer<typeof NoteRequest>;

/** Body of `POST /responses/{event_id}/notes/{note_id}/strike`. */
export const StrikeRequest = z.object({ id: MadeId, at: DoneAt });

/** One line of the log. */
export const LoggedAction = z.object({
  id: z.string(),
  /** Null: the line is not about an incident. */
  event_id: z.nullable(z.string()),
  /** When it was done, and when we received it. */
  at: z.iso.datetime(),
  received_at: z.iso.datetime(),
  /** Null: nobody; the action followed from a change or from the time. */
  by: z.nullable(Person),
  action: ResponseAction,
  text: z.string(),
  detail: z.record(z.string(), z.unknown()),
  /** When a note was struck out; it stays legible. */
  struck_at: z.nullable(z.iso.datetime()),
});
export type LoggedAction = z.infer<typeof LoggedAction>;

/** Answer of `GET /responses/{event_id}`. */
export const ResponseRecord = z.object({
  response: TeamResponse,
  /** Oldest first. */
  log: z.array(LoggedAction),
});
export type ResponseRecord = z.infer<typeof ResponseRecord>;

/** The source of a team's own reports. */
export const ownSource = (teamId: string): string => `own:${teamId}`;

export const REPORT_LIMITS = {
  titleLength: 120,
  /** In force at a time, of one team. */
  perTeam: 100,
  defaultMs: 2 * 60 * 60_000,
  longestMs: 24 * 60 * 60_000,
  /** A place is looked for on the team’s routes, the shortest first, until this much of their legs has been read. */
  legsLength: 2_000_000,
  /** If nobody answers the question for this long, the report counts as no longer known. */
  unansweredMs: 30 * 60_000,
} as const;

/** Whether a report counts at that time: until the team is asked, and for some time after. */
export const isKnownAt = (
  { metadata }: { metadata?: { ask_again_at?: string | null | undefined } | null | undefined },
  now: Date,
) =>
  !metadata?.ask_again_at || Date.parse(metadata.ask_again_at) + REPORT_LIMITS.unansweredMs > now.getTime();

/** A driver's report to the team. It is matched to routes like any incident, and never leaves the team. */
export const OwnReport = z.object({
  /** The report in the form of an incident, with `source` `own:{team}`. */
  disruption: Disruption,
  by: z.nullable(Person),
  note: z.string(),
  /** For `If-Match`. */
  rev: z.int(),
  ended_at: z.nullable(z.iso.datetime()),
});
export type OwnReport = z.infer<typeof OwnReport>;

const Km = z.number().check(z.minimum(0), z.maximum(100_000));

const ReportTitle = z
  .string()
  .check(
    z.trim(),
    z.regex(VISIBLE, { error: 'Say what it is.', abort: true }),
    z.refine(
      hasAtMost(REPORT_LIMITS.titleLength),
      `The title may have at most ${REPORT_LIMITS.titleLength} characters.`,
    ),
    z.refine(isOneLine, 'The title must be one line of text.'),
    z.refine(keepsItsDirection, 'The title must not contain characters that change the text direction.'),
  );

const ReportNote = z.string().check(
  z.trim(),
  z.refine(hasAtMost(NOTE_MAX), `A note may have at most ${NOTE_MAX} characters.`),
  z.refine(
    (text) => isOneLine(text.replaceAll(/[\n\r\t]/g, ' ')),
    'The note must not contain control characters.',
  ),
  z.refine(keepsItsDirection, 'The note must not contain characters that change the text direction.'),
);

const AskAgainAt = z.iso.datetime({ offset: true });

/** Body of `POST /reports`. The place is a road with its junctions, a place, or kilometres of a route: one of the
 *  three. */
export const ReportRequest = z
  .object({
    id: MadeId,
    title: ReportTitle,
    severity: Severity,
    road: z.optional(z.string().check(z.minLength(1), z.maxLength(12))),
    /** Junctions as signs name them: "J26". `to` alone is the same as `from`. */
    from: z.optional(z.string().check(z.minLength(1), z.maxLength(60))),
    to: z.optional(z.string().check(z.minLength(1), z.maxLength(60))),
    direction: z.optional(Direction),
    place: z.optional(z.string().check(z.minLength(1), z.maxLength(100))),
    watch_id: z.optional(z.string().check(z.maxLength(64))),
    from_km: z.optional(Km),
    to_km: z.optional(Km),
    /** When the team is asked whether the trouble still exists; the report does not end then. Absent: in two hours.
     *  At most 24 hours ahead. */
    ask_again_at: z.optional(AskAgainAt),
    note: z._default(ReportNote, ''),
    at: DoneAt,
  })
  .check(
    z.refine(
      ({ road, place, watch_id }) => [road, place, watch_id].filter((one) => one !== undefined).length === 1,
      'Say where it is: a road, a place, or kilometres of a route.',
    ),
    z.refine(
      ({ watch_id, from_km }) => watch_id === undefined || from_km !== undefined,
      'Say at which kilometre of the route it is.',
    ),
  );
export type ReportRequest = z.infer<typeof ReportRequest>;

/** Body of `PATCH /reports/{event_id}`, with `If-Match: rev`. Omitted fields stay as they are. */
export const ReportChange = z.object({
  title: z.optional(ReportTitle),
  severity: z.optional(Severity),
  ask_again_at: z.optional(AskAgainAt),
  note: z.optional(ReportNote),
  /** It is over. */
  ended: z.optional(z.literal(true)),
});
export type ReportChange = z.infer<typeof ReportChange>;

/** Answer of `GET /responses`: everything of the team that is in force or ended lately. The bytes change only with
 *  the data. */
export const ResponseList = z.object({
  responses: z.array(TeamResponse),
  total: z.int(),
  /** The team's own reports in force. */
  reports: z.array(OwnReport),
  /** The newest change among them: the next `since`. */
  latest: z.nullable(z.iso.datetime()),
});
export type ResponseList = z.infer<typeof ResponseList>;
