/** Turns times in Welsh, in words ("half past nine", "a fortnight") and by name ("Boxing Day") into English words
 *  and figures, which the other files read. */
import { london, LONDON_CLOCK, MONTHS } from '#contract/london.ts';
import { clockText } from './timeTokens.ts';

const NOON = 12 * 60;

/** `written`: when the text was written, UTC. */
export function plainTimes(text: string, written: string): string {
  const figures = inFigures(fromWelsh(withNotice(text)), written);
  const said = IS_PLAIN.test(figures)
    ? PLAIN.reduce((so, [words, plain]) => so.replace(words, plain), figures)
    : figures;
  return withDates(said);
}

/** Most texts have no such words, so they cost only this check. */
const IS_PLAIN =
  /\b(?:(?:incident|log|cad|ref\w*)(?: no\.?| number)?:? ?\d|before \d[\d:.apm]* or after \d|(?:instead of|rather than) |no (?:work|works|closures?) on |fortnight|will now|\d{1,2}h\d|within the|tmrw|wks|postponed|rescheduled|moved|(?:put|pushed) back|deferred|brought forward|into (?:the (?:early hours|morning) of )?\w+day)|\/\d{1,2}(?:st|nd|rd|th)? \w{3}|\((?:was|previously|originally|instead) /i;
/** "Incident 61 of 28 November", "Log 188 27/11": the date is that of a record of the police. */
const REFERENCE = new RegExp(
  [
    String.raw`\b(?:incident|log|cad|ref(?:erence)?)(?: (?:no\.?|number))?:? ?\d{1,5} (?:(?:of|on|dated) )?(?:\w+day )?`,
    String.raw`(?:today(?:['’]s date)?|\d{1,2}(?:\/\d{1,2}(?:\/(?:\d{4}|\d{2}))?|(?:st|nd|rd|th)? (?:${MONTHS.join('|')})[a-z]*(?: \d{4})?))\b`,
  ].join(''),
  'gi',
);
/** "On 4 December instead of 27 November" */
const INSTEAD = new RegExp(
  String.raw`,? (?:instead of|rather than)(?: (?:on|at|from|the))*(?: \w+day)?(?: \d{1,2}(?:st|nd|rd|th)? (?:${MONTHS.join('|')})[a-z]*| \d{1,2}(?:[:.]\d{2})? ?[ap]m| \d{1,2}[:.]\d{2}|(?<=day))\b`,
  'gi',
);
/** A closure that is postponed counts at its new time. */
const PLAIN: readonly (readonly [RegExp, string])[] = [
  [/\b(?:a )?fortnight\b/gi, 'two weeks'],
  [/\bwithin the (?:next )?hour\b/gi, 'within one hour'],
  [/\btmrw\b/gi, 'tomorrow'],
  [/\b(\d{1,2})h([0-5]\d)\b/gi, '$1:$2'],
  [/\bwks\b/gi, 'weeks'],
  [REFERENCE, ''],
  [INSTEAD, ''],
  [
    /,? (?:(?:and|but|with) )?(?:there (?:will be|is|are) )?no (?:work|works|closures?) on (?=\w+days?\b)/gi,
    ' except ',
  ],
  // "No trains before 07:30 or after 18:30": the hours between them are free.
  [
    /(?<=\b(?:no|not)\b[^.;]{0,80} )before (\d{1,2}[:.]?\d{2}|\d{1,2} ?[ap]m) or after (\d{1,2}[:.]?\d{2}|\d{1,2} ?[ap]m)/gi,
    'from midnight to $1 and from $2 to midnight',
  ],
  // "Now 14 to 18 December (was 7 to 11 December)"
  [/ ?\((?:was|previously|originally|instead of) (?!issued|closed|shut|blocked|reported)[^()]{1,60}\)/gi, ''],
  // "Thursday night into Friday morning", "the night of 3/4 December": the day on which the night begins.
  [
    /(?<=\b\w+day\b[^.;]{0,25}) into (?:the (?:early hours|morning) of )?\w+day(?: morning)?(?: (?:the )?\d{1,2}(?:st|nd|rd|th)?(?: \p{Lu}\p{L}{2,8})?)?\b(?! ?(?:at )?\d)/giu,
    '',
  ],
  [
    /(?<=\bnight\b[^.;]{0,30}\b\d{1,2}(?:st|nd|rd|th)?)\/\d{1,2}(?:st|nd|rd|th)?(?= \p{Lu}\p{L}{2,8}\b)/giu,
    '',
  ],
  [
    /^(?![^.;]*\b(?:re-?opening|completion)\b)[^.;]*\b(?:postponed|rescheduled|moved|put back|pushed back|deferred|brought forward)\b(?:(?!\bfrom (?:\d{1,2}[:.]\d|\d{4}|\d{1,2} ?[ap]m))[^.;]){0,40}? (?:until|to|for)(?= (?:\d|\p{L}+day\b|tonight\b|tomorrow\b))/iu,
    'On',
  ],
  [
    /^[^.;]*\b(?:planned|scheduled|due|meant|advertised|postponed|rescheduled|moved)\b[^.;]{0,60}? will now (?:take place|happen|start|begin|run|be (?:done|carried out|held)|be(?= on| at| from))(?: on)?/i,
    'On',
  ],
];

/** A notice to pilots, with times in UTC: "B) 2611302300 C) 2612050500 D) DAILY 2300-0500". */
const NOTICE = /\bB\) ?(\d{10})\s+C\) ?(\d{10})(?:\s+D\)\s+DAILY\s+(\d{4})-(\d{4}))?/g;
const DATE = london({ day: 'numeric', month: 'long', year: 'numeric' });

