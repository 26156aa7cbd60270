/** Which of a record's fields and words say where, what and why, for each source. */
import { joined, placeIn, withDirection } from './place.ts';
import { effectWords } from './effectWords.ts';
import { readStatement, type Statement } from './statement.ts';
import { isCause, PROGRESS } from './vocabulary.ts';
import { capital, lower, quiet, sentencesOf, textsIn, tidy, splitOnce } from './words.ts';
import { line, operator, rail } from './rail.ts';
import type { Read, Reported } from './reported.ts';

const UNKNOWN: Read = { place: null, effect: null, cause: null };

/** Both or neither: half a form is unknown, and so is one with a text that was cut off. */
function whole(read: Read | null): Read {
  const tidied = (text: string | null | undefined) =>
    text
      ?.replace(/\s+/g, ' ')
      .replace(/^[ ,;:.–-]+/, '')
      .trim() || null;
  const [place, effect, cause] = [tidied(read?.place), tidied(read?.effect), tidied(read?.cause)];
  const isWhole = [place, effect].every((text) => text && /[\p{L}\d]/u.test(text) && !text.includes('…'));
  const { lanes, delay_minutes } = read ?? {};
  const figures = { ...(lanes && { lanes }), ...(delay_minutes && { delay_minutes }) };
  if (!isWhole) return { ...UNKNOWN, ...figures };
  return { place, effect, cause: cause?.includes('…') ? null : cause, ...figures };
}

export function readBySource(source: string, record: Reported): Read {
  const reader = Object.hasOwn(READERS, source) ? READERS[source]! : general;
  return whole(reader(record));
}

const READERS: Readonly<Record<string, (record: Reported) => Read | null>> = {
  'national-highways': nationalHighways,
  'kb-incidents': rail,
  'nsi-service': operator,
  tfl: line,
  'bods-bus': bus,
  'airport-status': airport,
  'met-office': weather,
  'ea-flood': flood,
  'nrw-flood': flood,
  'sepa-flood': flood,
  'twitter.metpoliceuk': post,
};

/** The title; where it says only what happened, the first sentence below it says what that does. */
function general({ title, summary_line, event_type }: Reported): Read | null {
  const said = readStatement(title);
  if (!said) return null;
  const [first = ''] = sentencesOf(summary_line);
  const more = first && first !== title ? readStatement(first) : null;
  const read = more ? withMore(said, more, first) : said;
  return !read.effect && event_type === 'road.roadworks' ? { ...read, effect: 'roadworks' } : read;
}

function withMore(said: Statement, more: Statement, words: string): Read {
  const isOnRoad = (place: string | null) => /^(?:[AMB]\d|M6 Toll)/.test(place ?? '');
  const ways = new Set(tidy(words).match(/\b(?:north|south|east|west)bound\b|\b(?:anti-)?clockwise\b/g));
  const way = ways.size === 1 ? [...ways][0] : undefined;
  const isSame = !isOnRoad(more.place) || more.place?.split(/[ ,]/)[0] === said.place?.split(/[ ,]/)[0];
  const place =
    said.place && isOnRoad(said.place) && way && isSame ? withDirection(said.place, way) : said.place;
  // "Reopened. Delays remain."
  if (/^reopened\b/.test(said.effect ?? '') && /\bdelays\b/.test(more.effect ?? '') && !more.place)
    return { ...said, place, effect: `${said.effect}, ${more.effect}` };
  if (!said.isCauseOnly || more.isCauseOnly || !more.effect) return { ...said, place };
  return {
    place: isOnRoad(more.place) && !isOnRoad(place) ? joined(more.place, place) : (place ?? more.place),
    effect: effectWords(way ? more.effect.replace(` ${way}`, '') : more.effect, {
      place: isOnRoad(place) ? place : (more.place ?? place),
      isRail: false,
    }),
    cause: said.effect,
  };
}

