/** The words of a text that tell a time or a day, and the calendar of London that they are on. */
import { monthOf } from '#contract/london.ts';
import { toUtc } from '../../http/documents/londonTime.ts';

const DAY_MS = 24 * 60 * 60_000;

const MONTH = String.raw`(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)`;
export const WEEKDAY = String.raw`(?:mon|tues?|wed(?:nes)?|thur?s?|fri|sat(?:ur)?|sun)(?:day)?`;
const CLOCK = String.raw`(?:\d{1,2}(?:[:.]\d{2})?(?= ?(?:-|–|to|and|until) ?\d{1,2}(?:[:.]\d{2})? ?[ap]m\b)|\d{1,2}[:.]\d{2} ?(?:am|pm|h(?:ou)?rs?\b)?|\d{1,2} ?(?:am|pm)|\d{4} ?h(?:ou)?rs|[0-2]\d[0-5]\d(?= ?(?:-|–|to|until|and)|\b(?! ?(?:people|homes|vehicles|metres|m\b)))|noon|midday|midnight)`;

/** Meaning of each word of the text, in order. */
export type Token =
  | { kind: 'clock'; minutes: number; at: number; end: number }
  /** A day of the calendar; `weekday` alone is the next of that name. */
  | {
      kind: 'day';
      day: string | null;
      ofMonth: number | null;
      weekday: number | null;
      plural: boolean;
      at: number;
      end: number;
    }
  | { kind: 'join'; word: 'from' | 'to' | 'until' | 'and' | 'between'; at: number; end: number }
  | {
      kind: 'nights' | 'weekdays' | 'weekends' | 'daily' | 'notice' | 'tonight' | 'weekend' | 'week';
      at: number;
      end: number;
    }
  /** An instant in a field's form. */
  | { kind: 'instant'; time: string; at: number; end: number }
  | {
      kind: 'for';
      count: number;
      unit: 'night' | 'day' | 'week' | 'weekend' | 'hour';
      at: number;
      end: number;
    };

const TOKEN = new RegExp(
  [
    String.raw`(?<notice>until further notice|for the foreseeable future)`,
    String.raw`(?<instant>\b20\d{2}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)`,
    String.raw`(?<for>\b(?:for|over|on|within|duration:?) (?:of )?(?:about |around |approximately |approx |up to |the next |a further |another )*(?:(?:\d{1,2}|one|two|three|four|five|six) (?:to|or) )?(?<count>\d{1,2}|one|two|three|four|five|six|seven|eight|nine|ten|twelve) (?:consecutive |successive |more )?(?<unit>nights?|days?|weeks?|weekends?|hours?))\b`,
    String.raw`(?<nights>\b(?:each|every|per) (?:week)?(?:night|evening)\b|\bnightly\b|\b(?<!\b(?:after|following|an|the) )overnights?\b|\b(?:on )?(?:week)?nights\b|\bat night\b)`,
    String.raw`(?<weekdays>\b(?:each|every|on)? ?weekdays?\b|\bweeknights?\b)`,
    String.raw`(?<weekend>\b(?:this|the coming|next) weekend\b)`,
    String.raw`(?<weekends>\b(?:each|every|at|on)? ?(?<!this |next |coming |the )weekends?\b)`,
    String.raw`(?<daily>\b(?:each|every) day\b|\bdaily\b|\b(?:7|seven) days a week\b)`,
    String.raw`(?<week>\bthis week\b)`,
    String.raw`(?<tonight>\btonight\b|\bthis evening\b)`,
    String.raw`(?<date>\b(?:${WEEKDAY},? )?(?:the )?(?<dom>\d{1,2})(?:st|nd|rd|th)?(?: of)? (?<month>${MONTH})\b(?:,? (?<year>20\d{2}))?|\b(?!24\/7\b(?!\/))(?<d2>\d{1,2})\/(?<m2>\d{1,2})(?:\/(?<y2>(?:20)?\d{2}))?(?!\d)|\b(?<iso>20\d{2}-\d{2}-\d{2})\b)`,
    String.raw`(?<near>\b(?:today|tomorrow|yesterday|last night|this morning|this afternoon|the end of the day)\b)`,
    String.raw`(?<clock>\b${CLOCK})`,
    String.raw`(?<half>\b${WEEKDAY},? (?:the )?(?<dom2>\d{1,2})(?:st|nd|rd|th)?(?![\d:.]*\d| ?[ap]m\b| ?(?:hours|minutes|services|trains)))`,
    String.raw`(?<weekday>\b(?:each |every )?(?<wd>${WEEKDAY})(?<plural>s|s? nights?)?\b)`,
    String.raw`(?<ofMonth>\b(?<dom3>\d{1,2})(?:st|nd|rd|th)?(?=(?: ?(?:and|to|until|&|-|–|,) ?(?:${WEEKDAY},? )?(?:the )?\d{1,2}(?:st|nd|rd|th)?){1,6}(?: of)? ${MONTH}))`,
    String.raw`(?<join>\b(?:from|starting|beginning|between|until|till|to|through|and|by)\b|[-–—&,])`,
  ].join('|'),
  'gi',
);

