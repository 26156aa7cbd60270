/**
 * Traffic Scotland: unplanned events and roadworks on Scotland's motorways and trunk roads.
 * https://developer.trafficscotland.org
 *
 * Licence: the developer site's terms, accepted with the free account whose id and key are sent as HTTP Basic.
 * Rhythm: polled every 5 minutes. Form: DATEX II 2.3 in a SOAP envelope, one document each for unplanned events,
 * current roadworks and future roadworks. An address that answers with RSS, the form of the retired feeds, is read
 * too. A quiet night has no events. Identity: the situation; in RSS the end of the link. A situation is described by
 * its worst record in force. End: `suspended`, life cycle `end` or `cancel`, absence from a complete poll (for RSS,
 * from two), or the end of its window. An event that says `active` is believed beyond its end; roadworks are not.
 */
import { phaseAt } from '../incidents/phase.ts';
import { capital } from '#contract/incidents/titleForms.ts';
import { monthOf } from '#contract/london.ts';
import { z } from 'zod';
import type { Phase } from '#contract/incidents/disruptions.ts';
import { type Severity, severityRank } from '#contract/incidents/severity.ts';
import type { Collected, Collector, DisruptionRecord } from '../incidents/collector.ts';
import { toPoint, type Point } from '../geography/shapes/geometry.ts';
import { POINTS_MAX, pointsShape } from '../geography/shapes/shape.ts';
import { toUtc } from '../http/documents/londonTime.ts';
import { readParts, roadEventType } from './parts/roadEvents.ts';
import { headline, plainText, summarised, summaryLine, webAddress } from '../http/documents/plainText.ts';
import { isMostlyRead, leftOut, problems, readRecords, type Problems } from '../http/documents/records.ts';
import { readRss, rssTime } from '../http/documents/rss.ts';
import { all, attribute, readXmlList, plainTextAt, text, type XmlNode } from '../http/documents/xml.ts';
import { withoutDuplicates } from '../incidents/listedTwice.ts';
import { byPlace } from '../incidents/place/placeByWords.ts';

export const PUBLICATIONS_URL = 'https://datex2.trafficscotland.org/rest/2.3/publications';

const PUBLICATIONS = [
  { name: 'unplanned events', path: 'UnplannedEvents', isRoadworks: false },
  { name: 'current roadworks', path: 'CurrentRoadworks', isRoadworks: true },
  { name: 'future roadworks', path: 'FutureRoadworks', isRoadworks: true },
] as const;
type Publication = (typeof PUBLICATIONS)[number];

/** `severity` of DATEX II. For "unknown", missing and unlisted values, the words of the event decide. */
const SEVERITY: Readonly<Record<string, Severity>> = {
  highest: 'critical',
  high: 'high',
  medium: 'medium',
  low: 'low',
  lowest: 'low',
  none: 'low',
};

/** Matched against the kind ("Accident", "Queue") and the comment. The first matching line counts. */
const WORDS: readonly (readonly [RegExp, Severity])[] = [
  [/\bnow clear\b|\bnow (?:re)?open(?:ed)?\b/i, 'low'],
  [
    /\b(?:road|carriageway|all lanes)(?: is| are)?(?: currently)? closed\b|\bclosed in both directions\b/i,
    'critical',
  ],
  [/\baccident\b|\bcollision\b|\bfire\b|\bflood(?:s|ed|ing)?\b/i, 'high'],
  [
    /\bbreakdown\b|\bbroken[ -]down\b|\bqueu(?:e|es|ing)\b|\bcongestion\b|\babnormal traffic\b|\bwinds?\b|\bobstruction\b|\brestrict(?:ed|ions?)\b|\blanes?(?: \d)?(?: is| are)? closed\b|\bdelays?\b/i,
    'medium',
  ],
  [/\bclosed\b|\bclosure\b/i, 'high'],
];

/** Roadworks are low, whatever their kind, unless they contain these words. */
const CLOSED = /\b(?:road|carriageway|all lanes)(?: is| are)?(?: currently)? closed\b|\broad closure\b/i;

