/** Day sheets in as many styles as strangers have: most are understood, the others are asked about, and none is wrong in
 *  silence. */
import { expect, it } from 'vitest';
import { readSheet } from '../../../../src/screens/today/daySheet.ts';
import { rowsOfText } from '../../../../src/screens/today/sheetCells.ts';

const DAY = '2026-11-24';
/** Its style, its text, and the jobs that it has. */
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

const UNDERSTOOD_LEAST = 27;

it('are understood or asked about, never wrong in silence', () => {
  const understood = SHEETS.filter(([name, text, jobs]) => {
    const { rows, asked } = readSheet(rowsOfText(text), { day: DAY });
    if (asked.length > 0) return false;
    const read = rows.flatMap((row) => row.jobs.map(({ leaves_local, trip }) => `${leaves_local} ${trip}`));
    expect(read.toSorted(), name).toEqual(jobs.toSorted());
    return true;
  });
  expect(SHEETS.length).toBeGreaterThanOrEqual(30);
  expect(understood.length).toBeGreaterThanOrEqual(UNDERSTOOD_LEAST);
});
