/**
 * National Highways: road and lane closures, planned and unplanned, on England's motorways and trunk A roads.
 * https://developer.data.nationalhighways.co.uk (free key), `GET /roads/v2.0/closures?closureType=planned|unplanned`
 *
 * Licence: Open Government Licence v3 (not stated with the API: check before relying on it).
 * Rhythm: none published; a third party reports a limit of about 10 calls a minute. We ask every 5 minutes.
 * Form: DATEX II v3 as JSON, converted mechanically from XML. A situation holds one or more records (carriageways,
 * days). It becomes one event, described by its worst record in force.
 * End: absence from a complete poll, `suspended` or `ended`, or the end of its window. A record that says `active` is
 * believed after its own end time: the publisher keeps sending it like that while the closure lasts.
 */
import { z } from 'zod';
import { boundingBox, toPoint, type Point } from '../reading/geometry.ts';
import { fields, readJson } from '../reading/json.ts';
import { toUtc } from '../reading/londonTime.ts';
import { headline, plainText, summaryLine, summarised } from '../reading/plainText.ts';
import { leftOut, problems, readRecords, type Problems } from '../reading/records.ts';
import { lineShape } from '../reading/shape.ts';
import { type Phase, Severity, severityRank } from '#contract/disruptions.ts';
import type { Collected, Collector, DisruptionRecord, Tools } from '../incidents/collector.ts';
import { withoutDuplicates } from '../incidents/sameRecord.ts';

export const CLOSURES_URL = 'https://api.data.nationalhighways.co.uk/roads/v2.0/closures';

/** Many times what is published; more means that the pages form a loop. */
export const PAGES_MAX = 20;

type Nature = 'planned' | 'unplanned';

/** What is closed, worst first. The publisher gives no grade. */
type Extent = 'carriageway' | 'most_lanes' | 'some_lanes' | 'unknown';

/** For closures that have begun; those that have not are low. */
const SEVERITY: Readonly<Record<Nature, Readonly<Record<Extent, Severity>>>> = {
  unplanned: {
    // `carriagewayClosures`, or `numberOfOperationalLanes` 0; critical on a motorway.
    carriageway: 'high',
    // `laneClosures` with at least as many lanes restricted as operational.
    most_lanes: 'high',
    some_lanes: 'medium',
    // `other` without any lane count: shown as unrated.
    unknown: 'medium',
  },
  planned: { carriageway: 'medium', most_lanes: 'low', some_lanes: 'low', unknown: 'low' },
};
const EXTENTS: readonly Extent[] = ['carriageway', 'most_lanes', 'some_lanes', 'unknown'];

const EVENT_TYPE: Readonly<Record<Extent, string>> = {
  carriageway: 'road.closure',
  most_lanes: 'road.lane_closure',
  some_lanes: 'road.lane_closure',
  unknown: 'road.restriction',
};

/** `validityStatus`: how to decide whether a record is in force. */
const VALIDITY: Readonly<Record<string, 'ended' | 'trusted' | 'window'>> = {
  active: 'trusted',
  suspended: 'ended',
  ended: 'ended',
  planned: 'window',
  definedByValidityTimeSpec: 'window',
};

/** `source.sourceIdentification`: who entered it. */
const NATURE_BY_SOURCE: readonly (readonly [RegExp, Nature])[] = [
  [/road\s*works/i, 'planned'],
  [/incident/i, 'unplanned'],
];

/** `cause.causeType`; causes not listed here (such as `authorityOperation`) can be either. */
const NATURE_BY_CAUSE: Readonly<Record<string, Nature>> = {
  roadMaintenance: 'planned',
  constructionWork: 'planned',
  publicEvent: 'planned',
  accident: 'unplanned',
  abnormalTraffic: 'unplanned',
  animalPresence: 'unplanned',
  environmentalObstruction: 'unplanned',
  equipmentOrSystemFault: 'unplanned',
  generalObstruction: 'unplanned',
  infrastructureDamageObstruction: 'unplanned',
  obstruction: 'unplanned',
  poorEnvironment: 'unplanned',
  vehicleObstruction: 'unplanned',
};

