/** The jobs of one row of a day sheet, by the meanings of its columns, with the changes that were made for the user,
 *  or the reason why there is none. */
import { type AskedJob, JOB_LIMITS } from '#contract/watches/jobs.ts';
import { isArrivalAfter, isDeadlineAfter } from '#contract/watches/sheetClock.ts';
import {
  amendedTime,
  BACK_AT,
  backAfter,
  type ClockTime,
  dayIn,
  dayOfTime,
  deadlineIn,
  endsOf,
  hasPlate,
  isAbout,
  isDue,
  isFirstName,
  isGiven,
  isNightOf,
  isOpen,
  later,
  LEADING,
  minutesOf,
  placeOnly,
  plateIn,
  spanIn,
  timeIn,
  viaIn,
} from './sheetCells.ts';
import { isOfFlight, isOfOnePlace, isOfPickUps, isRemark, type Meaning } from './headingWords.ts';
import { KEPT } from './sheetProse.ts';
import { aboutOf } from './sheetSentence.ts';
import type { JobRow } from './groupLines.ts';
import type { Column, Group } from './columnMeanings.ts';

export interface ReadRow {
  line: number;
  cells: string[];
  /** Usually one job; two for a trip out and back; none if the row is left out. */
  jobs: AskedJob[];
  /** Why it is left out: 'Row 14: no time in “TBC”'. */
  problem: string | null;
  /** The group in which it is counted; null if it is not left out. */
  left: 'other day' | 'cancelled' | 'empty' | 'not understood' | null;
  /** A change that was made for the user: "01:15 on Wednesday". */
  note: string | null;
  /** The column of the cell that the problem or the note is about; -1: none. */
  doubtful: number;
  /** Words of the row that have two possible meanings: "rtn 18:15". */
  doubts: Partial<Record<Doubt, string>>;
  /** True: it has a way back without a time. */
  isOneWay: boolean;
}

/**
 * Things that can be read in two ways: a loose time may be in the afternoon; small hours may be on the next day; a
 * remark may hold a way back that is a job; a run without passengers may be a job; words behind a second dash may be
 * a remark; two equal rows may be two coaches; two times in one cell may be out and back; times may be of another
 * country; a line may be missing from all jobs; an end may not be a place; rows may be pick-ups of one trip; and a
 * driver or vehicle may stand for the rows below it.
 */
export type Doubt =
  | 'afternoon'
  | 'nextDay'
  | 'back'
  | 'light'
  | 'remark'
  | 'twice'
  | 'pair'
  | 'zone'
  | 'unused'
  | 'odd'
  | 'stops'
  | 'above';

export const WEEKDAY = new Intl.DateTimeFormat('en-GB', { weekday: 'long', timeZone: 'UTC' });
const DAY = new Intl.DateTimeFormat('en-GB', {
  weekday: 'long',
  day: 'numeric',
  month: 'long',
  timeZone: 'UTC',
});
export const noon = (day: string, after = 0) => new Date(Date.parse(`${day}T12:00:00Z`) + after * 86_400_000);

/** "Tuesday 24 November" */
export const dayWords = (day: string): string => DAY.format(noon(day)).replace(',', '');

interface RowDay {
  day: string;
  /** The last date in the column; null: there was none, or it cannot be read. */
  date: string | null;
  said: string;
  /** Hours to add to a loose time. */
  add: number;
  answers: Readonly<Partial<Record<Doubt, boolean>>>;
  /** All trips of the sheet in words, to find trips that it also runs back. */
  ways: ReadonlySet<string>;
  /** Whether a row has the times of both ways, so that a row stands for its way out. */
  isPaired: boolean;
  /** The line above that is equal in all cells. */
  twin: number | null;
}

/** The places of "Castleford - Normanton - Leeds"; other parts may be among them. */
export const wayOf = (trip: string): string[] => trip.split(/ [-–—] | ?(?:→|⇒|->|=>|>) ?/);
export const plain = (way: readonly string[]): string => way.join('\t').toLowerCase();

