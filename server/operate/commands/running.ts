/** How a command runs: its output goes to the terminal, and a problem becomes one line. */

/** A message for the operator about their input; no stack trace is shown. */
export class Unusable extends Error {}

/** The text of an error on one line, without control characters. */
export function oneLine(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.replace(/[\s\p{Cc}]+/gu, ' ').trim();
}

/** The output of a command and its exit code, which is 1 after a problem. `work` returns the text to print. */
export async function resultOf(
  name: string,
  help: string,
  work: (args: string[]) => Promise<string>,
  args: string[],
): Promise<{ code: number; stdout: string; stderr: string }> {
  if (args.includes('--help') || args.includes('-h')) return { code: 0, stdout: help, stderr: '' };
  try {
    return { code: 0, stdout: `${await work(args)}\n`, stderr: '' };
  } catch (error) {
    return { code: 1, stdout: '', stderr: `${name}: ${oneLine(error)}\n` };
  }
}

/** Runs it with the arguments of this process. */
export async function runCommand(
  name: string,
  help: string,
  work: (args: string[]) => Promise<string>,
): Promise<void> {
  const { code, stdout, stderr } = await resultOf(name, help, work, process.argv.slice(2));
  process.stdout.write(stdout);
  process.stderr.write(stderr);
  if (code !== 0) process.exitCode = code;
}
