/** One sentence of a day sheet in words: its trip, and who drives what for how many. */
import { endsOf, isFirstName, isFlight, MAKES, PLACE, plateIn } from './sheetCells.ts';

const SIZE = /\b\d{1,2}[- ]?(?:seater|seats?|str)s?\b/i;
/** "Bus: 4412" */
const LABELLED = /\b(?:bus|coach|vehicle|veh|reg|car|van)(?: no\.?)?: ?([A-Z]{0,3} ?\d{1,4}[A-Z]{0,3})\b/i;
const NUMBERED = /\b(?:coach|bus|mini(?:bus)?|midi|van) (?:\d{1,3}|[A-Z])\b/i;
/** Things that are counted beside people. */
const UNITS =
  'coach|bus|vehicle|vans?\\b|services\\b|arrivals\\b|departures\\b|seat|str\\b|min|hour|hr|mile|bag|case|suitcase|wheelchair|day|week|night|stop|run|trip|job|time|[ap]\\.?m\\b';
/** "38 pax", "40p", "29 soldiers", "14 of them", "x4", "takes 30 from", "the same 28" */
const PEOPLE = new RegExp(
  String.raw`(?<!\b(?:gate|stand|terminal|bay|platform|room|stop|door|hall|pier|berth|stance) )\b(?:the )?(?:same )?(\d{1,3}) ?(?:p|pax|px|pass|people|kids|children|ladies|crew|staff|of (?:them|us|you)|on(?: board)?(?= *(?:$|[,.;)+&]| in\b))|(?!${UNITS})(?<= )\p{Ll}{3,}s)(?: ?[+&] ?(?:staff|adults|teachers|helpers))?(?![\p{L}\d])|(?:(?<=\b(?:takes?|taking|collects?|picks? up|has|have|with|carrying|for|party of|group of) (?:about |around |the )?(?:same )?)|\b(?:(?:the )?same |x ?|(?:pax|pass(?:engers)?|people|party of|group of|numbers?): ?))(\d{1,3})(?![\d/-]|[.:]\d| ?(?:${UNITS}))|^(\d{1,3})(?= from )`,
  'iu',
);
/** A name and its vehicle in brackets of their own; "#" stands for the vehicle. */
const BESIDE = /\((?:#[,/ ]+)?(\p{Lu}\p{L}+(?: \p{Lu}\p{L}*\.?)?)(?:[,/ ]+#)?\)/u;
/** "Dave takes", "Marta driving": who drives, whatever the name. */
const DRIVES =
  /(?<!\p{L} )\b(\p{Lu}[\p{L}.'’]*(?: \p{Lu}[\p{L}.'’]*)?) (?:(?:will |is |to )*(?:takes?|taking|drives?|driving|does|do|doing|has|covers?|works?|brings?|fetch(?:es)?|is on|picks? up|picking up|collects?|leaves(?= \p{Lu})))\b/u;
/** Words before "takes", "does" or a time that are no names. */
export const NO_NAME =
  /^(?:trust|hope|i|we|you|he|she|it|they|yours?|who|which|that|this|these|all|both|each|one|the|our|your|my|coach|bus|mini(?:bus|coach)?|midi|van|car|taxi|driver|customer|client|group|party|school|will do|could|can|would|should|shall|may|please|tomorrow|today|tonight|on|at|in|if|as|are|have|when|what|after|before|for|from|with|job)\b/i;
const DRIVER =
  /\bdriver(?: ?[:–-])?(?: will be| is)? ?((?:\p{L}\. ?)?\p{L}[\p{L}'’-]*(?: (?!\w+:|(?:in|on|with|and|has)\b)\p{Lu}[\p{L}'’-]*)?)/iu;
/** "Mair, you have": who drives, whatever the name. */
const YOURS =
  /^(?!Trust|Hope|Thank|Wish)(\p{Lu}[\p{L}'’-]+),? you(?:['’ ](?:are|re|have|ve|take))?(?: on| in)?\b/u;
