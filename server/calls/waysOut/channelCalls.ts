/** /api/v1/channels: the addresses that messages go to, of the caller and of the team, and the caller's choice of
 *  messages. */
import { createHash, randomBytes } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import type { Calls } from '../callParts.ts';
import { z } from 'zod';
import {
  Channel,
  CHANNEL_LIMITS,
  ChannelChange,
  ChannelList,
  MadeChannel,
  NewChannel,
  ToldMembers,
  type What,
} from '#contract/messages/channels.ts';
import { MessageSettings, PauseRequest } from '#contract/messages/messages.ts';
import { FOR_LEADS } from '../../accounts/guard.ts';
import { auditTrail } from '../../accounts/auditTrail.ts';
import { isPosted } from '../../delivery/outbox/channelState.ts';
import {
  channels as channelsIn,
  type NewChannelRow,
  OF_THE_TEAM,
  isFrom,
  settingsOf,
  type Undelivered,
  watchIdsOf,
  whatOf,
} from '../../delivery/outbox/channelStore.ts';
import type { Db } from '../../db/open.ts';
import type { RowOf } from '../../db/schema.ts';
import { example } from '../reference/examples.ts';
import { AGAIN, makeOnce, mayBeSaidAgain, orGone } from '../../http/calls/makeOnce.ts';
import { perMinute, perSpan } from '../../http/limits/requestLimits.ts';
import { type Links, links as linksOf, type Purpose, notices } from '../../delivery/outbox/notices.ts';
import { askedOf, briefs } from '../../delivery/briefs/briefStore.ts';
import { channelSeal } from '../../delivery/outbox/channelSeal.ts';
import { badInput, conflict, forbidden, notFound, tooMany, orNotFound } from '../../refusals.ts';
import { idOf } from '../../http/calls/parameters.ts';

const UNKNOWN = 'There is no such channel. It may have been removed.';
const UNKNOWN_WATCH = 'There is no such route, area or feed. It may have been deleted.';
const UNKNOWN_BRIEF = 'There is no such brief. It may have been deleted.';
const NO_EMAIL = 'E-mail is not set up on this server.';
const NO_DEVICE = 'A device is added by the person who is signed in on it, not by an API key.';
const TESTS = `Only ${CHANNEL_LIMITS.testsPerMinute} tests a minute. Try again in a minute.`;
/** Limit for addresses that nobody has confirmed: they may belong to anybody. */
const CONFIRMATIONS_PER_HOUR = 5;
const CONFIRMATIONS = `Only ${CONFIRMATIONS_PER_HOUR} confirmations by e-mail an hour. Try again in an hour.`;
const HOUR_SECONDS = 60 * 60;
const HOUR_MS = HOUR_SECONDS * 1000;
const FULL = `A team may have ${CHANNEL_LIMITS.perTeam} channels, and a person ${CHANNEL_LIMITS.perPerson}. Remove one first.`;
const TAKEN = 'There is a channel with this address already.';
const SAID_ONCE = 'This channel was made before. Its secret is not shown again: give the channel a new one.';
const OFF = 'This channel is off. Turn it on again first.';
const NO_SECRET = 'Only webhooks have a secret.';
const ONLY_POSTED =
  'Only the address of a webhook, Slack or Teams can be changed. Remove this channel and add another.';
const DEVICE_OFF = 'A device is turned on again on that device.';

/** The messages that a new channel gets unless its maker chooses otherwise. */
const WHAT: Readonly<Record<RowOf<'channels'>['kind'], What>> = {
  app: { alerts: true, changes: false, digest: false, brief: false },
  device: { alerts: true, changes: false, digest: true, brief: false },
  email: { alerts: true, changes: false, digest: true, brief: false },
  slack: { alerts: true, changes: false, digest: false, brief: false },
  teams: { alerts: true, changes: false, digest: false, brief: false },
  webhook: { alerts: false, changes: true, digest: false, brief: false },
};

