/** Each icon of the package has six weights, each with a whole drawing. The app uses two of them. */
import type { Plugin } from 'vite';

const USED = /^"(?:bold|fill)"/;
/** One weight in the package's source: its name, then its drawing, up to the next one. */
const WEIGHT = /\n {2}\[\n {4}("\w+"),[^]*?\n {2}\],?(?=\n)/g;

/** Leaves out the weights that the app does not use. If one of our icons lacks a weight, it would draw nothing, so
 *  the build fails. */
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
