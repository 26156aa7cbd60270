/** Compresses the output once, at the highest level; the server only sends it. */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Plugin } from 'vite';

const TEXT = /\.(js|mjs|css|html|svg|json|webmanifest|txt)$/;

/** Below this size, compression saves no network packet. */
const WORTHWHILE_BYTES = 1024;

/** Writes `x.br` and `x.gz` beside every text file `x` of the output, including the service worker. */
export function precompress(): Plugin {
  let outDir = '';
  return {
    name: 'clearway:precompress',
    apply: 'build',
    configResolved(config) {
      outDir = config.build.outDir;
    },
    closeBundle: {
      // This runs after the plugin that builds the worker, which also has an order.
      order: 'post',
      sequential: true,
      async handler(failure?: Error) {
        if (failure) return;
        const files = await readdir(outDir, { recursive: true });
        await Promise.all(
          files.filter((file) => TEXT.test(file)).map((file) => compress(join(outDir, file))),
        );
      },
    },
  };
}

async function compress(file: string): Promise<void> {
  const content = await readFile(file);
  if (content.length < WORTHWHILE_BYTES) return;
  const [brotli, zipped] = await Promise.all([
    promisify(brotliCompress)(content, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
        [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
      },
    }),
    promisify(gzip)(content, { level: constants.Z_BEST_COMPRESSION }),
  ]);
  await Promise.all([writeFile(`${file}.br`, brotli), writeFile(`${file}.gz`, zipped)]);
}
