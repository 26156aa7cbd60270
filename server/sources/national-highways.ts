/**
 * National Highways: road and lane closures, planned and unplanned, on England's motorways and trunk A roads.
 * https://developer.data.nationalhighways.co.uk (free key), `GET /roads/v2.0/closures?closureType=planned|unplanned`
 *
 * Licence: Open Government Licence v3 (the API does not state it: check before you rely on it). Rhythm: none
 * published; a third party reports a limit of about 10 calls a minute. We ask every 5 minutes. Form: DATEX II v3 as
 * JSON, converted mechanically from XML. A situation holds one or more records (carriageways, days). It becomes one
 * event, described by its worst record in force. End: absence from a complete poll, `suspended` or `ended`, or the
 * end of its window. A record that says `active` is believed after its own end time, because the publisher keeps
 * sending it like that while the closure lasts.
 */
import { capital } from '#contract/incidents/titleForms.ts';
import { boundingBox } from '../geography/shapes/geometry.ts';
import { fields, readJson } from '../http/documents/json.ts';
import { toUtc } from '../http/documents/londonTime.ts';
import { headline, plainText, summaryLine, summarised } from '../http/documents/plainText.ts';
import { leftOut, problems, type Problems } from '../http/documents/records.ts';
import { lineShape } from '../geography/shapes/shape.ts';
import type { Collected, Collector, DisruptionRecord, Tools } from '../incidents/collector.ts';
import { withoutDuplicates } from '../incidents/listedTwice.ts';
import { byWeight, type Extent, grade, type Graded, type Nature } from './parts/nationalHighwaysGrading.ts';
import {
  asList,
  closuresOf,
  codeOf,
  directionOf,
  distinct,
  positionOf,
  readSituations,
  roadsOf,
  type Situation,
  situationsOf,
  under,
  wordsOf,
  type Closure,
} from './parts/nationalHighwaysReading.ts';
import { OGL } from './parts/licences.ts';
import { byPlace } from '../incidents/place/placeByWords.ts';
import { countIn } from '../incidents/facts/lanesAndMinutes.ts';
import { placeIn } from '../incidents/facts/placeWords.ts';
import type { Read, Reported } from '../incidents/facts/reported.ts';
import { readStatement } from '../incidents/facts/titleStatement.ts';
import { isCause, PROGRESS } from '../incidents/facts/vocabulary.ts';
import { textsIn, tidy } from '../incidents/facts/publisherWords.ts';

export const CLOSURES_URL = 'https://api.data.nationalhighways.co.uk/roads/v2.0/closures';

/** Many times the published number of pages; more pages than this form a loop. */
export const PAGES_MAX = 20;

const EVENT_TYPE: Readonly<Record<Extent, string>> = {
  carriageway: 'road.closure',
  most_lanes: 'road.lane_closure',
  some_lanes: 'road.lane_closure',
  unknown: 'road.restriction',
};

/** England and the ends of roads that cross its borders. A point outside is an error in the data. */
const ENGLAND = { north: 56, south: 49.8, east: 2, west: -6.5 };

