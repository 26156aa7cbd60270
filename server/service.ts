/** Starts Clearway and stops it in order. stdout is for the person who started it, stderr for the structured log. */
import { randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import type { CursorWorker } from './db/cursorWorker.ts';
import { buildApp } from './app.ts';
import { makeFirstAdmin, renewAdmin, type SignIn } from './accounts/firstAdmin.ts';
import { passwords as argonPasswords } from './accounts/passwords/passwords.ts';
import { startBackups } from './operate/backup/backup.ts';
import { keepCertificate } from './operate/certificate.ts';
import { COLLECTORS } from './sources/allSources.ts';
import { downloader, userAgent } from './http/documents/download.ts';
import { loadPlaceNames } from './geography/names/placeNames.ts';
import { readingThreads } from './sources/polling/readingThreads.ts';
import { type Schedule, startSchedule } from './sources/polling/pollRunners.ts';
import { ConfigError, readConfig, type Config } from './config.ts';
import { openDatabase } from './db/open.ts';
import { startMatching } from './watches/matching/matching.ts';
import { channels } from './delivery/outbox/sendByChannel.ts';
import { links } from './delivery/outbox/notices.ts';
import { outgoing } from './delivery/outbox/publicAddresses.ts';
import { channelSeal } from './delivery/outbox/channelSeal.ts';
import { startSender } from './delivery/outbox/sender.ts';
import { startBriefs } from './delivery/briefs/briefs.ts';
import { startNotifier } from './delivery/alerts/notifier.ts';
import { keepSample } from './geography/events/sample/sampleEvents.ts';
import { startTicketmaster, TICKETMASTER_BYTES_MAX } from './geography/events/import/ticketmaster.ts';
import { feedAnswers as makeFeedAnswers } from './feeds/feedAnswers.ts';
import { startHousekeeping } from './operate/housekeeping.ts';
import { makeLog } from './log.ts';
import { deriveSecrets, keptSecret } from './accounts/secrets.ts';
import { nearbyStations } from './geography/names/stations.ts';
import { useSurveyedRoads } from './geography/roads/roadTable.ts';
import { BACKLOG } from './http/limits/connections.ts';
import { hostedModel } from './feeds/summaries/hostedModel.ts';
import { startLapses } from './shift/lapseWorker.ts';
import { startSummaries } from './feeds/summaries/summarise.ts';

/** When the server stops, running requests have this long to finish. */
const STOP_GRACE_MS = 10_000;
/** Under npm, one Ctrl-C arrives twice, from the terminal and from npm. Only a later signal counts as a second one. */
const SAME_SIGNAL_MS = 1000;
/** Recorded sources change within a minute, so they are polled 30 times as often as real ones. */
const REPLAY_INTERVAL_SCALE = 1 / 30;

export interface Running {
  /** The address for a browser on this machine. */
  url: string;
  /** Lets running requests finish, then closes everything in order. */
  stop(): Promise<void>;
  /** Reads the files of the certificate again. */
  renewCertificate(): void;
}

/** Starts the whole service. On failure, closes what was already open and throws with a message for the operator. */
export async function start(config: Config, log: FastifyBaseLogger): Promise<Running> {
  const now = () => new Date();
  /** Functions that close the parts opened so far; they run from last to first. */
  const closers: (() => Promise<unknown>)[] = [];
  const stop = async () => {
    for (const close of closers.splice(0).toReversed()) {
      // One failure must not keep the other parts open: the database closes last.
      await close().catch((error: unknown) => log.error({ err: error }, 'Could not stop cleanly'));
    }
  };

  try {
    // Recorded incidents never mix with real ones.
    const dataDir = config.replay ? join(config.dataDir, 'replay') : config.dataDir;
    const { db, engine, close } = await openDatabase({ dataDir, databaseUrl: config.databaseUrl });
    closers.push(close);
    await keepSample(db, now());
    const secrets = deriveSecrets(config.secret ?? keptSecret(dataDir));
    useSurveyedRoads(config.dataDir);

    const passwords = argonPasswords();
    const admin = { db, passwords, now: now(), email: config.adminEmail, password: config.adminPassword };
    const signIn = config.replay ? await renewAdmin(admin) : await makeFirstAdmin(admin);
    // Printed at once: if the start fails after this, no later start can show the password again.
    if (signIn) printSignIn(signIn, config);

    // Loaded only for replay, because it imports much that the real service never needs.
    const replay = config.replay
      ? await (await import('./operate/replay.ts')).startReplay({ stepSeconds: config.replayStepSeconds })
      : null;
    if (replay) closers.push(() => replay.close());

    const settings = replay?.settings ?? config.settings;
    const feedAnswers = makeFeedAnswers({ db, collectors: COLLECTORS, now });
    let matching: CursorWorker | undefined;
    let sender: CursorWorker | undefined;
    let schedule: Schedule | undefined;
    const app = buildApp({
      config: { ...config, settings },
      db,
      secrets,
      now,
      log,
      feedAnswers,
      collectors: COLLECTORS,
      passwords,
      nearbyStations,
      onWatchesChanged: () => void matching?.changed(),
      onMessage: () => void sender?.changed(),
      onSourceAsked: () => schedule?.look(),
    });
    const { metricsPort, metricsToken } = config;
    if (metricsPort !== undefined || metricsToken) {
      // Loaded only when it is used, because it imports a hundred files.
      const { makeMetrics } = await import('./operate/metrics.ts');
      const metrics = makeMetrics({ db, engine, collectors: COLLECTORS, settings, now, log });
      closers.push(async () => metrics.stop());
      metrics.count(app);
      if (metricsToken) metrics.serve(app, metricsToken);
      if (metricsPort !== undefined) closers.push((await metrics.listen(metricsPort)).close);
    }
    // The document is made while nobody waits for it.
    app.addHook('onListen', async () => void app.apiDocument());
    await app.ready();

    const housekeeping = startHousekeeping({
      db,
      historyDays: config.historyDays,
      usageDays: config.usageDays,
      jobDays: config.jobDays,
      collectors: COLLECTORS,
      now,
      log,
    });
    closers.push(() => housekeeping.stop());
    if (config.backups && !config.replay) {
      const backups = startBackups({ ...config.backups, dataDir, now, log });
      closers.push(() => backups.stop());
    }
    const summaries = startSummaries({
      db,
      collectors: COLLECTORS,
      now,
      log,
      // No model in replay, which must need no internet access and cost nothing.
      model: config.summaries && !config.replay ? hostedModel(config.summaries, { now }) : undefined,
    });
    closers.push(() => summaries.stop());
    const agent = userAgent(config.contactEmail);
    const download = downloader({ userAgent: agent });
    const ticketmaster = startTicketmaster({
      db,
      settings,
      download: downloader({ userAgent: agent, maxBytes: TICKETMASTER_BYTES_MAX }),
      now,
      log,
    });
    closers.push(() => ticketmaster.stop());
    // Only one process uses a folder, so after a crash it need not wait for its own lease to expire.
    const owner = engine === 'sqlite' ? 'the only process' : `${hostname()} ${process.pid} ${randomUUID()}`;
    const matcher = startMatching({ db, now, log, owner });
    matching = matcher;
    closers.push(() => matcher.stop());
    const client = outgoing({ allow: config.outgoingAllow });
    closers.push(async () => client.close());
    const posting = startSender({
      db,
      channels: channels({
        secrets,
        seal: channelSeal(secrets),
        links: links(secrets),
        outgoing: client,
        contactEmail: config.contactEmail,
        mail: config.mail,
        publicUrl: config.publicUrl,
      }),
      now,
      log,
      owner,
      mode: config.teams,
    });
    sender = posting;
    closers.push(() => posting.stop());
    const notifier = startNotifier({
      db,
      mode: config.teams,
      collectors: COLLECTORS,
      publicUrl: config.publicUrl,
      now,
      log,
      owner,
      onMessages: () => void posting.changed(),
    });
    closers.push(() => notifier.stop());
    const briefing = startBriefs({
      db,
      mode: config.teams,
      collectors: COLLECTORS,
      now,
      log,
      owner,
      onMessages: () => void posting.changed(),
    });
    closers.push(() => briefing.stop());
    const lapses = startLapses({ db, now, log, owner });
    closers.push(() => lapses.stop());
    // Collected reports are compared by the names in them.
    const names = loadPlaceNames();
    const reading = readingThreads({ directory: new URL('sources/allSources.ts', import.meta.url) });
    closers.push(() => reading.close());
    const collecting = startSchedule({
      db,
      collectors: COLLECTORS,
      settings,
      download,
      read: async (...asked) => {
        await names;
        return reading.read(...asked);
      },
      now,
      random: Math.random,
      log,
      owner,
      intervalScale: replay ? REPLAY_INTERVAL_SCALE : 1,
      onCollected(source) {
        void summaries.sourceChanged(source);
        void matcher.changed().then(() => notifier.changed());
        void lapses.changed();
      },
    });
    schedule = collecting;
    // Both stop at once, because each can take seconds, and a supervisor kills a process that stops too slowly.
    closers.push(() => Promise.all([closeGently(app), collecting.stop()]));

    await listen(app, config);
    const certificate =
      config.tlsFiles &&
      config.tls &&
      keepCertificate({ server: app.server, files: config.tlsFiles, inUse: config.tls, log });
    closers.push(async () => certificate?.stop());
    const url = urlOf(app, config);
    log.info({ url, engine, dataDir, replay: config.replay }, 'Clearway has started');
    return { url, stop, renewCertificate: () => void certificate?.renew() };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function listen(app: FastifyInstance, { host, port }: Config): Promise<void> {
  try {
    await app.listen({ host, port, backlog: BACKLOG });
  } catch (error) {
    const advice = LISTEN_ADVICE[(error as NodeJS.ErrnoException).code ?? ''];
    throw new Error(
      advice ? `Port ${port} on ${host} ${advice}` : `Cannot listen on ${host}, port ${port}.`,
      {
        cause: error,
      },
    );
  }
}

const LISTEN_ADVICE: Readonly<Record<string, string>> = {
  EADDRINUSE: 'is in use. Stop the program that uses it, or set PORT to another one.',
  EACCES: 'is not allowed for this user. Set PORT to one above 1023.',
  EADDRNOTAVAIL: 'is not an address of this machine. Set HOST to one that is, or leave it unset for all.',
};

/** Accepts no new connections, gives running requests time to finish, then cuts their connections. */
async function closeGently(app: FastifyInstance): Promise<void> {
  const timer = setTimeout(() => app.server.closeAllConnections(), STOP_GRACE_MS);
  await app.close();
  clearTimeout(timer);
}

function urlOf(app: FastifyInstance, { host, tls }: Config): string {
  const { port } = app.server.address() as AddressInfo; // the server listens on a port and not on a pipe
  const isEveryAddress = host === '0.0.0.0' || host === '::';
  const name = isEveryAddress ? 'localhost' : host.includes(':') ? `[${host}]` : host;
  return `${tls ? 'https' : 'http'}://${name}:${port}`;
}

/** Prints the sign-in. No other code prints a password. */
function printSignIn({ email, password }: SignIn, { replay }: Config): void {
  const lines = [
    replay ? 'Sign in to the replay with' : 'The first administrator was created. Sign in with',
    '',
    `  Email:     ${email}`,
    `  Password:  ${password ?? '(as set in ADMIN_PASSWORD)'}`,
    ...(password && !replay ? ['', 'This password is shown only this once. Write it down.'] : []),
  ];
  const width = Math.max(...lines.map((line) => line.length));
  const edge = `+${'-'.repeat(width + 4)}+`;
  const framed = lines.map((line) => `|  ${line.padEnd(width)}  |`);
  console.log(['', edge, ...framed, edge, ''].join('\n'));
}

/** The whole life of the process. */
export async function run(): Promise<void> {
  let config: Config;
  try {
    config = readConfig(process.env, process.argv.slice(2));
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    console.error(`Clearway could not start:\n${error.message}`);
    process.exit(1);
  }
  const log = makeLog(config.logLevel);

  const fail = (error: unknown, what: string) => {
    log.fatal({ err: error }, what);
    process.exit(1);
  };
  process.on('unhandledRejection', (error) => fail(error, 'Unhandled promise rejection'));
  process.on('uncaughtException', (error) => fail(error, 'Uncaught error'));

  // By design: stdout may have no reader any more, and only the start writes to it.
  process.stdout.on('error', () => {});

  const starting = start(config, log);
  let askedAt: number | null = null;
  const onSignal = (signal: NodeJS.Signals) => {
    if (askedAt !== null) {
      if (performance.now() - askedAt > SAME_SIGNAL_MS) process.exit(1);
      return;
    }
    askedAt = performance.now();
    log.info({ signal }, 'Clearway is stopping');
    void starting
      .then(({ stop }) => stop())
      .then(() => {
        log.info('Clearway has stopped');
        process.exit(0);
      });
  };
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
  // The default of SIGHUP would end the process.
  process.on('SIGHUP', () => void starting.then(({ renewCertificate }) => renewCertificate()));

  try {
    const { url } = await starting;
    console.log(`Clearway is at ${url}`);
  } catch (error) {
    // The operator gets a sentence; the stack goes to the debug log.
    log.debug({ err: error }, 'Clearway could not start');
    console.error(`Clearway could not start:\n${error instanceof Error ? error.message : String(error)}`);
    process.exit(1);
  }
}
