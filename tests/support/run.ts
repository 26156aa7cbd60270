/** `npm test`: all checks and tests, in order. It continues after a failure, lists what failed and why, and ends
 *  with the line `N passed, N failed`. Each test counts as one, and so does each check (format, lint, types, build).
 *  `npm test -- unit e2e` runs only the stages named: format, lint, types, build, unit, e2e. */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { chromiumPath } from './chromium.ts';

interface Count {
  passed: number;
  failed: number;
}

/** Runs a stage. `note` adds what the figures cannot say; `failures` are the failed tests with their errors. */
type Stage = () => Promise<Count & { note?: string; failures?: string[] }>;

type Report = Count & { skipped: number; failures: string[] };

const MINUTE_MS = 60_000;
const root = new URL('../..', import.meta.url).pathname;
const reports = mkdtempSync(join(tmpdir(), 'clearway-test-'));
let built = true;

/** The stages of a round run in parallel. A check is one process on one core, and the suite of a round waits often
 *  enough to leave room for the types. Side by side the two suites took no less than one after the other: they lack
 *  processor time. A browser's processes are not in what `time` prints of a run. */
const ROUNDS = [['format', 'lint', 'build'], ['types', 'unit'], ['e2e']];

const STAGES: Record<string, Stage> = {
  format: () => check('oxfmt', '--check'),
  lint: async () => sum([await check('oxlint', '--deny-warnings'), await check('stylelint', 'src/**/*.css')]),
  async types() {
    const projects = ['tsconfig.json', 'sw/tsconfig.json', 'server/tsconfig.json', 'tests/e2e/tsconfig.json'];
    const counts: Count[] = [];
    // One thread takes half the processor time of several, which check again what they share.
    for (const project of projects) counts.push(await check('tsc', '--singleThreaded', '-p', project));
    return sum(counts);
  },
  unit: () => {
    const report = join(reports, 'unit.json');
    const args = ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
    return suite(['vitest', ...args], report, countVitest, 20 * MINUTE_MS);
  },
  async build() {
    const count = await check('vite', 'build');
    built = count.failed === 0;
    return count;
  },
  async e2e() {
    if (!built) return { passed: 0, failed: 1, note: 'not run: there is no build to test' };
    process.env.CHROMIUM_PATH = chromiumPath();
    const report = join(reports, 'e2e.json');
    process.env.E2E_REPORT = report;
    return suite(['playwright', 'test'], report, countPlaywright, 26 * MINUTE_MS);
  },
};

/** A check counts as one, by its command's exit code. */
async function check(...command: string[]): Promise<Count> {
  const ok = await run(command, 5 * MINUTE_MS);
  return ok ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
}

/** A suite is counted by its own report. A fault that is missing from the report (a crash, a time-out, no test at
 *  all, an error outside any test) is one more failure. */
async function suite(
  command: string[],
  report: string,
  count: (report: unknown) => Report,
  timeoutMs: number,
): ReturnType<Stage> {
  const ok = await run(command, timeoutMs);
  let counted: Report;
  try {
    counted = count(JSON.parse(readFileSync(report, 'utf8')));
  } catch (error) {
    return { passed: 0, failed: 1, note: `no report that could be read (${String(error)})` };
  }

  const { passed, skipped, failures } = counted;
  const failed = counted.failed + skipped; // a test that did not run proves nothing
  if (passed + failed === 0) return { passed, failed: 1, note: 'it ran no test' };
  if (!ok && failed === 0) return { passed, failed: 1, note: 'it failed outside any test' };
  return { passed, failed, failures, note: skipped > 0 ? `${skipped} did not run` : undefined };
}

/** Vitest's JSON. A file that cannot be loaded has no tests in it, and counts as one failure. */
function countVitest(report: unknown): Report {
  const { numTotalTests, numPassedTests, numFailedTests, testResults } = report as {
    numTotalTests: number;
    numPassedTests: number;
    numFailedTests: number;
    testResults: {
      name: string;
      status: string;
      message: string;
      assertionResults: { status: string; fullName: string; failureMessages: string[] }[];
    }[];
  };
  const failures: string[] = [];
  let broken = 0;
  for (const { name, status, message, assertionResults } of testResults) {
    const failed = assertionResults.filter((test) => test.status === 'failed');
    failures.push(
      ...failed.map((test) => failure(`${name} › ${test.fullName}`, test.failureMessages.join('\n'))),
    );
    if (status === 'failed' && failed.length === 0) {
      broken += 1;
      failures.push(failure(name, message));
    }
  }
  return {
    passed: numPassedTests,
    failed: numFailedTests + broken,
    skipped: numTotalTests - numPassedTests - numFailedTests,
    failures,
  };
}

