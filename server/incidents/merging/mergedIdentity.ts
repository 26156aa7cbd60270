/**
 * Several reports of one incident have one id. server/incidents/merging decides which reports these are, in the
 * transaction that changes any of them, and the change log gets the results of incidents in the same transaction. So
 * lists and the log agree at every batch.
 *
 * The id is that of a report. It stays while that report is in force, even when others report the incident too. When
 * it ends before the others, the incident goes on under the id of one of them, and the log says so (`merged`).
 */
import { putRow, rowsWith } from '../../db/statements.ts';
import { setImmediate } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import type { Disruption, Phase } from '#contract/incidents/disruptions.ts';
import type { Severity } from '#contract/incidents/severity.ts';
import { gradeChange } from '#contract/incidents/changes.ts';
import { severityRank } from '#contract/incidents/severity.ts';
import type { Facts } from '#contract/incidents/facts.ts';
import { knownSource } from '#contract/feeds/knownSources.ts';
import { mergeInTurns } from './merge.ts';
import { type Report, reportOf } from './comparedReport.ts';
import { activeAlerts } from '../activeAlerts.ts';
import { chunks, rowsFor } from '../../db/batches.ts';
import { type Logged, logChanges } from '../../db/changeLog.ts';
import { type Instant, iso } from '../../db/instant.ts';
import type { Db } from '../../db/open.ts';
import { raiseRevision } from '../../db/revisions.ts';
import { apartNow, keepApart, noLongerApart } from './keptApart.ts';

/** Raised by every change to an incident, and to which reports belong together. */
const REVISION = 'feeds';

/** The most groups: a tenth of this would be a very bad day. */
const GROUPS_MAX = 200;
/** The most entries that refer to incidents; there are about 30 operators. */
const POINTING_MAX = 200;
/** How many reports are read before other work gets a turn: 3 to 15 ms. */
const SLICE = 25;

interface Read {
  version: string;
  report: Report | null;
  pointsTo: string[];
}

/** The readings of reports, each kept until the report changes. If more are in force, those are read again. */
const read = new LRUCache<string, Read>({ max: 5000 });

/** The incident of a report that has no id of its own. */
interface Member {
  incident: string;
  why: string | null;
}

/** Writes the results of changed reports for incidents: which source reports which incident, and the log. Call it as
 *  the last statement of the transaction that makes these changes; until the commit no other transaction can do so. */
export async function logIncidents(
  trx: Db,
  { source, at }: { source: string; at: string },
  log: readonly Logged[],
): Promise<void> {
  await raiseRevision(trx, REVISION);
  const said = new Map(log.map((one) => [one.event_id, one]));
  const before = await membersStored(trx);
  const hasStood = (id: string) => !before.has(id) && said.get(id)?.kind !== 'began';
  const after = await membersNow(trx, hasStood);

  const concerned = [...before].filter(([id, one]) => one.isInForce || said.has(id));
  const ids = new Set([...concerned, ...after].flatMap(([id, { incident }]) => [id, incident]));
  const reports = await statesOf(trx, [...ids]);
  const isInForce = (id: string) => reports.get(id)?.isInForce === true;

  const begun = [...after.keys()].filter((id) => !before.has(id) && said.get(id)?.kind === 'began');
  const back = await endedBefore(trx, begun);
  const { changes, goesOnAs } = becomeOf({ ids, reports, said, before, after, back });
  for (const [id, incident] of goesOnAs) if (!isInForce(id)) after.set(id, { incident, why: null });
  await store(trx, at, { before, after, isInForce });
  await logChanges(trx, { source, at }, [...log.filter(({ event_id }) => !ids.has(event_id)), ...changes]);
}

/** Makes these two reports two incidents from now on. Call it in a transaction. It can be repeated. */
export async function split(trx: Db, ids: readonly [string, string], at: Instant): Promise<void> {
  await keepApart(trx, ids, at);
  await logIncidents(trx, { source: '', at: iso(at) }, []);
}