export const nationalHighways: Collector = {
  source: 'national-highways',
  publisher: {
    publisher: 'National Highways',
    licence: OGL,
    attribution:
      'Contains public sector information licensed under the Open Government Licence v3.0 (National Highways).',
  },
  everyMinutes: 5,
  maxAgeMinutes: 30,
  settings: [
    {
      name: 'NATIONAL_HIGHWAYS_API_KEY',
      required: true,
      secret: true,
      about: 'subscription key of developer.data.nationalhighways.co.uk (free)',
    },
    {
      name: 'NATIONAL_HIGHWAYS_URL',
      about: `address of the closures service (default ${CLOSURES_URL})`,
    },
  ],
  absentPolls: 1,

  read: readClosure,
  locate: (record) => byPlace(record, { nation: 'England' }),

  async collect(tools): Promise<Collected> {
    const found = problems();
    const records: DisruptionRecord[] = [];
    const ended: string[] = [];
    const failures: { nature: Nature; error: unknown }[] = [];
    let complete = true;
    let read = 0;
    for (const nature of ['unplanned', 'planned'] as const) {
      try {
        const { situations, allPages } = await readClosures(nature, tools, found);
        complete &&= allPages;
        const situationsRead = readSituations(situations, found);
        read += situationsRead.length;
        for (const { eventId, record } of toRecords(situationsRead, nature, tools.now, found)) {
          if (record) records.push(record);
          else ended.push(eventId);
        }
      } catch (error) {
        // Only half of the data was read, so this poll ends nothing.
        complete = false;
        failures.push({ nature, error });
        found.note(`The ${nature} closures could not be read: ${messageOf(error)}`);
      }
    }
    if (failures.length === 2) throw allFailed(failures);

    return {
      records: withoutDuplicates(records, found),
      ...leftOut(found),
      // A single odd record must not keep every ended incident on the board. If most are odd, the format has changed.
      complete: complete && (found.skipped === 0 || found.skipped < read),
      ...(ended.length > 0 && { ended }),
    };
  },
};

