/** Outcome of the last sheet, for the page to which it leads. */
import { create } from 'zustand';

/** So long it is said. */
const SAID_MS = 20_000;

interface Added {
  day: string;
  /** By the page's clock. */
  until: number;
  counts: { added: number; updated: number; cancelled: number };
}

export const useLastAdded = create<{ last: Added | null }>(() => ({ last: null }));

export const noteAdded = (day: string, counts: Added['counts']) =>
  useLastAdded.setState({ last: { day, counts, until: Date.now() + SAID_MS } });

/** "41 jobs added, 2 updated, 3 cancelled" */
export function addedWords({ added, updated, cancelled }: Added['counts']): string {
  const jobs = (count: number) => `${count} ${count === 1 ? 'job' : 'jobs'}`;
  return [
    (added > 0 || updated + cancelled === 0) && `${jobs(added)} added`,
    updated > 0 && `${jobs(updated)} as the sheet has them now`,
    cancelled > 0 && `${jobs(cancelled)} cancelled`,
  ]
    .filter(Boolean)
    .join(', ');
}
