/** /api/v1/watches: the steps by which a route, an area or feeds are made, before anything is stored. */
import type { Calls } from '../callParts.ts';
import { z } from 'zod';
import {
  Resolved,
  ResolveRequest,
  WATCH_LIMITS,
  WatchPreview,
  WatchRequest,
  WatchSuggestions,
} from '#contract/watches/watches.ts';
import { fairQueue } from '../../accounts/fairQueue.ts';
import { sourcesFor } from '../../watches/watchAnswers.ts';
import { draftOf, wayOfKept } from '../../watches/watchDraft.ts';
import { previewOf } from '../../watches/watchPreview.ts';
import { perMinute } from '../../http/limits/requestLimits.ts';
import { findRoutePlaces } from '../../geography/names/routePlaces.ts';
import { tooMany } from '../../refusals.ts';
import { resolveLine } from '../../watches/roadsAlongLine.ts';
import { resolveText } from '../../watches/typed/typedLegs.ts';
import type { FindPlaces } from '../../watches/typed/typedNames.ts';
import { type Router, NO_ROUTER, NO_ROUTER_ANSWER } from '../../geography/roads/routingServer.ts';
import { suggest } from '../../watches/typed/suggest.ts';

const PREVIEWS = `Only ${WATCH_LIMITS.previewsPerMinute} previews a minute. Try again in a minute.`;
const RESOLVES = 'That is too much to read in a minute. Try again in a minute.';

export const watchDraftCalls: Calls = (parts) => async (app) => {
  const { db, now } = parts;
  const previews = perMinute(WATCH_LIMITS.previewsPerMinute, now);
  const resolves = perMinute(WATCH_LIMITS.resolvesPerMinute, now);
  const costlyResolves = perMinute(WATCH_LIMITS.costlyResolvesPerMinute, now);
  // Each text is resolved in steps of some milliseconds. Several at once would be one long step that delays all
  // other calls.
  const oneResolved = fairQueue({ atOnce: 1, maxWaiting: 100, full: () => tooMany(RESOLVES, 60) });

  app.post('/preview', {
    bodyLimit: WATCH_LIMITS.bodyBytes,
    who: 'user',
    costs: 'line',
    refusals: { 429: PREVIEWS },
    operationId: 'previewWatch',
    summary: 'What a route, an area or feeds would let through now',
    description: 'Nothing is stored. Events near it are not among the matches.',
    body: WatchRequest,
    response: { 200: WatchPreview },
    handler: async (request) => {
      if (!previews(request.user.id)) throw tooMany(PREVIEWS, 60);
      const draft = draftOf(request.body);
      const at = now();
      const teamId = await request.teamId();
      const { sources, disconnected } = await sourcesFor(parts, [draft], at);
      return {
        ...wayOfKept(draft),
        made_name: draft.made_name,
        ...(await previewOf(db, teamId, draft, { at, disconnected })),
        sources,
        checked_at: at.toISOString(),
      };
    },
  });

  app.post('/resolve', {
    bodyLimit: WATCH_LIMITS.bodyBytes,
    who: 'user',
    costs: 'line',
    refusals: { 429: RESOLVES },
    operationId: 'resolveWatch',
    summary: 'The legs of a typed route, of a line from a file, or of a proposal of the router',
    description:
      'Nothing is stored. `problems` say how parts were read, what was done for the author, and which parts were not ' +
      'understood. This is the line to watch, not directions to drive.',
    body: ResolveRequest,
    response: { 200: Resolved },
    handler: async ({ body, user }) => {
      const isCostly = !('text' in body) || body.text.length > WATCH_LIMITS.shortText;
      if (!resolves(user.id) || (isCostly && !costlyResolves(user.id))) throw tooMany(RESOLVES, 60);
      // The operator's router may be slow, so this does not take a place in the queue.
      if ('by' in body) return resolveByRouter(body.text, findRoutePlaces, parts.router);
      return oneResolved(user.id, () =>
        'text' in body ? resolveText(body.text, findRoutePlaces) : resolveLine(body),
      );
    },
  });

  app.get('/suggest', {
    who: 'user',
    costs: 'work',
    operationId: 'suggestWatch',
    summary: 'Suggestions for the part of a route that is being typed',
    description: 'Junctions of the road that it names, roads, and places; best first, at most eight.',
    querystring: z.object({
      q: z.string().max(200).meta({ description: 'What is typed.', example: 'M1 J4' }),
    }),
    response: { 200: WatchSuggestions },
    handler: async ({ query: { q } }) => suggest(q, findRoutePlaces),
  });
};

// From a typed route to the line that the operator's router draws through its places. Nothing is stored.

/** The line that the operator's router draws through the places of a typed route. Nothing is stored. Text with a
 *  problem is answered like any typed route, without asking the router. */
export async function resolveByRouter(
  text: string,
  findPlaces: FindPlaces,
  router: Router | null,
): Promise<Resolved> {
  const typed = await resolveText(text, findPlaces);
  if (typed.problems.some(({ level }) => level === 'stop')) return typed;
  const places = typed.places.filter(({ minor }) => !minor);
  const coordinates = await router?.lineThrough(
    places.map(({ longitude, latitude }) => [longitude, latitude]),
  );
  if (!coordinates) return refused(typed, router ? NO_ROUTER_ANSWER : NO_ROUTER);
  const drawn = await resolveLine({ geometry: { type: 'LineString', coordinates } });
  return { ...drawn, name: typed.name };
}

const refused = (typed: Resolved, text: string): Resolved => ({
  ...typed,
  legs: [],
  problems: [{ level: 'stop', text, at: null, repairs: [] }],
});