/** `validityStatus`: how to decide whether a record is in force. */
const VALIDITY: Readonly<Record<string, 'ended' | 'trusted' | 'window'>> = {
  active: 'trusted',
  suspended: 'ended',
  planned: 'window',
  definedByValidityTimeSpec: 'window',
};

/** Scotland, and the ends of the roads that cross its border. Some copies have the coordinates swapped. */
const SCOTLAND = { north: 61, south: 54.5, east: -0.5, west: -9 };

const Text = z.string().nullish();

const Situation = z.object({
  id: z.string({ error: 'its id is missing' }),
  isReal: z.boolean(),
  overallSeverity: Text,
  changed: Text,
  records: z
    .array(
      z.object({
        type: z.string(),
        created: Text,
        changed: Text,
        severity: Text,
        status: Text,
        start: Text,
        end: Text,
        isOver: z.boolean(),
        comments: z.array(z.string()),
        points: z.array(z.object({ latitude: Text, longitude: Text, isForDisplay: z.boolean() })),
      }),
    )
    .min(1, { error: 'it has no record' }),
});
type Situation = z.infer<typeof Situation>;
type SituationRecord = Situation['records'][number];

const Item = z.object({
  id: z.string().min(1, { error: 'its link names no event' }),
  title: z.string().min(1, { error: 'title is missing' }),
  description: z.string(),
  link: z.string(),
  pubDate: z.string(),
  point: z.string(),
});
type Item = z.infer<typeof Item>;

export const trafficScotland: Collector = {
  source: 'traffic-scotland',
  publisher: {
    publisher: 'Traffic Scotland',
    licence: { name: 'Terms of Traffic Scotland', url: 'https://developer.trafficscotland.org' },
    attribution: 'Traffic Scotland, by the terms of developer.trafficscotland.org.',
  },
  everyMinutes: 5,
  maxAgeMinutes: 30,
  settings: [
    {
      name: 'TRAFFIC_SCOTLAND_CLIENT_ID',
      required: true,
      about: 'client id of developer.trafficscotland.org (free)',
    },
    {
      name: 'TRAFFIC_SCOTLAND_CLIENT_KEY',
      required: true,
      secret: true,
      about: 'key that belongs to the client id',
    },
    {
      name: 'TRAFFIC_SCOTLAND_URL',
      about: `address that the publications lie below (default ${PUBLICATIONS_URL})`,
    },
  ],
  absentPolls: 1,

  locate: (record) => byPlace(record, { nation: 'Scotland' }),

  async collect({ get, settings, now }): Promise<Collected> {
    const found = problems();
    const base = (settings.TRAFFIC_SCOTLAND_URL || PUBLICATIONS_URL).replace(/(?<!\/)\/+$/, '');
    const { TRAFFIC_SCOTLAND_CLIENT_ID = '', TRAFFIC_SCOTLAND_CLIENT_KEY = '' } = settings;
    const account = Buffer.from(`${TRAFFIC_SCOTLAND_CLIENT_ID}:${TRAFFIC_SCOTLAND_CLIENT_KEY}`);
    const headers = { Authorization: `Basic ${account.toString('base64')}` };

    let listed = 0;
    const ended: string[] = [];
    const forms = new Set<string>();
    const read = async (publication: Publication) => {
      const { body } = await get(`${base}/${publication.path}/Content.xml`, headers);
      const root = readXmlList(body, '(?:situation|item)', found.tear);
      forms.add(root.name);
      const events =
        root.name === 'rss'
          ? readItems(body, publication, now, found)
          : readSituations(root, publication, now, found, ended);
      listed += events.length;
      return events.filter((event) => event !== null);
    };
    const { all: records, complete } = await readParts(PUBLICATIONS, read, found);

    return {
      records: withoutDuplicates(records, found),
      ...leftOut(found),
      complete: complete && isMostlyRead(found, listed),
      ...(ended.length > 0 && { ended }),
      ...(forms.has('rss') && { absentPolls: 2 }),
    };
  },
};

// DATEX II

/** One record for each situation, or null when it is over. The ids of situations that say so themselves are added to
 *  `ended`. */
