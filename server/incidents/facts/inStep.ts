/** Reading many texts in step. It takes half the time, because the patterns of one step stay in the processor's cache,
 *  which is too small for those of all steps. */

/** Work that yields after each step. */
export type Steps<Result> = Generator<void, Result>;

/** The results, in order. Each work takes a step before any of them takes the next. */
export function inStep<Result>(works: readonly Steps<Result>[]): Result[] {
  const results: Result[] = [];
  for (let left = [...works.entries()]; left.length > 0;)
    left = left.filter(([at, work]) => {
      const { done, value } = work.next();
      if (done) results[at] = value;
      return !done;
    });
  return results;
}
