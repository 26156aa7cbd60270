/** Which modules share a file. The board's first visit loads no file with more than it needs at once. */
import type { Rolldown } from 'vite';

/** This file changes only with the packages, so updates of the app cost a tablet on bad data only a third of the
 *  bytes. */
const VENDOR = /node_modules\/(react|react-dom|scheduler|zod|wouter|zustand)\//;
const BEGINNINGS = files('../src/main.tsx', '../src/screens/board/BoardPage.tsx', '../src/shift/InHand.tsx');
/** Modules that the board loads when its rows are on the screen. */
const AFTER_ROWS = files('../src/shift/changes/ChangesStrip.tsx', '../src/screens/board/MyRoutes.tsx');

const ROUTES = screens('watches/RoutesPage', 'today/TodayPage');
const WALL = screens('wall/WallPage', 'wall/playlist/WallPlaylist');
/**
 * Files of modules that several pages share. A module is in the first of these files whose pages import it; if a file
 * has two lists of pages, pages of both must import it. With a module, the file gets everything that the module
 * imports, so that a file imports only files before it. There are few files, because the app's worker installs each
 * with a request of its own.
 */
const KINDS: readonly (readonly [name: string, ...pages: (readonly string[])[]])[] = [
  [
    'front',
    screens('landing/LandingPage', 'login/LoginPage', 'dashboard/DashboardPage', 'account/AccountPage'),
  ],
  ['list', screens('list/ListPage', 'alert/AlertPage', 'messages/MessagesPage', 'handover/HandoverPage')],
  ['trips', ROUTES, WALL],
  ['routes', ROUTES],
  ['wall', WALL],
  ['map', screens('map/MapPage')],
  ['rare'],
];
/** Libraries that only one action needs: a module that imports one of them stays in a file of its own. */
const HEAVY = /node_modules\/(?:mapbox-gl|ical\.js|fflate|read-excel-file|uqr|@tmcw)\//;

function screens(...pages: string[]): string[] {
  return files(...pages.map((page) => `../src/screens/${page}.tsx`));
}

function files(...paths: string[]): string[] {
  return paths.map((path) => new URL(path, import.meta.url).pathname);
}

export function chunkGroups(): Rolldown.CodeSplittingGroup[] {
  let ofBoard: ReadonlySet<string> | undefined;
  let afterRows: ReadonlySet<string> | undefined;
  return [
    { name: 'vendor', test: VENDOR, priority: KINDS.length + 3 },
    {
      name: (id, graph) => ((ofBoard ??= reachOf(BEGINNINGS, graph)).has(id) ? 'parts' : null),
      minShareCount: 2,
      priority: KINDS.length + 2,
    },
    {
      // The two modules themselves stay in files of their own, which the budget knows.
      name: (id, graph) => ((afterRows ??= below(AFTER_ROWS, graph)).has(id) ? 'after' : null),
      minShareCount: 2,
      priority: KINDS.length + 1,
    },
    ...KINDS.map(([name, ...pages], index): Rolldown.CodeSplittingGroup => {
      let reached: readonly ReadonlySet<string>[] | undefined;
      return {
        name: (id, graph) => {
          reached ??= pages.map((one) => reachOf(one, graph));
          return !stays(id, graph) && reached.every((ids) => ids.has(id)) ? name : null;
        },
        minShareCount: 2,
        priority: KINDS.length - index,
      };
    }),
  ];
}

const stays = (id: string, graph: Rolldown.ChunkingContext): boolean =>
  AFTER_ROWS.includes(id) || [...reachOf([id], graph)].some((one) => HEAVY.test(one));

const below = (ids: readonly string[], graph: Rolldown.ChunkingContext): Set<string> =>
  reachOf(ids, graph).difference(new Set(ids));

/** The modules that these import, except modules that load later. */
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
