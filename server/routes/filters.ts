/** /api/v1/filters: the saved filters of the caller's team, what they let through in every format, and their secret
 *  addresses. */
import { createHash, randomBytes } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import {
  Filter,
  FILTER_LIMITS,
  FilterChange,
  FilteredPage,
  FilterList,
  FilterPreview,
  FilterRequest,
  NewSecretAddress,
} from '#contract/filters.ts';
import type { Config } from '../config.ts';
import { disruptions } from '../db/disruptions.ts';
import { filters as filtersIn } from '../db/filters.ts';
import type { Db } from '../db/open.ts';
import * as example from '../docs/examples.ts';
import { askedOf, type FormatParts, overview, unheardOf } from '../formats/asked.ts';
import { type Conditions, ConditionsQuery, readConditions, ViewQuery } from '../formats/conditions.ts';
import type { FileFormat, FormatAnswers, FormatAsked } from '../formats/formatAnswers.ts';
import { sentRev } from '../http/ifMatch.ts';
import { conflict, forbidden, notFound } from '../refusals.ts';
import type { Streams } from '../formats/streams.ts';
import {
  ABOUT_STATE,
  ABOUT_STREAM,
  CAP_TYPE,
  FILE_TYPES,
  FileName,
  originOf,
  STREAM_TYPE,
  streamCaller,
  teamIdOf,
} from './formats.ts';

interface Parts extends FormatParts {
  db: Db;
  config: Pick<Config, 'teams' | 'publicUrl'>;
  answers: FormatAnswers;
  streams: Streams;
}

const UNKNOWN = 'There is no such filter. It may have been deleted.';
const FULL = `A team may have ${FILTER_LIMITS.filtersPerTeam} filters. Delete one first.`;
const CHANGED = 'Somebody else has changed this filter. Load it again.';
const TAKEN = 'This filter has a secret address already. Revoke it first.';
const GOES_OUT =
  'This filter has a secret address or webhooks, which are for the leads of your team. Save another filter, or ask them.';
const NO_ADDRESS = 'This filter has no secret address.';

/** 256 bits. */
const SECRET_BYTES = 32;

/** SHA-256, hex: addresses are looked up by it. */
export const secretHash = (random: string) => createHash('sha256').update(random).digest('hex');

const id = z.string().max(64).meta({ description: 'The filter’s id.', example: example.filter.id });
const Id = z.object({ id });

