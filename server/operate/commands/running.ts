/** How a command runs: its output goes to the terminal, and a problem becomes one line. */

/** A message for the operator about their input; no stack trace is shown. */
export class Unusable extends Error {}

/** The text of an error on one line, without control characters. */
export function oneLine(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.replace(/[\s\p{Cc}]+/gu, ' ').trim();
}

/** `work` returns the text to print. The exit code is 1 after a problem. */
export async function runCommand(
  name: string,
  help: string,
  work: (args: string[]) => Promise<string>,
): Promise<void> {
  const args = process.argv.slice(2);
  if (args.includes('--help') || args.includes('-h')) return void process.stdout.write(help);
  try {
    process.stdout.write(`${await work(args)}\n`);
  } catch (error) {
    process.stderr.write(`${name}: ${oneLine(error)}\n`);
    process.exitCode = 1;
  }
}
