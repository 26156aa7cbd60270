/** Times by construction: each way of saying when something begins, with each way of saying when it ends. */
import { expect, it } from 'vitest';
import { daysAfter, londonToUtc } from '../../../../server/http/documents/londonTime.ts';
import { timesOf, windows } from '../../../../server/incidents/timesInForce.ts';
import { amount } from '../../../support/long.ts';
import { record } from '../../feedsWorld.ts';

/** A Wednesday. */
const WRITTEN = '2026-12-02T13:00:00.000Z';

function read(text: string, written = WRITTEN) {
  const { start, end, windows } = timesOf({ title: 'A64, Bramham', summary_line: text }, written);
  const hours = windows.map(({ days, from, to }) => `${days?.join() ?? 'daily'} ${from}-${to}`);
  return [start, end, ...hours].join(' ');
}

/** "2 10:45" of December in UTC; day 0 is 30 November. */
const december = (at: string | null) => {
  const [day, hour = 0, minute = 0] = at?.split(/[ :]/).map(Number) ?? [];
  return day === undefined ? '' : new Date(Date.UTC(2026, 11, day, hour, minute)).toISOString();
};

/** Texts that are read differently from what is wanted. */
const wrong = (all: readonly (readonly [text: string, wanted: string])[]) =>
  all.filter(([text, wanted]) => read(text) !== wanted).map(([text]) => `${text} > ${read(text)}`);

type Said = readonly (readonly [words: string, at: string | null])[];

const BEGAN: Said = [
  ['has been closed since 10:45', '2 10:45'],
  ['was closed at 10.45am', '2 10:45'],
  ['has been shut since about 10.45 this morning', '2 10:45'],
  ['closed shortly after 10.45am', '2 10:45'],
  ['was shut just before 11pm last night', '1 23:00'],
  ['has been shut since 23:00 yesterday', '1 23:00'],
  ['was closed at 6am on Tuesday', '1 06:00'],
  ['has been closed since 06:00 on Monday 30 November', '0 06:00'],
  ['closed at 1045hrs', '2 10:45'],
  ['was closed by officers at about 10:45', '2 10:45'],
  ['is closed following a collision at around 10.45am', '2 10:45'],
  ['is blocked by a lorry that overturned at about 10.45am', '2 10:45'],
  ['remains closed', null],
];
const ENDS: Said = [
  [' and is expected to reopen at 5pm', '2 17:00'],
  [' and will be closed until 17:00 today', '2 17:00'],
  ['. It is due to open at 5pm', '2 17:00'],
  ['. Clearance is expected around 17:00', '2 17:00'],
  ['. ETA for reopening is 5pm', '2 17:00'],
  ['. Normal traffic conditions are expected between 16:45 and 17:00', '2 17:00'],
  ['. We hope to have it open by about 5pm', '2 17:00'],
  ['. The closure is likely to last until around 5pm', '2 17:00'],
  ['. It is not expected to reopen until 5pm', '2 17:00'],
  ['. It is not expected to open until tomorrow at 6am', '3 06:00'],
  ['. It should start moving again from 17:00', '2 17:00'],
  ['. It should be back to normal by 6am tomorrow', '3 06:00'],
  ['. It will be shut for the next two hours', '2 15:00'],
  ['. It is expected to be closed for the rest of the day', '3'],
  ['. It is expected to be closed all day', '3'],
  ['. It is not expected to reopen before 5pm', null],
  ['. It is unlikely to reopen today', null],
  ['. It is likely to be closed until the early hours of tomorrow', null],
  ['. It is expected to be closed until at least 5pm', null],
  ['. An update will follow by 14:30', null],
  ['. Recovery is due at 2pm', null],
];

it('reads each end after each beginning', () => {
  const all = BEGAN.flatMap(([began, from]) =>
    ENDS.map(
      ([ends, to]) => [`The A64 at Bramham ${began}${ends}.`, `${december(from)} ${december(to)}`] as const,
    ),
  );
  expect(wrong(all)).toEqual([]);
});

