/** A day sheet as it is understood: the job of each row, by the meanings of its columns. Doubts become questions to
 *  the user, and everything that is left out is reported; nothing is decided silently. */
import { DAY_FULL, JOB_LIMITS } from '#contract/watches/jobs.ts';
import { dayAfter } from '#contract/watches/departures.ts';
import { counted } from '#contract/numbers.ts';
import {
  dayIn,
  dayOfRun,
  dayOfTime,
  daysWithin,
  isAbroad,
  isGiven,
  isNightOf,
  isOtherWeekday,
  later,
  timeIn,
  weekdayIn,
  weekdayNear,
} from './sheetCells.ts';
import { rowsOfText, type SheetRow } from './sheetText.ts';
import { isRemark, MEANINGS } from './headingWords.ts';
import { tripLines } from './sheetProse.ts';
import type { JobRow } from './groupLines.ts';
import { sheetRows } from './sheetRows.ts';
import { asOneTrip, NOT_READ, oddEnd, pickUpRuns, UNREAD, unusedLine } from './sheetGuard.ts';
import {
  askedOf,
  type Chosen,
  type Column,
  columnsOf,
  type Group,
  groupsOf,
  isAskedAbout,
} from './columnMeanings.ts';
import {
  dayWords,
  type Doubt,
  noon,
  plain,
  readRow,
  type ReadRow,
  short,
  wayOf,
  WEEKDAY,
} from './sheetJobs.ts';

export interface Sheet {
  columns: Column[];
  /** The rows without headings, titles and totals. */
  rows: ReadRow[];
  /** Titles, totals, and lines between groups. They are not jobs. */
  passedOver: SheetRow[];
  /** Columns or times that the user must decide before the sheet can be added. */
  asked: string[];
  /** Columns and rows that are not used, moved or left out, by name. */
  said: string[];
  /** The day in the title or in all rows, if it is not the chosen day; null: it is the same, or there is none. */
  saysDay: string | null;
  /** Questions that only the user can answer. One answer counts for all rows. */
  questions: Question[];
  /** True when the headings are those of the last sheet. */
  isKnown: boolean;
}

interface Question {
  of: Doubt;
  words: string;
  /** The words of the buttons, and the meaning of each. */
  answers: (readonly [words: string, is: boolean])[];
  /** The answer that counts until the user gives another; without one the sheet cannot be added. */
  taken?: boolean;
}

/** Answers that are nearly always right. The rows say so, and the user can change them. */
const TAKEN: Readonly<Partial<Record<Doubt, boolean>>> = { back: true, light: false };

