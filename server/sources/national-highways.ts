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
import { boundingBox } from '../geography/shapes/geometry.ts';
import { fields, readJson } from '../http/documents/json.ts';
import { toUtc } from '../http/documents/londonTime.ts';
import { headline, plainText, summaryLine, summarised } from '../http/documents/plainText.ts';
import { leftOut, problems, type Problems } from '../http/documents/records.ts';
import { lineShape } from '../geography/shapes/shape.ts';
import type { Collected, Collector, DisruptionRecord, Tools } from '../incidents/collector.ts';
import { withoutDuplicates } from '../incidents/sameRecord.ts';
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
} from './parts/nationalHighwaysReading.ts';
import {
  causeOf,
  lanesClosed,
  listed,
  names,
  readClosure,
  sentences,
} from './parts/nationalHighwaysWording.ts';
import { OGL } from './parts/licences.ts';
import { byPlace } from '../incidents/place/placeByWords.ts';

export const CLOSURES_URL = 'https://api.data.nationalhighways.co.uk/roads/v2.0/closures';

/** Many times what is published; more means that the pages form a loop. */
export const PAGES_MAX = 20;

const EVENT_TYPE: Readonly<Record<Extent, string>> = {
  carriageway: 'road.closure',
  most_lanes: 'road.lane_closure',
  some_lanes: 'road.lane_closure',
  unknown: 'road.restriction',
};

/** England and the ends of roads that cross its borders; a point outside is an error in the data. */
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
      required: false,
      about: `address of the closures service (default ${CLOSURES_URL})`,
    },
  ],
  absentPolls: 1,
  neverEmpty: false,

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

/** `record` null: none of the situation's records is in force or will be. */
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
