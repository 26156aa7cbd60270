import { strToU8, zipSync, type Zippable } from 'fflate';
import { expect, it } from 'vitest';
import { readSheet } from '../../../../src/screens/today/daySheet.ts';
import { rowsOfText } from '../../../../src/screens/today/sheetText.ts';
import { sheetText } from '../../../../src/screens/today/sheetFile.ts';

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006/relationships';

/** The least that a spreadsheet program needs. Style 1 is a time of day, 2 a date, 3 both. */
function workbook(
  sheets: string[],
  more: Zippable = {},
  names: string[] = sheets.map((_, at) => `Sheet ${at + 1}`),
): File {
  const parts: Record<string, string> = {
    '[Content_Types].xml': `${XML}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>`,
    '_rels/.rels': `${XML}<Relationships xmlns="${PACKAGE}"><Relationship Id="rId1" Type="${OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    'xl/workbook.xml': `${XML}<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets>${sheets
      .map((_, at) => `<sheet name="${names[at]}" sheetId="${at + 1}" r:id="rId${at + 1}"/>`)
      .join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `${XML}<Relationships xmlns="${PACKAGE}">${sheets
      .map(
        (_, at) =>
          `<Relationship Id="rId${at + 1}" Type="${OFFICE}/worksheet" Target="worksheets/sheet${at + 1}.xml"/>`,
      )
      .join('')}<Relationship Id="rId99" Type="${OFFICE}/styles" Target="styles.xml"/></Relationships>`,
    'xl/styles.xml': `${XML}<styleSheet xmlns="${MAIN}"><cellStyleXfs count="1"><xf numFmtId="0"/></cellStyleXfs><cellXfs count="4"><xf numFmtId="0" xfId="0"/><xf numFmtId="20" xfId="0" applyNumberFormat="1"/><xf numFmtId="14" xfId="0" applyNumberFormat="1"/><xf numFmtId="22" xfId="0" applyNumberFormat="1"/></cellXfs></styleSheet>`,
    ...Object.fromEntries(
      sheets.map((rows, at) => [
        `xl/worksheets/sheet${at + 1}.xml`,
        `${XML}<worksheet xmlns="${MAIN}">${rows.replace(/^(.*?)(<mergeCells.*)?$/s, '<sheetData>$1</sheetData>$2')}</worksheet>`,
      ]),
    ),
  };
  const files = Object.fromEntries(Object.entries(parts).map(([name, text]) => [name, strToU8(text)]));
  return new File([zipSync({ ...files, ...more }) as Uint8Array<ArrayBuffer>], 'day.xlsx');
}

const text = (at: string, words: string) => `<c r="${at}" t="inlineStr"><is><t>${words}</t></is></c>`;
const number = (at: string, value: number, style = 0) => `<c r="${at}" s="${style}"><v>${value}</v></c>`;
const row = (at: number, ...cells: string[]) => `<row r="${at}">${cells.join('')}</row>`;

const read = (file: File) => sheetText(file, '2026-11-27');

it('reads the first sheet that has rows: words, figures, times and dates, with empty cells between', async () => {
  const trips = [
    row(1, text('A1', 'Time'), text('B1', 'Trip'), text('C1', 'Coach'), text('D1', 'Arrives by')),
    row(
      2,
      number('A2', (6 * 60 + 10) / 1440, 1),
      text('B2', 'Leeds Stn - Heathrow T5'),
      number('C2', 41),
      number('D2', 46_353 + (11 * 60 + 45) / 1440, 3),
    ),
    row(3, number('A3', 0.999_305_555, 1), text('B3', 'York\n Leeds'), number('D3', 46_353, 2)),
  ].join('');
  expect((await read(workbook(['', trips]))).split('\n')).toEqual([
    'Time\tTrip\tCoach\tArrives by',
    '06:10\tLeeds Stn - Heathrow T5\t41\t2026-11-27 11:45',
    '23:59\tYork Leeds\t\t2026-11-27',
  ]);
});

/** A sheet of words, one row a line, with cells between bars. */
const rowsOf = (...lines: string[]) =>
  lines
    .map((line, index) =>
      row(index + 1, ...line.split('|').map((cell, at) => text(`${'ABCDEFGH'[at]}${index + 1}`, cell))),
    )
    .join('');
const jobsOf = (sheet: string) =>
  readSheet(rowsOfText(sheet), { day: '2026-11-27' }).rows.flatMap((one) =>
    one.jobs.map(({ leaves_local, trip, people }) => `${leaves_local} ${trip} ${people ?? ''}`.trim()),
  );
const saidOf = (sheet: string) => readSheet(rowsOfText(sheet), { day: '2026-11-27' }).said;
const askedOf = (sheet: string) => readSheet(rowsOfText(sheet), { day: '2026-11-27' }).asked;

it('reads all sheets of a workbook that have jobs of the day, and names the others', async () => {
  const coaches = rowsOf('Time|From|To|Pax', '06:10|Leeds|Hull|38', '07:10|Leeds|York|20');
  const minibuses = rowsOf('Time|To|From|Pax', '06:30|Selby|Goole|8', '08:00|Otley|Ilkley|16');
  const fleet = rowsOf('Reg|Seats', 'YN21 ABC|53');
  const both = await read(workbook([coaches, fleet, minibuses]));
  expect(jobsOf(both)).toEqual([
    '06:10 Leeds → Hull 38',
    '07:10 Leeds → York 20',
    '06:30 Goole → Selby 8',
    '08:00 Ilkley → Otley 16',
  ]);
  expect(both).toContain('Not read: the other sheets of this file, “Sheet 2”');
  expect(askedOf(both)).toEqual([]);
});

it('asks about a sheet with jobs of the day that cannot be read with the first', async () => {
  const coaches = rowsOf(
    'Time|From|To|Pax',
    '06:10|Leeds|Hull|38',
    '07:10|Leeds|York|20',
    '09:10|York|Hull|9',
  );
  const other = rowsOf('06:30|Selby to Goole', '08:00|Otley to Ilkley');
  const sheet = await read(workbook([coaches, other]));
  const words = 'Not read: the other sheets of this file, “Sheet 2” with 2 jobs; read: “Sheet 1”';
  expect(sheet.split('\n').at(-1)).toBe(words);
  expect(askedOf(sheet)).toEqual([`${words}. Paste their rows below these, or leave them out.`]);
});

it('leaves out sheets of other days, and copies of the same jobs', async () => {
  const day = rowsOf('Jobs for Friday 27 November', 'Time|From|To', '06:10|Leeds|Hull', '07:10|Leeds|York');
  const next = rowsOf('Jobs for Saturday 28 November', 'Time|From|To', '09:10|Leeds|Hull');
  const copy = rowsOf('Time|From|To', '07:10|Leeds|York', '06:10|Leeds|Hull');
  const sheet = await read(workbook([day, next, copy]));
  expect(jobsOf(sheet)).toEqual(['06:10 Leeds → Hull', '07:10 Leeds → York']);
  const words = 'Not read: the other sheets of this file, “Sheet 2”, “Sheet 3” with the same jobs';
  expect(sheet.split('\n').at(-1)).toBe(words);
  expect(askedOf(sheet)).toEqual([]);
  expect(saidOf(sheet)).toEqual([`${words}.`]);
});

it('takes jobs of other vehicles at the same times as other jobs, and asks if the vehicle is not said', async () => {
  const jobs = (vehicle: string) =>
    rowsOf('Time|From|To|Coach', `06:10|Leeds|Hull|${vehicle}`, `07:10|Leeds|York|${vehicle}`);
  const both = await read(workbook([jobs('YN21 ABC'), jobs('MX71 TUB')]));
  expect(jobsOf(both)).toHaveLength(4);
  expect(askedOf(both)).toEqual([]);
  const open = await read(workbook([jobs('YN21 ABC'), rowsOf('Time|From|To', '06:10|Leeds|Hull')]));
  expect(jobsOf(open)).toHaveLength(2);
  expect(askedOf(open)[0]).toMatch(/“Sheet 2” with 1 job; read: “Sheet 1”\./);
});

it('takes the sheet that is named after the day, and asks between its versions', async () => {
  const named = (...names: string[]) =>
    read(
      workbook(
        names.map((_, at) => rowsOf('Time|From|To', `06:${10 + at}|Leeds|Hull`, `07:${10 + at}|Leeds|York`)),
        {},
        names,
      ),
    );
  for (const names of [
    ['26', '27', '28'],
    ['26.11', '27.11', '28.11'],
    ['Thu 26.11', 'Fri 27.11', 'Sat 28.11'],
    ['Nov 26', 'Nov 27', 'Nov 28'],
    ['Day 26', 'Day 27', 'Day 28'],
    ['261126', '271126', '281126'],
  ]) {
    const sheet = await named(...names);
    expect(jobsOf(sheet), names[1]).toEqual(['06:11 Leeds → Hull', '07:11 Leeds → York']);
    expect(askedOf(sheet), names[1]).toEqual([]);
    expect(saidOf(sheet), names[1]).toEqual([
      `Not read: the other sheets of this file, “${names[0]}”, “${names[2]}”.`,
    ]);
  }
  const month = await named(...Array.from({ length: 30 }, (_, at) => `${at + 1}`));
  expect(jobsOf(month)).toEqual(['06:36 Leeds → Hull', '07:36 Leeds → York']);
  // Without the asked day, these may be coaches as well.
  const numbers = askedOf(await named('1', '2', '3'));
  expect(numbers.join('\n')).toMatch(
    /^This sheet says .* 1 November\.\n.*“2” with 2 jobs, “3” with 2 jobs; read: “1”\./s,
  );
  const coaches = await named(...Array.from({ length: 27 }, (_, at) => `${at + 1}`));
  expect(askedOf(coaches)[0]).toMatch(/“26” with 2 jobs; read: “27”\./);
  expect(askedOf(await named('Coach 1-2'))).toEqual([]);
  expect(jobsOf(await named('27 Nov', 'Runs 1-12'))).toHaveLength(4);
  expect(askedOf(await named('26 Nov'))).toEqual(['This sheet says Thursday 26 November.']);
  const versions = await named('27 Nov OLD', '27 Nov NEW');
  expect(jobsOf(versions)).toHaveLength(2);
  expect(askedOf(versions)[0]).toMatch(/“27 Nov NEW” with 2 jobs; read: “27 Nov OLD”\./);
});

it('leaves out hidden sheets and hidden rows, and says so', async () => {
  const jobs = rowsOf('Time|From|To', '06:10|Leeds|Hull', '07:10|Leeds|York', '08:10|Leeds|Selby');
  const filtered = jobs.replace('<row r="3"', '<row r="3" hidden="1"');
  const hidden = ['Jobs', 'Template" state="hidden'];
  const sheet = await read(workbook([filtered, rowsOf('Time|From|To', '09:10|Leeds|Bath')], {}, hidden));
  expect(jobsOf(sheet)).toEqual(['06:10 Leeds → Hull', '08:10 Leeds → Selby']);
  expect(askedOf(sheet)).toEqual([]);
  expect(saidOf(sheet)).toEqual(['Not read: 1 hidden row, the hidden sheet “Template”.']);
});

it('says in words if a file is not a spreadsheet, is empty, or has far more than a day', async () => {
  const torn = new File(['PK\u0003\u0004 and then nothing'], 'day.xlsx');
  await expect(read(torn)).rejects.toThrow('This spreadsheet cannot be read.');
  await expect(read(workbook(['']))).rejects.toThrow('This spreadsheet has no rows.');
  const bomb = { 'xl/worksheets/sheet1.xml': new Uint8Array(4_000_000) };
  await expect(read(workbook([''], bomb))).rejects.toThrow('holds far more than a day');
  await expect(read(new File([zipSync({}) as Uint8Array<ArrayBuffer>], 'a.zip'))).rejects.toThrow(
    'This spreadsheet cannot be read.',
  );
});

it('takes the results of formulas, merged cells, and a time that is only a number', async () => {
  const rows = [
    row(1, text('A1', 'Day sheet of Friday')),
    row(2, text('A2', 'Dep'), text('B2', 'From'), text('C2', 'To'), text('D2', 'Ref')),
    row(
      3,
      `<c r="A3" s="1"><f>TIME(6,10,0)</f><v>${(6 * 60 + 10) / 1440}</v></c>`,
      text('B3', 'Leeds'),
      text('C3', 'Hull'),
      `<c r="D3" t="str"><f>"PC-"&amp;1</f><v>PC-1</v></c>`,
    ),
    row(4, number('A4', (7 * 60 + 30) / 1440), text('B4', 'Leeds'), text('C4', 'York')),
  ].join('');
  const merged = `${rows}<mergeCells count="1"><mergeCell ref="A1:D1"/></mergeCells>`;
  const sheet = readSheet(rowsOfText(await read(workbook([merged, row(1, text('A1', 'Vehicles'))]))), {
    day: '2026-11-27',
    remembered: {},
  });
  const jobs = sheet.rows.flatMap((one) => one.jobs.map((job) => `${job.leaves_local} ${job.trip}`));
  expect([...jobs, ...sheet.rows.flatMap(({ problem }) => problem ?? [])]).toEqual([
    '06:10 Leeds → Hull',
    '07:30 Leeds → York',
  ]);
});

it('reads text in the encodings that spreadsheets write, with a byte order mark or none', async () => {
  const words = 'Time,Trip\r\n06:10,Llŷn → Café “Nord”';
  const utf8 = new TextEncoder().encode(words);
  const wide = new Uint8Array([...words].flatMap((one) => [one.charCodeAt(0) & 255, one.charCodeAt(0) >> 8]));
  const bytes = {
    'UTF-8': utf8,
    'UTF-8 with a mark': new Uint8Array([0xef, 0xbb, 0xbf, ...utf8]),
    'UTF-16': new Uint8Array([0xff, 0xfe, ...wide]),
  };
  for (const [encoding, all] of Object.entries(bytes))
    expect(await read(new File([all], 'day.csv')), encoding).toBe(words);
  const windows = new Uint8Array([...'06:10,Caf'].map((one) => one.charCodeAt(0)).concat(0xe9, 0x20, 0x96));
  expect(await read(new File([windows], 'day.csv'))).toBe('06:10,Café –');
});

it('refuses files that are larger than 5 MB, empty, or older than .xlsx, in words', async () => {
  await expect(read(new File([], 'day.csv'))).rejects.toThrow('This file is empty.');
  const large = new File([new Uint8Array(5 * 1024 * 1024 + 1)], 'day.csv');
  await expect(read(large)).rejects.toThrow('This file is larger than 5 MB.');
  await expect(read(new File([new Uint8Array([0xd0, 0xcf, 1])], 'day.xls'))).rejects.toThrow(
    'This is an old .xls file.',
  );
});

it('takes the entries of a calendar that begin on the day, repeated ones too', async () => {
  const entry = (...lines: string[]) => ['BEGIN:VEVENT', ...lines, 'END:VEVENT'];
  const calendar = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:test',
    ...entry('UID:1', 'DTSTART:20261127T061000Z', 'DTEND:20261127T100000Z', 'SUMMARY:Leeds to Heathrow T5'),
    ...entry(
      'UID:2',
      'DTSTART:20261126T070000',
      'DTEND:20261126T080000',
      'SUMMARY:Leeds to York',
      'RRULE:FREQ=DAILY',
    ),
    ...entry('UID:3', 'DTSTART:20261128T070000', 'DTEND:20261128T080000', 'SUMMARY:Another day'),
    'END:VCALENDAR',
  ].join('\r\n');
  const lines = (await read(new File([calendar], 'day.ics'))).split('\n').map((line) => line.split('\t'));
  expect(lines.slice(1).map(([day, time, trip]) => `${day} ${time} ${trip}`)).toEqual([
    '2026-11-27 06:10 Leeds to Heathrow T5',
    '2026-11-27 07:00 Leeds to York',
    '2026-11-28 07:00 Another day', // for the page, which says that it is left out
  ]);
});

