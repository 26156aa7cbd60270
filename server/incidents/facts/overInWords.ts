/** Whether a text says that its incident is over: what has ended, what still stands, and what is to come. */
import { everyMatch } from '../../geography/roads/everyMatch.ts';
import { areTwoWays, oppositeOf, ROAD, wayIn } from '../../geography/roads/reopenedCarriageway.ts';

const BEFORE = String.raw`(?:(?:now|all|also|since|already|just|then|finally|fully|completely|successfully|safely|both|partly|formally|officially) )*`;
/** Verbs of a hindrance that ended, or of a way that works again. "Cancelled" and "withdrawn" end only
 *  what hinders: a cancelled train is a disruption. */
export const OVER_VERBS = [
  String.raw`re-?opened(?! up)|(?<!\b(?:hole|sinkhole|crack|cracks) )opened(?! up| fire)`,
  'cleared|lifted(?! from the (?:carriageway|road))|resolved|removed|repaired|rectified|restored|fixed|mended|recovered|refloated|released|extinguished',
  'put (?:right|out)|stood down|rounded up|sawn up|cut up|dealt with|handed back|declared (?:safe|clear)',
  String.raw`(?<=\b(?:temporary|works?|(?<!traffic )lights)\b[^.;]{0,60})(?:switched|turned) off`,
  'taken (?:away|down)|towed(?: away)?|dispersed',
  String.raw`(?<!\b(?:works?|roadworks|action|strikes?) (?:have |has |are )?)(?:re-?started|resumed)`,
  '(?:began|begun|started|starting) (?:\\w+ ){0,3}again|(?:running|moving|flying|working|flowing) again',
].join('|');
const HINDRANCES =
  'warnings?|alerts?|closures?|works?|roadworks|repairs|strikes?|restrictions?|bans?|limit|diversions?|suspension|cordons?|disruption|alarm|incident|contraflow|convoys?';
const ENDINGS =
  'cancelled|withdrawn|revoked|called off|expired|ended|finished|concluded|complete[d]?|over|off';

