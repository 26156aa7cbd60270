/** Writes the OpenAPI document beside the built server: `node build/document.ts dist-server/openapi.json`. Making it
 *  takes a quarter of a start's processor time. */
import { writeFileSync } from 'node:fs';
import { deriveSecrets } from '../server/accounts/secrets.ts';
import { buildApp } from '../server/app.ts';
import { readConfig } from '../server/config.ts';
import { openMemoryDatabase } from '../server/db/open.ts';
import { feedAnswers } from '../server/feeds/feedAnswers.ts';
import { makeLog } from '../server/log.ts';
import { COLLECTORS as collectors } from '../server/sources/allSources.ts';

const { db, close } = await openMemoryDatabase();
const now = () => new Date();
const app = buildApp({
  config: readConfig({}, []),
  db,
  secrets: deriveSecrets('of a server that nobody can reach'),
  now,
  log: makeLog('error'),
  feedAnswers: feedAnswers({ db, collectors, now }),
  collectors,
});
const { statusCode, rawPayload } = await app.inject('/openapi.json');
if (statusCode !== 200) throw new Error(`The document of the API cannot be made: ${String(rawPayload)}`);
writeFileSync(process.argv[2]!, rawPayload);
await app.close();
await close();
