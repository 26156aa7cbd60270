/** A source that publishes itself in several documents: one that fails costs itself, and nothing else. */
import type { Problems } from '../reading/records.ts';

/**
 * What all documents together hold, in their order. `complete` is false when one could not be read, which is noted;
 * then this poll must end nothing. Throws when none could.
 */
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

/** The failure itself where all are the same, so that whoever catches it sees its kind. */
function allFailed(failures: readonly { name: string; error: unknown }[]): unknown {
  const first = failures[0]?.error;
  if (failures.every(({ error }) => messageOf(error) === messageOf(first))) return first;
  const each = failures.map(({ name, error }) => `${name}: ${messageOf(error)}`);
  return new Error(each.join('; '), { cause: first });
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));
