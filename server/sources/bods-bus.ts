/**
 * Bus Open Data Service of the Department for Transport: disruptions of buses in England, and of trams and ferries
 * where their authority reports them. Reporting depends on the authority, so the absence of a record means little.
 * https://data.bus-data.dft.gov.uk/guidance/requirements/?section=apidisruptions (free account)
 *
 * Licence: Open Government Licence v3. Form: SIRI-SX 2.0, the whole country in one document of 6 MB and more.
 * Rhythm: none published. Identity: number and participant; the numbers alone are not unique.
 * End: `Progress` closed, the last validity period or the publication window over, or absence.
 * The list of cancellations (BODS_URL can name it) has one situation per journey; we make one record per line.
 */
import { counted } from '#contract/numbers.ts';
import { z } from 'zod';
import { toPoint } from '../geography/shapes/geometry.ts';
import { fields } from '../http/documents/json.ts';
import { toUtc } from '../http/documents/londonTime.ts';
import { plainText, summaryLine, summarised } from '../http/documents/plainText.ts';
import { leftOut, problems, readRecords, type Problems } from '../http/documents/records.ts';
import { all, readXml, splitXml, plainTextAt, text, type XmlNode } from '../http/documents/xml.ts';
import { POINTS_MAX, pointsShape } from '../geography/shapes/shape.ts';
import type { Phase } from '#contract/incidents/disruptions.ts';
import type { Severity } from '#contract/incidents/severity.ts';
import { LONDON_CLOCK } from '#contract/london.ts';
import type { Collected, Collector, DisruptionRecord } from '../incidents/collector.ts';
import { withoutDuplicates } from '../incidents/listedTwice.ts';
import { OGL } from './parts/licences.ts';
import { byPlace } from '../incidents/place/placeByWords.ts';
import { countIn } from '../incidents/facts/lanesAndMinutes.ts';
import { readTitle } from '../incidents/facts/readTitle.ts';
import type { Read, Reported } from '../incidents/facts/reported.ts';

export const SIRI_URL = 'https://data.bus-data.dft.gov.uk/api/v1/siri-sx/';

/**
 * `Severity` of a consequence, worst first. "unknown", or no severity, is unrated: medium, or low when it is planned.
 */
const SEVERITIES: Readonly<Record<string, Severity>> = {
  verySevere: 'critical',
  severe: 'high',
  normal: 'medium',
  slight: 'low',
  verySlight: 'low',
  noImpact: 'low',
};
const WORDS_FOR_UNKNOWN: readonly string[] = ['unknown', 'undefined'];

/** `Progress`. A situation without it is open. */
const PROGRESS: Readonly<Record<string, 'shown' | 'over' | 'unpublished'>> = {
  open: 'shown',
  published: 'shown',
  // The situation is about to close, but still in force.
  closing: 'shown',
  closed: 'over',
  draft: 'unpublished',
  pendingApproval: 'unpublished',
  approvedDraft: 'unpublished',
};

const REASONS = ['MiscellaneousReason', 'PersonnelReason', 'EquipmentReason', 'EnvironmentReason'];

/** The most stops of a record: a disruption of a whole network can name a thousand. */
const LISTED_MAX = 20;

const Period = z.object({ start: z.string().optional(), end: z.string().optional() });
type Period = z.infer<typeof Period>;

const Situation = z.object({
  participant: z.string({ error: 'ParticipantRef is missing' }).min(1),
  number: z.string({ error: 'SituationNumber is missing' }).min(1),
  version: z.string().optional(),
  created: z.string().optional(),
  versioned: z.string().optional(),
  progress: z.string().optional(),
  periods: z.array(Period),
  publication: z.array(Period),
  reason: z.string().optional(),
  planned: z.string().optional(),
  summary: z.string().optional(),
  description: z.string().optional(),
  advice: z.string().optional(),
  links: z.array(z.string()),
  conditions: z.array(z.string()),
  severities: z.array(z.string()),
  delays: z.array(z.string()),
  modes: z.array(z.string()),
  operators: z.array(z.string()),
  lines: z.array(z.string()),
  places: z.array(z.string()),
  stops: z.array(z.object({ at: z.number(), name: z.string(), latitude: z.number(), longitude: z.number() })),
  stopCount: z.number(),
  journeys: z.array(
    z.object({
      operator: z.string().optional(),
      line: z.string().optional(),
      direction: z.string().optional(),
      departure: z.string().optional(),
    }),
  ),
});
type Situation = z.infer<typeof Situation>;

