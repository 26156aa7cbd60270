/** /api/v1/watches: the routes and areas of the caller's team, and what touches them. */
import type { FastifyRequest } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import {
  crowdTimes,
  hoursFrom,
  inForce,
  meets,
  nextTrip,
  NOW_HOURS,
  reachedAt,
  type Span,
  type Trip,
  tripSpan,
} from '#contract/departures.ts';
import { isPlanned } from '#contract/disruptions.ts';
import { LONDON_CLOCK } from '#contract/london.ts';
import { MessageExplanation } from '#contract/messages.ts';
import {
  type DepartureInput,
  Explanation,
  type Match,
  MatchFeedback,
  Resolved,
  ResolveRequest,
  Watch,
  WATCH_LIMITS,
  WatchChange,
  WatchList,
  WatchMatches,
  WatchPreview,
  WatchRecord,
  WatchRequest,
  WatchSuggestions,
} from '#contract/watches.ts';
import type { Config } from '../config.ts';
import { matches } from '../db/matches.ts';
import { messages } from '../db/messages.ts';
import type { Db } from '../db/open.ts';
import { teams } from '../db/teams.ts';
import { type Changed, type KeptWatch, type WatchDraft, watches as watchesIn } from '../db/watches.ts';
import * as example from '../docs/examples.ts';
import { sourcesFor, type WatchAnswers, withSubjects } from '../feeds/watchAnswers.ts';
import { demoteSources } from '../feeds/demotions.ts';
import { explanationOf, previewOf } from '../feeds/watchPreview.ts';
import type { Collector } from '../incidents/collector.ts';
import { send } from '../http/answers.ts';
import { toListed } from '../messages/listed.ts';
import { optional, Time, wholeNumber, yesNo } from '../http/parameters.ts';
import { revOf } from '../http/ifMatch.ts';
import { perMinute } from '../http/perMinute.ts';
import { badInput, conflict, notFound, tooMany } from '../refusals.ts';
import { findRoutePlaces } from '../places/routePlaces.ts';
import { resolveByRouter } from '../roads/resolveByRouter.ts';
import { resolveLine } from '../roads/resolveLine.ts';
import { resolveText } from '../roads/resolveText.ts';
import type { Router } from '../roads/router.ts';
import { suggest } from '../roads/suggest.ts';
import { outlineOf } from '../roads/outline.ts';
import { coverageAround, NO_LENGTH, SHORTEST_KM, sourcesOf, wayOf, type Way } from '../roads/way.ts';

interface Parts {
  db: Db;
  config: Pick<Config, 'teams'>;
  collectors: readonly Collector[];
  watchAnswers: WatchAnswers;
  /** Null: the operator has none. */
  router: Router | null;
  /** The matcher need not wait until it looks by itself. */
  onWatchesChanged?: () => void;
  now: () => Date;
}

const UNKNOWN = 'There is no such route. It may have been deleted.';
const NOT_IN_FORCE = 'There is no such incident in force.';
const NO_REV = 'Send If-Match with the rev of the route that you loaded, such as 7.';
const FULL = `A team may have ${WATCH_LIMITS.watchesPerTeam} routes and areas. Delete one first.`;
const NO_LEGS = 'A route needs at least one leg.';
const LEGS_OF_AREA = 'An area has no legs.';
const LINE_OF_ROUTE = 'The line of a route is made from its legs: leave geometry out.';
const DATES = 'A departure cannot end before it begins.';
const NO_DEPARTURE = 'This route has no such departure.';
const NEVER = 'This departure never leaves again.';
const PREVIEWS = `Only ${WATCH_LIMITS.previewsPerMinute} previews a minute. Try again in a minute.`;
const stale = (who: string, clock: string) => `Changed by ${who} at ${clock}. Load it again.`;

const EXPLAINED = 200;
const HOURS_MAX = 24 * 14;

const Id = z.object({
  id: z.string().max(64).meta({ description: 'The route’s or area’s id.', example: example.watch.id }),
});