const Id = z.object({
  id: idOf('channel', example.channel.id),
});

export const channelCalls: Calls = (parts) => async (app) => {
  const { db, config, now, onMessage } = parts;
  const channels = channelsIn(db);
  const seal = channelSeal(parts.secrets);
  const links = linksOf(parts.secrets);
  const mayTest = perMinute(CHANNEL_LIMITS.testsPerMinute, now);
  const mayConfirm = perSpan(CONFIRMATIONS_PER_HOUR, HOUR_MS, now);
  /** Refuses others than leads: they decide about messages to the whole team. */
  const mustLead = async ({ server, user }: FastifyRequest) => {
    if (!(await server.isLead(user))) throw forbidden(FOR_LEADS);
  };
  /** A channel of the caller, or a channel of the team that the caller leads. */
  const toChange = async (
    request: FastifyRequest & { params: { id: string } },
  ): Promise<RowOf<'channels'>> => {
    const found = orNotFound(
      await channels.one(request.params.id, request.user.id, await request.teamId()),
      UNKNOWN,
    );
    if (found.user_id === null) await mustLead(request);
    return found;
  };
  const note = (trx: Db, { user }: FastifyRequest, action: string, channel: RowOf<'channels'>) =>
    channel.user_id === null ? auditTrail(trx).note(user, `channel.${action}`, channel, now()) : undefined;
  const mustBeTheirs = async (teamId: string, ids: readonly string[] | null | undefined) => {
    if (!ids?.length) return;
    const known = await channels.watchesOf(teamId, ids);
    const other = ids.find((id) => !known.has(id));
    if (other !== undefined)
      throw badInput(`watch_ids: there is no route, area or feed '${other}'`, 'watch_ids');
  };

  const opened = ({ id, team_id: teamId, address }: RowOf<'channels'>) =>
    (address && seal.open(address, { id, teamId })) || null;
  const toChannel = (row: RowOf<'channels'>, undelivered: Undelivered, isLead: boolean): Channel => {
    const { id, name, user_id, state, since, why, last_ok, created_at, secret, old_secret_until } = row;
    const address = row.kind === 'device' ? null : opened(row);
    return {
      id,
      kind: row.kind === 'app' ? 'device' : row.kind, // the list in the app is never shown as a channel
      name,
      is_team: user_id === null,
      address: row.kind === 'email' ? address : null,
      host: isPosted(row) && address ? new URL(address).host : null,
      state,
      since,
      why,
      last_ok,
      what: whatOf(row),
      watch_ids: watchIdsOf(row),
      has_secret: secret !== null,
      both_sign_until: old_secret_until && old_secret_until > now().toISOString() ? old_secret_until : null,
      ...undelivered,
      can_change: user_id !== null || isLead,
      created_at,
    };
  };
  /** The channel as a person sees it who may change it. */
  const shown = async (id: string): Promise<Channel> => {
    const row = orNotFound(await channels.byId(id), UNKNOWN);
    return toChannel(row, (await channels.undelivered([id], now()))(id), true);
  };
  /** Sends a test message or, for an e-mail address that is not confirmed, the question whether it is right. */
  const ask = async (row: RowOf<'channels'>) => {
    if (row.kind === 'email' && row.state === 'unconfirmed') await notices(db).confirm(row, links, now());
    else await notices(db).test(row, now());
    onMessage?.();
  };

  app.get('/', {
    who: 'manage',
    costs: 'list',
    operationId: 'listChannels',
    summary: 'Channels of the caller and the team',
    description:
      'The caller’s own, then the team’s. The list in the app is always there. `settings` hold for all of the ' +
      'caller’s own.',
    response: { 200: ChannelList },
    handler: async (request) => {
      const { user } = request;
      const teamId = await request.teamId();
      const inApp = await channels.appOf(user.id, teamId, now());
      const all = await channels.of(user.id, teamId);
      const isLead = await request.server.isLead(user);
      const undelivered = await channels.undelivered(
        all.map(({ id }) => id),
        now(),
      );
      return {
        channels: all.map((row) => toChannel(row, undelivered(row.id), isLead)),
        total: all.length,
        settings: settingsOf(inApp),
        paused_until: ahead(inApp.paused_until, now()),
        has_email: config.mail !== undefined,
      };
    },
  });

  app.get('/told', {
    who: 'user',
    costs: 'list',
    refusals: { 404: `${UNKNOWN_WATCH} ${UNKNOWN_BRIEF}` },
    operationId: 'listToldMembers',
    summary: 'Who in the team gets messages about a route, an area or a feed, or a brief',
    description:
      'With the kinds of their channels, and the mildest grade of their own setting. Without a query the answer is the ' +
      'members alone.',
    querystring: z.object({
      watch_id: z
        .string()
        .max(100)
        .optional()
        .meta({ description: 'The route, area or feed.', example: example.watch.id }),
      brief_id: z
        .string()
        .max(100)
        .optional()
        .meta({ description: 'The brief, instead of a route.', example: example.brief.id }),
    }),
    response: { 200: ToldMembers },
    handler: async (request) => {
      const { user, query } = request;
      const teamId = await request.teamId();
      const { watch_id = null, brief_id = null } = query;
      if (watch_id !== null && !(await channels.watchesOf(teamId, [watch_id])).has(watch_id))
        throw notFound(UNKNOWN_WATCH);
      const brief =
        brief_id === null ? null : orNotFound(await briefs(db).row(teamId, brief_id), UNKNOWN_BRIEF);
      const chosen = new Set(brief && askedOf(brief).channel_ids);
      const own = (await channels.inUse(config.teams, now(), teamId)).filter(
        (row) =>
          row.user_id !== null &&
          (chosen.has(row.id) || (watch_id !== null && whatOf(row).alerts && isFrom(row, watch_id))),
      );
      const members = (await channels.members(config.teams, teamId)).map(({ user_id, display_name }) => {
        const theirs = own.filter((row) => row.user_id === user_id);
        const kinds = [...new Set(theirs.flatMap(({ kind }) => (kind === 'app' ? [] : [kind])))];
        const threshold = theirs[0]?.threshold ?? null;
        return { user_id, display_name, is_you: user_id === user.id, kinds, threshold };
      });
      return { members, total: members.length };
    },
  });

  app.post('/', {
    who: 'manage',
    costs: 'list',
    meanings: { 201: 'The channel was made. Its secret is not shown again.' },
    refusals: { 403: FOR_LEADS, 409: FULL, 429: CONFIRMATIONS },
    operationId: 'createChannel',
    summary: 'Add a channel',
    description:
      '`device`: this browser, until its sign-in ends. `email`: an address, which works once the link in the first ' +
      'message was followed. `webhook`, `slack`, `teams`: an https address, which works once it has taken the test that ' +
      'is sent now. `is_team`: it belongs to the whole team; only leads can make it. Messages to a webhook are signed by ' +
      'the rules of Standard Webhooks with the `secret`, which is in this answer alone; Slack and Teams get messages in ' +
      'their own formats. Only https and public addresses are called, unless the operator allows others. The same device ' +
      `or e-mail address, added again, renews its channel. ${AGAIN}`,
    body: NewChannel,
    response: { 201: MadeChannel },
    handler: async (request) => {
      const { body, user, caller } = request;
      const isTeam = body.kind !== 'device' && body.is_team;
      if (isTeam) await mustLead(request);
      if (body.kind === 'email' && !config.mail) throw conflict(NO_EMAIL);
      if (body.kind === 'device' && caller?.type !== 'session') throw forbidden(NO_DEVICE);
      const teamId = await request.teamId();
      await mustBeTheirs(teamId, body.watch_ids);
      const at = now();
      const inApp = await channels.appOf(user.id, teamId, at);
      const owner = isTeam ? teamId : user.id;
      const address = body.kind === 'device' ? JSON.stringify(body.subscription) : body.address;
      const address_hash =
        body.kind === 'device'
          ? hashOf('device', body.subscription.endpoint)
          : body.kind === 'email'
            ? hashOf('email', owner, body.address.toLowerCase())
            : hashOf(body.kind, owner, new URL(body.address).href);
      const before = await channels.byHash(address_hash);
      const isOwn = before !== undefined && before.user_id === (isTeam ? null : user.id);
      if (isOwn && (body.kind === 'device' || body.kind === 'email')) {
        if (body.kind === 'email' && before.state === 'unconfirmed' && !mayConfirm(user.id))
          throw tooMany(CONFIRMATIONS, HOUR_SECONDS);
        const isOff = before.state === 'off';
        const change = {
          name: body.name ?? before.name,
          // Encrypted for this row; in another row it cannot be read.
          address: seal.seal(address, { id: before.id, teamId: before.team_id }),
          ...(body.kind === 'device' && { session_id: sessionOf(request), state: 'working' as const }),
          ...(body.kind === 'email' && isOff && { state: 'unconfirmed' as const }),
        };
        await channels.change(before.id, change, at);
        if (body.kind === 'email' && (isOff || before.state === 'unconfirmed'))
          await ask((await channels.byId(before.id))!); // changed above
        return { channel: await shown(before.id), secret: null };
      }
      if (body.kind === 'email' && !mayConfirm(user.id)) throw tooMany(CONFIRMATIONS, HOUR_SECONDS);

      const { id: ownId, ...content } = body;
      const asked = { id: ownId, kind: 'channels' as const, owner: [teamId, user.id], content };
      const { id, isNew } = await makeOnce(db, asked, at, async (trx, newId) => {
        const sealed = (text: string) => seal.seal(text, { id: newId, teamId });
        const row: NewChannelRow = {
          id: newId,
          team_id: teamId,
          user_id: isTeam ? null : user.id,
          session_id: body.kind === 'device' ? sessionOf(request) : null,
          kind: body.kind,
          name: body.name ?? address,
          address: sealed(address),
          address_hash,
          secret: body.kind === 'webhook' ? sealed(newSecret()) : null,
          state: body.kind === 'device' ? 'working' : 'unconfirmed',
          what: body.what ?? WHAT[body.kind],
          watch_ids: body.watch_ids === null ? null : JSON.stringify(body.watch_ids),
        };
        const made = await channelsIn(trx).add(row, isTeam ? OF_THE_TEAM : settingsOf(inApp), at);
        if (made === 'full') throw conflict(FULL);
        if (made === 'taken') throw conflict(TAKEN);
        await note(trx, request, 'created', (await channelsIn(trx).byId(newId))!); // made above
      });
      const stored = orGone(await channels.byId(id));
      if (stored.secret && !mayBeSaidAgain(stored.created_at, at)) throw conflict(SAID_ONCE);
      if (isNew && stored.kind !== 'device') await ask(stored);
      const secret = stored.secret && seal.open(stored.secret, { id, teamId: stored.team_id });
      return { channel: await shown(id), secret };
    },
  });

  app.patch('/:id', {
    who: 'manage',
    costs: 'list',
    refusals: { 403: FOR_LEADS, 404: UNKNOWN, 409: TAKEN },
    operationId: 'changeChannel',
    summary: 'Change a channel: its name, its address, what goes there, and from which routes',
    description:
      'With another address the channel is unconfirmed again, and a test is sent there. Fields that are left out stay.',
    params: Id,
    body: ChannelChange,
    response: { 200: Channel },
    handler: async (request) => {
      const { body } = request;
      const row = await toChange(request);
      await mustBeTheirs(row.team_id, body.watch_ids);
      const { address } = body;
      if (address !== undefined && !isPosted(row)) throw badInput(ONLY_POSTED, 'address');
      const isNew = address !== undefined && address !== opened(row);
      const address_hash = isNew ? hashOf(row.kind, row.user_id ?? row.team_id, new URL(address).href) : '';
      const other = isNew ? await channels.byHash(address_hash) : undefined;
      if (other && other.id !== row.id) throw conflict(TAKEN);
      const change = {
        ...(body.name !== undefined && { name: body.name }),
        ...(body.what && { what: JSON.stringify(body.what) }),
        ...(body.watch_ids !== undefined && {
          watch_ids: body.watch_ids === null ? null : JSON.stringify(body.watch_ids),
        }),
        ...(isNew && {
          address: seal.seal(address, { id: row.id, teamId: row.team_id }),
          address_hash,
          state: 'unconfirmed' as const,
        }),
      };
      if (Object.keys(change).length === 0) return shown(row.id);
      await db.transaction().execute(async (trx) => {
        await channelsIn(trx).change(row.id, change, now());
        await note(trx, request, 'changed', row);
      });
      if (isNew) await ask((await channels.byId(row.id))!); // changed above
      return shown(row.id);
    },
  });

  app.delete('/:id', {
    who: 'manage',
    meanings: { 204: 'Nothing is sent there any more.' },
    refusals: { 403: FOR_LEADS, 404: UNKNOWN },
    operationId: 'deleteChannel',
    summary: 'Remove a channel',
    description:
      'The caller’s own, or one of the team. The messages that were sent there or still wait are deleted with it.',
    params: Id,
    handler: async (request) => {
      const row = await toChange(request);
      await db.transaction().execute(async (trx) => {
        if (!(await channelsIn(trx).remove(row.id))) throw notFound(UNKNOWN);
        await note(trx, request, 'deleted', row);
      });
    },
  });

  app.post('/:id/test', {
    who: 'manage',
    meanings: { 202: 'A test is on its way.' },
    refusals: { 403: FOR_LEADS, 404: UNKNOWN, 409: OFF, 429: TESTS },
    operationId: 'testChannel',
    summary: 'Send a test there',
    description:
      'The message says that it is a test (`test.ping`), and is sent in quiet hours too. An e-mail address that is not ' +
      'confirmed is asked again. The channel then says whether the test was taken.',
    params: Id,
    response: { 202: z.null() },
    handler: async (request) => {
      const row = await toChange(request);
      if (row.state === 'off') throw conflict(OFF);
      if (!mayTest(request.user.id)) throw tooMany(TESTS, 60);
      if (row.kind === 'email' && row.state === 'unconfirmed' && !mayConfirm(request.user.id))
        throw tooMany(CONFIRMATIONS, HOUR_SECONDS);
      await ask(row);
      return null;
    },
  });

  app.post('/:id/on', {
    who: 'manage',
    costs: 'list',
    refusals: { 403: FOR_LEADS, 404: UNKNOWN, 409: DEVICE_OFF },
    operationId: 'turnChannelOn',
    summary: 'Turn a channel on again',
    description:
      'A channel that was off begins as if it were new: it gets later messages, once it has taken a test. Messages that ' +
      'did not arrive before are not sent any more. A channel that is on stays as it is.',
    params: Id,
    response: { 200: Channel },
    handler: async (request) => {
      const row = await toChange(request);
      if (row.state !== 'off') return shown(row.id);
      if (row.address === '') throw conflict(DEVICE_OFF);
      await db.transaction().execute(async (trx) => {
        await channelsIn(trx).turnOn(row.id, 'unconfirmed', now());
        await note(trx, request, 'turned_on', row);
      });
      await ask((await channels.byId(row.id))!); // changed above
      return shown(row.id);
    },
  });

  app.post('/:id/rotate', {
    who: 'manage',
    refusals: { 403: FOR_LEADS, 404: UNKNOWN, 409: NO_SECRET },
    operationId: 'rotateChannelSecret',
    summary: 'Give a webhook a new secret',
    description:
      'The secret is only in this answer. For 24 hours messages are signed with both secrets, the new one first: ' +
      '`webhook-signature` then has two signatures. After another change only the last two secrets sign.',
    params: Id,
    response: { 200: MadeChannel },
    handler: async (request) => {
      const row = await toChange(request);
      if (row.secret === null) throw conflict(NO_SECRET);
      if (row.state === 'off') throw conflict(OFF);
      const secret = newSecret();
      const until = new Date(now().getTime() + CHANNEL_LIMITS.bothSignHours * HOUR_MS);
      const sealed = seal.seal(secret, { id: row.id, teamId: row.team_id });
      await db.transaction().execute(async (trx) => {
        await channelsIn(trx).rotate(row.id, sealed, until);
        await note(trx, request, 'rotated', row);
      });
      return { channel: await shown(row.id), secret };
    },
  });

  app.put('/settings', {
    who: 'user',
    meanings: { 204: 'They hold for all of the caller’s own channels.' },
    operationId: 'chooseMessageSettings',
    summary: 'Choose quiet hours, digest and privacy',
    description: 'For all of the caller’s own channels, and those that are added later. Clocks are London’s.',
    body: MessageSettings,
    handler: async (request) => {
      await channels.appOf(request.user.id, await request.teamId(), now());
      await channels.choose(request.user.id, request.body, now());
    },
  });

  app.post('/pause', {
    who: 'user',
    meanings: { 204: 'The pause ends by itself.' },
    operationId: 'pauseChannels',
    summary: 'Hold back everything for a while',
    description:
      'On all of the caller’s own channels; 0 ends it. Messages that were held back are sent afterwards if they are still true.',
    body: PauseRequest,
    handler: async (request) => {
      const { user, body } = request;
      await channels.appOf(user.id, await request.teamId(), now());
      const until = body.minutes === 0 ? null : new Date(now().getTime() + body.minutes * 60_000);
      await channels.pause(user.id, until);
    },
  });

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

/** The page that links in e-mails open. Nothing happens until a button is pressed, because mail scanners open every
 *  link. */
const linkRoutes =
  ({ db, links, now }: { db: Db; links: Links; now: () => Date }): FastifyPluginAsyncZod =>
  async (app) => {
    // Both bodies are accepted: one click in a mail program sends either of them (RFC 8058), and the page's form
    // sends one.
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
      app.get(`/${purpose}/:token`, {
        who: 'anyone',
        costs: 'list',
        refusals: { 404: DEAD_LINK },
        ...schema,
        operationId: `${purpose}Page`,
        summary: purpose === 'confirm' ? 'Ask whether an address is right' : 'Ask whether to end e-mails',
        description: 'A page with one button. Its address is in e-mails.',
        handler: async ({ params }, reply) => {
          const id = links.read(purpose, params.token);
          orNotFound(id !== null && (await channelsIn(db).byId(id)), DEAD_LINK);
          return page(reply, ask, button);
        },
      });
      app.post(`/${purpose}/:token`, {
        who: 'anyone',
        refusals: { 404: DEAD_LINK },
        ...schema,
        operationId: purpose === 'confirm' ? 'confirmAddress' : 'unsubscribe',
        summary: purpose === 'confirm' ? 'Confirm an e-mail address' : 'End messages to an e-mail address',
        description: 'By the button of that page, or by one click in the mail program.',
        handler: async ({ params }, reply) => {
          const id = links.read(purpose, params.token);
          const isDone =
            id !== null &&
            (purpose === 'confirm'
              ? await channelsIn(db).confirm(id, now())
              : await channelsIn(db).remove(id));
          if (!isDone) throw notFound(DEAD_LINK);
          return page(reply, done);
        },
      });
    }
  };

const newSecret = () => `whsec_${randomBytes(24).toString('base64')}`;

const hashOf = (...parts: string[]) => createHash('sha256').update(parts.join('\n')).digest('hex');

const sessionOf = ({ caller }: FastifyRequest) => (caller?.type === 'session' ? caller.sessionId : null);

const ahead = (time: string | null, now: Date) => (time !== null && time > now.toISOString() ? time : null);