export function readRow(
  row: JobRow,
  columns: readonly Column[],
  groups: readonly Group[],
  about: RowDay,
): ReadRow {
  const { line, cells } = row;
  const leftOut = (why: string, doubtful: number, left: ReadRow['left'] = 'not understood'): ReadRow => {
    return {
      line,
      cells,
      jobs: [],
      problem: `Row ${line}: ${why}`,
      left,
      note: null,
      doubtful,
      doubts,
      isOneWay: false,
    };
  };
  const doubts: ReadRow['doubts'] = {};
  const [first] = groups;
  if (!first) return leftOut('no column of times.', -1);
  const dateAt = first.date >= 0 ? first.date : first.time;
  const cancelled = cells.findIndex((cell, at) => isOff(cell, columns[at]!));
  if (cancelled >= 0) return leftOut(`“${short(cells[cancelled]!)}”.`, cancelled, 'cancelled');
  const rest = cells.findIndex(
    (cell, at) => isRest(cell) && !['driver', 'vehicle'].includes(columns[at]!.meaning),
  );
  const ends = (['from', 'to'] as const).map((end) => cells[first.of[end] ?? -1] ?? '');
  if (rest >= 0 && (rest === first.of.from || rest === first.of.trip || ends[0] === ends[1]))
    return leftOut(`“${cells[rest]!}” is no trip.`, rest);
  const light = cells.find((cell, at) => isLight(cell, columns[at]!.meaning));
  if (light !== undefined) {
    doubts.light = light;
    if (about.answers.light === false) return leftOut(`“${short(light)}” has no passengers.`, -1, 'empty');
  }
  if (about.said !== '' && about.date === null) {
    const day = dayIn(about.said, about.day) ?? dayOfTime(about.said, about.day);
    const said = `“${short(about.said)}”`;
    return leftOut(day ? `${said} is a ${WEEKDAY.format(noon(day))}.` : `no date in ${said}.`, dateAt);
  }
  if (about.date !== null && about.date !== about.day)
    return leftOut(`this is for ${dayWords(about.date)}.`, dateAt, 'other day');

  if (about.twin !== null) {
    doubts.twice = cells[first.time] ?? '';
    if (about.answers.twice === false) return leftOut(`the same as row ${about.twin}.`, -1);
  }
  if (row.pair) doubts.pair = row.pair;

  const jobs: AskedJob[] = [];
  const notes: string[] = [];
  let doubtful = -1;
  let isOneWay = false;
  const note = (words: string, at: number) => {
    notes.push(words);
    doubtful = at;
  };
  /** "01:15 on Wednesday" */
  const clock = (local: string) =>
    local < '24:00' ? local : `${later(local, -24)} on ${WEEKDAY.format(noon(about.day, 1))}`;
  for (const [index, group] of groups.entries()) {
    const said = cells[group.time] ?? '';
    // A line with two trips can lack one of them.
    if (said === '' && (index > 0 || groups.slice(1).some(({ time }) => cells[time]))) continue;
    const { back: only = -1 } = group.of;
    if (said === '' && timeIn(cells[only] ?? '')) {
      const alone = { ...group, time: only, of: { ...group.of, back: undefined, arrives: undefined } };
      const isEarly = timeIn(cells[only]!)!.isLoose && timeIn(cells[only]!)!.local < '07:30';
      const read = jobOf(row, columns, alone, { ...about, add: isEarly ? 12 : about.add }, doubts);
      if (typeof read === 'string' || !read.ends || !about.isPaired) return leftOut('no time.', group.time);
      const { job, ends, noteBack } = read;
      // A row of its own may already say the way back of another row.
      if (about.ways.has(plain(ends.toReversed()))) return leftOut('no time.', group.time);
      jobs.push({ ...job, trip: `${ends[1]} → ${ends[0]}`, note: noteBack });
      note(`Only the way back is said: ${job.leaves_local}.`, only);
      continue;
    }
    // "3.15" in the second half of a line is after "7.20" in its first.
    const before = jobs.at(-1)?.leaves_local ?? '';
    const own = timeIn(said);
    const isAfternoon = own !== null && own.isLoose && own.local < before && later(own.local, 12) > before;
    const add = isAfternoon ? 12 : about.add;
    const read = jobOf(row, columns, group, { ...about, add }, doubts);
    if (typeof read === 'string') return leftOut(read, group.time);
    const { job, words, ends, noteBack } = read;
    const { leaves_local } = job;
    const wayBack = ends && {
      ...job,
      trip: `${ends[1]} → ${ends[0]}`,
      deadline_local: null,
      deadline_what: null,
      duration_min: null,
      note: noteBack,
    };
    jobs.push(row.pair && about.answers.pair === false && wayBack ? wayBack : job);
    notes.push(...words);
    if (isAbout(said) || spanIn(said) || amendedTime(said) || isAfternoon)
      note(`“${short(said)}” is taken as ${leaves_local}.`, group.time);
    if (leaves_local >= '24:00') note(`${clock(leaves_local)}.`, group.time);
    const { back = -1, backDate = -1, backVehicle = -1, backDriver = -1 } = group.of;
    const [again, at = ''] = (back < 0 && BACK_IN_WORDS.exec(job.note ?? '')) || [];
    const spoken = timeIn(at);
    const isBack = spoken !== null && (spoken.isLoose || spoken.local > leaves_local);
    if (again && isBack) doubts.back = again;
    const wait = back < 0 && !isBack ? WAIT.exec(job.note ?? '')?.[0] : undefined;
    if (wait) {
      note(`“${wait}” has no time back: only the way out is added.`, -1);
      isOneWay = true;
    }
    if (isOpen(cells[back] ?? '')) {
      note(`“${cells[back]!}” is no time back: only the way out is added.`, back);
      isOneWay = true;
    }
    const saidBack = (cells[back] ?? (about.answers.back && isBack ? at : '')).replace(BACK_AT, '');
    if (again && saidBack === at) note(`“${again}” is taken as a way back.`, -1);
    if (
      !isGiven(saidBack) ||
      /^(?:single|sgl|one[- ]?way|o\/?w|d\/?o|drop(?: only)?|no(?: return)?)$/i.test(saidBack)
    )
      continue;
    const isNight = isNightOf(saidBack, about.day);
    const backDay =
      dayIn(cells[backDate] ?? '', about.day) ?? (isNight ? null : dayOfTime(saidBack, about.day));
    if (backDay !== null && backDay !== about.day) {
      note(`The way back is on ${dayWords(backDay)}, and not added.`, backDate < 0 ? back : backDate);
      continue;
    }
    const time = timeIn(saidBack);
    if (!time || !wayBack) {
      note(`No time back in “${short(saidBack)}”: only the way out is added.`, back);
      isOneWay = true;
      continue;
    }
    const local = backAfter(time, leaves_local);
    if (local !== time.local) note(`“${short(saidBack)}” is taken as ${clock(local)}.`, back);
    jobs.push({
      ...wayBack,
      leaves_local: local,
      vehicle: instead(cells[backVehicle], job.vehicle),
      driver: instead(cells[backDriver], job.driver),
    });
  }
  return {
    line,
    cells,
    jobs,
    problem: null,
    left: null,
    note: notes.join(' ') || null,
    doubtful,
    doubts,
    isOneWay,
  };
}

