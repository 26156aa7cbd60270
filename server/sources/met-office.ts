/**
 * Met Office: severe weather warnings for the United Kingdom, the National Severe Weather Warning Service (NSWWS).
 * Attribution: "Contains Met Office data © Crown copyright".
 *
 * The same warnings are published in three forms. We ask for exactly one of them, or each warning would appear twice.
 * The form is recognised from the answer itself:
 * - MeteoAlarm, without a key, the default: Atom with CAP 1.2 elements, all warnings in one document. Its licence is
 *   stated in the feed: "terms equivalent to CC BY 4.0", with conditions for redistribution.
 * - NSWWS public API, with a key on application (terms of its own): an Atom index of the changes of about a day,
 *   whose feed-level `related` link leads to the GeoJSON of all warnings now issued. Rhythm: every 1 to 2 minutes.
 * - RSS, without a key and undocumented, set by MET_OFFICE_URL: one item per region, without ids or years.
 *
 * A day without warnings is normal. A warning that is not yet valid is planned, and shown on purpose. End: status
 * cancelled or expired, validity over (expired warnings stay listed for a while), or absence; for RSS, absence from
 * two polls. https://www.metoffice.gov.uk/services/data/business-data/national-severe-weather-warning-service
 */
import { phaseAt } from '../incidents/phase.ts';
import { boundingBox, pointInside } from '../geography/shapes/geometry.ts';
import { summaryLine, summarised } from '../http/documents/plainText.ts';
import { isMostlyRead, leftOut, problems, type Problems } from '../http/documents/records.ts';
import { areaShape } from '../geography/shapes/shape.ts';
import { all, attribute, readXmlList, type XmlNode } from '../http/documents/xml.ts';
import type { Collected, Collector, DisruptionRecord, Tools } from '../incidents/collector.ts';
import { severityOf, listed, validity, readWarning } from './parts/metOfficeWording.ts';
import { namesMeteoAlarm, readCap, readGeoJson, readRss, type Warning } from './parts/metOfficeReading.ts';

export const METEOALARM_URL = 'https://feeds.meteoalarm.org/feeds/meteoalarm-legacy-atom-united-kingdom';

export const NSWWS_URL = 'https://prd.nswws.api.metoffice.gov.uk/v1.0/objects/feed';

const NSWWS_HEADER = 'x-api-key';

/** The page on which people read the warnings. */
const WARNINGS_PAGE = 'https://www.metoffice.gov.uk/weather/warnings-and-advice/uk-warnings';

export const metOffice: Collector = {
  source: 'met-office',
  publisher: {
    publisher: 'Met Office',
    licence: { name: 'Terms equivalent to CC BY 4.0 (MeteoAlarm), or the Met Office’s own', url: null },
    attribution: 'Contains Met Office data © Crown copyright.',
  },
  everyMinutes: 5,
  maxAgeMinutes: 60,
  settings: [
    {
      name: 'MET_OFFICE_URL',
      about: `address of the warnings without a key, MeteoAlarm or RSS (default ${METEOALARM_URL})`,
    },
    {
      name: 'MET_OFFICE_NSWWS_KEY',
      secret: true,
      about: 'key of the NSWWS public API; when it is set, that is asked instead',
    },
    {
      name: 'MET_OFFICE_NSWWS_URL',
      about: `address of the NSWWS index (default ${NSWWS_URL})`,
    },
    {
      name: 'MET_OFFICE_NSWWS_HEADER',
      about: `name of the header that carries the NSWWS key (default ${NSWWS_HEADER})`,
    },
  ],
  absentPolls: 1,

  read: readWarning,

  async collect(tools): Promise<Collected> {
    const found = problems();
    const { settings, now } = tools;
    const url = settings.MET_OFFICE_NSWWS_KEY
      ? nswwsUrl(settings)
      : settings.MET_OFFICE_URL || METEOALARM_URL;
    const { body } = await tools.get(url, headers(settings));
    const { warnings, complete, absentPolls } = await readDocument(body, tools, found);
    if (warnings.length === 0 && found.skipped > 0) {
      throw new Error(`None of the ${found.skipped} warnings can be read: ${found.list[0]}`);
    }

    const { records, ended } = toRecords(warnings, now, found);
    return {
      records,
      ...leftOut(found),
      complete: complete && isMostlyRead(found, warnings.length),
      ...(ended.length > 0 && { ended }),
      ...(absentPolls && { absentPolls }),
    };
  },
};

