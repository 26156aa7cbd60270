import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, it } from 'vitest';
import { EVERYONE } from '../../../../server/accounts/teams.ts';
import { example } from '../../../../server/calls/reference/examples.ts';
import { briefs } from '../../../../server/delivery/briefs/briefStore.ts';
import { bodyOf } from '../../../../server/delivery/outbox/outboxStore.ts';
import { jobs } from '../../../../server/watches/jobs/jobStore.ts';
import { DATABASES } from '../../../support/databases.ts';
import { amount } from '../../../support/long.ts';
import { COMPILED } from '../../../support/server.ts';
import { closure, notifierWorld } from '../alerts/notifierWorld.ts';

const { briefRequest, jobRequest } = example;

const KILLS = amount('KILLS', { whole: 50, part: 2 });

const WHO = { teamId: EVERYONE, userId: 'rosa' };
const DAY_MS = 24 * 60 * 60_000;
const child = new URL('briefsChild.ts', import.meta.url).pathname;

it(`is sent once by two nodes in ${KILLS} kills`, { timeout: 60_000 + KILLS * 30_000 }, async () => {
  const { db, url, close } = await DATABASES.find(({ engine }) => engine === 'postgres')!.open();
  const world = await notifierWorld(db);
  await world.watch('leeds');
  await world.listed([closure()]);
  const mail = await world.channel('email');
  await briefs(db).add(WHO, { ...briefRequest, watch_ids: null, channel_ids: [mail] }, world.now());

  /** Ends as the test chose: killed, or at its end. */
  async function node(owner: string, clock: Date, statements: number | 'all'): Promise<boolean> {
    const args = [child, url!, owner, clock.toISOString(), String(statements)];
    const one = spawn(process.execPath, args, { env: { ...process.env, ...COMPILED }, stdio: 'ignore' });
    const [code, signal] = (await once(one, 'exit')) as [number | null, NodeJS.Signals | null];
    expect([code, signal], `${owner} after ${statements}`).toEqual(
      signal === null ? [0, null] : [null, 'SIGKILL'],
    );
    return signal !== null;
  }

  let kills = 0;
  const due: string[] = [];
  try {
    // The two nodes begin their statements apart, so that each is killed at each of them.
    for (let round = 0; kills < KILLS; round++) {
      const at = Date.parse('2026-11-22T06:00:00.000Z') + round * DAY_MS;
      due.push(new Date(at).toISOString());
      const day = due.at(-1)!.slice(0, 10);
      await jobs(db).add(WHO, { ...jobRequest, day, watch_id: 'leeds' }, world.now());
      const statements = 1 + ((round * 7) % 30);
      const died = await Promise.all([
        node('one', new Date(at + 5000), statements),
        node('two', new Date(at + 5000), statements + 2),
      ]);
      kills += died.filter(Boolean).length;
      // A lease outlives its node by a minute; then the next node does the remaining work.
      await node('three', new Date(at + 120_000), 'all');
    }
    const rows = await db.selectFrom('messages').selectAll().orderBy('created_at').execute();
    const sent = (channel: string) =>
      rows
        .filter(({ channel_id }) => channel_id === channel)
        .map((row) => bodyOf(row))
        .filter(({ kind }) => kind === 'brief')
        .map(({ address }) => decodeURIComponent(address).split('/').at(-1));
    expect(sent(mail)).toEqual(due);
    const runs = await db.selectFrom('brief_runs').select(['at', 'subject']).orderBy('at').execute();
    expect(runs.map(({ at }) => at)).toEqual(due);
    expect(runs.every(({ subject }) => subject !== null)).toBe(true);
  } finally {
    await world.stop();
    await close();
  }
});
