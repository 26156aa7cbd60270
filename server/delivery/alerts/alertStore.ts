/** The data of messages: routes with the incidents that touch them, the state of each alert, and the last message
 *  about each. */
import type { EndedReason, Phase } from '#contract/incidents/disruptions.ts';
import { Severity, severityRank } from '#contract/incidents/severity.ts';
import { type TellMe, tellMeOf } from '#contract/watches/tellMe.ts';
import { letsThrough, type Which, whichOf } from '#contract/watches/whichIncidents.ts';
import { type When, whenOf } from '#contract/watches/whenWatched.ts';
import type { TimeWindow } from '#contract/incidents/windows.ts';
import type { Departure, MatchLevel, WatchKind } from '#contract/watches/watches.ts';
import { rowsFor } from '../../db/batches.ts';
import { stored, toListed, withDuplicates } from '../../incidents/list/disruptionRows.ts';
import { findDuplicates, incidentsOf } from '../../incidents/list/duplicates.ts';
import type { Content } from '../../incidents/incidentFields.ts';
import type { Db } from '../../db/open.ts';
import { putRow, rowsWith } from '../../db/statements.ts';
import { ownReports } from '../../shift/ownReports.ts';
import type { RowOf } from '../../db/schema.ts';
import { isFiring, RECOVER_MS } from './alertStates.ts';
import { standingAlerts } from '../../incidents/list/standingAlerts.ts';
import { departuresOf } from '../../watches/watchStore.ts';

export interface AlertWatch {
  id: string;
  team_id: string;
  kind: WatchKind;
  name: string;
  length_km: number;
  sources: string[];
  which: Which;
  when: When;
  rev: number;
  tellMe: TellMe;
  departures: Departure[];
}

/** How an incident touches a route now, or touched it when its alert was last sent. */
export interface Touch {
  watch_id: string;
  event_id: string;
  /** Null: no longer. */
  level: MatchLevel | null;
  from_km: number | null;
  to_km: number | null;
  /** The incident's own source; null when the incident is no longer stored. */
  source: string | null;
  severity: Severity | null;
  phase: Phase | null;
  event_type: string | null;
  title: string | null;
  start_time: string | null;
  end_time: string | null;
  windows: readonly TimeWindow[] | null;
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
  'disruptions.details',
  'disruptions.ended_at',
  'disruptions.ended_reason',
] as const;

const NOT_STORED = {
  source: null,
  severity: null,
  phase: null,
  event_type: null,
  title: null,
  start_time: null,
  end_time: null,
  details: null,
  ended_at: null,
  ended_reason: null,
};

/** Most incidents have no windows, and their other details are not read. */
function withWindows<Row extends { details: string | null }>({ details, ...row }: Row) {
  const has = details?.includes('"windows":[{');
  const { windows = null } = has ? (JSON.parse(details!) as Pick<Content, 'windows'>) : {};
  return { ...row, windows };
}

async function statesOf(db: Db, eventIds: readonly string[]) {
  const rows = await rowsFor(eventIds, (ids) =>
    db
      .selectFrom('disruptions')
      .select(['event_id', ...INCIDENT])
      .where('event_id', 'in', ids),
  );
  return new Map(rows.map((row) => [row.event_id, row]));
}