export const filterRoutes =
  (parts: Parts): FastifyPluginAsyncZod =>
  async (app) => {
    const { db, config, now, answers } = parts;
    const filters = filtersIn(db);
    const teamOf = (request: FastifyRequest) => teamIdOf(request, parts);
    const known = async (teamId: string, filterId: string): Promise<Filter> => {
      const filter = await filters.byId(teamId, filterId, now());
      if (!filter) throw notFound(UNKNOWN);
      return filter;
    };
    /** What goes out to others is the leads' to change, as it was theirs to make. */
    const mayChange = async ({ server, user }: FastifyRequest, filter: Filter) => {
      if (filter.goes_out && !(await server.isLead(user))) throw forbidden(GOES_OUT);
    };
    const must = (outcome: 'done' | 'unknown' | 'stale'): void => {
      if (outcome === 'unknown') throw notFound(UNKNOWN);
      if (outcome === 'stale') throw conflict(CHANGED);
    };
    /** Refuses what a call with these conditions would refuse: an unknown source, place or route. */
    const checked = async (query: FilterRequest['query'], teamId: string): Promise<string> => {
      const read = readConditions(query);
      const at = now();
      await askedOf(parts, read.conditions, { teamId, known: await overview(parts), at });
      return read.query;
    };

    app.get(
      '/',
      {
        config: { who: 'data', answer: example.filterList },
        schema: {
          operationId: 'listFilters',
          summary: 'All filters of the team',
          description: 'The conditions of each are `query`, as in `GET /api/v1/disruptions.json`.',
          response: { 200: FilterList },
        },
      },
      async (request) => {
        const all = await filters.ofTeam(await teamOf(request), now());
        return { filters: all, total: all.length };
      },
    );

    app.post(
      '/',
      {
        config: {
          who: 'user',
          body: example.filterRequest,
          answer: example.filter,
          meanings: { 201: 'The filter was stored.' },
          refusals: { 409: FULL },
        },
        schema: {
          operationId: 'createFilter',
          summary: 'Save a filter for the team',
          description:
            'An unknown condition is refused with 422, naming it: a filter that is silently ignored answers for the whole ' +
            'country.',
          body: FilterRequest,
          response: { 201: Filter },
        },
      },
      async (request, reply) => {
        const { body, user } = request;
        const teamId = await teamOf(request);
        const draft = { name: body.name, query: await checked(body.query, teamId) };
        const made = await filters.add({ teamId, userId: user.id }, draft, now());
        if (made === undefined) throw conflict(FULL);
        return reply.code(201).send(await known(teamId, made));
      },
    );

    app.get(
      '/preview',
      {
        config: { who: 'data', answer: example.filterPreview },
        schema: {
          operationId: 'previewFilter',
          summary: 'How many alerts in force these conditions let through, and how many they hide',
          description: 'Nothing is stored. Active and planned alerts count.',
          querystring: ConditionsQuery,
          response: { 200: FilterPreview },
        },
      },
      async (request) => {
        const { watch, level } = request.query;
        const at = now();
        const all = await overview(parts);
        const teamId = watch || level ? await teamOf(request) : null;
        const { query, sources } = await askedOf(parts, request.query, { teamId, known: all, at });
        const { total: matching } = await disruptions(db).page({ ...query, limit: 1 });
        const { total } = await disruptions(db).page({ except: query.except ?? [], limit: 1 });
        const silent = unheardOf(sources, all.conditionOf);
        return {
          matching,
          hidden: Math.max(0, total - matching),
          complete: silent.length === 0,
          silent,
        };
      },
    );

    app.get(
      '/:id',
      {
        config: { who: 'data', answer: example.filter, refusals: { 404: UNKNOWN } },
        schema: {
          operationId: 'readFilter',
          summary: 'One filter',
          description: 'Of the caller’s team.',
          params: Id,
          response: { 200: Filter },
        },
      },
      async (request) => known(await teamOf(request), request.params.id),
    );

    app.patch(
      '/:id',
      {
        config: {
          who: 'user',
          body: { name: 'Roads in the north' },
          answer: example.filter,
          refusals: { 403: GOES_OUT, 404: UNKNOWN, 409: CHANGED },
        },
        schema: {
          operationId: 'changeFilter',
          summary: 'Change a filter',
          description:
            'Fields that are left out stay. With `If-Match`, the `version` that was loaded: 409 where somebody else was ' +
            'faster. Its secret address stays, and answers for the new conditions: those of a filter with a secret address or ' +
            'webhooks are changed by leads of the team alone.',
          params: Id,
          body: FilterChange,
          response: { 200: Filter },
        },
      },
      async (request) => {
        const { body, params } = request;
        const teamId = await teamOf(request);
        const before = await known(teamId, params.id);
        if (body.query !== undefined) await mayChange(request, before);
        const query = body.query === undefined ? undefined : await checked(body.query, teamId);
        const change = {
          ...(body.name !== undefined && { name: body.name }),
          ...(query !== undefined && { query }),
        };
        must(await filters.change({ teamId, id: params.id, version: sentRev(request) }, change));
        return known(teamId, params.id);
      },
    );

    app.delete(
      '/:id',
      {
        config: {
          who: 'user',
          meanings: { 204: 'The filter was deleted, and its secret address is dead.' },
          refusals: { 403: GOES_OUT, 404: UNKNOWN, 409: CHANGED },
        },
        schema: {
          operationId: 'deleteFilter',
          summary: 'Delete a filter and its secret address',
          description:
            'With `If-Match`, the `version` that was loaded. One with a secret address or webhooks is deleted by leads of the team alone.',
          params: Id,
          response: { 204: z.null() },
        },
      },
      async (request, reply) => {
        const teamId = await teamOf(request);
        await mayChange(request, await known(teamId, request.params.id));
        must(await filters.remove({ teamId, id: request.params.id, version: sentRev(request) }));
        return reply.code(204).send(null);
      },
    );

    app.post(
      '/:id/address',
      {
        config: {
          who: 'lead',
          answer: example.newSecretAddress,
          meanings: { 201: 'The address was made. It is not said again.' },
          refusals: { 404: UNKNOWN, 409: TAKEN },
        },
        schema: {
          operationId: 'createFilterAddress',
          summary: 'Make the secret address of a filter',
          description:
            'For what cannot send a header: calendars, feed readers, embedded pictures. Anyone who has it can read what the ' +
            'filter lets through, and nothing else. It is dead when revoked, or unused for 90 days.',
          params: Id,
          response: { 201: NewSecretAddress },
        },
      },
      async (request, reply) => {
        const random = randomBytes(SECRET_BYTES).toString('base64url');
        const of = { teamId: await teamOf(request), id: request.params.id };
        const made = await filters.addAddress(of, secretHash(random), now());
        if (made === 'unknown') throw notFound(UNKNOWN);
        if (made === 'taken') throw conflict(TAKEN);
        return reply.code(201).send({ ...made, path: `/f/${random}` });
      },
    );

    app.delete(
      '/:id/address',
      {
        config: {
          who: 'lead',
          meanings: { 204: 'The address is dead: it answers 404.' },
          refusals: { 404: NO_ADDRESS },
        },
        schema: {
          operationId: 'revokeFilterAddress',
          summary: 'Revoke the secret address of a filter',
          description: 'At once, on every node. A new one can be made.',
          params: Id,
          response: { 204: z.null() },
        },
      },
      async (request, reply) => {
        const of = { teamId: await teamOf(request), id: request.params.id };
        if (!(await filters.revokeAddress(of, now()))) throw notFound(NO_ADDRESS);
        return reply.code(204).send(null);
      },
    );

    const askedBy = async (
      request: FastifyRequest & { params: { id: string } },
      format: FileFormat,
      view: FormatAsked['view'],
    ): Promise<FormatAsked> => {
      const teamId = await teamOf(request);
      const filter = await known(teamId, request.params.id);
      const base = `/api/v1/filters/${filter.id}`;
      return {
        ...savedAsked(filter, teamId, format, view),
        origin: originOf(request, config),
        self: `${base}.${format}`,
        base: `${base}.cap`,
        title: filter.name,
        withEvents: true,
      };
    };

    app.get(
      '/:id.json',
      {
        config: { who: 'data', answer: example.filteredPage, refusals: { 404: UNKNOWN } },
        schema: {
          operationId: 'readFiltered',
          summary: 'What a saved filter lets through, as JSON',
          description: ABOUT_STATE,
          params: Id,
          querystring: ViewQuery,
          response: { 200: FilteredPage },
        },
      },
      async (request, reply) => answers.send(request, reply, await askedBy(request, 'json', request.query)),
    );

    app.get(
      '/:id.sse',
      {
        sse: 'only',
        // It would hold a stream that nobody reads.
        exposeHeadRoute: false,
        config: {
          who: 'data',
          types: [STREAM_TYPE],
          meanings: { 200: 'The stream.' },
          refusals: { 404: UNKNOWN },
        },
        schema: {
          operationId: 'streamFiltered',
          summary: 'What a saved filter lets through, as a stream of events',
          description: `${ABOUT_STREAM} It ends when the filter is changed.`,
          params: Id,
        },
      },
      async (request, reply) => {
        const teamId = await teamOf(request);
        const filter = await known(teamId, request.params.id);
        const { conditions } = readConditions(filter.query);
        const { caller, mayStill } = streamCaller(request);
        await parts.streams.open(reply, {
          caller,
          mayStill: async () =>
            (await mayStill()) && (await filters.byId(teamId, filter.id, now()))?.version === filter.version,
          conditions,
          asked: await answers.asked(conditions, teamId),
        });
      },
    );

    app.get(
      '/:id.:ext',
      {
        config: {
          who: 'data',
          types: FILE_TYPES,
          meanings: { 200: 'The file.' },
          refusals: { 404: UNKNOWN },
        },
        schema: {
          operationId: 'exportFiltered',
          summary: 'What a saved filter lets through, in other formats',
          description: ABOUT_STATE,
          params: Id.extend({ ext: FileName }),
          querystring: ViewQuery,
        },
      },
      async (request, reply) =>
        answers.send(request, reply, await askedBy(request, request.params.ext, request.query)),
    );

    app.get(
      '/:id.cap/*',
      {
        config: {
          who: 'data',
          types: [CAP_TYPE],
          meanings: { 200: 'The file.' },
          refusals: { 404: 'This filter has no such incident.' },
        },
        schema: {
          operationId: 'readFilteredCap',
          summary: 'One incident of a saved filter as CAP 1.2',
          description: 'As the index of the filter, which ends in `.cap`, names it.',
          params: z.object({
            id,
            '*': z.string().max(1000).meta({
              description: 'The `event_id`, percent-encoded.',
              example: example.disruption.event_id,
            }),
          }),
        },
      },
      async (request, reply) =>
        answers.sendCap(reply, await askedBy(request, 'cap', ViewQuery.parse({})), request.params['*']),
    );
  };

/** What a saved filter asks. */
export function savedAsked(
  filter: { id: string; query: string },
  teamId: string,
  format: FileFormat,
  view: FormatAsked['view'],
): Pick<FormatAsked, 'format' | 'conditions' | 'view' | 'teamId' | 'id'> {
  const { conditions } = readConditions(filter.query);
  return {
    format,
    conditions,
    view,
    teamId: sharedTeam(conditions, teamId),
    id: `urn:clearway:filter:${filter.id}`,
  };
}

/** Only these conditions say anything of a team. */
const sharedTeam = ({ watch, level }: Conditions, teamId: string) => (watch || level ? teamId : null);
