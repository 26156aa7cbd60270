/** The Chromium that the browser tests drive. */
import { chromium as playwright } from '@playwright/test';
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Flags that a closed network and a container need. */
export const CHROMIUM_FLAGS = [
  '--no-sandbox',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Names of the browser. The shell comes first: the same engine without windows saves a third of a run's processor
 *  time. */
const SYSTEM_NAMES = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
];

/** The path of a Chromium that runs: CHROMIUM_PATH, the system's, or Playwright's own. If there is none, it installs
 *  one, which takes minutes and prints its progress. If that fails, it throws an error that says what to do. */
export function chromiumPath(): string {
  const named = process.env.CHROMIUM_PATH;
  if (named) {
    if (runs(named)) return named;
    throw new Error(`CHROMIUM_PATH does not name a Chromium that runs: "${named}"`);
  }
  return find() ?? install();
}

function find(): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter).filter(Boolean);
  const system = SYSTEM_NAMES.flatMap((name) => folders.map((folder) => join(folder, name)));
  return [...system, playwright.executablePath()].find((path) => existsSync(path) && runs(path));
}

/** Runs it once: on some systems `chromium-browser` only prints how to install one. */
function runs(path: string): boolean {
  return spawnSync(path, ['--version'], { stdio: 'ignore', timeout: 30_000 }).status === 0;
}

function install(): string {
  const tried: string[] = [];
  const attempt = (command: string, ...args: string[]) => {
    tried.push([command, ...args].join(' '));
    console.log(`No Chromium found: ${tried.at(-1)}`);
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    return spawnSync(command, args, { stdio: ['ignore', 'inherit', 'inherit'], env }).status === 0;
  };

  if (process.getuid?.() === 0 && existsSync('/etc/debian_version')) {
    attempt('apt-get', 'update');
    attempt('apt-get', 'install', '-y', '--no-install-recommends', 'chromium-headless-shell');
    if (!find()) attempt('apt-get', 'install', '-y', '--no-install-recommends', 'chromium'); // an older release has no shell
  }
  if (!find()) attempt('npx', 'playwright', 'install', 'chromium');

  const found = find();
  if (found) return found;
  throw new Error(
    `The browser tests need a Chromium. None was found, and none could be installed by: ${tried.join('; ')}. ` +
      'Install one, or set CHROMIUM_PATH to one that is already there.',
  );
}
