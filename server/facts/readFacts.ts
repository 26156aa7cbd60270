/**
 * What a publisher says of an incident, read out of its fields and words: where, what, why, what to do, until when.
 * Nothing is guessed: in an unknown form place and effect are null, and the publisher's title stands.
 */
import type { Direction, Facts } from '#contract/facts.ts';
import { normalRoad } from '#contract/roadName.ts';
import { readRoadWords } from '../roads/roadWords.ts';
import { adviceIn } from './advice.ts';
import { expectedClear } from './expectedClear.ts';
import { delayMinutesIn, lanesIn } from './figures.ts';
import { readBySource } from './bySource.ts';
import type { Reported } from './reported.ts';
import { READ_MAX, sentencesOf, textsIn } from './words.ts';

const sourceOf = ({ event_id }: Reported) => event_id.slice(0, Math.max(0, event_id.indexOf(':')));

/** Neither names roads: an airport's "A320" is an aircraft, and a line or a region is none. */
const WITHOUT_ROADS: ReadonlySet<string> = new Set([
  'airport-status',
  'met-office',
  'tfl',
  'nsi-service',
  'kb-incidents',
]);

export function readFacts(record: Reported): Facts {
  const source = sourceOf(record);
  const { place, effect, cause, lanes, delay_minutes } = readBySource(source, record);
  const words = [record.title, ...spoken(record)].map((text) => text.slice(0, READ_MAX));
  const end = expectedClear(source, record, words);

  return {
    place,
    effect,
    cause,
    advice: adviceIn(record.title, advising(source, record)),
    expected_clear: end?.at ?? null,
    expected_clear_from: end?.from ?? null,
    lanes: lanes ?? [effect ?? '', ...words].map(lanesIn).find((found) => found !== null) ?? null,
    delay_minutes: delay_minutes ?? words.map(delayMinutesIn).find((minutes) => minutes !== null) ?? null,
    ...(WITHOUT_ROADS.has(source) ? { roads: [], stretch: [], direction: null } : roadsOf(record)),
  };
}

/** A line's or an operator's first sentence is its statement; a post's too. */
function advising(source: string, record: Reported): string {
  const texts = spoken(record);
  // Its summary line is the title's parts.
  if (source === 'traffic-wales') return '';
  if (!['tfl', 'nsi-service', 'twitter.metpoliceuk'].includes(source)) return texts.join(' ');
  return texts.flatMap((text) => sentencesOf(text).slice(1)).join(' ');
}

/** The texts beside the title; those of the publisher's own fields are whole where the summary line was cut. */
function spoken({ summary_line, metadata }: Reported): string[] {
  const { nsi, statuses } = metadata;
  const own = [
    ...(Array.isArray(statuses) ? statuses.slice(0, 10) : []).flatMap((status) =>
      textsIn((status as { reason?: unknown } | null)?.reason),
    ),
    ...textsIn((nsi as { status_description?: unknown } | undefined)?.status_description),
  ];
  return own.length > 0 ? own : [summary_line];
}

const DIRECTIONS: Readonly<Record<string, Direction>> = {
  northbound: 'N',
  eastbound: 'E',
  southbound: 'S',
  westbound: 'W',
  clockwise: 'CW',
  'anti-clockwise': 'AC',
};

const directionOf = (word: unknown) =>
  typeof word === 'string' && Object.hasOwn(DIRECTIONS, word) ? DIRECTIONS[word] : undefined;

/** Of the title and the publisher's fields; of the text only where those name no road, and not of its diversions. */
function roadsOf({
  title,
  summary_line,
  metadata,
}: Reported): Pick<Facts, 'roads' | 'stretch' | 'direction'> {
  const fields = textsIn(metadata.roads).slice(0, 20).map(normalRoad);
  const places = textsIn(metadata.places).slice(0, 5);
  const first = readRoadWords([title, ...places].join('. '));
  const said = sentencesOf(summary_line)
    .filter((sentence) => !/\bdivert|\bdiversion/i.test(sentence))
    .join(' ');
  const read = fields.length + first.roads.length > 0 ? first : readRoadWords(said);
  // "M5 queues after crash. Three lanes are shut at junction 15."
  const onRoad = first.roads.length === 1 ? `${first.roads[0]}. ${said}` : said;
  const stretch = read.stretch.length > 0 ? read.stretch : readRoadWords(onRoad).stretch;
  // A description names other roads too: "A46 between the A428 and the M69".
  const named = fields.length > 0 ? stretch.map(({ road }) => road) : read.roads;
  const roads = [...new Set([...fields, ...named])];
  // "The A40 is closed eastbound" under a title that gives no direction.
  const more = readRoadWords(said);
  const direction =
    directionOf(metadata.direction) ??
    read.direction ??
    (more.roads.length === 0 || more.roads[0] === roads[0] ? more.direction : null);
  return {
    roads,
    stretch: distinct(stretch.filter(({ road }) => roads.includes(road))),
    direction: roads.length > 0 ? direction : null,
  };
}

function distinct(stretch: Facts['stretch']): Facts['stretch'] {
  const known = new Set<string>();
  return stretch.filter(({ road, from, to }) => {
    const key = `${road} ${from} ${to}`;
    return !known.has(key) && known.add(key);
  });
}