/** `remembered`: meanings by the words of headings, from earlier sheets. */
export function readSheet(
  all: readonly SheetRow[],
  {
    day,
    remembered = {},
    chosen = new Map(),
    answers: given = {},
  }: {
    day: string;
    remembered?: Readonly<Record<string, string>>;
    chosen?: Chosen;
    /** The user's answers. */
    answers?: Readonly<Partial<Record<Doubt, boolean>>>;
  },
): Sheet {
  const answers = { ...TAKEN, ...given };
  const {
    headings,
    width,
    rows: plainRows,
    titles,
    passedOver,
    isTurned,
    hasNamesApart,
    otherDays: unusedDays,
  } = sheetRows(all, { day, remembered });
  const { columns, beside } = columnsOf(plainRows, headings, width, { day, remembered, chosen });
  const asked = askedOf(columns, plainRows);
  const first = columns.findIndex(({ meaning }) => meaning === 'time');
  const timed = plainRows.filter(({ cells }) => timeIn(cells[first] ?? '') !== null);
  const gaps = gapsOf(columns, timed);
  const rows = answers.above ? gaps.reduce(filledDown, plainRows) : plainRows;
  const { groups, titleDays, otherDays } = groupsOfDay(groupsOf(columns), titles, day);
  const time = groups[0]?.time ?? -1;
  const dated = datesOf(rows, groups[0], day);
  const misnamed = dated.some(({ date }) => date !== null) ? null : misnamedDay(titles, day);
  const saysDay = otherDay(dated, titleDays[0] ?? null, day) ?? misnamed?.weekday ?? null;
  if (saysDay) asked.push(misnamed?.words ?? `This sheet says ${dayWords(saysDay)}.`);
  const questions: Question[] = [];
  if (gaps.length > 0 && answers.above === undefined)
    questions.push({
      of: 'above',
      words: `Many rows have no ${gaps.map(({ field }) => field).join(' and no ')} of their own.`,
      answers: [
        ['Take it from the row above', true],
        ['Leave it empty', false],
      ],
    });
  const halves = looseHalves(rows, time);
  const isHalfAsked = halves.falls > 0 && answers.afternoon === undefined;
  if (isHalfAsked) {
    const words = `Times from row ${Math.min(...halves.lines)} on may be morning or afternoon.`;
    questions.push(
      halves.falls === 1 || halves.lines.size === 1
        ? {
            of: 'afternoon',
            words,
            answers: [
              ['Afternoon', true],
              ['Morning', false],
            ],
          }
        : {
            of: 'afternoon',
            words: `${words} Write those of the afternoon as 14:15 and paste again.`,
            answers: [['All are of the morning', false]],
          },
    );
  }
  const smallOf = (isOwn: boolean) =>
    smallHours(
      rows.filter((_, index) => dated[index]!.isOwn === isOwn && (!isOwn || dated[index]!.date === day)),
      groups[0],
    );
  const small = smallOf(false);
  // If each row after midnight has the date of the evening, the date may well mean the night.
  const dubious = smallOf(true);
  const isNight =
    new Set(titleDays).size > 1 || titles.some(({ cells }) => cells.some((cell) => NIGHT.test(cell)));
  const open = new Set([...(isNight ? [] : small), ...dubious]);
  // At the end of a sheet they are the night after its last evening.
  const late = timesOf(rows, time).findLast(({ line }) => !open.has(line));
  const isAtEnd =
    dubious.size === 0 && open.size > 0 && Math.min(...open) > late!.line && late!.local >= NIGHT_FROM;
  const isNextDay = given.nextDay ?? (isAtEnd ? true : undefined);
  const isNightAsked = open.size > 0 && isNextDay === undefined;
  if (isNightAsked || (isAtEnd && open.size > 0))
    questions.push({
      ...(isNextDay === undefined ? {} : { taken: isNextDay }),
      of: 'nextDay',
      words: `Times from row ${Math.min(...open)} on come after midnight: of which day are they?`,
      answers: [
        [dayWords(dayAfter(day)), true],
        [dayWords(day), false],
      ],
    });

  const ways = new Set(
    groups.flatMap(({ of }) =>
      rows.flatMap(({ cells }) => [
        plain(wayOf(cells[of.trip ?? -1] ?? '')),
        plain([cells[of.from ?? -1] ?? '', cells[of.to ?? -1] ?? '']),
      ]),
    ),
  );
  const isPaired = rows.some(({ cells }) =>
    groups.some(({ time, of }) => timeIn(cells[time] ?? '') && timeIn(cells[of.back ?? -1] ?? '')),
  );
  const seen = new Map<string, number>();
  const each = rows.map((row, index): ReadRow => {
    const { date, said, isNight: isAfter = false } = dated[index]!;
    const isLater = isAfter || (isNight && small.has(row.line)) || (open.has(row.line) && isNextDay === true);
    const isAfternoon = (halves.lines.has(row.line) && answers.afternoon) || halves.said.has(row.line);
    const add = (isAfternoon ? 12 : 0) + (isLater ? 24 : 0);
    const whole = JSON.stringify([row.cells, row.group]);
    const first = seen.get(whole);
    seen.set(whole, first ?? row.line);
    const about = readRow(row, columns, groups, {
      day,
      date,
      said,
      add,
      answers,
      ways,
      isPaired,
      twin: first ?? null,
    });
    const odd = about.jobs.map(oddEnd).find((end) => end !== null);
    if (odd) about.doubts.odd = odd;
    const isAsked = (isHalfAsked && halves.lines.has(row.line)) || (isNightAsked && open.has(row.line));
    const clock = short(row.cells[time] ?? '');
    const isBefore = row.group.half === 'pm' && !isAfternoon && /^1[01]/.test(clock);
    const words = isAsked ? 'is asked about' : isBefore ? 'is taken as before noon' : null;
    return words !== null && about.problem === null
      ? { ...about, note: [`“${clock}” ${words}.`, about.note ?? []].flat().join(' '), doubtful: time }
      : about;
  });
  // A place where one trip begins and another ends is one, whatever words it has: "Hark to Bounty".
  const ends = each.flatMap(({ jobs }) => jobs.map(({ trip }) => trip.split(' → ')));
  for (const { doubts, jobs } of each) {
    const end = doubts.odd;
    const isBoth = () => [0, 1].every((side) => ends.some((way) => way[side] === end && way[0] !== way[1]));
    // A sheet that has the way back in a row of its own has only ways out in this one.
    const isBack = ([start, goal]: readonly string[], way: readonly string[]) =>
      way[0] === goal && way[1] === start;
    const hasBack = () => jobs.some(({ trip }) => ends.some((way) => isBack(trip.split(' → '), way)));
    if (doubts.pair && hasBack()) delete doubts.pair;
    if (end && / to /i.test(end) && isBoth() && jobs.every(({ trip }) => new Set(trip.split(' → ')).size > 1))
      delete doubts.odd;
  }
  const runs = pickUpRuns(each);
  const [run] = runs;
  if (run && answers.stops === undefined)
    questions.push({
      of: 'stops',
      words: `Rows ${run[0]!.line} to ${run.at(-1)!.line} may be pick-ups of one trip${runs.length > 1 ? ', and so may others' : ''}.`,
      answers: [
        ['One trip by its pick-ups', true],
        ['Each is a trip', false],
      ],
    });
  const merged = new Map(
    (answers.stops ? runs : []).flatMap((one) => asOneTrip(one).map((row) => [row.line, row])),
  );
  const read = each.map((row) => merged.get(row.line) ?? row);
  for (const { of, words, answers: possible } of IN_WORDS) {
    const found = read.flatMap(({ doubts, jobs, line }) =>
      doubts[of] && (jobs.length > 0 || of === 'light') ? `row ${line} “${short(doubts[of])}”` : [],
    );
    const taken = answers[of];
    if (found.length > 0 && (taken === undefined || of in TAKEN))
      questions.push({
        of,
        words: `${words(counted(found.length, 'row'))}, as ${found[0]!}.`,
        answers: possible,
        ...(taken === undefined ? {} : { taken }),
      });
  }
  const abroad = all.flatMap(({ cells }) => cells).find((cell) => isAbroad(cell, day));
  if (abroad !== undefined && answers.zone === undefined)
    questions.push({
      of: 'zone',
      words: `“${short(abroad)}” names another clock than that of London.`,
      answers: [['All times are of London', true]],
    });
  const unread = passedOver.find(({ cells: [cell = ''] }) => UNREAD.test(cell));
  // If a sheet's columns are asked about, the sheet is read once more.
  const loose = () => (asked.length > 0 ? undefined : unusedLine(passedOver, read));
  const unused = answers.unused === undefined ? (unread ?? loose()) : undefined;
  const unusedSaid = unused?.cells.filter(Boolean).join(' ') ?? '';
  if (unused)
    questions.push({
      of: 'unused',
      words: unread
        ? `${unusedSaid}. Paste their rows below these, or leave them out.`
        : `Row ${unused.line} “${short(unusedSaid)}” is in no job.`,
      answers: [['It is not needed', true]],
    });
  const many = read.reduce((sum, { jobs }) => sum + jobs.length, 0);
  if (many > JOB_LIMITS.jobsPerDay)
    asked.push(
      `There are ${many.toLocaleString('en-GB')} jobs. ${DAY_FULL} Leave some rows out and paste again.`,
    );
  asked.push(...questions.flatMap(({ words, taken }) => (taken === undefined ? words : [])));
  const led = rows.filter(
    ({ group, led: merged = [] }, index) =>
      read[index]!.problem === null &&
      (group.vehicle + group.driver !== '' ||
        merged.some((at) => ['vehicle', 'driver'].includes(columns[at]?.meaning ?? ''))),
  ).length;
  return {
    columns,
    rows: read,
    passedOver,
    asked,
    said: [
      ...saidOf(columns, read, {
        beside,
        groups,
        isTurned,
        hasNamesApart,
        led,
        otherDays: [...unusedDays, ...otherDays],
      }),
      ...passedOver.flatMap(({ cells: [cell = ''] }) =>
        NOT_READ.test(cell) && !UNREAD.test(cell) ? `${cell}.` : [],
      ),
    ],
    saysDay,
    questions,
    isKnown: headings !== null && headings.filter(Boolean).every((cell) => cell.toLowerCase() in remembered),
  };
}

