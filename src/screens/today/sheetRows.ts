/** The rows of a day sheet that may be jobs: without titles, totals and repeated headings, and with values that they
 *  take from lines above. */
import {
  aboutOf,
  type GroupLine,
  halfOf,
  type JobRow,
  NAME,
  NOBODY,
  pairOf,
  SIGN_ON,
  WORK,
} from './groupLines.ts';
import {
  headingsOf,
  isHeading,
  isMeaning,
  isOfAnyCrew,
  isOfPassengers,
  type Meaning,
} from './headingWords.ts';
import { timesBefore, withCrewApart, withTailsApart } from './listLines.ts';
import {
  clockColumn,
  dayIn,
  dayOfHeading,
  daysWithin,
  endsOf,
  hasPlate,
  isDitto,
  isFirstName,
  isGiven,
  isOfTimes,
  isOpen,
  isVehicle,
  LEADING,
  namesBeside,
  share,
  timeIn,
  vehicleAlone,
} from './sheetCells.ts';
import { type SheetRow } from './sheetText.ts';
import {
  formsOf,
  isOnItsSide,
  isStop,
  stackedOf,
  turned,
  withoutJoints,
  withPartsApart,
} from './sheetShape.ts';

interface SheetRows {
  headings: readonly string[] | null;
  width: number;
  rows: readonly JobRow[];
  /** The lines above the headings. */
  titles: SheetRow[];
  /** Titles, totals, and lines between groups. */
  passedOver: SheetRow[];
  /** True: each job was a column. */
  isTurned: boolean;
  /** True: names beside the trips were taken for drivers. */
  hasNamesApart: boolean;
  /** The days whose columns are not used. */
  otherDays: string[];
}

export function sheetRows(
  sheet: readonly SheetRow[],
  { day, remembered }: { day: string; remembered: Readonly<Record<string, string>> },
): SheetRows {
  const isTurned = isOnItsSide(sheet);
  const forms = isTurned ? null : formsOf(sheet);
  const all = withHalves(
    forms?.rows ?? (isTurned ? turned(sheet) : (stackedOf(sheet) ?? withoutJoints(sheet))),
  );
  const first = headingRow(all, { day, remembered });
  // "Time, From, To, Time, From, To" below "Out" and "Return" says more.
  const top = first >= 0 && isOfTrips(all[first + 1]?.cells ?? []) ? first + 1 : first;
  // The line directly above the headings may belong to the first group.
  const above = all[top - 1]?.cells.filter(Boolean) ?? [];
  const isGrouped = Object.keys(aboutOf(above, all[top]?.cells ?? null)).length > 0;
  const titles = all.slice(0, Math.max(0, isGrouped ? top - 1 : top));
  const below = top >= 0 ? endsBelow(all[top + 1]?.cells ?? []) : null;
  const ways = top > 0 ? all[top - 1]!.cells : [];
  const whole = top >= 0 && below === null ? inTwoLines(all[top]!.cells, all[top + 1]?.cells ?? []) : null;
  const over =
    top >= 0 ? withWays(whole ?? all[top]!.cells, ways).map((cell, at) => below?.[at] || cell) : null;
  for (const [at, cell] of (below ?? []).entries()) if (over && cell) over[at] = cell;
  const { rows: under, headings: ordered } = inOneOrder(all.slice(top + (below || whole ? 2 : 1)), over);
  const grid = gridOf(under, ordered, ways, day);
  const { rows: counted, passedOver } = withoutTotals(
    isGrouped ? [all[top - 1]!, ...under] : under,
    over,
    day,
  );
  const body = withHalvesAbove(
    withDashesApart(withHalfAbove(withDayAbove(counted, titles, day), titles), ordered ?? []),
    whole === null ? ways : all[top]!.cells,
  );
  const joined = withTownsJoined(withoutDittos(body), ordered);
  const dropped = withDropsJoined(joined);
  const summed = withPartiesSummed(dropped.rows, dropped.headings);
  const week = withDaysApart(summed.rows, summed.headings, day);
  const { rows, headings, spread: inParts } = withPartsApart(week.rows, week.headings);
  const { rows: spread, headings: heads } = withStopsDown(rows, headings);
  const clocked = withClocks(withEachTime(spread, heads), heads);
  const timed = withTimesApart(clocked, heads);
  const named = withLabels(withMerged(timed.rows, timed.headings), timed.headings);
  const { rows: full } = named;
  const lines = grid === null ? timesBefore(full, named.headings) : null;
  const split = grid ?? (lines && withCrewApart(withTailsApart(lines.rows)));
  const ready = withNamesApart(split ?? full, split === null ? named.headings : null);
  return {
    headings: ready.headings,
    width: Math.max(ready.headings?.length ?? 0, ...ready.rows.map(({ cells }) => cells.length)),
    rows: ready.rows,
    titles: titles.map(({ line, cells }) => ({ line, cells: inParts(cells) })),
    passedOver: [...titles, ...(grid ? [] : passedOver), ...(forms?.others ?? []), ...(lines?.others ?? [])],
    isTurned,
    hasNamesApart: ready.rows !== (split ?? full),
    otherDays: week.otherDays,
  };
}

