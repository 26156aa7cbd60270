/** The closed parts of a road in words, and the slip road that they name. */
import type { Closed, Slip } from '#contract/incidents/facts.ts';
import { everyMatch } from './everyMatch.ts';
import { NOT_OPENED } from './reopenedCarriageway.ts';

const CLOSED = String.raw`(?:closed|shut|blocked|coned(?: off)?|restricted|obstructed|out of use|ar gau|ar ?gau|d[ùu]inte|affected)`;
const COUNT = String.raw`(?:\d|one|two|three|four|un|dwy|some|several|most|outside|inside|nearside|offside|middle|inner|outer|left|right|(?:left|right)[- ]hand|single|bus|overtaking|fast|slow)`;

const OPEN_AGAIN =
  /\b(?:re-?open(?:s|ed|ing)?|closures?\b[^.;]{0,60}\blifted|fully open|all lanes (?:are |now |have )*(?:re-?)?open(?:ed)?|now open|lanes? (?:has|have) (?:now )?re-?opened|(?:now |been |has |fully )cleared|(?:now|has|have|had) (?:now )?been released|(?:closure|restriction|diversion)s? (?:has been |have been |now )?(?:lifted|removed)|(?:restriction|closure)s? lifted|ailagor|wedi ailagor|now clear)\b/i;
const STILL =
  /\b(?:still|remains?|stays?|remained) (?:fully |partially )?(?:closed|shut|blocked|coned)|(?<!\bafter (?:being|having been|(?:it|they) (?:was|were)) )\b(?:closed|shut|blocked) (?:once )?again\b/i;

const LANES_SOURCE = [
  String.raw`\blanes? (?:\d|one|two|three|four)(?:(?:,| and| ?&| to|-| ?\/) ?(?:\d|one|two|three|four))*(?: \(?of \(?(?:\d|two|three|four|five)\)?)?(?: and (?:the )?hard shoulder)?,? (?:is |are |was |were |has been |have been |now |currently |being |also |still |remains? |will be )*${CLOSED}`,
  String.raw`\b(?:${COUNT})(?: out)?(?: of (?:the )?(?:\d|two|three|four|five))?(?: (?:north|south|east|west)bound)? (?:lanes?|lôn|lon)(?: \(?(?:out )?of (?:the )?(?:\d|two|three|four|five)\)?)?(?: (?:is|are|was|were|has been|have been|being|now|currently|still|(?:of|on) (?:the )?[ABM]\d+(?:\(M\))?|(?:of|on) (?:[\w'’-]+ ){1,2}(?:road|street|way|avenue|hill)(?: \([ABM]\d+\))?|towards (?:the )?[\w'’-]+|in (?:each|either) direction|(?:of|on) (?:the |this |each )?(?:\w+bound )?carriageway|eastbound|westbound|northbound|southbound|remains?|(?:at|near) [\w'’-]+|to be|will be)){0,4} (?:${CLOSED}|closures?)`,
  String.raw`\b(?:closes?|shuts?|closing|shutting|blocks?|blocking|closed|shut|blocked|coned off):? (?:off )?(?:${COUNT}) (?:(?:out )?of (?:the )?(?:\d|two|three|four|five) )?(?:lanes?)`,
  String.raw`\b(?:bus )?lane(?: \d)? (?:closures?|restrictions?|blocked|blockage|closed|shut|drop)`,
  String.raw`\bL[1-5]\b(?: (?:and|&) L?[1-5])? (?:is |are )?(?:closed|shut|blocked)`,
  String.raw`\b(?:one|two|1|2) lanes? (?:is |are )?out\b(?! of\b)`,
  String.raw`\b(?:lanes?|l[oô]n) (?:blocked|closed|shut|restricted|ar gau)`,
  String.raw`\b(?:clos|shut|block)\w* (?:off )?(?:a )?lanes?\b`,
  String.raw`\b(?:partially|partly|part) (?:closed|blocked|shut)|\bpartial(?:ly)? (?:closure|blockage)|\bpart closure`,
  String.raw`\b(?:down|reduced|restricted|narrowed) to (?:just )?(?:one|two|1|2|a single|single)\b`,
  String.raw`\b(?:only )?(?:one|two|a single|1|2) lanes?(?: of (?:the )?(?:\d|two|three|four|five))? (?:only )?(?:is |are |now )*(?:open|running|passable|in use|getting (?:by|past))`,
  String.raw`\bonly (?:l|lane ?)[1-5] (?:is |are )?(?:open|running|passable|moving|getting)\b`,
  String.raw`\bwith (?:one|two|1|2) (?:lanes? )?(?:closed|shut|blocked|coned)`,
  String.raw`\b(?:still|only|down to) (?:one|a single) lane\b`,
  String.raw`\bsingle lane (?:running|traffic|working)`,
  String.raw`\bpasio heibio|\bun lôn`,
  String.raw`\ball lanes (?:are )?restricted`,
  String.raw`\blanes? (?:\d|one|two|three)(?:(?:,| and| &|-) ?(?:\d|one|two|three))*(?= ?(?:$|[.,;)]))`,
  String.raw`\b(?:outside|inside|middle|nearside|offside|fast|slow) lane\b`,
  String.raw`\bbroken[- ]down (?:bus |vehicle |car |lorry |hgv |van |and )*(?:in |on )?lane`,
].join('|');
const LANES = new RegExp(LANES_SOURCE, 'i');
const ALL_LANES = new RegExp(LANES_SOURCE, 'gi');

