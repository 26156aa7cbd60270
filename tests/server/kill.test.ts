/** Pulling the plug: the real server, its real file, and kill -9 in the middle of collecting, of use and of a
 *  backup. */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { DisruptionPage } from '../../contract/incidents/disruptions.ts';
import type { z } from 'zod';
import { restoreBackup } from '../../server/operate/backup/backup.ts';
import { DATABASE_FILE } from '../../server/db/open.ts';
import { startReplay, type Replay } from '../../server/operate/replay.ts';
import { ADMIN, COMPILED, prepareServer, type RunningServer } from '../support/server.ts';
import { amount } from '../support/long.ts';

/** `npm run bench -- kills` does it a hundred times. */
const KILLS = amount('KILLS', { whole: 100, part: 2 });
const LIMIT_MS = 60_000 + KILLS * 30_000;
const root = new URL('../..', import.meta.url).pathname;

/** Everything that the server has acknowledged, over all its lives. */
interface Acknowledged {
  usage: Set<string>;
  /** Sessions that were begun, and sessions that were ended. */
  begun: Set<string>;
  ended: Set<string>;
  /** Ids of incidents that it has shown. */
  incidents: Set<string>;
  /** Ids of notes that teams made. */
  notes: Set<string>;
  /** The last one that was sent: its answer may have been lost. */
  sent: { id: string; path: string } | null;
}

let replay: Replay;
let upstream: Server;
/** How many answers of upstreams the server has been given. */
let collected: number;
let server: RunningServer;
let backups: string;

beforeEach(async () => {
  backups = await mkdtemp(join(tmpdir(), 'clearway-kill-backups-'));
  replay = await startReplay({ stepSeconds: 0 });
  collected = 0;
  ({ upstream } = await countingUpstream());
  const { port } = upstream.address() as AddressInfo;
  const settings = Object.fromEntries(
    Object.entries(replay.settings).map(([name, value]) => [
      name,
      value.replace(/^http:\/\/127\.0\.0\.1:\d+/, `http://127.0.0.1:${port}`),
    ]),
  );
  server = await prepareServer({ settings });
});

afterEach(async () => {
  await server.dispose();
  await rm(backups, { recursive: true });
  upstream.closeAllConnections();
  await new Promise((resolve) => upstream.close(resolve));
  await replay.close();
});

/** A proxy before the replay, so that the test knows when the server has been answered. */
async function countingUpstream() {
  const target = new URL(Object.values(replay.settings).find((value) => value.startsWith('http'))!);
  const counting = createServer((from, to) => {
    const onward = request(
      { host: target.hostname, port: target.port, path: from.url, headers: from.headers },
      (answer) => {
        to.writeHead(answer.statusCode!, answer.headers);
        answer.pipe(to).once('finish', () => (collected += 1));
      },
    );
    onward.once('error', () => to.destroy());
    from.pipe(onward);
  });
  await new Promise<void>((resolve) => counting.listen(0, '127.0.0.1', resolve));
  return { upstream: counting };
}

async function send(path: string, body: object | null, token?: string): Promise<Response> {
  return fetch(`${server.origin}/api/v1/${path}`, {
    method: body ? 'POST' : 'GET',
    headers: {
      ...(body && { 'content-type': 'application/json' }),
      ...(token && { authorization: `Bearer ${token}` }),
    },
    body: body && JSON.stringify(body),
  });
}

interface Tokens {
  access_token: string;
  refresh_token: string;
  session_id: string;
}

class Refusal extends Error {}

