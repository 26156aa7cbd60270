/** Teams' responses to incidents. Every query names the team: other teams' responses are treated as unknown. */
import { randomUUID } from 'node:crypto';
import { Severity, severityRank } from '#contract/incidents/severity.ts';
import type { Change } from '#contract/incidents/changes.ts';
import { endedBy } from '#contract/shift/lapses.ts';
import {
  ACTIONS_A_MINUTE,
  DELETED_PERSON,
  type Disposition,
  LOG_MAX,
  type LoggedAction,
  type Person,
  type ResponseAction,
  STRIKE_MS,
  type TeamResponse,
} from '#contract/shift/responses.ts';
import { incidentOf, reportsOf } from '../incidents/list/duplicates.ts';
import { iso, type Instant, minutesBefore } from '../db/instant.ts';
import type { Db } from '../db/open.ts';
import { putRow, rowsWith } from '../db/statements.ts';
import { raiseRevision, RESPONSES_REVISION, takeTurn } from '../db/revisions.ts';
import type { RowOf } from '../db/schema.ts';

/** The person who acted, and the team. */
export interface Actor {
  teamId: string;
  userId: string;
}

/** The effect of an action on the state. */
export type Act =
  | { action: 'acknowledged'; disposition: Disposition }
  | { action: 'snoozed'; until: string; change: boolean; snooze: string }
  | { action: 'woken' }
  | { action: 'reopened' };

export interface Done {
  /** Made by the client; the same action has the same id. */
  id: string;
  eventId: string;
  /** The revision that the actor saw. */
  rev: number;
  /** The severity that the actor saw; null: the present one. */
  severity: Severity | null;
  at: string;
}

export type ActOutcome =
  | { outcome: 'done' }
  /** There is no incident of this id, or it is another team's own report. */
  | { outcome: 'unknown' }
  /** The id was used for something else. */
  | { outcome: 'used' }
  | { outcome: 'busy' }
  | { outcome: 'full' }
  /** Somebody acted earlier, or the incident changed. */
  | {
      outcome: 'stale';
      by: Person | null;
      at: string;
      change: ResponseAction;
      lapsed: RowOf<'responses'>['lapsed'];
    };

/**
 * `busy`: more notes in a minute than a person writes. `full`: the log of this incident has as many lines as it may.
 */
export type NoteOutcome = 'done' | 'unknown' | 'used' | 'late' | 'foreign' | 'busy' | 'full';

