import { expect, it } from 'vitest';
import { inLines, readSheet } from '../../../../src/screens/today/daySheet.ts';
import { rowsOfText } from '../../../../src/screens/today/sheetText.ts';
import { tripLines } from '../../../../src/screens/today/sheetProse.ts';

const DAY = '2026-11-24'; // a Tuesday

interface Expected {
  jobs: string[];
  asked?: string[];
  said?: string[];
  /** Problems and notes of rows. */
  words?: string[];
}

const read = (lines: readonly string[], more: Partial<Parameters<typeof readSheet>[1]> = {}) =>
  readSheet(rowsOfText(lines.map((line) => line.replaceAll('|', '\t')).join('\n')), { day: DAY, ...more });

const outcome = (sheet: ReturnType<typeof read>): Required<Expected> => ({
  jobs: sheet.rows.flatMap(({ jobs }) =>
    jobs.map(({ leaves_local, trip, ref, vehicle, driver, people, deadline_local, note }) =>
      [
        `${leaves_local} ${trip}`,
        ref,
        vehicle,
        driver,
        people,
        deadline_local && `by ${deadline_local}`,
        note,
      ]
        .filter((one) => one !== null)
        .join(' · '),
    ),
  ),
  asked: sheet.asked,
  said: sheet.said,
  words: sheet.rows.flatMap(({ problem, note }) => problem ?? note ?? []),
});