/** The row of headings among the first rows; -1 when there is none. */
function headingRow(
  all: readonly SheetRow[],
  { day, remembered }: { day: string; remembered: Readonly<Record<string, string>> },
): number {
  const known = (cell: string) =>
    isHeading(cell) ||
    (Object.hasOwn(remembered, cell.toLowerCase()) && isMeaning(remembered[cell.toLowerCase()]!));
  /** A heading that only says "time", with times below it. */
  const isOverTimes = (cells: readonly string[], top: number) =>
    cells.some(
      (cell, at) =>
        headingsOf(cell).includes('time') &&
        all.slice(top + 1, top + 6).filter((row) => timeIn(row.cells[at] ?? '')).length >= 3,
    );
  const isNamed = ({ cells }: SheetRow, top: number) => {
    const said = cells.filter((cell) => cell !== '');
    if (said.length < 2 || said.some((cell) => timeIn(cell) !== null)) return false;
    // "Time, F, T, D"
    if (said.length > 2 && said.every((cell) => known(cell) || /^\p{L}{1,2}$/u.test(cell))) return true;
    const found = said.filter(known).length;
    // "NEIL (Coach 4)", "JANICE (Coach 6)": a column for each driver.
    const ofDrivers = said.filter((cell) => Object.keys(pairOf(cell)).length > 0);
    // A column for each day.
    const days = said.filter((cell) => dayIn(cell, day) !== null).length;
    if (days >= Math.max(2, said.length - 1) || (days > 2 && days + found === said.length)) return true;
    if (ofDrivers.filter((cell) => Object.keys(pairOf(cell)).length === 2).length >= 2) return true;
    const others = said.filter((cell) => !ofDrivers.includes(cell) && dayIn(cell, day) === null);
    if (
      ofDrivers.length >= 2 &&
      (others.length < 2 || (found === 0 && others.every((cell) => NAME.test(cell))))
    )
      return true;
    const hasFigures = said.some((cell) => /\d{2}/.test(cell));
    if (found >= 2) return found >= said.length / 3 || !hasFigures;
    const isOverStops = found > 0 && stopColumns(cells, all.slice(top + 1, top + 6)).length >= 2;
    return said.length > 2 && !hasFigures && (isOverTimes(cells, top) || isOverStops);
  };
  const named = all.slice(0, 12).flatMap((row, top) => (isNamed(row, top) ? top : []));
  // Headings of a list beside the jobs may stand higher than those of the jobs.
  const isOfJobs = (top: number) =>
    all[top]!.cells.some((cell) =>
      headingsOf(cell).some((one) => ['time', 'from', 'to', 'trip'].includes(one)),
    );
  if (named.length > 0) return isOfJobs(named[0]!) ? named[0]! : (named.find(isOfJobs) ?? named[0]!);
  return -1;
}

const TOTAL =
  /^(?:sub ?-?|grand )?totals?\b|\btotals?:?$|^end(?: of (?:sheet|day|list))?$|^page \d|^printed\b|^(?:sum|count)$|^not read:|^[-=_–—]{3,}$/i;

/** "then 0850 Libanus" below a pick-up: the same trip stops there too. */
const FURTHER = /^(?:then|also|and|&|\+|plus) (?:at )?(?:(\d{1,2})[:.]?(\d{2}) )?(\p{Lu}.*)$/u;

/** Removes lines that are not jobs: totals, and headings of groups such as "SCHOOLS" or a day. */
function withoutTotals(
  body: readonly SheetRow[],
  headings: readonly string[] | null,
  day: string,
): { rows: JobRow[]; passedOver: SheetRow[] } {
  const timed = body.filter(({ cells }) => cells.some((cell) => timeIn(cell) !== null));
  const usual = (timed.length > 0 ? timed : body)
    .map(({ cells }) => cells.filter(Boolean).length)
    .toSorted((a, b) => a - b);
  const middle = usual[Math.floor(usual.length / 2)] ?? 0;
  const again = headings?.filter(Boolean).join('\t').toLowerCase();
  const rows: JobRow[] = [];
  const passedOver: SheetRow[] = [];
  let group = NOBODY;
  let always = NOBODY;
  let isByDriver = false;
  const last = body.findLastIndex(({ cells }) =>
    cells.some((cell) => timeIn(cell) !== null || LEADING.test(cell)),
  );
  const below = body.findIndex(
    ({ cells }, index) =>
      index > last &&
      body.length - index > 2 &&
      cells.filter(Boolean).length > 2 &&
      !/\d/.test(cells.join('')),
  );
  let isOther = false;
  for (const [index, row] of body.entries()) {
    const said = row.cells.filter(Boolean);
    const isAgain =
      said.length > 2 && (said.every((cell) => isHeading(cell)) || said.join('\t').toLowerCase() === again);
    // This begins another table below the jobs: the fleet, or a list of people on and off duty with times of its own.
    isOther = (isOther && !isAgain) || (headings !== null && rows.length > 0 && isOfOthers(said));
    if (isOther || (last >= 0 && below >= 0 && index >= below)) {
      passedOver.push(row);
      continue;
    }
    const [alone = ''] = said;
    const isTimed = said.some((cell) => timeIn(cell));
    const isSums = said.length < 4 && said.every((cell) => /^[\d ,.£]+$/.test(cell)) && rows.length > 0;
    const isAlone = said.length === 1 && !isTimed;
    const isSignOn = isAlone && alone.replace(SIGN_ON, '') === '';
    const isTotal = !isTimed && (isSums || isSignOn || said.some((cell) => TOTAL.test(cell)));
    const dayAlone = isAlone ? (dayIn(alone, day) ?? daysWithin(alone, day)[0]) : undefined;
    const further = isAlone && rows.length > 0 ? FURTHER.exec(alone) : null;
    const above = further === null ? undefined : rows.at(-1)!.cells;
    const place = row.cells.indexOf(alone);
    if (further && above?.[place] && timeIn(above[place]) === null) {
      const [, hour, minute, stop = ''] = further;
      const cell = above[place] + (hour ? `; ${hour}:${minute} ${stop}` : ` / ${stop}`);
      rows.push({ ...rows.pop()!, cells: above.with(place, cell) });
      continue;
    }
    const labels = aboutOf(said, headings);
    if (isAlone && isByDriver && / /.test(alone) && NAME.test(alone) && !WORK.test(alone))
      labels.driver = alone;
    isByDriver ||= isAlone && /^drivers?\b[^:]*$/i.test(alone) && headings === null;
    const isGroup =
      (isAlone &&
        (middle > 2 ||
          halfOf(alone).half !== undefined ||
          (isByDriver && !LEADING.test(alone)) ||
          dayAlone !== undefined)) ||
      Object.keys(labels).length > 0;
    if (!isTotal && isGroup) {
      const named = dayAlone ?? daysWithin(row.cells.join(' '), day)[0];
      // A driver who is named above the first day drives on all days.
      const isDay = named !== undefined && Object.keys(labels).length === 0;
      const isFirst = !rows.some(({ cells }) => cells.some((cell) => timeIn(cell) || LEADING.test(cell)));
      if (isDay && isFirst) always = group;
      const { vehicle, driver, people, ref } = isDay ? always : NOBODY;
      group = {
        day: named ?? group.day,
        vehicle,
        driver,
        ...(people === undefined ? {} : { people }),
        ...(ref === undefined ? {} : { ref }),
        ...halfOf(alone),
        ...labels,
      };
    }
    if (isTotal || isGroup || isAgain) passedOver.push(row);
    else rows.push({ ...row, group });
  }
  return { rows, passedOver };
}