export const responses = (db: Db) => ({
  async byEvent(teamId: string, eventId: string): Promise<TeamResponse | undefined> {
    const row = await stateRows(db)
      .where('responses.team_id', '=', teamId)
      .where('responses.event_id', '=', await incidentOf(db, eventId))
      .executeTakeFirst();
    return row && toResponse(row);
  },

  /** Whether the team can act on it. */
  isSubject: async (teamId: string, eventId: string): Promise<boolean> =>
    (await subjectOf(db, teamId, eventId)) !== undefined,

  /** Responses to incidents in force, and responses that changed since `changedAfter`; with `since` only changes
   *  from then on. */
  async ofTeam(
    teamId: string,
    { since, changedAfter }: { since?: string | undefined; changedAfter: Instant },
  ): Promise<{ responses: TeamResponse[]; latest: string | null }> {
    const rows = await stateRows(db)
      .where('responses.team_id', '=', teamId)
      .$if(since !== undefined, (query) =>
        query.where('responses.event_id', 'in', (eb) =>
          eb
            .selectFrom('response_log')
            .select((log) => log.fn.coalesce('response_log.event_id', log.val('')).as('event_id'))
            .where('response_log.team_id', '=', teamId)
            .where('response_log.received_at', '>=', since!),
        ),
      )
      .where((eb) =>
        eb.or([
          eb('responses.changed_at', '>=', iso(changedAfter)),
          eb(
            'responses.event_id',
            'in',
            eb.selectFrom('disruptions').select('disruptions.event_id').where('ended_at', 'is', null),
          ),
          eb(
            'responses.event_id',
            'in',
            eb
              .selectFrom('own_reports')
              .select('own_reports.event_id')
              .where('own_reports.team_id', '=', teamId)
              .where('own_reports.ended_at', 'is', null),
          ),
        ]),
      )
      .orderBy('responses.event_id')
      .execute();
    // The order is the time of arrival, because an action can arrive hours after it was made.
    const { latest } = await db
      .selectFrom('response_log')
      .select((eb) => eb.fn.max('received_at').as('latest'))
      .where('team_id', '=', teamId)
      .executeTakeFirstOrThrow();
    return { responses: rows.map(toResponse), latest };
  },

  /** Actions on an incident, the oldest first; without an incident, all of the team's actions in this span. */
  async log(
    teamId: string,
    of: { eventId: string | null } | { from: Instant; until: Instant },
  ): Promise<LoggedAction[]> {
    const eventIds = 'eventId' in of && of.eventId !== null ? await reportsOf(db, of.eventId) : [];
    const rows = await db
      .selectFrom('response_log')
      .leftJoin('users', 'users.id', 'response_log.user_id')
      .selectAll('response_log')
      .select('users.display_name')
      .where('response_log.team_id', '=', teamId)
      .$if('eventId' in of, (query) =>
        eventIds.length === 0
          ? query.where('response_log.event_id', 'is', null)
          : query.where('response_log.event_id', 'in', eventIds),
      )
      .$if('from' in of, (query) => {
        const { from, until } = of as { from: Instant; until: Instant };
        return query.where('response_log.at', '>=', iso(from)).where('response_log.at', '<', iso(until));
      })
      .orderBy('response_log.at')
      .orderBy('response_log.received_at')
      .orderBy('response_log.id')
      .execute();
    const struck = new Map(
      rows
        .filter(({ action }) => action === 'struck')
        .map(({ detail, at }) => [(JSON.parse(detail) as { note?: string }).note, at]),
    );
    return rows.map((row) => toLogged(row, struck.get(row.id) ?? null));
  },

  /** One line of the log, which must exist. */
  async line(teamId: string, id: string): Promise<LoggedAction> {
    const row = await db
      .selectFrom('response_log')
      .leftJoin('users', 'users.id', 'response_log.user_id')
      .selectAll('response_log')
      .select('users.display_name')
      .where('response_log.id', '=', id)
      .where('response_log.team_id', '=', teamId)
      .executeTakeFirstOrThrow();
    const struck = await db
      .selectFrom('response_log')
      .select('at')
      .where('event_id', row.event_id === null ? 'is' : '=', row.event_id)
      .where('team_id', '=', teamId)
      .where('action', '=', 'struck')
      .where('detail', '=', JSON.stringify({ note: id }))
      .executeTakeFirst();
    return toLogged(row, struck?.at ?? null);
  },

  /** Does it once, and only if the state is still the one that the actor saw. */
  async act({ teamId, userId }: Actor, asked: Done, act: Act, now: Instant): Promise<ActOutcome> {
    const received = iso(now);
    return db.transaction().execute(async (trx) => {
      await takeTurn(trx, RESPONSES_REVISION);
      // On screen may have been any of the incident's reports.
      const done = { ...asked, eventId: await incidentOf(trx, asked.eventId) };
      const before = await loggedBefore(trx, done.id);
      if (before) {
        const isSame =
          before.team_id === teamId && before.user_id === userId && before.event_id === done.eventId;
        return { outcome: isSame && before.action === act.action ? 'done' : 'used' } as const;
      }
      const incident = await subjectOf(trx, teamId, done.eventId);
      if (!incident) return { outcome: 'unknown' } as const;
      const tooMany = await tooManyLines(trx, teamId, done.eventId, received);
      if (tooMany) return { outcome: tooMany } as const;

      const state = await stateRows(trx)
        .where('responses.team_id', '=', teamId)
        .where('responses.event_id', '=', done.eventId)
        .executeTakeFirst();
      if ((state?.rev ?? 0) !== done.rev) {
        return {
          outcome: 'stale',
          by: state ? personOf(state.changed_by, state.changed_name, state.change) : null,
          at: state?.changed_at ?? received,
          change: state?.change ?? 'reopened',
          lapsed: state?.lapsed ?? null,
        } as const;
      }

      await addToLog(trx, {
        id: done.id,
        team_id: teamId,
        event_id: done.eventId,
        at: done.at,
        received,
        user_id: userId,
        action: act.action,
        ...(act.action === 'acknowledged' && { detail: { disposition: act.disposition } }),
        ...(act.action === 'snoozed' && { detail: { snooze: act.snooze, until: act.until } }),
      });
      const seen = done.severity === null ? incident.severity_rank : severityRank(done.severity);
      const row = acted(state ? columnsOf(state) : emptyState(teamId, done.eventId, done.at), act, {
        by: userId,
        at: done.at,
        severity_rank: seen,
        version_seen_at: incident.version_seen_at,
      });
      await write(trx, await judged(trx, row, incident));
      await raiseRevision(trx, RESPONSES_REVISION);
      return { outcome: 'done' } as const;
    });
  },

  /** Adds a note to an incident once; without an incident, the note is for the next shift. */
  async note(
    { teamId, userId }: Actor,
    { id, eventId, text, at }: { id: string; eventId: string | null; text: string; at: string },
    now: Instant,
  ): Promise<NoteOutcome> {
    const line = { id, team_id: teamId, event_id: eventId, at, received: now, user_id: userId, text };
    return addOnce(db, { ...line, action: 'note' }, async (trx) => {
      if (eventId !== null && !(await subjectOf(trx, teamId, eventId))) return 'unknown';
      return tooManyLines(trx, teamId, eventId, iso(now));
    });
  },

  /** Strikes out a note, which only its author can do, soon after it was made. It stays legible. */
  async strike(
    { teamId, userId }: Actor,
    { id, eventId, noteId, at }: { id: string; eventId: string | null; noteId: string; at: string },
    now: Instant,
  ): Promise<NoteOutcome> {
    const of = { team_id: teamId, event_id: eventId };
    const line = { ...of, id, at, received: now, user_id: userId, detail: { note: noteId } };
    return addOnce(db, { ...line, action: 'struck' }, async (trx) => {
      const note = await rowsWith(trx, 'response_log', { ...of, id: noteId, action: 'note' }).first();
      if (!note) return 'unknown';
      if (note.user_id !== userId) return 'foreign';
      // Only the server's clock counts, because a device's clock can be wrong.
      return Date.parse(iso(now)) - Date.parse(note.received_at) > STRIKE_MS ? 'late' : null;
    });
  },

  /** Whether any team has, or had, an incident in hand. */
  async isAny(): Promise<boolean> {
    const one = await db.selectFrom('responses').select('event_id').limit(1).executeTakeFirst();
    return one !== undefined;
  },

  /** Applies these changes to the responses of all teams. Call it in the transaction that moves the cursor. Returns
   *  how many ended. */
  async applyChanges(changes: readonly Change[], now: Instant): Promise<number> {
    let ended = await moveMerged(db, changes);
    const ids = [...new Set(changes.map(subjectAfter))];
    const rows = await rowsWith(db, 'responses', { event_id: ids }).all();
    for (const row of rows) {
      const own = changes.filter((change) => subjectAfter(change) === row.event_id).map(asChange);
      const after = own.reduce((state, change) => afterChange(state, change), row);
      if (after === row) continue;
      await write(db, after);
      await logEnds(db, row, after, now);
      ended++;
    }
    if (ended > 0) await raiseRevision(db, RESPONSES_REVISION);
    return ended;
  },

  /** Deletes the states of incidents that are no longer stored, and the log before then. */
  async prune(before: Instant): Promise<void> {
    await db
      .deleteFrom('responses')
      .where('changed_at', '<', iso(before))
      .where('event_id', 'not in', (eb) =>
        eb
          .selectFrom('disruptions')
          .select('event_id')
          .unionAll(eb.selectFrom('own_reports').select('event_id')),
      )
      .execute();
    await db.deleteFrom('response_log').where('at', '<', iso(before)).execute();
  },
});

