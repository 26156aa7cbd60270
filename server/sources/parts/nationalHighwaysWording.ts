/** Words on a closure by National Highways. */
import { countIn } from '../../incidents/facts/lanesAndMinutes.ts';
import { placeIn } from '../../incidents/facts/placeWords.ts';
import type { Read, Reported } from '../../incidents/facts/reported.ts';
import { readStatement } from '../../incidents/facts/titleStatement.ts';
import { isCause, PROGRESS } from '../../incidents/facts/vocabulary.ts';
import { textsIn, tidy } from '../../incidents/facts/publisherWords.ts';
import { fields } from '../../http/documents/json.ts';
import { plainText } from '../../http/documents/plainText.ts';
import type { Extent, Graded } from './nationalHighwaysGrading.ts';
import { asList, type Closure, codeOf } from './nationalHighwaysReading.ts';

const WHAT_IS_CLOSED: Readonly<Record<Extent, string>> = {
  carriageway: 'Carriageway closed',
  most_lanes: 'Lanes closed',
  some_lanes: 'Lanes closed',
  unknown: 'Restrictions in place',
};

export function lanesClosed({ extent, restricted, operational }: Graded['worst']): string {
  return extent !== 'carriageway' && restricted && operational !== null
    ? `${restricted} of ${restricted + operational} lanes closed`
    : WHAT_IS_CLOSED[extent];
}

/** The detailed cause where it says more than "other": `brokenDownVehicle` becomes "broken down vehicle". */
export function causeOf({ cause }: Closure): string {
  const detailed = asList(Object.values(fields(cause?.detailedCauseType))[0]).map(codeOf)[0] ?? '';
  const code = detailed && !/^other/i.test(detailed) ? detailed : (cause?.causeType ?? '');
  if (/^other/i.test(code)) return '';
  return plainText(code)
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase();
}

/** Whether a text names the road: "M62A" does not name the M62. */
export function names(text: string, road: string | undefined): boolean {
  return text
    .toUpperCase()
    .split(/[^\w()]+/)
    .includes(road?.toUpperCase() ?? '');
}

export function sentences(parts: readonly string[]): string {
  return parts
    .filter(Boolean)
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .map((part) => (/[.!?]$/.test(part) ? part : `${part}.`))
    .join(' ');
}

const PLACES_NAMED = 2;

export function listed(places: readonly string[]): string {
  const more = places.length - PLACES_NAMED;
  return `${places.slice(0, PLACES_NAMED).join('; ')}${more > 0 ? `; and ${more} more` : ''}`;
}

/** The comment, and the fields that say more: junctions, lanes, cause. */
export function readClosure(record: Reported): Read | null {
  const { metadata } = record;
  const said = readStatement(record.title);
  if (!said) return null;
  const closed = countIn(metadata.lanes_restricted);
  const open = countIn(metadata.lanes_operational);
  const of = closed !== null && open !== null ? closed + open : null;
  const lanes = closed && of && open ? { closed, of } : null;
  const isClosed = metadata.upstream_severity === 'carriagewayClosures' || (open === 0 && closed !== 0);
  const byFields = isClosed ? 'closed' : lanes ? `${lanes.closed} of ${lanes.of} lanes closed` : null;
  const own = said.effect && !said.isCauseOnly ? said.effect : null;
  // "lanes 1 and 2 closed" of how many?
  const effect =
    own && lanes ? own.replace(/^(lanes? \d(?:(?:, | and )\d)*) closed/, `$1 of ${lanes.of} closed`) : own;
  const cause = said.isCauseOnly ? joinedCause(said.effect, said.cause) : said.cause;
  const byField = causeByField(metadata.cause);
  const because = cause && byField && PROGRESS.test(cause) ? `${byField}, ${cause}` : (cause ?? byField);
  return {
    place: placeByFields(said.place, metadata),
    effect: effect ?? byFields ?? because,
    cause: (effect || byFields) && !effect?.includes(because ?? ' ') ? because : null,
    lanes,
  };
}

/** DATEX codes in a dispatcher's words. */
const CODES: Readonly<Record<string, string>> = {
  'road improvement or upgrading': 'roadworks',
  'maintenance work': 'maintenance',
  'resurfacing work': 'resurfacing',
  'animal presence': 'animals on the road',
  'overturned heavy lorry': 'overturned lorry',
};

function causeByField(code: unknown): string | null {
  if (typeof code !== 'string' || code.length > 60) return null;
  return Object.hasOwn(CODES, code)
    ? CODES[code]!
    : isCause(code) && !/\boperation\b/.test(code)
      ? code
      : null;
}

const joinedCause = (one: string | null, other: string | null) =>
  [one, other].filter(Boolean).join(', ') || null;

/** The title's place, or the longer one of the location's description where the title gives the road alone. */
function placeByFields(said: string | null, metadata: Reported['metadata']): string | null {
  const [first] = textsIn(metadata.places);
  const described = first ? placeIn(tidy(first)) : null;
  if (!said || !described) return said ?? described;
  if (!/^\S+(?: Toll)?(?: (?:\w+bound|(?:anti-)?clockwise|both ways))?$/.test(said)) return said;
  return described.startsWith(said.split(' ')[0]!)
    ? described
    : `${said}, ${described.charAt(0).toLowerCase()}${described.slice(1)}`;
}