it('reads when an entry of another zone ends, and both entries of a series in a day of 25 hours', async () => {
  const calendar = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:test',
    'BEGIN:VEVENT',
    'DTSTART;TZID=America/New_York:20261024T210000',
    'DTEND;TZID=America/New_York:20261024T220000',
    'SUMMARY:Leeds to York',
    'END:VEVENT',
    'BEGIN:VEVENT',
    'DTSTART:20261020T233000Z',
    'DTEND:20261021T003000Z',
    'SUMMARY:Leeds to Hull',
    'RRULE:FREQ=DAILY',
    'END:VEVENT',
    'END:VCALENDAR',
  ].join('\r\n');
  const text = await sheetText(new File([calendar], 'day.ics'), '2026-10-25');
  expect(
    text
      .split('\n')
      .slice(1)
      .map((line) => line.split('\t').slice(0, 4).join(' ')),
  ).toEqual([
    '2026-10-25 01:00 Leeds to York 02:00',
    '2026-10-25 00:30 Leeds to Hull 01:30',
    '2026-10-25 23:30 Leeds to Hull 00:30',
  ]);
});

it('reads a series in its zone, if the file does not describe the zone as well', async () => {
  const series = (zone: string) =>
    [
      'BEGIN:VCALENDAR',
      'VERSION:2.0',
      'PRODID:test',
      'BEGIN:VEVENT',
      `DTSTART;TZID=${zone}:20261101T200000`,
      `DTEND;TZID=${zone}:20261101T210000`,
      'SUMMARY:Leeds to York',
      'RRULE:FREQ=DAILY',
      'END:VEVENT',
      'END:VCALENDAR',
    ].join('\r\n');
  const times = async (zone: string) => {
    const lines = (await sheetText(new File([series(zone)], 'day.ics'), '2026-11-27')).split('\n').slice(1);
    return lines.map((line) => line.split('\t').slice(0, 4).join(' '));
  };
  expect(await times('Europe/Paris')).toEqual(['2026-11-27 19:00 Leeds to York 20:00']);
  expect(await times('America/New_York')).toEqual(['2026-11-27 01:00 Leeds to York 02:00']);
  expect(await times('Europe/London')).toEqual(['2026-11-27 20:00 Leeds to York 21:00']);
  // This name is Windows' own. The page leaves the row out, and shows the words.
  expect((await times('Romance Standard Time'))[0]).toMatch(/^2026-11-27 20:00 in Romance Standard Time /);
});
