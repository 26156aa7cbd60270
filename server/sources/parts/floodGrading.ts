/** The scale of UK flood warnings, which England, Scotland and Wales share. */
import type { Read, Reported } from '../../incidents/facts/reported.ts';
import { capital, quiet, splitOnce } from '../../incidents/facts/publisherWords.ts';
import type { Severity } from '#contract/incidents/severity.ts';
import { isMostlyRead, leftOut, type Problems } from '../../http/documents/records.ts';
import type { Collected, DisruptionRecord } from '../../incidents/collector.ts';

export interface FloodLevel {
  severity: Severity;
  event_type: string;
  /** The level's name in our spelling, because publishers vary its capitals. */
  name: string;
}

/**
 * Levels by the publishers' number, with the publishers' own words.
 * https://environment.data.gov.uk/flood-monitoring/doc/reference
 */
const FLOOD_LEVELS: Readonly<Record<string, FloodLevel | 'ended'>> = {
  // "Severe Flood Warning"
  1: { severity: 'critical', event_type: 'flood.severe_warning', name: 'Severe flood warning' },
  // "Flood Warning"
  2: { severity: 'high', event_type: 'flood.warning', name: 'Flood warning' },
  // "Flood Alert"
  3: { severity: 'medium', event_type: 'flood.alert', name: 'Flood alert' },
  // "Warning no longer in force"
  4: 'ended',
};

/** The words of one level can contain those of another, so the order matters. */
const WORDS: readonly (readonly [RegExp, string])[] = [
  [/no longer in force|removed/i, '4'],
  [/severe flood warning/i, '1'],
  [/flood warning/i, '2'],
  [/flood alert/i, '3'],
];

/** The level by its number, or by its words when the number is not known; undefined when neither is known. */
export function floodLevel(
  level: unknown,
  words: string | null | undefined,
): FloodLevel | 'ended' | undefined {
  const number = String(level ?? '').trim();
  if (Object.hasOwn(FLOOD_LEVELS, number)) return FLOOD_LEVELS[number];

  const said = WORDS.find(([pattern]) => pattern.test(words ?? ''));
  return said && FLOOD_LEVELS[said[1]];
}

/** Findings of a poll: a record for each flood area with a warning in force, and the ids of those that are over.
 *  Throws when none of the warnings can be read. */
export function floodsOf<T>(
  warnings: readonly T[],
  found: Problems,
  {
    source,
    areaOf,
    lastChange,
    levelOf,
    toRecord,
  }: {
    source: string;
    areaOf: (warning: T) => string;
    lastChange: (warning: T) => string | null;
    levelOf: (warning: T) => FloodLevel | 'ended' | undefined;
    /** `level` is undefined when neither its number nor its words are on the published scale. */
    toRecord: (warning: T, level: FloodLevel | undefined) => DisruptionRecord;
  },
): Collected {
  if (warnings.length === 0 && found.skipped > 0)
    throw new Error(`None of the ${found.skipped} warnings can be read: ${found.list[0]}`);
  const ended: string[] = [];
  const records = newestOfEachArea(warnings, areaOf, lastChange, found).flatMap((warning) => {
    const level = levelOf(warning);
    if (level !== 'ended') return [toRecord(warning, level)];
    ended.push(`${source}:${areaOf(warning)}`);
    return [];
  });
  return {
    records,
    ...leftOut(found),
    complete: isMostlyRead(found, warnings.length),
    ...(ended.length > 0 && { ended }),
  };
}

/** Fields of a record that follow from its level, and those that are the same for every warning. */
export const ofLevel = (level: FloodLevel | undefined) =>
  ({
    severity: level?.severity ?? 'medium',
    event_type: level?.event_type ?? 'flood.warning',
    end_time: null,
    phase: 'active',
    kind: 'alert',
  }) as const;

/** One warning per flood area, found before ended warnings are dropped: a newer "no longer in force" ends an older
 *  entry. */
function newestOfEachArea<T>(
  warnings: readonly T[],
  areaOf: (warning: T) => string,
  lastChange: (warning: T) => string | null,
  found: Problems,
): T[] {
  const byArea = new Map<string, T>();
  for (const warning of warnings) {
    const area = areaOf(warning);
    const kept = byArea.get(area);
    if (kept) found.note(`Flood area ${area} appears more than once; the newest is kept`);
    if (!kept || (lastChange(warning) ?? '') > (lastChange(kept) ?? '')) byArea.set(area, warning);
  }
  return [...byArea.values()];
}

/** "Flood warning: River Aire at Kirkstall": the level, then the area's own name. */
export function readFlood({ title }: Reported): Read | null {
  const [level = '', area = ''] = splitOnce(title, ': ');
  const place = capital(
    area
      .replace(/^the (?=\S)/i, '')
      .replace(/ - /g, ', ')
      .trim(),
  );
  if (
    !/^(?:severe )?flood (?:warning|alert)$/i.test(level) ||
    place === '' ||
    place.length > 140 ||
    place.endsWith('…')
  )
    return null;
  return { place: quiet(place), effect: level.toLowerCase(), cause: null };
}
