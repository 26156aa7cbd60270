/** /api/v1/disruptions: live incidents, their sources, and the state of collection. */
import type { Calls } from '../callParts.ts';
import { z } from 'zod';
import { alertNumber, readAlertNumber } from '#contract/incidents/alertNumber.ts';
import { DisruptionHistory, DisruptionsOfNumber } from '#contract/incidents/disruptionHistory.ts';
import {
  CollectorStatus,
  type Disruption,
  DisruptionPage,
  DisruptionStats,
  EVENTS_PER_SOURCE,
  SourceEvents,
  SourceList,
} from '#contract/incidents/disruptions.ts';
import { Severity } from '#contract/incidents/severity.ts';
import { feedOf, FEEDS } from '#contract/feeds/feeds.ts';
import { publisherOf } from '../../sources/allSources.ts';
import { knownSource, type Subject } from '#contract/feeds/knownSources.ts';
import { ReadingFault } from '#contract/incidents/whatWasRead.ts';
import { example } from '../reference/examples.ts';
import type { Collector } from '../../incidents/collector.ts';
import type { Config } from '../../config.ts';
import { outlinesNear } from '../../incidents/list/disruptionFilter.ts';
import { disruptions, PAGE_LIMIT_DEFAULT, PAGE_LIMIT_MAX } from '../../incidents/list/disruptions.ts';
import { events } from '../../geography/events/events.ts';
import { countedOnce } from '../../incidents/list/duplicates.ts';
import { readingFaults } from '../../incidents/list/readingFaults.ts';
import { revision } from '../../db/revisions.ts';
import type { RowOf } from '../../db/schema.ts';
import { notFound, tooMany, orNotFound } from '../../refusals.ts';
import { withTrends } from '../../feeds/trendStore.ts';
import {
  askedOf,
  isConnected,
  overview,
  sourcesIn,
  withDistance,
} from '../../delivery/formats/formatScope.ts';
import { listQuery, SOURCE } from '../../delivery/formats/formatConditions.ts';
import { feedCondition, soonest, toSource, type Condition } from '../../feeds/sourceCondition.ts';
import { answer, send, sendReady } from '../../http/answers/readyAnswers.ts';
import { keptAnswers } from '../../http/answers/latestAnswers.ts';
import { eventId, limit } from '../../http/calls/parameters.ts';
import { hiddenValues, redacted } from '../../http/documents/redaction.ts';
import { whatWasRead } from '../../geography/roads/whatWasRead.ts';
import { missingSettings } from '../../incidents/collector.ts';

const ListQuery = listQuery(PAGE_LIMIT_MAX, PAGE_LIMIT_DEFAULT);

/** How long the number of an ended alert is kept: it can still be on somebody's paper. */
const NUMBER_KEPT_MS = 24 * 60 * 60_000;

/** Limits of the answer about one alert. */
const ALERTS_NEAR_KM = 20;
const EVENTS_NEAR_KM = 10;
const NEAR_MAX = 5;

/** The subjects whose texts can name roads. */
const OF_ROADS: ReadonlySet<Subject> = new Set(['roads', 'news', 'buses']);
const ENOUGH_FAULTS = 'You have reported enough of these today. Thank you.';

const unknownSource = (source: string) => `Source '${source}' not found or has no events`;
const unknownNumber = (number: string) => `No alert has the number '${number}'`;
const unknown = (eventId: string) => `Disruption '${eventId}' not found`;

