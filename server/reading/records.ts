/** Reading foreign records one by one, so that a bad one costs itself and nothing else. */
import type { z } from 'zod';
import { plainText } from './plainText.ts';

/** More lines than this tell nobody more; `skipped` goes on counting. */
const PROBLEMS_MAX = 50;
const PROBLEM_LENGTH_MAX = 300;

/** Four times what the busiest source lists. More is a fault upstream, and would cost every other source its memory. */
export const RECORDS_MAX = 10_000;

/** What one poll could not make sense of. */
export interface Problems {
  /** In words; at most 50 lines, the rest as one line "and N more". */
  readonly list: string[];
  /** Records that were left out. */
  readonly skipped: number;
  /** The event ids of those of them that still say which they are. */
  readonly unreadable: readonly string[];
  /** Something odd that cost no record. */
  note(text: string): void;
  /** A record was so broken that nobody can tell which it was: no silence in this poll proves an end. */
  readonly isTorn: boolean;
  /** Leaves out such a one. */
  tear(text: string): void;
  /** One record that had to be left out, with its event id where that can be told. */
  skip(text: string, eventId?: string | null): void;
}

export function problems(): Problems {
  const lines: string[] = [];
  const unreadable: string[] = [];
  let unlisted = 0;
  let skipped = 0;
  let isTorn = false;

  const note = (text: string) => {
    // What is quoted is foreign: it may be long, and hold anything.
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

/**
 * The items that fit the schema, in their order. One that does not is skipped, counted, described, and named by its
 * event id where `idOf` can tell that, so that what cannot be read is not taken for over. Throws when `items` is no array, or has
 * more than RECORDS_MAX: then the document is not what we take it for.
 */
export function readRecords<T>(
  schema: z.ZodType<T>,
  items: unknown,
  problems: Problems,
  describe: (item: unknown, index: number) => string,
  idOf: (item: unknown) => string | null = () => null,
): T[] {
  if (!Array.isArray(items)) {
    throw new Error(`The document holds no list of records, but ${kindOf(items)}.`);
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

/** Throws in words when no publisher would list so many records. */
export function refuseTooMany(count: number): void {
  if (count > RECORDS_MAX) {
    throw new Error(`The document lists ${count} records. More than ${RECORDS_MAX} are taken for a fault.`);
  }
}

/** What a poll says of the records that it left out. Asked for last: reading on may add to them. */
export const leftOut = ({
  skipped,
  list,
  unreadable,
}: Problems): { skipped: number; problems: string[]; unreadable?: readonly string[] } => ({
  skipped,
  problems: list,
  ...(unreadable.length > 0 && { unreadable }),
});

/** One odd record must not keep all that ended on the board; where most are odd, the form has changed. */
export const isMostlyRead = ({ skipped, isTorn }: Problems, read: number) => !isTorn && skipped <= read;

/** The caller's name for an item; the item may be so odd that even naming it fails. */
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
