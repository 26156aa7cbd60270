/** /api/v1/briefs: the briefs that a team gets at its chosen times, and every brief that was sent, in its words of
 *  that time. */
import type { FastifyRequest } from 'fastify';
import type { Calls } from '../callParts.ts';
import { z } from 'zod';
import {
  Brief,
  BRIEF_LIMITS,
  BriefAsked,
  BriefChange,
  BriefList,
  BriefPage,
  NewBrief,
} from '#contract/messages/briefs.ts';
import { briefMaker } from '../../delivery/briefs/briefs.ts';
import { briefs } from '../../delivery/briefs/briefStore.ts';
import { channels } from '../../delivery/outbox/channelStore.ts';
import { watches } from '../../watches/watchStore.ts';
import { idOf, revOf } from '../../http/calls/parameters.ts';
import { AGAIN, makeOnce, orGone } from '../../http/calls/makeOnce.ts';
import { badInput, conflict, notFound, orNotFound } from '../../refusals.ts';
import { example } from '../reference/examples.ts';

const UNKNOWN = 'There is no such brief. It may have been deleted.';
const UNKNOWN_PAGE = 'No brief was sent for this time, or it is no longer kept.';
const UNKNOWN_CHANNEL = 'There is no such channel. It may have been deleted.';
const UNKNOWN_ROUTE = 'There is no such route or area. It may have been deleted.';
const UNKNOWN_MEMBER = 'There is no such member of the team. The list may be out of date.';
const NO_REV = 'Send If-Match with the rev of the brief that you loaded, such as 1.';
const CHANGED = 'Somebody else has changed this brief. Load it again.';
const FULL = `A team may have ${BRIEF_LIMITS.perTeam} briefs.`;

const Id = z.object({
  id: idOf('brief', example.brief.id),
});