/** Puts rows below other headings into the columns of the first ones: "Time, From, To, Vehicle" below "Time, From,
 *  To, Driver". Columns that the first headings do not have come after them. */
function inOneOrder(
  rows: readonly SheetRow[],
  headings: readonly string[] | null,
): { rows: readonly SheetRow[]; headings: string[] | null } {
  const all = [...(headings ?? [])];
  const lower = (cells: readonly string[]) => cells.filter(Boolean).join('\t').toLowerCase();
  /** The column of each cell; null: the same as below the first headings. */
  let places: number[] | null = null;
  const first = rows.findIndex(({ cells }) => cells.some((cell) => timeIn(cell) !== null));
  const ordered = rows.map((row, index) => {
    // If the headings are in two lines, there is no job between them.
    if (headings !== null && first >= 0 && index > first && isOfTrips(row.cells)) {
      const taken = new Set<number>();
      places = row.cells.map((cell) => {
        const known =
          cell === '' ? -1 : all.findIndex((one, at) => !taken.has(at) && isSameColumn(one, cell));
        // A column that is empty so far takes the heading.
        const empty = all.findIndex((one, at) => !one && !rows.slice(0, index).some((row) => row.cells[at]));
        const free = empty < 0 ? all.length : empty;
        const at = cell === '' || known >= 0 ? known : free;
        if (at === free && cell !== '') all[free] = cell;
        taken.add(at);
        return at;
      });
      if (lower(row.cells) === lower(headings)) places = null;
      return row;
    }
    if (places === null) return row;
    const cells = all.map((_, at) => row.cells[places!.indexOf(at)] ?? '');
    const others = row.cells.filter((cell, at) => cell !== '' && (places![at] ?? -1) < 0);
    return { ...row, cells: [...cells, ...others] };
  });
  return { rows: ordered, headings: headings && all };
}

const isSameColumn = (one: string, other: string): boolean => {
  const [meaning] = headingsOf(one);
  const isPlain = meaning !== undefined && meaning !== 'note' && meaning !== 'none';
  return one.toLowerCase() === other.toLowerCase() || (isPlain && headingsOf(other)[0] === meaning);
};

/** Whether the cells are only headings, with headings for the start or end of a trip. */
const isOfTrips = (cells: readonly string[]): boolean => {
  const said = cells.filter(Boolean);
  return said.length > 2 && said.every(isHeading) && said.some(isOfEnd);
};

const isOfEnd = (cell: string): boolean =>
  headingsOf(cell).some((one) => one === 'from' || one === 'to' || one === 'trip');

/** "EVENING WORK" above the headings counts for the rows above the next such line. */
function withHalfAbove(rows: readonly JobRow[], titles: readonly SheetRow[]): readonly JobRow[] {
  const alone = titles.flatMap(({ cells }) => (cells.filter(Boolean).length === 1 ? cells.join('') : []));
  const half = alone.map((title) => halfOf(title).half).find((one) => one !== undefined);
  const next = rows.findIndex(({ group }) => group.half !== undefined);
  return half === undefined
    ? rows
    : rows.map((row, at) => (next < 0 || at < next ? { ...row, group: { ...row.group, half } } : row));
}

/** If lines below give other days, the day above the headings counts only for the first rows. */
function withDayAbove(rows: readonly JobRow[], titles: readonly SheetRow[], day: string): readonly JobRow[] {
  const [above, ...more] = titles.flatMap(({ cells }) => cells.flatMap((cell) => daysWithin(cell, day)));
  if (above === undefined || more.length > 0 || rows.every(({ group }) => group.day === null)) return rows;
  return rows.map((row) => ({ ...row, group: { ...row.group, day: row.group.day ?? above } }));
}

const HALF = /^[ap]\.?m\.?$/i;

/** Joins "am" or "pm" in a column of its own with the time before it; "PM" beside 13:30 says nothing more, and "AM"
 *  makes it no time. */
function withHalves(all: readonly SheetRow[]): readonly SheetRow[] {
  const joined = ({ cells }: SheetRow, at: number) => {
    const [time = '', half = ''] = at < 1 ? [] : [cells[at - 1], cells[at]];
    const local = /^\d/.test(time) ? timeIn(time)?.local : undefined; // "Midday" beside "PM" is a heading
    if (!HALF.test(half) || local === undefined) return null;
    const isOfDay = /^p/i.test(half) ? local >= '13:00' : local < '01:00';
    return isOfDay ? time : `${time} ${half}`;
  };
  const first = all.findIndex((row) => row.cells.some((_, one) => joined(row, one) !== null));
  if (first < 0) return all;
  const at = all[first]!.cells.findIndex((_, one) => joined(all[first]!, one) !== null);
  const isBehind = ({ cells }: SheetRow) => cells.slice(at + 1).some(Boolean);
  const isHead = (row: SheetRow) => row.cells.slice(at + 1).some(isHeading);
  const isOther = (row: SheetRow) => joined(row, at) === null && !isHead(row) && row.cells[at];
  // A row that has something else there would lose it, or be out of line.
  if (all.some((row, index) => index > first && isOther(row) && isBehind(row))) return all;
  const whole = all.map((row) => {
    const time = joined(row, at);
    if (isOther(row)) return row;
    return {
      line: row.line,
      cells: time === null ? row.cells.toSpliced(at, 1) : row.cells.toSpliced(at - 1, 2, time),
    };
  });
  return withHalves(whole);
}

