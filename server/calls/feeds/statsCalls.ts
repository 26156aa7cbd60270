/** /api/v1/stats: how reliable sources and routes were. */
import { DAY_MS } from '#contract/durations.ts';
import type { Calls } from '../callParts.ts';
import { z } from 'zod';
import {
  HELD_MINUTES,
  HISTORY_LIMITS,
  JobStats,
  type SourceStats,
  SourceStatsList,
  WatchStatsList,
} from '#contract/history/history.ts';
import { MARKED_MOST } from '../../watches/demoteSources.ts';
import { watches } from '../../watches/watchStore.ts';
import { sourceStats } from '../../watches/history/sourceStats.ts';
import { heldStats } from '../../watches/jobs/toldArrival.ts';
import { watchStats } from '../../watches/history/watchStats.ts';
import { wholeNumber } from '../../http/calls/parameters.ts';

const DAYS = 7;
/** How long the statistics are kept, because each is a sum over all stored data. */
const KEPT_MS = 60_000;

const Days = z.object({
  days: wholeNumber(HISTORY_LIMITS.days, DAYS).meta({ description: 'How many days back.', example: 7 }),
});

export const statsCalls: Calls =
  ({ db, collectors, now }) =>
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
      operationId: 'readSourceStats',
      summary: 'How reliable each source was',
      description:
        '`availability`: seconds fresh : seconds set up. `notice_seconds`: the median time from the publisher’s own time ' +
        'to our first sight. `late_closures`: the share of unplanned closures first seen more than 15 minutes after their ' +
        'start. `lost`: no longer known : ended or no longer known. `churn`: changes for each incident. `flaps`: ended and ' +
        'began again within 30 minutes. `precision`: 1 − marked "not ours" : messages sent. Null: nothing to divide by.',
      querystring: Days,
      response: { 200: SourceStatsList },
      handler: async ({ query: { days } }) => {
        const at = now();
        const sources = await sourcesOf(days, at);
        return { days, ...spanOf(days, at), sources, total: sources.length, demoted_above: MARKED_MOST };
      },
    });

    app.get('/jobs', {
      who: 'jobs',
      operationId: 'readJobStats',
      summary: 'How often the arrival predicted at departure was right',
      description:
        `How many of the team’s jobs that are still kept arrived within ${HELD_MINUTES} minutes of the arrival that was ` +
        'predicted at departure. Jobs without a predicted arrival are not counted. `share` is null below 20 jobs.',
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
      operationId: 'readWatchStats',
      summary: 'How often departures of the team’s routes met no trouble',
      description:
        '`reliability`: departures that met no certain critical or high incident when they reached it : departures; by ' +
        'route, weekday (Monday is 0) and hour of leaving. Null below 20 departures.',
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
