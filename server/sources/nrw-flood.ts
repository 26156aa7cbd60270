/**
 * Natural Resources Wales: flood warnings and flood alerts in force in Wales, GeoJSON.
 * https://api-portal.naturalresources.wales/ ("Open Data - Live Flood Warnings and Alerts API - Version 3")
 *
 * Licence: Open Government Licence v3. Attribution: "Contains Natural Resources Wales information © Natural Resources
 * Wales and Database Right". Key: free, by subscription to this product; one for river levels is refused.
 * Rhythm: updated every 15 minutes. An empty list of features is an ordinary dry day.
 * Unverified: no version 3 answer could be recorded, and known clients disagree. So names match in any case, numbers
 * can be text, and times can be ISO 8601 or milliseconds since 1970.
 * Identity: the flood area's code. The next flood there has the same id and a new TIMERAISED.
 * End: level 4, "Warning no longer in force", or absence.
 */
import { z } from 'zod';
import { floodLevel, floodsOf, ofLevel, readFlood, type FloodLevel } from './parts/floodGrading.ts';
import { toPoint } from '../geography/shapes/geometry.ts';
import { fields, readJson } from '../http/documents/json.ts';
import { toUtc } from '../http/documents/londonTime.ts';
import { plainText, summaryLine, summarised } from '../http/documents/plainText.ts';
import { problems, readRecords, type Problems } from '../http/documents/records.ts';
import type { Collector, DisruptionRecord } from '../incidents/collector.ts';
import { OGL } from './parts/licences.ts';
import { byFloodArea } from '../incidents/place/placeByWords.ts';

export const NRW_FLOODS_URL = 'https://api.naturalresources.wales/floodwarnings/v3/all';

const Text = z
  .string()
  .transform(plainText)
  .nullish()
  .transform((said) => said ?? '')
  .catch('');
const Time = z.union([z.string(), z.number()]).nullish().catch(null);

/** The properties of a feature, with names in lower case, and its position. */
const Warning = z.object({
  fwacode: z
    .string({ error: 'FWACODE is missing' })
    .transform(plainText)
    .pipe(z.string().min(1, { error: 'FWACODE is empty' })),
  area: Text,
  description: Text,
  severity: Text,
  /** 1 to 4, on the Environment Agency's scale. */
  severityvalue: z.union([z.number(), z.string()]).nullish().catch(null),
  /** "True" or "False". */
  tidal: z.union([z.boolean(), z.string()]).nullish().catch(null),
  rim_english: Text,
  rim_welsh: Text,
  timeraised: Time,
  rim_changed: Time,
  severity_changed: Time,
  point: z.object({ latitude: z.number(), longitude: z.number() }).nullable(),
});
type Warning = z.infer<typeof Warning>;

export const nrwFlood: Collector = {
  source: 'nrw-flood',
  publisher: {
    publisher: 'Natural Resources Wales',
    licence: OGL,
    attribution: 'Contains Natural Resources Wales information © Natural Resources Wales and Database Right.',
  },
  everyMinutes: 15,
  maxAgeMinutes: 60,
  settings: [
    {
      name: 'NRW_API_KEY',
      required: true,
      secret: true,
      about: "key of the subscription to Natural Resources Wales's live flood warnings",
    },
    {
      name: 'NRW_FLOOD_URL',
      about: `address of Natural Resources Wales's list of flood warnings (default ${NRW_FLOODS_URL})`,
    },
  ],
  absentPolls: 1,

  read: readFlood,
  // Used when the page with the area's points cannot be read.
  locate: (record) => byFloodArea(record, 'Wales'),

  async collect({ get, settings }) {
    const found = problems();
    const { body } = await get(settings.NRW_FLOOD_URL || NRW_FLOODS_URL, {
      accept: 'application/json',
      'Ocp-Apim-Subscription-Key': settings.NRW_API_KEY ?? '',
    });
    const { features } = fields(readJson(body));
    const warnings = readRecords(
      Warning,
      Array.isArray(features) ? features.map(withLowerCaseNames) : features,
      found,
      // Only a warning without its area's code is skipped, so no skipped warning has an id.
      (_, index) => `Warning ${index + 1}`,
    );
    return floodsOf(warnings, found, {
      source: 'nrw-flood',
      areaOf: ({ fwacode }) => fwacode,
      lastChange,
      levelOf: ({ severityvalue, severity }) => floodLevel(severityvalue, severity),
      toRecord: (warning, level) => toRecord(warning, level, found),
    });
  },
};

function withLowerCaseNames(feature: unknown): Record<string, unknown> {
  const { properties, geometry } = fields(feature);
  const named = Object.entries(fields(properties)).map(([name, value]) => [name.toLowerCase(), value]);
  return { ...Object.fromEntries(named), point: positionOf(geometry) };
}

/** The position; GeoJSON's order is longitude, latitude. */
function positionOf(geometry: unknown) {
  const { type, coordinates } = fields(geometry);
  if (type !== 'Point' || !Array.isArray(coordinates)) return null;
  const [longitude, latitude] = coordinates as unknown[];
  return toPoint(latitude, longitude);
}

/** UTC. */
function lastChange({ rim_changed, severity_changed }: Warning): string | null {
  const changes = [utcOf(rim_changed), utcOf(severity_changed)].filter((time) => time !== null);
  return changes.sort().at(-1) ?? null;
}

/** ISO 8601 (London time when it has no zone), or milliseconds since 1970. */
function utcOf(time: string | number | null | undefined): string | null {
  if (!/^\d{11,14}$/.test(String(time ?? ''))) return toUtc(typeof time === 'string' ? time : null);
  return toUtc(new Date(Number(time)).toISOString());
}

function toRecord(warning: Warning, level: FloodLevel | undefined, found: Problems): DisruptionRecord {
  const { fwacode: id, severity, severityvalue, area, point } = warning;
  if (!level) found.note(`Flood area ${id}: unknown severity level "${severityvalue ?? severity}"`);
  const start = utcOf(warning.timeraised);
  if (!start) found.note(`Flood area ${id}: unreadable TIMERAISED "${warning.timeraised ?? ''}"`);

  const name = level?.name ?? (severity || 'Flood notice');
  const place = warning.description || area || `flood area ${id}`;
  const tidal = String(warning.tidal).toLowerCase();

  return {
    event_id: `nrw-flood:${id}`,
    ...ofLevel(level),
    title: summaryLine(`${name}: ${place}`),
    ...summarised(warning.rim_english || warning.rim_welsh || area),
    updated_at: lastChange(warning),
    start_time: start,
    latitude: point?.latitude ?? null,
    longitude: point?.longitude ?? null,
    metadata: {
      ...(level ? {} : { severity_unrated: true }),
      ...(severity && { upstream_severity: severity }),
      severity_level: severityvalue ?? null,
      flood_area: id,
      region: area || null,
      is_tidal: tidal === 'true' || (tidal === 'false' ? false : null),
      ...(warning.rim_welsh && { summary_welsh: summaryLine(warning.rim_welsh) }),
      ...(point && { location_method: 'area' }),
    },
  };
}