/** "3.15" below "PM", beside a table below "AM", is in the afternoon. */
function withHalvesAbove(rows: readonly JobRow[], above: readonly string[]): readonly JobRow[] {
  const halves = above.map((cell) => halfOf(cell).half);
  const isAfter = (at: number) => (halves.findLast((half, one) => one <= at && half) ?? 'am') !== 'am';
  const isOfDay = rows.some(({ cells }) =>
    cells.some((cell, at) => isAfter(at) && (timeIn(cell)?.local ?? '') >= '13:00'),
  );
  if (isOfDay || halves.filter(Boolean).length < 2) return rows;
  const inFull = (cell: string, at: number) =>
    isAfter(at) && /^(?:[1-9]|1[01])[:.]\d\d$/.test(cell) ? `${cell}pm` : cell;
  return rows.map((row) => ({ ...row, cells: row.cells.map(inFull) }));
}

const WAY_OUT = /^(?:mornings?|a\.?m\.?|out(?:ward|bound)?|to (?:school|work))$/i;

const WAY_BACK =
  /^(?:afternoons?|evenings?|p\.?m\.?|home(?:ward)?|back|return|inbound|inward|from (?:school|work))$/i;

/** "Dep, Arr, Dep, Arr" below "MORNING" and "AFTERNOON": if the second trip has the same headings as the first, they
 *  become those of the way back, unless it has ends of its own. */
function withWays(headings: readonly string[], above: readonly string[]): readonly string[] {
  const out = above.findIndex((cell) => WAY_OUT.test(cell));
  const back = above.findIndex((cell) => WAY_BACK.test(cell));
  const isAgain = (cell: string) => cell !== '' && headings.slice(0, back).includes(cell);
  if (out < 0 || back <= out || headings.slice(back).some((cell) => isAgain(cell) && isOfEnd(cell)))
    return headings;
  return headings.map((cell, at) => (at >= back && isAgain(cell) ? `Return ${cell.toLowerCase()}` : cell));
}

/** Headings that no trip has: "DRIVERS", "ON", "OFF", "STATUS". */
function isOfOthers(said: readonly string[]): boolean {
  const known = said.filter(isHeading).length;
  return said.length > 2 && known >= said.length * 0.75 && !said.some(isOfEnd) && !/\d/.test(said.join(''));
}

function withoutDittos(rows: readonly JobRow[]): JobRow[] {
  let above: readonly string[] = [];
  return rows.map((row) => {
    const cells = row.cells.map((cell, at) => (isDitto(cell) ? (above[at] ?? '') : cell));
    above = cells;
    return { ...row, cells };
  });
}

/** "Pick up" over "time", "No. of" over "passengers"; null unless at least half of the second line completes the
 *  headings above it: else it is the first job. */
function inTwoLines(upper: readonly string[], lower: readonly string[]): string[] | null {
  const said = lower.filter(Boolean);
  const isUnit = (cell: string) => /^\(.*\)$/.test(cell);
  if (
    said.some((cell) => !isUnit(cell) && /\d/.test(cell)) ||
    said.length < upper.filter(Boolean).length * 0.6
  )
    return null;
  const whole = upper.map((cell, at) => `${cell} ${lower[at] ?? ''}`.trim());
  const completes = (cell: string, at: number) =>
    cell !== '' &&
    endsOf(cell) === null &&
    isHeading(whole[at] ?? '') &&
    (isHeading(cell) || isUnit(cell) || !isHeading(upper[at]!));
  return lower.filter(completes).length >= said.length / 2 ? whole : null;
}

/** "From" and "To" below a "Journey" over both; null when the row is anything else. */
const endsBelow = (cells: readonly string[]): readonly string[] | null =>
  cells.filter(Boolean).length === 2 &&
  ['from', 'to'].every((end) => cells.some((cell) => headingsOf(cell).some((meaning) => meaning === end)))
    ? cells
    : null;

const LABELS: readonly [heading: string, label: RegExp][] = [
  ['Driver', /^(?:drv|driver)[ .:]+(?=\S)/i],
  ['Dep', /^d(?:ep)?[ .:]+(?=\d)/i],
  ['Return', /^r(?:e?tn?)?[ .:]+(?=\d)/i],
  ['Assistant', /^(?:PA|[Ee]scort|[Cc]ourier|[Gg]uide)[ .:]+(?=\p{Lu})/u],
];
const CLOCK_LABELS = ['Dep', 'Return'];
/** "o/w" in a column of times back, "No PA" */
const NO_VALUE = /^(?:o\/?w|one way|single|no pa|n\/?a)$/i;

/** "d 0915", "r 1500" and "drv 118" without headings: the word before each value names its column. Letters before
 *  numbers may also be references or duties, so they name times only together, and if there are no plain times. */
function withLabels(
  rows: readonly JobRow[],
  headings: readonly string[] | null,
): { rows: readonly JobRow[]; headings: readonly string[] | null } {
  const width = headings === null ? Math.max(0, ...rows.map(({ cells }) => cells.length)) : 0;
  const named = Array.from({ length: width }, (_, at) => {
    const cells = rows
      .map((row) => row.cells[at] ?? '')
      .filter((cell) => isGiven(cell) && !NO_VALUE.test(cell));
    return LABELS.find(
      ([heading, label]) =>
        // "PA Jones" and "PA Lewis" may be two drivers with the same initials.
        cells.length > (heading === 'Assistant' ? 2 : 1) &&
        cells.every(
          (cell) =>
            label.test(cell) && (!CLOCK_LABELS.includes(heading) || timeIn(cell.replace(label, '')) !== null),
        ),
    );
  });
  const isTimed = rows.some(({ cells }) => cells.some((cell, at) => !named[at] && timeIn(cell) !== null));
  if (isTimed || !CLOCK_LABELS.every((heading) => named.some((one) => one?.[0] === heading)))
    for (const [at, one] of named.entries()) if (CLOCK_LABELS.includes(one?.[0] ?? '')) named[at] = undefined;
  if (!named.some(Boolean)) return { rows, headings };
  return {
    headings: named.map((one) => one?.[0] ?? ''),
    rows: rows.map((row) => ({
      ...row,
      cells: row.cells.map((cell, at) => (named[at] ? cell.replace(named[at][1], '') : cell)),
    })),
  };
}