const CASES: [habit: string, lines: string[], expected: Expected][] = [
  [
    'short headings with "To" between two that stand for ends',
    ['Tm|Frm|To|Drv|Veh|Pax', '06:10|Ripon|Hull|TR|YN21 ABC|12', '07:10|York|Leeds|AO|FX72 DLG|14'],
    { jobs: ['06:10 Ripon → Hull · YN21 ABC · TR · 12', '07:10 York → Leeds · FX72 DLG · AO · 14'] },
  ],
  [
    'unknown headings around "To"',
    ['Time|Begin|To|Crew|Veh', '06:10|Ripon|Hull|Sue|YN21 ABC', '07:10|York|Leeds|Dave|FX72 DLG'],
    { jobs: ['06:10 Ripon → Hull · YN21 ABC · Sue', '07:10 York → Leeds · FX72 DLG · Dave'] },
  ],
  [
    'initials before the trips of a list, and numbers behind an x',
    ['0610 KB Ripon / Hull x22', '0710 DW York / Leeds x50', '0910 KB Leeds / York x41'],
    {
      jobs: ['06:10 Ripon → Hull · KB · 22', '07:10 York → Leeds · DW · 50', '09:10 Leeds → York · KB · 41'],
      said: ['Guessed by what they hold: column 3 as Driver.'],
    },
  ],
  [
    'a job in a line with thanks, below the table',
    [
      'Time|From|To',
      '06:10|Ripon|Hull',
      '07:10|York|Leeds',
      'Also 16:00 Harrogate group of 30 please, thanks',
    ],
    {
      jobs: ['06:10 Ripon → Hull', '07:10 York → Leeds'],
      asked: ['Row 4 “Also 16:00 Harrogate group of 30 please…” is in no job.'],
    },
  ],
  [
    'thanks alone, below the table',
    ['Time|From|To', '06:10|Ripon|Hull', '07:10|York|Leeds', 'Many thanks, Dave'],
    { jobs: ['06:10 Ripon → Hull', '07:10 York → Leeds'] },
  ],
  [
    'cancellations beside a registration, a registration that only looks like one, and one in place of another',
    [
      'Time|From|To|Reg|Status|Notes',
      '06:10|Ripon|Hull|~~YN21 ABC~~|Confirmed|',
      '07:10|York|Leeds|FX72 DLG|Cancelled (YN21 ABC)|',
      '08:10|York|Leeds|YX24 AEP|Confirmed|Canx, was FX72 DLG',
      '09:10|York|Leeds|YX24 AEP|Confirmed, LK17 OFF|',
      '10:10|York|Leeds|~~YN21 ABC~~ FX72 DLG|Confirmed|',
    ],
    {
      jobs: [
        '09:10 York → Leeds · YX24 AEP · Confirmed, LK17 OFF',
        '10:10 York → Leeds · ~~YN21 ABC~~ FX72 DLG',
      ],
      said: ['Left out: 3 cancelled.'],
      words: ['Row 2: “~~YN21 ABC~~”.', 'Row 3: “Cancelled (YN21 ABC)”.', 'Row 4: “Canx, was FX72 DLG”.'],
    },
  ],
  [
    'a word between two ends, below no heading of its own',
    ['Time|From||To|Driver|Vehicle', '06:10|Leeds|to|York|Sue|YN21 ABC', '07:10|Hull||York|Dave|YX24 AEP'],
    { jobs: ['06:10 Leeds → York · YN21 ABC · Sue', '07:10 Hull → York · YX24 AEP · Dave'] },
  ],
  [
    'both ends and the word between them, below one heading',
    ['Time|Route|||Driver|Vehicle', '06:10|Leeds|to|York|Sue|YN21 ABC', '07:10|Hull to Ely|||Dave|YX24 AEP'],
    { jobs: ['06:10 Leeds → York · YN21 ABC · Sue', '07:10 Hull → Ely · YX24 AEP · Dave'] },
  ],
  [
    'towns that are also first names',
    [
      'Time|Trip',
      'DUDLEY',
      '06:10|Hull - York - Beverley',
      '07:10|York - Leigh',
      'LEIGH',
      '08:10|York - Leeds',
    ],
    {
      jobs: ['06:10 Hull - York - Beverley', '07:10 York → Leigh', '08:10 York → Leeds'],
      asked: [
        'What stands behind the second dash may be a remark or where it ends, in 1 row, as row 3 “Beverley”.',
      ],
      said: ['Left out: 2 not understood.'],
      words: ['Row 2: no time in “DUDLEY”.', 'Row 5: no time in “LEIGH”.'],
    },
  ],
  [
    'a driver beside words with a time',
    ['Time|From|To', '06:10|Ripon|Hull', 'Driver: Dave|Back 16:10 from Hull|', '07:10|York|Leeds'],
    {
      jobs: ['06:10 Ripon → Hull', '07:10 York → Leeds'],
      said: ['Left out: 1 not understood.'],
      words: ['Row 3: no time in “Driver: Dave”.'],
    },
  ],
  [
    'a cancellation between marks, in a column that nobody knows',
    ['Time|From|To|Whatnot', '06:10|Ripon|Hull|xx CANCELLED xx', '07:10|York|Leeds|'],
    {
      jobs: ['07:10 York → Leeds'],
      said: ['Left out: 1 cancelled.', 'Kept in the note: Whatnot.'],
      words: ['Row 2: “xx CANCELLED xx”.'],
    },
  ],
  [
    'a driver named once for several jobs, where the times start again with each driver',
    ['Driver|Time|From|To', 'Stan|06:10|Ripon|Hull', '|16:00|Hull|Ripon', 'Lee|07:10|York|Leeds'],
    {
      jobs: ['06:10 Ripon → Hull · Stan', '16:00 Hull → Ripon · Stan', '07:10 York → Leeds · Lee'],
      said: ['1 row has its vehicle or driver from the line above.'],
    },
  ],
  [
    'a job without a driver among others in the order of the day',
    ['Driver|Time|From|To', 'Stan|06:10|Ripon|Hull', '|07:00|Hull|Ripon', 'Lee|07:10|York|Leeds'],
    {
      jobs: ['06:10 Ripon → Hull · Stan', '07:00 Hull → Ripon', '07:10 York → Leeds · Lee'],
      said: ['No driver in 1 of 3 rows, as “Driver” is empty there.'],
    },
  ],
  [
    'halves of the day above their times',
    [
      'Time|From|To',
      'MORNING',
      '7.15|Ripon|Hull',
      'EVENING',
      '6.10|York|Leeds',
      '10.15|Leeds|York',
      '12.15|York|Hull',
    ],
    {
      jobs: ['07:15 Ripon → Hull', '18:10 York → Leeds', '22:15 Leeds → York', '24:15 York → Hull'],
      words: ['00:15 on Wednesday.'],
    },
  ],
  [
    'halves of the day above times of twenty-four hours',
    ['Time|From|To', 'MORNING', '7.15|Ripon|Hull', 'AFTERNOON', '9.10|York|Leeds', '15.15|Leeds|York'],
    { jobs: ['07:15 Ripon → Hull', '09:10 York → Leeds', '15:15 Leeds → York'] },
  ],
  [
    'half of the day of one group, and another group below it',
    ['Time|From|To', 'AFTERNOON', '2.15|Ripon|Hull', 'Driver: Sue', '7.10|York|Leeds'],
    {
      jobs: ['14:15 Ripon → Hull', '07:10 York → Leeds · Sue'],
      said: ['1 row has its vehicle or driver from the line above.'],
    },
  ],
  [
    'a greeting of the half of the day, which says nothing of the times',
    ['Morning all,||', 'Time|From|To', '9.10|Ripon|Hull', 'Evening all,', '2.15|Hull|Ripon'],
    {
      jobs: ['09:10 Ripon → Hull', '02:15 Hull → Ripon'],
      asked: ['Times from row 5 on may be morning or afternoon.'],
      words: ['“2:15” is asked about.'],
    },
  ],
  [
    'a school beside a pick-up and words that may be the end as well',
    [
      'Time|Pick up point|School|Baths',
      '09:10|Otley|Ilkley School|Aireborough',
      '09:20|Pool|Otley School|Wharfedale',
    ],
    {
      jobs: [
        '09:10 Otley → Ilkley School · Baths Aireborough',
        '09:20 Pool → Otley School · Baths Wharfedale',
      ],
      asked: ['Is column 3 “To”?'],
      said: ['Kept in the note: Baths.'],
    },
  ],
  [
    'pick-ups beside the first of them, and back the other way round',
    ['Time|From|Pick ups|To|Return', '06:10|Ripon|York, Leeds|Hull|16:00'],
    {
      jobs: ['06:10 Ripon → Hull · Via York, Leeds', '16:00 Hull → Ripon · Via Leeds, York'],
      said: ['Kept in the note: Pick ups.'],
    },
  ],
  [
    'one of two drivers',
    ['Time|From|To|Driver', '06:10|Ripon|Hull|Ewan or Callum'],
    {
      jobs: ['06:10 Ripon → Hull · Ewan or Callum'],
      words: ['“Ewan or Callum” does not say which driver.'],
    },
  ],
  [
    'a driver of the way back, and one who is not known yet',
    [
      'AM driver|AM|First stop|School|PM|PM driver',
      'Jeff|07:50|Usk|Caldicot School|15:15|Rhian',
      'Ivor|07:40|Bala|Harlech School|15:10|TBC',
    ],
    {
      jobs: [
        '07:50 Usk → Caldicot School · Jeff',
        '15:15 Caldicot School → Usk · Rhian',
        '07:40 Bala → Harlech School · Ivor',
        '15:10 Harlech School → Bala',
      ],
    },
  ],
  [
    'a school beside a pick-up in the afternoon, which may be where pupils get off',
    ['Time|Pick up point|School', '15:10|Otley|Ilkley School', '15:20|Pool|Otley School'],
    {
      jobs: ['15:10 Otley → Ilkley School', '15:20 Pool → Otley School'],
      asked: ['Is column 3 “To”?'],
    },
  ],
  [
    'a way back in other words than a time, below its heading',
    ['Time|From|To|Return', '06:10|Ripon|Hull|W/R', '07:10|York|Hull|wait', '08:10|York|Hull|same day 17:00'],
    {
      jobs: [
        '06:10 Ripon → Hull · Return W/R',
        '07:10 York → Hull · Return wait',
        '08:10 York → Hull · Return same day 17:00',
        '17:00 Hull → York · Return same day 17:00',
      ],
      said: ['1 with a way back without a time: only the way out is added.', 'Kept in the note: Return.'],
      words: [
        '“W/R” has no time back: only the way out is added.',
        '“Return same day 17:00” is taken as a way back.',
      ],
    },
  ],
  [
    'a vehicle and its driver above each group, without headings',
    ['COACH 1 - SUE', '06:10|Ripon|Hull', 'COACH 2 - DAVE', '07:10|York|Leeds'],
    {
      jobs: ['06:10 Ripon → Hull · COACH 1 · SUE', '07:10 York → Leeds · COACH 2 · DAVE'],
      said: ['2 rows have their vehicle or driver from the line above them.'],
    },
  ],
  [
    'two trips a line, below headings in two lines',
    ['|Out|||Return||', 'Driver|Time|From|To|Time|From|To', 'Sue|06:10|Ripon|Hull|16:00|Hull|York'],
    { jobs: ['06:10 Ripon → Hull · Sue', '16:00 Hull → York · Sue'] },
  ],
  [
    'a half of the day above times with a nought',
    ['Time|From|To', 'AM', '0715|Ripon|Hull', 'PM', '0315|Hull|Ripon'],
    { jobs: ['07:15 Ripon → Hull', '15:15 Hull → Ripon'] },
  ],
  [
    'a time for each weekday',
    ['From|To|Mon-Thu|Fri', 'Pool|Otley|07:30|07:40', 'York|Hull|07:35|07:45'],
    { jobs: ['07:30 Pool → Otley', '07:35 York → Hull'], said: ['Not used: Fri.'] },
  ],
  [
    'a duty that ends later than its trip arrives',
    [
      'Duty|Report|Job|Time|From|To|Finish',
      '101|05:40|J1|06:10|Ripon|Hull|14:00',
      '101|05:40|J2|09:10|Hull|Ripon|14:00',
    ],
    {
      jobs: ['06:10 Ripon → Hull · J1 · Duty 101', '09:10 Hull → Ripon · J2 · Duty 101'],
      said: ['Not used: Report, Finish.', 'Kept in the note: Duty.'],
    },
  ],
  [
    'a first name behind each trip of an e-mail',
    [
      'Work for Tuesday',
      '06:10 Leeds to York - Sue',
      '07:10 York to Hull - Dave',
      '16:10 York to Leeds - Sue',
    ],
    {
      jobs: ['06:10 Leeds → York · Sue', '07:10 York → Hull · Dave', '16:10 York → Leeds · Sue'],
      said: ['Left out: 1 not understood.'],
      words: [
        'Row 1: no time.',
        '“Sue” is kept out of the trip.',
        '“Dave” is kept out of the trip.',
        '“Sue” is kept out of the trip.',
      ],
    },
  ],
  [
    'headings over a time and its place',
    ['Pick up||Drop off||Driver', '06:10|Ripon|08:00|Hull|Sue', '07:10|York|09:00|Hull|Dave'],
    { jobs: ['06:10 Ripon → Hull · Sue', '07:10 York → Hull · Dave'] },
  ],
  [
    'a vehicle of the way back',
    ['Time|From|To|Reg|Return|Return reg', '06:10|Ripon|Hull|YN21 ABC|16:00|YX24 AEP'],
    { jobs: ['06:10 Ripon → Hull · YN21 ABC', '16:00 Hull → Ripon · YX24 AEP'] },
  ],
  [
    'a second table below, with its columns in another order and one of its own',
    ['Time|From|To|Driver', '06:10|Ripon|Hull|Sue', 'Reg|Time|To|From', 'YN21 ABC|07:10|Hull|York'],
    {
      jobs: ['06:10 Ripon → Hull · Sue', '07:10 York → Hull · YN21 ABC'],
      said: [
        'No vehicle in 1 of 2 rows, as “Reg” is empty there.',
        'No driver in 1 of 2 rows, as “Driver” is empty there.',
      ],
    },
  ],
  [
    'a day above the headings, and others below',
    ['Monday 23 November||', 'Time|From|To', '06:10|Ripon|Hull', 'Tuesday 24 November', '07:10|York|Leeds'],
    {
      jobs: ['07:10 York → Leeds'],
      said: ['Left out: 1 row of another day.'],
      words: ['Row 3: this is for Monday 23 November.'],
    },
  ],
  [
    'weekdays in the office’s own short forms, without headings',
    ['Tues|06:10|Ripon|Hull', 'Weds|07:10|York|Leeds', 'Thur|07:20|York|Leeds'],
    {
      jobs: ['06:10 Ripon → Hull'],
      said: ['Left out: 2 rows of other days.'],
      words: ['Row 2: this is for Wednesday 25 November.', 'Row 3: this is for Thursday 26 November.'],
    },
  ],
  [
    'a date of the way back below the same word as that of the way out',
    ['From|To|Date|Out|Date|Home', 'Ripon|Hull|24/11|09:00|25/11|16:30'],
    {
      jobs: ['09:00 Ripon → Hull'],
      words: ['The way back is on Wednesday 25 November, and not added.'],
    },
  ],
  [
    'places on the way in the words of a trip',
    ['Time|Journey', '06:10|Ripon to Hull (via York and Selby)', '07:10|Ripon via York to Hull'],
    {
      jobs: ['06:10 Ripon → Hull · Via York, Selby', '07:10 Ripon → Hull · Via York'],
      words: ['“York, Selby” is taken as on the way.', '“York” is taken as on the way.'],
    },
  ],
  [
    'sums of people, and the seats beside them',
    [
      'Time|From|To|Seats|Pax',
      '06:10|Ripon|Hull|53|38 + 2',
      '07:10|York|Hull|98|2 x 49',
      '08:10|York|Hull|49|30 + TL',
      '09:10|York|Hull|16|2 adults, 3 children',
    ],
    {
      jobs: [
        '06:10 Ripon → Hull · 40 · Seats 53',
        '07:10 York → Hull · 98 · Seats 98',
        '08:10 York → Hull · 30 · Seats 49',
        '09:10 York → Hull · 5 · Seats 16; 2 adults, 3 children',
      ],
      said: ['Kept in the note: Seats.'],
    },
  ],
  [
    'jobs that other words take back, or perhaps put elsewhere',
    [
      'Time|From|To|Notes',
      '06:10|Ripon|Hull|DO NOT RUN',
      '07:10|York|Hull|no longer required',
      '08:10|York|Hull|now 08:40',
    ],
    {
      jobs: ['08:10 York → Hull · now 08:40'],
      said: ['Left out: 2 cancelled.'],
      words: [
        'Row 2: “DO NOT RUN”.',
        'Row 3: “no longer required”.',
        '“now 08:40”: it is added all the same.',
      ],
    },
  ],
  [
    'times with their half before them or cut short, and with words behind',
    ['Time|From|To', 'AM 7.15|Ripon|Hull', '0315p|Hull|Ripon', '16:00 (sharp)|York|Hull', '17:00*|Hull|York'],
    { jobs: ['07:15 Ripon → Hull', '15:15 Hull → Ripon', '16:00 York → Hull', '17:00 Hull → York'] },
  ],
  [
    'a driver above each group, beside a column of vehicles',
    ['Time|From|To|Reg', 'DAVE H', '06:10|Ripon|Hull|YN21 ABC', 'SUE', '07:10|York|Hull|YX24 AEP'],
    {
      jobs: ['06:10 Ripon → Hull · YN21 ABC · DAVE H', '07:10 York → Hull · YX24 AEP · SUE'],
      said: ['2 rows have their vehicle or driver from the line above them.'],
    },
  ],
  [
    'who is on and off, below the jobs',
    [
      'Time|From|To|Driver',
      '06:10|Ripon|Hull|Sue',
      'DRIVERS|ON|OFF|STATUS',
      'Sue|05:30|14:00|Work',
      'Tony|||Rest day',
    ],
    { jobs: ['06:10 Ripon → Hull · Sue'] },
  ],
  [
    'small hours with the date of the evening before them',
    ['Date|Time|From|To', '24/11/2026|18:45|Ripon|Hull', '24/11/2026|00:30|Hull|Ripon'],
    {
      jobs: ['18:45 Ripon → Hull', '00:30 Hull → Ripon'],
      asked: ['Times from row 3 on come after midnight: of which day are they?'],
      words: ['“00:30” is asked about.'],
    },
  ],
  [
    'a day and a time in one cell',
    ['Scheduled|From|To', '2026-11-24 06:05|Ripon|Hull', '2026-11-25 00:20|Hull|Ripon'],
    {
      jobs: ['06:05 Ripon → Hull'],
      said: ['Left out: 1 row of another day.'],
      words: ['Row 3: this is for Wednesday 25 November.'],
    },
  ],
  [
    'a day and a time in one cell, with words and dots',
    ['Date/Time|From|To', '24.11.26 06:10|Ripon|Hull', 'Wed 25 Nov 07:10|Hull|Ripon'],
    {
      jobs: ['06:10 Ripon → Hull'],
      said: ['Left out: 1 row of another day.'],
      words: ['Row 3: this is for Wednesday 25 November.'],
    },
  ],
  [
    'all of another day, in cells',
    ['Date|Time|From|To', '25/11/2026|06:10|Ripon|Hull', '|07:10|Hull|Ripon'],
    {
      jobs: [],
      asked: ['This sheet says Wednesday 25 November.'],
      said: ['Left out: 2 rows of other days.'],
      words: ['Row 2: this is for Wednesday 25 November.', 'Row 3: this is for Wednesday 25 November.'],
    },
  ],
  [
    'weekdays alone',
    ['Day|Time|From|To', 'Tue|06:10|Ripon|Hull', 'Wed|07:10|Hull|Ripon'],
    {
      jobs: ['06:10 Ripon → Hull'],
      said: ['Left out: 1 row of another day.'],
      words: ['Row 3: this is for Wednesday 25 November.'],
    },
  ],
  [
    'a weekday that is not that of its date',
    ['Date|Time|From|To', 'Mon 24 Nov|06:10|Ripon|Hull', 'Tue 24 Nov|07:10|Hull|Ripon'],
    {
      jobs: ['07:10 Hull → Ripon'],
      said: ['Left out: 1 not understood.'],
      words: ['Row 2: “Mon 24 Nov” is a Tuesday.'],
    },
  ],
  [
    'dates that cannot be read',
    ['Date|Time|From|To', '11/24/2026|06:10|Ripon|Hull'],
    {
      jobs: [],
      asked: ['Is column 1 “Date”?'],
      said: ['Left out: 1 not understood.'],
      words: ['Row 2: no date in “11/24/2026”.'],
    },
  ],
  [
    'days as lines above their jobs',
    [
      'Week commencing 23/11/2026||',
      'Time|From|To',
      'TUESDAY 24TH NOVEMBER||',
      '06:10|Ripon|Hull',
      'Wednesday||',
      '07:10|Hull|Ripon',
    ],
    {
      jobs: ['06:10 Ripon → Hull'],
      said: ['Left out: 1 row of another day.'],
      words: ['Row 6: this is for Wednesday 25 November.'],
    },
  ],
  [
    'a night that its title names',
    ['Night sheet Tue 24/11 into Wed 25/11||', 'Time|From|To', '22:10|Ripon|Hull', '00:40|Hull|Ripon'],
    { jobs: ['22:10 Ripon → Hull', '24:40 Hull → Ripon'], words: ['00:40 on Wednesday.'] },
  ],
  [
    'small hours below the evening',
    ['Time|From|To', '19:10|Ripon|Hull', '00:40|Hull|Ripon', '03:00|Hull|York'],
    {
      jobs: ['19:10 Ripon → Hull', '00:40 Hull → Ripon', '03:00 Hull → York'],
      asked: ['Times from row 3 on come after midnight: of which day are they?'],
      words: ['“00:40” is asked about.', '“03:00” is asked about.'],
    },
  ],
  [
    'sheets that go by driver, not by time',
    [
      'Driver|Time|From|To',
      'Ann|19:00|Ripon|Hull',
      'Bob|05:30|Ripon|York',
      'Bob|18:30|York|Ripon',
      'Cy|05:45|Ripon|York',
    ],
    {
      jobs: [
        '19:00 Ripon → Hull · Ann',
        '05:30 Ripon → York · Bob',
        '18:30 York → Ripon · Bob',
        '05:45 Ripon → York · Cy',
      ],
    },
  ],
  [
    'times of the depot and the stand beside the pick-up',
    ['Leave depot|On stand|Pick up|Arrive|Back at depot|From|To', '05:10|06:00|06:10|08:00|10:00|Ripon|Hull'],
    { jobs: ['06:10 Ripon → Hull'], said: ['Not used: Leave depot, On stand, Back at depot.'] },
  ],
  [
    'two columns that may both be when it leaves',
    ['Pick up time|From|To|Dep', '06:00|Ripon|Hull|06:10'],
    { jobs: ['06:00 Ripon → Hull'], asked: ['Is column 1 “Time”?'], said: ['Not used: Dep.'] },
  ],
  [
    'the time when it leaves the depot alone',
    ['Depot out|From|To', '06:00|Ripon|Hull'],
    { jobs: ['06:00 Ripon → Hull'], asked: ['Is column 1 “Time”?'] },
  ],
  [
    'a second reference, a flight and a customer',
    ['Job no|Time|From|To|Order|Flight|Client', 'J-11|06:10|Ripon|Hull|O-5|AB123|Acme'],
    {
      jobs: ['06:10 Ripon → Hull · J-11 · Order O-5; Flight AB123; Client Acme'],
      said: ['Kept in the note: Order, Flight, Client.'],
    },
  ],
  [
    'a second number beside the reference',
    ['Ref|Time|From|To|No.', 'A1|06:10|Ripon|Hull|35', 'A2|07:10|Hull|Ripon|20'],
    {
      jobs: ['06:10 Ripon → Hull · A1 · 35', '07:10 Hull → Ripon · A2 · 20'],
      said: ['Guessed by what they hold: No. as People.'],
    },
  ],
  [
    'running numbers',
    ['No|Time|From|To', '1|06:10|Ripon|Hull', '2|07:10|Hull|Ripon'],
    { jobs: ['06:10 Ripon → Hull', '07:10 Hull → Ripon'], said: ['Not used: No.'] },
  ],
  [
    'jobs that are cancelled',
    [
      'Time|From|To|Status|Notes',
      '06:10|Ripon|Hull|Confirmed|',
      '07:10|Hull|Ripon|Cancelled|',
      '08:10|Hull|Ripon|Provisional|return leg cancelled',
      '09:10|Hull|York||CANCELLED by client',
    ],
    {
      jobs: ['06:10 Ripon → Hull', '08:10 Hull → Ripon · Provisional; return leg cancelled'],
      said: ['Left out: 2 cancelled.'],
      words: [
        'Row 3: “Cancelled”.',
        '“Provisional; return leg cancelled”: it is added all the same.',
        'Row 5: “CANCELLED by client”.',
      ],
    },
  ],
  [
    'vehicle and driver within the trip',
    [
      'Time|Trip',
      '06:10|Ripon to Hull (YN21 ABC, Sam)',
      '07:10|Hull to Ripon (Sam)',
      '08:10|C-884 Hull to York (Railway Station)',
      '09:10|Hull to York YN21 ABC',
    ],
    {
      jobs: [
        '06:10 Ripon → Hull · YN21 ABC · Sam',
        '07:10 Hull → Ripon · Sam · Sam',
        '08:10 Hull → York (Railway Station) · C-884',
      ],
      said: ['Left out: 1 not understood.'],
      words: [
        '“YN21 ABC, Sam” is kept out of the trip.',
        '“Sam” is kept out of the trip.',
        '“C-884” is kept out of the trip.',
        'Row 5: “Hull → York YN21 ABC” has a registration in it.',
      ],
    },
  ],
  [
    'brackets that belong to a place, and its own driver',
    ['Time|From|To|Driver', '06:10|Ripon (Market Pl)|Hull [bay 4]|Sam', '07:10|Hull (Sam)|Ripon|Sam'],
    {
      jobs: ['06:10 Ripon (Market Pl) → Hull [bay 4] · Sam', '07:10 Hull → Ripon · Sam · Sam'],
      words: ['“Sam” is kept out of the trip.'],
    },
  ],
  [
    'what is not known',
    ['Time|From|To|Vehicle|Driver', '06:10|Ripon|Hull|???|tbc', '07:10|?|Ripon|#N/A|Sam'],
    {
      jobs: ['06:10 Ripon → Hull'],
      said: ['Left out: 1 not understood.'],
      words: ['Row 3: from where or to where is missing.'],
    },
  ],
  [
    'ditto marks',
    [
      'Time|From|To|Vehicle|Driver',
      '06:10|Ripon|Hull|YN21 ABC|Sam',
      '07:10|"|York|"|do.',
      '08:10|York|ditto|"|"',
    ],
    {
      jobs: [
        '06:10 Ripon → Hull · YN21 ABC · Sam',
        '07:10 Ripon → York · YN21 ABC · Sam',
        '08:10 York → York · YN21 ABC · Sam',
      ],
      asked: ['This may be no place where a trip begins or ends, in 1 row, as row 4 “York”.'],
    },
  ],
  [
    'times that became numbers with a point',
    ['Time|From|To', '6.1|Ripon|Hull', '7.45|Hull|Ripon', '16|Hull|York', '22.05|York|Hull'],
    { jobs: ['06:10 Ripon → Hull', '07:45 Hull → Ripon', '16:00 Hull → York', '22:05 York → Hull'] },
  ],
  [
    'times that are whole numbers',
    ['Time|From|To', '610|Ripon|Hull', '1745|Hull|Ripon'],
    { jobs: ['06:10 Ripon → Hull', '17:45 Hull → Ripon'] },
  ],
  [
    'times that are shares of a day',
    ['Time|From|To', '0.2569444|Ripon|Hull', '0.5|Hull|Ripon'],
    { jobs: ['06:10 Ripon → Hull', '12:00 Hull → Ripon'] },
  ],
  [
    'half past midnight with a point',
    ['Time|From|To', '0.30|Ripon|Hull', '14.20|Hull|Ripon'],
    { jobs: ['00:30 Ripon → Hull', '14:20 Hull → Ripon'] },
  ],
  [
    'hours as decimals, which are no clock times',
    ['Time|From|To', '6.5|Ripon|Hull', '7.75|Hull|Ripon'],
    {
      jobs: [],
      asked: ['Which column has the times?'],
      said: ['Left out: 2 not understood.', 'Not used: Time.'],
      words: ['Row 2: no column of times.', 'Row 3: no column of times.'],
    },
  ],
  [
    'times that are not plain',
    [
      'Time|From|To',
      'approx 0700|Ripon|Hull',
      '06:10 (TBC with school)|Hull|Ripon',
      '09:00/09:30|Hull|York',
      '|Hull|Leeds',
      '08:00|Hull|Leeds',
    ],
    {
      jobs: ['07:00 Ripon → Hull', '08:00 Hull → Leeds'],
      asked: ['Row 3 “06:10 (TBC with school) Hull Ripon” is in no job.'],
      said: ['Left out: 3 not understood.'],
      words: [
        '“approx 0700” is taken as 07:00.',
        'Row 3: “06:10 (TBC with school)” is not a plain time.',
        'Row 4: more than one time in “09:00/09:30”.',
        'Row 5: no time.',
      ],
    },
  ],
  [
    'codes of airports, and short headings',
    ['TIME|ORIG|DEST|VEH|DRVR|PX', '0420|LHR|STN|V1|Sam|3', '1610|MAN|LGW|V2|Ann|8'],
    { jobs: ['04:20 LHR → STN · V1 · Sam · 3', '16:10 MAN → LGW · V2 · Ann · 8'] },
  ],
  [
    'columns with gaps between them, and the headings again',
    [
      'Job No|Time||From||To||Veh',
      'B1|06:10||Ripon||Hull||YN21 ABC',
      'Job No|Time||From||To||Veh',
      'B2|07:10||Hull||Ripon||YN21 ABD',
    ],
    { jobs: ['06:10 Ripon → Hull · B1 · YN21 ABC', '07:10 Hull → Ripon · B2 · YN21 ABD'] },
  ],
  [
    'a list of the fleet behind a gap',
    ['Time|From|To||Reg|Seats', '06:10|Ripon|Hull||YN21 ABC|53', '07:10|Hull|Ripon|||', '08:10|Hull|York|||'],
    {
      jobs: ['06:10 Ripon → Hull', '07:10 Hull → Ripon', '08:10 Hull → York'],
      said: ['Not used, as they stand apart from the jobs: Reg, Seats.'],
    },
  ],
  [
    'vehicles of all jobs behind a gap',
    ['Time|From|To||Veh', '06:10|Ripon|Hull||YN21 ABC', '07:10|Hull|Ripon||YN21 ABD'],
    {
      jobs: ['06:10 Ripon → Hull · YN21 ABC', '07:10 Hull → Ripon · YN21 ABD'],
      said: ['Guessed by what they hold: Veh as Vehicle.'],
    },
  ],
  [
    'a flight that lands before the pick-up',
    [
      'P/U time|P/U|Drop off|Flt time|Lead name|Mobile',
      '03:45|Ripon|MAN T2|06:30|Mr Day|07700 900111',
      '11:40|MAN T3|Hull|10:55|Ms Fox|07700 900122',
    ],
    {
      jobs: [
        '03:45 Ripon → MAN T2 · by 06:30 · Lead name Mr Day',
        '11:40 MAN T3 → Hull · Lead name Ms Fox; Flt time 10:55',
      ],
      said: ['Not used: Mobile.', 'Kept in the note: Lead name.'],
    },
  ],
  [
    'pick-ups on the way',
    ['Time|1st pick up|2nd pick up|Destination', '06:10|Ripon|Thirsk|Hull'],
    { jobs: ['06:10 Ripon → Hull · Via Thirsk'], said: ['Kept in the note: 2nd pick up.'] },
  ],
  [
    'a heading over two columns',
    ['Time|Journey|', '06:10|Ripon|Hull', '07:10|Hull|Ripon'],
    {
      jobs: ['06:10 Ripon → Hull', '07:10 Hull → Ripon'],
      asked: ['Is column 2 “From”?', 'Is column 3 “To”?'],
    },
  ],
  [
    'a trip that is one place',
    ['Time|Journey', '06:10|School run', '07:10|Market'],
    { jobs: ['06:10 School run', '07:10 Market'], asked: ['Is column 2 “From and to”?'] },
  ],
  [
    'drivers in merged cells, as they are pasted',
    ['Driver|Time|From|To', 'Sam|06:10|Ripon|Hull', '|07:10|Hull|Ripon'],
    {
      jobs: ['06:10 Ripon → Hull · Sam', '07:10 Hull → Ripon'],
      said: ['No driver in 1 of 2 rows, as “Driver” is empty there.'],
    },
  ],
  [
    'lines of an e-mail',
    ['Morning all, work as follows:,', '06:10 Ripon to Hull, YN21 ABC', '07:10 Hull to Ripon, YN21 ABD'],
    {
      jobs: ['06:10 Ripon → Hull · YN21 ABC', '07:10 Hull → Ripon · YN21 ABD'],
      said: ['Left out: 1 not understood.'],
      words: [
        'Row 1: no time.',
        '“YN21 ABC” is kept out of the trip.',
        '“YN21 ABD” is kept out of the trip.',
      ],
    },
  ],
  [
    'a line above its rows that names the driver and the vehicle',
    [
      '06:10|Ripon|Hull|',
      'Driver: K. Nowak|Coach|YX24 AEP|',
      '07:10|Hull|Ripon|',
      'SCHOOLS|||',
      '08:00|Ripon|York|',
    ],
    {
      jobs: ['06:10 Ripon → Hull', '07:10 Hull → Ripon · YX24 AEP · K. Nowak', '08:00 Ripon → York'],
      said: ['1 row has its vehicle or driver from the line above.'],
    },
  ],
  [
    'when it leaves and arrives in one cell, and passengers behind the trip',
    ['Times|Job', '06:10-08:30|Ripon to Hull (YN21 ABC) 38 pax'],
    {
      jobs: ['06:10 Ripon → Hull · YN21 ABC · 38'],
      words: ['“YN21 ABC” is kept out of the trip. “06:10-08:30” is taken as 06:10.'],
    },
  ],
  [
    'times below a heading that nobody knows',
    ['Time|From|To|Later', '06:10|Ripon|Hull|17:10'],
    {
      jobs: ['06:10 Ripon → Hull', '17:10 Hull → Ripon'],
      asked: ['Is column 4 “Time back”?'],
    },
  ],
  [
    'a way back with places of its own, and the vehicle behind both',
    ['Dep|From|To|Return time|Return from|Return to|Coach', '12:15|Ripon|Hull|23:45|York|Ripon|YN21 ABC'],
    { jobs: ['12:15 Ripon → Hull · YN21 ABC', '23:45 York → Ripon · YN21 ABC'] },
  ],
  [
    'a way back after midnight, and one of the afternoon',
    ['Time|From|To|Return', '18:10|Ripon|Hull|00:30', '8.30|Ripon|York|2.45'],
    {
      jobs: ['18:10 Ripon → Hull', '24:30 Hull → Ripon', '08:30 Ripon → York', '14:45 York → Ripon'],
      words: ['“00:30” is taken as 00:30 on Wednesday.', '“2.45” is taken as 14:45.'],
    },
  ],
  [
    'a way back on another day',
    [
      'Out date|Out time|From|To|Back date|Back time',
      '24/11/2026|06:10|Ripon|Hull|27/11/2026|18:00',
      '24/11/2026|07:10|Ripon|York|24/11/2026|16:00',
    ],
    {
      jobs: ['06:10 Ripon → Hull', '07:10 Ripon → York', '16:00 York → Ripon'],
      words: ['The way back is on Friday 27 November, and not added.'],
    },
  ],
  [
    'two days beside each other',
    [
      'Tuesday 24 Nov|||Wednesday 25 Nov||',
      'Time|From|To|Time|From|To',
      '06:10|Ripon|Hull|08:00|Ripon|Whitby',
      '18:15|Hull|Ripon|17:00|Whitby|Ripon',
    ],
    {
      jobs: ['06:10 Ripon → Hull', '18:15 Hull → Ripon'],
      said: ['Not used: the columns of Wednesday 25 November.'],
    },
  ],
  [
    'small numbers below headings that nobody knows',
    ['Dep|From|To|Seats|Sold', '06:10|Ripon|Hull|49|38', '07:10|Hull|Ripon|49|12'],
    {
      jobs: ['06:10 Ripon → Hull · 49', '07:10 Hull → Ripon · 49'],
      said: ['Not used: Sold.'],
    },
  ],
  [
    'a duty card: its times are known, its places are asked',
    [
      'Duty card 14|Tuesday|',
      'Time|Place|Activity',
      '05:48|Depot|Sign on',
      '06:10|Ripon|Depart for Hull',
      '07:05|Hull|Arrive',
    ],
    {
      jobs: [],
      asked: ['Which columns say from where and to where?'],
      said: ['Left out: 1 run without passengers, 2 not understood.', 'Kept in the note: Activity.'],
      words: [
        'Row 3: “Depot” has no passengers.',
        'Row 4: from where or to where is missing.',
        'Row 5: from where or to where is missing.',
      ],
    },
  ],
  [
    'jobs as columns',
    ['|Job 1|Job 2', 'Time|06:10|07:10', 'From|Ripon|Hull', 'To|Hull|Ripon'],
    {
      jobs: ['06:10 Ripon → Hull', '07:10 Hull → Ripon'],
      said: ['Each job is a column of this sheet: row 2 is its second column.', 'Not used: Job.'],
    },
  ],
  [
    'references run together, as an export has them',
    [
      'BookingRef|CustomerName|PickupTime|PickupAddress|DestinationAddress|Passengers|VehicleReg|DriverName',
      'B-11|Abbey WI|08:45:00|Ripon|Hull|58|HF21 ZTK|Baker, Colin',
    ],
    {
      jobs: ['08:45 Ripon → Hull · B-11 · HF21 ZTK · Baker, Colin · 58 · CustomerName Abbey WI'],
      said: ['Kept in the note: CustomerName.'],
    },
  ],
  [
    'a vehicle below “What”, and who drives',
    [
      'Who for|Leaving from|Going to|Leave at|What|Who drives|How many',
      'Choir|Ripon|Hull|8.10|Sprinter 2|Wilf|16',
      'WI|Hull|Ripon|15.40|Coach 9|Donna|47',
    ],
    {
      jobs: [
        '08:10 Ripon → Hull · Sprinter 2 · Wilf · 16 · Who for Choir',
        '15:40 Hull → Ripon · Coach 9 · Donna · 47 · Who for WI',
      ],
      said: ['Kept in the note: Who for.'],
    },
  ],
  [
    'one way only, beside a way back',
    ['Pick up|Destination|Out|Return', 'Ripon|Hull|09:15|16:30', 'York|Leeds|11:00|single'],
    { jobs: ['09:15 Ripon → Hull', '16:30 Hull → Ripon', '11:00 York → Leeds'] },
  ],
  [
    'drivers over their jobs, with vehicle and people in brackets',
    [
      "DRIVERS' DUTIES - TUE 24/11/26",
      'KEITH MARLOW',
      '  07:20  Ripon - Hull  (coach 14, 48 pax)',
      '  16:05  Hull - Ripon  (coach 14, 48 pax)',
      'VIKRAM SHAH - REST DAY',
      'TOM HALLAM',
      '  18:15  York - Leeds  (coach 20, 36 pax)',
    ],
    {
      jobs: [
        '07:20 Ripon → Hull · coach 14 · KEITH MARLOW · 48',
        '16:05 Hull → Ripon · coach 14 · KEITH MARLOW · 48',
        '18:15 York → Leeds · coach 20 · TOM HALLAM · 36',
      ],
      said: [
        '3 rows have their vehicle or driver from the line above them.',
        'Guessed by what they hold: column 3 as Vehicle.',
      ],
    },
  ],
  [
    'vehicles over their jobs, each with headings again',
    [
      'VEHICLE ALLOCATION|24.11.26',
      'SN16 OJY (57 seats)',
      '|Time|Start|Finish|Driver|No.',
      '|0755|Ripon|Hull|Rab|55',
      '|1545|Hull|Ripon|Rab|55',
      'SF70 KLX (49 exec)',
      '|Time|Start|Finish|Driver|No.',
      '|0630|York|Leeds|Moira|40',
      'SN12 AAE (53 seats)|OFF ROAD - gearbox',
    ],
    {
      jobs: [
        '07:55 Ripon → Hull · SN16 OJY · Rab · 55',
        '15:45 Hull → Ripon · SN16 OJY · Rab · 55',
        '06:30 York → Leeds · SF70 KLX · Moira · 40',
      ],
      said: ['3 rows have their vehicle or driver from the line above them.'],
    },
  ],
  [
    'the garage’s times around the pick-up',
    [
      'Garage Out|P/Up Time|P/Up Point|Set Down|Veh|Garage In',
      'DEPOT: RIPON',
      '05:40|06:15|Ripon|Hull|22|09:10',
      '07:15|07:40|York|Leeds|25|08:45',
    ],
    {
      jobs: ['06:15 Ripon → Hull · 22', '07:40 York → Leeds · 25'],
      said: ['Not used: Garage Out, Garage In.'],
    },
  ],
  [
    'no headings, and a way back',
    [
      '06:50|Ripon|Hull|BV68 ZPC|Emyr|42',
      '15:25|Hull|Ripon|BV68 ZPC|Emyr|42',
      '18:00|York|Leeds|CX12 DDN|Sian|55',
    ],
    {
      jobs: [
        '06:50 Ripon → Hull · BV68 ZPC · Emyr · 42',
        '15:25 Hull → Ripon · BV68 ZPC · Emyr · 42',
        '18:00 York → Leeds · CX12 DDN · Sian · 55',
      ],
    },
  ],
  [
    'no headings, and two times',
    [
      '0545|0620|Ripon|Hull|FN67 CCA|Rita|33',
      '0710|0735|York|Leeds|FJ09 DXA|Geoff|50',
      '1500|1530|Leeds|York|FJ09 DXA|Geoff|50',
    ],
    {
      jobs: [
        '05:45 Ripon → Hull · FN67 CCA · Rita · 33',
        '07:10 York → Leeds · FJ09 DXA · Geoff · 50',
        '15:00 Leeds → York · FJ09 DXA · Geoff · 50',
      ],
      asked: ['Is column 2 “Arrives”?'],
    },
  ],
  [
    '“Collect” over the times and “Collect from” over the places',
    ['Collect|Collect From|Drop|Pass.', '03:30|Ripon|Hull|8', '04:45|York|Leeds|16'],
    { jobs: ['03:30 Ripon → Hull · 8', '04:45 York → Leeds · 16'] },
  ],
  [
    'cancelled in short',
    ['Time|Status|Journey', '07:30|Confirmed|Ripon to Hull', '14:00|Cxd 20/11 - customer ill|York to Leeds'],
    {
      jobs: ['07:30 Ripon → Hull'],
      said: ['Left out: 1 cancelled.'],
      words: ['Row 3: “Cxd 20/11 - customer ill”.'],
    },
  ],
  [
    'the days of the week that a job runs',
    [
      'Days|Dep.|Origin|Destination',
      'MTWTF|07:10|Ripon|Hull',
      'M W F|10:15|York|Leeds',
      'MTWT-|15:15|Hull|Ripon',
      'Sat only|13:00|Leeds|York',
      'Mon-Fri|16:00|Selby|Hull',
      'Daily|17:00|Hull|Selby',
    ],
    {
      jobs: ['07:10 Ripon → Hull', '15:15 Hull → Ripon', '16:00 Selby → Hull', '17:00 Hull → Selby'],
      said: ['Left out: 2 rows of other days.'],
      words: ['Row 3: this is for Monday 23 November.', 'Row 5: this is for Saturday 21 November.'],
    },
  ],
  [
    'the small hours with their day',
    [
      'Sheet for Tuesday 24 November',
      'Start|From|To',
      '22:30|Ripon|Hull',
      '00:45 (Wed)|Hull|Ripon',
      '03:15 +1|York|Leeds',
      '09:00 (Thu)|Leeds|York',
    ],
    {
      jobs: ['22:30 Ripon → Hull', '24:45 Hull → Ripon', '27:15 York → Leeds'],
      said: ['Left out: 1 row of another day.'],
      words: ['00:45 on Wednesday.', '03:15 on Wednesday.', 'Row 6: this is for Thursday 26 November.'],
    },
  ],
  [
    'am and pm beside times that say neither',
    ['When|From|To', '5.45am|Ripon|Hull', '8.20|York|Leeds', '6.30|Hull|York', '11.00pm|Hull|Ripon'],
    {
      jobs: ['05:45 Ripon → Hull', '08:20 York → Leeds', '06:30 Hull → York', '23:00 Hull → Ripon'],
      asked: [
        'Times from row 3 on may be morning or afternoon. Write those of the afternoon as 14:15 and paste again.',
      ],
      words: ['“8.20” is asked about.', '“6.30” is asked about.'],
    },
  ],
  [
    'a list of the fleet behind a gap',
    [
      'Time|Pick-up|Drop-off|Fleet No||No|Reg|Seats',
      '06:20|Ripon|Hull|K4||K1|AU11 DDE|53',
      '07:45|York|Leeds|K1||K4|AU22 SSA|49',
    ],
    {
      jobs: ['06:20 Ripon → Hull · K4', '07:45 York → Leeds · K1'],
      said: ['Not used, as they stand apart from the jobs: No, Reg, Seats.'],
    },
  ],
  [
    'merged cells of driver and vehicle, and headings on two lines',
    [
      'Driver|Coach|Dep|Journey||Pax',
      '|||From|To|',
      'Ron Beasley|BJ20 TRV|07:25|Ripon|Hull|36',
      '||09:50|Hull|York|36',
      'Sunny Gill|RX68 MNP|19:00|York|Leeds|30',
    ],
    {
      jobs: [
        '07:25 Ripon → Hull · BJ20 TRV · Ron Beasley · 36',
        '09:50 Hull → York · BJ20 TRV · Ron Beasley · 36',
        '19:00 York → Leeds · RX68 MNP · Sunny Gill · 30',
      ],
      said: ['1 row has its vehicle or driver from the line above.'],
    },
  ],
  [
    'figures with spaces in them',
    [
      'Contact tel|Time|Leaves|Arrives at|Fleet|Adults + Children|Price £',
      '07700 900 418|06 40|Ripon|Hull|1 02|18|1 150.00',
      '01632 960 077|08 25|York|Leeds|1 05|47|210.00',
      '|||||65|1 360.00',
    ],
    {
      jobs: ['06:40 Ripon → Hull · 1 02 · 18', '08:25 York → Leeds · 1 05 · 47'],
      said: ['Not used: Contact tel, Price £.'],
    },
  ],
  [
    'a driver and a vehicle in one column',
    [
      'Time|Route|Driver / Vehicle|Nos',
      '610|Ripon > Hull|Colin / WR70 AAX|39',
      '1515|Hull > Ripon|WA08 GPO / Bev|44',
    ],
    { jobs: ['06:10 Ripon → Hull · WR70 AAX · Colin · 39', '15:15 Hull → Ripon · WA08 GPO · Bev · 44'] },
  ],
  [
    'a week, by days without their month',
    [
      'Week 48',
      'MONDAY 23RD',
      '08:00|Ripon|Hull|Coach 3|Dot|40',
      '16:00|Hull|Ripon|Coach 3|Dot|40',
      'TUESDAY 24TH',
      '07:30|York|Leeds|Coach 5|Dot|49',
      '15:10|Leeds|York|Coach 5|Abi|49',
    ],
    {
      jobs: ['07:30 York → Leeds · Coach 5 · Dot · 49', '15:10 Leeds → York · Coach 5 · Abi · 49'],
      said: ['Left out: 2 rows of other days.'],
      words: ['Row 3: this is for Monday 23 November.', 'Row 4: this is for Monday 23 November.'],
    },
  ],
  [
    'a title with a weekday that is not its date’s',
    ['Jobs for MONDAY 24 NOVEMBER 2026', 'Time|From|To', '07:00|Ripon|Hull'],
    {
      jobs: ['07:00 Ripon → Hull'],
      asked: ['This sheet says “Jobs for MONDAY 24 NOVEMBER 2026”, but that is a Tuesday.'],
    },
  ],
  [
    'more than one driver, and a ferry in brackets',
    ['Depart|Details|Reg No.|Driver(s)', '13:00|Hull to Lille (ferry 15:20 Dover)|GN71 OEC|Terry + Lukas'],
    {
      jobs: ['13:00 Hull → Lille · GN71 OEC · Terry + Lukas · ferry 15:20 Dover'],
      words: ['“ferry 15:20 Dover” is kept out of the trip.'],
    },
  ],
  [
    'forms below each other',
    [
      'Work Ticket 5510',
      'Pick up: 07:00 Ripon',
      'Drop: Hull',
      'Vehicle: RUI 4417',
      'Driver: Declan',
      'Passengers: 31',
      '-----',
      'Work Ticket 5511',
      'Pick up: 08:20 York',
      'Drop: Leeds',
      'Vehicle: OXI 2093',
      'Driver: Bernie',
      'Passengers: 50',
    ],
    { jobs: ['07:00 Ripon → Hull · RUI 4417 · Declan · 31', '08:20 York → Leeds · OXI 2093 · Bernie · 50'] },
  ],
  [
    'an e-mail with a long greeting and signature',
    [
      'Morning all,',
      'Here is the work:',
      '6.15am - Ripon to Hull - Dave in MK12 - 45 pax',
      '1.45pm - York to Leeds - Jean - 31 pax',
      '10.30pm - Leeds to York - Jean - 31 pax',
      'MOT on MK12 is 9.00am Monday.',
      'Kind regards,',
      'Lorraine',
      'Transport Manager',
    ],
    {
      jobs: [
        '06:15 Ripon → Hull · Dave · 45 · Dave in MK12',
        '13:45 York → Leeds · Jean · 31',
        '22:30 Leeds → York · Jean · 31',
      ],
      said: ['Left out: 1 not understood.'],
      words: [
        '“Dave in MK12” is kept out of the trip.',
        '“Jean” is kept out of the trip.',
        '“Jean” is kept out of the trip.',
        'Row 6: no time.',
      ],
    },
  ],
  [
    'ends of a journey with a terminal behind a dash',
    ['Time|Journey', '06:10|Leeds to Heathrow - Terminal 5', '07:10|Leeds to York'],
    { jobs: ['06:10 Leeds → Heathrow - Terminal 5', '07:10 Leeds → York'] },
  ],
  [
    'remarks that say until when something else is done',
    [
      'Time|From|To|Notes',
      '08:20|Ripon|Hull|pay in by 10:00',
      '09:00|Hull|Ripon|back by 17:00',
      '10:00|York|Leeds|must be there by 11:30',
    ],
    {
      jobs: [
        '08:20 Ripon → Hull · pay in by 10:00',
        '09:00 Hull → Ripon · back by 17:00',
        '10:00 York → Leeds · by 11:30 · must be there by 11:30',
      ],
    },
  ],
  [
    'forms with a job in one line below them',
    ['Pick up: 07:00 Ripon', 'Drop: Hull', 'Pick up: 08:20 York', 'Drop: Leeds', '18:00 Hull to Ripon'],
    {
      jobs: [],
      asked: ['Which column has the times?', 'Which columns say from where and to where?'],
      said: ['Left out: 5 not understood.', 'Kept in the note: column 1.'],
      words: [1, 2, 3, 4, 5].map((row) => `Row ${row}: no column of times.`),
    },
  ],
  [
    'a vehicle and its trip, without a time',
    ['06:10|Ripon to Hull|YN21 ABC', '07:10|Hull to Ripon|YN21 ABC', 'YX24 AEP|York to Leeds'],
    {
      jobs: ['06:10 Ripon → Hull · YN21 ABC', '07:10 Hull → Ripon · YN21 ABC'],
      said: ['Left out: 1 not understood.'],
      words: ['Row 3: no time in “YX24 AEP”.'],
    },
  ],
  [
    'names beside the vehicle that may be those of customers',
    ['06:50|Ripon|Hull|YN21 ABC|Tesco', '15:25|Hull|Ripon|YN21 ABC|Tesco', '18:00|York|Leeds|YN21 ABD|Asda'],
    {
      jobs: [
        '06:50 Ripon → Hull · YN21 ABC · Tesco',
        '15:25 Hull → Ripon · YN21 ABC · Tesco',
        '18:00 York → Leeds · YN21 ABD · Asda',
      ],
      said: ['Guessed by what they hold: column 5 as Driver.'],
    },
  ],
  [
    'a start of duty beside the time of its job',
    ['Driver|Start|Job', 'Alan|05:15|05:45 Ripon to Hull', 'Sue|07:00|07:30 York to Leeds'],
    {
      jobs: ['05:15 Ripon → Hull · Alan', '07:00 York → Leeds · Sue'],
      asked: ['Is column 2 “Time”?'],
      said: ['Not used: Job time.'],
    },
  ],
  [
    'breaks, and runs from the depot',
    ['Dep|From|To|Remarks', '05:00|Depot|Ripon|Light', '06:10|Ripon|Hull|', '07:00|BREAK||'],
    {
      jobs: ['06:10 Ripon → Hull'],
      said: ['Left out: 1 run without passengers, 1 not understood.'],
      words: ['Row 2: “Depot” has no passengers.', 'Row 4: “BREAK” is no trip.'],
    },
  ],
  [
    'a time that has taken the place of another, and a way back without one',
    ['Out|From|To|Rtn', '1315 NOW 1345|Ripon|Hull|W/R', '15:00|York|Leeds|17:00'],
    {
      jobs: ['13:45 Ripon → Hull', '15:00 York → Leeds', '17:00 Leeds → York'],
      said: ['1 with a way back without a time: only the way out is added.'],
      words: ['“1315 NOW 1345” is taken as 13:45. No time back in “W/R”: only the way out is added.'],
    },
  ],
  [
    'labels over each block, and when a coach goes back empty',
    ['Driver: Dave|Vehicle: YN21 ABC|Date: 24/11/2026|', 'Time|From|To|Empty back', '06:10|Ripon|Hull|15:00'],
    {
      jobs: ['06:10 Ripon → Hull · YN21 ABC · Dave'],
      said: ['1 row has its vehicle or driver from the line above.', 'Not used: Empty back.'],
    },
  ],
  [
    'a customer in brackets and a driver behind a dash',
    ['04:00 - Ripon to Hull (Mr Khan, 4 pax) - Mohammed', '05:30 - York to Leeds (Smith) - Dave'],
    {
      jobs: ['04:00 Ripon → Hull · Mohammed · 4 · Mr Khan', '05:30 York → Leeds · Dave · Smith'],
      words: ['“Mohammed, Mr Khan” is kept out of the trip.', '“Dave, Smith” is kept out of the trip.'],
    },
  ],
  [
    'the first and the last job of a duty',
    ['Driver|First job|Last job|Vehicle', 'Dave|0600 Ripon - York|1500 York - Ripon|12'],
    { jobs: ['06:00 Ripon → York · 12 · Dave', '15:00 York → Ripon · 12 · Dave'] },
  ],
  [
    'a list with numbers',
    ['1) 06:10 Ripon to Hull', '2) 07:40 York to Leeds'],
    { jobs: ['06:10 Ripon → Hull', '07:40 York → Leeds'] },
  ],
  [
    'ways back in other words, and one without a time',
    [
      'Time|From|To|Notes',
      '09:00|Ripon|Hull|collect 15:30',
      '10:00|York|Leeds|w&r',
      '11:00|Hull|York|pick up 10:30',
    ],
    {
      jobs: [
        '09:00 Ripon → Hull · collect 15:30',
        '15:30 Hull → Ripon · collect 15:30',
        '10:00 York → Leeds · w&r',
        '11:00 Hull → York · pick up 10:30',
      ],
      said: ['1 with a way back without a time: only the way out is added.'],
      words: [
        '“collect 15:30” is taken as a way back.',
        '“w&r” has no time back: only the way out is added.',
      ],
    },
  ],
  [
    'a duty that goes from and to its depot',
    ['Time|Details', '05:30|Ex depot', '06:00|Ripon - York', '07:10|York - Ripon', '08:30|To depot'],
    {
      jobs: ['06:00 Ripon → York', '07:10 York → Ripon'],
      said: ['Left out: 2 runs without passengers.'],
      words: ['Row 2: “Ex depot” has no passengers.', 'Row 5: “To depot” has no passengers.'],
    },
  ],
  [
    'am and pm with a space before them',
    ['Time|From|To', '6:10 AM|Ripon|Hull', '6:15 PM|Hull|Ripon'],
    { jobs: ['06:10 Ripon → Hull', '18:15 Hull → Ripon'] },
  ],
  [
    'a way back behind its trip, and a time of something else in another',
    ['06:10 Ripon to Hull, back 18.15', '07:40 York to Leeds (Ron) dep Leeds 22.00'],
    {
      jobs: ['06:10 Ripon → Hull · back 18.15', '18:15 Hull → Ripon · back 18.15'],
      said: ['Left out: 1 not understood.'],
      words: [
        '“back 18.15” is kept out of the trip. “back 18.15” is taken as a way back.',
        'Row 2: “York → Leeds (Ron) dep Leeds 22.00” has another time in it.',
      ],
    },
  ],
  [
    'a list of the fleet below the jobs',
    [
      'Time|From|To|No.',
      '06:10|Ripon|Hull|51',
      '07:10|Hull|Ripon|51',
      'FLEET|Seats|MOT due|',
      'YN21 ABC|53|12/03/27|',
      'YN21 ABD|49|19/01/27|',
    ],
    {
      jobs: ['06:10 Ripon → Hull · 51', '07:10 Hull → Ripon · 51'],
      said: ['Guessed by what they hold: No. as People.'],
    },
  ],
  [
    'times as they are spoken, and with a dash or a blank for the colon',
    [
      'Time|From|To',
      '10 past 6|Leeds|Hull',
      'quarter to eight|Leeds|Ripon',
      'half past 9 am|Ripon|Leeds',
      '17-30|Hull|Leeds',
      '19 45|Leeds|York',
    ],
    {
      jobs: [
        '06:10 Leeds → Hull',
        '07:45 Leeds → Ripon',
        '09:30 Ripon → Leeds',
        '17:30 Hull → Leeds',
        '19:45 Leeds → York',
      ],
    },
  ],
  [
    'the same headings below the morning and the afternoon',
    [
      '||MORNING||AFTERNOON|',
      'From|School|Dep|Arr|Dep|Arr',
      'Otley|St Marys|07:40|08:25|15:20|16:05',
      'Pool|Grammar|07:50|08:30|15:10|15:50',
    ],
    {
      jobs: [
        '07:40 Otley → St Marys',
        '15:20 St Marys → Otley',
        '07:50 Pool → Grammar',
        '15:10 Grammar → Pool',
      ],
      said: ['Not used: Return arr.'],
    },
  ],
  [
    'forms that begin with their time',
    ['JOB 1', 'Time: 06:10', 'From: Leeds', 'To: Hull', 'JOB 2', 'Time: 07:40', 'From: York', 'To: Ripon'],
    { jobs: ['06:10 Leeds → Hull', '07:40 York → Ripon'], said: ['Not used: JOB.'] },
  ],
  [
    'when a form leaves its destination again',
    [
      'From: Leeds',
      'Time: 06:10',
      'To: Hull',
      'Leave destination: 17:00',
      'From: York',
      'Time: 07:40',
      'To: Ripon',
    ],
    { jobs: ['06:10 Leeds → Hull', '17:00 Hull → Leeds', '07:40 York → Ripon'] },
  ],
  [
    'cells below each other, as a phone copies a table',
    [
      'Work',
      'Time',
      'From',
      'To',
      'Driver',
      '06:10',
      'Leeds',
      'Hull',
      'Ken',
      '07:40',
      'York',
      'Ripon',
      'Sue',
    ],
    { jobs: ['06:10 Leeds → Hull · Ken', '07:40 York → Ripon · Sue'] },
  ],
  [
    'cells below each other, of which some are missing',
    ['06:10', 'Leeds', 'Hull', 'Ken', '07:40', 'York', 'Ripon'],
    {
      jobs: [],
      asked: [
        'Which column has the times?',
        'Which columns say from where and to where?',
        'Is column 1 “Time back”?',
      ],
      said: ['Left out: 6 not understood.'],
      words: [1, 2, 3, 5, 6, 7].map((line) => `Row ${line}: no column of times.`),
    },
  ],
  [
    'a column for each driver beside common times',
    ['|KEN|SUE', '0600|Otley - Hull|', '0700||Ripon - York', '1600|Hull - Otley|York - Ripon'],
    {
      jobs: [
        '06:00 Otley → Hull · KEN',
        '16:00 Hull → Otley · KEN',
        '07:00 Ripon → York · SUE',
        '16:00 York → Ripon · SUE',
      ],
      said: ['4 rows have their vehicle or driver from the line above them.'],
    },
  ],
  [
    'a second column of trips that nobody is named for',
    ['06:10|Leeds to Hull|York to Ripon', '16:10|Hull to Leeds|Ripon to York'],
    {
      jobs: ['06:10 Leeds → Hull · York to Ripon', '16:10 Hull → Leeds · Ripon to York'],
      asked: ['Is column 2 “From and to”?', 'Is column 3 “Note”?'],
      said: ['Kept in the note: column 3.'],
    },
  ],
  [
    'names beside a registration, without headings',
    ['PH2201|0455|Ayr - Troon|SF68 LKA|Big Jim|31', 'PH2201|0630|Troon - Ayr|SF19 UVN|Isobel|24'],
    {
      jobs: [
        '04:55 Ayr → Troon · PH2201 · SF68 LKA · Big Jim · 31',
        '06:30 Troon → Ayr · PH2201 · SF19 UVN · Isobel · 24',
      ],
    },
  ],
  [
    'a number beside its registration, without headings',
    ['0455|Ayr - Troon|SF68 LKA|31', '0630|Troon - Ayr|SF19 UVN|24', '0730|Ayr - Girvan|SF68 LKA|31'],
    {
      jobs: [
        '04:55 Ayr → Troon · SF68 LKA · 31',
        '06:30 Troon → Ayr · SF19 UVN · 24',
        '07:30 Ayr → Girvan · SF68 LKA · 31',
      ],
      said: ['Guessed by what they hold: column 4 as People.'],
    },
  ],
  [
    'driver and vehicle in one cell, below one heading or none',
    ['Time|From|To|Allocated', '06:10|Ayr|Troon|Ken YN21 ABC', '07:10|Troon|Ayr|Sue'],
    { jobs: ['06:10 Ayr → Troon · YN21 ABC · Ken', '07:10 Troon → Ayr · Sue'] },
  ],
  [
    'driver and vehicle behind a stroke, without headings',
    ['06:10|Ayr to Troon|Ken / YN21 ABC', '07:10|Troon to Ayr|Sue / YX24 AEP'],
    { jobs: ['06:10 Ayr → Troon · YN21 ABC · Ken', '07:10 Troon → Ayr · YX24 AEP · Sue'] },
  ],
  [
    'initials of drivers, names of passengers and small numbers below their headings',
    [
      'Sign|P/Up|Collect|Take To|Lead Pax|No.|Reg',
      'KN|05:15|Leeds|Hull|Mrs Patel|4|YN21 ABC',
      'DW|06:45|York|Ripon|Mr Cole|2|BX19 TTT',
      'KN|11:00|Hull|Leeds|Jones|7|YN21 ABC',
    ],
    {
      jobs: [
        '05:15 Leeds → Hull · YN21 ABC · KN · 4 · Lead Pax Mrs Patel',
        '06:45 York → Ripon · BX19 TTT · DW · 2 · Lead Pax Mr Cole',
        '11:00 Hull → Leeds · YN21 ABC · KN · 7 · Lead Pax Jones',
      ],
      said: ['Guessed by what they hold: Sign as Driver, No. as People.', 'Kept in the note: Lead Pax.'],
    },
  ],
  [
    'vehicle, driver and passengers of all rows in one line',
    [
      'TOUR 26/88 TINSEL — driver Bernard, coach FX72 DLG, 42 pax',
      'Depart|From|To',
      '08:15|Worksop|Llandudno',
      '09:45|Llandudno|Caernarfon',
    ],
    {
      jobs: [
        '08:15 Worksop → Llandudno · 26/88 · FX72 DLG · Bernard · 42',
        '09:45 Llandudno → Caernarfon · 26/88 · FX72 DLG · Bernard · 42',
      ],
      said: ['2 rows have their vehicle or driver from the line above them.'],
    },
  ],
  [
    'stops as headings, with the times of each below',
    ['Coach|Westbury|Trowbridge|Bath', '12|0805|0825|0912', '14|0905||1012'],
    {
      jobs: ['08:05 Westbury → Bath · 12 · Via Trowbridge', '09:05 Westbury → Bath · 14'],
      said: ['Kept in the note: Via.'],
    },
  ],
  [
    'what is no place behind a trip, set apart by strokes, commas or dashes',
    [
      '7.05am Ayr > Troon / coach 3 / Mags / 55',
      '7.10am Troon to Ayr (Calais day trip), 47 pax, coach 9, Barrie',
      '8.10am Girvan - Ayr - 44',
      '8.20am Girvan – Ayr YN21 ABC',
      '8.30am Ayr – Troon 16 seater',
    ],
    {
      jobs: [
        '07:05 Ayr → Troon · coach 3 · Mags · 55',
        '07:10 Troon → Ayr · coach 9 · Barrie · 47 · Calais day trip',
        '08:10 Girvan → Ayr · 44',
        '08:20 Girvan → Ayr · YN21 ABC',
        '08:30 Ayr → Troon · 16 seater',
      ],
      words: [
        '“coach 3, Mags” is kept out of the trip.',
        '“coach 9, Barrie, Calais day trip” is kept out of the trip.',
        '“YN21 ABC” is kept out of the trip.',
        '“16 seater” is kept out of the trip.',
      ],
    },
  ],
  [
    'an end that nobody knows yet',
    ['Time|Journey', '06:10|Ayr to Troon', '09:30|Royal Hotel - as directed'],
    {
      jobs: ['06:10 Ayr → Troon', '09:30 Royal Hotel - as directed'],
      words: ['“Royal Hotel - as directed” does not say from where and to where.'],
    },
  ],
  [
    'the same row twice, and two coaches of one job',
    ['Time|From|To|Coach', '06:10|Ayr|Troon|1', '06:10|Ayr|Troon|1', '06:10|Ayr|Troon|2'],
    {
      jobs: ['06:10 Ayr → Troon · 1', '06:10 Ayr → Troon · 1', '06:10 Ayr → Troon · 2'],
      asked: ['The same stands there twice, and may be two coaches or one, in 1 row, as row 3 “06:10”.'],
    },
  ],
  [
    'a row that is struck through',
    ['0730|Ayr to Troon|Coach 5', '~~1000|Troon to Ayr~~|Coach 1', '1400|Ayr to Girvan|Coach 2'],
    {
      jobs: ['07:30 Ayr → Troon · Coach 5', '14:00 Ayr → Girvan · Coach 2'],
      said: ['Left out: 1 cancelled.'],
      words: ['Row 2: “~~1000”.'],
    },
  ],
  [
    'a way through several places by arrows, with its vehicle and driver in brackets',
    ['06:10 Ayr -> Troon -> Girvan (Ken, YN21 ABC)', '16:10 Girvan → Troon → Ayr'],
    {
      jobs: ['06:10 Ayr → Girvan · YN21 ABC · Ken · Via Troon', '16:10 Girvan → Ayr · Via Troon'],
      words: [
        '“Troon” is taken as on the way. “YN21 ABC, Ken” is kept out of the trip.',
        '“Troon” is taken as on the way.',
      ],
    },
  ],
  [
    'dates without a year and with a point, and headings cut short with a dash',
    ['DATE|TIME|P-UP|D-OFF', '24.11|0610|AYR|TROON', '25.11|0740|TROON|AYR'],
    {
      jobs: ['06:10 AYR → TROON'],
      said: ['Left out: 1 row of another day.'],
      words: ['Row 3: this is for Wednesday 25 November.'],
    },
  ],
  [
    'headings in two lines of cells',
    [
      'Hire|Pick up|Pick up|Set down|No. of|Fleet|Driver',
      'no.|time|point|point|passengers|no.|allocated',
      'HX31|07:25|Ayr|Troon|61|208|Ken',
      'HX34|07:40|Troon|Ayr|29|115|Sue',
    ],
    { jobs: ['07:25 Ayr → Troon · HX31 · 208 · Ken · 61', '07:40 Troon → Ayr · HX34 · 115 · Sue · 29'] },
  ],
  [
    'lines that depart and arrive',
    [
      'COACH 21 / DRIVER Margaret',
      'Dep 0745 Tiverton Bus Station',
      'Arr 0930 Exeter, Sandy Park',
      'Dep 1530 Exeter, Sandy Park',
      'Arr 1715 Tiverton Bus Station',
    ],
    {
      jobs: [
        '07:45 Tiverton Bus Station → Exeter, Sandy Park · COACH 21 · Margaret',
        '15:30 Exeter, Sandy Park → Tiverton Bus Station · COACH 21 · Margaret',
      ],
      said: ['2 rows have their vehicle or driver from the line above them.'],
    },
  ],
  [
    'several times in one cell',
    ['Departures|From|To', '0515, 0545|Ayr|Troon', '1545 & 1615|Troon|Ayr'],
    { jobs: ['05:15 Ayr → Troon', '05:45 Ayr → Troon', '15:45 Troon → Ayr', '16:15 Troon → Ayr'] },
  ],
  [
    'who drives above the days of a tour',
    [
      'Driver: Maggie  Coach: YN23 KLD  Group: 38',
      'Day 1 - Tuesday 24 November',
      '0830 Ayr to Troon',
      'Day 2 - Wednesday 25 November',
      '1000 Troon to Ayr',
    ],
    {
      jobs: ['08:30 Ayr → Troon · YN23 KLD · Maggie · 38'],
      said: ['1 row has its vehicle or driver from the line above.', 'Left out: 1 row of another day.'],
      words: ['Row 5: this is for Wednesday 25 November.'],
    },
  ],
  [
    'a total that may be people, and a place for which it leaves',
    ['Away at|From|For|Total', '0830|Ayr|Troon|48', '0840|Girvan|Ayr|46'],
    {
      jobs: ['08:30 Ayr → Troon · 48', '08:40 Girvan → Ayr · 46'],
      asked: ['Is column 3 “To”?'],
      said: ['Guessed by what they hold: Total as People.'],
    },
  ],
  [
    'passengers behind a trip, with words behind them and no mark between',
    ['0735 dalston to trinity school 50 pax lou coach 4', '0915 brampton to birdoswald'],
    {
      jobs: [
        '07:35 dalston → trinity school · coach 4 · lou · 50 · lou coach 4',
        '09:15 brampton → birdoswald',
      ],
      words: ['“lou coach 4” is kept out of the trip.'],
    },
  ],
  [
    'a line with a time that no job has',
    ['Time|From|To', '06:10|Ripon|Hull', '07:10|Hull|Ripon', '||', 'All come back at 17:15|'],
    {
      jobs: ['06:10 Ripon → Hull', '07:10 Hull → Ripon'],
      asked: ['Row 5 “All come back at 17:15” is in no job.'],
    },
  ],
  [
    'a line that says the vehicle, which no job has',
    ['Saturday, all in YN21 ABC||', 'Time|From|To', '06:10|Ripon|Hull', '07:10|Hull|Ripon'],
    {
      jobs: ['06:10 Ripon → Hull', '07:10 Hull → Ripon'],
      asked: ['Row 1 “Saturday, all in YN21 ABC” is in no job.'],
    },
  ],
  [
    'lines of the office about itself, and a list of the fleet, which are in no job',
    [
      'Printed 17:02||',
      'Time|From|To',
      '06:10|Ripon|Hull',
      '07:10|Hull|Ripon',
      'Fleet|Seats|MOT',
      'YN21 ABC|53|May',
      'BX19 TTT|49|June',
    ],
    { jobs: ['06:10 Ripon → Hull', '07:10 Hull → Ripon'] },
  ],
  [
    'ends that are no places',
    ['Time|From|To', '06:10|Ripon|Hull 44 pax Dave', '07:10|Hull|Ken', '08:10|Hull|York'],
    {
      jobs: ['06:10 Ripon → Hull 44 pax Dave', '07:10 Hull → Ken', '08:10 Hull → York'],
      asked: ['This may be no place where a trip begins or ends, in 2 rows, as row 2 “Hull 44 pax Dave”.'],
    },
  ],
  [
    'columns below headings that nobody knows, by what is in them',
    [
      'Foo|Bar|Baz|Qux|Quux|Corge',
      '06:10|Ripon Market|Hull Station|YN21 ABC|Dave|38',
      '07:10|York Station|Leeds Market|BX19 TTT|Sue|12',
      '16:10|Hull Station|Ripon Market|YN21 ABC|Dave|38',
    ],
    {
      jobs: [
        '06:10 Ripon Market → Hull Station · YN21 ABC · Dave · 38',
        '07:10 York Station → Leeds Market · BX19 TTT · Sue · 12',
        '16:10 Hull Station → Ripon Market · YN21 ABC · Dave · 38',
      ],
      said: ['Left out: 1 not understood.', 'Kept in the note: column 6.'],
      // The same line can be the first job.
      words: ['Row 1: no time in “Foo”.'],
    },
  ],
  [
    'numbers that go with the driver, and not with the trip',
    ['06:10|Ripon|Hull|Dave|17', '07:10|York|Leeds|Sue|12', '09:10|Selby|Goole|Dave|17'],
    {
      jobs: [
        '06:10 Ripon → Hull · 17 · Dave',
        '07:10 York → Leeds · 12 · Sue',
        '09:10 Selby → Goole · 17 · Dave',
      ],
    },
  ],
  [
    'messages whose parts slashes set apart',
    [
      'KEV / 53 / 0700 / Hartlepool Marina / Metrocentre / 48 pax',
      'SUE / 33 / 0820 / Seaham Hall / Durham Cathedral / 30 pax',
      'KEV / 53 / 1600 / Metrocentre / Hartlepool Marina / 48 pax',
    ],
    {
      jobs: [
        '07:00 Hartlepool Marina → Metrocentre · 53 · KEV · 48',
        '08:20 Seaham Hall → Durham Cathedral · 33 · SUE · 30',
        '16:00 Metrocentre → Hartlepool Marina · 53 · KEV · 48',
      ],
      said: ['Guessed by what they hold: column 2 as Vehicle, column 6 as People.'],
    },
  ],
  [
    'a vehicle, its seats and its driver above its runs, and people with a letter',
    [
      'BX19 KKL (53) SUKI',
      '07.10|Hinckley|Twycross|22p',
      '15.40|Twycross|Hinckley|22p',
      '16.40|Hinckley|Nuneaton|9p',
    ],
    {
      jobs: [
        '07:10 Hinckley → Twycross · BX19 KKL · SUKI · 22',
        '15:40 Twycross → Hinckley · BX19 KKL · SUKI · 22',
        '16:40 Hinckley → Nuneaton · BX19 KKL · SUKI · 9',
      ],
      said: ['3 rows have their vehicle or driver from the line above them.'],
    },
  ],
  [
    'merged cells below a heading that nobody knows',
    [
      'Who|Charabanc|Lv|From|To',
      'Pritpal|SN19 ABX|06:00|Luton|Bedford',
      '||07:20|Bedford|Sandy',
      'Debs|SN20 KLM|08:10|Flitwick|Woburn',
      '||15:10|Woburn|Flitwick',
    ],
    {
      jobs: [
        '06:00 Luton → Bedford · SN19 ABX · Pritpal',
        '07:20 Bedford → Sandy · SN19 ABX · Pritpal',
        '08:10 Flitwick → Woburn · SN20 KLM · Debs',
        '15:10 Woburn → Flitwick · SN20 KLM · Debs',
      ],
      said: ['2 rows have their vehicle or driver from the line above them.'],
    },
  ],
  [
    'pick-ups of one trip, as rows of their own',
    [
      'Run|Collect|Address|Destination|Vehicle',
      'R1|07:40|Magor|Newport School|WAV 6',
      'R1|08:00|Langstone|Newport School|WAV 6',
      'R2|11:40|Chepstow|Newport Hospital|WAV 6',
    ],
    {
      jobs: [
        '07:40 Magor → Newport School · R1 · WAV 6',
        '08:00 Langstone → Newport School · R1 · WAV 6',
        '11:40 Chepstow → Newport Hospital · R2 · WAV 6',
      ],
      asked: ['Rows 2 to 3 may be pick-ups of one trip.'],
    },
  ],
  [
    'a driver with a vehicle, a contact with a phone, and a stroke below a heading of two words',
    [
      'Out / leave for home|From|To|Resource|Contact|Party (no.)',
      '0830 / 1600|Ripon|Hull|D14 Dave [YN21 ABC]|Mr Ellis 07700 900281|Choir (12)',
      '0710 / 1500|York|Leeds|D07 Shaz [FX72 DLG]|Mrs Adeyemi 07700 900282|Rotary (14)',
    ],
    {
      jobs: [
        '08:30 Ripon → Hull · YN21 ABC · Dave · 12 · D14; Contact Mr Ellis 07700 900281; Party Choir',
        '16:00 Hull → Ripon · YN21 ABC · Dave · 12 · D14; Contact Mr Ellis 07700 900281; Party Choir',
        '07:10 York → Leeds · FX72 DLG · Shaz · 14 · D07; Contact Mrs Adeyemi 07700 900282; Party Rotary',
        '15:00 Leeds → York · FX72 DLG · Shaz · 14 · D07; Contact Mrs Adeyemi 07700 900282; Party Rotary',
      ],
      said: ['Guessed by what they hold: no. as People.', 'Kept in the note: Contact, Party.'],
    },
  ],
  [
    'am and pm in a column of their own, and marks of Markdown',
    ['Time||From|To', '**7.10**|am|Ripon|Hull', '3.30|pm|Hull|Ripon'],
    { jobs: ['07:10 Ripon → Hull', '15:30 Hull → Ripon'] },
  ],
  [
    'morning and afternoon beside each other, in hours of twelve',
    ['AM||||PM||', 'Off|Start|Finish at||Off|Start|Finish at', '7.20|Ripon|Hull||3.15|Hull|Ripon'],
    { jobs: ['07:20 Ripon → Hull', '15:15 Hull → Ripon'] },
  ],
  [
    'a way back that leaves there and comes home',
    ['P/up|Where|Destination|Arr|Lve dest|Back home', '0800|Ripon|Hull|1015|1530|1745'],
    {
      jobs: ['08:00 Ripon → Hull', '15:30 Hull → Ripon'],
      said: ['Not used: Back home.'],
    },
  ],
  [
    'dates of the way out and back, without headings',
    [
      '24/11/2026 06:10|Ripon|Hull|24/11/2026 17:00|YN21 ABC',
      '24/11/2026 07:10|York|Leeds|26/11/2026 10:00|FX72 DLG',
    ],
    {
      jobs: [
        '06:10 Ripon → Hull · YN21 ABC',
        '17:00 Hull → Ripon · YN21 ABC',
        '07:10 York → Leeds · FX72 DLG',
      ],
      asked: ['Is column 4 “Time back”?'],
      words: ['The way back is on Thursday 26 November, and not added.'],
    },
  ],
  [
    'stations in headings, and a job that is off',
    [
      'Bus|York dep|Hull arr|Hull dep|York arr|Notes',
      '4|0735|0920|0950|1135|',
      '5|0835|1020|1050|1235|OFF - snow',
    ],
    {
      jobs: ['07:35 York → Hull · 4', '09:50 Hull → York · 4'],
      said: ['Left out: 1 cancelled.'],
      words: ['Row 3: “OFF - snow”.'],
    },
  ],
  [
    'a further pick-up below a job, and words before values',
    ['Time|From|To|Drv', '0830|Ripon|Hull|Dave', '|then 0850 Selby||', '0930|York|Leeds|Shaz'],
    {
      jobs: ['08:30 Ripon → Hull · Dave · Via 08:50 Selby', '09:30 York → Leeds · Shaz'],
      words: ['“08:50 Selby” is taken as on the way.'],
    },
  ],
  [
    'words before the values of columns without headings',
    ['d 0915|Ripon|Hull|r 1400|drv 118', 'd 0930|York|Leeds|r 1500|drv 204', 'd 0940|York|Hull|o/w|drv 9'],
    {
      jobs: [
        '09:15 Ripon → Hull · 118',
        '14:00 Hull → Ripon · 118',
        '09:30 York → Leeds · 204',
        '15:00 Leeds → York · 204',
        '09:40 York → Hull · 9',
      ],
    },
  ],
  [
    'a second column of times whose heading nobody knows, beside a third',
    ['Time|Return|From|To|Zed', '0830|1400|Ripon|Hull|0915', '0930|1500|York|Leeds|1010'],
    {
      jobs: ['08:30 Ripon → Hull', '14:00 Hull → Ripon', '09:30 York → Leeds', '15:00 Leeds → York'],
      asked: ['Is column 5 “Arrives”?'],
    },
  ],
];