const CLOCKS = [
  ['20:00', '06:00'],
  ['8.00pm', '6.00am'],
  ['2000', '0600'],
  ['2000 hrs', '0600 hrs'],
  ['20.00', '06.00'],
  ['20h00', '06h00'],
  ['8 p.m.', '6 a.m.'],
  ['8 o’clock in the evening', '6 o’clock in the morning'],
] as const;
const DAYS = [
  ['Friday 4 December', 'Monday 7 December'],
  ['4th December', '7th December'],
  ['04/12/2026', '07/12/2026'],
  ['Friday', 'Monday'],
  ['Friday 4th', 'Monday 7th'],
  ['Fri 04 Dec 2026', 'Mon 07 Dec 2026'],
  ['2026-12-04', '2026-12-07'],
  ['Friday (4 December)', 'Monday (7 December)'],
  ['Friday evening', 'Monday morning'],
] as const;
const ORDERS = [
  (clock: string, day: string) => `${clock} on ${day}`,
  (clock: string, day: string) => `${day} at ${clock}`,
  (clock: string, day: string) => `${day}, ${clock}`,
  (clock: string, day: string) => `${clock} ${day}`,
] as const;
const FRAMES = [
  (from: string, to: string) => `The A64 at Bramham will be closed from ${from} to ${to}.`,
  (from: string, to: string) => `The A64 will be shut between ${from} and ${to}.`,
  (from: string, to: string) => `A64 Bramham closed: ${from} - ${to}`,
  (from: string, to: string) => `A64 closed. Start: ${from}. End: ${to}.`,
  (from: string, to: string) => `Closed ${from}, reopening ${to}.`,
  (from: string, to: string) => `From ${from} the A64 will be closed. It reopens at ${to}.`,
] as const;

it('reads a stretch in each form of clocks and days', () => {
  const wanted = `${december('4 20:00')} ${december('7 06:00')}`;
  const all = CLOCKS.flatMap(([closes, opens]) =>
    DAYS.flatMap(([first, last]) =>
      ORDERS.flatMap((order) =>
        FRAMES.map((frame) => [frame(order(closes, first), order(opens, last)), wanted] as const),
      ),
    ),
  );
  expect(wrong(all)).toEqual([]);
});

const HOURS = ['from 9pm to 5am', '(21:00-05:00)', '2100hrs to 0500hrs', 'between 9pm and 5am the next day'];
const PERIODS: readonly (readonly [words: string, from: string | null, to: string | null, days: string])[] = [
  ['each night from 7 December to 11 December', '7 21:00', '12 05:00', 'daily'],
  ['for five nights from Monday', '7 21:00', '12 05:00', 'daily'],
  ['for four nights between 7 and 11 December', '7 21:00', '11 05:00', 'daily'],
  ['every night until Saturday 12 December', null, '12 05:00', 'daily'],
  ['Monday to Friday, 7 to 18 December', '7 21:00', '19 05:00', 'mon,tue,wed,thu,fri'],
  ['for two weeks from Monday 7 December, weeknights only', '7 21:00', '19 05:00', 'mon,tue,wed,thu,fri'],
  ['Sunday to Thursday nights from 6 to 17 December', '6 21:00', '18 05:00', 'mon,tue,wed,thu,sun'],
  ['nightly (not Fridays or Saturdays), 6 to 17 December', '6 21:00', '18 05:00', 'mon,tue,wed,thu,sun'],
  [
    'each night except Fridays and Saturdays from 6 to 17 December',
    '6 21:00',
    '18 05:00',
    'mon,tue,wed,thu,sun',
  ],
  ['every night from tonight until further notice', '2 21:00', null, 'daily'],
  ['every Sunday night from 6 December', '6 21:00', null, 'sun'],
];
const PLACED = [
  (hours: string, period: string) => `The A64 will be closed ${hours} ${period}.`,
  (hours: string, period: string) => `Overnight closures of the A64 ${period} ${hours}.`,
  (hours: string, period: string) => `Resurfacing of the A64 ${period}. The road will be closed ${hours}.`,
] as const;

it('reads hours of nights in each form, before the days, after them and in a sentence of their own', () => {
  const all = HOURS.flatMap((hours) =>
    PERIODS.flatMap(([period, from, to, days]) =>
      PLACED.map(
        (placed) => [placed(hours, period), `${december(from)} ${december(to)} ${days} 21:00-05:00`] as const,
      ),
    ),
  );
  expect(wrong(all)).toEqual([]);
});