/** The name of a field of National Highways: "Lanes Closed : The entry slip will be closed." Not the end of "all lanes
 *  closed: lorry fire". */
const HEADING = /^ ?lanes closed ?:/i;
/** "The A4104 may be closed", "is unlikely to close": nothing is closed yet. "May be closed for weeks" is a closure. */
const PERHAPS =
  /\b(?:(?:may|might|could)(?: have to| need to)?|(?:not (?:expected|likely)|unlikely) to) (?:be )?(?:closed?|shut|blocked)\b(?! (?:for|until|till|into|between|from)\b)/gi;
/** "Closed at Mill Lane", but not "Nearside Lane Closed" */
const LANE_NAME =
  /(?<=\b(?:at|near|nr|of|on|and|from|to|by|between|via|past|with|off|in|[ABM]\d{1,4}) (?:\p{Lu}\p{Ll}+ ){0,2})(?!(?:One|Two|Three|Four|Single|Bus|Cycle|Outside|Inside|Nearside|Offside|Middle|Cent\w+|Left|Right|Fast|Slow|Inner|Outer|First|Second|Third|\w+bound|Traffic|Running|Exit|Entry|Slip|Crawler|Overtaking|Motorway|Turn\w*|Breakdown|Carriageway|Acceleration|All|Another|Auxiliary|Climbing|Contraflow|Deceleration|Each|Emergency|Every|Far|Feeder|Fifth|Filter|Last|Merg\w+|Near|Through)\b)(\p{Lu}\p{Ll}+) Lane\b(?! ?\d)/gu;
