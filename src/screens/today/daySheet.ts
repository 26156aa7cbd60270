/**
 * A day sheet as it is understood: what each column means, and which job each row is. What is doubtful is asked, and what
 * is left out is said; nothing is decided in silence.
 */
import { type AskedJob, JOB_LIMITS } from '#contract/watches/jobs.ts';
import {
  type ClockTime,
  dayIn,
  dayOfRun,
  dayOfTime,
  daysWithin,
  deadlineIn,
  endsOf,
  hasPlate,
  isNightOf,
  isAbout,
  isGiven,
  isOtherWeekday,
  isRegistration,
  placeOnly,
  type SheetRow,
  spanIn,
  isVehicle,
  timeIn,
  tripEnds,
  weekdayNear,
} from './sheetCells.ts';
import {
  headingsOf,
  isMeaning,
  isOfFlight,
  isRemark,
  type Meaning,
  MEANINGS,
  timeRank,
} from './sheetHeadings.ts';
import { type JobRow, sheetRows } from './sheetRows.ts';

export interface Column {
  heading: string | null;
  /** Three of its cells, to see what it holds. */
  samples: string[];
  meaning: Meaning;
  /** False: guessed from cells that may mean something else, and so asked. */
  isSure: boolean;
}

export interface ReadRow {
  line: number;
  cells: string[];
  /** One of a row in most sheets, two where it goes out and back; none where it is left out. */
  jobs: AskedJob[];
  /** Why it is left out: 'Row 14: no time in “TBC”'. */
  problem: string | null;
  /** Which rows it is counted with; null where it is not left out. */
  left: 'other day' | 'cancelled' | 'not understood' | null;
  /** Change made for the person: "01:15 on Wednesday". */
  note: string | null;
  /** The cell that the problem or the note is about; -1: none. */
  doubtful: number;
}

export interface Sheet {
  columns: Column[];
  /** Without headings, titles and totals. */
  rows: ReadRow[];
  /** Titles, totals, and lines between groups, which are no jobs. */
  passedOver: SheetRow[];
  /** Columns or times that the person must decide before anything can be added. */
  asked: string[];
  /** What is not used, kept elsewhere or left out, by name. */
  said: string[];
  /** The day that its title or all of its rows say, where that is another; null: the same, or none. */
  saysDay: string | null;
  /** Whether it must be asked of which day the small hours are. */
  asksNight: boolean;
  /** Whether loose times must be asked about: those of one afternoon, or of several, which only their writer can tell. */
  asksHalf: 'one' | 'several' | null;
  /** True when the headings are those of the last sheet. */
  isKnown: boolean;
}

/** Meanings that the person or the last sheet decided, by the column's place. */
type Chosen = ReadonlyMap<number, Meaning>;

/** `remembered`: the meaning by the words of a heading, from the sheets before. */
export function readSheet(
  all: readonly SheetRow[],
  {
    day,
    remembered = {},
    chosen = new Map(),
    isAfternoon = null,
    isNextDay = null,
  }: {
    day: string;
    remembered?: Readonly<Record<string, string>>;
    chosen?: Chosen;
    /** Whether loose times that follow later ones are of the afternoon; null: not said. */
    isAfternoon?: boolean | null;
    /** Whether small hours that follow the evening are of the next day; null: not said. */
    isNextDay?: boolean | null;
  },
): Sheet {
  const { headings, width, rows, titles, passedOver, isTurned } = sheetRows(all, { day, remembered });
  const { columns, beside } = columnsOf(rows, headings, width, { day, remembered, chosen });
  const asked = askedOf(columns, rows);
  const { groups, titleDays, otherDays } = groupsOfDay(groupsOf(columns), titles, day);
  const time = groups[0]?.time ?? -1;
  const dated = datesOf(rows, groups[0], day);
  const misnamed = dated.some(({ date }) => date !== null) ? null : misnamedDay(titles, day);
  const saysDay = otherDay(dated, titleDays[0] ?? null, day) ?? misnamed?.weekday ?? null;
  if (saysDay) asked.push(misnamed?.words ?? `This sheet says ${dayWords(saysDay)}.`);
  const halves = looseHalves(rows, time);
  const asksHalf = halves.falls === 0 || isAfternoon !== null ? null : halves.falls === 1 ? 'one' : 'several';
  if (asksHalf)
    asked.push(
      `Times from row ${Math.min(...halves.lines)} on may be morning or afternoon.${asksHalf === 'one' ? '' : ' Write those of the afternoon as 14:15 and paste again.'}`,
    );
  const small = smallHours(
    rows.filter((_, index) => dated[index]?.date == null),
    time,
  );
  const isNight =
    new Set(titleDays).size > 1 || titles.some(({ cells }) => cells.some((cell) => NIGHT.test(cell)));
  const asksNight = small.size > 0 && !isNight && isNextDay === null;
  if (asksNight) {
    const first = Math.min(...small);
    asked.push(`Times from row ${first} on come after midnight: of which day are they?`);
  }

  const read = rows.map((row, index): ReadRow => {
    const { date, said, isNight: isAfter = false } = dated[index]!;
    const isLater = isAfter || (small.has(row.line) && (isNight || isNextDay === true));
    const add = (halves.lines.has(row.line) && isAfternoon ? 12 : 0) + (isLater ? 24 : 0);
    const about = readRow(row, columns, groups, { day, date, said, add });
    const isAsked = (asksHalf && halves.lines.has(row.line)) || (asksNight && small.has(row.line));
    return isAsked && about.problem === null
      ? { ...about, note: `“${short(row.cells[time] ?? '')}” is asked about.`, doubtful: time }
      : about;
  });
  const led = rows.filter(
    ({ group }, index) => read[index]!.problem === null && group.vehicle + group.driver !== '',
  ).length;
  return {
    columns,
    rows: read,
    passedOver,
    asked,
    said: saidOf(columns, read, { beside, groups, isTurned, led, otherDays }),
    saysDay,
    asksHalf,
    asksNight,
    isKnown: headings !== null && headings.filter(Boolean).every((cell) => cell.toLowerCase() in remembered),
  };
}

