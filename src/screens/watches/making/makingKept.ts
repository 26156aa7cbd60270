/** Text that was typed into the dialog of a route or area. It is kept while the dialog is closed without saving,
 *  also when the page is loaded again: until the tab is closed, somebody else signs in, or the text is saved or
 *  begun again. */
import { useEffect, useReducer } from 'react';
import type { Resolved, Watch, WatchAsked } from '../../../api/watches/oneWatch.ts';
import { tabStore } from '../../../device/browserStorage.ts';
import { useSession } from '../../../session/session.ts';
import { type Draft, EMPTY_DRAFT } from './watchDraft.ts';
import { type Drawn, NOTHING_DRAWN } from './drawnLine.ts';

export type Way = 'junctions' | 'file' | 'draw' | 'router' | 'table';

export interface Making {
  way: Way;
  text: string;
  /** True: the user said that its lines are stages of one route. */
  asOne: boolean;
  /** A table of several routes, as it was pasted. */
  table: string;
  drawn: Drawn;
  resolved: Resolved | null;
  draft: Draft;
  step: 1 | 2;
  /** The saved watch that is changed; null for a new one. */
  known: Watch | null;
  /** The request with which a new watch was first sent. If there was no answer, the watch may have been made: then
   *  the same request is sent again, and the watch is changed after that. */
  asked: WatchAsked | null;
  /** The id of the route that was made when making its way back failed. */
  made: string | null;
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
  asked: null,
  made: null,
};

const STORED = 'clearway_making';
useSession.subscribe(({ user }, before) => {
  // While the page is loaded again, the user is not known yet.
  if (before.user && user?.id !== before.user.id) tabStore.remove(STORED);
});

type Kept = Readonly<Record<string, Making>>;

/** The kept texts of the user who is signed in, by the thing that is made. */
function readKept(): Kept {
  try {
    const stored = JSON.parse(tabStore.get(STORED) ?? 'null') as {
      user: string | undefined;
      kept: Kept;
    } | null;
    return stored?.user === useSession.getState().user?.id ? (stored?.kept ?? {}) : {};
  } catch {
    return {};
  }
}

/** An earlier version of the page may have kept less. */
function keptOf(key: string): Making | undefined {
  const kept = readKept()[key];
  return kept && { ...NEW, ...kept, draft: { ...EMPTY_DRAFT, ...kept.draft } };
}

function keep(key: string, making: Making | null): void {
  const { [key]: _, ...others } = readKept();
  const user = useSession.getState().user?.id;
  tabStore.set(STORED, JSON.stringify({ user, kept: making ? { ...others, [key]: making } : others }));
}

interface State {
  making: Making;
  isTyped: boolean;
  /** True: the text was typed earlier, and the dialog was closed. */
  isKept: boolean;
  /** How often the saved watch was loaded. */
  loads: number;
}

type Act =
  /** A change by the user. */
  | { do: 'change'; to: Partial<Making> | ((now: Making) => Partial<Making>) }
  /** Begins with the stored values, or empty. */
  | { do: 'begin'; with?: Partial<Making> }
  /** Loads the saved watch again. */
  | { do: 'load' }
  /** It was saved or deleted. */
  | { do: 'forget' };

/** `key`: the id of the watch that is changed, or the kind of a new one. `empty`: the values when nothing is typed.
 *  `begun`: values that were set on another page. */
export function useMaking(key: string, empty: Draft, begun?: Draft) {
  const [state, dispatch] = useReducer(
    (now: State, asked: Act): State => {
      switch (asked.do) {
        case 'change': {
          const to = typeof asked.to === 'function' ? asked.to(now.making) : asked.to;
          return { ...now, isTyped: true, making: { ...now.making, ...to } };
        }
        case 'begin':
          return { ...now, isTyped: false, isKept: false, making: { ...NEW, draft: empty, ...asked.with } };
        case 'load':
          return { ...now, loads: now.loads + 1 };
        case 'forget':
          return { ...now, isTyped: false, isKept: false };
      }
    },
    null,
    (): State => {
      const before = begun ? undefined : keptOf(key);
      const making = before ?? { ...NEW, draft: begun ?? empty };
      return { making, isTyped: before !== undefined, isKept: before !== undefined, loads: 0 };
    },
  );
  const { making, isTyped } = state;
  useEffect(() => {
    if (isTyped) keep(key, making);
  }, [key, making, isTyped]);
  const act = (asked: Act) => {
    if (asked.do === 'begin' || asked.do === 'forget') keep(key, null);
    dispatch(asked);
  };
  return [state, act] as const;
}
