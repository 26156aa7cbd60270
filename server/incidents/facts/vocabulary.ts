/** Words by which an effect, a cause or an instruction is recognised. Patterns are tried at the starts of words, on a
 *  text of limited length. */

const NUMBER = String.raw`(?:\d{1,3}|one|two|three|four|all|both|some|most|several|many|a)`;
const NUMBERS = String.raw`[a-z]?\d{1,3}[a-z]?(?:, [a-z]?\d{1,3}[a-z]?){0,8}(?:,? (?:and|to|&) [a-z]?\d{1,3}[a-z]?)?`;

/** Things that something happens to, with their article and number. */
const SUBJECT = [
  String.raw`(?:\d{1,2}|one|two|three) of (?:\d{1,2}|two|three|four|five) lanes`,
  String.raw`lanes? ${NUMBERS}`,
  String.raw`(?:services?|routes?) ${NUMBERS}`,
  String.raw`bus(?:es)? ${NUMBERS}`,
  String.raw`(?:${NUMBER} |the )?(?:other |nearside |offside |outside |inside |middle |main )?lanes?`,
  String.raw`(?:the |all |some |many |${NUMBER} )?(?:main )?(?:roads?|carriageways?|streets?)`,
  String.raw`(?:the |all |some |one of two |${NUMBER} )?(?:railway |train |tube |metro |tram |branch )?lines?`,
  String.raw`(?:the )?(?:exit |entry |on[- ]?|off[- ]?)?slip(?: ?roads?)?`,
  String.raw`(?:the )?(?:railway|railway tracks?|tracks?|hard shoulder|motorway|exit|entry|runway|airspace|promenade)`,
  String.raw`(?:the )?(?:railway|train|tube|underground|bus|coach|metro|tram) stations?`,
  String.raw`(?:the )?(?:east|west|north|south)(?:ern)? (?:tunnel|bridge|tube|carriageway)`,
  String.raw`(?:the )?(?:stations?|airport|terminals?|bridge|tunnel|level crossing|roundabout|junction|platforms?|ferry terminal)`,
  String.raw`(?:the |all |some |most |many |${NUMBER} )?(?:train |rail |bus |coach |tube |tram |ferry |metro )?(?:services?|trains|buses|coaches|trams|flights|ferries|sailings|journeys?|departures|arrivals|stops|vehicles|traffic|motorists|drivers)`,
  String.raw`departures and arrivals|arrivals and departures|trams and buses|buses and trams|trains and buses|(?:the )?area|some|others|flats|homes|houses|shops|residents|properties|buildings?`,
].join('|');

const BEING = String.raw`(?:(?:is|are|was|were|has been|have been|has|have|had to be|will be|may be|might be|could be|can be|remains?|stays?|being|to be|must be) )?(?:(?:now|still|also|partly|partially|fully|completely|currently|temporarily|subject to being|not|again|all|being|badly|severely|expected to be|forced to) ){0,3}`;

const STATE = [
  String.raw`closed to (?!hold|allow|let|protect|remove|repair|recover|clear|carry|make)(?:[a-z-]+ ){0,9}(?:vehicles|traffic|buses|lorries|caravans|motorcycles|pedestrians|cyclists)`,
  String.raw`(?:partly |partially )?(?:closed|blocked|shut|suspended|cancelled|diverted|evacuated|restricted|flooded|re-?opened|impassable|disrupted|amended|revised|halted|stopped|stationary|held|moved|grounded|withdrawn|obstructed|unavailable|stranded|curtailed|withdrawn|terminated|unable to call)`,
  String.raw`(?:partly |partially )?open(?: again| as normal)?`,
  String.raw`delayed(?: by (?:up to |about |around |over |at least )?(?:\d{1,3}(?:(?: to |-)\d{1,3})? ?min(?:ute)?s?|an hour|half an hour|\d hours?))?`,
  String.raw`(?:up to |about |around )?\d{1,3} min(?:ute)?s late`,
  String.raw`passable with (?:care|extreme caution)`,
  String.raw`not (?:running|served|in use|stopping|calling|working)`,
  String.raw`running (?:again|late|slowly|at reduced speed|a reduced service|to a revised timetable|as normal|normally)`,
  String.raw`run again`,
  String.raw`queuing|queueing|slow|very slow|slow[- ]moving|moving slowly`,
  String.raw`under water`,
  String.raw`out of (?:use|order|service|action)`,
  String.raw`starts? and ends? at [\p{Lu}][^,;:.]{1,50}`,
].join('|');

const BESIDES = String.raw`(?: both ways)?(?: overnight| at night| in places| on (?:\w+ )?(?:weekdays|weekends|nights))?`;

