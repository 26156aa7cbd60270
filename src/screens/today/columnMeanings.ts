/** Meanings of a day sheet's columns, by their headings and by their cells. What is doubtful is not sure, and so is asked. */
import {
  dayIn,
  dayOfRun,
  deadlineIn,
  endsOf,
  hasPlate,
  isFirstName,
  isGiven,
  isRegistration,
  weekdaysIn,
  type SheetRow,
  isVehicle,
  timeIn,
  tripEnds,
} from './sheetCells.ts';
import {
  headingsOf,
  isFinish,
  isMeaning,
  isOfAnyPlace,
  isOfPassengers,
  isOfPickUps,
  isOfVenue,
  isSchool,
  isVehicleKind,
  type Meaning,
  MEANINGS,
  timeRank,
} from './sheetHeadings.ts';
import type { JobRow } from './sheetRows.ts';

export interface Column {
  heading: string | null;
  /** Three of its cells, to see what it holds. */
  samples: string[];
  meaning: Meaning;
  /** False: guessed from cells that may mean something else, and so asked. */
  isSure: boolean;
}

/** Meanings that the person or the last sheet decided, by the column's place. */
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
  const given = heads.map((heading, at): Pick<Column, 'meaning' | 'isSure'> | null => {
    const cells = cellsOf(at);
    const before = heading === null ? undefined : remembered[heading.toLowerCase()];
    if (chosen.has(at)) return sure(chosen.get(at)!);
    if (before !== undefined && isMeaning(before)) return sure(before);
    if (beside.has(at) || cells.length === 0) return sure('none');
    const named = headingsOf(heading ?? '').find((one) => fits(one, cells, day));
    if (named === 'ref' && isCounting(cells)) return sure('none');
    // When the coach is at a place on the way, or "W/R" below "Return".
    if (!named && headingsOf(heading ?? '').some((one) => one === 'via' || one === 'back'))
      return sure('note');
    // "Duty" of several jobs.
    if (!named && headingsOf(heading ?? '')[0] === 'ref' && isHeads(cells) && !isOfPeople(heading))
      return sure('note');
    // A column of dates that cannot be read is not passed over.
    if (!named && headingsOf(heading ?? '').includes('date')) return { meaning: 'date', isSure: false };
    // "No" may be that of a vehicle, unless the vehicle is said elsewhere.
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
    const said = given[at] ?? byContent(cells, day, heading !== null, taken);
    // "Lead pax" over names.
    const isOfNames =
      given[at] === null && headingsOf(heading ?? '').length > 0 && share(cells, isText) >= 0.8;
    const found = said.meaning === 'none' && isOfNames ? sure('note') : said;
    return { heading, samples: [...new Set(cells)].slice(0, 3), ...found };
  });
  const isFixed = (at: number) => chosen.has(at);
  placesByTimes(columns);
  chooseTime(columns, day, isFixed);
  settle(columns, rows);
  // Once the trip is known, what nothing is known of is a remark.
  const isWhole =
    placesOf(columns, 'trip').length > 0 ||
    placesOf(columns, 'from').length * placesOf(columns, 'to').length > 0;
  if (isWhole) namesAndNumbers(columns, rows);
  for (const [at, { heading, meaning, isSure, samples }] of columns.entries())
    if (
      isWhole &&
      !(meaning === 'driver' && !isSure) &&
      share(cellsOf(at), hasEnds) < 0.6 &&
      heading === null &&
      !beside.has(at) &&
      !isFixed(at) &&
      (meaning === 'note' || (meaning === 'none' && samples.some((cell) => /\p{L}{3}/u.test(cell))))
    )
      take(columns, at, sure('note'));
  once(columns, rows, isFixed);
  return { columns, beside };
}

/** "Location" behind a time is where that is: of the pick-up, of one on the way, or of the end. So is what "Pick up" and "Drop
 *  off" stand over as well, each in a merged cell. */
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

