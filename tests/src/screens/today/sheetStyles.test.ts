/** Day sheets in as many styles as strangers have: most are understood, Clearway asks about the others, and none is
 *  wrong without a question. */
import { expect, it } from 'vitest';
import { inLines, readSheet } from '../../../../src/screens/today/daySheet.ts';
import { rowsOfText } from '../../../../src/screens/today/sheetText.ts';
import { tripLines } from '../../../../src/screens/today/sheetProse.ts';
import strangers from '../../../fixtures/daySheets.json' with { type: 'json' };

const DAY = '2026-11-24';
const SHEETS: [style: string, text: string, jobs: string[]][] = [];
const add = (style: string, text: string, jobs: string[]) => SHEETS.push([style, text, jobs]);
const THREE = ['06:10 Leeds → Heathrow T5', '07:40 Leeds → York', '18:15 York → Leeds'];
const table = (head: string | null, rows: string[][], mark = '\t') =>
  [...(head ? [head.split('|').join(mark)] : []), ...rows.map((row) => row.join(mark))].join('\n');
add(
  'plain headings',
  table('Time|From|To|Vehicle|Driver', [
    ['06:10', 'Leeds', 'Heathrow T5', 'YN21 ABC', 'M. Hussain'],
    ['07:40', 'Leeds', 'York', 'YX24 AEP', 'K. Nowak'],
    ['18:15', 'York', 'Leeds', 'YX24 AEP', 'K. Nowak'],
  ]),
  THREE,
);
add(
  'csv',
  table(
    'Job No,Pick Up Time,Collect From,Drop Off,Reg,Pax'.replaceAll(',', '|'),
    [
      ['1001', '06:10', 'Leeds', 'Heathrow T5', 'YN21ABC', '38'],
      ['1002', '07:40', 'Leeds', 'York', 'YX24AEP', '12'],
      ['1003', '18:15', 'York', 'Leeds', 'YX24AEP', '12'],
    ],
    ',',
  ),
  THREE,
);
add(
  'semicolons',
  table(
    'Departure|Origin|Destination|Coach',
    [
      ['0610', 'Leeds', 'Heathrow T5', '12'],
      ['0740', 'Leeds', 'York', '14'],
      ['1815', 'York', 'Leeds', '14'],
    ],
    ';',
  ),
  THREE,
);
add(
  'no headings tabs',
  table(null, [
    ['06:10', 'Leeds to Heathrow T5', 'YN21 ABC'],
    ['07:40', 'Leeds to York', 'YX24 AEP'],
    ['18:15', 'York to Leeds', 'YX24 AEP'],
  ]),
  THREE,
);
add(
  '6.10am',
  table('Start|Journey|Driver', [
    ['6.10am', 'Leeds - Heathrow T5', 'MH'],
    ['7.40am', 'Leeds - York', 'KN'],
    ['6.15pm', 'York - Leeds', 'KN'],
  ]),
  THREE,
);
add(
  'arrows',
  table('Dep|Route|Notes', [
    ['06:10', 'Leeds → Heathrow T5', ''],
    ['07:40', 'Leeds > York', ''],
    ['18:15', 'York -> Leeds', ''],
  ]),
  THREE,
);
add(
  'title and totals',
  'Pennine Coaches\t\t\t\nJobs for Tuesday 24 November 2026\t\t\t\n\nTime\tFrom\tTo\tPax\n06:10\tLeeds\tHeathrow T5\t38\n07:40\tLeeds\tYork\t12\n18:15\tYork\tLeeds\t12\nTotal\t\t\t62',
  THREE,
);
add(
  'date column',
  table('Date|Time|From|To', [
    ['24/11/2026', '06:10', 'Leeds', 'Heathrow T5'],
    ['24/11/2026', '07:40', 'Leeds', 'York'],
    ['24/11/2026', '18:15', 'York', 'Leeds'],
    ['25/11/2026', '09:00', 'Hull', 'York'],
  ]),
  THREE,
);
add(
  'excel numbers',
  table('Date|Time|From|To', [
    ['46350', '0.256944444', 'Leeds', 'Heathrow T5'],
    ['46350', '0.319444444', 'Leeds', 'York'],
    ['46350', '0.760416667', 'York', 'Leeds'],
  ]),
  THREE,
);
add(
  'iso datetime',
  table('Pickup|From|To|Flight time', [
    ['2026-11-24T06:10:00', 'Leeds', 'Heathrow T5', '11:20'],
    ['2026-11-24T07:40:00', 'Leeds', 'York', ''],
    ['2026-11-24T18:15:00', 'York', 'Leeds', ''],
  ]),
  THREE,
);
add(
  'merged cells driver',
  table('Driver|Vehicle|Time|From|To', [
    ['M Hussain', 'YN21 ABC', '06:10', 'Leeds', 'Heathrow T5'],
    ['', '', '07:40', 'Leeds', 'York'],
    ['', '', '18:15', 'York', 'Leeds'],
  ]),
  THREE,
);
add(
  'two trips a line',
  table('Ref|Out|From|To|Return', [
    ['A1', '06:10', 'Leeds', 'Heathrow T5', ''],
    ['A2', '07:40', 'Leeds', 'York', '18:15'],
  ]),
  THREE,
);
add(
  'vehicle list beside',
  table('Time|From|To||Vehicles||', [
    ['06:10', 'Leeds', 'Heathrow T5', '', 'YN21 ABC', '53 seat', ''],
    ['07:40', 'Leeds', 'York', '', 'YX24 AEP', '49 seat', ''],
    ['18:15', 'York', 'Leeds', '', 'BU18 YSK', '16 seat', ''],
  ]),
  THREE,
);
add(
  'upper case',
  table('DEPT TIME|COLLECTION POINT|DESTINATION|VRM|NO OF PAX', [
    ['06:10', 'LEEDS', 'HEATHROW T5', 'YN21 ABC', '38'],
    ['07:40', 'LEEDS', 'YORK', 'YX24 AEP', '12'],
    ['18:15', 'YORK', 'LEEDS', 'YX24 AEP', '12'],
  ]),
  ['06:10 LEEDS → HEATHROW T5', '07:40 LEEDS → YORK', '18:15 YORK → LEEDS'],
);
add(
  'groups',
  table('Time|From|To|Coach', [
    ['AIRPORTS', '', '', ''],
    ['06:10', 'Leeds', 'Heathrow T5', '12'],
    ['SCHOOLS', '', '', ''],
    ['07:40', 'Leeds', 'York', '14'],
    ['18:15', 'York', 'Leeds', '14'],
  ]),
  THREE,
);
add(
  'columns order to first',
  table('To|From|Leave at', [
    ['Heathrow T5', 'Leeds', '06:10'],
    ['York', 'Leeds', '07:40'],
    ['Leeds', 'York', '18:15'],
  ]),
  THREE,
);
add(
  'weekday col',
  table('Day|Dep Time|From/To', [
    ['Tue 24 Nov', '06:10', 'Leeds to Heathrow T5'],
    ['Tue 24 Nov', '07:40', 'Leeds to York'],
    ['Tue 24 Nov', '18:15', 'York to Leeds'],
  ]),
  THREE,
);
add(
  'hrs',
  table('PU Time|PU Point|DO Point|Client', [
    ['0610hrs', 'Leeds', 'Heathrow T5', 'Acme'],
    ['0740hrs', 'Leeds', 'York', 'Acme'],
    ['1815hrs', 'York', 'Leeds', 'Acme'],
  ]),
  THREE,
);
add(
  'quotes and commas',
  'Time,Description,Driver\n"06:10","Leeds to Heathrow T5","Hussain, M."\n"07:40","Leeds to York","Nowak, K."\n"18:15","York to Leeds","Nowak, K."',
  THREE,
);
add(
  'pipes',
  table(
    'Time | From | To'.replaceAll(' ', ''),
    [
      ['06:10', 'Leeds', 'Heathrow T5'],
      ['07:40', 'Leeds', 'York'],
      ['18:15', 'York', 'Leeds'],
    ],
    '|',
  ),
  THREE,
);
add(
  'spaces',
  'Time   From    To\n06:10   Leeds    Heathrow T5\n07:40   Leeds    York\n18:15   York    Leeds',
  THREE,
);
add(
  'TBC row',
  table('Time|From|To', [
    ['06:10', 'Leeds', 'Heathrow T5'],
    ['07:40', 'Leeds', 'York'],
    ['TBC', 'Hull', 'Leeds'],
    ['18:15', 'York', 'Leeds'],
  ]),
  THREE,
);
add(
  'night 25:15',
  table('Dep|From|To', [
    ['06:10', 'Leeds', 'Heathrow T5'],
    ['07:40', 'Leeds', 'York'],
    ['25:15', 'York', 'Leeds'],
  ]),
  ['06:10 Leeds → Heathrow T5', '07:40 Leeds → York', '25:15 York → Leeds'],
);
add(
  'depart arrive',
  table('Depart|Arrive|From|To', [
    ['06:10', '10:30', 'Leeds', 'Heathrow T5'],
    ['07:40', '08:30', 'Leeds', 'York'],
    ['18:15', '19:05', 'York', 'Leeds'],
  ]),
  THREE,
);
add(
  'empty columns',
  table('Time||From||To|', [
    ['06:10', '', 'Leeds', '', 'Heathrow T5', ''],
    ['07:40', '', 'Leeds', '', 'York', ''],
    ['18:15', '', 'York', '', 'Leeds', ''],
  ]),
  THREE,
);
add(
  'job ref first no heading',
  table(null, [
    ['PC-2411', '06:10', 'Leeds', 'Heathrow T5', 'YN21 ABC'],
    ['PC-2412', '07:40', 'Leeds', 'York', 'YX24 AEP'],
    ['PC-2413', '18:15', 'York', 'Leeds', 'YX24 AEP'],
  ]),
  THREE,
);
add(
  'welsh style odd headings',
  table('When|Where from|Where to|Who', [
    ['06:10', 'Leeds', 'Heathrow T5', 'M Hussain'],
    ['07:40', 'Leeds', 'York', 'K Nowak'],
    ['18:15', 'York', 'Leeds', 'K Nowak'],
  ]),
  THREE,
);
add(
  'loose afternoon',
  table('Time|From|To', [
    ['6.10', 'Leeds', 'Heathrow T5'],
    ['11.40', 'Leeds', 'York'],
    ['1.15', 'York', 'Leeds'],
  ]),
  ['06:10 Leeds → Heathrow T5', '11:40 Leeds → York', '13:15 York → Leeds'],
);
add(
  'only one place',
  table('Time|Place|Driver', [
    ['06:10', 'Leeds Grammar', 'MH'],
    ['07:40', 'York College', 'KN'],
    ['18:15', 'Elland Road', 'KN'],
  ]),
  [],
);
add(
  'two times unnamed',
  table(null, [
    ['06:10', '05:50', 'Leeds', 'Heathrow T5'],
    ['07:40', '07:20', 'Leeds', 'York'],
    ['18:15', '17:55', 'York', 'Leeds'],
  ]),
  THREE,
);
add(
  'hash number',
  table('#|Time|Pickup|Dropoff|Unit|Driver name|Special instructions', [
    ['1', '06:10', 'Leeds', 'Heathrow T5', '12', 'M Hussain', 'wheelchair'],
    ['2', '07:40', 'Leeds', 'York', '14', 'K Nowak', ''],
    ['3', '18:15', 'York', 'Leeds', '14', 'K Nowak', ''],
  ]),
  THREE,
);

