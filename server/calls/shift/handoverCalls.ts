/** /api/v1/handover: the sheet of a shift, lines for the next one, and who has taken over. */
import type { FastifyRequest } from 'fastify';
import type { Calls } from '../callParts.ts';
import { z } from 'zod';
import { Handover, NextShiftNote, SHEET, TakeOver } from '#contract/shift/handover.ts';
import { LONDON_CLOCK } from '#contract/london.ts';
import { DELETED_PERSON, LoggedAction, Person, StrikeRequest } from '#contract/shift/responses.ts';
import { lastInstantOf, nextInstantOf, type Shift, shiftHandedOver } from '#contract/shift/shifts.ts';
import { handover } from '../../delivery/handover/handoverStore.ts';
import { responses } from '../../shift/responses.ts';
import { users } from '../../accounts/users.ts';
import { example } from '../reference/examples.ts';
import { idOf, optional } from '../../http/calls/parameters.ts';
import { badInput, conflict } from '../../refusals.ts';
import { handoverSheet } from '../../delivery/handover/handoverSheet.ts';
import { BUSY, mustNote, notLaterThan, UNKNOWN_NOTE, USED } from './responseCalls.ts';

const CLOCK = /^([01]\d|2[0-3]):[0-5]\d$/;
const NO_CLOCK = 'must be a time of day such as 06:00, or an ISO 8601 time';
const TOO_LONG = 'A sheet covers at most 24 hours, and ends after it begins.';
const TAKEN = 'Sam Lee took over at 14:03.';

/** A time of day in London, or an instant. */
const ShiftTime = (description: string, clock: string) =>
  optional(
    z
      .string()
      .refine(
        (text) => CLOCK.test(text) || z.iso.datetime({ offset: true }).safeParse(text).success,
        NO_CLOCK,
      ),
  ).meta({ description, example: clock });

export const handoverCalls: Calls = (parts) => async (app) => {
  const { db, config, now } = parts;
  const actorOf = async (request: FastifyRequest) => ({
    teamId: await request.teamId(),
    userId: request.user.id,
  });

  const lineOf = async (teamId: string, id: string): Promise<LoggedAction> => responses(db).line(teamId, id);

  app.get('/', {
    who: 'user',
    costs: 'past',
    operationId: 'readHandover',
    summary: 'The handover sheet of a shift',
    description:
      'Times of day are London’s: `from` is the last such time, `to` the first such time after it. Without them: ' +
      'the shift that is under way, or the one before in its first hour.',
    querystring: z.object({
      from: ShiftTime('When the shift began.', '06:00'),
      to: ShiftTime('When it ends.', '14:00'),
    }),
    response: { 200: Handover },
    handler: async (request) => {
      const at = now();
      const team = await request.team();
      const { id, display_name } = (await users(db).byId(request.user.id)) ?? {};
      return handoverSheet(
        { ...parts, mode: config.teams },
        {
          team,
          by: { id: id ?? null, name: display_name ?? DELETED_PERSON },
          shift: shiftOf(request.query, team.shift_starts, at),
          now: at,
        },
      );
    },
  });

  app.post('/notes', {
    who: 'user',
    meanings: { 201: 'The line was added.' },
    refusals: { 409: USED, 429: BUSY },
    operationId: 'addNextShiftNote',
    summary: 'Add a line for the next shift',
    description: 'Plain text, at most 1,000 characters. It cannot be edited.',
    body: NextShiftNote,
    response: { 201: LoggedAction },
    handler: async (request) => {
      const { id, text, at } = request.body;
      const actor = await actorOf(request);
      const note = { id, eventId: null, text, at: notLaterThan(now(), at).toISOString() };
      mustNote(await responses(db).note(actor, note, now()), UNKNOWN_NOTE);
      return await lineOf(actor.teamId, id);
    },
  });

  app.post('/notes/:note_id/strike', {
    who: 'user',
    refusals: { 404: UNKNOWN_NOTE },
    operationId: 'strikeNextShiftNote',
    summary: 'Strike out a line that the caller added, within 10 minutes',
    description: 'It stays legible.',
    params: z.object({
      note_id: idOf('line', example.nextShiftNote.id),
    }),
    body: StrikeRequest,
    response: { 200: LoggedAction },
    handler: async (request) => {
      const { id, at } = request.body;
      const { note_id } = request.params;
      const actor = await actorOf(request);
      const strike = { id, eventId: null, noteId: note_id, at: notLaterThan(now(), at).toISOString() };
      mustNote(await responses(db).strike(actor, strike, now()), UNKNOWN_NOTE);
      return lineOf(actor.teamId, note_id);
    },
  });

  app.post('/taken', {
    who: 'user',
    meanings: { 201: 'The caller has taken over.' },
    refusals: { 409: TAKEN },
    operationId: 'takeOverShift',
    summary: 'Take over a shift',
    description: 'Logged as `shift.taken`, with the caller’s name. The first who does it has it.',
    body: TakeOver,
    response: { 201: z.object({ by: Person, at: z.iso.datetime() }) },
    handler: async (request) => {
      const { id, from, to, at } = request.body;
      const shift = { from: new Date(from), to: new Date(to) };
      mustBeAShift(shift);
      const taking = { id, ...shift, at: notLaterThan(now(), at).toISOString() };
      const taken = await handover(db).take(await actorOf(request), taking, now());
      if (taken.outcome === 'used') throw conflict(USED);
      if (taken.outcome === 'taken') {
        const { by, at } = taken.taken;
        throw conflict(`${by.name} took over at ${LONDON_CLOCK.format(new Date(at))}.`);
      }
      return taken.taken;
    },
  });
};

function shiftOf(
  { from, to }: { from?: string | undefined; to?: string | undefined },
  starts: readonly string[],
  now: Date,
): Shift {
  const standard = shiftHandedOver(now, starts);
  const begins =
    from === undefined ? standard.from : CLOCK.test(from) ? lastInstantOf(from, now) : new Date(from);
  const ends =
    to === undefined
      ? from === undefined
        ? standard.to
        : new Date(begins.getTime() + SHIFT_MS)
      : CLOCK.test(to)
        ? nextInstantOf(to, begins)
        : new Date(to);
  const shift = { from: begins, to: ends };
  mustBeAShift(shift);
  return shift;
}

/** The length of a shift without a given end. */
const SHIFT_MS = 8 * 60 * 60_000;
/** A day on which the clocks go back is an hour longer. */
const LONGEST_MS = SHEET.longestMs + 60 * 60_000;

function mustBeAShift({ from, to }: Shift): void {
  const ms = to.getTime() - from.getTime();
  if (!(ms > 0 && ms <= LONGEST_MS)) throw badInput(TOO_LONG);
}
