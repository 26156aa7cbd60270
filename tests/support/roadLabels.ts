/** The labelled road texts of tests/fixtures/reading, and how many of them are read as labelled. */
import { Direction } from '#contract/incidents/facts.ts';
import { labelPosition } from '../../server/geography/roads/junctionLabels.ts';
import { readRoadWords, type RoadUse } from '../../server/geography/roads/roadWords.ts';
import { areOpposite } from '../../server/geography/roads/directionWords.ts';
import { roadTable, senseOf } from '../../server/geography/roads/roadTable.ts';
import { fixture } from './upstream.ts';

interface Label {
  road: string;
  /** Either counts as right: the road may be named in passing. */
  isOptional: boolean;
  direction: Direction | 'both' | null;
  stretch: string | null;
  slip: 'entry' | 'exit' | 'both' | 'slip' | null;
  /** `?`: the labels of two people differ. */
  closed: 'full' | 'lanes' | 'none' | 'unknown' | '?';
}

export interface LabelledText {
  source: string;
  text: string;
  roads: Label[];
}

/** "M62 E J26-J27 exit full": road, direction, stretch, slip road, closed part. "-" means that the text does not say
 *  it. */
function labelIn(words: string): Label {
  const parts = words.trim().replace('M6 Toll', 'M6_Toll').replace("Taff's Well", "Taff's_Well").split(/\s+/);
  const road = parts[0]!.replace('~', '').replace('_', ' ');
  const closed = (parts.length > 1 ? parts.at(-1)! : '?') as Label['closed'];
  const slip =
    /^(?:entry|exit|both|slip)$/.test(parts.at(-2) ?? '') && parts.length > 3 ? parts.at(-2)! : null;
  const stretch = parts
    .slice(2, parts.length > 3 ? -2 : -1)
    .join(' ')
    .replaceAll('_', ' ');
  const way = parts[1] ?? '-';
  return {
    road,
    isOptional: words.trim().startsWith('~'),
    direction: way === '-' ? null : (way as Label['direction']),
    stretch: stretch === '' || stretch === '-' ? null : stretch,
    slip: slip as Label['slip'],
    closed,
  };
}

export function labelledTexts(file: string): LabelledText[] {
  return fixture(`reading/${file}`)
    .split('\n')
    .filter((line) => line.includes(' => ') && !line.startsWith('#'))
    .map((line) => {
      const [head = '', tail = ''] = line.split(' => ');
      const [source = '', text = ''] = [
        head.slice(0, head.indexOf('|')).trim(),
        head.slice(head.indexOf('|') + 1).trim(),
      ];
      return { source, text, roads: tail.trim() === 'none' ? [] : tail.split(';').map(labelIn) };
    });
}

export const MEASURES = ['roads', 'direction', 'stretch', 'slip', 'closed'] as const;
export type Measure = (typeof MEASURES)[number];

export interface Miss {
  measure: Measure;
  source: string;
  text: string;
  wanted: string;
  read: string;
}

/** One word for one carriageway: "coastbound" and "E". */
function isSameWay(road: string, one: Direction | 'both' | null, other: Direction | 'both' | null): boolean {
  if (one === other) return true;
  if (one === null || other === null || one === 'both' || other === 'both') return false;
  const known = roadTable()
    .named(road)
    .some((chain) => senseOf(chain, one) && senseOf(chain, other));
  return known && !areOpposite(road, one, other, roadTable());
}

/** One place by two names: "Chiswick" and "Chiswick Roundabout". */
function isSameStretch(road: string, wanted: string | null, read: string): boolean {
  if ((wanted ?? '-').toLowerCase() === read.toLowerCase()) return true;
  if (wanted === null || read === '-') return false;
  const chain = roadTable().named(road)[0];
  const ends = (words: string) =>
    (words.includes('>') ? words.split('>') : words.split('-')).map(
      (end) => chain && labelPosition(chain, end, roadTable()),
    );
  const [own, others] = [ends(wanted), ends(read)];
  return (
    own.length === others.length && own.every((at, index) => typeof at === 'number' && at === others[index])
  );
}

const stretchWords = ({ stretch: [first] }: RoadUse) =>
  first
    ? first.from === first.to
      ? first.from
      : `${first.from}${/-/.test(first.from + first.to) ? '>' : '-'}${first.to}`
    : '-';

/** For each measure: how many were asked, how many were right, and the misses. */
export function measured(texts: readonly LabelledText[]) {
  const counts = Object.fromEntries(MEASURES.map((name) => [name, { right: 0, of: 0 }])) as Record<
    Measure,
    { right: number; of: number }
  >;
  const misses: Miss[] = [];
  for (const { source, text, roads } of texts) {
    const read = readRoadWords(text, source === 'trafficwatchni' ? { isIrish: true } : {});
    const affected = read.filter(({ role }) => role === 'affected');
    const ask = (measure: Measure, isRight: boolean, wanted: unknown, found: unknown) => {
      counts[measure].of++;
      if (isRight) counts[measure].right++;
      else misses.push({ measure, source, text, wanted: String(wanted), read: String(found) });
    };
    const wanted = roads.filter(({ isOptional }) => !isOptional).map(({ road }) => road);
    const named = affected
      .map(({ road }) => road)
      .filter((road) => wanted.includes(road) || !roads.some((one) => one.isOptional && one.road === road));
    ask('roads', wanted.toSorted().join() === named.toSorted().join(), wanted.join(), named.join());
    for (const label of roads) {
      const use = affected.find(({ road }) => road === label.road);
      if (!use || label.isOptional) continue;
      ask('direction', isSameWay(use.road, label.direction, use.direction), label.direction, use.direction);
      ask(
        'stretch',
        isSameStretch(use.road, label.stretch, stretchWords(use)),
        label.stretch,
        stretchWords(use),
      );
      ask('slip', label.slip === use.slip, label.slip, use.slip);
      if (label.closed !== '?') ask('closed', label.closed === use.closed, label.closed, use.closed);
    }
  }
  return { counts, misses };
}
