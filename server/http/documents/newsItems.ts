/** Feeds of news and posts, RSS 2.0 or Atom: the fields that every item has, and several feeds as one poll. */
import { z } from 'zod';
import { toUtc } from './londonTime.ts';
import { plainText, summaryLine, webAddress } from './plainText.ts';
import { problems, readRecords, type Problems } from './records.ts';
import { rssTime } from './rss.ts';
import { all, attribute, readXmlList, text, type XmlNode } from './xml.ts';
import type { Get } from './upstream.ts';

/** One item. Its texts are plain but still untrusted; its times are UTC. */
export interface FeedItem {
  /** The id that the publisher gives: a `guid` or `id`, otherwise the link. */
  id: string;
  /** Only http and https, without the publisher's tracking parameters. */
  link: string | null;
  /** '' for posts, because they have no title. */
  title: string;
  text: string;
  published: string;
  /** Atom's `updated`; RSS has no such time. */
  updated: string | null;
}

/** The most characters of a feed's title, which is shown with each of its alerts. */
const TITLE_MAX = 80;
/** The most characters of an id: more than any publisher uses. */
const ID_MAX = 500;

export interface Feed {
  title: string;
  /** The items as they are in the feed. Fields that `FeedItem` requires can be missing. */
  items: { [Field in keyof FeedItem]: FeedItem[Field] | undefined }[];
}

/** Throws with a message when the document is neither RSS nor Atom. */
export function readFeed(document: string, found: Problems = problems()): Feed {
  const root = readXmlList(document, '(?:item|entry)', found.tear);
  if (root.name === 'feed') return { title: nameOf(root), items: all(root, 'entry').map(ofAtom) };

  const [channel] = all(root, 'channel');
  if (root.name !== 'rss' || !channel) {
    throw new Error(`The document is neither RSS nor Atom, but "${root.name}".`);
  }
  return { title: nameOf(channel), items: all(channel, 'item').map(ofRss) };
}

function ofRss(item: XmlNode) {
  // In an RSS feed with some Atom elements, an empty <atom:link> can stand beside the RSS link.
  const link = pageAddress(text(item, 'link'));
  return {
    id: plainText(text(item, 'guid') ?? '') || link || undefined,
    link,
    title: textAt(item, 'title'),
    text: textAt(item, 'description'),
    // Some publishers use the Dublin Core date instead.
    published: feedTime(text(item, 'pubDate') ?? text(item, 'date')) ?? undefined,
    updated: null,
  };
}

function ofAtom(entry: XmlNode) {
  const page = all(entry, 'link').find((link) => (attribute(link, 'rel') ?? 'alternate') === 'alternate');
  const link = pageAddress(page && attribute(page, 'href'));
  const updated = feedTime(text(entry, 'updated'));
  return {
    id: plainText(text(entry, 'id') ?? '') || link || undefined,
    link,
    title: textAt(entry, 'title'),
    text: textAt(entry, 'summary') || textAt(entry, 'content'),
    published: feedTime(text(entry, 'published')) ?? updated ?? undefined,
    updated,
  };
}

const nameOf = (feed: XmlNode) => summaryLine(textAt(feed, 'title'), TITLE_MAX);

/** The text of a field. It also reads Atom's XHTML, which has elements instead of text. */
function textAt(node: XmlNode, name: string): string {
  const [first] = all(node, name)
    .map((found) => plainText(allText(found)))
    .filter(Boolean);
  return first ?? '';
}

const allText = (node: XmlNode): string => [node.text, ...node.children.map(allText)].join(' ');

/** The address of the page, without the parameters that a publisher adds to count readers. */
function pageAddress(address: string | undefined): string | null {
  const url = URL.parse(webAddress(address) ?? '');
  if (!url) return null;

  const tracking = Array.from(url.searchParams.keys()).filter((name) => /^(?:at|utm)_/i.test(name));
  for (const name of tracking) url.searchParams.delete(name);
  return url.href;
}

/** An RSS or Atom time as UTC. A time without a zone is London time. Null when it is not a time. */
export const feedTime = (given: string | null | undefined) => rssTime(given) ?? toUtc(given);