export const bodsBus: Collector = {
  source: 'bods-bus',
  publisher: {
    publisher: 'Department for Transport, Bus Open Data Service',
    licence: OGL,
    attribution:
      'Contains public sector information licensed under the Open Government Licence v3.0 (Department for Transport, ' +
      'Bus Open Data Service).',
  },
  everyMinutes: 5,
  maxAgeMinutes: 60,
  settings: [
    { name: 'BODS_API_KEY', required: true, secret: true, about: 'key of a Bus Open Data Service account' },
    {
      name: 'BODS_URL',
      about: `address of the disruptions in SIRI-SX (default ${SIRI_URL})`,
    },
  ],
  absentPolls: 1,
  // Somewhere in the country there is always a disruption.
  neverEmpty: true,

  read: readBus,
  locate: (record) => byPlace(record, { nation: 'England' }),

  async collect({ get, now, settings }): Promise<Collected> {
    const url = URL.parse(settings.BODS_URL || SIRI_URL);
    if (!url) throw new Error('BODS_URL is not an address.');
    url.searchParams.set('api_key', settings.BODS_API_KEY ?? '');

    const found = problems();
    const { items, broken, isPart } = await readDocument((await get(url.href)).body, found);
    const situations = readRecords(
      Situation,
      items,
      found,
      (item, index) => `Situation ${wordOf(fields(item).number) ?? index + 1}`,
      (item) => {
        const { participant, number } = fields(item);
        return wordOf(participant) && wordOf(number) ? `bods-bus:${participant}:${number}` : null;
      },
    );
    if (situations.length === 0 && found.skipped > 0)
      throw new Error(`None of the ${found.skipped} situations can be read: ${found.list[0]}`);

    const ended: string[] = [];
    const shown = newestOfEach(situations).flatMap((situation) => {
      const one = inForce(situation, now, found);
      if (!one) ended.push(idOf(situation));
      return one ?? [];
    });
    const records = [
      ...shown.filter((one) => !isCancellation(one.situation)).map((one) => toRecord(one, found)),
      ...cancelledLines(shown.filter((one) => isCancellation(one.situation))),
    ];
    return {
      records: withoutDuplicates(records, found),
      ...leftOut(found),
      // Situations that are not well-formed XML have no readable id.
      complete: broken === 0 && !isPart && found.skipped <= situations.length,
      ...(ended.length > 0 && { ended }),
    };
  },
};

const wordOf = (value: unknown) => (typeof value === 'string' && value ? value : null);

/** Throws when the document is not a delivery, or is a delivery that failed. */
async function readDocument(body: string, found: Problems) {
  const { root, parts } = splitXml(body, 'PtSituationElement');
  const [delivery] = root.name === 'Siri' ? all(root, 'ServiceDelivery') : [];
  const [situations] = delivery ? all(delivery, 'SituationExchangeDelivery') : [];
  if (!delivery || !situations)
    throw new Error(`The document is not a SIRI situation exchange, but <${root.name}>.`);
  if ([delivery, situations].some((part) => text(part, 'Status') === 'false'))
    throw new Error('The service says that it could not deliver.');

  const isPart = text(delivery, 'MoreData') === 'true';
  if (isPart) found.note('The document is incomplete: the service says that there is more');
  const items: unknown[] = [];
  let broken = 0;
  for (const [index, part] of parts.entries()) {
    try {
      items.push(fieldsOf(readXml(part)));
    } catch (error) {
      broken++;
      found.skip(
        `Situation ${index + 1} left out: ${error instanceof Error ? error.message : String(error)}`,
      );
    }
  }
  return { items, broken, isPart };
}

