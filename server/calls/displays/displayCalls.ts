/** /api/v1/admin/displays: every display, for administrators. /api/v1/displays: the routes that a team's displays
 *  show. */
import { DAY_MS, HOUR_MS } from '#contract/durations.ts';
import type { FastifyRequest } from 'fastify';
import type { Calls } from '../callParts.ts';
import { z } from 'zod';
import {
  Display,
  DisplayChange,
  DisplayList,
  DisplayRevocation,
  DisplayRoutes,
  TeamDisplayList,
} from '#contract/displays/displays.ts';
import { DisplayChanges, LookedAt, type NetChange } from '#contract/incidents/changes.ts';
import { londonDay } from '#contract/london.ts';
import { dayAfter, NOW_HOURS } from '#contract/watches/departures.ts';
import { DisplayJobList } from '#contract/watches/jobs.ts';
import { WatchList } from '#contract/watches/watches.ts';
import { example } from '../reference/examples.ts';
import { DISPLAY_REFRESH_DAYS } from '../../accounts/tokens.ts';
import { ACTS_FULL, auditTrail } from '../../accounts/auditTrail.ts';
import { displays } from '../../accounts/displays/displays.ts';
import { layouts } from '../../accounts/displays/layouts.ts';
import type { Db } from '../../db/open.ts';
import { teams } from '../../accounts/teams.ts';
import { users } from '../../accounts/users.ts';
import { jobs } from '../../watches/jobs/jobStore.ts';
import { watches } from '../../watches/watchStore.ts';
import { answer, send } from '../../http/answers/readyAnswers.ts';
import { idOf, optional } from '../../http/calls/parameters.ts';
import { changesSummary } from '../../shift/changesSummary.ts';
import { badInput, conflict, notFound, orNotFound } from '../../refusals.ts';

const UNKNOWN = 'Display not found';
const NOT_PAIRED = 'This display is no longer paired. Enter the code that it shows at /pair.';
const NOT_OUR_ROUTES = 'One of these is no route of your team. The list may be out of date.';

const DisplayId = z.object({
  id: idOf('display', example.display.id),
});

export const displayAdminCalls: Calls =
  ({ db, now }) =>
  async (app) => {
    const known = async (id: string): Promise<Display> => {
      return orNotFound(await displays(db).byId(id, now()), UNKNOWN);
    };

    app.get('/', {
      who: 'admin',
      costs: 'list',
      operationId: 'listDisplays',
      summary: 'Every display, by name',
      description: 'With its state and its last report.',
      response: { 200: DisplayList },
      handler: async () => {
        const all = await displays(db).all(now());
        return { displays: all, total: all.length };
      },
    });

    app.patch('/:id', {
      who: 'admin',
      refusals: { 404: UNKNOWN },
      operationId: 'changeDisplay',
      summary: 'Rename a display, move it to another account, or let it show first names',
      description: 'A field that is left out keeps its value.',
      params: DisplayId,
      body: DisplayChange,
      response: { 200: Display },
      handler: async ({ params: { id }, body: { name, owner_id, show_names }, user: admin }) => {
        const before = await known(id);
        const owner = owner_id === undefined ? undefined : await users(db).byId(owner_id);
        if (owner_id !== undefined && !owner?.is_active)
          throw badInput('owner_id must be that of an active user');
        const note = (trx: Db, action: string, detail: string) =>
          auditTrail(trx).note(admin, action, before, now(), detail);
        await db.transaction().execute(async (trx) => {
          if (name !== undefined && name !== before.name) {
            await displays(trx).rename(id, name);
            await layouts(trx).ask([id], now());
            await note(trx, 'display.renamed', `to ${name}`);
          }
          if (owner && owner.id !== before.owner?.id) {
            await displays(trx).giveTo(id, owner.id);
            await layouts(trx).ask([id], now());
            // The note leaves out the person's name: after a deletion the trail removes a name only where it is actor
            // or subject.
            await note(trx, 'display.given', owner.id === admin.id ? 'taken over' : '');
          }
          if (show_names !== undefined && show_names !== before.show_names) {
            await displays(trx).setShowsNames(id, show_names);
            await note(trx, 'display.names', show_names ? 'shown' : 'not shown');
          }
        });
        return known(id);
      },
    });

    app.post('/:id/renew', {
      who: 'admin',
      refusals: { 404: UNKNOWN, 409: NOT_PAIRED },
      operationId: 'renewDisplay',
      summary: 'Approve a display for another year',
      description:
        'From now on. Without it a display is signed out a year after its approval, and shows a new code.',
      params: DisplayId,
      response: { 200: Display },
      handler: async ({ params: { id }, user }) => {
        const { name, state } = await known(id);
        if (state !== 'paired') throw conflict(NOT_PAIRED);
        await db.transaction().execute(async (trx) => {
          const aliveUntil = new Date(now().getTime() + DISPLAY_REFRESH_DAYS * DAY_MS);
          await displays(trx).renew(id, aliveUntil, now());
          await auditTrail(trx).note(user, 'display.renewed', { id, name }, now());
        });
        return known(id);
      },
    });

    app.post('/:id/revoke', {
      who: 'admin',
      refusals: { 404: UNKNOWN },
      operationId: 'revokeDisplay',
      summary: "Revoke a display's credential",
      description:
        'The display keeps its last board, marked as signed out, and shows a new code. `blank`: it clears its board as well.',
      params: DisplayId,
      body: DisplayRevocation,
      response: { 200: Display },
      handler: async ({ params: { id }, body, user }) => {
        const { name } = await known(id);
        const blank = body?.blank ?? false;
        await db.transaction().execute(async (trx) => {
          await displays(trx).revoke(id, { blank }, now());
          const action = blank ? 'display.blanked' : 'display.revoked';
          await auditTrail(trx).note(user, action, { id, name }, now());
        });
        return known(id);
      },
    });
  };

