/**
 * Environment Agency: flood warnings and alerts in force in England. Scotland and Wales have their own agencies.
 * https://environment.data.gov.uk/flood-monitoring/doc/reference#flood-warnings
 *
 * Licence: Open Government Licence v3, no key. Attribution: "this uses Environment Agency flood and river level data
 * from the real-time data API (Beta)".
 * Rhythm: updated every 15 minutes. An empty list is an ordinary dry day.
 * Identity: the flood area. The next flood there has the same id and a new `timeRaised`.
 * End: level 4, "Warning no longer in force" (stays listed for about a day), or absence.
 */
import { z } from 'zod';
import { toPoint, type Point } from '../geography/shapes/geometry.ts';
import { fields, readJson } from '../http/documents/json.ts';
import { toUtc } from '../http/documents/londonTime.ts';
import { plainText, summaryLine, summarised } from '../http/documents/plainText.ts';
import { leftOut, problems, readRecords, type Problems } from '../http/documents/records.ts';
import { floodLevel, floodsOf, ofLevel, readFlood, type FloodLevel } from './parts/floodGrading.ts';
import type { Collector, DisruptionRecord, Tools } from '../incidents/collector.ts';
import { OGL } from './parts/licences.ts';
import { byFloodArea } from '../incidents/place/placeByWords.ts';

export const FLOODS_URL = 'https://environment.data.gov.uk/flood-monitoring/id/floods';

const EVERY_MINUTES = 15;

/** How many areas one poll asks about. A client that asked about a few hundred areas within minutes was blocked; 40
 *  an hour is enough. */
export const LOOKUPS_PER_POLL = 10;
/** After this many failures the poll asks no further, because it would probably only wait for time-outs. */
const FAILED_LOOKUPS_MAX = 2;

const Text = z.string().nullish().catch(null);

const Warning = z.object({
  floodAreaID: z.string().trim().min(1),
  /** 1 to 4. The capitals in `severity` vary: "Flood alert", "Flood Alert". */
  severityLevel: z.union([z.number(), z.string()]).nullish().catch(null),
  severity: Text,
  description: Text,
  message: Text,
  /** These times have no zone, and the publisher does not say which one applies. Unverified: they are read as London
   *  time. */
  timeRaised: Text,
  timeMessageChanged: Text,
  timeSeverityChanged: Text,
  isTidal: z.boolean().nullish().catch(null),
  eaAreaName: Text,
  floodArea: z
    .object({ county: Text, riverOrSea: Text, lat: z.unknown().optional(), long: z.unknown().optional() })
    .nullish()
    .catch(null),
});
type Warning = z.infer<typeof Warning>;

export const eaFlood: Collector = {
  source: 'ea-flood',
  publisher: {
    publisher: 'Environment Agency',
    licence: OGL,
    attribution:
      'This uses Environment Agency flood and river level data from the real-time data API (Beta).',
  },
  everyMinutes: EVERY_MINUTES,
  maxAgeMinutes: 60,
  settings: [
    {
      name: 'EA_FLOOD_URL',
      about: `address of the Environment Agency's list of floods (default ${FLOODS_URL})`,
    },
  ],
  absentPolls: 1,

  read: readFlood,
  // Used when the page with the area's points cannot be read.
  locate: (record) => byFloodArea(record, 'England'),

  async collect(tools) {
    const found = problems();
    const url = tools.settings.EA_FLOOD_URL || FLOODS_URL;
    const { body } = await tools.get(url, { accept: 'application/json' });
    const { items, meta } = fields(readJson(body));
    const areaOf = (item: unknown) => {
      const { floodAreaID } = fields(item);
      return typeof floodAreaID === 'string' && floodAreaID ? floodAreaID : null;
    };
    const warnings = readRecords(
      Warning,
      items,
      found,
      (item, index) => (areaOf(item) ? `Flood area ${areaOf(item)}` : `Warning ${index + 1}`),
      (item) => (areaOf(item) ? `ea-flood:${areaOf(item)}` : null),
    );
    const floods = floodsOf(warnings, found, {
      source: 'ea-flood',
      areaOf: ({ floodAreaID }) => plainText(floodAreaID),
      lastChange,
      levelOf: ({ severityLevel, severity }) => floodLevel(severityLevel, severity),
      toRecord: (warning, level) => toRecord(warning, level, found),
    });
    // A single odd record must not keep every ended incident on the board. If most are odd, the format has changed.
    const complete = !isCutOff(items, meta, found) && found.skipped <= warnings.length;
    await addPositions(floods.records, url, tools);
    return { ...floods, ...leftOut(found), complete };
  },
};

/** Whether the list may be cut off: `meta.limit` says how many items the API sends at most. */
function isCutOff(items: unknown, meta: unknown, found: Problems): boolean {
  const limit = Number(fields(meta).limit ?? Number.NaN);
  const cutOff = Array.isArray(items) && items.length >= limit;
  if (cutOff) found.note(`The list stops at the publisher's limit of ${limit}; there may be more`);
  return cutOff;
}

