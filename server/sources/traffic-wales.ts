/**
 * Traffic Wales: incidents, events and roadworks on Wales's motorways and trunk roads. https://traffic.wales
 *
 * Licence: no key; credit "Traffic Wales". Rhythm: refreshed every 5 minutes. Form: RSS, one feed of incidents and
 * events and one of roadworks. The facts are in each description, behind labels. A quiet night has no items. Times:
 * London time, day before month, even where `pubDate` says +0000. Identity: the guid ("RNMDA_2026130475"). End: its
 * End Date, or absence from two polls.
 */
import { phaseAt } from '../incidents/phase.ts';
import { z } from 'zod';
import type { Severity } from '#contract/incidents/severity.ts';
import type { Collected, Collector, DisruptionRecord } from '../incidents/collector.ts';
import { toPoint, type Point } from '../geography/shapes/geometry.ts';
import { toUtc } from '../http/documents/londonTime.ts';
import { readParts, roadEventType } from './parts/roadEvents.ts';
import { summaryLine, webAddress } from '../http/documents/plainText.ts';
import { isMostlyRead, leftOut, problems, readRecords, type Problems } from '../http/documents/records.ts';
import { readRss, rssTime } from '../http/documents/rss.ts';
import { withoutDuplicates } from '../incidents/listedTwice.ts';
import { byPlace } from '../incidents/place/placeByWords.ts';

const FEEDS_URL = 'https://traffic.wales/feeds';

const FEEDS = [
  { name: 'incidents and events', path: 'incidents-events' },
  { name: 'roadworks', path: 'roadworks' },
] as const;
type Feed = (typeof FEEDS)[number];

/** "Severity:", in lower case. "Road closure" and "Moderate" have been seen. Roadworks are one step lower. */
const SEVERITY: Readonly<Record<string, Severity>> = {
  'road closure': 'critical',
  severe: 'high',
  major: 'high',
  moderate: 'medium',
  minor: 'low',
  slight: 'low',
};
const ONE_STEP_LOWER: Readonly<Record<Severity, Severity>> = {
  critical: 'high',
  high: 'medium',
  medium: 'low',
  low: 'low',
};

/** The labels of a description, in their order. Free text comes before them and can contain commas and colons. */
const LABELS = ['Start time', 'End Date', 'Severity', 'Source', 'Last updated'] as const;
type Label = (typeof LABELS)[number];

/** Wales, and the ends of the roads that cross its border. */
const WALES = { north: 53.6, south: 51.2, east: -2.4, west: -5.5 };

const Item = z.object({
  guid: z.string().min(1, { error: 'its guid is missing' }),
  title: z.string(),
  description: z.string(),
  link: z.string(),
  pubDate: z.string(),
  point: z.string(),
});
type Item = z.infer<typeof Item>;

export const trafficWales: Collector = {
  source: 'traffic-wales',
  publisher: {
    publisher: 'Traffic Wales',
    licence: { name: 'Free use with credit', url: null },
    attribution: 'Traffic Wales.',
  },
  everyMinutes: 5,
  maxAgeMinutes: 30,
  settings: [
    {
      name: 'TRAFFIC_WALES_URL',
      about: `address that the feeds lie below (default ${FEEDS_URL})`,
    },
  ],
  absentPolls: 2,

  // The summary line repeats the parts of the title.
  texts: () => ({ advice: [] }),
  locate: (record) => byPlace(record, { nation: 'Wales' }),

  async collect({ get, settings, now }): Promise<Collected> {
    const found = problems();
    const base = (settings.TRAFFIC_WALES_URL || FEEDS_URL).replace(/(?<!\/)\/+$/, '');
    const read = async (feed: Feed) => {
      const { body } = await get(`${base}/${feed.path}/rss.xml`);
      return readItems(body, feed, found);
    };
    const { all: items, complete } = await readParts(FEEDS, read, found);
    const records = items.flatMap((item) => toRecord(item, now, found) ?? []);

    return {
      records: withoutDuplicates(records, found),
      ...leftOut(found),
      complete: complete && isMostlyRead(found, items.length),
    };
  },
};

type ListedItem = Item & { isRoadworks: boolean };

function readItems(body: string, { path }: Feed, found: Problems): ListedItem[] {
  const { title, items } = readRss(body, found);
  // A channel without items must identify itself before we believe that there are none.
  if (!/traffic wales/i.test(title)) throw new Error('The document is RSS, but not by Traffic Wales.');

  const read = readRecords(
    Item,
    items,
    found,
    (item, index) => `Item ${index + 1} "${summaryLine((item as Item).title, 80)}"`,
    (item) => ((item as Item).guid ? `traffic-wales:${(item as Item).guid}` : null),
  );
  if (read.length === 0 && items.length > 0)
    throw new Error(`None of the ${items.length} items can be read: ${found.list.at(-1)}`);
  // The document's own title decides; without one, the address that we asked decides.
  const said = /\b(roadworks|incidents)\b/i.exec(title)?.[1]?.toLowerCase();
  const isRoadworks = (said ?? path) === 'roadworks';
  return read.map((item) => ({ ...item, isRoadworks }));
}

