/** The parts of an incident that are compared, read from it once. */
import { kilometres } from '#contract/places/distance.ts';
import { isInNorthernIreland } from '../../geography/shapes/northernIreland.ts';
import type { Disruption, Phase } from '#contract/incidents/disruptions.ts';
import type { Facts } from '#contract/incidents/facts.ts';
import { roadsByName } from '#contract/incidents/roadName.ts';
import type { Box } from '../../geography/names/placeEvidence.ts';
import { keyOf } from '../../geography/names/nameIndex.ts';
import { isKnownName, regionsIn, settlementsNamed } from '../../geography/names/placeNames.ts';
import { stationsNamed } from '../../geography/names/stationNames.ts';
import { roadsOfReport } from '../../geography/roads/roadsOfReport.ts';
import { readRoadWords, type RoadUse } from '../../geography/roads/roadWords.ts';
import { isOverByWords } from '../facts/overInWords.ts';
import { causesIn } from './causes.ts';

export interface Incident {
  event_id: string;
  source: string;
  event_type: string;
  phase: Phase;
  /** ISO 8601, UTC. */
  start_time: string;
  end_time?: string | null;
  /** When the publisher last wrote it. */
  updated_at?: string | null;
  title: string;
  summary_line: string;
  latitude: number | null;
  longitude: number | null;
  metadata: Partial<Disruption['metadata']>;
  facts?: Facts | undefined;
}

/** Traffic that stops or crawls. `warning`: for an area in which nothing has to have happened yet; it is only like
 *  news about it. */
type Mode = 'road' | 'bus' | 'rail' | 'air' | 'ferry';

export interface Report extends Pick<Incident, 'event_id' | 'source' | 'phase' | 'start_time'> {
  /** In ms since 1970. */
  began: number;
  /** Null: any traffic on the ground. */
  mode: Mode | null;
  /** True: an operator, which informs about its own road or line. Newsrooms and the police report what they see. */
  isOperator: boolean;
  /** True: it is about an earlier day, or says itself that it is not the first. */
  isOfAnother: boolean;
  /** When its words said that it is over, in ms; Infinity while it stands, or if nothing gives that time. */
  ended: () => number;
  /** True: it says itself that it goes on. */
  goesOn: boolean;
  /** Classes of causes; several when it may be one of them, none when it gives none. */
  causes: ReadonlySet<string>;
  position: Position | null;
  roads: Facts['roads'];
  stretch: Facts['stretch'];
  direction: Facts['direction'];
  /** True: it says on which carriageway it is; a newsroom in its title, because its text may mean what is turned back. */
  isOneWay: () => boolean;
  /** True: its words mean both carriageways. */
  isBothWays: boolean;
  /** Null: the words name no slip road. `unsure`: only the text names one, which may be another. */
  slip: 'exit' | 'entry' | 'slip' | 'unsure' | null;
  /** Who wrote it; for newsrooms and accounts their own name. */
  publisher: string;
  /** The words of the title, to recognise a repeated report. */
  words: ReadonlySet<string>;
  /** "bus station", "airport": the closed building, if a place has only one of it. */
  facility: string | null;
  /** "piccadilly line"; null when none is named. */
  line: string | null;
  /** "huddersfield to leeds", in any order of the ends; from places and from words. */
  sections: readonly string[];
  /** The words of names of places in it, in lower case. */
  names: ReadonlySet<string>;
  /** The same; all words of the title if it writes names without capitals, as posts do. */
  spoken: ReadonlySet<string>;
  /** The words of all names in it, without those to or from which traffic goes. */
  said: ReadonlySet<string>;
  /** The names in it as they are written, in lower case: "wembley park". */
  sayings: ReadonlySet<string>;
  /** The words of names that are surely of places: known ones, streets and landmarks with their kind, and names after
   *  words such as "near" inside a sentence. A first word, such as "Crash", is none. */
  placed: () => ReadonlySet<string>;
  /** The settlements that its words say it is in or near; one for each that has the name. */
  towns: () => readonly Point[];
  /** The words of its publisher's area: "hull" of Hull City Council. */
  area: ReadonlySet<string>;
  /** Kinds of the streets in it by their names, lower case: "albert" is a "road". */
  streets: ReadonlyMap<string, string>;
  /** Kinds of its bridges, tunnels and other landmarks by the last word of their names, lower case: "tower" is a
   *  "bridge". */
  landmarks: ReadonlyMap<string, string>;
  /** The two ends of its section of railway, if these are stations. */
  ends: readonly Point[];
  /** A flood or weather warning, or news about one. An operator's report is about its own services. */
  warned: Warned | null;
  /** True: its roads are in Northern Ireland, whose numbers also exist elsewhere. */
  isIrish: boolean;
  /** Counties that it names, if nothing gives a closer place. */
  within: readonly Box[];
  /** All counties that it names. */
  counties: () => readonly Box[];
  /** Incidents that it refers to. */
  related: readonly string[];
}

