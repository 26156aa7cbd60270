/** A team's own reports: incidents that only this team has. Every query names the team. */
import { type Change, gradeChange } from '#contract/incidents/changes.ts';
import type { Disruption, Geometry, ListedDisruption } from '#contract/incidents/disruptions.ts';
import { type Severity, severityRank } from '#contract/incidents/severity.ts';
import { worstFirst } from '#contract/incidents/worstFirst.ts';
import type { Facts } from '#contract/incidents/facts.ts';
import {
  DELETED_PERSON,
  type OwnReport,
  ownSource,
  type Person,
  REPORT_LIMITS,
} from '#contract/shift/responses.ts';
import type { ShapedDisruption } from '../incidents/list/disruptionRows.ts';
import { plainWords } from '../http/documents/plainText.ts';
import { rowsFor, rowCount } from '../db/batches.ts';
import { iso, type Instant } from '../db/instant.ts';
import type { Db } from '../db/open.ts';
import { addRows, rowsWith } from '../db/statements.ts';
import { type Actor, addToLog, endReported, loggedBefore } from './responses.ts';
import { raiseRevision, RESPONSES_REVISION, takeTurn, WATCHES_REVISION } from '../db/revisions.ts';
import type { RowOf } from '../db/schema.ts';

/** The words of its author, with the place that was found for them. */
export type ReportDraft = Pick<
  RowOf<'own_reports'>,
  | 'title'
  | 'severity'
  | 'note'
  | 'latitude'
  | 'longitude'
  | 'geometry'
  | 'metadata'
  | 'facts'
  | 'ask_again_at'
> & { id: string; at: string };

type ReportChanged =
  | { outcome: 'done' | 'unknown' }
  /** Somebody else has changed it since. */
  | { outcome: 'stale'; by: Person; at: string };

interface OwnChanges {
  now: Disruption;
  ended_at: string | null;
  before: Disruption | null;
  changes: readonly Pick<Change, 'at' | 'kind' | 'severity_from' | 'severity_to'>[];
}

/** The fields in which two reports with the same id would differ. */
function saidIn(detail: string): string {
  const { title, severity, note } = JSON.parse(detail) as Partial<RowOf<'own_reports'>>; // written below
  return JSON.stringify([title, severity, note]);
}
const placeIn = (facts: string | undefined) => facts && (JSON.parse(facts) as Facts).place;