/** Uses the server in several ways at once until it is killed; records only what was acknowledged. */
function useUntilDeath(life: number, tokens: Tokens, known: Acknowledged) {
  let refresh_token = tokens.refresh_token;
  let acknowledged = 0;

  const refusals: string[] = [];

  const forever = async (work: (turn: number) => Promise<void>) => {
    try {
      for (let turn = 0; ; turn++) {
        await work(turn);
        acknowledged += 1;
      }
    } catch (error) {
      // The plug is pulled: the call under way was not acknowledged. Anything else is a fault.
      if (error instanceof Refusal) refusals.push(error.message);
    }
  };
  const accepted = async <T = unknown>(answer: Response): Promise<T> => {
    const body = await answer.text(); // an answer counts only once it is whole
    if (!answer.ok) throw new Refusal(`${answer.url}: status ${answer.status}: ${body}`);
    return (body === '' ? undefined : JSON.parse(body)) as T;
  };

  const report = (worker: string) =>
    forever(async (turn) => {
      const event_type = `life-${life}-${worker}-${turn}`;
      const event = { event_type, event_category: 'navigation', session_id: tokens.session_id };
      await accepted(await send('analytics/events', event, tokens.access_token));
      known.usage.add(event_type);
    });
  const rotate = forever(async () => {
    const next = await accepted<Tokens>(await send('auth/refresh', { refresh_token }));
    refresh_token = next.refresh_token;
  });
  const look = forever(async () => {
    const page = await accepted<z.infer<typeof DisruptionPage>>(
      await send('disruptions/?limit=200', null, tokens.access_token),
    );
    for (const { event_id } of page.events) known.incidents.add(event_id);
  });
  const comeAndGo = forever(async () => {
    const begun = await accepted<Tokens>(await send('auth/login', ADMIN));
    known.begun.add(begun.session_id);
    await accepted(await send('auth/logout', { session_id: begun.session_id }, begun.access_token));
    known.ended.add(begun.session_id);
  });

  // Each note is about a different incident: a team may write only a limited number a minute about one.
  const write = forever(async (turn) => {
    const event_id = [...known.incidents][turn % known.incidents.size];
    if (event_id === undefined) {
      await accepted(await send('disruptions/?limit=1', null, tokens.access_token));
      return;
    }
    known.sent = { id: randomUUID(), path: `responses/${encodeURIComponent(event_id)}/notes` };
    await accepted(await send(known.sent.path, { id: known.sent.id, text: 'A note' }, tokens.access_token));
    known.notes.add(known.sent.id);
  });

  return {
    dead: Promise.all([report('a'), report('b'), rotate, look, comeAndGo, write]),
    /** Calls that the living server refused. */
    refusals,
    acknowledged: () => acknowledged,
    /** The last refresh token that was acknowledged. */
    refreshToken: () => refresh_token,
  };
}

/** The backup command, as a process that can be killed as well. */
function beginBackup(): ChildProcess {
  const { PATH = '', HOME = '' } = process.env;
  return spawn(process.execPath, ['server/operate/commands/backup.ts', join(backups, 'clearway.tar.gz')], {
    cwd: root,
    stdio: 'ignore',
    env: { PATH, HOME, ...COMPILED, DATA_DIR: server.dataDir },
  });
}

const KEPT = ['usage', 'begun', 'ended', 'incidents', 'notes'] as const;

/** The content of the newest backup, after a restore; null: none was finished yet. */
async function readBackup() {
  const file = join(backups, 'clearway.tar.gz');
  if (!existsSync(file)) return null;
  const dataDir = join(backups, 'restored');
  await restoreBackup({ file, dataDir });
  const held = readFile(dataDir);
  await rm(dataDir, { recursive: true });
  return held;
}

/** Contents of the file, read beside the running server. */
function readFile(dataDir: string) {
  const file = new Database(join(dataDir, DATABASE_FILE), { readonly: true });
  const column = (query: string) => new Set(file.prepare(query).pluck().all() as string[]);
  try {
    return {
      // The log of every incident ends as the incident does, and its batches have all numbers up to the revision. A
      // report that is part of an incident is logged under its own id, and the incident is in force. An incident
      // begins, or goes on with what was another.
      unlogged: column(`
        select event_id from disruptions d where kind = 'alert'
        and not exists (select 1 from merged_reports m where m.event_id = d.event_id)
        and ((ended_at is null) <> (
          select kind not in ('ended', 'lost') from changes c where c.event_id = d.event_id
          order by batch desc, n desc limit 1)
        or not exists (select 1 from changes c where (c.event_id = d.event_id and c.kind = 'began')
          or (c.other_id = d.event_id and c.kind in ('merged', 'split'))))
        union
        select event_id from merged_reports m where until is null and not exists (
          select 1 from disruptions d where d.event_id = m.incident_id and d.ended_at is null)`),
      batches: column('select distinct batch from changes'),
      newestBatch: file.prepare("select value from revisions where name = 'changes'").pluck().get() ?? 0,
      integrity: file.pragma('integrity_check', { simple: true }),
      foreignKeys: file.pragma('foreign_key_check'),
      usage: column('select event_type from usage_events'),
      begun: column('select id from sessions'),
      ended: column("select id from sessions where revoked_reason = 'logout'"),
      incidents: column('select event_id from disruptions'),
      notes: column("select id from response_log where action = 'note'"),
    };
  } finally {
    file.close();
  }
}

/** How often the log has this. */
function rowsOf(id: string): unknown {
  const file = new Database(join(server.dataDir, DATABASE_FILE), { readonly: true });
  try {
    return file.prepare('select count(*) from response_log where id = ?').pluck().get(id);
  } finally {
    file.close();
  }
}

