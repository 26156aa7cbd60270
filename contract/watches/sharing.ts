/** Access to a route, an area, feeds or one alert without a key: secret addresses and public pages. */
import { z } from 'zod/mini';
import { MadeId } from '../madeId.ts';

export const SHARING_LIMITS = {
  /** Open at one time. */
  perTeam: 200,
  /** The life of a page. It ends sooner if somebody ends it, or deletes its route, area or feeds. */
  pageFromMinutes: 60,
  pageToDays: 90,
  /** A secret address that nobody used for this long is closed. */
  unusedDays: 90,
  /** Hosts that may frame a team's public pages. */
  hosts: 20,
  /** The most requests in a minute from one address and from one network. */
  requestsPerAddress: 60,
  requestsPerNetwork: 300,
} as const;

/** `page`: a public page, `/p/{random}`; all others: a secret address, `/f/{random}.{form}`. */
export const SharedForm = z.enum([
  'page',
  'json',
  'geojson',
  'csv',
  'rss',
  'atom',
  'ics',
  'cap',
  'sse',
  'badge',
]);
export type SharedForm = z.infer<typeof SharedForm>;

const Ends = z.nullable(z.iso.datetime());

/** Subject: a route, an area or feeds, or one alert, which has only a page. */
const About = {
  watch_id: z.nullable(z.string()),
  event_id: z.nullable(z.string()),
};

/** An address without its secret, which is shown only once. */
export const SharedAddress = z.object({
  id: z.string(),
  ...About,
  form: SharedForm,
  /** Null if that person is deleted. */
  made_by: z.nullable(z.object({ id: z.string(), display_name: z.string() })),
  made_at: z.iso.datetime(),
  last_used_at: z.nullable(z.iso.datetime()),
  /** Null: no end. */
  expires_at: Ends,
  /** When it lapses unless somebody uses it; null: it is a page, which only ends. */
  dies_at: z.nullable(z.iso.datetime()),
});
export type SharedAddress = z.infer<typeof SharedAddress>;

/** Answer of `GET /addresses?watch_id=` or `?event_id=`: the open ones, the last first. */
export const SharedAddressList = z.object({
  addresses: z.array(SharedAddress),
  total: z.int(),
  /** The hosts on whose pages the team's public pages may be framed. */
  frame_hosts: z.array(z.string()),
});
export type SharedAddressList = z.infer<typeof SharedAddressList>;

/** Body of `POST /addresses`: `watch_id` or `event_id`. A page must have an end. If it is sent again with the same
 *  id, it is made once. */
export const NewAddressRequest = z.object({
  id: z.optional(MadeId),
  watch_id: z.optional(z.string().check(z.maxLength(64))),
  event_id: z.optional(z.string().check(z.maxLength(300))),
  form: SharedForm,
  expires_at: z._default(Ends, null),
});
export type NewAddressRequest = z.infer<typeof NewAddressRequest>;

/** Body of `PATCH /addresses/{id}`. */
export const AddressChange = z.object({ expires_at: Ends });
export type AddressChange = z.infer<typeof AddressChange>;

/** Answer of `POST /addresses`: the only answer that contains the address. */
export const NewSharedAddress = z.extend(SharedAddress, {
  /** From the path: `/f/….ics`, `/p/…`. */
  path: z.string(),
});
export type NewSharedAddress = z.infer<typeof NewSharedAddress>;

/** "intranet.example.com", "*.example.com", with a port if it has one. */
const FrameHost = z.string().check(
  z.trim(),
  z.toLowerCase(),
  z.maxLength(253),
  z.regex(/^(\*\.)?[a-z\d]([a-z\d-]*[a-z\d])?(\.[a-z\d]([a-z\d-]*[a-z\d])?)+(:\d{1,5})?$/, {
    error: 'must be the name of a host, such as intranet.example.com',
  }),
);

/** Body and answer of `PUT /addresses/frame-hosts`. */
export const FrameHosts = z.object({
  frame_hosts: z.array(FrameHost).check(z.maxLength(SHARING_LIMITS.hosts)),
});
export type FrameHosts = z.infer<typeof FrameHosts>;