const MOTORWAY = /^(?:M\d+|A\d+\s*\(?M\)?)$/i;

/** England and the ends of roads that cross its borders; a point outside is an error in the data. */
const ENGLAND = { north: 56, south: 49.8, east: 2, west: -6.5 };

const Text = z.string().nullish().catch(null);

const Situation = z.object({
  idG: z.union([z.string().trim().min(1), z.number()]).transform(String),
  situationVersionTime: Text,
  situationRecord: z.unknown().optional(),
});
type Situation = z.infer<typeof Situation>;

const Closure = z.object({
  situationRecordCreationTime: Text,
  situationRecordVersionTime: Text,
  validity: z
    .object({
      validityStatus: Text,
      validityTimeSpecification: z
        .object({ overallStartTime: Text, overallEndTime: Text })
        .nullish()
        .catch(null),
    })
    .refine(
      ({ validityStatus, validityTimeSpecification: window }) =>
        validityStatus || window?.overallStartTime || window?.overallEndTime,
      'says neither a status nor a time',
    ),
  source: z.object({ sourceIdentification: Text }).nullish().catch(null),
  cause: z.object({ causeType: Text, detailedCauseType: z.unknown().optional() }).nullish().catch(null),
  generalPublicComment: z.unknown().optional(),
  roadOrCarriagewayOrLaneManagementType: z.unknown().optional(),
  locationReference: z.unknown().optional(),
});
type Closure = z.infer<typeof Closure>;

export const nationalHighways: Collector = {
  source: 'national-highways',
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
      required: false,
      about: `address of the closures service (default ${CLOSURES_URL})`,
    },
  ],
  absentPolls: 1,
  neverEmpty: false,

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
        // Half of the data is shown as half: this poll ends nothing.
        complete = false;
        failures.push({ nature, error });
        found.note(`The ${nature} closures could not be read: ${messageOf(error)}`);
      }
    }
    if (failures.length === 2) throw allFailed(failures);

    return {
      records: withoutDuplicates(records, found),
      ...leftOut(found),
      // One odd record must not keep everything that has ended on the board; if most are odd, the format has changed.
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

/** All pages of one list. Throws when the first cannot be read; `allPages` is false when a later one cannot. */
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
    // The service answers `Accept: application/json` alone with XML.
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

/** Our key is sent with the request for the next page, so it must be the same service. Undefined: follow it. */
function whyNotFollow(next: string, from: URL, asked: ReadonlySet<string>): string | undefined {
  const url = URL.canParse(next, from.href) ? new URL(next, from) : null;
  const isSafe = from.protocol === 'https:' || ['127.0.0.1', '[::1]', 'localhost'].includes(from.hostname);
  if (!url || !isSafe || url.origin !== from.origin || url.pathname !== from.pathname || url.username)
    return 'the next page is at another address and was not requested';
  if (asked.has(url.href)) return 'the next page has already been read';
  if (asked.size >= PAGES_MAX) return 'there are more pages than we read';
  return undefined;
}

function situationsOf(document: unknown): unknown[] {
  const { D2Payload } = fields(document);
  const { feedType, publicationTime, situation } = fields(D2Payload);
  if (feedType === undefined && publicationTime === undefined) {
    throw new Error('The document is not a DATEX II publication: it has no D2Payload with a feedType.');
  }
  return asList(situation);
}

function readSituations(situations: readonly unknown[], found: Problems): Situation[] {
  const idOf = (item: unknown) => {
    const { idG } = fields(item);
    return typeof idG === 'string' || typeof idG === 'number' ? plainText(String(idG)) : '';
  };
  const read = readRecords(
    Situation,
    situations,
    found,
    (item, index) => `Situation ${idOf(item) || index + 1}`,
    (item) => (idOf(item) ? `national-highways:${idOf(item)}` : null),
  );
  if (read.length === 0 && situations.length > 0) {
    throw new Error(`None of the ${situations.length} situations can be read: ${found.list.at(-1)}`);
  }
  return read;
}

/** `record` null: none of the situation's records is in force or will be. */
function toRecords(
  situations: readonly Situation[],
  asked: Nature,
  now: Date,
  found: Problems,
): { eventId: string; record: DisruptionRecord | null }[] {
  return situations.flatMap(({ idG, situationVersionTime, situationRecord }) => {
    const id = plainText(idG);
    const wrapped = asList(situationRecord);
    const eventId = `national-highways:${id}`;
    if (wrapped.length === 0) found.skip(`Situation ${id} left out: it has no record`, eventId);
    const closures = readRecords(
      Closure,
      wrapped.map(unwrapped),
      found,
      (_, index) => (wrapped.length > 1 ? `Record ${index + 1} of situation ${id}` : `Situation ${id}`),
      () => eventId,
    );

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
      record: toRecord(worst, { id, updated: updated ?? toUtc(situationVersionTime), found }),
    };
  });
}