/** The driver or vehicle of a way back: that of the way out, unless its own column names another one or says that
 *  none is known yet. */
const instead = (said = '', out: string | null): string | null =>
  said === '' ? out : isGiven(said) ? cut(said, JOB_LIMITS.fieldLength) : null;

const BACK_IN_WORDS =
  /\b(?:(?:return(?:s|ing)?|rtn|ret|inbound|homeward|collect|pick up)\b[^\d;,]{0,14}|back(?: at)? )(\d{1,2}(?:[:.]\d{2}|\d{2}|(?= ?[ap]m))(?: ?(?:[ap]\.?m\b|hrs))?)/i;

/** "CANCELLED", "Cancelled by client 26/11": as the state of a row, or as the first word of any cell except a person
 *  or place. "Off" needs a column of states or remarks, and only words that say why nothing runs. */
function isOff(cell: string, { meaning, heading }: Pick<Column, 'meaning' | 'heading'>): boolean {
  // "LK17 OFF" is a registration.
  const said = cell.replace(plateIn(cell) ?? '', '');
  if (/^~~[^~]+(?:~~)?$|^[^~]+~~$/.test(cell)) return true;
  if (KEPT.test(said)) return false;
  if (OFF.test(said)) return true;
  if ((meaning === 'status' || isRemark(heading)) && NO_RUN.test(said)) return true;
  if (meaning === 'status')
    return /^x+$|(?:^|[-–:,(/] ?|\b(?:job|run|trip|booking|hire|now|customer|client|is|was|been) )(?:cancel(?:l?ed)?\b|withdrawn|declined|lost\b(?! prop)|void|deleted|not (?:running|req))/i.test(
      said,
    );
  return meaning !== 'note' && /\s[(-]?(?:cancell?ed|canx|cxl)\W*$/i.test(said);
}

const OFF =
  /^(?:x+\b)?\W*(?:cancell?ed|canc|canx|cncl?d?|cxl|cxd|cxn|cnx|c\/x|not running|no longer (?:running|required|needed|going)|(?:not (?:required|needed)|do not run)\W*$|called off|postponed|stood down)(?!\w)/i;

/** "Off", "OFF - school closed", "Job off" */
const NO_RUN =
  /^(?:(?:job|run|trip|all|now) )?off\W*$|^off ?[-–(:,](?!.*\b(?:gate|door|road|entrance|street|lane)\b).*\b(?:closed|closure|shut|strike|inset|half[- ]term|snow|weather|flood(?:s|ed)?|no (?:school|run|service))\b/i;

/** Remarks that may cancel or move a job. */
const CHANGED = /(?:^|; )off(?: ?[-–(:,]|$)|cancel|postponed|\bmoved to\b|\bnow (?:at )?\d|\bno longer\b/i;

/** "Depot" as an end, or "Light", "ECS": the coach runs empty. */
const isLight = (cell: string, meaning: Meaning): boolean =>
  meaning === 'from' || meaning === 'to'
    ? /^(?:the )?(?:depot|garage|yard)$/i.test(cell)
    : meaning === 'trip'
      ? /^(?:ex|from|out of|leave|to|into|(?:back|return) to) (?:the )?(?:depot|garage|yard)$/i.test(cell)
      : /^(?:light|ecs|empty|dead(?: run| mileage| mil)?|positioning|pos|run empty)$/i.test(cell);

/** A way back without a time. */
const WAIT = /\bw ?[&/+] ?r\b|\bwait (?:and|&) return\b|\b(?:and|&) return\b/i;

/** A row of a rota that is not a trip: its cell says nothing else. */
const isRest = (cell: string): boolean =>
  /^(?:(?:meal |tea |lunch )?break|rest(?: day)?|rd|r\/d|day off|off duty|holidays?|hols|a\/l|annual leave|sick|spare|stand-?by|training|garage duty)$/i.test(
    cell,
  );

export const short = (text: string) => (text.length > 40 ? `${text.slice(0, 39)}…` : text);
const cut = (text: string | undefined, most: number): string | null =>
  [...(text ?? '')].slice(0, most).join('').trim() || null;

/** "no time in “TBC”." */
function noTime(said: string): string {
  if (said === '') return 'no time.';
  const times = said.match(/\b\d{1,2}[:.]\d{2}\b/g) ?? [];
  if (times.length > 1) return `more than one time in “${short(said)}”.`;
  return times.length === 1 ? `“${short(said)}” is not a plain time.` : `no time in “${short(said)}”.`;
}

/** "Bourne, Tesco; Deeping 08:50" and "Alloa / Clackmannan": the end itself, and the further stops in its cell.
 *  Lines without times belong to an address, unless their column holds pick-ups. */
function stopsOf(
  cell: string,
  isFirst: boolean,
  heading: string | null = null,
): [end: string, others: string[]] {
  const lines = cell.split(/; | \/ (?=\d{1,2}[:.]\d\d )/);
  const isOfStops = isOfPickUps(heading) || lines.slice(1).some((line) => /\d[:.]\d\d/.test(line));
  const parts = isOfStops ? lines : cell.replaceAll('; ', ', ').split(' / ');
  const [end = ''] = isFirst ? parts.splice(0, 1) : parts.splice(-1);
  return [end, parts];
}

/** "Leeds to York, back 18.15" */
const BEHIND_TRIP = /^(\S.*[^\s,;])[,;]? ((?:back|return(?:s|ing)?|rtn|ret)(?: at)? \d[^()]*)$/i;

const REFERENCE = /^([A-Z]{1,4}[-/]\d{2,6})[ :,]+(?=\p{L})/u;

/** One trip of a row, with the changes that were made for the user. A text: the reason why there is no job. */
function jobOf(
  { cells, group }: JobRow,
  columns: readonly Column[],
  { time, of }: Group,
  { day, add, answers, ways }: RowDay,
  doubts: ReadRow['doubts'],
): { job: AskedJob; words: string[]; ends: [string, string] | null; noteBack: string | null } | string {
  const cell = (meaning: Meaning) => {
    const said = of[meaning] === undefined ? '' : (cells[of[meaning]] ?? '');
    return isGiven(said) ? said : '';
  };
  const said = cells[time] ?? '';
  const leaves = timeIn(said);
  if (!leaves) return noTime(said);
  const [, tripSaid = cell('trip'), wayBack = ''] = BEHIND_TRIP.exec(cell('trip')) ?? [];
  const inTrip = REFERENCE.exec(tripSaid)?.[1] ?? null;
  const bare = placeOnly(inTrip === null ? tripSaid : tripSaid.replace(REFERENCE, ''), true);
  const inFull = { ...bare, rest: [bare.rest, wayBack].filter(Boolean).join(', ') || null };
  const way = endsOf(inFull.place) ? [] : wayOf(inFull.place);
  const [one, other, ...behind] = way;
  // If the sheet also has this trip in the other direction, both ends are places.
  const isReturned = ways.has(plain(way.toReversed()));
  const isByArrows = /→|⇒|>/.test(inFull.place);
  if (behind.length > 0 && !isReturned && !isByArrows) doubts.remark = behind.join(' - ');
  const isRemarked = behind.length > 0 && !isReturned && !isByArrows && answers.remark === true;
  const isWhole = behind.length > 0 && (isReturned || isByArrows || answers.remark === false);
  const whole = isRemarked
    ? {
        ...inFull,
        place: `${one!} - ${other!}`,
        rest: [behind.join(', '), inFull.rest ?? []].flat().join(', '),
      }
    : inFull;
  const known = [cell('vehicle'), cell('driver')];
  const [first, joined] = stopsOf(cell('from'), true, columns[of.from ?? -1]?.heading);
  const [last, left] = stopsOf(cell('to'), false);
  const from = placeOnly(first, false, known);
  const to = placeOnly(last, false, known);
  const inWords: [string, string] | null = isWhole ? [one!, behind.at(-1)!] : endsOf(whole.place);
  const saidEnds: [string, string] | null = from.place && to.place ? [from.place, to.place] : inWords;
  const [start, onWay] = viaIn(saidEnds?.[0] ?? '');
  const [goal, alsoOnWay] = viaIn(saidEnds?.[1] ?? '');
  const ends: [string, string] | null = saidEnds && [start, goal];
  const among = [...(isWhole ? way.slice(1, -1) : []), ...onWay, ...alsoOnWay];
  const stops = [...joined, ...among, ...left].join(', ');
  const [crew, coach] = apartFrom(cell('driver'), cell('vehicle'));
  const formula = [cell('from'), cell('to'), cell('trip')].find((one) => /^=(?!>)/.test(one));
  if (formula) return `“${short(formula)}” is a formula, and no place.`;
  const trip = ends?.join(' → ') ?? (from.place || to.place ? '' : whole.place);
  const hasEnds =
    of.trip !== undefined && columns[of.trip]!.samples.some((sample) => endsOf(sample) !== null);
  if (trip === '') return 'from where or to where is missing.';
  if (hasPlate(trip)) return `“${short(trip)}” has a registration in it.`;
  if (/\d[:.]\d\d/.test(trip)) return `“${short(trip)}” has another time in it.`;
  const parts = [whole, from, to];
  const rest = parts.flatMap((part) => part.rest ?? []);
  const plate = parts.find(({ vehicle }) => vehicle !== null)?.vehicle ?? null;
  const local = later(leaves.local, add);
  const end = timeIn(cell('arrives')) ?? spanIn(said)?.[1] ?? null;
  const isEndLater = end !== null && ((end.isLoose && add % 24 === 12) || isSecondHalf(end, local));
  const arrives = end && later(end.local, isEndLater ? 12 : 0);
  const isArrival = arrives !== null && (end?.isLoose ? isDeadlineAfter : isArrivalAfter)(local, arrives);
  const remarks = columns.flatMap(({ meaning, heading }, at) =>
    meaning === 'note' && isRemark(heading) ? (cells[at] ?? '') : [],
  );
  const deadlineAt = of.deadline ?? -1;
  const due = rest.flatMap((one) => one.split(', ')).filter(isDue);
  const found = deadlineOf(cell('deadline'), [...remarks, ...due].join('; '), local);
  const isLanding =
    found !== null && isOfFlight(columns[deadlineAt]?.heading ?? null) && found.local <= local;
  const isEarly = found !== null && !isLanding && !isDeadlineAfter(local, found.local);
  const deadline = isLanding || isEarly ? null : found;
  const inPlaces = parts.find((part) => part.people !== null)?.people ?? '';
  const people = peopleIn(cell('people')) ?? peopleIn(inPlaces) ?? peopleIn(group.people ?? '');
  const via = givenIn(cells, columns, 'via').flatMap(({ text, column }) =>
    /^(?:direct|non[- ]?stop|fast|all stops)$/i.test(text)
      ? []
      : isOfOnePlace(column.heading)
        ? text
        : text.split(/[,;] /),
  );
  const stopping = [...joined, ...among, ...via, ...left];
  const remarked = [
    ...notesOf(cells, columns),
    ...(/\p{L}{4}/u.test(cell('people').replace(/passengers|people|seats?/i, '')) ? [cell('people')] : []),
    ...(cell('deadline') && !deadline ? [labelled(cell('deadline'), columns[deadlineAt]!)] : []),
    ...(arrives && !isArrival
      ? [cell('arrives') ? labelled(cell('arrives'), columns[of.arrives!]!) : said]
      : []),
    ...rest,
  ];
  const noteOf = (places: readonly string[]) =>
    [...(places.length > 0 ? [`Via ${places.join(', ')}`] : []), ...remarked].join('; ');
  const note = noteOf(stopping);
  const most = JOB_LIMITS.fieldLength;
  const long = (['ref', 'vehicle', 'driver'] as const).filter((field) => [...cell(field)].length > most);
  // Words beside the trip may say who drives, in what and how many.
  const loose = aboutOf(
    rest
      .flatMap((one) => one.split(', '))
      .map((one) => (/^\d{1,3}$/.test(one) ? `${one} pax` : one))
      .join(', '),
  );
  const job: AskedJob = {
    day,
    ref: cut(cell('ref') || (inTrip ?? group.ref ?? ''), most),
    leaves_local: local,
    duration_min: isArrival ? minutesBetween(local, arrives) : null,
    watch_id: null,
    trip: trip.slice(0, JOB_LIMITS.tripLength),
    vehicle: cut(coach || (plate ?? (group.vehicle || loose.vehicle)), most),
    driver: cut(crew || (whole.driver ?? (group.driver || loose.driver)), most),
    people: people ?? peopleIn(loose.people),
    deadline_local: deadline?.local ?? null,
    deadline_what: deadline?.what ?? null,
    note: cut(note, JOB_LIMITS.noteLength),
  };
  const words = [
    ...(stops ? [`“${short(stops)}” is taken as on the way.`] : []),
    ...(ends === null && hasEnds && behind.length === 0
      ? [`“${short(trip)}” does not say from where and to where.`]
      : []),
    ...(plate !== null || whole.driver !== null || rest.length > 0 || inTrip !== null
      ? [`“${[inTrip, plate, whole.driver, ...rest].filter(Boolean).join(', ')}” is kept out of the trip.`]
      : []),
    ...(['vehicle', 'driver'] as const).flatMap((field) =>
      / or /i.test(cell(field)) ? `“${short(cell(field))}” does not say which ${field}.` : [],
    ),
    ...long.map((field) => `“${short(cell(field))}” is cut to ${most} characters.`),
    ...([...note].length > JOB_LIMITS.noteLength
      ? [`The note is cut to ${JOB_LIMITS.noteLength} characters.`]
      : []),
    ...(isEarly ? [`${found.local} is before it leaves: it is no deadline, and stays in the note.`] : []),
    ...(arrives && !isArrival
      ? [`${arrives} is before it leaves: it is no arrival, and stays in the note.`]
      : []),
    ...remarked.flatMap((one) =>
      isTripWithTime(one) ? `“${short(one)}” may be a trip of its own, and is in the note.` : [],
    ),
    ...(CHANGED.test(note) ? [`“${short(note)}”: it is added all the same.`] : []),
  ];
  return { job, words, ends, noteBack: cut(noteOf(stopping.toReversed()), JOB_LIMITS.noteLength) };
}

/** The driver and the vehicle if one cell holds both: "Ken YN21 ABC", "YN21 ABC (Ken)". */
function apartFrom(driver: string, vehicle: string): [driver: string, vehicle: string] {
  const [both, other] = driver === '' ? [vehicle, driver] : [driver, vehicle];
  const plate = other === '' ? plateIn(both) : null;
  const name =
    plate === null ? '' : both.replace(plate, '').replaceAll(/^[\s,/()–-]{1,9}|[\s,/()–-]{1,9}$/g, '');
  const isApart =
    plate !== null &&
    (driver !== '' || isFirstName(name) || /^[A-Z]{2,3}$/.test(name)) &&
    /^[\p{L}.'’ -]+$/u.test(name);
  return isApart ? [name, plate] : [driver, vehicle];
}

/** "49", "2 x 49", "38 + 2 staff", "2 adults 3 children" */
function peopleIn(cell: string): number | null {
  const [, times, each] = /^(\d) ?[x×] ?(\d{1,3})\b/i.exec(cell) ?? [];
  if (times !== undefined) return Number(times) * Number(each);
  const [first, ...more] = cell
    .split(/\+|(?<=adults?|staff|\d ?ad?),? (?:and |& )?(?=\d)/i)
    .map((part) => /(?<!\d)\d{1,4}(?!\d)/.exec(part)?.[0]);
  const sum = [first, ...more].reduce((before, part) => before + Number(part ?? 0), 0);
  return first === undefined ? null : Math.min(sum, 9999);
}

const labelled = (text: string, { heading }: Column) => (isRemark(heading) ? text : `${heading} ${text}`);

const givenIn = (cells: readonly string[], columns: readonly Column[], meaning: Meaning) =>
  columns.flatMap((column, at) => {
    const text = cells[at] ?? '';
    return column.meaning === meaning && text !== '' && isGiven(text) ? [{ text, column }] : [];
  });

/** The note: remarks, a state other than plain "confirmed", and columns without a field of their own. */
function notesOf(cells: readonly string[], columns: readonly Column[]): string[] {
  const of = (meaning: Meaning) => givenIn(cells, columns, meaning);
  const states = of('status').filter(({ text }) => !/^(?:ok|yes|y|confirmed|conf|booked|live)$/i.test(text));
  return [...states.map(({ text }) => text), ...of('note').map(({ text, column }) => labelled(text, column))];
}

/** "AM 0730 Otley - Leeds" */
const isTripWithTime = (remark: string): boolean => {
  const [, , rest = ''] = LEADING.exec(remark.replace(/^\D*/, '')) ?? [];
  return rest !== '' && endsOf(rest)?.every((end) => /^\p{Lu}/u.test(end)) === true;
};

function deadlineOf(cell: string, note: string, leaves: string) {
  const bare = timeIn(cell);
  if (!bare) return deadlineIn(cell) ?? deadlineIn(note);
  return { what: null, local: later(bare.local, isSecondHalf(bare, leaves) ? 12 : 0) };
}

/** Whether "2.05" is in the afternoon: if it leaves at 13:10, but not if it leaves at 18:10 and arrives in the night.
 *  After 20:00, "9.30" may also be the next morning. */
const isSecondHalf = ({ local, isLoose }: ClockTime, leaves: string): boolean =>
  isLoose && local < leaves && leaves < '20:00' && later(local, 12) >= leaves;

/** The minutes from leaving until the next such time; null for a whole day or none. */
function minutesBetween(from: string, to: string): number | null {
  const minutes = (minutesOf(to) - minutesOf(from) + 48 * 60) % (24 * 60);
  return minutes > 0 ? minutes : null;
}
