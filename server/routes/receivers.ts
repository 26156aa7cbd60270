/** /api/v1/receivers: the channels by which the caller and the team are notified, and what they chose. */
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import {
  NewReceiver,
  PauseRequest,
  type Receiver,
  ReceiverList,
  ReceiverRequest,
} from '#contract/messages.ts';
import { FOR_LEADS } from '../auth/guard.ts';
import type { Config } from '../config.ts';
import type { Db } from '../db/open.ts';
import { type NewReceiverRow, receivers as receiversIn, settingsOf } from '../db/receivers.ts';
import type { ReceiversTable } from '../db/schema.ts';
import { teams } from '../db/teams.ts';
import * as example from '../docs/examples.ts';
import { perMinute, perSpan } from '../http/perMinute.ts';
import { type Links, links as linksOf, type Purpose } from '../messages/links.ts';
import { notices } from '../messages/notices.ts';
import { receiverSeal } from '../messages/seal.ts';
import { conflict, forbidden, notFound, tooMany } from '../refusals.ts';
import type { Secrets } from '../secrets.ts';

interface Parts {
  db: Db;
  config: Pick<Config, 'teams' | 'mail'>;
  secrets: Secrets;
  now: () => Date;
  /** A message waits to be sent. */
  onMessage?: () => void;
}

const UNKNOWN = 'There is no such receiver. It may have been removed.';
const NO_EMAIL = 'E-mail is not set up on this server.';
const TESTS_PER_MINUTE = 5;
const TESTS = `Only ${TESTS_PER_MINUTE} tests a minute. Try again in a minute.`;
/** To addresses that nobody has confirmed: those may be anybody's. */
const CONFIRMATIONS_PER_HOUR = 5;
const CONFIRMATIONS = `Only ${CONFIRMATIONS_PER_HOUR} confirmations by e-mail an hour. Try again in an hour.`;
const HOUR_SECONDS = 60 * 60;
const MOST = 30;
const FULL = `At most ${MOST} receivers. Remove one first.`;

/** Machines sleep at no time. */
const OF_THE_TEAM = { quiet: null, digest: 'off', hide_details: false } as const;

const Id = z.object({
  id: z.string().max(80).meta({ description: 'The receiver’s id.', example: example.receiver.id }),
});