function noticeInstant(digits: string): Date {
  const [year, month, day, hour, minute] = digits.match(/\d\d/g)!.map(Number); // ten digits
  return new Date(Date.UTC(2000 + year!, month! - 1, day, hour, minute));
}

const withNotice = (said: string) =>
  said.replace(NOTICE, (_, from: string, to: string, opens?: string, ends?: string) => {
    const [starts, stops] = [from, to].map(noticeInstant) as [Date, Date];
    const hours = [opens, ends].map((clock) =>
      LONDON_CLOCK.format(noticeInstant(`${from.slice(0, 6)}${clock ?? '0000'}`)),
    );
    const when = [starts, stops].map((at) => `${LONDON_CLOCK.format(at)} on ${DATE.format(at)}`);
    return `from ${when.join(' until ')}${opens ? `. Daily ${hours.join('-')}` : ''}`;
  });

const HOLIDAYS: readonly (readonly [RegExp, string])[] = [
  [/\bChristmas Eve\b/gi, '24 December'],
  [/\bChristmas Day\b/gi, '25 December'],
  [/\bBoxing Day\b/gi, '26 December'],
  [/\bNew Year['’]?s Eve\b/gi, '31 December'],
  [/\bNew Year['’]?s Day\b/gi, '1 January'],
];
/** Days with a name as dates. */
const withDates = (said: string) =>
  /christmas|boxing|new year/i.test(said)
    ? HOLIDAYS.reduce((text, [name, date]) => text.replace(name, date), said)
    : said;

const SPOKEN = 'one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve';
const MINUTES = String.raw`quarter|five|ten|twenty(?:[- ]five)?`;
/** "Half past nine", "ten to nine", "half six". The last two count only at places where a time can stand. */
const SPOKEN_CLOCK = new RegExp(
  [
    String.raw`\b(?:(?<past>half|a ${MINUTES}|${MINUTES}) past|(?<=\b(?:at|about|around|since|from|until|till|by|before|after|between|and|shortly|just) )(?:(?<to>a quarter|${MINUTES}) to|half)|(?<=\bto )half)`,
    String.raw` (?<hour>${SPOKEN}|1[0-2]|[1-9])\b(?![:.]\d|[ap]m| ?%| (?:minutes?|hours?|days?|weeks?|miles?|metres|lanes?|people|passengers|officers|firefighters|homes|cars|lorries|vehicles|trains|services)\b)`,
    String.raw`(?: ?(?<join>to|till|until|-|–) ?(?<last>${SPOKEN})\b)?`,
  ].join(''),
  'gi',
);
const MINUTES_OF: Readonly<Record<string, number>> = {
  half: 30,
  quarter: 15,
  five: 5,
  ten: 10,
  twenty: 20,
  'twenty five': 25,
};
const numberOf = (word: string) => Number(word) || SPOKEN.split('|').indexOf(word.toLowerCase()) + 1;

/** A time in words. Without words for the half of the day, an hour is one of working hours. */
function spokenClock(hour: number, minute: number, part: string): string {
  const isLate =
    part === ''
      ? hour < 7 || hour === 12
      : part !== 'morning' && hour < 12 && !(part === 'night' && hour < 6);
  return clockText((hour % 12) * 60 + minute + (isLate ? NOON : 0));
}

/** "We got the call at quarter past six" */
const IS_CALLED = /\b(?:calls?|called|reports?|reported|happened|occurred)\b[^.;]{0,40}$/i;

const minutesNow = (written: string) => {
  const [hours, minutes] = LONDON_CLOCK.format(new Date(written)).split(':').map(Number) as [number, number];
  return hours * 60 + minutes;
};

/** The last such time before the text was written. */
function lastClock(hour: number, minute: number, written: string): string {
  const [now, early] = [minutesNow(written), (hour % 12) * 60 + minute];
  return clockText(early + (now < early || early + NOON <= now ? NOON : 0));
}

/** Lengths such as "an hour and a half" in minutes. */
const SPOKEN_LENGTHS: readonly (readonly [RegExp, (...groups: string[]) => string])[] = [
  [/\bthree[- ]quarters of an hour\b/gi, () => '45 minutes'],
  [/\b(?:half an hour|a half[- ]hour)\b/gi, () => '30 minutes'],
  [/\b(?:an?|one) hour and a half\b/gi, () => '90 minutes'],
  [/\b(another) hour and a half\b/gi, (_, another = '') => `${another} 90 minutes`],
];

const HOUR = String.raw`${SPOKEN}|1[0-2]|[1-9]`;
/** "Since about seven this morning", "eight o'clock" */
const SPOKEN_HOUR = new RegExp(
  String.raw`\b(?:(?<clock>${HOUR}) o['’]clock\b(?: in the (?<half>morning|afternoon|evening)\b)?|(?<=\b(?:at|about|around|since|from|until|till|by|before|after) )(?<hour>${HOUR})(?= (?:(?:this|tomorrow|yesterday|in the|on \w+day) )?(?<part>morning|afternoon|evening|tonight|last night)\b)|(?<=\b(?:tonight|evening|night),? (?:from|at) )(?<late>${HOUR})(?= (?:until|till?|to|and)\b|[.,;](?!\d)|$)|(?<=\b(?:until|till|til|since) (?:just |shortly )?(?:about |around |after |before )?)(?<bare>[1-9]|1[0-2])(?=\.?$|[.;] | (?:for|because|due|while|as|to allow)\b))`,
  'gi',
);

/** "Closed tonight for works from", "this evening, expected to clear by", before an hour. Behind a comma only words of
 *  time still belong to the evening: "delays all evening, crash at 7 o'clock". */
const EVENING = new RegExp(
  String.raw`\b(tonight|evening)\b(?:(?:(?!\b(?:tomorrow|morning)\b)[^.;,])*|, (?:(?:at|about|around|approximately|shortly|just|since|from|starting|beginning|between|until|till?|by|before|after|to|and|expected to (?:clear|re-?open)|(?:${HOUR})(?: o['’]clock)?) )*)$`,
  'i',
);
/** "From 10 o'clock to", before an earlier hour of the next morning. */
const OPENING = new RegExp(String.raw`\b(${HOUR})(?: o['’]clock)? (?:until|till?|to|and) $`, 'i');

/** The most characters of a clause that are read, so that a long text takes no longer. */
const CLAUSE_MAX = 120;

function eveningBefore(said: string, hour: number): string | undefined {
  const before = said.slice(-CLAUSE_MAX);
  const evening = EVENING.exec(before)?.[1];
  const opening = OPENING.exec(before)?.[1];
  return evening && opening && numberOf(opening) > hour ? 'morning' : evening;
}

const HAS_HOUR =
  /\b(?:morning|afternoon|evening|tonight|last night)\b|o['’]clock|\b(?:until|till?|since)\b[^.;]{0,15} \d{1,2}(?:\.?$|[.;] )/i;

/** The word that says on which side of the writing a time is. */
const TOWARDS = /\b(?:(?<next>until|till?|by)|since) (?:(?:just|shortly|about|around|after|before) )*$/i;
/** The time is of another day, or belongs to a start: "Friday until 5", "from 9am until 5". */
const OF_OTHER = new RegExp(
  String.raw`\b(?:from|between|tomorrow|\p{L}+(?<!\bto)day|\d{1,2}(?:st|nd|rd|th)? (?:${MONTHS.join('|')}))\b`,
  'iu',
);

/** The hour nearest to the time of writing, in the half of the day that it then has: until the next, since the last.
 *  Null if the words of its sentence before it give no side of the writing, or name another day. */
function nearestHour(hour: number, [before, after]: [string, string], written: string): string | null {
  const towards = TOWARDS.exec(before);
  if (!towards || OF_OTHER.test(`${before} ${after}`)) return null;
  const now = minutesNow(written);
  const early = (hour % 12) * 60;
  const isLate = towards.groups!.next
    ? early <= now && now < early + NOON
    : now < early || early + NOON <= now;
  return clockText(early + (isLate ? NOON : 0));
}

function hoursInFigures(text: string, written: string): string {
  if (!HAS_HOUR.test(text)) return text;
  return text.replace(SPOKEN_HOUR, (whole, ...rest) => {
    const {
      late,
      hour = late,
      half: own = late && 'night',
      part = own,
      bare,
      clock = hour ?? bare!,
    } = rest.at(-1) as Record<string, string | undefined>; // one of the four
    const [at, said] = rest.slice(-3) as [number, string]; // its place and text
    const after = said.slice(at + whole.length);
    const figure = numberOf(clock);
    const half =
      part ??
      /^ (?:this |in the |tomorrow )?(morning|evening|tonight)\b/i.exec(after)?.[1] ??
      (/^ tomorrow\b/i.test(after) ? '' : (eveningBefore(said.slice(0, at), figure) ?? ''));
    const beside: [string, string] = [
      said.slice(0, at).split(/[.;]/).at(-1)!, // there is always one
      after.split(/[.;]/)[0]!,
    ];
    const nearest = half || hour ? null : nearestHour(figure, beside, written);
    return nearest ?? spokenClock(figure, 0, half.toLowerCase().replace(/^(?:to|last )night/, 'night'));
  });
}

/** Writes clock times and lengths in words as figures. */
function inFigures(text: string, written: string): string {
  const hours = hoursInFigures(text, written);
  if (!/\b(?:half|quarter|past|(?:five|ten|twenty) to)\b/i.test(hours)) return hours;
  const said = SPOKEN_LENGTHS.reduce((so, [words, figures]) => so.replace(words, figures), hours);
  return said.replace(SPOKEN_CLOCK, (whole, ...rest) => {
    const groups = rest.at(-1) as Record<string, string | undefined>; // with named groups, the last argument holds them
    const at = rest.at(-3) as number;
    const [part = ''] =
      /^(?: \w+){0,2}? (?:morning|afternoon|evening|night|tonight)\b/i.exec(said.slice(at + whole.length)) ??
      [];
    const count = (groups.past ?? groups.to ?? 'half').toLowerCase().replace(/^a /, '');
    const minutes = MINUTES_OF[count.replace('-', ' ')]!; // one of them
    const isPast = part === '' && IS_CALLED.test(said.slice(Math.max(0, at - CLAUSE_MAX), at));
    const hour = numberOf(groups.hour!); // every match has one
    const half = part.split(' ').at(-1)!.toLowerCase();
    const [atHour, atMinute] = groups.to ? [hour === 1 ? 12 : hour - 1, 60 - minutes] : [hour, minutes];
    const first = isPast ? lastClock(atHour, atMinute, written) : spokenClock(atHour, atMinute, half);
    return groups.last ? `${first} ${groups.join} ${spokenClock(numberOf(groups.last), 0, half)}` : first;
  });
}

const WELSH =
  /\b(?:ar gau|ar agor|ail-?agor|ffordd|cau|tan|hyd|erbyn|rhwng|ers|bob|nos|dydd|ddydd|fore|bore|heno|yfory|neithiwr|wythnos|cyhoeddwyd|(?:Ionawr|Chwefror|[MF]awrth|Ebrill|[MF]ai|[MF]ehefin|G?orffennaf|Awst|[MF]edi|Hydref|[TD]achwedd|Rh?agfyr))\b/i;

const WELSH_DAYS: Readonly<Record<string, string>> = {
  llun: 'Monday',
  lun: 'Monday',
  mawrth: 'Tuesday',
  fawrth: 'Tuesday',
  mercher: 'Wednesday',
  fercher: 'Wednesday',
  iau: 'Thursday',
  gwener: 'Friday',
  wener: 'Friday',
  sadwrn: 'Saturday',
  sul: 'Sunday',
};
const WELSH_DAY = new RegExp(
  String.raw`\b(?:d?dydd|nos|fore|bore|b?pnawn|b?prynhawn|brynhawn) (${Object.keys(WELSH_DAYS).join('|')})\b`,
  'gi',
);
const ENGLISH_DAY = `(?:${[...new Set(Object.values(WELSH_DAYS))].join('|')})`;

/** In Welsh, first letters change after certain words. */
const WELSH_MONTHS: readonly (readonly [RegExp, string])[] = [
  ['Ionawr', 'January'],
  ['Chwefror', 'February'],
  ['[MF]awrth', 'March'],
  ['Ebrill', 'April'],
  ['[MF]ai', 'May'],
  ['[MF]ehefin', 'June'],
  ['G?orffennaf', 'July'],
  ['Awst', 'August'],
  ['[MF]edi', 'September'],
  ['Hydref', 'October'],
  ['[TD]achwedd', 'November'],
  ['Rh?agfyr', 'December'],
].map(([welsh, english]) => [new RegExp(String.raw`(?<=\d |\b[mf]is )${welsh}\b`, 'gi'), english!]);

const WELSH_COUNTS: readonly (readonly [RegExp, string])[] = [
  ['un', 'one'],
  ['d?dau|d?dwy', 'two'],
  ['[td]ri|[td]air', 'three'],
  ['[pb]edwar|[pb]edair', 'four'],
  ['[pb]ump?', 'five'],
  ['chwech?', 'six'],
  ['saith', 'seven'],
  ['wyth', 'eight'],
  ['naw', 'nine'],
  ['d?deg', 'ten'],
].map(([welsh, english]) => [
  new RegExp(String.raw`\b(?:${welsh})(?= (?:awr|noson|diwrnod|ddiwrnod|wythnos|mis|fis)\b)`, 'gi'),
  english!,
]);

/** Days, months and counts are in English before these words are replaced. */
const WELSH_WORDS: readonly (readonly [RegExp, string])[] = [
  [/\bhyd nes (?:y )?(?:clywir|rhoddir gwybod|hysbysir) yn wahanol\b/gi, 'until further notice'],
  [/\b(?:wedi ail-?agor|ar agor (?:eto|unwaith eto))(?: ers)?\b/gi, 'reopened'],
  [/\b(?:d?disgwylir|disgwyl) [^.;]{0,40}?\b(?:ail-?agor|glirio|clirio)\b/gi, 'expected to reopen'],
  [/(\d{1,2}(?:[:.]\d{2})?) ?(?:yb|y\.b\.?|y bore|o'r gloch y bore)(?![a-z])/gi, '$1am'],
  [/(\d{1,2}(?:[:.]\d{2})?) ?(?:yh|yp|y\.[hp]\.?|y prynhawn|yr hwyr)(?![a-z])/gi, '$1pm'],
  [/\bhanner dydd\b|\bcanol dydd\b/gi, 'noon'],
  [/\bhanner nos\b/gi, 'midnight'],
  [/\b(?:y )?bore (?:heddiw|yma|['’]?ma)\b/gi, 'this morning'],
  [/\b(?:y )?prynhawn (?:heddiw|yma|['’]?ma)\b/gi, 'this afternoon'],
  [/\bbob nos\b/gi, 'each night'],
  [/\bbob dydd\b|\byn ddyddiol\b/gi, 'daily'],
  [/\bdros nos\b|\byn ystod y nos\b/gi, 'overnight'],
  [/\bbob penwythnos\b/gi, 'every weekend'],
  [/\bpenwythnos\b/gi, 'weekend'],
  [/\bbob(?= [MTWFS])/g, 'every'],
  [/\bneithiwr\b/gi, 'last night'],
  [/\bddoe\b/gi, 'yesterday'],
  [/\bheno\b/gi, 'tonight'],
  [/\byfory\b/gi, 'tomorrow'],
  [/\bheddiw\b/gi, 'today'],
  [/\bcyhoeddwyd (?:am )?(?=\d)/gi, 'issued at '],
  [/\bers\b/gi, 'since'],
  [/\berbyn\b/gi, 'by'],
  [/\b(?:tan|hyd at|hyd)\b/gi, 'until'],
  [/\brhwng\b/gi, 'between'],
  [/\bam bythefnos\b/gi, 'for two weeks'],
  [/\bam(?= (?:one|two|three|four|five|six|seven|eight|nine|ten|\d+) )/g, 'for'],
  [/\bawr\b/gi, 'hours'],
  [/\bnoson\b/gi, 'nights'],
  [/\bd?diwrnod\b/gi, 'days'],
  [/\bwythnos\b/gi, 'weeks'],
  [/\b[mf]is\b/gi, 'months'],
  [new RegExp(String.raw`\bo(?= (?:\d|${ENGLISH_DAY}|today|tonight|tomorrow))`, 'gi'), 'from'],
  [new RegExp(String.raw`(?<=\b[\p{L}\d]{2,9}) i (?=\d|${ENGLISH_DAY})`, 'giu'), ' to '],
  [new RegExp(String.raw`\bac?(?= (?:\d|${ENGLISH_DAY}))`, 'gi'), 'and'],
  [/\bar gau\b/gi, 'closed'],
];

/** The text in English words; the text itself if it is not Welsh. */
function fromWelsh(text: string): string {
  if (!WELSH.test(text)) return text;
  const inMonths = WELSH_MONTHS.reduce((said, [welsh, english]) => said.replace(welsh, english), text);
  const inDays = inMonths.replace(WELSH_DAY, (_, day: string) => WELSH_DAYS[day.toLowerCase()]!); // one of them
  const inCounts = WELSH_COUNTS.reduce((said, [welsh, english]) => said.replace(welsh, english), inDays);
  return WELSH_WORDS.reduce((said, [welsh, english]) => said.replace(welsh, english), inCounts);
}
