/** Reads a record as the collector of its source does. */
import type { Facts } from '../../contract/incidents/facts.ts';
import { collectorFor } from '../../server/sources/allSources.ts';
import type { Reported } from '../../server/incidents/facts/reported.ts';
import { readFacts } from '../../server/incidents/facts/readFacts.ts';
import type { DisruptionRecord } from '../../server/incidents/collector.ts';
import { place } from '../../server/incidents/place/placeByWords.ts';

const collectorOf = ({ event_id }: { event_id: string }) => collectorFor(event_id.split(':')[0]!) ?? {};

export const factsOf = (record: Reported): Facts => readFacts(record, collectorOf(record));

export const placeAsItsSource = (record: DisruptionRecord): void => place(record, collectorOf(record));
