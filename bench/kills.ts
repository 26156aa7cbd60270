/** The tests of kill -9 with a hundred kills: of the server under load and backup, and of the sender of messages.
 *  `npm run bench -- kills [how many]`. `npm test` runs them with a few. */
import { spawnSync } from 'node:child_process';

const KILLS = process.argv[3] ?? '100';
const TESTS = ['tests/server/kill.test.ts', 'tests/server/delivery/alerts/kill.test.ts'];

const { status } = spawnSync('npx', ['vitest', 'run', '--project', 'server', '--maxWorkers=1', ...TESTS], {
  env: { ...process.env, KILLS },
  stdio: 'inherit',
});
process.exitCode = status ?? 1;