export interface Warned {
  isOfAgency: boolean;
  /** True: it is about a road that the flood has closed. */
  hasHappened: boolean;
  /** "flood", "wind" */
  kinds: ReadonlySet<string>;
  /** The full names of its area in the title, and all: of a flood its waters and places, of weather its regions.
   *  "burton joyce" has no name in common with "burton trent". */
  title: ReadonlySet<string>;
  all: ReadonlySet<string>;
  /** Names after "River". */
  rivers: ReadonlySet<string>;
  /** Its rivers, streets and road numbers, without which two floods in one town may be two. */
  signs: ReadonlySet<string>;
  /** "amber", if it says so. */
  colour: string | null;
  /** Weekdays that it names. */
  days: ReadonlySet<string>;
}

/** WGS84 degrees. */
export interface Point {
  latitude: number;
  longitude: number;
}

export interface Position extends Point {
  /** How far the place reaches around its point, in km. */
  reachKm: number;
  /** The words of the town's or landmark's name, in lower case; '' when the publisher gives the point. */
  name: string;
}

/** The most roads and parts of them; a genuine report has two or three. */
const NAMED_MAX = 10;

/** Null for an incident that cannot be like another: nothing was read from it and it has no place. A warning is only
 *  read for its area, because warnings are the most frequent. */