/** The column of times when the job leaves, of several; the others are not used. Where two may be that, it is asked. */
function chooseTime(columns: Column[], day: string, isFixed: (at: number) => boolean): void {
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
  // "Mon-Thu" and "Fri" have a time each: that of the day counts.
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

/** Between this column of times and the next there is from where and to where. */
function hasOwnEnds(columns: readonly Column[], times: readonly number[], at: number): boolean {
  const next = times.find((one) => one > at) ?? columns.length;
  const between = columns.slice(at, next).map(({ meaning }) => meaning);
  return between.includes('trip') || (between.includes('from') && between.includes('to'));
}

/** Meanings that go by the clock: a second one of them says nothing of the job. */
const CLOCKS: readonly Meaning[] = ['arrives', 'back', 'backDate', 'date'];

/** Two columns of one meaning: what the second holds is kept in the note, and asked about where it is of the trip. */
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
    // The person's choice stands, else what is named so, else what comes first.
    const isNamed = (one: number) =>
      (columns[one]!.heading?.toLowerCase().includes(meaning) ?? false) ||
      (meaning === 'people' && isOfPassengers(columns[one]!.heading));
    const isStronger = isFixed(first) ? false : isFixed(at) || (isNamed(at) && !isNamed(first));
    const second = isStronger ? first : at;
    if (second === first) seen.set(meaning, at);
    const cells = rows.map((row) => row.cells[second] ?? '').filter(isGiven);
    const isCount = meaning === 'ref' && isHeads(cells) && isOfPeople(columns[second]!.heading);
    const hasPeople = columns.some((column) => column.meaning === 'people');
    const isPlace = ENDS.includes(meaning);
    const isPeople = isCount && !hasPeople;
    const isBackDate =
      meaning === 'date' && [second - 1, second + 1].some((near) => columns[near]?.meaning === 'back');
    if (isPeople) take(columns, second, { meaning: 'people', isSure: false });
    else if (isBackDate) take(columns, second, sure('backDate'));
    else if (CLOCKS.includes(meaning)) take(columns, second, sure('none'));
    else take(columns, second, { meaning: 'note', isSure: !isPlace });
  }
}

const isOfPeople = (heading: string | null) => headingsOf(heading ?? '').includes('people');

const share = (cells: readonly string[], test: (cell: string) => boolean) =>
  cells.length === 0 ? 0 : cells.filter(test).length / cells.length;

/** 1, 2, 3: the same numbers stand on the next sheet of the day, so that they are no references. */
const isCounting = (cells: readonly string[]) => cells.every((cell, index) => Number(cell) === index + 1);
/** As many as a coach takes. */
const isHeads = (cells: readonly string[]) =>
  share(cells, (cell) => /^\d{1,3}$/.test(cell) && Number(cell) <= 120) >= 0.8;
const PEOPLE_ALONE = /^\d{1,3} ?(?:pax|px|passengers|people|pupils|guests)$/i;
const isText = (cell: string) => /\p{L}{3}/u.test(cell) && timeIn(cell) === null;
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
    case 'via':
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