/** The comment, and the fields that say more: junctions, lanes, cause. */
function nationalHighways(record: Reported): Read | null {
  const { metadata } = record;
  const said = readStatement(record.title);
  if (!said) return null;
  const closed = numberIn(metadata.lanes_restricted);
  const open = numberIn(metadata.lanes_operational);
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

const numberIn = (value: unknown) =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value < 10_000 ? value : null;

function bus(record: Reported): Read | null {
  const read = general(record);
  return read && { ...read, delay_minutes: numberIn(record.metadata.delay_minutes) };
}

/** "Weather risk at X: reasons", "Delays at X: departures and arrivals". */
function airport({ title, metadata }: Reported): Read | null {
  const found = /^(Weather risk|Delays) at ([^:]{2,80}): (.{1,150})$/.exec(title);
  if (!found) return null;
  const [, kind, name = '', what = ''] = found;
  const place = /airport|airfield/i.test(name)
    ? name
    : `${name.replace(/^London (?=Heathrow|Gatwick|Stansted|Luton)/, '')} Airport`;
  if (kind === 'Weather risk') return { place, effect: 'weather risk', cause: lower(what) };

  const minutes = ['departures', 'arrivals']
    .filter((side) => what.includes(side))
    .map((side) => ({
      side,
      late: numberIn((metadata[side] as { median_minutes?: unknown } | undefined)?.median_minutes),
    }));
  const late = minutes.flatMap(({ side, late: by }) => (by ? [`${side} ${by} minutes late`] : []));
  const most = Math.max(0, ...minutes.map(({ late: by }) => by ?? 0));
  return {
    place,
    effect: late.length === minutes.length && late.length > 0 ? late.join(', ') : `${what} delayed`,
    cause: null,
    delay_minutes: most || null,
  };
}

/** "A, B and C"; with semicolons where a name holds a comma. */
function listed(names: readonly string[], more: number): string {
  const by = names.some((name) => name.includes(',')) ? '; ' : ', ';
  if (more > 0) return `${names.join(by)} and ${more} more`;
  if (by === '; ') return names.join(by);
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(by)} and ${names.at(-1)}`;
}

const REGIONS_MAX = 3;

/** "Amber wind warning: North East England; North West England and 1 more"; the fields name all regions. */
function weather({ title, metadata }: Reported): Read | null {
  const [name = '', regions = ''] = splitOnce(title, ': ');
  const all = textsIn(metadata.regions);
  const place =
    all.length > 0
      ? listed(
          all.slice(0, all.length > REGIONS_MAX ? REGIONS_MAX - 1 : REGIONS_MAX),
          all.length > REGIONS_MAX ? all.length - REGIONS_MAX + 1 : 0,
        )
      : regions.replaceAll('; ', ', ');
  if (place === '' || place.length > 140 || !/\bwarning\b/i.test(name)) return null;
  return {
    place: capital(place),
    effect: lower(name.charAt(0).toLowerCase() + name.slice(1)).replace(/, (?=\w+ warning)/, ' and '),
    cause: null,
  };
}

/** "Flood warning: River Aire at Kirkstall": the level, then the area's own name. */
function flood({ title }: Reported): Read | null {
  const [level = '', area = ''] = splitOnce(title, ': ');
  const place = capital(
    area
      .replace(/^the (?=\S)/i, '')
      .replace(/ - /g, ', ')
      .trim(),
  );
  if (
    !/^(?:severe )?flood (?:warning|alert)$/i.test(level) ||
    place === '' ||
    place.length > 140 ||
    place.endsWith('…')
  )
    return null;
  return { place: quiet(place), effect: level.toLowerCase(), cause: null };
}

/** A post has no title: its first sentence says it. */
function post(record: Reported): Read | null {
  const [first = ''] = sentencesOf(record.summary_line || record.title);
  return general({
    ...record,
    title: first,
    summary_line: sentencesOf(record.summary_line).slice(1).join(' '),
  });
}
