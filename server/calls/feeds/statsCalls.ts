/** /api/v1/stats: how reliable sources and routes were. */
import { DAY_MS } from '#contract/durations.ts';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import {
  HELD_MINUTES,
  JobStats,
  type SourceStats,
  SourceStatsList,
  WatchStatsList,
} from '#contract/history/history.ts';
import type { Db } from '../../db/open.ts';
import { watches } from '../../watches/watchStore.ts';
import * as example from '../reference/sharedExamples.ts';
import { sourceStats } from '../../watches/history/sourceStats.ts';
import { heldStats } from '../../watches/jobs/toldArrival.ts';
import { watchStats } from '../../watches/history/watchStats.ts';
import { wholeNumber } from '../../http/calls/parameters.ts';
import type { Collector } from '../../incidents/collector.ts';

interface Parts {
  db: Db;
  collectors: readonly Collector[];
  now: () => Date;
}

const DAYS = 7;
const DAYS_MAX = 90;
/** How long the statistics are kept, because each is a sum over all stored data. */
const KEPT_MS = 60_000;

const Days = z.object({
  days: wholeNumber(DAYS_MAX, DAYS).meta({ description: 'How many days back.', example: 7 }),
});

export const statsCalls =
  ({ db, collectors, now }: Parts): FastifyPluginAsyncZod =>
  async (app) => {
    const kept = new Map<number, { at: number; sources: Promise<SourceStats[]> }>();

    /** Statistics of the sources, calculated at most once a minute for each number of days. */
    function sourcesOf(days: number, at: Date): Promise<SourceStats[]> {
      const known = kept.get(days);
      const age = at.getTime() - (known?.at ?? Number.NaN);
      if (known && age >= 0 && age < KEPT_MS) return known.sources;
      const sources = sourceStats({ db, collectors }, new Date(at.getTime() - days * DAY_MS), at);
      kept.set(days, { at: at.getTime(), sources });
      sources.catch(() => kept.delete(days));
      return sources;
    }

    app.get('/sources', {
      who: 'data',
      costs: 'past',
      answer: {
        days: 7,
        from: '2026-11-14T09:00:00.000Z',
        to: '2026-11-21T09:00:00.000Z',
        sources: [
          {
            source: 'national-highways',
            availability: 0.9981,
            notice_seconds: 140,
            late_closures: 0.12,
            closures: 41,
            lost: 0.004,
            ended: 230,
            churn: 2.6,
            flaps: 3,
            precision: 0.9915,
            sent: 118,
            not_ours: 1,
          },
        ],
        total: 1,
      },
      operationId: 'readSourceStats',
      summary: 'How reliable each source was',
      description:
        '`availability`: seconds fresh : seconds set up. `notice_seconds`: the median time from the publisher’s own time ' +
        'to our first sight. `late_closures`: of unplanned closures, first seen more than 15 minutes after their start. ' +
        '`lost`: no longer known : ended or no longer known. `churn`: changes for each incident. `flaps`: ended and ' +
        'began again within 30 minutes. `precision`: 1 − marked "not ours" : messages sent. Null: nothing to divide by.',
      querystring: Days,
      response: { 200: SourceStatsList },
      handler: async ({ query: { days } }) => {
        const at = now();
        const sources = await sourcesOf(days, at);
        return { days, ...spanOf(days, at), sources, total: sources.length };
      },
    });

    app.get('/jobs', {
      who: 'jobs',
      costs: 'little',
      answer: {
        days: 7,
        from: '2026-11-14T09:00:00.000Z',
        to: '2026-11-21T09:00:00.000Z',
        jobs: 23,
        held: 18,
        early: 1,
        late: 4,
        share: 0.7826,
      },
      operationId: 'readJobStats',
      summary: 'How often the arrival that was told held',
      description:
        `Of the team’s jobs that have arrived and are still kept: told as they left, and within ${HELD_MINUTES} minutes of ` +
        'it. Jobs of which no arrival could be told are not among them. `share` is null below 20 jobs.',
      querystring: Days,
      response: { 200: JobStats },
      handler: async (request) => {
        const { days } = request.query;
        const at = now();
        const teamId = await request.teamId();
        return {
          days,
          ...spanOf(days, at),
          ...(await heldStats(db, teamId, new Date(at.getTime() - days * DAY_MS))),
        };
      },
    });

    app.get('/watches', {
      who: 'data',
      costs: 'past',
      answer: {
        days: 7,
        from: '2026-11-14T09:00:00.000Z',
        to: '2026-11-21T09:00:00.000Z',
        watches: [
          {
            watch_id: example.watch.id,
            name: example.watch.name,
            departures: 21,
            undisturbed: 19,
            reliability: 0.9048,
            by_weekday: [{ weekday: 0, departures: 3, undisturbed: 3, reliability: null }],
            by_hour: [{ hour: 6, departures: 21, undisturbed: 19, reliability: 0.9048 }],
          },
        ],
        total: 1,
      },
      operationId: 'readWatchStats',
      summary: 'How often departures of the team’s routes met no trouble',
      description:
        'Departures that met no certain critical or high incident at the time when they reached it : departures; by ' +
        'route, weekday (Monday is 0) and hour of leaving. `reliability` is null below 20 departures.',
      querystring: Days,
      response: { 200: WatchStatsList },
      handler: async (request) => {
        const { days } = request.query;
        const at = now();
        const own = await watches(db).brief(await request.teamId());
        const from = new Date(at.getTime() - days * DAY_MS);
        const stats = await watchStats(db, own, from, at);
        return { days, ...spanOf(days, at), watches: stats, total: stats.length };
      },
    });
  };

const spanOf = (days: number, at: Date) => ({
  from: new Date(at.getTime() - days * DAY_MS).toISOString(),
  to: at.toISOString(),
});
