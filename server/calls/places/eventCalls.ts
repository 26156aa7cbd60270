/** /api/v1/events: events by time and place. Answers are assembled from stored JSON texts. */
import { MINUTE_MS } from '#contract/durations.ts';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import type { CallParts } from '../callParts.ts';
import { z } from 'zod';
import {
  EventList,
  EventRecord,
  EVENTS_PER_VIEWPORT,
  TownCount,
  ViewportEvents,
} from '#contract/places/events.ts';
import {
  events,
  EVENTS_LIMIT_DEFAULT,
  EVENTS_LIMIT_MAX,
  EVENT_CURSOR,
  type ShownEvents,
} from '../../geography/events/events.ts';
import { orNotFound } from '../../refusals.ts';
import { daysAfter, span } from '../../http/documents/londonTime.ts';
import { londonDay } from '#contract/london.ts';
import { nextDate } from '../../geography/events/sample/sampleEvents.ts';
import { viewIndex } from '../../geography/events/indexes/viewIndex.ts';
import { type Answer, answerOfBytes, sendReady } from '../../http/answers/readyAnswers.ts';
import { keptAnswers } from '../../http/answers/latestAnswers.ts';
import {
  bounds,
  cursor,
  eventId,
  limit,
  optional,
  wholeNumber,
  words,
  yesNo,
} from '../../http/calls/parameters.ts';

/** The sample's events are in the coming year, and their dates depend on when the server starts. */
const matchDayExample = nextDate(40, daysAfter(londonDay(new Date()), 1));

const matchIdExample = `sample-cardiff-city-stadium-7-${matchDayExample}`;

/** A valid calendar date in the range of times that we accept. */
const Day = optional(
  z.iso
    .date('must be a date such as 2026-11-21')
    .refine((day) => day >= '1970-01-02' && day <= '2199-12-30', 'must be between 1970 and 2199'),
);

const Filters = z.object({
  category: words(100).meta({
    description: 'This category only; `GET /api/v1/events/categories` lists them.',
    example: 'Music',
  }),
  start_date: Day.meta({ description: 'First day (London), YYYY-MM-DD.', example: '2026-11-21' }),
  end_date: Day.meta({ description: 'Last day (London), YYYY-MM-DD.', example: '2026-11-28' }),
});

interface Days {
  start_date?: string | undefined;
  end_date?: string | undefined;
}

function checkDays({ start_date, end_date }: Days, context: z.RefinementCtx): void {
  if (start_date && end_date && end_date < start_date) {
    context.addIssue({ code: 'custom', path: ['end_date'], message: 'must not be before start_date' });
  }
}

const ListQuery = Filters.extend({
  venue_town: words(100).meta({
    description: 'The venue’s town, in upper or lower case.',
    example: 'Cardiff',
  }),
  q: words(200).meta({
    description: 'Words that must occur in the name, the venue or the town.',
    example: 'rugby',
  }),
  limit: limit(EVENTS_LIMIT_MAX, EVENTS_LIMIT_DEFAULT),
  cursor: cursor(EVENT_CURSOR.isCursor),
}).superRefine(checkDays);

const ViewportQuery = Filters.extend({
  ...bounds,
  max_results: wholeNumber(EVENTS_PER_VIEWPORT, EVENTS_PER_VIEWPORT).meta({
    description: 'How many at most; `total` counts all.',
    example: 500,
  }),
  include_nearby_stations: optional(yesNo).meta({
    description: 'Whether each venue’s nearby stations are included.',
    example: 'true',
  }),
  include_others: optional(yesNo).meta({
    description: 'Whether `others` says how many more events there are, and about where.',
    example: 'true',
  }),
}).superRefine((query, context) => {
  const { north, south, east, west } = query;
  const refuse = (path: string, message: string) =>
    context.addIssue({ code: 'custom', path: [path], message });
  if (north <= south) refuse('north', 'must be greater than south');
  if (east <= west) {
    refuse('east', 'must be greater than west: a view across the 180th meridian is two views');
  }
  checkDays(query, context);
});

/** The stations near a place are looked up once. This many places are kept. */
const PLACES_KEPT = 20_000;

const unknown = (eventId: string) => `Event '${eventId}' not found`;

