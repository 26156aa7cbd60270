/** When an incident is expected to be over: the publisher's own time, or its own words. Never our estimate. */
import type { Disruption } from '#contract/incidents/disruptions.ts';
import { knownSource, type Subject } from '#contract/feeds/knownSources.ts';
import type { Reported } from './reported.ts';
import { timesInWords } from './timesInWords.ts';

/** Where facts were read, `end_time` alone says nothing: it may be our own limit. */
export const statedEnd = ({ facts, end_time }: Pick<Disruption, 'facts' | 'end_time'>): string | null =>
  facts ? facts.expected_clear : end_time;

/** Their clock times are those of high water or of the weather. */
const FORECASTS: ReadonlySet<Subject | null> = new Set(['floods', 'weather', 'airports']);

export function expectedClear(
  source: string,
  record: Pick<Reported, 'end_time' | 'updated_at' | 'start_time'>,
  texts: readonly string[],
): { at: string; from: 'end_time' | 'words' } | null {
  const { subject, ownEnds } = knownSource(source);
  if (record.end_time && !ownEnds) return { at: record.end_time, from: 'end_time' };
  const written = record.updated_at ?? record.start_time;
  if (!written || FORECASTS.has(subject)) return null;
  for (const sentence of texts.flatMap((text) => text.split(/(?<=[.!?])\s/))) {
    const { end, windows, isEndByClock } = timesInWords(sentence, written);
    if (end && isEndByClock && windows.length === 0) return { at: end, from: 'words' };
  }
  return null;
}
