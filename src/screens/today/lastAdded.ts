/** The result of the last sheet, for the page that opens after it. */
import type { SheetUndone } from '#contract/watches/jobs.ts';
import { create } from 'zustand';
import { undoImport } from '../../api/watches/jobs.ts';
import { counted } from '#contract/numbers.ts';

/** How long the result is shown. */
const SAID_MS = 20_000;

interface Added {
  /** Its id, to undo this sheet alone. */
  sheet: string | null;
  day: string;
  /** By the page's clock. */
  until: number;
  /** `stays`: cancelled jobs that the sheet still has. */
  counts: { added: number; updated: number; cancelled: number; stays?: number };
  /** Set when the sheet was undone: the result of that. */
  isUndone?: SheetUndone;
}

export const useLastAdded = create<{ last: Added | null }>(() => ({ last: null }));

export const noteAdded = (sheet: string | null, day: string, counts: Added['counts']) =>
  useLastAdded.setState({ last: { sheet, day, counts, until: Date.now() + SAID_MS } });

/** Undoes the sheet. */
export async function undoAdded(): Promise<void> {
  const { last } = useLastAdded.getState();
  if (!last) return;
  // Another sheet may be added meanwhile.
  const say = (more: Partial<Added>) =>
    useLastAdded.setState((now) =>
      now.last?.sheet === last.sheet ? { last: { ...last, ...more, until: Date.now() + SAID_MS } } : now,
    );
  try {
    say({ isUndone: await undoImport(last.sheet) });
  } catch (error) {
    say({}); // there is time for another try
    throw error;
  }
}

/** "41 jobs added, 2 updated, 3 cancelled"; after an undo "41 jobs removed, 2 as before". */
export function addedWords({ counts: { added, updated, cancelled, stays = 0 }, isUndone }: Added): string {
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
        stays > 0 && `${counted(stays, 'job')} still cancelled`,
      ];
  return words.filter(Boolean).join(', ');
}