export const watchRoutes =
  (parts: Parts): FastifyPluginAsyncZod =>
  async (app) => {
    const { db, config, watchAnswers, onWatchesChanged, now } = parts;
    const watches = watchesIn(db);
    const previews = perMinute(WATCH_LIMITS.previewsPerMinute, now);
    const teamOf = async ({ caller }: FastifyRequest) =>
      (await teams(db, config.teams).of(caller!.userId, now())).id; // a guard has found the caller

    const known = async (request: FastifyRequest & { params: { id: string } }): Promise<KeptWatch> => {
      const watch = await watches.byId(await teamOf(request), request.params.id);
      if (!watch) throw notFound(UNKNOWN);
      return watch;
    };
    const whole = (watch: KeptWatch): Watch => ({
      ...watch,
      ...wayOfKept(watch),
      length_km: watch.length_km,
    });
    const answered = async (teamId: string, id: string): Promise<Watch> =>
      whole((await watches.byId(teamId, id))!); // it was stored a moment ago
    const checkedAt = async (teamId: string, at: Date) =>
      (await watches.behindSince(teamId)) ?? at.toISOString();
    const must = (changed: Changed): void => {
      if (changed.outcome === 'unknown') throw notFound(UNKNOWN);
      if (changed.outcome === 'stale') throw conflict(changedBy(changed.by));
    };

    app.get(
      '/',
      {
        config: { who: 'data', answer: example.watchList },
        schema: {
          operationId: 'listWatches',
          summary: 'All routes and areas of the team, with what touches them',
          description:
            'The bytes change only with the data: ask with `If-None-Match`. Which of the matches are in force at a given ' +
            'time is for the reader to work out. `behind_since`: changes since then are not yet matched.',
          querystring: z.object({
            summary: optional(yesNo).meta({ description: 'The only form there is.', example: true }),
          }),
          response: { 200: WatchList },
        },
      },
      async (request, reply) => send(request, reply, await watchAnswers.list(await teamOf(request))),
    );

    app.post(
      '/',
      {
        bodyLimit: WATCH_LIMITS.bodyBytes,
        config: {
          who: 'user',
          body: example.watchRequest,
          answer: example.watch,
          meanings: { 201: 'The route or area was stored.' },
          refusals: { 409: FULL },
        },
        schema: {
          operationId: 'createWatch',
          summary: 'Store a route or an area for the team',
          description:
            'A route is made of legs, and its line is made from them. An area is a Point with `reach_m`, or a Polygon. ' +
            'What touches it is known within a minute.',
          body: WatchRequest,
          response: { 201: Watch },
        },
      },
      async (request, reply) => {
        const draft = draftOf(request.body);
        const teamId = await teamOf(request);
        const id = await watches.add(teamId, request.user.id, draft, now());
        if (id === undefined) throw conflict(FULL);
        onWatchesChanged?.();
        return reply.code(201).send(await answered(teamId, id));
      },
    );

    app.post(
      '/preview',
      {
        bodyLimit: WATCH_LIMITS.bodyBytes,
        config: {
          who: 'user',
          costs: true,
          body: example.watchRequest,
          answer: example.watchPreview,
          refusals: { 429: PREVIEWS },
        },
        schema: {
          operationId: 'previewWatch',
          summary: 'What would touch this route or area now',
          description: 'Nothing is stored. Events near it are not among the matches.',
          body: WatchRequest,
          response: { 200: WatchPreview },
        },
      },
      async ({ body, user }) => {
        if (!previews(user.id)) throw tooMany(PREVIEWS, 60);
        const draft = draftOf(body);
        const { kind, legs, geometry, reach_m } = draft;
        const at = now();
        const way = wayOfKept(draft);
        return {
          ...way,
          matches: await previewOf(db, { id: 'preview', kind, legs, geometry, reach_m }, at),
          sources: (await sourcesFor(parts, [draft], at)).sources,
          checked_at: at.toISOString(),
        };
      },
    );

    app.post(
      '/resolve',
      {
        bodyLimit: WATCH_LIMITS.bodyBytes,
        config: {
          who: 'user',
          costs: true,
          body: { text: 'Leeds, M1 J43, M1 J6A, M25 J21, M25 J15, Heathrow' },
          answer: example.resolved,
        },
        schema: {
          operationId: 'resolveWatch',
          summary: 'The legs of a route that is typed, of a line from a file, or of the router’s',
          description:
            'Nothing is stored. `problems` say what was understood, what was done for the author, and what was not ' +
            'understood. This is the line to watch, not directions to drive.',
          body: ResolveRequest,
          response: { 200: Resolved },
        },
      },
      async ({ body }) => {
        if (!('text' in body)) return resolveLine(body);
        return 'by' in body
          ? resolveByRouter(body.text, findRoutePlaces, parts.router)
          : resolveText(body.text, findRoutePlaces);
      },
    );

    app.get(
      '/suggest',
      {
        config: { who: 'user', costs: true, answer: example.watchSuggestions },
        schema: {
          operationId: 'suggestWatch',
          summary: 'What the part of a route that is being typed may mean',
          description: 'Junctions of the road that it names, roads, and places; best first, at most eight.',
          querystring: z.object({
            q: z.string().max(200).meta({ description: 'What is typed.', example: 'M1 J4' }),
          }),
          response: { 200: WatchSuggestions },
        },
      },
      async ({ query: { q } }) => suggest(q, findRoutePlaces),
    );

    app.get(
      '/:id',
      {
        config: { who: 'data', answer: example.watchRecord, refusals: { 404: UNKNOWN } },
        schema: {
          operationId: 'readWatch',
          summary: 'A route or area, with all that touches it',
          description: 'Each match has its incident or its event.',
          params: Id,
          response: { 200: WatchRecord },
        },
      },
      async (request) => {
        const watch = await known(request);
        return {
          watch: whole(watch),
          matches: await withSubjects(db, await matches(db).inForce([watch.id])),
          sources: (await sourcesFor(parts, [watch], now())).sources,
          behind_since: await watches.behindSince(await teamOf(request)),
        };
      },
    );

    app.patch(
      '/:id',
      {
        bodyLimit: WATCH_LIMITS.bodyBytes,
        config: {
          who: 'user',
          body: { name: 'Leeds to Gatwick' },
          answer: example.watch,
          refusals: { 404: UNKNOWN, 409: stale('Rosa Jones', '06:12'), 428: NO_REV },
        },
        schema: {
          operationId: 'changeWatch',
          summary: 'Change a route or an area',
          description:
            'With `If-Match`: the `rev` that was loaded. Fields that are left out stay. A departure with the `id` of one ' +
            'that is there replaces it; those that are left out are deleted.',
          params: Id,
          body: WatchChange,
          response: { 200: Watch },
        },
      },
      async (request) => {
        const { body, user, params } = request;
        const before = await known(request);
        const rev = revOf(request, NO_REV);
        const teamId = await teamOf(request);
        const change = changeOf(before, body);
        must(await watches.change({ teamId, id: params.id, rev, userId: user.id }, change, now()));
        onWatchesChanged?.();
        return answered(teamId, params.id);
      },
    );

    app.delete(
      '/:id',
      {
        config: {
          who: 'user',
          meanings: { 204: 'The route or area was deleted.' },
          refusals: { 404: UNKNOWN, 409: stale('Rosa Jones', '06:12'), 428: NO_REV },
        },
        schema: {
          operationId: 'deleteWatch',
          summary: 'Delete a route or an area',
          description: 'With `If-Match`: the `rev` that was loaded.',
          params: Id,
          response: { 204: z.null() },
        },
      },
      async (request, reply) => {
        const { id } = await known(request);
        const rev = revOf(request, NO_REV);
        const teamId = await teamOf(request);
        must(await watches.remove({ teamId, id, rev, userId: request.user.id }, now()));
        onWatchesChanged?.();
        return reply.code(204).send(null);
      },
    );

    app.get(
      '/:id/matches',
      {
        config: { who: 'data', answer: example.watchMatches, refusals: { 404: UNKNOWN } },
        schema: {
          operationId: 'listMatches',
          summary: 'What touches a route or an area at a given time',
          description:
            'In force within `hours` from `at`: without both, now or beginning within two hours. With `departure`: what ' +
            'the next vehicle of that departure after `at` meets, with the time at which it is there.',
          params: Id,
          querystring: z.object({
            at: optional(Time).meta({ description: 'ISO 8601.', example: '2026-11-21T06:10:00Z' }),
            hours: wholeNumber(HOURS_MAX, NOW_HOURS).meta({
              description: 'How long from `at`.',
              example: 12,
            }),
            departure: optional(z.string().max(64)).meta({
              description: 'The id of a departure.',
              example: example.watch.departures[0]!.id,
            }),
          }),
          response: { 200: WatchMatches },
        },
      },
      async (request) => {
        const { at, hours, departure } = request.query;
        const watch = await known(request);
        const time = now();
        const from = at === undefined ? time : new Date(at);
        const trip = departure === undefined ? null : tripOf(watch, departure, from);
        const all = await withSubjects(db, await matches(db).inForce([watch.id]));
        return {
          matches: inWindow(all, hoursFrom(from, hours), trip, time),
          sources: (await sourcesFor(parts, [watch], time)).sources,
          checked_at: await checkedAt(await teamOf(request), time),
        };
      },
    );

    app.get(
      '/:id/explain/*',
      {
        config: { who: 'data', costs: true, answer: example.explanation, refusals: { 404: UNKNOWN } },
        schema: {
          operationId: 'explainMatch',
          summary: 'Why an incident touches a route or an area, or does not',
          description: 'Every rule that was tried, what it measured and what came of it.',
          params: Id.extend({
            '*': z.string().max(1000).meta({
              description: 'The incident’s `event_id`, percent-encoded.',
              example: example.explanation.subject_id,
            }),
          }),
          response: { 200: Explanation },
        },
      },
      async (request) => {
        const explanation = await explanationOf(db, await known(request), request.params['*']);
        if (!explanation) throw notFound(NOT_IN_FORCE);
        return explanation;
      },
    );

    app.get(
      '/:id/explain-messages',
      {
        config: { who: 'user', answer: example.messageExplanation, refusals: { 404: UNKNOWN } },
        schema: {
          operationId: 'explainMessages',
          summary: 'What was sent about a route or an area, what was held back, and why',
          description:
            'The last 200: those to the caller and to the whole team, and what was held back from everybody.',
          params: Id,
          response: { 200: MessageExplanation },
        },
      },
      async (request) => {
        const { id } = await known(request);
        const rows = await messages(db).ofWatch(id, request.user.id, EXPLAINED);
        const listed = toListed(rows, { notOurs: await messages(db).notOurs([id]) });
        return { watch_id: id, messages: listed, total: listed.length };
      },
    );

    app.post(
      '/:id/feedback',
      {
        config: {
          who: 'user',
          body: { subject_id: example.explanation.subject_id, verdict: 'not_ours', text: null },
          meanings: { 204: 'Kept, for the people who mend the rules.' },
          refusals: { 404: UNKNOWN },
        },
        schema: {
          operationId: 'reportMatch',
          summary: 'Report a match that is wrong, or one that is missing',
          description:
            'With the level and the reason that it has now, or had last. A source of whose messages in 7 days more than 5 % ' +
            'were marked `not_ours`, and more than one, is possible at best until an administrator restores it.',
          params: Id,
          body: MatchFeedback,
          response: { 204: z.null() },
        },
      },
      async (request, reply) => {
        const of = { teamId: await teamOf(request), id: request.params.id, userId: request.user.id };
        if (!(await watches.noteFeedback(of, request.body, now()))) throw notFound(UNKNOWN);
        if (request.body.verdict === 'not_ours') await demoteSources(db, now());
        return reply.code(204).send(null);
      },
    );
  };

