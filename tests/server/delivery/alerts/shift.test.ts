/** Messages in a shift of the replay, as they arrive at a device, a mailbox and an address. No receiver gets a
 *  message twice, and every end of a sent incident is sent. The list says, as a reader sees it, whether an incident
 *  goes on. */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { expect, it } from 'vitest';
import type { z } from 'zod/mini';
import type { DisruptionPage } from '#contract/incidents/disruptions.ts';
import type { MessageDelivery } from '#contract/messages/channels.ts';
import type { MessageKind } from '#contract/messages/messages.ts';
import { bodyOf } from '../../../../server/delivery/outbox/outboxStore.ts';
import { channels as channelsIn, STANDARD } from '../../../../server/delivery/outbox/channelStore.ts';
import { EVERYONE } from '../../../../server/accounts/teams.ts';
import { COLLECTORS } from '../../../../server/sources/allSources.ts';
import { channels } from '../../../../server/delivery/outbox/sendByChannel.ts';
import { links } from '../../../../server/delivery/outbox/notices.ts';
import { startNotifier } from '../../../../server/delivery/alerts/notifier.ts';
import { outgoing } from '../../../../server/delivery/outbox/publicAddresses.ts';
import { channelSeal } from '../../../../server/delivery/outbox/channelSeal.ts';
import { startSender } from '../../../../server/delivery/outbox/sender.ts';
import { deriveSecrets } from '../../../../server/accounts/secrets.ts';
import { SECRET } from '../../app/testApp.ts';
import { openShiftReplay, POLLED_EVERY } from '../../shiftReplay.ts';
import { CA, farSide } from '../outbox/farSide.ts';
import { amount } from '../../../support/long.ts';

const MINUTE = 60_000;
const HOURS = amount('SHIFT_HOURS', { whole: 8, part: 2 });
/** Scenes are shorter in a short shift, so that incidents end in it. */
const SCENE_MINUTES = HOURS < 8 ? 20 : 60;
/** How long an end may take: ten minutes, in case the incident comes back, and the next poll. */
const TOLD_WITHIN = 10 + POLLED_EVERY;

interface Told {
  receiver: 'device' | 'email' | 'webhook';
  kind: MessageKind;
  body: string;
  /** The route of the message, its subject, and its incidents. */
  subject: string;
  event_ids: string[];
  minute: number;
}

/** A mailbox on loopback. */
async function mailbox() {
  const mails: string[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, _session, done) {
      let text = '';
      stream.on('data', (part: Buffer) => (text += part.toString()));
      stream.on('end', () => {
        mails.push(text);
        done();
      });
    },
  });
  const listening = server.listen(0, '127.0.0.1');
  await once(listening, 'listening');
  return {
    mails,
    url: `smtp://127.0.0.1:${(listening.address() as AddressInfo).port}`,
    close: () => new Promise<void>((resolve) => server.close(resolve)),
  };
}

/** The text without the words that differ in every mail: id, date and the border between its parts. */
function wordsOf(mail: string): { id: string; body: string } {
  const id = /^Message-ID: <([^@]+)@/m.exec(mail)?.[1] ?? '';
  const border = /boundary="([^"]+)"/.exec(mail)?.[1] ?? 'no border';
  const body = mail.replaceAll(border, '').replaceAll(/^(Message-ID|Date): .*$/gm, '');
  return { id, body };
}

