/** Which modules share a file. The board's first visit loads no file with more than it needs at once. */
import type { Rolldown } from 'vite';

/** Changes only with the packages: updates of the app then cost a tablet on bad data a third of the bytes. */
const VENDOR = /node_modules\/(react|react-dom|scheduler|zod|wouter|zustand)\//;
/** Shared by pages other than the board. */
const PAGES = /\/src\/(ui|device|time|offline|session|api|feeds)\/|\/unseenMessages\.ts$/;
const BEGINNINGS = files('../src/main.tsx', '../src/screens/board/BoardPage.tsx', '../src/shift/InHand.tsx');
/** Modules that the board loads when its rows are on the screen. */
const AFTER_ROWS = files('../src/shift/changes/ChangesStrip.tsx', '../src/screens/board/MyRoutes.tsx');

function files(...paths: string[]): string[] {
  return paths.map((path) => new URL(path, import.meta.url).pathname);
}

/** Small parts that several pages share compress better together than separately. */
export function chunkGroups(): Rolldown.CodeSplittingGroup[] {
  let ofBoard: ReadonlySet<string> | undefined;
  let afterRows: ReadonlySet<string> | undefined;
  return [
    { name: 'vendor', test: VENDOR, priority: 3 },
    {
      name: (id, graph) => ((ofBoard ??= reachOf(BEGINNINGS, graph)).has(id) ? 'parts' : null),
      minShareCount: 2,
      priority: 2,
    },
    {
      // Without the two themselves: they stay files that the budget knows.
      name: (id, graph) => ((afterRows ??= below(AFTER_ROWS, graph)).has(id) ? 'after' : null),
      minShareCount: 2,
      priority: 1,
    },
    // Without what they import: of that, the board's first load may have a part of its own.
    { name: 'pages', test: PAGES, minShareCount: 2, includeDependenciesRecursively: false },
  ];
}

const below = (ids: readonly string[], graph: Rolldown.ChunkingContext): Set<string> =>
  reachOf(ids, graph).difference(new Set(ids));

/** The modules that these import, without those that load later. */
function reachOf(ids: readonly string[], graph: Rolldown.ChunkingContext): Set<string> {
  const reached = new Set<string>();
  const visit = (id: string) => {
    if (reached.has(id)) return;
    reached.add(id);
    graph.getModuleInfo(id)?.importedIds.forEach(visit);
  };
  ids.forEach(visit);
  return reached;
}
