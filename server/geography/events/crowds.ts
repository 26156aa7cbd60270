/** Big events that end soon: when and where many people leave at once. */
import type { MapEvent } from '#contract/places/events.ts';
import { type Instant, iso } from '../../db/instant.ts';
import { takesPlace } from './inventedEvents.ts';
import type { Db } from '../../db/open.ts';

/** The longest event that counts. From a longer one, such as an exhibition, people leave at different times. */
const LONGEST_MS = 24 * 60 * 60_000;

/** The number of people that makes a crowd, by the capacity of the venue. */
export const CROWD = 2000;

export type Leaving = MapEvent & { end_datetime: string; capacity: number };

/** Performances with a stated end in this span, at venues for a crowd. */
export async function leaving(db: Db, from: Instant, until: Instant): Promise<Leaving[]> {
  const rows = await db
    .selectFrom('performances')
    .select('shown')
    .where('start_datetime', '>', iso(new Date(new Date(from).getTime() - LONGEST_MS)))
    .where('start_datetime', '<', iso(until))
    .where('over_at', '>', iso(from))
    .where('over_at', '<=', iso(until))
    .where(takesPlace)
    .orderBy('over_at')
    .execute();
  return rows.map(({ shown }) => JSON.parse(shown) as MapEvent).filter(isLeaving);
}

const isLeaving = (event: MapEvent): event is Leaving =>
  event.end_datetime !== null && (event.capacity ?? 0) >= CROWD;
