/** The figures in a text: "10 minutes", "lane 2", "until 15:30", "22 Nov", "£5", "3 of 4 lanes". A figure is its
 *  value with its unit or noun, so "10 minutes" is never proved by "10 miles". Different spellings are the same
 *  figure: "45 mins", "45-minute" and "forty-five minutes"; "J20" and "junction 20"; "3.30pm" and "15:30". Pure. */
import { MONTHS } from '#contract/london.ts';

export interface Figure {
  kind: 'amount' | 'count' | 'label' | 'date' | 'time';
  /** The unit of an amount, or the word before a label's number. "" for other figures: the noun of a count stands
   *  after it. */
  unit: string;
  /** "45", "10–20", "3/4", "15:30", "22 nov". Only labels can have several: "lanes 1 and 2". */
  values: string[];
  /** Only for dates that state a year. */
  year?: string;
  /** "up to 45" is neither "45" nor "at least 45". */
  bound: '' | 'most' | 'least' | 'under' | 'about';
  /** "until 15:30" is not "from 15:30". */
  role: '' | 'from' | 'until' | 'by';
}

export interface Found extends Figure {
  /** Its position in the text, with the words that belong to it: from `start` to before `end`. */
  start: number;
  end: number;
}

const ONES =
  `zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen
  eighteen nineteen`.split(/\s+/);
const TENS = ['twenty', 'thirty', 'forty', 'fifty', 'sixty', 'seventy', 'eighty', 'ninety'];
const NUMBER_WORDS = new Map([
  ...ONES.map((word, value) => [word, value] as const),
  ...TENS.map((word, index) => [word, (index + 2) * 10] as const),
]);
const NUMBER_WORD = new RegExp(
  String.raw`(?<!\bno )\b(?:(${TENS.join('|')})[ -](${ONES.slice(1, 10).join('|')})|(${[...ONES, ...TENS].join('|')})|(a dozen))\b(?! another)`,
  'gi',
);

const NOT_MEASURED = String.raw`(?!\d|[.:]\d| ?(?:minutes?|mins?|hours?|hrs?|miles?|km|m|lanes?|trains|vehicles|people)\b)`;
const JUNCTIONS = new RegExp(
  String.raw`\b(?:junctions|jcts\.?|jns) (\d{1,2}[a-z]?(?: ?(?:,|and|to|&|/|-|–) ?j?\d{1,2}[a-z]?\b${NOT_MEASURED})*)`,
  'gi',
);
const JUNCTION = new RegExp(
  String.raw`\b(?:junction |jct\.? ?|jn ?|j)(\d{1,2}[a-z]?)\b((?: ?(?:to|/|-|–) ?\d{1,2}[a-z]?\b${NOT_MEASURED})?)`,
  'gi',
);

/** Writes number words as digits, and junctions as on road signs, so that each figure has one spelling. */
export function inFigures(text: string): string {
  return text
    .replaceAll(/(\d)½/g, '$1.5')
    .replaceAll('½', '0.5')
    .normalize('NFKC')
    .replaceAll('’', "'")
    .replaceAll(NUMBER_WORD, (_, ten, one, alone, dozen) => {
      if (dozen) return '12';
      if (alone) return String(NUMBER_WORDS.get(alone.toLowerCase()));
      return String(NUMBER_WORDS.get(ten.toLowerCase())! + NUMBER_WORDS.get(one.toLowerCase())!); // the pattern matches both words
    })
    .replaceAll(/\b(\d{1,2}) hundred\b/gi, (_, count) => `${count}00`)
    .replaceAll(/\b(\d{1,3}) thousand\b/gi, (_, count) => `${count}000`)
    .replaceAll(/\ba (hundred|thousand)\b/gi, (_, size) => (/h/i.test(size[0]) ? '100' : '1000'))
    .replaceAll(JUNCTION, (_, first, rest) => `J${first}${rest.replaceAll(/\d{1,2}[a-z]?\b/gi, ' J$& ')}`)
    .replaceAll(JUNCTIONS, (_, list) => list.replaceAll(/\bj?(\d{1,2}[a-z]?)\b/gi, 'J$1'));
}

const NUMBER = String.raw`(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?`;
/** These two characters stand for all other letters and digits. An expression with \p{L} and \p{N} takes 200 ms to
 *  make, one with these takes 20 ms. They cannot occur in the text: NFKC turns the first into "a" and the second
 *  into "2". */
