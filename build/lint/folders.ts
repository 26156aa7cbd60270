/**
 * The order of the folders, and the lint rule that enforces it: a file imports only from its own folder and from
 * those below, types included; never from a folder above or beside it.
 */
import { join, relative, sep } from 'node:path';

/** From the top down. A name is a folder or a file; those on one line do not import each other. */
const ORDER: Readonly<Record<string, readonly string[]>> = {
  src: [
    'main',
    'app',
    // The board of the past is made of the board's own parts.
    'history',
    // A job is shown with the parts of its route.
    'today',
    // Previews are made of the wall's own parts, beside what administrators see of displays.
    'layouts',
    // The screens:
    'account admin alert board dashboard handover keys landing list login map messages preview routes wall',
    'kiosk',
    'pairing',
    'shift',
    'channels streetMap watches',
    'feeds',
    'session',
    'offline',
    'api',
    'time',
    'addresses device land',
    'ui',
  ],
  server: [
    'dev main',
    'commands service',
    'app certificate housekeeping metrics',
    'routes',
    'docs',
    'messages',
    'day formats matching shift summaries',
    'feeds',
    'config replay',
    'collectors',
    'incidents',
    'http',
    'auth backup events places',
    'sample',
    'db',
    'facts',
    'merging roads',
    'reading',
    'everyHour log refusals secrets',
    'logLines sourceLines',
    'contract',
  ],
};

/** What the app imports from outside src/: the contract, and the messages of its worker. */
const SHARED = ['contract', 'sw/workerMessages.ts'];

const TREES: ReadonlySet<string> = new Set([...Object.keys(ORDER), 'sw', 'tests', 'bench']);

const root = join(import.meta.dirname, '../..');

/** What is wrong with an import of `target` by `file`, both as paths from the root; null if nothing is. */
export function importFault(file: string, target: string): string | null {
  const [tree, name] = roomOf(file);
  const [otherTree, otherName] = roomOf(target);
  const order = ORDER[tree];
  if (!order || !TREES.has(otherTree)) return null;
  if (SHARED.some((shared) => target === shared || target.startsWith(`${shared}/`))) return null;
  if (otherTree !== tree) return `${tree} imports nothing of ${otherTree} but ${SHARED.join(' and ')}`;
  if (name === otherName) return null;

  const level = levelIn(order, name);
  const otherLevel = levelIn(order, otherName);
  const unknown = level === -1 ? name : otherLevel === -1 ? otherName : null;
  if (unknown) return `${tree}/${unknown} has no place in the order of the folders (build/lint/folders.ts)`;
  return level < otherLevel
    ? null
    : `${tree}/${name} does not import from ${tree}/${otherName}, which is ${level === otherLevel ? 'beside' : 'above'} it (build/lint/folders.ts)`;
}

/** `['server', 'db']` of `server/db/open.ts`, `['server', 'main']` of `server/main.ts`. */
function roomOf(path: string): [tree: string, name: string] {
  const [tree = '', name = ''] = path.split('/');
  return [tree, name.replace(/\.\w+$/, '')];
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
