/** The meanings of a day sheet's columns, by their headings and their cells. A doubtful meaning becomes a question
 *  to the user. */
import {
  BACK_FROM_MIN,
  dayIn,
  dayOfHeading,
  dayOfRun,
  dayOfTime,
  endsOf,
  isFirstName,
  isGiven,
  isOfTimes,
  isOpen,
  weekdaysIn,
  isVehicle,
  MAKES,
  minutesOf,
  share,
  spanIn,
  timeIn,
  tripEnds,
  vehicleAlone,
} from './sheetCells.ts';
import { type SheetRow } from './sheetText.ts';
import {
  headingsOf,
  isFinish,
  isHeading,
  isMeaning,
  isOfAnyCrew,
  isOfAnyPlace,
  isOfAnyTime,
  isOfPassengers,
  isOfPickUps,
  isOfVenue,
  isRemark,
  isSchool,
  isVehicleKind,
  type Meaning,
  MEANINGS,
  sideOf,
  timeRank,
} from './headingWords.ts';
import { aroundOf, fitsOf, hasEnds, type OpenColumn, type Role, rolesOf } from './columnsWithoutHeadings.ts';
import type { JobRow } from './groupLines.ts';

export interface Column {
  heading: string | null;
  /** Three of its cells, to show what the column holds. */
  samples: string[];
  meaning: Meaning;
  /** False: the meaning is a guess from cells that may mean something else. */
  isSure: boolean;
}

/** Meanings that the user or the last sheet has decided, by the column's place. */
export type Chosen = ReadonlyMap<number, Meaning>;

export interface About {
  day: string;
  remembered: Readonly<Record<string, string>>;
  chosen: Chosen;
}

