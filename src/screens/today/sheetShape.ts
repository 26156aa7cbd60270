/** Day sheets of another shape than a table with a job in each row: turned on their side, as forms, cell below cell. */
import { headingsOf, isHeading, type Meaning } from './headingWords.ts';
import {
  BACK_AT,
  endsOf,
  isFirstName,
  isGiven,
  LEADING,
  plateIn,
  share,
  timeIn,
  vehicleAlone,
} from './sheetCells.ts';
import type { JobRow } from './groupLines.ts';
import { type SheetRow } from './sheetText.ts';

/** Whether the headings are below each other and the jobs beside each other. */
export function isOnItsSide(all: readonly SheetRow[]): boolean {
  const heads = all.filter(({ cells }) => headingsOf(cells[0] ?? '').length > 0);
  const timed = heads.find(({ cells }) => headingsOf(cells[0]!).includes('time'));
  const times = timed?.cells.slice(1).filter(Boolean) ?? [];
  if (heads.length >= 3 && times.length > 1 && times.every((cell) => timeIn(cell) !== null)) return true;
  // Stops down the side, with the times of each journey beside them.
  const stops = all.filter(
    ({ cells: [name = '', ...beside] }) =>
      isStop(name) &&
      beside.length > 1 &&
      beside.every((cell) => cell === '' || timeIn(cell) !== null) &&
      beside.some(Boolean),
  );
  return stops.length > 1 && stops.length + heads.length >= all.length - 2;
}

const DASH = /^[-–—]$/;

export function turned(sheet: readonly SheetRow[]): SheetRow[] {
  const isTitle = ({ cells }: SheetRow) => cells.filter(Boolean).length === 1 && !isHeading(cells[0] ?? '');
  const titles = sheet.slice(
    0,
    Math.max(
      0,
      sheet.findIndex((row) => !isTitle(row)),
    ),
  );
  const all = sheet.slice(titles.length);
  const width = Math.max(0, ...all.map(({ cells }) => cells.length));
  const jobs = Array.from({ length: width }, (_, at) => ({
    line: at + 1,
    cells: all.map(({ cells }, row) => cells[at] || (at === 0 && row === 0 ? 'Job' : '')),
  }));
  return [...titles, ...jobs.filter(({ cells }) => cells.some(Boolean))];
}

/** "Hawick", "to", "Galashiels" in three cells become one cell. Below "From" and "To" only the word between them
 *  goes. All other cells stay below their headings. */
export function withoutJoints(sheet: readonly SheetRow[]): readonly SheetRow[] {
  const isOfEnds = ({ cells }: SheetRow) =>
    (['from', 'to'] as const).every((end) => cells.some((cell) => headingsOf(cell).includes(end)));
  const isNamed = sheet.some(isOfEnds);
  const freed = new Set<number>();
  // In a column that also has words, a dash says that there is nothing.
  const dash = sheet.map(({ cells }) => cells.findIndex((cell) => DASH.test(cell))).find((at) => at > 0);
  const isOfDashes =
    dash !== undefined &&
    sheet.some(({ cells }) => cells[dash + 1]) &&
    sheet.every(({ cells }) => !cells[dash + 1] || DASH.test(cells[dash]!) || cells.some(isHeading));
  const joint = isOfDashes ? /^(?:to|→|->|=>|>|[-–—])$/i : /^(?:to|→|->|=>|>)$/i;
  const rows = sheet.map(({ line, cells }) => {
    const at = cells.findIndex((cell) => joint.test(cell));
    const [from = '', mark = '', to = ''] = at < 1 ? [] : cells.slice(at - 1);
    const heads = cells.filter((cell, index) => index !== at && isHeading(cell)).length;
    // "Time, Begin, To, Vh" is above the jobs.
    const isHead =
      heads > 1 ||
      (!cells.some((cell) => timeIn(cell)) &&
        sheet.filter((row) => joint.test(row.cells[at] ?? '')).length < 2);
    if (!/\p{L}/u.test(from) || to === '' || isHeading(from) || isHead) return { line, cells };
    const ends = isNamed ? [from, '', to] : [`${from} ${mark} ${to}`, '', ''];
    for (const [index, end] of ends.entries()) if (end === '') freed.add(at - 1 + index);
    return { line, cells: cells.toSpliced(at - 1, 3, ...ends) };
  });
  const isKept = (at: number) => !freed.has(at) || rows.some(({ cells }) => cells[at]);
  return rows.map(({ line, cells }) => ({ line, cells: cells.filter((_, at) => isKept(at)) }));
}

