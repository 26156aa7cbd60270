/** The team's saved filters. Never stored on the device: no call here asks for an offline copy. */
import { apiPath, queryPairs } from '#contract/addresses.ts';
import {
  Filter as WireFilter,
  type FilterChange,
  FilterPreview as WirePreview,
  type FilterRequest,
  type FormatName,
} from '#contract/filters.ts';
import { z } from 'zod/mini';
import { API_ORIGIN, call, read } from './http.ts';
import { remove } from './remove.ts';
import { items, list, tolerant } from './tolerant.ts';

const Words = z.catch(z.string(), '');

const Filter = tolerant(WireFilter, 'id', {
  name: Words,
  /** Without its conditions it must not pass for one that lets everything through. */
  query: z.string(),
  version: z.catch(z.nullable(z.number()), null),
});
/** A filter as read. */
export type Filter = z.output<typeof Filter>;

const Preview = tolerant(WirePreview, null, {
  matching: z.number(),
  hidden: z.number(),
  complete: z.catch(z.boolean(), false),
  silent: z.catch(items(z.looseObject({ name: Words })), []),
});
/** What conditions let through now, and what they hide. */
export type FilterPreview = z.output<typeof Preview>;

/** In the order in which they were made. */
export const listFilters = async (signal?: AbortSignal): Promise<Filter[]> =>
  (await read(list(Filter, 'filters'), 'filters', { signal })).data.items;

export const createFilter = async (filter: FilterRequest): Promise<Filter> =>
  (await read(Filter, 'filters', { method: 'post', json: filter })).data;

/** Refused with 409 when somebody else changed it since `version`. */
export async function changeFilter(id: string, version: number | null, change: FilterChange): Promise<void> {
  await call(apiPath`filters/${id}`, {
    method: 'patch',
    json: change,
    ...(version !== null && { ifMatch: version }),
  });
}

export async function deleteFilter(id: string): Promise<void> {
  await remove(apiPath`filters/${id}`);
}

/** `query`: as it is saved. */
export const previewFilter = async (query: string, signal?: AbortSignal): Promise<FilterPreview> =>
  (
    await read(Preview, 'filters/preview', {
      searchParams: Object.fromEntries(queryPairs(query)),
      signal,
    })
  ).data;

/** Promises the secret address without its ending: the only time that it is said. */
export async function createAddress(id: string): Promise<string> {
  const Made = z.looseObject({ path: z.string().check(z.startsWith('/f/')) });
  const { path } = (await read(Made, apiPath`filters/${id}/address`, { method: 'post' })).data;
  return API_ORIGIN + path;
}

export async function revokeAddress(id: string): Promise<void> {
  await remove(apiPath`filters/${id}/address`);
}

/** Where programs read a filter in this format, with a key. */
export const formatAddress = (id: string, format: FormatName): string =>
  `${API_ORIGIN}/api/v1/${apiPath`filters/${id}`}.${format}`;