const plainAll = (node: XmlNode, paths: readonly string[]) => [
  ...new Set(
    paths.flatMap((path) => all(node, path).map((found) => plainText(found.text).replaceAll('_', ' '))),
  ),
];

const periodsOf = (node: XmlNode, name: string) =>
  all(node, name).map((period) => ({ start: text(period, 'StartTime'), end: text(period, 'EndTime') }));

/** The fields as the document gives them, unchecked. */
function fieldsOf(node: XmlNode) {
  const listed = (paths: readonly string[]) => plainAll(node, paths).filter(Boolean);
  const affects = ['Affects', 'Consequences/Consequence/Affects'];
  const below = (path: string) => affects.map((affected) => `${affected}/${path}`);
  const stops = below('StopPoints/AffectedStopPoint').flatMap((path) => all(node, path));
  const journeys = below('VehicleJourneys/AffectedVehicleJourney').flatMap((path) => all(node, path));
  return {
    participant: plainTextAt(node, 'ParticipantRef'),
    number: plainTextAt(node, 'SituationNumber'),
    version: plainTextAt(node, 'Version'),
    created: text(node, 'CreationTime'),
    versioned: text(node, 'VersionedAtTime'),
    progress: text(node, 'Progress'),
    periods: periodsOf(node, 'ValidityPeriod'),
    publication: periodsOf(node, 'PublicationWindow'),
    reason: REASONS.map((reason) => text(node, reason)).find(Boolean),
    planned: text(node, 'Planned'),
    summary: plainTextAt(node, 'Summary'),
    description: plainTextAt(node, 'Description'),
    advice: plainTextAt(node, 'Consequences/Consequence/Advice/Details'),
    links: all(node, 'InfoLinks/InfoLink/Uri').flatMap((uri) => webAddress(uri.text) ?? []),
    conditions: listed(['Consequences/Consequence/Condition']),
    severities: listed(['Consequences/Consequence/Severity']),
    delays: listed(['Consequences/Consequence/Delays/Delay']),
    modes: listed(below('Networks/AffectedNetwork/VehicleMode')),
    operators: listed([
      ...below('Operators/AffectedOperator/OperatorName'),
      ...below('Networks/AffectedNetwork/AffectedLine/AffectedOperator/OperatorName'),
    ]),
    lines: below('Networks/AffectedNetwork/AffectedLine')
      .flatMap((path) => all(node, path))
      .flatMap((line) => lineOf(line) ?? [])
      .filter((line, at, lines) => lines.indexOf(line) === at),
    places: listed(below('Places/AffectedPlace/PlaceName')),
    stops: stops.slice(0, POINTS_MAX).flatMap((stop, at) => {
      const point = toPoint(text(stop, 'Location/Latitude'), text(stop, 'Location/Longitude'));
      return point ? [{ at, name: plainTextAt(stop, 'StopPointName') ?? '', ...point }] : [];
    }),
    stopCount: stops.length,
    journeys: journeys.map((journey) => ({
      operator: plainTextAt(journey, 'Operator/OperatorName') ?? plainTextAt(journey, 'Operator/OperatorRef'),
      line: lineOf(journey),
      direction: plainTextAt(journey, 'DirectionRef'),
      departure: text(journey, 'OriginAimedDepartureTime'),
    })),
  };
}

/** The line as shown on the bus; blanks are published as underscores. */
const lineOf = (node: XmlNode) =>
  (plainTextAt(node, 'PublishedLineName') ?? plainTextAt(node, 'LineRef'))?.replaceAll('_', ' ');

/** The link, if a browser may follow it. */
function webAddress(address: string): string | undefined {
  const url = URL.parse(address);
  return url && /^https?:$/.test(url.protocol) ? url.href : undefined;
}

/** A time without a zone is UTC: the publisher's own examples have such a time beside the same moment at +00:00. */
function utc(time: string | undefined): string | null {
  const said = time?.trim() ?? '';
  return toUtc(/(?:Z|[+-]\d{2}:?\d{2})$/i.test(said) ? said : `${said}Z`);
}

const idOf = ({ participant, number }: Situation) => `bods-bus:${participant}:${number}`;

