/** A wall set-top box on bad Wi-Fi downloads the board before it shows anything: the build refuses to let it grow. */
import { basename } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Plugin, Rollup } from 'vite';

/** First-load JavaScript of the board, gzip, in bytes. */
export const BOARD_BUDGET_BYTES = 150_000;

/** A page of its own, loaded when somebody goes there. */
const OTHER_PAGE = /\/(?!BoardPage\.)\w+Page\.tsx$/;

/** What loads only after an act of the user, each with the act. Whatever is not named here counts. */
const LATER: readonly string[] = [
  'src/board/demoFeeds.ts', // somebody switches to Demo
];

/**
 * Adds up every script that a first visit to the board loads: all that the entry reaches, by static or dynamic
 * import, but for other pages and what is named in LATER. Fails the build over BOARD_BUDGET_BYTES and always
 * prints the figure. The worker is built apart and does not count: it loads after the board shows.
 */
export function boardBudget(): Plugin {
  return {
    name: 'clearway:board-budget',
    apply: 'build',
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const scripts = boardScripts(bundle);
        const sizes = scripts.map((chunk) => ({
          name: basename(chunk.fileName),
          bytes: gzipped(chunk.code),
        }));
        const total = sizes.reduce((sum, { bytes }) => sum + bytes, 0);
        const figure = `Board, first load: ${kilobytes(total)} of JavaScript (gzip), at most ${kilobytes(BOARD_BUDGET_BYTES)}`;

        if (total > BOARD_BUDGET_BYTES) {
          const worst = sizes.toSorted((a, b) => b.bytes - a.bytes);
          const lines = worst.map(({ name, bytes }) => `  ${kilobytes(bytes).padStart(9)}  ${name}`);
          this.error([`${figure}. Load something later, or not at all:`, ...lines].join('\n'));
        }
        console.log(figure);
      },
    },
  };
}

function boardScripts(bundle: Rollup.OutputBundle): Rollup.OutputChunk[] {
  const entry = Object.values(bundle).find((file) => file.type === 'chunk' && file.isEntry);
  if (!entry) throw new Error('The build made no entry script: is index.html there?');

  const found = new Set<Rollup.OutputChunk>();
  const visit = (name: string) => {
    const chunk = bundle[name];
    if (chunk?.type !== 'chunk' || found.has(chunk) || loadsLater(chunk)) return;
    found.add(chunk);
    for (const next of [...chunk.imports, ...chunk.dynamicImports]) visit(next);
  };
  visit(entry.fileName);

  const board = [...found].some((chunk) => chunk.moduleIds.some((id) => id.endsWith('/board/BoardPage.tsx')));
  if (!board)
    throw new Error('The entry never reaches src/board/BoardPage.tsx: the budget would measure nothing');
  return [...found];
}

const loadsLater = ({ facadeModuleId }: Rollup.OutputChunk) =>
  facadeModuleId !== null &&
  (OTHER_PAGE.test(facadeModuleId) || LATER.some((path) => facadeModuleId.endsWith(path)));

const gzipped = (code: string) => gzipSync(code, { level: 9 }).length;
const kilobytes = (bytes: number) => `${(bytes / 1000).toFixed(1)} KB`;
