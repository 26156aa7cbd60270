/** A source published in several documents: if one fails, the others are still read. */
import type { Problems } from '../../http/documents/records.ts';

/**
 * The contents of all documents, in order. `complete` is false when one could not be read, which is noted;
 * such a poll must end nothing. Throws when none could be read.
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

/** The original failure if all are the same, so that the code that catches it sees its kind. */
function allFailed(failures: readonly { name: string; error: unknown }[]): unknown {
  const first = failures[0]?.error;
  if (failures.every(({ error }) => messageOf(error) === messageOf(first))) return first;
  const each = failures.map(({ name, error }) => `${name}: ${messageOf(error)}`);
  return new Error(each.join('; '), { cause: first });
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));
