/** The words of a text that name a time or a day, and their days in London's calendar. */
import { fromLondonClock, monthOf } from '#contract/london.ts';
import { Weekday } from '#contract/incidents/windows.ts';
import { everyNamed, named, type Groups, type NamedMatch } from './namedMatches.ts';
import { isKnownName } from '../../geography/names/placeNames.ts';
import { daysAfter, toUtc } from '../../http/documents/londonTime.ts';

const MONTH = String.raw`(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\b`;
const WEEKDAY = String.raw`(?:mon|tues?|wed(?:nes|s)?|thur?s?|fri|sat(?:ur)?|sun)(?:day)?`;
const NUMBER = String.raw`(?:\d{1,3}|an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|couple of|another|next)`;
const UNIT = String.raw`(?:minute|hour|day|night|weekend|week|month|(?:mon|tues|wednes|thurs|fri|satur|sun)day)`;
const TH = '(?:st|nd|rd|th)?';
const YEAR = String.raw`(?:,? (?<year>20[1-3][1-46-9]\b|(?!2000|20[45]\d|(?:[01]\d|2[1-3])[0-5]\d)\d{4}\b(?! ?(?:-|–|to|until) ?\d{4}\b| ?h(?:ou)?rs)))`;

/** The role of a time, by the words before it. */
export type Role = 'from' | 'since' | 'called' | 'to' | 'before' | 'reopened' | 'between';
/** `weekday`: the same day in several weeks. */
export type Unit = 'hour' | 'day' | 'night' | 'weekend' | 'week' | 'month' | 'weekday';

export type Token = { at: number; end: number } & (
  | { kind: 'clock'; minutes: number }
  /** One day of the calendar, or the first day of a week or month up to its `last`. `isName`: only its weekday is
   *  given. */
  | {
      kind: 'day';
      day: string;
      last?: string;
      isName?: true;
      isNight?: true;
      isPart?: true;
      isMonth?: true;
      isWeek?: true;
    }
  /** Days of every week; null: all days. `isWeak`: "overnight" may be one night. */
  | { kind: 'set'; days: readonly Weekday[] | null; isNight?: true; isWeak?: true }
  | { kind: 'length'; count: number; unit: Unit; isNext: boolean }
  /** `isVerb`: "closes". A day after it is not its beginning. */
  | { kind: 'role'; role: Role; isVerb?: true }
  | { kind: 'join' | 'and' | 'except' | 'notice' }
  /** An instant in the form of a field. */
  | { kind: 'instant'; time: string }
);