const [OTHER_LETTER, OTHER_DIGIT] = ['ª', '²'];
const LETTER = `[a-zA-Z${OTHER_LETTER}]`;
const DIGIT = String.raw`[\d${OTHER_DIGIT}]`;
/** Skips digits inside another figure: the 20 of "J20", or the 5 of "1.5". */
const NOT_WITHIN = `(?<!${LETTER}|${DIGIT}[.,:]?)`;
const END = `(?!${LETTER}|${DIGIT})`;

interface Unit {
  unit: string;
  /** How many base units this unit is. */
  times?: number;
  words: string;
}

/**
 * Durations up to hours are counted in minutes, so that "an hour" is "60 minutes". Other units keep their usual form.
 */
const UNITS: readonly Unit[] = [
  { unit: 'minute', words: 'minutes?|mins?' },
  { unit: 'minute', times: 60, words: 'hours?|hrs?' },
  { unit: 'second', words: 'seconds|secs?' },
  { unit: 'day', words: 'days?' },
  { unit: 'night', words: 'nights?' },
  { unit: 'week', words: 'weeks?' },
  { unit: 'month', words: 'months?' },
  { unit: 'year', words: 'years?' },
  { unit: 'mph', words: 'mph|miles (?:per|an) hour' },
  { unit: 'km/h', words: 'km/h|kph|kmh' },
  { unit: 'mile', words: 'miles?' },
  { unit: 'km', words: 'kms?|kilomet(?:re|er)s?' },
  { unit: 'metre', words: 'met(?:re|er)s?' },
  { unit: 'cm', words: 'cms?|centimet(?:re|er)s?' },
  { unit: 'mm', words: 'mms?|millimet(?:re|er)s?' },
  { unit: 'foot', words: 'feet|foot|ft' },
  { unit: 'yard', words: 'yards?|yds?' },
  { unit: 'knot', words: 'knots?|kts?' },
  { unit: 'tonne', words: 'tonnes?' },
  { unit: '°F', words: '°f|degrees fahrenheit' },
  { unit: '°C', words: '° ?c|°|degrees(?: c(?:elsius)?)?|c' },
  { unit: '%', words: '%|per cent|percent|pc' },
  { unit: '£', words: 'pounds?' },
  { unit: 'p', words: 'pence|p' },
  // "m" can be metres, minutes, miles or millions, so it equals only another "m".
  { unit: 'm', words: 'm' },
];
const UNIT = `(?:${UNITS.map(({ words }) => words).join('|')})`;
const unitOf = (written: string): Unit =>
  UNITS.find(({ words }) => new RegExp(`^(?:${words})$`, 'i').test(written))!; // these words found the unit

/** A number after these words names something and does not count it: "lane 2" is not "2 lanes". */
const LABEL =
  'lane|platform|terminal|gate|exit|zone|route|bus|runway|stand|pier|level|category|flight|coach|carriage|class|phase|stage|section|grade|number|no|door|car park';

/** The first letter at least must be a capital: "may" and "march" are ordinary words too. */
const MONTH =
  '(?:Jan(?:uary)?|JAN(?:UARY)?|Feb(?:ruary)?|FEB(?:RUARY)?|Mar(?:ch)?|MAR(?:CH)?|Apr(?:il)?|APR(?:IL)?|May|MAY|June?|JUNE?|July?|JULY?|Aug(?:ust)?|AUG(?:UST)?|Sept?(?:ember)?|SEPT?(?:EMBER)?|Oct(?:ober)?|OCT(?:OBER)?|Nov(?:ember)?|NOV(?:EMBER)?|Dec(?:ember)?|DEC(?:EMBER)?)';
/** A verb after the word means that it is no month, as in "delays of 10 MAY BE LONG". */
const NOT_A_VERB = String.raw`(?! (?:[Bb]e|BE|[Hh]ave|HAVE|[Nn]ot|NOT|[Oo]ccur|OCCUR|[Ss]till|[Ss]ee|[Cc]ause|[Aa]ffect)\b)`;
const ORDINAL = '(?:st|nd|rd|th)?';

const BOUND_BEFORE: readonly [Figure['bound'], RegExp][] = [
  [
    'most',
    /\b(?:up to|(?:no|not) more than|at most|as (?:much|many|long) as|(?:a )?max(?:imum)?(?: of)?)\s*$/i,
  ],
  [
    'least',
    /\b(?:at least|(?:a )?min(?:imum)? of|more than|over|in excess of|exceeding|upwards of|above)\s*$/i,
  ],
  ['under', /\b(?:less than|fewer than|under|below|within)\s*$/i],
  ['about', /(?:\b(?:about|around|approx(?:imately|\.)?|roughly|some|nearly|almost|circa|c\.)|~)\s*$/i],
];
const BOUND_AFTER: readonly [Figure['bound'], RegExp][] = [
  ['least', /^(?:\s+(?:or (?:more|longer|over)|plus)\b|\+)/i],
  ['most', /^\s+(?:or (?:less|under)|maximum|max)\b/i],
];

