/** The rows of a day sheet that may be jobs: without titles, totals and repeated headings, and with values that they
 *  take from lines above. */
import { type JobRow, aboutOf, pairOf, NAME, NOBODY, SIGN_ON, WORK, halfOf } from './groupLines.ts';
import type { SheetRow } from './sheetText.ts';
import { isOnItsSide, formsOf, turned, stackedOf, withoutJoints, withPartsApart } from './sheetShape.ts';
import {
  withHalves,
  withDashesApart,
  withTownsJoined,
  withDropsJoined,
  withPartiesSummed,
  withDaysApart,
  withStopsDown,
  withClocks,
  withEachTime,
  withTimesApart,
  withLabels,
  withNamesApart,
  stopColumns,
} from './columnsRemade.ts';
import { gridOf } from './crewGrid.ts';
import {
  withHalvesAbove,
  withHalfAbove,
  withDayAbove,
  withoutDittos,
  withMerged,
} from './valuesFromAbove.ts';
import { timesBefore, withCrewApart, withTailsApart } from './listLines.ts';
import { isHeading, isMeaning, headingsOf, isOfTrips, isOfEnd } from './headingWords.ts';
import { timeIn, dayIn, LEADING, daysWithin, endsOf } from './sheetCells.ts';

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