export const alerts = (db: Db) => ({
  /** The ids of all watches that count, in order. */
  async watchIds(): Promise<string[]> {
    const rows = await rowsWith(db, 'watches', { archived_at: null }, ['id']).all('id');
    return rows.map(({ id }) => id);
  },

  /** Whether any watch is a route or an area. */
  async hasPlaces(): Promise<boolean> {
    const found = await db
      .selectFrom('watches')
      .select('id')
      .where('archived_at', 'is', null)
      .where('kind', '<>', 'feeds')
      .limit(1)
      .executeTakeFirst();
    return found !== undefined;
  },

  async watches(ids: readonly string[]): Promise<AlertWatch[]> {
    if (ids.length === 0) return [];
    const rows = await rowsWith(db, 'watches', { archived_at: null, id: ids }, ['id']).all(
      'id',
      'team_id',
      'kind',
      'name',
      'length_km',
      'sources',
      'which',
      'when',
      'rev',
      'notify',
    );
    const departures = Map.groupBy(await departuresOf(db, ids), ({ watch_id }) => watch_id);
    return rows.map(({ sources, which, when, notify, ...row }) => ({
      ...row,
      sources: JSON.parse(sources) as string[],
      which: whichOf(JSON.parse(which)),
      when: when === null ? null : whenOf(JSON.parse(when)),
      tellMe: tellMeOf(JSON.parse(notify)),
      departures: (departures.get(row.id) ?? []).map(({ except, ...departure }) => ({
        ...departure,
        except: JSON.parse(except) as Departure['except'],
      })),
    }));
  },

  /** The incidents that touch these routes and areas or that these feeds let through, and the incidents that did so
   *  and whose alert is not over yet. `isKept`: whether a source is still collected. */
  async touches(watches: readonly AlertWatch[], isKept: (source: string) => boolean): Promise<Touch[]> {
    if (watches.length === 0) return [];
    const watchIds = watches.map(({ id }) => id);
    const found = await db
      .selectFrom('matches')
      .select(['watch_id', 'subject_id as event_id', 'level', 'from_km', 'to_km'])
      .where('watch_id', 'in', watchIds)
      .where('subject', '=', 'disruption')
      .where('matches.ended_at', 'is', null)
      .where('level', '<>', 'near')
      .execute();
    // The matcher follows a merge a little later: until then the matches of the other reports count for the incident.
    const into = await incidentsOf(db, [...new Set(found.map(({ event_id }) => event_id))]);
    const own = found.filter(({ event_id }) => !into.has(event_id));
    const there = new Set(own.map(keyOf));
    const others = found
      .filter(({ event_id }) => into.has(event_id))
      .map((row) => ({ ...row, event_id: into.get(row.event_id)! }))
      .filter((row) => !there.has(keyOf(row)));
    const touching = [...own, ...new Map(others.map((row) => [keyOf(row), row])).values()];
    const incidents = await statesOf(db, [...new Set(touching.map(({ event_id }) => event_id))]);
    const now: Touch[] = [
      ...touching.map((row) => withWindows({ ...row, ...(incidents.get(row.event_id) ?? NOT_STORED) })),
      ...(await touchesOfFeeds(db, watches, isKept)),
    ];
    const known = new Set(now.map(keyOf));
    const before = await db
      .selectFrom('alert_instances')
      .leftJoin('disruptions', 'disruptions.event_id', 'alert_instances.event_id')
      .select(['watch_id', 'alert_instances.event_id', ...INCIDENT])
      .where('watch_id', 'in', watchIds)
      .execute();
    const { mains } = await findDuplicates(db);
    const graded = await withOwn(db, [
      ...now,
      ...before
        .filter((row) => !known.has(keyOf(row)))
        .map((row) => withWindows({ ...row, level: null, from_km: null, to_km: null })),
    ]);
    return graded.map((touch) => ({
      ...touch,
      severity: mains.get(touch.event_id)?.worst ?? touch.severity,
    }));
  },

  /** Alerts follow merges and splits: if a report was sent, the incident that it is now part of counts as sent; if
   *  an incident was sent and is now two, both count as sent. Call it before other data of these routes, areas and
   *  feeds is read. */
  async follow(watches: readonly AlertWatch[], at: Date): Promise<void> {
    if (watches.length === 0) return;
    const watchIds = watches.map(({ id }) => id);
    const rows = await rowsWith(db, 'alert_instances', { watch_id: watchIds }).all();
    const logs = await this.lastSent(watchIds);
    const known = logs.flatMap(({ firing }) => JSON.parse(firing) as string[]);
    const ids = [...new Set([...rows.map(({ event_id }) => event_id), ...known])];
    const into = await incidentsOf(db, ids);
    const apart = await apartFrom(db, watches, ids, at);
    if (into.size === 0 && apart.size === 0) return;

    for (const [watchId, own] of Map.groupBy(rows, ({ watch_id }) => watch_id)) {
      const there = new Map(own.map((row) => [row.event_id, row]));
      for (const row of own) {
        const to = into.get(row.event_id);
        if (to !== undefined) {
          await this.forget(watchId, [row.event_id]);
          const other = there.get(to);
          // An alert that was sent counts before one that waits. If two grades were sent, the higher one is kept.
          const graver = !other || turnOf(row) < turnOf(other) ? row : other;
          if (graver === row) await this.store({ ...row, event_id: to });
          there.set(to, { ...graver, event_id: to });
        }
        for (const { id } of apart.get(`${watchId}\n${row.event_id}`) ?? [])
          if (!there.has(id)) await this.store({ ...row, event_id: id });
      }
    }
    for (const log of logs) {
      const firing = JSON.parse(log.firing) as string[];
      const severities = JSON.parse(log.severities) as Record<string, Severity>;
      const now = new Map<string, Severity | undefined>();
      for (const id of firing) {
        const told = severities[id];
        const others = (apart.get(`${log.watch_id}\n${id}`) ?? []).filter((one) => !firing.includes(one.id));
        for (const { id: to, worst } of [{ id: into.get(id) ?? id, worst: told }, ...others]) {
          // A rise above its own earlier grade is news.
          const said = told && worst && severityRank(worst) > severityRank(told) ? worst : told;
          const before = now.get(to);
          if (!before || (said && severityRank(said) < severityRank(before))) now.set(to, said);
        }
      }
      const next = {
        firing: JSON.stringify([...now.keys()]),
        severities: JSON.stringify(Object.fromEntries(now)),
      };
      if (next.firing !== log.firing) await this.setLastSent({ ...log, ...next });
    }
  },

  async instances(watchIds: readonly string[]): Promise<RowOf<'alert_instances'>[]> {
    return watchIds.length === 0
      ? []
      : db.selectFrom('alert_instances').selectAll().where('watch_id', 'in', watchIds).execute();
  },

  async store(row: RowOf<'alert_instances'>): Promise<void> {
    await putRow(db, 'alert_instances', row, ['watch_id', 'event_id']);
  },

  async forget(watchId: string, eventIds: readonly string[]): Promise<void> {
    await rowsWith(db, 'alert_instances', { watch_id: watchId, event_id: eventIds }).remove();
  },

  /** Log rows of routes, or of sources (`source:<name>`). */
  async lastSent(ids: readonly string[]): Promise<RowOf<'notification_log'>[]> {
    return ids.length === 0
      ? []
      : db.selectFrom('notification_log').selectAll().where('watch_id', 'in', ids).execute();
  },

  async setLastSent(row: RowOf<'notification_log'>): Promise<void> {
    await putRow(db, 'notification_log', row, ['watch_id', 'channel_id']);
  },

  /** Responses of teams to these incidents. */
  async responses(eventIds: readonly string[]): Promise<RowOf<'responses'>[]> {
    return rowsWith(db, 'responses', { event_id: eventIds }).all();
  },

  /** These incidents with their words, ended ones too. */
  async incidents(eventIds: readonly string[]) {
    const rows = await rowsFor(eventIds, (ids) => stored(db).where('event_id', 'in', ids));
    const own = await ownReports(db).withEnded(eventIds);
    const duplicates = await findDuplicates(db);
    const listed = rows.map((row) => toListed(withDuplicates(row, duplicates)));
    return new Map([...listed, ...own].map((one) => [one.event_id, one]));
  },
});

