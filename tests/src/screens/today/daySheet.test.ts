import { describe, expect, it } from 'vitest';
import { readSheet, type Sheet } from '../../../../src/screens/today/daySheet.ts';
import { dayIn, deadlineIn, timeIn } from '../../../../src/screens/today/sheetCells.ts';
import { rowsOfText } from '../../../../src/screens/today/sheetText.ts';

const DAY = '2026-11-24';
const read = (text: string, more: Partial<Parameters<typeof readSheet>[1]> = {}) =>
  readSheet(rowsOfText(text), { day: DAY, ...more });
const jobsOf = ({ rows }: Sheet) =>
  rows.flatMap(({ jobs }) => jobs.map(({ leaves_local, trip }) => `${leaves_local} ${trip}`));
const meaningsOf = ({ columns }: Sheet) => columns.map(({ meaning }) => meaning);

describe('a cell', () => {
  it.each([
    ['06:10', '06:10'],
    ['6.10am', '06:10'],
    ['0610', '06:10'],
    ['0610hrs', '06:10'],
    ['6:10 PM', '18:10'],
    ['12.05am', '00:05'],
    ['7 pm', '19:00'],
    ['19:15:00', '19:15'],
    ['25:15', '25:15'],
    ['0.256944444444444', '06:10'],
    ['24/11/2026 06:10', '06:10'],
    ['2026-11-24T06:10:00', '06:10'],
    ['noon', '12:00'],
    ['Dep 06.10', '06:10'],
  ])('%s is the time %s', (cell, local) => {
    expect(timeIn(cell)?.local).toBe(local);
  });

  it.each(['TBC', '', '6', '610', '38', '24:60', 'M62 J26', '13pm', '24/11/2026', 'YN21 ABC'])(
    '%s is no time',
    (cell) => {
      expect(timeIn(cell)).toBeNull();
    },
  );

  it.each([
    ['24/11/2026', '2026-11-24'],
    ['24.11.26', '2026-11-24'],
    ['Tue 24 Nov', '2026-11-24'],
    ['Tuesday, 24th November 2026', '2026-11-24'],
    ['2026-11-24', '2026-11-24'],
    ['46350', '2026-11-24'],
    ['03/12', '2026-12-03'],
    ['31/02/2026', null],
    ['06.10', null],
    ['PC-2411', null],
  ])('%s is the day %s', (cell, day) => {
    expect(dayIn(cell, DAY)).toBe(day);
  });

  it.each([
    ['Check-in 04:10', 'Check-in', '04:10'],
    ['must be there by 9.30am', null, '09:30'],
    ['Flight BA123 0955', 'Flight', '09:55'],
    ['Kick off 15:00', 'Kick off', '15:00'],
  ])('%s is a deadline', (cell, what, local) => {
    expect(deadlineIn(cell)).toEqual({ what, local });
  });

  it.each(['Coach bay 4', 'for 38 people', 'ring 0113 496 0000'])('%s is none', (cell) => {
    expect(deadlineIn(cell)).toBeNull();
  });
});