const changedAt = ({ versioned, created }: Situation) => utc(versioned) ?? utc(created);

/** The newest version of each situation. Call it before ended situations are dropped: a newer version that is closed
 *  also ends the older one. */
function newestOfEach(situations: readonly Situation[]): Situation[] {
  const age = (situation: Situation) => [Number(situation.version) || 0, changedAt(situation) ?? ''] as const;
  const byId = new Map<string, Situation>();
  for (const situation of situations) {
    const kept = byId.get(idOf(situation));
    const [version, changed] = age(situation);
    const [keptVersion, keptChanged] = kept ? age(kept) : [-1, ''];
    if (version > keptVersion || (version === keptVersion && changed >= keptChanged))
      byId.set(idOf(situation), situation);
  }
  return [...byId.values()];
}

interface Shown {
  situation: Situation;
  phase: Phase;
  /** The start of the current period, or of the next one. */
  start: string | null;
  /** The end of the last period; null when it is open. */
  end: string | null;
}

/** Null when the situation is over, or must not be shown now. */
function inForce(situation: Situation, now: Date, found: Problems): Shown | null {
  const { number, progress = 'open' } = situation;
  const standing = Object.hasOwn(PROGRESS, progress) ? PROGRESS[progress] : undefined;
  if (!standing) found.note(`Situation ${number}: unknown Progress "${progress}", judged by its times`);
  if (standing === 'over' || standing === 'unpublished') return null;

  const at = now.toISOString();
  const read = (period: Period) => {
    for (const time of [period.start, period.end]) {
      if (time && !utc(time)) found.note(`Situation ${number}: unreadable time "${time}"`);
    }
    return { start: utc(period.start), end: utc(period.end) };
  };
  const isNow = ({ start, end }: { start: string | null; end: string | null }) =>
    (start === null || start <= at) && (end === null || end > at);
  const publication = situation.publication.map(read);
  if (publication.length > 0 && !publication.some(isNow)) return null;

  const periods = situation.periods.map(read);
  if (periods.length === 0) return { situation, phase: 'active', start: null, end: null };
  const left = periods
    .filter(({ end }) => end === null || end > at)
    .sort((a, b) => ((a.start ?? '') < (b.start ?? '') ? -1 : 1));
  const current = left.find(isNow) ?? left[0];
  if (!current) return null;
  const ends = left.map(({ end }) => end);
  return {
    situation,
    phase: isNow(current) ? 'active' : 'planned',
    start: current.start,
    end: ends.includes(null) ? null : (ends.sort().at(-1) ?? null),
  };
}

/** A journey that does not run, published without any text. */
const isCancellation = ({ summary, journeys, conditions }: Situation) =>
  !summary && journeys.length > 0 && conditions.every((condition) => condition === 'cancelled');

function toRecord({ situation, phase, start, end }: Shown, found: Problems): DisruptionRecord {
  const { number, severities, reason, operators, lines, places, stops, stopCount } = situation;
  const isPlanned = situation.planned === 'true';
  const rated = Object.entries(SEVERITIES).find(([word]) => severities.includes(word));
  for (const word of severities) {
    if (!Object.hasOwn(SEVERITIES, word) && !WORDS_FOR_UNKNOWN.includes(word))
      found.note(`Situation ${number}: unknown severity "${word}"`);
  }

  const affected = [
    lines.length > 0 ? `Lines ${listed(lines)}` : '',
    operators.length > 0 ? listed(operators) : '',
    listed(places),
  ].filter(Boolean);
  // Every stop lies within the disruption; the middle stop is the best guess at its centre.
  const first = stops.filter(({ at }) => at < LISTED_MAX);
  const stop = first[Math.floor(first.length / 2)];
  const minutes = situation.delays.flatMap((delay) => minutesOf(delay) ?? []);
  return {
    event_id: idOf(situation),
    severity: rated?.[1] ?? (isPlanned ? 'low' : 'medium'),
    event_type: eventType(reason),
    title: summaryLine(situation.summary ?? (affected.join('; ') || 'Bus disruption'), 140),
    ...summarised(situation.description ?? situation.advice ?? affected.join('; ')),
    updated_at: changedAt(situation),
    start_time: start ?? utc(situation.created),
    end_time: end,
    phase,
    kind: 'alert',
    latitude: stop?.latitude ?? null,
    longitude: stop?.longitude ?? null,
    shape: pointsShape(stops),
    metadata: {
      ...(!rated && { severity_unrated: true }),
      ...(severities.length > 0 && { upstream_severity: rated?.[0] ?? severities[0] }),
      ...(situation.links.length > 0 && { links: situation.links.map((url) => ({ url })) }),
      ...(stop && { location_method: 'stop' }),
      planned: isPlanned,
      reason: reason ?? null,
      modes: situation.modes,
      operators: operators.slice(0, LISTED_MAX),
      lines: lines.slice(0, LISTED_MAX),
      places: places.slice(0, LISTED_MAX),
      stops: stopCount,
      delay_minutes: minutes.length > 0 ? Math.max(...minutes) : null,
    },
  };
}