const turnOf = (alert: RowOf<'alert_instances'>): number =>
  (isFiring(alert) ? 0 : Severity.options.length) + severityRank(alert.severity);

/** Feeds are touched by all incidents that they let through. */
async function touchesOfFeeds(
  db: Db,
  watches: readonly AlertWatch[],
  isKept: (source: string) => boolean,
): Promise<Touch[]> {
  const feeds = watches.filter(({ kind }) => kind === 'feeds');
  if (feeds.length === 0) return [];
  const standing = [...(await standingAlerts(db)).values()].filter(({ source }) => isKept(source));
  return feeds.flatMap(({ id, which }) =>
    standing
      .filter((alert) => letsThrough(which, alert))
      .map(({ event_id, source, severity, metadata, event_type, title, start_time, end_time, windows }) => ({
        watch_id: id,
        event_id,
        level: 'certain' as const,
        from_km: null,
        to_km: null,
        source,
        severity,
        phase: metadata.phase,
        event_type,
        title,
        start_time: start_time ?? null,
        end_time: end_time ?? null,
        windows: windows ?? null,
        ended_at: null,
        ended_reason: null,
      })),
  );
}

/** A report that is an incident of its own. `worst`: its highest grade while its alert may come back without being
 *  news. */
interface Apart {
  id: string;
  worst: Severity;
}