/** Things beside the road, which are not the road itself. */
const BESIDE =
  /\b(?:(?<!and (?:the )?)hard shoulder|lay-?by|footway|footpath|(?<!\b(?:at|by|near|nr|under|beneath|below|outside|beside|behind|opposite|past|after) (?:the |an? )?)(?:footbridge|(?:railway|rail line)(?! (?:arch|avenue|bridge|crossing|hotel|inn|lane|place|road|station|street|terrace|tunnel|viaduct)\b))|pavement|cycle (?:lane|path|track|way)|(?:[AB]\d+ )?arm|bus stops?|services(?! (?:and|to)\b)|car park|left turn|right turn)(?: (?!and\b)\w+){0,4}? (?:is |are |will be )?(?:closed|shut|blocked|closures?)|\b(?:(?:is|are|was|were|has|have)(?: been)? not|(?:is|are|was|were|has|have)n['’]t)(?: been| being| yet| currently)?(?: fully| completely| entirely)? (?:closed|shut|blocked)|\b(?:closed|shut)(?: (?:\w+bound|in both directions))? to (?:high[- ]sided|pedestrians|cyclists|lorries|hgvs?|caravans|motorcycles|buses|double|vehicles over)(?:[- ][\w-]+){0,4}|\bno (?:road |lane |carriageway |slip road )?(?:closures?|restrictions)\b|\b(?:nothing|none)(?: (?:is|are|has been|else|currently|now|being)){0,2} (?:closed|blocked|shut)|\bno (?:lanes?|roads?|carriageways?)(?: (?:is|are|have been|has been|currently|now|being)){0,2} (?:closed|blocked|shut|restricted|affected)|\blane (?:closures?|restrictions?) ?: ?(?:none|nil|no\b)(?: lanes?)?(?: (?:are |is )?(?:closed|affected))?|\b(?:was|were) (?:fully )?(?:closed|shut|blocked) for (?:[\w.]+ ){1,3}(?:hours?|minutes)\b|\bwhen (?:they|it) (?:closed?|shut)|\blibrar\w+ (?:is )?closed/gi;

const FULL =
  /\b(?:closed?|closes|closures?|closing|shut|shuts|shutting|impassable|road ?blocked|blocked|(?<!\b(?:part\w*|no longer|not) )block(?:s|ing) (?:off )?(?:(?:the|a|whole|entire|main|busy|both|all|of) )*(?:[ABM]\d+|(?<=the )road|carriageway|motorway|route|bypass|bridge|tunnel|slip|exit|entry|sides|directions|lanes|\w+bound)|ar gau|d[ùu]inte|cau|sealed off|all lanes (?:are |currently )?(?:closed|blocked|shut|stopped|held|obstructed)|(?:traffic|vehicles|drivers|motorists|road|carriageway|lanes|ways|directions|\w*bound|clockwise) (?:is |are |has been |have been |being |currently |was |all |now |still |remains? )*(?:held|stopped)|(?:being )?held (?:at|between|while)|not passable|cordon(?:ed)?)\b/i;

const TO_OPEN = String.raw`(?: (?:is|are|now|due|expected|likely|set|hoped|planned|scheduled|estimated|J\d\S*|(?:at|near|in|between|and) \S+(?: [a-z]\S+)?)){0,8}? (?:will|to) (?:be )?(?:fully )?re-?open`;
/** The road itself will reopen: "A5 to reopen", "Eastbound will reopen", never "The footway will reopen". */
const ROAD_TO_OPEN = new RegExp(
  String.raw`(?<!\b(?:on|off|at|near|beside|by|of|over|under) (?:the )?)\b(?:road|carriageway|motorway|bypass|bridge|tunnel|all lanes|ways|directions|[\w-]*bound|clockwise|[ABM]\d{1,4}(?:\(M\)|M)?)${TO_OPEN}`,
  'i',
);
const LANES_TO_OPEN = new RegExp(
  String.raw`\b(?<!\b(?:bus|cycle) )lanes?(?:,? (?:\d|one|two|three|four|and|to|&))*${TO_OPEN}`,
  'i',
);

const EFFECT =
  /\b(?:delays?|queu\w*|slow(?! down)\w*|passable|congest\w*|busy|heavy traffic|(?:is|are|be) (?:very )?heavy|tailbacks?|lights|signals|contraflow|convoy|speed (?:restriction|limit)s?|\d\d ?mph|narrow lanes|width restriction|hard shoulder|restrictions?|restricted|easing|running \d+|open|high[- ]sided|gridlock\w*|solid|rammed|chock\w*|bumper to bumper|car park|crawling|(?:not|barely|hardly) moving|(?:at|to) a crawl|contra-?flow|no closures?|rolling road ?block|stationary|standstill|backed up|all lanes (?:are |now )*(?:open|running)|oedi|stop[/ -]go|give and take)\b/i;

const SLIP_SHUT = /\bslip(?: ?roads?)?\b[^.;]{0,40}\b(?:closed|shut|blocked)\b/i;
const MAIN_OPEN =
  /\bmain ?(?:line|carriageway)s? (?:(?:is|are|has|have|now|also|been|fully) )*(?:re-?open(?:ed|s)?|open|clear(?:ed)?)\b/gi;

/** The most characters that are read: publishers say first what is closed. */
const READ_MAX = 800;

/** The closed part of a road by the clauses about it. The first clause that says anything decides, except that an
 *  opening, or a closure that still stands, counts more. */
export function closedIn(clauses: readonly string[]): Closed {
  let left = READ_MAX;
  const said = clauses.map((clause) => {
    const read = clause.slice(0, Math.max(0, left));
    left -= clause.length;
    return read
      .replace(HEADING, ' ')
      .replace(PERHAPS, ' ')
      .replace(LANE_NAME, '$1 Street')
      .replace(BESIDE, ' (open) ')
      .replace(NOT_OPENED, 'remains closed');
  });
  const whole = said.join(' ');
  // "The exit slip is closed. The main carriageway has reopened."
  const all = SLIP_SHUT.test(whole) ? whole.replace(MAIN_OPEN, ' ') : whole;
  if (OPEN_AGAIN.test(all)) {
    const opened = OPEN_AGAIN.exec(all)!.index; // it was found
    const rest = all.slice(opened);
    if (
      /\b(?:lanes?)\b[^.]{0,25}\b(?:still|remains?|stays?)\b[^.]{0,15}\b(?:closed|shut|blocked|coned)/i.test(
        all,
      ) ||
      /\b(?:one|two) lanes? (?:is |are )?(?:still )?(?:coned|closed|shut)|\blanes? \d[^.;,]{0,25}\b(?:closed|shut|blocked)/i.test(
        rest,
      ) ||
      /\bre-?opened (?:just |only )?(?:one|a single|a) lane\b|\bone of (?:the )?(?:two|three|four|\d) lanes (?:is |has |now )*(?:re-?)?open(?![^]*\b(?:fully|now|all lanes have) re-?opened)/i.test(
        all,
      )
    )
      return 'lanes';
    if (STILL.test(all) && !/\breopen(?:ed|s)?\b/i.test(all.slice(all.search(STILL)))) return 'full';
    return /\b(?:to|will|until|before|expected|estimated|anticipated|planned|likely|should|hoped|due to|not) (?:be |it |they |fully |have |been |re-?open )*(?:re-?open|open|clear|lifted|removed)|\bre-?open(?:s|(?<!\b(?:reopened|(?:now|again) open|open again)\b[^]*)ing) (?:[a-z]+ ){0,2}(?:at|on|by) (?:\d|\w+day\b)/i.test(
      all,
    ) &&
      !/\b(?:has|have|now|been|fully) re-?opened|\breopens\b(?! (?:[a-z]+ ){0,2}(?:at|on|by) (?:\d|\w+day\b))/i.test(
        all,
      )
      ? closedNow(said)
      : 'none';
  }
  return closedNow(said);
}

const NUMBERS = ['', 'one', 'two', 'three', 'four', 'five'];
const numberOf = (word: string | undefined) => Number(word) || NUMBERS.indexOf((word ?? '').toLowerCase());
const LANES_OF =
  /\b(?:lanes? (?:(?:\d|one|two|three)(?:, ?| and | to | & |-)){0,3})?(\d|one|two|three|four|five) (?:lanes? )?\(?(?:out )?of (?:the )?(\d|two|three|four|five)\b[^.;]{0,30}?\b(?:closed|blocked|shut|restricted)/i;

/** "3 of 3 lanes closed", "lanes 1 and 2 of 2 blocked" */
function areAllLanes(clause: string): boolean {
  const [said = '', last, all] = LANES_OF.exec(clause) ?? [];
  if (numberOf(last) < 2 || numberOf(last) !== numberOf(all)) return false;
  // "Lane 3 of 3" is only one of them.
  return !/^lane /i.test(said) && (!/^lanes/i.test(said) || /^lanes (?:1|one)\b/i.test(said));
}

function closedNow(said: readonly string[]): Closed {
  for (const clause of said) {
    if (areAllLanes(clause)) return 'full';
    const isWhole =
      /\b(?:all|both|every) (?:(?:\d|two|three|four|of the|northbound|southbound|eastbound|westbound) )*lanes? (?:are |is |will be |currently |now |have been |in both directions |(?:north|south|east|west)bound )*(?:closed|blocked|shut|stopped|held|obstructed)|(?<!lanes? (?:of|on) (?:the |this |each )?(?:\w+bound )?)\b(?:carriageway|road|motorway) (?:is |has been |will be |fully |now |currently |completely )*(?:closed|blocked|shut)\b/i.test(
        clause,
      ) && !/\bpart(?:ially|ly)? (?:closed|blocked)/i.test(clause);
    if (isWhole) return 'full';
    const lanes = clause.search(LANES);
    const rest = lanes < 0 ? clause : clause.replace(ALL_LANES, ' ');
    if (lanes >= 0) {
      const full = rest.search(
        /\b(?:fully closed|road closed|carriageway closed|closed in both directions|all lanes closed|(?:north|south|east|west)bound (?:carriageway )?(?:is |remains )?(?:closed|shut))\b/i,
      );
      return full >= 0 ? 'full' : 'lanes';
    }
    if (FULL.test(clause) || ROAD_TO_OPEN.test(clause)) return 'full';
    if (LANES_TO_OPEN.test(clause)) return 'lanes';
  }
  return said.some((clause) => EFFECT.test(clause)) ? 'none' : 'unknown';
}

const SLIP =
  /\b(?:(exit|off|leaving)|(entry|entrance|on|joining|access))?[- ]?slips?(?:[- ]?roads?)?\b|\b(exit) (?:for|at|to|shut|closed|is closed|road)\b|\b(exits) (?:are )?(?:both )?(?:shut|closed|blocked)\b|\b(off|on)[- ]?ramps?\b|\b(exit|entry) (?:and (?:exit|entry) )?(?:is |are )?(?:closed|shut|blocked)|\bffordd (ymadael|ymuno)\b|\bsliproads?\b/gi;

const KIND = /^(?:exit|off|leaving|entry|entrance|on|joining|access)\b/i;
const IS_OPEN = /^ (?:(?:is|are|has|have|remains?|stays?|now|also) )*(?:open|re-?opened|clear|unaffected)\b/i;

/** "The link road from the M4 to the M25 is closed. Traffic on the M4 itself is passing." Without the second sentence,
 *  the link is read as its road at the junction. */
const LINK_SHUT =
  /\blink road from (?:the )?(?:M\d+|A\d+\(M\))[^.;]{0,40} to (?:the )?(?:M\d|A\d+\(M\))[^.;]{0,40}\b(?:closed|shut|blocked)\b/i;
const ROAD_PASSES =
  /\b(?:itself|main ?(?:line|carriageway)) (?:is|are|remains?|stays?) (?:still |fully )?(?:passing|moving|flowing|running|open|unaffected)\b/i;

export function slipIn(clauses: readonly string[], road: string): Slip | null {
  // The slip road of another road does not count: "queues on the M40 slip". The road's own slip road does not count
  // either if the road is closed: "queues on the M6 slip. M6 closed".
  const parts = clauses.flatMap((clause) => clause.split(/[,;.] /));
  const isRoadShut = parts.some((part) => FULL.test(part) && !/\bslip/i.test(part));
  const all = clauses.map((clause) =>
    everyMatch(clause, SLIP).filter(({ index }) => {
      const [owner] = /\b[AMB]\d{1,4}(?:\(M\))?(?= ?$)/.exec(clause.slice(0, index)) ?? [];
      return index <= 12 || !owner || (owner === road && !isRoadShut);
    }),
  );
  // "Exit slip closed, entry slip open"
  const closed = all.map((slips, at) =>
    slips.filter(({ 0: slip, index }) => !IS_OPEN.test(clauses[at]!.slice(index + slip.length))),
  );
  const said = closed.some((slips) => slips.length > 0) ? closed : all;
  // "Lorry overturns on slip road. The entry slip is closed"
  const kind = said.findIndex((slips) => slips.some(([slip]) => KIND.test(slip)));
  const at = kind >= 0 ? kind : said.findIndex((slips) => slips.length > 0);
  if (at < 0) {
    const isLink = clauses.some((clause) => LINK_SHUT.test(clause));
    return isLink && clauses.some((clause) => ROAD_PASSES.test(clause)) ? 'slip' : null;
  }
  const clause = clauses[at]!; // one of them
  let exit = said[at]!.some(([slip]) => /^(?:exit|off|leaving)|ymadael/i.test(slip));
  let entry = said[at]!.some(([slip]) => /^(?:entry|entrance|on|joining|access)|ymuno/i.test(slip));
  if (
    /\b(?:exit|off) (?:and|&) (?:the )?(?:entry|on)\b|\b(?:entry|on) (?:and|&) (?:the )?(?:exit|off)\b|\bboth slips\b/i.test(
      clause,
    )
  )
    exit = entry = true;
  // "Southbound exit: slip road"
  if (!exit && !entry) {
    exit = /\bexit\b/i.test(clause);
    entry = !exit && /\bentry\b/i.test(clause);
  }
  return exit && entry ? 'both' : exit ? 'exit' : entry ? 'entry' : 'slip';
}
