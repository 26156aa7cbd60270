/**
 * Server-sent events for programs: how the incidents of a filter begin, change and end, and which sources fall silent.
 * The last 1,000 changes are kept in memory; with Last-Event-ID what was missed comes again. After a start they are read
 * from the change log, so a restart loses nothing.
 */
import type { FastifyReply } from 'fastify';
import type { Change } from '#contract/changes.ts';
import { type ListedDisruption, Severity } from '#contract/disruptions.ts';
import { FILTER_LIMITS } from '#contract/filters.ts';
import { changesSince, newestChanges } from '../db/changes.ts';
import { collections } from '../db/collections.ts';
import { cursors } from '../db/cursors.ts';
import type { DisruptionQuery } from '../db/disruptionFilter.ts';
import { filtered } from '../db/filtered.ts';
import { MATCHER } from '../db/matches.ts';
import type { Db } from '../db/open.ts';
import { revision } from '../db/revisions.ts';
import { conditionsAt } from '../feeds/freshness.ts';
import type { Collector } from '../incidents/collector.ts';
import { tooMany, unavailable } from '../refusals.ts';
import { type Asked, attributionOf, silentOf } from './asked.ts';
import type { Conditions } from './conditions.ts';
import { nameOf } from './words.ts';

/** Changes that can be sent again. */
export const RING = 1000;
const BEAT_MS = 20_000;
/** How soon a change is seen that another node, or this one, has written. */
const LOOK_MS = 500;
const SOURCES_MS = 5000;
/** Characters that a client has not taken: beyond, it is cut off, and begins again where it was. */
const WAITING_MAX = 1024 * 1024;
const READ_AT_ONCE = 500;

const TOO_MANY = `Only ${FILTER_LIMITS.streamsPerCaller} streams at a time. Close one first.`;
const FULL = 'All streams of this server are taken. Try again in a minute.';

interface Parts {
  db: Db;
  collectors: readonly Collector[];
  now: () => Date;
}

export interface StreamAsked {
  conditions: Conditions;
  asked: Asked;
  /** Whose streams are counted together. */
  caller: string;
  /** Whether this caller may still read it, as it was when the stream began. */
  mayStill(): Promise<boolean>;
}

interface Client extends StreamAsked {
  reply: FastifyReply;
  /** Equal for filters that let the same through. */
  key: string;
  /** The last batch of which it has everything. */
  batch: number;
  /** Characters that it has not taken yet. */
  waiting: number;
  sent: Promise<void>;
}

/** A change as it is sent. */
interface Kept extends Change {
  data: string;
  isUnrated: boolean;
}

export type Streams = ReturnType<typeof streams>;

