/** /f/{random}.{ext}: the incidents of a route, an area or feeds for calendars, feed readers and embedded pictures,
 *  which cannot send a header. */
import type { FastifyRequest } from 'fastify';
import type { Calls } from '../callParts.ts';
import { z } from 'zod';
import { type SharedForm, SHARING_LIMITS } from '#contract/watches/sharing.ts';
import { networkOf } from '../../accounts/passwords/loginLimits.ts';
import { addresses } from '../../watches/sharedAddresses.ts';
import { type BriefWatch, watches } from '../../watches/watchStore.ts';
import { example } from '../reference/examples.ts';
import { conditionsOf, ViewQuery } from '../../delivery/formats/formatConditions.ts';
import { type FileFormat, type FormatAsked, STATE_HEADERS } from '../../delivery/formats/formatAnswers.ts';
import { answerNotModified } from '../../http/answers/negotiation.ts';
import { refuseUnknownParameters } from '../../http/calls/input.ts';
import { eventId } from '../../http/calls/parameters.ts';
import { perMinute } from '../../http/limits/requestLimits.ts';
import { tooMany, orNotFound } from '../../refusals.ts';
import { secretHash } from './sharingCalls.ts';
import { ABOUT_STREAM, CAP_CALL, FILE_CALL, FILES, originOf, STREAM_CALL } from './formatCalls.ts';
import { watchAsked } from './watchFormatCalls.ts';

const UNKNOWN = 'There is nothing at this address.';
const BUSY = 'This address is asked too often. Try again in a minute.';

const random = z.string().max(100).meta({ description: 'The secret.', example: 'w9J…' });
const ext = z.enum(['json', ...FILES], UNKNOWN).meta({ description: 'The format.', example: 'ics' });

export const secretAddressCalls: Calls =
  ({ db, config, now, formatAnswers: answers, streams }) =>
  async (app) => {
    refuseUnknownParameters(app);
    answerNotModified(app);
    app.addHook('onRequest', async (_request, reply) => {
      reply
        .header('cache-control', 'no-store')
        .header('referrer-policy', 'no-referrer')
        .header('x-robots-tag', 'noindex, nofollow')
        // Pages of other origins may show the picture and read the list.
        .header('cross-origin-resource-policy', 'cross-origin')
        .header('access-control-allow-origin', '*')
        // Only the state headers say whether a table is complete and current.
        .header('access-control-expose-headers', STATE_HEADERS.join(', '));
    });
    const mayAddress = perMinute(SHARING_LIMITS.requestsPerAddress, now);
    const mayNetwork = perMinute(SHARING_LIMITS.requestsPerNetwork, now);

    const watchOf = async (hash: string, form: SharedForm) => {
      const open = await addresses(db).opened(hash, now());
      if (open?.form !== form || open.watch_id === null) return undefined;
      const [watch] = await watches(db).brief(open.team_id, [open.watch_id]);
      return watch && { watch, teamId: open.team_id };
    };

    /** The watch of this address. Refuses a form other than the one for which the address was made. */
    async function openedAt(
      request: FastifyRequest & { params: { random: string } },
      form: SharedForm,
    ): Promise<{ watch: BriefWatch; teamId: string; hash: string }> {
      const hash = secretHash(request.params.random);
      if (!mayNetwork(networkOf(request.ip)) || !mayAddress(hash)) throw tooMany(BUSY, 60);
      const found = orNotFound(await watchOf(hash, form), UNKNOWN);
      return { ...found, hash };
    }

    /** The request in the terms of a format. Its title is the name that is made from the route's places; a typed
     *  name or a person's name never goes out. */
    async function opened(
      request: FastifyRequest & { params: { random: string } },
      format: FileFormat,
    ): Promise<FormatAsked> {
      const { watch, teamId } = await openedAt(request, format);
      return {
        ...watchAsked(watch, teamId, format, ViewQuery.parse({})),
        origin: originOf(request, config),
        self: null,
        base: `/f/${request.params.random}.cap`,
        title: watch.made_name,
      };
    }

    app.get('/:random.:ext', {
      who: 'anyone',
      ...FILE_CALL,
      types: ['application/json', ...FILE_CALL.types],
      refusals: { 404: UNKNOWN, 429: BUSY },
      operationId: 'readSecretAddress',
      summary: 'What a route, an area or feeds let through, by a secret address',
      description:
        'Incidents and public events: no typed names, notes or people, and no reports of a team. Ended, or unused for ' +
        `${SHARING_LIMITS.unusedDays} days: 404. At most ` +
        `${SHARING_LIMITS.requestsPerAddress} requests a minute.`,
      params: z.object({ random, ext }),
      handler: async (request, reply) =>
        answers.send(request, reply, await opened(request, request.params.ext)),
    });

    app.get('/:random.sse', {
      ...STREAM_CALL,
      who: 'anyone',
      refusals: { 404: UNKNOWN, 429: BUSY },
      operationId: 'streamSecretAddress',
      summary: 'What a route, an area or feeds let through, as a stream of events, by a secret address',
      description: ABOUT_STREAM,
      params: z.object({ random }),
      handler: async (request, reply) => {
        const { watch, teamId, hash } = await openedAt(request, 'sse');
        const conditions = conditionsOf(watch);
        await streams.open(reply, {
          caller: `address:${hash}`,
          teamId,
          mayStill: async () => (await watchOf(hash, 'sse'))?.watch.rev === watch.rev,
          conditions,
          asked: await answers.asked(conditions, teamId),
        });
      },
    });

    app.get('/:random.cap/*', {
      who: 'anyone',
      ...CAP_CALL,
      refusals: { 404: UNKNOWN, 429: BUSY },
      operationId: 'readSecretCap',
      summary: 'One incident as CAP 1.2, by a secret address',
      description: 'As the index at this address, which ends in `.cap`, names it.',
      params: z.object({
        random,
        ...eventId(example.disruption.event_id).shape,
      }),
      handler: async (request, reply) =>
        answers.sendCap(reply, await opened(request, 'cap'), request.params['*']),
    });
  };
