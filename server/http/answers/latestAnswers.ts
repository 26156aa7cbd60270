/** Ready answers to the latest queries. They are kept until something that they were made from changes. */
import { LRUCache } from 'lru-cache';
import type { Revisions } from '../../db/revisions.ts';
import type { Answer } from './readyAnswers.ts';

const KEPT_BYTES = 2 * 1024 * 1024;
/** The size of an answer with its compressed forms, as a multiple of its plain size. */
const SIZE_FACTOR = 1.5;

interface Made {
  answer: Answer;
  /** In ms since 1970: the time when the answer changes without a write; null: never. */
  nextChangeAt: number | null;
}

/** Returns the kept answer to the same query, or makes one. `revision`: the revision of all data that these answers
 *  are made from. Queries come as the schema has read them, so that two spellings of one query are the same.
 *  Requests that come while an answer is made wait for that answer. */
export function keptAnswers<Query extends object>(
  {
    now,
    revision,
    bytes = KEPT_BYTES,
  }: { now: () => Date; revision: (known?: Revisions) => Promise<number>; bytes?: number },
  make: (query: Query, at: Date) => Promise<Made>,
): (query: Query, revisions?: Revisions) => Promise<Answer> {
  const kept = new LRUCache<string, Made & { from: number }>({
    maxSize: bytes,
    sizeCalculation: ({ answer }, key) => Math.ceil(answer.size * SIZE_FACTOR) + key.length,
  });
  const making = new Map<string, Promise<Made>>();
  let newest = -1;

  return async (query, revisions) => {
    // The revision is read before anything else: a write while the answer is made then only causes another build.
    const present = await revision(revisions);
    if (present !== newest) {
      kept.clear();
      making.clear();
    }
    newest = present;

    const key = JSON.stringify(query);
    const at = now();
    const time = at.getTime();
    const known = kept.get(key);
    if (known && time >= known.from && (known.nextChangeAt === null || time < known.nextChangeAt))
      return known.answer;

    const running = making.get(key);
    if (running) return (await running).answer;

    const begun = make(query, at);
    making.set(key, begun);
    try {
      const made = await begun;
      if (newest === present) kept.set(key, { ...made, from: time });
      return made.answer;
    } finally {
      if (making.get(key) === begun) making.delete(key);
    }
  };
}
