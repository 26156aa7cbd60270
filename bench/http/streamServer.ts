/** The server of `bench/stream.ts`: the real app over an empty database, with one key for every five streams. */
import { randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { keyHash, newKey } from '../../server/accounts/keys/apiKeys.ts';
import { buildApp } from '../../server/app.ts';
import { COLLECTORS } from '../../server/sources/allSources.ts';
import { readConfig } from '../../server/config.ts';
import { openMemoryDatabase } from '../../server/db/open.ts';
import { feedAnswers } from '../../server/feeds/feedAnswers.ts';
import { makeLog } from '../../server/log.ts';
import { deriveSecrets } from '../../server/accounts/secrets.ts';
import { poll, record } from '../../tests/server/feedsWorld.ts';

const { db } = await openMemoryDatabase();
const now = () => new Date();
const app = buildApp({
  config: readConfig({}, []),
  db,
  secrets: deriveSecrets('a secret of the bench, longer than 32 bytes'),
  now,
  log: makeLog('silent'),
  feedAnswers: feedAnswers({ db, collectors: COLLECTORS, now }),
  collectors: COLLECTORS,
  dist: '/nowhere',
});
await app.listen({ host: '127.0.0.1', port: 0 });

const owner = randomUUID();
const created_at = now().toISOString();
await db
  .insertInto('users')
  .values({
    id: owner,
    email: 'bench@coaches.example',
    display_name: 'Bench',
    password_hash: '',
    role: 'user',
    is_active: 1,
    is_verified: 1,
    created_at,
    last_login: null,
  })
  .execute();
const keys = Array.from({ length: Math.ceil(Number(process.argv[2]) / 5) }, newKey);
for (const key of keys) {
  await db
    .insertInto('api_keys')
    .values({
      id: randomUUID(),
      user_id: owner,
      name: 'Bench',
      key_hash: keyHash(key),
      key_prefix: '',
      sealed: null,
      rate_limit_tier: 'enterprise',
      scope: 'read',
      created_at,
    })
    .execute();
}

const incidents = [record('national-highways:first')];
process.on('message', async (message: { change: number } | string) => {
  if (typeof message === 'string') globalThis.gc?.();
  else {
    incidents.push(record(`national-highways:${message.change}`, { title: String(message.change) }));
    await poll(db, 'national-highways', incidents, now());
  }
  process.send!('done');
});
// The first poll of a source begins all incidents that it lists.
await poll(db, 'national-highways', incidents, now());
process.on('disconnect', () => process.exit());
const { port } = app.server.address() as AddressInfo;
process.send!({ origin: `http://127.0.0.1:${port}`, keys });
