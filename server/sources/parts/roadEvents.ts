import type { Problems } from '../../http/documents/records.ts';

/** Kinds of road events by the words that UK publishers use. The first matching line counts. */
const KINDS: readonly (readonly [RegExp, string])[] = [
  [/\broad ?works?\b|\bmaintenance\b|\bresurfacing\b|\bconstruction\b/i, 'road.roadworks'],
  [/\baccident\b|\bcollision\b|\bcrash\b/i, 'road.accident'],
  [/\bbreakdown\b|\bbroken[ -]down\b/i, 'road.breakdown'],
  [/\bflood|\bsnow\b|\bice\b|\bfog\b|\bwinds?\b|\bweather\b|\benvironment\b/i, 'road.weather'],
  [/\bobstruction\b|\bdebris\b|\bfallen tree\b|\banimals?\b/i, 'road.obstruction'],
  [/\bclos(?:ed|ure)\b/i, 'road.closure'],
  [/\bqueu|\bcongestion\b|\babnormal traffic\b|\bdelays?\b/i, 'road.congestion'],
];

/** `road.incident` when no words match. */
export function roadEventType(words: string): string {
  return KINDS.find(([pattern]) => pattern.test(words))?.[1] ?? 'road.incident';
}

// For a source that is published in several documents: if one fails, the others are still read.

/** The contents of all documents, in order. `complete` is false when a document could not be read, which is noted;
 *  such a poll must end nothing. Throws when none could be read. */
export async function readParts<Part extends { name: string }, T>(
  parts: readonly Part[],
  read: (part: Part) => Promise<T[]>,
  found: Problems,
): Promise<{ all: T[]; complete: boolean }> {
  const all: T[] = [];
  const failures: { name: string; error: unknown }[] = [];
  for (const part of parts) {
    try {
      all.push(...(await read(part)));
    } catch (error) {
      failures.push({ name: part.name, error });
      found.note(`The ${part.name} could not be read: ${messageOf(error)}`);
    }
  }
  if (failures.length === parts.length) throw allFailed(failures);
  return { all, complete: failures.length === 0 };
}

/** The original failure if all are the same, so that the code that catches it sees its kind. */
function allFailed(failures: readonly { name: string; error: unknown }[]): unknown {
  const first = failures[0]?.error;
  if (failures.every(({ error }) => messageOf(error) === messageOf(first))) return first;
  const each = failures.map(({ name, error }) => `${name}: ${messageOf(error)}`);
  return new Error(each.join('; '), { cause: first });
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));
