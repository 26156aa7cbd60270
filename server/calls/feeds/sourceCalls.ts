/** /api/v1/admin/sources: the state of each source; turning a source off or on, and polling it now. */
import type { Calls } from '../callParts.ts';
import { z } from 'zod';
import { SourceReports, SourceSwitch } from '#contract/feeds/sourceReports.ts';
import { knownSource } from '#contract/feeds/knownSources.ts';
import { type Actor, auditTrail } from '../../accounts/auditTrail.ts';
import { collections } from '../../incidents/collectionState.ts';
import { demotions } from '../../watches/matching/demotionStore.ts';
import type { Db } from '../../db/open.ts';
import { sourceReports } from './sourceReports.ts';
import { missingSettings } from '../../incidents/collector.ts';
import { conflict, tooMany, orNotFound } from '../../refusals.ts';

/** A publisher is asked at most once in this time, however many people are in a hurry. */
const ASK_AGAIN_SECONDS = 10;

const UNKNOWN = 'There is no such source.';
const BY_HAND = 'An administrator demoted it';
const IS_OFF = 'This source is off. Turn it on first.';
const notSetUp = (missing: readonly string[]) => `This source is not set up: it needs ${missing.join(', ')}.`;
const ASKED = `It was asked a moment ago. Try again in ${ASK_AGAIN_SECONDS} seconds.`;

export const sourceCalls: Calls =
  ({ db, config, collectors, now, onSourceAsked, onWatchesChanged }) =>
  async (app) => {
    const Name = z.object({
      source: z.string().max(64).meta({ description: 'The source’s name.', example: 'tfl' }),
    });
    const known = (source: string) => {
      return orNotFound(
        collectors.find((one) => one.source === source),
        UNKNOWN,
      );
    };
    const note = (trx: Db, admin: Actor, action: string, source: string, detail?: string) => {
      const subject = { id: source, name: knownSource(source).displayName };
      return auditTrail(trx).note(admin, action, subject, now(), detail);
    };

    app.get('/', {
      who: 'admin',
      costs: 'list',
      operationId: 'listSourceReports',
      summary: 'How each source stands',
      description:
        'Sources in trouble come first. `failing`: it cannot be read. `silent`: it answers, but with nothing to rely on. ' +
        '`not_set_up`: a setting is missing. `off`: an administrator turned it off. `routes`: how many of the ' +
        'caller’s team rely on it. `demoted`: for all teams. `demoted_by`: how many teams have demoted it for ' +
        'themselves.',
      response: { 200: SourceReports },
      handler: async (request) => {
        const sources = await sourceReports(
          { db, collectors, settings: config.settings, mode: config.teams, now },
          await request.teamId(),
        );
        return { sources, total: sources.length, generated_at: now().toISOString() };
      },
    });

    app.patch('/:source', {
      who: 'admin',
      meanings: { 204: 'The source is off, or on and asked at once.' },
      refusals: { 404: UNKNOWN },
      operationId: 'switchSource',
      summary: 'Turn a source off or on',
      description:
        'A source that is off is not asked. It counts as not connected everywhere; its alerts end when they are too old to rely on.',
      params: Name,
      body: SourceSwitch,
      handler: async ({ params: { source }, body: { off }, user: admin }) => {
        const collector = known(source);
        await collections(db).ensure(source, missingSettings(collector, config.settings).length === 0);
        await db.transaction().execute(async (trx) => {
          if (!(await collections(trx).turn(source, off ? admin.id : null, now()))) return;
          await note(trx, admin, off ? 'source.turned_off' : 'source.turned_on', source);
          if (!off) await collections(trx).ask(source, now());
        });
        onSourceAsked?.();
      },
    });

    app.post('/:source/demote', {
      who: 'admin',
      meanings: { 204: 'Its matches are only possible from now on.' },
      refusals: { 404: UNKNOWN },
      operationId: 'demoteSource',
      summary: 'Demote a source',
      description:
        'For every team, until it is restored. A team that marks too many of its messages as not ours demotes it ' +
        'for itself alone.',
      params: Name,
      handler: async ({ params: { source }, user: admin }) => {
        known(source);
        await db.transaction().execute(async (trx) => {
          const teams = (await demotions(trx).inForce()).filter((one) => one.source === source).length;
          const why = teams > 0 ? `${teams} ${teams === 1 ? 'team has' : 'teams have'} demoted it` : BY_HAND;
          if (!(await demotions(trx).demote(null, source, why, now()))) return;
          await note(trx, admin, 'source.demoted', source, `For all teams: ${why}`);
        });
        onWatchesChanged?.();
      },
    });

    app.post('/:source/restore', {
      who: 'admin',
      meanings: { 204: 'Its matches count as certain again.' },
      refusals: { 404: UNKNOWN },
      operationId: 'restoreSource',
      summary: 'Restore a demoted source',
      description:
        'For every team. A team demotes a source for itself when it has marked more than 5 % of the source’s messages ' +
        'in 7 days as not ours: matches are then only possible, and nothing is sent at once. Marks made before the ' +
        'source was restored no longer count.',
      params: Name,
      handler: async ({ params: { source }, user: admin }) => {
        known(source);
        await db.transaction().execute(async (trx) => {
          if (!(await demotions(trx).restore(source, now()))) return;
          await note(trx, admin, 'source.restored', source);
        });
        onWatchesChanged?.();
      },
    });

    app.post('/:source/try', {
      who: 'admin',
      meanings: { 202: 'It is asked as soon as possible: `last_attempt` then says so.' },
      refusals: { 404: UNKNOWN, 409: IS_OFF, 429: ASKED },
      operationId: 'trySource',
      summary: 'Poll a source now',
      description: 'On whichever node collects it, within half a minute; usually at once.',
      params: Name,
      response: { 202: z.object({ asked_at: z.iso.datetime() }) },
      handler: async ({ params: { source } }) => {
        const missing = missingSettings(known(source), config.settings);
        if (missing.length > 0) throw conflict(notSetUp(missing));
        await collections(db).ensure(source, true);
        const row = await collections(db).of(source);
        if (row?.off_at) throw conflict(IS_OFF);
        const since = now().getTime() - Date.parse(row?.asked_at ?? row?.last_attempt ?? '');
        if (since >= 0 && since < ASK_AGAIN_SECONDS * 1000) throw tooMany(ASKED, ASK_AGAIN_SECONDS);
        await collections(db).ask(source, now());
        onSourceAsked?.();
        return { asked_at: now().toISOString() };
      },
    });
  };