/** Text as pasted from a spreadsheet: "|" stands for its tabs. */
const pasted = (lines: string) => lines.trim().replaceAll('|', '\t');
add(
  'lines of an e-mail, with vehicle and driver behind a dash',
  `Morning all, work for Friday below
0610 Leeds to Heathrow T5 - YN21 ABC - Dave
0740 Leeds to York - YX24 AEP - Kasia
1815 York to Leeds - YX24 AEP - Kasia
Thanks, Jo`,
  THREE,
);
add(
  'a list with bullets',
  '- 06:10 Leeds to Heathrow T5\n- 07:40 Leeds to York\n- 18:15 York to Leeds',
  THREE,
);
add(
  'brackets and passengers behind the trip',
  '06:10 Leeds > Heathrow T5 (YN21 ABC) 38 pax\n07:40 Leeds > York (YX24 AEP) 22 pax\n18:15 York > Leeds (YX24 AEP)',
  THREE,
);
add(
  'blocks of a driver and a vehicle',
  pasted(`
Driver: K. Nowak|Vehicle: YX24 AEP|
07:40|Leeds|York
18:15|York|Leeds
Driver: M. Hussain|Vehicle: YN21 ABC|
06:10|Leeds|Heathrow T5
`),
  THREE,
);
add(
  'when it leaves and arrives in one cell',
  pasted(`
Times|From|To|Unit
06:10-10:40|Leeds|Heathrow T5|12
07:40 - 08:35|Leeds|York|14
18:15–19:10|York|Leeds|14
`),
  THREE,
);
add(
  'a time to collect and one to check in',
  pasted(`
Booking|Flight|Collect|Collect time|Drop|Check-in by|Lead name|Pax
TX901|BA117|Hilton Leeds|05:40|Heathrow T5|10:45|Mrs Patel|4
TX902|EZY22|Novotel York|09:00|Manchester T1|12:15|Mr Lund|2
`),
  ['05:40 Hilton Leeds → Heathrow T5', '09:00 Novotel York → Manchester T1'],
);
add(
  'twelve hours without a word for them',
  pasted(`
Time|From|To
6.10|Leeds|Heathrow T5
9.40|Leeds|York
2.15|York|Leeds
6.30|Heathrow T5|Leeds
`),
  [],
);
add(
  'schools in the morning and the afternoon',
  pasted(`
Contract|School|First pick up|AM|PM|Vehicle
S41|Otley Prince Henry's|Pool|07:35|15:20|YJ15 KLO
S42|Ilkley Grammar|Addingham|07:50|15:05|YJ15 KLP
`),
  [
    "07:35 Pool → Otley Prince Henry's",
    "15:20 Otley Prince Henry's → Pool",
    '07:50 Addingham → Ilkley Grammar',
    '15:05 Ilkley Grammar → Addingham',
  ],
);
add(
  'chat messages with the time of each',
  `[27/11/2026, 05:02] Jo Office: 06:10 Leeds to Heathrow T5, Dave
[27/11/2026, 05:03] Jo Office: 07:40 Leeds to York, Kasia
[27/11/2026, 05:05] Dave: ok`,
  [],
);
add(
  'a time home in words that few use',
  pasted(`
Ref|Customer|Tel|Time out|From|To|Price|Homeward|Coach
H7/1|St Mary's PTA|01943 600000|9.00|Ilkley|Cadbury World|£640|16.30|J5 KLM
H7/2|Bridge club|0113 496 0000|10.15|Leeds|Harrogate|£220|15.00|B7 BUS
`),
  [
    '09:00 Ilkley → Cadbury World',
    '16:30 Cadbury World → Ilkley',
    '10:15 Leeds → Harrogate',
    '15:00 Harrogate → Leeds',
  ],
);
add(
  'places beside their times',
  pasted(`
RRB PLAN - NORTHERN||||||
Diag|Reg|Operator|Start at|Start|Finish at|Finish
RR1|SF19 ABX|Stotts|Huddersfield|0500|Stalybridge|0548
RR1|SF19 ABX|Stotts|Stalybridge|0610|Huddersfield|0658
`),
  ['05:00 Huddersfield → Stalybridge', '06:10 Stalybridge → Huddersfield'],
);
add(
  'headings in two languages, one below the other',
  pasted(`
Amser / Time|O / From|I / To|Gyrrwr / Driver
06:10|Leeds|Heathrow T5|Siân
07:40|Leeds|York|Huw
18:15|York|Leeds|Huw
`),
  THREE,
);
add(
  'rows out and back, two places over two times',
  pasted(`
Pick-up|Pick-up|Drop-off|Drop-off
Time|Place|Time|Place
06:10|Leeds|10:40|Heathrow T5
07:40|Leeds|08:35|York
18:15|York|19:10|Leeds
`),
  THREE,
);