export const ownReports = (db: Db) => ({
  /** Worst first. */
  async inForce(teamId: string): Promise<OwnReport[]> {
    const rows = await withAuthor(db)
      .where('own_reports.team_id', '=', teamId)
      .where('own_reports.ended_at', 'is', null)
      .orderBy('severity_rank')
      .orderBy('event_id')
      .execute();
    return rows.map(toReport);
  },

  /** Reports that were in force at a time, in their state at that time, the worst first. */
  async inForceAt(teamId: string, at: Instant): Promise<Disruption[]> {
    const rows = await db
      .selectFrom('own_reports')
      .selectAll()
      .where('team_id', '=', teamId)
      .where('created_at', '<=', iso(at))
      .where((eb) => eb.or([eb('ended_at', 'is', null), eb('ended_at', '>', iso(at))]))
      .execute();
    if (rows.length === 0) return [];
    const logged = await db
      .selectFrom('response_log')
      .select(['event_id', 'detail'])
      .where('team_id', '=', teamId)
      .where(
        'event_id',
        'in',
        rows.map(({ event_id }) => event_id),
      )
      .where('action', 'in', ['report.made', 'report.changed'])
      .where('received_at', '<=', iso(at))
      .orderBy('received_at')
      .execute();
    return rows
      .map((row) => {
        const said = logged.filter(({ event_id }) => event_id === row.event_id);
        const then = said.map(({ detail }) => JSON.parse(detail) as Partial<RowOf<'own_reports'>>);
        return toDisruption(Object.assign({ ...row }, ...then) as RowOf<'own_reports'>);
      })
      .sort(worstFirst);
  },

  async byId(teamId: string, eventId: string): Promise<OwnReport | undefined> {
    const row = await withAuthor(db)
      .where('own_reports.team_id', '=', teamId)
      .where('own_reports.event_id', '=', eventId)
      .executeTakeFirst();
    return row && toReport(row);
  },

  /** A report in force, with its shape. */
  async shaped(teamId: string, eventId: string): Promise<ShapedDisruption | undefined> {
    const row = await rowsWith(db, 'own_reports', {
      team_id: teamId,
      event_id: eventId,
      ended_at: null,
    }).first();
    if (!row) return undefined;
    const geometry = row.geometry === null ? null : (JSON.parse(row.geometry) as Geometry);
    return { ...toDisruption(row), geometry };
  },

  /** Reports with these ids in force, of any team, for matches with that team's own routes. */
  async some(ids: readonly string[]): Promise<Disruption[]> {
    const own = ids.filter((id) => id.startsWith('own:'));
    const rows = await rowsWith(db, 'own_reports', { event_id: own, ended_at: null }).all();
    return rows.map(toDisruption);
  },

  /**
   * Reports with these ids, of any team, in force or ended; a report ends by a person or because nobody confirmed it.
   */
  async withEnded(ids: readonly string[]): Promise<ListedDisruption[]> {
    const own = ids.filter((id) => id.startsWith('own:'));
    const rows = await rowsWith(db, 'own_reports', { event_id: own }).all();
    return rows.map((row) => {
      const { ended_at, updated_at } = row;
      // The trouble of an unconfirmed report may still exist.
      const ended_reason = ended_at === updated_at ? 'publisher' : 'expired';
      return { ...toDisruption(row), ...(ended_at !== null && { ended_at, ended_reason }) };
    });
  },

  /** If a report is sent twice with one id, it is stored once. `full`: the team has as many as it may. `used`: the
   *  id belongs to another report. */
  async add(
    { teamId, userId }: Actor,
    draft: ReportDraft,
    now: Instant,
  ): Promise<{ event_id: string } | 'full' | 'used'> {
    const event_id = `${ownSource(teamId)}:${draft.id}`;
    const received = iso(now);
    const { id, at, ...columns } = draft;
    const { title, severity, note, ask_again_at } = draft;
    return db.transaction().execute(async (trx) => {
      await takeTurn(trx, RESPONSES_REVISION);
      const known = await rowsWith(trx, 'own_reports', { event_id }).first('facts');
      const before = await loggedBefore(trx, id);
      if (before) {
        const isSame =
          before.event_id === event_id &&
          before.user_id === userId &&
          saidIn(before.detail) === saidIn(JSON.stringify(draft)) &&
          placeIn(known?.facts) === placeIn(draft.facts);
        return isSame ? { event_id } : 'used';
      }
      if (known) return { event_id };
      const open = trx.selectFrom('own_reports').where('team_id', '=', teamId).where('ended_at', 'is', null);
      if ((await rowCount(open)) >= REPORT_LIMITS.perTeam) return 'full';
      await addRows(trx, 'own_reports', {
        event_id,
        team_id: teamId,
        by_user: userId,
        ...columns,
        severity_rank: severityRank(draft.severity),
        start_time: at,
        created_at: received,
        updated_at: received,
        ended_at: null,
        rev: 1,
      });
      await addToLog(trx, {
        id,
        team_id: teamId,
        event_id,
        at,
        received,
        user_id: userId,
        action: 'report.made',
        text: title,
        // Later changes are compared with this.
        detail: { title, severity, note, ask_again_at },
      });
      await raiseRevision(trx, WATCHES_REVISION);
      await raiseRevision(trx, RESPONSES_REVISION);
      return { event_id };
    });
  },

  /** Changes the report only at the revision that its author saw. A report that has ended stays ended. */
  async change(
    { teamId, userId }: Actor,
    { eventId, rev }: { eventId: string; rev: number },
    change: { title?: string; severity?: Severity; note?: string; ask_again_at?: string; ended?: true },
    now: Instant,
  ): Promise<ReportChanged> {
    const at = iso(now);
    const { ended, ...columns } = change;
    return db.transaction().execute(async (trx) => {
      await takeTurn(trx, RESPONSES_REVISION);
      const before = await withAuthor(trx)
        .where('own_reports.team_id', '=', teamId)
        .where('own_reports.event_id', '=', eventId)
        .where('own_reports.ended_at', 'is', null)
        .executeTakeFirst();
      if (!before) return { outcome: 'unknown' } as const;
      if (before.rev !== rev) {
        const by = { id: before.by_user, name: before.display_name ?? DELETED_PERSON };
        return { outcome: 'stale', by, at: before.updated_at } as const;
      }
      const severity_rank = severityRank(change.severity ?? before.severity);
      await rowsWith(trx, 'own_reports', { event_id: eventId }).set({
        ...columns,
        severity_rank,
        updated_at: at,
        rev: rev + 1,
        ...(ended && { ended_at: at }),
      });
      await addToLog(trx, {
        team_id: teamId,
        event_id: eventId,
        at,
        received: at,
        user_id: userId,
        action: ended ? 'report.ended' : 'report.changed',
        detail: columns,
      });
      if (severity_rank < before.severity_rank) {
        const kind = 'worse' as const;
        await endReported(trx, { event_id: eventId, kind, severity_to: change.severity!, at }, now);
      }
      await raiseRevision(trx, WATCHES_REVISION);
      await raiseRevision(trx, RESPONSES_REVISION);
      return { outcome: 'done' } as const;
    });
  },

  /** Gives up the reports of all teams that nobody confirmed after the question. Returns how many. */
  async endDue(now: Instant): Promise<number> {
    const at = iso(now);
    const asked = iso(new Date(Date.parse(at) - REPORT_LIMITS.unansweredMs));
    const due = (on: Db) =>
      on
        .selectFrom('own_reports')
        .select(['event_id', 'team_id', 'ask_again_at'])
        .where('ended_at', 'is', null)
        .where('ask_again_at', '<=', asked);
    if (!(await due(db).limit(1).executeTakeFirst())) return 0;
    return db.transaction().execute(async (trx) => {
      await takeTurn(trx, RESPONSES_REVISION);
      const rows = await due(trx).execute();
      for (const { event_id, team_id, ask_again_at } of rows) {
        const ended_at = iso(new Date(Date.parse(ask_again_at) + REPORT_LIMITS.unansweredMs));
        await rowsWith(trx, 'own_reports', { event_id }).set((eb) => ({ ended_at, rev: eb('rev', '+', 1) }));
        await addToLog(trx, {
          team_id,
          event_id,
          at: ended_at,
          received: at,
          user_id: null,
          action: 'report.ended',
          detail: { by: 'time' },
        });
      }
      await raiseRevision(trx, WATCHES_REVISION);
      await raiseRevision(trx, RESPONSES_REVISION);
      return rows.length;
    });
  },

  /** Reports of the team that were made, changed or ended since then: each with its changes in the form of the
   *  change log, and with its earlier state. */
  async changedSince(teamId: string, since: Instant): Promise<OwnChanges[]> {
    const from = iso(since);
    const rows = await db
      .selectFrom('own_reports')
      .selectAll()
      .where('team_id', '=', teamId)
      .where((eb) => eb.or([eb('updated_at', '>=', from), eb('ended_at', '>=', from)]))
      .execute();
    const ids = rows.map(({ event_id }) => event_id);
    const logged = await rowsFor(ids, (some) =>
      db
        .selectFrom('response_log')
        .select(['event_id', 'received_at', 'detail'])
        .where('team_id', '=', teamId)
        .where('event_id', 'in', some)
        .where('action', 'in', ['report.made', 'report.changed'])
        .orderBy('received_at'),
    );
    return rows.map((row) => {
      const own = logged.filter(({ event_id }) => event_id === row.event_id);
      const changes: OwnChanges['changes'][number][] = [];
      let said: RowOf<'own_reports'> | null = null;
      let before: RowOf<'own_reports'> | null = null;
      for (const { received_at: at, detail } of own) {
        const next: RowOf<'own_reports'> = {
          ...row,
          ...said,
          ...(JSON.parse(detail) as Partial<RowOf<'own_reports'>>),
        };
        if (at < from) before = next;
        else
          changes.push({
            at,
            kind: said ? gradeChange(said.severity, next.severity) : 'began',
            severity_from: said?.severity ?? null,
            severity_to: next.severity,
          });
        said = next;
      }
      if (row.ended_at !== null)
        changes.push({
          at: row.ended_at,
          kind: row.ended_at === row.updated_at ? 'ended' : 'lost',
          severity_from: row.severity,
          severity_to: row.severity,
        });
      return {
        now: toDisruption(row),
        ended_at: row.ended_at,
        before: before && toDisruption(before),
        changes,
      };
    });
  },
});