/** Meaning by its cells, where no heading has one. No second column of a meaning that a heading has. */
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
  // A second one may be the work of another driver.
  if (of(hasEnds) >= 0.6) return isFree('trip', 'from') ? sure('trip') : asked('note');
  if (of((cell) => deadlineIn(cell) !== null) >= 0.6) return sure(isFree('deadline') ? 'deadline' : 'note');
  if (
    isFree('vehicle') &&
    of((cell) => isRegistration(cell) && !isNumber(cell) && /[A-Z]/i.test(cell)) >= 0.6 &&
    of((cell) => /^[A-Z]{2}\d{2} ?[A-Z]{3}$|^[A-Z]\d{1,3} ?[A-Z]{3}$/i.test(cell)) >= 0.3
  )
    return sure('vehicle');
  if (!hasHeading && of(isVehicle) >= 0.8) return sure('vehicle');
  if (!hasHeading && of((cell) => PEOPLE_ALONE.test(cell)) >= 0.8) return sure('people');
  if (isFree('people') && of(isNumber) >= 0.9 && of((cell) => Number(cell) > 0 && Number(cell) <= 120) >= 0.8)
    return asked('people');
  // Small numbers below a heading that nobody knows are of anything.
  const isLikeRef = (cell: string) => isRef(cell) && (!hasHeading || /[A-Z]|\d{4}/i.test(cell));
  const fresh = new Set(cells).size / Math.max(1, cells.length);
  // A way back has the reference of the way out.
  const isOfLetters = of((cell) => /^[A-Z]{1,5}[-/ ]?\d{3,}/.test(cell)) >= 0.9;
  if (isFree('ref') && of(isLikeRef) >= 0.7 && fresh >= (isOfLetters ? 0.5 : 0.8)) return sure('ref');
  if (!hasHeading && areFirstNames(cells)) return sure('driver');
  if (isFree('driver') && (of(isPerson) >= 0.6 || areFirstNames(cells) || areInitials(cells)))
    return asked('driver');
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
  // Before it leaves there is something else that arrives, such as a flight.
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
  const [kind] = columns.flatMap(({ heading }, at) => (isVehicleKind(heading) ? at : []));
  if (kind !== undefined && !has('vehicle') && columns[kind]!.meaning === 'note')
    take(columns, kind, sure('vehicle'));
  // A small number right behind the driver is rather that of the vehicle.
  const [driver = -2] = placesOf(columns, 'driver');
  const beside = columns[driver + 1];
  if (!has('vehicle') && beside?.heading === null && beside.meaning === 'people')
    take(columns, driver + 1, { meaning: 'vehicle', isSure: false });
  // "Pick ups" are those on the way only beside the first of them.
  const [ups] = placesOf(columns, 'via').filter((at) => isOfPickUps(columns[at]!.heading));
  if (ups !== undefined && !has('from') && !has('trip')) take(columns, ups, sure('from'));
  // Without a way back in the same line these are remarks.
  for (const at of [...placesOf(columns, 'backVehicle'), ...placesOf(columns, 'backDriver')])
    if (!has('back')) take(columns, at, sure('note'));
  for (const at of placesOf(columns, 'trip')) endsBeside(columns, rows, at);
  // A sheet with one named end and a trip in words has its ends in the words.
  if (has('from') && has('to'))
    for (const at of placesOf(columns, 'trip')) {
      const isOfVehicles = !has('vehicle') && share(given(at), isVehicle) >= 0.8;
      take(columns, at, sure(isOfVehicles ? 'vehicle' : 'note'));
    }
  // Texts that nothing is known of: of several, the first two neighbours are the ends of the trip.
  const texts = columns.flatMap(({ heading, meaning, isSure }, index) => {
    const isOpen =
      heading === null ? !isSure && (meaning === 'note' || meaning === 'driver') : meaning === 'none';
    const isNamed = headingsOf(heading ?? '').length > 0;
    return isOpen && !isNamed && share(given(index), (cell) => /\p{L}{2}/u.test(cell)) >= 0.8 ? index : [];
  });
  // "Job" over words alone is rather what the job is than its number.
  for (const at of placesOf(columns, 'ref')) {
    const isOfWords = share(given(at), (cell) => /\p{L}{3}/u.test(cell) && !/\d/.test(cell)) >= 0.8;
    const end = has('from') ? 'to' : 'from';
    if (!isOfWords || has('trip') || (has('from') && has('to'))) continue;
    take(columns, at, { meaning: end, isSure: false });
    if (end === 'from' && columns[at + 1]?.heading === null)
      take(columns, at + 1, { meaning: 'to', isSure: false });
  }
  // "From" and "For" are the two ends.
  const [aim] = columns.flatMap(({ heading }, at) => (/^for$/i.test(heading ?? '') ? at : []));
  if (aim !== undefined && columns[aim]!.meaning === 'note' && has('from') && !has('to') && !has('trip'))
    take(columns, aim, { meaning: 'to', isSure: false });
  // One end alone: what a school or a tour is called is often the other, else a text right beside it.
  const known = columns.findIndex(({ meaning }) => meaning === 'from' || meaning === 'to');
  const venue = columns.findIndex(({ heading }) => isOfVenue(heading));
  const end =
    venue + 1 ||
    texts.find((index) => Math.abs(index - known) === 1 && !isOfAnyPlace(columns[known]?.heading ?? null))! +
      1;
  if (end > 0 && !has('trip') && has('from') !== has('to'))
    take(columns, end - 1, {
      meaning: has('from') ? 'to' : 'from',
      isSure:
        isSchool(columns[end - 1]!.heading) &&
        texts.every((at) => at === venue) &&
        (has('to') || isOfMorning(given(first))),
    });
  if (ENDS.some(has)) return;
  // A way back has the two in turn, as nothing else has.
  const isInTurn = (index: number) => {
    const ways = new Set(rows.map(({ cells }) => `${cells[index]}\t${cells[index + 1]}`));
    return rows.some(({ cells }) => ways.has(`${cells[index + 1]}\t${cells[index]}`));
  };
  const neighbours = texts.filter((index) => texts.includes(index + 1));
  const one = neighbours.find(isInTurn) ?? neighbours[0];
  if (one === undefined) return;
  const isBack = isInTurn(one);
  const isNamed = columns[one]!.heading !== null;
  takeEnds(columns, one, !isNamed && (texts.length === 2 || isBack));
  const [vehicle] = placesOf(columns, 'vehicle');
  if (!isBack || vehicle === undefined) return;
  const behind = columns[vehicle + 1];
  const names = given(vehicle + 1);
  const isOfNames = share(names, isGivenName) >= 0.8 && new Set(names).size > 1;
  // Other names may as well be those of customers.
  const isSure = areFirstNames(names);
  if (behind && texts.includes(vehicle + 1) && isOfNames)
    take(columns, vehicle + 1, { meaning: 'driver', isSure });
  const [people, ...others] = placesOf(columns, 'people');
  if (people !== undefined && others.length === 0 && columns[people]!.heading === null)
    take(columns, people, sure('people'));
}

