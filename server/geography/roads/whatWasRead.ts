/** The reading of an incident's words: a sentence for a dispatcher, and the use of each word. */
import type { ReadPart, WhatWasRead } from '#contract/incidents/whatWasRead.ts';
import { DIRECTION_WORDS } from './incidentPlace.ts';
import { readMarks, type Mark, type RoadUse } from './roadWords.ts';
import { roadsOfReport, type RoadReport } from './roadsOfReport.ts';
import type { RoadTable } from './roadTable.ts';

/** The most roads that a sentence names; a genuine text has two or three. */
const NAMED_MAX = 4;

const CLOSED: Readonly<Record<RoadUse['closed'], string>> = {
  full: 'closed',
  lanes: 'some lanes closed',
  none: 'open, with delays or restrictions',
  unknown: 'what is closed is not told',
};
const SLIP: Readonly<Record<'entry' | 'exit' | 'both' | 'slip', string>> = {
  entry: 'entry slip road',
  exit: 'exit slip road',
  both: 'entry and exit slip roads',
  slip: 'slip road',
};
const IGNORED: Readonly<Record<Exclude<RoadUse['role'], 'affected'>, string>> = {
  limit: 'only says where',
  diversion: 'is a way round',
  destination: 'is where traffic goes or queues to',
  name: 'is part of a name, or named in passing',
};

export function whatWasRead(report: RoadReport, table?: RoadTable): WhatWasRead {
  const uses = roadsOfReport(report, table);
  const affected = uses.filter(({ role }) => role === 'affected');
  const others = uses.filter(({ role }) => role !== 'affected');
  // A road with two roles is named in the first.
  const ignored = others
    .filter(({ road }, at) => others.findIndex((one) => one.road === road) === at)
    .slice(0, NAMED_MAX);
  const read =
    affected.length === 0
      ? 'No road was read.'
      : `Read as ${affected
          .slice(0, NAMED_MAX)
          .map((use) => affectedWords(use, affected.length === 1 ? pointWords(report) : null))
          .join('; and ')}.`;
  const left = ignored.map(({ road, role }) => `The ${road} ${IGNORED[role as keyof typeof IGNORED]}.`); // affected roads are in the list above
  return {
    sentence: [read, ...left].join(' '),
    ...partsOf(report, affected),
  };
}

/** The place of the point on the map, for a road without a stretch. */
function pointWords({ metadata: { location_names, location_method } }: RoadReport): string | null {
  const [from, to] = Array.isArray(location_names) ? location_names : [];
  if (from) return to ? `${from} to ${to}` : `at ${from}`;
  return location_method ? 'at the point that its publisher gives' : null;
}

function affectedWords({ road, direction, stretch, slip, closed }: RoadUse, point: string | null): string {
  const way =
    direction === 'both' ? 'both ways' : direction ? DIRECTION_WORDS[direction] : 'carriageway not told';
  const [first] = stretch;
  const where = first && (first.from === first.to ? `at ${first.from}` : `${first.from} to ${first.to}`);
  return [`${road} ${way}`, where ?? point ?? 'place on it not told', slip && SLIP[slip], CLOSED[closed]]
    .filter(Boolean)
    .join(', ');
}

/** Each text in order, in parts with one use. They are read as one text, because the second continues the first. */
function partsOf(
  { title, summary_line, metadata }: RoadReport,
  affected: readonly RoadUse[],
): Pick<WhatWasRead, 'title' | 'text'> {
  const begins = title.length + GAP.length;
  const whole = `${title}${GAP}${summary_line}`;
  const roads = Array.isArray(metadata.roads) ? affected.map(({ road }) => road) : [];
  const marks = readMarks(whole, { roads });
  if (marks.length > 0) marks.push(...namesIn(whole, namesOf(metadata, affected), marks));
  marks.sort((one, other) => one.from - other.from);
  return {
    title: cut(
      title,
      marks.filter(({ to }) => to <= title.length),
    ),
    text: cut(
      summary_line,
      marks
        .filter(({ from }) => from >= begins)
        .map(({ from, to, use }) => ({ from: from - begins, to: to - begins, use })),
    ),
  };
}

/** The names of places in the sentence, without junctions and roads. */
function namesOf(metadata: RoadReport['metadata'], affected: readonly RoadUse[]): string[] {
  const ends = affected.flatMap(({ stretch }) => stretch.flatMap(({ from, to }) => [from, to]));
  const names = Array.isArray(metadata.location_names) ? metadata.location_names.map(String) : [];
  return [...ends, ...names].filter((name) => name !== '' && !/\d/.test(name));
}

/** Marks for these names in the text, the longest name first. Words that have a use keep it. */
function namesIn(text: string, names: readonly string[], marks: readonly Mark[]): Mark[] {
  const found: Mark[] = [];
  for (const name of names.toSorted((one, other) => other.length - one.length)) {
    for (let from = text.indexOf(name); from >= 0; from = text.indexOf(name, from + name.length)) {
      const to = from + name.length;
      const isWhole = !/\p{L}/u.test(text.charAt(from - 1)) && !/\p{L}/u.test(text.charAt(to));
      const isFree = ![...marks, ...found].some((mark) => from < mark.to && mark.from < to);
      if (isWhole && isFree) found.push({ from, to, use: 'stretch' });
    }
  }
  return found;
}

const GAP = '. ';

function cut(text: string, marks: readonly Mark[]): ReadPart[] {
  const parts: ReadPart[] = [];
  let at = 0;
  for (const { from, to, use } of marks) {
    if (from > at) parts.push({ words: text.slice(at, from), use: null });
    parts.push({ words: text.slice(from, to), use });
    at = to;
  }
  if (at < text.length) parts.push({ words: text.slice(at), use: null });
  return parts;
}
