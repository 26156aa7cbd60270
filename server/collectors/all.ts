/** The collectors there are: of each source in the directory, the one that its file exports. */
import { KNOWN_SOURCES } from '#contract/sources.ts';
import type { Collector } from '../incidents/collector.ts';

export const COLLECTORS: readonly Collector[] = await Promise.all(Object.keys(KNOWN_SOURCES).map(load));

export function collectorFor(source: string): Collector | undefined {
  return COLLECTORS.find((collector) => collector.source === source);
}

async function load(source: string): Promise<Collector> {
  const exported: Partial<Collector>[] = Object.values(await import(`../collectors/${source}.ts`));
  const collector = exported.find((value) => value?.source === source && value.collect);
  if (!collector) throw new Error(`server/collectors/${source}.ts exports no collector of ${source}.`);
  return collector as Collector;
}