export function streams({ db, collectors, now }: Parts) {
  const clients = new Set<Client>();
  const open = new Map<string, number>();
  let ring: Kept[] = [];
  /** Of the ring; undefined: not read yet. */
  let newest: number | undefined;
  let silent = new Map<string, { since: string | null }>();
  let timers: NodeJS.Timeout[] = [];
  let looking = Promise.resolve();

  async function toKept(changes: readonly Change[]): Promise<Kept[]> {
    const incidents = await filtered(db).some([...new Set(changes.map(({ event_id }) => event_id))]);
    return changes.map((change) => {
      const disruption = incidents.get(change.event_id) ?? null;
      return {
        ...change,
        data: JSON.stringify(dataOf(change, disruption)),
        isUnrated: disruption?.metadata.severity_unrated === true,
      };
    });
  }

  /** Reads what was written since into the ring. */
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
      // An older database than the one that was read: everybody must begin again.
      if (!complete || present < newest) {
        ring = [];
        newest = await revision(db, 'changes');
        for (const client of clients) resync(client);
        return;
      }
      ring = [...ring, ...(await toKept(changes))].slice(-RING);
      newest = batch;
      if (changes.length === 0) return;
    }
  }

  /** Sends every client what it does not have. Matches with routes are known a little later than the changes. */
  async function deliver(): Promise<void> {
    const matched = await cursors(db).batch(MATCHER);
    const through = new Map<string, Set<string>>();
    for (const client of clients) {
      const { asked, key } = client;
      const until = asked.query.touching ? Math.min(matched, newest!) : newest!;
      if (until <= client.batch) continue;
      const missing = ring.filter(({ batch }) => batch > client.batch && batch <= until);
      const memo = `${client.batch} ${until} ${key}`;
      const ids = through.get(memo) ?? (await matchingOf(asked, missing));
      through.set(memo, ids);
      const wanted = missing.filter(
        (change) => ids.has(change.event_id) && isWanted(change, client.conditions),
      );
      // Not only at each beat: what was revoked gets nothing more.
      if (wanted.length > 0 && !(await client.mayStill())) {
        end(client);
        continue;
      }
      for (const [at, change] of wanted.entries()) {
        const isLast = wanted[at + 1]?.batch !== change.batch;
        send(client, {
          // One batch is had only with all of it.
          ...(isLast && { id: String(change.batch) }),
          event: `disruption.${change.kind}`,
          data: change.data,
        });
      }
      client.batch = until;
    }
  }

  const matchingOf = ({ query }: Asked, changes: readonly Kept[]): Promise<Set<string>> =>
    everMatching(db, query, [...new Set(changes.map(({ event_id }) => event_id))]);

  async function lookOnce(): Promise<void> {
    try {
      await readOn();
      await deliver();
    } catch {
      // The database cannot be read: the next look tries again.
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

  function resync(client: Client): void {
    client.batch = newest!;
    const data = JSON.stringify({ type: 'resync', batch: newest });
    send(client, { id: String(newest), event: 'resync', data });
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

  function leave(client: Pick<Client, 'caller'>): void {
    const left = (open.get(client.caller) ?? 1) - 1;
    if (left > 0) open.set(client.caller, left);
    else open.delete(client.caller);
  }

  return {
    /** How many there are. */
    count: () => clients.size,

    /** Takes over the reply. Refuses with 429 or 503 before anything is sent. */
    async open(reply: FastifyReply, asked: StreamAsked): Promise<void> {
      const { sse } = reply;
      // Gone while its filter was looked at.
      if (!sse.isConnected) return;
      const mine = open.get(asked.caller) ?? 0;
      if (mine >= FILTER_LIMITS.streamsPerCaller) throw tooMany(TOO_MANY, 60);
      if ([...open.values()].reduce((sum, one) => sum + one, 0) >= FILTER_LIMITS.streamsPerNode)
        throw unavailable(FULL, 60);
      open.set(asked.caller, mine + 1);
      let isOver = false;
      const over = () => {
        if (isOver) return;
        isOver = true;
        leave(asked);
      };
      sse.onClose(over);
      try {
        await look();
        if (clients.size === 0) await lookAtSources();
      } catch (error) {
        over();
        throw error;
      }
      if (!sse.isConnected) return;
      const client: Client = {
        ...asked,
        reply,
        key: JSON.stringify([asked.conditions, asked.asked.query.touching]),
        batch: newest ?? 0,
        waiting: 0,
        sent: Promise.resolve(),
      };
      sse.keepAlive();
      sse.onClose(() => {
        clients.delete(client);
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
      clients.add(client);
      start();
      if (known === undefined) return;
      if (isKept) {
        client.batch = known;
        await look();
      } else resync(client);
    },

    /** Ends them all: their programs begin again elsewhere, or here after the start. */
    stop(): void {
      for (const client of clients) end(client);
    },
  };
}

/** Those of these ids that match but for what a change can change, in force or ended: severity and phase are looked at
 *  change by change. */
export async function everMatching(
  db: Db,
  query: DisruptionQuery,
  eventIds: readonly string[],
): Promise<Set<string>> {
  if (eventIds.length === 0) return new Set();
  const { state: _, phase: __, severity: ___, min_severity: ____, ...lasting } = query;
  return filtered(db).matching(
    { ...lasting, hide_unrated: null, ended_since: null, since: null, changed_since: null },
    eventIds,
  );
}

function dataOf(change: Change, disruption: ListedDisruption | null): object {
  const { kind, source } = change;
  return {
    type: `disruption.${kind}`,
    ...change,
    source_name: nameOf(source),
    attribution: attributionOf(source),
    /** As it is when the change is read; null: no longer kept. */
    disruption,
  };
}

/** Whether the filter's severity and phase let it through as it was or as it is. */
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