export function reportOf(incident: Incident): Report | null {
  const { event_id, source, phase, start_time, event_type, title, summary_line, metadata, facts } = incident;
  const { place = null, stretch = [] } = facts ?? {};
  const roads = ownRoads(incident);
  const words = `${title}. ${summary_line}`;
  const line = lineOf(place, title);
  const subject = modeOf(event_type, words);
  const mode = line
    ? 'rail'
    : /^\[?[AM]\d/.test(title)
      ? roadOr(subject)
      : isOnlyNamed(subject, words) &&
          (roads.length > 0 || (subject === 'air' && !/\bairport\b/i.test(words)))
        ? roads.length > 0
          ? 'road'
          : null
        : subject;
  const common = { event_id, source, phase, start_time, began: Date.parse(start_time) };
  const isOperator = !/^(?:news|social|police)\./.test(event_type);
  // This comes before its words are read, which takes long.
  if (mode === 'warning')
    return /^(?:flood|weather)\./.test(event_type)
      ? { ...NOTHING, ...common, isOperator, warned: warnedIn(title, summary_line, event_type) }
      : null;
  const position = positionOf(incident);
  if (!facts && !position) return null;
  const byName = roads.length > 0 ? [] : roadsByName(words);
  const named = roads.length > 0 ? roads : byName;
  const sections = sectionsOf(place, metadata);
  const names = namesIn({ title, summary_line, place: place ?? '' }, mode === 'ferry');
  const said = wordsOf(title);
  const own = words.slice(0, SAID_MAX).replace(OFFICE, ' ').replace(NO_PLACE, ' ').replace(PASSING, ' ');
  const sayings = sayingsIn(own);
  const causes = causesIn(event_type, [facts?.cause ?? '', title, summary_line]);
  // A flooded line is a fault of its own, beside the flood.
  const isFlood =
    causes.has('flood') && !causes.has('water') && (mode === 'road' || (mode === null && !isOperator));
  const direction = facts?.direction ?? (byName[0] ? wayOn(byName[0], title) : null);
  // The parts that are read later keep no more of the incident than its words, because many reports are kept.
  const updated = Date.parse(incident.updated_at ?? '');
  return {
    ...common,
    mode,
    isOperator,
    isOfAnother: (PAST.test(words) && !STANDS.test(words)) || SECOND.test(words),
    goesOn: GOES_ON.test(words),
    causes,
    position,
    roads: named.slice(0, NAMED_MAX),
    stretch: stretch.slice(0, NAMED_MAX),
    direction,
    // The next two take long to read, and few pairs need them.
    isOneWay: () =>
      direction !== null &&
      (isOperator ||
        readRoadWords(`${named[0] ?? ''}: ${title.slice(0, READ_MAX)}`)[0]?.direction === direction),
    ended: () => (isOverByWords(words, direction ?? undefined) && updated) || Infinity,
    isBothWays: direction === null && BOTH_WAYS.test(words),
    slip: slipIn(title) ?? (facts?.slip ? 'unsure' : null),
    publisher: `${source} ${typeof metadata.publisher === 'string' ? metadata.publisher : ''}`,
    words: said,
    facility:
      (TERMINAL.exec(title) ?? FACILITY.exec(title))?.[0].toLowerCase().replace(/^t(?=\d)/, 'terminal ') ??
      null,
    line,
    sections,
    isIrish: isIrish(incident, position),
    within: position || named.length === 0 ? [] : regionsIn(title),
    names,
    spoken: names.size === 0 || IS_SPOKEN.test(title) ? said : names,
    said: setOf([
      ...sayings
        .flatMap((name) => name.split(' '))
        .filter(isPlaceWord)
        .slice(0, SAID_WORDS_MAX),
      ...(IS_SPOKEN.test(title) ? said : []),
    ]),
    sayings: setOf(sayings),
    placed: once(() => placedIn(title, own, sayings)),
    towns: once(() => namesAfter(own, OF_TOWN).flatMap(settlementsNamed)),
    counties: once(() => regionsIn(own)),
    area: setOf(areaOf(words.slice(0, SAID_MAX))),
    streets: new Map(
      Array.from(words.slice(0, READ_MAX).matchAll(STREET_KIND), ([, name = '', kind = '']) => [
        name.toLowerCase(),
        STREET_KINDS[kind.toLowerCase()] ?? kind.toLowerCase(),
      ]),
    ),
    landmarks: new Map(
      Array.from(own.matchAll(LANDMARK), ([, name = '', kind = '']): [string, string] => [
        name.toLowerCase(),
        // "Glenshane Pass" is the Glenshane Road.
        kind === 'Pass' ? 'road' : kind.toLowerCase(),
      ]).filter(([name]) => !/^(?:the|railway|rail|road|station)$/.test(name)),
    ),
    ends: roads.length > 0 ? [] : endsOf(sections, position),
    warned:
      isFlood || (!isOperator && named.length === 0 && OF_WARNING.test(words) && !HAPPENED.test(words))
        ? { ...warnedIn(title, summary_line, null), hasHappened: isFlood && HAPPENED.test(words) }
        : null,
    related: metadata.related_event_ids ?? [],
  };
}

/** A title that begins with a small letter is a post's. */
const IS_SPOKEN = /^\p{Ll}/u;

const wordsOf = (title: string): ReadonlySet<string> =>
  setOf(
    title
      .toLowerCase()
      .match(/[\p{L}\d]{3,}/gu)
      ?.slice(0, WORDS_MAX),
  );

const isBusy = ({ closed }: RoadUse) => closed === 'none';

/** Its own roads. Roads that are only busy because of another have no incident of their own. */
function ownRoads(incident: Incident): Facts['roads'] {
  const roads = incident.facts?.roads ?? [];
  if (roads.length < 2) return roads;
  const uses = roadsOfReport(incident).filter(({ role }) => role === 'affected');
  const [busy, own] = [uses.filter(isBusy), uses.filter((use) => !isBusy(use))];
  return own.length > 0 ? roads.filter((road) => !busy.some((use) => use.road === road)) : roads;
}

/** Most words of most reports are none: an empty set of its own takes 240 bytes, and a warning has six. */
const NO_WORDS: ReadonlySet<string> = new Set();

const setOf = (words: Iterable<string> | null | undefined): ReadonlySet<string> => {
  const all = new Set(words);
  return all.size > 0 ? all : NO_WORDS;
};

const NOTHING = {
  mode: null,
  isOfAnother: false,
  ended: () => Infinity,
  goesOn: false,
  causes: NO_WORDS,
  position: null,
  roads: [],
  stretch: [],
  direction: null,
  isOneWay: () => false,
  isBothWays: false,
  slip: null,
  publisher: '',
  words: NO_WORDS,
  facility: null,
  line: null,
  sections: [],
  names: NO_WORDS,
  spoken: NO_WORDS,
  said: NO_WORDS,
  sayings: NO_WORDS,
  placed: () => NO_WORDS,
  towns: () => [],
  counties: () => [],
  area: NO_WORDS,
  streets: new Map<string, string>(),
  landmarks: new Map<string, string>(),
  isIrish: false,
  within: [],
  ends: [],
  related: [],
} satisfies Partial<Report>;

/** Words for news about what may come, and not about a road that it has closed. */
const OF_WARNING =
  /^(?=[^]*\b(?:flood|NRW|SEPA|Environment Agency|wind|gales?|gusts?|snow|ice|fog|rain|thunderstorms?|heat))(?=[^]*\b(?:warn\w*|alerts?|brac(?:e|ed|ing)|prepar\w+|(?:could|may|might|expected to) flood)\b)/i;
const HAPPENED =
  /(?<!\b(?:will|may|might|could|to) (?:be )?)\b(?:closed|closes|shuts?|blocked|impassable|cancelled|suspended)\b/i;
const NO_WATERS: ReadonlySet<string> = new Set(
  'flood floods flooding flooded warning warnings alert alerts severe river upper lower homes people residents properties environment agency sepa natural resources wales scotland england storm heavy rain'.split(
    ' ',
  ),
);
const WEATHER = /\b(?:wind|snow|ice|fog|rain|thunderstorm|heat)(?=s?\b)/g;
/** The parts of the Met Office's regions. */
const REGIONS =
  /\b(?:orkney|shetland|highland|eilean siar|grampian|strathclyde|tayside|fife|lothian|borders|northern ireland|wales|(?:north|south) (?:west|east)|(?:west|east) midlands|yorkshire|humber|east of england|london)(?=s?\b)/g;
/** Regions by the counties and cities in them that news names. */
const REGION_OF: ReadonlyMap<string, string> = new Map(
  Object.entries({
    'south west': 'cornwall devon somerset dorset bristol',
    'south east': 'kent sussex surrey hampshire berkshire oxfordshire',
    'north west': 'cumbria lancashire merseyside cheshire manchester liverpool',
    'north east': 'northumberland tyneside durham teesside newcastle',
    'east of england': 'norfolk suffolk essex cambridgeshire',
    'east midlands': 'lincolnshire derbyshire nottinghamshire leicestershire',
    'west midlands': 'shropshire staffordshire herefordshire worcestershire warwickshire birmingham',
    strathclyde: 'argyll ayrshire lanarkshire glasgow',
    grampian: 'aberdeen aberdeenshire moray',
    tayside: 'dundee perthshire angus',
    lothian: 'edinburgh',
  }).flatMap(([region, places]) => places.split(' ').map((place): [string, string] => [place, region])),
);
/** Names that only begin like those of regions. */
const OTHER_NAMES =
  /\b[a-z'’]{3,} (?:(?:street|st|road|rd|lane|avenue|way|drive|close|terrace|place|park|square|gardens|hill|bridge|station|rovers|city|united|town|albion|wanderers|football|fc|rugby|university|airport)\b|under lyme)/g;
const WEEKDAYS = /\b(?:mon|tue|wed|thu|fri|sat|sun)(?=(?:s|nes|rs|ur)?(?:day)?\b)/g;

/** `eventType`: of the agency's own warning; null for news about one. */
function warnedIn(title: string, text: string, eventType: string | null): Warned {
  const words = `${title}. ${text}`.slice(0, READ_MAX).replace(IS_OPEN, ' ');
  const plain = words
    .toLowerCase()
    .replaceAll('-', ' ')
    .replaceAll('northern isles', 'orkney, shetland')
    .replaceAll('western isles', 'eilean siar')
    .replaceAll('east anglia', 'east of england')
    .replaceAll(/\bgust(?=s\b|ing\b)/g, 'wind')
    .replaceAll(OTHER_NAMES, ' ')
    .replaceAll(/[a-z]{4,}/g, (word) => REGION_OF.get(word) ?? word);
  const weather = eventType?.startsWith('flood.') ? [] : (plain.match(WEATHER) ?? []);
  const isOfFlood = eventType
    ? eventType.startsWith('flood.')
    : /\bflood|\bnrw\b|\bsepa\b/.test(plain) || !weather.length;
  const said = eventType === null && IS_SPOKEN.test(title) ? [...wordsOf(title)] : [];
  const own = isOfFlood ? [...watersIn(title), ...said] : [];
  return {
    isOfAgency: eventType !== null,
    hasHappened: false,
    rivers: setOf(Array.from(words.matchAll(RIVER), ([, name]) => name!.toLowerCase())),
    signs: setOf(
      Array.from(words.matchAll(SIGNS), ([, river, street, road]) =>
        (river ?? street ?? road!).toLowerCase(),
      ),
    ),
    kinds: setOf([...weather, ...(isOfFlood ? ['flood'] : [])]),
    title: setOf(own),
    all: setOf([
      ...own,
      ...(isOfFlood ? watersIn(text.replace(IS_OPEN, ' ')) : []),
      ...(plain.match(REGIONS) ?? []),
    ]),
    colour: /\b(?:yellow|amber|red)\b/.exec(plain)?.[0] ?? null,
    days: setOf(plain.match(WEEKDAYS)),
  };
}

const IS_OPEN =
  /(?<![\p{L}'’-])(?:\p{Lu}[\p{L}'’-]+ |[ABM]\d{1,4} ){1,4}(?:is|are|remains?|stays?) (?:\w+ )?(?:re)?open(?:ed)?\b/gu;
const RIVER = /\b(?:[Rr]iver|Afon) (\p{Lu}[\p{L}'’-]+)/gu;
const SIGNS =
  /\b(?:[Rr]iver|Afon|[Tt]he) (\p{Lu}[\p{L}'’-]+)|(?<![\p{L}'’-])(\p{Lu}[\p{L}'’-]+) (?:Road|Street|Lane|Avenue|Terrace|Way|Place|Beck|Brook|Burn|Water)\b|\b([AB]\d{1,4})\b/gu;

/** Full names without words such as "River". */
function watersIn(text: string): string[] {
  const words = text.slice(0, READ_MAX).replace(OFFICE, '');
  const names = Array.from(
    words.matchAll(
      /(?<![\p{L}'’-])\p{Lu}\p{Ll}[\p{L}'’-]+(?:(?: (?:on|upon|under|le))? \p{Lu}\p{Ll}[\p{L}'’-]+)*/gu,
    ),
    ([name]) =>
      name
        .toLowerCase()
        .split(/[ -]/)
        .map((word) => word.replace(/['’]s$/, ''))
        .filter((word) => word.length > 2 && !NO_WATERS.has(word) && !NO_NAMES.has(word))
        .join(' '),
  );
  return [...names.filter(Boolean).slice(0, NAMES_MAX), ...(SEA.test(words) ? ['sea'] : [])];
}

/** The one water without a name of its own. */
const SEA = /\b(?:sea|coast|coastal|sea ?front|shore)\b/i;

/** "Southbound Blackwall Tunnel shut": a direction counts only beside a number. */
function wayOn(road: string, title: string): Facts['direction'] {
  const [use] = readRoadWords(`${road}: ${title.slice(0, READ_MAX)}`);
  return !use || use.direction === 'both' ? null : use.direction;
}

/** "Flood closes lanes on M1 near East Midlands Airport" is not about a flight, and "Slapton Line shut" is not about
 *  a train. */
const isOnlyNamed = (subject: Subject, words: string) =>
  (subject === 'air' && !OF_FLIGHTS.test(words)) || (subject === 'rail' && !OF_TRAINS.test(words));

const OF_FLIGHTS = /\b(?:flights?|runway|terminals?|planes?|aircraft|airlines?|departures)\b/i;

const IRISH =
  /\b(?:trafficwatch ?ni|psni|northern ireland|belfast|lisburn|sprucefield|westlink|translink)\b/i;

const isIrish = ({ source, title, summary_line, metadata }: Incident, position: Position | null): boolean =>
  position
    ? isInNorthernIreland(position.longitude, position.latitude)
    : IRISH.test(`${source} ${metadata.publisher ?? ''} ${title} ${summary_line}`);

/** A title that begins with a road is about it, whatever its source reports on or is near. */
const roadOr = (mode: Subject): Subject =>
  mode === 'rail' || mode === 'air' || mode === null ? 'road' : mode;

const WORDS_MAX = 40;

const BOTH_WAYS = /\bboth (?:directions|carriageways|ways)\b|\beach way\b/i;

const TERMINAL = /\b(?:(?:north|south) terminal|terminal \d|T\d)\b/i;
const FACILITY =
  /\b(?:(?:bus|coach) station|runway|airport|ferry (?:terminal|port)|recycling (?:centre|plant|site)|scrap ?yard|shopping centre|retail park|hospital|power station|town hall)\b/i;

function slipIn(title: string): Report['slip'] {
  const [said, kind = said] =
    /\b(?:(exit|entry|on|off)[ -]?)?slip\b|(?<=\bJ\w{1,3} (?:\w+bound )?)(?:exit|entry)\b/i.exec(title) ?? [];
  if (!said) return null;
  return /exit|off/i.test(kind!) ? 'exit' : /entry|on/i.test(kind!) ? 'entry' : 'slip';
}

type Subject = Mode | 'warning' | null;

function modeOf(eventType: string, words: string): Subject {
  const [subject = '', detail = ''] = eventType.split('.');
  if (subject === 'flood' || subject === 'weather' || eventType === 'aviation.weather') return 'warning';
  if (subject === 'aviation') return 'air';
  if (subject === 'police') return OF_TRAINS.test(words) ? null : 'road';
  const mode = subject === 'news' || subject === 'social' ? detail : subject;
  return MODES.has(mode) ? (mode as Mode) : null;
}

const MODES: ReadonlySet<string> = new Set<Mode>(['road', 'bus', 'rail', 'air', 'ferry']);

const OF_TRAINS =
  /(?<!\b(?:bus|coach|fire|petrol|police) )\bstations?\b|\b(?:railway(?! (?:bridge|viaduct|arch))|trains?|tube|airport|terminals?|T\d|runway|departures)\b/i;

/** "Witnesses sought after M6 crash last night", "Thursday's crash". */
const PAST =
  /\b(?:yesterday|last (?:night|week|month)|witness(?:es)? (?:sought|appeal)|(?:mon|tues|wednes|thurs|fri|satur|sun)day['’]s (?:crash|collision|accident|fire))\b/i;

const SECOND =
  /\b(?:second|third|another|separate|further) (?:crash|collision|accident|incident|fire|breakdown)\b/i;

const STANDS = /\b(?:remains?|still) (?:\w+ ){0,2}(?:closed|shut|blocked|cordoned)/i;

const GOES_ON =
  /\b(?:remains?|still|continu(?:es?|ing)|under way|recovery is)\b|\bnow (?:\w+ ){0,3}(?:re-?)?open/i;

/** Ways of finding a position that give where the incident is, and not only what is near. */
const EXACT: ReadonlySet<string> = new Set(['publisher', 'stretch', 'stop', 'airport']);
/** Ways that give a point in an area, which says nothing about its surroundings. */
const OF_AREA: ReadonlySet<string> = new Set(['area', 'line']);

function positionOf({ latitude, longitude, metadata }: Incident): Position | null {
  const { location_method = 'publisher', location_names = [], location_reach_km } = metadata;
  if (latitude === null || longitude === null || OF_AREA.has(location_method)) return null;
  if (EXACT.has(location_method)) return { latitude, longitude, reachKm: 0, name: '' };
  // Rows of older versions have no reach.
  return {
    latitude,
    longitude,
    reachKm: location_reach_km ?? Infinity,
    name: location_names.length === 1 ? location_names[0]!.toLowerCase() : '',
  };
}

/** Lines that more than one publisher reports on, by names with only one meaning. */
const LINES =
  /\b((?:picc|vic|met|lizzie) line|bakerloo|central line|circle line|district line|hammersmith (?:and|&) city|jubilee line|metropolitan line|northern line|piccadilly line|victoria line|waterloo (?:and|&) city|elizabeth line|docklands light railway|dlr|liberty line|lioness line|mildmay line|suffragette line|weaver line|windrush line)\b/i;

/** Lines by their colloquial names. */
const SPOKEN_LINES: Readonly<Record<string, string>> = {
  'docklands light railway': 'dlr',
  'picc line': 'piccadilly line',
  'vic line': 'victoria line',
  'met line': 'metropolitan line',
  'lizzie line': 'elizabeth line',
};

function lineOf(place: string | null, title: string): string | null {
  const name = LINES.exec(place ?? '')?.[0] ?? LINES.exec(title)?.[0];
  const said = name?.toLowerCase().replace('&', 'and') ?? null;
  return said && (SPOKEN_LINES[said] ?? said);
}

function sectionsOf(place: string | null, { location_names = [] }: Incident['metadata']): string[] {
  const words = place?.split(', ').at(-1)?.split(' to ') ?? [];
  const sections = [location_names, words].flatMap((ends) =>
    ends.length === 2 ? ends.map(stationWords).sort().join(' to ') : [],
  );
  return [...new Set(sections)];
}

/** The words of a station's name: "Queens Park (London)" and "Queen's Park" are the same, as are "London Paddington"
 *  and "Paddington". */
export const stationWords = (name: string) =>
  name
    .toLowerCase()
    .replace(/ (?:at|near) .*| \([^()]*\)| central$|^london |['’]/g, '')
    .trim();

/** The ends of the first section whose ends are stations: the nearest of each name. */
function endsOf(sections: readonly string[], position: Position | null): Point[] {
  if (!position) return [];
  const kmOff = ({ latitude, longitude }: Point) =>
    kilometres(latitude, longitude, position.latitude, position.longitude);
  for (const section of sections) {
    const ends = section.split(' to ').flatMap((name) => {
      const named = stationsNamed(keyOf(name));
      return named.length === 0
        ? []
        : named.reduce((one, other) => (kmOff(other) < kmOff(one) ? other : one));
    });
    if (ends.length === 2) return ends;
  }
  return [];
}

/** The names of places in a report, such as "Chain Bar", "Skeldergate": each word of them in lower case. */

/** Words beside which another word is the name: "Humber Bridge". */
const KINDS =
  'avenue|bridge|bypass|centre|crossing|cross|drive|embankment|flyover|gardens|hill|interchange|lane|park|place|road|roundabout|services|square|station|street|tunnel|viaduct|way';
const NO_NAMES: ReadonlySet<string> = new Set(
  `${KINDS}|north|south|east|west|both|toll|exit|entry|jct|junction|lane|lanes|line|bus|buses|tube|underground|overground|police|traffic|monday|tuesday|wednesday|thursday|friday|saturday|sunday|november|january|february|april|june|july|august|september|october|december|network|rail|highways|london|the|and|airport|international|central|hgv|lorry|breakdown|collision|accident|fallen|reason|cause|status`.split(
    '|',
  ),
);

/** Words with a capital inside a sentence, or before another: "Skeldergate" in "at Skeldergate", both words of
 *  "Humber Bridge". */
const IN_TITLE =
  /(?<!^|[.:!?] )\b\p{Lu}\p{Ll}[\p{L}'’-]+|(?:^|(?<=[.:!?] ))\p{Lu}\p{Ll}[\p{L}'’-]+(?= \p{Lu}\p{Ll})/gu;
/** In the text, names after these words are the place. Other names are where the queue or the diversion ends. */
const IN_TEXT =
  /\b(?:at|near|in|on|between|outside|J\d{1,2}[A-Z]? \(|and(?: J\d{1,2}[A-Z]? \()?) ?((?:\p{Lu}\p{Ll}[\p{L}'’-]+ ?){1,4})/gu;

/** Streets by their last word: "Flooding has closed Wheldon Road"; but not streets of a diversion. */
const STREET =
  /(?<!\b(?:via|use|using|along|by|onto|to|towards|from|off) (?:the )?)\b((?:\p{Lu}[\p{L}\d'’-]+ ){1,2})(?=(?:Road|Street|Lane|Avenue|Drive|Way|Terrace|Crescent|Close|Hill|Bridge|Tunnel|Embankment|Parade|Quay)\b)/gu;
const STREET_KIND = /\b([\p{L}'’]{3,}) (Road|Rd|Street|St|Lane|Avenue|Ave|Drive|Terrace|Crescent|Close)\b/giu;
/** Landmarks, whose names are hardly ever those of others. */
const LANDMARK =
  /(?<![\p{L}'’])(\p{Lu}[\p{L}'’]{2,}) (Bridge|Tunnel|Viaduct|Flyover|Crossing|Interchange|Services|Pass|Circus|Roundabout|Gyratory|Hill|Park|Square|Green|Common|Gardens)\b/gu;
const STREET_KINDS: Readonly<Record<string, string>> = { rd: 'road', st: 'street', ave: 'avenue' };
/** "Northumbria Police": its name is no place of the incident. */
const OFFICE =
  /(?<![\p{L}'’])\p{Lu}[\p{L}'’]{1,20} (?:(?:and |& )?\p{Lu}[\p{L}'’]{1,20} ){0,4}(?:Police|Constabulary|Council|Policing Unit|Highways|Fire (?:and|&) Rescue)\b|\b(?:Police (?:Scotland|in)|MPS|PSNI)(?: \p{Lu}[\p{L}'’]{1,20}){1,4}(?=:)/gu;

/** Storms, utilities and rescuers have names, but are no places. */
const NO_PLACE =
  /\b(?:Storm \p{Lu}\p{Ll}+|(?:Thames|Severn Trent|Anglian|Yorkshire|Southern|South West|Scottish|Northumbrian|Welsh|Affinity|Wessex) Water|(?:\p{Lu}\p{Ll}+ )?Air Ambulance|Royal Mail|United Utilities|(?:UK|Northern) Power\w*(?: Networks)?|National Grid|Cadent(?: Gas)?|Inrix|BBC \p{Lu}\p{Ll}+)\b/gu;

/** Names to or from which traffic goes: "trains from Leeds to York". */
const PASSING =
  /\b(?:(?:[Qq]ueues?|[Qq]ueueing|[Qq]ueuing|[Tt]ailbacks?|[Tt]raffic|backed up|back) (?:\w+ ){0,3}(?:to|past|at)|(?<!(?:called|attending|responding|sent) )to|from|towards?|via|into|for|out of|serving|use) (?:the )?\p{Lu}[\p{L}'’-]+(?:(?:,| and| or| &| to)? \p{Lu}[\p{L}'’-]+){0,6}/gu;

const sayingsIn = (text: string): string[] =>
  Array.from(
    text.matchAll(
      /(?<![\p{L}'’@-])\p{Lu}\p{Ll}[\p{L}'’-]*(?:(?: of| and| the| upon| on| under| be)* \p{Lu}[\p{L}'’-]+)*/gu,
    ),
    ([name]) => name.toLowerCase().replaceAll(/['’]s(?= |$)/g, ''),
  );

/** Names inside sentences. */
const NAME = String.raw`\p{Lu}\p{Ll}[\p{L}'’-]+(?: \p{Lu}[\p{L}'’-]+){0,3}`;
const AFTER = new RegExp(
  String.raw`\b(?:at|near|in|on|outside|between|past|(?:north|south|east|west) of) (?:the )?(${NAME})(?: and (${NAME}))?`,
  'gu',
);
const OF_TOWN = new RegExp(String.raw`(?:\b(?:at|near|in|between) |, )(${NAME})(?: and (${NAME}))?`, 'gu');
/** "Kirkgate, Wakefield" */
const OF_ADDRESS = new RegExp(String.raw`^(${NAME}), (${NAME})`, 'u');
const WITH_KIND = new RegExp(
  String.raw`(?<![\p{L}'’])((?:\p{Lu}[\p{L}'’]{2,} ){1,2})(?=(?:Rd|St|Ave|${KINDS.replaceAll(/(?<=^|\|)\w/g, (letter) => letter.toUpperCase())})\b)`,
  'gu',
);

const namesAfter = (text: string, pattern: RegExp): string[] =>
  Array.from(text.matchAll(pattern), ([, one = '', other = '']) => [one, other])
    .flat()
    .filter(Boolean)
    .slice(0, SAID_WORDS_MAX);

/** In a headline with capitals at all its words, only known names count. */
const IN_CAPITALS = /^(?!.*(?<!\p{L})\p{Ll}{4})/u;

/** "trying to get to preston" */
const GOING = /(?<=\b(?:to|for|from|towards?|via|into|be (?:in|at)) )[\p{L}'’]+(?: (?!to\b)[\p{L}'’]+)?/giu;

function placedIn(title: string, own: string, sayings: readonly string[]): ReadonlySet<string> {
  const text = IN_CAPITALS.test(title) ? own.slice(title.length + 1) : own;
  const [, street = '', town = ''] = OF_ADDRESS.exec(text) ?? [];
  return new Set(
    [
      ...namesAfter(text, AFTER),
      ...namesAfter(text, WITH_KIND),
      ...(settlementsNamed(town).length > 0 ? [street] : []),
      ...sayings.slice(0, SAID_WORDS_MAX).filter(isKnownName),
      // The other report shows which of a post's words are places.
      ...(IS_SPOKEN.test(title) ? wordsOf(title.replace(GOING, ' ')) : []),
    ]
      .flatMap((name) => name.toLowerCase().split(' '))
      .map((word) => word.replace(/['’]s$/, ''))
      .filter(isPlaceWord),
  );
}

/** Few pairs need these, and they take long to read. */
function once<Value>(read: () => Value): () => Value {
  let value: Value | undefined;
  return () => (value ??= read());
}

export const isPlaceWord = (word: string) =>
  word.length > 2 && !NO_NAMES.has(word) && !NO_PLACES.has(word) && !/(?:bound|shire)$/.test(word);

function areaOf(words: string): string[] {
  const offices = sayingsIn((words.match(OFFICE) ?? []).join('. '));
  const account = HANDLE.exec(words)?.[1]!.match(/\p{Lu}\p{Ll}+/gu) ?? [];
  return [...offices.flatMap((name) => name.split(' ')), ...account.map((word) => word.toLowerCase())].filter(
    isPlaceWord,
  );
}

/** "@BrightonHoveBus:" */
const HANDLE = /^@(\w{3,30}):/;
const SAID_MAX = 600;
const SAID_WORDS_MAX = 20;
/** Words with capitals that are no place of an incident: areas in which many are, operators, and first words. */
const NO_PLACES: ReadonlySet<string> = new Set(
  'scotland wales england somerset dorset fife angus moray highland gwynedd powys anglesey ceredigion argyll sussex kent essex devon cornwall norfolk suffolk surrey cumbria northumberland yorkshire highlands city borough county council transpennine express northern western southern southeastern thameslink scotrail avanti crosscountry anglia greater great arriva stagecoach first railway trains train services service customers passengers commuters motorists drivers delays delay disruption major minor severe flood warning road fire crews engineers officers emergency recovery diversion please due lines all some two three one there this that they these from heavy long huge queues buses trams flights currently active location reason high'.split(
    ' ',
  ),
);
/** Ports and ships: "Ullapool - Stornoway", "from Uig to Lochmaddy", "MV Loch Seaforth". */
const OF_CROSSING =
  /\b(?:from|to|between|and|[Tt]he|MV|MS|of) ((?:\p{Lu}\p{Ll}[\p{L}'’-]+ ?){1,3})|(?:^|[-–/:] ?)(\p{Lu}\p{Ll}[\p{L}'’-]+)(?= ?[-–/])/gu;

/** Streets whose words are not names when they stand alone. */
const PLAIN_STREET =
  /\b(?:London|North|South|East|West|Park|Station|Hill|Bridge) (?:Road|Street|Lane|Avenue|Drive|Way|Gardens|Square)\b/g;

/** The place to which traffic goes, or at which its queue ends. */
const AWAY =
  /\b(?:towards|(?:back|backed up|tailbacks?|queues|queueing|queuing) (?:up )?(?:to|into|past)) (?:\p{Lu}[\p{L}'’]+ ?)+/gu;

const READ_MAX = 300;
const NAMES_MAX = 12;

function namesIn(
  said: { title: string; summary_line: string; place: string },
  isOfFerry: boolean,
): ReadonlySet<string> {
  const [title, place] = [
    said.title.slice(0, READ_MAX).replace(OFFICE, '').replace(NO_PLACE, ''),
    said.place.slice(0, READ_MAX),
  ];
  const text = said.summary_line
    .slice(0, READ_MAX)
    .replace(OFFICE, '')
    .replace(NO_PLACE, '')
    .split(/(?<=[.!?])\s+/)
    .filter((sentence) => !/\b(?:divert|diversion|sent|run by|go by|instead)/i.test(sentence))
    .join(' ');
  const words = [
    ...place.split(/[^\p{L}'’-]+/u).filter((word) => /^\p{Lu}\p{Ll}/u.test(word)),
    ...Array.from(title.replace(AWAY, '').matchAll(IN_TITLE), ([word]) => word),
    ...Array.from(text.matchAll(IN_TEXT)).flatMap(([, name = '']) => name.trim().split(' ')),
    ...Array.from(`${title}. ${text}`.matchAll(STREET)).flatMap(([, name = '']) => name.trim().split(' ')),
    ...(isOfFerry
      ? Array.from(`${title}. ${text}`.matchAll(OF_CROSSING)).flatMap(([, name, port]) =>
          (name ?? port!).trim().split(' '),
        )
      : []),
    ...(`${title}. ${text}`.match(PLAIN_STREET) ?? []),
  ].map((word) => word.toLowerCase().replace(/['’]s$/, ''));
  return new Set(
    [...new Set(words)]
      .filter((word) => word.length > 2 && !NO_NAMES.has(word) && !/^[abm]\d|bound$/.test(word))
      .slice(0, NAMES_MAX),
  );
}
