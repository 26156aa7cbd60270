import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { release } from '../../build/release.ts';

const LOG = '# Changes\n\n## Unreleased\n\n- Areas know trains.\n\n## 0.1.0, 2026-01-02\n\n- First.\n';

let root: string;
let tested: number;

const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
const read = (name: string) => readFileSync(join(root, name), 'utf8');
const write = (name: string, text: string) => writeFileSync(join(root, name), text);
const released = (version: string, passes = true) =>
  release(version, {
    root,
    day: '2026-11-24',
    passes: () => {
      tested += 1;
      return passes;
    },
  });

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'clearway-release-'));
  tested = 0;
  const own = { name: 'clearway', version: '0.1.0' };
  write('package.json', `${JSON.stringify({ ...own, private: true }, null, 2)}\n`);
  const other = { name: 'other', version: '0.1.0' };
  write('package-lock.json', `${JSON.stringify({ ...own, packages: { '': own, a: other } }, null, 2)}\n`);
  write('CHANGELOG.md', LOG);
  git('init', '--quiet', '--initial-branch', 'main');
  git('config', 'user.name', 'Rosa Jones');
  git('config', 'user.email', 'rosa@coaches.example');
  git('config', 'tag.gpgSign', 'false');
  git('config', 'commit.gpgSign', 'false');
  git('add', '.');
  git('commit', '--quiet', '--message', 'First');
});

afterEach(() => rmSync(root, { recursive: true }));

it('writes the version and the day, commits them, and tags the commit with the news', async () => {
  await released('1.0.0');
  expect(tested).toBe(1);
  expect(JSON.parse(read('package.json'))).toMatchObject({ version: '1.0.0', private: true });
  const { version, packages } = JSON.parse(read('package-lock.json')) as {
    version: string;
    packages: Record<string, { version: string }>;
  };
  expect([version, packages['']!.version, packages.a!.version]).toEqual(['1.0.0', '1.0.0', '0.1.0']);
  expect(read('CHANGELOG.md')).toBe(
    LOG.replace('## Unreleased\n', '## Unreleased\n\n## 1.0.0, 2026-11-24\n'),
  );
  expect(git('status', '--porcelain')).toBe('');
  expect(git('log', '-1', '--format=%s')).toBe('Release 1.0.0');
  expect(git('tag', '--points-at', 'HEAD')).toBe('v1.0.0');
  expect(git('tag', '--list', '--format=%(contents)', 'v1.0.0')).toContain('- Areas know trains.');
});

it.each([
  ['1.0', 'A version is three numbers, such as 1.0.0, not "1.0".', () => {}],
  ['0.1.0', '0.1.0 is not higher than 0.1.0.', () => {}],
  ['0.0.9', '0.0.9 is not higher than 0.1.0.', () => {}],
  ['1.0.0', 'Releases are made on the branch main.', () => git('switch', '--quiet', '--create', 'other')],
  ['1.0.0', 'There are uncommitted changes.', () => write('new.txt', 'new')],
  ['1.0.0', 'There is a tag v1.0.0 already.', () => git('tag', 'v1.0.0')],
  [
    '1.0.0',
    'CHANGELOG.md says nothing under "## Unreleased".',
    () => {
      write('CHANGELOG.md', LOG.replace('- Areas know trains.\n\n', ''));
      git('commit', '--quiet', '--all', '--message', 'No news');
    },
  ],
])('refuses %s and writes nothing: %s', async (version, words, given) => {
  given();
  const before = git('rev-parse', 'HEAD');
  await expect(released(version)).rejects.toThrow(words);
  expect(tested).toBe(0);
  expect([git('rev-parse', 'HEAD'), read('package.json').includes('"0.1.0"')]).toEqual([before, true]);
});

it('writes nothing when a test fails', async () => {
  await expect(released('1.0.0', false)).rejects.toThrow('Tests failed: nothing was written.');
  expect(git('status', '--porcelain')).toBe('');
  expect(git('tag')).toBe('');
});

it('finds the project’s own version where it is written', () => {
  for (const name of ['package.json', 'package-lock.json']) {
    const own = readFileSync(join(import.meta.dirname, '../..', name), 'utf8');
    expect(own, name).toMatch(/"name": "clearway",\s+"version": "\d+\.\d+\.\d+"/);
  }
});
