/** A node as a process of its own: it makes the briefs that are due, and kills itself before its n-th statement. */
import { openDatabase } from '../../../../server/db/open.ts';
import { startBriefs } from '../../../../server/delivery/briefs/briefs.ts';
import type { KyselyPlugin } from 'kysely';

const [url = '', owner = '', clock = '', statements = ''] = process.argv.slice(2);
const { db } = await openDatabase({ dataDir: '', databaseUrl: url });
let left = statements === 'all' ? Infinity : Number(statements);
const killing: KyselyPlugin = {
  transformQuery({ node }) {
    if (--left < 0) process.kill(process.pid, 'SIGKILL');
    return node;
  },
  transformResult: async ({ result }) => result,
};
const node = startBriefs({
  db: db.withPlugin(killing),
  mode: 'one',
  collectors: [],
  now: () => new Date(clock),
  owner,
  log: {
    error(fields) {
      console.error(fields);
      process.exitCode = 1;
    },
  },
});
await node.changed();
await node.stop();
process.exit();