/** Lets the rules decide about these two again. Call it in a transaction. False if they were not split. */
export async function unsplit(trx: Db, ids: readonly [string, string], at: Instant): Promise<boolean> {
  const wereSplit = await noLongerApart(trx, ids);
  if (wereSplit) await logIncidents(trx, { source: '', at: iso(at) }, []);
  return wereSplit;
}

/** Deletes memberships that ended before that time or whose report is no longer stored. */
export async function pruneMembers(db: Db, before: Instant): Promise<void> {
  const stored = db.selectFrom('disruptions').select('event_id');
  await db
    .deleteFrom('merged_reports')
    .where((eb) =>
      eb.or([
        eb('until', '<', iso(before)),
        eb('event_id', 'not in', stored),
        eb('incident_id', 'not in', stored),
      ]),
    )
    .execute();
}

/** The memberships until now; also of reports that have ended. */
async function membersStored(trx: Db): Promise<Map<string, Member & { isInForce: boolean }>> {
  const rows = await trx
    .selectFrom('merged_reports as m')
    .leftJoin('disruptions as d', 'd.event_id', 'm.event_id')
    .select(['m.event_id', 'm.incident_id as incident', 'm.why', 'd.kind', 'd.ended_at'])
    .where('m.until', 'is', null)
    .execute();
  return new Map(
    rows.map(({ event_id, kind, ended_at, ...member }) => [
      event_id,
      { ...member, isInForce: kind === 'alert' && ended_at === null },
    ]),
  );
}

/** The ids that were incidents of their own and have ended. */
async function endedBefore(trx: Db, all: readonly string[]): Promise<Set<string>> {
  const rows = await rowsFor(all, (ids) =>
    trx
      .selectFrom('changes')
      .select('event_id')
      .distinct()
      .where('event_id', 'in', ids)
      .where('kind', 'in', ['ended', 'lost']),
  );
  return new Set(rows.map(({ event_id }) => event_id));
}

/** The memberships by the present content of the reports. */
async function membersNow(trx: Db, hasStood: (id: string) => boolean): Promise<Map<string, Member>> {
  const rows = await activeAlerts(trx)
    .select(['event_id', 'source', 'severity_rank', 'content_hash', 'start_time', 'version_seen_at'])
    .orderBy('event_id')
    .execute();
  const versionOf = (row: (typeof rows)[number]) =>
    `${row.content_hash} ${row.start_time} ${row.version_seen_at}`;
  const present = new Map<string, Read>();
  const versions = new Map<string, string>();
  for (const row of rows) {
    const [before, version] = [read.get(row.event_id), versionOf(row)];
    if (before?.version === version) present.set(row.event_id, before);
    else versions.set(row.event_id, version);
  }
  for (const ids of chunks([...versions.keys()], SLICE)) {
    if (ids.length === SLICE) await setImmediate();
    for (const [id, one] of await readReports(trx, ids, versions)) {
      present.set(id, one);
      read.set(id, one);
    }
  }

  const known = rows.map((row) => ({ ...row, ...present.get(row.event_id)! })); // read above
  const compared = known.flatMap(({ source, report }) =>
    report && !(knownSource(source).listsOperators && report.related.length > 0) ? report : [],
  );
  const isApart = await apartNow(trx);
  const turns = mergeInTurns(compared, isApart, hasStood);
  const members = new Map<string, Member>();
  for (let turn = turns.next(); ; turn = turns.next()) {
    if (!turn.done) {
      await setImmediate();
      continue;
    }
    for (const { home, others } of turn.value.slice(0, GROUPS_MAX))
      for (const { event_id, evidence } of others)
        members.set(event_id, { incident: home, why: evidence.words });
    break;
  }

  // An entry that only refers to incidents, each of which is itself an alert, becomes part of the worst of them. It
  // never joins an entry that also refers to others, because two that refer to each other would both disappear.
  const byId = new Map(known.map((row) => [row.event_id, row]));
  const pointing = known.filter(({ pointsTo }) => pointsTo.length > 0);
  for (const { event_id, pointsTo } of pointing.slice(0, POINTING_MAX)) {
    const there = pointsTo
      .flatMap((id) => byId.get(id) ?? [])
      .filter(({ source }) => !knownSource(source).listsOperators);
    const isSplit = there.some((one) => isApart(one.event_id, event_id));
    if (there.length < pointsTo.length || isSplit) continue;
    const main = there.reduce((worst, one) => (one.severity_rank < worst.severity_rank ? one : worst));
    members.set(event_id, { incident: members.get(main.event_id)?.incident ?? main.event_id, why: null });
  }
  return members;
}

