/**
 * Met Office: severe weather warnings for the United Kingdom, the National Severe Weather Warning Service (NSWWS).
 * Attribution: "Contains Met Office data © Crown copyright".
 *
 * The same warnings are published in three forms. We ask exactly one of them, or each warning would appear twice.
 * The form is recognised from the answer itself:
 * - MeteoAlarm, without a key, the default: Atom with CAP 1.2 elements, all warnings in one document. Its licence is
 *   stated in the feed: "terms equivalent to CC BY 4.0", with conditions for redistribution.
 * - NSWWS public API, with a key on application (terms of its own): an Atom index of the changes of about a day,
 *   whose feed-level `related` link leads to the GeoJSON of all warnings now issued. Rhythm: every 1 to 2 minutes.
 * - RSS, without a key and undocumented, set by MET_OFFICE_URL: one item per region, without ids or years.
 *
 * Having no warnings is the normal quiet state. A warning that is not yet valid is planned, and shown on purpose.
 * End: status cancelled or expired, validity over (expired ones linger), or absence; for RSS, from two polls.
 * https://www.metoffice.gov.uk/services/data/business-data/national-severe-weather-warning-service
 */
import { z } from 'zod';
import { boundingBox, pointInside, toPoint, type Polygon, type Ring } from '../reading/geometry.ts';
import { fields, readJson } from '../reading/json.ts';
import { toUtc } from '../reading/londonTime.ts';
import { plainText, summaryLine, summarised } from '../reading/plainText.ts';
import { isMostlyRead, leftOut, problems, readRecords, type Problems } from '../reading/records.ts';
import { areaShape } from '../reading/shape.ts';
import { rssTime } from '../reading/rss.ts';
import { all, attribute, readXmlList, text, type XmlNode } from '../reading/xml.ts';
import type { Severity } from '#contract/disruptions.ts';
import { london, LONDON_CLOCK } from '#contract/london.ts';
import type { Collected, Collector, DisruptionRecord, Tools } from '../incidents/collector.ts';

export const METEOALARM_URL = 'https://feeds.meteoalarm.org/feeds/meteoalarm-legacy-atom-united-kingdom';
export const NSWWS_URL = 'https://prd.nswws.api.metoffice.gov.uk/v1.0/objects/feed';
const NSWWS_HEADER = 'x-api-key';

/** Where people read the warnings themselves. */
const WARNINGS_PAGE = 'https://www.metoffice.gov.uk/weather/warnings-and-advice/uk-warnings';

type Colour = 'red' | 'amber' | 'yellow';

const SEVERITY: Readonly<Record<Colour, Severity>> = {
  // NSWWS "RED", MeteoAlarm "Red … warning" and CAP "Extreme"
  red: 'critical',
  // "AMBER", "Amber … warning" (in the Atom title "Orange") and "Severe"
  amber: 'high',
  // "YELLOW", "Yellow … warning" and "Moderate"
  yellow: 'medium',
};

/** NSWWS gives impact and likelihood, each 1 to 4. A yellow warning with neither above this is low. */
const LOW_MATRIX_MAX = 2;

/** `cap:severity`, used where `cap:event` names no colour. The Met Office issues nothing below yellow. */
const COLOUR_BY_CAP_SEVERITY: Readonly<Record<string, Colour>> = {
  Extreme: 'red',
  Severe: 'amber',
  Moderate: 'yellow',
};

/** Kinds of weather and the words for them; singular, as in titles. */
const KINDS: readonly (readonly [string, RegExp])[] = [
  ['rain', /\brain\b/i],
  ['thunderstorm', /\bthunderstorms?\b/i],
  ['wind', /\bwinds?\b/i],
  ['snow', /\bsnow\b/i],
  ['lightning', /\blightning\b/i],
  ['ice', /\bice\b/i],
  ['fog', /\bfog\b/i],
  ['extreme heat', /\b(?:extreme[ _])?heat\b/i],
];

/** `warningStatus`: only these are over; ISSUED is in force. */
const OVER: ReadonlySet<string> = new Set(['CANCELLED', 'EXPIRED']);

/** One warning, or one part of it, from any of the forms. Times are UTC, texts plain. */
interface Warning {
  id: string;
  /** `major.minor`; null where the form has no versions. */
  version: string | null;
  /** Its own status says cancelled or expired. */
  isOver: boolean;
  colour: Colour | null;
  upstreamSeverity: string;
  /** "Amber wind warning". */
  name: string;
  kinds: string[];
  /** '' where the form has none. */
  headline: string;
  regions: string[];
  changed: string | null;
  start: string | null;
  end: string | null;
  polygons: Polygon[];
  impact: number | null;
  likelihood: number | null;
  /** Fields that only this form has. */
  extra: Record<string, unknown>;
}

