/** /f/{random}.{ext}: a filter for calendars, feed readers and embedded pictures, which cannot send a header. */
import type { FastifyRequest } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { FILTER_LIMITS } from '#contract/filters.ts';
import { networkOf } from '../auth/rateLimit.ts';
import type { Config } from '../config.ts';
import { filters } from '../db/filters.ts';
import type { Db } from '../db/open.ts';
import * as example from '../docs/examples.ts';
import { readConditions, ViewQuery } from '../formats/conditions.ts';
import {
  type FileFormat,
  type FormatAnswers,
  type FormatAsked,
  STATE_HEADERS,
} from '../formats/formatAnswers.ts';
import type { Streams } from '../formats/streams.ts';
import { answerNotModified } from '../http/notModified.ts';
import { refuseUnknownParameters } from '../http/input.ts';
import { perMinute } from '../http/perMinute.ts';
import { notFound, tooMany } from '../refusals.ts';
import { savedAsked, secretHash } from './filters.ts';
import { ABOUT_STREAM, CAP_TYPE, FILE_TYPES, FILES, originOf, STREAM_TYPE } from './formats.ts';

interface Parts {
  db: Db;
  config: Pick<Config, 'publicUrl'>;
  now: () => Date;
  answers: FormatAnswers;
  streams: Streams;
}

const UNKNOWN = 'There is nothing at this address.';
const BUSY = 'This address is asked too often. Try again in a minute.';

const random = z.string().max(100).meta({ description: 'The secret.', example: 'w9J…' });
const ext = z.enum(['json', ...FILES], UNKNOWN).meta({ description: 'The format.', example: 'ics' });

export const secretAddressRoutes =
  ({ db, config, now, answers, streams }: Parts): FastifyPluginAsyncZod =>
  async (app) => {
    refuseUnknownParameters(app);
    answerNotModified(app);
    app.addHook('onRequest', async (_request, reply) => {
      reply
        .header('cache-control', 'no-store')
        .header('referrer-policy', 'no-referrer')
        .header('x-robots-tag', 'noindex, nofollow')
        // Pages elsewhere may show the picture and read the list.
        .header('cross-origin-resource-policy', 'cross-origin')
        .header('access-control-allow-origin', '*')
        // Of a table they say alone how far it can be relied on.
        .header('access-control-expose-headers', STATE_HEADERS.join(', '));
    });
    const mayAddress = perMinute(FILTER_LIMITS.requestsPerAddress, now);
    const mayNetwork = perMinute(FILTER_LIMITS.requestsPerNetwork, now);

    async function filterAt(request: FastifyRequest & { params: { random: string } }) {
      const hash = secretHash(request.params.random);
      if (!mayNetwork(networkOf(request.ip)) || !mayAddress(hash)) throw tooMany(BUSY, 60);
      const filter = await filters(db).opened(hash, now());
      if (!filter) throw notFound(UNKNOWN);
      return { ...filter, hash };
    }

    /** What is asked of it. Names nobody: no name of the filter, of a route or of a person. */
    async function opened(
      request: FastifyRequest & { params: { random: string } },
      format: FileFormat,
    ): Promise<FormatAsked> {
      const filter = await filterAt(request);
      return {
        ...savedAsked(filter, filter.team_id, format, ViewQuery.parse({})),
        origin: originOf(request, config),
        self: null,
        base: `/f/${request.params.random}.cap`,
        title: null,
        withEvents: false,
      };
    }

    app.get(
      '/:random.:ext',
      {
        config: {
          who: 'anyone',
          types: ['application/json', ...FILE_TYPES],
          meanings: { 200: 'The file.' },
          refusals: { 404: UNKNOWN, 429: BUSY },
        },
        schema: {
          operationId: 'readSecretAddress',
          summary: 'What a filter lets through, by its secret address',
          description:
            'Incidents only: no names of routes, notes or people. Revoked, or unused for 90 days: 404. At most ' +
            `${FILTER_LIMITS.requestsPerAddress} requests a minute.`,
          params: z.object({ random, ext }),
        },
      },
      async (request, reply) => answers.send(request, reply, await opened(request, request.params.ext)),
    );

    app.get(
      '/:random.sse',
      {
        sse: 'only',
        // It would hold a stream that nobody reads.
        exposeHeadRoute: false,
        config: {
          who: 'anyone',
          types: [STREAM_TYPE],
          meanings: { 200: 'The stream.' },
          refusals: { 404: UNKNOWN, 429: BUSY },
        },
        schema: {
          operationId: 'streamSecretAddress',
          summary: 'The same as a stream of events',
          description: ABOUT_STREAM,
          params: z.object({ random }),
        },
      },
      async (request, reply) => {
        const { id, hash, query, team_id } = await filterAt(request);
        const { conditions } = readConditions(query);
        await streams.open(reply, {
          caller: `address:${hash}`,
          mayStill: async () => {
            const present = await filters(db).opened(hash, now());
            return present?.id === id && present.query === query;
          },
          conditions,
          asked: await answers.asked(conditions, team_id),
        });
      },
    );

    app.get(
      '/:random.cap/*',
      {
        config: {
          who: 'anyone',
          types: [CAP_TYPE],
          meanings: { 200: 'The file.' },
          refusals: { 404: UNKNOWN, 429: BUSY },
        },
        schema: {
          operationId: 'readSecretCap',
          summary: 'One incident as CAP 1.2, by a secret address',
          description: 'As the index at this address, which ends in `.cap`, names it.',
          params: z.object({
            random,
            '*': z.string().max(1000).meta({
              description: 'The `event_id`, percent-encoded.',
              example: example.disruption.event_id,
            }),
          }),
        },
      },
      async (request, reply) => answers.sendCap(reply, await opened(request, 'cap'), request.params['*']),
    );
  };
