/** `npm run admin -- check`: the things that an operator checks first, in one list. It changes nothing. */
import { DAY_MS } from '#contract/durations.ts';
import { X509Certificate } from 'node:crypto';
import { statfsSync, statSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { sql } from 'kysely';
import { COLLECTORS } from '../../sources/allSources.ts';
import { type Config, ConfigError, readConfig, readDatabasePlace } from '../../config.ts';
import { collections } from '../../incidents/collectionState.ts';
import { CLOCK_SKEW_MS } from '../../db/instant.ts';
import { DATABASE_FILE, LATEST_SCHEMA, openBeside, type OpenDatabase } from '../../db/open.ts';
import { lastPolls } from '../../incidents/pollLog.ts';
import { conditionsAt } from '../../feeds/sourceCondition.ts';
import { standingOf } from '../../calls/feeds/sourceReports.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** `bad`: something fails, or will soon fail. `note`: worth knowing. */
type Grade = 'ok' | 'note' | 'bad';
type Finding = [grade: Grade, about: string, words: string];

const MB = 1024 * 1024;
/** The least free space: a backup and an update need room beside the database. */
const FREE_MIN_BYTES = 500 * MB;
const CERTIFICATE_DAYS_MIN = 14;

/** `isGood`: no finding is bad. */
export async function check(env: Env, now: Date): Promise<{ text: string; isGood: boolean }> {
  const { config, findings } = settingsOf(env);
  findings.push(...certificateOf(config, now), ...(await backupsOf(config, now)));
  findings.push(...(await databaseOf(env, config, now)));
  const width = Math.max(...findings.map(([, about]) => about.length));
  return {
    text: findings
      .map(([grade, about, words]) => `${grade.padEnd(4)}  ${about.padEnd(width)}  ${words}`)
      .join('\n'),
    isGood: findings.every(([grade]) => grade !== 'bad'),
  };
}

function settingsOf(env: Env): { config?: Config; findings: Finding[] } {
  try {
    const config = readConfig(env, []);
    const isPlain = !config.tls && config.trustProxy.length === 0;
    return {
      config,
      findings: [
        ['ok', 'Settings', 'all can be read'],
        ...(isPlain ? [['note', 'Settings', PLAIN] satisfies Finding] : []),
      ],
    };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return { findings: error.message.split('\n').map((line): Finding => ['bad', 'Settings', line]) };
  }
}

const PLAIN =
  'neither TLS_CERT nor TRUST_PROXY is set: other machines get plain http, without offline copy and wake lock';

function certificateOf(config: Config | undefined, now: Date): Finding[] {
  if (!config?.tls) return [];
  const { validTo } = new X509Certificate(config.tls.cert);
  const days = Math.floor((Date.parse(validTo) - now.getTime()) / DAY_MS);
  if (days < 0) return [['bad', 'Certificate', `expired on ${validTo}`]];
  return [[days < CERTIFICATE_DAYS_MIN ? 'bad' : 'ok', 'Certificate', `${days} days left`]];
}

async function backupsOf(config: Config | undefined, now: Date): Promise<Finding[]> {
  if (!config || config.databaseUrl) return [];
  if (!config.backups) return [['note', 'Backups', 'none are made: set BACKUP_DIR, on another disk']];
  const { folder } = config.backups;
  try {
    const files = (await readdir(folder)).filter((name) => name.endsWith('.tar.gz'));
    const times = await Promise.all(files.map(async (name) => (await stat(join(folder, name))).mtimeMs));
    if (times.length === 0) return [['bad', 'Backups', `there is none in ${folder} yet`]];
    const hours = Math.floor((now.getTime() - Math.max(...times)) / (DAY_MS / 24));
    return [[hours > 48 ? 'bad' : 'ok', 'Backups', `${files.length}, the newest ${hours} hours old`]];
  } catch (error) {
    return [['bad', 'Backups', `${folder} cannot be read (${(error as NodeJS.ErrnoException).code})`]];
  }
}

async function databaseOf(env: Env, config: Config | undefined, now: Date): Promise<Finding[]> {
  let opened: OpenDatabase;
  try {
    const place = readDatabasePlace(env);
    const { dataDir, databaseUrl } = place;
    const disk = databaseUrl ? [] : diskOf(dataDir);
    try {
      opened = await openBeside(place);
    } catch (error) {
      return [...disk, ['bad', 'Database', (error as Error).message]];
    }
    try {
      return [
        ...disk,
        ...(await insideOf(opened)),
        ...(await clockOf(opened, now)),
        ...(await sourcesOf(opened, config, now)),
      ];
    } finally {
      await opened.close();
    }
  } catch (error) {
    if (error instanceof ConfigError) return []; // said above
    return [['bad', 'Database', (error as Error).message]];
  }
}

function diskOf(dataDir: string): Finding[] {
  try {
    const folder = resolve(dataDir);
    const { bavail, bsize } = statfsSync(folder);
    const free = bavail * bsize;
    const used = statSync(join(folder, DATABASE_FILE), { throwIfNoEntry: false })?.size ?? 0;
    const isShort = free < Math.max(FREE_MIN_BYTES, used);
    return [[isShort ? 'bad' : 'ok', 'Disk', `${megabytes(free)} free; the database has ${megabytes(used)}`]];
  } catch (error) {
    return [['bad', 'Disk', `${dirname(dataDir)} cannot be read (${(error as NodeJS.ErrnoException).code})`]];
  }
}

const megabytes = (bytes: number) =>
  bytes >= 1024 * MB ? `${(bytes / 1024 / MB).toFixed(1)} GB` : `${Math.round(bytes / MB)} MB`;

async function insideOf({ db, engine }: OpenDatabase): Promise<Finding[]> {
  const newest = await sql<{ name: string }>`select max(name) as name from kysely_migration`.execute(db);
  const schema = newest.rows[0]?.name ?? 'none';
  if (schema > LATEST_SCHEMA)
    return [
      ['bad', 'Database', `is from a newer Clearway (schema ${schema}; this one knows ${LATEST_SCHEMA})`],
    ];
  const kind = engine === 'sqlite' ? 'SQLite' : 'PostgreSQL';
  if (engine !== 'sqlite') return [['ok', 'Database', `${kind}, schema ${schema}`]];
  const { rows } = await sql<{ quick_check: string }>`pragma quick_check(1)`.execute(db);
  const fault = rows[0]?.quick_check;
  if (fault !== 'ok') return [['bad', 'Database', `${kind} is damaged: ${fault}. Restore a backup.`]];
  return [['ok', 'Database', `${kind}, schema ${schema}, sound`]];
}

/** Compares the clock with the database's clock and with stored times. Whether the clock itself is right cannot be
 *  known here. */
async function clockOf({ db, engine }: OpenDatabase, now: Date): Promise<Finding[]> {
  if (engine === 'postgres') {
    const { rows } = await sql<{ now: Date }>`select now() as now`.execute(db);
    const off = Math.round((now.getTime() - Number(rows[0]?.now)) / 1000);
    if (Math.abs(off) * 1000 > CLOCK_SKEW_MS)
      return [['bad', 'Clock', `${Math.abs(off)} s ${off > 0 ? 'ahead of' : 'behind'} the database's`]];
  }
  const newest = (await collections(db).all())
    .flatMap(({ last_attempt, last_success }) => [last_attempt, last_success])
    .filter((time) => time !== null)
    .reduce((latest, time) => (time > latest ? time : latest), '');
  const ahead = newest ? Date.parse(newest) - now.getTime() : 0;
  if (ahead > CLOCK_SKEW_MS)
    return [['bad', 'Clock', `a collection is dated ${newest}, in the future: the clock is or was wrong`]];
  return [['ok', 'Clock', `${now.toISOString()}, and nothing is stored from the future`]];
}

async function sourcesOf({ db }: OpenDatabase, config: Config | undefined, now: Date): Promise<Finding[]> {
  const settings = config?.settings ?? {};
  const rows = await collections(db).all();
  const conditionOf = conditionsAt(rows, COLLECTORS, now);
  const findings: Finding[] = [];
  for (const collector of COLLECTORS) {
    const { source } = collector;
    const row = rows.find((one) => one.source === source);
    const [last] = await lastPolls(db, source, 1);
    const { standing, why } = standingOf({ collector, row, condition: conditionOf(source), last, settings });
    const grade: Grade =
      standing === 'failing' || standing === 'silent' ? 'bad' : standing === 'working' ? 'ok' : 'note';
    const words = [standing.replaceAll('_', ' '), why].filter(Boolean).join(': ');
    const since = row?.last_success ? `, last success ${row.last_success}` : '';
    findings.push([grade, source, words + since]);
  }
  const rank = ([grade]: Finding) => ['bad', 'note', 'ok'].indexOf(grade);
  return findings.sort((a, b) => rank(a) - rank(b));
}
