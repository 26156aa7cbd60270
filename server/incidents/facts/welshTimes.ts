/** Times in Welsh, as Traffic Wales and Natural Resources Wales write them, put into the English words that are read. */

const WELSH =
  /\b(?:ar gau|ar agor|tan|hyd|rhwng|nos|dydd|ddydd|fore|bore|heno|yfory|Ionawr|Chwefror|Mawrth|Ebrill|Mai|Mehefin|Gorffennaf|Awst|Medi|Hydref|Tachwedd|Rhagfyr)\b/i;

const DAYS: Readonly<Record<string, string>> = {
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
const DAY = Object.keys(DAYS).join('|');

const MONTHS: readonly (readonly [RegExp, string])[] = [
  ['Ionawr', 'January'],
  ['Chwefror', 'February'],
  ['Mawrth', 'March'],
  ['Ebrill', 'April'],
  ['Mai', 'May'],
  ['Mehefin', 'June'],
  ['Gorffennaf', 'July'],
  ['Awst', 'August'],
  ['Medi', 'September'],
  ['Hydref', 'October'],
  ['Tachwedd', 'November'],
  ['Rhagfyr', 'December'],
].map(([welsh, english]) => [new RegExp(String.raw`(?<=\d )${welsh}\b`, 'gi'), english!]);

const WORDS: readonly (readonly [RegExp, string])[] = [
  [/\bhyd nes (?:y )?clywir yn wahanol\b/gi, 'until further notice'],
  [/\bbob nos\b/gi, 'each night'],
  [/\bbob dydd\b/gi, 'daily'],
  [/\bheno\b/gi, 'tonight'],
  [/\byfory\b/gi, 'tomorrow'],
  [/\bheddiw\b/gi, 'today'],
  [/\bers\b/gi, 'since'],
  [/\b(?:tan|hyd at)\b/gi, 'until'],
  [/\brhwng\b/gi, 'between'],
  [/\bo(?= \d)/gi, 'from'],
  [/(?<=\d)(?: ?h)? i (?=\d)/gi, ' to '],
  [/\bac?(?= \d)/gi, 'and'],
];

/** The text itself where it is not Welsh. */
export function fromWelsh(text: string): string {
  if (!WELSH.test(text)) return text;
  let said = text;
  for (const [welsh, english] of MONTHS) said = said.replace(welsh, english);
  said = said.replace(
    new RegExp(String.raw`\b(?:(?:d?dydd|nos|fore|bore|pnawn|brynhawn) )(${DAY})\b`, 'gi'),
    (_, day: string) => DAYS[day.toLowerCase()]!, // one of them
  );
  for (const [welsh, english] of WORDS) said = said.replace(welsh, english);
  return said;
}
