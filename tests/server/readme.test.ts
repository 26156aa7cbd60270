import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { FEEDS } from '#contract/feeds.ts';
import { KNOWN_SOURCES } from '#contract/sources.ts';
import { COLLECTORS } from '../../server/collectors/all.ts';

const README = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');

/** The cells of the README's table of sources, by source. */
const rows = new Map(
  README.slice(README.indexOf('### Sources'))
    .split(/\n(?:## |### )/, 1)[0]!
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) => {
      const [source, ...cells] = line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim());
      return [source!.replaceAll('`', ''), cells] as const;
    }),
);

describe('the README’s table of sources', () => {
  it('names every source of the specification and every collector there is, and says all of each', () => {
    const specified = FEEDS.flatMap(({ sources }) => sources);
    const all = new Set([
      ...specified,
      ...Object.keys(KNOWN_SOURCES),
      ...COLLECTORS.map(({ source }) => source),
    ]);
    expect([...rows.keys()].toSorted()).toEqual([...all].toSorted());
    for (const [source, cells] of rows) {
      expect(cells, source).toHaveLength(6);
      expect(cells, source).not.toContain('');
    }
  });

  it.each(COLLECTORS.map((collector) => [collector.source, collector] as const))(
    'tells the rhythm, the maximum age and the key of %s as its collector declares them',
    (source, { everyMinutes, maxAgeMinutes, settings }) => {
      const [, key, every, notAfter] = rows.get(source)!;
      expect({ every, notAfter }).toEqual({ every: `${everyMinutes} min`, notAfter: `${maxAgeMinutes} min` });
      for (const { name, required, secret } of settings)
        if (required || secret) expect(key).toContain(`\`${name}\``);
    },
  );
});
