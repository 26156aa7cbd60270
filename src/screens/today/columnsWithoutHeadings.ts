/** The meanings of columns without headings, by their cells. A column can have several possible meanings, but each
 *  meaning belongs to only one column. The combination that fits best is taken; if another fits nearly as well, the
 *  user is asked. */
import {
  BACK_AT,
  dayIn,
  deadlineIn,
  hasPlate,
  isFirstName,
  isFlight,
  isGiven,
  isRegistration,
  isVehicle,
  MAKES,
  MONTH,
  PLACE,
  share,
  timeIn,
  tripEnds,
} from './sheetCells.ts';
import { type SheetRow } from './sheetText.ts';
import { NAME } from './groupLines.ts';
import type { Meaning } from './headingWords.ts';

/** A column with its possible meanings and how well each fits; a note fits with 0. */
export interface OpenColumn {
  at: number;
  fits: Partial<Record<Meaning, number>>;
}

export interface Role {
  meaning: Meaning;
  /** False: another meaning fits nearly as well, or this one fits badly. */
  isSure: boolean;
}

/** How much better than any other a meaning must fit to be taken without a question; `FITS` is how well it must fit
 *  at least. */
const MARGIN = 2;
const FITS = 1;
/** From this fit on, a meaning is asked about and not dropped. */
const DOUBT = 0.3;

/** The extra value of a time and both ends: every sheet has them. */
const WORTH = 6;

/** `taken`: meanings that other columns have by their headings. */
export function rolesOf(open: readonly OpenColumn[], taken: ReadonlySet<Meaning>): Map<number, Role> {
  const best = bestOf(open, taken);
  return new Map(
    open.map(({ at, fits }, index): [number, Role] => {
      if (Object.keys(fits).length === 0) return [at, { meaning: 'note', isSure: true }];
      const { [index]: meaning = 'note' } = best.meanings;
      const other = bestOf(
        open.map((one) => (one.at === at ? { at, fits: without(fits, meaning) } : one)),
        taken,
        meaning === 'note' ? index : -1,
      );
      const isClear = best.score - other.score >= MARGIN;
      if (meaning === 'note') {
        const second = other.meanings[index] ?? 'note';
        return [
          at,
          isClear || (fits[second] ?? 0) < DOUBT
            ? { meaning, isSure: true }
            : { meaning: second, isSure: false },
        ];
      }
      return [at, { meaning, isSure: isClear && (fits[meaning] ?? 0) >= FITS }];
    }),
  );
}

const without = (fits: OpenColumn['fits'], meaning: Meaning): OpenColumn['fits'] =>
  Object.fromEntries(Object.entries(fits).filter(([one]) => one !== meaning));

interface Choice {
  meanings: Meaning[];
  used: Set<Meaning>;
  score: number;
}

/** How many combinations are followed at a time. The others are far worse. Sheets with more open columns than usual
 *  have fewer, so that the work does not grow with the square of the columns. */
const KEPT = 120;
const USUAL_COLUMNS = 16;

/**
 * The best combination of meanings, in the order of `open`. `noNote`: the place of a column that must not be a note.
 */
function bestOf(open: readonly OpenColumn[], taken: ReadonlySet<Meaning>, noNote = -1): Choice {
  const kept = Math.ceil(KEPT * Math.min(1, USUAL_COLUMNS / open.length));
  let choices: Choice[] = [{ meanings: [], used: new Set(taken), score: 0 }];
  for (const [index, { fits }] of open.entries()) {
    const options = Object.entries(fits) as [Meaning, number][]; // its keys are meanings
    const next = choices.flatMap(({ meanings, used, score }) => [
      ...(index === noNote && options.length > 0
        ? []
        : [{ meanings: [...meanings, 'note' as Meaning], used, score }]),
      ...options.flatMap(([meaning, fit]) =>
        isFree(meaning, used)
          ? { meanings: [...meanings, meaning], used: new Set(used).add(meaning), score: score + fit }
          : [],
      ),
    ]);
    choices = next
      .map((one) => ({ one, worth: one.score + worthOf(one) }))
      .toSorted((one, other) => other.worth - one.worth)
      .slice(0, kept)
      .map(({ one }) => one);
  }
  const [best = { meanings: [], used: new Set<Meaning>(), score: 0 }] = choices;
  return { ...best, score: best.score + worthOf(best) };
}

