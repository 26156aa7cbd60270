/** The net changes since a time or a batch, from the change log. They are computed once for each span and revision. */
import { DAY_MS } from '#contract/durations.ts';
import {
  type ChangesSummary,
  COUNTED_KINDS,
  countsAs,
  type Look,
  type LookedAt,
  NetKind,
  type NetChange,
} from '#contract/incidents/changes.ts';
import type { Disruption } from '#contract/incidents/disruptions.ts';
import { severityRank } from '#contract/incidents/severity.ts';
import type { Facts } from '#contract/incidents/facts.ts';
import { shiftAt } from '#contract/shift/shifts.ts';
import { findDuplicates } from '../incidents/list/duplicates.ts';
import { iso } from '../db/instant.ts';
import {
  looks,
  type LoggedChange,
  netChanges,
  type IncidentNow,
  type IncidentThen,
} from './netChangesStore.ts';
import type { Db } from '../db/open.ts';
import { ownReports } from './ownReports.ts';
import { worseSince } from '../feeds/trendStore.ts';

/** The longest span, and the most changes in one: everything that happened in a span is read. */
const LONGEST_DAYS = 7;
const CHANGES_READ = 15_000;
const LISTED_MAX = 500;
/** How many spans of the newest revision are kept: the shifts of each team, and the time at which each user last
 *  looked. */
const SPANS_KEPT = 200;

/** The beginning of a span. `looked`: when the caller last saw the screen; before a first look, when the shift
 *  began. `at` of a batch: when the answer with it was given. */
export type Since = 'shift' | 'looked' | 'day' | { at: Date } | { batch: number; at?: string };

interface Span {
  batch: number;
  since: string;
  /** The answer does not have the whole requested span. */
  isCut: boolean;
}

interface Caller {
  userId: string;
  teamId: string;
  shiftStarts: readonly string[];
  /** True: the answer has the team's own reports too, which an API key and a display do not get. */
  isPerson: boolean;
}

interface Net {
  /** Null: all changes of the span are kept. */
  keptFrom: string | null;
  changes: readonly NetChange[];
}

