import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  isSeveralRoutes,
  readTable,
  TABLE_ROWS_MAX,
  withoutRows,
} from '../../../../../src/screens/watches/making/routeTable.ts';

const rows = (text: string) =>
  readTable(text).map(({ name, way, departures, problem }) => [name, way, departures.join(' '), problem]);

describe('a table of routes', () => {
  it.each([
    [
      'a CSV with headings',
      'Name,Via,Departure\nLeeds to Hull,"M62 J29, M62 J38",06:10\nYork to Leeds,A64,7.15pm',
    ],
    [
      'a spreadsheet',
      'Name\tVia\tDeparture\nLeeds to Hull\tM62 J29, M62 J38\t06:10\nYork to Leeds\tA64\t19:15',
    ],
    [
      'a mark of the encoding, semicolons and empty rows',
      '\uFEFFroute;via;leaves\r\n\r\nLeeds to Hull;M62 J29, M62 J38;0610\r\nYork to Leeds;A64;1915\r\n;;\r\n',
    ],
    [
      'ends in columns of their own',
      'from,to,via,time\nLeeds,Hull,"M62 J29, M62 J38",6:10\nYork,Leeds,A64,7:15 pm',
    ],
    ['commas without headings', 'Leeds to Hull,"M62 J29, M62 J38",06:10\nYork to Leeds,A64,7.15pm\n'],
    ['semicolons without headings', 'Leeds to Hull; M62 J29, M62 J38; 06:10\r\nYork to Leeds; A64; 1915\r\n'],
    [
      'a line for each route that ends in its time',
      'Leeds, M62 J29, M62 J38, Hull, 06:10\nYork, A64, Leeds, 19:15',
    ],
    ['no headings', 'Leeds to Hull\tM62 J29, M62 J38\t06:10\nYork to Leeds\tA64\t19:15:00'],
  ])('%s', (_, text) => {
    expect(rows(text).map(([, ...rest]) => rest)).toEqual([
      ['Leeds, M62 J29, M62 J38, Hull', '06:10', null],
      ['York, A64, Leeds', '19:15', null],
    ]);
  });

  it('is also a line for each route', () => {
    expect(rows('Leeds, M62 J29, Hull\nYork to Leeds\n')).toEqual([
      ['', 'Leeds, M62 J29, Hull', '', null],
      ['', 'York to Leeds', '', null],
    ]);
  });

  it.each([
    ['a table', 'name,via\nA to B,"M62\nM1"\n\nC to D,A64\nE to F,M1\n', 'name,via\n\nC to D,A64'],
    ['a table of Windows', 'name,via\r\nA to B,M62\r\nC to D,A64\r\nE to F,M1\r\n', 'name,via\nC to D,A64'],
    ['a line for each route', 'A, M62, B\n\nC, A64, D\nE, M1, F', '\nC, A64, D'],
  ])('without some rows has the others as they were: %s', (_, text, left) => {
    const [first, second, third] = readTable(text).map(({ line }) => line);
    expect(withoutRows(text, new Set([first!, third!])).trimEnd()).toBe(left);
    expect(rows(withoutRows(text, new Set([second!])))).toEqual([rows(text)[0], rows(text)[2]]);
  });

  it('says which row has no way, and which time is invalid', () => {
    expect(rows('name,via,departure\nLeeds to Hull,M62,TBC\n,,06:10')).toEqual([
      ['Leeds to Hull', 'Leeds, M62, Hull', '', 'Row 2: “TBC” is no time of day.'],
      ['', '', '06:10', 'Row 3: no way is given.'],
    ]);
  });

  it('has several departures in one cell, each once and in order', () => {
    expect(rows('name,via,departure\nA to B,M1,"14:30, 06:10 / 06:10"')).toEqual([
      ['A to B', 'A, M1, B', '06:10 14:30', null],
    ]);
    expect(rows('name,via,departure\nA to B,M1,12am\nA to B,M1,12:05 pm')).toMatchObject([
      ['A to B', 'A, M1, B', '00:00', null],
      ['A to B', 'A, M1, B', '12:05', null],
    ]);
  });

  it.each([
    ['6', null],
    ['24:10', null],
    ['13pm', null],
    ['0:30', '00:30'],
    ['615', '06:15'],
    ['19:15:00', '19:15'],
    ['0610hrs', '06:10'],
    ['7 PM', '19:00'],
    ['06:10 14:30', '06:10 14:30'],
  ])('the departure %s is %s', (said, read) => {
    const [row] = rows(`name,via,departure\nA to B,M1,${said}`);
    expect(row![3] === null ? row![2] : null).toBe(read);
  });

  it('has at most so many rows, and closed quotes', () => {
    expect(() => readTable('A to B\n'.repeat(TABLE_ROWS_MAX + 1))).toThrow(
      'A table may have 100 rows. This has 101.',
    );
    expect(() => readTable('name,via\n"A to B,M1\nC,M2')).toThrow('a quotation mark');
    expect(() => readTable('x'.repeat(300_000))).toThrow('larger than 256 KB');
  });

  it('is read from any text, or refused in words', () => {
    const cell = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.constantFrom('"', '\t', ';', 'Name', '06:10', '=1+1'),
    );
    fc.assert(
      fc.property(
        fc.array(cell, { maxLength: 30 }).map((cells) => cells.join(',')),
        (text) => {
          try {
            for (const { departures } of readTable(text))
              for (const time of departures) expect(time).toMatch(/^(?:[01]\d|2[0-3]):[0-5]\d$/);
          } catch (error) {
            expect((error as Error).message).toMatch(/^(?:This table|A table)/);
          }
        },
      ),
    );
  });
});

it.each([
  ['Leeds, M62 J26, Hull\nYork, A64, Leeds\nHull, A63, Leeds', true],
  ['name,via,departure\nLeeds to Hull,M62,06:10', true],
  ['Leeds\nM62 J26\nHull', false],
  ['Leeds, M62 J26,\nM62 J29\nHull', false],
  ['Leeds, M62, Hull', false],
])('%j is several routes: %s', (text, is) => {
  expect(isSeveralRoutes(text)).toBe(is);
});
