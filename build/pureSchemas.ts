/**
 * Marks the making of a schema as free of effects, in our own sources, so that a page carries only the schemas that it
 * reads with: the board would load those of every form otherwise.
 */
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