/** Sentences, a chat or a list of pick-ups as one trip a line; null if the text has no trips, or says more as a
 *  table. */
export function inLines(sheet: Sheet, text: string, day: string): string | null {
  const isOpen = sheet.asked.some((one) => /^(?:Which|There)/.test(one));
  // One word above a column may be part of a sentence.
  const isText = !text.includes('\t') && sheet.columns.filter(({ heading }) => heading !== null).length < 2;
  // Reading the text again takes longer than the table did, and finds nothing more in names alone.
  const isWhole =
    sheet.asked.length === 0 &&
    sheet.passedOver.length === 0 &&
    sheet.rows.every(({ jobs, note, cells }) => jobs.length > 0 && note === null && cells.every(isPlain));
  if (isWhole || !(isOpen || isText) || [...sheet.passedOver, ...sheet.rows].some(isWeek)) return null;
  const lines = tripLines(text, day, sheet.saysDay ?? '');
  if (lines === null || isOpen) return lines;
  const read = readSheet(rowsOfText(lines), { day });
  const jobsOf = ({ rows }: Sheet) => rows.flatMap(({ jobs }) => jobs);
  const more = jobsOf(read).length - jobsOf(sheet).length;
  const valuesOf = (one: Sheet) =>
    jobsOf(one).flatMap(({ driver, vehicle, people }) =>
      [driver, vehicle, people].filter((said) => said !== null),
    );
  const tripsOf = (one: Sheet) =>
    jobsOf(one)
      .map(({ leaves_local, trip }) => `${leaves_local} ${trip}`)
      .toSorted()
      .join('\n');
  const looseOf = ({ rows }: Sheet) => rows.filter(({ note }) => note !== null).length;
  const values = valuesOf(read).length - valuesOf(sheet).length;
  const isBetter =
    sheet.asked.length > 0
      ? more > 0 || (more === 0 && (read.asked.length === 0 || values > 0))
      : more > 0 ||
        (more === 0 &&
          read.asked.length === 0 &&
          (values > 0 ||
            (values === 0 && looseOf(read) < looseOf(sheet) && tripsOf(read) === tripsOf(sheet))));
  return isBetter ? lines : null;
}