/** Rows from cells that are below each other, as a phone copies a table: each row has as many lines as there are
 *  from one time to the next. Null when these numbers differ. */
export function stackedOf(sheet: readonly SheetRow[]): SheetRow[] | null {
  if (sheet.some(({ cells }) => cells.length > 1)) return null;
  const lines = sheet.map(({ cells }) => cells[0] ?? '');
  const headed = belowHeadings(sheet, lines);
  if (headed) return headed;
  const times = lines.flatMap((line, at) => (timeIn(line) ? at : []));
  const [first = 0, second = 0] = times;
  const width = second - first;
  // The time is the first cell of its row, unless cells before it belong to the row too.
  const start = (lines.length - first) % width === 0 ? first : 0;
  const isEven = times.every((at, index) => at === first + index * width);
  const isWhole = lines.length === start + times.length * width && first - start < width;
  if (times.length < 2 || width < 3 || !isEven || !isWhole) return null;
  const isHeaded = start >= width && lines.slice(start - width, start).every(isHeading);
  const top = isHeaded ? start - width : start;
  const below = sheet.slice(top).filter((_, at) => at % width === 0);
  return [
    ...sheet.slice(0, top),
    ...below.map(({ line }, index) => ({
      line,
      cells: lines.slice(top + index * width, top + (index + 1) * width),
    })),
  ];
}

/** The same below four or more headings, as from a PDF: each row has as many lines as there are headings. */
function belowHeadings(sheet: readonly SheetRow[], lines: readonly string[]): SheetRow[] | null {
  const top = lines.findIndex((_, at) => at + 4 < lines.length && lines.slice(at, at + 4).every(isHeading));
  const width = lines.slice(top).findIndex((line) => !isHeading(line));
  const time = lines.slice(top, top + width).findIndex((line) => headingsOf(line).includes('time'));
  if (top < 0 || width < 4 || time < 0) return null;
  const many = Math.floor((lines.length - top) / width);
  const rows = Array.from({ length: many }, (_, index) => ({
    line: sheet[top + index * width]!.line,
    cells: lines.slice(top + index * width, top + (index + 1) * width),
  }));
  const isWhole = many > 1 && rows.slice(1).every(({ cells }) => timeIn(cells[time]!) !== null);
  return isWhole ? [...sheet.slice(0, top), ...rows, ...sheet.slice(top + many * width)] : null;
}

/** Forms below each other, "Pick up: 07:00 Omagh", "Drop: Belfast", as rows below their labels; null when the sheet
 *  is a table. */
