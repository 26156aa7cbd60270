/** The server's build, beside the app's. The sources are more than a thousand files, which took most of a second to
 *  load; the build is only a few. Commands that are run by hand (`server/operate/commands`) and the tests run the
 *  sources. */
import { execFile } from 'node:child_process';
import { globSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { build, type Plugin } from 'vite';

const root = join(import.meta.dirname, '..');
/** In the project's folder, where the packages are found. The data files of the sources are read from their own
 *  places. */
const OUT_DIR = 'dist-server';

/** Files that start by themselves: the process, its threads, and the file that the reading thread loads. */
const ENTRIES = [
  'server/main.ts',
  'server/sources/allSources.ts',
  ...globSync('server/**/{hash,strength,reading,matching}Worker.ts', { cwd: root }),
];

/** Packages that are native, or that read files of their own. */
const LEFT_OUT = ['better-sqlite3', '@node-rs/argon2', '@fastify/swagger-ui', 'uk-railway-stations'];

/** Builds the server after the app. */
export function buildServer(): Plugin {
  return {
    name: 'clearway:server',
    apply: 'build',
    closeBundle: {
      sequential: true,
      async handler(failure?: Error) {
        if (!failure) await bundleServer(join(root, OUT_DIR));
      },
    },
  };
}

/** `outDir` must be beside a folder `server`, as in this project. */
export async function bundleServer(outDir: string): Promise<void> {
  await build({
    configFile: false,
    root,
    logLevel: 'warn',
    publicDir: false,
    plugins: [sourcePlaces()],
    ssr: { noExternal: true, external: LEFT_OUT },
    build: {
      ssr: true,
      target: 'node24',
      outDir,
      emptyOutDir: true,
      minify: false, // it is loaded from a disk, and people read its stack traces
      sourcemap: true, // server/log.ts reads them
      license: { fileName: 'licences.md' },
      rolldownOptions: {
        input: Object.fromEntries(ENTRIES.map((file) => [basename(file, '.ts'), file])),
        output: {
          entryFileNames: '[name].js',
          chunkFileNames: '[name].js',
          sourcemapExcludeSources: true,
          comments: false,
          codeSplitting: {
            groups: [{ name: 'collectors', test: /\/server\/sources\/(?!allSources\.ts|polling\/)/ }],
          },
        },
      },
    },
  });
  await promisify(execFile)(process.execPath, [
    join(import.meta.dirname, 'document.ts'),
    join(outDir, 'openapi.json'),
  ]);
}

/** Makes the build find files that a source names relative to its own place. Threads start from the build itself. */
function sourcePlaces(): Plugin {
  return {
    name: 'clearway:source-places',
    enforce: 'pre',
    transform(code, id) {
      // Packages need no source lines in a stack trace, and would make the maps ten times as large.
      if (id.includes('/node_modules/')) return { code, map: { mappings: '' } };
      if (!id.startsWith(join(root, 'server/')) || !code.includes('import.meta.')) return null;
      const file = `../${relative(root, id)}`;
      return {
        code: code
          .replace(/new URL\('(?:\w+\/)?(\w+)\.ts', import\.meta\.url\)/g, (found, name: string) =>
            ENTRIES.some((entry) => entry.endsWith(`/${name}.ts`))
              ? `new URL('${name}.js', import.meta.built)`
              : found,
          )
          .replaceAll('import.meta.dirname', `(import.meta.dirname + '/${dirname(file)}')`)
          .replaceAll('import.meta.url', `new URL('${file}', import.meta.built).href`)
          .replaceAll('import.meta.built', 'import.meta.url'),
        map: null, // each line stays in its place
      };
    },
    // A text with any other letter takes twice the memory, in each thread that loads it.
    generateBundle(_options, bundle) {
      for (const file of Object.values(bundle)) {
        if (file.type === 'chunk') file.code = file.code.replace(/[\u0100-\uffff]/g, escaped);
      }
    },
  };
}

const escaped = (letter: string) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`;
