/** A field of 200 kB in the document of any source costs no more time than its length asks for, whatever its text. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { COLLECTORS } from '../../../server/sources/allSources.ts';
import type { Collected, Collector } from '../../../server/incidents/collector.ts';
import { downloader } from '../../../server/http/documents/download.ts';
import { FIELD_MAX } from '../../../server/http/documents/plainText.ts';
import { startReplay, type Replay } from '../../../server/operate/replay.ts';
import { amount } from '../../support/long.ts';
import { memoryFacts } from '../../support/upstream.ts';
import type { Reply } from '../../../server/http/documents/upstream.ts';

const NOW = new Date('2026-11-21T09:00:00.000Z');
const FIELD_LENGTH = 200_000;
/** The most processor time of one poll. Time by the square of the length would be ten times as much and more. */
const MS_MAX = 1000;

/** The length that a text in the result may have: it may contain an address whose spaces are written as %20. */
const TEXT_MAX = 3 * FIELD_MAX;

/** Words that the rules of one source or another look for again and again. */
const PIECES = ['<a ', 'all lines ', 'roads and stations ', 'to 21 and 22 of november '];
/** How many of them are tried at each source; the others are tried at the next one. */
const TRIED = amount('LONG_FIELD_PIECES', { whole: PIECES.length, part: 1 });

let replay: Replay;
const worlds = new Map<Collector, Awaited<ReturnType<typeof recorded>>>();
beforeAll(async () => {
  replay = await startReplay({ stepSeconds: 0, now: () => NOW });
  for (const collector of COLLECTORS) worlds.set(collector, await recorded(collector));
});
afterAll(() => replay.close());

/** The document once for each name of a field, with `text` as the last field of that name, or after the field's own
 *  words. */
function withLongFields(
  document: string,
  text: string,
  isAfter: boolean,
): { name: string; document: string }[] {
  if (document.trimStart().startsWith('<')) {
    const names = new Set<string>();
    const field = /<([\w:.-]+)(?:\s[^<>]*)?>(?:<!\[CDATA\[)?[^<>]*(?=\]\]>|<\/)|[\w:.-]+(?==")/g;
    for (const [whole, element] of document.matchAll(field)) names.add(element ?? `${whole}=`);
    const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
    return [...names].map((name) => {
      const every = name.endsWith('=')
        ? new RegExp(`(\\s${name}")([^"]*)`, 'g')
        : new RegExp(`(<${name}(?:\\s[^<>]*)?>(?:<!\\[CDATA\\[)?)([^<>]*)(?=\\]\\]>|</)`, 'g');
      const { index, 0: whole, 1: tag, 2: said } = [...document.matchAll(every)].at(-1)!;
      const long = `${tag}${isAfter ? `${said} ` : ''}${escaped}`;
      return { name, document: document.slice(0, index) + long + document.slice(index + whole.length) };
    });
  }

  const counts = new Map<string, number>();
  JSON.parse(document, (name, value) => {
    if (typeof value === 'string') counts.set(name, (counts.get(name) ?? 0) + 1);
    return value;
  });
  return [...counts].map(([name, count]) => {
    let left = count;
    const changed: unknown = JSON.parse(document, (key, value) => {
      if (key !== name || typeof value !== 'string' || --left > 0) return value;
      return isAfter ? `${value} ${text}` : text;
    });
    return { name, document: JSON.stringify(changed) };
  });
}

/** The answers of the source, and its result from the same answers with one of them changed. */
async function recorded(collector: Collector) {
  const facts = memoryFacts();
  const replies = new Map<string, Reply>();
  const tools = { now: NOW, settings: replay.settings, facts };
  const { get } = downloader().newGet();
  // Some facts are asked for once, a few at a time.
  for (let times = 0; times < 4; times++) {
    await collector.collect({
      ...tools,
      async get(url, headers) {
        const reply = await get(url, headers);
        replies.set(url, reply);
        return reply;
      },
    });
  }
  const collectWith = (changed: string, body: string) =>
    collector.collect({
      ...tools,
      async get(url) {
        const reply = replies.get(url);
        if (!reply) throw new Error('404 Not Found');
        return url === changed ? { ...reply, body } : reply;
      },
    });
  return { replies, collectWith };
}

const longestIn = (value: unknown): number => {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 0;
  return Math.max(0, ...Object.values(value).map(longestIn));
};

it.each(COLLECTORS.map((collector, place) => ({ source: collector.source, collector, place })))(
  '$source reads them in time',
  async ({ collector, place }) => {
    const { replies, collectWith } = worlds.get(collector)!;
    const faults: string[] = [];
    let tried = 0;
    const pieces = PIECES.filter((_, index) => (index + place) % PIECES.length < TRIED);
    for (const piece of ['x', ...pieces]) {
      const text = piece.repeat(FIELD_LENGTH / piece.length);
      for (const [url, { body }] of replies) {
        const documents = (piece === 'x' ? [true, false] : [false]).flatMap((isAfter) =>
          withLongFields(body, text, isAfter),
        );
        for (const { name, document } of documents) {
          tried++;
          let collected: Collected | null = null;
          const before = process.threadCpuUsage();
          try {
            collected = await collectWith(url, document);
          } catch {
            // A source may refuse such a document as a whole: then it says so, and it costs no time either.
          }
          const { user, system } = process.threadCpuUsage(before);
          const ms = (user + system) / 1000;
          if (ms > MS_MAX) faults.push(`${name}, "${piece}": ${Math.round(ms)} ms`);
          const longest = longestIn(collected);
          if (longest > TEXT_MAX) faults.push(`${name}, "${piece}": a text of ${longest} characters`);
        }
      }
    }
    expect(faults).toEqual([]);
    expect(tried).toBeGreaterThan(0);
  },
  120_000,
);
