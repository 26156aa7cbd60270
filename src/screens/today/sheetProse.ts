/** Trips in sentences, a chat or a list of pick-ups, as a table that the user can check and correct. */
import {
  backAfter,
  dayIn,
  daysWithin,
  isAbroad,
  isFirstName,
  isOtherWeekday,
  namesBeside,
  PLACE,
  plateIn,
  BACK_FROM_MIN,
  minutesOf,
  timeIn,
  withoutDays,
} from './sheetCells.ts';
import { withoutPictures } from './sheetText.ts';
import { NO_NAME, FILLING, type About, LINK, trimmed, aboutOf, tripIn } from './sheetSentence.ts';

/**
 * The beginning of each message in an exported chat: "[26/11/2026, 18:42:10] Priya: ", "26/11/2026, 18:42 - Priya: ".
 */
const STAMP =
  /^(?:\[\d[^\]]{4,24}\]|\d{1,2}[/.]\d{1,2}[/.]\d{2,4},? \d{1,2}:\d{2}(?::\d{2})?(?: ?[ap]m)?(?: -)?) ?[^:]{1,30}: /iu;

/** A time within a sentence, which is not part of a date, a price or a telephone number. */
export const MENTION =
  /(?<![\p{L}\d:.£/+-])(?<!\b\d{3,5} )(?!(?<=\b(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?) )20[1-4]\d\b)(?:\d{1,2}[:.h]\d{2}(?: ?[ap]\.?m\b)?|[012]\d[0-5]\d(?: ?hrs?|h\b)?(?= ?\p{L}|[,)]| -| –|\.? *$|\. )|\d{1,2} ?[ap]\.?m\b|(?:a )?(?:\d{1,2}|five|ten|quarter|twenty(?:[- ]five)?|half) (?:past|to) (?:\d{1,2}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\b|(?:12 )?(?:noon|mid-?day|mid-?night))(?!\.?[\d:/])/giu;
const SPAN_FIRST = /^(\d{1,2}[:.]?\d{2}) ?[-–] ?(\d{1,2}[:.]?\d{2}) (.+)$/;
/** The second time of such a trip may be that of its way back, as may a time that is hours later. */
const DAY_TRIP = /\b(?:day (?:trip|out|tour)|excursion|tour|return|rtn|wait(?:ing)?)\b/i;
const ARRIVAL = /^\(arr (\d{1,2}[:.]?\d{2})\)$/;
const BACK =
  /\b(?:back|return(?:s|ing)?|rtn|ret|home|com(?:e|es|ing) away)\b|^\W*(?:pm\b\W*)?(?:departs?|dep|leaves?|leaving|collect|from)\b/i;
/** "Leeds to York: 1600, 1640" */
const LISTED =
  /^(\D*\p{L}[^\s\d:–-]?)[ :–-]+(\d{1,2}[:.]?\d{2}(?: ?[ap]m)?(?:(?:, ?| and | & |; ?)\d{1,2}[:.]?\d{2}(?: ?[ap]m)?)+)\.?$/iu;
const ARRIVES =
  /\b(?:arr(?:ives?|iving|ival)?)\b\.?(?: (?:at|in)\b)?|^[ :–-]{0,3}(?:drop(?:s|ping)?(?: off)?|set down)\b(?: at\b)?:?/i;
/** "0845 Drop Airport" */
const DROPS = /^[ *•-]{0,3}\d{1,2}[:.]?\d{2}[ :–-]{1,3}(?:drop|set down)\b/im;
/** "For 11" may be an hour. */
const FOR_HOUR = /\bfor (?:[1-9]|1[0-2])(?=[,.;]|$)/i;
/** A number of people in words. */
const SPELLED = /\b(?:ten|twelve|fifteen|twenty|thirty|forty|fifty|sixty)\b(?!th)/i;
/** Words before a time at which no vehicle leaves. */
const REMARKED =
  /\b(?:flight|lands?|landing|check[ -]?in|(?:sign|book|clock)(?:ed|ing)?[ -]?(?:on|off)|break|ko|kick[ -]?off|until|till|closes?)(?: (?:is|at|by|from))?:? ?$/i;
