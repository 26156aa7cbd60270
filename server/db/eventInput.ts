/** An event as it comes into the store, whoever brings it: checked, with times in UTC and texts that both engines hold. */
import { hash } from 'node:crypto';
import { z } from 'zod/mini';
import { EventRecord, Performance, Venue } from '#contract/events.ts';

/** All of them together describe one event; a later one may bring more of its performances. */
export const EventInput = z.extend(
  z.pick(EventRecord, {
    event_id: true,
    name: true,
    category: true,
    sub_categories: true,
    tags: true,
    description: true,
    prices: true,
    images: true,
    trailers: true,
    links: true,
  }),
  {
    venue: z.nullable(Venue),
    performances: z.array(Performance).check(z.minLength(1)),
  },
);
export type EventInput = z.infer<typeof EventInput>;

/** For those who name no venue_id: the same name in the same place is the same venue. */
export function venueIdOf(
  source: string,
  venue: Readonly<{ name: string; town: string | null; postcode: string | null }>,
): string {
  const said = [venue.name, venue.town, venue.postcode].map((word) => word?.toLowerCase() ?? '');
  return `${source}:${hash('sha256', JSON.stringify(said), 'base64url').slice(0, 16)}`;
}
