/** /api/v1/displays: the layouts that a team's displays show. The team's leads and administrators make them, and the
 *  displays read them. */
import { HOUR_MS } from '#contract/durations.ts';
import { FEEDS } from '#contract/feeds/feeds.ts';
import { counted } from '#contract/numbers.ts';
import type { Calls } from '../callParts.ts';
import { z } from 'zod';
import {
  differentTags,
  DisplaySelf,
  DisplayTags,
  Layout,
  LayoutAssignment,
  LayoutList,
  LayoutRequest,
  LAYOUTS_MAX,
  MESSAGE_HOURS_MAX,
  NewDisplayMessage,
  NewLayout,
  Reached,
  READY_LAYOUTS,
  SentMessage,
  SentMessageList,
} from '#contract/displays/layouts.ts';
import { example } from '../reference/examples.ts';
import { ACTS_FULL, auditTrail } from '../../accounts/auditTrail.ts';
import { inTransaction } from '../../db/statements.ts';
import { displaySelves, layouts, meantBy } from '../../accounts/displays/layouts.ts';
import { teams } from '../../accounts/teams.ts';
import { watches } from '../../watches/watchStore.ts';
import { idOf, NO_REV, sentRev } from '../../http/calls/parameters.ts';
import { AGAIN, MADE_AND_GONE, makeOnce, orGone } from '../../http/calls/makeOnce.ts';
import { badInput, conflict, notFound, orNotFound } from '../../refusals.ts';

const NO_LAYOUT = 'Layout not found';
const CHANGED = 'Somebody else has changed this layout. Load it again.';
const NO_DISPLAY = 'Display not found';
const NO_MESSAGE = 'Message not found. It may be over.';
const FULL = `A team has at most ${LAYOUTS_MAX} layouts. Delete one first.`;
const UNKNOWN_FEED = 'One of these feeds does not exist.';
const NOT_OUR_ROUTES = 'One of these is no route of your team. The list may be out of date.';

const LayoutId = z.object({ id: idOf('layout', example.layout.id) });
const DisplayId = z.object({ id: idOf('display', example.display.id) });
const MessageId = z.object({ id: idOf('message', example.sentMessage.id) });

