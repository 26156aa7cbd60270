/** From a typed route to the line that the operator's router draws through its places. Nothing is stored. */
import type { Resolved } from '#contract/watches/watches.ts';
import { resolveLine } from './resolveLine.ts';
import { resolveText, type FindPlaces } from './resolveText.ts';
import { type Router, NO_ROUTER, NO_ROUTER_ANSWER } from '../../geography/roads/router.ts';

/** Unclear text is answered as for a typed route, and the router is not asked. */
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