CASES.push(
  [
    'a contact with a phone below no heading',
    [
      'Time|From|To|Driver|',
      '06:10|Leeds|York|Dave|Mrs Low 07700 900281',
      '08:00|Hull|Ely|Al|Jo 07700 900222',
    ],
    {
      jobs: ['06:10 Leeds → York · Dave · Mrs Low 07700 900281', '08:00 Hull → Ely · Al · Jo 07700 900222'],
      said: ['Kept in the note: column 5.'],
    },
  ],
  [
    'a phone in a remark, in a place, and beside a driver',
    [
      'Time|From|To|Driver & mob|Notes',
      '06:10|Leeds|York|J.T. 07700 900701|ring 07700 900281',
      '07:10|Hull|Mrs Low 01904 123456, York|S.S. 07700 900703|',
    ],
    {
      jobs: [
        '06:10 Leeds → York · J.T. · 07700 900701; ring 07700 900281',
        '07:10 Hull → Mrs Low 01904 123456, York · S.S. · 07700 900703',
      ],
      asked: [
        'This may be no place where a trip begins or ends, in 1 row, as row 3 “Mrs Low 01904 123456, York”.',
      ],
    },
  ],
  [
    'jobs that nobody has between those of two drivers',
    [
      'Time|From|To|Driver|Vehicle',
      '06:10|Leeds|York|Dave|YN21 ABC',
      '07:00|Hull|Selby||',
      '08:15|Ripon|Thirsk||',
      '09:00|Leeds|Hull|Sue|BX20 DEF',
      '10:30|York|Malton||',
      '11:00|Goole|Hull|Pat|FJ19 KLM',
    ],
    {
      jobs: [
        '06:10 Leeds → York · YN21 ABC · Dave',
        '07:00 Hull → Selby',
        '08:15 Ripon → Thirsk',
        '09:00 Leeds → Hull · BX20 DEF · Sue',
        '10:30 York → Malton',
        '11:00 Goole → Hull · FJ19 KLM · Pat',
      ],
      asked: ['Many rows have no driver and no vehicle of their own.'],
      said: [
        'No vehicle in 3 of 6 rows, as “Vehicle” is empty there.',
        'No driver in 3 of 6 rows, as “Driver” is empty there.',
      ],
    },
  ],
  [
    'letters before numbers that are references beside plain times',
    ['R 1500|06:10|Leeds|York|Dave', 'R 1512|07:00|Hull|Selby|Sue', 'R 1514|08:15|Ripon|Ely|Al'],
    {
      jobs: [
        '06:10 Leeds → York · R 1500 · Dave',
        '07:00 Hull → Selby · R 1512 · Sue',
        '08:15 Ripon → Ely · R 1514 · Al',
      ],
      said: ['Guessed by what they hold: column 1 as Reference.'],
    },
  ],
  [
    'duties before plain times',
    ['D 1012|06:10|Leeds|York|Dave', 'D 1013|07:00|Hull|Selby|Sue'],
    {
      jobs: ['06:10 Leeds → York · D 1012 · Dave', '07:00 Hull → Selby · D 1013 · Sue'],
      said: ['Guessed by what they hold: column 1 as Reference.'],
    },
  ],
  [
    'initials that may be those of an assistant',
    ['PA Jones|06:10|Leeds|York', 'PA Lewis|07:00|Hull|Selby'],
    {
      jobs: ['06:10 Leeds → York · PA Jones', '07:00 Hull → Selby · PA Lewis'],
      said: ['Guessed by what they hold: column 1 as Driver.'],
    },
  ],
  [
    'a dash in a name below a heading with a stroke',
    [
      'Time|From|To|Customer / Ref',
      '06:10|Leeds|York|Uni / 1234',
      '07:00|Hull|Selby|St Mary’s - Infants / 2345',
    ],
    {
      jobs: [
        '06:10 Leeds → York · 1234 · Customer Uni',
        '07:00 Hull → Selby · 2345 · Customer St Mary’s - Infants',
      ],
      said: ['Kept in the note: Customer.'],
    },
  ],
  [
    'three names below a heading of two',
    ['Time|From|To|Driver & Escort', '06:10|Leeds|York|Dave & Sue', '07:00|Hull|Selby|Pat & Jo & Kim'],
    { jobs: ['06:10 Leeds → York · Dave & Sue', '07:00 Hull → Selby · Pat & Jo & Kim'] },
  ],
  [
    'half of the day beside times of 24 hours',
    ['Time|Shift|From|To', '06:10|AM|Leeds|York', '13:30|PM|Ripon|Thirsk', '13:40|AM|Hull|Selby'],
    {
      jobs: ['06:10 Leeds → York', '13:30 Ripon → Thirsk'],
      said: ['Left out: 1 not understood.'],
      words: ['Row 4: “13:40 AM” is not a plain time.'],
    },
  ],
  [
    'numbers of staff before drivers with their registrations',
    [
      'Time|From|To|Driver / Vehicle',
      '06:10|Leeds|York|12 Dave / YN21 ABC',
      '07:10|Leeds|Hull|14 Sue / BX20 DEF',
    ],
    { jobs: ['06:10 Leeds → York · YN21 ABC · Dave · 12', '07:10 Leeds → Hull · BX20 DEF · Sue · 14'] },
  ],
  [
    'a way back behind the line of another driver',
    ['Dave 0900 Leeds to York', 'Sue 1015 Hull to Selby', 'Ret 1630 York to Leeds'],
    {
      jobs: ['09:00 Leeds → York · Dave', '10:15 Hull → Selby · Sue', '16:30 York → Leeds · Ret'],
      said: ['Kept in the note: column 4.', 'No driver in 1 of 3 rows, as “column 2” is empty there.'],
    },
  ],
  [
    'lines that are all ways back',
    ['Ret 0900 Leeds to York', 'Ret 1015 Hull to Selby', 'Ret 1630 York to Leeds'],
    {
      jobs: ['09:00 Leeds → York · ret', '10:15 Hull → Selby · ret', '16:30 York → Leeds · ret'],
      said: ['Kept in the note: column 4.'],
    },
  ],
  [
    'a vehicle and a driver between rows with half of the day',
    ['Time||From|To', '6.10|am|Leeds|York', 'Coach 4|Dave', '1.30|pm|Ripon|Thirsk'],
    {
      jobs: ['06:10 Leeds → York', '13:30 Ripon → Thirsk · Coach 4'],
      asked: ['Row 3 “Coach 4 Dave” is in no job.'],
      said: ['1 row has its vehicle or driver from the line above.'],
    },
  ],
  [
    'half of the day behind the time out and the time back',
    ['Time||From|To|Return|', '6.10|am|Leeds|York|3.30|pm'],
    { jobs: ['06:10 Leeds → York', '15:30 York → Leeds'] },
  ],
  [
    'half past eleven at the beginning of the afternoon, and at its end',
    [
      'Time|From|To',
      'MORNING',
      '7.30|Leeds|York',
      'AFTERNOON',
      '11.30|Leeds|Hull',
      '1.15|York|Leeds',
      '3.30|Hull|Leeds',
      '11.45|Ripon|Leeds',
    ],
    {
      jobs: [
        '07:30 Leeds → York',
        '11:30 Leeds → Hull',
        '13:15 York → Leeds',
        '15:30 Hull → Leeds',
        '23:45 Ripon → Leeds',
      ],
      words: ['“11:30” is taken as before noon.'],
    },
  ],
  [
    'three things in each cell below a heading of three',
    [
      'Vehicle / Driver / Pax|Time|From|To',
      'YN21 ABC / Dave / 40|08:00|Leeds|York',
      'YX24 AEP / Kev / 12|09:00|Hull|Selby',
    ],
    { jobs: ['08:00 Leeds → York · YN21 ABC · Dave · 40', '09:00 Hull → Selby · YX24 AEP · Kev · 12'] },
  ],
  [
    'a spreadsheet’s numbers for dates and times, with one time that was typed',
    ['Date|Depart|From|To', '46350|0.75|Leeds|York', '46350|0.8125|Leeds|Hull', '46350|19.3|Leeds|Ely'],
    { jobs: ['18:00 Leeds → York', '19:30 Leeds → Hull', '19:30 Leeds → Ely'] },
  ],
  [
    'a spreadsheet’s numbers for dates and times without headings',
    ['46350|0.75|Leeds|York', '46350|0.770833333333333|Leeds|Hull'],
    { jobs: ['18:00 Leeds → York', '18:30 Leeds → Hull'] },
  ],
  [
    'formulas in place of places',
    ['Time|From|To', '18:20|=A1|=HYPERLINK("http://x")', '18:30|Leeds|York', '18:40|Leeds|Hull'],
    {
      jobs: ['18:30 Leeds → York', '18:40 Leeds → Hull'],
      said: ['Left out: 1 not understood.'],
      words: ['Row 2: “=A1” is a formula, and no place.'],
    },
  ],
  [
    'when school ends as the way back, and when a shuttle ends as a remark',
    [
      'Route|First pickup time|First pickup|School|School finish|Every',
      'S12|07:45|Holme Wood|Chapel Grange|15:00|20 min',
      'S14|07:50|Tong Street|Hazelbeck|15:05|20 min',
    ],
    {
      jobs: [
        '07:45 Holme Wood → Chapel Grange · S12 · Every 20 min',
        '15:00 Chapel Grange → Holme Wood · S12 · Every 20 min',
        '07:50 Tong Street → Hazelbeck · S14 · Every 20 min',
        '15:05 Hazelbeck → Tong Street · S14 · Every 20 min',
      ],
      said: ['Kept in the note: Every.'],
    },
  ],
  [
    'when a flight lands as no deadline',
    ['Time|From|To|Notes', '14:30|Airport T2|Leeds|Flight BA100 lands 13:45', '15:30|Leeds|York|'],
    { jobs: ['14:30 Airport T2 → Leeds · Flight BA100 lands 13:45', '15:30 Leeds → York'] },
  ],
  [
    'a trip with its time in a remark',
    ['Time|From|To|Notes', '07:30|Leeds|York|then 0900 York to Hull', '10:00|Leeds|Ely|'],
    {
      jobs: ['07:30 Leeds → York · then 0900 York to Hull', '10:00 Leeds → Ely'],
      words: ['“then 0900 York to Hull” may be a trip of its own, and is in the note.'],
    },
  ],
  [
    'trips with a bare dash, and one that names no place',
    ['Time|Job|Driver', '6AM|LEEDS-HEATHROW|DAVE', '715AM|OTLEY-SCHOOL RUN|KEV', '1PM|YORK-LEEDS|SUE'],
    {
      jobs: ['06:00 LEEDS → HEATHROW · DAVE', '07:15 OTLEY → SCHOOL RUN · KEV', '13:00 YORK → LEEDS · SUE'],
      asked: ['This may be no place where a trip begins or ends, in 1 row, as row 3 “SCHOOL RUN”.'],
    },
  ],
  [
    'schools that are called like people, in a list',
    ['0830 Pool to St Mary', '0840 Otley to Prince Henry', '0850 Ilkley to Saint Joseph'],
    { jobs: ['08:30 Pool → St Mary', '08:40 Otley → Prince Henry', '08:50 Ilkley → Saint Joseph'] },
  ],
  [
    'schools that are called like people, in a table',
    [
      'Time|Run|Coach|Pax',
      '0830|Pool to St Mary|12|40',
      '0840|Otley to Margaret Scott|14|30',
      '0850|Ilkley to Lady Margaret|15|20',
    ],
    {
      jobs: [
        '08:30 Pool → St Mary · 12 · 40',
        '08:40 Otley → Margaret Scott · 14 · 30',
        '08:50 Ilkley → Lady Margaret · 15 · 20',
      ],
    },
  ],
  [
    'ways back in rows of their own',
    ['Out|From|To|Back', '0800|Otley|Leeds|', '|Leeds Station|Otley|1700'],
    {
      jobs: ['08:00 Otley → Leeds'],
      said: ['Left out: 1 not understood.'],
      words: ['Row 3: no time.'],
    },
  ],
  [
    'a way back in a row of its own among rows of both ways',
    ['Out|From|To|Back', '0800|Otley|Leeds|1600', '|Leeds|Otley|1700'],
    {
      jobs: ['08:00 Otley → Leeds', '16:00 Leeds → Otley'],
      said: ['Left out: 1 not understood.'],
      words: ['Row 3: no time.'],
    },
  ],
  [
    'weeks below “W/C”, which are not wheelchairs',
    ['Time|From|To|W/C|Driver', '0900|Leeds|York|07/12|Dave', '1000|Leeds|Hull|07/12|Sue'],
    {
      jobs: [],
      asked: ['This sheet says Monday 7 December.'],
      said: ['Left out: 2 rows of other days.'],
      words: ['Row 2: this is for Monday 7 December.', 'Row 3: this is for Monday 7 December.'],
    },
  ],
  [
    'names with a dash in columns of places and people',
    [
      'Time|From|To|Driver|Customer',
      '0610|Leeds|Merthyr-Tydfil|Smith-Jones|Evans-Lloyd',
      '0710|Otley|Leeds-Bradford Airport|Baker-Brown|Price-Rees',
    ],
    {
      jobs: [
        '06:10 Leeds → Merthyr-Tydfil · Smith-Jones · Customer Evans-Lloyd',
        '07:10 Otley → Leeds-Bradford Airport · Baker-Brown · Customer Price-Rees',
      ],
      said: ['Kept in the note: Customer.'],
    },
  ],
  [
    'an airport with a dash, without headings',
    ['0610|Skipton|Leeds-Bradford|Dave', '0710|Otley|Leeds-Bradford|Sam'],
    { jobs: ['06:10 Skipton → Leeds-Bradford · Dave', '07:10 Otley → Leeds-Bradford · Sam'] },
  ],
  [
    'customers with a dash, without headings',
    ['0610|Leeds|York|Smith-Jones|40', '0710|Otley|Hull|Baker-Brown|30', '0810|Selby|Ripon|Parry-Wells|20'],
    {
      jobs: [
        '06:10 Leeds → York · 40 · Smith-Jones',
        '07:10 Otley → Hull · 30 · Baker-Brown',
        '08:10 Selby → Ripon · 20 · Parry-Wells',
      ],
      asked: ['Is column 2 “From”?', 'Is column 3 “To”?', 'Is column 4 “Note”?'],
      said: ['Guessed by what they hold: column 5 as People.', 'Kept in the note: column 4.'],
    },
  ],
  [
    'a form whose destination has a time',
    [
      'Driver: Dave',
      'Destination: Leeds Airport at 0500',
      'Collect: Otley Square at 0330',
      'Driver: Sue',
      'Destination: Hull Docks at 0930',
      'Collect: Selby at 0800',
      'Notes: Ring Ann at 0755',
    ],
    {
      jobs: [
        '03:30 Otley Square → Leeds Airport · Dave',
        '08:00 Selby → Hull Docks · Sue · Ring Ann at 0755',
      ],
    },
  ],
  [
    'numbers of coaches, which are no references, and “ex”',
    ['Time|No. of coaches|Details', '0700|2|Ex Leeds to York', '0830|1|York to Hull'],
    {
      jobs: ['07:00 Leeds → York · No. of coaches 2', '08:30 York → Hull · No. of coaches 1'],
      said: ['Kept in the note: No. of coaches.'],
    },
  ],
  [
    'a way back in brackets behind the time, and people as letters',
    ['Time|From|To|Pax', '09:00 (ret 16:00)|Leeds|York|2A 3C', '09:30|Otley|Hull|1A 1C'],
    { jobs: ['09:00 Leeds → York · 5', '16:00 York → Leeds · 5', '09:30 Otley → Hull · 2'] },
  ],
  [
    'a list of stops whose afternoon goes up the list',
    ['Stop|AM|PM', 'Otley|07:40|16:05', 'Pool|07:50|15:55', 'Harrogate|08:20|15:25'],
    {
      jobs: [
        '07:40 Otley → Harrogate · Via Pool; Journey AM',
        '15:25 Harrogate → Otley · Via Pool; Journey PM',
      ],
      said: [
        'Each job is a column of this sheet: row 2 is its second column.',
        'Kept in the note: Journey, Via.',
      ],
    },
  ],
  [
    'the half of the day above the headings, and hours that are not exact',
    ['EVENING WORK', 'Time|From|To', '7.00|Leeds|York', '9.30|York|Leeds', '11.15|Leeds|Otley'],
    { jobs: ['19:00 Leeds → York', '21:30 York → Leeds', '23:15 Leeds → Otley'] },
  ],
  [
    'hours that are not exact, and how a train or its coach stops',
    ['Time|Trip', '0930ish|Leeds - Skipton stopping', '10.00 onwards|Skipton - Leeds fast'],
    {
      jobs: ['09:30 Leeds → Skipton · stopping', '10:00 Skipton → Leeds · fast'],
      words: [
        '“stopping” is kept out of the trip. “0930ish” is taken as 09:30.',
        '“fast” is kept out of the trip. “10.00 onwards” is taken as 10:00.',
      ],
    },
  ],
  [
    'a way back without a way out',
    ['Contract|From|To|AM|PM', 'C-11|Otley|School|07:40|15:30', 'C-12|Menston|Guiseley||3.20'],
    {
      jobs: ['07:40 Otley → School · C-11', '15:30 School → Otley · C-11', '15:20 Guiseley → Menston · C-12'],
      words: ['Only the way back is said: 15:20.'],
    },
  ],
  [
    'the kind of work behind a trip, and a name that was left in a place',
    ['Time|Work', '06:00|Leeds - York contract', '07:00|Otley - Hull and Kev'],
    {
      jobs: ['06:00 Leeds → York · contract', '07:00 Otley → Hull and Kev'],
      asked: ['This may be no place where a trip begins or ends, in 1 row, as row 3 “Hull and Kev”.'],
      words: ['“contract” is kept out of the trip.'],
    },
  ],
  [
    'names behind the trips of a list, below its day',
    ['Tuesday 24th', '0900 Leeds to Hull Kev', '1700 Hull to Leeds Sue B'],
    {
      jobs: ['09:00 Leeds → Hull · Kev', '17:00 Hull → Leeds · Sue B'],
      said: ['Names beside the trips are taken as drivers.'],
    },
  ],
  [
    'names and numbers behind the trips of a list',
    ['0900 Leeds - Hull 49 Kev', '1700 Hull - Leeds 49 Kev'],
    {
      jobs: ['09:00 Leeds → Hull · Kev · 49', '17:00 Hull → Leeds · Kev · 49'],
      said: [
        'Names beside the trips are taken as drivers.',
        'Guessed by what they hold: column 4 as People.',
      ],
    },
  ],
  [
    'names before the trips of a table',
    ['Time|Trip', '0900|Kev Leeds to Hull', '1700|Sue Hull to Leeds'],
    {
      jobs: ['09:00 Leeds → Hull · Kev', '17:00 Hull → Leeds · Sue'],
      said: ['Names beside the trips are taken as drivers.'],
    },
  ],
  [
    'places that are called like people',
    [
      '0900 Victoria Coach Station to Hull',
      '1700 Hull to Fort William',
      '1900 Victoria Coach Station to Ely',
    ],
    {
      jobs: [
        '09:00 Victoria Coach Station → Hull',
        '17:00 Hull → Fort William',
        '19:00 Victoria Coach Station → Ely',
      ],
    },
  ],
  [
    'wheelchairs, and a way home that names no place',
    ['Time|From|To|Pax|W/C', '09:00|Pool|School|12|1', '15:30|School|Home|8|2'],
    {
      jobs: ['09:00 Pool → School · 12 · W/C 1', '15:30 School → Home · 8 · W/C 2'],
      asked: ['This may be no place where a trip begins or ends, in 1 row, as row 3 “Home”.'],
      said: ['Kept in the note: W/C.'],
    },
  ],
  [
    'a colon behind the time',
    ['07:00: Leeds to York', '08:00: York to Hull'],
    { jobs: ['07:00 Leeds → York', '08:00 York → Hull'] },
  ],
  [
    'forms of one line with dashes between their labels',
    [
      'Job 1 - Time: 07:00 - From: Leeds - To: York - Driver: Dave',
      'Job 2 - Time: 08:00 - From: York - To: Hull - Driver: Kev',
    ],
    { jobs: ['07:00 Leeds → York · Dave', '08:00 York → Hull · Kev'], said: ['Not used: Job.'] },
  ],
  [
    'a school whose pupils may swim is asked about',
    ['Time out|School|Pool|Time back', '09:15|St Marys|Otley Pool|10:30', '10:45|St Johns|Otley Pool|12:00'],
    {
      jobs: [
        '09:15 Otley Pool → St Marys',
        '10:30 St Marys → Otley Pool',
        '10:45 Otley Pool → St Johns',
        '12:00 St Johns → Otley Pool',
      ],
      asked: ['Is column 2 “To”?'],
    },
  ],
  [
    'several drops, of which the last is where it ends',
    [
      'Time|Pick up|Drop 1|Drop 2|Drop 3|Driver',
      '07:00|Otley|Guiseley|Yeadon|Leeds|Dave',
      '16:00|Leeds|Yeadon|Otley||Dave',
    ],
    {
      jobs: ['07:00 Otley → Leeds · Dave · Via Guiseley, Yeadon', '16:00 Leeds → Otley · Dave · Via Yeadon'],
      said: ['Kept in the note: Via.'],
    },
  ],
  [
    'towns in columns of their own behind the places',
    ['Time|Pick Up|Town|Drop Off|Town|Pax', '09:00|The Old Swan|Harrogate|Station|York|12'],
    { jobs: ['09:00 The Old Swan, Harrogate → Station, York · 12'] },
  ],
  [
    'addresses behind names, which may be homes and are for the team alone',
    [
      'Time|Pick up|Address|Destination|Driver',
      '0900|Mrs Hill|4 Mill Lane, Otley LS21 3AB|Airedale Hospital|Dave',
      '1000|Mr Dale|9 Bank Road, Ilkley LS29 8AA|Airedale Hospital|Sue',
    ],
    {
      jobs: [
        '09:00 Mrs Hill → Airedale Hospital · Dave · Address 4 Mill Lane, Otley LS21 3AB',
        '10:00 Mr Dale → Airedale Hospital · Sue · Address 9 Bank Road, Ilkley LS29 8AA',
      ],
      said: ['Kept in the note: Address.'],
    },
  ],
  [
    'adults and children in two columns',
    ['Time|From|To|Adults|Children|Total', '09:00|Leeds|York|5|40|45', '15:00|York|Leeds||38|38'],
    { jobs: ['09:00 Leeds → York · 45', '15:00 York → Leeds · 38'], said: ['Not used: Total.'] },
  ],
  [
    'trips of their own below the halves of the day',
    ['Driver|AM|PM', 'Dave|0730 Otley - Leeds|1530 Leeds - Otley', 'Sue|OFF|1600 Ilkley - York'],
    { jobs: ['07:30 Otley → Leeds · Dave', '15:30 Leeds → Otley · Dave', '16:00 Ilkley → York · Sue'] },
  ],
  [
    'units in a second line of headings',
    ['Depart|Pick up|Drop|Fare', '(24hr)|point|point|(£)', '0900|Leeds|York|350', '1600|York|Leeds|350'],
    { jobs: ['09:00 Leeds → York', '16:00 York → Leeds'], said: ['Not used: Fare (£).'] },
  ],
  [
    'times with dashes, and a time back that is not known yet',
    ['Time|From|To|Return', '7-30|Leeds|York|TBC', '16-45|Hull|York|'],
    {
      jobs: ['07:30 Leeds → York', '16:45 Hull → York'],
      said: ['1 with a way back without a time: only the way out is added.'],
      words: ['“TBC” is no time back: only the way out is added.'],
    },
  ],
  [
    'forms that say when and where it departs and arrives',
    [
      'Coach: YN70 ABC',
      'Depart: 08:00 Leeds',
      'Arrive: 10:15 Whitby',
      'Return: 16:30',
      'Coach: YX24 AEP',
      'Depart: 09:00 Selby',
      'Arrive: 11:15 Chester',
      'Return: 17:00',
    ],
    {
      jobs: [
        '08:00 Leeds → Whitby · YN70 ABC',
        '16:30 Whitby → Leeds · YN70 ABC',
        '09:00 Selby → Chester · YX24 AEP',
        '17:00 Chester → Selby · YX24 AEP',
      ],
    },
  ],
  [
    'deadlines before it leaves, in the night after it, and in the afternoon',
    [
      'Time|From|To|Deadline',
      '18:10|Leeds|York|17:10',
      '23:30|Leeds|Hull|00:40',
      '13:10|Leeds|Ripon|2.05',
      '06:10|Leeds|Ely|14:05',
    ],
    {
      jobs: [
        '18:10 Leeds → York · Deadline 17:10',
        '23:30 Leeds → Hull · by 00:40',
        '13:10 Leeds → Ripon · by 14:05',
        '06:10 Leeds → Ely · by 14:05',
      ],
      words: ['17:10 is before it leaves: it is no deadline, and stays in the note.'],
    },
  ],
  [
    'arrivals before it leaves',
    ['Time|From|To|Arr', '18:00|Leeds|York|17:00', '20:00-19:30|Leeds|Hull|', '23:30|Leeds|Ely|00:40'],
    {
      jobs: ['18:00 Leeds → York · Arr 17:00', '20:00 Leeds → Hull · 20:00-19:30', '23:30 Leeds → Ely'],
      words: [
        '17:00 is before it leaves: it is no arrival, and stays in the note.',
        '19:30 is before it leaves: it is no arrival, and stays in the note. “20:00-19:30” is taken as 20:00.',
      ],
    },
  ],
  [
    'a run after midnight behind one of the morning, with the same coach',
    [
      'Time|From|To|Vehicle',
      '08:00|Leeds|Hull|FX72 DLG',
      '09:00|Hull|York|YN21 ABC',
      '00:30|York|Ely|YN21 ABC',
    ],
    {
      jobs: ['08:00 Leeds → Hull · FX72 DLG', '09:00 Hull → York · YN21 ABC', '00:30 York → Ely · YN21 ABC'],
      asked: ['Times from row 4 on come after midnight: of which day are they?'],
      words: ['“00:30” is asked about.'],
    },
  ],
  [
    'a run after midnight in a sheet that is sorted by coach',
    [
      'Time|From|To|Vehicle',
      '09:00|Leeds|Hull|YN21 ABC',
      '08:00|Leeds|York|FX72 DLG',
      '18:00|York|Hull|FX72 DLG',
      '00:30|Hull|York|FX72 DLG',
    ],
    {
      jobs: [
        '09:00 Leeds → Hull · YN21 ABC',
        '08:00 Leeds → York · FX72 DLG',
        '18:00 York → Hull · FX72 DLG',
        '00:30 Hull → York · FX72 DLG',
      ],
      asked: ['Times from row 5 on come after midnight: of which day are they?'],
      words: ['“00:30” is asked about.'],
    },
  ],
  [
    'another coach that begins after midnight, in a sheet that is sorted by coach',
    ['Time|From|To|Vehicle', '08:00|Leeds|Hull|FX72 DLG', '00:30|York|Ely|YN21 ABC'],
    { jobs: ['08:00 Leeds → Hull · FX72 DLG', '00:30 York → Ely · YN21 ABC'] },
  ],
  [
    'the clock of another country in a heading',
    ['Dep (CET)|From|To', '18:00|Leeds|York', '20:00|Leeds|Hull'],
    {
      jobs: ['18:00 Leeds → York', '20:00 Leeds → Hull'],
      asked: ['“Dep (CET)” names another clock than that of London.'],
    },
  ],
  [
    'the clock of London in a heading',
    ['Dep (GMT)|From|To', '18:00|Leeds|York', '20:00|Leeds|Hull'],
    { jobs: ['18:00 Leeds → York', '20:00 Leeds → Hull'] },
  ],
  [
    'two times in one cell, without a way back in the sheet',
    ['Dep|From|To', '0900 & 1600|Leeds|York', '10:00|Leeds|Hull'],
    {
      jobs: ['09:00 Leeds → York', '16:00 Leeds → York', '10:00 Leeds → Hull'],
      asked: [
        'Two times in one cell may be two runs out, or one out and one back, in 1 row, as row 2 “0900 & 1600”.',
      ],
    },
  ],
  [
    'when passengers must be there, behind the trip',
    [
      'Time|Trip|Driver',
      '06:10|Leeds to Manchester Airport T2, check-in 09:10|Dave',
      '08:40|Leeds to York due 10:30|Kev',
      '09:00|Leeds - Ripon for 10:30|Kev',
    ],
    {
      jobs: [
        '06:10 Leeds → Manchester Airport T2 · Dave · by 09:10 · check-in 09:10',
        '08:40 Leeds → York · Kev · by 10:30 · due 10:30',
        '09:00 Leeds → Ripon · Kev · by 10:30 · for 10:30',
      ],
      words: [
        '“check-in 09:10” is kept out of the trip.',
        '“due 10:30” is kept out of the trip.',
        '“for 10:30” is kept out of the trip.',
      ],
    },
  ],
  [
    'when passengers must be there, behind the place',
    ['Time|From|To', '06:10|Leeds|Airport T2 (arrive by 09:10)', '08:40|Leeds|York due 10:30'],
    {
      jobs: [
        '06:10 Leeds → Airport T2 · by 09:10 · arrive by 09:10',
        '08:40 Leeds → York · by 10:30 · due 10:30',
      ],
      words: ['“arrive by 09:10” is kept out of the trip.', '“due 10:30” is kept out of the trip.'],
    },
  ],
  [
    'a first job without a time, directly below the headings',
    [
      'Dep|From|To|Driver',
      'TBC|Leeds|York|Kev',
      '18:10|Leeds|Hull|Sam',
      '18:20|Leeds|Hull|Sam',
      '18:40|Leeds|Hull|Sam',
    ],
    {
      jobs: ['18:10 Leeds → Hull · Sam', '18:20 Leeds → Hull · Sam', '18:40 Leeds → Hull · Sam'],
      said: ['Left out: 1 not understood.'],
      words: ['Row 2: no time in “TBC”.'],
    },
  ],
  [
    'a first job whose time is empty',
    ['Time|Trip|Driver', '|Leeds to York|Kev', '18:10|Leeds to Hull|Sam', '18:20|Leeds to Ely|Sam'],
    {
      jobs: ['18:10 Leeds → Hull · Sam', '18:20 Leeds → Ely · Sam'],
      said: ['Left out: 1 not understood.'],
      words: ['Row 2: no time.'],
    },
  ],
  [
    'a first job without headings whose time is in words',
    ['When ready|Otley|Ilkley|Bob', '18:10|Leeds|Hull|Sam', '18:20|Leeds|Ely|Kev'],
    {
      jobs: ['18:10 Leeds → Hull · Sam', '18:20 Leeds → Ely · Kev'],
      said: ['Left out: 1 not understood.'],
      words: ['Row 1: no time in “When ready”.'],
    },
  ],
  [
    'a job without a time above a group',
    ['TBC|Leeds|York|Dave', 'Coach jobs', '06:10|Leeds|York|Dave', '07:00|Hull|Selby|Sue'],
    {
      jobs: ['06:10 Leeds → York · Dave', '07:00 Hull → Selby · Sue'],
      said: ['Left out: 1 not understood.'],
      words: ['Row 1: no time in “TBC”.'],
    },
  ],
);

