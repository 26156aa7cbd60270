/** The sample events of a new installation: 3,183 in 158 towns over the coming year, at real venues. They do not
 *  really take place, and every record says so. Every event repeats after 52 weeks, on the same weekday in the same
 *  season. So the number of future events stays the same, and only past events change. */
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import type { CATEGORIES, Venue } from '#contract/places/events.ts';
import { events } from '../events.ts';
import { facts } from '../../../http/documents/fetchedFacts.ts';
import type { Db } from '../../../db/open.ts';
import { londonDay } from '#contract/london.ts';
import { daysAfter, londonTime } from '../../../http/documents/londonTime.ts';
import type { EventInput } from '../eventInput.ts';

export const SAMPLE_SOURCE = 'sample';
const SAMPLE_EVENTS = 3183;
const SAMPLE_TOWNS = 158;

/** Name of the fact with the first day (London) of the sample in the database. */
const FACT = 'events.sample.day';
const STORED_AT_ONCE = 500;

const VenueFile = z.object({
  venues: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      town: z.string(),
      region: z.string(),
      country: z.string(),
      postcode: z.string(),
      latitude: z.number(),
      longitude: z.number(),
      capacity: z.number().int(),
      venue_type: z.string(),
      categories: z.array(z.string()),
    }),
  ),
});
type SampleVenue = z.infer<typeof VenueFile>['venues'][number];

/** The contract's category for each word in the venue file. */
const CATEGORY: Readonly<Record<string, Category>> = {
  music: 'Music',
  sport: 'Sport',
  film: 'Film',
  theatre: 'Theatre',
  comedy: 'Comedy',
  family: 'Family',
  'food and drink': 'Food and drink',
  festivals: 'Festivals',
  exhibition: 'Exhibitions',
  conference: 'Conferences',
  community: 'Community',
  'public/seasonal': 'Public and seasonal',
};

/** Updates the sample at the first start and on every new day, and removes it for good when there are real events.
 *  The sample begins tomorrow, so that all of it is in the future at any hour. It costs little when there is nothing
 *  to do. */
export async function keepSample(db: Db, now: Date): Promise<void> {
  if (await events(db).hasOtherThan(SAMPLE_SOURCE)) {
    await events(db).keepOnly(SAMPLE_SOURCE, new Set());
    return;
  }
  const firstDay = daysAfter(londonDay(now), 1);
  const madeFor = await facts(db).get(FACT);
  if (madeFor === firstDay && (await events(db).countOf(SAMPLE_SOURCE)) === SAMPLE_EVENTS) return;

  const sample = sampleEvents(firstDay);
  await events(db).keepOnly(SAMPLE_SOURCE, new Set(sample.map(({ event_id }) => event_id)));
  for (let at = 0; at < sample.length; at += STORED_AT_ONCE) {
    const arriving = sample.slice(at, at + STORED_AT_ONCE);
    await events(db).store({ source: SAMPLE_SOURCE, isSample: true, arriving, now });
  }
  await facts(db, () => now).set(FACT, firstDay);
}

/** The whole sample from this day (`YYYY-MM-DD`, London) on. It is always the same for the same day. */
export function sampleEvents(firstDay: string): EventInput[] {
  const random = randomFrom(20_261_121);
  const towns = chooseTowns(readVenues());
  const counts = shareOut(
    SAMPLE_EVENTS,
    towns.map((venues) => venues.reduce((sum, venue) => sum + busyness(venue), 20)),
  );
  return towns.flatMap((venues, town) =>
    Array.from({ length: counts[town]! }, (_, at) => makeEvent(venues, at, firstDay, random)),
  );
}

function readVenues(): SampleVenue[] {
  const file = new URL('./venues.json', import.meta.url);
  return VenueFile.parse(JSON.parse(readFileSync(file, 'utf8'))).venues;
}

/** The venues of the towns with the most capacity, by town. */
function chooseTowns(venues: readonly SampleVenue[]): SampleVenue[][] {
  const byTown = Map.groupBy(venues, ({ town }) => town);
  const room = (list: readonly SampleVenue[]) => list.reduce((sum, { capacity }) => sum + capacity, 0);
  return [...byTown.values()]
    .toSorted((a, b) => b.length - a.length || room(b) - room(a) || (a[0]!.town < b[0]!.town ? -1 : 1))
    .slice(0, SAMPLE_TOWNS);
}

