/** /api/v1/responses: who in the caller's team is dealing with an incident, snoozes, and notes. */
import { randomUUID } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { Calls } from '../callParts.ts';
import { z } from 'zod';
import { LONDON_CLOCK } from '#contract/london.ts';
import {
  ACTIONS_A_MINUTE,
  DELETED_PERSON,
  LOG_MAX,
  type LoggedAction,
  LoggedAction as LoggedActionSchema,
  noResponse,
  NoteRequest,
  ReopenRequest,
  ResponseList,
  ResponseRecord,
  ResponseRequest,
  StrikeRequest,
  TeamResponse,
} from '#contract/shift/responses.ts';
import { snoozeUntil } from '#contract/shift/snoozes.ts';
import {
  type Act,
  type ActOutcome,
  type NoteOutcome,
  responses as responsesIn,
} from '../../shift/responses.ts';
import { example } from '../reference/examples.ts';
import { idOf, optional, revOf, Time } from '../../http/calls/parameters.ts';
import { send } from '../../http/answers/readyAnswers.ts';
import { conflict, forbidden, notFound, tooMany } from '../../refusals.ts';

const UNKNOWN_INCIDENT = 'There is no such incident. It may have ended too long ago.';
export const UNKNOWN_NOTE = 'There is no such note.';
const NO_REV = 'Send If-Match with the rev of the response that you loaded: 0 where there is none yet.';
export const USED = 'This id was used for something else.';
export const BUSY = `A team acts on one incident ${ACTIONS_A_MINUTE} times a minute at most. Try again in a minute.`;
const LOG_FULL = `The log of this incident has ${LOG_MAX} lines, and takes no more.`;
const TOO_LATE = 'A note can be struck out within 10 minutes.';
const NOT_YOURS = 'Only the author of a note can strike it out.';

const EventId = z.object({
  event_id: z.string().max(1000).meta({
    description: 'The incident’s `event_id`, percent-encoded.',
    example: example.response.event_id,
  }),
});
const NoteId = EventId.extend({
  note_id: idOf('note', example.note.id),
});

const STALE = 'Sam Lee acknowledged this at 08:12.';

export const responseCalls: Calls =
  ({ db, responseAnswers, now }) =>
  async (app) => {
    const responses = responsesIn(db);
    const doneAt = (at: string | undefined): Date => notLaterThan(now(), at);

    const act = async (request: FastifyRequest, eventId: string, asked: Asked): Promise<TeamResponse> => {
      const rev = revOf(request, NO_REV);
      const team = await request.team();
      const at = doneAt(asked.at);
      const outcome = await responses.act(
        { teamId: team.id, userId: request.user.id },
        {
          id: asked.id ?? randomUUID(),
          eventId,
          rev,
          severity: asked.severity ?? null,
          at: at.toISOString(),
        },
        actOf(asked, at, team.shift_starts),
        now(),
      );
      must(outcome);
      return (await responses.byEvent(team.id, eventId)) ?? noResponse(eventId);
    };

    app.get('/', {
      who: 'board',
      costs: 'list',
      operationId: 'listResponses',
      summary: 'What the team has in hand, has snoozed, and reports itself',
      description:
        'Incidents in force, and those about which something was done in the last day. The bytes change only with ' +
        'the data: ask with `If-None-Match`. A snooze is over at its `until`. A display gets first names, or none: ' +
        'as its setting says.',
      querystring: z.object({
        since: optional(Time).meta({
          description: 'Only changes from then on. Use the `latest` of the answer before.',
          example: '2026-11-21T08:12:00.000Z',
        }),
      }),
      response: { 200: ResponseList },
      handler: async (request, reply) => {
        const { id } = await request.team();
        const { since } = request.query;
        const displayId = request.caller?.type === 'display' ? request.caller.displayId : undefined;
        const list = await responseAnswers.list(id, {
          ...(since !== undefined && { since: new Date(since).toISOString() }),
          ...(displayId !== undefined && { displayId }),
        });
        return send(request, reply, list);
      },
    });

    app.get('/:event_id', {
      who: 'user',
      costs: 'list',
      refusals: { 404: UNKNOWN_INCIDENT },
      operationId: 'readResponse',
      summary: 'What the team did about an incident',
      description: 'Its state, and everything that was done, oldest first.',
      params: EventId,
      response: { 200: ResponseRecord },
      handler: async (request) => {
        const { event_id } = request.params;
        const { id } = await request.team();
        const response = await responses.byEvent(id, event_id);
        const log = await responses.log(id, { eventId: event_id });
        const isKnown = await responses.isSubject(id, event_id);
        if (!isKnown && log.length === 0) throw notFound(UNKNOWN_INCIDENT);
        return { response: response ?? noResponse(event_id), log };
      },
    });

    app.put('/:event_id', {
      who: 'user',
      refusals: { 404: UNKNOWN_INCIDENT, 409: STALE, 428: NO_REV, 429: BUSY },
      operationId: 'putResponse',
      summary: 'Acknowledge an incident, or snooze it',
      description:
        'With `If-Match`: the `rev` that was loaded, or 0 if there is none. `id` is made by the caller, a UUIDv7: sent ' +
        'again, the same action counts once. `at` is when it was done, for a device that was offline; later changes of the ' +
        'incident end it as they would have then. An acknowledgement lapses when the incident gets worse, starts or begins ' +
        'again. A snooze lasts at most 24 hours.',
      params: EventId,
      body: ResponseRequest,
      response: { 200: TeamResponse },
      handler: async (request) => act(request, request.params.event_id, request.body),
    });

    app.delete('/:event_id', {
      who: 'user',
      refusals: { 404: UNKNOWN_INCIDENT, 409: STALE, 428: NO_REV, 429: BUSY },
      operationId: 'reopenResponse',
      summary: 'Reopen an incident: end its acknowledgement or snooze',
      description: 'With `If-Match`: the `rev` that was loaded. The log keeps the earlier actions.',
      params: EventId,
      body: ReopenRequest,
      response: { 200: TeamResponse },
      handler: async (request) => act(request, request.params.event_id, { ...request.body, reopen: true }),
    });

    const read = async (request: FastifyRequest, id: string): Promise<LoggedAction> =>
      responses.line(await request.teamId(), id);

    app.post('/:event_id/notes', {
      who: 'user',
      meanings: { 201: 'The note was added.' },
      refusals: { 404: UNKNOWN_INCIDENT, 409: USED, 429: BUSY },
      operationId: 'addNote',
      summary: 'Add a note to an incident',
      description: 'Plain text, at most 1,000 characters. It cannot be edited.',
      params: EventId,
      body: NoteRequest,
      response: { 201: LoggedActionSchema },
      handler: async (request) => {
        const { event_id } = request.params;
        const { id, text, at } = request.body;
        const actor = { teamId: await request.teamId(), userId: request.user.id };
        const note = { id, eventId: event_id, text, at: doneAt(at).toISOString() };
        mustNote(await responses.note(actor, note, now()), UNKNOWN_INCIDENT);
        return await read(request, id);
      },
    });

    app.post('/:event_id/notes/:note_id/strike', {
      who: 'user',
      refusals: { 403: NOT_YOURS, 404: UNKNOWN_NOTE, 409: TOO_LATE },
      operationId: 'strikeNote',
      summary: 'Strike out a note that the caller added, within 10 minutes',
      description: 'It stays legible.',
      params: NoteId,
      body: StrikeRequest,
      response: { 200: LoggedActionSchema },
      handler: async (request) => {
        const { event_id, note_id } = request.params;
        const { id, at } = request.body;
        const actor = { teamId: await request.teamId(), userId: request.user.id };
        const strike = { id, eventId: event_id, noteId: note_id, at: doneAt(at).toISOString() };
        mustNote(await responses.strike(actor, strike, now()), UNKNOWN_NOTE);
        return read(request, note_id);
      },
    });
  };