/** By watch and incident: the reports that were part of the incident a short while ago and are incidents of their
 *  own now. */
async function apartFrom(
  db: Db,
  watches: readonly AlertWatch[],
  incidents: readonly string[],
  at: Date,
): Promise<Map<string, Apart[]>> {
  const earliest = new Date(at.getTime() - RECOVER_MS).toISOString();
  const left = await rowsFor(incidents, (ids) =>
    db
      .selectFrom('merged_reports as m')
      .innerJoin('disruptions as d', 'd.event_id', 'm.event_id')
      .select(['m.event_id', 'm.incident_id', 'd.severity'])
      .where('m.incident_id', 'in', ids)
      .where('m.until', '>', earliest)
      // A change after that is news.
      .whereRef('d.version_seen_at', '<=', 'm.until')
      .where('d.ended_at', 'is', null)
      .where('m.event_id', 'not in', (eb) =>
        eb.selectFrom('merged_reports as n').select('n.event_id').where('n.until', 'is', null),
      ),
  );
  const found = new Map<string, Apart[]>();
  if (left.length === 0) return found;
  const reports = [...new Set(left.map(({ event_id }) => event_id))];
  const versions = await rowsFor(reports, (ids) =>
    db
      .selectFrom('disruption_versions')
      .select(['event_id', 'severity', 'ended_at', 'replaced_at'])
      .where('event_id', 'in', ids)
      .where('replaced_at', '>', earliest),
  );
  const before = Map.groupBy(versions, ({ event_id }) => event_id);
  const touched = await touchedBy(db, watches, reports);
  for (const { event_id: id, incident_id, severity } of left) {
    const own = before.get(id) ?? [];
    // If the alert comes back after a longer time, it was over in between: it is news.
    const wasOver = own.some(
      ({ ended_at, replaced_at }) =>
        ended_at !== null && Date.parse(replaced_at) - Date.parse(ended_at) >= RECOVER_MS,
    );
    if (wasOver) continue;
    const grades = [severity, ...own.map((version) => version.severity)];
    const worst = grades.reduce((one, other) => (severityRank(other) < severityRank(one) ? other : one));
    for (const watch_id of touched.get(id) ?? []) {
      const key = `${watch_id}\n${incident_id}`;
      found.set(key, [...(found.get(key) ?? []), { id, worst }]);
    }
  }
  return found;
}

/** For each report that is an incident of its own: the watches that it touches, and the feeds that let it through. */
async function touchedBy(
  db: Db,
  watches: readonly AlertWatch[],
  reports: readonly string[],
): Promise<Map<string, string[]>> {
  const places = watches.filter(({ kind }) => kind !== 'feeds').map(({ id }) => id);
  const matched = await rowsFor(places.length > 0 ? reports : [], (ids) =>
    db
      .selectFrom('matches')
      .select(['watch_id', 'subject_id as event_id'])
      .where('subject_id', 'in', ids)
      .where('watch_id', 'in', places)
      .where('subject', '=', 'disruption')
      .where('ended_at', 'is', null),
  );
  const those = new Set(reports);
  const let_through = (await touchesOfFeeds(db, watches, () => true)).filter((one) =>
    those.has(one.event_id),
  );
  const all = Map.groupBy([...matched, ...let_through], ({ event_id }) => event_id);
  return new Map([...all].map(([id, some]) => [id, some.map(({ watch_id }) => watch_id)]));
}

/** Adds the teams' own reports, which no source lists. */
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
      windows: null,
      ended_at: ended_at ?? null,
      ended_reason: ended_reason ?? null,
    };
  });
}

const keyOf = ({ watch_id, event_id }: Pick<Touch, 'watch_id' | 'event_id'>) => `${watch_id}\n${event_id}`;