/** Fills merged cells: a driver, vehicle or duty number before the times also counts for the rows below, until the
 *  first column has the next value. If only one column has such gaps, they may be real gaps, unless the times start
 *  again with each value. The same is true of columns without headings. */
function withMerged(rows: readonly JobRow[], headings: readonly string[] | null): readonly JobRow[] {
  const meant = (headings ?? []).map((cell) => headingsOf(cell));
  const width = Math.max(0, ...rows.map(({ cells }) => cells.length));
  const columns = Array.from({ length: width }, (_, at) => at);
  const named = meant.findIndex((meanings) => meanings.includes('time'));
  const time =
    named >= 0 ? named : columns.findIndex((at) => isOfTimes(rows.map(({ cells }) => cells[at] ?? '')));
  const isCounted = (at: number) => rows.every(({ cells }, index) => Number(cells[at]) === index + 1);
  /** Rows in which it has a cell; below headings that nobody knows, merged cells have those of their neighbours. */
  const given = (at: number) => rows.map(({ cells }) => (cells[at] ? '1' : '0')).join('');
  const isMeant = (at: number) =>
    headings === null || isOfAnyCrew(headings[at] ?? '') || !!meant[at]?.some((one) => LEADS.includes(one));
  const before = columns.slice(0, Math.max(0, time)).filter((at) => !isCounted(at));
  const isAsBeside = (at: number) =>
    meant[at]?.length === 0 &&
    given(at).startsWith('1') &&
    given(at).includes('0') &&
    before.some((one) => one !== at && given(one) === given(at));
  const leading = before.filter((at) => isMeant(at) || isAsBeside(at));
  const [first = -1] = leading;
  const begins = rows.map(({ cells }) => cells[first] ?? '');
  const runs = begins.filter(Boolean);
  const isMerged = begins[0] !== '' && runs.length < rows.length && new Set(runs).size === runs.length;
  const isSame = leading.every((at) => rows.every(({ cells }, index) => !cells[at] === !begins[index]));
  const isSeveral = leading.length > 1 && (headings !== null || isSame);
  if (!isMerged || !(isSeveral || (first >= 0 && beginsAnew(rows, begins, time)))) return rows;
  let above = rows[0]!; // `begins` has a cell of it
  return rows.map((row, index) => {
    const said = (at: number) => row.cells[at] || (begins[index] ? '' : (above.cells[at] ?? ''));
    const cells = row.cells.map((cell, at) => (leading.includes(at) ? said(at) : cell));
    above = { ...row, cells };
    return begins[index] ? row : { ...above, led: leading.filter((at) => !row.cells[at]) };
  });
}

/** Whether the times rise until the next driver and then fall, which does not happen in a sheet sorted by time. */
function beginsAnew(rows: readonly JobRow[], begins: readonly string[], time: number): boolean {
  const times = rows.map(({ cells }) => timeIn(cells[time] ?? '')?.local ?? '');
  const falls = times.map((local, index) => index > 0 && local < times[index - 1]!);
  return falls.some(Boolean) && falls.every((isFall, index) => !isFall || begins[index] !== '');
}

const LEADS: readonly Meaning[] = ['driver', 'vehicle', 'ref'];

/** "06:10 Leeds to York" below "Job": the time becomes a column of its own. */
function withTimesApart(
  rows: readonly JobRow[],
  headings: readonly string[] | null,
): { rows: readonly JobRow[]; headings: string[] | null } {
  const at = (headings ?? []).findIndex((_, column) => {
    const said = rows
      .map(({ cells }) => cells[column] ?? '')
      .filter((cell) => isGiven(cell) && !IDLE.test(cell));
    const isTimed = (cell: string) => timeIn(cell) === null && LEADING.test(cell);
    return said.length > 0 && said.filter(isTimed).length >= said.length * 0.6;
  });
  if (!headings || at < 0) return { rows, headings: headings && [...headings] };
  const heading = headings[at]!;
  const rests = rows.flatMap(({ cells }) => LEADING.exec(cells[at] ?? '')?.[2] ?? []);
  // Trips below "AM" and "PM" have ends of their own.
  const isOfTrips = share(rests, (rest) => endsOf(rest) !== null) >= 0.6 && !isOfEnd(heading);
  const heads = isOfTrips ? ['Time', 'Trip'] : [`${heading} time`, heading];
  // "First job" and "Last job" have a time each.
  const apart = (cells: readonly string[]) => {
    const [, time = '', rest = cells[at] ?? ''] = LEADING.exec(cells[at] ?? '') ?? [];
    return [...cells.slice(0, at), time, rest, ...cells.slice(at + 1)];
  };
  return withTimesApart(
    rows.map((row) => ({ ...row, cells: apart(row.cells) })),
    headings.toSpliced(at, 1, ...heads),
  );
}

/** "0515, 0545, 0615" below a heading of times becomes a row for each. */
function withEachTime(rows: readonly JobRow[], headings: readonly string[] | null): readonly JobRow[] {
  const at = headings?.findIndex((heading) => headingsOf(heading).includes('time')) ?? -1;
  if (at < 0) return rows;
  return rows.flatMap((row) => {
    const said = row.cells[at] ?? '';
    const times = said.split(/ ?[,;&] ?| and /);
    if (times.length < 2 || times.some((time) => timeIn(time) === null)) return [row];
    return times.map((time, way) => ({
      ...row,
      cells: row.cells.with(at, time),
      ...(way === 1 && times.length === 2 ? { pair: said } : {}),
    }));
  });
}

