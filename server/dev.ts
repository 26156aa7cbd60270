/** `npm run dev`: the app with hot reload, and a server in replay mode. Ctrl-C stops it. */
import { createServer } from 'vite';
import { SERVER_ADDRESS } from '#contract/addresses.ts';
import { readConfig } from './config.ts';
import { makeLog } from './log.ts';
import { start } from './service.ts';

const { url, stop } = await startServer();
const app = await createServer({
  // Vite serves everything else, which is the app, from source.
  server: { proxy: { [SERVER_ADDRESS.source]: { target: url, secure: false } } },
});
await app.listen();
app.printUrls();

// Vite's own listener would end the process before the server has closed its database.
process.removeAllListeners('SIGTERM');
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void leave());

async function startServer() {
  try {
    const env = { LOG_LEVEL: 'warn', ...process.env, HOST: '127.0.0.1', PORT: '0' };
    const config = readConfig(env, ['--replay']);
    return await start(config, makeLog(config.logLevel));
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exit(1);
  }
}

async function leave(): Promise<never> {
  await app.close();
  await stop();
  process.exit(0);
}
