/**
 * `npm run release -- 1.0.0`: checks, writes and tags a version. It sends nothing: a person does that.
 *
 * It needs the branch `main` without uncommitted changes, a higher version than the last, and news under "Unreleased"
 * in CHANGELOG.md. Then it runs `npm test`. Only after that it writes the version and the day, commits both and tags
 * the commit.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const UNRELEASED = '## Unreleased';

/** The reason why there is no release, in words for the person at the terminal. */
class NotReleased extends Error {}

/** `root`: the project's folder. `passes`: whether all tests pass. `day`: "2026-11-24". Throws NotReleased. */
export async function release(
  version: string,
  { root, passes, day }: { root: string; passes: () => boolean | Promise<boolean>; day: string },
): Promise<void> {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
  const read = (name: string) => readFileSync(join(root, name), 'utf8');
  const insist = (isSo: boolean, otherwise: string) => {
    if (!isSo) throw new NotReleased(otherwise);
  };

  insist(/^\d+\.\d+\.\d+$/.test(version), `A version is three numbers, such as 1.0.0, not "${version}".`);
  const { version: last } = JSON.parse(read('package.json')) as { version: string };
  insist(isHigher(version, last), `${version} is not higher than ${last}.`);
  insist(git('branch', '--show-current') === 'main', 'Releases are made on the branch main.');
  insist(git('status', '--porcelain') === '', 'There are uncommitted changes.');
  insist(git('tag', '--list', `v${version}`) === '', `There is a tag v${version} already.`);
  const [before = '', after] = read('CHANGELOG.md').split(`${UNRELEASED}\n`);
  const news = after?.split(/^## /m)[0]?.trim();
  insist(Boolean(news), `CHANGELOG.md says nothing under "${UNRELEASED}".`);
  insist(await passes(), 'Tests failed: nothing was written.');

  writeFileSync(join(root, 'CHANGELOG.md'), `${before}${UNRELEASED}\n\n## ${version}, ${day}\n${after}`);
  for (const name of ['package.json', 'package-lock.json'])
    writeFileSync(join(root, name), read(name).replaceAll(OWN_VERSION, `$1"${version}"`));
  git('commit', '--quiet', '--all', '--message', `Release ${version}`);
  git('tag', '--annotate', `v${version}`, '--message', `Clearway ${version}\n\n${news}`);
}

/** The version after the project's own name, because packages have versions too. */
const OWN_VERSION = /("name": "clearway",\s+"version": )"[\d.]+"/g;

function isHigher(version: string, last: string): boolean {
  const [one, other] = [version, last].map((text) => text.split('.').map(Number));
  const at = one!.findIndex((number, index) => number !== other![index]);
  return at !== -1 && one![at]! > other![at]!;
}

if (import.meta.main) {
  const root = join(import.meta.dirname, '..');
  const passes = () => spawnSync('npm', ['test'], { cwd: root, stdio: 'inherit' }).status === 0;
  try {
    const [version = ''] = process.argv.slice(2);
    await release(version, { root, passes, day: new Date().toISOString().slice(0, 10) });
    console.log(`Released ${version}. To publish it: git push --follow-tags`);
  } catch (error) {
    if (!(error instanceof NotReleased)) throw error;
    console.error(error.message);
    process.exitCode = 1;
  }
}