export function changesSummary(db: Db) {
  const log = netChanges(db);
  let newestKnown = -1;
  const known = new Map<number, Promise<Net>>();

  function netSince(span: Span, newest: number, at: Date): Promise<Net> {
    if (newest !== newestKnown || known.size >= SPANS_KEPT) {
      known.clear();
      newestKnown = newest;
    }
    const key = span.batch;
    const found = known.get(key) ?? read(span, newest, at);
    known.set(key, found);
    // A failure is not kept.
    found.catch(() => known.delete(key));
    return found;
  }

  async function read({ batch, since }: Omit<Span, 'isCut'>, newest: number, at: Date): Promise<Net> {
    const oldest = await log.oldest();
    const keptFrom = oldest && oldest.batch > batch + 1 ? oldest.at : null;
    const logged = (await log.after(batch)).filter((change) => change.batch <= newest);
    const byIncident = ofIncidents(logged);
    const ids = [...byIncident.keys()];
    const { mains, merged } = await findDuplicates(db);
    const now = new Map(
      [...(await log.now(ids))].map(([id, one]) => [
        id,
        { ...one, severity: mains.get(id)?.worst ?? one.severity },
      ]),
    );
    const then = logged[0] ? await log.contentBefore(ids, logged[0].at) : new Map<string, never>();
    const worse = await worseSince(
      db,
      [...now.values()].flatMap(({ event_id, severity, phase, ended_at, details }) =>
        phase === 'active' && ended_at === null
          ? { event_id, severity, facts: (JSON.parse(details) as { facts?: Facts }).facts }
          : [],
      ),
      // Also the content that the first change of the span replaced.
      { since: new Date(Date.parse(since) - 1), now: at },
    );
    const changes = [...byIncident]
      .flatMap(([id, own]) => {
        const incident = now.get(id);
        if (!incident || merged.has(id)) return [];
        return netOf(own, incident, then.get(id), worse.get(id)) ?? [];
      })
      .sort(inOrder);
    return { keptFrom, changes };
  }

  /** The team's own reports are not in the log of incidents, which all teams read. */
  async function ownSince(teamId: string, since: string): Promise<NetChange[]> {
    const reports = await ownReports(db).changedSince(teamId, since);
    return reports.flatMap(({ now, ended_at, before, changes }) => {
      if (changes.length === 0) return [];
      const first = changes[0]!;
      const rise = changes.findLast(({ kind }) => kind === 'worse');
      const isWorse =
        rise && severityRank(now.severity) < severityRank(first.severity_from ?? first.severity_to);
      const content = (one: Disruption) => ({
        ...one,
        phase: 'active' as const,
        start_time: one.start_time!, // a report has one, see the table
        end_time: null,
      });
      return (
        netOf(
          changes.map((change) => ({ ...change, batch: 0, event_id: now.event_id, other_id: null })),
          {
            ...content(now),
            ended_at,
            ended_reason:
              ended_at === null ? null : changes.at(-1)!.kind === 'lost' ? 'expired' : 'publisher',
            last_seen_at: now.updated_at!,
            details: '{}',
          },
          before ? content(before) : undefined,
          isWorse ? rise.at : null,
        ) ?? []
      );
    });
  }

  return {
    async answer(
      { userId, teamId, shiftStarts, isPerson }: Caller,
      { since: asked, screen }: { since: Since; screen: LookedAt },
      now: Date,
    ): Promise<Omit<ChangesSummary, 'unseen_messages'>> {
      const newest = await log.newest();
      const shift_start = shiftAt(now, shiftStarts).from;
      const looked = (await looks(db).of(userId, screen)) ?? null;
      const span = await spanOf(asked === 'looked' ? (looked ?? 'shift') : asked, {
        shift_start,
        newest,
        now,
      });
      const { keptFrom, ...net } = await netSince(span, newest, now);
      const from = keptFrom ?? (span.isCut ? span.since : null);
      const certain = await log.certainOnRoutes(teamId);
      const touched = screen === 'routes' ? await log.onRoutes(teamId, span.since) : null;
      // Own reports are in no batch. They count from the answer that had this batch or, if its time is not known, from
      // the batch itself: the time of the next one would leave out reports in between.
      const isBare = typeof asked === 'object' && !('at' in asked);
      const ownFrom = isBare && !span.isCut ? await log.timeAfter(span.batch - 1) : undefined;
      const own = isPerson ? await ownSince(teamId, ownFrom ?? span.since) : [];
      const all = own.length > 0 ? [...net.changes, ...own].sort(inOrder) : net.changes;
      const changes =
        screen === 'routes'
          ? all.flatMap((change) => {
              const watch_ids = touched?.get(change.event_id);
              return watch_ids ? onWatches(change, watch_ids) : [];
            })
          : all;
      const counts = { new: 0, worse: 0, cleared: 0, lost: 0 };
      for (const kind of COUNTED_KINDS)
        counts[kind] = changes.filter((change) => countsAs(change, kind)).length;
      return {
        since: span.since,
        batch: newest,
        complete: from === null,
        ...(from !== null && { kept_from: from }),
        shift_start: iso(shift_start),
        looked,
        counts,
        changes: changes.slice(0, LISTED_MAX),
        total: changes.length,
        unseen: certain && (await log.criticalsAfter(certain, await looks(db).furthest(userId))),
      };
    },

    /** Stores that the caller has seen everything up to this batch, in an answer of this time. */
    async look(userId: string, screen: LookedAt, { batch, at }: Look, now: Date): Promise<void> {
      const newest = await log.newest();
      const seenAt = new Date(Math.min(Date.parse(at), now.getTime()));
      const seen = { batch: Math.min(batch, newest), at: iso(seenAt) };
      await looks(db).note(userId, screen, seen, newest);
    },
  };

  async function spanOf(
    asked: Exclude<Since, 'looked'>,
    { shift_start, newest, now }: { shift_start: Date; newest: number; now: Date },
  ): Promise<Span> {
    const earliest = iso(new Date(minute(now) - LONGEST_DAYS * DAY_MS));
    const within = async (span: Omit<Span, 'isCut'>): Promise<Span> => {
      if (span.since < earliest) {
        const oldest = await log.oldest();
        const isCut = oldest !== undefined && oldest.at < earliest;
        const since = earliest;
        const cut = await within({ batch: await log.batchBefore(since, newest), since });
        return { ...cut, isCut: isCut || cut.isCut };
      }
      const beyond = await log.batchBack(newest, CHANGES_READ);
      if (beyond === undefined || beyond <= span.batch) return { ...span, isCut: false };
      return { batch: beyond, since: (await log.timeAfter(beyond)) ?? span.since, isCut: true };
    };
    if (typeof asked === 'object' && 'batch' in asked) {
      // A batch beyond the log's end was seen in another database: then the whole day is read.
      if (asked.batch > newest) return spanOf('day', { shift_start, newest, now });
      const since = asked.at ?? (await log.timeAfter(asked.batch)) ?? iso(now);
      return within({ batch: asked.batch, since });
    }
    const since = iso(
      typeof asked === 'object' ? asked.at : asked === 'shift' ? shift_start : new Date(minute(now) - DAY_MS),
    );
    return within({ batch: await log.batchBefore(since, newest), since });
  }
}