/** "09:10", "Leeds to York", "Dave": other words, numbers or a comma may name a driver or a vehicle. */
const isPlain = (cell: string): boolean =>
  timeIn(cell) !== null ||
  cell.split(' ').every((word) => /^(?:to|and|[→>–-]?|(?!D(?:river|RIVER))\p{Lu}[\p{L}'’-]+)$/u.test(word));

const DAY_MAX = 'Wednesday 23 September'.length;

/** A line that names a day above each of several columns. Trips below it would all count for one day. */
const isWeek = ({ cells }: { cells: readonly string[] }): boolean =>
  !cells.some((cell) => timeIn(cell)) &&
  cells.filter((cell) => cell.length <= DAY_MAX && weekdayIn(cell) >= 0).length > 1;

/** Doubts about the words of single rows. */
const IN_WORDS: { of: Doubt; words: (rows: string) => string; answers: Question['answers'] }[] = [
  {
    of: 'back',
    words: (rows) => `A way back is said in words, in ${rows}`,
    answers: [
      ['Add the ways back', true],
      ['Do not add them', false],
    ],
  },
  {
    of: 'light',
    words: (rows) => `A run without passengers, or from or to the depot, may be no job, in ${rows}`,
    answers: [
      ['Leave them out', false],
      ['Add them as well', true],
    ],
  },
  {
    of: 'twice',
    words: (rows) => `The same stands there twice, and may be two coaches or one, in ${rows}`,
    answers: [
      ['Add it once', false],
      ['Add both', true],
    ],
  },
  {
    of: 'pair',
    words: (rows) => `Two times in one cell may be two runs out, or one out and one back, in ${rows}`,
    answers: [
      ['Out and back', false],
      ['Both are out', true],
    ],
  },
  {
    of: 'odd',
    words: (rows) => `This may be no place where a trip begins or ends, in ${rows}`,
    answers: [['It is right', true]],
  },
  {
    of: 'remark',
    words: (rows) => `What stands behind the second dash may be a remark or where it ends, in ${rows}`,
    answers: [
      ['It is a remark', true],
      ['It is where it ends', false],
    ],
  },
];

/** Columns of drivers or vehicles that the first row has and most have not, as where merged cells are pasted. */
const gapsOf = (columns: readonly Column[], all: readonly JobRow[]): Gap[] =>
  columns.flatMap(({ meaning: field }, at) => {
    if (field !== 'driver' && field !== 'vehicle') return [];
    // On a line with two trips it belongs to the time before it.
    const time = columns.findLastIndex(({ meaning }, one) => one < at && meaning === 'time');
    const rows = time < 0 ? all : all.filter(({ cells }) => cells[time]);
    const empty = rows.filter(({ cells, group }) => !cells[at] && group[field] === '');
    return rows[0]?.cells[at] && empty.length >= Math.max(2, rows.length / 2) ? { at, field } : [];
  });

interface Gap {
  at: number;
  field: 'driver' | 'vehicle';
}

/** The rows with the cell of the row above in each empty one of this column, as far as the line above their group
 *  does not say it. */
function filledDown(rows: readonly JobRow[], { at, field }: Gap): readonly JobRow[] {
  let above: JobRow | null = null;
  return rows.map((row) => {
    const said: string = above?.group === row.group && row.group[field] === '' ? (above.cells[at] ?? '') : '';
    const length = Math.max(row.cells.length, at + 1);
    const cells = Array.from({ length }, (_, one) => row.cells[one] || (one === at ? said : ''));
    above = { ...row, cells };
    return above;
  });
}

interface RowDate {
  /** True: the row itself has the date. */
  isOwn: boolean;
  /** Null: there is none, or `said` cannot be read. */
  date: string | null;
  said: string;
  /** Its time shows that it is after midnight: "00:45 (Sat)" on a sheet for Friday. */
  isNight?: boolean;
}

/** The day of each row: from its own time, otherwise from its column (which also counts for the rows below),
 *  otherwise from the line above its group. */
function datesOf(rows: readonly JobRow[], group: Group | undefined, day: string): RowDate[] {
  let before: string | null = null;
  return rows.map(({ cells, group: above }) => {
    const moment = cells[group?.time ?? -1] ?? '';
    const said = group && group.date >= 0 ? (cells[group.date] ?? '') : '';
    const own = dayOfTime(moment, day);
    const run = dayOfRun(said, day);
    if (said !== '') before = run ?? dayIn(said, day);
    if (said !== '' && (before === null || (run === null && isOtherWeekday(said, before))))
      return { date: null, said, isOwn: true };
    if (own !== null && isNightOf(moment, day))
      return { date: day, said: moment, isOwn: true, isNight: true };
    if (own !== null) return { date: isOtherWeekday(moment, own) ? null : own, said: moment, isOwn: true };
    return { date: before ?? above.day, said, isOwn: before !== null };
  });
}

/** Another day that the whole sheet is for: from all its rows, otherwise from its title. */
function otherDay(dated: readonly RowDate[], title: string | null, day: string): string | null {
  const own = dated.flatMap(({ date }) => date ?? []);
  if (own.includes(day)) return null;
  if (own.length > dated.length / 2) {
    const many = (one: string) => own.filter((other) => other === one).length;
    return own.toSorted((one, other) => many(other) - many(one))[0]!;
  }
  return title === day ? null : title;
}

/**
 * "Jobs for Friday 28 November" when the 28th is a Saturday: one of the two is wrong. `weekday`: the nearest Friday.
 */
function misnamedDay(titles: readonly SheetRow[], day: string): { words: string; weekday: string } | null {
  for (const title of titles.flatMap(({ cells }) => cells)) {
    const [said, ...more] = daysWithin(title, day);
    if (said === undefined || more.length > 0 || !isOtherWeekday(title, said)) continue;
    const named = title.slice(
      title.search(/\b(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?\b/i),
    );
    const words = `This sheet says “${short(title.length > 40 ? named : title)}”, but that is a ${WEEKDAY.format(noon(said))}.`;
    return { words, weekday: weekdayNear(title, said) };
  }
  return null;
}

const timesOf = (rows: readonly JobRow[], column: number) =>
  rows.flatMap((row) => {
    const time = timeIn(row.cells[column] ?? '');
    return time ? [{ ...row, ...time }] : [];
  });

/** A last job from then on shows that the sheet goes on into the night. */
const NIGHT_FROM = '20:00';
const NIGHT = /\bnights?\b|\binto\b/i;

/** Rows before 06:00 that follow a row of the evening, in a sheet that is sorted by time, or a later time of the same
 *  vehicle or driver. */
function smallHours(rows: readonly JobRow[], group: Group | undefined): Set<number> {
  const times = timesOf(rows, group?.time ?? -1);
  const falls = times.filter(({ local }, index) => local < (times[index - 1]?.local ?? '')).length;
  const isSameCrew = (one: JobRow, other: JobRow) =>
    (['vehicle', 'driver'] as const).some((field) => {
      const [said, before] = [one, other].map((row) => row.cells[group?.of[field] ?? -1] || row.group[field]);
      return isGiven(said!) && said === before;
    });
  const found = new Set<number>();
  for (const [index, row] of times.entries()) {
    const { line, local, isLoose } = row;
    const before = times[index - 1];
    if (before === undefined || local >= '06:00') continue;
    const isEvening = before.local >= '18:00' || found.has(before.line);
    const isFall = isEvening || (!isLoose && later(local, FALLS_BY_HOURS) <= before.local);
    // A sheet that is sorted by driver or vehicle begins again several times.
    if ((isEvening && falls < 2) || (isFall && isSameCrew(row, before))) found.add(line);
  }
  return found;
}

/** Losses that the user would notice: columns that are not used or go to the note, and rows that are left out. */
function saidOf(
  columns: readonly Column[],
  rows: readonly ReadRow[],
  {
    beside,
    groups,
    isTurned,
    hasNamesApart,
    led,
    otherDays,
  }: {
    beside: ReadonlySet<number>;
    groups: readonly Group[];
    isTurned: boolean;
    hasNamesApart: boolean;
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
    ({ meaning, heading }) =>
      (meaning === 'note' && (heading === null || !isRemark(heading))) || meaning === 'via',
  );
  const guessed = columns.flatMap((column, at) =>
    column.isSure || isAskedAbout(column) || column.meaning === 'note'
      ? []
      : `${name(at)} as ${MEANINGS[column.meaning]}`,
  );
  const left = (kind: ReadRow['left']) => rows.filter((row) => row.left === kind).length;
  const count = (many: number, of: string) => (many > 0 ? [`${many} ${of}`] : []);
  const out = [
    ...count(left('other day'), left('other day') === 1 ? 'row of another day' : 'rows of other days'),
    ...count(left('cancelled'), 'cancelled'),
    ...count(left('empty'), left('empty') === 1 ? 'run without passengers' : 'runs without passengers'),
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
    ...(hasNamesApart ? ['Names beside the trips are taken as drivers.'] : []),
    ...count(
      led,
      led === 1
        ? 'row has its vehicle or driver from the line above.'
        : 'rows have their vehicle or driver from the line above them.',
    ),
    ...count(
      rows.filter(({ isOneWay }) => isOneWay).length,
      'with a way back without a time: only the way out is added.',
    ),
    ...(guessed.length > 0 ? [`Guessed by what they hold: ${guessed.join(', ')}.`] : []),
    ...(out.length > 0 ? [`Left out: ${out.join(', ')}.`] : []),
    ...otherDays.map((other) => `Not used: the columns of ${dayWords(other)}.`),
    ...(unused.length > 0 ? [`Not used: ${unused.join(', ')}.`] : []),
    ...(apart.length > 0 ? [`Not used, as they stand apart from the jobs: ${apart.join(', ')}.`] : []),
    ...(kept.length > 0 ? [`Kept in the note: ${kept.join(', ')}.`] : []),
    ...gaps,
  ];
}

/** Two days beside each other, each below its own date: only the trips of one day count. */
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

const HALF = /\d ?[ap]\.?m\b/i;
const BEFORE_NOON = /^(?:0?[1-9]|1[01])[:.]?\d\d$/;
/** "12.15" in the evening is after midnight. */
const BEFORE_ONE = /^(?:0?[1-9]|1[0-2])[:.]?\d\d$/;

interface LooseHalves {
  lines: Set<number>;
  falls: number;
  /** Rows that are later than their times say, because of a line above them such as "AFTERNOON". */
  said: Set<number>;
}

/** The rows from the first loose time that is well before the one above it ("9.45", then "1.30"), and how often that
 *  occurs. */
function looseHalves(all: readonly JobRow[], column: number): LooseHalves {
  const cell = ({ cells }: SheetRow) => cells[column] ?? '';
  const isOfTwelve = all.some((row) => HALF.test(cell(row)));
  const isOfDay = all.some((row) => !HALF.test(cell(row)) && (timeIn(cell(row))?.local ?? '') >= '13:00');
  // "11.30" at the beginning of the afternoon is before noon, and behind "2.30" it is at night.
  const isBeforeNoon = (row: JobRow, at: number) =>
    /^1[01]/.test(cell(row)) &&
    !all.slice(0, at).some((one) => one.group === row.group && !/^1[01]/.test(cell(one)));
  const isLater = (row: JobRow, at: number) =>
    (row.group.half === 'pm' && BEFORE_NOON.test(cell(row)) && !isBeforeNoon(row, at)) ||
    (row.group.half === 'evening' && BEFORE_ONE.test(cell(row)));
  const said = new Set(isOfDay ? [] : all.filter(isLater).map(({ line }) => line));
  const rows = all.filter(({ group }) => group.half === undefined);
  const times = timesOf(rows, column);
  const lines = new Set<number>();
  let falls = 0;
  const loose = times.filter(({ isLoose }) => isLoose);
  const isInOrder = times.every(({ local }, index) => local >= (times[index - 1]?.local ?? ''));
  // Beside "11.00pm", a bare "6.30" may be morning or evening, unless the order of the rows shows which.
  if (isOfTwelve && loose.length > 0 && !isInOrder)
    return { lines: new Set(loose.map(({ line }) => line)), falls: 2, said };
  if (times.some(({ local, isLoose }) => !isLoose && local >= '13:00')) return { lines, falls, said };
  for (const [index, { line, local, isLoose }] of times.entries()) {
    const before = times[index - 1]?.local ?? '00:00';
    if (isLoose && later(local, FALLS_BY_HOURS) <= before) falls++;
    if (isLoose && falls > 0) lines.add(line);
  }
  return { lines, falls, said };
}

/** Sheets that are sorted by time may have jobs within this many hours in any order. */
const FALLS_BY_HOURS = 2;
