/** RSS 2.0: the items of a feed as plain text, with their times. */
import { monthOf } from '#contract/london.ts';
import { toUtc } from './londonTime.ts';
import { plainText } from './plainText.ts';
import { problems, type Problems } from './records.ts';
import { all, readXmlList, text, type XmlNode } from './xml.ts';

export interface RssChannel {
  title: string;
  link: string;
  pubDate: string;
  items: RssItem[];
}

/** '' stands for a missing field. */
export interface RssItem {
  title: string;
  description: string;
  category: string;
  guid: string;
  link: string;
  /** The time as it is written; `rssTime` reads it. */
  pubDate: string;
  /** GeoRSS: "latitude longitude". */
  point: string;
}

/** Throws when the document is not RSS, or is cut off. */
export function readRss(document: string, found: Problems = problems()): RssChannel {
  const root = readXmlList(document, 'item', found.tear);
  const [channel] = root.name === 'rss' ? all(root, 'channel') : [];
  if (!channel) throw new Error(`The document is not RSS with a channel, but <${root.name}>.`);

  return {
    title: textAt(channel, 'title'),
    link: textAt(channel, 'link'),
    pubDate: textAt(channel, 'pubDate'),
    items: all(channel, 'item').map((item) => ({
      title: textAt(item, 'title'),
      description: textAt(item, 'description'),
      category: textAt(item, 'category'),
      guid: textAt(item, 'guid'),
      link: textAt(item, 'link'),
      pubDate: textAt(item, 'pubDate'),
      point: textAt(item, 'point'),
    })),
  };
}

const textAt = (node: XmlNode, name: string) => plainText(text(node, name) ?? '');

const RFC_822 =
  /^(?:[a-z]+,? +)?(\d{1,2}) ([a-z]{3})[a-z]* (\d{4}) (\d{1,2})(:\d{2}(?::\d{2})?)(?: *(z|ut|utc|gmt|bst|[+-]\d{2}:?\d{2}))?$/i;

/** "Fri, 20 Nov 2026 10:41:00 GMT" as UTC; in summer with BST or +0100. A time without a zone is London time. */
export function rssTime(pubDate: string | null | undefined): string | null {
  const match = RFC_822.exec(pubDate?.trim().replace(/\s+/g, ' ') ?? '');
  if (!match) return null;

  const [, day = '', monthName = '', year, hour = '', minutes, zone = ''] = match;
  const month = monthOf(monthName);
  const date = `${year}-${String(month).padStart(2, '0')}-${day.padStart(2, '0')}`;
  return toUtc(`${date}T${hour.padStart(2, '0')}${minutes}${offsetOf(zone)}`);
}

function offsetOf(zone: string): string {
  if (zone.toUpperCase() === 'BST') return '+01:00';
  return /^[a-z]/i.test(zone) ? 'Z' : zone;
}