export function columnsOf(
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
  const hasPassengers = heads.some(
    (heading, at) => headingsOf(heading ?? '')[0] === 'people' && fits('people', cellsOf(at), day),
  );
  const words = heads.map((heading) => heading?.toLowerCase());
  /** "On" and "Off" are when the driver's duty begins and ends. */
  const isDuty = (heading: string | null) =>
    words.includes('on') && words.includes('off') && /^o(?:n|ff)$/i.test(heading ?? '');
  const given = heads.map((heading, at): Pick<Column, 'meaning' | 'isSure'> | null => {
    const cells = cellsOf(at);
    const before = heading === null ? undefined : remembered[heading.toLowerCase()];
    if (chosen.has(at)) return sure(chosen.get(at)!);
    if (before !== undefined && isMeaning(before)) return sure(before);
    // Ways back whose times are not known yet must not be lost.
    const isOpenBack =
      headingsOf(heading ?? '')[0] === 'back' && rows.some((row) => isOpen(row.cells[at] ?? ''));
    if (cells.length === 0 && isOpenBack) return sure('back');
    if (beside.has(at) || cells.length === 0 || isDuty(heading)) return sure('none');
    const named = headingsOf(heading ?? '').find((one) => fits(one, cells, day));
    if (named === 'ref' && isCounting(cells)) return sure('none');
    // "0615-0930" below "Start-Finish"
    if (named === 'arrives' && share(cells, (cell) => spanIn(cell) !== null) >= 0.6) return sure('time');
    // "Ex" and "For" are the two ends.
    if (/^for$/i.test(heading ?? '') && words.includes('ex') && !words.includes('to')) return sure('to');
    if (!named && headingsOf(heading ?? '').includes('back') && fits('backDate', cells, day))
      return sure('backDate');
    // The time at a place on the way, or "W/R" below "Return".
    if (!named && headingsOf(heading ?? '').some((one) => one === 'via' || one === 'back'))
      return sure('note');
    // A "Duty" can have several jobs, so it is not a reference.
    if (!named && headingsOf(heading ?? '')[0] === 'ref' && isHeads(cells) && !isOfPeople(heading))
      return sure('note');
    // A column of dates that cannot be read must not be ignored.
    if (!named && headingsOf(heading ?? '').includes('date')) return { meaning: 'date', isSure: false };
    // "No" may be the number of a vehicle, unless another column holds the vehicle.
    if (/^total$/i.test(heading ?? '') && isHeads(cells) && !hasPassengers)
      return { meaning: 'people', isSure: false };
    const isOfEither = isOfPeople(heading) && headingsOf(heading ?? '').includes('ref');
    if (isOfEither && isHeads(cells) && (named === 'people' || !hasPassengers))
      return { meaning: 'people', isSure: hasVehicle && named === 'people' };
    return named ? sure(named) : null;
  });
  const taken = new Set(given.flatMap((one) => one?.meaning ?? []));
  for (const at of beside) {
    const [named] = headingsOf(heads[at] ?? '');
    // A column that is filled in for each job may belong to the jobs, even behind a gap.
    const isFull = cellsOf(at).length >= rows.length * 0.9;
    // A list that repeats values of the jobs is a table of its own, such as the fleet.
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
  // The numbers of a fleet beside the jobs are no references. It seldom has as many lines as they.
  const vehicles = new Set(given.flatMap((one, at) => (one?.meaning === 'vehicle' ? cellsOf(at) : [])));
  const isOfFleet = (cells: readonly string[]) =>
    cells.length < rows.length && cells.every((cell) => vehicles.has(cell));
  for (const [at, one] of given.entries())
    if (one?.meaning === 'ref' && !chosen.has(at) && isOfFleet(cellsOf(at))) given[at] = sure('none');
  const columns = heads.map((heading, at): Column => {
    const open: Pick<Column, 'meaning' | 'isSure'> = { meaning: 'note', isSure: false };
    return { heading, samples: [...new Set(cellsOf(at))].slice(0, 3), ...(given[at] ?? open) };
  });
  const isFixed = (at: number) => chosen.has(at);
  anyTime(columns, rows);
  placesByTimes(columns);
  placesInTimes(columns);
  for (const at of placesOf(columns, 'trip')) endsBeside(columns, rows, at);
  byCells(columns, rows, {
    day,
    isOpen: (at) => given[at] === null && columns[at]!.meaning === 'note',
    isFixed,
  });
  chooseTime(columns, day, isFixed);
  settle(columns, rows);
  once(columns, rows, isFixed);
  // Each column of times must be of a job, or have a heading that says otherwise.
  const starts = new Set(groupsOf(columns).map(({ time }) => time));
  const [leaves = -1] = starts;
  for (const [at, { meaning, heading }] of columns.entries()) {
    const isLost =
      meaning === 'time'
        ? !starts.has(at)
        : (meaning === 'none' || meaning === 'note') &&
          !isHeading(heading ?? '') &&
          !weekdaysIn(heading ?? '');
    // A time before the time of leaving is a landing.
    const later = rows.filter(({ cells }) => {
      const [one, other] = [cells[leaves], cells[at]].map((cell) => timeIn(cell ?? '')?.local ?? '');
      return one && other && one < other;
    });
    const isOfJobs = isOfTimes(cellsOf(at)) && later.length > 1 && later.length >= cellsOf(at).length / 2;
    if (isLost && isOfJobs && !beside.has(at) && !chosen.has(at)) take(columns, at, { isSure: false });
  }
  // Cells below "Mon" and "Tue" say on which day a row runs.
  const letters = heads.map((heading) => (/^\p{L}$/u.test(heading ?? '') ? heading : ' ')).join('');
  const monday = letters.toUpperCase().indexOf('MTWTF');
  const ofDays = heads.flatMap((heading, at) =>
    dayOfHeading(heading ?? '', day) !== null || (monday >= 0 && at >= monday && at < monday + 5) ? at : [],
  );
  if (ofDays.length > 1 && !ofDays.some((at) => columns[at]!.meaning === 'time'))
    for (const at of ofDays)
      if (!chosen.has(at) && !beside.has(at)) take(columns, at, { meaning: 'note', isSure: false });
  const isByDirection = heads.some((_, at) => isOfDirections(cellsOf(at)));
  for (const at of isByDirection ? placesOf(columns, 'to') : [])
    if (!chosen.has(at) && !headingsOf(heads[at] ?? '').includes('to')) take(columns, at, { isSure: false });
  return { columns, beside };
}

/** "In" and "Out": which of two places is the start depends on it. */
const isOfDirections = (cells: readonly string[]): boolean =>
  new Set(cells).size > 1 &&
  cells.every((cell) => /^(?:in|out|inbound|outbound|arr(?:ival)?s?|dep(?:arture)?s?)$/i.test(cell));

/** "Location" behind a time is the place of that time: of the pick-up, of a stop on the way, or of the end. The same
 *  is true of the second column below "Pick up" and "Drop off" when each of these is a merged cell. */
function placesByTimes(columns: Column[]): void {
  const roles: Partial<Record<Meaning, Meaning>> = { time: 'from', note: 'via', via: 'via', arrives: 'to' };
  const merged = (['time', 'arrives'] as const).map((clock) =>
    columns.findIndex(
      ({ heading, meaning, isSure }, at) =>
        heading === null &&
        meaning === 'note' &&
        !isSure &&
        columns[at - 1]?.meaning === clock &&
        columns[at - 1]!.heading !== null,
    ),
  );
  const isMerged = (at: number) => !merged.includes(-1) && merged.includes(at);
  for (const [at, { heading, meaning, isSure }] of columns.entries()) {
    const before = columns[at - 1];
    const role = before && roles[before.meaning];
    if (!before || !role || (isSure && meaning !== 'none')) continue;
    if (!isOfAnyPlace(heading) && !isMerged(at)) continue;
    const isOfTimes = before.samples.every((cell) => timeIn(cell) !== null);
    const isTaken = role !== 'via' && placesOf(columns, role).length > 0;
    if (isOfTimes && !isTaken) take(columns, at, sure(role));
  }
}

/** "Leave school" and "Leave pool" say which of the columns "School" and "Pool" is the start. */
function placesInTimes(columns: Column[]): void {
  for (const [clock, end] of [
    ['time', 'from'],
    ['back', 'to'],
  ] as const)
    for (const at of placesOf(columns, clock)) {
      const words = columns[at]!.heading?.toLowerCase() ?? '';
      const place = columns.findIndex(
        ({ heading, meaning }) =>
          heading !== null && meaning === 'note' && words.endsWith(` ${heading.toLowerCase()}`),
      );
      if (place >= 0 && placesOf(columns, end).length === 0) take(columns, place, sure(end));
    }
}

const OF_A_JOB: readonly Meaning[] = ['vehicle', 'driver', 'ref', 'people', 'deadline', 'note'];

const sure = (meaning: Meaning) => ({ meaning, isSure: true });

/** Ignores columns of another table. If the columns around the times hold everything that a job needs, the columns
 *  behind an empty one are a list of their own. */
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
        (cells, at) =>
          (cells.length >= rows.length * 0.4 || (named('time') && named('from') && named('to'))) &&
          share(cells, (cell) => timeIn(cell) !== null) >= 0.5 &&
          (at === block[0] || headingsOf(headings?.[at] ?? '')[0] !== 'back'),
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
  columns[at] = { ...columns[at]!, ...as }; // `at` is one of the columns
};

