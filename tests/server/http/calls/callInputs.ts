/** Inputs that each call needs, besides the examples of the API description, to succeed for callers who may make it. */
import { randomUUID } from 'node:crypto';
import { alertNumber } from '#contract/incidents/alertNumber.ts';
import { generate } from 'otplib';
import { londonDay } from '#contract/london.ts';
import type { Job } from '#contract/watches/jobs.ts';
import type { OwnReport } from '#contract/shift/responses.ts';
import type { MadeChannel } from '#contract/messages/channels.ts';
import { DEVICE_CODE_GRANT } from '#contract/displays/displays.ts';
import { ALL_FEEDS } from '#contract/displays/layouts.ts';
import { secondFactors, accountSecurity } from '../../../../server/accounts/passwords/secondFactor.ts';
import { split } from '../../../../server/incidents/merging/mergedIdentity.ts';
import { teams } from '../../../../server/accounts/teams.ts';
import { matches } from '../../../../server/watches/matching/matchStore.ts';
import { users } from '../../../../server/accounts/users.ts';
import { deriveSecrets } from '../../../../server/accounts/secrets.ts';
import type { Caller, World } from '../../callers.ts';
import { poll, record } from '../../feedsWorld.ts';
import { example } from '../../../../server/calls/reference/examples.ts';
import { links, type Purpose } from '../../../../server/delivery/outbox/notices.ts';
import { PASSWORD, SECRET } from '../../app/testApp.ts';

export interface Input {
  ids?: Record<string, string>;
  query?: string;
  body?: object;
  headers?: Record<string, string>;
}

/** Inputs by call, in the words of the API description. */
export type Inputs = Readonly<Record<string, (caller: Caller) => Promise<Input>>>;

