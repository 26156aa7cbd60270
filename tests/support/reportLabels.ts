/** The labelled places, pairs and times of tests/fixtures/reading, and how many of them are read as labelled. */
import { kilometres } from '#contract/places/distance.ts';
import {
  compareReports,
  readIncident,
  type ReportInput,
} from '../../server/operate/commands/readIncident.ts';
import { fixture } from './upstream.ts';

export interface Score {
  right: number;
  of: number;
  missed: string[];
}

/** The cells of a table's rows, without its head and the words above it. */
const rowsOf = (name: string): string[][] =>
  fixture(`reading/${name}`)
    .split('\n')
    .filter((line) => line.startsWith('| ') && !line.startsWith('| ---'))
    .slice(1)
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );

interface Place {
  report: ReportInput;
  /** Null: any point would be wrong. */
  where: [latitude: number, longitude: number] | null;
  radius: number;
  isNoneRight: boolean;
}

export const PLACE_SETS = [
  'labels-places.json',
  'places.md',
  'places-second.md',
  'places-third.md',
  'places-fourth.md',
  'places-fifth.md',
] as const;

/** A point this far beyond the label's radius is wrong, not only missed. */
const FAR_KM = 15;

export function measuredPlaces(file: (typeof PLACE_SETS)[number]): Score & { wrong: string[] } {
  const wrong: string[] = [];
  const missed: string[] = [];
  let right = 0;
  for (const { report, where, radius, isNoneRight } of placesOf(file)) {
    const { place, left_out } = readIncident(report);
    const at = left_out && !where ? null : place;
    const said = `${report.source}: ${report.title ?? ''} ${report.text ?? ''}\n    read ${at?.names.join(', ') ?? 'no place'}`;
    const km = at && where ? kilometres(at.latitude, at.longitude, ...where) : null;
    if (!where && at) wrong.push(said);
    if (!where) continue;
    if (km !== null && km > FAR_KM + radius) wrong.push(said);
    if (km === null ? isNoneRight : km <= radius) right++;
    else missed.push(said);
  }
  return { right, of: right + missed.length, missed, wrong };
}

function placesOf(file: (typeof PLACE_SETS)[number]): Place[] {
  if (file.endsWith('.md'))
    return rowsOf(file).map(([, source = '', title = '', text = '', where = '', radius = '']) => ({
      report: { source, title, text },
      where: where === 'none' ? null : (where.split(',').map(Number) as [number, number]),
      radius: Number(radius),
      isNoneRight: false,
    }));
  const labels = JSON.parse(fixture(`reading/${file}`)) as {
    source: string;
    text: string;
    lat: number | null;
    lon: number | null;
    radius_km: number | null;
    none_also_right?: boolean;
  }[];
  return labels.map(({ source, text, lat, lon, radius_km, none_also_right = false }) => ({
    report: { source, text },
    where: lat === null || lon === null ? null : [lat, lon],
    radius: radius_km ?? 0,
    isNoneRight: none_also_right,
  }));
}

export const PAIR_SETS = [
  'labels-merges.json',
  'pairs.md',
  'pairs-second.md',
  'pairs-third.md',
  'pairs-fourth.md',
  'pairs-fifth.md',
  'pairs-sixth.md',
  'pairs-seventh.md',
  'pairs-eighth.md',
  'pairs-ninth.md',
  'pairs-tenth.md',
  'pairs-eleventh.md',
  'pairs-twelfth.md',
  'pairs-thirteenth.md',
  'pairs-fourteenth.md',
  'pairs-fifteenth.md',
  'pairs-sixteenth.json',
  'pairs-seventeenth.json',
  'pairs-eighteenth.json',
  'pairs-nineteenth.json',
  'pairs-twentieth.json',
  'pairs-apart.md',
] as const;

/** How many pairs that are one incident are joined, and which other pairs are. */
export function measuredPairs(file: (typeof PAIR_SETS)[number]): Score & { wrong: string[] } {
  const judged = pairsOf(file).map(({ a, b, same }) => ({
    same,
    found: compareReports(a, b).same,
    said: `${a.source}: ${a.title} | ${b.source}: ${b.title}`,
  }));
  const one = judged.filter(({ same }) => same);
  const missed = one.filter(({ found }) => !found).map(({ said }) => said);
  const wrong = judged.filter(({ same, found }) => found && !same).map(({ said }) => said);
  return { right: one.length - missed.length, of: one.length, missed, wrong };
}

