/** Text typed into the dialog of a route or area, kept while it is closed without saving: until the page is left for
 *  good, somebody else signs in, or it is saved or begun again. */
import { useEffect, useState } from 'react';
import type { Resolved, Watch } from '../../../api/watches/oneWatch.ts';
import { useSession } from '../../../session/session.ts';
import { type Draft, EMPTY_DRAFT } from './watchDraft.ts';
import { type Drawn, NOTHING_DRAWN } from './drawnLine.ts';

export type Way = 'junctions' | 'file' | 'draw' | 'router' | 'table';

export interface Making {
  way: Way;
  text: string;
  /** Its lines are stages of one route, as the person says. */
  asOne: boolean;
  /** A table of several routes, as pasted. */
  table: string;
  drawn: Drawn;
  resolved: Resolved | null;
  draft: Draft;
  step: 1 | 2;
  /** The saved one that is changed. */
  known: Watch | null;
}

const NEW: Making = {
  way: 'junctions',
  text: '',
  asOne: false,
  table: '',
  drawn: NOTHING_DRAWN,
  resolved: null,
  draft: EMPTY_DRAFT,
  step: 1,
  known: null,
};

const kept = new Map<string, Making>();
useSession.subscribe(({ user }, before) => {
  if (user?.id !== before.user?.id) kept.clear();
});

/** `key`: the id of the one that is changed, or what is new; `empty`: as nothing is typed; `begun`: with what was set
 *  elsewhere. */
export function useMaking(key: string, empty: Draft, begun?: Draft) {
  const [before] = useState(() => (begun ? null : (kept.get(key) ?? null)));
  const [making, setMaking] = useState(before ?? { ...NEW, draft: begun ?? empty });
  const [isTyped, setIsTyped] = useState(before !== null);
  useEffect(() => {
    if (isTyped) kept.set(key, making);
  }, [key, making, isTyped]);

  return {
    making,
    /** It was typed before, and the dialog closed. */
    isKept: before !== null && isTyped,
    /** As a person changes it. */
    change(next: Partial<Making> | ((now: Making) => Partial<Making>)) {
      setIsTyped(true);
      setMaking((now) => ({ ...now, ...(typeof next === 'function' ? next(now) : next) }));
    },
    /** As it was stored, or empty. */
    begin(next: Partial<Making> = {}) {
      kept.delete(key);
      setIsTyped(false);
      setMaking({ ...NEW, draft: empty, ...next });
    },
    /** It was saved. */
    forget() {
      kept.delete(key);
      setIsTyped(false);
    },
  };
}
