/** The three forms in which the Met Office's warnings are published. Each is read into the same type of warning. */
import { capital } from '#contract/incidents/titleForms.ts';
import { monthOf } from '#contract/london.ts';
import { z } from 'zod';
import { toPoint, type Polygon, type Ring } from '../../geography/shapes/geometry.ts';
import { fields, readJson } from '../../http/documents/json.ts';
import { toUtc } from '../../http/documents/londonTime.ts';
import { plainText } from '../../http/documents/plainText.ts';
import { readRecords, type Problems } from '../../http/documents/records.ts';
import { rssTime } from '../../http/documents/rss.ts';
import { all, attribute, text, type XmlNode } from '../../http/documents/xml.ts';
import { type Colour, colourOf, colourOfCap, kindsOf, nameOf } from './metOfficeWording.ts';

/** One warning, or one part of it, from any of the forms. Times are UTC, texts are plain. */
export interface Warning {
  id: string;
  /** `major.minor`; null when the form has no versions. */
  version: string | null;
  /** The warning's own status says cancelled or expired. */
  isOver: boolean;
  colour: Colour | null;
  upstreamSeverity: string;
  /** "Amber wind warning". */
  name: string;
  kinds: string[];
  /** '' when the form has no headline. */
  headline: string;
  regions: string[];
  changed: string | null;
  start: string | null;
  end: string | null;
  polygons: Polygon[];
  impact: number | null;
  likelihood: number | null;
  /** Fields that only one form has. */
  extra: Record<string, unknown>;
}

/** `warningStatus`: these two are over; ISSUED is in force. */
const OVER: ReadonlySet<string> = new Set(['CANCELLED', 'EXPIRED']);

const Text = z.string().nullish().catch(null);

// MeteoAlarm: Atom with CAP

/** Whether the feed names MeteoAlarm: a quiet feed has no entry to recognise it by. */
export function namesMeteoAlarm(feed: XmlNode): boolean {
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

/** `2.49.0.0.826.0.GB_250123104205_72085267.v1.0.W`: the eight hexadecimal digits are the same in all versions. */
const CAP_IDENTIFIER = /_([0-9a-f]{8})\.v(\d+)\.(\d+)\b/i;

/** The part that is the same in all versions of a warning; the whole identifier when it has another form. */
const capId = (identifier: string) =>
  CAP_IDENTIFIER.exec(identifier)?.[1]?.toLowerCase() ?? plainText(identifier);

export function readCap(feed: XmlNode, found: Problems): Warning[] {
  const entries = all(feed, 'entry').map((entry) => ({
    identifier: text(entry, 'identifier'),
    event: text(entry, 'event'),
    severity: text(entry, 'severity'),
    status: text(entry, 'status'),
    // CAP's own name for this element is msgType.
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
    .filter(({ status }) => (status ?? 'Actual').trim() === 'Actual') // all others are tests and exercises
    .map((entry) => {
      const [, , major, minor] = CAP_IDENTIFIER.exec(entry.identifier) ?? [];
      const event = plainText(entry.event ?? '');
      const severity = plainText(entry.severity ?? '');
      const colour = colourOf(event) ?? colourOfCap(severity);
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

/** A list, or one text (seen in a copy of real data that a program had rewritten). */
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

export function readGeoJson(body: string, found: Problems): Warning[] {
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

/** GeoJSON's order is longitude, latitude. Null when the geometry is not an area. */
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

export function readRss(rss: XmlNode, now: Date, found: Problems): Warning[] {
  const [channel] = all(rss, 'channel');
  // A channel without items must identify itself before we believe that there are no warnings.
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
      // There is no id. Items with the same colour, weather and time are one warning in several regions.
      id: [colour, kinds.join('-').replaceAll(' ', '-') || 'weather', compact(start), compact(end)].join('-'),
      version: null,
      isOver: false,
      colour,
      upstreamSeverity: colour ? capital(colour) : '',
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

/** "valid from 0600 Sat 21 Nov to 2100 Sat 21 Nov": London time, without a year. */
function rssValidity(description: string, published: Date): { start: string | null; end: string | null } {
  const match = RSS_VALIDITY.exec(description);
  if (!match) return { start: null, end: null };

  const [from, to] = [match.slice(1, 5), match.slice(5, 9)] as [string[], string[]];
  // A warning is issued days before it begins, so a warning for January that is issued in December belongs to the
  // next year.
  const start = nearest(inEachYear(from, published), published);
  const end = start && inEachYear(to, new Date(start)).find((time) => time >= start);
  return { start, end: end ?? null };
}

/** A day and time in the year before a date, its own year and the year after, earliest first. Years without that day
 *  are left out. */
function inEachYear([hour, minute, day, month]: readonly string[], near: Date): string[] {
  const monthNumber = monthOf(month ?? '');
  const date = `${String(monthNumber).padStart(2, '0')}-${(day ?? '').padStart(2, '0')}`;
  return [-1, 0, 1]
    .map((years) => toUtc(`${near.getUTCFullYear() + years}-${date}T${hour}:${minute}`))
    .filter((utc) => utc !== null);
}

function nearest(times: readonly string[], to: Date): string | null {
  const distance = (utc: string) => Math.abs(Date.parse(utc) - to.getTime());
  return times.toSorted((a, b) => distance(a) - distance(b))[0] ?? null;
}

/** UTC. A time that is given but cannot be read is noted as a problem. */
function time(given: string | null | undefined, warning: string, found: Problems): string | null {
  const utc = toUtc(given);
  if (given && !utc) found.note(`Warning ${warning}: unreadable time "${given}"`);
  return utc;
}