interface RowDate {
  /** Null: none is said, or `said` cannot be read. */
  date: string | null;
  said: string;
  /** Its time says that it is of the night after: "00:45 (Sat)" on a sheet of Friday. */
  isNight?: boolean;
}

/** The day of each row: that of its own time, else of its column, which goes on below, else of the line above its group. */
function datesOf(rows: readonly JobRow[], group: Group | undefined, day: string): RowDate[] {
  let before: string | null = null;
  return rows.map(({ cells, group: above }) => {
    const moment = cells[group?.time ?? -1] ?? '';
    const said = group && group.date >= 0 ? (cells[group.date] ?? '') : '';
    const own = dayOfTime(moment, day);
    const run = dayOfRun(said, day);
    if (said !== '') before = run ?? dayIn(said, day);
    if (said !== '' && (before === null || (run === null && isOtherWeekday(said, before))))
      return { date: null, said };
    if (own !== null && isNightOf(moment, day)) return { date: day, said: moment, isNight: true };
    if (own !== null)
      return isOtherWeekday(moment, own) ? { date: null, said: moment } : { date: own, said: moment };
    return { date: before ?? above.day, said };
  });
}

/** Another day that the whole sheet is for: of all its rows, else of its title. */
function otherDay(dated: readonly RowDate[], title: string | null, day: string): string | null {
  const own = dated.flatMap(({ date }) => date ?? []);
  if (own.includes(day)) return null;
  if (own.length > dated.length / 2) {
    const many = (one: string) => own.filter((other) => other === one).length;
    return own.toSorted((one, other) => many(other) - many(one))[0]!;
  }
  return title === day ? null : title;
}

/** "Jobs for Friday 28 November", where the 28th is a Saturday: one of the two is wrong. `weekday`: the Friday beside it. */
function misnamedDay(titles: readonly SheetRow[], day: string): { words: string; weekday: string } | null {
  for (const title of titles.flatMap(({ cells }) => cells)) {
    const [said, ...more] = daysWithin(title, day);
    if (said === undefined || more.length > 0 || !isOtherWeekday(title, said)) continue;
    const words = `This sheet says “${short(title)}”, but that is a ${WEEKDAY.format(noon(said))}.`;
    return { words, weekday: weekdayNear(title, said) };
  }
  return null;
}

const timesOf = (rows: readonly SheetRow[], column: number) =>
  rows.flatMap(({ line, cells }) => {
    const time = timeIn(cells[column] ?? '');
    return time ? [{ line, ...time }] : [];
  });

const NIGHT = /\bnights?\b|\binto\b/i;

/** Rows before 06:00 that follow one of the evening, in a sheet that goes by time. */
function smallHours(rows: readonly JobRow[], column: number): Set<number> {
  const times = timesOf(rows, column);
  const falls = times.filter(({ local }, index) => local < (times[index - 1]?.local ?? '')).length;
  const found = new Set<number>();
  // By driver or vehicle it begins again and again.
  if (falls > 1) return found;
  for (const [index, { line, local }] of times.entries()) {
    const before = times[index - 1];
    const follows = before !== undefined && (before.local >= '18:00' || found.has(before.line));
    if (follows && local < '06:00') found.add(line);
  }
  return found;
}

/** What a person would miss: columns that are not used or go to the note, and rows that are left out. */
function saidOf(
  columns: readonly Column[],
  rows: readonly ReadRow[],
  {
    beside,
    groups,
    isTurned,
    led,
    otherDays,
  }: {
    beside: ReadonlySet<number>;
    groups: readonly Group[];
    isTurned: boolean;
    led: number;
    otherDays: readonly string[];
  },
): string[] {
  const name = (at: number) => columns[at]!.heading ?? `column ${at + 1}`;
  const names = (test: (column: Column, at: number) => boolean) =>
    columns.flatMap((column, at) => (column.samples.length > 0 && test(column, at) ? name(at) : []));
  const apart = names(({ meaning }, at) => meaning === 'none' && beside.has(at));
  const unused = names(({ meaning }, at) => meaning === 'none' && !beside.has(at));
  const kept = names(
    ({ meaning, heading }) => (meaning === 'note' && !isRemark(heading)) || meaning === 'via',
  );
  const left = (kind: ReadRow['left']) => rows.filter((row) => row.left === kind).length;
  const count = (many: number, of: string) => (many > 0 ? [`${many} ${of}`] : []);
  const out = [
    ...count(left('other day'), left('other day') === 1 ? 'row of another day' : 'rows of other days'),
    ...count(left('cancelled'), 'cancelled'),
    ...count(left('not understood'), 'not understood'),
  ];
  const jobs = rows.filter(({ left: kind }) => kind === null);
  const gaps = (['vehicle', 'driver'] as const).flatMap((meaning) => {
    const at = groups[0]?.of[meaning];
    const isEmpty = (row: ReadRow) => row.jobs.every((job) => job[meaning] === null);
    const empty = at === undefined ? 0 : jobs.filter(isEmpty).length;
    return empty > 0 && empty < jobs.length
      ? [`No ${meaning} in ${empty} of ${jobs.length} rows, as “${name(at!)}” is empty there.`]
      : [];
  });
  return [
    ...(isTurned ? ['Each job is a column of this sheet: row 2 is its second column.'] : []),
    ...count(
      led,
      led === 1
        ? 'row has its vehicle or driver from the line above.'
        : 'rows have their vehicle or driver from the line above them.',
    ),
    ...(out.length > 0 ? [`Left out: ${out.join(', ')}.`] : []),
    ...otherDays.map((other) => `Not used: the columns of ${dayWords(other)}.`),
    ...(unused.length > 0 ? [`Not used: ${unused.join(', ')}.`] : []),
    ...(apart.length > 0 ? [`Not used, as they stand apart from the jobs: ${apart.join(', ')}.`] : []),
    ...(kept.length > 0 ? [`Kept in the note: ${kept.join(', ')}.`] : []),
    ...gaps,
  ];
}