const MONTHS = 'January February March April May June July August September October November December'.split(
  ' ',
);
const NAMES = 'Sunday Monday Tuesday Wednesday Thursday Friday Saturday'.split(' ');
const ordinal = (day: number) =>
  `${day}${[11, 12, 13].includes(day) ? 'th' : (['th', 'st', 'nd', 'rd'][day % 10] ?? 'th')}`;
const partsOf = (date: string) => {
  const [year, month, day] = date.split('-').map(Number) as [number, number, number];
  const name = NAMES[new Date(`${date}T12:00:00Z`).getUTCDay()]!;
  return { year, month: MONTHS[month - 1]!, mm: String(month).padStart(2, '0'), day, name };
};
type Parts = ReturnType<typeof partsOf>;
/** Forms of a date, with its year and without. */
const DATED: readonly (readonly [form: (parts: Parts) => string, hasYear: boolean])[] = [
  [({ day, month, year }) => `${day} ${month} ${year}`, true],
  [({ name, day, month, year }) => `${name}, ${ordinal(day)} ${month} ${year}`, true],
  [({ day, mm, year }) => `${String(day).padStart(2, '0')}/${mm}/${year}`, true],
  [({ day, mm, year }) => `${day}.${mm}.${String(year).slice(2)}`, true],
  [({ day, month, year }) => `${day}-${month.slice(0, 3)}-${year}`, true],
  [({ day, mm, year }) => `${year}-${mm}-${String(day).padStart(2, '0')}`, true],
  [({ name, day, month }) => `${name} ${day} ${month}`, false],
  [({ name, day, month }) => `${name.slice(0, 3)} ${ordinal(day)} ${month.slice(0, 3)}`, false],
  [({ name, day, month }) => `${name} the ${ordinal(day)} of ${month}`, false],
  [({ name, day, month }) => `${name}, ${month} ${day}`, false],
];
const half = (hour: number) => `${hour % 12 || 12}`;
const two = (count: number) => String(count).padStart(2, '0');
const CLOCKED: readonly ((hour: number, minute: number) => string)[] = [
  (hour, minute) => `${two(hour)}:${two(minute)}`,
  (hour, minute) => `${two(hour)}.${two(minute)}`,
  (hour, minute) => `${two(hour)}${two(minute)}hrs`,
  (hour, minute) => `${half(hour)}${minute ? `.${two(minute)}` : ''}${hour < 12 ? 'am' : 'pm'}`,
  (hour, minute) => `${half(hour)}:${two(minute)} ${hour < 12 ? 'a.m.' : 'p.m.'}`,
];
const SPANS = [
  (from: string, to: string) => `Closed from ${from} until ${to}.`,
  (from: string, to: string) => `The A64 will be closed between ${from} and ${to} for resurfacing.`,
  (from: string, to: string) => `A64 closed: ${from} - ${to}`,
  (from: string, to: string) => `Valid from ${from} to ${to}`,
  (from: string, to: string) => `Start: ${from}. End: ${to}.`,
  (from: string, to: string) => `Closing at ${from} and due to reopen at ${to}.`,
  (from: string, to: string) => `From ${from} up to ${to}, use the A659 instead.`,
] as const;
const EACH_DAY = [
  (from: string, to: string, hours: string) => `Works ${from} to ${to}, ${hours} each day.`,
  (from: string, to: string, hours: string) => `Lane closed daily, ${hours}, from ${from} until ${to}.`,
  (from: string, to: string, hours: string) => `From ${from} to ${to}: closed ${hours}.`,
  (from: string, to: string, hours: string) => `Dates: ${from} to ${to}. Times: ${hours}.`,
] as const;