const withAuthor = (db: Db) =>
  db
    .selectFrom('own_reports')
    .leftJoin('users', 'users.id', 'own_reports.by_user')
    .selectAll('own_reports')
    .select('users.display_name');

const toReport = ({
  display_name,
  ...row
}: RowOf<'own_reports'> & { display_name: string | null }): OwnReport => ({
  disruption: toDisruption(row),
  by: { id: row.by_user, name: display_name ?? DELETED_PERSON },
  note: row.note,
  rev: row.rev,
  ended_at: row.ended_at,
});

/** The report in the form of an incident. Its source is fresh by definition. The typed place is in its title; its
 *  end is not known. */
export function toDisruption(row: RowOf<'own_reports'>): Disruption {
  const facts = JSON.parse(row.facts) as Facts;
  const { place } = facts;
  const isSaid = !place || plainWords(row.title).includes(plainWords(place));
  return {
    event_id: row.event_id,
    source: ownSource(row.team_id),
    severity: row.severity,
    event_type: 'own.report',
    title: isSaid ? row.title : `${place}: ${row.title}`,
    summary_line: row.note,
    collected_at: row.updated_at,
    updated_at: row.updated_at,
    start_time: row.start_time,
    end_time: null,
    latitude: row.latitude,
    longitude: row.longitude,
    metadata: { ...(JSON.parse(row.metadata) as Disruption['metadata']), ask_again_at: row.ask_again_at },
    facts: { ...facts, effect: isSaid ? null : row.title },
  };
}
