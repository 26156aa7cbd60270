/** An icon of the package has six weights, each a whole drawing, of which the app uses two. */
import type { Plugin } from 'vite';

const USED = /^"(?:bold|fill)"/;
/** One weight in the package's source: its name, then its drawing, up to the next one. */
const WEIGHT = /\n {2}\[\n {4}("\w+"),[^]*?\n {2}\],?(?=\n)/g;

/** Leaves out of every icon what the app does not use. An icon of ours without a weight would draw nothing, and fails the build. */
export function iconWeights(): Plugin {
  return {
    name: 'clearway:icon-weights',
    enforce: 'pre',
    transform: {
      filter: { id: [/@phosphor-icons\/react\/dist\/defs\//, /\/src\/.*\.tsx$/] },
      handler(code, id) {
        if (id.endsWith('.tsx')) {
          const [plain] = /<\w+Icon\b(?![^>]*\bweight=)[^>]*>/.exec(code) ?? [];
          if (plain) this.error(`${id}: ${plain} needs weight="bold" or weight="fill"`);
          return null;
        }
        const kept = code.replace(WEIGHT, (weight, name: string) => (USED.test(name) ? weight : ''));
        return kept === code ? null : { code: kept, map: null };
      },
    },
  };
}
