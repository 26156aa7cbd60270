/** Server-sent events for programs: how the incidents of a filter begin, change and end, and which sources fall
 *  silent. The last 1,000 changes are kept in memory; with Last-Event-ID a client gets the changes that it missed.
 *  After a start these are read from the change log, so that a restart loses nothing. */
import type { FastifyReply } from 'fastify';
import type { Change } from '#contract/incidents/changes.ts';
import type { ListedDisruption } from '#contract/incidents/disruptions.ts';
import { Severity } from '#contract/incidents/severity.ts';
import { FORMAT_LIMITS } from '#contract/watches/formats.ts';
import { isWatching } from '#contract/watches/whenWatched.ts';
import { changesSince, newestChanges } from '../../db/changeLog.ts';
import { collections } from '../../incidents/collectionState.ts';
import { cursors } from '../../db/cursors.ts';
import { type DisruptionQuery, matchedWith } from '../../incidents/list/disruptionFilter.ts';
import { filtered } from '../../incidents/list/filteredDisruptions.ts';
import { MATCHER } from '../../watches/matching/matchStore.ts';
import type { Config } from '../../config.ts';
import type { Db } from '../../db/open.ts';
import { revision } from '../../db/revisions.ts';
import { conditionsAt } from '../../feeds/sourceCondition.ts';
import type { Collector } from '../../incidents/collector.ts';
import { tooMany, unavailable } from '../../refusals.ts';
import { type Asked, attributionOf, silentOf } from './formatScope.ts';
import type { Conditions } from './formatConditions.ts';
import { nameOf } from './formatWords.ts';

/** The number of changes that can be sent again. */
export const RING = 1000;
const BEAT_MS = 20_000;
/** The time within which a change is seen that this node or another has written. */
const LOOK_MS = 500;
const SOURCES_MS = 5000;
/** The most characters that a client may leave unread. Beyond that its stream ends, and the client begins again at
 *  the same place. */
const WAITING_MAX = 1024 * 1024;
const READ_AT_ONCE = 500;

const TOO_MANY = `Only ${FORMAT_LIMITS.streamsPerCaller} streams at a time. Close one first.`;
const TEAM_FULL = `Your team has ${FORMAT_LIMITS.streamsPerTeam} streams open. Close one first.`;
const FULL = 'All streams of this server are taken. Try again in a minute.';

interface Parts {
  db: Db;
  config: Pick<Config, 'teams'>;
  collectors: readonly Collector[];
  now: () => Date;
}

export interface StreamAsked {
  conditions: Conditions;
  asked: Asked;
  /** Streams of the same caller are counted together. */
  caller: string;
  teamId: string;
  /** Whether this caller may still read its open stream. */
  mayStill(): Promise<boolean>;
}

interface Client extends StreamAsked {
  reply: FastifyReply;
  /** Equal for filters with the same result. */
  key: string;
  /** The last batch that the client has in full. */
  batch: number;
  /**
   * Up to this batch the client gets changes that an earlier stream missed: it is unknown how much that stream sent.
   */
  missedUntil: number;
  /** Whether its route, area or feeds were in their hours at the last look. */
  isWatching: boolean;
  /** Characters that the client has not read yet. */
  waiting: number;
  sent: Promise<void>;
}

/** A change as it is sent. */
interface Kept extends Change {
  disruption: ListedDisruption | null;
  isUnrated: boolean;
}

/** Changes for the clients that have one filter, and the incidents that the filter lets through after them. */
interface Plan {
  changes: { change: Kept; data: string }[];
  inside: ReadonlySet<string>;
  outside: readonly string[];
}

export type Streams = ReturnType<typeof streams>;

