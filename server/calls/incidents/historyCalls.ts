/** /api/v1/history: the board at a past time, the minutes of a day in which something changed, and the incidents
 *  that touched a route. */
import { DAY_MS } from '#contract/durations.ts';
import type { Calls } from '../callParts.ts';
import { z } from 'zod';
import { dayAfter, londonInstant } from '#contract/watches/departures.ts';
import { HISTORY_LIMITS, HistoryBoard, HistoryTimeline, WatchHistory } from '#contract/history/history.ts';
import { london, londonDay } from '#contract/london.ts';
import { historyCsv, historyFile } from '#contract/history/historyCsv.ts';
import { history, silencesBetween } from '../../feeds/past/pastStore.ts';
import { CLOCK_SKEW_MS, iso } from '../../db/instant.ts';
import { ownReports } from '../../shift/ownReports.ts';
import { matchesBetween } from '../../watches/history/watchHistory.ts';
import { watches } from '../../watches/watchStore.ts';
import { example } from '../reference/examples.ts';
import { boardAt, isWithin } from '../../feeds/past/pastBoard.ts';
import { pastJobs } from '../../delivery/briefs/pastJobs.ts';
import { placeNamed } from '../../delivery/formats/formatScope.ts';
import { nearWords, RADIUS_KM, radiusKm } from '../../delivery/formats/formatConditions.ts';
import { answer, send } from '../../http/answers/readyAnswers.ts';
import { idOf, oneOf, optional, Time } from '../../http/calls/parameters.ts';
import { badInput, notFound, orNotFound } from '../../refusals.ts';

const MONTH_MS = 30 * DAY_MS;

const UNKNOWN = 'There is no such route. It may have been deleted.';
const BACKWARDS = 'from must be before to';
const FUTURE = 'at must not be in the future';
const EMPTY = 'Nothing was recorded yet.';
const TOO_LONG = 'from and to must be at most a week apart';

const DAY = london({ day: 'numeric', month: 'long' });
const CLOCK = london({ hour: '2-digit', minute: '2-digit' });
const DAY_OF_YEAR = london({ day: 'numeric', month: 'long', year: 'numeric' });

/** "Nothing was recorded before 23 August." The time is added where `asked` is earlier on that day, and the year
 *  where it is another year. */
function nothingBefore(from: string, asked: Date, now: Date): string {
  const begun = new Date(from);
  const day = londonDay(begun);
  const isThisYear = day.slice(0, 4) === londonDay(now).slice(0, 4);
  const time = day === londonDay(asked) ? `${CLOCK.format(begun)} on ` : '';
  return `Nothing was recorded before ${time}${(isThisYear ? DAY : DAY_OF_YEAR).format(begun)}.`;
}

/** A time, or a whole day in London. */
const DayOrTime = z.union([z.iso.date(), Time]);
/** The API's description shows a text here, because it cannot describe a choice of both. */
const dayOrTime = optional(
  z.string().transform((text, context): string => {
    const read = DayOrTime.safeParse(text);
    if (read.success) return read.data;
    context.addIssue({ code: 'custom', message: 'must be a day or an ISO 8601 time, such as 2026-11-21' });
    return z.NEVER;
  }),
);
const startOf = (text: string) => (text.length === 10 ? londonInstant(text, '00:00') : new Date(text));
const endOf = (text: string) =>
  text.length === 10 ? londonInstant(dayAfter(text), '00:00') : new Date(text);