/** Divides `total` into whole parts by these weights, at least 1 each. */
function shareOut(total: number, weights: readonly number[]): number[] {
  const sum = weights.reduce((all, weight) => all + weight, 0);
  const exact = weights.map((weight) => (weight / sum) * (total - weights.length));
  const parts = exact.map((part) => 1 + Math.floor(part));
  const left = total - parts.reduce((all, part) => all + part, 0);
  const byRest = exact.map((part, at) => ({ at, rest: part % 1 })).toSorted((a, b) => b.rest - a.rest);
  for (const { at } of byRest.slice(0, left)) parts[at]!++;
  return parts;
}

/** Deterministic, 0 to below 1 (mulberry32). */
type Random = () => number;

function randomFrom(seed: number): Random {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const pick = <T>(list: readonly T[], random: Random): T => list[Math.floor(random() * list.length)]!;

function pickWeighted<T>(list: readonly T[], weightOf: (one: T) => number, random: Random): T {
  let left = random() * list.reduce((sum, one) => sum + weightOf(one), 0);
  return list.find((one) => (left -= weightOf(one)) < 0) ?? list.at(-1)!;
}

/**
 * How often a venue has events: a theatre has shows on most evenings, a stadium less often; larger venues have more.
 */
const busyness = ({ venue_type, capacity }: SampleVenue) =>
  (EVENINGS_A_MONTH[venue_type] ?? 3) * Math.max(capacity, 100) ** 0.2;

const EVENINGS_A_MONTH: Readonly<Record<string, number>> = {
  theatre: 16,
  'opera house': 16,
  'music venue': 14,
  'comedy club': 14,
  'arts centre': 12,
  'concert hall': 12,
  cinema: 12,
  arena: 9,
  'exhibition centre': 7,
  'conference centre': 7,
  stadium: 4,
  racecourse: 4,
  museum: 4,
};

function makeEvent(venues: readonly SampleVenue[], at: number, firstDay: string, random: Random): EventInput {
  const venue = pickWeighted(venues, busyness, random);
  // The main use of a venue comes first in its list.
  const foremost = pickWeighted(venue.categories, (word) => 1 / (1 + venue.categories.indexOf(word)), random);
  const category = CATEGORY[foremost]!;
  const kind = pickWeighted(kindsAt(venue, category), ({ weight }) => weight, random);
  const dayInCycle = dayOfCycle(kind, random());
  const names = {
    '{a}': kind.a ? pick(kind.a, random) : '',
    '{b}': kind.b ? pick(kind.b, random) : '',
    '{town}': venue.town,
    '{venue}': venue.name,
  };
  const fill = (text: string) =>
    Object.entries(names).reduce((filled, [gap, word]) => filled.replaceAll(gap, word), text);
  const name = fill(pick(kind.names, random));
  const start = pick(kind.starts, random);
  const price = kind.price && priceAt(kind.price, venue, random);

  const day = nextDate(dayInCycle, firstDay);
  const start_datetime = londonClock(day, start);
  // The same event in another year has another id.
  const event_id = `sample-${venue.id}-${at + 1}-${day}`;
  return {
    event_id,
    name,
    category,
    sub_categories: [pick(kind.sub_categories, random)],
    tags: [...kind.tags],
    description: `${fill(kind.about)} This is a sample: no such event takes place.`,
    prices: price ? [{ label: 'Standard', ...price, currency: 'GBP' }] : [],
    images: [],
    trailers: [],
    links: [],
    venue: toVenue(venue),
    performances: [
      {
        performance_id: event_id,
        start_datetime,
        end_datetime: new Date(Date.parse(start_datetime) + kind.minutes * 60_000).toISOString(),
        booking_url: null,
      },
    ],
  };
}

/** The kinds of this category that suit the venue; if none does, all of the category. */
function kindsAt({ venue_type, capacity }: SampleVenue, category: Category): Kind[] {
  const kinds = KINDS.filter((kind) => kind.category === category);
  const suiting = kinds.filter(
    (kind) =>
      (kind.venues?.includes(venue_type) ?? true) &&
      (!kind.capacity || (capacity >= kind.capacity[0] && capacity <= kind.capacity[1])),
  );
  return suiting.length > 0 ? suiting : kinds;
}

/** Whole pounds or fifty pence; higher at larger venues. */
function priceAt(
  [from, to]: readonly [number, number],
  { capacity }: SampleVenue,
  random: Random,
): { min: number; max: number } | null {
  const scale = Math.min(1, Math.log10(Math.max(capacity, 100)) / 5);
  const min = Math.round((from + (to - from) * 0.4 * scale * random()) * 2) / 2;
  const max = Math.round((min + (to - min) * (0.3 + 0.7 * random())) * 2) / 2;
  return max > 0 ? { min, max } : null;
}

const toVenue = (venue: SampleVenue): Venue => ({
  venue_id: `sample:${venue.id}`,
  name: venue.name,
  venue_type: venue.venue_type,
  address: null,
  town: venue.town,
  postcode: venue.postcode,
  region: venue.region,
  country: venue.country,
  latitude: venue.latitude,
  longitude: venue.longitude,
  capacity: venue.capacity,
  phone: null,
  email: null,
  website: null,
});

// The kinds of sample events by category. The data is in kinds.json.

type Category = (typeof CATEGORIES)[number];

interface Kind extends Season {
  category: Category;
  sub_categories: readonly string[];
  tags: readonly string[];
  /** Relative frequency within its category. */
  weight: number;
  /** `{a}`, `{b}` and `{town}` are replaced. */
  names: readonly string[];
  a?: readonly string[];
  b?: readonly string[];
  /** Plain sentences; `{venue}` and `{town}` are replaced. */
  about: string;
  /** London time. */
  starts: readonly string[];
  minutes: number;
  /** The range of venue capacity that suits it, so that there is no football match in an arts centre. */
  capacity?: readonly [min: number, max: number];
  /** Types of venue; absent: any venue with the category. */
  venues?: readonly string[];
  /** Pounds per person; null: free. */
  price: readonly [from: number, to: number] | null;
}

/** Fields that can name one of the shared lists instead of holding values. */
const SHARED = ['months', 'days', 'a', 'b', 'venues'] as const;
type Shared = (typeof SHARED)[number];

const KINDS: readonly Kind[] = readKinds();

function readKinds(): Kind[] {
  const { lists, kinds } = JSON.parse(readFileSync(new URL('./kinds.json', import.meta.url), 'utf8')) as {
    lists: Readonly<Record<string, readonly unknown[]>>;
    kinds: (Omit<Kind, Shared> & Readonly<Record<Shared, unknown>>)[];
  };
  return kinds.map((kind) => {
    const named = SHARED.filter((field) => typeof kind[field] === 'string');
    return {
      ...kind,
      ...Object.fromEntries(named.map((field) => [field, lists[kind[field] as string]])),
    } as Kind;
  });
}

// Dates of the sample events: spread over seasons and weekdays like a real calendar, and repeated every year.

/** When a kind of event takes place. */
interface Season {
  /** Relative weights, January to December. */
  months: readonly number[];
  /** Relative weights, Monday to Sunday. */
  days: readonly number[];
}

/** Whole weeks, so that a repeated event falls on the same weekday. */
const CYCLE_DAYS = 52 * 7;
const CYCLE_MS = CYCLE_DAYS * 24 * 60 * 60 * 1000;
/** A Monday, the first day of the first cycle. */
const FIRST_DAY = '2026-01-05';

/** The days of one cycle, from the first. */
const OFFSETS = Array.from({ length: CYCLE_DAYS }, (_, days) => ({
  days,
  month: Number(daysAfter(FIRST_DAY, days).slice(5, 7)) - 1,
  weekday: days % 7,
}));

const daysOfSeasons = new Map<Season, number[]>();

/** A day of the cycle, counted from its first. `share`, 0 to below 1, is how far to go through the season's days,
 *  each counted by its weight. */
function dayOfCycle(season: Season, share: number): number {
  let days = daysOfSeasons.get(season);
  if (!days) {
    const weight = ({ month, weekday }: (typeof OFFSETS)[number]) =>
      season.months[month]! * season.days[weekday]!;
    days = OFFSETS.flatMap((offset) => Array<number>(weight(offset)).fill(offset.days));
    daysOfSeasons.set(season, days);
  }
  return days[Math.floor(share * days.length)]!;
}

/** The next date of that day of the cycle, from `firstDay` on; both `YYYY-MM-DD`. */
export function nextDate(dayInCycle: number, firstDay: string): string {
  const first = daysAfter(FIRST_DAY, dayInCycle);
  const cycle = Math.ceil((Date.parse(firstDay) - Date.parse(first)) / CYCLE_MS);
  return daysAfter(first, cycle * CYCLE_DAYS);
}

const noons = new Map<string, number>();

/** Clocks change at night, when no sample event begins, so one offset per day is enough. */
function londonClock(day: string, time: string): string {
  const noon = noons.get(day) ?? Date.parse(londonTime(day, '12:00'));
  noons.set(day, noon);
  const [hours, minutes] = time.split(':').map(Number) as [number, number];
  return new Date(noon + ((hours - 12) * 60 + minutes) * 60_000).toISOString();
}