/** Sheets whose meaning nobody could know without asking. */
const ASKED = [
  'loose afternoon',
  'only one place',
  'two times unnamed',
  'twelve hours without a word for them',
  'chat messages with the time of each',
  'home end and school, out in the morning and back in the afternoon',
];

add(
  'home end and school, out in the morning and back in the afternoon',
  table('Contract|Home end|School|AM from home|PM from school|Driver', [
    ['HCC 2207', 'Royston', 'Woolgrove School', '7.50', '3.10', 'Vince'],
    ['HCC 2214', 'Baldock', 'Lonsdale School', '8.05', '3.20', 'Parveen'],
  ]),
  [
    '07:50 Royston → Woolgrove School',
    '08:05 Baldock → Lonsdale School',
    '15:10 Woolgrove School → Royston',
    '15:20 Lonsdale School → Baldock',
  ],
);

it('are understood or asked about, never wrong in silence', () => {
  const asked = SHEETS.flatMap(([name, text, jobs]) => {
    const sheet = readSheet(rowsOfText(text), { day: DAY });
    if (sheet.asked.length > 0) return name;
    const read = sheet.rows.flatMap((row) =>
      row.jobs.map(({ leaves_local, trip }) => `${leaves_local} ${trip}`),
    );
    expect(read.toSorted(), name).toEqual(jobs.toSorted());
    return [];
  });
  expect(asked).toEqual(ASKED);
});

