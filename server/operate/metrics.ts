/** Figures for Prometheus. They are never public: either on a port of this machine alone, or at /metrics for callers
 *  with the token. */
import { rowCount } from '../db/batches.ts';
import { layouts } from '../accounts/displays/layouts.ts';
import { createHash, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { Standing } from '#contract/feeds/sourceReports.ts';
import { collections } from '../incidents/collectionState.ts';
import { disruptions } from '../incidents/list/disruptions.ts';
import type { OpenDatabase } from '../db/open.ts';
import { rowsWith } from '../db/statements.ts';
import { lastPolls } from '../incidents/pollLog.ts';
import { conditionsAt, spans } from '../feeds/sourceCondition.ts';
import { standingOf } from '../calls/feeds/sourceReports.ts';
import type { Collector } from '../incidents/collector.ts';
import { unauthorised } from '../refusals.ts';

interface MetricsParts extends Pick<OpenDatabase, 'db' | 'engine'> {
  collectors: readonly Collector[];
  settings: Readonly<Record<string, string | undefined>>;
  now: () => Date;
  log: Pick<FastifyBaseLogger, 'error'>;
}

export interface Metrics {
  /** Counts this app's requests. Call it before the app is ready. */
  count(app: FastifyInstance): void;
  /** Answers GET /metrics on this app to those who send the token. */
  serve(app: FastifyInstance, token: string): void;
  /** Answers on this port of 127.0.0.1. */
  listen(port: number): Promise<{ port: number; address: string; close(): Promise<void> }>;
  text(): Promise<string>;
  stop(): void;
}

const LOOPBACK = '127.0.0.1';

export function makeMetrics(parts: MetricsParts): Metrics {
  const { log } = parts;
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const requests = new Counter({
    name: 'clearway_http_requests_total',
    help: 'Answered requests',
    labelNames: ['method', 'route', 'status'],
    registers: [registry],
  });
  const seconds = new Histogram({
    name: 'clearway_http_request_seconds',
    help: 'Time from a request to its answer',
    labelNames: ['route'],
    buckets: [0.005, 0.025, 0.1, 0.5, 2, 10],
    registers: [registry],
  });
  const database = databaseFigures(registry, parts);

  const text = async () => {
    try {
      await database.read();
    } catch (error) {
      log.error({ err: error }, 'Could not read the figures of the database');
      database.unknown();
    }
    return registry.metrics();
  };

  return {
    count(app) {
      app.onAnswered(({ method, route = 'none', status, ms }) => {
        // Counted by the route's pattern, so that invented addresses do not make a figure each.
        requests.inc({ method, route, status: String(status) });
        seconds.observe({ route }, ms / 1000);
      });
    },

    serve(app, token) {
      app.get('/metrics', { logLevel: 'warn', schema: { hide: true } }, async (request, reply) => {
        if (!isSame(request.headers.authorization ?? '', `Bearer ${token}`)) throw unauthorised(NEEDS_TOKEN);
        reply.header('cache-control', 'no-store').type(registry.contentType);
        return text();
      });
    },

    async listen(port) {
      const server = createServer((request, response) => {
        if (request.url !== '/metrics' || request.method !== 'GET') return void response.writeHead(404).end();
        void text().then((body) =>
          response.writeHead(200, { 'content-type': registry.contentType }).end(body),
        );
      });
      await new Promise<void>((resolve, reject) => {
        server.once('error', (cause) =>
          reject(new Error(`METRICS_PORT ${port} cannot be used on ${LOOPBACK}.`, { cause })),
        );
        server.listen(port, LOOPBACK, resolve);
      });
      const { port: taken, address } = server.address() as AddressInfo;
      return {
        port: taken,
        address,
        close: () =>
          new Promise((resolve) => {
            server.close(() => resolve());
            server.closeAllConnections();
          }),
      };
    },

    text,
    stop: () => registry.clear(),
  };
}

const NEEDS_TOKEN = 'The figures are for those who send METRICS_TOKEN.';

/** Compares in constant time: it takes as long wherever the two differ. */
const isSame = (one: string, other: string) => timingSafeEqual(digest(one), digest(other));
const digest = (text: string) => createHash('sha256').update(text).digest();

/** Figures that are read from the database each time somebody asks. */
function databaseFigures(registry: Registry, parts: MetricsParts) {
  const { db, engine, collectors, settings, now } = parts;
  const gauge = <Label extends string>(name: string, help: string, ...labelNames: Label[]) =>
    new Gauge<Label>({ name: `clearway_${name}`, help, labelNames, registers: [registry] });

  const up = gauge('database_up', '1 while the database answers');
  const size = gauge('database_bytes', 'Size of the database');
  const age = gauge('source_age_seconds', 'Time since the last good collection', 'source');
  const maxAge = gauge('source_max_age_seconds', 'From this age on it must not be relied on', 'source');
  const failures = gauge('source_failures', 'Polls in a row that failed', 'source');
  const standing = gauge('source_standing', '1 for how the source stands', 'source', 'standing');
  const alerts = gauge('alerts_active', 'Active alerts in force', 'source', 'severity');
  const tokens = gauge('summary_tokens_today', 'Tokens of the summaries today (UTC), prompt and reply');
  const waiting = gauge('messages_waiting', 'Messages that are yet to be sent');
  const displays = gauge('displays_seen', 'Paired displays that were seen in the last ten minutes');
  const unseen = gauge('displays_unseen', 'Paired displays that were not seen for ten minutes');
  const notTaken = gauge(
    'displays_not_taken',
    'Displays that have not taken in five minutes what they were asked to show, or show not all of it',
  );

  return {
    unknown() {
      for (const one of [age, maxAge, failures, standing, alerts]) one.reset();
      // A figure without labels would be 0 after that, but its value is not known.
      for (const one of [size, tokens, displays, unseen, notTaken, waiting]) one.remove();
      up.set(0);
    },

    async read() {
      const at = now();
      const rows = await collections(db).all();
      const conditionOf = conditionsAt(rows, collectors, at);
      standing.reset();
      age.reset();
      for (const collector of collectors) {
        const { source } = collector;
        const row = rows.find((one) => one.source === source);
        const [last] = await lastPolls(db, source, 1);
        const stands = standingOf({ collector, row, condition: conditionOf(source), last, settings });
        for (const one of Standing.options)
          standing.set({ source, standing: one }, Number(one === stands.standing));
        const success = Date.parse(row?.last_success ?? '');
        if (!Number.isNaN(success)) age.set({ source }, Math.max(0, at.getTime() - success) / 1000);
        maxAge.set({ source }, spans(collector).maxAgeMs / 1000);
        failures.set({ source }, row?.consecutive_failures ?? 0);
      }
      alerts.reset();
      for (const { source, severity, count } of await disruptions(db).counts())
        alerts.set({ source, severity }, count);

      const budget = await rowsWith(db, 'summary_calls', {
        feed: '*',
        day: at.toISOString().slice(0, 10),
      }).first('tokens');
      tokens.set(budget?.tokens ?? 0);
      const messages = db
        .selectFrom('messages')
        .where('next_at', 'is not', null)
        // Webhooks are left out: messages to an address that does not answer wait for hours.
        .where('channel_id', 'in', (eb) =>
          eb.selectFrom('channels').select('channels.id').where('kind', 'in', ['device', 'email']),
        );
      waiting.set(await rowCount(messages));
      const { seen, unseen: gone, notTaken: late } = await layouts(db).condition(at);
      displays.set(seen);
      unseen.set(gone);
      notTaken.set(late);
      size.set(await bytesOf());
      up.set(1);
    },
  };

  async function bytesOf(): Promise<number> {
    const query =
      engine === 'sqlite'
        ? sql<{
            bytes: number;
          }>`select page_count * page_size as bytes from pragma_page_count(), pragma_page_size()`
        : sql<{ bytes: string }>`select pg_database_size(current_database()) as bytes`;
    const { rows } = await query.execute(db);
    return Number(rows[0]?.bytes ?? 0);
  }
}