interface Asked extends Pick<Partial<ResponseRequest>, 'id' | 'disposition' | 'snooze' | 'at' | 'severity'> {
  reopen?: true;
}

function actOf({ disposition, snooze, reopen }: Asked, at: Date, shiftStarts: readonly string[]): Act {
  if (reopen) return { action: 'reopened' };
  if (disposition) return { action: 'acknowledged', disposition };
  if (!snooze) return { action: 'woken' };
  const until = snoozeUntil(snooze, at, shiftStarts).toISOString();
  return { action: 'snoozed', until, change: snooze === 'until_it_changes', snooze };
}

function must(outcome: ActOutcome): void {
  if (outcome.outcome === 'unknown') throw notFound(UNKNOWN_INCIDENT);
  if (outcome.outcome === 'used') throw conflict(USED);
  if (outcome.outcome === 'busy') throw tooMany(BUSY, 60);
  if (outcome.outcome === 'full') throw conflict(LOG_FULL);
  if (outcome.outcome === 'stale') throw conflict(staleWords(outcome));
}

/** "Sam Lee acknowledged this at 08:12." */
function staleWords({ by, at, change, lapsed }: ActOutcome & { outcome: 'stale' }): string {
  const clock = LONDON_CLOCK.format(new Date(at));
  if (by)
    return `${by.name} ${DID[change] ?? 'changed'} this at ${clock}.`.replace(DELETED_PERSON, 'Somebody');
  const happened = change === 'lapsed' && lapsed ? HAPPENED[lapsed] : 'changed';
  return `This ${happened} at ${clock}.`;
}

const DID: Readonly<Record<string, string>> = {
  acknowledged: 'acknowledged',
  snoozed: 'snoozed',
  woken: 'ended the snooze of',
  reopened: 'reopened',
};

const HAPPENED = { worse: 'got worse', started: 'started', began: 'began again' } as const;

/** The time of an action: never in the future, whatever the device's clock says. Without a given time it is now. */
export function notLaterThan(now: Date, at: string | undefined): Date {
  const said = at === undefined ? now : new Date(at);
  return said > now ? now : said;
}

export function mustNote(outcome: NoteOutcome, unknown: string): void {
  switch (outcome) {
    case 'unknown':
      throw notFound(unknown);
    case 'used':
      throw conflict(USED);
    case 'late':
      throw conflict(TOO_LATE);
    case 'busy':
      throw tooMany(BUSY, 60);
    case 'full':
      throw conflict(LOG_FULL);
    case 'foreign':
      throw forbidden(NOT_YOURS);
    case 'done':
  }
}