/** The addresses in a setting, separated by white space or commas. An address may itself contain commas. */
export function addressesIn(setting: string): string[] {
  return setting.split(/\s+|,(?=\s|$|https?:)/i).filter(Boolean);
}

/** How far ahead a publisher's time may be: its clock may be wrong, or it may label summer time as Greenwich time. A
 *  later time means nothing. */
const AHEAD_MAX_MS = 2 * 60 * 60_000;

export interface FeedRead {
  title: string;
  items: FeedItem[];
}

/** Reads all feeds. If one of several fails, or is mostly unreadable, the poll is incomplete and the problems have a
 *  line about it. Throws when none can be read. `idOf` returns the event id of an item. */
export async function readFeeds(
  addresses: readonly string[],
  { get, now }: { get: Get; now: Date },
  found: Problems,
  idOf: (id: string) => string,
): Promise<{ feeds: FeedRead[]; complete: boolean; listedSince?: string }> {
  const Item = itemSchema(now);
  const answers = await Promise.allSettled(
    addresses.map(async (address) => readFeed((await get(address)).body, found)),
  );

  const failures: { text: string; cause: unknown }[] = [];
  let complete = true;
  const feeds = answers.flatMap((answer, at): FeedRead[] => {
    const feed = `Feed ${at + 1} (${URL.parse(addresses[at] ?? '')?.host || 'no address'})`;
    if (answer.status === 'rejected') {
      failures.push({ text: `${feed} cannot be read: ${wordsOf(answer.reason)}`, cause: answer.reason });
      return [];
    }

    const { title, items } = answer.value;
    const skippedBefore = found.skipped;
    const read = readRecords(
      Item,
      items,
      found,
      (_, index) =>
        `${feed}, item ${index + 1} "${(items[index]?.title || items[index]?.text || '').slice(0, 60)}"`,
      (item) => {
        const { id } = item as Feed['items'][number];
        return id ? idOf(id) : null;
      },
    );
    // A single odd item must not keep every ended incident on the board. If most items are odd, the format has
    // changed.
    if (found.skipped - skippedBefore > read.length) complete = false;
    return [{ title, items: read }];
  });

  const [first] = failures;
  if (first && feeds.length === 0) {
    const others = failures.length > 1 ? `None of the ${failures.length} feeds can be read. ` : '';
    // The error carries the wait that the feed asked for, if any.
    throw Object.assign(new Error(`${others}${first.text}`, { cause: first.cause }), patienceOf(failures));
  }
  for (const { text } of failures) found.note(text);
  return { feeds, complete: complete && !found.isTorn && failures.length === 0, ...since(feeds) };
}

/** The time from which every feed is complete. Items older than the oldest item of the shortest feed may be missing
 *  there for lack of room. */
function since(feeds: readonly FeedRead[]): { listedSince?: string } {
  const oldest = feeds.flatMap(({ items }) => items.map(({ published }) => published).sort()[0] ?? []);
  const listedSince = oldest.sort().at(-1);
  return listedSince ? { listedSince } : {};
}

function itemSchema(now: Date) {
  const isAhead = (time: string) => Date.parse(time) > now.getTime() + AHEAD_MAX_MS;
  return z.object({
    id: z.string({ error: 'has neither an id nor a link' }).max(ID_MAX),
    link: z.string().nullable(),
    title: z.string(),
    text: z.string(),
    // Without this time, we could not know when the item is over.
    published: z
      .string({ error: 'has no time that can be read' })
      .refine((time) => !isAhead(time), 'lies ahead of our clock'),
    updated: z
      .string()
      .nullable()
      .transform((time) => (time && isAhead(time) ? null : time)),
  });
}

const wordsOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

function patienceOf(failures: readonly { cause: unknown }[]): { retryAfterMs?: number } {
  const waits = failures.flatMap(({ cause }) =>
    cause instanceof Error && 'retryAfterMs' in cause && typeof cause.retryAfterMs === 'number'
      ? cause.retryAfterMs
      : [],
  );
  return waits.length > 0 ? { retryAfterMs: Math.max(...waits) } : {};
}