/** "Collect" is the time of leaving if no other column is. */
function anyTime(columns: Column[], rows: readonly SheetRow[]): void {
  if (placesOf(columns, 'time').length > 0) return;
  const [other] = [
    ...placesOf(columns, 'back').filter((at) => headingsOf(columns[at]!.heading ?? '').includes('time')),
    ...placesOf(columns, 'date').filter((at) => columns[at]!.samples.every((cell) => timeIn(cell))),
  ];
  if (other !== undefined) take(columns, other, sure('time'));
  // "Kick off" over the only times: of the match, unless the rows back show that it is the coach's.
  const [only, ...more] = placesOf(columns, 'note').filter((at) => {
    const { samples, heading } = columns[at]!;
    return heading !== null && samples.length > 1 && samples.every((cell) => timeIn(cell));
  });
  if (other === undefined && only !== undefined && more.length === 0 && isHeading(columns[only]!.heading!))
    take(columns, only, { meaning: 'time', isSure: hasRowsBack(columns, rows) });
}

/** Chooses the column with the time of leaving. The other columns of times are not used. If two columns are
 *  possible, the user is asked. */
function chooseTime(columns: Column[], day: string, isFixed: (at: number) => boolean): void {
  const heading = (at: number) => columns[at]!.heading;
  for (const at of placesOf(columns, 'time'))
    if (columns[at - 1]?.meaning === 'backDate' && !isFixed(at)) take(columns, at, sure('back'));
  // A way back with places of its own is a separate trip.
  for (const at of placesOf(columns, 'back'))
    if (
      hasOwnEnds(columns, [at], 0) &&
      [...placesOf(columns, 'time'), at].every((one, _, all) =>
        hasOwnEnds(columns, all.toSorted(byNumber), one),
      )
    )
      take(columns, at, sure('time'));
  // The time of a place on the way, beside the time of leaving.
  for (const at of placesOf(columns, 'time'))
    if (
      columns[at - 1]?.meaning === 'via' &&
      isOfAnyTime(heading(at)) &&
      !isFixed(at) &&
      placesOf(columns, 'time').some(
        (other) => other !== at && columns[other - 1]?.meaning !== 'via' && timeRank(heading(other)) === 0,
      )
    )
      take(columns, at, sure('none'));
  const times = placesOf(columns, 'time');
  if (times.some(isFixed)) {
    if (times.every((at) => hasOwnEnds(columns, times, at))) return;
    for (const at of times) if (!isFixed(at)) take(columns, at, sure('none'));
    return;
  }
  // "Mon-Thu" and "Fri" have a column of times each; the one of the day counts.
  const weekdays = times.map((at) => weekdaysIn(heading(at) ?? ''));
  const [ofDay, ...more] = times.filter((_, index) => weekdays[index]?.includes(new Date(day).getUTCDay()));
  if (ofDay !== undefined && more.length === 0 && weekdays.every((days) => days !== null)) {
    for (const at of times) take(columns, at, sure(at === ofDay ? 'time' : 'none'));
    return;
  }
  // The finish of a duty that begins at the depot is not an arrival.
  if (times.some((at) => timeRank(heading(at)) === 2))
    for (const at of placesOf(columns, 'arrives')) if (isFinish(heading(at))) take(columns, at, sure('none'));
  const best = Math.min(...times.map((at) => timeRank(heading(at))));
  for (const at of times) if (timeRank(heading(at)) > best) take(columns, at, sure('none'));
  const left = placesOf(columns, 'time');
  const named = left.filter((at) => heading(at) !== null);
  if (best === 2 && left.length > 0) take(columns, left[0]!, { isSure: false });
  if (named.length < 2 || named.every((at) => hasOwnEnds(columns, left, at))) return;
  for (const [index, at] of named.entries())
    take(columns, at, index === 0 ? { isSure: false } : sure('none'));
}