/**
 * The routes that a team's displays show: a lead or administrator of the team gives them, and the display reads them.
 */
export const teamDisplayCalls: Calls =
  ({ db, config, watchAnswers, now }) =>
  async (app) => {
    const summaries = changesSummary(db);

    /** Only displays of the caller's own team. A display of another team is answered as unknown. */
    const known = async (request: FastifyRequest, id: string) => {
      const display = await displays(db).byId(id, now());
      const teamId = await request.teamId();
      const owners = display?.owner && (await teams(db, config.teams).of(display.owner.id, now()));
      if (!display || owners?.id !== teamId) throw notFound(UNKNOWN);
      return { display, teamId };
    };
    const given = async (id: string, teamId: string) => {
      const own = await watches(db).brief(teamId, await displays(db).routesOf(id));
      return { watch_ids: own.map((watch) => watch.id) };
    };

    app.get('/', {
      who: 'lead',
      costs: 'list',
      operationId: 'listTeamDisplays',
      summary: 'The displays of the caller’s team, by name',
      description:
        'The paired displays that its members approved, each with the layout and message that it was asked to show, and whether it has taken them.',
      response: { 200: TeamDisplayList },
      handler: async (request) => {
        const members = await teams(db, config.teams).memberIds(await request.teamId());
        const own = await layouts(db).displaysOf(members, now());
        return { displays: own, total: own.length };
      },
    });

    app.get('/me/routes', {
      who: 'display',
      costs: 'board',
      operationId: 'listDisplayRoutes',
      summary: 'The routes that this display shows',
      description:
        'In the form of `GET /watches`. The routes belong to the team of the person who approved the display.',
      response: { 200: WatchList },
      handler: async (request, reply) => {
        const teamId = await request.teamId();
        const ids = await displays(db).routesOf(request.displayId);
        return send(request, reply, await watchAnswers.list(teamId, ids));
      },
    });

    app.get('/me/jobs', {
      who: 'display',
      costs: 'board',
      operationId: 'listDisplayJobs',
      summary: 'Today’s jobs on the routes that this display shows',
      description:
        'By the time at which they leave, without vehicle, driver, reference and note. Among them are the team’s jobs ' +
        'without a route, jobs of days before that still run, and tomorrow’s jobs that leave within two hours. A display ' +
        'without routes has none.',
      response: { 200: DisplayJobList },
      handler: async (request) => {
        const teamId = await request.teamId();
        const day = londonDay(now());
        const shown = new Set((await given(request.displayId, teamId)).watch_ids);
        if (shown.size === 0) return { day, jobs: [], total: 0 };
        const open = (await jobs(db).live(teamId, now())).filter(
          (job) => job.day === day || (job.arrived_at === null && job.cancelled_at === null),
        );
        const soon = new Date(now().getTime() + NOW_HOURS * HOUR_MS);
        const after =
          londonDay(soon) === day
            ? []
            : (await jobs(db).ofDay(teamId, dayAfter(day))).filter(
                ({ leaves_at }) => Date.parse(leaves_at) <= soon.getTime(),
              );
        const own = [...open, ...after].filter(({ watch_id }) => watch_id === null || shown.has(watch_id));
        return { day, jobs: own, total: own.length };
      },
    });

    app.get('/me/changes', {
      who: 'display',
      costs: 'past',
      operationId: 'listDisplayChanges',
      summary: 'What changed in the last 24 hours, for this display',
      description:
        'The changes of `GET /changes/summary`, without who has seen them. Only the routes of this display are named.',
      querystring: z.object({
        screen: optional(z.enum(LookedAt.options)).meta({
          description:
            '`board` (the default): all incidents. `routes`: incidents that touch routes of this display.',
          example: 'board',
        }),
      }),
      response: { 200: DisplayChanges },
      handler: async (request, reply) => {
        const { screen = 'board' } = request.query;
        const { userId } = request.caller!; // a guard has found the display
        const { id: teamId, shift_starts: shiftStarts } = await request.team();
        const asked = { since: 'day', screen } as const;
        const caller = { userId, teamId, shiftStarts, isPerson: false };
        const { complete, ...all } = await summaries.answer(caller, asked, now());
        const shown = new Set((await given(request.displayId, teamId)).watch_ids);
        const changes = screen === 'board' ? all.changes : onRoutes(all.changes, shown);
        // The answer leaves out the beginning of the span, which changes each minute, so that an unchanged list keeps
        // its ETag.
        return send(
          request,
          reply,
          answer(DisplayChanges.parse({ complete, changes, total: changes.length })),
        );
      },
    });

    app.get('/:id/routes', {
      who: 'lead',
      costs: 'list',
      refusals: { 404: UNKNOWN },
      operationId: 'readDisplayRoutes',
      summary: 'Which routes a display shows',
      description: 'Only displays of the caller’s own team.',
      params: DisplayId,
      response: { 200: DisplayRoutes },
      handler: async (request) => {
        const { display, teamId } = await known(request, request.params.id);
        return given(display.id, teamId);
      },
    });

    app.put('/:id/routes', {
      who: 'lead',
      refusals: { 404: UNKNOWN, 429: ACTS_FULL },
      operationId: 'giveDisplayRoutes',
      summary: 'Choose the routes that a display shows',
      description:
        'These and no others, of the caller’s own team, on a display of that team. Anybody who sees the screen sees them.',
      params: DisplayId,
      body: DisplayRoutes,
      response: { 200: DisplayRoutes },
      handler: async (request) => {
        const { display, teamId } = await known(request, request.params.id);
        const ids = [...new Set(request.body.watch_ids)];
        if ((await watches(db).brief(teamId, ids)).length < ids.length) throw badInput(NOT_OUR_ROUTES);
        await db.transaction().execute(async (trx) => {
          await displays(trx).giveRoutes(display.id, ids);
          await layouts(trx).ask([display.id], now());
          // The trail gets only the number of routes: which routes they are is the team's business.
          const detail = `${ids.length} ${ids.length === 1 ? 'route' : 'routes'}`;
          await auditTrail(trx).note(request.user, 'display.routes_given', display, now(), detail);
        });
        return given(display.id, teamId);
      },
    });
  };

const onRoutes = (changes: readonly NetChange[], shown: ReadonlySet<string>): NetChange[] =>
  changes.flatMap((change) => {
    const watch_ids = change.watch_ids?.filter((id) => shown.has(id)) ?? [];
    return watch_ids.length > 0 ? { ...change, watch_ids } : [];
  });
