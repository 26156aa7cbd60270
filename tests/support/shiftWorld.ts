/** The real app in the test's own process, with its clock in the test's hands: a whole shift takes seconds. */
import { randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { buildApp } from '../../server/app.ts';
import { passwords } from '../../server/accounts/passwords/passwords.ts';
import { COLLECTORS } from '../../server/sources/allSources.ts';
import { readConfig } from '../../server/config.ts';
import { collections } from '../../server/incidents/collectionState.ts';
import { openMemoryDatabase } from '../../server/db/open.ts';
import { notePoll } from '../../server/incidents/pollLog.ts';
import { users } from '../../server/accounts/users.ts';
import { factsOf } from './readAs.ts';
import { feedAnswers } from '../../server/feeds/feedAnswers.ts';
import type { DisruptionRecord } from '../../server/incidents/collector.ts';
import { makeLog } from '../../server/log.ts';
import { startMatching } from '../../server/watches/matching/matching.ts';
import { matchingState } from '../../server/watches/matching/matchingState.ts';
import { deriveSecrets } from '../../server/accounts/secrets.ts';
import { startLapses } from '../../server/shift/lapseWorker.ts';
import { poll } from '../server/feedsWorld.ts';

/** How often the sources are asked. */
const POLL_MS = 5 * 60_000;
const PASSWORD = 'four-lorries-in-Carlisle';
const DIST = new URL('../../dist', import.meta.url).pathname;

export type ShiftWorld = Awaited<ReturnType<typeof openShiftWorld>>;

export async function openShiftWorld(start: string) {
  const { db, close } = await openMemoryDatabase();
  // The clock goes on beside the pages' clocks, which run too.
  let ahead = Date.parse(start) - Date.now();
  const now = () => new Date(Date.now() + ahead);
  let isDown = false;

  const listed = new Map<string, number>();
  const polled = (source: string, records: number, at: Date) =>
    notePoll(db, { source, at: at.toISOString(), ok: 1, ms: 1, records, changed: 0, error_kind: null });

  let errors = '';
  const log = makeLog('error', { write: (line) => (errors += line) });
  const matching = startMatching({
    db,
    now,
    log,
    owner: 'one',
    open: () => {
      const state = matchingState();
      return { ask: async (step) => state.take(step), close: async () => {} };
    },
  });
  const lapses = startLapses({ db, now, log, owner: 'one' });
  const settled = () => Promise.all([matching.changed(), lapses.changed()]);
  const app = buildApp({
    config: readConfig({}, []),
    db,
    secrets: deriveSecrets('a secret of the tests, longer than 32 bytes'),
    now,
    log,
    feedAnswers: feedAnswers({ db, collectors: COLLECTORS, now }),
    collectors: COLLECTORS,
    onWatchesChanged: () => void matching.changed(),
    dist: DIST,
  });
  app.addHook('onRequest', async (request) => {
    if (isDown) request.raw.socket.destroy();
  });
  // The clock by which pages tell the time.
  app.server.prependListener('request', (_, response) => {
    response.setHeader('date', now().toUTCString());
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  const password_hash = await passwords().hash(PASSWORD);

  return {
    origin: `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`,
    db,
    now,
    /** Moves the clock to this time. Meanwhile each source is asked and has nothing new, unless all are down. */
    async goTo(time: number) {
      const [from, to] = [now().getTime(), time];
      ahead += to - from;
      if (isDown) return;
      for (const [source, records] of listed) {
        for (let at = from + POLL_MS; at <= to; at += POLL_MS) await polled(source, records, new Date(at));
        const success = { now: now(), nextRun: null, skipped: 0, problems: [], complete: true };
        await collections(db).noteSuccess(source, success);
      }
    },
    /** While this is true, no call has an answer, and no source is asked. */
    setDown: (down: boolean) => {
      isDown = down;
    },
    errors: () => errors,

    async addPerson(display_name: string) {
      const email = `${display_name.split(' ')[0]!.toLowerCase()}@coaches.example`;
      const added = await users(db).insert({
        id: randomUUID(),
        email,
        display_name,
        password_hash,
        role: 'user',
        is_active: 1,
        is_verified: 1,
        created_at: now().toISOString(),
        last_login: null,
      });
      if (!added) throw new Error(`${email} is there already`);
      return { email, password: PASSWORD };
    },

    /** Everything that this source lists now. Settles when matches and acknowledgements have followed. */
    async reported(source: string, records: DisruptionRecord[]) {
      listed.set(source, records.length);
      await poll(
        db,
        source,
        records.map((record) => ({ ...record, facts: factsOf(record) })),
        now(),
      );
      await polled(source, records.length, now());
      await settled();
    },
    settled,

    async close() {
      await matching.stop();
      await lapses.stop();
      app.server.closeAllConnections();
      await app.close();
      await close();
    },
  };
}
