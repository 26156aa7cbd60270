/** The rows of a day sheet that may be jobs: without titles, totals and repeated headings, and with values that they
 *  take from lines above. */
import { headingsOf, isHeading, isMeaning, isOfAnyCrew, type Meaning } from './headingWords.ts';
import {
  clockColumn,
  dayIn,
  daysWithin,
  endsOf,
  isDitto,
  isFirstName,
  isGiven,
  hasPlate,
  plateIn,
  isVehicle,
  MAKES,
  PLACE,
  share,
  type SheetRow,
  timeIn,
  tripEnds,
  vehicleAlone,
} from './sheetCells.ts';

export interface JobRow extends SheetRow {
  group: GroupLine;
  /** Columns whose values come from merged cells above. */
  led?: readonly number[];
}

/** Words above a group that count for all its rows: "SATURDAY 28TH NOVEMBER", "Driver: K. Nowak"; '' when there are
 *  none. */
interface GroupLine {
  day: string | null;
  vehicle: string;
  driver: string;
  people?: string;
  ref?: string;
  /** "MORNING", "EVENING" */
  half?: 'am' | 'pm' | 'evening';
}

const NOBODY: GroupLine = { day: null, vehicle: '', driver: '' };

interface SheetRows {
  headings: string[] | null;
  width: number;
  rows: readonly JobRow[];
  /** The lines above the headings. */
  titles: SheetRow[];
  /** Titles, totals, and lines between groups. */
  passedOver: SheetRow[];
  /** True: each job was a column. */
  isTurned: boolean;
}

