/** A wall's set-top box on bad Wi-Fi downloads the board before it shows anything, so the build limits the board's
 *  size. */
import { basename } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Plugin, Rollup } from 'vite';

/** The limit of the board's first-load JavaScript, gzip, in bytes. */
const BOARD_BUDGET_BYTES = 141_000;

/** Other pages, loaded when somebody opens them. */
const OTHER_PAGE = /\/(?!BoardPage\.)\w+Page\.tsx$/;

/** Files that load only after a user's action, each with that action. Everything else counts. */
const LATER: readonly string[] = [
  'src/app/Redirects.tsx', // somebody opens an address of an earlier version
  'src/screens/board/demoFeeds.ts', // somebody switches to Demo
  'src/screens/board/SourceList.tsx', // somebody opens a feed
  'src/screens/board/rows/OpenedRow.tsx', // somebody opens a Compact row
  'src/shift/InHandFull.tsx', // somebody acknowledged or snoozed an alert, or opens a row
  'src/watches/channels/AddChannel.tsx', // somebody wants messages
  'src/screens/watches/detail/RouteMap.tsx', // somebody opens a route
  'src/shift/reports/DriverTells.tsx', // somebody reports what a driver tells
  'src/app/LeaveUnsent.tsx', // somebody signs out before all is sent
  'src/app/UnseenCount.tsx', // somebody opens another page than the board
];

/** Files that load when the rows are on the screen and the browser is idle, with everything that only they need.
 *  They have a limit of their own. */
const AFTER_ROWS: readonly string[] = [
  'src/shift/changes/ChangesStrip.tsx',
  'src/screens/board/MyRoutes.tsx',
];
const AFTER_ROWS_BUDGET_BYTES = 20_000;

/**
 * Adds up every script that a first visit to the board loads: everything that the entry imports, statically or
 * dynamically, except other pages and the files in LATER. Files that load after the rows are added up separately.
 * Fails the build above either limit, and always prints the figures. The worker is built separately and does not
 * count, because it loads after the board is shown.
 */
export function boardBudget(): Plugin {
  return {
    name: 'clearway:board-budget',
    apply: 'build',
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const first = boardScripts(bundle, [...LATER, ...AFTER_ROWS]);
        const after = boardScripts(bundle, LATER).filter((chunk) => !first.includes(chunk));
        for (const [what, scripts, limit] of [
          ['first load', first, BOARD_BUDGET_BYTES],
          ['after the rows', after, AFTER_ROWS_BUDGET_BYTES],
        ] as const) {
          const sizes = scripts.map((chunk) => ({
            name: basename(chunk.fileName),
            bytes: gzipped(chunk.code),
          }));
          const total = sizes.reduce((sum, { bytes }) => sum + bytes, 0);
          const figure = `Board, ${what}: ${kilobytes(total)} of JavaScript (gzip), at most ${kilobytes(limit)}`;

          if (total > limit) {
            const worst = sizes.toSorted((a, b) => b.bytes - a.bytes);
            const lines = worst.map(({ name, bytes }) => `  ${kilobytes(bytes).padStart(9)}  ${name}`);
            this.error([`${figure}. Load something later, or not at all:`, ...lines].join('\n'));
          }
          console.log(figure);
        }
      },
    },
  };
}

function boardScripts(bundle: Rollup.OutputBundle, later: readonly string[]): Rollup.OutputChunk[] {
  const entry = Object.values(bundle).find((file) => file.type === 'chunk' && file.isEntry);
  if (!entry) throw new Error('The build made no entry script: is index.html there?');

  const found = new Set<Rollup.OutputChunk>();
  const visit = (name: string) => {
    const chunk = bundle[name];
    if (chunk?.type !== 'chunk' || found.has(chunk) || loadsLater(chunk, later)) return;
    found.add(chunk);
    for (const next of [...chunk.imports, ...chunk.dynamicImports]) visit(next);
  };
  visit(entry.fileName);

  const board = [...found].some((chunk) => chunk.moduleIds.some((id) => id.endsWith('/board/BoardPage.tsx')));
  if (!board)
    throw new Error(
      'The entry never reaches src/screens/board/BoardPage.tsx: the budget would measure nothing',
    );
  return [...found];
}

const loadsLater = ({ facadeModuleId }: Rollup.OutputChunk, later: readonly string[]) =>
  facadeModuleId !== null &&
  (OTHER_PAGE.test(facadeModuleId) || later.some((path) => facadeModuleId.endsWith(path)));

const gzipped = (code: string) => gzipSync(code, { level: 9 }).length;
const kilobytes = (bytes: number) => `${(bytes / 1000).toFixed(1)} KB`;