export const disruptionCalls: Calls = (parts) => async (app) => {
  const { db, collectors, config, now } = parts;

  /** Alerts, events and stations near an incident; null where its place is not known. */
  async function nearbyOf({ event_id, latitude, longitude }: Disruption) {
    if (latitude === null || longitude === null || (latitude === 0 && longitude === 0)) return null;
    const circle = { latitude, longitude, radius_km: ALERTS_NEAR_KM };
    const here = { ...circle, outlines: await outlinesNear(db, circle, false) };
    const alerts = await disruptions(db).page({
      near: here,
      limit: NEAR_MAX + 1,
    });
    return {
      alerts: alerts.events
        .filter((other) => other.event_id !== event_id)
        .slice(0, NEAR_MAX)
        .map((other) => withDistance(other, here)),
      events: await events(db).near({ latitude, longitude, radius_km: EVENTS_NEAR_KM }, now(), NEAR_MAX),
      stations: parts.nearbyStations?.(latitude, longitude) ?? [],
    };
  }

  const listFor = (teamId: string | null) => async (query: z.infer<typeof ListQuery>, at: Date) => {
    const known = await overview(parts);
    const asked = await askedOf(parts, query, { teamId, known, at });
    const { near } = asked;
    const inOrder = { ...asked.query, sort: query.sort?.toLowerCase() };
    const found = await disruptions(db).page(inOrder);
    const listed =
      query.geometry?.toLowerCase() === 'true'
        ? await disruptions(db).withGeometry(found.events)
        : found.events;
    const { events, nextChangeAt } = await withTrends(db, listed, at);
    const page = { ...found, events: near ? events.map((event) => withDistance(event, near)) : events };
    const sources = sourcesIn(known);
    const isAbout = query.north !== undefined || near;
    const about = isAbout && {
      ...(near && { near }),
      total_without_position: await disruptions(db).totalWithoutPosition(inOrder),
      sources,
    };
    // A source becomes late with time alone, without a write.
    const conditions = feedCondition(sources.map(({ source }) => known.conditionOf(source)));
    return {
      answer: answer(DisruptionPage.parse({ ...page, ...about })),
      nextChangeAt: soonest([nextChangeAt, conditions.nextChangeAt]),
    };
  };
  const listOf = keptAnswers({ now, revision: (known) => revision(db, 'feeds', known) }, listFor(null));

  app.get('/', {
    who: 'board',
    costs: 'work',
    operationId: 'listDisruptions',
    summary: 'Alerts in force, active and planned, or those that ended; worst first, then newest',
    description:
      'Bounds are WGS84 degrees, given together, and include alerts that reach into them (`metadata.location_reach_km`). ' +
      '`near` is a place, with `radius_km`. Alerts without a position are in neither: `total_without_position` ' +
      'counts them, and `position=none` lists them. `metadata.location_method` says how a position was found: only ' +
      '`publisher` is exact. `since`: changed at or after that time. ' +
      '`severity`: one or several, as `critical,high` or as `severity=critical&severity=high`. ' +
      '`category` is that of a feed (Rail, Roads, ...) or of a source (transport, weather, ...).',
    querystring: ListQuery,
    response: { 200: DisruptionPage },
    handler: async (request, reply) => {
      const { watch, level } = request.query;
      if (!watch && !level) return sendReady(request, reply, listOf, request.query);
      // A list of the incidents on a team's routes is rarely asked for, so it is not kept for other callers. A
      // display has routes of its own.
      const teamId = request.caller?.type === 'display' ? null : await request.teamId();
      const { answer: made } = await listFor(teamId)(request.query, now());
      return send(request, reply, made);
    },
  });

  app.get('/sources', {
    who: 'board',
    costs: 'list',
    operationId: 'listSources',
    summary: 'All sources, listed in the directory or not',
    description: 'Each with its own age: do not rely on alerts that a source has not confirmed for too long.',
    response: { 200: SourceList },
    handler: async () => {
      const known = await overview(parts);
      const sources = sourcesIn(known);
      const { last_updated, oldest_collected, freshness } = feedCondition(
        sources.map(({ source }) => known.conditionOf(source)),
      );
      return { sources, total: sources.length, last_updated, oldest_collected, freshness };
    },
  });

  app.get('/sources/:source', {
    who: 'board',
    costs: 'board',
    refusals: { 404: unknownSource('carrier-pigeon') },
    operationId: 'readSource',
    summary: 'One source: its alerts, then planned incidents, then rail operators that run normally',
    description:
      'A known source that is not connected answers with no events, `last_collected: null` and its state.',
    params: z.object({ source: z.string().max(100).meta(SOURCE) }),
    querystring: z.object({ limit: limit(PAGE_LIMIT_MAX, EVENTS_PER_SOURCE) }),
    response: { 200: SourceEvents },
    handler: async ({ params: { source }, query }) => {
      const known = await overview(parts);
      if (!known.names.includes(source)) throw notFound(unknownSource(source));

      const condition = known.conditionOf(source);
      const { last_collected: last_updated } = condition;
      if (!isConnected(condition)) return { ...toSource(condition, 0), last_updated, events: [], total: 0 };
      const { event_count, ...found } = await disruptions(db).ofSource(source, { limit: query.limit });
      const { events } = await withTrends(db, found.events, now());
      return { ...toSource(condition, event_count), last_updated, ...found, events };
    },
  });

  app.get('/stats', {
    who: 'board',
    costs: 'work',
    operationId: 'countDisruptions',
    summary: 'Numbers of active alerts',
    description:
      'An incident that two sources report counts once in all, and once for each of them in `by_source`.',
    response: { 200: DisruptionStats },
    handler: async () => {
      const { counts, conditionOf } = await overview(parts);
      const active = counts.filter(({ source }) => isConnected(conditionOf(source)));
      const connected = [...new Set(active.map(({ source }) => source))];
      const all = countedOnce(active, await disruptions(db).duplicates(connected));
      const level = (severity: Severity) => sum(all.filter((one) => one.severity === severity));

      return {
        total_active: sum(all),
        by_severity: {
          critical: level('critical'),
          high: level('high'),
          medium: level('medium'),
          low: level('low'),
        },
        by_source: [...new Set(active.map(({ source }) => source))]
          .map((source) => ({ source, count: sum(active.filter((one) => one.source === source)) }))
          .sort((a, b) => b.count - a.count || a.source.localeCompare(b.source)),
        by_feed: FEEDS.map(({ slug, sources }) => ({
          feed: slug,
          count: sum(all.filter(({ source }) => sources.includes(source))),
        })),
        generated_at: now().toISOString(),
      };
    },
  });

  app.get('/collectors/status', {
    who: 'board',
    costs: 'list',
    operationId: 'readCollectors',
    summary: 'The state of each collector; for administrators also its errors',
    description: 'Only administrators see errors and missing settings.',
    response: { 200: z.object({ collectors: z.array(CollectorStatus), total: z.number().int() }) },
    handler: async ({ caller }) => {
      const isAdmin = caller?.type === 'session' && caller.user.role === 'admin';
      const { rows, conditionOf, alertsOf } = await overview(parts);
      const statuses = collectors.map((collector): CollectorStatus => {
        const condition = conditionOf(collector.source);
        const row = rows.find(({ source }) => source === collector.source);
        return {
          ...statusOf(collector, row, condition, alertsOf(collector.source)),
          ...(isAdmin && reasons(collector, row, condition, config.settings)),
        };
      });
      return { collectors: statuses, total: statuses.length };
    },
  });

  app.get('/numbers/:number', {
    who: 'board',
    costs: 'list',
    refusals: { 404: unknownNumber('48213') },
    operationId: 'findDisruptionsByNumber',
    summary: 'Alerts by the number that a wall shows',
    description:
      'In force, or ended in the last 24 hours; those in force first. Numbers are made from ids, so that two ' +
      'alerts can have the same.',
    params: z.object({
      number: z
        .string()
        .max(20)
        .refine((text) => readAlertNumber(text) !== null, 'must be a number of five digits')
        .meta({ description: 'Five digits.', example: alertNumber(example.disruption.event_id) }),
    }),
    response: { 200: DisruptionsOfNumber },
    handler: async ({ params: { number } }) => {
      const since = new Date(now().getTime() - NUMBER_KEPT_MS);
      const events = await disruptions(db).ofNumber(readAlertNumber(number)!, since); // was checked
      if (events.length === 0) throw notFound(unknownNumber(number));
      return { events };
    },
  });

  app.get('/*', {
    who: 'board',
    costs: 'list',
    refusals: { 404: unknown('tfl:gone') },
    operationId: 'readDisruption',
    summary: 'One incident by its event_id, in force or ended, with its history',
    description:
      'The id is one segment of the path, percent-encoded. `history`: its versions. `published`: who says it, ' +
      'and by which licence. `nearby`: what lies and takes place around it.',
    params: eventId(example.disruption.event_id),
    response: { 200: DisruptionHistory },
    handler: async ({ params: { '*': eventId } }) => {
      const found = orNotFound(await disruptions(db).history(eventId), unknown(eventId));
      const [event] = found.ended_at ? [found] : (await withTrends(db, [found], now())).events;
      const { subject } = knownSource(found.source);
      const ofRoads = subject === null || OF_ROADS.has(subject);
      return {
        ...event!,
        published: publishedBy(found.source),
        nearby: await nearbyOf(found),
        ...(ofRoads && { what_was_read: whatWasRead({ ...found, metadata: { ...found.metadata } }) }),
      };
    },
  });

  app.post('/reading-faults', {
    who: 'user',
    meanings: { 204: 'Kept with its words, for the people who mend the rules.' },
    refusals: { 404: unknown('tfl:gone'), 429: ENOUGH_FAULTS },
    operationId: 'reportReading',
    summary: 'Report that the words of an incident were read wrongly',
    description: 'Kept with the present words and the result of their reading. At most 50 in a day.',
    body: ReadingFault,
    handler: async ({ body, user }) => {
      const found = orNotFound(await disruptions(db).history(body.event_id), unknown(body.event_id));
      const { title, summary_line: text } = found;
      const wasRead = whatWasRead({ ...found, metadata: { ...found.metadata } }).sentence;
      const outcome = await readingFaults(db).add(body, { userId: user.id, title, text, wasRead }, now());
      if (outcome === 'full') throw tooMany(ENOUGH_FAULTS, 60 * 60);
    },
  });
};