/** The original failure if both are the same, so that the code that catches it sees its kind. */
function allFailed(failures: readonly { nature: Nature; error: unknown }[]): unknown {
  const [first, second] = failures.map(({ error }) => error);
  if (messageOf(first) === messageOf(second)) return first;
  const each = failures.map(({ nature, error }) => `${nature} closures: ${messageOf(error)}`);
  return new Error(each.join('; '), { cause: first });
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** All pages of one list. Throws when the first page cannot be read; `allPages` is false when a later page cannot. */
async function readClosures(
  nature: Nature,
  { get, settings }: Tools,
  found: Problems,
): Promise<{ situations: unknown[]; allPages: boolean }> {
  const first = new URL(settings.NATIONAL_HIGHWAYS_URL || CLOSURES_URL);
  first.searchParams.set('closureType', nature);
  const key = settings.NATIONAL_HIGHWAYS_API_KEY;
  const headers = {
    ...(key && { 'Ocp-Apim-Subscription-Key': key }),
    // With `Accept: application/json` alone the service answers in XML.
    Accept: 'application/json',
    'X-Response-MediaType': 'application/json',
    'X-Data-Format': 'DATEXII',
  };

  const situations: unknown[] = [];
  const asked = new Set<string>();
  let url = first;
  for (;;) {
    asked.add(url.href);
    let next: string | undefined;
    try {
      const reply = await get(url.href, headers);
      situations.push(...situationsOf(readJson(reply.body)));
      next = reply.headers['x-next']?.trim();
    } catch (error) {
      if (asked.size === 1) throw error;
      found.note(`Page ${asked.size} of the ${nature} closures could not be read: ${messageOf(error)}`);
      return { situations, allPages: false };
    }
    if (!next) return { situations, allPages: true };

    const refusal = whyNotFollow(next, url, asked);
    if (refusal) {
      found.note(`The ${nature} closures were read up to page ${asked.size}: ${refusal}`);
      return { situations, allPages: false };
    }
    url = new URL(next, url);
  }
}

/** Why the next page must not be requested: our key is sent with it, so it must be at the same service. Undefined:
 *  follow the link. */
function whyNotFollow(next: string, from: URL, asked: ReadonlySet<string>): string | undefined {
  const url = URL.canParse(next, from.href) ? new URL(next, from) : null;
  const isSafe = from.protocol === 'https:' || ['127.0.0.1', '[::1]', 'localhost'].includes(from.hostname);
  if (!url || !isSafe || url.origin !== from.origin || url.pathname !== from.pathname || url.username)
    return 'the next page is at another address and was not requested';
  if (asked.has(url.href)) return 'the next page has already been read';
  if (asked.size >= PAGES_MAX) return 'there are more pages than we read';
  return undefined;
}

/** `record` is null when none of the situation's records is or will be in force. */
function toRecords(
  situations: readonly Situation[],
  asked: Nature,
  now: Date,
  found: Problems,
): { eventId: string; record: DisruptionRecord | null }[] {
  return situations.flatMap((situation) => {
    const id = plainText(situation.idG);
    const eventId = `national-highways:${id}`;
    const closures = closuresOf(situation, found);
    const graded = closures.flatMap((closure) => grade(closure, { id, asked, now, found }) ?? []);
    const worst = graded.toSorted(byWeight)[0];
    if (!worst) return { eventId, record: null };
    const changes = graded.map(({ closure }) => toUtc(closure.situationRecordVersionTime));
    const updated = changes
      .filter((time) => time !== null)
      .sort()
      .at(-1);
    return {
      eventId,
      record: toRecord(worst, { id, updated: updated ?? toUtc(situation.situationVersionTime), found }),
    };
  });
}

function toRecord(
  { closure, nature, phase, trusted, start, end, severity, worst }: Graded,
  { id, updated, found }: { id: string; updated: string | null; found: Problems },
): DisruptionRecord {
  const roads = roadsOf(closure);
  const direction = directionOf(closure);
  const comments = distinct(
    asList(closure.generalPublicComment).map((comment) => wordsOf(fields(comment).comment ?? comment)),
  );
  const places = distinct(under(closure.locationReference, 'locationDescription').map(wordsOf));
  const cause = causeOf(closure);
  const type = plainText(codeOf(closure.roadOrCarriagewayOrLaneManagementType));
  const isUnrated = worst.extent === 'unknown' && nature === 'unplanned' && phase === 'active';

  const { point, lines, isOwnPoint } = positionOf(closure);
  const isInEngland =
    point !== null &&
    point.latitude <= ENGLAND.north &&
    point.latitude >= ENGLAND.south &&
    point.longitude <= ENGLAND.east &&
    point.longitude >= ENGLAND.west;
  if (point && !isInEngland) found.note(`Situation ${id}: its position lies outside England and is not used`);
  const bounds = isInEngland ? boundingBox(lines.flat()) : null;

  const what = worst.extent === 'carriageway' && worst.isSlipRoad ? 'Slip road closed' : lanesClosed(worst);
  const where = [roads[0], direction].filter(Boolean).join(' ');
  const [said, further] = headline(comments[0] || places[0] || what);

  return {
    event_id: `national-highways:${id}`,
    severity,
    event_type: EVENT_TYPE[worst.extent],
    title: summaryLine(!where || names(said, roads[0]) ? said : `${where}: ${said}`),
    ...summarised(
      sentences([
        further,
        listed(places.filter((place) => place !== said)),
        what === said ? '' : what,
        cause && `Cause: ${cause}`,
        ...comments.slice(1),
      ]),
    ),
    updated_at: updated,
    start_time: start ?? toUtc(closure.situationRecordCreationTime),
    end_time: end,
    phase,
    kind: 'alert',
    latitude: isInEngland ? point.latitude : null,
    longitude: isInEngland ? point.longitude : null,
    shape: isInEngland ? lineShape(lines) : null,
    metadata: {
      ...(isUnrated && { severity_unrated: true }),
      ...(type && { upstream_severity: type }),
      validity_status: plainText(closure.validity.validityStatus ?? '') || null,
      // The end time can pass while the publisher still calls the record active.
      ...(trusted && { trust_status: true }),
      closure_type: nature,
      roads,
      direction: direction || null,
      slip_road: worst.isSlipRoad,
      lanes_restricted: worst.restricted,
      lanes_operational: worst.operational,
      cause: cause || null,
      places,
      ...(isInEngland && !isOwnPoint && { location_method: 'stretch' }),
      ...(bounds && { bounding_box: bounds }),
    },
  };
}

/** Words for the closed part of a road. */
const WHAT_IS_CLOSED: Readonly<Record<Extent, string>> = {
  carriageway: 'Carriageway closed',
  most_lanes: 'Lanes closed',
  some_lanes: 'Lanes closed',
  unknown: 'Restrictions in place',
};

function lanesClosed({ extent, restricted, operational }: Graded['worst']): string {
  return extent !== 'carriageway' && restricted && operational !== null
    ? `${restricted} of ${restricted + operational} lanes closed`
    : WHAT_IS_CLOSED[extent];
}

/** The detailed cause when it says more than "other": `brokenDownVehicle` becomes "broken down vehicle". */
function causeOf({ cause }: Closure): string {
  const detailed = asList(Object.values(fields(cause?.detailedCauseType))[0]).map(codeOf)[0] ?? '';
  const code = detailed && !/^other/i.test(detailed) ? detailed : (cause?.causeType ?? '');
  if (/^other/i.test(code)) return '';
  return plainText(code)
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase();
}

/** Whether a text names the road. "M62A" does not name the M62. */
function names(text: string, road: string | undefined): boolean {
  return text
    .toUpperCase()
    .split(/[^\w()]+/)
    .includes(road?.toUpperCase() ?? '');
}

function sentences(parts: readonly string[]): string {
  return parts
    .filter(Boolean)
    .map(capital)
    .map((part) => (/[.!?]$/.test(part) ? part : `${part}.`))
    .join(' ');
}

const PLACES_NAMED = 2;

function listed(places: readonly string[]): string {
  const more = places.length - PLACES_NAMED;
  return `${places.slice(0, PLACES_NAMED).join('; ')}${more > 0 ? `; and ${more} more` : ''}`;
}

/** Reads the comment, and the fields that say more: junctions, lanes, cause. */
function readClosure(record: Reported): Read | null {
  const { metadata } = record;
  const said = readStatement(record.title);
  if (!said) return null;
  const closed = countIn(metadata.lanes_restricted);
  const open = countIn(metadata.lanes_operational);
  const of = closed !== null && open !== null ? closed + open : null;
  const lanes = closed && of && open ? { closed, of } : null;
  const isClosed = metadata.upstream_severity === 'carriagewayClosures' || (open === 0 && closed !== 0);
  const byFields = isClosed ? 'closed' : lanes ? `${lanes.closed} of ${lanes.of} lanes closed` : null;
  const own = said.effect && !said.isCauseOnly ? said.effect : null;
  // "lanes 1 and 2 closed" does not say how many lanes there are.
  const effect =
    own && lanes ? own.replace(/^(lanes? \d(?:(?:, | and )\d)*) closed/, `$1 of ${lanes.of} closed`) : own;
  const cause = said.isCauseOnly ? joinedCause(said.effect, said.cause) : said.cause;
  const byField = causeByField(metadata.cause);
  const because = cause && byField && PROGRESS.test(cause) ? `${byField}, ${cause}` : (cause ?? byField);
  return {
    place: placeByFields(said.place, metadata),
    effect: effect ?? byFields ?? because,
    cause: (effect || byFields) && !effect?.includes(because ?? ' ') ? because : null,
    lanes,
  };
}

/** DATEX codes in the words of a traffic officer. */
const CODES: Readonly<Record<string, string>> = {
  'road improvement or upgrading': 'roadworks',
  'maintenance work': 'maintenance',
  'resurfacing work': 'resurfacing',
  'animal presence': 'animals on the road',
  'overturned heavy lorry': 'overturned lorry',
};

function causeByField(code: unknown): string | null {
  if (typeof code !== 'string' || code.length > 60) return null;
  return Object.hasOwn(CODES, code)
    ? CODES[code]!
    : isCause(code) && !/\boperation\b/.test(code)
      ? code
      : null;
}

const joinedCause = (one: string | null, other: string | null) =>
  [one, other].filter(Boolean).join(', ') || null;

/** The place in the title, or the longer one in the location's description when the title gives only the road. */
function placeByFields(said: string | null, metadata: Reported['metadata']): string | null {
  const [first] = textsIn(metadata.places);
  const described = first ? placeIn(tidy(first)) : null;
  if (!said || !described) return said ?? described;
  if (!/^\S+(?: Toll)?(?: (?:\w+bound|(?:anti-)?clockwise|both ways))?$/.test(said)) return said;
  return described.startsWith(said.split(' ')[0]!)
    ? described
    : `${said}, ${described.charAt(0).toLowerCase()}${described.slice(1)}`;
}