export function formsOf(sheet: readonly SheetRow[]): { rows: SheetRow[]; others: SheetRow[] } | null {
  const labels: string[] = ['Time'];
  let first: string | undefined;
  const rows: SheetRow[] = [];
  const others: SheetRow[] = [];
  // "Job 4501 | Time: 05:15 | From: Leeds | To: York": a whole form in one line.
  const lines = sheet.flatMap((row) => {
    // "*** JOB 20617 ***", "Pax: 2 / Cases: 4"
    const said = row.cells
      .flatMap((cell) =>
        cell.replaceAll(/^\*{1,9} ?| ?\*{1,9}$/g, '').split(/(?: ?\/| [-–]) (?=\p{Lu}\p{L}+: )/u),
      )
      .filter(Boolean);
    return said.filter(labelIn).length >= said.length * 0.7
      ? said.map((cell) => ({ line: row.line, cells: [cell] }))
      : [row];
  });
  for (const row of lines) {
    const [text = '', ...more] = row.cells.filter(Boolean);
    const [label, value] = labelIn(text) ?? [];
    if (more.length > 0 || label === undefined || value === undefined) {
      others.push(row);
      continue;
    }
    first ??= label;
    const columnOf = (name: string) => {
      const known = labels.indexOf(name);
      return known < 0 ? labels.push(name) - 1 : known;
    };
    const at = columnOf(label);
    if (label === first || rows.at(-1)!.cells[at] !== undefined) rows.push({ line: row.line, cells: [] });
    const cells = rows.at(-1)!.cells;
    // "Station Square at 0700"
    const [, place, end] = AT_END.exec(value) ?? [];
    const [, time, rest = value] = LEADING.exec(value) ?? [null, end, place];
    const clock = time !== undefined && timeIn(time) !== null ? time : null;
    const meant = headingsOf(label);
    const isFrom = meant.includes('from');
    if (clock === null) cells[at] = time === undefined ? value : rest;
    else if (meant.includes('arrives') || (meant.includes('to') && !isFrom)) {
      cells[columnOf('Arrives')] = clock;
      cells[columnOf(meant.includes('to') ? label : 'To')] = rest;
    } else if (meant.includes('time') && !isFrom) {
      cells[0] = clock;
      cells[columnOf('From')] = rest;
    } else if (isFrom || meant.includes('trip')) {
      cells[0] ??= clock;
      cells[at] = rest;
    } else cells[at] = value;
  }
  const meanings = labels.flatMap(headingsOf);
  // A job in the other lines would otherwise be lost.
  const isTimed = ({ cells }: SheetRow) => cells.some((cell) => timeIn(cell) !== null || LEADING.test(cell));
  if (rows.length < 2 || others.length > sheet.length / 2 || others.some(isTimed)) return null;
  if (!meanings.includes('from') || !meanings.includes('to')) return null;
  const whole = rows.map(({ line, cells }) => ({ line, cells: labels.map((_, at) => cells[at] ?? '') }));
  const isUsed = labels.map((_, at) => whole.some(({ cells }) => cells[at] !== ''));
  return {
    rows: [{ line: sheet[0]!.line, cells: labels }, ...whole].map(({ line, cells }) => ({
      line,
      cells: cells.filter((_, at) => isUsed[at]),
    })),
    others,
  };
}

const AT_END = /^(.+?),? (?:at|@) (\d{1,2}[:.]?\d{2}(?: ?[ap]m| ?hrs)?)$/i;

/** "Pick up: Omagh", "Job 4501": a heading and its value. */
function labelIn(text: string): [label: string, value: string] | null {
  const [, label = '', value = ''] =
    /^([^:\d]{2,30}): ?(.+)$/.exec(text) ??
    /^([^:.=\d]{1,29}[^:.=\d ]) ?(?:\.{2,}|=) ?([^.=].*)$/.exec(text) ??
    /^(job|booking|ref|ticket|docket|order)(?: no\.?)? #?([A-Z]{0,5}-?\d[\w/-]{0,20})$/i.exec(text) ??
    [];
  return isHeading(label) ? [label, value] : null;
}

/** "Ely", or "Bishop School", which is below no other heading. */
export const isStop = (name: string): boolean =>
  /\p{L}{3}/u.test(name) && headingsOf(name).every((meaning) => meaning === 'note');

const BETWEEN = / ?[/&+;] ?| [-–—] | ?\(|\)$/;
const halvesOf = (cell: string): string[] => cell.split(BETWEEN).filter(Boolean);
const PHONE = /(?:\+44 ?|\b0)\d(?:\d| (?=\d)){7,11}\d\b/;

/** The parts of a cell, as many as there are headings. */
interface Parts {
  heads: readonly string[];
  of: (cell: string) => readonly string[];
}

/** Makes two columns of each column whose cells hold two things: "Driver / Vehicle" over "Colin / WR70 AAX", "Time"
 *  over "05.20 (lands 04.45)". Without headings only a registration is clear. */