export function streams({ db, config, collectors, now }: Parts) {
  const clients = new Set<Client>();
  /** The incidents that the clients of a filter have in their lists, by the filter's key while it has clients: if a
   *  change takes an incident out of the filter, it is sent to them. One id too many costs a needless change; a
   *  missing id would leave an incident in a client's list for ever. */
  const told = new Map<string, Set<string>>();
  /** The streams that are open or being opened. */
  const open = new Set<Pick<StreamAsked, 'caller' | 'teamId'>>();
  let ring: Kept[] = [];
  /** The ring's newest batch; undefined: not read yet. */
  let newest: number | undefined;
  let silent = new Map<string, { since: string | null }>();
  let timers: NodeJS.Timeout[] = [];
  let looking = Promise.resolve();

  async function toKept(changes: readonly Change[]): Promise<Kept[]> {
    const incidents = await filtered(db).some([...new Set(changes.map(incidentAfter))]);
    return changes.map((change) => {
      const disruption = incidents.get(incidentAfter(change)) ?? null;
      return {
        ...change,
        disruption,
        isUnrated: disruption?.metadata.severity_unrated === true,
      };
    });
  }

  /** Reads changes that were written since then into the ring. */
  async function readOn(): Promise<void> {
    if (newest === undefined) {
      const { batch } = await changesSince(db, undefined, 1);
      ring = await toKept(await newestChanges(db, batch, RING));
      newest = batch;
    }
    for (;;) {
      const present = await revision(db, 'changes');
      if (present === newest) return;
      const { changes, batch, complete } = await changesSince(db, newest, READ_AT_ONCE);
      // The log has a gap, or the database is older than the one read before: every client begins again.
      if (!complete) {
        const begin = await revision(db, 'changes');
        const lists = new Map<string, Set<string>>();
        for (const { key, asked } of clients)
          if (!lists.has(key)) lists.set(key, new Set(await presentOf(asked)));
        ring = [];
        newest = begin;
        for (const [key, ids] of lists) if (told.has(key)) told.set(key, ids);
        for (const client of clients) resync(client, begin);
        return;
      }
      ring = [...ring, ...(await toKept(changes))].slice(-RING);
      newest = batch;
      if (changes.length === 0) return;
    }
  }

  const presentOf = async ({ whenever, when }: Asked): Promise<string[]> =>
    isWatching(when, now()) ? filtered(db).allMatching(whenever) : [];

  /** When hours begin or end the list is read again, because it holds other incidents. */
  async function keepHours(client: Client): Promise<void> {
    const present = isWatching(client.asked.when, now());
    if (present === client.isWatching) return;
    client.isWatching = present;
    const begin = newest ?? client.batch;
    told.set(client.key, new Set(await presentOf(client.asked)));
    resync(client, begin);
  }

  /** Sends every client the changes that it does not have yet. */
  async function deliver(): Promise<void> {
    const plans = new Map<string, Plan>();
    const matched = await cursors(db).batch(MATCHER);
    const outside = new Map<string, Set<string>>();
    const inside = new Map<string, Set<string>>();
    for (const client of clients) {
      const { asked, key } = client;
      await keepHours(client);
      const until = reachOf(asked, matched);
      if (until <= client.batch) continue;
      if (!client.isWatching) {
        client.batch = until;
        continue;
      }
      const memo = `${client.batch} ${client.missedUntil} ${until} ${key}`;
      let plan = plans.get(memo);
      if (!plan) {
        plan = await planOf(client, until);
        plans.set(memo, plan);
        outside.set(key, new Set([...(outside.get(key) ?? []), ...plan.outside]));
        inside.set(key, new Set([...(inside.get(key) ?? []), ...plan.inside]));
        for (const id of plan.inside) told.get(key)?.add(id);
      }
      // Checked each time before something is sent: a caller whose access was revoked gets nothing more.
      if (plan.changes.length > 0 && !(await client.mayStill())) {
        end(client);
        continue;
      }
      for (const [at, { change, data }] of plan.changes.entries()) {
        const isLast = plan.changes[at + 1]?.change.batch !== change.batch;
        send(client, {
          // A client has a batch only when it has all of it.
          ...(isLast && { id: String(change.batch) }),
          event: `disruption.${change.kind}`,
          data,
        });
      }
      client.batch = until;
      if (until >= client.missedUntil) client.missedUntil = 0;
    }
    // Kept only when everything was sent: if a run fails half-way, every client of the filter is still told that an
    // incident left it.
    for (const [key, ids] of outside)
      for (const id of ids) if (!inside.get(key)!.has(id)) told.get(key)?.delete(id);
  }

  /** The last batch for which the filter can be decided: the matches with routes follow the changes a little later. */
  const reachOf = ({ whenever }: Asked, matched: number): number =>
    matchedWith(whenever) ? Math.min(matched, newest ?? 0) : (newest ?? 0);

  async function planOf(
    { asked, conditions, key, batch, missedUntil }: Client,
    until: number,
  ): Promise<Plan> {
    const missing = ring.filter((one) => one.batch > batch && one.batch <= until);
    const ids = [...new Set(missing.flatMap((one) => [one.event_id, incidentAfter(one)]))];
    const through = await everMatching(db, asked.whenever, ids);
    const inside = await filtered(db).listed(asked.whenever, [...through]);
    const known = new Set(told.get(key));
    const begun = new Set<string>();
    const changes: Plan['changes'] = [];
    for (const change of missing) {
      const { event_id, kind } = change;
      const incident = incidentAfter(change);
      if (kind === 'began' || kind === 'split') begun.add(event_id);
      const isLetThrough = (through.has(event_id) || through.has(incident)) && isWanted(change, conditions);
      const mayBeKnown = known.has(event_id) || (change.batch <= missedUntil && !begun.has(event_id));
      if (!isLetThrough && !inside.has(incident) && !mayBeKnown) continue;
      const isShown = isLetThrough || inside.has(incident) || known.has(event_id);
      changes.push({
        change,
        data: JSON.stringify(dataOf(change, isShown ? change.disruption : null, inside.has(incident))),
      });
      if (!inside.has(event_id)) known.delete(event_id);
      if (inside.has(incident)) known.add(incident);
    }
    return { changes, inside, outside: ids.filter((id) => !inside.has(id)) };
  }

  async function lookOnce(): Promise<void> {
    try {
      await readOn();
      await deliver();
    } catch {
      // The database could not be read: the next run tries again.
    }
  }

  /** One at a time. */
  const look = (): Promise<void> => (looking = looking.then(lookOnce));

  async function lookAtSources(): Promise<void> {
    const conditionOf = conditionsAt(await collections(db).all(), collectors, now());
    const present = silentOf(
      collectors.map(({ source }) => source),
      conditionOf,
    );
    const before = silent;
    silent = new Map(present.map(({ source, since }) => [source, { since }]));
    for (const { source, since } of present) if (!before.has(source)) tellOf(source, 'source.stale', since);
    for (const source of before.keys())
      if (!silent.has(source)) tellOf(source, 'source.fresh', conditionOf(source).last_collected);
  }

  function tellOf(source: string, event: 'source.stale' | 'source.fresh', since: string | null): void {
    const data = JSON.stringify({
      type: event,
      source,
      name: nameOf(source),
      since,
      at: now().toISOString(),
    });
    for (const client of clients) if (client.asked.sources.includes(source)) send(client, { event, data });
  }

  async function beat(): Promise<void> {
    const at = now().toISOString();
    for (const client of clients) {
      send(client, {
        id: String(client.batch),
        event: 'beat',
        data: JSON.stringify({ type: 'beat', batch: client.batch, at }),
      });
      if (!(await client.mayStill().catch(() => true))) end(client);
    }
  }

  function send(client: Client, message: { id?: string; event: string; data: string }): void {
    const { sse, raw } = client.reply;
    const size = message.data.length;
    if (client.waiting > 0 && client.waiting + size > WAITING_MAX) {
      raw.destroy();
      return;
    }
    client.waiting += size;
    client.sent = client.sent
      .then(() => sse.send(message))
      .catch(() => {}) // it has gone
      .then(() => void (client.waiting -= size));
  }

  function resync(client: Client, batch: number): void {
    client.batch = batch;
    const data = JSON.stringify({ type: 'resync', batch });
    send(client, { id: String(batch), event: 'resync', data });
  }

  const end = ({ reply }: Client) => reply.sse.close();

  function start(): void {
    if (timers.length > 0) return;
    timers = [
      setInterval(() => void look(), LOOK_MS),
      setInterval(() => void lookAtSources().catch(() => {}), SOURCES_MS),
      setInterval(() => void beat(), BEAT_MS),
    ];
    for (const timer of timers) timer.unref();
  }

  return {
    /** The number of open streams. */
    count: () => clients.size,

    /** Takes over the reply. Refuses with 429 or 503 before anything is sent. */
    async open(reply: FastifyReply, asked: StreamAsked): Promise<void> {
      const { sse } = reply;
      // The client left while its filter was checked.
      if (!sse.isConnected) return;
      const count = (same: 'caller' | 'teamId') =>
        [...open].filter((one) => one[same] === asked[same]).length;
      if (count('caller') >= FORMAT_LIMITS.streamsPerCaller) throw tooMany(TOO_MANY, 60);
      if (config.teams === 'many' && count('teamId') >= FORMAT_LIMITS.streamsPerTeam)
        throw tooMany(TEAM_FULL, 60);
      if (open.size >= FORMAT_LIMITS.streamsPerNode) throw unavailable(FULL, 60);
      const place = { caller: asked.caller, teamId: asked.teamId };
      open.add(place);
      sse.onClose(() => void open.delete(place));
      const { touching, watched } = asked.asked.whenever;
      const key = JSON.stringify([asked.conditions, touching, watched, asked.asked.when]);
      await look();
      if (clients.size === 0) await lookAtSources();
      const matched = await cursors(db).batch(MATCHER);
      // The position is taken before the list is read, so that no change between the two is lost.
      const begin = Math.max(reachOf(asked.asked, matched), (ring[0]?.batch ?? (newest ?? 0) + 1) - 1);
      const present = await presentOf(asked.asked);
      if (!sse.isConnected) return;
      const client: Client = {
        ...asked,
        reply,
        key,
        batch: begin,
        missedUntil: 0,
        isWatching: isWatching(asked.asked.when, now()),
        waiting: 0,
        sent: Promise.resolve(),
      };
      sse.keepAlive();
      sse.onClose(() => {
        clients.delete(client);
        if (![...clients].some((one) => one.key === key)) told.delete(key);
        if (clients.size > 0) return;
        for (const timer of timers) clearInterval(timer);
        timers = [];
      });
      const last = sse.lastEventId;
      const known = last === null ? undefined : Number(last);
      const isKept =
        known !== undefined &&
        Number.isSafeInteger(known) &&
        known <= client.batch &&
        (known === client.batch || (ring[0]?.batch ?? Infinity) <= known + 1);
      const said = asked.asked.sources
        .filter((source) => silent.has(source))
        .map((source) => ({ source, name: nameOf(source), since: silent.get(source)!.since }));
      send(client, {
        ...(known === undefined && { id: String(client.batch) }),
        event: 'hello',
        data: JSON.stringify({
          type: 'hello',
          batch: client.batch,
          at: now().toISOString(),
          complete: said.length === 0,
          silent: said,
          attribution: asked.asked.sources.map((source) => ({ source, text: attributionOf(source) })),
        }),
      });
      told.set(key, new Set([...(told.get(key) ?? []), ...present]));
      clients.add(client);
      start();
      if (known === undefined) return;
      if (isKept) {
        client.missedUntil = client.batch;
        client.batch = known;
        await look();
      } else resync(client, client.batch);
    },

    /** Ends all streams: their programs begin again at another node, or here after the start. */
    stop(): void {
      for (const client of clients) end(client);
    },
  };
}

