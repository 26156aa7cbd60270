/** The place of an incident whose publisher gives none: the station, section, line or town that its words name. If
 *  it is not certain there is no place, because a wrong one is worse. */
import type { LocationMethod } from '#contract/incidents/disruptions.ts';
import { atJunctions } from '../../geography/names/junctionPlaces.ts';
import type { NATIONS } from '../../geography/names/gazetteer.ts';
import { locate, locateOneEnd, type Located, type Names } from '../../geography/names/locate.ts';
import { spelledOut } from '../../geography/roads/reportSentences.ts';
import { placeNames, regionOfPublisher, type Region } from '../../geography/names/placeNames.ts';
import { namedLine } from '../../geography/names/stationNames.ts';
import { pointsShape, type Shape } from '../../geography/shapes/shape.ts';
import type { Collector, DisruptionRecord, Found } from '../collector.ts';

/** Adds to a record without a position the one that its words and facts name. Notes for every record how its
 *  position was found. */
export function place(record: DisruptionRecord, { locate }: Pick<Collector, 'locate'>): void {
  const { metadata } = record;
  if (record.latitude !== null && record.longitude !== null) {
    metadata.location_method ??= 'publisher';
    return;
  }
  if (record.kind === 'status') return;
  const { at, method } = locate?.(record) ?? {};
  if (!at || !method) return;
  record.latitude = at.latitude;
  record.longitude = at.longitude;
  metadata.location_method = method;
  metadata.location_names = at.names;
  metadata.location_reach_km = at.reachKm;
}

/** Ways of finding a point that give the publisher's own, or that of a thing named by a code. */
const OWN: ReadonlySet<unknown> = new Set<LocationMethod>([
  'publisher',
  'stretch',
  'area',
  'stop',
  'airport',
]);

/** The shape of a record that has only a point. Null when only words give its place. */
export function ownPoint({ latitude, longitude, metadata }: DisruptionRecord): Shape | null {
  const isOwn = OWN.has(metadata.location_method) && !metadata.location_names;
  return isOwn && latitude !== null && longitude !== null ? pointsShape([{ latitude, longitude }]) : null;
}

export const found = (at: Located | null, method: LocationMethod): Found | null => at && { at, method };

export function byStation(texts: readonly string[], names: Names): Found | null {
  const at = locate(texts, names);
  return at && { at, method: at.isBetween ? 'line_section' : 'station' };
}

/** `further` is read last, because it says where the trains run, and not where they are delayed. */
export function byRailway(texts: readonly string[], names: Names, further: readonly string[]): Found | null {
  return byStation(texts, names) ?? found(namedLine(texts.join('. ')), 'line') ?? byStation(further, names);
}

/** The place in the words. A junction is more exact than the town beside it. */
export function byPlace(
  { title, summary_line, facts, metadata, event_type }: DisruptionRecord,
  region: Region,
  isRail = false,
): Found | null {
  const about = [title, summary_line, textOf(metadata.publisher)].join(' ');
  const shut = facts?.closed === 'full' ? facts.roads[0] : undefined;
  const atJunction = isRail ? null : atJunctions(facts?.stretch ?? [], region, { about, shut });
  if (atJunction) return { at: atJunction, method: 'junction' };
  const names = placeNames(region, {
    isRail,
    isAir: /^aviation\b|\.air$/.test(event_type),
    about,
    roads: facts?.roads ?? [],
  });
  const texts = [title, summary_line].map((text) => spelledOut(text).words);
  const at = locate(texts, names);
  if (at) return { at, method: at.isBetween ? 'between_places' : 'place_name' };
  if (isRail) return null;
  return (
    found(atJunctions(facts?.stretch ?? [], region, { isLoose: true, about }), 'junction') ??
    found(locateOneEnd(texts, names), 'place_name')
  );
}

/** "Flood warning: River Nith at Whitesands, Dumfries" */
export const areaOf = ({ title }: DisruptionRecord) => title.replace(/^[^:]*:\s*/, '');

/** The place of a flood area; also "Perth - North Muirton". */
export function byFloodArea(record: DisruptionRecord, nation: (typeof NATIONS)[number]): Found | null {
  // "River Thames for Datchet", "Afon Conwy yn Llanrwst", and "Lower Dee Valley", which is not the village Valley on
  // Anglesey.
  const area = areaOf(record)
    .replace(/ (?:for|yn|ym|serving) (?=\p{Lu})/gu, ' at ')
    .replace(/(?<=\p{Lu}\p{L}+ )Valley\b/gu, 'valley')
    // "Cockermouth on the River Cocker"
    .replace(/(?<=\p{L}) (?:on|beside|along) (?:the )?River \p{Lu}[\p{L}'’-]+/gu, '');
  const parts = area.split(/,| [-–] /).map((part) => `in ${part.trim()}`);
  const about = [areaOf(record), record.summary_line, textOf(record.metadata.county)].join(' ');
  const names = placeNames({ nation }, { about });
  // "Whitesands Dumfries"
  const [town] =
    /(?<!\b(?:River|Afon|Upper|Lower|Middle|Burn|Brook|Water|Beck|the|of) )(?<=[^,–-] )\p{Lu}[\p{L}'’-]{3,}$/u.exec(
      area,
    ) ?? [];
  // "Upper River Derwent, Stonethwaite Beck": a small river has the name of a village on it. A long name is believed.
  const waters = Array.from(
    area.matchAll(/(?<![\p{L}'’-])(\p{Lu}[\p{L}'’-]{6,20}) (?:Beck|Brook|Burn)\b/gu),
    ([, name]) => `in ${name}`,
  );
  const at =
    locate([area, ...parts, record.summary_line], names) ??
    // "River Ouse at Lewes, Cliffe": we know a Cliffe, but far from Lewes, of which it is a part.
    (parts.length > 1 ? locate([area.split(/,| [-–] /)[0]!], names) : null) ?? // a text has a first part
    (town ? locate([`in ${town}`], names) : null) ??
    (waters.length > 0 ? locate(waters, names) : null);
  return found(at, at?.isBetween ? 'between_places' : 'place_name');
}

export function byNewsroom(record: DisruptionRecord): Found | null {
  const isRail = record.event_type.endsWith('.rail');
  return byPlace(record, regionOfPublisher(textOf(record.metadata.publisher)), isRail);
}

export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

export const listOf = (value: unknown): Record<string, unknown>[] =>
  Array.isArray(value) ? value.filter((item) => typeof item === 'object' && item !== null) : [];
