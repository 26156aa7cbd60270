/** /api/v1/watches/{id}/…: the incidents that touch a route, an area or feeds, the reasons, and the messages about
 *  them. */
import type { FastifyRequest } from 'fastify';
import type { Calls } from '../callParts.ts';
import { z } from 'zod';
import {
  crowdTimes,
  hoursFrom,
  inForce,
  meets,
  nextTrip,
  NOW_HOURS,
  reachedAt,
  type Trip,
  tripSpan,
} from '#contract/watches/departures.ts';
import { isPlanned } from '#contract/incidents/disruptions.ts';
import { MessageExplanation } from '#contract/messages/messages.ts';
import {
  Explanation,
  type Match,
  MatchFeedback,
  Trial,
  TrialRequest,
  WATCH_LIMITS,
  WatchMatches,
} from '#contract/watches/watches.ts';
import { isWatching, watchingChangesAt } from '#contract/watches/whenWatched.ts';
import type { Span } from '#contract/incidents/windows.ts';
import { matches } from '../../watches/matching/matchStore.ts';
import { messages } from '../../delivery/outbox/outboxStore.ts';
import { type KeptWatch, watches as watchesIn } from '../../watches/watchStore.ts';
import { example } from '../reference/examples.ts';
import { demoteSources } from '../../watches/demoteSources.ts';
import { throughNow } from '../../watches/watchAnswers.ts';
import { explanationOf, trialOf } from '../../watches/watchPreview.ts';
import { optional, Time, wholeNumber } from '../../http/calls/parameters.ts';
import { toListed } from '../../delivery/outbox/listedMessages.ts';
import { badInput, notFound, tooMany, orNotFound } from '../../refusals.ts';
import { UNKNOWN, WatchId } from './watchCalls.ts';

const NOT_IN_FORCE = 'There is no such incident in force.';
const NO_DEPARTURE = 'This route has no such departure.';
const NEVER = 'This departure never leaves again.';
const MARKS = `A person marks at most ${WATCH_LIMITS.marksADay} matches a day.`;

const EXPLAINED = 200;
const HOURS_MAX = 24 * 14;

