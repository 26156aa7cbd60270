import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { Webhook } from 'standardwebhooks';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { MessageBody } from '#contract/messages/messages.ts';
import type { CursorWorker } from '../../../../server/db/cursorWorker.ts';
import type { MailSettings } from '../../../../server/config.ts';
import { messages, type StoredBody } from '../../../../server/delivery/outbox/outboxStore.ts';
import { type Db, openMemoryDatabase } from '../../../../server/db/open.ts';
import { channels as channelsIn, STANDARD } from '../../../../server/delivery/outbox/channelStore.ts';
import type { RowOf } from '../../../../server/db/schema.ts';
import { EVERYONE } from '../../../../server/accounts/teams.ts';
import { users } from '../../../../server/accounts/users.ts';
import { channels, topicOf } from '../../../../server/delivery/outbox/sendByChannel.ts';
import { links } from '../../../../server/delivery/outbox/notices.ts';
import { outgoing } from '../../../../server/delivery/outbox/publicAddresses.ts';
import { channelSeal } from '../../../../server/delivery/outbox/channelSeal.ts';
import { startSender } from '../../../../server/delivery/outbox/sender.ts';
import { deriveSecrets } from '../../../../server/accounts/secrets.ts';
import { SECRET } from '../../app/testApp.ts';
import { person } from '../../accounts/people.ts';
import { CA, farSide } from './farSide.ts';

const MINUTE = 60_000;
const START = Date.parse('2026-11-21T08:00:00.000Z');
const secrets = deriveSecrets(SECRET);
const seal = channelSeal(secrets);
const HOOK_SECRET = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;

let db: Db;
let close: () => Promise<void>;
let far: Awaited<ReturnType<typeof farSide>>;
let time: number;
let sender: CursorWorker;
let made: number;
const now = () => new Date(time);

beforeEach(async () => {
  ({ db, close } = await openMemoryDatabase());
  far = await farSide();
  time = START;
  made = 0;
  await users(db).insert(person('rosa'));
  await channelsIn(db).appOf('rosa', EVERYONE, now());
  begin();
});
afterEach(async () => {
  await sender.stop();
  far.close();
  await close();
});

function begin({ mail, timeoutMs = 10_000 }: { mail?: MailSettings; timeoutMs?: number } = {}) {
  sender = startSender({
    db,
    channels: channels({
      secrets,
      seal,
      links: links(secrets),
      outgoing: outgoing({ allow: [far.host], ca: CA, timeoutMs }),
      contactEmail: 'desk@coaches.example',
      mail,
      publicUrl: 'https://clearway.example',
    }),
    now,
    owner: 'the only node',
    mode: 'one',
    log: {
      error(fields) {
        throw (fields as { err: unknown }).err;
      },
    },
  });
}

async function channel(kind: RowOf<'channels'>['kind'], address: string, settings = {}): Promise<string> {
  const id = `${kind}-${made++}`;
  const row = { id, teamId: EVERYONE };
  await channelsIn(db).add(
    {
      id,
      team_id: EVERYONE,
      user_id: kind === 'device' || kind === 'email' ? 'rosa' : null,
      kind,
      name: 'Rosa’s phone',
      address: seal.seal(address, row),
      address_hash: id,
      secret: kind === 'webhook' ? seal.seal(HOOK_SECRET, row) : null,
      state: 'working',
      what: { alerts: true, changes: false, digest: true, brief: false },
    },
    { ...STANDARD, ...settings },
    now(),
  );
  return id;
}
const device = (settings = {}) => channel('device', JSON.stringify(far.subscription), settings);

async function message(
  channel_id: string,
  changes: Partial<StoredBody> = {},
  watch_id: string | null = null,
): Promise<string> {
  const id = `msg_${made++}`;
  const body: StoredBody = {
    kind: 'alert',
    title: 'Critical: M62 eastbound, J26 to J27: closed <b>& more',
    text: 'Leeds–Heathrow, M62 J26 to J27, reached about 09:05. National Highways, 07:58.',
    hidden: '1 critical on one of your routes',
    severity: 'critical',
    event_ids: ['national-highways:a'],
    tag: 'route:leeds',
    is_news: true,
    address: '/routes/leeds',
    ...changes,
  };
  await messages(db).add([
    {
      id,
      channel_id,
      watch_id,
      bundle: id,
      created_at: now().toISOString(),
      body: JSON.stringify(body),
      reason: 'Waiting to be sent',
      state: 'waiting',
      attempts: 0,
      next_at: now().toISOString(),
      last_status: null,
      valid_until: new Date(time + 30 * MINUTE).toISOString(),
      sent_at: null,
      seen_at: null,
      about: null,
      place: null,
      team_id: null,
    },
  ]);
  return id;
}

