/** The incidents of a route, an area or feeds, or of the conditions of one call, in every format. */
import { z } from 'zod/mini';
import { DisruptionPage } from '../incidents/disruptions.ts';

export const FORMAT_LIMITS = {
  /** The most rows in one answer. */
  rows: 5000,
  /** The newest items, which RSS and Atom list. */
  newest: 50,
  /** The most streams of one API key, one session's user or one secret address, and of one node. */
  streamsPerCaller: 5,
  streamsPerNode: 500,
  /** If a server has several teams: the most streams of one team, so that it cannot take all streams of the node. */
  streamsPerTeam: 100,
} as const;

/** Formats that can be asked for, at the end of an address: `/api/v1/disruptions.csv`. */
export const FormatName = z.enum(['json', 'geojson', 'csv', 'rss', 'atom', 'ics', 'cap', 'sse', 'badge']);
export type FormatName = z.infer<typeof FormatName>;

/** A source that cannot be relied on: without it nobody knows whether there are more incidents. */
export const SilentSource = z.object({
  source: z.string(),
  name: z.string(),
  /** Its last good collection; null: none so far. */
  since: z.nullable(z.iso.datetime()),
});
export type SilentSource = z.infer<typeof SilentSource>;

export const Attribution = z.object({ source: z.string(), text: z.string() });
export type Attribution = z.infer<typeof Attribution>;

/** How far an answer can be relied on. */
const stateShape = {
  /** Only outside the hours of a route, an area or feeds: then nothing is listed. */
  watching: z.optional(z.literal(false)),
  /** Whether the list is whole. False: rows were cut off, or a source that could have more is silent. */
  complete: z.boolean(),
  /** The oldest good collection among the sources that are not silent; null: there is none. */
  data_time: z.nullable(z.iso.datetime()),
  silent: z.array(SilentSource),
  /** The credits that must be shown with the words of these sources. */
  attribution: z.array(Attribution),
};
export const DataState = z.object(stateShape);
export type DataState = z.infer<typeof DataState>;

/** Answer of `GET /disruptions.json` and of `GET /watches/{id}.json`. */
export const FilteredPage = z.extend(DisruptionPage, stateShape);
export type FilteredPage = z.infer<typeof FilteredPage>;
