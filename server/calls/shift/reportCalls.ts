/** /api/v1/reports: drivers' reports to the caller's team. Nobody outside the team can read them. */
import type { Calls } from '../callParts.ts';
import { z } from 'zod';
import { LONDON_CLOCK } from '#contract/london.ts';
import { OwnReport, REPORT_LIMITS, ReportChange, ReportRequest } from '#contract/shift/responses.ts';
import { ownReports } from '../../shift/ownReports.ts';
import { watches } from '../../watches/watchStore.ts';
import { example } from '../reference/examples.ts';
import { badInput, conflict, notFound, orNotFound } from '../../refusals.ts';
import { reportPlace } from '../../shift/reportPlace.ts';
import { revOf } from '../../http/calls/parameters.ts';
import { USED } from './responseCalls.ts';

const UNKNOWN = 'There is no such report. It may have ended.';
const UNKNOWN_ROUTE = 'There is no such route. It may have been deleted.';
const FULL = `A team may have ${REPORT_LIMITS.perTeam} reports at a time. End one first.`;
const PAST = 'ask_again_at must be in the future.';
const TOO_LONG = 'ask_again_at may be at most 24 hours ahead.';
const NO_REV = 'Send If-Match with the rev of the report that you loaded, such as 1.';

const EventId = z.object({
  event_id: z.string().max(1000).meta({
    description: 'The report’s `event_id`, percent-encoded.',
    example: example.ownReport.disruption.event_id,
  }),
});

export const reportCalls: Calls =
  ({ db, onWatchesChanged, now }) =>
  async (app) => {
    const reports = ownReports(db);
    const answered = async (teamId: string, id: string): Promise<OwnReport> =>
      (await reports.byId(teamId, id))!; // it was stored a moment ago

    app.get('/:event_id', {
      who: 'user',
      costs: 'list',
      refusals: { 404: UNKNOWN },
      operationId: 'readReport',
      summary: 'One of the team’s own reports, in force or ended',
      description: 'Another team’s is a 404, as any unknown id.',
      params: EventId,
      response: { 200: OwnReport },
      handler: async (request) => {
        return orNotFound(await reports.byId(await request.teamId(), request.params.event_id), UNKNOWN);
      },
    });

    app.post('/', {
      who: 'user',
      meanings: { 201: 'The report was stored.' },
      refusals: { 404: UNKNOWN_ROUTE, 409: `${FULL} Or: ${USED}` },
      operationId: 'addReport',
      summary: 'Add a report, such as a driver’s',
      description:
        'With a road and its junctions, a place, or kilometres of a route. A place may name a road (“A64 at Tadcaster”) ' +
        'or be one of a route’s own; the title has it. The report is matched to routes like any incident, and is never in ' +
        'feeds, summaries or lists of incidents. Its end is not known: at `ask_again_at`, in two hours where that is ' +
        'left out and in 24 at the latest, its author is asked, and after half an hour without an answer it is no longer ' +
        'known. `id` is made by the caller: sent again, it counts once. With an `at` in the past, of a device that was ' +
        'offline, it may have to be asked about at once.',
      body: ReportRequest,
      response: { 201: OwnReport },
      handler: async (request) => {
        const { body, user } = request;
        const teamId = await request.teamId();
        const time = now();
        const said = body.at === undefined ? time : new Date(body.at);
        const at = said > time ? time : said;
        const watch = body.watch_id === undefined ? null : await watches(db).byId(teamId, body.watch_id);
        if (watch === undefined) throw notFound(UNKNOWN_ROUTE);
        const { geometry, metadata, facts, latitude, longitude } = await reportPlace(body, {
          route: watch,
          routes: () => watches(db).legsOfRoutes(teamId, REPORT_LIMITS.legsLength),
        });
        const added = await reports.add(
          { teamId, userId: user.id },
          {
            id: body.id,
            at: at.toISOString(),
            title: body.title,
            severity: body.severity,
            note: body.note,
            latitude,
            longitude,
            geometry: geometry && JSON.stringify(geometry),
            metadata: JSON.stringify(metadata),
            facts: JSON.stringify(facts),
            ask_again_at:
              askAgainAt(body.ask_again_at, time, { isLate: at < time }) ??
              later(time, REPORT_LIMITS.defaultMs),
          },
          time,
        );
        if (added === 'full') throw conflict(FULL);
        if (added === 'used') throw conflict(USED);
        onWatchesChanged?.();
        return await answered(teamId, added.event_id);
      },
    });

    app.patch('/:event_id', {
      who: 'user',
      refusals: { 404: UNKNOWN, 409: 'Changed by Rosa Jones at 08:12. Load it again.', 428: NO_REV },
      operationId: 'changeReport',
      summary: 'Change one of the team’s own reports, or end it',
      description: 'With `If-Match`: the `rev` that was loaded. Fields that are left out stay.',
      params: EventId,
      body: ReportChange,
      response: { 200: OwnReport },
      handler: async (request) => {
        const { event_id } = request.params;
        const { ended, title, severity, note } = request.body;
        const rev = revOf(request, NO_REV);
        const teamId = await request.teamId();
        const ask_again_at = askAgainAt(request.body.ask_again_at, now());
        const changed = await reports.change(
          { teamId, userId: request.user.id },
          { eventId: event_id, rev },
          {
            ...(title !== undefined && { title }),
            ...(severity !== undefined && { severity }),
            ...(note !== undefined && { note }),
            ...(ask_again_at !== undefined && { ask_again_at }),
            ...(ended && { ended }),
          },
          now(),
        );
        if (changed.outcome === 'unknown') throw notFound(UNKNOWN);
        if (changed.outcome === 'stale') {
          const clock = LONDON_CLOCK.format(new Date(changed.at));
          throw conflict(`Changed by ${changed.by.name} at ${clock}. Load it again.`);
        }
        onWatchesChanged?.();
        return answered(teamId, event_id);
      },
    });
  };

const later = (at: Date, ms: number) => new Date(at.getTime() + ms).toISOString();

/** When the team is asked whether a report still holds. A report that was typed offline can arrive after that time:
 *  then the team is asked at once. */
function askAgainAt(asked: string | undefined, now: Date, { isLate = false } = {}): string | undefined {
  if (asked === undefined) return undefined;
  const ms = Date.parse(asked) - now.getTime();
  if (ms <= 0 && isLate) return now.toISOString();
  if (ms <= 0) throw badInput(PAST);
  if (ms > REPORT_LIMITS.longestMs) throw badInput(TOO_LONG);
  return new Date(asked).toISOString();
}
