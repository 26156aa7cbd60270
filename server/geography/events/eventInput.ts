/** An event from any import, ready to store: checked, with times in UTC and texts that both databases can hold. */
import { hash } from 'node:crypto';
import { z } from 'zod/mini';
import { EventRecord, Performance, Venue } from '#contract/places/events.ts';

/** One event and some of its performances; a later input can add more. */
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

/** The id of a venue in an input without one. The same name in the same place is the same venue, whatever its case
 *  and spaces. */
export function venueIdOf(
  source: string,
  venue: Readonly<{ name: string; town: string | null; postcode: string | null }>,
): string {
  const [name, town] = [venue.name, venue.town].map((words) => folded(words ?? ''));
  // A postcode's last three letters stand apart, as in most lists.
  const postcode = folded(venue.postcode ?? '').replace(/^(\S+?) ?(\d[a-z]{2})$/, '$1 $2');
  const said = [name, town, postcode];
  return `${source}:${hash('sha256', JSON.stringify(said), 'base64url').slice(0, 16)}`;
}

const folded = (words: string) => words.normalize('NFC').toLowerCase().replaceAll(/\s+/g, ' ').trim();
