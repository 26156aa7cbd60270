/** Displays that show the board unattended, and how a display is paired: by RFC 8628 (device authorization), with
 *  its names. A refused `token` call answers with the RFC's `error` beside our `detail`. Bodies are JSON, as in all
 *  our calls. */
import { z } from 'zod/mini';
import { MadeId } from '../madeId.ts';
import { hasAtMost, VISIBLE } from '../names.ts';
import { readUserCode, userCodeProblem } from './userCode.ts';

export const DISPLAY_CLIENT_ID = 'clearway-display';
export const DEVICE_CODE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code';

const ClientId = z.optional(z.enum([DISPLAY_CLIENT_ID]));

export const DeviceAuthorizationRequest = z.nullish(z.object({ client_id: ClientId }));

export const DeviceAuthorization = z.object({
  device_code: z.string(),
  user_code: z.string(),
  verification_uri: z.string(),
  verification_uri_complete: z.string(),
  /** Seconds. */
  expires_in: z.int(),
  /** Seconds from one poll to the next. */
  interval: z.int(),
});
export type DeviceAuthorization = z.infer<typeof DeviceAuthorization>;

export const DisplayTokenRequest = z.union(
  [
    z.object({
      grant_type: z.enum([DEVICE_CODE_GRANT]),
      device_code: z.string().check(z.minLength(1), z.maxLength(512)),
      client_id: ClientId,
    }),
    z.object({
      grant_type: z.enum(['refresh_token']),
      refresh_token: z.string().check(z.minLength(1), z.maxLength(512)),
      client_id: ClientId,
    }),
  ],
  {
    error: `must have the grant_type ${DEVICE_CODE_GRANT} with a device_code, or refresh_token with a refresh_token, and no client_id but ${DISPLAY_CLIENT_ID}`,
  },
);

export const DisplayToken = z.object({
  access_token: z.string(),
  token_type: z.enum(['Bearer']),
  /** Seconds. */
  expires_in: z.int(),
  refresh_token: z.string(),
});
export type DisplayToken = z.infer<typeof DisplayToken>;

/** Lifetime of an access token. A revoked display is still refused immediately, as each call checks the database. And
 *  after half an hour without a server, the displays do not all need new tokens at the same time. */
export const DISPLAY_ACCESS_MINUTES = 60;

export const DisplayTokenError = z.enum([
  'authorization_pending',
  'slow_down',
  'access_denied',
  'expired_token',
  'invalid_grant',
]);
export type DisplayTokenError = z.infer<typeof DisplayTokenError>;

export const DisplayTokenRefusal = z.object({
  error: DisplayTokenError,
  detail: z.string(),
  request_id: z.optional(z.string()),
  /** The display must clear its board as well (an administrator's "revoke and blank"). */
  blank: z.optional(z.boolean()),
});

/** A code as typed. */
export const UserCode = z.pipe(
  z.string().check(z.maxLength(100)),
  z.transform((text, { issues }) => {
    const message = userCodeProblem(text);
    if (message === null) return readUserCode(text)!;
    issues.push({ code: 'custom', input: text, message });
    return z.NEVER;
  }),
);

/** The display that asks to be paired, with the data that it sent about itself. */
export const AskingDisplay = z.object({
  user_code: z.string(),
  user_agent: z.string(),
  address: z.string(),
  asked_at: z.iso.datetime(),
  expires_at: z.iso.datetime(),
});
export type AskingDisplay = z.infer<typeof AskingDisplay>;

export const DISPLAY_NAME_MAX = 60;

export const DisplayName = z.pipe(
  z.pipe(
    z.string(),
    // Keeps some invisible characters: joiners build emoji of several parts, and the flag of Wales.
    z.transform((text) => text.replaceAll(/[\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069\s]+/gu, ' ').trim()),
  ),
  z.string().check(
    z.regex(VISIBLE, {
      error: 'Give the display a name, such as the room that it is in.',
      abort: true,
    }),
    z.refine(hasAtMost(DISPLAY_NAME_MAX), `The name may have at most ${DISPLAY_NAME_MAX} characters.`),
  ),
);

export const WakeLock = z.enum(['held', 'refused', 'unsupported', 'released']);
export type WakeLock = z.infer<typeof WakeLock>;

export const Visibility = z.enum(['visible', 'hidden']);
export type Visibility = z.infer<typeof Visibility>;

/** How often a display sends a heartbeat. */
export const HEARTBEAT_MINUTES = 5;