/** Words before the place where a trip begins. */
const BEFORE_START =
  /^.*\b(?:[Ff]rom|[Ll]eav(?:e|es|ing)|[Dd]epart(?:s|ing)?|[Cc]ollect(?:s|ing)?|[Pp]ick(?:s|ing)?[ -]?up(?: (?:at|from))?|[Ss]tart(?:s|ing)? (?:at|from))\b:? (?=(?:the )?[\p{Lu}\d])/u;
/** Words of a sentence that say nothing about its trip. */
export const FILLING =
  /^(?:(?:and|then|so|at|please|he|she|they|it|we|them|the|coach|bus|both|also|again|will|is|are|brings?|takes?|taking|home|back|go(?:es|ing)?)\b ?)+$/i;

export interface About {
  driver: string;
  vehicle: string;
  people: string;
}

export const LINK =
  /^(?:[ap]m\b|hi|hello|dear|morning|evening|thanks|re|please|then|also|and|from|dep|leave|pick|collect|return|back|home|out|in|there|leg|trip|run|first|second|coach|bus|job|mon|tue|wed|thu|fri|sat|sun)/i;

export const trimmed = (words: string): string =>
  words
    .replaceAll(/\([ ,]*\)/g, '')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/(?: [-–—]){0,1} (?=[,.])|(?<=,) [-–—](?= )/g, '')
    .replaceAll(/([,.])(?: ?[,.])+/g, '$1')
    .replaceAll(/^[\s,.;:/|–—)-]{1,9}|[\s,.;:/|–—(-]{1,9}$/g, '');

/** "in the Optare", "in the MAN" */
function madeIn(words: string): string {
  const [, made = ''] = /\bin the (\p{Lu}\w+)(?=$|[,.;]| and\b)/u.exec(words) ?? [];
  return MAKES.test(made) || /^[A-Z]{3,}$/.test(made) ? made : '';
}