export const receiverRoutes =
  (parts: Parts): FastifyPluginAsyncZod =>
  async (app) => {
    const { db, config, now, onMessage } = parts;
    const receivers = receiversIn(db);
    const seal = receiverSeal(parts.secrets);
    const links = linksOf(parts.secrets);
    const mayTest = perMinute(TESTS_PER_MINUTE, now);
    const mayConfirm = perSpan(CONFIRMATIONS_PER_HOUR, HOUR_SECONDS * 1000, now);
    const teamOf = async ({ caller }: FastifyRequest) =>
      (await teams(db, config.teams).of(caller!.userId, now())).id; // a guard has found the caller

    const own = async (request: FastifyRequest & { params: { id: string } }): Promise<ReceiversTable> => {
      const all = await receivers.of(request.user.id, await teamOf(request));
      const found = all.find(({ id, kind }) => id === request.params.id && kind !== 'app');
      if (!found) throw notFound(UNKNOWN);
      return found;
    };

    /** What is sent to the whole team is for its leads to say. */
    const mustLead = async ({ server, user }: FastifyRequest) => {
      if (!(await server.isLead(user))) throw forbidden(FOR_LEADS);
    };

    app.get(
      '/',
      {
        config: { who: 'user', answer: example.receiverList },
        schema: {
          operationId: 'listReceivers',
          summary: 'By which channels the caller and the team are notified',
          description:
            'The caller’s own, then the team’s. The list in the app is always there. `settings` hold for all of the ' +
            'caller’s own.',
          response: { 200: ReceiverList },
        },
      },
      async (request) => {
        const { user } = request;
        const teamId = await teamOf(request);
        const app = await receivers.appOf(user.id, teamId, now());
        const all = (await receivers.of(user.id, teamId)).filter(({ kind }) => kind !== 'app');
        const inOrder = [
          ...all.filter(({ user_id }) => user_id !== null),
          ...all.filter(({ user_id }) => user_id === null),
        ];
        return {
          receivers: inOrder.flatMap((row) => toReceiver(row) ?? []),
          total: all.length,
          settings: settingsOf(app),
          paused_until: ahead(app.paused_until, now()),
          has_email: config.mail !== undefined,
        };
      },
    );

    app.post(
      '/',
      {
        config: {
          who: 'user',
          body: example.receiverRequest,
          answer: { receiver: example.receiver },
          meanings: { 201: 'The receiver was stored, or the settings were.' },
          refusals: { 403: FOR_LEADS, 409: NO_EMAIL, 429: CONFIRMATIONS },
        },
        schema: {
          operationId: 'createReceiver',
          summary: 'Add a channel, or choose for all of one’s own',
          description:
            '`push`: this device, until its sign-in ends. `email`: an address, once the link in the first message was ' +
            'followed. `webhook`, `slack`, `teams`: an https address of the whole team, by its leads; the `secret` of a webhook is in ' +
            'this answer alone. `settings`: quiet hours, digest and privacy of the caller’s own channels. The same target ' +
            'again renews its receiver.',
          body: ReceiverRequest,
          response: { 201: NewReceiver },
        },
      },
      async (request, reply) => {
        const { body, user } = request;
        if (isOfTeam(body.kind)) await mustLead(request);
        const teamId = await teamOf(request);
        const at = now();
        const inApp = await receivers.appOf(user.id, teamId, at);
        if (body.kind === 'settings') {
          const { kind: _, ...settings } = body;
          await receivers.choose(user.id, settings, at);
          return reply.code(201).send({ receiver: null });
        }
        if (body.kind === 'email' && !config.mail) throw conflict(NO_EMAIL);

        const id = randomUUID();
        const common = {
          id,
          team_id: teamId,
          session_id: null,
          secret: null,
          confirmed_at: at.toISOString(),
        };
        const sealed = (target: string) => seal.seal(target, { id, teamId });
        const secret = body.kind === 'webhook' ? `whsec_${randomBytes(24).toString('base64')}` : null;
        const row: NewReceiverRow =
          body.kind === 'push'
            ? {
                ...common,
                user_id: user.id,
                session_id: sessionOf(request),
                kind: 'push',
                name: body.name,
                target: sealed(JSON.stringify(body.subscription)),
                target_hash: hashOf('push', body.subscription.endpoint),
              }
            : body.kind === 'email'
              ? {
                  ...common,
                  user_id: user.id,
                  kind: 'email',
                  name: body.address,
                  target: sealed(body.address),
                  target_hash: hashOf('email', user.id, body.address.toLowerCase()),
                  confirmed_at: null,
                }
              : {
                  ...common,
                  user_id: null,
                  kind: body.kind,
                  name: body.name,
                  target: sealed(body.url),
                  target_hash: hashOf(body.kind, teamId, body.url),
                  secret: secret && sealed(secret),
                };
        const before = await receivers.byHash(row.target_hash);
        if (!before && (await receivers.of(user.id, teamId)).length > MOST) throw conflict(FULL);
        if (body.kind === 'email' && !before?.confirmed_at && !mayConfirm(user.id))
          throw tooMany(CONFIRMATIONS, HOUR_SECONDS);
        const settings = row.user_id === null ? OF_THE_TEAM : settingsOf(inApp);
        const stored = await receivers.add(row, settings, at);
        if (stored.id !== id) {
          // Sealed for its own row.
          const target = seal.seal(targetOf(body), { id: stored.id, teamId: stored.team_id });
          await receivers.setTarget(stored.id, target);
        }
        if (stored.kind === 'email' && stored.confirmed_at === null) {
          await notices(db).confirm(stored, links, at);
          onMessage?.();
        }
        return reply.code(201).send({
          receiver: toReceiver(stored),
          ...(secret && stored.id === id && { secret }),
        });
      },
    );

    app.delete(
      '/:id',
      {
        config: {
          who: 'user',
          meanings: { 204: 'Nothing is sent there any more.' },
          refusals: { 403: FOR_LEADS, 404: UNKNOWN },
        },
        schema: {
          operationId: 'deleteReceiver',
          summary: 'Remove a channel',
          description: 'One of the caller’s own, or one of the team.',
          params: Id,
          response: { 204: z.null() },
        },
      },
      async (request, reply) => {
        const { id, user_id } = await own(request);
        if (user_id === null) await mustLead(request);
        if (!(await receivers.remove(id, request.user.id, await teamOf(request)))) throw notFound(UNKNOWN);
        return reply.code(204).send(null);
      },
    );

    app.post(
      '/:id/test',
      {
        config: {
          who: 'user',
          meanings: { 202: 'A test is on its way.' },
          refusals: { 403: FOR_LEADS, 404: UNKNOWN, 429: TESTS },
        },
        schema: {
          operationId: 'testReceiver',
          summary: 'Send a test there',
          description:
            'It says that it is a test, and goes whatever the quiet hours. The list of messages says how it went.',
          params: Id,
          response: { 202: z.null() },
        },
      },
      async (request, reply) => {
        const receiver = await own(request);
        if (receiver.user_id === null) await mustLead(request);
        if (!mayTest(request.user.id)) throw tooMany(TESTS, 60);
        await notices(db).test(receiver, now());
        onMessage?.();
        return reply.code(202).send(null);
      },
    );

    app.post(
      '/pause',
      {
        config: { who: 'user', body: { minutes: 60 }, meanings: { 204: 'The pause ends by itself.' } },
        schema: {
          operationId: 'pauseReceivers',
          summary: 'Hold back everything for a while',
          description:
            'On all of the caller’s own channels; 0 ends it. What was held back is sent afterwards if it still holds.',
          body: PauseRequest,
          response: { 204: z.null() },
        },
      },
      async (request, reply) => {
        const { user, body } = request;
        await receivers.appOf(user.id, await teamOf(request), now());
        await receivers.pause(
          user.id,
          body.minutes === 0 ? null : new Date(now().getTime() + body.minutes * 60_000),
        );
        return reply.code(204).send(null);
      },
    );

    await app.register(linkRoutes({ db, links, now }));
  };

