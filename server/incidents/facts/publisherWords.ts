/** A publisher's words as a person would write them: without shouting, hashtags, links and abbreviations; and its
 *  sentences. */
import { everyMatch } from '../../geography/roads/everyMatch.ts';

/** The most characters of one text that are read, because publishers name the important things first. */
export const READ_MAX = 1000;

/** Words that are not names. They are in lower case even where a publisher shouts or writes Title Case. */
const COMMON = new Set(
  `a about above accepted accident accidents across after again ahead air alert all allow also amber amended an and animal
  animals approach are area arrivals as at avoid back because been being between blocked both breakdown bridge broken bus buses
  by cancellation cancellations cancelled carriageway caused causing caution change circuit clear cleared closed closure closures coach
  collision collisions congestion continues control cordon crash currently customer customers damage debris declared delay delayed
  delays demonstration departures diesel direction directions disruption diverted diversion diversions down driver drivers due during earlier
  emergency engineering entry essential evacuated event events exit expect expected extra failure fallen faulty fire flights
  flood flooded flooding floods fog following for from further gale gales gas good grounded gusts has hazard have heavy high hour
  hours ice impassable in incident industrial is journey journeys lamp landslip lane lanes late leak level lightning limit limited line lines
  long lorry main maintenance major major may mile miles minor minute minutes motorists motorway motorways off do travel changes multi car cars van tanker fewer few flats homes houses shops residents properties buildings building area weight narrow contraflow convoy reopened exit grounded queuing stationary traffic tailbacks alterations no normal northbound eastbound southbound westbound not
  now object obstruction of on one only open operate operates operating other out over overhead overnight overturned part
  partially partly passable passengers pedestrian people person place planned platform please points police power procession
  problem problems protest queue queues queuing queueing rail railway rain red reduced remain remains reopened repairs replace replaced
  replacement residual rest restricted restriction restrictions resurfacing risk road roads roadwork roadworks running
  runway scheduled security serious service services severe severely shortage shut sign signal signalling signals single slip slow slowly snow
  some special speed spillage staff start started station stations still stop stopped stopping storm strike strong supply surface suspended
  temporary the they through thunderstorm tickets to towards traffic train trains tree trees two three four under until
  urgent use vehicle vehicles very via waiting warning was water we weather were while will wind winds wires with work
  works yellow your`.split(/\s+/),
);

/** Words that everybody writes in capitals. */
const ACRONYM =
  /^(?:UK|UKPN|DLR|LNER|GWR|TPE|HGV|HGVS|RTC|RTI|TFL|BBC|NHS|RAF|NEC|EXCEL|O2|LRT|SW|SE|NW|NE|GTR|LNR|WMR|EMR|XC|AWC|SWR|II|III|IV)$/i;

/** The words of a title on one line, as a person would write them, without an end mark; rules 1, 3 and 5 of
 *  shortening. */
