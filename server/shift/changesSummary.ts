/** What changed since a time or a batch, as the net of the change log. Made once for each span and revision. */
import {
  type ChangesSummary,
  COUNTED_KINDS,
  type LookedAt,
  NetKind,
  type NetChange,
} from '#contract/changes.ts';
import { severityRank } from '#contract/disruptions.ts';
import { shiftAt } from '#contract/shifts.ts';
import { findDuplicates } from '../db/duplicates.ts';
import { iso } from '../db/instant.ts';
import { looks } from '../db/looks.ts';
import { netChanges } from '../db/netChanges.ts';
import type { Db } from '../db/open.ts';
import { netOf } from './netOf.ts';

const DAY_MS = 24 * 60 * 60_000;
const LISTED_MAX = 500;
/** Spans of the newest revision: each team's shifts, and what each user has seen. */
const SPANS_KEPT = 200;

/** Where a span begins. `looked`: what the caller has seen of the screen, the shift's start before the first look. */
export type Since = 'shift' | 'looked' | 'day' | { at: Date } | { batch: number };

interface Span {
  batch: number;
  since: string;
}

interface Net {
  /** Null: all changes of the span are. */
  keptFrom: string | null;
  changes: readonly NetChange[];
}

export function changesSummary(db: Db) {
  const log = netChanges(db);
  let newestKnown = -1;
  const known = new Map<number, Promise<Net>>();

  function netSince(span: Span, newest: number): Promise<Net> {
    if (newest !== newestKnown || known.size >= SPANS_KEPT) {
      known.clear();
      newestKnown = newest;
    }
    const key = span.batch;
    const found = known.get(key) ?? read(span, newest);
    known.set(key, found);
    // A failure is not kept.
    found.catch(() => known.delete(key));
    return found;
  }

  async function read({ batch }: Span, newest: number): Promise<Net> {
    const oldest = await log.oldest();
    const keptFrom = oldest && oldest.batch > batch + 1 ? oldest.at : null;
    const logged = (await log.after(batch)).filter((change) => change.batch <= newest);
    const byIncident = Map.groupBy(logged, ({ event_id }) => event_id);
    const ids = [...byIncident.keys()];
    const now = await log.now(ids);
    const then = logged[0] ? await log.contentBefore(ids, logged[0].at) : new Map<string, never>();
    const { merged } = await findDuplicates(db, (eb) => eb.lit(true));
    const changes = [...byIncident]
      .flatMap(([id, own]) => {
        const incident = now.get(id);
        if (!incident || merged.has(id)) return [];
        return netOf(own, incident, then.get(id)) ?? [];
      })
      .sort(inOrder);
    return { keptFrom, changes };
  }

  return {
    async answer(
      { userId, teamId, shiftStarts }: { userId: string; teamId: string; shiftStarts: readonly string[] },
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
      const net = await netSince(span, newest);
      const routes = await log.onRoutes(teamId, span.since);
      const changes =
        screen === 'routes'
          ? net.changes.flatMap((change) => {
              const watch_ids = routes?.touched.get(change.event_id);
              return watch_ids ? onWatches(change, watch_ids) : [];
            })
          : net.changes;
      const counts = { new: 0, worse: 0, cleared: 0, lost: 0 };
      for (const kind of COUNTED_KINDS)
        counts[kind] = changes.filter((change) => change.kind === kind && change.phase === 'active').length;
      return {
        since: span.since,
        batch: newest,
        complete: net.keptFrom === null,
        ...(net.keptFrom !== null && { kept_from: net.keptFrom }),
        shift_start: iso(shift_start),
        looked,
        counts,
        changes: changes.slice(0, LISTED_MAX),
        total: changes.length,
        unseen: routes && (await log.criticalsAfter(routes.certain, await looks(db).furthest(userId))),
      };
    },

    /** Notes that the caller has seen all up to this batch. */
    async look(userId: string, screen: LookedAt, batch: number, now: Date): Promise<void> {
      await looks(db).note(userId, screen, batch, await log.newest(), now);
    },
  };

  async function spanOf(
    asked: Exclude<Since, 'looked'> | { batch: number; at: string },
    { shift_start, newest, now }: { shift_start: Date; newest: number; now: Date },
  ): Promise<Span> {
    if (typeof asked === 'object' && 'batch' in asked) {
      // What is numbered beyond the log was seen in another database: then the day is read.
      if (asked.batch > newest) return spanOf('day', { shift_start, newest, now });
      const at = 'at' in asked ? asked.at : ((await log.timeAfter(asked.batch)) ?? iso(now));
      return { batch: asked.batch, since: at };
    }
    const at =
      typeof asked === 'object' ? asked.at : asked === 'shift' ? shift_start : new Date(minute(now) - DAY_MS);
    return { batch: await log.batchBefore(at, newest), since: iso(at) };
  }
}
export type ChangesSummaries = ReturnType<typeof changesSummary>;

const onWatches = (change: NetChange, watch_ids: string[]): NetChange => ({ ...change, watch_ids });

/** So that the answer of one minute has one ETag. */
const minute = (now: Date) => Math.floor(now.getTime() / 60_000) * 60_000;

const inOrder = (one: NetChange, other: NetChange) =>
  severityRank(one.severity) - severityRank(other.severity) ||
  NetKind.options.indexOf(one.kind) - NetKind.options.indexOf(other.kind) ||
  (one.at > other.at ? -1 : one.at < other.at ? 1 : one.event_id < other.event_id ? -1 : 1);