/** Day sheets by people who did not know our rules, each with all jobs that it means: "06:10
 *  Leeds → York | via Otley | driver Dave | in YN21 ABC | people 12 | ref A1". `asks`: even the writer would not
 *  guess all of it. `columns`: the meaning of each column. */
const STRANGERS: {
  style: string;
  day: string;
  text: string;
  jobs: string[];
  asks?: boolean;
  columns?: (string | null)[];
}[] = strangers;

/** The answers of a person who trusts us: the first button of each question, and yes to each guess. */
const FIRST_ANSWERS = {
  afternoon: true,
  stops: true,
  nextDay: true,
  back: true,
  light: false,
  remark: true,
  twice: false,
};

const plainWords = (text: string) =>
  text
    .toLowerCase()
    .replaceAll(/[^\p{L}\d]+/gu, ' ')
    .trim();
type Read = ReturnType<typeof readSheet>;
const inFull = ({ leaves_local, trip, note, driver, vehicle, people, ref }: Read['rows'][0]['jobs'][0]) => {
  const via = /^Via ([^;]*)/.exec(note ?? '')?.[1] ?? null;
  const said = Object.entries({ via, driver, in: vehicle, people, ref });
  const more = said.flatMap(([name, value]) => (value === null ? [] : `${name} ${value}`));
  return [`${leaves_local} ${trip}`, ...more].join(' | ');
};
const sorted = (jobs: readonly string[]) => jobs.map(plainWords).toSorted().join('\n');
const jobsOf = (sheet: Read) => sorted(sheet.rows.flatMap(({ jobs }) => jobs.map(inFull)));
const tripsOf = (sheet: Read) =>
  sorted(sheet.rows.flatMap(({ jobs }) => jobs.map(({ leaves_local, trip }) => `${leaves_local} ${trip}`)));

