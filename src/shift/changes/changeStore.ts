/** Changes, as rows show them. The code that fills this is loaded after the rows; until then it is empty. */
import type { CountedKind } from '#contract/incidents/changes.ts';
import type { Severity } from '#contract/incidents/severity.ts';
import type { ReactNode } from 'react';
import { create } from 'zustand';
import type { Alert } from '../../api/alerts/disruptions.ts';
import type { Row } from '../../api/alerts/feeds.ts';

export interface ChangeMark {
  /** "New 07:51" */
  text: string;
  /** For a new alert, when we first had it. */
  newAt: Date | null;
  /** Worse: up. */
  arrow: 'up' | 'down' | null;
  /** The severity that these words are about. They would be false beside an older or newer grade. */
  severity: Severity | null;
}

/** The part of a row that the chosen count keeps. */
export interface Chosen {
  events: readonly Alert[];
  /** True: the alerts are cleared or no longer known, so nothing may look current. */
  isGone: boolean;
  /** The text when the count keeps no alert of the row. */
  nothing: string;
}

/** The newest alert of a feed that is cleared or no longer known, for the last line of its row. */
export interface GoneLine {
  id: string;
  word: string;
  title: string;
  /** "Cleared 07:58 (publisher)" */
  text: string;
}

interface Changes {
  /** The marks of all changed alerts, by `event_id`. */
  marks: Readonly<Record<string, ChangeMark>>;
  /** The chosen count; null: none. */
  filter: CountedKind | null;
  /** The part of a row that the chosen count keeps; null: no count is chosen. */
  choose: ((row: Row) => Chosen) | null;
  /** The routes that the chosen count keeps; null: all. */
  watches: ReadonlySet<string> | null;
  /** By feed. */
  lastGone: Readonly<Record<string, GoneLine>>;
  /** How many critical alerts that certainly touch the user's routes they have not seen; null: not known, or the
   *  user has no routes. */
  unseen: number | null;
  /** The alerts of one feed that are cleared or no longer known. */
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

/** The number of messages that the person has not seen. The frame shows it beside its link. */
export const useUnseen = create<{ count: number }>(() => ({ count: 0 }));

export const setUnseen = (count: number) => useUnseen.setState({ count });
