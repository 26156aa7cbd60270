/** Finds reports of the same incident, and the one that stands for it. */
import type { Report } from './comparedReport.ts';
import { BEGAN_WITHIN_MS, contradict, type Evidence, isFollowUp, sameIncident } from './sameIncident.ts';

/** One incident that several sources report. */
interface Merged {
  /** The report whose id the incident has: an official one if there is one; of these, one that has stood for it
   *  before, then the first. Its title stands; the severity is the worst of all (list/duplicates.ts). */
  home: string;
  /** The other reports, each with the reason why it is the same as another of them. */
  others: { event_id: string; like: string; evidence: Evidence }[];
}

/** The most pairs. The busiest roads and places come last. No known hour has a tenth of this, and 10,000 reports
 *  about one road are not news. */
const COMPARED_MAX = 20_000;
/** How many reports or pairs are handled before other work gets a turn: a few ms. */
const PER_TURN = 200;
/** No genuine report refers to more. */
const RELATED_MAX = 20;
/** The most reports of one incident: newsrooms repeat themselves, but no genuine incident has more. */
const GROUP_MAX = 8;

/** Sources that report what others have found out. */
const UNOFFICIAL = /^(?:news-rss|twitter\.)/;

/** `isSplit`: whether an administrator has said that two reports are not the same. `hasStood`: whether people know
 *  an incident by this id. */
export function merge(...of: Parameters<typeof mergeInTurns>): Merged[] {
  const turns = mergeInTurns(...of);
  for (;;) {
    const turn = turns.next();
    if (turn.done) return turn.value;
  }
}

/** The same for a caller that lets other work have its turn, because 10,000 reports take 100 ms and more. */
export function* mergeInTurns(
  reports: readonly Report[],
  isSplit: (one: string, other: string) => boolean = () => false,
  hasStood: (id: string) => boolean = () => false,
): Generator<undefined, Merged[]> {
  const byId = new Map(reports.map((report) => [report.event_id, report]));
  // The result does not depend on the order of the reports.
  const sorted = [...byId.values()].sort((one, other) => compare(one.event_id, other.event_id));
  const pairs: { one: Report; other: Report; evidence: Evidence }[] = [];
  for (const [at, [one, other]] of (yield* candidates(sorted)).entries()) {
    if (at % PER_TURN === PER_TURN - 1) yield;
    const evidence = sameIncident(one, other);
    if (evidence) pairs.push({ one, other, evidence });
  }
  pairs.sort(
    (a, b) =>
      a.evidence.doubt - b.evidence.doubt ||
      compare(a.one.event_id, b.one.event_id) ||
      compare(a.other.event_id, b.other.event_id),
  );

  // The surest pairs come first.
  const groupOf = new Map<string, Set<string>>();
  const why = new Map<string, { like: string; evidence: Evidence }[]>();
  for (const [at, { one, other, evidence }] of pairs.entries()) {
    if (at % PER_TURN === PER_TURN - 1) yield;
    const left = groupOf.get(one.event_id) ?? new Set([one.event_id]);
    const right = groupOf.get(other.event_id) ?? new Set([other.event_id]);
    if (left === right || !canJoin(left, right, evidence)) continue;
    const joined = new Set([...left, ...right]);
    for (const id of joined) groupOf.set(id, joined);
    note(one.event_id, other.event_id, evidence);
    note(other.event_id, one.event_id, evidence);
  }

  return [...new Set(groupOf.values())].map((group) => {
    const [home, ...others] = [...group].map((id) => byId.get(id)!).sort(standsFirst);
    return {
      home: home!.event_id,
      others: others.map(({ event_id }) => ({ event_id, ...why.get(event_id)![0]! })),
    };
  });

  function canJoin(left: ReadonlySet<string>, right: ReadonlySet<string>, { rule }: Evidence): boolean {
    if (left.size + right.size > GROUP_MAX) return false;
    return ![...left].some((id) =>
      [...right].some((otherId) => {
        const [one, other] = [byId.get(id)!, byId.get(otherId)!];
        return (
          (one.source === other.source && !isFollowUp(one, other)) ||
          isSplit(id, otherId) ||
          (rule !== 'link' && contradict(one, other))
        );
      }),
    );
  }

  function standsFirst(one: Report, other: Report): number {
    return (
      Number(UNOFFICIAL.test(one.source)) - Number(UNOFFICIAL.test(other.source)) ||
      Number(hasStood(other.event_id)) - Number(hasStood(one.event_id)) ||
      compare(one.start_time, other.start_time) ||
      compare(one.event_id, other.event_id)
    );
  }

  function note(id: string, like: string, evidence: Evidence): void {
    why.set(id, [...(why.get(id) ?? []), { like, evidence }]);
  }
}

