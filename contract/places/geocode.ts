/** Finding a place by its name or postcode. */
import { z } from 'zod/mini';

export const SUGGESTIONS = 5;

/** Length of a query in UTF-16 units, as a text field counts. */
export const PLACE_QUERY_MAX = 200;

export const PlaceType = z.enum([
  'city',
  'town',
  'village',
  'hamlet',
  'suburb',
  'administrative',
  'postcode',
  'station',
  'airport',
]);
export type PlaceType = z.infer<typeof PlaceType>;

/** WGS84 degrees. `type` is a PlaceType, or a word from the operator's geocoder. */
export const LocationSuggestion = z.object({
  /** For display: the name with what distinguishes it from others, such as its county. */
  label: z.string(),
  latitude: z.number(),
  longitude: z.number(),
  type: z.string(),
  bounding_box: z.nullable(
    z.object({ north: z.number(), south: z.number(), east: z.number(), west: z.number() }),
  ),
  raw: z.object({ address: z.record(z.string(), z.string()) }),
});
export type LocationSuggestion = z.infer<typeof LocationSuggestion>;

/** Best first. `attribution` must be shown with the places. */
export const LocationSuggestions = z.object({
  results: z.array(LocationSuggestion),
  attribution: z.string(),
});
export type LocationSuggestions = z.infer<typeof LocationSuggestions>;
