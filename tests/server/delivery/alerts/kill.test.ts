import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { messages } from '../../../../server/delivery/outbox/outboxStore.ts';
import { openDatabase } from '../../../../server/db/open.ts';
import { channels as channelsIn, STANDARD } from '../../../../server/delivery/outbox/channelStore.ts';
import { EVERYONE } from '../../../../server/accounts/teams.ts';
import { COMPILED } from '../../../support/server.ts';
import { amount } from '../../../support/long.ts';

const KILLS = amount('KILLS', { whole: 100, part: 3 });

let dataDir: string;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'clearway-sender-'));
});
afterAll(() => rm(dataDir, { recursive: true }));

it(
  `loses no message in ${KILLS} kills of the sender, repeats only with the same id, and keeps the order`,
  async () => {
    const ids = Array.from({ length: 2 * KILLS }, (_, index) => `msg_${index}`);
    const opened = await openDatabase({ dataDir });
    const at = new Date().toISOString();
    for (const id of ['hook', 'chat'])
      await channelsIn(opened.db).add(
        {
          id,
          team_id: EVERYONE,
          user_id: null,
          kind: 'webhook',
          name: id,
          address: 'sealed',
          address_hash: id,
          state: 'working',
          what: { alerts: true, changes: true, digest: false, brief: false },
        },
        STANDARD,
        at,
      );
    const body = JSON.stringify({ kind: 'change', title: '', text: '', address: '/messages' });
    await messages(opened.db).add(
      ids.map((id, index) => ({
        id,
        body,
        // Every other is about one of two incidents.
        ...(index % 2 === 0
          ? { channel_id: 'hook', about: null, place: null }
          : { channel_id: 'chat', about: `tfl:${index % 4}`, place: String(index).padStart(6, '0') }),
        watch_id: null,
        team_id: null,
        bundle: id,
        created_at: at,
        reason: 'Waiting to be sent',
        state: 'waiting' as const,
        attempts: 0,
        next_at: at,
        last_status: null,
        valid_until: '2099-01-01T00:00:00.000Z',
        sent_at: null,
        seen_at: null,
      })),
    );
    await opened.close();

    const arrived: string[] = [];
    let kills = 0;
    let kill: () => void = () => {};
    // The child dies as its next message arrives, before or after it gets the answer.
    const server = createServer((request, reply) => {
      arrived.push(request.url!.slice(1));
      if (kills >= KILLS) return void reply.writeHead(201).end();
      if (kills++ % 2 === 0) return kill();
      reply.writeHead(201).end(() => kill());
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;

    const child = new URL('../outbox/senderChild.ts', import.meta.url).pathname;
    for (let code: number | null = null; code !== 0;) {
      const sender = spawn(process.execPath, [child, dataDir, String(port)], {
        env: { ...process.env, ...COMPILED },
        stdio: 'ignore',
      });
      kill = () => void sender.kill('SIGKILL');
      [code] = (await once(sender, 'exit')) as [number | null];
      expect(code === null || code === 0, `ended with ${code}`).toBe(true);
    }
    server.closeAllConnections();
    server.close();

    expect(new Set(arrived)).toEqual(new Set(ids));
    for (const incident of [1, 3]) {
      const first = [...new Set(arrived)].filter((id) => Number(id.slice(4)) % 4 === incident);
      expect(first).toEqual(ids.filter((_, index) => index % 4 === incident));
    }
    const { db, close } = await openDatabase({ dataDir });
    const left = await db.selectFrom('messages').select('id').where('state', '<>', 'sent').execute();
    await close();
    expect(left).toEqual([]);
  },
  30_000 + KILLS * 5000,
);