function readSituations(
  root: XmlNode,
  publication: Publication,
  now: Date,
  found: Problems,
  ended: string[],
): (DisruptionRecord | null)[] {
  const [payload] = ['Body/d2LogicalModel/payloadPublication', 'payloadPublication'].flatMap((path) =>
    all(root, path),
  );
  if (!payload) throw new Error(`The document is not a DATEX II publication, but "${root.name}".`);

  const situations = all(payload, 'situation').map(fieldsOf);
  const read = readRecords(
    Situation,
    situations,
    found,
    (item, index) => `Situation ${(item as RawSituation).id ?? index + 1}`,
    (item) => idOf((item as RawSituation).id),
  );
  if (read.length === 0 && situations.length > 0)
    throw new Error(`None of the ${situations.length} situations can be read: ${found.list.at(-1)}`);
  ended.push(...read.filter(isCalledOver).flatMap(({ id }) => idOf(id) ?? []));
  return read.map((situation) => (situation.isReal ? toRecord(situation, publication, now, found) : null));
}

/** Every record of the situation is suspended, or has ended by its own word. */
const isCalledOver = ({ records }: Situation) =>
  records.length > 0 &&
  records.every(({ status, isOver }) => isOver || (status && VALIDITY[status] === 'ended'));

const idOf = (id: string | undefined) => (id ? `traffic-scotland:${id}` : null);

/** The fields as the document gives them, unchecked. */
type RawSituation = ReturnType<typeof fieldsOf>;

function fieldsOf(situation: XmlNode) {
  return {
    id: plainText(attribute(situation, 'id') ?? '') || undefined,
    // All others are tests and exercises.
    isReal: (plainTextAt(situation, 'headerInformation/informationStatus') ?? 'real') === 'real',
    overallSeverity: plainTextAt(situation, 'overallSeverity'),
    changed: plainTextAt(situation, 'situationVersionTime'),
    records: all(situation, 'situationRecord').map((record) => ({
      type: plainText(attribute(record, 'type') ?? '').replace(/^.*:/, ''),
      created: plainTextAt(record, 'situationRecordCreationTime'),
      changed: plainTextAt(record, 'situationRecordVersionTime'),
      severity: plainTextAt(record, 'severity'),
      status: plainTextAt(record, 'validity/validityStatus'),
      start: plainTextAt(record, 'validity/validityTimeSpecification/overallStartTime'),
      end: plainTextAt(record, 'validity/validityTimeSpecification/overallEndTime'),
      isOver: ['end', 'cancel'].some(
        (last) => plainTextAt(record, `management/lifeCycleManagement/${last}`) === 'true',
      ),
      comments: all(record, 'generalPublicComment').flatMap(
        (comment) => plainTextAt(comment, 'comment/values/value') ?? [],
      ),
      points: [
        ...under(record, 'locationForDisplay').map((point) => pointIn(point, true)),
        ...under(record, 'pointCoordinates').map((point) => pointIn(point, false)),
      ],
    })),
  };
}

const pointIn = (point: XmlNode, isForDisplay: boolean) => ({
  latitude: text(point, 'latitude'),
  longitude: text(point, 'longitude'),
  isForDisplay,
});

/** All elements of that name at any depth below, in document order. The XML reader limits the depth. */
function under(node: XmlNode, name: string): XmlNode[] {
  return node.children.flatMap((child) => (child.name === name ? [child] : under(child, name)));
}

interface Graded {
  record: SituationRecord;
  phase: Phase;
  trusted: boolean;
  start: string | null;
  end: string | null;
  said: string | undefined;
  /** Null when neither the publisher's word nor the words of the event are known. */
  severity: Severity | null;
}

