/** Columns of a day sheet that become others: joined, divided, or turned into rows, so that each holds one thing. */
import type { SheetRow } from './sheetText.ts';
import {
  timeIn,
  isGiven,
  LEADING,
  share,
  endsOf,
  dayOfHeading,
  isOpen,
  isFirstName,
  vehicleAlone,
  clockColumn,
  namesBeside,
} from './sheetCells.ts';
import { isHeading, headingsOf, isOfEnd, type Meaning, isOfPassengers } from './headingWords.ts';
import { type JobRow, NAME } from './groupLines.ts';
import { isStop } from './sheetShape.ts';

const HALF = /^[ap]\.?m\.?$/i;

/** Joins "am" or "pm" in a column of its own with the time before it; "PM" beside 13:30 says nothing more, and "AM"
 *  makes it no time. */
export function withHalves(all: readonly SheetRow[]): readonly SheetRow[] {
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
export function withLabels(
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

/** "06:10 Leeds to York" below "Job": the time becomes a column of its own. */
export function withTimesApart(
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
export function withEachTime(rows: readonly JobRow[], headings: readonly string[] | null): readonly JobRow[] {
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
export function withDaysApart(
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
  const dates = days.map((at) => dayOfHeading(headings![at]!, day)!); // `days` are the columns whose date is known
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
export const stopColumns = (headings: readonly string[], rows: readonly SheetRow[]): number[] =>
  headings.flatMap((heading, at) => {
    const said = rows.map(({ cells }) => cells[at] ?? '').filter(isGiven);
    const times = said.filter((cell) => timeIn(cell) !== null).length;
    return isStop(heading) && times > 0 && times >= said.length * 0.8 ? at : [];
  });

/** "Westbury, Trowbridge, Bath" with a time below each: the trip goes from the first place with a time to the last,
 *  by way of the others. */
export function withStopsDown(
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
export function withClocks(rows: readonly JobRow[], headings: readonly string[] | null): JobRow[] {
  const width = Math.max(0, ...rows.map(({ cells }) => cells.length));
  const hasTimes = rows.some(({ cells }) =>
    cells.some((cell) => timeIn(cell) !== null && !/^(?:\d{4}|0?\.\d+)$/.test(cell)),
  );
  const bare = Array.from({ length: headings || hasTimes ? 0 : width }, (_, at) =>
    rows.map(({ cells }) => cells[at] ?? ''),
  );
  // 650, 715, 1000: times in steps of five minutes without their first zeros; 0.75: a spreadsheet's form of 18:00.
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
export function withDashesApart(rows: readonly JobRow[], headings: readonly string[]): readonly JobRow[] {
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
export function withNamesApart(rows: readonly JobRow[], headings: readonly string[] | null): Headed {
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

/** Joins these columns into the first of them, cell by cell. */
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
export function withTownsJoined(rows: readonly JobRow[], headings: readonly string[] | null): Headed {
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
export function withDropsJoined({ rows, headings }: Headed): Headed {
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
export function withPartiesSummed(rows: readonly JobRow[], headings: readonly string[] | null): Headed {
  const parties = (headings ?? []).flatMap((heading, at) =>
    /^(?:adults?|child(?:ren)?|infants?|pupils|students|kids|staff|teachers|leaders)$/i.test(heading) &&
    rows.every(({ cells }) => /^\d{0,3}$/.test(cells[at] ?? ''))
      ? at
      : [],
  );
  const isSum = headings?.some((heading) => isOfPassengers(heading)) ?? true;
  return parties.length < 2 || isSum ? { rows, headings } : joinedAs({ rows, headings }, parties, '+');
}
