/** When an incident is expected to be over: by the publisher's own time or words, never by our estimate. */
import type { Disruption } from '#contract/incidents/disruptions.ts';
import { knownSource, type Subject } from '#contract/feeds/knownSources.ts';
import type { Reported } from './reported.ts';
import { partsReader } from './timesInWords.ts';

/** The stated end. If facts were read, `end_time` does not count, because it may be our own limit. */
export const statedEnd = ({ facts, end_time }: Pick<Disruption, 'facts' | 'end_time'>): string | null =>
  facts ? facts.expected_clear : end_time;

/** Sources whose clock times are those of high water or of the weather. */
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
  const all = texts.flatMap((text) => text.split(/(?<=[.!?])\s/)).map(partsReader(texts.join('. '), written));
  // "Every Sunday from 6 December. Closed 9pm to 5am": the hours of those days end nothing today.
  const tellsDays = all.some(({ start, lacks }) => start && lacks !== 'day');
  const told = all.filter(
    ({ start, end, windows, isEndByClock, lacks }) =>
      end && isEndByClock && windows.length === 0 && !(tellsDays && start && lacks === 'day'),
  );
  // "Closed from 9pm to 5am last night. Closed again until 5pm": an end that is ahead counts.
  const end = told.find((times) => times.end! > written)?.end ?? told[0]?.end;
  return end ? { at: end, from: 'words' } : null;
}
