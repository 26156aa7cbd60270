/** Removes records that a document lists twice. */
import { Severity, severityRank } from '#contract/incidents/severity.ts';
import type { Problems } from '../http/documents/records.ts';
import type { DisruptionRecord } from './collector.ts';

/** One record for each event_id: the one that the publisher changed last, otherwise the worst, otherwise the first. */
export function withoutDuplicates(
  records: readonly DisruptionRecord[],
  problems: Problems,
): DisruptionRecord[] {
  const byId = new Map<string, DisruptionRecord>();
  for (const record of records) {
    const kept = byId.get(record.event_id);
    if (!kept) {
      byId.set(record.event_id, record);
      continue;
    }

    problems.note(`${record.event_id} appears more than once; the newest or worst is kept`);
    if (replaces(record, kept)) byId.set(record.event_id, record);
  }
  return [...byId.values()];
}

function replaces(record: DisruptionRecord, kept: DisruptionRecord): boolean {
  const [changed, keptChanged] = [record.updated_at ?? '', kept.updated_at ?? ''];
  return changed === keptChanged ? badness(record) < badness(kept) : changed > keptChanged;
}

/** 0 is the worst. */
function badness({ kind, severity }: DisruptionRecord): number {
  return kind === 'status' ? Severity.options.length : severityRank(severity);
}