/** A record is wrapped in an object named after its kind: `{ sitRoadOrCarriagewayOrLaneManagement: { ... } }`. */
function unwrapped(wrapper: unknown): unknown {
  const parts = fields(wrapper);
  if ('validity' in parts) return parts;
  return (
    Object.values(parts).find((part) => 'validity' in fields(part)) ?? Object.values(parts)[0] ?? wrapper
  );
}

interface Graded {
  closure: Closure;
  nature: Nature;
  phase: Phase;
  trusted: boolean;
  start: string | null;
  end: string | null;
  severity: Severity;
  worst: Carriageway & { extent: Extent };
}

/** Null when it is not in force and will not be. */
function grade(
  closure: Closure,
  { id, asked, now, found }: { id: string; asked: Nature; now: Date; found: Problems },
): Graded | null {
  const { validityStatus, validityTimeSpecification: window } = closure.validity;
  const start = toUtc(window?.overallStartTime);
  const end = toUtc(window?.overallEndTime);
  for (const time of [window?.overallStartTime, window?.overallEndTime]) {
    if (time && !toUtc(time)) found.note(`Situation ${id}: unreadable time "${time}"`);
  }

  const status = validityStatus ?? 'definedByValidityTimeSpec';
  const validity = Object.hasOwn(VALIDITY, status) ? VALIDITY[status] : undefined;
  if (!validity) found.note(`Situation ${id}: unknown validityStatus "${status}", judged by its times`);
  if (validity === 'ended') return null;

  const trusted = validity === 'trusted';
  if (!trusted && end && Date.parse(end) <= now.getTime()) return null;
  const phase = !trusted && start && Date.parse(start) > now.getTime() ? 'planned' : 'active';
  const nature = natureOf(closure) ?? asked;
  const isMotorway = roadsOf(closure).some((road) => MOTORWAY.test(road));
  const rated = carriagewaysOf(closure).map((carriageway) => {
    const extent = extentOf(closure, carriageway);
    return {
      ...carriageway,
      extent,
      severity: severityOf({ nature, phase, extent, isMotorway, ...carriageway }),
    };
  });
  // carriagewaysOf returns at least one.
  const worst = rated.toSorted(
    (a, b) =>
      severityRank(a.severity) - severityRank(b.severity) ||
      EXTENTS.indexOf(a.extent) - EXTENTS.indexOf(b.extent),
  )[0]!;
  return { closure, nature, phase, trusted, start, end, severity: worst.severity, worst };
}

/** Begun before not begun, then the worst first, then the earliest start. */
function byWeight(a: Graded, b: Graded): number {
  return (
    Number(b.phase === 'active') - Number(a.phase === 'active') ||
    severityRank(a.severity) - severityRank(b.severity) ||
    (a.start ?? '').localeCompare(b.start ?? '')
  );
}

