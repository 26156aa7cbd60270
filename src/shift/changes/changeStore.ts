/** Changes, as rows show them. Their source is loaded after the rows; until then there are none. */
import type { CountedKind } from '#contract/incidents/changes.ts';
import type { Severity } from '#contract/incidents/disruptions.ts';
import type { ReactNode } from 'react';
import { create } from 'zustand';
import type { Alert } from '../../api/alerts/disruptions.ts';
import type { Row } from '../../api/alerts/feeds.ts';

export interface ChangeMark {
  /** "New 07:51" */
  text: string;
  /** When we first had a new one. */
  newAt: Date | null;
  /** Worse: up. */
  arrow: 'up' | 'down' | null;
  /** Severity by these words: beside another grade, which is older or newer, they would be false. */
  severity: Severity | null;
}

/** Part of a row that the chosen count leaves. */
export interface Chosen {
  events: readonly Alert[];
  /** They are cleared or no longer known: nothing in them may look current. */
  isGone: boolean;
  /** Where there are none. */
  nothing: string;
}

/** The newest of a feed that is cleared or no longer known, for the last line of its row. */
export interface GoneLine {
  id: string;
  word: string;
  title: string;
  /** "Cleared 07:58 (publisher)" */
  text: string;
}

interface Changes {
  /** The marks of all that changed, by `event_id`. */
  marks: Readonly<Record<string, ChangeMark>>;
  /** The chosen count; null: none. */
  filter: CountedKind | null;
  /** Part of a row that it leaves; null: no count is chosen. */
  choose: ((row: Row) => Chosen) | null;
  /** The routes that the chosen count leaves; null: all. */
  watches: ReadonlySet<string> | null;
  /** By feed. */
  lastGone: Readonly<Record<string, GoneLine>>;
  /** Certain criticals on the user's routes that they have not seen; null: not known, or without routes. */
  unseen: number | null;
  /** Alerts of one feed that are cleared or no longer known. */
  gone: ((feed: string) => ReactNode) | null;
}

export const NOTHING_CHANGED: Changes = {
  marks: {},
  filter: null,
  choose: null,
  watches: null,
  lastGone: {},
  unseen: null,
  gone: null,
};

export const useChanges = create<Changes>(() => NOTHING_CHANGED);