const isFree = (meaning: Meaning, used: ReadonlySet<Meaning>): boolean =>
  !used.has(meaning) &&
  !(meaning === 'trip' && (used.has('from') || used.has('to'))) &&
  !((meaning === 'from' || meaning === 'to') && used.has('trip'));

function worthOf({ meanings, used }: Choice): number {
  const [from, to] = [meanings.indexOf('from'), meanings.indexOf('to')];
  const ends =
    used.has('trip') || (used.has('from') && used.has('to'))
      ? WORTH
      : used.has('from') || used.has('to')
        ? 1
        : 0;
  // "From" usually comes before "to".
  const order = from >= 0 && to >= 0 ? (from > to ? -2 : from + 1 === to ? 0.5 : 0) : 0;
  return ends + order + (used.has('time') ? WORTH : 0);
}

/** The columns around an open one, by their meanings, and the first rows. */
export interface Around {
  rows: readonly SheetRow[];
  day: string;
  /** The columns with a known meaning. */
  of: (meaning: Meaning) => readonly number[];
  /** The columns of words whose meaning is open. */
  texts: readonly number[];
  /** The ends of each row in one order, so that a way back is equal to its way out. */
  trips: readonly string[];
  /** The first row of each trip, because the row of its way back repeats it; all rows if no trips are known. */
  firsts: readonly number[];
  isKnown: boolean;
}

/** The rows that show what a column is. More would take seconds in a wide sheet. */
const SHOWN_ROWS = 300;

/** The trips are found here for all columns at once, because a wide sheet would take seconds otherwise. */
export function aroundOf(
  all: readonly SheetRow[],
  day: string,
  of: Around['of'],
  texts: readonly number[],
): Around {
  const rows = all.slice(0, SHOWN_ROWS);
  const ends = [...of('from'), ...of('to'), ...of('trip')];
  const trips = rows.map(({ cells }) =>
    ends
      .flatMap((one) => tripEnds(cells[one] ?? '') ?? cells[one] ?? '')
      .toSorted()
      .join('\t'),
  );
  const isKnown = of('trip').length + of('from').length > 0;
  const seen = new Set<string>();
  const firsts = [...rows.keys()].filter((index) => {
    const isFirst = !isKnown || !seen.has(trips[index]!);
    seen.add(trips[index]!);
    return isFirst;
  });
  return { rows, day, of, texts, trips, firsts, isKnown };
}

const isNumber = (cell: string) => /^\d{1,4}$/.test(cell);
const isText = (cell: string) => /\p{L}{2}/u.test(cell);
const TITLED = /^(?:mr|mrs|ms|miss|dr|rev|prof|sir|lady)\b/i;
const COMPANY =
  /\b(?:ltd|limited|plc|council|cc|tours?|travel|holidays|u3a|society|association|pta|party|group|events?|council|trust|brigade|scouts|guides|ramblers|supporters|wi|w\.i\.)\b/i;