const changedBy = ({ name, at }: { name: string | null; at: string }) =>
  stale(name ?? 'a deleted person', LONDON_CLOCK.format(new Date(at)));

type Asked = Pick<
  WatchRequest,
  'kind' | 'name' | 'made_by' | 'legs' | 'geometry' | 'reach_m' | 'departures' | 'notify'
>;

/** With the line that is made of the legs. Refuses, in words, what is no route or area. */
function draftOf(asked: Asked): WatchDraft {
  checkDepartures(asked.departures);
  return { ...asked, ...lineOf(asked) };
}

type Line = Pick<WatchDraft, 'kind' | 'legs' | 'reach_m'> & { geometry: WatchDraft['geometry'] | null };

function lineOf({
  kind,
  legs,
  geometry,
  reach_m,
}: Line): Pick<WatchDraft, 'geometry' | 'length_km' | 'sources'> {
  if (kind === 'area') {
    if (legs.length > 0) throw badInput(LEGS_OF_AREA);
    const outline = outlineOf(geometry, reach_m);
    if ('problem' in outline) throw badInput(outline.problem);
    const sources = sourcesOf({ coverage: coverageAround(outline.points) });
    return { geometry: geometry!, length_km: 0, sources }; // an outline was found in it
  }
  if (geometry) throw badInput(LINE_OF_ROUTE);
  if (legs.length === 0) throw badInput(NO_LEGS);
  const way = inWords(() => wayOf(legs));
  if (way.length_km < SHORTEST_KM) throw badInput(NO_LENGTH);
  return { geometry: way.geometry, length_km: way.length_km, sources: sourcesOf(way) };
}

