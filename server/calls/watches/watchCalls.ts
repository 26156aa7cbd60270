/** /api/v1/watches: the routes, areas and feeds of the caller's team. */
import type { FastifyRequest } from 'fastify';
import type { Calls } from '../callParts.ts';
import { z } from 'zod';
import { LONDON_CLOCK } from '#contract/london.ts';
import {
  NewWatch,
  Watch,
  WATCH_LIMITS,
  WatchChange,
  WatchList,
  WatchOrder,
  WatchRecord,
} from '#contract/watches/watches.ts';
import { addresses } from '../../watches/sharedAddresses.ts';
import { type Changed, type KeptWatch, watches as watchesIn } from '../../watches/watchStore.ts';
import { example } from '../reference/examples.ts';
import { throughNow, unplacedCount } from '../../watches/watchAnswers.ts';
import { changeOf, draftOf, wayOfKept } from '../../watches/watchDraft.ts';
import { send } from '../../http/answers/readyAnswers.ts';
import { revOf, optional, yesNo } from '../../http/calls/parameters.ts';
import { AGAIN, makeOnce, orGone } from '../../http/calls/makeOnce.ts';
import { conflict, forbidden, notFound, orNotFound } from '../../refusals.ts';

export const UNKNOWN = 'There is no such route. It may have been deleted.';
const NOT_RESTORED = 'There is no such route to bring back. It was deleted too long ago, or never here.';
const NO_REV = 'Send If-Match with the rev of the route that you loaded, such as 7.';
const { perTeam } = WATCH_LIMITS;
const FULL = `A team may have ${perTeam.route} routes, ${perTeam.area} areas and ${perTeam.feeds} feeds. Delete one first.`;
const TOUCHED =
  `At most ${WATCH_LIMITS.matchesPerTeam.toLocaleString('en-GB')} incidents and events can touch the routes and areas of ` +
  'a team. So many touch these: make an area smaller, or delete one first.';
const FULL_WORDS = { full: FULL, touched: TOUCHED };
const GOES_OUT =
  'Others can read this at an address or a page, which are for the leads of your team. Make another, or ask them.';
const stale = (who: string, clock: string) => `Changed by ${who} at ${clock}. Load it again.`;

export const WatchId = z.object({
  id: z
    .string()
    .max(64)
    .meta({ description: 'The id of the route, the area or the feeds.', example: example.watch.id }),
});

