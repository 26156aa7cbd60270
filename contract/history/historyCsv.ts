/** Incidents that touched a route, as a table for spreadsheets: the same from the server and in the app. */
import { csvOf } from '../csv.ts';
import type { WatchHistory } from './history.ts';
import { knownSource } from '../feeds/knownSources.ts';

const COLUMNS = [
  'level',
  'severity',
  'title',
  'source',
  'source_name',
  'why',
  'from_km',
  'to_km',
  'began_at',
  'ended_at',
  'end_kind',
  'event_id',
] as const;

/** Certain ones first. */
export const historyCsv = ({ certain, possible }: Pick<WatchHistory, 'certain' | 'possible'>): string =>
  csvOf(
    COLUMNS,
    [...certain, ...possible].map((match) => ({
      ...match,
      source_name: knownSource(match.source).displayName,
    })),
  );

/** The name of its file: "Leeds-Heathrow-2026-11-01.csv". */
export const historyFile = (name: string, fromDay: string): string =>
  `${name.replaceAll(/[^\p{L}\p{N}]+/gu, '-').replaceAll(/^-|-$/g, '') || 'route'}-${fromDay}.csv`;
