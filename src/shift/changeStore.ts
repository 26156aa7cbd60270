/** What changed, as rows show it. What fills it is loaded after the rows; until then it is empty. */
import type { CountedKind } from '#contract/changes.ts';
import type { ReactNode } from 'react';
import { create } from 'zustand';

export interface ChangeMark {
  /** "New 07:51" */
  text: string;
  /** Worse: up. */
  arrow: 'up' | 'down' | null;
}

interface Changes {
  /** Of what is in force, by `event_id`. */
  marks: Readonly<Record<string, ChangeMark>>;
  /** Only these are shown; null: everything. */
  filter: CountedKind | null;
  /** Certain criticals on the user's routes that they have not seen; null: not known, or without routes. */
  unseen: number | null;
  /** What is cleared or no longer known of one feed. */
  gone: ((feed: string) => ReactNode) | null;
}

export const NOTHING_CHANGED: Changes = { marks: {}, filter: null, unseen: null, gone: null };

export const useChanges = create<Changes>(() => NOTHING_CHANGED);
