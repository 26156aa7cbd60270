/**
 * `npm run bench -- start`: how long the server takes from its start until it is ready, with half a million events on
 * SQLite (`--rows 500000`), when it first shows a view of the map, and how much memory it needs then. `--rounds 5`.
 */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { sql } from 'kysely';
import { openDatabase } from '../server/db/open.ts';
import { EVENTS_REVISION, raiseRevision } from '../server/db/revisions.ts';
import { ADMIN, prepareServer } from '../tests/support/server.ts';

const { values } = parseArgs({
  args: process.argv.slice(3),
  options: { rows: { type: 'string', default: '500000' }, rounds: { type: 'string', default: '5' } },
});
const ROWS = Number(values.rows);
const VIEW = '/api/v1/events/viewport?south=49.5&west=-8.7&north=61&east=2&max_results=500';

const server = await prepareServer();
await server.start();
await server.stop();
await copySample();

const rows: string[] = [];
for (let round = 0; round < Number(values.rounds); round++) {
  const began = performance.now();
  await server.start();
  const ready = performance.now() - began;
  const readyMs = spentMs();
  const token = await signIn();
  const asked = performance.now();
  const view = await fetch(server.origin + VIEW, { headers: { authorization: `Bearer ${token}` } });
  const { total } = (await view.json()) as { total: number };
  const figures = [ready, readyMs, performance.now() - asked, memoryMb(), total];
  rows.push(`| ${figures.map((figure) => Math.round(figure).toLocaleString('en-GB')).join(' | ')} |`);
  await server.stop();
}
await server.dispose();
console.log(
  '| ready, ms | of it processor time, ms | the first view, ms | memory then, MB | events in view |',
);
console.log(
  '| --------: | -----------------------: | -----------------: | --------------: | -------------: |',
);
console.log(rows.join('\n'));

/** Copies the sample's performances many times as real ones, slightly moved. */
async function copySample(): Promise<void> {
  const { db, close } = await openDatabase({ dataDir: server.dataDir });
  const { count } = await db
    .selectFrom('performances')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  const copies = Math.ceil(ROWS / count);
  const numbers = sql`(with recursive copies (copy) as (select 1 union all select copy + 1 from copies where copy < ${copies}) select copy from copies)`;
  await sql`insert into events (event_id, source, is_sample, venue_id, record, content_hash, updated_at)
    select event_id || '~' || copy, 'bench', 0, venue_id, record, content_hash, updated_at
    from ${numbers} join events on source = 'sample'`.execute(db);
  await sql`insert into performances (performance_id, event_id, start_datetime, over_at, category, category_key,
      town, town_key, latitude, longitude, search_text, shown, content_hash)
    select performance_id || '~' || copy, event_id || '~' || copy, start_datetime, over_at, category, category_key,
      town, town_key, latitude + copy * 0.0003, longitude - copy * 0.0004, search_text, shown, content_hash
    from ${numbers} join performances on id <= ${count}`.execute(db);
  await db.transaction().execute((trx) => raiseRevision(trx, EVENTS_REVISION));
  await close();
}

async function signIn(): Promise<string> {
  const answer = await fetch(`${server.origin}/api/v1/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(ADMIN),
  });
  return ((await answer.json()) as { access_token: string }).access_token;
}

/** The processor time of all its threads since its start. */
function spentMs(): number {
  const fields = readFileSync(`/proc/${server.pid()}/stat`, 'utf8').split(') ')[1]!.split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

function memoryMb(): number {
  const [, kb] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.pid()}/status`, 'utf8'))!;
  return Number(kb) / 1024;
}
