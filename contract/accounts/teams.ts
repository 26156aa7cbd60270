/** Teams: a team has its own routes, areas, and marks and notes on incidents; no other team sees any of them. */
import { z } from 'zod/mini';
import { MadeId } from '../madeId.ts';
import { hasAtMost, isOneLine, keepsItsDirection, VISIBLE } from '../names.ts';

/** `lead`: may also change settings of the whole team, such as its shifts. */
export const TeamRole = z.enum(['lead', 'member']);
export type TeamRole = z.infer<typeof TeamRole>;

const NAME_MAX = 80;

const TeamName = z
  .string()
  .check(
    z.trim(),
    z.regex(VISIBLE, { error: 'Give the team a name.', abort: true }),
    z.refine(hasAtMost(NAME_MAX), `The name may have at most ${NAME_MAX} characters.`),
    z.refine(isOneLine, 'The name must be one line of text.'),
    z.refine(keepsItsDirection, 'The name must not contain characters that change the text direction.'),
  );

const SHIFTS_MAX = 12;

/** When shifts begin, on London's clock, in order. */
const ShiftStarts = z
  .array(z.string().check(z.regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time such as 06:00')))
  .check(
    z.minLength(1, 'Give at least one time.'),
    z.maxLength(SHIFTS_MAX, `A team may have at most ${SHIFTS_MAX} shifts a day.`),
    z.refine(
      (times) => times.every((time, at) => at === 0 || times[at - 1]! < time),
      'Give the times in order, each once.',
    ),
  );

/** A new team's. */
export const SHIFT_STARTS: readonly string[] = ['06:00', '14:00', '22:00'];

/** The caller's own team. */
export const OwnTeam = z.object({
  id: z.string(),
  name: z.string(),
  /** The caller's. */
  role: TeamRole,
  shift_starts: z.array(z.string()),
});
export type OwnTeam = z.infer<typeof OwnTeam>;

export const TeamChange = z.object({ shift_starts: ShiftStarts });

/** A team as an administrator sees it: its members and the number of its routes, never the routes. */
export const Team = z.object({
  id: z.string(),
  name: z.string(),
  created_at: z.iso.datetime(),
  members: z.array(
    z.object({ user_id: z.string(), display_name: z.string(), email: z.string(), role: TeamRole }),
  ),
});
export type Team = z.infer<typeof Team>;

export const TeamList = z.object({
  /** `one`: everybody on this server is in one team; `many`: each user is in the team that an administrator chose. */
  mode: z.enum(['one', 'many']),
  teams: z.array(Team),
  total: z.int(),
});
export type TeamMode = z.infer<typeof TeamList>['mode'];

export const NamedTeam = z.object({ name: TeamName });
/** Body of `POST /admin/teams`. */
export const NewTeam = z.extend(NamedTeam, { id: z.optional(MadeId) });

export const Membership = z.object({ role: z._default(TeamRole, 'member') });
