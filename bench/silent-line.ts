/** A line that is open but silent for minutes of real time, under five screens in Chromium
 *  (`tests/e2e/silentLine.spec.ts`). `npm run build && npm run bench -- silent-line [seconds]`. */
import { spawnSync } from 'node:child_process';

const SILENT_SECONDS = process.argv[3] ?? '210';

const { status } = spawnSync(
  'npx',
  ['playwright', 'test', 'silentLine', '--workers=1', '--global-timeout=0'],
  {
    env: { ...process.env, SILENT_SECONDS },
    stdio: 'inherit',
  },
);
process.exitCode = status ?? 1;