const read = STRANGERS.map((stranger) => {
  const { day, text, jobs } = stranger;
  const table = rowsOfText(text);
  const rows = rowsOfText(inLines(readSheet(table, { day }), text, day) ?? text);
  const sheet = readSheet(rows, { day });
  const chosen = new Map(sheet.columns.flatMap(({ meaning, isSure }, at) => (isSure ? [] : [[at, meaning]])));
  const answered = readSheet(rows, { day, chosen, answers: FIRST_ANSWERS });
  return {
    ...stranger,
    sheet,
    answered,
    trips: sorted(jobs.map((job) => job.split(' | ')[0]!)),
    wanted: sorted(jobs),
  };
});

it('reads strangers’ sheets, or asks so that one answer is enough, and is never wrong in silence', () => {
  const outcomes = read.map(({ style, asks = false, sheet, answered, trips, wanted }) => {
    const isSaid = sheet.rows.some(
      ({ left, note }) => left === 'not understood' || left === 'empty' || note !== null,
    );
    const isAsked = sheet.asked.length > 0;
    const isRight = jobsOf(answered) === wanted;
    if (!isAsked && isRight && (isSaid || !asks)) return 'understood';
    // A column that is kept in the note, or guessed, is named above the table; its trips must be right.
    const isNamed = sheet.said.some((one) => /^Guessed|^Kept in the note: .*column \d/.test(one));
    if (!isAsked && !isSaid && isNamed && tripsOf(sheet) === trips) return 'trips alone';
    if (!isAsked && !isSaid) return `wrong in silence: ${style}`;
    if (isAsked && isRight) return 'understood once answered';
    return tripsOf(answered) === trips ? 'trips alone' : 'asked or left out';
  });
  const many = (...of: string[]) => outcomes.filter((one) => of.includes(one)).length;
  expect(outcomes.filter((one) => one.startsWith('wrong'))).toEqual([]);
  expect(many('understood')).toBeGreaterThanOrEqual(427);
  expect(many('understood', 'understood once answered')).toBeGreaterThanOrEqual(446);
  expect(many('understood', 'understood once answered', 'trips alone')).toBeGreaterThanOrEqual(458);
});