interface About {
  day: string;
  remembered: Readonly<Record<string, string>>;
  chosen: Chosen;
}

function columnsOf(
  rows: readonly JobRow[],
  headings: readonly string[] | null,
  width: number,
  { day, remembered, chosen }: About,
): { columns: Column[]; beside: ReadonlySet<number> } {
  const beside = listsBeside(rows, headings, width, day);
  const cellsOf = (at: number) => rows.map((row) => row.cells[at] ?? '').filter(isGiven);
  const heads = Array.from({ length: width }, (_, at) => headings?.[at] || null);
  const hasVehicle =
    rows.some(({ group }) => group.vehicle !== '') ||
    heads.some((heading) => headingsOf(heading ?? '').includes('vehicle'));
  const given = heads.map((heading, at): Pick<Column, 'meaning' | 'isSure'> | null => {
    const cells = cellsOf(at);
    const before = heading === null ? undefined : remembered[heading.toLowerCase()];
    if (chosen.has(at)) return sure(chosen.get(at)!);
    if (before !== undefined && isMeaning(before)) return sure(before);
    if (beside.has(at) || cells.length === 0) return sure('none');
    const named = headingsOf(heading ?? '').find((one) => fits(one, cells, day));
    if (named === 'ref' && isCounting(cells)) return sure('none');
    // A column of dates that cannot be read is not passed over.
    if (!named && headingsOf(heading ?? '').includes('date')) return { meaning: 'date', isSure: false };
    // "No" may be that of a vehicle, unless the vehicle is said elsewhere.
    if (named === 'people' && headingsOf(heading ?? '').includes('ref'))
      return { meaning: named, isSure: hasVehicle };
    return named ? sure(named) : null;
  });
  const taken = new Set(given.flatMap((one) => one?.meaning ?? []));
  for (const at of beside) {
    const [named] = headingsOf(heads[at] ?? '');
    // Filled in for each job, it may be a part of it behind a gap.
    const isFull = cellsOf(at).length >= rows.length * 0.9;
    // A list that names again what the jobs have is one of its own, as of the fleet.
    const isOfList = [at - 1, at + 1].some(
      (near) => beside.has(near) && headingsOf(heads[near] ?? '').some((one) => taken.has(one)),
    );
    if (
      !isOfList &&
      named &&
      isFull &&
      OF_A_JOB.includes(named) &&
      !taken.has(named) &&
      given[at]?.meaning === 'none' &&
      !chosen.has(at)
    )
      given[at] = { meaning: named, isSure: false };
  }
  const columns = heads.map((heading, at): Column => {
    const cells = cellsOf(at);
    const found = given[at] ?? byContent(cells, day, heading !== null, taken);
    return { heading, samples: [...new Set(cells)].slice(0, 3), ...found };
  });
  const isFixed = (at: number) => chosen.has(at);
  chooseTime(columns, isFixed);
  settle(columns, rows);
  once(columns, rows, isFixed);
  return { columns, beside };
}

const OF_A_JOB: readonly Meaning[] = ['vehicle', 'driver', 'ref', 'people', 'deadline', 'note'];

const sure = (meaning: Meaning) => ({ meaning, isSure: true });

/** Columns of another table: where those around the times say all that a job needs, what stands behind an empty column is a
 *  list of its own. */
function listsBeside(
  rows: readonly JobRow[],
  headings: readonly string[] | null,
  width: number,
  day: string,
): Set<number> {
  const cellsOf = (at: number) => rows.map((row) => row.cells[at] ?? '').filter(Boolean);
  const isEmpty = (at: number) => !headings?.[at] && cellsOf(at).length === 0;
  const blocks: number[][] = [];
  for (let at = 0; at < width; at++) {
    if (isEmpty(at)) continue;
    if (blocks.at(-1)?.at(-1) === at - 1) blocks.at(-1)!.push(at);
    else blocks.push([at]);
  }
  const isWhole = (block: readonly number[]) => {
    const has = (test: (cells: string[], at: number) => boolean) => block.some((at) => test(cellsOf(at), at));
    const named = (meaning: Meaning) =>
      has((cells, at) => headingsOf(headings?.[at] ?? '').includes(meaning) && fits(meaning, cells, day));
    const texts = block.filter((at) => share(cellsOf(at), (cell) => /\p{L}{3}/u.test(cell)) >= 0.8);
    return (
      has(
        (cells) => cells.length >= rows.length * 0.4 && share(cells, (cell) => timeIn(cell) !== null) >= 0.5,
      ) &&
      ((named('from') && named('to')) ||
        named('trip') ||
        has((cells) => share(cells, (cell) => tripEnds(cell) !== null) >= 0.6) ||
        (headings === null && texts.length >= 2))
    );
  };
  const whole = blocks.filter(isWhole);
  return new Set(whole.length === 1 ? blocks.filter((block) => block !== whole[0]).flat() : []);
}

