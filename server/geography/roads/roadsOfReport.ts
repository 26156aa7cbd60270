/** The roads of an incident: the publisher's own fields first, then its words. */
import type { Direction } from '#contract/incidents/facts.ts';
import { normalRoad } from '#contract/incidents/roadName.ts';
import { knownSource } from '#contract/feeds/knownSources.ts';
import { readRoadWords, type RoadUse } from './roadWords.ts';
import { roadTable, senseOf, type RoadTable } from './roadTable.ts';

export interface RoadReport {
  source: string;
  title: string;
  summary_line: string;
  /** `roads`, `direction`, `places` and `slip_road` are the publisher's own. */
  metadata: Readonly<Record<string, unknown>>;
}

/** The most values of a field; more do not say where. */
const FIELDS_MAX = 20;
const PLACES_MAX = 5;

/** Publishers that write about the roads of Northern Ireland only. */
const IRISH = /\btrafficwatch ?ni\b|\bPSNI\b/i;

const DIRECTIONS: ReadonlyMap<string, Direction> = new Map([
  ['northbound', 'N'],
  ['eastbound', 'E'],
  ['southbound', 'S'],
  ['westbound', 'W'],
  ['clockwise', 'CW'],
  ['anti-clockwise', 'AC'],
]);

/** The direction in the publisher's field. */
export const directionIn = ({ direction }: RoadReport['metadata']): Direction | undefined =>
  typeof direction === 'string' ? DIRECTIONS.get(direction.toLowerCase()) : undefined;

const textsIn = (value: unknown): string[] =>
  (Array.isArray(value) ? value : []).filter((one): one is string => typeof one === 'string' && one !== '');

/** The text in which an incident's roads are read: title, the publisher's places, then its text. */
function roadText({ title, summary_line, metadata }: Omit<RoadReport, 'source'>): string {
  const places = textsIn(metadata.places).slice(0, PLACES_MAX);
  // If the summary repeats the title, everything would be read twice.
  const said = summary_line.startsWith(title) ? [summary_line] : [title, summary_line];
  const [first = '', ...rest] = said;
  return [first, ...places, ...rest].filter(Boolean).join('. ');
}

/** Affected roads first. Fields of the publisher have priority over words. */
export function roadsOfReport(report: RoadReport, table: RoadTable = roadTable()): RoadUse[] {
  const { metadata, source } = report;
  const roads = [...new Set(textsIn(metadata.roads).slice(0, FIELDS_MAX).map(normalRoad))];
  const { subject, where } = knownSource(source);
  const isOfIrish = IRISH.test(typeof metadata.publisher === 'string' ? metadata.publisher : source);
  const isIrish =
    isOfIrish || (subject === 'roads' && where !== 'uk' ? where === 'northern-ireland' : undefined);
  const given = directionIn(metadata);
  const uses = readRoadWords(roadText(report), {
    table,
    roads,
    ...(isIrish !== undefined && { isIrish }),
    ...(given && { direction: given }),
  });
  const [first] = uses;
  if (first?.role === 'affected') {
    if (given) {
      const chain = table.named(first.road).find(({ id, road }) => (id !== road) === (isIrish ?? false));
      first.direction = given;
      first.sense = chain ? senseOf(chain, given) : null;
    }
    if (metadata.slip_road === true) first.slip ??= 'slip';
    if (metadata.slip_road === false) first.slip = null;
  }
  return uses;
}