function toRecord(
  situation: Situation,
  { path, isRoadworks: areAllRoadworks }: Publication,
  now: Date,
  found: Problems,
): DisruptionRecord | null {
  const { id, records } = situation;
  const isRoadworks = ({ type }: SituationRecord) =>
    areAllRoadworks || /^(?:Maintenance|Construction)Works$/.test(type);

  const graded = records.flatMap((record): Graded[] => {
    const status = record.status ?? 'definedByValidityTimeSpec';
    const validity = Object.hasOwn(VALIDITY, status) ? VALIDITY[status] : undefined;
    if (!validity) found.note(`Situation ${id}: unknown validityStatus "${status}", judged by its times`);
    for (const time of [record.start, record.end]) {
      if (time && !toUtc(time)) found.note(`Situation ${id}: unreadable time "${time}"`);
    }
    const start = toUtc(record.start) ?? toUtc(record.created);
    const end = toUtc(record.end);
    const trusted = validity === 'trusted' && !isRoadworks(record);
    if (validity === 'ended' || record.isOver) return [];
    if (!trusted && end && Date.parse(end) <= now.getTime()) return [];

    const phase = validity === 'trusted' ? 'active' : phaseAt(start, now);
    const said = record.severity ?? situation.overallSeverity ?? undefined;
    const words = [spaced(record.type), ...record.comments].join('. ');
    const severity = severityOf(said, words, isRoadworks(record));
    return [{ record, phase, trusted, start, end, said, severity }];
  });
  const worst = graded.toSorted(byWeight)[0];
  if (!worst) return null;

  const { record, phase, trusted, start, end, said, severity } = worst;
  if (!severity) found.note(`Situation ${id}: unknown severity "${said ?? ''}", counted as medium, unrated`);
  const changes = graded.flatMap(({ record: { changed } }) => toUtc(changed) ?? []).sort();
  const point = positionIn(record.points, `Situation ${id}`, found);
  const kind = isRoadworks(record) ? 'Roadworks' : spaced(record.type) || 'Road incident';
  const [title, further] = headline(record.comments[0] ?? kind);

  return {
    event_id: `traffic-scotland:${id}`,
    severity: severity ?? 'medium',
    event_type: isRoadworks(record)
      ? 'road.roadworks'
      : roadEventType(`${spaced(record.type)} ${record.comments.join(' ')}`),
    title: summaryLine(title.replace(/\.$/, '')),
    ...summarised([further, ...record.comments.slice(1)].filter(Boolean).join(' ') || kind),
    updated_at: changes.at(-1) ?? toUtc(situation.changed),
    start_time: start,
    end_time: end,
    phase,
    kind: 'alert',
    latitude: point?.latitude ?? null,
    longitude: point?.longitude ?? null,
    // Two points are the ends of a stretch; the line between them is not known.
    shape: pointsShape(
      record.points
        .flatMap(({ latitude, longitude }) => inScotland(latitude, longitude) ?? [])
        .slice(0, POINTS_MAX),
    ),
    metadata: {
      ...(!severity && { severity_unrated: true }),
      ...(said && { upstream_severity: said }),
      validity_status: record.status ?? null,
      // The end time can pass while the publisher still calls the record active.
      ...(trusted && { trust_status: true }),
      record_type: record.type || null,
      publication: path,
      ...(point && !point.isExact && { location_method: 'stretch' }),
    },
  };
}

/** Records that have begun come first, then the worst, then the earliest start. */
function byWeight(a: Graded, b: Graded): number {
  const rank = ({ severity }: Graded) => severityRank(severity ?? 'medium');
  return (
    Number(b.phase === 'active') - Number(a.phase === 'active') ||
    rank(a) - rank(b) ||
    (a.start ?? '').localeCompare(b.start ?? '')
  );
}

function severityOf(said: string | undefined, words: string, isRoadworks: boolean): Severity | null {
  if (said && Object.hasOwn(SEVERITY, said)) return SEVERITY[said]!;
  if (isRoadworks) return CLOSED.test(words) ? 'medium' : 'low';
  return WORDS.find(([pattern]) => pattern.test(words))?.[1] ?? null;
}

/** `VehicleObstruction` becomes "Vehicle obstruction". */
function spaced(type: string): string {
  return capital(type.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase());
}

/** The position: a single point, or the point for display. One of several points lies somewhere along the event. */
function positionIn(
  points: SituationRecord['points'],
  name: string,
  found: Problems,
): (Point & { isExact: boolean }) | null {
  const [first] = points;
  if (!first) return null;
  const point = inScotland(first.latitude, first.longitude);
  if (!point) found.note(`${name}: its position lies outside Scotland and is not used`);
  return point && { ...point, isExact: points.length === 1 || first.isForDisplay };
}

