/**
 * Metropolitan Police: the newsroom's notices that affect travel in London. RSS 2.0, no key.
 * https://news.met.police.uk/
 *
 * Copyright Metropolitan Police: we show the headline, a short extract and the link, nothing more. Rhythm: 15
 * minutes; none is published. The feed has about the newest 20 items, most of them about courts. A notice that is not
 * plainly about travel is left out: it is better to miss a notice than to show a court sentence on the board.
 * Severity: the publisher gives none; `KINDS` reads it from the words of the notice. Identity: the number at the end
 * of the address. End: the publisher announces none. So a notice counts for 24 hours, or to the end of the day that
 * it names, unless its title says that it is over, or it is withdrawn.
 */
import { phaseAt } from '../incidents/phase.ts';
import { DAY_MS } from '#contract/durations.ts';
import { MONTH_NAMES, monthOf } from '#contract/london.ts';
import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { Severity } from '#contract/incidents/severity.ts';
import { toUtc } from '../http/documents/londonTime.ts';
import { summarised, summaryLine, webAddress } from '../http/documents/plainText.ts';
import { isMostlyRead, leftOut, problems, readRecords } from '../http/documents/records.ts';
import { readRss, rssTime } from '../http/documents/rss.ts';
import type { Collector, DisruptionRecord } from '../incidents/collector.ts';
import { withoutDuplicates } from '../incidents/listedTwice.ts';
import { OF_AUTHORS } from './parts/licences.ts';
import { byPlace } from '../incidents/place/placeByWords.ts';
import { LONDON } from '../geography/names/placeNames.ts';

export const NEWSROOM_URL = 'https://news.met.police.uk/rss/current_news/66871';

/** How long a notice counts that names no later day. */
const LIFE_MS = DAY_MS;
/** Characters that are read of the title and of the text: the subject comes first. */
const READ_MAX = 2000;
/** A day further ahead is seldom a closure; it is more often a trial or an anniversary. */
const AHEAD_MAX_MS = 31 * DAY_MS;

const ROAD = String.raw`(?:roads?|streets?|lanes?|bridges?|tunnels?|stations?|airports?|junctions?|carriageways?|motorways?|[AM]\d{1,4})`;
const CLOSED = String.raw`(?:closed(?![- ]circuit)|clos(?:ures?|ing)|shut|blocked)`;
const INCIDENT = String.raw`(?:collision|crash|incident|security alert|suspicious (?:item|package|vehicle)|gas leak|unexploded)`;
const PLACE = String.raw`(?:[AM]\d{1,4}|stations?|airport|bridge|tunnel|motorway)`;
/** Matches two things in one sentence, in either order. */
const both = (one: string, other: string) => {
  const patterns = [one, other].map((words) => new RegExp(String.raw`\b${words}\b`, 'i'));
  return (said: string) =>
    said.split(/[.!?]/).some((sentence) => patterns.every((pattern) => pattern.test(sentence)));
};
const says = (pattern: RegExp) => (said: string) => pattern.test(said);

/** Kinds of notices that affect travel, worst first. None is critical, because a newsroom is not a control room. */
const KINDS: readonly { isSaid: (said: string) => boolean; severity: Severity; event_type: string }[] = [
  { isSaid: says(/\bmajor incident\b/i), severity: 'high', event_type: 'police.major_incident' },
  { isSaid: says(/\bevacuat/i), severity: 'high', event_type: 'police.evacuation' },
  { isSaid: says(/\bcordon(?:s|ed)?\b/i), severity: 'high', event_type: 'police.cordon' },
  { isSaid: both(ROAD, CLOSED), severity: 'medium', event_type: 'police.road_closure' },
  // This leaves out the month of March.
  {
    isSaid: says(
      /\b(?:demonstrat(?:ions?|ors)|protest(?:s|ers)?|processions?|marche[sr]s?|(?:a|the|this|planned) march(?! \d))\b/i,
    ),
    severity: 'low',
    event_type: 'police.demonstration',
  },
  { isSaid: both(INCIDENT, PLACE), severity: 'low', event_type: 'police.incident' },
];

