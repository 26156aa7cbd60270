/**
 * News: stories about disrupted transport in the UK, from newsrooms' feeds. By default the BBC's feeds for the UK,
 * England, London and the nations; RSS 2.0. NEWS_RSS_FEEDS lists others, RSS or Atom.
 * https://www.bbc.co.uk/news/10628494
 *
 * Licence: the newsrooms' own. The BBC's terms (https://www.bbc.co.uk/usingthebbc/terms) allow showing the headline
 * and the lead-in with attribution and a link, for personal and non-commercial use; any other use needs permission.
 * Rhythm: `ttl` says 15 minutes. Severity: none is given; travelNews.ts reads it from the words. Identity: the
 * article. Its `guid` ends in `#` and its revision number, and is the same in all feeds. End: by age, by a new
 * headline that says it is over, or by absence from every feed in two polls.
 */
import { addressesIn, readFeeds, type FeedRead } from '../http/documents/newsItems.ts';
import { leftOut, problems } from '../http/documents/records.ts';
import { travelRecords } from './parts/travelNews.ts';
import type { Collector } from '../incidents/collector.ts';
import { OF_AUTHORS } from './parts/licences.ts';
import { byNewsroom } from '../incidents/place/placeByWords.ts';

export const NEWS_FEEDS: readonly string[] = [
  'https://feeds.bbci.co.uk/news/uk/rss.xml',
  'https://feeds.bbci.co.uk/news/england/rss.xml',
  'https://feeds.bbci.co.uk/news/england/london/rss.xml',
  'https://feeds.bbci.co.uk/news/scotland/rss.xml',
  'https://feeds.bbci.co.uk/news/wales/rss.xml',
  'https://feeds.bbci.co.uk/news/northern_ireland/rss.xml',
];

/** How long after its last change a story ends. A closure that lasts longer is reported again. */
const NEWS_ENDS_AFTER_HOURS = 12;

export const newsRss: Collector = {
  source: 'news-rss',
  publisher: {
    publisher: 'The newsroom that the alert links to',
    licence: OF_AUTHORS,
    attribution: 'Headline and lead-in © its newsroom.',
  },
  everyMinutes: 15,
  maxAgeMinutes: 120,
  settings: [
    {
      name: 'NEWS_RSS_FEEDS',
      about:
        'addresses of RSS or Atom feeds of newsrooms, separated by spaces (default: six feeds of BBC News)',
    },
  ],
  absentPolls: 2,
  // Some polls find no story about transport.
  neverEmpty: false,

  locate: byNewsroom,

  async collect(tools) {
    const found = problems();
    const addresses = addressesIn(tools.settings.NEWS_RSS_FEEDS ?? '');
    const { feeds, ...extent } = await readFeeds(
      addresses.length > 0 ? addresses : NEWS_FEEDS,
      tools,
      found,
      idOf,
    );
    if (found.skipped === 0 && feeds.every(({ items }) => items.length === 0)) {
      throw new Error('The newsrooms list no stories; they always list some, so this is a fault.');
    }

    return {
      ...travelRecords(feeds.map(withoutSport), {
        now: tools.now,
        idOf,
        type: 'news',
        endsAfterHours: NEWS_ENDS_AFTER_HOURS,
      }),
      ...leftOut(found),
      ...extent,
    };
  },
};

const BBC_ARTICLE = /^https?:\/\/(?:www\.)?bbc\.(?:com|co\.uk)\/(?:[^?#]*\/)?([\w-]+)\/?(?:[?#]|$)/i;

/** The article's path in the guid, because the BBC's host varies. */
function idOf(id: string): string {
  return `news-rss:${BBC_ARTICLE.exec(id)?.[1] ?? id.replace(/#\d+$/, '')}`;
}

/** Leaves out sport, where "coaches", "suspensions" and "closing stages" have other meanings. */
function withoutSport({ title, items }: FeedRead): FeedRead {
  return { title, items: items.filter(({ link }) => !/\/sport\//.test(link ?? '')) };
}