function changeOf(before: KeptWatch, change: WatchChange): Partial<WatchDraft> {
  const { legs, geometry, departures, ...others } = change;
  if (departures) checkDepartures(departures);
  const movesLine = legs !== undefined || geometry !== undefined || change.reach_m !== undefined;
  const after: Line = {
    kind: before.kind,
    legs: legs ?? before.legs,
    reach_m: change.reach_m === undefined ? before.reach_m : change.reach_m,
    // The stored line of a route is what was made of its legs.
    geometry: geometry === undefined ? (before.kind === 'area' ? before.geometry : null) : geometry,
  };
  return {
    ...defined(others),
    ...(departures && { departures }),
    ...(movesLine && { legs: after.legs, ...lineOf(after) }),
  };
}

const defined = <T extends object>(fields: T) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };

function checkDepartures(departures: readonly DepartureInput[]): void {
  for (const { from_date, to_date, except } of departures) {
    const periods = [{ from: from_date, to: to_date }, ...except];
    if (periods.some(({ from, to }) => from && to && from > to)) throw badInput(DATES);
  }
}

/** The road tables say in words what they do not have. */
function inWords<T>(make: () => T): T {
  try {
    return make();
  } catch (error) {
    if (error instanceof TypeError || error instanceof RangeError) throw error;
    throw badInput((error as Error).message);
  }
}