function severityOf(of: {
  nature: Nature;
  phase: Phase;
  extent: Extent;
  isMotorway: boolean;
  isSlipRoad: boolean;
}): Severity {
  if (of.phase === 'planned') return 'low';
  const severity =
    of.nature === 'unplanned' && of.extent === 'carriageway' && of.isMotorway
      ? 'critical'
      : SEVERITY[of.nature][of.extent];
  // The types are also used for a slip road, which closes no through road.
  return of.isSlipRoad ? (Severity.options[severityRank(severity) + 1] ?? 'low') : severity;
}

function extentOf(closure: Closure, { restricted, operational }: Carriageway): Extent {
  const type = codeOf(closure.roadOrCarriagewayOrLaneManagementType);
  if (type === 'carriagewayClosures' || (operational === 0 && restricted !== 0)) return 'carriageway';
  if (restricted && operational !== null) return restricted >= operational ? 'most_lanes' : 'some_lanes';
  return restricted || type === 'laneClosures' ? 'some_lanes' : 'unknown';
}

/** From the record's own fields. Null when they do not say; then the list it came from decides. */
function natureOf(closure: Closure): Nature | null {
  const source = closure.source?.sourceIdentification ?? '';
  const bySource = NATURE_BY_SOURCE.find(([words]) => words.test(source))?.[1];
  if (bySource) return bySource;
  if (closure.validity.validityStatus === 'planned') return 'planned';

  const cause = closure.cause?.causeType ?? '';
  return Object.hasOwn(NATURE_BY_CAUSE, cause) ? NATURE_BY_CAUSE[cause]! : null;
}

interface Carriageway {
  isSlipRoad: boolean;
  /** Numbers of lanes; null where not given. */
  restricted: number | null;
  operational: number | null;
}

/** At least one: a closure without any description of its carriageway counts as unknown. */
function carriagewaysOf(closure: Closure): Carriageway[] {
  const found = under(closure.locationReference, 'supplementaryPositionalDescription')
    .flatMap((description) => asList(fields(description).carriageway))
    .map((carriageway) => {
      const { carriageway: kind, carriagewayExtensionG } = fields(carriageway);
      const impact = fields(fields(carriagewayExtensionG).impactOnCarriageway);
      return {
        isSlipRoad: /slip/i.test(codeOf(kind)),
        restricted: count(impact.numberOfLanesRestricted),
        operational: count(impact.numberOfOperationalLanes),
      };
    });
  if (found.length > 0) return found;

  const elements = under(closure.locationReference, 'linearElementType').map(codeOf);
  const isSlipRoad = elements.length > 0 && elements.every((element) => /slip/i.test(element));
  return [{ isSlipRoad, restricted: null, operational: null }];
}

function count(value: unknown): number | null {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isInteger(number) && number >= 0 ? number : null;
}

function roadsOf(closure: Closure): string[] {
  return distinct(under(closure.locationReference, 'roadName').map(wordsOf));
}

/** "northbound", also from the publisher's own "souththbound"; '' when there are several or none. */
function directionOf(closure: Closure): string {
  const codes = [
    ...under(closure.locationReference, 'directionOnLinearSection'),
    ...under(closure.locationReference, 'directionAtPoint'),
  ].map(codeOf);
  const directions = distinct(
    codes.map((code) => {
      const compass = /^(north|south|east|west)(?!east|west)/i.exec(code)?.[1];
      if (compass) return `${compass.toLowerCase()}bound`;
      return (
        /^(anti-?)?clockwise$/i
          .exec(code)?.[0]
          .replace(/^anti-?/i, 'anti-')
          .toLowerCase() ?? ''
      );
    }),
  );
  return directions.length === 1 ? directions[0]! : '';
}

/** Point and line are read wherever they occur: alone, or in a group of locations. */
function positionOf(closure: Closure): { point: Point | null; lines: Point[][]; isOwnPoint: boolean } {
  const own = under(closure.locationReference, 'pointCoordinates')
    .map((coordinates) => toPoint(fields(coordinates).latitude, fields(coordinates).longitude))
    .find((point) => point !== null);
  const lines = under(closure.locationReference, 'locGmlLineString').map(lineOf);
  const longest = lines.toSorted((a, b) => b.length - a.length)[0] ?? [];
  // The middle vertex lies on the road; the midpoint between the ends may not.
  const point = own ?? longest[Math.floor(longest.length / 2)] ?? null;
  return { point, lines, isOwnPoint: own !== undefined };
}