/** The incident that a change is about: for a report that has become part of another incident, that other incident. */
export const incidentAfter = ({ kind, event_id, other_id }: Change): string =>
  kind === 'merged' && other_id !== null ? other_id : event_id;

/** The ids among these, in force or ended, that match in all conditions that a change does not alter. Severity and
 *  phase are checked for each change. */
async function everMatching(
  db: Db,
  query: DisruptionQuery,
  eventIds: readonly string[],
): Promise<Set<string>> {
  if (eventIds.length === 0) return new Set();
  const { state: _, phase: __, severity: ___, min_severity: ____, watched, ...lasting } = query;
  const anyGrade = watched && {
    ...watched,
    which: { ...watched.which, min_severity: 'low' as const, unrated: true, phase: null },
  };
  return filtered(db).matching(
    {
      ...lasting,
      ...(anyGrade && { watched: anyGrade }),
      hide_unrated: null,
      ended_since: null,
      since: null,
      changed_since: null,
    },
    eventIds,
  );
}

function dataOf(
  { disruption: _, isUnrated: __, ...change }: Kept,
  disruption: ListedDisruption | null,
  isInside: boolean,
): object {
  const { kind, source } = change;
  return {
    type: `disruption.${kind}`,
    ...change,
    source_name: nameOf(source),
    attribution: attributionOf(source),
    /** Whether the incident is in the filter's list now. */
    in_filter: isInside,
    /** The incident in its state when the change is read; null: it is no longer kept, or perhaps was never in the
     *  filter. */
    disruption,
  };
}

/** Whether the filter's severity and phase let it through, in its former or its present state. */
function isWanted(
  { kind, severity_from, severity_to, phase_to, isUnrated }: Kept,
  { severity, min_severity, hide_unrated, phase, state }: Conditions,
): boolean {
  const phases = kind === 'started' ? ['planned', 'active'] : [phase_to];
  const asked = [phase, state].flatMap((one) => one?.toLowerCase() ?? []).filter((one) => one !== 'ended');
  if (asked.some((one) => !phases.includes(one as 'active'))) return false;
  if (isUnrated && hide_unrated) return false;

  const levels = [severity_from, severity_to].filter((level) => level !== null);
  const isAmong = !severity || levels.some((level) => severity.includes(level));
  const worst = Math.min(...levels.map((level) => Severity.options.indexOf(level)));
  const least = min_severity ? Severity.options.indexOf(min_severity.toLowerCase() as Severity) : Infinity;
  return isAmong && (isUnrated || worst <= least);
}
