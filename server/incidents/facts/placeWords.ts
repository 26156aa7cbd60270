/** A place from words: "M62 eastbound, J26 Chain Bar to J27 Gildersome". */
import { normalRoad } from '#contract/incidents/roadName.ts';
import { capital, isCommon } from './publisherWords.ts';

const LENGTH_MAX = 140;

const ROAD = /^(?:the )?((?:M6 ?Toll|A\d{1,4}(?: ?\(M\)|M)?|M\d{1,4}|B\d{3,4})(?!\w))\s*/i;
const WAY = /\b(?:(?:north|south|east|west|coast|London)bound|(?:anti-)?clockwise|both ways)\b/;

/** Words in lower case that can be part of a place. */
const PLACE_WORDS = new Set(
  `a across along and approach area around at bank bay between beach beyond branch bridge brook bus by bypass canal catchment
  centre channel city clockwise anti-clockwise coach coast coastal coastline cross dock docks district downstream du east eastbound
  entry estuary exit exits ferry foot for from harbour high hill in including interchange international inside island isle isles
  junction junctions lake lane lanes le les line link loch lodge lower main middle motorway mouth near nearby north northbound
  of off on only or out over park parkway parts pier place port properties quay quayside railway rest reservoir ring river rivers
  riverside road roads roundabout route section services shopping side slip sluice south southbound square stations station stream street
  surrounding terminal terminals the through tidal to toll towards town towns tributaries tunnel tunnels under up upon upper upstream village
  villages vale valley via viaduct way ways west westbound within with y both Londonbound coastbound train trains areas land low-lying
  boat yards central greater inner outer mid northern southern eastern western flyover underpass gyratory crossroads ramp marina seafront promenade moor boat communities properties surrounding`.split(
    /\s+/,
  ),
);

/** Null: the words are not a place. */
export function placeIn(words: string): string | null {
  const said = words
    .replace(/(?<=\b[AMBJ]\d{1,4}[A-Z]?) \((?!M\))([^()\d]{1,60})\)/g, ' $1')
    .replace(/^[\s,:;–-]+|(?<![\s,:;–-])[\s,:;–-]+$/g, '')
    .replace(
      /^(?:(?:on|at|in|from|near|across|along|through|throughout|around|over|into|within|for|affecting) )(?=\S)/i,
      (word) => (/^(?:near|through)/i.test(word) ? '' : ''),
    )
    .replace(/^(?:the |parts of the )(?=\S)/i, '')
    .trim();
  // "Disruption to X services" says what is affected, and not where.
  if (said === '' || /^to /i.test(said) || said.length > LENGTH_MAX || !isPlace(said)) return null;
  const road = ROAD.exec(said);
  return capital(road ? onRoad(road[1]!, said.slice(road[0].length)) : stretchOf(said));
}

function isPlace(words: string): boolean {
  const parts = words.split(/[\s,/()–]+/).filter(Boolean);
  const named = parts.filter((part) => /^[\p{Lu}\d&]/u.test(part));
  return (
    named.some((part) => !part.startsWith('&')) &&
    /^[\p{L}\d(]/u.test(words) &&
    parts.every((part) => /^[\p{Lu}\d&+'’.-]/u.test(part) || PLACE_WORDS.has(part.replace(/['’]s$/, ''))) &&
    // In Title Case, "Severe Delays" is not a place.
    (named.some((part) => /\d/.test(part) || !isCommon(part) || named.length > 2) ||
      /^\p{Lu}\p{Ll}+ (?:Road|Street|Lane|Bridge)$/u.test(words))
  );
}

/** The road, its direction, then the part of it. */
function onRoad(road: string, rest: string): string {
  const way = WAY.exec(rest)?.[0] ?? '';
  const along = (way ? rest.replace(WAY, ' ') : rest)
    .replace(/\s+/g, ' ')
    .replace(/^[\s,]+|(?<![\s,])[\s,]+$/g, '')
    .replace(/^(?:at|within) (?=J\d)/i, '')
    .replace(/\b(?:on|in) (?=(?:(?:exit|entry) )?slip)/i, '');
  const head = [normalRoad(road), way].filter(Boolean).join(' ');
  if (!along) return head;
  const place = stretchOf(along);
  const isOneName = !way && !/^(?:J\d|[AMB]\d)/.test(place) && !/ to /.test(place);
  if (/^(?:at|near|between|over|under|in|through) /.test(place) || isOneName) return `${head} ${place}`;
  return `${head}, ${place}`;
}

/** "between A and B" and "from A to B" become "A to B". */
function stretchOf(words: string): string {
  const between = /^between (?=\S)/i.test(words) ? words.slice('between '.length) : null;
  if (between) {
    const [from = '', ...to] = between.includes(' and ') ? between.split(' and ') : between.split(' & ');
    if (to.length > 0) return `${from} to ${to.join(' and ')}`;
  }
  const middle = / between (?=\S)/i.exec(words);
  if (middle && !between) {
    const before = words.slice(0, middle.index).trimEnd();
    const after = stretchOf(words.slice(middle.index + 1));
    return `${before}, ${after}`;
  }
  return words.replace(/^from (?=\S)/i, '').replace(/^the (?=\S)/i, '');
}

/** Two places of one text as one. If one contains the other, the longer one. */
export function joined(one: string | null, other: string | null): string | null {
  if (!one || !other) return one ?? other;
  if (one.toLowerCase().includes(other.toLowerCase())) return one;
  if (other.toLowerCase().includes(one.toLowerCase())) return other;
  const next = /^(?:at |near |(?:exit |entry )?slip)/i.test(other) ? ` ${other}` : `, ${other}`;
  return `${one}${next}`;
}

export const withDirection = (place: string, way: string) => {
  const road = ROAD.exec(place);
  if (!road || WAY.test(place)) return place;
  return onRoad(road[1]!, `${way} ${place.slice(road[0].length)}`);
};