/** `roadworks` becomes "bus.roadworks", `staffInWrongPlace` becomes "bus.staff_in_wrong_place". */
function eventType(reason: string | undefined): string {
  if (!reason || reason === 'unknown' || !/^[a-zA-Z]{1,40}$/.test(reason)) return 'bus.disruption';
  return `bus.${reason.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`).replace(/^_/, '')}`;
}

/** `PT1H40M` */
function minutesOf(duration: string): number | null {
  const [, hours = '0', minutes = '0'] = /^PT(?:(\d{1,3})H)?(?:(\d{1,4})M)?(?:\d+S)?$/.exec(duration) ?? [];
  return Number(hours) * 60 + Number(minutes) || null;
}

const NAMED_MAX = 4;

function listed(names: readonly string[]): string {
  const more = names.length - NAMED_MAX;
  return `${names.slice(0, NAMED_MAX).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** One record for each line with cancelled journeys. One record for each journey would fill the board. */
function cancelledLines(shown: readonly Shown[]): DisruptionRecord[] {
  const byLine = new Map<string, Shown[]>();
  for (const one of shown) {
    const { participant, journeys } = one.situation;
    const { operator = '', line = '' } = journeys[0] ?? {};
    const id = `bods-bus:${participant}:cancelled:${operator}:${line}`;
    byLine.set(id, [...(byLine.get(id) ?? []), one]);
  }

  return [...byLine].map(([id, ones]) => {
    const journeys = ones.flatMap(({ situation }) => situation.journeys);
    const { operator, line } = journeys[0] ?? {};
    const times = journeys.flatMap(({ departure }) => utc(departure) ?? []).sort();
    const ends = ones.map(({ end }) => end);
    const changes = ones.flatMap(({ situation }) => changedAt(situation) ?? []).sort();
    const count = counted(journeys.length, 'journey');
    const directions = [...new Set(journeys.flatMap(({ direction }) => direction?.toLowerCase() ?? []))];
    return {
      event_id: id,
      severity: 'low',
      event_type: 'bus.cancellation',
      title: summaryLine(
        `${line ? `Bus ${line}` : 'Bus'}${operator ? ` (${operator})` : ''}: ${count} cancelled`,
      ),
      summary_line: summaryLine(
        [...directions, ...times.slice(0, NAMED_MAX).map((time) => LONDON_CLOCK.format(new Date(time)))].join(
          ', ',
        ),
      ),
      updated_at: changes.at(-1) ?? null,
      start_time: ones.map(({ start }) => start ?? '').sort()[0] || null,
      end_time: ends.includes(null) ? null : (ends.sort().at(-1) ?? null),
      phase: ones.some(({ phase }) => phase === 'active') ? 'active' : 'planned',
      kind: 'alert',
      latitude: null,
      longitude: null,
      metadata: {
        operators: operator ? [operator] : [],
        lines: line ? [line] : [],
        journeys: journeys.length,
      },
    };
  });
}

function readBus(record: Reported): Read | null {
  const read = readTitle(record);
  return read && { ...read, delay_minutes: countIn(record.metadata.delay_minutes) };
}
