/**
 * The process. Two settings must be made before a process starts, so it starts itself again in its own place, with
 * the same number, files and arguments. The service is loaded after that. See bench/README.md.
 *
 * First: on Linux the C library keeps separate memory for each thread, up to eight times the processors, and gives
 * little of it back, which is 25 MB of this process. Second: Node compiles everything at each start, unless it may
 * keep the compiled code. We keep it in the data folder, where nobody else writes, from the second start on.
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