it.each([
  ['another time in brackets', ['Time|From|To', '05:30 (dep 06:00)|Leeds|York', '08:15|Ripon|Ely']],
  ['a later time in brackets', ['Time|From|To', '05:30 (now 06:00)|Leeds|York', '08:15|Ripon|Ely']],
  ['a bare time in brackets', ['Time|From|To', '05:40 (06:10)|Leeds|York', '06:30 (07:00)|Ripon|Ely']],
  ['a date in brackets', ['Time|From|To', '05:30 (28.11)|Leeds|York', '08:15|Ripon|Ely']],
  ['arrivals hours later', ['06:00|Inverness|London|16:30|Dave', '07:00|Aberdeen|Bristol|17:45|Sue']],
  [
    'the end of a duty',
    ['06:00|14:30|Leeds|York|Dave', '07:00|15:45|Hull|Selby|Sue', '05:30|13:15|Ely|Hull|Al'],
  ],
  ['one time hours later', ['06:00|Leeds|London|11:30|Dave']],
  [
    'a time that is hours later in one row',
    ['Out|From|To|In', '06:10|Leeds|York|07:30', '07:00|Hull|Selby|16:40', '17:15|York|Leeds|18:10'],
  ],
])('asks about %s', (_, lines) => {
  expect(outcome(read(lines)).asked).toHaveLength(1);
});