const ROLE_BEFORE: readonly [Figure['role'], RegExp][] = [
  ['from', /\b(?:from|since|after|starting|beginning|begins?|starts?)(?: (?:on|at))?\s*$/i],
  ['until', /\b(?:until|till|til|to|through|ends?|ending)(?: (?:on|at))?\s*$/i],
  ['by', /\b(?:by|before)\s*$/i],
  ['', /\b(?:on|at|around|about)\s*$/i],
];
const BETWEEN = /\bbetween\s*$/i;
const RANGE = /^\s*(?:-|–|—|to|until|till)\s*$/i;
/** "22 Nov at 23:00", "23:00 on Sunday 22 Nov": one moment. */
const SAME_MOMENT =
  /^[\s,]*(?:(?:on|at|of)\b[\s,]*)?(?:(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?\b[\s,]*)?$/i;

/** Every figure in this text, in order. The text must have been through `inFigures`. */
export function figuresOf(text: string): Found[] {
  const found: Found[] = [];
  let rest = text
    .replaceAll(/(?![a-zA-Z])\p{L}/gu, (letter) => OTHER_LETTER.repeat(letter.length))
    .replaceAll(/(?!\d)\p{N}/gu, (digit) => OTHER_DIGIT.repeat(digit.length));
  /** Notes a figure and hides it from later searches. */
  const take = (
    pattern: string,
    figure: (match: RegExpExecArray) => Partial<Figure> | null,
    flags = 'gi',
  ) => {
    for (const match of rest.matchAll(expressionOf(pattern, flags))) {
      const made = figure(match);
      if (!made) continue;
      const [start, end] = [match.index, match.index + match[0].length];
      found.push({ kind: 'amount', unit: '', values: [], bound: '', role: '', ...made, start, end });
      rest = rest.slice(0, start) + '\u0000'.repeat(end - start) + rest.slice(end);
    }
  };

  takeMoments(take);
  takeAmounts(take);
  const label = String.raw`\d+[a-z]?\b(?!\.?\d|[\s-]?${UNIT}${END})`;
  take(
    String.raw`(${LABEL})(?:e?s)?\.? (?:no\.? ?|number )?(${label}(?:(?:, ?| ?(?:and|or|to|&|-|–|/) ?)${label})*)(?: of (?:the )?\d+${END})?`,
    ([, word, list]) => ({ kind: 'label', unit: word!.toLowerCase(), values: labelsIn(list!) }),
  );
  take(String.raw`\d+(?:/\d+)+${END}`, ([whole]) => ({ kind: 'count', values: [whole] }));
  take(String.raw`(${NUMBER})(?: ?(?:-|–|to|or) ?(${NUMBER}))?${END}(?![.:]\d)`, ([, low, high]) => ({
    kind: 'count',
    values: [rangeOf(low!, high)],
  }));
  take(`(?:half|both|several|many|single|double|dozens|hundreds|thousands)${END}`, ([word]) => ({
    kind: 'count',
    values: [word.toLowerCase()],
  }));

  found.sort((a, b) => a.start - b.start);
  found.forEach((figure, index) =>
    takeBound(figure, text, found[index - 1]?.end ?? 0, found[index + 1]?.start),
  );
  giveRoles(found, text);
  return found;
}

/** The compiled expressions, each made once: making one takes longer than using it. */
const expressions = new Map<string, RegExp>();

function expressionOf(pattern: string, flags: string): RegExp {
  const key = `${flags} ${pattern}`;
  const expression = expressions.get(key) ?? new RegExp(`${NOT_WITHIN}${pattern}`, flags);
  expressions.set(key, expression);
  return expression;
}

type Take = (
  pattern: string,
  figure: (match: RegExpExecArray) => Partial<Figure> | null,
  flags?: string,
) => void;

function takeMoments(take: Take): void {
  const date = (day: string, month: string, year?: string): Partial<Figure> => ({
    kind: 'date',
    values: [`${Number(day)} ${month.slice(0, 3).toLowerCase()}`],
    year,
  });
  const numeric = (day: string, month: string, year: string) =>
    MONTHS[Number(month) - 1] ? date(day, MONTHS[Number(month) - 1]!, year) : null; // the month exists
  const clock = (hour: string, minute: string, half?: string): Partial<Figure> => {
    const hours = half ? (Number(hour) % 12) + (/p/i.test(half) ? 12 : 0) : Number(hour);
    return { kind: 'time', values: [`${String(hours).padStart(2, '0')}:${minute}`] };
  };

  take(String.raw`(\d{4})-(\d\d)-(\d\d)${END}`, ([, year, month, day]) => numeric(day!, month!, year!));
  take(String.raw`(\d{1,2})/(\d{1,2})/(\d{4})${END}`, ([, day, month, year]) => numeric(day!, month!, year!));
  // The first day of "22 to 24 November". The next search finds the second day with its month.
  take(
    String.raw`(\d{1,2})${ORDINAL}(?=(?: ?(?:-|–|to|and|until|&) ?)\d{1,2}${ORDINAL} (${MONTH})\b${NOT_A_VERB})`,
    ([, day, month]) => date(day!, month!),
    'g',
  );
  take(
    String.raw`(\d{1,2})${ORDINAL}(?: of)? (${MONTH})\b${NOT_A_VERB}(?:,? (\d{4})\b)?`,
    ([, day, month, year]) => date(day!, month!, year),
    'g',
  );
  take(
    String.raw`(${MONTH}) (\d{1,2})${ORDINAL}\b(?!:\d|\.\d| ?(?:[ap]m|minutes|mins|miles|lanes)\b)(?:, (\d{4})\b)?`,
    ([, month, day, year]) => date(day!, month!, year),
    'g',
  );
  take(String.raw`(\d{1,2})[:.](\d\d) ?([ap])\.?m${END}`, ([, hour, minute, half]) =>
    clock(hour!, minute!, half),
  );
  take(String.raw`(\d{1,2}) ?([ap])\.?m${END}`, ([, hour, half]) => clock(hour!, '00', half));
  take(String.raw`([01]?\d|2[0-3]):([0-5]\d)${END}`, ([, hour, minute]) => clock(hour!, minute!));
  take(String.raw`([01]\d|2[0-3])([0-5]\d) ?hrs${END}`, ([, hour, minute]) => clock(hour!, minute!));
}

function takeAmounts(take: Take): void {
  const minutes = (value: number) => ({ unit: 'minute', values: [String(value)] });
  take(
    String.raw`(${NUMBER})[ -]?(?:hours?|hrs?|h),? ?(?:and )?(\d+)[ -]?(?:minutes?|mins?|m)${END}`,
    ([, hours, rest]) => minutes(numberOf(hours!) * 60 + Number(rest)),
  );
  take(String.raw`(\d+) and a half hours${END}`, ([, hours]) => minutes(Number(hours) * 60 + 30));
  take(String.raw`(?:an?|1) hour and a half${END}`, () => minutes(90));
  take(String.raw`(?:half an hour|(?:a )?half[ -]hour)${END}`, () => minutes(30));
  take(String.raw`3[ -]quarters of an hour${END}`, () => minutes(45));
  take(String.raw`(?:a )?quarter of an hour${END}`, () => minutes(15));

  take(
    String.raw`£ ?(${NUMBER})(?: ?(?:-|–|to) ?£? ?(${NUMBER}))?(?: ?(bn|m|k|billion|million|thousand))?${END}`,
    ([, low, high, size]) => ({ unit: `£${size?.[0] ?? ''}`.toLowerCase(), values: [rangeOf(low!, high)] }),
  );
  take(
    // "Lane 2 of 3 lanes" is a label and not a count.
    String.raw`(?<!\b(?:${LABEL})(?:e?s)? )(${NUMBER}) (?:out )?of (?:the )?(${NUMBER})(?=[ -]${LETTER})(?![ -]?${UNIT}${END})`,
    ([, part, whole]) => ({ kind: 'count', values: [`${numberOf(part!)}/${numberOf(whole!)}`] }),
  );

  const sign = String.raw`(?:(minus )|(?<=^|[\s(])([-−]))?`;
  const amount = (low: string, lowUnit: string | undefined, high: string | undefined, unit: string) => {
    const last = unitOf(unit);
    const first = lowUnit ? unitOf(lowUnit) : last;
    if (first.unit !== last.unit) return null;
    const values = [
      numberOf(low) * (first.times ?? 1),
      ...(high ? [numberOf(high) * (last.times ?? 1)] : []),
    ];
    return { unit: last.unit, values: [values.join('–')] };
  };
  const between = String.raw`between (${NUMBER})(?:[ -]?(${UNIT}))? and (${NUMBER})[ -]?(${UNIT})(?:-long)?${END}`;
  take(between, ([, low, lowUnit, high, unit]) => amount(low!, lowUnit, high, unit!));
  take(
    String.raw`(${NUMBER})(?:[ -]?(${UNIT}))? ?(?:-|–|—|to|or) ?(${NUMBER})[ -]?(${UNIT})(?:-long)?${END}`,
    ([, low, lowUnit, high, unit]) => amount(low!, lowUnit, high, unit!),
  );
  take(String.raw`${sign}(${NUMBER})[ -]?(${UNIT})(?:-long)?${END}`, ([, minus, dash, value, unit]) => {
    const made = amount(value!, undefined, undefined, unit!);
    if (!made) return null;
    return { ...made, values: made.values.map((one) => (minus || dash ? `-${one}` : one)) };
  });
  // A rate is not a duration: "4 trains an hour".
  take(
    String.raw`(?:per|an|each|every|a) (hour|day|week)${END}(?<=${DIGIT} ${LETTER}+ (?:per|an|each|every|a) ${LETTER}+)`,
    ([, unit]) => ({
      unit: `per ${unit!.toLowerCase()}`,
      values: ['1'],
    }),
  );
  take(String.raw`(?:an?|the)? ?(hour|minute|mile|day|week)-long${END}`, ([, unit]) =>
    amount('1', undefined, undefined, unit!),
  );
  take(String.raw`an? (hour|minute|mile|day|week|month)(?:'s)?${END}`, ([, unit]) =>
    amount('1', undefined, undefined, unit!),
  );
}

const numberOf = (written: string) => Number(written.replaceAll(',', ''));

const rangeOf = (low: string, high: string | undefined) =>
  high === undefined ? String(numberOf(low)) : `${numberOf(low)}–${numberOf(high)}`;

/** The numbers of "1 and 2" or "1 to 3". */
function labelsIn(list: string): string[] {
  const range = /^(\d{1,3}) ?(?:to|-|–) ?(\d{1,3})$/i.exec(list);
  const [from, to] = [Number(range?.[1]), Number(range?.[2])];
  if (range && to > from && to - from < 20) {
    return Array.from({ length: to - from + 1 }, (_, index) => String(from + index));
  }
  return list.toLowerCase().match(/\d+[a-z]?/g) ?? [];
}

/** Adds words such as "up to" and "or more" to the figure that they belong to. */
function takeBound(figure: Found, text: string, from: number, to = text.length): void {
  if (figure.kind !== 'amount' && figure.kind !== 'count') return;
  const before = text.slice(from, figure.start);
  const after = text.slice(figure.end, to);
  const [bound, pattern] = BOUND_BEFORE.find(([, words]) => words.test(before)) ?? [];
  const [boundAfter, patternAfter] = BOUND_AFTER.find(([, words]) => words.test(after)) ?? [];
  if (bound) figure.start -= pattern!.exec(before)![0].length; // the same pattern has just matched
  if (boundAfter) figure.end += patternAfter!.exec(after)![0].length;
  figure.bound = bound ?? boundAfter ?? '';
}

/** Sets which end of a period each moment is. A date and its time have one role, because they are one moment. */
function giveRoles(found: readonly Found[], text: string): void {
  let last: { end: number; moment: Found[]; isBetween: boolean } | null = null;
  for (const figure of found) {
    if (figure.kind !== 'date' && figure.kind !== 'time') {
      last = null;
      continue;
    }
    const end = figure.end;
    const before = text.slice(last?.end ?? 0, figure.start);
    if (last && SAME_MOMENT.test(before) && last.moment.every(({ kind }) => kind !== figure.kind)) {
      figure.role = last.moment[0]!.role; // a moment has at least one figure
      figure.start -= before.length;
      last = { end, moment: [...last.moment, figure], isBetween: last.isBetween };
      continue;
    }
    const isEnd = last && (RANGE.test(before) || (last.isBetween && /^\s*and\s*$/i.test(before)));
    const [role, words] = ROLE_BEFORE.find(([, pattern]) => pattern.test(before)) ?? [];
    const isBetween = BETWEEN.test(before);
    if (last && isEnd) for (const one of last.moment) one.role ||= 'from';
    if (isEnd) figure.role = 'until';
    else if (isBetween) figure.role = 'from';
    else figure.role = role ?? '';
    const belongs = isEnd ? before : ((isBetween ? BETWEEN : words)?.exec(before)?.[0] ?? '');
    figure.start -= belongs.length;
    last = { end, moment: [figure], isBetween };
  }
}