export function sheetRows(
  sheet: readonly SheetRow[],
  { day, remembered }: { day: string; remembered: Readonly<Record<string, string>> },
): SheetRows {
  const isTurned = isOnItsSide(sheet);
  const forms = isTurned ? null : formsOf(sheet);
  const all = forms?.rows ?? (isTurned ? turned(sheet) : (stackedOf(sheet) ?? withoutJoints(sheet)));
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
  const { rows: under, headings: named } = inOneOrder(all.slice(top + (below || whole ? 2 : 1)), over);
  const grid = gridOf(under, named, day);
  const { rows: counted, passedOver } = withoutTotals(
    isGrouped ? [all[top - 1]!, ...under] : under,
    over,
    day,
  );
  const body = withDayAbove(counted, titles, day);
  const { rows, headings } = withPairsApart(withoutDittos(body), named);
  const { rows: spread, headings: heads } = withStopsDown(rows, headings);
  const clocked = withClocks(withEachTime(spread, heads), heads);
  const timed = withTimesApart(clocked, heads);
  const full = withMerged(timed.rows, timed.headings);
  const lines = grid === null ? timesBefore(full, heads) : null;
  const split = grid ?? (lines && withCrewApart(withTailsApart(lines.rows)));
  return {
    headings: split === null ? timed.headings : null,
    width: Math.max(0, ...(split ?? [...all, ...full]).map(({ cells }) => cells.length)),
    rows: split ?? full,
    titles,
    passedOver: [...titles, ...(grid ? [] : passedOver), ...(forms?.others ?? []), ...(lines?.others ?? [])],
    isTurned,
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
    const found = said.filter(known).length;
    // "NEIL (Coach 4)", "JANICE (Coach 6)": a column for each driver.
    const ofDrivers = said.filter((cell) => Object.keys(pairOf(cell)).length > 0);
    // A column for each day.
    if (said.filter((cell) => dayIn(cell, day) !== null).length >= Math.max(2, said.length - 1)) return true;
    if (ofDrivers.filter((cell) => Object.keys(pairOf(cell)).length === 2).length >= 2) return true;
    if (ofDrivers.length >= 2 && ofDrivers.length >= said.length - 1) return true;
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
  // Unknown words, one above each column, directly above the first time.
  const first = all.slice(0, 12).findIndex(({ cells }) => cells.some((cell) => timeIn(cell) !== null));
  const over = all[first - 1]?.cells.filter(Boolean) ?? [];
  const isOfWords =
    over.every((cell) => /^[^\d:]{1,24}$/.test(cell)) && Object.keys(aboutOf(over, null)).length === 0;
  return over.length > 2 && isOfWords && over.length >= all[first]!.cells.filter(Boolean).length * 0.8
    ? first - 1
    : -1;
}

/** Whether the headings are below each other and the jobs beside each other. */
function isOnItsSide(all: readonly SheetRow[]): boolean {
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

function turned(sheet: readonly SheetRow[]): SheetRow[] {
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
function withoutJoints(sheet: readonly SheetRow[]): readonly SheetRow[] {
  const isOfEnds = ({ cells }: SheetRow) =>
    (['from', 'to'] as const).every((end) => cells.some((cell) => headingsOf(cell).includes(end)));
  const isNamed = sheet.some(isOfEnds);
  const freed = new Set<number>();
  const rows = sheet.map(({ line, cells }) => {
    const at = cells.findIndex((cell) => /^(?:to|→|->|=>|>)$/i.test(cell));
    const [from = '', joint = '', to = ''] = at < 1 ? [] : cells.slice(at - 1);
    const heads = cells.filter((cell, index) => index !== at && isHeading(cell)).length;
    if (!/\p{L}/u.test(from) || to === '' || isHeading(from) || heads > 1) return { line, cells };
    const ends = isNamed ? [from, '', to] : [`${from} ${joint} ${to}`, '', ''];
    for (const [index, end] of ends.entries()) if (end === '') freed.add(at - 1 + index);
    return { line, cells: cells.toSpliced(at - 1, 3, ...ends) };
  });
  const isKept = (at: number) => !freed.has(at) || rows.some(({ cells }) => cells[at]);
  return rows.map(({ line, cells }) => ({ line, cells: cells.filter((_, at) => isKept(at)) }));
}

/** Rows from cells that are below each other, as a phone copies a table: each row has as many lines as there are
 *  from one time to the next. Null when these numbers differ. */
function stackedOf(sheet: readonly SheetRow[]): SheetRow[] | null {
  if (sheet.some(({ cells }) => cells.length > 1)) return null;
  const lines = sheet.map(({ cells }) => cells[0] ?? '');
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

/** Forms below each other, "Pick up: 07:00 Omagh", "Drop: Belfast", as rows below their labels; null when the sheet
 *  is a table. */
function formsOf(sheet: readonly SheetRow[]): { rows: SheetRow[]; others: SheetRow[] } | null {
  const labels: string[] = ['Time'];
  let first: string | undefined;
  const rows: SheetRow[] = [];
  const others: SheetRow[] = [];
  // "Job 4501 | Time: 05:15 | From: Leeds | To: York": a whole form in one line.
  const lines = sheet.flatMap((row) => {
    const said = row.cells.filter(Boolean);
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
    const known = labels.indexOf(label);
    const at = known < 0 ? labels.push(label) - 1 : known;
    first ??= label;
    if (label === first || rows.at(-1)!.cells[at] !== undefined) rows.push({ line: row.line, cells: [] });
    const cells = rows.at(-1)!.cells;
    const [, time, rest = value] = LEADING.exec(value) ?? [];
    if (time !== undefined && timeIn(time)) cells[0] ??= time;
    cells[at] = time === undefined ? value : rest;
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

/** "Pick up: Omagh", "Job 4501": a heading and its value. */
function labelIn(text: string): [label: string, value: string] | null {
  const [, label = '', value = ''] =
    /^([^:\d]{2,30}): ?(.+)$/.exec(text) ??
    /^(job|booking|ref)(?: no\.?)? #?([A-Z]{0,5}-?\d[\w/-]{0,20})$/i.exec(text) ??
    [];
  return isHeading(label) ? [label, value] : null;
}

const TOTAL =
  /^(?:sub ?-?|grand )?totals?\b|\btotals?:?$|^end(?: of (?:sheet|day|list))?$|^page \d|^printed\b|^(?:sum|count)$|^not read:|^[-=_–—]{3,}$/i;

/** Removes lines that are not jobs: totals, and headings of groups such as "SCHOOLS" or a day. */
function withoutTotals(
  body: readonly SheetRow[],
  headings: readonly string[] | null,
  day: string,
): { rows: JobRow[]; passedOver: SheetRow[] } {
  const usual = body.map(({ cells }) => cells.filter(Boolean).length).toSorted((a, b) => a - b);
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
    const isTotal = !isTimed && (isSums || said.some((cell) => TOTAL.test(cell)));
    const isAlone = said.length === 1 && !isTimed;
    const dayAlone = isAlone ? (dayIn(alone, day) ?? daysWithin(alone, day)[0]) : undefined;
    const labels = aboutOf(said, headings);
    if (isAlone && isByDriver && PERSON.test(alone) && !WORK.test(alone)) labels.driver = alone;
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
        const at = cell === '' || known >= 0 ? known : all.push(cell) - 1;
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

/** If lines below give other days, the day above the headings counts only for the first rows. */
function withDayAbove(rows: readonly JobRow[], titles: readonly SheetRow[], day: string): readonly JobRow[] {
  const [above, ...more] = titles.flatMap(({ cells }) => cells.flatMap((cell) => daysWithin(cell, day)));
  if (above === undefined || more.length > 0 || rows.every(({ group }) => group.day === null)) return rows;
  return rows.map((row) => ({ ...row, group: { ...row.group, day: row.group.day ?? above } }));
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

/** A half of the day as a line of its own; the comma, or the "all" of a greeting, is left out. */
const HALF_ALONE =
  /^[-=*~( ]*(?:(mornings?|a\.?m\.?)|(afternoons?|p\.?m\.?)|(evenings?))(?: (?:work|jobs|runs|trips|shift|contracts|schools?))?[-=*~): ]*$/i;

/** The half of the day that a line of its own gives the rows below it. */
function halfOf(alone: string): Pick<GroupLine, 'half'> {
  const [, am, pm, evening] = HALF_ALONE.exec(alone) ?? [];
  return am ? { half: 'am' } : pm ? { half: 'pm' } : evening ? { half: 'evening' } : {};
}

/** The vehicle and driver that a line without a time gives the rows below it. */
function aboutOf(said: readonly string[], headings: readonly string[] | null): ReturnType<typeof labelsOf> {
  if (said.some((cell) => timeIn(cell) || LEADING.test(cell))) return {};
  const has = (meaning: Meaning) => headings?.some((cell) => headingsOf(cell).includes(meaning)) ?? false;
  const hasColumn = has('vehicle');
  const [alone = '', beside = ''] = said;
  const isGroup = said.length < 3 && !hasColumn && (headings !== null || endsOf(beside) === null);
  const vehicle = isGroup ? vehicleAlone(alone) : null;
  const { driver: named } = vehicle === null ? {} : pairOf(alone);
  if (vehicle !== null)
    return { vehicle, ...(named === undefined || has('driver') ? {} : { driver: named }) };
  const both = said.length === 1 ? pairOf(alone) : {};
  const labels = both.vehicle !== undefined && both.driver !== undefined ? {} : labelsOf(said);
  // "Coach FJ23 AWX", "Driver Barbara Knowles", "34 passengers" in cells of their own.
  const apart = said.length > 1 && said.length < 5 ? pairOf(said.join(' - ')) : {};
  if (apart.vehicle !== undefined && apart.driver !== undefined && !hasColumn && !has('driver')) return apart;
  if (Object.keys(labels).length > 0 || said.length > 1) return labels;
  const { vehicle: coach, driver, people, ref } = pairOf(alone);
  return {
    ...(ref !== undefined && !has('ref') ? { ref } : {}),
    ...(people !== undefined && !has('people') ? { people } : {}),
    ...(coach !== undefined && !hasColumn ? { vehicle: coach } : {}),
    ...(driver !== undefined && !has('driver') ? { driver } : {}),
  };
}

/** "Coach 12 - Hussain", "Coach 1 - Kev - YN17 OPA", "Driver Hussain (YN21 ABC)", "** IRIZAR (Keith) **" */
function pairOf(alone: string): Partial<Pick<GroupLine, 'vehicle' | 'driver' | 'people' | 'ref'>> {
  const bare = alone.replaceAll(/^[*=_#~ -]{1,9}|[*=_#~: -]{1,9}$/g, '');
  // "DAF 7 - SN65 OHD - DRIVER: Jim Rennie", "TOUR 26 - driver Bernard, coach FX72 DLG, 42 pax"
  const [, named] =
    /\bdriver:? ?((?:\p{Lu}\.? ?)?\p{Lu}[\p{L}'’-]+(?: (?!\w+:)\p{Lu}[\p{L}'’-]*)?)/iu.exec(bare) ?? [];
  const plated = plateIn(bare);
  const [, people] =
    /\b(\d{1,3})(?= ?(?:pax|passengers|people)\b)/i.exec(bare) ??
    /\b(?:group|party|pax|passengers): ?(\d{1,3})\b/i.exec(bare) ??
    [];
  const [, ref] = /\b(?:tour|job|hire|booking|ref)(?: no)?[ .:]{1,2}([A-Z]{0,4}\d[\w/-]*)/i.exec(bare) ?? [];
  if (named !== undefined && plated !== null)
    return {
      vehicle: plated,
      driver: named,
      ...(people === undefined ? {} : { people }),
      ...(ref === undefined ? {} : { ref }),
    };
  const [one = '', two = '', ...more] = bare
    .split(/ - | ?[–,/()[\]]+ ?/)
    .filter(Boolean)
    .map((part) => part.replace(/^(?:driver|vehicle|coach:?) (?=\p{L})/iu, ''));
  const isDriver = (part: string, other: string) =>
    isFirstName(part) ||
    (isCoach(other) && INITIALS.test(part)) ||
    (vehicleAlone(other) !== null && NAME.test(part) && !WORK.test(part));
  const parts = [one, two, ...more];
  // "COACH 1 - KEV - YN17 OPA": a registration says more than a number.
  const plate = parts.find(hasPlate);
  const isSize = (part: string) => /^\d{1,2}(?: ?(?:seats?|seater|str))?$/i.test(part);
  const others = parts.filter((part) => part !== plate && !isVehicle(part) && !isSize(part));
  if (plate !== undefined && more.length === 1 && others.length === 1 && isDriver(others[0]!, plate))
    return { vehicle: plate, driver: others[0]! };
  if (more.length === 0 && isVehicle(one) && two === plate) return { vehicle: bare };
  if (more.length > 0 || two === '') return isFirstName(bare) ? { driver: bare } : {};
  if (isDriver(two, one)) return { vehicle: one, driver: two };
  return isDriver(one, two) ? { vehicle: two, driver: one } : {};
}

const isCoach = (part: string): boolean => NUMBER_OF.test(part) || MAKES.test(part);

const NAME = /^\p{Lu}[\p{L}.'’-]*(?: \p{Lu}[\p{L}.'’-]*){0,2}$/u;

const WORK = /\b(?:work|runs?|schools?|airports?|contracts?|hires?|depot|tours?|services?)\b/i;
/** "KEITH MARLOW", below a title that says that the sheet is sorted by drivers. */
const PERSON = /^\p{Lu}[\p{L}.'’-]*(?: \p{Lu}[\p{L}.'’-]*){1,2}$/u;

/** "Driver: K. Nowak", or "Driver" and "K. Nowak" beside it; empty when any cell has no label. */
function labelsOf(cells: readonly string[]): ReturnType<typeof pairOf> {
  // "Driver: P. Sowerby Date: Fri 27 Nov"
  const said = cells.flatMap((cell) => (/^\p{L}+:/u.test(cell) ? cell.split(/ (?=\p{L}+:)/u) : cell));
  const labels: ReturnType<typeof pairOf> = {};
  for (let at = 0; at < said.length; at++) {
    const [label = '', beside = ''] = said[at]!.split(/:(.*)/);
    const [meaning] = headingsOf(label);
    if (meaning !== 'vehicle' && meaning !== 'driver') {
      // "Dep 06:10" is no label.
      if (beside === '' || /\d/.test(label)) return {};
      continue;
    }
    const value = beside.trim() || (said[++at] ?? '');
    if (value === '') return {};
    // "Vehicle: 33 seat Mellor, driver Graham. Ribbons on."
    const [vehicle = '', driver = ''] = meaning === 'vehicle' ? value.split(/, ?driver:? /i) : [];
    labels[meaning] = vehicle || value;
    if (driver) labels.driver = driver.split('. ')[0]!;
  }
  return labels;
}

function withoutDittos(rows: readonly JobRow[]): JobRow[] {
  let above: readonly string[] = [];
  return rows.map((row) => {
    const cells = row.cells.map((cell, at) => (isDitto(cell) ? (above[at] ?? '') : cell));
    above = cells;
    return { ...row, cells };
  });
}

/** "Pick up" over "time", "No. of" over "passengers"; null when the second line makes fewer headings. */
function inTwoLines(upper: readonly string[], lower: readonly string[]): string[] | null {
  if (
    lower.some((cell) => /\d/.test(cell)) ||
    lower.filter(Boolean).length < upper.filter(Boolean).length * 0.6
  )
    return null;
  const whole = upper.map((cell, at) => `${cell} ${lower[at] ?? ''}`.trim());
  const known = (cells: readonly string[]) => cells.filter(isHeading).length;
  return known(whole) >= known(upper) ? whole : null;
}

/** "From" and "To" below a "Journey" over both; null when the row is anything else. */
const endsBelow = (cells: readonly string[]): readonly string[] | null =>
  cells.filter(Boolean).length === 2 &&
  ['from', 'to'].every((end) => cells.some((cell) => headingsOf(cell).some((meaning) => meaning === end)))
    ? cells
    : null;

/** "Driver / Vehicle" over "Colin / WR70 AAX" become two columns. */
function withPairsApart(
  rows: readonly JobRow[],
  headings: readonly string[] | null,
): { rows: readonly JobRow[]; headings: string[] | null } {
  const halves = (cell: string) => cell.split(/ ?[/&+;] ?/);
  const isPair = (heading: string | null, at: number) => {
    const cells = rows.map((row) => row.cells[at] ?? '').filter(isGiven);
    if (cells.length === 0 || !cells.every((cell) => halves(cell).length === 2)) return false;
    if (heading === null)
      return rows.length > 1 && cells.every((cell) => halves(cell).filter(vehicleAlone).length === 1);
    const [one, other, ...more] = halves(heading).map((part) => headingsOf(part)[0]);
    const isNamed = one !== undefined && other !== undefined && more.length === 0;
    return headingsOf(heading).length === 0 && isNamed && one !== other;
  };
  const width = Math.max(0, ...rows.map(({ cells }) => cells.length));
  const pairs = (headings ?? Array.from({ length: width }, () => null)).map(isPair);
  const apart = (cells: readonly string[]) =>
    cells.flatMap((cell, at) => (pairs[at] ? inOrder(halves(cell), headings?.[at] ?? '') : [cell]));
  // A registration is the vehicle, whichever of the two the heading names first.
  const inOrder = ([one = '', other = '']: readonly string[], heading: string) => {
    const isFirst = headingsOf(halves(heading)[0] ?? '').includes('vehicle');
    const isTurned = isFirst
      ? !vehicleAlone(one) && vehicleAlone(other)
      : !vehicleAlone(other) && vehicleAlone(one);
    return isTurned ? [other, one] : [one, other];
  };
  return {
    rows: rows.map((row) => ({ ...row, cells: apart(row.cells) })),
    headings: headings && apart(headings),
  };
}

/** Fills merged cells: a driver, vehicle or duty number before the times also counts for the rows below, until the
 *  first column has the next value. If only one column has such gaps, they may be real gaps, unless the times start
 *  again with each value. The same is true of columns without headings. */
function withMerged(rows: readonly JobRow[], headings: readonly string[] | null): readonly JobRow[] {
  const meant = (headings ?? []).map((cell) => headingsOf(cell));
  const width = Math.max(0, ...rows.map(({ cells }) => cells.length));
  const isOfTimes = (at: number) => {
    const said = rows.map(({ cells }) => cells[at] ?? '');
    return said.filter((cell) => timeIn(cell) !== null).length >= rows.length * 0.6;
  };
  const columns = Array.from({ length: width }, (_, at) => at);
  const named = meant.findIndex((meanings) => meanings.includes('time'));
  const time = named >= 0 ? named : columns.findIndex(isOfTimes);
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
    const said = rows.map(({ cells }) => cells[column] ?? '').filter(isGiven);
    const isTimed = (cell: string) => timeIn(cell) === null && LEADING.test(cell);
    return said.length > 0 && said.filter(isTimed).length >= said.length * 0.6;
  });
  if (!headings || at < 0) return { rows, headings: headings && [...headings] };
  // "First job" and "Last job" have a time each.
  const apart = (cells: readonly string[]) => {
    const [, time = '', rest = cells[at] ?? ''] = LEADING.exec(cells[at] ?? '') ?? [];
    return [...cells.slice(0, at), time, rest, ...cells.slice(at + 1)];
  };
  return withTimesApart(
    rows.map((row) => ({ ...row, cells: apart(row.cells) })),
    [...headings.slice(0, at), `${headings[at]} time`, ...headings.slice(at)],
  );
}

/** "0515, 0545, 0615" below a heading of times becomes a row for each. */
function withEachTime(rows: readonly JobRow[], headings: readonly string[] | null): readonly JobRow[] {
  const at = headings?.findIndex((heading) => headingsOf(heading).includes('time')) ?? -1;
  if (at < 0) return rows;
  return rows.flatMap((row) => {
    const times = (row.cells[at] ?? '').split(/ ?[,;&] ?| and /);
    if (times.length < 2 || times.some((time) => timeIn(time) === null)) return [row];
    return times.map((time) => ({ ...row, cells: row.cells.map((cell, one) => (one === at ? time : cell)) }));
  });
}

/** "Ely", or "Bishop School", which is below no other heading. */
const isStop = (name: string): boolean =>
  /\p{L}{3}/u.test(name) && headingsOf(name).every((meaning) => meaning === 'note');

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
    headings: [...others.map((at) => headings[at]!), 'Time', 'From', 'Via', 'To', 'Arrives'],
    rows: rows.map((row) => {
      const called = stops.filter((at) => timeIn(row.cells[at] ?? '') !== null);
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
    cells.some((cell) => timeIn(cell) !== null && !/^\d{4}$/.test(cell)),
  );
  const bare = Array.from({ length: headings || hasTimes ? 0 : width }, (_, at) =>
    rows.map(({ cells }) => cells[at] ?? ''),
  );
  // 650, 715, 1000: times in steps of five minutes, from which a spreadsheet has removed the zeros.
  const lost = bare.map((said) =>
    said.every((cell) => /^\d{1,2}[0-5][05]$/.test(cell)) ? clockColumn(said) : null,
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
    const said = rows.map(({ cells }) => (cells[at] ?? '').replace(/^(\d\d)[ -](\d\d)$/, '$1:$2'));
    return clockColumn(said) ?? said;
  });
  return rows.map((row, index) => ({
    ...row,
    cells: row.cells.map((cell, at) => clocks[at]?.[index] ?? cell),
  }));
}

const LEADING =
  /^(?:[-*•·] ?|\d{1,3}[).] )?(\d{1,2}[:.;h]\d{2} ?(?:[ap]m|hrs?)?|\d{4}(?: ?hrs)?|\d{1,2} ?[ap]m)[ ,–-]+(?=\p{L})(?![ap]\.?m\b|hrs?\b)(.+)$/iu;

const CLOCK = /(?<![\d:.£/])(?:\d{1,2}[:.]\d{2}|[012]\d[0-5]\d)(?: ?(?:[ap]m|hrs?)\b)?(?![\d:./])/gi;

/** "Leeds to York 06:10 YN21 ABC" as its time and the words around it; null when it has not exactly one time after
 *  words. */
function timeWithin({ cells }: SheetRow): [time: string, before: string, behind: string] | null {
  const [clock, ...more] = cells.length === 1 ? cells[0]!.matchAll(CLOCK) : [];
  if (!clock || more.length > 0) return null;
  const bare = (text: string) =>
    text
      .trim()
      .replace(/^[,–-] ?/, '')
      .replace(/ ?[,–-]$/, '')
      .replace(/(?:^| )(?:dep|at|@)\.?$/i, '')
      .replace(/^(?:[-*•·]|\d{1,3}[.)]) /, '');
  const before = bare(cells[0]!.slice(0, clock.index));
  const behind = bare(cells[0]!.slice(clock.index + clock[0].length));
  // "going to Greenwich" is part of a sentence.
  const isSentence = /^(?:going|heading|travelling|bound) /.test(behind);
  return /\p{L}/u.test(before) && !isSentence ? [clock[0], before, behind] : null;
}

/** Rows from a table with a column for each driver or day and the jobs below each other: "0730 Hatherleigh -
 *  Okehampton" below "NEIL (Coach 4)", or below "Mon 7 Dec" and beside "Neil". */
function gridOf(rows: readonly SheetRow[], headings: readonly string[] | null, day: string): JobRow[] | null {
  const whose = (headings ?? []).map((heading): Partial<GroupLine> => {
    const date = dayIn(heading, day);
    if (date !== null) return { day: date };
    return isVehicle(heading) ? { vehicle: heading } : pairOf(heading);
  });
  // The times for all of them are in the first column.
  const isCommon = rows.filter(({ cells }) => timeIn(cells[0] ?? '')).length >= rows.length * 0.6;
  const isJob = (cell: string) => LEADING.test(cell) || (isCommon && endsOf(cell) !== null);
  const columns = whose.flatMap((_, at) => {
    const said = rows.map(({ cells }) => cells[at] ?? '').filter(Boolean);
    return said.filter(isJob).length >= Math.max(1, said.length * 0.6) ? at : [];
  });
  const isNamed = (at: number) => Object.keys(whose[at]!).length > 0;
  if (columns.filter(isNamed).length < 2) return null;
  // "Zed (Irizar)" among others that are better known.
  for (const at of columns.filter((one) => !isNamed(one))) {
    const [driver = '', vehicle = ''] = headings![at]!.split(/ ?\(| [-–/] |\)/);
    whose[at] = { driver, vehicle };
  }
  return columns.flatMap((at) =>
    rows.flatMap((row) => {
      const cell = row.cells[at] ?? '';
      const common = isCommon ? (row.cells[0] ?? '') : '';
      const [, time = common, rest = cell] = LEADING.exec(cell) ?? [];
      const [who = ''] = row.cells;
      const isOfVehicles = vehicleAlone(who) !== null || headingsOf(headings![0]!).includes('vehicle');
      const beside = !whose[at]!.day || isCommon ? {} : isOfVehicles ? { vehicle: who } : { driver: who };
      return cell === '' || (whose[at]!.day && !isJob(cell))
        ? []
        : { ...row, cells: [time, rest], group: { ...NOBODY, ...beside, ...whose[at]! } };
    }),
  );
}

const LEG = /^(dep|arr)[a-z]*\.?:? (\d{1,2}[:.]?\d{2} ?(?:[ap]m|hrs)?) (?:from |at |to )?(\p{L}.*)$/iu;

/** "Dep 0745 Tiverton" and "Arr 0930 Exeter" below each other are one trip; null when not all lines are like that. */
function legsOf(rows: readonly JobRow[]): JobRow[] | null {
  const legs = rows.map((row) => ({ row, found: LEG.exec(row.cells.filter(Boolean).join(', ')) }));
  if (legs.length < 2 || legs.some(({ found }) => found === null)) return null;
  const isDeparture = ({ found }: (typeof legs)[0]) => found![1]!.toLowerCase() === 'dep';
  return legs.flatMap((leg, index) => {
    if (!isDeparture(leg)) return [];
    const next = legs[index + 1];
    const end = next && !isDeparture(next) ? next.found![3]! : '';
    return { ...leg.row, cells: [leg.found![2]!, leg.found![3]!, end] };
  });
}

const IN_BRACKETS = /^(.+?)((?: ?[([][^()[\]]+[)\]])+)$/;
const MARKS = [/( ?[,;] ?)/, /( \/ )/, /( [-–] )/, /( \| )/];

/** The trip of a line and the parts behind it, by one separator; null when there are none. */
function tailOf(cell: string, mark: RegExp | null): [trip: string, ...parts: string[]] | null {
  if (mark === null) {
    const [, trip, tail] = IN_BRACKETS.exec(cell) ?? [];
    const parts = tail?.split(/[()[\]]+|[,;/] ?| [-–|] /).map((part) => part.trim()) ?? [];
    return trip === undefined ? null : [trip, ...parts.filter(Boolean)];
  }
  const pieces = cell.split(mark);
  const ends = pieces.findIndex((_, at) => at % 2 === 0 && endsOf(pieces.slice(0, at + 1).join('')) !== null);
  const parts = pieces.slice(ends + 1).filter((_, at) => at % 2 === 1);
  // "Shaz. Back 16:15" is not one part.
  const isMore = parts.some((part) => /\d[:.]\d\d/.test(part));
  return ends < 0 || parts.length === 0 || isMore ? null : [pieces.slice(0, ends + 1).join(''), ...parts];
}

/** "Barry to Penarth, Delme, 11 pax" in nearly all rows: what stands behind the trip becomes columns, which are read
 *  by all their cells. Only parts that cannot be places are taken off. */
function withTailsApart(rows: JobRow[]): JobRow[] {
  if (rows.length < 3 || rows.some(({ cells }) => cells.length > 2)) return rows;
  const ends = new Set(
    rows.flatMap(({ cells }) => tripEnds(cells[1] ?? '') ?? []).map((end) => end.toLowerCase()),
  );
  for (const mark of [null, ...MARKS]) {
    const tails = rows.map(({ cells }) => tailOf(cells[1] ?? '', mark));
    const many = Math.max(0, ...tails.map((tail) => (tail?.length ?? 1) - 1));
    const whole = tails.flatMap((tail) => (tail && tail.length - 1 === many ? [tail.slice(1)] : []));
    if (many === 0 || whole.length < rows.length * 0.8) continue;
    const columns = Array.from({ length: many }, (_, at) => whole.map((parts) => parts[at]!));
    const isClear = columns.map((cells) => share(cells, isNoPlace) >= 0.7);
    const isNamed = (cells: readonly string[]) =>
      share(cells, (cell) => NAME.test(cell) && !PLACE.test(cell) && !ends.has(cell.toLowerCase())) >= 0.9 &&
      (mark === null || (many > 1 ? isClear.includes(true) : cells.some(isFirstName)));
    if (!columns.every((cells, at) => isClear[at] || isNamed(cells))) continue;
    return rows.map((row, index) => {
      const tail = tails[index];
      return tail?.length === many + 1 ? { ...row, cells: [row.cells[0] ?? '', ...tail] } : row;
    });
  }
  return rows;
}

/** "KB Thorne to York" in every row: initials that come again before a trip become a column behind it. */
function withCrewApart(rows: JobRow[]): JobRow[] {
  const leads = rows.map(({ cells }) => /^([A-Z]{2,4}) (?=\p{Lu})/u.exec(cells[1] ?? '')?.[1] ?? '');
  if (rows.length < 3 || leads.includes('') || new Set(leads).size === rows.length) return rows;
  return rows.map((row, index) => {
    const [time = '', trip = '', ...more] = row.cells;
    const lead = leads[index]!; // there is one for each row
    return { ...row, cells: [time, trip.slice(lead.length + 1), lead, ...more] };
  });
}

const NUMBER_OF =
  /^(?:\d{1,3}(?: ?(?:pax|px|passengers|people|pupils|seats?|seater|str))?|.*\b(?:seater|seats))$/i;
const INITIALS = /^(?:[A-Z]{2,3}|(?:[A-Z]\.? )+\p{Lu}\p{L}+)$/u;
/** A vehicle, a number or a person. */
const isNoPlace = (part: string): boolean =>
  vehicleAlone(part) !== null ||
  MAKES.test(part) ||
  NUMBER_OF.test(part) ||
  INITIALS.test(part) ||
  isFirstName(part);

const TWO = / ?[/;] ?(?=\d{1,2}[:.]\d{2} ?(?:[ap]m)? \p{L})/u;

/** Lines of an e-mail, "06:10 Leeds to York, YN21 ABC": the time becomes a cell of its own. Null when no column is
 *  like that. `others`: its greeting and signature, if they are long. */
function timesBefore(
  rows: readonly JobRow[],
  headings: readonly string[] | null,
): { rows: JobRow[]; others: JobRow[] } | null {
  if (headings !== null || rows.some(({ cells }) => cells.some((cell) => timeIn(cell) !== null))) return null;
  // "7.15 Dore - Totley / 3.40 Totley - Dore"
  if (rows.some(({ cells }) => TWO.test(cells[0] ?? ''))) {
    const each = rows.flatMap((row) =>
      (row.cells[0] ?? '').split(TWO).map((cell) => ({ ...row, cells: [cell, ...row.cells.slice(1)] })),
    );
    return timesBefore(each, headings);
  }
  const legs = legsOf(rows);
  if (legs) return { rows: legs, others: [] };
  const isTimed = ({ cells }: JobRow) => LEADING.test(cells[0] ?? '') && timeIn(LEADING.exec(cells[0]!)![1]!);
  const timed = rows.filter(isTimed).length;
  if (timed === 0 && rows.length > 1 && rows.filter(timeWithin).length >= rows.length * 0.6) {
    const apart = (row: JobRow) => ({ ...row, cells: timeWithin(row) ?? ['', ...row.cells] });
    return { rows: rows.map(apart), others: [] };
  }
  const isLong = timed < rows.length * 0.5;
  if (timed < (isLong ? 3 : 2)) return null;
  const isWords = (row: JobRow) => isLong && !row.cells.some((cell) => /\d[:.]\d\d|\bto\b/.test(cell));
  const split = (row: JobRow) => {
    const [, time = '', rest = row.cells[0] ?? ''] = LEADING.exec(row.cells[0] ?? '') ?? [];
    return { ...row, cells: [time, rest, ...row.cells.slice(1)] };
  };
  return { rows: rows.filter((row) => !isWords(row)).map(split), others: rows.filter(isWords) };
}
