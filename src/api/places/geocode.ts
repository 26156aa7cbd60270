/** Finding a place by its name or postcode. */
import { LocationSuggestion, SUGGESTIONS } from '#contract/places/geocode.ts';
import { z } from 'zod/mini';
import { read } from '../http.ts';
import { items, maybe, tolerant } from '../tolerant.ts';

/** A number in degrees; some geocoders write it as text. */
const Degrees = z.union([
  z.number(),
  z.pipe(z.pipe(z.string().check(z.trim(), z.minLength(1)), z.transform(Number)), z.number()),
]);

const Place = tolerant(LocationSuggestion, 'label', { latitude: Degrees, longitude: Degrees });
/** A place as read. Its label and position are guaranteed, because a place without them is useless. */
export type Place = z.output<typeof Place>;

const Places = z.union([
  z.pipe(
    items(Place),
    z.transform((results) => ({ results, attribution: undefined })),
  ),
  z.looseObject({ results: items(Place), attribution: maybe(z.string()) }),
]);

/** At most five places, the best first. `attribution` must be shown with them. */
export async function searchPlaces(
  text: string,
  signal?: AbortSignal,
): Promise<{ places: Place[]; attribution: string | null }> {
  const { data } = await read(Places, 'geocode/search', {
    searchParams: { query: text, limit: SUGGESTIONS },
    offlineCopy: true,
    signal,
  });
  return { places: data.results.slice(0, SUGGESTIONS), attribution: data.attribution ?? null };
}
