/** /api/v1/geocode: places by name or postcode. */
import type { Calls } from '../callParts.ts';
import { z } from 'zod';
import { LocationSuggestions, PLACE_QUERY_MAX, SUGGESTIONS } from '#contract/places/geocode.ts';
import { limit } from '../../http/calls/parameters.ts';

const SUGGESTIONS_MAX = 10;

const SearchQuery = z.object({
  query: z
    .string()
    .trim()
    .min(1)
    .max(PLACE_QUERY_MAX)
    .meta({ description: 'A name or a postcode, as typed.', example: 'Cardiff' }),
  limit: limit(SUGGESTIONS_MAX, SUGGESTIONS),
});

export const geocodeCalls: Calls =
  ({ geocoder }) =>
  async (app) => {
    app.get('/search', {
      who: 'data',
      costs: 'work',
      operationId: 'findPlaces',
      summary: 'Places by name or postcode, best match first',
      description:
        'Towns, counties, airports, stations and postcodes of the United Kingdom, Ireland, the Isle of Man and the ' +
        'Channel Islands. The beginning of each word is enough. A full postcode is shown at its district. ' +
        'Fewer than two letters find nothing. `attribution` must be shown with the places.',
      querystring: SearchQuery,
      response: { 200: LocationSuggestions },
      handler: async ({ query: { query, limit } }) => geocoder.search(query, limit),
    });
  };