const byNumber = (one: number, other: number) => one - other;

/** Whether there are two ends between this column of times and the next. */
function hasOwnEnds(columns: readonly Column[], times: readonly number[], at: number): boolean {
  const next = times.find((one) => one > at) ?? columns.length;
  const between = columns.slice(at, next).map(({ meaning }) => meaning);
  return between.includes('trip') || (between.includes('from') && between.includes('to'));
}

/** Meanings that are times or dates. A second column with one of them adds nothing to the job. */
const CLOCKS: readonly Meaning[] = ['arrives', 'back', 'backDate', 'date'];

/** Allows each meaning only once. The content of a second column goes to the note, and the user is asked if it
 *  belongs to the trip. */
function once(columns: Column[], rows: readonly JobRow[], isFixed: (at: number) => boolean): void {
  const isMany = (meaning: Meaning) => ['note', 'via', 'none', 'time'].includes(meaning);
  const starts = new Set(
    groupsOf(columns)
      .slice(1)
      .map(({ time }) => time),
  );
  let seen = new Map<string, number>();
  for (const [at, { meaning, heading }] of columns.entries()) {
    if (starts.has(at)) seen = new Map();
    if (isMany(meaning)) continue;
    const key = `${meaning}${starts.size > 0 && SIDED.includes(meaning) ? sideOf(heading) : ''}`;
    const first = seen.get(key);
    if (first === undefined) {
      seen.set(key, at);
      continue;
    }
    // The user's choice has priority, then a column whose heading says so, then the first.
    const isNamed = (one: number) =>
      (columns[one]!.heading?.toLowerCase().includes(meaning) ?? false) ||
      (meaning === 'people' && isOfPassengers(columns[one]!.heading));
    const isStronger = isFixed(first) ? false : isFixed(at) || (isNamed(at) && !isNamed(first));
    const second = isStronger ? first : at;
    if (second === first) seen.set(key, at);
    const cells = rows.map((row) => row.cells[second] ?? '').filter(isGiven);
    const isCount = meaning === 'ref' && isHeads(cells) && isOfPeople(columns[second]!.heading);
    const hasPeople = columns.some((column) => column.meaning === 'people');
    const isPeople = isCount && !hasPeople;
    const isBackDate =
      meaning === 'date' && [second - 1, second + 1].some((near) => columns[near]?.meaning === 'back');
    const [back = -1] = placesOf(columns, 'back');
    const isBehind = (back > first && second > back) || sideOf(columns[second]!.heading) === 1;
    const isOfBack = back >= 0 && isBehind && (meaning === 'driver' || meaning === 'vehicle');
    if (isOfBack) take(columns, second, sure(meaning === 'driver' ? 'backDriver' : 'backVehicle'));
    else if (isPeople) take(columns, second, { meaning: 'people', isSure: false });
    else if (isBackDate) take(columns, second, sure('backDate'));
    else if (meaning === 'back') {
      // The later one is when it is home again.
      const local = (row: SheetRow, one: number) => timeIn(row.cells[one] ?? '')?.local ?? '';
      const both = rows.filter((row) => local(row, first) && local(row, at));
      const isBefore = (one: number, other: number) =>
        both.every((row) => local(row, one) < local(row, other));
      const isOrdered = isFixed(second === first ? at : first) || isBefore(first, at) || isBefore(at, first);
      const home = !isFixed(first) && isBefore(at, first) ? first : at;
      take(columns, home, sure('none'));
      take(columns, home === at ? first : at, { meaning, isSure: isOrdered && both.length > 0 });
      seen.set(key, home === at ? first : at);
    } else if (CLOCKS.includes(meaning)) take(columns, second, sure('none'));
    else take(columns, second, { meaning: 'note', isSure: !ENDS.includes(meaning) });
  }
}