const pixels = z.int().check(z.minimum(0), z.maximum(100_000));

export const Heartbeat = z.object({
  build: z.string().check(z.maxLength(100)),
  /** Null: the display shows no data. */
  data_age_seconds: z.nullable(z.int().check(z.minimum(0), z.maximum(1e9))),
  /** In CSS pixels; multiplied by `pixel_ratio`, in device pixels. */
  screen: z.object({
    width: pixels,
    height: pixels,
    pixel_ratio: z.number().check(z.minimum(0), z.maximum(100)),
  }),
  wake_lock: WakeLock,
  visibility: Visibility,
  /** Null: its browser does not report it. */
  heap_bytes: z.nullable(z.int().check(z.minimum(0), z.maximum(1e12))),
  /** The content that it has taken and shows; absent from a build that knows no layouts. */
  showing: z.optional(
    z.object({
      rev: z.int().check(z.minimum(0), z.maximum(2_000_000_000)),
      /** The page's type, or `message`. */
      page: z.string().check(z.maxLength(40)),
      since: z.iso.datetime(),
      /** Why it shows another layout than the one it was given: a page has a type that its build does not know. */
      problem: z.nullable(z.string().check(z.maxLength(100))),
    }),
  ),
});
export type Heartbeat = z.infer<typeof Heartbeat>;

/** `signed_out`: its credential expired or was misused, or its owner's account is disabled or deleted. `blanking`:
 *  revoked, and not yet instructed to clear its board; `blanked`: instructed. */
export const DisplayState = z.enum(['paired', 'signed_out', 'revoked', 'blanking', 'blanked']);
export type DisplayState = z.infer<typeof DisplayState>;

export const Display = z.object({
  id: z.string(),
  name: z.string(),
  state: DisplayState,
  /** The owner of the account that it uses; null if that account is deleted. */
  owner: z.nullable(z.object({ id: z.string(), display_name: z.string() })),
  user_agent: z.string(),
  address: z.string(),
  paired_at: z.iso.datetime(),
  /** When it is signed out, unless somebody approves it for another year before that time. */
  ends_at: z.iso.datetime(),
  /** Null until it has fetched its credential. */
  last_seen_at: z.nullable(z.iso.datetime()),
  /** Whether it may show the first names of people who have something in hand. */
  show_names: z.boolean(),
  /** Its latest report; null before the first. */
  report: z.nullable(Heartbeat),
});
export type Display = z.infer<typeof Display>;

export const DisplayList = z.object({ displays: z.array(Display), total: z.int() });

/** A display as the leads of its team see it. */
export const TeamDisplay = z.extend(
  z.pick(Display, { id: true, name: true, state: true, last_seen_at: true }),
  {
    layout_id: z.nullable(z.string()),
    tags: z.array(z.string()),
    /** Revisions: the one that the display was asked to show, and since when it has not taken it; and the one that
     *  it has taken, and when it first said so. */
    rev: z.int(),
    asked_at: z.nullable(z.iso.datetime()),
    taken_rev: z.nullable(z.int()),
    taken_at: z.nullable(z.iso.datetime()),
    page: z.nullable(z.string()),
    page_since: z.nullable(z.iso.datetime()),
    problem: z.nullable(z.string()),
    build: z.nullable(z.string()),
    /** In CSS pixels. */
    screen: z.nullable(z.object({ width: z.int(), height: z.int() })),
  },
);
export type TeamDisplay = z.infer<typeof TeamDisplay>;

export const TeamDisplayList = z.object({ displays: z.array(TeamDisplay), total: z.int() });

/** Body of `POST /displays/pairing/approve`. */
export const DisplayApproval = z.object({
  id: z.optional(MadeId),
  user_code: UserCode,
  name: DisplayName,
});

/** Omitted fields stay as they are. */
export const DisplayChange = z.object({
  name: z.optional(DisplayName),
  owner_id: z.optional(z.string().check(z.maxLength(128))),
  show_names: z.optional(z.boolean()),
});

/** The most routes that one display shows. */
export const DISPLAY_ROUTES_MAX = 50;

/** The ids of the routes and areas that a display shows. */
export const DisplayRoutes = z.object({
  watch_ids: z.array(z.string().check(z.maxLength(64))).check(z.maxLength(DISPLAY_ROUTES_MAX)),
});

export const DisplayRevocation = z.nullish(z.object({ blank: z._default(z.boolean(), false) }));