it('reads random dates in each form, over the turn of years, leap days and clock changes', () => {
  let state = 23;
  const below = (count: number) => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    return Math.floor((state / 4294967296) * count);
  };
  const one = <T>(all: readonly T[]): T => all[below(all.length)]!;
  const misread: string[] = [];
  for (let round = 0; round < amount('TIME_FORMS', { part: 1500, whole: 60_000 }); round++) {
    const today = daysAfter('2026-01-01', below(1500));
    const written = londonToUtc(`${today}T${two(below(24))}:15`);
    const first = daysAfter(today, 1 + below(150));
    const last = daysAfter(first, 1 + below(12));
    const [form] = one(DATED);
    const clock = one(CLOCKED);
    const [begins, ends] = [
      [one([7, 9, 13, 20, 23]), one([0, 5, 30, 45])],
      [one([5, 6, 10, 14, 17]), one([0, 15, 30])],
    ] as const;
    const [from, to] = [form(partsOf(first)), form(partsOf(last))];
    const [opens, closes] = [clock(...begins), clock(...ends)];
    const [start, end] = [[first, begins] as const, [last, ends] as const].map(([day, [hour, minute]]) =>
      londonToUtc(`${day}T${two(hour)}:${two(minute)}`),
    ) as [string, string];
    const order = one(ORDERS);
    const isNight = ends[0] * 60 + ends[1] <= begins[0] * 60 + begins[1];
    const morning = isNight ? londonToUtc(`${daysAfter(last, 1)}T${two(ends[0])}:${two(ends[1])}`) : end;
    const cases = [
      [one(SPANS)(order(opens, from), order(closes, to)), `${start} ${end}`],
      [
        one(EACH_DAY)(from, to, `${opens} to ${closes}`),
        `${start} ${morning} daily ${two(begins[0])}:${two(begins[1])}-${two(ends[0])}:${two(ends[1])}`,
      ],
    ] as const;
    for (const [text, wanted] of cases) {
      const got = read(text, written);
      if (got !== wanted) misread.push(`${written}: ${text}\n  wanted ${wanted}\n  read   ${got}`);
    }
  }
  expect(misread.slice(0, 20).join('\n')).toBe('');
});