function inScotland(latitude: unknown, longitude: unknown): Point | null {
  const point = toPoint(latitude, longitude);
  return point &&
    point.latitude <= SCOTLAND.north &&
    point.latitude >= SCOTLAND.south &&
    point.longitude <= SCOTLAND.east &&
    point.longitude >= SCOTLAND.west
    ? point
    : null;
}

// RSS

/** One record for each item, or null when it is over. */
function readItems(
  body: string,
  { path }: Publication,
  now: Date,
  found: Problems,
): (DisruptionRecord | null)[] {
  const channel = readRss(body);
  if (!/traffic scotland/i.test(channel.title))
    throw new Error('The document is RSS, but not by Traffic Scotland.');

  const read = readRecords(
    Item,
    channel.items.map((item) => ({ ...item, id: /(?<![^/])([^/]+)\/?$/.exec(item.link)?.[1] ?? '' })),
    found,
    (item, index) => `Item ${index + 1} "${(item as Item).title}"`,
    (item) => idOf((item as Item).id),
  );
  if (read.length === 0 && channel.items.length > 0)
    throw new Error(`None of the ${channel.items.length} items can be read: ${found.list.at(-1)}`);
  const areAllRoadworks = /roadworks/i.test(channel.title);
  return read.map((item) => itemRecord(item, areAllRoadworks, path, now, found));
}

function itemRecord(
  { id, title, description, link, pubDate, point: given }: Item,
  areAllRoadworks: boolean,
  publication: string,
  now: Date,
  found: Problems,
): DisruptionRecord | null {
  // "<place> - <kind>". A place can contain the same dash, and titles of roadworks have no kind.
  const [kind = ''] = areAllRoadworks ? ['Roadworks'] : title.split(' - ').slice(1).slice(-1);
  const isRoadworks = areAllRoadworks || /\broadworks\b/i.test(kind);
  const updated = rssTime(pubDate);
  const start = dayAndTime(description, 'Start Date') ?? updated;
  const end = dayAndTime(description, 'End Date', true);
  if (end && Date.parse(end) <= now.getTime()) return null;

  const severity = severityOf(undefined, `${kind}. ${description}`, isRoadworks);
  if (!severity) found.note(`"${title}": no words to grade it by; medium, unrated`);
  const [latitude, longitude] = given.split(/\s+/);
  const point = given ? inScotland(latitude, longitude) : null;
  if (given && !point) found.note(`"${title}": its position lies outside Scotland and is not used`);
  const url = webAddress(link);
  return {
    event_id: `traffic-scotland:${id}`,
    severity: severity ?? 'medium',
    event_type: isRoadworks ? 'road.roadworks' : roadEventType(kind || title),
    title: summaryLine(title),
    ...summarised(description || title),
    updated_at: updated,
    start_time: start,
    end_time: end,
    phase: phaseAt(start, now),
    kind: 'alert',
    latitude: point?.latitude ?? null,
    longitude: point?.longitude ?? null,
    metadata: {
      ...(!severity && { severity_unrated: true }),
      ...(kind && { upstream_severity: kind }),
      publication,
      ...(url && { links: [{ url, label: 'Traffic Scotland' }] }),
    },
  };
}

/** "Start Date: Monday, 23 March 2020 - 00:00" in London time. A last day without a time of day counts to its end. */
function dayAndTime(description: string, label: string, isLast = false): string | null {
  const match = new RegExp(
    `${label}:\\s*(?:[a-z]+,?\\s+)?(\\d{1,2}) ([a-z]{3})[a-z]* (\\d{4}) - (\\d{2}:\\d{2})`,
    'i',
  ).exec(description);
  if (!match) return null;
  const [, day, monthName = '', year, time = ''] = match;
  const month = monthOf(monthName);
  if (month === 0) return null;

  const days = Number(day) + (isLast && time === '00:00' ? 1 : 0);
  const date = new Date(Date.UTC(Number(year), month - 1, days)).toISOString().slice(0, 10);
  return toUtc(`${date}T${time}`);
}