export const watchCalls: Calls = (parts) => async (app) => {
  const { db, watchAnswers, onWatchesChanged, now } = parts;
  const watches = watchesIn(db);
  const known = async (request: FastifyRequest & { params: { id: string } }): Promise<KeptWatch> => {
    return orNotFound(await watches.byId(await request.teamId(), request.params.id), UNKNOWN);
  };
  const whole = (watch: KeptWatch): Watch => ({
    ...watch,
    ...wayOfKept(watch),
    length_km: watch.length_km,
  });
  const answered = async (teamId: string, id: string): Promise<Watch> =>
    whole((await watches.byId(teamId, id))!); // it was stored a moment ago
  /** Refuses others than leads when a watch has a secret address or a public page: a lead made that, so only a
   *  lead may change the watch. */
  const mayChange = async (request: FastifyRequest, teamId: string, id: string) => {
    const open = await addresses(db).open(teamId, { watch_id: id }, now());
    if (open.length > 0 && !(await request.server.isLead(request.user))) throw forbidden(GOES_OUT);
  };
  const must = (changed: Changed): void => {
    if (changed.outcome === 'unknown') throw notFound(UNKNOWN);
    if (changed.outcome === 'stale') throw conflict(changedBy(changed.by));
    if (changed.outcome === 'touched') throw conflict(TOUCHED);
  };

  app.get('/', {
    who: 'data',
    costs: 'board',
    operationId: 'listWatches',
    summary: 'All routes, areas and feeds of the team, with what they let through',
    description:
      'The bytes change only with the data: ask with `If-None-Match`. Which of the matches are in force at a given ' +
      'time is for the reader to work out. `behind_since`: changes since then are not yet matched. `checking`: it is ' +
      'not yet matched since it was made or its line was changed, so nobody can say that it is clear. `matches` are there ' +
      'outside its hours too: `when` says whether it is watched.',
    querystring: z.object({
      summary: optional(yesNo).meta({ description: 'The only form there is.', example: true }),
    }),
    response: { 200: WatchList },
    handler: async (request, reply) => send(request, reply, await watchAnswers.list(await request.teamId())),
  });

  app.post('/', {
    bodyLimit: WATCH_LIMITS.bodyBytes,
    who: 'manage',
    costs: 'line',
    meanings: { 201: 'It was stored.' },
    refusals: { 409: FULL },
    operationId: 'createWatch',
    summary: 'Store a route, an area or feeds for the team',
    description:
      'A route is made of legs, and its line is made from them. An area is a Point with `reach_m`, or a Polygon. Feeds ' +
      'have no place. Without a `name` it is named after its content. ' +
      'It is matched at once; until then it is `checking`. ' +
      AGAIN,
    body: NewWatch,
    response: { 201: Watch },
    handler: async (request) => {
      const { id: ownId, ...content } = request.body;
      const draft = draftOf(content);
      const teamId = await request.teamId();
      const userId = request.user.id;
      const asked = { id: ownId, kind: 'watches' as const, owner: [teamId, userId], content };
      const { id } = await makeOnce(db, asked, now(), async (trx, id) => {
        const { full } = await watchesIn(trx).add(teamId, userId, draft, now(), id);
        if (full) throw conflict(FULL_WORDS[full]);
      });
      onWatchesChanged?.();
      const watch = orGone(await watches.byId(teamId, id));
      return whole(watch);
    },
  });

  app.put('/order', {
    who: 'manage',
    meanings: { 204: 'The list has this order, for the whole team.' },
    operationId: 'orderWatches',
    summary: 'Put the routes, areas and feeds of the team in order',
    description: 'Watches that are not named come last, in the order in which they were made.',
    body: WatchOrder,
    handler: async (request) => {
      await watches.order(await request.teamId(), request.body.ids);
    },
  });

  app.get('/:id', {
    who: 'data',
    costs: 'list',
    refusals: { 404: UNKNOWN },
    operationId: 'readWatch',
    summary: 'A route, an area or feeds, with what is let through',
    description: 'Each match has its incident or its event.',
    params: WatchId,
    response: { 200: WatchRecord },
    handler: async (request) => {
      const watch = await known(request);
      return {
        watch: whole(watch),
        not_ours: await watches.notOurs(await request.teamId(), watch.id),
        ...(await throughNow(parts, watch, now())),
        behind_since: await watches.behindSince(await request.teamId()),
        unplaced: watch.kind === 'area' ? await unplacedCount(db) : 0,
      };
    },
  });

  app.patch('/:id', {
    bodyLimit: WATCH_LIMITS.bodyBytes,
    who: 'manage',
    costs: 'line',
    refusals: { 403: GOES_OUT, 404: UNKNOWN, 409: stale('Rosa Jones', '06:12'), 428: NO_REV },
    operationId: 'changeWatch',
    summary: 'Change a route, an area or feeds',
    description:
      'With `If-Match`: the `rev` that was loaded. Fields that are left out stay. A departure with the `id` of one ' +
      'that is there replaces it; those that are left out are deleted.',
    params: WatchId,
    body: WatchChange,
    response: { 200: Watch },
    handler: async (request) => {
      const { body, user, params } = request;
      const before = await known(request);
      const rev = revOf(request, NO_REV);
      const teamId = await request.teamId();
      const { name: _, notify: __, departures: ___, ...shown } = body;
      if (Object.keys(shown).length > 0) await mayChange(request, teamId, params.id);
      const change = changeOf(before, body);
      must(await watches.change({ teamId, id: params.id, rev, userId: user.id }, change, now()));
      onWatchesChanged?.();
      return answered(teamId, params.id);
    },
  });

  app.delete('/:id', {
    who: 'manage',
    meanings: { 204: 'It was deleted.' },
    refusals: { 403: GOES_OUT, 404: UNKNOWN, 409: stale('Rosa Jones', '06:12'), 428: NO_REV },
    operationId: 'deleteWatch',
    summary: 'Delete a route, an area or feeds',
    description: 'With `If-Match`: the `rev` that was loaded.',
    params: WatchId,
    handler: async (request) => {
      const { id } = await known(request);
      const rev = revOf(request, NO_REV);
      const teamId = await request.teamId();
      await mayChange(request, teamId, id);
      must(await watches.remove({ teamId, id, rev, userId: request.user.id }, now()));
      onWatchesChanged?.();
    },
  });

  app.post('/:id/restore', {
    who: 'manage',
    refusals: { 404: NOT_RESTORED, 409: FULL },
    operationId: 'restoreWatch',
    summary: 'Undo the deletion of a route, an area or feeds',
    description: `Within ${WATCH_LIMITS.undoMinutes} minutes, with its departures and settings. It is matched again. Asked twice, it answers the same.`,
    params: WatchId,
    response: { 200: Watch },
    handler: async (request) => {
      const { id } = request.params;
      const teamId = await request.teamId();
      const outcome = await watches.restore({ teamId, id, userId: request.user.id }, now());
      if (outcome === 'unknown') throw notFound(NOT_RESTORED);
      if (outcome !== 'done') throw conflict(FULL_WORDS[outcome]);
      onWatchesChanged?.();
      return answered(teamId, id);
    },
  });
};

const changedBy = ({ name, at }: { name: string | null; at: string }) =>
  stale(name ?? 'a deleted person', LONDON_CLOCK.format(new Date(at)));