const COUNTS = 'zero one two three four five six seven eight nine ten eleven twelve'.split(' ');
const NEAR: Readonly<Record<string, number>> = {
  today: 0,
  'this morning': 0,
  'this afternoon': 0,
  'the end of the day': 0,
  yesterday: -1,
  'last night': -1,
  tomorrow: 1,
};

const KINDS = ['notice', 'nights', 'weekdays', 'weekends', 'weekend', 'week', 'daily', 'tonight'] as const;

/** No honest sentence has more. */
const TOKENS_MAX = 40;

function* first<One>(all: Iterable<One>, max: number): Generator<One> {
  let left = max;
  for (const one of all) {
    if (left-- <= 0) return;
    yield one;
  }
}

export function tokensOf(said: string, today: string): Token[] {
  return Array.from(first(said.matchAll(TOKEN), TOKENS_MAX)).flatMap((match): Token[] => {
    const [{ length }, { index }] = [match[0], match];
    const place = { at: index, end: index + length };
    const groups = match.groups ?? {};
    const kind = KINDS.find((one) => groups[one] !== undefined);
    if (kind) {
      const isWeekNights = /weeknight/i.test(match[0]) && (kind === 'weekdays' || kind === 'nights');
      const kinds = isWeekNights ? (['weekdays', 'nights'] as const) : [kind];
      return kinds.map((one) => ({ kind: one, ...place }));
    }
    if (groups.instant) {
      const time = toUtc(groups.instant);
      return time ? [{ kind: 'instant', time, ...place }] : [];
    }
    if (groups.for) {
      const unit = groups.unit!.toLowerCase().replace(/s$/, '') as 'night';
      const count = Number(groups.count) || COUNTS.indexOf(groups.count!.toLowerCase());
      return count > 0 ? [{ kind: 'for', count, unit, ...place }] : [];
    }
    if (groups.date) {
      const day = dayOf(groups, today);
      return day ? [{ kind: 'day', day, ofMonth: null, weekday: null, plural: false, ...place }] : [];
    }
    if (groups.near)
      return [
        {
          kind: 'day',
          day: plus(today, NEAR[groups.near.toLowerCase()] ?? 0),
          ofMonth: null,
          weekday: null,
          plural: false,
          ...place,
        },
      ];
    if (groups.clock) {
      const minutes = minutesOf(
        groups.clock + halfAhead(groups.clock, said.slice(place.end, place.end + 20)),
      );
      return minutes === null ? [] : [{ kind: 'clock', minutes, ...place }];
    }
    if (groups.half || groups.ofMonth)
      return [
        {
          kind: 'day',
          day: null,
          ofMonth: Number(groups.dom2 ?? groups.dom3),
          weekday: null,
          plural: false,
          ...place,
        },
      ];
    if (groups.weekday) {
      // "sat" and "sun" and "wed" are other words too: "may", "sat".
      if (!/^(?:each |every )?\p{Lu}/u.test(match[0])) return [];
      const weekday = 'mon tue wed thu fri sat sun'.split(' ').indexOf(groups.wd!.slice(0, 3).toLowerCase());
      const plural = Boolean(groups.plural) || /^(?:each|every) /i.test(match[0]);
      const tokens: Token[] = [{ kind: 'day', day: null, ofMonth: null, weekday, plural, ...place }];
      if (/night/i.test(match[0])) tokens.push({ kind: 'nights', ...place });
      return tokens;
    }
    return [{ kind: 'join', word: joinOf(match[0]), ...place }];
  });
}