const PAGES: Readonly<Record<Purpose, { ask: string; button: string; done: string }>> = {
  confirm: {
    ask: 'Send Clearway messages to this address?',
    button: 'Confirm this address',
    done: 'This address is confirmed.',
  },
  unsubscribe: {
    ask: 'End Clearway messages to this address?',
    button: 'End messages',
    done: 'No more messages are sent to this address.',
  },
};
const DEAD_LINK = 'This link is no longer valid.';

/** Where the links in e-mails lead. Nothing happens before a button is pressed: mail scanners open every link. */
const linkRoutes =
  ({ db, links, now }: { db: Db; links: Links; now: () => Date }): FastifyPluginAsyncZod =>
  async (app) => {
    // One click in a mail program, which sends either (RFC 8058), and the form of the page.
    app.addContentTypeParser(
      ['multipart/form-data', 'application/x-www-form-urlencoded'],
      { parseAs: 'string', bodyLimit: 1024 },
      (_request, _body, done) => done(null, undefined),
    );
    const page = (reply: FastifyReply, text: string, button = '') =>
      reply
        .type('text/html; charset=utf-8')
        .header('referrer-policy', 'no-referrer')
        .send(
          `<!doctype html><html lang="en-GB"><meta charset="utf-8"><meta name="viewport" content="width=device-width">` +
            `<title>Clearway</title><h1>Clearway</h1><p>${text}</p>${button && `<form method="post"><button>${button}</button></form>`}</html>`,
        );
    for (const purpose of ['confirm', 'unsubscribe'] as const) {
      const { ask, button, done } = PAGES[purpose];
      const schema = {
        params: z.object({
          token: z.string().max(200).meta({ description: 'As in the e-mail.', example: 'r1.c2lnbmVk' }),
        }),
        response: { 200: z.string().meta({ description: 'A page.' }) },
      };
      app.get(
        `/${purpose}/:token`,
        {
          config: { who: 'anyone', answer: '<!doctype html>…', refusals: { 404: DEAD_LINK } },
          schema: {
            ...schema,
            operationId: `${purpose}Page`,
            summary: purpose === 'confirm' ? 'Ask whether an address is right' : 'Ask whether to end e-mails',
            description: 'A page with one button. Its address stands in e-mails.',
          },
        },
        async ({ params }, reply) => {
          const id = links.read(purpose, params.token);
          const known = id !== null && (await receiversIn(db).byId(id)) !== undefined;
          if (!known) throw notFound(DEAD_LINK);
          return page(reply, ask, button);
        },
      );
      app.post(
        `/${purpose}/:token`,
        {
          config: { who: 'anyone', answer: '<!doctype html>…', refusals: { 404: DEAD_LINK } },
          schema: {
            ...schema,
            operationId: purpose === 'confirm' ? 'confirmAddress' : 'unsubscribe',
            summary:
              purpose === 'confirm' ? 'Confirm an e-mail address' : 'End messages to an e-mail address',
            description: 'By the button of that page, or by one click in the mail program.',
          },
        },
        async ({ params }, reply) => {
          const id = links.read(purpose, params.token);
          const isDone =
            id !== null &&
            (purpose === 'confirm'
              ? await receiversIn(db).confirm(id, now())
              : await receiversIn(db).removeById(id));
          if (!isDone) throw notFound(DEAD_LINK);
          return page(reply, done);
        },
      );
    }
  };

type Target = Exclude<z.infer<typeof ReceiverRequest>, { kind: 'settings' }>;

const targetOf = (body: Target): string =>
  body.kind === 'push' ? JSON.stringify(body.subscription) : body.kind === 'email' ? body.address : body.url;

const isOfTeam = (kind: z.infer<typeof ReceiverRequest>['kind']) =>
  kind === 'webhook' || kind === 'slack' || kind === 'teams';

const hashOf = (...parts: string[]) => createHash('sha256').update(parts.join('\n')).digest('hex');

const sessionOf = ({ caller }: FastifyRequest) => (caller?.type === 'session' ? caller.sessionId : null);

const ahead = (time: string | null, now: Date) => (time !== null && time > now.toISOString() ? time : null);

function toReceiver(row: ReceiversTable): Receiver | null {
  if (row.kind === 'app') return null;
  const { id, kind, name, user_id, state, paused_until, last_ok, last_error, created_at } = row;
  return {
    id,
    kind,
    name,
    is_own: user_id !== null,
    state,
    is_confirmed: row.confirmed_at !== null,
    paused_until,
    last_ok,
    last_error,
    created_at,
  };
}