it('a loose arrival after noon is not nearly a day later', () => {
  const sheet = read(['Time|From|To|Arrives', '9.00|Ely|March|10.30', '11.30|Leeds|Hull|1.00']);
  expect(sheet.rows.flatMap(({ jobs }) => jobs.map(({ duration_min }) => duration_min))).toEqual([90, 90]);
});

it('a night coach arrives in the morning, up to 16 hours after it leaves', () => {
  const sheet = read(['Time|From|To|Arr', '20:00|Leeds|Paris|09:00', '18:00|Leeds|York|17:00']);
  expect(sheet.rows.flatMap(({ jobs }) => jobs.map(({ duration_min }) => duration_min))).toEqual([780, null]);
});

it('a loose arrival or deadline in the night is that of the night, not of the next afternoon', () => {
  const sheet = read([
    'Time|From|To|Arrives|Check in',
    '18:00|Leeds|Dover|1.30|1.15',
    '7.30pm|Hull|Dover|2.15|2.00',
    '19:30|Leeds|York|8.45|8.30',
    '21:00|Hull|Dover|9.30|',
  ]);
  expect(
    sheet.rows.flatMap(({ jobs }) =>
      jobs.map(({ duration_min, deadline_local }) => [duration_min, deadline_local]),
    ),
  ).toEqual([
    [450, '01:15'],
    [405, '02:00'],
    [75, '20:30'],
    [null, null],
  ]);
  expect(sheet.rows.at(-1)!.note).toContain('is no arrival');
});

