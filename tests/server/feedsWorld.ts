/** Parts that the tests of feeds, summaries and the schedule share: incidents, and polls that stored them. */
import type { Disruption } from '#contract/incidents/disruptions.ts';
import { FEEDS } from '#contract/feeds/feeds.ts';
import { knownSource } from '#contract/feeds/knownSources.ts';
import type { Collected, DisruptionRecord } from '../../server/incidents/collector.ts';
import { COLLECTORS as ALL } from '../../server/sources/allSources.ts';
import { collections } from '../../server/incidents/collectionState.ts';
import type { Db } from '../../server/db/open.ts';
import { storePoll } from '../../server/sources/polling/poll.ts';

/** The sources here: the words of a feed depend on which of its sources have a collector. */
export const COLLECTORS = ALL.filter(({ source }) =>
  ['tfl', 'nsi-service', 'met-office', 'ea-flood', 'national-highways'].includes(source),
);

/** Words of a summary about sources of a feed that are not connected here, as the directory names them. */
export function notConnected(slug: string): string {
  const names = FEEDS.find((feed) => feed.slug === slug)!
    .sources.filter((source) => !COLLECTORS.some((collector) => collector.source === source))
    .map((source) => knownSource(source).displayName);
  return `${new Intl.ListFormat('en-GB').format(names)} are not connected.`;
}

/** One incident as a collector reads it; its source is the part of the id before the colon. */
export function record(event_id: string, changes: Partial<DisruptionRecord> = {}): DisruptionRecord {
  return {
    event_id,
    severity: 'medium',
    event_type: 'road.incident',
    title: `Incident ${event_id}`,
    summary_line: '',
    updated_at: '2026-11-21T08:00:00.000Z',
    start_time: '2026-11-21T07:30:00.000Z',
    end_time: null,
    phase: 'active',
    kind: 'alert',
    latitude: null,
    longitude: null,
    metadata: {},
    ...changes,
  };
}

export const collected = (records: DisruptionRecord[], changes: Partial<Collected> = {}): Collected => ({
  records,
  skipped: 0,
  problems: [],
  complete: true,
  ...changes,
});

/** A good poll that found these. */
export async function poll(db: Db, source: string, records: DisruptionRecord[], now: Date): Promise<void> {
  await collections(db).ensure(source, true);
  await collections(db).noteAttempt(source, now);
  const found = collected(records);
  await storePoll(db, { source, collected: found, now, absentPolls: 1, neverEmpty: false });
  await collections(db).noteSuccess(source, { now, nextRun: null, skipped: 0, problems: [], complete: true });
}

/** The row as the API answers it. */
export function alert(event_id: string, changes: Partial<Disruption> = {}): Disruption {
  const { phase, kind: _, metadata, ...common } = record(event_id);
  return {
    ...common,
    source: event_id.split(':', 1)[0]!,
    collected_at: '2026-11-21T08:55:00.000Z',
    ...changes,
    metadata: { phase, ...metadata, ...changes.metadata },
  };
}