function publishedBy(source: string): DisruptionHistory['published'] {
  const feed = feedOf(source);
  return {
    ...(publisherOf(source) ?? { publisher: null, licence: null, attribution: null }),
    name: knownSource(source).displayName,
    feed: feed ? { slug: feed.slug, title: feed.title } : null,
  };
}

const sum = (counts: readonly { count: number }[]) => counts.reduce((total, { count }) => total + count, 0);

function statusOf(
  { source, everyMinutes, maxAgeMinutes }: Collector,
  row: RowOf<'collections'> | undefined,
  condition: Condition,
  alerts: number,
): CollectorStatus {
  const enabled = isConnected(condition);
  return {
    source,
    enabled,
    state: condition.state,
    interval_seconds: Math.round(everyMinutes * 60),
    max_age_seconds: Math.round(maxAgeMinutes * 60),
    last_attempt: row?.last_attempt ?? null,
    last_success: row?.last_success ?? null,
    next_run: enabled ? (row?.next_run ?? null) : null,
    consecutive_failures: row?.consecutive_failures ?? 0,
    event_count: toSource(condition, alerts).event_count,
  };
}

/** Why each source is in its state. Only for administrators, because the reasons reveal the server's configuration. */
function reasons(
  collector: Collector,
  row: RowOf<'collections'> | undefined,
  condition: Condition,
  settings: Config['settings'],
): Pick<CollectorStatus, 'last_error' | 'missing_settings' | 'skipped' | 'problems'> {
  // The text was redacted when it was stored, but keys can have changed since.
  const hidden = hiddenValues(collector, settings);
  const clock = condition.clock_ahead
    ? `The last collection is dated ${row?.last_success}, which is in the future: a clock is or was wrong.`
    : null;
  return {
    last_error: row?.last_error ? redacted(row.last_error, hidden) : clock,
    missing_settings: isConnected(condition) ? [] : missingSettings(collector, settings),
    skipped: row?.skipped ?? 0,
    problems: z
      .array(z.string())
      .parse(JSON.parse(row?.problems ?? '[]'))
      .map((problem) => redacted(problem, hidden)),
  };
}