export const watchMatchCalls: Calls = (parts) => async (app) => {
  const { db, onWatchesChanged, now } = parts;
  const watches = watchesIn(db);
  const known = async (request: FastifyRequest & { params: { id: string } }): Promise<KeptWatch> => {
    return orNotFound(await watches.byId(await request.teamId(), request.params.id), UNKNOWN);
  };

  app.get('/:id/matches', {
    who: 'data',
    costs: 'list',
    refusals: { 404: UNKNOWN },
    operationId: 'listMatches',
    summary: 'What touches a route or an area at a given time',
    description:
      'In force within `hours` from `at`: without both, now or beginning within two hours. With `departure`: what ' +
      'the next vehicle of that departure after `at` meets, with the time at which it is there. Outside its hours nothing.',
    params: WatchId,
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
    handler: async (request) => {
      const { at, hours, departure } = request.query;
      const watch = await known(request);
      const time = now();
      const from = at === undefined ? time : new Date(at);
      const trip = departure === undefined ? null : tripOf(watch, departure, from);
      const through = await throughNow(parts, watch, time);
      const watching = isWatching(watch.when, from);
      return {
        watching,
        watching_changes_at: watchingChangesAt(watch.when, from)?.toISOString() ?? null,
        matches: watching ? inWindow(through.matches, hoursFrom(from, hours), trip, time) : [],
        checking: watch.checking,
        sources: through.sources,
        checked_at: (await watches.behindSince(await request.teamId())) ?? time.toISOString(),
      };
    },
  });

  app.get('/:id/explain/*', {
    who: 'data',
    costs: 'work',
    refusals: { 404: UNKNOWN },
    operationId: 'explainMatch',
    summary: 'Why an incident touches a route or an area, or does not',
    description: 'Every rule that was tried, with its measurements and its outcome.',
    params: WatchId.extend({
      '*': z.string().max(1000).meta({
        description: 'The incident’s `event_id`, percent-encoded.',
        example: example.explanation.subject_id,
      }),
    }),
    response: { 200: Explanation },
    handler: async (request) => {
      const watch = await known(request);
      const team = await request.teamId();
      const explanation = orNotFound(await explanationOf(db, team, watch, request.params['*']), NOT_IN_FORCE);
      const said = await watches.notOurs(team, watch.id);
      const mark = said.find(({ subject_id }) => subject_id === explanation.subject_id);
      return { ...explanation, not_ours: mark ? { at: mark.at, by: mark.by } : null };
    },
  });

  app.get('/:id/explain-messages', {
    who: 'user',
    costs: 'list',
    refusals: { 404: UNKNOWN },
    operationId: 'explainMessages',
    summary: 'What was sent about a route or an area, what was held back, and why',
    description:
      'The last 200: messages to the caller and to the whole team, and messages that were held back from everybody. ' +
      'Incidents that are only possible send none: `possible` counts them.',
    params: WatchId,
    response: { 200: MessageExplanation },
    handler: async (request) => {
      const { id } = await known(request);
      const rows = await messages(db).ofWatch(id, request.user.id, EXPLAINED);
      const listed = toListed(rows, { notOurs: await messages(db).notOurs([id]), now: now() });
      const possible = await matches(db).possibleAt(id);
      return { watch_id: id, messages: listed, total: listed.length, possible };
    },
  });

  app.post('/:id/trial', {
    who: 'user',
    costs: 'work',
    refusals: { 404: UNKNOWN },
    operationId: 'tryWatch',
    summary: 'What a route, an area or feeds would have done since 06:00 yesterday',
    description:
      'With these settings; settings that are left out are as stored. It counts incidents that began since then, as they ' +
      'are now. Nothing is stored.',
    params: WatchId,
    body: TrialRequest,
    response: { 200: Trial },
    handler: async (request) => trialOf(db, await known(request), request.body, now()),
  });

  app.post('/:id/feedback', {
    who: 'user',
    meanings: { 204: 'Kept, for the people who mend the rules.' },
    refusals: { 404: UNKNOWN, 429: MARKS },
    operationId: 'reportMatch',
    summary: 'Report a match that is wrong, or one that is missing',
    description:
      'The level and the reason that it has now, or had last, are kept with it. If the team marks more than 5 % of a ' +
      'source’s messages in 7 days as `not_ours`, and more than one, the source’s matches are only possible for the team ' +
      'until an administrator restores it.',
    params: WatchId,
    body: MatchFeedback,
    handler: async (request) => {
      const of = { teamId: await request.teamId(), id: request.params.id, userId: request.user.id };
      const outcome = await watches.noteFeedback(of, request.body, now());
      if (outcome === 'unknown') throw notFound(UNKNOWN);
      if (outcome === 'full') throw tooMany(MARKS, 60 * 60);
      onWatchesChanged?.();
      if (request.body.verdict === 'not_ours') await demoteSources(db, now(), of.teamId);
    },
  });
};

function tripOf({ departures, length_km }: KeptWatch, id: string, from: Date): Trip {
  const departure = departures.find((one) => one.id === id);
  if (!departure) throw badInput(NO_DEPARTURE);
  const trip = nextTrip([departure], length_km, from);
  if (!trip) throw badInput(NEVER);
  return trip;
}

/** Matches that are in force in this window. With a trip, matches that are in force when the vehicle reaches them. */
function inWindow(all: readonly Match[], window: Span, trip: Trip | null, now: Date): Match[] {
  return all.flatMap((match) => {
    const { from_km, to_km, disruption, event } = match;
    const span = trip ? tripSpan(trip, from_km, to_km) : window;
    const times = disruption ? inForce(disruption, isPlanned(disruption), now) : crowdTimes(event ?? {});
    if (!times.some((time) => meets(time, span))) return [];
    const reached = trip && from_km !== null ? reachedAt(trip, from_km).toISOString() : null;
    return [trip ? { ...match, reached } : match];
  });
}
