/**
 * The stack traces of the built server, with the lines of its sources. Its source maps are read when there is a fault:
 * Node's `--enable-source-maps` reads them at the start, which takes 80 ms and 17 MB.
 */
import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';

const maps = new Map<string, SourceMap | null>();

/** Places without a source of ours, such as those in packages, stay as they are. */
export function withSourceLines(stack: string): string {
  return stack.replace(
    /(file:\/\/[^\s()]+\.js):(\d+):(\d+)/g,
    (place, file: string, line: string, column: string) => {
      const entry = mapOf(file)?.findEntry(Number(line) - 1, Number(column) - 1);
      // For a line of a package it finds the last one of ours before it.
      if (!entry || !('originalSource' in entry) || entry.generatedLine !== Number(line) - 1) return place;
      return `${new URL(entry.originalSource, file).href}:${entry.originalLine + 1}:${entry.originalColumn + 1}`;
    },
  );
}

function mapOf(file: string): SourceMap | null {
  let map = maps.get(file);
  if (map === undefined) {
    try {
      map = new SourceMap(JSON.parse(readFileSync(new URL(`${file}.map`), 'utf8')));
    } catch {
      map = null; // a file of a package, or of the sources
    }
    maps.set(file, map);
  }
  return map;
}
