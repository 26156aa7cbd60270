/** A performance as the indexes in memory read it. */
import { keyOf } from '../eventRows.ts';
import type { Position } from '../events.ts';

export interface IndexedRow {
  id: number;
  /** WGS84 degrees; null: no place. */
  latitude: number | null;
  longitude: number | null;
  startMs: number;
  overMs: number;
  /** Category and town as keys; null: no town. */
  category: string;
  town: string | null;
  text: string;
  /** As they are spelt. */
  spelling: { category: string; town: string | null };
}

export const indexedRow = ({
  category,
  town,
  start_datetime,
  over_at,
  search_text,
  ...rest
}: Position): IndexedRow => ({
  ...rest,
  startMs: Date.parse(start_datetime),
  overMs: Date.parse(over_at),
  category: keyOf(category),
  town: town === null ? null : keyOf(town),
  text: search_text,
  spelling: { category, town },
});