const placesOf = (columns: readonly Column[], meaning: Meaning): number[] =>
  columns.flatMap((column, at) => (column.meaning === meaning ? at : []));

const take = (columns: Column[], at: number, as: Partial<Column>): void => {
  columns[at] = { ...columns[at]!, ...as }; // `at` is one of them
};

/** Of several columns of times the one when the job leaves; the others are not used. Where two may be that, it is asked. */
function chooseTime(columns: Column[], isFixed: (at: number) => boolean): void {
  const heading = (at: number) => columns[at]!.heading;
  // A way back with places of its own is a trip of its own.
  for (const at of placesOf(columns, 'back'))
    if (hasOwnEnds(columns, [at], 0) && hasOwnEnds(columns, placesOf(columns, 'time'), at))
      take(columns, at, sure('time'));
  if (placesOf(columns, 'time').length === 0) {
    const [other] = [
      ...placesOf(columns, 'back').filter((at) => headingsOf(heading(at) ?? '').includes('time')),
      ...placesOf(columns, 'date').filter((at) => columns[at]!.samples.every((cell) => timeIn(cell))),
    ];
    if (other !== undefined) take(columns, other, sure('time'));
  }
  const times = placesOf(columns, 'time');
  if (times.some(isFixed)) {
    if (times.every((at) => hasOwnEnds(columns, times, at))) return;
    for (const at of times) if (!isFixed(at)) take(columns, at, sure('none'));
    return;
  }
  const best = Math.min(...times.map((at) => timeRank(heading(at))));
  for (const at of times) if (timeRank(heading(at)) > best) take(columns, at, sure('none'));
  const left = placesOf(columns, 'time');
  const named = left.filter((at) => heading(at) !== null);
  if (best === 2 && left.length > 0) take(columns, left[0]!, { isSure: false });
  if (named.length < 2 || named.every((at) => hasOwnEnds(columns, left, at))) return;
  for (const [index, at] of named.entries())
    take(columns, at, index === 0 ? { isSure: false } : sure('none'));
}

/** Between this column of times and the next there is from where and to where. */
function hasOwnEnds(columns: readonly Column[], times: readonly number[], at: number): boolean {
  const next = times.find((one) => one > at) ?? columns.length;
  const between = columns.slice(at, next).map(({ meaning }) => meaning);
  return between.includes('trip') || (between.includes('from') && between.includes('to'));
}

/** Meanings that go by the clock: a second one of them says nothing of the job. */
const CLOCKS: readonly Meaning[] = ['arrives', 'back', 'backDate', 'date'];

/** Two columns of one meaning: what the second holds is kept in the note, and asked about where it is a place. */
function once(columns: Column[], rows: readonly JobRow[], isFixed: (at: number) => boolean): void {
  const isMany = (meaning: Meaning) => ['note', 'via', 'none', 'time'].includes(meaning);
  const starts = new Set(
    groupsOf(columns)
      .slice(1)
      .map(({ time }) => time),
  );
  let seen = new Map<Meaning, number>();
  for (const [at, { meaning }] of columns.entries()) {
    if (starts.has(at)) seen = new Map();
    if (isMany(meaning)) continue;
    const first = seen.get(meaning);
    if (first === undefined) {
      seen.set(meaning, at);
      continue;
    }
    // What the person has chosen stands, else what comes first.
    const second = isFixed(at) && !isFixed(first) ? first : at;
    if (second === first) seen.set(meaning, at);
    const cells = rows.map((row) => row.cells[second] ?? '').filter(isGiven);
    const isCount = meaning === 'ref' && isHeads(cells);
    const hasPeople = columns.some((column) => column.meaning === 'people');
    const isPlace = meaning === 'from' || meaning === 'to';
    const isPeople = isCount && !hasPeople;
    if (isPeople) take(columns, second, { meaning: 'people', isSure: false });
    else if (CLOCKS.includes(meaning)) take(columns, second, sure('none'));
    else take(columns, second, { meaning: 'note', isSure: !isPlace });
  }
}

const share = (cells: readonly string[], test: (cell: string) => boolean) =>
  cells.length === 0 ? 0 : cells.filter(test).length / cells.length;

/** 1, 2, 3: the same numbers stand on the next sheet of the day, so that they are no references. */
const isCounting = (cells: readonly string[]) => cells.every((cell, index) => Number(cell) === index + 1);
/** As many as a coach takes. */
const isHeads = (cells: readonly string[]) =>
  share(cells, (cell) => /^\d{1,3}$/.test(cell) && Number(cell) <= 120) >= 0.8;
const isNumber = (cell: string) => /^\d{1,4}$/.test(cell);
const isRef = (cell: string) => /^(?=.*\d)[A-Z]{0,5}[-/ ]?\d{2,7}[A-Z]?(?:[-/]\d{1,4})?$/i.test(cell);
const isPerson = (cell: string) =>
  /^(?:[A-Z]\.? ?){1,2}[A-Z][\p{Ll}'’-]+$|^(?:[A-Z]\.? ){1,2}[A-Z][\p{L}'’-]+$|^[A-Z][\p{L}'’-]+,? [A-Z]\.?$/u.test(
    cell,
  );

/** A heading is believed unless its cells plainly say something else. */
function fits(meaning: Meaning, cells: readonly string[], day: string): boolean {
  switch (meaning) {
    case 'time':
    case 'back':
    case 'arrives':
      return share(cells, (cell) => timeIn(cell) !== null) >= 0.4;
    case 'date':
    case 'backDate':
      return share(cells, (cell) => (dayIn(cell, day) ?? dayOfRun(cell, day)) !== null) >= 0.4;
    case 'from':
    case 'to':
      return share(cells, (cell) => timeIn(cell) === null && /\p{L}/u.test(cell)) >= 0.6;
    case 'trip':
      return share(cells, (cell) => /\p{L}{3}/u.test(cell)) >= 0.6;
    case 'people':
      return share(cells, (cell) => /\d/.test(cell)) >= 0.4;
    case 'ref':
      return (
        share(cells, (cell) => endsOf(cell) !== null || /^\d{1,2}[:.]\d{2}$/.test(cell)) < 0.5 &&
        !(isHeads(cells) && new Set(cells).size < cells.length)
      );
    default:
      return true;
  }
}

