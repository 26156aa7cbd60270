/** A row of an import in our own format: one performance, with the details of its event and venue. In CSV every
 *  value is text; NDJSON can also hold numbers, lists and the nested form of GET /api/v1/events/{id}. */
import { z } from 'zod';
import { isEventId } from '#contract/addresses.ts';
import { toUtc } from '../../../http/documents/londonTime.ts';
import { fields } from '../../../http/documents/json.ts';
import { webAddress } from '../../../http/documents/plainText.ts';
import { type EventInput, venueIdOf } from '../eventInput.ts';

const LIST_MAX = 50;
/** The most performances of one event: more than two a day for a year, enough for a long-running show. */
const PERFORMANCES_MAX = 1000;

/** A foreign text in a form that both databases can store: whole characters, and no control characters except line
 *  breaks. */
const tidied = (value: unknown): unknown => {
  if (typeof value === 'number') return String(value);
  if (typeof value !== 'string') return value;
  const text = value
    .replace(/\r\n?/g, '\n')
    // Direction characters can make one name look like another.
    .replace(/[^\P{Cc}\n]|[\u202a-\u202e\u2066-\u2069\ufeff]/gu, '')
    .toWellFormed()
    .trim();
  return text === '' ? undefined : text;
};

const said = (max: number) =>
  z
    .string('must be text')
    .max(max, `must be at most ${max} characters`)
    .refine((text) => !text.includes('\uFFFD'), 'contains bytes that are not UTF-8');

const required = (max: number) => z.preprocess(tidied, said(max));
const text = (max: number) => z.preprocess(tidied, said(max).nullish()).transform((value) => value ?? null);

const number = (low: number, high: number) =>
  z
    .preprocess(
      (value) => {
        const tidy = tidied(value);
        // Number() also accepts '', '0x10' and '1e3'.
        return typeof tidy === 'string' && /^[-+]?\d+(?:\.\d+)?$/.test(tidy) ? Number(tidy) : tidy;
      },
      z
        .number('must be a number')
        .min(low, `must be between ${low} and ${high}`)
        .max(high, `must be between ${low} and ${high}`)
        .nullish(),
    )
    .transform((value) => value ?? null);

const time = z.string('must be a time such as 2026-12-04T19:30').transform((value, context) => {
  const utc = toUtc(value);
  if (utc) return utc;
  context.addIssue({
    code: 'custom',
    message: 'must be a time such as 2026-12-04T19:30 or 2026-12-04T19:30:00Z',
  });
  return z.NEVER;
});
const requiredTime = z.preprocess(tidied, time);

/** A date without a time. As an end, it means the end of that day. */
const DATE = /^\d{4}-\d{2}-\d{2}$/;
const endTime = z
  .preprocess((value) => {
    const end = tidied(value);
    return typeof end === 'string' && DATE.test(end) ? `${end}T23:59` : end;
  }, time.nullish())
  .transform((value) => value ?? null);
const optionalTime = z.preprocess(tidied, time.nullish()).transform((value) => value ?? null);

/** An event with a start date but no time and no end lasts the whole day, because otherwise it would be over at
 *  midnight. */
function withItsDay(value: unknown): unknown {
  const { start_datetime, end_datetime } = fields(value);
  const start = tidied(start_datetime);
  const hasEnd = (tidied(end_datetime) ?? null) !== null;
  return typeof start === 'string' && DATE.test(start) && !hasEnd
    ? { ...fields(value), end_datetime: start }
    : value;
}

const address = said(2000).transform((value, context) => {
  const url = webAddress(value);
  if (url) return url;
  context.addIssue({ code: 'custom', message: 'must be an http or https address' });
  return z.NEVER;
});
const url = z.preprocess(tidied, address.nullish()).transform((value) => value ?? null);

/** In CSV, entries are separated by semicolons. */
const words = z
  .preprocess(
    (value) => (typeof value === 'string' ? value.split(';') : (value ?? [])),
    z
      .array(z.preprocess(tidied, said(100).optional()), 'must be a list')
      .max(LIST_MAX, `must be at most ${LIST_MAX}`),
  )
  .transform((list) => [...new Set(list.filter((word) => word !== undefined))]);

const listOf = <T extends z.ZodType>(entry: T, most = LIST_MAX) =>
  z.preprocess(
    (value) => value ?? [],
    z.array(entry, 'must be a list').max(most, `must have at most ${most} entries`),
  );

const currency = z
  .preprocess(
    tidied,
    z
      .string()
      .regex(/^[A-Za-z]{3}$/, 'must be a currency such as GBP')
      .nullish(),
  )
  .transform((value) => value?.toUpperCase() ?? 'GBP');

const PRICE_MAX = 1_000_000;