const stateOf = (id: string) =>
  db
    .selectFrom('messages')
    .select(['state', 'reason', 'attempts', 'next_at', 'last_status'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
const channelOf = async (id: string) => (await channelsIn(db).byId(id))!;

describe('a push', () => {
  it('arrives encrypted and signed, with what the worker needs', async () => {
    const to = await device();
    const id = await message(to);
    await sender.changed();
    expect(far.arrived).toHaveLength(1);
    const [{ headers, payload, body }] = far.arrived as [(typeof far.arrived)[0]];
    expect(headers).toMatchObject({
      ttl: '1800',
      urgency: 'high',
      topic: topicOf('route:leeds'),
      'content-encoding': 'aes128gcm',
    });
    expect(headers.topic).toHaveLength(32);
    expect(Buffer.byteLength(body)).toBeLessThanOrEqual(3000);
    expect(payload).toMatchObject({
      id,
      receiver: to,
      title: 'Critical: M62 eastbound, J26 to J27: closed <b>& more',
      tag: 'route:leeds',
      renotify: true,
      silent: false,
      address: '/routes/leeds',
      valid_until: '2026-11-21T08:30:00.000Z',
      unseen: 0,
      criticals: null,
    });
    expect(await stateOf(id)).toMatchObject({ state: 'sent', next_at: null, last_status: 201 });
    expect(await channelOf(to)).toMatchObject({ state: 'working', last_ok: '2026-11-21T08:00:00.000Z' });
  });

  it('is silent about what is over, and hides what a lock screen must not show', async () => {
    await message(await device({ hide_details: true }), { kind: 'cleared', is_news: false });
    await sender.changed();
    expect(far.arrived[0]!.payload).toMatchObject({
      title: '1 critical on one of your routes',
      text: '',
      silent: true,
      renotify: false,
      event_ids: [],
    });
    expect(far.arrived[0]!.headers.urgency).toBe('normal');
  });

  it('can be acknowledged by one tap if it is about ten incidents, not about more', async () => {
    const all = Array.from({ length: 11 }, (_, n) => `national-highways:${n}`);
    for (const event_ids of [all.slice(1), all]) await message(await device(), { event_ids });
    await sender.changed();
    const named = far.arrived.map(({ payload }) => (payload!['event_ids'] as string[]).length);
    expect(named.toSorted()).toEqual([0, 10]);
  });

  it.each([404, 410, 403])('ends its device at %i, and notifies its user in the app', async (status) => {
    const to = await device();
    far.answer = status;
    const id = await message(to);
    await sender.changed();
    expect(await stateOf(id)).toMatchObject({ state: 'failed', reason: 'Not sent: device unreachable' });
    expect(await channelOf(to)).toMatchObject({ state: 'off', address: '' });
    const rows = await db.selectFrom('messages').selectAll().where('channel_id', '=', 'app-rosa').execute();
    expect(rows.map((row) => (JSON.parse(row.body) as MessageBody).title)).toEqual([
      'Messages no longer reach Rosa’s phone',
    ]);
  });

  it('is given up at 413, because no repeat makes it smaller', async () => {
    far.answer = 413;
    const id = await message(await device());
    await sender.changed();
    expect(await stateOf(id)).toMatchObject({
      state: 'failed',
      attempts: 1,
      next_at: null,
      last_status: 413,
    });
  });

  it('waits as long as 429 says, then arrives with the same id', async () => {
    far.answer = 429;
    far.retryAfter = '600';
    const to = await device();
    const id = await message(to);
    await sender.changed();
    expect(await stateOf(id)).toMatchObject({ state: 'waiting', next_at: '2026-11-21T08:10:00.000Z' });
    expect((await channelOf(to)).state).toBe('failing');
    time += 9 * MINUTE;
    await sender.changed();
    expect(far.arrived).toHaveLength(1);
    far.answer = 201;
    time += MINUTE;
    await sender.changed();
    expect(far.arrived.map(({ payload }) => payload!.id)).toEqual([id, id]);
    expect((await stateOf(id)).state).toBe('sent');
    expect((await channelOf(to)).state).toBe('working');
  });

  it('is not tried again at once at an address that asks for no wait', async () => {
    far.answer = 429;
    far.retryAfter = '0';
    const id = await message(await device());
    await sender.changed();
    expect(far.arrived).toHaveLength(1);
    expect(await stateOf(id)).toMatchObject({ state: 'waiting', next_at: '2026-11-21T08:00:30.000Z' });
  });

  it.each([500, 'silence'] as const)(
    'is tried again after 30 s, 2 min and 8 min at %s, until it is too old',
    async (answer) => {
      await sender.stop();
      begin({ timeoutMs: answer === 'silence' ? 50 : 10_000 });
      far.answer = answer;
      const id = await message(await device());
      const tries: number[] = [];
      let before = 0;
      for (let second = 0; second <= 31 * 60; second += 30) {
        time = START + second * 1000;
        await sender.changed();
        const { attempts } = await stateOf(id);
        if (attempts > before) tries.push(second);
        before = attempts;
      }
      expect(tries).toEqual([0, 30, 150, 630, 1110, 1590]);
      expect(await stateOf(id)).toMatchObject({ state: 'failed', reason: 'Not sent: device unreachable' });
    },
  );

  it('is not sent when it is too old, or to a device that is signed out', async () => {
    const to = await device();
    const old = await message(to);
    time += 31 * MINUTE;
    await users(db).change('rosa', { is_active: 0 });
    const late = await message(to);
    await sender.changed();
    expect(await stateOf(old)).toMatchObject({ state: 'dropped', reason: 'Not sent: too old by then' });
    expect(await stateOf(late)).toMatchObject({ state: 'dropped', reason: 'Not sent: signed out there' });
    expect(far.arrived).toEqual([]);
  });

  it('has failed if it was tried, and is too old when the server is on again', async () => {
    const id = await message(await device());
    far.answer = 503;
    await sender.changed();
    time += 31 * MINUTE;
    await sender.changed();
    expect(await stateOf(id)).toMatchObject({ state: 'failed', reason: 'Not sent: device unreachable' });
    expect(far.arrived).toHaveLength(1);
  });

  it('does not go to a channel that was turned off while it waited', async () => {
    const to = await device();
    const id = await message(to);
    await channelsIn(db).change(to, { state: 'off' }, now());
    await sender.changed();
    expect(await stateOf(id)).toMatchObject({ state: 'failed', reason: 'Not sent: this channel is off' });
    expect(far.arrived).toEqual([]);
  });

  it('goes to many, ten at a time, and none is lost', async () => {
    const to = await device();
    const ids = new Set<string>();
    for (let count = 0; count < 57; count++) ids.add(await message(to));
    await sender.changed();
    expect(new Set(far.arrived.map(({ payload }) => payload!.id))).toEqual(ids);
    expect(far.arrived).toHaveLength(57);
  });
});

describe('a webhook', () => {
  it('is signed by the Standard Webhooks rules', async () => {
    time = Date.now();
    const id = await message(await channel('webhook', `https://${far.host}/hook`));
    await sender.changed();
    const [{ headers, body }] = far.arrived as [(typeof far.arrived)[0]];
    const read = new Webhook(HOOK_SECRET).verify(body, headers as Record<string, string>);
    expect(read).toMatchObject({
      type: 'clearway.alert',
      data: { id, severity: 'critical', url: 'https://clearway.example/routes/leeds' },
    });
    expect(headers['webhook-id']).toBe(id);
    const forged = body.replace('closed', 'open');
    expect(() => new Webhook(HOOK_SECRET).verify(forged, headers as Record<string, string>)).toThrow();
  });

  it('has the body that Slack or Teams reads, and a publisher’s words format nothing in it', async () => {
    await message(await channel('slack', `https://${far.host}/slack`), {
      title: 'High: <!channel> & <x|y>',
    });
    await message(await channel('teams', `https://${far.host}/teams`), {
      title: 'High: [click](https://evil.example)',
    });
    await sender.changed();
    const bodyOf = (path: string) => far.arrived.find((one) => one.path === path)!.body;
    expect((JSON.parse(bodyOf('/slack')) as { text: string }).text).toMatch(
      /^High: &lt;!channel&gt; &amp; &lt;x\|y&gt;\n/,
    );
    expect(JSON.parse(bodyOf('/teams'))).toMatchObject({
      type: 'message',
      attachments: [{ content: { body: [{ text: String.raw`High: \[click\](https://evil.example)` }, {}] } }],
    });
  });

  it('leads to the page where an alert can be marked as not on its route, and contains no secret', async () => {
    const at = now().toISOString();
    await db
      .insertInto('watches')
      .values({
        id: 'leeds',
        team_id: EVERYONE,
        kind: 'route',
        name: 'Leeds–Heathrow',
        made_by: 'junctions',
        legs: '[]',
        geometry: '{"type":"LineString","coordinates":[]}',
        length_km: 320,
        reach_m: null,
        sources: '[]',
        notify: '{}',
        created_by: null,
        created_at: at,
        updated_by: null,
        updated_at: at,
        rev: 1,
        matched_rev: 1,
        archived_at: null,
      })
      .execute();
    const address = '/routes/leeds#national-highways%3Aa';
    await message(await channel('slack', `https://${far.host}/slack`), { address }, 'leeds');
    await message(await channel('teams', `https://${far.host}/teams`), { address }, 'leeds');
    await message(await channel('slack', `https://${far.host}/over`), { address, kind: 'cleared' }, 'leeds');
    await sender.changed();
    expect(far.arrived.find(({ path }) => path === '/over')!.body).toContain('Open in Clearway');
    const page = `https://clearway.example${address}`;
    const [slack, teams] = ['/slack', '/teams'].map(
      (path) => far.arrived.find((one) => one.path === path)!.body,
    );
    expect((JSON.parse(slack!) as { text: string }).text).toContain(
      `<${page}|Open, or say that it is not ours>`,
    );
    expect(JSON.parse(teams!)).toMatchObject({
      attachments: [{ content: { actions: [{ title: 'Open, or say that it is not ours', url: page }] } }],
    });
  });

  it('ends at 410, and says why it may not call an address inside the network', async () => {
    far.answer = 410;
    const gone = await channel('webhook', `https://${far.host}/hook`);
    await message(gone);
    const inside = await channel('webhook', 'https://169.254.169.254/latest/meta-data');
    const id = await message(inside);
    await sender.changed();
    expect((await channelOf(gone)).state).toBe('off');
    expect((await stateOf(id)).reason).toBe(
      'Not sent: this address is inside a private network. The operator can allow it with OUTGOING_ALLOW.',
    );
  });
});

describe('an e-mail', () => {
  it('is plain text and HTML, and ends with one click', async () => {
    const mails: string[] = [];
    let refusal: number | null = null;
    const server = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS'],
      onData(stream, _session, done) {
        let text = '';
        stream.on('data', (part: Buffer) => (text += part.toString()));
        stream.on('end', () => {
          mails.push(text);
          done(refusal ? Object.assign(new Error('No'), { responseCode: refusal }) : null);
        });
      },
    });
    const listening = server.listen(0, '127.0.0.1');
    await once(listening, 'listening');
    const { port } = listening.address() as AddressInfo;
    await sender.stop();
    begin({ mail: { url: `smtp://127.0.0.1:${port}`, from: 'Clearway <clearway@coaches.example>' } });

    const to = await channel('email', 'rosa@coaches.example');
    const id = await message(to, {
      title: 'Critical: M62: closed\r\nBcc: everybody@evil.example',
      letter: [{ heading: 'At <u>', lines: ['M62 <u>', { text: 'A64 <u>', address: '/routes/"<u>' }] }],
    });
    await sender.changed();
    expect(await stateOf(id)).toMatchObject({ state: 'sent' });
    const [mail] = mails as [string];
    const headers = mail.slice(0, mail.indexOf('\r\n\r\n')).replace(/\r\n\s+/g, ' ');
    const token = links(secrets).token('unsubscribe', to);
    expect(headers).toContain(
      `List-Unsubscribe: <https://clearway.example/api/v1/channels/unsubscribe/${token}>`,
    );
    expect(headers).toContain('List-Unsubscribe-Post: List-Unsubscribe=One-Click');
    expect(headers).toContain(`Message-ID: <${id}@clearway.example>`);
    expect(headers).not.toMatch(/^Bcc:/m);
    expect(mail).toContain('text/plain');
    expect(mail).toContain('text/html');
    const page = mail.slice(mail.indexOf('text/html')).replaceAll('=\r\n', '');
    expect(page).toMatch(/At &#60;u&#62;.*M62 &#60;u&#62;.*A64 &#60;u&#62;/s);
    expect(page).not.toMatch(/<u>|routes\/"/);

    // A refusal for now is tried again, one for good is not.
    for (const [code, state] of [
      [451, 'waiting'],
      [550, 'failed'],
    ] as const) {
      refusal = code;
      const refused = await message(to);
      await sender.changed();
      expect(await stateOf(refused)).toMatchObject({ state, last_status: code });
      await messages(db).settle(refused, { state: 'dropped' });
    }

    await new Promise<void>((resolve) => server.close(() => resolve()));
    const late = await message(to);
    await sender.changed();
    expect(await stateOf(late)).toMatchObject({
      state: 'waiting',
      reason: 'Not sent yet: the mail server could not be reached',
    });
  });

  it('says so if the server has none', async () => {
    const id = await message(await channel('email', 'rosa@coaches.example'));
    await sender.changed();
    expect((await stateOf(id)).reason).toBe('Not sent: e-mail is not set up on this server.');
  });
});
