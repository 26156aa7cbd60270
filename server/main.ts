/**
 * The process. Two things can only be set before it starts, so it starts itself again in its place, with the same number,
 * files and arguments; the service is loaded after that. See bench/README.md.
 *
 * On Linux the C library keeps memory for each thread apart, up to eight times the processors, and gives little of it
 * back: 25 MB of this process. And Node compiles everything at each start, unless it may keep what it has compiled: in the
 * data folder, where nobody else writes, from the second start on.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';

const { env, execPath, execArgv, argv, platform } = process;

if (platform === 'linux' && env['MALLOC_ARENA_MAX'] === undefined) {
  const dataDir = env['DATA_DIR'] || 'data';
  process.execve?.(execPath, [execPath, ...execArgv, ...argv.slice(1)], {
    ...env,
    ...(!env['NODE_COMPILE_CACHE'] &&
      existsSync(dataDir) && { NODE_COMPILE_CACHE: join(dataDir, 'compiled') }),
    MALLOC_ARENA_MAX: '1',
  });
}

const { run } = await import('./service.ts');
await run();