/** Titles about past events, or appeals to the public. They are not travel news, whatever else they name. */
const NO_NOTICE =
  /\b(?:appeal|witness|(?<!earl['’]?s )court(?! road)|jail|sentenc|convict|guilty|charged|murder|manslaughter|arrest|inquest|tribute|misconduct|missing)/i;
/** For these words the text below the title counts too. */
const COURT_NEWS =
  /\b(?:jailed|sentenced|convicted|pleaded|found guilty|crown court|magistrates|murder|manslaughter)\b/i;

const OVER = /\b(?:re-?open(?:s|ed)|lifted|stood down|cancelled|called off)\b/i;

const Item = z.object({
  id: z.string().min(1, { error: 'neither guid nor link says which it is' }),
  title: z.string().min(1, { error: 'title is missing' }),
  description: z.string(),
  link: z.string(),
  published: z.string({ error: 'pubDate is missing or cannot be read' }),
});
type Item = z.infer<typeof Item>;

export const metPolice: Collector = {
  source: 'met-police',
  publisher: {
    publisher: 'Metropolitan Police',
    licence: OF_AUTHORS,
    attribution: 'Copyright Metropolitan Police; headline, short extract and link.',
  },
  everyMinutes: 15,
  maxAgeMinutes: 120,
  settings: [
    {
      name: 'MET_POLICE_URL',
      about: `address of the Metropolitan Police newsroom's RSS (default ${NEWSROOM_URL})`,
    },
  ],
  absentPolls: 2,

  locate: (record) => byPlace(record, LONDON),

  async collect({ get, settings, now }) {
    const found = problems();
    const { body } = await get(settings.MET_POLICE_URL || NEWSROOM_URL);
    const channel = readRss(body, found);
    const items = readRecords(
      Item,
      channel.items.map((item) => ({
        ...item,
        id: idOf(item.guid || item.link),
        published: rssTime(item.pubDate) ?? undefined,
      })),
      found,
      (item, index) => `Item ${index + 1} "${(item as Item).title}"`,
      (item) => ((item as Item).id ? `met-police:${(item as Item).id}` : null),
    );
    if (items.length === 0 && found.skipped > 0) {
      throw new Error(`None of the ${found.skipped} items can be read: ${found.list[0]}`);
    }
    if (items.length === 0) found.note('The newsroom lists no items, although it always has news');

    const records = items
      .flatMap((item) => toRecord(item, now) ?? [])
      .filter(({ end_time }) => Date.parse(end_time ?? '') > now.getTime());
    const ended = items.filter(({ title }) => OVER.test(title)).map(({ id }) => `met-police:${id}`);
    const listedSince = items.map(({ published }) => published).sort()[0];
    return {
      records: withoutDuplicates(records, found),
      ...leftOut(found),
      complete: items.length > 0 && isMostlyRead(found, items.length),
      ...(ended.length > 0 && { ended }),
      ...(listedSince && { listedSince }),
    };
  },
};

/** The id in "…-road-closures-in-westminster-900001": the words may be corrected later, but the number stays. */
function idOf(address: string): string {
  if (address === '') return '';
  const [, number] = /-(\d+)\/?(?:[?#]|$)/.exec(address) ?? [];
  return number ?? createHash('sha256').update(address).digest('hex').slice(0, 16);
}

/** The kind of a travel notice; null for other news, and for a notice that is over. */
export function noticeOf({ title, description }: Pick<Item, 'title' | 'description'>) {
  const said = `${title.slice(0, READ_MAX)}. ${description.slice(0, READ_MAX)}`.replace(
    /\bpolice stations?\b/gi,
    '',
  );
  const kind = KINDS.find(({ isSaid }) => isSaid(said));
  return !kind || NO_NOTICE.test(title) || COURT_NEWS.test(said) || OVER.test(title)
    ? null
    : { ...kind, said };
}

/** Null if the item is not a travel notice, or is about something that is over. */
function toRecord(item: Item, now: Date): DisruptionRecord | null {
  const kind = noticeOf(item);
  if (!kind) return null;
  const { id, title, description, link, published } = item;

  const days = daysNamed(kind.said, published);
  const start = days?.start ?? published;
  const url = webAddress(link);
  return {
    event_id: `met-police:${id}`,
    severity: kind.severity,
    event_type: kind.event_type,
    title: summaryLine(title),
    ...summarised(description),
    updated_at: published,
    start_time: start,
    end_time: days?.end ?? new Date(Date.parse(published) + LIFE_MS).toISOString(),
    phase: phaseAt(start, now),
    kind: 'alert',
    latitude: null,
    longitude: null,
    metadata: {
      ...(url && { links: [{ url, label: 'Metropolitan Police newsroom' }] }),
    },
  };
}

const WEEKDAY = String.raw`(?:[a-z]+day,? )?`;
/** "Saturday, 21 November", "21 and Sunday 22 November 2026", "until 02:00 on 22 November" */
const DAYS = new RegExp(
  String.raw`\b(?<until>(?:to|(?:until|till)(?: \S+ on)?) ${WEEKDAY})?(?:(?<first>\d{1,2})(?:st|nd|rd|th)?(?: and | to |[-–])${WEEKDAY})?(?<last>\d{1,2})(?:st|nd|rd|th)?(?: of)? (?<month>${MONTH_NAMES})\b(?:,? (?<year>\d{4}))?`,
  'gi',
);

/** The days after publication that a text names, from the start of the first to the end of the last; UTC. Null when
 *  it names none; a day before publication does not count. `start` is null when only an end is named. */
function daysNamed(said: string, published: string): { start: string | null; end: string } | null {
  const after = Date.parse(published);
  const starts: string[] = [];
  const ends: string[] = [];
  for (const { groups = {} } of said.matchAll(DAYS)) {
    const month = monthOf(groups.month!) - 1; // every match holds both parts
    const thisYear = Number(published.slice(0, 4));
    const years = groups.year ? [Number(groups.year)] : [thisYear, thisYear + 1];
    const year = years.find((year) => isSoon(midnight(year, month, groups.last!), after));
    if (year === undefined) continue;

    ends.push(midnight(year, month, groups.last!, 1)!); // the day after a day that exists
    const start = midnight(year, month, groups.first ?? groups.last!);
    if (!groups.until && start) starts.push(start);
  }
  const end = ends.sort().at(-1);
  if (!end) return null;
  const [start] = starts.sort();
  return { start: start && Date.parse(start) > after ? start : null, end };
}

function isSoon(day: string | null, after: number): boolean {
  const aheadMs = Date.parse(day ?? '') - after;
  return aheadMs > 0 && aheadMs <= AHEAD_MAX_MS;
}

/** Midnight in London at the start of a day, or `later` days after it; null for 31 November. */
function midnight(year: number, month: number, day: string, later = 0): string | null {
  const twoDigits = (number: number) => String(number).padStart(2, '0');
  const given = `${year}-${twoDigits(month + 1)}-${day.padStart(2, '0')}`;
  if (!toUtc(given)) return null;
  return toUtc(new Date(Date.UTC(year, month, Number(day) + later)).toISOString().slice(0, 10));
}