const DEGREE = String.raw`(?:(?:very|severe|severely|minor|major|long|residual|heavy|slight|short|serious|significant|further|more|train|rail|bus|flight|tube|travel|traffic|some|possible|lengthy) ){0,4}`;

const AMOUNT = String.raw`(?: of (?:up to |about |around |approximately |over |more than |at least )?(?:\d{1,3}(?:(?: to |-)\d{1,3})? ?min(?:ute)?s?|an hour|half an hour|\d (?:hours?|miles?)|\d{1,2} miles?))?`;

const NOUN = [
  String.raw`${DEGREE}(?:\d{1,3}[- ]min(?:ute)?s? )?delays?${AMOUNT}(?: (?:and|or) (?:alterations|cancellations|disruption))?(?: to (?:all )?(?:trains|train services|services|journeys|traffic|buses(?: ${NUMBERS})?))?(?: on some routes)?(?: remain| continue| persist| expected| likely| possible| will last a while)?`,
  String.raw`${DEGREE}(?:disruption|queues?|queuing traffic|queueing traffic|congestion|cancellations?|alterations|tailbacks?|traffic held|stationary traffic|slow traffic|abnormal traffic)${AMOUNT}(?: on some routes)?(?: remain)?`,
  String.raw`(?:24[- ]hour )?(?:static |full |total |partial |overnight |various |multiple )?(?:lanes? ${NUMBERS} |lane |hard shoulder |bus stop |stop |road |carriageway |line |part |planned |station |bridge |tunnel |airport )?closures?`,
  String.raw`(?:no|few|fewer|limited|reduced|amended|special) (?:train |bus |tram |ferry |tube )?(?:services?|trains|buses|flights|ferries|trams|sailings|timetable)`,
  String.raw`no step[- ]free access(?: to [^,;:.]{1,40})?|exit only`,
  String.raw`(?:replacement )?bus(?:es)? (?:service|services|replace|replaces|replacing)(?: trains| trams| ferries| them)?(?: operates?| operating| in operation)?`,
  String.raw`(?:rail )?replacement buses|buses replace trains|bus service`,
  String.raw`an? (?:amended|reduced|revised|limited|special|emergency) (?:service|timetable)(?: is in operation| applies| is running| operates)?`,
  String.raw`(?:part|fully) suspended|suspension|diverted|not running|service closed|change of frequency`,
  String.raw`(?:temporary |single file )?(?:traffic (?:lights|signals|control)|convoy working|contraflow|stop[/-]go boards|lane restrictions?|narrow lanes|speed restrictions?|restrictions?|weight restrictions?)(?: in (?:place|force|operation))?`,
  String.raw`(?:temporary |a )?\d{1,2} ?mph (?:speed )?(?:limit|restriction)(?: in (?:place|force))?`,
  String.raw`(?:trains |services |they )?may be (?:cancelled|delayed|revised|diverted)(?: or (?:up to \d{1,3} minutes late|cancelled|delayed|revised|diverted))?`,
  String.raw`(?:an? )?(?:police )?cordons?(?: (?:is |are )?in place)?|major incident declared`,
  String.raw`(?:changes|alterations) to (?:trains|services|train times)|(?:(?:services?|bus|buses|route) ${NUMBERS} )?diversions?(?! (?:in|is|are|route|by|via))`,
  String.raw`reduced speed|one way working|single lane|services? (?:is |are )?running (?:again|normally)`,
  String.raw`(?:severe )?flood (?:warning|alert)s?`,
  String.raw`to strike|strike|(?:industrial|strike) action`,
].join('|');

/** A pattern that is tried only at the starts of words, which is quicker than at each letter. */
export const atWord = (source: string, flags = '') =>
  new RegExp(String.raw`(?<![\p{L}\p{N}'’])(?=[\p{L}\p{N}])(?:${source})`, `iu${flags}`);

const WORD_END = String.raw`(?![\p{L}\p{N}])`;
const effect = (source: string) => atWord(`(?:${source})${WORD_END}`);

/** The longest form comes first: one with its subject says more. */
export const EFFECTS: readonly RegExp[] = [
  effect(String.raw`(?:${SUBJECT}) (?:${BEING})(?:${STATE})${BESIDES}`),
  effect(String.raw`(?:${NOUN})${BESIDES}`),
  effect(String.raw`${BEING}(?:${STATE})${BESIDES}`),
  effect(String.raw`reopens|re-opens|closes`),
];

/** "Railway line at Todmorden blocked": the subject belongs to the effect. */
export const SUBJECT_FIRST = new RegExp(`^(?:${SUBJECT})${WORD_END}`, 'iu');