/** "Between 6 and 8pm": the first has the half of the second, unless it is the larger. */
function halfAhead(clock: string, after: string): string {
  const [, hour, half] = /^ ?(?:-|–|to|and|until) ?(\d{1,2})(?:[:.]\d{2})? ?([ap]m)\b/i.exec(after) ?? [];
  if (!half || !/^\d{1,2}(?:[:.]\d{2})?$/.test(clock) || Number.parseInt(clock) > 12) return '';
  const isLater = Number.parseInt(clock) % 12 > Number(hour) % 12;
  return isLater ? (half.toLowerCase() === 'pm' ? 'am' : 'pm') : half;
}

function joinOf(word: string): 'from' | 'to' | 'until' | 'and' | 'between' {
  const said = word.toLowerCase();
  if (/^(?:from|starting|beginning)$/.test(said)) return 'from';
  if (/^(?:until|till|by)$/.test(said)) return 'until';
  if (/^(?:to|through|[-–—])$/.test(said)) return 'to';
  return said === 'between' ? 'between' : 'and';
}

function minutesOf(text: string): number | null {
  const said = text
    .toLowerCase()
    .replace(/\s/g, '')
    .replace(/(?<=[:.]\d\d)h(?:ou)?rs?$/, '');
  if (said === 'midnight') return 24 * 60;
  if (said === 'noon' || said === 'midday') return 12 * 60;
  const [, hour4, minute4] = /^(\d{2})(\d{2})(?:h(?:ou)?rs)?$/.exec(said) ?? [];
  const [, hours, minutes = '0', half] = hour4
    ? ['', hour4, minute4!]
    : (/^(\d{1,2})(?:[:.](\d{2}))?(am|pm)?$/.exec(said) ?? []);
  let hour = Number(hours);
  const minute = Number(minutes);
  if (half) {
    if (hour < 1 || hour > 12) return null;
    hour = (hour % 12) + (half === 'pm' ? 12 : 0);
  }
  return hour <= 24 && minute <= 59 && (hour < 24 || minute === 0) ? hour * 60 + minute : null;
}

function dayOf(groups: Record<string, string | undefined>, today: string): string | null {
  if (groups.iso) return groups.iso;
  const dom = Number(groups.dom ?? groups.d2);
  const month = groups.month ? monthOf(groups.month) - 1 : Number(groups.m2) - 1;
  const year = groups.year ?? groups.y2;
  return calendarDay(dom, month, year ? Number(year.length === 2 ? `20${year}` : year) : null, today);
}

/** Without a year the one that puts it nearest. Null for 31 November. */
function calendarDay(dom: number, month: number, year: number | null, today: string): string | null {
  const thisYear = Number(today.slice(0, 4));
  const days = (year ? [year] : [thisYear - 1, thisYear, thisYear + 1]).flatMap((of) => {
    const date = new Date(Date.UTC(of, month, dom));
    return date.getUTCMonth() === month && date.getUTCDate() === dom ? date.toISOString().slice(0, 10) : [];
  });
  const away = (day: string) => Math.abs(Date.parse(day) - Date.parse(today));
  return days.sort((one, other) => away(one) - away(other))[0] ?? null;
}

export function at(day: string, minutes: number): string | null {
  const later = plus(day, Math.floor(minutes / 1440));
  return toUtc(`${later}T${clockText(minutes % 1440)}`);
}

export const clockText = (minutes: number) => {
  const within = minutes % 1440;
  return `${String(Math.floor(within / 60)).padStart(2, '0')}:${String(within % 60).padStart(2, '0')}`;
};

export const plus = (day: string, days: number) =>
  new Date(Date.parse(`${day}T12:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);
export const weekdayOf = (day: string) => (new Date(`${day}T12:00:00Z`).getUTCDay() + 6) % 7;