/** The driver, vehicle and number of people in words; `rest`: all other words. */
export function aboutOf(words: string): About & { rest: string } {
  const vehicle =
    plateIn(words) ??
    LABELLED.exec(words)?.[1] ??
    SIZE.exec(words)?.[0] ??
    NUMBERED.exec(words)?.[0] ??
    madeIn(words);
  const others = vehicle ? words.replace(vehicle, ',') : words;
  const people =
    PEOPLE.exec(others) ?? /\((?:[^()]*, )?(\d{1,2})\)|, (\d{1,2})(?= ?(?:[),]|\.?$))/.exec(others);
  const counted = people
    ? `${others.slice(0, people.index)},${others.slice(people.index + people[0].length)}`
    : others;
  const bare = counted.replace(
    /\b(?:(?:the|in|with|on|by|vehicle|veh|reg|coach|bus)\b[.:]? ?)+(?=[(]?,)/i,
    '',
  );
  const drives = YOURS.exec(bare) ?? DRIVES.exec(bare);
  const labelled =
    DRIVER.exec(bare) ?? (drives && !LINK.test(drives[1]!) && !NO_NAME.test(drives[0]) ? drives : null);
  const without = bare
    .replace(labelled?.[0] ?? '', labelled ? ',' : '')
    .replace(/[ ,]{1,9}(?= (?:back )?to (?:the )?\p{Lu})/u, '')
    .replaceAll(/ (?:with|for|of|in|on|takes|taking)(?: the)?(?: same)? ?(?=,)/gi, '');
  const parts = trimmed(without)
    .split(/, ?| [-–—] |[.;:] |[()]/)
    .map((part) => part.trim().replace(/ (?:in|on|with|by)$/i, ''));
  const [word = ''] = /^[^ ,:]+(?: \p{Lu}\b(?!['’]))?/u.exec(trimmed(without)) ?? [];
  const isSubject = isFirstName(word) && !/^\S+ \p{Lu}\p{Ll}|^Will do\b/u.test(trimmed(without));
  // "(Kelvin, LK17 DGZ)": beside its vehicle it is the driver, whatever the name.
  const [, beside] = (vehicle && BESIDE.exec(words.replace(vehicle, '#'))) || [];
  const name = parts.find(isFirstName) ?? beside ?? (isSubject ? word : undefined);
  const isName = labelled === null && name !== undefined && endsOf(name) === null;
  return {
    driver: labelled?.[1] ?? (isName ? name : ''),
    vehicle,
    people: people?.slice(1).find(Boolean) ?? '',
    rest: trimmed(isName ? without.replace(name, '') : without),
  };
}

/** The first part of the words with two ends, and the words beside it. */
export function tripIn(words: string): { trip: string; note: string } | null {
  const parts = words
    .split(/, ?|[.;](?: |$)| (?=\()/)
    .map((part) => part.trim())
    .filter(Boolean);
  for (const [at, part] of parts.entries()) {
    const [whole = '', ...behind] = / to /i.test(part) ? part.split(/ [-–—] /) : [part];
    const [bare = '', purpose] = endsOf(whole) ? whole.split(/ (?=(?:for|with) )/) : [whole];
    const ends = endsOf(bare) ?? endsOf(bare.replace(/ for /i, ' to '));
    if (!ends?.every((end) => /[\p{Lu}\d]/u.test(end) || words === words.toLowerCase())) continue;
    if (ends.some((end) => isFlight(end.replace(/^flight /i, '')))) continue;
    const lead = BEFORE_START.exec(ends[0]!)?.[0] ?? '';
    const [start, goal] = [ends[0]!.slice(lead.length), ends[1]!].map((end) =>
      end
        .replace(
          /^(?:the|then|back|for|at|(?:school )?(?:run|trip|job|service|transfer|hire|contract):?) (?:from )?/i,
          '',
        )
        .replace(
          /(?: (?:with|for|on|by|in|at|and|then|again|going|heading|bound|back|ret|rtn|return)){1,4}$/,
          '',
        )
        // "Guiseley school run to Benton Park"
        .replace(/ (?:(?:school|home|swim(?:ming)?) )?run$/, ''),
    );
    const filling = trimmed(lead).replace(/ ?\b\w+(?: up)?(?: at| from)?$/, '');
    // "Holiday Inn, Burton to Tutbury": the words before the place belong to it.
    const place =
      at > 0 && lead === '' && /^\p{Lu}[\p{L}'’ ]*$/u.test(start!) ? bareStart(parts[at - 1]!) : null;
    // "York to Bromyard, Cruxwell Street": the place behind it is as well.
    const [next, ...tail] = behind.length > 0 || purpose ? [] : (parts[at + 1]?.split(/ [-–—] /) ?? []);
    const isPart =
      next !== undefined && /^\p{Lu}[\p{L}'’ ]*$/u.test(next) && PLACE.test(next) && !isFirstName(next);
    const others = [
      ...parts.slice(0, place === null ? at : at - 1),
      ...(FILLING.test(filling) ? [] : [filling]),
      ...[purpose ?? []].flat(),
      ...behind,
      ...(isPart ? tail : []),
      ...parts.slice(isPart ? at + 2 : at + 1).flatMap((part) => part.split(/ [-–—] /)),
    ];
    return {
      trip: `${place === null ? '' : `${place}, `}${start!} → ${goal!}${isPart ? `, ${next}` : ''}`,
      note: others.filter((one) => one !== '' && !FILLING.test(one)).join(', '),
    };
  }
  return null;
}

/** "Collect guests Holiday Inn" without its verb; null when it is a whole sentence. */
function bareStart(words: string): string | null {
  const [from] = endsOf(`${words} to X`) ?? [words];
  const bare = from.replace(BEFORE_START, '').replace(/^(?:then|pick ?up|collect) /i, '');
  return /^(?!S?[Hh]e\b|They\b)\p{Lu}/u.test(bare) && bare.split(' ').length < 5 ? bare : null;
}