export const historyCalls: Calls =
  ({ db, collectors, geocoder, now }) =>
  async (app) => {
    const past = history(db);

    app.get('/board', {
      who: 'data',
      costs: 'past',
      refusals: { 404: 'Nothing was recorded before 23 August.', 422: FUTURE },
      operationId: 'readPastBoard',
      summary: 'All feeds as they stood at a given time',
      description:
        'Only data that was known then: the alerts in their versions of that time, how fresh each source was, the ' +
        'summaries, and the reports of the caller’s team. A signed-in person also gets the team’s jobs of that day. If the ' +
        'single polls of that time are no longer kept, freshness is known by the hour.',
      querystring: z.object({
        at: Time.meta({ description: 'The time.', example: '2026-11-21T08:10:00Z' }),
        near: nearWords,
        radius_km: radiusKm.meta({
          description: `How near, with \`near\`; ${RADIUS_KM} if not given. By the position that an incident had then.`,
        }),
      }),
      response: { 200: HistoryBoard },
      handler: async (request, reply) => {
        const present = now();
        const asked = new Date(request.query.at);
        if (asked.getTime() > present.getTime() + CLOCK_SKEW_MS) throw badInput(FUTURE);
        const at = new Date(Math.min(asked.getTime(), present.getTime()));
        const recorded = await past.recorded();
        if (recorded.recorded_from === null) throw notFound(EMPTY);
        if (iso(at) < recorded.recorded_from)
          throw notFound(nothingBefore(recorded.recorded_from, at, present));
        const words = request.query.near?.trim();
        const radius_km = request.query.radius_km ?? RADIUS_KM;
        const near = words ? { ...(await placeNamed(geocoder, words)), radius_km } : null;
        const team = await request.team();
        // Only the people of a team see its jobs here: a key needs a scope of its own for them, and reads them with
        // another call.
        const day = near || request.caller!.type !== 'session' ? null : await pastJobs(db, team.id, at);
        const { feeds, withoutPosition, named } = await boardAt({ db, collectors, near, ids: day?.ids }, at);
        const reports = await ownReports(db).inForceAt(team.id, at);
        const jobs = day?.words([...named, ...reports]) ?? [];
        const board: HistoryBoard = {
          at: iso(at),
          feeds,
          reports: near ? reports.filter((report) => isWithin(report, near)) : reports,
          total: feeds.length,
          last_critical_cleared: await past.lastCriticalEnded(at),
          ...(jobs.length > 0 && { jobs }),
          ...(near && { near: { label: near.label, radius_km, without_position: withoutPosition } }),
          ...recorded,
        };
        return send(request, reply, answer(HistoryBoard.parse(board)));
      },
    });

    app.get('/timeline', {
      who: 'data',
      costs: 'past',
      refusals: { 422: TOO_LONG },
      operationId: 'readTimeline',
      summary: 'Times at which something changed, and at which a source was silent',
      description:
        'At most a week; today in London if neither `from` nor `to` is given. All changes of a minute have one mark. A ' +
        'source counts as silent from one answer to the next if its data became too old to rely on in between.',
      querystring: z.object({
        from: dayOrTime.meta({ description: 'A time, or a day of London.', example: '2026-11-21' }),
        to: dayOrTime.meta({
          description: 'A time, or a day of London, which is included.',
          example: '2026-11-21',
        }),
      }),
      response: { 200: HistoryTimeline },
      handler: async ({ query }) => {
        const { from, to } = spanOf(query, londonDay(now()), londonDay(now()));
        if (to.getTime() - from.getTime() > HISTORY_LIMITS.timelineMs) throw badInput(TOO_LONG);
        return {
          from: iso(from),
          to: iso(to),
          ...(await past.recorded()),
          changes: await past.changesBetween(from, to),
          silent: await silencesBetween({ db, collectors }, { from, to, now: now() }),
        };
      },
    });

    app.get('/watches/:id', {
      who: 'data',
      costs: 'past',
      refusals: { 404: UNKNOWN, 422: BACKWARDS },
      operationId: 'readWatchHistory',
      summary: 'Incidents that touched a route or area',
      description:
        'The last 30 days unless `from` and `to` say otherwise. Certain and possible matches apart, each as it last was; ' +
        '`severity` is the worst while it touched the route. With `format=csv`, or `Accept: text/csv`, one table, ' +
        'certain ones first.',
      params: z.object({
        id: idOf('route’s or area', example.watch.id),
      }),
      querystring: z.object({
        from: dayOrTime.meta({ description: 'A time, or a day of London.', example: '2026-11-01' }),
        to: dayOrTime.meta({
          description: 'A time, or a day of London, which is included.',
          example: '2026-11-30',
        }),
        format: oneOf(['json', 'csv']).meta({ description: '`json` if not given.', example: 'json' }),
      }),
      response: { 200: WatchHistory },
      handler: async (request, reply) => {
        const { params, query } = request;
        const watch = orNotFound(await watches(db).byId(await request.teamId(), params.id), UNKNOWN);
        const today = londonDay(now());
        const span = spanOf(query, londonDay(new Date(now().getTime() - MONTH_MS)), today);
        const found = await matchesBetween(db, watch.id, span, HISTORY_LIMITS.matches + 1);
        const all = found.slice(0, HISTORY_LIMITS.matches);
        const certain = all.filter(({ level }) => level === 'certain');
        const possible = all.filter(({ level }) => level === 'possible');
        const isCsv = query.format ? query.format.toLowerCase() === 'csv' : wantsCsv(request.headers.accept);
        if (isCsv) {
          const name = encodeURIComponent(historyFile(watch.name, londonDay(span.from)));
          const bytes = Buffer.from(historyCsv({ certain, possible }));
          // The answer bypasses the serialiser, which knows only JSON.
          return reply
            .type('text/csv; charset=utf-8; header=present')
            .header('content-disposition', `attachment; filename*=UTF-8''${name}`)
            .send(bytes as never);
        }
        const { recorded_from } = await past.recorded();
        return {
          watch: { id: watch.id, name: watch.name, checking: watch.checking },
          from: iso(span.from),
          to: iso(span.to),
          recorded_from,
          certain,
          possible,
          total: all.length,
          complete: found.length === all.length,
        };
      },
    });
  };

function spanOf(
  { from, to }: { from?: string | undefined; to?: string | undefined },
  fromDay: string,
  toDay: string,
): { from: Date; to: Date } {
  const span = { from: startOf(from ?? fromDay), to: endOf(to ?? (from && from > toDay ? from : toDay)) };
  if (span.from >= span.to) throw badInput(BACKWARDS);
  return span;
}

const wantsCsv = (accept: string | undefined) => /^\s*text\/csv\b/i.test(accept ?? '');