const isOfPeople = (heading: string | null) => headingsOf(heading ?? '').includes('people');

/** Whether the cells count 1, 2, 3. The next sheet of the day has the same numbers, so they are not references. */
const isCounting = (cells: readonly string[]) =>
  cells.every((cell, index) => Number(cell.replace(/^(?:job|trip|run) /i, '')) === index + 1);
/** Whether the cells are numbers of people that a coach can take. */
const isHeads = (cells: readonly string[]) =>
  share(cells, (cell) => /^\d{1,3}$/.test(cell) && Number(cell) <= 120) >= 0.8;
/** Whether the cells agree with a heading. A heading is believed unless its cells clearly hold something else. */
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
    case 'via':
      return share(cells, (cell) => timeIn(cell) === null && /\p{L}/u.test(cell)) >= 0.6;
    case 'trip':
      return share(cells, (cell) => /\p{L}{3}/u.test(cell)) >= 0.6;
    case 'people':
      return share(cells, (cell) => /(?<!\d)\d{1,4}(?!\d)/.test(cell) && !isSize(cell)) >= 0.4;
    case 'ref':
      return (
        share(cells, (cell) => endsOf(cell) !== null || /^\d{1,2}[:.]\d{2}$/.test(cell)) < 0.5 &&
        (share(cells, hasDigit) >= 0.3 || !cells.some(isFirstName)) &&
        !(isHeads(cells) && new Set(cells).size < cells.length)
      );
    case 'driver':
      return share(cells, (cell) => vehicleAlone(cell) !== null || MAKES.test(cell)) < 0.5;
    default:
      return true;
  }
}

/**
 * The meanings of columns without a heading, and of remarks when the sheet has no columns for the ends of its trips.
 */