it('drops with times or starts between them are those of several trips', () => {
  const ways = ['Time|From|Drop 1|Time|From|Drop 2', '0730|Otley|Leeds|1530|Leeds|Otley'];
  expect(outcome(read([...ways, '0740|Ilkley|York|1540|York|Ilkley']))).toEqual({
    jobs: ['07:30 Otley → Leeds', '15:30 Leeds → Otley', '07:40 Ilkley → York', '15:40 York → Ilkley'],
    asked: [],
    said: [],
    words: [],
  });
  const pairs = [
    'Pick up 1|Time 1|Drop off 1|Pick up 2|Time 2|Drop off 2',
    'Otley|0730|Leeds|Pool|1530|York',
  ];
  const { jobs, asked } = outcome(read([...pairs, 'Selby|0740|Hull|Ely|1540|Goole']));
  expect(jobs.map((job) => job.split(' · ')[0])).toEqual(['07:30 Otley → Leeds', '07:40 Selby → Hull']);
  expect(asked).toContain('Is column 6 “Note”?');
});

it('numbers with a dash below "Time" are times only if none of them may be a span', () => {
  const jobsOf = (...times: string[]) =>
    outcome(read(['Time|From|To', ...times.map((time) => `${time}|Otley|Leeds`)])).jobs;
  expect(jobsOf('7-30', '9-15', '16-45')).toEqual([
    '07:30 Otley → Leeds',
    '09:15 Otley → Leeds',
    '16:45 Otley → Leeds',
  ]);
  expect([jobsOf('9-30', '9-12'), jobsOf('9-15', '10-20')]).toEqual([[], []]);
});

it('the kind of work stays in names such as "car hire", and "Ex" in the name of a party', () => {
  const rows = [
    '0930|Otley|Manchester Airport car hire',
    '0940|Selby|Brandon tool hire',
    '0950|Ely|York private hire',
  ];
  expect(outcome(read(['Time|From|To', ...rows])).jobs).toEqual([
    '09:30 Otley → Manchester Airport car hire',
    '09:40 Selby → Brandon tool hire',
    '09:50 Ely → York · private hire',
  ]);
  const trips = ['Time|Trip', '0610|Ex Servicemens Club Leeds to York', '0710|Ex Otley to Hull'];
  expect(outcome(read(trips)).jobs).toEqual(['06:10 Ex Servicemens Club Leeds → York', '07:10 Otley → Hull']);
});

it.each(['T|F|D|V', 'Time|F|T|V', 'Tm|Fr|To|Vh', 'Time|Begin|To|Vh'])(
  'short words "%s" above the jobs are headings',
  (headings) => {
    expect(outcome(read([headings, '0610|Leeds|York|YN21 ABC', '0710|Otley|Hull|FX72 DLG'])).jobs).toEqual([
      '06:10 Leeds → York · YN21 ABC',
      '07:10 Otley → Hull · FX72 DLG',
    ]);
  },
);

it('a driver’s card goes from each pick-up to its drop, and a run is no part of a place', () => {
  const jobsOf = (text: string) => {
    const lines = tripLines(text, DAY)!;
    return outcome(read(lines.replaceAll('\t', '|').split('\n'))).jobs;
  };
  expect(
    jobsOf(`DRIVER: Paul Smith   VEHICLE: BX19 KLM
0630 Depart depot
0700 Pick up Harrogate Bus Stn - 45 pax
0845 Drop Airport T2
0930 Pick up Airport T2
1115 Drop Harrogate Bus Stn`),
  ).toEqual([
    '07:00 Harrogate Bus Stn → Airport T2 · BX19 KLM · Paul Smith · 45',
    '09:30 Airport T2 → Harrogate Bus Stn · BX19 KLM · Paul Smith',
  ]);
  const card = `0745 Collect Otley
0800 Collect Pool
0845 Drop School
1530 Collect School
1615 Drop Pool
1630 Drop Otley`;
  const asked = outcome(read(tripLines(card, DAY)!.replaceAll('\t', '|').split('\n')));
  expect([asked.jobs, asked.asked]).toEqual([
    ['07:45 Otley → School · Via Pool', '15:30 School → Pool'],
    ['Row 5 “1630 Drop Otley” is in no job.'],
  ]);
  expect(
    jobsOf(`0845 Drop School
1530 Collect School
1615 Drop Pool`),
  ).toEqual(['15:30 School → Pool']);
  expect(
    jobsOf(`Shaz 0730 Guiseley school run to Benton Park
Linda 1500 Benton Park home run to Guiseley`),
  ).toEqual(['07:30 Guiseley → Benton Park · Shaz', '15:00 Benton Park → Guiseley · Linda']);
});