export function withPartsApart(
  rows: readonly JobRow[],
  headings: readonly string[] | null,
): { rows: readonly JobRow[]; headings: string[] | null; spread: (cells: readonly string[]) => string[] } {
  const width = Math.max(headings?.length ?? 0, ...rows.map(({ cells }) => cells.length));
  const parts = Array.from({ length: width }, (_, at) => {
    const cells = rows.map((row) => row.cells[at] ?? '').filter(isGiven);
    const heading = headings && (headings[at] ?? '');
    return cells.length < (heading === null ? 2 : 1)
      ? null
      : (inEachHeading(cells, heading) ??
          aroundPlate(cells, heading) ??
          (heading === null
            ? aroundVehicle(cells)
            : (ofStation(heading, headings!) ?? belowHeading(cells, heading))));
  });
  const apart = (cells: readonly string[], split: (one: Parts, cell: string) => readonly string[]) =>
    cells.flatMap((cell, at) => (parts[at] ? split(parts[at], cell) : [cell]));
  return {
    rows: rows.map((row) => ({ ...row, cells: apart(row.cells, ({ of }, cell) => of(cell)) })),
    headings: headings && apart(headings, ({ heads }) => heads),
    spread: (cells) => apart(cells, ({ heads }, cell) => heads.map((_, index) => (index === 0 ? cell : ''))),
  };
}