interface PlaywrightSuite {
  suites?: PlaywrightSuite[];
  specs: {
    ok: boolean;
    title: string;
    file: string;
    line: number;
    tests: { results: { errors: { message?: string }[] }[] }[];
  }[];
}

/** Playwright's JSON. Its `errors` are those outside any test. */
function countPlaywright(report: unknown): Report {
  const { stats, errors, suites } = report as {
    stats: { expected: number; unexpected: number; flaky: number; skipped: number };
    errors: { message?: string }[];
    suites: PlaywrightSuite[];
  };
  const failures = errors.map(({ message }) => failure('outside any test', message));
  const collect = (suite: PlaywrightSuite) => {
    suite.suites?.forEach(collect);
    for (const { ok, title, file, line, tests } of suite.specs) {
      if (ok) continue;
      const messages = tests.flatMap(({ results }) => results.flatMap((result) => result.errors));
      failures.push(failure(`${file}:${line} › ${title}`, messages.map(({ message }) => message).join('\n')));
    }
  };
  suites.forEach(collect);
  return {
    passed: stats.expected,
    failed: stats.unexpected + stats.flaky + errors.length,
    skipped: stats.skipped,
    failures,
  };
}

/** The first lines of the error; the suite's own output above has all of it. */
function failure(test: string, message = ''): string {
  const lines = stripVTControlCharacters(message).split('\n').slice(0, 12);
  return [test.replace(root, ''), ...lines.map((line) => `    ${line}`)].join('\n');
}

/** Runs one of the project's tools with its output in ours. True: it succeeded in time. */
function run([tool, ...args]: string[], timeoutMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    // Its own process group, so that a time-out ends everything it started.
    const child = spawn(join(root, 'node_modules/.bin', tool!), args, {
      cwd: root,
      stdio: ['ignore', 'inherit', 'inherit'],
      detached: true,
    });
    const end = (signal: NodeJS.Signals) => {
      try {
        process.kill(-child.pid!, signal);
      } catch {
        // It has ended already.
      }
    };
    const timer = setTimeout(() => {
      console.error(`${tool} took longer than ${timeoutMs / MINUTE_MS} minutes and was ended`);
      end('SIGKILL');
    }, timeoutMs);
    const interrupted = () => end('SIGTERM');
    process.once('SIGINT', interrupted).once('SIGTERM', interrupted);

    child.once('error', (error) => {
      console.error(`${tool} could not be started: ${error.message}`);
      finish(false);
    });
    child.once('close', (code) => finish(code === 0));
    const finish = (ok: boolean) => {
      clearTimeout(timer);
      end('SIGKILL'); // any processes it left behind
      process.off('SIGINT', interrupted).off('SIGTERM', interrupted);
      resolve(ok);
    };
  });
}

const sum = (counts: Count[]): Count => ({
  passed: counts.reduce((total, { passed }) => total + passed, 0),
  failed: counts.reduce((total, { failed }) => total + failed, 0),
});

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !Object.hasOwn(STAGES, name));
if (unknown.length > 0) {
  throw new Error(`No such stage: ${unknown.join(', ')}. There are: ${Object.keys(STAGES).join(', ')}`);
}

const lines: string[] = [];
const failures: string[] = [];
const counts: Count[] = [];
for (const round of ROUNDS) {
  const stages = round.filter((name) => wanted.length === 0 || wanted.includes(name));
  if (stages.length === 0) continue;
  console.log(`\n== ${stages.join(', ')}`);
  await Promise.all(
    stages.map(async (name) => {
      const began = performance.now();
      const count: Awaited<ReturnType<Stage>> = await STAGES[name]!().catch((error: unknown) => ({
        passed: 0,
        failed: 1,
        note: String(error),
      }));
      counts.push(count);
      const seconds = ((performance.now() - began) / 1000).toFixed(1);
      failures.push(...(count.failures ?? []));
      const note = count.note ? `  (${count.note})` : '';
      lines.push(
        `${name.padEnd(7)} ${String(count.passed).padStart(5)} good ${String(count.failed).padStart(4)} bad ${seconds.padStart(7)} s${note}`,
      );
    }),
  );
}
rmSync(reports, { recursive: true, force: true });

const { passed, failed } = sum(counts);
console.log(`\n${[...failures, lines.join('\n')].join('\n\n')}\n\n${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;
