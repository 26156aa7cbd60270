import { strToU8, zipSync, type Zippable } from 'fflate';
import { expect, it } from 'vitest';
import { sheetText } from '../../../../src/screens/today/sheetFile.ts';

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006/relationships';

/** As little as a spreadsheet program needs. Style 1 is a time of day, 2 a date, 3 both. */
function workbook(sheets: string[], more: Zippable = {}): File {
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
        `${XML}<worksheet xmlns="${MAIN}"><sheetData>${rows}</sheetData></worksheet>`,
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

it('reads the first sheet that has rows: words, figures, times, dates and both, with what is empty between them', async () => {
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

it('says in words what is no spreadsheet, is empty, or holds far more than a day', async () => {
  const torn = new File(['PK\u0003\u0004 and then nothing'], 'day.xlsx');
  await expect(read(torn)).rejects.toThrow('This spreadsheet cannot be read.');
  await expect(read(workbook(['']))).rejects.toThrow('This spreadsheet has no rows.');
  const bomb = { 'xl/worksheets/sheet1.xml': new Uint8Array(4_000_000) };
  await expect(read(workbook([''], bomb))).rejects.toThrow('holds far more than a day');
  await expect(read(new File([zipSync({}) as Uint8Array<ArrayBuffer>], 'a.zip'))).rejects.toThrow(
    'This spreadsheet cannot be read.',
  );
});