const missing = (from: Set<string>, expected: Set<string>) => [...expected.difference(from)];

describe('kill -9', () => {
  it(
    `${KILLS} times, while the server collects, is used and backed up, loses nothing acknowledged`,
    async () => {
      const known: Acknowledged = {
        usage: new Set(),
        begun: new Set(),
        ended: new Set(),
        incidents: new Set(),
        notes: new Set(),
        sent: null,
      };
      let tokens: Tokens | undefined;
      let refreshToken = '';
      let livesThatCollected = 0;
      /** Entries that were acknowledged before the newest finished backup began, and how many there are. */
      let backedUp: Partial<Record<(typeof KEPT)[number], Set<string>>> = {};
      let [finished, broken] = [0, 0];

      const expectSound = (held: ReturnType<typeof readFile>, known: typeof backedUp, life: string) => {
        expect(held.integrity, life).toBe('ok');
        expect(held.foreignKeys, life).toEqual([]);
        expect([...held.unlogged], life).toEqual([]);
        expect(held.batches.size, life).toBe(held.newestBatch);
        for (const what of KEPT)
          expect(missing(held[what], known[what] ?? new Set()), `${what}, ${life}`).toEqual([]);
      };

      for (let life = 0; life <= KILLS; life++) {
        await server.start();

        expectSound(readFile(server.dataDir), known, `life ${life}`);
        const backup = await readBackup();
        if (backup) expectSound(backup, backedUp, `the backup after life ${life}`);

        // The chain of refresh tokens goes on from the last one that was given out.
        const answer = tokens
          ? await send('auth/refresh', { refresh_token: refreshToken })
          : await send('auth/login', ADMIN);
        expect(answer.status, `life ${life}`).toBe(200);
        tokens = { ...tokens, ...((await answer.json()) as Tokens) };
        refreshToken = tokens.refresh_token;
        known.begun.add(tokens.session_id);

        // A device that got no answer sends its note again, and the note counts once.
        if (known.sent) {
          const { id, path } = known.sent;
          for (let time = 0; time < 2; time++)
            expect((await send(path, { id, text: 'A note' }, tokens.access_token)).status).toBe(201);
          expect(rowsOf(id), `life ${life}`).toBe(1);
          known.notes.add(id);
        }

        if (life === KILLS) break;
        replay.step();
        const before = collected;
        const use = useUntilDeath(life, tokens, known);
        const asOf = Object.fromEntries(KEPT.map((what) => [what, new Set(known[what])]));
        const copying = beginBackup();
        const copied = once(copying, 'exit');
        // Every other backup is finished under load; the others die with the server.
        if (life % 2 === 1) expect(await copied).toEqual([0, null]);
        await vi.waitFor(
          () => {
            // Every other kill comes just when a source has answered and its records are about to be stored.
            if (life % 2 === 0) expect(collected - before).toBeGreaterThan(life % 3);
            expect(use.acknowledged()).toBeGreaterThan(5 + 7 * (life % 7));
            // Enough is stored for a loss to show. A note is about an incident that was shown.
            if (life > 0) expect(known.notes.size).toBeGreaterThan(life + 1);
          },
          { timeout: 60_000, interval: 1 },
        );
        copying.kill('SIGKILL');
        await Promise.all([server.kill(), use.dead]);
        const [code] = (await copied) as [number | null];
        expect([0, null]).toContain(code);
        if (code === 0) [backedUp, finished] = [asOf, finished + 1];
        else broken += 1;
        expect(use.refusals, `life ${life}`).toEqual([]);
        refreshToken = use.refreshToken();
        if (collected > before) livesThatCollected += 1;
      }

      expect(known.usage.size).toBeGreaterThan(KILLS);
      expect(known.incidents.size).toBeGreaterThan(0);
      expect(known.ended.size).toBeGreaterThan(0);
      expect(known.notes.size).toBeGreaterThan(KILLS);
      expect(livesThatCollected).toBeGreaterThanOrEqual(KILLS / 2);
      expect(finished).toBeGreaterThanOrEqual(Math.floor(KILLS / 2));
      const count = (of: Set<string>) => of.size.toLocaleString('en-GB');
      if (KILLS > 2)
        console.log(
          `${KILLS} kills: ${count(known.usage)} events of use, ${count(known.ended)} sessions ended, ${count(known.notes)} notes and ${count(known.incidents)} incidents were acknowledged, none lost; ${finished} backups finished, ${broken} were killed, every one restored.`,
        );
    },
    LIMIT_MS,
  );
});