const Text = z.string().nullish().catch(null);

/** The part that is the same in all versions of a warning; the whole identifier where it has another form. */
const capId = (identifier: string) =>
  CAP_IDENTIFIER.exec(identifier)?.[1]?.toLowerCase() ?? plainText(identifier);

export const metOffice: Collector = {
  source: 'met-office',
  everyMinutes: 5,
  maxAgeMinutes: 60,
  settings: [
    {
      name: 'MET_OFFICE_URL',
      required: false,
      about: `address of the warnings without a key, MeteoAlarm or RSS (default ${METEOALARM_URL})`,
    },
    {
      name: 'MET_OFFICE_NSWWS_KEY',
      required: false,
      secret: true,
      about: 'key of the NSWWS public API; when it is set, that is asked instead',
    },
    {
      name: 'MET_OFFICE_NSWWS_URL',
      required: false,
      about: `address of the NSWWS index (default ${NSWWS_URL})`,
    },
    {
      name: 'MET_OFFICE_NSWWS_HEADER',
      required: false,
      about: `name of the header that carries the NSWWS key (default ${NSWWS_HEADER})`,
    },
  ],
  absentPolls: 1,
  neverEmpty: false,

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

/** Throws when the document has none of the known forms. */
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

// MeteoAlarm: Atom with CAP

/** A quiet feed has no entry to identify it. */
function namesMeteoAlarm(feed: XmlNode): boolean {
  const links = all(feed, 'link').map((link) => attribute(link, 'href'));
  return [text(feed, 'id'), text(feed, 'title'), text(feed, 'generator'), ...links].some((said) =>
    /meteoalarm/i.test(said ?? ''),
  );
}

const CapEntry = z.object({
  identifier: z.string().min(1),
  event: Text,
  severity: Text,
  status: Text,
  messageType: Text,
  areaDesc: Text,
  sent: Text,
  onset: Text,
  effective: Text,
  expires: Text,
  urgency: Text,
  certainty: Text,
  polygons: z.array(z.string()),
});

/** `2.49.0.0.826.0.GB_250123104205_72085267.v1.0.W`: the eight hex digits stay the same through all versions. */
const CAP_IDENTIFIER = /_([0-9a-f]{8})\.v(\d+)\.(\d+)\b/i;

function readCap(feed: XmlNode, found: Problems): Warning[] {
  const entries = all(feed, 'entry').map((entry) => ({
    identifier: text(entry, 'identifier'),
    event: text(entry, 'event'),
    severity: text(entry, 'severity'),
    status: text(entry, 'status'),
    // CAP's own name is msgType.
    messageType: text(entry, 'message_type') ?? text(entry, 'msgType'),
    areaDesc: text(entry, 'areaDesc'),
    sent: text(entry, 'sent'),
    onset: text(entry, 'onset'),
    effective: text(entry, 'effective'),
    expires: text(entry, 'expires'),
    urgency: text(entry, 'urgency'),
    certainty: text(entry, 'certainty'),
    polygons: all(entry, 'polygon').map((polygon) => polygon.text),
  }));

  const read = readRecords(
    CapEntry,
    entries,
    found,
    (entry, index) => {
      const { identifier, event } = fields(entry);
      return `Warning ${String(identifier ?? event ?? index + 1)}`;
    },
    (entry) => {
      const { identifier } = fields(entry);
      return typeof identifier === 'string' && identifier ? `met-office:${capId(identifier)}` : null;
    },
  );
  return read
    .filter(({ status }) => (status ?? 'Actual').trim() === 'Actual') // the others are tests and exercises
    .map((entry) => {
      const [, , major, minor] = CAP_IDENTIFIER.exec(entry.identifier) ?? [];
      const event = plainText(entry.event ?? '');
      const severity = plainText(entry.severity ?? '');
      const colour =
        colourOf(event) ??
        (Object.hasOwn(COLOUR_BY_CAP_SEVERITY, severity) ? COLOUR_BY_CAP_SEVERITY[severity]! : null);
      const kinds = kindsOf(event);
      const polygons = entry.polygons.map(capPolygon).filter((polygon) => polygon !== null);
      if (polygons.length < entry.polygons.length)
        found.note(`Warning ${entry.identifier}: unreadable polygon`);
      return {
        id: capId(entry.identifier),
        version: major === undefined ? null : `${major}.${minor}`,
        isOver: /^cancel/i.test(entry.messageType ?? ''),
        colour,
        upstreamSeverity: severity,
        name: event || nameOf(colour, kinds),
        kinds,
        headline: '',
        regions: (entry.areaDesc ?? '').split('|').map(plainText).filter(Boolean),
        changed: time(entry.sent, entry.identifier, found),
        start: time(entry.onset ?? entry.effective ?? entry.sent, entry.identifier, found),
        end: time(entry.expires, entry.identifier, found),
        polygons,
        impact: null,
        likelihood: null,
        extra: {
          form: 'meteoalarm',
          urgency: plainText(entry.urgency ?? '') || null,
          certainty: plainText(entry.certainty ?? '') || null,
        },
      };
    });
}

/** "lat,lon lat,lon …"; null for anything else. */
function capPolygon(coordinates: string): Polygon | null {
  const points = coordinates
    .split(/\s+/)
    .filter(Boolean)
    .map((pair) => toPoint(pair.split(',')[0], pair.split(',')[1]));
  const ring = points.filter((point) => point !== null);
  return ring.length === points.length && ring.length >= 3 ? [ring] : null;
}

// NSWWS: an Atom index, and the GeoJSON of issued warnings

function linkToIssued(feed: XmlNode): string | undefined {
  const related = all(feed, 'link').filter((link) => attribute(link, 'rel') === 'related');
  const geoJson = related.find((link) => /geo\+?json/i.test(attribute(link, 'type') ?? ''));
  return geoJson && attribute(geoJson, 'href');
}

/** The index lists only changes. The warnings in force are behind its link, even on a day without changes. */
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
    // Nothing was issued, changed or ended for about a day, so nothing is added here. Without
    // proof, nothing ends either.
    found.note(
      `The NSWWS index lists no change; the list of issued warnings behind it could not be read: ${
        error instanceof Error ? error.message : String(error)
      }`,
    );
    return { warnings: [], complete: false };
  }
}