const Row = z
  .object({
    event_id: z.preprocess(
      tidied,
      said(200).refine(
        isEventId,
        'must not be ".", "..", "categories" or "viewport": no address could name it',
      ),
    ),
    performance_id: text(200),
    name: required(300),
    category: required(100),
    start_datetime: optionalTime,
    end_datetime: endTime,
    booking_url: url,
    description: text(20_000),
    sub_categories: words,
    tags: words,
    venue_id: text(200),
    venue_name: text(300),
    venue_type: text(100),
    address: text(500),
    venue_town: text(100),
    postcode: text(20),
    region: text(100),
    country: text(100),
    latitude: number(-90, 90),
    longitude: number(-180, 180),
    capacity: number(0, 10_000_000),
    phone: text(100),
    email: text(200),
    website: url,
    price_min: number(0, PRICE_MAX),
    price_max: number(0, PRICE_MAX),
    currency,
    image_url: url,
    trailer_url: url,
    link_url: url,
    prices: listOf(
      z.object({ label: text(100), min: number(0, PRICE_MAX), max: number(0, PRICE_MAX), currency }),
    ),
    images: listOf(z.object({ url: z.preprocess(tidied, address), alt: text(300) })),
    trailers: listOf(z.object({ url: z.preprocess(tidied, address), title: text(300) })),
    links: listOf(z.object({ url: z.preprocess(tidied, address), label: text(300) })),
    performances: listOf(
      z.preprocess(
        withItsDay,
        z.object({
          performance_id: text(200),
          start_datetime: requiredTime,
          end_datetime: endTime,
          booking_url: url,
        }),
      ),
      PERFORMANCES_MAX,
    ),
  })
  .superRefine((row, context) => {
    const refuse = (path: string, message: string) =>
      context.addIssue({ code: 'custom', path: [path], message });
    if (row.start_datetime === null && row.performances.length === 0) refuse('start_datetime', 'is required');
    for (const { start_datetime, end_datetime } of [row, ...row.performances]) {
      if (start_datetime && end_datetime && end_datetime < start_datetime) {
        refuse('end_datetime', 'must not be before start_datetime');
      }
    }
    if ((row.latitude === null) !== (row.longitude === null)) {
      refuse('latitude', 'and longitude belong together: give both or neither');
    }
    if (row.venue_name === null && (row.venue_town ?? row.postcode ?? row.latitude) !== null) {
      refuse('venue_name', 'is required where there is a town, a postcode or a position');
    }
    if (row.price_min !== null && row.price_max !== null && row.price_max < row.price_min) {
      refuse('price_max', 'must not be less than price_min');
    }
    if (
      row.performances.length > 1 &&
      row.performances.some(({ performance_id }) => performance_id === null)
    ) {
      refuse('performances', 'must each have a performance_id where there are several');
    }
  });

/** The columns that a CSV file can have. */
export const COLUMNS: readonly string[] = Object.keys(Row.shape).filter(
  (name) => !['prices', 'images', 'trailers', 'links', 'performances'].includes(name),
);
export const REQUIRED_COLUMNS = ['event_id', 'name', 'category', 'start_datetime'] as const;

/** The event of a row, or its problem in words. */
export function readRow(value: unknown, source: string): EventInput | { problem: string } {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { problem: 'is not an object with the fields of an event' };
  }
  const read = Row.safeParse(withItsDay(flat(fields(value))));
  if (!read.success) {
    const { path, message } = read.error.issues[0]!; // never empty
    const given = path.reduce<unknown>((inner, name) => fields(inner)[String(name)], flat(fields(value)));
    const isMissing = tidied(given) === undefined || given === null;
    return { problem: `${path.join('.')} ${isMissing && path.length === 1 ? 'is required' : message}` };
  }
  return toInput(read.data, source);
}

/** Flattens the API's form, in which the venue is nested. */
function flat(row: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  if (typeof row['venue'] !== 'object' || row['venue'] === null) return row;
  const { name, town, ...venue } = fields(row['venue']);
  return { venue_name: name, venue_town: town, ...venue, ...row };
}

function toInput(row: z.output<typeof Row>, source: string): EventInput {
  const { event_id, name, category, description, sub_categories, tags } = row;
  const { price_min: min, price_max: max, image_url, trailer_url, link_url } = row;
  const own =
    row.start_datetime === null
      ? []
      : [
          {
            performance_id: row.performance_id ?? event_id,
            start_datetime: row.start_datetime,
            end_datetime: row.end_datetime,
            booking_url: row.booking_url,
          },
        ];
  return {
    event_id,
    name,
    category,
    sub_categories,
    tags,
    description,
    prices: [
      ...row.prices,
      ...(min === null && max === null ? [] : [{ label: null, min, max, currency: row.currency }]),
    ],
    images: [...row.images, ...(image_url ? [{ url: image_url, alt: null }] : [])],
    trailers: [...row.trailers, ...(trailer_url ? [{ url: trailer_url, title: null }] : [])],
    links: [...row.links, ...(link_url ? [{ url: link_url, label: null }] : [])],
    venue: toVenue(row, source),
    performances:
      row.performances.length > 0
        ? row.performances.map((one) => ({ ...one, performance_id: one.performance_id ?? event_id }))
        : own,
  };
}

function toVenue(row: z.output<typeof Row>, source: string): EventInput['venue'] {
  const {
    venue_name: name,
    venue_town: town,
    postcode,
    venue_type,
    region,
    country,
    phone,
    email,
    website,
  } = row;
  if (name === null) return null;
  // Some software writes 0,0 (in the sea off Ghana) for an unknown position.
  const isNowhere = row.latitude === 0 && row.longitude === 0;
  const degrees = (value: number | null) =>
    value === null || isNowhere ? null : Math.round(value * 1e6) / 1e6;
  return {
    venue_id: row.venue_id ?? venueIdOf(source, { name, town, postcode }),
    name,
    venue_type,
    address: row.address,
    town,
    postcode: postcode?.toUpperCase() ?? null,
    region,
    country,
    latitude: degrees(row.latitude),
    longitude: degrees(row.longitude),
    capacity: row.capacity === null ? null : Math.round(row.capacity),
    phone,
    email,
    website,
  };
}