const PERSON =
  /^(?:[A-Z]\.? ?){1,2}[A-Z][\p{Ll}'’-]+$|^(?:[A-Z]\.? ){1,2}[A-Z][\p{L}'’-]+$|^[A-Z][\p{L}'’-]+,? [A-Z]\.?$/u;
const REF = /^(?=.*\d)(?:[A-Z]{1,5} ?\d{2,7}[A-Z]?|\d{3,7}[A-Z]?|[A-Z\d]+(?:[-/][A-Z\d]+)+|[A-Z]+\d+)$/i;
const ACTIVITY =
  /^(?:sign|dep|arr|depart|arrive|break|set down|drop|pick up|load|fuel|meal|lunch|wait|walk|check|clean)\b/i;
/** The possible meanings of a column's cells, and how well each fits. */
export function fitsOf(at: number, around: Around): OpenColumn['fits'] {
  const { rows, day, of: columnsOf, texts, trips, firsts, isKnown } = around;
  const all = rows.map(({ cells }) => cells[at] ?? '');
  const cells = all.filter(isGiven);
  if (cells.length === 0) return {};
  const of = (test: (cell: string) => boolean) => share(cells, test);
  const numbers = of(isNumber);
  if (of((cell) => dayIn(cell, day) !== null) >= 0.8) return { date: 4 };
  // The day of a job must not be lost, so such a column is asked about.
  if (of((cell) => MONTH.test(cell.replaceAll(/\d+/g, ' ')) && /\d/.test(cell)) >= 0.8)
    return { date: DOUBT };
  if (of((cell) => /^(?:in|out|inbound|outbound)$/i.test(cell)) >= 0.8) return {};
  if (of((cell) => BACK_AT.test(cell) && timeIn(cell.replace(BACK_AT, '')) !== null) >= 0.6)
    return { back: 3 };
  // Beside one end, "Aurelia / Mayflower Terminal" is the other.
  const isBesideEnd = [...columnsOf('from'), ...columnsOf('to')].some((one) => one !== at);
  if (!isBesideEnd && of(hasEnds) >= 0.6) return { trip: 4 };
  if (of((cell) => deadlineIn(cell) !== null) >= 0.6) return { deadline: 3 };
  const fits: OpenColumn['fits'] = {};
  const fresh = new Set(cells).size / cells.length;
  const repeats = cells.length > 2 && fresh < 1;
  const [driver = -1] = columnsOf('driver');
  const [vehicle = -1] = columnsOf('vehicle');
  const beside = (meaning: Meaning) => columnsOf(meaning).some((one) => Math.abs(one - at) === 1);
  const column = (one: number) => rows.map(({ cells: row }) => row[one] ?? '');
  const follows = (one: readonly string[]) =>
    dependence(
      firsts.map((index) => one[index]!),
      firsts.map((index) => all[index]!),
      all,
    );
  const byDriver = driver < 0 ? 0 : follows(column(driver));
  // A driver with several numbers on one day has them of people, and not of coaches.
  const isOfSeveral = driver >= 0 && dependence(column(driver), all) < 0;
  // A number that comes again on another trip is that of the vehicle.
  const isAgain = isKnown && numbers >= 0.9 && dependence(all, trips) < 0;
  const byVehicle = vehicle < 0 ? 0 : follows(column(vehicle));
  const together = vehicle < 0 ? 0 : dependence(column(vehicle), all);
  const byTrip = isKnown ? dependence(trips, all) : 0;

  const plates = of((cell) => hasPlate(cell) || (isRegistration(cell) && /[A-Z]/i.test(cell)));
  const modern = of((cell) => hasPlate(cell) || /^(?:[A-Z]{2}\d{2}|[A-Z]\d{1,3}) ?[A-Z]{3}$/i.test(cell));
  const codes = of((cell) => isVehicle(cell) || /^(?:[1-9]\d{0,2}|[A-Z]{1,3} ?\d{1,3})$/.test(cell));
  const coaches = of((cell) => isVehicle(cell) || MAKES.test(cell));
  if (plates >= 0.6 && modern >= 0.3) fits.vehicle = 4;
  else if (coaches >= 0.6) fits.vehicle = 3;
  else if (plates >= 0.6 || (codes >= 0.8 && (numbers < 0.9 || repeats || beside('driver') || byDriver > 0)))
    fits.vehicle = Math.max(
      0.3,
      (numbers < 0.9 ? 1 : 0) +
        (repeats ? 0.3 : 0) +
        (beside('driver') ? 0.7 : 0) +
        byDriver * 0.7 -
        (numbers >= 0.9 && isOfSeveral ? 1.5 : 0) +
        (isAgain ? 1 : 0) -
        byTrip * 0.5,
    );
  else if (
    repeats &&
    cells.length >= all.length * 0.8 &&
    byDriver > 0 &&
    byTrip <= 0 &&
    of((cell) => cell.length < 16) === 1
  )
    fits.vehicle = 0.5;

  if (of((cell) => PEOPLE_ALONE.test(cell)) >= 0.8) fits.people = 4;
  else if (numbers >= 0.8 && of((cell) => /^[1-9]/.test(cell) && Number(cell) <= 99) >= 0.8) {
    const sizes = cells.map(Number).toSorted((one, other) => one - other);
    const middle = sizes[Math.floor(sizes.length / 2)] ?? 0;
    const isCounting = cells.every((cell, index) => Number(cell) === index + 1);
    fits.people = Math.max(
      0.3,
      (middle >= 10 ? 2 : middle >= 4 ? 1 : -0.5) +
        (fresh > 0.5 ? 0.5 : 0) -
        (isAgain ? 1 : 0) -
        (vehicle < 0 && beside('driver') ? 0.5 : 0) -
        byDriver -
        byVehicle +
        byTrip * 0.5,
    );
    // Without a column of vehicles, they may also be the vehicles' numbers.
    if (vehicle < 0 && byTrip <= 0 && !isOfSeveral) fits.people = Math.min(FITS - 0.1, fits.people);
    if (isCounting) delete fits.people;
  }

  const isOfLetters = of((cell) => /^[A-Z]{1,5}[-/ ]?\d{3,}/.test(cell)) >= 0.9;
  const isLong = of((cell) => /[A-Z]|\d{4}/i.test(cell)) >= 0.7;
  // A way back has the reference of the way out.
  const isFresh = fresh >= 0.8 || isOfLetters || (isLong && dependence(all, trips) > 0);
  if (of((cell) => REF.test(cell)) >= 0.7 && fresh >= 0.4 && of(isFlight) < 0.6)
    fits.ref = isFresh && isLong ? 2.5 : isFresh ? 0.8 : 0.3;

  const isWords = of(isText) >= 0.8;
  const names = share([...new Set(cells)], isFirstName);
  const titled = of((cell) => TITLED.test(cell));
  const initials = of((cell) => /^[A-Z]{2,3}$/.test(cell)) >= 0.9 && repeats;
  const companies = of((cell) => COMPANY.test(cell));
  const places = of((cell) => PLACE.test(cell));
  if ((isWords || initials) && titled < 0.3 && companies < 0.3) {
    const named =
      names >= 0.5
        ? 3
        : of((cell) => PERSON.test(cell)) >= 0.6
          ? 1.5
          : initials
            ? 0.5
            : of((cell) => NAME.test(cell)) >= 0.75
              ? 0.3
              : -9;
    const near =
      (beside('vehicle') ? 0.75 : 0) +
      (repeats ? 0.5 : 0) +
      (together > 0 ? 1 : 0) -
      (byTrip > 0 && together < 1 ? 0.5 : 0);
    // Capitals alone may also be customers, or the initials of a person who has checked the row.
    const most = named < 1.5 ? FITS - 0.1 : 9;
    // Customers have capitals too, but seldom all of them short names that repeat.
    const isShort = repeats && titled + companies === 0 && of((cell) => cell.split(' ').length < 3) === 1;
    const isOfAny = named === 0.3 && names < 0.2 && together <= 0 && !isShort;
    if (named > -9 && !isOfAny) fits.driver = Math.min(most, named + near - places * 3);
  }
  if (isWords) {
    const others = [...columnsOf('from'), ...columnsOf('to'), ...texts.filter((one) => one !== at)];
    const said = new Set(others.flatMap(column).map((cell) => cell.toLowerCase()));
    const shared = share([...new Set(cells)], (cell) => said.has(cell.toLowerCase()));
    const place =
      0.3 +
      places * 2 +
      (shared >= 0.2 ? 2 : 0) +
      // The only two columns of words are the two ends.
      (texts.length === 2 && texts.includes(at) && cells.length === all.length && names < 0.2 ? 0.8 : 0) -
      companies * 2.5 -
      titled * 3 -
      Math.max(
        names,
        coaches,
        of((cell) => ACTIVITY.test(cell)),
      ) *
        3 -
      of((cell) => cell.length > 60 || /\d{5}|^\p{L}+: /u.test(cell)) * 2 -
      // Remarks begin small, and not every job has one.
      of((cell) => /^\p{Ll}/u.test(cell)) * 2 -
      (cells.length < all.length * 0.7 ? 1.5 : 0);
    if (place >= 0) Object.assign(fits, { from: place, to: place });
  }
  return fits;
}

const PEOPLE_ALONE =
  /^\d{1,3} ?(?:pax|px|p|ppl|passengers|people|pupils|guests|(?:of|\/) ?\d{1,3})$|^x ?\d{1,3}$/i;

/** Whether a cell has two ends, also when a second dash makes it doubtful. */
export const hasEnds = (cell: string): boolean =>
  / [-–—] .+ [-–—] |(?:→|⇒|>).+(?:→|⇒|>)/.test(cell) ||
  (tripEnds(cell)?.every((end) => !isRegistration(end)) ?? false);

/** 1: whenever the first value repeats, so does the second. -1: it does not. 0: no value repeats. */
function dependence(one: readonly string[], other: readonly string[], whole = other): -1 | 0 | 1 {
  const told = new Map<string, string>();
  let again = 0;
  for (const [index, key] of one.entries()) {
    const value = other[index] ?? '';
    if (key.trim() === '' || !isGiven(value)) continue;
    const before = told.get(key);
    if (before === undefined) told.set(key, value);
    else if (before !== value) return -1;
    else again++;
  }
  return again > 0 && new Set(whole.filter(isGiven)).size > 1 ? 1 : 0;
}