type Settings = Tools['settings'];

const nswwsUrl = (settings: Settings) => settings.MET_OFFICE_NSWWS_URL || NSWWS_URL;

function headers(settings: Settings): Record<string, string> {
  const key = settings.MET_OFFICE_NSWWS_KEY;
  return {
    // MeteoAlarm answers 406 to any narrower value.
    Accept: '*/*',
    ...(key && { [settings.MET_OFFICE_NSWWS_HEADER || NSWWS_HEADER]: key }),
  };
}

interface Read {
  warnings: Warning[];
  complete: boolean;
  absentPolls?: 2;
}

/** Throws when the document has none of the three forms. */
async function readDocument(body: string, tools: Tools, found: Problems): Promise<Read> {
  if (/^\s*[[{]/.test(body)) return { warnings: readGeoJson(body, found), complete: true };

  const root = readXmlList(body, '(?:entry|item)', found.tear);
  if (root.name === 'rss') {
    return { warnings: readRss(root, tools.now, found), complete: true, absentPolls: 2 };
  }
  if (root.name !== 'feed') throw new Error(`The document is neither Atom nor RSS, but <${root.name}>.`);

  const isCap = all(root, 'entry').some((entry) => all(entry, 'identifier').length > 0);
  const issued = linkToIssued(root);
  if (!isCap && issued !== undefined) return readIndex(root, issued, tools, found);
  if (isCap || namesMeteoAlarm(root)) return { warnings: readCap(root, found), complete: true };
  throw new Error('The document is an Atom feed, but not one of weather warnings.');
}

function linkToIssued(feed: XmlNode): string | undefined {
  const related = all(feed, 'link').filter((link) => attribute(link, 'rel') === 'related');
  const geoJson = related.find((link) => /geo\+?json/i.test(attribute(link, 'type') ?? ''));
  return geoJson && attribute(geoJson, 'href');
}

/** The index lists only changes. All warnings in force are behind its link, even on a day without changes. */
async function readIndex(feed: XmlNode, link: string, tools: Tools, found: Problems): Promise<Read> {
  const index = new URL(nswwsUrl(tools.settings));
  const issued = URL.canParse(link, index.href) ? new URL(link, index) : null;
  // Our key is sent with the request, so a document must not choose which host gets it.
  if (issued?.origin !== index.origin || issued.username) {
    throw new Error(
      `The NSWWS index points to another host than ${index.host}, which is not followed; MET_OFFICE_NSWWS_URL sets the host.`,
    );
  }

  try {
    const { body } = await tools.get(issued.href, headers(tools.settings));
    return { warnings: readGeoJson(body, found), complete: true };
  } catch (error) {
    if (all(feed, 'entry').length > 0) throw error;
    // For about a day nothing was issued, changed or ended, so nothing is added here. Nothing ends either, because
    // there is no proof of an end.
    found.note(
      `The NSWWS index lists no change; the list of issued warnings behind it could not be read: ${
        error instanceof Error ? error.message : String(error)
      }`,
    );
    return { warnings: [], complete: false };
  }
}

// From any form to records

/** `ended`: the event ids of warnings that are cancelled, expired, or past their validity. */
function toRecords(
  warnings: readonly Warning[],
  now: Date,
  found: Problems,
): { records: DisruptionRecord[]; ended: string[] } {
  const ended: string[] = [];
  const records = [...Map.groupBy(warnings, ({ id }) => id)].flatMap(([id, same]) => {
    const [newest, ...others] = same.toSorted(byVersion);
    // groupBy makes no empty groups.
    if (!newest) return [];

    // A warning for several areas comes in several parts. If one part is cancelled, the others stay in force.
    const parts = [newest, ...others.filter((part) => part.version === newest.version)];
    const valid = parts.filter(
      (part) => !isCancelled(part, parts) && (part.end === null || Date.parse(part.end) > now.getTime()),
    );
    if (valid.length > 0) return [toRecord(merged(valid, found), now)];
    ended.push(`met-office:${id}`);
    return [];
  });
  return { records, ended };
}

/** Whether a part is over: it says so itself, or a part that covers its regions and is at least as new says so.
 *  Cancelled parts stay listed. */
const isCancelled = (part: Warning, parts: readonly Warning[]) =>
  parts.some(
    ({ isOver, changed, regions }) =>
      isOver &&
      (changed ?? '') >= (part.changed ?? '') &&
      (regions.length === 0 || part.regions.every((region) => regions.includes(region))),
  );

/** The highest version first; within one version, the part that was changed last. */
function byVersion(a: Warning, b: Warning): number {
  return (
    (b.version ?? '').localeCompare(a.version ?? '', 'en', { numeric: true }) ||
    (b.changed ?? '').localeCompare(a.changed ?? '')
  );
}

function merged(parts: readonly Warning[], found: Problems): Warning {
  return parts.reduce((whole, part) => {
    const regions = part.regions.filter((region) => !whole.regions.includes(region));
    const known = new Set(whole.polygons.map((polygon) => JSON.stringify(polygon)));
    const polygons = part.polygons.filter((polygon) => !known.has(JSON.stringify(polygon)));
    if (regions.length === 0 && polygons.length === 0) {
      found.note(`met-office:${whole.id} appears more than once; its parts are merged`);
    }
    return {
      ...whole,
      regions: [...whole.regions, ...regions],
      polygons: [...whole.polygons, ...polygons],
      headline: whole.headline === part.headline ? whole.headline : '',
      start: [whole.start, part.start].filter((time) => time !== null).sort()[0] ?? null,
      end: whole.end === null || part.end === null ? null : [whole.end, part.end].sort()[1]!,
    };
  });
}

function toRecord(warning: Warning, now: Date): DisruptionRecord {
  // Sorted, because the parts of a warning can come in another order in each document.
  const regions = [...new Set(warning.regions)].sort((a, b) => a.localeCompare(b, 'en'));
  const point = pointInside(warning.polygons);
  const bounds = boundingBox(warning.polygons.flat(2));
  const kind = warning.kinds[0];

  return {
    event_id: `met-office:${warning.id}`,
    severity: severityOf(warning),
    event_type: `weather.${kind?.replaceAll(' ', '_') ?? 'warning'}`,
    title: summaryLine([warning.name, listed(regions)].filter(Boolean).join(': ')),
    ...summarised(warning.headline || [validity(warning), regions.join('; ')].filter(Boolean).join(': ')),
    updated_at: warning.changed,
    start_time: warning.start,
    end_time: warning.end,
    phase: phaseAt(warning.start, now),
    kind: 'alert',
    latitude: point?.latitude ?? null,
    longitude: point?.longitude ?? null,
    shape: areaShape(warning.polygons),
    metadata: {
      ...(warning.colour ? {} : { severity_unrated: true }),
      ...(warning.upstreamSeverity && { upstream_severity: warning.upstreamSeverity }),
      colour: warning.colour,
      regions,
      weather_types: warning.kinds,
      ...(warning.version && { version: warning.version }),
      ...(warning.impact && { impact: warning.impact }),
      ...(warning.likelihood && { likelihood: warning.likelihood }),
      ...warning.extra,
      ...(point && { location_method: 'area' }),
      ...(bounds && { bounding_box: bounds }),
      links: [{ url: WARNINGS_PAGE, label: 'Met Office UK weather warnings' }],
    },
  };
}