it('a line that begins with two times says when it leaves and arrives', () => {
  const lines = `06:00 - 08:30 Dave YN21 ABC Leeds to Newcastle
09:00 - 11:30 Dave YN21 ABC Newcastle to Leeds`;
  expect(tripLines(lines, DAY)!.split('\n').slice(1)).toEqual([
    '06:00\tLeeds → Newcastle\t\t08:30\tDave\tYN21 ABC\t\t',
    '09:00\tNewcastle → Leeds\t\t11:30\tDave\tYN21 ABC\t\t',
  ]);
  // The second time may be that of the way back.
  const others = '09:00 - 12:00 Leeds to York day trip\n07:00-15:00 Otley to Hull';
  expect(tripLines(others, DAY)!.split('\n').slice(1)).toEqual([
    '09:00\tLeeds → York day trip\t\t\t\t\t\t(until 12:00)',
    '07:00\tOtley → Hull\t\t\t\t\t\t(until 15:00)',
  ]);
  // A line without a trip is about a driver's hours.
  const duty = '0600-1400 Dave YN21 ABC\n0610 Leeds to York\n0900 York to Leeds';
  const jobs = tripLines(duty, DAY)!.split('\n').slice(1, 3);
  expect(jobs).toEqual([
    expect.stringMatching(/^0610\tLeeds → York\t.*\tYN21 ABC\t/),
    expect.stringMatching(/^0900\tYork → Leeds\t.*\tYN21 ABC\t/),
  ]);
});

it('“ex” before a place says where a trip begins', () => {
  const lines = ['0900|ex Bradford Interchange to York', '1000|Ex Servicemens Club Leeds to Hull'];
  expect(outcome(read(['Time|Trip', ...lines])).jobs).toEqual([
    '09:00 Bradford Interchange → York',
    '10:00 Ex Servicemens Club Leeds → Hull',
  ]);
});

it('pictures in a chat are no part of its words', () => {
  const chat = '🚌 Dave - 0700 Leeds > York\n🚐 Sue - 0930 Ilkley > Skipton';
  expect(tripLines(chat, DAY)!.split('\n').slice(1)).toEqual([
    '0700\tLeeds → York\t\t\tDave\t\t\t',
    '0930\tIlkley → Skipton\t\t\tSue\t\t\t',
  ]);
  const arrows = '🚌 0900 Leeds ➡️ York 20 pax ❌\n✈️ 1000 Otley ➡️ Hull 30 pax\n❌ 1100 Ely ➡️ Hull 8 pax';
  expect(outcome(read(arrows.split('\n'))).jobs).toEqual([
    '09:00 Leeds → York · 20 · ❌',
    '10:00 Otley → Hull · 30',
    '11:00 Ely → Hull · 8 · ❌',
  ]);
  expect(outcome(read(['Time|Trip', '0900|Leeds to York ❌', '1000|Ely to Hull 🚫'])).jobs).toEqual([
    '09:00 Leeds → York · ❌',
    '10:00 Ely → Hull · 🚫',
  ]);
  expect(inWords('❌ 0900 Leeds to York\r\n1000 Ely to Hull').jobs).toEqual([
    '09:00 Leeds → York · ❌',
    '10:00 Ely → Hull',
  ]);
  expect(
    rowsOfText('State,Time,From,To,Coach\n❌,06:10,Leeds,York,YN21 ABC\n✅,07:10,Ely,Hull,MX71 TUB')[1]!
      .cells,
  ).toEqual(['❌', '06:10', 'Leeds', 'York', 'YN21 ABC']);
  const week = ['Time|From|To|Mon|Tue|Wed', '0730|Otley|Leeds|✅|✅|❌', '0740|Selby|Hull|✅|❌|✅'];
  expect(outcome(read(week))).toMatchObject({
    jobs: ['07:30 Otley → Leeds'],
    words: ['Row 3: “Off”.'],
  });
  const states = ['Time|From|To|Status', '0730|Otley|Leeds|✅', '0740|Selby|Hull|❌'];
  expect(outcome(read(states)).jobs).toEqual(['07:30 Otley → Leeds · ✅', '07:40 Selby → Hull · ❌']);
});

it('a name between a trip and its vehicle is that of the driver', () => {
  const lines = '0900 Leeds to Hull Kev YN21 ABC\n1700 Hull to Leeds Kev YN21 ABC';
  expect(tripLines(lines, DAY)!.split('\n').slice(1)).toEqual([
    '0900\tLeeds → Hull\t\t\tKev\tYN21 ABC\t\t',
    '1700\tHull → Leeds\t\t\tKev\tYN21 ABC\t\t',
  ]);
});

it('hours with an h are hours', () => {
  const lines = '0700h Leeds - York (Dave)\n0800h York - Hull (Kev)';
  expect(tripLines(lines, DAY)!.split('\n').slice(1)).toEqual([
    '0700h\tLeeds → York\t\t\tDave\t\t\t',
    '0800h\tYork → Hull\t\t\tKev\t\t\t',
  ]);
});

it('a list of text reads when passengers must be there, and loses no trip', () => {
  const text = `18:10 Leeds to York, check-in 17:10
23:30 Leeds to Hull, check-in 00:40
07:30 Leeds to Ripon, check-in 10:40`;
  const lines = inLines(read(text.split('\n')), text, DAY)!;
  expect(outcome(read(lines.replaceAll('\t', '|').split('\n'))).jobs).toEqual([
    '18:10 Leeds → York · check-in 17:10',
    '23:30 Leeds → Hull · by 00:40 · check-in 00:40',
    '07:30 Leeds → Ripon · by 10:40 · check-in 10:40',
  ]);
});

it('keeps what stands below a job of a week with its job', () => {
  const { jobs } = outcome(
    read([
      'Driver|Mon 23 Nov|Tue 24 Nov|Wed 25 Nov',
      'Dave|07:15 Leeds to York|08:15 Ripon to Ely; 38 pax; 1234 ref|08:15 Leeds to Ely',
      'Sue|07:15 Leeds to York|09:15 Hull to Ely; 1130 Ely to Hull|08:15 Leeds to Ely',
    ]),
  );
  expect(jobs).toEqual([
    '08:15 Ripon → Ely · Dave · 38 · 1234 ref',
    '09:15 Hull → Ely · Sue',
    '11:30 Ely → Hull · Sue',
  ]);
});

it.each(CASES)('%s', (_, lines, expected) => {
  expect(outcome(read(lines))).toEqual({ asked: [], said: [], words: [], ...expected });
});

it('the person says which day the small hours belong to', () => {
  const lines = ['Time|From|To', '19:10|Ripon|Hull', '00:40|Hull|Ripon'];
  const of = (isNextDay: boolean) => outcome(read(lines, { answers: { nextDay: isNextDay } }));
  expect(of(true)).toMatchObject({ asked: [], jobs: ['19:10 Ripon → Hull', '24:40 Hull → Ripon'] });
  expect(of(false)).toMatchObject({ asked: [], jobs: ['19:10 Ripon → Hull', '00:40 Hull → Ripon'] });
});

it('the person says whether loose times are in the afternoon, as far as one answer can', () => {
  const lines = ['Time|From|To', '6.10|Ripon|Hull', '9.40|Hull|York', '2.15|Hull|Ripon'];
  const times = (isAfternoon: boolean) =>
    outcome(read(lines, { answers: { afternoon: isAfternoon } })).jobs.map((job) => job.slice(0, 5));
  expect(outcome(read(lines))).toMatchObject({
    asked: ['Times from row 4 on may be morning or afternoon.'],
    words: ['“2:15” is asked about.'],
  });
  expect(times(true)).toEqual(['06:10', '09:40', '14:15']);
  expect(times(false)).toEqual(['06:10', '09:40', '02:15']);
  // One answer cannot be true of two vehicles, one below the other.
  expect(outcome(read([...lines, '5.50|Ripon|York', '3.00|York|Ripon'])).asked).toEqual([
    'Times from row 4 on may be morning or afternoon. Write those of the afternoon as 14:15 and paste again.',
  ]);
});

it('the person says once whether ways back, light runs and remarks are jobs', () => {
  const answered = (lines: string[], answers: Parameters<typeof readSheet>[1]['answers']) => {
    const { jobs, asked } = outcome(read(lines, { answers }));
    return { jobs, asked };
  };
  const back = ['Time|From|To|Notes', '06:10|Ripon|Hull|rtn 18:15', '07:10|York|Leeds|'];
  // It is added unless the user says otherwise.
  expect(answered(back, {})).toEqual({ ...answered(back, { back: true }), asked: [] });
  expect(read(back).questions).toMatchObject([
    { words: 'A way back is said in words, in 1 row, as row 2 “rtn 18:15”.', taken: true },
  ]);
  expect(answered(back, { back: false })).toEqual({
    jobs: ['06:10 Ripon → Hull · rtn 18:15', '07:10 York → Leeds'],
    asked: [],
  });
  expect(answered(back, { back: true }).jobs).toEqual([
    '06:10 Ripon → Hull · rtn 18:15',
    '18:15 Hull → Ripon · rtn 18:15',
    '07:10 York → Leeds',
  ]);
  const stops = [
    'Run|Collect|Address|Destination|Vehicle|Pax',
    'R1|07:40|Magor|Newport School|WAV 6|2',
    'R1|08:00|Langstone|Newport School|WAV 6|1',
  ];
  expect(answered(stops, { stops: false }).jobs).toHaveLength(2);
  expect(answered(stops, { stops: true })).toEqual({
    jobs: ['07:40 Magor → Newport School · R1 · WAV 6 · 3 · Via Langstone'],
    asked: [],
  });
  const gaps = [
    'Time|From|To|Driver',
    '06:10|Ripon|Hull|Sam',
    '05:10|Hull|Ripon|',
    '07:10|York|Leeds|',
    '06:40|Leeds|York|Ann',
  ];
  expect(answered([...gaps, '08:10|York|Leeds|'], {}).asked).toEqual([
    'Many rows have no driver of their own.',
  ]);
  expect(answered([...gaps, '08:10|York|Leeds|'], { above: true })).toEqual({
    jobs: [
      '06:10 Ripon → Hull · Sam',
      '05:10 Hull → Ripon · Sam',
      '07:10 York → Leeds · Sam',
      '06:40 Leeds → York · Ann',
      '08:10 York → Leeds · Ann',
    ],
    asked: [],
  });
  // Rows without the last cells, and rows of another driver, named in the line above them.
  const groups = ['05:50|Selby|Hull', 'Driver: Sue', '09:10|Hull|York|'];
  expect(
    answered([...gaps.slice(0, 2), '05:10|Hull|Ripon', '07:10|York|Leeds', ...groups], { above: true }),
  ).toEqual({
    jobs: [
      '06:10 Ripon → Hull · Sam',
      '05:10 Hull → Ripon · Sam',
      '07:10 York → Leeds · Sam',
      '05:50 Selby → Hull · Sam',
      '09:10 Hull → York · Sue',
    ],
    asked: [],
  });
  expect(answered([...gaps, '07:10|York|Leeds|Bob'], {}).asked).toEqual([]);
  const unused = ['Time|From|To', '06:10|Ripon|Hull', '07:10|Hull|Ripon', 'All come back at 17:15||'];
  expect(answered(unused, {}).asked).toEqual(['Row 4 “All come back at 17:15” is in no job.']);
  expect(answered(unused, { unused: true }).asked).toEqual([]);
  const meals = [...unused.slice(0, 3), 'Two driver meals included'];
  expect(answered(meals, {}).asked).toEqual([]);
  expect(answered([...unused.slice(0, 3), 'The driver Sue has the keys'], {}).asked).toEqual([
    'Row 4 “The driver Sue has the keys” is in no job.',
  ]);
  for (const line of [
    '0530 spare Leeds to Selby',
    'Office: 0530 Leeds to Selby',
    'Ring Jo, 0530 Leeds to Selby',
  ])
    expect(answered([...unused.slice(0, 3), line], {}).asked).toEqual([`Row 4 “${line}” is in no job.`]);
  for (const line of ['Spare: from 0530', 'Office opens 0530', 'Ring the customer at 0530'])
    expect(answered([...unused.slice(0, 3), line], {}).asked).toEqual([]);
  const light = ['Time|From|To', '05:00|Depot|Ripon', '06:10|Ripon|Hull'];
  expect(answered(light, {})).toEqual({ jobs: ['06:10 Ripon → Hull'], asked: [] });
  expect(answered(light, { light: true }).jobs).toEqual(['05:00 Depot → Ripon', '06:10 Ripon → Hull']);
  const remarks = ['06:10 Ripon - Hull - route 682', '07:10 York - Leeds - Hull', '08:10 Hull - York'];
  expect(answered(remarks, {}).asked).toEqual([
    'What stands behind the second dash may be a remark or where it ends, in 2 rows, as row 1 “route 682”.',
  ]);
  expect(answered(remarks, { remark: true }).jobs[0]).toBe('06:10 Ripon → Hull · route 682');
  expect(answered(remarks, { remark: false }).jobs[1]).toBe('07:10 York → Hull · Via Leeds');
});

it('a table with marks at both edges has no column before the first', () => {
  const text = `Tuesday 24 November

| Pax | From | To | At |
|-----|------|----|----|
| 12 | Ayr | Troon | 05:40 |
| 14 | Troon | Ayr | 06:40 |`;
  const sheet = readSheet(rowsOfText(text), { day: DAY });
  expect(sheet.columns.map(({ meaning }) => meaning).slice(0, 4)).toEqual(['people', 'from', 'to', 'time']);
  expect(outcome(sheet).jobs).toEqual(['05:40 Ayr → Troon · 12', '06:40 Troon → Ayr · 14']);
});

it('the person says whether the same row twice is two coaches', () => {
  const lines = ['Time|From|To', '06:10|Ayr|Troon', '06:10|Ayr|Troon'];
  const of = (twice: boolean) => outcome(read(lines, { answers: { twice } }));
  expect(of(true)).toMatchObject({ asked: [], jobs: ['06:10 Ayr → Troon', '06:10 Ayr → Troon'] });
  expect(of(false)).toMatchObject({
    asked: [],
    jobs: ['06:10 Ayr → Troon'],
    words: ['Row 3: the same as row 2.'],
  });
});

it('a week with a column for each day is no list of trips of one day', () => {
  const lines = (first: string) =>
    [first, 'Una\t07:30 Ripon - Hull\t08:15 York - Selby', 'Lee\tOFF\t09:00 Selby - York'].join('\n');
  const of = (text: string) => inLines(readSheet(rowsOfText(text), { day: DAY }), text, DAY);
  expect(of(lines('Work\tTue 24 Nov\tWed 25 Nov'))).toBeNull();
  expect(of(lines('Work\tFirst\tSecond'))).toContain('09:00');
});

it('a column that the person chose is the only one with its meaning', () => {
  const lines = ['Pick up time|From|To|Dep', '06:00|Ripon|Hull|06:10'];
  expect(outcome(read(lines, { chosen: new Map([[3, 'time']]) }))).toMatchObject({
    asked: [],
    jobs: ['06:10 Ripon → Hull'],
    said: ['Not used: Pick up time.'],
  });
});

it('lines that an e-mail quotes are read without their marks', () => {
  const text = '> Hi Sue\n>\n> Time | From | To\n> 06:40 | Ayr | Troon\n> 07:40 | Troon | Ayr\n> Gaz';
  const { jobs } = outcome(readSheet(rowsOfText(text), { day: DAY }));
  expect(jobs).toEqual(['06:40 Ayr → Troon', '07:40 Troon → Ayr']);
});

it('lines of text below another day ask for that day', () => {
  for (const text of [
    'Monday 30 November\n09:10 Leeds to York\n10:00 Hull to Selby',
    'Monday 30 November, Leeds to York, depart 9.10am, Dave driving',
    'Hi,\njobs for Monday 30 November\n0910 Leeds to York, Dave\n1000 Hull to Selby, Sue',
    'Hi Jo, here are the jobs for Monday 30 November\n09:10 Leeds to York\n10:00 Hull to Selby',
    'Hi Jo, here is all that we have on Monday 30 November\n0910 Leeds to York, Dave\n1000 Hull to Selby, Sue',
  ]) {
    const near = { day: '2026-11-27' };
    const lines = inLines(readSheet(rowsOfText(text), near), text, near.day);
    expect(outcome(readSheet(rowsOfText(lines ?? text), near)), text).toMatchObject({
      asked: ['This sheet says Monday 30 November.'],
      jobs: [],
    });
  }
});

it('a dash in a column with words says that there is nothing', () => {
  const lines = [
    '07:00|Leeds|-|York|Dave',
    '07:10|Hull|Goole|Selby|Priya',
    '08:00|Ripon|-|Otley|Ken',
    '09:00|Ilkley|Skipton|Malton|Sue',
    '09:10|York|-|Leeds|Dave',
  ];
  expect(outcome(read(lines)).jobs).toEqual([
    '07:00 Leeds → York · Dave',
    '07:10 Hull → Selby · Priya · Goole',
    '08:00 Ripon → Otley · Ken',
    '09:00 Ilkley → Malton · Sue · Skipton',
    '09:10 York → Leeds · Dave',
  ]);
});

it('the only time of leaving may stand behind the place on the way', () => {
  const jobs = ['07:00 Leeds → York · Via Tadcaster', '08:10 Hull → Selby · Via Goole'];
  for (const lines of [
    ['Pick up|Destination|Via|Time', 'Leeds|York|Tadcaster|07:00', 'Hull|Selby|Goole|08:10'],
    ['From|Via|At|To', 'Leeds|Tadcaster|07:00|York', 'Hull|Goole|08:10|Selby'],
    [
      'Time from depot|Pick up|Destination|Via|Time',
      '06:30|Leeds|York|Tadcaster|07:00',
      '07:40|Hull|Selby|Goole|08:10',
    ],
  ])
    expect(outcome(read(lines)), lines[0]).toMatchObject({ asked: [], jobs });
});

it('a reference may be the number of a vehicle', () => {
  const lines = ['Duty|Time|From|To|Vehicle', '12|07:00|Leeds|York|12', '14|08:00|Hull|Selby|14'];
  expect(outcome(read(lines)).jobs).toEqual(['07:00 Leeds → York · 12 · 12', '08:00 Hull → Selby · 14 · 14']);
});

it('a list that was read whole is not read again, and no line longer than a message is read', () => {
  const whole = readSheet(rowsOfText('09:10 Leeds to York\n10:00 Hull to Selby'), { day: DAY });
  expect(outcome(whole)).toMatchObject({ asked: [], words: [] });
  expect(inLines(whole, '09:10 Leeds to York, Dave\n10:00 Hull to Selby, Sue', DAY)).toBeNull();
  const long = `Monday 30 November ${'A.'.repeat(16_000)}`;
  expect(tripLines(`${long}\n10:00 Hull to Selby`, DAY)).toBe(
    `Time\tFrom and to\tVia\tArrives\tDriver\tVehicle\tPeople\tNote\n10:00\tHull → Selby\t\t\t\t\t\t\n\n${long}`,
  );
});

it('a column without a heading may have the ways back, with a word before each time', () => {
  const lines = ['0720|Leeds|York|', '0915|Hull|Selby|rtn 1500', '0940|Ripon|Otley|back at 3.15pm'];
  expect(outcome(read(lines))).toMatchObject({
    asked: [],
    jobs: [
      '07:20 Leeds → York',
      '09:15 Hull → Selby',
      '15:00 Selby → Hull',
      '09:40 Ripon → Otley',
      '15:15 Otley → Ripon',
    ],
  });
});

it('the numbers of a list are no part of its cells', () => {
  const lines = [
    '1. 0655|Leeds to York|Dave',
    '2. 0720|Hull to Selby|Sue',
    '3. CANCELLED - 1900|York to Hull|Ken',
  ];
  expect(outcome(read(lines))).toMatchObject({
    asked: [],
    jobs: ['06:55 Leeds → York · Dave', '07:20 Hull → Selby · Sue'],
    said: ['Left out: 1 cancelled.'],
  });
});

it('a list of text whose crews the table takes for places is read as lines', () => {
  for (const [crew, values] of [
    [', Dave driving|, Priya driving|, Marta driving', ['Dave', 'Priya', 'Marta']],
    ['. Dave driving|. Priya driving|. Marta driving', ['Dave', 'Priya', 'Marta']],
    [' coach 12| coach 14| coach 15', ['coach 12', 'coach 14', 'coach 15']],
    [' coach A| coach B| coach C', ['coach A', 'coach B', 'coach C']],
  ] as const) {
    const trips = ['0910 Leeds to York', '1000 Hull to Selby', '1100 Ripon to Thirsk'];
    const text = trips.map((trip, at) => trip + crew.split('|')[at]!).join('\n');
    const lines = inLines(readSheet(rowsOfText(text), { day: DAY }), text, DAY);
    expect(outcome(readSheet(rowsOfText(lines ?? text), { day: DAY })), text).toMatchObject({
      asked: [],
      jobs: [
        `09:10 Leeds → York · ${values[0]}`,
        `10:00 Hull → Selby · ${values[1]}`,
        `11:00 Ripon → Thirsk · ${values[2]}`,
      ],
    });
  }
});