/** A list, or one text (seen in a copy of the real data that a program had rewritten). */
const Texts = z
  .union([z.array(z.string()), z.string().transform((said) => [said])])
  .nullish()
  .catch(null);

const Matrix = z.number().int().min(1).max(4).nullish().catch(null);

const Feature = z.object({
  properties: z.object({
    warningId: z.string().trim().min(1),
    warningVersion: z.union([z.string(), z.number()]).nullish().catch(null),
    warningStatus: Text,
    warningLevel: Text,
    warningImpact: Matrix,
    warningLikelihood: Matrix,
    warningHeadline: Text,
    weatherType: Texts,
    whatToExpect: Texts,
    affectedAreas: z
      .array(z.object({ regionName: Text, subRegions: Texts }))
      .nullish()
      .catch(null),
    issuedDate: Text,
    modifiedDate: Text,
    validFromDate: Text,
    validToDate: Text,
  }),
  geometry: z.unknown().optional(),
});

function readGeoJson(body: string, found: Problems): Warning[] {
  const { type, features } = fields(readJson(body));
  if (type !== 'FeatureCollection') throw new Error('The document is JSON, but not GeoJSON of warnings.');

  const idOf = (feature: unknown) => {
    const { warningId } = fields(fields(feature).properties);
    return typeof warningId === 'string' ? plainText(warningId) : '';
  };
  const read = readRecords(
    Feature,
    features,
    found,
    (feature, index) => `Warning ${idOf(feature) || index + 1}`,
    (feature) => (idOf(feature) ? `met-office:${idOf(feature)}` : null),
  );
  return read.map(({ properties: said, geometry }) => {
    const id = plainText(said.warningId);
    const colour = colourOf(said.warningLevel ?? '');
    const kinds = kindsOf((said.weatherType ?? []).join(', '));
    const status = (said.warningStatus ?? 'ISSUED').trim().toUpperCase();
    if (status !== 'ISSUED' && !OVER.has(status)) found.note(`Warning ${id}: unknown status "${status}"`);
    const polygons = geoJsonPolygons(geometry);
    if (!polygons) found.note(`Warning ${id}: unreadable geometry`);
    const areas = said.affectedAreas ?? [];
    return {
      id,
      version: said.warningVersion == null ? null : String(said.warningVersion),
      isOver: OVER.has(status),
      colour,
      upstreamSeverity: plainText(said.warningLevel ?? ''),
      name: nameOf(colour, kinds),
      kinds,
      headline: plainText(said.warningHeadline ?? ''),
      regions: areas.map(({ regionName }) => plainText(regionName ?? '')).filter(Boolean),
      changed: time(said.modifiedDate ?? said.issuedDate, id, found),
      start: time(said.validFromDate, id, found),
      end: time(said.validToDate, id, found),
      polygons: polygons ?? [],
      impact: said.warningImpact ?? null,
      likelihood: said.warningLikelihood ?? null,
      extra: {
        form: 'nswws',
        areas: areas.flatMap(({ subRegions }) => subRegions ?? []).map(plainText),
        what_to_expect: (said.whatToExpect ?? []).map(plainText),
        issued: toUtc(said.issuedDate),
      },
    };
  });
}