const subjectAfter = ({ kind, event_id, other_id }: Change): string =>
  kind === 'merged' && other_id !== null ? other_id : event_id;

/** A report that becomes part of a graver incident counts as having got worse. */
const asChange = (change: Change): Change => {
  const { kind, severity_from, severity_to } = change;
  if (kind !== 'merged') return change;
  const isWorse = severity_from !== null && severityRank(severity_to) < severityRank(severity_from);
  return { ...change, kind: isWorse ? 'worse' : 'changed' };
};

/** A team's response to a report goes on with the incident of which the report becomes a part, unless the team
 *  already has a response to that incident. */
async function moveMerged(trx: Db, changes: readonly Change[]): Promise<number> {
  let moved = 0;
  for (const { kind, event_id, other_id } of changes) {
    if (kind !== 'merged' || other_id === null) continue;
    const rows = await trx
      .updateTable('responses')
      .set({ event_id: other_id })
      .where('event_id', '=', event_id)
      .where('team_id', 'not in', (eb) =>
        eb.selectFrom('responses as r').select('r.team_id').where('r.event_id', '=', other_id),
      )
      .returning('team_id')
      .execute();
    moved += rows.length;
  }
  return moved;
}

/** Ends the responses that a change of a team's own report ends. Call it in the transaction of the change. */
export async function endReported(
  trx: Db,
  change: Known & Pick<Change, 'event_id'>,
  now: Instant,
): Promise<void> {
  const row = await rowsWith(trx, 'responses', { event_id: change.event_id }).first();
  const after = row && afterChange(row, change);
  if (!after || after === row) return;
  await write(trx, after);
  await logEnds(trx, row, after, now);
}

