import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { check } from '../../../../server/operate/commands/check.ts';
import { collections } from '../../../../server/incidents/collectionState.ts';
import { openDatabase } from '../../../../server/db/open.ts';
import { createPostgresDatabase } from '../../../support/databases.ts';
import { poll } from '../../feedsWorld.ts';

const NOW = new Date('2026-11-21T09:00:00.000Z');
const TLS = new URL('../../../fixtures/tls/', import.meta.url).pathname;

let dataDir: string;
beforeEach(() => (dataDir = mkdtempSync(join(tmpdir(), 'clearway-check-'))));
afterEach(() => rmSync(dataDir, { recursive: true }));

/** The lines about one thing, with single spaces. */
const lines = (text: string, about: string) =>
  text
    .split('\n')
    .map((line) => line.replace(/ +/g, ' '))
    .filter((line) => line.includes(` ${about} `));
const made = async (work: (db: Awaited<ReturnType<typeof openDatabase>>['db']) => Promise<unknown>) => {
  const { db, close } = await openDatabase({ dataDir });
  await work(db);
  await close();
};

it('finds nothing bad if all is well, and counts missing settings as no faults', async () => {
  await made((db) => poll(db, 'tfl', [], NOW));
  const { text, isGood } = await check({ DATA_DIR: dataDir }, NOW);
  expect(isGood, text).toBe(true);
  expect(lines(text, 'Settings')[0]).toBe('ok Settings all can be read');
  expect(lines(text, 'Database')).toEqual([
    expect.stringMatching(/^ok Database SQLite, schema \d{4}-[a-z-]+, sound$/),
  ]);
  expect(lines(text, 'Disk')).toEqual([
    expect.stringMatching(/^ok Disk [\d.]+ [GM]B free; the database has \d+ MB$/),
  ]);
  expect(lines(text, 'tfl')).toEqual(['ok tfl working, last success 2026-11-21T09:00:00.000Z']);
  expect(lines(text, 'kb-incidents')).toEqual([
    expect.stringMatching(/^note kb-incidents not set up: Needs /),
  ]);
  expect(lines(text, 'Backups')).toEqual([expect.stringContaining('none are made')]);
});

it('finds a source that fails, and says why', async () => {
  await made(async (db) => {
    await collections(db).ensure('ea-flood', true);
    for (let times = 0; times < 3; times++)
      await collections(db).noteFailure('ea-flood', { now: NOW, nextRun: null, error: 'no answer in 20 s' });
  });
  const { text, isGood } = await check({ DATA_DIR: dataDir }, NOW);
  expect(isGood).toBe(false);
  expect(lines(text, 'ea-flood')).toEqual(['bad ea-flood failing: no answer in 20 s, 3 times']);
});

it('finds what cannot be read, each in words, and goes on', async () => {
  const { text, isGood } = await check({ DATA_DIR: dataDir, PORT: 'abc', TEAMS: 'one' }, NOW);
  expect(isGood).toBe(false);
  expect(lines(text, 'Settings')).toEqual(['bad Settings PORT must be a number from 0 to 65535, not "abc"']);
  expect(lines(text, 'Database')[0]).toMatch(/^bad Database There is no database in /);
});

it('finds a clock that was wrong', async () => {
  await made((db) => poll(db, 'tfl', [], new Date(NOW.getTime() + 86_400_000)));
  const { text } = await check({ DATA_DIR: dataDir }, NOW);
  expect(lines(text, 'Clock')[0]).toMatch(/^bad Clock a collection is dated 2026-11-22/);
});

it('counts the days of the certificate', async () => {
  await made(async () => {});
  const env = { DATA_DIR: dataDir, TLS_CERT: `${TLS}localhost.crt`, TLS_KEY: `${TLS}localhost.key` };
  const on = async (day: string) => lines((await check(env, new Date(day))).text, 'Certificate')[0];
  expect(await on('2126-10-18T09:00:00Z')).toBe('bad Certificate 10 days left');
  expect(await on('2126-10-01T09:00:00Z')).toBe('ok Certificate 27 days left');
  expect(await on('2126-11-01T09:00:00Z')).toMatch(/^bad Certificate expired on /);
});

it('finds backups that have stopped', async () => {
  await made(async () => {});
  const folder = join(dataDir, 'backups');
  const on = async () =>
    lines((await check({ DATA_DIR: dataDir, BACKUP_DIR: folder }, new Date())).text, 'Backups')[0];
  expect(await on()).toMatch(/^bad Backups .* cannot be read \(ENOENT\)$/);
  writeFileSync(join(dataDir, 'clearway-1.tar.gz'), '');
  // A second more, because files are dated in fractions of a millisecond, and the clock is read in whole ones.
  const later = new Date(Date.now() + 3 * 86_400_000 + 1000);
  const here = await check({ DATA_DIR: dataDir, BACKUP_DIR: dataDir }, later);
  expect(lines(here.text, 'Backups')[0]).toBe('bad Backups 1, the newest 72 hours old');
});

it('looks at a PostgreSQL database too', async () => {
  const { url, drop } = await createPostgresDatabase();
  const env = { DATABASE_URL: url, SECRET: 's'.repeat(40) };
  await (await openDatabase({ dataDir: '', databaseUrl: url })).close();
  const { text } = await check(env, new Date());
  expect(lines(text, 'Database')[0]).toMatch(/^ok Database PostgreSQL, schema /);
  expect(lines((await check(env, new Date(Date.now() + 3_600_000))).text, 'Clock')[0]).toMatch(
    /^bad Clock 3\d{3} s ahead of the database's$/,
  );
  await drop();
});
