/** All collectors: for each source in the directory (contract/feeds/knownSources.ts), the collector that its file
 *  exports. How often a source is polled stands in its file (`everyMinutes`). */
import { KNOWN_SOURCES } from '#contract/feeds/knownSources.ts';
import { OF_AUTHORS } from './parts/licences.ts';
import type { Collector, Publisher } from '../incidents/collector.ts';

export const COLLECTORS: readonly Collector[] = await Promise.all(Object.keys(KNOWN_SOURCES).map(load));

export function collectorFor(source: string): Collector | undefined {
  return COLLECTORS.find((collector) => collector.source === source);
}

/** The publisher of a source; null when the source is not in the directory. */
export const publisherOf = (source: string): Publisher | null => collectorFor(source)?.publisher ?? null;

/** Whether the source's content may be passed on in the form of a warning. Its licence must allow more than a
 *  headline and a link. */
export const mayBeRelayed = (source: string): boolean => {
  const licence = publisherOf(source)?.licence;
  return licence !== undefined && licence !== OF_AUTHORS;
};

async function load(source: string): Promise<Collector> {
  const exported: Partial<Collector>[] = Object.values(await import(`../sources/${source}.ts`));
  const collector = exported.find((value) => value?.source === source && value.collect);
  if (!collector) throw new Error(`server/sources/${source}.ts exports no collector of ${source}.`);
  return collector as Collector;
}
