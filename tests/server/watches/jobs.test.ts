import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { EVERYONE } from '../../../server/accounts/teams.ts';
import { users } from '../../../server/accounts/users.ts';
import { example } from '../../../server/calls/reference/examples.ts';
import { openDatabase } from '../../../server/db/open.ts';
import { makeBackup, restoreBackup } from '../../../server/operate/backup/backup.ts';
import { storeRealEvent } from '../geography/events/import/oneEvent.ts';
import { runHousekeeping } from '../../../server/operate/housekeeping.ts';
import { jobs, planSheet, storeSheet } from '../../../server/watches/jobs/jobStore.ts';
import { person } from '../accounts/people.ts';

const { jobRequest } = example;

const SECRETS = [
  'YN21-SECRET',
  'Driver Secret',
  'REF-SECRET',
  'Note secret',
  'Before secret',
  'heading secret',
];

async function secretsIn(folder: string): Promise<string[]> {
  const files = (await readdir(folder)).filter((name) => name.startsWith('clearway.db'));
  const bytes = Buffer.concat(await Promise.all(files.map((name) => readFile(join(folder, name)))));
  return SECRETS.filter((words) => bytes.includes(words));
}

it(
  'are in no page of the database’s file and in no backup after JOB_DAYS',
  { timeout: 120_000 },
  async () => {
    const home = await mkdtemp(join(tmpdir(), 'clearway-jobs-test-'));
    const dataDir = join(home, 'data');
    const who = { teamId: EVERYONE, userId: 'rosa' };
    const day = '2026-11-21';
    const added = new Date(`${day}T05:00:00Z`);
    let now = added;
    try {
      const opened = await openDatabase({ dataDir });
      const { db } = opened;
      await users(db).insert(person('rosa'));
      const secret = {
        ...jobRequest,
        watch_id: null,
        day,
        vehicle: SECRETS[0]!,
        driver: SECRETS[1]!,
        ref: SECRETS[2]!,
        note: SECRETS[3]!,
      };
      const rows = Array.from({ length: 60 }, (_, one) => ({ ...secret, ref: `${SECRETS[2]} ${one}` }));
      const sheet = { id: 'sheet', day, trips: new Map(), columns: { [SECRETS[5]!]: 'driver' }, cancel: [] };
      const first = planSheet([], [{ ...secret, driver: SECRETS[4]! }, ...rows]);
      await storeSheet(db, who, { ...sheet, plan: first }, now);
      // The jobs that a sheet has changed are kept for its undo.
      const second = planSheet(await jobs(db).ofDay(EVERYONE, day), [secret]);
      expect(second.updated).toHaveLength(1);
      await storeSheet(db, who, { ...sheet, plan: second }, now);
      await storeRealEvent(db, now);
      const keep = () =>
        runHousekeeping({
          db,
          collectors: [],
          now: () => now,
          log: { error: (_, message) => expect.fail(message) },
        });
      now = new Date(`${day}T23:00:00Z`);
      await keep();
      const [{ undo } = {}] = await db.selectFrom('sheets').select('undo').execute();
      expect(undo).toBeNull();
      now = new Date('2026-11-29T00:30:00Z');
      await keep();
      expect(await db.selectFrom('jobs').select('id').execute()).toEqual([]);
      const file = join(home, 'backup.tar.gz');
      await makeBackup({ dataDir, file, withSecret: false, now });
      await opened.close();
      expect(await secretsIn(dataDir), 'the database').toEqual([]);
      await restoreBackup({ file, dataDir: join(home, 'restored') });
      expect(await secretsIn(join(home, 'restored')), 'the backup').toEqual([]);
    } finally {
      await rm(home, { recursive: true, force: true });
    }
  },
);
