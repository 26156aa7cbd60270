/** Layouts of the displays: pages in turn, and the messages that interrupt them. How many rows a page has stands in
 *  src/screens/wall/rows/feedPages.ts. */
import { z } from 'zod/mini';
import { Severity } from '../incidents/severity.ts';
import { MadeId } from '../madeId.ts';
import { hasAtMost, isOneLine, keepsItsDirection, VISIBLE } from '../names.ts';

export const PAGE_TYPES = ['board', 'routes', 'route', 'jobs', 'changes', 'map', 'message'] as const;

export const DWELL_S = { least: 10, most: 300, usual: 30 } as const;
export const PAGES_MAX = 12;
export const LAYOUTS_MAX = 50;

const Ids = z.array(z.string().check(z.maxLength(64))).check(z.maxLength(50));

const line = (most: number, missing: string) =>
  z
    .string()
    .check(
      z.trim(),
      z.regex(VISIBLE, { error: missing, abort: true }),
      z.refine(hasAtMost(most), `At most ${most} characters.`),
      z.refine(isOneLine, 'One line of text.'),
      z.refine(keepsItsDirection, 'Without characters that change the text direction.'),
    );

export const MESSAGE_MAX = 200;
const MessageText = line(MESSAGE_MAX, 'Write a message.');

const pageFields = {
  /** `board`: the slugs of its feeds; absent: all. */
  feeds: z.optional(Ids),
  /** `routes`, `route`, `jobs`, `changes`: these routes of the team; absent: all routes of the display. */
  watch_ids: z.optional(Ids),
  /** `board`: without the line of routes. */
  without_routes: z.optional(z.boolean()),
  /** A board for people who pass by: larger type, no map, and no words meant for the person who looks after the
   *  display. */
  large: z.optional(z.boolean()),
  /** `message`: its text. */
  text: z.optional(MessageText),
};

export const LayoutPage = z
  .object({
    type: z.enum(PAGE_TYPES),
    /** Seconds; ignored if it is the only page. */
    dwell_s: z._default(z.int().check(z.minimum(DWELL_S.least), z.maximum(DWELL_S.most)), DWELL_S.usual),
    ...pageFields,
  })
  .check(
    z.refine(({ type, feeds }) => type !== 'board' || feeds?.length !== 0, 'Choose at least one feed.'),
    z.refine(({ type, text }) => type !== 'message' || text !== undefined, 'Write a message.'),
  );
export type LayoutPage = z.infer<typeof LayoutPage>;

const LAYOUT_NAME_MAX = 60;
export const TAG_MAX = 40;
export const TAGS_MAX = 10;

export const LayoutRequest = z.object({
  name: line(LAYOUT_NAME_MAX, 'Give the layout a name.'),
  pages: z.array(LayoutPage).check(z.minLength(1), z.maxLength(PAGES_MAX)),
  /** A critical alert of its routes interrupts the pages; without routes, one of its feeds. */
  pin_criticals: z._default(z.boolean(), true),
});
export type LayoutRequest = z.infer<typeof LayoutRequest>;

/** Body of `POST /displays/layouts`. */
export const NewLayout = z.extend(LayoutRequest, { id: z.optional(MadeId) });

export const Layout = z.extend(LayoutRequest, {
  id: z.string(),
  /** The pages as they were stored: a newer server can have stored pages of other types. */
  pages: z.array(z.object({ type: z.string(), dwell_s: z.number(), ...pageFields })),
  /** Rises with each change; 0 for a ready-made layout. */
  rev: z.int(),
});
export type Layout = z.infer<typeof Layout>;

export const LayoutList = z.object({ layouts: z.array(Layout), total: z.int() });

/** The layout of every display without one of its own. */
export const ALL_FEEDS: Layout = {
  id: 'all-feeds',
  name: 'All feeds',
  pages: [{ type: 'board', dwell_s: DWELL_S.usual }],
  pin_criticals: true,
  rev: 0,
};

