/** /api/v1/disruptions.{ext}: the incidents of one filter in every format. The filter is not stored. */
import type { FastifyRequest } from 'fastify';
import type { Calls } from '../callParts.ts';
import { z } from 'zod';
import { FORMAT_LIMITS, FilteredPage, type FormatName } from '#contract/watches/formats.ts';
import { bearerToken } from '../../accounts/guard.ts';
import type { Config } from '../../config.ts';
import { example } from '../reference/examples.ts';
import { ConditionsQuery, divided, FormatQuery } from '../../delivery/formats/formatConditions.ts';
import { type FileFormat, type FormatAsked, TYPES } from '../../delivery/formats/formatAnswers.ts';
import type { StreamAsked } from '../../delivery/formats/streams.ts';
import { eventId } from '../../http/calls/parameters.ts';
import { requestOrigin } from '../../http/calls/requestOrigin.ts';
import { Refused } from '../../refusals.ts';

/** The formats that one route answers, by the end of the address. JSON is left out because it has a schema, and SSE
 *  because it is not a file. */
export const FILES = ['geojson', 'csv', 'rss', 'atom', 'ics', 'cap', 'badge'] as const satisfies FormatName[];

export const FileName = z
  .enum(FILES, `There is no such format: it is one of json, ${FILES.join(', ')}, sse`)
  .meta({ description: `The format: ${FILES.join(', ')}.`, example: 'csv' });

const FILE_TYPES = [...new Set(FILES.map((format) => TYPES[format].split(';', 1)[0]!))];
const CAP_TYPE = 'application/cap+xml';

/** The origin of the service, as the caller reaches it. */
export const originOf = (request: FastifyRequest, { publicUrl }: Pick<Config, 'publicUrl'>): string =>
  publicUrl ?? requestOrigin(request);

const BASE = '/api/v1/disruptions';

export const ABOUT_STREAM =
  '`hello` comes first, then `disruption.began`, `.worse`, `.better`, `.started`, `.changed`, `.ended`, `.lost`, ' +
  '`.merged`, `.split`, `source.stale`, `source.fresh`, and `beat` each 20 seconds. `in_filter` of a change says whether ' +
  'the filter has `disruption` now; what leaves the filter is sent too. The id is the batch of the change log: with ' +
  '`Last-Event-ID` what was missed of the last 1,000 changes comes again, else one `resync`: read everything again. ' +
  `At most ${FORMAT_LIMITS.streamsPerCaller} streams a key.`;
const STREAM_TYPE = 'text/event-stream';

/** The caller whose streams count together, and whether they may still be read. A caller who has moved to another
 *  team may not. */
export async function streamCaller(
  request: FastifyRequest,
): Promise<Pick<StreamAsked, 'caller' | 'teamId' | 'mayStill'>> {
  const { caller, server } = request;
  const token = bearerToken(request);
  const teamId = await request.teamId();
  const isKnown =
    caller?.type === 'api_key'
      ? async () => (await server.holderOfKey(token!)) !== null
      : async () =>
          server.holderOf(token).then(
            () => true,
            (refusal: unknown) => !(refusal instanceof Refused),
          );
  return {
    caller: caller?.type === 'api_key' ? `key:${caller.keyId}` : `user:${caller!.userId}`, // a guard has found the caller
    teamId,
    mayStill: async () => (await isKnown()) && (await request.teamId()) === teamId,
  };
}

export const ABOUT_STATE =
  '`X-Clearway-Complete: false`: rows were cut off, or a source that could have more is silent; `X-Clearway-Stale` names ' +
  'those, and `X-Clearway-Data-Time` is the age of the rest.';

/** The parts of a call that all streams, all files and all single CAP messages share. */
export const STREAM_CALL = {
  sse: 'only',
  // A HEAD request would hold a stream that nobody reads.
  exposeHeadRoute: false,
  costs: 'export',
  types: [STREAM_TYPE],
  meanings: { 200: 'The stream.' },
} as const;
export const FILE_CALL = { costs: 'export', types: FILE_TYPES, meanings: { 200: 'The file.' } } as const;
export const CAP_CALL = { ...FILE_CALL, types: [CAP_TYPE] } as const;

export const formatCalls: Calls = (parts) => async (app) => {
  const { config, formatAnswers: answers, streams } = parts;

  const askedBy = async (
    request: FastifyRequest,
    query: z.infer<typeof FormatQuery>,
    format: FileFormat,
  ): Promise<FormatAsked> => {
    const { conditions, view } = divided(query);
    return {
      format,
      conditions,
      view,
      // Only these two conditions need a team. All other answers are shared by all callers.
      teamId: conditions.watch || conditions.level ? await request.teamId() : null,
      origin: originOf(request, config),
      self: request.url,
      base: `${BASE}.cap`,
      title: null,
      id: `urn:clearway:disruptions:${encodeURIComponent(request.url.slice(BASE.length))}`,
    };
  };

  app.get('/disruptions.json', {
    who: 'data',
    costs: 'export',
    operationId: 'filterDisruptions',
    summary: 'The alerts that these conditions let through, as JSON',
    description: `All rows, or \`limit\` of them with a cursor. ${ABOUT_STATE}`,
    querystring: FormatQuery,
    response: { 200: FilteredPage },
    handler: async (request, reply) =>
      answers.send(request, reply, await askedBy(request, request.query, 'json')),
  });

  app.get('/disruptions.sse', {
    ...STREAM_CALL,
    who: 'data',
    operationId: 'streamDisruptions',
    summary: 'The alerts that these conditions let through, as a stream of events',
    description: ABOUT_STREAM,
    querystring: ConditionsQuery,
    handler: async (request, reply) => {
      const { watch, level } = request.query;
      const caller = await streamCaller(request);
      const asked = await answers.asked(request.query, watch || level ? caller.teamId : null);
      await streams.open(reply, { ...caller, conditions: request.query, asked });
    },
  });

  app.get('/disruptions.:ext', {
    who: 'data',
    ...FILE_CALL,
    operationId: 'exportDisruptions',
    summary: 'The alerts that these conditions let through, in other formats',
    description:
      '`geojson` and `csv` have the same rows as `json`. `rss`, `atom` and `cap` list the 50 newest changes, `ics` ' +
      `what is planned, \`badge\` is a picture. ${ABOUT_STATE}`,
    params: z.object({ ext: FileName }),
    querystring: FormatQuery,
    handler: async (request, reply) =>
      answers.send(request, reply, await askedBy(request, request.query, request.params.ext)),
  });

  app.get('/disruptions.cap/*', {
    who: 'data',
    ...CAP_CALL,
    refusals: { 404: 'This filter has no such incident.' },
    operationId: 'readCap',
    summary: 'One incident as CAP 1.2',
    description:
      'In force, or ended in the last seven days. Not of a source whose licence does not allow it.',
    params: eventId(example.disruption.event_id),
    handler: async (request, reply) => {
      const asked = await askedBy(request, FormatQuery.parse({}), 'cap');
      return answers.sendCap(reply, asked, request.params['*']);
    },
  });
};