const AT_EIGHT_TUESDAY = '2026-11-24T08:00:00.000Z';
/** The times that the labels' README states. */
const AT_EIGHT = { published_at: '2026-11-20T08:00:00.000Z', now: '2026-11-20T08:00:00.000Z' };

interface Pair {
  a: ReportInput;
  b: ReportInput;
  same: boolean;
}

function pairsOf(file: (typeof PAIR_SETS)[number]): Pair[] {
  if (file.endsWith('.json'))
    return (JSON.parse(fixture(`reading/${file}`)) as (Pair & { doubt: boolean })[])
      .filter(({ doubt }) => !doubt)
      .map(({ a, b, same }) => ({ same, a: { ...AT_EIGHT, ...a }, b: { ...AT_EIGHT, ...b } }));
  if (file !== 'pairs.md')
    return rowsOf(file).map(([same, ...cells]) => {
      const [a, b] = [cells.slice(0, 3), cells.slice(3)].map(([source = '', title = '', text = ''], at) => {
        const minutes = at === 0 ? 0 : Number(cells[6] || 25);
        const published_at = new Date(Date.parse(AT_EIGHT_TUESDAY) + minutes * 60_000).toISOString();
        return { source, title, text, published_at, now: published_at };
      });
      return { same: same === 'yes', a: a!, b: b! }; // two halves of a row
    });
  return rowsOf(file).map(([, same, ...cells]) => ({
    same: same === 'yes',
    a: reportOf(cells.slice(0, 4)),
    b: reportOf(cells.slice(4, 8)),
  }));
}

function reportOf([source = '', title = '', at = '', clock = '']: string[]): ReportInput {
  const [latitude, longitude] = at.split(',').map(Number) as [number, number];
  return {
    source,
    title,
    start_time: `2026-11-20T${clock}:00.000Z`,
    ...(at !== '-' && { latitude, longitude }),
  };
}

export const TIME_SETS = [
  'times.md',
  'times-second.md',
  'times-third.md',
  'times-fourth.md',
  'times-fifth.md',
  'times-sixth.md',
  'times-seventh.md',
  'times-eighth.md',
  'times-ninth.md',
  'times-tenth.md',
  'times-eleventh.md',
  'times-twelfth.md',
  'times-thirteenth.md',
  'times-fourteenth.md',
  'times-fifteenth.md',
  'times-sixteenth.md',
  'times-seventeenth.md',
  'times-eighteenth.md',
  'times-nineteenth.md',
  'times-twentieth.md',
  'times-twentyfirst.md',
  'times-twentysecond.md',
  'times-twentythird.md',
  'times-twentyfourth.md',
  'times-twentyfifth.md',
  'times-twentysixth.md',
] as const;
/** Now, for a set without a time of its own. */
const WRITTEN = '2026-11-24T10:00:00.000Z';
const WRITTEN_AT = /Written at (2026-\d\d-\d\dT\d\d:\d\d)Z/;

export function measuredTimes(file: (typeof TIME_SETS)[number]): Score {
  const rows = rowsOf(file).map((cells) => (file === 'times.md' ? cells.slice(1) : cells));
  const [, minute] = WRITTEN_AT.exec(fixture(`reading/${file}`)) ?? [];
  const written = minute ? `${minute}:00.000Z` : WRITTEN;
  const missed = rows.flatMap(([text = '', start = '', end = '', hours = '', phase = 'any', at = '-']) => {
    const published_at = timeIn(at) ?? written;
    const report = { source: 'council', title: 'High Street, Lincoln', text, published_at };
    const read = readIncident(report);
    const windows = read.windows.flatMap(({ days, from, to }) =>
      from ? `${days?.join(',') ?? 'daily'} ${from}-${to}` : [],
    );
    const singly =
      read.windows.length > 1 && hours.startsWith('singly') ? `singly ${read.windows.length}` : '-';
    const isRight =
      read.start === (timeIn(start) ?? published_at) &&
      read.end === timeIn(end) &&
      (windows.join(';') || singly) === hours &&
      (phase === 'any' || phase === read.phase);
    return isRight
      ? []
      : `${text}\n    wanted ${start}, ${end}, ${hours}, ${phase}\n    read ${read.start}, ${read.end}, ${windows.join(';') || read.windows.length}, ${read.phase}`;
  });
  return { right: rows.length - missed.length, of: rows.length, missed };
}

/** "31 21:00" is 1 December. */
function timeIn(cell: string): string | null {
  const [day = '', hour = '', minute = ''] = cell.split(/[ :]/);
  return cell === '-' || cell === '='
    ? null
    : new Date(Date.UTC(2026, 10, +day, +hour, +minute)).toISOString();
}