/** Layouts of the project, which can be given but not changed. */
export const READY_LAYOUTS: readonly Layout[] = [
  ALL_FEEDS,
  {
    id: 'our-routes',
    name: 'Our routes',
    pages: [{ type: 'routes', dwell_s: DWELL_S.usual }],
    pin_criticals: true,
    rev: 0,
  },
  {
    id: 'routes-and-roads',
    name: 'Routes and roads',
    pages: [
      { type: 'routes', dwell_s: DWELL_S.usual },
      { type: 'board', dwell_s: DWELL_S.usual, feeds: ['roads-uk'] },
    ],
    pin_criticals: true,
    rev: 0,
  },
  {
    id: 'drivers-gate',
    name: 'Drivers’ gate',
    pages: [
      { type: 'jobs', dwell_s: DWELL_S.usual },
      { type: 'routes', dwell_s: DWELL_S.usual },
      { type: 'board', dwell_s: DWELL_S.usual, feeds: ['roads-uk'] },
    ],
    pin_criticals: true,
    rev: 0,
  },
  {
    id: 'lobby',
    name: 'Lobby',
    pages: [{ type: 'board', dwell_s: DWELL_S.usual, without_routes: true, large: true }],
    pin_criticals: true,
    rev: 0,
  },
];

const Tag = line(TAG_MAX, 'Give the tag a name.');

/** The displays of the team that are meant: all of them, these, or those with one of these tags. */
export const Target = z.object({
  all: z.optional(z.boolean()),
  displays: z.optional(z.array(z.string().check(z.maxLength(128))).check(z.maxLength(500))),
  tags: z.optional(z.array(Tag).check(z.maxLength(TAGS_MAX))),
});
export type Target = z.infer<typeof Target>;

/** A key that is the same for all spellings of one tag. */
export const tagKey = (tag: string): string => tag.normalize('NFC').toLowerCase();

/** The tags, each once, in its first spelling. */
export const differentTags = (tags: readonly string[]): string[] =>
  [...new Map(tags.toReversed().map((tag) => [tagKey(tag), tag])).values()].toReversed();

/** A target must say whom it means: without any field it is refused. */
const ChosenTarget = Target.check(
  z.refine(
    ({ all, displays = [], tags = [] }) => all === true || displays.length > 0 || tags.length > 0,
    'Choose a display, a tag, or all.',
  ),
);

/** `layout_id` null: the default layout again. */
export const LayoutAssignment = z.object({
  to: ChosenTarget,
  layout_id: z.nullable(z.string().check(z.maxLength(64))),
});

export const DisplayTags = z.object({ tags: z.array(Tag).check(z.maxLength(TAGS_MAX)) });

/** The number of displays that a change reaches. */
export const Reached = z.object({ displays: z.int() });

export const MessageCover = z.enum(['screen', 'band']);
export type MessageCover = z.infer<typeof MessageCover>;

export const MESSAGE_HOURS_MAX = 12;

export const DisplayMessageRequest = z.object({
  to: ChosenTarget,
  text: MessageText,
  look: Severity,
  cover: MessageCover,
  /** At most 12 hours ahead. */
  until: z.iso.datetime(),
});
export type DisplayMessageRequest = z.infer<typeof DisplayMessageRequest>;
/** Body of `POST /displays/messages`. */
export const NewDisplayMessage = z.extend(DisplayMessageRequest, { id: z.optional(MadeId) });

export const DisplayMessage = z.object({
  id: z.string(),
  text: z.string(),
  look: Severity,
  cover: MessageCover,
  until: z.iso.datetime(),
  at: z.iso.datetime(),
  /** Null: that person's account was deleted. */
  from: z.nullable(z.string()),
});
export type DisplayMessage = z.infer<typeof DisplayMessage>;

export const SentMessage = z.extend(DisplayMessage, { to: Target, displays: z.int() });
export type SentMessage = z.infer<typeof SentMessage>;

/** The messages that have not ended. */
export const SentMessageList = z.object({ messages: z.array(SentMessage), total: z.int() });

/** Answer of `GET /displays/me`. */
export const DisplaySelf = z.object({
  rev: z.int(),
  layout: Layout,
  message: z.nullable(DisplayMessage),
  /** Further messages that have not ended, 20 at most: each appears when the ones before it have ended, also without
   *  a server. */
  next_messages: z.array(DisplayMessage),
  tags: z.array(z.string()),
  name: z.string(),
});
export type DisplaySelf = z.infer<typeof DisplaySelf>;