export const briefCalls: Calls = (parts) => async (app) => {
  const { db, config, now } = parts;
  const stored = briefs(db);
  const make = briefMaker({ ...parts, mode: config.teams });
  const whoOf = async (request: FastifyRequest) => ({
    teamId: await request.teamId(),
    userId: request.user.id,
  });
  const answered = async (teamId: string, id: string): Promise<Brief> => {
    return orNotFound(await stored.byId(teamId, id), UNKNOWN);
  };
  /** A brief is about routes of the team, and goes only to its members, to its channels, and to channels of the person
   *  who chooses them. */
  const check = async (
    { teamId, userId }: { teamId: string; userId: string },
    asked: Pick<BriefAsked, 'user_ids' | 'watch_ids' | 'channel_ids'>,
  ) => {
    const known = new Set((await channels(db).of(userId, teamId)).map(({ id }) => id));
    if (!asked.channel_ids.every((id) => known.has(id))) throw badInput(UNKNOWN_CHANNEL);
    const members = new Set((await channels(db).members(config.teams, teamId)).map(({ user_id }) => user_id));
    if (asked.user_ids?.some((id) => !members.has(id))) throw badInput(UNKNOWN_MEMBER);
    const ids = new Set(asked.watch_ids);
    if (ids.size > 0 && (await watches(db).brief(teamId, [...ids])).length < ids.size)
      throw badInput(UNKNOWN_ROUTE);
  };

  app.get('/', {
    who: 'user',
    costs: 'list',
    operationId: 'listBriefs',
    summary: 'The briefs of the team',
    description: 'Each with the last times at which it was sent, or was skipped.',
    response: { 200: BriefList },
    handler: async (request) => {
      const all = await stored.ofTeam(await request.teamId());
      return { briefs: all, total: all.length };
    },
  });

  app.post('/', {
    who: 'user',
    meanings: { 201: 'The brief was stored.' },
    refusals: { 400: UNKNOWN_CHANNEL, 409: FULL },
    operationId: 'addBrief',
    summary: 'Add a brief',
    description: `One page at these times, London’s, on a quiet day too. ${AGAIN}`,
    body: NewBrief,
    response: { 201: Brief },
    handler: async (request) => {
      const { id: ownId, ...content } = request.body;
      const who = await whoOf(request);
      await check(who, content);
      const asked = { id: ownId, kind: 'briefs' as const, owner: [who.teamId, who.userId], content };
      const { id } = await makeOnce(db, asked, now(), async (trx, id) => {
        if (!(await briefs(trx).add(who, content, now(), id))) throw conflict(FULL);
      });
      return orGone(await stored.byId(who.teamId, id));
    },
  });

  app.patch('/:id', {
    who: 'user',
    refusals: { 404: UNKNOWN, 409: CHANGED, 428: NO_REV },
    operationId: 'changeBrief',
    summary: 'Change a brief',
    description: 'With `If-Match`: the `rev` that was loaded. Fields that are left out stay.',
    params: Id,
    body: BriefChange,
    response: { 200: Brief },
    handler: async (request) => {
      const who = await whoOf(request);
      const { id } = request.params;
      const before = await answered(who.teamId, id);
      const rev = revOf(request, NO_REV);
      const asked = BriefAsked.parse({ ...before, ...request.body });
      // Choices of before stay: a colleague's own channel, and a route that was deleted since.
      await check(who, {
        user_ids: asked.user_ids?.filter((one) => !before.user_ids?.includes(one)) ?? null,
        watch_ids: asked.watch_ids?.filter((one) => !before.watch_ids?.includes(one)) ?? null,
        channel_ids: asked.channel_ids.filter((one) => !before.channel_ids.includes(one)),
      });
      if (!(await stored.change(who, { id, rev }, asked, now()))) throw conflict(CHANGED);
      return answered(who.teamId, id);
    },
  });

  app.delete('/:id', {
    who: 'user',
    refusals: { 404: UNKNOWN },
    operationId: 'deleteBrief',
    summary: 'Delete a brief',
    description: 'With all that was sent of it.',
    params: Id,
    handler: async (request) => {
      if (!(await stored.remove(await request.teamId(), request.params.id))) throw notFound(UNKNOWN);
    },
  });

  app.post('/:id/send', {
    who: 'user',
    costs: 'work',
    refusals: { 404: UNKNOWN },
    operationId: 'sendBrief',
    summary: 'Send a brief to me now',
    description:
      'To the caller’s own channels among those that it goes to, and nobody else; its times stay as they are. Once a ' +
      'minute: if it is asked for again in the same minute, the answer is the brief that was sent then.',
    params: Id,
    response: { 200: BriefPage },
    handler: async (request) => {
      const team = await request.team();
      const { id } = request.params;
      const row = orNotFound(await stored.row(team.id, id), UNKNOWN);
      const at = now();
      // A time of its own, 1 ms after a full minute: at a full minute the brief goes to everybody.
      const time = new Date(at.getTime() - (at.getTime() % 60_000) + 1);
      const made = await make(row, time, at);
      await db.transaction().execute(async (trx) => {
        const run = { at: time, made: at, subject: made.subject, sheet: made.sheet, byHand: true };
        if (await briefs(trx).note(id, run)) await made.send(trx, request.user.id);
      });
      return orNotFound(await stored.page(team, id, time.toISOString()), UNKNOWN_PAGE);
    },
  });

  app.get('/:id/:at', {
    who: 'user',
    costs: 'list',
    refusals: { 404: UNKNOWN_PAGE },
    operationId: 'readBrief',
    summary: 'A brief as it was sent at a given time',
    description: 'As it was sent. Another team’s is a 404, as any unknown id.',
    params: Id.extend({
      at: z.iso.datetime().meta({ description: 'For which time.', example: example.briefPage.at }),
    }),
    response: { 200: BriefPage },
    handler: async (request) => {
      const { id, at } = request.params;
      return orNotFound(
        await stored.page(await request.team(), id, new Date(at).toISOString()),
        UNKNOWN_PAGE,
      );
    },
  });
};
