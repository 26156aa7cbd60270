/** Marks the making of a schema in our own sources as free of side effects, so that a page contains only the schemas
 *  that it uses. Otherwise the board would load those of every form. */
import { join } from 'node:path';
import type { Plugin } from 'vite';

const root = join(import.meta.dirname, '..');
const OURS = ['src/', 'contract/'].map((folder) => join(root, folder));
const MAKING = /(?<![\w.])z(?=\.\w+(?:\.\w+)?\()/g;

export const pureSchemas = (): Plugin => ({
  name: 'clearway:pure-schemas',
  apply: 'build',
  enforce: 'pre',
  transform: (code, id) =>
    OURS.some((folder) => id.startsWith(folder))
      ? { code: code.replaceAll(MAKING, '/* @__PURE__ */ z'), map: null }
      : null,
});
