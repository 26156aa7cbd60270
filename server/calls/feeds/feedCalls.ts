/** /api/v1/feeds: the board's feeds, their alerts and their summaries, from ready answers. */
import type { Calls } from '../callParts.ts';
import { z } from 'zod';
import { isPlanned } from '#contract/incidents/disruptions.ts';
import { EVENTS_PER_FEED, FeedBundle, FeedEvents, FeedList, FEEDS, Summary } from '#contract/feeds/feeds.ts';
import type { Revisions } from '../../db/revisions.ts';
import { notFound } from '../../refusals.ts';
import { sendReady } from '../../http/answers/readyAnswers.ts';
import { limit, yesNo } from '../../http/calls/parameters.ts';

const Slug = z.object({
  slug: z
    .string()
    .max(100)
    .meta({
      description: 'The feed.',
      example: 'rail-network',
      enum: FEEDS.map(({ slug }) => slug),
    }),
});

const includeEvents = (standard: boolean) =>
  yesNo.default(standard).meta({ description: 'Whether the alerts are included.', example: 'true' });

const unknown = (slug: string) => `Feed '${slug}' not found`;
const UNKNOWN = { 404: unknown('trams') };

export const feedCalls: Calls =
  ({ feedAnswers }) =>
  async (app) => {
    const list = async (withEvents: boolean, revisions?: Revisions) =>
      (await feedAnswers.current(revisions)).list(withEvents);
    const bundle = async ({ slug, include_events }: { slug: string; include_events: boolean }) =>
      found(slug, (await feedAnswers.current()).bundle(slug, include_events));
    const summary = async (slug: string) => found(slug, (await feedAnswers.current()).summary(slug));

    app.get('/', {
      who: 'board',
      costs: 'board',
      operationId: 'listFeeds',
      summary: 'All feeds in their fixed order, each with its summary',
      description: `Everything that the board shows. At most ${EVENTS_PER_FEED} alerts for each feed. With \`If-None-Match\`: 304 while nothing has changed.`,
      querystring: z.object({ include_events: includeEvents(false) }),
      response: { 200: FeedList },
      handler: async (request, reply) => {
        return sendReady(request, reply, list, request.query.include_events);
      },
    });

    app.get('/:slug', {
      who: 'board',
      costs: 'board',
      refusals: UNKNOWN,
      operationId: 'readFeed',
      summary: 'One feed',
      description: 'As in the list of feeds.',
      params: Slug,
      querystring: z.object({ include_events: includeEvents(true) }),
      response: { 200: FeedBundle },
      handler: async (request, reply) => {
        return sendReady(request, reply, bundle, { ...request.params, ...request.query });
      },
    });

    app.get('/:slug/summary', {
      who: 'board',
      costs: 'board',
      refusals: UNKNOWN,
      operationId: 'readFeedSummary',
      summary: "A feed's summary; null before the first one is made",
      description: '`stale`: the alerts have changed since, and a new summary is being made.',
      params: Slug,
      response: { 200: z.nullable(Summary) },
      handler: async (request, reply) => {
        return sendReady(request, reply, summary, request.params.slug);
      },
    });

    app.get('/:slug/events', {
      who: 'board',
      costs: 'board',
      refusals: UNKNOWN,
      operationId: 'listFeedEvents',
      summary: "A feed's alerts, active ones first, then planned ones, each worst first",
      description: '`total` counts every active alert and the planned incidents among the first 20.',
      params: Slug,
      querystring: z.object({
        limit: limit(EVENTS_PER_FEED, EVENTS_PER_FEED),
      }),
      response: { 200: FeedEvents },
      handler: async ({ params: { slug }, query }) => {
        const { feed, events } = found(slug, (await feedAnswers.current()).feed(slug));
        const planned = events.filter(isPlanned).length;
        return { events: events.slice(0, query.limit), total: feed.alert_count + planned };
      },
    });
  };

function found<T>(slug: string, thing: T | undefined): T {
  if (thing === undefined) throw notFound(unknown(slug));
  return thing;
}
