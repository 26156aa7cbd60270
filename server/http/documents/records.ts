/** Reads foreign records one by one, so that a bad record does not affect the others. */
import type { z } from 'zod';
import { plainText } from './plainText.ts';

/** More lines than this do not help a reader; `skipped` keeps counting. */
const PROBLEMS_MAX = 50;
const PROBLEM_LENGTH_MAX = 300;

/** Four times the busiest source. A longer list is a fault of the publisher, and would take memory from every other
 *  source. */
export const RECORDS_MAX = 10_000;

/** Parts of one poll that could not be understood. */
export interface Problems {
  /** Problems in words; at most 50 lines, and the rest as one line "and N more". */
  readonly list: string[];
  /** The number of records that were left out. */
  readonly skipped: number;
  /** The event ids of those skipped records whose id could still be read. */
  readonly unreadable: readonly string[];
  /** Notes a problem that did not cost a record. */
  note(text: string): void;
  /** True when a record was so broken that it has no id: then a missing record does not prove an end. */
  readonly isTorn: boolean;
  /** Leaves out a record that has no readable id. */
  tear(text: string): void;
  /** Leaves out one record, with its event id if that is known. */
  skip(text: string, eventId?: string | null): void;
}

export function problems(): Problems {
  const lines: string[] = [];
  const unreadable: string[] = [];
  let unlisted = 0;
  let skipped = 0;
  let isTorn = false;

  const note = (text: string) => {
    // Quoted text is foreign: it can be long, and contain anything.
    const line = plainText(text).slice(0, PROBLEM_LENGTH_MAX);
    if (lines.length < PROBLEMS_MAX) lines.push(line);
    else unlisted++;
  };

  return {
    get list() {
      return unlisted > 0 ? [...lines, `and ${unlisted} more`] : [...lines];
    },
    get skipped() {
      return skipped;
    },
    unreadable,
    get isTorn() {
      return isTorn;
    },
    tear(text) {
      skipped++;
      isTorn = true;
      note(text);
    },
    note,
    skip(text, eventId) {
      skipped++;
      if (eventId) unreadable.push(eventId);
      note(text);
    },
  };
}

/** The items that fit the schema, in order. An item that does not fit is skipped, counted and described. If `idOf`
 *  finds its event id, that is noted, so that the item does not count as ended. Throws when `items` is not an array,
 *  or has more than RECORDS_MAX, because then the document is not the one that we expect. */
export function readRecords<T>(
  schema: z.ZodType<T>,
  items: unknown,
  problems: Problems,
  describe: (item: unknown, index: number) => string,
  idOf: (item: unknown) => string | null = () => null,
): T[] {
  if (!Array.isArray(items)) {
    throw new Error(`The document contains ${kindOf(items)} instead of a list of records.`);
  }
  refuseTooMany(items.length);

  return items.flatMap((item: unknown, index) => {
    const read = schema.safeParse(item);
    if (read.success) return [read.data];

    const issue = read.error.issues[0];
    const where = issue?.path.length ? `${issue.path.join('.')}: ` : '';
    problems.skip(
      `${name(describe, item, index)} left out: ${where}${issue?.message ?? 'cannot be read'}`,
      idOf(item),
    );
    return [];
  });
}

/** Throws with a message when there are more records than any publisher would list. */
export function refuseTooMany(count: number): void {
  if (count > RECORDS_MAX) {
    throw new Error(`The document lists ${count} records. More than ${RECORDS_MAX} are treated as a fault.`);
  }
}

/** A poll's report about the records that it left out. Call it last, because further reading can add to them. */
export const leftOut = ({
  skipped,
  list,
  unreadable,
}: Problems): { skipped: number; problems: string[]; unreadable?: readonly string[] } => ({
  skipped,
  problems: list,
  ...(unreadable.length > 0 && { unreadable }),
});

/** A single odd record must not keep every ended incident on the board. If most records are odd, the format has
 *  changed. */
export const isMostlyRead = ({ skipped, isTorn }: Problems, read: number) => !isTorn && skipped <= read;

/** The caller's name for an item. An item can be so odd that even its name cannot be made. */
function name(describe: (item: unknown, index: number) => string, item: unknown, index: number): string {
  try {
    return describe(item, index);
  } catch {
    return `Record ${index + 1}`;
  }
}

function kindOf(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