/** `posList`: numbers in the order latitude, longitude (and height where the dimension is 3). */
function lineOf(lineString: unknown): Point[] {
  const { posList, srsDimension } = fields(lineString);
  const numbers = Array.isArray(posList) ? posList : wordsOf(posList).split(' ');
  const dimension = count(srsDimension) === 3 ? 3 : 2;
  const points: Point[] = [];
  for (let at = 0; at + 1 < numbers.length; at += dimension) {
    const point = toPoint(numbers[at], numbers[at + 1]);
    if (point) points.push(point);
  }
  return points;
}

const WHAT_IS_CLOSED: Readonly<Record<Extent, string>> = {
  carriageway: 'Carriageway closed',
  most_lanes: 'Lanes closed',
  some_lanes: 'Lanes closed',
  unknown: 'Restrictions in place',
};

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
      // Its end time can pass while the publisher still calls it active.
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

function lanesClosed({ extent, restricted, operational }: Graded['worst']): string {
  return extent !== 'carriageway' && restricted && operational !== null
    ? `${restricted} of ${restricted + operational} lanes closed`
    : WHAT_IS_CLOSED[extent];
}

/** The detailed cause where it says more than "other": `brokenDownVehicle` becomes "broken down vehicle". */
function causeOf({ cause }: Closure): string {
  const detailed = asList(Object.values(fields(cause?.detailedCauseType))[0]).map(codeOf)[0] ?? '';
  const code = detailed && !/^other/i.test(detailed) ? detailed : (cause?.causeType ?? '');
  if (/^other/i.test(code)) return '';
  return plainText(code)
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase();
}

/** Whether a text names the road: "M62A" does not name the M62. */
function names(text: string, road: string | undefined): boolean {
  return text
    .toUpperCase()
    .split(/[^\w()]+/)
    .includes(road?.toUpperCase() ?? '');
}

function sentences(parts: readonly string[]): string {
  return parts
    .filter(Boolean)
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .map((part) => (/[.!?]$/.test(part) ? part : `${part}.`))
    .join(' ');
}

const PLACES_NAMED = 2;

function listed(places: readonly string[]): string {
  const more = places.length - PLACES_NAMED;
  return `${places.slice(0, PLACES_NAMED).join('; ')}${more > 0 ? `; and ${more} more` : ''}`;
}

function distinct(texts: readonly string[]): string[] {
  return [...new Set(texts.filter(Boolean))];
}

/** JSON converted from XML can give a list of one as the item itself, and an empty list as nothing. */
function asList(value: unknown): unknown[] {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? value : [value];
}

/** DATEX codes: `"x"`, `{ value: "x" }`, or `{ value: "extendedG", extendedValueG: "x" }`. */
function codeOf(value: unknown): string {
  if (typeof value === 'string') return value.trim();
  const { value: code, extendedValueG } = fields(value);
  const chosen = code === 'extendedG' ? extendedValueG : code;
  return typeof chosen === 'string' ? chosen.trim() : '';
}

/** DATEX texts: `"x"`, or `{ values: [{ lang, value: "x" }] }`. Plain. */
function wordsOf(value: unknown): string {
  if (typeof value === 'string') return plainText(value);
  const { values, value: inner } = fields(value);
  const first = inner ?? fields(asList(fields(values).value ?? values)[0]).value ?? asList(values)[0];
  return typeof first === 'string' ? plainText(first) : '';
}

/** The payload is about a dozen levels deep; anything deeper than this is not a real one. */
const DEPTH_MAX = 40;

/** All values of a field at any depth below, in document order. */
function under(value: unknown, name: string, depth = 0): unknown[] {
  if (depth > DEPTH_MAX || typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, part]) =>
    key === name && !Array.isArray(value) ? asList(part) : under(part, name, depth + 1),
  );
}