/** Once the trip is known, names alone may be those of the drivers, and beside a registration numbers are those of people
 *  unless each vehicle has one of them. */
function namesAndNumbers(columns: Column[], rows: readonly JobRow[]): void {
  const given = (at: number) => rows.map(({ cells }) => cells[at] ?? '').filter(isGiven);
  const bare = (meaning: Meaning) => placesOf(columns, meaning).filter((at) => columns[at]!.heading === null);
  const isSaid = rows.some(({ group }) => group.driver !== '') || placesOf(columns, 'driver').length > 0;
  const [names] = bare('note').filter(
    (at) => share(given(at), (cell) => NAMES.test(cell)) >= 0.75 && share(given(at), isTitled) < 0.5,
  );
  if (!isSaid && names !== undefined) take(columns, names, { meaning: 'driver', isSure: false });
  const [people, ...others] = bare('people');
  const [vehicle] = placesOf(columns, 'vehicle');
  if (people === undefined || others.length > 0 || vehicle === undefined) return;
  if (share(given(vehicle), hasPlate) < 0.8) return;
  const pairs = new Set(rows.map(({ cells }) => `${cells[vehicle]}\t${cells[people]}`));
  const isOfVehicle = Math.abs(people - vehicle) === 1 && pairs.size === new Set(given(vehicle)).size;
  if (!isOfVehicle) take(columns, people, sure('people'));
}

const NAMES = /^\p{Lu}[\p{L}.'’-]*(?: \p{Lu}[\p{L}.'’-]*){0,2}$/u;
const isTitled = (cell: string) => /^(?:mr|mrs|ms|miss|dr|rev)\b/i.test(cell);

/** Pupils are taken home in the afternoon, so that a "Pick up" there may be where they get off. */
const isOfMorning = (times: readonly string[]) =>
  share(times, (cell) => (timeIn(cell)?.local ?? '12:00') < '12:00') >= 0.9;

const areFirstNames = (cells: readonly string[]) => share([...new Set(cells)], isFirstName) >= 0.5;

/** "KN", "DW", each of several jobs. */
const areInitials = (cells: readonly string[]) =>
  share(cells, (cell) => /^[A-Z]{2,3}$/.test(cell)) >= 0.9 &&
  new Set(cells).size > 1 &&
  new Set(cells).size < cells.length;

const isGivenName = (cell: string) => /^\p{Lu}[\p{L}'’-]+(?: \p{Lu}\.?)?$/u.test(cell);

const ENDS: readonly Meaning[] = ['from', 'to', 'trip'];

/** This column and the next are from where and to where. */
function takeEnds(columns: Column[], at: number, isSure: boolean): void {
  take(columns, at, { meaning: 'from', isSure });
  take(columns, at + 1, { meaning: 'to', isSure });
}

/** Two ends, also where it is asked what a second dash sets apart. */
const hasEnds = (cell: string) =>
  / [-–—] .+ [-–—] |(?:→|⇒|>).+(?:→|⇒|>)/.test(cell) ||
  (tripEnds(cell)?.every((end) => !isRegistration(end)) ?? false);

/** A trip whose cells are one place has its other end in the column beside it: "Journey" over two columns. Else it is asked. */
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
  const doubtful = columns.flatMap(({ meaning, isSure }, index) => (isSure ? [] : [{ meaning, index }]));
  for (const { meaning, index } of doubtful) asked.push(`Is column ${index + 1} “${MEANINGS[meaning]}”?`);
  return asked;
}

/** The columns of one trip; a line that has two trips has two of them. */
export interface Group {
  time: number;
  of: Readonly<Partial<Record<Meaning, number>>>;
  date: number;
}

/** A second column of times with ends of its own begins a second trip of the line; what only one of them says of the vehicle
 *  or the people is common to both. */
export function groupsOf(columns: readonly Column[]): Group[] {
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

const SHARED: readonly Meaning[] = ['date', 'ref', 'vehicle', 'driver', 'people'];