/** A number in words, without ordinals. */
const NUMBER =
  /(?<![\p{L}\d£#:./-])(?<!\b(?:route|service|contract|duty|run|job|no\.?|number|junction|platform|stand|gate|door|week|hall|coach|bus|mini(?:bus)?|midi|van|vehicle|veh|car) )\d{1,2}(?! ?seat| ?str)(?![\p{L}\d:./-])/giu;
/** Words that change or cancel something. Only the user knows which trip they are about. */
const CHANGES = /\b(?:cancel(?:led)?|canx|cxl|sorry|instead|now|not)\b/i;
const CANCEL = /\bcan(?:cel|x)|\bcxl\b/i;
/** Lines of a driver's duty that are not trips. */
const NO_TRIP =
  /\boffice\b.*\bopen\b|\b(?:sign(?:ed)? (?:on|off)|depot|garage|yard|break|check(?![ -]?in))\b/i;

interface Trip extends About {
  /** The last line above it that is a day; '' when there is none. */
  date: string;
  ref: string;
  time: string;
  trip: string;
  via: string;
  arrives: string;
  note: string;
}

/** "Nigel has YJ70 EWO" */
const HAS =
  /\b(\p{Lu}[\p{L}.'’]{0,20}(?: \p{Lu}\b\.?)?)(?: (?:has|is in|is on|in|on|with))?[ :=–-]{1,3}([A-Z]{2}\d{2} ?[A-Z]{3})\b/gu;
/** "Both coaches": a job for each, or one. */
const SEVERAL = /\b(?:both|all|each|two|three|[2-9]) (?:coaches|buses|minibuses|vehicles)\b/i;
/** Words behind a trip that say what it is for. */
const OCCASION =
  /\b(?:wedding|funeral|party|prom|match|panto|theatre|show|concert|school|swim(?:ming)?|contract|private|hire|shuttle|tour|outing|trip|excursion|football|rugby|racing|races|christmas|birthday|church|cruise|conference|event|festival|shopping|charter|replacement|return|single|wait|urgent|confirmed|provisional|new|saga)\b/i;
const LONE = /^(?:\p{Lu}\.? )?\p{Lu}[\p{L}'’-]+(?: \p{Lu}[\p{L}'’-]*\.?)?$/u;
/** A longer line has sentences. */
const LONG = 160;
const NAME = /(?<!^|[.:;] )\b\p{Lu}\p{Ll}{2,}|^\p{Lu}\p{Ll}+(?= (?:-|–|is|has|to|on|you|does)\b)/gu;
const PARTY = /^\p{Lu}[\p{L}.'’&-]*(?: [\p{L}.'’&-]+){0,3}$/u;
/** "Hi Nia,", "Morning Dave -": the name may be the driver's. */
const HELLO =
  /^(?:[Hh](?:i|iya|ey|ello)|[Dd]ear|(?:[Gg]ood )?(?:[Mm]orning|[Ee]vening|[Aa]fternoon)),? (?!All\b|Both\b|Team\b|Folks\b|Every|Lads\b|Guys\b|Drivers\b|There\b|Office\b)(\p{Lu}[\p{L}'’-]+)(?: ?[,.!:–-]+ ?|$)/u;
/** A message that tells its reader what to drive. */
const YOU =
  /\b(?<!\b(?:if|when|do|can|could|would|will|that|as|hope|thank) )you(?:rs?\b(?! (?:help|reply|e?-?mail|message|request|enquiry|booking|quote))|['’]?(?:re|ve|ll)\b| (?:on|in|are|have|got|leave|take|start|pick|do|drive|go|finish|bring|then)\b)/i;
/** The end of a message: "Thanks Jane", "Karen" */
const SIGNED =
  /^(?:(?:(?:many |kind |best )?(?:thanks|thank you|cheers|ta|regards|wishes|love),? )?(\p{Lu}\p{L}+))$/iu;
/** A message that asks for work. */
const REQUEST =
  /\b(?:can|could) we (?:please )?(?:have|book|get)\b|\bwe(?:['’]d| would) like\b|\bplease (?:quote|book us)\b/i;
/** "Karen, see below" */
const VOCATIVE = /^\p{Lu}[\p{L}'’-]+, (?!you\b)\p{Ll}/u;
/** A driver or a vehicle without work. */
const IDLE =
  /\b(?:spare|stand-?by|mot|off|rest|vor|workshop|service|garage|yard|available|holiday|leave|sick|training|parked|not (?:needed|required|out))\b/i;
/** "same van": that of the trip before. */
const SAME =
  /\bsame (?:\d{1,3}\b|(?:driver(?: and | ?[&/+] ?))?(?:coach|bus|van|vehicle|mini(?:bus)?|motor|car)\b)|\bthem (?:back|home)\b/i;
export const CANCELS =
  /\b(?:cancel(?:l?ed|ling|s)?|canx|cxl|called off|postponed|(?:is|are|all|job|run|trip|now) off\b(?! (?:at|from|to|by|on))|stood down|scrapped|not (?:running|needed|required|going ahead)|no longer (?:needed|required|running|going))\b/i;
const OFF_WORD = String.raw`(?:cancell?ed|canx|cxl|called off|postponed|off|scrapped)\b`;
const THING =
  '(?:catering|meals?|lunch|tea|coffee|breakfast|dinner|guide|courier|hotel|tickets?|trailer|stops?|escort|assistant|order|fees?|charges?|deposit|band|return|way (?:back|out)|outward|inbound|invoice|(?:second|2nd|extra|relief|other) [a-z]+)';
/** Words by which the work runs all the same: "not cancelled", or another thing is cancelled. */
export const KEPT = new RegExp(
  String.raw`\b(?:not|never|isn['’]?t|no longer|un)[- ]?(?:been |being |yet )*${OFF_WORD}|\b${THING}:?(?: (?:is|are|was|were|has|have|been|now))* ${OFF_WORD}|\b${OFF_WORD}:? (?:the )?${THING}\b`,
  'i',
);
/** Words of a line that cancels a whole job. */
const OF_CANCEL =
  /^(?:sorry|hi|your|our|my|its|his|her|their|all|the|this|that|is|are|has|have|been|be|now|please|just|from|to|at|in|on|of|for|and|with|today|tomorrow|am|pm|hrs|run|runs|job|jobs|trip|service|hire|private|coach|bus|contract|school|work|booking|both|it|also|customer|client|group|they|has|dep|driver|x|pax|p|ref|no)$/;

/** Whether all that a line cancels is work: before its "cancelled" are only names and words of jobs, and behind it is
 *  nothing else or a reason. */
function isWorkOff(said: string): boolean {
  const found = CANCELS.exec(said);
  if (!found || KEPT.test(said)) return false;
  const { 0: cancel, index } = found;
  // "Dave not needed on the 0900": the job may be another driver's.
  if (
    /needed|required|stood/i.test(cancel) &&
    said
      .slice(0, index)
      .split(/[^\p{L}]+/u)
      .some(isFirstName)
  )
    return false;
  const behind = said
    .slice(index + cancel.length)
    .replace(/^\W*(?:\b(?:by|due|as|because|since)\b|[-–(:,.]).*/, '');
  const words = `${said.slice(0, index)} ${behind}`.match(/(?<![\p{L}\d'’])\p{Ll}[\p{L}'’]*/gu) ?? [];
  return words.every((word) => OF_CANCEL.test(word));
}
export const SENTENCE = /(?<=[.;!?]) (?=[\p{Lu}\d])/u;
const WEEKDAY_FIRST =
  /^((?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?)\b(?! \d{1,2}(?:st|nd|rd|th)?\b)(\W*$| ?[:,–-] ?(?=\d))?/i;
/** "Zed / YK21 JHB" */
const NAME_PLATE =
  /(?<=^|[–:,-] )(\p{Lu}[\p{L}.'’-]+(?: \p{Lu}[\p{L}.'’-]*)?) ?\/ ?([A-Z]{2}\d{2} ?[A-Z]{3})(?![^ ,.;])/gu;
const PLATE_NAME =
  /(?<=^|[–:,-] )([A-Z]{2}\d{2} ?[A-Z]{3}) ?\/ ?(\p{Lu}[\p{L}.'’-]+(?: \p{Lu}[\p{L}.'’-]*)?)(?![^ ,.;])/gu;
/** "pick up Ordsall Primary, drop Clumber Park" */
const PICKED_UP =
  /((?:\b(?:pick(?:ing)?[ -]?up|collect(?:ing)?|from)\b(?: (?:at|from))?|\b\d{1,2}[:.]?\d\d) .{3,60}?),? (?:and |then )?(?:(?:drop(?:ping|s)?|set)(?:[ -]?(?:off|down))?|d\/o)(?: at)?:? (?=(?:the )?\p{Lu})/giu;
/** "picks up at York at 8.15am and takes 46 to Hull" */
const TAKEN =
  /,? (?:(?:and|then) )*(?:(?:he|she|they) )?(?:takes?|drops?|brings?) (?:them|(\d{1,3})(?: \p{Ll}+)?) (?:off )?(?:to|at) (?=(?:the )?\p{Lu})/gu;
/** "Young Callum has": the word before a driver's name. */
const BEFORE_NAME =
  /(?<=^|[.;] )(?:Young|Little|Old|Our) (?=(\p{Lu}\p{L}+)(?: (?:has|is|in|on|takes|does|will)\b| ?[,:-]))/gu;
/** "Coach 50, Dobbo. Dep", "Big Tone - 16 plate SJ16 FDA. 0700" */
const NUMBER_NAME =
  /^((?:coach|bus|minibus) \d{1,3}),? (\p{Lu}\p{L}+)[.:] (?=\d|dep|leave|collect|p\/u|pick)/iu;
const NAME_FIRST =
  /^(\p{Lu}\p{L}+(?: \p{Lu}\p{L}+)?) (?:- )?(?:\d\d plate )?([A-Z]{2}\d{2} ?[A-Z]{3})[.:,] (?=\d{1,2}[:.]?\d\d|[Pp]ick up|[Dd]ep|[Ll]eave|[Cc]ollect)/u;
/** "at 9", "9 o'clock" */
const HOUR_ALONE =
  /(?:(?<=\bat )(1[0-2]|[1-9])(?=[,.;]?$|[,;] | (?:from|for|and|back|with)\b| to (?!\d|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve))|\b(1[0-2]|[1-9]) ?o['’]clock)/gi;
const GREETING = /^(?:hi|hiya|hello|dear|(?:good )?(?:morning|evening|afternoon))\b[^,]{0,30}, /i;
/** A longer line with a day is a sentence. */
const DAY_WORDS = 6;
/** The beginning of a line that is only half read. */
export const HALF_READ = '? ';

const REF = /\b(?:tour|job|booking|order|ref|contract)\b[^\d\n]{0,8}?([A-Z]{0,3}\d{3,})\b/i;
/** A longer line is not a message. */
const LINE_MAX = 4000;
const HEADINGS = ['Time', 'From and to', 'Via', 'Arrives', 'Driver', 'Vehicle', 'People', 'Note'];
const NOBODY: About = { driver: '', vehicle: '', people: '' };

/** "19:00 Leeds to Hull now 19:30": the later time may also be that of a flight or of the way back. */
const AMENDED =
  /\b\d{1,2}[:.]?\d{2}\b.*\b(?:now|(?:changed|amended|moved) to) \d{1,2}(?:[:.]?\d{2}| ?[ap]m)(?![\d\p{L}])/iu;

/** "0900 & 1600 Leeds to Hull": two runs out, or one out and one back. */
const PAIR = /\b\d{1,2}[:.]?\d{2} ?(?:&|and) ?\d{1,2}[:.]?\d{2}\b/i;

/** "Leeds to York: 1600, 1640" as a line for each time. */
function eachTime(line: string): string[] {
  const [, way = '', times = ''] = LISTED.exec(line.trim()) ?? [];
  return tripIn(way) ? times.split(/,|;| and | & /).map((time) => `${time.trim()} ${way}`) : [line];
}

/** The text as a table with one trip a line, and all other lines below them; null when no line has a time. `first`:
 *  the day of the trips above the first line that is a day. */
export function tripLines(text: string, day = '2026-01-01', first = ''): string | null {
  const trips: Trip[] = [];
  const others: string[] = [];
  /** Lines that have become trips, and where these begin. */
  const read: { line: string; from: number; to: number }[] = [];
  /** The messages to one reader each, and where their trips begin. */
  const letters: { name: string; line: string; text: string; from: number }[] = [];
  /** The names that end a message: those of its writers. */
  const signers = new Set<string>();
  const isOfDrops = DROPS.test(text);
  /** Whether its places with times are the stops of one trip. */
  const isOfStops = ARRIVES.test(text) || isOfDrops;
  let about = NOBODY;
  /** Places with times, collected until a line gives their destination. */
  let stops: Trip[] = [];
  let isUsed = false;
  let date = first;
  let ref = '';
  /** The first trip of the line above, unless an empty line is between. */
  let above = 0;
  /** A trip whose time is in the next line. */
  let pending: (NonNullable<ReturnType<typeof tripIn>> & { line: string }) | null = null;
  const close = () => {
    if (pending) others.push(pending.line);
    pending = null;
    others.push(...stops.map(({ time, trip }) => `${time} ${trip}`));
    stops = [];
  };
  /** Lines about a driver or vehicle, without trips below them. */
  const contexts: (About & { line: string })[] = [];
  let context = { ...NOBODY, line: '' };
  /** Lines that may say something about the trips that was not read. */
  const unsure: string[] = [];
  const plain = withoutPictures(text).replaceAll(/\r\n?/g, '\n');
  const lines = plain.split('\n').flatMap(eachTime);
  const sentences = lines.flatMap((one) => (CANCELS.test(one) ? one.split(SENTENCE) : one));
  for (const [at, stamped] of sentences.entries()) {
    const line = stamped.replace(STAMP, '');
    const marked = line
      .replaceAll(/\s+/g, ' ')
      .replace(/^ ?(?:[-*•·]+|\d{1,2}[.)]) /, '')
      .replaceAll(/ [·|] /g, ', ')
      // "06:00 - 08:30 Leeds to Newcastle": when it leaves and arrives. Without a trip the times are those of a duty.
      .replace(SPAN_FIRST, (said, leaves: string, ends: string, rest: string) => {
        const [from, until] = [timeIn(leaves), timeIn(ends)];
        if (!from || !until || !tripIn(aboutOf(rest).rest)) return said;
        const isLong = minutesOf(backAfter(until, from.local)) - minutesOf(from.local) >= BACK_FROM_MIN;
        return `${leaves} ${rest} (${isLong || DAY_TRIP.test(rest) ? 'until' : 'arr'} ${ends})`;
      })
      .trim();
    const paired = marked
      .replaceAll(NAME_PLATE, '($1, $2)')
      .replaceAll(PLATE_NAME, '($2, $1)')
      .replaceAll(/\bp(?:\/u|u|\/up)\b/gi, 'pick up')
      .replace(NUMBER_NAME, '$1 ($2) - ')
      .replace(NAME_FIRST, '($1, $2) - ')
      .replaceAll(BEFORE_NAME, (word, name: string) => (isFirstName(name) ? '' : word))
      .replaceAll(TAKEN, (_, many?: string) => (many ? `, ${many} pax to ` : ' to '))
      .replaceAll(
        /(?:(?: and|,) )?\b(?:s?he )?(?:leav(?:es?|ing)|depart(?:s|ing)?) (?:from )?there\b/gi,
        ', back',
      )
      .replaceAll(PICKED_UP, '$1 to ')
      .replaceAll(/\bhalf (?=one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)/gi, 'half past ')
      .replaceAll(HOUR_ALONE, '$1$2:00');
    const isPlain = / to |→|>/i.test(paired) || paired.match(MENTION) === null;
    const spaced = isPlain ? paired.replaceAll(' / ', ', ') : paired;
    const [hello, name] = HELLO.exec(spaced) ?? [];
    if (name !== undefined) letters.push({ name, line: spaced, text: '', from: trips.length });
    const whole = hello === undefined ? spaced : spaced.slice(hello.length);
    if (letters.length > 0) letters.at(-1)!.text += ` ${whole}`;
    if (whole === '' && name !== undefined) {
      others.push(line.trim());
      continue;
    }
    const [signer] = letters.length > 0 ? (SIGNED.exec(whole)?.slice(1) ?? []) : [];
    const below = sentences[at + 1]?.trim() ?? '';
    if (signer !== undefined && trips.length > 0 && (below === '' || HELLO.test(below))) {
      signers.add(signer);
      others.push(whole);
      continue;
    }
    if (whole === '') {
      close();
      if (isUsed) [about, ref] = [NOBODY, ''];
      isUsed = false;
      above = trips.length;
      continue;
    }
    if (whole.length > LINE_MAX) {
      others.push(whole);
      continue;
    }
    // "Monday 1 March, Leeds to York, depart 9.10am", or a day above its trips
    const [named, ...more] = daysWithin(whole, day);
    const dayless = named !== undefined && more.length === 0 ? withoutDays(whole) : whole;
    const timed = clausesOf(dayless);
    const isOfTrips = more.length === 0 && timed.some(({ words }) => tripIn(words));
    const isAbove =
      timed.length === 0 && (whole.split(' ').length <= DAY_WORDS || aboutOf(dayless).vehicle !== '');
    const [, weekday, alone] = WEEKDAY_FIRST.exec(whole) ?? [];
    date =
      dayIn(whole, day) ??
      (isOfTrips || isAbove ? named : undefined) ??
      (weekday === undefined || alone === undefined ? null : dayIn(weekday, day)) ??
      date;
    // "Monday Club" may be a party.
    if (alone === undefined && isOtherWeekday(weekday ?? '', date || day)) unsure.push(whole);
    const said = isOfTrips || isAbove ? dayless : whole;
    const all = clausesOf(said);
    const isOff = isWorkOff(said);
    const isCancel = CANCEL.test(said);
    const isChange = CHANGES.test(said) && ((isCancel && isOff) || tripIn(said) === null);
    const isOfTwoTimes = PAIR.test(said) || AMENDED.test(said);
    if ((isCancel && !isChange) || isOfTwoTimes || isAbroad(said, day)) unsure.push(said);
    const clauses = isChange ? [] : all.filter(({ words }) => isOfTrip(words) || pending !== null);
    const isCrew = clauses.length === 0 && all.length < 2;
    const { rest, ...lead } = aboutOf(isCrew ? said : (all[0]?.before ?? said));
    // "Sioned: 0930 Ruthin to Rhyl", "Babs again 1515 York to Hull": the name can be any word.
    lead.driver ||=
      lead.people === '' &&
      !all.slice(1).some(({ words }) => aboutOf(words).driver !== '') &&
      all[0] &&
      tripIn(aboutOf(all[0].words).rest)
        ? LINK.test(rest) || NO_NAME.test(rest)
          ? ''
          : (LEAD.exec(rest)?.[1] ?? '')
        : '';
    // "Mells Vets - 1pm": two words may be a club.
    const isGuess = LEAD.exec(rest)?.[1] === lead.driver && !isFirstName(lead.driver);
    if (isGuess && lead.driver.includes(' ')) contexts.push({ ...NOBODY, line: said });
    // "NEW JOB #4471 for Yusuf"
    if (isCrew && REF.test(said)) lead.driver ||= / for (\p{Lu}[\p{L}'’-]+)$/u.exec(said)?.[1] ?? '';
    if (all.length === 0) ref = REF.exec(said)?.[1] ?? ref;
    const isGreeting =
      all.length === 0 && (said.endsWith(',') || /^(?:from|to|sent|cc|subject): /i.test(said));
    const isMore = isBelow(said, all, trips.slice(above));
    if (isMore) {
      // The line goes on about the trip above it.
    } else if (
      !isGreeting &&
      !(VOCATIVE.test(said) && lead.vehicle === '') &&
      (lead.driver !== '' || lead.vehicle !== '' || (isCrew && lead.people !== '')) &&
      rest.split(' ').length < (lead.vehicle === '' ? 8 : 14)
    ) {
      close();
      const isLost = lead.driver !== '' && about.driver + about.vehicle !== '' && about.driver !== '';
      if (!isUsed && isLost) contexts.push(context);
      context = { ...lead, line: said };
      about = isUsed ? lead : { ...lead, driver: lead.driver || about.driver };
      isUsed = false;
    } else if (/^\p{Lu}/u.test(rest) && !LINK.test(rest) && clauses[0] && tripIn(clauses[0].words))
      about = NOBODY;
    const bare = clauses.length === 0 && !isChange && !isMore ? tripIn(said) : null;
    if (bare) {
      close();
      pending = { ...bare, line: line.replaceAll('\t', ' ').trim() };
      continue;
    }
    const from = isMore ? above : trips.length;
    const off = isChange && isOff ? cancelledBy(said, all, trips) : undefined;
    if (off) {
      off.note = `Cancelled: ${said}`;
      continue;
    }
    if (clauses.length === 0 && !isMore) others.push(line.replaceAll('\t', ' ').trim());
    else
      others.push(...all.flatMap(({ time, words }) => (isOfTrip(words) ? [] : `${time} ${trimmed(words)}`)));
    // In a line about several drivers, none is that of all trips.
    const drivers = new Set([lead.driver, ...clauses.map(({ words }) => aboutOf(words).driver)]);
    const ofAll = drivers.size - (drivers.has('') ? 1 : 0) > 1 ? NOBODY : about;
    const before = from;
    if (isMore && clauses.length === 0)
      for (const one of trips.slice(before)) addNote(one, crewOf(said).rest);
    for (const [at, { time, words }] of clauses.entries()) {
      const { rest: bare, ...of } = aboutOf(words);
      const own = tripIn(bare);
      const waiting: typeof pending = own || BACK.test(words) ? null : pending;
      if (waiting) pending = null;
      const found = own ?? (waiting && { ...waiting, note: [waiting.note, bare].filter(Boolean).join(', ') });
      isUsed = true;
      const one: Trip = {
        date,
        ref,
        time,
        trip: found?.trip ?? bare,
        via: '',
        arrives: ARRIVAL.exec(found?.note ?? '')?.[1] ?? '',
        driver: of.driver || (at === 0 ? lead.driver : '') || ofAll.driver,
        vehicle: of.vehicle || (at === 0 ? lead.vehicle : '') || ofAll.vehicle,
        people: of.people || (at === 0 ? lead.people : '') || (found ? ofAll.people : ''),
        note: found?.note.replace(ARRIVAL, '') ?? '',
      };
      // "Craven Ramblers x15 - 0500 Skipton to Leeds": the party.
      const party = rest || lead.driver;
      const isParty = PARTY.test(party) && !FILLING.test(party) && !words.includes(party);
      if (at === 0 && own && isParty && one.driver !== party)
        one.note = [one.note, party].filter(Boolean).join(', ');
      if (/^\W*(?:(?:and|then) )?s?he\b/i.test(words)) one.driver ||= trips.at(-1)?.driver ?? '';
      if (SAME.test(`${clauses[at]!.before} ${words}`)) {
        const last = trips.findLast(({ driver }) => driver === one.driver) ?? trips.at(-1);
        one.vehicle ||= last?.vehicle ?? '';
        if (isReverse(one, last)) one.people ||= last!.people;
        if (last === trips.at(-1)) one.driver ||= last?.driver ?? '';
      }
      const isArrived = ARRIVES.test(clauses[at + 1]?.words ?? '');
      // Among drops, "Collect School" begins a trip, whose end is a drop below.
      const isStop = isOfDrops && /^\W*(?:pick|collect)/i.test(bare);
      const way = found || isArrived || isStop || stops.length > 0 ? undefined : wayBack(trips, bare, before);
      if (ARRIVES.test(bare) && stops.length > 0) {
        const [first, ...more] = stops;
        const [place = ''] = trimmed(bare.replace(ARRIVES, '')).split(/ - |[.;] /);
        const via = more.map((stop) => stop.trip).join('; ');
        const people = about.people || sumOf(stops) || of.people;
        const crew = { driver: first!.driver || one.driver, vehicle: first!.vehicle || one.vehicle };
        trips.push({ ...first!, ...crew, trip: `${first!.trip} → ${place}`, via, people, arrives: time });
        stops = [];
      } else if (found) {
        close();
        // "York to Haltwhistle, Westgate", where another trip begins
        const [next = '', ...notes] = one.note.split(', ');
        const place = `${one.trip.split(' → ')[1] ?? ''}, ${next}`;
        const isStart =
          next !== '' && [' to ', ' - ', ' > ', ' at '].some((mark) => text.includes(place + mark));
        trips.push(isStart ? { ...one, trip: `${one.trip}, ${next}`, note: notes.join(', ') } : one);
      } else if (way && BACK.test(bare)) {
        const [driver, vehicle, people] = (['driver', 'vehicle', 'people'] as const).map(
          (field) => of[field] || way[field] || one[field],
        ) as [string, string, string];
        trips.push({
          ...one,
          time: inHalf(time, way.time),
          driver,
          vehicle,
          people,
          trip: way.trip,
          note: bare,
        });
      }
      // Places without a destination are not trips, and a drop without a pick-up is none.
      else if (bare === '' || !isOfStops || ARRIVES.test(bare))
        others.push(line.replaceAll('\t', ' ').trim());
      else
        stops.push({
          ...one,
          trip: bare.replace(/^(?:pick ?up|collect|dep(?:art)?|leav(?:e|es|ing)) (?:at |from )?/i, ''),
        });
    }
    shared(trips.slice(before), isMore ? crewOf(said) : NOBODY, isOneSentence(said));
    if (clauses.length > 0 || isMore) read.push({ line: said.replace(GREETING, ''), from, to: trips.length });
    above = before;
  }
  close();
  if (!isUsed && about.vehicle !== '') contexts.push(context);
  for (const [at, letter] of letters.entries()) {
    const of = trips.slice(letter.from, letters[at + 1]?.from);
    const isAnswer = letters.some(({ name }) => signers.has(name)) || REQUEST.test(letter.text);
    const isWork = !isAnswer && (letters.length > 1 || YOU.test(letter.text));
    if (isAnswer) unsure.push(letter.line);
    if (of.length === 0 || of.some(({ driver }) => driver !== '' && driver !== letter.name)) continue;
    if (isWork) for (const one of of) one.driver = letter.name;
  }
  for (const line of others)
    for (const [, who, plate] of line.matchAll(HAS))
      for (const one of trips) if (one.driver === who && one.vehicle === '') one.vehicle = plate!;
  const beside = namesBeside(trips.map(({ trip }) => trip));
  for (const [at, one] of trips.entries())
    if (one.driver === '' && beside?.[at])
      Object.assign(one, { trip: beside[at].trip, driver: beside[at].names });
  // A word alone behind a trip is a driver's name if most trips have drivers whose names are known.
  const lone = ({ driver, note }: Trip) =>
    driver === '' && LONE.test(note) && !PLACE.test(note) && !OCCASION.test(note);
  if (trips.filter(({ driver }) => driver !== '').length > trips.length / 2)
    for (const one of trips.filter(lone)) Object.assign(one, { driver: one.note, note: '' });
  if (trips.length === 0) return null;
  inMorning(trips);
  const isOfRefs = trips.some((one) => one.ref !== '');
  const isDated = trips.some((one) => one.date !== '' && one.date !== day);
  const table = trips.map(
    ({ time, trip, via, arrives, driver, vehicle, people, note, date: said, ref: no }) =>
      [
        time,
        trip,
        via,
        arrives,
        driver,
        vehicle,
        people,
        note,
        ...(isDated ? [said] : []),
        ...(isOfRefs ? [no] : []),
      ].join('\t'),
  );
  // Sentences, and lines of which a name, a number or a day is lost, are only half read.
  const isLost = (word: string, said: string) =>
    !said.includes(word.toLowerCase()) &&
    !/^(?:dep|arr|leav|pick|collect|return|drop|vehicle|driver|bus|coach|job|could|can|would|please)/i.test(
      word,
    );
  const names = (line: string) => line.match(/\b\p{Lu}\p{L}+/gu)?.filter(isFirstName) ?? [];
  const half = read.flatMap(({ line, from, to }) => {
    const own = trips.slice(from, to);
    const made = own.length > 0 ? own : trips;
    const said = made
      .map((one) => Object.values(one).join(' '))
      .join(' ')
      .toLowerCase();
    const bare = line.replaceAll(MENTION, ' ').replaceAll(/\b0\d{3,4} ?\d{3} ?\d{3,4}\b/g, ' ');
    if (others.includes(line)) return [];
    const isHalf =
      SEVERAL.test(line) ||
      clausesOf(line).some(({ words }) => words.length > LONG) ||
      [...(line.match(NAME) ?? []), ...names(line)].some((word) => isLost(word, said)) ||
      [...((own.length > 0 && bare.match(NUMBER)) || []), ...[plateIn(line) ?? []].flat()].some((word) =>
        isLost(word, said),
      ) ||
      SPELLED.test(bare) ||
      FOR_HOUR.test(bare) ||
      (from > 0 && /\btomorrow\b/i.test(line)) ||
      (/\bs?he\b/i.test(line) && made.every(({ driver }) => driver === '')) ||
      made.some(({ date: of }) => isOtherWeekday(line, of || day));
    return isHalf ? [line] : [];
  });
  const idle = contexts.flatMap(({ line }) => (IDLE.test(line) || line.match(HAS) ? [] : [line]));
  const rest = [
    ...[...new Set([...half, ...idle, ...unsure])].map((line) => `${HALF_READ}${line}`),
    ...others,
  ];
  return [
    [...HEADINGS, ...(isDated ? ['Date'] : []), ...(isOfRefs ? ['Ref'] : [])].join('\t'),
    ...table,
    ...(rest.length > 0 ? ['', ...rest] : []),
  ].join('\n');
}
/** A name alone before a time. */
const LEAD = /^(\p{Lu}\p{L}+(?: \p{Lu}\p{L}*)?)(?: again| also)?$/u;

/** Whether words are a trip. Places have a capital or a number, and a way back has words of its own. */
const isOfTrip = (words: string): boolean =>
  words.split(SENTENCE).some((part) => (/[\p{Lu}\d]/u.test(part) || BACK.test(part)) && !NO_TRIP.test(part));

const FROM_ANOTHER = /^\W*(?:[Dd]ep|[Ll]eav|[Cc]ollect|[Ff]rom).* \p{Lu}/u;

/** The reverse of the last trip that ends at the place in the words. Without such a place: the reverse of the last
 *  trip, if that trip is on the same line, from `before` on, or if the words say nothing else. */
function wayBack(trips: readonly Trip[], words: string, before: number): Trip | undefined {
  const named = words.match(/\b\p{Lu}\p{L}{3,}/gu) ?? [];
  const endsOfTrip = ({ trip }: Trip) => trip.split(' → ');
  const out =
    trips.findLast((trip) =>
      named.some(
        (name) => endsOfTrip(trip)[1]?.includes(name) && !/^(?:The|Back|Return|Leave|Depart)$/.test(name),
      ),
    ) ??
    ((trips.length > before || /^(?!all\b)\S*(?: \S+){0,3}$/i.test(words)) && !FROM_ANOTHER.test(words)
      ? trips.at(-1)
      : undefined);
  const [from, to] = out ? endsOfTrip(out) : [];
  return out && to !== undefined ? { ...out, arrives: '', trip: `${to} → ${from!}` } : undefined;
}

/** Whether a line without a trip of its own goes on about the trip in the line above: its party, its crew, its way
 *  back. */
function isBelow(said: string, clauses: readonly { words: string }[], above: readonly Trip[]): boolean {
  const { driver, vehicle, people } = aboutOf(said);
  const lacks = above.every(
    (one) =>
      (driver === '' || one.driver === '') &&
      (vehicle === '' || one.vehicle === '') &&
      (people === '' || one.people === ''),
  );
  const isOfCrew = driver + vehicle + people !== '' && !/^(?!pax|pass|people|party)\p{L}+:/iu.test(said);
  return (
    above.length > 0 &&
    lacks &&
    isOfCrew &&
    clauses.every(({ words }) => BACK.test(words) && tripIn(aboutOf(words).rest) === null)
  );
}

/** "Pearl, YX68 ONA": beside its vehicle a name is that of the driver, whatever the name. */
function crewOf(said: string): About & { rest: string } {
  const about = aboutOf(said);
  const { driver, vehicle, rest } = about;
  const isName =
    driver === '' &&
    vehicle !== '' &&
    LONE.test(rest) &&
    ![PLACE, OCCASION, NO_NAME].some((not) => not.test(rest));
  return isName ? { ...about, driver: rest, rest: '' } : about;
}

/** The one trip that a line cancels by its time and a name. */
function cancelledBy(
  said: string,
  all: readonly { time: string }[],
  trips: readonly Trip[],
): Trip | undefined {
  const at = all.map(({ time }) => timeIn(time)?.local);
  const words = said.match(/\p{Lu}\p{L}{2,}/gu) ?? [];
  const [only, ...more] = trips.filter(
    ({ time, trip, driver }) =>
      at.includes(timeIn(time)?.local) && words.some((word) => `${trip} ${driver}`.includes(word)),
  );
  return more.length === 0 ? only : undefined;
}

const addNote = (trip: Trip, note: string): void => {
  trip.note = [trip.note, note].filter(Boolean).join(', ');
};

const isReverse = (one: Trip, other: Trip | undefined): boolean =>
  other !== undefined && one.trip === other.trip.split(' → ').toReversed().join(' → ');

/** If ways back are in the afternoon, and the ways out are in order, then these are in the morning. */
function inMorning(trips: readonly Trip[]): void {
  const outs = trips.filter((one, at) => !isReverse(one, trips[at - 1]));
  const times = outs.map(({ time }) => timeIn(time));
  const isInOrder = times.every((one, at) => (one?.local ?? '') >= (times[at - 1]?.local ?? ''));
  if (isInOrder && trips.some(({ time }) => time.endsWith('pm')) && outs.length < trips.length)
    for (const [at, one] of outs.entries()) if (times[at]?.isLoose) one.time = `${one.time} am`;
}

/** A driver, a vehicle or a number that a line names once counts for all its trips, or for the way out and back. */
function shared(trips: readonly Trip[], said: About, isOne: boolean): void {
  for (const field of ['driver', 'vehicle', 'people'] as const) {
    const [only = said[field], ...more] = new Set(trips.flatMap((one) => one[field] || []));
    const isPair = trips.length < 3 && (trips.length < 2 || isReverse(trips[1]!, trips[0]));
    const isOfAll = more.length === 0 && (isOne || isPair) && (field !== 'people' || isPair);
    for (const [at, one] of trips.entries())
      one[field] ||= isOfAll ? only : isReverse(one, trips[at - 1]) ? trips[at - 1]![field] : '';
  }
  for (const [at, one] of trips.entries())
    if (isReverse(one, trips[at - 1])) one.time = inHalf(one.time, trips[at - 1]!.time);
}

/** Whether all times of a line are in one of its sentences. */
const isOneSentence = (said: string): boolean =>
  said.split(/[.;!?] (?=\p{Lu})/u).filter((sentence) => sentence.match(MENTION) !== null).length < 2;

/** The time of a way back after the way out: "3.20" after "7.35" is "3.20pm". */
function inHalf(back: string, out: string): string {
  const [again, leaves] = [timeIn(back), timeIn(out)];
  const local = again && leaves ? backAfter(again, leaves.local) : '24:00';
  return local < '24:00' && local !== again?.local ? `${back} pm` : back;
}

const sumOf = (stops: readonly Trip[]): string =>
  stops.every(({ people }) => people !== '')
    ? String(stops.reduce((sum, { people }) => sum + Number(people), 0))
    : '';

/** The parts of a line with one time each; `before`: the words before the first of them. */
function clausesOf(line: string): { time: string; words: string; before: string }[] {
  if (dayIn(line, '2026-01-01') !== null) return [];
  // A time in brackets is a remark.
  const open = line.replaceAll(/\((?!(?:rtn|ret|return|back)\b)[^()]*\)/gi, (brackets) =>
    '_'.repeat(brackets.length),
  );
  const found = [...open.matchAll(MENTION)].filter(
    ({ 0: time, index }) => timeIn(time) !== null && !REMARKED.test(line.slice(0, index)),
  );
  const [first] = found;
  const isLeading = first !== undefined && (first.index < 40 || tripIn(line.slice(0, first.index)) === null);
  const from = found.map(({ index }, at) => {
    if (at === 0) return 0;
    const before = found[at - 1]!;
    const start = before.index + before[0].length;
    const between = line.slice(start, index);
    const marks = [
      ...between
        .replaceAll(/\([^()]*\)/g, (brackets) => '_'.repeat(brackets.length))
        .matchAll(
          /[.;] | [/|] |, (?:then|and) | then |, | \(?(?=(?:ret|rtn|returns?|returning|back|home|coming back)(?: at)? ?$)| and (?=(?:at|leaves?|leaving|departs?|returns?|he|she|they|it)\b)/gi,
        ),
    ];
    // A sentence that ends between them is of the first.
    const last =
      marks.findLast(([mark]) => /[.;]/.test(mark)) ??
      marks.findLast(([mark]) => /[^ (]/.test(mark)) ??
      marks.at(-1);
    const behind = last && last.index + last[0].length;
    const isOfNext =
      behind !== undefined && (!isLeading || tripIn(aboutOf(between.slice(behind)).rest) === null);
    return isOfNext ? start + behind : index;
  });
  return found.map(({ index, 0: time }, at) => {
    const before = line
      .slice(from[at], index)
      .replace(/(?:\b(?:at|dep\.?|@|leaves?|approx)|(?<=[:–-] )pick up)\s*$/i, '');
    const after = line
      .slice(index + time.length, from[at + 1])
      .replace(/^ ?(?:hrs?|sharp)\b/i, '')
      .replace(/^\)/, ',');
    // Words before the time belong to the trip only if the words behind it are not a whole trip.
    const isTrip = tripIn(aboutOf(after).rest) !== null;
    const { driver, vehicle } = aboutOf(before);
    const isNamed = at > 0 && driver + vehicle !== '';
    return { time, words: isTrip && !isNamed ? after : `${before} ${after}`, before: at === 0 ? before : '' };
  });
}