export const eventCalls =
  ({
    db,
    now,
    nearbyStations = () => [],
  }: Pick<CallParts, 'db' | 'now' | 'nearbyStations'>): FastifyPluginAsyncZod =>
  async (app) => {
    const index = viewIndex(db);
    // The index is made after the start, and the database answers the first calls: with half a million events it
    // takes seconds.
    app.addHook('onListen', () => {
      // By design: the next request for a view gets the failure as its answer.
      void index.make().catch(() => {});
    });
    const withStations = stationsAdder(nearbyStations);

    const pageOf = keptAnswers(
      { now, revision: index.revision },
      async (query: z.infer<typeof ListQuery>, at) => {
        const { shown, total, next_cursor } = await index.page({ ...query, ...when(query, at) });
        return { answer: listOf(shown, { total, next_cursor }), nextChangeAt: minuteAfter(at) };
      },
    );
    const viewOf = keptAnswers(
      { now, revision: index.revision },
      async (query: z.infer<typeof ViewportQuery>, at) => {
        const { ids, total, others } = await index.view({
          ...query,
          ...when(query, at),
          max: query.max_results,
        });
        const found = await events(db).shown(ids);
        const shown = query.include_nearby_stations ? found.map(withStations) : found;
        return {
          answer: listOf(shown, { total, ...(query.include_others && { others }) }),
          nextChangeAt: minuteAfter(at),
        };
      },
    );

    app.get('/', {
      who: 'data',
      costs: 'events',
      operationId: 'listEvents',
      summary: 'Performances of events, soonest first',
      description:
        'Without dates, those that are not over. `start_date` and `end_date` are days in London, both included. ' +
        '`venue_town` and `category` ignore case; `q` is searched for in name, venue and town.',
      querystring: ListQuery,
      response: { 200: EventList },
      handler: async (request, reply) => {
        return sendReady(request, reply, pageOf, request.query);
      },
    });

    app.get('/viewport', {
      who: 'data',
      costs: 'events',
      operationId: 'listEventsInView',
      summary: 'The events in a view of the map',
      description:
        '`total` counts all that match. When it is more than `max_results`, the answer has the soonest of each part ' +
        'of the view, so that all of it is represented; with `include_others`, `others` counts the rest. Bounds are WGS84 degrees; the edges belong to the view.',
      querystring: ViewportQuery,
      response: { 200: ViewportEvents },
      handler: async (request, reply) => {
        return sendReady(request, reply, viewOf, request.query);
      },
    });

    app.get('/categories', {
      who: 'data',
      costs: 'list',
      operationId: 'listCategories',
      summary: 'The categories of events that are not over, by name',
      description: 'A plain list of names.',
      response: { 200: z.array(z.string()) },
      handler: async () => (await index.inUse(now())).categories,
    });

    app.get('/venues/towns', {
      who: 'data',
      costs: 'list',
      operationId: 'listTowns',
      summary: 'The towns of events that are not over, by name',
      description: 'Each with the number of its events.',
      response: { 200: z.array(TownCount) },
      handler: async () => (await index.inUse(now())).towns,
    });

    app.get('/*', {
      who: 'data',
      costs: 'list',
      refusals: { 404: unknown('gone') },
      operationId: 'readEvent',
      summary: 'One event in full, by its event_id',
      description: 'With its venue, every performance, prices, links, and the stations near it.',
      params: eventId(matchIdExample),
      response: { 200: EventRecord },
      handler: async ({ params: { '*': eventId } }) => {
        const found = orNotFound(await events(db).byId(eventId, now()), unknown(eventId));

        const { latitude, longitude } = found.venue ?? {};
        const isPlaced = latitude != null && longitude != null;
        return { ...found, nearby_stations: isPlaced ? nearbyStations(latitude, longitude) : [] };
      },
    });
  };

/** The JSON of a list of events and its other fields, as bytes: a joined string would be copied twice more, half a
 *  megabyte each time. */
function listOf(shown: ShownEvents, rest: object): Answer {
  return answerOfBytes(
    Buffer.concat(
      ['{"events":[', shown.join(','), `],${JSON.stringify(rest).slice(1)}`].map((part) => Buffer.from(part)),
    ),
    // The same view is rarely requested twice, so fast compression matters more than a small size.
    { isQuick: true },
  );
}

/** Performances end on a full minute. */
const minuteAfter = (at: Date) => (Math.floor(at.getTime() / MINUTE_MS) + 1) * MINUTE_MS;

/** The span of these days in London. Without dates it holds everything that is not over. */
const when = ({ start_date, end_date }: Days, at: Date): { from: Date; until?: Date } => ({
  from: start_date ? new Date(span(start_date, start_date).from) : at,
  ...(end_date && { until: new Date(span(end_date, end_date).until) }),
});

/** Adds the stations to an event's text, as its last field. */
function stationsAdder(nearbyStations: NonNullable<CallParts['nearbyStations']>): (shown: string) => string {
  const kept = new Map<string, string>();
  return (shown) => {
    const [, latitude, longitude] = POSITION.exec(shown) ?? [];
    if (latitude === undefined || longitude === undefined) return shown;

    const place = `${latitude},${longitude}`;
    let stations = kept.get(place);
    if (stations === undefined) {
      if (kept.size >= PLACES_KEPT) kept.clear();
      stations = JSON.stringify(nearbyStations(Number(latitude), Number(longitude)));
      kept.set(place, stations);
    }
    return `${shown.slice(0, -1)},"nearby_stations":${stations}}`;
  };
}

/** Matches the position near the end of the text. Inside an event's own strings the quotes would be escaped. */
const POSITION = /,"latitude":(-?[\d.e-]+),"longitude":(-?[\d.e-]+),"is_sample":(?:true|false)\}$/;