/** Effects, strongest first; rule 8 of shortening. The index is the rank. */
const STRENGTH: readonly RegExp[] = [
  /^(?!.*\b(?:re-?open|partly|lanes?\b(?! closed both)|exit|stops?\b|closed to\b)).*\bclos(?:ed|es|ures?)\b|\bshut\b|\bevacuated\b|\bgrounded\b/i,
  /\bblocked\b|\bimpassable\b|\bobstructed\b/i,
  /\bno (?:trains|service|train service|buses|flights|ferries|trams|sailings)\b|\bsuspend|\bnot running\b|\bhalted\b/i,
  /\bflood warning\b|\bflood alert\b|\bflooded\b|\bunder water\b/i,
  /\bclosed\b|\bclosure|\blanes? .*\b(?:blocked|restricted)\b/i,
  /\breopen|\bopen again\b|\brun(?:ning)? again\b/i,
  /\bbus(?:es)? (?:service|replace)|\breplacement\b|\bcancel|\bdiverted\b/i,
  /\d min|\bhours?\b|\bdelay/i,
];

export function strength(effect: string): number {
  const rank = STRENGTH.findIndex((words) => words.test(effect));
  return rank === -1 ? STRENGTH.length : rank;
}

const CAUSE_NOUN = [
  String.raw`accidents?|collisions?|crash(?:es)?|pile-?up|breakdowns?|rtc|incidents?|emergenc(?:y|ies)|investigation`,
  String.raw`(?:broken[- ]down|overturned|jack-?knifed|shed load|stranded|abandoned|stalled|burning|faulty|defective|disabled) ?(?:vehicles?|lorr(?:y|ies)|hgv|car|cars|van|vans|bus|coach|train|trains|tanker|caravan|trailer|tram)?`,
  String.raw`(?:vehicles?|lorr(?:y|ies)|hgv|cars?|vans?|bus|coach|train|tanker|caravan|trailer)(?: fires?| on (?:its|their) sides?| recovery)`,
  String.raw`fires?|flood(?:s|ing|ed road)?|standing water|surface water|high water|spillages?|spills?|(?:oil|fuel|diesel|chemical) spill(?:age)?|debris|objects?|obstructions?|shed load`,
  String.raw`trees?(?: down)?|branch(?:es)?|animals?|cattle|sheep|horses?|deer|swans?|land ?slips?|landslides?|rockfall|subsidence|sinkhole|avalanche`,
  String.raw`(?:[a-z]+ )?(?:winds?|gales?|gusts|storms?|snow|ice|fog|heat|rain|rainfall|lightning|weather|thunderstorms?|temperatures|frost|visibility|tides?|waves?)`,
  String.raw`(?:signal|signalling|points?|power|power supply|track|train|equipment|electrical|overhead(?: electric)? (?:wires?|line)|level crossing|computer|it|system|infrastructure)(?: system)? (?:failures?|faults?|problems?|damage|defects?)`,
  String.raw`broken rail|faults?|damage|trespass(?:ers?|ing)?|casualty|vandalism|cable theft|theft`,
  String.raw`person hit by a train|person on the (?:line|track)|customer incident|police incident|medical emergency|emergency services`,
  String.raw`shortage(?: of)?|staff (?:shortage|absence|sickness)|crew|strikes?|industrial action|train cancellations|late running`,
  String.raw`security alert|suspicious (?:item|package|vehicle)|unattended (?:bag|item)|bomb|unexploded`,
  String.raw`demonstrations?|protests?|processions?|march(?:es)?|parade|match traffic|football|concert|marathon|events?|festival|state visit`,
  String.raw`road ?works?|works?|working|engineering works?|repairs?|resurfacing|maintenance|construction|improvements?|inspections?|survey|upgrade|upgrading|replacement|renewals?`,
  String.raw`gas leaks?|leaks?|burst(?: water)?(?: main| pipe)?|water main|explosion|sinkhole|potholes?`,
  String.raw`congestion|volume of traffic|queues?|abnormal traffic|high volumes?|recovery|power cut|power loss|lock(?:ed)? closed|stabbing|shooting|assault|rescue|fallen`,
].join('|');

/** A cause without "due to": up to four words before a known noun, and the words after it. */
const CAUSE = new RegExp(
  String.raw`^(?:(?:an?|the) )?(?:[a-z'-]+ ){0,4}?(?:${CAUSE_NOUN})(?![\p{L}\p{N}])`,
  'iu',
);

export const isCause = (words: string) => CAUSE.test(words);

