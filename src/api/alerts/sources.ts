/** The state of each source, for administrators. */
import { apiPath } from '#contract/addresses.ts';
import { SourceReport as WireReport, Standing } from '#contract/feeds/sourceReports.ts';
import { z } from 'zod/mini';
import { call, read } from '../http.ts';
import { list, tolerant } from '../tolerant.ts';

const Row = tolerant(WireReport, 'source', { standing: z.catch(Standing, 'waiting') });
export type SourceReport = z.infer<typeof Row>;

const at = (source: string) => apiPath`admin/sources/${source}`;

/** The reports, sources with trouble first, and when the server gave them. */
export async function listSourceReports(
  signal?: AbortSignal,
): Promise<{ sources: SourceReport[]; at: Date }> {
  const { data, fetchedAt } = await read(list(Row, 'sources'), 'admin/sources', { signal });
  return { sources: data.items, at: fetchedAt };
}

export const switchSource = (source: string, off: boolean) =>
  call(at(source), { method: 'patch', json: { off } });

/** From then on its matches are at best possible, for all teams. */
export const demoteSource = (source: string) => call(`${at(source)}/demote`, { method: 'post' });

/** Its matches count as certain again. */
export const restoreSource = (source: string) => call(`${at(source)}/restore`, { method: 'post' });

/** Asks for a poll at once. It is done some seconds later. */
export const trySource = (source: string) => call(`${at(source)}/try`, { method: 'post' });