function byCells(
  columns: Column[],
  rows: readonly JobRow[],
  {
    day,
    isOpen,
    isFixed,
  }: { day: string; isOpen: (at: number) => boolean; isFixed: (at: number) => boolean },
): void {
  const given = (at: number) => rows.map(({ cells }) => cells[at] ?? '').filter(isGiven);
  const has = (meaning: Meaning) => placesOf(columns, meaning).length > 0;
  const open = columns.flatMap((_, at) => (isOpen(at) ? at : []));
  const isTimed = has('time');
  // Beside times such as "06:10" bare numbers are no times.
  const isWritten = (at: number) => share(given(at), (cell) => /^\d+$/.test(cell)) < 0.9;
  const written = [...placesOf(columns, 'time'), ...open.filter((at) => isOfTimes(given(at)))].some(
    isWritten,
  );
  const times = open.filter((at) => isOfTimes(given(at)) && (isWritten(at) || !written));
  const [leaves = -1] = placesOf(columns, 'time').toSorted(
    (one, other) => timeRank(columns[one]!.heading) - timeRank(columns[other]!.heading),
  );
  for (const at of times) {
    const isNamed = columns[at]!.heading !== null;
    // Before it leaves there is something else, such as a landing.
    const local = (row: SheetRow, one: number) => timeIn(row.cells[one] ?? '')?.local ?? '';
    const both = rows.filter((row) => local(row, at) !== '' && local(row, leaves) !== '');
    const isEarlier = both.filter((row) => local(row, at) < local(row, leaves)).length > both.length / 2;
    if (isNamed && isTimed && isEarlier) take(columns, at, sure('note'));
    else if (!isNamed || !isTimed)
      take(columns, at, { meaning: 'time', isSure: !isNamed || times.length === 1 });
    else
      take(columns, at, {
        meaning: (['back', 'arrives', 'note'] as const).find((one) => !has(one)) ?? 'note',
        isSure: false,
      });
  }
  // "Pick ups" are stops on the way only beside the column of the first pick-up.
  const [ups] = placesOf(columns, 'via').filter((at) => isOfPickUps(columns[at]!.heading));
  if (ups !== undefined && !has('from') && !has('trip')) take(columns, ups, sure('from'));
  const isWhole = has('trip') || (has('from') && has('to'));
  /** Columns of remarks by their headings. They may be an end of the trip if no other column is. */
  const remarks = columns.flatMap(({ heading, meaning }, at) => {
    const isOfWords = share(given(at), (cell) => /\p{L}{3}/u.test(cell)) >= 0.8;
    const isSoft =
      (meaning === 'note' && !isRemark(heading)) || (meaning === 'ref' && !given(at).some(hasDigit));
    return !isWhole && heading !== null && isSoft && isOfWords && !isFixed(at) && !open.includes(at)
      ? at
      : [];
  });
  const kinds = has('vehicle')
    ? []
    : columns.flatMap(({ heading }, at) => (isVehicleKind(heading) ? at : []));
  const crews = has('driver')
    ? []
    : columns.flatMap(({ heading }, at) => (isOfAnyCrew(heading) && !isFixed(at) ? at : []));
  const others = open.filter((at) => !times.includes(at));
  const texts = [...others, ...remarks].filter(
    (at) => share(given(at), (cell) => /\p{L}{2}/u.test(cell)) >= 0.8,
  );
  const isUnsaid = (at: number) => [others, remarks, crews].some((some) => some.includes(at));
  const said = new Set(columns.flatMap(({ meaning }, at) => (isUnsaid(at) ? [] : meaning)));
  for (const field of ['vehicle', 'driver'] as const)
    if (rows.some(({ group }) => group[field] !== '')) said.add(field);
  const asked = [...new Set([...others, ...remarks, ...kinds, ...crews])].toSorted(
    (one, other) => one - other,
  );
  // Pupils go from their school to the pool.
  const isOfSwimming = columns.some(({ heading }) => /^(?:swimming )?(?:pool|baths)$/i.test(heading ?? ''));
  let roles = new Map<number, Role>();
  // Two rounds, because the first finds the drivers, which in the second separate the numbers of vehicles from
  // numbers of people.
  for (let round = 0; round < 2; round++) {
    const known = roles;
    const of = (meaning: Meaning) =>
      columns.flatMap((column, at) =>
        (known.get(at)?.meaning ?? (others.includes(at) ? 'note' : column.meaning)) === meaning ? at : [],
      );
    const around = aroundOf(rows, day, of, texts);
    const fitsAt = (at: number): OpenColumn['fits'] => {
      const fits = fitsOf(at, around);
      const { heading } = columns[at]!;
      if (kinds.includes(at)) return { vehicle: 2 };
      if (crews.includes(at))
        return (fits.driver ?? 0) > 0 && new Set(given(at)).size < given(at).length ? { driver: 3 } : {};
      if (!remarks.includes(at)) return fits;
      const less = isOfVenue(heading) ? 0 : 2;
      // Pupils are taken to their school, and back.
      const isNone = (end: Meaning) =>
        fits[end] === undefined || (end === 'from' && isSchool(heading) && !has('to'));
      const ends = ENDS.flatMap((end) => (isNone(end) ? [] : [[end, fits[end]! - less]]));
      return Object.fromEntries(ends) as OpenColumn['fits'];
    };
    roles = rolesOf(
      asked.map((at) => ({ at, fits: fitsAt(at) })),
      said,
    );
  }
  // In the afternoon pupils are taken home, so a "Pick up" may then be the place where they get off.
  const isPlain = (at: number) =>
    isSchool(columns[at]!.heading) &&
    !isOfSwimming &&
    texts.every(
      (one) =>
        one === at || remarks.includes(one) || (roles.get(one)?.isSure && roles.get(one)?.meaning !== 'note'),
    ) &&
    (has('to') ||
      share(
        given(placesOf(columns, 'time')[0] ?? -1),
        (cell) => (timeIn(cell)?.local ?? '12:00') < '12:00',
      ) >= 0.9);
  // Rows back show it: the start of one is the end of another.
  const isOtherEnd = (at: number, end: Meaning) => {
    const starts = new Set(placesOf(columns, end === 'to' ? 'from' : 'to').flatMap(given));
    return share([...new Set(given(at))], (cell) => starts.has(cell)) >= 0.5;
  };
  for (const [at, role] of roles) {
    const isKept = role.meaning === 'note' && !others.includes(at);
    const isNothing = role.meaning === 'note' && given(at).every((cell) => NOTHING.test(cell));
    // Some cells are times, as for a way back that only a few jobs have.
    const isOfSome =
      role.meaning === 'note' && share(given(at), (cell) => timeIn(cell) !== null && /\D/.test(cell)) >= 0.2;
    if (isOfSome) take(columns, at, { meaning: has('back') ? 'note' : 'back', isSure: false });
    else if (!isKept)
      take(columns, at, {
        ...role,
        meaning: isNothing ? 'none' : role.meaning,
        isSure: role.isSure && (!remarks.includes(at) || isPlain(at) || isOtherEnd(at, role.meaning)),
      });
  }
}

