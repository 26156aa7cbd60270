/** A table with a column for each driver, vehicle or day, and the jobs below each other. */
import {
  LEADING,
  endsOf,
  timeIn,
  dayIn,
  isVehicle,
  hasPlate,
  vehicleAlone,
  isFirstName,
  isOfTimes,
} from './sheetCells.ts';
import type { SheetRow } from './sheetText.ts';
import { type JobRow, type GroupLine, pairOf, NAME, NOBODY } from './groupLines.ts';
import { headingsOf } from './headingWords.ts';

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
export function gridOf(
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
  // The first column may have the time for all jobs of a row.
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
  // "Zed (Irizar)" is not recognised, but other columns have a crew.
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
