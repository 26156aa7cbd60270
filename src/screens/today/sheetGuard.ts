/** Checks what was read from a day sheet, without knowing how it was read: values of the sheet that are in no job,
 *  and ends of trips that are not places. The user is asked wherever the reading may be wrong, so that it is never
 *  wrong silently. */
import { type AskedJob, JOB_LIMITS } from '#contract/watches/jobs.ts';
import type { ReadRow } from './sheetJobs.ts';
import { hasPlate, isFirstName, isFlight, isVehicle, minutesOf, plateIn, timeIn } from './sheetCells.ts';
import { type SheetRow } from './sheetText.ts';
import { CANCELS, HALF_READ, MENTION, SENTENCE } from './sheetProse.ts';
import { aboutOf, tripIn } from './sheetSentence.ts';
import { headingsOf } from './headingWords.ts';

/** The line below the sheets of a file that names what is not read of it. */
export const NOT_READ = /^Not read: /;
/** The same, with jobs that only the other sheets have. */
export const UNREAD = /^Not read: .* with \d+ jobs?\b/;
/** Words that take back what another line says. */
const CHANGE = /\b(?:instead|sorry|swap(?:ped)? with|can'?t do|change of|no longer)\b/i;
/** Words that change a job that the same line names. */
const CHANGES_JOB =
  /\b(?:make (?:that|it)|(?:do not|[Dd]on['’]?t|won['’]?t) (?:run|go|do|send)|use (?:the )?(?:[A-Z]{2}\d|coach|bus)|swaps?|swapped|cover(?:s|ed|ing)?|moved|now|changed?|tbc|not confirmed)\b/;
const PLATES = /\b[A-Z]{2}\d{2} ?[A-Z]{3}\b/g;
/** Lines about the sheet itself or about cancelled work. */
const NO_WORK =
  /\b(?:print|produce|issue|update|amend|revise|export|receive|open|close|cancel)(?:l?ed|s|d)?\b|\bas (?:at|of)\b|\b(?:version|total|ko|kick[ -]?off|light|empty|ecs|(?:s|sign|book|clock)(?:ed|ing)?[ /-](?:on|off))\b/i;
/** Lines about the office, or about people without work, unless a trip stands in them. */
const NO_TRIP =
  /\b(?:office|ring|call|phone|tel|spare|stand-?by|break|meal|rest|wash|fuel|walk ?round|check(?![ -]?in)|clean|mot|workshop)\b/i;
const CLOSING =
  /^(?:(?:kind|best|warm|many) )?(?:regards|wishes|thanks|thank you|cheers|ta|diolch)\b.{0,20}$/i;
/** The line above a message that is copied from a chat: its sender and when it was sent. */
const SENDER =
  /^\[[\d/:., apm]+\]$|^\p{Lu}[\p{L}.'’ -]+,? (?:yesterday|today|(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*|\d{1,2}[/.]\d{1,2}(?:[/.]\d{2,4})?),?(?: at)? \d{1,2}:\d{2}(?: ?[ap]m)?$/iu;
const COUNTED = /\b(\d{1,3}) ?(?:pax|px|passengers|people|pupils)\b/i;
const NUMBERED = /\b(?:coach|bus|mini(?:bus)?|midi|van) ?(?:no\.? ?)?(?:\d{1,3}|[A-Z])\b/i;
const NUMBERED_JOB = /\b(?:tour|job|booking|order|ref)\b[^\d]{0,8}[A-Z]{0,3}\d{3,}/i;
const DRIVER = /\b[Dd](?:river|RIVER)\b:? ?\p{Lu}/u;

/** "AM Ravi": a short line with a name, but no greeting. */
const isNamed = (said: string) =>
  said.split(' ').length < 4 &&
  !/^(?:hi|hello|dear|good|morning)/i.test(said) &&
  said.split(' ').some(isFirstName);
const isYear = (text: string) => /^20[2-4]\d$/.test(text);

/** A line with data that the jobs lack: a time that no job has, or a driver, vehicle or number of people when no job
 *  has any. */
export function unusedLine(lines: readonly SheetRow[], rows: readonly ReadRow[]): SheetRow | undefined {
  const jobs = rows.flatMap((row) => row.jobs);
  const used = new Set(jobs.map(({ leaves_local }) => leaves_local));
  const notes = jobs.map(({ note }) => note ?? '').join('\n');
  const names = new Set(jobs.flatMap(({ trip, driver }) => `${trip} ${driver ?? ''}`.split(/[^\p{L}]+/u)));
  const vehicles = [...new Set(jobs.flatMap(({ vehicle }) => vehicle ?? []))];
  const has = (one: string) => vehicles.some((vehicle) => vehicle.includes(one));
  /** Whether a line names the time, the driver, the vehicle or a place of a job. */
  const isAbout = (said: string) =>
    (said.match(/\b\p{Lu}\p{L}+/gu) ?? []).some(
      (word) => names.has(word) && !/^(?:the|at|in|on|st|and|for|to|as)$/i.test(word),
    ) ||
    vehicles.some((vehicle) => vehicle.length > 3 && said.includes(vehicle)) ||
    (said.match(MENTION) ?? []).some((time) => used.has(timeIn(time)?.local ?? ''));
  const lacks = (field: 'vehicle' | 'driver' | 'people' | 'ref') =>
    jobs.length > 0 && jobs.every((job) => job[field] === null);
  // A line below the jobs can begin another table, such as the fleet.
  const other = lines.findIndex(({ line, cells }) => line > (rows[0]?.line ?? 0) && isOtherTable(cells));
  // A few rows that are left out have messages of their own. Many mean that the sheet must be read differently.
  const failed = rows.filter((row) => row.left === 'not understood');
  const first = rows.find((row) => row.jobs.length > 0)?.line ?? 0;
  const isMany = failed.length > 2 && failed.length > rows.length / 4;
  const left = failed.filter(
    ({ line, cells }) =>
      isMany || cells[0]?.startsWith(HALF_READ) || (line < first && !cells.some((cell) => timeIn(cell))),
  );
  const closing = [...lines, ...rows].find(({ cells }) => CLOSING.test(cells.join(' ').trim()))?.line;
  return [...lines.slice(0, other < 0 ? undefined : other), ...failed].find((row) => {
    const { line, cells } = row;
    const said = cells.filter(Boolean).join(' ');
    // The name below "Kind regards" is its writer's.
    const isName = /^\P{L}*\p{L}+(?: \p{L}+)?\P{L}*$/u.test(said);
    if (closing !== undefined && (line === closing || (line > closing && isName))) return false;
    if (NOT_READ.test(said)) return false;
    if (said.startsWith(HALF_READ) || CHANGE.test(said)) return true;
    const isChanged =
      CANCELS.test(said) ||
      CHANGES_JOB.test(said) ||
      // A table's row without a time has a vehicle of its own.
      (cells.filter(Boolean).length < 4 &&
        !/\b(?:stby|stand-?by|spare|reserve)\b/i.test(said) &&
        (said.match(PLATES) ?? []).some((one) => !has(one)));
    if (isChanged && isAbout(said)) return true;
    if (SENDER.test(said)) return false;
    // A sentence about the office or a break says nothing about the others.
    const times = said
      .split(SENTENCE)
      .filter((one) => !NO_WORK.test(one) && !(NO_TRIP.test(one) && !isOfTrip(one)))
      .flatMap((one) => one.match(MENTION) ?? [])
      .flatMap((time) => (isYear(time) ? [] : (timeIn(time)?.local ?? [])));
    // A row that is left out has a message of its own, unless its cell is a whole sentence.
    const isTrip =
      !cells.some((cell) => timeIn(cell)) &&
      cells.some((cell) => cell.match(MENTION) !== null && isOfTrip(cell));
    if (failed.some((one) => one === row) && !left.some((one) => one === row) && !isTrip) return false;
    return (
      times.some((local) => !used.has(local) && !notes.includes(local)) ||
      (lacks('vehicle') && (hasPlate(said) || NUMBERED.test(said))) ||
      (lacks('driver') && (DRIVER.test(said) || cells.some(isFirstName) || isNamed(said))) ||
      (lacks('people') && COUNTED.test(said)) ||
      (lacks('ref') && NUMBERED_JOB.test(said))
    );
  });
}

const isOfTrip = (said: string) => tripIn(aboutOf(said).rest) !== null;

/** Words that are never part of a place: a number of people, a vehicle, or a time before it. */
const NO_PLACE =
  /\b\d{1,3} ?(?:pax|px|passengers|people|pupils|seater|seats|str)\b|^(?:dep|arr|rtn|return|back|then|for|with|and|at|he|she)\b|^[\d\W]+$|^home$|\bnow\b|\b(?:was|arr|arriv(?:es?|ing)|leaving|moved|changed|amended)(?: to| at)?$|^\p{L}+: |\bdriver\b| to |→|\b(?:with|for|then|at|by|from|same|and|ret|rtn|back|is|are|in the .*)$|\bsame\b|\bwith \p{L}|\bfor \d|\?\?|\b(?:not|yet|tbc)\b|\b(?:we|they|them|she|he|does|takes?|should|please|ready|confirm|taken|wants?)\b|in the \p{Lu}\w*$|£ ?\d|\b0\d{3,4} ?\d{5,}|@/iu;

/** The end of a job's trip that is not a place, or that is the same as its start; null when both ends may be right. */
export function oddEnd({ trip, driver, vehicle }: AskedJob): string | null {
  const ends = trip.split(' → ');
  const [from = '', to = from] = ends;
  const isSame = ends.length > 1 && from.toLowerCase() === to.toLowerCase();
  if (isSame) return to;
  const parts = (end: string) => end.split(/ ?[/,;|] ?| [-–—] /);
  const isOther = (part: string) =>
    isVehicle(part) ||
    plateIn(part) === part ||
    isFlight(part.replace(/^flight /i, '')) ||
    (isFirstName(part) && !/ \p{L}{3}/u.test(part)) ||
    /^\d{1,3}$/.test(part);
  const isWithName = (end: string) =>
    isFirstName(
      end
        .split(/ (?:and|&) /)
        .slice(1)
        .at(-1) ?? '',
    );
  const isRun = (end: string) => ends.length > 1 && /^(?:(?:school|home) )?run$/i.test(end);
  const isCrew = (end: string) => [driver, vehicle].some((one) => one?.toLowerCase() === end.toLowerCase());
  return (
    ends.find(
      (end) => NO_PLACE.test(end) || isRun(end) || isWithName(end) || isCrew(end) || parts(end).some(isOther),
    ) ?? null
  );
}

const isOtherTable = (cells: readonly string[]): boolean => {
  const said = cells.filter(Boolean);
  const isOfEnd = (cell: string) =>
    headingsOf(cell).some((one) => one === 'from' || one === 'to' || one === 'trip');
  return said.length > 2 && !/\d/.test(said.join('')) && !said.some(isOfEnd);
};

/** The longest time between the pick-ups of one trip, in minutes. */
const PICK_UPS_MIN = 60;

/** Runs of rows that may be pick-ups of one trip: one vehicle or driver goes from each of them to the same place,
 *  with the same number or in time for the same hour. Each run starts with its first row. */
export function pickUpRuns(rows: readonly ReadRow[]): ReadRow[][] {
  const runs: ReadRow[][] = [];
  const isNext = ([one]: readonly AskedJob[], [other]: readonly AskedJob[]) => {
    if (!one || !other) return false;
    const [[from, to], [start, goal]] = [one.trip.split(' → '), other.trip.split(' → ')] as [
      string[],
      string[],
    ];
    const gap = minutesOf(other.leaves_local) - minutesOf(one.leaves_local);
    const isCrew =
      one.vehicle === other.vehicle && one.driver === other.driver && (one.vehicle ?? one.driver) !== null;
    const due = ({ leaves_local, duration_min, deadline_local }: AskedJob) =>
      duration_min === null ? deadline_local : minutesOf(leaves_local) + duration_min;
    const isOne =
      one.ref === other.ref && (one.ref !== null || (due(one) !== null && due(one) === due(other)));
    return (
      to !== undefined && to === goal && from !== start && isCrew && isOne && gap >= 0 && gap <= PICK_UPS_MIN
    );
  };
  for (const row of rows) {
    const run = runs.at(-1);
    if (run && isNext(run.at(-1)!.jobs, row.jobs)) run.push(row);
    else runs.push([row]);
  }
  return runs.filter(({ length }) => length > 1);
}

/** The run as one trip: its first row, by way of the places of the others, which then have no jobs of their own. */
export function asOneTrip(run: readonly ReadRow[]): ReadRow[] {
  const [first, ...others] = run as [ReadRow, ...ReadRow[]];
  const stops = others.map(({ jobs }) => jobs[0]!.trip.split(' → ')[0]!);
  const jobs = first.jobs.map((job, way) => {
    const people = run.map((row) => row.jobs[way]?.people ?? null);
    const via = `Via ${(way === 0 ? stops : stops.toReversed()).join(', ')}`;
    return {
      ...job,
      note: [via, job.note].filter(Boolean).join('; ').slice(0, JOB_LIMITS.noteLength),
      people: people.includes(null) ? job.people : people.reduce<number>((sum, many) => sum + (many ?? 0), 0),
    };
  });
  return [
    { ...first, jobs },
    ...others.map((row) => ({
      ...row,
      jobs: [],
      note: `A stop of the trip of row ${first.line}.`,
      doubts: {},
    })),
  ];
}