/** Numbers, money and ticks that nothing names say nothing in a note. */
const NOTHING = /^(?:[£\d.,: ]*|y|n|yes|no|x|✓)$/i;
/** "53 str", "16 seats" */
const isSize = (cell: string) => /^\d{1,2}[- ]?(?:str|seat(?:er|s)?)s?$/i.test(cell);
const hasDigit = (cell: string) => /\d/.test(cell);

/** Whether the end of one row is the start of another that goes to the start of the first. */
function hasRowsBack(columns: readonly Column[], rows: readonly SheetRow[]): boolean {
  const [from = -1] = placesOf(columns, 'from');
  const [to = -1] = placesOf(columns, 'to');
  const trips = new Set(rows.map(({ cells }) => `${cells[from]}\t${cells[to]}`));
  return from >= 0 && to >= 0 && rows.some(({ cells }) => trips.has(`${cells[to]}\t${cells[from]}`));
}

/** Decides columns beside each other: two places are from and to, and one of two times is the arrival. */
function settle(columns: Column[], rows: readonly SheetRow[]): void {
  const has = (meaning: Meaning) => placesOf(columns, meaning).length > 0;
  const given = (at: number) => rows.map(({ cells }) => cells[at] ?? '').filter(isGiven);
  const [first = -1, second = -1, ...more] = placesOf(columns, 'time');
  const isReturned = hasRowsBack(columns, rows);
  // A second trip has two ends of its own.
  const endsFrom = (from: number, to?: number) =>
    columns.slice(from, to).filter(({ meaning }) => ENDS.includes(meaning));
  const isTrip = (ends: readonly Column[]) => ends.length > 1 || ends[0]?.meaning === 'trip';
  const isOneTrip = !(isTrip(endsFrom(0, second)) && isTrip(endsFrom(second)));
  if (second >= 0 && more.length === 0 && isOneTrip && columns[second]!.heading === null) {
    const isNamed = columns[first]!.heading !== null;
    // Side by side, the first of two times may also be that of the yard.
    const isBetween = isReturned && endsFrom(first, second).length > 0;
    take(columns, second, laterTime(rows, first, second, isNamed || isBetween));
  }
  // If the sheet has the rows back, a time of another name is no way back.
  for (const at of placesOf(columns, 'back'))
    if (!columns[at]!.isSure && isReturned && !has('arrives')) {
      const later = laterTime(rows, first, at, true);
      if (later.isSure) take(columns, at, later);
    }
  // A time before the time of leaving is the arrival of something else, such as a flight.
  for (const at of placesOf(columns, 'arrives')) {
    const both = rows.flatMap(({ cells }) => {
      const [leaves, arrives] = [timeIn(cells[first] ?? ''), timeIn(cells[at] ?? '')];
      return leaves && arrives && leaves.local < '18:00'
        ? arrives.local < leaves.local && !arrives.isLoose
        : [];
    });
    const isNamed = columns[at]!.heading !== null;
    if (isNamed && both.length > 0 && both.filter(Boolean).length >= both.length / 2)
      take(columns, at, sure('note'));
  }
  const [, again] = groupsOf(columns);
  if (/\b2\b/.test(columns[again?.time ?? -1]?.heading ?? ''))
    for (const [at, { meaning, heading }] of columns.entries())
      if (meaning === 'note' && /\bdriver 2$/i.test(heading ?? '')) take(columns, at, sure('driver'));
  // If a sheet names only one end and has the trip in words, both ends are in the words.
  if (has('from') && has('to'))
    for (const at of placesOf(columns, 'trip')) {
      const isOfVehicles = !has('vehicle') && share(given(at), isVehicle) >= 0.8;
      take(columns, at, sure(isOfVehicles ? 'vehicle' : 'note'));
    }
}

const ENDS: readonly Meaning[] = ['from', 'to', 'trip'];

/** A later column of times is asked about as the way back if it is on a later day, or hours later in each row: it may
 *  also be the end of a long trip, or of a duty. Otherwise it is taken as the arrival, and the user may be asked. */