/** What its cells say, where no heading does. No second column of a meaning that a heading has. */
function byContent(
  cells: readonly string[],
  day: string,
  hasHeading: boolean,
  taken: ReadonlySet<Meaning>,
): Pick<Column, 'meaning' | 'isSure'> {
  const of = (test: (cell: string) => boolean) => share(cells, test);
  const asked = (meaning: Meaning) => ({ meaning, isSure: false });
  const isFree = (...meanings: Meaning[]) => !hasHeading || !meanings.some((one) => taken.has(one));
  const times = of((cell) => timeIn(cell) !== null);
  const isOfTimes =
    (times >= 0.6 && of(isNumber) < 0.9) ||
    (times >= 0.9 && of((cell) => /^[012]\d[0-5]\d$/.test(cell)) >= 0.9);
  // Below a heading that nobody knows they may be of anything.
  if (isOfTimes && isFree('time')) return { meaning: 'time', isSure: !hasHeading };
  if (isOfTimes) return isFree('back', 'arrives') ? asked('back') : sure('none');
  if (of((cell) => dayIn(cell, day) !== null) >= 0.8) return sure(isFree('date') ? 'date' : 'none');
  if (of((cell) => tripEnds(cell) !== null) >= 0.6)
    return isFree('trip', 'from') ? sure('trip') : sure('note');
  if (of((cell) => deadlineIn(cell) !== null) >= 0.6) return sure(isFree('deadline') ? 'deadline' : 'note');
  if (
    isFree('vehicle') &&
    of((cell) => isRegistration(cell) && !isNumber(cell) && /[A-Z]/i.test(cell)) >= 0.6 &&
    of((cell) => /^[A-Z]{2}\d{2} ?[A-Z]{3}$|^[A-Z]\d{1,3} ?[A-Z]{3}$/i.test(cell)) >= 0.3
  )
    return sure('vehicle');
  if (!hasHeading && of(isVehicle) >= 0.8) return sure('vehicle');
  if (isFree('people') && of(isNumber) >= 0.9 && of((cell) => Number(cell) > 0 && Number(cell) <= 120) >= 0.8)
    return asked('people');
  // Small numbers below a heading that nobody knows are of anything.
  const isLikeRef = (cell: string) => isRef(cell) && (!hasHeading || /[A-Z]|\d{4}/i.test(cell));
  if (isFree('ref') && of(isLikeRef) >= 0.7 && new Set(cells).size >= cells.length * 0.8) return sure('ref');
  if (isFree('driver') && of(isPerson) >= 0.6) return asked('driver');
  if (!hasHeading && of((cell) => /\p{L}{3}/u.test(cell)) >= 0.8) return asked('note');
  return sure('none');
}

/** Meanings of columns beside each other: two places are from and to, and one of two times is when it arrives. */
function settle(columns: Column[], rows: readonly SheetRow[]): void {
  const has = (meaning: Meaning) => placesOf(columns, meaning).length > 0;
  const given = (at: number) => rows.map(({ cells }) => cells[at] ?? '').filter(isGiven);
  const [first = -1, second = -1, ...more] = placesOf(columns, 'time');
  const between = columns.slice(first + 1, Math.max(0, second));
  const isOneTrip = !between.some(({ meaning }) => ENDS.includes(meaning));
  if (second >= 0 && more.length === 0 && isOneTrip && columns[second]!.heading === null) {
    const local = (row: SheetRow, at: number) => timeIn(row.cells[at] ?? '')?.local ?? '';
    const later = rows.filter((row) => local(row, second) > local(row, first));
    const isNamed = columns[first]!.heading !== null;
    const isSure = isNamed && later.length >= rows.length * 0.9 && rows.length > 2;
    take(columns, second, { meaning: 'arrives', isSure });
  }
  for (const at of placesOf(columns, 'trip')) endsBeside(columns, rows, at);
  // A sheet with one named end and a trip in words has its ends in the words.
  if (has('from') && has('to'))
    for (const at of placesOf(columns, 'trip')) {
      const isOfVehicles = !has('vehicle') && share(given(at), isVehicle) >= 0.8;
      take(columns, at, sure(isOfVehicles ? 'vehicle' : 'note'));
    }
  if (ENDS.some(has)) return;
  // Texts without a heading: of several, the first two neighbours are the ends of the trip.
  const texts = columns.flatMap(({ heading, meaning, isSure }, index) =>
    heading === null && !isSure && (meaning === 'note' || meaning === 'driver') ? index : [],
  );
  const one = texts.find((index) => texts.includes(index + 1));
  if (one === undefined) return;
  // A way back has the two in turn, as nothing else has.
  const ways = new Set(rows.map(({ cells }) => `${cells[one]}\t${cells[one + 1]}`));
  const isBack = rows.some(({ cells }) => ways.has(`${cells[one + 1]}\t${cells[one]}`));
  takeEnds(columns, one, texts.length === 2 || isBack);
  const [vehicle] = placesOf(columns, 'vehicle');
  if (!isBack || vehicle === undefined) return;
  const beside = columns[vehicle + 1];
  const names = given(vehicle + 1);
  const isOfNames = share(names, isGivenName) >= 0.8 && new Set(names).size > 1;
  if (beside && texts.includes(vehicle + 1) && isOfNames) take(columns, vehicle + 1, sure('driver'));
  const [people, ...others] = placesOf(columns, 'people');
  if (people !== undefined && others.length === 0 && columns[people]!.heading === null)
    take(columns, people, sure('people'));
}