/** Meanings that a column may be taken for, besides its writer's. */
const AS_WELL: Record<string, string[]> = {
  time: ['back'],
  from: ['trip'],
  note: ['status', 'deadline'],
  other: ['none', 'note', 'people', 'status'],
  driver: ['backDriver'],
  vehicle: ['backVehicle'],
  arrives: ['deadline'],
  status: ['none', 'note'],
};

it('guesses the columns of strangers’ sheets', () => {
  const guessed = read.flatMap(({ sheet, columns }) => {
    const missed = (columns ?? []).flatMap((meant, at) => {
      const { meaning = 'none', heading = null } = sheet.columns[at] ?? {};
      const isAsked = sheet.asked.some((one) => one.startsWith(`Is column ${at + 1} `));
      const isRight = meant === null || (!isAsked && [meant, ...(AS_WELL[meant] ?? [])].includes(meaning));
      return isRight ? [] : `${heading ?? at + 1}: ${meaning}, ${isAsked ? 'asked' : 'guessed'}`;
    });
    return columns ? [missed] : [];
  });
  expect(guessed).toHaveLength(214);
  // Money is never kept, and the numbers 1, 2, 3 are on the next sheet as well.
  expect(guessed.flat()).toEqual([
    'Paid?: none, guessed',
    'No: none, guessed',
    'Run: note, guessed',
    'Flt time: deadline, guessed',
    '5: note, guessed',
    'Time: none, guessed',
    // "OUTWARD" and "RETURN" above two headings each
    'Time: time, asked',
    'Time: none, guessed',
    'From: note, asked',
  ]);
});