type Line = Pick<RowOf<'response_log'>, 'team_id' | 'event_id' | 'at' | 'user_id' | 'action'> & {
  received: Instant;
  /** Given for lines that a client makes. */
  id?: string;
  text?: string;
  detail?: object;
};

const toRow = ({ received, detail = {}, ...line }: Line): RowOf<'response_log'> => ({
  id: randomUUID(),
  text: '',
  ...line,
  received_at: iso(received),
  detail: JSON.stringify(detail),
});

/** Adds a line. Call it in the transaction of the action that the line records. */
export async function addToLog(trx: Db, line: Line): Promise<void> {
  await trx.insertInto('response_log').values(toRow(line)).execute();
}

/** Adds a line once, unless it is refused. `used`: its id belongs to another line. */
async function addOnce<Refusal extends string>(
  db: Db,
  line: Line & { id: string },
  refusal: (trx: Db) => Promise<Refusal | null>,
): Promise<'done' | 'used' | Refusal> {
  return db.transaction().execute(async (trx) => {
    await takeTurn(trx, RESPONSES_REVISION);
    const before = await loggedBefore(trx, line.id);
    if (before) {
      const { at: _, received_at: __, ...same } = toRow(line);
      return Object.entries(same).every(([name, value]) => before[name as keyof typeof same] === value)
        ? 'done'
        : 'used';
    }
    const refused = await refusal(trx);
    if (refused) return refused;
    await addToLog(trx, line);
    await raiseRevision(trx, RESPONSES_REVISION);
    return 'done';
  });
}

/** The line with this id, of any team: ids are random, and only a client that made one can ask for it. */
export const loggedBefore = (trx: Db, id: string) =>
  trx.selectFrom('response_log').selectAll().where('id', '=', id).executeTakeFirst();

