/** `npm run bench -- stream`: 500 programs that read a stream: the memory of the server, and how long a change takes
 *  to reach all of them. `--clients 500`, `--changes 20`. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { createParser } from 'eventsource-parser';

const { values } = parseArgs({
  args: process.argv.slice(3),
  options: { clients: { type: 'string', default: '500' }, changes: { type: 'string', default: '20' } },
});
const CLIENTS = Number(values.clients);
const CHANGES = Number(values.changes);
const SETTLE_MS = 3000;

interface Ready {
  origin: string;
  /** One key for every five streams. */
  keys: string[];
}

const server = fork(fileURLToPath(new URL('http/streamServer.ts', import.meta.url)), [String(CLIENTS)], {
  execArgv: ['--expose-gc', '--max-semi-space-size=2', '--heap-growing-percent=8'],
});
const [{ origin, keys }] = (await once(server, 'message')) as [Ready];

await settle();
const before = memory();
const arrived: number[][] = Array.from({ length: CHANGES }, () => []);
let events = 0;
let lastId = '';
const responses: IncomingMessage[] = [];
for (let at = 0; at < CLIENTS; at++) {
  const key = keys[Math.floor(at / 5)]!;
  responses.push(
    await read({}, key, (title) => {
      events++;
      arrived[Number(title)]!.push(performance.now());
    }),
  );
}
await settle();
const open = memory();

const spans: number[] = [];
for (let change = 0; change < CHANGES; change++) {
  server.send({ change });
  await once(server, 'message');
  const [sentAt] = [performance.now()];
  while (arrived[change]!.length < CLIENTS && performance.now() - sentAt < 10_000)
    await new Promise((resolve) => setTimeout(resolve, 5));
  const times = arrived[change]!;
  spans.push(Math.max(...times) - Math.min(...times));
}
await settle();
const after = memory();

for (const response of responses) response.destroy();
await settle();
let replayed = 0;
const again = await read({ 'last-event-id': String(Number(lastId) - CHANGES) }, keys[0]!, () => replayed++);
await settle();
again.destroy();
server.disconnect();

const mb = (kb: number) => (kb / 1024).toFixed(0);
console.log(
  '| clients | memory before, MB | with them, MB | after the changes, MB | fan-out, median ms | most ms | events | replayed |',
);
console.log(
  '| ------: | ----------------: | ------------: | --------------------: | -----------------: | ------: | -----: | -------: |',
);
const sorted = spans.toSorted((one, other) => one - other);
console.log(
  `| ${CLIENTS} | ${mb(before)} | ${mb(open)} | ${mb(after)} | ${sorted[sorted.length >> 1]!.toFixed(0)} | ${sorted.at(-1)!.toFixed(0)} | ${events.toLocaleString('en-GB')} of ${(CLIENTS * CHANGES).toLocaleString('en-GB')} | ${replayed} of ${CHANGES} |`,
);

/** The resident memory of the server after a garbage collection, in kB. */
function memory(): number {
  return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'))![1]);
}

async function settle() {
  server.send('collect garbage');
  await once(server, 'message');
  await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
}

async function read(
  headers: Record<string, string>,
  key: string,
  onChange: (title: string) => void,
): Promise<IncomingMessage> {
  const request = get(`${origin}/api/v1/disruptions.sse`, {
    agent: false,
    headers: { authorization: `Bearer ${key}`, ...headers },
  });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  if (response.statusCode !== 200) throw new Error(`Refused with ${response.statusCode}`);
  const parser = createParser({
    onEvent({ event, id, data }) {
      if (id) lastId = id;
      if (event !== 'disruption.began') return;
      onChange((JSON.parse(data) as { disruption: { title: string } }).disruption.title);
    },
  });
  response.setEncoding('utf8');
  response.on('data', (text: string) => parser.feed(text));
  response.on('error', () => {}); // the bench closes it
  return response;
}