function laterTime(
  rows: readonly SheetRow[],
  first: number,
  second: number,
  isNamed: boolean,
): Pick<Column, 'meaning' | 'isSure'> {
  const cell = (row: SheetRow, at: number) => row.cells[at] ?? '';
  const gaps = rows.flatMap((row) => {
    const [leaves, later] = [timeIn(cell(row, first)), timeIn(cell(row, second))];
    return leaves && later ? minutesOf(later.local) - minutesOf(leaves.local) : [];
  });
  const isOfDays = rows.some((row) => {
    const [day, other] = [first, second].map((at) => dayOfTime(cell(row, at), '2026-01-01'));
    return day && other && day < other;
  });
  const isLong = (gap: number) => gap >= BACK_FROM_MIN;
  if (isOfDays || (gaps.length > 0 && gaps.every(isLong))) return { meaning: 'back', isSure: false };
  const isRising = gaps.length > 2 && gaps.filter((gap) => gap > 0).length >= rows.length * 0.9;
  const isSure = isNamed && isRising && !gaps.some(isLong);
  return { meaning: 'arrives', isSure };
}
/** Makes this column and the next the two ends of the trip. */
function takeEnds(columns: Column[], at: number, isSure: boolean): void {
  take(columns, at, { meaning: 'from', isSure });
  take(columns, at + 1, { meaning: 'to', isSure });
}

/** If the cells of a trip hold only one place, the other end is in the column beside it: "Journey" over two columns.
 *  Otherwise the user is asked. */
function endsBeside(columns: Column[], rows: readonly SheetRow[], at: number): void {
  const trips = rows.map(({ cells }) => cells[at] ?? '').filter(isGiven);
  if (columns[at]!.meaning !== 'trip' || share(trips, hasEnds) >= 0.5) return;
  const beside = columns[at + 1];
  const isOver = beside?.heading === columns[at]!.heading;
  if (beside && (isOver || (beside.heading === null && beside.meaning === 'note')))
    takeEnds(columns, at, isOver);
  else if (trips.some((cell) => /\p{L}/u.test(cell))) take(columns, at, { isSure: false });
}

export function askedOf(columns: readonly Column[], rows: readonly SheetRow[]): string[] {
  if (rows.length === 0) return ['There is no row with a job.'];
  const has = (meaning: Meaning) => columns.some((column) => column.meaning === meaning);
  const asked: string[] = [];
  if (!has('time')) asked.push('Which column has the times?');
  if (!has('trip') && !(has('from') && has('to'))) asked.push('Which columns say from where and to where?');
  for (const [index, column] of columns.entries())
    if (isAskedAbout(column)) asked.push(`Is column ${index + 1} “${MEANINGS[column.meaning]}”?`);
  return asked;
}

/** Meanings without which a trip is the same. A guess at one of them is shown, and the user can change it. */
const BESIDE_TRIP: readonly Meaning[] = ['ref', 'vehicle', 'driver', 'people'];

export const isAskedAbout = ({ isSure, meaning }: Column): boolean =>
  !isSure && !BESIDE_TRIP.includes(meaning);

/** The columns of one trip. A line with two trips has two groups. */
export interface Group {
  time: number;
  of: Readonly<Partial<Record<Meaning, number>>>;
  date: number;
}

/** The groups of columns. A second column of times with ends of its own begins a second trip of the line. A vehicle
 *  or people that only one of the two trips has belong to both, unless the heading names its trip. */
export function groupsOf(columns: readonly Column[]): Group[] {
  const meanings = columns.map(({ meaning }) => meaning);
  const times = meanings.flatMap((meaning, at) => (meaning === 'time' ? at : []));
  const starts = times.filter(
    (at, index) =>
      index === 0 ||
      meanings.slice(at, times[index + 1] ?? meanings.length).some((one) => ENDS.includes(one)),
  );
  const isTwo = starts.length === 2 && sideOf(columns[starts[0]!]!.heading) !== 1;
  const sides = columns.map(({ heading, meaning }) =>
    isTwo && SIDED.includes(meaning) ? sideOf(heading) : -1,
  );
  // Ends before the only time belong to it.
  return starts.map((time, index) => {
    const isOfOther = (at: number) => sides[at]! >= 0 && sides[at] !== index;
    const from = index === 0 ? 0 : time;
    const to = starts[index + 1] ?? meanings.length;
    const of: Partial<Record<Meaning, number>> = {};
    for (const [at, one] of meanings.entries()) if (sides[at] === index) of[one] ??= at;
    for (let at = from; at < to; at++) if (!isOfOther(at)) of[meanings[at]!] ??= at;
    for (const shared of SHARED) {
      const at = meanings.findIndex((one, column) => one === shared && !isOfOther(column));
      if (at >= 0) of[shared] ??= at;
    }
    return { time, of, date: of.date ?? -1 };
  });
}

/** Meanings that each of two trips of a line may have for itself. */
const SIDED: readonly Meaning[] = ['vehicle', 'driver', 'people'];
const SHARED: readonly Meaning[] = ['date', 'ref', 'vehicle', 'driver', 'people'];