const Position = z.array(z.number()).min(2);
const Rings = z.array(z.array(Position).min(3)).min(1);
const Geometry = z.union([
  z.object({ type: z.literal('MultiPolygon'), coordinates: z.array(Rings) }),
  z
    .object({ type: z.literal('Polygon'), coordinates: Rings })
    .transform(({ coordinates }) => ({ type: 'MultiPolygon' as const, coordinates: [coordinates] })),
]);

/** GeoJSON's order is longitude, latitude. Null when it is not an area. */
function geoJsonPolygons(geometry: unknown): Polygon[] | null {
  const read = Geometry.safeParse(geometry);
  if (!read.success) return null;

  const polygons = read.data.coordinates.map((rings) =>
    rings.map((ring): Ring | null => {
      const points = ring.map(([longitude, latitude]) => toPoint(latitude, longitude));
      return points.every((point) => point !== null) ? points : null;
    }),
  );
  return polygons.every((rings): rings is Ring[] => rings.every((ring) => ring !== null)) ? polygons : null;
}

// RSS: one item per region

const RSS_TITLE = /\bwarning (?:of|for) (.+?) affecting (.+)$/i;

const RssItem = z.object({
  title: z
    .string()
    .refine(
      (title) => colourOf(title) !== null && RSS_TITLE.test(title),
      'is not "(colour) warning of … affecting …"',
    ),
  description: Text,
  pubDate: Text,
});

const RSS_TIME = String.raw`(\d{2}):?(\d{2}) (?:[a-z]+,? )?(\d{1,2}) ([a-z]{3})[a-z]*`;
const RSS_VALIDITY = new RegExp(`valid from ${RSS_TIME} to ${RSS_TIME}`, 'i');
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

function readRss(rss: XmlNode, now: Date, found: Problems): Warning[] {
  const [channel] = all(rss, 'channel');
  // A channel without items must identify itself before its silence counts.
  if (!channel || !/warning/i.test(text(channel, 'title') ?? '')) {
    throw new Error('The document is RSS, but not of weather warnings.');
  }

  const items = all(channel, 'item').map((item) => ({
    title: plainText(text(item, 'title') ?? ''),
    description: text(item, 'description'),
    pubDate: text(item, 'pubDate'),
  }));
  const read = readRecords(
    RssItem,
    items,
    found,
    (item, index) => `Item ${index + 1} "${fields(item).title}"`,
  );
  return read.map(({ title, description, pubDate }) => {
    const colour = colourOf(title);
    const [, what = '', region = ''] = RSS_TITLE.exec(title) ?? [];
    const kinds = kindsOf(what);
    const headline = plainText(description ?? '');
    const published = rssTime(pubDate) ?? rssTime(text(channel, 'pubDate'));
    const { start, end } = rssValidity(headline, published ? new Date(published) : now);
    if (!start) found.note(`"${title}": no validity that can be read in "${headline}"`);
    return {
      // There is no id: the same colour, weather and time are the same warning in another region.
      id: [colour, kinds.join('-').replaceAll(' ', '-') || 'weather', compact(start), compact(end)].join('-'),
      version: null,
      isOver: false,
      colour,
      upstreamSeverity: colour ? capitalised(colour) : '',
      name: nameOf(colour, kinds),
      kinds,
      headline,
      regions: [region],
      changed: published,
      start,
      end,
      polygons: [],
      impact: null,
      likelihood: null,
      extra: { form: 'rss' },
    };
  });
}

/** `20261121T0600Z`. */
function compact(utc: string | null): string {
  return utc ? `${utc.slice(0, 16).replace(/[-:]/g, '')}Z` : 'undated';
}