/** UTC. `timeRaised` is left out, because it can be seconds later than the change that raised it. */
function lastChange(warning: Warning): string | null {
  const changes = [toUtc(warning.timeMessageChanged), toUtc(warning.timeSeverityChanged)];
  return (
    changes
      .filter((time) => time !== null)
      .sort()
      .at(-1) ?? null
  );
}

function toRecord(warning: Warning, level: FloodLevel | undefined, found: Problems): DisruptionRecord {
  const id = plainText(warning.floodAreaID);
  const upstreamWords = plainText(warning.severity ?? '');
  if (!level) found.note(`Flood area ${id}: unknown severity level "${String(warning.severityLevel)}"`);
  const start = toUtc(warning.timeRaised);
  const changed = toUtc(warning.timeSeverityChanged);
  if (!start) found.note(`Flood area ${id}: unreadable timeRaised "${warning.timeRaised ?? ''}"`);

  const county = plainText(warning.floodArea?.county ?? '');
  const river = plainText(warning.floodArea?.riverOrSea ?? '');
  const name = level?.name ?? (upstreamWords || 'Flood notice');
  const place = plainText(warning.description ?? '') || river || `flood area ${id}`;
  const point = toPoint(warning.floodArea?.lat, warning.floodArea?.long);

  return {
    event_id: `ea-flood:${id}`,
    ...ofLevel(level),
    title: summaryLine(`${name}: ${place}`),
    ...summarised(plainText(warning.message ?? '') || [river, county].filter(Boolean).join(', ')),
    updated_at: lastChange(warning),
    start_time: start,
    ...(changed && start && changed > start && { since: changed }),
    latitude: point?.latitude ?? null,
    longitude: point?.longitude ?? null,
    metadata: {
      ...(level ? {} : { severity_unrated: true }),
      ...(upstreamWords && { upstream_severity: upstreamWords }),
      severity_level: warning.severityLevel ?? null,
      flood_area: id,
      county: county || null,
      river_or_sea: river || null,
      ea_area: plainText(warning.eaAreaName ?? '') || null,
      is_tidal: warning.isTidal ?? null,
      ...(point && { location_method: 'area' }),
    },
  };
}

/** Adds positions. The location of a flood area is on its own page, which is asked once and kept for ever. Records
 *  that still have no position get one in a later poll. A failure here does not fail the poll, because the warnings
 *  have been read. */
async function addPositions(records: readonly DisruptionRecord[], url: string, tools: Tools): Promise<void> {
  const unknown: { record: DisruptionRecord; area: string }[] = [];
  for (const record of records) {
    if (record.latitude !== null) continue;
    const area = String(record.metadata.flood_area);
    const known = await keptPosition(area, tools);
    if (known) place(record, known);
    else unknown.push({ record, area });
  }

  // Each poll starts at a different area, so that areas that always fail cannot keep the others waiting.
  const poll = Math.floor(tools.now.getTime() / (EVERY_MINUTES * 60_000));
  const first = unknown.length ? poll % unknown.length : 0;
  const turn = [...unknown.slice(first), ...unknown.slice(0, first)].slice(0, LOOKUPS_PER_POLL);
  let failed = 0;
  for (const { record, area } of turn) {
    if (failed === FAILED_LOOKUPS_MAX) break;
    try {
      place(record, await askPosition(area, url, tools));
    } catch {
      // By design: a warning without a position is still a warning.
      failed++;
    }
  }
}

function place(record: DisruptionRecord, { latitude, longitude }: Point): void {
  Object.assign(record, { latitude, longitude });
  record.metadata.location_method = 'area';
}

const factKey = (area: string) => `ea-flood:position:${area}`;

async function keptPosition(area: string, { facts }: Tools): Promise<Point | null> {
  try {
    const { latitude, longitude } = fields(JSON.parse((await facts.get(factKey(area))) ?? 'null'));
    return toPoint(latitude, longitude);
  } catch {
    /* A stored fact that cannot be read is requested again. */
    return null;
  }
}

/** Asks for the flood area that a warning names in `@id`. The address is built from the configured one, which has
 *  the same parent. The link itself is not followed: a document must not choose which host we call. */
async function askPosition(area: string, url: string, { get, facts }: Tools): Promise<Point> {
  const floods = new URL(url);
  floods.pathname = floods.pathname.replace(/(?<!\/)\/+$/, '');
  floods.search = '';
  const address = new URL(`floodAreas/${encodeURIComponent(area)}`, floods);

  const { items } = fields(readJson((await get(address.href, { accept: 'application/json' })).body));
  const { lat, long } = fields(Array.isArray(items) ? items[0] : items);
  const point = toPoint(lat, long);
  if (!point) throw new Error(`Flood area ${area} has no position.`);
  await facts.set(factKey(area), JSON.stringify(point));
  return point;
}