/** The known cause at the start of the words, up to its noun. */
export const causeAt = (words: string) => CAUSE.exec(words)?.[0] ?? null;

/** Words before a cause. Single words, except the first, need a known cause after them. */
export const BECAUSE = atWord(
  '(?:(?:due|owing|thanks) to|because of|caused by|as a result of|resulting from|following|after|on account of)(?: reports? of)? ',
);
export const PERHAPS_BECAUSE = atWord('(?:by|for|in|during|while|as|with|amid|ahead of|from) ', 'g');
export const PURPOSE =
  /^to (?:hold|allow|let|protect|remove|repair|recover|clear|carry|facilitate|make|enable) /i;

/**
 * Words that are not a place, effect or cause and are not needed in a title, because advice or a symbol repeats them.
 */
export const INSTRUCTION =
  /^(?:expect (?:some |long |severe |delays|disruption)|diversions? (?:is |are )?(?:in place|in operation|signed)|diversion route|please |motorists (?:are )?advised|approach with caution|use other routes|plan ahead|allow extra|avoid the area|traffic (?:is )?diverted|drivers are|tickets |advised|long delays expected|delays expected|delays (?:are )?(?:possible|likely))/i;

/** Words for the progress of an incident. They stay with the cause, and are left out first. */
export const PROGRESS =
  /^(?:recovery|emergency services|police|repairs?|clean-?up|investigation work|gritting)(?: (?:is|are|work|works))?(?: (?:under ?way|in progress|on scene|at scene|continues?|attending|in attendance))|^(?:recovery|repairs) (?:work )?continues?|^traffic (?:is )?(?:easing|building)|^winds? easing/i;

interface Match {
  at: number;
  end: number;
  said: string;
}

export function firstAt(words: string, pattern: RegExp): Match | null {
  const found = pattern.exec(words);
  return found && { at: found.index, end: found.index + found[0].length, said: found[0] };
}

// Times in words: ends, and days.

const CLOCK = /\d{1,2}[:.]\d{2}|\d{1,2} ?[ap]m\b|\d{4} ?hrs|\bnoon\b|\bmidday\b|\bmidnight\b/i;

const ENDS = atWord(
  String.raw`(?:(?:and |are |is )?(?:expected|likely|due) (?:to (?:last|continue|end|clear) )?|to last |lasting |(?:and )?will last )?(?:until|till|into|by (?=(?:about |around )?\d))\b`,
);
const DAYS = atWord(
  String.raw`(?:(?:starting |from |on )?(?:today|tomorrow|tonight|this (?:morning|afternoon|evening|week|weekend))|on (?:(?:\w+ )?(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days?)(?: (?:nights?|mornings?|evenings?))?(?: \d{1,2}(?: \w+)?)?|next (?:week|month|weekend|\w+day)|on (?:one|two|three|four|\d) (?:\w+ )?(?:nights|days|weekends|evenings)|on (?:weekdays|weekends|weeknights)|for (?:a )?(?:second|third|fourth) day|for (?:at least |about |up to |the next )?(?:one|two|three|four|several|\d{1,2}) (?:hours?|days?|weeks?|minutes)|(?:earlier|later) today)$`,
);

/** Takes off the end, and relative days, because "tomorrow" is wrong after midnight. */
export function withoutTime(given: string): { words: string; when: string | null; dropped: string | null } {
  let words = given;
  const whens: string[] = [];
  let dropped: string | null = null;
  const end = firstAt(words, ENDS);
  if (
    end &&
    (end.at > 0 ||
      CLOCK.test(words) ||
      /^(?:disruption )?(?:is )?expected/i.test(words) ||
      /^until/i.test(words))
  ) {
    const cause = firstAt(words.slice(end.at), BECAUSE)?.at ?? words.length;
    const until = words
      .slice(end.at, end.at + cause)
      .trim()
      .replace(/^.*?(?=\b(?:until|till|into|by)\b)/i, '')
      .replace(/^till/i, 'until');
    words = `${words.slice(0, end.at).trim()} ${words.slice(end.at + cause)}`.trim();
    if (CLOCK.test(until)) dropped = until;
    else whens.push(until);
  }
  for (let round = 0; round < 2; round++) {
    const day = firstAt(words, DAYS);
    if (!day) break;
    if (/\b(?:today|tomorrow|tonight|this (?:morning|afternoon|evening))$/i.test(day.said))
      dropped = [dropped, day.said].filter(Boolean).join(' ');
    else whens.unshift(day.said.replace(/^(?=(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day)/, 'on '));
    words = words.slice(0, day.at).trim();
  }
  return { words, when: whens.join(' ') || null, dropped };
}