const IDLE =
  /^(?:[❌✖✗✘]\uFE0F?|off|no?|nil|none|not running|no (?:run|service|school)|canc(?:elled)?|canx|closed|inset(?: day)?|hol(?:s|idays?)?)$/i;
const TICK = /^(?:y(?:es)?|[✓✔✅☑]\uFE0F?|1)$/i;

/** A week with a column for each day, and the driver or the vehicle of that day in its cells, becomes a row for each
 *  day, or for the chosen day alone if it is among them. It stays as it is if a cell may be anything else. */
function withDaysApart(
  rows: readonly JobRow[],
  headings: readonly string[] | null,
  day: string,
): { rows: readonly JobRow[]; headings: readonly string[] | null; otherDays: string[] } {
  const days = (headings ?? []).flatMap((heading, at) => (dayOfHeading(heading, day) === null ? [] : at));
  const others = (headings ?? []).flatMap((_, at) => (days.includes(at) ? [] : at));
  const isMeant = (meaning: Meaning) => others.some((at) => headingsOf(headings![at]!)[0] === meaning);
  const cells = rows.flatMap((row) => days.map((at) => row.cells[at] ?? ''));
  const crews = cells.filter(
    (cell) => isGiven(cell) && !IDLE.test(cell) && !TICK.test(cell) && !isOpen(cell),
  );
  const isOften = (cell: string) =>
    days.filter((at) => rows.some((row) => row.cells[at] === cell)).length > 1;
  const isDriver = (cell: string) =>
    isFirstName(cell) || (NAME.test(cell) && !/^x$/i.test(cell) && isOften(cell));
  const isOfVehicles = crews.length > 0 && crews.every((cell) => vehicleAlone(cell) !== null);
  const field = isOfVehicles ? 'vehicle' : 'driver';
  const isOne = crews.length === 0 || (!isMeant(field) && (isOfVehicles || crews.every(isDriver)));
  if (days.length < 2 || cells.every((cell) => cell === '') || !isOne || isMeant('date'))
    return { rows, headings, otherDays: [] };
  const dates = days.map((at) => dayOfHeading(headings![at]!, day)!); // `days` are the columns of which it is known
  const isHere = dates.includes(day);
  return {
    otherDays: isHere ? dates.filter((date) => date !== day) : [],
    headings: [...others.map((at) => headings![at]!), 'Date', ...(crews.length > 0 ? [field] : []), 'Status'],
    rows: rows.flatMap((row) =>
      dates.flatMap((date, index) => {
        const said = row.cells[days[index]!] ?? '';
        const isIdle = IDLE.test(said);
        if (/^[-–—. ]*$/.test(said) || (isHere && date !== day)) return [];
        const crew = crews.length > 0 ? [crews.includes(said) ? said : ''] : [];
        const whole = [...others.map((one) => row.cells[one] ?? ''), date, ...crew, isIdle ? 'Off' : ''];
        return { ...row, cells: whole };
      }),
    ),
  };
}

/** Columns that are named after places and have times below them. */
const stopColumns = (headings: readonly string[], rows: readonly SheetRow[]): number[] =>
  headings.flatMap((heading, at) => {
    const said = rows.map(({ cells }) => cells[at] ?? '').filter(isGiven);
    const times = said.filter((cell) => timeIn(cell) !== null).length;
    return isStop(heading) && times > 0 && times >= said.length * 0.8 ? at : [];
  });

/** "Westbury, Trowbridge, Bath" with a time below each: the trip goes from the first place with a time to the last,
 *  by way of the others. */
function withStopsDown(
  rows: readonly JobRow[],
  headings: readonly string[] | null,
): { rows: readonly JobRow[]; headings: readonly string[] | null } {
  const stops = stopColumns(headings ?? [], rows);
  if (headings === null || stops.length < 2 || headings.some(isOfEnd)) return { rows, headings };
  const others = headings.flatMap((_, at) => (stops.includes(at) ? [] : at));
  return {
    headings: [
      // "AM" below "Stop" names the journey.
      ...others.map((at) => (/^stops?$/i.test(headings[at]!) ? 'Journey' : headings[at]!)),
      'Time',
      'From',
      'Via',
      'To',
      'Arrives',
    ],
    rows: rows.map((row) => {
      const local = (at: number) => timeIn(row.cells[at] ?? '')?.local ?? '';
      const listed = stops.filter((at) => local(at) !== '');
      // The way back goes up the same list.
      const isUp = listed.every((at, index) => index === 0 || local(at) < local(listed[index - 1]!));
      const called = isUp ? listed.toReversed() : listed;
      const names = called.map((at) => headings[at]!);
      const [from = '', to = ''] = [names[0], names.length > 1 ? names.at(-1) : ''];
      const time = row.cells[called[0] ?? -1] ?? '';
      const cells = [
        ...others.map((at) => row.cells[at] ?? ''),
        time,
        from,
        names.slice(1, -1).join(', '),
        to,
        called.length > 1 ? row.cells[called.at(-1)!]! : '',
      ];
      return { ...row, cells };
    }),
  };
}