const isGivenName = (cell: string) => /^\p{Lu}[\p{L}'’-]+(?: \p{Lu}\.?)?$/u.test(cell);

const ENDS: readonly Meaning[] = ['from', 'to', 'trip'];

/** This column and the next are from where and to where. */
function takeEnds(columns: Column[], at: number, isSure: boolean): void {
  take(columns, at, { meaning: 'from', isSure });
  take(columns, at + 1, { meaning: 'to', isSure });
}

/** A trip whose cells are one place has its other end in the column beside it: "Journey" over two columns. Else it is asked. */
function endsBeside(columns: Column[], rows: readonly SheetRow[], at: number): void {
  const trips = rows.map(({ cells }) => cells[at] ?? '').filter(isGiven);
  if (columns[at]!.meaning !== 'trip' || share(trips, (cell) => tripEnds(cell) !== null) >= 0.5) return;
  const beside = columns[at + 1];
  const isOver = beside?.heading === columns[at]!.heading;
  if (beside && (isOver || (beside.heading === null && beside.meaning === 'note')))
    takeEnds(columns, at, isOver);
  else if (trips.some((cell) => /\p{L}/u.test(cell))) take(columns, at, { isSure: false });
}

function askedOf(columns: readonly Column[], rows: readonly SheetRow[]): string[] {
  if (rows.length === 0) return ['There is no row with a job.'];
  const has = (meaning: Meaning) => columns.some((column) => column.meaning === meaning);
  const asked: string[] = [];
  if (!has('time')) asked.push('Which column has the times?');
  if (!has('trip') && !(has('from') && has('to'))) asked.push('Which columns say from where and to where?');
  const doubtful = columns.flatMap(({ meaning, isSure }, index) => (isSure ? [] : [{ meaning, index }]));
  for (const { meaning, index } of doubtful) asked.push(`Is column ${index + 1} “${MEANINGS[meaning]}”?`);
  return asked;
}

/** The columns of one trip; a line that has two trips has two of them. */
interface Group {
  time: number;
  of: Readonly<Partial<Record<Meaning, number>>>;
  date: number;
}

/** A second column of times with ends of its own begins a second trip of the line; what only one of them says of the vehicle
 *  is common to both. */
function groupsOf(columns: readonly Column[]): Group[] {
  const meanings = columns.map(({ meaning }) => meaning);
  const times = meanings.flatMap((meaning, at) => (meaning === 'time' ? at : []));
  const starts = times.filter(
    (at, index) =>
      index === 0 ||
      meanings.slice(at, times[index + 1] ?? meanings.length).some((one) => ENDS.includes(one)),
  );
  // Ends before the only time belong to it.
  return starts.map((time, index) => {
    const from = index === 0 ? 0 : time;
    const to = starts[index + 1] ?? meanings.length;
    const of: Partial<Record<Meaning, number>> = {};
    for (let at = from; at < to; at++) of[meanings[at]!] ??= at;
    for (const shared of SHARED) {
      const at = meanings.indexOf(shared);
      if (at >= 0) of[shared] ??= at;
    }
    return { time, of, date: of.date ?? -1 };
  });
}

const SHARED: readonly Meaning[] = ['date', 'ref', 'vehicle', 'driver'];

/** Two days beside each other, each below its own date: the trips of one of them count. */
function groupsOfDay(
  groups: readonly Group[],
  titles: readonly SheetRow[],
  day: string,
): { groups: readonly Group[]; titleDays: string[]; otherDays: string[] } {
  const daysOf = (from: number, to?: number) =>
    titles.flatMap(({ cells }) => cells.slice(from, to).flatMap((cell) => daysWithin(cell, day)));
  const said = groups.map(({ time }, index) => daysOf(index && time, groups[index + 1]?.time)[0]);
  const days = [...new Set(said.flatMap((one) => one ?? []))];
  if (days.length < 2) return { groups, titleDays: daysOf(0), otherDays: [] };
  const counts = days.includes(day) ? day : days[0]!;
  return {
    groups: groups.filter((_, index) => said[index] === undefined || said[index] === counts),
    titleDays: [counts],
    otherDays: days.filter((other) => other !== counts),
  };
}

/** Rows from the first on whose loose time is well before the one above, "9.45", then "1.30", and how often that is so. */
function looseHalves(rows: readonly SheetRow[], column: number): { lines: Set<number>; falls: number } {
  const times = timesOf(rows, column);
  const lines = new Set<number>();
  let falls = 0;
  const isOfTwelve = rows.some(({ cells }) => /\d ?[ap]\.?m\b/i.test(cells[column] ?? ''));
  const loose = times.filter(({ isLoose }) => isLoose);
  const isInOrder = times.every(({ local }, index) => local >= (times[index - 1]?.local ?? ''));
  // Beside "11.00pm" a bare "6.30" is of either half, unless the order says which.
  if (isOfTwelve && loose.length > 0 && !isInOrder)
    return { lines: new Set(loose.map(({ line }) => line)), falls: 2 };
  if (times.some(({ local, isLoose }) => !isLoose && local >= '13:00')) return { lines, falls };
  for (const [index, { line, local, isLoose }] of times.entries()) {
    const before = times[index - 1]?.local ?? '00:00';
    if (isLoose && later(local, FALLS_BY_HOURS) <= before) falls++;
    if (isLoose && falls > 0) lines.add(line);
  }
  return { lines, falls };
}

/** Sheets that go by time have jobs of about the same time in any order. */
const FALLS_BY_HOURS = 2;

const WEEKDAY = new Intl.DateTimeFormat('en-GB', { weekday: 'long', timeZone: 'UTC' });
const DAY = new Intl.DateTimeFormat('en-GB', {
  weekday: 'long',
  day: 'numeric',
  month: 'long',
  timeZone: 'UTC',
});
const noon = (day: string, after = 0) => new Date(Date.parse(`${day}T12:00:00Z`) + after * 86_400_000);

/** "Tuesday 24 November" */
export const dayWords = (day: string): string => DAY.format(noon(day)).replace(',', '');

interface RowDay {
  day: string;
  /** The last date that the column said; null: none, or one that cannot be read. */
  date: string | null;
  said: string;
  /** Hours to add to a loose time. */
  add: number;
}

function readRow(row: JobRow, columns: readonly Column[], groups: readonly Group[], about: RowDay): ReadRow {
  const { line, cells } = row;
  const leftOut = (why: string, doubtful: number, left: ReadRow['left'] = 'not understood'): ReadRow => {
    return { line, cells, jobs: [], problem: `Row ${line}: ${why}`, left, note: null, doubtful };
  };
  const [first] = groups;
  if (!first) return leftOut('no column of times.', -1);
  const dateAt = first.date >= 0 ? first.date : first.time;
  const cancelled = cells.findIndex((cell, at) => isOff(cell, columns[at]?.meaning ?? 'none'));
  if (cancelled >= 0) return leftOut(`“${short(cells[cancelled]!)}”.`, cancelled, 'cancelled');
  if (about.said !== '' && about.date === null) {
    const day = dayIn(about.said, about.day) ?? dayOfTime(about.said, about.day);
    const said = `“${short(about.said)}”`;
    return leftOut(day ? `${said} is a ${WEEKDAY.format(noon(day))}.` : `no date in ${said}.`, dateAt);
  }
  if (about.date !== null && about.date !== about.day)
    return leftOut(`this is for ${dayWords(about.date)}.`, dateAt, 'other day');

  const jobs: AskedJob[] = [];
  const notes: string[] = [];
  let doubtful = -1;
  const note = (words: string, at: number) => {
    notes.push(words);
    doubtful = at;
  };
  /** "01:15 on Wednesday" */
  const clock = (local: string) =>
    local < '24:00' ? local : `${later(local, -24)} on ${WEEKDAY.format(noon(about.day, 1))}`;
  for (const [index, group] of groups.entries()) {
    const said = cells[group.time] ?? '';
    if (said === '' && index > 0) continue;
    const read = jobOf(row, columns, group, about);
    if (typeof read === 'string') return leftOut(read, group.time);
    const { job, words } = read;
    const { leaves_local } = job;
    jobs.push(job);
    notes.push(...words);
    if (isAbout(said) || spanIn(said)) note(`“${short(said)}” is taken as ${leaves_local}.`, group.time);
    if (leaves_local >= '24:00') note(`${clock(leaves_local)}.`, group.time);
    const { back = -1, backDate = -1 } = group.of;
    const saidBack = cells[back] ?? '';
    if (!isGiven(saidBack) || /^(?:single|sgl|one[- ]?way|o\/?w|no(?: return)?)$/i.test(saidBack)) continue;
    const backDay = dayIn(cells[backDate] ?? '', about.day);
    if (backDay !== null && backDay !== about.day) {
      note(`The way back is on ${dayWords(backDay)}, and not added.`, backDate);
      continue;
    }
    const time = timeIn(saidBack);
    const ends = endsOf(job.trip);
    if (!time || !ends) return leftOut(`no time back in “${short(saidBack)}”.`, back);
    const local = backAfter(time, leaves_local);
    if (local !== time.local) note(`“${short(saidBack)}” is taken as ${clock(local)}.`, back);
    jobs.push({
      ...job,
      leaves_local: local,
      trip: `${ends[1]} → ${ends[0]}`,
      deadline_local: null,
      deadline_what: null,
      duration_min: null,
    });
  }
  return { line, cells, jobs, problem: null, left: null, note: notes.join(' ') || null, doubtful };
}

/** The way back is after the way out: "2.45" of the afternoon, "00:30" of the next day. */
function backAfter({ local, isLoose }: ClockTime, leaves: string): string {
  if (local >= leaves) return local;
  const afternoon = later(local, 12);
  return isLoose && afternoon >= leaves ? afternoon : later(local, 24);
}

/** "CANCELLED", "Cancelled by client 26/11": as its state, or as the first word of any cell but a person's or a place's. */
const isOff = (cell: string, meaning: Meaning): boolean =>
  meaning === 'status'
    ? /\b(?:cancel|canx|cxl|cxd|cnx|withdrawn|declined|lost)/i.test(cell)
    : /^\W*(?:cancell?ed|canx|cxl|cxd|cnx)\b/i.test(cell);

const short = (text: string) => (text.length > 40 ? `${text.slice(0, 39)}…` : text);
const cut = (text: string | undefined, most: number): string | null =>
  [...(text ?? '')].slice(0, most).join('').trim() || null;

/** "no time in “TBC”." */
function noTime(said: string): string {
  if (said === '') return 'no time.';
  const times = said.match(/\b\d{1,2}[:.]\d{2}\b/g) ?? [];
  if (times.length > 1) return `more than one time in “${short(said)}”.`;
  return times.length === 1 ? `“${short(said)}” is not a plain time.` : `no time in “${short(said)}”.`;
}

const REFERENCE = /^([A-Z]{1,4}[-/]\d{2,6})[ :,]+(?=\p{L})/u;

/** One trip of a row, and what was changed for the person; a text: why there is none. */
function jobOf(
  { cells, group }: JobRow,
  columns: readonly Column[],
  { time, of }: Group,
  { day, add }: RowDay,
): { job: AskedJob; words: string[] } | string {
  const cell = (meaning: Meaning) => {
    const said = of[meaning] === undefined ? '' : (cells[of[meaning]] ?? '');
    return isGiven(said) ? said : '';
  };
  const said = cells[time] ?? '';
  const leaves = timeIn(said);
  if (!leaves) return noTime(said);
  const inTrip = REFERENCE.exec(cell('trip'))?.[1] ?? null;
  const whole = placeOnly(inTrip === null ? cell('trip') : cell('trip').replace(REFERENCE, ''), true);
  const known = [cell('vehicle'), cell('driver')];
  const from = placeOnly(cell('from'), false, known);
  const to = placeOnly(cell('to'), false, known);
  const trip = tripOf(from.place, to.place, whole.place);
  if (trip === null) return 'from where or to where is missing.';
  if (hasPlate(trip)) return `“${short(trip)}” has a registration in it.`;
  const parts = [whole, from, to];
  const rest = parts.flatMap((part) => part.rest ?? []);
  const plate = parts.find(({ vehicle }) => vehicle !== null)?.vehicle ?? null;
  const local = later(leaves.local, add);
  const arrives = timeIn(cell('arrives')) ?? spanIn(said)?.[1] ?? null;
  const remarks = columns.flatMap(({ meaning, heading }, at) =>
    meaning === 'note' && isRemark(heading) ? (cells[at] ?? '') : [],
  );
  const deadlineAt = of.deadline ?? -1;
  const found = deadlineOf(cell('deadline'), remarks.join(' '));
  const isLanding =
    found !== null && isOfFlight(columns[deadlineAt]?.heading ?? null) && found.local <= local;
  const deadline = isLanding ? null : found;
  const people =
    /\d{1,4}/.exec(cell('people'))?.[0] ?? parts.find((part) => part.people !== null)?.people ?? null;
  const note = [
    ...notesOf(cells, columns),
    ...(cell('deadline') && !deadline ? [labelled(cell('deadline'), columns[deadlineAt]!)] : []),
    ...rest,
  ].join('; ');
  const most = JOB_LIMITS.fieldLength;
  const long = (['ref', 'vehicle', 'driver'] as const).filter((field) => [...cell(field)].length > most);
  const job: AskedJob = {
    day,
    ref: cut(cell('ref') || (inTrip ?? ''), most),
    leaves_local: local,
    duration_min: arrives
      ? minutesBetween(local, later(arrives.local, arrives.isLoose ? add % 24 : 0))
      : null,
    watch_id: null,
    trip: trip.slice(0, JOB_LIMITS.tripLength),
    vehicle: cut(cell('vehicle') || (plate ?? group.vehicle), most),
    driver: cut(cell('driver') || group.driver, most),
    people: people === null ? null : Number(people),
    deadline_local: deadline?.local ?? null,
    deadline_what: deadline?.what ?? null,
    note: cut(note, JOB_LIMITS.noteLength),
  };
  const words = [
    ...(plate !== null || rest.length > 0 || inTrip !== null
      ? [`“${[inTrip, plate, ...rest].filter(Boolean).join(', ')}” is kept out of the trip.`]
      : []),
    ...long.map((field) => `“${short(cell(field))}” is cut to ${most} characters.`),
    ...([...note].length > JOB_LIMITS.noteLength
      ? [`The note is cut to ${JOB_LIMITS.noteLength} characters.`]
      : []),
    ...(/cancel/i.test(note) ? [`“${short(note)}”: it is added all the same.`] : []),
  ];
  return { job, words };
}

const labelled = (text: string, { heading }: Column) => (isRemark(heading) ? text : `${heading} ${text}`);

/** Remarks, places on the way, a state that is not simply confirmed, and columns that have no field of their own. */
function notesOf(cells: readonly string[], columns: readonly Column[]): string[] {
  const of = (meaning: Meaning) =>
    columns.flatMap((column, at) => {
      const text = cells[at] ?? '';
      return column.meaning === meaning && text !== '' && isGiven(text) ? [{ text, column }] : [];
    });
  const via = of('via').map(({ text }) => text);
  const states = of('status').filter(({ text }) => !/^(?:ok|yes|y|confirmed|conf|booked|live)$/i.test(text));
  return [
    ...(via.length > 0 ? [`Via ${via.join(', ')}`] : []),
    ...states.map(({ text }) => text),
    ...of('note').map(({ text, column }) => labelled(text, column)),
  ];
}

const later = (local: string, hours: number) =>
  `${String(Number(local.slice(0, 2)) + hours).padStart(2, '0')}${local.slice(2)}`;

function tripOf(from: string, to: string, trip: string): string | null {
  if (from && to) return `${from} → ${to}`;
  const ends = endsOf(trip);
  if (ends) return `${ends[0]} → ${ends[1]}`;
  return trip && !from && !to ? trip : null;
}

function deadlineOf(cell: string, note: string) {
  const bare = timeIn(cell);
  return bare ? { what: null, local: bare.local } : (deadlineIn(cell) ?? deadlineIn(note));
}

/** Until the first such time after it leaves; null for a whole day or none. */
function minutesBetween(from: string, to: string): number | null {
  const of = (local: string) => Number(local.slice(0, 2)) * 60 + Number(local.slice(3));
  const minutes = (of(to) - of(from) + 48 * 60) % (24 * 60);
  return minutes > 0 ? minutes : null;
}
