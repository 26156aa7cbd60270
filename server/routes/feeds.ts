/** /api/v1/feeds: the board's feeds, their alerts and their summaries, from ready answers. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { isPlanned } from '#contract/disruptions.ts';
import { EVENTS_PER_FEED, FeedBundle, FeedEvents, FeedList, Summary } from '#contract/feeds.ts';
import { requireBoardReader } from '../auth/guard.ts';
import { notFound } from '../refusals.ts';
import type { Answer, FeedAnswers } from '../feeds/answers.ts';
import { chooseEncoding, isKnownTo } from '../http/negotiation.ts';
import { wholeNumber, yesNo } from '../http/parameters.ts';

const Slug = z.object({ slug: z.string().max(100) });

export const feedRoutes =
  ({ feedAnswers }: { feedAnswers: FeedAnswers }): FastifyPluginAsyncZod =>
  async (app) => {
    app.addHook('onRequest', requireBoardReader);

    app.get(
      '/',
      {
        schema: {
          summary: 'All feeds in their fixed order, each with its summary',
          querystring: z.object({ include_events: yesNo.default(false) }),
          response: { 200: FeedList },
        },
      },
      async (request, reply) => {
        const answers = await feedAnswers.current();
        return send(request, reply, answers.list(request.query.include_events));
      },
    );

    app.get(
      '/:slug',
      {
        schema: {
          summary: 'One feed',
          params: Slug,
          querystring: z.object({ include_events: yesNo.default(true) }),
          response: { 200: FeedBundle },
        },
      },
      async (request, reply) => {
        const { slug } = request.params;
        const answers = await feedAnswers.current();
        return send(request, reply, found(slug, answers.bundle(slug, request.query.include_events)));
      },
    );

    app.get(
      '/:slug/summary',
      {
        schema: {
          summary: "A feed's summary; null before the first one is made",
          params: Slug,
          response: { 200: z.nullable(Summary) },
        },
      },
      async (request, reply) => {
        const { slug } = request.params;
        const answers = await feedAnswers.current();
        return send(request, reply, found(slug, answers.summary(slug)));
      },
    );

    app.get(
      '/:slug/events',
      {
        schema: {
          summary: "A feed's alerts, active ones first, then planned ones, each worst first",
          description: '`total` counts every active alert and the planned incidents among the first 20.',
          params: Slug,
          querystring: z.object({
            limit: wholeNumber(EVENTS_PER_FEED, EVENTS_PER_FEED),
          }),
          response: { 200: FeedEvents },
        },
      },
      async ({ params: { slug }, query }) => {
        const { feed, events } = found(slug, (await feedAnswers.current()).feed(slug));
        const planned = events.filter(isPlanned).length;
        return { events: events.slice(0, query.limit), total: feed.alert_count + planned };
      },
    );
  };

function found<T>(slug: string, thing: T | undefined): T {
  if (thing === undefined) throw notFound(`Feed '${slug}' not found`);
  return thing;
}

/** Sends ready bytes in the caller's preferred encoding, or 304 when it already has them. */
export async function send(
  request: FastifyRequest,
  reply: FastifyReply,
  answer: Answer,
  type = 'application/json; charset=utf-8',
): Promise<FastifyReply> {
  const encoding = answer.isCompressible ? chooseEncoding(request.headers['accept-encoding']) : 'identity';
  const etag = answer.etag(encoding);
  reply.header('etag', etag).header('vary', withAcceptEncoding(reply.getHeader('vary')));
  if (isKnownTo(request.headers['if-none-match'], etag)) return reply.code(304).send();

  reply.type(type);
  if (encoding !== 'identity') reply.header('content-encoding', encoding);
  return reply.send(await answer.bytes(encoding));
}

/** Adds to `Vary`, which another plugin (CORS) can also set. */
function withAcceptEncoding(vary: unknown): string {
  return [vary, 'Accept-Encoding'].flat().filter(Boolean).join(', ');
}