export const layoutCalls: Calls =
  ({ db, config, now }) =>
  async (app) => {
    const selfOf = displaySelves(db, config.teams);
    const displaysOf = async (teamId: string) =>
      layouts(db).displaysOf(await teams(db, config.teams).memberIds(teamId), now());

    /** Refuses pages with feeds that do not exist, or with routes of another team. */
    const check = async (teamId: string, { pages }: LayoutRequest) => {
      const slugs = pages.flatMap(({ feeds = [] }) => feeds);
      if (slugs.some((slug) => !FEEDS.some((feed) => feed.slug === slug))) throw badInput(UNKNOWN_FEED);
      const ids = [...new Set(pages.flatMap(({ watch_ids = [] }) => watch_ids))];
      if ((await watches(db).brief(teamId, ids)).length < ids.length) throw badInput(NOT_OUR_ROUTES);
    };

    app.get('/me', {
      who: 'display',
      operationId: 'readDisplaySelf',
      summary: 'What this display shows',
      description:
        'A display asks when the header `X-Clearway-Display` of any answer has a new value. `message` is the newest that has ' +
        'not ended; a message over the whole screen comes before a band. `next_messages` follow when it has ended.',
      response: { 200: DisplaySelf },
      handler: async (request) => {
        return orNotFound(await selfOf(request.displayId, now()), NO_DISPLAY);
      },
    });

    app.get('/layouts', {
      who: 'lead',
      costs: 'list',
      operationId: 'listLayouts',
      summary: 'The layouts of the team, after those that are ready-made',
      description: 'A layout that is ready-made cannot be changed.',
      response: { 200: LayoutList },
      handler: async (request) => {
        const all = [...READY_LAYOUTS, ...(await layouts(db).ofTeam(await request.teamId()))];
        return { layouts: all, total: all.length };
      },
    });

    app.post('/layouts', {
      who: 'lead',
      refusals: { 409: FULL },
      operationId: 'makeLayout',
      summary: 'Make a layout',
      description: `A display shows it once it is assigned. ${AGAIN}`,
      body: NewLayout,
      response: { 201: Layout },
      handler: async (request) => {
        const { id: ownId, ...content } = request.body;
        const teamId = await request.teamId();
        await check(teamId, content);
        const asked = { id: ownId, kind: 'layouts' as const, owner: [teamId, request.user.id], content };
        const { id } = await makeOnce(db, asked, now(), async (trx, newId) => {
          if ((await layouts(trx).ofTeam(teamId)).length >= LAYOUTS_MAX) throw conflict(FULL);
          await layouts(trx).make(teamId, content, newId);
        });
        return orGone(await layouts(db).byId(teamId, id));
      },
    });

    app.put('/layouts/:id', {
      who: 'lead',
      refusals: { 400: NO_REV, 404: NO_LAYOUT, 409: CHANGED },
      operationId: 'changeLayout',
      summary: 'Change a layout',
      description:
        'The displays that show it take it within 65 seconds. Ready-made layouts cannot be changed. With `If-Match`, the ' +
        '`rev` that was loaded, a later change by somebody else is never overwritten.',
      params: LayoutId,
      body: LayoutRequest,
      response: { 200: Layout },
      handler: async (request) => {
        const { params, body } = request;
        const teamId = await request.teamId();
        await check(teamId, body);
        const layout = orNotFound(
          await layouts(db).change(teamId, { id: params.id, rev: sentRev(request) }, body, now()),
          NO_LAYOUT,
        );
        if (layout === 'changed') throw conflict(CHANGED);
        return layout;
      },
    });

    app.delete('/layouts/:id', {
      who: 'lead',
      refusals: { 404: NO_LAYOUT },
      operationId: 'deleteLayout',
      summary: 'Delete a layout',
      description: 'The displays that show it show all feeds again.',
      params: LayoutId,
      handler: async (request) => {
        if (!(await layouts(db).remove(await request.teamId(), request.params.id, now())))
          throw notFound(NO_LAYOUT);
      },
    });

    app.post('/assignments', {
      who: 'lead',
      refusals: { 404: NO_LAYOUT, 429: ACTS_FULL },
      operationId: 'giveLayout',
      summary: 'Assign a layout to displays',
      description: 'To these displays of the team, or to those with one of these tags.',
      body: LayoutAssignment,
      response: { 200: Reached },
      handler: async (request) => {
        const { to, layout_id } = request.body;
        const teamId = await request.teamId();
        if (layout_id !== null && !(await layouts(db).byId(teamId, layout_id))) throw notFound(NO_LAYOUT);
        const ids = meantBy(await displaysOf(teamId), to);
        await inTransaction(db, async (trx) => {
          await layouts(trx).give(ids, layout_id, now());
          const subject = { id: teamId, name: '' };
          const detail = counted(ids.length, 'display');
          await auditTrail(trx).note(request.user, 'display.layout_given', subject, now(), detail);
        });
        return { displays: ids.length };
      },
    });

    app.put('/:id/tags', {
      who: 'lead',
      refusals: { 404: NO_DISPLAY },
      operationId: 'tagDisplay',
      summary: 'Set the tags of a display',
      description:
        'These and no others. Layouts and messages can be given by tag. Capitals make no other tag.',
      params: DisplayId,
      body: DisplayTags,
      response: { 200: DisplayTags },
      handler: async (request) => {
        const { params, body } = request;
        const own = await displaysOf(await request.teamId());
        if (!own.some(({ id }) => id === params.id)) throw notFound(NO_DISPLAY);
        const tags = differentTags(body.tags);
        await inTransaction(db, (trx) => layouts(trx).tag(params.id, tags, now()));
        return { tags };
      },
    });

    app.get('/messages', {
      who: 'lead',
      costs: 'list',
      operationId: 'listDisplayMessages',
      summary: 'The messages that displays of the team show now',
      description: 'Each with the number of displays that it is meant for.',
      response: { 200: SentMessageList },
      handler: async (request) => {
        const teamId = await request.teamId();
        const own = await displaysOf(teamId);
        const messages = (await layouts(db).messages(teamId, now())).map((message) => ({
          ...message,
          displays: meantBy(own, message.to).length,
        }));
        return { messages, total: messages.length };
      },
    });

    app.post('/messages', {
      who: 'lead',
      refusals: { 409: MADE_AND_GONE, 429: ACTS_FULL },
      operationId: 'sendDisplayMessage',
      summary: 'Put a message on displays',
      description:
        'It stands until its time by this server’s clock, also on a display that has lost the connection. Connected displays ' +
        `have it within 65 seconds. ${AGAIN}`,
      body: NewDisplayMessage,
      response: { 201: SentMessage },
      handler: async (request) => {
        const { user } = request;
        const { id: ownId, ...body } = request.body;
        const until = Date.parse(body.until) - now().getTime();
        if (until <= 0 || until > MESSAGE_HOURS_MAX * HOUR_MS)
          throw badInput(`until must be within the next ${MESSAGE_HOURS_MAX} hours`);
        const teamId = await request.teamId();
        const ids = meantBy(await displaysOf(teamId), body.to);
        const content = { ...body, until: new Date(body.until).toISOString() };
        const asked = { id: ownId, kind: 'display_messages' as const, owner: [teamId, user.id], content };
        const { id } = await makeOnce(db, asked, now(), async (trx, newId) => {
          await layouts(trx).send(teamId, user.id, content, now(), newId);
          await layouts(trx).ask(ids, now());
          const subject = { id: newId, name: '' };
          await auditTrail(trx).note(
            user,
            'display.message_sent',
            subject,
            now(),
            counted(ids.length, 'display'),
          );
        });
        const sent = orGone((await layouts(db).messages(teamId, now())).find((one) => one.id === id));
        return { ...sent, displays: ids.length };
      },
    });

    app.delete('/messages/:id', {
      who: 'lead',
      refusals: { 404: NO_MESSAGE },
      operationId: 'withdrawDisplayMessage',
      summary: 'Withdraw a message',
      description: 'It is gone within 65 seconds from all displays that are connected.',
      params: MessageId,
      handler: async (request) => {
        const teamId = await request.teamId();
        const own = await displaysOf(teamId);
        await inTransaction(db, async (trx) => {
          const to = orNotFound(await layouts(trx).withdraw(teamId, request.params.id, now()), NO_MESSAGE);
          await layouts(trx).ask(meantBy(own, to), now());
        });
      },
    });
  };
