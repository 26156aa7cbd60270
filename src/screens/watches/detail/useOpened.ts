import { matchAt } from '#contract/addresses.ts';
import { useEffect, useState } from 'react';
import type { Touch } from '../../../watches/timeWindow.ts';

/** A message leads here with the match that it is about: open, and in sight, once it is known. */
export function useOpened(touches: readonly Touch[], open: (id: string) => void): void {
  const [wanted, setWanted] = useState(() => matchAt(location.hash));
  const isThere = touches.some(({ match }) => match.subject_id === wanted);
  useEffect(() => {
    const read = () => setWanted(matchAt(location.hash));
    addEventListener('hashchange', read);
    return () => removeEventListener('hashchange', read);
  }, []);
  useEffect(() => {
    if (!isThere) return;
    open(wanted);
    document.querySelector(`[data-match="${CSS.escape(wanted)}"]`)?.scrollIntoView({ block: 'center' });
  }, [wanted, isThere, open]);
}
