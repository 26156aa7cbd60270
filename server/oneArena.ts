/**
 * Import it first. On Linux the C library keeps memory for each thread apart, up to eight times the processors, and gives
 * little of it back: 25 MB of this process. That can only be set before a process starts, so it starts itself again in its
 * place, with the same number, files and arguments. See bench/README.md.
 */
const { env, execPath, execArgv, argv, platform } = process;

if (platform === 'linux' && env['MALLOC_ARENA_MAX'] === undefined) {
  process.execve?.(execPath, [execPath, ...execArgv, ...argv.slice(1)], { ...env, MALLOC_ARENA_MAX: '1' });
}