it('reads sentences, chats and lists of pick-ups as one trip a line, and loses nothing', () => {
  const lines = (text: string) => tripLines(text, '2026-11-28')?.split('\n').slice(1);
  expect(
    lines(`27/11/2026, 19:02 - Office: Work for Sat 28th
27/11/2026, 19:03 - Office: Dave 06:10 Leeds to Hull YN21 ABC 38 pax
[27/11/2026, 19:03:10] Office: Kasia 0740 Leeds – York 16 seater
27/11/2026, 19:05 - Dave: ok`),
  ).toEqual([
    '06:10\tLeeds → Hull\t\t\tDave\tYN21 ABC\t38\t',
    '0740\tLeeds → York\t\t\tKasia\t16 seater\t\t',
    '',
    'Work for Sat 28th',
    'ok',
  ]);
  expect(
    lines(`TOUR 4417  Driver: Malc   Coach: PO20 LRH   41 pax

  07.00  Workington, Bus Station (6)
  07.20  Keswick, Booths (9)
Arr Chester 11.15. Depart 16.30 from the coach park
19:40 Depot, fuel`),
  ).toEqual([
    '07.00\tWorkington, Bus Station → Chester\tKeswick, Booths\t11.15\tMalc\tPO20 LRH\t41\t\t4417',
    '16.30\tChester → Workington, Bus Station\t\t\tMalc\tPO20 LRH\t41\tDepart from the coach park\t4417',
    '',
    'TOUR 4417  Driver: Malc   Coach: PO20 LRH   41 pax',
    '19:40 Depot, fuel',
  ]);
  expect(
    lines(
      `Hi Jo, at 10 past 8 the minibus goes from Harrogate to York with 12 pax. It comes back from York at 3pm. Ring 07700 900123.
1. Ken to take YN21 ABC, pick up Otley 7.15am for Hull, return 4pm`,
    ),
  ).toEqual([
    '10 past 8\tHarrogate → York\t\t\t\t\t12\t',
    '3pm\tYork → Harrogate\t\t\t\t\t12\tIt comes back from York. Ring 07700 900123',
    '7.15am\tOtley → Hull\t\t\tKen\tYN21 ABC\t\t',
    '4pm\tHull → Otley\t\t\tKen\tYN21 ABC\t\treturn',
  ]);
  expect(
    lines(`WORK THURSDAY
1) Tenby to Folly Farm
   dep 1000, 24 pax, Hefin, bus 6, return 1430
2) Barry to Cardiff Bay
Sioned: 0930 Ruthin to Rhyl
Iestyn: CANCELLED 1100 Denbigh to Anfield
Sorry, now 9.15 not 8.45`),
  ).toEqual([
    '1000\tTenby → Folly Farm\t\t\tHefin\tbus 6\t24\t',
    '1430\tFolly Farm → Tenby\t\t\tHefin\tbus 6\t24\treturn',
    '0930\tRuthin → Rhyl\t\t\tSioned\t\t\t',
    '',
    'WORK THURSDAY',
    '2) Barry to Cardiff Bay',
    'Iestyn: CANCELLED 1100 Denbigh to Anfield',
    'Sorry, now 9.15 not 8.45',
  ]);
  // The greeting of a message names its driver if the message says what he does, and the same coach goes on.
  expect(
    lines(`Hi Nia, for Sat 28th take YJ15 ELU. 0800 Harlech to Barmouth with 26 kids. 1500 Barmouth to Harlech, same coach.

Hi Gwyn, 0910 pick up Bala School 42 kids, drop Llyn Tegid ret 2.30pm
Gwyn your 1430 Bala job has been cancelled`),
  ).toEqual([
    '0800\tHarlech → Barmouth\t\t\tNia\tYJ15 ELU\t26\t',
    '1500\tBarmouth → Harlech\t\t\tNia\tYJ15 ELU\t26\tsame coach',
    '0910\tBala School → Llyn Tegid\t\t\tGwyn\t\t42\t',
    '2.30pm\tLlyn Tegid → Bala School\t\t\tGwyn\t\t42\tCancelled: Gwyn your 1430 Bala job has been cancelled',
  ]);
  const club = 'Mells Vets - 1pm Mells Hall to Shepton FC';
  expect(lines(club)).toContain(`? ${club}`);
  // "Martin" is no month, "Inveraray" does not begin with "in", and a party is no driver.
  expect(
    lines(`Martin 0945 Hexham to Vindolanda, 31 pax, NK21 AAA
Una: leave Tarbert 0900, arrive Inveraray 0930
Iqbal x7 - 0350 Bradford to Leeds - Zed / YK21 JHB (rtn 1500)`),
  ).toEqual([
    '0945\tHexham → Vindolanda\t\t\tMartin\tNK21 AAA\t31\t',
    '0900\tTarbert → Inveraray\t\t0930\tUna\t\t\t',
    '0350\tBradford → Leeds\t\t\tZed\tYK21 JHB\t7\tIqbal',
    '1500\tLeeds → Bradford\t\t\tZed\tYK21 JHB\t7\trtn',
  ]);
  // Words before "takes", and occasions after trips, are no drivers.
  const drivers = (text: string) => lines(text)!.map((line) => line.split('\t')[4] ?? '');
  expect(
    drivers(`We take 40 from Leeds to York at 06:10
Who takes 08:10 York to Hull?
Minibus collects 09:10 York to Hull
Minibus 09:20 York to Hull
Will do 10:10 Leeds to York
Will takes 11:10 Leeds to York
Marta takes 12:10 Leeds to York`),
  ).toEqual(['', '', '', '', '', 'Will', 'Marta']);
  expect(
    drivers('07:30 Leeds to York, Wedding\n08:30 York to Leeds, Contract\n09:30 Hull to Ely, Saga'),
  ).toEqual(['', '', '']);
  expect(
    drivers(
      '07:30 Leeds to York, Dave\n08:30 York to Leeds, Shaz\n09:00 Selby to Hull, Sue\n09:30 Hull to Ely, Wedding\n10:30 Hull to Ely, Zelda',
    ),
  ).toEqual(['Dave', 'Shaz', 'Sue', '', 'Zelda']);
  expect(drivers('07:30 Leeds to York, Dave\n08:30 York to Leeds, Shaz\n09:30 Hull to Ely, Sue')).toEqual([
    'Dave',
    'Shaz',
    'Sue',
  ]);
  // Words about all of them are no way back for the last.
  expect(
    lines('Babs - 0730 Burton to Latimer\nTomasz - 0910 Rushden to Burghley\nAll coaches home by 18:30'),
  ).toEqual([
    '0730\tBurton → Latimer\t\t\tBabs\t\t\t',
    '0910\tRushden → Burghley\t\t\tTomasz\t\t\t',
    '',
    'All coaches home by 18:30',
  ]);
  expect(tripLines('Saturday 28 November 2026\nCall 01632 960540, £12.50, 27/11/2026')).toBeNull();
});

it.each([
  ['cancels one by its place', 'Leominster job is off, snow'],
  ['gives one another vehicle', 'NB VX20 BBB is off the road, Bea use VX22 CCC'],
  ['takes back a time', "Don't run the 0830"],
  ['has a trip beside a break', 'Break 1000-1045. 1100 Ludlow to Craven Arms with'],
])('asks about a line below the trips that %s', (_, line) => {
  const text = `0800 Ludlow to Leominster, 30 pax, VX19 AAA, Karl\n0830 Ludlow to Hereford, 40 pax, VX20 BBB, Bea\n${line}`;
  const sheet = readSheet(rowsOfText(text), { day: DAY });
  const lines = inLines(sheet, text, DAY);
  expect((lines === null ? sheet : readSheet(rowsOfText(lines), { day: DAY })).asked).toHaveLength(1);
});