const compare = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0);

/** The pairs that could be the same, each once. They are only a few, because both reports must share a road, a line,
 *  a section of railway, a cell of the map, a name, a warned area or a link. */
function* candidates(reports: readonly Report[]): Generator<undefined, [Report, Report][]> {
  const buckets = new Map<string, Report[]>();
  const byId = new Map(reports.map((report) => [report.event_id, report]));
  for (const [at, report] of reports.entries()) {
    if (at % PER_TURN === PER_TURN - 1) yield;
    for (const key of keysOf(report)) {
      const bucket = buckets.get(key);
      if (bucket) bucket.push(report);
      else buckets.set(key, [report]);
    }
  }
  const pairs = new Map<string, [Report, Report]>();
  const add = (one: Report, other: Report) => {
    const [first, second] = one.event_id < other.event_id ? [one, other] : [other, one];
    pairs.set(`${first.event_id}\n${second.event_id}`, [first, second]);
  };
  for (const report of reports) {
    for (const id of report.related.slice(0, RELATED_MAX)) {
      const other = byId.get(id);
      if (other && other.source !== report.source) add(report, other);
    }
  }
  let looks = 0;
  for (const bucket of [...buckets.values()].sort((one, other) => one.length - other.length)) {
    bucket.sort((one, other) => one.began - other.began);
    for (const [at, one] of bucket.entries()) {
      for (let next = at + 1; next < bucket.length; next++) {
        const other = bucket[next]!; // within the bucket
        const isLater = other.began - one.began > BEGAN_WITHIN_MS;
        // A newsroom writes about a warning hours or days before it begins.
        if ((isLater && !one.warned) || ++looks > COMPARED_MAX) break;
        if (looks % PER_TURN === 0) yield;
        add(one, other);
      }
    }
  }
  return [...pairs.values()];
}

/** In degrees: about 7 by 11 km, so that two points within 1 km are in the same cell or in neighbouring ones. */
const CELL = 0.1;

function keysOf({
  roads,
  position,
  line,
  sections,
  names,
  spoken,
  said,
  warned,
  ends,
  facility,
  isOperator,
  mode,
}: Report): string[] {
  const keys = roads.map((road) => `road ${road}`);
  if (position && position.reachKm <= 1) {
    const [row, column] = [position.latitude / CELL, position.longitude / CELL];
    // A point near a border counts on both sides.
    for (const r of new Set([Math.floor(row - 0.1), Math.floor(row + 0.1)])) {
      for (const c of new Set([Math.floor(column - 0.15), Math.floor(column + 0.15)]))
        keys.push(`cell ${r} ${c}`);
    }
  }
  if (line) keys.push(`line ${line}`);
  if (facility) keys.push(`its ${facility}`);
  for (const section of sections) keys.push(`section ${section}`);
  // Posts write names without capitals.
  for (const name of new Set([...(isOperator ? names : spoken), ...said])) keys.push(`name ${name}`);
  for (const name of warned?.all ?? []) keys.push(`warned ${name}`);
  // A place beside a section of railway need not share its name.
  const track = position?.name && mode !== 'road' ? [...ends, position] : ends;
  for (const cell of cellsOf(track)) keys.push(`track ${cell}`);
  if (position?.name) keys.push(`at ${position.name}`);
  return keys;
}

/** In degrees: a section of railway that has a position is at most 100 km long. */
const TRACK_CELL = 0.5;

function cellsOf(points: readonly { latitude: number; longitude: number }[]): string[] {
  if (points.length === 0) return [];
  const [rows, columns] = (['latitude', 'longitude'] as const).map((axis) => {
    const values = points.map((point) => point[axis]);
    const first = Math.floor((Math.min(...values) - CELL) / TRACK_CELL);
    const last = Math.floor((Math.max(...values) + CELL) / TRACK_CELL);
    return Array.from({ length: last - first + 1 }, (_, at) => first + at);
  }) as [number[], number[]];
  return rows.flatMap((row) => columns.map((column) => `${row} ${column}`));
}