/** Null when the item is over. */
function toRecord(item: ListedItem, now: Date, found: Problems): DisruptionRecord | null {
  const { guid, isRoadworks } = item;
  const { words, labels } = labelled(item.description);
  const time = (label: Label) => {
    const utc = londonTime(labels[label]);
    if (labels[label] && !utc) found.note(`${guid}: unreadable ${label} "${labels[label]}"`);
    return utc;
  };
  const updated = time('Last updated') ?? publishedAt(item.pubDate);
  const start = time('Start time') ?? updated;
  const end = time('End Date');
  if (end && Date.parse(end) <= now.getTime()) return null;

  const phase = phaseAt(start, now);
  const said = labels.Severity;
  const key = said?.toLowerCase() ?? '';
  const rated = Object.hasOwn(SEVERITY, key) ? SEVERITY[key]! : null;
  if (!rated) found.note(`${guid}: unknown severity "${said ?? ''}", counted as medium, unrated`);
  const point = positionOf(item, found);
  const parts = partsOf(words || item.title);
  const url = webAddress(item.link);

  return {
    event_id: `traffic-wales:${guid}`,
    severity: severityOf(rated, isRoadworks, phase === 'planned'),
    event_type: isRoadworks ? 'road.roadworks' : roadEventType(`${item.title} ${said ?? ''}`),
    title: summaryLine(titleOf(item.title || words) || (isRoadworks ? 'Roadworks' : 'Road incident')),
    summary_line: summaryLine(parts.join(', ')),
    updated_at: updated,
    start_time: start,
    end_time: end,
    phase,
    kind: 'alert',
    latitude: point?.latitude ?? null,
    longitude: point?.longitude ?? null,
    metadata: {
      ...(!rated && { severity_unrated: true }),
      ...(said && { upstream_severity: said }),
      reported_by: labels.Source ?? null,
      ...(url && { links: [{ url, label: 'Traffic Wales' }] }),
    },
  };
}

function severityOf(rated: Severity | null, isRoadworks: boolean, isAhead: boolean): Severity {
  if (!rated) return 'medium';
  if (!isRoadworks) return rated;
  return isAhead ? 'low' : ONE_STEP_LOWER[rated];
}

/** Splits a description from the right: each label counts at its last place before the label that follows it. */
function labelled(description: string): { words: string; labels: Partial<Record<Label, string>> } {
  const labels: Partial<Record<Label, string>> = {};
  let rest = description;
  for (const label of LABELS.toReversed()) {
    const at = rest.lastIndexOf(`${label}:`);
    if (at === -1) continue;
    labels[label] = withoutCommas(rest.slice(at + label.length + 1)) || undefined;
    rest = rest.slice(0, at);
  }
  return { words: withoutCommas(rest.replace(/^Description:/, '')), labels };
}

const withoutCommas = (text: string) => text.replace(/^[\s,]+|(?<![\s,])[\s,]+$/g, '');

/** The parts of "A40 : Eastbound : Raglan to Abergavenny : Resurfacing work :". The road can be missing, and times
 *  contain colons. */
function partsOf(words: string): string[] {
  return words
    .split(/(?<=^|\s):(?=\s|$)/)
    .map((part) => part.trim())
    .filter(Boolean);
}

/** "15/07/26-16/07/26 2000-0600": the times of works, which the record has in its own fields. */
const DATES = /^\d{1,2}\/\d{1,2}\/\d{2,4}\b/;

/** Road and direction, then the rest without dates: "A40 Eastbound: Raglan to Abergavenny, Resurfacing work". */
function titleOf(words: string): string {
  const parts = partsOf(words).filter((part) => !DATES.test(part));
  const [road = '', direction = '', ...rest] = parts;
  if (!/^[AMB]\d/i.test(road) || rest.length === 0) return parts.join(', ');
  return `${road} ${direction}: ${rest.join(', ')}`;
}

/** "8/7/2026 9:30" in London time. */
function londonTime(text: string | undefined): string | null {
  const match = /^(\d{1,2})\/(\d{1,2})\/(\d{4})\s+(\d{1,2}):(\d{2})$/.exec(text ?? '');
  if (!match) return null;
  const [day, month, , hour] = match.slice(1).map((digits) => digits.padStart(2, '0'));
  return toUtc(`${match[3]}-${month}-${day}T${hour}:${match[5]}`);
}

/** The time of `pubDate`. It has the same digits as "Last updated", which is London time, so its zone is ignored. */
const publishedAt = (pubDate: string) => rssTime(pubDate.replace(/(?<!\s)\s*(?:GMT|UTC?|Z|[+-]\d{4})$/i, ''));

function positionOf({ guid, point: given }: Item, found: Problems): Point | null {
  if (!given) return null;
  const [latitude, longitude] = given.split(/[\s,]+/);
  const point = toPoint(latitude, longitude);
  const isInWales =
    point !== null &&
    point.latitude <= WALES.north &&
    point.latitude >= WALES.south &&
    point.longitude <= WALES.east &&
    point.longitude >= WALES.west;
  if (!isInWales) found.note(`${guid}: its position lies outside Wales and is not used`);
  return isInWales ? point : null;
}
