/** What messages are made of: routes with what touches them, the state of each alert, and what was last sent. */
import type { EndedReason, Phase, Severity } from '#contract/disruptions.ts';
import { type TellMe, tellMeOf } from '#contract/tellMe.ts';
import type { Departure, MatchLevel } from '#contract/watches.ts';
import { chunks, IDS_PER_STATEMENT } from './batches.ts';
import { toListed, stored } from './disruptionRows.ts';
import type { Db } from './open.ts';
import { ownReports } from './ownReports.ts';
import type { AlertInstancesTable, NotificationLogTable, ResponsesTable } from './schema.ts';
import { departuresOf } from './watches.ts';

export interface AlertWatch {
  id: string;
  team_id: string;
  name: string;
  length_km: number;
  sources: string[];
  tellMe: TellMe;
  departures: Departure[];
}

/** How an incident touches a route now, or did when its alert was last sent. */
export interface Touch {
  watch_id: string;
  event_id: string;
  /** Null: no longer. */
  level: MatchLevel | null;
  from_km: number | null;
  to_km: number | null;
  /** Of the incident; null when it is no longer stored. */
  source: string | null;
  severity: Severity | null;
  phase: Phase | null;
  event_type: string | null;
  title: string | null;
  start_time: string | null;
  end_time: string | null;
  ended_at: string | null;
  ended_reason: EndedReason | null;
}

const INCIDENT = [
  'disruptions.source',
  'disruptions.severity',
  'disruptions.phase',
  'disruptions.event_type',
  'disruptions.title',
  'disruptions.start_time',
  'disruptions.end_time',
  'disruptions.ended_at',
  'disruptions.ended_reason',
] as const;

export const alerts = (db: Db) => ({
  /** The ids of all routes that count, in order. */
  async watchIds(): Promise<string[]> {
    const rows = await db
      .selectFrom('watches')
      .select('id')
      .where('archived_at', 'is', null)
      .orderBy('id')
      .execute();
    return rows.map(({ id }) => id);
  },

  async watches(ids: readonly string[]): Promise<AlertWatch[]> {
    if (ids.length === 0) return [];
    const rows = await db
      .selectFrom('watches')
      .select(['id', 'team_id', 'name', 'length_km', 'sources', 'notify'])
      .where('archived_at', 'is', null)
      .where('id', 'in', ids)
      .orderBy('id')
      .execute();
    const departures = Map.groupBy(await departuresOf(db, ids), ({ watch_id }) => watch_id);
    return rows.map(({ sources, notify, ...row }) => ({
      ...row,
      sources: JSON.parse(sources) as string[],
      tellMe: tellMeOf(JSON.parse(notify)),
      departures: (departures.get(row.id) ?? []).map(({ except, ...departure }) => ({
        ...departure,
        except: JSON.parse(except) as Departure['except'],
      })),
    }));
  },

  /** Incidents that touch these routes, and those that did and whose alert is not yet over. */
  async touches(watchIds: readonly string[]): Promise<Touch[]> {
    if (watchIds.length === 0) return [];
    const now = await db
      .selectFrom('matches')
      .leftJoin('disruptions', 'disruptions.event_id', 'matches.subject_id')
      .select(['watch_id', 'subject_id as event_id', 'level', 'from_km', 'to_km', ...INCIDENT])
      .where('watch_id', 'in', watchIds)
      .where('subject', '=', 'disruption')
      .where('matches.ended_at', 'is', null)
      .where('level', '<>', 'near')
      .execute();
    const known = new Set(now.map(keyOf));
    const before = await db
      .selectFrom('alert_instances')
      .leftJoin('disruptions', 'disruptions.event_id', 'alert_instances.event_id')
      .select(['watch_id', 'alert_instances.event_id', ...INCIDENT])
      .where('watch_id', 'in', watchIds)
      .execute();
    return withOwn(db, [
      ...now,
      ...before
        .filter((row) => !known.has(keyOf(row)))
        .map((row) => ({ ...row, level: null, from_km: null, to_km: null })),
    ]);
  },

  async instances(watchIds: readonly string[]): Promise<AlertInstancesTable[]> {
    return watchIds.length === 0
      ? []
      : db.selectFrom('alert_instances').selectAll().where('watch_id', 'in', watchIds).execute();
  },

  async store(row: AlertInstancesTable): Promise<void> {
    const { watch_id: _, event_id: __, ...changed } = row;
    await db
      .insertInto('alert_instances')
      .values(row)
      .onConflict((conflict) => conflict.columns(['watch_id', 'event_id']).doUpdateSet(changed))
      .execute();
  },

  async forget(watchId: string, eventIds: readonly string[]): Promise<void> {
    for (const ids of chunks(eventIds, IDS_PER_STATEMENT))
      await db
        .deleteFrom('alert_instances')
        .where('watch_id', '=', watchId)
        .where('event_id', 'in', ids)
        .execute();
  },

  /** Of routes, or of sources (`source:<name>`). */
  async lastSent(ids: readonly string[]): Promise<NotificationLogTable[]> {
    return ids.length === 0
      ? []
      : db.selectFrom('notification_log').selectAll().where('watch_id', 'in', ids).execute();
  },

  async setLastSent(row: NotificationLogTable): Promise<void> {
    const { watch_id: _, receiver_id: __, ...changed } = row;
    await db
      .insertInto('notification_log')
      .values(row)
      .onConflict((conflict) => conflict.columns(['watch_id', 'receiver_id']).doUpdateSet(changed))
      .execute();
  },

  /** What teams do about these incidents. */
  async responses(eventIds: readonly string[]): Promise<ResponsesTable[]> {
    const rows: ResponsesTable[] = [];
    for (const ids of chunks(eventIds, IDS_PER_STATEMENT))
      rows.push(...(await db.selectFrom('responses').selectAll().where('event_id', 'in', ids).execute()));
    return rows;
  },

  /** These incidents with their words, ended ones too. */
  async incidents(eventIds: readonly string[]) {
    const rows = [];
    for (const ids of chunks(eventIds, IDS_PER_STATEMENT))
      rows.push(...(await stored(db).where('event_id', 'in', ids).execute()));
    const own = await ownReports(db).withEnded(eventIds);
    return new Map([...rows.map(toListed), ...own].map((one) => [one.event_id, one]));
  },
});

/** With what the teams report themselves, which no source lists. */
async function withOwn(db: Db, touches: readonly Touch[]): Promise<Touch[]> {
  const own = await ownReports(db).withEnded(touches.map(({ event_id }) => event_id));
  const byId = new Map(own.map((report) => [report.event_id, report]));
  return touches.map((touch): Touch => {
    const report = byId.get(touch.event_id);
    if (!report) return touch;
    const { source, severity, event_type, title, start_time, end_time, ended_at, ended_reason } = report;
    return {
      ...touch,
      source,
      severity,
      event_type,
      title,
      phase: 'active',
      start_time: start_time ?? null,
      end_time: end_time ?? null,
      ended_at: ended_at ?? null,
      ended_reason: ended_reason ?? null,
    };
  });
}

const keyOf = ({ watch_id, event_id }: Pick<Touch, 'watch_id' | 'event_id'>) => `${watch_id}\n${event_id}`;