export function tidy(text: string): string {
  return quiet(
    untagged(text.slice(0, READ_MAX))
      .replace(/["“”„«»]|(?<!\S)['‘]|(?<=[^s\s])['’](?!\S)/g, '')
      .replace(/\[[^[\]]{0,200}\]/g, ' ')
      .replace(/[\s\u00A0]+/g, ' ')
      .trim(),
  )
    .replace(/\b(?:junctions?|jcts?\.?|jn\.?|junc\.?) ?(?=\d{1,2}[a-z]?\b)/gi, 'J')
    .replace(/\bj(?=\d{1,2}[a-z]?\b)/g, 'J')
    .replace(/\b(J\d{1,2}[A-Z]?)( ?- ?)(?=J\d)/gi, '$1 to ')
    .replace(
      /\b(J\d{1,2}[A-Z]? (?:to|and) )(?=\d{1,2}[A-Z]?\b(?! ?(?:min|hour|lane|mile|%|am|pm|of)))/gi,
      '$1J',
    )
    .replace(/\b(J\d{1,2}[A-Z]?) ?\(([^()\d]{1,60})\)/gi, '$1 $2')
    .replace(/\b(?:in )?both (?:directions|carriageways)\b/gi, 'both ways')
    .replace(/\b(north|south|east|west|coast|london)[- ]?bound\b/gi, (_, way: string) =>
      /london/i.test(way) ? 'Londonbound' : `${way.toLowerCase()}bound`,
    )
    .replace(/\b[a-z]+bound ?(?:\/|&|and) ?[a-z]+bound\b/g, 'both ways')
    .replace(/\b(anti-?)?clockwise\b/gi, (_, anti?: string) => (anti ? 'anti-clockwise' : 'clockwise'))
    .replace(/\b([NSEW])(?:\/?B)\b/g, (_, way: string) => `${POINTS[way]}bound`)
    .replace(/\bR\/?(?:bou|a)t\b|\bRbts?\b/gi, 'roundabout')
    .replace(/\bJct\b/gi, 'junction')
    .replace(/(?<![\s.…])[\s.…]+$/, '')
    .trim();
}

/** The text without links, pictures and hashtags. Hashtags at the end are removed; others stay as words ("#Leeds
 *  station"). */
export function untagged(text: string): string {
  const words = text
    .replace(/\p{Extended_Pictographic}/gu, ' ')
    .replaceAll('\uFE0F', '')
    .replaceAll('\u200D', '')
    .split(/\s+/)
    .filter((word) => word !== '' && !/^(?:https?:\/\/|www\.)/i.test(word));
  const last = words.findLastIndex((word) => !/^#\p{L}/u.test(word));
  return words
    .slice(0, last + 1)
    .map((word) => word.replace(/^[#@](?=\p{L})/u, ''))
    .join(' ');
}

const POINTS: Readonly<Record<string, string>> = { N: 'north', S: 'south', E: 'east', W: 'west' };

const SENTENCE_END = /(?<=[.!?]["”)]?)\s+(?=[\p{Lu}\d"“(])/gu;

/** The whole sentences, each with its end mark. A sentence that was cut off is left out. */
export function sentencesOf(text: string): string[] {
  const said = text.slice(0, READ_MAX);
  const isCut = text.length > READ_MAX || /(?:…|\.{3})\s*$/.test(said);
  const found: string[] = [];
  let from = 0;
  for (const { index, 0: gap } of everyMatch(said, SENTENCE_END)) {
    if (ABBREVIATION.test(said.slice(Math.max(0, index - 12), index))) continue;
    found.push(said.slice(from, index));
    from = index + gap.length;
  }
  if (!isCut) found.push(said.slice(from));
  return found.map((one) => one.trim()).filter((one) => /\p{L}{2}/u.test(one) && !one.includes('…'));
}

const ABBREVIATION = /\b(?:st|jct|jn|rd|ave|no|mr|mrs|dr|approx|etc|nr|e\.g|i\.e|sq)\.$/i;

/** Shouted words in lower case. If the whole text shouts, all of them, otherwise only words that are not names. */
export function quiet(text: string): string {
  if (!/\p{Lu}[\p{Lu}'’]/u.test(text)) return text;
  const capitals = text.replace(/[^\p{Lu}]/gu, '').length;
  const small = text.replace(/[^\p{Ll}]/gu, '').length;
  const isAllShouted = capitals > 12 && small * 4 < capitals;
  return text.replace(/[\p{L}\d'’]+/gu, (word, at: number) => {
    if (!/^\p{Lu}[\p{Lu}'’]+$/u.test(word) || ACRONYM.test(word)) return word;
    if (COMMON.has(word.toLowerCase())) {
      const isFirst = at === 0 || /[.!?:]\s$/.test(text.slice(at - 2, at));
      return isFirst ? capital(word.toLowerCase()) : word.toLowerCase();
    }
    return isAllShouted ? capital(word.toLowerCase()) : word;
  });
}

/** The text in lower case except names: "Severe Delays" becomes "severe delays". */
export function lower(text: string): string {
  let isInName = false;
  return text.replace(/[\p{L}'’-]+/gu, (word) => {
    // "Road" in "Burley Road" belongs to the name before it.
    const isOwn = /^\p{Lu}/u.test(word) && (isInName || !isCommon(word));
    isInName = isOwn && !ACRONYM.test(word);
    return isOwn || !/^\p{Lu}\p{Ll}+$/u.test(word) ? word : word.toLowerCase();
  });
}

export const isCommon = (word: string) => COMMON.has(word.toLowerCase());

export const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** The first letter in lower case, except in names, numbers and roads. */
export const uncapital = (words: string) =>
  words.replace(
    /^(?!(?:Tube|Underground|Overground|London|Elizabeth|Eurostar|Metrolink|Storm)\b)\p{Lu}(?=\p{Ll}| )/u,
    (letter) => letter.toLowerCase(),
  );

/** "a faulty train" becomes "faulty train". */
export const withoutArticle = (text: string) => text.replace(/^(?:an?|the|some)\s+(?=\S)/i, '');

/** All texts of a field that may hold a list of texts. */
export const textsIn = (value: unknown): string[] =>
  (Array.isArray(value) ? value : [value]).filter(
    (one): one is string => typeof one === 'string' && one !== '',
  );

/** Splits the text at the first `by`. */
export function splitOnce(text: string, by: string): [string, string] {
  const at = text.indexOf(by);
  return at === -1 ? [text, ''] : [text.slice(0, at), text.slice(at + by.length)];
}