describe('a day sheet', () => {
  it('with headings, tabs, a time past midnight and one that is not known', () => {
    const sheet = read(
      [
        'Dep\tRef\tFrom\tTo\tVeh\tDriver\tPax\tNotes',
        '06:10\tPC-2411\tLeeds Stn\tHeathrow T5\tYN21 ABC\tM. Hussain\t38\tCheck-in 11:20',
        '25:15\tPC-2446\tManchester T1\tHuddersfield\tMX71 TUB\tA. Sykes\t22\t',
        'TBC\tPC-2448\tLeeds\tYork\t\t\t\t',
      ].join('\n'),
    );
    expect(sheet.asked).toEqual([]);
    expect(jobsOf(sheet)).toEqual(['06:10 Leeds Stn → Heathrow T5', '25:15 Manchester T1 → Huddersfield']);
    expect(sheet.rows[0]!.jobs[0]).toMatchObject({
      ref: 'PC-2411',
      vehicle: 'YN21 ABC',
      driver: 'M. Hussain',
      people: 38,
      deadline_local: '11:20',
      deadline_what: 'Check-in',
    });
    expect(sheet.rows[1]!.note).toBe('01:15 on Wednesday.');
    expect(sheet.rows[2]!.problem).toBe('Row 4: no time in “TBC”.');
  });

  it('without headings, as commas', () => {
    const sheet = read(
      '0610,PC-2411,Leeds Stn to Heathrow T5,YN21 ABC\n0740,PC-2425,Leeds Stn to Heathrow T2,YX24 AEP\n0830,PC-2427,Hull to York,YX19 OPL',
    );
    expect(meaningsOf(sheet)).toEqual(['time', 'ref', 'trip', 'vehicle']);
    expect(jobsOf(sheet)[0]).toBe('06:10 Leeds Stn → Heathrow T5');
    expect(sheet.asked).toEqual([]);
  });

  it('with a title, groups, totals, a list of vehicles beside it and dates as a spreadsheet has them', () => {
    const sheet = read(
      [
        'PENNINE COACHES\t\t\t\t\t\t\t',
        'Date\tPick up\tJob\tDestination\tPick up point\t\tCoach\tSeats',
        'SCHOOLS\t\t\t\t\t\t\t',
        '46350\t0.309027777777778\t1201\tTadcaster GS\tUlleskelf\t\tYN21 ABC\t53',
        '46350\t0.322916666666667\t1202\tYork College\tTadcaster\t\tYX24 AEP\t49',
        '46351\t0.40625\t1203\tLeeds\tHarrogate\t\t\t',
        '\t\tTotal\t3\t\t\t\t',
      ].join('\n'),
    );
    expect(jobsOf(sheet)).toEqual(['07:25 Ulleskelf → Tadcaster GS', '07:45 Tadcaster → York College']);
    expect(sheet.rows[2]!.problem).toBe('Row 6: this is for Wednesday 25 November.');
    expect(sheet.passedOver).toHaveLength(3);
    expect(sheet.rows[0]!.jobs[0]!.vehicle).toBeNull();
  });

  it('with two trips a line', () => {
    const sheet = read(
      [
        'Ref\tVehicle\tOut\tFrom\tTo\tReturn',
        'A1\tYN21 ABC\t08.30am\tWakefield\tRoyal Armouries\t3.15pm',
        'A2\tYX24 AEP\t09:00\tLeeds\tFlamingo Land\t',
      ].join('\n'),
    );
    expect(jobsOf(sheet)).toEqual([
      '08:30 Wakefield → Royal Armouries',
      '15:15 Royal Armouries → Wakefield',
      '09:00 Leeds → Flamingo Land',
    ]);
    const two = read(
      'Driver\tTime\tFrom\tTo\tTime\tFrom\tTo\nJ. Ward\t06:10\tLeeds\tHull\t16:00\tHull\tLeeds\nO. Bell\t07:10\tRipon\tYork\t17:00\tYork\tRipon',
    );
    expect(jobsOf(two)).toEqual([
      '06:10 Leeds → Hull',
      '16:00 Hull → Leeds',
      '07:10 Ripon → York',
      '17:00 York → Ripon',
    ]);
    expect(two.rows[0]!.jobs.map(({ driver }) => driver)).toEqual(['J. Ward', 'J. Ward']);
  });

  it('asks about times that may be in the afternoon', () => {
    const text = 'Time,From,To\n9.30,Leeds,York\n11.45,Leeds,Hull\n1.30,York,Leeds\n4.00,Hull,Leeds';
    const sheet = read(text);
    expect(sheet.asked).toEqual(['Times from row 4 on may be morning or afternoon.']);
    expect(jobsOf(read(text, { answers: { afternoon: true } }))).toEqual([
      '09:30 Leeds → York',
      '11:45 Leeds → Hull',
      '13:30 York → Leeds',
      '16:00 Hull → Leeds',
    ]);
    expect(read(text, { answers: { afternoon: false } }).asked).toEqual([]);
  });

  it('asks for the meaning of a column if the cells do not show it', () => {
    expect(read('Alpha\tBeta\nGamma\tDelta').asked).toContain('Which column has the times?');
    const people = read('06:10\tLeeds to Hull\t38\n07:10\tLeeds to York\t49\n08:10\tHull to York\t12');
    expect(people.asked).toEqual([]);
    expect(people.said).toEqual(['Guessed by what they hold: column 3 as People.']);
    const chosen = read('06:10\tLeeds to Hull\t38\n07:10\tLeeds to York\t49', {
      chosen: new Map([[2, 'people']]),
    });
    expect(chosen.asked).toEqual([]);
  });

  it('knows the headings of the last sheet, and says when a sheet is of another day', () => {
    const text = 'Zeit\tWas\n06:10\tLeeds to Hull';
    const sheet = read(text, { remembered: { zeit: 'time', was: 'trip' } });
    expect(sheet.isKnown).toBe(true);
    expect(jobsOf(sheet)).toEqual(['06:10 Leeds → Hull']);
    expect(read('Jobs for Wednesday 25 November 2026\nTime\tFrom\tTo\n06:10\tLeeds\tHull').asked).toEqual([
      'This sheet says Wednesday 25 November.',
    ]);
  });

  it('says in words that a day may not have so many jobs, or a sheet so many rows', () => {
    const lines = (rows: number) =>
      ['Time\tFrom\tTo\tRef', ...Array.from({ length: rows }, (_, at) => `06:10\tLeeds\tHull\tR${at}`)].join(
        '\n',
      );
    expect(read(lines(1000)).asked).toEqual([]);
    expect(read(lines(1001)).asked).toEqual([
      'There are 1,001 jobs. A day may have 1,000 jobs. Leave some rows out and paste again.',
    ]);
    expect(() => rowsOfText(lines(1500))).toThrow('This sheet has 1,501 rows, and 1,500 can be read.');
  });

  it('answers nonsense with words', () => {
    expect(read('x'.repeat(20_000)).asked).not.toEqual([]);
    expect(read('').asked).not.toEqual([]);
    expect(() => rowsOfText('Time,From\n"06:10,Leeds')).toThrow('a quotation mark');
    expect(read('Time\tFrom\tTo\n06:10\t=HYPERLINK("http://x")\tHull').rows[0]!.problem).toBe(
      'Row 2: “=HYPERLINK("http://x")” is a formula, and no place.',
    );
  });
});