async function readReports(
  trx: Db,
  ids: readonly string[],
  versions: ReadonlyMap<string, string>,
): Promise<[string, Read][]> {
  const rows = await trx
    .selectFrom('disruptions')
    .select(['event_id', 'source', 'event_type', 'phase', 'start_time', 'end_time', 'title', 'summary_line'])
    .select('updated_at')
    .select(['latitude', 'longitude', 'metadata', 'details'])
    .where('event_id', 'in', ids)
    .execute();
  return rows.map(({ metadata, details, ...row }) => {
    const said = JSON.parse(metadata) as Disruption['metadata'];
    const { facts } = JSON.parse(details) as { facts?: Facts };
    const one: Read = {
      version: versions.get(row.event_id)!, // the query selected these ids
      report: reportOf({ ...row, metadata: said, facts }),
      pointsTo: knownSource(row.source).listsOperators ? referredTo(said) : [],
    };
    return [row.event_id, one];
  });
}

/** The incidents that it only refers to. Empty when it says more than they do, such as a group of services without
 *  an incident. */
function referredTo({ related_event_ids: ids = [], nsi }: Disruption['metadata']): string[] {
  const groups = nsi?.service_groups ?? [];
  const isNamed = (incident: string | null | undefined) => ids.some((id) => id.endsWith(`:${incident}`));
  return groups.every((group) => isNamed(group.current_disruption)) ? [...new Set(ids)].sort() : [];
}

interface State {
  source: string;
  severity: Severity;
  phase: Phase;
  isInForce: boolean;
}

async function statesOf(trx: Db, all: readonly string[]): Promise<Map<string, State>> {
  const rows = await rowsWith(trx, 'disruptions', { event_id: all }).all(
    'event_id',
    'source',
    'severity',
    'phase',
    'kind',
    'ended_at',
  );
  return new Map(
    rows.map(({ event_id, kind, ended_at, ...state }) => [
      event_id,
      { ...state, isInForce: ended_at === null && kind === 'alert' },
    ]),
  );
}

interface Reported {
  /** The reports that are or were merged with others, and the ids of those incidents. */
  ids: ReadonlySet<string>;
  reports: ReadonlyMap<string, State>;
  /** The log entries that each report alone would have. */
  said: ReadonlyMap<string, Logged>;
  before: ReadonlyMap<string, Member>;
  after: ReadonlyMap<string, Member>;
  /** Incidents that had ended and are back as part of others. */
  back: ReadonlySet<string>;
}

