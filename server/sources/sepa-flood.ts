/**
 * Scottish Environment Protection Agency (SEPA), Floodline: flood warnings and flood alerts in force in Scotland.
 * https://floodline.sepa.org.uk/floodupdates/
 *
 * Licence: Open Government Licence v3, no key. Attribution: "Contains SEPA data © Scottish Environment Protection
 * Agency and database right".
 * Rhythm: 15 minutes, like the other agencies; none is published. RSS. An empty channel is an ordinary dry day.
 * Unverified: the form of an item. Only the empty channel has been seen, so level and place are read in any order.
 * An item without a known level is kept, unrated, and noted as a problem.
 * Identity: the item's guid, else its link, else the place it names.
 * End: a title that says so ("no longer in force", "removed"), or absence from two polls.
 */
import { z } from 'zod';
import { floodLevel, floodsOf, ofLevel, readFlood, type FloodLevel } from './parts/floodGrading.ts';
import { summarised, summaryLine, webAddress } from '../http/documents/plainText.ts';
import { problems, readRecords, type Problems } from '../http/documents/records.ts';
import { readRss, rssTime, type RssChannel, type RssItem } from '../http/documents/rss.ts';
import type { Collector, DisruptionRecord } from '../incidents/collector.ts';
import { OGL } from './parts/licences.ts';
import { areaOf, byFloodArea, found } from '../incidents/place/placeByWords.ts';
import { floodRegion } from '../geography/names/placeNames.ts';

export const FLOODLINE_URL = 'https://floodline.sepa.org.uk/floodupdates/feed/';

const Warning = z.object({
  id: z.string().min(1, { error: 'neither guid nor link nor place says which it is' }),
  title: z.string().min(1, { error: 'title is missing' }),
  description: z.string(),
  category: z.string(),
  link: z.string(),
  pubDate: z.string(),
});
type Warning = z.infer<typeof Warning>;

export const sepaFlood: Collector = {
  source: 'sepa-flood',
  publisher: {
    publisher: 'Scottish Environment Protection Agency',
    licence: OGL,
    attribution: 'Contains SEPA data © Scottish Environment Protection Agency and database right.',
  },
  everyMinutes: 15,
  maxAgeMinutes: 60,
  settings: [
    {
      name: 'SEPA_FLOOD_URL',
      about: `address of SEPA's list of flood updates, RSS (default ${FLOODLINE_URL})`,
    },
  ],
  absentPolls: 2,

  read: readFlood,
  locate: (record) => found(floodRegion(areaOf(record)), 'area') ?? byFloodArea(record, 'Scotland'),

  async collect({ get, settings }) {
    const found = problems();
    const { body } = await get(settings.SEPA_FLOOD_URL || FLOODLINE_URL);
    const channel = readRss(body, found);
    // A channel without items must identify itself before we believe that there are no warnings.
    if (!/flood/i.test(channel.title)) throw new Error('The document is RSS, but not of flood warnings.');

    const warnings = readRecords(
      Warning,
      withIds(channel),
      found,
      (item, index) => `Item ${index + 1} "${(item as Warning).title}"`,
      (item) => ((item as Warning).id ? `sepa-flood:${(item as Warning).id}` : null),
    );
    const dated = warnings.map((warning) => ({ ...warning, changed: lastChange(warning, channel, found) }));
    return floodsOf(dated, found, {
      source: 'sepa-flood',
      areaOf: ({ id }) => id,
      lastChange: ({ changed }) => changed,
      // The description is not read, because it may name past or possible levels.
      levelOf: ({ title, category }) => floodLevel(null, title) ?? floodLevel(null, category),
      toRecord: (warning, level) => toRecord(warning, level, found),
    });
  },
};

/** Adds ids. `id` is '' if nothing identifies the item: a guid or link that several places share, or that is the
 *  site's own, does not. */
function withIds({ link: site, items }: RssChannel): (RssItem & { id: string })[] {
  const places = new Map<string, Set<string>>();
  for (const { title, guid, link } of items) {
    for (const key of [guid, link]) places.set(key, (places.get(key) ?? new Set()).add(slugOf(title)));
  }
  const isItsOwn = (key: string) => key !== '' && key !== site && places.get(key)?.size === 1;
  return items.map((item) => ({ ...item, id: [item.guid, item.link].find(isItsOwn) ?? slugOf(item.title) }));
}

/** An id made from the place alone, so that the warning stays the same when its level changes. */
function slugOf(title: string): string {
  return placeOf(title)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '');
}

const END_WORDS = /\(?\b(?:(?:is|has been) )?(?:now )?(?:no longer in force|removed)\b\)?/gi;
const LEVEL_WORDS = /\b(?:severe )?flood (?:warning|alert)s?\b/gi;

/** The place in "Flood Alert: Tayside", "Tayside - Flood Alert" or "Flood Alert issued for Tayside". */
function placeOf(title: string): string {
  return title
    .replace(LEVEL_WORDS, '')
    .replace(END_WORDS, '')
    .replace(/^[^\p{L}\p{N}]*(?:issued|updated|in force)?[^\p{L}\p{N}]*(?:(?:for|at|in)\s)?/iu, '')
    .replace(/(?<![\s:,;–-])[\s:,;–-]+$/, '');
}

/** UTC; null when it is not given. The channel's own time is when the channel was generated. An item that repeats
 *  that time says nothing about itself, and would look changed in every poll. */
function lastChange({ pubDate, title }: Warning, channel: RssChannel, found: Problems): string | null {
  if (pubDate === '' || pubDate === channel.pubDate) return null;
  const time = rssTime(pubDate);
  if (!time) found.note(`"${title}": unreadable pubDate "${pubDate}"`);
  return time;
}

function toRecord(
  { id, title, description, category, link, changed }: Warning & { changed: string | null },
  level: FloodLevel | undefined,
  found: Problems,
): DisruptionRecord {
  if (!level) found.note(`"${title}": unknown severity level`);
  const [levelWords] = title.match(LEVEL_WORDS) ?? [];
  const upstreamWords = levelWords ?? (category || title);
  const place = placeOf(title);
  const url = webAddress(link);

  return {
    event_id: `sepa-flood:${id}`,
    ...ofLevel(level),
    title: summaryLine(level && place ? `${level.name}: ${place}` : title),
    ...summarised(description),
    updated_at: changed,
    start_time: changed,
    latitude: null,
    longitude: null,
    metadata: {
      ...(level ? {} : { severity_unrated: true }),
      upstream_severity: upstreamWords,
      ...(url && { links: [{ url, label: 'Floodline' }] }),
    },
  };
}
