import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { EventList } from '#contract/places/events.ts';
import { FEEDS } from '#contract/feeds/feeds.ts';
import { KNOWN_SOURCES } from '#contract/feeds/knownSources.ts';
import { COLLECTORS } from '../../server/sources/allSources.ts';
import { events } from '../../server/geography/events/events.ts';
import { openWorld } from './callers.ts';
import { event } from './geography/events/import/oneEvent.ts';

const README = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
const SOURCES = readFileSync(new URL('../../docs/sources.md', import.meta.url), 'utf8');

/** The cells of the table of sources, by source. */
const rows = new Map(
  SOURCES.split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) => {
      const [source, ...cells] = line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim());
      return [source!.replaceAll('`', ''), cells] as const;
    }),
);

describe('the README’s example request', () => {
  it('lists ten events in Cardiff exactly as written, with a real key', async () => {
    const [, name, header, url] = /^ *curl -H "([\w-]+): ([^"]+)" "([^"]+)"$/m.exec(README)!;
    expect(url).toBe('http://localhost:8080/api/v1/events?venue_town=Cardiff&limit=10');

    const world = await openWorld();
    const arriving = Array.from({ length: 12 }, (_, at) =>
      event({ id: `e${at}`, place: { town: 'Cardiff' } }),
    );
    await events(world.db).store({ source: 'hall', arriving, now: world.now() });
    const here = await world.app.listen({ host: '127.0.0.1', port: 0 });
    const key = (await world.credential('API key'))!;
    const answer = await fetch(url!.replace('http://localhost:8080', here), {
      headers: { [name!]: header!.replace('YOUR_API_KEY', key) },
    });
    const found = EventList.parse(await answer.json());
    await world.close();

    expect(answer.status).toBe(200);
    expect(found.events).toHaveLength(10);
    expect(new Set(found.events.map(({ venue_town }) => venue_town))).toEqual(new Set(['Cardiff']));
  });
});

it('the promises about security name tests that exist', () => {
  const promised = readFileSync(new URL('../../SECURITY.md', import.meta.url), 'utf8');
  const named = [...promised.matchAll(/`((?:server|src|e2e)\/[\w./-]+)`/g)].map(([, path]) => path!);
  expect(named.length).toBeGreaterThan(50);
  expect(named.filter((path) => !existsSync(new URL(`../${path}`, import.meta.url)))).toEqual([]);
});

describe('the table of sources', () => {
  it('names every known source and every collector, with every column filled in', () => {
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
    'gives the rhythm, the maximum age and the key of %s as its collector declares them',
    (source, { everyMinutes, maxAgeMinutes, settings }) => {
      const [, key, every, maxAge] = rows.get(source)!;
      expect({ every, maxAge }).toEqual({ every: `${everyMinutes} min`, maxAge: `${maxAgeMinutes} min` });
      for (const { name, required, secret } of settings)
        if (required || secret) expect(key).toContain(`\`${name}\``);
    },
  );
});