/** A table that has changed since may lack a junction: then the line stands as it was stored. */
function wayOfKept({
  kind,
  legs,
  geometry,
  length_km,
  reach_m,
  sources,
}: Omit<WatchDraft, 'departures' | 'name' | 'made_by'>): Way {
  const bare = { geometry, length_km, course: [], places: [] };
  if (kind === 'area') {
    const outline = outlineOf(geometry, reach_m);
    return { ...bare, coverage: 'points' in outline ? coverageAround(outline.points) : [] };
  }
  try {
    return wayOf(legs);
  } catch {
    return { ...bare, coverage: sources.map((source) => ({ source, from_km: 0, to_km: length_km })) };
  }
}

function tripOf({ departures, length_km }: KeptWatch, id: string, from: Date): Trip {
  const departure = departures.find((one) => one.id === id);
  if (!departure) throw badInput(NO_DEPARTURE);
  const trip = nextTrip([departure], length_km, from);
  if (!trip) throw badInput(NEVER);
  return trip;
}

/** Those that are in force at that time; for a vehicle, when it is where they are. */
function inWindow(all: readonly Match[], window: Span, trip: Trip | null, now: Date): Match[] {
  return all.flatMap((match) => {
    const { from_km, to_km, disruption, event } = match;
    const span = trip ? tripSpan(trip, from_km, to_km) : window;
    const times = disruption ? [inForce(disruption, isPlanned(disruption), now)] : crowdTimes(event ?? {});
    if (!times.some((time) => meets(time, span))) return [];
    const reached = trip && from_km !== null ? reachedAt(trip, from_km).toISOString() : null;
    return [trip ? { ...match, reached } : match];
  });
}