it('times at two places on the way are asked about', () => {
  const lines = [
    'From|To|Via|At|Via 2|At',
    'Leeds|York|Selby|06:10|Tadcaster|06:40',
    'Hull|Ripon|Goole|08:10|Otley|08:50',
  ];
  expect(outcome(read(lines)).asked).toEqual(['Is column 4 “Time”?']);
});

it('a dash for a place on the way stays in its column when the first dash is in the last column', () => {
  const lines = ['07:00|Leeds|Selby|York|-', '08:00|Hull|-|Goole|Dave', '09:00|Ripon|Otley|Malton|Sue'];
  expect(outcome(read(lines))).toMatchObject({
    words: [],
    jobs: ['07:00 Leeds → York · Selby', '08:00 Hull → Goole · Dave', '09:00 Ripon → Malton · Sue · Otley'],
  });
});

it('a week with a driver or coach below each day becomes the jobs of the chosen day', () => {
  const week = (head: string, first: string, second: string) =>
    outcome(
      read([`Time|From|To|${head}`, `0720|Selby|Barlby High|${first}`, `1500|Barlby High|Selby|${second}`]),
    );
  const unused = [
    'Not used: the columns of Monday 23 November.',
    'Not used: the columns of Wednesday 25 November.',
  ];
  for (const head of [
    'Mon 23|Tue 24|Wed 25',
    'Mon driver|Tue driver|Wed driver',
    'Monday|Tuesday|Wednesday',
    '23/11/2026|24/11/2026|25/11/2026',
  ]) {
    expect(week(head, 'Gill|Pete|Pete', 'Gill|OFF|Pete'), head).toEqual({
      jobs: ['07:20 Selby → Barlby High · Pete'],
      asked: [],
      said: ['Left out: 1 cancelled.', ...unused],
      words: ['Row 3: “Off”.'],
    });
    expect(week(`Driver|${head}`, 'Gill|Y|Y|Y', 'Pete|N|Y|'), head).toMatchObject({
      jobs: ['07:20 Selby → Barlby High · Gill', '15:00 Barlby High → Selby · Pete'],
      asked: [],
    });
    expect(
      week(`Driver|${head}`, 'Gill|YN21 ABC|FX72 DLG|YN21 ABC', 'Pete|FX72 DLG|-|YN21 ABC'),
      head,
    ).toMatchObject({ jobs: ['07:20 Selby → Barlby High · FX72 DLG · Gill'], asked: [] });
  }
});

it('columns below days are asked about when their cells may be anything', () => {
  for (const [head, first, second, columns] of [
    ['Mon|Tue', 'Gill (Y41)|Pete (Y42)', 'Gill (Y41)|Sue (Y43)', [4, 5]],
    ['Mon 23|Tue 24', 'BANK HOL|Pete', 'BANK HOL|Sue', [4, 5]],
    ['M|T|W|T|F', 'Gill|Gill|Pete|Sue|Sue', 'Gill|Gill|Pete|Sue|Ann', [4, 5, 6, 7, 8]],
  ] as const) {
    const lines = [
      `Time|From|To|${head}`,
      `0720|Selby|Barlby High|${first}`,
      `1500|Barlby High|Selby|${second}`,
    ];
    expect(outcome(read(lines)).asked, head).toEqual(columns.map((at) => `Is column ${at} “Note”?`));
  }
});

it('each of two trips of a line has the driver, coach and people that headings give it', () => {
  for (const [head, first, second] of [
    [
      'AM driver|AM time|From|To|PM time|From|To|PM driver',
      'Roy|07:25|Hythe|Lympne|15:05|Lympne|Hythe|Sandra',
      'Terry|07:10|Lydd|Rye|15:20|Rye|Lydd|Jo',
    ],
    [
      'AM|From|To|Driver (am)|PM|From|To|Driver (pm)',
      '07:25|Hythe|Lympne|Roy|15:05|Lympne|Hythe|Sandra',
      '07:10|Lydd|Rye|Terry|15:20|Rye|Lydd|Jo',
    ],
    [
      'Out driver|Home driver|Out time|From|To|Home time|From|To',
      'Roy|Sandra|07:25|Hythe|Lympne|15:05|Lympne|Hythe',
      'Terry|Jo|07:10|Lydd|Rye|15:20|Rye|Lydd',
    ],
    [
      'Morning time|From|To|Afternoon time|From|To|Morning driver|Afternoon driver',
      '07:25|Hythe|Lympne|15:05|Lympne|Hythe|Roy|Sandra',
      '07:10|Lydd|Rye|15:20|Rye|Lydd|Terry|Jo',
    ],
    [
      'Time 1|From 1|To 1|Driver 1|Time 2|From 2|To 2|Driver 2',
      '07:25|Hythe|Lympne|Roy|15:05|Lympne|Hythe|Sandra',
      '07:10|Lydd|Rye|Terry|15:20|Rye|Lydd|Jo',
    ],
  ] as const)
    expect(outcome(read([head, first, second])), head).toMatchObject({
      jobs: [
        '07:25 Hythe → Lympne · Roy',
        '15:05 Lympne → Hythe · Sandra',
        '07:10 Lydd → Rye · Terry',
        '15:20 Rye → Lydd · Jo',
      ],
      asked: [],
      said: [],
    });
  const lines = [
    'Driver|AM coach|PM coach|AM time|From|To|PM time|From|To|AM pax|PM pax',
    'Roy|31|32|07:25|Hythe|Lympne|15:05|Lympne|Hythe|40|38',
    'Jo|18|19|07:10|Lydd|Rye|15:20|Rye|Lydd|22|20',
  ];
  expect(outcome(read(lines))).toMatchObject({
    jobs: [
      '07:25 Hythe → Lympne · 31 · Roy · 40',
      '15:05 Lympne → Hythe · 32 · Roy · 38',
      '07:10 Lydd → Rye · 18 · Jo · 22',
      '15:20 Rye → Lydd · 19 · Jo · 20',
    ],
    asked: [],
  });
});

it('a line above its jobs names their coach and driver beside the seats', () => {
  for (const line of [
    'COACH 14 - 53 SEATS - DRIVER: STU',
    'COACH 14 (53 SEATS) DRIVER STU',
    'COACH 14 / 53 seater / STU',
    'DRIVER: STU - COACH 14 - 53 seats',
    'COACH 14: STU (53 str)',
    'COACH 14|53 seats|Driver: STU',
  ])
    expect(
      outcome(read([line, 'Time|From|To|Pax', '07.20|Alford|Louth|50', '07.50|Louth|Alford|49'])),
      line,
    ).toMatchObject({
      jobs: ['07:20 Alford → Louth · COACH 14 · STU · 50', '07:50 Louth → Alford · COACH 14 · STU · 49'],
      asked: [],
    });
});

const inWords = (text: string) =>
  outcome(
    readSheet(rowsOfText(inLines(readSheet(rowsOfText(text), { day: DAY }), text, DAY) ?? text), {
      day: DAY,
    }),
  );

it('sentences about a driver are read whatever their verbs', () => {
  for (const words of [
    'He picks up at Skipton at 8.15am and takes 46 to York, leaving there at 4pm to go back to Skipton.',
    'He collects 46 from Skipton at 8.15am and takes them to York, leaving there at 4pm for Skipton.',
    'He picks up 46 at Skipton at 8.15am and drops them at York, leaving there at 4pm to return to Skipton.',
    'He starts at Skipton at 8.15am and takes 46 to York. He leaves there at 4pm to go back to Skipton.',
    'He picks up at 8.15am at Skipton, takes 46 people to York and leaves there at 4pm for Skipton.',
  ])
    expect(
      inWords(
        `Hi Jan,\n\nYoung Derek is in coach 9. ${words}\n\nMoira is in coach 4. She leaves Settle at 9.30am for Leeds with 27 on.\n\nThanks\nAlan`,
      ),
      words,
    ).toMatchObject({
      jobs: [
        expect.stringMatching(/^08:15 Skipton → York · coach 9 · Derek · 46/),
        expect.stringMatching(/^16:00 York → Skipton · coach 9 · Derek · 46/),
        expect.stringMatching(/^09:30 Settle → Leeds · coach 4 · Moira · 27/),
      ],
      asked: [],
    });
});

it('pick-ups and drops are read in their short forms', () => {
  for (const line of [
    'PF18 ODA Jock: p/u 0700 Hawick drop Kelso then p/u 1540 Kelso drop Hawick',
    'PF18 ODA Jock - pick up 0700 Hawick, drop Kelso, then pick up 1540 Kelso, drop Hawick',
    'Jock PF18 ODA. P/U Hawick 0700 drop Kelso then 1540 Kelso drop Hawick',
    'PF18 ODA Jock: pu 0700 Hawick d/o Kelso then pu 1540 Kelso d/o Hawick',
    'Jock (PF18 ODA) 0700 p/up Hawick, drop off Kelso. Then 1540 p/up Kelso, drop off Hawick',
    'Jock - 18 plate PF18 ODA. 0700 Hawick to Kelso. Then 1540 Kelso to Hawick',
  ])
    expect(inWords(`${line}\nSK15 EHB Rab: p/u 1100 Melrose drop Galashiels`), line).toMatchObject({
      jobs: [
        '07:00 Hawick → Kelso · PF18 ODA · Jock',
        '15:40 Kelso → Hawick · PF18 ODA · Jock',
        '11:00 Melrose → Galashiels · SK15 EHB · Rab',
      ],
      asked: [],
    });
});

it('times of the day in words are read within a line', () => {
  for (const line of [
    '42 from Abergele at 9am to Cheshire Oaks, back from Cheshire Oaks at half past four.',
    'Abergele at 9 to Cheshire Oaks with 42, back at half past four.',
    'at 9 from Abergele to Cheshire Oaks, 42 on, back at 4.30.',
    '9am Abergele to Cheshire Oaks for 42, coming back at half four.',
    '42 from Abergele to Cheshire Oaks at 9 o’clock, back from there half past four.',
  ])
    expect(
      inWords(
        `Morning both\n\n- ${line} Elwyn, CX70 LGE\n- 5pm Ruthin to Rhyl with 51, back 8.15pm. Elwyn, CX70 LGE\n\nCheers\nMair`,
      ),
      line,
    ).toMatchObject({
      jobs: [
        expect.stringMatching(/^09:00 Abergele → Cheshire Oaks · CX70 LGE · Elwyn · 42/),
        expect.stringMatching(/^16:30 Cheshire Oaks → Abergele · CX70 LGE · Elwyn · 42/),
        expect.stringMatching(/^17:00 Ruthin → Rhyl · CX70 LGE · Elwyn · 51/),
        expect.stringMatching(/^20:15 Rhyl → Ruthin · CX70 LGE · Elwyn · 51/),
      ],
      asked: [],
    });
});

it('minutes to an hour are no hour alone', () => {
  expect(inWords('Dave: Leeds to York at 10 to nine, back at 5 to 11').jobs).toEqual([
    expect.stringMatching(/^08:50 Leeds → York · Dave/),
    expect.stringMatching(/^10:55 York → Leeds · Dave/),
  ]);
});

it('an item of a list holds its way back, and an item without work is no job', () => {
  for (const [line, back] of [
    ['Coach 50 (Dobbo) - depart Louth 12.00 for Glanford, 22 passengers.', 'Return from Glanford 17.15.'],
    ['Coach 50 (Dobbo): leave Louth 12.00 for Glanford with 22.', 'Return 17.15.'],
    ['Coach 50, Dobbo. Dep Louth 12.00 to Glanford, 22 pax,', 'return 17.15'],
    ['Coach 50 (Dobbo) - 12.00 Louth to Glanford, 22 passengers.', 'Departs Glanford 17.15.'],
    [
      'Coach 50 - driver Dobbo - depart 12.00 Louth for Glanford (22 passengers),',
      'return from Glanford at 17.15',
    ],
  ])
    expect(inWords(`PRIVATE HIRE\n\n1) ${line} ${back}\n2) Coach 47 - not needed.`), line).toMatchObject({
      jobs: [
        expect.stringMatching(/^12:00 Louth → Glanford · Coach 50 · Dobbo · 22/),
        expect.stringMatching(/^17:15 Glanford → Louth · Coach 50 · Dobbo · 22/),
      ],
      asked: [],
    });
});

it('only work that does not run is left out', () => {
  const table = (heading: string, said: readonly string[]) =>
    read([
      `Time|From|To|Driver|${heading}`,
      ...said.map((one, at) => `0${6 + at}:10|Leeds|${['York', 'Hull', 'Selby', 'Ely'][at]!}|Dave|${one}`),
    ]).rows.flatMap(({ jobs }) => jobs.map(({ leaves_local }) => leaves_local));
  expect(
    table('Notes', ['Off - side door', 'Off: Gate 4', 'Catering cancelled', 'Cancelled catering']),
  ).toEqual(['06:10', '07:10', '08:10', '09:10']);
  expect(table('Customer', ['Off: Beat Choir', 'Uni'])).toEqual(['06:10', '07:10']);
  expect(table('Radio', ['Off', 'On'])).toEqual(['06:10', '07:10']);
  expect(table('Status', ['Not cancelled', 'Signed off', 'Confirmed'])).toEqual(['06:10', '07:10', '08:10']);
  expect(table('Status', ['Lost property on board', 'Return cancelled', 'Invoice void', 'Job lost'])).toEqual(
    ['06:10', '07:10', '08:10'],
  );
  expect(table('Notes', ['Cancelled second coach', 'Cancelled by client'])).toEqual(['06:10']);
  expect(table('Notes', ['OFF - school closed', 'Off', 'Cancelled - no charge', 'ring first'])).toEqual([
    '09:10',
  ]);
});

it('a line that denies a cancellation, or cancels another thing, is asked about', () => {
  const jobs = ['Dave 0900 Leeds to York YN21 ABC', 'Sue 1000 Hull to Selby BX20 DEF'];
  for (const line of [
    '0900 Leeds is not cancelled',
    'The 0900 York run: catering is cancelled',
    'The 0900 York run: the wifi is cancelled',
    'The 0900 Leeds is no longer cancelled.',
    'Dave not needed on the 0900 Leeds',
  ])
    expect(inWords([...jobs, line].join('\n')), line).toMatchObject({
      jobs: ['09:00 Leeds → York · YN21 ABC · Dave', '10:00 Hull → Selby · BX20 DEF · Sue'],
      asked: [expect.stringContaining(line.slice(0, 30))],
    });
  expect(inWords(`${jobs[0]!} not cancelled\n${jobs[1]!}`)).toMatchObject({
    jobs: ['09:00 Leeds → York · YN21 ABC · Dave · not cancelled', expect.stringMatching(/^10:00/)],
    asked: [expect.stringContaining('Dave 0900')],
  });
  expect(inWords([...jobs, 'Sorry, the 0900 Leeds to York is cancelled'].join('\n')).jobs).toHaveLength(1);
});

it('a remark below a row is no second stop of its time', () => {
  expect(
    outcome(
      read([
        'Time|From|To|Driver',
        '06:10|Leeds|York|Dave',
        'and Mercedes not available',
        '07:00|Hull|Selby|Sue',
      ]),
    ).jobs,
  ).toEqual(['06:10 Leeds → York · Dave', '07:00 Hull → Selby · Sue']);
});

it('a weekday with other words behind it sets no day', () => {
  const jobs = ['Dave 0900 Leeds to York YN21 ABC', 'Al 1030 Goole to Hull BX20 DEF'];
  for (const line of ['Monday Club', 'Sunday driver training is at the yard', 'Sat, window seat for Mrs Low'])
    expect(inWords([jobs[0]!, line, jobs[1]!].join('\n')), line).toMatchObject({
      jobs: ['09:00 Leeds → York · YN21 ABC · Dave', '10:30 Goole → Hull · BX20 DEF · Al'],
      asked: [expect.stringContaining(line.slice(0, 30))],
    });
  expect(inWords(`${jobs.join('\n')}\nMonday Club 1100 Ely to Hull FJ19 KLM`)).toMatchObject({
    jobs: { length: 3 },
    asked: [expect.stringContaining('Monday Club')],
  });
  expect(inWords(`Tuesday\n${jobs[0]!}\nWednesday:\n${jobs[1]!}`).jobs).toHaveLength(1);
});

it('a name in capitals and a number are no registration of Northern Ireland', () => {
  expect(inWords('0610 LEEDS TO YORK KIM 49 YN21 ABC\n0700 HULL TO SELBY HUI 4401').jobs).toEqual([
    expect.stringMatching(/^06:10 .*· YN21 ABC/),
    expect.stringMatching(/^07:00 .*· HUI 4401/),
  ]);
  expect(
    outcome(
      read([
        'Time|From|To|Driver',
        '06:10|LEEDS|AIR 1|JIM 49',
        '07:00|HULL|VIA 20|LIZ 29',
        '08:00|HULL|ELY|DAVE',
      ]),
    ).jobs,
  ).toEqual(['06:10 LEEDS → AIR 1 · JIM 49', '07:00 HULL → VIA 20 · LIZ 29', '08:00 HULL → ELY · DAVE']);
});

it('numbers of gates and hours are no people', () => {
  expect(
    inWords('1000 York to Stand 3 departures with Sue\n1100 Hull to Gate 4 arrivals with Pat, 29 pax').jobs,
  ).toEqual(['10:00 York → Stand 3 departures · with Sue', '11:00 Hull → Gate 4 arrivals · 29 · with Pat']);
  expect(
    inWords('0900 Leeds to York for 11, Dave YN21 ABC\n1000 Hull to Selby for 42, Sue BX20 DEF'),
  ).toMatchObject({
    jobs: [expect.stringContaining('Dave'), '10:00 Hull → Selby · BX20 DEF · Sue · 42'],
    asked: [expect.stringContaining('Leeds to York for 11')],
  });
});

it('messages from one to another and back give neither as the driver', () => {
  expect(
    inWords(
      'Hi Karen,\nPlease can we have 0900 Leeds to York\nThanks Jane\n\nHi Jane,\nWe can also do 1600 York to Leeds\nKaren',
    ),
  ).toMatchObject({
    jobs: [expect.not.stringMatching(/Karen|Jane/), expect.not.stringMatching(/Karen|Jane/)],
    asked: [expect.stringContaining('Hi Karen')],
  });
  expect(inWords('Trust you are well.\n0900 Leeds to York\n1000 Hull to Selby').jobs).toEqual([
    '09:00 Leeds → York',
    '10:00 Hull → Selby',
  ]);
});

it('two times in one cell are out and back, and other clocks those of London, if the user says so', () => {
  const rows = ['Dep (CET)|From|To', '0900 & 1600|Leeds|York', '10:00|Leeds|Hull'];
  expect(outcome(read(rows, { answers: { pair: false, zone: true } }))).toMatchObject({
    jobs: ['09:00 Leeds → York', '16:00 York → Leeds', '10:00 Leeds → Hull'],
    asked: [],
  });
});

it.each(['Hull now', 'Hull now leaving', 'Hull was', 'Hull arr'])('“%s” is no place', (end) => {
  expect(read(['Time|From|To', `19:00|Leeds|${end}`, '20:00|Leeds|York']).asked).toEqual([
    `This may be no place where a trip begins or ends, in 1 row, as row 2 “${end}”.`,
  ]);
});

it.each(['Dave 18:00 CET from Leeds to Hull', '0900 & 1600 Leeds to Hull'])(
  'a line of words stays to be asked about: %s',
  (line) => {
    expect(inWords(`${line}\n20:00 York to Ely`).asked.join()).toContain(line);
  },
);

it.each([
  '19:00 Leeds to Hull now 19:30',
  '20:00 Ely to Ware (moved to 20.15), YN21 ABC',
  '0600 Leeds to Heathrow, flight now 1045',
  '09:00 Leeds to Flamingo Land, return now 17:30',
  '0600 Leeds to York, coach changed to 1204',
])('a later time behind a trip is asked about, and is not when it leaves: %s', (line) => {
  const { jobs, asked } = inWords(`${line}\nHull to Ripon 21:00`);
  expect(jobs[0]).toContain(`${line.slice(0, 2)}:00 `);
  expect(asked.join()).toContain(line.slice(0, 30));
});