/** The reason why the team's log of this incident takes no line now, or ever again; null: it takes one. */
async function tooManyLines(
  trx: Db,
  teamId: string,
  eventId: string | null,
  now: string,
): Promise<'busy' | 'full' | null> {
  const lines = (max: number, since: string | null) =>
    trx
      .selectFrom('response_log')
      .select('received_at')
      .where('event_id', eventId === null ? 'is' : '=', eventId)
      .where('team_id', '=', teamId)
      .$if(since !== null, (query) => query.where('received_at', '>', since!))
      .limit(max)
      .execute();
  if ((await lines(ACTIONS_A_MINUTE, minutesBefore(now, 1))).length === ACTIONS_A_MINUTE) return 'busy';
  const since = eventId === null ? minutesBefore(now, 24 * 60) : null;
  return (await lines(LOG_MAX, since)).length === LOG_MAX ? 'full' : null;
}

interface Subject {
  severity_rank: number;
  version_seen_at: string | null;
}

/** The incident on which a team can act: an incident of a source, in force or not, or the team's own report. */
async function subjectOf(trx: Db, teamId: string, eventId: string): Promise<Subject | undefined> {
  const own = await trx
    .selectFrom('own_reports')
    .select(['severity_rank', 'updated_at as version_seen_at'])
    .where('event_id', '=', eventId)
    .where('team_id', '=', teamId)
    .executeTakeFirst();
  const published = await rowsWith(trx, 'disruptions', { event_id: eventId, kind: 'alert' }).first(
    'severity_rank',
    'version_seen_at',
  );
  return own ?? published;
}

const emptyState = (team_id: string, event_id: string, at: string): RowOf<'responses'> => ({
  team_id,
  event_id,
  disposition: null,
  by_user: null,
  at,
  severity_rank: 0,
  version_seen_at: null,
  lapsed: null,
  lapsed_at: null,
  snooze_until: null,
  snooze_change: 0,
  snoozed_by: null,
  snoozed_at: null,
  changed_by: null,
  changed_at: at,
  change: 'reopened',
  rev: 0,
});

const NOT_SNOOZED = { snooze_until: null, snooze_change: 0, snoozed_by: null, snoozed_at: null };
const NOT_LAPSED = { lapsed: null, lapsed_at: null };

function acted(
  state: RowOf<'responses'>,
  act: Act,
  { by, at, ...seen }: { by: string; at: string; severity_rank: number; version_seen_at: string | null },
): RowOf<'responses'> {
  const next = { ...state, ...seen, changed_by: by, changed_at: at, change: act.action, rev: state.rev + 1 };
  switch (act.action) {
    case 'acknowledged':
      return { ...next, ...NOT_LAPSED, disposition: act.disposition, by_user: by, at };
    case 'snoozed':
      return {
        ...next,
        snooze_until: act.until,
        snooze_change: act.change ? 1 : 0,
        snoozed_by: by,
        snoozed_at: at,
      };
    case 'woken':
      return { ...next, ...NOT_SNOOZED };
    case 'reopened':
      return { ...next, ...NOT_LAPSED, ...NOT_SNOOZED, disposition: null, by_user: null };
  }
}

/** The action, after everything that happened to the incident since the action was made: its device may have been
 *  offline for hours. */
async function judged(trx: Db, row: RowOf<'responses'>, incident: Subject): Promise<RowOf<'responses'>> {
  const changes: Known[] = await trx
    .selectFrom('changes')
    .select(['kind', 'severity_to', 'at'])
    .where('event_id', '=', row.event_id)
    .where('at', '>', row.changed_at)
    .orderBy('batch')
    .orderBy('n')
    .execute();
  // The person acted a moment after it got worse, and saw the lower severity.
  if (incident.severity_rank < row.severity_rank) {
    const severity_to = Severity.options[incident.severity_rank]!;
    changes.unshift({ kind: 'worse', severity_to, at: row.changed_at });
  }
  return changes.reduce((state, change) => ({ ...state, ...endsOf(state, change) }), row);
}

type Known = Pick<Change, 'kind' | 'severity_to' | 'at'>;

