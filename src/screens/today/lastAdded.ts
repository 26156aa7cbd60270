/** Outcome of the last sheet, for the page to which it leads. */
import type { SheetUndone } from '#contract/watches/jobs.ts';
import { create } from 'zustand';
import { failureText } from '../../api/http.ts';
import { undoImport } from '../../api/watches/jobs.ts';
import { counted } from '../../ui/numbers.ts';

/** So long it is said. */
const SAID_MS = 20_000;

interface Added {
  day: string;
  /** By the page's clock. */
  until: number;
  counts: { added: number; updated: number; cancelled: number };
  /** Taken back, and what became of it. */
  isUndone?: SheetUndone;
  failure?: string;
}

export const useLastAdded = create<{ last: Added | null }>(() => ({ last: null }));

export const noteAdded = (day: string, counts: Added['counts']) =>
  useLastAdded.setState({ last: { day, counts, until: Date.now() + SAID_MS } });

/** Takes the sheet back. Promises when the list is new. */
export async function undoAdded(renew: () => Promise<void>): Promise<void> {
  const { last } = useLastAdded.getState();
  if (!last) return;
  const say = (more: Partial<Added>) =>
    useLastAdded.setState({ last: { ...last, ...more, until: Date.now() + SAID_MS } });
  try {
    say({ isUndone: await undoImport() });
  } catch (error) {
    say({ failure: failureText(error, 'Unable to take the sheet back') });
  }
  await renew();
}

/** "41 jobs added, 2 updated, 3 cancelled"; "41 jobs removed, 2 as before" once that is taken back. */
export function addedWords({ counts: { added, updated, cancelled }, isUndone, failure }: Added): string {
  if (failure) return failure;
  const words = isUndone
    ? [
        `${counted(isUndone.removed, 'job')} removed`,
        isUndone.restored > 0 && `${counted(isUndone.restored, 'job')} as before`,
        isUndone.kept > 0 && `${counted(isUndone.kept, 'job')} kept: changed or marked since`,
      ]
    : [
        (added > 0 || updated + cancelled === 0) && `${counted(added, 'job')} added`,
        updated > 0 && `${counted(updated, 'job')} as the sheet has them now`,
        cancelled > 0 && `${counted(cancelled, 'job')} cancelled`,
      ];
  return words.filter(Boolean).join(', ');
}