it.each([
  ['Open weekends only; the lane is closed Monday to Friday until 18 December.', null, '19'],
  [
    'The closure planned for tonight will now take place on Thursday night, 9pm to 6am.',
    '3 21:00',
    '4 06:00',
  ],
  ['Originally due to reopen at 5am, the A34 is now expected to open at 1.30pm.', null, '2 13:30'],
  ['The fault was fixed at 12:31 but delays will continue until about 2.15pm.', null, '2 14:15'],
  ['At about 11.10am a van and a bus collided.', '2 11:10', null],
  ['The A9 was shut at 4am and police say it will be closed for several hours.', '2 04:00', null],
  ['Due to a fire overnight, the A361 is closed until further notice.', null, null],
  ['A one-hour closure from 10 on Thursday morning.', '3 10:00', '3 11:00'],
  ['From Monday the 36 will not serve Ripley for approximately one week.', '7', '14'],
  ['No crossings this evening after 19:30.', '2 19:30', '3'],
  ['All clear now, reopened 10 mins ago.', null, '2 12:50'],
  ['Now expected until the evening. It was earlier expected to end at 20:00.', null, null],
  ['The road will be closed from 3.20 this afternoon.', '2 15:20', null],
  ['The road is closed until 6.30 this evening.', null, '2 18:30'],
  ['The A46 was closed three hours ago and is expected to open by 3pm.', '2 10:00', '2 15:00'],
  ['Trains will not run until about 10:00 on Sunday 6 December.', null, '6 10:00'],
  ['Expect delays until after 6pm.', null, null],
  ['Closed till 4.', null, '2 16:00'],
  ['Due back open 1530.', null, '2 15:30'],
  ['The road will reopen in the week of 14 December.', null, null],
  ['Amended trains on Sundays 6 and 13 December until 12:00 each day.', '6', '13 12:00'],
  ['Police were called to a crash at 22:10 on Tuesday. The road reopened at 03:40.', '1 22:10', '2 03:40'],
  ['The A64 reopened at 09:15 after being closed since 04:30.', '2 04:30', '2 09:15'],
  ['The A64 reopened at 09:30 having been closed from 05:00.', '2 05:00', '2 09:30'],
  ['The A64 has reopened at 09:30, was closed from 06:15 this morning.', '2 06:15', '2 09:30'],
  ['The A64 reopened at 06:10 after it was closed at 23:00 last night.', '1 23:00', '2 06:10'],
  ['The A64 reopened at 09:00, closed again from 09:40.', '2 09:40', null],
  [
    'Because of the strike, some trains are cancelled on Friday 4 December from 06:00 to 22:00.',
    '4 06:00',
    '4 22:00',
  ],
  ['Engineering works mean trains are cancelled on Sunday until 09:30.', '6', '6 09:30'],
  ['Due to events at Wembley, trains are cancelled until 23:00.', null, '2 23:00'],
  ['Trains cancelled: strike on Friday from 06:00 to 22:00.', '4 06:00', '4 22:00'],
  ['The closures on Friday from 20:00 to 23:00 mean that the market is cancelled.', '4 20:00', '4 23:00'],
  ['The parade is cancelled as the road is closed until 17:00.', null, '2 17:00'],
  ['The parade was cancelled, road shut until 17:00.', null, '2 17:00'],
  ['Tonight’s closure is cancelled.', null, null],
  ['The closure is cancelled, the road will not be closed from 21:00.', null, null],
  ['The A64 closes at 9pm on Monday and remains closed until Friday.', '7 21:00', '12'],
  ['The A64 will be closed at 9pm on Monday and stays closed until Friday.', '7 21:00', '12'],
  ['The A64 closed at 9pm on Monday and remains closed.', '0 21:00', null],
  ['Recovery is completed at 16:00.', null, '2 16:00'],
  ['Recovery now complete at 11:15.', null, '2 11:15'],
  ['Tonight’s closure of the A64, from 21:00 to 05:00, has been cancelled.', null, null],
  ['National Highways has cancelled the closure on Friday from 20:00.', null, null],
  ['Collision M1 J24 07:15 all lanes.', null, null],
  ['Collision M1 J24 06:45 road, police on scene.', null, null],
  ['Collision M1 J24. 11:05 all lanes open.', null, '2 11:05'],
  ['10:30 fire service at scene, road closed.', null, null],
  ['11:40 accident now cleared, traffic easing.', null, null],
  ['07:00 fire station open day, road closed 10:00 to 16:00.', '2 10:00', '2 16:00'],
  ['The road is hoped to have reopened by 17:00.', null, '2 17:00'],
  ['It will have been cleared by 17:00.', null, '2 17:00'],
  ['Services are expected to be fully restored at 17:00.', null, '2 17:00'],
  ['The closure does not apply until 20:00.', null, null],
  ['Restrictions do not come into force until 20:00.', null, null],
  ['The bridge will not be affected until 16:00.', null, null],
  ['December 4, 2 lanes closed.', '4', '5'],
  ['From December 4 to 6 lanes will be narrow.', '4', null],
  ['Delays for the last two hours of the event on Saturday.', '5', '6'],
  ['Lorries are being sent along the A46 at 20:00 on Friday.', '4 20:00', null],
  ['Drivers were sent the wrong way on Friday.', '4', '5'],
  ['Stewards are on the road from 07:00, road closed from 11:00 to 14:00.', '2 11:00', '2 14:00'],
  ['Police were called at 07:30, road to be closed from 20:00 to 23:00.', '2 20:00', '2 23:00'],
  ['Strike until Friday, no trains until 16:00.', null, '5'],
  ['Diversion until Saturday with delays until 18:00.', null, '2 18:00'],
  ['Twenty-one cars hit about twenty to 12 homes, road closed until 17:00.', null, '2 17:00'],
  ['Barriers are lifted from the carriageway at 11:00.', null, null],
  ['Incident 61 of 28 November.', null, null],
  ['Log 188 27/11', null, null],
  ['The A64 is closed until 16:00, log number 188 of Tuesday 1st December.', null, '2 16:00'],
  ['Incident on 3 December from 10:00 to 12:00.', '3 10:00', '3 12:00'],
])('%s', (text, from, to) => {
  expect(read(text).split(' ').slice(0, 2)).toEqual([december(from), december(to)]);
});

it.each([
  ['Closed since 1 December.', '1'],
  ['Closed since 5 December.', null],
  ['Closed since 13:30 today.', null],
])('%s, written on 2 December at 13:00: no state began after its words', (summary_line, since) => {
  const written = record('x', { title: 'A64, Bramham', summary_line, updated_at: WRITTEN });
  windows(written);
  expect(written.since ?? '').toBe(december(since));
});

it('gives no times for weekends that are all over', () => {
  const weekends = 'Closed weekends only (Friday 8pm to Monday 6am) until 14 December';
  expect(read(weekends)).toContain('2026-12-14T06:00:00.000Z');
  expect(read(weekends, '2026-06-13T22:40:00.000Z')).toBe(' ');
});
