/**
 * A day sheet as it is understood: what each column means, and which job each row is. What is doubtful is asked, and what
 * is left out is said; nothing is decided in silence.
 */
import { type AskedJob, JOB_LIMITS } from '#contract/watches/jobs.ts';
import { deadlineIn, dayIn, dayWithin, endsOf, isRegistration, type SheetRow, timeIn } from './sheetCells.ts';

/** Meanings of a column, as the select names them. */
export const MEANINGS = {
  time: 'Time',
  back: 'Time back',
  arrives: 'Arrives',
  date: 'Date',
  ref: 'Reference',
  from: 'From',
  to: 'To',
  trip: 'From and to',
  vehicle: 'Vehicle',
  driver: 'Driver',
  people: 'People',
  deadline: 'Deadline',
  note: 'Note',
  none: 'Not used',
} as const;
export type Meaning = keyof typeof MEANINGS;

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
  /** The day that its title says, where that is another; null: the same, or none. */
  saysDay: string | null;
  /** Whether the afternoon must be asked about. */
  asksHalf: boolean;
  /** True when the headings are those of the last sheet. */
  isKnown: boolean;
}

const HEADINGS: readonly [Meaning, RegExp][] = [
  [
    'back',
    /^(?:return|ret|back|inbound|collect(?:ion)?)(?: (?:time|dep(?:art)?))?$|^time back$|^return pick ?up(?: time)?$/,
  ],
  [
    'arrives',
    /^(?:arr(?:ive[sd]?|ival)?|eta|drop(?: |-)?off time|finish|end)(?: time)?$|^time (?:off|finish)$/,
  ],
  [
    'deadline',
    /^(?:deadline|check ?-?in(?: closes)?(?: time)?|due(?: by| at)?|must (?:be there|arrive)(?: by)?|required by|needed by|latest(?: arrival)?|flight time)$/,
  ],
  [
    'time',
    /^(?:time|when|dep(?:art(?:ure|s)?)?|dept|leaves?|leave at|start|start time|pick ?-?up(?: at)?|pu|pickup time|collect(?:ion)? time|on (?:road|stand|site)|out|off(?: depot)?|sched(?:uled)?)(?: time)?(?: \(?(?:local|24 ?h(?:r|our)?)\)?)?$|^time (?:out|on|of departure|start)$/,
  ],
  ['date', /^(?:date|day|travel date|job date|service date|date of (?:travel|hire))$/],
  [
    'ref',
    /^(?:(?:job|booking|bkg|order|contract|work|quote|our|hire|trip|run|duty|docket|po|route)? ?(?:ref(?:erence)?|no|number|num|id|code)|ref|job|booking|duty|#|file|docket)$/,
  ],
  [
    'from',
    /^(?:(?:where )?from|origin|pick ?-?up|collect(?:ion)?|(?:pick ?-?up|collection|start|depart(?:ure)?|joining)(?: (?:point|place|location|address|from))|collect from|pu (?:point|location|address)|leaving from)$/,
  ],
  [
    'to',
    /^(?:(?:where )?to|dest(?:ination)?|drop ?-?off(?: (?:point|place|location|address))?|set ?-?down(?: (?:point|place))?|drop|going to|venue|end (?:point|place|location)|deliver(?:y)? to|do (?:point|location|address)|arrive at)$/,
  ],
  [
    'trip',
    /^(?:trip|journey|route|routing|service|from ?(?:\/|-|–|and|to) ?to|description|details|job description|movement|work|itinerary|transfer|hire details|job details|what)$/,
  ],
  [
    'vehicle',
    /^(?:veh(?:icle)?|coach|bus|reg(?:istration)?|vrm|fleet|vehicle reg(?:istration)?|fleet no|reg no|unit|car|minibus|plate|coach (?:no|reg|number)|veh(?:icle)? (?:no|id|number|reg)|bus (?:no|number)|fleet number)$/,
  ],
  [
    'driver',
    /^(?:who|drivers?|driver(?:'s|’s)? name|crew|driver 1|staff|name of driver|drv|driver allocated|chauffeur)$/,
  ],
  [
    'people',
    /^(?:pax|people|passengers?|no(?:\.| of) ?(?:pax|people|passengers|persons?)|persons?|seats(?: (?:req(?:uired)?|booked))?|heads|group size|load|nos|size|party|party size|number of (?:pax|people|passengers))$/,
  ],
  [
    'note',
    /^(?:notes?|remarks?|comments?|info(?:rmation)?|special (?:instructions|requirements)|instructions|extra(?:s)?|misc|other|further details)$/,
  ],
];

const headingOf = (cell: string): Meaning | null => headingsOf(cell)[0] ?? null;

/** All that it can mean: "Pickup" is a time or a place. */
const headingsOf = (cell: string): Meaning[] => {
  const words = cell
    .toLowerCase()
    .replaceAll(/[.:*]+/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
  return HEADINGS.flatMap(([meaning, pattern]) => (pattern.test(words) ? meaning : []));
};

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
  }: {
    day: string;
    remembered?: Readonly<Record<string, string>>;
    chosen?: Chosen;
    /** Whether loose times that follow later ones are of the afternoon; null: not said. */
    isAfternoon?: boolean | null;
  },
): Sheet {
  const top = headingRow(all, remembered);
  const body = all.slice(top + 1);
  const headings = top >= 0 ? all[top]!.cells : null;
  const width = Math.max(0, ...all.map(({ cells }) => cells.length));
  const { rows, passedOver } = withoutTotals(body);
  const columns = columnsOf(rows, headings, width, { day, remembered, chosen });
  const asked = askedOf(columns, rows);
  const groups = groupsOf(columns);
  const titleDay = all
    .slice(0, Math.max(0, top))
    .flatMap(({ cells }) => cells.flatMap((cell) => dayWithin(cell, day) ?? []))[0];
  if (titleDay && titleDay !== day) asked.push(`This sheet says ${dayWords(titleDay)}.`);
  const halves = looseHalves(rows, groups[0]?.time ?? -1);
  if (halves.size > 0 && isAfternoon === null)
    asked.push(`Times from row ${Math.min(...halves)} on may be morning or afternoon.`);

  let date: string | null = null;
  const read = rows.map((row): ReadRow => {
    const said = groups[0] && groups[0].date >= 0 ? (row.cells[groups[0].date] ?? '') : '';
    if (said !== '') date = dayIn(said, day);
    const add = halves.has(row.line) && isAfternoon ? 12 : 0;
    return readRow(row, groups, { day, date: said === '' && date === null ? null : date, said, add });
  });
  return {
    columns,
    rows: read,
    passedOver: [...all.slice(0, Math.max(0, top)), ...passedOver],
    asked,
    saysDay: titleDay && titleDay !== day ? titleDay : null,
    asksHalf: halves.size > 0 && isAfternoon === null,
    isKnown: headings !== null && headings.filter(Boolean).every((cell) => cell.toLowerCase() in remembered),
  };
}

/** The row of headings among the first; -1 where there is none. */
function headingRow(all: readonly SheetRow[], remembered: Readonly<Record<string, string>>): number {
  const known = (cell: string) => headingOf(cell) !== null || cell.toLowerCase() in remembered;
  return all.slice(0, 12).findIndex(({ cells }) => {
    const said = cells.filter((cell) => cell !== '');
    if (said.length < 2 || said.some((cell) => timeIn(cell) !== null)) return false;
    const found = said.filter(known).length;
    return found >= 2 && found >= said.length / 3;
  });
}

const TOTAL = /^(?:sub ?-?|grand )?totals?\b|^end of (?:sheet|day|list)|^page \d|^printed\b|^(?:sum|count)$/i;

/** Lines that are no jobs: totals, and headings of groups such as "SCHOOLS". */
function withoutTotals(body: readonly SheetRow[]): { rows: SheetRow[]; passedOver: SheetRow[] } {
  const usual = body.map(({ cells }) => cells.filter(Boolean).length).toSorted((a, b) => a - b);
  const middle = usual[Math.floor(usual.length / 2)] ?? 0;
  const rows: SheetRow[] = [];
  const passedOver: SheetRow[] = [];
  for (const row of body) {
    const said = row.cells.filter(Boolean);
    const isTotal = said.some((cell) => TOTAL.test(cell)) && !said.some((cell) => timeIn(cell));
    const isHeading = said.length === 1 && middle > 2 && !timeIn(said[0]!) && !dayIn(said[0]!, '2026-01-01');
    const isAgain = said.length > 2 && said.every((cell) => headingOf(cell) !== null);
    (isTotal || isHeading || isAgain ? passedOver : rows).push(row);
  }
  return { rows, passedOver };
}

interface About {
  day: string;
  remembered: Readonly<Record<string, string>>;
  chosen: Chosen;
}

function columnsOf(
  rows: readonly SheetRow[],
  headings: readonly string[] | null,
  width: number,
  { day, remembered, chosen }: About,
): Column[] {
  const block = mainBlock(rows, headings, width);
  const columns = Array.from({ length: width }, (_, at): Column => {
    const heading = headings?.[at] || null;
    const cells = rows.map((row) => row.cells[at] ?? '').filter(Boolean);
    const samples = [...new Set(cells)].slice(0, 3);
    const before = heading === null ? undefined : remembered[heading.toLowerCase()];
    if (chosen.has(at)) return { heading, samples, meaning: chosen.get(at)!, isSure: true };
    if (before !== undefined && before in MEANINGS)
      return { heading, samples, meaning: before as Meaning, isSure: true };
    if (at < block.from || at > block.to || cells.length === 0)
      return { heading, samples, meaning: 'none', isSure: true };
    const named = headingsOf(heading ?? '').find((one) => fits(one, cells, day));
    return named
      ? { heading, samples, meaning: named, isSure: true }
      : { heading, samples, ...byContent(cells, day, heading !== null) };
  });
  settle(columns, rows);
  return columns;
}

/** The columns that hang together around the times: a list that stands beside, behind an empty column, is another table. */
function mainBlock(rows: readonly SheetRow[], headings: readonly string[] | null, width: number) {
  const isEmpty = (at: number) => !headings?.[at] && rows.every((row) => !row.cells[at]);
  const blocks: { from: number; to: number; times: number }[] = [];
  for (let at = 0; at < width; at++) {
    if (isEmpty(at)) continue;
    const times = rows.filter((row) => timeIn(row.cells[at] ?? '')).length;
    const last = blocks.at(-1);
    if (last && last.to === at - 1) Object.assign(last, { to: at, times: last.times + times });
    else blocks.push({ from: at, to: at, times });
  }
  const withTimes = blocks.filter(({ times }) => times > 0);
  // Sheets that use empty columns as gaps have their times in several blocks, or the trips in another.
  if (withTimes.length !== 1 || withTimes[0]!.to - withTimes[0]!.from < 1) return { from: 0, to: width - 1 };
  return withTimes[0]!;
}

const share = (cells: readonly string[], test: (cell: string) => boolean) =>
  cells.length === 0 ? 0 : cells.filter(test).length / cells.length;

const isNumber = (cell: string) => /^\d{1,4}$/.test(cell);
const isRef = (cell: string) => /^(?=.*\d)[A-Z]{0,5}[-/ ]?\d{2,7}[A-Z]?(?:[-/]\d{1,4})?$/i.test(cell);
const isPerson = (cell: string) =>
  /^(?:[A-Z]\.? ?){1,2}[A-Z][\p{L}'’-]+$|^[A-Z][\p{L}'’-]+,? [A-Z]\.?$/u.test(cell);

/** A heading is believed unless its cells plainly say something else. */
function fits(meaning: Meaning, cells: readonly string[], day: string): boolean {
  switch (meaning) {
    case 'time':
    case 'back':
    case 'arrives':
      return share(cells, (cell) => timeIn(cell) !== null) >= 0.4;
    case 'date':
      return share(cells, (cell) => dayIn(cell, day) !== null) >= 0.4;
    case 'from':
    case 'to':
      return share(cells, (cell) => timeIn(cell) === null && /\p{L}/u.test(cell)) >= 0.6;
    case 'trip':
      return share(cells, (cell) => /\p{L}{3}/u.test(cell)) >= 0.6;
    case 'people':
      return share(cells, (cell) => /\d/.test(cell)) >= 0.4;
    case 'ref':
      return share(cells, (cell) => timeIn(cell)?.isLoose === false && cell.includes(':')) < 0.5;
    default:
      return true;
  }
}

function byContent(
  cells: readonly string[],
  day: string,
  hasHeading: boolean,
): Pick<Column, 'meaning' | 'isSure'> {
  const of = (test: (cell: string) => boolean) => share(cells, test);
  const sure = (meaning: Meaning) => ({ meaning, isSure: true });
  const asked = (meaning: Meaning) => ({ meaning, isSure: false });
  if (of((cell) => dayIn(cell, day) !== null) >= 0.8) return sure('date');
  const times = of((cell) => timeIn(cell) !== null);
  if (times >= 0.6 && of(isNumber) < 0.9) return sure('time');
  if (times >= 0.9 && of((cell) => /^[012]\d[0-5]\d$/.test(cell)) >= 0.9) return sure('time');
  if (of((cell) => endsOf(cell) !== null) >= 0.6) return sure('trip');
  if (of((cell) => deadlineIn(cell) !== null) >= 0.6) return sure('deadline');
  if (
    of((cell) => isRegistration(cell) && !isNumber(cell) && /[A-Z]/i.test(cell)) >= 0.6 &&
    of((cell) => /^[A-Z]{2}\d{2} ?[A-Z]{3}$|^[A-Z]\d{1,3} ?[A-Z]{3}$/i.test(cell)) >= 0.3
  )
    return sure('vehicle');
  if (of(isNumber) >= 0.9 && of((cell) => Number(cell) > 0 && Number(cell) <= 120) >= 0.8)
    return asked('people');
  if (of(isRef) >= 0.7 && new Set(cells).size >= cells.length * 0.8) return sure('ref');
  if (of(isPerson) >= 0.6) return asked('driver');
  if (hasHeading) return sure('none');
  if (of((cell) => /\p{L}{3}/u.test(cell)) >= 0.8) return asked('note');
  return asked('none');
}

/** Meanings of columns beside each other: two places are from and to, and one of two times is when it arrives. */
function settle(columns: Column[], rows: readonly SheetRow[]): void {
  const at = (meaning: Meaning) =>
    columns.flatMap((column, index) => (column.meaning === meaning ? index : []));
  const times = at('time');
  const [first, second] = times;
  const isUnnamed = (index: number) => columns[index]!.heading === null;
  const between = (from: number, to: number) =>
    columns.slice(from + 1, to).some(({ meaning }) => ['from', 'to', 'trip'].includes(meaning));
  if (
    times.length === 2 &&
    first !== undefined &&
    second !== undefined &&
    !between(first, second) &&
    isUnnamed(second)
  ) {
    const later = rows.filter(
      (row) => (timeIn(row.cells[second] ?? '')?.local ?? '') > (timeIn(row.cells[first] ?? '')?.local ?? ''),
    );
    columns[second] = {
      ...columns[second]!,
      meaning: 'arrives',
      isSure: later.length >= rows.length * 0.9 && rows.length > 2,
    };
  }
  if (at('trip').length > 0 || at('from').length + at('to').length > 0) {
    // A sheet with one named end and a trip in words has its ends in the words.
    if (at('from').length > 0 && at('to').length > 0)
      for (const index of at('trip'))
        columns[index] = { ...columns[index]!, meaning: at('note').length > 0 ? 'none' : 'note' };
    return;
  }
  // Texts without a heading: of several, the first two neighbours are the ends of the trip.
  const texts = columns.flatMap(({ heading, meaning, isSure }, index) =>
    heading === null && !isSure && (meaning === 'note' || meaning === 'driver') ? index : [],
  );
  const [one] = texts.filter((index) => texts.includes(index + 1));
  if (one === undefined) return;
  columns[one] = { ...columns[one]!, meaning: 'from', isSure: texts.length === 2 };
  columns[one + 1] = { ...columns[one + 1]!, meaning: 'to', isSure: texts.length === 2 };
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

/** A second column of times with ends of its own begins a second trip of the line; what stands before the first time is
 *  common to both. */
function groupsOf(columns: readonly Column[]): Group[] {
  const meanings = columns.map(({ meaning }) => meaning);
  const times = meanings.flatMap((meaning, at) => (meaning === 'time' ? at : []));
  const starts = times.filter(
    (at, index) =>
      index === 0 ||
      meanings
        .slice(at, times[index + 1] ?? meanings.length)
        .some((one) => ['to', 'trip', 'from'].includes(one)),
  );
  const common = meanings.slice(0, starts[0] ?? 0);
  // Ends before the only time belong to it.
  return starts.map((time, index) => {
    const from = index === 0 ? 0 : time;
    const to = starts[index + 1] ?? meanings.length;
    const of: Partial<Record<Meaning, number>> = {};
    for (let at = from; at < to; at++) of[meanings[at]!] ??= at;
    for (const [at, meaning] of common.entries()) if (isShared(meaning)) of[meaning] ??= at;
    if (index > 0)
      for (const shared of SHARED)
        of[shared] ??= meanings.indexOf(shared) >= 0 ? meanings.indexOf(shared) : undefined;
    return { time, of, date: of.date ?? -1 };
  });
}

const SHARED: readonly Meaning[] = ['date', 'ref', 'vehicle', 'driver'];
const isShared = (meaning: Meaning) => SHARED.includes(meaning);

/** Rows whose loose time is before the one above although the sheet goes on: "11.45", then "1.30". */
function looseHalves(rows: readonly SheetRow[], column: number): Set<number> {
  const times = rows.flatMap(({ line, cells }) => {
    const time = timeIn(cells[column] ?? '');
    return time ? [{ line, ...time }] : [];
  });
  const found = new Set<number>();
  if (times.some(({ local, isLoose }) => !isLoose && local >= '13:00')) return found;
  let hasWrapped = false;
  for (const [index, { line, local, isLoose }] of times.entries()) {
    const before = times[index - 1]?.local ?? '';
    if (isLoose && before >= '10:00' && local < '09:00') hasWrapped = true;
    if (hasWrapped && isLoose) found.add(line);
  }
  return found;
}

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

function readRow({ line, cells }: SheetRow, groups: readonly Group[], about: RowDay): ReadRow {
  const none = { line, cells, jobs: [] as AskedJob[], note: null, doubtful: -1 };
  const [first] = groups;
  if (!first) return { ...none, problem: `Row ${line}: no column of times.` };
  if (about.said !== '' && about.date === null)
    return { ...none, problem: `Row ${line}: no date in “${short(about.said)}”.`, doubtful: first.date };
  if (about.date !== null && about.date !== about.day)
    return { ...none, problem: `Row ${line}: this is for ${dayWords(about.date)}.`, doubtful: first.date };

  const jobs: AskedJob[] = [];
  const notes: string[] = [];
  let doubtful = -1;
  for (const [index, group] of groups.entries()) {
    const said = cells[group.time] ?? '';
    if (said === '' && index > 0) continue;
    const job = jobOf(cells, group, about);
    if (typeof job === 'string') return { ...none, problem: `Row ${line}: ${job}`, doubtful: group.time };
    jobs.push(job);
    if (job.leaves_local >= '24:00') {
      const clock = `${String(Number(job.leaves_local.slice(0, 2)) - 24).padStart(2, '0')}${job.leaves_local.slice(2)}`;
      notes.push(`${clock} on ${WEEKDAY.format(noon(about.day, 1))}.`);
      doubtful = group.time;
    }
    const back = cells[group.of.back ?? -1] ?? '';
    if (back !== '') {
      const time = timeIn(back);
      const ends = endsOf(job.trip);
      if (!time || !ends)
        return {
          ...none,
          problem: `Row ${line}: no time back in “${short(back)}”.`,
          doubtful: group.of.back!,
        };
      jobs.push({
        ...job,
        leaves_local: time.local,
        trip: `${ends[1]} → ${ends[0]}`,
        deadline_local: null,
        deadline_what: null,
        duration_min: null,
      });
    }
  }
  return { line, cells, jobs, problem: null, note: notes.join(' ') || null, doubtful };
}

const short = (text: string) => (text.length > 40 ? `${text.slice(0, 39)}…` : text);
const cut = (text: string | undefined, most: number): string | null =>
  [...(text ?? '')].slice(0, most).join('').trim() || null;

/** One trip of a row; a text: why there is none. */
function jobOf(cells: readonly string[], { time, of }: Group, { day, add }: RowDay): AskedJob | string {
  const cell = (meaning: Meaning) => (of[meaning] === undefined ? '' : (cells[of[meaning]] ?? ''));
  const said = cells[time] ?? '';
  const leaves = timeIn(said);
  if (!leaves) return `no time in “${short(said)}”.`;
  const trip = tripOf(cell('from'), cell('to'), cell('trip'));
  if (trip === null) return 'from where or to where is missing.';
  const local = later(leaves.local, add);
  const arrives = timeIn(cell('arrives'));
  const deadline = deadlineOf(cell('deadline'), cell('note'));
  const people = /\d{1,4}/.exec(cell('people'))?.[0];
  return {
    day,
    ref: cut(cell('ref'), JOB_LIMITS.fieldLength),
    leaves_local: local,
    duration_min: arrives ? minutesBetween(local, later(arrives.local, arrives.isLoose ? add : 0)) : null,
    watch_id: null,
    trip: trip.slice(0, JOB_LIMITS.tripLength),
    vehicle: cut(cell('vehicle'), JOB_LIMITS.fieldLength),
    driver: cut(cell('driver'), JOB_LIMITS.fieldLength),
    people: people === undefined ? null : Number(people),
    deadline_local: deadline?.local ?? null,
    deadline_what: deadline?.what ?? null,
    note: cut(cell('note') || (deadline ? '' : cell('deadline')), JOB_LIMITS.noteLength),
  };
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
