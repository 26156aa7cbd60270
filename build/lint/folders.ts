/** The order of the rooms, and the lint rule that enforces it: a file imports only from its own room and from rooms
 *  below it, types included; never from a room above or beside. The same holds for rooms inside a room. */
import { join, relative, sep } from 'node:path';

/** From the top down, for each folder with rooms of its own. A name is a room or a file; `*` stands for all files of
 *  the folder without a name here. Names on one line do not import each other, but the files of one folder do. */
const ORDER: Readonly<Record<string, readonly string[]>> = {
  src: [
    'main',
    'app',
    'screens',
    'shift',
    'maps watches',
    'feeds session',
    'offline',
    'api',
    'time',
    'device ui',
  ],
  'src/screens': [
    // The board of the past uses the board's own parts, a display's preview the wall's, a job its route's.
    'briefs history layouts today',
    'account admin alert board dashboard handover keys landing list login map messages pairing preview wall watches',
  ],
  'src/screens/board': ['BoardPage', 'frame rows', '*'],
  'src/screens/map': ['MapPage', 'MapTools useEventMap useSelection', 'marks', 'events', 'incidents', '*'],
  'src/screens/wall': [
    'WallPage',
    'playlist',
    'lists',
    'WallBoard',
    'side',
    'rows',
    'band frame',
    'UkMap',
    'words',
    '*',
    'kiosk pairing',
  ],
  'src/screens/watches': ['RoutesPage', 'detail making', '*'],
  'src/shift': ['*', 'reports', 'changes', 'inHand'],
  'src/maps': ['*', 'land'],
  'src/watches': ['* channels'],
  'src/feeds': ['rows', 'refresh', 'alerts'],
  'src/api': ['watches', 'places', 'accounts alerts displays shift', '*'],
  'src/device': ['* address'],
  'src/ui': ['page', 'dialogs', 'controls signs', '*'],
  server: [
    'dev main',
    'service',
    'app',
    'operate',
    'calls',
    'delivery',
    'watches',
    'shift',
    'feeds',
    'config',
    'sources',
    'incidents',
    'geography',
    'http',
    'accounts',
    'db',
    'everyHour log refusals',
  ],
  'server/operate': ['commands', 'backup', '*'],
  'server/calls': [
    'incidents',
    'waysOut',
    'accounts displays feeds places shift watches',
    'reference service',
    '*',
  ],
  'server/delivery': ['handover', 'alerts briefs publicPages', 'formats outbox'],
  'server/watches': ['demoteSources', 'history jobs', '*', 'matching typed'],
  'server/watches/matching': ['*', 'rules'],
  'server/feeds': ['past', 'feedAnswers', 'summaries', '*'],
  'server/sources': ['*', 'parts polling'],
  'server/incidents': ['list', 'lifecycle', 'merging place', '*', 'facts'],
  'server/geography': ['names', 'roads', 'events shapes'],
  'server/geography/events': ['import', 'indexes sample', '*'],
  'server/http': ['answers', 'limits usage', 'calls documents'],
  'server/accounts': ['firstAdmin guard', 'displays passwords', 'keys', '*'],
  'server/db': ['*', 'migrations', 'schema', 'columns'],
  contract: ['history shift', 'watches', 'displays feeds messages', 'accounts incidents', '* places'],
};

/** Files that the app imports from outside src/: the contract, and the messages of its worker. */
const SHARED = ['contract', 'sw/workerMessages.ts'];
const ALLOWED: Readonly<Record<string, string>> = {
  src: ` but ${SHARED.join(' and ')}`,
  server: ` but ${SHARED.join(' and ')}`,
};

const TREES: ReadonlySet<string> = new Set(['src', 'server', 'contract', 'sw', 'tests', 'bench']);

const root = join(import.meta.dirname, '../..');

/** The fault of an import of `target` by `file`, both as paths from the root; null if there is none. */
function importFault(file: string, target: string): string | null {
  const from = file.split('/');
  const to = target.split('/');
  const [tree = ''] = from;
  const [otherTree = ''] = to;
  if (!['src', 'server', 'contract'].includes(tree) || !TREES.has(otherTree)) return null;
  if (tree !== otherTree) {
    const isShared = SHARED.some((shared) => target === shared || target.startsWith(`${shared}/`));
    return isShared && tree !== 'contract'
      ? null
      : `${tree} imports nothing of ${otherTree}${ALLOWED[tree] ?? ''}`;
  }

  // The first folder at which the two paths differ.
  const depth = from.findIndex((name, index) => name !== to[index]);
  const folder = from.slice(0, depth).join('/');
  const order = ORDER[folder];
  if (depth === -1 || !order) return null;
  const name = placeIn(order, from, depth);
  const otherName = placeIn(order, to, depth);
  if (name === otherName) return null;

  const level = levelIn(order, name);
  const otherLevel = levelIn(order, otherName);
  const unknown = level === -1 ? name : otherLevel === -1 ? otherName : null;
  if (unknown) return `${folder}/${unknown} has no place in the order of the rooms (build/lint/folders.ts)`;
  return level < otherLevel
    ? null
    : `${folder}/${name} does not import from ${folder}/${otherName}, which is ${level === otherLevel ? 'beside' : 'above'} it (build/lint/folders.ts)`;
}

/** The room or the file in which a path continues, as the order names it. */
function placeIn(order: readonly string[], path: readonly string[], depth: number): string {
  const isFile = path.length === depth + 1;
  const name = path[depth]!.replace(isFile ? /\.\w+$/ : /$/, '');
  return isFile && levelIn(order, name) === -1 ? '*' : name;
}

const levelIn = (order: readonly string[], name: string) =>
  order.findIndex((line) => line.split(' ').includes(name));

interface ImportNode {
  source?: { type: string; value?: unknown } | null;
}

/** The part of ESLint's rule interface that this rule needs. */
interface RuleContext {
  filename: string;
  report(problem: { node: ImportNode; message: string }): void;
}

function create(context: RuleContext) {
  const file = relative(root, context.filename).split(sep).join('/');
  const check = (node: ImportNode) => {
    const address = node.source?.value;
    if (typeof address !== 'string') return;
    const target = targetOf(file, address);
    const message = target && importFault(file, target);
    if (message) context.report({ node, message });
  };
  return {
    ImportDeclaration: check,
    ExportNamedDeclaration: check,
    ExportAllDeclaration: check,
    ImportExpression: check,
    TSImportType: check,
  };
}

/** The imported file's path from the root; null for a package. */
function targetOf(file: string, address: string): string | null {
  if (address.startsWith('#contract/')) return `contract/${address.slice('#contract/'.length)}`;
  return address.startsWith('.') ? join(file, '..', address).split(sep).join('/') : null;
}

export default {
  meta: { name: 'folders' },
  rules: { order: { meta: { type: 'problem' }, create } },
};
