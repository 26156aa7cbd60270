/** Saved filters of a team: their conditions, what they let through, and their secret addresses. */
import { z } from 'zod/mini';
import { DisruptionPage } from './disruptions.ts';
import { hasAtMost, isOneLine, keepsItsDirection, VISIBLE } from './names.ts';

export const FILTER_LIMITS = {
  filtersPerTeam: 100,
  nameLength: 80,
  queryLength: 2000,
  /** Rows of one answer. */
  rows: 5000,
  /** Of RSS and Atom. */
  newest: 50,
  /** Streams of one API key, one session's user or one secret address, and of one node. */
  streamsPerCaller: 5,
  streamsPerNode: 500,
  /** Requests of one secret address, and of one network, in a minute. */
  requestsPerAddress: 60,
  requestsPerNetwork: 300,
  /** A secret address that nobody used for so long is dead. */
  unusedDays: 90,
} as const;

/** What can be asked for, as the last part of an address: `/api/v1/disruptions.csv`. */
export const FormatName = z.enum(['json', 'geojson', 'csv', 'rss', 'atom', 'ics', 'cap', 'sse', 'badge']);
export type FormatName = z.infer<typeof FormatName>;

/** A source that cannot be relied on: what it does not say is not known. */
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
  /** False: rows were cut off, or a source that could have more is silent. */
  complete: z.boolean(),
  /** The oldest good collection among the sources that are not silent; null: there is none. */
  data_time: z.nullable(z.iso.datetime()),
  silent: z.array(SilentSource),
  /** Must be shown with what these sources say. */
  attribution: z.array(Attribution),
};
export const DataState = z.object(stateShape);
export type DataState = z.infer<typeof DataState>;

/** Answer of `GET /disruptions.json` and of `GET /filters/{id}.json`. */
export const FilteredPage = z.extend(DisruptionPage, stateShape);
export type FilteredPage = z.infer<typeof FilteredPage>;

const FilterName = z
  .string()
  .check(
    z.trim(),
    z.regex(VISIBLE, { error: 'Name the filter.', abort: true }),
    z.refine(
      hasAtMost(FILTER_LIMITS.nameLength),
      `The name must have at most ${FILTER_LIMITS.nameLength} characters`,
    ),
    z.refine(isOneLine, 'The name must be one line of text'),
    z.refine(keepsItsDirection, 'The name must not contain characters that change the text direction'),
  );

/** Conditions as a query string, such as `feed=roads-uk&min_severity=high`; or the same as an object. */
const FilterQuery = z.union([
  z.string().check(z.maxLength(FILTER_LIMITS.queryLength)),
  z.record(
    z.string().check(z.maxLength(100)),
    z.union([z.string().check(z.maxLength(FILTER_LIMITS.queryLength)), z.number(), z.boolean()]),
  ),
]);

/** Body of `POST /filters`. */
export const FilterRequest = z.object({ name: FilterName, query: FilterQuery });
export type FilterRequest = z.infer<typeof FilterRequest>;

/** Body of `PATCH /filters/{id}`. Omitted fields stay as they are. */
export const FilterChange = z.object({ name: z.optional(FilterName), query: z.optional(FilterQuery) });
export type FilterChange = z.infer<typeof FilterChange>;

/** A secret address without its secret, which is shown once. */
export const SecretAddress = z.object({
  created_at: z.iso.datetime(),
  last_used_at: z.nullable(z.iso.datetime()),
  /** When it is dead unless somebody uses it. */
  dies_at: z.iso.datetime(),
});
export type SecretAddress = z.infer<typeof SecretAddress>;

export const Filter = z.object({
  id: z.string(),
  name: z.string(),
  /** Its conditions as a query string. */
  query: z.string(),
  /** For `If-Match`. */
  version: z.int(),
  /** Null when that person is deleted. */
  created_by: z.nullable(z.object({ id: z.string(), display_name: z.string() })),
  created_at: z.iso.datetime(),
  /** Null: it has none. */
  address: z.nullable(SecretAddress),
  /** It has a secret address or webhooks: only leads of the team change its conditions, and delete it. */
  goes_out: z.boolean(),
});
export type Filter = z.infer<typeof Filter>;

/** Answer of `GET /filters`: all of the team, in the order in which they were made. */
export const FilterList = z.object({ filters: z.array(Filter), total: z.int() });
export type FilterList = z.infer<typeof FilterList>;

/** Answer of `GET /filters/preview`: of the alerts in force, active and planned. */
export const FilterPreview = z.object({
  /** "18 now" */
  matching: z.int(),
  /** "12 hidden by this filter" */
  hidden: z.int(),
  complete: z.boolean(),
  silent: z.array(SilentSource),
});
export type FilterPreview = z.infer<typeof FilterPreview>;

/** Answer of `POST /filters/{id}/address`: the only time that the address is said. */
export const NewSecretAddress = z.extend(SecretAddress, {
  /** From the path, without the ending that chooses the format: `/f/…`. */
  path: z.string(),
});
export type NewSecretAddress = z.infer<typeof NewSecretAddress>;