/** "valid from 0600 Sat 21 Nov to 2100 Sat 21 Nov": London's clock, and no year. */
function rssValidity(description: string, published: Date): { start: string | null; end: string | null } {
  const match = RSS_VALIDITY.exec(description);
  if (!match) return { start: null, end: null };

  const [from, to] = [match.slice(1, 5), match.slice(5, 9)] as [string[], string[]];
  // A warning is issued days before it begins, so in December one for January belongs to the next year.
  const start = nearest(inEachYear(from, published), published);
  const end = start && inEachYear(to, new Date(start)).find((time) => time >= start);
  return { start, end: end ?? null };
}

/** A day and time in the years before, of and after a date, earliest first; years that lack the day are left out. */
function inEachYear([hour, minute, day, month]: readonly string[], near: Date): string[] {
  const monthNumber = MONTHS.indexOf((month ?? '').toLowerCase()) + 1;
  const date = `${String(monthNumber).padStart(2, '0')}-${(day ?? '').padStart(2, '0')}`;
  return [-1, 0, 1]
    .map((years) => toUtc(`${near.getUTCFullYear() + years}-${date}T${hour}:${minute}`))
    .filter((utc) => utc !== null);
}

function nearest(times: readonly string[], to: Date): string | null {
  const distance = (utc: string) => Math.abs(Date.parse(utc) - to.getTime());
  return times.toSorted((a, b) => distance(a) - distance(b))[0] ?? null;
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

/**
 * A part is cancelled by itself, or by a part that covers its regions and is at least as new: cancelled parts
 * stay listed.
 */
const isCancelled = (part: Warning, parts: readonly Warning[]) =>
  parts.some(
    ({ isOver, changed, regions }) =>
      isOver &&
      (changed ?? '') >= (part.changed ?? '') &&
      (regions.length === 0 || part.regions.every((region) => regions.includes(region))),
  );

/** The highest version first; of the same version, the one that was changed last. */
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
  // In alphabetical order: the parts of a warning can come in another order in each document.
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
    phase: warning.start && Date.parse(warning.start) > now.getTime() ? 'planned' : 'active',
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

function severityOf({ colour, impact, likelihood }: Warning): Severity {
  const isLow =
    impact !== null && likelihood !== null && impact <= LOW_MATRIX_MAX && likelihood <= LOW_MATRIX_MAX;
  if (colour === 'yellow' && isLow) return 'low';
  return colour ? SEVERITY[colour] : 'medium';
}

/** MeteoAlarm's own titles say orange where the Met Office says amber. */
function colourOf(words: string): Colour | null {
  const [, colour] = /\b(red|amber|orange|yellow)\b/i.exec(words) ?? [];
  if (!colour) return null;
  return colour.toLowerCase() === 'orange' ? 'amber' : (colour.toLowerCase() as Colour); // the pattern knows no others
}

/** In the order they are named. */
function kindsOf(words: string): string[] {
  const named = KINDS.map(([kind, pattern]) => ({ kind, at: words.replaceAll('_', ' ').search(pattern) }));
  return named
    .filter(({ at }) => at >= 0)
    .sort((a, b) => a.at - b.at)
    .map(({ kind }) => kind);
}

function nameOf(colour: Colour | null, kinds: readonly string[]): string {
  return capitalised([colour, kinds.join(' and ') || 'weather', 'warning'].filter(Boolean).join(' '));
}

const capitalised = (words: string) => words.charAt(0).toUpperCase() + words.slice(1);

const REGIONS_NAMED = 2;

/** Some names of regions contain commas. */
function listed(regions: readonly string[]): string {
  const more = regions.length - REGIONS_NAMED;
  return `${regions.slice(0, REGIONS_NAMED).join('; ')}${more > 0 ? ` and ${more} more` : ''}`;
}

const WEEKDAY = london({ weekday: 'short', day: 'numeric', month: 'short' });

/** "Valid from 13:00 Fri 24 Jan to 06:00 Sat 25 Jan", the Met Office's own wording. */
function validity({ start, end }: Warning): string {
  return start && end ? `Valid from ${onLondonClock(start)} to ${onLondonClock(end)}` : '';
}

function onLondonClock(utc: string): string {
  const date = new Date(utc);
  return `${LONDON_CLOCK.format(date)} ${WEEKDAY.format(date).replace(',', '')}`;
}

/** UTC. A time that is given but cannot be read is noted as a problem. */
function time(given: string | null | undefined, warning: string, found: Problems): string | null {
  const utc = toUtc(given);
  if (given && !utc) found.note(`Warning ${warning}: unreadable time "${given}"`);
  return utc;
}
