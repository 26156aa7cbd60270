/** The labelled typed routes of tests/fixtures/reading, and how many of them are read as labelled, or asked about. */
import type { Resolved } from '../../contract/watches/watches.ts';
import { findRoutePlaces } from '../../server/geography/names/routePlaces.ts';
import { resolveText } from '../../server/watches/typed/typedLegs.ts';
import { rulerAt } from '../../server/geography/roads/roadTable.ts';
import { fixture } from './upstream.ts';

export interface RouteMiss {
  text: string;
  wanted: string;
  read: string;
  /** The result is not the labelled one, and the user was not asked. */
  isSilent: boolean;
}

/** A longer straight line in silence is wrong wherever it leads. */
const SILENT_KM = 60;

const letters = (name: string) => name.toLowerCase().replaceAll(/[^\p{L}\d]/gu, '');
const names = (one: string, other: string) =>
  letters(one).includes(letters(other)) || letters(other).includes(letters(one));

/** "M62 M6 M5": the roads of its legs in their order, each once in a row. */
function roadsOf({ legs }: Resolved): string {
  const roads = legs.flatMap((leg) =>
    leg.type === 'road' ? leg.road.replace('NI ', '') : leg.type === 'line' ? `drawn ${leg.road}` : [],
  );
  return roads.filter((road, index) => road !== roads[index - 1]).join(' ');
}

const longestLink = ({ legs }: Resolved) =>
  Math.max(
    0,
    ...legs.flatMap((leg) => {
      const [from, to] = leg.type === 'link' ? [leg.points[0], leg.points.at(-1)] : [];
      return from && to ? rulerAt(from[1]!).distance(from as [number, number], to as [number, number]) : [];
    }),
  );

export const ROUTE_SETS = [
  'routes.txt',
  'routes-second.txt',
  'routes-third.txt',
  'routes-fourth.txt',
  'routes-fifth.txt',
  'routes-sixth.txt',
  'routes-seventh.txt',
  'routes-eighth.txt',
  'routes-ninth.txt',
  'routes-tenth.txt',
  'routes-eleventh.txt',
  'routes-twelfth.txt',
];

export async function measuredRoutes(file: string) {
  const misses: RouteMiss[] = [];
  const counts = { right: 0, asked: 0, silent: 0, of: 0 };
  for (const line of fixture(`reading/${file}`).split('\n')) {
    const [text, label] = line.split(' => ');
    if (!text || !label || line.startsWith('#')) continue;
    const [from = '', roads = '', to = ''] = label.split(' | ').map((part) => part.trim());
    const resolved = await resolveText(text.replaceAll('\\n', '\n'), findRoutePlaces);
    const isAsked = resolved.problems.some(({ level }) => level === 'stop' || level === 'proposal');
    const [start, end] = resolved.name?.split(' to ') ?? [];
    const isRight =
      roads === '?'
        ? isAsked
        : roadsOf(resolved) === roads &&
          (!start || names(start, from)) &&
          (!end || names(end, to)) &&
          longestLink(resolved) < SILENT_KM;
    counts.of++;
    if (isRight) counts.right++;
    else if (isAsked) counts.asked++;
    else counts.silent++;
    if (!isRight)
      misses.push({
        text,
        wanted: label,
        read: `${resolved.name ?? ''}: ${roadsOf(resolved)}`,
        isSilent: !isAsked,
      });
  }
  return { counts, misses };
}
