/** A sender as a process of its own, to be killed: it posts to the given port until nothing is left. */
import { request } from 'node:http';
import { openDatabase } from '../../../../server/db/open.ts';
import { startSender } from '../../../../server/delivery/outbox/sender.ts';

const [dataDir = '', port = ''] = process.argv.slice(2);
const { db } = await openDatabase({ dataDir });
const sender = startSender({
  db,
  now: () => new Date(),
  owner: 'the only process',
  mode: 'one',
  log: { error: (fields) => console.error(fields) },
  channels: {
    deliver: ({ message }) =>
      new Promise((resolve) => {
        const call = request({ port, method: 'POST', path: `/${message.id}` }, (answer) => {
          answer.resume().on('end', () => resolve({ kind: 'sent', status: 201 }));
        });
        call.on('error', () =>
          resolve({ kind: 'later', status: null, why: 'Nobody answered', afterMs: null }),
        );
        call.end();
      }),
    close() {},
  },
});
await sender.changed();
await sender.stop();
process.exit(0);