/** Numbers below a heading of times become clock times. */
function withClocks(rows: readonly JobRow[], headings: readonly string[] | null): JobRow[] {
  const width = Math.max(0, ...rows.map(({ cells }) => cells.length));
  const hasTimes = rows.some(({ cells }) =>
    cells.some((cell) => timeIn(cell) !== null && !/^(?:\d{4}|0?\.\d+)$/.test(cell)),
  );
  const bare = Array.from({ length: headings || hasTimes ? 0 : width }, (_, at) =>
    rows.map(({ cells }) => cells[at] ?? ''),
  );
  // 650, 715, 1000: times in steps of five minutes, from which a spreadsheet has removed the zeros; 0.75: its own.
  const lost = bare.map((said) =>
    said.every((cell) => /^(?:\d{1,2}[0-5][05]|0?\.\d+)$/.test(cell)) ? clockColumn(said) : null,
  );
  const clocks = (headings ?? bare).map((heading, at) => {
    if (typeof heading !== 'string') return at === lost.findIndex((one) => one !== null) ? lost[at]! : null;
    // "3.12" below "Date" is not a time.
    if (headingsOf(heading)[0] === 'date')
      return rows.map(({ cells }) => (cells[at] ?? '').replace(/^(\d{1,2})[.-](\d{1,2})$/, '$1/$2'));
    const isOfTimes = headingsOf(heading).some(
      (one) => one === 'time' || one === 'back' || one === 'arrives',
    );
    if (!isOfTimes) return null;
    const said = rows.map(({ cells }) => (cells[at] ?? '').replace(/^(\d{1,2}) ([0-5]\d)$/, '$1:$2'));
    // "9-15" is a time above "9-45", but may be a span of hours above "9-12".
    const dashed = said.filter((cell) => /^\d{1,2}-[0-5]\d$/.test(cell));
    const isOfMinutes =
      dashed.every((cell) => /[05]$/.test(cell)) && dashed.some((cell) => /[3-5]\d$/.test(cell));
    if (isOfMinutes) return said.map((cell) => (dashed.includes(cell) ? cell.replace('-', ':') : cell));
    return clockColumn(said) ?? said;
  });
  return rows.map((row, index) => ({
    ...row,
    cells: row.cells.map((cell, at) => clocks[at]?.[index] ?? cell),
  }));
}

/** "LEEDS-YORK", "OTLEY-HULL" below a heading of trips are trips. In other columns a name may have a dash of its own:
 *  "Leeds-Bradford", "Smith-Jones". */
function withDashesApart(rows: readonly JobRow[], headings: readonly string[]): readonly JobRow[] {
  const isOfTrips = headings.map((heading, at) => {
    const said = rows.map(({ cells }) => cells[at] ?? '').filter(isGiven);
    return (
      headingsOf(heading).includes('trip') &&
      said.length > 1 &&
      share(said, (cell) => BARE_DASH.test(cell)) >= 0.6
    );
  });
  if (!isOfTrips.includes(true)) return rows;
  const apart = (cell: string, at: number) => (isOfTrips[at] ? cell.replace(BARE_DASH, '$1 - $2') : cell);
  return rows.map((row) => ({ ...row, cells: row.cells.map(apart) }));
}

const BARE_DASH = /^(\p{Lu}[\p{L}'’ .]{2,30})-(\p{Lu}[\p{L}'’ .]{2,30})$/u;

const COUNT = / (\d{2})$/;

/** Names that stand beside the trips become a column of drivers, unless there is one. */
function withNamesApart(rows: readonly JobRow[], headings: readonly string[] | null): Headed {
  const width = Math.max(0, ...rows.map(({ cells }) => cells.length));
  const hasDrivers =
    headings?.some((heading) => headingsOf(heading).includes('driver')) ||
    rows.some(({ cells, group }) => group.driver !== '' || cells.some(isFirstName));
  if (hasDrivers) return { rows, headings };
  for (let at = 0; at < width; at++) {
    const given = rows.filter(({ cells }) => isGiven(cells[at] ?? ''));
    const found = namesBeside(given.map(({ cells }) => cells[at]!));
    if (found === null) continue;
    // "Leeds to Hull 49 Kev"
    const isCounted = found.every((one) => one === null || COUNT.test(one.trip));
    const apart = (row: JobRow) => {
      const { trip, names } = found[given.indexOf(row)] ?? { trip: row.cells[at] ?? '', names: '' };
      const [count, heads = ''] = (isCounted && COUNT.exec(trip)) || [''];
      const parts = [trip.slice(0, trip.length - count.length), names, ...(isCounted ? [heads] : [])];
      return { ...row, cells: row.cells.toSpliced(at, 1, ...parts) };
    };
    const heads = isCounted ? ['Driver', 'Pax'] : ['Driver'];
    return { rows: rows.map(apart), headings: headings && headings.toSpliced(at + 1, 0, ...heads) };
  }
  return { rows, headings };
}

interface Headed {
  rows: readonly JobRow[];
  headings: readonly string[] | null;
}

/** One column of these, with their cells in its; the others go. */
function joinedAs({ rows, headings }: Headed, of: readonly number[], mark: string): Headed {
  const [first = -1, ...others] = of;
  const join = (cells: readonly string[], sign: string) =>
    cells
      .with(
        first,
        of
          .map((at) => cells[at])
          .filter(Boolean)
          .join(sign),
      )
      .filter((_, at) => !others.includes(at));
  const whole = (cells: readonly string[]) => headings!.map((_, at) => cells[at] ?? '');
  return {
    headings: join(headings!, ' + '),
    rows: rows.map((row) => ({ ...row, cells: join(whole(row.cells), mark) })),
  };
}

/** "The Swan" below "Pick up" and "York" below a "Town" behind it are one place. An "Address" stays in the note, as it
 *  may be a passenger's home. */
function withTownsJoined(rows: readonly JobRow[], headings: readonly string[] | null): Headed {
  const at = (headings ?? []).findIndex(
    (heading, one) =>
      one > 0 &&
      /^(?:town|city|village)$/i.test(heading) &&
      headingsOf(headings![one - 1]!).some((end) => end === 'from' || end === 'to'),
  );
  if (headings === null || at < 0) return { rows, headings };
  const { rows: joined, headings: heads } = joinedAs({ rows, headings }, [at - 1, at], ', ');
  return withTownsJoined(joined, heads!.with(at - 1, headings[at - 1]!));
}