export function callInputs(world: World): Inputs {
  const owned = (caller: Caller) => world.newKey(caller === 'Administrator' ? caller : 'User');
  const ownKey = async (caller: Caller): Promise<Input> => ({ ids: { id: (await owned(caller)).id } });
  const somebody = async (): Promise<Input> => ({ ids: { id: (await world.newUser()).id } });
  const someDisplay = async (): Promise<Input> => ({ ids: { id: (await world.newDisplay()).id } });
  const ownDisplay = async (caller: Caller): Promise<Input> => {
    const owner = caller === 'Administrator' ? caller : 'User';
    const { id } = await world.newDisplay(owner);
    return { ids: { id }, body: { watch_ids: [(await world.newWatch(owner)).id] } };
  };
  const made = async (
    caller: Caller,
    what: 'layouts' | 'messages',
    body: object,
  ): Promise<{ id: string }> => {
    const credential = await world.credential(caller === 'Administrator' ? caller : 'User');
    const { id } = (await world.post(`/api/v1/displays/${what}`, body, credential)).json<{ id: string }>();
    return { id };
  };
  const aLayout = { name: 'Gate', pages: ALL_FEEDS.pages };
  const aMessage = () => ({
    ...example.messageRequest,
    until: new Date(world.now().getTime() + 60 * 60_000).toISOString(),
  });
  const ownLayout = async (caller: Caller): Promise<Input> => ({
    ids: await made(caller, 'layouts', aLayout),
    body: aLayout,
  });
  const onScreen = async (): Promise<Input> => ({
    body: { user_code: (await world.newCode()).user_code, name: 'Hall' },
  });
  const someTeam = async (): Promise<Input> => ({
    ids: { id: (await teams(world.db, 'many').create('Airport coaches', world.now())).id },
  });
  const ownWatch = async (caller: Caller): Promise<Input> => ({
    ids: {
      id: (await world.newWatch(caller === 'Administrator' ? caller : 'User')).id,
      event_id: 'tfl:central',
    },
    headers: { 'if-match': '1' },
  });
  const someChannel = async (caller: Caller): Promise<Input> => {
    // A person may have 30.
    await world.db.deleteFrom('channels').where('kind', 'not in', ['app', 'slack']).execute();
    const owner = (await world.credential(caller === 'Administrator' ? caller : 'User'))!;
    const reply = await world.post('/api/v1/channels', example.newChannel, owner);
    const { id } = reply.json<MadeChannel>().channel;
    await world.db
      .updateTable('channels')
      .set({ user_id: await ownerOf(caller) })
      .where('id', '=', id)
      .execute();
    return { ids: { id } };
  };
  const ownerOf = async (caller: Caller) => {
    const email = caller === 'Administrator' ? 'boss@coaches.example' : 'rosa@coaches.example';
    return (await users(world.db).byEmail(email))!.id;
  };
  /** A message that did not arrive there. */
  const failedMessage = async (caller: Caller): Promise<Input> => {
    const { ids } = await someChannel(caller);
    const failed = await world.db
      .updateTable('messages')
      .set({ state: 'failed', next_at: null })
      .where('channel_id', '=', ids!.id!)
      .returning('id')
      .executeTakeFirstOrThrow();
    return { ids: { id: failed.id } };
  };
  const linked = (purpose: Purpose) => async (): Promise<Input> => ({
    ids: { token: links(deriveSecrets(SECRET)).token(purpose, (await someChannel('User')).ids!.id!) },
  });
  /** The account that makes the call, with its first password and without a second factor. */
  const freshAccount = async (caller: Caller) => {
    const { password_hash } = (await users(world.db).byId((await world.newUser()).id))!;
    const email = caller === 'Administrator' ? 'boss@coaches.example' : 'rosa@coaches.example';
    const account = (await users(world.db).byEmail(email))!;
    await users(world.db).setPasswordHash(account.id, password_hash);
    await accountSecurity(world.db).removeFactor(account.id);
    return account;
  };
  /** An account with a second factor, confirmed or not, and the code that it takes now. */
  const withFactor = async (account: { id: string; email: string }, confirmed: boolean) => {
    const { sealed, secret } = secondFactors(deriveSecrets(SECRET)).prepare(account);
    await accountSecurity(world.db).prepareFactor(account.id, sealed);
    if (confirmed) await accountSecurity(world.db).confirmFactor(account.id, world.now());
    return generate({ secret, epoch: Math.floor(world.now().getTime() / 1000) });
  };
  const ownAccount = async (caller: Caller): Promise<Input> => {
    await freshAccount(caller);
    return {};
  };
  const ownFactor =
    (confirmed: boolean) =>
    async (caller: Caller): Promise<Input> => {
      const code = await withFactor(await freshAccount(caller), confirmed);
      return { body: { code, ...(confirmed && { current_password: PASSWORD }) } };
    };
  const secretAddress = (form: 'ics' | 'sse' | 'cap') => async (): Promise<Input> => {
    const { path, watch_id } = await world.newAddress('User', form);
    if (form === 'cap') await touching(watch_id!);
    const random = path.slice('/f/'.length, -form.length - 1);
    return { ids: { random, ext: form, event_id: 'tfl:central' } };
  };
  const ownAddress = async (caller: Caller): Promise<Input> => ({
    ids: { id: (await world.newAddress(caller === 'Administrator' ? caller : 'User')).id },
  });
  /** One of the incidents touches it. */
  const touching = (watch_id: string) =>
    matches(world.db).settle(
      { subject: 'disruption', watchIds: [watch_id] },
      [
        {
          watch_id,
          subject: 'disruption',
          subject_id: 'tfl:central',
          level: 'certain',
          why: '',
          from_km: null,
          to_km: null,
          off_m: null,
        },
      ],
      { at: world.now(), batch: 1, endKind: () => 'ended' },
    );
  const lettingThrough = async (caller: Caller): Promise<Input> => {
    const input = await ownWatch(caller);
    await touching(input.ids!['id']!);
    return input;
  };
  let addresses = 0;
  const newAddress = () => `somebody-${addresses++}@coaches.example`;

  /** An incident that nobody has in hand. Each action has an id of its own. */
  const inHand = (body: object) => async (): Promise<Input> => {
    const event_id = `tfl:${randomUUID()}`;
    await poll(world.db, 'tfl', [record('tfl:central'), record(event_id)], world.now());
    return { ids: { event_id }, headers: { 'if-match': '0' }, body: { id: randomUUID(), ...body } };
  };
  const ownNote = async (caller: Caller): Promise<Input> => {
    const note_id = randomUUID();
    const token = await world.credential(caller);
    await world.post('/api/v1/responses/tfl:central/notes', { id: note_id, text: 'Told the driver.' }, token);
    return { ids: { event_id: 'tfl:central', note_id }, body: { id: randomUUID() } };
  };
  const nextShiftLine = async (caller: Caller): Promise<Input> => {
    const note_id = randomUUID();
    await world.post(
      '/api/v1/handover/notes',
      { id: note_id, text: 'Call Hull.' },
      await world.credential(caller),
    );
    return { ids: { note_id }, body: { id: randomUUID() } };
  };
  let minutes = 0;
  /** Each call has a shift of its own, because a shift is taken over once. */
  const untaken = async (): Promise<Input> => ({
    body: {
      id: randomUUID(),
      from: new Date(world.now().getTime() - ++minutes * 60_000).toISOString(),
      to: world.now().toISOString(),
    },
  });
  const ownReport = async (caller: Caller): Promise<Input> => {
    const token = await world.credential(caller === 'Administrator' ? caller : 'User');
    const made = await world.post('/api/v1/reports', { ...example.reportRequest, id: randomUUID() }, token);
    const { disruption } = made.json<OwnReport>();
    return {
      ids: { event_id: disruption.event_id },
      headers: { 'if-match': '1' },
      body: { title: 'Car on fire' },
    };
  };
  const ownBrief = async (caller: Caller): Promise<Input> => {
    // A team may have 20: briefs of earlier calls are deleted.
    await world.db.deleteFrom('briefs').where('name', '=', example.briefRequest.name).execute();
    const token = await world.credential(caller === 'Administrator' ? caller : 'User');
    const made = await world.post('/api/v1/briefs', example.briefRequest, token);
    return { ids: { id: made.json<{ id: string }>().id }, headers: { 'if-match': '1' } };
  };
  const ownJob = async (caller: Caller): Promise<Input> => {
    const token = await world.credential(caller === 'Administrator' ? caller : 'User');
    const today = { ...example.jobRequest, day: londonDay(world.now()) };
    const made = await world.post('/api/v1/jobs', today, token);
    return { ids: { id: made.json<Job>().id }, headers: { 'if-match': '1' } };
  };
  const APART = { one: 'tfl:central', other: 'met-police:one' };

  return {
    'PUT /api/v1/changes/looks/{screen}': async () => ({ ids: { screen: 'board' } }),
    'PATCH /api/v1/briefs/{id}': ownBrief,
    'DELETE /api/v1/briefs/{id}': ownBrief,
    'POST /api/v1/briefs/{id}/send': ownBrief,
    'GET /api/v1/briefs/{id}/{at}': async (caller) => {
      const { ids } = await ownBrief(caller);
      const token = await world.credential(caller === 'Administrator' ? caller : 'User');
      const sent = await world.post(`/api/v1/briefs/${ids!['id']}/send`, {}, token);
      return { ids: { ...ids, at: sent.json<{ at: string }>().at } };
    },
    'POST /api/v1/jobs/import/undo': async (caller) => {
      const token = await world.credential(caller === 'Administrator' ? caller : 'User');
      await world.post('/api/v1/jobs/import', { ...example.importRequest, dry_run: false }, token);
      return { body: {} };
    },
    'GET /api/v1/jobs/{id}': ownJob,
    'PATCH /api/v1/jobs/{id}': ownJob,
    'POST /api/v1/jobs/{id}/left': async (caller) => ({ ...(await ownJob(caller)), body: {} }),
    'POST /api/v1/jobs/{id}/arrived': async (caller) => ({ ...(await ownJob(caller)), body: {} }),
    'POST /api/v1/jobs/{id}/cancel': async (caller) => ({ ...(await ownJob(caller)), body: {} }),
    'GET /api/v1/disruptions.{ext}': async () => ({ ids: { ext: 'csv' } }),
    'GET /api/v1/disruptions.cap/{event_id}': async () => ({ ids: { event_id: 'tfl:central' } }),
    'GET /api/v1/watches/{id}.json': ownWatch,
    'GET /api/v1/watches/{id}.sse': ownWatch,
    'GET /api/v1/watches/{id}.{ext}': async (caller) => {
      const { ids, ...rest } = await ownWatch(caller);
      return { ids: { ...ids, ext: 'ics' }, ...rest };
    },
    'GET /api/v1/watches/{id}.cap/{event_id}': lettingThrough,
    'POST /api/v1/addresses': async (caller) => ({
      body: { watch_id: (await ownWatch(caller)).ids!['id'], form: 'ics' },
    }),
    'GET /api/v1/addresses': async () => ({}),
    'PUT /api/v1/addresses/frame-hosts': async () => ({}),
    'PATCH /api/v1/addresses/{id}': ownAddress,
    'DELETE /api/v1/addresses/{id}': ownAddress,
    'GET /p/{random}': async () => ({
      ids: { random: (await world.newAddress('User', 'page')).path.slice('/p/'.length) },
    }),
    'PUT /api/v1/watches/order': async () => ({}),
    'GET /f/{random}.{ext}': secretAddress('ics'),
    'GET /f/{random}.sse': secretAddress('sse'),
    'GET /f/{random}.cap/{event_id}': secretAddress('cap'),
    'GET /api/v1/disruptions/{event_id}': async () => ({ ids: { event_id: 'tfl:central' } }),
    'POST /api/v1/disruptions/reading-faults': async () => ({
      body: { id: randomUUID(), event_id: 'tfl:central', note: null },
    }),
    'GET /api/v1/disruptions/numbers/{number}': async () => ({ ids: { number: alertNumber('tfl:central') } }),
    'PATCH /api/v1/admin/sources/{source}': async () => ({ ids: { source: 'ea-flood' } }),
    'POST /api/v1/admin/sources/{source}/try': async () => ({ ids: { source: 'sepa-flood' } }),
    'POST /api/v1/admin/sources/{source}/restore': async () => ({ ids: { source: 'sepa-flood' } }),
    'POST /api/v1/admin/sources/{source}/demote': async () => ({ ids: { source: 'sepa-flood' } }),
    'GET /api/v1/disruptions/sources/{source}': async () => ({ ids: { source: 'tfl' } }),
    'GET /api/v1/feeds/{slug}': async () => ({ ids: { slug: 'aviation' } }),
    'GET /api/v1/feeds/{slug}/summary': async () => ({ ids: { slug: 'aviation' } }),
    'GET /api/v1/feeds/{slug}/events': async () => ({ ids: { slug: 'aviation' } }),
    'GET /api/v1/geocode/search': async () => ({ query: '?query=Cardiff&limit=5' }),
    'GET /api/v1/events/{event_id}': async () => ({ ids: { event_id: 'e1' } }),
    'GET /api/v1/events/viewport': async () => ({ query: '?north=55&south=50&east=1&west=-5' }),
    'GET /api/v1/watches/suggest': async () => ({ query: '?q=M1+J4' }),
    'GET /api/v1/watches/{id}': ownWatch,
    'PATCH /api/v1/watches/{id}': ownWatch,
    'DELETE /api/v1/watches/{id}': ownWatch,
    'POST /api/v1/watches/{id}/restore': ownWatch,
    'GET /api/v1/history/board': async () => ({ query: `?at=${world.now().toISOString()}` }),
    'GET /api/v1/history/watches/{id}': ownWatch,
    'GET /api/v1/watches/{id}/matches': ownWatch,
    'GET /api/v1/watches/{id}/explain/{event_id}': ownWatch,
    'POST /api/v1/watches/{id}/feedback': ownWatch,
    'POST /api/v1/watches/{id}/trial': ownWatch,
    'GET /api/v1/responses/{event_id}': async () => ({ ids: { event_id: 'tfl:central' } }),
    'PUT /api/v1/responses/{event_id}': inHand({ disposition: 'diverted' }),
    'DELETE /api/v1/responses/{event_id}': inHand({}),
    'POST /api/v1/responses/{event_id}/notes': inHand({ text: 'Told the driver.' }),
    'POST /api/v1/responses/{event_id}/notes/{note_id}/strike': ownNote,
    'POST /api/v1/handover/notes': async () => ({ body: { id: randomUUID(), text: 'Call Hull.' } }),
    'POST /api/v1/handover/notes/{note_id}/strike': nextShiftLine,
    'POST /api/v1/handover/taken': untaken,
    'GET /api/v1/watches/{id}/explain-messages': ownWatch,
    // The caller's own channel: channels of the team are for its leads.
    'POST /api/v1/channels': async () => ({
      body: { ...example.newChannel, is_team: false, address: `https://a.example/${randomUUID()}` },
    }),
    'GET /api/v1/channels/told': async (caller) => ({
      query: `?watch_id=${(await world.newWatch(caller === 'Administrator' ? caller : 'User')).id}`,
    }),
    'PATCH /api/v1/channels/{id}': someChannel,
    'DELETE /api/v1/channels/{id}': someChannel,
    'POST /api/v1/channels/{id}/test': async (caller) => {
      // Five tests a minute.
      world.pass(60_000);
      return someChannel(caller);
    },
    'POST /api/v1/channels/{id}/on': someChannel,
    'POST /api/v1/channels/{id}/rotate': someChannel,
    'POST /api/v1/messages/{id}/send': failedMessage,
    'GET /api/v1/channels/confirm/{token}': linked('confirm'),
    'POST /api/v1/channels/confirm/{token}': linked('confirm'),
    'GET /api/v1/channels/unsubscribe/{token}': linked('unsubscribe'),
    'POST /api/v1/channels/unsubscribe/{token}': linked('unsubscribe'),
    'POST /api/v1/reports': async () => ({ body: { ...example.reportRequest, id: randomUUID() } }),
    'GET /api/v1/reports/{event_id}': ownReport,
    'PATCH /api/v1/reports/{event_id}': ownReport,
    'GET /api/v1/keys/{id}': ownKey,
    'DELETE /api/v1/keys/{id}': ownKey,
    'GET /api/v1/keys/{id}/rate-limit': ownKey,
    'POST /api/v1/auth/login': async (caller) => {
      await freshAccount(caller === 'Administrator' ? 'User' : caller);
      return { body: { email: 'rosa@coaches.example', password: PASSWORD } };
    },
    'POST /api/v1/auth/refresh': async () => ({
      body: { refresh_token: (await world.signIn()).refresh_token },
    }),
    'POST /api/v1/auth/register': async () => ({
      body: { email: newAddress(), password: PASSWORD, display_name: 'Somebody' },
    }),
    'POST /api/v1/admin/users': async () => ({
      body: { email: newAddress(), password: PASSWORD, display_name: 'Somebody' },
    }),
    'POST /api/v1/admin/merges/splits': async () => ({ body: APART }),
    'POST /api/v1/admin/merges/splits/undo': async () => {
      await split(world.db, [APART.one, APART.other], world.now());
      return { body: APART };
    },
    'PATCH /api/v1/admin/teams/{id}': someTeam,
    'DELETE /api/v1/admin/teams/{id}': someTeam,
    'PUT /api/v1/admin/teams/{id}/members/{user_id}': async () => ({
      ids: { ...(await someTeam()).ids, user_id: (await world.newUser()).id },
    }),
    'POST /api/v1/auth/password': ownAccount,
    'POST /api/v1/auth/confirm': ownAccount,
    'DELETE /api/v1/auth/sessions/{id}': async (caller) => ({
      ids: { id: (await world.signIn(await freshAccount(caller))).session_id },
    }),
    'POST /api/v1/auth/second-factor': ownAccount,
    'POST /api/v1/auth/second-factor/confirm': ownFactor(false),
    'POST /api/v1/auth/second-factor/recovery-codes': ownFactor(true),
    'POST /api/v1/auth/second-factor/remove': ownFactor(true),
    'POST /api/v1/auth/docs-ticket/redeem': async () => {
      const made = await world.post('/api/v1/auth/docs-ticket', undefined, await world.credential('User'));
      return { body: { ticket: made.json<{ ticket: string }>().ticket } };
    },
    'POST /api/v1/admin/users/{id}/password': somebody,
    'DELETE /api/v1/admin/users/{id}/second-factor': async () => {
      const user = await world.newUser();
      await withFactor(user, true);
      return { ids: { id: user.id } };
    },
    'GET /api/v1/admin/users/{id}/keys': somebody,
    'PATCH /api/v1/admin/users/{id}/keys/{key_id}': async () => {
      const { id } = (await users(world.db).byEmail('boss@coaches.example'))!;
      return { ids: { id, key_id: (await world.newKey('Administrator')).id } };
    },
    'POST /api/v1/admin/displays/{id}/renew': someDisplay,
    'PATCH /api/v1/admin/users/{id}': somebody,
    'DELETE /api/v1/admin/users/{id}': somebody,
    'PATCH /api/v1/admin/displays/{id}': someDisplay,
    'POST /api/v1/admin/displays/{id}/revoke': someDisplay,
    'GET /api/v1/displays/{id}/routes': ownDisplay,
    'PUT /api/v1/displays/{id}/routes': ownDisplay,
    'PUT /api/v1/displays/{id}/tags': async (caller) => ({
      ids: (await ownDisplay(caller)).ids,
      body: { tags: ['Gate'] },
    }),
    'POST /api/v1/displays/layouts': async () => ({ body: aLayout }),
    'PUT /api/v1/displays/layouts/{id}': ownLayout,
    'DELETE /api/v1/displays/layouts/{id}': async (caller) => ({ ids: (await ownLayout(caller)).ids }),
    'POST /api/v1/displays/assignments': async () => ({ body: { to: { all: true }, layout_id: null } }),
    'POST /api/v1/displays/messages': async () => ({ body: aMessage() }),
    'DELETE /api/v1/displays/messages/{id}': async (caller) => ({
      ids: await made(caller, 'messages', aMessage()),
    }),
    'GET /api/v1/displays/pairing': async () => ({
      query: `?user_code=${(await world.newCode()).user_code}`,
    }),
    'POST /api/v1/displays/pairing/approve': onScreen,
    'POST /api/v1/displays/pairing/deny': onScreen,
    'POST /api/v1/displays/token': async () => {
      const { user_code, device_code } = await world.newCode();
      const approver = await world.credential('User');
      await world.post('/api/v1/displays/pairing/approve', { user_code, name: 'Hall' }, approver);
      return { body: { grant_type: DEVICE_CODE_GRANT, device_code } };
    },
  };
}
