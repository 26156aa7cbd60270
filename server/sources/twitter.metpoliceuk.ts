/**
 * Posts about disrupted transport, from the accounts that the operator chooses: SOCIAL_FEEDS lists their RSS or Atom
 * feeds. Twitter no longer has a free feed. The listed feeds replace it, under the name that the product's contract
 * uses; each alert names its account.
 *
 * - Bluesky: https://bsky.app/profile/<handle>/rss. No titles; times without weekday and seconds; the guid names the
 *   account by its permanent DID.
 * - Mastodon: https://<host>/@<user>.rss. No titles; the text is escaped HTML. The feed of a tag is open to anyone.
 *
 * Licence: posts belong to their authors; we keep a short text, the account and the link. Rhythm: every 5 minutes. No
 * key. Severity: none is given; travelNews.ts reads it from the words, here never as worse than medium. End: by age
 * ("now resolved" is a post of its own), or by absence from its feed in two polls.
 */
import { addressesIn, readFeeds, type FeedItem } from '../http/documents/newsItems.ts';
import { leftOut, problems } from '../http/documents/records.ts';
import { travelRecords } from './parts/travelNews.ts';
import type { Collector } from '../incidents/collector.ts';
import { OF_AUTHORS } from './parts/licences.ts';
import { byNewsroom } from '../incidents/place/placeByWords.ts';
import { readTitle } from '../incidents/facts/readTitle.ts';
import { afterTheFirst, type Read, type Reported } from '../incidents/facts/reported.ts';
import { sentencesOf } from '../incidents/facts/publisherWords.ts';

const POST_ENDS_AFTER_HOURS = 6;

export const socialPosts: Collector = {
  source: 'twitter.metpoliceuk',
  publisher: {
    publisher: 'The account that the alert links to',
    licence: OF_AUTHORS,
    attribution: 'Posts belong to their authors.',
  },
  everyMinutes: 5,
  maxAgeMinutes: 60,
  settings: [
    {
      name: 'SOCIAL_FEEDS',
      required: true,
      about:
        'addresses of RSS or Atom feeds of accounts on Bluesky, Mastodon and others, separated by spaces',
    },
  ],
  absentPolls: 2,

  read: readPost,
  texts: ({ summary_line }) => ({ advice: afterTheFirst([summary_line]) }),
  locate: byNewsroom,

  async collect(tools) {
    const found = problems();
    const addresses = addressesIn(tools.settings.SOCIAL_FEEDS ?? '');
    const { feeds, ...extent } = await readFeeds(addresses, tools, found, idOf);

    return {
      ...travelRecords(
        feeds.map(({ title, items }) => ({ title, items: items.filter(isOwn).map(withoutMarker) })),
        { now: tools.now, idOf, type: 'social', endsAfterHours: POST_ENDS_AFTER_HOURS, worst: 'medium' },
      ),
      ...leftOut(found),
      ...extent,
    };
  },
};

const idOf = (id: string) => `twitter.metpoliceuk:${id}`;

/** Leaves out replies, because a reply is about one person's journey. */
const isOwn = ({ text }: FeedItem) => !text.startsWith('@');

/** Removes Bluesky's note that a post holds more than its text. */
function withoutMarker(item: FeedItem): FeedItem {
  return {
    ...item,
    text: item.text.replace(/(?<!\s)\s*\[contains quote post or other embedded content\]\s*/gi, ' ').trim(),
  };
}

/** A post has no title, so its first sentence is read as one. */
function readPost(record: Reported): Read | null {
  const [first = ''] = sentencesOf(record.summary_line || record.title);
  return readTitle({
    ...record,
    title: first,
    summary_line: sentencesOf(record.summary_line).slice(1).join(' '),
  });
}