/** "Drop 1", "Drop 2", "Drop 3": the last that a row has is where it ends, and the others are on the way. */
function withDropsJoined({ rows, headings }: Headed): Headed {
  const drops = (headings ?? []).flatMap((heading, at) =>
    /^(?:drop(?: ?off)?|d\/o) ?[1-9]$/i.test(heading) ? at : [],
  );
  const [first = -1] = drops;
  // "Drop 1, Time, From, Drop 2" are two trips.
  if (headings === null || drops.length < 2 || drops.some((at, index) => at !== first + index))
    return { rows, headings };
  const apart = (cells: readonly string[], via: string, to: string) => {
    const others = headings.flatMap((_, at) => (at === first || !drops.includes(at) ? at : []));
    return others.flatMap((at) => (at === first ? [via, to] : (cells[at] ?? '')));
  };
  return {
    headings: apart(headings, 'Via', 'To'),
    rows: rows.map((row) => {
      const said = drops.flatMap((at) => row.cells[at] || []);
      return { ...row, cells: apart(row.cells, said.slice(0, -1).join(', '), said.at(-1) ?? '') };
    }),
  };
}

/** "5" below "Adults" and "40" below "Children" are 45 people, unless a column has the sum. */
function withPartiesSummed(rows: readonly JobRow[], headings: readonly string[] | null): Headed {
  const parties = (headings ?? []).flatMap((heading, at) =>
    /^(?:adults?|child(?:ren)?|infants?|pupils|students|kids|staff|teachers|leaders)$/i.test(heading) &&
    rows.every(({ cells }) => /^\d{0,3}$/.test(cells[at] ?? ''))
      ? at
      : [],
  );
  const isSum = headings?.some((heading) => isOfPassengers(heading)) ?? true;
  return parties.length < 2 || isSum ? { rows, headings } : joinedAs({ rows, headings }, parties, '+');
}

/** The jobs below each other in a cell: "38 pax" or "4417 is the reference" belongs to the job before it. */
function jobsIn(cell: string): string[] {
  const isBare = (one: string) => /^\d{4}/.test(one);
  const isJob = (one: string) => {
    const [, , rest = ''] = LEADING.exec(one) ?? [];
    return rest !== '' && (isBare(one) === isBare(cell) || endsOf(rest) !== null);
  };
  return cell
    .split(/; (?=\d)/)
    .reduce<string[]>(
      (jobs, one) =>
        jobs.length === 0 || isJob(one) ? [...jobs, one] : [...jobs.slice(0, -1), `${jobs.at(-1)}; ${one}`],
      [],
    );
}

/** Rows from a table with a column for each driver or day and the jobs below each other: "0730 Hatherleigh -
 *  Okehampton" below "NEIL (Coach 4)", or below "Mon 7 Dec" and beside "Neil". */
function gridOf(
  all: readonly SheetRow[],
  headings: readonly string[] | null,
  above: readonly string[],
  day: string,
): JobRow[] | null {
  // "Driver, Phil, Asif" above or below the vehicles of the columns.
  const first = all.findIndex(({ cells }) => cells.some((cell) => timeIn(cell) || LEADING.test(cell)));
  const crews = [above, ...all.slice(0, Math.max(0, first)).map(({ cells }) => cells)];
  const rows = all.slice(Math.max(0, first));
  const whose = (headings ?? []).map((heading): Partial<GroupLine> => {
    const date = dayIn(heading, day);
    if (date !== null) return { day: date };
    return isVehicle(heading) ? { vehicle: heading } : pairOf(heading);
  });
  for (const cells of crews)
    for (const [index, cell] of cells.entries()) {
      const field = hasPlate(cell) || vehicleAlone(cell) ? 'vehicle' : 'driver';
      const isSaid = index > 0 && headingsOf(cells[0]!).includes(field);
      const isCrew = field === 'vehicle' || isFirstName(cell) || isSaid;
      const of = whose[index];
      if (of && isCrew && cell !== '') of[field] ??= cell;
    }
  // The times for all of them are in the first column.
  const isCommon = isOfTimes(rows.map(({ cells }) => cells[0] ?? ''));
  const isJob = (cell: string) => LEADING.test(cell) || (isCommon && endsOf(cell) !== null);
  const columns = whose.flatMap((_, at) => {
    const said = rows.map(({ cells }) => cells[at] ?? '').filter(Boolean);
    return said.filter(isJob).length >= Math.max(1, said.length * 0.6) ? at : [];
  });
  const isNamed = (at: number) => Object.keys(whose[at]!).length > 0;
  if (columns.filter(isNamed).length < 2) return null;
  for (const at of columns)
    if (isNamed(at) && !whose[at]!.day && NAME.test(headings![at]!) && !isVehicle(headings![at]!))
      whose[at]!.driver ??= headings![at]!;
  // "Zed (Irizar)" among others that are better known.
  for (const at of columns.filter((one) => !isNamed(one))) {
    const [driver = '', vehicle = ''] = headings![at]!.split(/ ?\(| [-–/] |\)/);
    whose[at] = { driver, vehicle };
  }
  return columns.flatMap((at) =>
    rows.flatMap((row) => {
      const cell = row.cells[at] ?? '';
      const common = isCommon ? (row.cells[0] ?? '') : '';
      const [who = ''] = row.cells;
      const isOfVehicles = vehicleAlone(who) !== null || headingsOf(headings![0]!).includes('vehicle');
      const beside = !whose[at]!.day || isCommon ? {} : isOfVehicles ? { vehicle: who } : { driver: who };
      const [, coach = ''] = headings!;
      const both =
        columns[0] === 2 && headingsOf(coach)[0] === 'vehicle' ? { vehicle: row.cells[1] ?? '' } : {};
      const group = { ...NOBODY, ...beside, ...both, ...whose[at]! };
      if (cell === '' || (whose[at]!.day && !isJob(cell))) return [];
      // Two jobs of one day stand below each other in one cell.
      return jobsIn(cell).map((one) => {
        const [, time = common, rest = one] = LEADING.exec(one) ?? [];
        return { ...row, cells: [time, rest], group };
      });
    }),
  );
}