const TO_WHOM = String.raw`(?: to (?:all )?(?:[a-z-]+ ){0,2}?(?:vehicles|traffic|motorists|drivers|pedestrians|cyclists|public|lorries|hgvs))?`;
const TO = String.raw`(?:last day(?: of [a-z ]{1,25})?(?: is)?|(?:until|till?) (?:the )?(?:end|finish) of (?:the )?(?:match|game|event|race|concert|show|parade)|(?:re-?opening|completion|end date)(?: \w+){0,3} (?:slipped|moved|pushed back|put back|extended) to|(?<=\bclos(?:es?|ed|ing)\b[^.;]{0,45} and )opens?(?: again)?|(?<=\b(?:to|will) be (?:\w+ )?)(?:removed|withdrawn|taken (?:down|away))|(?:until|to|by|with) (?:the )?(?:last|final) (?:bus|train|tram|service)s?|(?:until|to|by) (?:the )?(?:end|close) of (?:service|operations)(?: on)?|(?:normal|lifted(?! (?:from|off|out)\b))(?: [a-z]+){0,5} (?:from|by|at)|(?:extended|prolonged)(?: by [^.;]{1,20}?)? to|(?:final|last) (?:closure|night)(?: is)?(?: on)?|(?:between|from) now (?:and|until|till|to)|(?:up to|to|until) and including|(?:until|till?|up to) (?:the )?end of (?:the |this )?(?:\w+ )?(?:term|half-term|season|holidays?)|until|till?|up to|through to|no later than|by|(?:end(?:s|ed|ing)?(?: of(?: (?:service|traffic|operations|the day|day))?)?|close of (?:service|business|play)|finish\w*|re-?open(?:s|ing)?(?: (?:it|them|the (?:road|line|lane|carriageway|bridge|motorway)))?${TO_WHOM}|(?<=\b(?:will(?: now)?|won['’]t|be|fully|(?:due|expected|hoped|likely|able|set|scheduled|aim\w*|hop(?:e|es|ing)) to) )open|opens?(?= again)|(?<=\b(?:hop|aim|plan|try)\w*\b[^.;]{0,50} )open(?: in time(?= for\b)|(?= (?:for|by|at|on) (?:\d|${WEEKDAY})))|(?:start|begin)(?:s|ing)? (?:to )?(?:run|mov|operat|flow)\w*(?: again)?(?: from)?|(?<=\b(?:will|should|can) )run again(?: from)?|clear\w*|resum\w+(?: with)?|(?<!\b(?:works?|resurfacing|strikes?|closures?) (?:will )?)(?:re-?start\w*|recommenc\w*)(?: (?:services?|departures|flights|trains|sailings|operations))?|back (?:open|(?:in|to) (?:service|operation|normal))|(?<=\b(?:should|will|to) be )back|complet\w+|resolv\w+|normal(?:ly)?|fixed|last(?:s|ing|(?! (?:night|week|${WEEKDAY})\b))|conclud\w+|lifted|ease|(?:estimate\w*|ETA|aiming)(?: time)? (?:of|for) (?:the |an )?(?:repair|(?:re-?)?opening|clearance|completion|restoration)|estimated (?:fix|repair|clear\w*|re-?opening|opening|completion|end)(?: time)?|ETA(?= [^.;]{0,12} for re-?opening)|est\.?(?= ~?\d))(?: again|(?: date| time)(?: of)?)?(?: (?:is|are) (?=\d)|(?: (?:is|are))?(?: now| currently)? (?:expected|due|likely|anticipated|estimated|scheduled|planned|set)(?: for)?(?! to\b))?)`;
const FROM = String.raw`(?:first day(?: of [a-z ]{1,25})?(?: is)?|from (?:the )?first (?:bus|train|tram|service)s?|first (?:closure|night)(?: is)?(?: on)?|from|(?<!\b(?:just|shortly|soon|straight) )after|(?:start(?:s|ed|ing)?|beg[aiu]n\w*)(?: date| time| of (?:service|traffic))?|commenc\w*|(?:in)?to (?:force|effect)|tak(?:es?|ing) effect)`;
const VERB = String.raw`(?:(?:clos(?:es?|ed|ing)|shut(?:s|ting)?)${TO_WHOM}|(?<=\b(?:was|were) )(?:stopped|halted|held)|happened|occurred|took place)`;
/** A token begins only at the start of a word or at these signs: elsewhere no pattern is tried. */
const AT_WORD = String.raw`(?:(?<![a-z])(?=[a-z])|(?=[\d–—>→&,/+-]))`;
const TOKEN = named(
  `${AT_WORD}(?:${[
    String.raw`(?<always>\b24\/7\b(?!\/)|\b24 hours a day\b)`,
    String.raw`(?<notice>until further notice|for the foreseeable future)`,
    String.raw`(?<instant>\b20\d{2}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)`,
    String.raw`(?<length>\b(?:(?:for|over|on|within|duration:?|last\w*|tak(?:es?|ing)|in|next|need(?:s|ed)?) (?:of )?(?:(?:about|around|approximately|approx\.?|roughly|up to|the next|each of|the|a (?:period|total) of|a further|another|at least|an estimated|a) )*(?:${NUMBER} (?:to|or) |\d{1,2}-)?(?<count>${NUMBER})[ -](?:consecutive |successive |more |full )?|(?<count2>${NUMBER})(?:-| (?=(?:day|night|weekend|week|month)s? (?:of )?(?:\w+ )?(?:closures?|shutdown|works|roadworks|blockade|strike|walkout)\b|(?:day|night|weekend|week|month)s? from\b)))(?<unit>${UNIT})s?)\b(?! (?:a|per|either|before) | or until\b)`,
    String.raw`(?<ago>\b(?:(?:about|around|some|just over|just under|over) )?(?<count3>${NUMBER}) (?<unit3>minute|min|hour|day)s? ago\b|\bfor the (?:past|last) (?<count4>${NUMBER}) (?<unit4>minute|min|hour|day)s?\b(?! of\b))`,
    String.raw`(?<period>\b(?<!\b(?:early|mid|late|later|earlier|sometime|end of)[ -])(?:this|next|the coming|that|following|all|over the|at the|throughout the) (?:weekend|week)\b)`,
    String.raw`(?<nights>\b(?:each|every|per) (?:night|evening)\b|\bnightly\b|\bnights\b|\bat night\b|\bevenings\b|\bovernight (?=(?:\w+ ){0,2}(?:closures|works|roadworks|restrictions)\b(?! (?:have |has |are |is )?over-?r[au]n))|\bovernights\b)`,
    String.raw`(?<overnight>\b(?<!\b(?:after|following) (?:\w+ ){0,4})(?<!\b(?:an|the|fire|crash|collision|incident|accident|flooding|rain|snow|snowfall|storms?|damage|(?:remains?|stays?|was|were)(?: \w+)?) )overnight\b(?! (?:\w+ ){0,2}over-?r[au]n))`,
    String.raw`(?<weekdays>\b(?:week|school|working) ?(?:days?|nights?|evenings?)\b)`,
    String.raw`(?<weekends>\bweekends\b(?! of\b)|\b(?:each|every|per) weekend\b)`,
    String.raw`(?<holidays>\b(?:bank|public) holidays?\b)`,
    String.raw`(?<daily>\b(?:each|every) (?:day|morning|afternoon)\b|\bdaily\b|\b(?:7|seven) days a week\b|\bday and night\b)`,
    String.raw`(?<ofMonth>\b(?:${WEEKDAY}s?,? )?(?:the )?(?<dom3>\d{1,2})${TH}(?=(?:(?:,? ?(?:and|to|until|&|-|–|,|\/) ?|, )(?:${WEEKDAY},? )?(?:the )?\d{1,2}${TH}){1,6}(?: of)? ${MONTH}))`,
    String.raw`(?<ofMonth2>\b(?=\d)(?:(?<=\b${MONTH} \d{1,2}${TH}(?: ?[-–,&] ?| to | and |, and ))(?<dom5>\d{1,2})${TH}\b(?![:.]\d| ?[ap]\.?m\b|\d| (?:of|lanes?|miles?|mph|min(?:ute)?s?|hours?|days?|nights?|weeks?|metres|vehicles|people|trains|services|buses)\b)|(?<dom6>\d{1,2})(?= ?(?:-|–|to|and|&) ?\d{1,2}\/\d{1,2}\/\d{2,4}\b)))`,
    String.raw`(?<date>(?<weekOf>\b(?:w\/[ce]|week (?:commencing|beginning|starting|of|ending))(?: on)?:? )?\b(?:(?:${WEEKDAY}s?,? \(?)?(?:the )?(?<dom>\d{1,2})${TH}(?: of)?[ -]?(?<month>${MONTH})(?:${YEAR}|-(?<year3>20\d{2}))?|(?:${WEEKDAY},? )?(?<month2>${MONTH}) (?<domLater>\d{1,2})${TH}\b(?![:.]\d)(?:${YEAR.replace('<year>', '<year2>')})?|(?:${WEEKDAY},? )?(?<d2>\d{1,2})(?<slash>[/.-])(?<m2>\d{1,2})\k<slash>(?<y2>(?:20)?\d{2})(?!\d)|(?:${WEEKDAY},? )?(?<!\b(?:lanes?|junctions?|platforms?|routes?|services?|bus(?:es)?|terminals?|units?) )(?<d4>\d{1,2})\/(?<m4>\d{1,2})(?![\d/]| ?(?:lanes?|miles?|mph|full|of)\b)|(?<iso>20\d{2}-\d{2}-\d{2})\b))`,
    String.raw`(?<ends>\b(?:the )?end (?:of )?(?:the month|(?<ofYear>the year)|(?<ended>${MONTH})(?: (?<endedYear>20\d{2}))?))`,
    String.raw`(?<near>\b(?:all day(?=[.;]|$)|the (?:end|rest|remainder) of (?:the day|today)(?! on\b)|(?<!earlier |later |most of )today|tonight|tomorrow|(?<!earlier )yesterday|last night(?!['’]s|(?: is)?(?: on)?:? (?:${WEEKDAY}|\d))|this (?:morning|afternoon|evening)(?!['’]s (?:\w+ )?(?:incident|collision|crash|accident|fire|spill|breakdown)\b))\b)`,
    String.raw`(?<inMonth>\b(?:in|during|throughout) (?<whole>${MONTH})(?: (?<wholeYear>20\d{2}))?)`,
    String.raw`(?<clock>\b(?:(?:12(?:[:.]00)? )?(?:noon|midnight|midday)|\d{1,2}[:.]\d{2}(?::\d{2}\b)?(?![:.]\d|\d| ?(?:m|km|miles?|metres|tonnes|t|ft|feet)\b)(?: ?[ap]\.?m\b\.?| ?h(?:ou)?rs?\b)?|\d{1,2} ?[ap]\.?m\b\.?|\d{3,4} ?(?:[ap]m|h(?:ou)?rs?)\b|(?<=\b(?:since|til|till|until) )[1-9][0-5]\d\b(?![.,]?\d| ?[a-z]+s\b)|[0-2]\d[0-5]\d(?:Z\b|\b(?![.,]?\d))|\d{1,2}(?:[:.]\d{2})?(?= ?(?:-|–|to|and|until|till?) ?\d{1,2}(?:[:.]\d{2})? ?[ap]m\b)))`,
    String.raw`(?<half>\b${WEEKDAY},? (?:the (?=\d{1,2}(?:st|nd|rd|th)))?(?<dom2>[0-2]?\d|3[01])(?!\d)${TH}(?![\d:.]*\d| ?[ap]\.?m\b| ?(?:hours|minutes|services|trains|lanes)|[:.]\d)|(?:\bthe |(?<=\b(?:on|from|since|until|till|by) ))(?<dom4>\d{1,2})(?:st|nd|rd|th)\b(?! (?!(?:until|till|to|and|at|from|for|due|because|owing|after|following)\b)[A-Za-z]))`,
    String.raw`(?<weekday>\b(?<each>(?:each|every|alternate) )?(?<wd>${WEEKDAY})(?<plural>s\b|(?:s)? (?:nights|evenings|mornings|afternoons)\b)?(?<ofNight> (?:night|evening))?\b(?! (?:of|in) (?:the|each|every) month))`,
    String.raw`(?<reopened>\b(?:re-?opened${TO_WHOM}|open again(?= (?:since|as of)\b)|(?<=\b(?:all (?:\w+ )?lanes|fully|now) )open(?= (?:as of|since)\b|,? \(?(?:at )?\d{1,2}[:.]\d{2})|(?:was|were|been|fully|now|(?<=lanes? |road |scene )) ?(?:cleared|lifted|resolved|removed|withdrawn|repaired|rectified|restored)|(?<=warning |^|[.;:] )(?:removed|withdrawn|lifted)|(?=complete)(?<=\b(?:works?|repairs?|recovery) (?:(?:is |are )?now )?)completed?(?= at\b)|(?:released|ended|expired)(?= at\b))\b)`,
    String.raw`(?<since>\bsince\b|\bas of\b|\b(?:raised|upgraded|escalated|lowered|downgraded|reduced|increased)(?: it| this)? (?:to|from) [^.;,\d]{2,30}?(?= (?:at|on) ))`,
    String.raw`(?<before>\b(?<!\b(?:just|shortly|soon) )(?:before|prior to)\b)`,
    String.raw`(?<between>\bbetween\b(?! now\b))`,
    String.raw`(?<to>\b${TO}\b)`,
    String.raw`(?<from>\b(?:${FROM}|(?<verb>${VERB}))\b)`,
    String.raw`(?<except>\b(?:except(?:ing)?|excluding|excl|apart from|other than|but not|not)\b)`,
    String.raw`(?<join>\b(?:to|through|thru)\b|[-–—>→])`,
    String.raw`(?<and>\b(?:and|or|plus)\b|[&,/+])`,
  ].join('|')})`,
  'gi',
);

const COUNTS = 'zero one two three four five six seven eight nine ten eleven twelve'.split(' ');
const NEAR: Readonly<Record<string, number>> = { yesterday: -1, 'last night': -1, tomorrow: 1 };
const ROLES = ['reopened', 'since', 'before', 'between', 'to', 'from'] as const;
const MARKS = ['notice', 'except', 'join', 'and'] as const;
const WEEK = Weekday.options;

/** No genuine sentence has more. */
const TOKENS_MAX = 40;

/** Words that may stand between a role and its time, or between a day and its time. */
export const isFiller = (gap: string) =>
  /^[\s,:(~]*(?:(?:(?:an?|one|two|three) (?:hour|day|week)s? (?:early|late)(?:,|$)|about|around|approximately|approx\.?|roughly|circa|(?:just|shortly|soon) (?:before|after)|just|at|on|in|by|from|the|this|coming|its|their|nights? of|evening of|morning of|late|early|first thing|next|last|after|before|each|hours of|for)[\s,:(~]*)*$/i.test(
    gap,
  );

/** "Recovery due on scene at 10:30, all lanes expected open by 11:15" */
const BEGINS_ANEW =
  /^[^.;]{0,20}, [^.;]*\b(?:until|till|by|re-?open\w*|clear\w*|expected|estimate\w*|due|since|closed|shut)\b/i;

/** Words for other things whose times do not count: tickets, offices, calls to the police and forecasts. */
const ANOTHERS =
  /\b(?:tickets?|accepted|opening hours|(?<!\b(?:not|to|\w+n['’]t) (?:be )?(?:fully )?)open (?:until|from)|called(?=\b[^.;]*\b(?:will|due|expected|by)\b)|appeal\w*|witness\w*|on (?:site|scene) (?:by|at)|(?:expected|due) (?:on|at) (?:the )?(?:site|scene)|arriv(?:e|es|ed|ing)|(?<!\beither side of )high (?:tide|water)(?! (?:from|between|until)\b)|(?<!off[- ])peak|at least until|(?:may|might|could|will) be (?:well )?after|until (?:at least|(?:well )?after)|(?<!\b(?:from|from the) )first (?:\w+ )?(?:bus|buses|trains?|trams?|services?|sailings?|flights?)|(?<!\b(?:until|to|by|with|until the|to the|by the|with the) )last (?:\w+ )?(?:bus|buses|trains?|trams?|services?|ferry|sailings?|flights?|departures?|arrivals?))\b(?:[^.;]|\.\d){0,60}$|\b(?:(?:not|\w+n['’]t|unlikely to) (?:\w+ ){0,4}before|(?:not (?:\w+ ){0,3}(?:(?:clos|shut|start|beg[iu]n|tak|know|decid|appl|need|requir|affect)\w*|in(?:to)? (?:force|place|effect))|unlikely to (?:\w+ ){1,4}) ?until)(?: \w+)? $|\b(?:updated?|published|posted)(?: at| on)?:? \(?$|\b(?:(?:will|next|further|another) (?:\w+ ){0,2}(?:updat|review)\w*|will (?:then )?be (?:re-?)?(?:assessed|inspected|surveyed|checked)|(?:next|further|another) (?:\w+ )?(?:assessment|inspection|survey|check)s?|updates? (?:will|is|are|due|expected|to follow))\b[^.,:;]{0,40}$|\b(?:we|they|crews|engineers|inspectors|officers|teams) will (?:look at|check|inspect|(?:re-?)?assess)\b[^.,:;]{0,50}$|\bunlikely to (?:be )?(?:fully )?(?:re-?)?(?:open|clear)(?:ed)?(?: \w+)? $|\b(?:not|\w+n['’]t) (?:\w+ ){0,3}re-?open(?:ed|ing)?(?: (?:on|at))? $|\bkick[- ]?off(?: ?(?:is|at|time|from|on|:|\d{1,2}(?:[:.]\d{2})?(?: ?[ap]m)?)){0,4} $|\binto (?:the )?$/i;
/** "Which was to begin yesterday", "they were to end at 6am": something else happened. */
const WAS_TO_BE =
  /\b(?:(?:originally|previously|initially|earlier|first) (?:due|expected|scheduled|planned) to|(?:was|were|had been) (?:due |meant |expected |scheduled |supposed |planned )?to|should(?= have \w+ed)) (?:have )?(?!remain|stay)\w+(?: \w+)?(?: (?:at|on|by|from|until))?(?: about| around)? $|\b(?:was|were|had been) due (?:off|out|back|away|open|up)(?: site| there)? (?:at|on|by)(?: about| around)? $/i;
/** "A limited service will operate between 0730 and 1830" */
const OF_TRIPS =
  /\b(?:limited|skeleton|reduced|revised) (?:\w+ )?(?:service|timetable) (?:will |is |only )*(?:run|operat)\w*[^.;]{0,20}\b(?:from|between)[^.;]{0,20}$/i;
/** "At 07:55 officers were called" */
const ANOTHERS_LATER =
  /^ at the (?:very )?earliest\b|^,? (?:has |have )?(?:overr[ua]n|over-?running)\b|^[^.;]{0,50}\bruns? (?:as )?normal(?:ly)?\b(?! (?:from|by|after|until)\b)/i;
/** "The 08:15 Leeds to York" */
const OF_SERVICE =
  /^ (?:\p{Lu}\p{Ll}{2,}(?<!day|nights?)\b|(?:service|train|departure|flight|bus|ferry)\b)|^(?:(?:,| and|, and) \d{1,2}[:.]?\d{2}){0,5} (?:sailings|departures|flights|services|trains|buses|crossings)\b/u;

/** "The 08:15", "the 07:10, 07:40 and". The last one that is cancelled is an end: "up to and including the 15:10". */
const OF_THE =
  /(?<!\b(?:up to|until|and including|resum\w{2,4} with) )\bthe (?:\d{1,2}[:.]?\d{2}(?:,| and|, and) ){0,5}$/i;

/** A bare "2130" is a time only beside other words about time; "2027" is a year. */
const BARE_LEAD =
  /(?:\b(?:from|at|until|till|by|between|to|and|since|after|before|about|around|approximately|approx|circa|valid|\w+day|tonight|today|tomorrow|morning|evening|overnight|nightly|daily|weekdays|weekends|thu(?:r?s)?|mon|tues?|wed|fri|sat|sun)|[-–(),:]|\d(?:st|nd|rd|th)?|\b[a-z]{3,9}) ?$/i;
const isBareClock = (text: string, before: string, after: string) =>
  /^ ?(?:-|–|to|until|and) ?[0-2]\d[0-5]\d\b/i.test(after) ||
  /\b[0-2]\d[0-5]\d ?(?:-|–|to|until|and) ?$/i.test(before) ||
  (BARE_LEAD.test(before) &&
    !/^20[2-9]/.test(text) &&
    !/^ ?(?:people|homes|vehicles|metres|m\b|customers|passengers)/.test(after));

/** "We were called at 06:20 and the road has been shut since then": the time of the call is that of the closure. */
export const SINCE_THEN = /^[^.;]{0,80}\b(?:since then|ever since)\b/i;

type Meaning = Token extends infer One
  ? One extends Token
    ? Omit<One, 'at' | 'end'> & { at?: number; end?: number }
    : never
  : never;

export const isTime = ({ kind }: Token) => kind === 'clock' || kind === 'day' || kind === 'instant';

/** The meaning of each word of the text, in order; empty when one of its dates does not exist. `written`: when the
 *  text was written, UTC. */
export function tokensOf(said: string, written: string, today: string): Token[] {
  const matches = everyNamed(said, TOKEN, TOKENS_MAX);
  const dates = datesOf(matches, today);
  if (dates === null) return [];
  const tokens: Token[] = [];
  /** The end of the last match that belongs to something else. */
  let dropped = 0;
  for (const [index, match] of matches.entries()) {
    const place = { at: match.at, end: match.at + match.text.length };
    if (isOfName(match.text, said.slice(0, place.at), said.slice(place.at))) continue;
    const since = said.slice(Math.max(tokens.findLast(isTime)?.end ?? 0, dropped), place.at);
    const lead = said.slice(tokens.findLast(isTime)?.end ?? 0, place.at);
    const before = (BEGINS_ANEW.test(since) ? since : lead).slice(-90);
    const after = said.slice(place.end, place.end + 70);
    const context = {
      at: place.at,
      before,
      after,
      said,
      today,
      written,
      tokens,
      dates,
      date: dates[index] ?? null,
    };
    const found = meaningsOf(match, context).map((one) => ({ ...place, ...one }) as Token);
    const isAnothers =
      found.some(isTime) &&
      (ANOTHERS.test(before) ||
        ANOTHERS_LATER.test(after) ||
        WAS_TO_BE.test(before) ||
        (found[0]!.kind === 'clock' && OF_TRIPS.test(before))) &&
      !SINCE_THEN.test(said.slice(place.end));
    // "Will be updated by 10:00 tomorrow, Sunday 29 November": the day also belongs to that time.
    const isOfDropped =
      dropped > 0 && found.some(isTime) && /^[\s,(]*(?:on |at )?$/.test(said.slice(dropped, place.at));
    if (!isAnothers && !isOfDropped) tokens.push(...found);
    else dropped = place.end;
  }
  // A comma counts only in a list of days.
  return tokens.filter(
    ({ at }, index) => said[at] !== ',' || [tokens[index - 1], tokens[index + 1]].every((one) => isDay(one)),
  );
}

const DAY_OR_CLOCK = new RegExp(String.raw`^(?:(?:the )?(?:noon|midday|midnight)|${WEEKDAY})$`, 'i');
const IN_NAME =
  /^\p{Lu}\p{Ll}+(?:['’]s)? (?:Bank|Bridge|Common|Cottages?|Court|Cross|Drive|Drove|Farm|Fields?|Gate|Green|Hill|Island|Junction|Lane|Market Place|Mill|Park|Pass|Place|Road|Rd|Roundabout|Square|St|Street|Terrace|Wood|Woods)\b(?! (?:closures?|deck|works?|repairs?|party|festival|market)\b)/u;
/** Words before a place. After any other the day counts: "on Monday Bridge Street will be closed". */
const AT_PLACE =
  /\b(?:at|near|nr|in|past|outside|towards|via|approaching|(?:north|south|east|west) of)(?: the)? $/i;
const ON_ROAD = /\b[ABM]\d{1,4}(?:\(M\))?(?: (?:north|south|east|west)bound| [NSEW]B)? $/i;
const LONG_NAME = /^\p{Lu}\p{Ll}+([ -])(?:in|on|of|by|under|upon)\1(?:the\1)?\p{Lu}\p{L}+/u;

/** Whether a day or an hour is a part of a place's name: "near Friday Bridge", "Sun in the Sands". `lead`: the text
 *  before it. `rest`: the text from it on. */
function isOfName(text: string, lead: string, rest: string): boolean {
  if (!DAY_OR_CLOCK.test(text)) return false;
  const [long] = LONG_NAME.exec(rest) ?? [];
  if (long !== undefined && isKnownName(long)) return true;
  const [name] = IN_NAME.exec(rest) ?? [];
  if (name === undefined) return false;
  const after = rest.slice(name.length);
  // "A61 Sunday Park Lane": the name begins after the day.
  const isWhole = ON_ROAD.test(lead)
    ? !/^ (?:[\p{Lu}\d&]|of\b)/u.test(after)
    : lead === '' && /^[,:]/.test(after);
  return AT_PLACE.test(lead) || isWhole;
}

const isDay = (token: Token | undefined) => token?.kind === 'day' || token?.kind === 'set';

interface Context {
  at: number;
  /** The words since the last time, and the words after it. */
  before: string;
  after: string;
  said: string;
  today: string;
  written: string;
  tokens: readonly Token[];
  dates: readonly (string | null)[];
  date: string | null;
}

function meaningsOf({ text, at, groups }: NamedMatch, context: Context): Meaning[] {
  const { after, today, date } = context;
  if (date) {
    if (groups.weekOf) {
      const isEnd = /^w\/e|ending/i.test(groups.weekOf);
      // "Until week ending 13 December"
      if (isEnd && isTowards(context)) return [{ kind: 'day', day: date }];
      const first = isEnd ? plus(date, -6) : date;
      return [{ kind: 'day', day: first, last: plus(first, 6), isWeek: true }];
    }
    const day: Meaning = { kind: 'day', day: date, ...partOf(after, context.before) };
    // "Mon-Sat, 30 November to …", "Thursdays 30 November to …": the name before the date is another day.
    const [, name, plural] = /^(\p{L}{3,9}?)(?:(s)|,) /u.exec(text) ?? [];
    const weekday = name ? weekdayNamed(name) : -1;
    if (weekday < 0 || weekday === weekdayOf(date)) return [day];
    const end = at + name!.length; // a weekday has a name
    return [
      plural
        ? { kind: 'set', days: [WEEK[weekday]!], end }
        : { kind: 'day', day: onWeekday(lastDay(context) ?? today, weekday), isName: true, end },
      { ...day, at: end + 2 },
    ];
  }
  if (groups.instant) {
    const time = toUtc(groups.instant);
    return time ? [{ kind: 'instant', time }] : [];
  }
  if (groups.ago) {
    const count = countOf((groups.count3 ?? groups.count4)!.toLowerCase()); // one of two forms
    const unit = (groups.unit3 ?? groups.unit4)!.toLowerCase();
    if (unit === 'day')
      return [
        { kind: 'role', role: 'since' },
        { kind: 'day', day: plus(today, -count) },
      ];
    const minutes = count * (unit === 'hour' ? 60 : 1);
    const time = new Date(Date.parse(context.written) - minutes * 60_000).toISOString();
    // "Open again as of 5 mins ago": the words before it give the role.
    const last = context.tokens.at(-1);
    const isTold = last?.kind === 'role' && last.role === 'since';
    return [...(isTold ? [] : [{ kind: 'role', role: 'since' } as const]), { kind: 'instant', time }];
  }
  if (groups.clock) {
    const minutes = minutesOf(groups.clock, at, context);
    return minutes === null ? [] : [{ kind: 'clock', minutes }];
  }
  if (groups.near) return nearDay(groups.near.toLowerCase(), context);
  if (groups.weekday) return weekdayMeanings(text, groups, context);
  if (groups.length) {
    const unit = groups.unit!.toLowerCase();
    const count = countOf((groups.count ?? groups.count2)!.toLowerCase());
    const isNext =
      /\bnext|another|further|within|duration|more\b/i.test(text) ||
      (/^in\b/i.test(text) && ENDS_IN.test(context.before));
    if (count <= 0) return [];
    // Minutes are mostly the extra time of a journey.
    // "At 11:20 tomorrow for 20 minutes", "for 20 minutes from 11:20"
    const isAfterClock =
      context.before.trim() === '' && context.tokens.slice(-2).some(({ kind }) => kind === 'clock');
    const isFrom = /^for\b/i.test(text) && (isAfterClock || /^ (?:from|starting)\b/i.test(after));
    if (unit === 'minute')
      return (isFrom || (isNext && !OF_JOURNEY.test(`${text}${after}`))) && !WAS.test(context.before)
        ? [{ kind: 'length', count: count / 60, unit: 'hour', isNext }]
        : [];
    if (!/.day$/.test(unit)) return [{ kind: 'length', count, unit: unit as Unit, isNext }];
    return [
      { kind: 'length', count, unit: 'weekday', isNext },
      { kind: 'set', days: [WEEK[weekdayNamed(unit)]!] },
    ];
  }
  if (groups.period) {
    const isNext = /^(?:next|following)/i.test(text);
    const monday = plus(today, (isNext ? 7 : 0) - weekdayOf(today));
    if (/weekend/i.test(text)) return [{ kind: 'day', day: plus(monday, 5), last: plus(monday, 6) }];
    // "Monday to Thursday next week": the names give the days.
    if (context.tokens.some((token) => token.kind === 'day' && token.isName)) return [];
    if (isNext) return [{ kind: 'day', day: monday, last: plus(monday, 6), isWeek: true }];
    return [
      { kind: 'role', role: 'from' },
      { kind: 'day', day: today },
    ];
  }
  const month =
    groups.whole ??
    groups.ended ??
    (groups.ends && `${today.slice(0, 4)}-${groups.ofYear ? '12' : today.slice(5, 7)}`);
  if (month) {
    const year = groups.wholeYear ?? groups.endedYear;
    const day = groups.ends && !groups.ended ? `${month}-01` : dayOfGroups({ dom: '1', month, year }, today);
    if (!day) return [];
    const last = lastOfMonth(day);
    return groups.ends ? [{ kind: 'day', day: last }] : [{ kind: 'day', day, last, isMonth: true }];
  }
  if (groups.overnight) return [{ kind: 'set', days: null, isNight: true, isWeak: true }];
  if (groups.nights) return [{ kind: 'set', days: null, isNight: true }];
  if (groups.weekdays)
    return [{ kind: 'set', days: WEEK.slice(0, 5), ...(/night/i.test(text) && { isNight: true }) }];
  if (groups.weekends) return [{ kind: 'set', days: ['sat', 'sun'] }];
  if (groups.holidays) return [{ kind: 'set', days: [] }];
  if (groups.daily) return [{ kind: 'set', days: null }];
  const role = ROLES.find((one) => groups[one] !== undefined);
  if (role) return [{ kind: 'role', role, ...(groups.verb && { isVerb: true }) }];
  const kind = MARKS.find((one) => groups[one] !== undefined);
  return kind ? [{ kind }] : [];
}

/** "May take another 20 minutes to reach Leeds" */
const OF_JOURNEY = /^tak|minutes? (?:for|on|to (?:reach|get|travel|your)|longer|extra|between|from)\b/i;
/** "Should be gone in about 40 minutes" */
const ENDS_IN =
  /\b(?:should|will|expect\w*|due|hop\w+|likely)\b[^.;]{0,30}\b(?:clear\w*|gone|(?:re-?)?open\w*|back|moving|over|resol\w+|fixed|normal|resum\w+|removed|end)[^.;]{0,20}$/i;
/** "Was cleared within 45 minutes" */
const WAS = /\b(?:was|were|been|re-?opened|cleared)\b[^.;]{0,20}$/i;

const isTowards = ({ tokens }: Context) => {
  const last = tokens.at(-1);
  return last?.kind === 'role' && last.role === 'to';
};

const lastDay = ({ tokens }: Context) => {
  const last = tokens.findLast((token) => token.kind === 'day');
  return last?.kind === 'day' ? last.day : null;
};

const countOf = (said: string) =>
  said === 'couple of' ? 2 : /^(?:an?|another|next)$/.test(said) ? 1 : Number(said) || COUNTS.indexOf(said);

/** "Wednesday morning", "the morning of Monday": a part of a day, which has no time. */
const partOf = (after: string, before = '') => ({
  ...((/^(?:['’]s)? (?:morning|lunchtime|afternoon|teatime|evening|night)\b/i.test(after) ||
    /\b(?:(?:(?:early )?hours|morning|afternoon|evening) of|first thing(?: on)?) (?:the )?$/i.test(
      before,
    )) && {
    isPart: true as const,
  }),
  ...(/^ (?:evening|night)\b/i.test(after) && { isNight: true as const }),
});

function nearDay(near: string, { today, after, before, tokens }: Context): Meaning[] {
  if (near === 'all day' && tokens.some(({ kind }) => kind === 'day')) return [];
  const isPart = /tonight|evening|morning|afternoon|last night/.test(near);
  const day: Meaning = {
    kind: 'day',
    day: plus(today, NEAR[near] ?? 0),
    ...(/tonight|evening/.test(near) && { isNight: true }),
    ...(isPart && { isPart }),
    ...partOf(after, before),
  };
  return /^(?:the (?:rest|remainder)|all day)/.test(near) ? [{ kind: 'role', role: 'to' }, day] : [day];
}

/** The meaning of a weekday: days of every week, or the one day with this name. */
function weekdayMeanings(text: string, groups: Groups, context: Context): Meaning[] {
  const { before, said, today, tokens, dates } = context;
  const name = groups.wd!;
  if (/^(?: (?:trading|service|timetable|market|hours)|[ -]?navs?)\b/i.test(context.after)) return [];
  // "sat", "sun" and "wed" are also other words.
  if (/^(?:sat|sun|wed)$/.test(name) || (/^Sun$/.test(name) && /\bthe $/i.test(before))) return [];
  // "Following Sunday's landslip". A match or a market has its closure on its day.
  if (OF_CAUSE.test(context.after) && /\b(?:following|after|due to|because of|of) $/i.test(before)) return [];
  const weekday = weekdayNamed(name);
  const isNight = /night|evening/i.test(text) && { isNight: true as const };
  if (groups.plural || groups.each) return [{ kind: 'set', days: [WEEK[weekday]!], ...isNight }];

  const last = tokens.findLast((token) => token.kind === 'day');
  const [clock, role] = tokens.slice(-2).toReversed();
  const isEnded = hasShut(said.slice(0, context.at), context.after) || REOPENED_ON.test(before);
  if (isEnded && CLOSES_NEXT.test(context.after)) return [];
  const isSince =
    (clock?.kind === 'clock' &&
      role?.kind === 'role' &&
      (role.role === 'since' ||
        /happened|occurred|took place/i.test(said.slice(role.at, role.end)) ||
        (role.isVerb &&
          (IS_EXPECTED.test(said) ||
            (STILL.test(context.after) && !IS_TO_CLOSE.test(said.slice(0, role.end))) ||
            /\b(?:was|were) $/i.test(said.slice(0, role.at)))))) ||
    isEnded ||
    EVENT_ON.test(before) ||
    SINCE_THEN.test(context.after) ||
    (clock?.kind === 'clock' &&
      (CALLED.test(said.slice(0, clock.at)) ||
        EVENT_AT.test(said.slice(Math.max(0, clock.at - LEAD_MAX), clock.at)) ||
        /\bissued at $/i.test(said.slice(0, clock.at)))) ||
    /\b(?:last|(?:happened|occurred|began|started)(?: on)?) $/i.test(before) ||
    (!last &&
      (/\b(?:since|issued (?:at|on))\b[^.;,]{0,25}$/i.test(before) ||
        (/\bfrom $/i.test(before) && IS_PAST.test(before))));
  const part = {
    ...isNight,
    ...(groups.ofNight && { isPart: true as const }),
    ...partOf(context.after, before),
  };
  if (isSince) {
    const day = plus(today, -((weekdayOf(today) - weekday + 7) % 7));
    return [{ kind: 'day', day, isName: true, ...part }];
  }
  // "From 9pm Friday until 5am Monday, starting 27 November"
  const starts = dates.find((day) => day !== null && day >= today);
  const week = / week\b/i.test(said) && /\b(next|following|this) week\b/i.exec(said)?.[1];
  const base =
    namesFrom(last, today, said.slice(last?.end ?? 0, context.at)) ??
    (week
      ? plus(today, (/this/i.test(week) ? 0 : 7) - weekdayOf(today))
      : (STARTS.test(said) && starts) || today);
  const next = onWeekday(/\bthis $/i.test(before) ? today : base, weekday);
  const day = next === base && /\bnext $/i.test(before) ? plus(base, 7) : next;
  return [{ kind: 'day', day, isName: true, ...part }];
}

const OF_CAUSE =
  /^['’]s (?:\w+ ){0,2}?(?:landslips?|landslides?|rockfall|crash|collision|accident|fire|blaze|explosion|storm|floods?|flooding|derailment|collapse|incident|burst|gales|high winds|snow)\b(?! (?:\w+ )?(?:works?|event|run|safety|relief|defences?|station|test|repairs?|drill|exercise)\b)/i;

/** The day from which names count. "This weekend: from 9pm Friday" means the Friday before it; other names follow
 *  the day that was named last. */
function namesFrom(last: Token | undefined, today: string, between: string): string | null {
  if (last?.kind !== 'day') return null;
  if (last.day < today && GOES_AHEAD.test(between)) return today;
  const isWeekend = last.last === plus(last.day, 1) && weekdayOf(last.day) === 5;
  const friday = isWeekend ? plus(last.day, -1) : last.day;
  return isWeekend && friday < today ? today : friday;
}

const weekdayNamed = (name: string) => WEEK.findIndex((day) => name.toLowerCase().startsWith(day));
const onWeekday = (from: string, weekday: number) => plus(from, (weekday - weekdayOf(from) + 7) % 7);

/** "The road closed at 10.30pm on Monday and is expected to reopen" */
const IS_EXPECTED =
  /\b(?:is|are) (?:now )?(?:expected|likely|due|hoped) to (?:re-?open|remain|stay|clear|be)\b/i;
const STILL = /\b(?:remains?|stays?|still) (?:closed|shut|blocked)\b/i;
const IS_TO_CLOSE = /\b(?:closes|shuts|(?:will|to|is|are) (?:be )?(?:closed?|shut))(?: at)?$/i;
/** "Police shut the road at 10pm on Monday". With an end or without a subject it may be a plan: "closed the whole of
 *  Monday". */
const THEY_SHUT =
  /(?<!\b(?:will|to|may|might|must|shall|would|could|should|can|if|once|unless|until|before|not)(?: [\w'’-]+){0,2} )\b(?!(?:will|to|may|might|must|shall|would|could|should|can|if|once|unless|until|before|not|never|then|and|or|is|are|was|were|be|been|being|we|they|who|which|that|fully|now|also|partly|both|roads?|lanes?|lines?|trains?|bridge|services?|[ABM]\d+)\b)[\w'’-]+ (?:closed|shut|stopped|halted|suspended) (?:the(?! (?:whole|entire|weekend|week|following|next|first|last|same|night|day|evening|other)\b)|[ABM]\d)\b(?:(?!\b(?:until|till|by|from|to|between|will|should|due|expected)\b)[^.;]){0,50}(?: on)? $/i;
const HAS_END = /^[^.;]*\b(?:until|till?|to|and|-|–) ?(?:about |around )?(?:\d|mid|noon|\w+day\b)/i;
/** "Had been shut from 11pm on Monday", "were closed at 21:30 on Sunday" */
const WAS_SHUT =
  /(?<!\bif [^.;]{0,40})\b(?:had been|having been|being|was|were)(?: \w+ly)? (?:closed|shut|blocked|stopped|halted|suspended|evacuated|(?:cordoned|sealed|taped) off)\b(?: (?!until\b|till\b|by\b(?= \d)|for\b|will\b|should\b|due\b|expected\b|and\b)[^\s.;]+){0,8}? (?:from|at(?= (?:about |around )?\d)|on)\b(?:(?!\b(?:until|till|by|to|and|will|should|due|expected)\b)[^.;]){0,30}$/i;
/** Whether the day after the words is past, because somebody shut it then. */
export function hasShut(said: string, after: string): boolean {
  const lead = said.slice(-LEAD_MAX);
  return WAS_SHUT.test(lead) || (THEY_SHUT.test(lead) && !HAS_END.test(after));
}
/** The most characters before a day that tell whether it is past. */
const LEAD_MAX = 200;
/** Words before a day that is ahead, even if the one before it is past: "and will reopen on". */
const GOES_AHEAD = /\b(?:will|should|due|expected|planned|is|are|closes|shuts|again|next|until|till)\b/i;
/** "Reopened on Tuesday", but never "will be reopened on Tuesday" or "they want it reopened on Tuesday" */
const REOPENED_ON =
  /(?<!\b(?:be|being|have|once|when|until|if|to|will|should|due|wants?|needs?|see|get|ask\w*|call\w*|hop\w+|plan\w*|expect\w*)\b[^.;]{0,60})\bre-?opened on $/i;
/** "It was closed on Thursday, and it closes again on Monday": the day that is ahead counts. */
const CLOSES_NEXT =
  /^[^.]*\b(?:closes|shuts|closures?|clos(?:ed|ing) again|shut again|to close|will (?:close|shut|be (?:closed|shut)))\b(?! (?:until|till|for)\b)/i;
/** "A crash on Monday evening" */
export const EVENT_ON = /\b(?:crash|collision|accident|fire|landslip|issued)\b[^.;,]{0,25}\bon $/i;
/** "Called at 06:40", "police called at 06:40", but never "the train called at 06:40" */
const CALLED_OUT = String.raw`(?<=^|[.:!] |\b(?:police|officers|crews?|firefighters|paramedics|emergency services) )called`;
/** "Police were called at 06:40", "collision reported at 13:42": it had begun by then, which says nothing about the
 *  closure. */
export const CALLED = new RegExp(
  [
    String.raw`\b(?:(?:were|was|been|being) (?:called|alerted)|(?:were|was|been) (?:mobilised|dispatched|sent(?= (?:to|out|at|just|shortly)\b))|(?:warning|alert) was (?:first )?issued|(?:received|got|had|took) (?:an? |the )?(?:first |emergency |999 )*(?:calls?|reports?)|(?:calls?|reports?) came (?:in|through)|(?:officers|police|crews|we|services) (?:attended|responded)|reported|raised|called (?:out )?to|${CALLED_OUT})\b[^.;]{0,70}?\b(?:at|on|just (?:before|after)|shortly (?:before|after))(?: about| around| approximately| just (?:before|after))? $`,
    String.raw`\b(?:reported|raised|${CALLED_OUT}|(?<=^|[.:|] )issued(?: at)?|time of (?:the )?(?:call|incident|report)):? $`,
  ].join('|'),
  'i',
);
const EVENT = 'crash|smash|pile-up|collision|accident|rt[ci]|fire(?! drill)|incident';
const AT_ABOUT = String.raw`at(?: about| around| approximately| just (?:before|after))?`;
/** Words for an event. "Closed at 22:00 on Monday" may be a plan, and is none of them. */
export const EVENTS = String.raw`${EVENT}|failure|fault|landslip|fell|came down|overturned|caught|collided|hit|knocked down|broke down|failed|lost power|left the (?:road|carriageway)`;
/** From an event to its time. */
export const TO_TIME = String.raw`\b(?:(?!\b(?:due|expected|should|will|calls?|next|updates?|arriv\w+)\b)[^.;]){0,30}\b(?:(?<=\b(?:${EVENT}|breakdown))(?: at| around| about)?|${AT_ABOUT}|(?:shortly|soon|just) (?:before|after)) $`;
const EVENT_AT = new RegExp(String.raw`\b(?:${EVENTS})${TO_TIME}`, 'i');
/** "Shut after reports of a suspicious package at about 12:35": what came before the closure. */
export const AFTER_EVENT = new RegExp(
  String.raw`\b(?:after|following) (?:an?|reports?|concerns?|damage|two|three|several)\b(?:(?!\b(?:will|due|expected|should|next|updates?|arriv\w+|(?:re-?)?open\w*|lift\w*|start\w*|end\w*|finish\w*|resum\w*|reviews?|meeting|inspections?|service|departure|flight|match|concert)\b)[^.;]){2,60}\b${AT_ABOUT} $`,
  'i',
);
const STARTS = /\b(?:starting|beginning|commencing|from) (?:on )?(?:\p{L}+ )?\d/iu;
export const IS_PAST =
  /\b(?:has|have|had|was|were|been) (?:[\w ]{0,12} )?(?:closed|shut|blocked|running|affected|disrupted|suspended)\b|\bbegan\b|\bstarted\b/i;

/** The minutes of the day for a time; null when it is not one, or not about the subject of the text. */
function minutesOf(text: string, at: number, { said, after, written }: Context): number | null {
  const before = said.slice(Math.max(0, at - 30), at);
  const clock = text.toLowerCase().replace(/[\s.](?=[ap]\.?m)|(?<=[ap])\.|(?<=m)\.$|\s/g, '');
  if (/midnight/.test(clock)) return 24 * 60;
  if (/noon|midday/.test(clock)) return 12 * 60;
  if (/£|\bv$/i.test(before.slice(-1)) || (OF_THE.test(before) && OF_SERVICE.test(after))) return null;
  if (/^\d{4}$/.test(clock) && !isBareClock(clock, before, after)) return null;
  const [, hours, minutes = '0', half = halfAhead(clock, after), zone] =
    /^(\d{1,2}?)[:.]?(\d{2})?(?::\d{2})?(am|pm)?(?:h(?:ou)?rs?)?(z)?$/.exec(clock) ?? [];
  let hour = Number(hours);
  if (!half && (BY_NIGHT.test(said) ? isEvening(clock, after) : isAfternoon(clock, before))) hour += 12;
  const minute = Number(minutes);
  if (half) {
    if (hour < 1 || hour > 12) return null;
    hour = (hour % 12) + (half === 'pm' ? 12 : 0);
  }
  const now = Date.parse(written);
  const ahead = zone ? (now - fromLondonClock(now)) / 60_000 : 0;
  return hour <= 24 && minute <= 59 && (hour < 24 || minute === 0) ? hour * 60 + minute + ahead : null;
}

const BY_NIGHT = /\b(?:tonight|nightly|(?:over)?nights?(?:-?time)?(?! (?:bus|train|tube|service)))\b/i;
/** "Between the hours of 9.30 and 3.30" */
const isAfternoon = (clock: string, before: string) =>
  /^[1-6][:.]\d\d$/.test(clock) &&
  /(?<![\d:.])(?:[7-9]|1[01])[:.]\d\d ?(?:-|–|to|and|until|till) ?$/.test(before);
/** "Overnight from 10.30 to 5.30" */
const isEvening = (clock: string, after: string) =>
  /^(?:[7-9]|1[01])[:.]\d\d$/.test(clock) &&
  /^ ?(?:-|–|to|and|until|till) ?[1-6][:.]\d\d(?! ?pm)\b/i.test(after);

/** "3.20 this afternoon". "Between 6 and 8pm": the first time is in the same half of the day as the second, unless it
 *  is larger. */
function halfAhead(clock: string, after: string): string | undefined {
  if (/^[1-9][:.]/.test(clock) && /^ (?:this |in the )(?:afternoon|evening)\b/i.test(after)) return 'pm';
  const [, hour, half] =
    /^ ?(?:-|–|to|and|until|till?) ?(\d{1,2})(?:[:.]\d{2})? ?([ap]m)\b/i.exec(after) ?? [];
  if (!half || !/^\d{1,2}(?:[:.]\d{2})?$/.test(clock) || Number.parseInt(clock) > 12) return undefined;
  const isLater = Number.parseInt(clock) % 12 > Number(hour) % 12;
  return isLater ? (half.toLowerCase() === 'pm' ? 'am' : 'pm') : half.toLowerCase();
}

/** The calendar day of each match, or null; null for all if one is impossible. */
function datesOf(matches: readonly NamedMatch[], today: string): (string | null)[] | null {
  const whole = matches.map(({ groups }) =>
    groups.date ? (dayOfGroups(groups, today) ?? (groups.d4 ? null : 'none')) : null,
  );
  if (whole.includes('none')) return null;
  // "Saturday 28 and Sunday 29 November": a day without a month takes that of the next day that has one.
  return matches.map(({ groups }, index) => {
    const dom = groups.dom2 ?? groups.dom3 ?? groups.dom4 ?? groups.dom5 ?? groups.dom6;
    if (!dom) return whole[index] ?? null;
    const later = whole.slice(index).find((day) => day !== null);
    const earlier = whole.slice(0, index).findLast((day) => day !== null);
    const near = later ?? earlier ?? today;
    const named = groups.dom2 && !later && !earlier ? onNamedDay(groups.half!, Number(dom), today) : null;
    if (named) return named;
    const isBefore = later !== undefined && Number(dom) > Number(later.slice(8));
    const isAfter = later === undefined && Number(dom) < Number(near.slice(8)) - (earlier ? 0 : AGO_MAX);
    const month = plus(`${near.slice(0, 8)}15`, isBefore ? -30 : isAfter ? 30 : 0);
    const day = `${month.slice(0, 8)}${dom.padStart(2, '0')}`;
    return Number.isNaN(Date.parse(day)) ? null : day;
  });
}

/** "Friday 20th": the nearest day of which both are true; null if there is none. */
function onNamedDay(said: string, dom: number, today: string): string | null {
  const weekday = weekdayNamed(said);
  return (
    [0, 1, -1]
      .map(
        (months) =>
          `${plus(`${today.slice(0, 8)}15`, months * 30).slice(0, 8)}${String(dom).padStart(2, '0')}`,
      )
      .find((day) => !Number.isNaN(Date.parse(day)) && weekdayOf(day) === weekday) ?? null
  );
}

/** "On the 23rd" is in this month if it was so few days ago. */
const AGO_MAX = 3;

function dayOfGroups(groups: Groups, today: string): string | null {
  if (groups.iso) return groups.iso;
  const dom = Number(groups.dom ?? groups.domLater ?? groups.d2 ?? groups.d4);
  const name = groups.month ?? groups.month2;
  const month = name ? monthOf(name) - 1 : Number(groups.m2 ?? groups.m4) - 1;
  const year = groups.year ?? groups.year2 ?? groups.year3 ?? groups.y2;
  return calendarDay(dom, month, year ? Number(year.length === 2 ? `20${year}` : year) : null, today);
}

/** A date without a year is in the year in which it is nearest. Null for 31 November. */
function calendarDay(dom: number, month: number, year: number | null, today: string): string | null {
  const thisYear = Number(today.slice(0, 4));
  if (year !== null && Math.abs(year - thisYear) > 50) return null;
  const days = (year ? [year] : [thisYear - 1, thisYear, thisYear + 1]).flatMap((of) => {
    const date = new Date(Date.UTC(of, month, dom));
    return date.getUTCMonth() === month && date.getUTCDate() === dom ? date.toISOString().slice(0, 10) : [];
  });
  const away = (day: string) => Math.abs(Date.parse(day) - Date.parse(today));
  return days.sort((one, other) => away(one) - away(other))[0] ?? null;
}

const lastOfMonth = (first: string) => plus(`${plus(first, 32).slice(0, 8)}01`, -1);

/** The UTC time of so many minutes into a day in London. */
export const instantOf = (day: string, minutes: number): string | null =>
  toUtc(`${plus(day, Math.floor(minutes / 1440))}T${clockText(minutes % 1440)}`);

export const clockText = (minutes: number) => {
  const within = minutes % 1440;
  return `${String(Math.floor(within / 60)).padStart(2, '0')}:${String(within % 60).padStart(2, '0')}`;
};

export const plus = daysAfter;
export const weekdayOf = (day: string) => (new Date(`${day}T12:00:00Z`).getUTCDay() + 6) % 7;