/** The parts of the state that this change ends; null: none. */
function endsOf(state: RowOf<'responses'>, change: Known): Partial<RowOf<'responses'>> | null {
  const { lapse, returns } = endedBy(state, change);
  if (lapse === null && !returns) return null;
  return { ...(lapse && { lapsed: lapse, lapsed_at: change.at }), ...(returns && NOT_SNOOZED) };
}

function afterChange(state: RowOf<'responses'>, change: Known): RowOf<'responses'> {
  const ends = endsOf(state, change);
  if (ends === null) return state;
  return {
    ...state,
    ...ends,
    changed_by: null,
    changed_at: change.at,
    change: ends.lapsed ? 'lapsed' : 'returned',
    rev: state.rev + 1,
  };
}

async function logEnds(
  trx: Db,
  before: RowOf<'responses'>,
  after: RowOf<'responses'>,
  now: Instant,
): Promise<void> {
  const { team_id, event_id, changed_at: at, lapsed } = after;
  const line = { team_id, event_id, at, received: now, user_id: null };
  if (lapsed !== before.lapsed) await addToLog(trx, { ...line, action: 'lapsed', detail: { kind: lapsed } });
  if (before.snooze_until !== null && after.snooze_until === null)
    await addToLog(trx, { ...line, action: 'returned' });
}

async function write(trx: Db, row: RowOf<'responses'>): Promise<void> {
  await putRow(trx, 'responses', row, ['team_id', 'event_id']);
}

const stateRows = (db: Db) =>
  db
    .selectFrom('responses')
    .leftJoin('users as acknowledger', 'acknowledger.id', 'responses.by_user')
    .leftJoin('users as snoozer', 'snoozer.id', 'responses.snoozed_by')
    .leftJoin('users as changer', 'changer.id', 'responses.changed_by')
    .selectAll('responses')
    .select([
      'acknowledger.display_name as by_name',
      'snoozer.display_name as snoozed_name',
      'changer.display_name as changed_name',
    ]);

interface StateRow extends RowOf<'responses'> {
  by_name: string | null;
  snoozed_name: string | null;
  changed_name: string | null;
}

const columnsOf = ({
  by_name: _,
  snoozed_name: __,
  changed_name: ___,
  ...row
}: StateRow): RowOf<'responses'> => row;

export const toPerson = (id: string | null, name: string | null): Person =>
  id === null ? { id, name: DELETED_PERSON } : { id, name: name ?? DELETED_PERSON };

/** Actions that follow from a change or from the time have no person. */
const BY_NOBODY: ReadonlySet<ResponseAction> = new Set(['lapsed', 'returned']);

const personOf = (id: string | null, name: string | null, action: ResponseAction): Person | null =>
  BY_NOBODY.has(action) ? null : toPerson(id, name);

function toResponse(row: StateRow): TeamResponse {
  const isAnswered = row.disposition !== null;
  return {
    event_id: row.event_id,
    rev: row.rev,
    disposition: row.disposition,
    by: isAnswered ? toPerson(row.by_user, row.by_name) : null,
    at: isAnswered ? row.at : null,
    lapsed: row.lapsed,
    lapsed_at: row.lapsed_at,
    snooze:
      row.snooze_until === null
        ? null
        : {
            until: row.snooze_until,
            change: row.snooze_change === 1,
            by: toPerson(row.snoozed_by, row.snoozed_name),
            at: row.snoozed_at,
            critical: row.severity_rank === 0,
          },
  };
}

function toLogged(
  row: RowOf<'response_log'> & { display_name: string | null },
  struck_at: string | null,
): LoggedAction {
  const detail = JSON.parse(row.detail) as Record<string, unknown>;
  const isByTime = row.action === 'report.ended' && detail['by'] === 'time';
  return {
    id: row.id,
    event_id: row.event_id,
    at: row.at,
    received_at: row.received_at,
    by: isByTime ? null : personOf(row.user_id, row.display_name, row.action),
    action: row.action,
    text: row.text,
    detail,
    struck_at,
  };
}