/** The changes to the incidents. `goesOnAs`: the incidents that are now part of another, and of which one. */
function becomeOf({ ids, reports, said, before, after, back }: Reported): {
  changes: Logged[];
  goesOnAs: Map<string, string>;
} {
  const isThere = (id: string) => reports.get(id)?.isInForce === true;
  // A report without a change in the log was then as it is now.
  const wasThere = (id: string) => {
    const change = said.get(id);
    return change ? change.kind !== 'began' : isThere(id);
  };
  const was = (id: string) => before.get(id)?.incident ?? id;
  const is = (id: string) => after.get(id)?.incident ?? id;
  const then = Map.groupBy([...ids].filter(wasThere), was);
  const now = Map.groupBy([...ids].filter(isThere), is);
  const worst = (all: Severity[]) =>
    all.toSorted((one, other) => severityRank(one) - severityRank(other))[0]!;
  const gradeThen = (id: string) =>
    worst(then.get(id)!.map((one) => said.get(one)?.severity_from ?? reports.get(one)!.severity));
  const gradeNow = (id: string) => worst(now.get(id)!.map((one) => reports.get(one)!.severity));
  const common = (id: string) => ({
    event_id: id,
    source: reports.get(id)!.source,
    phase_to: reports.get(id)!.phase,
  });

  const goesOnAs = new Map<string, string>();
  const changes: Logged[] = [];
  const gone: Logged[] = [];
  for (const [id, members] of then) {
    if (now.has(id)) continue;
    // An entry that only refers to incidents does not keep an ended one in force: it may already mean the next.
    const others = members.filter((one) => isThere(one) && before.get(one)?.why !== null).map(is);
    const into = isThere(id) ? is(id) : mostOf(others);
    if (into === undefined) {
      const own = said.get(id);
      if (own) gone.push({ ...own, source: common(id).source, severity_from: gradeThen(id) });
      continue;
    }
    goesOnAs.set(id, into);
    changes.push({
      ...common(id),
      kind: 'merged',
      severity_from: gradeThen(id),
      severity_to: gradeNow(into),
      phase_to: reports.get(into)!.phase,
      other_id: into,
    });
  }
  // A list of ended incidents still holds them.
  for (const id of back)
    changes.push({
      ...common(id),
      kind: 'merged',
      severity_from: null,
      severity_to: gradeNow(is(id)),
      phase_to: reports.get(is(id))!.phase,
      other_id: is(id),
    });
  const goOn = new Set(goesOnAs.values());
  for (const id of now.keys()) {
    if (then.has(id) || goOn.has(id)) continue;
    const from = wasThere(id) ? was(id) : null;
    changes.push({
      ...common(id),
      kind: from === null ? 'began' : 'split',
      severity_from: from === null ? null : gradeThen(from),
      severity_to: gradeNow(id),
      ...(from !== null && { other_id: from }),
    });
  }
  for (const [id, members] of now) {
    if (!then.has(id)) continue;
    const all = new Set([...members, ...then.get(id)!]);
    const isOther = [...all].some(
      (one) =>
        said.has(one) ||
        (wasThere(one) && was(one)) !== (isThere(one) && is(one)) ||
        before.get(one)?.why !== after.get(one)?.why,
    );
    if (!isOther) continue;
    const [severity_from, severity_to] = [gradeThen(id), gradeNow(id)];
    const own = said.get(id)?.kind;
    // If it is only planned now, it was active before, because planned reports are never merged. That is neither
    // worse nor better.
    const isPutOff = common(id).phase_to === 'planned';
    const kind = own === 'started' ? own : isPutOff ? 'changed' : gradeChange(severity_from, severity_to);
    changes.push({ ...common(id), kind, severity_from, severity_to });
  }
  return { changes: [...gone, ...changes], goesOnAs };
}

/** The id that occurs most often; of equal ones the first by id. */
function mostOf(ids: readonly string[]): string | undefined {
  const counted = [...Map.groupBy(ids, (id) => id)];
  return counted.sort(
    ([one, some], [other, more]) => more.length - some.length || (one < other ? -1 : 1),
  )[0]?.[0];
}

/** Stores which source reports which incident, and since when. */
async function store(
  trx: Db,
  at: string,
  {
    before,
    after,
    isInForce,
  }: {
    before: ReadonlyMap<string, Member>;
    after: ReadonlyMap<string, Member>;
    isInForce: (id: string) => boolean;
  },
): Promise<void> {
  const over: string[] = [];
  const begun = new Map(after);
  for (const [id, member] of before) {
    // Its address still leads to the incident that it was part of.
    const heir = after.get(member.incident)?.incident;
    const next = after.get(id) ?? (isInForce(id) ? undefined : heir ? { incident: heir, why: null } : member);
    if (next?.incident === member.incident && next.why === member.why) {
      begun.delete(id);
      continue;
    }
    over.push(id);
    if (next) begun.set(id, next);
  }
  await rowsWith(trx, 'merged_reports', { event_id: over, until: null }).set({ until: at });
  const rows = [...begun].map(([event_id, { incident, why }]) => ({
    event_id,
    incident_id: incident,
    why,
    since: at,
    until: null,
  }));
  // If two entries have one time, the later counts.
  await putRow(trx, 'merged_reports', rows, ['event_id', 'since']);
}