const RUNS = 'again|normally|as (?:normal|usual)|freely|well|on time|to (?:time|timetable)|smoothly|in both';
const WAY = String.raw`(?:is|are|was|were|now|fully|again|back|roads?|lanes|bridge|line|lines|carriageways?|directions|ways|gates|decks|tunnel|crossing|runway|slip|'s|’s|M\d+|A\d+)`;
/** Words that something is over now. */
const OVER = new RegExp(
  [
    String.raw`\b${BEFORE}(?:${OVER_VERBS})\b`,
    String.raw`(?<=\b(?:${HINDRANCES})\b[^.;]{0,100})\b(?:${ENDINGS})(?=[ .,!:]|$)(?! (?:\d|until|due|by|the)\b)`,
    String.raw`\b(?:cancelled|withdrawn|called off) (?:the|its|our|a|this|that) (?:\S+ ){0,3}(?:${HINDRANCES})\b`,
    String.raw`\b(?:power|lights|signals) (?:is|are) (?:all |now )?(?:back )?on(?=[ .,]|$)`,
    String.raw`^(?:ended|over|clear)\b(?=:|$)`,
    String.raw`\bno longer (?!serv|stop|call|runn?|avail|able|possible|open|operat|ha[sd]\b|have\b)`,
    String.raw`(?:\b|(?<=['’]))${WAY} ${BEFORE}(?:back )?open\b`,
    String.raw`^open (?:now|again)\b|\bback open\b|\bon the move(?: again)?\b|\b(?:all|both) lanes (?:are )?(?:now )?available\b`,
    String.raw`\b(?:can|able to) (?:now )?(?:run|serve|use|call|stop) (?:\S+ ){0,4}?again\b`,
    String.raw`\bon (?:its |their |the )?(?:normal|usual) (?:line of )?route\b`,
    String.raw`\breopens(?: (?:in|at|near|to) \S+(?: \S+)?)? (?:after|following)\b`,
    String.raw`\b(?:running|operating|moving|flowing|working|travelling) (?:${RUNS})\b|\b(?:all|lanes|traffic|trains|everyone)(?: (?:is|are|now|both|all))* (?:running|moving|flowing)\b(?! (?:at(?! normal)|late|with|slow\w*|to an?|every|only|on(?! the)|under|around|an?|up to|very|behind|about|from|past|by|as far)\b)`,
    String.raw`\b(?:lanes|everything|traffic|conditions|service|services|trains|buses|it)(?: (?:is|are|has|have|all|now|returned))* (?:back )?(?:to )?normal\b`,
    String.raw`\breturn(?:ed|s) to (?:normal|service|timetable|use|(?:the|its|her|their) (?:\S+ )?(?:run|route))\b|(?:\b(?:is|are)|['’]re) (?:now |all )?back (?:on|along|via|through)\b(?! (?:strike|diversion|the hard))`,
    String.raw`(?<!\b(?:getting|slowly|gradually|queues|returning) )\bback (?:to (?:the |a |its |their )?(?:normal|usual|two-way|full)|on (?:its|their|her|the|normal|route|line|time)\b|in (?:full |normal )?(?:use|service|their|its)\b|up to speed)`,
    String.raw`\b(?:in use|accessible|available|serving \S+(?: \S+)?|serving (?:\S+ ){1,5}|along (?:\S+ ){1,4}) ?again\b`,
    String.raw`\b(?:good|normal) service\b(?! (?:expected|by|will|should|is expected|to))`,
    String.raw`(?<!\b(?:keep|stay|steer|remain|to|not|expected) )\b(?:is|are|now|again|all|roads?|traffic|lanes|scene) ${BEFORE}(?:all )?clear\b(?! (?:that|to)\b)`,
    String.raw`(?<!\b(?:everyone|everybody|people|residents|crews|gritters|ploughs|teams|engineers|officers|passengers) )\b(?:is|are) ${BEFORE}(?:over|out|complete|finished|gone)(?=[.,!]| and| for| early|$)`,
    String.raw`\b(?:has|have|had|now|van|car|lorry|queues|delays) ${BEFORE}gone(?! (?:past|up|down|over|by|into|off|on|to))\b`,
    String.raw`\b(?:is|are|been|was|were|has|have) (?:\S+ ){0,2}(?:off the (?:road|carriageway|motorway|tracks?|line)|out of the (?:way|water|ditch|road|lock))\b`,
    String.raw`\bno (?:further |more |longer any )?(?:delays?|flooding|disruption|queues)\b(?! to (?:other|the))`,
    String.raw`\b(?:is|are|road|route) ${BEFORE}passable again\b`,
  ].join('|'),
  'gi',
);