/** The words before and behind a part of a cell, without the signs beside it. */
const around = (cell: string, part: string): string => {
  const at = part === '' ? cell.length : cell.indexOf(part);
  const [before = '', behind = ''] = [cell.slice(0, at), cell.slice(at + part.length)].map((one) =>
    one.replace(/^[\s,;:/()[\]–-]{1,4}/, '').replace(/[\s,;:/([–-]{1,4}$/, ''),
  );
  return [before, behind].filter(Boolean).join(', ');
};

/** "Vehicle / Driver / Pax" over "YN21 ABC / Dave / 40": as many parts as headings, of which there are three or more. */
function inEachHeading(cells: readonly string[], heading: string | null): Parts | null {
  const partsOf = (cell: string) => cell.split(/ ?[/,&+;|] ?| [-–—] /).filter(Boolean);
  const heads = partsOf(heading ?? '');
  const meanings = new Set(heads.map((head) => headingsOf(head)[0]));
  const isEach = heads.length > 2 && meanings.size === heads.length && !meanings.has(undefined);
  return isEach && cells.every((cell) => partsOf(cell).length === heads.length)
    ? { heads, of: partsOf }
    : null;
}

/** "Hamza LT21 KKF", "1 - YN70 RBC": who or what stands beside a registration. */
function aroundPlate(cells: readonly string[], heading: string | null): Parts | null {
  const rests = cells.flatMap((cell) => {
    const rest = around(cell, plateIn(cell) ?? cell);
    return rest !== '' && endsOf(rest) === null && timeIn(rest) === null ? rest : [];
  });
  const names = rests.map((rest) => rest.replace(CALL_SIGN, ''));
  const hasSigns = heading !== null && rests.some((rest) => CALL_SIGN.test(rest));
  if (rests.length < cells.length * 0.6 || names.some((name) => name.split(' ').length > 3)) return null;
  const halves = halvesOf(heading ?? '');
  const isOf = (half: string, meaning: Meaning) => headingsOf(half).includes(meaning);
  const isOfNames = halves.some((half) => isOf(half, 'driver')) || share(names, isFirstName) >= 0.4;
  if (!isOfNames) return null;
  const vehicle = halves.find((half) => isOf(half, 'vehicle') && !isOf(half, 'driver')) ?? 'Vehicle';
  return {
    heads: [halves.find((half) => isOf(half, 'driver')) ?? 'Driver', vehicle, ...(hasSigns ? ['Notes'] : [])],
    of: (cell) => {
      const plate = plateIn(cell) ?? vehicleAlone(cell) ?? '';
      const who = around(cell, plate);
      const [sign = ''] = (hasSigns && CALL_SIGN.exec(who)) || [];
      const parts = plate === '' ? [cell, '', ''] : [who.slice(sign.length), plate, sign.trim()];
      return hasSigns ? parts : parts.slice(0, 2);
    },
  };
}

/** "D14 Dave" */
const CALL_SIGN = /^[A-Z]{0,2}\d{1,3} (?=\p{L})/u;

/** "Coach 4 / Dave / 38" without headings. */
function aroundVehicle(cells: readonly string[]): Parts | null {
  const halves = (cell: string) => cell.split(/ ?[/&+;] ?/);
  const many = halves(cells[0]!).length;
  const isOf = (cell: string) =>
    halves(cell).length === many && halves(cell).filter(vehicleAlone).length === 1;
  return many > 1 && cells.every(isOf) ? { heads: halves(cells[0]!).fill(''), of: halves } : null;
}

const STATION = /^(\p{Lu}.*) (dep|arr)\.?$/u;

/** "Chester dep" and "Chester arr" over times: the heading names the place as well. */
function ofStation(heading: string, headings: readonly string[]): Parts | null {
  const [, place = '', way] = STATION.exec(heading) ?? [];
  const isBoth = headings.some((one) => STATION.exec(one)?.[1] === place && one !== heading);
  if (!isBoth || isHeading(place)) return null;
  const heads = way === 'dep' ? ['Time', 'From'] : ['Arrives', 'To'];
  return { heads, of: (cell) => [cell, cell === '' ? '' : place] };
}

const phoneIn = (cell: string): string => PHONE.exec(cell)?.[0] ?? '';
const ENDS_OR_NOTES: readonly Meaning[] = ['from', 'to', 'trip', 'via', 'status', 'note'];
const SIGNS = [/ ?\/ ?/, / ?& ?/, / ?\+ ?/, / ?; ?/, / [-–—] /, / ?\(|\)$/];
/** "lands 04.45", "KO 1500": a time that is no time of the coach. */
const OF_OTHERS = /^(?:lands?|landing|flight|flt|k\.?o\.?|kick[ -]?off)\b/i;

function belowHeading(cells: readonly string[], heading: string): Parts | null {
  const halves = halvesOf(heading);
  const [one, other, ...more] = halves.map((half) => headingsOf(half)[0]);
  const isNamed = one !== undefined && other !== undefined && more.length === 0 && one !== other;
  // The sign of the heading parts its cells: in "St Mary's - Infants / 2345" the dash is part of a name.
  const sign = SIGNS.find((one) => one.test(heading));
  const partsOf = (cell: string) => (sign ? cell.split(sign).filter(Boolean) : [cell]);
  const isFirstAlone = (cell: string) => one === 'driver' && isFirstName(cell);
  const isEach = (of: (cell: string) => readonly string[]) =>
    !cells.every(isFirstAlone) &&
    cells.every((cell) => timeIn(cell) === null && (of(cell).length === 2 || isFirstAlone(cell)));
  const split = [partsOf, halvesOf].find(isEach);
  // The phone number beside a name stays in the note.
  const isPhone = share(cells, (cell) => phoneIn(cell) !== '' && around(cell, phoneIn(cell)) !== '') >= 0.6;
  if (isPhone && one && !ENDS_OR_NOTES.includes(one))
    return {
      heads: [one === 'none' ? 'Contact' : halves[0]!, 'Notes'],
      of: (cell) => [around(cell, phoneIn(cell)), phoneIn(cell)],
    };
  // "From / To" is a trip.
  const isOfEnds = [one, other].some((half) => half && half !== 'note' && ENDS_OR_NOTES.includes(half));
  if (isNamed && !isOfEnds && !/\bfl(?:igh)?t\b/i.test(heading) && split) {
    const isFirst = one === 'vehicle';
    return {
      heads: [halves[0]!, halves[1]!],
      of: (cell) => {
        const [first = '', second = ''] = split(cell);
        // A registration is the vehicle, whichever of the two the heading names first.
        const isTurned = isFirst
          ? !vehicleAlone(first) && vehicleAlone(second)
          : other === 'vehicle' && !vehicleAlone(second) && vehicleAlone(first);
        return isTurned ? [second, first] : [first, second];
      },
    };
  }
  const inBrackets = (cell: string) => /^(\S.*?) ?\(([^()]+)\)$/.exec(cell);
  const isBeside = (of: RegExp) => (cell: string) => {
    const [, first = '', second = ''] = inBrackets(cell) ?? [];
    return timeIn(cell) === null && timeIn(first) !== null && of.test(second);
  };
  const beside = (
    [
      ['Notes', OF_OTHERS],
      ['Return', BACK_AT],
    ] as const
  ).find(
    ([, of]) =>
      cells.some(isBeside(of)) && cells.every((cell) => inBrackets(cell) === null || isBeside(of)(cell)),
  );
  return beside
    ? {
        heads: [heading, beside[0]],
        of: (cell) => {
          const [, first = cell, second = ''] = inBrackets(cell) ?? [];
          return [first, second.replace(BACK_AT, '')];
        },
      }
    : null;
}