/** The changes by incident. If an incident goes on under another id, it keeps its changes; a report that became part
 *  of another incident counts only with the changes of that incident. */
function ofIncidents(logged: readonly LoggedChange[]): Map<string, LoggedChange[]> {
  const byIncident = new Map<string, LoggedChange[]>();
  for (const changes of Map.groupBy(logged, ({ batch }) => batch).values()) {
    const own = new Set(changes.map(({ event_id }) => event_id));
    for (const change of changes) {
      const { event_id, kind, other_id } = change;
      const before = byIncident.get(event_id) ?? [];
      if (kind !== 'merged' || other_id === null) {
        byIncident.set(event_id, [...before, change]);
        continue;
      }
      byIncident.delete(event_id);
      if (own.has(other_id) || byIncident.has(other_id)) continue;
      byIncident.set(other_id, [...before, { ...change, event_id: other_id }]);
    }
  }
  return byIncident;
}

const onWatches = (change: NetChange, watch_ids: string[]): NetChange => ({ ...change, watch_ids });

/** Rounded to a minute, so that the answer of one minute has one ETag. */
const minute = (now: Date) => Math.floor(now.getTime() / 60_000) * 60_000;

const inOrder = (one: NetChange, other: NetChange) =>
  severityRank(one.severity) - severityRank(other.severity) ||
  NetKind.options.indexOf(one.kind) - NetKind.options.indexOf(other.kind) ||
  (one.at > other.at ? -1 : one.at < other.at ? 1 : one.event_id < other.event_id ? -1 : 1);

// The net of one incident's changes within a span.

const FIELDS = ['end_time', 'start_time', 'title', 'summary_line'] as const;

/** `changes`: all changes of the span, in order, at least one. `then`: its content at the span's beginning, if that
 *  was different. `worse_at`: when it last got worse. Null: nothing worth showing. */
function netOf(
  changes: readonly LoggedChange[],
  now: IncidentNow,
  then: IncidentThen | undefined,
  worse_at: string | null = null,
): NetChange | null {
  const first = changes[0]!;
  const last = changes.at(-1)!;
  const wasThere = first.kind !== 'began';
  const severity_from = wasThere ? (first.severity_from ?? null) : null;
  const net = (kind: NetKind, at: string, fields: string[] = []): NetChange => ({
    event_id: now.event_id,
    source: now.source,
    kind,
    at,
    title: now.title,
    severity: now.severity,
    severity_from,
    worse_at: kind === 'cleared' || kind === 'lost' ? null : worse_at,
    phase: now.phase,
    ended_reason: now.ended_at === null ? null : now.ended_reason,
    fields,
    end_time_from: fields.includes('end_time') ? (then?.end_time ?? null) : null,
    end_time: now.end_time,
  });
  const lastOf = (...kinds: LoggedChange['kind'][]) =>
    changes.findLast(({ kind }) => kinds.includes(kind))?.at ?? last.at;

  // An incident that began in the span and was given up may still be happening.
  if (last.kind === 'lost') return net('lost', now.last_seen_at);
  if (last.kind === 'ended') return wasThere ? net('cleared', last.at) : null;
  if (!wasThere) return net('new', lastOf('began'));

  const rank = severityRank(last.severity_to);
  const before = severityRank(severity_from ?? last.severity_to);
  if (rank < before) return net('worse', lastOf('worse', 'started', 'began'));
  if (then?.phase === 'planned' && now.phase === 'active') return net('started', lastOf('started', 'began'));
  if (rank > before) return net('better', lastOf('better', 'started', 'began'));
  const fields = then ? FIELDS.filter((field) => then[field] !== now[field]) : [];
  if (fields.length > 0) return net('changed', lastOf('changed', 'started', 'began'), fields);
  return worse_at === null ? null : net('worse', worse_at);
}
