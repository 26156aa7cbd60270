import { strToU8, zipSync, type Zippable } from 'fflate';
import { expect, it } from 'vitest';
import { rowsOfText } from '../../../../src/screens/today/sheetText.ts';
import { sheetText } from '../../../../src/screens/today/sheetFile.ts';

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006/relationships';

/** The least that a spreadsheet program needs. Style 1 is a time of day, 2 a date, 3 both. */
function workbook(sheets: string[], more: Zippable = {}, merged: string[] = []): File {
  const parts: Record<string, string> = {
    '[Content_Types].xml': `${XML}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>`,
    '_rels/.rels': `${XML}<Relationships xmlns="${PACKAGE}"><Relationship Id="rId1" Type="${OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    'xl/workbook.xml': `${XML}<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets>${sheets
      .map((_, at) => `<sheet name="Sheet ${at + 1}" sheetId="${at + 1}" r:id="rId${at + 1}"/>`)
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
        `${XML}<worksheet xmlns="${MAIN}"><sheetData>${rows}</sheetData>${merged.map((ref) => `<mergeCell ref="${ref}"/>`).join('')}</worksheet>`,
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

it('gives merged cells to all their rows, a heading to both its columns, and a title to one cell', async () => {
  const rows = [
    row(1, text('A1', 'Work for today')),
    row(2, text('A2', 'Driver'), text('B2', 'Time'), text('C2', 'Journey')),
    row(3, text('A3', 'Sam'), text('B3', '06:10'), text('C3', 'Ripon'), text('D3', 'Hull')),
    row(4, text('B4', '07:10'), text('C4', 'Hull'), text('D4', 'Ripon')),
  ].join('');
  const file = workbook([rows], {}, ['A1:D1', 'A3:A4', 'C2:D2', 'A5:A1048576']);
  expect((await read(file)).split('\n')).toEqual([
    'Work for today\t\t\t',
    'Driver\tTime\tJourney\tJourney',
    'Sam\t06:10\tRipon\tHull',
    'Sam\t07:10\tHull\tRipon',
  ]);
});

it('reads the sheet that has the jobs, and names the others', async () => {
  const fleet =
    row(1, text('A1', 'Reg'), text('B1', 'Seats')) + row(2, text('A2', 'YN21 ABC'), number('B2', 53));
  const jobs =
    row(1, text('A1', 'Time'), text('B1', 'From'), text('C1', 'To')) +
    row(2, number('A2', 6.1), text('B2', 'Ripon'), text('C2', 'Hull'));
  expect((await read(workbook([fleet, jobs]))).split('\n')).toEqual([
    'Sheet 2',
    'Time\tFrom\tTo',
    '6.1\tRipon\tHull',
    'Not read: the other sheets of this file, “Sheet 1”',
  ]);
});

it('refuses a workbook for its long sheet only if no other sheet has jobs', async () => {
  const trip = (at: number) =>
    row(at, text(`A${at}`, '06:10'), text(`B${at}`, 'Ripon'), text(`C${at}`, 'Hull'));
  const long = Array.from({ length: 1501 }, (_, at) => trip(at + 1)).join('');
  const notRead = 'Not read: the other sheets of this file, “Sheet 1”';
  expect(await read(workbook([long, trip(1) + trip(2)]))).toBe(
    `Sheet 2\n06:10\tRipon\tHull\n06:10\tRipon\tHull\n${notRead}`,
  );
  const onlyLong = await read(workbook([row(1, text('A1', 'Vehicles')), long]));
  expect(() => rowsOfText(onlyLong)).toThrow('and 1,500 can be read');
});

const calendar = (...events: string[][]) =>
  new File(
    [
      [
        'BEGIN:VCALENDAR',
        'VERSION:2.0',
        ...events.flatMap((lines, at) => ['BEGIN:VEVENT', `UID:${at}@x`, ...lines, 'END:VEVENT']),
        'END:VCALENDAR',
      ].join('\r\n'),
    ],
    'day.ics',
  );

it('has the entries of a calendar in London’s time, cancelled and whole-day ones too', async () => {
  const file = calendar(
    [
      'DTSTART;TZID=Europe/London:20261127T061000',
      'DTEND;TZID=Europe/London:20261127T081000',
      'SUMMARY:Ripon to Hull',
    ],
    ['DTSTART:20261127T171500Z', 'SUMMARY:Hull to Ripon'],
    ['DTSTART;TZID=America/New_York:20261127T150000', 'SUMMARY:York to Hull'],
    ['DTSTART;TZID=Mars/Olympus:20261127T150000', 'SUMMARY:York to Leeds'],
    ['DTSTART:20261127T120000', 'STATUS:CANCELLED', 'SUMMARY:Hull to York'],
    ['DTSTART;VALUE=DATE:20261127', 'SUMMARY:Sam on holiday'],
    ['DTSTART:20261128T053000', 'SUMMARY:Leeds to York'],
    ['DTSTART:20260713T090000', 'SUMMARY:Leeds to Ripon'],
    ['DTSTART:20261106T074500', 'RRULE:FREQ=WEEKLY;BYDAY=FR', 'SUMMARY:Ripon to School'],
  );
  expect((await read(file)).split('\n').map((line) => line.split('\t').slice(0, 6).join('|'))).toEqual([
    'Date|Time|Trip|Arrives|Place|Status',
    '2026-11-27|06:10|Ripon to Hull|08:10||',
    '2026-11-27|17:15|Hull to Ripon|||',
    '2026-11-27|20:00|York to Hull|||',
    '2026-11-27|15:00 in Mars/Olympus|York to Leeds|||',
    '2026-11-27|12:00|Hull to York|||CANCELLED',
    '2026-11-27|all day|Sam on holiday|||',
    '2026-11-28|05:30|Leeds to York|||',
    '2026-11-27|07:45|Ripon to School|||',
    'Not read: 1 entry of other weeks',
  ]);
});