/** Words before those of an ending that is to come, or is not known: "will be", "once the lorry has been". */
const NOT_YET =
  /\b(?:will|shall|should|would|may|might|could|can|cannot|must|to|hope[sd]?|expect\w*|due|planned|aims?|wants?|needs?|not|never|\w+n['’]t|hardly|nearly|almost)(?: (?!and\b|but\b|has\b|is\b|are\b)\S+){0,2}(?: (?:be|have|have been|being|been))?\s*$|\b(?:be|being)(?: \w+ly)?\s*$|\b(?:once|when|until|till|unless|if|whether|before|as soon as|check that|after|that|while|as)\b(?: (?!and\b|but\b|has\b|have\b|is\b|are\b|was\b|were\b|had\b)[^\s,;.]+){0,7}(?: (?:has|have|is|are|was|were|had))?(?: been)?(?: (?:now|fully|safely))*\s*$/i;
/** Subjects that are only a part, or another thing than what was hindered. */
const OF_PART =
  /(?<!\bthe only )\b(?:other|one(?! of the| way)|two|three|a single|some|few|inside|outside|middle|nearside|offside|inner|hard shoulder|a section|half|part|first phase|second phase) (?:lanes?|cordon|of(?: the)?)?\b(?:(?!\band\b|,)[^.;]){0,25}$|\blanes? (?:\d|one|two|three)(?:(?: ?[+&,] ?| and | to )\d)*\b(?:(?!,)[^.;]){0,25}$|\b(?:bus stops?|stops|footbridge|footpath|pavement|(?:road )?surface|replacement (?:bus(?:es)?|services?)|trapped \w+|stranded traffic|(?:strike|industrial) action)(?: (?:on|at) \S+(?: \S+)?)?(?: (?:is|are|was|were|has|have|had|been|also|now|remains?|be|which))*\s*$/i;
const ONLY_PART =
  /^(?:[^.;,]{0,30} )?(?:until|till|from(?= \d)|by(?= \d)|tomorrow|tonight|each|every|daily|nightly)\b|^(?: \S+){0,4}? (?:only|past the scene|(?:on|in|to|by) (?:one|a single) (?:lane|direction)|on (?:the rest|other|all other)|to (?:residents|emergency|local|buses|access|cars|light)|on (?:the \w+(?:bound|wise) (?:side|carriageway)|phase \w+)|the road to|for (?:access|local)|by day|during the day|(?:at|on) (?:weekends|weekdays|nights?)|at (?:all )?other times|as far as|until further)\b|^ (?:lanes? (?:\d|one|two)|one|some|a|two lanes|people|between \S+ and \S+ only)\b|^ (?:to (?:allow|let|enable)|for (?:works?|repairs?|maintenance|inspection))\b/i;
/** "Shops are open" ends nothing. */
const OF_OTHERS =
  /\b(?:shops?|services|business\w*|traders|car parks?|access|diversion(?: route)?|centres?|halls?|offices?)(?: (?:is|are|has|have|also|now|remains?))*\s*$/i;
const OPENS = /open|clear/i;

const SHUT =
  'closed|shut|blocked|suspended|impassable|sealed off|taped off|out of (?:use|service|order|action)';
/** Words that it goes on. */
const GOES_ON = new RegExp(
  [
    String.raw`\b(?:remain(?:s|ing)?|stay(?:s|ing)?|still|continues?(?: to be)?) (?:\w+ ){0,2}(?:${SHUT}|diverted|held|in (?:place|force|effect|operation)|on diversion|restricted|stranded|underway|under way)\b|\b(?:is|are) (?:\w+ )?in (?:place|force)\b`,
    String.raw`(?<!\bincident )\b(?:is|are|has been|(?<!\bto )have been|has had to|have had to)(?! no longer) (?:(?!not\b|no\b)\w+ ){0,2}(?:${SHUT})\b`,
    String.raw`\b(?:(?:is|are|has|have) not(?: yet)?|\w+n['’]t(?: yet)?|not yet) (?:\w+ ){0,2}(?:open|opened|re-?opened|over|cleared|returned|resumed|been)\b`,
    String.raw`\b(?:the )?(?:\w+ )?lane has not\b|\bclosed again\b|\b(?:not stopping|not calling|do(?:es)? not (?:run|call|stop)|no trains|no service|no buses)\b`,
    String.raw`\b(?:being (?:repaired|inspected|recovered|checked|resurfaced|removed|cleared|fixed|treated)|repairing|resurfacing is|recovery continues|(?:now|still) needs?|working (?:on|to)|have (?:begun|restarted)|passable with)\b`,
    String.raw`\b(?:will|should|hope[sd]? to|expect(?:ed)? to|aims? to)(?: \w+){0,3}? (?:re-?open|open|lift|be (?:\w+ )?(?:open|re-?opened|lifted|removed|closed))\b`,
    String.raw`\b(?:replaced by an? (?:severe )?|upgraded|raised to|treacherous|temporary lights remain|in a contraflow|(?:only|still) (?:one|a single)|(?:stays|remains) (?:one[- ]way|single|down|reduced|narrow))\b`,
    String.raw`\bbefore (?:\S+ ){1,4}(?:can|is|are) (?:be )?(?:re-?)?open`,
  ].join('|'),
  'i',
);
/** "Closed" beside a place, without a tense. It counts after words of an ending, which it takes back. */
const IS_SHUT = new RegExp(
  String.raw`(?<!\b(?:was|were|been|being|had|having)\b[^.;,]{0,30})(?<!\b(?:no longer|which|that|after|keep windows|earlier|centres? ha(?:s|ve)) )\b(?:closed|shut|blocked|suspended|held|sealed|(?:sailings|crossings|flights|trains) off)\b(?!(?: \w+)? (?:the|both|one of|all|it|them|[ABM]\d)\b)(?![^.;\d]*(?<![ABJM])\d\S*(?: \w+)? ?(?:to|until|and|-|–) ?[\d\w])`,
  'gi',
);

/** Words that cancel something else: "strikes mean some trains are cancelled". */
const OTHERS =
  'means?|some|many|most|several|trains?|services?|bus(?:es)?|coach(?:es)?|trams?|flights?|sailings?|crossings?|ferr(?:y|ies)|departures?';
const PLANS = 'closures?|works?|roadworks|resurfacing|strikes?|restrictions?|events?|parade|procession';
/** "Tonight's closure has been cancelled". In "the parade is cancelled as the road is closed" a closure goes on. */
const CALLED_OFF = new RegExp(
  [
    String.raw`(?<!\b(?:because of|due to|owing to|during|for|following) (?:\w+ ){0,2})\b(?:${PLANS})\b(?:(?!\b(?:${OTHERS})\b)[^.;]){0,60}\b(?:(?:has|have|is|are|was|were) (?:now )?(?:been )?(?:cancelled|called off|abandoned)|called off|(?:will|are|is) not (?:now )?(?:be )?(?:go|going) ahead)\b(?![^.;]*(?<!\bnot (?:now )?be )\b(?:closed|shut|blocked)\b)`,
    String.raw`(?:(?:^|[.;] )(?:cancelled|called off):? (?:the )?|\b(?:cancelled|called off) the )(?:[\w'’]+ )?(?:closure|works|roadworks|strike)\b`,
  ].join('|'),
  'i',
);

/** Whether the words say that it will not take place. */
export const isCalledOff = (said: string): boolean => CALLED_OFF.test(said);

const STILL_ON = /(?<!\bnot (?:now )?)\b(?:go(?:es)?|going) ahead\b/i;
const BUT = /^.*?\b(?:called off|cancelled|abandoned),? (?:but|and|while) /i;
/** "Monday's strike is called off but Tuesday's will go ahead": the words of what goes ahead. */
export function goingAhead(said: string): string {
  const rest = said.replace(BUT, '');
  return rest !== said && STILL_ON.test(rest) ? rest : said;
}

/** Whether a plan that has its times in the words is off. "Friday's closure is cancelled; it will be on Monday instead"
 *  is a plan still. */
export function isOff(said: string): boolean {
  const off = said.split(/[.;,]/).filter(isCalledOff).join();
  // "Strike on Tuesday. Monday's strike has been called off": the other day's is on.
  const isOther = DAY.test(off) && said.match(DAYS)!.some((day) => !off.includes(day));
  return isCalledOff(said) && !isOther && !STILL_ON.test(said) && !IS_ON.test(said);
}
const DAY =
  /\b(?:(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|\d{1,2} (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)\w*)/;
const DAYS = new RegExp(DAY, 'g');
const IS_ON =
  /\binstead\b|\bwill (?:now )?(?:be (?:closed|shut|on)|take place|run|strike)\b|\bclosures? (?:is|are) (?:now )?(?:from|on|between)\b/i;

/** "The road was closed for two hours", "was shut between 6pm and 10pm": over, because nothing is said of now. */
const WAS_SHUT = new RegExp(
  String.raw`\b(?:was|were)(?: \w+)? (?:${SHUT})(?: \w+){0,3}? (?:for (?:[\w.]+ ){1,3}(?:hours?|minutes)|(?:from|between) \S+(?: \S+){0,3}? (?:to|and|until) )`,
  'i',
);
const SENTENCES = /(?<=\S)[.;!?|](?:\s+|$)/;
const CLAUSES =
  /(?<=\b(?:closed|shut|blocked|open|re-?opened|clear|cleared)\b[^.;,]{0,30}) and (?=(?:the )?(?:\w+bound|[\w-]+wise)\b)|:(?:\s+|$)|,\s|\s[-–—]\s|\s\/\/\s|(?=\b(?:but|while|although|though|whereas)\b)/i;
const READ_MAX = 1200;
const CLAUSE_MAX = 300;
/** The length of "M6" and of "open". */
const SHORTEST = 2;
/** The most characters before words of an ending that bear on them. */
const LEAD_MAX = 100;

/** Whether the words say that it is over, or will not take place. The service goes on listing an incident for as long
 *  as its source does. */
export const isOverByWords = (text: string, way?: string): boolean => stateOf(text, way) === 'over';

/** Whether it is over or goes on by its words, of which the last count; null: they say neither. `way`: the direction
 *  in the publisher's field. */
export function stateOf(text: string, way?: string): 'over' | 'on' | null {
  const read = text.slice(0, READ_MAX).replace(/\bonce (?:more|again)\b/gi, 'again');
  const said = read.includes('?') ? read.replace(QUESTION, ' ') : read;
  if (isCalledOff(said)) return isOff(said) ? 'over' : 'on';
  if (GOES_ON.test(said)) return 'on';
  let state: 'over' | 'on' | null = WAS_SHUT.test(said) ? 'over' : null;
  let troubles: Subject[] = [];
  let opened = NOBODY;
  /** Named since the last clause with a state: "A1 northbound: closed". */
  let named = NOBODY;
  /** The subject of the last trouble in the same sentence: "The northbound, closed for an air ambulance, has reopened". */
  let before = NOBODY;
  /** "Buses are back in Shrewsbury. In Telford, buses are diverted" */
  let isElsewhere = false;
  for (const { clause, isFirst } of said.split(SENTENCES).flatMap(clausesOf)) {
    if (clause.trim().length < SHORTEST) continue;
    const read = clause.slice(0, CLAUSE_MAX);
    if (isFirst) [before, isElsewhere] = [NOBODY, /^In \p{Lu}/u.test(read)];
    named = joined(named, subjectOf(read));
    const ends = everyMatch(read, OVER).findLast(({ 0: words, index }) => {
      const lead = read.slice(Math.max(0, index - LEAD_MAX), index);
      return !(
        NOT_YET.test(lead) ||
        OF_PART.test(lead) ||
        (OPENS.test(words) && OF_OTHERS.test(lead)) ||
        ONLY_PART.test(read.slice(index + words.length))
      );
    });
    // "The M62 has reopened after a crash closed lanes"
    const isHistory = state === 'over' && !isFirst && CLOSED_SINCE.test(read);
    const shut = everyMatch(read, IS_SHUT).findLast(
      ({ index }) =>
        !isHistory && (!ends || index < ends.index || !CAUSE.test(read.slice(ends.index, index))),
    );
    if (ends && (!shut || shut.index < ends.index)) {
      opened = joined(before, named);
      // "Bridge shut by wind, tunnel is open": another way. "Lorry removed. Two-hour queues": a part.
      const isLess: boolean =
        (IS_OPEN.test(ends[0]) && troubles.length > 0 && !/\d[:.]\d\d/.test(read)) ||
        (!OF_WAY.test(ends[0]) && HELD_UP.test(said));
      if (!isLess) troubles = troubles.flatMap((trouble) => leftOf(trouble, opened));
      state = isLess || troubles.length > 0 ? 'on' : 'over';
      named = NOBODY;
    } else if (shut || TROUBLE.test(read)) {
      if (shut || (state === 'over' && (isElsewhere || isAnother(opened, named)))) state = 'on';
      const trouble = joined(troubles.at(-1) ?? NOBODY, named);
      // "M6 closed at J10. The southbound carriageway has reopened": the other one is still closed.
      before = { ...trouble, way: trouble.way ?? way ?? (shut ? 'both' : null) };
      troubles.push(before);
      named = NOBODY;
    }
  }
  return state;
}

/** "Reopened: A6 (closed since 23:40)" */
const CLOSED_SINCE = /(?:^|\()\s*(?:closed|shut|blocked) since\b/i;

const clausesOf = (sentence: string) =>
  sentence.split(CLAUSES).map((clause, at) => ({ clause, isFirst: at === 0 }));

/** The cause of an ending, up to the next statement: "after a crash closed lanes". */
const CAUSE = /\b(?:after|following)\b(?:(?!\b(?:and|with|as)\b)[^.;]){0,80}$/i;

/** A clause is about roads, routes of buses, a direction ("N", "to Hull"), a place or junction, or a part of the road. */
interface Subject {
  roads: readonly string[];
  way: string | null;
  place: string | null;
  part: 'exit' | 'entry' | 'slip' | 'main' | 'other' | null;
}
const NOBODY: Subject = { roads: [], way: null, place: null, part: null };

const ROUTE = /\b(?:bus(?:es)?|routes?|services?) (?:[A-Z]?\d{1,3}[A-Z]?\b(?: and | & )?)+/gi;
/** Roads that say where on another road it is. */
const LIMITS =
  /\b(?:between|from|at|near|with|to|via|towards|by) (?:the |its |junction with )*[ABM]\d+(?:\(M\))?(?: \p{Lu}\p{Ll}+)?(?:(?:,| and| to)(?: the)? [ABM]\d+(?:\(M\))?)?(?![\w(]|,? which)/gu;
/** A town or county behind "in" is around the place, and none besides it. */
const AT =
  /\b(?:junction |J)(\d+\w?)|\bat (?:the )?(\p{Lu}\p{Ll}+)|\b(\p{Lu}\p{Ll}+) (?:Tunnel|Bridge|Pass|Crossing)\b/u;
const PART =
  /\b(?:(exit|off[- ]?slip)|(entry|on[- ]?slip)|(slip)|(main ?line|main carriageway)|itself|others?(?! (?:carriageway|direction|side|way|restrictions|closures)))\b/i;

function subjectOf(clause: string): Subject {
  const routes = everyMatch(clause, ROUTE).flatMap(([all]) => all.match(/[A-Z]?\d+[A-Z]?/gi) ?? []);
  const [, junction, town, structure] = AT.exec(clause) ?? [];
  const [part, exit, entry, slip, main] = PART.exec(clause) ?? [];
  return {
    roads: [
      ...(clause.replace(LIMITS, ' ').match(ROAD) ?? []).map((road) => road.replace('(M)', '')),
      ...routes,
    ],
    way: wayIn(clause),
    place: junction ?? town ?? structure ?? null,
    part: exit ? 'exit' : entry ? 'entry' : slip ? 'slip' : main ? 'main' : part ? 'other' : null,
  };
}

/** The subject of words that go on after others. */
const joined = (one: Subject, next: Subject): Subject => ({
  roads: next.roads.length > 0 ? next.roads : one.roads,
  way: next.way ?? one.way,
  place: next.place ?? one.place,
  part: next.part ?? one.part,
});

/** The rest of a trouble when something has opened. */
function leftOf(trouble: Subject, opened: Subject): Subject[] {
  if (isAnother(opened, trouble)) return [trouble];
  return trouble.way === 'both' && opened.way !== null && opened.way !== 'both'
    ? [{ ...trouble, way: oppositeOf(opened.way) ?? null }]
    : [];
}

/** Whether the one can be open while the other is not. */
const isAnother = (opened: Subject, trouble: Subject): boolean =>
  opened.part === 'other' ||
  (opened.roads.length > 0 &&
    trouble.roads.length > 0 &&
    !opened.roads.some((road) => trouble.roads.includes(road))) ||
  (opened.part !== null && !isOfPart(opened.part, trouble.part ?? 'main')) ||
  (opened.way !== null && trouble.way !== null && areTwoWays(opened.way, trouble.way)) ||
  (opened.place !== null && trouble.place !== null && opened.place !== trouble.place);

/** "The slip road is closed. The exit slip is open": the same one. */
const isOfPart = (one: Subject['part'], other: Subject['part']): boolean =>
  one === other || (one !== 'main' && other !== 'main' && (one === 'slip' || other === 'slip'));

/** Words for what hinders traffic now, and not for the cause of another thing or for what was before. */
const TROUBLE =
  /(?<!\b(?:after|following|earlier|previous|despite|no|any)\b[^.;,]{0,40})\b(?:queu(?:es?|ing)|delays|slow|congest\w*|heavy traffic|crash|collision|accident|fire|smoke|breakdown|broken down|incident|divert(?:ed|ing)|on diversion|cancelled|restricted|stuck|police (?:are )?(?:on|at)|(?:have|has) (?:now )?(?:closed|shut) the|(?:was|were) (?:closed|shut|blocked)(?! earlier)|(?:closed|shut|blocked) (?:on|at|in|both (?:directions|ways)|between (?:the )?[ABMJ]\d+)|lanes? (?:\d |one )?(?:closed|shut|blocked))\b/i;

/** A question says nothing. */
const QUESTION = /[^.;:?!]{0,100}\?/g;
const IS_OPEN = /^(?:(?:is|are|lanes|roads?|[AM]\d+) )?open$/i;
const OF_WAY = /open|normal|runn|flow|\bmov|back/i;
/** Words that traffic is held up, whatever part of it has ended. */
const HELD_UP =
  /\b(?:long|heavy|severe|lengthy|major|hour|mile) (?:delays|queues)\b|(?<=[\w-])-(?:hour|mile) (?:delays|queues|tailbacks?)\b|\bqueues of\b|\b(?:another|a new|a second) (?:crash|collision|accident|incident|breakdown|fire)\b/i;

const AT_LAST =
  /^(?:(?!\b(?:due|expected|should|will|next|by|until|till|for|since|after|following|closed|shut|blocked)\b)[^.;,]){0,40}\b(?:at|as of|from|since)(?: about| around| approximately| just (?:before|after)| shortly (?:before|after))? $/i;
const IS_TO_COME = /\b(?:will|shall|should|to)(?: \w+)?(?: be)? $/i;

/** Endings of a part: the road may be shut for longer than the fire burns. */
const PART_ENDS =
  /(?:recovered|removed|repaired|released|extinguished|put out|stood down|rounded up|sawn up|cut up|dealt with|taken away|towed(?: away)?|dispersed|refloated|gone|out)$/i;

/** Whether a time between these words is that of an ending: "was switched off at", "will be lifted at". */
export function endingBy(lead: string, tail: string): 'reopened' | 'to' | null {
  if (!/\b(?:at|as of|from|since)\b[a-z ]{0,20}$/i.test(lead)) return null;
  const ends = everyMatch(lead, OVER).at(-1);
  if (!ends || !AT_LAST.test(lead.slice(ends.index + ends[0].length))) return null;
  const before = lead.slice(0, ends.index);
  if (PART_ENDS.test(ends[0]) && !isOverByWords(tail)) return null;
  if (IS_TO_COME.test(before)) return 'to';
  return NOT_YET.test(before) || OF_PART.test(before) ? null : 'reopened';
}
