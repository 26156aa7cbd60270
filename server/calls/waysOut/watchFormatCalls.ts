/** /api/v1/watches/{id}.{ext}: the incidents of a route, an area or feeds, in every format. */
import type { FastifyRequest } from 'fastify';
import type { Calls } from '../callParts.ts';
import { FilteredPage } from '#contract/watches/formats.ts';
import { type BriefWatch, watches as watchesIn } from '../../watches/watchStore.ts';
import { example } from '../reference/examples.ts';
import { conditionsOf, ViewQuery } from '../../delivery/formats/formatConditions.ts';
import type { FileFormat, FormatAsked } from '../../delivery/formats/formatAnswers.ts';
import { eventId } from '../../http/calls/parameters.ts';
import { notFound } from '../../refusals.ts';
import {
  ABOUT_STATE,
  ABOUT_STREAM,
  CAP_CALL,
  FILE_CALL,
  FileName,
  originOf,
  STREAM_CALL,
  streamCaller,
} from './formatCalls.ts';
import { UNKNOWN, WatchId } from '../watches/watchCalls.ts';

const NO_SUCH = 'It lets no such incident through.';
const ABOUT_HOURS =
  'Begun and planned, as on its page. Outside its hours nothing is listed, and `X-Clearway-Watching` is `false`; but `ics` ' +
  'has what is planned for its hours. A team’s own reports are not among them.';

export const watchFormatCalls: Calls = (parts) => async (app) => {
  const { db, config, formatAnswers: answers } = parts;
  const watches = watchesIn(db);
  const known = async (teamId: string, id: string): Promise<BriefWatch> => {
    const [watch] = await watches.brief(teamId, [id]);
    if (!watch) throw notFound(UNKNOWN);
    return watch;
  };

  const askedBy = async (
    request: FastifyRequest & { params: { id: string } },
    format: FileFormat,
    view: FormatAsked['view'],
  ): Promise<FormatAsked> => {
    const teamId = await request.teamId();
    const watch = await known(teamId, request.params.id);
    const base = `/api/v1/watches/${watch.id}`;
    return {
      ...watchAsked(watch, teamId, format, view),
      origin: originOf(request, config),
      self: `${base}.${format}`,
      base: `${base}.cap`,
      title: watch.name,
    };
  };

  app.get('/:id.json', {
    who: 'data',
    costs: 'export',
    refusals: { 404: UNKNOWN },
    operationId: 'readWatchAnswer',
    summary: 'What a route, an area or feeds let through, as JSON',
    description: `${ABOUT_HOURS} ${ABOUT_STATE}`,
    params: WatchId,
    querystring: ViewQuery,
    response: { 200: FilteredPage },
    handler: async (request, reply) =>
      answers.send(request, reply, await askedBy(request, 'json', request.query)),
  });

  app.get('/:id.sse', {
    ...STREAM_CALL,
    who: 'data',
    refusals: { 404: UNKNOWN },
    operationId: 'streamWatch',
    summary: 'What a route, an area or feeds let through, as a stream of events',
    description: `${ABOUT_STREAM} Where its hours begin or end there is a \`resync\`. It ends when the route, the area or the feeds are changed.`,
    params: WatchId,
    handler: async (request, reply) => {
      const { caller, teamId, mayStill } = await streamCaller(request);
      const watch = await known(teamId, request.params.id);
      const conditions = conditionsOf(watch);
      await parts.streams.open(reply, {
        caller,
        teamId,
        mayStill: async () =>
          (await mayStill()) && (await watches.brief(teamId, [watch.id]))[0]?.rev === watch.rev,
        conditions,
        asked: await answers.asked(conditions, teamId),
      });
    },
  });

  app.get('/:id.:ext', {
    who: 'data',
    ...FILE_CALL,
    refusals: { 404: UNKNOWN },
    operationId: 'exportWatch',
    summary: 'What a route, an area or feeds let through, in other formats',
    description: `${ABOUT_HOURS} ${ABOUT_STATE}`,
    params: WatchId.extend({ ext: FileName }),
    querystring: ViewQuery,
    handler: async (request, reply) =>
      answers.send(request, reply, await askedBy(request, request.params.ext, request.query)),
  });

  app.get('/:id.cap/*', {
    who: 'data',
    ...CAP_CALL,
    refusals: { 404: NO_SUCH },
    operationId: 'readWatchCap',
    summary: 'One incident of a route, an area or feeds as CAP 1.2',
    description: 'As the index, which ends in `.cap`, names it.',
    params: WatchId.extend({
      ...eventId(example.disruption.event_id).shape,
    }),
    handler: async (request, reply) =>
      answers.sendCap(reply, await askedBy(request, 'cap', ViewQuery.parse({})), request.params['*']),
  });
};

/** A request for a route, an area or feeds in a format. */
export const watchAsked = (
  watch: Pick<BriefWatch, 'id' | 'which'>,
  teamId: string,
  format: FileFormat,
  view: FormatAsked['view'],
): Pick<FormatAsked, 'format' | 'conditions' | 'view' | 'teamId' | 'id'> => ({
  format,
  conditions: conditionsOf(watch),
  view,
  teamId,
  id: `urn:clearway:watch:${watch.id}`,
});