it(
  `repeats no body to anybody in ${HOURS} hours, and sends the end of everything that was sent`,
  { timeout: 60_000 + HOURS * 60_000 },
  async () => {
    const world = await openShiftReplay({
      tellMe: { threshold: 'medium', possible: 'digest', around_departures: null },
    });
    const { test, log, faults } = world;
    const { db, now } = test;
    const secrets = deriveSecrets(SECRET);
    const seal = channelSeal(secrets);
    const far = await farSide();
    const mail = await mailbox();
    const [rosa] = await db.selectFrom('users').select('id').execute();
    for (const [kind, target] of [
      ['device', JSON.stringify(far.subscription)],
      ['email', 'rosa@coaches.example'],
      ['webhook', `https://${far.host}/hook`],
    ] as const) {
      const id = randomUUID();
      const row = { id, teamId: EVERYONE };
      await channelsIn(db).add(
        {
          id,
          team_id: EVERYONE,
          user_id: kind === 'webhook' ? null : rosa!.id,
          kind,
          name: kind,
          address: seal.seal(target, row),
          address_hash: id,
          state: 'working',
          what: { alerts: true, changes: false, digest: true, brief: false },
        },
        { ...STANDARD, quiet: null },
        now(),
      );
    }
    const owner = 'the only node';
    const notifier = startNotifier({ db, mode: 'one', collectors: COLLECTORS, now, log, owner });
    const sender = startSender({
      db,
      channels: channels({
        secrets,
        seal,
        links: links(secrets),
        outgoing: outgoing({ allow: [far.host], ca: CA, timeoutMs: 10_000 }),
        contactEmail: 'desk@coaches.example',
        mail: { url: mail.url, from: 'Clearway <clearway@coaches.example>' },
        publicUrl: 'https://clearway.example',
      }),
      now,
      log,
      owner,
      mode: 'one',
    });

    /** The minutes in which the list had it, alone or as a report of another. */
    const listedIn = new Map<string, number[]>();
    /** The id under which it is known now. */
    const homes = new Map<string, string>();
    const told: Told[] = [];
    async function read(minute: number): Promise<void> {
      const { access_token } = await test.signIn();
      let cursor: string | null = null;
      do {
        const after: string = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`;
        const reply = await test.get(`/api/v1/disruptions/?limit=200${after}`, access_token);
        expect(reply.statusCode, reply.body).toBe(200);
        const page = reply.json<z.infer<typeof DisruptionPage>>();
        for (const { event_id, metadata } of page.events)
          for (const id of [event_id, ...(metadata.also_reported_by ?? []).map((one) => one.event_id)]) {
            listedIn.set(id, [...(listedIn.get(id) ?? []), minute]);
            homes.set(id, event_id);
          }
        cursor = page.next_cursor;
      } while (cursor !== null);
    }
    /** A message as stored under its id; `body` leaves out the words that differ in every message. */
    async function add(receiver: Told['receiver'], id: string, body: string, minute: number): Promise<void> {
      const row = await db.selectFrom('messages').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
      const { kind, title, event_ids } = bodyOf(row);
      const subject = JSON.stringify([row.watch_id, title, event_ids]);
      told.push({ receiver, kind, subject, event_ids, minute, body });
    }
    async function open(minute: number): Promise<void> {
      for (const { payload, body } of far.arrived.splice(0)) {
        if (payload) {
          const { id, unseen: _unseen, criticals: _criticals, valid_until: _until, ...words } = payload;
          await add('device', id, JSON.stringify(words), minute);
        } else {
          const { id, ...words } = (JSON.parse(body) as z.infer<typeof MessageDelivery>).data;
          await add('webhook', id, JSON.stringify(words), minute);
        }
      }
      for (const { id, body } of mail.mails.splice(0).map(wordsOf)) await add('email', id, body, minute);
    }

    for (let minute = 0; minute < HOURS * 60; minute++) {
      if (minute > 0 && minute % SCENE_MINUTES === 0) world.replay.step();
      if (minute % POLLED_EVERY === 0) {
        await world.collect();
        await read(minute);
      }
      await notifier.changed();
      await sender.changed();
      await open(minute);
      test.pass(MINUTE);
    }
    await notifier.stop();
    await sender.stop();
    far.close();
    await mail.close();
    await world.close();
    expect(faults).toEqual([]);

    // No message comes twice.
    const bodies = told.map(({ receiver, body }) => `${receiver} ${body}`);
    expect(bodies.filter((one, index) => bodies.indexOf(one) !== index)).toEqual([]);

    // An incident that only goes on is not sent again for four hours.
    const again = told.filter(({ kind, receiver, subject, minute }, index) =>
      told.some(
        (other, place) =>
          place < index &&
          kind === 'alert' &&
          other.kind === 'alert' &&
          other.receiver === receiver &&
          other.subject === subject &&
          minute - other.minute < 4 * 60 &&
          !told.some(
            (end) =>
              end.kind !== 'alert' &&
              end.minute >= other.minute &&
              end.minute <= minute &&
              end.event_ids.some((id) => subject.includes(id)),
          ),
      ),
    );
    expect(again.map(({ receiver, subject, minute }) => `${minute}: ${receiver} ${subject}`)).toEqual([]);

    // The end of every sent incident is sent.
    const last = HOURS * 60 - 1;
    const untold: string[] = [];
    let ends = 0;
    for (const { receiver, kind, event_ids, minute } of told) {
      if (kind !== 'alert') continue;
      for (const id of event_ids) {
        const isKnown = (at: number) => listedIn.get(id)?.includes(at) ?? false;
        const polls = Array.from(
          { length: Math.floor(last / POLLED_EVERY) + 1 },
          (_, at) => at * POLLED_EVERY,
        );
        const over = polls.find(
          (at) =>
            at > minute &&
            at + TOLD_WITHIN <= last &&
            polls.every((later) => later < at || later > at + TOLD_WITHIN || !isKnown(later)),
        );
        if (over === undefined) continue;
        ends++;
        const isTold = told.some(
          (other) =>
            other.receiver === receiver &&
            ['cleared', 'lost'].includes(other.kind) &&
            other.minute >= minute &&
            other.minute <= over + TOLD_WITHIN &&
            other.event_ids.some((one) => one === id || one === homes.get(id)),
        );
        if (!isTold) untold.push(`${receiver}: ${id}, told at ${minute}, over at ${over}`);
      }
    }
    const kinds = Object.entries(Object.groupBy(told, ({ receiver, kind }) => `${receiver} ${kind}`));
    if (HOURS > 2)
      process.stdout.write(
        `${kinds.map(([name, all]) => `${name}: ${all!.length}`).join(', ')}; ${ends} ends to tell\n`,
      );
    expect(untold).toEqual([]);
    // A shift without messages would prove nothing.
    expect(ends).toBeGreaterThan(10);
    for (const receiver of ['device', 'email', 'webhook'])
      expect(
        told.some((one) => one.receiver === receiver && one.kind === 'cleared'),
        receiver,
      ).toBe(true);
  },
);
